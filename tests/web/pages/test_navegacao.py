"""Where each role can go from any page, and what a page's frame shows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from crivo.kernel.access import PAPEIS, TABELA, Papel, Usuario
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope
from crivo.web.access import ACCESS
from crivo.web.pages.avisos import FEITOS
from crivo.web.pages.navegacao import AREAS, areas_of, iniciais, may_open

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
HTML = {"accept": "text/html"}


def acting(papel: Papel) -> Scope:
    return Scope("local", "usuario:x", Pessoa("local", UUID(int=1), papel))


def places(papel: Papel) -> list[str]:
    return [lugar.endereco for area in areas_of(acting(papel), casa="local") for lugar in area.lugares]


@pytest.mark.parametrize("papel", PAPEIS)
def test_the_navigation_leads_only_where_the_role_may_go(papel: Papel) -> None:
    shown = places(papel)
    assert shown[0] == "/"
    for area in AREAS:
        for lugar in area.lugares:
            admission = ACCESS["GET", lugar.endereco]
            assert admission != "publica"
            assert (lugar.endereco in shown) == (papel in TABELA[admission].papeis)


def test_a_patient_sees_the_appointments_and_nothing_of_the_others_work() -> None:
    assert places("paciente") == ["/", "/clinicas/conversa", "/minhas-consultas"]


def test_whoever_may_open_every_page_is_led_to_all_that_exist() -> None:
    shown = places("super_admin")
    assert {"/autorizacoes", "/admin/editais", "/avaliacao", "/clinicas/conversa"} <= set(shown)
    assert all(("GET", address) in ACCESS for address in shown)


def test_what_is_of_the_whole_installation_is_shown_to_its_own_organisation_alone() -> None:
    for casa in ("outra", ""):
        shown = [lugar.endereco for area in areas_of(acting("super_admin"), casa=casa) for lugar in area.lugares]
        assert ("/admin/organizacoes" in shown, "/admin/cotas" in shown) == (False, True)


def test_a_page_that_does_not_exist_yet_is_not_offered() -> None:
    assert areas_of(acting("gestor"), {}) == ()
    assert not may_open(acting("gestor"), "/nada")
    assert not may_open(acting("super_admin"), "/healthz"), "no page, although it is open to all"


@pytest.mark.parametrize(
    ("nome", "letters"),
    [("Helena Maria Furtado", "HF"), ("ana", "A"), ("", ""), ("🙂 João (reserva) Sá", "JS"), ("  ", ""), ("محمد علي", "مع")],
)
def test_at_most_two_letters_stand_for_a_person(nome: str, letters: str) -> None:
    assert iniciais(nome) == letters


async def test_the_place_where_one_is_stands_out(browser: httpx.AsyncClient) -> None:
    listed = (await browser.get("/autorizacoes")).text
    assert '<a href="/autorizacoes" aria-current="page">' in listed
    assert listed.count("aria-current") == 1
    start = (await browser.get("/")).text
    assert '<a href="/" aria-current="page">' in start


@pytest.mark.parametrize(
    ("cookie", "shown"), [("escuro", ' data-tema="escuro"'), ("claro", ' data-tema="claro"'), ("", ""), ('"><script>', "")]
)
async def test_the_chosen_theme_is_there_from_the_first_byte(anonymous: httpx.AsyncClient, cookie: str, shown: str) -> None:
    page = (await anonymous.get("/entrar", headers=HTML | {"cookie": f"crivo_tema={cookie}"})).text
    assert f'<html lang="pt-BR"{shown}>' in page
    assert ('content="light dark"' in page) == (not shown)


@pytest.mark.parametrize(("code", "said"), [("gravado", FEITOS["gravado"]), ("<b>ganhou</b>", ""), ("ganhou", ""), ("", "")])
async def test_only_words_of_ours_are_said_in_passing(browser: httpx.AsyncClient, code: str, said: str) -> None:
    page = (await browser.get("/", params={"ok": code})).text
    region = page.split('id="avisos-rapidos"')[1].split("<template")[0]
    assert ("aviso-rapido" in region) == bool(said)
    assert said in region
    assert "ganhou" not in page


async def test_nothing_is_said_in_passing_to_somebody_unknown(anonymous: httpx.AsyncClient) -> None:
    page = (await anonymous.get("/entrar", params={"ok": "gravado"}, headers=HTML)).text
    assert FEITOS["gravado"] not in page
    assert 'class="areas"' not in page


async def test_the_frame_names_the_person_and_their_role(signed_in: SignedIn, scope: Scope, new_person: Callable[..., Any]) -> None:
    person: Usuario = await new_person(scope, "revisor", f"{uuid4()}@teste.exemplo")
    page = (await (await signed_in(scope, person.ator)).get("/")).text
    assert "<bdi>Pessoa revisor</bdi> <small>Revisão de autorizações</small>" in page
    assert "/admin/editais" not in page.split("<main")[0]
