"""Letters on the command line: what waits is listed, and delivered now."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal


def test_where_nothing_waits_it_is_said(terminal: Terminal) -> None:
    assert "Nenhuma carta espera." in terminal.run("cartas", "listar").stdout
    done = terminal.run("cartas", "entregar")
    assert (done.exit_code, done.stdout.strip()) == (0, "Nenhuma carta espera.")
    assert "CRIVO_SMTP_URL" in done.stderr
    assert json.loads(terminal.run("cartas", "entregar", "--json").stdout) == {}
