"""The figures of the calls that were written apart: what was said of them at first look, and what is said now."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from bench.linhas import Linha, Meta, measured

sys.path.insert(
    0, str(Path(__file__).resolve().parents[2] / "tests/support")
)  # where a call is screened in this process, outside the product

from crivo.triagem.importacao import read_chamada
from edital_rotulado.triado import judge, read_projects
from evals.inedita.lote import Lote, read_lote
from evals.inedita.medida import Achados, Escolha, measure, of_parity

ITENS: Final = Meta(">=", 0.97)
SINAIS: Final = Meta(">=", 0.95)
_SHOWN: Final = 3
_OLHADAS: Final[tuple[tuple[str, str, Escolha, str], ...]] = (
    ("agro", "agroecologia, metade corrigida", of_parity(1), "À primeira leitura 378 de 379 itens e 0 de 5 pares; deles se aprendeu."),
    (
        "agro",
        "agroecologia, metade só relatada",
        of_parity(0),
        "À primeira leitura 377 de 379 itens e 0 de 5 pares; um item dela (título depois da capa) foi corrigido no fim.",
    ),
    ("esporte", "esporte", lambda _: True, "Escrita depois das correções; à primeira leitura 319 de 379 itens, e dela também se aprendeu."),
    (
        "saude",
        "saúde",
        lambda _: True,
        "Escrita depois de tudo; nada foi aprendido dela. À primeira leitura 338 de 339 itens, e o outro era engano do gabarito.",
    ),
)
"""Lot, how it is told, which of its projects, and what came of it when nobody had looked."""


def unseen_calls() -> list[Linha]:
    """Rows of items, suggestions and budgets, for each half or lot."""
    exportados = {nome: screen(read_lote(nome)) for nome in dict.fromkeys(nome for nome, *_ in _OLHADAS)}
    return [linha for olhada in _OLHADAS for linha in _rows(read_lote(olhada[0]), exportados[olhada[0]], *olhada[1:])]


def screen(lote: Lote) -> dict[str, Any]:
    """What the product says of a lot, imported from its folder, in the shape of the export."""
    with TemporaryDirectory() as pasta:
        lote.write(Path(pasta))
        chamada = read_chamada(Path(pasta)).chamada
    lidos = asyncio.run(read_projects(chamada, lote.arquivos))
    exportado: dict[str, Any] = msgspec.to_builtins(judge(chamada, lidos))
    return exportado


def _rows(lote: Lote, exportado: dict[str, Any], nome: str, escolha: Escolha, nota: str) -> Iterator[Linha]:
    medida = measure(lote, exportado, escolha)
    for o_que, acerto in (("itens", medida.itens), ("projetos", medida.projetos)):
        said = " ".join((nota, *acerto.erros[:_SHOWN]))
        meta = ITENS if o_que == "itens" else None
        yield measured(f"{nome}: {o_que}", o_que, acerto.certos, acerto.total, meta=meta, execucoes=acerto.total, nota=said)
    for o_que, achados in (("orçamentos repetidos", medida.pares), ("preços", medida.precos)):
        yield from _found(f"{nome}: {o_que}", achados)


def _found(linha: str, achados: Achados) -> Iterator[Linha]:
    found, planted = len(achados.achados), len(achados.achados) + len(achados.perdidos)
    told = found + len(achados.falsos)
    missed = f"Perdidos: {', '.join(sorted(achados.perdidos))}." if achados.perdidos else ""
    yield measured(f"{linha}: revocação", "sinais", found, planted, meta=None, execucoes=planted, nota=missed)
    yield measured(f"{linha}: precisão", "sinais", found, told, meta=SINAIS, execucoes=told, nota=" ".join(sorted(achados.falsos)))
