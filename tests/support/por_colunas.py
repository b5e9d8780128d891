"""The rules by columns beside the six stages: the same pedidos under the same políticas, and where the two disagree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.simulacao.avaliacao import DESFECHOS, Avaliadas, evaluate
from crivo.autorizacoes.simulacao.colunas import Colunas, columns_of
from crivo.autorizacoes.simulacao.linha import Linha, decode_linha, encode_linha
from crivo.autorizacoes.trilha import Trilha
from oraculo.amostras import Sorte
from oraculo.comparacao import Json, decide_by_product
from oraculo.geradores import draw_caso, draw_politicas, write_json


@dataclass(frozen=True)
class Desacordo:
    """A pedido of which columns and stages do not say the same."""

    pedido: bytes
    politicas: list[Json]
    colunas: Any
    etapas: Any


def said_by_stages(trilha: Trilha) -> tuple[Any, ...]:
    """Of a decision what a simulation tells: outcome, motivos, regra and what may be approved."""
    etapas = trilha.etapas
    fonte = etapas.avaliacao.fonte_regras
    return etapas.sintese.decisao_final, etapas.avaliacao.motivos, fonte, etapas.avaliacao.quantidade_aprovavel


def said_by_columns(avaliadas: Avaliadas, at: int) -> tuple[Any, ...]:
    """The same of a row."""
    achada = avaliadas.regra_de(at)
    aprovavel = float(avaliadas.aprovavel[at])
    desfecho = DESFECHOS[avaliadas.desfecho[at]]
    return desfecho, avaliadas.motivos_de(at), achada and achada[1], None if aprovavel != aprovavel else aprovavel


def catalogue_of(politicas: Sequence[Json]) -> Catalogo:
    """Políticas as they are published."""
    return Catalogo.of([read_politica(json.dumps(politica).encode(), "json").politica for politica in politicas])


def kept(trilhas: Sequence[Trilha]) -> Colunas:
    """What is kept of these decisions, read back as columns."""
    return columns_of([decode_linha(encode_linha(Linha.of(trilha.etapas.normalizacao))) for trilha in trilhas])


def disagreements(casos: int, semente: int, pedidos_por_politica: int = 200) -> Iterator[tuple[int, list[Desacordo]]]:
    """Draw pedidos, and políticas as published and as drafted: how many were decided, and those on which the two disagree.

    Each pedido is kept as it was read under what is published, and decided by columns under both.
    """
    sorte = Sorte(semente)
    for start in range(0, casos, pedidos_por_politica):
        politicas = draw_politicas(sorte)
        outras = [{**outra, "administradora_id": politicas[0]["administradora_id"]} for outra in draw_politicas(sorte)]
        catalogos = [catalogue_of(politicas), catalogue_of([*politicas[1:], *outras])]
        fluxos = [Fluxo(catalogo) for catalogo in catalogos]
        drawn = [draw_caso(sorte, politicas) for _ in range(min(pedidos_por_politica, casos - start))]
        brutos = [write_json(sorte, caso.pedido) for caso in drawn]
        pares = [[decide_by_product(fluxo, bruto, caso.recebido_em) for fluxo in fluxos] for caso, bruto in zip(drawn, brutos, strict=True)]
        lidos = [(bruto, par) for bruto, par in zip(brutos, pares, strict=True) if par[0] is not None]
        colunas = kept([par[0] for _, par in lidos if par[0] is not None])
        found = []
        for which, catalogo in enumerate(catalogos):
            avaliadas = evaluate(colunas, catalogo)
            for at, (bruto, par) in enumerate(lidos):
                trilha = par[which]
                assert trilha is not None
                ditas, etapas = said_by_columns(avaliadas, at), said_by_stages(trilha)
                if ditas != etapas:
                    found.append(Desacordo(bruto, politicas if which == 0 else [*politicas[1:], *outras], ditas, etapas))
        yield len(lidos), found
