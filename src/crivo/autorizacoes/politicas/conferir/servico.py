"""Use cases of the conferência: what is wrong with a file or with a stored version, among what is published and was asked for."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal
from uuid import UUID

import msgspec

from crivo.autorizacoes import storage as decisoes
from crivo.autorizacoes.contracts import ParamsConsulta, Politica
from crivo.autorizacoes.guardadas import Autorizacao, PoliticaGuardada
from crivo.autorizacoes.politicas import storage
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.autorizacoes.politicas.conferir.achados import Achado
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.politicas.conferir.conferencia import conferir
from crivo.autorizacoes.politicas.conferir.historico import Procurado
from crivo.autorizacoes.politicas.importacao import read_to_examine
from crivo.autorizacoes.politicas.nos import PoliticaInvalida
from crivo.autorizacoes.politicas.service import PoliticaNotFound
from crivo.autorizacoes.politicas.sucessao import Publicada
from crivo.autorizacoes.politicas.vigentes import publicadas_at
from crivo.kernel.access import asks
from crivo.kernel.clock import Clock, today
from crivo.kernel.errors import Problem
from crivo.kernel.formas.palavras import Caminho
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

# The latest decisions that are looked through for what is asked for: enough to meet a code that is asked for every day.
DECISOES_VISTAS: Final = 1_000


class _Parametros(msgspec.Struct):
    params_consulta_regras: ParamsConsulta


class _Etapas(msgspec.Struct):
    parametros: _Parametros


class _Trilha(msgspec.Struct):
    etapas: _Etapas


_decode_trilha = msgspec.json.Decoder(_Trilha).decode


@dataclass(frozen=True, slots=True)
class Conferida:
    """What was found; `politica` is None where the document could not be read, which `achados` then tell."""

    politica: Politica | None
    achados: tuple[Achado, ...]


class Conferencias:
    """What is wrong with the políticas of a tenant, before they decide."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @asks("politicas.ler")
    async def documento(self, scope: Scope, raw: bytes, formato: Literal["json", "yaml"] | None = None) -> Conferida:
        """What is found in a file, as if it were published; one that cannot be read comes back with its faults, each an error."""
        try:
            politica, linha = await asyncio.to_thread(read_to_examine, raw, formato)
        except PoliticaInvalida as error:
            return Conferida(None, tuple([_fault(problem) for problem in error.problemas]))
        async with self._database.unit_of_work(scope) as uow:
            around = await _surroundings(uow, politica)
        return await self._conferida(politica, *around, linha)

    @asks("politicas.ler")
    async def guardada(self, scope: Scope, politica_id: UUID, *, historico: bool = True) -> Conferida:
        """What is found in a stored version; a draft is looked at as if it were published. Raises PoliticaNotFound.

        `historico` is whether the latest decisions are looked through for codes without a regra.
        """
        async with self._database.unit_of_work(scope) as uow:
            politica = await read_stored(uow, politica_id)
            around = await _surroundings(uow, politica, historico=historico)
        return await self._conferida(politica, *around)

    async def _conferida(
        self,
        politica: Politica,
        publicadas: Sequence[Publicada],
        procurados: Sequence[Procurado],
        linha: Callable[[Caminho], int | None] = lambda _: None,
    ) -> Conferida:
        hoje = today(self._clock)
        return Conferida(politica, await asyncio.to_thread(_examine, politica, publicadas, procurados, hoje, linha))


def _examine(
    politica: Politica,
    publicadas: Sequence[Publicada],
    procurados: Sequence[Procurado],
    hoje: date,
    linha: Callable[[Caminho], int | None],
) -> tuple[Achado, ...]:
    return conferir(Bancada(politica, publicadas, hoje, linha), procurados)


async def read_stored(uow: UnitOfWork, politica_id: UUID) -> Politica:
    """The document of a stored version. Raises PoliticaNotFound."""
    found: PoliticaGuardada | None = await storage.find(uow, politica_id)
    if found is None:
        raise PoliticaNotFound("Não há política com este identificador. Veja as que existem com 'crivo politicas listar'.")
    return msgspec.json.decode(await storage.content(uow, politica_id), type=Politica)


async def _surroundings(uow: UnitOfWork, politica: Politica, *, historico: bool = True) -> tuple[list[Publicada], list[Procurado]]:
    """What is published in the tenant, and what the latest pedidos of the administradora asked for."""
    publicadas = await publicadas_at(uow, await storage.catalogo_versao(uow))
    return publicadas, await _procurados(uow, fold_id(politica.administradora_id)) if historico else []


async def _procurados(uow: UnitOfWork, administradora: str) -> list[Procurado]:
    latest = await decisoes.list_page(uow, status=None, desde=None, numero=None, antes_de=None, limite=DECISOES_VISTAS)
    ids = [um.id for um in latest if um.administradora_id is not None and fold_id(um.administradora_id) == administradora]
    asked: Counter[tuple[str, str, str | None]] = Counter()
    for decisao in await decisoes.find_many(uow, ids):
        if isinstance(decisao, Autorizacao):
            params = _decode_trilha(decisao.trilha).etapas.parametros.params_consulta_regras
            if params.plano_id is not None and params.codigo_procedimento is not None:
                asked[params.plano_id, params.codigo_procedimento, params.tabela] += 1
    return [Procurado(*chave, vezes) for chave, vezes in asked.items()]


# Faults of a file that say the same as a finding do.
_AS_FINDINGS: Final = {"limite_quantidade": "limite_invalido", "restricoes_idade": "faixa_etaria_vazia"}


def _fault(problem: Problem) -> Achado:
    campo = problem.caminho.rpartition(".")[2]
    onde = f"{problem.caminho}: " if problem.caminho else ""
    return Achado(
        codigo=_AS_FINDINGS.get(campo, problem.codigo),
        gravidade="erro",
        regra=None,
        linha=problem.linha,
        explicacao=f"{onde}{problem.mensagem}",
        exemplo=None,
    )
