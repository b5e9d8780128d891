"""The notation in which phrases are kept."""

from __future__ import annotations

import pytest

from crivo.kernel.linguagem.dobra import fold_letters
from crivo.kernel.linguagem.fraseado import Lexico, LexicoInvalido

PARTE = ("tudo", "em (parte|todo)")


def found(phrase: str, text: str) -> list[str]:
    return [match.group() for match in Lexico({"frase": (phrase,), "parte": PARTE}).find("frase", fold_letters(text))]


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("não", "NÃO"),
        ("aprovad~", "aprovadas"),
        ("aprov*", "aprovaremos"),
        ("*logista", "cardiologista"),
        ("falta[m|ndo] o laudo", "faltam o  laudo"),
        ("[já|agora] pode agendar", "pode agendar"),
        ("pode [já|agora] agendar", "pode agora agendar"),
        ("pode agendar [já]", "pode agendar"),
        ("(envie|mande) o", "mande o"),
        ("uma _ parte", "uma boa parte"),
        ("art[igo|.] #", "art. 12,5"),
        ("não ... cobre", "não é verdade que cobre"),
        ("não ... cobre", "não cobre"),
        ("aprovou {parte}", "aprovou em parte"),
    ],
)
def test_a_phrase_stands_for_each_of_its_wordings(phrase: str, text: str) -> None:
    assert found(phrase, text) == [fold_letters(text)]


@pytest.mark.parametrize(
    ("phrase", "text"),
    [
        ("aprovad~", "reaprovado"),
        ("aprovad~", "aprovadinho"),
        ("uma _ parte", "uma parte"),
        ("não ... cobre", "não, o plano cobre"),
        ("<que> custa", "o que custa"),
        ("aprovou <só>", "aprovou só"),
    ],
)
def test_a_phrase_stands_for_nothing_else(phrase: str, text: str) -> None:
    assert found(phrase, text) == []


def test_a_phrase_is_sought_right_before_and_right_after_a_place() -> None:
    lexico = Lexico({"frase": ("vale por",)})
    assert lexico.ends("frase", "a guia vale por ")
    assert not lexico.ends("frase", "vale por ora")
    assert lexico.begins("frase", "a guia, vale por ora", 6, past=",")
    assert not lexico.begins("frase", "a guia, vale por ora", 6)


@pytest.mark.parametrize("phrase", ["(sem fim", "sobra)", "[sem (fim]"])
def test_a_phrase_that_is_not_in_the_notation_is_refused(phrase: str) -> None:
    with pytest.raises(LexicoInvalido):
        found(phrase, "qualquer")
