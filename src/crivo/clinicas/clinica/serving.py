"""Runs one clinic as this process: prepares its folder, and answers at its door and on its port until told to stop."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from datetime import date
from typing import Final

from crivo.clinicas.caminho import Local, door_of
from crivo.clinicas.clinica.desk import Desk
from crivo.clinicas.clinica.errors import EnderecoDaClinicaInvalido, PortaDaClinicaOcupada, SiloIndisponivel
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.keys import KeyFile, Keyring, RandomBytes, ensure_keys
from crivo.clinicas.clinica.store import Silo
from crivo.clinicas.clinica.tokens import Verifier
from crivo.clinicas.clinica.values import Seed
from crivo.clinicas.registro import Clinica
from crivo.kernel.clock import Clock, SystemClock, today
from crivo.kernel.connections import ServingConfig
from crivo.kernel.errors import CrivoError
from crivo.kernel.logs import logger
from crivo.kernel.portas import bound, by_whom, port_of
from crivo.kernel.serving import SignalledServer, Told
from crivo.kernel.tenancy import LOCAL_TENANT

GRACE_SECONDS: Final = 5
_IDLE_SECONDS: Final = 120  # longer than people pause, so that the router's connections last
_LOOK_SECONDS: Final = 60.0  # between looks at the calendar
_OWNER_ONLY: Final = 0o600
_WAITING: Final = 512  # connections that may wait to be taken
_TOLD: Final = Told("clinica_no_ar", "clinica_encerrada")

Plant = Callable[[date], Seed]  # what a new silo begins with, given the day


@dataclass(frozen=True, slots=True)
class Place:
    """A clinic, its folder, the clock on its wall, and the tenant whose it is."""

    clinica: Clinica
    folder: ClinicFolder
    clock: Clock
    casa: str = LOCAL_TENANT

    def open_silo(self) -> Silo:
        """A connection to the clinic's store. Raises SiloIndisponivel."""
        return Silo(self.folder.silo, self.clinica, self.clock, casa=self.casa)


def prepare(place: Place, plant: Plant, random_bytes: RandomBytes = os.urandom) -> Keyring:
    """Make what the clinic lacks (folder, silo, keys, the sample's coming days) and answer its keys; any process may call it.

    Raises SiloIndisponivel, ClinicaSemChaves, and whatever `plant` raises, in which case there is no silo yet.
    """
    place.folder.create()
    with place.folder.locked(), closing(place.open_silo()) as silo:
        day = today(place.clock)
        if not silo.prepare(lambda: plant(day)):
            _top_up(silo, plant, day)
        return ensure_keys(place.folder, random_bytes)


def top_up(place: Place, plant: Plant) -> None:
    """Open the slots of the coming days, where the agenda is the sample's.

    Raises SiloIndisponivel, and whatever `plant` raises.
    """
    with place.folder.locked(), closing(place.open_silo()) as silo:
        _top_up(silo, plant, today(place.clock))


def _top_up(silo: Silo, plant: Plant, day: date) -> None:
    if silo.is_sample():
        silo.top_up(plant(day).slots)


async def keep_days_coming(place: Place, plant: Plant, look: float = _LOOK_SECONDS) -> None:
    """Adds the sample's slots of each new day, checked every `look` seconds, until cancelled. A failure is logged and retried."""
    done: date | None = None
    while True:
        await asyncio.sleep(look)
        day = today(place.clock)
        if day == done:
            continue
        try:
            await asyncio.to_thread(top_up, place, plant)
            done = day
        except CrivoError as error:
            logger.error("agenda_nao_completada", extra={"codigo": error.codigo})


@asynccontextmanager
async def open_for_days(place: Place, plant: Plant) -> AsyncIterator[Desk]:
    """The clinic's desk, while it is served, however many days that is."""
    coming = asyncio.create_task(keep_days_coming(place, plant))
    try:
        async with open_desk(place) as desk:
            yield desk
    finally:
        coming.cancel()
        await asyncio.wait((coming,))


@asynccontextmanager
async def open_desk(place: Place) -> AsyncIterator[Desk]:
    """The clinic's desk, while it is served."""
    desk = Desk(place.open_silo(), place.open_silo())
    try:
        yield desk
    finally:
        desk.close()


def serve_clinic(
    place: Place,
    plant: Plant,
    *,
    host: str = "127.0.0.1",
    portas: Sequence[int] = (),
    cadastro: str = "",
    on_ready: Callable[[], None] = lambda: None,
) -> None:
    """Answer at the clinic's door, and on the first of `portas` that is free, until SIGINT or SIGTERM. Logs must have been configured.

    Without `portas` the registry's own is meant, and no other. `cadastro` is the registry's file, for whom an error tells of it.
    Raises ClinicaJaNoAr, PortaDaClinicaOcupada or EnderecoDaClinicaInvalido, and whatever `prepare` raises.
    """
    from crivo.clinicas.clinica.server import LOOPBACK, create_app  # here: MCP takes a second, and whoever only asks a clinic needs none

    place.folder.create()
    with place.folder.serving(place.clinica.porta) as tell, listening(host, place.clinica, portas, cadastro) as listener:
        tell(port_of(listener))
        prepare(place, plant)
        app = create_app(place.clinica, lambda: open_for_days(place, plant), verifier_of(place), {host, *LOOPBACK})
        # Nobody is believed about where a request comes from: nothing here goes by it.
        config = ServingConfig(
            app, proxy_headers=False, lifespan="on", timeout_keep_alive=_IDLE_SECONDS, timeout_graceful_shutdown=GRACE_SECONDS
        )
        with opened(door_of(place.clinica, place.folder.path)) as door, asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(SignalledServer(config, _TOLD, on_ready).serve(sockets=[listener, door]))


def verifier_of(place: Place, clock: Clock | None = None) -> Verifier:
    """What proves the clinic's tokens; by the machine's clock, as an agenda that stands still must not keep a token for ever.

    Raises ClinicaSemChaves.
    """
    return Verifier(place.clinica.id, KeyFile(place.folder).held, clock or SystemClock())


@contextmanager
def opened(door: Local) -> Iterator[socket.socket]:
    """A socket at the clinic's door, which its owner alone may knock at. Raises SiloIndisponivel.

    Whoever opens it is the one process that serves the clinic, so that what is left there is nobody's any more.
    """
    own = door.folder / door.name
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        try:
            own.unlink(missing_ok=True)
            with door.address() as address:
                listener.bind(address)
            own.chmod(_OWNER_ONLY)
            listener.listen(_WAITING)
        except OSError as error:
            raise SiloIndisponivel(f"Não foi possível abrir {own}: {error.strerror or error}. Confira as permissões da pasta.") from None
        try:
            yield listener
        finally:
            own.unlink(missing_ok=True)


@contextmanager
def listening(host: str, clinica: Clinica, portas: Sequence[int] = (), cadastro: str = "") -> Iterator[socket.socket]:
    """A socket on the first of these ports that is free, the registry's own where none are given.

    Raises PortaDaClinicaOcupada or EnderecoDaClinicaInvalido.
    """
    wanted = portas or (clinica.porta,)
    try:
        listener = bound(host, wanted, _WAITING)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise PortaDaClinicaOcupada(_taken(clinica, wanted, cadastro)) from None
        raise EnderecoDaClinicaInvalido(f"Esta máquina não pode atender em {host}, porta {wanted[0]} ({clinica.id}).") from None
    with listener:
        yield listener


def _taken(clinica: Clinica, wanted: Sequence[int], cadastro: str) -> str:
    """Which ports are taken, by whom, and where another is given (pt-BR)."""
    if len(wanted) > 1:
        listed = ", ".join(map(str, wanted))
        return f"As portas que {clinica.id} pode usar ({listed}) já estão em uso. Dê mais portas às clínicas em CRIVO_CLINICAS_PORTAS."
    where = f"no cadastro ({cadastro})" if cadastro else "no cadastro das clínicas"
    return (
        f"A porta {wanted[0]} ({clinica.id}) já está em uso {by_whom(wanted[0])}. Encerre-o, dê outra porta à clínica {where}, "
        "ou diga em CRIVO_CLINICAS_PORTAS onde as clínicas atendem."
    )
