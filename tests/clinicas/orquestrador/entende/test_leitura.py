"""What is read in a sentence: days and times, doctors, clinics, what is wanted and what is not."""

from __future__ import annotations

import pytest

from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.entende.criterios import Criterios, Dia, Hora, over
from crivo.clinicas.orquestrador.entende.frase import mended, read_sentence
from crivo.clinicas.orquestrador.entende.leitura import Leitura, read_stretch
from crivo.clinicas.orquestrador.entende.medicos import find_doctors
from crivo.clinicas.orquestrador.entende.mencoes import context_of, find_mentions
from crivo.clinicas.orquestrador.entende.momentos.tempo import find_moments


def read(text: str, dialogue: Dialogue) -> Leitura:
    sentence = read_sentence(text)
    return read_stretch(sentence, find_mentions(sentence, context_of(dialogue)), 0, len(sentence.text))


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("de 21 a 25", "2025-07-21", "2025-07-25"),
        ("entre 21 e 23 de julho", "2025-07-21", "2025-07-23"),
        ("a partir do dia 22", "2025-07-22", "9999-12-31"),
        ("depois do dia 22", "2025-07-23", "9999-12-31"),
        ("até sexta", "0000-01-01", "2025-07-18"),
        ("no fim de semana", "2025-07-19", "2025-07-20"),
        ("essa semana", "2025-07-16", "2025-07-20"),
        ("semana que vem, na terça", "2025-07-22", "2025-07-22"),
        ("terça 22", "2025-07-22", "2025-07-22"),
        ("quinta que vem", "2025-07-24", "2025-07-24"),
    ],
)
def test_days_and_ranges_of_days_are_read_as_people_mean_them(text: str, first: str, last: str, dialogue: Dialogue) -> None:
    found = [moment.dia for moment in find_moments(read_sentence(text).text, dialogue.now) if moment.dia]
    assert [(day.first, day.last) for day in found] == [(first, last)]


def test_figures_after_a_day_are_days_too(dialogue: Dialogue) -> None:
    assert [day.first for day in read("dia 18 ou 19", dialogue).criterios.dias] == ["2025-07-18", "2025-07-19"]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("dia 31/06", "inexistente"),
        ("segunda dia 18", "contraditoria"),
        ("ontem", "passada"),
        ("às 25h", "hora_inexistente"),
        ("dia 15", "duas_leituras"),
    ],
)
def test_days_and_times_that_cannot_be_are_told_apart(text: str, fault: str, dialogue: Dialogue) -> None:
    assert read(text, dialogue).falhas == (fault,)


def test_a_part_of_the_day_settles_which_hour_was_meant(dialogue: Dialogue) -> None:
    assert read("às 8 da manhã", dialogue).criterios.horas == (Hora(("08:00",)),)
    assert read("de tarde, às 3", dialogue).criterios.horas == (Hora(("15:00",)),)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("doutor Fernado", "Dr. Fernando Mendes"),
        ("a dra elena", "Dra. Helena Prado"),
        ("Dr. Ricrado Lopez", "Dr. Ricardo Lopes"),
        ("com o paulo henrique", "Dr. Paulo Henrique Castro"),
        ("a Dra. Azevedo", "Dra. Lúcia Azevedo"),
    ],
)
def test_a_doctor_is_known_by_part_of_the_name_and_through_typos(text: str, name: str, dialogue: Dialogue) -> None:
    assert [found.names for found in find_doctors(read_sentence(text), dialogue.doctors)] == [(name,)]


def test_a_name_that_two_doctors_share_stays_open_until_the_surname(dialogue: Dialogue) -> None:
    assert find_doctors(read_sentence("Dr. Marcelo"), dialogue.doctors)[0].names == ("Dr. Marcelo Tavares", "Dr. Marcelo Farias")
    assert find_doctors(read_sentence("Dr. Marcelo Farias"), dialogue.doctors)[0].names == ("Dr. Marcelo Farias",)


def test_a_doctor_whom_nobody_knows_is_told_as_written(dialogue: Dialogue) -> None:
    assert read("quero com o Dr. Gouveia", dialogue).medicos_desconhecidos == ("Dr Gouveia",)


def test_ordinary_words_are_no_misspelt_doctors(dialogue: Dialogue) -> None:
    assert find_doctors(read_sentence("estou com dor nas costas, quero marcar uma consulta"), dialogue.doctors) == []


@pytest.mark.parametrize(
    ("text", "clinics"),
    [
        ("clínica A e clínica C", ("clinic_a", "clinic_c")),
        ("as clínicas b e f", ("clinic_b", "clinic_f")),
        ("na clinic_d", ("clinic_d",)),
        ("prefiro a clínica e", ("clinic_e",)),
        ("na clínica a partir das 10h", ()),
    ],
)
def test_clinics_are_known_by_their_letters(text: str, clinics: tuple[str, ...], dialogue: Dialogue) -> None:
    assert read(text, dialogue).criterios.clinicas == clinics


def test_what_is_not_wanted_is_kept_apart_from_what_is(dialogue: Dialogue) -> None:
    leitura = read("quero cardiologista mas não com o Dr. Ricardo", dialogue)
    assert leitura.criterios.especialidades == ("Cardiologia",)
    assert leitura.excluidos.doctors == ("Dr. Ricardo Lopes",)
    assert read("dia 18 não posso, pode ser 19", dialogue).excluidos.day == "2025-07-18"


def test_not_after_a_comma_excludes_and_no_between_commas_corrects(dialogue: Dialogue) -> None:
    excluded = read("quero a Dra. Helena, não o Dr. Ricardo", dialogue)
    assert excluded.criterios.doctors == ("Dra. Helena Prado",)
    assert read("dia 18, não, dia 19", dialogue).criterios.day == "2025-07-19"


def test_misspellings_of_words_that_matter_are_mended_and_other_words_are_left() -> None:
    assert mended("cardiolojista") == "cardiologista"
    assert mended("dermatolgista") == "dermatologista"
    assert mended("hj") == "hoje"
    assert mended("mancar") == "mancar"


def test_what_is_said_later_counts_over_what_was_said_before() -> None:
    before = Criterios(dias=(Dia("2025-07-18", "2025-07-18"),), horas=(Hora(("10:00",)),))
    later = over(before, Criterios(dias=(Dia("2025-07-19", "2025-07-19"),)))
    assert (later.day, later.time) == ("2025-07-19", Hora(("10:00",)))
