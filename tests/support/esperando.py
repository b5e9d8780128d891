"""What waits for somebody, laid down as the applications leave it."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from uuid import UUID, uuid4

from crivo.kernel.clock import BRASILIA, SystemClock
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.vigia.leituras import Pendencias


class Guardado:
    """Rows as the applications leave them, of one tenant."""

    def __init__(self, database: Database, scope: Scope) -> None:
        self.database, self.scope = database, scope

    async def pendencias(self) -> Pendencias:
        total = Pendencias()
        async with self.database.unit_of_work(self.scope) as uow:
            await total.add(uow, SystemClock())
        return total

    async def autorizacao(self, recebida: date, decisao: str = "PENDENTE_AJUSTES", *, urgente: bool = False) -> None:
        await self.run(
            "insert into autorizacoes (tenant_id, id, decisao_final, recebida_em, data_recebimento, catalogo_versao, pedido, decisao, trilha, "
            "digest, urgente) values (%s, %s, %s, %s, %s, 1, '', '', '', '', %s)",
            (self.scope.tenant_id, uuid4(), decisao, datetime.combine(recebida, time(12), BRASILIA), recebida, urgente),
        )

    async def carta(self, situacao: str, criada: datetime) -> None:
        await self.run(
            "insert into cartas (tenant_id, id, chave, situacao, criada_em) values (%s, %s, %s, %s, %s)",
            (self.scope.tenant_id, uuid4(), str(uuid4()), situacao, criada),
        )

    async def entrega(self, criada: datetime, situacao: str = "ativo") -> None:
        destino, entrega = uuid4(), uuid4()
        await self.run(
            "insert into entrega_destinos (tenant_id, id, nome, canal, endereco, eventos, conteudo, situacao, motivo, criado_em, criado_por) "
            "values (%s, %s, 'd', 'email', '', array['autorizacao.revista'], 'resumido', %s, %s, now(), 'eu')",
            (self.scope.tenant_id, destino, situacao, "gone" if situacao == "desligado" else None),
        )
        await self.run(
            "insert into entregas (tenant_id, id, destino_id, evento, fio, situacao, criada_em, insiste_ate, proxima_em) "
            "values (%s, %s, %s, 'exemplo', '', 'espera', %s, now(), now())",
            (self.scope.tenant_id, entrega, destino, criada),
        )

    async def diligencia(self, edital_id: UUID, projeto_id: UUID, por: UUID, prazo: datetime) -> None:
        numero = int.from_bytes(uuid4().bytes[:2], "big") + 1
        await self.run(
            "insert into diligencias (tenant_id, id, edital_id, projeto_id, numero, chave, selada, codigo_resumo, dias, prazo, pedida_por, "
            "pedida_em) values (%s, %s, %s, %s, %s, %s, '', %s, 5, %s, %s, %s)",
            (
                self.scope.tenant_id,
                uuid4(),
                edital_id,
                projeto_id,
                numero,
                projeto_id,
                uuid4().bytes,
                prazo,
                por,
                prazo - timedelta(days=5),
            ),
        )

    async def recurso(self, edital_id: UUID, projeto_id: UUID, recebido: datetime) -> None:
        await self.run(
            "insert into recursos (tenant_id, id, edital_id, numero, projeto_id, contra, entrada, apresentado_em, recebido_em, tardio, chave, "
            "selado, resumo) values (%s, %s, %s, 1, %s, 'resultado', 'link', %s, %s, false, %s, '', %s)",
            (self.scope.tenant_id, uuid4(), edital_id, projeto_id, recebido, recebido, projeto_id, bytes(32)),
        )

    async def projeto(self, codigo: str) -> tuple[UUID, UUID]:
        """The ids of an edital and of a project in it."""
        async with self.database.unit_of_work(self.scope) as uow:
            row = (await uow.connection.exec_driver_sql("select edital_id, id from projetos where codigo = %s", (codigo,))).one()
            return row.edital_id, row.id

    async def run(self, statement: str, values: tuple[object, ...]) -> None:
        async with self.database.unit_of_work(self.scope) as uow:
            await uow.connection.exec_driver_sql(statement, values)
