"""Documents as people write their names: known under what surrounds a name without changing it, else told. Pure.

What RF1 reads of a pedido stays as it is: here a person is at hand, and sees what was understood before anything is sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

import msgspec

from crivo.autorizacoes.contracts import Regra
from crivo.autorizacoes.palavras import documentos_conhecidos
from crivo.autorizacoes.politicas.codigos import fold_documento
from crivo.kernel.linguagem.lexico import read_lexico

_EXTENSION: Final = re.compile(r"\.(?:pdf|jpe?g|png|tiff?|heic|docx?|odt|txt|xml|dcm|zip)\s*$", re.IGNORECASE)
_MOST_NAMES: Final = 5


class _Lexico(msgspec.Struct, frozen=True):
    """What may stand beside the name of a document and leave it what it is: a word that is not here may say that it is another, or missing.

    After `doutor` whatever stands is taken for a name, but for `nenhum_nome`.
    """

    de_menos: frozenset[str]
    antes_de_numero: frozenset[str]
    doutor: frozenset[str]
    nenhum_nome: frozenset[str]


def read_names(escritos: Iterable[str], regra: Regra | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The document types that these names plainly are, and the names that are none of them, as they were written."""
    known = {**_by_name(), **{tipo: tipo for tipo in tipos_da(regra)}}
    tipos, others = [], []
    for escrito in escritos:
        tipo = _read_name(escrito, known)
        if tipo:
            tipos.append(tipo)
        elif fold_documento(escrito):
            others.append(escrito.strip())
    return tuple(dict.fromkeys(tipos)), tuple(dict.fromkeys(others))


def tipos_da(regra: Regra | None) -> tuple[str, ...]:
    """The document types that a regra asks for, those of which one is enough too."""
    if regra is None:
        return ()
    grupos = [tipo for grupo in regra.documentos_alternativos or () for tipo in grupo]
    return tuple(dict.fromkeys((*regra.documentos_obrigatorios, *grupos)))


def _read_name(escrito: str, known: Mapping[str, str]) -> str | None:
    """The type that a name is, by itself or within what is said around it; None where it may be another, or no document at all."""
    whole = fold_documento(escrito)
    if whole in known:
        return known[whole]
    words = fold_documento(_EXTENSION.sub("", escrito)).split("_")
    for end in range(len(words), 0, -1):
        tipo = known.get("_".join(words[:end]))
        if tipo is not None:
            return tipo if _is_noise(words[end:]) else None
    return None


def _is_noise(words: list[str]) -> bool:
    lexico = _lexico()
    for at, word in enumerate(words):
        after = words[at + 1 :]
        if word in lexico.doutor:
            return 0 < len(after) <= _MOST_NAMES and lexico.nenhum_nome.isdisjoint(after)
        counts = word in lexico.antes_de_numero and after[:1] != [] and after[0].isdigit()
        if word not in lexico.de_menos and not word.isdigit() and not counts:
            return False
    return True


@cache
def _by_name() -> Mapping[str, str]:
    """The known types by their code and by what people call them."""
    conhecidos = documentos_conhecidos()
    return {**{fold_documento(um.nome): tipo for tipo, um in conhecidos.items()}, **{tipo: tipo for tipo in conhecidos}}


@cache
def _lexico() -> _Lexico:
    return read_lexico("crivo.autorizacoes.formulario", "nomes_de_documentos", _Lexico)
