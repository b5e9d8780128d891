"""How a message is signed, so that whoever receives it knows from whom it comes, and that it is neither changed nor old.

Pure. Source: Standard Webhooks, 1.0: HMAC-SHA256 over `id.timestamp.body`, secrets as `whsec_` and base64.
"""

from __future__ import annotations

import hmac
from base64 import b64encode
from collections.abc import Sequence
from datetime import datetime
from typing import Final

SECRET_BYTES: Final = 32
_PREFIX: Final = "whsec_"


def headers_of(mensagem_id: str, em: datetime, corpo: bytes, segredos: Sequence[bytes]) -> dict[str, str]:
    """The three headers of a message at a moment: its id, the moment in seconds since 1970, and a signature by each secret."""
    moment = str(int(em.timestamp()))
    return {
        "webhook-id": mensagem_id,
        "webhook-timestamp": moment,
        "webhook-signature": " ".join([_signed(mensagem_id, moment, corpo, one) for one in segredos]),
    }


def written(segredo: bytes) -> str:
    """A secret as it is handed over."""
    return _PREFIX + b64encode(segredo).decode()


def _signed(mensagem_id: str, moment: str, corpo: bytes, segredo: bytes) -> str:
    return "v1," + b64encode(hmac.digest(segredo, f"{mensagem_id}.{moment}.".encode() + corpo, "sha256")).decode()
