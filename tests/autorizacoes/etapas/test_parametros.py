"""RF2: the parameters of the look-up."""

from __future__ import annotations

from msgspec.structs import replace

from casos import decide, pedido, regra
from crivo.autorizacoes.contracts import Parametros, ParamsConsulta
from crivo.autorizacoes.etapas.parametros import preparar


def parametros(**changes: object) -> Parametros:
    return decide(pedido(**changes), regra()).etapas.parametros


def test_an_invalid_pedido_is_not_looked_up() -> None:
    """PRD 2.2/1: pedido_invalido."""
    found = parametros(procedimento__quantidade=0)
    assert found.consulta_pronta is False
    assert found.motivos_nao_pronto[0] == "pedido_invalido"


def test_the_parameters_are_copied_from_the_normalised_pedido() -> None:
    """PRD 2.2/2: copie os campos."""
    found = parametros(urgencia="sim", procedimento__quantidade="2", beneficiario__preexistencias=["asma"])
    assert found.params_consulta_regras == ParamsConsulta(
        "ADM-1", "PRATA", "41101014", "TUSS", 2, True, 50, True, ["asma"], 400, "2026-10-05"
    )


def test_the_age_is_passed_on_or_null() -> None:
    """PRD 2.2/3: idade."""
    assert parametros(beneficiario__idade=8).params_consulta_regras.idade == 8
    assert parametros(beneficiario__idade=None).params_consulta_regras.idade is None


def test_only_an_accredited_provider_counts_as_one() -> None:
    """PRD 2.2/4: prestador_credenciado."""
    assert [
        parametros(prestador__tipo=tipo).params_consulta_regras.prestador_credenciado for tipo in ("credenciado", "não credenciado", None)
    ] == [
        True,
        False,
        False,
    ]


def test_what_the_pedido_does_not_say_is_null() -> None:
    """PRD 2.2/5: preexistencias e carência."""
    found = parametros(beneficiario__carencia_cumprida_dias=None).params_consulta_regras
    assert (found.preexistencias, found.carencia_cumprida_dias) == (None, None)


def test_the_look_up_is_ready_when_its_four_needs_are_there() -> None:
    """PRD 2.2/6: consulta_pronta."""
    assert parametros().consulta_pronta is True
    assert parametros(plano_id=None).consulta_pronta is False


def test_an_invalid_pedido_is_not_ready_for_that_reason_alone() -> None:
    """PRD 2.2/1: motivos_nao_pronto is pedido_invalido, whatever else is missing."""
    assert parametros(plano_id=None, administradora_id=" ").motivos_nao_pronto == ("pedido_invalido",)


def test_a_valid_pedido_is_told_which_of_the_four_needs_is_missing() -> None:
    whole = decide(pedido(), regra()).etapas.normalizacao
    lacking = replace(whole, pedido_normalizado=replace(whole.pedido_normalizado, plano_id=None))
    assert preparar(lacking).motivos_nao_pronto == ("parametro_ausente:plano_id",)
