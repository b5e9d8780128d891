"""Who is to think harder is waited for longer."""

from __future__ import annotations

from typing import get_args

import pytest

from crivo.kernel.llm.esforco import patience
from crivo.kernel.settings import Esforco


@pytest.mark.parametrize(("esforco", "seconds"), [(None, 60), ("minimo", 60), ("baixo", 60), ("medio", 90), ("alto", 180)])
def test_an_effort_stretches_what_an_answer_is_waited_for(esforco: Esforco | None, seconds: float) -> None:
    assert patience(60, esforco) == seconds


def test_no_effort_is_waited_for_less_than_the_one_below_it() -> None:
    waits = [patience(1, esforco) for esforco in get_args(Esforco)]
    assert waits == sorted(waits)
