"""`python -m evals.emergencia`: learns the weights by which a message sounds like an emergency, and writes them.

It learns from lots of messages that many hands wrote (`emergencia_corpus/`), and from everyday messages that are none. The lots in
`emergencia_corpus/fora/` are of other hands: they judge, and teach nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from math import sqrt
from pathlib import Path
from typing import Final, get_args

import msgspec
import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.linear_model import LogisticRegression

from crivo.clinicas.orquestrador.contracts import TipoDeEmergencia
from crivo.clinicas.orquestrador.emergencia import find_alarme
from crivo.clinicas.orquestrador.emergencia.feicoes import features, plain, spoken_of, stretches
from crivo.clinicas.orquestrador.entende.lexico import ESPECIALIDADES
from crivo.kernel.linguagem.pesos import Grupos
from evals.falas import Fala as FalaCotidiana
from evals.falas import hands

RAIZ: Final = Path(__file__).resolve().parents[1]
CORPUS: Final = RAIZ / "evals/emergencia_corpus"
FORA: Final = CORPUS / "fora"
FALAS: Final = RAIZ / "evals/falas_corpus"
PESOS: Final = RAIZ / "src/crivo/clinicas/orquestrador/emergencia/pesos.json"
EM_CASA: Final = CORPUS / "em_casa/queixas.json"
COTIDIANO: Final = (
    RAIZ / "src/crivo/clinicas/avaliacao/dados/conjunto.json",
    RAIZ / "tests/clinicas/frescos.json",
    RAIZ / "tests/clinicas/reportado.json",
)
"""Sets of conversations whose every message is no emergency."""
CONVERSAS: Final = RAIZ / "evals/conversas_corpus"
_TELLING: Final = frozenset({"contar", "orientar", "queixa", "fora"})
"""Acts in which somebody may tell of an emergency, so that nothing is learned of them."""
_WISHES: Final = ("tenho {term}, tem médico pra isso?", "queria um {name} por causa de {term} faz umas semanas", "{term}")
_PLAIN: Final = re.compile("[a-z ]+")
_GRAVE: Final = frozenset({"ar", "infarto", "peito", "sangue", "avc", "convulsao", "inconsciente", "queimadura", "gravida", "falta"})
LIMIAR: Final = -0.4
"""From this margin on a message sounds like an emergency. It was -0.6, where lots left out of the teaching were heard 97 times of 100;
since ordinary talk teaches too, margins lie 0.2 higher, and the threshold went with them. What is told is of yet another hand."""
SURDEZ: Final = -2.0
"""Of lots left out, below it lie one in a thousand of the emergencies that a rule hears, and most look-alikes that only a rule hears."""
_FEWEST: Final = 2  # messages that a feature must be in
_OF_KINDS: Final = frozenset({"palavras", "conceitos"})
_LEAST: Final = 0.18  # weights below it are left out
_FIRMNESS: Final = 6.0
_RARE: Final = 3.0
_RUNS: Final = 2.0  # runs of letters over the ends of words are held back half as much
# What a message counts beside one that was written to be near: of the sets of conversations, and of those who only book and ask.
_WORTH: Final = {"cotidiano": 0.3, "falas": 0.3, "em_casa": 0.3}
_FRAMES: Final = 3  # of people and words in which each thing that somebody at home has is told
_PRESENT: Final = 4  # the first frames, which tell of now
_SIGNS_AGAIN: Final = 2  # there are fewer signs than complaints


class Fala(msgspec.Struct, frozen=True):
    """A message, whose hand wrote it, and which emergency it is; None for one that only looks like it."""

    mao: str
    idioma: str
    texto: str
    emergencia: TipoDeEmergencia | None = None


class EmCasa(msgspec.Struct, frozen=True):
    """What somebody at home has (`queixas`, `sinais` by kind), who they are, in which words; and whole messages of the same things."""

    parentes: tuple[str, ...]
    dizeres: tuple[str, ...]
    queixas: tuple[str, ...]
    sinais: dict[TipoDeEmergencia, tuple[str, ...]]
    sem_pressa: tuple[str, ...]
    com_pressa: dict[TipoDeEmergencia, tuple[str, ...]]

    def calmas(self) -> tuple[tuple[str, None], ...]:
        """Everyday complaints."""
        return tuple((one, None) for one in self.queixas)

    def graves(self) -> tuple[tuple[str, TipoDeEmergencia], ...]:
        """Signs, each with its kind."""
        return tuple((one, tipo) for tipo, signs in self.sinais.items() for one in signs)


def lot(path: Path) -> tuple[Fala, ...]:
    """A lot of messages."""
    return msgspec.json.decode(path.read_bytes(), type=tuple[Fala, ...])


def taught() -> tuple[Fala, ...]:
    """All that is learned from: lots, conversations, everyday messages and plain complaints."""
    lots = [fala for path in sorted(CORPUS.glob("*.json")) for fala in lot(path)]
    return (*lots, *spoken(), *ordinary(), *everyday(), *complaints(), *at_home())


def spoken() -> Iterator[Fala]:
    """The messages of the taught hands' conversations that are about no emergency."""
    for path in sorted(CONVERSAS.glob("*.json")):
        for case in json.loads(path.read_text(encoding="utf-8")):
            if case["classe"] != "seguranca":
                yield from (Fala("conversa", "pt", turn["texto"]) for turn in case["turnos"])


def ordinary(folder: Path = FALAS) -> Iterator[Fala]:
    """What hands say while they book, choose, cancel or ask, and tell nothing of how somebody is."""
    for falas in hands(folder).values():
        yield from (Fala("falas", "pt", fala.texto) for fala in falas if _tells_nothing(fala))


def _tells_nothing(fala: FalaCotidiana) -> bool:
    return not _TELLING.intersection(one.ato for one in fala.clausulas)


def complaints() -> Iterator[Fala]:
    """What people say for each specialty, as a wish for an appointment: a complaint alone is no emergency."""
    for name, entry in ESPECIALIDADES.items():
        for term in (term.rstrip("*?") for term in entry.termos):
            if _PLAIN.fullmatch(term) and not spoken_of(term) & _GRAVE:
                yield from (Fala("cotidiano", "pt", wish.format(term=term, name=name.lower())) for wish in _WISHES)


def at_home() -> Iterator[Fala]:
    """What somebody at home has, calmly and not: who it is and how it is put are the same in both, so that only what they have tells."""
    known = msgspec.json.decode(EM_CASA.read_bytes(), type=EmCasa)
    who = cycle(known.parentes)
    for dizeres, told in ((known.dizeres, known.calmas()), (known.dizeres[:_PRESENT], known.graves() * _SIGNS_AGAIN)):
        frames = cycle(dizeres)
        for what, tipo in told:
            yield from (Fala("em_casa", "pt", next(frames).format(quem=next(who), que=what), tipo) for _ in range(_FRAMES))
    yield from (Fala("em_casa", "pt", text) for text in known.sem_pressa)
    yield from (Fala("em_casa", "pt", text, tipo) for tipo, texts in known.com_pressa.items() for text in texts)


def everyday() -> Iterator[Fala]:
    """The messages of the sets of conversations, each once."""
    seen: set[str] = set()
    for path in COTIDIANO:
        for case in json.loads(path.read_text(encoding="utf-8")):
            for turn in case["turnos"]:
                if turn["texto"] not in seen:
                    seen.add(turn["texto"])
                    yield Fala("cotidiano", "pt", turn["texto"])


@dataclass(frozen=True)
class Aprendizado:
    """Weights as they are learned: the margin is `intercepto` and the weights of the features that a text has."""

    intercepto: float
    pesos: dict[str, float]


def matrix(told: Sequence[Grupos], known: dict[str, int]) -> csr_matrix:
    """The texts by their features, each group scaled to unit length."""
    columns, values, ends = [], [], [0]
    for grupos in told:
        for named in grupos.values():
            found = [known[feature] for feature in named if feature in known]
            columns += found
            values += [1 / sqrt(len(named))] * len(found) if found else []
        ends.append(len(columns))
    return csr_matrix((values, columns, ends), shape=(len(told), len(known)))


def vocabulary(told: Iterable[Grupos]) -> dict[str, int]:
    """The features that enough texts have, in order."""
    counted: dict[str, int] = {}
    for grupos in told:
        for named in grupos.values():
            for feature in named:
                counted[feature] = counted.get(feature, 0) + 1
    return {feature: index for index, feature in enumerate(sorted(name for name, count in counted.items() if count >= _FEWEST))}


def learn(told: Sequence[Grupos], labels: Sequence[bool], known: dict[str, int], weights: Sequence[float] | None = None) -> Aprendizado:
    """The weights that tell the one from the other; rounded, and without those that weigh next to nothing."""
    texts = matrix(told, known)
    rare = np.log(texts.shape[0] / (1 + np.asarray((texts > 0).sum(axis=0)).ravel())) / _RARE  # what few texts have tells more
    runs = _runs(told)
    scale = rare * np.array([_RUNS if feature in runs else 1.0 for feature in known])
    model = LogisticRegression(C=_FIRMNESS, class_weight="balanced", max_iter=2_000, random_state=0)
    model.fit(texts @ diags(scale), np.array(labels), sample_weight=weights)
    found = {feature: round(float(model.coef_[0][index] * scale[index]), 3) for feature, index in known.items()}
    return Aprendizado(
        round(float(model.intercept_[0]), 3), {feature: weight for feature, weight in found.items() if abs(weight) >= _LEAST}
    )


def _runs(told: Sequence[Grupos]) -> set[str]:
    words, runs = ({feature for grupos in told for feature in grupos.get(group, ())} for group in ("letras", "correntes"))
    return runs - words


def write(path: Path = PESOS) -> None:
    """Learn, and write the weights."""
    falas = taught()
    told = [features(plain(fala.texto)) for fala in falas]
    alarm = learn(told, [fala.emergencia is not None for fala in falas], vocabulary(told), [_counts(fala) for fala in falas])
    real = [fala for fala in falas if fala.emergencia]
    heard = (grupos for grupos, fala in zip(told, falas, strict=True) if fala.emergencia)
    named = [{group: feats for group, feats in grupos.items() if group in _OF_KINDS} for grupos in heard]
    known = vocabulary(named)
    kinds = {
        kind: learn(named, [fala.emergencia == kind for fala in real], known).__dict__
        for kind in get_args(TipoDeEmergencia)
        if any(fala.emergencia == kind for fala in real)
    }
    document = {"limiar": LIMIAR, "surdez": SURDEZ, "alarme": alarm.__dict__, "tipos": kinds}
    path.write_text(json.dumps(document, ensure_ascii=False, sort_keys=True, indent=None, separators=(",", ":")) + "\n", encoding="utf-8")


def _counts(fala: Fala) -> float:
    return _WORTH.get(fala.mao, 1.0)


@dataclass(frozen=True)
class Medida:
    """How many emergencies a lot has and how many raised the alarm; how many look-alikes and how many of them did."""

    emergencias: int
    pegas: int
    parecidas: int
    falsas: int


def measure(falas: Iterable[Fala]) -> Medida:
    """What the alarm makes of a lot."""
    kept = tuple(falas)
    raised = [find_alarme(fala.texto) is not None for fala in kept]
    real = [was for fala, was in zip(kept, raised, strict=True) if fala.emergencia]
    others = [was for fala, was in zip(kept, raised, strict=True) if not fala.emergencia]
    return Medida(len(real), sum(real), len(others), sum(others))


def left_out() -> Iterator[tuple[str, list[tuple[Fala, float]]]]:
    """Each hand with the margins of its messages by weights that every other hand taught."""
    falas = taught()
    told = [features(plain(fala.texto)) for fala in falas]
    for mao in sorted({fala.mao for fala in falas} - {"conversa", "cotidiano", "falas"}):
        rest = [index for index, fala in enumerate(falas) if fala.mao != mao]
        known = vocabulary(told[index] for index in rest)
        labels, counts = [falas[index].emergencia is not None for index in rest], [_counts(falas[index]) for index in rest]
        made = learn([told[index] for index in rest], labels, known, counts)
        yield mao, [(fala, max(_margin(made, stretch) for stretch in stretches(plain(fala.texto)))) for fala in falas if fala.mao == mao]


def _margin(made: Aprendizado, stretch: str) -> float:
    return made.intercepto + sum(
        sum(made.pesos.get(feature, 0.0) for feature in named) / sqrt(len(named)) for named in features(stretch).values() if named
    )


if __name__ == "__main__":
    write()
    for path in sorted(FORA.glob("*.json")):
        print(path.name, measure(lot(path)))
