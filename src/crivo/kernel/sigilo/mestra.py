"""The master key of an installation: from its setting, or from a file that nobody else may read. Neither is ever in the database."""

from __future__ import annotations

import hmac
import os
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from crivo.kernel.sigilo.cifra import KEY_BYTES, RandomBytes, derived
from crivo.kernel.sigilo.erros import ChaveMestraErrada
from crivo.kernel.sigilo.guarda import guard
from crivo.kernel.sistema import explain
from crivo.kernel.storage.locks import make_closed

if TYPE_CHECKING:
    from crivo.kernel.settings import Settings

FILE: Final = "chave-mestra"
_FEWEST_VALUES: Final = 12  # different bytes of a key; of 32 that are drawn some 30 are
_PRINTABLE: Final = range(0x20, 0x7F)


class Adivinhavel(ValueError):
    """What stands in a key's place could be guessed."""

    def __init__(self) -> None:
        super().__init__("não é segredo: é um texto, ou segue um padrão que se adivinha")


def read_key(text: str) -> bytes:
    """The 32 bytes that a text holds in base64. Raises ValueError; Adivinhavel for those that nobody drew."""
    try:
        key = b64decode(text.strip(), validate=True)
    except NotBase64:
        raise ValueError("não é base64") from None
    if len(key) != KEY_BYTES:
        raise ValueError("não tem 32 bytes")
    if _is_guessable(key):
        raise Adivinhavel
    return key


def master_key(settings: Settings, *, may_create: bool, random_bytes: RandomBytes = os.urandom) -> bytes:
    """The installation's master key; made where there is none and nothing was ever sealed. Raises ChaveMestraErrada, ChaveExposta."""
    if settings.chave_mestra is not None:
        return read_key(settings.chave_mestra.get_secret_value())
    return key_in(settings.data_dir, may_create=may_create, random_bytes=random_bytes)


def key_in(folder: Path, *, may_create: bool, random_bytes: RandomBytes = os.urandom) -> bytes:
    """The key in a folder's own file, 0600; made where there is none and that is allowed. Raises ChaveMestraErrada, ChaveExposta."""
    path = folder / FILE
    try:
        found = read_key(path.read_text())
    except FileNotFoundError:
        if not may_create:
            raise ChaveMestraErrada(
                f"Falta a chave mestra: o que está guardado não abre sem ela. Devolva o arquivo {path} ou informe CRIVO_CHAVE_MESTRA. "
                "Nada foi mudado."
            ) from None
    except Adivinhavel as error:
        raise ChaveMestraErrada(
            f"O que está no arquivo {path} {error}. Ponha nele o que diz 'openssl rand -base64 32'; o que já foi guardado com a chave de "
            "agora não abre com outra. Nada foi mudado."
        ) from None
    except (ValueError, UnicodeDecodeError):
        raise ChaveMestraErrada(
            f"O arquivo {path} não tem uma chave de 32 bytes em base64. Devolva o que estava nele. Nada foi mudado."
        ) from None
    except OSError as error:
        raise _unreachable(path, error) from None
    else:
        guard(path)
        return found
    try:
        return _made(path, random_bytes(KEY_BYTES))
    except OSError as error:
        raise _unreachable(path, error) from None


def fingerprint(key: bytes) -> bytes:
    """What a database keeps to know its master key again; it opens nothing."""
    return derived(key, "impressao")


def same(one: bytes, other: bytes) -> bool:
    """Whether two fingerprints are of one key."""
    return hmac.compare_digest(one, other)


def _is_guessable(key: bytes) -> bool:
    """Whether bytes are plainly none that were drawn: text, few values, a pattern again and again, or counting."""
    steps = {(after - before) % 256 for before, after in pairwise(key)}
    repeats = any(key == (key[:many] * len(key))[: len(key)] for many in range(1, len(key) // 2 + 1))
    return len(steps) == 1 or repeats or len(set(key)) < _FEWEST_VALUES or all(one in _PRINTABLE for one in key)


def _unreachable(path: Path, error: OSError) -> ChaveMestraErrada:
    return ChaveMestraErrada(f"A chave mestra em {path} não pôde ser lida nem feita: o arquivo {explain(error)}. Confira a pasta de dados.")


def _made(path: Path, key: bytes) -> bytes:
    """Of many processes that start at once, the first to link its file is believed: it is whole from its first moment."""
    make_closed(path.parent.absolute())
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(b64encode(key).decode() + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        return read_key(path.read_text())
    finally:
        draft.unlink(missing_ok=True)
    return key
