"""The policy of a conversation as a table: what an act comes to, by what waits for an answer and what was said.

It is read from above; the first row that decides is the decision.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.decide.cancelar import decide_cancel, tells_which
from crivo.clinicas.orquestrador.decide.continuar import decide_settled
from crivo.clinicas.orquestrador.decide.conversa import own_bookings
from crivo.clinicas.orquestrador.decide.correcao import cancel_or_move, decide_correction, gives_up, is_change
from crivo.clinicas.orquestrador.decide.de_cada import decide_each
from crivo.clinicas.orquestrador.decide.listar import decide_list
from crivo.clinicas.orquestrador.decide.marcar import decide_booking, decide_several
from crivo.clinicas.orquestrador.decide.situacao import Assunto, Saida, Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato, Tipo
from crivo.clinicas.orquestrador.entende.criterios import Criterios
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.passos import book

_AND_THEN: Final = re.compile(r"\W*(?:e|and|y)\s")


class Pedida(msgspec.Struct, frozen=True):
    """One act of a message in its situation; `herdado` is the scope that an act before it named."""

    frase: Frase
    ato: Ato
    situacao: Situacao
    herdado: Criterios

    @property
    def assunto(self) -> Assunto:
        """What waits for an answer."""
        return self.situacao.pendente.assunto


class Linha(msgspec.Struct, frozen=True):
    """A row: the acts and the matters waiting that it is for (any, where none is named), what else must hold, and what is decided."""

    decide: Callable[[Pedida], Saida | None]
    atos: frozenset[Tipo] = frozenset()
    assuntos: frozenset[Assunto] = frozenset()
    se: Callable[[Pedida], bool] = lambda _: True

    def decided(self, asked: Pedida) -> Saida | None:
        """What the row decides; None where it is not for this."""
        fits = (not self.atos or asked.ato.tipo in self.atos) and (not self.assuntos or asked.assunto in self.assuntos)
        return self.decide(asked) if fits and self.se(asked) else None


def decide_act(asked: Pedida) -> Saida:
    """What one act comes to, by the first row that decides it."""
    return next(decision for row in ACTS if (decision := row.decided(asked)) is not None)


def _answers_which(asked: Pedida) -> bool:
    """Whether it tells which of the appointments held shall be cancelled."""
    return tells_which(asked.ato, asked.frase, asked.situacao)


def _cancels_too(asked: Pedida) -> bool:
    return asked.ato.tambem and bool(asked.situacao.bookings)


def _asks_what_there_is(asked: Pedida) -> bool:
    act = asked.ato
    return act.tipo == "listar" or _asks_on(asked) or (act.pergunta and not act.has_verb and _only_scope(act))


def _asks_on(asked: Pedida) -> bool:
    """Whether a bare `e dia 16` goes on with the question that was asked before of another day."""
    act, before, said = asked.ato, asked.situacao.pendente.criterios, asked.ato.leitura.criterios
    bare = act.tipo == "escolher" and not (act.has_verb or said.has_scope or said.horas or said.ordinais or act.tambem)
    return bare and asked.assunto == "listado" and bool(before.dias and said.dias) and bool(_AND_THEN.match(asked.frase.text, act.start))


def _only_scope(act: Ato) -> bool:
    criterios = act.leitura.criterios
    return not criterios.ordinais and not criterios.numeros and not act.leitura.referencias & {"este"}


def _books_several(asked: Pedida) -> Saida | None:
    several = decide_several(asked.ato, asked.frase, asked.situacao)
    return Saida(steps=tuple(book(offer, index) for index, offer in enumerate(several, 1))) if several else None


ACTS: Final = (
    Linha(lambda one: own_bookings(one.situacao), atos=frozenset({"minhas"})),
    Linha(lambda one: decide_settled(one.frase, one.ato, one.situacao)),
    Linha(lambda one: decide_cancel(one.ato, one.situacao), atos=frozenset({"cancelar"})),
    Linha(
        lambda one: decide_cancel(one.ato, one.situacao),
        atos=frozenset({"escolher"}),
        assuntos=frozenset({"cancelar"}),
        se=_answers_which,
    ),
    Linha(
        lambda one: decide_cancel(one.ato, one.situacao),
        atos=frozenset({"listar", "mudar"}),
        assuntos=frozenset({"cancelar"}),
        se=lambda one: one.ato.tambem,
    ),
    Linha(
        lambda one: decide_cancel(one.ato, one.situacao),
        atos=frozenset({"escolher", "listar", "mudar"}),
        assuntos=frozenset({"cancelou"}),
        se=_cancels_too,
    ),
    Linha(lambda one: decide_correction(one.ato, one.situacao), atos=frozenset({"mudar"})),
    Linha(lambda one: decide_correction(one.ato, one.situacao), se=lambda one: is_change(one.ato, one.situacao)),
    Linha(lambda one: decide_each(one.ato, one.frase, one.situacao)),
    Linha(_books_several, atos=frozenset({"marcar", "escolher"})),
    Linha(lambda one: decide_list(one.ato.leitura, one.situacao, one.herdado), se=_asks_what_there_is),
    Linha(
        lambda one: cancel_or_move(one.situacao),
        atos=frozenset({"escolher"}),
        se=lambda one: bool(one.situacao.bookings) and gives_up(one.ato, one.situacao),
    ),
    Linha(lambda one: decide_booking(one.ato, one.situacao, one.herdado)),
)
"""What an act comes to."""
