"""The clinics and the conversations with them, as commands, pages and evaluations use both sides."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Final
from uuid import uuid4

import msgspec

from crivo.clinicas.agendas import Previa, preview
from crivo.clinicas.caminho import Local, Way, way_to
from crivo.clinicas.clinica.errors import ClinicaSemChaves, PortaDaClinicaOcupada, SiloIndisponivel
from crivo.clinicas.clinica.folder import ClinicFolder, write_private
from crivo.clinicas.clinica.keys import GRACE_SECONDS, Keyring, exchange_key, read_keys
from crivo.clinicas.clinica.probe import answers
from crivo.clinicas.clinica.process import Order
from crivo.clinicas.clinica.serving import Place
from crivo.clinicas.clinica.supervisor import supervised
from crivo.clinicas.clinica.tokens import Signer, sign
from crivo.clinicas.clinica.values import Extent, SlotRecord
from crivo.clinicas.minhas import Minhas
from crivo.clinicas.orquestrador.chama.diretorio import Directory
from crivo.clinicas.orquestrador.chama.router import Limits, Router
from crivo.clinicas.orquestrador.chama.transport import http_transport
from crivo.clinicas.orquestrador.contracts import Paciente, Papel, Planner, Responder
from crivo.clinicas.orquestrador.conversa.agentes import Agents, agents_of
from crivo.clinicas.orquestrador.conversa.atos import Atos
from crivo.clinicas.orquestrador.conversa.memoria import Memoria
from crivo.clinicas.orquestrador.conversa.registro_jsonl import PipelineLog
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.conversa.turno import Pipeline
from crivo.clinicas.orquestrador.decide.embutido import EmbeddedPlanner
from crivo.clinicas.orquestrador.entende.vocabulario import check_vocabulary
from crivo.clinicas.orquestrador.escreve.embutido import EmbeddedResponder
from crivo.clinicas.orquestrador.linha import Linha, Prazos
from crivo.clinicas.orquestrador.quem_pede import QuemPede, who_asks
from crivo.clinicas.protocol import Role
from crivo.clinicas.registro import REGISTRO_PADRAO, CadastroComDefeito, Clinica, Registro, read_registro, with_port
from crivo.clinicas.situacao import SituacaoDaClinica, look
from crivo.kernel.atos import NewEntry, Registrar
from crivo.kernel.clock import Clock, FixedClock, SystemClock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.llm.port import Modelo
from crivo.kernel.portas import Faixa, near, tried
from crivo.kernel.settings import LogNivel, Planejador
from crivo.kernel.sistema import explain
from crivo.kernel.storage.locks import make_closed
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

REGISTRO: Final = "registro.json"
_KEY_BYTES: Final = 32
NOBODY: Final = Scope(LOCAL_TENANT, "clinicas")
"""Who pays where a conversation is nobody's."""


class RegistroInvalido(CrivoError):
    """The file of the registry cannot be read, or is none."""

    codigo: ClassVar[str] = "registro_invalido"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Cadastro de clínicas inválido"


class ClinicaDesconhecida(CrivoError):
    """No clinic of the registry has that id."""

    codigo: ClassVar[str] = "clinica_desconhecida"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Clínica desconhecida"


class PlanejadorSemModelo(CrivoError):
    """A conversation is to be planned by a model, and there is none."""

    codigo: ClassVar[str] = "planejador_sem_modelo"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Não há modelo para planejar"

    def __init__(self) -> None:
        super().__init__("Nenhum modelo está configurado para planejar a conversa. Preencha CRIVO_MODELO, ou use o planejador embutido.")


@dataclass(frozen=True)
class Clinicas:
    """The clinics of an installation. `dados` is a folder to fill new silos from; without it they are filled with the sample.

    `cadastro` is a registry in the place of the installation's own. `modelo` is asked in the conversations that `planejador`, or whoever
    opens one, gives to it; `dono` pays, and acts, where a conversation is nobody's. `segunda_opiniao`: the model judges in these too;
    `prazos` is how long each part of it is waited for.
    `registrar` notes what is done in conversations; None for those in which nothing is real. `portas` is where the clinics of this
    machine listen, in the place of what the registry says.
    """

    data_dir: Path
    agora: datetime | None = None
    dados: Path | None = None
    log_nivel: LogNivel = "ERROR"
    cadastro: Registro | None = None
    modelo: Modelo | None = None
    planejador: Planejador = "embutido"
    segunda_opiniao: bool = True
    prazos: Prazos = field(default_factory=Prazos)
    dono: Scope = NOBODY
    registrar: Registrar | None = None
    portas: Faixa | None = None

    @cached_property
    def registro(self) -> Registro:
        """The registry given, else the installation's own, else that of `dados`, else the blueprint's six. Raises RegistroInvalido."""
        if self.cadastro is not None:
            return self.cadastro
        path = self.arquivo
        return REGISTRO_PADRAO if path is None else _read_registro(path)

    @cached_property
    def arquivo(self) -> Path | None:
        """The file that the registry stands in; None where it is given, or the blueprint's."""
        if self.cadastro is not None:
            return None
        folders = (self.data_dir / "clinicas", *([self.dados] if self.dados else []))
        return next((path for path in (folder / REGISTRO for folder in folders) if path.exists()), None)

    @property
    def casa(self) -> str:
        """The tenant whose the clinics are: the installation's own."""
        return self.dono.tenant_id

    @property
    def clock(self) -> Clock:
        """The machine's clock, or one that stands still."""
        return FixedClock(self.agora) if self.agora is not None else SystemClock()

    def find(self, clinic_id: str) -> Clinica:
        """The clinic of that id. Raises ClinicaDesconhecida."""
        clinica = self.registro.find(clinic_id)
        if clinica is None:
            own = self.data_dir / "clinicas" / REGISTRO
            ours = f" São as da amostra: o cadastro da sua rede vai em {own}." if self.cadastro is None else ""
            where = ours if self.arquivo is None else f" O cadastro está em {self.arquivo}."
            raise ClinicaDesconhecida(f"As clínicas são: {', '.join(one.id for one in self.registro)}.{where}")
        return clinica

    def folder(self, clinic_id: str) -> ClinicFolder:
        """A clinic's own folder."""
        return ClinicFolder.under(self.data_dir, clinic_id)

    def place(self, clinic_id: str) -> Place:
        """A clinic with its folder and the clock. Raises ClinicaDesconhecida."""
        return Place(self.find(clinic_id), self.folder(clinic_id), self.clock, self.casa)

    def order(self, clinic_id: str) -> Order:
        """The order to run a clinic as a process. Raises ClinicaDesconhecida."""
        clinica = self.find(clinic_id)
        return Order(
            clinica,
            str(self.data_dir),
            agora=self.agora,
            dados=str(self.dados) if self.dados is not None else None,
            log_nivel=self.log_nivel,
            casa=self.casa,
            portas=self._tried(clinica),
            cadastro=str(self.arquivo or self.data_dir / "clinicas" / REGISTRO),
        )

    def _tried(self, clinica: Clinica) -> tuple[int, ...]:
        """The ports that a clinic tries. One that was written into a registry is its owner's choice, and is not left for another."""
        if self.portas is not None:
            here = [one.id for one in self.registro if isinstance(self.way(one), Local)]
            found = tried(self.portas, here.index(clinica.id), len(here)) if clinica.id in here else (clinica.porta,)
            if not found:
                raise PortaDaClinicaOcupada(f"CRIVO_CLINICAS_PORTAS tem menos portas do que clínicas ({len(here)}). Dê mais portas.")
            return found
        is_ours = self.cadastro is None and self.arquivo is None
        return near(clinica.porta) if is_ours else (clinica.porta,)

    def url(self, clinica: Clinica) -> str:
        """Where a clinic answers to whoever asks from outside: on the port that it has now, else at the address of the registry."""
        up = self.folder(clinica.id).up(clinica.porta) if isinstance(self.way(clinica), Local) else None
        return clinica.url if up is None or not up.porta else with_port(clinica, up.porta)

    def moved(self) -> tuple[tuple[Clinica, int], ...]:
        """The clinics of this machine that answer on another port than is known of them, and on which."""
        found = [(one, self.folder(one.id).up(one.porta)) for one in self.registro if isinstance(self.way(one), Local)]
        return tuple((one, up.porta) for one, up in found if up is not None and up.porta and up.porta != one.porta)

    def orders(self) -> tuple[Order, ...]:
        """The orders for all clinics."""
        return tuple(self.order(clinica.id) for clinica in self.registro)

    def way(self, clinica: Clinica) -> Way:
        """How a clinic is reached."""
        return way_to(clinica, self.folder(clinica.id).path)

    @cached_property
    def _signer(self) -> Signer:
        return Signer(self.folder, SystemClock())

    def token(self, clinic_id: str, papel: Role, em_nome_de: str | None = None) -> str | None:
        """A token for calls to a clinic in a role; None while it has no key. `em_nome_de` is the CPF of a proven patient, in digits."""
        try:
            return self._signer.token(clinic_id, papel, em_nome_de)
        except ClinicaSemChaves:
            return None

    def make_token(self, clinic_id: str, papel: Role, seconds: int) -> str:
        """A token for a clinic and a role, valid for a number of seconds. Raises ClinicaSemChaves."""
        return sign(read_keys(self.folder(clinic_id)).atual, clinic_id, papel, SystemClock().now(), seconds)

    def exchange_keys(self, clinic_id: str | None = None, *, at_once: bool = False) -> tuple[tuple[str, Keyring], ...]:
        """A new key for a clinic, or for all that live here; the old one is taken for five minutes more, or not at all.

        Raises ClinicaDesconhecida, ClinicaSemChaves and SiloIndisponivel.
        """
        asked = [self.find(clinic_id)] if clinic_id is not None else list(self.registro)
        here = [clinica.id for clinica in asked if self.folder(clinica.id).silo.exists()]
        if not here:
            raise ClinicaSemChaves(
                "A chave é trocada na máquina em que a clínica roda, e depois que ela subiu uma vez com `crivo clinicas subir`."
            )
        now, grace = SystemClock().now(), 0 if at_once else GRACE_SECONDS
        return tuple((one, exchange_key(self.folder(one), now, os.urandom, grace)) for one in here)

    def export(self, clinic_id: str, path: Path | None = None) -> bytes:
        """A clinic's db.json, written to a file for its owner's eyes where one is given. Raises ClinicaDesconhecida, SiloIndisponivel."""
        place = self.place(clinic_id)
        if not place.folder.silo.exists():
            raise SiloIndisponivel(f"A {place.clinica.nome} ainda não tem agenda. Suba-a uma vez com `crivo clinicas subir`.")
        with closing(place.open_silo()) as silo:
            document = db_json(silo.all_slots())
        if path is not None:
            write_private(path, document)
        return document

    def preview(self, clinic_id: str, path: Path) -> Previa:
        """What it would come to if a db.json took the place of all that a clinic has.

        Raises ClinicaDesconhecida, DbJsonInvalido and SiloIndisponivel.
        """
        return preview(self.place(clinic_id), self.registro, path)

    def unfilled(self) -> tuple[Clinica, ...]:
        """The clinics of this machine that have no agenda yet, and are given one when they start."""
        return tuple(one for one in self.registro if isinstance(self.way(one), Local) and not self.folder(one.id).silo.exists())

    def extents(self) -> tuple[tuple[Clinica, Extent], ...]:
        """How far the agenda reaches of each clinic of this machine that has one. Raises SiloIndisponivel."""
        found = []
        for clinica in self.registro:
            place = self.place(clinica.id)
            if isinstance(self.way(clinica), Local) and place.folder.silo.exists():
                with closing(place.open_silo()) as silo:
                    found.append((clinica, silo.extent()))
        return tuple(found)

    async def note(self, entry: NewEntry) -> None:
        """Note what somebody did with a clinic's data. Raises AtoSemRegistro."""
        if self.registrar is not None:
            await self.registrar.registrar(self.dono, [entry])

    async def away(self) -> tuple[Order, ...]:
        """The orders of the clinics of this machine that do not answer now."""
        orders = [order for order in self.orders() if isinstance(self.way(order.clinica), Local)]
        up = await asyncio.gather(*(asyncio.to_thread(answers, order.clinica, order.folder, self.way(order.clinica)) for order in orders))
        return tuple(order for order, is_up in zip(orders, up, strict=True) if not is_up)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Sequence[str]]:
        """All clinics answering for as long as the block lasts: those that did not are started, and ended after it; the ids of these.

        Raises what `Supervisor.start` raises.
        """
        away = await self.away()
        if not away:
            yield ()
            return
        async with supervised(away):
            yield tuple(order.clinica.id for order in away)

    @asynccontextmanager
    async def conversations(
        self, *, planner: Planner | None = None, responder: Responder | None = None, limits: Limits | None = None
    ) -> AsyncIterator[Conversations]:
        """Conversations over one pool of connections, by the embedded planner and responder unless others are given."""
        async with http_transport(self.registro, self.way, self.token, lambda: str(uuid4())) as transport:
            router = Router(transport, self.registro, limits=limits)
            directory = Directory(router, self.registro, time.monotonic, self.casa)
            pipeline = Pipeline(planner or EmbeddedPlanner(), router, responder or EmbeddedResponder(), time.monotonic)
            try:
                yield Conversations(self, pipeline, router, directory, PipelineLog(self.data_dir / "logs", self._log_key()))
            finally:
                await pipeline.close()
                await directory.close()

    def agents(self, planejador: Planejador, dono: Scope, conversa_id: str) -> Agents | None:
        """The agents of a conversation that a model plans; None where code does. Raises PlanejadorSemModelo."""
        if planejador == "embutido":
            return None
        if self.modelo is None:
            raise PlanejadorSemModelo
        return agents_of(planejador, Linha(self.modelo, dono, f"conversa:{conversa_id}", self.prazos), segunda_opiniao=self.segunda_opiniao)

    def _log_key(self) -> bytes:
        """What hashes in the log are keyed with; made once, and for this process alone where it cannot be kept."""
        path = self.data_dir / "clinicas" / "registro.chave"
        try:
            if path.exists():
                return path.read_bytes()
            key = os.urandom(_KEY_BYTES)
            make_closed(path.parent.absolute())
            write_private(path, key)
        except (OSError, SiloIndisponivel):
            return os.urandom(_KEY_BYTES)
        return key


@dataclass(frozen=True)
class Conversations:
    """Opens conversations; all share pool, breakers and directory."""

    clinicas: Clinicas
    pipeline: Pipeline
    router: Router
    directory: Directory
    log: PipelineLog

    def open(
        self,
        papel: Papel = "paciente",
        paciente: Paciente | None = None,
        *,
        provado: bool = False,
        planejador: Planejador | None = None,
        dono: Scope | None = None,
    ) -> Session:
        """A new conversation; a patient who is not given is asked for name and CPF first. Raises PlanejadorSemModelo.

        `provado` tells that who speaks was proven to be `paciente`.
        `planejador` is in the place of the installation's; `dono` is who acts in it, and pays for what a model is asked.
        """
        acting = dono or self.clinicas.dono
        quem = who_asks(self.casa, papel, acting.sujeito, digits_of(paciente.cpf) if provado and paciente is not None else "")
        return self._session(uuid4().hex, papel, acting, planejador, quem, paciente=paciente)

    def resume(self, id_: str, papel: Papel, dono: Scope, memoria: Memoria, planejador: Planejador | None = None) -> Session:
        """The conversation of that id, as it was remembered, for who its owner is by now. Raises PlanejadorSemModelo."""
        return self._session(id_, papel, dono, planejador, who_asks(self.casa, papel, dono.sujeito, memoria.provado), memoria=memoria)

    def _session(
        self,
        id_: str,
        papel: Papel,
        acting: Scope,
        planejador: Planejador | None,
        quem: QuemPede,
        *,
        paciente: Paciente | None = None,
        memoria: Memoria | None = None,
    ) -> Session:
        own = self.clinicas
        return Session(
            self.pipeline,
            self.directory,
            own.registro,
            own.clock,
            papel=papel,
            paciente=paciente,
            quem=quem,
            log=self.log,
            id_=id_,
            agents=own.agents(planejador or own.planejador, acting, id_),
            atos=None if own.registrar is None else Atos(own.registrar, acting, id_),
            memoria=memoria,
        )

    @property
    def minhas(self) -> Minhas:
        """What a proven patient does with their own appointments."""
        return Minhas(self.router, self.casa)

    @property
    def casa(self) -> str:
        """The tenant whose the clinics are."""
        return self.clinicas.casa

    async def situacao(self) -> tuple[SituacaoDaClinica, ...]:
        """How every clinic is doing now, as a ping and these conversations find it."""
        own = self.clinicas
        return await look([(clinica, own.folder(clinica.id)) for clinica in own.registro], self.router.breakers)


def db_json(slots: Sequence[SlotRecord]) -> bytes:
    """Slots as a db.json. Source: blueprint 3.2."""
    document = {"slots": [msgspec.to_builtins(slot) for slot in slots]}
    return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def _read_registro(path: Path) -> Registro:
    try:
        registro = read_registro(path.read_bytes())
        check_vocabulary(registro)
    except OSError as error:
        raise RegistroInvalido(f"Não foi possível ler o cadastro: {path} {explain(error)}.") from None
    except CadastroComDefeito as defect:
        message = (
            f"O arquivo {path} não é um cadastro de clínicas: {defect}. Ele precisa de clinics, com id, nome, especialidade, porta e url."
        )
        raise RegistroInvalido(message) from None
    return registro
