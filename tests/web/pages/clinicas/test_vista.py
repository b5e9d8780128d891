"""What a conversation's page says in words: moments, authors, failures of a model, and clinics that were missed."""

from __future__ import annotations

from typing import Any, Final, get_args

import msgspec
import pytest

from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.breaker import State
from crivo.clinicas.orquestrador.contracts import Booking, Step, Verdict
from crivo.clinicas.orquestrador.trace import Agent, Author, CallFinished, FalhaDoModelo, ModelFailed, Outcome
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.clinicas.turnos import Passos
from crivo.kernel.settings import Planejador
from crivo.web.pages.clinicas.palavras import DISJUNTORES, FALHAS, NO_LUGAR, PLANEJADORES, REDATORES, por_extenso
from crivo.web.pages.clinicas.rastro import Autoria, Rastro
from crivo.web.pages.clinicas.vista import Falta, _held, falta_of

LISTING: Final = "list_available_slots"


def passos(*calls: CallFinished, action: Action = LISTING, **more: Any) -> Passos:
    """A turn that asked clinic_a and clinic_c."""
    plan = tuple(Step(number, clinic, action, {}) for number, clinic in enumerate(("clinic_a", "clinic_c"), 1))
    made = Passos(plan, False, None, calls, Verdict(True, "OK"), "responder", 12.4)
    return made if not more else msgspec.structs.replace(made, **more)


def call(step: int, clinic: str, situacao: Outcome, tentativa: int = 1) -> CallFinished:
    return CallFinished(step, clinic, LISTING, "passo", tentativa, 3.0, situacao)


@pytest.mark.parametrize(
    ("day", "time", "said"),
    [
        ("2025-07-18", "10:00", "sexta-feira, 18 de julho de 2025, às 10h"),
        ("2026-03-01", "01:00", "domingo, 1º de março de 2026, à 1h"),
        ("2026-12-31", "09:30", "quinta-feira, 31 de dezembro de 2026, às 9h30"),
    ],
)
def test_a_moment_is_written_in_words(day: str, time: str, said: str) -> None:
    assert por_extenso(day, time) == said


def test_every_author_failure_and_state_has_its_words() -> None:
    known = {name for part in get_args(FalhaDoModelo) for name in (get_args(part) or (part,))}
    assert set(FALHAS) == known
    assert set(NO_LUGAR) == set(get_args(Agent))
    assert set(PLANEJADORES) == set(get_args(Planejador))
    assert set(REDATORES) == set(get_args(Author))
    assert set(DISJUNTORES) == set(get_args(State))


def test_the_trace_says_that_code_planned_in_the_place_of_a_model_and_why() -> None:
    seen = Rastro.of(3, passos(falhas=(ModelFailed("planner", "demorou"), ModelFailed("responder", "texto_recusado"))), REGISTRO_PADRAO)
    assert seen.planejador == Autoria("codigo", "planejador embutido")
    assert seen.falhas == (
        "O código planejou no lugar do modelo: o modelo demorou mais do que se pode esperar.",
        "O código escreveu no lugar do modelo: o texto do modelo não passou na conferência.",
    )


def test_the_trace_says_what_a_model_planned_and_wrote() -> None:
    seen = Rastro.of(1, passos(planejador="modelo_raciocinio", autor="modelo"), REGISTRO_PADRAO)
    assert (seen.planejador.autor, seen.redator.autor) == ("modelo", "modelo")
    assert "raciocínio" in seen.planejador.quem


def test_a_clinic_that_answered_at_the_second_try_is_not_missed() -> None:
    calls = (call(1, "clinic_a", "fora_do_ar"), call(2, "clinic_c", "fora_do_ar"), call(1, "clinic_a", "respondeu", 2))
    assert falta_of("quero", passos(*calls), REGISTRO_PADRAO) == Falta("Clínica C", "quero")


def test_an_answer_of_every_clinic_lacks_nothing() -> None:
    assert falta_of("quero", passos(call(1, "clinic_a", "respondeu"), call(2, "clinic_c", "recusou")), REGISTRO_PADRAO) is None


def test_what_might_be_done_twice_is_not_offered_again() -> None:
    missed = falta_of("marca", passos(call(1, "clinic_a", "erro"), action="book_appointment"), REGISTRO_PADRAO)
    assert missed == Falta("Clínica A", "")


def test_an_appointment_says_whom_it_is_for_and_where_the_clinic_is() -> None:
    clinica = REGISTRO_PADRAO.clinics[0]
    shown = dict(_held(Booking(clinica.id, "Dr. Ricardo Lopes", "2025-07-18", "10:00", para="Lucas Braga"), REGISTRO_PADRAO).itens)
    assert shown["Para"] == "Lucas Braga"
    assert (shown["Endereço"], shown["Telefone"]) == (clinica.endereco, clinica.telefone)
