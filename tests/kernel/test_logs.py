"""A log line is JSON, of fields on a list: nothing of a person gets out by it."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from crivo.kernel.logs import configure_logs, logger
from crivo.kernel.storage.errors import DiscoCheio

_CPF = "529.982.247-25"
_NOME = "Maria das Dores"


def _fail_naming_a_person() -> None:
    try:
        int(_CPF)
    except ValueError as error:
        raise LookupError(f"{_NOME} tem o CPF {_CPF}") from error


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before, level, own = root.handlers[:], root.level, logger.level
    written = io.StringIO()
    configure_logs("INFO", written)
    yield written
    root.handlers[:] = before
    root.setLevel(level)
    logger.setLevel(own)


def _line(stream: io.StringIO) -> dict[str, Any]:
    (line,) = stream.getvalue().splitlines()
    read: dict[str, Any] = json.loads(line)
    return read


def test_a_line_is_one_json_object_with_its_event_and_its_fields(stream: io.StringIO) -> None:
    logger.info(
        "pedido_decidido", extra={"request_id": "r1", "rota": "/api/autorizacoes", "status": 200, "duracao_ms": 1.5, "tenant": "local"}
    )
    line = _line(stream)
    assert (line.pop("nivel"), line.pop("origem"), line.pop("event")) == ("INFO", "crivo", "pedido_decidido")
    assert line.pop("em").endswith("+00:00")
    assert line == {"request_id": "r1", "rota": "/api/autorizacoes", "status": 200, "duracao_ms": 1.5, "tenant": "local"}


def test_a_database_that_is_away_is_told_by_our_own_events_and_not_by_each_try_of_a_library(stream: io.StringIO) -> None:
    pool = logging.getLogger("psycopg.pool")
    pool.warning("error connecting in %r: %s", "pool-1", _NOME)
    pool.error("reconnection attempt in pool %r failed after %s sec", "pool-1", 300)
    assert stream.getvalue() == ""
    logger.warning("trabalhador_sem_banco")
    assert _line(stream)["event"] == "trabalhador_sem_banco"


def test_a_field_that_is_not_on_the_list_is_dropped(stream: io.StringIO) -> None:
    logger.info("pedido_decidido", extra={"cpf": _CPF, "nome": _NOME, "pedido": {"nome": _NOME}, "status": {"nome": _NOME}})
    assert _CPF not in stream.getvalue()
    assert _NOME not in stream.getvalue()
    assert "status" not in _line(stream)


def test_a_cpf_in_a_field_that_is_on_the_list_is_masked(stream: io.StringIO) -> None:
    logger.info("rota_desconhecida", extra={"rota": f"/pessoas/{_CPF}/52998224725"})
    assert _line(stream)["rota"] == "/pessoas/***/***"


def test_an_exception_leaves_its_type_and_where_it_was_raised_not_its_text(stream: io.StringIO) -> None:
    try:
        _fail_naming_a_person()
    except LookupError:
        logger.exception("falha_inesperada")
    line = _line(stream)
    assert line["erro"] == "LookupError"
    assert "test_an_exception_leaves_its_type" in line["quadros"][0]
    assert "_fail_naming_a_person" in line["quadros"][-1]
    assert _CPF not in stream.getvalue()
    assert _NOME not in stream.getvalue()


def test_an_error_of_the_tree_leaves_its_code(stream: io.StringIO) -> None:
    logger.error("falha_do_banco", exc_info=DiscoCheio("Sem espaço."))
    assert _line(stream)["codigo"] == "disco_cheio"


@pytest.mark.parametrize("message", [f"o pedido de {_NOME}", "o pedido de %s", f"erro {_CPF}"])
def test_a_message_in_free_text_does_not_get_out(stream: io.StringIO, message: str) -> None:
    logging.getLogger("uvicorn.error").warning(message, *([_NOME] if "%s" in message else []))
    assert _line(stream)["event"] == "mensagem_livre"
    assert _NOME not in stream.getvalue()
    assert _CPF not in stream.getvalue()


def test_a_text_with_line_ends_stays_on_its_line(stream: io.StringIO) -> None:
    logger.info("rota_desconhecida", extra={"rota": '/a\n{"nivel":"INFO"}'})
    assert _line(stream)["rota"] == '/a\n{"nivel":"INFO"}'


def test_what_is_under_the_level_is_not_written(stream: io.StringIO) -> None:
    logger.debug("detalhe")
    logging.getLogger("httpx").info("GET /pessoas")
    assert stream.getvalue() == ""
