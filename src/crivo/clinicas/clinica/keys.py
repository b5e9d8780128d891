"""The key that a clinic shares with whoever may make tokens for it: made at its first start, kept in its folder, exchanged at will."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

import msgspec

from crivo.clinicas.clinica.errors import ClinicaSemChaves
from crivo.clinicas.clinica.folder import ClinicFolder, write_private
from crivo.kernel.logs import logger
from crivo.kernel.sigilo.guarda import exposed, is_exposed

RandomBytes = Callable[[int], bytes]

GRACE_SECONDS: Final = 300  # for which a key that was exchanged is still taken
SKEW_SECONDS: Final = 60  # by which the clocks of two machines may differ
_SECRET_BYTES: Final = 32
_KID_BYTES: Final = 8


class Key(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key and its name; the secret is in hexadecimal."""

    kid: str
    segredo: str

    @property
    def secret(self) -> bytes:
        """What is signed with."""
        return bytes.fromhex(self.segredo)

    def __repr__(self) -> str:
        return f"Key({self.kid})"


class Exchanged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A key that another has taken the place of, and between which seconds since 1970 it is still taken."""

    chave: Key
    de: int
    ate: int


class Keyring(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A clinic's key, and the one before it while that has not run out."""

    atual: Key
    anterior: Exchanged | None = None

    def find(self, kid: str, now: datetime) -> Key | None:
        """The key of that name, where it is taken at this instant."""
        if kid == self.atual.kid:
            return self.atual
        old, at = self.anterior, now.timestamp()
        # A clock that is set back does not bring it back: it was exchanged at a time that is then still to come.
        return old.chave if old is not None and kid == old.chave.kid and old.de - SKEW_SECONDS <= at <= old.ate else None


class _FixedTokens(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an earlier version kept in the same file: two tokens that were valid for ever."""

    atendimento: str
    operador: str


def ensure_keys(folder: ClinicFolder, random_bytes: RandomBytes) -> Keyring:
    """The clinic's keys, made now if it has none, or none but fixed tokens; call it under the folder's lock. Raises ClinicaSemChaves."""
    if folder.keys.exists():
        held = _decode(folder)
        if isinstance(held, Keyring):
            return held
        logger.warning("chaves_fixas_trocadas")
    ring = Keyring(_new_key(random_bytes))
    _write(folder, ring)
    return ring


def read_keys(folder: ClinicFolder) -> Keyring:
    """The clinic's keys. Raises ClinicaSemChaves where there are none yet, or none that can be read."""
    held = _decode(folder)
    if isinstance(held, Keyring):
        return held
    raise ClinicaSemChaves(
        f"As chaves em {folder.keys} são as fixas, de uma versão anterior, que já não valem. Suba a clínica de novo com "
        "`crivo clinicas subir` e peça outra com `crivo clinicas token`."
    )


def exchange_key(folder: ClinicFolder, now: datetime, random_bytes: RandomBytes, grace: int = GRACE_SECONDS) -> Keyring:
    """Put a new key in the place of the clinic's, which is taken for `grace` seconds more. Raises ClinicaSemChaves, SiloIndisponivel."""
    with folder.locked():
        at = int(now.timestamp())
        held = ensure_keys(folder, random_bytes).atual
        old = Exchanged(held, at, at + grace) if grace else None
        ring = Keyring(_new_key(random_bytes), old)
        _write(folder, ring)
    return ring


class KeyFile:
    """The keys of a clinic that runs: read again when the file is another, so that an exchange needs no restart."""

    def __init__(self, folder: ClinicFolder) -> None:
        """Raises ClinicaSemChaves."""
        self._folder = folder
        self._seen = self._look()
        self._held = read_keys(folder)

    def held(self) -> Keyring:
        """The keys as they are now; as they last were where the file cannot be read."""
        seen = self._look()
        if seen != self._seen:
            self._seen = seen
            try:
                self._held = read_keys(self._folder)
            except ClinicaSemChaves as error:
                logger.error("chaves_ilegiveis", extra={"codigo": error.codigo})
        return self._held

    def _look(self) -> tuple[int, int, int] | None:
        try:
            found = self._folder.keys.stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size


def _new_key(random_bytes: RandomBytes) -> Key:
    return Key(random_bytes(_KID_BYTES).hex(), random_bytes(_SECRET_BYTES).hex())


def _write(folder: ClinicFolder, ring: Keyring) -> None:
    write_private(folder.keys, msgspec.json.encode(ring))


def _decode(folder: ClinicFolder) -> Keyring | _FixedTokens:
    if is_exposed(folder.keys):
        raise ClinicaSemChaves(f"{exposed(folder.keys)} Depois, troque-a com `crivo clinicas girar-chaves`.")
    try:
        return _read_either(folder.keys.read_bytes())
    except PermissionError:
        raise ClinicaSemChaves(
            f"As chaves em {folder.keys} são de outra conta desta máquina. Rode com a conta que sobe a clínica, ou devolva-lhes o dono."
        ) from None
    except OSError:
        raise ClinicaSemChaves(f"Não há chaves em {folder.keys}. Suba a clínica uma vez com `crivo clinicas subir`.") from None
    except ValueError:  # msgspec's own are ValueErrors too
        raise ClinicaSemChaves(
            f"O arquivo {folder.keys} está danificado. Apague-o e suba a clínica de novo para criar outras chaves."
        ) from None


def _read_either(content: bytes) -> Keyring | _FixedTokens:
    try:
        ring = msgspec.json.decode(content, type=Keyring)
    except msgspec.ValidationError:
        return msgspec.json.decode(content, type=_FixedTokens)
    for key in (ring.atual, *([ring.anterior.chave] if ring.anterior is not None else [])):
        # A short secret could be guessed, and an empty one would let in a token that anybody signs.
        if not key.kid or len(key.secret) < _SECRET_BYTES:
            raise ValueError(key.kid)
    return ring
