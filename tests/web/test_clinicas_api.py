"""Conversations with the clinics over HTTP: begin, speak, hear each turn as it happens, read again, end."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
from fastapi import FastAPI

from atendimento import Attended, attended, events_of
from cenario import MORNING
from crivo.bootstrap import Container
from crivo.kernel.access import ESCOPOS
from crivo.kernel.clock import SystemClock
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.web.app import create_app

NewKey = Callable[..., Awaitable[str]]
ADDRESS = "/api/clinicas/conversas"
ANA = {"nome": "Ana Braga", "cpf": "529.982.247-25"}
LIST, BOOK = "quero marcar uma consulta com cardiologista", "pode ser com o Dr. Fernando dia 18 as 10h"
WHOLE = {"accept": "application/json"}


@pytest.fixture(scope="module")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attended]:
    with attended(tmp_path_factory.mktemp("atendimento")) as running:
        yield running


@pytest.fixture
def settings(scope: Scope, clinics: Attended) -> Settings:
    """Those of the application, where the clinics are."""
    clinics.reset()
    folder = clinics.clinicas.data_dir
    return Settings(
        _env_file=None,
        data_dir=folder,
        tenant=scope.tenant_id,
        limite_por_minuto=0,
        agora=MORNING,
        log_nivel="ERROR",
        endereco_publico="http://crivo.teste",
    )


async def begin(api: httpx.AsyncClient, **wishes: Any) -> str:
    begun = await api.post(ADDRESS, json=wishes or {"paciente": ANA})
    assert begun.status_code == 201
    return str(begun.headers["location"])


async def say(api: httpx.AsyncClient, conversation: str, texto: str) -> dict[str, Any]:
    answered = await api.post(f"{conversation}/mensagens", json={"texto": texto}, headers=WHOLE)
    assert (answered.status_code, answered.headers["content-type"]) == (200, "application/json")
    return dict(answered.json())


# --- the way through


async def test_a_conversation_lists_and_books(api: httpx.AsyncClient, clinics: Attended) -> None:
    """Interfaces: POST /api/clinicas/conversas, POST /{id}/mensagens."""
    conversation = await begin(api)
    listed = await say(api, conversation, LIST)
    assert {step["clinic"] for step in listed["passos"]["plano"]} == {"clinic_a", "clinic_c"}
    assert {oferta["clinic"] for oferta in listed["ofertas"]} == {"clinic_a", "clinic_c"}
    booked = await say(api, conversation, BOOK)
    assert [mudanca["situacao"] for mudanca in booked["mudancas"]] == ["marcada"]
    assert booked["passos"]["veredito"] == {"safe": True, "note": "OK", "regras": []}
    assert clinics.held() == [("clinic_c", "Dr. Fernando Mendes", "2025-07-18", "10:00", ANA["cpf"])]


async def test_who_begins_without_saying_who_it_is_is_asked(api: httpx.AsyncClient) -> None:
    """Blueprint 1.6."""
    begun = await api.post(ADDRESS, json={})
    assert "nome completo" in begun.json()["saudacao"]
    conversation = begun.headers["location"]
    assert (await say(api, conversation, "Ana Braga"))["passos"] is None
    assert "Tudo certo, Ana" in (await say(api, conversation, ANA["cpf"]))["texto"]


async def test_a_turn_is_told_as_events_in_the_order_in_which_it_happens(api: httpx.AsyncClient) -> None:
    """Interfaces: server-sent events: plan, calls, verdict, text."""
    conversation = await begin(api)
    answered = await api.post(f"{conversation}/mensagens", json={"texto": LIST})
    assert answered.headers["content-type"] == "text/event-stream; charset=utf-8"
    events = events_of(answered.text)
    names = [name for name, _ in events]
    assert names == ["plano", *["chamada"] * 4, "veredito", "veredito", "texto", "fim"]
    assert next(data["momento"] for name, data in events if name == "chamada") == "inicio"
    ends = [data for name, data in events if name == "chamada" and data["momento"] == "fim"]
    assert {(end["clinic"], end["situacao"]) for end in ends} == {("clinic_a", "respondeu"), ("clinic_c", "respondeu")}
    assert all(end["ms"] > 0 for end in ends)
    assert events[-1][1]["texto"] == events[-2][1]["texto"]
    assert (await api.get(conversation)).json()["turnos"] == [events[-1][1]]


async def test_what_is_answered_fits_its_schema(api: httpx.AsyncClient, app: FastAPI) -> None:
    document = app.openapi()
    conversation = await begin(api)
    answered = await api.post(f"{conversation}/mensagens", json={"texto": LIST})
    booked = await say(api, conversation, BOOK)
    schemas = {"plano": "EventoPlano", "chamada": "EventoChamada", "veredito": "EventoVeredito", "texto": "EventoTexto", "fim": "Turno"}
    told = [(schemas[name], data) for name, data in events_of(answered.text)]
    for name, value in (*told, ("Turno", booked), ("ConversaVista", (await api.get(conversation)).json())):
        schema = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
        assert [fault.message for fault in jsonschema.Draft202012Validator(schema).iter_errors(value)] == [], name


async def test_what_is_only_about_the_person_has_no_plan(api: httpx.AsyncClient) -> None:
    conversation = await begin(api, papel="paciente")
    answered = await api.post(f"{conversation}/mensagens", json={"texto": "Ana Braga"})
    assert [name for name, _ in events_of(answered.text)] == ["texto", "fim"]


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("application/json", "application/json"),
        ("application/json;q=0.9, text/event-stream", "application/json"),
        ("text/event-stream, application/json", "text/event-stream; charset=utf-8"),
        ("*/*", "text/event-stream; charset=utf-8"),
        ("text/html", "text/event-stream; charset=utf-8"),
    ],
)
async def test_the_first_kind_that_is_accepted_is_answered(api: httpx.AsyncClient, accept: str, kind: str) -> None:
    conversation = await begin(api)
    answered = await api.post(f"{conversation}/mensagens", json={"texto": "obrigada"}, headers={"accept": accept})
    assert answered.headers["content-type"] == kind


async def test_a_conversation_that_was_ended_is_gone_and_what_it_booked_is_not(api: httpx.AsyncClient, clinics: Attended) -> None:
    conversation = await begin(api)
    await say(api, conversation, LIST)
    await say(api, conversation, BOOK)
    assert (await api.delete(conversation)).status_code == 204
    for gone in (
        await api.get(conversation),
        await api.delete(conversation),
        await api.post(f"{conversation}/mensagens", json={"texto": "oi"}),
    ):
        assert (gone.status_code, gone.json()["codigo"]) == (404, "conversa_nao_encontrada")
    assert len(clinics.held()) == 1


async def test_a_message_before_the_answer_to_the_last_is_told_to_wait(api: httpx.AsyncClient, clinics: Attended) -> None:
    conversation = await begin(api)
    await say(api, conversation, LIST)
    with clinics.no_writing_at("clinic_c"):
        booking = asyncio.create_task(say(api, conversation, BOOK))
        while not (await api.get(conversation)).json()["ocupada"]:
            assert not booking.done()
            await asyncio.sleep(0.02)  # asked without a pause, the server has no time for the booking
        refused = await api.post(f"{conversation}/mensagens", json={"texto": LIST})
        assert (refused.status_code, refused.json()["codigo"]) == (409, "conversa_ocupada")
    assert [mudanca["situacao"] for mudanca in (await booking)["mudancas"]] == ["marcada"]
    assert len((await api.get(conversation)).json()["turnos"]) == 2


# --- whose it is


async def test_a_conversation_is_absent_for_another_key_and_another_tenant(
    api: httpx.AsyncClient, anonymous: httpx.AsyncClient, scope: Scope, new_tenant: Callable[[], Scope], new_key: NewKey
) -> None:
    conversation = await begin(api)
    for other in (await new_key(scope), await new_key(new_tenant())):
        headers = {"authorization": f"Bearer {other}"}
        for refused in (
            await anonymous.get(conversation, headers=headers),
            await anonymous.delete(conversation, headers=headers),
            await anonymous.post(f"{conversation}/mensagens", json={"texto": "oi"}, headers=headers),
        ):
            assert (refused.status_code, refused.json()["codigo"]) == (404, "conversa_nao_encontrada")
    assert (await api.get(conversation)).status_code == 200


async def test_an_operator_needs_a_scope_of_their_own(
    api: httpx.AsyncClient, anonymous: httpx.AsyncClient, scope: Scope, new_key: NewKey
) -> None:
    key = await new_key(scope, *(escopo for escopo in ESCOPOS if escopo != "clinicas:operar"))
    headers = {"authorization": f"Bearer {key}"}
    refused = await anonymous.post(ADDRESS, json={"papel": "operador"}, headers=headers)
    assert (refused.status_code, refused.json()["codigo"]) == (403, "sem_permissao")
    assert (await anonymous.post(ADDRESS, json={"papel": "paciente"}, headers=headers)).status_code == 201
    conversation = await begin(api, papel="operador")
    assert "De quem é a consulta" in (await _listed_and_booked(api, conversation))["texto"]


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
async def test_a_cpf_is_whole_in_no_answer(api: httpx.AsyncClient, accept: str) -> None:
    """SECURITY.md: a CPF is masked for every role."""
    conversation = await begin(api, papel="operador")
    told = await api.post(f"{conversation}/mensagens", json={"texto": "a consulta do CPF 529.982.247-25"}, headers={"accept": accept})
    for heard in (told.text, (await api.get(conversation)).text):
        assert ("529.982.247-25" in heard, "***.982.247-**" in heard) == (False, True)


async def _listed_and_booked(api: httpx.AsyncClient, conversation: str) -> dict[str, Any]:
    await say(api, conversation, LIST)
    return await say(api, conversation, BOOK)


# --- bad input


@pytest.mark.parametrize("raw", [b"", b"{", b"nada", b"\xff\xfe{}"])
async def test_what_is_no_json_is_refused(api: httpx.AsyncClient, raw: bytes) -> None:
    conversation = await begin(api)
    for address in (ADDRESS, f"{conversation}/mensagens"):
        refused = await api.post(address, content=raw, headers={"content-type": "application/json"})
        assert (refused.status_code, refused.json()["codigo"]) == (400, "json_invalido")


@pytest.mark.parametrize("escaped", ["\\ud800", "\\ud800 marcar", "\\udc00 marcar", "\\ud800\\u0041"])
async def test_half_a_character_is_no_json(api: httpx.AsyncClient, escaped: str) -> None:
    refused = await api.post(f"{await begin(api)}/mensagens", content=f'{{"texto": "{escaped}"}}'.encode())
    assert (refused.status_code, refused.json()["codigo"]) == (400, "json_invalido")


@pytest.mark.parametrize(
    "wish",
    [
        [],
        7,
        "paciente",
        {"papel": "medico"},
        {"papel": None},
        {"outro": 1},
        {"paciente": ANA["cpf"]},
        {"paciente": {"nome": "Ana Braga"}},
        {"paciente": {"nome": "Ana Braga", "cpf": 52998224725}},
        {"paciente": ANA | {"extra": 1}},
        {"paciente": {"nome": "A b" * 100, "cpf": ANA["cpf"]}},
    ],
)
async def test_a_conversation_of_another_shape_is_refused(api: httpx.AsyncClient, wish: object) -> None:
    refused = await api.post(ADDRESS, json=wish)
    assert (refused.status_code, refused.json()["codigo"]) == (422, "conteudo_invalido")


async def test_a_wrong_name_and_cpf_are_told_without_being_repeated(api: httpx.AsyncClient) -> None:
    refused = await api.post(ADDRESS, json={"paciente": {"nome": "Zulmira", "cpf": "529.982.247-24"}})
    assert (refused.status_code, refused.json()["codigo"]) == (422, "identidade_invalida")
    assert [problem["caminho"] for problem in refused.json()["problemas"]] == ["paciente.nome", "paciente.cpf"]
    assert "Zulmira" not in refused.text
    assert "247-24" not in refused.text


@pytest.mark.parametrize("message", [[], {"texto": 1}, {"texto": None}, {}, {"texto": "oi", "outro": 1}])
async def test_a_message_of_another_shape_is_refused(api: httpx.AsyncClient, message: object) -> None:
    refused = await api.post(f"{await begin(api)}/mensagens", json=message)
    assert (refused.status_code, refused.json()["codigo"]) == (422, "conteudo_invalido")


@pytest.mark.parametrize("texto", ["", " \n ", "x" * 2_001])
async def test_a_message_with_nothing_or_too_much_in_it_is_refused(api: httpx.AsyncClient, texto: str) -> None:
    refused = await api.post(f"{await begin(api)}/mensagens", json={"texto": texto})
    assert (refused.status_code, refused.json()["codigo"]) == (422, "mensagem_invalida")


@pytest.mark.parametrize(
    "texto", ["x" * 2_000, "\x00\x1b[31m", "\u202eoi", "💥" * 500, "'; drop table slots; --", "<script>alert(1)</script>"]
)
async def test_any_text_gets_an_answer(api: httpx.AsyncClient, clinics: Attended, texto: str) -> None:
    conversation = await begin(api)
    assert (await say(api, conversation, texto))["texto"]
    assert clinics.held() == []


async def test_a_body_over_the_limit_is_refused(api: httpx.AsyncClient) -> None:
    refused = await api.post(f"{await begin(api)}/mensagens", json={"texto": "x" * 40_000})
    assert (refused.status_code, refused.json()["codigo"]) == (413, "corpo_grande_demais")


@pytest.mark.parametrize("conversation", ["0199a4f2-8f3b-7c10-a111-5b2c4d6e8f00", "nao-e-id", "0", "%00"])
async def test_what_is_no_conversation_is_absent(api: httpx.AsyncClient, conversation: str) -> None:
    refused = await api.post(f"{ADDRESS}/{conversation}/mensagens", json={"texto": "oi"})
    assert (refused.status_code, refused.json()["codigo"]) == (404, "conversa_nao_encontrada")


# --- what is written down


async def test_no_log_line_has_a_name_a_cpf_or_what_was_said(
    api: httpx.AsyncClient, clinics: Attended, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    conversation = await begin(api)
    await _listed_and_booked(api, conversation)
    await api.post(ADDRESS, json={"paciente": {"nome": "Zulmira", "cpf": "529.982.247-24"}})
    folder = clinics.clinicas.data_dir / "logs"
    written = "".join(path.read_text(encoding="utf-8") for path in folder.iterdir())
    own = "".join(str(record.__dict__) for record in caplog.records if record.name.startswith("crivo"))
    assert json.loads(written.splitlines()[-1])["router"]
    for secret in ("Ana Braga", "529.982", "52998224725", "247-24", "Zulmira", "cardiologista", "pode ser com"):
        assert secret not in written
        assert secret not in own


# --- over a real connection


@pytest.fixture(scope="module")
def talking(run_server: Callable[..., Any], clinics: Attended) -> Iterator[Any]:
    """A server in a process of its own, which knows the clinics."""
    with run_server(CRIVO_DATA_DIR=str(clinics.clinicas.data_dir), CRIVO_AGORA=MORNING.isoformat()) as served:
        yield served


@pytest.fixture
async def outside(talking: Any, key: str) -> AsyncIterator[httpx.AsyncClient]:
    headers = {"authorization": f"Bearer {key}"}
    async with httpx.AsyncClient(base_url=talking.address, headers=headers, timeout=30) as client:
        yield client


async def test_a_listener_who_leaves_in_the_middle_finds_the_turn_done(outside: httpx.AsyncClient, clinics: Attended) -> None:
    clinics.reset()
    conversation = await begin(outside)
    await say(outside, conversation, LIST)
    with clinics.no_writing_at("clinic_c"):
        async with outside.stream("POST", f"{conversation}/mensagens", json={"texto": BOOK}) as stream:
            assert await anext(stream.aiter_lines()) == "event: plano"
        assert (await outside.get(conversation)).json()["ocupada"]
    deadline = time.monotonic() + 20
    while (found := (await outside.get(conversation)).json())["ocupada"]:
        assert time.monotonic() < deadline
    assert [mudanca["situacao"] for mudanca in found["turnos"][1]["mudancas"]] == ["marcada"]
    assert clinics.held() == [("clinic_c", "Dr. Fernando Mendes", "2025-07-18", "10:00", ANA["cpf"])]
    assert "Cancelo?" in (await say(outside, conversation, "preciso cancelar minha consulta"))["texto"]
    assert "Cancelei" in (await say(outside, conversation, "sim"))["texto"]
    assert clinics.held() == []


async def test_a_clinic_that_is_away_makes_the_answer_partial(
    settings: Settings, database: Database, container_over: Callable[..., Container], key: str, tmp_path: Path
) -> None:
    """Design, Router: a partial answer that says which clinics are missing."""
    with attended(tmp_path / "dados") as running:
        own = settings.model_copy(update={"data_dir": tmp_path / "dados"})
        app = create_app(own, lambda _: nullcontext(container_over(own, database, SystemClock())))
        headers = {"authorization": f"Bearer {key}"}
        client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste", headers=headers)
        async with app.router.lifespan_context(app), client:
            running.servers["clinic_c"].process.kill()
            running.servers["clinic_c"].process.wait()
            listed = await say(client, await begin(client), LIST)
    assert "Clínica C" in listed["texto"]
    assert {oferta["clinic"] for oferta in listed["ofertas"]} == {"clinic_a"}
    assert "fora_do_ar" in {call["situacao"] for call in listed["passos"]["chamadas"] if call["clinic"] == "clinic_c"}


async def test_a_model_that_is_not_there_cannot_plan_a_conversation(api: httpx.AsyncClient) -> None:
    """Issue: the planner is switched at run time, by whoever begins a conversation."""
    refused = await api.post(ADDRESS, json={"paciente": ANA, "planejador": "modelo"})
    assert (refused.status_code, refused.json()["codigo"]) == (422, "planejador_sem_modelo")
    assert (await api.post(ADDRESS, json={"paciente": ANA, "planejador": "oraculo"})).status_code == 422
    turno = await say(api, await begin(api, paciente=ANA, planejador="embutido"), LIST)
    assert (turno["passos"]["planejador"], turno["passos"]["falhas"]) == ("embutido", [])


async def test_a_program_of_the_reception_takes_answers_and_gives_back(api: httpx.AsyncClient) -> None:
    conversation = await begin(api)
    await say(api, conversation, "quero falar com uma pessoa")
    queue = "/api/clinicas/atendimento"
    (waiting,) = (await api.get(queue)).json()["fila"]
    assert (waiting["motivo"], waiting["atendente"]) == ("pessoa", None)
    where = f"{queue}/{waiting['conversa']}"
    assert (await api.post(f"{where}/respostas", json={"texto": "oi"})).json()["codigo"] == "atendimento_nao_assumido"
    assert (await api.post(f"{where}/assumir", json={"nome": ""})).status_code == 422
    assert (await api.post(f"{where}/assumir", json={"nome": "Marta"})).status_code == 200
    await api.post(f"{where}/respostas", json={"texto": "Oi, Ana!"})
    assert (await say(api, conversation, "cancela tudo"))["texto"] == ""
    heard = (await api.get(conversation)).json()["turnos"]
    assert heard == (await api.get(where)).json()["turnos"]
    assert [(one["mensagem"], one["pessoa"]) for one in heard[1:]] == [("", "Marta"), ("", "Marta"), ("cancela tudo", "")]
    assert (await api.post(f"{where}/devolver")).json()["turnos"][-1]["marco"] == "devolveu"
    assert (await api.get(queue)).json() == {"fila": []}
    assert (await api.get(where)).json()["codigo"] == "fora_da_fila"


async def test_a_key_that_converses_does_not_read_the_queue(anonymous: httpx.AsyncClient, new_key: NewKey, scope: Scope) -> None:
    key = await new_key(scope, "clinicas:conversar")
    refused = await anonymous.get("/api/clinicas/atendimento", headers={"authorization": f"Bearer {key}"})
    assert refused.status_code == 403
