"""Nobody else of the machine holds our locks, nobody waits for ever, and a killed process leaves nothing. Source: design/sujeito.md, table, 11."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from crivo.kernel.storage import embedded
from crivo.kernel.storage.cluster import EmbutidoIndisponivel
from crivo.kernel.storage.embedded import EmbeddedPostgres, embedded_status
from crivo.kernel.storage.locks import Held, alone_with, make_private, sweep, working_folder


def test_two_that_want_in_at_once_take_turns(tmp_path: Path) -> None:
    order: list[str] = []
    inside = threading.Event()

    def second() -> None:
        inside.wait()
        order.append("second asks")
        with alone_with(tmp_path / "trava", 20):
            order.append("second is in")

    other = threading.Thread(target=second)
    other.start()
    with alone_with(tmp_path / "trava", 20):
        inside.set()
        other.join(0.1)
        assert other.is_alive()
        order.append("first leaves")
    other.join()
    assert order == ["second asks", "first leaves", "second is in"]


def test_whoever_waits_in_vain_learns_who_holds_it(tmp_path: Path) -> None:
    with alone_with(tmp_path / "trava", 1), pytest.raises(Held) as held, alone_with(tmp_path / "trava", 0):
        pass
    assert held.value.pid == os.getpid()
    assert stat.S_IMODE((tmp_path / "trava").stat().st_mode) == 0o600


def test_a_command_that_waits_in_vain_says_which_process_holds_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Source: design/sujeito.md, table, 11: every command hung."""
    monkeypatch.setattr(embedded, "_LOCK_SECONDS", 0.05)
    (tmp_path / "postgres.usos").mkdir(mode=0o755)
    with alone_with(tmp_path / "postgres.usos" / ".trava", 1):
        with pytest.raises(EmbutidoIndisponivel, match=rf"O processo {os.getpid()} \(\w.*\) segura o banco embutido"):
            embedded_status(tmp_path)
        with pytest.raises(EmbutidoIndisponivel, match="segura o banco embutido"):
            EmbeddedPostgres(tmp_path).start()


def test_the_lock_stands_where_no_other_user_may_enter(tmp_path: Path) -> None:
    """Source: design/sujeito.md, table, 11: any local user could open the lock file, and hold it."""
    tmp_path.chmod(0o755)
    (tmp_path / "postgres.usos").mkdir(mode=0o755)
    assert embedded_status(tmp_path).handles == 0
    assert stat.S_IMODE((tmp_path / "postgres.usos").stat().st_mode) == 0o700
    assert [file.name for file in tmp_path.rglob("*.trava")] == [".trava"]


def test_a_link_in_place_of_a_private_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "alheia").mkdir(mode=0o755)
    (tmp_path / "postgres.usos").symlink_to(tmp_path / "alheia")
    with pytest.raises(PermissionError):
        make_private(tmp_path / "postgres.usos")
    assert stat.S_IMODE((tmp_path / "alheia").stat().st_mode) == 0o755


def test_what_a_killed_import_left_is_swept_and_what_lives_is_not(tmp_path: Path) -> None:
    """Source: design/sujeito.md, table, 11."""
    program = f"""
from pathlib import Path
from crivo.kernel.storage.locks import working_folder
with working_folder(Path({str(tmp_path)!r}), "edital-") as folder:
    (folder / "anexo.pdf").write_bytes(b"x")
    print("dentro", flush=True)
    input()
"""
    killed = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert killed.stdout is not None
    assert killed.stdout.readline() == "dentro\n"
    assert sweep(tmp_path) == 0
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert [file.name for file in tmp_path.rglob("*.pdf")] == ["anexo.pdf"]
    (tmp_path / "edital-de-alguem.txt").write_text("não é pasta")
    with working_folder(tmp_path, "avaliacao-") as mine:
        assert stat.S_IMODE(mine.stat().st_mode) == 0o700
        assert sweep(tmp_path) == 1
        assert mine.exists()
    assert [file.name for file in tmp_path.iterdir()] == ["edital-de-alguem.txt"]
