"""What is said of a requirement beside what is so: the same words stand beside one decision and not beside another."""

from __future__ import annotations

from pathlib import Path

import pytest

from crivo.autorizacoes.redacao import Campo, Decidido, conferir
from crivo.autorizacoes.redacao.atos import acts
from crivo.autorizacoes.redacao.conjunto import read_casos

SEXTO = {caso.id: caso for caso in read_casos((Path(__file__).parent / "sexto.json").read_bytes())}
REDE_E_TERMO = SEXTO["F-101"].decisao  # PENDENTE: outside the network, and a document is owed
DOIS_DOCUMENTOS = SEXTO["F-081"].decisao
IDADE_MINIMA = SEXTO["F-062"].decisao  # NEGADO: 33 years, from 40 on
RESSONANCIA = SEXTO["F-009"].decisao  # APROVADO, all documents came


def porques(texto: str, decidido: Decidido, campo: Campo = "justificativa") -> set[str]:
    return {achado.porque for achado in conferir(texto, campo, decidido).achados}


def test_a_requirement_that_is_missing_may_not_be_told_as_met() -> None:
    texto = "O prestador informado já está regularizado."
    assert "é justamente o que falta cumprir" in porques(texto, REDE_E_TERMO)
    assert "é justamente o que falta cumprir" not in porques(texto, RESSONANCIA)


def test_a_requirement_that_is_missing_may_not_be_waived() -> None:
    texto = "Enviado o termo de sedação, o pedido segue independentemente do prestador."
    assert "esta exigência continua a valer" in porques(texto, REDE_E_TERMO)


def test_one_of_two_documents_is_not_enough() -> None:
    assert "é preciso atender a tudo o que falta" in porques("Basta um deles para o pedido seguir.", DOIS_DOCUMENTOS)
    assert "é preciso atender a tudo o que falta" not in porques("Envie os dois para o pedido seguir.", DOIS_DOCUMENTOS)


@pytest.mark.parametrize(
    ("texto", "certo"), [("A idade de 33 anos ultrapassa a permitida.", False), ("A idade de 33 anos está abaixo da permitida.", True)]
)
def test_a_person_who_is_too_young_is_not_told_to_be_too_old(texto: str, certo: bool) -> None:
    assert ("a idade está do outro lado do limite" not in porques(texto, IDADE_MINIMA)) is certo


def test_a_document_that_came_is_not_told_as_missing() -> None:
    assert "este documento veio com o pedido" in porques("Aprovado; o laudo médico não acompanhou o pedido.", RESSONANCIA)
    assert "este documento veio com o pedido" not in porques("Aprovado; o laudo médico acompanhou o pedido.", RESSONANCIA)


def test_a_summary_may_say_what_the_proved_adjustments_lead_to_and_not_that_it_is_done() -> None:
    assert porques("Feitos os dois ajustes, o pedido sai aprovado por inteiro.", REDE_E_TERMO, "resumo_efeito") == set()
    assert "o pedido não foi aprovado" in porques("O pedido já foi aprovado.", REDE_E_TERMO, "resumo_efeito")


def test_words_of_one_kind_are_one_act_and_a_denial_stays_with_its_act() -> None:
    assert acts(["anexe", "DOCFALTA"]) == acts(["mande", "o", "DOCFALTA"]) == ["enviar", "DOCFALTA"]
    assert acts(["nao", "envie", "nada"]) == ["nao enviar"]
