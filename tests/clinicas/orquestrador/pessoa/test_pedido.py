"""When a message asks for a person, and when it only speaks of one."""

from __future__ import annotations

import time

import pytest

from crivo.clinicas.orquestrador.pessoa import asks_for_person


@pytest.mark.parametrize(
    "texto",
    [
        "quero falar com uma pessoa",
        "tem alguém de carne e osso aí?",
        "atendente",
        "ATENDENTE!!!",
        "human",
        "hablar con alguien",
        "quero falar com um atendente",
        "me passa pra um humano por favor",
        "posso falar com alguém?",
        "não quero falar com robô",
        "falar com a recepção",
        "moça, tem como falar com alguém da recepção?",
        "quiero hablar con una persona",
        "can I talk to a real person?",
        "could you connect me to an agent",
        "prefiro atendimento humano",
        "tem alguma pessoa pra me atender?",
        "vc é robô? quero uma pessoa real",
        "me chama alguem ai da recepção",
        "quero ser atendida por uma pessoa",
        "quero uma pessoa",
        "Quero uma pessoa por favor",
        "preciso de uma pessoa agora",
        "eu quero é uma pessoa, não um robô",
        "prefiro uma pessoa",
    ],
)
def test_a_person_is_asked_for(texto: str) -> None:
    assert asks_for_person(texto)


@pytest.mark.parametrize(
    "texto",
    [
        "quero falar com alguém da cardiologia",
        "quero marcar com alguém",
        "é para outra pessoa",
        "queria passar com alguém",
        "quero falar com o doutor Ricardo",
        "tem alguém de joelho amanhã?",
        "é pra uma pessoa idosa",
        "a atendente disse que dava pra remarcar",
        "falei com a recepcionista ontem e ela marcou",
        "tem vaga pra uma pessoa amanhã?",
        "quero marcar para uma pessoa",
        "quero uma pessoa da ortopedia",
        "quero outra pessoa",
        "não precisa chamar uma pessoa",
        "preciso de atendimento com ortopedista",
        "posso levar uma pessoa comigo?",
        "atendimento para pessoa com deficiência",
        "my mother is a real fighter",
    ],
)
def test_a_person_is_only_spoken_of(texto: str) -> None:
    assert not asks_for_person(texto)


@pytest.mark.parametrize("piece", ["quero ", "me ", "falar com um ", "tem alguem ", "chama a ", "nao quero ", "the a "])
def test_reading_takes_time_by_length_alone(piece: str) -> None:
    asks_for_person("oi")  # the patterns are made once
    began = time.process_time()
    asks_for_person((piece * 2_000)[:2_000])
    assert time.process_time() - began < 1.0
