"""The composition of copies: from settings to what a copy holds, which keys it needs, and the database that it is of or comes back to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final
from uuid import uuid4

from crivo.auditoria.ancoragem import ARQUIVO, CHAVE, PENDENTES, PUBLICA
from crivo.clinicas.clinica.errors import SiloIndisponivel
from crivo.clinicas.copia import chaves_das_clinicas, impressoes_das_clinicas, partes_das_clinicas
from crivo.kernel.atos.espera import ESPERA
from crivo.kernel.copia.chaves import check_complete, impressao_of, lacking, read_keys, write_keys
from crivo.kernel.copia.copiar import Copia, Pedida, make_copy, told_of_copying
from crivo.kernel.copia.erros import ChavesNaCopia
from crivo.kernel.copia.leitura import Passo, key_now
from crivo.kernel.copia.manifesto import Manifesto
from crivo.kernel.copia.pasta import ArquivoDaPasta, ChaveDaPasta, ParteDaPasta, refuse_half_restored
from crivo.kernel.copia.restaurar import Restaurada, Volta, bring_back
from crivo.kernel.settings import Settings
from crivo.kernel.sigilo.destruidas import FILE as DESTRUIDAS
from crivo.kernel.sigilo.mestra import FILE as MESTRA
from crivo.kernel.sigilo.mestra import read_key
from crivo.kernel.storage.embedded import EmbeddedPostgres
from crivo.kernel.storage.locks import make_closed

_UNKNOWN: Final = "?"  # the fingerprint of a key that is away, and that nothing else tells of


@dataclass(frozen=True, slots=True)
class Guardada:
    """A copy that was made, and the keys by path that would not open it: those that are away, and those that are others."""

    copia: Copia
    faltam: tuple[str, ...]
    outras: tuple[str, ...]


def back_up(settings: Settings, path: Path, keys: Path | None, em: datetime, por: str, passo: Passo) -> Guardada:
    """Copy the installation to a file while it serves, and its keys to another where one is given; keys are guarded all or not at all.

    Nothing is migrated first: what an older crivo made is copied as it stands, before this one brings it forward. Raises what
    `make_copy` and `write_keys` raise; ChavesNaCopia, ChavesIncompletas, RestauracaoPelaMetade.
    """
    refuse_half_restored(settings.data_dir)
    folder = _folder(settings)
    make_closed(folder)
    held, wanted = _chaves(settings), _exigidas(settings, must_know=keys is not None)
    known = {nome: "" if impressao == _UNKNOWN else impressao for nome, impressao in wanted.items()}
    pedida = Pedida(
        id=str(uuid4()),
        em=em,
        por=por,
        crivo=version("crivo"),
        data_dir=folder,
        partes=_partes(settings),
        chaves={one.nome: impressao_of(one.nome, one.segredo) if one.exigida else "" for one in held} | known,
        key=_key(settings),
    )
    if keys is not None and keys.absolute() == path.absolute():
        raise ChavesNaCopia
    with _reached(settings) as reach:
        url = reach()
        with told_of_copying(path, url):
            wanted |= key_now(url)
        if keys is not None:
            check_complete(wanted, held)
            write_keys(keys, held)
        copia = make_copy(url, path, pedida, passo)
    return Guardada(copia, *lacking(wanted, {one.nome: impressao_of(one.nome, one.segredo) for one in held}))


def restore(
    settings: Settings,
    path: Path,
    keys: Path | None,
    em: datetime,
    por: str,
    passo: Passo,
    proven: Callable[[Manifesto], None],
    ended: Callable[[Restaurada], None],
) -> Restaurada:
    """Bring the installation back from a file to where the settings say. Raises what `bring_back` and `read_keys` raise."""
    mestra = settings.chave_mestra.get_secret_value() if settings.chave_mestra is not None else ""
    chaves = read_keys(keys) if keys is not None else {}
    volta = Volta(path, _folder(settings), em, por, _key(settings), mestra, chaves)
    with _reached(settings) as reach:
        return bring_back(volta, reach, passo, proven, ended)


def _folder(settings: Settings) -> Path:
    return settings.data_dir.expanduser().absolute()


def _key(settings: Settings) -> bytes | None:
    return None if settings.backup_chave is None else read_key(settings.backup_chave.get_secret_value())


@contextmanager
def _reached(settings: Settings) -> Iterator[Callable[[], str]]:
    """How the owner of the schema reaches the database, which is started when that is asked; nothing is migrated by it."""
    with ExitStack() as held:

        def reach() -> str:
            if settings.database_url:
                return settings.database_url
            embedded = EmbeddedPostgres(settings.data_dir)
            embedded.start()
            held.callback(embedded.release)
            return embedded.admin_url

        yield reach


def _partes(settings: Settings) -> tuple[ParteDaPasta, ...]:
    """What of the data folder is kept in a copy. What is noted of the chain, and what waits to go into it, is read before the database."""
    folder = _folder(settings)
    earlier = [ArquivoDaPasta(nome, folder / nome, antes=True) for nome in (ARQUIVO, PENDENTES, ESPERA) if (folder / nome).exists()]
    later = [ArquivoDaPasta(nome, folder / nome) for nome in (PUBLICA, DESTRUIDAS) if (folder / nome).exists()]
    return (*earlier, *later, *partes_das_clinicas(folder))


def _exigidas(settings: Settings, *, must_know: bool) -> dict[str, str]:
    """What the data folder needs keys for, by their paths: with the fingerprint (hex) that stands beside it, where one does.

    Raises SiloIndisponivel where that must be known; else whoever copies that silo after this tells what is wrong with it, or the disk.
    """
    folder = _folder(settings)
    anchors = {CHAVE: _UNKNOWN} if (folder / PUBLICA).exists() and not (folder / CHAVE).exists() else {}
    try:
        return anchors | impressoes_das_clinicas(folder)
    except SiloIndisponivel:
        if must_know:
            raise
        return anchors


def _chaves(settings: Settings) -> tuple[ChaveDaPasta, ...]:
    """The keys of this installation, wherever they come from: none of them is ever in a copy."""
    folder, found = _folder(settings), list[ChaveDaPasta]()
    if settings.chave_mestra is not None:
        found.append(ChaveDaPasta(MESTRA, settings.chave_mestra.get_secret_value().encode()))
    elif (folder / MESTRA).exists():
        found.append(ChaveDaPasta(MESTRA, (folder / MESTRA).read_bytes()))
    if (folder / CHAVE).exists():
        found.append(ChaveDaPasta(CHAVE, (folder / CHAVE).read_bytes(), exigida=True))
    return (*found, *chaves_das_clinicas(folder))
