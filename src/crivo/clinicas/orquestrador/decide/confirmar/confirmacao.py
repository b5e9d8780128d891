"""Nothing that cannot be taken back is done on a guess: a cancellation or a change that was typed is said back, and done after a yes.

Source: design, "Nothing irreversible on a guess". It stands behind every planner, so that a model's plan is asked about as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from crivo.clinicas.ferramentas import CANCELAR, REMARCAR
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Offer, Plan, Step
from crivo.clinicas.orquestrador.decide import embutido
from crivo.clinicas.orquestrador.decide.confirmar.em_seguida import taken_up, waiting_with, without_the_cancelled
from crivo.clinicas.orquestrador.decide.confirmar.proposta import KEY, Planned, Proposto, proposed
from crivo.clinicas.orquestrador.decide.escutado import orders_nothing
from crivo.clinicas.orquestrador.decide.situacao import Pendente, read_pending, write_pending
from crivo.clinicas.orquestrador.entende.acordo import answer_in, begins_with_yes, consists_of, draws_back
from crivo.clinicas.orquestrador.entende.criterios import Criterios, holds, without
from crivo.clinicas.orquestrador.entende.frase import Frase, read_sentence
from crivo.clinicas.orquestrador.entende.lexico import accord
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.linguagem.botoes import cancel_message
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.passos import exchange, offer_of
from crivo.kernel.linguagem.fala import fold

Ato = tuple[Literal["cancelar", "mudar", "marcar", "passar"], Booking, Booking]


_ANOTHER: Final = frozenset({"outro_medico", "outra_clinica", "outro_horario", "o_outro", "o_de_baixo", "o_de_cima"})


def waits_for_yes(pending: Mapping[str, str]) -> bool:
    """Whether one thing was proposed, which a yes takes."""
    return proposed(pending) is not None or read_pending(pending).proposta is not None


def spoken_of(*pending: Mapping[str, str]) -> tuple[Offer, ...]:
    """The slots that proposals and changes begun name, so that they may be said though no clinic answered them."""
    waiting = [one for one in map(proposed, pending) if one is not None]
    changing = [held for held in (read_pending(one).consulta for one in pending) if held is not None]
    return tuple(
        offer_of(booking) for booking in (*(booking for one in waiting for act in acts_of(one.steps) for booking in act[1:]), *changing)
    )


def hold(made: Planned, utterance: str, dialogue: Dialogue) -> Planned:
    """A plan without what it cancels or changes, which is asked about instead; a button that names the act is the act."""
    held, gone = undoing(made[0].steps), _cancelled_alone(made[0].steps)
    plan, pending = made = without_the_cancelled(made, _known(gone, dialogue.bookings), utterance, dialogue) if gone else made
    if not held or _is_button(utterance, dialogue) or _was_proposed(held, utterance, dialogue):
        return made
    texts, before = Mensagens.of(plan.idioma, dialogue), proposed(dialogue.pending)
    asked = question(held, texts, dialogue.bookings)
    if before is not None and _keys(before.steps) == _keys(held):
        if not _orders_again(utterance, before):
            return msgspec.structs.replace(plan, steps=tuple(step for step in plan.steps if step not in held)), pending
        asked = texts.say("ainda_nao", pergunta=asked)
    kept = tuple(step for step in plan.steps if step not in held)
    memory = pending if kept or plan.pergunta else _memory(held, dialogue)
    depois, memoria = waiting_with(made, utterance, dialogue) if gone else (None, {})
    waiting = msgspec.json.encode(Proposto(held, fold(utterance), plan.idioma, depois=depois, memoria=memoria)).decode()
    told = "\n".join(one for one in (plan.pergunta, asked) if one)
    return msgspec.structs.replace(plan, steps=kept, pergunta=told), {**memory, KEY: waiting}


def heard(utterance: str, dialogue: Dialogue) -> Planned | None:
    """The plan of a message that answers what was proposed; None where it does not, or nothing was."""
    waiting = proposed(dialogue.pending)
    if waiting is None:
        return None
    if fold(utterance) == waiting.dito:
        return None  # the same message once more is no answer
    sentence = read_sentence(utterance)
    texts = Mensagens.of(waiting.idioma, dialogue)
    if waiting.troca and begins_with_yes(sentence, "sim_mudar") and accord("sim_mudar").search(sentence.text):
        return _agreed(msgspec.structs.replace(waiting, steps=waiting.troca, depois=None))
    match answer_in(sentence, *_verbs(waiting)):
        case "sim":
            return _agreed(waiting)
        case "nao":
            return Plan(fala=told_of("nada_feito", waiting.steps, texts, dialogue.bookings), idioma=waiting.idioma), {}
        case _ if _lets_go(sentence, waiting, dialogue) or _keeps(sentence, waiting, dialogue):
            return Plan(fala=told_of("nada_feito", waiting.steps, texts, dialogue.bookings), idioma=waiting.idioma), {}
        case _:
            return None if orders_nothing(utterance, dialogue) else _agreed_in_words(utterance, waiting, dialogue)


def _lets_go(sentence: Frase, waiting: Proposto, dialogue: Dialogue) -> bool:
    """Whether what is held is preferred to the change proposed: `desfaz essa mudança`, `prefiro o horário de antes`."""
    if "?" in sentence.text or any(kind != "mudar" for kind, *_ in acts_of(waiting.steps)):
        return False
    if not any(accord(name).search(sentence.text) for name in ("desfazer", "como_antes")):
        return False
    said = read(sentence, dialogue).nomeado
    told = without(said.criterios, "ordinais", "extremo", "ramos")
    return told.is_empty and not (said.falhas or said.medicos_desconhecidos or said.clinicas_desconhecidas or said.desloca)


def _keeps(sentence: Frase, waiting: Proposto, dialogue: Dialogue) -> bool:
    """Whether what would be cancelled shall be kept, and nothing else is said: `mudei de ideia, mantenha a de 29/07`."""
    acts, text = acts_of(waiting.steps), sentence.text
    if (
        "?" in text
        or any(kind != "cancelar" for kind, *_ in acts)
        or not accord("mantenha").search(text)
        or accord("sim_cancelar").search(text)
    ):
        return False
    said = read(sentence, dialogue).nomeado.criterios
    return not begins_with_yes(sentence) and all(_fits(said, act, dialogue) for act in acts)


def undoing(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps that cancel or change, and the bookings that they wait for."""
    gone = [step for step in steps if step.frees is not None]
    before = {one for step in gone for one in step.depends_on}
    return tuple(step for step in steps if step in gone or step.step_id in before)


def question(steps: tuple[Step, ...], texts: Mensagens, known: tuple[Booking, ...]) -> str:
    """The proposal said back, each appointment in full words, and whose it is by those that are `known`."""
    kinds = {kind for kind, *_ in acts_of(steps)}
    return told_of(f"confirma_{kinds.pop()}" if len(kinds) == 1 and len(acts_of(steps)) > 1 else "confirma", steps, texts, known)


def told_of(key: str, steps: tuple[Step, ...], texts: Mensagens, known: tuple[Booking, ...]) -> str:
    """A text about acts: of one act by its kind, of several by a list."""
    acts = [(kind, _known(old, known), _known(new, known) if new == old else new) for kind, old, new in acts_of(steps)]
    if len(acts) > 1:
        lines = (f"- {texts.say(f'linha_{kind}', antes=texts.booking(old), horario=texts.booking(new))}" for kind, old, new in acts)
        return texts.say(f"{key}_varios", lista="\n".join(lines))
    kind, old, new = acts[0]
    return texts.say(f"{key}_{kind}", antes=texts.booking(old), horario=texts.booking(new))


def acts_of(steps: tuple[Step, ...]) -> list[Ato]:
    """Each act with the appointment as it is and as it shall be."""
    by_id = {step.step_id: step for step in steps}
    changed = {one for step in steps for one in step.depends_on}
    acts: list[Ato] = []
    for step in steps:
        given = step.parameters
        if step.ferramenta is REMARCAR:
            old = Booking(step.clinic, given["doctor"], given["original_date"], given["original_time"])
            acts.append(("mudar", old, Booking(step.clinic, given["doctor"], given["new_date"], given["new_time"])))
        elif any(_is_passed_on(step, one) for one in steps):
            acts.append(("passar", _booking(step), _booking(step)))
        elif any(_is_passed_on(one, step) for one in steps):
            continue  # told with the cancellation that it waits for
        elif step.ferramenta is CANCELAR:
            new = next((by_id[one] for one in step.depends_on if one in by_id), None)
            acts.append(("mudar", _booking(step), _booking(new)) if new else ("cancelar", _booking(step), _booking(step)))
        elif step.step_id not in changed:
            acts.append(("marcar", _booking(step), _booking(step)))
    return acts


def _cancelled_alone(steps: tuple[Step, ...]) -> Booking | None:
    """The appointment that steps cancel, where that is the only one that they cancel or change."""
    acts = acts_of(undoing(steps))
    return acts[0][1] if len(acts) == 1 and acts[0][0] == "cancelar" else None


def _orders_again(utterance: str, before: Proposto) -> bool:
    """Whether a message asks once more for what waits for a yes: in the same words, or naming the act without a hesitation."""
    sentence = read_sentence(utterance)
    return fold(utterance) == before.dito or (accord("nomeia_ato").search(sentence.text) is not None and not draws_back(sentence))


def _is_passed_on(gone: Step, step: Step) -> bool:
    """Whether a step books, once it is given up, the very slot that is given up: it passes to another person."""
    return gone.ferramenta is CANCELAR and gone.step_id in step.depends_on and _booking(gone) == _booking(step)


def _verbs(waiting: Proposto) -> tuple[str, ...]:
    """The groups of words that agree to what is proposed by naming it."""
    return tuple(dict.fromkeys(f"sim_{kind}" for kind, *_ in acts_of(waiting.steps)))


def _known(told: Booking, known: tuple[Booking, ...]) -> Booking:
    """An appointment as the dialogue holds it, which tells whose it is."""
    return next((one for one in known if one.vaga == told.vaga), told)


def _booking(step: Step) -> Booking:
    return Booking(step.clinic, step.parameters["doctor"], step.parameters["date"], step.parameters["time"])


def _memory(held: tuple[Step, ...], dialogue: Dialogue) -> dict[str, str]:
    """What to remember beside a proposal, so that `não, a de quinta` is read as another answer to the same wish."""
    acts = acts_of(held)
    kinds = {kind for kind, *_ in acts}
    old = next((one for one in dialogue.bookings if one.vaga == acts[0][1].vaga), None)
    if kinds == {"mudar"} and len(acts) == 1 and old is not None:
        return write_pending(Pendente("mudar_alvo", proposito="mudar", consulta=old))
    spoken_of = old if len(acts) == 1 else None
    return write_pending(Pendente("cancelar", consulta=spoken_of)) if kinds == {"cancelar"} and old is not None else {}


def _is_button(utterance: str, dialogue: Dialogue) -> bool:
    """Whether a message is, word for word, what the button of a held appointment says; the page asks before it is pressed."""
    said = fold(utterance.strip())
    return any(said == fold(cancel_message(one, dialogue.registro)) for one in dialogue.bookings)


def _was_proposed(held: tuple[Step, ...], utterance: str, dialogue: Dialogue) -> bool:
    """Whether a yes takes the only slot that was listed for a change, in the place of the appointment told with it."""
    pending = read_pending(dialogue.pending)
    listed = (
        pending.assunto == "listado"
        and pending.perguntado
        and not pending.largado
        and pending.proposito == "mudar"
        and pending.consulta is not None
        and len(dialogue.offers) == 1
    )
    if not listed or pending.consulta is None or _keys(held) != _keys(exchange(pending.consulta, dialogue.offers[0])):
        return False
    sentence = read_sentence(utterance)
    return answer_in(sentence, "sim_mudar", "sim_marcar") == "sim" or begins_with_yes(sentence, "sim_mudar", "sim_marcar")


def _agreed(waiting: Proposto, more: Plan | None = None) -> Planned:
    gone = [old for kind, old, _ in acts_of(waiting.steps) if kind == "cancelar"]
    memory = write_pending(Pendente("cancelou", consulta=gone[0] if len(gone) == 1 else None)) if gone else {}
    if more is None:
        return taken_up(waiting, memory)
    last = max(step.step_id for step in waiting.steps)
    besides = tuple(
        msgspec.structs.replace(step, step_id=step.step_id + last, depends_on=tuple(one + last for one in step.depends_on))
        for step in more.steps
        if step not in undoing(more.steps)
    )
    return msgspec.structs.replace(more, steps=(*waiting.steps, *besides)), memory


def _agreed_in_words(utterance: str, waiting: Proposto, dialogue: Dialogue) -> Planned | None:
    """A yes that says again what is to be done, or only tells which one it is; None where it says anything else."""
    bare = msgspec.structs.replace(dialogue, pending={name: value for name, value in dialogue.pending.items() if name != KEY})
    own, _ = embutido.plan(utterance, bare)
    sentence = read_sentence(utterance)
    if own.recusa is not None or "?" in sentence.text:
        return None
    if first := _first_of(utterance, waiting, dialogue):
        return _agreed_in_words(first, waiting, dialogue)
    if accord("recua").search(sentence.text):
        return None
    said = read(sentence, dialogue).leitura
    if said.referencias & _ANOTHER:
        return None  # `quero outra médica` wants, and not what was proposed
    names = _tells_which(said.criterios, sentence) or any(accord(verb).search(sentence.text) for verb in _verbs(waiting))
    if names and undoing(own.steps) and _keys(undoing(own.steps)) <= _keys(waiting.steps):
        meant = tuple(step for step in waiting.steps if _key(step) in _keys(undoing(own.steps)))
        return _agreed(msgspec.structs.replace(waiting, steps=meant), own)
    if not begins_with_yes(sentence, *_verbs(waiting)):
        return None
    if said.falhas or said.medicos_desconhecidos or said.clinicas_desconhecidas or said.ausentes or not said.excluidos.is_empty:
        return None
    told = without(said.criterios, "ordinais", "extremo", "ramos")
    books = all(kind == "marcar" for kind, *_ in acts_of(waiting.steps))
    if told.is_empty and not books and not consists_of(sentence.text, "sim", "motivo_do_sim", *_verbs(waiting), "resto"):
        return None  # `sim, eu vou` agrees to a booking, and to no cancelling
    fits = not undoing(own.steps) and all(_fits(told, act, dialogue) for act in acts_of(waiting.steps))
    return _agreed(waiting) if fits or _tells_what_stays(sentence, told, waiting, dialogue) else None


def _tells_which(said: Criterios, sentence: Frase) -> bool:
    """Whether words tell which appointment is meant; a specialty that points at none (`dermato amanhã`) may as well be a new wish."""
    new = said.especialidades and not (said.medicos or said.clinicas or accord("aponta_consulta").search(sentence.text))
    return not said.is_empty and not new


_SENTENCE_ENDS: Final = re.compile(r"(?<!\bdr)(?<!\bdra)[.;!\n]+\s+", re.IGNORECASE)


def _first_of(utterance: str, waiting: Proposto, dialogue: Dialogue) -> str:
    """The first sentence of an answer whose others are of somebody else: `isso, muda a da Marta. O Ramiro eu vejo depois`; else empty."""
    first, *others = _SENTENCE_ENDS.split(utterance.strip(), maxsplit=1)
    if not others:
        return ""
    sentence = read_sentence(others[0])
    said = read(sentence, dialogue).leitura
    scope = Criterios(said.criterios.especialidades, medicos=said.criterios.medicos, clinicas=said.criterios.clinicas)
    other = scope.has_scope and not any(_fits(scope, act, dialogue) for act in acts_of(waiting.steps))
    return first if other and not accord("nao").search(sentence.text) else ""


def _tells_what_stays(sentence: Frase, told: Criterios, waiting: Proposto, dialogue: Dialogue) -> bool:
    """Whether a yes to cancelling tells all that is left then: `sim, só a da Dra. Norma`."""
    acts = acts_of(waiting.steps)
    if any(kind != "cancelar" for kind, *_ in acts) or not (told.has_scope and accord("apenas").search(sentence.text)):
        return False
    left = [one for one in dialogue.bookings if not any(one.vaga == old.vaga for _, old, _ in acts)]
    return bool(left) and all(_fits(told, ("cancelar", one, one), dialogue) for one in left)


def _fits(told: Criterios, act: Ato, dialogue: Dialogue) -> bool:
    """Whether what was told is of the appointment as it is, or as it shall be."""
    known = [dialogue.registro.find(one.clinic) for one in act[1:]]
    each = zip(act[1:], known, strict=True)
    return any(holds(told, offer_of(one), clinica.especialidade if clinica else "") for one, clinica in each)


def _keys(steps: tuple[Step, ...]) -> frozenset[tuple[str, ...]]:
    return frozenset(_key(step) for step in steps)


def _key(step: Step) -> tuple[str, ...]:
    return (step.clinic, step.action, *(f"{name}={value}" for name, value in sorted(step.parameters.items())))
