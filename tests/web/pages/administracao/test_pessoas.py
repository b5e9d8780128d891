"""People get in by a password, an invitation or a link; whoever administers invites, changes roles, and makes keys."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import nullcontext

import httpx
import pytest
from fastapi import FastAPI

from chaves_de_teste import cofre_de_teste
from crivo.bootstrap import Container, assemble
from crivo.kernel.access import Sessoes, Usuario, set_senha
from crivo.kernel.clock import SystemClock
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.web.app import create_app

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
CsrfOf = Callable[[str], str]
ClientOf = Callable[[str], httpx.AsyncClient]
_SENHA = "azul de metileno 7"
_HTML = {"accept": "text/html"}


@pytest.fixture
async def admin(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "admin")).ator)


@pytest.fixture
async def other(app: FastAPI, scope: Scope) -> AsyncIterator[httpx.AsyncClient]:
    """A browser of somebody else."""
    transport = httpx.ASGITransport(app, client=(f"de-outra-{scope.tenant_id}", 1))
    async with httpx.AsyncClient(transport=transport, base_url="http://crivo.teste", headers=_HTML) as client:
        yield client


async def _with_password(container: Container, scope: Scope, usuario: Usuario) -> Usuario:
    await set_senha(container.database, scope, container.clock.now(), usuario, _SENHA)
    return usuario


async def test_a_right_password_opens_the_page_that_was_asked_for(
    anonymous: httpx.AsyncClient, container: Container, scope: Scope, new_person: NewPerson
) -> None:
    ana = await _with_password(container, scope, await new_person(scope, "gestor"))
    entered = await anonymous.post("/entrar/senha", data={"email": ana.email, "senha": _SENHA, "volta": "/autorizacoes?status=NEGADO"})
    assert (entered.status_code, entered.headers["location"]) == (303, "/autorizacoes?status=NEGADO")
    assert (await anonymous.get("/autorizacoes", headers=_HTML)).status_code == 200


@pytest.mark.parametrize(
    "volta", ["//mau.exemplo/", "https://mau.exemplo/", "/\\mau.exemplo", "javascript:alert(1)", "/entrar", "mau", "/a\nb"]
)
async def test_a_sign_in_never_leads_to_another_site(
    anonymous: httpx.AsyncClient, container: Container, scope: Scope, new_person: NewPerson, volta: str
) -> None:
    ana = await _with_password(container, scope, await new_person(scope, "gestor"))
    entered = await anonymous.post("/entrar/senha", data={"email": ana.email, "senha": _SENHA, "volta": volta})
    assert entered.headers["location"] == "/"


async def test_a_wrong_password_and_a_stranger_are_told_the_same(
    anonymous: httpx.AsyncClient, container: Container, scope: Scope, new_person: NewPerson
) -> None:
    ana = await _with_password(container, scope, await new_person(scope, "gestor"))
    told = set()
    for email, senha in ((ana.email, "outra coisa qualquer"), ("ninguem@exemplo.org", _SENHA)):
        refused = await anonymous.post("/entrar/senha", data={"email": email, "senha": senha}, headers=_HTML)
        assert refused.status_code == 401
        assert senha not in refused.text
        told.add("E-mail ou senha não conferem" in refused.text)
    assert told == {True}


async def test_passwords_cannot_be_tried_for_ever(anonymous: httpx.AsyncClient) -> None:
    statuses = [(await anonymous.post("/entrar/senha", data={"email": "a@b.org", "senha": f"tentativa {n}"})).status_code for n in range(9)]
    assert statuses == [401] * 8 + [429]
    other = await anonymous.post("/entrar/senha", data={"email": "outra@b.org", "senha": "tentativa"})
    assert other.status_code == 401


async def test_two_servers_over_one_database_count_the_tries_together_and_a_new_one_remembers(
    urls: tuple[str, str], settings: Settings, scope: Scope, container: Container, new_person: NewPerson
) -> None:
    ana = await _with_password(container, scope, await new_person(scope, "gestor"))
    bia = await _with_password(container, scope, await new_person(scope, "gestor"))

    opened: list[Database] = []  # the one that the next application begins over
    one, other, new = (create_app(settings, lambda _: nullcontext(assemble(settings, SystemClock(), opened[-1]))) for _ in range(3))

    async def tried(app: FastAPI, address: str, **said: str) -> httpx.Response:
        """A try at a server that was begun for it and is ended after it."""
        opened.append(Database(urls[1], cofre=cofre_de_teste()))
        try:
            transport = httpx.ASGITransport(app, client=(f"{address}-{scope.tenant_id}", 1))
            async with app.router.lifespan_context(app), httpx.AsyncClient(transport=transport, base_url="http://crivo.teste") as client:
                return await client.post("/entrar/senha", data=said, headers=_HTML)
        finally:
            await opened[-1].close()

    wrong = [(await tried((one, other)[at % 2], "a", email=ana.email, senha=f"tentativa {at}")).status_code for at in range(8)]
    assert wrong == [401] * 8
    refused = await tried(new, "a", email=ana.email, senha=_SENHA)
    assert (refused.status_code, 1 <= int(refused.headers["retry-after"]) <= 300) == (429, True)
    assert re.search(r"Espere [1-5] minutos? e tente de novo, ou peça um link de entrada\.", refused.text)
    assert (await tried(new, "a", email=bia.email, senha=_SENHA)).status_code == 303
    assert (await tried(new, "b", email=ana.email, senha=_SENHA)).status_code == 303, "a stranger slows only themselves (table, 9)"


async def test_links_cannot_be_guessed_at_for_ever_and_a_right_one_elsewhere_still_works(
    app: FastAPI, container: Container, scope: Scope, new_person: NewPerson
) -> None:
    link = await Sessoes(container.database, container.clock).create_link(scope, (await new_person(scope, "gestor")).ator)

    def at(address: str) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(app, client=(f"{address}-{scope.tenant_id}", 1))
        return httpx.AsyncClient(transport=transport, base_url="http://crivo.teste", headers=_HTML)

    async with at("a") as guessing, at("b") as guest:
        wrong = [(await guessing.post("/entrar", data={"token": f"crl_{at}"})).status_code for at in range(40)]
        assert wrong == [401] * 40
        refused = await guessing.post("/entrar", data={"token": link})
        assert (refused.status_code, bool(re.search(r"Espere [1-5] minutos? e tente de novo\.", refused.text))) == (429, True)
        assert (await guest.post("/entrar", data={"token": link})).status_code == 303


async def test_an_invitation_leads_to_a_password_and_the_password_to_a_session(
    admin: httpx.AsyncClient, anonymous: httpx.AsyncClient, other: httpx.AsyncClient, csrf_of: CsrfOf
) -> None:
    """Source: design/sujeito.md, table, 9."""
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    person = {"csrf": token, "nome": "Rita <b>Lopes</b>", "email": "rita@exemplo.org", "papel": "revisor"}
    invited = (await admin.post("/admin/pessoas", data=person)).text
    assert "Rita &lt;b&gt;Lopes&lt;/b&gt;" in invited
    found = re.search(r"entrar\?token=(crl_[\w-]+)&amp;volta=/conta", invited)
    assert found is not None
    entered = await anonymous.post("/entrar", data={"token": found[1], "volta": "/conta"})
    assert entered.headers["location"] == "/entrar/nova-senha?volta=%2Fconta"
    elsewhere = await anonymous.get("/autorizacoes", headers=_HTML)
    assert (elsewhere.status_code, elsewhere.headers["location"]) == (303, "/entrar/nova-senha?volta=%2Fautorizacoes")
    choosing = (await anonymous.get("/entrar/nova-senha?volta=/conta", headers=_HTML)).text
    assert "feito por <strong><bdi>Pessoa admin</bdi></strong>" in choosing
    chosen = await anonymous.post(
        "/entrar/nova-senha", data={"csrf": csrf_of(choosing), "nova": _SENHA, "repetida": _SENHA, "volta": "/conta"}
    )
    assert chosen.headers["location"] == "/conta"
    assert "Mudar a senha" in (await anonymous.get("/conta", headers=_HTML)).text
    refused = await other.post("/entrar", data={"token": found[1]}, headers=_HTML)
    assert (refused.status_code, "já foi usado" in refused.text) == (401, True), "two people on one invitation"
    again = await anonymous.post("/entrar/senha", data={"email": "rita@exemplo.org", "senha": _SENHA})
    assert again.status_code == 303


@pytest.mark.parametrize(
    ("atual", "nova", "repetida", "told"),
    [
        ("não é esta", "verde de malaquita 8", "verde de malaquita 8", "A senha atual não confere"),
        (_SENHA, "verde de malaquita 8", "verde de malaquita 9", "são diferentes"),
        (_SENHA, "curtinha", "curtinha", "de 10 a 200 caracteres"),
    ],
)
async def test_a_password_is_changed_only_by_who_knows_it_and_to_one_that_serves(
    container: Container,
    scope: Scope,
    new_person: NewPerson,
    signed_in: SignedIn,
    csrf_of: CsrfOf,
    atual: str,
    nova: str,
    repetida: str,
    told: str,
) -> None:
    ana = await _with_password(container, scope, await new_person(scope, "gestor"))
    browser = await signed_in(scope, ana.ator)
    token = csrf_of((await browser.get("/conta")).text)
    refused = await browser.post("/conta/senha", data={"csrf": token, "atual": atual, "nova": nova, "repetida": repetida})
    assert refused.status_code == 422
    assert told in refused.text
    assert (await browser.post("/entrar/senha", data={"email": ana.email, "senha": _SENHA})).status_code == 303


async def test_whoever_administers_changes_roles_and_takes_access_away(
    admin: httpx.AsyncClient, scope: Scope, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    rita = await new_person(scope, "avaliador")
    hers = await signed_in(scope, rita.ator)
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    assert (await hers.get("/autorizacoes")).status_code == 403
    await admin.post(f"/admin/pessoas/{rita.id}/papel", data={"csrf": token, "papel": "revisor"})
    assert (await hers.get("/autorizacoes")).status_code == 401, "she enters again in her new role"
    hers = await signed_in(scope, rita.ator)
    assert (await hers.get("/autorizacoes")).status_code == 200
    changed = await admin.post(f"/admin/pessoas/{rita.id}/acesso", data={"csrf": token, "acesso": "tirar"})
    assert changed.headers["location"] == "/admin/pessoas?ok=acesso"
    assert (await hers.get("/autorizacoes")).status_code == 401
    await admin.post(f"/admin/pessoas/{rita.id}/acesso", data={"csrf": token, "acesso": "deixar"})
    assert (await hers.get("/autorizacoes")).status_code == 401, "what was open stays closed"
    assert (await (await signed_in(scope, rita.ator)).get("/autorizacoes")).status_code == 200


async def test_a_link_for_somebody_who_is_here_is_told_to_them_until_they_have_read_it(
    admin: httpx.AsyncClient,
    other: httpx.AsyncClient,
    container: Container,
    scope: Scope,
    new_person: NewPerson,
    signed_in: SignedIn,
    csrf_of: CsrfOf,
) -> None:
    """Source: design/sujeito.md, table, 9: an admin who takes another person's link is not them unseen."""
    rita = await _with_password(container, scope, await new_person(scope, "revisor"))
    hers = await signed_in(scope, rita.ator)
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    made = (await admin.post(f"/admin/pessoas/{rita.id}/convite", data={"csrf": token})).text
    found = re.search(r"entrar\?token=(crl_[\w-]+)", made)
    assert found is not None
    assert "Alguém mudou algo no seu acesso" in (await hers.get("/autorizacoes")).text
    assert "Pessoa admin fez um link de entrada em seu nome em " in (await hers.get("/conta")).text
    await other.post("/entrar", data={"token": found[1]})
    assert (await other.get("/autorizacoes")).headers["location"].startswith("/entrar/nova-senha")
    assert (await other.get("/conta")).status_code == 303
    assert (await other.post("/conta/senha", data={"nova": "x"})).status_code == 303, "only the step's own page is open"
    read = await hers.post("/conta/avisos", data={"csrf": csrf_of((await hers.get("/conta")).text)})
    assert read.status_code == 303
    assert "Alguém mudou algo" not in (await hers.get("/autorizacoes")).text
    assert "fez um link de entrada em seu nome" in (await hers.get("/conta")).text, "it stays where it can be looked up"
    assert "Criou um convite" in (await admin.get("/admin/auditoria")).text


async def test_a_link_that_one_makes_for_oneself_leads_to_a_password_too(
    admin: httpx.AsyncClient, other: httpx.AsyncClient, csrf_of: CsrfOf
) -> None:
    page = (await admin.get("/admin/pessoas")).text
    email = re.search(r"[\w-]+@teste\.exemplo", page)
    assert email is not None
    conta = (await admin.get("/conta")).text
    assert email[0] in conta
    person = {"csrf": csrf_of(page), "nome": "Pessoa admin", "email": email[0], "papel": "admin"}
    made = re.search(r"entrar\?token=(crl_[\w-]+)", (await admin.post("/admin/pessoas", data=person)).text)
    assert made is not None
    assert (await other.post("/entrar", data={"token": made[1]})).headers["location"] == "/entrar/nova-senha"


async def test_sessions_are_listed_and_ended_one_or_all(
    container: Container, scope: Scope, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    rita = await new_person(scope, "revisor")
    here, there, third = [await signed_in(scope, rita.ator) for _ in range(3)]
    elses = await signed_in(scope, (await new_person(scope, "revisor")).ator)
    page = (await here.get("/conta")).text
    numbers = re.findall(r'name="numero" value="([0-9a-f]{64})"', page)
    assert (len(numbers), page.count("(este)")) == (2, 1)
    await elses.post("/conta/sessoes/encerrar", data={"csrf": csrf_of((await elses.get("/conta")).text), "numero": numbers[0]})
    assert [(await one.get("/conta")).status_code for one in (here, there, third)] == [200] * 3, "another's number opens and ends nothing"
    for number in (numbers[0], numbers[0], "lixo"):
        await here.post("/conta/sessoes/encerrar", data={"csrf": csrf_of(page), "numero": number})
    assert sorted([(await one.get("/conta")).status_code for one in (here, there, third)]) == [200, 200, 401]
    ended = await here.post("/conta/sessoes/encerrar", data={"csrf": csrf_of(page)})
    assert ended.headers["location"] == "/conta?ok=sessoes"
    assert [(await one.get("/conta")).status_code for one in (here, there, third)] == [200, 401, 401]
    assert (await elses.get("/conta")).status_code == 200


async def test_a_person_sees_the_keys_that_act_for_them_and_ends_each(
    scope: Scope, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf, new_key: Callable[..., Awaitable[str]], client_of: ClientOf
) -> None:
    rita = await new_person(scope, "revisor")
    hers, elses = await signed_in(scope, rita.ator), await signed_in(scope, (await new_person(scope, "revisor")).ator)
    program = client_of(await new_key(scope, "autorizacoes:ler", usuario=rita))
    page = (await hers.get("/conta")).text
    assert ("Chaves que agem por você" in page, "age em seu nome" in page) == (True, True)
    assert "Chaves que agem por você" not in (await elses.get("/conta")).text
    (chave,) = re.findall(r'name="chave" value="([0-9a-f]+)"', page)
    await elses.post("/conta/chaves/encerrar", data={"csrf": csrf_of((await elses.get("/conta")).text), "chave": chave})
    assert (await program.get("/api/autorizacoes")).status_code == 200
    for _ in range(2):
        ended = await hers.post("/conta/chaves/encerrar", data={"csrf": csrf_of(page), "chave": chave})
        assert ended.headers["location"] == "/conta?ok=revogada"
    assert (await program.get("/api/autorizacoes")).status_code == 401
    assert 'name="chave"' not in (await hers.get("/conta")).text


async def test_a_role_that_one_may_not_give_is_not_offered(admin: httpx.AsyncClient, browser: httpx.AsyncClient) -> None:
    """`browser` is a super_admin's."""
    forms = [(await one.get("/admin/pessoas")).text.partition('id="convidar"')[2] for one in (admin, browser)]
    offered = ['value="super_admin"' in form for form in forms]
    assert offered == [False, True]


async def test_to_invite_somebody_who_is_here_says_what_to_do(
    admin: httpx.AsyncClient, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf
) -> None:
    rita = await new_person(scope, "revisor")
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    form = {"csrf": token, "nome": "Outro nome", "email": rita.email, "papel": "gestor"}
    refused = await admin.post("/admin/pessoas", data=form)
    assert (refused.status_code, "use “Novo convite” na linha dela" in refused.text) == (422, True)
    await admin.post(f"/admin/pessoas/{rita.id}/acesso", data={"csrf": token, "acesso": "tirar"})
    assert "use “Deixar entrar” na linha dela" in (await admin.post("/admin/pessoas", data=form)).text


async def test_a_role_taken_between_a_form_and_its_sending_holds_at_the_sending(
    admin: httpx.AsyncClient, scope: Scope, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    second = await new_person(scope, "admin")
    hers = await signed_in(scope, second.ator)
    form = csrf_of((await hers.get("/admin/pessoas")).text)
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    await admin.post(f"/admin/pessoas/{second.id}/papel", data={"csrf": token, "papel": "avaliador"})
    person = {"csrf": form, "nome": "Rita", "email": "rita@exemplo.org", "papel": "admin"}
    assert (await hers.post("/admin/pessoas", data=person)).status_code == 401
    again = await signed_in(scope, second.ator)
    refused = await again.post("/admin/pessoas", data={**person, "csrf": csrf_of((await again.get("/conta")).text)})
    assert refused.status_code == 403


async def test_an_email_in_use_keeps_what_was_written(
    admin: httpx.AsyncClient, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf
) -> None:
    rita = await new_person(scope, "avaliador")
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    refused = await admin.post("/admin/pessoas", data={"csrf": token, "nome": "Outra Rita", "email": rita.email, "papel": "gestor"})
    assert refused.status_code == 422
    assert 'value="Outra Rita"' in refused.text
    assert "Já há uma pessoa com este e-mail" in refused.text


async def test_somebody_of_another_tenant_is_nobody_here(
    admin: httpx.AsyncClient, new_tenant: Callable[[], Scope], new_person: NewPerson, csrf_of: CsrfOf
) -> None:
    theirs = await new_person(new_tenant(), "avaliador")
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    for what in ("papel", "convite", "acesso"):
        refused = await admin.post(f"/admin/pessoas/{theirs.id}/{what}", data={"csrf": token, "papel": "gestor", "acesso": "tirar"})
        assert refused.status_code == 404


async def test_a_key_is_shown_once_and_works_until_it_is_revoked(
    admin: httpx.AsyncClient, anonymous: httpx.AsyncClient, csrf_of: CsrfOf
) -> None:
    token = csrf_of((await admin.get("/admin/chaves")).text)
    asked = {"csrf": token, "nome": "Portal", "dias": "30", "escopos": ["autorizacoes:ler", "politicas:ler"]}
    made = (await admin.post("/admin/chaves", data=asked)).text
    found = re.search(r"crv_[\w-]+", made)
    assert found is not None
    assert found[0] not in (await admin.get("/admin/chaves")).text
    bearer = {"authorization": f"Bearer {found[0]}"}
    assert (await anonymous.get("/api/autorizacoes", headers=bearer)).status_code == 200
    assert (await anonymous.post("/api/autorizacoes", headers=bearer, content=b"{}")).status_code == 403
    revoked = await admin.post(f"/admin/chaves/{found[0].split('_')[2]}/revogar", data={"csrf": token})
    assert revoked.headers["location"] == "/admin/chaves?ok=revogada"
    assert "Revogada" in (await admin.get("/admin/chaves")).text


@pytest.mark.parametrize("wrong", [{"escopos": []}, {"nome": " "}, {"dias": "10000"}, {"escopos": ["tudo"]}])
async def test_a_key_that_nobody_could_use_is_not_made(admin: httpx.AsyncClient, csrf_of: CsrfOf, wrong: dict[str, object]) -> None:
    token = csrf_of((await admin.get("/admin/chaves")).text)
    asked = {"csrf": token, "nome": "Portal", "dias": "30", "escopos": ["autorizacoes:ler"], **wrong}
    refused = await admin.post("/admin/chaves", data=asked)
    assert refused.status_code == 422
    assert "crv_" not in refused.text


async def test_the_audit_shows_who_did_what_and_whether_the_chain_holds(admin: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    for n in range(60):
        await admin.post("/admin/pessoas", data={"csrf": token, "nome": f"P{n}", "email": f"p{n}@exemplo.org", "papel": "revisor"})
    first = (await admin.get("/admin/auditoria")).text
    assert "Cadastrou uma pessoa" in first
    older = re.search(r'rel="next" href="(/admin/auditoria\?pagina=2)"', first)
    assert older is not None
    assert "Cadastrou uma pessoa" in (await admin.get(older[1])).text
    one = (await admin.get("/admin/auditoria?q=p37")).text
    assert (one.count("Cadastrou uma pessoa"), "<bdi>P37</bdi>" in one) == (1, True)
    assert "Nenhum registro assim" in (await admin.get("/admin/auditoria?q=ninguem-assim")).text
    oldest = (await admin.get("/admin/auditoria?ordem=quando")).text
    assert oldest.index(">1</td>") < oldest.index(">2</td>")
    assert "A cadeia está inteira: " in (await admin.get("/admin/auditoria?conferir=1")).text


async def test_an_invitation_sent_twice_is_one_person_and_the_link_is_shown_again(admin: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    person = {"csrf": token, "nome": "Rita Lopes", "email": "rita@exemplo.org", "papel": "revisor"}
    for _ in range(2):
        invited = await admin.post("/admin/pessoas", data=person)
        assert (invited.status_code, "/entrar?token=crl_" in invited.text) == (200, True)
    assert (await admin.get("/admin/pessoas")).text.count("<bdi>rita@exemplo.org</bdi>") == 1


async def test_an_access_taken_away_twice_stays_taken_away(
    admin: httpx.AsyncClient, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf
) -> None:
    rita = await new_person(scope, "avaliador")
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    for _ in range(2):
        await admin.post(f"/admin/pessoas/{rita.id}/acesso", data={"csrf": token, "acesso": "tirar"})
    assert "Não entra" in (await admin.get("/admin/pessoas")).text
    unclear = await admin.post(f"/admin/pessoas/{rita.id}/acesso", data={"csrf": token, "acesso": "?"})
    assert unclear.status_code == 422


@pytest.mark.parametrize("nome", ["a\0b", "\u202eodasrever", "<img src=x onerror=alert(1)>", "🪘" * 200, "جمعية الفنون"])
async def test_whatever_a_name_is_made_of_it_is_shown_and_does_nothing(admin: httpx.AsyncClient, csrf_of: CsrfOf, nome: str) -> None:
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    invited = await admin.post("/admin/pessoas", data={"csrf": token, "nome": nome, "email": "x@exemplo.org", "papel": "revisor"})
    assert invited.status_code == 200
    assert "<img src=x" not in invited.text


@pytest.mark.parametrize("papel", ["", "rei", "super_admin"])
async def test_a_role_that_is_none_or_may_not_be_given_is_refused_without_naming_the_machine_s(
    admin: httpx.AsyncClient, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf, papel: str
) -> None:
    rita = await new_person(scope, "avaliador")
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    refused = await admin.post(f"/admin/pessoas/{rita.id}/papel", data={"csrf": token, "papel": papel})
    assert refused.status_code in (403, 422)
    assert "super_admin" not in refused.text


async def test_a_key_asked_for_twice_is_made_once_and_revoked_twice_is_revoked(admin: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    token = csrf_of((await admin.get("/admin/chaves")).text)
    asked = {"csrf": token, "nome": "Portal", "dias": "30", "escopos": ["politicas:ler"]}
    made, again = [await admin.post("/admin/chaves", data=asked) for _ in range(2)]
    assert (made.status_code, again.status_code) == (200, 422)
    assert "Já há uma chave em uso com este nome" in again.text
    found = re.search(r"crv_[\w-]+", made.text)
    assert found is not None
    where = f"/admin/chaves/{found[0].split('_')[2]}/revogar"
    assert [(await admin.post(where, data={"csrf": token})).status_code for _ in range(2)] == [303, 303]
    assert (await admin.post("/admin/chaves", data=asked)).status_code == 200


async def test_a_key_of_another_tenant_is_not_there_to_be_revoked(
    admin: httpx.AsyncClient, new_tenant: Callable[[], Scope], new_key: Callable[..., Awaitable[str]], csrf_of: CsrfOf
) -> None:
    theirs = await new_key(new_tenant())
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    assert (await admin.post(f"/admin/chaves/{theirs.split('_')[2]}/revogar", data={"csrf": token})).status_code == 404


async def test_a_wrong_password_keeps_the_e_mail_and_the_way_back_and_never_the_password(anonymous: httpx.AsyncClient) -> None:
    said = {"email": "ninguem@exemplo.org", "senha": "segredo de alguem", "volta": "/admin/pessoas"}
    refused = await anonymous.post("/entrar/senha", data=said, headers=_HTML)
    assert 'value="ninguem@exemplo.org"' in refused.text
    assert 'name="volta" value="/admin/pessoas"' in refused.text
    assert "segredo de alguem" not in refused.text


async def test_a_form_sent_after_the_session_ended_leads_back_to_its_page(anonymous: httpx.AsyncClient) -> None:
    referer = {"referer": "http://crivo.teste/admin/chaves?x=1"}
    refused = await anonymous.post("/admin/chaves", data={"nome": "Portal"}, headers=_HTML | referer)
    assert refused.status_code == 401
    assert 'name="volta" value="/admin/chaves"' in refused.text
    elsewhere = await anonymous.post("/admin/chaves", headers=_HTML | {"referer": "http://mau.exemplo/admin/chaves"})
    assert 'name="volta" value=""' in elsewhere.text


async def test_the_audit_is_narrowed_by_the_address_and_a_day_that_is_none_is_told(admin: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    await admin.post("/admin/pessoas", data={"csrf": token, "nome": "Rita", "email": "r@exemplo.org", "papel": "revisor"})
    entries = (await admin.get("/admin/auditoria?acao=entradas")).text
    assert "Entrou" in entries
    assert "Cadastrou uma pessoa" not in entries
    assert "Nenhum registro assim" in (await admin.get("/admin/auditoria?ate=2001-01-01")).text
    assert "Nenhum registro assim" in (await admin.get("/admin/auditoria?quem=chave")).text
    assert "não existe no calendário" in (await admin.get("/admin/auditoria?de=2026-02-30")).text


async def test_whoever_administers_changes_a_persons_name_and_e_mail_and_they_are_told_and_enter_again(
    admin: httpx.AsyncClient, container: Container, scope: Scope, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    rita = await _with_password(container, scope, await new_person(scope, "revisor"))
    other = await new_person(scope, "gestor")
    hers = await signed_in(scope, rita.ator)
    token = csrf_of((await admin.get("/admin/pessoas")).text)
    address = f"/admin/pessoas/{rita.id}/dados"
    taken = await admin.post(address, data={"csrf": token, "nome": "Rita Lima", "email": other.email})
    assert (taken.status_code, "Já há uma pessoa com este e-mail" in taken.text, "Rita Lima" in taken.text) == (409, True, False)
    assert (await admin.post(address, data={"csrf": token, "nome": " ", "email": rita.email})).status_code == 422
    assert (await hers.get("/conta")).status_code == 200, "nothing of what was refused was done"
    only_name = await admin.post(address, data={"csrf": token, "nome": "Rita Lima", "email": rita.email})
    assert only_name.headers["location"] == "/admin/pessoas?ok=dados"
    assert "Pessoa admin mudou o seu nome no cadastro em " in (await hers.get("/conta")).text
    for _ in range(2):
        await admin.post(address, data={"csrf": token, "nome": "Rita Lima", "email": "rita.lima@exemplo.org"})
    assert (await hers.get("/conta")).status_code == 401
    again = await hers.post("/entrar/senha", data={"email": "rita.lima@exemplo.org", "senha": _SENHA})
    assert again.status_code == 303
    assert (await hers.get("/conta")).text.count("mudou o e-mail com que você entra") == 2, "in the notice, and where it stays"
    audit = (await admin.get("/admin/auditoria")).text
    assert ("Mudou o e-mail de uma pessoa" in audit, "rita.lima@exemplo.org" in audit) == (True, False)


async def test_a_person_changes_their_own_name_and_not_by_an_empty_one(
    scope: Scope, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    hers = await signed_in(scope, (await new_person(scope, "revisor")).ator)
    token = csrf_of((await hers.get("/conta")).text)
    refused = await hers.post("/conta/nome", data={"csrf": token, "nome": "  "})
    assert (refused.status_code, "Informe o nome da pessoa" in refused.text) == (422, True)
    changed = await hers.post("/conta/nome", data={"csrf": token, "nome": "Rita <i>Lima</i>"})
    assert changed.headers["location"] == "/conta?ok=nome"
    assert "Rita &lt;i&gt;Lima&lt;/i&gt;" in (await hers.get("/conta")).text


async def test_an_erased_account_stays_in_the_list_as_nobodys_with_nothing_to_be_done_to_it(
    admin: httpx.AsyncClient, container: Container, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf
) -> None:
    rita = await new_person(scope, "revisor")
    await container.pessoas.apagar(scope, rita.email, "Pedido 20")
    page = (await admin.get("/admin/pessoas")).text
    assert ("Apagada a pedido" in page, rita.email in page, f"/admin/pessoas/{rita.id}/" in page) == (True, False, False)
    back = await admin.post(f"/admin/pessoas/{rita.id}/acesso", data={"csrf": csrf_of(page), "acesso": "deixar"})
    assert back.status_code == 404
