from __future__ import annotations

import asyncio
import json
import re
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from mcp.server.lowlevel import Server
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from cenario import ANA, BIA, JSON, bearer, request_of, token_of
from crivo.clinicas.clinica.exchange import McpEndpoint
from crivo.clinicas.clinica.gate import BEARER, Gate
from crivo.clinicas.clinica.keys import read_keys
from crivo.clinicas.clinica.server import LARGEST_BODY
from crivo.clinicas.clinica.serving import Place, verifier_of
from crivo.clinicas.clinica.store import Silo
from crivo.clinicas.clinica.tokens import sign
from crivo.clinicas.ferramentas import FERRAMENTAS
from crivo.kernel.clock import SystemClock
from crivo.kernel.linguagem.identificadores import read_cpf
from espera import never
from mensagens_quaisquer import META, SECRET, VALUES, bodies

ACTIONS = tuple(one.name for one in FERRAMENTAS)

BOOKING = {"doctor": "Fernando", "date": "2025-07-18", "time": "10:00", "patient_name": "Ana Braga", "cpf": ANA}
SAMPLES: dict[str, dict[str, str]] = {
    "list_patients": {},
    "get_patient": {"patient_id": "CARD-C001"},
    "query": {"query": "hipertensão"},
    "list_available_slots": {},
    "book_appointment": BOOKING,
    "reschedule_appointment": {
        "original_date": "2025-07-18",
        "original_time": "10:00",
        "doctor": "Fernando",
        "new_date": "2025-07-19",
        "new_time": "14:00",
        "patient_name": "Ana Braga",
        "cpf": ANA,
    },
    "cancel_appointment": BOOKING | {"date": "2025-07-19", "time": "14:00"},
    "find_appointments": {"cpf": ANA, "patient_name": "Ana Braga"},
}
OF_THE_RECEPTION = ["list_patients", "get_patient", "query", "reschedule_appointment", "cancel_appointment", "find_appointments"]


async def test_a_body_that_stops_coming_is_not_waited_for() -> None:
    """Source: design/sujeito.md, table, 8."""
    endpoint = McpEndpoint(Server("lenta"), largest_body=LARGEST_BODY, body_seconds=0.05)
    pieces: list[Message] = [{"type": "http.request", "body": b'{"jsonrpc":', "more_body": True}]
    said: list[Message] = []

    async def receive() -> Message:
        if not pieces:
            await never()
        return pieces.pop()

    async def send(message: Message) -> None:
        said.append(message)

    scope: Scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": [(b"content-type", b"application/json")]}
    async with asyncio.timeout(5):
        await endpoint(scope, receive, send)
    assert (said[0]["status"], dict(said[0]["headers"])[b"connection"]) == (408, b"close")


async def rpc(client: httpx.AsyncClient, method: str, **params: Any) -> dict[str, Any]:
    answered = await client.post("/mcp", json={"jsonrpc": "2.0", "id": 7, "method": method, "params": params})
    assert answered.headers["content-type"] == "application/json"
    body: dict[str, Any] = answered.json()
    assert (body["jsonrpc"], body["id"]) == ("2.0", 7)
    return body


async def tool(client: httpx.AsyncClient, name: str, arguments: Any) -> dict[str, Any]:
    body = await rpc(client, "tools/call", name=name, arguments=arguments)
    result: dict[str, Any] = body["result"]
    return result


async def test_a_plain_call_without_initialize_is_answered(client: httpx.AsyncClient) -> None:
    """Blueprint 2.2, Blueprint 4.3/1: tools/call by JSON-RPC 2.0; the response mirrors the id, its result is the payload."""
    answered = await client.post("/mcp", json=request_of("book_appointment", BOOKING, "550e8400-e29b-41d4-a716-446655440000"))
    body = answered.json()
    assert body["id"] == "550e8400-e29b-41d4-a716-446655440000"
    assert body["result"]["status"] == "confirmed"
    assert body["result"]["appointment"]["patient_name"] == "Ana Braga"
    assert "error" not in body


async def test_a_payload_is_structured_and_text_and_flat_at_once(client: httpx.AsyncClient) -> None:
    result = await tool(client, "list_available_slots", {})
    payload = result["structuredContent"]
    assert json.loads(result["content"][0]["text"]) == payload
    assert {name: result[name] for name in payload} == payload
    assert result["isError"] is False


async def test_a_refusal_is_a_result_with_its_code_and_what_a_receptionist_would_say(client: httpx.AsyncClient) -> None:
    await tool(client, "book_appointment", BOOKING)
    result = await tool(client, "book_appointment", BOOKING | {"cpf": BIA})
    assert result["isError"] is True
    assert result["codigo"] == result["structuredContent"]["codigo"] == "horario_ocupado"
    assert result["message"].startswith("Esse horário já foi ocupado")


async def test_every_answer_keeps_to_its_output_schema(client: httpx.AsyncClient, place: Place) -> None:
    schemas = {listed["name"]: listed["outputSchema"] for listed in (await rpc(client, "tools/list"))["result"]["tools"]}
    answers = {name: await tool(client, name, arguments) for name, arguments in SAMPLES.items()}
    for name, result in answers.items():
        Draft202012Validator(schemas[name]).validate(result["structuredContent"])
    assert [name for name, result in answers.items() if result["isError"]] == OF_THE_RECEPTION
    client.headers.update(bearer(token_of(place.clinica.id, place.folder, "operador")))
    for name, arguments in SAMPLES.items():
        result = await tool(client, name, arguments)
        assert result["isError"] is False, result
        Draft202012Validator(schemas[name]).validate(result["structuredContent"])


async def test_the_tools_are_listed_strict_and_with_their_hints(client: httpx.AsyncClient) -> None:
    """Blueprint 2.4: the seven tools and their parameters; design/sujeito.md: the eighth."""
    tools = (await rpc(client, "tools/list"))["result"]["tools"]
    assert tuple(listed["name"] for listed in tools) == ACTIONS
    for listed in tools:
        Draft202012Validator.check_schema(listed["inputSchema"])
        assert listed["inputSchema"]["additionalProperties"] is False
        assert listed["inputSchema"]["properties"].keys() == (SAMPLES[listed["name"]] or listed["inputSchema"]["properties"]).keys()
    hints = {listed["name"]: listed["annotations"] for listed in tools}
    assert [name for name in hints if hints[name]["readOnlyHint"]] == [*ACTIONS[:4], "find_appointments"]
    assert [name for name in hints if hints[name]["destructiveHint"]] == ["reschedule_appointment", "cancel_appointment"]
    assert [name for name in hints if hints[name]["idempotentHint"]] == [*ACTIONS[:5], "find_appointments"]


async def test_only_tools_are_claimed(client: httpx.AsyncClient) -> None:
    body = await rpc(client, "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "t", "version": "1"})
    assert body["result"]["protocolVersion"] == "2025-11-25"
    assert body["result"]["capabilities"] == {"tools": {"listChanged": False}}
    assert (await rpc(client, "prompts/list"))["error"]["code"] == -32601


async def test_the_generation_without_sessions_is_spoken_too(client: httpx.AsyncClient) -> None:
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "book_appointment"}
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "book_appointment", "arguments": BOOKING, "_meta": META},
    }
    result = (await client.post("/mcp", json=message, headers=headers)).json()["result"]
    assert result["status"] == result["structuredContent"]["status"] == "confirmed"
    assert result["resultType"] == "complete"


async def test_an_unknown_method_is_minus_32601_and_is_not_quoted(client: httpx.AsyncClient) -> None:
    """Blueprint 2.2/1: -32601, an unknown method."""
    error = (await rpc(client, f"tools/{ANA}"))["error"]
    assert error["code"] == -32601
    assert ANA not in str(error)


async def test_an_unknown_tool_is_minus_32602(client: httpx.AsyncClient) -> None:
    """Blueprint 2.2/2, Blueprint 4.5: -32602, an unknown tool."""
    error = (await rpc(client, "tools/call", name=ANA, arguments={}))["error"]
    assert error["code"] == -32602
    assert ANA not in str(error)


@pytest.mark.parametrize(
    "arguments", [{}, BOOKING | {"date": 3}, BOOKING | {"Ana Braga": "x"}, BOOKING | {"cpf": [ANA]}, "Ana Braga", [ANA], 3]
)
async def test_wrong_arguments_are_minus_32602_and_are_not_quoted(client: httpx.AsyncClient, silo: Silo, arguments: object) -> None:
    error = (await rpc(client, "tools/call", name="book_appointment", arguments=arguments))["error"]
    assert error["code"] == -32602
    assert "Braga" not in str(error)
    assert ANA not in str(error)
    assert all(slot.available for slot in silo.all_slots())


async def test_a_record_is_for_an_operator_alone(client: httpx.AsyncClient, place: Place) -> None:
    """Blueprint 2.4/2: the whole record of one patient."""
    refused = await tool(client, "get_patient", {"patient_id": "CARD-C001"})
    assert (refused["isError"], refused["codigo"]) == (True, "acesso_restrito")
    client.headers.update(bearer(token_of(place.clinica.id, place.folder, "operador")))
    shown = await tool(client, "get_patient", {"patient_id": "CARD-C001"})
    assert shown["patient"]["name"] == "Zilda Prado"
    assert (await tool(client, "get_patient", {"patient_id": "CARD-999"}))["codigo"] == "paciente_desconhecido"


@pytest.mark.parametrize("authorization", ["", "Bearer", "Bearer ", "Bearer wrong", "Basic abc", "Bearer é", "bearer \x7f"])
async def test_without_the_clinics_token_nothing_is_answered(client: httpx.AsyncClient, authorization: str) -> None:
    headers = [(b"Authorization", authorization.encode("latin-1"))]
    answered = await client.post("/mcp", json=request_of("list_patients", {}), headers=headers)
    assert answered.status_code == 401
    assert answered.headers["www-authenticate"] == "Bearer"
    assert "result" not in answered.json()


async def test_a_token_that_is_not_taken_is_told_how_another_is_made(client: httpx.AsyncClient, place: Place) -> None:
    fixed = "ab" * 32  # as earlier versions had them
    over = sign(read_keys(place.folder).atual, "clinic_c", "operador", datetime(2020, 1, 1, tzinfo=UTC))
    for token, told in ((fixed, "com uma chave feita para ela. Faça"), (over, "Esta chave venceu. Faça")):
        answered = await client.post("/mcp", json=request_of("list_patients", {}), headers=bearer(token))
        assert answered.status_code == 401
        assert f"{told} uma com `crivo clinicas token clinic_c`" in answered.json()["message"]


async def test_on_whose_behalf_a_call_is_made_is_in_its_scope(place: Place, silo: Silo) -> None:
    scopes: list[Scope] = []

    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        scopes.append(scope)
        await Response()(scope, receive, send)

    gate = Gate(inner, verifier_of(place), {"127.0.0.1"})
    token = sign(read_keys(place.folder).atual, "clinic_c", "atendimento", SystemClock().now(), em_nome_de=read_cpf(ANA))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(gate), base_url="http://127.0.0.1:8003") as speaking:
        assert (await speaking.post("/mcp", json={}, headers=bearer(token))).status_code == 200
    held = scopes[0][BEARER]
    assert (held.papel, held.em_nome_de.is_of(read_cpf(ANA)), held.em_nome_de.is_of(read_cpf(BIA))) == ("atendimento", True, False)


@pytest.mark.parametrize(
    ("header", "value", "status"),
    [
        ("Host", "clinica.example.com", 421),
        ("Host", "127.0.0.1.example.com:8003", 421),
        ("Origin", "https://example.com", 403),
        ("Origin", "http://localhost:9999", 200),
        ("Content-Type", "text/plain", 415),
    ],
)
async def test_requests_from_elsewhere_are_turned_away(client: httpx.AsyncClient, header: str, value: str, status: int) -> None:
    content = json.dumps(request_of("list_patients", {}))
    assert (await client.post("/mcp", content=content, headers=JSON | {header: value})).status_code == status


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_only_post_is_served(client: httpx.AsyncClient, method: str) -> None:
    answered = await client.request(method, "/mcp")
    assert answered.status_code == 405
    assert answered.headers["allow"] == "POST"


async def test_a_body_over_the_limit_is_refused(client: httpx.AsyncClient) -> None:
    assert (await client.post("/mcp", content=b" " * (LARGEST_BODY + 1), headers=JSON)).status_code == 413


async def test_a_notification_is_taken_without_an_answer(client: httpx.AsyncClient) -> None:
    answered = await client.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (answered.status_code, answered.content) == (202, b"")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"\xff", -32700),
        (b'"\\ud800"', -32700),
        (b"[" * 60_000, -32700),
        (b"[" * 900 + b"]" * 900, -32600),
        (b"[]", -32600),
        (b"3", -32600),
        (b'{"id": 1}', -32600),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 3}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 3}}', -32602),
    ],
)
async def test_what_is_no_request_gets_a_json_rpc_error(client: httpx.AsyncClient, content: bytes, code: int) -> None:
    answered = await client.post("/mcp", content=content, headers=JSON)
    assert answered.status_code in {200, 400}
    assert answered.json()["error"]["code"] == code


VERSIONS = st.sampled_from([None, "2025-11-25", "2026-07-28", "1999-01-01"])
ARGUMENTS = sorted({name for sample in SAMPLES.values() for name in sample})


def headers_for(body: bytes, version: str | None) -> dict[str, str]:
    """As a client of that version sends them, so that the message is read to its end."""
    headers = JSON | ({} if version is None else {"MCP-Protocol-Version": version})
    try:
        message = json.loads(body)
    except ValueError:
        return headers
    method = message.get("method") if isinstance(message, dict) else None
    params = message.get("params") if isinstance(message, dict) else None
    name = params.get("name") if isinstance(params, dict) else None
    named = {"Mcp-Method": method, "Mcp-Name": name}
    return headers | {header: value for header, value in named.items() if isinstance(value, str) and re.fullmatch(r"[!-~]+", value)}


def told_as_wrong(message: dict[str, Any]) -> str:
    """What an error or a refusal says; a search that went well repeats, by its contract, what was looked for."""
    result = message.get("result", {})
    return json.dumps([message.get("error"), result if result.get("isError") else None], ensure_ascii=False)


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=bodies(ACTIONS, ARGUMENTS), version=VERSIONS)
async def test_any_bytes_get_an_answer_that_quotes_none_of_them_and_change_nothing(
    client: httpx.AsyncClient, silo: Silo, body: bytes, version: str | None
) -> None:
    answered = await client.post("/mcp", content=body, headers=headers_for(body, version))
    assert answered.status_code in {200, 202, 400, 404}
    if answered.status_code == 202:
        assert answered.content == b""
    else:
        assert answered.json()["jsonrpc"] == "2.0"
        assert "Traceback" not in answered.text
        assert SECRET not in told_as_wrong(answered.json())
    assert all(slot.available for slot in silo.all_slots())


TOO_LATE = {"date": "2025-07-16", "time": "08:00"}  # so that even right arguments are refused


def call_of(action: str) -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """A call of a tool with its own arguments, each of them right or anything."""
    right = {name: TOO_LATE.get(name, value) for name, value in SAMPLES[action].items()}
    return st.fixed_dictionaries({name: st.just(value) | VALUES for name, value in right.items()}).map(lambda given: (action, given))


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(call=st.sampled_from(["get_patient", *ACTIONS[4:]]).flatmap(call_of), modern=st.booleans())
async def test_arguments_of_any_type_are_refused_and_quoted_nowhere(
    client: httpx.AsyncClient, silo: Silo, call: tuple[str, dict[str, Any]], modern: bool
) -> None:
    action, given = call
    params = {"name": action, "arguments": given} | ({"_meta": META} if modern else {})
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}).encode()
    answered = await client.post("/mcp", content=body, headers=headers_for(body, "2026-07-28" if modern else None))
    assert answered.status_code in {200, 400}
    message = answered.json()
    assert SECRET not in answered.text
    assert message["error"]["code"] in {-32602, -32700} if "error" in message else message["result"]["isError"]
    assert all(slot.available for slot in silo.all_slots())


async def test_a_store_that_cannot_be_read_is_an_error_without_its_path(client: httpx.AsyncClient, place: Place, silo: Silo) -> None:
    silo._connection.execute("alter table slots rename to gone")
    error = (await rpc(client, "tools/call", name="list_available_slots", arguments={}))["error"]
    silo._connection.execute("alter table gone rename to slots")
    assert error["code"] == -32603
    assert str(place.folder.path) not in error["message"]
    assert (await tool(client, "list_available_slots", {}))["isError"] is False
