"""Who tells calmly of wounds made on themselves hears who listens, and the wish goes on. Source: design, "Nobody is harmed"."""

from __future__ import annotations

import pytest

from crivo.clinicas.orquestrador.contracts import Idioma
from crivo.clinicas.orquestrador.emergencia import hear
from crivo.clinicas.orquestrador.emergencia.depois import tells_of_self_harm

TOLD: tuple[tuple[str, Idioma], ...] = (
    ("dermato pra tirar marca de corte no braço q eu msma fiz", "pt"),
    ("queria tirar as cicatrizes no pulso que eu mesmo fiz", "pt"),
    ("tenho marcas na coxa que fui eu que fiz, tem dermatologista?", "pt"),
    ("cicatrizes de quando eu me cortava, dá pra clarear?", "pt"),
    ("tenho umas cicatrizes da época que me cortava", "pt"),
    ("quero dermatologista pras cicatrizes de automutilação", "pt"),
    ("marcas de autolesão no braço, dermato na sexta", "pt"),
    ("eu me cortava na adolescência, queria tratar as marcas", "pt"),
    ("queimadura de cigarro que eu mesma fazia, dermato", "pt"),
    ("quelóide de uns cortes que eu sozinha fiz", "pt"),
    ("riscos no braço que eu mesma me fiz, tem como tirar?", "pt"),
    ("cicatriz na barriga que fiz em mim mesma, dermato", "pt"),
    ("dermatologist for scars I made myself on my arm", "en"),
    ("scars from cutting myself years ago", "en"),
    ("marks on my leg that I did to myself", "en"),
    ("self harm marks, dermatologist on Friday", "en"),
    ("old self-inflicted scars, any dermatologist?", "en"),
    ("cuts on my arm I made myself, want them gone", "en"),
    ("self-injury scars", "en"),
    ("old scars I made myself, dermatologist next week", "en"),
    ("dermatologist for scars that I made myself as a teenager", "en"),
    ("scars from hurting myself, need a dermatologist on Monday", "en"),
    ("scar treatment, self inflicted, years ago", "en"),
    ("cicatrices que yo misma me hice", "es"),
    ("marcas en el brazo que yo mismo me hice", "es"),
    ("cortes que me hice yo misma, quiero dermatólogo", "es"),
    ("cicatrices de autolesiones", "es"),
    ("me cortaba de joven, quiero borrar las marcas", "es"),
    ("quemaduras que me hice a propósito hace años", "es"),
    ("cicatriz en la pierna que yo sola me hice", "es"),
    ("me lastimaba antes, quiero quitar las cicatrices", "es"),
    ("marcas de automutilación, dermatólogo el viernes", "es"),
    ("autolesión antigua en el brazo, dermatólogo", "es"),
    ("cicatrices que me hacía yo misma", "es"),
    ("marcas antiguas que yo misma me causé, dermatólogo", "es"),
)
OF_EITHER = (
    *("I want to remove self-harm scars", "I used to cut myself, want to treat the scars", "scars from when I hurt myself as a teen"),
    *(
        "I used to burn myself, need a dermatologist",
        "self-harm marks from long ago, dermatologist please",
        "cortes en el brazo que yo misma hice",
    ),
)
"""What the weights hear as an alarm today: the person hears who listens all the same."""
NONE = (
    "dermato pra cicatriz do corte que eu mesma fiz cozinhando",
    "cicatriz da barba, me cortava fazendo a barba",
    "quero tirar a tatuagem que eu mesma fiz",
    "corte de cabelo que eu mesma fiz ficou ruim kkk",
    "cicatriz de cesárea, dermato",
    "marca de nascença no braço",
    "eu mesma marco, qual horário tem?",
    "a marcação que eu mesma fiz sumiu",
    "quero o corte mais cedo",
    "scar from surgery, dermatologist",
    "a mark on my arm since birth",
    "I booked it myself",
    "cicatriz de una operación",
    "la cita que yo misma hice",
    "me corté afeitándome, quedó marca",
)


@pytest.mark.parametrize(("said", "idioma"), TOLD)
def test_who_tells_of_wounds_of_their_own_making_hears_who_listens_and_the_wish_goes_on(said: str, idioma: Idioma) -> None:
    socorro = hear(said, None, idioma)
    assert socorro is not None
    assert "188" in socorro.fala
    assert (socorro.tipo, socorro.aviso, socorro.segue, socorro.quebra) == (None, None, True, False)


@pytest.mark.parametrize("said", OF_EITHER)
def test_what_is_nearer_to_today_is_told_who_listens_all_the_same(said: str) -> None:
    socorro = hear(said, None, "en")
    assert socorro is not None
    assert "188" in socorro.fala


@pytest.mark.parametrize("said", NONE)
def test_an_accident_and_what_was_made_otherwise_are_none(said: str) -> None:
    assert not tells_of_self_harm(said)


def test_who_hurts_themselves_now_raises_the_alarm() -> None:
    socorro = hear("me corto quando fico triste", None, "pt")
    assert socorro is not None
    assert socorro.tipo == "suicidio"
