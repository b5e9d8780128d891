"""The article before a doctor's name agrees with the title; none is guessed where the title does not tell."""

from __future__ import annotations

import pytest

from crivo.clinicas.orquestrador.contracts import Offer
from crivo.clinicas.orquestrador.entende.criterios import Criterios, holds
from crivo.clinicas.orquestrador.linguagem.formatos import with_doctor
from crivo.clinicas.protocol import Slot


@pytest.mark.parametrize(
    ("doctor", "told"),
    [
        ("Dra. Célia Mourato", "com a Dra. Célia Mourato"),
        ("Dr. Hélio Brandão", "com o Dr. Hélio Brandão"),
        ("Fga. Rita Melo", "com a Fga. Rita Melo"),
        ("Fgo. Davi Melo", "com o Fgo. Davi Melo"),
        ("Profa. Rita Melo", "com a Profa. Rita Melo"),
        ("Prof. Davi Melo", "com o Prof. Davi Melo"),
        ("Enfª Rita Melo", "com a Enfª Rita Melo"),
        ("Enfa. Rita Melo", "com a Enfa. Rita Melo"),
        ("Enf. Davi Melo", "com Enf. Davi Melo"),
        ("Psic. Rita Melo", "com Psic. Rita Melo"),
        ("Nutric. Davi Melo", "com Nutric. Davi Melo"),
        ("Rita Melo", "com Rita Melo"),
        ("Rita", "com Rita"),
    ],
)
def test_the_article_agrees_with_the_title(doctor: str, told: str) -> None:
    assert with_doctor(doctor, "pt") == told


def test_in_spanish_it_agrees_too_and_in_english_there_is_none() -> None:
    assert with_doctor("Fga. Rita Melo", "es") == "con la Fga. Rita Melo"
    assert with_doctor("Dr. Hélio Brandão", "es") == "con el Dr. Hélio Brandão"
    assert with_doctor("Enf. Davi Melo", "es") == "con Enf. Davi Melo"
    assert with_doctor("Fga. Rita Melo", "en") == "with Fga. Rita Melo"


def test_a_woman_is_a_woman_by_any_title_that_tells_it() -> None:
    women = Criterios(titulos=("Dra.",))
    told = {
        name: holds(women, Offer("clinic_a", Slot(name, "", "2025-07-21", "10:00")), "Fonoaudiologia")
        for name in ("Fga. Rita Melo", "Dra. Rita Melo", "Dr. Davi Melo", "Fgo. Davi Melo", "Enf. Davi Melo")
    }
    assert [name for name, fits in told.items() if fits] == ["Fga. Rita Melo", "Dra. Rita Melo"]
