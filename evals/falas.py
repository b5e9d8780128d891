"""`python -m evals.falas`: learns what a message does from `falas_corpus/`, and writes the weights; `--medir` only measures them.

Hands in `falas_corpus/fora/` judge alone. The same files give the same weights, byte for byte: the learner is one thread of fixed order,
and weights are rounded to whole hundredths.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Final, cast, get_args

import numpy as np
from bench.linhas import Linha, Meta, measured
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from crivo.kernel.linguagem.etiquetas import ESCALAS, UNIDADE, Cabeca, Contexto, Linear, linear
from crivo.kernel.linguagem.feicoes import features
from crivo.kernel.linguagem.pesos import Grupos
from evals.confiabilidade import Previsao, expected_error, reliability, reliability_table

CORPUS: Final = Path(__file__).resolve().parent / "falas_corpus"
PESOS: Final = Path(__file__).resolve().parents[1] / "src/crivo/kernel/linguagem/etiquetas.tsv"
ATOS: Final = (
    "marcar", "listar", "escolher", "outros", "sim", "nao", "mudar", "cancelar", "desistir", "desfazer", "minhas", "conferir", "informar",
    "orientar", "dado", "corrigir", "pessoa", "social", "queixa", "contar", "fora",
)  # fmt: skip
MODOS: Final = ("ordem", "pergunta", "suposto", "negado", "relatado")
RESTRICOES: Final = ("quer", "exclui", "ambos", "tanto")
_MUDAM: Final = frozenset({"marcar", "escolher", "sim", "cancelar", "mudar", "desfazer"})
CABECAS: Final = (
    *(f"ato:{ato}" for ato in ATOS), *(f"modo:{modo}" for modo in MODOS), *(f"restricao:{one}" for one in RESTRICOES), "outro", "manda",
)  # fmt: skip
_FEWEST: Final = 3  # whole messages that a feature must be in
_FIRMNESS: Final = 8.0
_LEAST: Final = 30  # hundredths; weights below it are left out
_WHOLE: Final = 1.0
_CLAUSE: Final = 0.5  # what a clause by itself counts beside a whole message
_NOISY: Final = 0.4
_APART: Final = 5  # parts of the hands, each left out in turn for the calibration
_ATOS_CERTOS: Final = Meta(">=", 0.95)
_MODOS_CERTOS: Final = Meta(">=", 0.98)
_CERTEZA_FIEL: Final = Meta("<=", 0.03, "nosso")


@dataclass(frozen=True, slots=True)
class Clausula:
    """A clause, and what it does."""

    ato: str
    modo: str
    restricao: str
    quem: str
    texto: str


@dataclass(frozen=True, slots=True)
class Fala:
    """A message of a hand, what it answers, and its clauses."""

    mao: str
    contexto: Contexto
    clausulas: tuple[Clausula, ...]

    @property
    def texto(self) -> str:
        """The message as it was said."""
        return " ".join(one.texto for one in self.clausulas)

    @property
    def etiquetas(self) -> frozenset[str]:
        """All that it does, by the names of the heads."""
        found = {f"ato:{one.ato}" for one in self.clausulas} | {f"modo:{one.modo}" for one in self.clausulas if one.modo != "-"}
        found |= {f"restricao:{one.restricao}" for one in self.clausulas if one.restricao != "-"}
        if any(one.quem == "outro" for one in self.clausulas):
            found.add("outro")
        if any(one.modo == "ordem" and one.ato in _MUDAM for one in self.clausulas):
            found.add("manda")
        return frozenset(found)


@dataclass(frozen=True, slots=True)
class Exemplo:
    """A message to learn from, as its features, and what it counts."""

    grupos: Grupos
    etiquetas: frozenset[str]
    peso: float


def read_falas(path: Path) -> Iterator[Fala]:
    """The messages of a hand; raises ValueError at a line that is none."""
    for line in path.read_text(encoding="utf-8").splitlines():
        contexto, _, rest = line.partition(" | ")
        if contexto not in get_args(Contexto):
            raise ValueError(f"{path.name}: {line}")
        clausulas = tuple(_clause(clause) for clause in rest.split(" || "))
        yield Fala(path.stem, cast("Contexto", contexto), clausulas)


def _clause(written: str) -> Clausula:
    labels, _, told = written.partition(": ")
    ato, modo, restricao, quem = labels.strip().split("/")
    return Clausula(ato, modo, restricao, quem, told)


def hands(folder: Path = CORPUS) -> dict[str, tuple[Fala, ...]]:
    """The messages of each hand of a folder."""
    return {path.stem: tuple(read_falas(path)) for path in sorted(folder.glob("*.txt"))}


def examples(falas: Sequence[Fala]) -> Iterator[Exemplo]:
    """What is learned from: each message, each of its clauses by itself, and each message once more as a hasty hand types it."""
    for fala in falas:
        yield Exemplo(features(fala.texto, fala.contexto), fala.etiquetas, _WHOLE)
        if len(fala.clausulas) > 1:
            for one in fala.clausulas:
                alone = Fala(fala.mao, fala.contexto, (one,))
                yield Exemplo(features(one.texto, fala.contexto), alone.etiquetas, _CLAUSE)
    sorte = random.Random(12)  # noqa: S311  # slips of the hand, no secret
    for fala in falas:
        yield Exemplo(features(slipped(fala.texto, sorte), fala.contexto), fala.etiquetas, _NOISY)


def slipped(texto: str, sorte: random.Random) -> str:
    """A message with slips of the hand: letters swapped, lost or doubled, words joined, marks left out."""
    words = texto.split()
    for _ in range(1 + len(words) // 6):
        at = sorte.randrange(len(words))
        word = words[at]
        if len(word) < 4:
            continue
        place = sorte.randrange(len(word) - 1)
        match sorte.randrange(4):
            case 0:
                words[at] = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
            case 1:
                words[at] = word[:place] + word[place + 1 :]
            case 2:
                words[at] = word[:place] + word[place] + word[place:]
            case _:
                words[at : at + 2] = ["".join(words[at : at + 2])]
    return " ".join(words).replace("?", "") if sorte.random() < 0.3 else " ".join(words)


def learn(falas: Sequence[Fala], cabecas: Sequence[str] = CABECAS) -> Linear:
    """The weights that tell each thing that a message may do, not yet calibrated."""
    told = list(examples(falas))
    counted = Counter(feature for one in told if one.peso == _WHOLE for found in one.grupos.values() for feature in found)
    known = {feature: place for place, feature in enumerate(sorted(one for one, many in counted.items() if many >= _FEWEST))}
    texts = matrix([one.grupos for one in told], known)
    counts = np.array([one.peso for one in told])
    learned: list[Cabeca] = []
    weights: dict[str, list[tuple[int, int]]] = {}
    names = list(known)
    for place, nome in enumerate(cabecas):
        model = LogisticRegression(C=_FIRMNESS, solver="liblinear", dual=True, random_state=0, tol=0.01, max_iter=1_000)
        model.fit(texts, np.array([nome in one.etiquetas for one in told]), sample_weight=counts)
        learned.append(Cabeca(nome, round(float(model.intercept_[0]), 2)))
        rounded = np.rint(model.coef_[0] * UNIDADE).astype(int)
        for column in np.flatnonzero(np.abs(rounded) >= _LEAST):
            weights.setdefault(names[column], []).append((place, int(rounded[column])))
    return Linear(tuple(learned), {feature: tuple(pairs) for feature, pairs in weights.items()})


def matrix(told: Sequence[Grupos], known: dict[str, int]) -> csr_matrix:
    """The messages by their features, each group scaled to its worth."""
    columns: list[int] = []
    values: list[float] = []
    ends = [0]
    for grupos in told:
        for name, found in grupos.items():
            kept = sorted(known[feature] for feature in found if feature in known)
            columns += kept
            values += [ESCALAS[name] / sqrt(len(found))] * len(kept)
        ends.append(len(columns))
    return csr_matrix((values, columns, ends), shape=(len(told), len(known)))


def calibrated(model: Linear, maos: dict[str, tuple[Fala, ...]]) -> Linear:
    """The model with, for each head, the line that fits the margins of hands that were left out of their own weights."""
    somas: list[tuple[float, ...]] = []
    right: list[frozenset[str]] = []
    for first in range(_APART):
        apart = sorted(maos)[first::_APART]
        made = learn([fala for mao in maos if mao not in apart for fala in maos[mao]])
        for fala in (fala for mao in apart for fala in maos[mao]):
            somas.append(made.somas(features(fala.texto, fala.contexto)))
            right.append(fala.etiquetas)
    margins: NDArray[np.float64] = np.array(somas)
    cabecas = []
    for place, cabeca in enumerate(model.cabecas):
        line = LogisticRegression(C=1e4, solver="lbfgs").fit(margins[:, [place]], np.array([cabeca.nome in one for one in right]))
        cabecas.append(
            Cabeca(cabeca.nome, cabeca.intercepto, round(float(line.coef_[0][0]), 3), round(float(line.intercept_[0]), 3)),
        )
    return Linear(tuple(cabecas), model.pesos)


def write(path: Path = PESOS) -> None:
    """Learn, calibrate, and write the weights."""
    maos = hands()
    path.write_text(calibrated(learn([fala for falas in maos.values() for fala in falas]), maos).written(), encoding="utf-8")


def predictions(falas: Sequence[Fala], model: Linear | None = None) -> dict[str, list[Previsao]]:
    """By head, how sure the model is of each message, and whether it was so."""
    known = model or linear()
    found: dict[str, list[Previsao]] = {cabeca.nome: [] for cabeca in known.cabecas}
    for fala in falas:
        for nome, certeza in known.certezas(features(fala.texto, fala.contexto)).items():
            found[nome].append((certeza, nome in fala.etiquetas))
    return found


def told_acts() -> list[Linha]:
    """Of each hand that taught nothing: how often acts, modes and orders are told rightly."""
    return [linha for mao, falas in hands(CORPUS / "fora").items() for linha in _rows(mao, predictions(falas))]


def _rows(mao: str, found: dict[str, list[Previsao]]) -> Iterator[Linha]:
    for nome, prefix, meta in (("atos", "ato:", _ATOS_CERTOS), ("modos", "modo:", _MODOS_CERTOS), ("ordena ou não", "manda", None)):
        each = [one for head, previsoes in found.items() if head.startswith(prefix) for one in previsoes]
        right = sum((certeza >= 0.5) == was for certeza, was in each)
        both = sum(certeza >= 0.5 and was for certeza, was in each)
        said, were = sum(certeza >= 0.5 for certeza, _ in each), sum(was for _, was in each)
        nota = f"Sim ou não a cada um, mensagem inteira; dos ditos {both / said:.0%} são, dos que são {both / were:.0%} são ditos"
        yield measured(f"falas, {mao}, que não ensinou: {nome}", "respostas", right, len(each), meta=meta, execucoes=len(each), nota=nota)
    told = [one for previsoes in found.values() for one in previsoes]
    for certeza, was, many in reliability(told):
        nota = f"De tudo o que foi dito com certeza média de {certeza:.3f}, quanto foi assim"
        yield measured(f"falas, {mao}: certeza {certeza:.3f}", "respostas", round(was * many), many, meta=None, execucoes=many, nota=nota)
    nota = "Em média, por quanto a certeza dita se afasta do que foi"
    yield measured(
        f"falas, {mao}: erro da certeza", "probabilidade", expected_error(told), None, meta=_CERTEZA_FIEL, execucoes=len(told), nota=nota
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Learns unless asked only to measure; prints the figures of the hands that judge, and how far the certainty holds."""
    parser = argparse.ArgumentParser(prog="python -m evals.falas", description="Aprende o que uma mensagem faz, e mede em mãos de fora.")
    parser.add_argument("--medir", action="store_true", help="só mede os pesos que há")
    if not parser.parse_args(argv).medir:
        write()
        linear.cache_clear()
    for linha in told_acts():
        if linha.meta is not None or linha.linha.endswith("ordena ou não"):
            print(f"{linha.linha}: {linha.razao or linha.nosso}. {linha.nota}")
    for mao, falas in hands(CORPUS / "fora").items():
        found = predictions(falas)
        print(f"\n{mao}")
        for head in CABECAS:
            each = found[head]
            print(f"  {head:20} {sum((certeza >= 0.5) == was for certeza, was in each) / len(each):.3f}")
        print(reliability_table([one for head in CABECAS for one in found[head]]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
