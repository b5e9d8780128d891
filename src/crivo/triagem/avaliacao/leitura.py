"""A model's answers on one critério as they are read: which notas are valid, which passages are found, and what to complain of."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from math import isfinite
from typing import Final

from crivo.kernel.llm.port import ModeloIndisponivel, Reply
from crivo.triagem.achados import Evidencia
from crivo.triagem.avaliacao.citacoes import find_citacoes
from crivo.triagem.avaliacao.confianca import median
from crivo.triagem.avaliacao.material import Material
from crivo.triagem.avaliacao.pergunta import alien_texts, nota_text
from crivo.triagem.avaliacao.resposta import RespostaCriterio
from crivo.triagem.edital import Criterio, Edital, Value

_CENT: Final = Decimal("0.01")


class Amostra(Value, frozen=True):
    """One valid answer: its nota to two decimals, the passages found, and how many it quoted."""

    nota: Decimal
    justificativa: str
    evidencias: tuple[Evidencia, ...]
    citadas: int
    modelo: str


class Leituras(Value, frozen=True):
    """All answers of one reading of a project. `falhas` say in pt-BR why a sample gave none; `nulas` were out of range twice.

    `suspeitos` are passages that the model says try to give orders, not yet confirmed.
    """

    material: Material
    pedidas: int
    amostras: tuple[Amostra, ...] = ()
    falhas: tuple[str, ...] = ()
    nulas: int = 0
    suspeitos: tuple[str, ...] = ()

    @property
    def nota(self) -> Decimal | None:
        """The median of the valid samples, None where there are none."""
        return median([amostra.nota for amostra in self.amostras]) if self.amostras else None

    @property
    def evidencias(self) -> tuple[Evidencia, ...]:
        """The passages found, of all samples, each once."""
        return tuple(dict.fromkeys(evidencia for amostra in self.amostras for evidencia in amostra.evidencias))


def complaint(criterio: Criterio, alheios: Sequence[str], material: Material, resposta: RespostaCriterio) -> str | None:
    """What is wrong with an answer, in pt-BR for the model; None where nothing is."""
    if _valid_nota(resposta.nota, criterio) is None:
        low, high = nota_text(criterio.nota_min), nota_text(criterio.nota_max)
        return f"A nota deve ficar entre {low} e {high}, com até duas casas decimais. Releia os níveis do critério e dê a nota de novo."
    if not find_citacoes(resposta.citacoes, material, alheios):
        return (
            "Nenhuma das citações foi encontrada no projeto, ou são curtas demais, ou repetem o edital ou o critério. "
            "Copie letra por letra frases do projeto que tratem do critério, e só depois dê a nota."
        )
    return None


def read_replies(
    criterio: Criterio, edital: Edital, material: Material, replies: Sequence[Reply[RespostaCriterio] | ModeloIndisponivel]
) -> Leituras:
    """The answers of one reading, each checked again: a second answer is no better for being the second."""
    answers = [reply for reply in replies if isinstance(reply, Reply)]
    alheios = alien_texts(edital, criterio)
    amostras = tuple(
        Amostra(
            nota=nota,
            justificativa=" ".join(reply.valor.justificativa.split()),
            evidencias=find_citacoes(reply.valor.citacoes, material, alheios),
            citadas=len(reply.valor.citacoes),
            modelo=reply.modelo,
        )
        for reply in answers
        if (nota := _valid_nota(reply.valor.nota, criterio)) is not None
    )
    return Leituras(
        material,
        len(replies),
        amostras,
        tuple(str(reply) for reply in replies if isinstance(reply, ModeloIndisponivel)),
        len(answers) - len(amostras),
        tuple(dict.fromkeys(trecho for reply in answers for trecho in reply.valor.trechos_suspeitos)),
    )


def _valid_nota(nota: float, criterio: Criterio) -> Decimal | None:
    """The nota to two decimals; None where it is out of range or is finer than that. It is never moved into the range."""
    if not isfinite(nota) or not criterio.nota_min <= Decimal(str(nota)) <= criterio.nota_max:
        return None
    exact = Decimal(str(nota))
    rounded = exact.quantize(_CENT)
    return rounded if rounded == exact else None
