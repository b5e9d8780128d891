"""Who is speaking: the full name and the CPF that a patient is asked for before anything else. Source: blueprint 1.6."""

from __future__ import annotations

import re
from typing import Final, Literal

from stdnum.br import cpf as check

from crivo.clinicas.orquestrador.contracts import Paciente, Value
from crivo.clinicas.orquestrador.linguagem.folding import fold

PEDE_NOME: Final = "Olá! Para começar, qual é o seu nome completo?"
_PEDE_CPF: Final = "Obrigado, {nome}. Agora, por favor, o seu CPF."
_NOME_RUIM: Final = "Preciso do nome e do sobrenome, só com letras. Pode escrever de novo?"
_CPF_RUIM: Final = "Esse CPF não confere. Pode verificar os onze números e escrever de novo?"
_PRONTO: Final = "Tudo certo, {nome}. Posso listar horários, marcar, remarcar ou cancelar consultas. O que você precisa?"

_LONGEST_NAME: Final = 120
_NAME: Final = re.compile(r"[^\W\d_]+(?:[ '.’-]+[^\W\d_]+)+\.?")
_LEAD: Final = re.compile(
    r"^(?:(?:oi|olá|ola|bom dia|boa tarde|boa noite)[,!. ]+)?(?:(?:eu )?(?:sou|me chamo)|meu nome (?:completo )?é)?\s*(?:[oa] )?",
    re.IGNORECASE,
)
# A wish told in the place of a name.
_NO_NAMES: Final = frozenset(
    {"quero", "queria", "preciso", "gostaria", "marcar", "agendar", "remarcar", "cancelar", "consulta", "horario", "medico", "oi", "ola"}
)
_DIGITS: Final = re.compile(r"\d{3}[.\s]?\d{3}[.\s]?\d{3}[-.\s]?\d{2}")


class Identificacao(Value, frozen=True):
    """How far an identification has come."""

    nome: str = ""
    falta: Literal["nome", "cpf", "nada"] = "nome"
    paciente: Paciente | None = None


def identify(now: Identificacao, text: str) -> tuple[Identificacao, str]:
    """What is known after an answer, and what to say next."""
    if now.falta == "nome":
        nome = read_name(text)
        if nome is None:
            return now, _NOME_RUIM
        return Identificacao(nome, "cpf"), _PEDE_CPF.format(nome=nome.split()[0])
    cpf = read_cpf(text)
    if cpf is None:
        return now, _CPF_RUIM
    return Identificacao(now.nome, "nada", Paciente(now.nome, cpf)), _PRONTO.format(nome=now.nome.split()[0])


def read_name(text: str) -> str | None:
    """A full name in what was answered: two words of letters or more."""
    nome = " ".join(_LEAD.sub("", text.strip(), count=1).strip(" .,!").split())
    if len(nome) > _LONGEST_NAME or not _NAME.fullmatch(nome) or _NO_NAMES & set(fold(nome).split()):
        return None
    return nome


def read_cpf(text: str) -> str | None:
    """A CPF of right digits in what was answered, as 000.000.000-00; one digit repeated is none."""
    found = _DIGITS.search(text)
    digits = re.sub(r"\D", "", found[0]) if found else ""
    if len(set(digits)) < 2 or not check.is_valid(digits):
        return None
    return f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}"
