"""The rules by columns beside the six stages: the same pedidos under the same políticas, and where the two disagree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
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


def kept(fluxo: Fluxo, trilhas: Sequence[Trilha]) -> Colunas:
    """What is kept of these decisions, read back as columns."""
    return columns_of([decode_linha(encode_linha(Linha.of(fluxo.complementada(trilha.etapas.normalizacao)))) for trilha in trilhas])


def disagreements(casos: int, semente: int, *, por_politica: int = 200, rascunhos: int = 1) -> Iterator[tuple[int, list[Desacordo]]]:
    """Draw pedidos, and políticas as published and as drafted so often: how many pairs were decided, and those of which the two disagree.

    Each pedido is kept as it was read under what is published, and decided by columns under that and under every draft.
    """
    sorte = Sorte(semente)
    for start in range(0, casos, por_politica):
        politicas = draw_politicas(sorte)
        acervos = [politicas, *[_drafted(sorte, politicas) for _ in range(rascunhos)]]
        catalogos = [catalogue_of(acervo) for acervo in acervos]
        fluxos = [Fluxo(catalogo) for catalogo in catalogos]
        drawn = [draw_caso(sorte, politicas) for _ in range(min(por_politica, casos - start))]
        read = [
            (bruto, caso.recebido_em) for caso in drawn if _is_read(fluxos[0], bruto := write_json(sorte, caso.pedido), caso.recebido_em)
        ]
        colunas = kept(fluxos[0], [fluxos[0].decide(bruto, em) for bruto, em in read])
        found = []
        for acervo, catalogo, fluxo in zip(acervos, catalogos, fluxos, strict=True):
            avaliadas = evaluate(colunas, catalogo)
            for at, (bruto, em) in enumerate(read):
                ditas, etapas = said_by_columns(avaliadas, at), said_by_stages(fluxo.decide(bruto, em))
                if ditas != etapas:
                    found.append(Desacordo(bruto, acervo, ditas, etapas))
        yield len(read) * len(acervos), found


def _drafted(sorte: Sorte, politicas: list[Json]) -> list[Json]:
    """Other políticas of the same administradora, beside all of what is published but the first."""
    mesma = {"administradora_id": politicas[0]["administradora_id"]}
    return [*politicas[1:], *[{**outra, **mesma} for outra in draw_politicas(sorte)]]


def _is_read(fluxo: Fluxo, bruto: bytes, em: date) -> bool:
    return decide_by_product(fluxo, bruto, em) is not None
