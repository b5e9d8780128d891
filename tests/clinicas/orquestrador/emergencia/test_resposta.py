"""What is said in an emergency. Source: design, "Nobody is harmed, and what was said holds"."""

from __future__ import annotations

import re
from typing import get_args

import msgspec
import pytest

from crivo.clinicas.orquestrador.contracts import Idioma, TipoDeEmergencia
from crivo.clinicas.orquestrador.emergencia import answer, desmentido, is_desmentido, phones_of
from crivo.clinicas.orquestrador.emergencia.resposta import _textos

TIPOS = get_args(TipoDeEmergencia)
IDIOMAS = get_args(Idioma)


@pytest.mark.parametrize("idioma", IDIOMAS)
@pytest.mark.parametrize("tipo", TIPOS)
def test_the_first_sentence_says_whom_to_call_and_the_last_that_the_booking_waits(tipo: TipoDeEmergencia, idioma: Idioma) -> None:
    said = answer(tipo, idioma)
    first, waits = (
        phones_of(tipo, idioma)[0].numero,
        {"pt": "a sua consulta espera", "en": "your appointment can wait", "es": "su cita espera"},
    )
    assert first in " ".join(re.split(r"(?<=\.) ", said)[:2])
    assert waits[idioma] in said


@pytest.mark.parametrize("idioma", IDIOMAS)
@pytest.mark.parametrize("tipo", TIPOS)
def test_two_sentences_are_said_and_they_name_neither_disease_nor_slot(tipo: TipoDeEmergencia, idioma: Idioma) -> None:
    said = answer(tipo, idioma)
    assert len(re.findall(r"[.!?](?:\s|$)", said)) == 2
    assert not re.search(r"infart|avc|derrame|convuls|overdose|\d{1,2}[h:]\d\d|\d\d/\d\d", said.lower())


def test_every_number_has_its_public_source() -> None:
    for numero, known in _textos().telefones.items():
        assert known.fonte, numero
    assert {numero for tipo in _textos().tipos.values() for numero in tipo.telefones} == set(_textos().telefones)


def test_a_person_in_despair_is_given_188_first_and_one_in_danger_the_police() -> None:
    assert [phone.numero for phone in phones_of("suicidio")] == ["188", "192"]
    assert [phone.numero for phone in phones_of("violencia")] == ["190", "180", "192"]


@pytest.mark.parametrize("said", ["Não é emergência, continuar", "it's not an emergency", "no es una emergencia", "foi alarme falso"])
def test_that_it_is_none_is_understood(said: str) -> None:
    assert is_desmentido(said)
    assert "192" in desmentido("pt")


def test_the_texts_are_in_all_three_languages() -> None:
    document = msgspec.to_builtins(_textos())
    for texts in (*document["textos"].values(), document["desmentido"]):
        assert set(texts) == set(IDIOMAS)
