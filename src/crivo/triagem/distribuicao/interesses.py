"""Who may have an interest in which project, looked for there and then as the screening would say it, but for what people dismissed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.achados import Irregularidade
from crivo.triagem.casos.guardados import Caso
from crivo.triagem.distribuicao.previa import Conflitos, conflitos_of
from crivo.triagem.edital import Avaliador, Projeto
from crivo.triagem.irregularidades.sinais import SINAL_DE
from crivo.triagem.storage import caso_renovacao, casos, projetos
from crivo.triagem.storage.editais import EditalGuardado

_OPENED_TOGETHER: Final = 500  # projects


async def ties_of(
    uow: UnitOfWork,
    guardado: EditalGuardado,
    ids: Sequence[UUID],
    people: Mapping[UUID, Avaliador],
    new_id: Callable[[], UUID],
    em: datetime,
) -> Mapping[str, Conflitos]:
    """Who of these people may have an interest in which of these projects, by the project's code."""
    opened: list[Projeto] = []
    for start in range(0, len(ids), _OPENED_TOGETHER):
        some = await projetos.load_some(uow, ids[start : start + _OPENED_TOGETHER])
        opened += [_bare(one.projeto) for one in some if not one.apagado]
    found = await asyncio.to_thread(conflitos_of, people, opened)
    if not found:
        return found
    await caso_renovacao.ensure(uow, guardado.id, new_id, em)
    dismissed = await _dismissed(uow, guardado.id, sorted(found))
    return conflitos_of(people, [one for one in opened if one.id in found], dismissed) if dismissed else found


async def _dismissed(uow: UnitOfWork, edital_id: UUID, codigos: Sequence[str]) -> list[Irregularidade]:
    """The signs of conflicts in these projects that people looked at and dismissed."""
    brief = await casos.of_projects(uow, edital_id, codigos)
    settled = [one for one in brief if one.situacao == "descartado" and not one.pendente and _is_conflict(one)]
    whole = [await casos.find(uow, edital_id, one.numero) for one in settled]
    return [sinal for one in whole if one is not None for sinal in one.sinais]


def _is_conflict(caso: Caso) -> bool:
    return any(SINAL_DE[tipo].familia == "conflito" for tipo in caso.tipos)


def _bare(projeto: Projeto) -> Projeto:
    """A project with no more than a conflict is told by: thousands of them are held at once."""
    return Projeto(projeto.id, "", projeto.proponente)
