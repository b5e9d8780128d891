"""Sign-in at an organisation's own identity provider (OpenID Connect): code flow with PKCE; the provider proves an e-mail, no more.

Whoever enters must be a person of the tenant already. Needs the `oidc` extra.
"""

from __future__ import annotations

import base64
import hashlib
import math
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Final

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.instalacao import command_for_extra

if TYPE_CHECKING:
    import httpx2

_WELL_KNOWN: Final = "/.well-known/openid-configuration"
_ALGORITHMS: Final = ["RS256", "PS256", "ES256", "EdDSA"]
_SECONDS: Final = 10.0
_LEEWAY_SECONDS: Final = 60
_LARGEST_BYTES: Final = 1_000_000
_EMAIL_CHARS: Final = 254
# What a provider says of how it knew somebody that two factors were asked. Source: RFC 8176, section 2.
_TWO_FACTORS: Final = frozenset({"mfa", "otp", "hwk", "swk", "sms"})


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


@dataclass(frozen=True, slots=True)
class Provado:
    """Who the provider proves, and whether it says that it asked for more than a password."""

    email: str = field(repr=False)
    dois_fatores: bool


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
    provedor: Provedor,
    ida: Ida,
    retorno: str,
    codigo: str,
    estado: str,
    transport: httpx2.AsyncBaseTransport | None = None,
    epoch: Callable[[], float] = time.time,
) -> Provado:
    """Whom the provider proves. Raises EntradaExternaRecusada, ProvedorIndisponivel, OidcAusente."""
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
    algorithm, claims = _signed(str(token.get("id_token", "")), await _get(found["jwks_uri"], transport))
    check_claims(provedor, claims, ida.nonce, epoch())
    if "at_hash" in claims and claims["at_hash"] != _half_hash(algorithm, str(token.get("access_token", ""))):
        raise _refused()
    methods = claims.get("amr")
    return Provado(read_email(claims), isinstance(methods, list) and not _TWO_FACTORS.isdisjoint(map(str, methods)))


def check_claims(provedor: Provedor, claims: Mapping[str, Any], nonce: str, now: float) -> None:
    """Raises EntradaExternaRecusada unless a token is of this provider, for this client alone, of this sign-in, and in time.

    `now` is in seconds since 1970. Source: OpenID Connect Core 1.0, section 3.1.3.7.
    """
    audience = claims.get("aud")
    audiences = [audience] if isinstance(audience, str) else audience
    made, ends, begins = _moment(claims, "iat"), _moment(claims, "exp"), _moment(claims, "nbf", now)
    right = (
        claims.get("iss") == provedor.emissor
        and isinstance(audiences, list)
        and provedor.cliente in audiences
        and (len(audiences) == 1 or "azp" in claims)
        and claims.get("azp", provedor.cliente) == provedor.cliente
        and made - _LEEWAY_SECONDS <= now < ends + _LEEWAY_SECONDS
        and begins - _LEEWAY_SECONDS <= now
        and isinstance(claims.get("nonce"), str)
        and secrets.compare_digest(claims["nonce"].encode("utf-8", "replace"), nonce.encode())
    )
    if not right:
        raise _refused()


def read_email(claims: Mapping[str, Any]) -> str:
    """The e-mail that the claims prove. Raises EntradaExternaRecusada for none, an unproved one, and one that is no text to write down."""
    email = claims.get("email")
    if claims.get("email_verified") is not True or not isinstance(email, str):
        raise _refused()
    if not email.isprintable() or not 0 < len(email) <= _EMAIL_CHARS:
        raise EntradaExternaRecusada("O e-mail que a sua organização informou não pode ser lido. Fale com quem cuida do cadastro de lá.")
    return email


def _signed(id_token: str, keys: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """With what a token was signed, and its claims; one that is not signed by one of the keys is refused."""
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet

    given: Any = dict(keys)
    try:
        token = jwt.decode(id_token, KeySet.import_key_set(given), algorithms=_ALGORITHMS)
    except (JoseError, ValueError, KeyError, TypeError):
        raise _refused() from None
    return str(token.header["alg"]), token.claims


def _half_hash(algorithm: str, access_token: str) -> str:
    digest = (hashlib.sha512 if algorithm == "EdDSA" else hashlib.sha256)(access_token.encode()).digest()
    return base64.urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=").decode()


def _moment(claims: Mapping[str, Any], name: str, otherwise: float = math.nan) -> float:
    """Seconds since 1970; what is there and is no number is like no moment, which is neither before nor after any other."""
    found = claims.get(name, otherwise)
    return found if isinstance(found, int | float) and not isinstance(found, bool) else math.nan


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
        raise OidcAusente(f"CRIVO_OIDC_EMISSOR está preenchido, mas falta instalar o complemento: {command_for_extra('oidc')}") from None
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
