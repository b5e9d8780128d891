"""Whether a model can be reached is found out without paying for an answer."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import msgspec
import pytest

from crivo.kernel.llm.sonda import Sonda, probe
from crivo.kernel.settings import Settings, load_settings

_MODEL = {"id": "gpt-4o", "object": "model", "created": 1, "owned_by": "x"}
_LISTED = {"object": "list", "data": [_MODEL, {**_MODEL, "id": "llama3:latest"}]}
Configure = Callable[[str, str], Settings]


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch) -> Configure:
    def make(modelo: str, url: str) -> Settings:
        monkeypatch.setenv("OPENAI_BASE_URL", url)
        monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", url)
        for key in ("OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"):
            monkeypatch.setenv(key, "chave-de-teste")
        return load_settings(None, modelo=modelo, modelo_url=url)

    return make


@contextmanager
def _serving(status: int, body: bytes | dict[str, object]) -> Iterator[str]:
    """A service whose every path answers the same, and counts whatever asks for more than it lists."""

    class Same(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            content = body if isinstance(body, bytes) else msgspec.json.encode(body)
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Same)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize(
    ("modelo", "status", "body", "found"),
    [
        ("openai:gpt-4o", 200, _MODEL, "responde"),
        ("openai:gpt-4o", 401, {"error": {}}, "chave_recusada"),
        ("openai:gpt-4o", 403, {"error": {}}, "chave_recusada"),
        ("openai:gpt-9", 404, {"error": {}}, "modelo_desconhecido"),
        ("openai-chat:gpt-4o", 429, {"error": {}}, "responde_sem_lista"),
        ("openai:gpt-4o", 503, {"error": {}}, "fora_do_ar"),
        ("azure:triagem", 200, _LISTED, "responde"),
        ("azure:triagem", 401, {"error": {}}, "chave_recusada"),
        ("openai-compatible:gpt-4o", 200, _LISTED, "responde"),
        ("openai-compatible:llama3", 200, _LISTED, "responde"),
        ("openai-compatible", 200, _LISTED, "responde"),
        ("openai-compatible:outro", 200, _LISTED, "modelo_desconhecido"),
        ("openai-compatible:outro", 404, b"", "responde_sem_lista"),
        ("openai-compatible:outro", 200, b"<html>", "fora_do_ar"),
    ],
)
async def test_what_a_service_says_of_a_key_and_a_name(
    configure: Configure, modelo: str, status: int, body: bytes | dict[str, object], found: Sonda
) -> None:
    with _serving(status, body) as url:
        assert await probe(configure(modelo, url), modelo) == found


@pytest.mark.parametrize("modelo", ["openai:gpt-4o", "azure:triagem", "openai-compatible:llama3"])
async def test_a_service_that_is_not_there_is_away(configure: Configure, modelo: str) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        assert await probe(configure(modelo, f"http://127.0.0.1:{nobody.getsockname()[1]}/v1"), modelo) == "fora_do_ar"


@pytest.mark.parametrize("modelo", ["openai:gpt-4o", "azure:triagem"])
async def test_without_a_key_nobody_is_asked(configure: Configure, modelo: str) -> None:
    settings = configure(modelo, "http://127.0.0.1:9/v1").model_copy(update={"openai_api_key": None, "azure_openai_api_key": None})
    assert await probe(settings, modelo) == "sem_chave"


async def test_code_in_a_models_place_is_always_there(configure: Configure) -> None:
    assert await probe(configure("simulado", "http://127.0.0.1:9/v1"), "simulado") == "responde"
