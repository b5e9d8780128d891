"""`crivo demo`, `crivo servir` and `crivo doutor`."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import msgspec
import pytest
from typer.testing import Result

from atendimento import attended
from crivo.autorizacoes import amostra
from crivo.cli import demo_clinicas
from crivo.cli.exames import maquina
from crivo.clinicas.registro import REGISTRO_PADRAO, Registro
from crivo.clinicas.service import Clinicas
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.tesseract import find_tesseract
from federacao import moved, registry_on_free_ports
from tesseract_falso import install_tesseract

if TYPE_CHECKING:
    from tests.cli.conftest import NewTerminal, Terminal


@pytest.fixture
def port() -> int:
    """A port that is free now."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


@contextmanager
def _served(terminal: Terminal, *words: str, until: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A command that serves, and what it said on stderr until it was ready; ended by Ctrl-C if it still runs."""
    environment = os.environ | terminal.environment | {"CRIVO_PORTA_METRICAS": "0"}
    command = [sys.executable, "-m", "crivo", *words]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        told = ""
        for line in process.stderr:
            told += line
            if until in line:
                break
        try:
            yield process, told
        finally:
            process.send_signal(signal.SIGINT)


@pytest.fixture
def demonstrable(terminal: Terminal, tmp_path: Path) -> Terminal:
    """A terminal whose six clinics are on ports of their own."""
    folder = tmp_path / "dados/clinicas"
    folder.mkdir(parents=True)
    (folder / "registro.json").write_bytes(msgspec.json.encode(registry_on_free_ports()))
    return terminal


@pytest.fixture(scope="module")
def demonstrated(
    embedded_urls: tuple[str, str], make_tenant: Callable[[str], Scope], terminal_in: NewTerminal, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Terminal, list[Result]]]:
    """A terminal that ran the demo three times, the last in words, and what each said; its clinics were up before, and stay so."""
    folder = tmp_path_factory.mktemp("demo")
    ids = [clinica.id for clinica in REGISTRO_PADRAO]
    with attended(folder / "dados", *ids, now=True), pytest.MonkeyPatch.context() as monkeypatch:
        terminal = terminal_in(folder, embedded_urls[0], make_tenant(embedded_urls[0]), monkeypatch)
        yield terminal, [terminal.run("demo", "--sem-servidor", *how) for how in (("--json",), ("--json",), ())]


def test_the_demo_gives_every_outcome_worked_out_by_hand_and_runs_again_the_same(demonstrated: tuple[Terminal, list[Result]]) -> None:
    """Interfaces: `crivo demo [--sem-servidor]`. Design: the same pedido, policies and date give the same decision."""
    runs = [json.loads(result.stdout) for result in demonstrated[1][:2]]
    first, second = (run["autorizacoes"] for run in runs)
    assert first["divergentes"] == second["divergentes"] == []
    assert first["auditoria_integra"]
    assert second["auditoria_integra"]
    assert {pedido["repetida"] for pedido in first["pedidos"]} == {False}
    assert {pedido["repetida"] for pedido in second["pedidos"]} == {True}
    assert first["totais"] == second["totais"] == Counter(caso["decisao_final"] for caso in amostra.esperado().values())
    assert set(first["totais"]) == {"APROVADO", "APROVADO_PARCIAL", "NEGADO", "PENDENTE_AJUSTES"}
    one, other = (run["clinicas"] for run in runs)
    assert one["como_esperado"]
    assert [turn["mensagem"] for turn in one["turnos"]] == [turn["mensagem"] for turn in other["turnos"]]
    assert [turn["consultas"] for turn in one["turnos"]] == [turn["consultas"] for turn in other["turnos"]]


def test_the_demo_shows_each_pedido_one_trail_agent_by_agent_and_the_conversation(demonstrated: tuple[Terminal, list[Result]]) -> None:
    result = demonstrated[1][2]
    assert result.exit_code == 0
    for arquivo in amostra.pedidos():
        assert arquivo.nome.removesuffix(".json") in result.stdout
    for part in (
        "◐ Aprovado em parte",
        "✕ Negado",
        "carência por cumprir",
        "A26-006 (versão 2026.1)",
        "Aguardar mais 150 dias de carência",
    ):
        assert part in result.stdout
    trail, _, conversation = result.stdout.partition("agente por agente")[2].partition("Uma conversa com as clínicas")
    assert re.findall(r"^(\d)\. (\w+) \(PRD RF\1\)", trail, re.MULTILINE) == [
        (str(position), stage)
        for position, stage in enumerate(("normalizacao", "parametros", "consulta", "avaliacao", "ajustes", "sintese"), 1)
    ]
    assert len(re.findall(r"levou [\d.]+ µs", trail)) == 6
    assert "código" in trail
    assert "✓ Todos os resultados são os do gabarito" in result.stdout
    assert "✓ Auditoria íntegra" in result.stdout
    # A change and a cancellation are each asked once, and answered.
    assert re.findall(r"^(\d)\. Você: ", conversation, re.MULTILINE) == ["1", "2", "3", "4", "5", "6", "7"]
    assert all(clinic in conversation for clinic in ("Clínica A", "Clínica B", "Clínica C", "Clínica F"))
    assert conversation.count("✓ Guardado nas clínicas") == 7
    assert "as agendas terminaram como começaram" in conversation


def test_the_demo_opens_the_pages_with_a_link_and_a_key_that_work_while_the_clinics_answer(demonstrable: Terminal, port: int) -> None:
    with _served(demonstrable, "demo", "--porta", str(port), until="Ctrl-C encerra") as (process, told):
        links = re.findall(r"^  (\w[^\n]*)\n    (http://\S+)/entrar\?token=(\S+)&volta=(\S+)", told, re.MULTILINE)
        assert len({who for who, *_ in links}) == 6
        for _, home, token, begins in links:
            assert httpx.get(f"{home}/entrar", params={"token": token}).status_code == 200
            assert _first_page(home, token, begins).status_code == 200
            assert _first_page(home, token, begins).status_code == 401  # it served once
        assert {begins for *_, begins in links} >= {"/admin/editais", "/autorizacoes/fila", "/clinicas/conversa", "/avaliacao"}
        curl = re.search(r"  (curl .*\n.*)\n", told)
        assert curl is not None
        answered = subprocess.run(["sh", "-c", curl[1]], capture_output=True, check=True)
        assert json.loads(answered.stdout)["decisao_final"] == "APROVADO_PARCIAL"
        key = re.search(r"Bearer (crv_\w[\w-]*)", told)
        assert key is not None
        assert _asked(port, key[1]) == {"clinic_d", "clinic_e"}
    assert process.returncode == 0
    clinicas = Clinicas(Path(demonstrable.environment["CRIVO_DATA_DIR"]))
    assert [order.clinica.id for order in asyncio.run(clinicas.away())] == [clinica.id for clinica in clinicas.registro]


def _first_page(home: str, token: str, begins: str) -> httpx.Response:
    """Where somebody of the demo begins, as they see it once they have signed in with a link."""
    with httpx.Client(base_url=home, headers={"accept": "text/html"}) as browser:
        entered = browser.post("/entrar", data={"token": token, "volta": begins})
        return browser.get(entered.headers["location"]) if entered.status_code == 303 else entered


def _asked(port: int, key: str) -> set[str]:
    """The clinics that answer a conversation held with a key."""
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"authorization": f"Bearer {key}"}) as client:
        begun = client.post("/api/clinicas/conversas", json={"paciente": {"nome": "Ana Braga", "cpf": "529.982.247-25"}})
        said = {"texto": "tem ortopedista?"}
        turn = client.post(f"{begun.headers['location']}/mensagens", json=said, headers={"accept": "application/json"}).json()
    return {oferta["clinic"] for oferta in turn["ofertas"]}


def test_a_demo_whose_stores_do_not_end_as_they_should_fails(
    demonstrated: tuple[Terminal, list[Result]], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = demonstrated[0]
    monkeypatch.setattr(demo_clinicas, "CANCEL", "obrigada")  # then the appointment stays
    result = terminal.run("demo", "--sem-servidor")
    assert result.exit_code == 1
    assert "✗ Guardado nas clínicas: " in result.stdout
    monkeypatch.undo()
    assert terminal.run("demo", "--sem-servidor").exit_code == 0


def test_the_demo_says_which_port_of_a_clinic_is_taken(demonstrable: Terminal, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        registro = Registro(tuple(moved(clinica, port) if clinica.id == "clinic_c" else clinica for clinica in registry_on_free_ports()))
        (tmp_path / "dados/clinicas/registro.json").write_bytes(msgspec.json.encode(registro))
        done = demonstrable.run("demo", "--sem-servidor")
    assert done.exit_code == 2
    assert f"A porta {port} (clinic_c) já está em uso pelo processo {os.getpid()} (" in done.stderr


def test_servir_answers_until_it_is_interrupted(terminal: Terminal, port: int) -> None:
    with _served(terminal, "servir", "--porta", str(port), until="Ctrl-C encerra") as (process, told):
        assert f"Atendendo em http://127.0.0.1:{port}" in told
        assert httpx.get(f"http://127.0.0.1:{port}/healthz").status_code == 200
    assert process.returncode == 0


def test_servir_on_a_port_that_is_taken_is_wrong_use(terminal: Terminal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = terminal.spawn("servir", "--porta", str(taken.getsockname()[1]))
    assert done.returncode == 2
    assert "Erro: A porta já está em uso." in done.stderr.decode()


def _exames(terminal: Terminal) -> tuple[bool, dict[str, tuple[str, str]]]:
    told = json.loads(terminal.run("doutor", "--json").stdout)
    return told["ok"], {exame["nome"]: (exame["estado"], exame["detalhe"]) for exame in told["exames"]}


def test_doutor_finds_a_sound_installation_sound(terminal: Terminal) -> None:
    """Interfaces: `crivo doutor`: what is configured, what is reachable."""
    ok, exames = _exames(terminal)
    assert ok
    assert exames["Banco de dados"][0] == "bem"
    assert "papel crivo_app" in exames["Banco de dados"][1]
    assert exames["Modelo de linguagem"][0] == "opcional"
    assert exames["Guardado nesta organização"][1].startswith("0 políticas, 0 decisões")
    assert terminal.run("doutor").stdout.endswith("Tudo o que é necessário funciona.\n")


def test_doutor_says_whether_scans_are_read_and_prints_the_one_command_where_they_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    find_tesseract.cache_clear()
    monkeypatch.setenv("PATH", str(tmp_path))
    installer = tmp_path / "apt-get"
    installer.write_text("#!/bin/sh\n")
    installer.chmod(0o755)
    absent = maquina._scans()
    install_tesseract(tmp_path, monkeypatch, "exit 0", languages="eng")
    find_tesseract.cache_clear()
    without_portuguese = maquina._scans()
    install_tesseract(tmp_path, monkeypatch, "exit 0")
    find_tesseract.cache_clear()
    there = maquina._scans()
    find_tesseract.cache_clear()
    assert [one.estado for one in (absent, without_portuguese, there)] == ["opcional", "opcional", "bem"]
    assert absent.detalhe.startswith("não há tesseract")
    assert without_portuguese.detalhe.startswith("o tesseract não tem o português")
    assert all(one.detalhe.endswith("apt-get install -y tesseract-ocr tesseract-ocr-por") for one in (absent, without_portuguese))


def test_doutor_names_a_wrong_setting(terminal: Terminal) -> None:
    terminal.environment["CRIVO_PORTA"] = "muitas"
    result = terminal.run("doutor")
    assert result.exit_code == 1
    assert "✗ Configuração: CRIVO_PORTA" in result.stdout


def test_keys_that_others_may_read_are_told_by_doutor_and_the_anchors_own_stops_the_start(terminal: Terminal, tmp_path: Path) -> None:
    clinic = tmp_path / "dados" / "clinicas" / "clinic_a"
    clinic.mkdir(parents=True)
    kept = [tmp_path / "dados" / "chave-mestra", tmp_path / "dados" / "ancoras.chave", clinic / "chave-mestra", clinic / "chaves.json"]
    for path in kept:
        path.write_bytes(b"k" * 32)
        path.chmod(0o644)
    told = terminal.run("doutor")
    assert told.exit_code == 1
    assert [path for path in kept if f"✗ Chaves: Outras contas desta máquina podem ler a chave em {path}." in told.stdout] == kept
    refused = terminal.run("auditoria", "listar")
    assert (refused.exit_code, f"chmod 600 {kept[1]}" in refused.stderr.replace("\n", " ")) == (2, True)
    for path in kept:
        path.chmod(0o600)
    assert terminal.run("doutor").exit_code == 0


def test_a_new_data_folder_is_its_owner_s_alone_and_one_that_others_open_is_told_and_left(terminal: Terminal, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        terminal.run("auditoria", "listar")
    finally:
        os.umask(before)
    made = tmp_path / "dados"
    assert made.stat().st_mode & 0o777 == 0o700
    assert "Acesso à pasta de dados" not in _exames(terminal)[1]
    made.chmod(0o755)
    ok, exames = _exames(terminal)
    assert (ok, made.stat().st_mode & 0o777) == (True, 0o755)
    assert f"chmod 700 {made}" in exames["Acesso à pasta de dados"][1]


def test_a_clock_that_was_set_back_and_an_address_in_the_clear_are_told_by_doutor(terminal: Terminal) -> None:
    terminal.run("usuarios", "criar", "ana@exemplo.org", "--nome", "Ana", "--papel", "gestor")
    terminal.environment.update({"CRIVO_AGORA": "2020-01-01T00:00:00-03:00", "CRIVO_ENDERECO_PUBLICO": "http://crivo.exemplo.org"})
    ok, exames = _exames(terminal)
    assert not ok
    assert exames["Relógio"] == ("mal", exames["Relógio"][1])
    assert exames["Relógio"][1].startswith("marca 01/01/2020 00:00, antes do último registro da auditoria, de ")
    assert exames["Endereço"][1].startswith("http://crivo.exemplo.org é sem https")


def test_doutor_names_a_database_that_is_away(terminal: Terminal) -> None:
    terminal.environment["CRIVO_DATABASE_URL"] = "postgresql://ninguem@127.0.0.1:1/nada"
    ok, exames = _exames(terminal)
    assert not ok
    assert exames["Banco de dados"][0] == "mal"


def test_doutor_names_a_data_folder_that_is_a_file(terminal: Terminal) -> None:
    terminal.environment["CRIVO_DATA_DIR"] = str(terminal.file("arquivo", ""))
    ok, exames = _exames(terminal)
    assert not ok
    assert exames["Pasta de dados"][0] == "mal"


def test_doutor_sees_the_embedded_server_that_another_process_holds(terminal: Terminal, port: int, tmp_path: Path) -> None:
    del terminal.environment["CRIVO_DATABASE_URL"]
    terminal.environment["CRIVO_TENANT"] = "local"
    terminal.environment["CRIVO_DATA_DIR"] = str(tmp_path / "embutido")
    with _served(terminal, "servir", "--porta", str(port), until="Ctrl-C encerra"):
        ok, exames = _exames(terminal)
        assert ok
        assert re.fullmatch(r"em execução, processo \d+; 1 processo o usa", exames["PostgreSQL embutido"][1])
    assert "parado" in _exames(terminal)[1]["PostgreSQL embutido"][1]
