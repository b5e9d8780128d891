"""`python -m evals.instrucoes_sentido`: learns the line through the vectors of meaning that orders to whoever grades lie beyond.

It learns from what `evals.instrucoes` learns from, each sentence by itself: what is glued together there, so that weights of words are
not led by length, says nothing more of meaning. Of a sentence with slots two fillings are enough. Reading them takes some ten minutes.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold, cross_val_predict

from crivo.triagem.embeddings.port import Embedder, Matriz
from crivo.triagem.embeddings.semantico import open_semantico
from crivo.triagem.irregularidades.alinhamento import centred
from evals.instrucoes import RAIZ, Passagem, alone

PESOS: Final = RAIZ / "src/crivo/triagem/irregularidades/instrucoes_sentido.json"
_FIRMNESS: Final = 1.0
_FILLINGS: Final = 2
_FOLDS: Final = 5
_LOST: Final = 0.02  # of the orders that the first reading is sure of, what the second may let fall
_HONEST: Final = 0.98  # of honest sentences that the first doubts, those that the second must not call orders


def learned_from() -> list[Passagem]:
    """Each text once, and of each sentence with slots two."""
    seen: Counter[str] = Counter()
    kept: dict[str, Passagem] = {}
    for passagem in alone():
        if passagem.texto not in kept and seen[passagem.origem] < _FILLINGS:
            seen[passagem.origem] += 1
            kept[passagem.texto] = passagem
    return list(kept.values())


def learn(passagens: Sequence[Passagem], vetores: Matriz) -> dict[str, object]:
    """The line, and from where on it is believed: read off passages that were left out by turns, those of one sentence together."""
    rows, instrui = centred(np.array(vetores, np.float32)), np.array([one.instrui for one in passagens])
    model = LogisticRegression(C=_FIRMNESS, max_iter=2000)
    groups = np.array([one.origem for one in passagens], object)
    folds = GroupKFold(_FOLDS)
    left_out: NDArray[np.float64] = cross_val_predict(model, rows, instrui, groups=groups, cv=folds, method="decision_function")
    model.fit(rows, instrui)
    return {
        "intercepto": round(float(model.intercept_[0]), 3),
        "limiar": round(float(np.quantile(left_out[instrui], _LOST)), 2),
        "limiar_duvida": round(float(np.quantile(left_out[~instrui], _HONEST)), 2),
        "pesos": [round(float(weight), 3) for weight in model.coef_[0]],
    }


def write(embedder: Embedder, arquivo: Path = PESOS) -> None:
    """Read, learn, and write the line, one weight to a line."""
    passagens = learned_from()
    told = learn(passagens, embedder.embed([one.texto for one in passagens]))
    arquivo.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(open_semantico())
