"""Names and origins that a request only claims change nothing: no link, no count, no cookie. Source: design/sujeito.md, table, 9."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from crivo.bootstrap import Container
from crivo.kernel.clock import SystemClock
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.web.app import create_app
from crivo.web.entrance import BehindProxies

_LISTED = "10.0.0.0/8,127.0.0.1"


@pytest.fixture
def at(app: FastAPI) -> Callable[[str], Any]:
    """Asks for a path under a host of the test's choosing."""

    async def ask(host: str, path: str = "/entrar", **headers: str) -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste") as client:
            return await client.get(path, headers={"host": host, "accept": "text/html", **headers})

    return ask


@pytest.mark.parametrize("host", ["crivo.teste", "CRIVO.teste:8000", "localhost:8000", "127.0.0.1", "[::1]:8000"])
async def test_the_public_host_and_this_machine_are_answered(at: Callable[..., Any], host: str) -> None:
    assert (await at(host)).status_code == 200


@pytest.mark.parametrize(
    "host", ["mau.exemplo", "crivo.teste.mau.exemplo", "crivo.teste@mau.exemplo", "mau.exemplo#crivo.teste", "", "a b"]
)
async def test_another_host_is_refused_and_told_nothing_back(at: Callable[..., Any], host: str) -> None:
    """Source: design/sujeito.md, table, 9."""
    refused = await at(host)
    assert (refused.status_code, refused.headers["content-type"]) == (400, "application/problem+json")
    assert refused.json()["codigo"] == "host_desconhecido"
    assert "mau.exemplo" not in refused.text + str(refused.headers)
    assert refused.headers["x-request-id"]
    assert refused.headers["content-security-policy"]


async def test_a_forwarded_host_is_believed_from_nobody(at: Callable[..., Any]) -> None:
    assert (await at("mau.exemplo", **{"x-forwarded-host": "crivo.teste"})).status_code == 400
    assert (await at("crivo.teste", **{"x-forwarded-host": "mau.exemplo"})).status_code == 200


async def test_probes_are_answered_under_any_name(at: Callable[..., Any]) -> None:
    assert (await at("10.2.3.4:8000", "/healthz")).status_code == 200


async def test_two_hosts_in_one_request_are_none(app: FastAPI) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste") as client:
        twice = await client.get("/entrar", headers=[("host", "crivo.teste"), ("host", "mau.exemplo")])
    assert twice.status_code == 400


async def test_a_host_of_the_settings_is_answered_and_links_still_lead_to_the_public_address(
    settings: Settings, database: Database, container_over: Callable[..., Container], signed_in: Any, new_person: Any, scope: Scope
) -> None:
    """Source: design/sujeito.md, table, 9."""
    chosen = settings.model_copy(update={"endereco_publico": "https://crivo.exemplo.org", "hosts": ("crivo.interno", "crivo.teste")})
    app = create_app(chosen, lambda _: nullcontext(container_over(chosen, database, SystemClock())))
    async with app.router.lifespan_context(app):
        browser = await signed_in(scope, (await new_person(scope, "admin")).ator)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://crivo.interno", cookies=dict(browser.cookies)) as inside:
            page = (await inside.get("/admin/pessoas", headers={"accept": "text/html"})).text
            token = page.split('name="csrf" value="')[1][:64]
            said = {"csrf": token, "nome": "Rita", "email": "rita@exemplo.org", "papel": "revisor"}
            invited = await inside.post("/admin/pessoas", data=said)
    assert "https://crivo.exemplo.org/entrar?token=crl_" in invited.text
    assert "crivo.interno" not in invited.text


async def _seen(client: str, endereco: str = "http://crivo.teste", listed: str = _LISTED, **headers: str) -> tuple[str, str]:
    """From where, and how, a request looks to come, behind the listed proxies."""
    settings = Settings(_env_file=None, proxies=listed, endereco_publico=endereco)
    seen = []

    async def inner(scope: Any, receive: Any, send: Any) -> None:
        seen.append((scope["client"][0], scope["scheme"]))

    raw = [(b"host", b"crivo.teste"), *((name.replace("_", "-").encode(), value.encode()) for name, value in headers.items())]
    scope = {"type": "http", "scheme": "http", "client": (client, 5), "headers": raw}
    await BehindProxies(inner, settings.proxies, settings.endereco)(scope, None, None)  # type: ignore[arg-type]
    return seen[0]


@pytest.mark.parametrize(
    ("client", "chain", "seen"),
    [
        ("10.0.0.1", "203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.7, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        ("10.0.0.1", "lixo, 203.0.113.9", "203.0.113.9"),
        ("10.0.0.1", "203.0.113.9, lixo", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.9:4431", "203.0.113.9"),
        ("10.0.0.1", "2001:db8::9", "2001:db8::9"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("192.0.2.1", "203.0.113.9", "192.0.2.1"),
        ("::1", "203.0.113.9", "::1"),
    ],
)
async def test_only_a_listed_proxy_says_where_a_request_comes_from(client: str, chain: str, seen: str) -> None:
    """Source: design/sujeito.md, table, 9: what came before the last stranger anybody may have written."""
    assert (await _seen(client, x_forwarded_for=chain, x_forwarded_proto="https")) == (seen, "https" if client == "10.0.0.1" else "http")


async def test_this_machine_is_believed_no_more_than_another_unless_it_is_listed() -> None:
    """Source: design/sujeito.md, table, 9: wrong passwords are counted where the connection comes from."""
    assert await _seen("127.0.0.1", listed="", x_forwarded_for="203.0.113.9", x_forwarded_proto="https") == ("127.0.0.1", "http")
    assert await _seen("127.0.0.1", x_forwarded_for="203.0.113.9") == ("203.0.113.9", "http")


async def test_what_is_published_over_https_is_served_with_the_cookies_of_https() -> None:
    assert await _seen("192.0.2.1", "https://crivo.teste") == ("192.0.2.1", "https")
    assert await _seen("192.0.2.1", "https://outra.exemplo") == ("192.0.2.1", "http")
