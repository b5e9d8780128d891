"""Sign-in at an organisation's own provider, over a real one on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import nullcontext
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from joserfc import jwt
from joserfc.jwk import RSAKey
from pydantic import SecretStr

from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.clock import Clock, SystemClock
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.web.app import create_app

NewPerson = Callable[..., Awaitable[Usuario]]
_KEY = RSAKey.generate_key(2048, {"kid": "k1"})
_HTML = {"accept": "text/html"}


class Provider(ThreadingHTTPServer):
    """A provider that proves one e-mail, with the nonce that it was last given."""

    email = ""
    nonce = ""
    beside: Mapping[str, Any] = MappingProxyType({})  # claims that it makes beside the right ones

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def answer(self, path: str) -> dict[str, Any]:
        match path:
            case "/chaves":
                return {"keys": [_KEY.as_dict(private=False)]}
            case "/token":
                said = {"iss": self.issuer, "aud": "crivo", "exp": 4_102_444_800, "iat": 1_700_000_000, "nonce": self.nonce}
                claims = {**said, "email": self.email, "email_verified": True, **self.beside}
                return {"access_token": "a", "token_type": "Bearer", "id_token": jwt.encode({"alg": "RS256", "kid": "k1"}, claims, _KEY)}
            case _:
                ends = {"authorization_endpoint": "autorizar", "token_endpoint": "token", "jwks_uri": "chaves"}
                return {"issuer": self.issuer, **{name: f"{self.issuer}/{end}" for name, end in ends.items()}}


class Handler(BaseHTTPRequestHandler):
    server: Provider

    def do_GET(self) -> None:
        content = json.dumps(self.server.answer(self.path)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it so
        """Say nothing."""


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
async def browser(
    provider: Provider, settings: Settings, database: Database, container_over: Callable[[Settings, Database, Clock], Container]
) -> AsyncIterator[httpx.AsyncClient]:
    chosen = {"oidc_emissor": provider.issuer, "oidc_cliente": "crivo", "oidc_segredo": SecretStr("s")}
    over = settings.model_copy(update=chosen)
    app = create_app(over, lambda _: nullcontext(container_over(over, database, SystemClock())))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste", headers=_HTML) as client,
    ):
        yield client


async def _gone_and_back(browser: httpx.AsyncClient, provider: Provider) -> httpx.Response:
    sent = await browser.get("/entrar/oidc")
    assert sent.status_code == 303
    asked = parse_qs(urlsplit(sent.headers["location"]).query)
    provider.nonce = asked["nonce"][0]
    return await browser.get("/entrar/oidc/retorno", params={"code": "codigo", "state": asked["state"][0]})


async def test_whoever_the_organisation_knows_and_is_registered_here_gets_in(
    browser: httpx.AsyncClient, provider: Provider, scope: Scope, new_person: NewPerson
) -> None:
    provider.email = (await new_person(scope, "revisor")).email
    assert "Entrar pela sua organização" in (await browser.get("/entrar")).text
    entered = await _gone_and_back(browser, provider)
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    assert (await browser.get("/autorizacoes")).status_code == 200


async def test_whoever_is_not_registered_here_is_told_to_ask_for_an_invitation(browser: httpx.AsyncClient, provider: Provider) -> None:
    provider.email = "estranha@exemplo.org"
    refused = await _gone_and_back(browser, provider)
    assert refused.status_code == 401
    assert "Peça um convite" in refused.text
    assert "estranha@exemplo.org" not in refused.text


async def test_an_email_with_a_nul_is_refused_and_no_failure(browser: httpx.AsyncClient, provider: Provider) -> None:
    """Source: design/sujeito.md, table, 10."""
    provider.email = "ana\0@exemplo.org"
    refused = await _gone_and_back(browser, provider)
    assert (refused.status_code, "não pode ser lido" in refused.text) == (401, True)


@pytest.mark.parametrize("beside", [{"azp": "outro"}, {"aud": ["crivo", "outro"]}, {"aud": ["crivo", "outro"], "azp": "outro"}])
async def test_a_proof_that_was_made_for_another_client_lets_nobody_in(
    browser: httpx.AsyncClient, provider: Provider, scope: Scope, new_person: NewPerson, beside: dict[str, Any]
) -> None:
    """Source: design/sujeito.md, table, 10; OpenID Connect Core 1.0, 3.1.3.7."""
    provider.email, provider.beside = (await new_person(scope, "revisor")).email, beside
    refused = await _gone_and_back(browser, provider)
    assert refused.status_code == 401
    assert (await browser.get("/autorizacoes")).status_code == 401


async def test_a_sign_in_on_its_way_is_of_one_browser_over_its_own_host_and_used_once(
    browser: httpx.AsyncClient, provider: Provider, scope: Scope, new_person: NewPerson
) -> None:
    """Source: design/sujeito.md, table, 10: a cookie that a sibling domain tosses is another cookie."""
    provider.email = (await new_person(scope, "revisor")).email
    secure = await browser.get("https://crivo.teste/entrar/oidc")
    cookie = secure.headers["set-cookie"]
    assert cookie.startswith("__Host-crivo_ida=")
    assert "Secure" in cookie
    assert "Path=/;" in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    asked = parse_qs(urlsplit(secure.headers["location"]).query)
    assert asked["redirect_uri"] == ["http://crivo.teste/entrar/oidc/retorno"]
    tossed = {"cookie": cookie.split(";")[0].removeprefix("__Host-")}
    browser.cookies.clear()
    back = {"code": "codigo", "state": asked["state"][0]}
    assert (await browser.get("https://crivo.teste/entrar/oidc/retorno", params=back, headers=tossed)).status_code == 401
    provider.nonce = asked["nonce"][0]
    kept = {"cookie": cookie.split(";")[0]}
    assert (
        await browser.get("https://crivo.teste/entrar/oidc/retorno", params={**back, "iss": "https://m"}, headers=kept)
    ).status_code == 401
    taken = await browser.get("https://crivo.teste/entrar/oidc/retorno", params=back, headers=kept)
    assert (taken.status_code, '__Host-crivo_ida=""' in taken.headers["set-cookie"]) == (303, True)
    again = await browser.get("https://crivo.teste/entrar/oidc/retorno", params=back, headers=kept)
    assert (again.status_code, "já foi usado" in again.text) == (401, True)


async def test_a_return_that_nobody_went_out_for_is_refused(browser: httpx.AsyncClient) -> None:
    refused = await browser.get("/entrar/oidc/retorno", params={"code": "c", "state": "s"})
    assert refused.status_code == 401
    assert "começou em outro navegador" in refused.text


async def test_without_a_provider_there_is_no_such_address(anonymous: httpx.AsyncClient) -> None:
    assert (await anonymous.get("/entrar/oidc", headers=_HTML)).status_code == 404
    assert "sua organização" not in (await anonymous.get("/entrar", headers=_HTML)).text
