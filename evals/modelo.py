"""The configured model, where there is one: as `crivo avaliar-modelo` measures it, with the worked cases before its six agents.

Its replies are recorded in the data folder, so that what was asked in an earlier run is not paid again and its first answers stay known.
The figures are of that model, so none of them has a target.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from bench.linhas import Linha, measured

from crivo.gravadas.autorizacoes import worked
from crivo.gravadas.medidas import Parte
from crivo.gravadas.modelo import Gravacao
from crivo.gravadas.placar import Placar, measure, total_cost
from crivo.gravadas.registro import Manifesto, Pasta, Tamanho, begin
from crivo.kernel.llm.modelo import open_modelo
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import open_database
from crivo.kernel.tenancy import Scope

MOST_QUESTIONS: Final = 400
_ATOR: Final = "evals"
_REACHED: Final = {"responde", "responde_sem_lista"}
_ONDE: Final = {"redacao": "textos", "sombra": "sombra", "clinicas": "conversas", "triagem": "avaliação"}


def with_model(settings: Settings, exemplos: Path) -> list[Linha]:
    """What the configured model can do, or one row that says that it was not measured, and why. `exemplos` are the worked cases."""
    why = _why_not(settings)
    return [not_measured(why)] if why else asyncio.run(_on_provider(settings, exemplos.read_bytes() if exemplos.exists() else None))


def not_measured(why: str) -> Linha:
    """A row that claims nothing."""
    nota = f"Não foi medido: {why} Tudo o que está acima é o código sozinho, ou um modelo simulado."
    return measured("com um modelo de verdade", "perguntas", 0, None, meta=None, execucoes=0, nota=nota)


def _why_not(settings: Settings) -> str:
    if not settings.tem_modelo:
        return "nenhum modelo está configurado; preencha CRIVO_MODELO e a chave do provedor."
    from crivo.kernel.llm.sonda import probe  # here: most runs have no model

    found = asyncio.run(probe(settings, settings.modelo))
    return "" if found in _REACHED else f"{settings.modelo} não respondeu ({found}); veja 'crivo doutor'."


async def _on_provider(settings: Settings, trabalhados: bytes | None) -> list[Linha]:
    database = await open_database(settings)
    try:
        async with open_modelo(settings, database, settings.clock) as modelo:
            tamanho, pasta = Tamanho.of(MOST_QUESTIONS), _folder(settings)
            gravacao = Gravacao(pasta, modelo, MOST_QUESTIONS)
            casos = worked(trabalhados) if trabalhados else None
            placar = await measure(gravacao, pasta, Scope(settings.tenant, _ATOR), tamanho, casos)
    finally:
        await database.close()
    return list(rows_of(placar))


def _folder(settings: Settings) -> Pasta:
    """The recording of one model, apart from those of others."""
    named = re.sub(r"[^\w.-]+", "-", settings.modelo, flags=re.ASCII)
    manifesto = Manifesto(settings.modelo, False, MOST_QUESTIONS, Tamanho.of(MOST_QUESTIONS), settings.clock.now())
    return begin(settings.data_dir / "evals-modelo" / named, manifesto)


def rows_of(placar: Placar) -> Iterator[Linha]:
    """All rows of one model; the last one says what all of it took."""
    for medida in placar.medidas:
        yield _share(f"{_ONDE[medida.area]}: {medida.nome}", medida.parte, medida.nota)
    for agente in placar.agentes:
        if agente.conferida:
            yield _share(f"{agente.nome}: respostas aceitas à primeira", agente.a_primeira, "Pela conferência, antes de avisar o modelo")
            yield _share(f"{agente.nome}: respostas aceitas no fim", agente.no_fim, "Depois de avisado uma vez do que está errado")
    yield _taken(placar)


def _share(linha: str, parte: Parte, nota: str) -> Linha:
    found = parte.taxa
    bounds = f"intervalo de {100 * (found.de or 0):.1f} a {100 * (found.ate or 0):.1f} %".replace(".", ",") if parte.total else "sem casos"
    told = f"{nota}; {bounds}." if nota else f"{bounds}."
    return measured(linha, "vezes", parte.certos, parte.total, meta=None, execucoes=parte.total, nota=told)


def _taken(placar: Placar) -> Linha:
    custo, sem_preco = total_cost(placar)
    asked = sum(agente.perguntas for agente in placar.agentes)
    failed = sum(many for agente in placar.agentes for many in agente.falhas.values())
    tokens = sum(agente.tokens_entrada + agente.tokens_saida for agente in placar.agentes)
    unknown = f"; {sem_preco} sem preço conhecido" if sem_preco else ""
    nota = f"{placar.modelo}: {asked} perguntas de no máximo {MOST_QUESTIONS}, {failed} sem resposta, {tokens} tokens{unknown}."
    return measured("custo do que foi perguntado", "US$", float(custo), None, meta=None, execucoes=asked, nota=nota)
