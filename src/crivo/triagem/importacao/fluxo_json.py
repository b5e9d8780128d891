"""A JSON file read from front to back in little memory: the lists at its top are looked at item by item, and left in the file."""

from __future__ import annotations

import codecs
import json
import os
import stat
from typing import BinaryIO, Final

from crivo.triagem.importacao.enganos import what_went_wrong
from crivo.triagem.importacao.itens import DoArquivo
from crivo.triagem.importacao.leitura_json import (
    ANOTHER_TEXT,
    DECODER,
    ITEM_MAXIMO,
    NOT_JSON,
    TAMANHO_MAXIMO,
    Valor,
    is_another_text,
    item_too_large,
    read_object,
    too_large,
    unreadable,
)
from crivo.triagem.importacao.problemas import ImportacaoIlegivel

_JANELA: Final = 1 << 18  # bytes read at a time
_SPACE: Final = " \t\n\r"
_LONGEST_MARK: Final = 16  # of what the decoder may take for wrong only because the rest of it has not been read
EMPTY: Final = "O arquivo está vazio; salve-o ou exporte-o de novo."
CLOSED: Final = "O arquivo não existe ou não pode ser aberto; confira o caminho e as permissões."
# Objects whose lists are read item by item: the file itself, and the one in which an export of Mapas Culturais may hold its own.
_NESTED: Final = "opportunity"


def read_json(file: BinaryIO, arquivo: str, janela: int = _JANELA) -> Valor:
    """The tree of a JSON file of up to 150 MB in UTF-8, with or without a byte order mark; numbers are exact.

    A list at the top, or of the top's `opportunity`, is `DoArquivo`: the file must stay open for as long as it is read.
    Raises ImportacaoGrandeDemais and ImportacaoIlegivel, with the line where the text stops being JSON.
    """
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode):
        raise unreadable(arquivo, "arquivo_ausente", CLOSED)
    if found.st_size > TAMANHO_MAXIMO:
        raise too_large(arquivo)
    beginning = os.pread(file.fileno(), _LONGEST_MARK, 0)
    for mark, mensagem in NOT_JSON:
        if beginning.startswith(mark):
            raise unreadable(arquivo, "nao_e_json", mensagem)
    if is_another_text(beginning.removeprefix(codecs.BOM_UTF8)):
        raise unreadable(arquivo, "nao_e_json", ANOTHER_TEXT)
    try:
        return _Reader(file, arquivo, janela).whole()
    except RecursionError as error:
        raise unreadable(arquivo, "json_profundo", "Há listas ou objetos uns dentro dos outros além do que um edital precisa.") from error


class _Reader:
    """A window of the text: what was read of it is dropped, and what comes next is added where it is needed."""

    def __init__(self, file: BinaryIO, arquivo: str, janela: int) -> None:
        self._file = file
        self._arquivo = arquivo
        self._janela = janela
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._text = ""
        self._at = 0
        self._is_last = False
        self._lines = 0  # before the window
        self._column = 0  # characters of its first line before the window
        self._byte_at = len(codecs.BOM_UTF8) if os.pread(file.fileno(), 3, 0) == codecs.BOM_UTF8 else 0
        self._counted = 0  # up to where in the window the bytes are counted

    def whole(self) -> Valor:
        """All of the file."""
        match self._peek():
            case "":
                raise unreadable(self._arquivo, "json_invalido", EMPTY, self._line(self._at))
            case "{":
                value: Valor = self._object(is_top=True)
            case "[":
                value = self._list()
            case _:
                value = self._value()
        if self._peek():
            raise self._fault(self._at)
        return value

    def _object(self, *, is_top: bool) -> dict[str, Valor]:
        self._at += 1
        pairs: list[tuple[str, Valor]] = []
        if self._peek() == "}":
            self._at += 1
            return {}
        while True:
            if self._peek() != '"':
                raise self._fault(self._at)
            name = self._value()
            self._expect(":")
            match self._peek():
                case "[":
                    value: Valor = self._list()
                case "{" if is_top and name == _NESTED:
                    value = self._object(is_top=False)
                case _:
                    value = self._value()
            pairs.append((name, value))
            if self._expect(",", "}") == "}":
                return read_object(pairs)

    def _list(self) -> DoArquivo:
        self._at += 1
        items = DoArquivo(self._file.fileno(), DECODER.decode)
        if self._peek() == "]":
            self._at += 1
            return items
        while True:
            self._peek()
            start = self._byte()
            self._value()  # looked at for what is no JSON; whoever needs it reads it again
            items.add(start, self._byte() - start)
            if self._expect(",", "]") == "]":
                return items

    def _value(self) -> Valor:
        """The value that begins here. Raises ImportacaoGrandeDemais where its end is too far away."""
        while True:
            try:
                value, end = DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                near = error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _LONGEST_MARK
                if self._is_last or not near:
                    raise self._fault(error.pos) from error
            else:
                if end + _LONGEST_MARK <= len(self._text) or self._is_last:  # else a number might go on
                    self._at = end
                    return value
            if len(self._text) - self._at > ITEM_MAXIMO:
                raise item_too_large(self._arquivo, self._line(self._at))
            self._more()

    def _peek(self) -> str:
        """The next character that is no space; empty at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if self._is_last:
                return ""
            self._more()

    def _expect(self, *marks: str) -> str:
        found = self._peek()
        if found not in marks:
            raise self._fault(self._at)
        self._at += 1
        return found

    def _more(self) -> None:
        """Drop what was read, and double what was not."""
        self._byte()
        dropped, kept = self._text[: self._at], self._text[self._at :]
        raw = self._file.read(max(self._janela, len(kept)))
        try:
            read = self._decoder.decode(raw, final=not raw)
        except UnicodeDecodeError as error:
            linha = self._lines + self._text.count("\n") + error.object[: error.start].count(b"\n") + 1
            mensagem = "Há uma letra que não pôde ser lida. No editor, salve o arquivo de novo com a codificação UTF-8."
            raise unreadable(self._arquivo, "codificacao_invalida", mensagem, linha) from error
        self._column = len(dropped) - dropped.rfind("\n") - 1 if "\n" in dropped else self._column + len(dropped)
        self._lines += dropped.count("\n")
        self._text, self._at, self._counted = kept + read, 0, 0
        self._is_last = not raw

    def _byte(self) -> int:
        """Where in the file the next character stands."""
        self._byte_at += len(self._text[self._counted : self._at].encode())
        self._counted = self._at
        return self._byte_at

    def _line(self, at: int) -> int:
        return self._lines + self._text.count("\n", 0, at) + 1

    def _fault(self, at: int) -> ImportacaoIlegivel:
        line_start = self._text.rfind("\n", 0, at)
        coluna = at - line_start if line_start >= 0 else self._column + at + 1
        mensagem = f"O arquivo deixa de ser JSON na coluna {coluna}: {what_went_wrong(self._text, at)}."
        return unreadable(self._arquivo, "json_invalido", mensagem, self._line(at))
