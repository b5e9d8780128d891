"""The use cases of authorizations of one installation, over the database of a test, with a model that is played."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from crivo.autorizacoes.modelo.mapeamento import Mapeamentos
from crivo.autorizacoes.modelo.tarefas import tasks
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.service import Autorizacoes
from crivo.kernel.clock import FixedClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.llm.port import Modelo
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

NOW = FixedClock(datetime.fromisoformat("2026-11-20T10:00:00-03:00"))


class Casa:
    """The use cases of authorizations of one installation, and its queue as a worker would do it."""

    def __init__(self, database: Database, modelo: Modelo | None = None, modo: Any = "codigo") -> None:
        new_id = Uuid7(NOW).new
        vigentes = Vigentes()
        self.database = database
        self.politicas = Politicas(database, NOW, new_id)
        self.autorizacoes = Autorizacoes(database, vigentes, NOW, new_id, modelo=modelo, modo=modo)
        self.mapeamentos = Mapeamentos(database, NOW)
        self.tasks = {task.name: task for task in tasks(database, vigentes, NOW, new_id, modelo)}

    async def publish(self, scope: Scope, *regras: dict[str, Any], **fields: Any) -> None:
        head = {"administradora_id": "ADM-1", "documento": "Manual de Coberturas", "versao": "2.0", "vigencia_inicio": "2026-01-01"}
        await self.politicas.importar(scope, json.dumps({**head, **fields, "regras": list(regras)}).encode(), publicar=True)

    async def queued(self, scope: Scope, autorizacao_id: object) -> int:
        """How many jobs about a decision are in the queue."""
        async with self.database.unit_of_work(scope) as uow:
            return await Fila().count(uow, {"autorizacao": str(autorizacao_id)})

    async def work(self, scope: Scope, task: str, autorizacao_id: object) -> None:
        """Do a job as a worker does."""
        await self.tasks[task].run(scope, {"autorizacao": str(autorizacao_id)})
