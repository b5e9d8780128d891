"""`crivo clinicas mcp`: the orchestrator as an MCP server over standard streams. A real process, and real clinics."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

import pytest
from jsonschema import Draft202012Validator
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from cenario import free_port
from crivo.clinicas.orquestrador.conversa.mcp_stdio import LONGEST_LINE
from crivo.clinicas.service import Clinicas
from espera import never
from federacao import ANA, BIA, Federation, registry_on_free_ports, stand_in
from por_linhas import HELLO, Lines, by_lines, program, settings, write_registry

LISTS, BOOKS = "quero marcar uma consulta com cardiologista", "pode ser com o Dr. Fernando dia 18 as 10h"
ANAS_BOOKING = ("Dr. Fernando Mendes", "2025-07-18", "10:00", ANA.cpf)


@pytest.fixture
def data_dir(federation: Federation) -> Path:
    """The data folder of clinics that are up."""
    return write_registry(federation.clinicas.data_dir, federation.clinicas.registro)


@pytest.fixture
async def lines(data_dir: Path) -> AsyncIterator[Lines]:
    async with by_lines(data_dir, "--sem-subir") as lines:
        yield lines


@pytest.mark.parametrize(("mode", "protocol"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
async def test_the_official_client_books_in_a_conversation(
    federation: Federation, data_dir: Path, mode: Literal["legacy", "auto"], protocol: str
) -> None:
    """Design, real MCP: the orchestrator is itself offered as an MCP server with one tool to talk to."""
    command, *words = program("--sem-subir")
    async with Client(stdio_client(StdioServerParameters(command=command, args=words, env=settings(data_dir))), mode=mode) as client:
        assert client.protocol_version == protocol
        (tool,) = (await client.list_tools()).tools
        assert tool.output_schema is not None
        conversa: str | None = None
        for said in (ANA.nome, ANA.cpf, LISTS, BOOKS):
            given = {"mensagem": said} | ({} if conversa is None else {"conversa": conversa})
            answered = (await client.call_tool(tool.name, given)).structured_content
            assert answered is not None
            Draft202012Validator(tool.output_schema).validate(answered)
            conversa = answered["conversa"]
    assert "está marcada" in answered["texto"]
    assert federation.held() == {"clinic_c": [ANAS_BOOKING]}


async def test_it_offers_one_tool_that_is_strict_and_says_that_it_may_undo(lines: Lines) -> None:
    (tool,) = (await lines.ask("tools/list"))["result"]["tools"]
    assert tool["name"] == "conversar"
    assert tool["inputSchema"]["additionalProperties"] is False
    assert tool["inputSchema"]["required"] == ["mensagem"]
    assert tool["annotations"] == {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": False}
    Draft202012Validator.check_schema(tool["outputSchema"])
    assert (await lines.ask("prompts/list"))["error"]["code"] == -32601


async def test_what_was_wished_first_is_done_once_it_is_known_who_is_speaking(lines: Lines) -> None:
    """Blueprint 1.6: name and CPF are asked before anything else."""
    first = await lines.say(LISTS)
    assert "nome completo" in first["texto"]
    assert first["turno"] is None
    assert "CPF" in (await lines.say(ANA.nome, first["conversa"]))["texto"]
    listed = await lines.say(ANA.cpf, first["conversa"])
    assert "Encontrei 10 horários de Cardiologia" in listed["texto"]
    assert [step["clinic"] for step in listed["turno"]["plano"]] == ["clinic_a", "clinic_c"]


async def test_the_summary_of_a_turn_has_no_personal_data(lines: Lines) -> None:
    conversa = await lines.identified(ANA.nome, ANA.cpf)
    await lines.say(LISTS, conversa)
    turno = (await lines.say(BOOKS, conversa))["turno"]
    assert [(call["clinic"], call["finalidade"], call["situacao"]) for call in turno["chamadas"]] == [
        ("clinic_c", "passo", "respondeu"),
        ("clinic_c", "prova", "respondeu"),
    ]
    assert turno["safe"] is True
    for secret in ("Ana", "Braga", "529", "Fernando", "2025-07-18"):
        assert secret not in json.dumps(turno)


async def test_two_conversations_are_two_people(federation: Federation, lines: Lines) -> None:
    ana, bia = await lines.identified(ANA.nome, ANA.cpf), await lines.identified(BIA.nome, BIA.cpf)
    for said in (LISTS, BOOKS):
        await lines.say(said, ana)
    assert "Cancelo?" not in (await lines.say("preciso cancelar minha consulta", bia))["texto"]
    assert federation.held() == {"clinic_c": [ANAS_BOOKING]}
    assert "Cancelo?" in (await lines.say("preciso cancelar minha consulta", ana))["texto"]
    assert "Cancelei" in (await lines.say("sim", ana))["texto"]
    assert federation.held() == {}


async def test_a_conversation_that_is_not_held_is_told_as_such(lines: Lines) -> None:
    answered = await lines.say("oi", "a-que-nunca-houve")
    assert answered["codigo"] == "conversa_desconhecida"
    assert "sem o id" in answered["message"]


async def test_of_a_hundred_and_one_conversations_the_first_is_forgotten(lines: Lines) -> None:
    begun = [(await lines.say("oi"))["conversa"] for _ in range(101)]
    assert "codigo" in await lines.say(ANA.nome, begun[0])
    assert "CPF" in (await lines.say(ANA.nome, begun[1]))["texto"]


WRONG_CALLS: list[tuple[dict[str, Any], str]] = [
    ({"name": ANA.cpf, "arguments": {}}, "Ferramenta desconhecida"),
    ({"name": "conversar"}, "Falta o argumento mensagem"),
    ({"name": "conversar", "arguments": {"mensagem": "oi", ANA.cpf: "1"}}, "não conhece"),
    ({"name": "conversar", "arguments": {"mensagem": {"cpf": ANA.cpf}}}, "argumento mensagem"),
    ({"name": "conversar", "arguments": {"mensagem": " \n "}}, "argumento mensagem"),
    ({"name": "conversar", "arguments": {"mensagem": ANA.cpf * 200}}, "1 a 2000"),
    ({"name": "conversar", "arguments": {"mensagem": "oi\x00" + ANA.cpf}}, "caracteres de controle"),
    ({"name": "conversar", "arguments": {"mensagem": "oi", "conversa": 3}}, "argumento conversa"),
    ({"name": "conversar", "arguments": [ANA.cpf]}, ""),
    ({"name": 3, "arguments": {"mensagem": ANA.cpf}}, ""),
]


async def test_a_wrong_call_is_minus_32602_and_is_not_quoted(lines: Lines) -> None:
    for params, told in WRONG_CALLS:
        error = (await lines.ask("tools/call", **params))["error"]
        assert error["code"] == -32602, params
        assert told in error["message"]
        assert ANA.cpf not in json.dumps(error), params


async def test_an_unknown_method_is_minus_32601_and_is_not_quoted(lines: Lines) -> None:
    error = (await lines.ask(f"tools/{ANA.cpf}"))["error"]
    assert error["code"] == -32601
    assert ANA.cpf not in json.dumps(error)


async def test_a_message_of_several_lines_is_one_message(lines: Lines) -> None:
    assert "CPF" in (await lines.say("me chamo\n\tAna Braga\r\n"))["texto"]


WRONG_LINES: list[tuple[bytes, int]] = [
    (b"{", -32700),
    (b"\xff\xfe", -32700),
    (b'"\\ud800"', -32700),
    (b"[" * 60_000, -32700),
    (b"[" * 900 + b"]" * 900, -32600),
    (b"[]", -32600),
    (b'{"id": 1}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}', -32600),
    (b'{"jsonrpc": "2.0", "id": 1, "method": "' + b"x" * LONGEST_LINE + b'"}', -32600),
    (b"x" * (3 * LONGEST_LINE), -32600),
]


async def test_a_line_that_is_no_message_is_answered_and_the_next_one_is_served(lines: Lines) -> None:
    for line, code in WRONG_LINES:
        await lines.send(line)
        assert (await lines.answer())["error"]["code"] == code, line[:80]
        assert (await lines.ask("ping"))["result"] == {}


async def test_a_line_that_waits_for_no_answer_gets_none(lines: Lines) -> None:
    cancelled = b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": [9]}}'
    for line in (b"", b"   ", b'{"jsonrpc": "2.0", "id": 9, "result": {}}', b'{"jsonrpc": "2.0", "method": 3}', cancelled):
        await lines.send(line)
        assert (await lines.ask("ping"))["result"] == {}, line


async def test_a_call_before_the_greeting_is_refused(data_dir: Path) -> None:
    async with by_lines(data_dir, "--sem-subir", greeted=False) as lines:
        assert (await lines.ask("tools/call", name="conversar", arguments={"mensagem": ANA.cpf}))["error"]["code"] == -32602
        assert (await lines.ask("initialize", **HELLO))["result"]["serverInfo"]["name"] == "crivo-clinicas"


async def test_a_clinic_that_is_down_is_named_in_a_partial_answer(federation: Federation, tmp_path: Path) -> None:
    elsewhere = federation.elsewhere("clinic_c", free_port())
    async with by_lines(linked(federation, elsewhere, tmp_path), "--sem-subir") as lines:
        conversa = await lines.identified(ANA.nome, ANA.cpf)
        listed = await lines.say(LISTS, conversa)
        assert "Dr. Ricardo Lopes" in listed["texto"]
        assert "Não consegui falar com a Clínica C" in listed["texto"]
        assert listed["turno"]["sem_resposta"] == ["clinic_c"]


def linked(federation: Federation, clinicas: Clinicas, folder: Path) -> Path:
    """A data folder with the tokens of running clinics and another registry."""
    for clinica in clinicas.registro:
        (folder / "clinicas").mkdir(exist_ok=True)
        (folder / "clinicas" / clinica.id).symlink_to(federation.clinicas.data_dir / "clinicas" / clinica.id)
    return write_registry(folder, clinicas.registro)


async def test_what_was_asked_before_the_end_of_input_is_done_and_answered(federation: Federation, lines: Lines) -> None:
    conversa = await lines.identified(ANA.nome, ANA.cpf)
    await lines.say(LISTS, conversa)
    own_id = await lines.request("tools/call", name="conversar", arguments={"mensagem": BOOKS, "conversa": conversa})
    (answered,), err = await lines.leave()
    assert answered["id"] == own_id
    assert "está marcada" in answered["result"]["structuredContent"]["texto"]
    assert federation.held() == {"clinic_c": [ANAS_BOOKING]}
    assert (lines.process.returncode, err) == (0, "")


async def test_input_that_ends_in_the_middle_of_a_message_ends_the_program(lines: Lines) -> None:
    assert lines.process.stdin is not None
    lines.process.stdin.write(b'{"jsonrpc": "2.0", "id": 7, "method": "tools/ca')
    (answered,), err = await lines.leave()
    assert answered["error"]["code"] == -32700
    assert (lines.process.returncode, err) == (0, "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_a_signal_ends_it_while_it_waits(lines: Lines, number: signal.Signals) -> None:
    lines.process.send_signal(number)
    async with asyncio.timeout(60):
        assert await lines.process.wait() == 0


async def test_a_signal_ends_it_in_the_middle_of_a_turn(federation: Federation, tmp_path: Path) -> None:
    called = asyncio.Event()

    async def hangs(_: dict[str, Any]) -> bytes | None:
        called.set()
        await never()

    async with (
        stand_in(hangs, federation.clinicas.folder("clinic_c").path) as port,
        by_lines(linked(federation, federation.elsewhere("clinic_c", port), tmp_path), "--sem-subir") as lines,
    ):
        conversa = await lines.identified(ANA.nome, ANA.cpf)
        await lines.request("tools/call", name="conversar", arguments={"mensagem": LISTS, "conversa": conversa})
        await called.wait()
        lines.process.terminate()
        _, err = await lines.leave()
        assert (lines.process.returncode, err) == (0, "")


def clinics_of(data_dir: Path) -> list[int]:
    """The ids of the processes that serve clinics from a data folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
        except OSError:  # it has just ended
            continue
        if b"crivo.clinicas.clinica" in command and str(data_dir).encode() in command:
            found.append(int(process.name))
    return found


async def none_is_left(data_dir: Path) -> bool:
    for _ in range(1200):
        if not clinics_of(data_dir):
            return True
        await asyncio.sleep(0.05)
    return False


@pytest.mark.parametrize("end", ["input", "signal", "kill"])
async def test_clinics_that_it_started_end_with_it_however_it_ends(tmp_path: Path, end: str) -> None:
    data_dir = write_registry(tmp_path / "dados", registry_on_free_ports("clinic_a", "clinic_c"))
    async with by_lines(data_dir) as lines:
        assert len(clinics_of(data_dir)) == 2
        conversa = await lines.identified(ANA.nome, ANA.cpf)
        assert "horário" in (await lines.say(LISTS, conversa))["texto"]
        match end:
            case "input":
                assert await lines.leave() == ([], "")
            case "signal":
                lines.process.terminate()
            case "kill":
                lines.process.kill()
        async with asyncio.timeout(60):
            code = await lines.process.wait()
    assert code == (-signal.SIGKILL if end == "kill" else 0)
    assert await none_is_left(data_dir)


async def test_a_clinic_that_cannot_start_ends_it_with_a_sentence_and_nothing_on_the_wire(tmp_path: Path) -> None:
    data_dir = write_registry(tmp_path / "dados", registry_on_free_ports("clinic_a"))
    (tmp_path / "clinic_a.db.json").write_text("{")
    async with by_lines(data_dir, "--dados", str(tmp_path), greeted=False) as lines:
        answers, err = await lines.leave()
    assert answers == []
    assert lines.process.returncode not in {0, None}
    assert "clinic_a" in err
    assert "Traceback" not in err
