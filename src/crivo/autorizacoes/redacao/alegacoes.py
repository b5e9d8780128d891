"""What a sentence claims, weighed by what was learned of sentences that decisions bear out and of others.

A sentence is read with its names and numbers masked (`mascara`), beside what was decided. The weights are data (`pesos.json`),
made again by `python -m evals.redacao_pesos`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from math import fsum
from typing import Final

import msgspec

from crivo.autorizacoes.motivos import CARENCIA, DOCUMENTOS, IDADE, QUANTIDADE, REDE, SEM_COBERTURA
from crivo.autorizacoes.redacao.atos import acts, form
from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.insumos import Campo
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.mascara import words_of
from crivo.autorizacoes.redacao.mostrado import END, share_told, shown_sentences
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.kernel.linguagem.frases import Span

_MOSTLY: Final = 0.5  # of a sentence's content, from which it is told from what was shown
_OUTCOMES: Final = {"APROVADO": "aprovado", "APROVADO_PARCIAL": "parcial", "NEGADO": "negado", "PENDENTE_AJUSTES": "pendente"}
_DENIALS: Final = frozenset({"nao", "nem", "sem", "nenhum", "nenhuma", "nunca"})
# What is spoken of, by the motivo that it would be, in the entries of the lexicon for a sentence whose names and numbers are masked.
_SUBJECTS: Final = {
    CARENCIA: "tema_carencia",
    IDADE: "tema_idade",
    REDE: "tema_rede",
    QUANTIDADE: "tema_quantidade",
    SEM_COBERTURA: "tema_cobertura",
    DOCUMENTOS: "tema_documentos",
    "custo": "tema_custo",
}


class Contexto(msgspec.Struct, frozen=True):
    """What was decided, as far as it bears on what a sentence may claim; `falta` when a document is owed."""

    final: str
    motivos: tuple[str, ...]
    falta: bool
    efeito: str | None
    campo: Campo

    @classmethod
    def of(cls, fatos: Fatos, campo: Campo) -> Contexto:
        """The context of a text for a field."""
        return cls(fatos.final, fatos.motivos, bool(fatos.pendentes), fatos.insumos.efeito_ajustes, campo)


class Pesos(msgspec.Struct, frozen=True):
    """What each feature weighs, and `limiar`, the weight from which a sentence is held back."""

    intercepto: float
    limiar: float
    pesos: dict[str, float]


class Alegacao(msgspec.Struct, frozen=True):
    """A sentence, where it stands, and its weight: the higher, the less the decision bears it out."""

    span: Span
    peso: float


def check_alegacoes(pagina: Pagina, masked: str, fatos: Fatos, campo: Campo) -> Iterator[Achado]:
    """The sentences that weigh too much for the decision to bear them out, but for those told from what the writer was shown."""
    shown = shown_sentences(fatos.mostrados)
    for alegacao in weigh(masked, Contexto.of(fatos, campo)):
        heavy = alegacao.peso >= pesos().limiar
        if heavy and share_told(pagina.folded[slice(*alegacao.span)], shown, fatos.nome_do_procedimento) < _MOSTLY:
            yield Achado("resultado", pagina.quote(alegacao.span), "a decisão não sustenta o que esta frase diz")


@cache
def pesos() -> Pesos:
    """The weights as they come with the product."""
    return msgspec.json.decode(resources.files("crivo.autorizacoes.redacao").joinpath("pesos.json").read_bytes(), type=Pesos)


def weigh(masked: str, contexto: Contexto, known: Pesos | None = None) -> tuple[Alegacao, ...]:
    """The sentences of a masked text that say anything, in order; weighed by the product's own weights unless given others."""
    known = known or pesos()
    return tuple(
        Alegacao(span, fsum((known.intercepto, *(known.pesos.get(feature, 0.0) for feature in features(words, contexto)))))
        for span, words in sentences(masked)
    )


def sentences(masked: str) -> Iterator[tuple[Span, list[str]]]:
    """Where each sentence of a masked text stands, and its words."""
    start = 0
    for end in (*(match.end() for match in END.finditer(masked)), len(masked)):
        words = words_of(masked[start:end])
        if words:
            yield (start, end), words
        start = end


def features(words: Sequence[str], contexto: Contexto) -> set[str]:
    """All that can bear a weight in a sentence of these words: they, their neighbours, and both beside what was decided."""
    told = [form(word) for word in words]
    alone = set(told)
    both = alone | {f"{one} {other}" for one, other in pairwise(["^", *told, "$"])}
    found = both | {f"{one} .. {other}" for at, one in enumerate(told) for other in told[at + 2 : at + 6]}
    found |= {f"{_OUTCOMES[contexto.final]}: {feature}" for feature in both}
    found |= {f"{'falta' if contexto.falta else 'completo'}: {feature}" for feature in alone}
    if contexto.campo == "para_beneficiario":
        found |= {f"beneficiario: {feature}" for feature in alone}
    elif contexto.campo == "resumo_efeito":
        found |= {f"{prefix}: {feature}" for prefix in ("efeito", f"efeito {contexto.efeito}") for feature in both}
    return found | set(_subjects(words, alone, contexto)) | set(_done(words, contexto))


def _done(words: Sequence[str], contexto: Contexto) -> Iterator[str]:
    """What the sentence does, each act with every later one, and whose motivo it speaks of, beside what was decided."""
    outcome = _OUTCOMES[contexto.final]
    spoken = {motivo: ("seu" if motivo in contexto.motivos else "outro") for motivo in _spoken_of(words)}
    found = acts(words)
    subjects = {*spoken.values()} if len(spoken) > 1 else {f"so {whose}" for whose in spoken.values()}
    named = {f"{whose} {motivo}" for motivo, whose in spoken.items()}
    pairs = {f"{one} > {other}" for at, one in enumerate(found) for other in found[at + 1 :] if one != other}
    for act in {*found, *pairs}:
        yield f"@{act}"
        yield f"@{outcome}: {act}"
        if contexto.campo == "resumo_efeito":
            yield f"@efeito {contexto.efeito}: {act}"
    for act in set(found):
        yield from (f"@{subject}: {act}" for subject in subjects)
        yield from (f"@{outcome} {subject}: {act}" for subject in (*subjects, *named))
        yield f"@{'falta' if contexto.falta else 'completo'} {outcome}: {act}"


def _subjects(words: Sequence[str], alone: set[str], contexto: Contexto) -> Iterator[str]:
    """What is spoken of, whether it is a motivo of the decision, and what is said of it."""
    denied = " nao" if _DENIALS & alone else ""
    for motivo in _spoken_of(words):
        subject = f"{'seu' if motivo in contexto.motivos else 'outro'} {motivo}"
        yield from (f"{subject}{denied}", f"{_OUTCOMES[contexto.final]}: {subject}{denied}")
        yield from (f"{subject}: {word}" for word in alone)


def _spoken_of(words: Sequence[str]) -> Iterator[str]:
    """The motivos that a sentence speaks of, the decision's own or not."""
    text = " ".join(words).lower()
    return (motivo for motivo, entry in _SUBJECTS.items() if LEXICO.has(entry, text))
