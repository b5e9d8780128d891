"""A document as PDF/A-2a and PDF/UA-1: tagged, with its bookmarks, fonts inside, readable in thirty years. Nobody else asks typst.

What is written comes into the page as data and is never read as markup. A character that no font of the library draws is shown as `▯`,
and the document says so: a file that lacks its letters would be no PDF/A.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC
from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec
import typst

from crivo.kernel.linguagem.dobra import composed
from crivo.triagem.publicacao.documentos.folha import Folha, Paragrafo, Secao

AUSENTE: Final = "▯"
_PADROES: Final = ("a-2a", "ua-1")
_PLAIN: Final = frozenset(map(chr, [*range(0x20, 0x7F), *range(0xA0, 0x180), 0x0A, 0x200B, 0x2013, 0x2014, 0x2019, 0x201C, 0x201D, 0x25AF]))
# Where a word that is wider than its place may break: in a table sooner than elsewhere, where what is to be copied stays whole.
_BREAK: Final = "\u200b"
_LONG_IN_TABLE: Final = re.compile(r"[^\s\u200b]{12}(?=[^\s\u200b]{12})")
_LONG: Final = re.compile(r"[^\s\u200b]{72}(?=[^\s\u200b]{20})")
_PROBE: Final = b"""#set document(title: "t", date: datetime(year: 2026, month: 1, day: 1))
#set text(lang: "pt", font: ("Libertinus Serif", "New Computer Modern", "DejaVu Sans Mono"))
#for one in json(bytes(sys.inputs.letras)) [#one #linebreak()]"""
_LACKING: Final = (
    f"Onde se vê {AUSENTE} há um caractere que as fontes deste documento não desenham. "
    "O texto inteiro está nas versões HTML, planilha e CSV."
)


def compose(folha: Folha) -> bytes:
    """The PDF. The same `folha` gives the same bytes."""
    folha = msgspec.convert(_mapped(msgspec.to_builtins(folha), composed), Folha)
    letters = set().union(*_texts(msgspec.to_builtins(folha)))
    try:
        return _composed(folha, _undrawn(letters))
    except typst.TypstError:  # letters that are drawn alone and not beside each other
        return _composed(folha, frozenset(letters - _PLAIN))


def _composed(folha: Folha, lacking: frozenset[str]) -> bytes:
    if lacking:
        folha = msgspec.structs.replace(folha, secoes=(*folha.secoes, Secao("Sobre os caracteres", (Paragrafo(_LACKING),))))
    table = str.maketrans(dict.fromkeys(lacking, AUSENTE))
    fitted = _mapped(msgspec.to_builtins(folha), lambda text: _broken(text.translate(table), _LONG))
    for bloco in _tables(fitted):
        bloco["linhas"] = _mapped(bloco["linhas"], lambda text: _broken(text, _LONG_IN_TABLE))
    em = folha.em.astimezone(UTC)
    fitted["em"] = [em.year, em.month, em.day, em.hour, em.minute, em.second]
    fitted["nome"] = folha.titulo.translate(table)  # the file's own title, which never has to break
    return _compile(_source(), {"folha": msgspec.json.encode(fitted).decode()}, int(em.timestamp()))


def _broken(text: str, long: re.Pattern[str]) -> str:
    return long.sub(rf"\g<0>{_BREAK}", text)


def _tables(data: Any) -> Iterable[dict[str, Any]]:
    for blocos in (data["abertura"], *(secao["blocos"] for secao in data["secoes"])):
        yield from (one for one in blocos if one["tipo"] == "tabela")


def _compile(source: bytes, inputs: dict[str, str], timestamp: int) -> bytes:
    compiler = typst.Compiler(source, font_paths=_fonts(), ignore_system_fonts=True, sys_inputs=inputs)
    made = compiler.compile(format="pdf", pdf_standards=list(_PADROES), timestamp=timestamp)
    if not isinstance(made, bytes):
        raise TypeError("typst made no single file")
    return made


@cache
def _source() -> bytes:
    return files(__package__).joinpath("folha.typ").read_bytes()


@cache
def _fonts() -> typst.Fonts:
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=True)


def _undrawn(letters: set[str]) -> frozenset[str]:
    """Those that the fonts lack, found by asking for them in halves."""
    return frozenset(_probe(sorted(letters - _PLAIN)))


def _probe(letters: list[str]) -> Iterable[str]:
    if not letters or _draws(letters):
        return
    if len(letters) == 1:
        yield letters[0]
        return
    half = len(letters) // 2
    yield from _probe(letters[:half])
    yield from _probe(letters[half:])


def _draws(letters: list[str]) -> bool:
    try:
        _compile(_PROBE, {"letras": msgspec.json.encode(letters).decode()}, 0)
    except typst.TypstError:
        return False
    return True


def _texts(data: Any) -> Iterable[set[str]]:
    if isinstance(data, str):
        yield set(data)
    elif isinstance(data, dict):
        for one in data.values():
            yield from _texts(one)
    elif isinstance(data, list | tuple):
        for one in data:
            yield from _texts(one)


def _mapped(data: Any, change: Any) -> Any:
    if isinstance(data, str):
        return change(data)
    if isinstance(data, dict):
        return {key: _mapped(one, change) for key, one in data.items()}
    return [_mapped(one, change) for one in data] if isinstance(data, list | tuple) else data
