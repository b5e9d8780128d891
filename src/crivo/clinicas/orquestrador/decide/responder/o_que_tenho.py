"""`o que eu tenho?`: the appointments held where appointments are spoken of, a doctor's answer where complaints are; `perdi o código`."""

from __future__ import annotations

from typing import Final

from crivo.clinicas.orquestrador.decide.conversa import own_bookings
from crivo.clinicas.orquestrador.decide.responder.verdade import asked_of_what_was_done, told_truly
from crivo.clinicas.orquestrador.decide.situacao import Saida, Situacao, let_go
from crivo.clinicas.orquestrador.entende.acordo import consists_of
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import accord, intention, symptom
from crivo.clinicas.orquestrador.pessoa import whom_to_call
from crivo.kernel.linguagem.fala import fold

_READ: Final = ("resto", "resto_do_feito", "sim")
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


def decide_lost_code(sentence: Frase, situacao: Situacao) -> Saida | None:
    """What is said to whoever has no code of an appointment, or wants it told again; None for any other message.

    Where what they hold is known, no code is wanted. A message that also asks for something else is answered by that.
    """
    text = sentence.text
    if situacao.dialogue.papel != "paciente" or not consists_of(
        text, "fala_do_codigo", "nao_tem_codigo", "tem_consulta", "pede_saber", *_READ
    ):
        return None
    if not accord("nao_tem_codigo").search(text):
        return None
    texts, held = situacao.mensagens, situacao.dialogue.bookings
    told = [texts.say("codigo_dispensado", lista=texts.bookings(held)) if held else whom_to_call(texts.idioma, texts.registro)]
    said = "\n".join(line for line in (texts.say("codigo_perdido"), *told) if line)
    return Saida(fala=said, pendente=let_go(situacao.pendente))


def decide_truth(sentence: Frase, situacao: Situacao) -> Saida | None:
    """The answer to such a question; None for any other message."""
    asked = asked_of_what_was_done(sentence, situacao.dialogue)
    return told_truly(asked, situacao) if asked is not None else None
