"""The work of an execução: one job a project, and one that closes it over the whole edital.

A job may be begun again at any time, by any worker: what it finds done it leaves as it is. The last project to be concluded
puts the closing job in the queue, in the same transaction, so that this happens exactly once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final
from uuid import UUID

from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError
from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.jobs.tasks import Task
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achadores import Achadores
from crivo.triagem.achados import Tipo
from crivo.triagem.andamento import fases_of
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.erros import ProjetoNotFound
from crivo.triagem.fecho import Fecho
from crivo.triagem.leitora import Leitora, Vigia
from crivo.triagem.pelo_sentido import PeloSentido
from crivo.triagem.quadro import FECHO, PROJETO, Quadro, Quadros, Versoes, fila_of, jobs_of, origem_of, project_digest
from crivo.triagem.storage import arquivos, execucoes, projetos, resultados
from crivo.triagem.storage.execucoes import Registro
from crivo.triagem.storage.projetos import ProjetoGuardado, lido_of
from crivo.triagem.storage.resultados import Analise

# Projects: many more may wait for a model. The first are asked about while others are read, and files are not held in memory meanwhile.
_JUDGED_AT_ONCE: Final = 4
_PASSING: Final = "tempo_esgotado"  # a machine with less to do may read it


class Triador:
    """Does the jobs of execuções."""

    def __init__(
        self, database: Database, fila: Fila, clock: Clock, new_id: Callable[[], UUID], achadores: Achadores, versoes: Versoes
    ) -> None:
        self._database = database
        self._fila = fila
        self._clock = clock
        self._new_id = new_id
        self._achadores = achadores
        self._versoes = versoes
        self._quadros = Quadros()
        self._judging = asyncio.Semaphore(_JUDGED_AT_ONCE)
        self._vigia = Vigia(database)
        self._fecho = Fecho(database, clock, new_id, achadores, versoes, self._quadros)

    def tasks(self) -> tuple[Task, ...]:
        """What a worker has to know to do these jobs."""
        return (Task(PROJETO, self.analisar, self.desistir), Task(FECHO, self._fecho.fechar, self._fecho.desistir))

    async def analisar(self, scope: Scope, about: Mapping[str, str]) -> None:
        """Read one project's documents and judge it, by what the execução asks; nothing where that was done, or is no longer wanted."""
        execucao_id, projeto_id = UUID(about["execucao"]), UUID(about["projeto"])
        modelo = about.get("modelo", "")
        if modelo and modelo != self._versoes.nome_do_modelo:
            await self._park(scope, execucao_id, about, modelo)
            return
        async with self._judging:
            julgado = await self._judged(scope, execucao_id, projeto_id)
        if julgado is None:
            return
        registro, quadro, lido, analise = julgado
        if self._achadores.leitora is not None:
            asking = self._ask(self._achadores.leitora, scope, registro, projeto_id, quadro, lido, analise)
            asked = await self._vigia.while_wanted(scope, execucao_id, asking)
            if asked is None:
                return
            analise = asked
        async with self._database.unit_of_work(scope) as uow:
            await self._conclude(uow, registro, projeto_id, analise)

    async def _park(self, scope: Scope, execucao_id: UUID, about: Mapping[str, str], modelo: str) -> None:
        """Leave a project for a worker with the model that it is to be graded with, and say so: without it there would be no notas."""
        async with self._database.unit_of_work(scope) as uow:
            registro = await execucoes.find(uow, execucao_id)
            if registro is None or registro.status != "em_andamento":
                return
            await execucoes.note_waiting(uow, execucao_id, _waiting_for(modelo))
            await self._fila.defer(uow, [Job(PROJETO, about, fila=fila_of(modelo))])

    async def desistir(self, scope: Scope, about: Mapping[str, str], error: Exception | None) -> None:
        """Report a project as one that could not be screened; the others go on."""
        async with self._database.unit_of_work(scope) as uow:
            registro = await execucoes.find(uow, UUID(about["execucao"]))
            if registro is not None:
                await self._conclude(uow, registro, UUID(about["projeto"]), Analise(erro=_told(error)))

    async def ler(self, scope: Scope, registro: Registro, projeto_id: UUID) -> ProjetoLido:
        """One project with its documents as they read, which are kept. Raises ProjetoNotFound where it was erased."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await projetos.load_one(uow, projeto_id)
            if guardado.apagado:
                raise ProjetoNotFound("Este projeto foi apagado a pedido do titular.")
            kept = await self._kept(uow, {one.sha256 for one in guardado.documentos})
        return lido_of(guardado, kept | await self._read(scope, registro, guardado, set(kept)))

    async def _judged(self, scope: Scope, execucao_id: UUID, projeto_id: UUID) -> tuple[Registro, Quadro, ProjetoLido, Analise] | None:
        """What code makes of a project; None where there is nothing left to do for it."""
        async with self._database.unit_of_work(scope) as uow:
            registro = await execucoes.find(uow, execucao_id)
            if registro is None or registro.status != "em_andamento" or await resultados.is_concluded(uow, execucao_id, projeto_id):
                return None
            if registro.erro_mensagem:
                await execucoes.note_waiting(uow, execucao_id, None)
            quadro = await self._quadros.get(uow, registro)
            guardado = await projetos.load_one(uow, projeto_id)
            digest = project_digest(registro.tipo, quadro, guardado, self._versoes)
            same = await resultados.find_same(uow, projeto_id, guardado.projeto.id, digest)
            if same is not None:
                await self._conclude(uow, registro, projeto_id, same)
                return None
            kept = await self._kept(uow, {one.sha256 for one in guardado.documentos})
        lido = lido_of(guardado, kept | await self._read(scope, registro, guardado, set(kept)))
        analise = await asyncio.to_thread(self._judge, registro.tipo, quadro, lido, digest)
        if self._achadores.sentido is not None:
            analise = await self._by_meaning(self._achadores.sentido, scope, registro.tipo, quadro, lido, analise)
        return registro, quadro, lido, analise

    async def _kept(self, uow: UnitOfWork, digests: set[bytes]) -> dict[bytes, DocumentoLido]:
        """What was read before; since a machine came to read images, only what wanted that is read anew."""
        kept = await arquivos.find_lidos(uow, self._versoes.leitura, digests)
        before, lacking = self._versoes.leitura_sem_ocr, digests - set(kept)
        if before is None or not lacking:
            return kept
        return kept | await arquivos.adopt(uow, self._versoes.leitura, before, lacking, self._clock.now())

    async def _read(self, scope: Scope, registro: Registro, guardado: ProjetoGuardado, known: set[bytes]) -> dict[bytes, DocumentoLido]:
        """Read what was not read before, keeping each as soon as it is read."""
        read: dict[bytes, DocumentoLido] = {}
        for documento in guardado.documentos:
            if documento.sha256 in known or documento.sha256 in read:
                continue
            async with self._database.unit_of_work(scope) as uow:
                content = await arquivos.content(uow, documento.sha256)
            if content is None:  # erased since the project was taken up: what comes of it is not kept either
                continue
            read[documento.sha256] = lido = await self._achadores.ler(documento.arquivo, content)
            if lido.leitura != _PASSING:
                async with self._database.unit_of_work(scope) as uow:
                    await arquivos.keep_lido(uow, self._versoes.leitura, documento.sha256, lido, self._clock.now())
        if read:
            async with self._database.unit_of_work(scope) as uow:
                await resultados.mark_read(uow, registro.id, guardado.id, self._clock.now())
        return read

    def _judge(self, tipo: Tipo, quadro: Quadro, lido: ProjetoLido, digest: bytes) -> Analise:
        """What words and rules say; nothing that meaning says better, where it is told."""
        fases, by_words = fases_of(tipo), self._achadores.sentido is None
        whole = _is_whole(lido)
        return Analise(
            self._achadores.habilitar(quadro.edital, quadro.requisitos, lido) if "habilitacao" in fases else None,
            self._achadores.ler_assistido(quadro.criterios, lido) if by_words and "avaliacao" in fases else (),
            sinais=self._achadores.sinais(lido) if by_words and whole and "irregularidades" in fases else None,
            digest=digest if whole else None,
        )

    async def _by_meaning(
        self, sentido: PeloSentido, scope: Scope, tipo: Tipo, quadro: Quadro, lido: ProjetoLido, analise: Analise
    ) -> Analise:
        """The same, with what meaning says. No connection is held while texts are read for it."""
        fases = fases_of(tipo)
        if "avaliacao" in fases:
            analise = replace(analise, leitura=await sentido.ler_assistido(scope, quadro.criterios, lido))
        if _is_whole(lido) and "irregularidades" in fases:
            analise = replace(analise, sinais=await sentido.sinais(scope, lido))
        return analise

    async def _ask(
        self,
        leitora: Leitora,
        scope: Scope,
        registro: Registro,
        projeto_id: UUID,
        quadro: Quadro,
        lido: ProjetoLido,
        analise: Analise,
    ) -> Analise:
        """The same, with what a model reads and suggests; no connection is held while it is waited for.

        An answer that did not come may come the next time: nothing is then found again by its digest.
        """
        origem, whole = origem_of(registro.id), True
        habilitacao, sugeridas = analise.habilitacao, analise.notas
        if habilitacao is not None:
            revista = await leitora.revisar(scope, quadro, lido, habilitacao, origem)
            habilitacao, whole = revista.habilitacao, revista.inteira
        if "avaliacao" in fases_of(registro.tipo):
            if habilitacao is not None:
                async with self._database.unit_of_work(scope) as uow:
                    await resultados.note_habilitacao(uow, registro.id, projeto_id, habilitacao)
            sugeridas = await leitora.avaliar(scope, quadro, lido, origem)
        digest = analise.digest if whole and not any(nota.sem_resposta for nota in sugeridas) else None
        return replace(analise, habilitacao=habilitacao, notas=sugeridas, digest=digest, habilitacao_inteira=whole)

    async def _conclude(self, uow: UnitOfWork, registro: Registro, projeto_id: UUID, analise: Analise) -> None:
        concluded = await resultados.conclude(uow, registro.id, projeto_id, analise, self._new_id, self._clock.now())
        if concluded and await execucoes.count_one(uow, registro.id):
            await self._fila.defer(uow, jobs_of(registro.id, ()))


def _is_whole(lido: ProjetoLido) -> bool:
    """Whether all documents were read, or will not be read better another time."""
    return all(documento.leitura != _PASSING for documento in lido.documentos)


def _waiting_for(modelo: str) -> str:
    return (
        f"Este trabalhador não tem o modelo {modelo}, com que a triagem foi pedida: os projetos esperam por um que o tenha. "
        "Ligue um com o mesmo CRIVO_MODELO, ou cancele a triagem."
    )


def _told(error: Exception | None) -> str:
    if isinstance(error, CrivoError):
        return error.mensagem
    if error is None:
        return "A análise deste projeto foi interrompida vezes demais. Os outros seguiram; confira os arquivos dele e retome a triagem."
    return "Este projeto não pôde ser analisado por um defeito do crivo. Os outros seguiram; relate o defeito e retome a triagem."
