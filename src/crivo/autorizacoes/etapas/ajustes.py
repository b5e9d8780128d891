"""RF5: what would have to change for the pedido to pass, and the proof of how far it would get. Source: PRD RF5."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal

from msgspec.structs import replace

from crivo.autorizacoes import motivos as razoes
from crivo.autorizacoes.contracts import Ajuste, Ajustes, Avaliacao, Consulta, Documento, Normalizacao, PedidoNormalizado, Prestador, Regra
from crivo.autorizacoes.etapas import avaliacao as rf4
from crivo.autorizacoes.etapas.consulta import Normas
from crivo.autorizacoes.etapas.documentos import ressalva_do_documento
from crivo.autorizacoes.etapas.ilegiveis import CARENCIA_ILEGIVEL
from crivo.autorizacoes.etapas.limites import dia_com_lugar, mais_apertado
from crivo.autorizacoes.palavras import (
    OU,
    SEXOS,
    count,
    day,
    faixa_etaria,
    limite_em_palavras,
    listing,
    nome_documento,
    number,
    reais,
    verb,
)

Efeito = Literal["total", "parcial", "nenhum"]
Reavaliar = Callable[[PedidoNormalizado], Avaliacao]

_EFEITOS: Final[Mapping[Efeito, str]] = {"total": "Aprovação total", "parcial": "Aprovação parcial", "nenhum": "Sem aprovação"}
# What the pedido lacks before a restriction can be checked: it waits until whoever sent it says.
FALTA_INFORMAR: Final = (razoes.SEM_SEXO, razoes.SEM_VALOR, razoes.SEM_HISTORICO, razoes.HISTORICO_INCOMPLETO)
_LATER: Final = frozenset({razoes.VALOR, razoes.SEXO, razoes.ESGOTADO, *FALTA_INFORMAR})


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
    changes = any(ajuste.valor_sugerido is not None for ajuste in ajustes)
    depois = reavaliar(apply_ajustes(pedido, ajustes)) if changes else avaliacao
    return Ajustes(avaliacao.pedido_id, ajustes, resumo_efeito(pedido, ajustes, depois))


def _da_regra(normalizacao: Normalizacao, regra: Regra, avaliacao: Avaliacao, normas: Normas) -> tuple[Ajuste, ...]:
    pedido, alertas = normalizacao.pedido_normalizado, normalizacao.alertas
    motivos = avaliacao.motivos
    ajustes = [_anexar(tipo, ressalva_do_documento(tipo, alertas)) for tipo in avaliacao.pendencias_documentais]
    if razoes.REDE in motivos:
        ajustes.append(_TROCAR_PRESTADOR)
    if razoes.QUANTIDADE in motivos or razoes.PERIODO in motivos:
        ajustes.append(_reduzir(pedido, regra, avaliacao))
    if razoes.SEM_COBERTURA in motivos:
        ajustes.extend(_trocar_codigo(pedido, regra, normas))
    later = not _LATER.isdisjoint(motivos)
    if later and razoes.VALOR in motivos:
        ajustes.append(_ajustar_valor(pedido, regra))
    if razoes.CARENCIA in motivos or razoes.CPT in motivos:
        ajustes.append(_aguardar(pedido, regra, motivos, ilegivel=CARENCIA_ILEGIVEL in alertas))
    if razoes.IDADE in motivos:
        ajustes.append(_da_idade(regra))
    if later:
        ajustes += _do_que_veio_depois(pedido, regra, motivos)
    return tuple(ajustes)


def _do_que_veio_depois(pedido: PedidoNormalizado, regra: Regra, motivos: tuple[str, ...]) -> Iterator[Ajuste]:
    """The adjustments that are told after the age."""
    if razoes.SEXO in motivos:
        yield _do_sexo(regra)
    if razoes.ESGOTADO in motivos:
        yield _esperar_lugar(pedido, regra)
    yield from (_informar(motivo, regra) for motivo in motivos if motivo in FALTA_INFORMAR)


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


def limita_por_periodo(regra: Regra, avaliacao: Avaliacao) -> bool:
    """Whether what may be approved is what a limit by period leaves, rather than the limit of a pedido."""
    return razoes.PERIODO in avaliacao.motivos and avaliacao.quantidade_aprovavel != regra.limite_quantidade


def _reduzir(pedido: PedidoNormalizado, regra: Regra, avaliacao: Avaliacao) -> Ajuste:
    limite = avaliacao.quantidade_aprovavel or 0
    pedida = pedido.procedimento.quantidade or 0
    ate = "A regra autoriza até" if not limita_por_periodo(regra, avaliacao) else "Do que a regra autoriza por período ainda resta"
    justificativa = f"{ate} {count(limite, 'unidade', 'unidades')} e {verb(pedida, 'foi pedida', 'foram pedidas')} {number(pedida)}."
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


def dias_de_cpt_restantes(pedido: PedidoNormalizado, regra: Regra) -> int:
    """Days of plano that pre-existing conditions still wait for, rounded up to whole days (0 when met)."""
    return max(0, math.ceil((rf4.cpt_exigida_dias(regra) or 0) - (pedido.beneficiario.carencia_cumprida_dias or 0)))


def _aguardar(pedido: PedidoNormalizado, regra: Regra, motivos: tuple[str, ...], *, ilegivel: bool) -> Ajuste:
    esperas = []
    if razoes.CARENCIA in motivos:
        exigidos = rf4.carencia_exigida(pedido.urgencia, regra)
        prazo = count(exigidos[1], "dia", "dias") if exigidos else ""
        esperas.append((dias_restantes(pedido, regra), f"A regra exige {prazo} de carência"))
    if razoes.CPT in motivos:
        prazo = count(rf4.cpt_exigida_dias(regra) or 0, "dia", "dias")
        esperas.append((dias_de_cpt_restantes(pedido, regra), f"Com doença preexistente declarada, a regra exige {prazo} de carência"))
    justificativa = " ".join([f"{exige}{_quanto_falta(pedido, dias, ilegivel=ilegivel)}" for dias, exige in esperas])
    espera = max(dias for dias, _ in esperas)
    return Ajuste("AGUARDAR_CARENCIA", "beneficiario.carencia_cumprida_dias", espera, justificativa, "RESOLVE_TOTAL")


def _quanto_falta(pedido: PedidoNormalizado, dias: int, *, ilegivel: bool) -> str:
    """How much was served and is left, as the end of a sentence that tells what is required."""
    cumprida = pedido.beneficiario.carencia_cumprida_dias
    if cumprida is None:
        falta = (
            "o pedido diz quanto já foi cumprido de um jeito que não se lê" if ilegivel else "o pedido não informa quanto já foi cumprido"
        )
        return f" e {falta}."
    faltam = f"{verb(dias, 'falta', 'faltam')} {number(dias)}"
    return f", {verb(cumprida, 'foi cumprido', 'foram cumpridos')} {number(cumprida)} e {faltam}."


def _ajustar_valor(pedido: PedidoNormalizado, regra: Regra) -> Ajuste:
    maximo, valor = regra.valor_maximo or 0, pedido.procedimento.valor or 0
    justificativa = f"O pedido custa {reais(valor)} e a regra autoriza até {reais(maximo)}: reveja o valor."
    return Ajuste("OUTRO", "procedimento.valor", maximo, justificativa, "RESOLVE_TOTAL")


def _esperar_lugar(pedido: PedidoNormalizado, regra: Regra) -> Ajuste:
    """The day from which the limits leave room again, found by search."""
    dia = dia_com_lugar(pedido, regra)
    limite = _do_limite(pedido, regra)
    if dia is None:
        return Ajuste("OUTRO", "data_pedido", None, f"{limite}, e não há dia em que volte a haver lugar.", "NAO_RESOLVE")
    justificativa = f"{limite}: peça de novo a partir de {day(dia)}, quando volta a haver lugar."
    return Ajuste("OUTRO", "data_pedido", dia, justificativa, "RESOLVE_TOTAL")


def _do_limite(pedido: PedidoNormalizado, regra: Regra) -> str:
    limite, usadas = mais_apertado(pedido, regra)
    usado = f"{verb(usadas, 'foi usada', 'foram usadas')} {number(usadas)}"
    return f"A regra autoriza até {limite_em_palavras(limite)} e já {usado}"


def _do_sexo(regra: Regra) -> Ajuste:
    for excecao in regra.excecoes:
        if excecao.motivo == razoes.SEXO:
            return Ajuste("OUTRO", "beneficiario.sexo", None, excecao.instrucao, "RESOLVE_PARCIAL")
    sexo = SEXOS[regra.sexo] if regra.sexo else ""
    justificativa = f"A regra só autoriza o procedimento para beneficiários do sexo {sexo} e não prevê exceção."
    return Ajuste("OUTRO", "beneficiario.sexo", None, justificativa, "NAO_RESOLVE")


def _informar(motivo: str, regra: Regra) -> Ajuste:
    match motivo:
        case razoes.SEM_SEXO:
            sexo = SEXOS[regra.sexo] if regra.sexo else ""
            justificativa = f"A regra é para beneficiários do sexo {sexo}: informe o sexo, F ou M."
        case razoes.SEM_VALOR:
            justificativa = f"A regra autoriza até {reais(regra.valor_maximo or 0)} por pedido: informe o valor do pedido, em reais."
        case razoes.SEM_HISTORICO:
            justificativa = f"{_OS_LIMITES}: informe o histórico de uso, vazio se não houve nenhum."
        case _:
            justificativa = f"{_OS_LIMITES}: corrija o histórico, em que um uso vem sem código, data ou quantidade que se leia."
    return Ajuste("OUTRO", razoes.alvo(motivo), None, justificativa, "RESOLVE_PARCIAL")


_OS_LIMITES: Final = "A regra tem um limite por período, que só se confere sabendo o que já foi usado"


def por_excecao(ajuste: Ajuste, motivos: tuple[str, ...]) -> bool:
    """Whether an adjustment is the way out that the regra names for a motivo, which a person has to judge."""
    named = (("beneficiario.idade", razoes.IDADE), ("beneficiario.sexo", razoes.SEXO))
    parcial = ajuste.acao_tipo == "OUTRO" and ajuste.impacto_conformidade == "RESOLVE_PARCIAL"
    return parcial and any(ajuste.campo_alvo == campo and motivo in motivos for campo, motivo in named)


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
    """The pedido with every adjustment made; one that suggests no value changes nothing, and of a group of documents the first comes."""
    codigo, quantidade, valor = pedido.procedimento.codigo, pedido.procedimento.quantidade, pedido.procedimento.valor
    data_pedido = pedido.data_pedido
    prestador, documentos = pedido.prestador, pedido.documentos_anexos
    cumprida = pedido.beneficiario.carencia_cumprida_dias
    for ajuste in ajustes:
        match ajuste.acao_tipo, ajuste.valor_sugerido:
            case "ANEXAR_DOCUMENTO", str(tipo):
                primeiro = Documento(tipo.partition(OU)[0])
                documentos = documentos if primeiro in documentos else (*documentos, primeiro)
            case "ALTERAR_PRESTADOR", _:
                prestador = Prestador("CREDENCIADO")
            case "REDUZIR_QUANTIDADE", int(limite) | float(limite):
                quantidade = limite
            case "AJUSTAR_CODIGO", str(outro):
                codigo = outro
            case "AGUARDAR_CARENCIA", int(dias):
                cumprida = (cumprida or 0) + dias
            case "OUTRO", int(maximo) | float(maximo):
                valor = maximo
            case "OUTRO", str(dia):
                data_pedido = dia
            case _:
                continue
    return replace(
        pedido,
        data_pedido=data_pedido,
        beneficiario=replace(pedido.beneficiario, carencia_cumprida_dias=cumprida),
        procedimento=replace(pedido.procedimento, codigo=codigo, quantidade=quantidade, valor=valor),
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


def nao_basta(ajustes: Ajustes) -> str:
    """Why all the adjustments together do not lead to an approval; empty where they do, or where a model wrote the effect in its words."""
    head, _, why = ajustes.resumo_efeito.partition(": ")
    return f"{why[:1].upper()}{why[1:]}" if head == _EFEITOS["nenhum"] else ""


def _porque_nenhum(ajustes: tuple[Ajuste, ...], depois: Avaliacao) -> str:
    if depois.motivos[:1] == (razoes.PEDIDO_INVALIDO,):
        campos = "o campo indicado" if len(ajustes) == 1 else f"os {len(ajustes)} campos indicados"
        return f"o pedido só pode ser avaliado depois de corrigir {campos}; corrija e envie de novo."
    if not ajustes or all(ajuste.impacto_conformidade == "NAO_RESOLVE" for ajuste in ajustes):
        return "nenhuma mudança no pedido leva à aprovação."
    if set(depois.motivos) - rf4.SO_LIMITAM <= set(FALTA_INFORMAR):
        return "o pedido só pode ser avaliado com o que falta informar; informe e envie de novo."
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
