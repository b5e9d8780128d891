"""The golden set: each sample pedido comes out as a person worked it out from the rules."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Any, get_args

import msgspec
import pytest

from casos import as_bruto
from crivo.autorizacoes import amostra
from crivo.autorizacoes.contracts import AcaoTipo, DecisaoFinal, Impacto
from crivo.autorizacoes.etapas.ajustes import apply_ajustes, efeito
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.trilha import Trilha

RECEIVED_ON = date(2026, 11, 20)
PEDIDOS = {arquivo.nome: arquivo.conteudo for arquivo in amostra.pedidos()}
ESPERADO = amostra.esperado()


@cache
def fluxo() -> Fluxo:
    return Fluxo(Catalogo.of([read_politica(arquivo.conteudo).politica for arquivo in amostra.politicas()]), amostra.campos())


def decided(nome: str) -> Trilha:
    return fluxo().decide(PEDIDOS[nome], RECEIVED_ON)


def effect(trilha: Trilha) -> str | None:
    """What becomes of the pedido when every adjustment is made and it is sent again."""
    ajustes = trilha.etapas.ajustes
    if ajustes is None:
        return None
    if not trilha.etapas.normalizacao.pedido_valido:
        return "nenhum"
    again = apply_ajustes(trilha.etapas.normalizacao.pedido_normalizado, ajustes.ajustes_sugeridos)
    depois = fluxo().decide_bruto(as_bruto(again), RECEIVED_ON).etapas.avaliacao
    return efeito(trilha.etapas.normalizacao.pedido_normalizado, depois)


def test_every_sample_has_an_expected_outcome() -> None:
    assert set(PEDIDOS) == set(ESPERADO)
    assert len(PEDIDOS) >= 30


@pytest.mark.parametrize("nome", sorted(ESPERADO))
def test_a_sample_comes_out_as_it_was_worked_out(nome: str) -> None:
    """PRD 4: visão geral da solução."""
    trilha = decided(nome)
    etapas = trilha.etapas
    fonte = etapas.avaliacao.fonte_regras
    sugeridos = etapas.ajustes.ajustes_sugeridos if etapas.ajustes else ()
    found: dict[str, Any] = {
        **msgspec.to_builtins(etapas.avaliacao),
        "decisao_final": etapas.sintese.decisao_final,
        "quantidade_aprovada": etapas.sintese.detalhe_decisao.quantidade_aprovada,
        "alertas": sorted(etapas.normalizacao.alertas),
        "ajustes": [
            {
                "acao_tipo": a.acao_tipo,
                "campo_alvo": a.campo_alvo,
                "valor_sugerido": a.valor_sugerido,
                "impacto_conformidade": a.impacto_conformidade,
            }
            for a in sugeridos
        ],
        "regra_id": fonte.regra_id if fonte else None,
        "versao": fonte.versao if fonte else None,
        "efeito": effect(trilha),
    }
    expected = {**ESPERADO[nome], "alertas": sorted(ESPERADO[nome]["alertas"])}
    assert {name: list(found[name]) if isinstance(found[name], tuple) else found[name] for name in expected} == expected


def test_the_samples_reach_every_outcome_action_and_impact() -> None:
    all_decided = [decided(nome).etapas for nome in PEDIDOS]
    sugeridos = [ajuste for etapas in all_decided if etapas.ajustes for ajuste in etapas.ajustes.ajustes_sugeridos]
    assert {etapas.sintese.decisao_final for etapas in all_decided} == set(get_args(DecisaoFinal))
    assert {ajuste.acao_tipo for ajuste in sugeridos} == set(get_args(AcaoTipo))
    assert {ajuste.impacto_conformidade for ajuste in sugeridos} == set(get_args(Impacto))


def test_the_samples_reach_every_alert() -> None:
    reached = {alerta.split(":")[0] for nome in PEDIDOS for alerta in decided(nome).etapas.normalizacao.alertas}
    assert reached == {
        "campo_mapeado",
        "campo_divergente",
        "data_pedido_presumida",
        "data_nascimento_invalida",
        "valor_fora_do_dominio",
        "idade_divergente",
        "idade_nao_informada",
        "carencia_nao_informada",
        "carencia_invalida",
        "urgencia_presumida_falsa",
        "plano_desconhecido",
        "quantidade_fracionada",
        "documento_recusado",
        "documento_vencido",
        "documento_pendente",
    }


def test_the_same_pedido_gives_the_same_bytes() -> None:
    for nome in PEDIDOS:
        assert decided(nome).decisao() == decided(nome).decisao()
