"""From the decisions of a guia to `autorizacaoServicos`: its status, each procedimento with its quantity and motivos, and the words.

Source: Padrão TISS 4.03.00, `autorizacaoServicos`, Tabela 38; design, "Standards"; decision 0081.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal
from crivo.autorizacoes.etapas.avaliacao import IDADE_NAO_CONFERIDA
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.itens import numero_of, repartir
from crivo.autorizacoes.motivos import (
    CARENCIA,
    DOCUMENTOS,
    ESGOTADO,
    IDADE,
    PEDIDO_INVALIDO,
    PERIODO,
    QUANTIDADE,
    REDE,
    REGRA_NAO_ENCONTRADA,
    SEM_COBERTURA,
    SEM_SEXO,
    find_motivo,
    frase,
)
from crivo.autorizacoes.revisao.contracts import Revisao
from crivo.autorizacoes.tiss import xml
from crivo.autorizacoes.tiss.erros import SemGuia
from crivo.autorizacoes.tiss.guia import DE_QUEM_ENVIA, MOST_ITEMS, DeUmaGuia, Linha
from crivo.autorizacoes.tiss.pedidos import DITOS
from crivo.kernel.clock import BRASILIA

Status = Literal["1", "2", "3", "4", "5", "6", "7"]
AUTORIZADO: Final = "1"
EM_ANALISE: Final = "2"
NEGADO: Final = "3"
JUSTIFICATIVA: Final = "4"
DOCUMENTACAO: Final = "5"
CANCELADA: Final = "6"
PARCIAL: Final = "7"

# The motivos of Tabela 38 that are used here; what has none of its own is for a person to look at.
GLOSAS: Final = {
    SEM_COBERTURA: "1407",
    CARENCIA: "1410",
    IDADE: "1803",
    REDE: "1207",
    QUANTIDADE: "1423",
    PERIODO: "1423",
    ESGOTADO: "1423",
    DOCUMENTOS: "1709",
}
AUDITORIA: Final = "1427"
SUBSTITUIDA: Final = "1308"  # guia já apresentada
_APROVADAS: Final = ("APROVADO", "APROVADO_PARCIAL")
_SEM_NOME: Final = "NÃO INFORMADO NA GUIA"
_LONGEST_NOTE: Final = 1000  # `st_texto1000`
_SHORTEST_NOTE: Final = 40
_NUMBER: Final = 20
_SEM_PLANO: Final = "campo_obrigatorio_ausente:plano_id"
# In the order in which they are told: first what still waits, which nobody is to take for denied. Of one item, of several.
_SITUACOES: Final[dict[DecisaoFinal, tuple[str, str]]] = {
    "PENDENTE_AJUSTES": ("pendente (não negado)", "pendentes (não negados)"),
    "NEGADO": ("negado", "negados"),
    "APROVADO_PARCIAL": ("autorizado em parte", "autorizados em parte"),
}


class _Normalizacao(msgspec.Struct):
    alertas: tuple[str, ...] = ()
    erros_bloqueantes: tuple[str, ...] = ()


class _Avaliacao(msgspec.Struct):
    restricoes_aplicadas: tuple[str, ...] = ()


class _Etapas(msgspec.Struct):
    normalizacao: _Normalizacao
    avaliacao: _Avaliacao
    sintese: Decisao


class _Trilha(msgspec.Struct):
    etapas: _Etapas


class _Pedido(msgspec.Struct):
    tiss: DeUmaGuia | None = None
    beneficiario: dict[str, Any] = {}


_read_trilha = msgspec.json.Decoder(_Trilha).decode
_read_pedido = msgspec.json.Decoder(_Pedido).decode


@dataclass(frozen=True, slots=True)
class Resultado:
    """What came of one procedimento; `nao_veio` is what the guia does not say and was needed, `ate_dias` how long it is valid.

    `do_codigo` is what was decided first, by the code, whatever a person decided since; `ditos` is what was said of the beneficiário
    beside the guia. `substituta` is the senha of a later message of it that stands in its place: what this one was given holds no more.
    """

    id: UUID
    de: DeUmaGuia
    decisao: DecisaoFinal
    quantidade: int
    motivos: tuple[str, ...]
    palavras: str
    nao_veio: tuple[str, ...]
    ate_dias: int | None
    em: datetime
    recebida: date
    do_codigo: DecisaoFinal
    ditos: tuple[str, ...] = ()
    substituta: str | None = None

    @property
    def vale(self) -> bool:
        """Whether anything of it is approved, and still holds."""
        return self.decisao in _APROVADAS and self.substituta is None


def guia_of(autorizacao: Autorizacao) -> DeUmaGuia:
    """What a stored pedido keeps of its guia. Raises `SemGuia` where it came by another door."""
    return _read(autorizacao)[0]


def _read(autorizacao: Autorizacao) -> tuple[DeUmaGuia, dict[str, Any]]:
    try:
        pedido = _read_pedido(autorizacao.pedido)
    except msgspec.DecodeError:
        raise SemGuia from None
    if pedido.tiss is None or not _is_of_a_guia(pedido.tiss):
        raise SemGuia
    return pedido.tiss, pedido.beneficiario


def _is_of_a_guia(de: DeUmaGuia) -> bool:
    """Whether it was written here: a pedido in JSON may bring anything under the same name."""
    return 0 < de.item <= de.itens <= MOST_ITEMS and de.guia.origem.por in DE_QUEM_ENVIA


def resultado_of(autorizacao: Autorizacao, revisao: Revisao | None = None) -> Resultado:
    """What was decided of one procedimento: by a person where there is a review, else by the code. Raises `SemGuia`."""
    de, beneficiario = _read(autorizacao)
    etapas = _read_trilha(autorizacao.trilha).etapas
    sintese = etapas.sintese
    prazo = sintese.detalhe_decisao.prazo_validade_autorizacao_dias
    if revisao is None:
        aprovada, motivos = sintese.detalhe_decisao.quantidade_aprovada, sintese.artefato_registro.motivos
        decisao, palavras, em = sintese.decisao_final, sintese.mensagens.para_solicitante, autorizacao.recebida_em
    else:
        aprovada, motivos = revisao.quantidade_aprovada, _reviewed(revisao, sintese.artefato_registro.motivos)
        decisao, palavras, em = revisao.decisao_final, revisao.mensagens.para_solicitante, revisao.decidida_em
    asked = de.procedimento.quantidade
    quantidade = int(asked if aprovada is None else min(aprovada, asked)) if decisao in _APROVADAS else 0
    return Resultado(
        autorizacao.id,
        de,
        decisao,
        quantidade,
        motivos,
        palavras,
        tuple(_nao_veio(etapas)),
        prazo,
        em,
        autorizacao.data_recebimento,
        sintese.decisao_final,
        tuple([nome for nome in DITOS if nome in beneficiario]),
    )


def _nao_veio(etapas: _Etapas) -> Iterator[str]:
    """What no guia says of the beneficiário and this decision would have needed."""
    if _SEM_PLANO in etapas.normalizacao.erros_bloqueantes:
        yield "o plano"
    if IDADE_NAO_CONFERIDA in etapas.avaliacao.restricoes_aplicadas:
        yield "a idade"
    if CARENCIA in etapas.sintese.artefato_registro.motivos and "carencia_nao_informada" in etapas.normalizacao.alertas:
        yield "a carência já cumprida"
    if SEM_SEXO in etapas.sintese.artefato_registro.motivos:
        yield "o sexo"


def _reviewed(revisao: Revisao, motivos: tuple[str, ...]) -> tuple[str, ...]:
    match revisao.decisao_final:
        case "APROVADO":
            return ()
        case "APROVADO_PARCIAL":
            return (QUANTIDADE,)
        case _:
            return motivos


def status_of(resultados: Sequence[Resultado]) -> Status:
    """The `statusSolicitacao` of a guia. What waits for who asked goes before what waits for the operadora."""
    decisoes = {one.decisao for one in resultados}
    if _cancelada(resultados) is not None:
        return CANCELADA
    if decisoes == {"APROVADO"}:
        return AUTORIZADO
    if decisoes & set(_APROVADAS):
        return PARCIAL
    if decisoes == {"NEGADO"}:
        return NEGADO
    waits = {_waits_for(one) for one in resultados if one.decisao == "PENDENTE_AJUSTES"}
    for status in (DOCUMENTACAO, JUSTIFICATIVA):
        if status in waits:
            return status
    return EM_ANALISE


def _cancelada(resultados: Sequence[Resultado]) -> str | None:
    """The senha that replaces what was given; None where it holds, or nothing was."""
    return next((one.substituta for one in resultados if one.decisao in _APROVADAS), None)


def _waits_for(resultado: Resultado) -> Status:
    motivos = set(resultado.motivos)
    if motivos == {DOCUMENTOS}:
        return DOCUMENTACAO
    if REGRA_NAO_ENCONTRADA in motivos or motivos == {IDADE}:
        return EM_ANALISE
    return JUSTIFICATIVA


def senha_of(resultados: Sequence[Resultado]) -> str | None:
    """The senha of a guia, None where nothing of it is approved. One that was given stays, whatever people decide afterwards."""
    if not any(one.decisao in _APROVADAS for one in resultados):
        return None
    return numero_of(next((one for one in resultados if one.do_codigo in _APROVADAS), resultados[0]).id)


def glosa_of(motivo: str) -> str | None:
    """The code of Tabela 38 for a motivo; None for what was wrong with the pedido itself, which is told in words."""
    codigo = motivo.partition(":")[0]
    if codigo in GLOSAS:
        return GLOSAS[codigo]
    known = find_motivo(codigo)
    return AUDITORIA if codigo == REGRA_NAO_ENCONTRADA or (known is not None and known.da_regra) else None


def write(resultados: Sequence[Resultado], substituta: str | None = None) -> bytes:
    """The answer to a guia, in ISO-8859-1; the same decisions give the same bytes.

    `substituta` is the senha of a later message of the guia that stands in its place: what this one was given is told as cancelled.
    """
    resultados = [replace(one, substituta=substituta) for one in resultados]
    guia = resultados[0].de.guia
    em = max(one.em for one in resultados).astimezone(BRASILIA)
    root = xml.new_message()
    cabecalho = xml.add(root, "cabecalho")
    transacao = xml.add(cabecalho, "identificacaoTransacao")
    xml.add(transacao, "tipoTransacao", "RESPOSTA_SOLICITACAO")
    xml.add(transacao, "sequencialTransacao", guia.transacao[:12])
    xml.add(transacao, "dataRegistroTransacao", em.date().isoformat())
    xml.add(transacao, "horaRegistroTransacao", em.strftime("%H:%M:%S"))
    xml.add(xml.add(cabecalho, "origem"), "registroANS", guia.registro_ans)
    xml.add(xml.add(xml.add(cabecalho, "destino"), "identificacaoPrestador"), guia.origem.por, guia.origem.valor)
    xml.add(cabecalho, "Padrao", guia.versao)
    autorizacao = xml.add(xml.add(root, "operadoraParaPrestador"), "autorizacaoServicos")
    if guia.tipo == "SP-SADT":
        _servico(xml.add(autorizacao, "autorizacaoServico"), resultados, em)
    else:
        internacao = xml.add(autorizacao, "autorizacaoInternacao")
        _servico(xml.add(internacao, "autorizacaoDosServicos"), resultados, em)
        if guia.data_prevista and status_of(resultados) in (AUTORIZADO, PARCIAL):
            xml.add(internacao, "dataProvavelAdmissao", guia.data_prevista[:10])
    return xml.sealed_bytes(root)


def _servico(node: xml.No, resultados: Sequence[Resultado], em: datetime) -> None:
    guia, status = resultados[0].de.guia, status_of(resultados)
    aprovados = [one for one in resultados if one.vale]
    dados = xml.add(node, "dadosAutorizacao")
    xml.add(dados, "numeroGuiaPrestador", guia.numero[:_NUMBER])
    xml.add(dados, "numeroGuiaOperadora", numero_of(resultados[0].id))
    if aprovados:
        xml.add(dados, "dataAutorizacao", em.date().isoformat())
        xml.add(dados, "senha", senha_of(resultados))
        prazos = [one.ate_dias for one in aprovados if one.ate_dias is not None]
        if prazos:
            xml.add(dados, "dataValidadeSenha", (em.date() + timedelta(days=min(prazos))).isoformat())
    xml.add(node, "tipoEtapaAutorizacao", guia.etapa)
    beneficiario = xml.add(node, "dadosBeneficiario")
    xml.add(beneficiario, "numeroCarteira", guia.carteira)
    xml.add(beneficiario, "atendimentoRN", guia.recem_nascido)
    xml.add(node, "nomeBeneficiario", _SEM_NOME)
    if guia.cobertura_especial:
        xml.add(node, "coberturaEspecial", guia.cobertura_especial)
    if aprovados and guia.executante and guia.cnes:
        autorizado = xml.add(node, "prestadorAutorizado")
        xml.add(xml.add(autorizado, "dadosContratado"), "codigoPrestadorNaOperadora", guia.executante)
        xml.add(autorizado, "cnesContratado", guia.cnes)
    xml.add(node, "statusSolicitacao", status)
    codes = dict.fromkeys(code for one in resultados for code in _glosas(one))
    if status == NEGADO and codes:
        motivos = xml.add(node, "motivosNegativa")
        for code in codes:
            xml.add(motivos, "codigoGlosa", code)
    servicos = xml.add(node, "servicosAutorizados")
    for linha in sorted((linha for one in resultados for linha in _linhas(one)), key=lambda linha: linha.sequencia):
        _item(xml.add(servicos, "servicoAutorizado"), linha)
    xml.add(node, "observacao", _observacao(resultados))


class _Respondida(NamedTuple):
    """One line of a guia, with what it has of what was decided of its procedimento."""

    sequencia: int
    pedida: int
    autorizada: int
    resultado: Resultado


def _linhas(one: Resultado) -> list[_Respondida]:
    linhas = one.de.linhas or (Linha(one.de.item, one.de.procedimento.quantidade),)
    autorizadas = repartir(0 if one.substituta else one.quantidade, [linha.quantidade for linha in linhas])
    return [_Respondida(linha.sequencia, linha.quantidade, int(given), one) for linha, given in zip(linhas, autorizadas, strict=True)]


def _item(node: xml.No, linha: _Respondida) -> None:
    one = linha.resultado
    asked = one.de.procedimento
    xml.add(node, "sequencialItem", str(linha.sequencia))
    procedimento = xml.add(node, "procedimento")
    xml.add(procedimento, "codigoTabela", asked.tabela)
    xml.add(procedimento, "codigoProcedimento", asked.codigo)
    xml.add(procedimento, "descricaoProcedimento", asked.descricao)
    xml.add(node, "quantidadeSolicitada", str(linha.pedida))
    xml.add(node, "quantidadeAutorizada", str(linha.autorizada))
    glosas = {} if linha.autorizada == linha.pedida else _glosas(one)
    if glosas:
        motivos = xml.add(node, "motivosNegativa")
        for code, palavras in glosas.items():
            motivo = xml.add(motivos, "motivoNegativa")
            xml.add(motivo, "codigoGlosa", code)
            xml.add(motivo, "descricaoGlosa", f"Pendente, não negado: {palavras}" if one.decisao == "PENDENTE_AJUSTES" else palavras)


def _glosas(one: Resultado) -> dict[str, str]:
    """By code of Tabela 38, why this is not approved as it was asked, in words of our own."""
    if one.substituta and one.decisao in _APROVADAS:
        return {SUBSTITUIDA: f"Cancelado: vale a senha {one.substituta}, de uma mensagem posterior desta guia"}
    if one.decisao == "APROVADO":
        return {}
    found: dict[str, str] = {}
    for motivo in one.motivos:
        code = glosa_of(motivo)
        if code is not None:
            found.setdefault(code, frase(motivo))
    return found


def _observacao(resultados: Sequence[Resultado]) -> str:
    """What the codes cannot say: why, first what waits; what the guia could not carry; then each decision in the words for who asked."""
    head = xml.latin(" ".join([*_substituida(resultados), *_por_motivo(resultados), *_a_saber(resultados)]))
    several = sum(len(_linhas(one)) for one in resultados) > 1
    texts: dict[str, list[Resultado]] = {}
    for one in sorted(resultados, key=lambda one: one.decisao == "APROVADO"):  # of what is approved the codes say all
        if one.decisao in _APROVADAS and not one.vale:
            continue
        texts.setdefault(one.palavras, []).append(one)
    said, room = [head], _LONGEST_NOTE - len(head)
    for at, (text, those) in enumerate(texts.items()):
        said.append(_cut(xml.latin(f"{_itens(those)}: {text}" if several else text), room // (len(texts) - at) - 1))
        room -= len(said[-1]) + 1
    return " ".join(filter(None, said))[:_LONGEST_NOTE]


def _substituida(resultados: Sequence[Resultado]) -> Iterator[str]:
    """That the guia was sent again since, and which senha holds."""
    nova, antes = resultados[0].substituta, senha_of(resultados)
    if nova is not None and antes is not None:
        yield (
            f"CANCELADA: a senha {antes} não vale mais. Vale a senha {nova}, de uma mensagem posterior desta mesma guia. "
            "Para pedir de novo, envie a guia em outra mensagem."
        )
    elif nova is not None:
        yield f"Vale a senha {nova}, de uma mensagem posterior desta mesma guia."


def _por_motivo(resultados: Sequence[Resultado]) -> Iterator[str]:
    """Why what is not approved as it was asked is not, those with the same reasons in one sentence."""
    several = sum(len(_linhas(one)) for one in resultados) > 1
    for decisao, (one_is, many_are) in _SITUACOES.items():
        groups: dict[str, list[Resultado]] = {}
        for one in resultados:
            if one.decisao == decisao and (one.vale or decisao not in _APROVADAS):
                motivos = [motivo for motivo in one.motivos if motivo != PEDIDO_INVALIDO]
                groups.setdefault("; ".join(dict.fromkeys(frase(motivo) for motivo in motivos)), []).append(one)
        for reasons, those in groups.items():
            is_one = sum(len(_linhas(one)) for one in those) == 1
            said = f"{_itens(those)}, {one_is if is_one else many_are}" if several else one_is.capitalize()
            if reasons:
                yield f"{said}: {reasons}."


def _a_saber(resultados: Sequence[Resultado]) -> Iterator[str]:
    """What is worth knowing of a guia as a whole."""
    nao_veio = dict.fromkeys(nome for one in resultados for nome in one.nao_veio)
    if nao_veio:
        yield f"A guia TISS não diz, e a operadora não informou: {', '.join(nao_veio)} do beneficiário."
    senha = senha_of(resultados)
    for antes in dict.fromkeys(one.de.substitui for one in resultados if one.de.substitui):
        if resultados[0].substituta is None:
            yield f"Substitui a senha {antes}, desta mesma guia." if senha else f"A senha {antes}, desta mesma guia, continua valendo."
    for one in resultados:
        if len(one.de.linhas) > 1:
            yield f"{_itens([one])}: são o mesmo procedimento, e foram decididos juntos."
    if resultados[0].de.guia.data_solicitacao[:10] > resultados[0].recebida.isoformat():
        yield "A data da solicitação é posterior ao dia em que a guia chegou."
    yield from dict.fromkeys(aviso for one in resultados for aviso in one.de.avisos)
    anexos = resultados[0].de.guia.anexos
    if anexos and any(DOCUMENTOS in one.motivos for one in resultados):
        yield f"Documentos que chegaram: {'; '.join(dict.fromkeys(anexos))}."


def _itens(resultados: Sequence[Resultado]) -> str:
    """Which lines of the guia these are, in words."""
    numbers = sorted(linha.sequencia for one in resultados for linha in _linhas(one))
    *others, last = _runs(numbers)
    if len(numbers) == 1:
        return f"Item {last}"
    return f"Itens {', '.join(others)} e {last}" if others else f"Itens {last}"


def _runs(numbers: Sequence[int]) -> list[str]:
    """Numbers in words, three or more in a row as the first and the last of them."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [said for run in found for said in ([f"{run[0]} a {run[-1]}"] if len(run) > 2 else map(str, run))]


def _cut(text: str, room: int) -> str:
    """A text on one line, ended with three dots where it has no room; nothing where hardly a word of it would have any."""
    line = " ".join(text.split())
    if len(line) <= room:
        return line
    return line[: room - 3].rstrip() + "..." if room > _SHORTEST_NOTE else ""
