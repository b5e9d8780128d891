"""Two versions of a política side by side."""

from __future__ import annotations

import msgspec

from crivo.autorizacoes.contracts import Politica, Regra, RestricoesIdade
from crivo.autorizacoes.politicas.comparacao import CampoMudado, compare_politicas

_R1 = Regra(regra_id="R-1", codigo="40304361", cobertura="COBERTA", limite_quantidade=2)
_R2 = Regra(regra_id="R-2", codigo="4010*", cobertura="CONDICIONAL")
_ANTES = Politica(administradora_id="A", documento="Manual", versao="1", vigencia_inicio="2026-01-01", regras=(_R1, _R2))


def _depois(*regras: Regra, versao: str = "2") -> Politica:
    return msgspec.structs.replace(_ANTES, versao=versao, regras=regras)


def test_the_same_version_twice_differs_in_nothing() -> None:
    same = compare_politicas(_ANTES, _ANTES)
    assert (same.cabecalho, same.regras, same.iguais) == ((), (), 2)


def test_a_regra_that_says_another_thing_is_told_field_by_field() -> None:
    changed = msgspec.structs.replace(_R1, limite_quantidade=4, restricoes_idade=RestricoesIdade(min=18, max=None))
    found = compare_politicas(_ANTES, _depois(changed, _R2))
    (regra,) = found.regras
    assert (regra.regra_id, regra.mudanca, found.iguais) == ("R-1", "mudada", 1)
    assert regra.campos == (
        CampoMudado("restricoes_idade", None, {"min": 18, "max": None}),
        CampoMudado("limite_quantidade", 2, 4),
    )
    assert found.cabecalho == (CampoMudado("versao", "1", "2"),)


def test_regras_that_came_and_went_are_told_whole() -> None:
    new = Regra(regra_id="R-3", codigo="50000470", cobertura="NAO_COBERTA")
    found = compare_politicas(_ANTES, _depois(new, _R1))
    assert [(one.regra_id, one.mudanca) for one in found.regras] == [("R-3", "acrescentada"), ("R-2", "retirada")]


def test_another_order_of_the_same_regras_is_no_change() -> None:
    assert compare_politicas(_ANTES, _depois(_R2, _R1, versao="1")).regras == ()


def test_a_plano_that_only_the_earlier_version_has_is_lost() -> None:
    antes = msgspec.structs.replace(_ANTES, planos=("OURO", "Prata"))
    depois = msgspec.structs.replace(_ANTES, planos=("ouro",))
    found = compare_politicas(antes, depois)
    assert found.planos_perdidos == ("Prata",)
    assert found.cabecalho == (CampoMudado("planos", ("OURO", "Prata"), ("ouro",)),)


def test_a_plano_that_only_regras_name_is_lost_with_them() -> None:
    antes = _depois(msgspec.structs.replace(_R1, plano_id="BRONZE"), _R2)
    assert compare_politicas(antes, _depois(_R1, _R2)).planos_perdidos == ("BRONZE",)
    assert compare_politicas(_ANTES, antes).planos_perdidos == ()
