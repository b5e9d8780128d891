"""What stands in the form of the rules for places, as it was typed: fields, and rows; those of vagas have rows of cotas inside."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from crivo.triagem.classificacao.definicao import TODAS
from crivo.web.pages.triagem.chamada.escrito import FORA, YES, Linha, one

T = TypeVar("T")
REGRAS: Final = "regras"
COTAS: Final = "cotas"
SECOES: Final = ("cortes", "bonus", "desempate", "vagas")
LINHAS_MAXIMO: Final = 200
COTAS_MAXIMO: Final = 50
_NAME: Final = re.compile(r"^(cortes|bonus|desempate|vagas)\.([0-9]{1,4})\.(?:cotas\.([0-9]{1,4})\.)?([a-z_.]{1,40})$")
_ACT: Final = re.compile(r"^(adicionar|retirar|repor|subir|descer):(bonus|desempate|vagas)(?:\.([0-9]{1,4})\.cotas)?:([a-z0-9]{1,12})$")


@dataclass(slots=True)
class LinhaDeVagas:
    """The vagas of a category, and the rows of its cotas."""

    campos: Linha = field(default_factory=dict)
    cotas: list[Linha] = field(default_factory=list)


@dataclass(slots=True)
class Escrito:
    """The fields of the rules themselves, and the rows of each section in their order."""

    regras: Linha = field(default_factory=dict)
    cortes: list[Linha] = field(default_factory=list)
    bonus: list[Linha] = field(default_factory=list)
    desempate: list[Linha] = field(default_factory=list)
    vagas: list[LinhaDeVagas] = field(default_factory=list)

    def fields(self) -> Iterator[tuple[str, str]]:
        """Every field by the name that it has in the form."""
        yield from _named(REGRAS, self.regras)
        for secao, rows in (("cortes", self.cortes), ("bonus", self.bonus), ("desempate", self.desempate)):
            for at, row in enumerate(rows):
                yield from _named(f"{secao}.{at}", row)
        for at, vagas in enumerate(self.vagas):
            yield from _named(f"vagas.{at}", vagas.campos)
            for place, cota in enumerate(vagas.cotas):
                yield from _named(f"vagas.{at}.{COTAS}.{place}", cota)


def read_fields(fields: Iterable[tuple[str, str]]) -> Escrito:
    """The form that was sent; what is no field of it is left out, and rows close up over numbers that are not there."""
    escrito = Escrito()
    rows: dict[str, dict[int, Linha]] = {secao: {} for secao in SECOES}
    cotas: dict[int, dict[int, Linha]] = {}
    for name, raw in fields:
        value = raw.replace("\0", "").replace("\r\n", "\n")
        found = _NAME.match(name)
        if found is not None:
            secao, at, cota, nome = found[1], int(found[2]), found[3], found[4]
            if cota is None:
                rows[secao].setdefault(at, {}).setdefault(nome, []).append(value)
            elif secao == "vagas":
                rows["vagas"].setdefault(at, {})
                cotas.setdefault(at, {}).setdefault(int(cota), {}).setdefault(nome, []).append(value)
        elif name.startswith(f"{REGRAS}."):
            escrito.regras.setdefault(name.removeprefix(f"{REGRAS}."), []).append(value)
    escrito.cortes, escrito.bonus, escrito.desempate = (_in_order(rows[secao], LINHAS_MAXIMO) for secao in SECOES[:-1])
    escrito.vagas = [
        LinhaDeVagas(rows["vagas"][at], _in_order(cotas.get(at, {}), COTAS_MAXIMO)) for at in sorted(rows["vagas"])[:LINHAS_MAXIMO]
    ]
    return escrito


def apply_act(escrito: Escrito, acao: str) -> bool:
    """Do what a button asks of the rows; False where it asks for no such thing."""
    found = _ACT.match(acao)
    if found is None:
        return _add_category(escrito, acao)
    que, secao, dentro, qual = found.groups()
    at = int(qual) if qual.isdigit() else -1
    if que == "adicionar":
        _add(escrito, secao, dentro, qual)
    elif secao == "vagas" and dentro is None:
        _change(escrito.vagas, at, que, lambda vagas: vagas.campos)
    else:
        _change(_rows(escrito, secao, dentro), at, que, lambda row: row)
    return True


def in_force(linha: Linha) -> bool:
    """Whether a row was not taken out."""
    return one(linha, FORA) != YES


def _rows(escrito: Escrito, secao: str, dentro: str | None) -> list[Linha]:
    if secao == "vagas":
        at = int(dentro or 0)
        return escrito.vagas[at].cotas if at < len(escrito.vagas) else []
    return escrito.bonus if secao == "bonus" else escrito.desempate


def _add(escrito: Escrito, secao: str, dentro: str | None, qual: str) -> None:
    if secao == "vagas" and dentro is None:
        if len(escrito.vagas) < LINHAS_MAXIMO:
            escrito.vagas.append(LinhaDeVagas({"categoria": [TODAS]} if qual == "todas" else {}))
        return
    rows = _rows(escrito, secao, dentro)
    if len(rows) < (LINHAS_MAXIMO if dentro is None else COTAS_MAXIMO):
        rows.append(_new(secao, qual, rows))


def _change(rows: list[T], at: int, que: str, linha_of: Callable[[T], Linha]) -> None:
    """Take a row out, put it back, or move it by one."""
    if not 0 <= at < len(rows):
        return
    match que:
        case "retirar":
            linha_of(rows[at])[FORA] = [YES]
        case "repor":
            linha_of(rows[at]).pop(FORA, None)
        case _:
            to = at + (-1 if que == "subir" else 1)
            if 0 <= to < len(rows):
                rows[at], rows[to] = rows[to], rows[at]


def _add_category(escrito: Escrito, acao: str) -> bool:
    """Add the vagas of the category that a button names."""
    que, _, nome = acao.partition(":")
    if que != "categoria" or not nome.strip():
        return False
    if len(escrito.vagas) < LINHAS_MAXIMO:
        escrito.vagas.append(LinhaDeVagas({"categoria": [nome.strip()]}))
    return True


def _new(secao: str, qual: str, rows: list[Linha]) -> Linha:
    """A row of its kind, with what may be taken for granted."""
    match secao:
        case "bonus":
            taken = {one(row, "id").casefold() for row in rows}
            return {"id": [next(codigo for number in range(1, len(rows) + 2) if (codigo := f"BON-{number}").casefold() not in taken)]}
        case "desempate":
            return {"por": [qual]} | ({"maior": [YES]} if qual == "campo" else {})
        case _:
            return {"vagas": ["1"]}


def _in_order(numbered: dict[int, Linha], most: int) -> list[Linha]:
    return [numbered[at] for at in sorted(numbered)][:most]


def _named(lugar: str, linha: Linha) -> Iterator[tuple[str, str]]:
    for nome, values in linha.items():
        yield from ((f"{lugar}.{nome}", value) for value in values)
