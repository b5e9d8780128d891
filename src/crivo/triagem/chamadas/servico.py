"""Use cases of whoever writes an edital: begin one, open it, foresee what a change would come to, and keep the change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import monotonic
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel.access import asks
from crivo.kernel.clock import Clock
from crivo.kernel.errors import Problem
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.chamadas.declarado import LONGEST_ASK_SECONDS, look
from crivo.triagem.chamadas.definicao import documento_of
from crivo.triagem.chamadas.efeito import Efeito, Medidor
from crivo.triagem.chamadas.mudancas import Alterada, changes_between, check_notas
from crivo.triagem.chamadas.publicada import Published, check_published, note_rules
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.edital import Chamada, Value
from crivo.triagem.erros import EditalEmTriagem, EditalJaExiste, EditalMudou, MudancaRecusada
from crivo.triagem.importacao.leitura import Acolhedor, Importacao
from crivo.triagem.importador import store_definicao
from crivo.triagem.quadro import Versoes, load_quadro
from crivo.triagem.storage import arquivos, avaliacoes, decisoes, editais, execucoes, julgadores, projetos, publicadas, registros
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.projetos import ProjetoGuardado, lido_of

LONGEST_LOOK_SECONDS: Final = 10.0
"""For how long projects are held against a change that somebody only wants to see; the rest are said not to be seen."""
_CHANGED: Final = "Ele foi salvo depois que você o abriu, por outra pessoa ou por você em outra aba. Abra-o de novo e refaça a mudança."
_AT_ONCE: Final = 25  # projects whose papers are held in memory together
_NOTED: Final = 100


class Aberta(Value, frozen=True):
    """What an edital asks for as it stands, `visto` by its number of import, and what people did in it already.

    `categorias` are those that its projects say, each with how many say it; `semente_publicada` is None where no result was published.
    """

    chamada: Chamada
    visto: int
    projetos: int
    categorias: Mapping[str, int]
    decididos: int
    notas: Mapping[str, int]
    em_triagem: bool
    semente_publicada: str | None = None


class Chamadas:
    """Editais that people write. Their projects come by import, and a screening judges by what is kept here."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        new_id: Callable[[], UUID],
        versoes: Callable[[], Versoes],
        published: Published = publicadas.semente_of,
    ) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._versoes = versoes
        self._published = published

    @asks("triagem.acompanhar")
    async def abrir(self, scope: Scope, edital_id: str) -> Aberta:
        """What an edital asks for, without its projects. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            categorias = await projetos.categorias_of(uow, guardado.id)
            return Aberta(
                await _definicao(uow, guardado),
                guardado.importacao,
                sum(categorias.values()),
                categorias,
                await decisoes.count_decisions(uow, guardado.id),
                await avaliacoes.count_by_criterio(uow, guardado.id),
                await execucoes.find_under_way(uow, guardado.id) is not None,
                await self._published(uow, guardado.id),
            )

    @asks("triagem.executar")
    async def acolher(self, scope: Scope, edital_id: str) -> tuple[Acolhedor, int]:
        """The edital as a file of projects alone is read for it, and its number of import. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            definicao = await _definicao(uow, guardado)
            people = await julgadores.avaliadores_of(uow, guardado.id)
        chamada = msgspec.structs.replace(definicao, avaliadores=people)
        return Acolhedor(documento_of(definicao), chamada), guardado.importacao

    @asks("triagem.executar")
    async def criar(self, scope: Scope, chamada: Chamada) -> None:
        """Begin an edital, to which nobody has brought a project yet. Raises EditalJaExiste."""
        async with self._database.unit_of_work(scope) as uow:
            if await editais.find(uow, chamada.edital.id, lock=True) is not None:
                raise EditalJaExiste("Escolha outro código: o edital que já tem este fica como está.")
            now = self._clock.now()
            guardado = await store_definicao(uow, chamada, self._new_id, now)
            if guardado.importacao != 1:  # somebody else's, at this very moment: what was written is taken back
                raise EditalJaExiste("Escolha outro código: o edital que já tem este fica como está.")
            dados = {"requisitos": len(chamada.requisitos), "criterios": len(chamada.criterios)}
            await registros.note(uow, self._new_id(), now, "edital.criado", chamada.edital.id, "edital", str(guardado.id), dados)

    @asks("triagem.executar")
    async def salvar(self, scope: Scope, edital_id: str, chamada: Chamada, visto: int, motivo: str = "") -> tuple[Alterada, ...]:
        """Keep another wording of the edital that was `visto`; what changed. Projects, decisions and notas stay, and nothing is judged
        anew before the next execução. Where nothing is said otherwise, nothing is kept. `motivo` says why rules for places are others.

        Raises EditalNotFound, EditalMudou, EditalEmTriagem; MudancaRecusada where notas of people would be lost; SementePublicada and
        MudancaSemMotivo where a result was published.
        """
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id, lock=True)
            antes = await _definicao(uow, guardado)
            mudancas = changes_between(antes, chamada)
            if guardado.importacao != visto:
                raise EditalMudou(_CHANGED)
            if not mudancas:
                return ()
            if chamada.edital.id != antes.edital.id:
                raise MudancaRecusada("O código de um edital não muda: é por ele que projetos e triagens o encontram.")
            if await execucoes.find_under_way(uow, guardado.id) is not None:
                raise EditalEmTriagem("Espere a triagem terminar, ou cancele-a, para mudar o edital.")
            problems = check_notas(antes.criterios, chamada.criterios, await avaliacoes.count_by_criterio(uow, guardado.id))
            if problems:
                raise MudancaRecusada("A mudança apagaria o que pessoas já fizeram.", problems)
            check_published(antes.edital, chamada.edital, await self._published(uow, guardado.id), motivo)
            now = self._clock.now()
            saved = await store_definicao(uow, chamada, self._new_id, now)
            dados = {
                "importacao": saved.importacao,
                "mudancas": [":".join(filter(None, (one.parte, one.id, one.que))) for one in mudancas[:_NOTED]],
            }
            await registros.note(uow, self._new_id(), now, "edital.alterado", edital_id, "edital", str(saved.id), dados)
            await note_rules(uow, self._new_id(), now, saved, antes.edital, motivo)
        return mudancas

    @asks("triagem.acompanhar")
    async def efeito(
        self, scope: Scope, edital_id: str, chamada: Chamada, tick: Callable[[], float] = monotonic, seconds: float = LONGEST_LOOK_SECONDS
    ) -> Efeito:
        """What another wording would come to over the projects as they were read; after so many `seconds` the others stay unseen.

        Nothing is kept, and no paper is read for it. Raises EditalNotFound.
        """
        began = tick()
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            medidor = Medidor(await _definicao(uow, guardado), chamada)
            ids = list((await projetos.ids_of(uow, guardado.id)).values())
            for start in range(0, len(ids), _AT_ONCE):
                if tick() - began > seconds:
                    break
                some = await projetos.load_some(uow, ids[start : start + _AT_ONCE])
                digests = {one.sha256 for guardado in some for one in guardado.documentos}
                lidos = await arquivos.find_lidos(uow, self._versoes().leitura, digests, any_version=True)
                await asyncio.to_thread(_measure, medidor, [one for one in some if not one.apagado], lidos)
            categorias = await projetos.categorias_of(uow, guardado.id)
        return medidor.efeito(len(ids), categorias)

    @asks("triagem.acompanhar")
    async def conferir(
        self,
        scope: Scope,
        edital_id: str,
        chamada: Chamada,
        tick: Callable[[], float] = monotonic,
        seconds: float = LONGEST_ASK_SECONDS,
    ) -> tuple[Problem, ...]:
        """What of a wording no project has, and what projects have that it lacks, by the path of an import. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            return await look(uow, guardado.id, chamada, tick, seconds)

    @asks("triagem.executar")
    async def conferir_importada(self, scope: Scope, lida: Importacao) -> Importacao:
        """The same import, which came in, with what deserves a look over the projects that it said nothing of and that stayed."""
        if not lida.so_definicao:
            return lida
        return replace(lida, avisos=(*lida.avisos, *await self.conferir(scope, lida.chamada.edital.id, lida.chamada)))


async def _definicao(uow: UnitOfWork, guardado: EditalGuardado) -> Chamada:
    quadro = await load_quadro(uow, guardado.id)
    return Chamada(quadro.edital, quadro.requisitos, quadro.criterios)


def _measure(medidor: Medidor, some: list[ProjetoGuardado], lidos: Mapping[bytes, DocumentoLido]) -> None:
    for one in some:
        lido = lido_of(one, lidos)
        unread = [
            DocumentoLido(file.arquivo, file.sha256.hex(), file.tamanho_bytes, None, "tempo_esgotado", requisito=file.requisito)
            for file in one.documentos
            if file.sha256 not in lidos
        ]
        medidor.add(ProjetoLido(lido.projeto, (*lido.documentos, *unread)), por_ler=bool(unread))
