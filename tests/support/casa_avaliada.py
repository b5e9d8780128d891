"""A call without anybody who judges it, and every use case of who judges: people, draws, impediments, rounds, days, notas and places."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from uuid import UUID, uuid4

from msgspec import structs

from chamadas import Importacao, importacao
from crivo.kernel.access import Usuario, create_usuario
from crivo.kernel.clock import Clock, FixedClock, SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.definicao import Classificacao
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.distribuicao.calibracoes import Calibracoes
from crivo.triagem.distribuicao.impedimentos import QuemNaoPode
from crivo.triagem.distribuicao.lembretes import Lembretes
from crivo.triagem.distribuicao.pessoas import QuemAvalia
from crivo.triagem.distribuicao.prazos import Prazos
from crivo.triagem.distribuicao.servico import Distribuicao
from crivo.triagem.distribuicao.sorteio_previa import PedidoDeSorteio
from crivo.triagem.distribuicao.sorteios import Sorteios
from crivo.triagem.edital import FaseDatada
from crivo.triagem.julgamento import Julgamento, NotaDada
from crivo.triagem.lugares import Lugares
from sujeitos import as_person

CLOCK = FixedClock(SystemClock().now())
TODOS = ["P0001", "P0002", "P0003"]
AMBAS = [NotaDada("C1", Decimal(7), "Bom."), NotaDada("C2", Decimal(8), "")]


REGRAS = Classificacao(minimo_avaliadores=2, divergencia_maxima=Decimal(30), semente="SEMENTE-1")


def chamada(quantos: int, regras: Classificacao | None = REGRAS, fases: tuple[FaseDatada, ...] = ()) -> Importacao:
    """A call of so many projects that says how notas become places, and its dates."""
    feita = importacao(quantos)
    edital = structs.replace(feita.chamada.edital, classificacao=regras, fases=fases)
    return replace(feita, chamada=structs.replace(feita.chamada, edital=edital))


class Casa:
    """A call without anybody who judges it, whoever manages it, and two who could judge."""

    def __init__(self, database: Database, scope: Scope, clock: Clock = CLOCK) -> None:
        new_id = Uuid7(SystemClock()).new
        self.database, self.scope, self.clock = database, scope, clock
        self.quem = QuemAvalia(database, clock, new_id)
        self.distribuicao = Distribuicao(database, clock, new_id)
        self.lembretes = Lembretes(database, clock, new_id)
        self.julgamento = Julgamento(database, clock, new_id)
        self.decisoes = Habilitacoes(database, clock, new_id)
        self.sorteios = Sorteios(database, clock, new_id)
        self.impedimentos = QuemNaoPode(database, clock, new_id)
        self.calibracoes = Calibracoes(database, clock, new_id)
        self.prazos = Prazos(database, clock, new_id)
        self.lugares = Lugares(database)

    async def person(self, nome: str, papel: str = "avaliador", email: str = "") -> Usuario:
        async with self.database.unit_of_work(self.scope) as uow:
            return await create_usuario(uow, CLOCK.now(), uuid4(), nome, email or f"{uuid4()}@avalia.exemplo", papel)

    def as_(self, usuario: Usuario) -> Scope:
        return as_person(self.scope, usuario)

    async def give(self, lia: Scope, codigos: list[str], *quem: Usuario) -> UUID:
        previa = await self.distribuicao.prever(lia, "ED-1", codigos, [one.id for one in quem])
        return (await self.distribuicao.dar(lia, "ED-1", codigos, [one.id for one in quem], previa.prevista)).id

    async def codes_of(self, usuario: Usuario) -> list[str]:
        return [one.projeto_id for one in await self.julgamento.meus_projetos(self.as_(usuario))]

    async def audited(self, acao: str) -> list[dict[str, object]]:
        async with self.database.unit_of_work(self.scope) as uow:
            rows = await uow.connection.exec_driver_sql(
                "select dados from logs_auditoria where tenant_id = %s and acao = %s order by entidade_id", (self.scope.tenant_id, acao)
            )
            return list(rows.scalars())

    async def judge(self, usuario: Usuario, codigo: str, c1: int, c2: int) -> None:
        """What somebody gives a project, sent at once."""
        notas = [NotaDada("C1", Decimal(c1), "Porque sim."), NotaDada("C2", Decimal(c2), "")]
        await self.julgamento.registrar_notas(self.as_(usuario), "ED-1", codigo, notas)

    async def drawn(self, lia: Scope, asked: PedidoDeSorteio | None = None) -> UUID:
        """A draw that is foreseen and given."""
        pedido = asked or PedidoDeSorteio()
        previa = await self.sorteios.prever(lia, "ED-1", pedido)
        return (await self.sorteios.dar(lia, "ED-1", pedido, previa.prevista)).id

    async def places(self, lia: Scope) -> dict[str, tuple[str, Decimal | None]]:
        """The situation and the nota_final of each project of the result."""
        found = await self.lugares.resultado(lia, "ED-1")
        return {one.inscrito.id: (one.situacao, found.final(one)) for one in found.lugares}
