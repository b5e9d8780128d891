"""How many calls and tokens a run of scoring would take, from the very texts that would be sent.

Source: design, An execução ("a cost estimate from real token counts").
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Final

from crivo.kernel.llm.marcacao import render
from crivo.triagem.avaliacao.material import Material, read_material
from crivo.triagem.avaliacao.pergunta import common_parts, criterio_parts, criterio_prompt, edital_parts
from crivo.triagem.avaliacao.suspeita import find_suspeitos, without
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Criterio, Edital, Value

TOKENS_OF_AN_ANSWER: Final = 400  # five passages, four sentences and a nota
_ANY_NONCE: Final = "0" * 16


class Estimativa(Value, frozen=True):
    """What a run would take; `letras` are those of all questions, `comuns` those that each has in common with the one before it.

    The first question of a project has the prompt and the edital in common with those of another.
    """

    chamadas: int = 0
    tokens_entrada: int = 0
    tokens_saida: int = 0
    letras: int = 0
    comuns: int = 0

    @property
    def parte_comum(self) -> float:
        """The share of the questions that a provider's prompt cache can serve, 0 to 1."""
        return self.comuns / self.letras if self.letras else 0.0

    def __add__(self, other: Estimativa) -> Estimativa:
        """Both together."""
        return Estimativa(
            self.chamadas + other.chamadas,
            self.tokens_entrada + other.tokens_entrada,
            self.tokens_saida + other.tokens_saida,
            self.letras + other.letras,
            self.comuns + other.comuns,
        )


def estimate_projeto(edital: Edital, criterios: Sequence[Criterio], lido: ProjetoLido) -> Estimativa:
    """One project: critérios × samples, twice where text is suspect.

    Not counted, as nobody can tell before: what is asked again after a complaint, and the checks of a nota near an end of its range.
    """
    whole = read_material(lido)
    suspeitos = find_suspeitos(whole)
    readings = [without(whole, suspeitos), whole] if suspeitos else [whole]
    questions = [
        text
        for material in readings
        if material.secoes
        for text in _questions(edital, criterios, material)
        for _ in range(max(1, edital.amostras))
    ]
    return _counted(questions, _beginning(edital)) if questions else Estimativa()


def _questions(edital: Edital, criterios: Sequence[Criterio], material: Material) -> list[str]:
    prompt, common = criterio_prompt().texto, common_parts(edital, material)
    return [f"{prompt}\n\n{render((*common, *criterio_parts(criterio)), _ANY_NONCE)}" for criterio in criterios]


def _beginning(edital: Edital) -> str:
    """What the questions of every project of an edital begin with."""
    return f"{criterio_prompt().texto}\n\n{render(edital_parts(edital), _ANY_NONCE)}"


def _counted(questions: Sequence[str], beginning: str) -> Estimativa:
    from crivo.kernel.llm.precos import estimate_tokens  # here, as the prices that come with it take long to load

    return Estimativa(
        len(questions),
        sum(estimate_tokens(question) for question in questions),
        TOKENS_OF_AN_ANSWER * len(questions),
        sum(map(len, questions)),
        sum(_common(one, other) for one, other in pairwise((beginning, *questions))),
    )


def _common(one: str, other: str) -> int:
    """Letters that two texts begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
