"""What is settled of fewer wishes than a message told is followed by the question about the next, never by silence.

Source: design, "Nothing irreversible on a guess".
"""

from __future__ import annotations

from typing import Final

import msgspec

from crivo.clinicas.ferramentas import MARCAR
from crivo.clinicas.orquestrador.contracts import Dialogue, Plan
from crivo.clinicas.orquestrador.decide.confirmar.confirmacao import undoing
from crivo.clinicas.orquestrador.decide.confirmar.proposta import Planned, proposed
from crivo.clinicas.orquestrador.decide.situacao import Pendente, write_pending
from crivo.clinicas.orquestrador.entende.acordo import answer_in
from crivo.clinicas.orquestrador.entende.criterios import Criterios, over, without
from crivo.clinicas.orquestrador.entende.desejos import KEY, Desejos, apart, kept_wishes, moment, slots_for, specialty, told_together
from crivo.clinicas.orquestrador.entende.frase import read_sentence
from crivo.clinicas.orquestrador.entende.lexico import accord, intention
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.preferencias import Busca

_SHOWN: Final = 5


def go_on(made: Planned, utterance: str, dialogue: Dialogue) -> Planned:
    """A plan with the wishes that wait kept; once one is settled, or declined when asked about, with the next asked about."""
    plan, pending = made
    before = kept_wishes(dialogue)
    booked = [one for one in plan.steps if one.ferramenta is MARCAR and one not in undoing(plan.steps)]
    settled = {found.especialidade for one in booked if (found := dialogue.registro.find(one.clinic))}
    wishes = _now(plan, before.buscas, utterance, dialogue)
    left = tuple(one for one in wishes if specialty(one, dialogue) not in settled)
    declined = before.vez and answer_in(read_sentence(utterance)) == "nao"
    if declined:
        left = tuple(one for one in left if specialty(one, dialogue) != before.vez)
    elif not plan.steps and not plan.buscas and _gives_up(utterance):
        left = ()
    goes_on = bool(declined) or len(left) < len(wishes)
    if not left or not goes_on or plan.pergunta or proposed(pending) is not None:
        return plan, _kept(pending, Desejos(left, before.vez if not goes_on else ""))
    return _asked(plan, left, dialogue, booked_at={(one.parameters["date"], one.parameters["time"]) for one in booked})


def _now(plan: Plan, before: tuple[Busca, ...], utterance: str, dialogue: Dialogue) -> tuple[Busca, ...]:
    """The wishes after a message: those that it lists together, else those from before, each as it was narrowed now."""
    together, many = apart(plan.buscas, dialogue), told_together(utterance, dialogue)
    if together and many:
        return together if many == "todos" else ()
    narrowed = {specialty(one, dialogue): one for one in plan.buscas}
    if "" in narrowed:  # of all of them: `segunda 21`
        told_of_all = without(narrowed[""].quer, "especialidades", "ramos", "medicos", "clinicas")
        return tuple(Busca(over(one.quer, told_of_all), (*one.recusas, *narrowed[""].recusas)) for one in before)
    alone = accord("apenas").search(read_sentence(utterance).text) is not None  # `só a dermato`
    return tuple(narrowed.get(name, one) for one in before if (name := specialty(one, dialogue)) in narrowed or not alone)


def _gives_up(utterance: str) -> bool:
    sentence = read_sentence(utterance)
    return answer_in(sentence) == "nao" or intention("dispensar").search(sentence.text) is not None


def _asked(plan: Plan, left: tuple[Busca, ...], dialogue: Dialogue, booked_at: set[tuple[str, str]]) -> Planned:
    """The plan with the question about the first of the wishes that are left."""
    texts, busca = Mensagens.of(plan.idioma, dialogue), left[0]
    name = specialty(busca, dialogue)
    found = tuple(one for one in slots_for(busca, dialogue) if moment(one) not in booked_at)
    told = {"especialidade": texts.specialty(name), "quantos": str(len(found))}
    shown = found[:_SHOWN]
    if len(found) == 1:
        asked = texts.say("falta_um", horario=texts.offer(found[0]), **told)
        memory = Pendente("confirmar", proposta=found[0])
    elif found:
        more = texts.say("e_mais", mais=str(len(found) - len(shown))) if len(shown) < len(found) else ""
        asked = texts.say("falta_varios", lista=texts.numbered(shown) + more, **told)
        memory = Pendente("listado", without(busca.quer, "ordinais", "extremo", "numeros"))
    else:
        asked, memory = texts.say("falta_nenhum", **told), Pendente("reabrir", Criterios(especialidades=(name,)))
    words = texts.say("essa_nao_marquei") if not plan.steps else plan.fala
    made = msgspec.structs.replace(plan, pergunta=asked, fala=words, buscas=(busca,), ofertas=shown)
    return made, _kept(write_pending(memory), Desejos(left, name))


def _kept(pending: dict[str, str], desejos: Desejos) -> dict[str, str]:
    rest = {name: value for name, value in pending.items() if name != KEY}
    return {**rest, KEY: msgspec.json.encode(desejos).decode()} if desejos.buscas else rest
