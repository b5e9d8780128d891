"""Who a record is about, as far as it can be looked for again: a CPF, an e-mail, a number that some organisation gave."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar, Final

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.identificadores import digits_of, read_cpf

_EMAIL: Final = re.compile(r"[^\s@]{1,64}@[^\s@]{1,190}")


class IdentidadeInvalida(CrivoError):
    """Neither a CPF nor an e-mail."""

    codigo: ClassVar[str] = "identidade_invalida"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Não é CPF nem e-mail"


@dataclass(frozen=True, slots=True)
class Identidade:
    """By what a person is known in a record: CPF in digits, e-mail in small letters, a number with who gave it; each may be empty.

    `responsavel` is the CPF of whoever answers for them, where the record tells of that person too.
    """

    cpf: str = field(default="", repr=False)
    email: str = field(default="", repr=False)
    numero: str = field(default="", repr=False)
    responsavel: str = field(default="", repr=False)

    def named_in(self, text: str) -> bool:
        """Whether a text has their CPF, however it is spelled, or their e-mail."""
        return bool((self.cpf and self.cpf in digits_of(text)) or (self.email and self.email in text.lower()))


def identidade_of(said: str) -> Identidade:
    """Who is meant by a CPF, with its points or without, or by an e-mail. Raises IdentidadeInvalida."""
    text = said.strip()
    digits, email = read_cpf(text), read_email(text)
    if not digits and not email:
        raise IdentidadeInvalida("Informe um CPF com os dígitos certos, com ou sem pontos, ou um e-mail completo.")
    return Identidade(digits, email)


def read_email(said: str) -> str:
    """An e-mail in small letters; empty where it is none."""
    text = said.strip()
    return text.lower() if _EMAIL.fullmatch(text) else ""
