"""What is no order though it names an act: a question about it, a supposition, what somebody else did, what is denied.

Source: design, "Nothing irreversible on a guess". Such a message is answered, and nothing is done or proposed for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.decide.situacao import Saida, Situacao
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.leitura import Leitura
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.feito import cancelled

Modo = Literal["ordem", "pergunta", "hipotese", "relato"]
_UNDOING: Final = frozenset({"cancelar", "mudar"})


def mode_of(act: Ato, sentence: Frase) -> Modo:
    """How an act is spoken of within its own stretch of the message."""
    text = sentence.text[act.start : act.end]
    before = sentence.text[: act.start]
    asked = sentence.text[act.end : act.end + 2].strip().startswith("?") or "?" in text
    if accord("pergunta_sobre_ato").search(text) or (act.tipo in _UNDOING and _rule_is_asked(sentence)):
        return "pergunta"
    if accord("suposicao").search(text) and (asked or act.tipo in _UNDOING) and not accord("manda").search(_rest(text)):
        return "pergunta" if act.tipo in _UNDOING else "hipotese"
    if act.tipo in _UNDOING and accord("ato_negado").search(text) and not _is_ordered_beside(text, act):
        return "relato"
    if act.tipo in _UNDOING and _is_told_by_others(act, sentence):
        return "relato"
    if act.tipo in _UNDOING and accord("ato_passado").search(text) and not accord("manda").search(text):
        return "relato"
    told = accord("ja_marcado").search(text) and not accord("manda").search(text) and act.tipo in {"escolher", "marcar"}
    return "relato" if told and not accord("manda").search(before) else "ordem"


def orders_in(acts: Iterable[Ato], sentence: Frase) -> list[Ato]:
    """The acts that are orders, or anything but an act that is done to an appointment; a booking only supposed asks what there is."""
    kept = []
    for act in acts:
        mode: Modo = "ordem" if act.tipo in {"listar", "minhas"} else mode_of(act, sentence)
        if mode in {"ordem", "hipotese"}:
            kept.append(act if mode == "ordem" else msgspec.structs.replace(act, tipo="listar", indaga=True))
    return kept


def answer_about(acts: Sequence[Ato], sentence: Frase, situacao: Situacao) -> Saida | None:
    """What is said where a message only speaks of an act; None where it asks for anything."""
    rule = _rule_is_asked(sentence) and accord("nomeia_ato").search(sentence.text) is not None
    denied = accord("ato_negado").search(sentence.text) is not None
    idle = ({"listar"} if rule else set()) | ({"escolher"} if denied else set())
    if any(act.tipo not in idle or act.leitura != Leitura() for act in orders_in(acts, sentence)):
        return None
    modes: set[str] = {mode_of(act, sentence) for act in acts} or ({"negado"} if denied else set())
    if not modes and not rule:
        return None
    texts = situacao.mensagens
    held = situacao.dialogue.bookings
    done = "" if rule or "pergunta" in modes else _done_before(sentence, situacao)
    key = "sobre_cancelar" if "pergunta" in modes or rule else "nada_foi_feito"
    if not rule and accord("relatado").search(sentence.text):
        key = "so_contado"
    said = done or texts.say(key)
    still = texts.say("continua_marcada", lista=texts.bookings(held)) if held else ""
    return Saida(fala="\n".join(part for part in (said, still) if part), pendente=situacao.pendente)


def _done_before(sentence: Frase, situacao: Situacao) -> str:
    """What was cancelled, where it was right before or it is asked: that nothing was done now would be heard as that it was not."""
    done, gone = situacao.dialogue.feito, cancelled(situacao.dialogue.feito)
    right_before = done is not None and done.ato == "cancelou" and done.turno == len(situacao.dialogue.utterances)
    heard = right_before or "?" in sentence.text
    return situacao.mensagens.say("o_que_cancelei", lista=situacao.mensagens.bookings(gone)) if gone and heard else ""


def _is_told_by_others(act: Ato, sentence: Frase) -> bool:
    """Whether the act is what somebody else said should be done: `o médico falou que era para eu desmarcar`; not the patient served."""
    told = (
        found
        for found in accord("relatado").finditer(sentence.text)
        if not accord("pede_o_paciente").search(sentence.text[: found.start()])
    )
    return any(found.start() < act.end and act.start < found.end() for found in told)


def _is_ordered_beside(text: str, act: Ato) -> bool:
    """Whether something is ordered beside what is denied: `não cancela, remarca`."""
    return not act.leitura.criterios.is_empty or accord("manda").search(accord("ato_negado").sub(" ", text)) is not None


def _rule_is_asked(sentence: Frase) -> bool:
    """Whether the message asks for a rule of cancelling or changing: until when, at what cost."""
    return accord("regra_do_ato").search(sentence.text) is not None


def _rest(text: str) -> str:
    """A text after the supposition that it begins with."""
    found = accord("suposicao").search(text)
    ends = [text.find(sign, found.end()) for sign in ",;."] if found else []
    return text[min((at for at in ends if at >= 0), default=len(text)) :]
