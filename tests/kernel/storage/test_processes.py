"""What the embedded cluster asks of the operating system."""

from __future__ import annotations

import os
import pwd
import stat
from pathlib import Path

import pytest

from crivo.kernel.storage.processes import let_in

_AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can let another account in")


def _mode(folder: Path) -> int:
    return stat.S_IMODE(folder.stat().st_mode)


@pytest.fixture
def binaries(tmp_path: Path) -> Path:
    """A folder of programs that any account may run."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "postgres").write_text("#!/bin/sh\n")
    (folder / "postgres").chmod(0o755)
    return folder


@_AS_ROOT
def test_a_closed_data_folder_stays_closed_and_becomes_the_servers(tmp_path: Path, binaries: Path) -> None:
    """Source: design/sujeito.md, table, 11: a folder at 0700 became 0701."""
    nobody = pwd.getpwnam("nobody")
    (home := tmp_path / "dados").mkdir(mode=0o700)
    (data := home / "postgres").mkdir(mode=0o700)
    let_in(nobody, data, binaries)
    assert (_mode(home), home.stat().st_uid) == (0o700, nobody.pw_uid)
    let_in(nobody, data, binaries)
    assert _mode(home) == 0o700


@_AS_ROOT
def test_a_closed_data_folder_of_a_third_user_is_refused_and_left_as_it_is(tmp_path: Path, binaries: Path) -> None:
    (home := tmp_path / "dados").mkdir(mode=0o700)
    (data := home / "postgres").mkdir(mode=0o700)
    os.chown(home, pwd.getpwnam("daemon").pw_uid, -1)
    with pytest.raises(PermissionError):
        let_in(pwd.getpwnam("nobody"), data, binaries)
    assert (_mode(home), home.stat().st_uid) == (0o700, pwd.getpwnam("daemon").pw_uid)


@_AS_ROOT
def test_an_open_data_folder_is_left_as_it_is(tmp_path: Path, binaries: Path) -> None:
    (home := tmp_path / "dados").mkdir()
    home.chmod(0o755)
    let_in(pwd.getpwnam("nobody"), home / "postgres", binaries)
    assert (_mode(home), home.stat().st_uid) == (0o755, os.geteuid())
