"""A real server under load and under the axe, on numbers small enough for a test."""

from __future__ import annotations

import io
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from bench.instalacao import Instalacao, install
from bench.pedidos import Carga, draw_carga
from bench.torture.clientes import Cliente, Envio, Promessa, read_back
from bench.torture.rodadas import Contagem
from rich.console import Console

FAULTS = ("perdidos", "alterados", "em_dobro", "sem_resposta", "sem_registro", "quebras_na_cadeia")


class Forgetful(BaseHTTPRequestHandler):
    """Keeps /a, has changed /b, and has lost everything else."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        kept = {"/a": b"decisao", "/b": b"outra"}.get(self.path)
        self.send_response(404 if kept is None else 200)
        self.send_header("Content-Length", str(len(kept or b"")))
        self.end_headers()
        self.wfile.write(kept or b"")

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def forgetful() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Forgetful) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def test_a_lost_decision_and_a_changed_one_are_found_out(forgetful: int) -> None:
    promised = [Promessa(Envio(path, b""), path, b"decisao", repetida=False) for path in ("/a", "/b", "/c")]
    found = read_back(lambda: Cliente(forgetful, "chave"), promised)
    assert (found.achadas, found.alteradas, found.perdidas) == (1, ["/b"], ["/c"])


def test_a_server_that_is_gone_promises_nothing() -> None:
    with Cliente(1, "chave") as cliente:
        assert cliente.send(Envio("k", b"{}")) is None
        assert cliente.get("/a") is None


@pytest.mark.parametrize("fault", FAULTS)
def test_any_fault_breaks_the_whole(fault: str) -> None:
    assert Contagem(confirmados=5, achados=5).whole
    assert not Contagem(confirmados=5, achados=5, **{fault: 1}).whole


def test_a_run_that_promised_nothing_or_found_less_proves_nothing() -> None:
    assert not Contagem().whole
    assert not Contagem(confirmados=5, achados=4).whole


@pytest.fixture(scope="module")
def carga() -> Carga:
    return draw_carga(40, 100)


@pytest.fixture(scope="module")
def instalacao(carga: Carga, tmp_path_factory: pytest.TempPathFactory) -> Instalacao:
    return install(tmp_path_factory.mktemp("bancada"), carga.politicas)


@pytest.mark.slow
def test_the_api_is_loaded_beside_its_neighbour(instalacao: Instalacao, carga: Carga) -> None:
    from bench import api

    ritmo, cauda = api.run(instalacao, carga, rodadas=1, segundos=0.3)
    assert ritmo.nosso > 0
    assert ritmo.par is not None
    assert ritmo.par > 0
    assert cauda.par is not None
    assert cauda.nosso >= cauda.par


@pytest.mark.slow
def test_the_start_is_timed_to_the_first_ready_answer(instalacao: Instalacao) -> None:
    from bench import partida

    ajuda, servir = partida.run(instalacao, rodadas=1)
    assert ajuda.nosso > 0
    assert 0 < servir.nosso < 90


def test_the_environment_of_a_server_is_its_own(instalacao: Instalacao, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRIVO_DATABASE_URL", "postgresql://alguem@producao/crivo")
    environment = instalacao.environment()
    assert "CRIVO_DATABASE_URL" not in environment
    assert environment["CRIVO_DATA_DIR"] == str(instalacao.pasta)
    assert instalacao.settings().database_url == ""
    assert instalacao.chave not in repr(instalacao)


def test_what_was_confirmed_before_a_kill_is_there_after_it(tmp_path: Path) -> None:
    from bench.torture.__main__ import torture
    from bench.torture.relato import show

    output = io.StringIO()
    contagem = torture(tmp_path, vezes=1, semente=7, console=Console(file=output))
    assert contagem.whole
    assert contagem.rodadas == 1
    assert not (tmp_path / "postgres" / "postmaster.pid").exists()
    show(Console(file=output, width=120), contagem)
    assert "perdidos" in output.getvalue()
