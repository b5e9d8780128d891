"""How a thing is said: denied, supposed, asked, or told as another's words."""

from __future__ import annotations

import pytest

from crivo.kernel.linguagem.modalidade import Modalidade, modality_of

DENIED, SUPPOSED, ASKED, TOLD = Modalidade(negado=True), Modalidade(suposto=True), Modalidade(perguntado=True), Modalidade(relatado=True)


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("quero sexta", Modalidade()),
        ("nao quero sexta", DENIED),
        ("sexta nao posso", DENIED),
        ("sem sexta", DENIED),
        ("nao so sexta", Modalidade()),
        ("sem duvida sexta", Modalidade()),
        ("se for sexta", SUPPOSED),
        ("talvez sexta", SUPPOSED),
        ("encontra-se na sexta", Modalidade()),
        ("tem sexta?", ASKED),
        ("me disseram que sexta", TOLD),
        ("i don't want sexta", DENIED),
        ("cuando sea sexta", SUPPOSED),
    ],
)
def test_a_clause_says_in_which_way_it_means_a_thing(clause: str, said: Modalidade) -> None:
    assert modality_of(clause, clause.index("sexta")) == said


def test_what_is_denied_after_a_thing_does_not_deny_it() -> None:
    clause = "sexta serve e quinta nao"
    assert not modality_of(clause, 0).negado
    assert modality_of(clause, clause.index("quinta")).negado


def test_of_a_whole_clause_any_denial_counts() -> None:
    assert modality_of("consta que inexiste, nem ha").negado
