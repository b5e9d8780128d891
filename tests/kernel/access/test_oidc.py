"""An identity provider proves an e-mail by the code flow; anything less is refused."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey

from crivo.kernel.access.oidc import EntradaExternaRecusada, Ida, Provado, Provedor, ProvedorIndisponivel, begin, finish, read_email

_PROVEDOR = Provedor("https://entrada.exemplo", "crivo", "segredo-do-cliente")
_RETORNO = "https://crivo.exemplo/entrar/oidc/retorno"
_NOW = 1_800_000_000


class Fake:
    """A provider that signs what it is told to."""

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "k1"})
        self.claims: dict[str, Any] = {}
        self.token_status = 200
        self.asked: dict[str, list[str]] = {}
        self.discovery = {
            "issuer": _PROVEDOR.emissor,
            "authorization_endpoint": "https://entrada.exemplo/autorizar",
            "token_endpoint": "https://entrada.exemplo/token",
            "jwks_uri": "https://entrada.exemplo/chaves",
        }

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        match request.url.path:
            case "/.well-known/openid-configuration":
                return httpx2.Response(200, json=self.discovery)
            case "/chaves":
                return httpx2.Response(200, json={"keys": [self.key.as_dict(private=False)]})
            case "/token":
                self.asked = parse_qs(request.content.decode())
                if self.token_status != 200:
                    return httpx2.Response(self.token_status, json={"error": "invalid_grant"})
                signed = jwt.encode({"alg": "RS256", "kid": "k1"}, self.claims, self.key)
                return httpx2.Response(200, json={"access_token": "a", "token_type": "Bearer", "id_token": signed})
            case _:
                return httpx2.Response(404)


@pytest.fixture
def fake() -> Fake:
    return Fake()


def _right(fake: Fake, ida: Ida, **changes: Any) -> None:
    known = {"email": "ana@exemplo.org", "email_verified": True}
    said = {"iss": _PROVEDOR.emissor, "aud": "crivo", "exp": _NOW + 300, "iat": _NOW, "nonce": ida.nonce, **known}
    fake.claims = {name: value for name, value in {**said, **changes}.items() if value is not None}


async def _begun(fake: Fake) -> Ida:
    return await begin(_PROVEDOR, _RETORNO, httpx2.MockTransport(fake))


async def _finished(fake: Fake, ida: Ida, estado: str | None = None) -> Provado:
    said = ida.estado if estado is None else estado
    return await finish(_PROVEDOR, ida, _RETORNO, "codigo", said, httpx2.MockTransport(fake), lambda: _NOW)


async def test_the_browser_is_sent_with_a_challenge_and_no_secret(fake: Fake) -> None:
    ida = await _begun(fake)
    query = parse_qs(urlsplit(ida.endereco).query)
    assert ida.endereco.startswith("https://entrada.exemplo/autorizar?")
    assert (query["code_challenge_method"], query["scope"], query["redirect_uri"]) == (["S256"], ["openid email"], [_RETORNO])
    assert ida.verificador not in ida.endereco
    assert _PROVEDOR.segredo not in ida.endereco
    assert ida.estado not in repr(ida)


async def test_a_proved_email_comes_back_and_the_verifier_goes_with_the_code(fake: Fake) -> None:
    ida = await _begun(fake)
    _right(fake, ida)
    assert await _finished(fake, ida) == Provado("ana@exemplo.org", dois_fatores=False)
    assert fake.asked["code_verifier"] == [ida.verificador]


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonce": "outro"},
        {"iss": "https://outra.exemplo"},
        {"aud": "outro-cliente"},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"email_verified": False},
        {"email_verified": None},
        {"email": None},
        {"email": 7},
        {"email_verified": "true"},
        {"iss": "https://entrada.exemplo/"},
        {"aud": []},
        {"aud": ["crivo", "outro"]},
        {"aud": ["outro"], "azp": "crivo"},
        {"azp": "outro-cliente"},
        {"aud": ["crivo", "outro"], "azp": "outro"},
        {"exp": _NOW - 60},
        {"exp": "amanhã"},
        {"exp": True},
        {"iat": _NOW + 61},
        {"iat": None},
        {"nbf": _NOW + 61},
        {"nonce": None},
        {"nonce": 7},
        {"at_hash": "errado"},
    ],
)
async def test_a_token_that_proves_less_is_refused(fake: Fake, wrong: dict[str, Any]) -> None:
    ida = await _begun(fake)
    _right(fake, ida, **wrong)
    with pytest.raises(EntradaExternaRecusada):
        await _finished(fake, ida)


@pytest.mark.parametrize(
    "also",
    [
        {"azp": "crivo"},
        {"aud": ["crivo"]},
        {"aud": ["crivo", "outro"], "azp": "crivo"},
        {"exp": _NOW - 59},
        {"iat": _NOW + 59},
        {"at_hash": base64.urlsafe_b64encode(hashlib.sha256(b"a").digest()[:16]).rstrip(b"=").decode()},
    ],
)
async def test_a_token_that_proves_it_in_another_way_is_taken(fake: Fake, also: dict[str, Any]) -> None:
    ida = await _begun(fake)
    _right(fake, ida, **also)
    assert (await _finished(fake, ida)).email == "ana@exemplo.org"


@pytest.mark.parametrize("odd", ["a\0b@exemplo.org", "ana@exemplo.org\n", "ana\u202e@exemplo.org", "\ud800@exemplo.org", "", "a" * 300])
async def test_an_email_that_is_no_text_to_write_down_is_refused_clearly(fake: Fake, odd: str) -> None:
    """Source: design/sujeito.md, table, 10."""
    with pytest.raises(EntradaExternaRecusada, match="não pode ser lido"):
        read_email({"email": odd, "email_verified": True})


@pytest.mark.parametrize(("amr", "two"), [(["pwd", "mfa"], True), (["otp"], True), (["pwd"], False), ("mfa", False), (None, False)])
async def test_a_second_factor_counts_where_the_provider_says_so(fake: Fake, amr: object, two: bool) -> None:
    ida = await _begun(fake)
    _right(fake, ida, amr=amr)
    assert (await _finished(fake, ida)).dois_fatores is two


async def test_a_token_that_nobody_signed_is_refused(fake: Fake) -> None:
    ida = await _begun(fake)
    _right(fake, ida)

    def part(value: object) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()

    def unsigned(request: httpx2.Request) -> httpx2.Response:
        bare = f"{part({'alg': 'none'})}.{part(fake.claims)}."
        answer = {"access_token": "a", "token_type": "Bearer", "id_token": bare}
        return httpx2.Response(200, json=answer) if request.url.path == "/token" else fake(request)

    with pytest.raises(EntradaExternaRecusada):
        await finish(_PROVEDOR, ida, _RETORNO, "codigo", ida.estado, httpx2.MockTransport(unsigned), lambda: _NOW)


async def test_a_token_that_somebody_else_signed_is_refused(fake: Fake) -> None:
    ida = await _begun(fake)
    _right(fake, ida)
    forger = Fake()
    forger.claims = fake.claims

    def mixed(request: httpx2.Request) -> httpx2.Response:
        return forger(request) if request.url.path == "/token" else fake(request)

    with pytest.raises(EntradaExternaRecusada):
        await finish(_PROVEDOR, ida, _RETORNO, "codigo", ida.estado, httpx2.MockTransport(mixed))


@pytest.mark.parametrize("alg", ["none", "HS256"])
async def test_a_token_that_is_unsigned_or_signed_by_what_is_public_is_refused(fake: Fake, alg: str) -> None:
    ida = await _begun(fake)
    _right(fake, ida)

    def part(value: object) -> str:
        raw = value if isinstance(value, bytes) else json.dumps(value).encode()
        return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()

    signed = f"{part({'alg': alg, 'kid': 'k1'})}.{part(fake.claims)}"
    seal = b"" if alg == "none" else hmac.digest(fake.key.as_pem(private=False), signed.encode(), "sha256")
    forged = f"{signed}.{part(seal) if seal else ''}"

    def mixed(request: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, json={"access_token": "a", "id_token": forged}) if request.url.path == "/token" else fake(request)

    with pytest.raises(EntradaExternaRecusada):
        await finish(_PROVEDOR, ida, _RETORNO, "codigo", ida.estado, httpx2.MockTransport(mixed))


async def test_a_token_that_does_not_hold_yet_is_refused(fake: Fake) -> None:
    ida = await _begun(fake)
    _right(fake, ida, nbf=_NOW + 3600)
    with pytest.raises(EntradaExternaRecusada):
        await _finished(fake, ida)


async def test_a_state_of_another_browser_is_refused_before_anything_is_asked(fake: Fake) -> None:
    ida = await _begun(fake)
    _right(fake, ida)
    with pytest.raises(EntradaExternaRecusada):
        await _finished(fake, ida, estado="de-outro")
    assert fake.asked == {}


async def test_a_code_that_the_provider_does_not_take_is_refused(fake: Fake) -> None:
    ida = await _begun(fake)
    fake.token_status = 400
    with pytest.raises(EntradaExternaRecusada):
        await _finished(fake, ida)


@pytest.mark.parametrize("broken", ["issuer", "token_endpoint"])
async def test_a_provider_that_describes_itself_wrongly_is_told_as_away(fake: Fake, broken: str) -> None:
    del fake.discovery[broken]
    with pytest.raises(ProvedorIndisponivel):
        await _begun(fake)


async def test_a_provider_that_is_gone_or_talks_garbage_is_told_as_away() -> None:
    def gone(request: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("gone", request=request)

    for answer in (gone, lambda _: httpx2.Response(200, text="<html>"), lambda _: httpx2.Response(200, text=json.dumps([1]))):
        with pytest.raises(ProvedorIndisponivel):
            await begin(_PROVEDOR, _RETORNO, httpx2.MockTransport(answer))


def test_the_clients_secret_is_in_no_representation() -> None:
    assert _PROVEDOR.segredo not in repr(replace(_PROVEDOR))
