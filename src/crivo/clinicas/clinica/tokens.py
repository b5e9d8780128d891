"""Tokens for one clinic and one role: made from the key that the clinic shares, soon over, taken by it alone. Source: RFC 7519.

A token says for which clinic (`aud`), in which role (`papel`), from when to when (`iat`, `exp`), which it is (`jti`) and, where a patient
was proven, on whose behalf (`em_nome_de`: a keyed digest, so that the token tells nobody a CPF).
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec

from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.keys import SKEW_SECONDS, Key, KeyFile, Keyring
from crivo.clinicas.protocol import Role
from crivo.kernel.clock import Clock

if TYPE_CHECKING:
    from jwt import PyJWS

Refused = Literal["invalida", "vencida"]
"""Why a token proves nothing; only one that was in order once is told that it is over."""

SHORT_SECONDS: Final = 300  # of a token that a program makes for its own calls
_REUSED_SECONDS: Final = 60
LONGEST_SECONDS: Final = 24 * 60 * 60
_ALGORITHM: Final = "HS256"
_LONGEST_TOKEN: Final = 1024  # letters; ours have about 300
_MOST_REMEMBERED: Final = 10_000
_JTI_BYTES: Final = 16

_Jti = Annotated[str, msgspec.Meta(min_length=16, max_length=64)]
_Digest = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class _Claims(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    aud: str
    papel: Role
    iat: int
    exp: int
    jti: _Jti
    em_nome_de: _Digest | None = None


@dataclass(frozen=True, slots=True)
class OnBehalf:
    """The proven patient on whose behalf a token was made."""

    _digest: str
    _jti: str
    _key: Key = field(repr=False)

    def is_of(self, digits: str) -> bool:
        """Whether that patient has this CPF, by its eleven digits."""
        return hmac.compare_digest(self._digest, _digest_of(self._key, self._jti, digits))


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whoever holds a token that was proven: in which role, and on whose behalf where it says so."""

    papel: Role
    em_nome_de: OnBehalf | None = None


def sign(
    key: Key,
    clinic_id: str,
    papel: Role,
    now: datetime,
    seconds: int = SHORT_SECONDS,
    em_nome_de: str | None = None,
    new_id: Callable[[int], str] = secrets.token_urlsafe,
) -> str:
    """A token for a clinic and a role, valid for a number of seconds; `em_nome_de` is the CPF, 11 digits, of a proven patient."""
    at, jti = int(now.timestamp()), new_id(_JTI_BYTES)
    behalf = _digest_of(key, jti, em_nome_de) if em_nome_de is not None else None
    claims = _Claims(clinic_id, papel, at, at + min(seconds, LONGEST_SECONDS), jti, behalf)
    return _jws().encode(msgspec.json.encode(claims), key.secret, _ALGORITHM, {"kid": key.kid})


@dataclass(frozen=True, slots=True)
class Proven:
    """What a token of a clinic proves, by which of its keys, and from when to when, in seconds since 1970."""

    bearer: Bearer
    key: Key
    iat: int
    exp: int


def verify(token: str, ring: Keyring, clinic_id: str, now: datetime) -> Proven | None:
    """What a token proves at this clinic, whether it is over or not; None where it was never in order here."""
    found = _authentic(token, ring, now)
    if found is None:
        return None
    claims, key = found
    if claims.aud != clinic_id or not 0 < claims.exp - claims.iat <= LONGEST_SECONDS:
        return None
    behalf = OnBehalf(claims.em_nome_de, claims.jti, key) if claims.em_nome_de is not None else None
    return Proven(Bearer(claims.papel, behalf), key, claims.iat, claims.exp)


class Verifier:
    """What a clinic's gate asks: whether a token is in order now, by its own keys, whatever is done to the machine's clock.

    A token that was seen once ends by a clock that only goes forward too: setting the other one back gives it no second more.
    """

    def __init__(self, clinic_id: str, keys: Callable[[], Keyring], clock: Clock, ticks: Callable[[], float] = time.monotonic) -> None:
        """`ticks` are seconds of a clock that only goes forward."""
        self.clinic_id = clinic_id
        self._keys = keys
        self._clock = clock
        self._ticks = ticks
        self._seen: OrderedDict[bytes, tuple[Proven, float]] = OrderedDict()
        _jws()  # loaded before the first request, which would wait for it

    def of(self, token: str) -> Bearer | Refused:
        """Who holds this token."""
        ring, now, ticks = self._keys(), self._clock.now(), self._ticks()
        digest = hashlib.sha256(token.encode("utf-8", "replace")).digest()
        found = self._seen.get(digest)
        if found is None:
            proven = verify(token, ring, self.clinic_id, now)
            if proven is None:
                return "invalida"
            found = self._seen[digest] = proven, ticks + proven.exp + SKEW_SECONDS - now.timestamp()
            if len(self._seen) > _MOST_REMEMBERED:
                self._seen.popitem(last=False)
        proven, ends = found
        if ring.find(proven.key.kid, now) != proven.key or proven.iat > now.timestamp() + SKEW_SECONDS:
            return "invalida"
        return proven.bearer if ticks < ends and now.timestamp() < proven.exp + SKEW_SECONDS else "vencida"


class Signer:
    """Tokens for calls to the clinics of some folders, made once a minute; a clinic's new key is used from the next call on."""

    def __init__(self, folder_of: Callable[[str], ClinicFolder], clock: Clock) -> None:
        self._folder_of = folder_of
        self._clock = clock
        self._files: dict[str, KeyFile] = {}
        self._made: dict[tuple[str, Role], tuple[str, Key, float]] = {}

    def token(self, clinic_id: str, papel: Role, em_nome_de: str | None = None) -> str:
        """A token for a clinic and a role; `em_nome_de` is the CPF of a patient who was proven, in digits. Raises ClinicaSemChaves."""
        if clinic_id not in self._files:
            self._files[clinic_id] = KeyFile(self._folder_of(clinic_id))
        key, now = self._files[clinic_id].held().atual, self._clock.now()
        if em_nome_de is not None:  # made for each call, so that no CPF is kept for the sake of a token
            return sign(key, clinic_id, papel, now, em_nome_de=em_nome_de)
        token, signed_with, at = self._made.get((clinic_id, papel), ("", None, 0.0))
        if signed_with != key or not 0 <= now.timestamp() - at < _REUSED_SECONDS:
            token = sign(key, clinic_id, papel, now)
            self._made[clinic_id, papel] = token, key, now.timestamp()
        return token


def _authentic(token: str, ring: Keyring, now: datetime) -> tuple[_Claims, Key] | None:
    """What a token claims, and the key that it is signed with, if it is signed with one of the clinic's."""
    from jwt.exceptions import PyJWTError

    if len(token) > _LONGEST_TOKEN:
        return None
    jws = _jws()
    try:
        key = ring.find(jws.get_unverified_header(token).get("kid", ""), now)
        if key is None:
            return None
        payload = jws.decode_complete(token, key.secret, [_ALGORITHM])["payload"]
        return msgspec.json.decode(payload, type=_Claims), key
    except (PyJWTError, msgspec.MsgspecError, ValueError, NotImplementedError):
        return None


@lru_cache(1)
def _jws() -> PyJWS:
    # Here, since it takes a tenth of a second to load, and most commands make no token.
    from jwt import PyJWS

    return PyJWS([_ALGORITHM])


def _digest_of(key: Key, jti: str, digits: str) -> str:
    # No token begins so: what is signed here is never taken for one, nor the other way round.
    return hmac.new(key.secret, f"crivo em_nome_de\0{jti}\0{digits}".encode(), hashlib.sha256).hexdigest()
