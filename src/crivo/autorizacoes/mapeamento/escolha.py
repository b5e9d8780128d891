"""Which of several in a list a value is: by what tells its entry from the others (`[?@.system == 'TUSS']`), or by its place alone.

A position says nothing of what stands there: the next pedido may list the same things in another order, or one of them less. So an entry
is chosen by what it says of itself, wherever one of its fields tells it apart. Source: design, "Their own format in"; RFC 9535, filters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeGuard

from crivo.autorizacoes.campos import fold_field
from crivo.autorizacoes.mapeamento.caminhos import Passos, any_position, compile_rota, pieces, written
from crivo.autorizacoes.mapeamento.padroes import pattern_of

_SISTEMAS: Final = frozenset(
    {"system", "sistema", "code_system", "coding_system", "scheme", "terminology", "terminologia", "namespace", "domain", "dominio"}
)
"""Names that say of which vocabulary a code is: entries that differ in these are ways to write one thing."""
_TIPOS: Final = (
    *("type", "tipo", "tp", "kind", "use", "uso", "qualifier", "qualificador", "role", "papel", "category", "categoria", "classe", "class"),
    *("relationship", "parentesco"),
)
_NOMES: Final = ("name", "nome", "key", "chave", "code", "codigo", "cod", "field", "campo", "attribute", "atributo", "label", "rotulo")
"""Names that tell an entry apart where what was pointed at is its value (`{"nome": "carteira", "valor": "000123"}`)."""
_VALOR: Final = frozenset({"value", "valor", "content", "conteudo", "text", "texto", "val", "vl", "resposta", "answer"})
_QUANTIDADES: Final = frozenset({"quantity", "quantidade", "qty", "qtd", "qtde", "qt", "units", "unidades", "amount_requested", "sessions"})
_MOST_ENTRIES: Final = 30
"""Nobody says one thing in more ways: a longer list is of things, and is not looked through for each value in it."""
_MOST_FIELDS: Final = 16
_LONGEST: Final = 120
_MOST_DIGITS: Final = 3
_SAYS: Final = re.compile(r"\[\?@(?P<onde>(?:\.\w+|\['(?:[^'\\]|\\.)*'\]|\[\d+\])+) == '(?P<que>(?:[^'\\]|\\.)*)'\]")
_FILTER: Final = re.compile(r"\[\?@(?:[^'\[\]]|\['(?:[^'\\]|\\.)*'\]|\[\d+\]|'(?:[^'\\]|\\.)*')*\]")
_NAME: Final = re.compile(r"\.(\w+)|\['((?:[^'\\]|\\.)*)'\]")
_QUOTED: Final = re.compile(r"\['((?:[^'\\]|\\.)*)'\]")
_ESCAPED: Final = re.compile(r"\\(.)")
_RUN: Final = re.compile(r"\d{4}")
_AT: Final = re.compile(r"\[\d+\]")


def filter_at(passos: Passos, at: int, raiz: Any) -> str | None:
    """The step that chooses the entry of a list that a value stands in by what tells it apart, in the place of its position `at`.

    None where nothing does, or where the entries are things of their own (each with its quantity, or with lists inside).
    """
    lista = at_of(raiz, passos[:at])
    if not isinstance(lista, list) or not isinstance(passos[at], int) or len(lista) > _MOST_ENTRIES:
        return None
    if not all(isinstance(um, dict) for um in lista):
        return None
    entrada, dentro = at_of(raiz, passos[: at + 1]), passos[at + 1 :]
    if not dentro:
        return None
    for onde in _telling(entrada, dentro):
        dito = _found(entrada, onde)
        if _is_word(dito) and sum(_found(um, onde) == dito for um in lista) == 1 and not any(_is_a_thing(um) for um in lista):
            quoted = dito.replace("\\", "\\\\").replace("'", "\\'")
            return f"[?@{written(onde)[1:]} == '{quoted}']"
    return None


def chosen(passos: Passos, raiz: Any, start: int = 0) -> str:
    """The steps to a value from the one numbered `start`, written, each entry of a list chosen by what tells it apart where it can be."""
    found = []
    for at in range(start, len(passos)):
        passo = passos[at]
        by = filter_at(passos, at, raiz) if isinstance(passo, int) else None
        found.append(written((passo,))[1:] if by is None else by)
    return "".join(found)


def place_of(passos: Passos, raiz: Any) -> str:
    """The place of a value: any position of a list, but entries that are told apart each by what tells them."""
    found = []
    for at, passo in enumerate(passos):
        by = filter_at(passos, at, raiz) if isinstance(passo, int) else None
        found.append("[*]" if isinstance(passo, int) and by is None else by or written((passo,))[1:])
    return "$" + "".join(found)


def names_vocabulary(filtro: str) -> bool:
    """Whether a step chooses by the vocabulary that a code is of: `[?@.system == 'TUSS']`."""
    found = _SAYS.fullmatch(filtro)
    return found is not None and any(fold_field(plain or quoted) in _SISTEMAS for plain, quoted in _NAME.findall(found["onde"]))


def any_entry(caminho: str) -> str:
    """A written path with any entry in the place of each that is chosen, by position or by what it says."""
    return any_position(_FILTER.sub("[*]", caminho))


def entry_alike(um: str, outro: str) -> bool:
    """Whether two steps go into the same: the same name, or both into a list, whatever entry they choose."""
    return any_entry(um) == any_entry(outro)


def plainly(passo: str) -> str:
    """A step with the names in its filter as people write them: `[?@.system == 'TUSS']` of `[?@['system'] == 'TUSS']`."""
    found = _SAYS.fullmatch(passo)
    if found is None:
        return passo
    onde = _QUOTED.sub(lambda um: written((_ESCAPED.sub(lambda one: one[1], um[1]),))[1:], found["onde"])
    return f"[?@{onde} == '{found['que']}']"


def as_lists(raiz: Any) -> Any:
    """A document of XML with a list wherever an element is one of several elsewhere, or its parent is named as several of it.

    So what came once is pointed at as what it is: one of a list.
    """
    return _listed(raiz, (), _several(raiz, (), set()))


def _several(node: Any, onde: tuple[str, ...], found: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
    if isinstance(node, list):
        found.add(onde)
        for um in node:
            _several(um, onde, found)
    elif isinstance(node, dict):
        inner = [nome for nome in node if not nome.startswith(("@", "#"))]
        if len(inner) == 1 and onde and _is_plural(onde[-1], inner[0]):
            found.add((*onde, inner[0]))
        for nome, um in node.items():
            _several(um, (*onde, nome), found)
    return found


def _is_plural(several: str, one: str) -> bool:
    several, one = several.casefold(), one.casefold()
    return several != one and several.startswith(one[: max(2, len(one) - 2)]) and several.endswith("s")


def _listed(node: Any, onde: tuple[str, ...], found: set[tuple[str, ...]]) -> Any:
    if isinstance(node, list):
        return [_listed(um, onde, found) for um in node]
    if not isinstance(node, dict):
        return node
    made = {nome: _listed(um, (*onde, nome), found) for nome, um in node.items()}
    return {nome: [um] if (*onde, nome) in found and not isinstance(um, list) and um is not None else um for nome, um in made.items()}


def choices_in(caminho: str) -> Iterator[str]:
    """What a written path chooses by what it says, in words: `de system “TUSS”`."""
    for um in _SAYS.finditer(caminho):
        nome = next(plain or quoted for plain, quoted in _NAME.findall(um["onde"]))
        yield f"o que tem {nome} “{_ESCAPED.sub(lambda one: one[1], um['que'])}”"


def positions_in(caminho: str) -> tuple[int, ...]:
    """The places in lists, counted from 1, that a written path chooses by position alone."""
    return tuple([int(um[0][1:-1]) + 1 for um in _AT.finditer(_FILTER.sub("", caminho))])


def by_position(caminho: str, passos: Passos) -> str:
    """A path with the position of each entry in the place of what chose it; `passos` are those to the value that it finds."""
    steps = pieces(compile_rota(caminho, do_item=True))
    if any(um.startswith("..") for um in steps):  # which of its steps lead where is not said
        return caminho
    tail = passos[len(passos) - len(steps) :]
    start = "$item" if caminho.startswith("$item") else "$"
    return start + "".join(
        [written((passo,))[1:] if _FILTER.fullmatch(um) else um for um, passo in zip(steps, tail, strict=True)],
    )


def at_of(raiz: Any, passos: Sequence[str | int]) -> Any:
    """What stands at the end of some steps."""
    for passo in passos:
        raiz = raiz[passo]
    return raiz


def _telling(entrada: Mapping[str, Any], dentro: Passos) -> Iterator[Passos]:
    """The places in an entry that may tell it apart, the likeliest first; never the one that was pointed at."""
    names = [nome for nome in entrada if nome != dentro[0]]
    folded = {nome: fold_field(nome) for nome in names}
    yield from [(nome,) for nome in names if folded[nome] in _SISTEMAS]
    for tipo in _TIPOS:
        for nome in names:
            if folded[nome] == tipo or folded[nome].endswith(f"_{tipo}"):
                yield (nome,)
                yield (nome, "coding", 0, "code")
                yield (nome, "code")
                yield (nome, "text")
    if fold_field(str(dentro[-1])) in _VALOR:
        yield from [(nome,) for one in _NOMES for nome in names if folded[nome] == one and not _RUN.search(str(entrada[nome]))]


def _found(entrada: Any, onde: Passos) -> Any:
    """What an entry has at a place in it, None where nothing."""
    for passo in onde:
        if isinstance(passo, int):
            if not isinstance(entrada, list) or passo >= len(entrada):
                return None
        elif not isinstance(entrada, dict) or passo not in entrada:
            return None
        entrada = entrada[passo]
    return entrada


def _is_word(dito: Any) -> TypeGuard[str]:
    """Whether it may stand in a mapping: short, neither a date nor a long number, which may be somebody's."""
    return isinstance(dito, str) and 0 < len(dito) <= _LONGEST and _may_stand(dito)


def _may_stand(dito: str) -> bool:
    is_name = any(um.isalpha() for um in dito) or sum(um.isdigit() for um in dito) <= _MOST_DIGITS
    return dito.isprintable() and dito == dito.strip() and is_name and pattern_of(dito) is None


def _is_a_thing(entrada: Mapping[str, Any]) -> bool:
    """Whether an entry is a thing of its own: asked for so many times, or with a list of others in it."""
    if len(entrada) > _MOST_FIELDS or any(fold_field(nome) in _QUANTIDADES for nome in entrada):
        return True
    return any(isinstance(um, list) and any(isinstance(one, dict) for one in um) for um in entrada.values())
