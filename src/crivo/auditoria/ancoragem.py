"""Notes the ends of chains outside of the database once a day: in a file, and at an address where one is set."""

from __future__ import annotations

import asyncio
import fcntl
import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import BinaryIO, ClassVar, Final
from urllib.error import URLError
from urllib.request import Request, urlopen

import msgspec

from crivo.auditoria.conferencia import Auditoria
from crivo.kernel.access import asks
from crivo.kernel.atos.linhas import append_lines, locked, read_all, replace_all
from crivo.kernel.audit.anchors import Anchor, decode_lines, read_heads
from crivo.kernel.audit.registrar import Ledger
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.logs import logger
from crivo.kernel.sigilo.assinatura import SEED_BYTES, Assinante, Publica
from crivo.kernel.sigilo.guarda import guard
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import LOCAL_TENANT, Scope

ARQUIVO: Final = "ancoras.jsonl"
CHAVE: Final = "ancoras.chave"
PUBLICA: Final = "ancoras.publica.pem"
PENDENTES: Final = "ancoras.pendentes.jsonl"
_EVERY: Final = timedelta(days=1)
_LOOK_SECONDS: Final = 3_600.0
_POST_SECONDS: Final = 10.0
_NOTARY: Final = Scope(LOCAL_TENANT, "ancoragem")  # outside every tenant: the ends of all chains are noted together
Post = Callable[[str, bytes], None]
"""Sends a body to an address, in bounded time; raises OSError where it was not taken."""


class AncoraImpossivel(CrivoError):
    """The file of the anchors, or the key that signs them, cannot be read or written."""

    codigo: ClassVar[str] = "ancora_impossivel"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "Não foi possível anotar o fim da auditoria"


@dataclass(frozen=True, slots=True)
class Ancorada:
    """What was noted, and whether the address took it; None where there is no address."""

    ancoras: tuple[Anchor, ...]
    arquivo: Path
    enviada: bool | None


def http_post(address: str, body: bytes) -> None:
    """POST lines of JSON. Raises OSError."""
    request = Request(address, body, {"content-type": "application/x-ndjson", "user-agent": "crivo"}, method="POST")  # noqa: S310 - checked
    with urlopen(request, timeout=_POST_SECONDS):  # noqa: S310 - http or https alone, by the settings
        pass  # an answer that is no success is raised


class Ancoragem:
    """Anchors of this installation; `destino` is a file, an http(s) address, or nothing for a file in `data_dir`."""

    def __init__(self, database: Database, clock: Clock, data_dir: Path, destino: str = "", post: Post = http_post) -> None:
        self._database = database
        self._clock = clock
        self._data_dir = data_dir.expanduser().absolute()
        self._address = destino if is_address(destino) else ""
        self.arquivo: Final = Path(destino).expanduser() if destino and not self._address else self._data_dir / ARQUIVO
        self._post = post

    @asks("auditoria.guardar")
    async def ancorar(self, scope: Scope) -> Ancorada:
        """Note where a tenant's chain ends now. Raises SemPermissao; AncoraImpossivel.

        An address that does not answer only leaves it unsent.
        """
        return await self._note(lambda tenant_id: tenant_id == scope.tenant_id)

    async def em_dia(self) -> Ancorada:
        """Note the chain of every tenant whose last note is a day old, or that has none. Raises as `ancorar`."""
        last, due = await asyncio.to_thread(self._last), self._clock.now() - _EVERY
        return await self._note(lambda tenant_id: tenant_id not in last or last[tenant_id].em <= due)

    def anotadas_em(self) -> dict[str, datetime]:
        """When the end of each tenant's chain was noted last. Raises AncoraImpossivel."""
        return {tenant_id: anchor.em for tenant_id, anchor in self._last().items()}

    def publica(self) -> Publica:
        """The key that verifies, which lies beside the anchors to be copied with them. Raises AncoraImpossivel."""
        return self._key().publica

    @contextmanager
    def abertas(self) -> Iterator[tuple[Iterable[bytes], Publica] | None]:
        """What was noted so far, line by line, and the key beside it that verifies; None where nothing was. Raises AncoraImpossivel.

        Whatever is noted meanwhile is left out, as its line may not be whole yet.
        """
        with ExitStack() as opened:
            try:
                with _told(self.arquivo):
                    lines = opened.enter_context(self.arquivo.open("rb"))
                    whole = _size_unwritten(lines)
            except FileNotFoundError:
                yield None
                return
            yield _until(whole, lines), self._beside()

    def _beside(self) -> Publica:
        """The public key as it lies there: what its private half was lost of is still verified."""
        path = self._data_dir / PUBLICA
        with suppress(FileNotFoundError), _told(path):
            if (found := Publica.of_pem(path.read_bytes())) is not None:
                return found
        return self.publica()

    def _key(self) -> Assinante:
        """The key that signs, made once. Raises AncoraImpossivel, ChaveExposta."""
        guard(self._data_dir / CHAVE)
        with _told(self._data_dir / CHAVE):
            key = Assinante.of_seed(_read_or_make(self._data_dir / CHAVE))
        path, pem = self._data_dir / PUBLICA, key.publica.pem()
        with _told(path), locked(path) as descriptor:
            if read_all(descriptor) != pem:
                replace_all(descriptor, pem)
        return key

    async def _note(self, is_asked: Callable[[str], bool]) -> Ancorada:
        key, now = await asyncio.to_thread(self._key), self._clock.now().astimezone(UTC)
        async with self._database.unit_of_work(_NOTARY) as uow:
            heads = await read_heads(uow)
        found = [Anchor(one, head.seq, head.digest.hex(), now).signed(key) for one, head in heads.items() if is_asked(one)]
        return await asyncio.to_thread(self._keep, tuple(found))

    def _keep(self, anchors: tuple[Anchor, ...]) -> Ancorada:
        lines = b"".join([msgspec.json.encode(one) + b"\n" for one in anchors])
        with _told(self.arquivo):
            if lines:
                append_lines(self.arquivo, lines)
            sent = self._send(lines) if self._address else None
        return Ancorada(anchors, self.arquivo, sent)

    def _send(self, lines: bytes) -> bool:
        """One try; what was not taken is sent along with the next."""
        path = self._data_dir / PENDENTES
        with locked(path) as descriptor:
            waiting = read_all(descriptor) + lines
            if not waiting:
                return True
            try:
                self._post(self._address, waiting)
            except (OSError, ValueError) as error:
                reason = error.reason if isinstance(error, URLError) else error
                logger.warning("ancora_nao_enviada", extra={"codigo": type(reason).__name__})
                replace_all(descriptor, waiting)
                return False
            replace_all(descriptor, b"")
            return True

    def _last(self) -> dict[str, Anchor]:
        """The last note of each tenant."""
        with suppress(FileNotFoundError), _told(self.arquivo), self.arquivo.open("rb") as lines:
            return {anchor.tenant: anchor for _, anchor in decode_lines(lines) if anchor is not None}
        return {}


@asynccontextmanager
async def anchoring(ancoragem: Ancoragem, ledger: Ledger, auditoria: Auditoria) -> AsyncIterator[None]:
    """Keep the notes a day old at most for as long as the block lasts, no act waiting that can be noted, and no door open for bare rows.

    What fails is told in the log and tried again in an hour.
    """
    keeping = asyncio.create_task(_keep_up(ancoragem, ledger, auditoria))
    try:
        yield
    finally:
        keeping.cancel()
        with suppress(asyncio.CancelledError):
            await keeping


def is_address(destino: str) -> bool:
    """Whether a destination is posted to, and not a file."""
    return destino.startswith(("http://", "https://"))


async def _keep_up(ancoragem: Ancoragem, ledger: Ledger, auditoria: Auditoria) -> None:
    while True:
        try:
            await ledger.gather()
            await auditoria.fechar()
            await ancoragem.em_dia()
        except Exception as error:  # noqa: BLE001 - whatever it was, the service goes on, and the next look may do better
            logger.warning("ancora_nao_feita", exc_info=error)
        await asyncio.sleep(_LOOK_SECONDS)


def _size_unwritten(file: BinaryIO) -> int:
    """The bytes of a file at a moment at which nobody writes it."""
    fcntl.flock(file, fcntl.LOCK_SH)
    try:
        return os.fstat(file.fileno()).st_size
    finally:
        fcntl.flock(file, fcntl.LOCK_UN)


def _until(size: int, lines: BinaryIO) -> Iterator[bytes]:
    for line in lines:
        size -= len(line)
        if size < 0:
            return
        yield line


def _read_or_make(path: Path) -> bytes:
    with locked(path) as descriptor:
        key = os.pread(descriptor, SEED_BYTES, 0)
        if len(key) < SEED_BYTES:
            key = secrets.token_bytes(SEED_BYTES)
            os.pwrite(descriptor, key, 0)
            os.fsync(descriptor)
        return key


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError:
        raise
    except OSError as error:
        raise AncoraImpossivel(f"Não foi possível usar {path}: {error.strerror}. Confira o espaço e as permissões.") from None
