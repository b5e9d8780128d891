"""Days, terms, names and numbers as people write them: each takes the way of writing as its format."""

from __future__ import annotations

import random
import unicodedata
from dataclasses import dataclass
from datetime import date
from typing import Final

MESES: Final = ("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro")
_UNIDADES: Final = (
    *("zero", "um", "dois", "três", "quatro", "cinco", "seis", "sete", "oito", "nove", "dez", "onze", "doze", "treze"),
    *("quatorze", "quinze", "dezesseis", "dezessete", "dezoito", "dezenove"),
)
_DEZENAS: Final = ("", "", "vinte", "trinta", "quarenta", "cinquenta", "sessenta", "setenta", "oitenta", "noventa")
_COM_ALGARISMOS: Final = {"": "%d/%m/%Y", "ponto": "%d.%m.%Y", "curta": "%d/%m/%y", "hifen": "%d-%m-%Y", "iso": "%Y-%m-%d"}


def draw(semente: str) -> random.Random:
    """A chance that is the same each time."""
    return random.Random(semente)  # noqa: S311  # made-up data, no secret


def in_words(number: int) -> str:
    """A number below 400 in Portuguese words."""
    if number < len(_UNIDADES):
        return _UNIDADES[number]
    if number >= 100:
        centena = "cem" if number == 100 else ("cento", "duzentos", "trezentos")[number // 100 - 1]
        return centena if number % 100 == 0 else f"{centena} e {in_words(number % 100)}"
    dezena = _DEZENAS[number // 10]
    return dezena if number % 10 == 0 else f"{dezena} e {_UNIDADES[number % 10]}"


@dataclass(frozen=True, slots=True)
class Dia:
    """A day of the 2000s."""

    dia: date

    def __format__(self, como: str) -> str:
        dia = self.dia
        match como:
            case "extenso":
                return f"{'1º' if dia.day == 1 else dia.day} de {MESES[dia.month - 1]} de {dia.year}"
            case "zeros":
                return f"{dia.day:02} de {MESES[dia.month - 1].capitalize()} de {dia.year}"
            case "palavras":
                primeiro = "primeiro" if dia.day == 1 else in_words(dia.day)
                return f"{primeiro} dias do mês de {MESES[dia.month - 1]} de dois mil e {in_words(dia.year - 2000)}"
            case "abreviado":
                return f"{dia.day:02} {MESES[dia.month - 1][:3]}. {dia.year}"
            case "mes":
                return f"{MESES[dia.month - 1][:3].upper()}/{dia.year}"
            case _:
                return dia.strftime(
                    {"": "%d/%m/%Y", "ponto": "%d.%m.%Y", "curta": "%d/%m/%y", "hifen": "%d-%m-%Y", "iso": "%Y-%m-%d"}[como]
                )


@dataclass(frozen=True, slots=True)
class Prazo:
    """A number of days."""

    dias: int

    def __format__(self, como: str) -> str:
        match como:
            case "extenso":
                return in_words(self.dias)
            case "parenteses":
                return f"{self.dias} ({in_words(self.dias)})"
            case _:
                return str(self.dias)


@dataclass(frozen=True, slots=True)
class Nome:
    """Somebody's name."""

    nome: str

    def __format__(self, como: str) -> str:
        match como:
            case "caixa":
                return self.nome.upper()
            case "seco":
                return "".join(letra for letra in unicodedata.normalize("NFD", self.nome.upper()) if not unicodedata.combining(letra))
            case _:
                return self.nome


@dataclass(frozen=True, slots=True)
class Numero:
    """A CPF or a CNPJ, written with its marks."""

    numero: str

    def __format__(self, como: str) -> str:
        match como:
            case "digitos":
                return "".join(letra for letra in self.numero if letra.isdigit())
            case "oculto":
                return f"***{self.numero[3:11]}-**" if len(self.numero) == 14 else self.numero
            case _:
                return self.numero
