"""Lists of an import that are longer than memory should be: their items are read from a file, each when it is asked for."""

from __future__ import annotations

import json
import os
import tempfile
import weakref
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Generic, TypeVar, overload

import msgspec

_IN_MEMORY_BYTES: Final = 1 << 20
T = TypeVar("T")


class Itens(Sequence[T], Generic[T]):
    """Items by position, made anew each time; equal to any list or tuple of the same items."""

    def item(self, posicao: int) -> T:
        """The item at a position from 0 to the length."""
        raise NotImplementedError

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return [self.item(posicao) for posicao in range(*index.indices(len(self)))]
        return self.item(range(len(self))[index])

    def __iter__(self) -> Iterator[T]:
        return map(self.item, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Itens | list | tuple):
            return NotImplemented
        return len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))

    def __hash__(self) -> int:
        raise TypeError("compared by what it holds, as a list is")


class DoArquivo(Itens[Any]):
    """The items of a list in a file of text, by where each begins and how many bytes it has; the file must stay open."""

    def __init__(self, descriptor: int, decode: Callable[[str], Any]) -> None:
        self._descriptor = descriptor
        self._decode = decode
        self._starts = array("Q")
        self._sizes = array("Q")

    def add(self, start: int, size: int) -> None:
        """One more, from that byte on."""
        self._starts.append(start)
        self._sizes.append(size)

    def item(self, posicao: int) -> Any:
        """The item, decoded."""
        return self._decode(os.pread(self._descriptor, self._sizes[posicao], self._starts[posicao]).decode())

    def __len__(self) -> int:
        return len(self._starts)


class Guardados(Itens[Any]):
    """Values kept as bytes: the last megabyte in memory, what came before in a file without a name. Decimals come back as text."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` takes the file; without it, the system's own for such files does."""
        self._folder = folder
        self._descriptor = -1
        self._starts = array("Q", [0])
        self._spilt = 0
        self._tail = bytearray()

    def append(self, value: Any) -> None:
        """One more."""
        raw = _encoded(value)
        self._tail += raw
        self._starts.append(self._starts[-1] + len(raw))
        if len(self._tail) >= _IN_MEMORY_BYTES:
            self._spill()

    def raw(self, posicao: int) -> bytes:
        """The bytes at a position, as MessagePack."""
        start, end = self._starts[posicao], self._starts[posicao + 1]
        if start >= self._spilt:
            return bytes(self._tail[start - self._spilt : end - self._spilt])
        return os.pread(self._descriptor, end - start, start)

    def item(self, posicao: int) -> Any:
        """The value, of plain types."""
        return msgspec.msgpack.decode(self.raw(posicao))

    def __len__(self) -> int:
        return len(self._starts) - 1

    def _spill(self) -> None:
        if self._descriptor < 0:
            self._descriptor, name = tempfile.mkstemp(dir=self._folder)
            weakref.finalize(self, os.close, self._descriptor)
            os.unlink(name)  # noqa: PTH108 - a name, not a path
        view = memoryview(self._tail)
        while view:
            view = view[os.write(self._descriptor, view) :]
        self._spilt += len(self._tail)
        self._tail = bytearray()


class Tipados(Itens[T]):
    """What was kept, as values of a type."""

    def __init__(self, guardados: Guardados, tipo: type[T]) -> None:
        self._guardados = guardados
        self._decoder = msgspec.msgpack.Decoder(tipo)

    def item(self, posicao: int) -> T:
        """The value."""
        return self._decoder.decode(self._guardados.raw(posicao))

    def __len__(self) -> int:
        return len(self._guardados)


class Alguns(Itens[T]):
    """Some of the items of a list, by their positions in it."""

    def __init__(self, todos: Sequence[T], posicoes: Sequence[int]) -> None:
        self._todos = todos
        self._posicoes = posicoes

    def item(self, posicao: int) -> T:
        """The item."""
        return self._todos[self._posicoes[posicao]]

    def __len__(self) -> int:
        return len(self._posicoes)


def _encoded(value: Any) -> bytes:
    try:
        return msgspec.msgpack.encode(value)
    except UnicodeEncodeError:  # half a character in a name: refused by its field, and kept only until all is told
        return msgspec.msgpack.encode(msgspec.json.decode(json.dumps(value, ensure_ascii=False, default=str).encode(errors="replace")))
