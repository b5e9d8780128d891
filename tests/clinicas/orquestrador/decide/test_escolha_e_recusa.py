"""A choice and what it rules out, said in one breath. Source: design, "Preferences are kept and bind"."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from crivo.clinicas.orquestrador.contracts import Dialogue, Offer
from crivo.clinicas.orquestrador.decide.embutido import plan
from crivo.clinicas.protocol import Slot
from crivo.clinicas.registro import REGISTRO_PADRAO

NOW = datetime(2025, 7, 16, 8, tzinfo=ZoneInfo("America/Sao_Paulo"))
SHOWN = (
    Offer("clinic_b", Slot("Dra. Lia Prado", "Dermatologia", "2025-07-21", "13:30")),
    Offer("clinic_f", Slot("Dr. Caio Neri", "Dermatologia", "2025-07-21", "15:00")),
    Offer("clinic_b", Slot("Dra. Lia Prado", "Dermatologia", "2025-07-22", "14:00")),
    Offer("clinic_f", Slot("Dr. Caio Neri", "Dermatologia", "2025-07-23", "16:00")),
)
DIALOGUE = Dialogue(NOW, REGISTRO_PADRAO, doctors={"Dra. Lia Prado": ("clinic_b",), "Dr. Caio Neri": ("clinic_f",)}, offers=SHOWN)


@pytest.mark.parametrize(
    "said", ["pode ser o primeiro mas nao na segunda", "o primeiro, mas segunda-feira eu não posso", "o primeiro que não seja segunda"]
)
def test_the_first_but_not_on_a_monday_is_the_first_that_is_not_on_a_monday(said: str) -> None:
    made, _ = plan(said, DIALOGUE)
    assert [(step.action, step.parameters["date"]) for step in made.steps] == [("book_appointment", "2025-07-22")]


def test_another_place_that_is_ruled_out_in_the_same_breath_is_asked_about() -> None:
    made, _ = plan("o segundo, mas segunda-feira não", DIALOGUE)
    assert made.steps == ()
    assert made.pergunta


def test_a_place_that_is_not_ruled_out_is_taken_as_it_was_numbered() -> None:
    made, _ = plan("o terceiro, segunda não dá", DIALOGUE)
    assert [step.parameters["date"] for step in made.steps] == ["2025-07-22"]
