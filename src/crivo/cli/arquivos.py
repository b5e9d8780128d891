"""Files that the command line names: read whole within a limit, written all or not at all, and their faults told plainly."""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, ClassVar, Final

from crivo.autorizacoes.palavras import number
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.sistema import explain

STANDARD: Final = "-"


class ArquivoInacessivel(CrivoError):
    """A file that cannot be read or written."""

    codigo: ClassVar[str] = "arquivo_inacessivel"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Não foi possível usar o arquivo"


class ArquivoGrandeDemais(CrivoError):
    """A file over the limit of what may be read at once."""

    codigo: ClassVar[str] = "arquivo_grande_demais"
    kind: ClassVar[Kind] = Kind.TOO_LARGE
    titulo: ClassVar[str] = "O arquivo é grande demais"


class MesmoArquivo(CrivoError):
    """The output would be written over the input."""

    codigo: ClassVar[str] = "mesmo_arquivo"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "A entrada e a saída são o mesmo arquivo"


def read_file(path: str, limit: int) -> bytes:
    """The bytes of a file, or of stdin for `-`. Raises ArquivoInacessivel; ArquivoGrandeDemais over `limit` bytes."""
    with open_entrada(path) as entrada, _faults_of(path):
        raw = entrada.read(limit + 1)
    if len(raw) > limit:
        raise ArquivoGrandeDemais(f"{label(path)} passa de {number(limit)} bytes, o limite de um pedido ou documento.")
    return raw


@contextmanager
def open_entrada(path: str) -> Iterator[BinaryIO]:
    """A file to read, or stdin for `-`, which stays open."""
    if path == STANDARD:
        yield sys.stdin.buffer
        return
    with ExitStack() as opened:
        with _faults_of(path):
            entrada = opened.enter_context(Path(path).open("rb"))
        yield entrada


@contextmanager
def open_saida(path: str, entrada: BinaryIO) -> Iterator[BinaryIO]:
    """A file to write, or stdout for `-`: a regular one appears, or changes, only when all was written.

    Raises MesmoArquivo when it is the one being read, ArquivoInacessivel when it cannot be written.
    """
    if path == STANDARD:
        yield sys.stdout.buffer
        return
    with _faults_of(path):
        target = Path(path).resolve()
        if _is_same(target, entrada):
            raise MesmoArquivo(f"{label(path)} é lido e seria escrito ao mesmo tempo. Indique outra saída.")
        if not target.parent.is_dir():
            raise ArquivoInacessivel(f"A pasta {target.parent} não existe; crie-a antes, ou indique outra saída.")
        if target.exists() and not stat.S_ISREG(target.stat().st_mode):
            with target.open("wb") as device:  # a device or a pipe has no name to take in the end
                yield device
            return
        with _draft_of(target) as draft:
            yield draft


def size_of(entrada: BinaryIO) -> int | None:
    """The bytes of a regular file that is open; None where the end cannot be known."""
    with suppress(OSError):
        found = os.fstat(entrada.fileno())
        return found.st_size if stat.S_ISREG(found.st_mode) else None
    return None


def label(path: str, standard: str = "A entrada padrão") -> str:
    """A file as messages name it; `standard` is what `-` stands for."""
    return standard if path == STANDARD else f"O arquivo {path}"


@contextmanager
def _draft_of(target: Path) -> Iterator[BinaryIO]:
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}.parcial")
    try:
        with draft.open("xb") as written:
            yield written
            written.flush()
            os.fsync(written.fileno())
        draft.replace(target)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def _is_same(target: Path, entrada: BinaryIO) -> bool:
    try:
        return os.path.samestat(target.stat(), os.fstat(entrada.fileno()))
    except OSError:  # no such output yet, or an input that is no file of the system
        return False


@contextmanager
def _faults_of(path: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise ArquivoInacessivel(f"{label(path)} {explain(error)}.") from error
