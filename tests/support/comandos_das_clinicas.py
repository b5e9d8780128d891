"""`crivo clinicas` as people and scripts run it: in this process, or in one of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path

from typer.testing import CliRunner, Result

from cenario import MORNING
from crivo.cli.main import app


def command(*words: str | Path) -> list[str]:
    return [sys.executable, "-m", "crivo", "clinicas", *map(str, words)]


def own(data_dir: Path) -> dict[str, str]:
    return {"CRIVO_DATA_DIR": str(data_dir), "CRIVO_AGORA": MORNING.isoformat()}


def environment(data_dir: Path) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("CRIVO_")} | own(data_dir)


def here(data_dir: Path, *words: str | Path) -> Result:
    """The same in this process, for what neither serves nor talks; a fault of the program is the test's."""
    inherited = dict.fromkeys(name for name in os.environ if name.startswith("CRIVO_"))
    with chdir(data_dir):
        return CliRunner(env=inherited | own(data_dir)).invoke(app, ["clinicas", *map(str, words)], catch_exceptions=False)


@contextmanager
def started(data_dir: Path, *words: str | Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command(*words), env=environment(data_dir), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=60)
