"""Where a field probably is: by what it is called and by what kind of value stands there. Sure only where both say it, and of one place.

Source: design, "Their own format in"; PRD RF1, "múltiplos campos equivalentes".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

from crivo.autorizacoes.campos import base_table, complement_table, fold_field
from crivo.autorizacoes.etapas.valores import read_boolean, read_dias, read_idade, read_number, read_reais
from crivo.autorizacoes.mapeamento.caminhos import Achado, Passos, any_position, leaves
from crivo.autorizacoes.mapeamento.documento import DATAS, DOCUMENTOS, HISTORICO, MAPEAVEIS, fold_word, places_of
from crivo.autorizacoes.mapeamento.montagem import Montagem, Palpite, generalised, ligar
from crivo.autorizacoes.mapeamento.padroes import pattern_of
from crivo.kernel.linguagem.lexico import read_lexico

CODIGO: Final = "codigo"
MOST_LOOKED_AT: Final = 2_000
_TUSS: Final = re.compile(r"\d\.?\d{2}\.?\d{2}\.?\d{2}-?\d", re.ASCII)
_TOKEN: Final = re.compile(r"(?=.*\d)\S{1,40}", re.ASCII)
_MOST_UNITS: Final = 10_000


def propose(montagem: Montagem, raiz: Any) -> tuple[Palpite, ...]:
    """What code takes the fields for that are read from nowhere yet, by the place where each first stands; those it is sure of first."""
    faltam = missing(montagem)
    lugares = places(raiz)
    usados = {_whole(de, montagem.documento.itens) for campo in montagem.documento.campos.values() for de in places_of(campo)}
    livres = [um for um in lugares if generalised(um.passos) not in usados]
    found: list[Palpite] = []
    taken: set[str] = set()
    for destino in faltam:
        can = _KINDS.get(destino, _anything)
        by_table = [um for um in livres if destino in _named(um.passos) and can(um.valor)]
        by_name = [um for um in livres if destino in _called(um.passos) and can(um.valor)]
        by_kind = [um for um in livres if destino == "procedimento.codigo" and isinstance(um.valor, str) and _TUSS.fullmatch(um.valor)]
        both = [um for um in by_name if um in by_kind]
        candidates = by_table or both or by_kind or by_name
        if not candidates or (lugar := generalised(candidates[0].passos)) in taken:
            continue
        taken.add(lugar)
        certo = len(candidates) == 1 and candidates in (by_table, both)
        found.append(Palpite(destino, lugar, CODIGO, certo))
    return tuple(sorted(found, key=lambda um: not um.certo))


def settle(montagem: Montagem, palpites: Sequence[Palpite], raiz: Any) -> Montagem:
    """The state with what is sure read, each field by its author, and the rest kept as guesses for a person; one guess a field."""
    for um in palpites:
        if um.certo and um.destino not in montagem.documento.campos and (passos := find_place(raiz, um.caminho)) is not None:
            montagem = ligar(montagem, um.destino, passos, raiz, um.autor)
    left = {um.destino: um for um in (*palpites, *montagem.palpites) if um.destino in missing(montagem)}
    return Montagem(montagem.documento, montagem.autores, montagem.nao_vem, tuple(left.values()))


def missing(montagem: Montagem) -> tuple[str, ...]:
    """The fields that are read from nowhere, and that nobody said do not come. Age by the day of birth counts as both."""
    known = {*montagem.documento.campos, *montagem.nao_vem, HISTORICO}
    if known & {"beneficiario.idade", "beneficiario.data_nascimento"}:
        known |= {"beneficiario.idade", "beneficiario.data_nascimento"}
    return tuple([destino for destino in MAPEAVEIS if destino not in known])


def places(raiz: Any) -> tuple[Achado, ...]:
    """The first value of each place, lists walked through as one place; at most 2,000 values are looked at."""
    found: dict[str, Achado] = {}
    for at, leaf in enumerate(leaves(raiz)):
        if at >= MOST_LOOKED_AT:
            break
        if leaf.passos and leaf.valor not in (None, "", [], {}):
            found.setdefault(generalised(leaf.passos), leaf)
    return tuple(found.values())


def find_place(raiz: Any, caminho: str) -> Passos | None:
    """The steps to the first value of a place, None where the document has no such place."""
    return next((um.passos for um in places(raiz) if generalised(um.passos) == caminho), None)


def _whole(de: str, itens: str | None) -> str:
    """A path from the document's root with every position as any, so that places compare."""
    if itens is not None and de.startswith("$item"):
        de = f"{itens}{de.removeprefix('$item')}"
    return any_position(de)


def _named(passos: Passos) -> set[str]:
    """The destinations that the table of equivalent names has for a place: by its name and the one before, or its name alone."""
    nomes = [fold_field(um) for um in passos if isinstance(um, str)]
    if not nomes:
        return set()
    ditos = {nomes[-1], ".".join(nomes[-2:])}
    found = {destino for um in ditos if (destino := _table().get(um)) is not None}
    return found | {um for um in ditos if um in MAPEAVEIS}


def _called(passos: Passos) -> Iterator[str]:
    nomes = [fold_field(um) for um in passos if isinstance(um, str)]
    if not nomes:
        return
    said = {nomes[-1], "_".join(nomes[-2:])} | ({nomes[-2]} if len(nomes) > 1 and nomes[-1] in ("name", "code", "id", "value") else set())
    for destino, known in _de_fora().items():
        if said & set(known):
            yield destino


@cache
def _table() -> Mapping[str, str]:
    return {**complement_table(), **base_table()}


@cache
def _de_fora() -> Mapping[str, list[str]]:
    return read_lexico("crivo.autorizacoes.mapeamento", "nomes_de_fora", dict[str, list[str]])


def _anything(_: Any) -> bool:
    return True


def _id(valor: Any) -> bool:
    return not isinstance(valor, bool) and _TOKEN.fullmatch(str(valor).strip()) is not None


def _short(valor: Any) -> bool:
    return isinstance(valor, str) and 0 < len(valor.split()) <= 4 and pattern_of(valor) is None


def _date(valor: Any) -> bool:
    return pattern_of(valor) is not None


def _units(valor: Any) -> bool:
    number = read_number(valor)
    return number is not None and 0 < number < _MOST_UNITS


_KINDS: Final[Mapping[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(DATAS, _date),
    "pedido_id": _id,
    "beneficiario.id": _id,
    "plano_id": lambda um: _id(um) or _short(um),
    "urgencia": lambda um: read_boolean(um) is not None or _short(um),
    DOCUMENTOS: lambda um: isinstance(um, str) and pattern_of(um) is None and "/" not in um and fold_word(um) != "",
    "beneficiario.idade": lambda um: _date(um) or (not _date(um) and read_idade(um) is not None),
    "beneficiario.carencia_cumprida_dias": lambda um: _date(um) or read_number(um) is not None or read_dias(um) is not None,
    "beneficiario.preexistencias": lambda um: not _date(um),
    "beneficiario.sexo": _short,
    "procedimento.codigo": _id,
    "procedimento.descricao": lambda um: isinstance(um, str) and not _TUSS.fullmatch(um),
    "procedimento.quantidade": _units,
    "procedimento.tabela": lambda um: len(str(um)) <= 12,
    "procedimento.valor": lambda um: read_reais(um) is not None,
    "solicitante.tipo": _short,
    "prestador.tipo": lambda um: _short(um) or isinstance(um, bool),
}
