"""What is kept as a mould is byte for byte what the stages write of each pedido by itself."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from itertools import product
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings

from casos import HOJE, pedido, politica, regra
from crivo.autorizacoes import moldes
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.mapeamento.entrada import Chegado
from crivo.autorizacoes.politicas.catalogo import Catalogo
from oraculo.comparacao import publish
from oraculo.geradores import Caso, casos

EXEMPLOS = max(int(os.environ.get("ORACULO_EXEMPLOS", "600")) // 12, 1)
Json = dict[str, Any]


@contextmanager
def by_the_stages_alone() -> Iterator[None]:
    """No pedido has a mould, so that each is written by the stages."""
    with patch.object(moldes, "_key", lambda *_: None):
        yield


def fluxo_of(*regras: Json) -> Fluxo:
    return Fluxo(Catalogo.of([politica(*regras)]))


def outcomes(fluxo: Fluxo, brutos: Sequence[Json], recebido_em: date) -> list[tuple[bytes, bytes, str] | None]:
    """Of each pedido: its stages and its document by itself, and how it ends; then all at once has to give the same documents."""
    found: list[tuple[bytes, bytes, str] | None] = []
    for bruto in brutos:
        try:
            trilha = fluxo.decide_parte(Chegado(bruto, b""), recebido_em)
        except PedidoIlegivel:
            found.append(None)
        else:
            found.append((msgspec.json.encode(trilha.etapas), trilha.decisao(), trilha.etapas.sintese.decisao_final))
    legible = [bruto for bruto, one in zip(brutos, found, strict=True) if one is not None]
    assert list(fluxo.decide_each(legible, recebido_em)) == [(one[1], one[2]) for one in found if one is not None]
    return found


def alike(bruto: Any) -> list[Any]:
    """The pedido with others in which only what is a person's own is changed: number, day, age, days served."""
    if not isinstance(bruto, dict):
        return []
    beneficiario, procedimento = bruto.get("beneficiario"), bruto.get("procedimento")
    like = [bruto, {**bruto, "pedido_id": 'N"º\\1', "data_prevista": "2027-03-04"}, {**bruto, "data_prevista": None}]
    if isinstance(beneficiario, dict):
        like += [
            {**bruto, "pedido_id": f"{idade}/{dias}", "beneficiario": {**beneficiario, "idade": idade, "carencia_cumprida_dias": dias}}
            for idade, dias in product((3, 30, None, "?"), (0, 4000, None, "?"))
        ]
    if isinstance(procedimento, dict):
        like += [{**um, "procedimento": {**procedimento, "quantidade": quantas}} for um in like for quantas in (1, 2, 40)]
        like.append({**bruto, "procedimento": {**procedimento, "descricao": "outro nome"}})
    return like


@settings(max_examples=EXEMPLOS, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, database=None)
@given(casos())
def test_pedidos_alike_are_answered_as_each_would_be_by_the_stages_alone(sorteado: tuple[Caso, bytes]) -> None:
    caso, bruto = sorteado
    pedidos = alike(json.loads(bruto))
    with by_the_stages_alone():
        expected = outcomes(publish(caso.politicas), pedidos, caso.recebido_em)
    assert outcomes(publish(caso.politicas), pedidos, caso.recebido_em) == expected


RICA = regra(
    documentos_obrigatorios=["LAUDO_MEDICO", "PEDIDO_MEDICO"],
    carencia_min_dias=180,
    carencia_urgencia_dias=1,
    restricoes_idade={"min": 18, "max": 60},
    restricoes_rede="APENAS_CREDENCIADA",
    limite_quantidade=3,
    coparticipacao_percentual=20,
    excecoes=[{"motivo": "restricao_idade", "instrucao": "Encaminhar para auditoria clínica."}],
)


@pytest.mark.parametrize("permite", [False, True])
def test_every_mix_of_what_a_regra_restricts_is_answered_as_by_the_stages_alone(permite: bool) -> None:
    um = {**RICA, "permite_autorizacao_condicionada": permite}
    pedidos = [
        bruto
        for urgencia, prestador, documentos in product(
            (False, True), ("CREDENCIADO", "NÃO_CREDENCIADO", None), ([], ["LAUDO_MEDICO"], ["LAUDO_MEDICO", "PEDIDO_MEDICO"])
        )
        for bruto in alike(pedido(urgencia=urgencia, prestador={"tipo": prestador}, documentos_anexos=documentos))
    ]
    with by_the_stages_alone():
        expected = outcomes(fluxo_of(um), pedidos, HOJE)
    assert outcomes(fluxo_of(um), pedidos, HOJE) == expected
    assert None not in expected


def test_a_text_that_holds_what_stands_for_the_number_or_the_day_is_told_as_it_came() -> None:
    for mark in (moldes._NUMERO, moldes._DIA_DITO):
        bruto = pedido(procedimento={**pedido()["procedimento"], "descricao": f"exame {mark}"}, data_prevista="2026-12-01")
        with by_the_stages_alone():
            expected = outcomes(fluxo_of(regra()), [bruto, {**bruto, "pedido_id": mark}], HOJE)
        assert outcomes(fluxo_of(regra()), [bruto, {**bruto, "pedido_id": mark}], HOJE) == expected
    number = pedido(pedido_id=moldes._DIA_DITO, data_prevista="2026-12-01")
    with by_the_stages_alone():
        expected = outcomes(fluxo_of(regra()), [pedido(), number], HOJE)
    assert outcomes(fluxo_of(regra()), [pedido(), number], HOJE) == expected


def test_moulds_are_forgotten_before_they_are_too_many() -> None:
    fluxo = Fluxo(Catalogo.of([politica(regra(codigo="4*"))]), moldes=16)
    brutos = [pedido(procedimento={**pedido()["procedimento"], "codigo": str(40_000_000 + numero)}) for numero in range(40)]
    fluxo.decide_each(brutos, HOJE)
    assert 0 < len(fluxo._moldes._moldes) <= 16
