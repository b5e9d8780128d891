"""Decisions, reviews, políticas, notas and habilitações of a tenant, each made by its use case, and an owner who goes around them."""

from __future__ import annotations

import json
from datetime import datetime
from decimal import Decimal
from uuid import UUID, uuid4

import psycopg
from msgspec.structs import replace

from casos import pedido, regra
from chamadas import VERSOES, Importacao, importacao
from crivo.auditoria.conferencia import Auditoria, Conferencia
from crivo.autorizacoes.mapeamento.service import Formatos
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.revisao import RevisaoProposta, Revisoes
from crivo.autorizacoes.service import Autorizacoes
from crivo.kernel.access import create_usuario, get_usuario
from crivo.kernel.clock import FixedClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Irregularidade
from crivo.triagem.classificacao.definicao import Classificacao, Vagas
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.distribuicao.pessoas import QuemAvalia
from crivo.triagem.edital import Avaliador
from crivo.triagem.guardados import Ato
from crivo.triagem.julgamento import Julgamento, NotaDada
from crivo.triagem.publicacao.servico import Resultados
from crivo.triagem.service import Triagem
from crivo.triagem.storage import editais, execucoes, sinais
from crivo.triagem.storage.execucoes import Registro
from crivo.triagem.tratamento import Casos

_NOW = datetime.fromisoformat("2026-11-20T10:00:00-03:00")
_MOTIVO = "O laudo chegou por outro canal e foi conferido."


class CasaAuditada:
    """Every use case that writes what the audit seals, over one database."""

    def __init__(self, database: Database, scope: Scope, owner_url: str) -> None:
        clock = FixedClock(_NOW)
        new_id = Uuid7(clock).new
        self.database, self.scope, self._owner_url = database, scope, owner_url
        self.politicas = Politicas(database, clock, new_id)
        self.formatos = Formatos(database, Vigentes(), clock, new_id)
        self.autorizacoes = Autorizacoes(database, Vigentes(), clock, new_id)
        self.revisoes = Revisoes(database, clock, new_id)
        self.triagem = Triagem(database, Fila(), clock, new_id, lambda: VERSOES, None)
        self.julgamento = Julgamento(database, clock, new_id)
        self.habilitacoes = Habilitacoes(database, clock, new_id)
        self.quem_avalia = QuemAvalia(database, clock, new_id)
        self.casos = Casos(database, clock, new_id)
        self.resultados = Resultados(database, clock, new_id)
        self.auditoria = Auditoria(database, clock)

    async def conferida(self) -> Conferencia:
        """What the audit says now."""
        return await self.auditoria.conferir(self.scope)

    async def publish(self, versao: str = "1", inicio: str = "2026-01-01", *, publicar: bool = True) -> UUID:
        """A política that asks for a report."""
        head = {"administradora_id": "ADM-1", "documento": "Manual", "versao": versao, "vigencia_inicio": inicio}
        document = {**head, "regras": [regra(documentos_obrigatorios=["LAUDO_MEDICO"])]}
        return (await self.politicas.importar(self.scope, json.dumps(document).encode(), publicar=publicar)).politica.id

    async def map(self) -> None:
        """A mapping that is imported, published, followed by another version, and closed."""
        document = {"mapeamento": "acme", "administradora": "ADM-1", "reconhecer": {"$.de": "ACME"}, "campos": {"pedido_id": "$.n"}}
        for caminho in ("$.n", "$.numero"):
            written = json.dumps({**document, "campos": {"pedido_id": caminho}}).encode()
            formato = (await self.formatos.importar(self.scope, written)).formato
            await self.formatos.publicar(self.scope, formato.id)
        await self.formatos.encerrar(self.scope, formato.id, "Mudaram de sistema.")

    async def review(self) -> UUID:
        """A decision of the code with a person's decision over it; the decision's id."""
        raw = json.dumps(pedido(documentos_anexos=[])).encode()
        denied = (await self.autorizacoes.decidir(self.scope, raw)).autorizacao.id
        rita = Scope(self.scope.tenant_id, "usuario:rita", CONSOLE)
        await self.revisoes.decidir(rita, denied, RevisaoProposta(decisao_final="APROVADO", motivo=_MOTIVO), livre=True)
        return denied

    async def judge(self) -> None:
        """Notas as they come about: drafts, sent at once, given back, sent again; and a habilitação that is decided twice."""
        await self.triagem.importar(self.scope, importacao(2, avaliadores=(Avaliador("Ana", "ana@exemplo.org", ("P0001", "P0002")),)))
        ana, lia = await self.person("ana@exemplo.org"), await self.person("lia@exemplo.org", "gestor")
        both = [NotaDada("C1", Decimal(7), "Bom."), NotaDada("C2", Decimal("8.25"), "")]
        await self.julgamento.salvar(ana, "ED-1", "P0001", [NotaDada("C1", None, "Ainda sem nota.")])
        await self.julgamento.salvar(ana, "ED-1", "P0001", both)
        await self.julgamento.enviar(ana, "ED-1", "P0001")
        await self.julgamento.reabrir(lia, "ED-1", "P0001", UUID(ana.ator.partition(":")[2]))
        await self.julgamento.salvar(ana, "ED-1", "P0001", [NotaDada("C1", Decimal(6), "Menos bom.")])
        await self.julgamento.enviar(ana, "ED-1", "P0001")
        await self.julgamento.registrar_notas(ana, "ED-1", "P0002", both[:1])
        await self.julgamento.salvar(ana, "ED-1", "P0002", [NotaDada("C1", Decimal(9), "Pensando melhor.")])  # a draft again
        await self.julgamento.registrar_notas(ana, "ED-1", "P0002", both)
        await self.decide("inabilitado", "Falta a certidão.")
        await self.decide("habilitado", "A certidão foi entregue em mãos.")

    async def take(self) -> None:
        """Both projects taken from whoever judged them: the notas of one count on, those of the other are drafts again."""
        ana, lia = await self.person("ana@exemplo.org"), await self.person("lia@exemplo.org")
        ana_id = UUID(ana.ator.partition(":")[2])
        await self.quem_avalia.tirar(lia, "ED-1", ana_id, ["P0001"], "Saiu da comissão.", "contam")
        await self.quem_avalia.tirar(lia, "ED-1", ana_id, ["P0002"], "Conhece o grupo.", "nao_contam")

    async def tell(self) -> None:
        """A result that is published, of an edital of its own."""
        given = importacao(1, "ED-3")
        edital = replace(given.chamada.edital, classificacao=Classificacao(vagas=(Vagas("*", 1),)))
        await self.triagem.importar(self.scope, Importacao(replace(given.chamada, edital=edital), given.arquivos))
        gil = await self.person("gil@exemplo.org", "gestor")
        seen = await self.resultados.rascunho(gil, "ED-3", "preliminar")
        await self.resultados.publicar(gil, "ED-3", "preliminar", seen.sha256)

    async def decide(self, decisao: str, motivo: str) -> Ato:
        """What Lia decides of the first project, having seen what stands."""
        lia = await self.person("lia@exemplo.org")
        stands = (await self.habilitacoes.decisoes(lia, "ED-1")).get("P0001")
        return await self.habilitacoes.decidir(lia, "ED-1", "P0001", decisao, motivo, stands.versao if stands else None)

    async def treat(self) -> None:
        """A case that is taken, noted on, decided and decided back."""
        importada = await self.triagem.importar(self.scope, importacao(2, "ED-2"))
        lia = await self.person("bia@exemplo.org", "gestor")
        async with self.database.unit_of_work(self.scope) as uow:
            edital = await editais.get_by_codigo(uow, "ED-2")
            run = Registro(
                uuid4(),
                edital.id,
                "ED-2",
                "completa",
                "em_andamento",
                2,
                2,
                None,
                _NOW,
                None,
                None,
                "eu",
                edital.importacao,
                None,
                0,
                False,
            )
            await execucoes.insert(uow, run)
            await sinais.replace(uow, run.id, [Irregularidade(tipo="similaridade", projetos=("P0001", "P0002"))], None)
            await execucoes.finish(uow, run.id, "concluida", None, _NOW)
        await self.casos.assumir(lia, importada.edital_id, 1, UUID(lia.ator.partition(":")[2]))
        await self.casos.anotar(lia, "ED-2", 1, "Pedi a ata.")
        await self.casos.decidir(lia, "ED-2", 1, "descartado", "São duas etapas do mesmo projeto.", 0)
        await self.casos.desfazer(lia, "ED-2", 1, 1)

    async def person(self, email: str, papel: str = "") -> Scope:
        """Somebody acting; added in a role, or there already."""
        async with self.database.unit_of_work(self.scope) as uow:
            if papel:
                await create_usuario(uow, _NOW, uuid4(), "Lia", email, papel)
            return Scope(self.scope.tenant_id, (await get_usuario(uow, email)).ator, CONSOLE)

    def tamper(self, *statements: str) -> None:
        """Do as the owner of the tables, with every guard off, what nobody should; `MINE` says that a row is the tenant's."""
        with psycopg.connect(libpq_url(self._owner_url)) as connection:
            connection.execute("select set_config('app.tenant_id', %s, true)", (self.scope.tenant_id,))
            connection.execute("set local session_replication_role = replica")
            for statement in statements:
                mine = statement if "MINE" in statement else f"{statement} where MINE"
                done = connection.execute(mine.replace("MINE", f"tenant_id = '{self.scope.tenant_id}'").encode())
                assert done.rowcount > 0, statement
