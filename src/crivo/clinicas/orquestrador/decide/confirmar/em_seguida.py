"""What a message wishes for besides a cancelling waits with it, and is taken up once that is done: `cancela a minha e marca com outro`."""

from __future__ import annotations

import msgspec

from crivo.clinicas.ferramentas import VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Plan
from crivo.clinicas.orquestrador.decide.confirmar.proposta import Planned, Proposto
from crivo.clinicas.orquestrador.decide.situacao import Pendente, write_pending
from crivo.clinicas.orquestrador.entende.criterios import Criterios, without
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.lexico import reference
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.passos import list_free
from crivo.clinicas.orquestrador.preferencias import Busca


def without_the_cancelled(made: Planned, gone: Booking, utterance: str, dialogue: Dialogue) -> Planned:
    """A plan that lists nobody whose appointment the same message cancels, where it asks for another doctor."""
    plan, pending = made
    if reference("outro_medico").search(read_sentence(utterance).text) is None:
        return made
    clinica, refused = dialogue.registro.find(gone.clinic), Criterios(medicos=((gone.doctor,),))
    if plan.buscas:
        left = tuple(msgspec.structs.replace(one, recusas=(*one.recusas, refused)) for one in plan.buscas)
        return msgspec.structs.replace(plan, buscas=left), pending
    asks_which = Mensagens.of(plan.idioma, dialogue).say("qual_especialidade")
    if clinica is None or plan.pergunta != asks_which:
        return made
    quer = Criterios(especialidades=(clinica.especialidade,))
    first = max((step.step_id for step in plan.steps), default=0) + 1
    known = dialogue.registro.of_specialty(clinica.especialidade)
    lists = tuple(list_free(one.id, index) for index, one in enumerate(known, first))
    told = msgspec.structs.replace(plan, steps=(*plan.steps, *lists), pergunta=None, buscas=(Busca(quer, (refused,)),))
    return told, write_pending(Pendente("listado", quer))


def waiting_with(made: Planned, utterance: str, dialogue: Dialogue) -> tuple[Plan | None, dict[str, str]]:
    """What a plan lists or asks for a booking beside what it cancels, and what is remembered of that; None where none is wished for.

    Who only wants to see has seen (`cancela e me mostra dermatologistas`).
    """
    plan, pending = made
    lists = tuple(step for step in plan.steps if step.ferramenta is VER_HORARIOS)
    books = any(act.tipo == "marcar" for act in read(utterance, dialogue).atos)
    if not books or not (lists or plan.pergunta):
        return None, {}
    return Plan(lists, pergunta=plan.pergunta, idioma=plan.idioma, buscas=tuple(_unplaced(one) for one in plan.buscas)), dict(pending)


def taken_up(waiting: Proposto, memory: dict[str, str]) -> Planned:
    """The plan of what was agreed to, and of what the same message wished for besides."""
    if waiting.depois is None:
        return Plan(waiting.steps, idioma=waiting.idioma), memory
    last = max(step.step_id for step in waiting.steps)
    lists = tuple(msgspec.structs.replace(step, step_id=last + index) for index, step in enumerate(waiting.depois.steps, 1))
    both = msgspec.structs.replace(waiting.depois, steps=(*waiting.steps, *lists), idioma=waiting.idioma)
    return both, waiting.memoria or memory


def _unplaced(busca: Busca) -> Busca:
    return msgspec.structs.replace(busca, quer=without(busca.quer, "ordinais"))
