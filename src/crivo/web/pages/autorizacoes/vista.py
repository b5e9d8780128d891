"""A stored decision as its page shows it: everything in words, nothing left for the template to work out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import msgspec

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal, FonteRegras, PedidoNormalizado
from crivo.autorizacoes.etapas.ajustes import nao_basta
from crivo.autorizacoes.etapas.documentos import not_known
from crivo.autorizacoes.etapas.sintese import condicoes
from crivo.autorizacoes.formulario.reaberto import is_correctable
from crivo.autorizacoes.guardadas import Autorizacao, Resumo
from crivo.autorizacoes.itens import numero_of
from crivo.autorizacoes.mapeamento.entrada import Formato
from crivo.autorizacoes.motivos import frase
from crivo.autorizacoes.nome_dito import nome_dito
from crivo.autorizacoes.origem import porta_of, stands_alone
from crivo.autorizacoes.palavras import DECISOES, campo_do_pedido, count, day, nome_documento, number
from crivo.autorizacoes.politicas.sobras import NAO_LIDA, nao_lidas
from crivo.autorizacoes.revisao import Revisao
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.agents.contract import Author
from crivo.kernel.clock import BRASILIA
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.autorizacoes.etapas import EtapaVista, as_sent, etapas_vistas, read_trilha
from crivo.web.pages.autorizacoes.pessoas import name_of
from crivo.web.pages.palavras import condicao

_NO_NUMBER = "sem número"
_ALL_RIGHT = "O pedido está de acordo com a regra."


@dataclass(frozen=True, slots=True)
class LinhaVista:
    """A decision as a line of the list; `rotulo` is what stands, `revista` whether a person decided it."""

    id: str
    numero: str
    administradora: str
    rotulo: Rotulo
    revista: bool
    recebida_em: datetime
    procedimento: str = ""

    @classmethod
    def of(cls, resumo: Resumo, revista: DecisaoFinal | None = None, procedimento: tuple[str, str] = ("", "")) -> LinhaVista:
        """The line of a stored decision; `revista` is what a person decided over it, `procedimento` the code and name of its subject."""
        return cls(
            str(resumo.id),
            mask_cpfs(resumo.pedido_id or _NO_NUMBER),
            mask_cpfs(resumo.administradora_id or "não informada"),
            DECISOES[revista or resumo.decisao_final],
            revista is not None,
            resumo.recebida_em,
            mask_cpfs(" ".join([said for said in procedimento if said])),
        )


@dataclass(frozen=True, slots=True)
class RevisaoVista:
    """What a person decided over the code, in words; `de` is what stood before."""

    rotulo: Rotulo
    de: str
    motivo: str
    quantidade: int | float | None
    quem: str
    em: datetime
    para_solicitante: str
    para_beneficiario: str

    @classmethod
    def of(cls, revisao: Revisao, names: Mapping[str, str], keys: Mapping[str, str]) -> RevisaoVista:
        """A review as it is shown; what a key did for a person is not shown as done by them alone."""
        key = keys.get(str(revisao.id))
        return cls(
            DECISOES[revisao.decisao_final],
            DECISOES[revisao.decisao_anterior].palavra.lower(),
            mask_cpfs(revisao.motivo),
            revisao.quantidade_aprovada,
            name_of(revisao.revisor, names) + (f", por uma chave ({key})" if key else ""),
            revisao.decidida_em,
            mask_cpfs(revisao.mensagens.para_solicitante),
            mask_cpfs(revisao.mensagens.para_beneficiario),
        )


@dataclass(frozen=True, slots=True)
class LidoPor:
    """The mapping that read a pedido: its version, which of how many pedidos it was, each field with the path that it came from."""

    id: str
    nome: str
    versao: int
    item: str
    origem: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, formato: Formato) -> LidoPor:
        """What the trail keeps, in words."""
        item = f"pedido {formato.item} de {formato.itens} que vieram juntos" if formato.itens > 1 else ""
        origem = tuple([(_field_said(destino), mask_cpfs(caminho)) for destino, caminho in formato.origem.items()])
        return cls(formato.id, formato.mapeamento, formato.versao, item, origem)


def _field_said(destino: str) -> str:
    dito = campo_do_pedido(destino)
    return f"{dito[0].upper()}{dito[1:]}" if dito else destino


@dataclass(frozen=True, slots=True)
class DecisaoVista:
    """What the code decided, its terms and its trail."""

    id: str
    numero: str
    administradora: str
    rotulo: Rotulo
    recebida_em: datetime
    para_solicitante: str
    para_beneficiario: str
    motivos: tuple[str, ...]
    resumo: str
    condicionantes: tuple[str, ...]
    nao_basta: str
    documentos_que_faltam: tuple[str, ...]
    termos: tuple[tuple[str, str], ...]
    fonte: FonteRegras | None
    fonte_em_palavras: tuple[tuple[str, str], ...]
    pedido_em_palavras: tuple[tuple[str, str], ...]
    pedido: str
    etapas: tuple[EtapaVista, ...]
    tempo_total: int
    quem_escreveu: str
    usou_modelo: bool
    lido_por: LidoPor | None
    corrigivel: bool
    nao_reconhecidos: tuple[str, ...]
    nao_lidas: tuple[str, ...]
    """The phrases of the regra that nobody read, where they could have changed this decision."""

    @classmethod
    def of(cls, autorizacao: Autorizacao) -> DecisaoVista:
        """The page of a stored decision."""
        decisao = msgspec.json.decode(autorizacao.decisao, type=Decisao)
        trilha = read_trilha(autorizacao.trilha)
        motivos = tuple([frase(codigo) for codigo in decisao.artefato_registro.motivos])
        return cls(
            id=str(autorizacao.id),
            numero=mask_cpfs(autorizacao.pedido_id or _NO_NUMBER),
            administradora=mask_cpfs(autorizacao.administradora_id or "não informada"),
            rotulo=DECISOES[decisao.decisao_final],
            recebida_em=autorizacao.recebida_em,
            para_solicitante=mask_cpfs(decisao.mensagens.para_solicitante),
            para_beneficiario=mask_cpfs(decisao.mensagens.para_beneficiario),
            motivos=motivos,
            resumo=f"{'; '.join([motivos[0], *[one[0].lower() + one[1:] for one in motivos[1:]]])}." if motivos else _ALL_RIGHT,
            condicionantes=tuple([mask_cpfs(dita) for dita in _condicoes(decisao, trilha)]),
            nao_basta=nao_basta(trilha.etapas.ajustes) if trilha.etapas.ajustes is not None else "",
            documentos_que_faltam=tuple([nome_documento(tipo) for tipo in trilha.etapas.avaliacao.pendencias_documentais]),
            termos=_termos(decisao),
            fonte=decisao.artefato_registro.fonte_regras,
            fonte_em_palavras=_fonte(decisao.artefato_registro.fonte_regras),
            pedido_em_palavras=_pedido(trilha.etapas.normalizacao.pedido_normalizado),
            pedido=as_sent(autorizacao.pedido),
            etapas=etapas_vistas(trilha),
            tempo_total=sum(trilha.tempos_us.values()),
            quem_escreveu=_quem_escreveu(trilha),
            usou_modelo=bool(trilha.escritas),
            lido_por=None if trilha.formato is None else LidoPor.of(trilha.formato),
            corrigivel=is_correctable(trilha.etapas.normalizacao.pedido_normalizado, mapeado=trilha.formato is not None),
            nao_reconhecidos=_not_recognised(trilha),
            nao_lidas=_nao_lidas(trilha),
        )


def aprovacao_de(autorizacao: Autorizacao, revisao: Revisao | None) -> tuple[tuple[str, str], ...]:
    """The senha of what is approved now, and until when it is valid: as the answers to a guia and to a Claim say it.

    Nothing where it is not approved, or is an item of several, which have one senha together.
    """
    etapas = read_trilha(autorizacao.trilha).etapas
    final, em = (autorizacao.decisao_final, autorizacao.recebida_em) if revisao is None else (revisao.decisao_final, revisao.decidida_em)
    if final not in ("APROVADO", "APROVADO_PARCIAL") or not stands_alone(etapas.normalizacao.pedido_normalizado):
        return ()
    prazo = etapas.sintese.detalhe_decisao.prazo_validade_autorizacao_dias
    senha = ("Senha", numero_of(autorizacao.id))
    if prazo is None:
        return (senha,)
    return (senha, ("Vale até", day((em.astimezone(BRASILIA).date() + timedelta(days=prazo)).isoformat())))


def _not_recognised(trilha: Trilha) -> tuple[str, ...]:
    """What came with a pedido that misses a document, under names that nobody knows."""
    anexos = [one.tipo for one in trilha.etapas.normalizacao.pedido_normalizado.documentos_anexos]
    return tuple([mask_cpfs(nome_documento(tipo)) for tipo in not_known(anexos, trilha.etapas.avaliacao.pendencias_documentais)])


def _nao_lidas(trilha: Trilha) -> tuple[str, ...]:
    regra = trilha.etapas.consulta.regras_recuperadas
    if regra is None or NAO_LIDA not in trilha.etapas.normalizacao.alertas:
        return ()
    return tuple([mask_cpfs(lida.frase) for lida in nao_lidas(regra)])


def _condicoes(decisao: Decisao, trilha: Trilha) -> list[str]:
    its = condicoes(decisao.decisao_final, trilha.etapas.avaliacao, trilha.etapas.ajustes)
    return [condicao(one, dita) for one, dita in zip(its, decisao.detalhe_decisao.condicionantes, strict=True)]


def _quem_escreveu(trilha: Trilha) -> str:
    if not trilha.escritas:
        return "O código escreveu tudo; nenhum modelo foi usado."
    if any(campo.autor == Author.MODEL for escrita in trilha.escritas for campo in escrita.campos.values()):
        return "Um modelo escreveu textos; o código decidiu e conferiu cada um."
    return "Um modelo foi consultado, mas nenhum texto dele ficou: o código decidiu e escreveu tudo."


def _termos(decisao: Decisao) -> tuple[tuple[str, str], ...]:
    detalhe = decisao.detalhe_decisao
    termos = []
    if detalhe.quantidade_aprovada is not None:
        termos.append(("Quantidade aprovada", number(detalhe.quantidade_aprovada)))
    if detalhe.coparticipacao_percentual is not None:
        termos.append(("Coparticipação", f"{number(detalhe.coparticipacao_percentual)}%"))
    if detalhe.prazo_validade_autorizacao_dias is not None:
        is_approved = decisao.decisao_final in ("APROVADO", "APROVADO_PARCIAL")
        name = "Validade da autorização" if is_approved else "Validade, quando autorizado"
        termos.append((name, count(detalhe.prazo_validade_autorizacao_dias, "dia", "dias")))
    return tuple(termos)


def _fonte(fonte: FonteRegras | None) -> tuple[tuple[str, str], ...]:
    if fonte is None:
        return ()
    ate = f" até {day(fonte.vigencia_fim)}" if fonte.vigencia_fim else ", sem data de fim"
    return (
        ("Documento", fonte.documento),
        ("Versão", fonte.versao),
        ("Regra", fonte.regra_id),
        ("Vigência", f"desde {day(fonte.vigencia_inicio)}{ate}"),
    )


def _pedido(pedido: PedidoNormalizado) -> tuple[tuple[str, str], ...]:
    """What was asked for, as it was understood; what did not come is said so only where the rules need it."""
    procedimento, beneficiario = pedido.procedimento, pedido.beneficiario
    needed = "não informado"
    shown = (
        ("Procedimento", " · ".join([text for text in (procedimento.codigo, procedimento.descricao) if text]) or needed),
        ("Quantidade", needed if procedimento.quantidade is None else number(procedimento.quantidade)),
        ("Plano", pedido.plano_id or needed),
        ("Data do pedido", day(pedido.data_pedido) if pedido.data_pedido else needed),
        ("Urgência", "sim" if pedido.urgencia else "não"),
        ("Beneficiário", " · ".join([text for text in (nome_dito(pedido.extras), beneficiario.id) if text]) or needed),
        ("Idade", "não informada" if beneficiario.idade is None else count(beneficiario.idade, "ano", "anos")),
        ("Carência cumprida", _served(beneficiario.carencia_cumprida_dias)),
        ("Prestador", _prestador(pedido)),
        *((("Como chegou", dita),) if (dita := porta_of(pedido)) else ()),
        ("Documentos que vieram", ", ".join([nome_documento(one.tipo) for one in pedido.documentos_anexos]) or "nenhum"),
    )
    return tuple([(nome, mask_cpfs(valor)) for nome, valor in shown])


def _served(days: int | float | None) -> str:
    return "não informada" if days is None else count(days, "dia", "dias")


def _prestador(pedido: PedidoNormalizado) -> str:
    tipo = pedido.prestador.tipo
    return "não informado" if tipo is None else "da rede credenciada" if tipo == "CREDENCIADO" else "fora da rede credenciada"
