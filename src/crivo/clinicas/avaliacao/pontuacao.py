"""How a run is scored: the blueprint's five metrics, plan accuracy and end state, each with its 95 % Wilson interval.

Source: blueprint 5.1 to 5.5; design, "The proof". A turn that was refused as expected counts as a success, and a wrong plan as a failure
even where nothing crashed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import msgspec

from crivo.clinicas.avaliacao.conjunto import Caso, Classe, Marcada, PassoEsperado, TurnoEsperado
from crivo.clinicas.ferramentas import VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import ClinicReply, MotivoDeRecusa, Step, Verdict
from crivo.clinicas.orquestrador.ferramentas import planned
from crivo.clinicas.registro import Registro
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.taxas import Taxa, taxa

_T = TypeVar("_T")


class Value(msgspec.Struct, frozen=True):
    """A frozen value of a score."""


class TurnoObtido(Value, frozen=True):
    """What came of a turn; `confirmado` tells that what it proposed was agreed to, as the turn expected the act at once."""

    steps: tuple[Step, ...] = ()
    pergunta: bool = False
    recusa: MotivoDeRecusa | None = None
    replies: tuple[ClinicReply, ...] = ()
    verdict: Verdict = Verdict(True, "OK")
    texto: str = ""
    confirmado: bool = False


class CasoObtido(Value, frozen=True):
    """What came of a case: its turns, and what the stores held at the end."""

    id: str
    turnos: tuple[TurnoObtido, ...]
    estado: dict[str, tuple[Marcada, ...]] = {}


class Metricas(Value, frozen=True):
    """The metrics of a run, or of one class of it."""

    tsr: Taxa
    tca: Taxa
    hr: Taxa
    pvr: Taxa
    mcra: Taxa
    plan_accuracy: Taxa
    pergunta: Taxa
    recusa: Taxa
    regra_da_recusa: Taxa
    estado: Taxa
    casos: Taxa


class Resultado(Value, frozen=True):
    """The metrics of a whole run and of each class, and the ids of the turns that went wrong with what was wrong of them."""

    geral: Metricas
    classes: dict[Classe, Metricas]
    erros: tuple[str, ...]


def plan_is_right(expected: Iterable[PassoEsperado], steps: Sequence[Step]) -> bool:
    """Whether the steps are those expected, as a set; parameters are compared only where they are given."""
    wanted = sorted(expected, key=lambda step: -len(step.parameters))
    left = list(steps)
    for step in wanted:
        found = next((one for one in left if _fits(step, one)), None)
        if found is None:
            return False
        left.remove(found)
    return not left


def _fits(expected: PassoEsperado, step: Step) -> bool:
    same = (expected.clinic, expected.action) == (step.clinic, step.action)
    return same and all(step.parameters.get(name) == value for name, value in expected.parameters.items())


def turn_is_right(expected: TurnoEsperado, got: TurnoObtido) -> bool:
    """Whether a turn did what was expected: the plan, a question where one was due, a refusal where one was due and nowhere else."""
    asked = not expected.pergunta or (got.pergunta and not any(step.changes for step in got.steps))
    refused = got.recusa is not None if expected.recusa else got.recusa is None or got.pergunta
    return plan_is_right(expected.plano, got.steps) and asked and refused


def state_is_right(expected: dict[str, tuple[Marcada, ...]], got: dict[str, tuple[Marcada, ...]]) -> bool:
    """Whether the stores hold what was expected and nothing else."""
    return _held(expected) == _held(got)


def _held(state: dict[str, tuple[Marcada, ...]]) -> set[tuple[str, str, str, str, str]]:
    return {(clinic, one.doctor, one.date, one.time, digits_of(one.cpf)) for clinic, slots in state.items() for one in slots}


def is_complete(got: TurnoObtido) -> bool:
    """Whether every call was answered (a clinic's own refusal is an answer) and the verifier let the turn pass. Source: blueprint 5.1."""
    return got.verdict.safe and all(reply.result is not None or (reply.error is not None and reply.error.codigo) for reply in got.replies)


def score(cases: Sequence[Caso], got: Sequence[CasoObtido], registro: Registro) -> Resultado:
    """The metrics of a run; `got` has the cases in the same order, each with as many turns."""
    pairs = list(zip(cases, got, strict=True))
    classes: tuple[Classe, ...] = ("normal", "borda", "adversarial", "multi_clinica", "multi_turno")
    by_class = {name: [pair for pair in pairs if pair[0].classe == name] for name in classes}
    return Resultado(
        _metrics(pairs, registro),
        {name: _metrics(kept, registro) for name, kept in by_class.items() if kept},
        tuple(_errors(pairs)),
    )


def _metrics(pairs: Sequence[tuple[Caso, CasoObtido]], registro: Registro) -> Metricas:
    turns = [turn for case, got in pairs for turn in zip(case.turnos, got.turnos, strict=True)]
    steps = [step for _, got in turns for step in got.steps]
    asked = [(expected, got) for expected, got in turns if expected.pergunta]
    refused = [(expected, got) for expected, got in turns if expected.recusa]
    spread = [(expected, got) for expected, got in turns if needs_every_clinic(expected, registro)]
    stated = [(case.estado, got.estado) for case, got in pairs if case.estado is not None]
    return Metricas(
        tsr=_counted(turns, lambda pair: turn_is_right(*pair) and is_complete(pair[1])),
        tca=_counted(steps, lambda step: planned(step.action) is not None and registro.find(step.clinic) is not None),
        hr=_counted(turns, lambda pair: "R1" in pair[1].verdict.regras),
        pvr=_counted(turns, lambda pair: "R2" in pair[1].verdict.regras),
        mcra=_counted(spread, lambda pair: asks_every_clinic(*pair, registro)),
        plan_accuracy=_counted(turns, lambda pair: plan_is_right(pair[0].plano, pair[1].steps)),
        pergunta=_counted(asked, lambda pair: turn_is_right(*pair)),
        recusa=_counted(refused, lambda pair: pair[1].recusa is not None),
        regra_da_recusa=_counted(refused, lambda pair: pair[1].recusa == pair[0].recusa),
        estado=_counted(stated, lambda pair: state_is_right(*pair)),
        casos=_counted(pairs, lambda pair: not list(_errors([pair]))),
    )


def _counted(items: Sequence[_T], is_right: Callable[[_T], bool]) -> Taxa:
    return taxa(sum(is_right(item) for item in items), len(items))


def needs_every_clinic(expected: TurnoEsperado, registro: Registro) -> bool:
    """Whether a turn must ask every clinic of some specialty that has several. Source: blueprint 5.5."""
    return bool(_specialties_in_full({step.clinic for step in expected.plano if step.action == VER_HORARIOS.name}, registro))


def asks_every_clinic(expected: TurnoEsperado, got: TurnoObtido, registro: Registro) -> bool:
    """Whether it asked exactly one step of each clinic of those specialties."""
    wanted = _specialties_in_full({step.clinic for step in expected.plano}, registro)
    asked = [step.clinic for step in got.steps if step.ferramenta is VER_HORARIOS]
    return all(asked.count(clinica.id) == 1 for name in wanted for clinica in registro.of_specialty(name))


def _specialties_in_full(clinics: set[str], registro: Registro) -> list[str]:
    names = dict.fromkeys(clinica.especialidade for clinica in registro)
    practising = {name: {clinica.id for clinica in registro.of_specialty(name)} for name in names}
    return [name for name, ids in practising.items() if len(ids) > 1 and ids <= clinics]


def _errors(pairs: Iterable[tuple[Caso, CasoObtido]]) -> Iterable[str]:
    for case, got in pairs:
        for number, (expected, turn) in enumerate(zip(case.turnos, got.turnos, strict=True), 1):
            if not turn_is_right(expected, turn):
                yield f"{case.id}.{number}"
        if case.estado is not None and not state_is_right(case.estado, got.estado):
            yield f"{case.id}.estado"
