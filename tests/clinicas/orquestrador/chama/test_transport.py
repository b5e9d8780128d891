"""One call over HTTP to clinics that misbehave."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider

from cenario import free_port
from crivo.clinicas.caminho import way_to
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.medidas import chamadas
from crivo.clinicas.orquestrador.chama.transport import LARGEST_ANSWER, Answer, Caller, Ways, http_transport
from crivo.clinicas.orquestrador.contracts import Paciente, Step
from crivo.clinicas.protocol import UNREACHABLE, Role
from crivo.clinicas.registro import Clinica, Registro
from crivo.kernel import rastros
from espera import never
from federacao import ANA, Answering, http, stand_in

LISTING = {"specialty": "Cardiology", "available_slots": [], "note": ""}


def registro_at(port: int) -> Registro:
    return Registro((Clinica("clinic_a", "Clínica A", "Cardiologia", port, f"http://127.0.0.1:{port}/mcp"),))


def ways(folder: Path) -> Ways:
    return lambda clinica: way_to(clinica, folder)


def key(clinic: str, papel: Role, *, em_nome_de: str | None = None) -> str:
    return f"{clinic}-{papel}"


async def called(
    answering: Answering,
    action: Action = "list_available_slots",
    paciente: Paciente | None = None,
    seconds: float = 5.0,
    heads: list[bytes] | None = None,
    **given: str,
) -> Answer:
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with (
            stand_in(answering, folder, heads) as port,
            http_transport(registro_at(port), ways(folder), key, lambda: "id-1") as transport,
        ):
            return await transport.call(Step(1, "clinic_a", action, given), action, Caller(paciente=paciente), seconds)


def rpc(body: dict[str, Any], status: str = "200 OK") -> Answering:
    async def answer(_: dict[str, Any]) -> bytes:
        return http(json.dumps({"jsonrpc": "2.0", **body}).encode(), status)

    return answer


def raw(content: bytes, status: str = "200 OK") -> Answering:
    async def answer(_: dict[str, Any]) -> bytes:
        return http(content, status, "text/html")

    return answer


def bare(sent: bytes) -> Answering:
    """Sends what may not even be HTTP."""

    async def answer(_: dict[str, Any]) -> bytes:
        return sent

    return answer


async def test_the_structured_content_is_the_result() -> None:
    answer = await called(rpc({"id": "id-1", "result": {"structuredContent": LISTING, "content": []}}))
    assert answer.reply.result == LISTING
    assert answer.reached


async def test_a_payload_that_lies_flat_in_the_result_is_read_as_well() -> None:
    """Blueprint 2.2: the payload is `result` itself."""
    answer = await called(rpc({"id": "id-1", "result": {**LISTING, "content": [], "isError": False}}))
    assert answer.reply.result == LISTING


@pytest.mark.parametrize(
    "answering",
    [
        raw(b"<html><body>Bem-vindo</body></html>"),
        raw(b"<html>502</html>", "502 Bad Gateway"),
        raw(b""),
        raw(b"[1, 2]"),
        raw(b"\xff\xfe"),
        raw(b"[" * 5000),
        raw(b'"' + b"a" * (LARGEST_ANSWER + 10) + b'"'),
        bare(b"\x00\xff\r\n\r\n"),
        bare(b"220 smtp.example ready\r\n"),
        bare(b"HTTP/1.1 abc\r\n\r\n"),
        bare(b"HTTP/1.1 200 OK\r\nContent-Length: abc\r\n\r\n{}"),
        bare(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n{}"),
        bare(b"HTTP/1.1 200 OK\r\nX: " + b"a" * 200_000 + b"\r\n\r\n"),
        bare(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}"),
        bare(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        bare(b"HTTP/1.1 302 Found\r\nLocation: /mcp\r\nContent-Length: 0\r\n\r\n"),
        rpc({"id": "another", "result": LISTING}),
        rpc({"id": None, "result": LISTING}),
        rpc({"id": "id-1"}),
        rpc({"id": "id-1", "result": {"available_slots": "many"}}),
        rpc({"id": "id-1", "result": {"isError": True, "message": "no code"}}),
    ],
)
async def test_what_is_no_answer_is_minus_32000_with_a_polite_message(answering: Answering) -> None:
    """Blueprint 2.2/3, Blueprint 4.3/4: -32000 where a clinic cannot be reached, or answers another request."""
    answer = await called(answering)
    assert answer.reply.error is not None
    assert answer.reply.error.code == UNREACHABLE
    assert answer.reply.error.message == "A Clínica A não respondeu agora. Tente de novo daqui a pouco."
    assert answer.may_have_run
    assert not answer.reached


async def test_an_error_of_the_clinic_is_read_from_a_4xx_too() -> None:
    answer = await called(rpc({"id": "id-1", "error": {"code": -32602, "message": "<script>"}}, "400 Bad Request"))
    assert answer.reply.error is not None
    assert answer.reply.error.code == -32602
    assert "<script>" not in answer.reply.error.message
    assert answer.reached


async def test_a_refusal_keeps_its_code_and_its_words() -> None:
    refusal = {"codigo": "horario_ocupado", "message": "Esse horário já foi ocupado."}
    answer = await called(rpc({"id": "id-1", "result": {"isError": True, "structuredContent": refusal}}), "book_appointment", ANA)
    assert answer.reply.error is not None
    assert (answer.reply.error.codigo, answer.reply.error.message) == ("horario_ocupado", "Esse horário já foi ocupado.")


async def test_a_clinic_that_hangs_is_given_up_in_time() -> None:
    async def hangs(_: dict[str, Any]) -> bytes | None:
        await never()

    answer = await asyncio.wait_for(called(hangs, seconds=0.1), 30)
    assert answer.may_have_run
    assert not answer.reached


async def test_a_clinic_that_hangs_up_may_have_done_it() -> None:
    async def gone(_: dict[str, Any]) -> bytes | None:
        return None

    assert (await called(gone)).may_have_run


async def test_a_clinic_that_is_not_there_has_done_nothing(tmp_path: Path) -> None:
    async with http_transport(registro_at(free_port()), ways(tmp_path), key, lambda: "id-1") as transport:
        answer = await transport.call(Step(1, "clinic_a", "query"), "query", Caller(), 5.0)
    assert not answer.reached
    assert not answer.may_have_run


@pytest.mark.parametrize("url", ["", "not a url", "ftp://x/mcp", "http://[::1", "http://127.0.0.1:99999/mcp", "https://127.0.0.1:1/mcp"])
async def test_a_clinic_whose_address_is_none_has_done_nothing(tmp_path: Path, url: str) -> None:
    registro = Registro((Clinica("clinic_a", "Clínica A", "Cardiologia", 1, url),))
    async with http_transport(registro, ways(tmp_path), key, lambda: "id-1") as transport:
        answer = await transport.call(Step(1, "clinic_a", "query"), "query", Caller(), 5.0)
    assert not answer.reached
    assert not answer.may_have_run


async def test_a_clinic_that_is_not_in_the_registry_is_minus_32601(tmp_path: Path) -> None:
    """Blueprint 2.2/1: -32601, a clinic that is not in the registry."""
    async with http_transport(registro_at(1), ways(tmp_path), key, lambda: "id-1") as transport:
        answer = await transport.call(Step(1, "clinic_z", "query"), "query", Caller(), 5.0)
    assert answer.reply.error is not None
    assert answer.reply.error.code == -32601


async def test_identity_is_put_into_the_tools_that_need_it_and_never_taken_from_a_plan() -> None:
    """Blueprint 1.6, Blueprint 4.3/5: the orchestrator alone fills name and CPF in."""
    seen: list[dict[str, Any]] = []

    async def answer(message: dict[str, Any]) -> bytes:
        seen.append(message["params"])
        return http(b"{}")

    await called(answer, "book_appointment", ANA, doctor="x", cpf="000", patient_name="Outra Pessoa")
    await called(answer, "list_available_slots", ANA, doctor="x", cpf="000")
    assert seen[0]["arguments"] == {"doctor": "x", "patient_name": ANA.nome, "cpf": ANA.cpf}
    assert seen[1]["arguments"] == {"doctor": "x"}


async def test_a_token_that_is_not_taken_is_told_as_no_answer_and_nothing_was_done() -> None:
    async def unauthenticated(_: dict[str, Any]) -> bytes:
        return http(b'{"codigo": "nao_autenticado"}', "401 Unauthorized")

    answer = await called(unauthenticated)
    assert not answer.reached
    assert not answer.may_have_run


async def test_a_clinic_is_told_which_trace_its_call_belongs_to_and_the_call_is_counted() -> None:
    heads: list[bytes] = []
    provider = TracerProvider()
    counted = chamadas.labels("clinic_a", "list_available_slots", "respondeu")
    before = counted._value.get()
    answering = rpc({"id": "id-1", "result": {"structuredContent": LISTING, "content": []}})
    await called(answering, heads=heads)
    assert b"traceparent" not in heads[-1].lower()
    rastros.export_to(provider)
    try:
        with rastros.span("POST", "servidor"):
            told = rastros.traceparent()
            await called(answering, heads=heads)
    finally:
        rastros.export_to(None)
        provider.shutdown()
    assert told is not None
    assert f"traceparent: 00-{rastros.read_trace_id(told)}-".encode() in heads[-1].lower()
    assert counted._value.get() == before + 2
