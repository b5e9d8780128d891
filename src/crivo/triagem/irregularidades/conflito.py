"""Evaluators who may have an interest in a project. Source: design, Irregularidades ("evaluator with a possible conflict of interest").

Who somebody is (CPF, CNPJ, name, e-mail address) is held against every project of the edital, as a proponente must not judge rivals
either; where they work or live (an organisation's own e-mail domain, an address) only against the projects given to them, or all while
none is.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from crivo.kernel.linguagem.identificadores import document_of, masked_document
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.kernel.linguagem.nomes import folded_name, masked_name
from crivo.triagem.achados import Evidencia, Irregularidade
from crivo.triagem.edital import Avaliador, Projeto
from crivo.triagem.irregularidades.identidade import (
    address_of,
    cpfs_of,
    email_of,
    masked_email,
    names_of,
)

_EVERYBODYS: Final[frozenset[str]] = read_lexico("crivo.triagem.irregularidades", "emails_de_todos", frozenset[str])

_TEAM: Final = ", da equipe de avaliação,"


@dataclass(frozen=True, slots=True)
class Vinculo:
    """What may tie an evaluator to a project: its name, the values on both sides, how one is shown, whether it is who somebody is."""

    campo: str
    nome: str
    of_avaliador: Callable[[Avaliador], Sequence[str]]
    of_projeto: Callable[[Projeto], Sequence[str]]
    shown: Callable[[str], str]
    is_identity: bool


def domain_of(email: str) -> str:
    """The domain of an organisation's own e-mail; empty for one that anybody may have."""
    domain = email_of(email).rpartition("@")[2]
    return "" if domain in _EVERYBODYS else domain


def _full_name(nome: str) -> str:
    folded = folded_name(nome)
    return folded if " " in folded else ""  # a first name alone is shared by many


# In the order in which they are told, the surest first.
VINCULOS: Final[tuple[Vinculo, ...]] = (
    Vinculo("cpf", "o mesmo CPF", lambda one: _told(document_of(one.cpf)), lambda other: cpfs_of(other.proponente), masked_document, True),
    Vinculo(
        "cpf_cnpj",
        "o mesmo CNPJ",
        lambda one: _told(document_of(one.cnpj)),
        lambda other: _told(document_of(other.proponente.cpf_cnpj)),
        masked_document,
        True,
    ),
    Vinculo(
        "nome",
        "o mesmo nome",
        lambda one: _told(_full_name(one.nome)),
        lambda other: [name for nome in names_of(other.proponente) for name in _told(_full_name(nome))],
        lambda value: masked_name(value.title()),
        True,
    ),
    Vinculo(
        "email",
        "o mesmo e-mail",
        lambda one: _told(email_of(one.email)),
        lambda other: _told(email_of(other.proponente.email)),
        masked_email,
        True,
    ),
    Vinculo(
        "dominio_email",
        "e-mail do mesmo domínio",
        lambda one: _told(domain_of(one.email)),
        lambda other: _told(domain_of(other.proponente.email)),
        lambda value: f"@{value}",
        False,
    ),
    Vinculo(
        "endereco",
        "o mesmo endereço",
        lambda one: _told(address_of(one.endereco)),
        lambda other: _told(address_of(other.proponente.endereco)),
        lambda _: "",
        False,
    ),
)


def find_conflito_de_interesse(avaliadores: Sequence[Avaliador], projetos: Sequence[Projeto]) -> tuple[Irregularidade, ...]:
    """A sign for each evaluator and project with something in common, in the order of both; all that they have in common at once."""
    indexes = [(vinculo, _index(projetos, vinculo)) for vinculo in VINCULOS]
    return tuple(sign for avaliador in avaliadores for sign in _of_one(avaliador, projetos, indexes))


def is_same_conflito(um: Irregularidade, outro: Irregularidade) -> bool:
    """Whether two signs tell of the same evaluator, project and ties, though the project was with them in only one of the two."""
    return (um.tipo, um.projetos, um.evidencia) == (outro.tipo, outro.projetos, outro.evidencia) and _named(um) == _named(outro)


def ties_of(sinal: Irregularidade) -> tuple[str, ...]:
    """What a sign says that both have in common, in words."""
    return _told_of([one for one in VINCULOS if any(evidencia.campo == one.campo for evidencia in sinal.evidencia)])


def _named(sinal: Irregularidade) -> str:
    return sinal.achado.partition(_TEAM)[0]


def _of_one(
    avaliador: Avaliador, projetos: Sequence[Projeto], indexes: Sequence[tuple[Vinculo, Mapping[str, Sequence[int]]]]
) -> Iterator[Irregularidade]:
    given = frozenset(avaliador.projetos)
    found: dict[int, list[tuple[Vinculo, str]]] = defaultdict(list)
    for vinculo, index in indexes:
        for value in vinculo.of_avaliador(avaliador):
            for at in index.get(value, ()):
                if vinculo.is_identity or not given or projetos[at].id in given:
                    found[at].append((vinculo, value))
    for at, ties in sorted(found.items()):
        yield _sign(avaliador, projetos[at], ties, projetos[at].id in given)


def _index(projetos: Sequence[Projeto], vinculo: Vinculo) -> Mapping[str, Sequence[int]]:
    having: dict[str, list[int]] = defaultdict(list)
    for at, projeto in enumerate(projetos):
        for value in dict.fromkeys(vinculo.of_projeto(projeto)):
            having[value].append(at)
    return having


def _sign(avaliador: Avaliador, projeto: Projeto, ties: Sequence[tuple[Vinculo, str]], given: bool) -> Irregularidade:
    told = _told_of([vinculo for vinculo, _ in ties])
    said = told[0] if len(told) == 1 else f"{', '.join(told[:-1])} e {told[-1]}"
    where = "deste projeto, que está com essa pessoa," if given else "deste projeto"
    who = f"{masked_name(avaliador.nome)}{_TEAM}"
    return Irregularidade(
        tipo="conflito_de_interesse",
        projetos=(projeto.id,),
        campo=ties[0][0].campo,
        evidencia=tuple(Evidencia(projeto=projeto.id, campo=vinculo.campo, trecho=vinculo.shown(value)) for vinculo, value in ties),
        achado=f"Possível conflito de interesse: {who} e o proponente {where} têm {said}.",
    )


def _told_of(ties: Sequence[Vinculo]) -> tuple[str, ...]:
    """The names of some ties; who has the same e-mail has the same domain, which goes without saying."""
    same_email = any(one.campo == "email" for one in ties)
    return tuple([one.nome for one in ties if not (same_email and one.campo == "dominio_email")])


def _told(value: str) -> Sequence[str]:
    return (value,) if value else ()
