"""What a number is said to be: validity, age, what was asked, what is owed; and whether it is that input."""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec
from msgspec import structs

from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.pagina import Pagina

Unidade = Literal[
    "dias",
    "uteis",
    "semanas",
    "meses",
    "anos",
    "horas",
    "percentual",
    "dinheiro",
    "documentos",
    "contagem",
    "passos",
    "procedimento",
    "nenhuma",
]


class Quantia(msgspec.Struct, frozen=True):
    """A number with its unit, and where both stand."""

    start: int
    end: int
    value: float
    unidade: Unidade
    fracao: bool = False
    artigo: bool = False


_BREAK: Final = re.compile(r"[.,;:\n]|\b(?:e|mas)\b")
_PAID_BY_PLAN: Final = re.compile(
    r"\b(?:plano|operadora|convenio|administradora)\b[^.;]{0,40}\b(?:paga|cobre|arca|custeia|banca|assume|fica com|pagara|cobrira)\b"
)
_PAID_BY_PERSON: Final = re.compile(r"\b(?:voce|sua parte|sua conta|seu bolso|coparticipacao|beneficiario)\b")
_ROLES: Final = (
    (
        "validade",
        re.compile(r"\b(?:val(?:e|em|idas?|idos?|idade|era)|prazo de uso|para (?:usar|utilizar|agendar|realizar))\b[^.;,]{0,30}$"),
    ),
    ("cumprida", re.compile(r"(?<!nao )\b(?:ja )?(?:cumpriu|completou|no plano ha|cumprid[oa]s:?)\s*$")),
    (
        "restantes",
        re.compile(
            r"\bsaldo (?:de |da )?(?:carencia |espera )?(?:de |e de |: )?$|"
            r"\b(?:falta|faltam|faltando|restam|resta|mais)\b\s*(?:ainda |so |apenas |cerca de )*$"
        ),
    ),
    ("exigida", re.compile(r"\b(?:carencia de|espera de|exige|pede|completar|sao exigidos|minimo de)\s*$")),
    ("pedida", re.compile(r"\b(?:(?:foi|foram) (?:pedid|solicitad)[oa]s?|pediu|solicitou|pediram|solicitaram)\s*(?:as |os )?$")),
    ("reduzida", re.compile(r"\b(?:reduz|diminu|baix)\w*\b[^.;,]{0,30}\b(?:a|para)\s+$")),
    ("limite", re.compile(r"\b(?:limite (?:da regra |do plano |por pedido )?(?:e |de |: )*|acima de|ate o limite de|maximo de)\s*$")),
)


_APPROVED: Final = re.compile(
    r"\b(?:aprovamos|autorizamos|liberamos|(?:aprovad|autorizad|liberad)[oa]s)\s+(?:apenas |somente |so |ate |as |os )*$"
)
_OWED: Final = re.compile(
    r"\b(?:falta(?:m|ndo)?|restam?|envi\w+|mand\w+|entreg\w+|anex\w+|apresent\w+|junt\w+|precisamos d\w+)\s*"
    r"(?:ainda |so |apenas |somente |mais |os |as |d\w+ |receber |mandar |enviar |entregar )*$"
)
_OWN_AGE: Final = re.compile(
    r"\b(?:voce (?:\w+ )?tem|voce esta com|tem hoje|sua idade (?:\w+ )?e (?:de )?|"
    r"(?:beneficiari[oa]|paciente|idade) (?:de|com|tem|esta com|informada|atual)"
    r"(?: de)?|idade:)\s*$"
)
_AGE_BOUND_AFTER: Final = re.compile(r"\s*(?:ou (?:mais|menos)|completos)|\s*(?:a|ate) \w")
_FROM_AGE: Final = re.compile(
    r"\b(?:a partir d\w+|idade minima(?: exigida)? (?:de|e(?: de)?)|acima d\w+|"
    r"mais de|antes d\w+|menos de|abaixo d\w+|desde os|maiores de)\s*$"
)
_UP_TO_AGE: Final = re.compile(r"(?<!de )\b(?:ate (?:os )?|idade maxima (?:de|e(?: de)?))\s*$")
_ASKED_AFTER: Final = re.compile(
    r"\w+(?: e \w+)?\s+(?:\w+ )?(?:que (?:voce |seu medico )?(?:foram )?(?:pedi|solicit)|"
    r"pedid[oa]s|solicitad[oa]s|requerid)"
)
_LEFT_OUT_AFTER: Final = re.compile(r"\w+(?: e \w+)?\s+(?:\w+ )?(?:ficaram de fora|ficam de fora|nao (?:foram|puderam|serao|foi) )")
_UP_TO: Final = re.compile(r"\b(?:ate|de|maximo)\s*$")
_REMAINING_AFTER: Final = re.compile(r"\s*(?:que (?:ainda )?(?:faltam?|restam?)|restantes|faltantes)\b")
_OF_A_TOTAL: Final = re.compile(r"\d\s+(?:dias? )?d[aeo]s?\s*$")
_SERVED: Final = re.compile(r"\s*(?:ja )?cumprid(?:os?|as)\b|\s*de plano|\s*no plano")
_LACKING: Final = re.compile(r"\bfalta(?:m|ndo)?\b(?:(?!\bja\b|\btem\b)[^.;:])*$")
_AND_BEFORE: Final = re.compile(r"\se\s+$")  # sought as written, where "é" is no "e"
_A_REQUEST: Final = re.compile(r"\s*por pedido\b")


def is_as_told(pagina: Pagina, folded: str, before: str, quantia: Quantia, fatos: Fatos) -> bool:
    """Whether a number that is an input is the input it is said to be; true where the words do not say."""
    after = folded[quantia.end : quantia.end + 40]
    if _AND_BEFORE.search(pagina.text, 0, quantia.start):
        before = _AND_BEFORE.sub(" , ", before)
    if quantia.unidade == "percentual" or quantia.fracao:
        return _is_share_as_told(pagina, folded, quantia, fatos)
    if quantia.unidade == "nenhuma" and (_APPROVED.search(before) or (_UP_TO.search(before) and _A_REQUEST.match(after))):
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
            return not fatos.pendentes or not _OWED.search(before) or quantia.value == len(fatos.pendentes)
        case "procedimento" | "nenhuma":
            return _is_quantity_as_told(before, folded[quantia.start : quantia.end + 40], quantia, fatos)
        case _:
            return True


def _role(before: str) -> str | None:
    """What the words before a number say that it is."""
    return next((role for role, pattern in _ROLES if pattern.search(before)), None)


def _length_role(before: str, after: str) -> str | None:
    """What a length of time is said to be, by the words on both its sides."""
    role = _role(before)
    if _REMAINING_AFTER.match(after):
        return "restantes"
    if _SERVED.match(after) and role != "restantes" and not _OF_A_TOTAL.search(before):
        return "restantes" if _LACKING.search(before) else "cumprida"
    return role


def _is_quantity_as_told(before: str, told: str, quantia: Quantia, fatos: Fatos) -> bool:
    """Whether units of the procedure are those asked for, or the limit, where they are said to be; `told` begins with the number."""
    if not _is_part_as_told(told, quantia.value, fatos):
        return False
    limit = fatos.limites.quantidade
    expected = {"pedida": fatos.insumos.quantidade, "limite": limit, "reduzida": limit}.get(_role(before) or "")
    return expected is None or quantia.value == expected


def _with_unit_of_inputs(quantia: Quantia, fatos: Fatos) -> Quantia:
    """A number without its unit as days or years where the inputs have it as nothing else."""
    if quantia.unidade != "nenhuma" or quantia.value in fatos.quantidades | fatos.contagens:
        return quantia
    if quantia.value in fatos.prazos and quantia.value not in fatos.idades:
        return structs.replace(quantia, unidade="dias")
    return structs.replace(quantia, unidade="anos") if quantia.value in fatos.idades - fatos.prazos else quantia


def _is_age_as_told(before: str, after: str, years: float, fatos: Fatos) -> bool:
    """Whether the person's age and the bounds are not swapped."""
    limites = fatos.limites
    if _OWN_AGE.search(before) and not _AGE_BOUND_AFTER.match(after):
        return years == limites.idade
    if _FROM_AGE.search(before):
        return limites.idade_min is None or years == limites.idade_min
    if _UP_TO_AGE.search(before):
        return limites.idade_max is None or years == limites.idade_max
    return True


def _is_part_as_told(told: str, value: float, fatos: Fatos) -> bool:
    """Whether what was asked, and what was left out of it, are not swapped with what was approved."""
    asked, approved = fatos.insumos.quantidade, fatos.detalhe.quantidade_aprovada
    if fatos.final != "APROVADO_PARCIAL" or asked is None or approved is None or value not in fatos.quantidades:
        return True
    if _ASKED_AFTER.match(told):
        return value == asked
    return value == asked - approved if _LEFT_OUT_AFTER.match(told) else True


def _is_length_as_told(role: str | None, quantia: Quantia, fatos: Fatos) -> bool:
    limites = fatos.limites
    expected = {
        "validade": fatos.detalhe.prazo_validade_autorizacao_dias,
        "restantes": fatos.insumos.dias_carencia_restantes,
        "exigida": limites.carencia_min_dias,
        "cumprida": limites.carencia_cumprida_dias,
    }
    if role not in expected:
        return True
    days = expected[role]
    if days is None:
        return role in ("restantes", "exigida")
    scale = {"dias": 1, "semanas": 7, "meses": 30}[quantia.unidade]
    return quantia.value * scale == days or (quantia.unidade == "meses" and quantia.value % 12 == 0 and quantia.value / 12 * 365 == days)


def _is_share_as_told(pagina: Pagina, folded: str, quantia: Quantia, fatos: Fatos) -> bool:
    """Whether the person's share and the plan's are not swapped."""
    share = fatos.detalhe.coparticipacao_percentual
    percent = quantia.value * 100 if quantia.fracao else quantia.value
    if share is None or percent not in (share, 100 - share) or percent in {100 * part for part in fatos.partes}:
        return True
    clause = _stretch(pagina, folded, quantia)
    if _PAID_BY_PLAN.search(clause):
        return percent == 100 - share
    return percent == share if _PAID_BY_PERSON.search(clause) else True


def _stretch(pagina: Pagina, folded: str, quantia: Quantia) -> str:
    """The words around a number up to the nearest mark, "e" or "mas"; the mark is sought as written, where "é" is no "e"."""
    left = max((match.end() for match in _BREAK.finditer(pagina.text, 0, quantia.start)), default=0)
    right = _BREAK.search(pagina.text, quantia.end)
    return folded[left : right.start() if right else len(folded)]
