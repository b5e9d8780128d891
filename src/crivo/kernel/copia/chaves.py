"""The keys of an installation, apart from its copies: in a file of their own, and held against what a copy was sealed under."""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from crivo.kernel.copia.erros import ArquivoDeChavesRuim, ChavesIncompletas, CopiaNaoGravada, FaltamChaves
from crivo.kernel.copia.manifesto import is_safe
from crivo.kernel.copia.pasta import ChaveDaPasta
from crivo.kernel.sigilo.cifra import derived
from crivo.kernel.sigilo.guarda import guard
from crivo.kernel.sigilo.mestra import FILE as MESTRA
from crivo.kernel.sigilo.mestra import fingerprint, read_key
from crivo.kernel.sistema import explain

_FORMATO: Final = 1
_SETTING: Final = "CRIVO_CHAVE_MESTRA"
_ANCORAS: Final = "ancoras.chave"
_IRREPLACEABLE: Final = frozenset({MESTRA, _ANCORAS})  # the others are made anew where they are missing


class _Arquivo(msgspec.Struct, frozen=True):
    crivo_chaves: int
    chaves: dict[str, str]


def write_keys(path: Path, keys: Sequence[ChaveDaPasta]) -> None:
    """Write keys to a file that its owner alone may read, whole or not at all.

    Raises CopiaNaoGravada; ChavesIncompletas where the file that stands there has a key that would be lost with it.
    """
    _refuse_poorer(path, keys)
    content = msgspec.json.format(
        msgspec.json.encode(_Arquivo(_FORMATO, {one.nome: b64encode(one.segredo).decode() for one in keys})), indent=2
    )
    draft = path.with_name(f".{path.name}.{os.getpid()}.parte")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as file:
            file.write(content + b"\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise CopiaNaoGravada(f"As chaves não puderam ser gravadas: {path} {explain(error)}. Confira a pasta e as permissões.") from None


def read_keys(path: Path) -> dict[str, bytes]:
    """The keys of such a file, by their paths in the data folder. Raises ArquivoDeChavesRuim, ChaveExposta."""
    guard(path)
    try:
        keys = _read(path)
    except OSError as error:
        raise ArquivoDeChavesRuim(f"O arquivo de chaves {path} {explain(error)}. Confira o caminho. Nada foi mudado.") from None
    except ValueError:
        raise ArquivoDeChavesRuim(
            f"{path} não é um arquivo de chaves de 'crivo banco backup --chaves', ou está cortado. Confira o caminho, ou busque-o de novo "
            "de onde foi guardado. Nada foi mudado."
        ) from None
    if not all(map(is_safe, keys)):
        raise ArquivoDeChavesRuim(f"{path} quer gravar chaves fora da pasta de dados. Nada foi mudado.")
    return keys


def _read(path: Path) -> dict[str, bytes]:
    """What a file of keys holds. Raises OSError, ValueError."""
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_Arquivo)
    except msgspec.DecodeError as error:
        raise ValueError("no file of keys") from error
    return {nome: b64decode(text, validate=True) for nome, text in found.chaves.items()}


def _refuse_poorer(path: Path, keys: Sequence[ChaveDaPasta]) -> None:
    """Keep a file of keys that has one which would not be in the new one: a copy of before may open with no other."""
    try:
        kept = _read(path)
    except (OSError, ValueError):  # none there, or none of keys: whoever writes it says what is wrong with the place
        return
    new = {one.nome: impressao_of(one.nome, one.segredo) for one in keys}
    lost = sorted(
        nome for nome, segredo in kept.items() if nome.rpartition("/")[2] in _IRREPLACEABLE and new.get(nome) != impressao_of(nome, segredo)
    )
    if lost:
        raise ChavesIncompletas(
            f"{path} já existe, e nele se perderia {_listed(lost)}: esta instalação não tem essa chave, ou tem outra, e uma cópia de antes "
            "pode não abrir sem ela. Dê outro nome a --chaves. Nada foi gravado."
        )


def impressao_of(nome: str, segredo: bytes) -> str:
    """By which a key is known again (hex), from what its file holds; empty where that is no key."""
    if nome.rpartition("/")[2] != MESTRA:
        return derived(segredo, "impressao").hex()
    try:
        return fingerprint(read_key(segredo.decode())).hex()
    except ValueError:
        return ""


def lacking(wanted: Mapping[str, str], held: Mapping[str, str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The keys that are sealed under and not at hand, and those of which another one is: both by path, with fingerprints (hex)."""
    asked = sorted(nome for nome, fingerprint in wanted.items() if fingerprint)
    return tuple(nome for nome in asked if nome not in held), tuple(nome for nome in asked if nome in held and held[nome] != wanted[nome])


def told_lacking(missing: Sequence[str], others: Sequence[str], of: str) -> str:
    """Which keys are away and which are others, in words (pt-BR); empty where none is. `of`: whose they would be."""
    told = [f"não se encontra {_listed(missing)}"] * bool(missing) + [f"não é a {of} {_listed(others)}"] * bool(others)
    return "; e ".join(told)


def check_complete(wanted: Mapping[str, str], keys: Sequence[ChaveDaPasta]) -> None:
    """Whether keys that are to be guarded open all that an installation has. Raises ChavesIncompletas."""
    missing, others = lacking(wanted, {one.nome: impressao_of(one.nome, one.segredo) for one in keys})
    if missing or others:
        raise ChavesIncompletas(
            f"Das chaves desta instalação, {told_lacking(missing, others, 'que ela usa')}. {_return(missing or others)} "
            "Nada foi gravado: um arquivo de chaves de antes continua como estava."
        )


def check_keys(wanted: Mapping[str, str], held: Mapping[str, str], stands: Mapping[str, str]) -> None:
    """Whether the keys that a copy is sealed under are at hand: both by path, with fingerprints (hex). Raises FaltamChaves.

    `stands` tells of each that the place has of its own where it stands, a folder or a setting: no file of keys is asked for these.
    """
    missing, others = lacking(wanted, held)
    if not (missing or others):
        return
    places = sorted({stands[nome] for nome in others if nome in stands})
    mend = (
        "Use --chaves com o arquivo que 'crivo banco backup --chaves' gravou, ou devolva essas chaves à pasta de dados; a chave-mestra "
        "pode vir de CRIVO_CHAVE_MESTRA."
    )
    if _SETTING in places:
        mend = f"A de {_SETTING} vale mais do que a de --chaves: ponha nela a desta cópia, ou retire-a."
    elif places:
        mend = f"O que já está em {places[0]} vale mais do que --chaves: restaure em outra pasta, informando-a em CRIVO_DATA_DIR."
    raise FaltamChaves(f"Das chaves, {told_lacking(missing, others, 'desta cópia')}. {mend} Nada foi mudado.")


def _return(names: Sequence[str]) -> str:
    """What mends a key that is away."""
    said = "Devolva essa chave à pasta de dados, de onde estiver guardada"
    if len(names) > 1:
        said = "Devolva essas chaves à pasta de dados, de onde estiverem guardadas"
    if MESTRA in names:
        said += ", ou informe a chave-mestra em CRIVO_CHAVE_MESTRA"
    if _ANCORAS in names:
        said += "; se a das âncoras se perdeu, 'crivo auditoria ancorar' faz outra"
    return f"{said}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" e mais {len(names) - 3}" if len(names) > 3 else "")
