"""The embedded planner: code alone, no model. It runs without a key, and when the model is down."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from crivo.clinicas.ferramentas import MARCAR, VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Dialogue, Idioma, Plan, Step
from crivo.clinicas.orquestrador.decide.buscas import held_to_preferences
from crivo.clinicas.orquestrador.decide.cancelar import as_an_answer, decide_cancel, tells_which
from crivo.clinicas.orquestrador.decide.continuar import decide_more, decide_numbers, decide_settled
from crivo.clinicas.orquestrador.decide.conversa import not_understood, own_bookings, says_nothing, small_talk
from crivo.clinicas.orquestrador.decide.correcao import (
    cancel_or_move,
    decide_correction,
    gives_up,
    is_change,
    without_a_booking,
    without_what_stays,
)
from crivo.clinicas.orquestrador.decide.de_cada import decide_each
from crivo.clinicas.orquestrador.decide.listar import decide_list
from crivo.clinicas.orquestrador.decide.marcar import decide_booking, decide_several
from crivo.clinicas.orquestrador.decide.ordem import answer_about, orders_in
from crivo.clinicas.orquestrador.decide.outra_semana import counted_on
from crivo.clinicas.orquestrador.decide.outro_momento import decide_other_moment
from crivo.clinicas.orquestrador.decide.pessoas.de_quem import asks_of_the_patient, nothing_of, of_whom
from crivo.clinicas.orquestrador.decide.pessoas.nova_pessoa import for_another, shown_for_another, starts_anew
from crivo.clinicas.orquestrador.decide.por_especialidade import by_specialty
from crivo.clinicas.orquestrador.decide.responder.informacoes import find_question
from crivo.clinicas.orquestrador.decide.responder.informar import inform
from crivo.clinicas.orquestrador.decide.responder.o_que_tenho import asks_what_is_held, decide_lost_code, decide_truth, what_is_held
from crivo.clinicas.orquestrador.decide.responder.pacientes import decide_patients
from crivo.clinicas.orquestrador.decide.responder.quadro import decide_doctors
from crivo.clinicas.orquestrador.decide.responder.recusas import Recusa, find_refusal
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao, situation_of, write_pending
from crivo.clinicas.orquestrador.decide.tirar import decide_drop
from crivo.clinicas.orquestrador.entende.atos import Ato, find_acts, sharing_the_day
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios, without
from crivo.clinicas.orquestrador.entende.frase import Frase, blanked, read_sentence
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.juntar import belonging_together, with_complaints
from crivo.clinicas.orquestrador.entende.lexico import intention
from crivo.clinicas.orquestrador.entende.pessoas.dados_pessoais import without_personal
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import spoken_for
from crivo.clinicas.orquestrador.folego import CPU_SECONDS, SemFolego, breath
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.passos import book


class EmbeddedPlanner:
    """The planner behind `contracts.Planner` that runs on code alone."""

    def __init__(self, cpu_seconds: float = CPU_SECONDS) -> None:
        """`cpu_seconds`: the processor time that a plan may take."""
        self._cpu_seconds = cpu_seconds

    async def plan(self, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
        """The plan of a turn, and the `pending` to remember for the next."""
        return plan(utterance, dialogue, self._cpu_seconds)


def plan(utterance: str, dialogue: Dialogue, cpu_seconds: float = CPU_SECONDS) -> tuple[Plan, dict[str, str]]:
    """The plan of a turn and what to remember; a plain question and nothing done where reading takes longer than it may."""
    idioma = language_of(utterance, dialogue.utterances)
    try:
        with breath(cpu_seconds):
            return plan_in(idioma, utterance, dialogue)
    except SemFolego:
        asked = Mensagens.of(idioma, dialogue).say("dificil_de_ler")
        return Plan(pergunta=asked, idioma=idioma), dict(dialogue.pending)


def plan_in(idioma: Idioma, utterance: str, dialogue: Dialogue) -> tuple[Plan, dict[str, str]]:
    """The same, with what is said back in a language that is known already."""
    para = spoken_for(utterance, dialogue)
    others = shown_for_another(dialogue, para)
    dialogue = msgspec.structs.replace(starts_anew(dialogue, para), para=para)
    situacao = situation_of(dialogue, Mensagens.of(idioma, dialogue), de_outra=others)
    sentence = read_sentence(utterance)
    saidas = _decide(sentence, situacao)
    return _together(saidas, situacao)


def prepare(dialogue: Dialogue) -> None:
    """Compiles every expression of the lexicons, so that the first person to speak does not wait for it."""
    for utterance in ("quero marcar", "tem cardiologista dia 18 às 10h?", "muda a consulta da Dra. Fulana", "qual o primeiro paciente?"):
        plan(utterance, dialogue)


def _decide(sentence: Frase, situacao: Situacao) -> list[Saida]:
    taken_out = decide_drop(sentence.original, situacao)
    if taken_out:
        return taken_out
    without_code = decide_lost_code(sentence, situacao)
    if without_code:
        return [without_code]
    refused = find_refusal(sentence, situacao.dialogue, situacao.contexto)
    if refused and refused.whole:
        return [_refuse(refused, situacao)]
    if refused and refused.motivo == "R3" and asks_what_is_held(sentence, situacao):
        return what_is_held(situacao, _refuse(refused, situacao))
    if refused is None and asks_of_the_patient(sentence, situacao.dialogue):
        return [own_bookings(situacao)]
    about = decide_truth(sentence, situacao) or answer_about(find_acts(sentence, situacao.contexto), sentence, situacao)
    if about is not None and (refused is None or refused.motivo == "escopo"):
        return [about]
    if refused:
        start, end = _clause(sentence.text, refused)
        rest = blanked(sentence, start, end + sentence.text.startswith("?", end))
        asked = find_question(rest, situacao.contexto, holds=bool(situacao.bookings))
        rest = asked.resto if asked else rest
        kept = [act for act in orders_in(find_acts(rest, situacao.contexto), rest) if _is_plain(act)]
        done = _acts(rest, kept, situacao)
        return [*([inform(asked, situacao, done)] if asked else []), *done, _refuse(refused, situacao)]
    numbers = decide_numbers(sentence, situacao)  # before figures in a row are taken for a telephone's
    if numbers:
        return [numbers]
    sentence = without_personal(sentence, situacao.dialogue)
    asked = find_question(sentence, situacao.contexto, holds=bool(situacao.bookings))
    if asked is None:
        return [*_of_nearness(sentence, situacao), *_understood(sentence, situacao)]
    beside = [saida for saida in _understood(asked.resto, situacao) if _does(saida, situacao)] if asked.resto.words else []
    return [inform(asked, situacao, beside), *beside]


def _of_nearness(sentence: Frase, situacao: Situacao) -> list[Saida]:
    """That it is not known what is near, where something near a place is asked for."""
    asks = intention("perto_de").search(sentence.text)
    return [Saida(fala=situacao.mensagens.say("perto_nao_sei"), pendente=situacao.pendente)] if asks else []


def _does(saida: Saida, situacao: Situacao) -> bool:
    """Whether it is more than courtesy or a question what was meant, which a question about a clinic already is not."""
    return bool(saida.steps or (saida.pergunta and saida.pergunta != situacao.mensagens.say("nao_entendi")))


def _understood(sentence: Frase, situacao: Situacao) -> list[Saida]:
    acts = orders_in(find_acts(sentence, situacao.contexto), sentence)
    more = decide_more(sentence, acts, situacao)
    if more:
        return more
    other = decide_other_moment(sentence, situacao)
    if other:
        return other
    doctors = decide_doctors(sentence, situacao)
    if doctors and situacao.dialogue.papel == "paciente":
        return [doctors]
    patients = decide_patients(sentence, situacao.contexto, situacao, acts)
    if patients:
        return [patients]
    if situacao.dialogue.papel == "operador" and intention("dele").search(sentence.text):
        return [own_bookings(situacao)]
    small = small_talk(sentence, acts, situacao)
    if small:
        return [small]
    understood = [act for act in acts if not says_nothing(act, sentence, situacao)]
    return _acts(sentence, understood, situacao) or [not_understood(sentence, situacao)]


def _refuse(refused: Recusa, situacao: Situacao) -> Saida:
    return Saida(recusa=refused.motivo, fala=situacao.mensagens.say(refused.motivo), pendente=situacao.pendente)


_CLAUSE_BEGINS: Final = re.compile(r"[,.;!?]|\b(?:e|mas|and|but|y|pero)\b")
_CLAUSE_ENDS: Final = re.compile(
    r"[.;!?]|,\s*(?:quero|queria|marca|agenda|tem|gostaria|preciso)\b|\b(?:e|mas|and|but|y|pero)\s+(?:quero|queria|"
    r"marca|agenda|cancela|remarca|gostaria|book|want)\b"
)


def _clause(text: str, refused: Recusa) -> tuple[int, int]:
    """The clause that what is refused stands in."""
    before = [match.start() for match in _CLAUSE_BEGINS.finditer(text, 0, refused.start)]
    after = _CLAUSE_ENDS.search(text, refused.end)
    return (before[-1] if before else 0), (after.start() if after else len(text))


def _is_plain(act: Ato) -> bool:
    """Whether an act beside something refused is asked for in so many words, so that it is done all the same."""
    criterios = act.leitura.criterios
    told = bool(
        (criterios.medicos or criterios.clinicas) and (criterios.dias or criterios.horas or criterios.ordinais or criterios.extremo)
    )
    return (
        told
        or act.tipo in {"cancelar", "mudar"}
        or (act.tipo != "escolher" and criterios.has_scope)
        or (act.has_verb and not criterios.is_empty)
    )


def _acts(sentence: Frase, acts: list[Ato], situacao: Situacao) -> list[Saida]:
    saidas: list[Saida] = []
    inherited = VAZIO
    whole = with_complaints(without_what_stays(belonging_together(acts, sentence), situacao))
    parted = [one for act in whole for one in by_specialty(sentence, act, situacao)]
    for act in sharing_the_day([counted_on(as_an_answer(one, sentence, situacao), situacao) for one in parted]):
        done = nothing_of(sentence, act, situacao) or _one_act(
            sentence, *for_another(sentence, act, of_whom(sentence, act, situacao)), inherited
        )
        saidas.append(held_to_preferences(done, act.leitura.criterios, situacao))
        if act.leitura.criterios.has_scope:
            inherited = _scope(act.leitura.criterios)
    return [saida for saida in saidas if not _is_needless(saida, saidas, situacao)]


def _is_needless(saida: Saida, saidas: list[Saida], situacao: Situacao) -> bool:
    """Whether it only lists slots of a specialty in which the same message books one told in full."""
    booked = {situacao.specialty_of(step.clinic) for one in saidas for step in one.steps if step.ferramenta is MARCAR}
    lists = bool(saida.steps) and all(step.ferramenta is VER_HORARIOS for step in saida.steps)
    return lists and not saida.pergunta and {situacao.specialty_of(step.clinic) for step in saida.steps} <= booked


def _scope(criterios: Criterios) -> Criterios:
    return without(criterios, "dias", "horas", "numeros", "ordinais", "extremo")


def _one_act(sentence: Frase, act: Ato, situacao: Situacao, inherited: Criterios) -> Saida:
    pending = situacao.pendente
    act = without_a_booking(sentence, act, situacao)
    if act.tipo == "minhas":
        return own_bookings(situacao)
    settled = decide_settled(sentence, act, situacao)
    if settled:
        return settled
    if act.tipo == "cancelar":
        return decide_cancel(act, situacao)
    goes_on = (pending.assunto == "cancelar" and tells_which(act, sentence, situacao)) or (pending.assunto == "cancelou" and act.tambem)
    if goes_on and (act.tipo == "escolher" or act.tambem) and act.tipo != "marcar" and (situacao.bookings or pending.assunto == "cancelar"):
        return decide_cancel(act, situacao)
    if act.tipo == "mudar" or is_change(act, situacao):
        return decide_correction(act, situacao)
    each = decide_each(act, sentence, situacao)
    if each is not None:
        return each
    several = decide_several(act, sentence, situacao.contexto, situacao) if act.tipo in {"marcar", "escolher"} else ()
    if several:
        return Saida(steps=tuple(book(offer, index) for index, offer in enumerate(several, 1)))
    if act.tipo == "listar" or _asks_on(act, sentence, pending) or (act.pergunta and not act.has_verb and _only_scope(act)):
        return decide_list(act.leitura, situacao, inherited)
    if act.tipo == "escolher" and situacao.bookings and gives_up(act, situacao):
        return cancel_or_move(situacao)
    return decide_booking(act, situacao, inherited)


_AND_THEN: Final = re.compile(r"\W*(?:e|and|y)\s")


def _asks_on(act: Ato, sentence: Frase, pending: Pendente) -> bool:
    """Whether a bare `e dia 16` goes on with the question that was asked before of another day."""
    asked, said = pending.criterios, act.leitura.criterios
    bare = act.tipo == "escolher" and not (act.has_verb or said.has_scope or said.horas or said.ordinais or act.tambem)
    return bare and pending.assunto == "listado" and bool(asked.dias and said.dias) and bool(_AND_THEN.match(sentence.text, act.start))


def _only_scope(act: Ato) -> bool:
    criterios = act.leitura.criterios
    return not criterios.ordinais and not criterios.numeros and not act.leitura.referencias & {"este"}


def _together(saidas: list[Saida], situacao: Situacao) -> tuple[Plan, dict[str, str]]:
    """What the acts come to, as one plan: steps numbered on and none twice, questions and words one after the other."""
    steps: list[Step] = []
    for saida in saidas:
        steps += _numbered_on(saida.steps, steps)
    questions = dict.fromkeys(saida.pergunta for saida in saidas if saida.pergunta)
    if not steps and not questions and not any(saida.fala for saida in saidas):
        questions = {situacao.mensagens.say("nao_entendi"): None}
    words = dict.fromkeys(saida.fala for saida in saidas if saida.fala)
    refused = next((saida.recusa for saida in saidas if saida.recusa), None)
    asked = next((saida for saida in saidas if saida.pergunta), saidas[-1])
    remembered = (
        asked.pendente
        if asked.pendente != Pendente()
        else next((saida.pendente for saida in reversed(saidas) if saida.pendente != Pendente()), Pendente())
    )
    if remembered is situacao.pendente and remembered != Pendente():
        remembered = msgspec.structs.replace(remembered, perguntado=False)  # it is kept, and the reply is about something else
    return (
        Plan(
            tuple(steps),
            pergunta="\n".join(questions) or None,
            recusa=refused,
            fala="\n".join(words) or None,
            idioma=situacao.mensagens.idioma,
            buscas=tuple(dict.fromkeys(busca for saida in saidas for busca in saida.buscas)),
            mais=any(saida.mais for saida in saidas),
            ofertas=next((saida.ofertas for saida in saidas if saida.ofertas), ()),
        ),
        write_pending(remembered),
    )


def _numbered_on(steps: Iterable[Step], before: list[Step]) -> list[Step]:
    known = {_key(step) for step in before}
    shift = max((step.step_id for step in before), default=0)
    return [
        msgspec.structs.replace(step, step_id=step.step_id + shift, depends_on=tuple(one + shift for one in step.depends_on))
        for step in steps
        if _key(step) not in known
    ]


def _key(step: Step) -> tuple[str, str, tuple[tuple[str, str], ...]]:
    return step.clinic, step.action, tuple(sorted(step.parameters.items()))
