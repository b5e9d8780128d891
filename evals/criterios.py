"""The passages of a project that speak to a critério, as a person judged them: whether one is among the first three that are found."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Final

from bench.linhas import Linha, Meta, measured

from crivo.triagem.achados import LeituraAssistida
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Criterio, Nivel, Projeto, Proponente
from crivo.triagem.embeddings.port import Embedder
from crivo.triagem.embeddings.semantico import open_semantico, semantico_lacking
from crivo.triagem.leitura_assistida import read_assisted
from crivo.triagem.leitura_pelo_sentido import LeituraPeloSentido

_CORPUS: Final = Path(__file__).resolve().parent / "sentido_corpus/criterios.json"
_FIRST: Final = 3
_CHOSE: Final = ("K1", "K2")  # the projects by which the way was chosen
ACHADAS: Final = Meta(">=", 0.75)


@dataclass(frozen=True, slots=True)
class Julgado:
    """A project, and by critério its sentences that speak to it."""

    lido: ProjetoLido
    falam: dict[str, tuple[str, ...]]


def julgados(nomes: Sequence[str] = ()) -> list[Julgado]:
    """The projects of these names, or all."""
    found = []
    for one in json.loads(_CORPUS.read_bytes())["projetos"]:
        if not nomes or one["id"] in nomes:
            texto = " ".join(frase["texto"] for frase in one["frases"])
            falam = {criterio.id: tuple(f["texto"] for f in one["frases"] if criterio.id in f["fala_de"]) for criterio in criterios()}
            found.append(Julgado(ProjetoLido(Projeto(one["id"], "", Proponente("Ana"), descricao_tecnica=texto)), falam))
    return found


def criterios() -> tuple[Criterio, ...]:
    """Seven, as editais word them."""
    return tuple(
        Criterio(one["id"], one["nome"], one["descricao"], niveis=tuple(Nivel(Decimal(at), said) for at, said in enumerate(one["niveis"])))
        for one in json.loads(_CORPUS.read_bytes())["criterios"]
    )


def hits(casos: Sequence[Julgado], embedder: Embedder | None) -> tuple[int, int]:
    """In how many of the pairs of project and critério one of the first three passages holds a sentence that speaks to it, of how many."""
    found = total = 0
    for caso in casos:
        for leitura in _read(caso.lido, embedder):
            first = [one.trecho for one in leitura.passagens[:_FIRST]]
            found += any(frase in trecho for frase in caso.falam[leitura.criterio] for trecho in first)
            total += 1
    return found, total


def passages() -> list[Linha]:
    """A row by words and, where its wheel is, one by meaning: of the projects that chose the way, and of those that did not."""
    rows = []
    for nome, nomes in (("escolheram", _CHOSE), ("só medidos", tuple(one.lido.projeto.id for one in julgados()[len(_CHOSE) :]))):
        casos = julgados(nomes)
        for jeito in ("palavras",) if semantico_lacking() else ("palavras", "sentido"):
            found, total = hits(casos, None if jeito == "palavras" else open_semantico())
            meta = ACHADAS if jeito == "sentido" and nomes != _CHOSE else None
            note = "Três passagens ao acaso acertam metade. 75 juízos de uma pessoa, em quatro projetos, antes de qualquer resultado."
            linha = f"trechos por critério, pelas {jeito}" if jeito == "palavras" else f"trechos por critério, pelo {jeito}"
            rows.append(measured(f"{linha}, {nome}: um dos três fala dele", "pares", found, total, meta=meta, execucoes=total, nota=note))
    return rows


def _read(lido: ProjetoLido, embedder: Embedder | None) -> tuple[LeituraAssistida, ...]:
    if embedder is None:
        return read_assisted(criterios(), lido)
    leitura = LeituraPeloSentido(criterios(), lido)
    return leitura.ler(dict(zip(leitura.textos, embedder.embed(leitura.textos), strict=True)))
