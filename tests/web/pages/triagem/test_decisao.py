"""What people decide beside what is suggested: habilitação, avaliações given back, the ranking, and how far they agree."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from decimal import Decimal

import httpx
import pytest

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario, find_usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.edital import Avaliador
from crivo.triagem.julgamento import NotaDada
from seguimento import wait_for_end
from sujeitos import as_person
from triagem_web import EDITAL, empty_queue, screening

CsrfOf = Callable[[str], str]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
BASE = f"/admin/editais/{EDITAL}"
PAGE = f"{BASE}/triagem-ia"
DECIDIR = f"{BASE}/projetos/P0002/habilitacao?aba=habilitacao"
RITA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001", "P0002", "P0003"))


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture(autouse=True)
async def _screened(urls: tuple[str, str], container: Container, scope: Scope, database: Database) -> None:
    """Four projects, all of them suggested as habilitado, without a model."""
    empty_queue(urls[0])
    await container.triagem.importar(scope, importacao(4, EDITAL, avaliadores=[RITA]))
    await container.triagem.executar(scope, EDITAL)
    async with screening(database):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"


@pytest.fixture
async def rita(scope: Scope, database: Database) -> Usuario:
    async with database.unit_of_work(scope) as uow:
        usuario = await find_usuario(uow, RITA.email)
    assert usuario is not None
    return usuario


async def give(container: Container, scope: Scope, person: Usuario, projeto: str, *notas: str) -> None:
    acting = as_person(scope, person)
    for criterio, nota in zip(("C1", "C2"), notas, strict=True):
        await container.julgamento.registrar_nota(acting, EDITAL, projeto, criterio, Decimal(nota), "")


async def test_a_person_decides_beside_the_suggestion_and_gives_a_reason(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    """Triagem 5.3/1: Seed, Painel de habilitação: coluna extra "Sugestão IA"."""
    before = (await gestora.get(PAGE)).text
    assert ("Sugestão IA" in before, before.count("sem decisão")) == (True, 5)  # the chip and four lines
    token = csrf_of(before)
    sent = {"csrf": token, "decisao": "inabilitado", "motivo": ""}
    refused = await gestora.post(DECIDIR, data=sent)
    assert (refused.status_code, "Escreva o motivo" in refused.text) == (422, True)
    assert re.search(r'id="projeto-P0002" open', refused.text)
    decided = await gestora.post(DECIDIR, data=sent | {"motivo": "O documento é de outra pessoa."})
    assert decided.headers["location"].endswith("aba=habilitacao&pagina=1&projeto=P0002&ok=gravado#projeto-P0002")
    after = (await gestora.get(PAGE, params={"projeto": "P0002"})).text
    assert "O documento é de outra pessoa." in after
    assert "diferente da sugestão" in after
    assert "Pessoa gestor" in after
    assert "3 sem decisão" in after
    listed = (await gestora.get(PAGE, params={"filtro": "sem-decisao"})).text
    assert re.findall(r'class="projeto-codigo">(\w+)<', listed) == ["P0001", "P0003", "P0004"]


async def test_a_decision_without_its_reason_is_told_beside_the_field_and_its_address_opens_the_line(
    gestora: httpx.AsyncClient, csrf_of: CsrfOf
) -> None:
    page = (await gestora.get(PAGE, params={"projeto": "P0002"})).text
    assert re.search(r'action="[^"]*/projetos/P0002/habilitacao[^"]*#motivo-P0002"', page)
    refused = await gestora.post(DECIDIR, data={"csrf": csrf_of(page), "decisao": "inabilitado", "motivo": ""})
    assert refused.status_code == 422
    assert re.search(r'<textarea[^>]*name="motivo"[^>]*aria-invalid="true" aria-describedby="erro-motivo-P0002"', refused.text)
    assert re.search(r'</textarea>\s*<p class="campo-erro" id="erro-motivo-P0002"', refused.text)
    again = await gestora.get(DECIDIR)
    assert (again.status_code, again.headers["location"]) == (303, f"{PAGE}?aba=habilitacao&projeto=P0002#projeto-P0002")


async def test_the_cases_of_a_project_are_seen_wherever_it_is_listed(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, rita: Usuario, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    titulo, caso = "Dois projetos com textos parecidos", f"{BASE}/casos/1"
    assert "1 caso, em aberto" in (await gestora.get(PAGE)).text
    for aba in ("habilitacao", "avaliacao"):
        opened = (await gestora.get(PAGE, params={"aba": aba, "projeto": "P0001"})).text
        assert f'<a href="{caso}">Caso 1</a>: {titulo}, em aberto' in opened
    assert f'<a href="{caso}">Caso 1</a>: {titulo}' in (await gestora.get(f"{BASE}/ranking")).text
    judging = await signed_in(scope, rita.ator)
    seen = (await judging.get("/avaliacao/P0001", params={"edital": EDITAL})).text
    told = seen.partition('id="casos"')[2].partition("</div>")[0]
    assert f"Caso 1: {titulo}, em aberto" in told
    assert "P0002" not in told
    sent = {
        "csrf": csrf_of((await gestora.get(caso)).text),
        "visto": "0",
        "texto": "São duas etapas do mesmo projeto.",
        "acao": "descartar",
    }
    assert (await gestora.post(caso, data=sent)).status_code == 303
    assert f"{titulo}, descartado" in (await gestora.get(PAGE, params={"aba": "avaliacao", "projeto": "P0001"})).text
    after = (await judging.get("/avaliacao/P0001", params={"edital": EDITAL})).text
    assert f"{titulo}, descartado" in after
    assert "duas etapas" not in after
    assert (await judging.get(caso)).status_code == 403


async def test_whom_a_person_left_out_is_apart_at_the_end_of_the_ranking(
    gestora: httpx.AsyncClient, csrf_of: CsrfOf, container: Container, scope: Scope, rita: Usuario
) -> None:
    await give(container, scope, rita, "P0002", "10", "10")
    await give(container, scope, rita, "P0001", "5", "5")
    page = (await gestora.get(PAGE)).text
    await gestora.post(DECIDIR, data={"csrf": csrf_of(page), "decisao": "inabilitado", "motivo": "Fora do município."})
    ranking = (await gestora.get(f"{BASE}/ranking")).text
    assert ranking.index("P0001") < ranking.index("Fora da ordem") < ranking.index("P0002")
    assert re.search(r">fora</td>", ranking)


async def test_what_was_decided_before_stays_readable_with_its_reason(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    token = csrf_of((await gestora.get(PAGE)).text)
    for decisao, motivo in (("inabilitado", "O documento é de outra pessoa."), ("habilitado", "Era o nome de casada.")):
        seen = re.findall(r'name="visto" value="(\w*)"', (await gestora.get(PAGE, params={"projeto": "P0002"})).text)
        await gestora.post(DECIDIR, data={"csrf": token, "decisao": decisao, "motivo": motivo, "visto": seen})
    shown = (await gestora.get(PAGE, params={"projeto": "P0002"})).text
    now, earlier = shown.split("Decisões anteriores (1)")
    assert "Era o nome de casada." in now
    assert "O documento é de outra pessoa." in earlier
    assert "O documento é de outra pessoa." not in now


async def test_the_suggestion_can_be_followed_without_a_word(gestora: httpx.AsyncClient, csrf_of: CsrfOf) -> None:
    """Triagem 5.3/1."""
    token = csrf_of((await gestora.get(PAGE)).text)
    assert (await gestora.post(DECIDIR, data={"csrf": token, "decisao": "habilitado", "motivo": ""})).status_code == 303
    assert (await gestora.post(DECIDIR.replace("P0002", "P0099"), data={"csrf": token, "decisao": "habilitado"})).status_code == 404
    assert (await gestora.post(DECIDIR, data={"csrf": token, "decisao": "talvez"})).status_code == 422


async def test_what_was_sent_is_given_back_to_its_author(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, rita: Usuario, csrf_of: CsrfOf
) -> None:
    await give(container, scope, rita, "P0001", "7", "9")
    shown = (await gestora.get(PAGE, params={"aba": "avaliacao", "projeto": "P0001"})).text
    assert shown.count("Reabrir<") == 1
    assert "Rita Melo" in shown
    at = f"{BASE}/projetos/P0001/reabrir?aba=avaliacao"
    token = csrf_of(shown)
    assert (await gestora.post(at, data={"csrf": token, "avaliador": str(rita.id)})).status_code == 303
    assert await container.julgamento.notas(scope, EDITAL) == ()
    given = await container.julgamento.meus_projetos(as_person(scope, rita))
    assert [(one.avaliado, one.comecado) for one in given[:2]] == [(False, True), (False, False)]
    assert (await gestora.post(at, data={"csrf": token, "avaliador": "ninguém"})).status_code == 404


async def test_drafts_are_shown_to_nobody_else(gestora: httpx.AsyncClient, container: Container, scope: Scope, rita: Usuario) -> None:
    acting = as_person(scope, rita)
    await container.julgamento.salvar(acting, EDITAL, "P0001", [NotaDada("C1", Decimal("3.21"), "Um segredo.")])
    for path in (f"{PAGE}?aba=avaliacao", f"{BASE}/ranking"):
        shown = (await gestora.get(path)).text
        assert "3,21" not in shown
        assert "Um segredo" not in shown


async def test_projects_stand_in_order_of_their_weighted_notas(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, rita: Usuario
) -> None:
    for projeto, notas in (("P0001", ("7", "7")), ("P0002", ("4", "10")), ("P0003", ("7", "7"))):
        await give(container, scope, rita, projeto, *notas)
    shown = (await gestora.get(f"{BASE}/ranking")).text
    places = re.findall(r'data-label="Ordem">([^<]+)<.*?class="sub">(P\d+)', shown, re.DOTALL)
    assert places == [("1º", "P0002"), ("2º", "P0001"), ("2º", "P0003"), ("—", "P0004")]
    assert "<strong>8,00</strong>" in shown  # (1 × 4 + 2 × 10) ÷ 3
    assert "Não há notas sugeridas" in shown
    by_suggestion = (await gestora.get(f"{BASE}/ranking", params={"por": "sugestao"})).text
    assert re.findall(r'data-label="Ordem">([^<]+)<', by_suggestion) == ["—"] * 4
    assert "Sem notas ainda" in by_suggestion
    assert "Sem notas ainda" not in shown


async def test_before_any_nota_no_project_has_a_place_and_the_ranking_says_why(gestora: httpx.AsyncClient) -> None:
    for query in ({}, {"por": "pessoas"}, {"por": "sugestao"}):
        shown = (await gestora.get(f"{BASE}/ranking", params=query)).text
        assert re.findall(r'data-label="Ordem">([^<]+)<', shown) == ["—"] * 4
        assert "Sem notas ainda" in shown
    nothing = (await gestora.get(f"{BASE}/ranking", params={"q": "não há tal projeto"})).text
    assert "Nada foi encontrado" in nothing
    assert "Sem notas ainda" not in nothing
    csv = (await gestora.get(f"{PAGE}/exportacao?formato=csv&tabela=ranking")).text
    lines = csv.strip().splitlines()[1:]
    assert [line.split(";")[0] for line in lines] == [""] * 4
    assert all("Sem decisão: sem notas ainda" in line for line in lines)


async def test_lines_are_sorted_as_the_address_says(gestora: httpx.AsyncClient) -> None:
    async def listed(**query: str) -> list[str]:
        return re.findall(r'class="projeto-codigo">(\w+)<', (await gestora.get(PAGE, params=query)).text)

    assert await listed(ordem="projeto") == ["P0001", "P0002", "P0003", "P0004"]
    assert await listed(ordem="nada disto") == ["P0001", "P0002", "P0003", "P0004"]
    assert await listed(aba="avaliacao", ordem="projeto") == ["P0001", "P0002", "P0003", "P0004"]
    signs = await listed(aba="irregularidades", ordem="projeto")
    assert signs == ["P0001", "P0003", "P0002", "P0004"]
