"""What changes of a decision whose outcome stays, by columns and by the stages. Source: design, "The workbench"; record 0090."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from por_colunas import felt_disagreements


@given(st.integers(0, 2**32))
@settings(deadline=None)
def test_columns_tell_what_a_person_feels_as_the_stages_do(semente: int) -> None:
    """Motivos, quantity, terms and what is asked, of decisions whose outcome stays under a draft that changes some fields."""
    ((_, found),) = felt_disagreements(6, semente)
    assert found == []
