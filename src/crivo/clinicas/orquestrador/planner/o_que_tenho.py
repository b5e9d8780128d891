"""`o que eu tenho?`: the appointments held where appointments are spoken of, a doctor's answer where complaints are."""

from __future__ import annotations

from typing import Final

from crivo.clinicas.orquestrador.linguagem.folding import fold
from crivo.clinicas.orquestrador.planner.conversa import own_bookings
from crivo.clinicas.orquestrador.planner.frase import Frase
from crivo.clinicas.orquestrador.planner.lexico import intention, symptom
from crivo.clinicas.orquestrador.planner.situacao import Saida, Situacao
from crivo.clinicas.orquestrador.planner.verdade import asked_of_what_was_done, told_truly

_OF_WHAT_IS_HELD: Final = frozenset({"cancelar", "cancelou", "mudar", "mudar_alvo"})


def asks_what_is_held(sentence: Frase, situacao: Situacao) -> bool:
    """Whether a bare `o que eu tenho?` asks for the appointments held: one was made, changed, cancelled or is being spoken of."""
    bare = intention("o_que_tenho").fullmatch(sentence.text.strip(" ,.;!?"))
    spoken_of = situacao.bookings or situacao.dialogue.feito is not None or situacao.pendente.assunto in _OF_WHAT_IS_HELD
    return bool(bare and spoken_of)


def what_is_held(situacao: Situacao, doctors_answer: Saida) -> list[Saida]:
    """The appointments held; and that only a doctor can tell, where the person spoke of a complaint before."""
    complained = any(symptom("sintoma").search(fold(said)) for said in situacao.dialogue.utterances)
    return [own_bookings(situacao), *([doctors_answer] if complained else [])]


def decide_truth(sentence: Frase, situacao: Situacao) -> Saida | None:
    """The answer to such a question; None for any other message."""
    asked = asked_of_what_was_done(sentence, situacao.dialogue)
    return told_truly(asked, situacao) if asked is not None else None
