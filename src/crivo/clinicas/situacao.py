"""How the clinics are doing now: which of them answer, how fast, and whether the conversations hold calls to them back."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import msgspec

from crivo.clinicas.caminho import way_to
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.probe import answers
from crivo.clinicas.orquestrador.chama.breaker import Breaker, State
from crivo.clinicas.registro import Clinica

_MS_IN_A_SECOND: Final = 1000


class SituacaoDaClinica(msgspec.Struct, frozen=True):
    """A clinic as one ping found it; `ms` is how long that took, whether it was answered or not."""

    clinica: Clinica
    responde: bool
    ms: float
    disjuntor: State


async def look(
    places: Sequence[tuple[Clinica, ClinicFolder]], breakers: Mapping[str, Breaker], ticks: Callable[[], float] = time.perf_counter
) -> tuple[SituacaoDaClinica, ...]:
    """Every clinic, asked at once; each has two seconds. `ticks` are seconds of a clock that only goes forward."""

    def ask(clinica: Clinica, folder: ClinicFolder) -> SituacaoDaClinica:
        began = ticks()
        responde = answers(clinica, folder, way_to(clinica, folder.path))
        return SituacaoDaClinica(clinica, responde, round(_MS_IN_A_SECOND * (ticks() - began), 1), breakers[clinica.id].state)

    return tuple(await asyncio.gather(*(asyncio.to_thread(ask, *place) for place in places)))
