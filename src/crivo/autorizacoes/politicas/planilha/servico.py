"""Use cases of políticas in spreadsheets: what a file says, its import as a draft, and a stored política as a file."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Final, Literal
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.autorizacoes.politicas import storage
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.autorizacoes.politicas.documento import to_document
from crivo.autorizacoes.politicas.planilha.colunas import TITULOS, is_own
from crivo.autorizacoes.politicas.planilha.folhas import Folha, open_folhas
from crivo.autorizacoes.politicas.planilha.leitura import (
    Cabeca,
    PlanilhaLida,
    administradora_in,
    find_quadros,
    guess_mapa,
    read_folhas,
    those_read,
    titles_of,
)
from crivo.autorizacoes.politicas.planilha.mapa import MapaDeColunas, check_mapa
from crivo.autorizacoes.politicas.planilha.primeira_vista import hindrances, planos_by_another_name
from crivo.autorizacoes.politicas.planilha.saida import Formato, write_politica
from crivo.autorizacoes.politicas.service import Importacao, Politicas
from crivo.autorizacoes.politicas.vigentes import publicadas_at
from crivo.kernel.access import asks
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.clock import Clock, today
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.formas.palavras import cut
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

Origem = Literal["dado", "guardado", "adivinhado"]
"""Where a map comes from: from whoever sends the file, from the last file of the administradora, or from a guess."""
_TOLD: Final = 1_000


class PlanilhaComProblemas(CrivoError):
    """A spreadsheet of which nothing was kept; `problemas` has every fault, by its cell."""

    codigo: ClassVar[str] = "planilha_com_problemas"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A planilha não pôde ser importada"

    def __init__(self, problemas: Sequence[Problem]) -> None:
        contagem = "1 problema. Corrija-o" if len(problemas) == 1 else f"{len(problemas)} problemas. Corrija-os"
        super().__init__(f"A planilha tem {contagem} e importe de novo; nada foi guardado.", problemas[:_TOLD])


@dataclass(frozen=True, slots=True)
class LeituraDePlanilha:
    """What a file says, and where the map comes from by which it was read; a guess is for somebody to confirm."""

    lida: PlanilhaLida
    origem: Origem
    novas: tuple[str, ...] | None = None
    """Where the kept map of the administradora told some of the columns: the headings that it does not know, whose campo is a guess."""
    impedem: tuple[Problem, ...] = ()
    """Those of its avisos that stand in the way of publishing."""


@dataclass(frozen=True, slots=True)
class ImportacaoDePlanilha:
    """A draft made from a spreadsheet, with what was read."""

    importacao: Importacao
    leitura: LeituraDePlanilha


class Planilhas:
    """Políticas of a tenant as spreadsheets."""

    def __init__(self, database: Database, clock: Clock, politicas: Politicas) -> None:
        self._database = database
        self._clock = clock
        self._politicas = politicas

    @asks("politicas.escrever")
    async def ler(
        self,
        scope: Scope,
        content: bytes,
        cabeca: Cabeca | None = None,
        mapa: MapaDeColunas | None = None,
        *,
        sugerido: MapaDeColunas | None = None,
    ) -> LeituraDePlanilha:
        """What a file says; without a map, by the one kept of its administradora where it fits, else by a guess. Nothing is stored.

        `sugerido` stands in the place of the guess: the columns as they were shown while the administradora was not known.
        Raises `PlanilhaIlegivel`, `PlanilhaGrandeDemais`, `MapaInvalido`.
        """
        for given in (mapa, sugerido):
            if given is not None:
                check_mapa(given)
        # A large file takes seconds to read; the loop that serves everybody else must not wait for it.
        folhas = await asyncio.to_thread(open_folhas, content)
        if mapa is not None:
            lida, impedem = await self._lida(scope, folhas, cabeca, mapa)
            return LeituraDePlanilha(lida, "dado", impedem=impedem)
        chosen, origem, perdidas, novas = await self._mapa_for(scope, folhas, cabeca or Cabeca(), sugerido)
        lida, impedem = await self._lida(scope, folhas, cabeca, chosen)
        return LeituraDePlanilha(_with_lost(lida, perdidas), origem, novas, impedem)

    async def _lida(
        self, scope: Scope, folhas: Sequence[Folha], cabeca: Cabeca | None, mapa: MapaDeColunas
    ) -> tuple[PlanilhaLida, tuple[Problem, ...]]:
        """What the sheets say, and which of its avisos a conferência would find in the way of publishing it."""
        lida = await asyncio.to_thread(read_folhas, folhas, cabeca, mapa)
        if lida.parcial is None:
            return lida, ()
        async with self._database.unit_of_work(scope) as uow:
            publicadas = await publicadas_at(uow, await storage.catalogo_versao(uow))
        impedem = await asyncio.to_thread(hindrances, lida, publicadas, today(self._clock))
        conflitos = {one.caminho for one in impedem if one.codigo == "regras_conflitantes"}
        others = [one for one in lida.avisos if not (one.codigo == "regras_contrarias" and one.caminho in conflitos)]
        return replace(lida, avisos=(*impedem, *planos_by_another_name(lida, publicadas), *others)), impedem

    @asks("politicas.escrever")
    async def importar(
        self, scope: Scope, content: bytes, cabeca: Cabeca | None = None, mapa: MapaDeColunas | None = None, *, guardar_mapa: bool = False
    ) -> ImportacaoDePlanilha:
        """Keep what a file says as a draft, and the map for the administradora's next file where `guardar_mapa`.

        Raises as `ler`; `PlanilhaComProblemas` with every fault, `VersaoPublicada` when another text of that version was published.
        """
        leitura = await self.ler(scope, content, cabeca, mapa)
        importada = leitura.lida.importada
        if importada is None:
            raise PlanilhaComProblemas(leitura.lida.problemas)
        importacao = await self._politicas.importar(scope, to_document(importada.politica), "json")
        if guardar_mapa and not is_own(tuple(leitura.lida.mapa.colunas)):
            await self._keep(scope, importada.politica.administradora_id, leitura.lida.mapa.decided)
        return ImportacaoDePlanilha(replace(importacao, relatorio=importada.relatorio), leitura)

    @asks("politicas.ler")
    async def exportar(self, scope: Scope, politica_id: UUID, formato: Formato) -> tuple[PoliticaGuardada, bytes]:
        """A stored política in a format, which reads back as the same. Raises `PoliticaNotFound`, `CelulaNaoCabe`."""
        guardada, documento = await self._politicas.obter(scope, politica_id)
        politica = msgspec.json.decode(documento, type=Politica)
        return guardada, await asyncio.to_thread(write_politica, politica, formato)

    async def _mapa_for(
        self, scope: Scope, folhas: Sequence[Folha], cabeca: Cabeca, sugerido: MapaDeColunas | None
    ) -> tuple[MapaDeColunas, Origem, Mapping[str, str], tuple[str, ...] | None]:
        """The map, where it comes from, the columns that the kept one reads and the file has not, and those that it does not know."""
        quadros = find_quadros(folhas)
        guessed = sugerido or guess_mapa(quadros)
        origem: Origem = "dado" if sugerido else "adivinhado"
        alone = (guessed, origem, dict[str, str](), None)
        administradora = cabeca.stated().get("administradora_id") or administradora_in(folhas)
        if administradora is None or is_own(titles_of(quadros)):
            return alone
        async with self._database.unit_of_work(scope) as uow:
            kept = await storage.mapa_of(uow, fold_id(administradora))
        if kept is None:
            return alone
        known = msgspec.convert(kept, MapaDeColunas)
        over = known.over(guessed)
        titulos = titles_of(those_read(find_quadros(folhas, known), over))
        if known.fits(titulos):
            return known, "guardado", {}, ()
        return over, "adivinhado", known.missing(titulos), known.new_in(titulos)

    async def _keep(self, scope: Scope, administradora_id: str, mapa: MapaDeColunas) -> None:
        async with self._database.unit_of_work(scope) as uow:
            em = self._clock.now()
            if await storage.keep_mapa(uow, fold_id(administradora_id), msgspec.to_builtins(mapa), em):
                dados = {"colunas": len(mapa.lidas)}
                await append(uow, em, [NewEntry(acao="planilha.mapa_guardado", alvo=administradora_id, dados=dados)])


def _with_lost(lida: PlanilhaLida, perdidas: Mapping[str, str]) -> PlanilhaLida:
    """The reading with a fault for each column that the last file had and this one has not, until somebody says the columns as they are."""
    if not perdidas:
        return lida
    return replace(lida, problemas=(*[_lost(titulo, campo) for titulo, campo in perdidas.items()], *lida.problemas), importada=None)


def _lost(titulo: str, campo: str) -> Problem:
    mensagem = (
        f"o último arquivo desta administradora tinha a coluna “{cut(titulo)}” ({TITULOS[campo].lower()}), e este não tem: "
        "nenhuma regra diria isso. Se ela mudou de nome, escolha qual é; se este arquivo não a tem mesmo, confirme o mapa das colunas: "
        "leia de novo com ele."
    )
    return Problem(mensagem, codigo="coluna_ausente")
