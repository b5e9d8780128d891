"""A model's answers on one critério as they are read: which notas are valid, which passages are found, and what to complain of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from math import isfinite
from typing import Final

from crivo.kernel.llm.port import ModeloIndisponivel, Reply
from crivo.triagem.achados import Evidencia
from crivo.triagem.avaliacao.citacoes import FEWEST_WORDS, Falta, find_citacoes, read_citacao
from crivo.triagem.avaliacao.conferencia import Contexto, tell_faults
from crivo.triagem.avaliacao.confianca import median
from crivo.triagem.avaliacao.material import Material
from crivo.triagem.avaliacao.pergunta import alien_texts, nota_text
from crivo.triagem.avaliacao.resposta import RespostaCriterio
from crivo.triagem.edital import Criterio, Edital, Value

_CENT: Final = Decimal("0.01")
_TOLD_OF_A_QUOTE: Final = 80  # letters
_FALTAS: Final[Mapping[Falta, str]] = {
    "ausente": "não está no projeto como foi copiada: copie letra por letra, sem juntar partes e sem reticências",
    "curta": f"é curta demais: copie pelo menos {FEWEST_WORDS} palavras seguidas",
    "alheia": "repete o edital ou o critério: cite o projeto",
    "vazia": "é fórmula de todo formulário, ou dado que ficou de fora: cite o que o projeto diz",
}


class Amostra(Value, frozen=True):
    """One valid answer: its nota to two decimals, the passages found, and how many it quoted."""

    nota: Decimal
    justificativa: str
    evidencias: tuple[Evidencia, ...]
    citadas: int
    modelo: str


class Leituras(Value, frozen=True):
    """All answers of one reading of a project. `falhas` say in pt-BR why a sample gave none; `nulas` were out of range twice.

    `suspeitos` are passages that the model says try to weigh on the nota, not yet confirmed. `provisorias`: answers with a fault that
    it was told of, after which it could not be asked again.
    """

    material: Material
    pedidas: int
    amostras: tuple[Amostra, ...] = ()
    falhas: tuple[str, ...] = ()
    nulas: int = 0
    suspeitos: tuple[str, ...] = ()
    provisorias: int = 0

    @property
    def inteira(self) -> bool:
        """Whether every question was answered, and none for this once alone."""
        return not self.falhas and not self.provisorias

    @property
    def nota(self) -> Decimal | None:
        """The median of the valid samples, None where there are none."""
        return median([amostra.nota for amostra in self.amostras]) if self.amostras else None

    @property
    def evidencias(self) -> tuple[Evidencia, ...]:
        """The passages found, of all samples, each once."""
        return tuple(dict.fromkeys(evidencia for amostra in self.amostras for evidencia in amostra.evidencias))


def complaint(criterio: Criterio, alheios: Sequence[str], material: Material, resposta: RespostaCriterio) -> str | None:
    """All that is wrong with an answer, in pt-BR for the model; None where nothing is."""
    told = [*_about_nota(resposta.nota, criterio), *_about_citacoes(resposta.citacoes, material, alheios)]
    told += tell_faults(" ".join(resposta.justificativa.split()), Contexto(material.texto, tuple(alheios), _told_nota(resposta.nota)))
    return " ".join(told) or None


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
        if (nota := valid_nota(reply.valor.nota, criterio)) is not None
    )
    return Leituras(
        material,
        len(replies),
        amostras,
        tuple(str(reply) for reply in replies if isinstance(reply, ModeloIndisponivel)),
        len(answers) - len(amostras),
        tuple(dict.fromkeys(trecho for reply in answers for trecho in reply.valor.trechos_suspeitos)),
        sum(reply.provisoria for reply in answers),
    )


def _about_nota(nota: float, criterio: Criterio) -> Iterator[str]:
    if valid_nota(nota, criterio) is None:
        low, high = nota_text(criterio.nota_min), nota_text(criterio.nota_max)
        yield f"A nota deve ficar entre {low} e {high}, com até duas casas decimais. Releia os níveis do critério e dê a nota de novo."


def _about_citacoes(citacoes: Sequence[str], material: Material, alheios: Sequence[str]) -> Iterator[str]:
    if not any(citacao.strip() for citacao in citacoes):
        yield "Não há nenhuma citação. Copie letra por letra frases do projeto que tratem do critério, e só depois dê a nota."
    for citacao in citacoes:
        found = read_citacao(citacao, material, alheios)
        if not isinstance(found, Evidencia):
            yield f"A citação “{_short(citacao)}” {_FALTAS[found]}."


def _short(citacao: str) -> str:
    flat = " ".join(citacao.split())
    return flat if len(flat) <= _TOLD_OF_A_QUOTE else f"{flat[:_TOLD_OF_A_QUOTE]}…"


def _told_nota(nota: float) -> Decimal:
    """The nota that a justificativa may name: none where it is no number."""
    return Decimal(str(nota)) if isfinite(nota) else Decimal(-1)


def valid_nota(nota: float, criterio: Criterio) -> Decimal | None:
    """The nota to two decimals; None where it is out of range or is finer than that. It is never moved into the range."""
    if not isfinite(nota) or not criterio.nota_min <= Decimal(str(nota)) <= criterio.nota_max:
        return None
    exact = Decimal(str(nota))
    rounded = exact.quantize(_CENT)
    return rounded if rounded == exact else None
