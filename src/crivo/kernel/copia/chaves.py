"""The keys of an installation, apart from its copies: in a file of their own, and held against what a copy was sealed under."""

from __future__ import annotations

import os
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from crivo.kernel.copia.erros import CopiaNaoGravada, FaltamChaves
from crivo.kernel.copia.manifesto import is_safe
from crivo.kernel.copia.pasta import ChaveDaPasta
from crivo.kernel.sigilo.cifra import derived
from crivo.kernel.sigilo.guarda import guard
from crivo.kernel.sigilo.mestra import FILE as MESTRA
from crivo.kernel.sigilo.mestra import fingerprint, read_key

_FORMATO: Final = 1


class _Arquivo(msgspec.Struct, frozen=True):
    crivo_chaves: int
    chaves: dict[str, str]


def write_keys(path: Path, keys: Sequence[ChaveDaPasta]) -> None:
    """Write keys to a file that its owner alone may read, whole or not at all. Raises CopiaNaoGravada."""
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
        raise CopiaNaoGravada(f"As chaves não puderam ser gravadas em {path}: {error.strerror}. Confira a pasta e as permissões.") from None


def read_keys(path: Path) -> dict[str, bytes]:
    """The keys of such a file, by their paths in the data folder. Raises FaltamChaves, ChaveExposta."""
    guard(path)
    try:
        found = msgspec.json.decode(path.read_bytes(), type=_Arquivo)
        keys = {nome: b64decode(text, validate=True) for nome, text in found.chaves.items()}
    except OSError as error:
        raise FaltamChaves(f"O arquivo de chaves {path} não pôde ser lido: {error.strerror}. Nada foi mudado.") from None
    except (msgspec.DecodeError, ValueError):
        raise FaltamChaves(
            f"{path} não é um arquivo de chaves de 'crivo banco backup --chaves'. Confira o caminho. Nada foi mudado."
        ) from None
    if not all(map(is_safe, keys)):
        raise FaltamChaves(f"{path} quer gravar chaves fora da pasta de dados. Nada foi mudado.")
    return keys


def impressao_of(nome: str, segredo: bytes) -> str:
    """By which a key is known again (hex), from what its file holds; empty where that is no key."""
    if nome.rpartition("/")[2] != MESTRA:
        return derived(segredo, "impressao").hex()
    try:
        return fingerprint(read_key(segredo.decode())).hex()
    except ValueError:
        return ""


def check_keys(wanted: Mapping[str, str], held: Mapping[str, str]) -> None:
    """Whether the keys that a copy is sealed under are at hand: both by path, with fingerprints (hex). Raises FaltamChaves."""
    missing = sorted(nome for nome, fingerprint in wanted.items() if fingerprint and nome not in held)
    others = sorted(nome for nome, fingerprint in wanted.items() if fingerprint and nome in held and held[nome] != fingerprint)
    if missing or others:
        told = [f"não se encontra {_listed(missing)}"] * bool(missing) + [f"não é a desta cópia {_listed(others)}"] * bool(others)
        raise FaltamChaves(
            f"Das chaves, {'; e '.join(told)}. Use --chaves com o arquivo que 'crivo banco backup --chaves' gravou, ou devolva essas "
            "chaves à pasta de dados; a chave-mestra pode vir de CRIVO_CHAVE_MESTRA. Nada foi mudado."
        )


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" e mais {len(names) - 3}" if len(names) > 3 else "")
