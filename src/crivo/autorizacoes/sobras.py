"""Which of what a mapping leaves over may weigh on a decision, by what it is called and what stands there.

A name is known by its words and not whole, as every system puts them together its own way (`SIT_FIN`, `daysPastDue`). What plainly
says that all is well (`status: ATIVO`, `cancelado: N`) is not told, so that what is told is read. Source: design, "Their own format in".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from crivo.autorizacoes.campos import LONGEST_FIELD_NAME, fold_field
from crivo.autorizacoes.etapas.valores import read_boolean
from crivo.autorizacoes.extracao import NAO_USADOS, nao_lido_by_name, path_names
from crivo.kernel.linguagem.datas_escritas import read_date
from crivo.kernel.linguagem.lexico import read_lexico

NAO_LIDO_QUE_PESA: Final = "campo_nao_lido"
OBSERVACAO: Final = "observacao_do_pedido_nao_lida"
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


_LEXICO: Final = read_lexico("crivo.autorizacoes", "sobras", _Lexico)


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
    nome = _telling_name(caminho)
    words = nome.split("_")
    known = nao_lido_by_name(nome)
    if _LEXICO.situacao & set(words):
        return "" if _is_good(valor) else NAO_LIDO_QUE_PESA
    against = any(_begins(nome, word) for word in _LEXICO.contra)
    if known:
        return "" if valor is False or (against and read_boolean(valor) is False) else known
    if _LEXICO.nota & set(words):
        return OBSERVACAO if isinstance(valor, str) and read_boolean(valor) is None else ""
    if any(_begins(nome, word) for word in _LEXICO.fim) and (ended := _ended(valor, em)) is not None:
        return NAO_LIDO_QUE_PESA if ended else ""
    if against:
        return "" if read_boolean(valor) is False else NAO_LIDO_QUE_PESA
    if _LEXICO.favor & set(words) and not _LEXICO.favor_de_outra_coisa & set(words):
        return "" if read_boolean(valor) is True or _is_good(valor) else NAO_LIDO_QUE_PESA
    if _LEXICO.moeda & set(words):
        return "" if str(valor).strip().casefold() in _LEXICO.reais else NAO_LIDO_QUE_PESA
    return ""


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
