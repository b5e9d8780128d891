"""Every text that code itself writes passes the check: no false alarm on our own messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date

import pytest

from casos import decide, pedido, politica, regra
from crivo.autorizacoes import amostra
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.redacao import Campo, Decidido, conferir
from crivo.autorizacoes.trilha import Trilha
from oraculo.amostras import Sorte
from oraculo.comparacao import decide_by_product, publish
from oraculo.geradores import draw_caso, draw_politicas, write_json

RECEIVED_ON = date(2026, 11, 20)
PEDIDOS_POR_POLITICA = 20


def written(trilha: Trilha) -> Iterator[tuple[Campo, str]]:
    etapas = trilha.etapas
    yield "para_solicitante", etapas.sintese.mensagens.para_solicitante
    yield "para_beneficiario", etapas.sintese.mensagens.para_beneficiario
    yield from (("justificativa", ajuste.justificativa) for ajuste in etapas.avaliacao.ajustes_minimos_requeridos)
    if etapas.ajustes is not None:
        yield "resumo_efeito", etapas.ajustes.resumo_efeito
        yield from (("justificativa", ajuste.justificativa) for ajuste in etapas.ajustes.ajustes_sugeridos)


def held_back(trilha: Trilha) -> list[tuple[str, str, object]]:
    etapas = trilha.etapas
    decidido = Decidido.of(etapas.normalizacao, etapas.consulta, etapas.avaliacao, etapas.ajustes, etapas.sintese)
    verdicts = ((campo, texto, conferir(texto, campo, decidido)) for campo, texto in written(trilha))
    return [(campo, texto, verdict.achados) for campo, texto, verdict in verdicts if not verdict.ok]


def test_no_text_of_a_sample_pedido_is_held_back() -> None:
    fluxo = Fluxo(Catalogo.of([read_politica(arquivo.conteudo).politica for arquivo in amostra.politicas()]), amostra.campos())
    pedidos = list(amostra.pedidos())
    assert len(pedidos) >= 74
    assert [found for arquivo in pedidos for found in held_back(fluxo.decide(arquivo.conteudo, RECEIVED_ON))] == []


def test_a_birth_that_no_calendar_has_is_told_as_it_came_and_between_quotation_marks_alone() -> None:
    quem = {key: value for key, value in pedido()["beneficiario"].items() if key != "idade"}
    trilha = decide(pedido(beneficiario=quem | {"data_nascimento": "31/02/2026"}), regra(restricoes_idade={"min": 18, "max": None}))
    told = trilha.etapas.sintese.mensagens.para_solicitante
    assert "veio “31/02/2026”" in told
    assert held_back(trilha) == []
    etapas = trilha.etapas
    decidido = Decidido.of(etapas.normalizacao, etapas.consulta, etapas.avaliacao, etapas.ajustes, etapas.sintese)
    as_a_fact = conferir(told.replace("“31/02/2026”", "31/02/2026"), "para_solicitante", decidido)
    assert [achado.falha for achado in as_a_fact.achados] == ["data"]


@pytest.mark.parametrize("semente", [0, *(pytest.param(other, marks=pytest.mark.slow) for other in (1, 2, 3))])
def test_no_text_of_a_generated_pedido_is_held_back(semente: int) -> None:
    sorte = Sorte(semente)
    decided = 0
    for _ in range(25):
        politicas = draw_politicas(sorte)
        fluxo = publish(politicas)
        for _ in range(PEDIDOS_POR_POLITICA):
            caso = draw_caso(sorte, politicas)
            trilha = decide_by_product(fluxo, write_json(sorte, caso.pedido), caso.recebido_em)
            if trilha is not None:
                assert held_back(trilha) == []
                decided += 1
    assert decided >= 400


def test_a_source_whose_version_is_a_number_that_stands_elsewhere_is_read_where_it_is_named() -> None:
    fluxo = Fluxo(Catalogo.of([politica(regra(), documento="Manual", versao="1")]))
    trilha = fluxo.decide(json.dumps(pedido()).encode(), RECEIVED_ON)
    assert "versão 1" in trilha.etapas.sintese.mensagens.para_solicitante
    assert held_back(trilha) == []
