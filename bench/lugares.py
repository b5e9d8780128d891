"""Fifty thousand projects with two avaliações each, put in their places and told why, on one core."""

from __future__ import annotations

import random
import time
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Final

from bench.linhas import Linha, Meta, measured
from crivo.triagem.classificacao.classificar import classify
from crivo.triagem.classificacao.concorrencia import Avaliada, Concorrencia, Decidida, Inscrito
from crivo.triagem.classificacao.definicao import (
    Bonus,
    Classificacao,
    Corte,
    Cota,
    PorCampo,
    PorCriterio,
    PorInscricao,
    Vagas,
)
from crivo.triagem.classificacao.publicado import publish
from crivo.triagem.condicao import Condicao
from crivo.triagem.edital import Criterio

PROJETOS: Final = 50_000
SEGUNDOS: Final = Meta("<=", 2.0, "nosso")
_CATEGORIAS: Final = ("Música", "Dança", "Teatro", "Literatura", "Circo")
_CRITERIOS: Final = tuple(Criterio(f"C{number}", f"Critério {number}", peso=Decimal(number)) for number in range(1, 5))
_COTAS: Final = (Cota("NEGRAS", Condicao("cota", "em", ["negra"]), 300), Cota("PCD", Condicao("cota", "em", ["pcd"]), 100))
_REGRAS: Final = Classificacao(
    minimo_avaliadores=2,
    divergencia_maxima=Decimal(90),
    corte=Corte(Decimal(30), {"C1": Decimal(1)}, ("C2",)),
    bonus=(Bonus("INTERIOR", Condicao("regiao", "igual", "interior"), Decimal(5)),),
    bonus_maximo=Decimal(10),
    desempate=(PorCriterio("C1"), PorCampo("idade"), PorInscricao()),
    vagas=tuple(Vagas(categoria, 1_000, None, _COTAS) for categoria in _CATEGORIAS),
    remanejamento=("cotas", "categorias"),
    suplentes=500,
)


def run(rodadas: int, projetos: int = PROJETOS) -> list[Linha]:
    """Processor seconds, the median of the runs, from the values to the rows with their sentences."""
    concorrencia = _draw(projetos)
    taken = []
    for _ in range(rodadas):
        before = time.process_time()
        publish(classify(concorrencia), "preliminar")
        taken.append(time.process_time() - before)
    median = sorted(taken)[len(taken) // 2]
    nota = "Quatro critérios, duas avaliações por projeto, cinco categorias, duas cotas; com o motivo de cada linha."
    return [measured(f"{projetos} projetos classificados", "s", median, None, meta=SEGUNDOS, execucoes=rodadas, nota=nota)]


def _draw(projetos: int) -> Concorrencia:
    sorte = random.Random(1)  # noqa: S311 - made-up data, the same each time
    begin = datetime(2026, 8, 1, tzinfo=UTC)
    inscritos = [
        Inscrito(
            f"P{number:05}",
            sorte.choice(_CATEGORIAS),
            begin + timedelta(seconds=sorte.randrange(10**6)),
            {
                "idade": sorte.randrange(18, 90),
                "cota": sorte.choice(("negra", "pcd", "", None)),
                "regiao": sorte.choice(("interior", "capital")),
            },
        )
        for number in range(projetos)
    ]
    avaliacoes = [
        Avaliada(one.id, quem, {criterio.id: Decimal(sorte.randrange(41)) / 4 for criterio in _CRITERIOS})
        for one in inscritos
        for quem in ("a", "b")
    ]
    decididas = [Decidida(one.id, "inabilitado" if sorte.random() < 0.1 else "habilitado") for one in inscritos]
    return Concorrencia("ED-1", _REGRAS, _CRITERIOS, inscritos, avaliacoes, decididas)
