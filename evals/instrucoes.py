"""`python -m evals.instrucoes`: learns the weights by which text that instructs whoever grades is known, and writes them.

It learns from sentences of our own (`instrucoes_corpus/`: orders and honest ones, some with slots that are filled from lists of words,
honest ones of some twenty domains that are no calls for culture, and both kinds of a hand that had seen none of it), from three sets of the
finder's tests, the first half of those of scoring, the lot of `nunca_vistos/sexta_mao.json` that is for mending, and honest prose of the
labelled call. The other sets, the other lot, and the domains of `nunca_vistos`, are never seen here.
The same files give the same weights, but for the last digits, in which processors differ.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from zlib import crc32

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from crivo.triagem.irregularidades.feicoes import WORD, bears_out, diluted, features, stems_with_roles
from crivo.triagem.irregularidades.instrucoes import plain_of

RAIZ: Final = Path(__file__).resolve().parents[1]
CORPUS: Final = RAIZ / "evals/instrucoes_corpus"
SEXTA_MAO: Final = RAIZ / "evals/nunca_vistos/sexta_mao.json"
PESOS: Final = RAIZ / "src/crivo/triagem/irregularidades/instrucoes_pesos.json"
_APRENDIDOS: Final = ("desenvolvimento", "segunda_mao", "terceira_mao")
_ATACADA: Final = ("ataques", "honestos")  # of scoring under attack, the first half
_PROSA: Final = ("edital_rotulado/textos.txt", "reuso_textos.txt")
_SLOT: Final = re.compile(r"\{\{|\}\}|\{(\w+)\}")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s|\n")
_STOP: Final = re.compile(r"(?<=[.!?;])\s+")
_FILLINGS: Final = 8  # of each sentence with slots
_GLUED: Final = 1500  # pairs of honest sentences, which are read as one where both are short
_RUN_ON: Final = (2, 3)  # lines of a domain that follow one another, read as one where a page lost its stops
_OFTEN: Final = 2  # how often a plain order counts; those with slots are filled eight times
_TURNS: Final = 3  # of learning, each without what spoke for an order and may not
_SHORTEST: Final = 15  # letters of a sentence of prose
_DISGUISED: Final = frozenset({"base64", "codificado", "disfarce", "leet", "espaco", "zero", "homo", "math", "largo"})
_FEWEST: Final = 3  # passages that a feature must be in
_LEAST: Final = 0.1  # weights below it are left out
_FIRMNESS: Final = 8.0
# Set on the half of the labelled call that is for adjusting, and on the passages learned from when they were left out by turns.
LIMIAR: Final = 1.75
LIMIAR_OCULTO: Final = 0.3
LIMIAR_A_CONFERIR: Final = 0.0  # on the lot for mending
PLAUSIVEL: Final = -1.0
DUVIDA: Final = -0.9
DUVIDA_CITADA: Final = -3.0
DUVIDA_SEM_ALVO: Final = 1.0  # where lie four in a thousand honest sentences of a call, titles and lists of papers above all


@dataclass(frozen=True, slots=True)
class Passagem:
    """A passage to learn from; `origem` is the sentence it was filled from."""

    texto: str
    instrui: bool
    origem: str


def passages() -> list[Passagem]:
    """All that is learned from, in order."""
    found = [*_filled("dirigido", instrui=True), *_filled("honesto", instrui=False), *_labelled(), *_prose()]
    honest = [passagem.texto for passagem in found if not passagem.instrui]
    pairs = (f"{_choice(honest, f'one {turn}')} {_choice(honest, f'other {turn}')}" for turn in range(_GLUED))
    plain = [*_labelled(), *_labelled(), *_orders(), *_fourth(), *_sixth(), *_domains()]
    return [*found, *(Passagem(texto, False, texto) for texto in pairs), *plain]


def alone() -> list[Passagem]:
    """The same without what was put together out of several, and each as often as it comes."""
    found = [*_filled("dirigido", instrui=True), *_filled("honesto", instrui=False), *_labelled(), *_prose(), *_orders(), *_fourth()]
    return [*found, *_sixth(), *(Passagem(line, False, line) for line in _lines())]


def learn(passagens: Sequence[Passagem]) -> tuple[float, dict[str, float]]:
    """The intercept and the weights that tell them apart best."""
    known = [(WORD.findall(plain_of(passagem.texto)), passagem.instrui) for passagem in passagens]
    told = [(words, instrui) for words, instrui in known if words]
    seen = [features(words) for words, _ in told]
    instrui = np.array([instrui for _, instrui in told])
    stems = stems_with_roles({word for words, _ in told for word in words})
    counted = Counter(feature for each in seen for feature in each)
    kept = sorted(feature for feature, count in counted.items() if count >= _FEWEST)
    for _ in range(_TURNS):
        model = LogisticRegression(C=_FIRMNESS, solver="liblinear", class_weight="balanced", random_state=0, max_iter=1000)
        model.fit(_matrix(seen, kept), instrui)
        weights = {feature: round(float(weight), 2) for feature, weight in zip(kept, model.coef_[0], strict=True)}
        kept = [feature for feature, weight in weights.items() if weight <= 0 or bears_out(feature, stems)]
    own = set(kept)
    fit = {feature: weight for feature, weight in weights.items() if feature in own and abs(weight) >= _LEAST}
    return round(float(model.intercept_[0]), 2), fit


def _matrix(seen: Sequence[Set[str]], kept: Sequence[str]) -> csr_matrix:
    """Passages × features; the more a passage has, the less each counts for."""
    place = {feature: index for index, feature in enumerate(kept)}
    columns = [sorted(place[feature] for feature in each if feature in place) for each in seen]
    ends = np.cumsum([0, *map(len, columns)])
    flat = np.concatenate([np.array(each, dtype=np.int64) for each in columns])
    values = np.concatenate([np.full(len(each), diluted(len(found))) for each, found in zip(columns, seen, strict=True)])
    return csr_matrix((values, flat, ends), shape=(len(seen), len(kept)))


def write(arquivo: Path = PESOS) -> None:
    """Learn, and write the weights, one to a line."""
    intercepto, pesos = learn(passages())
    numbers = {"intercepto": intercepto, "limiar": LIMIAR, "limiar_oculto": LIMIAR_OCULTO, "plausivel": PLAUSIVEL}
    numbers |= {"limiar_a_conferir": LIMIAR_A_CONFERIR}
    numbers |= {"duvida": DUVIDA, "duvida_citada": DUVIDA_CITADA, "duvida_sem_alvo": DUVIDA_SEM_ALVO}
    head = "".join(f' "{name}": {number},\n' for name, number in numbers.items())
    lines = ",\n".join(f"  {json.dumps(feature, ensure_ascii=False)}: {weight}" for feature, weight in pesos.items())
    arquivo.write_text(f'{{\n{head} "pesos": {{\n{lines}\n }}\n}}\n', encoding="utf-8")


def _filled(nome: str, *, instrui: bool) -> Iterator[Passagem]:
    palavras: dict[str, list[str]] = json.loads((CORPUS / "palavras.json").read_bytes())

    def filled(frase: str, turn: int) -> str:
        def fill(match: re.Match[str]) -> str:
            return match.group()[0] if match[1] is None else _choice(palavras[match[1]], f"{frase} {match.start()} {turn}")

        return _SLOT.sub(fill, frase)

    for frase in json.loads((CORPUS / f"{nome}.json").read_bytes()):
        has_slots = any(match[1] for match in _SLOT.finditer(frase))
        texts = dict.fromkeys(filled(frase, turn) for turn in range(_FILLINGS if has_slots else 1))
        yield from (Passagem(texto[0].upper() + texto[1:], instrui, frase) for texto in texts)


def _orders() -> Iterator[Passagem]:
    """Orders without slots."""
    frases = (CORPUS / "ordens.txt").read_text(encoding="utf-8").splitlines()
    yield from (Passagem(frase, True, frase) for frase in frases for _ in range(_OFTEN))


def _fourth() -> Iterator[Passagem]:
    """Orders and honest texts of a hand that had seen none of the others."""
    for caso in json.loads((CORPUS / "quarta_mao.json").read_bytes()):
        yield Passagem(caso["texto"], caso["instrui"], caso["texto"])


def _sixth() -> Iterator[Passagem]:
    """Orders and plain summaries of projects, of the lot that is for mending."""
    for caso in json.loads(SEXTA_MAO.read_bytes()):
        if caso["lote"] == "corrigir":
            yield Passagem(caso["texto"], caso["instrui"], caso["texto"])


def _domains() -> Iterator[Passagem]:
    """Honest sentences of many domains, alone, with those that follow, and beside those of others."""
    lines = _lines()
    for run in (1, *_RUN_ON):
        runs = (" ".join(lines[at : at + run]) for at in range(len(lines) - run + 1))
        yield from (Passagem(texto, False, texto) for texto in runs)
    for turn in range(_GLUED):
        one, other = _choice(lines, f"line {turn}"), _choice(lines, f"beside {turn}")
        yield Passagem(f"{one} {other}", False, one)


def _lines() -> list[str]:
    return [line for arquivo in sorted((CORPUS / "dominios").glob("*.txt")) for line in arquivo.read_text(encoding="utf-8").splitlines()]


def _choice(among: Sequence[str], by: str) -> str:
    """One of them, always the same for the same words."""
    return among[crc32(by.encode()) % len(among)]


def _labelled() -> Iterator[Passagem]:
    for nome in _APRENDIDOS:
        for caso in json.loads((RAIZ / f"tests/triagem/irregularidades/instrucoes_{nome}.json").read_bytes()):
            if caso["jeito"] not in _DISGUISED:  # a disguise is taken off before; its letters teach nothing
                yield Passagem(caso["texto"], caso["instrui"], caso["texto"])
                if not caso["instrui"]:  # of an honest text each sentence is
                    yield from (Passagem(frase, False, caso["texto"]) for frase in _STOP.split(caso["texto"]) if len(frase) > _SHORTEST)
    for nome in _ATACADA:
        for caso in json.loads((RAIZ / f"tests/triagem/avaliacao/{nome}.json").read_bytes()):
            if caso["metade"] == 1 and caso.get("jeito") not in _DISGUISED:
                yield Passagem(caso["texto"], "quer" in caso, caso["texto"])


def _prose() -> Iterator[Passagem]:
    for nome in _PROSA:
        text = (RAIZ / "tests/support" / nome).read_text(encoding="utf-8")
        sentences = (frase for frase in _SENTENCE.split(text) if len(frase) > _SHORTEST and not frase.startswith("#"))
        yield from (Passagem(frase, False, frase) for frase in sentences)
    papeis = json.loads((RAIZ / "tests/support/edital_rotulado/papeis.json").read_bytes())
    for text in _strings(papeis):
        yield from (Passagem(frase, False, frase) for frase in _SENTENCE.split(text) if len(frase) > _SHORTEST)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for each in value.values() for text in _strings(each))
    elif isinstance(value, list):
        yield from (text for each in value for text in _strings(each))


if __name__ == "__main__":
    write()
