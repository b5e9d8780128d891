"""A finished screening as people look at it: its figures, and one page of one of its lists. Nothing else of the call is read.

Source: triagem seed, "Página principal".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, assert_never
from uuid import UUID

from crivo.kernel.access import asks, list_usuarios
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Evidencia, ProjetoTriado
from crivo.triagem.casos.guardados import CasoResumido, ListaCasos, PedidoCasos, by_project, named_in
from crivo.triagem.categorias import foreign
from crivo.triagem.concordancia import Concordancia, measure_concordancia
from crivo.triagem.documentos.tesseract import find_tesseract
from crivo.triagem.edital import Criterio, Edital
from crivo.triagem.guardados import Avaliacao, Cabecalho, DecisaoHabilitacao, Incumbencia, Panorama, Por
from crivo.triagem.imagens import ImagensNaoLidas, unread_images
from crivo.triagem.impedidos import Impedido
from crivo.triagem.procura import words_of
from crivo.triagem.storage import (
    arquivos,
    avaliacoes,
    caso_renovacao,
    casos,
    decisoes,
    diligencias,
    editais,
    execucoes,
    julgadores,
    linhas,
    projetos,
    resultados,
)
from crivo.triagem.storage.linhas import Corte, Lugar, Recorte
from crivo.triagem.storage.panorama import panorama_of
from crivo.triagem.storage.procura import ensure_folded
from crivo.triagem.storage.ranking import Ranking, names_of, notas_of, ranking_of, seen_of
from crivo.triagem.storage.triados import Alvo

_ACORDOS_KEPT: Final = 16
MOST_PROJECTS: Final = 50_000  # of an edital
Aba = Literal["habilitacao", "avaliacao", "irregularidades"]


@dataclass(frozen=True, slots=True)
class Pedida:
    """What is asked for: a list, and of it words, filters (of cases also a kind of sign), an order, and a page of so many lines, from 1."""

    aba: Aba = "habilitacao"
    q: str = ""
    filtro: str = ""
    ordem: str = ""
    pagina: int = 1
    tamanho: int = 25
    decisao: str = ""
    tipo: str = ""

    @property
    def recorte(self) -> Recorte:
        """The same with its words folded."""
        return Recorte(words_of(self.q), self.filtro, self.ordem, self.pagina, self.tamanho, self.decisao)


@dataclass(frozen=True, slots=True)
class ListaHabilitacao:
    """Projects of which habilitação says something, with people's decisions on them, and who those people are.

    `desfeitas`: what was decided of those that have no decision now.
    """

    total: int
    pagina: int
    triados: tuple[ProjetoTriado, ...]
    decisoes: Mapping[str, DecisaoHabilitacao]
    nomes: Mapping[UUID, str]
    desfeitas: Mapping[str, tuple[DecisaoHabilitacao, ...]]


@dataclass(frozen=True, slots=True)
class ListaAvaliacao:
    """Projects of which avaliação says something, the places of those with a whole mean, who judges them, and the notas that were sent."""

    total: int
    pagina: int
    triados: tuple[ProjetoTriado, ...]
    posicoes: Mapping[str, int]
    notas: tuple[Avaliacao, ...]
    incumbencias: tuple[Incumbencia, ...]


CasosDosProjetos = Mapping[str, tuple[CasoResumido, ...]]  # by code
Lista = ListaHabilitacao | ListaAvaliacao | ListaCasos


@dataclass(frozen=True, slots=True)
class Achada:
    """What the last finished screening found: the figures, a page of a list, all the projects in force that this page names, the cases of
    each of these, and how many cases there are of each situação. `desatualizada`: the edital came in or was changed since.
    """

    criterios: tuple[Criterio, ...]
    panorama: Panorama
    lista: Lista
    cabecalhos: Mapping[str, Cabecalho]
    casos: CasosDosProjetos
    situacoes: Mapping[str, int]
    desatualizada: bool


@dataclass(frozen=True, slots=True)
class Vista:
    """An edital, how many projects are in it, and what was found; None where no screening was ever finished.

    `fora`: the categorias that projects say and the edital lacks, each with how many say it, by name. `diligencias`: how many stand how.
    """

    edital: Edital
    projetos: int
    fora: Mapping[str, int]
    diligencias: Mapping[str, int]
    achada: Achada | None


@dataclass(frozen=True, slots=True)
class Classificacao:
    """A page of the ranking, with the projects and decisions on it; `nomes` of who judges by id, and the agreement of all."""

    edital: Edital
    criterios: tuple[Criterio, ...]
    ranking: Ranking
    cabecalhos: Mapping[str, Cabecalho]
    decisoes: Mapping[str, DecisaoHabilitacao]
    nomes: Mapping[str, str]
    acordo: Concordancia
    casos: CasosDosProjetos


class Painel:
    """Finished screenings of a tenant, a page at a time, for those who manage."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._acordos: dict[object, Concordancia] = {}

    @asks("triagem.acompanhar")
    async def impedidos(self, scope: Scope, edital_id: str) -> tuple[Impedido, ...]:
        """Those who are to judge an edital and cannot, as things stand. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            return await julgadores.impedidos_of(uow, (await editais.get_by_codigo(uow, edital_id)).id)

    @asks("triagem.acompanhar")
    async def imagens(self, scope: Scope, edital_id: str) -> ImagensNaoLidas | None:
        """The documents of an edital that are images and were not read, and what mends it. Raises EditalNotFound."""
        reads = find_tesseract() is not None
        async with self._database.unit_of_work(scope) as uow:
            edital = await editais.get_by_codigo(uow, edital_id)
            return unread_images(await arquivos.count_unread_images(uow, edital.id, by_look=not reads))

    @asks("triagem.acompanhar")
    async def abrir(self, scope: Scope, edital_id: str, pedida: Pedida) -> Vista:
        """An edital as it is looked at. Raises EditalNotFound.

        Habilitação is filtered by a suggestion or `erro`, by whether a person decided, and ordered by `projeto`, `situacao` or
        `confianca`; avaliação is ordered by `projeto`, `nota` or `inscricao`, or else by the suggested mean, the highest first; of
        irregularidades the cases are listed, filtered by their situação or `SUMIDO` and by a kind of sign.
        """
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            ditas = await projetos.categorias_of(uow, guardado.id)
            total, fora = sum(ditas.values()), {one: ditas[one] for one in sorted(foreign(ditas, guardado.edital.categorias))}
            asked = await diligencias.count(uow, guardado.id, self._clock.now())
            last = await execucoes.find_last_finished(uow, guardado.id)
            if last is None:
                return Vista(guardado.edital, total, fora, asked, None)
            await ensure_folded(uow, guardado)
            await caso_renovacao.ensure(uow, guardado.id, self._new_id, self._clock.now())
            criterios = tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)])
            alvo = Alvo(guardado.id, last.id, criterios)
            lista = await _list(uow, alvo, last.id, pedida)
            named = await projetos.cabecalhos_of(uow, guardado.id, _named(lista))
            theirs = by_project(await casos.of_projects(uow, guardado.id, list(named)))
            situacoes = await casos.count_of(uow, guardado.id)
            stale = last.importacao != guardado.importacao
            found = Achada(criterios, await panorama_of(uow, alvo), lista, named, theirs, situacoes, stale)
            return Vista(guardado.edital, total, fora, asked, found)

    @asks("triagem.acompanhar")
    async def codigos(self, scope: Scope, edital_id: str, pedida: Pedida) -> tuple[str, ...]:
        """The codes of all projects of habilitação that answer a search and a filter, whatever the page. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            last = await execucoes.find_last_finished(uow, guardado.id)
            if last is None:
                return ()
            await ensure_folded(uow, guardado)
            alvo = Alvo(guardado.id, last.id, ())
            found = await linhas.judged(uow, alvo, replace(pedida, pagina=1, tamanho=MOST_PROJECTS).recorte)
            return tuple([one.codigo for one in found.linhas])

    @asks("triagem.acompanhar")
    async def cabecalhos(self, scope: Scope, edital_id: str, codigos: Sequence[str]) -> tuple[Edital, Mapping[str, Cabecalho]]:
        """An edital, and how lists name some of its projects, those that are in force. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            return guardado.edital, await projetos.cabecalhos_of(uow, guardado.id, codigos)

    @asks("triagem.acompanhar")
    async def classificar(
        self, scope: Scope, edital_id: str, por: Por | None, pagina: int, tamanho: int, *, q: str = "", ordem: str = ""
    ) -> Classificacao:
        """A page of the projects in the order of their notas, and how far people and suggestions agree. Raises EditalNotFound.

        `q` keeps those whose names say all of its words, each in the place that it has among all.
        """
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            last = await execucoes.find_last_finished(uow, guardado.id)
            criterios = tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)])
            alvo = Alvo(guardado.id, last.id if last else None, criterios)
            ranking = await ranking_of(uow, alvo, por, pagina, tamanho, palavras=words_of(q), ordem=ordem)
            named = await projetos.cabecalhos_of(uow, guardado.id, [one.codigo for one in ranking.postos])
            decided = await decisoes.decisions_of(uow, guardado.id, [one.projeto_id for one in ranking.postos])
            nomes = await names_of(uow, alvo)
            # It is of the whole call, and the same until an import, a screening or a nota that counts is another.
            seen = (scope.tenant_id, guardado.id, guardado.importacao, last, await seen_of(uow, alvo))
            if seen not in self._acordos:
                while len(self._acordos) >= _ACORDOS_KEPT:
                    del self._acordos[next(iter(self._acordos))]
                humanas, sugeridas = await notas_of(uow, alvo)
                self._acordos[seen] = await asyncio.to_thread(measure_concordancia, criterios, humanas, sugeridas)
            await caso_renovacao.ensure(uow, guardado.id, self._new_id, self._clock.now())
            theirs = by_project(await casos.of_projects(uow, guardado.id, [one.codigo for one in ranking.postos]))
            return Classificacao(guardado.edital, criterios, ranking, named, decided, nomes, self._acordos[seen], theirs)


async def _list(uow: UnitOfWork, alvo: Alvo, execucao_id: UUID, pedida: Pedida) -> Lista:
    match pedida.aba:
        case "habilitacao":
            judged = await linhas.judged(uow, alvo, pedida.recorte)
            decided = await decisoes.decisions_of(uow, alvo.edital_id, _ids(judged))
            earlier = await decisoes.earlier_of(uow, alvo.edital_id, _ids(judged))
            gone = {codigo: those for codigo, those in earlier.items() if codigo not in decided}
            nomes = {one.id: one.nome for one in await list_usuarios(uow)} if decided or gone else {}
            return ListaHabilitacao(judged.total, judged.pagina, await _triados(uow, execucao_id, judged), decided, nomes, gone)
        case "avaliacao":
            read = await linhas.read(uow, alvo, pedida.recorte)
            triados = await _triados(uow, execucao_id, read)
            places = {of.projeto_id: one.posicao for of, one in zip(triados, read.linhas, strict=True) if one.posicao is not None}
            written = await avaliacoes.list_of(uow, alvo.edital_id, _ids(read))
            sent = tuple([one for one in written if one.enviada_em is not None])
            people = await avaliacoes.incumbencias_of(uow, alvo.edital_id, _ids(read))
            return ListaAvaliacao(read.total, read.pagina, triados, places, sent, people)
        case "irregularidades":
            asked = PedidoCasos(pedida.q, pedida.filtro, pedida.tipo, pedida.pagina, pedida.tamanho)
            return await casos.cut(uow, alvo.edital_id, asked)
        case _:
            assert_never(pedida.aba)


async def _triados(uow: UnitOfWork, execucao_id: UUID, corte: Corte[Lugar]) -> tuple[ProjetoTriado, ...]:
    """What is said of the projects of a page, in its order."""
    found = await resultados.load(uow, execucao_id, _ids(corte))
    by_code = {one.projeto_id: one for one in found}
    return tuple([by_code[one.codigo] for one in corte.linhas])


def _ids(corte: Corte[Lugar]) -> list[UUID]:
    return [one.projeto_id for one in corte.linhas]


def _named(lista: Lista) -> set[str]:
    """The codes of all projects that a page speaks of, quotes too."""
    match lista:
        case ListaCasos(casos=found):
            return named_in(found)
        case ListaHabilitacao(triados=triados) | ListaAvaliacao(triados=triados):
            return {codigo for one in triados for codigo in (one.projeto_id, *_quoted(_evidencias(one)))}
        case _:
            assert_never(lista)


def _evidencias(triado: ProjetoTriado) -> Iterator[Evidencia]:
    yield from (item.evidencia for item in triado.itens if item.evidencia is not None)
    for nota in triado.notas:
        yield from nota.evidencias
    for lida in triado.leitura:
        yield from lida.passagens


def _quoted(evidencias: Iterable[Evidencia]) -> set[str]:
    return {one.projeto for one in evidencias if one.projeto is not None}
