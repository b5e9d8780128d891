"""The machine and the account: programs, memory, folders for passing work, text, time, and what Python is made of."""

from __future__ import annotations

import os
import pwd
import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from crivo.cli.exames.exame import LITTLE_SPACE, Exame, gigabytes
from crivo.kernel.instalacao import command_for
from crivo.kernel.settings import Settings, of_the_machine

_SCANS: Final = "Leitura de digitalizações"
_OPTIONAL: Final = (
    ("chromium", ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"), "Chromium", "testes das páginas"),
    ("node", ("node",), "Node", "conferência de protocolos"),
)
_PACKAGES: Final = ("crivo", "fastapi", "pydantic", "sqlalchemy", "psycopg", "procrastinate", "mcp", "openai", "pypdfium2")
_FEW_FILES: Final = 1024
_SCARCE_FILES: Final = 200
_LITTLE_MEMORY: Final = 600_000_000  # bytes
_SCARCE_MEMORY: Final = 150_000_000
_JUMP_SECONDS: Final = 1.0
_LOOK_SECONDS: Final = 0.2


@dataclass(frozen=True, slots=True)
class Conta:
    """Who runs the program. `nome` is empty for a number that has none; `casa` is the home folder, where one can be told."""

    uid: int
    nome: str
    casa: str
    casa_gravavel: bool


def look(settings: Settings) -> Sequence[Exame]:
    """Everything that can be seen without asking anybody."""
    return (
        _scans(),
        *(judge_optional(codigo, nome, use, _which(programs)) for codigo, programs, nome, use in _OPTIONAL),
        judge_text(sys.getfilesystemencoding(), of_the_machine("LC_ALL", "LC_CTYPE", "LANG")),
        judge_zone(_zone()),
        judge_account(_account(), embutido=not settings.database_url),
        *judge_home(_account()),
        _temporary(),
        judge_memory(_memory()),
        judge_files(resource.getrlimit(resource.RLIMIT_NOFILE)[0]),
        judge_jump(_jump()),
        judge_python(sys.version_info[:2], _packages()),
    )


def judge_scans(missing: str | None, where: str | None, mend: str, command: str | None) -> Exame:
    """Whether papers that are images are read: without that, each of them is left to people."""
    told = "digitalizacoes", _SCANS
    if missing is None:
        return Exame(*told, "bem", f"tesseract com português, em {where}")
    lacking = "não há tesseract" if missing == "programa" else "o tesseract não tem o português"
    why = f"{lacking}: fotos e digitalizações ficam por conferir à mão. Para lê-las, {mend}"
    return Exame(*told, "opcional", why, command or "")


def judge_optional(codigo: str, nome: str, use: str, found: str | None) -> Exame:
    """A program that only those who develop need."""
    return Exame(codigo, nome, "bem", found) if found else Exame(codigo, nome, "opcional", f"não encontrado; só serve para {use}")


def judge_text(encoding: str, environment: Mapping[str, str]) -> Exame:
    """Whether names of files with accents are read as they are."""
    told = "texto", "Texto em UTF-8"
    if encoding.lower().replace("-", "") == "utf8":
        return Exame(*told, "bem", "nomes de arquivos e textos são lidos em UTF-8")
    asked = next((f"{name}={environment[name]}" for name in ("LC_ALL", "LC_CTYPE", "LANG") if environment.get(name)), "a localidade")
    why = f"{asked} faz o Python ler nomes de arquivos em {encoding}: os que têm acentos não abrem"
    return Exame(*told, "opcional", why, "export LC_ALL=C.UTF-8")


def judge_zone(found: bool) -> Exame:
    """Whether this machine, or the package, knows Brasília's time zone."""
    told = "fuso_horario", "Fuso horário"
    if found:
        return Exame(*told, "bem", "America/Sao_Paulo é conhecido")
    return Exame(*told, "mal", "America/Sao_Paulo não é conhecido: prazos seriam contados na hora errada", command_for("tzdata"))


def judge_account(conta: Conta, *, embutido: bool) -> Exame:
    """Who runs this, and whether that can be with an embedded database."""
    told = "conta", "Conta"
    if conta.uid == 0:
        why = "root: o que for gravado na pasta de dados pode não abrir para outra conta. Rode com a conta do serviço"
        return Exame(*told, "opcional", why, "runuser -u CONTA -- crivo doutor")
    if not conta.nome and embutido:
        why = f"a de número {conta.uid} não tem nome nesta máquina, e o banco embutido só começa para uma que tenha"
        return Exame(*told, "mal", f"{why}; dê-lhe um em /etc/passwd, ou use CRIVO_DATABASE_URL", "CRIVO_DATABASE_URL")
    if not conta.nome:
        return Exame(*told, "bem", f"a de número {conta.uid}, que não tem nome, como em contêineres")
    return Exame(*told, "bem", conta.nome)


def judge_home(conta: Conta) -> Iterator[Exame]:
    """Whether there is a home folder; crivo keeps nothing there, some of its libraries do."""
    if not conta.casa_gravavel:
        where = conta.casa or "(nenhuma)"
        yield Exame("casa", "Pasta pessoal", "opcional", f"não se pode gravar em {where}; o crivo não precisa dela", "export HOME=/tmp")
    else:
        yield Exame("casa", "Pasta pessoal", "bem", conta.casa)


def judge_temporary(folder: str | None, asked: str, free: int) -> Exame:
    """Where passing work is put: papers that are read, files that are uploaded."""
    told = "temporaria", "Pasta temporária"
    if folder is None:
        return Exame(
            *told, "mal", "não há nenhuma em que se possa gravar: arquivos enviados e lidos não têm onde ficar", "export TMPDIR=/tmp"
        )
    if free < LITTLE_SPACE:
        return Exame(*told, "mal", f"{folder} tem só {gigabytes(free)} livres; libere espaço, ou use outra", "export TMPDIR=/var/tmp")
    if asked and Path(asked).absolute() != Path(folder).absolute():
        return Exame(*told, "opcional", f"TMPDIR={asked} não serve; é usada {folder}", f"mkdir -p {asked}")
    return Exame(*told, "bem", f"{folder}, {gigabytes(free)} livres")


def judge_memory(available: int | None) -> Exame:
    """Memory that is not in use."""
    told = "memoria", "Memória"
    if available is None:
        return Exame(*told, "opcional", "não se sabe quanta há livre neste sistema")
    if available < _SCARCE_MEMORY:
        why = f"só {gigabytes(available)} livres: o sistema pode matar o crivo; libere memória, ou deixe os trabalhos para outra máquina"
        return Exame(*told, "mal", why, "CRIVO_TRABALHADORES=0")
    if available < _LITTLE_MEMORY:
        return Exame(*told, "opcional", f"{gigabytes(available)} livres; ler documentos grandes pode faltar", "CRIVO_TRABALHADORES=1")
    return Exame(*told, "bem", f"{gigabytes(available)} livres")


def judge_files(most: int) -> Exame:
    """How many files and connections a process may have open."""
    told = "descritores", "Arquivos abertos"
    if most != resource.RLIM_INFINITY and most < _SCARCE_FILES:
        return Exame(*told, "mal", f"um processo pode ter só {most}: o servidor recusaria pessoas", "ulimit -n 4096")
    if most != resource.RLIM_INFINITY and most < _FEW_FILES:
        return Exame(*told, "opcional", f"um processo pode ter {most}; com muita gente faltam", "ulimit -n 4096")
    return Exame(*told, "bem", "sem limite" if most == resource.RLIM_INFINITY else f"até {most} por processo")


def judge_jump(seconds: float) -> Exame:
    """Whether the clock went as time does while it was looked at."""
    told = "relogio_anda", "Passo do relógio"
    if abs(seconds) > _JUMP_SECONDS:
        return Exame(*told, "mal", f"saltou {seconds:+.0f} segundos enquanto era olhado: outro programa o muda", "timedatectl set-ntp true")
    return Exame(*told, "bem", "anda como o tempo")


def judge_python(found: tuple[int, ...], packages: Mapping[str, str | None]) -> Exame:
    """Python, and the packages that matter most."""
    told = "pacotes", "Python e pacotes"
    lacking = [name for name, one in packages.items() if one is None]
    shown = f"Python {'.'.join(map(str, found))}; " + ", ".join(f"{name} {one}" for name, one in packages.items() if one)
    if lacking:
        return Exame(*told, "mal", f"falta {', '.join(lacking)}", command_for(*lacking))
    return Exame(*told, "bem", shown)


def _scans() -> Exame:
    from crivo.triagem.documentos.instalacao import how_to_install, install_command
    from crivo.triagem.documentos.tesseract import missing

    command = install_command()
    return judge_scans(missing(), shutil.which("tesseract"), how_to_install(command), command)


def _which(programs: Sequence[str]) -> str | None:
    return next((path for path in map(shutil.which, programs) if path), None)


def _zone() -> bool:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    with suppress(ZoneInfoNotFoundError, OSError):
        return bool(ZoneInfo("America/Sao_Paulo").key)
    return False


def _account() -> Conta:
    uid, name = os.geteuid(), ""
    with suppress(KeyError):
        name = pwd.getpwuid(uid).pw_name
    try:
        home = str(Path.home())
    except RuntimeError:  # no HOME, and nobody of that number
        home = ""
    return Conta(uid, name, home, bool(home) and os.access(home, os.W_OK | os.X_OK))


def _temporary() -> Exame:
    try:
        folder = tempfile.gettempdir()
    except FileNotFoundError:
        return judge_temporary(None, of_the_machine("TMPDIR").get("TMPDIR", ""), 0)
    return judge_temporary(folder, of_the_machine("TMPDIR").get("TMPDIR", ""), shutil.disk_usage(folder).free)


def _memory() -> int | None:
    with suppress(OSError, ValueError, StopIteration):
        lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
        return int(next(line for line in lines if line.startswith("MemAvailable:")).split()[1]) * 1024
    return None


def _jump() -> float:
    wall, steady = time.time(), time.monotonic()
    time.sleep(_LOOK_SECONDS)
    return (time.time() - wall) - (time.monotonic() - steady)


def _packages() -> dict[str, str | None]:
    return {name: _version(name) for name in _PACKAGES}


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
