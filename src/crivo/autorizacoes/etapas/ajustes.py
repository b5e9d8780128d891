"""RF5: what would have to change for the pedido to pass, and the proof of how far it would get. Source: PRD RF5."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final, Literal

from msgspec.structs import replace

from crivo.autorizacoes import motivos as razoes
from crivo.autorizacoes.contracts import Ajuste, Ajustes, Avaliacao, Consulta, Documento, Normalizacao, PedidoNormalizado, Prestador, Regra
from crivo.autorizacoes.etapas import avaliacao as rf4
from crivo.autorizacoes.etapas.consulta import Normas
from crivo.autorizacoes.etapas.documentos import ressalva_do_documento
from crivo.autorizacoes.etapas.ilegiveis import CARENCIA_ILEGIVEL
from crivo.autorizacoes.palavras import count, faixa_etaria, listing, nome_documento, number, verb

Efeito = Literal["total", "parcial", "nenhum"]
Reavaliar = Callable[[PedidoNormalizado], Avaliacao]

_EFEITOS: Final[Mapping[Efeito, str]] = {"total": "Aprovação total", "parcial": "Aprovação parcial", "nenhum": "Sem aprovação"}
_CHANGES_NOTHING = ("OUTRO", "ADEQUAR_FAIXA_ETARIA")


def sugerir(normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao, normas: Normas, reavaliar: Reavaliar) -> Ajustes:
    """The adjustments for each non-conformity, and their joint effect as re-evaluation shows it.

    `reavaliar` evaluates a changed pedido anew. What RF1 made is what RF1 would make of it again, so the changed pedido enters after it.
    Source: PRD RF5 5.2, 5.3.2.
    """
    pedido = normalizacao.pedido_normalizado
    regra = consulta.regras_recuperadas
    if not normalizacao.pedido_valido:
        ajustes = tuple([_do_erro(erro) for erro in normalizacao.erros_bloqueantes])
    elif regra is None:
        ajustes = (_ANALISE_MANUAL,)
    else:
        ajustes = _da_regra(normalizacao, regra, avaliacao, normas)
    changes = any(ajuste.acao_tipo not in _CHANGES_NOTHING for ajuste in ajustes)
    depois = reavaliar(apply_ajustes(pedido, ajustes)) if changes else avaliacao
    return Ajustes(avaliacao.pedido_id, ajustes, resumo_efeito(pedido, ajustes, depois))


def _da_regra(normalizacao: Normalizacao, regra: Regra, avaliacao: Avaliacao, normas: Normas) -> tuple[Ajuste, ...]:
    pedido, alertas = normalizacao.pedido_normalizado, normalizacao.alertas
    motivos = avaliacao.motivos
    ajustes = [_anexar(tipo, ressalva_do_documento(tipo, alertas)) for tipo in avaliacao.pendencias_documentais]
    if razoes.REDE in motivos:
        ajustes.append(_TROCAR_PRESTADOR)
    if razoes.QUANTIDADE in motivos:
        ajustes.append(_reduzir(pedido, avaliacao))
    if razoes.SEM_COBERTURA in motivos:
        ajustes.extend(_trocar_codigo(pedido, regra, normas))
    if razoes.CARENCIA in motivos:
        ajustes.append(_aguardar(pedido, regra, ilegivel=CARENCIA_ILEGIVEL in alertas))
    if razoes.IDADE in motivos:
        ajustes.append(_da_idade(regra))
    return tuple(ajustes)


_TROCAR_PRESTADOR = Ajuste(
    "ALTERAR_PRESTADOR",
    "prestador.tipo",
    "CREDENCIADO",
    "A regra só autoriza o procedimento na rede credenciada: escolha um prestador credenciado.",
    "RESOLVE_TOTAL",
)
_ANALISE_MANUAL = Ajuste(
    "OUTRO",
    "regra",
    None,
    "Nenhuma regra publicada trata deste procedimento neste plano e nesta data: encaminhe para análise manual.",
    "RESOLVE_PARCIAL",
)


def _anexar(tipo: str, ressalva: str) -> Ajuste:
    porque = f", e {ressalva}." if ressalva else " e ele não veio com o pedido."
    justificativa = f"A regra exige este documento ({nome_documento(tipo)}){porque}"
    return Ajuste("ANEXAR_DOCUMENTO", "documentos_anexos", tipo, justificativa, "RESOLVE_TOTAL")


def _reduzir(pedido: PedidoNormalizado, avaliacao: Avaliacao) -> Ajuste:
    limite = avaliacao.quantidade_aprovavel or 0
    pedida = pedido.procedimento.quantidade or 0
    justificativa = (
        f"A regra autoriza até {count(limite, 'unidade', 'unidades')} e {verb(pedida, 'foi pedida', 'foram pedidas')} {number(pedida)}."
    )
    return Ajuste("REDUZIR_QUANTIDADE", "procedimento.quantidade", limite, justificativa, "RESOLVE_TOTAL")


def _trocar_codigo(pedido: PedidoNormalizado, regra: Regra, normas: Normas) -> tuple[Ajuste, ...]:
    """The first alternative that is itself covered on that date, if any."""
    for alternativa in regra.alternativas:
        achada = normas.find_regra(
            pedido.administradora_id or "", pedido.plano_id or "", alternativa.codigo, pedido.procedimento.tabela, pedido.data_pedido or ""
        )
        if achada is not None and achada[0].cobertura != "NAO_COBERTA":
            nome = f" ({alternativa.descricao})" if alternativa.descricao else ""
            justificativa = f"O procedimento pedido não tem cobertura, mas a regra indica o código {alternativa.codigo}{nome}, que tem."
            return (Ajuste("AJUSTAR_CODIGO", "procedimento.codigo", alternativa.codigo, justificativa, "RESOLVE_TOTAL"),)
    return ()


def dias_restantes(pedido: PedidoNormalizado, regra: Regra) -> int:
    """Days of carência still to serve, rounded up to whole days (0 when met). Source: PRD RF5 "dias_restantes"."""
    exigida = rf4.carencia_exigida(pedido.urgencia, regra)
    cumprida = pedido.beneficiario.carencia_cumprida_dias
    return max(0, math.ceil(exigida[1] - (cumprida or 0))) if exigida else 0


def _aguardar(pedido: PedidoNormalizado, regra: Regra, *, ilegivel: bool) -> Ajuste:
    dias = dias_restantes(pedido, regra)
    exigidos = rf4.carencia_exigida(pedido.urgencia, regra)
    prazo = count(exigidos[1], "dia", "dias") if exigidos else ""
    cumprida = pedido.beneficiario.carencia_cumprida_dias
    if cumprida is None:
        falta = (
            "o pedido diz quanto já foi cumprido de um jeito que não se lê" if ilegivel else "o pedido não informa quanto já foi cumprido"
        )
        justificativa = f"A regra exige {prazo} de carência e {falta}."
    else:
        faltam = f"{verb(dias, 'falta', 'faltam')} {number(dias)}"
        justificativa = (
            f"A regra exige {prazo} de carência, {verb(cumprida, 'foi cumprido', 'foram cumpridos')} {number(cumprida)} e {faltam}."
        )
    return Ajuste("AGUARDAR_CARENCIA", "beneficiario.carencia_cumprida_dias", dias, justificativa, "RESOLVE_TOTAL")


def _da_idade(regra: Regra) -> Ajuste:
    for excecao in regra.excecoes:
        if excecao.motivo == razoes.IDADE:
            return Ajuste("OUTRO", "beneficiario.idade", None, excecao.instrucao, "RESOLVE_PARCIAL")
    faixa = regra.restricoes_idade
    limites = faixa_etaria(faixa.min, faixa.max) if faixa else ""
    justificativa = f"A regra só autoriza o procedimento para beneficiários {limites} e não prevê exceção."
    return Ajuste("ADEQUAR_FAIXA_ETARIA", "beneficiario.idade", None, justificativa, "NAO_RESOLVE")


def _do_erro(erro: str) -> Ajuste:
    known = razoes.find_motivo(erro)
    return Ajuste("OUTRO", razoes.alvo(erro), None, known.instrucao if known else "", "RESOLVE_TOTAL")


def apply_ajustes(pedido: PedidoNormalizado, ajustes: tuple[Ajuste, ...]) -> PedidoNormalizado:
    """The pedido with every adjustment made; OUTRO and ADEQUAR_FAIXA_ETARIA change nothing."""
    codigo, quantidade = pedido.procedimento.codigo, pedido.procedimento.quantidade
    prestador, documentos = pedido.prestador, pedido.documentos_anexos
    cumprida = pedido.beneficiario.carencia_cumprida_dias
    for ajuste in ajustes:
        match ajuste.acao_tipo, ajuste.valor_sugerido:
            case "ANEXAR_DOCUMENTO", str(tipo):
                documentos = (*documentos, Documento(tipo))
            case "ALTERAR_PRESTADOR", _:
                prestador = Prestador("CREDENCIADO")
            case "REDUZIR_QUANTIDADE", int(limite) | float(limite):
                quantidade = limite
            case "AJUSTAR_CODIGO", str(outro):
                codigo = outro
            case "AGUARDAR_CARENCIA", int(dias):
                cumprida = (cumprida or 0) + dias
            case _:
                continue
    return replace(
        pedido,
        beneficiario=replace(pedido.beneficiario, carencia_cumprida_dias=cumprida),
        procedimento=replace(pedido.procedimento, codigo=codigo, quantidade=quantidade),
        prestador=prestador,
        documentos_anexos=documentos,
    )


def efeito(pedido: PedidoNormalizado, depois: Avaliacao) -> Efeito:
    """How much of what the pedido asked is approved, by its evaluation after the adjustments. Source: PRD RF5 "resumo_efeito"."""
    if not depois.conforme:
        return "nenhum"
    less = (depois.quantidade_aprovavel or 0) < (pedido.procedimento.quantidade or 0)
    return "parcial" if less or depois.decisao_preliminar == "APROVAR_PARCIAL" else "total"


def resumo_efeito(pedido: PedidoNormalizado, ajustes: tuple[Ajuste, ...], depois: Avaliacao) -> str:
    """What re-evaluation showed, in words: 'Aprovação total: …', 'Aprovação parcial: …' or 'Sem aprovação: …'."""
    com = "com o ajuste sugerido" if len(ajustes) == 1 else f"com os {len(ajustes)} ajustes sugeridos"
    aprovavel = depois.quantidade_aprovavel or 0
    proved = efeito(pedido, depois)
    match proved:
        case "total":
            inteiro = count(aprovavel, "unidade", "unidades")
            return f"{_EFEITOS[proved]}: {com}, o pedido cumpre a regra e pode ser aprovado por inteiro ({inteiro})."
        case "parcial":
            pedidas = number(pedido.procedimento.quantidade or 0)
            return f"{_EFEITOS[proved]}: {com}, o pedido cumpre a regra até o limite de quantidade ({number(aprovavel)} de {pedidas})."
        case "nenhum":
            return f"{_EFEITOS[proved]}: {_porque_nenhum(ajustes, depois)}"


def efeito_provado(ajustes: Ajustes) -> Efeito:
    """How far the adjustments get the pedido, by what code wrote at the head of their `resumo_efeito`: RF5 keeps the proof nowhere else."""
    head = ajustes.resumo_efeito.partition(":")[0]
    return next((proved for proved, said in _EFEITOS.items() if said == head), "nenhum")


def _porque_nenhum(ajustes: tuple[Ajuste, ...], depois: Avaliacao) -> str:
    if depois.motivos[:1] == (razoes.PEDIDO_INVALIDO,):
        campos = "o campo indicado" if len(ajustes) == 1 else f"os {len(ajustes)} campos indicados"
        return f"o pedido só pode ser avaliado depois de corrigir {campos}; corrija e envie de novo."
    if not ajustes or all(ajuste.impacto_conformidade == "NAO_RESOLVE" for ajuste in ajustes):
        return "nenhuma mudança no pedido leva à aprovação."
    resta = listing([_resta(motivo, depois) for motivo in depois.motivos if _resta(motivo, depois)])
    if all(ajuste.acao_tipo == "OUTRO" for ajuste in ajustes):
        return f"nenhuma mudança no pedido basta por si ({resta}); o encaminhamento indicado depende da análise de uma pessoa."
    necessario = (
        "o ajuste sugerido é necessário, mas não basta" if len(ajustes) == 1 else "os ajustes sugeridos são necessários, mas não bastam"
    )
    return f"{necessario}; ainda ficaria por resolver: {resta}."


def _resta(motivo: str, depois: Avaliacao) -> str:
    documentos = f" ({listing([nome_documento(tipo) for tipo in depois.pendencias_documentais])})" if motivo == razoes.DOCUMENTOS else ""
    known = razoes.find_motivo(motivo)
    return known.resta + documentos if known else ""
