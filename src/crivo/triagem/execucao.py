"""The work of an execução: one job a project, and one that closes it over the whole edital.

A job may be begun again at any time, by any worker: what it finds done it leaves as it is. The last project to be concluded
puts the closing job in the queue, in the same transaction, so that this happens exactly once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol
from uuid import UUID

import msgspec

from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.jobs.tasks import Task
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Habilitacao, Irregularidade, LeituraAssistida, Tipo
from crivo.triagem.andamento import fases_of
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.edital import Chamada, Criterio, Edital, Requisito
from crivo.triagem.quadro import FECHO, PROJETO, Quadro, Versoes, digest_of, jobs_of, load_quadro, project_digest
from crivo.triagem.storage import arquivos, avaliacoes, editais, execucoes, projetos, registros, resultados
from crivo.triagem.storage.execucoes import Registro
from crivo.triagem.storage.projetos import ProjetoGuardado
from crivo.triagem.storage.resultados import Analise

_EDITAIS_KEPT: Final = 16
_PASSING: Final = "tempo_esgotado"  # a machine with less to do may read it


class Achadas(Protocol):
    """What was found over a whole edital, and the project that each is most like, with the cosine."""

    @property
    def irregularidades(self) -> tuple[Irregularidade, ...]: ...  # noqa: D102 - the class says it

    @property
    def mais_parecido(self) -> Mapping[str, tuple[str, float]]: ...  # noqa: D102 - the class says it


@dataclass(frozen=True, slots=True)
class Passado:
    """A project of an edital that came in before."""

    edital_id: str
    lido: ProjetoLido


Ler = Callable[[str, bytes], Awaitable[DocumentoLido]]
Procurar = Callable[[Scope, Chamada, Sequence[ProjetoLido], Sequence[Passado]], Awaitable[Achadas]]


@dataclass(frozen=True, slots=True)
class Achadores:
    """What screening is made of. `habilitar` and `ler_assistido` are pure, and run in a thread; reading has processes of its own."""

    ler: Ler
    habilitar: Callable[[Edital, Sequence[Requisito], ProjetoLido], Habilitacao]
    ler_assistido: Callable[[Sequence[Criterio], ProjetoLido], tuple[LeituraAssistida, ...]]
    irregularidades: Procurar


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
        self._quadros: dict[tuple[str, UUID, int], Quadro] = {}

    def tasks(self) -> tuple[Task, ...]:
        """What a worker has to know to do these jobs."""
        return (Task(PROJETO, self.analisar, self.desistir), Task(FECHO, self.fechar, self.desistir_do_fecho))

    async def analisar(self, scope: Scope, about: Mapping[str, str]) -> None:
        """Read one project's documents and judge it, by what the execução asks; nothing where that was done, or is no longer wanted."""
        execucao_id, projeto_id = UUID(about["execucao"]), UUID(about["projeto"])
        async with self._database.unit_of_work(scope) as uow:
            registro = await execucoes.find(uow, execucao_id)
            if registro is None or registro.status != "em_andamento" or await resultados.is_concluded(uow, execucao_id, projeto_id):
                return
            quadro = await self._quadro(uow, registro)
            guardado = await projetos.load_one(uow, projeto_id)
            digest = project_digest(registro.tipo, quadro, guardado, self._versoes)
            same = await resultados.find_same(uow, projeto_id, guardado.projeto.id, digest)
            if same is not None:
                await self._conclude(uow, registro, projeto_id, same)
                return
            kept = await arquivos.find_lidos(uow, self._versoes.leitura, {one.sha256 for one in guardado.documentos})
        lido = _lido(guardado, kept | await self._read(scope, registro, guardado, set(kept)))
        analise = await asyncio.to_thread(self._judge, registro.tipo, quadro, lido, digest)
        async with self._database.unit_of_work(scope) as uow:
            await self._conclude(uow, registro, projeto_id, analise)

    async def desistir(self, scope: Scope, about: Mapping[str, str], error: Exception | None) -> None:
        """Report a project as one that could not be screened; the others go on."""
        async with self._database.unit_of_work(scope) as uow:
            registro = await execucoes.find(uow, UUID(about["execucao"]))
            if registro is not None:
                await self._conclude(uow, registro, UUID(about["projeto"]), Analise(erro=_told(error)))

    async def fechar(self, scope: Scope, about: Mapping[str, str]) -> None:
        """Look for irregularidades over the whole edital where the execução asks for them, and end it."""
        execucao_id = UUID(about["execucao"])
        async with self._database.unit_of_work(scope) as uow:
            registro = await execucoes.find(uow, execucao_id)
            if registro is None or registro.status != "em_andamento":
                return
            if "irregularidades" not in fases_of(registro.tipo):
                await self._finish(uow, registro)
                return
            chamada, lidos, passados, digest = await self._whole(uow, registro)
            same = await execucoes.find_same_irregularidades(uow, registro.edital_id, digest)
            if same is not None:
                found = await execucoes.irregularidades_of(uow, same)
                alike: Mapping[str, tuple[str, float]] = await resultados.most_alike(uow, same)
        if same is None:
            achadas = await self._achadores.irregularidades(scope, chamada, lidos, passados)
            found, alike = achadas.irregularidades, achadas.mais_parecido
        async with self._database.unit_of_work(scope) as uow:
            locked = await execucoes.lock(uow, execucao_id)
            if locked is None or locked.status != "em_andamento":
                return
            await execucoes.replace_irregularidades(uow, execucao_id, found, digest, reaproveitadas=same is not None)
            await resultados.add_flags(uow, execucao_id, await projetos.ids_of(uow, registro.edital_id), found, alike)
            await self._finish(uow, locked)

    async def desistir_do_fecho(self, scope: Scope, about: Mapping[str, str], error: Exception | None) -> None:
        """End an execução as failed; what was found of its projects is kept."""
        async with self._database.unit_of_work(scope) as uow:
            registro = await execucoes.lock(uow, UUID(about["execucao"]))
            if registro is None or registro.status != "em_andamento":
                return
            now = self._clock.now()
            await execucoes.finish(uow, registro.id, "erro", _told_of_the_end(error), now)
            await registros.note(uow, self._new_id(), now, "triagem.falhou", "triagem_ia_execucao", str(registro.id))

    async def _quadro(self, uow: UnitOfWork, registro: Registro) -> Quadro:
        key = (uow.scope.tenant_id, registro.edital_id, registro.importacao)
        if key not in self._quadros:
            while len(self._quadros) >= _EDITAIS_KEPT:
                del self._quadros[next(iter(self._quadros))]
            self._quadros[key] = await load_quadro(uow, registro.edital_id)
        return self._quadros[key]

    async def _read(self, scope: Scope, registro: Registro, guardado: ProjetoGuardado, known: set[bytes]) -> dict[bytes, DocumentoLido]:
        """Read what was not read before, keeping each as soon as it is read."""
        read: dict[bytes, DocumentoLido] = {}
        for documento in guardado.documentos:
            if documento.sha256 in known or documento.sha256 in read:
                continue
            async with self._database.unit_of_work(scope) as uow:
                content = await arquivos.content(uow, documento.sha256)
            read[documento.sha256] = lido = await self._achadores.ler(documento.arquivo, content)
            if lido.leitura != _PASSING:
                async with self._database.unit_of_work(scope) as uow:
                    await arquivos.keep_lido(uow, self._versoes.leitura, documento.sha256, lido, self._clock.now())
        if read:
            async with self._database.unit_of_work(scope) as uow:
                await resultados.mark_read(uow, registro.id, guardado.id, self._clock.now())
        return read

    def _judge(self, tipo: Tipo, quadro: Quadro, lido: ProjetoLido, digest: bytes) -> Analise:
        fases = fases_of(tipo)
        whole = all(documento.leitura != _PASSING for documento in lido.documentos)
        return Analise(
            self._achadores.habilitar(quadro.edital, quadro.requisitos, lido) if "habilitacao" in fases else None,
            self._achadores.ler_assistido(quadro.criterios, lido) if "avaliacao" in fases else (),
            digest=digest if whole else None,
        )

    async def _conclude(self, uow: UnitOfWork, registro: Registro, projeto_id: UUID, analise: Analise) -> None:
        concluded = await resultados.conclude(uow, registro.id, projeto_id, analise, self._clock.now())
        if concluded and await execucoes.count_one(uow, registro.id):
            await self._fila.defer(uow, jobs_of(registro.id, ()))

    async def _whole(self, uow: UnitOfWork, registro: Registro) -> tuple[Chamada, list[ProjetoLido], list[Passado], bytes]:
        quadro = await self._quadro(uow, registro)
        guardados = await projetos.load_all(uow, registro.edital_id)
        people = await avaliacoes.avaliadores_of(uow, registro.edital_id)
        chamada = Chamada(quadro.edital, quadro.requisitos, quadro.criterios, tuple(one.projeto for one in guardados), people)
        kept = await self._read_by_anyone(uow, guardados)
        passados = []
        for edital_id, codigo in await editais.list_before(uow, registro.edital_id):
            theirs = await projetos.load_all(uow, edital_id)
            read = await self._read_by_anyone(uow, theirs)
            passados += [Passado(codigo, _lido(one, read)) for one in theirs]
        contents = [(of.projeto.id, one.arquivo, one.sha256, one.sha256 in kept) for of in guardados for one in of.documentos]
        before = [(one.edital_id, one.lido.projeto, [(of.arquivo, of.sha256) for of in one.lido.documentos]) for one in passados]
        digest = digest_of((self._versoes.leitura, self._versoes.regras, chamada, contents, before))
        return chamada, [_lido(one, kept) for one in guardados], passados, digest

    async def _read_by_anyone(self, uow: UnitOfWork, guardados: Sequence[ProjetoGuardado]) -> dict[bytes, DocumentoLido]:
        """What was read in the files of projects, by this worker's reader or, where another had the project, by that one's."""
        return await arquivos.find_lidos(
            uow, self._versoes.leitura, {one.sha256 for of in guardados for one in of.documentos}, any_version=True
        )

    async def _finish(self, uow: UnitOfWork, registro: Registro) -> None:
        now = self._clock.now()
        contagem = await resultados.count(uow, registro.id)
        await execucoes.finish(uow, registro.id, "concluida", None, now)
        dados = {"projetos": contagem.analisados, "com_erro": contagem.com_erro, "reaproveitados": contagem.reaproveitados}
        await registros.note(uow, self._new_id(), now, "triagem.concluida", "triagem_ia_execucao", str(registro.id), dados)


def _lido(guardado: ProjetoGuardado, lidos: Mapping[bytes, DocumentoLido]) -> ProjetoLido:
    """The project with its documents, each under the name and for the requisito of this project; those that nobody read are left out."""
    documentos = tuple(
        msgspec.structs.replace(lidos[one.sha256], arquivo=one.arquivo, requisito=one.requisito)
        for one in guardado.documentos
        if one.sha256 in lidos
    )
    return ProjetoLido(guardado.projeto, documentos)


def _told(error: Exception | None) -> str:
    if isinstance(error, CrivoError):
        return error.mensagem
    if error is None:
        return "A análise deste projeto foi interrompida vezes demais. Os outros seguiram; confira os arquivos dele e retome a triagem."
    return "Este projeto não pôde ser analisado por um defeito do crivo. Os outros seguiram; relate o defeito e retome a triagem."


def _told_of_the_end(error: Exception | None) -> str:
    if isinstance(error, CrivoError):
        return error.mensagem
    return "A busca de irregularidades não terminou. O que se achou de cada projeto está guardado; retome a triagem."
