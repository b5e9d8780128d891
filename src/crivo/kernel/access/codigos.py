"""Codes of a second factor: six digits of an authenticator app that change every 30 seconds, and recovery codes on paper.

Pure: the secret, the moment and the bytes of chance are given. Source: RFC 6238, RFC 4226.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from datetime import datetime
from typing import Final

from crivo.kernel.access.tokens import RandomBytes

STEP_SECONDS: Final = 30
RECOVERY_CODES: Final = 10
_ISSUER: Final = "crivo"
_SECRET_BYTES: Final = 20
_EITHER_SIDE: Final = 1  # steps by which the two clocks may be apart
_DIGITS: Final = re.compile(r"\d{6}", re.ASCII)
# 112 bits is the least of which a plain digest may be kept. Source: ASVS 5.0.0, 6.5.2.
_RECOVERY_BYTES: Final = 15
_RECOVERY_LETTERS: Final = 24
_RECOVERY: Final = re.compile(rf"[A-Z2-7]{{{_RECOVERY_LETTERS}}}")


def new_secret(random_bytes: RandomBytes) -> str:
    """A secret for an authenticator app, as such apps take it typed: base32."""
    return base64.b32encode(random_bytes(_SECRET_BYTES)).decode()


def otpauth(secret: str, email: str) -> str:
    """The address that an authenticator app reads from a QR code."""
    import pyotp

    return pyotp.TOTP(secret).provisioning_uri(name=email, issuer_name=_ISSUER)


def step_of(moment: datetime) -> int:
    """The 30 seconds that a moment is in, counted since 1970."""
    return int(moment.timestamp()) // STEP_SECONDS


def code_at(secret: str, step: int) -> str:
    """The code that an app shows in a step."""
    import pyotp

    return pyotp.HOTP(secret).at(step)


def find_step(secret: str, said: str, now: datetime, last: int) -> int | None:
    """The step whose code was said: one of now or beside it, and later than the `last` that was taken; None where there is none."""
    code = "".join(said.split())
    if not _DIGITS.fullmatch(code):
        return None
    current = step_of(now)
    for step in range(current + _EITHER_SIDE, current - _EITHER_SIDE - 1, -1):
        if step > last and hmac.compare_digest(code_at(secret, step), code):
            return step
    return None


def new_recovery_codes(random_bytes: RandomBytes) -> tuple[str, ...]:
    """Codes of 120 bits for whoever lost the app, in groups of four letters."""
    plain = [base64.b32encode(random_bytes(_RECOVERY_BYTES)).decode() for _ in range(RECOVERY_CODES)]
    return tuple(["-".join(code[at : at + 4] for at in range(0, _RECOVERY_LETTERS, 4)) for code in plain])


def digest_of_recovery(said: str) -> bytes | None:
    """What is kept of a recovery code, however its letters are spaced; None for what is none."""
    code = re.sub(r"[\s-]", "", said).upper()
    return hashlib.sha256(code.encode()).digest() if _RECOVERY.fullmatch(code) else None
