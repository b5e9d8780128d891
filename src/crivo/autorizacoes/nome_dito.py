"""The beneficiary's name, where a pedido says one: no rule asks for it, and whoever answers the telephone does. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from crivo.autorizacoes.campos import fold_field
from crivo.autorizacoes.extracao import NAO_USADOS

# Words, folded, that say of an object or of a field that it is the beneficiary's, the surest first; the last is of a name all alone.
_DE_QUEM: Final = ("beneficiari", "paciente", "segurad", "associad", "usuario", "dependente", "titular", "member", "patient")
_NOMES: Final = frozenset({"nome", "nome_completo", "nome_social", "nome_civil", "name", "full_name"})
_JOINED: Final = re.compile(r"(?:nome|name)(?:_completo|_social|_civil)?(?:_d[oae])?_?(?P<quem>[a-z]+)|(?P<antes>[a-z]+)_(?:nome|name)")
_IN_A_PATH: Final = re.compile(r"[\w-]+")
_LONGEST: Final = 120
_DEEPEST: Final = 6
_ALONE: Final = len(_DE_QUEM)


def nome_dito(extras: Mapping[str, Any]) -> str:
    """The beneficiary's name in what nobody asked for: `beneficiario.nome`, `nomeBeneficiario`, `segurado.nome`, or a `nome` all alone.

    Empty where none is said. Names of whoever asks or carries out are passed over.
    """
    found = [(rank, nome) for chaves, valor in _leaves(extras, ()) if (rank := _rank(chaves)) is not None and (nome := _read(valor))]
    return min(found, key=lambda one: one[0])[1] if found else ""


def _leaves(inner: Mapping[str, Any], led: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for chave, valor in inner.items():
        if chave == NAO_USADOS and not led and isinstance(valor, dict):  # what a mapping left over, by path
            yield from ((tuple(_IN_A_PATH.findall(caminho)), one) for caminho, one in valor.items())
        elif not isinstance(valor, dict):
            yield (*led, chave), valor
        elif len(led) < _DEEPEST:
            yield from _leaves(valor, (*led, chave))


def _rank(chaves: tuple[str, ...]) -> int | None:
    """How sure it is that a field is the beneficiary's name, the least the surest; None where it is none."""
    if not chaves:
        return None
    *objetos, nome = [fold_field(one) for one in chaves]
    if nome in _NOMES:
        return _whose(objetos[-1]) if objetos and objetos[-1] else _ALONE
    joined = _JOINED.fullmatch(nome)
    return _whose(joined["quem"] or joined["antes"]) if joined else None


@lru_cache(maxsize=1024)
def _whose(said: str) -> int | None:
    last = said.rpartition("_")[2]
    return next((rank for rank, one in enumerate(_DE_QUEM) if last.startswith(one)), None)


def _read(valor: Any) -> str:
    nome = " ".join(valor.split()) if isinstance(valor, str) else ""
    return nome if 1 < len(nome) <= _LONGEST and nome.isprintable() and any(one.isalpha() for one in nome) else ""
