"""What an import says of projects that it left out."""

from __future__ import annotations

from datetime import UTC, datetime

from crivo.triagem.fora import ProjetoFora, told


def test_the_day_of_an_erasure_is_the_one_in_brasilia() -> None:
    """An hour after midnight in London it is still the day before here."""
    (line,) = told([ProjetoFora(projeto_id="P001", apagado_em=datetime(2026, 11, 24, 1, 0, tzinfo=UTC))])
    assert line == "1 projeto ficou de fora (P001): os dados dessa pessoa foram apagados a pedido em 23/11/2026."
