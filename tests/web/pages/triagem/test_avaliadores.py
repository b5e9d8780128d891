"""Who judges an edital, on pages that need no script: brought in, given marked projects, reminded, taken from, and what was met there."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from decimal import Decimal
from html import unescape

import httpx
import pytest

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope
from crivo.triagem.julgamento import NotaDada
from sujeitos import as_person
from triagem_web import EDITAL

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
BASE = f"/admin/editais/{EDITAL}"
PESSOAS = f"{BASE}/avaliadores"


@pytest.fixture(autouse=True)
async def _imported(container: Container, scope: Scope) -> None:
    await container.triagem.importar(scope, importacao(3, EDITAL))


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture
async def rita(scope: Scope, new_person: NewPerson) -> Usuario:
    return await new_person(scope, "avaliador", email="rita@avalia.exemplo")


def form_of(page: str, action: str) -> dict[str, str]:
    form = re.search(rf'<form[^>]*action="{re.escape(action)}[^"]*"[^>]*>(.*?)</form>', page, re.DOTALL)
    assert form, action
    return {name: unescape(value) for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[1])}


async def brought_in(gestora: httpx.AsyncClient, rita: Usuario) -> None:
    listed = (await gestora.get(PESSOAS)).text
    assert "rita@avalia.exemplo" not in listed  # read by whoever administers, and in /admin/pessoas
    sent = await gestora.post(PESSOAS, data=form_of(listed, PESSOAS) | {"pessoa": str(rita.id)})
    assert (sent.status_code, sent.headers["location"]) == (303, f"{PESSOAS}?ok=avaliador")


async def given(gestora: httpx.AsyncClient, rita: Usuario, *codigos: str) -> httpx.Response:
    """Marked on the mesa, a person chosen, the preview confirmed."""
    mesa = (await gestora.get(f"{BASE}/mesa?visao=todos")).text
    asked = form_of(mesa, f"{BASE}/mesa/lote") | {"alvo": "marcados", "acao": "dar", "codigo": list(codigos)}
    people = await gestora.post(f"{BASE}/mesa/lote?visao=todos", data=asked)
    assert people.status_code == 200, people.text
    chosen = form_of(people.text, f"{BASE}/selecao") | {"avaliador": str(rita.id)}
    preview = await gestora.post(f"{BASE}/selecao", data=chosen)
    assert "Nada acontece antes de você confirmar" in preview.text
    return await gestora.post(f"{BASE}/distribuicao", data=form_of(preview.text, f"{BASE}/distribuicao"))


async def test_marked_projects_are_given_seen_by_who_judges_and_taken_back(
    gestora: httpx.AsyncClient, rita: Usuario, scope: Scope, signed_in: SignedIn
) -> None:
    await brought_in(gestora, rita)
    sent = await given(gestora, rita, "P0001", "P0003")
    assert sent.status_code == 303
    listed = (await gestora.get(sent.headers["location"].partition("#")[0])).text
    assert "2 projetos dados" in listed
    assert "1 dos 3 projetos não está com ninguém" in listed
    rita_sees = await signed_in(scope, rita.ator)
    assert set(re.findall(r"/avaliacao/(P\d+)", (await rita_sees.get("/avaliacao")).text)) == {"P0001", "P0003"}
    (undo,) = re.findall(rf'action="({BASE}/distribuicao/atos/[\w-]+/desfazer)"', listed)
    undone = await gestora.post(undo, data=form_of(listed, undo))
    assert undone.headers["location"] == f"{PESSOAS}?ok=distribuicao_desfeita"
    assert "Nenhum projeto ainda" in (await rita_sees.get("/avaliacao")).text
    again = await gestora.post(undo, data=form_of(listed, undo))
    assert (again.status_code, "não há o que desfazer" in again.text) == (409, True)


async def test_a_reminder_stands_on_both_pages_with_who_asked_until_the_notas_are_sent(
    gestora: httpx.AsyncClient, rita: Usuario, scope: Scope, signed_in: SignedIn, container: Container
) -> None:
    await brought_in(gestora, rita)
    await given(gestora, rita, "P0001")
    preview = await gestora.get(f"{BASE}/selecao", params={"acao": "lembrar", "codigo": ["P0001", "P0002"]})
    assert "O crivo não manda e-mail" in preview.text
    assert "P0002: não está com ninguém" in preview.text
    sent = await gestora.post(f"{BASE}/lembrete", data=form_of(preview.text, f"{BASE}/lembrete"))
    assert sent.headers["location"] == f"{PESSOAS}?ok=lembrado"
    rita_sees = await signed_in(scope, rita.ator)
    for where in ("/", "/avaliacao"):
        seen = re.sub(r"<[^>]+>", "", (await rita_sees.get(where)).text)
        assert "Pessoa gestor pediu as suas notas de 1 projeto" in seen
        assert f"no edital {EDITAL}: P0001" in seen
    again = await gestora.get(f"{BASE}/selecao", params={"acao": "lembrar", "codigo": ["P0001"]})
    assert "já foi lembrada hoje por Pessoa gestor" in again.text
    await container.julgamento.registrar_notas(
        as_person(scope, rita), EDITAL, "P0001", [NotaDada("C1", Decimal(7)), NotaDada("C2", Decimal(8))]
    )
    for where in ("/", "/avaliacao"):
        assert "pediu as suas notas" not in (await rita_sees.get(where)).text


async def test_the_ranking_says_of_how_many_a_mean_is_while_others_have_not_sent_theirs(
    gestora: httpx.AsyncClient, rita: Usuario, scope: Scope, container: Container, new_person: NewPerson
) -> None:
    davi = await new_person(scope, "avaliador", email="davi@avalia.exemplo")
    for who in (rita, davi):
        await brought_in(gestora, who)
        await given(gestora, who, "P0001")
    for who, so_far in ((rita, "1 de 2 pessoas"), (davi, "2 pessoas")):
        notas = [NotaDada("C1", Decimal(7)), NotaDada("C2", Decimal(8))]
        await container.julgamento.registrar_notas(as_person(scope, who), EDITAL, "P0001", notas)
        assert f'<span class="sub">{so_far}</span>' in (await gestora.get(f"{BASE}/ranking")).text


async def test_what_was_sent_is_taken_only_with_a_reason_and_what_was_typed_comes_back(
    gestora: httpx.AsyncClient, rita: Usuario, scope: Scope, container: Container
) -> None:
    await brought_in(gestora, rita)
    await given(gestora, rita, "P0001", "P0002")
    notas = [NotaDada("C1", Decimal(7)), NotaDada("C2", Decimal(8))]
    await container.julgamento.registrar_notas(as_person(scope, rita), EDITAL, "P0001", notas)
    person = (await gestora.get(f"{PESSOAS}?pessoa={rita.id}")).text
    assert "Notas enviadas continuam contando" in person
    take = f"{PESSOAS}/{rita.id}/tirar"
    fields = form_of(person, take) | {"acao": "tirar", "codigo": "P0001", "notas": "nao_contam", "motivo": "oi"}
    refused = await gestora.post(take, data=fields)
    assert (refused.status_code, "Escreva o motivo" in refused.text) == (422, True)
    assert re.search(r'value="P0001" checked', refused.text)
    assert re.search(r'value="nao_contam" checked', refused.text)
    assert ">\noi</textarea>" in refused.text
    done = await gestora.post(take, data=fields | {"motivo": "Conhece o grupo."})
    assert done.headers["location"] == f"{PESSOAS}?pessoa={rita.id}&ok=projetos_tirados"
    assert await container.julgamento.notas(scope, EDITAL) == ()
    left = await gestora.post(take, data=fields | {"acao": "sair"})
    assert left.headers["location"] == f"{PESSOAS}?ok=avaliador_saiu"


async def test_a_preview_that_is_old_gives_nothing_and_names_what_changed(
    gestora: httpx.AsyncClient, rita: Usuario, scope: Scope, container: Container, new_person: NewPerson
) -> None:
    await brought_in(gestora, rita)
    chosen = {"acao": "dar", "codigos": "P0001 P0002", "avaliador": str(rita.id), "escolheu": "sim"}
    token = form_of((await gestora.get(PESSOAS)).text, PESSOAS)
    preview = await gestora.post(f"{BASE}/selecao", data=token | chosen)
    davi = as_person(scope, await new_person(scope, "gestor"))
    other = await container.distribuicao.prever(davi, EDITAL, ["P0002"], [rita.id])
    await container.distribuicao.dar(davi, EDITAL, ["P0002"], [rita.id], other.prevista)
    fields = form_of(preview.text, f"{BASE}/distribuicao")
    refused = await gestora.post(f"{BASE}/distribuicao", data=fields)
    assert refused.status_code == 409
    assert "Mudou: P0002" in refused.text
    assert "Dar 1 projeto" in refused.text  # the preview of now, to be confirmed
    done = await gestora.post(f"{BASE}/distribuicao", data=form_of(refused.text, f"{BASE}/distribuicao"))
    assert done.status_code == 303


async def test_marked_projects_are_exported_with_what_people_decided_though_nothing_was_screened(
    gestora: httpx.AsyncClient, scope: Scope, container: Container, new_person: NewPerson
) -> None:
    lia = as_person(scope, await new_person(scope, "gestor"))
    await container.decisoes.decidir(lia, EDITAL, "P0002", "inabilitado", "Falta a certidão.", None)
    csv = await gestora.get(f"{BASE}/selecao", params={"acao": "csv", "codigo": ["P0002", "P0001"]})
    assert csv.headers["content-disposition"] == f'attachment; filename="selecao-{EDITAL}.csv"'
    rows = csv.content.decode("utf-8-sig").splitlines()
    assert [row.split(";")[0] for row in rows[1:]] == ["P0001", "P0002"]
    assert "Falta a certidão." in rows[2]
    xlsx = await gestora.get(f"{BASE}/selecao", params={"acao": "xlsx", "codigo": "P0001"})
    assert xlsx.content.startswith(b"PK")
    nothing = await gestora.get(f"{BASE}/selecao", params={"acao": "csv"})
    assert "Nenhum projeto marcado" in nothing.text


async def test_nothing_marked_nobody_chosen_and_nobody_there_are_each_told_with_what_to_do(
    gestora: httpx.AsyncClient, rita: Usuario
) -> None:
    assert "Marque ao menos um projeto" in (await gestora.get(f"{BASE}/selecao", params={"acao": "dar"})).text
    alone = await gestora.get(f"{BASE}/selecao", params={"acao": "dar", "codigo": "P0001"})
    assert "Ninguém avalia este edital ainda" in alone.text
    await brought_in(gestora, rita)
    token = form_of((await gestora.get(PESSOAS)).text, PESSOAS) if "<select" in (await gestora.get(PESSOAS)).text else {}
    nobody = await gestora.post(f"{BASE}/selecao", data=token | {"acao": "dar", "codigos": "P0001", "escolheu": "sim"})
    assert (nobody.status_code, "Escolha ao menos uma pessoa" in nobody.text) == (422, True)
    twice = await gestora.post(PESSOAS, data=token | {"pessoa": str(rita.id)})
    assert (twice.status_code, "já avalia este edital" in twice.text) == (422, True)
    assert (await gestora.get(f"{PESSOAS}?pessoa=nada")).status_code == 200
