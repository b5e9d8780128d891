"""From a message of TISS to its guia: what it is, whether it arrived whole, and what is asked in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Final, NamedTuple

from crivo.autorizacoes.politicas.codigos import normalize_codigo
from crivo.autorizacoes.tiss import xml
from crivo.autorizacoes.tiss.erros import MensagemRecusada
from crivo.autorizacoes.tiss.guia import DE_QUEM_ENVIA, MOST_ITEMS, Guia, Identificacao, ProcedimentoTiss, TipoGuia
from crivo.kernel.errors import Problem

VERSOES: Final = ("4.00.00", "4.00.01", "4.01.00", "4.02.00", "4.03.00")
_TIPOS: Final[dict[str, TipoGuia]] = {"solicitacaoSP-SADT": "SP-SADT", "solicitacaoInternacao": "INTERNACAO"}
_OUTRAS: Final = {"solicitacaoProrrogacao": "de prorrogação de internação", "solicitacaoOdontologia": "odontológica"}
_ANEXOS: Final = {
    "solicitacaoQuimioterapia": "ANEXO_QUIMIOTERAPIA",
    "solicitacaoRadioterapia": "ANEXO_RADIOTERAPIA",
    "solicitacaoOPME": "ANEXO_OPME",
}
_DIZ_ANEXOS: Final = ("anexos:", "documentos:", "documentos anexos:", "documentos anexados:")
_TABELAS: Final = frozenset({"00", "18", "19", "20", "22", "90", "98"})
_PROCEDIMENTOS: Final = "22"
_OUTRAS_DA_TUSS: Final = frozenset({"18", "19", "20"})  # daily rates, materials, medicines: their codes begin with 6 to 9
_PROCEDIMENTO: Final = re.compile(r"[1-5][0-9]*", re.ASCII)
_OITO: Final = re.compile(r"[0-9]{8}", re.ASCII)
_SOLICITACAO: Final = "SOLICITACAO_PROCEDIMENTOS"
_LONGEST_ID: Final = 14
_FIRST_YEAR, _LAST_YEAR = 1900, 2200
_LARGEST: Final = 999  # `st_numerico3`


class Mensagem(NamedTuple):
    """A message that was read; `conferida` is whether it was held to the schemas."""

    guia: Guia
    procedimentos: tuple[ProcedimentoTiss, ...]
    conferida: bool


def read_mensagem(raw: bytes, esquema: xml.Esquema) -> Mensagem:
    """The guia in a message. Raises `MensagemIlegivel`, `MensagemRecusada`. Source: Padrão TISS 4.03.00, `solicitacaoProcedimento`."""
    root = xml.parse(raw)
    corpo = _solicitacao(root)
    conferida = esquema.conferir(root)
    if not xml.text_at(root, "epilogo/hash"):
        raise _refused("A mensagem não traz o hash do epílogo.", "hash_ausente", "epilogo/hash")
    if not xml.hash_is_right(root):
        raise _refused(
            "O hash do epílogo não confere com a mensagem: ela foi alterada no caminho, ou o hash foi calculado de outro modo. "
            "Calcule o MD5 dos textos de todos os elementos, menos os do epílogo, em ISO-8859-1, e envie de novo.",
            "hash_invalido",
            "epilogo/hash",
        )
    leitor = _Leitor()
    read = leitor.sadt if xml.name_of(corpo) == "solicitacaoSP-SADT" else leitor.internacao
    guia = read(root, corpo)
    leitor.cabecalho(root, guia)
    procedimentos = leitor.procedimentos(corpo)
    if leitor.problemas:
        raise MensagemRecusada("A guia não pôde ser lida inteira. Corrija o que está apontado e envie de novo.", leitor.problemas)
    return Mensagem(guia, procedimentos, conferida == "conferida")


def _refused(mensagem: str, codigo: str, caminho: str = "", linha: int | None = None) -> MensagemRecusada:
    return MensagemRecusada(mensagem, [Problem(mensagem, caminho=caminho, linha=linha, codigo=codigo)])


def _versao(root: xml.No) -> str:
    return xml.text_at(root, "cabecalho/Padrao") or xml.text_at(root, "cabecalho/versaoPadrao")


def _solicitacao(root: xml.No) -> xml.No:
    """The guia of a request. Raises MensagemRecusada where the message is another one, or of another version."""
    if xml.name_of(root) == "Envelope":
        raise _refused("Isto é um envelope SOAP. Envie só a mensagem: o elemento mensagemTISS.", "envelope_soap")
    if xml.name_of(root) != "mensagemTISS":
        raise _refused("Isto não é uma mensagem TISS: o elemento raiz deve ser mensagemTISS.", "raiz")
    if xml.namespace_of(root) != xml.NS:
        raise _refused(f"O namespace da mensagem deve ser {xml.NS}. Corrija-o e envie de novo.", "namespace")
    versao = _versao(root)
    if versao not in VERSOES:
        told = f"A mensagem diz ser da versão {versao[:10]}" if versao else "A mensagem não diz de que versão é (cabecalho/Padrao)"
        raise _refused(f"{told}; são lidas as versões {', '.join(VERSOES)}. As 3.x já não valem.", "versao", "cabecalho/Padrao")
    corpo = xml.child(root, "prestadorParaOperadora")
    if corpo is None or not xml.under(corpo):
        raise _refused("A mensagem não é de um prestador para a operadora (prestadorParaOperadora).", "transacao")
    pedido = xml.child(corpo, "solicitacaoProcedimento")
    if pedido is None:
        outra = xml.name_of(xml.under(corpo)[0])
        raise _refused(f"A mensagem é {outra[:40]}; aqui se decide solicitacaoProcedimento.", "transacao", "prestadorParaOperadora")
    guias = xml.under(pedido)
    if len(guias) != 1:
        raise _refused(
            f"A mensagem traz {len(guias)} guias; o padrão pede uma por mensagem. Envie cada guia na sua.",
            "varias_guias" if guias else "sem_guia",
            "solicitacaoProcedimento",
        )
    nome = xml.name_of(guias[0])
    if nome not in _TIPOS:
        qual = _OUTRAS.get(nome, nome[:40])
        told = f"A guia {qual} não é decidida aqui; são as de SP/SADT e de internação."
        raise _refused(told, "tipo_de_guia", nome, xml.line_of(guias[0]))
    return guias[0]


class _Leitor:
    """One reading of one guia: what is missing or wrong is told all at once."""

    def __init__(self) -> None:
        self.problemas: list[Problem] = []

    def sadt(self, root: xml.No, guia: xml.No) -> Guia:
        contratado = xml.child(guia, "dadosSolicitante/contratadoSolicitante")
        return Guia(
            tipo="SP-SADT",
            versao=_versao(root),
            transacao=self._short(root, "cabecalho/identificacaoTransacao/sequencialTransacao", 12),
            origem=self._origem(root),
            registro_ans=self._required(guia, "cabecalhoSolicitacao/registroANS", _is_registro, "deve ter seis algarismos"),
            numero=self._short(guia, "cabecalhoSolicitacao/numeroGuiaPrestador", 20),
            guia_principal=xml.text_at(guia, "numeroGuiaPrincipal") or None,
            etapa=self._required(guia, "tipoEtapaAutorizacao", ("1", "2").__contains__, "deve ser 1 ou 2"),
            carteira=self._short(guia, "dadosBeneficiario/numeroCarteira", 20),
            recem_nascido=self._required(guia, "dadosBeneficiario/atendimentoRN", ("S", "N").__contains__, "deve ser S ou N"),
            carater=self._required(guia, "caraterAtendimento", _is_carater, "deve ser 1 (eletivo) ou 2 (urgência)"),
            data_solicitacao=self._required(guia, "dataSolicitacao", _is_date, "deve ser uma data, como 2026-11-20"),
            cobertura_especial=self._optional(guia, "coberturaEspecial", 2),
            indicacao_clinica=xml.text_at(guia, "indicacaoClinica") or None,
            observacao=xml.text_at(guia, "observacao") or None,
            solicitante=_identificacao(contratado),
            solicitante_nome=xml.text_at(guia, "dadosSolicitante/nomeContratadoSolicitante") or None,
            profissional=_texts_of(xml.child(guia, "dadosSolicitante/profissionalSolicitante")),
            executante=self._optional(guia, "dadosExecutante/codigonaOperadora", 14),
            cnes=self._optional(guia, "dadosExecutante/CNES", 7),
            anexos=_anexos(guia),
        )

    def internacao(self, root: xml.No, guia: xml.No) -> Guia:
        dados = xml.child(guia, "dadosInternacao")
        diagnosticos = xml.child(guia, "hipotesesDiagnosticas")
        return Guia(
            tipo="INTERNACAO",
            versao=_versao(root),
            transacao=self._short(root, "cabecalho/identificacaoTransacao/sequencialTransacao", 12),
            origem=self._origem(root),
            registro_ans=self._required(guia, "registroANS", _is_registro, "deve ter seis algarismos"),
            numero=self._short(guia, "numeroGuiaPrestador", 20),
            etapa=self._required(guia, "tipoEtapaAutorizacao", ("1", "2").__contains__, "deve ser 1 ou 2"),
            carteira=self._short(guia, "dadosBeneficiario/numeroCarteira", 20),
            recem_nascido=self._required(guia, "dadosBeneficiario/atendimentoRN", ("S", "N").__contains__, "deve ser S ou N"),
            carater=self._required(guia, "dadosInternacao/caraterAtendimento", _is_carater, "deve ser 1 (eletivo) ou 2 (urgência)"),
            data_solicitacao=self._required(guia, "dataSolicitacao", _is_date, "deve ser uma data, como 2026-11-20"),
            data_prevista=self._required(
                guia, "dadosHospitalSolicitado/dataSugeridaInternacao", _is_date, "deve ser uma data, como 2026-11-20"
            ),
            indicacao_clinica=xml.text_at(guia, "dadosInternacao/indicacaoClinica") or None,
            observacao=xml.text_at(guia, "observacao") or None,
            solicitante=_identificacao(xml.child(guia, "identificacaoSolicitante/dadosDoContratado")),
            profissional=_texts_of(xml.child(guia, "identificacaoSolicitante/dadosProfissionalContratado")),
            executante=self._optional(guia, "dadosHospitalSolicitado/codigoIndicadonaOperadora", 14),
            internacao=_texts_of(dados),
            cid=() if diagnosticos is None else tuple((one.text or "").strip() for one in xml.children(diagnosticos, "diagnosticoCID")),
            anexos=_anexos(guia),
        )

    def cabecalho(self, root: xml.No, guia: Guia) -> None:
        """That the header is of this message: it asks for procedimentos, of the operadora that the guia is to."""
        tipo = "cabecalho/identificacaoTransacao/tipoTransacao"
        if xml.text_at(root, tipo) not in ("", _SOLICITACAO):
            self._contradiz(root, tipo, f"a mensagem traz uma solicitação: tipoTransacao deve ser {_SOLICITACAO}")
        destino = "cabecalho/destino/registroANS"
        if guia.registro_ans and xml.text_at(root, destino) not in ("", guia.registro_ans):
            self._contradiz(root, destino, f"a mensagem é para uma operadora, e a guia, para outra ({guia.registro_ans[:6]})")

    def _contradiz(self, root: xml.No, path: str, told: str) -> None:
        self.problemas.append(Problem(told, caminho=path, linha=xml.line_of(xml.child(root, path)), codigo="valor_invalido"))

    def procedimentos(self, guia: xml.No) -> tuple[ProcedimentoTiss, ...]:
        found = xml.children(guia, "procedimentosSolicitados")
        if not found:
            self.problemas.append(Problem("falta ao menos um procedimento", caminho="procedimentosSolicitados", codigo="campo_ausente"))
        if len(found) > MOST_ITEMS:
            told = f"a guia traz {len(found)} procedimentos; o máximo é {MOST_ITEMS}"
            self.problemas.append(Problem(told, caminho="procedimentosSolicitados", codigo="procedimentos_demais"))
            return ()
        return tuple([self._procedimento(one) for one in found])

    def _procedimento(self, node: xml.No) -> ProcedimentoTiss:
        self._check_tabela(node)
        quantidade = self._required(node, "quantidadeSolicitada", _is_quantity, f"deve ser um número inteiro de 1 a {_LARGEST}")
        return ProcedimentoTiss(
            self._required(node, "procedimento/codigoTabela", _TABELAS.__contains__, f"deve ser uma de {', '.join(sorted(_TABELAS))}"),
            self._short(node, "procedimento/codigoProcedimento", 10),
            self._short(node, "procedimento/descricaoProcedimento", 150),
            int(quantidade) if _is_quantity(quantidade) else 0,
        )

    def _check_tabela(self, node: xml.No) -> None:
        """What the table and the code say of each other: a code of a procedimento has eight figures, and is of table 22."""
        caminho = "procedimento/codigoProcedimento"
        tabela, codigo = xml.text_at(node, "procedimento/codigoTabela"), normalize_codigo(xml.text_at(node, caminho))
        told = ""
        if tabela in _OUTRAS_DA_TUSS and _PROCEDIMENTO.fullmatch(codigo):
            told = f"este código é de procedimento, que é da tabela 22, e a guia o põe na {tabela}: corrija um dos dois"
        elif tabela == _PROCEDIMENTOS and codigo and not _OITO.fullmatch(codigo):
            told = "um código da tabela 22 tem oito algarismos"
        if told:
            self.problemas.append(Problem(told, caminho=caminho, linha=xml.line_of(xml.child(node, caminho)), codigo="valor_invalido"))

    def _origem(self, root: xml.No) -> Identificacao:
        origem = _identificacao(xml.child(root, "cabecalho/origem/identificacaoPrestador"))
        if origem is None or origem.por not in DE_QUEM_ENVIA or len(origem.valor) > _LONGEST_ID:
            told = "deve dizer quem envia: CNPJ, CPF ou código do prestador na operadora"
            self.problemas.append(Problem(told, caminho="cabecalho/origem/identificacaoPrestador", codigo="campo_ausente"))
        return origem or Identificacao("", "")

    def _optional(self, node: xml.No, path: str, most: int) -> str | None:
        return self._short(node, path, most) if xml.text_at(node, path) else None

    def _short(self, node: xml.No, path: str, most: int) -> str:
        return self._required(node, path, lambda value: len(value) <= most, f"passa de {most} caracteres")

    def _required(self, node: xml.No, path: str, is_right: Callable[[str], bool] = bool, right: str = "") -> str:
        value = xml.text_at(node, path)
        if not value:
            self.problemas.append(
                Problem("falta este elemento, ou está vazio", caminho=path, linha=xml.line_of(node), codigo="campo_ausente")
            )
        elif not is_right(value):
            self.problemas.append(Problem(right, caminho=path, linha=xml.line_of(xml.child(node, path)), codigo="valor_invalido"))
        return value


def _identificacao(node: xml.No) -> Identificacao | None:
    for one in () if node is None else xml.under(node):
        if text := (one.text or "").strip():
            return Identificacao(xml.name_of(one), text)
    return None


def _texts_of(node: xml.No) -> dict[str, str] | None:
    if node is None:
        return None
    return {xml.name_of(one): one.text.strip() for one in xml.under(node) if one.text and one.text.strip()}


def _anexos(guia: xml.No) -> tuple[str, ...]:
    """The documents that a guia brings: its clinical annexes, and those that `observacao` names after "Anexos:" or "Documentos:"."""
    clinico = xml.child(guia, "anexoClinico")
    found = [] if clinico is None else [_ANEXOS[xml.name_of(one)] for one in xml.under(clinico) if xml.name_of(one) in _ANEXOS]
    for line in xml.text_at(guia, "observacao").splitlines():
        lead = next((lead for lead in _DIZ_ANEXOS if line.strip().lower().startswith(lead)), None)
        if lead is not None:
            named = line.strip()[len(lead) :].replace(",", ";").split(";")
            found += [one.strip(" .") for one in named if one.strip(" .")]
    return tuple(found)


def _is_registro(value: str) -> bool:
    return len(value) == 6 and value.isascii() and value.isdigit()


def _is_carater(value: str) -> bool:
    return value in ("1", "2")


def _is_quantity(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= 6 and 0 < int(value) <= _LARGEST


def _is_date(value: str) -> bool:
    try:
        return _FIRST_YEAR <= date.fromisoformat(value[:10]).year <= _LAST_YEAR and len(value) <= 16
    except ValueError:
        return False
