"""Another day, an earlier or a later time than what was shown: never what was just shown again.

An earlier time is looked for on the day that was shown first, and where it has none on the days before it; a later one likewise. Whoever
sees a day's slots speaks of its hours first; where several days were shown, the first of them (the last, for a later time) is that day.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Offer
from crivo.clinicas.orquestrador.decide.listar import listings
from crivo.clinicas.orquestrador.decide.situacao import Saida, Situacao
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, Dia, Hora, period, without
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import intention
from crivo.clinicas.orquestrador.entende.selecao import fitting
from crivo.clinicas.orquestrador.preferencias import Busca

_OF_A_LIST: Final = frozenset({"listado", "escolher"})
_DAWN, _MIDNIGHT = "00:00", "23:59"
Quais = Callable[[Busca, Situacao], Busca | None]


def decide_other_moment(sentence: Frase, situacao: Situacao) -> list[Saida]:
    """The listings of another day, or of an earlier or a later time than was shown; nothing where that is not asked for."""
    if not situacao.offers or not situacao.dialogue.preferencias.buscas or situacao.pendente.assunto not in _OF_A_LIST:
        return []
    text = sentence.text.strip(" ,.;!?")
    asked = next((name for name in _ASKS if intention(name).fullmatch(text)), None)
    return [] if asked is None else _listed(asked, situacao)


def _listed(asked: str, situacao: Situacao) -> list[Saida]:
    buscas = situacao.dialogue.preferencias.buscas
    found = [one for busca in buscas if (one := _ASKS[asked](busca, situacao)) is not None]
    if not found:
        return [Saida(pergunta=situacao.mensagens.say(f"sem_{asked}"), pendente=situacao.pendente)]
    return [Saida(listings(busca.quer, VAZIO, situacao), pendente=situacao.pendente, buscas=(busca,)) for busca in found]


def another_day(situacao: Situacao) -> list[Saida]:
    """The listings of other days than those shown; that there are none, or nothing where nothing was shown."""
    if not situacao.offers or not situacao.dialogue.preferencias.buscas or situacao.pendente.assunto not in _OF_A_LIST | {"confirmar"}:
        return []
    return _listed("outro_dia", situacao)


def _another_day(busca: Busca, situacao: Situacao) -> Busca | None:
    shown = dict.fromkeys(one.slot.date for one in situacao.offers)
    days = tuple(Dia(day, day) for day in shown)
    return _if_any(Busca(without(busca.quer, "dias", "ordinais", "extremo"), (*busca.recusas, Criterios(dias=days))), situacao)


def _earlier(busca: Busca, situacao: Situacao) -> Busca | None:
    first = min(map(_moment, situacao.offers))
    return _on_the_day(busca, Dia(first[0], first[0]), Hora(first=_DAWN, last=_shifted(first[1], -1)), situacao) or _on_days(
        busca, [one.slot.date for one in situacao.listed if one.slot.date < first[0]], situacao
    )


def _later(busca: Busca, situacao: Situacao) -> Busca | None:
    """The afternoon of what was shown, where that has mornings too; else what comes after it."""
    afternoon = [period("tarde").holds(one.slot.time) for one in situacao.offers]
    if any(afternoon) and not all(afternoon):
        bare = without(busca.quer, "horas", "ordinais", "extremo")
        return _if_any(msgspec.structs.replace(busca, quer=msgspec.structs.replace(bare, horas=(period("tarde"),))), situacao)
    last = max(map(_moment, situacao.offers))
    return _on_the_day(busca, Dia(last[0], last[0]), Hora(first=_shifted(last[1], 1), last=_MIDNIGHT), situacao) or _on_days(
        busca, [one.slot.date for one in situacao.listed if one.slot.date > last[0]], situacao
    )


_ASKS: Final[dict[str, Quais]] = {"outro_dia": _another_day, "mais_cedo_que_isso": _earlier, "mais_tarde_que_isso": _later}


def _on_the_day(busca: Busca, dia: Dia, hora: Hora, situacao: Situacao) -> Busca | None:
    """The search on that day in those hours, whichever were asked for before; None where nothing is free then."""
    bare = without(busca.quer, "dias", "horas", "ordinais", "extremo")
    return _if_any(msgspec.structs.replace(busca, quer=msgspec.structs.replace(bare, dias=(dia,), horas=(hora,))), situacao)


def _on_days(busca: Busca, days: list[str], situacao: Situacao) -> Busca | None:
    """The search on the days before or after, in the hours that were asked for."""
    if not days:
        return None
    bare = without(busca.quer, "dias", "ordinais", "extremo")
    return _if_any(msgspec.structs.replace(busca, quer=msgspec.structs.replace(bare, dias=(Dia(min(days), max(days)),))), situacao)


def _if_any(busca: Busca, situacao: Situacao) -> Busca | None:
    return busca if fitting(busca, situacao.listed, situacao.dialogue.registro) else None


def _moment(offer: Offer) -> tuple[str, str]:
    return offer.slot.date, offer.slot.time


def _shifted(time: str, minutes: int) -> str:
    total = min(max(int(time[:2]) * 60 + int(time[3:]) + minutes, 0), 24 * 60 - 1)
    return f"{total // 60:02d}:{total % 60:02d}"
