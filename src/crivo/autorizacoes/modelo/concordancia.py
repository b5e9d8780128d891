"""How far a model agrees with the code: by agent and by field, with intervals, and its failures apart from its disagreements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal

import msgspec

from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.modelo import storage
from crivo.autorizacoes.modelo.comparacao import TEXTO_REPROVADO, TEXTOS, fields_of
from crivo.autorizacoes.modelo.storage import Contagem, Perguntas
from crivo.kernel.agents.contract import AgentContract
from crivo.kernel.storage.session import Database
from crivo.kernel.taxas import proportion
from crivo.kernel.tenancy import Scope


class CampoComparado(msgspec.Struct, frozen=True):
    """One field over all answers: the share that is equal (`valor`), or whose texts may stand (`texto`); `falhas` of texts by kind."""

    campo: str
    tipo: Literal["valor", "texto"]
    taxa: dict[str, Any]
    falhas: Mapping[str, int]


class AgenteComparado(msgspec.Struct, frozen=True):
    """One agent. `respondidas` of the questions asked; `inteiros`: answers equal in every field that is no text; `falhas` by kind."""

    agente: str
    respondidas: dict[str, Any]
    inteiros: dict[str, Any]
    valores: dict[str, Any]
    textos: dict[str, Any]
    falhas: Mapping[str, int]
    campos: tuple[CampoComparado, ...]


class Concordancia(msgspec.Struct, frozen=True):
    """The agreement over the pedidos that were compared from `desde` on.

    Every rate is `{"acertos", "total", "valor", "intervalo"}`, the interval 95 % Wilson.
    """

    desde: datetime | None
    pedidos: int
    falhas: Mapping[str, int]
    agentes: tuple[AgenteComparado, ...]


async def measure(database: Database, scope: Scope, desde: datetime | None = None) -> Concordancia:
    """The agreement as stored; questions without an answer count among the failures, and in no rate of agreement."""
    textos = [f"{stage}/{campo}" for stage, campo in TEXTOS]
    async with database.unit_of_work(scope) as uow:
        contagens = await storage.count_comparados(uow, desde)
        perguntas = await storage.count_perguntas(uow, desde, textos, TEXTO_REPROVADO)
        pedidos = await storage.count_pedidos(uow, desde)
    agentes = tuple(_agente(contract, contagens, perguntas) for contract in AGENTES)
    falhas: Counter[str] = Counter()
    for agente in agentes:
        falhas.update(agente.falhas)
    return Concordancia(desde, pedidos, dict(falhas.most_common()), agentes)


def _agente(contract: AgentContract, contagens: Iterable[Contagem], perguntas: Iterable[Perguntas]) -> AgenteComparado:
    asked = [one for one in perguntas if one.agente == contract.stage]
    answered = [one for one in asked if one.falha is None]
    total = sum(one.pedidos for one in answered)
    falhas: Counter[str] = Counter()
    for one in asked:
        if one.falha is not None:
            falhas[one.falha] += one.pedidos
    own = [one for one in contagens if one.agente == contract.stage and (one.falha is None or one.falha in TEXTO_REPROVADO)]
    return AgenteComparado(
        agente=contract.stage,
        respondidas=proportion(total, total + falhas.total()),
        inteiros=proportion(sum(one.pedidos for one in answered if one.inteiro), total),
        valores=_share([one for one in own if (contract.stage, one.campo) not in TEXTOS]),
        textos=_share([one for one in own if (contract.stage, one.campo) in TEXTOS]),
        falhas=dict(falhas.most_common()),
        campos=tuple(_campo(contract, campo, [one for one in own if one.campo == campo]) for campo in fields_of(contract)),
    )


def _campo(contract: AgentContract, campo: str, own: list[Contagem]) -> CampoComparado:
    falhas = Counter({one.falha: one.vezes for one in own if one.falha is not None})
    return CampoComparado(campo, "texto" if (contract.stage, campo) in TEXTOS else "valor", _share(own), dict(falhas.most_common()))


def _share(own: Iterable[Contagem]) -> dict[str, Any]:
    counted = list(own)
    return proportion(sum(one.vezes for one in counted if one.igual), sum(one.vezes for one in counted))
