"""Who judges by a draw, a round of calibration, impediments and last days, on pages that need no script."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from decimal import Decimal
from html import unescape

import httpx
import pytest

from casa_avaliada import chamada
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.clock import today
from crivo.kernel.tenancy import Scope
from crivo.triagem.julgamento import NotaDada
from sujeitos import as_person

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
BASE = "/admin/editais/ED-1"
PESSOAS, SORTEIO, CALIBRACAO = f"{BASE}/avaliadores", f"{BASE}/sorteio", f"{BASE}/calibracao"


@pytest.fixture(autouse=True)
async def _imported(container: Container, scope: Scope) -> None:
    await container.triagem.importar(scope, chamada(6))


@pytest.fixture
async def manager(scope: Scope, new_person: NewPerson) -> Usuario:
    return await new_person(scope, "gestor")


@pytest.fixture
async def gestora(scope: Scope, manager: Usuario, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, manager.ator)


@pytest.fixture
async def tres(container: Container, scope: Scope, manager: Usuario, new_person: NewPerson) -> list[Usuario]:
    people = [await new_person(scope, "avaliador", email=f"{nome}@avalia.exemplo") for nome in ("rita", "davi", "bia")]
    for one in people:
        await container.quem_avalia.incluir(as_person(scope, manager), "ED-1", one.id)
    return people


def forms_of(page: str, action: str) -> list[dict[str, str]]:
    forms = re.findall(rf'<form[^>]*action="{re.escape(action)}[^"]*"[^>]*>(.*?)</form>', page, re.DOTALL)
    assert forms, action
    return [
        {name: unescape(value) for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', one)} for one in forms
    ]


def words_of(page: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page.partition("<main")[2])))


async def judged(container: Container, scope: Scope, who: Usuario, codigo: str, nota: int) -> None:
    notas = [NotaDada("C1", Decimal(nota), "Porque sim."), NotaDada("C2", Decimal(7), "")]
    await container.julgamento.registrar_notas(as_person(scope, who), "ED-1", codigo, notas)


async def test_a_draw_is_asked_foreseen_given_seen_and_undone(
    gestora: httpx.AsyncClient, tres: list[Usuario], scope: Scope, signed_in: SignedIn
) -> None:
    asked = (await gestora.get(SORTEIO)).text
    assert re.search(r'name="por_projeto"[^>]*value="2"', asked)
    assert re.search(r'name="semente"[^>]*value="SEMENTE-1"', asked)
    preview = await gestora.get(SORTEIO, params={"por_projeto": "2", "semente": "SEMENTE-1", "previa": "sim"})
    assert "Nada acontece antes de você confirmar" in preview.text
    assert "Dar 12 entregas sorteadas" in preview.text
    sent = await gestora.post(SORTEIO, data=forms_of(preview.text, SORTEIO)[0])
    assert sent.status_code == 303, sent.text
    listed = (await gestora.get(sent.headers["location"].partition("#")[0])).text
    assert "Sorteio, semente SEMENTE-1: 6 projetos dados, 12 entregas" in words_of(listed)
    assert "Sorteado: os projetos já estão na lista" in listed
    rita = await signed_in(scope, tres[0].ator)
    assert len(set(re.findall(r"/avaliacao/(P\d+)", (await rita.get("/avaliacao")).text))) == 4
    assert "Confere" in words_of((await gestora.get(SORTEIO)).text)
    (undo,) = re.findall(rf'action="({BASE}/distribuicao/atos/[\w-]+/desfazer)"', listed)
    assert (await gestora.post(undo, data=forms_of(listed, undo)[0])).headers["location"] == f"{PESSOAS}?ok=distribuicao_desfeita"
    assert "Nenhum projeto ainda" in (await rita.get("/avaliacao")).text


async def test_a_number_that_is_none_comes_back_at_its_field_and_what_changed_is_told(
    gestora: httpx.AsyncClient, tres: list[Usuario], container: Container, scope: Scope, manager: Usuario
) -> None:
    refused = await gestora.get(SORTEIO, params={"por_projeto": "dois", "previa": "sim"})
    assert (refused.status_code, "Escreva um número inteiro" in refused.text) == (422, True)
    assert re.search(r'name="por_projeto"[^>]*value="dois"[^>]*aria-invalid="true"', refused.text)
    preview = (await gestora.get(SORTEIO, params={"previa": "sim"})).text
    await container.quem_nao_pode.registrar(as_person(scope, manager), "ED-1", tres[0].id, ["P0001"], "É irmã de quem propõe.")
    told = forms_of(preview, SORTEIO)[0]
    changed = await gestora.post(SORTEIO, data=told | {"prevista": "x"})
    assert (changed.status_code, "Nada foi feito" in changed.text) == (409, True)
    assert "Dar 12 entregas sorteadas" in changed.text  # the preview of now
    assert (await gestora.post(SORTEIO, data={"prevista": told["prevista"]})).status_code == 403  # not our form


async def test_projects_that_lack_people_are_told_with_why(gestora: httpx.AsyncClient, tres: list[Usuario]) -> None:
    preview = words_of((await gestora.get(SORTEIO, params={"por_projeto": "4", "maximo": "3", "previa": "sim"})).text)
    assert "gente faltando" in preview
    assert "já estão no limite de projetos" in preview
    assert "O que falta não é escondido" in preview


async def test_where_two_differ_too_much_a_third_is_drawn_from_the_list(
    gestora: httpx.AsyncClient, tres: list[Usuario], container: Container, scope: Scope, manager: Usuario
) -> None:
    assert "Nenhum projeto pede outra pessoa agora" in (await gestora.get(SORTEIO)).text
    lia, (rita, davi, bia) = as_person(scope, manager), tres
    previa = await container.distribuicao.prever(lia, "ED-1", ["P0001"], [rita.id, davi.id])
    await container.distribuicao.dar(lia, "ED-1", ["P0001"], [rita.id, davi.id], previa.prevista)
    await judged(container, scope, rita, "P0001", 2)
    await judged(container, scope, davi, "P0001", 9)
    listed = (await gestora.get(SORTEIO)).text
    assert "Duas notas distam demais: Mérito, 2 e 9" in words_of(listed)
    assert "pede mais 1 pessoa" in words_of(listed)
    preview = (await gestora.get(SORTEIO, params={"alvo": "outra", "previa": "sim"})).text
    assert "Dar 1 entrega sorteada" in preview
    assert (await gestora.post(SORTEIO, data=forms_of(preview, SORTEIO)[0])).status_code == 303
    assert [one.projeto_id for one in await container.julgamento.meus_projetos(as_person(scope, bia))] == ["P0001"]
    assert "1 pessoa já tem o projeto e não enviou" in words_of((await gestora.get(SORTEIO)).text)


async def test_categorias_impediment_and_day_of_one_person_are_set_on_their_page_and_come_back_where_refused(
    gestora: httpx.AsyncClient, tres: list[Usuario], container: Container, scope: Scope, manager: Usuario
) -> None:
    async with container.database.unit_of_work(scope) as uow:  # the dates alone, as an edital that is changed on its page
        await uow.connection.exec_driver_sql(
            "update editais set dados = jsonb_set(dados, '{fases}', %s::jsonb) where tenant_id = %s",
            ('[{"fase": "avaliacao", "inicio": "2020-01-01", "fim": "2020-01-31"}]', scope.tenant_id),
        )
    rita = tres[0]
    person = f"{PESSOAS}/{rita.id}"
    page = (await gestora.get(f"{PESSOAS}?pessoa={rita.id}")).text
    assert "O prazo das notas terminou em 31/01/2020." in words_of(page)
    csrf = forms_of(page, person)[0]["csrf"]
    assert (await gestora.get(person)).headers["location"] == f"{PESSOAS}?pessoa={rita.id}"

    refused = await gestora.post(person, data={"csrf": csrf, "acao": "prazo", "ate": "2020-01-01", "motivo_prazo": "Ficou doente."})
    assert (refused.status_code, "Este dia já passou" in refused.text, ">\nFicou doente.</textarea>" in refused.text) == (422, True, True)
    amanha = (today(container.clock) + timedelta(days=1)).isoformat()
    done = await gestora.post(person, data={"csrf": csrf, "acao": "prazo", "ate": amanha, "motivo_prazo": "Ficou doente."})
    assert done.headers["location"] == f"{PESSOAS}?pessoa={rita.id}&ok=prazo"
    page = (await gestora.get(f"{PESSOAS}?pessoa={rita.id}")).text
    assert "Ficou doente." in page
    which = next(one["qual"] for one in forms_of(page, person) if "qual" in one)
    undone = await gestora.post(person, data={"csrf": csrf, "acao": "desfazer_prazo", "qual": which})
    assert undone.headers["location"].endswith("ok=prazo_desfeito")

    refused = await gestora.post(person, data={"csrf": csrf, "acao": "impedir", "codigos": "P0099", "motivo_impedimento": "É irmã."})
    assert (refused.status_code, "P0099" in refused.text, ">\nÉ irmã.</textarea>" in refused.text) == (404, True, True)
    done = await gestora.post(person, data={"csrf": csrf, "acao": "impedir", "codigos": "P0001, P0002", "motivo_impedimento": "É irmã."})
    assert done.headers["location"] == f"{PESSOAS}?pessoa={rita.id}&ok=impedido#impedimentos"
    page = (await gestora.get(PESSOAS)).text
    assert words_of(page).count("É irmã.") == 2
    which = next(one["qual"] for one in forms_of(page, person) if "qual" in one)
    undone = await gestora.post(person, data={"csrf": csrf, "acao": "desfazer_impedimento", "qual": which})
    assert undone.headers["location"].endswith("ok=impedimento_desfeito#impedimentos")
    assert "Desfeito por" in (await gestora.get(PESSOAS)).text
    for acao in ("desfazer_impedimento", "desfazer_prazo"):
        assert (await gestora.post(person, data={"csrf": csrf, "acao": acao, "qual": "nada"})).status_code in (404, 409)
    wrong = await gestora.post(person, data={"csrf": csrf, "acao": "categorias", "categoria": "Circo"})
    assert (wrong.status_code, "Nenhum projeto deste edital é da categoria Circo" in wrong.text) == (422, True)


async def test_notas_that_stood_are_read_where_an_impediment_took_them(
    gestora: httpx.AsyncClient, tres: list[Usuario], container: Container, scope: Scope, manager: Usuario
) -> None:
    lia, rita = as_person(scope, manager), tres[0]
    previa = await container.distribuicao.prever(lia, "ED-1", ["P0001"], [rita.id])
    await container.distribuicao.dar(lia, "ED-1", ["P0001"], [rita.id], previa.prevista)
    await judged(container, scope, rita, "P0001", 9)
    await container.quem_nao_pode.registrar(lia, "ED-1", rita.id, ["P0001"], "É irmã de quem propõe.")
    page = words_of((await gestora.get(PESSOAS)).text)
    assert "As notas que não contam mais Mérito: 9 Porque sim." in page


async def test_whoever_judges_says_that_they_must_not_and_the_project_leaves_their_list(
    tres: list[Usuario], container: Container, scope: Scope, manager: Usuario, signed_in: SignedIn
) -> None:
    lia, rita = as_person(scope, manager), tres[0]
    previa = await container.distribuicao.prever(lia, "ED-1", ["P0001", "P0002"], [rita.id])
    await container.distribuicao.dar(lia, "ED-1", ["P0001", "P0002"], [rita.id], previa.prevista)
    sees = await signed_in(scope, rita.ator)
    page = (await sees.get("/avaliacao/P0001?edital=ED-1")).text
    assert "Não posso avaliar este projeto" in page
    address = "/avaliacao/P0001/impedimento"
    fields = forms_of(page, address)[0]
    refused = await sees.post(f"{address}?edital=ED-1", data=fields | {"motivo": "oi"})
    assert (refused.status_code, "Escreva por que" in refused.text, ">\noi</textarea>" in refused.text) == (422, True, True)
    done = await sees.post(f"{address}?edital=ED-1", data=fields | {"motivo": "Sou prima de quem propõe."})
    assert done.headers["location"] == "/avaliacao?ok=impedimento_declarado"
    page = (await sees.get(done.headers["location"])).text
    assert set(re.findall(r"/avaliacao/(P\d+)", page)) == {"P0002"}
    assert "fale com a gestão do edital" in page
    assert (await sees.post(f"{address}?edital=ED-1", data=fields | {"motivo": "De novo."})).status_code == 404


async def test_a_round_is_begun_seen_by_who_judges_measured_and_opened(
    gestora: httpx.AsyncClient, tres: list[Usuario], container: Container, scope: Scope, manager: Usuario, signed_in: SignedIn
) -> None:
    lia, rita = as_person(scope, manager), tres[0]
    previa = await container.distribuicao.prever(lia, "ED-1", ["P0006"], [rita.id])
    await container.distribuicao.dar(lia, "ED-1", ["P0006"], [rita.id], previa.prevista)
    refused = await gestora.get(CALIBRACAO, params={"codigos": "P0001 P0002", "previa": "sim"})
    assert (refused.status_code, "é de 3 projetos" in refused.text) == (409, True)
    preview = (await gestora.get(CALIBRACAO, params={"codigos": "P0001, P0002 P0003", "previa": "sim"})).text
    assert "os demais projetos delas ficam fechados" in words_of(preview)
    told = forms_of(preview, CALIBRACAO)[0]
    assert (await gestora.post(CALIBRACAO, data=told | {"prevista": "x"})).status_code == 409
    assert (await gestora.post(CALIBRACAO, data=told)).headers["location"] == f"{CALIBRACAO}?ok=calibracao_comecada"
    sees = await signed_in(scope, rita.ator)
    queue = words_of((await sees.get("/avaliacao")).text)
    assert "1 projeto seu espera a calibração no edital ED-1." in queue
    assert "faltam 3 de 3" in queue
    closed = await sees.get("/avaliacao/P0006?edital=ED-1")
    assert (closed.status_code, "Este projeto ainda não abriu" in closed.text) == (409, True)
    for codigo, nota in (("P0001", 3), ("P0002", 5), ("P0003", 9)):
        await judged(container, scope, rita, codigo, nota)
        await judged(container, scope, tres[1], codigo, nota - 1)
    assert "Você já enviou os projetos em comum, e falta alguém enviar." in words_of((await sees.get("/avaliacao")).text)
    seen = words_of((await gestora.get(CALIBRACAO)).text)
    assert "Uma pessoa ainda não enviou tudo" in seen
    assert re.search(r"Concordância \(ICC\) 0,\d\d \(intervalo de 95%", seen)
    assert "distância de 10% da escala" in seen
    page = (await gestora.get(CALIBRACAO)).text
    csrf = forms_of(page, CALIBRACAO)[0]["csrf"]
    refused = await gestora.post(CALIBRACAO, data={"csrf": csrf, "acao": "abrir", "motivo": ""})
    assert (refused.status_code, "Escreva por que" in refused.text) == (409, True)
    opened = await gestora.post(CALIBRACAO, data={"csrf": csrf, "acao": "abrir", "motivo": "Bia está de licença."})
    assert opened.headers["location"] == f"{CALIBRACAO}?ok=calibracao_aberta"
    assert "Abertos antes do fim: Bia está de licença." in words_of((await gestora.get(CALIBRACAO)).text)
    assert (await sees.get("/avaliacao/P0006?edital=ED-1")).status_code == 200
    assert (await gestora.post(CALIBRACAO, data={"csrf": csrf, "acao": "fechar"})).headers["location"].endswith("calibracao_fechada")
    assert (await sees.get("/avaliacao/P0006?edital=ED-1")).status_code == 409
    assert (await gestora.post(CALIBRACAO, data={"csrf": csrf, "acao": "desfazer"})).headers["location"].endswith("calibracao_desfeita")
    assert (await sees.get("/avaliacao/P0006?edital=ED-1")).status_code == 200


async def test_whoever_judges_opens_none_of_the_pages_of_who_manages(tres: list[Usuario], scope: Scope, signed_in: SignedIn) -> None:
    sees = await signed_in(scope, tres[0].ator)
    for address in (SORTEIO, CALIBRACAO, f"{PESSOAS}/{tres[0].id}"):
        assert (await sees.get(address)).status_code == 403
