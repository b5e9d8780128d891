"""What is filled into a paper: days in the many ways people write them, and the person or organisation it is about."""

from __future__ import annotations

import random
import unicodedata
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Final

from stdnum.br import cnpj, cpf

Sorte = random.Random
_MESES: Final = (
    "janeiro",
    "fevereiro",
    "março",
    "abril",
    "maio",
    "junho",
    "julho",
    "agosto",
    "setembro",
    "outubro",
    "novembro",
    "dezembro",
)
_PADROES: Final = {"dmy": "%d/%m/%Y", "pt": "%d.%m.%Y", "dm2": "%d/%m/%y"}


class Dia:
    """A day that formats itself: `dmy`, `pt`, `dm2`, `ext` (12 de março de 2027), `mes` (12/MAR/2027)."""

    def __init__(self, dia: date) -> None:
        self._dia = dia

    def __format__(self, forma: str) -> str:
        mes = _MESES[self._dia.month - 1]
        if forma == "ext":
            return f"{'1º' if self._dia.day == 1 else self._dia.day} de {mes} de {self._dia.year}"
        if forma == "mes":
            return f"{self._dia.day:02d}/{mes[:3].upper()}/{self._dia.year}"
        return self._dia.strftime(_PADROES[forma])


@dataclass(frozen=True, slots=True)
class Titular:
    """Whom a paper is about; `numero` is a CPF or CNPJ, digits only."""

    nome: str
    numero: str
    endereco: str
    cidade: str
    responsavel: str = ""
    responsavel_cpf: str = ""

    @property
    def is_organisation(self) -> bool:
        return len(self.numero) == 14

    @property
    def formatted(self) -> str:
        return str(cnpj.format(self.numero) if self.is_organisation else cpf.format(self.numero))

    @property
    def masked(self) -> str:
        """A CPF with its ends hidden, as public bodies print it; a CNPJ is public."""
        return self.formatted if self.is_organisation else f"***{self.formatted[3:11]}-**"


def person_number(sorte: Sorte) -> str:
    """A CPF that checks."""
    number = f"{sorte.randrange(10**9):09d}"
    for length in (9, 10):
        rest = sum(int(digit) * (length + 1 - place) for place, digit in enumerate(number)) * 10 % 11
        number += str(rest % 10)
    return number


def organisation_number(stem: str) -> str:
    """A CNPJ that checks, of a root of 8 digits and a branch of 4."""
    return stem + str(cnpj.calc_check_digits(stem))


def namesake(titular: Titular, sorte: Sorte) -> Titular:
    """Somebody of the same name with another number."""
    return replace(titular, numero=person_number(sorte), endereco="Rua Nova, 900")


def without_accents(texto: str) -> str:
    """As old printers write."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", texto) if not unicodedata.combining(letter))


def filled(linhas: list[str], titular: Titular, titulo: str, emissao: date, prazo: int, numero: int) -> list[str]:
    """The lines of a paper with their blanks filled."""
    blanks = {
        "nome": titular.nome,
        "NOME": titular.nome.upper(),
        "doc": titular.formatted,
        "dig": titular.numero,
        "mask_ou_doc": titular.masked,
        "rot": "CNPJ" if titular.is_organisation else "CPF",
        "end": titular.endereco,
        "cid": titular.cidade,
        "CID": titular.cidade.upper(),
        "resp": titular.responsavel or "Marinalva Prestes",
        "num": f"{numero:04d}",
        "titulo": titulo,
        "E": Dia(emissao),
        "V": Dia(emissao + timedelta(days=prazo)),
        "F": Dia(emissao + timedelta(days=12)),
        "P": Dia(emissao + timedelta(days=33)),
        "N": Dia(date(1960 + numero % 40, 1 + numero % 12, 1 + numero % 28)),
    }
    return [linha.format(**blanks) for linha in linhas]
