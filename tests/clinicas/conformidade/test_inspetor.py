"""The official inspector, as anyone would point it: at a clinic's process over HTTP, and at `crivo clinicas mcp` over stdio."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from cenario import ANA, BIA, MORNING, Running, free_port, order_for, running, silo_of, write_data
from crivo.clinicas.ferramentas import FERRAMENTAS
from federacao import registry_on_free_ports
from ferramentas_node import NodeTools

ERAS = ("legacy", "modern")
BOOKING = {"doctor": "Fernando", "date": "2025-07-18", "time": "10:00", "patient_name": "Ana Braga"}


@pytest.fixture(scope="module")
def clinic(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(order_for(write_data(tmp_path_factory.mktemp("clinica")), free_port())) as (one,):
        yield one


def asked(tools: NodeTools, *words: str) -> Any:
    done = tools.inspector(*words, "--format", "json", "-q")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["result"]


def of_clinic(clinic: Running, era: str, *words: str) -> tuple[str, ...]:
    header = f"Authorization: Bearer {clinic.token()}"
    return clinic.url, "--transport", "http", "--protocol-era", era, "--header", header, *words


@pytest.mark.parametrize("era", ERAS)
def test_it_lists_a_clinics_tools_and_finds_no_fault_with_their_schemas(tools: NodeTools, clinic: Running, era: str) -> None:
    listed = asked(tools, *of_clinic(clinic, era, "--method", "tools/list", "--strict"))
    assert tuple(tool["name"] for tool in listed["tools"]) == tuple(one.name for one in FERRAMENTAS)


@pytest.mark.parametrize(("era", "cpf"), [("legacy", ANA), ("modern", BIA)])
def test_it_books_in_a_clinic_and_the_silo_holds_it(tools: NodeTools, clinic: Running, era: str, cpf: str) -> None:
    slot = {"legacy": {}, "modern": {"date": "2025-07-19", "time": "14:00"}}[era]
    arguments = json.dumps(BOOKING | slot | {"cpf": cpf})
    words = ("--method", "tools/call", "--tool-name", "book_appointment", "--tool-args-json", arguments)
    assert asked(tools, *of_clinic(clinic, era, *words))["structuredContent"]["status"] == "confirmed"
    silo = silo_of(clinic.order)
    assert cpf in [held.cpf for held in silo.all_slots()]
    silo.close()


def test_without_the_token_it_gets_nothing(tools: NodeTools, clinic: Running) -> None:
    done = tools.inspector(clinic.url, "--transport", "http", "--method", "tools/list", "--stored-auth-only", "--format", "json", "-q")
    assert done.returncode != 0
    assert "auth_required" in done.stderr
    assert "book_appointment" not in done.stdout


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The command of the orchestrator, on a data folder of its own."""
    folder = tmp_path_factory.mktemp("orquestrador")
    (folder / "clinicas").mkdir()
    (folder / "clinicas/registro.json").write_bytes(msgspec.json.encode(registry_on_free_ports()))
    settings = (f"CRIVO_DATA_DIR={folder}", f"CRIVO_AGORA={MORNING.isoformat()}")
    return sys.executable, "-P", "-m", "crivo", "clinicas", "mcp", "--sem-subir", *(word for one in settings for word in ("-e", one))


@pytest.mark.parametrize("era", ERAS)
def test_it_lists_the_one_tool_of_the_orchestrator(tools: NodeTools, program: tuple[str, ...], era: str) -> None:
    (listed,) = asked(tools, *program, "--protocol-era", era, "--connect-timeout", "60000", "--method", "tools/list", "--strict")["tools"]
    assert listed["name"] == "conversar"
    assert listed["annotations"]["destructiveHint"] is True


@pytest.mark.parametrize("era", ERAS)
def test_it_talks_to_the_orchestrator(tools: NodeTools, program: tuple[str, ...], era: str) -> None:
    said = ("--tool-name", "conversar", "--tool-args-json", '{"mensagem": "me chamo Ana Braga"}')
    words = ("--protocol-era", era, "--connect-timeout", "60000", "--method", "tools/call", *said)
    answered = asked(tools, *program, *words)
    assert "CPF" in answered["structuredContent"]["texto"]
    assert answered["structuredContent"]["turno"] is None
    assert answered["isError"] is False
