"""What a text is held against: the RF6 document, and beside it the inputs that its writer was given."""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import UNSET

from crivo.autorizacoes.contracts import (
    Ajustes,
    Alternativa,
    ArtefatoRegistro,
    Avaliacao,
    Consulta,
    Decisao,
    DecisaoFinal,
    DetalheDecisao,
    Normalizacao,
    Regra,
)
from crivo.autorizacoes.etapas import ajustes as rf5
from crivo.autorizacoes.etapas import avaliacao as rf4
from crivo.autorizacoes.etapas.ilegiveis import as_sent
from crivo.autorizacoes.etapas.limites import dia_com_lugar, mais_apertado, sobra
from crivo.autorizacoes.motivos import CARENCIA, CPT, ESGOTADO, PERIODO
from crivo.autorizacoes.palavras import OU

_SHOWN_AS_SENT: Final = (
    "beneficiario.idade",
    "beneficiario.data_nascimento",
    "beneficiario.carencia_cumprida_dias",
    "prestador.tipo",
    "beneficiario.sexo",
    "procedimento.valor",
)

Campo = Literal["para_beneficiario", "para_solicitante", "justificativa", "resumo_efeito"]
Falha = Literal["numero", "codigo", "data", "documento", "resultado", "jargao", "sem_fonte"]
Number = int | float


class Documentos(msgspec.Struct, frozen=True):
    """Document types: those the regra asks for, those that came, those still owed."""

    exigidos: tuple[str, ...] = ()
    anexos: tuple[str, ...] = ()
    pendentes: tuple[str, ...] = ()


class Datas(msgspec.Struct, frozen=True):
    """Dates of the pedido, ISO `AAAA-MM-DD`."""

    data_pedido: str | None = None
    data_prevista: str | None = None


class Limites(msgspec.Struct, frozen=True):
    """The limits of the regra beside what the pedido has; null is unknown or unrestricted."""

    quantidade: Number | None = None
    carencia_min_dias: Number | None = None
    carencia_cumprida_dias: Number | None = None
    carencia_urgencia_dias: Number | None = None
    idade: int | None = None
    idade_min: int | None = None
    idade_max: int | None = None
    rede: str | None = None
    prestador: str | None = None


class Periodo(msgspec.Struct, frozen=True):
    """A limit by period: units, days, what was used and is left of it, and the ISO date from which there is room again."""

    quantidade: Number
    periodo_dias: int
    usadas: Number
    sobra: Number
    volta_em: str | None = None


class Adiante(msgspec.Struct, frozen=True):
    """What the regra states beyond the PRD, beside what the pedido has: amounts in R$, days of plano with a pre-existing condition."""

    reais: tuple[Number, ...] = ()
    cpt_dias: int | None = None
    cpt_restantes: int | None = None
    sexo: str | None = None
    sexo_do_beneficiario: str | None = None
    periodo: Periodo | None = None


class FonteCitavel(msgspec.Struct, frozen=True):
    """The document that a text may name as its source."""

    documento: str
    versao: str | None = None


class Insumos(msgspec.Struct, frozen=True):
    """The inputs of a text besides the decision itself.

    `textos` are further words of the regra that may be repeated, `proprios` sentences of our own, `observacoes` what the regra says of
    itself, `identificadores` the ids of administradora and plano, `avisos` how many RF1 gave,
    `restricoes` those of RF4 that are words.
    """

    codigo: str | None = None
    tabela: str | None = None
    descricao: str | None = None
    quantidade: Number | None = None
    documentos: Documentos = Documentos()
    datas: Datas = Datas()
    limites: Limites = Limites()
    adiante: Adiante = Adiante()
    dias_carencia_restantes: Number | None = None
    alternativa: Alternativa | str | None = None
    efeito_ajustes: str | None = None
    fonte: FonteCitavel | None = None
    textos: tuple[str, ...] = ()
    proprios: tuple[str, ...] = ()
    observacoes: str | None = None
    identificadores: tuple[str, ...] = ()
    avisos: int = 0
    restricoes: tuple[str, ...] = ()


class Decidido(msgspec.Struct, frozen=True):
    """A decision as a text about it is checked: the RF6 document without its messages, and the inputs. Source: PRD RF6 6.3.2."""

    pedido_id: str | None
    decisao_final: DecisaoFinal
    detalhe_decisao: DetalheDecisao
    artefato_registro: ArtefatoRegistro
    pedido: Insumos = Insumos()

    @classmethod
    def of(
        cls, normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao, ajustes: Ajustes | None, decisao: Decisao
    ) -> Decidido:
        """The decision of a journey with the inputs that RF4 to RF6 saw."""
        insumos = _insumos(normalizacao, consulta.regras_recuperadas, avaliacao, ajustes)
        return cls(decisao.pedido_id, decisao.decisao_final, decisao.detalhe_decisao, decisao.artefato_registro, insumos)


def _insumos(normalizacao: Normalizacao, regra: Regra | None, avaliacao: Avaliacao, ajustes: Ajustes | None) -> Insumos:
    pedido = normalizacao.pedido_normalizado
    fonte = avaliacao.fonte_regras
    return Insumos(
        codigo=pedido.procedimento.codigo,
        tabela=pedido.procedimento.tabela,
        descricao=pedido.procedimento.descricao or (regra.descricao if regra and regra.descricao else None),
        quantidade=pedido.procedimento.quantidade,
        documentos=Documentos(
            (*regra.documentos_obrigatorios, *(tipo for grupo in regra.documentos_alternativos or () for tipo in grupo)) if regra else (),
            tuple(documento.tipo for documento in pedido.documentos_anexos),
            tuple(tipo for pendencia in avaliacao.pendencias_documentais for tipo in pendencia.split(OU)),
        ),
        datas=Datas(pedido.data_pedido, pedido.data_prevista),
        limites=_limites(normalizacao, regra),
        adiante=_adiante(normalizacao, regra, avaliacao) if regra else Adiante(),
        dias_carencia_restantes=rf5.dias_restantes(pedido, regra) if regra and CARENCIA in avaliacao.motivos else None,
        alternativa=_alternativa(regra, ajustes),
        efeito_ajustes=rf5.efeito_provado(ajustes) if ajustes else None,
        fonte=FonteCitavel(fonte.documento, fonte.versao) if fonte else None,
        textos=(*(excecao.instrucao for excecao in (regra.excecoes if regra else ())), *_unread(normalizacao)),
        proprios=(ajustes.resumo_efeito,) if ajustes else (),  # names what would still be missing under another regra
        observacoes=regra.observacoes if regra else None,
        identificadores=tuple([one for one in (pedido.administradora_id, pedido.plano_id) if one]),
        avisos=len(normalizacao.alertas),
        restricoes=tuple([one.replace("_", " ") for one in avaliacao.restricoes_aplicadas if "=" not in one]),
    )


def _unread(normalizacao: Normalizacao) -> tuple[str, ...]:
    """What unread fields held, as the messages show it."""
    extras = normalizacao.pedido_normalizado.extras
    return tuple([sent for campo in _SHOWN_AS_SENT if (sent := as_sent(extras, campo))])


def _limites(normalizacao: Normalizacao, regra: Regra | None) -> Limites:
    pedido = normalizacao.pedido_normalizado
    exigida = rf4.carencia_exigida(pedido.urgencia, regra) if regra else None
    faixa = regra.restricoes_idade if regra else None
    return Limites(
        quantidade=regra.limite_quantidade if regra else None,
        carencia_min_dias=exigida[1] if exigida else None,
        carencia_cumprida_dias=pedido.beneficiario.carencia_cumprida_dias,
        carencia_urgencia_dias=regra.carencia_urgencia_dias if regra else None,
        idade=pedido.beneficiario.idade,
        idade_min=faixa.min if faixa else None,
        idade_max=faixa.max if faixa else None,
        rede=regra.restricoes_rede if regra else None,
        prestador=pedido.prestador.tipo,
    )


def _adiante(normalizacao: Normalizacao, regra: Regra, avaliacao: Avaliacao) -> Adiante:
    pedido = normalizacao.pedido_normalizado
    periodo = None
    if not {PERIODO, ESGOTADO}.isdisjoint(avaliacao.motivos):
        limite, usadas = mais_apertado(pedido, regra)
        volta_em = dia_com_lugar(pedido, regra) if ESGOTADO in avaliacao.motivos else None
        periodo = Periodo(limite.quantidade, limite.periodo_dias, usadas, sobra(pedido, regra), volta_em)
    cpt = CPT in avaliacao.motivos
    return Adiante(
        tuple(reais for reais in (regra.valor_maximo, pedido.procedimento.valor) if reais is not UNSET),
        rf4.cpt_exigida_dias(regra) if cpt else None,
        rf5.dias_de_cpt_restantes(pedido, regra) if cpt else None,
        regra.sexo or None,
        pedido.beneficiario.sexo or None,
        periodo,
    )


def _alternativa(regra: Regra | None, ajustes: Ajustes | None) -> Alternativa | None:
    """The alternative that was suggested, with the regra's words for it."""
    codigos = [ajuste.valor_sugerido for ajuste in (ajustes.ajustes_sugeridos if ajustes else ()) if ajuste.acao_tipo == "AJUSTAR_CODIGO"]
    return next((outra for outra in (regra.alternativas if regra else ()) if outra.codigo in codigos), None)
