"""Screening over HTTP: begun, followed, read, cancelled, gone on with; each person within their role."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import json
from collections.abc import AsyncIterator, Callable
from contextlib import nullcontext
from decimal import Decimal
from typing import Any

import httpx
import jsonschema
import msgspec
import openpyxl
import pytest
from fastapi import FastAPI

from chamadas import Falsos, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario, find_usuario
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Resultado
from crivo.triagem.andamento import Execucao
from crivo.triagem.custeio import Custeio, Previsao
from crivo.triagem.erros import TriagemNotFound
from crivo.triagem.montagem import versoes
from crivo.triagem.service import Triagem
from crivo.web.app import create_app
from crivo.web.triagem.eventos import Ritmo, events
from espera import takes
from seguimento import wait_for_end
from triagem_web import AVALIADORA, EDITAL, OUTRO, empty_queue, events_of, screening

NewKey = Callable[..., Any]
NewPerson = Callable[..., Any]
ClientOf = Callable[[str], httpx.AsyncClient]
RUN = "/api/ia/triagem"
AT = f"{RUN}/{EDITAL}"
BODY = {"edital_id": EDITAL, "tipo": "completa"}


@pytest.fixture(autouse=True)
async def edital(urls: tuple[str, str], container: Container, scope: Scope) -> None:
    """Four projects, the first like the third and the second like the fourth; two people judge."""
    empty_queue(urls[0])
    await container.triagem.importar(scope, importacao(4, EDITAL, avaliadores=[AVALIADORA, OUTRO]))


@pytest.fixture
async def screened(database: Database, container: Container, scope: Scope) -> None:
    await container.triagem.executar(scope, EDITAL)
    async with screening(database):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"


@pytest.fixture
async def rita(database: Database, scope: Scope, new_key: NewKey, client_of: ClientOf) -> AsyncIterator[httpx.AsyncClient]:
    """A key of the first person who judges."""
    async with database.unit_of_work(scope) as uow:
        usuario = await find_usuario(uow, AVALIADORA.email)
    assert usuario is not None
    async with client_of(await new_key(scope, usuario=usuario)) as client:
        yield client


def fits(app: FastAPI, name: str, answered: Any) -> bool:
    document = app.openapi()
    schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
    return [fault.message for fault in jsonschema.Draft202012Validator(schema).iter_errors(answered)] == []


# --- running


async def test_a_screening_is_begun_followed_and_read(
    app: FastAPI, api: httpx.AsyncClient, container: Container, scope: Scope, database: Database
) -> None:
    """Triagem 3/1, Triagem 3/2: Seed, API Routes: POST /api/ia/triagem, GET /api/ia/triagem/[editalId], GET …/status."""
    begun = await api.post(RUN, json=BODY)
    assert (begun.status_code, begun.headers["location"], begun.json()["status"]) == (202, f"{AT}/status", "em_andamento")
    assert fits(app, "Execucao", begun.json())
    assert (await api.get(AT)).json()["codigo"] == "triagem_nao_encontrada"
    async with screening(database):
        await wait_for_end(container.triagem, scope, EDITAL)
    status = (await api.get(begun.headers["location"])).json()
    assert (status["status"], status["projetos_analisados"], status["total_projetos"], status["custo"]) == ("concluida", 4, 4, 0)
    found = (await api.get(AT)).json()
    assert fits(app, "Resultado", found)
    assert [one["projeto_id"] for one in found["projetos"]] == ["P0001", "P0002", "P0003", "P0004"]
    assert {one["habilitacao_sugerida"] for one in found["projetos"]} == {"habilitado"}
    assert [one["projetos"] for one in found["irregularidades"]] == [["P0001", "P0003"], ["P0002", "P0004"]]


async def test_without_a_tipo_the_screening_is_complete(api: httpx.AsyncClient) -> None:
    """Triagem 3/1."""
    assert (await api.post(RUN, json={"edital_id": EDITAL})).json()["tipo"] == "completa"


@pytest.mark.parametrize("prefer", ["wait=30", 'respond-async, wait="30"', "WAIT=30"])
async def test_whoever_prefers_to_wait_gets_the_finished_one(api: httpx.AsyncClient, database: Database, prefer: str) -> None:
    """Triagem 1/4: Seed, Decisões: processamento síncrono."""
    async with screening(database):
        done = await api.post(RUN, json=BODY, headers={"prefer": prefer})
    assert (done.status_code, done.json()["status"]) == (200, "concluida")
    assert done.headers["preference-applied"] == "wait=30"


async def test_whoever_waits_for_less_than_it_takes_gets_it_as_it_stands(api: httpx.AsyncClient) -> None:
    waited = await api.post(RUN, json=BODY, headers={"prefer": "wait=1"})
    assert (waited.status_code, waited.json()["status"]) == (202, "em_andamento")
    assert waited.headers["preference-applied"] == "wait=1"


async def test_nobody_waits_for_more_than_a_minute(api: httpx.AsyncClient, database: Database) -> None:
    async with screening(database):
        done = await api.post(RUN, json=BODY, headers={"prefer": "wait=86400"})
    assert done.headers["preference-applied"] == "wait=60"


@pytest.mark.parametrize("prefer", ["", "wait", "wait=-1", "wait=soon", "awaiting=5", "wait=1e9"])
async def test_a_preference_that_says_nothing_is_no_preference(api: httpx.AsyncClient, prefer: str) -> None:
    begun = await api.post(RUN, json=BODY, headers={"prefer": prefer})
    assert (begun.status_code, "preference-applied" in begun.headers) == (202, False)


async def test_a_second_screening_is_told_of_the_one_under_way(app: FastAPI, api: httpx.AsyncClient) -> None:
    both = await asyncio.gather(*(api.post(RUN, json=BODY) for _ in range(2)))
    begun, refused = sorted(both, key=lambda answered: answered.status_code)
    assert (begun.status_code, refused.status_code, refused.json()["codigo"]) == (202, 409, "triagem_em_andamento")
    assert refused.json()["execucao"]["id"] == begun.json()["id"]
    assert fits(app, "ProblemDetails", refused.json())


async def test_a_screening_beyond_the_limit_of_cost_is_forbidden(
    container: Container, settings: Settings, scope: Scope, database: Database, key: str
) -> None:
    dear = Custeio("um-modelo", Decimal(1), lambda _quadro, _lidos: Previsao(8, 4000, 800, Decimal(5)))
    clock = container.clock
    triagem = Triagem(database, Fila(), clock, Uuid7(clock).new, lambda: versoes("local"), dear)
    app = create_app(settings, lambda _: nullcontext(dataclasses.replace(container, triagem=triagem)))
    headers = {"authorization": f"Bearer {key}"}
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste") as client,
    ):
        refused = await client.post(RUN, json=BODY, headers=headers)
        estimated = (await client.get(f"{AT}/estimativa", headers=headers)).json()
    assert (refused.status_code, refused.json()["codigo"]) == (403, "limite_de_custo")
    assert (estimated["custo"], estimated["limite_custo"], estimated["sem_modelo"]) == (5, 1, False)
    with pytest.raises(TriagemNotFound):
        await triagem.status(scope, EDITAL)


async def test_a_screening_in_a_lote_is_begun_over_http_where_the_provider_takes_lotes(
    container: Container, settings: Settings, database: Database, key: str
) -> None:
    sold = Custeio("openai:um", None, lambda _quadro, _lidos: Previsao(8, 4000, 800, Decimal(5)), lotes=True)
    triagem = Triagem(database, Fila(), container.clock, Uuid7(container.clock).new, lambda: versoes("local"), sold)
    app = create_app(settings, lambda _: nullcontext(dataclasses.replace(container, triagem=triagem)))
    headers = {"authorization": f"Bearer {key}"}
    async with (
        app.router.lifespan_context(app),
        httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste") as client,
    ):
        estimated = (await client.get(f"{AT}/estimativa", headers=headers)).json()
        begun = await client.post(RUN, json={**BODY, "em_lote": True}, headers=headers)
    assert (estimated["em_lote"], estimated["custo"], estimated["custo_em_lote"]) == (True, 5, 2.5)
    assert (begun.status_code, begun.json()["lote"]["abertos"], begun.json()["lote"]["enviado_em"]) == (202, 1, None)
    assert fits(app, "Execucao", begun.json())
    assert fits(app, "Estimativa", estimated)


async def test_where_the_provider_takes_no_lotes_nothing_is_begun(api: httpx.AsyncClient) -> None:
    refused = await api.post(RUN, json={**BODY, "em_lote": True})
    assert (refused.status_code, refused.json()["codigo"]) == (409, "lote_indisponivel")
    assert (await api.get(f"{AT}/status")).status_code == 404


async def test_the_estimate_says_that_there_is_no_model(app: FastAPI, api: httpx.AsyncClient) -> None:
    told = (await api.get(f"{AT}/estimativa", params={"tipo": "habilitacao"})).json()
    assert fits(app, "Estimativa", told)
    assert (told["tipo"], told["projetos"], told["custo"], told["sem_modelo"]) == ("habilitacao", 4, 0, True)


async def test_a_screening_is_cancelled_and_gone_on_with(
    api: httpx.AsyncClient, container: Container, scope: Scope, database: Database
) -> None:
    assert (await api.post(f"{AT}/cancelar")).json()["codigo"] == "triagem_nao_encontrada"
    assert (await api.post(f"{AT}/retomar")).status_code == 404
    begun = (await api.post(RUN, json=BODY)).json()
    cancelled = await api.post(f"{AT}/cancelar")
    assert (cancelled.status_code, cancelled.json()["status"]) == (200, "cancelada")
    resumed = await api.post(f"{AT}/retomar")
    assert (resumed.json()["id"], resumed.json()["status"]) == (begun["id"], "em_andamento")
    async with screening(database):
        await wait_for_end(container.triagem, scope, EDITAL)
    assert (await api.post(f"{AT}/retomar")).json()["codigo"] == "nada_a_retomar"


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"{", 400),
        (b"\xff", 400),
        (b"[]", 422),
        (b"{}", 422),
        (json.dumps(BODY | {"tipo": "tudo"}).encode(), 422),
        (json.dumps(BODY | {"mais": 1}).encode(), 422),
        (json.dumps(BODY | {"edital_id": "../x"}).encode(), 422),
        (json.dumps(BODY | {"edital_id": "ED-404"}).encode(), 404),
        (b" " * 20_000, 413),
    ],
)
async def test_what_cannot_be_screened_is_told_so(api: httpx.AsyncClient, content: bytes, status: int) -> None:
    refused = await api.post(RUN, content=content, headers={"content-type": "application/json"})
    assert (refused.status_code, refused.headers["content-type"]) == (status, "application/problem+json")


@pytest.mark.parametrize("code", ["ED-404", "a%00b", "%2e%2e%2fx", "x" * 65, "é", "a%0A"])
@pytest.mark.parametrize("rest", ["", "/status", "/estimativa", "/exportacao", "/concordancia"])
async def test_a_code_that_no_edital_has_is_absent(api: httpx.AsyncClient, code: str, rest: str) -> None:
    refused = await api.get(f"{RUN}/{code}{rest}")
    assert (refused.status_code, refused.headers["content-type"]) == (404, "application/problem+json")


# --- following


async def test_events_tell_each_step_and_the_end(api: httpx.AsyncClient, database: Database) -> None:
    """Triagem 3/3."""
    begun = (await api.post(RUN, json=BODY)).json()
    async with screening(database, Falsos(pausa=lambda: takes(0.1)).achadores()):
        followed = await api.get(f"{AT}/status", headers={"accept": "text/event-stream"})
    assert followed.headers["content-type"] == "text/event-stream; charset=utf-8"
    heard = events_of(followed.text)
    assert heard[0][0] == "andamento"
    assert [name for name, _ in heard][-1] == "fim"
    assert {told["id"] for _, told in heard} == {begun["id"]}
    assert heard[-1][1]["status"] == "concluida"


@pytest.mark.usefixtures("screened")
async def test_whoever_connects_after_the_end_hears_it_at_once(api: httpx.AsyncClient) -> None:
    heard = events_of((await api.get(f"{AT}/status", headers={"accept": "text/event-stream"})).text)
    assert [(name, told["status"]) for name, told in heard] == [("fim", "concluida")]


@pytest.mark.usefixtures("screened")
@pytest.mark.parametrize("accept", ["", "*/*", "application/json", "application/json, text/event-stream"])
async def test_a_document_is_what_is_answered_where_events_are_not_asked_for(api: httpx.AsyncClient, accept: str) -> None:
    assert (await api.get(f"{AT}/status", headers={"accept": accept})).headers["content-type"] == "application/json"


async def test_an_edital_never_screened_has_no_events(api: httpx.AsyncClient) -> None:
    refused = await api.get(f"{AT}/status", headers={"accept": "text/event-stream"})
    assert (refused.status_code, refused.json()["codigo"]) == (404, "triagem_nao_encontrada")


async def test_a_quiet_stream_shows_that_it_lives_and_ends_in_time(container: Container, scope: Scope) -> None:
    execucao = await container.triagem.executar(scope, EDITAL)

    async def look() -> Execucao:
        return execucao

    ritmo = Ritmo(look=0.01, alive=0.02, whole=0.2)
    heard = b"".join([chunk async for chunk in events(execucao, look, lambda now: str(now.id), always, ritmo)]).decode()
    assert heard.startswith("retry: ")
    assert heard.count("event: andamento") == 1
    assert ": ainda em andamento" in heard
    assert "event: fim" not in heard


async def test_a_stream_ends_where_whoever_follows_may_no_more(container: Container, scope: Scope) -> None:
    execucao = await container.triagem.executar(scope, EDITAL)
    answers = iter([True, True, False])

    async def look() -> Execucao:
        return execucao

    async def ainda() -> bool:
        return next(answers)

    heard = [chunk async for chunk in events(execucao, look, lambda now: str(now.id), ainda, Ritmo(look=0.0, ask=0.0))]
    assert [b"andamento" in chunk for chunk in heard] == [False, True]


async def always() -> bool:
    return True


async def test_a_stream_that_can_look_no_more_only_ends(container: Container, scope: Scope) -> None:
    execucao = await container.triagem.executar(scope, EDITAL)

    async def look() -> Execucao:
        raise TriagemNotFound("foi-se")

    heard = [chunk async for chunk in events(execucao, look, lambda now: str(now.id), always, Ritmo(look=0.01))]
    assert [b"andamento" in chunk for chunk in heard] == [False, True]


async def test_only_so_many_follow_at_once(app: FastAPI, api: httpx.AsyncClient) -> None:
    await api.post(RUN, json=BODY)
    places = app.state.web.acompanhamentos
    taken = [places.taken(f"inquilino-{number % 2}") for number in range(200)]
    for one in taken:
        one.__enter__()
    refused = await api.get(f"{AT}/status", headers={"accept": "text/event-stream"})
    assert (refused.status_code, refused.json()["codigo"], "retry-after" in refused.headers) == (503, "sem_vaga", True)
    for one in taken:
        one.__exit__(None, None, None)
    assert (await api.post(f"{AT}/cancelar")).status_code == 200
    assert (await api.get(f"{AT}/status", headers={"accept": "text/event-stream"})).status_code == 200


# --- reading


@pytest.mark.usefixtures("screened")
async def test_the_result_is_exported_for_machines_and_for_people(api: httpx.AsyncClient) -> None:
    as_json = await api.get(f"{AT}/exportacao", params={"formato": "json"})
    resultado = msgspec.json.Decoder(Resultado).decode
    assert resultado(as_json.content) == resultado((await api.get(AT)).content)  # what people decided stands beside it, and takes nothing
    as_csv = await api.get(f"{AT}/exportacao", params={"formato": "csv", "tabela": "irregularidades"})
    assert as_csv.headers["content-disposition"] == f'attachment; filename="triagem-{EDITAL}-irregularidades.csv"'
    assert as_csv.content.startswith(b"\xef\xbb\xbfSinal;")
    as_xlsx = await api.get(f"{AT}/exportacao", params={"formato": "xlsx"})
    book = openpyxl.load_workbook(io.BytesIO(as_xlsx.content), read_only=True)
    assert book.sheetnames[:2] == ["Resumo", "Habilitação"]
    assert (await api.get(f"{AT}/exportacao", params={"formato": "pdf"})).status_code == 422
    assert (await api.get(f"{AT}/exportacao", params={"tabela": "tudo"})).status_code == 422


@pytest.mark.usefixtures("screened")
async def test_the_agreement_says_where_there_is_nothing_to_compare(app: FastAPI, api: httpx.AsyncClient) -> None:
    told = (await api.get(f"{AT}/concordancia")).json()
    assert fits(app, "Concordancia", told)
    assert [(one["de"], one["pares"], one["kappa"]["valor"]) for one in told["por_criterio"]] == [("C1", 0, None), ("C2", 0, None)]


@pytest.mark.usefixtures("screened")
@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", AT), ("POST", f"{AT}/cancelar"), ("POST", f"{AT}/retomar"), ("POST", RUN)]
    + [("GET", f"{AT}/{rest}") for rest in ("status", "estimativa", "exportacao", "concordancia")]
    + [(method, f"/api/avaliacoes/{EDITAL}/P0001") for method in ("GET", "PUT")],
)
async def test_what_belongs_to_another_tenant_is_absent(
    new_tenant: Callable[[], Scope], new_key: NewKey, new_person: NewPerson, client_of: ClientOf, method: str, path: str
) -> None:
    foreign = new_tenant()
    sent = {"notas": [{"criterio": "C1", "nota": 1}]} if method == "PUT" else BODY
    for usuario in [await new_person(foreign, "gestor")] + ([] if "avaliacoes" in path else [None]):
        async with client_of(await new_key(foreign, usuario=usuario)) as client:
            refused = await client.request(method, path, json=sent)
            assert (refused.status_code, "P0001" in refused.text) == (404, False)
            assert (await client.get("/api/editais")).json() == {"itens": []}


# --- who judges


@pytest.mark.usefixtures("screened")
async def test_a_judge_reads_only_what_was_given_to_them(rita: httpx.AsyncClient) -> None:
    """Triagem 6/5: Seed, Segurança: avaliadores veem apenas projetos atribuídos a eles."""
    found = (await rita.get(AT)).json()
    assert [one["projeto_id"] for one in found["projetos"]] == ["P0001", "P0002"]
    assert found["irregularidades"] == []  # each concerns somebody else's project too
    assert "P0003" not in json.dumps(found)
    assert (await rita.get(f"{AT}/status")).json()["total_projetos"] == 4
    assert "P0003" not in (await rita.get(f"{AT}/exportacao", params={"formato": "csv"})).text


@pytest.mark.usefixtures("screened")
async def test_a_judge_sees_the_signs_that_concern_their_projects_alone(
    container: Container, scope: Scope, database: Database, rita: httpx.AsyncClient
) -> None:
    both = msgspec.structs.replace(AVALIADORA, projetos=("P0001", "P0003"))
    await container.triagem.importar(scope, importacao(4, EDITAL, avaliadores=[both]))
    found = (await rita.get(AT)).json()
    assert [one["projetos"] for one in found["irregularidades"]] == [["P0001", "P0003"]]


@pytest.mark.usefixtures("screened")
async def test_what_was_not_given_to_a_judge_is_absent(
    container: Container, scope: Scope, rita: httpx.AsyncClient, api: httpx.AsyncClient
) -> None:
    await container.triagem.importar(scope, importacao(1, "ED-2"))
    assert [one["edital_id"] for one in (await rita.get("/api/editais")).json()["itens"]] == [EDITAL]
    assert len((await api.get("/api/editais")).json()["itens"]) == 2
    for path in (f"{RUN}/ED-2", f"{RUN}/ED-2/status", f"{RUN}/ED-2/exportacao", f"/api/avaliacoes/{EDITAL}/P0003"):
        refused = await rita.get(path)
        assert refused.status_code == 404
        unknown = await rita.get(path.replace("ED-2", "ED-404").replace("P0003", "P0404"))
        assert {**refused.json(), "request_id": ""} == {**unknown.json(), "request_id": ""}


@pytest.mark.usefixtures("screened")
async def test_a_hint_opens_after_ones_own_nota(app: FastAPI, rita: httpx.AsyncClient) -> None:
    """Triagem 5.2/2: Seed, Na tela do avaliador: puramente informativo; design: the evaluator's own nota before the hint opens."""
    given = (await rita.get("/api/avaliacoes")).json()["itens"]
    assert [(one["projeto_id"], one["avaliado"]) for one in given] == [("P0001", False), ("P0002", False)]
    at = f"/api/avaliacoes/{EDITAL}/P0001"
    before = (await rita.get(at)).json()
    assert fits(app, "ProjetoParaAvaliar", before)
    assert (before["dicas"], before["notas"]) == ([], [])
    assert all("leitura" not in one for one in (await rita.get(AT)).json()["projetos"])
    after = await rita.put(at, json={"notas": [{"criterio": "C1", "nota": 7.25, "texto": "Bom."}]})
    assert after.status_code == 200
    assert [(one["criterio"], one["nota"], one["texto"]) for one in after.json()["notas"]] == [("C1", 7.25, "Bom.")]
    assert [one["criterio"] for one in after.json()["dicas"]] == ["C1"]
    assert [one["criterio"] for one in (await rita.get(AT)).json()["projetos"][0]["leitura"]] == ["C1"]


async def test_notas_are_given_all_or_none(rita: httpx.AsyncClient) -> None:
    at = f"/api/avaliacoes/{EDITAL}/P0001"
    wrong = [
        {"criterio": "C1", "nota": 7},
        {"criterio": "C2", "nota": 11},
        {"criterio": "C9", "nota": 1},
        {"criterio": "C2", "nota": "NaN"},
    ]
    refused = await rita.put(at, json={"notas": wrong})
    assert (refused.status_code, refused.json()["codigo"]) == (422, "nota_invalida")
    assert [one["caminho"] for one in refused.json()["problemas"]] == ["notas[1]", "notas[2]", "notas[3]"]
    assert (await rita.get(at)).json()["notas"] == []
    assert (await rita.put(at, json={"notas": [{"criterio": "C1", "nota": 7}, {"criterio": "C2", "nota": 9}]})).status_code == 200
    assert (await rita.get("/api/avaliacoes")).json()["itens"][0]["avaliado"] is True


@pytest.mark.parametrize("sent", [{}, {"notas": []}, {"notas": [{"criterio": "C1"}]}, {"notas": [{"criterio": "C1", "nota": "sete"}]}, []])
async def test_notas_that_cannot_be_read_are_told_so(rita: httpx.AsyncClient, sent: object) -> None:
    refused = await rita.put(f"/api/avaliacoes/{EDITAL}/P0001", json=sent)
    assert (refused.status_code, refused.json()["codigo"]) == (422, "conteudo_invalido")


async def test_a_program_of_its_own_judges_nothing(api: httpx.AsyncClient) -> None:
    refused = await api.get("/api/avaliacoes")
    assert (refused.status_code, refused.json()["codigo"]) == (403, "sem_permissao")


async def test_who_began_a_screening_is_written_down(scope: Scope, new_person: NewPerson, new_key: NewKey, client_of: ClientOf) -> None:
    """Seed, Segurança: Auditoria em triagem_ia_execucoes."""
    gestora: Usuario = await new_person(scope, "gestor")
    async with client_of(await new_key(scope, usuario=gestora)) as client:
        assert (await client.post(RUN, json=BODY)).json()["executado_por"] == str(gestora.id)
