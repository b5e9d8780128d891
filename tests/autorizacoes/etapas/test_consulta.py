"""RF3: the look-up, seen from the journey; the index itself is tested with the políticas."""

from __future__ import annotations

from casos import decide, pedido, regra


def test_the_regra_comes_back_as_it_was_published_with_its_source() -> None:
    """PRD 3.2/1: consulte o documento de regras."""
    found = decide(pedido(), regra(limite_quantidade=3, observacoes="livre")).etapas.consulta
    assert found.regras_recuperadas is not None
    assert found.fonte_regras is not None
    assert (found.regras_recuperadas.limite_quantidade, found.regras_recuperadas.observacoes) == (3, "livre")
    assert found.fonte_regras.regra_id == "R-1"


def test_the_look_up_is_written_by_code_alone() -> None:
    """PRD 3.2/2: sem aplicar regras de LLM."""
    from crivo.autorizacoes.agentes import CONSULTA
    from crivo.kernel.agents.contract import Author

    assert set(CONSULTA.authors().values()) == {(Author.CODE,)}


def test_without_a_regra_both_answers_are_null() -> None:
    """PRD 3.3.2: formato."""
    found = decide(pedido(procedimento__codigo="123"), regra()).etapas.consulta
    assert (found.regras_recuperadas, found.fonte_regras) == (None, None)


def test_an_invalid_pedido_is_not_looked_up_at_all() -> None:
    """PRD 3.3.2: formato."""
    found = decide(pedido(plano_id=None), regra()).etapas.consulta
    assert (found.regras_recuperadas, found.fonte_regras) == (None, None)


def test_a_pedido_is_judged_by_the_regras_of_its_own_date() -> None:
    """PRD 3.2/1: consulte o documento de regras."""
    assert decide(pedido(data_pedido="2025-12-31"), regra()).etapas.consulta.regras_recuperadas is None
    assert decide(pedido(data_pedido="2026-01-01"), regra()).etapas.consulta.regras_recuperadas is not None
