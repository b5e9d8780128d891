"""The use case of a result: the places of an edital out of what is stored, counted anew each time it is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import msgspec

from crivo.kernel.access import asks
from crivo.kernel.storage.patience import PATIENT
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.classificar import classify
from crivo.triagem.classificacao.concorrencia import (
    Avaliada,
    Concorrencia,
    Decidida,
    Desistencia,
    Inscrito,
    campos_of,
    inscrito_of,
)
from crivo.triagem.classificacao.definicao import Classificacao
from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.erros import SemClassificacao
from crivo.triagem.publicacao.conteudo import Identificado, identify
from crivo.triagem.storage import decisoes, desistencias, editais, projetos, recursos
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.ranking import notas_of
from crivo.triagem.storage.triados import Alvo

_AT_ONCE: Final = 500  # projects that are held whole, for what they declare


class Lugares:
    """What the notas and decisions of people come to. Nothing is kept of it, so that it is never older than they are."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asks("triagem.acompanhar")
    async def resultado(self, scope: Scope, edital_id: str) -> Classificada:
        """The places as they stand: only what people sent and decided counts, and of who was erased nothing is in it.

        Raises EditalNotFound; SemClassificacao where the edital does not say how.
        """
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            carregada = await load_concorrencia(uow, guardado, rules_of(guardado))
        return await asyncio.to_thread(classify, carregada.concorrencia)


@dataclass(frozen=True, slots=True)
class Carregada:
    """All that competes in an edital, and each project as a list names it, by its id."""

    concorrencia: Concorrencia
    pessoas: Mapping[str, Identificado]


def rules_of(guardado: EditalGuardado) -> Classificacao:
    """How an edital turns notas into places. Raises SemClassificacao where it does not say."""
    regras = guardado.edital.classificacao
    if regras is None:
        raise SemClassificacao(
            f"O edital não diz como as notas viram lugares. Escreva as regras em /admin/editais/{guardado.edital.id}/classificacao; ou "
            "acrescente `classificacao` ao arquivo dele e importe-o de novo: `crivo triagem edital` o escreve, e "
            "`crivo triagem esquema` mostra os campos."
        )
    return regras


async def load_concorrencia(uow: UnitOfWork, guardado: EditalGuardado, regras: Classificacao) -> Carregada:
    """What people sent and decided of an edital, and who competes, as it stands in the unit of work; by whatever rules are given."""
    inscritos, pessoas = await _inscritos(uow, guardado, regras)
    given = await load_given(uow, guardado)
    return Carregada(msgspec.structs.replace(given, classificacao=regras, inscritos=inscritos), pessoas)


async def load_given(uow: UnitOfWork, guardado: EditalGuardado) -> Concorrencia:
    """What people gave and decided in an edital, with its critérios; without rules, and without projects."""
    criterios = tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)])
    notas, _ = await notas_of(uow, Alvo(guardado.id, None, criterios))
    given: dict[tuple[str, str], dict[str, Decimal]] = {}
    for nota in notas:
        given.setdefault((nota.projeto, nota.avaliador), {})[nota.criterio] = nota.nota
    decided = await decisoes.decisions_of(uow, guardado.id)
    return Concorrencia(
        guardado.edital.id,
        Classificacao(),
        criterios,
        (),
        [Avaliada(projeto, avaliador, dadas) for (projeto, avaliador), dadas in given.items()],
        [Decidida(codigo, one.decisao, one.motivo) for codigo, one in decided.items()],
        [Desistencia(codigo, em) for codigo, em in (await desistencias.in_force(uow, guardado.id)).items()],
    )


async def _inscritos(uow: UnitOfWork, guardado: EditalGuardado, regras: Classificacao) -> tuple[list[Inscrito], dict[str, Identificado]]:
    campos, corrected = campos_of(regras), await recursos.corrections_of(uow, guardado.id)
    ids = list((await projetos.ids_of(uow, guardado.id)).values())
    found: list[Inscrito] = []
    people: dict[str, Identificado] = {}
    for start in range(0, len(ids), _AT_ONCE):
        some = [one.projeto for one in await projetos.load_some(uow, ids[start : start + _AT_ONCE]) if not one.apagado]
        found += [as_corrected(inscrito_of(one, campos), corrected) for one in some]
        people.update({one.id: identify(one) for one in some})
    return found, people


def as_corrected(inscrito: Inscrito, corrected: Mapping[str, Mapping[str, str]]) -> Inscrito:
    """With what answers to recursos took its fields for; those that the rules no longer ask for are left out."""
    theirs = {campo: valor for campo, valor in corrected.get(inscrito.id, {}).items() if campo in inscrito.campos}
    return msgspec.structs.replace(inscrito, campos={**inscrito.campos, **theirs}) if theirs else inscrito
