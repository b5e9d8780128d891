"""What of a model's plan is done. It may list, ask and refuse as it reads; a booking, a change or a cancellation is done only where code
reads the same in the person's words, and is else asked about: nothing is ever booked on a model's word alone. Where it hears no order and
code all but denies one, nothing is ordered.

Source: design, "What a plan holds"; blueprint rules 1, 2, 8, 9 and 10.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from crivo.clinicas.ferramentas import MARCAR, VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Dialogue, Offer, Plan, Step
from crivo.clinicas.orquestrador.decide.escolha import choose
from crivo.clinicas.orquestrador.decide.escutado import orders_nothing
from crivo.clinicas.orquestrador.decide.plan_check import asked_specialties, check_plan
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Situacao, read_pending, situation_of, write_pending
from crivo.clinicas.orquestrador.entende.criterios import VAZIO
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.medicos import name_parts
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.ferramentas import planned
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.trace import Achado, Report
from crivo.kernel.linguagem.fala import fold

_PLACED_BY: Final = frozenset({"outra_clinica", "mesma_clinica", "mesmo_medico"})
_STEPS_A_CLINIC: Final = 2
_COURTESIES: Final = ("saudacao", "agradecimento", "dispensa", "negacao", "ajuda")
_NO_SUCH_TIME: Final = ("data_passada", "data_inexistente", "data_contraditoria", "hora_inexistente", "data_duas_leituras")
_GIVES_UP: Final = frozenset({"cancelar", "mudar", "mudar_alvo"})

# What a model is told of a fault, once; what code mends without a loss (a clinic left out, a step said twice) is no reason to ask again.
_TOLD: Final[Mapping[Achado, str]] = {
    "acao_desconhecida": "Passo {passo}: a ação {valor} não está no catálogo.",
    "clinica_desconhecida": "Passo {passo}: a clínica {valor} não está no cadastro.",
    "medico_desconhecido": "Passo {passo}: o médico não é exatamente um dos que atendem em {valor}. Escreva o nome inteiro da lista.",
    "consulta_de_paciente_indevida": "Passo {passo}: a mensagem não pede {valor}; tire esse passo.",
    "passo_demais": "O passo {passo} passa do limite: dois passos por clínica bastam.",
    "escrita_sem_base": (
        "Passo {passo}: a mensagem não ordena {valor} com esse médico, esse dia e essa hora, nem escolhe esse horário entre os mostrados. "
        "Liste, pergunte ou corrija."
    ),
    "data_invalida": "O dia ou a hora da mensagem já passou, não existe ou se contradiz: `pergunta` `data`, sem passo.",
    "plano_vazio": "O plano veio vazio: diga um passo, uma `pergunta`, uma `fala` ou uma `recusa`.",
    "pedido_sem_plano": "A mensagem pede algo que as ferramentas fazem: planeje os passos, ou pergunte o que falta.",
}


class Acerto(msgspec.Struct, frozen=True):
    """What is left of a proposal, with what to remember and what was mended; `plan` is None where nothing of it stood."""

    plan: Plan | None
    pending: dict[str, str] = {}
    achados: tuple[Report, ...] = ()


def settle(proposed: Plan, pending: dict[str, str], own: tuple[Plan, dict[str, str]], utterance: str, dialogue: Dialogue) -> Acerto:
    """The plan to do out of what a model proposed; `own` is what the embedded planner makes of the same words."""
    situacao = situation_of(dialogue, Mensagens.of(proposed.idioma, dialogue))
    reports: list[Report] = []
    readable = msgspec.structs.replace(proposed, steps=tuple(_readable(proposed.steps, own[0], situacao, reports)))
    plan, mended = check_plan(readable, dialogue.registro, _specialties(readable, utterance, dialogue))
    reports += mended
    if proposed.provisorio:
        reports.append(Report("resposta_provisoria"))
    if not _writes(plan):
        if proposed.steps and not plan.steps:
            return Acerto(None, achados=tuple(reports))
        return _without_writes(plan, pending, own, utterance, situacao, reports)
    if _writes(plan) == _writes(own[0]):
        return Acerto(_on_own_writes(plan, own[0]), own[1], tuple(reports))
    if _moves_what_is_to_change(plan, own):
        return Acerto(plan, pending, tuple(reports))  # it is said back and asked about before it is done, as every change is
    reports += [Report("escrita_sem_base", step.step_id, step.action) for step in plan.steps if step.changes]
    return _asked_about(plan, own[0], utterance, situacao, reports)


def faults(proposed: Plan, own: tuple[Plan, dict[str, str]], utterance: str, dialogue: Dialogue) -> str | None:
    """Every fault that would cost a proposal a step, or all of it, in words for the model; None where it stands as it is."""
    if proposed.emergencia is not None:
        return None
    settled = settle(proposed, {}, own, utterance, dialogue)
    asked = settled.plan is not None  # an order that code does not read, and that is asked about, is no fault
    found = [one for one in settled.achados if one.achado in _TOLD and not (asked and one.achado == "escrita_sem_base")]
    told = (_TOLD[one.achado].format(passo=one.step_id, valor=one.valor) for one in found)
    return " ".join(dict.fromkeys(told)) or None


def _without_writes(
    plan: Plan, pending: dict[str, str], own: tuple[Plan, dict[str, str]], utterance: str, situacao: Situacao, reports: list[Report]
) -> Acerto:
    """A plan that only reads, asks or says: in the embedded planner's words, and with what it remembers, where both come to the same."""
    if not (plan.steps or plan.pergunta or plan.fala or plan.recusa):
        return Acerto(None, achados=(*reports, Report("plano_vazio")))
    if plan.steps and own[0].pergunta in {situacao.mensagens.say(key) for key in _NO_SUCH_TIME}:
        return Acerto(None, achados=(*reports, Report("data_invalida")))
    understood = own[0].pergunta != situacao.mensagens.say("nao_entendi")
    turned_away = plan.recusa == "escopo" or (plan.fala is not None and plan.recusa is None)
    is_wish = own[0].steps or (own[0].pergunta and understood and own[0].recusa is None)
    if turned_away and is_wish:  # what code understands is in scope, and asks for something
        if _only_speaks_of(own, utterance, situacao):
            told = Plan(fala=situacao.mensagens.say("sobre_cancelar"), idioma=plan.idioma, raciocinio=plan.raciocinio)
            return Acerto(told, dict(situacao.dialogue.pending), tuple(reports))
        if not _tells_what_is_held(plan, own[0], situacao):
            return Acerto(None, achados=(*reports, Report("pedido_sem_plano")))
    elif understood and (_alike(plan, own[0]) or (turned_away and _answers(own[0], situacao))):
        return Acerto(msgspec.structs.replace(own[0], raciocinio=plan.raciocinio), own[1], tuple(reports))
    return Acerto(plan, pending, tuple(reports))


def _alike(plan: Plan, own: Plan) -> bool:
    return _keys(plan.steps) == _keys(own.steps) and plan.recusa == own.recusa and bool(plan.pergunta) == bool(own.pergunta)


def _answers(own: Plan, situacao: Situacao) -> bool:
    """Whether the embedded planner answers what was asked, in words that say more than a refusal or a courtesy."""
    courtesies = {situacao.mensagens.say(key) for key in _COURTESIES}
    return bool(own.fala) and own.fala not in courtesies and own.recusa in {None, "escopo"} and not own.pergunta


def _only_speaks_of(own: tuple[Plan, dict[str, str]], utterance: str, situacao: Situacao) -> bool:
    """Whether code takes for an order to cancel or change what, by all that is heard in it, orders nothing: `e se o médico cancelar?`."""
    gives_up = any(step.frees is not None for step in own[0].steps) or read_pending(own[1]).assunto in _GIVES_UP
    return gives_up and orders_nothing(utterance, situacao.dialogue)


def _tells_what_is_held(plan: Plan, own: Plan, situacao: Situacao) -> bool:
    """Whether it tells the appointments held to whoever says one of them again, which code found among no slots."""
    held, texts = situacao.bookings, situacao.mensagens
    return bool(held) and plan.fala == texts.say("suas_consultas", lista=texts.bookings(held)) and own.pergunta == texts.say("nenhum")


def _on_own_writes(plan: Plan, own: Plan) -> Plan:
    """The embedded planner's plan, dependencies and words included, and what the model lists besides."""
    known = _keys(own.steps)
    last = max(step.step_id for step in own.steps)
    besides = [step for step in plan.steps if not step.changes and _key(step) not in known]
    more = tuple(msgspec.structs.replace(step, step_id=last + index, depends_on=()) for index, step in enumerate(besides, 1))
    return msgspec.structs.replace(own, steps=(*own.steps, *more), raciocinio=plan.raciocinio)


def _moves_what_is_to_change(plan: Plan, own: tuple[Plan, dict[str, str]]) -> bool:
    """Whether a plan books what code books too, and gives up for it the appointment that code hears is to change."""
    given_up = [step for step in plan.steps if step.frees is not None]
    booked = [step for step in plan.steps if step.books is not None]
    held = read_pending(own[1]).consulta
    if len(given_up) != 1 or len(booked) != 1 or held is None or given_up[0].frees != held.vaga:
        return False
    return given_up[0].depends_on == (booked[0].step_id,) and _writes(own[0]) == _keys(booked)


def _asked_about(plan: Plan, own: Plan, utterance: str, situacao: Situacao, reports: list[Report]) -> Acerto:
    """The question whether a slot that was shown is meant, where code understood no more than that something was to be asked."""
    offer = _only_offer(plan, situacao)
    unsure = own.pergunta is not None and own.recusa in {None, "escopo"} and not own.steps
    if offer is None or not unsure or not _may_be_meant(offer, utterance, situacao):
        return Acerto(None, achados=tuple(reports))
    texts = situacao.mensagens
    asked = texts.say("confirma_horario", horario=texts.offer(offer))
    memory = write_pending(Pendente("confirmar", VAZIO, proposta=offer))
    return Acerto(Plan(pergunta=asked, idioma=plan.idioma, raciocinio=plan.raciocinio), memory, tuple(reports))


def _only_offer(plan: Plan, situacao: Situacao) -> Offer | None:
    """The slot shown, and still open, that a plan books and does nothing else; None where it does anything else."""
    if len(plan.steps) != 1 or plan.steps[0].ferramenta is not MARCAR:
        return None
    where, clinic = plan.steps[0].parameters, plan.steps[0].clinic
    wanted = (clinic, where.get("doctor"), where.get("date"), where.get("time"))
    shown = (one for one in situacao.offers if one.vaga == wanted)
    offer = next(shown, None)
    return offer if offer is not None and situacao.is_open(offer) else None


def _may_be_meant(offer: Offer, utterance: str, situacao: Situacao) -> bool:
    """Whether nothing that was said speaks against a slot: another day or doctor, or what nobody can do."""
    sentence = read_sentence(utterance)
    said = read(sentence, situacao.dialogue).leitura
    if said.falhas or said.medicos_desconhecidos or said.clinicas_desconhecidas:
        return False
    return offer in choose(said.criterios, said.excluidos, situacao)


def _specialties(plan: Plan, utterance: str, dialogue: Dialogue) -> tuple[str, ...]:
    """The specialties of which every clinic is to be asked: those named, else those of the clinics that the model chose by itself."""
    if not plan.steps:
        return ()
    sentence = read_sentence(utterance)
    said = read(sentence, dialogue).leitura
    placed = said.criterios.medicos or said.criterios.clinicas or said.excluidos.clinicas or said.referencias & _PLACED_BY
    if placed or said.criterios.especialidades or read_pending(dialogue.pending).criterios.has_scope or dialogue.offers:
        return asked_specialties(utterance, dialogue)
    listed = {step.clinic for step in plan.steps if step.ferramenta is VER_HORARIOS and not step.parameters}
    return tuple(dict.fromkeys(clinica.especialidade for clinica in dialogue.registro if clinica.id in listed))


def _readable(steps: Iterable[Step], own: Plan, situacao: Situacao, reports: list[Report]) -> Iterator[Step]:
    """The steps without doctors who are not there, patients nobody asked for, and more than a turn may have."""
    most = _STEPS_A_CLINIC * len(situacao.dialogue.registro.clinics)
    for count, step in enumerate(steps, 1):
        if planned(step.action) is None:
            reports.append(Report("acao_desconhecida", step.step_id, step.action))
        elif count > most:
            reports.append(Report("passo_demais", step.step_id, step.clinic))
        elif step.ferramenta is not None and step.ferramenta.reads_patients and _key(step) not in _keys(own.steps):
            reports.append(Report("consulta_de_paciente_indevida", step.step_id, step.action))
        elif step.parameters.get("doctor"):
            yield from _of_doctor(step, situacao, reports)
        else:
            yield step


def _of_doctor(step: Step, situacao: Situacao, reports: list[Report]) -> Iterator[Step]:
    """A step under the doctor's full name, where exactly one at that clinic is called so."""
    parts = set(name_parts(step.parameters["doctor"]))
    here = [name for name, places in situacao.contexto.directory.items() if step.clinic in places]
    named = [name for name in here if parts and parts <= set(name_parts(name))]
    if len(named) == 1:
        yield msgspec.structs.replace(step, parameters={**step.parameters, "doctor": named[0]})
    else:
        reports.append(Report("medico_desconhecido", step.step_id, step.clinic))


def _writes(plan: Plan) -> frozenset[tuple[str, ...]]:
    return _keys(step for step in plan.steps if step.changes)


def _keys(steps: Iterable[Step]) -> frozenset[tuple[str, ...]]:
    return frozenset(_key(step) for step in steps)


def _key(step: Step) -> tuple[str, ...]:
    """What a step does; doctors are compared as names are."""
    told = sorted(step.parameters.items())
    return (step.clinic, step.action, *(f"{name}={fold(value)}" for name, value in told if value))
