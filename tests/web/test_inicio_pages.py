"""The first page: what waits for this person today, and nothing of what others do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest

from crivo.kernel.access import PAPEIS, Papel, Usuario
from crivo.kernel.tenancy import Scope
from crivo.web.pages.inicio import _PARA
from crivo.web.pages.navegacao import AREAS, areas_of, may_open

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]


@pytest.mark.parametrize("papel", PAPEIS)
async def test_with_nothing_waiting_every_role_is_told_so(scope: Scope, new_person: NewPerson, signed_in: SignedIn, papel: Papel) -> None:
    shown = await (await signed_in(scope, (await new_person(scope, papel)).ator)).get("/")
    assert shown.status_code == 200
    assert "Nada espera por você agora" in shown.text


async def test_a_reviewer_sees_how_many_decisions_wait_and_others_do_not(
    scope: Scope, new_person: NewPerson, signed_in: SignedIn, api: httpx.AsyncClient, published: str, pedido: dict[str, Any]
) -> None:
    for n in range(2):
        await api.post("/api/autorizacoes", json={**pedido, "pedido_id": f"P-{n}", "documentos_anexos": []})
    reviewer = await signed_in(scope, (await new_person(scope, "revisor")).ator)
    assert ("2 decisões esperam por uma pessoa" in (await reviewer.get("/")).text) == may_open("revisor", "/autorizacoes/fila")
    patient = await signed_in(scope, (await new_person(scope, "paciente")).ator)
    assert "esperam por uma pessoa" not in (await patient.get("/")).text


@pytest.mark.parametrize("papel", PAPEIS)
def test_every_place_of_the_navigation_says_what_it_is_for(papel: Papel) -> None:
    places = {lugar.endereco for area in areas_of(papel) for lugar in area.lugares}
    assert places - {"/"} <= set(_PARA)
    assert places


def test_nothing_is_described_that_has_no_place() -> None:
    assert set(_PARA) <= {lugar.endereco for area in AREAS for lugar in area.lugares}
