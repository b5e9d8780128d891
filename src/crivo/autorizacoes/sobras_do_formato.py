"""Which of what a mapping leaves over may weigh on a decision, by what it is called and what stands there.

A name is known by its words and not whole, as every system puts them together its own way (`SIT_FIN`, `daysPastDue`). What plainly
says that all is well (`status: ATIVO`, `cancelado: N`) is not told, so that what is told is read. Source: design, "Their own format in".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import msgspec

from crivo.autorizacoes.campos import LONGEST_FIELD_NAME, fold_field
from crivo.autorizacoes.etapas.valores import read_boolean
from crivo.autorizacoes.extracao import NAO_USADOS, nao_lido_by_name, path_names
from crivo.kernel.linguagem.datas_escritas import read_date
from crivo.kernel.linguagem.lexico import read_lexico

NAO_LIDO_QUE_PESA: Final = "campo_nao_lido"
OBSERVACAO: Final = "observacao_do_pedido_nao_lida"
_POSITION: Final = re.compile(r"\[\d+\]")
_DATED: Final = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b.*", re.ASCII | re.DOTALL)
_NEVER: Final = re.compile(r"(?:9999|2999).*|.*(?:9999|2999)", re.ASCII | re.DOTALL)


class _Lexico(msgspec.Struct, frozen=True):
    """Words of names and of values, folded; one of a name may be the beginning of its word, or several joined by `_`."""

    genericos: frozenset[str]
    nota: frozenset[str]
    situacao: frozenset[str]
    boa: frozenset[str]
    contra: tuple[str, ...]
    favor: frozenset[str]
    favor_de_outra_coisa: frozenset[str]
    fim: tuple[str, ...]
    moeda: frozenset[str]
    reais: frozenset[str]


_LEXICO: Final = read_lexico("crivo.autorizacoes", "sobras_do_formato", _Lexico)


def weighing_leftovers(extras: Mapping[str, Any], em: str) -> list[str]:
    """Alerts of what a mapping left over (`nao_usados`, by path) that may weigh on a decision of an ISO date: code and path."""
    sobras = extras.get(NAO_USADOS)
    if type(sobras) is not dict:
        return []
    found = [(caminho, weight_of(caminho, valor, em)) for caminho, valor in sobras.items()]
    return [f"{codigo}:{caminho[:LONGEST_FIELD_NAME]}" for caminho, codigo in found if codigo]


def told_of_leftovers(alertas: Sequence[str]) -> tuple[str, ...]:
    """Which of the two alerts of what is left over a pedido has, without the places."""
    said = {alerta.partition(":")[0] for alerta in alertas}
    return tuple([codigo for codigo in (NAO_LIDO_QUE_PESA, OBSERVACAO) if codigo in said])


def weight_of(caminho: str, valor: Any, em: str) -> str:
    """The alert that a value left over at a path deserves in a pedido of an ISO date; empty for none."""
    pesa = _kind_of(_POSITION.sub("", caminho))
    if pesa.situacao:
        return "" if _is_good(valor) else NAO_LIDO_QUE_PESA
    if pesa.conhecido:
        return "" if valor is False or (pesa.contra and read_boolean(valor) is False) else pesa.conhecido
    if pesa.nota:
        return OBSERVACAO if isinstance(valor, str) and read_boolean(valor) is None else ""
    if pesa.fim and (ended := _ended(valor, em)) is not None:
        return NAO_LIDO_QUE_PESA if ended else ""
    well = (
        (pesa.contra and read_boolean(valor) is False)
        or (pesa.favor and not pesa.contra and (read_boolean(valor) is True or _is_good(valor)))
        or (pesa.moeda and str(valor).strip().casefold() in _LEXICO.reais)
    )
    return NAO_LIDO_QUE_PESA if (pesa.contra or pesa.favor or pesa.moeda) and not well else ""


class _Kind(NamedTuple):
    """What a name says of what stands under it; `conhecido` is the alert of one that is known whole."""

    conhecido: str
    situacao: bool
    nota: bool
    fim: bool
    contra: bool
    favor: bool
    moeda: bool


@lru_cache(maxsize=8192)
def _kind_of(caminho: str) -> _Kind:
    """What the telling name of a path without positions says; asked once of all items of a list."""
    nome = _telling_name(caminho)
    words = set(nome.split("_"))
    return _Kind(
        nao_lido_by_name(nome),
        bool(_LEXICO.situacao & words),
        bool(_LEXICO.nota & words),
        any(_begins(nome, word) for word in _LEXICO.fim),
        any(_begins(nome, word) for word in _LEXICO.contra),
        bool(_LEXICO.favor & words) and not _LEXICO.favor_de_outra_coisa & words,
        bool(_LEXICO.moeda & words),
    )


def _telling_name(caminho: str) -> str:
    """The last name of a path that says what stands there, folded: `note` of `$.order.note[0].text`."""
    nomes: Sequence[str] = [fold_field(nome) for nome in path_names(caminho)]
    return next((nome for nome in reversed(nomes) if nome and nome not in _LEXICO.genericos), nomes[-1] if nomes else "")


def _begins(nome: str, word: str) -> bool:
    """Whether some word of a name begins so; a short one must be the whole word (`end` is also how `endereco` begins)."""
    return f"_{word}_" in f"_{nome}_" or (len(word) > _SHORT and f"_{word}" in f"_{nome}")


_SHORT: Final = 3


def _is_good(valor: Any) -> bool:
    return isinstance(valor, str) and fold_field(valor) in _LEXICO.boa


def _ended(valor: Any, em: str) -> bool | None:
    """Whether a date is before a day, as far as can be read; None of what is no date."""
    day = read_date(valor)
    if day is not None:
        return day < em
    if not isinstance(valor, str) or not _DATED.fullmatch(valor.strip()):
        return None
    return not _NEVER.fullmatch(valor.strip())
