"""Use cases of screening: import a call, estimate, run, follow, cancel, go on, read; and the notas that people give."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

from crivo.kernel.access import asks
from crivo.kernel.access.usuarios import acting_usuario
from crivo.kernel.clock import Clock
from crivo.kernel.cotas import own_cotas
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.llm.ledger import cost_of, spent_since
from crivo.kernel.llm.lotes import DE_LOTE
from crivo.kernel.llm.orcamento import month_start
from crivo.kernel.storage.patience import PATIENT
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Resultado, Tipo
from crivo.triagem.andamento import Execucao, andamento, fases_of
from crivo.triagem.chamadas.publicada import Published, check_published, note_rules
from crivo.triagem.custeio import Custeio, Estimativa, Previsao, no_calls
from crivo.triagem.edital import Chamada, Value
from crivo.triagem.erros import (
    EditalMudou,
    LimiteDeCusto,
    LoteIndisponivel,
    NadaARetomar,
    ProjetosSairiam,
    TriagemEmAndamento,
    TriagemNotFound,
)
from crivo.triagem.fora import ProjetoFora
from crivo.triagem.imagens import ImagensNaoLidas, unread_images
from crivo.triagem.impedidos import Impedido
from crivo.triagem.importador import Importavel, keep_projetos, store
from crivo.triagem.lotes import call_off, endings_lacking, lotes_of, note_lotes, refuse_while_ending
from crivo.triagem.palavras import count, number
from crivo.triagem.quadro import Quadro, Versoes, jobs_of, load_quadro, origem_of, project_digest
from crivo.triagem.storage import arquivos, editais, execucoes, julgadores, notas, projetos, publicadas, registros, resultados, sinais
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.execucoes import Registro
from crivo.triagem.storage.projetos import ProjetoGuardado, lido_of

LONGEST_LIST: Final = 200
_FORESEEN_KEPT: Final = 64
_POLL_SECONDS: Final = 0.5
_ESTIMATED: Final = 12  # projects, of which the others are thought to take as much: an estimate is asked for with every look at a page
_NAMED: Final = 5
_ENTITY: Final = "triagem_ia_execucao"
_NO_LOTES: Final = "O provedor do modelo desta instalação não recebe lotes. Execute a triagem do jeito comum."
_NOTHING_ASKED: Final = (
    "Esta parte da triagem não pergunta nada ao modelo em lote. Execute-a do jeito comum, ou escolha a triagem completa."
)
_LOST: Final = "Os trabalhos desta triagem sumiram da fila antes do fim. O que se achou está guardado; retome a triagem."


class Importada(Value, frozen=True):
    """An edital that came in; `substituiu` one of its code. Files are counted by content; `fora` was left out, `impedidos` cannot judge.

    `imagens`: what nothing on this machine reads; None where images are read here. `avaliados` and `decididos`: projects of which people's
    notas and decisions came that were not there.
    """

    edital_id: str
    projetos: int
    arquivos: int
    arquivos_novos: int
    substituiu: bool
    fora: tuple[ProjetoFora, ...] = ()
    avaliadores_fora: int = 0
    impedidos: tuple[Impedido, ...] = ()
    imagens: ImagensNaoLidas | None = None
    avaliados: int = 0
    decididos: int = 0


class Acolhida(Value, frozen=True):
    """How projects come into an edital: as it was seen (`visto`, its number of import); `retirar` takes out those that do not come."""

    visto: int
    retirar: bool = False


class EditalNaLista(Value, frozen=True):
    """An edital as a line of a list, with the execução that began last."""

    edital_id: str
    nome: str
    projetos: int
    importado_em: datetime
    execucao: Execucao | None


class Triagem:
    """Public calls of a tenant and their screening. It suggests; people decide. An execução and its jobs are one transaction."""

    def __init__(
        self,
        database: Database,
        fila: Fila,
        clock: Clock,
        new_id: Callable[[], UUID],
        versoes: Callable[[], Versoes],
        custeio: Custeio | None = None,
        published: Published = publicadas.semente_of,
    ) -> None:
        self._database = database
        self._fila = fila
        self._clock = clock
        self._new_id = new_id
        self._versoes = versoes
        self._custeio = custeio or Custeio()
        self._published = published
        self._previstos: dict[object, tuple[int, int, Previsao]] = {}

    @asks("triagem.executar")
    async def importar(
        self,
        scope: Scope,
        importacao: Importavel,
        *,
        aceitar_apagados: bool = False,
        acolhida: Acolhida | None = None,
        motivo: str = "",
    ) -> Importada:
        """Take a call in, whole or not at all. One of the same code is replaced: its projects keep their ids, those that are gone are
        withdrawn, and what past execuções found stays readable. One that says nothing of projects leaves those that are there.

        Projects of people who were erased at their request are left out and told of; `aceitar_apagados` says that these people consented
        anew, which the audit is told. With an `acolhida` projects are brought into an edital as it was seen. Raises TriagemEmAndamento
        where the edital is being screened; EditalMudou and ProjetosSairiam; SementePublicada, and MudancaSemMotivo where rules for places
        would be others after a result was published and `motivo` does not say why.
        """
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            await arquivos.lock_import(uow)
            before = await editais.find(uow, importacao.chamada.edital.id, lock=True)
            if before is not None:
                await self._refuse_under_way(uow, before, "Espere ela terminar, ou cancele-a, para importar o edital de novo.")
            if acolhida is not None:
                await _check_acolhida(uow, acolhida, before, importacao.chamada)
            if before is not None:
                check_published(before.edital, importacao.chamada.edital, await self._published(uow, before.id), motivo)
            now = self._clock.now()
            if before is not None and importacao.so_definicao:
                guardada = await keep_projetos(uow, importacao.chamada, self._new_id, now)
            else:
                guardada = await store(uow, importacao, self._new_id, now, aceitar_apagados=aceitar_apagados)
            codigo, apagados = guardada.edital.edital.id, guardada.apagados
            dados = {
                "projetos": guardada.projetos,
                "arquivos": guardada.arquivos,
                "importacao": guardada.edital.importacao,
                **({"apagados": len(apagados)} if apagados else {}),
            }
            if acolhida is None:
                await registros.note(uow, self._new_id(), now, "edital.importado", codigo, "edital", str(guardada.edital.id), dados)
            else:
                await registros.note(uow, self._new_id(), now, "projetos.trazidos", codigo, "edital", str(guardada.edital.id), dados)
            if before is not None:
                await note_rules(uow, self._new_id(), now, guardada.edital, before.edital, motivo)
            if apagados and aceitar_apagados:
                again = {"projetos": len(apagados), "codigos": sorted(apagados)}
                await registros.note(uow, self._new_id(), now, "edital.apagados_aceitos", codigo, "edital", str(guardada.edital.id), again)
        left = () if aceitar_apagados else tuple([ProjetoFora(one, when) for one, when in apagados.items()])
        counted = (guardada.projetos, guardada.arquivos, guardada.arquivos_novos)
        imagens = unread_images(guardada.imagens)
        unread = imagens if imagens is not None and not imagens.ha_leitor else None
        people = (guardada.avaliadores_fora, guardada.impedidos)
        return Importada(codigo, *counted, before is not None, left, *people, unread, guardada.avaliados, guardada.decididos)

    @asks("triagem.ler")
    async def editais(self, scope: Scope) -> tuple[EditalNaLista, ...]:
        """Every edital, the one that came in last first."""
        async with self._database.unit_of_work(scope) as uow:
            lines = []
            for one in await editais.list_all(uow):
                guardado = await editais.get_by_codigo(uow, one.edital_id)
                last = await execucoes.find_last(uow, guardado.id)
                execucao = None if last is None else await self._view(uow, last, guardado)
                lines.append(EditalNaLista(one.edital_id, one.nome, one.projetos, one.importado_em, execucao))
        return tuple(lines)

    @asks("triagem.ler")
    async def edital(self, scope: Scope, edital_id: str) -> Chamada:
        """An edital with all that belongs to it, as it stands. Raises EditalNotFound."""
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            return await _chamada(uow, await editais.get_by_codigo(uow, edital_id))

    @asks("triagem.acompanhar")
    async def estimar(self, scope: Scope, edital_id: str, tipo: Tipo = "completa") -> Estimativa:
        """What an execução would take, and what earlier ones save it. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            return await self._estimate(uow, await editais.get_by_codigo(uow, edital_id), tipo)

    @asks("triagem.executar")
    async def executar(self, scope: Scope, edital_id: str, tipo: Tipo = "completa", *, em_lote: bool = False) -> Execucao:
        """Begin an execução; workers do the rest. `em_lote`: what is sure to be asked of the model goes out in lotes, for half the price
        and within a day.

        Raises EditalNotFound; TriagemEmAndamento, with the one under way; LoteIndisponivel, LoteEncerrando and LimiteDeCusto before
        anything is begun.
        """
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id, lock=True)
            await self._refuse_under_way(uow, guardado, "Acompanhe a que está em andamento, ou cancele-a.")
            if em_lote and not (self._custeio.lotes and self._graded_with(tipo)):
                raise LoteIndisponivel(_NO_LOTES if not self._custeio.lotes else _NOTHING_ASKED)
            await refuse_while_ending(uow, await execucoes.find_last(uow, guardado.id))
            await self._refuse_too_dear(uow, guardado, tipo, em_lote=em_lote)
            registro = await self._begin(uow, guardado, tipo, em_lote=em_lote)
            dados = {"tipo": tipo, "projetos": registro.total_projetos, **({"em_lote": True} if em_lote else {})}
            await registros.note(uow, self._new_id(), registro.created_at, "triagem.iniciada", edital_id, _ENTITY, str(registro.id), dados)
            return await self._view(uow, await _reread(uow, registro), guardado)

    @asks("triagem.ver_andamento")
    async def status(self, scope: Scope, edital_id: str) -> Execucao:
        """The execução under way, or else the one that began last. Raises EditalNotFound, TriagemNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            registro = await execucoes.find_under_way(uow, guardado.id) or await execucoes.find_last(uow, guardado.id)
            if registro is None:
                raise TriagemNotFound("Este edital ainda não foi triado. Execute a triagem para ver o resultado.")
            return await self._view(uow, await self._settle(uow, registro), guardado)

    @asks("triagem.ver_andamento")
    async def acompanhar(self, scope: Scope, edital_id: str) -> AsyncIterator[Execucao]:
        """The execução under way each time that it has come further, until it ends; once where it ended before."""
        seen = None
        while True:
            execucao = await self.status(scope, edital_id)
            told = (
                *(execucao.id, execucao.status, execucao.fases, execucao.projetos_com_erro, execucao.custo, execucao.erro_mensagem),
                execucao.lote,
            )
            if told != seen:
                seen = told
                yield execucao
            if execucao.status != "em_andamento":
                return
            await asyncio.sleep(_POLL_SECONDS)

    @asks("triagem.executar")
    async def cancelar(self, scope: Scope, edital_id: str) -> Execucao:
        """Stop the execução under way; what was done is kept, and it can be gone on with. Raises EditalNotFound, TriagemNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            found = await execucoes.find_under_way(uow, guardado.id)
            registro = None if found is None else await execucoes.lock(uow, found.id)
            if registro is None or registro.status != "em_andamento":
                raise TriagemNotFound("Não há triagem em andamento neste edital.")
            now = self._clock.now()
            await execucoes.finish(uow, registro.id, "cancelada", None, now)
            await self._fila.discard(uow, _about(registro))
            await self._fila.defer(uow, await call_off(uow, registro, now))
            await registros.note(uow, self._new_id(), now, "triagem.cancelada", edital_id, _ENTITY, str(registro.id))
            return await self._view(uow, await _reread(uow, registro), guardado)

    @asks("triagem.executar")
    async def retomar(self, scope: Scope, edital_id: str) -> Execucao:
        """Go on with the last execução where it was cancelled or failed; projects with an error are tried again, and so are critérios
        and documents that have no good answer of a model, though the rest was finished. What has one is in the ledger, and is not asked.

        What was sent in a lote and not answered is asked the ordinary way.

        Raises EditalNotFound, TriagemNotFound; NadaARetomar where it was finished, or where the edital was imported again since;
        LoteEncerrando.
        """
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id, lock=True)
            last = await execucoes.find_last(uow, guardado.id)
            if last is None:
                raise TriagemNotFound("Este edital ainda não foi triado. Execute a triagem para ver o resultado.")
            registro = await self._settle(uow, last)
            if registro.status == "em_andamento":
                return await self._view(uow, registro, guardado)
            unanswered = await notas.count_unanswered(uow, registro.id)
            await refuse_while_ending(uow, registro)
            _refuse_to_resume(registro, guardado, unanswered or (await resultados.count(uow, registro.id)).habilitacoes_incompletas)
            now = self._clock.now()
            await execucoes.lock(uow, registro.id)
            await resultados.reopen_failed(uow, registro.id)
            pending = await resultados.pending(uow, registro.id)
            await execucoes.reopen(uow, registro.id, registro.total_projetos - len(pending), now)
            await self._fila.discard(uow, _about(registro))
            await self._fila.defer(uow, jobs_of(registro.id, pending, self._graded_with(registro.tipo)))
            await registros.note(
                uow, self._new_id(), now, "triagem.retomada", edital_id, _ENTITY, str(registro.id), {"projetos": len(pending)}
            )
            return await self._view(uow, await _reread(uow, registro), guardado)

    @asks("execucoes.ver")
    async def execucoes(self, scope: Scope, limite: int = 50) -> tuple[Execucao, ...]:
        """The execuções of every edital, the newest first, at most 200."""
        async with self._database.unit_of_work(scope) as uow:
            found = await execucoes.list_all(uow, max(1, min(limite, LONGEST_LIST)))
            return tuple([await self._view(uow, registro, await editais.get(uow, registro.edital_id)) for registro in found])

    @asks("execucoes.ver")
    async def codigos_das_execucoes(self, scope: Scope) -> Mapping[UUID, str]:
        """The code of the edital of every execução, by the execução's id."""
        async with self._database.unit_of_work(scope) as uow:
            return await execucoes.codes_of(uow)

    @asks("triagem.acompanhar")
    async def resultado(self, scope: Scope, edital_id: str, execucao_id: UUID | None = None) -> Resultado:
        """What the execução that was finished last found; or the one that is named, as far as it has come.

        Raises EditalNotFound, TriagemNotFound.
        """
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            if execucao_id is None:
                registro = await execucoes.find_last_finished(uow, guardado.id)
            else:
                registro = await execucoes.find(uow, execucao_id)
            if registro is None or registro.edital_id != guardado.id:
                raise TriagemNotFound("Nenhuma triagem deste edital terminou ainda. Execute-a, ou espere a que está em andamento.")
            triados = await resultados.load(uow, registro.id)
            return Resultado(edital_id, str(registro.id), triados, await sinais.load(uow, registro.id))

    async def _begin(self, uow: UnitOfWork, guardado: EditalGuardado, tipo: Tipo, *, em_lote: bool) -> Registro:
        ids = list((await projetos.ids_of(uow, guardado.id)).values())
        person = await acting_usuario(uow)
        registro = Registro(
            id=self._new_id(),
            edital_id=guardado.id,
            edital=guardado.edital.id,
            tipo=tipo,
            status="em_andamento",
            total_projetos=len(ids),
            projetos_analisados=0,
            erro_mensagem=None,
            created_at=self._clock.now(),
            concluida_em=None,
            executado_por=person.id if person else None,
            iniciada_por=uow.scope.ator,
            importacao=guardado.importacao,
            retomada_em=None,
            analisados_antes=0,
            irregularidades_reaproveitadas=False,
            em_lote=em_lote,
        )
        await execucoes.insert(uow, registro)
        await resultados.open_for(uow, registro.id, ids, [self._new_id() for _ in ids], registro.created_at)
        reused = await self._reuse(uow, registro)
        pending, modelo = [one for one in ids if one not in reused], self._graded_with(tipo)
        if em_lote and pending:
            await self._fila.defer(uow, await note_lotes(uow, registro, pending, modelo, self._new_id))
        else:
            await self._fila.defer(uow, jobs_of(registro.id, pending, modelo))
        return registro

    async def _reuse(self, uow: UnitOfWork, registro: Registro) -> set[UUID]:
        """The projects in which nothing changed since an earlier execução, concluded as they were then: they need no job."""
        known = await resultados.known_digests(uow, registro.edital_id)
        if not known:
            return set()
        quadro, stored = await load_quadro(uow, registro.edital_id), await projetos.load_all(uow, registro.edital_id)
        digests = await self._digests(registro.tipo, quadro, stored)
        same = {one: digest for one, digest in digests.items() if (one, digest) in known}
        reused = await resultados.reuse(uow, registro.id, same, self._new_id, registro.created_at)
        await execucoes.count_reused(uow, registro.id, len(reused))
        return reused

    async def _digests(self, tipo: Tipo, quadro: Quadro, stored: Sequence[ProjetoGuardado]) -> dict[UUID, bytes]:
        versoes = self._versoes()
        return await asyncio.to_thread(lambda: {one.id: project_digest(tipo, quadro, one, versoes) for one in stored})

    async def _estimate(self, uow: UnitOfWork, guardado: EditalGuardado, tipo: Tipo) -> Estimativa:
        versoes = self._versoes()
        total, read, pages = await arquivos.count_lidos(uow, versoes.leitura, guardado.id, versoes.leitura_sem_ocr)
        last = await execucoes.find_last(uow, guardado.id)
        # What was foreseen holds until the edital, what was read of it or what was found in it is another.
        seen = (uow.scope.tenant_id, guardado.id, guardado.importacao, tipo, versoes, total, read, last)
        if seen not in self._previstos:
            while len(self._previstos) >= _FORESEEN_KEPT:
                del self._previstos[next(iter(self._previstos))]
            self._previstos[seen] = await self._foresee_all(uow, guardado, tipo, versoes)
        stored, changed, previsao = self._previstos[seen]
        return Estimativa(
            edital_id=guardado.edital.id,
            tipo=tipo,
            projetos=stored,
            projetos_inalterados=stored - changed,
            documentos=total,
            documentos_por_ler=total - read,
            paginas_lidas=pages,
            modelo=self._custeio.modelo,
            simulado=self._custeio.simulado,
            chamadas=previsao.chamadas,
            tokens_entrada=previsao.tokens_entrada,
            tokens_saida=previsao.tokens_saida,
            custo=previsao.custo,
            em_lote=self._custeio.lotes and previsao.chamadas > 0,
            custo_em_lote=previsao.custo * DE_LOTE if self._custeio.lotes and previsao.custo else None,
            sem_modelo=not self._custeio.modelo,
            gasto_no_mes=(await spent_since(uow, month_start(self._clock))).custo,
            limite_custo=await self._limit(uow) if self._custeio.modelo else self._custeio.limite,
        )

    async def _limit(self, uow: UnitOfWork) -> Decimal | None:
        """What the tenant's calls to models may cost in a month: by its own quota, or else as the installation has it."""
        return (await own_cotas(uow)).get("custo_mes", self._custeio.limite)

    async def _foresee_all(self, uow: UnitOfWork, guardado: EditalGuardado, tipo: Tipo, versoes: Versoes) -> tuple[int, int, Previsao]:
        """How many projects there are, how many have changed, and what these would take."""
        quadro = await load_quadro(uow, guardado.id)
        known = await resultados.known_digests(uow, guardado.id)
        stored = await projetos.load_all(uow, guardado.id)
        digests = await self._digests(tipo, quadro, stored)
        changed = [one for one in stored if (one.id, digests[one.id]) not in known]
        return len(stored), len(changed), await self._foresee(uow, tipo, quadro, changed, versoes)

    async def _foresee(self, uow: UnitOfWork, tipo: Tipo, quadro: Quadro, changed: Sequence[ProjetoGuardado], versoes: Versoes) -> Previsao:
        """The calls for some of the projects, spread over all of them, and as many more as there are others."""
        if not changed or not self._custeio.modelo or "avaliacao" not in fases_of(tipo):
            return no_calls(quadro, ())
        some = changed[:: -(-len(changed) // _ESTIMATED)]
        read = await arquivos.find_lidos(uow, versoes.leitura, {one.sha256 for of in some for one in of.documentos}, any_version=True)
        previsao = await asyncio.to_thread(self._custeio.estimar, quadro, [lido_of(one, read) for one in some])
        return previsao.times(len(changed) / len(some))

    def _graded_with(self, tipo: Tipo) -> str:
        """The model whose price was told, where it is asked for notas; without one, empty."""
        return self._custeio.modelo if "avaliacao" in fases_of(tipo) else ""

    async def _refuse_too_dear(self, uow: UnitOfWork, guardado: EditalGuardado, tipo: Tipo, *, em_lote: bool) -> None:
        """A price that nobody knows is refused by nothing here: the gateway counts what is spent as it is spent."""
        limite = await self._limit(uow)
        if limite is None or not self._custeio.modelo:
            return
        estimativa = await self._estimate(uow, guardado, tipo)
        custo = estimativa.custo_em_lote if em_lote else estimativa.custo
        if custo and estimativa.gasto_no_mes + custo > limite:
            raise LimiteDeCusto(
                f"A triagem custaria cerca de US$ {number(custo, 2)}, já se gastaram US$ {number(estimativa.gasto_no_mes, 2)} "
                f"neste mês, e o limite é US$ {number(limite, 2)}. Peça mais a quem cuida desta instalação, "
                "ou execute por partes com um tipo só."
            )

    async def _refuse_under_way(self, uow: UnitOfWork, guardado: EditalGuardado, advice: str) -> None:
        found = await execucoes.find_under_way(uow, guardado.id)
        if found is None:
            return
        registro = await self._settle(uow, found)
        if registro.status == "em_andamento":
            execucao = await self._view(uow, registro, guardado)
            raise TriagemEmAndamento(f"Este edital já está sendo triado. {advice}", execucao)

    async def _settle(self, uow: UnitOfWork, registro: Registro) -> Registro:
        """The same execução, ended as failed where none of its jobs is left: it would never end by itself, and neither would its lotes."""
        if registro.status != "em_andamento":
            await self._fila.defer(uow, await endings_lacking(uow, self._fila, registro))
            return registro
        if await self._fila.count(uow, _about(registro)):
            return registro
        locked = await execucoes.lock(uow, registro.id)  # its last job may have ended it, or given way to another, meanwhile
        if locked is None or locked.status != "em_andamento" or await self._fila.count(uow, _about(registro)):
            return locked or registro
        now = self._clock.now()
        await execucoes.finish(uow, registro.id, "erro", _LOST, now)
        await self._fila.defer(uow, await call_off(uow, registro, now))
        return await _reread(uow, registro)

    async def _view(self, uow: UnitOfWork, registro: Registro, guardado: EditalGuardado) -> Execucao:
        contagem = await resultados.count(uow, registro.id)
        gasto = await cost_of(uow, origem_of(registro.id))
        unanswered = await notas.count_unanswered(uow, registro.id)
        lote = await lotes_of(uow, registro.id) if registro.em_lote else None
        return andamento(registro, contagem, guardado.edital.ordem_fases, gasto, unanswered, self._clock.now(), lote)


async def _check_acolhida(uow: UnitOfWork, acolhida: Acolhida, before: EditalGuardado | None, chamada: Chamada) -> None:
    if before is None or before.importacao != acolhida.visto:
        raise EditalMudou("Alguém mudou este edital enquanto o arquivo era lido. Veja como ele ficou, e traga os projetos de novo.")
    coming = {projeto.id for projeto in chamada.projetos}
    leaving = [codigo for codigo in await projetos.ids_of(uow, before.id) if codigo not in coming]
    if leaving and not acolhida.retirar:
        some = ", ".join(leaving[:_NAMED]) + (" e outros" if len(leaving) > _NAMED else "")
        raise ProjetosSairiam(
            f"O arquivo não traz {count(len(leaving), 'projeto que está', 'projetos que estão')} no edital: {some}. "
            "Traga todos no mesmo arquivo; ou, se devem sair, marque isso no formulário."
        )


def _about(registro: Registro) -> dict[str, str]:
    return {"execucao": str(registro.id)}


def _refuse_to_resume(registro: Registro, guardado: EditalGuardado, sem_resposta: int) -> None:
    if registro.status == "concluida" and not sem_resposta:
        raise NadaARetomar(
            "A última triagem deste edital já terminou, e nada ficou sem resposta. Execute outra: o que não mudou não é feito de novo."
        )
    if registro.importacao != guardado.importacao:
        raise NadaARetomar("O edital foi importado de novo depois desta triagem. Execute outra: o que não mudou não é feito de novo.")


async def _reread(uow: UnitOfWork, registro: Registro) -> Registro:
    return await execucoes.find(uow, registro.id) or registro


async def _chamada(uow: UnitOfWork, guardado: EditalGuardado) -> Chamada:
    quadro = await load_quadro(uow, guardado.id)
    stored = tuple(one.projeto for one in await projetos.load_all(uow, guardado.id))
    people = await julgadores.avaliadores_of(uow, guardado.id)
    return Chamada(quadro.edital, quadro.requisitos, quadro.criterios, stored, people)
