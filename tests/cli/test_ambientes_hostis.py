"""Machines that are not as one would wish: what is said there, and that nothing is lost."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from prometheus_client import CollectorRegistry

from crivo.cli import servidor
from crivo.kernel.settings import Settings, WrongSetting, load_settings
from crivo.kernel.storage import cluster
from crivo.kernel.storage.cluster import Cluster, EmbutidoIndisponivel
from crivo.kernel.storage.embedded import is_new
from crivo.vigia.porta import of_server, served
from crivo.web.server import EnderecoInvalido, PortaOcupada, listening

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

NO_UTF8: Mapping[str, Any] = {"LC_ALL": "POSIX", "LANG": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def _by_shell(terminal: Terminal, script: str, *words: str) -> subprocess.CompletedProcess[bytes]:
    """A command with what a shell does around it: `"$@"` is the command."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CRIVO_")} | terminal.environment
    command = ["bash", "-c", script, "bash", sys.executable, "-m", "crivo", *words]
    return subprocess.run(command, env=environment, cwd=terminal.folder, capture_output=True, timeout=120, check=False)


def test_without_utf8_the_words_and_the_names_of_files_are_read_and_written_whole(terminal: Terminal, tmp_path: Path) -> None:
    folder = tmp_path / "ação 100% à mão"
    done = terminal.spawn("doutor", "--json", CRIVO_DATA_DIR=str(folder), **NO_UTF8)
    told = {exame["codigo"]: exame["detalhe"] for exame in json.loads(done.stdout.decode())["exames"]}
    assert str(folder) in told["pasta_de_dados"]
    assert "UTF-8" in told["texto"]
    assert "Traceback" not in done.stderr.decode()
    listed = terminal.spawn("auditoria", "listar", CRIVO_DATA_DIR=str(folder), **NO_UTF8)
    assert listed.stdout.decode().strip() == "A auditoria ainda não tem registros."
    refused = terminal.spawn("triagem", "importar", "edição.json", **NO_UTF8)
    assert "edição.json" in refused.stderr.decode()


def test_a_person_s_words_come_in_as_they_are_without_utf8(terminal: Terminal, tmp_path: Path) -> None:
    pedido = tmp_path / "pedido.json"
    pedido.write_text('{"pedido_id": "á"', encoding="utf-8")
    done = terminal.spawn("autorizacoes", "decidir", "-", given=pedido.read_bytes(), **NO_UTF8)
    assert (done.returncode, "Não deu para ler o pedido" in done.stderr.decode()) == (1, True)


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_standard_stream_that_is_closed_is_no_fault(terminal: Terminal, closed: str) -> None:
    done = _by_shell(terminal, f'"$@" {closed}', "auditoria", "listar")
    assert done.returncode == 0
    assert "defeito" not in done.stderr.decode()
    if closed in {"<&-", "2>&-"}:
        assert done.stdout.decode().strip() == "A auditoria ainda não tem registros."


def test_what_is_typed_into_a_closed_stream_is_told_as_nothing(terminal: Terminal) -> None:
    done = _by_shell(terminal, '"$@" <&-', "autorizacoes", "decidir", "-")
    assert (done.returncode, "Não deu para ler o pedido" in done.stderr.decode()) == (1, True)


def test_a_reader_that_has_enough_ends_a_command_in_silence(terminal: Terminal) -> None:
    done = _by_shell(terminal, 'set -o pipefail; "$@" | head -1', "doutor")
    assert done.stdout.decode().startswith("✓ Configuração")
    assert done.stderr == b""


def test_few_files_that_may_be_open_are_enough_for_a_command_and_are_told(terminal: Terminal) -> None:
    assert _by_shell(terminal, 'ulimit -n 64; exec "$@"', "auditoria", "listar").returncode == 0
    told = json.loads(_by_shell(terminal, 'ulimit -n 64; exec "$@"', "doutor", "--json").stdout)
    assert next(exame["estado"] for exame in told["exames"] if exame["codigo"] == "descritores") == "mal"


def test_a_temporary_folder_and_a_home_that_are_not_there_are_done_without(terminal: Terminal) -> None:
    gone: Mapping[str, Any] = {"TMPDIR": "/nao/existe", "HOME": "/nao/existe"}
    told = json.loads(terminal.spawn("doutor", "--json", **gone).stdout)
    assert {exame["codigo"]: exame["estado"] for exame in told["exames"] if exame["codigo"] in {"temporaria", "casa"}} == {
        "temporaria": "opcional",
        "casa": "opcional",
    }
    assert terminal.spawn("auditoria", "listar", **gone).returncode == 0


@pytest.mark.parametrize("words", [("clinicas", "servir", "clinic_a"), ("banco", "migrar"), ("triagem", "listar")])
def test_a_file_where_the_data_folder_should_be_is_told(terminal: Terminal, words: tuple[str, ...]) -> None:
    del terminal.environment["CRIVO_DATABASE_URL"]
    terminal.environment.update({"CRIVO_DATA_DIR": str(terminal.file("arquivo", "")), "CRIVO_TENANT": "local"})
    done = terminal.spawn(*words)
    assert done.returncode == 1
    assert f"{terminal.folder}/arquivo" in done.stderr.decode()
    assert "defeito" not in done.stderr.decode()


def test_a_disk_without_room_for_a_database_is_told_before_one_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_FIRST_BYTES", 10**18)
    with pytest.raises(EmbutidoIndisponivel, match=r"Não há espaço para o banco em .* CRIVO_DATA_DIR"):
        Cluster(tmp_path / "postgres").create()
    assert list(tmp_path.iterdir()) == []


def test_an_account_that_has_only_a_number_is_told_what_the_embedded_database_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_000)
    with pytest.raises(EmbutidoIndisponivel, match=r"A conta de número 4000000 não tem nome"):
        cluster._named()


def test_a_chosen_port_that_is_taken_is_told_with_who_has_it_and_one_of_root_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        with pytest.raises(PortaOcupada, match=rf"A porta {port} já está em uso pelo processo {os.getpid()} \("):
            listening("127.0.0.1", [port])
    with pytest.raises(EnderecoInvalido, match=r"CRIVO_HOST"):
        listening("192.0.2.1", [port])


def test_ports_that_nobody_chose_move_and_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, socket.create_server(("127.0.0.1", 0)) as also:
        page, metrics = (int(one.getsockname()[1]) for one in (taken, also))

        class Elsewhere(Settings):
            porta: int = page
            porta_metricas: int = metrics

        settings = Elsewhere(_env_file=None)
        opened, listener = servidor.open_port(settings)
        listener.close()
        with served("127.0.0.1", of_server(settings), CollectorRegistry(), lambda found: servidor._tell_metrics(settings, found)):
            told = capsys.readouterr().err
    assert opened.porta not in {page, metrics}
    assert f"A porta {page} já está em uso pelo processo {os.getpid()}" in told
    assert f"as páginas atendem na {opened.porta}" in told
    assert f"A porta {metrics} já está em uso pelo processo {os.getpid()}" in told
    assert re.search(rf"as métricas atendem na (?!{metrics}|{page})\d+\.", told)


def test_metrics_at_a_chosen_port_that_is_taken_are_done_without_and_that_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        settings = Settings(_env_file=None, porta_metricas=int(taken.getsockname()[1]))
        with served("127.0.0.1", of_server(settings), CollectorRegistry(), lambda found: servidor._tell_metrics(settings, found)):
            told = capsys.readouterr().err
    assert f"porta {settings.porta_metricas} das métricas: o servidor segue sem elas" in told
    assert "CRIVO_PORTA_METRICAS" in told


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({}, "http://127.0.0.1:8000"),
        ({"host": "::1", "porta": 81}, "http://[::1]:81"),
        ({"endereco_publico": "https://crivo.exemplo.org"}, "https://crivo.exemplo.org, nesta máquina em http://127.0.0.1:8000"),
        ({"endereco_publico": "http://127.0.0.1:8000"}, "http://127.0.0.1:8000"),
        (
            {"endereco_publico": "https://crivo.exemplo.org", "host": "10.0.0.7", "porta": 8123},
            "https://crivo.exemplo.org, nesta máquina em http://10.0.0.7:8123",
        ),
    ],
)
def test_where_the_pages_are_is_told_with_where_a_proxy_finds_them(chosen: dict[str, Any], told: str) -> None:
    assert servidor._where(Settings(_env_file=None, **chosen)) == told


def test_a_port_that_only_the_server_knows_is_said_with_what_brings_links_there() -> None:
    others = Settings(_env_file=None)
    assert servidor.links_elsewhere(Settings(_env_file=None), others) == ""
    told = servidor.links_elsewhere(Settings(_env_file=None, porta=8330), others)
    assert "vão para http://127.0.0.1:8000" in told
    assert "CRIVO_ENDERECO_PUBLICO=http://127.0.0.1:8330" in told
    public = Settings(_env_file=None, porta=8330, endereco_publico="https://crivo.exemplo.org")
    assert servidor.links_elsewhere(public, public.model_copy(update={"porta": 8000})) == ""


def test_a_command_that_makes_an_installation_says_where_and_the_next_one_says_nothing(terminal: Terminal, tmp_path: Path) -> None:
    """In another folder than the one meant, a command would start an empty installation beside the real one, and seem to work."""
    del terminal.environment["CRIVO_DATABASE_URL"]
    terminal.environment.update(CRIVO_TENANT="local", CRIVO_DATA_DIR=str(tmp_path / "outra"))
    first, second = terminal.run("usuarios", "listar"), terminal.run("organizacoes", "listar")
    assert f"Instalação nova em {tmp_path / 'outra'}: " in first.stderr
    assert "Instalação nova" not in second.stderr
    assert "Instalação nova" not in first.stdout


def test_no_new_installation_is_told_of_where_there_is_no_server_to_make_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert is_new(tmp_path / "outra")
    monkeypatch.setattr(cluster, "find_spec", lambda _: None)
    assert not is_new(tmp_path / "outra")


def test_no_new_installation_is_told_of_where_the_database_is_elsewhere(terminal: Terminal) -> None:
    assert "Instalação nova" not in terminal.run("usuarios", "listar").stderr


def test_a_file_of_settings_that_cannot_be_opened_is_told_by_its_whole_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def closed(self: Path, *_: Any, **__: Any) -> Any:
        raise PermissionError(errno.EACCES, "Permission denied", str(self))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Path, "open", closed)
    with pytest.raises(WrongSetting, match=re.escape(f"{tmp_path}/.env não pode ser aberto: falta permissão")):
        load_settings()


def test_no_file_of_settings_and_a_link_that_leads_nowhere_are_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    without = load_settings()
    (tmp_path / ".env").symlink_to(tmp_path / "nada")
    assert load_settings() == without


def test_a_port_that_was_chosen_or_that_a_proxy_forwards_to_does_not_move() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])
        chosen = Settings(_env_file=None, porta=port)

        class Elsewhere(Settings):
            porta: int = port

        proxied = Elsewhere(_env_file=None, endereco_publico="https://crivo.exemplo.org")
        for settings in (chosen, proxied):
            with pytest.raises(PortaOcupada):
                servidor.open_port(settings)


@pytest.mark.parametrize("ignored", [False, True])
def test_the_end_of_its_terminal_ends_a_server_unless_nohup_says_no(terminal: Terminal, ignored: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as found:
        port = int(found.getsockname()[1])
    environment = os.environ | terminal.environment | {"CRIVO_PORTA_METRICAS": "0", "CRIVO_PORTA": str(port)}
    command = [*(["nohup"] if ignored else []), sys.executable, "-m", "crivo", "servir"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert any("Ctrl-C encerra" in line for line in process.stderr)
        process.send_signal(signal.SIGHUP)
        if ignored:
            assert [httpx.get(f"http://127.0.0.1:{port}/healthz").status_code for _ in range(20)] == [200] * 20
            process.send_signal(signal.SIGTERM)
    assert process.returncode == 0
