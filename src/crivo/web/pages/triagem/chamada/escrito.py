"""What stands in the form of an edital, as it was typed: fields, and rows that are added, taken out, put back and moved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

EDITAL: Final = "edital"
SECOES: Final = ("fases", "proprios", "requisitos", "criterios")
FORA: Final = "fora"
"""The field of a row that was taken out and is still there to be put back, until the edital is saved."""
YES: Final = "sim"
ERA: Final = "era"
"""The field of a type of document that says the code by which requisitos ask for it still, though another was typed since."""
LINHAS_MAXIMO: Final = 500
_NAME: Final = re.compile(r"^(fases|proprios|requisitos|criterios)\.([0-9]{1,4})\.([a-z_.]{1,40})$")
_ACT: Final = re.compile(r"^(adicionar|retirar|repor|subir|descer|renomear):(fases|proprios|requisitos|criterios):([a-z0-9]{1,12})$")

Linha = dict[str, list[str]]


@dataclass(slots=True)
class Escrito:
    """The fields of the edital itself, and the rows of each section in their order; what may be given several times has several values."""

    edital: Linha = field(default_factory=dict)
    linhas: dict[str, list[Linha]] = field(default_factory=lambda: {secao: [] for secao in SECOES})

    def fields(self) -> Iterator[tuple[str, str]]:
        """Every field by the name that it has in the form."""
        for nome, values in self.edital.items():
            yield from ((f"{EDITAL}.{nome}", value) for value in values)
        for secao, rows in self.linhas.items():
            for at, row in enumerate(rows):
                yield from ((f"{secao}.{at}.{nome}", value) for nome, values in row.items() for value in values)


def read_fields(fields: Iterable[tuple[str, str]]) -> Escrito:
    """The form that was sent; what is no field of it is left out, and rows close up over numbers that are not there."""
    escrito = Escrito()
    rows: dict[str, dict[int, Linha]] = {secao: {} for secao in SECOES}
    for name, raw in fields:
        value = raw.replace("\0", "").replace("\r\n", "\n")
        found = _NAME.match(name)
        if found is not None:
            rows[found[1]].setdefault(int(found[2]), {}).setdefault(found[3], []).append(value)
        elif name.startswith(f"{EDITAL}."):
            escrito.edital.setdefault(name.removeprefix(f"{EDITAL}."), []).append(value)
    for secao, numbered in rows.items():
        escrito.linhas[secao] = [numbered[at] for at in sorted(numbered)][:LINHAS_MAXIMO]
    return escrito


def one(linha: Linha, nome: str) -> str:
    """The value of a field; empty where nothing was typed."""
    values = linha.get(nome)
    return values[-1] if values else ""


def apply_act(escrito: Escrito, acao: str) -> str | None:
    """Do what a button asks of the rows; the place to look at next (`requisitos-3`), or None where it asks for no such thing."""
    found = _ACT.match(acao)
    if found is None:
        return None
    que, secao, qual = found.groups()
    rows = escrito.linhas[secao]
    if que == "adicionar":
        if len(rows) < LINHAS_MAXIMO:
            rows.append(_new(secao, qual, rows))
        return f"{secao}-{len(rows) - 1}"
    at = int(qual) if qual.isdigit() else -1
    if not 0 <= at < len(rows):
        return secao
    match que:
        case "retirar":
            rows[at][FORA] = [YES]
        case "repor":
            rows[at].pop(FORA, None)
        case "renomear":
            _follow(escrito, rows[at])
        case _:
            to = at + (-1 if que == "subir" else 1)
            if 0 <= to < len(rows):
                rows[at], rows[to] = rows[to], rows[at]
                at = to
    return f"{secao}-{at}"


def add_category(escrito: Escrito, acao: str) -> bool:
    """Write the categoria that a button names under those of the edital; False where it asks for no such thing."""
    que, _, nome = acao.partition(":")
    if que != "categoria" or not nome.strip():
        return False
    lines = [line for line in one(escrito.edital, "categorias").split("\n") if line.strip()]
    if nome.strip() not in lines:
        escrito.edital["categorias"] = ["\n".join([*lines, nome.strip()])]
    return True


def uses(escrito: Escrito, codigo: str) -> list[int]:
    """The places of the requisitos that ask for a type of document by this code."""
    rows = enumerate(escrito.linhas["requisitos"])
    return [at for at, row in rows if one(row, FORA) != YES and codigo and one(row, "documento") == codigo]


def settle_codes(escrito: Escrito) -> None:
    """A type of document whose former code nothing asks for any more has only the code that was typed."""
    for row in escrito.linhas["proprios"]:
        if not uses(escrito, one(row, ERA)):
            row[ERA] = [one(row, "id").strip()]


def _follow(escrito: Escrito, tipo: Linha) -> None:
    """The requisitos that asked for a type by its former code ask for it by the one that was typed."""
    codigo = one(tipo, "id").strip()
    for at in uses(escrito, one(tipo, ERA)):
        escrito.linhas["requisitos"][at]["documento"] = [codigo]
    tipo[ERA] = [codigo]


def _new(secao: str, qual: str, rows: list[Linha]) -> Linha:
    taken = {one(row, "id").casefold() for row in rows}
    match secao:
        case "requisitos":
            return {"id": [_free("REQ-", taken)], "tipo": [qual], "obrigatorio": [YES]}
        case "criterios":
            return {"id": [_free("C", taken)], "peso": ["1"], "nota_min": ["0"], "nota_max": ["10"]}
        case "proprios":
            return {"id": [_free("DOC-", taken)]}
        case _:
            return {"fase": ["avaliacao"]}


def _free(prefix: str, taken: set[str]) -> str:
    number = 1
    while f"{prefix}{number}".casefold() in taken:
        number += 1
    return f"{prefix}{number}"
