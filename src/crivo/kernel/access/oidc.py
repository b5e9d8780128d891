"""Sign-in at an organisation's own identity provider (OpenID Connect): code flow with PKCE; the provider proves an e-mail, no more.

Whoever enters must be a person of the tenant already. Needs the `oidc` extra.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

from crivo.kernel.errors import CrivoError, Kind

if TYPE_CHECKING:
    import httpx2

_WELL_KNOWN: Final = "/.well-known/openid-configuration"
_ALGORITHMS: Final = ["RS256", "PS256", "ES256", "EdDSA"]
_SECONDS: Final = 10.0
_LEEWAY_SECONDS: Final = 60
_LARGEST_BYTES: Final = 1_000_000


class EntradaExternaRecusada(CrivoError):
    """The provider did not prove who this is, or proved somebody who is not a person here."""

    codigo: ClassVar[str] = "entrada_externa_recusada"
    kind: ClassVar[Kind] = Kind.UNAUTHENTICATED
    titulo: ClassVar[str] = "Não foi possível entrar pela sua organização"


class ProvedorIndisponivel(CrivoError):
    """The identity provider did not answer, or not as its standard says."""

    codigo: ClassVar[str] = "provedor_de_identidade_indisponivel"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "A entrada da sua organização não respondeu"


class OidcAusente(CrivoError):
    """A provider is configured, and the extra that speaks with it is not installed."""

    codigo: ClassVar[str] = "oidc_ausente"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Falta o complemento de entrada"


@dataclass(frozen=True, slots=True)
class Provedor:
    """An identity provider as it is configured: `emissor` is its issuer address."""

    emissor: str
    cliente: str
    segredo: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Ida:
    """A sign-in on its way: where the browser goes, and the three secrets that it must bring back itself."""

    endereco: str = field(repr=False)
    estado: str = field(repr=False)
    nonce: str = field(repr=False)
    verificador: str = field(repr=False)


async def begin(provedor: Provedor, retorno: str, transport: httpx2.AsyncBaseTransport | None = None) -> Ida:
    """A sign-in to be made at the provider, which sends the browser back to `retorno`. Raises ProvedorIndisponivel, OidcAusente."""
    found = await _discover(provedor, transport)
    client = _client(provedor, retorno, transport)
    nonce, verificador = secrets.token_urlsafe(32), secrets.token_urlsafe(48)
    async with client:
        endereco, estado = client.create_authorization_url(
            found["authorization_endpoint"], code_verifier=verificador, nonce=nonce, scope="openid email"
        )
    return Ida(endereco, estado, nonce, verificador)


async def finish(
    provedor: Provedor, ida: Ida, retorno: str, codigo: str, estado: str, transport: httpx2.AsyncBaseTransport | None = None
) -> str:
    """The e-mail that the provider proves. Raises EntradaExternaRecusada, ProvedorIndisponivel, OidcAusente."""
    if not codigo or not secrets.compare_digest(ida.estado.encode(), estado.encode()):
        raise _refused()
    found = await _discover(provedor, transport)
    client = _client(provedor, retorno, transport)
    from authlib.integrations.base_client.errors import OAuthError

    async with client:
        try:
            token = await client.fetch_token(found["token_endpoint"], code=codigo, code_verifier=ida.verificador)
        except OAuthError:
            raise _refused() from None
        except (_network_error(), ValueError):
            raise _away() from None
    keys = await _get(found["jwks_uri"], transport)
    claims = _claims(provedor, str(token.get("id_token", "")), keys)
    email = claims.get("email")
    if claims.get("nonce") != ida.nonce or claims.get("email_verified") is not True or not isinstance(email, str):
        raise _refused()
    return email


def _claims(provedor: Provedor, id_token: str, keys: Mapping[str, Any]) -> Mapping[str, Any]:
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    registry = jwt.JWTClaimsRegistry(
        leeway=_LEEWAY_SECONDS,
        iss={"essential": True, "value": provedor.emissor},
        aud={"essential": True, "value": provedor.cliente},
        exp={"essential": True},
    )
    given: Any = dict(keys)
    try:
        claims: dict[str, Any] = jwt.decode(id_token, KeySet.import_key_set(given), algorithms=_ALGORITHMS).claims
        registry.validate(claims)
    except (JoseError, ValueError, KeyError, TypeError):
        raise _refused() from None
    return claims


async def _discover(provedor: Provedor, transport: httpx2.AsyncBaseTransport | None) -> dict[str, str]:
    found = await _get(provedor.emissor.rstrip("/") + _WELL_KNOWN, transport)
    needed = ("authorization_endpoint", "token_endpoint", "jwks_uri")
    if found.get("issuer") != provedor.emissor or any(not isinstance(found.get(name), str) for name in needed):
        raise _away()
    return {name: str(found[name]) for name in needed}


async def _get(address: str, transport: httpx2.AsyncBaseTransport | None) -> dict[str, Any]:
    import httpx2

    try:
        async with httpx2.AsyncClient(transport=transport, timeout=_SECONDS, follow_redirects=False) as client:
            answered = await client.get(address)
        found = answered.json() if answered.status_code == httpx2.codes.OK and len(answered.content) <= _LARGEST_BYTES else None
    except (httpx2.HTTPError, ValueError):
        raise _away() from None
    if not isinstance(found, dict):
        raise _away()
    return found


def _client(provedor: Provedor, retorno: str, transport: httpx2.AsyncBaseTransport | None) -> Any:
    try:
        from authlib.integrations.httpx_client import AsyncOAuth2Client
    except ImportError:
        raise OidcAusente("CRIVO_OIDC_EMISSOR está preenchido, mas falta instalar o complemento: pip install 'crivo[oidc]'.") from None
    return AsyncOAuth2Client(
        provedor.cliente,
        provedor.segredo,
        redirect_uri=retorno,
        code_challenge_method="S256",
        transport=transport,
        timeout=_SECONDS,
    )


def _network_error() -> type[Exception]:
    import httpx2

    return httpx2.HTTPError


def _refused() -> EntradaExternaRecusada:
    return EntradaExternaRecusada("A sua organização não confirmou quem você é, ou o tempo passou. Tente de novo a partir desta página.")


def _away() -> ProvedorIndisponivel:
    return ProvedorIndisponivel("O serviço de entrada da sua organização não respondeu. Tente de novo, ou entre com e-mail e senha.")
