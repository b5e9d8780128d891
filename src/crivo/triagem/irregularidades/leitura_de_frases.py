"""How much a sentence looks like one that tells whoever grades what to do, by a linear model whose weights are committed and readable.

The weights (`instrucoes_pesos.json`) are written by `python -m evals.instrucoes`, out of sentences of our own. Source: design, Hidden or
instructing text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise, repeat
from math import exp, log1p
from typing import Final

from crivo.kernel.linguagem.lexico import read_lexico
from crivo.triagem.edital import Value
from crivo.triagem.irregularidades.alvos import has_alvo
from crivo.triagem.irregularidades.feicoes import WORD, diluted, features, roles_in

_END: Final = re.compile(r"[.!?;]+(?=\s|$)|(?<=\s)[.!?;]+")  # the second in a text turned around
_LONGEST: Final = 40  # words; what runs on without a stop is looked at in windows
_WINDOW: Final = 20
_STEP: Final = 10
_SHORT: Final = 30  # words, of two sentences that are also looked at as one
_FEWEST: Final = 3
_NEAR: Final = -2.5  # what a sentence that comes half near an order adds up to
_STEEP: Final = 2.0
_EACH_NEAR: Final = 4.0  # asked for on top where sentences come near, by the logarithm of how many
_MOST_NEAR: Final = 5.0
_FEW: Final = 8  # sentences, of which half as much is believed
_TEXTS: Final = 256  # kept read: more than one project has parts


class _Pesos(Value, frozen=True):
    """What a sentence has to add up to: `limiar` to be told, `limiar_oculto` where somebody hid it, `limiar_a_conferir` to be told where
    its meaning says the same (`segunda_leitura`), `plausivel` to be looked at closer,
    `duvida` for a project to be read again without it, `duvida_citada` for a quote not to sustain a nota by itself. One that names
    nothing of grading is doubted as a quote from `duvida` on, and else from `duvida_sem_alvo` on.
    """

    intercepto: float
    limiar: float
    limiar_oculto: float
    limiar_a_conferir: float
    plausivel: float
    duvida: float
    duvida_citada: float
    duvida_sem_alvo: float
    pesos: Mapping[str, float]


class Frase(Value, frozen=True):
    """A stretch of plain text, and what its features add up to: the higher, the more it tells whoever grades what to do.

    `alvo`: it names something that such an order is about; nothing else is told, whatever it adds up to.
    """

    inicio: int
    fim: int
    soma: float
    alvo: bool

    @property
    def certeza(self) -> float:
        """From 0 to 1."""
        return 1 / (1 + exp(-self.soma))


@lru_cache(maxsize=_TEXTS)
def read_sentences(plain: str) -> tuple[Frase, ...]:
    """The sentences of a text in plain letters of which some word plays a role in orders, each weighed.

    Kept for a while: what is looked for orders is then looked at for doubts.
    """
    return tuple(_weighed(words) for words in _sentences(plain) if roles_in([word.group() for word in words]))


def find_told(plain: str, frases: Sequence[Frase], *, oculto: bool, a_conferir: bool = False) -> Iterator[Frase]:
    """The sentences about grading that add up to enough, and pairs of plausible ones that do so together.

    Less is asked where what is told is still to be read for its meaning (`a_conferir`), and more of a text of which many sentences come
    near: there an order sticks out, and an honest sentence does not.
    """
    pesos = _pesos()
    told = pesos.limiar_a_conferir if a_conferir else pesos.limiar
    enough = pesos.limiar_oculto if oculto else told + _near([frase.soma for frase in frases], pesos.limiar)
    yield from (frase for frase in frases if frase.alvo and frase.soma >= enough)
    for one, other in pairwise(frases):
        if (one.alvo or other.alvo) and pesos.plausivel <= min(one.soma, other.soma) and max(one.soma, other.soma) < enough:
            words = list(WORD.finditer(plain, one.inicio, other.fim))
            if len(words) <= _SHORT and (both := _weighed(words)).soma >= enough:
                yield both


def is_plausible(frase: Frase) -> bool:
    """Whether a sentence is worth a closer look."""
    return frase.soma >= _pesos().plausivel


def is_doubtful(frase: Frase, *, citada: bool) -> bool:
    """Whether a sentence adds up to enough to be doubted: far less than is told, less where a nota rests on it (`citada`) and more where
    it names nothing of grading.
    """
    pesos = _pesos()
    levels = (pesos.duvida_citada, pesos.duvida, pesos.duvida_sem_alvo)
    return frase.soma >= levels[(not citada) + (not frase.alvo)]


def _near(somas: Sequence[float], told: float) -> float:
    """From 0, how many sentences of a text come near being told: those that would be, and the highest, apart."""
    others = sorted(somas)[:-1]
    if not others:
        return 0.0
    how_many = sum(1 / (1 + exp(-_STEEP * (soma - _NEAR))) for soma in others if soma < told)
    return min(_MOST_NEAR, _EACH_NEAR * log1p(how_many)) * len(others) / (len(others) + _FEW)


def _sentences(plain: str) -> Iterator[list[re.Match[str]]]:
    start = 0
    for end in [*(match.end() for match in _END.finditer(plain)), len(plain)]:
        words = list(WORD.finditer(plain, start, end))
        if _FEWEST <= len(words) <= _LONGEST:
            yield words
        elif words:
            yield from (words[at : at + _WINDOW] for at in range(0, len(words) - _STEP, _STEP))
        start = end


def _weighed(words: Sequence[re.Match[str]]) -> Frase:
    pesos = _pesos()
    said = [word.group() for word in words]
    found = features(said)
    soma = pesos.intercepto + diluted(len(found)) * sum(map(pesos.pesos.get, found, repeat(0.0)))
    return Frase(words[0].start(), words[-1].end(), soma, has_alvo(said))


@cache
def _pesos() -> _Pesos:
    return read_lexico(__package__, "instrucoes_pesos", _Pesos)
