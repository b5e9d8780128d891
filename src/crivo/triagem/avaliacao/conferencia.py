"""What code checks of a justificativa before anybody reads it, and the sentence of its own that it puts in the place of one that fails."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Final, Literal

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.linguagem.nomes import find_names
from crivo.triagem.achados import Evidencia
from crivo.triagem.avaliacao.lingua import is_portuguese
from crivo.triagem.avaliacao.material import PESSOAL
from crivo.triagem.avaliacao.numeros import numbers_in
from crivo.triagem.edital import Criterio, Value
from crivo.triagem.irregularidades.instrucoes import find_certain

LONGEST: Final = 900  # letters
Falha = Literal["vazia", "longa", "lingua", "dado_pessoal", "marcacao", "instrucao", "nota", "numero", "nome"]
FALHAS: Final[Mapping[Falha, str]] = {
    "vazia": "veio vazia",
    "longa": "passou do tamanho",
    "lingua": "não está em português",
    "dado_pessoal": "traz CPF, telefone ou e-mail",
    "marcacao": "traz links ou formatação",
    "instrucao": "traz texto que tenta dar ordens",
    "nota": "fala de outra nota",
    "numero": "traz um número que não está no projeto nem no critério",
    "nome": "traz um nome que não está no projeto nem no edital",
}
_MARKUP: Final = re.compile(r"https?://|www\.|</?[a-zA-Z!]|```|\*\*|^\s*(?:#{1,6}|[-*•]|\d+[.)])\s|\[[^\]]*\]\(|\{\{|\|.*\|", re.MULTILINE)
_OWN_NOTA: Final = re.compile(
    r"\b(?:nota|pontuacao)(?:\s+(?:sugerida|final|atribuida|dada|proposta))?\s*(?:e|de|foi|seria|fica em|:|=)?\s*"
)
_WORD: Final = re.compile(r"[a-z]+")
_QUOTED: Final = 220  # letters of a passage that the code's own sentence repeats


class Contexto(Value, frozen=True):
    """What a justificativa is held against: the project as it was read, the other texts of the question, and its own nota."""

    projeto: str
    alheios: tuple[str, ...]
    nota: Decimal


def check_justificativa(texto: str, contexto: Contexto) -> tuple[Falha, ...]:
    """What is wrong with it, in the order of the catalogue; empty where it may stand."""
    if not texto.strip():
        return ("vazia",)
    found = set(_faults(texto, contexto))
    return tuple(falha for falha in FALHAS if falha in found)


def own_sentence(criterio: Criterio, evidencias: Sequence[Evidencia]) -> str:
    """The code's own justificativa: the passages that were found, and nothing else."""
    if not evidencias:
        return f"O modelo não citou do projeto nenhuma passagem sobre “{criterio.nome}” que se confirmasse no texto."
    quoted = "; ".join(f"“{_short(evidencia.trecho)}”" for evidencia in evidencias)
    lead = "A nota se apoia nesta passagem" if len(evidencias) == 1 else "A nota se apoia nestas passagens"
    return f"{lead} do projeto sobre “{criterio.nome}”: {quoted}."


def _faults(texto: str, contexto: Contexto) -> Iterator[Falha]:
    if len(texto) > LONGEST:
        yield "longa"
    if not is_portuguese(texto):
        yield "lingua"
    if PESSOAL.search(texto):
        yield "dado_pessoal"
    if _MARKUP.search(texto):
        yield "marcacao"
    if find_certain(texto):
        yield "instrucao"
    if _tells_another_nota(texto, contexto.nota):
        yield "nota"
    said = [_said(source) for source in (contexto.projeto, *contexto.alheios)]
    if any(number != contexto.nota and not any(number in one.numeros for one in said) for number in numbers_in(texto)):
        yield "numero"
    names = {word for start, end in find_names(texto) for word in _WORD.findall(fold(texto[start:end]))}
    if any(not any(name in one.palavras for one in said) for name in names):
        yield "nome"


class _Dito(Value, frozen=True, dict=True):
    """What a text says, read when it is asked for: a project is long, and most justificativas have no number and no name to look for."""

    texto: str

    @cached_property
    def numeros(self) -> frozenset[Decimal]:
        return frozenset(numbers_in(self.texto))

    @cached_property
    def palavras(self) -> frozenset[str]:
        return frozenset(_WORD.findall(fold(self.texto)))


@lru_cache(maxsize=256)
def _said(source: str) -> _Dito:
    """The numbers and words of a text; kept, as all critérios of a project ask for the same."""
    return _Dito(source)


def _tells_another_nota(texto: str, nota: Decimal) -> bool:
    plain = fold(texto)
    for match in _OWN_NOTA.finditer(plain):
        told = numbers_in(plain[match.end() : match.end() + 40], first=True)
        if told and told[0] != nota.normalize():
            return True
    return False


def _short(trecho: str) -> str:
    flat = " ".join(trecho.split()).rstrip(".;,")
    return flat if len(flat) <= _QUOTED else flat[: flat.rfind(" ", 0, _QUOTED)] + "…"
