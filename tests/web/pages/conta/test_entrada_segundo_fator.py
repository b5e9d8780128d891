"""Whoever administers enters with two factors; whoever turned a second one on is asked for it. Source: design/sujeito.md, second factor."""

from __future__ import annotations

import html
import re
from collections.abc import Awaitable, Callable
from contextlib import nullcontext

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Papel, Usuario, set_senha
from crivo.kernel.access.codigos import code_at, step_of
from crivo.kernel.clock import Clock, FixedClock, SystemClock
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.web.app import create_app
from crivo.web.pages.conta.quadrado import qr_code

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
CsrfOf = Callable[[str], str]
_NOW = SystemClock().now()
_SENHA = "azul de metileno 7"
_HTML = {"accept": "text/html"}


@pytest.fixture
def container(settings: Settings, database: Database, container_over: Callable[[Settings, Database, Clock], Container]) -> Container:
    """As for all tests, at one moment that does not pass."""
    return container_over(settings, database, FixedClock(_NOW))


@pytest.fixture
def person(container: Container, scope: Scope, new_person: NewPerson) -> Callable[[Papel], Awaitable[Usuario]]:
    """Somebody in a role, with a password."""

    async def make(papel: Papel) -> Usuario:
        made = await new_person(scope, papel)
        await set_senha(container.database, scope, container.clock.now(), made, _SENHA)
        return made

    return make


def _secret_of(page: str) -> str:
    found = re.search(r'<code id="chave">([A-Z2-7 ]+)</code>', page)
    assert found is not None
    return found[1].replace(" ", "")


def _codes_of(page: str) -> list[str]:
    return re.findall(r"<li><code>([A-Z2-7-]{29})</code></li>", page)


def _code(secret: str, ahead: int = 0) -> str:
    return code_at(secret, step_of(_NOW) + ahead)


async def _with_password(browser: httpx.AsyncClient, usuario: Usuario, volta: str = "") -> str:
    entered = await browser.post("/entrar/senha", data={"email": usuario.email, "senha": _SENHA, "volta": volta}, headers=_HTML)
    assert entered.status_code == 303
    return str(entered.headers["location"])


async def test_whoever_administers_makes_a_second_factor_before_anything_else_and_is_asked_for_it_from_then_on(
    anonymous: httpx.AsyncClient, person: Callable[[Papel], Awaitable[Usuario]], csrf_of: CsrfOf
) -> None:
    ana = await person("admin")
    assert await _with_password(anonymous, ana, "/admin/pessoas") == "/entrar/segundo-fator?volta=%2Fadmin%2Fpessoas"
    for closed in ("/", "/admin/pessoas", "/conta", "/entrar/codigo"):
        assert (await anonymous.get(closed, headers=_HTML)).headers["location"].startswith("/entrar/segundo-fator")
    assert (await anonymous.get("/admin/pessoas")).status_code == 403, "for who reads no pages"
    page = (await anonymous.get("/entrar/segundo-fator?volta=/admin/pessoas")).text
    secret = _secret_of(page)
    assert _secret_of((await anonymous.get("/entrar/segundo-fator")).text) == secret, "the same until it is on"
    wrong = await anonymous.post("/entrar/segundo-fator", data={"csrf": csrf_of(page), "codigo": "000000"})
    assert (wrong.status_code, "não confere" in wrong.text) == (422, True)
    before = anonymous.cookies["crivo_sessao"]
    told = await anonymous.post("/entrar/segundo-fator", data={"csrf": csrf_of(page), "codigo": _code(secret), "volta": "/admin/pessoas"})
    codes = _codes_of(told.text)
    assert (told.status_code, len(set(codes)), 'href="/admin/pessoas">Guardei' in told.text) == (200, 10, True)
    assert anonymous.cookies["crivo_sessao"] != before, "an entry that is finished has another id"
    assert (await anonymous.get("/admin/pessoas")).status_code == 200

    anonymous.cookies.clear()
    assert await _with_password(anonymous, ana, "/admin/pessoas") == "/entrar/codigo?volta=%2Fadmin%2Fpessoas"
    asked = (await anonymous.get("/entrar/codigo?volta=/admin/pessoas")).text
    assert "/admin/editais" not in asked, "who is on the way in sees no more of the house"
    spent = await anonymous.post("/entrar/codigo", data={"csrf": csrf_of(asked), "codigo": _code(secret)})
    assert spent.status_code == 422, "the code that turned it on is spent"
    entered = await anonymous.post("/entrar/codigo", data={"csrf": csrf_of(asked), "codigo": _code(secret, 1), "volta": "/admin/pessoas"})
    assert entered.headers["location"] == "/admin/pessoas"
    assert (await anonymous.get("/admin/pessoas")).status_code == 200
    refused = await anonymous.post("/conta/segundo-fator/desligar", data={"csrf": csrf_of((await anonymous.get("/conta")).text)})
    assert refused.status_code == 403, "a role that must have one keeps it"

    anonymous.cookies.clear()
    await _with_password(anonymous, ana)
    asked = (await anonymous.get("/entrar/codigo")).text
    assert (await anonymous.post("/entrar/codigo", data={"csrf": csrf_of(asked), "codigo": codes[0].lower()})).headers["location"] == "/"


@pytest.mark.parametrize("quantos", [20, pytest.param(995, marks=pytest.mark.slow)])
async def test_a_code_cannot_be_guessed_for_ever(
    anonymous: httpx.AsyncClient, person: Callable[[Papel], Awaitable[Usuario]], csrf_of: CsrfOf, quantos: int
) -> None:
    """Source: issue 11, bad input: 1,000 guesses, and after them not even the right one gets in."""
    await _with_password(anonymous, await person("admin"))
    page = (await anonymous.get("/entrar/segundo-fator")).text
    token, right = csrf_of(page), _code(_secret_of(page))
    guesses = [
        guess for at in range(1_001) if (guess := f"{at:06}") not in (right, _code(_secret_of(page), 1), _code(_secret_of(page), -1))
    ]
    tried = [(await anonymous.post("/entrar/segundo-fator", data={"csrf": token, "codigo": one})).status_code for one in guesses[:quantos]]
    assert tried == [422] * 5 + [429] * (quantos - 5)
    said = [(await anonymous.post("/entrar/segundo-fator", data={"csrf": token, "codigo": right})).status_code for _ in range(5)]
    assert said == [429] * 5


async def test_whoever_may_turns_it_on_changes_the_codes_and_turns_it_off(
    scope: Scope, person: Callable[[Papel], Awaitable[Usuario]], signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    rita = await person("revisor")
    hers, elsewhere = [await signed_in(scope, rita.ator) for _ in range(2)]
    page = (await hers.get("/conta/segundo-fator")).text
    secret, token = _secret_of(page), csrf_of(page)
    assert 'href="/conta/segundo-fator"' in (await hers.get("/conta")).text
    codes = _codes_of((await hers.post("/conta/segundo-fator", data={"csrf": token, "codigo": _code(secret, -1)})).text)
    assert (len(codes), (await elsewhere.get("/conta")).status_code) == (10, 401)
    assert "Restam 10 códigos" in (await hers.get("/conta/segundo-fator")).text
    fresh = _codes_of((await hers.post("/conta/segundo-fator/codigos", data={"csrf": token, "codigo": _code(secret)})).text)
    assert len(set(fresh) - set(codes)) == 10
    old = await hers.post("/conta/segundo-fator/desligar", data={"csrf": token, "codigo": codes[0]})
    assert (old.status_code, "não confere" in old.text) == (422, True)
    off = await hers.post("/conta/segundo-fator/desligar", data={"csrf": token, "codigo": fresh[0]})
    assert off.headers["location"] == "/conta?ok=alterado"
    assert await _with_password(hers, rita) == "/"


async def test_a_link_of_the_command_line_is_proof_by_itself(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> None:
    """The demo's people, and whoever runs the machine: design/sujeito.md, `Console`."""
    assert (await (await signed_in(scope, (await new_person(scope, "super_admin")).ator)).get("/admin/pessoas")).status_code == 200


@pytest.mark.parametrize(("exigencia", "papel", "leads"), [("ninguem", "admin", "/"), ("todos", "revisor", "/entrar/segundo-fator")])
async def test_who_must_have_one_is_for_the_installation_to_say(
    settings: Settings,
    database: Database,
    container_over: Callable[[Settings, Database, Clock], Container],
    person: Callable[[Papel], Awaitable[Usuario]],
    exigencia: str,
    papel: Papel,
    leads: str,
) -> None:
    chosen = settings.model_copy(update={"segundo_fator": exigencia})
    app = create_app(chosen, lambda _: nullcontext(container_over(chosen, database, SystemClock())))
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(chosen.tenant, 1)), base_url="http://crivo.teste") as browser,
    ):
        assert await _with_password(browser, await person(papel)) == leads


def test_the_square_is_drawn_by_this_server_and_holds_nothing_but_squares() -> None:
    drawn = html.unescape(qr_code("otpauth://totp/<script>alert(1)</script>?secret=ABC"))
    assert drawn.startswith("<svg")
    assert "script" not in drawn
    assert "ABC" not in drawn
