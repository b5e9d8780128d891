"""Acts that were cut apart and are one: the first half of a change, a complaint before the wish that it leads to."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, without
from crivo.clinicas.orquestrador.entende.frase import Frase


def belonging_together(acts: list[Ato], sentence: Frase) -> list[Ato]:
    """The acts with a change that was told as a cancelling and a wish as the one act that it is."""
    return _without_first_half(_cannot_go_then(acts, sentence), sentence)


def with_complaints(acts: list[Ato]) -> list[Ato]:
    """The acts with the branch that a complaint told apart is of: `meu joelho está ruim. tem ortopedista amanhã?`."""
    joined: list[Ato] = []
    for act in acts:
        last, said = (joined[-1] if joined else None), act.leitura.criterios
        if last and _only_complains(last) and act.tipo in {"listar", "marcar", "escolher"} and not (said.ramos or said.medicos):
            told = last.leitura.criterios
            if said.especialidades == told.especialidades:
                leitura = msgspec.structs.replace(act.leitura, criterios=msgspec.structs.replace(said, ramos=told.ramos))
                joined[-1] = msgspec.structs.replace(act, leitura=leitura)
                continue
        joined.append(act)
    return joined


def _only_complains(act: Ato) -> bool:
    """Whether an act has nothing but a specialty and a branch of it, and asks for nothing."""
    said = act.leitura.criterios
    rest = without(said, "especialidades", "ramos")
    return act.tipo == "escolher" and not act.has_verb and bool(said.ramos and said.especialidades) and rest == VAZIO


_BARE_CANCEL: Final = re.compile(r"\b(?:cancel|desmarc)\w*\W*$")


def _without_first_half(acts: list[Ato], sentence: Frase) -> list[Ato]:
    """The acts without a cancelling that is only the first half of a change: `desmarcar e remarcar`."""
    following = [*acts[1:], None]
    return [
        act
        for act, after in zip(acts, following, strict=False)
        if not (
            act.tipo == "cancelar"
            and after
            and after.tipo == "mudar"
            and act.leitura.criterios.is_empty
            and (after.origem.criterios.is_empty or _BARE_CANCEL.search(sentence.text[act.start : act.end]))
        )
    ]


def _cannot_go_then(acts: list[Ato], sentence: Frase) -> list[Ato]:
    """The acts with `não vou poder ir, tem outro dia?` read as the change that it asks for, and not as a cancelling."""
    joined: list[Ato] = []
    for act in acts:
        last = joined[-1] if joined else None
        if last and last.tipo == "cancelar" and not _CANCELS.search(sentence.text, last.start, last.end) and _wants_another(act):
            joined[-1] = msgspec.structs.replace(act, tipo="mudar", origem=last.leitura, alvo=act.leitura, start=last.start)
        else:
            joined.append(act)
    return joined


_CANCELS: Final = re.compile(r"\b(?:cancel|desmarc|anul|desfa|desist|exclu|apag|remov|tir[ae])")


def _wants_another(act: Ato) -> bool:
    """Whether another time is asked for, of whoever was spoken of, or a change of what was just told."""
    if act.tipo == "mudar":
        return act.origem.criterios.is_empty
    said = act.leitura.criterios
    told = {"outro_horario", "mesmo_dia", "mesma_hora"} & act.leitura.referencias
    asked = act.tipo == "listar" and act.pergunta and not act.tambem and (said.dias or said.horas)
    return act.tipo in {"listar", "escolher", "marcar"} and bool(told or asked) and not said.has_scope
