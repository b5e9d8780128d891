"""Numbers in a text against the inputs, each by its unit and by what it is said to be. Fault `numero`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import structs

from crivo.autorizacoes.redacao.fatos import Fatos, stem
from crivo.autorizacoes.redacao.lexico import lexico
from crivo.autorizacoes.redacao.numeros import Numero, find_numeros
from crivo.autorizacoes.redacao.pagina import Achado, Pagina, Span
from crivo.autorizacoes.redacao.papeis import Quantia, Unidade, is_as_told

_UNITS: Final[tuple[tuple[Unidade, re.Pattern[str]], ...]] = (
    ("uteis", re.compile(r"\s*dias?\s+ute?is")),
    ("dias", re.compile(r"\s*(?:dias?)\b")),
    ("semanas", re.compile(r"\s*semanas?\b")),
    ("meses", re.compile(r"\s*mes(?:es)?\b")),
    ("anos", re.compile(r"\s*anos?\b")),
    ("horas", re.compile(r"\s*(?:horas?|h)\b(?!\d)")),
    ("percentual", re.compile(r"\s*(?:%|por\s?cento\b|porcento\b|pontos percentuais\b)")),
    ("dinheiro", re.compile(r"\s*(?:mil\s+)?(?:reais|real|centavos)\b")),
    ("documentos", re.compile(r"\s*(?:documentos?|papeis|anexos?|arquivos?)\b")),
    ("passos", re.compile(r"\s*(?:passos?|opcoes|opcao|caminhos?|formas?|maneiras?|pontos?|perguntas?|lados?)\b")),
    (
        "contagem",
        re.compile(
            r"\s*(?:ajustes?|motivos?|condic(?:ao|oes)|condicionantes?|pendencias?|informac(?:ao|oes)|campos?|coisas?|itens|"
            r"mudancas?|correc(?:ao|oes)|exigencias?)\b"
        ),
    ),
)
_COUNTED: Final = frozenset(stem(word) for word in lexico().contados)
_NOUN: Final = re.compile(r"\s+(?:(?:outr|nov|demais|primeir|ultim|restant)\w*\s+)?(?P<noun>[a-z]{3,})")
_AND_A_HALF: Final = re.compile(r"\s+e\s+mei[oa]\b")
_SHARED_UNIT: Final = re.compile(r"\s*(?:a|ate|e|ou|aos|as|-|–)\s*(?:os\s+|as\s+)?")
_MONEY: Final = re.compile(
    r"(?:r\$|rs\$|brl)\s*(?P<figures>\d[\d.,]*\d|\d)?(?!\w)|(?<!\w)(?:\d+|mil|cem|cinquenta|vinte|dez)\s+(?:mil\s+)?reais\b"
)
_TIME: Final = re.compile(
    r"(?<![\w:])(?:[01]?\d|2[0-3])(?::|h)[0-5]\d(?:min)?(?!\w)|(?:as|das|ate as|a partir das)\s+(?:[01]?\d|2[0-3])\s?h(?:oras)?\b"
)
_ENUMERATED: Final = re.compile(r"(?:^|[\n:;])\s*(?:e\s+)?[-*(]?\s*$")
_LIST_MARK: Final = re.compile(r"[.)]\s")
_EXAMPLE: Final = re.compile(r"(?:\bcomo|por exemplo,?|ex\.:?)\s*$")
_GOVERNED: Final = re.compile(
    r"(?:apenas|somente|so|ate|por|em|falta|vale|liberamos|aprovamos|autorizamos|liberad[oa]|aprovad[oa]|"
    r"autorizad[oa]|autorizacao de|ha|exige|limite (?:e )?de|pede)\s*$"
)
_REDUCED: Final = re.compile(r"\b(?:reduz|diminu|baix)\w*\b[^.;,]{0,30}\b(?:a|para)\s+$")
_DIFFERENCE_AFTER: Final = re.compile(
    r"\s*(?:a mais|a menos|abaixo|acima|alem|aquem|antes|depois|de diferenca|de folga|para (?:completar|chegar|atingir))\b"
)
_DIFFERENCE_BEFORE: Final = re.compile(
    r"\b(?:(?:ultrapass|exced|super|pass)\w*\b[^.;,]{0,20}\b(?:em|por)|falta\w*|diferenca (?:e )?de)\s*$"
)
_FREQUENCY: Final = re.compile(
    r"\bpor (?:semana|mes|dia|ano)\b|\b(?:semanal|mensal|diaria|quinzenal)mente\b|\ba cada (?:semana|dia|mes|"
    r"quinzena)\b"
)
_LENGTHS: Final = {"quinzena": 15, "bimestre": 60, "trimestre": 90, "semestre": 180}
_LENGTH: Final = re.compile(rf"(?<!\w)(?:(?P<count>um|uma|dois|duas|tres|quatro|\d)\s+)?(?P<length>{'|'.join(_LENGTHS)})s?(?!\w)")


def find_quantias(folded: str) -> tuple[Quantia, ...]:
    """Every number of a folded text with its unit; "de 18 a 60 anos" gives both the same."""
    found: list[Quantia] = []
    for numero in reversed(find_numeros(folded)):
        quantia = _with_unit(folded, numero)
        following = found[-1] if found else None
        if (
            following
            and quantia.unidade == "nenhuma"
            and not quantia.fracao
            and _SHARED_UNIT.fullmatch(folded, quantia.end, following.start)
        ):
            quantia = Quantia(quantia.start, quantia.end, quantia.value, following.unidade, artigo=quantia.artigo)
        found.append(quantia)
    return tuple(reversed(found))


def find_valores(folded: str) -> tuple[Span, ...]:
    """Where sums of money and times of day stand."""
    return tuple(match.span() for pattern in (_MONEY, _TIME) for match in pattern.finditer(folded))


def check_valores(pagina: Pagina, fatos: Fatos, valores: tuple[Span, ...]) -> Iterator[Achado]:
    """Sums of money and times of day: no decision has any, unless the words of the inputs name it."""
    for start, end in valores:
        if not any(pagina.folded[start:end] in text for text in fatos.textos):
            yield Achado("numero", pagina.quote((start, end)), "este valor não está nos dados da decisão")


def check_quantias(pagina: Pagina, folded: str, fatos: Fatos, quantias: tuple[Quantia, ...]) -> Iterator[Achado]:
    """The numbers that are no input, or are told as another than they are."""
    for quantia in quantias:
        before = folded[max(0, quantia.start - 60) : quantia.start]
        if _claims_nothing(folded, before, quantia):
            continue
        if _is_difference(folded, before, quantia, fatos):
            continue
        known = _is_known(quantia, fatos) or _is_elliptic(pagina, quantia, quantias, fatos)
        if not known or not is_as_told(pagina, folded, before, quantia, fatos):
            yield Achado("numero", pagina.quote((quantia.start, quantia.end)), "este número não está nos dados da decisão")
    for match in _FREQUENCY.finditer(folded):
        if not any(match.group() in text for text in fatos.textos):
            yield Achado("numero", pagina.quote(match.span()), "esta frequência não está nos dados da decisão")
    for match in _LENGTH.finditer(folded):
        count = find_numeros(match["count"])[0].value if match["count"] else 1
        if not fatos.fits_prazo(count * _LENGTHS[match["length"]]):
            yield Achado("numero", pagina.quote(match.span()), "este prazo não está nos dados da decisão")


def _with_unit(folded: str, numero: Numero) -> Quantia:
    for unidade, pattern in _UNITS:
        match = pattern.match(folded, numero.end)
        if match:
            half = _AND_A_HALF.match(folded, match.end())
            end, value = (half.end(), numero.value + 0.5) if half else (match.end(), numero.value)
            return Quantia(numero.start, end, value, unidade, numero.fracao, numero.artigo)
    noun = _NOUN.match(folded, numero.end)
    unidade = "procedimento" if noun and stem(noun["noun"]) in _COUNTED else "nenhuma"
    end = noun.end() if noun and unidade == "procedimento" else numero.end
    return Quantia(numero.start, end, numero.value, unidade, numero.fracao, numero.artigo)


def _claims_nothing(folded: str, before: str, quantia: Quantia) -> bool:
    """Whether a number is an article, the head of a list item, or an example."""
    if quantia.unidade == "nenhuma" and quantia.value < 10 and _ENUMERATED.search(before) and _LIST_MARK.match(folded, quantia.end):
        return True
    if quantia.artigo:
        return (
            quantia.unidade not in ("semanas", "meses", "anos")
            and not (quantia.unidade in ("dias", "procedimento", "nenhuma") and _REDUCED.search(before))
            and not (quantia.unidade in ("dias", "procedimento") and _GOVERNED.search(before))
        )
    return bool(_EXAMPLE.search(before)) or (quantia.unidade == "passos" and quantia.value <= 5)


def _is_difference(folded: str, before: str, quantia: Quantia, fatos: Fatos) -> bool:
    """Whether a length is told as how far the person's is from what the regra asks: "nove anos abaixo"."""
    known = {"anos": fatos.diferencas_de_idade, "dias": fatos.diferencas_de_carencia}.get(quantia.unidade, frozenset())
    told = _DIFFERENCE_AFTER.match(folded, quantia.end) or _DIFFERENCE_BEFORE.search(before)
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
        shares = fatos.partes | {percent / 100 for percent in fatos.percentuais}
        return any(abs(value - share) < _AS_GOOD_AS for share in shares)
    return value in fatos.citados or _KNOWN[quantia.unidade](fatos, value)


_AS_GOOD_AS: Final = 1e-9
# The decision has no sum of money, and counts no business days.
_KNOWN: Final[dict[Unidade, Callable[[Fatos, float], bool]]] = {
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
