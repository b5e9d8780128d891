"""`python -m bench.torture.porta_tls ENDERECO PORTA PEM ALVO`: the door of a clinic to other machines, as a reverse proxy with TLS is.

What comes in at ENDERECO is answered by the clinic of this host that listens on the port ALVO.
"""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import httpx
import uvicorn
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

_PASSED_ON: Final = ("authorization", "content-type", "accept", "mcp-protocol-version", "mcp-method", "mcp-name", "traceparent")


def application(alvo: str) -> Starlette:
    """Hands every request to the clinic, under the name by which it knows itself."""
    client = httpx.AsyncClient(base_url=alvo, timeout=30)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        async with client:
            yield

    async def hand_on(request: Request) -> Response:
        headers = {name: request.headers[name] for name in _PASSED_ON if name in request.headers}
        try:
            answered = await client.post("/mcp", content=await request.body(), headers=headers)
        except httpx.TransportError:
            return Response(status_code=502)
        kept = {name: value for name, value in answered.headers.items() if name in {"content-type", "www-authenticate"}}
        return Response(answered.content, answered.status_code, kept)

    return Starlette(routes=[Route("/mcp", hand_on, methods=["POST"])], lifespan=lifespan)


def write_certificate(path: Path) -> str:
    """A certificate signed by itself, with its key, good for a day; its SHA-256 in hexadecimal."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "clinica")]), datetime.now(UTC)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
    signed = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1)).sign(key, hashes.SHA256())
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    path.touch(mode=0o600)
    path.write_bytes(signed.public_bytes(pem) + key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))
    return signed.fingerprint(hashes.SHA256()).hex()


if __name__ == "__main__":
    endereco, porta, certificado, alvo = sys.argv[1:5]
    uvicorn.run(
        application(f"http://127.0.0.1:{alvo}"), host=endereco, port=int(porta), ssl_certfile=certificado, log_config=None, access_log=False
    )
