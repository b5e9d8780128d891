"""Wishes for several people in one message: each person's is taken up by itself, so that nobody is booked what is another's.

Source: design, "Who the appointment is for". Where they cannot be kept apart, nothing is done and it is asked to begin with one.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from crivo.clinicas.ferramentas import MARCAR
from crivo.clinicas.orquestrador.contracts import Dialogue, Plan, Value
from crivo.clinicas.orquestrador.decide.confirmar.proposta import Planned, proposed
from crivo.clinicas.orquestrador.decide.pessoas.quem_e import is_a_name, looks_into, says_no_more
from crivo.clinicas.orquestrador.decide.responder.recusas import find_refusal
from crivo.clinicas.orquestrador.entende.acordo import answer_in, begins_with_yes
from crivo.clinicas.orquestrador.entende.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.mencoes import Mencao
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.entende.momentos.horas_de_cada import hours_of_each
from crivo.clinicas.orquestrador.entende.pessoas.identidade import find_named
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import related, told_for
from crivo.clinicas.orquestrador.entende.uma_frase import places, written
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.kernel.linguagem.identificadores import CPF_WRITTEN

KEY: Final = "outra_pessoa_depois"
_WISHES: Final = frozenset({"marcar", "escolher", "listar"})
_AND: Final = re.compile(r"\b(?:e|and|y)\b(?!\s+(?:meia|quinze|trinta|\d))|[,;.]\s")
_LED: Final = re.compile(r"(?:\b(?:e|and|y)|[,;.])\s+(?:(?:uma?|outr[oa])\s+)?$")
_JOINED: Final = re.compile(r"\s*,?\s*(?:(?:e|and|y)\s+)?(?:(?:tambem|uma?|outr[oa]|also|too)\s+){0,2}")


class Depois(Value, frozen=True):
    """What a message wished for another person, in its own words, taken up after the first; `perguntado` tells that it was asked about."""

    texto: str
    quem: str = ""
    perguntado: bool = False


class Vez(Value, frozen=True):
    """What of a message is planned now; `depois` is what waits, `comeca` that it was parted by this message, `junto` that it cannot be.

    `recusado` tells that what waited was asked about and declined.
    """

    texto: str
    dialogue: Dialogue
    depois: Depois | None = None
    comeca: bool = False
    junto: bool = False
    recusado: bool = False


def whose_turn(utterance: str, dialogue: Dialogue) -> Vez:
    """The part of a message that is of one person; what waits for another where that is agreed to."""
    held = _held(dialogue)
    rest = msgspec.structs.replace(dialogue, pending={name: value for name, value in dialogue.pending.items() if name != KEY})
    if held is not None and held.perguntado:
        sentence = read_sentence(utterance)
        agrees = answer_in(sentence, "sim_marcar") == "sim" or begins_with_yes(sentence, "sim_marcar")
        said = held.texto if agrees or _is_theirs(sentence, held, dialogue) else _with_who(utterance, held, dialogue)
        return Vez(said, rest, recusado=answer_in(sentence) == "nao")
    if dialogue.papel == "operador" or dialogue.paciente is None:
        return Vez(utterance, rest, held)
    each = hours_of_each(read_sentence(utterance), dialogue) if _wishes_or_chooses(utterance, dialogue) else ()
    if each and len(set(CPF_WRITTEN.findall(utterance))) < 2:
        return _in_turns(utterance, each, msgspec.structs.replace(dialogue, pending=rest.pending), held)
    if not _only_wishes(utterance, dialogue):
        return Vez(utterance, rest, held)
    if len(set(CPF_WRITTEN.findall(utterance))) > 1:
        return Vez(utterance, rest, junto=True)
    parts = _parted(read_sentence(utterance), dialogue)
    if len(parts) != 2:
        return Vez(utterance, rest, held, junto=len(parts) == 1)
    first, second = parts
    return Vez(first, rest, Depois(second, told_for(read_sentence(second), dialogue) or ""), comeca=True)


def _in_turns(utterance: str, each: tuple[str, ...], dialogue: Dialogue, held: Depois | None) -> Vez:
    """The first of two people's hours, the other's kept; all of it asked about where they cannot be parted."""
    if len(each) != 2:
        return Vez(utterance, dialogue, junto=True)
    second = read_sentence(each[1])
    quem = told_for(second, dialogue) or ""
    if quem and quem not in {one.nome for one in dialogue.pessoas}:
        quem = related(second, 0, len(second.text)) or quem  # a name that is not known yet is not said back
    before, known = dialogue.para, dialogue.pessoas
    if accord("para_ela").fullmatch(f"para {quem}"):
        texts = Mensagens.of(language_of(utterance, dialogue.utterances), dialogue)
        told = (before.nome or before.quem) if before is not None else known[0].nome if len(known) == 1 else held.quem if held else ""
        quem = told or texts.say("outra_pessoa")
    return Vez(each[0], dialogue, Depois(_on_the_same_day(each[1], second, dialogue), quem), comeca=True)


def _on_the_same_day(text: str, sentence: Frase, dialogue: Dialogue) -> str:
    """What waits with the one day that was looked for, where it tells none: `eu às 9 e ele às 10`, of Friday's."""
    days = {busca.quer.day for busca in dialogue.preferencias.buscas}
    day = next(iter(days)) if len(days) == 1 else None
    if day is None or any(one.field == "dias" for one in read(sentence, dialogue).mencoes):
        return text
    return f"dia {day[8:]}/{day[5:7]}, {text}"


def _is_theirs(sentence: Frase, held: Depois, dialogue: Dialogue) -> bool:
    """Whether a message only points at what waits for another person, at no other hour: `agora o dele às 10`."""
    who, kept = told_for(sentence, dialogue), read_sentence(held.texto)
    hours = [{one.value for one in read(each, dialogue).mencoes if one.field == "horas"} for each in (sentence, kept)]
    fields = {one.field for one in read(sentence, dialogue).mencoes}
    return who is not None and who == told_for(kept, dialogue) and hours[0] <= hours[1] and fields <= {"horas"} and "?" not in sentence.text


def _with_who(utterance: str, held: Depois, dialogue: Dialogue) -> str:
    """What waits, together with the name and the CPF that are all that a message tells; else the message."""
    named = find_named(utterance)
    only = named is not None and bool(named.cpf) and is_a_name(named.nome) and says_no_more(named.resto, dialogue)
    return f"{held.texto}, {utterance}" if only and held.quem else utterance


def answered(vez: Vez) -> Planned | None:
    """The question with which of several people to begin, or that what waited is not booked; None where there is more to plan."""
    idioma = language_of(vez.texto, vez.dialogue.utterances)
    texts = Mensagens.of(idioma, vez.dialogue)
    if vez.junto:
        return Plan(pergunta=texts.say("uma_pessoa_por_vez"), idioma=idioma), {}
    return (Plan(fala=texts.say("essa_nao_marquei"), idioma=idioma), dict(vez.dialogue.pending)) if vez.recusado else None


def with_the_next(made: Planned, vez: Vez) -> Planned:
    """A plan with what waits for another person remembered: told at first, and asked about once the first is booked."""
    (plan, pending), depois = made, vez.depois
    if depois is None:
        return made
    texts = Mensagens.of(plan.idioma, vez.dialogue)
    if vez.comeca:
        told = texts.say("primeiro_esta", quem=depois.quem) if depois.quem else texts.say("primeiro_esta_e_a_sua")
        plan = msgspec.structs.replace(plan, fala="\n".join(one for one in (plan.fala, told) if one))
    booked = any(step.ferramenta is MARCAR for step in plan.steps)
    if booked and not plan.pergunta and proposed(pending) is None:
        asked = texts.say("agora_a_de", quem=depois.quem) if depois.quem else texts.say("agora_a_sua")
        plan, depois = msgspec.structs.replace(plan, pergunta=asked), msgspec.structs.replace(depois, perguntado=True)
    return plan, {**pending, KEY: msgspec.json.encode(depois).decode()}


def _held(dialogue: Dialogue) -> Depois | None:
    try:
        return msgspec.json.decode(dialogue.pending[KEY], type=Depois)
    except (KeyError, msgspec.DecodeError, msgspec.ValidationError):
        return None


def _wishes_or_chooses(utterance: str, dialogue: Dialogue) -> bool:
    """Whether something new is wished for, or chosen among what was shown, and nothing of what is held."""
    acts = read(CPF_WRITTEN.sub(" ", utterance), dialogue).atos
    return "?" not in utterance and bool(acts) and all(act.tipo in _WISHES for act in acts)


def _only_wishes(utterance: str, dialogue: Dialogue) -> bool:
    """Whether something new is wished for in a specialty, and nothing of what is held or known of anybody."""
    message = read(CPF_WRITTEN.sub(" ", utterance), dialogue)
    sentence, acts = message.frase, message.atos
    named = any(act.leitura.criterios.has_scope for act in acts)
    plain = named and all(act.tipo in _WISHES for act in acts) and not looks_into(sentence.original, dialogue)
    return plain and find_refusal(sentence, dialogue) is None


def _parted(sentence: Frase, dialogue: Dialogue) -> tuple[str, ...]:
    """A message as one for each of two people; empty where it is for one, and one text alone where they do not stand apart in it."""
    people = _people(sentence)
    if len(people) != 2:
        return (sentence.original,) if len(people) > 2 else ()
    (start, end), (other, until) = people
    text, written = sentence.text, sentence.original
    if _JOINED.fullmatch(text, end, other):
        return (written,) if CPF_WRITTEN.search(written) else (_cut(sentence, end, until), _cut(sentence, start, other))
    found = read(sentence, dialogue).mencoes
    named = [one.start for one in found if one.field == "especialidades"]
    led = _LED.search(text[:other])
    if len(named) == 1 and named[0] < start and led is not None and led.start() >= end:
        return _cut(sentence, led.start(), len(text)), _cut(sentence, start, other)
    if len(named) != 2 or len({one.value for one in found if one.field == "especialidades"}) != 2:
        return ()
    order = [who for _, who in sorted([*((at, 0) for at in (start, other)), *((at, 1) for at in named)])]
    first = max(start, named[0])
    joints = [one.start() for one in _AND.finditer(text, first, max(other, named[1]) + 1)]
    joint = max((at for at in joints if at < min(other, named[1])), default=None)
    if any(one == two for one, two in itertools.pairwise(order)) or joint is None:
        return (written,)
    return _with_what_is_of_both(sentence, joint, max(until, named[1]), found)


def _with_what_is_of_both(sentence: Frase, joint: int, last: int, found: Sequence[Mencao]) -> tuple[str, ...]:
    """Both parts, the day or the hour told after the last of two people for the first as well where that one has none."""
    first, second = _cut(sentence, joint, len(sentence.text)), _cut(sentence, 0, joint)
    moments = [one for one in found if one.field in {"dias", "horas"}]
    before, after = [[one for one in moments if (one.start < joint) is early] for early in (True, False)]
    later = [one.start for one in after if one.start > last]
    days = [one for one in before if one.field == "dias"]
    if after and len(days) == 1 and all(one.field == "horas" for one in after):
        second = f"{second}, {written(sentence, days[0].start, days[0].end)}"  # `quinta às 9 … e às 11`: the same day
    if before or not later:
        return first, second
    tail = written(sentence, min(later), len(sentence.text))
    return (sentence.original,) if CPF_WRITTEN.search(tail) else (f"{first}, {tail}", second)


def _people(sentence: Frase) -> list[tuple[int, int]]:
    """Where two different people are told to be whom it is for; none where any is denied."""
    text = sentence.text
    if accord("nao_para_mim").search(text) or accord("nao_e").search(text):
        return []
    suits = [one.span() for one in accord("comodo_para_mim").finditer(text)]
    mine = [one.span() for one in accord("para_mim").finditer(text) if not any(at <= one.start() < end for at, end in suits)]
    others = {found.group(): one.span() for one in accord("para_outro_direto").finditer(text) if (found := _relation(one))}
    return sorted([*mine[:1], *others.values()]) if len(mine) < 2 else []


def _relation(found: re.Match[str]) -> re.Match[str] | None:
    return accord("dependentes").search(found.string, *found.span())


def _cut(sentence: Frase, start: int, end: int) -> str:
    """The message as written, without the words that begin in a span."""
    left, right = places(sentence, start, end)
    return f"{sentence.original[:left].rstrip()} {sentence.original[right:]}".strip(" ,;")
