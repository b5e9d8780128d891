"""Orders to whoever grades and plain sentences of projects, of a hand of which nothing was learned: by words, and by words and meaning."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from bench.linhas import Linha, Meta, measured

from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Projeto, Proponente
from crivo.triagem.embeddings.port import Embedder
from crivo.triagem.embeddings.semantico import open_semantico, semantico_lacking
from crivo.triagem.irregularidades.instrucoes import find_instrucoes
from crivo.triagem.irregularidades.segunda_leitura import SegundaLeitura
from evals.instrucoes import SEXTA_MAO

ACHADAS: Final = Meta(">=", 0.85)
ALARMES: Final = Meta("<=", 0.01)
_ANTES: Final = "Antes da segunda leitura e dos resumos de que se aprendeu: 53 de 61 ordens, 3 de 165 honestas."


def by_both() -> list[Linha]:
    """A row for the orders found and one for the honest flagged, by words alone and, where its wheel is, by both readings."""
    casos = [(caso["texto"], bool(caso["instrui"])) for caso in json.loads(SEXTA_MAO.read_bytes()) if caso["lote"] == "medir"]
    ways: list[tuple[str, list[bool]]] = [("só palavras", [bool(find_instrucoes(texto)) for texto, _ in casos])]
    if not semantico_lacking():
        ways.append(("palavras e sentido", told([texto for texto, _ in casos], open_semantico())))
    rows = []
    for jeito, found in ways:
        orders = [one for one, (_, instrui) in zip(found, casos, strict=True) if instrui]
        honest = [one for one, (_, instrui) in zip(found, casos, strict=True) if not instrui]
        rows += [
            _row(f"frases a quem avalia, sexta mão, {jeito}: encontradas", sum(orders), len(orders), ACHADAS),
            _row(f"resumos e frases honestas, sexta mão, {jeito}: sinalizados", sum(honest), len(honest), ALARMES),
        ]
    return rows


def told(textos: Sequence[str], embedder: Embedder) -> list[bool]:
    """Which of the texts are flagged where meaning is told too, each the summary of a project."""
    found = []
    for texto in textos:
        leitura = SegundaLeitura(ProjetoLido(Projeto("P1", "", Proponente("Ana"), resumo=texto)))
        trechos = leitura.trechos
        significados = dict(zip(trechos, embedder.embed(trechos), strict=True)) if trechos else {}
        found.append(bool(leitura.ler(texto, significados)))
    return found


def _row(nome: str, found: int, total: int, meta: Meta) -> Linha:
    return measured(nome, "frases", found, total, meta=meta, execucoes=total, nota=f"De que nada foi aprendido. {_ANTES}")
