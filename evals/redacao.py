"""The check of texts about decisions: labelled texts, and the code's own messages, which must all pass."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

import msgspec
from bench.linhas import Linha, Meta, measured

from crivo.autorizacoes import amostra
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.redacao import Decidido, conferir
from crivo.autorizacoes.redacao.conjunto import avaliar, read_casos
from evals.gravado.autorizacoes import pontuar
from evals.redacao_pesos import CONJUNTOS, DE_FORA

ROTULADOS: Final = Path(__file__).resolve().parents[1] / "tests/autorizacoes/redacao"
QUASE_TUDO: Final = Meta(">=", 0.95)
QUASE_NADA: Final = Meta("<=", 0.03)
NADA: Final = Meta("<=", 0)
# Of the lot that nothing was learned from: what was held of it when it was first left out, short of the aim.
NAO_MENOS: Final = Meta(">=", 133 / 145)
NAO_MAIS: Final = Meta("<=", 4 / 115)
GRAVADOS: Final = Path(__file__).resolve().parents[2] / "shared/data/evals/modelo/autorizacoes.json"
DE_PRIMEIRA: Final = Meta(">=", 0.97)
DEPOIS_DE_DITOS: Final = Meta(">=", 0.995)
RETIDOS: Final = Meta(">=", 0.90)
_RECEIVED_ON: Final = date(2026, 11, 20)


def writing() -> list[Linha]:
    """Recall, by kind and over all, and false alarms of each labelled set, and of the messages of the sample pedidos.

    The figure to go by is that of the lot from which nothing was learned.
    """
    learned = "o que se pesa foi aprendido também deste lote"
    rows = [linha for nome in CONJUNTOS for linha in _rows(nome, QUASE_TUDO, QUASE_NADA, learned)]
    return [*_rows(DE_FORA, NAO_MENOS, NAO_MAIS, "nada foi aprendido deste lote: é o número a reter"), *rows, own_messages(), *recorded()]


def recorded(arquivo: Path = GRAVADOS) -> list[Linha]:
    """What a capable model wrote, recorded: honest texts that pass, and wrong answers that are held; no row where the file is not there."""
    if not arquivo.exists():
        return []
    found = pontuar(msgspec.json.decode(arquivo.read_bytes()))
    nota = f"Textos gravados de um modelo capaz; também deste lote se aprendeu; {found.sem_dados} sem os dados do pedido"
    counted: tuple[tuple[str, int, int, Meta], ...] = (
        ("redação, gravados: honestos aceitos de primeira", found.de_primeira, found.honestos, DE_PRIMEIRA),
        ("redação, gravados: honestos aceitos depois de ditos", found.depois_de_ditos, found.honestos, DEPOIS_DE_DITOS),
        ("redação, gravados: errados retidos", found.retidos, found.errados, RETIDOS),
    )
    return [measured(linha, "textos", certos, total, meta=meta, execucoes=total, nota=nota) for linha, certos, total, meta in counted]


def own_messages() -> Linha:
    """How many of the messages that code writes for the sample pedidos are held back: none may be."""
    fluxo = Fluxo(Catalogo.of([read_politica(arquivo.conteudo).politica for arquivo in amostra.politicas()]), amostra.campos())
    held = total = 0
    for arquivo in amostra.pedidos():
        etapas = fluxo.decide(arquivo.conteudo, _RECEIVED_ON).etapas
        decidido = Decidido.of(etapas.normalizacao, etapas.consulta, etapas.avaliacao, etapas.ajustes, etapas.sintese)
        mensagens = etapas.sintese.mensagens
        held += not conferir(mensagens.para_solicitante, "para_solicitante", decidido).ok
        held += not conferir(mensagens.para_beneficiario, "para_beneficiario", decidido).ok
        total += 2
    return measured(
        "redação: mensagens do próprio código retidas", "textos", held, total, meta=NADA, execucoes=total, nota="Os pedidos da amostra."
    )


def _rows(nome: str, least: Meta, most: Meta, aprendido: str) -> Iterator[Linha]:
    metricas = avaliar(read_casos((ROTULADOS / f"{nome}.json").read_bytes()))["metricas"]
    told, wrongly = (f"Textos {com} falha, e que foram retidos; {aprendido}" for com in ("com", "sem"))
    yield _proportion(f"redação, {nome}: retidos", metricas["recall"], least, told)
    for falha, one in metricas["por_falha"].items():
        yield _proportion(f"redação, {nome}: retidos com {falha}", one["pegos"], None, told)
    yield _proportion(f"redação, {nome}: alarmes falsos", metricas["alarmes_falsos"], most, wrongly)


def _proportion(linha: str, found: Mapping[str, Any], meta: Meta | None, nota: str) -> Linha:
    total = int(found["total"])
    low, high = found["intervalo"] or (0.0, 1.0)
    interval = f"intervalo de {100 * low:.1f} a {100 * high:.1f} %".replace(".", ",")
    return measured(linha, "textos", int(found["acertos"]), total, meta=meta, execucoes=total, nota=f"{nota}; {interval}")
