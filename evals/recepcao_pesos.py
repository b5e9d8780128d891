"""`python -m evals.recepcao_pesos`: learns the weights by which a sentence that no reception writes is known; `--medir` only measures them.

It learns from sentences of our own (`recepcao_corpus/`), from replies of several hands there, and from the labelled texts of the verifier:
sound ones, and those that speak of health. Of a faulty text only one sentence is at fault: the one that weighs most, found by turns.
`--medir` leaves out each hand in turn and judges its replies by what was learned of the others. Nothing is learned from the recorded
replies that are shared. The same files give the same weights, but for the last digits, in which processors differ.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from crivo.clinicas.orquestrador.confere import Known, r4_concordancia
from crivo.clinicas.orquestrador.confere.alegacoes import features, matters, phrases
from crivo.clinicas.orquestrador.confere.avaliacao import AGORA, load_casos
from crivo.clinicas.orquestrador.contracts import ClinicReply
from crivo.clinicas.orquestrador.entende.clausulas import Page
from crivo.clinicas.orquestrador.fatos import Fatos
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.kernel.linguagem.fala import calm
from crivo.kernel.linguagem.pesos import Grupos, Pesos
from evals.gravado.clinicas import read

RAIZ: Final = Path(__file__).resolve().parents[1]
CORPUS: Final = RAIZ / "evals/recepcao_corpus"
ROTULADOS: Final = RAIZ / "tests/clinicas/orquestrador/confere"
PESOS: Final = RAIZ / "src/crivo/clinicas/orquestrador/confere/lexico/pesos.json"
MAOS: Final = ("primeira_mao", "segunda_mao", "proprias", "proprias_2", "proprias_3")
_CONJUNTOS: Final = ("desenvolvimento", "reportado", "novo", "segunda_mao")
_TURNS: Final = 4
_FEWEST: Final = 2  # sentences that a feature must be in
_LEAST: Final = 0.05  # weights below it are left out
_FIRMNESS: Final = 8.0
# Set on all hands, each left out in turn.
LIMIAR: Final = 1.5


@dataclass(frozen=True, slots=True)
class Frase:
    """A sentence to learn from: of which hand and text it is, what can bear a weight in it, and whether its text is faulty."""

    mao: str
    texto: str
    grupos: Grupos
    errada: bool


def own() -> Iterator[Frase]:
    """Sentences of our own, one to a line."""
    for nome, errada in (("certas", False), ("erradas", True)):
        for number, line in enumerate((CORPUS / f"{nome}.txt").read_text(encoding="utf-8").splitlines()):
            yield from _sentences("frases", f"{nome} {number}", line, (), errada=errada)


def replies(mao: str) -> Iterator[Frase]:
    """The sentences of one hand's replies."""
    for one in read(json.loads((CORPUS / f"{mao}.json").read_bytes()), AGORA):
        yield from _sentences(
            mao, f"{mao} {one.id}", one.texto, one.encomenda.replies, errada=not one.honesta, said=one.encomenda.utterance
        )


def labelled() -> Iterator[Frase]:
    """Sentences of the verifier's labelled texts: sound ones that speak of no matter that needs a fact, and those about health."""
    for nome in _CONJUNTOS:
        for caso in load_casos(ROTULADOS / f"{nome}.json"):
            found = _sentences("rotulados", f"rotulado {nome} {caso.id}", caso.texto, caso.clinic_data, errada=not caso.esperado.safe)
            if caso.esperado.safe or {"R1", "R3"} & set(caso.esperado.regras):
                yield from found


def _sentences(mao: str, texto: str, written: str, given: tuple[ClinicReply, ...], *, errada: bool, said: str = "") -> Iterator[Frase]:
    fatos, page = Fatos(given, None, "paciente", Known(said=(said,))), Page(calm(written))
    leitura = r4_concordancia.read(page, fatos, REGISTRO_PADRAO, AGORA)
    for frase in phrases(page, fatos, leitura.mentions):
        if any(char.isalpha() for char in frase.texto) and (errada or not matters(frase)):
            yield Frase(mao, texto, features(frase), errada)


def learn(frases: Sequence[Frase]) -> Pesos:
    """The weights that tell them apart best."""
    counted = Counter(feature for frase in frases for grupo in frase.grupos.values() for feature in grupo)
    kept = sorted(feature for feature, count in counted.items() if count >= _FEWEST)
    matrix = _matrix(frases, {feature: index for index, feature in enumerate(kept)})
    wrong = np.array([frase.errada for frase in frases])
    texts: dict[str, list[int]] = {}
    for index, frase in enumerate(frases):
        if frase.errada:
            texts.setdefault(frase.texto, []).append(index)
    counts = np.ones(len(frases))
    for indexes in texts.values():
        counts[indexes] = 1 / len(indexes)
    for turn in range(_TURNS):
        model = _fitted(matrix, wrong, counts)
        if turn < _TURNS - 1:
            found = model.decision_function(matrix)
            for indexes in texts.values():
                counts[indexes] = 0
                counts[max(indexes, key=lambda index: float(found[index]))] = 1
    weights = {feature: round(float(weight), 2) for feature, weight in zip(kept, model.coef_[0], strict=True)}
    return Pesos(round(float(model.intercept_[0]), 2), {feature: weight for feature, weight in weights.items() if abs(weight) >= _LEAST})


def _matrix(frases: Sequence[Frase], place: dict[str, int]) -> Any:
    """A row for each sentence; each group of its features is of unit length, as it is weighed."""
    flat: list[int] = []
    values: list[float] = []
    ends = [0]
    for frase in frases:
        for grupo in filter(None, frase.grupos.values()):
            known = sorted(place[feature] for feature in grupo if feature in place)
            flat += known
            values += [1 / len(grupo) ** 0.5] * len(known)
        ends.append(len(flat))
    return csr_matrix((np.array(values), np.array(flat, dtype=np.int32), np.array(ends, dtype=np.int32)), shape=(len(frases), len(place)))


def _fitted(matrix: Any, wrong: NDArray[np.bool_], counts: NDArray[np.float64]) -> LogisticRegression:
    balance = (counts[~wrong].sum() / counts[wrong].sum()) ** 0.5
    told = counts > 0
    model = LogisticRegression(C=_FIRMNESS, solver="liblinear", random_state=0, max_iter=1000)
    return model.fit(matrix[told], wrong[told], sample_weight=np.where(wrong, counts * balance, counts)[told])


def everything() -> list[Frase]:
    """All that is learned from."""
    return [*own(), *(frase for mao in MAOS for frase in replies(mao)), *labelled()]


def write(arquivo: Path = PESOS) -> None:
    """Learn, and write the weights, one to a line."""
    learned = learn(everything())
    lines = ",\n".join(f"  {json.dumps(feature, ensure_ascii=False)}: {weight}" for feature, weight in learned.pesos.items())
    head = f' "intercepto": {learned.intercepto},\n "limiar": {LIMIAR},\n'
    arquivo.write_text(f'{{\n{head} "pesos": {{\n{lines}\n }}\n}}\n', encoding="utf-8")


def measure() -> None:
    """Print, for each hand, how many of its replies what was learned of the others holds."""
    known = everything()
    for mao in MAOS:
        learned = learn([frase for frase in known if frase.mao != mao])
        heaviest: dict[str, float] = {}
        for frase in known:
            if frase.mao == mao:
                heaviest[frase.texto] = max(learned.soma(frase.grupos), heaviest.get(frase.texto, -99.0))
        wrong = {frase.texto for frase in known if frase.mao == mao and frase.errada}
        held = {texto for texto, weight in heaviest.items() if weight >= LIMIAR}
        honest = heaviest.keys() - wrong
        print(f"{mao}: honestas retidas {len(held & honest)} de {len(honest)}; erradas retidas {len(held & wrong)} de {len(wrong)}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m evals.recepcao_pesos", description="Aprende, ou só mede, o que a recepção não escreve."
    )
    parser.add_argument("--medir", action="store_true", help="mede cada mão com o que se aprendeu das outras, sem gravar")
    if parser.parse_args().medir:
        measure()
    else:
        write()
