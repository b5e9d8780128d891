"""The data folder: whose it is, whether it can be written to, how much room it has, and the keys in it."""

from __future__ import annotations

import os
import pwd
import shlex
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from crivo.cli.exames.exame import LITTLE_SPACE, Exame, gigabytes
from crivo.clinicas.copia import FOLDER, chaves_das_clinicas, impressoes_das_clinicas
from crivo.kernel.copia.chaves import impressao_of, lacking
from crivo.kernel.errors import CrivoError
from crivo.kernel.settings import Settings
from crivo.kernel.sigilo.guarda import exposed, is_exposed, is_open
from crivo.kernel.sistema import explain

_NAME: Final = "Pasta de dados"
_KEYS: Final = ("chave-mestra", "ancoras.chave", "clinicas/registro.chave", "clinicas/*/chave-mestra", "clinicas/*/chaves.json")


@dataclass(frozen=True, slots=True)
class Pasta:
    """What was found where the data are, or will be. `usada` is the folder itself, or the nearest above it that is there; `livres` and
    `capacidade` are bytes, and one that holds none at all, as /proc, is no place for files.
    """

    pasta: Path
    usada: Path
    gravavel: bool
    livres: int
    aberta: bool = False
    dono: int = 0
    eu: int = 0
    so_leitura: bool = False
    capacidade: int = 1


def look(settings: Settings) -> Sequence[Exame]:
    """Whether the data have a place here."""
    return tuple(judge(_found(settings.data_dir.expanduser().absolute())))


def judge(found: Pasta) -> Iterator[Exame]:
    """What is right and wrong with a folder."""
    told = "pasta_de_dados", _NAME
    shown = shlex.quote(str(found.pasta))
    if not found.gravavel:
        if found.so_leitura:
            why = f"{found.usada} está em um disco só de leitura"
        elif found.usada == found.pasta and not found.pasta.is_dir():
            why = f"{found.usada} é um arquivo, e não uma pasta"
        else:
            why = f"não se pode gravar em {found.usada}"
        yield Exame(*told, "mal", f"{why}; indique outra pasta em CRIVO_DATA_DIR", "CRIVO_DATA_DIR")
        return
    if not found.capacidade:
        why = f"{found.usada} é um sistema de arquivos em que nada se guarda; indique outra pasta em CRIVO_DATA_DIR"
        yield Exame(*told, "mal", why, "CRIVO_DATA_DIR")
        return
    if found.livres < LITTLE_SPACE:
        yield Exame(*told, "mal", f"{found.pasta} tem só {gigabytes(found.livres)} livres; libere espaço", f"df -h {shown}")
        return
    note = "" if found.usada == found.pasta else ", será criada ao primeiro uso"
    yield Exame(*told, "bem", f"{found.pasta}{note}, {gigabytes(found.livres)} livres")
    if found.usada != found.pasta:
        return
    if found.dono != found.eu:
        name = _account(found.dono)
        why = f"é da conta {name}, e não da sua: o que você gravar nela, {name} não abre"
        yield Exame("dono_da_pasta", "Dono da pasta de dados", "opcional", why, f"runuser -u {name} -- crivo doutor")
    if found.aberta:
        why = f"outras contas desta máquina podem abri-la; se não for de propósito, rode: chmod 700 {shown}"
        yield Exame("acesso_a_pasta", "Acesso à pasta de dados", "opcional", why, f"chmod 700 {shown}")


def keys(settings: Settings) -> Sequence[Exame]:
    """The keys that lie in the data folder and in those of its clinics, where others may read them."""
    data_dir = settings.data_dir.expanduser().absolute()
    kept: list[Path] = []
    with suppress(OSError):
        kept = sorted(path for pattern in _KEYS for path in data_dir.glob(pattern))
    lost = tuple(_lost(data_dir))
    open_ones = [path for path in kept if is_exposed(path)]
    if not open_ones and not lost:
        many = "nenhuma ainda; são feitas ao primeiro uso" if not kept else f"{len(kept)} em arquivos que só o dono lê"
        return (Exame("chaves", "Chaves", "bem", many),)
    exposures = [Exame("chaves", "Chaves", "mal", exposed(path), f"chmod 600 {shlex.quote(str(path))}") for path in open_ones]
    return (*exposures, *lost)


def _lost(data_dir: Path) -> Iterator[Exame]:
    """The clinics here whose silo opens with no key that lies beside it."""
    told = "chave_da_clinica", "Chave da clínica"
    try:
        wanted = impressoes_das_clinicas(data_dir)
        held = {one.nome: impressao_of(one.nome, one.segredo) for one in chaves_das_clinicas(data_dir)}
    except OSError as error:
        shown = shlex.quote(str(error.filename or data_dir))
        yield Exame(*told, "mal", f"{error.filename or data_dir} {explain(error)}: não se sabe se a agenda abre", f"ls -l {shown}")
        return
    except CrivoError as error:
        yield Exame(*told, "mal", error.mensagem, f"ls -l {shlex.quote(str(data_dir / FOLDER))}")
        return
    missing, others = lacking(wanted, held)
    for nome in (*missing, *others):
        what = "não se encontra" if nome in missing else "não é a que fechou a agenda dela"
        why = f"{nome} {what}: o que a clínica guardou não abre. Devolva a de quando foi guardada com 'crivo banco backup --chaves'"
        yield Exame(*told, "mal", why, f"install -m 600 CHAVE-GUARDADA {shlex.quote(str(data_dir / nome))}")


def _found(folder: Path) -> Pasta:
    used = next((one for one in (folder, *folder.parents) if _is_there(one)), Path("/"))
    writable = used.is_dir() and os.access(used, os.W_OK | os.X_OK)
    read_only = False
    free, capacity, owner, is_wide = 0, 1, os.geteuid(), False
    with suppress(OSError):
        read_only = bool(os.statvfs(used).f_flag & os.ST_RDONLY)
        room = shutil.disk_usage(used)
        free, capacity = room.free, room.total
        owner = used.stat().st_uid
        is_wide = is_open(used)
    return Pasta(folder, used, writable, free, is_wide, owner, os.geteuid(), read_only, capacity)


def _is_there(folder: Path) -> bool:
    try:
        return folder.exists()
    except OSError:  # in a folder that this account may not enter
        return False


def _account(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
