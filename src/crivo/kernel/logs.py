"""Log lines for machines: one JSON object each, of fields on a list. What is not on the list does not get out, and no message text does."""

from __future__ import annotations

import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, TextIO

import msgspec

from crivo.kernel.errors import CrivoError
from crivo.kernel.rastros import ids

# Extra fields that may be logged. To add one is to say that it can hold no personal data.
FIELDS: Final = frozenset(
    {
        "request_id",
        "rota",
        "metodo",
        "status",
        "duracao_ms",
        "tenant",
        "codigo",
        "autorizacao_id",
        "politica_id",
        "catalogo_versao",
        "etapa",
    }
    | {"trace_id", "span_id", "job_id", "tarefa", "grupo"}
    | {"modo", "linhas", "bytes", "tentativa", "processo", "versao", "porta"}
)
_FREE_TEXT: Final = "mensagem_livre"
_EVENT: Final = re.compile(r"[a-z][a-z0-9_]{0,63}")
_LONGEST: Final = 200
_CPF_LIKE: Final = re.compile(r"\d{3}\.?\d{3}\.?\d{3}-?\d{2}")
_MASK: Final = "***"
# What it says of a database that is away is one line a try and has no name; `trabalhador_sem_banco` and the metrics say it with one.
_TOLD_BY_US: Final = "psycopg.pool"

logger = logging.getLogger("crivo")


class JsonLines(logging.Formatter):
    """A record as one line of JSON: `em`, `nivel`, `origem`, `event`, the fields on the list; of an exception its type, code and frames.

    An event is a fixed name in snake case. A message in free text, a library's too, becomes `mensagem_livre`: it may quote what was sent.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        event = record.msg if isinstance(record.msg, str) and not record.args and _EVENT.fullmatch(record.msg) else _FREE_TEXT
        line: dict[str, object] = {
            "em": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "nivel": record.levelname,
            "origem": record.name,
            "event": event,
        }
        fields = {**ids(), **record.__dict__}  # what the line says of itself goes before what it belongs to
        for name in sorted(FIELDS & fields.keys()):
            value = fields[name]
            if value is None or isinstance(value, bool | int | float):
                line[name] = value
            elif isinstance(value, str):
                line[name] = _CPF_LIKE.sub(_MASK, value[:_LONGEST])
        if record.exc_info and record.exc_info[1] is not None:
            line["erro"] = type(record.exc_info[1]).__qualname__
            if isinstance(record.exc_info[1], CrivoError):
                line["codigo"] = record.exc_info[1].codigo
            line["quadros"] = _frames(record.exc_info[2])
        return msgspec.json.encode(line).decode()


def configure_logs(nivel: str, stream: TextIO | None = None) -> None:
    """Send every log line of this process, the libraries' too, to `stream` (stderr) as JSON. Calling it again replaces what was set."""
    handler = logging.StreamHandler(stream if stream is not None else sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)  # a library's own news is of no use as `mensagem_livre`
    logging.getLogger(_TOLD_BY_US).setLevel(logging.CRITICAL)
    logger.setLevel(nivel)


def _frames(trace: TracebackType | None) -> list[str]:
    """Where it happened, without the values: file, line and function of the innermost frames."""
    return [f"{frame.filename.rpartition('/site-packages/')[2]}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(trace)[-12:]]
