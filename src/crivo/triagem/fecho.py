"""The job that closes an execução: what is looked for over the whole edital, and the end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from msgspec.structs import replace

from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achadores import Achadores, Passado
from crivo.triagem.achados import Irregularidade
from crivo.triagem.andamento import fases_of
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.edital import Chamada
from crivo.triagem.irregularidades.proprias import in_order
from crivo.triagem.quadro import Quadros, Versoes, digest_of, origem_of, without_places
from crivo.triagem.storage import arquivos, caso_renovacao, editais, execucoes, julgadores, notas, projetos, registros, resultados, sinais
from crivo.triagem.storage.execucoes import Registro
from crivo.triagem.storage.projetos import ProjetoGuardado, lido_of

Sinais = Mapping[str, Sequence[Irregularidade]]


@dataclass(frozen=True, slots=True)
class _Conjunto:
    """All that is looked over: the call, its projects, those of each edital that came in before, and the digest of it all."""

    chamada: Chamada
    guardados: tuple[ProjetoGuardado, ...]
    passados: tuple[tuple[str, tuple[ProjetoGuardado, ...]], ...]
    digest: bytes


class Fecho:
    """Closes execuções."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        new_id: Callable[[], UUID],
        achadores: Achadores,
        versoes: Versoes,
        quadros: Quadros,
    ) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._achadores = achadores
        self._versoes = versoes
        self._quadros = quadros

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
            conjunto = await self._gather(uow, registro)
            same = await execucoes.find_same_irregularidades(uow, registro.edital_id, conjunto.digest)
            if same is not None:
                await self._repeat(uow, execucao_id, same, conjunto.digest)
                return
            lidos, passados = await self._load(uow, conjunto)
            alone = await resultados.sinais_of(uow, execucao_id)
        achadas = await self._achadores.irregularidades(scope, conjunto.chamada, lidos, passados, origem_of(execucao_id))
        found = (*achadas.irregularidades, *await asyncio.to_thread(self._own, lidos, alone))
        async with self._database.unit_of_work(scope) as uow:
            locked = await _lock(uow, execucao_id)
            if locked is not None:
                again = None if achadas.observacao else conjunto.digest
                await sinais.replace(uow, execucao_id, found, again)
                ids = {one.projeto.id: one.id for one in conjunto.guardados}
                await resultados.add_flags(uow, execucao_id, ids, found, achadas.mais_parecido)
                await caso_renovacao.renew(uow, locked.edital_id, execucao_id, self._new_id, self._clock.now())
                await self._finish(uow, locked, achadas.observacao or None)

    async def desistir(self, scope: Scope, about: Mapping[str, str], error: Exception | None) -> None:
        """End an execução as failed; what was found of its projects is kept."""
        async with self._database.unit_of_work(scope) as uow:
            registro = await _lock(uow, UUID(about["execucao"]))
            if registro is None:
                return
            now = self._clock.now()
            await execucoes.finish(uow, registro.id, "erro", _told_of_the_end(error), now)
            edital = (await editais.get(uow, registro.edital_id)).edital.id
            await registros.note(uow, self._new_id(), now, "triagem.falhou", edital, "triagem_ia_execucao", str(registro.id))

    async def _repeat(self, uow: UnitOfWork, execucao_id: UUID, same: UUID, digest: bytes) -> None:
        """End it with what an earlier one found in the same."""
        locked = await _lock(uow, execucao_id)
        if locked is not None:
            await sinais.copy(uow, execucao_id, same, digest)
            await resultados.copy_flags(uow, execucao_id, same)
            await caso_renovacao.renew(uow, locked.edital_id, execucao_id, self._new_id, self._clock.now())
            await self._finish(uow, locked)

    def _own(self, lidos: Sequence[ProjetoLido], alone: Sinais) -> tuple[Irregularidade, ...]:
        """The signs in one project alone; those of a project whose job did not come so far are looked for here."""
        known = ((lido, alone.get(lido.projeto.id)) for lido in lidos)
        return in_order(self._achadores.sinais(lido) if found is None else found for lido, found in known)

    async def _gather(self, uow: UnitOfWork, registro: Registro) -> _Conjunto:
        quadro = await self._quadros.get(uow, registro)
        guardados = await projetos.load_all(uow, registro.edital_id)
        people = await julgadores.avaliadores_of(uow, registro.edital_id)
        before = await editais.list_before(uow, registro.edital_id)
        passados = tuple([(codigo, await projetos.load_all(uow, edital_id)) for edital_id, codigo in before])
        chamada = Chamada(quadro.edital, quadro.requisitos, quadro.criterios, tuple(one.projeto for one in guardados), people)
        everyone = [guardados, *(theirs for _, theirs in passados)]
        read = await arquivos.find_read(uow, {digest for some in everyone for digest in _digests_of(some)})
        contents = [[_contents_of(one, read) for one in some] for some in everyone]
        theirs = [(codigo, one.projeto) for codigo, some in passados for one in some]
        screened = replace(chamada, edital=without_places(chamada.edital))
        digest = digest_of((self._versoes.leitura, self._versoes.regras, screened, theirs, contents))
        return _Conjunto(chamada, guardados, passados, digest)

    async def _load(self, uow: UnitOfWork, conjunto: _Conjunto) -> tuple[list[ProjetoLido], list[Passado]]:
        """The projects as read, by this worker's reader or, where another had the project, by that one's; and those of past editais."""
        kept = await self._read_by_anyone(uow, conjunto.guardados)
        passados = []
        for codigo, theirs in conjunto.passados:
            read = await self._read_by_anyone(uow, theirs)
            passados += [Passado(codigo, lido_of(one, read)) for one in theirs]
        return [lido_of(one, kept) for one in conjunto.guardados], passados

    async def _read_by_anyone(self, uow: UnitOfWork, guardados: Sequence[ProjetoGuardado]) -> dict[bytes, DocumentoLido]:
        return await arquivos.find_lidos(uow, self._versoes.leitura, _digests_of(guardados), any_version=True)

    async def _finish(self, uow: UnitOfWork, registro: Registro, observacao: str | None = None) -> None:
        now = self._clock.now()
        contagem = await resultados.count(uow, registro.id)
        await execucoes.finish(uow, registro.id, "concluida", observacao, now)
        dados = {
            "projetos": contagem.analisados,
            "com_erro": contagem.com_erro,
            "reaproveitados": contagem.reaproveitados,
            "notas_sem_resposta": await notas.count_unanswered(uow, registro.id),
        }
        edital = (await editais.get(uow, registro.edital_id)).edital.id
        await registros.note(uow, self._new_id(), now, "triagem.concluida", edital, "triagem_ia_execucao", str(registro.id), dados)


async def _lock(uow: UnitOfWork, execucao_id: UUID) -> Registro | None:
    """The execução where it is still under way, held until the unit of work ends."""
    locked = await execucoes.lock(uow, execucao_id)
    return locked if locked is not None and locked.status == "em_andamento" else None


def _digests_of(guardados: Sequence[ProjetoGuardado]) -> set[bytes]:
    return {documento.sha256 for one in guardados for documento in one.documentos}


def _contents_of(guardado: ProjetoGuardado, read: set[bytes]) -> list[tuple[str, bytes, bool]]:
    """The files of a project by their content, and whether anybody could read them."""
    return [(one.arquivo, one.sha256, one.sha256 in read) for one in guardado.documentos]


def _told_of_the_end(error: Exception | None) -> str:
    if isinstance(error, CrivoError):
        return error.mensagem
    return "A busca de irregularidades não terminou. O que se achou de cada projeto está guardado; retome a triagem."
