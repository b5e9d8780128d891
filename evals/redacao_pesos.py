"""`python -m evals.redacao_pesos`: learns the weights by which a sentence that a decision does not bear out is known, and writes them.

It learns from sentences of our own (`redacao_corpus/`, names and numbers masked), from all but one lot of the labelled texts, and from the
messages that code writes for the sample. Of a faulty text only one sentence is at fault: the one that weighs most, found by turns.
The same files give the same weights, but for the last digits, in which processors differ.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from crivo.autorizacoes import amostra
from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.motivos import QUANTIDADE
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.redacao import Campo, Decidido
from crivo.autorizacoes.redacao.alegacoes import Contexto, features, sentences
from crivo.autorizacoes.redacao.conjunto import Caso, read_casos
from crivo.autorizacoes.redacao.desfecho import check_desfecho
from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.leitura import read
from crivo.autorizacoes.redacao.mascara import words_of
from crivo.autorizacoes.redacao.pagina import Pagina
from crivo.kernel.linguagem.dobra import fold_letters

RAIZ: Final = Path(__file__).resolve().parents[1]
CORPUS: Final = RAIZ / "evals/redacao_corpus"
ROTULADOS: Final = RAIZ / "tests/autorizacoes/redacao"
CONJUNTOS: Final = ("desenvolvimento", "reportado", "segundo", "terceiro", "quarto", "quinto")
# Written by another hand than the rest, of claims that no word gives away: nothing is learned from it, and its figure is the one to report.
DE_FORA: Final = "sexto"
PESOS: Final = RAIZ / "src/crivo/autorizacoes/redacao/pesos.json"
_RECEIVED_ON: Final = date(2026, 11, 20)
_CLAIMED: Final = frozenset({"resultado", "documento"})  # faults of what is said; the others are of a number, a name or a word
_NAMED: Final = frozenset({"numero", "codigo", "data"})
_HARMLESS: Final = frozenset({"PROC", "FONTE", "DOCVEIO", "DOCFALTA"})
_TURNS: Final = 4
_FEWEST: Final = 2  # sentences that a feature must be in
_LEAST: Final = 0.02  # weights below it are left out
_FIRMNESS: Final = 1.0
# Set on all lots, each left out in turn.
LIMIAR: Final = 2.0


@dataclass(frozen=True, slots=True)
class Frase:
    """A sentence to learn from: what can bear a weight in it, whether a decision bears it out, and the faulty text that it is of."""

    feicoes: frozenset[str]
    errada: bool
    texto: int | None = None


class Grupo(msgspec.Struct, frozen=True):
    """Sentences of our own, sound and faulty, for the decisions of which they are."""

    final: tuple[str, ...]
    certas: tuple[str, ...]
    erradas: tuple[str, ...]
    motivos: tuple[str, ...] | None = None
    falta: bool = False
    efeito: str | None = None
    campo: Campo = "para_beneficiario"


def own() -> Iterator[Frase]:
    """Sentences of our own."""
    for arquivo in sorted(CORPUS.glob("*.json")):
        for grupo in msgspec.json.decode(arquivo.read_bytes(), type=tuple[Grupo, ...]):
            for final in grupo.final:
                motivos = grupo.motivos if grupo.motivos is not None else (QUANTIDADE,) if final == "APROVADO_PARCIAL" else ()
                contexto = Contexto(final, motivos, grupo.falta, grupo.efeito, grupo.campo)
                for errada, frases in ((False, grupo.certas), (True, grupo.erradas)):
                    yield from (Frase(frozenset(features(_words(frase), contexto)), errada) for frase in frases)


def _words(frase: str) -> list[str]:
    return words_of(" ".join(word if word.strip(",.:?!").isupper() and len(word) > 3 else fold_letters(word) for word in frase.split()))


def of_casos(casos: Sequence[Caso]) -> Iterator[Frase]:
    """The sentences of labelled texts: with a false claim, sound, or of a denial without reason; beside a wrong number what is sound."""
    for number, caso in enumerate(casos):
        falha = caso.esperado.falha
        if falha == "jargao":
            continue
        fatos = Fatos(caso.decisao)
        contexto = Contexto.of(fatos, caso.campo)
        for _, words in sentences(read(Pagina(caso.texto), fatos).mascarado):
            if falha in _NAMED and any(word.isupper() and word not in _HARMLESS for word in words):
                continue
            claimed = falha in _CLAIMED
            yield Frase(frozenset(features(words, contexto)), claimed, number if claimed else None)


def moved(casos: Sequence[Caso]) -> Iterator[Frase]:
    """Sentences of sound texts beside a decision that says otherwise: those in which code sees another outcome."""
    others = {final: [caso for caso in casos if caso.decisao.decisao_final == final] for final in get_args(DecisaoFinal)}
    for number, caso in enumerate(casos):
        if not caso.esperado.ok:
            continue
        own_fatos, pagina = Fatos(caso.decisao), Pagina(caso.texto)
        lida = read(pagina, own_fatos)
        for final, listed in others.items():
            if final == caso.decisao.decisao_final or {final, caso.decisao.decisao_final} == {"APROVADO", "APROVADO_PARCIAL"}:
                continue
            fatos = Fatos(listed[number % len(listed)].decisao)
            contexto = Contexto.of(fatos, caso.campo)
            for (start, end), words in sentences(lida.mascarado):
                if any(check_desfecho(Pagina(pagina.text[start:end]), lida.unsourced[start:end], fatos, caso.campo)):
                    yield Frase(frozenset(features(words, contexto)), True)


def messages() -> Iterator[Caso]:
    """What code writes for the sample, all of it sound."""
    fluxo = Fluxo(Catalogo.of([read_politica(arquivo.conteudo).politica for arquivo in amostra.politicas()]), amostra.campos())
    for arquivo in amostra.pedidos():
        etapas = fluxo.decide(arquivo.conteudo, _RECEIVED_ON).etapas
        decidido = Decidido.of(etapas.normalizacao, etapas.consulta, etapas.avaliacao, etapas.ajustes, etapas.sintese)
        told: list[tuple[Campo, str]] = [
            ("para_solicitante", etapas.sintese.mensagens.para_solicitante),
            ("para_beneficiario", etapas.sintese.mensagens.para_beneficiario),
        ]
        if etapas.ajustes is not None:
            told += [("resumo_efeito", etapas.ajustes.resumo_efeito)]
            told += [("justificativa", ajuste.justificativa) for ajuste in etapas.ajustes.ajustes_sugeridos]
        yield from (
            msgspec.convert({"id": "", "campo": campo, "texto": texto, "decisao": decidido, "esperado": {"ok": True}}, Caso)
            for campo, texto in told
        )


def labelled() -> list[Caso]:
    """The labelled texts that may be learned from."""
    return [caso for nome in CONJUNTOS for caso in read_casos((ROTULADOS / f"{nome}.json").read_bytes())]


def learn(frases: Sequence[Frase]) -> tuple[float, dict[str, float]]:
    """The intercept and the weights that tell them apart best."""
    counted = Counter(feature for frase in frases for feature in frase.feicoes)
    kept = sorted(feature for feature, count in counted.items() if count >= _FEWEST)
    place = {feature: index for index, feature in enumerate(kept)}
    columns = [sorted(place[feature] for feature in frase.feicoes if feature in place) for frase in frases]
    flat = np.array([index for each in columns for index in each], dtype=np.int32)
    ends = np.cumsum([0, *map(len, columns)]).astype(np.int32)
    matrix = csr_matrix((np.ones(len(flat)), flat, ends), shape=(len(frases), len(kept)))
    wrong = np.array([frase.errada for frase in frases])
    texts: dict[int, list[int]] = {}
    for index, frase in enumerate(frases):
        if frase.texto is not None:
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
    return round(float(model.intercept_[0]), 2), {feature: weight for feature, weight in weights.items() if abs(weight) >= _LEAST}


def _fitted(matrix: Any, wrong: NDArray[np.bool_], counts: NDArray[np.float64]) -> LogisticRegression:
    balance = (counts[~wrong].sum() / counts[wrong].sum()) ** 0.5
    told = counts > 0
    model = LogisticRegression(C=_FIRMNESS, solver="liblinear", random_state=0, max_iter=1000)
    return model.fit(matrix[told], wrong[told], sample_weight=np.where(wrong, counts * balance, counts)[told])


def write(arquivo: Path = PESOS) -> None:
    """Learn, and write the weights, one to a line."""
    intercepto, pesos = learn([*own(), *of_casos([*labelled(), *messages()]), *moved(labelled())])
    head = f' "intercepto": {intercepto},\n "limiar": {LIMIAR},\n'
    lines = ",\n".join(f"  {json.dumps(feature, ensure_ascii=False)}: {weight}" for feature, weight in pesos.items())
    arquivo.write_text(f'{{\n{head} "pesos": {{\n{lines}\n }}\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    write()
