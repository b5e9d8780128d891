"""A finished screening as people look at it: its figures, and one page of one of its lists. Nothing else of the call is read.

Source: triagem seed, "Página principal".
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, assert_never
from uuid import UUID

from crivo.kernel.access import asks, list_usuarios
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Evidencia, Irregularidade, ProjetoTriado, TipoIrregularidade
from crivo.triagem.concordancia import Concordancia, measure_concordancia
from crivo.triagem.documentos.tesseract import find_tesseract
from crivo.triagem.edital import Criterio, Edital
from crivo.triagem.guardados import Avaliacao, Cabecalho, DecisaoHabilitacao, Incumbencia, Panorama, Por
from crivo.triagem.imagens import ImagensNaoLidas, unread_images
from crivo.triagem.impedidos import Impedido
from crivo.triagem.procura import words_of
from crivo.triagem.storage import arquivos, avaliacoes, decisoes, editais, execucoes, julgadores, linhas, projetos, resultados
from crivo.triagem.storage.linhas import Corte, Lugar, Recorte
from crivo.triagem.storage.panorama import panorama_of
from crivo.triagem.storage.procura import ensure_folded
from crivo.triagem.storage.ranking import Ranking, names_of, notas_of, ranking_of, seen_of
from crivo.triagem.storage.triados import Alvo

_ACORDOS_KEPT: Final = 16
Aba = Literal["habilitacao", "avaliacao", "irregularidades"]


@dataclass(frozen=True, slots=True)
class Pedida:
    """What is asked for: a list, and of it words, a filter, an order, and which page of so many lines, from 1."""

    aba: Aba = "habilitacao"
    q: str = ""
    filtro: str = ""
    ordem: str = ""
    pagina: int = 1
    tamanho: int = 25

    @property
    def recorte(self) -> Recorte:
        """The same with its words folded."""
        return Recorte(words_of(self.q), self.filtro, self.ordem, self.pagina, self.tamanho)


@dataclass(frozen=True, slots=True)
class ListaHabilitacao:
    """Projects of which habilitação says something, with people's decisions on them, and who those people are."""

    total: int
    pagina: int
    triados: tuple[ProjetoTriado, ...]
    decisoes: Mapping[str, DecisaoHabilitacao]
    nomes: Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class ListaAvaliacao:
    """Projects of which avaliação says something, the places of those with a whole mean, who judges them, and the notas that were sent."""

    total: int
    pagina: int
    triados: tuple[ProjetoTriado, ...]
    posicoes: Mapping[str, int]
    notas: tuple[Avaliacao, ...]
    incumbencias: tuple[Incumbencia, ...]


@dataclass(frozen=True, slots=True)
class ListaSinais:
    """Signs over the whole edital."""

    total: int
    pagina: int
    sinais: tuple[Irregularidade, ...]


Sinais = Mapping[str, Mapping[TipoIrregularidade, int]]  # by project and kind
Lista = ListaHabilitacao | ListaAvaliacao | ListaSinais


@dataclass(frozen=True, slots=True)
class Achada:
    """What the last finished screening found: the figures, a page of a list, all the projects in force that this page names, and how many
    signs of each kind concern each of these.
    """

    criterios: tuple[Criterio, ...]
    panorama: Panorama
    lista: Lista
    cabecalhos: Mapping[str, Cabecalho]
    sinais: Sinais


@dataclass(frozen=True, slots=True)
class Vista:
    """An edital, how many projects are in it, and what was found; None where no screening was ever finished."""

    edital: Edital
    projetos: int
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
    sinais: Sinais


class Painel:
    """Finished screenings of a tenant, a page at a time, for those who manage."""

    def __init__(self, database: Database) -> None:
        self._database = database
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

        Habilitação is filtered by a suggestion, `erro` or `SEM_DECISAO`, and ordered by `projeto`, `situacao` or `confianca`; avaliação
        is ordered by `projeto` or `inscricao`, or else by the suggested mean; irregularidades are filtered by their kind, and ordered by
        `medida` or `projeto`.
        """
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            total = await projetos.count_of(uow, guardado.id)
            last = await execucoes.find_last_finished(uow, guardado.id)
            if last is None:
                return Vista(guardado.edital, total, None)
            await ensure_folded(uow, guardado)
            criterios = tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)])
            alvo = Alvo(guardado.id, last.id, criterios)
            lista = await _list(uow, alvo, last.id, pedida)
            named = await projetos.cabecalhos_of(uow, guardado.id, _named(lista))
            sinais = await execucoes.sinais_dos_projetos(uow, last.id, list(named))
            return Vista(guardado.edital, total, Achada(criterios, await panorama_of(uow, alvo), lista, named, sinais))

    @asks("triagem.acompanhar")
    async def classificar(self, scope: Scope, edital_id: str, por: Por | None, pagina: int, tamanho: int) -> Classificacao:
        """A page of the projects in the order of their notas, and how far people and suggestions agree. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            last = await execucoes.find_last_finished(uow, guardado.id)
            criterios = tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)])
            alvo = Alvo(guardado.id, last.id if last else None, criterios)
            ranking = await ranking_of(uow, alvo, por, pagina, tamanho)
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
            sinais = await execucoes.sinais_dos_projetos(uow, last.id, [one.codigo for one in ranking.postos]) if last else {}
            return Classificacao(guardado.edital, criterios, ranking, named, decided, nomes, self._acordos[seen], sinais)


async def _list(uow: UnitOfWork, alvo: Alvo, execucao_id: UUID, pedida: Pedida) -> Lista:
    match pedida.aba:
        case "habilitacao":
            judged = await linhas.judged(uow, alvo, pedida.recorte)
            decided = await decisoes.decisions_of(uow, alvo.edital_id, _ids(judged))
            nomes = {one.id: one.nome for one in await list_usuarios(uow)} if decided else {}
            return ListaHabilitacao(judged.total, judged.pagina, await _triados(uow, execucao_id, judged), decided, nomes)
        case "avaliacao":
            read = await linhas.read(uow, alvo, pedida.recorte)
            triados = await _triados(uow, execucao_id, read)
            places = {of.projeto_id: one.posicao for of, one in zip(triados, read.linhas, strict=True) if one.posicao is not None}
            written = await avaliacoes.list_of(uow, alvo.edital_id, _ids(read))
            sent = tuple([one for one in written if one.enviada_em is not None])
            people = await avaliacoes.incumbencias_of(uow, alvo.edital_id, _ids(read))
            return ListaAvaliacao(read.total, read.pagina, triados, places, sent, people)
        case "irregularidades":
            signs = await linhas.signs(uow, alvo, pedida.recorte)
            return ListaSinais(signs.total, signs.pagina, signs.linhas)
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
        case ListaSinais(sinais=sinais):
            return {codigo for one in sinais for codigo in (*one.projetos, *_quoted(one.evidencia))}
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
