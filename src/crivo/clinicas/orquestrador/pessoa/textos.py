"""What is said to somebody who asked for a person: who was called, how many are ahead, or that nobody can be, with a telephone."""

from __future__ import annotations

from functools import cache
from typing import Final

from crivo.clinicas.orquestrador.contracts import Idioma
from crivo.clinicas.registro import Registro
from crivo.kernel.linguagem.lexico import read_lexico

_MOST_PHONES: Final = 6


def called(idioma: Idioma, registro: Registro, *, ahead: int, attended: bool, again: bool) -> str:
    """That the reception was called, or, where nobody is there, that it was noted and which telephones there are.

    `again`: it had been called before.
    """
    said = _texts()[idioma]
    if not attended:
        return _joined(said["ja_anotada" if again else "ninguem"], _phones_said(said, registro), said["enquanto_isso"])
    if again:
        return _joined(said["ja_chamada"], said["enquanto_isso"])
    place = "primeira" if ahead == 0 else "uma_na_frente" if ahead == 1 else "na_frente"
    return _joined(said[place].format(quantas=ahead), said["enquanto_isso"])


def after_not_understood(answer: str, idioma: Idioma, call: str) -> str:
    """The answer of a turn that was not understood either, with the call that follows from it."""
    return _joined(answer, _texts()[idioma]["para_nao_errar"], call)


def out_of_reach(idioma: Idioma, registro: Registro) -> str:
    """That a person cannot be reached here, whom to call, and what can be done instead."""
    said = _texts()[idioma]
    return _joined(said["fora_de_alcance"], _phones_said(said, registro) or said["fale_com_a_clinica"], said["posso"])


def with_offer_of_a_person(answer: str, idioma: Idioma) -> str:
    """An answer that does not know what was asked, and how to have the reception answer in the same conversation."""
    return f"{answer}\n{_texts()[idioma]['se_quiser_chame']}"


def with_account_from_elsewhere(answer: str, idioma: Idioma) -> str:
    """An answer that asks for a proof, to somebody who signed in at another organisation: that account is none here, and what is."""
    return f"{answer}\n{_texts()[idioma]['conta_de_fora']}"


def whom_to_call(idioma: Idioma, registro: Registro) -> str:
    """The clinics' telephones in a sentence; empty where none is known."""
    return _phones_said(_texts()[idioma], registro)


def written_phones(registro: Registro) -> str:
    """The clinics' telephones, each with its clinic: `Clínica A, (85) 3000-0001`; empty where none is known."""
    return "; ".join([f"{clinica.nome}, {clinica.telefone}" for clinica in registro if clinica.telefone][:_MOST_PHONES])


def _phones_said(said: dict[str, str], registro: Registro) -> str:
    phones = written_phones(registro)
    return said["ligue"].format(telefones=phones) if phones else ""


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


@cache
def _texts() -> dict[Idioma, dict[str, str]]:
    return read_lexico(__package__, "textos", dict[Idioma, dict[str, str]])
