"""A name or a relation alone is no sign; wounds of one's own that are wished for again are. Source: design, "Nobody is harmed"."""

from __future__ import annotations

import pytest

from crivo.clinicas.orquestrador.contracts import Idioma
from crivo.clinicas.orquestrador.emergencia import find_alarme, hear
from crivo.clinicas.orquestrador.emergencia.nomeado import only_names


@pytest.mark.parametrize(
    "said",
    [
        "são de corte, eu que fiz... as vezes da vontade de fazer de novo sabe",
        "os cortes eu mesma fiz, e tem dia que dá vontade de repetir",
        "fui eu que fiz... às vezes penso em fazer de novo",
        "they're cuts, I did them myself... sometimes I feel like doing it again",
        "the scars are from cuts I made, I did it and I want to do it again",
        "los cortes me los hice yo, a veces me dan ganas de hacerlo otra vez",
        "me las hice yo misma y a veces quiero volver a hacerlo",
    ],
)
def test_wounds_of_ones_own_that_are_wished_for_again_are_heard(said: str) -> None:
    alarme = find_alarme(said)
    assert alarme is not None
    assert (alarme.tipo, alarme.origem) == ("suicidio", "lexico")


@pytest.mark.parametrize(
    ("said", "idioma"),
    [("são de corte, eu que fiz", "pt"), ("they're scars, I did them", "en"), ("son cortes, me los hice yo", "es")],
)
def test_wounds_of_ones_own_get_who_listens(said: str, idioma: Idioma) -> None:
    said_back = hear(said, None, idioma)
    assert said_back is not None
    assert "188" in said_back.fala


@pytest.mark.parametrize(
    "said",
    [
        "quero voltar no mesmo médico da outra vez, o cardiologista",
        "acho q era Hélio",
        "acho que era a Norma",
        "era o dr Cláudio",
        "oi a Maria Lima tem consulta marcada aí? cpf 168.995.350-09, é minha vizinha",
        "é minha vizinha",
        "ela é minha vizinha",
        "ele é meu padrasto",
        "she's my neighbor",
        "es mi vecina",
        "I think it was Claudio",
        "creo que era Hélio",
        "acho que sim",
        "minha irmã se chama Socorro",
        "o agendamento eu que fiz, penso em fazer de novo",
        "nao aguento mais essa dor nas costas, to querendo sumir kkk trabalho demais",
        "a primeira não a segunda quer dizer a das quatro e meia",
        "so what do I have?",
    ],
)
def test_a_name_a_relation_or_a_jest_is_no_sign(said: str) -> None:
    assert find_alarme(said) is None


@pytest.mark.parametrize(
    "said",
    [
        "minha vizinha está caída",
        "socorro minha mãe",
        "chama socorro pro meu pai",
        "meu marido me bateu",
        "era o veneno",
        "acho que era chumbinho",
        "é meu pai, infarto",
    ],
)
def test_more_than_a_name_is_weighed(said: str) -> None:
    assert not only_names(said)


def test_a_jest_of_wishing_to_be_gone_hears_who_listens_and_goes_on() -> None:
    said_back = hear("nao aguento mais essa dor nas costas, to querendo sumir kkk trabalho demais", None, "pt")
    assert said_back is not None
    assert "188" in said_back.fala
    assert said_back.segue
    assert said_back.aviso is None


@pytest.mark.parametrize(
    "said",
    [
        "ela tá doente e não vai",
        "sou a mãe dela, ela é a Rosa, ela tá doente e não vai",
        "meu filho ficou gripado e não vai amanhã",
        "estou doente, não vou",
        "ela está indisposta, quero cancelar a consulta",
    ],
)
def test_to_be_ill_and_not_to_come_is_no_emergency(said: str) -> None:
    assert find_alarme(said) is None


@pytest.mark.parametrize(
    "said",
    [
        "ela tá doente e não vai acordar",
        "ela tá doente, não respira, não vai dar tempo",
        "meu bebê tá doente, molinho, e não vai mamar",
        "ele tá doente e desmaiou, cancela a consulta",
    ],
)
def test_a_word_of_danger_beside_it_is_heard(said: str) -> None:
    assert find_alarme(said) is not None
