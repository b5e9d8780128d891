"""What the published políticas say of a pedido before they are applied: its plano, and what nobody could read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from casos import HOJE, decide, pedido, politica, regra
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.trilha import Etapas

GERAL = regra(regra_id="R-GERAL", codigo="*")
OURO = regra(regra_id="R-OURO", plano_id="OURO", documentos_obrigatorios=["LAUDO_MEDICO"])


def etapas(um_pedido: dict[str, Any], *regras: dict[str, Any], **head: Any) -> Etapas:
    return Fluxo(Catalogo.of([politica(*regras, **head)])).decide(json.dumps(um_pedido).encode(), HOJE).etapas


@pytest.mark.parametrize("plano", ["OURO", "Ouro", "ouro", " OURO ", "Óuro", "O U R O"])
def test_a_plano_spelled_otherwise_is_decided_by_its_own_regra_and_never_by_the_general_one(plano: str) -> None:
    """Design: ids are compared folded, and come back as the pedido spells them."""
    found = etapas(pedido(plano_id=plano), OURO, GERAL)
    assert found.sintese.decisao_final == "PENDENTE_AJUSTES"
    assert found.avaliacao.fonte_regras is not None
    assert found.avaliacao.fonte_regras.regra_id == "R-OURO"
    assert found.normalizacao.pedido_normalizado.plano_id == plano.strip()
    assert found.normalizacao.alertas == ()


def test_zeros_that_the_catalogue_has_need_not_come_with_the_pedido() -> None:
    curta = regra(plano_id="0007", codigo="00010014")
    um = pedido(plano_id=7, procedimento__codigo=10014, administradora_id=90417)
    found = etapas(um, curta, administradora_id="090417")
    assert found.avaliacao.fonte_regras is not None
    assert found.normalizacao.pedido_normalizado.procedimento.codigo == "10014"


def test_zeros_that_the_catalogue_has_not_make_another_id() -> None:
    assert etapas(pedido(plano_id="0007"), regra(plano_id="7")).avaliacao.fonte_regras is None


def test_two_ids_apart_in_their_zeros_alone_are_told_apart() -> None:
    found = etapas(pedido(plano_id="7"), regra(plano_id="007"), regra(regra_id="R-2", plano_id="0007"), GERAL)
    assert found.avaliacao.fonte_regras is not None
    assert found.avaliacao.fonte_regras.regra_id == "R-GERAL"
    assert found.normalizacao.alertas == ("plano_desconhecido",)


def test_a_plano_outside_those_declared_waits_for_a_correction() -> None:
    found = etapas(pedido(plano_id="BRONZE"), GERAL, planos=["Ouro", "PRATA"])
    assert found.normalizacao.erros_bloqueantes == ("plano_desconhecido",)
    assert found.sintese.decisao_final == "PENDENTE_AJUSTES"
    assert found.ajustes is not None
    assert [ajuste.campo_alvo for ajuste in found.ajustes.ajustes_sugeridos] == ["plano_id"]
    assert etapas(pedido(plano_id="óuro"), GERAL, planos=["Ouro", "PRATA"]).normalizacao.erros_bloqueantes == ()


def test_a_plano_that_no_regra_names_is_told() -> None:
    assert etapas(pedido(plano_id="BRONZE"), OURO, GERAL).normalizacao.alertas == ("plano_desconhecido",)
    assert etapas(pedido(plano_id="BRONZE"), GERAL).normalizacao.alertas == ()


def test_a_field_table_serves_its_administradora_however_it_is_spelled() -> None:
    um = {**pedido(pedido_id=None, administradora_id="adm-1"), "nroSol": "X-9"}
    found = decide(um, regra(), campos={"ADM-1": {"nro_sol": "pedido_id"}}).etapas.normalizacao
    assert found.pedido_normalizado.pedido_id == "X-9"


NAO_LIDA = "observacao_nao_lida"


@pytest.mark.parametrize(
    ("idade", "fields", "alertas"),
    [
        (50, {"observacoes": "Somente com indicação de especialista."}, (NAO_LIDA,)),
        (50, {"observacoes": "Exames de laboratório."}, ()),
        (50, {"observacoes": "Código 30101620 só em caso de alergia.", "cobertura": "NAO_COBERTA"}, (NAO_LIDA,)),
        (50, {"observacoes": "Código 30101620 só em caso de alergia."}, ()),
        (4, {"observacoes": "Idade conforme auditoria não decidida.", "restricoes_idade": {"min": 18}}, (NAO_LIDA,)),
        (50, {"observacoes": "Idade conforme auditoria não decidida.", "restricoes_idade": {"min": 18}}, ()),
        (50, {"observacoes": "Limite de 10 sessões por ano.", "limite_quantidade": 10}, ()),
        (50, {"observacoes": "Acima de 60 anos, o limite sobe para 40 sessões.", "limite_quantidade": 20}, (NAO_LIDA,)),
        (50, {"observacoes": "Carência de 300 dias para parto.", "carencia_min_dias": 30}, (NAO_LIDA,)),
        (50, {"observacoes": "Carência de 6 meses.", "carencia_min_dias": 180}, ()),
    ],
)
def test_what_could_not_be_read_is_told_where_it_could_have_changed_the_decision(
    idade: int, fields: dict[str, Any], alertas: tuple[str, ...]
) -> None:
    assert etapas(pedido(beneficiario__idade=idade), regra(**fields)).normalizacao.alertas == alertas
