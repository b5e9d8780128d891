"""Numbers of a text against the inputs: each by its unit, and by what it is said to be. Fault `numero`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final, Literal

from msgspec import structs

from crivo.autorizacoes.redacao.fatos import Fatos, stem
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.autorizacoes.redacao.quantias import Quantia, Unidade, find_quantias
from crivo.kernel.linguagem.dobra import fold_letters
from crivo.kernel.linguagem.frases import Span
from crivo.kernel.linguagem.numeros import find_numeros

_BREAK: Final = re.compile(r"[.,;:\n]|\b(?:e|mas)\b")
_AND_BEFORE: Final = re.compile(r"\se\s+$")  # sought as written, where "é" is no "e"
_HEAD_OF_ITEM: Final = re.compile(r"(?:^|[\n:;])\s*(?:e\s+)?[-*(]?\s*$")
_MARK_OF_ITEM: Final = re.compile(r"[.)]\s")
_OF_A_MEASURE: Final = frozenset({"dias", "anos", "meses", "semanas", "horas", "unidades", "sessoes"})  # each told by its role
_NEXT_WORD: Final = re.compile(r"\s+(?P<word>[a-z]{4,})")
_AS_GOOD_AS: Final = 1e-9
_BEFORE: Final = 60  # letters before a number that say what it is
_AFTER: Final = 40
_DAYS: Final = {"dias": 1, "semanas": 7, "meses": 30}
_LENGTHS: Final = {"quinzena": 15, "bimestre": 60, "trimestre": 90, "semestre": 180}

# Which number of the inputs fits each unit. The decision has no sum of money, and counts no business days.
_FITS: Final[dict[Unidade, Callable[[Fatos, float], bool]]] = {
    "dias": lambda fatos, value: fatos.fits_prazo(value),
    "uteis": lambda fatos, value: False,
    "dinheiro": lambda fatos, value: False,
    "semanas": lambda fatos, value: fatos.fits_prazo(value * 7),
    "meses": lambda fatos, value: fatos.fits_months(value),
    "horas": lambda fatos, value: fatos.fits_prazo(value / 24),
    "anos": lambda fatos, value: value in fatos.idades or fatos.fits_prazo(value * 365),
    "percentual": lambda fatos, value: value in fatos.percentuais,
    "documentos": lambda fatos, value: value in fatos.contagens,
    "contagem": lambda fatos, value: value in fatos.contagens,
    "passos": lambda fatos, value: value in fatos.contagens,
    "procedimento": lambda fatos, value: value in fatos.quantidades,
    "nenhuma": lambda fatos, value: value in fatos.quaisquer,
}
# Which one it may be where the words before it say what it is (`papel_*` of the lexicon), in this order; None is a value nobody knows.
Papeis = dict[str, Callable[[Fatos], tuple[float | None, ...]]]
_PAPEIS_DE_PRAZO: Final[Papeis] = {
    "validade": lambda fatos: (fatos.detalhe.prazo_validade_autorizacao_dias,),
    "cumprida": lambda fatos: (fatos.limites.carencia_cumprida_dias,),
    "restantes": lambda fatos: _besides(fatos.insumos.dias_carencia_restantes, fatos.insumos.adiante.cpt_restantes),
    "exigida": lambda fatos: _exigida(fatos),
    "a_esperar": lambda fatos: (
        *_exigida(fatos),
        *_besides(fatos.insumos.dias_carencia_restantes, fatos.insumos.adiante.cpt_restantes),
    ),
}
_PAPEIS_DE_QUANTIDADE: Final[Papeis] = {
    "pedida": lambda fatos: (fatos.insumos.quantidade,),
    "reduzida": lambda fatos: _besides(fatos.limites.quantidade, _do_periodo(fatos, "sobra")),
    "limite": lambda fatos: _besides(fatos.limites.quantidade, _do_periodo(fatos, "quantidade")),
}
_PAPEIS_DE_IDADE: Final[Papeis] = {
    "idade": lambda fatos: (fatos.limites.idade,),
    "idade_minima": lambda fatos: (fatos.limites.idade_min,),
    "idade_maxima": lambda fatos: (fatos.limites.idade_max,),
}


def _besides(of_prd: float | None, later: float | None) -> tuple[float | None, ...]:
    """Both numbers where the regra states what came after the PRD, else that of the PRD alone, known or not."""
    return (of_prd,) if later is None else (later,) if of_prd is None else (of_prd, later)


def _exigida(fatos: Fatos) -> tuple[float | None, ...]:
    """The days of carência that the regra asks for: those that count for this pedido, and those of urgency where it names them."""
    urgencia = fatos.limites.carencia_urgencia_dias
    asked = _besides(fatos.limites.carencia_min_dias, fatos.insumos.adiante.cpt_dias)
    return asked if urgencia is None or None in asked else (*asked, urgencia)


def _do_periodo(fatos: Fatos, qual: Literal["quantidade", "sobra"]) -> float | None:
    periodo = fatos.insumos.adiante.periodo
    return None if periodo is None else periodo.quantidade if qual == "quantidade" else periodo.sobra


def check_valores(pagina: Pagina, fatos: Fatos, valores: tuple[Span, ...]) -> Iterator[Achado]:
    """Sums of money that are none of the pedido or the regra, and times of day, unless the words of the inputs name them."""
    for start, end in valores:
        told = pagina.folded[start:end]
        if not any(told in text for text in fatos.textos) and not any(numero.value in fatos.reais for numero in find_numeros(told)):
            yield Achado("numero", pagina.quote((start, end)), "este valor não está nos dados da decisão")


def check_quantias(pagina: Pagina, folded: str, fatos: Fatos, quantias: tuple[Quantia, ...]) -> Iterator[Achado]:
    """The numbers that are no input, or are told as another than they are."""
    for quantia in quantias:
        before = folded[max(0, quantia.start - _BEFORE) : quantia.start]
        if _claims_nothing(folded, before, quantia) or _is_difference(folded, before, quantia, fatos):
            continue
        if _is_observed(quantia, before, fatos) or _is_of_some(folded, quantia, fatos):
            continue
        known = _is_known(quantia, fatos) or _is_elliptic(pagina, quantia, quantias, fatos)
        if not known or not _is_as_told(pagina, folded, before, quantia, fatos):
            yield Achado("numero", pagina.quote((quantia.start, quantia.end)), "este número não está nos dados da decisão")
        if _is_too_few(before, quantia, fatos):
            yield Achado("numero", pagina.quote((quantia.start, quantia.end)), "este número não está nos dados da decisão")
    yield from _otherwise_counted(pagina, folded, fatos)
    for match in LEXICO.find("frequencia", folded):
        by_month = match.group().startswith(("por mes", "mensal")) and any(LEXICO.has("conta_por_mes", text) for text in fatos.textos)
        if not by_month and not any(match.group() in text for text in fatos.textos):
            yield Achado("numero", pagina.quote(match.span()), "esta frequência não está nos dados da decisão")
    for match in LEXICO.find("periodo", folded):
        days = next(days for name, days in _LENGTHS.items() if name in match.group())
        numeros = find_numeros(match.group())
        if not fatos.fits_prazo(days * (numeros[0].value if numeros else 1)):
            yield Achado("numero", pagina.quote(match.span()), "este prazo não está nos dados da decisão")


def _otherwise_counted(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    """What the words of the regra count, told with another number: one specialist where they ask for two."""
    counted = {stem(word): value for text in fatos.instrucoes for value, word in _counted_words(text)}
    for numero in find_numeros(folded):
        after = _NEXT_WORD.match(folded, numero.end)
        if after and stem(after["word"]) in counted and counted[stem(after["word"])] != numero.value:
            yield Achado("numero", pagina.quote((numero.start, after.end())), "este número não está nos dados da decisão")


def _counted_words(text: str) -> Iterator[tuple[float, str]]:
    for numero in find_numeros(text):
        after = _NEXT_WORD.match(text, numero.end)
        if after and numero.value > 1 and after["word"] not in _OF_A_MEASURE:
            yield numero.value, after["word"]


def _claims_nothing(folded: str, before: str, quantia: Quantia) -> bool:
    """Whether a number is an article, the head of a list item, or an example."""
    unidade = quantia.unidade
    if unidade == "nenhuma" and quantia.value < 10 and _HEAD_OF_ITEM.search(before) and _MARK_OF_ITEM.match(folded, quantia.end):
        return True
    if quantia.artigo:
        reduced = unidade in ("dias", "procedimento", "nenhuma") and LEXICO.ends("papel_reduzida", before)
        governed = unidade in ("dias", "procedimento") and LEXICO.ends("rege_um_numero", before)
        return unidade not in ("semanas", "meses", "anos") and not reduced and not governed
    return LEXICO.ends("por_exemplo", before) or (unidade == "passos" and quantia.value <= 5)


def _is_too_few(before: str, quantia: Quantia, fatos: Fatos) -> bool:
    """Whether the pedido is said to depend on fewer things than it has motivos."""
    counted = quantia.unidade in ("contagem", "passos") and not quantia.artigo
    few = counted and fatos.final == "PENDENTE_AJUSTES" and quantia.value < len(fatos.motivos)
    return few and LEXICO.ends("quantas_coisas_antes", before)


def _is_observed(quantia: Quantia, before: str, fatos: Fatos) -> bool:
    """Whether the regra says this of itself, with this unit, or counts the procedure by the month; nothing of how long it is valid."""
    if LEXICO.ends("validade_dita", before):
        return False
    by_month = quantia.unidade == "meses" and quantia.value in fatos.quantidades
    if by_month and any(LEXICO.has("conta_por_mes", text) for text in fatos.textos):
        return True
    measured = quantia.unidade in ("dias", "semanas", "meses", "anos")
    return measured and any(
        (other.value, other.unidade) == (quantia.value, quantia.unidade)
        for other in find_quantias(fold_letters(fatos.insumos.observacoes or ""))
    )


def _is_of_some(folded: str, quantia: Quantia, fatos: Fatos) -> bool:
    """Whether it is the first, the last, the others so many of what is to be settled."""
    settled = max(len(fatos.motivos) - 1 + len(fatos.pendentes), len(fatos.motivos))
    counted = quantia.unidade in ("contagem", "nenhuma", "documentos") and 1 < quantia.value <= settled
    return counted and LEXICO.has("alguns_deles", folded[quantia.start : quantia.end + 12])


def _is_difference(folded: str, before: str, quantia: Quantia, fatos: Fatos) -> bool:
    """Whether a length is told as how far the person's is from what the regra asks: "nove anos abaixo"."""
    known = {"anos": fatos.diferencas_de_idade, "dias": fatos.diferencas_de_carencia}.get(quantia.unidade, frozenset())
    told = LEXICO.begins("diferenca_depois", folded, quantia.end) or LEXICO.ends("diferenca_antes", before)
    return quantia.value in known and bool(told)


def _is_elliptic(pagina: Pagina, quantia: Quantia, quantias: tuple[Quantia, ...], fatos: Fatos) -> bool:
    """Whether a number without a unit is one in a unit of time that its sentence names: "pede seis meses e você completou quatro"."""
    if quantia.unidade != "nenhuma":
        return False
    left, right = pagina.sentence_at(quantia.start)
    units = {other.unidade for other in quantias if left <= other.start < right and other.unidade in ("semanas", "meses", "anos")}
    return any(_is_known(structs.replace(quantia, unidade=unidade), fatos) for unidade in units)


def _is_known(quantia: Quantia, fatos: Fatos) -> bool:
    value = quantia.value
    if quantia.fracao:
        shares = fatos.partes | {percent / 100 for percent in fatos.percentuais} | fatos.parte_cumprida
        return any(abs(value - share) < _AS_GOOD_AS for share in shares)
    return value in fatos.citados or _FITS[quantia.unidade](fatos, value)


def _is_as_told(pagina: Pagina, folded: str, before: str, quantia: Quantia, fatos: Fatos) -> bool:
    """Whether a number that is an input is the input it is said to be; true where the words do not say."""
    after = folded[quantia.end : quantia.end + _AFTER]
    if _AND_BEFORE.search(pagina.text, 0, quantia.start):
        before = _AND_BEFORE.sub(" , ", before)
    if quantia.unidade == "percentual" or quantia.fracao:
        return _is_share_as_told(pagina, folded, quantia, fatos)
    by_request = LEXICO.ends("ate_quantas", before) and LEXICO.begins("por_pedido", after)
    if quantia.unidade == "nenhuma" and (LEXICO.ends("aprova_estas", before) or by_request):
        return quantia.value in fatos.quantidades or quantia.value in fatos.citados
    if quantia.value in fatos.citados:
        return True
    quantia = _with_unit_of_inputs(quantia, fatos)
    match quantia.unidade:
        case "dias" | "semanas" | "meses":
            return _is_length_as_told(_length_role(before, after), quantia, fatos)
        case "anos":
            return quantia.value not in fatos.idades or _is_age_as_told(before, after, quantia.value, fatos)
        case "documentos":
            return not fatos.pendentes or not LEXICO.ends("faltam_estes", before) or quantia.value == len(fatos.pendentes)
        case "procedimento" | "nenhuma":
            told = folded[quantia.start : quantia.end + _AFTER]
            return _is_part_as_told(told, quantia.value, fatos) and _is_role(_PAPEIS_DE_QUANTIDADE, before, quantia.value, fatos)
        case _:
            return True


def _role(papeis: Papeis, before: str) -> str | None:
    """What the words before a number say that it is."""
    return next((papel for papel in papeis if LEXICO.ends(f"papel_{papel}", before)), None)


def _is_role(papeis: Papeis, before: str, value: float, fatos: Fatos) -> bool:
    papel = _role(papeis, before)
    expected = papeis[papel](fatos) if papel else (None,)
    return None in expected or value in expected


def _length_role(before: str, after: str) -> str | None:
    """What a length of time is said to be, by the words on both its sides."""
    papel = _role(_PAPEIS_DE_PRAZO, before)
    if LEXICO.begins("que_faltam", after):
        return "restantes"
    if LEXICO.begins("ja_cumpridos", after) and papel != "restantes" and not LEXICO.ends("de_um_total", before):
        lacking = [match.end() for match in LEXICO.find("faltando", before)]
        return "restantes" if lacking and not LEXICO.has("ja_tem", before[lacking[-1] :]) else "cumprida"
    return papel


def _is_length_as_told(papel: str | None, quantia: Quantia, fatos: Fatos) -> bool:
    if papel is None:
        return True
    days = _PAPEIS_DE_PRAZO[papel](fatos)
    if None in days:
        return papel not in ("validade", "cumprida")
    years = quantia.unidade == "meses" and quantia.value % 12 == 0 and quantia.value / 12 * 365 in days
    return quantia.value * _DAYS[quantia.unidade] in days or years


def _is_age_as_told(before: str, after: str, years: float, fatos: Fatos) -> bool:
    """Whether the person's age and the bounds are not swapped."""
    if LEXICO.ends("papel_idade", before) and LEXICO.begins("limite_de_idade_depois", after):
        return True
    return _is_role(_PAPEIS_DE_IDADE, before, years, fatos)


def _with_unit_of_inputs(quantia: Quantia, fatos: Fatos) -> Quantia:
    """A number without its unit as days or years where the inputs have it as nothing else."""
    if quantia.unidade != "nenhuma" or quantia.value in fatos.quantidades | fatos.contagens:
        return quantia
    if quantia.value in fatos.prazos and quantia.value not in fatos.idades:
        return structs.replace(quantia, unidade="dias")
    return structs.replace(quantia, unidade="anos") if quantia.value in fatos.idades - fatos.prazos else quantia


def _is_part_as_told(told: str, value: float, fatos: Fatos) -> bool:
    """Whether what was asked, and what was left out of it, are not swapped with what was approved; `told` begins with the number."""
    asked, approved = fatos.insumos.quantidade, fatos.detalhe.quantidade_aprovada
    if fatos.final != "APROVADO_PARCIAL" or asked is None or approved is None or value not in fatos.quantidades:
        return True
    if LEXICO.begins("pedidas_depois", told):
        return value == asked
    return value == asked - approved if LEXICO.begins("de_fora_depois", told) else True


def _is_share_as_told(pagina: Pagina, folded: str, quantia: Quantia, fatos: Fatos) -> bool:
    """Whether the person's share and the plan's are not swapped."""
    share = fatos.detalhe.coparticipacao_percentual
    percent = quantia.value * 100 if quantia.fracao else quantia.value
    if share is None or percent not in (share, 100 - share) or percent in {100 * part for part in fatos.partes}:
        return True
    clause = _stretch(pagina, folded, quantia)
    if LEXICO.has("paga_o_plano", clause):
        return percent == 100 - share
    return percent == share if LEXICO.has("paga_a_pessoa", clause) else True


def _stretch(pagina: Pagina, folded: str, quantia: Quantia) -> str:
    """The words around a number up to the nearest mark, "e" or "mas"; the mark is sought as written, where "é" is no "e"."""
    left = max((match.end() for match in _BREAK.finditer(pagina.text, 0, quantia.start)), default=0)
    right = _BREAK.search(pagina.text, quantia.end)
    return folded[left : right.start() if right else len(folded)]
