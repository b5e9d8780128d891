"""From bytes to a JSON object that the rules can hold, or a clear refusal; nothing here knows what the fields mean."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from crivo.kernel.errors import CrivoError, Kind, Problem

Bruto = dict[str, Any]

MAX_DEPTH = 64
_A_TABLE = 4  # as many separators in one line, and prose has none of them
_ESCAPED_COLON = b"\\u003"
_MARKS = (b"\xef", b"\xff", b"\xfe")
_decode = msgspec.json.Decoder().decode
_encode = msgspec.json.Encoder().encode


class PedidoIlegivel(CrivoError):
    """A pedido whose fields are of a type that cannot be read."""

    codigo: ClassVar[str] = "pedido_ilegivel"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O pedido não pôde ser lido"


class JsonInvalido(PedidoIlegivel):
    """Bytes that are no JSON."""

    codigo: ClassVar[str] = "json_invalido"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Não deu para ler o pedido"


def read_pedido(raw: bytes) -> Bruto:
    """The JSON object in `raw`, UTF-8; UTF-16 where its mark says so.

    Raises `JsonInvalido` when it is no JSON, `PedidoIlegivel` when it is no object, repeats a key, nests deeper than
    64 levels or holds a null character.
    """
    value = read_json_value(raw)
    if type(value) is not dict:
        raise PedidoIlegivel("O pedido deve ser um objeto JSON, entre chaves: { ... }.")
    return value


def read_json_value(raw: bytes) -> Any:
    """The object or list in `raw`, or whatever single value it is; refused as `read_pedido` says."""
    if raw[:1] in _MARKS:
        raw = _as_utf8(raw)
    try:
        value = _decode(raw)
    except msgspec.ValidationError:
        raise PedidoIlegivel("O pedido traz um número grande demais para ser lido. Corrija-o e envie de novo.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise JsonInvalido(_not_json(raw, error)) from None
    except RecursionError:
        raise _too_deep() from None
    if type(value) is not dict and type(value) is not list:
        return value
    if raw.count(b"{") + raw.count(b"[") > MAX_DEPTH:
        _check_depth(value)
    # Each member came with a colon, and a key that came twice with more than are left: no more colons than members, and none did.
    # Where texts hold some too, written again a pedido has as many as it came with; only a colon that came escaped spoils the count.
    escaped = b"\\u" in raw
    colons = raw.count(b":")
    if colons != _members(value) and (colons != _encode(value).count(b":") or (escaped and _ESCAPED_COLON in raw)):
        _check_keys(raw)
    if escaped and b"\\u0000" in raw:
        _check_text(value)
    return value


def _as_utf8(raw: bytes) -> bytes:
    """Bytes that open with a mark of order, without it and in UTF-8; as they are where that mark does not hold."""
    for mark, encoding in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if raw.startswith(mark):
            try:
                return raw.decode(encoding).encode()
            except UnicodeError:
                return raw
    return raw


def _not_json(raw: bytes, error: Exception) -> str:
    """What to do about bytes that are no JSON: prose and spreadsheets are told apart from a JSON with a slip."""
    if not raw.strip():
        return "O que chegou está vazio: confira se o seu sistema mandou mesmo o pedido, e envie de novo."
    if raw.lstrip()[:1] not in (b"{", b"["):
        if b"\n" not in raw.strip() and max(raw.count(mark) for mark in (b";", b"\t", b"|")) >= _A_TABLE:
            return (
                "O que chegou parece uma planilha em texto (CSV) em uma linha só. Quem a lê é um mapeamento publicado, com o cabeçalho e "
                "as quebras de linha: no curl, mande-a com `--data-binary @arquivo.csv`, e não com `--data`, que as tira."
            )
        return (
            "O que chegou não é um pedido que o crivo saiba ler: ele começa com { e termina com }, como no exemplo desta página. "
            "Se você tem o pedido em texto, PDF ou planilha, peça ao seu sistema o arquivo .json dele e envie de novo."
        )
    try:
        raw.decode()
    except UnicodeDecodeError as wrong:
        return (
            f"O texto do pedido não está em UTF-8{_place(raw, wrong.start)}: parece estar em Latin-1 (Windows). "
            "Faça o seu sistema gravá-lo em UTF-8 e envie de novo."
        )
    if isinstance(error, msgspec.DecodeError) and "truncated" in str(error):
        return f"O texto do pedido acaba antes da hora{_place(raw, len(raw.rstrip()))}: ele veio cortado. Envie-o inteiro."
    where = _position(raw, error)
    return f"O texto do pedido está com a escrita quebrada{where}: confira ali se falta vírgula, aspas ou chave, e envie de novo."


def _position(raw: bytes, error: Exception) -> str:
    byte = str(error).rpartition("(byte ")[2].rstrip(")")
    return _place(raw, int(byte)) if byte.isdigit() else ""


def _place(raw: bytes, at: int) -> str:
    """The line and the column, both from 1, of a byte; columns count letters."""
    start = raw.rfind(b"\n", 0, at) + 1
    return f" na linha {raw.count(10, 0, at) + 1}, coluna {len(raw[start:at].decode(errors='replace')) + 1}"


def _too_deep() -> PedidoIlegivel:
    return PedidoIlegivel(f"O pedido tem objetos dentro de objetos demais; o limite é de {MAX_DEPTH} níveis.")


def _members(value: Bruto | list[Any]) -> int:
    """How many members the object has, with those of the objects in it and in its lists; not of any below. None of a list."""
    if isinstance(value, list):
        return 0
    total = len(value)
    for inner in value.values():
        if type(inner) is dict:
            total += len(inner)
        elif type(inner) is list:
            for item in inner:
                if type(item) is dict:
                    total += len(item)
    return total


def _check_depth(value: object) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _containers(outer)]
        if not level:
            return
    raise _too_deep()


def _containers(value: object) -> Iterator[object]:
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return (item for item in items if isinstance(item, (dict, list)))


def _check_keys(raw: bytes) -> None:
    repeated: list[str] = []

    def collect(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        seen = dict(pairs)
        if len(seen) != len(pairs):
            counted = Counter([key for key, _ in pairs])
            repeated.extend(key for key in seen if counted[key] > 1)
        return seen

    json.loads(raw, object_pairs_hook=collect)
    if repeated:
        raise PedidoIlegivel(
            "O pedido traz o mesmo campo mais de uma vez; deixe só um valor para cada campo.",
            [Problem("campo repetido no mesmo objeto", codigo="chave_duplicada", caminho=key[:80]) for key in repeated[:20]],
        )


def _check_text(value: object) -> None:
    if any("\0" in text for text in _texts(value)):
        raise PedidoIlegivel("O pedido contém um caractere nulo (\\u0000), que não é texto. Retire-o e envie de novo.")


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
