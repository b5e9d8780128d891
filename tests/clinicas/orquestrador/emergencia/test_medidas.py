"""What is measured of a body, in any usual form. Source: design, "Nobody is harmed"."""

from __future__ import annotations

import pytest

from crivo.clinicas.orquestrador.emergencia import find_alarme
from crivo.clinicas.orquestrador.emergencia.feicoes import plain
from crivo.clinicas.orquestrador.emergencia.medidas import measured

GRAVE = {
    "pressao_grave": (
        *("minha pressao ta 22 por 13", "pressão 22x13", "pressão 22 x 13", "pressao 220/130", "PA 220x130 mmHg", "pressão tá 20/12"),
        *("a pressão da minha mãe deu vinte e dois por treze", "pressão foi a 24", "22 por 13 de pressão", "pressão 6 por 4"),
        *("minha pressão costuma ser 12 por 8, hoje deu 23 por 14", "my blood pressure is 220 over 130", "bp 210/120"),
        *("mi presión está en 220/130", "la presión salió 22 con 13"),
    ),
    "saturacao_grave": (
        *(
            "saturação 85",
            "saturando 85%",
            "sat de 82",
            "a saturação dele caiu pra 79",
            "85 de saturação",
            "oxímetro marcando oitenta e dois",
        ),
        *("saturação em oitenta e cinco por cento", "my oxygen is 84", "oxygen level dropped to 80", "spo2 81%", "saturación 83"),
        *("el oxígeno le bajó a 80",),
    ),
    "glicemia_grave": (
        *("glicemia 40", "glicose deu 38", "minha glicemia tá em 520", "a diabetes bateu em 560", "glicosímetro marcou 32"),
        *("my blood sugar is 40", "glucose at 34", "sugar is 38", "azúcar en 40", "glucemia de 37", "glucosa 600", "hgt 29"),
    ),
    "febre_grave": (
        *("febre de 41", "41 de febre", "41 graus de febre", "febre tá em 41,5", "temperatura de 41", "termômetro deu 41,2"),
        *("fever of 106", "fever is 41", "temperature is 41.5", "fiebre de 41", "temperatura de 41 y medio", "41 grados de fiebre"),
    ),
    "batimento_grave": (
        *("batimento 180", "180 bpm", "coração a 190", "160 de batimento", "frequência cardíaca 175", "pulso em 32"),
        *("heart rate 170", "pulse is 34", "185 beats", "pulso en 180", "190 latidos", "frecuencia cardíaca de 180"),
    ),
}
AS_IT_SHOULD_BE = (
    "pressão 12 por 8",
    "pressão 130/85",
    "saturação 98",
    "glicemia 95",
    "batimento 72",
    "bp 120/80",
    "oxygen 97",
    "glucosa 90",
)
NO_MEASURE = (
    *(
        "quero cardio dia 22 às 13h por causa da pressão",
        "cardio pra pressão 20/11",
        "pressão alta, 22/07",
        "consulta da pressão 20/11/2025",
    ),
    *("cardio pressão alta sexta 18 às 9h", "cardio pressão alta 18 as 9", "tenho diabetes há 40 anos", "tosse há 41 dias"),
    *(
        "consulta com o médico do coração 24 9h",
        "tive febre aos 41 anos",
        "20 por 12 dias de férias",
        "quero de 18 a 22, por causa da pressão",
    ),
    *("cardiologist on the 22 at 13", "blood pressure check on 20/11", "cita por la presión el 22 a las 13"),
)


@pytest.mark.parametrize(("name", "said"), [(name, said) for name, all_said in GRAVE.items() for said in all_said])
def test_a_grave_measure_is_read_in_any_usual_form(name: str, said: str) -> None:
    assert name in measured(plain(said))


@pytest.mark.parametrize("said", [said for name, all_said in GRAVE.items() if name != "batimento_grave" for said in all_said])
def test_a_grave_measure_raises_the_alarm(said: str) -> None:
    assert find_alarme(said) is not None


@pytest.mark.parametrize("said", AS_IT_SHOULD_BE)
def test_a_measure_as_it_should_be_is_read_and_raises_none(said: str) -> None:
    assert measured(plain(said)) == {"medida_normal"}
    assert find_alarme(said) is None


@pytest.mark.parametrize("said", NO_MEASURE)
def test_a_day_an_hour_and_an_age_are_no_measure(said: str) -> None:
    assert measured(plain(said)) == frozenset()
    assert find_alarme(said) is None


def test_a_long_message_of_numbers_is_read_at_once() -> None:
    assert measured(plain("pressão de " * 20 + "22 por 13 " * 60)) >= {"pressao_grave"}
