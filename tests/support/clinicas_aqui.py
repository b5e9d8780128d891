"""Clinics in this process: each its own silo behind its own gate, with tokens and all, called without a network."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from pathlib import Path
from uuid import uuid4

import httpx
import msgspec

from cenario import MORNING, bearer, free, token_of
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.server import create_app
from crivo.clinicas.clinica.serving import Place, open_desk, prepare, verifier_of
from crivo.clinicas.clinica.values import Seed, SlotRecord
from crivo.clinicas.ferramentas import BY_NAME, Action
from crivo.clinicas.minhas import Minhas
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller, Transport, _no_answer, _params, _read
from crivo.clinicas.orquestrador.contracts import Paciente, Papel, Step
from crivo.clinicas.orquestrador.conversa.agentes import EMBEDDED
from crivo.clinicas.orquestrador.conversa.memoria import Memoria
from crivo.clinicas.orquestrador.conversa.registro_jsonl import PipelineLog
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.quem_pede import who_asks
from crivo.clinicas.registro import REGISTRO_PADRAO, Registro
from crivo.clinicas.situacao import SituacaoDaClinica
from crivo.kernel.clock import FixedClock
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.settings import Planejador
from crivo.kernel.sujeitos import CONSOLE, Sujeito
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

BRUNO, CARLA = "Dr. Bruno Teles", "Dra. Carla Nunes"
REGISTRO = Registro(tuple(clinica for clinica in REGISTRO_PADRAO if clinica.id in {"clinic_a", "clinic_b"}))
SEEDS = {
    "clinic_a": Seed(tuple(free(BRUNO, "2025-07-18", f"{hour:02d}:00") for hour in (9, 10, 11))),
    "clinic_b": Seed(tuple(free(CARLA, "2025-07-21", f"{hour:02d}:00") for hour in (14, 15, 16))),
}


@dataclass
class ClinicasAqui:
    """The clinics, and a transport to them; a clinic that is `away` answers nobody."""

    places: dict[str, Place]
    clients: dict[str, httpx.AsyncClient]
    clock: FixedClock
    casa: str = LOCAL_TENANT
    away: set[str] = field(default_factory=set)
    sent: list[dict[str, object]] = field(default_factory=list)
    new_secret: Callable[[], str] = lambda: secrets.token_hex(32)

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        """As the real one, over ASGI."""
        clinica = REGISTRO.find(step.clinic)
        assert clinica is not None
        if clinica.id in self.away:
            return _no_answer(clinica, action, may_have_run=False)
        behalf = caller.quem.em_nome_de if BY_NAME[action].names_patient else None
        token = token_of(clinica.id, self.places[clinica.id].folder, caller.role, behalf)
        params = _params(step, action, caller)
        self.sent.append(params)
        message = {"jsonrpc": "2.0", "id": "1", "method": "tools/call", "params": params}
        answered = await self.clients[clinica.id].post("/mcp", json=message, headers=bearer(token))
        return _read(clinica, action, "1", answered.content)

    def session(
        self,
        papel: Papel = "paciente",
        paciente: Paciente | None = None,
        *,
        provado: bool = False,
        id_: str = "0" * 32,
        log: PipelineLog | None = None,
        dono: Sujeito = CONSOLE,
        memoria: Memoria | None = None,
        transport: Transport | None = None,
    ) -> Session:
        cpf = memoria.provado if memoria else digits_of(paciente.cpf) if provado and paciente is not None else ""
        router = Router(transport or self, REGISTRO, new_secret=self.new_secret)
        pipeline = Pipeline(EMBEDDED.planner, router, EMBEDDED.responder, lambda: 0.0)
        directory = Directory(router, REGISTRO, lambda: 0.0)
        return Session(
            pipeline,
            directory,
            REGISTRO,
            self.clock,
            papel=papel,
            paciente=paciente,
            quem=who_asks(self.casa, papel, dono, cpf),
            id_=id_,
            log=log,
            memoria=memoria,
        )

    def open(self, paciente: Paciente | None = None, papel: Papel = "paciente", *, provado: bool = False) -> Session:
        """A conversation by code alone."""
        return self.session(papel, paciente, provado=provado)

    def slots(self) -> dict[str, tuple[SlotRecord, ...]]:
        """What every silo holds."""
        found = {}
        for clinic, place in self.places.items():
            with closing(place.open_silo()) as silo:
                found[clinic] = silo.all_slots()
        return found

    def held(self) -> list[tuple[str, str, str, str | None]]:
        """What is booked: where, when and whose."""
        return [(clinic, one.date, one.time, one.cpf) for clinic, slots in self.slots().items() for one in slots if not one.available]


@dataclass
class Linhas:
    """Conversations over these clinics, as the application opens them."""

    clinicas: ClinicasAqui
    log: PipelineLog | None = None
    transport: Transport | None = None

    def open(
        self,
        papel: Papel = "paciente",
        paciente: Paciente | None = None,
        *,
        provado: bool = False,
        planejador: Planejador | None = None,
        dono: Scope | None = None,
    ) -> Session:
        sujeito = dono.sujeito if dono is not None else CONSOLE
        return self.clinicas.session(
            papel, paciente, provado=provado, id_=uuid4().hex, log=self.log, dono=sujeito, transport=self.transport
        )

    def resume(self, id_: str, papel: Papel, dono: Scope, memoria: Memoria, planejador: Planejador | None = None) -> Session:
        return self.clinicas.session(papel, id_=id_, log=self.log, dono=dono.sujeito, memoria=memoria, transport=self.transport)

    @property
    def minhas(self) -> Minhas:
        return Minhas(Router(self.clinicas, REGISTRO), self.casa)

    @property
    def casa(self) -> str:
        return self.clinicas.casa

    async def situacao(self) -> tuple[SituacaoDaClinica, ...]:
        return ()


@asynccontextmanager
async def clinicas_aqui(folder: Path, now: datetime = MORNING, casa: str = LOCAL_TENANT) -> AsyncIterator[ClinicasAqui]:
    clock = FixedClock(now)
    async with AsyncExitStack() as stack:
        places, clients = {}, {}
        for clinica in REGISTRO:
            place = Place(clinica, ClinicFolder(folder / clinica.id), clock, casa)
            seed = _of(SEEDS[clinica.id], clinica.especialidade)
            prepare(place, partial(_seeded, seed))
            app = create_app(clinica, partial(open_desk, place), verifier_of(place))
            await stack.enter_async_context(_live(app))
            transport = httpx.ASGITransport(app)
            base = f"http://127.0.0.1:{clinica.porta}"
            places[clinica.id] = place
            clients[clinica.id] = await stack.enter_async_context(httpx.AsyncClient(transport=transport, base_url=base))
        yield ClinicasAqui(places, clients, clock, casa)


def _seeded(seed: Seed, _: date) -> Seed:
    return seed


def _of(seed: Seed, especialidade: str) -> Seed:
    return Seed(tuple(msgspec.structs.replace(slot, specialty=especialidade) for slot in seed.slots))


@asynccontextmanager
async def _live(app: object) -> AsyncIterator[None]:
    """An application between its start and its end, in one task, which a fixture is not."""
    up, done = asyncio.Event(), asyncio.Event()

    async def live() -> None:
        async with app.router.lifespan_context(app):  # type: ignore[attr-defined]
            up.set()
            await done.wait()

    living = asyncio.create_task(live())
    await up.wait()
    try:
        yield
    finally:
        done.set()
        await living


async def said(session: Session, *messages: str) -> str:
    """The last thing said back."""
    texto = ""
    for message in messages:
        texto = (await session.say(message)).inteiro
    return texto
