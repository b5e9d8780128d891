"""JSON read with lines: strict as RFC 8259, and telling where it stops being JSON."""

from __future__ import annotations

import json
import re
from typing import Final

from crivo.autorizacoes.politicas.nos import (
    PROFUNDIDADE_MAXIMA,
    Escalar,
    Lista,
    Mapa,
    No,
    PoliticaInvalida,
    Problemas,
    add_chave_repetida,
    unreadable,
)
from crivo.kernel.formas.palavras import Caminho

_BLANKS: Final = re.compile(r"[ \t\n\r]*")
_WORD: Final = re.compile(r'[^\s,:"{}\[\]]+')
_NUMBER: Final = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_LITERALS: Final[dict[str, bool | None]] = {"true": True, "false": False, "null": None}
_DECODER: Final = json.JSONDecoder()
# Longer integers are read as floats: every bound of the contract refuses them either way, and the conversion stays cheap.
_INTEGER_DIGITS: Final = 18


def read_number(escrito: str) -> int | float | None:
    """The number that JSON reads in this text, None where it reads none; infinite where it is too large for a float."""
    match = _NUMBER.fullmatch(escrito)
    if match is None:
        return None
    is_integer = match[1] is None and match[2] is None and len(escrito) <= _INTEGER_DIGITS
    return int(escrito) if is_integer else float(escrito)


def read_json(texto: str, problemas: Problemas, *, solto: bool) -> No:
    """The tree of a JSON text; repeated keys go to `problemas`. With `solto`, unquoted scalars keep the text as written.

    Raises PoliticaInvalida where the text is not JSON, or is nested deeper than 16 levels.
    """
    return _Reader(texto, problemas, solto).read()


class _Reader:
    def __init__(self, texto: str, problemas: Problemas, solto: bool) -> None:
        self._texto = texto
        self._problemas = problemas
        self._solto = solto
        self._counted = 0
        self._linha = 1

    def read(self) -> No:
        start = self._skip(0)
        no, end = self._value(start, self._linha_at(start), (), 0)
        end = self._skip(end)
        if end < len(self._texto):
            raise self._failure(end, "Há conteúdo depois do fim da política; deixe um único objeto `{ … }` por arquivo.")
        return no

    def _skip(self, at: int) -> int:
        match = _BLANKS.match(self._texto, at)
        return match.end() if match else at

    def _linha_at(self, at: int) -> int:
        # Values are met in the order of the text, so each line break is counted once.
        if at > self._counted:
            self._linha += self._texto.count("\n", self._counted, at)
            self._counted = at
        return self._linha

    def _failure(self, at: int, mensagem: str, caminho: Caminho = ()) -> PoliticaInvalida:
        linha = self._texto.count("\n", 0, at) + 1
        return unreadable("json_invalido", linha, mensagem, caminho)

    def _value(self, at: int, linha: int, caminho: Caminho, depth: int) -> tuple[No, int]:
        char = self._texto[at : at + 1]
        if char == '"':
            valor, end = self._string(at, caminho)
            return Escalar(valor, linha), end
        if char in ("{", "["):
            if depth >= PROFUNDIDADE_MAXIMA:
                raise self._failure(
                    at, f"Há mais de {PROFUNDIDADE_MAXIMA} níveis de aninhamento; uma política nunca precisa de tantos.", caminho
                )
            return self._mapa(at, linha, caminho, depth) if char == "{" else self._lista(at, linha, caminho, depth)
        return self._bare(at, linha, caminho)

    def _string(self, at: int, caminho: Caminho) -> tuple[str, int]:
        try:
            decoded, end = _DECODER.raw_decode(self._texto, at)
        except json.JSONDecodeError as error:
            mensagem = "Texto entre aspas mal formado: confira se as aspas fecham e se não há quebra de linha ou `\\` solta dentro dele."
            raise self._failure(error.pos, mensagem, caminho) from error
        valor = str(decoded)
        if not valor.isascii() and _SURROGATE.search(valor):
            raise self._failure(at, "O texto tem um `\\u` que não forma caractere algum; escreva o caractere diretamente.", caminho)
        return valor, end

    def _bare(self, at: int, linha: int, caminho: Caminho) -> tuple[No, int]:
        match = _WORD.match(self._texto, at)
        if match is None:
            found = f"`{self._texto[at]}`" if at < len(self._texto) else "o fim do arquivo"
            raise self._failure(at, f"Esperava um valor e encontrei {found}.", caminho)
        word = match[0]
        escrito = word if self._solto else None
        if word in _LITERALS:
            return Escalar(_LITERALS[word], linha, escrito), match.end()
        number = read_number(word)
        if number is None:
            mensagem = f"`{word[:40]}` não é um valor de JSON: textos e códigos vão entre aspas, e números não têm zeros à esquerda."
            raise self._failure(at, mensagem, caminho)
        return Escalar(number, linha, escrito), match.end()

    def _lista(self, at: int, linha: int, caminho: Caminho, depth: int) -> tuple[No, int]:
        itens: list[No] = []
        at = self._skip(at + 1)
        if self._texto[at : at + 1] == "]":
            return Lista((), linha), at + 1
        while True:
            item, at = self._value(at, self._linha_at(at), (*caminho, len(itens)), depth + 1)
            itens.append(item)
            at, closed = self._separator(at, "]", caminho)
            if closed:
                return Lista(tuple(itens), linha), at

    def _mapa(self, at: int, linha: int, caminho: Caminho, depth: int) -> tuple[No, int]:
        campos: dict[str, No] = {}
        at = self._skip(at + 1)
        if self._texto[at : at + 1] == "}":
            return Mapa({}, linha), at + 1
        while True:
            if self._texto[at : at + 1] != '"':
                raise self._failure(
                    at, "Esperava o nome de um campo entre aspas duplas (e nenhuma vírgula depois do último campo).", caminho
                )
            linha_chave = self._linha_at(at)
            chave, at = self._string(at, caminho)
            at = self._skip(at)
            if self._texto[at : at + 1] != ":":
                raise self._failure(at, f"Faltam os dois-pontos depois de `{chave[:40]}`.", caminho)
            at = self._skip(at + 1)
            valor, at = self._value(at, linha_chave, (*caminho, chave), depth + 1)
            if chave in campos:
                add_chave_repetida(self._problemas, (*caminho, chave), linha_chave, campos[chave].linha)
            campos[chave] = valor
            at, closed = self._separator(at, "}", caminho)
            if closed:
                return Mapa(campos, linha), at

    def _separator(self, at: int, closing: str, caminho: Caminho) -> tuple[int, bool]:
        at = self._skip(at)
        char = self._texto[at : at + 1]
        if char == closing:
            return at + 1, True
        if char != ",":
            raise self._failure(at, f"Esperava `,` ou `{closing}`: confira vírgulas e o fechamento do que foi aberto.", caminho)
        return self._skip(at + 1), False
