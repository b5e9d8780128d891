"""`sombra`: after the code has answered, all six agents run on the model, and how far it agrees is kept, without anybody's data.

Each is shown the code's answers of the stages before it, never the model's own: one slip at the beginning would else count against
every agent after it, and nobody could tell which of them errs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from crivo.autorizacoes import storage as autorizacoes
from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.campos import base_table
from crivo.autorizacoes.etapas.ressalvas import DITOS
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.historico import historico_guardado
from crivo.autorizacoes.modelo import storage
from crivo.autorizacoes.modelo.comparacao import Comparado, compare_answer, unanswered
from crivo.autorizacoes.modelo.perguntas import ENTRADA_LONGA, ask_answer, dado, documentos_dado, fits
from crivo.autorizacoes.modelo.textos import decidido_of
from crivo.autorizacoes.politicas.storage import campos_at
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.redacao import Decidido
from crivo.autorizacoes.trilha import Etapas
from crivo.kernel.agents.contract import AgentContract
from crivo.kernel.clock import Clock
from crivo.kernel.llm.port import Dado, Modelo, ModeloIndisponivel
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

_ORIGEM: Final = "sombra:{}"  # what is paid for a comparison, by the decision that is compared
INTERROMPIDO: Final = "trabalho_interrompido"
_ESPERA_SECONDS: Final = 120.0
_MOST_POLITICAS_BYTES: Final = 60_000  # of the published rules of one administradora; more is no question for one prompt


@dataclass(frozen=True, slots=True)
class Assunto:
    """A stored decision as its agents are asked about it; `politicas` are JSON documents, None where they are too long to be shown."""

    guardada: Autorizacao
    etapas: Etapas
    campos: Mapping[str, str]
    politicas: Sequence[str] | None


class Sombra:
    """Runs the agents on the model and compares. Doing it again changes nothing."""

    def __init__(self, database: Database, vigentes: Vigentes, clock: Clock, modelo: Modelo) -> None:
        self._database = database
        self._vigentes = vigentes
        self._clock = clock
        self._modelo = modelo

    async def comparar(self, scope: Scope, about: Mapping[str, str]) -> None:
        """Ask all agents about a decision at once, each on the code's own inputs, and keep what came of it; a failure is kept as one."""
        autorizacao_id = UUID(about["autorizacao"])
        async with self._database.unit_of_work(scope) as uow:
            guardada = await autorizacoes.find(uow, autorizacao_id)
            if not isinstance(guardada, Autorizacao) or await storage.was_compared(uow, autorizacao_id):
                return
            assunto = await self._assunto(uow, guardada)
        decidido = decidido_of(assunto.etapas)
        asked = [contract for contract in AGENTES if getattr(assunto.etapas, contract.stage) is not None]
        found = await asyncio.gather(*(self._compare(scope, contract, assunto, decidido) for contract in asked))
        await self._keep(scope, autorizacao_id, [one for comparados in found for one in comparados])

    async def desistir(self, scope: Scope, about: Mapping[str, str], _error: Exception | None) -> None:
        """Count a comparison that could not be made among the failures, for every agent."""
        autorizacao_id = UUID(about["autorizacao"])
        async with self._database.unit_of_work(scope) as uow:
            known = await autorizacoes.find(uow, autorizacao_id) is not None
        if known:
            comparados = [one for contract in AGENTES for one in unanswered(contract, self._modelo.nome, INTERROMPIDO)]
            await self._keep(scope, autorizacao_id, comparados)

    async def _keep(self, scope: Scope, autorizacao_id: UUID, comparados: Sequence[Comparado]) -> None:
        async with self._database.unit_of_work(scope) as uow:
            if not await storage.was_compared(uow, autorizacao_id):
                await storage.insert_comparados(uow, autorizacao_id, comparados, self._clock.now())

    async def _assunto(self, uow: UnitOfWork, guardada: Autorizacao) -> Assunto:
        fluxo = await self._vigentes.at(uow, guardada.catalogo_versao)
        historico = historico_guardado(guardada.trilha)
        etapas = fluxo.decide_again(guardada.pedido, guardada.trilha, guardada.data_recebimento, historico).etapas
        administradora = etapas.normalizacao.pedido_normalizado.administradora_id or ""
        campos = (await campos_at(uow, guardada.catalogo_versao)).get(administradora, {})
        politicas = await storage.politicas_of(uow, administradora, guardada.catalogo_versao, _MOST_POLITICAS_BYTES)
        return Assunto(guardada, etapas, {**campos, **base_table(), **campos}, politicas)

    async def _compare(self, scope: Scope, contract: AgentContract, assunto: Assunto, decidido: Decidido) -> list[Comparado]:
        etapas = assunto.etapas
        beside = looked_up(contract, assunto, decidido)
        seen = {
            "pedido": assunto.guardada.pedido.decode(errors="replace"),
            **{agente.stage: getattr(etapas, agente.stage) for agente in AGENTES},
        }
        if beside is None:
            return unanswered(contract, self._modelo.nome, ENTRADA_LONGA)
        question = ask_answer(contract, seen, contract.output, beside=beside, espera_seconds=_ESPERA_SECONDS)
        if not fits(contract, question):
            return unanswered(contract, self._modelo.nome, ENTRADA_LONGA)
        try:
            reply = await self._modelo.ask(scope, question, _ORIGEM.format(assunto.guardada.id))
        except ModeloIndisponivel as error:
            return unanswered(contract, self._modelo.nome, error.falha)
        return compare_answer(contract, reply.modelo, getattr(etapas, contract.stage), reply.valor, decidido)


def looked_up(contract: AgentContract, assunto: Assunto, decidido: Decidido) -> list[Dado] | None:
    """What the house looks up for an agent beside the answers that it sees; None where it is too long to be shown.

    Tables, published rules and names of documents: the agents' tools, and no judgement of the code's.
    """
    match contract.stage:
        case "normalizacao":
            recebido = dado("data_recebimento", assunto.guardada.data_recebimento.isoformat())
            return [dado("campos_equivalentes", assunto.campos), recebido, dado("ditos_do_catalogo", _said(assunto.etapas))]
        case "consulta":
            return None if assunto.politicas is None else [dado("politicas", f"[{','.join(assunto.politicas)}]")]
        case "ajustes":
            return [dado("alternativas_cobertas", _covered(assunto.etapas))]
        case "sintese":
            return [documentos_dado(decidido.pedido.documentos.pendentes)]
        case _:
            return []


def _said(etapas: Etapas) -> Mapping[str, list[str]]:
    """What only the published políticas can say of the pedido; a model that reads the pedido alone cannot know it."""
    normalizacao = etapas.normalizacao
    return {
        "erros_bloqueantes": [erro for erro in normalizacao.erros_bloqueantes if erro in DITOS],
        "alertas": [alerta for alerta in normalizacao.alertas if alerta in DITOS],
    }


def _covered(etapas: Etapas) -> Any:
    regra, ajustes = etapas.consulta.regras_recuperadas, etapas.ajustes
    offered = {ajuste.valor_sugerido for ajuste in (ajustes.ajustes_sugeridos if ajustes else ()) if ajuste.acao_tipo == "AJUSTAR_CODIGO"}
    return [alternativa for alternativa in (regra.alternativas if regra else ()) if alternativa.codigo in offered]
