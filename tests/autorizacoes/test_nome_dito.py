"""The beneficiary's name is read out of whatever field says it, and nobody else's is taken for it."""

from __future__ import annotations

from typing import Any

import pytest

from casos import decide, pedido, regra
from crivo.autorizacoes.fichas import ficha_de
from crivo.autorizacoes.nome_dito import nome_dito
from crivo.kernel.sigilo import Identidade


@pytest.mark.parametrize(
    ("extras", "nome"),
    [
        ({"beneficiario": {"nome": " Ana  Souza "}}, "Ana Souza"),
        ({"nomeBeneficiario": "Ana Souza"}, "Ana Souza"),
        ({"Nome do Beneficiário": "Ana Souza"}, "Ana Souza"),
        ({"segurado": {"nome": "Ana Souza"}, "nome": "Guia SADT"}, "Ana Souza"),
        ({"paciente_nome": "Ana Souza"}, "Ana Souza"),
        ({"nome": "Ana Souza"}, "Ana Souza"),
        ({"nome_titular": "O Pai", "nome_beneficiario": "Ana Souza"}, "Ana Souza"),
        ({"nao_usados": {"$.claim.member.name": "Ana Souza", "$.claim.payer.name": "Plano"}}, "Ana Souza"),
        ({"solicitante": {"nome": "Dra. Rita"}, "prestador": {"nome": "Clínica"}, "nome_plano": "Ouro"}, ""),
        ({"beneficiario": {"nome_mae": "Outra", "nome": 7}}, ""),
        ({"nome": "12345", "nomeBeneficiario": "x" * 500}, ""),
        ({}, ""),
    ],
)
def test_a_name_is_the_beneficiarys_or_nobodys(extras: dict[str, Any], nome: str) -> None:
    assert nome_dito(extras) == nome


def test_what_waits_is_known_by_its_name_and_by_what_the_regra_calls_the_procedure() -> None:
    raw = {**pedido(beneficiario__nome="Ana Souza"), "documentos_anexos": []}
    trilha = decide(raw, regra(documentos_obrigatorios=["LAUDO_MEDICO"], descricao="Ressonância de crânio"))
    ficha = ficha_de(trilha, Identidade("", "", ""))
    assert ficha is not None
    assert (ficha.dizeres.nome, ficha.dizeres.descricao) == ("Ana Souza", "Ressonância de crânio")
    assert "ana souza" in ficha.dizeres.procura
