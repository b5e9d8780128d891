"""Runs evaluation cases through whole conversations with real clinics: six processes, real HTTP, each case from a fresh state.

Source: design, "The proof". The clinics run in a folder of their own, on ports of their own, so that those in use are left alone.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import replace
from datetime import date, datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path
from typing import Final

import msgspec

from crivo.clinicas.avaliacao.confirmadas import together, yes_to
from crivo.clinicas.avaliacao.conjunto import Caso, Marcada
from crivo.clinicas.avaliacao.pontuacao import CasoObtido, Resultado, TurnoObtido, score
from crivo.clinicas.clinica.process import Order
from crivo.clinicas.clinica.store import Silo
from crivo.clinicas.clinica.values import SlotRecord
from crivo.clinicas.orquestrador.contracts import Paciente, Planner
from crivo.clinicas.orquestrador.trace import Trace
from crivo.clinicas.registro import Clinica, Registro
from crivo.clinicas.service import NOBODY, Clinicas, Conversations
from crivo.kernel.clock import BRASILIA
from crivo.kernel.llm.port import Modelo
from crivo.kernel.settings import Planejador
from crivo.kernel.storage.locks import working_folder
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope

_SOMEONE: Final = Paciente("Pessoa de Teste", "529.982.247-25")  # of a case that does not say who speaks
_STATED_CLOCK: Final = re.compile(r"CRIVO_AGORA=([0-9T:+.Z-]+)")
_OPENING: Final = time_of_day(8, tzinfo=BRASILIA)


class Execucao(msgspec.Struct, frozen=True):
    """A run: its figures, what came of each case, every turn's trace in the order of the cases, and what time it was in it."""

    resultado: Resultado
    casos: tuple[CasoObtido, ...]
    traces: tuple[tuple[Trace, ...], ...]
    registro: Registro
    agora: datetime | None


async def execute(
    casos: Sequence[Caso],
    *,
    data_dir: Path,
    dados: Path | None,
    agora: datetime | None,
    planner: Planner | None = None,
    modelo: Modelo | None = None,
    planejador: Planejador = "embutido",
    dono: Scope | None = None,
    on_case: Callable[[], None] = lambda: None,
) -> Execucao:
    """The figures of a set, on clinics seeded from `dados`, or the sample; `on_case` is called after each case.

    Without `agora`, the clock is where the folder of the data says that it stands. `modelo` is asked, at the cost of `dono`, where
    `planejador` is the model's. Raises what the clinics' start raises, and PlanejadorSemModelo.
    """
    when = agora or (stated_clock(dados) if dados is not None else None)
    with _room(data_dir) as folder:
        clinicas = _apart(Clinicas(folder, when, dados, modelo=modelo, planejador=planejador, dono=dono or NOBODY))
        async with clinicas.running(), clinicas.conversations(planner=planner) as conversations:
            with _stores(clinicas.orders(), clinicas) as stores:
                runs = []
                for caso in casos:
                    runs.append(await _run(caso, conversations, stores))
                    on_case()
    obtidos = tuple(obtido for obtido, _ in runs)
    return Execucao(score(casos, obtidos, clinicas.registro), obtidos, tuple(traces for _, traces in runs), clinicas.registro, when)


@contextmanager
def _room(data_dir: Path) -> Iterator[Path]:
    data_dir.mkdir(parents=True, exist_ok=True)
    with working_folder(data_dir, "avaliacao-") as folder:
        yield folder


def stated_clock(dados: Path) -> datetime | None:
    """What time it is in a data folder: as its README states (`CRIVO_AGORA=…`), else the morning before its first slot; None: now."""
    readme = dados / "README.md"
    found = _STATED_CLOCK.search(readme.read_text(encoding="utf-8")) if readme.exists() else None
    if found is not None:
        return datetime.fromisoformat(found[1])
    days = [
        day for path in sorted(dados.glob("*.db.json")) for day in re.findall(r'"date":\s*"(\d{4}-\d\d-\d\d)"', path.read_text("utf-8"))
    ]
    if not days:
        return None
    return datetime.combine(date.fromisoformat(min(days)) - timedelta(days=1), _OPENING)


class _Store:
    """A clinic's silo beside its server, to be read and put back."""

    def __init__(self, silo: Silo) -> None:
        self._silo = silo
        self._fresh = silo.all_slots()

    def reset(self) -> None:
        """Put back what the clinic began with."""
        if self._silo.all_slots() != self._fresh:
            self._silo.replace_slots(self._fresh)

    def held(self) -> tuple[Marcada, ...]:
        """What is booked now."""
        return tuple(_marcada(slot) for slot in self._silo.all_slots() if not slot.available and slot.cpf is not None)


def _marcada(slot: SlotRecord) -> Marcada:
    return Marcada(slot.doctor, slot.date, slot.time, slot.cpf or "")


@contextmanager
def _stores(orders: Sequence[Order], clinicas: Clinicas) -> Iterator[dict[str, _Store]]:
    with ExitStack() as stack:
        silos = {order.clinica.id: stack.enter_context(closing(clinicas.place(order.clinica.id).open_silo())) for order in orders}
        yield {clinic: _Store(silo) for clinic, silo in silos.items()}


async def _run(caso: Caso, conversations: Conversations, stores: dict[str, _Store]) -> tuple[CasoObtido, tuple[Trace, ...]]:
    for store in stores.values():
        store.reset()
    paciente = caso.paciente or (_SOMEONE if caso.papel == "paciente" else None)
    dono = replace(conversations.clinicas.dono, sujeito=CONSOLE)  # whoever runs the evaluation
    session = conversations.open(caso.papel, paciente, provado=True, dono=dono)
    turnos, traces = [], []
    for turno in caso.turnos:
        reply = await session.say(turno.texto)
        if reply.trace is None:  # nothing was planned: the message was empty or too long
            turnos.append(TurnoObtido(pergunta=True, texto=reply.texto))
            continue
        traces.append(reply.trace)
        obtido = _obtido(reply.trace)
        agreed = yes_to(turno, obtido, session.dialogue)
        answer = (await session.say(agreed)).trace if agreed is not None else None
        if answer is not None:
            traces.append(answer)
            obtido = together(obtido, _obtido(answer))
        turnos.append(obtido)
    return CasoObtido(caso.id, tuple(turnos), {clinic: store.held() for clinic, store in stores.items()}), tuple(traces)


def _obtido(trace: Trace) -> TurnoObtido:
    plan = trace.plan
    recusa = plan.recusa or ("R3" if plan.emergencia else None)  # where help is instead of what was asked: nothing is judged, nothing done
    return TurnoObtido(plan.steps, plan.pergunta is not None, recusa, trace.replies, trace.verdict, trace.texto)


def _apart(clinicas: Clinicas) -> Clinicas:
    """The same clinics on free ports."""
    registro = clinicas.registro
    moved = (_moved(clinica, port) for clinica, port in zip(registro, _free_ports(registro), strict=True))
    return replace(clinicas, cadastro=Registro(tuple(moved)))


def _moved(clinica: Clinica, port: int) -> Clinica:
    return msgspec.structs.replace(clinica, porta=port, url=f"http://127.0.0.1:{port}/mcp")


def _free_ports(registro: Registro) -> list[int]:
    with ExitStack() as stack:
        listeners = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in registro]
        return [int(listener.getsockname()[1]) for listener in listeners]
