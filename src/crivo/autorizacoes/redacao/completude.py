"""What a message must say at the least: the outcome, of what it is, and of an approval in part how many.

Fault `resultado`, of a denial `sem_fonte`; `numero` where how many is not said. For how long it is valid is not demanded: of the texts
that people called sound more than one in four leaves it to the guia.

Source: design, "Right, on what customers really send".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Final

import msgspec

from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.insumos import Campo, Falha
from crivo.autorizacoes.redacao.numeros import find_numeros
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.kernel.linguagem.dobra import fold_letters

_NOT_LETTERS: Final = re.compile(r"[^a-z0-9]+")


class _Palavras(msgspec.Struct, frozen=True):
    """Beginnings of words, folded, by what they say."""

    desfecho: dict[str, tuple[str, ...]]
    objeto: tuple[str, ...]


def check_completude(pagina: Pagina, fatos: Fatos, campo: Campo) -> Iterator[Achado]:
    """A message that tells no outcome, or not of what, or an approval in part without its quantity."""
    if campo not in ("para_beneficiario", "para_solicitante"):
        return
    text = f" {_NOT_LETTERS.sub(' ', pagina.folded)} "
    known = _palavras()
    falha: Falha = "sem_fonte" if fatos.final == "NEGADO" else "resultado"
    if not _says(text, known.desfecho[fatos.final]):
        yield Achado(falha, pagina.quote((0, len(pagina.text))), "não diz o que se decidiu")
    if not _says(text, known.objeto) and not any(stem in text for stem in _named(fatos)):
        yield Achado(falha, pagina.quote((0, len(pagina.text))), "não diz o que foi pedido")
    approved = _owed(fatos)
    if approved is not None and approved not in {numero.value for numero in find_numeros(pagina.folded)}:
        yield Achado("numero", pagina.quote((0, len(pagina.text))), "não diz quantas unidades foram aprovadas")


def _owed(fatos: Fatos) -> float | None:
    """The quantity that an approval in part must say; None where nothing was cut, and the number may go unsaid."""
    approved = fatos.detalhe.quantidade_aprovada
    return None if fatos.final != "APROVADO_PARCIAL" or approved is None else float(approved)


def _says(text: str, beginnings: Sequence[str]) -> bool:
    return any(f" {beginning}" in text for beginning in beginnings)


def _named(fatos: Fatos) -> Iterator[str]:
    """The words of the procedure's own name, and its code."""
    for word in _NOT_LETTERS.sub(" ", fold_letters(fatos.insumos.descricao or "")).split():
        if len(word) > 3:
            yield f" {word}"
    if fatos.insumos.codigo:
        yield f" {fatos.insumos.codigo.lower()}"


@cache
def _palavras() -> _Palavras:
    return msgspec.json.decode(resources.files("crivo.autorizacoes.redacao").joinpath("completude.json").read_bytes(), type=_Palavras)
