"""Texts of decisions that a capable model wrote, recorded elsewhere, in the form of a recording: replayed by the product's own code.

What a writer was shown is in the file word for word, so that a question that is still asked finds its answer; one that is not is told:
nearly half of them are about pedidos that do not come with the product.

The other recorded files do not suffice for it: replies of the reception have the data that a model was shown and not the question as it
was put, plans are of dialogues that do not come with the product, and judges read documents that a recording does not ask about.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from bench.linhas import Linha, measured

from crivo.gravadas.autorizacoes import sample, written
from crivo.gravadas.modelo import Gravacao
from crivo.gravadas.placar import NaoSabido, PorAgente, by_agent, not_known
from crivo.gravadas.registro import Gravada, Manifesto, Pasta, Resposta, Tamanho, begin, digest_of
from crivo.kernel.tenancy import Scope

GRAVADO: Final = Path(__file__).resolve().parents[2] / "shared/data/evals/modelo/autorizacoes.json"
_MODELO: Final = "gravado:capaz"
_UNKNOWN: Final = "desconhecida"
_HELD: Final = "A conferência de então não aceitou."
_WHEN: Final = datetime(2026, 11, 28, tzinfo=UTC)
_SCOPE: Final = Scope("local", "evals")


def replayed_rows() -> Iterator[Linha]:
    """Of each writer, the recorded answers that the check accepts today; none where the file is not beside this checkout."""
    if not GRAVADO.exists():
        return
    agentes, unknown = replay(json.loads(GRAVADO.read_bytes()))
    for agente in agentes:
        told = f"Perguntas que ainda são feitas; {unknown.nao_perguntadas.get(agente.agente, 0)} gravadas ninguém mais faz"
        for nome, parte in (("à primeira", agente.a_primeira), ("no fim", agente.no_fim)):
            name = f"{agente.nome}, respostas gravadas e repetidas: aceitas {nome}"
            yield measured(name, "respostas", parte.certos, parte.total, meta=None, execucoes=parte.total, nota=f"{told}.")


def replay(itens: Sequence[Mapping[str, Any]]) -> tuple[list[PorAgente], NaoSabido]:
    """What becomes of the recorded answers today, by writer, and what cannot be known of them."""
    with TemporaryDirectory(prefix="crivo-gravadas-") as folder:
        pasta = as_pasta(itens, Path(folder) / "gravado")
        gravacao = Gravacao(pasta)
        casos = sample()
        asyncio.run(written(gravacao, _SCOPE, casos, len(casos.pedidos), lambda: None))
        return by_agent(gravacao.contas), not_known(gravacao.contas, pasta)


def as_pasta(itens: Sequence[Mapping[str, Any]], caminho: Path) -> Pasta:
    """The recorded questions as a recording, the answers of both turns together; of those whose question was kept as it was put."""
    pasta = begin(
        caminho, Manifesto(_MODELO, False, len(itens), Tamanho(len(sample().pedidos), 0, 0, 0), datetime(2026, 11, 28, tzinfo=UTC))
    )
    turns: dict[tuple[str, str], dict[int, Mapping[str, Any]]] = {}
    for item in itens:
        if isinstance(item["dados"], str):
            turns.setdefault((item["agente"], item["dados"]), {})[item["volta"]] = item
    for (agente, dados), by_turn in turns.items():
        respostas = tuple(Resposta(item["resposta"], None if item["aceito"] else _HELD) for _, item in sorted(by_turn.items()))
        pasta.keep(
            Gravada(
                agente=agente,
                prompt_versao=_UNKNOWN,
                prompt_digest=_UNKNOWN,
                pergunta=digest_of(dados),
                amostra=0,
                dados=tuple(dados.split("\n")),
                respostas=respostas,
                primeira_conhecida=1 in by_turn,
                modelo=_MODELO,
            )
        )
    return pasta
