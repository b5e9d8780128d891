"""Where a field probably is: by what it is called and by what kind of value stands there. Sure only where both say it, and of one place.

Source: design, "Their own format in"; PRD RF1, "múltiplos campos equivalentes".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec

from crivo.autorizacoes.campos import base_table, complement_table, fold_field
from crivo.autorizacoes.etapas.valores import read_boolean, read_dias, read_idade, read_number, read_reais
from crivo.autorizacoes.mapeamento.caminhos import Achado, Passos, compile_rota, leaves, pieces, written
from crivo.autorizacoes.mapeamento.documento import DATAS, DOCUMENTOS, HISTORICO, MAPEAVEIS, QUALQUER, fold_word, places_of
from crivo.autorizacoes.mapeamento.escolha import any_entry, at_of, place_of
from crivo.autorizacoes.mapeamento.montagem import CODIGO_DO_PROCEDIMENTO, LISTAS, Montagem, Palpite, generalised, item_list_of, ligar
from crivo.autorizacoes.mapeamento.padroes import pattern_of
from crivo.kernel.linguagem.lexico import read_lexico

CODIGO: Final = "codigo"
NECESSARIOS: Final = ("pedido_id", "plano_id", "beneficiario.id", "procedimento.codigo", "procedimento.quantidade")
"""Without these no pedido is evaluated."""
MOST_LOOKED_AT: Final = 2_000
_TUSS: Final = re.compile(r"\d\.?\d{2}\.?\d{2}\.?\d{2}-?\d", re.ASCII)
_CID: Final = re.compile(r"[A-Z]\d\d(?:\.?\w{1,4})?", re.ASCII)
"""A code of the ICD, which is a diagnosis."""
_DIAGNOSTICO: Final = frozenset(
    {"icd", "cid", "cids", "snomed", "diagnosis", "diagnostico", "diagnose", "reason", "loinc", "justificativa"}
)
_DE_OUTRO: Final = frozenset(
    {"nasc", "nascimento", "birth", "dob", "adesao", "ades", "dt", "data", "date", "emissao", "since", "cart", "carteira", "cartao", "card"}
    | {
        "matricula",
        "matr",
        "member",
        "cnes",
        "npi",
        "cpf",
        "cnpj",
        "crm",
        "tel",
        "telefone",
        "phone",
        "cep",
        "zip",
        "guia",
        "senha",
        "numero",
    }
)
"""Names of what may be eight figures long too: days, people, houses."""
_DE_DIAGNOSTICO: Final = re.compile(r"(?:icd|cid)\d|diagnos|snomed|reasoncode")
_TOKEN: Final = re.compile(r"(?=.*\d)\S{1,40}", re.ASCII)
_QUEM: Final = "beneficiario.id"
_MOST_UNITS: Final = 10_000


def propose(montagem: Montagem, raiz: Any) -> tuple[Palpite, ...]:
    """What code takes the fields for that are read from nowhere yet, by the place where each first stands; those it is sure of first."""
    faltam = missing(montagem)
    usados = {_whole(de, montagem.documento.itens) for campo in montagem.documento.campos.values() for de in places_of(campo)}
    livres = [Lugar(place_of(um.passos, raiz), um, _of_what(um.passos, raiz)) for um in entries(raiz)]
    livres = [um for um in livres if any_entry(um.caminho) not in usados]
    found: list[Palpite] = []
    taken: set[str] = set()
    itens = montagem.documento.itens
    for destino in sorted(faltam, key=lambda um: um != CODIGO_DO_PROCEDIMENTO):  # where it stands says what holds one pedido an element
        candidates, certo = _candidates(destino, livres, itens)
        if not candidates or (lugar := candidates[0].caminho) in taken:
            continue
        taken.add(lugar)
        found.append(Palpite(destino, lugar, CODIGO, certo))
        if destino == CODIGO_DO_PROCEDIMENTO and itens is None:
            itens = item_list_of(candidates[0].achado.passos, raiz)
    return tuple(sorted(found, key=lambda um: not um.certo))


class Lugar(NamedTuple):
    """A place in a document, what first stands there, and the words about it: its names and what its entry says of itself."""

    caminho: str
    achado: Achado
    sobre: frozenset[str]


def _candidates(destino: str, livres: Sequence[Lugar], itens: str | None) -> tuple[Sequence[Lugar], bool]:
    """The places that a field may be read from, the likeliest first, and whether name and value both say it of the one."""
    can = _KINDS.get(destino, _anything)
    livres = [um for um in livres if can(um.achado.valor) and _may_be(destino, um, itens)]
    by_table = [um for um in livres if destino in _named(um.achado.passos)]
    by_name = [um for um in livres if destino in _called(um.achado.passos) or (destino == _QUEM and _is_card(um))]
    by_kind = [um for um in livres if destino == CODIGO_DO_PROCEDIMENTO and _is_tuss(um.achado.valor) and not um.sobre & _DE_OUTRO]
    both = [um for um in by_name if um in by_kind]
    candidates = sorted(by_table or both or by_kind or by_name, key=lambda um: _loose(um.caminho, itens))
    if destino == CODIGO_DO_PROCEDIMENTO and by_kind:  # eight figures say more than a name that other codes have too
        candidates = [um for um in candidates if um in by_kind] or both or by_kind
    makes_its_own = destino in LISTAS or (destino == CODIGO_DO_PROCEDIMENTO and itens is None)
    certo = len(candidates) == 1 and candidates in (by_table, both) and (makes_its_own or not _loose(candidates[0].caminho, itens))
    return candidates, certo


def _loose(caminho: str, itens: str | None) -> int:
    """How many lists a place is in from which a position alone would choose, beside those that hold the pedidos."""
    together = 0
    if itens is not None:
        steps, theirs = pieces(compile_rota(caminho)), pieces(compile_rota(itens))
        while together < min(len(steps), len(theirs)) and steps[together] == theirs[together]:
            together += 1
        return steps[together:].count("[*]")
    return max(0, caminho.count("[*]") - 1)


def _is_card(um: Lugar) -> bool:
    """Whether an entry that is told apart says of itself that its value is a card's number: `{"system": "urn:card", "value": "0001"}`."""
    return "[?" in um.caminho and not um.sobre.isdisjoint(_de_fora()[_QUEM])


def _may_be(destino: str, um: Lugar, itens: str | None) -> bool:
    if destino.startswith("procedimento.") and itens is not None and destino != CODIGO_DO_PROCEDIMENTO:
        return any_entry(um.caminho).startswith(itens) and not _loose(um.caminho, itens)
    if destino.startswith("procedimento."):
        return not um.sobre & _DIAGNOSTICO and not any(_DE_DIAGNOSTICO.match(palavra) for palavra in um.sobre)
    if destino == "pedido_id" and itens is not None and itens.count("[*]") > 1:
        # Each of the outer list has a number of its own; what stands above all of them is that of the delivery.
        return any_entry(um.caminho).startswith(itens[: itens.index("[*]") + 3])
    return True


def settle(montagem: Montagem, palpites: Sequence[Palpite], raiz: Any) -> Montagem:
    """The state with what is sure read, each field by its author, and the rest kept as guesses for a person; one guess a field."""
    for um in in_order(palpites):
        if um.certo and um.destino not in montagem.documento.campos and (passos := find_place(raiz, um.caminho, um.destino)) is not None:
            montagem = ligar(montagem, um.destino, passos, raiz, um.autor)
    left = {um.destino: um for um in (*palpites, *montagem.palpites) if um.destino in missing(montagem)}
    return msgspec.structs.replace(montagem, palpites=tuple(left.values()))


def recognise_by_columns(montagem: Montagem, raiz: Any) -> Montagem:
    """Know a table of theirs by the columns that its needed fields are read from, or probably are, whatever stands in them.

    A value would know the row that it is of and no other. Where something is said of it already, or no column is known, nothing changes.
    """
    m = montagem.documento
    if m.reconhecer or not isinstance(raiz, dict):
        return montagem
    ditos = {um.destino: um.caminho for um in montagem.palpites} | {destino: campo.de or "" for destino, campo in m.campos.items()}
    colunas = {written((nome,)) for nome, valor in raiz.items() if valor not in (None, "")}
    known = [um for destino in NECESSARIOS if (um := ditos.get(destino, "")) in colunas]
    return msgspec.structs.replace(montagem, documento=msgspec.structs.replace(m, reconhecer=dict.fromkeys(known, QUALQUER)))


def in_order(palpites: Sequence[Palpite]) -> list[Palpite]:
    """Guesses as they are taken: the code of the procedure first, which says what holds one pedido an element."""
    return sorted(palpites, key=lambda um: um.destino != CODIGO_DO_PROCEDIMENTO)


def missing(montagem: Montagem) -> tuple[str, ...]:
    """The fields that are read from nowhere, and that nobody said do not come. Age by the day of birth counts as both."""
    known = {*montagem.documento.campos, *montagem.nao_vem, HISTORICO}
    if known & {"beneficiario.idade", "beneficiario.data_nascimento"}:
        known |= {"beneficiario.idade", "beneficiario.data_nascimento"}
    return tuple([destino for destino in MAPEAVEIS if destino not in known])


def places(raiz: Any) -> tuple[Achado, ...]:
    """The first value of each place, lists walked through as one place; at most 2,000 values are looked at."""
    found: dict[str, Achado] = {}
    for leaf in _looked_at(raiz):
        found.setdefault(generalised(leaf.passos), leaf)
    return tuple(found.values())


def entries(raiz: Any) -> tuple[Achado, ...]:
    """As `places`, but what tells itself apart in its list (a code of TUSS beside one of another vocabulary) each a place of its own."""
    found: dict[str, Achado] = {}
    for leaf in _looked_at(raiz):
        found.setdefault(place_of(leaf.passos, raiz), leaf)
    return tuple(found.values())


def find_place(raiz: Any, caminho: str, destino: str = "") -> Passos | None:
    """The steps to the first value of a place, None where the document has no such place.

    Of several that stand in one, the first that a field can be read from.
    """
    can, livre = _KINDS.get(destino, _anything), Lugar("", Achado((), None), frozenset())
    there = [um for um in _looked_at(raiz) if generalised(um.passos) == any_entry(caminho)]
    alike = there if caminho == any_entry(caminho) else [um for um in there if place_of(um.passos, raiz) == caminho]
    fit = [um for um in alike if can(um.valor) and _may_be(destino, livre._replace(sobre=_of_what(um.passos, raiz)), None)]
    if destino == CODIGO_DO_PROCEDIMENTO:
        fit.sort(key=lambda um: not _is_tuss(um.valor))
    return next((um.passos for um in (*fit, *alike)), None)


def _looked_at(raiz: Any) -> Iterator[Achado]:
    for at, leaf in enumerate(leaves(raiz)):
        if at >= MOST_LOOKED_AT:
            return
        if leaf.passos and leaf.valor not in (None, "", [], {}):
            yield leaf


def _of_what(passos: Passos, raiz: Any) -> frozenset[str]:
    """The words about a value: the names on the way to it, and the short texts that stand beside it."""
    names = [part for um in passos if isinstance(um, str) for part in fold_field(um).split("_")]
    beside = at_of(raiz, passos[:-1])
    said = [um for nome, um in beside.items() if nome != passos[-1] and isinstance(um, str)] if isinstance(beside, dict) else []
    return frozenset([*names, *[part for um in said if len(um) <= 80 for part in fold_field(um).split("_")]])


def _is_tuss(valor: Any) -> bool:
    return isinstance(valor, str) and _TUSS.fullmatch(valor) is not None


def _whole(de: str, itens: str | None) -> str:
    """A path from the document's root with every position as any, so that places compare."""
    if itens is not None and de.startswith("$item"):
        de = f"{itens}{de.removeprefix('$item')}"
    return any_entry(de)


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
    "procedimento.codigo": lambda um: _id(um) and _CID.fullmatch(str(um).strip()) is None,
    "procedimento.descricao": lambda um: isinstance(um, str) and not _TUSS.fullmatch(um),
    "procedimento.quantidade": _units,
    "procedimento.tabela": lambda um: len(str(um)) <= 12,
    "procedimento.valor": lambda um: read_reais(um) is not None,
    "solicitante.tipo": _short,
    "prestador.tipo": lambda um: _short(um) or isinstance(um, bool),
}
