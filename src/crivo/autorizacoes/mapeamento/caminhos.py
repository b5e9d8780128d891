"""Paths into what somebody else's system sends: RFC 9535 JSONPath, compiled once, and only what can be found in one walk.

A path is refused where the time that it takes could grow faster than what it looks through.
Source: RFC 9535; design, "Their own format in".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from jsonpath import JSONPathEnvironment
from jsonpath.exceptions import JSONPathError
from jsonpath.filter import BaseExpression, FilterQuery, FunctionExtension
from jsonpath.path import JSONPath
from jsonpath.segments import JSONPathRecursiveDescentSegment, JSONPathSegment
from jsonpath.selectors import Filter, IndexSelector, NameSelector, SliceSelector, WildcardSelector

from crivo.kernel.linguagem.dobra import composed

Passos = tuple[str | int, ...]

ITEM: Final = "$item"
LONGEST: Final = 500
TEXTO: Final = "#text"
"""The name under which an element of XML has its text, where it has anything beside it."""
MOST_NODES: Final = 2_000
"""Of what a path finds, no more than this is looked at."""
_MOST_STEPS: Final = 32
_PLAIN_NAME: Final = re.compile(r"[^\W\d]\w*", re.ASCII)
_POSITION: Final = re.compile(r"\[\d+\]")
_ENVIRONMENT: Final = JSONPathEnvironment(strict=True)
_KNOWN: Final = (
    ("unexpected end", "o caminho acaba antes da hora: há um colchete ou aspas que não fecham"),
    ("TOKEN_ROOT", "o caminho deve começar com `$`, que é o documento inteiro"),
)


class CaminhoRecusado(ValueError):
    """A text that is no path that can be used; `posicao` counts characters from 1."""

    def __init__(self, mensagem: str, posicao: int) -> None:
        super().__init__(mensagem)
        self.mensagem = mensagem
        self.posicao = posicao


class Achado(NamedTuple):
    """A value that a path found, and the steps to it from the root of the document."""

    passos: Passos
    valor: Any


@dataclass(frozen=True, slots=True)
class Rota:
    """A compiled path. `do_item` says that it starts at an item and not at the document; `texto` is as it was written.

    `unica`: it can find one value at most, and its steps are `direto`.
    """

    texto: str
    do_item: bool
    unica: bool
    direto: Passos
    query: JSONPath

    def find(self, raiz: Any, antes: Passos = ()) -> list[Achado]:
        """What the path finds from a node, at most 2,000 values; `antes` are the steps to that node."""
        if self.unica:
            return _walk(raiz, self.direto, antes)
        found: list[Achado] = []
        for match in self.query.finditer(raiz):
            found.append(Achado((*antes, *[parte for parte in match.parts if isinstance(parte, (str, int))]), match.obj))
            if len(found) >= MOST_NODES:
                break
        return found


def whole_names(valor: Any) -> Any:
    """A document with the letters of its names whole, where they came as letter and accent apart, as some systems write them.

    Names that would then be the same twice stay as they came.
    """
    if isinstance(valor, list):
        return [whole_names(um) for um in valor]
    if not isinstance(valor, dict):
        return valor
    nomes = [composed(nome) for nome in valor]
    if len(set(nomes)) < len(nomes):
        nomes = list(valor)
    return {nome: whole_names(um) for nome, um in zip(nomes, valor.values(), strict=True)}


def compile_rota(texto: str, *, do_item: bool = False) -> Rota:
    """The path that a text writes; with `do_item` it may start with `$item`. Raises `CaminhoRecusado`, with the place of the fault."""
    texto = composed(texto)
    if len(texto) > LONGEST:
        raise CaminhoRecusado(f"o caminho passa de {LONGEST} caracteres", LONGEST + 1)
    from_item = texto == ITEM or texto.startswith((f"{ITEM}.", f"{ITEM}["))
    if from_item and not do_item:
        raise CaminhoRecusado("`$item` só existe onde o documento diz `itens`", 1)
    written = f"${texto[len(ITEM) :]}" if from_item else texto
    shift = len(ITEM) - 1 if from_item else 0
    try:
        query = _ENVIRONMENT.compile(written)
    except JSONPathError as error:
        raise _refused(error, written, shift) from None
    except (RecursionError, ValueError, OverflowError):
        raise CaminhoRecusado("o caminho não pôde ser lido", 1 + shift) from None
    if not isinstance(query, JSONPath):  # several joined by operators, which the RFC does not have
        raise CaminhoRecusado("escreva um caminho só", 1 + shift)
    _check(query.segments, shift)
    unica = query.singular_query()
    return Rota(texto, from_item, unica, _steps(query.segments) if unica else (), query)


@dataclass(frozen=True, slots=True)
class Ramo:
    """How a path from the root stands to the items of `itens`.

    Its first `passos` steps are those to the item, and `resto` goes on from there; without any, `resto` is the path as it was.
    `escolhe`: it names one of several places that items stand in by itself, by position, name or filter, and is taken at its word.
    """

    passos: int
    resto: Rota
    escolhe: bool


def branch_of(rota: Rota, itens: Rota) -> Ramo:
    """How a path from the root stands to the items: as far as both are written alike, it means what the item itself stands in."""
    ours, theirs = rota.query.segments, itens.query.segments
    alike = 0
    for one, other in zip(ours, theirs, strict=False):
        if str(one) != str(other) or isinstance(one, JSONPathRecursiveDescentSegment):
            break
        alike += 1
    shared = max([at + 1 for at in range(alike) if not _is_single(theirs[at])], default=0)
    if any("$" in str(segment) for segment in ours[shared:] if isinstance(segment.selectors[0], Filter)):
        shared = 0  # a filter that looks at the whole document must start at its root
    resto = _after(rota, shared) if shared else rota
    if alike >= min(len(ours), len(theirs)):
        return Ramo(shared, resto, escolhe=False)
    at, fork = ours[alike], theirs[alike]
    among_many = not _is_single(fork) and not isinstance(fork, JSONPathRecursiveDescentSegment)
    takes_all = isinstance(at, JSONPathRecursiveDescentSegment) or isinstance(at.selectors[0], SliceSelector | WildcardSelector)
    return Ramo(shared, resto, escolhe=among_many and not takes_all and len(at.selectors) == 1)


def forks_of(itens: Rota, passos: Passos) -> frozenset[int]:
    """Which of the steps to an item chose among several: where a value's own steps leave there, it stands in another's branch."""
    segments = itens.query.segments
    descent = next((at for at, one in enumerate(segments) if isinstance(one, JSONPathRecursiveDescentSegment)), len(segments))
    chosen = {at for at in range(min(descent, len(passos))) if not _is_single(segments[at])}
    return frozenset(chosen | {at for at in range(descent, len(passos)) if isinstance(passos[at], int)})


def leaves_branch(passos: Passos, item: Passos, forks: frozenset[int]) -> int | None:
    """How many steps lead out of the branch of an item, None where a value stands in it or beside all of them."""
    for at, (one, other) in enumerate(zip(passos, item, strict=False)):
        if one != other:
            return at + 1 if at in forks else None
    return None


def written(passos: Sequence[str | int]) -> str:
    """The path of one value as people write it: `$.claim.services[0].qty`, and names of other characters between quotes."""
    return "$" + "".join([_written(passo) for passo in passos])


def pieces(rota: Rota) -> tuple[str, ...]:
    """Each step of a path as people write it, which joined are the path again."""
    return tuple([_piece(segment) for segment in rota.query.segments])


def any_position(caminho: str) -> str:
    """A written path with any position in the place of each: `$.a[0].b` is `$.a[*].b`."""
    return _POSITION.sub("[*]", caminho)


def lists_on_the_way(rota: Rota, raiz: Any) -> Any:
    """The document with a list of one wherever the path looks into a list and a single value stands, as XML leaves what came once."""
    return _listed(raiz, rota.query.segments)


def in_the_way(rota: Rota, raiz: Any, antes: Passos = ()) -> Achado | None:
    """The list of several in which a path looks for a name, as where what came alone comes in a list; None where none is in its way."""
    node, at = raiz, list(antes)
    for segment in rota.query.segments:
        if not _is_single(segment) or isinstance(segment, JSONPathRecursiveDescentSegment):
            return None
        passo = _step(segment.selectors[0])
        if isinstance(node, list) and isinstance(passo, str):
            return Achado(tuple(at), node)
        inner = _walk(node, (passo,), ())
        if not inner:
            return None
        at, node = [*at, *inner[0].passos], inner[0].valor
    return None


def holders(rota: Rota) -> tuple[Rota, ...]:
    """The places that must hold something for a path to find anything, from the nearest: what it looks into, and what holds that."""
    segments = rota.query.segments
    found: list[Rota] = []
    for size in range(len(segments) - 1, 0, -1):
        query = JSONPath(env=_ENVIRONMENT, segments=segments[:size])
        unica = query.singular_query()
        texto = ("$item" if rota.do_item else "$") + "".join(map(_piece, segments[:size]))
        found.append(Rota(texto, rota.do_item, unica, _steps(segments[:size]) if unica else (), query))
    return tuple(found)


def leaves(value: Any, antes: Passos = ()) -> Iterator[Achado]:
    """Every value of a document that holds no others, in its order; empty lists and objects too."""
    if isinstance(value, dict) and value:
        for nome, inner in value.items():
            yield from leaves(inner, (*antes, nome))
    elif isinstance(value, list) and value:
        for posicao, inner in enumerate(value):
            yield from leaves(inner, (*antes, posicao))
    else:
        yield Achado(antes, value)


def _walk(node: Any, passos: Passos, antes: Passos) -> list[Achado]:
    at: list[str | int] = []
    for passo in passos:
        if isinstance(passo, str):
            if type(node) is not dict or passo not in node:
                return []
            at.append(passo)
        else:
            if type(node) is not list or not -len(node) <= passo < len(node):
                return []
            at.append(passo + len(node) if passo < 0 else passo)
        node = node[passo]
    return [Achado((*antes, *at), node)]


def _piece(segment: JSONPathSegment) -> str:
    selector = segment.selectors[0]
    if isinstance(segment, JSONPathRecursiveDescentSegment) or len(segment.selectors) > 1:
        return str(segment)
    if isinstance(selector, NameSelector | IndexSelector):
        return _written(_step(selector))
    return "[*]" if isinstance(selector, WildcardSelector) else str(segment)


def _after(rota: Rota, size: int) -> Rota:
    """What is left of a path after its first segments, from the node that they lead to."""
    segments = rota.query.segments[size:]
    query = JSONPath(env=_ENVIRONMENT, segments=segments)
    unica = query.singular_query()
    return Rota("$" + "".join(map(_piece, segments)), False, unica, _steps(segments) if unica else (), query)


def _is_single(segment: JSONPathSegment) -> bool:
    return len(segment.selectors) == 1 and isinstance(segment.selectors[0], NameSelector | IndexSelector)


def _steps(segments: Sequence[JSONPathSegment]) -> Passos:
    return tuple([_step(segment.selectors[0]) for segment in segments])


def _step(selector: object) -> str | int:
    if isinstance(selector, NameSelector):
        return selector.name
    if isinstance(selector, IndexSelector):
        return selector.index
    raise TypeError(f"no step of a singular query: {type(selector)}")


def _refused(error: JSONPathError, written: str, shift: int) -> CaminhoRecusado:
    index = error.token.index if error.token is not None else 0
    posicao = (len(written) if index < 0 else index) + 1 + shift
    said = str(error.args[0]) if error.args else ""
    mensagem = next((palavras for trecho, palavras in _KNOWN if trecho in said), "")
    if not mensagem:
        at = written[index : index + 12]
        mensagem = f"não entendo o caminho a partir de `{at}`" if at else "o caminho acaba antes da hora"
    return CaminhoRecusado(mensagem, posicao)


def _check(segments: Sequence[JSONPathSegment], shift: int) -> None:
    """Refuse what could take more than one walk through the document. Raises CaminhoRecusado."""
    if len(segments) > _MOST_STEPS:
        raise CaminhoRecusado(f"o caminho tem mais de {_MOST_STEPS} passos", segments[_MOST_STEPS].token.index + 1 + shift)
    descents = [segment for segment in segments if isinstance(segment, JSONPathRecursiveDescentSegment)]
    if len(descents) > 1:
        raise CaminhoRecusado("use `..` uma vez só", descents[1].token.index + 1 + shift)
    for segment in segments:
        selectors = segment.selectors
        names = [selector.name for selector in selectors if isinstance(selector, NameSelector)]
        if len(selectors) > 1 and len(set(names)) != len(selectors):
            raise CaminhoRecusado("dentro de um colchete, escolha entre nomes diferentes e nada mais", segment.token.index + 1 + shift)
        for selector in selectors:
            if isinstance(selector, Filter):
                _check_filter(selector.expression, segment.token.index + 1 + shift)


def _check_filter(expression: BaseExpression, posicao: int) -> None:
    if isinstance(expression, FunctionExtension) and expression.name in ("match", "search"):
        raise CaminhoRecusado(f"`{expression.name}` não é aceito num filtro; compare com `==`", posicao)
    if isinstance(expression, FilterQuery) and not expression.path.singular_query():
        raise CaminhoRecusado("dentro de um filtro, o caminho deve ser só de nomes e posições", posicao)
    for inner in expression.children():
        _check_filter(inner, posicao)


def _listed(node: Any, segments: Sequence[JSONPathSegment]) -> Any:
    if not segments or node is None:
        return node
    segment, rest = segments[0], segments[1:]
    if isinstance(segment, JSONPathRecursiveDescentSegment):
        return node
    selector = segment.selectors[0]
    if isinstance(selector, NameSelector):
        names = [one.name for one in segment.selectors if isinstance(one, NameSelector)]
        if isinstance(node, str) and TEXTO in names:
            return {TEXTO: node}
        if isinstance(node, dict):
            return {nome: _listed(inner, rest) if nome in names else inner for nome, inner in node.items()}
        return node
    among = node if isinstance(node, list) else [node]
    return [_listed(inner, rest) for inner in among]


def _written(passo: str | int) -> str:
    if isinstance(passo, int):
        return f"[{passo}]"
    if _PLAIN_NAME.fullmatch(passo):
        return f".{passo}"
    quoted = passo.replace("\\", "\\\\").replace("'", "\\'")
    return f"['{quoted}']"
