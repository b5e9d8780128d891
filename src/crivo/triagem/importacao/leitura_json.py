"""JSON as a tree: strict where JSON is, and keeping what decides later, such as keys that came twice."""

from __future__ import annotations

import json
import re
from collections import Counter
from decimal import Decimal, InvalidOperation
from typing import Any, Final, TypeAlias

from crivo.kernel.errors import Problem
from crivo.triagem.importacao.problemas import ImportacaoGrandeDemais, ImportacaoIlegivel

TAMANHO_MAXIMO: Final = 150 * 1024 * 1024
# Python turns long runs of digits into an integer in quadratic time; as a Decimal they are refused by their field's bounds.
_INTEGER_DIGITS: Final = 18
ITEM_MAXIMO: Final = 8_000_000
_INSTEAD: Final = "o edital entra como um arquivo JSON, ou como uma pasta com o edital.json e os documentos"
NOT_JSON: Final = (
    (b"%PDF-", f"Este é um PDF; {_INSTEAD}. O texto do edital vai no campo edital.texto."),
    (b"PK\x03\x04", f"Este é um arquivo compactado, ou um documento de Word ou planilha; {_INSTEAD}."),
    (b"\xd0\xcf\x11\xe0", f"Este é um documento de Word ou planilha; {_INSTEAD}."),
    (b"\x89PNG", f"Esta é uma imagem; {_INSTEAD}."),
    (b"\xff\xd8\xff", f"Esta é uma imagem; {_INSTEAD}."),
)
ANOTHER_TEXT: Final = (
    f"Este texto não é JSON, que começa com `{{`: parece uma tabela (CSV) ou outro arquivo com o nome trocado; {_INSTEAD}. "
    "'crivo triagem esquema' diz os campos."
)
_FIRST_WORD: Final = re.compile(rb"[A-Za-z]+")
_WORDS_OF_JSON: Final = (b"true", b"false", b"null")

Valor: TypeAlias = Any
"""What JSON holds: `dict`, `list`, `str`, `int`, `Decimal` (not finite where the file says NaN or Infinity), `bool` or None."""


class Repetidas(dict[str, Valor]):
    """An object in which some keys came more than once; the last of each is kept, and `chaves` names them."""

    chaves: tuple[str, ...] = ()


def is_another_text(beginning: bytes) -> bool:
    """Whether the first bytes of a file are of some other text: a table, a page, a letter."""
    first = beginning.lstrip(b" \t\r\n")
    word = _FIRST_WORD.match(first)
    if word is None:
        return first.startswith(b"<")
    return not any(one.startswith(word[0]) or first.startswith(one) for one in _WORDS_OF_JSON)


def too_large(arquivo: str) -> ImportacaoGrandeDemais:
    """The error for a file beyond the limit."""
    limite = f"{TAMANHO_MAXIMO // 1024**2} MB"
    mensagem = f"O arquivo passa de {limite}, o limite: deixe os anexos fora do JSON ou divida os projetos em mais de um edital."
    return ImportacaoGrandeDemais(arquivo, [Problem(mensagem, codigo="arquivo_grande")])


def item_too_large(arquivo: str, linha: int) -> ImportacaoGrandeDemais:
    """The error for a single item, or a field beside the lists, that nobody could look at."""
    limite = f"{ITEM_MAXIMO // 1_000_000} milhões de caracteres"
    mensagem = f"Um só projeto, ou outro item, passa de {limite}, o limite: deixe os anexos fora do JSON."
    return ImportacaoGrandeDemais(arquivo, [Problem(mensagem, linha=linha, codigo="item_grande")])


def unreadable(arquivo: str, codigo: str, mensagem: str, linha: int | None = None) -> ImportacaoIlegivel:
    """The error for a file that cannot be read beyond this point."""
    return ImportacaoIlegivel(arquivo, [Problem(mensagem, linha=linha, codigo=codigo)])


def _read_integer(escrito: str) -> int | Decimal:
    return int(escrito) if len(escrito) <= _INTEGER_DIGITS else Decimal(escrito)


def _read_fraction(escrito: str) -> Decimal:
    try:
        return Decimal(escrito)
    except InvalidOperation:  # an exponent beyond what a Decimal can hold
        return Decimal("Infinity")


def read_object(pares: list[tuple[str, Valor]]) -> dict[str, Valor]:
    """The object of these fields; where some come more than once it is `Repetidas`."""
    campos = dict(pares)
    if len(campos) == len(pares):
        return campos
    repetidas = Repetidas(campos)
    times = Counter(chave for chave, _ in pares)
    repetidas.chaves = tuple(chave for chave, many in times.items() if many > 1)
    return repetidas


DECODER: Final = json.JSONDecoder(
    object_pairs_hook=read_object, parse_float=_read_fraction, parse_int=_read_integer, parse_constant=Decimal
)
