"""What the audit is told of projects that were given to people, or came back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.distribuicao.guardados import AtoDeDistribuicao, Par
from crivo.triagem.storage import registros


async def note_given(
    uow: UnitOfWork,
    new_id: Callable[[], UUID],
    em: datetime,
    ato: AtoDeDistribuicao,
    pares: Sequence[Par],
    acao: Literal["projeto.distribuido", "distribuicao.desfeita"] = "projeto.distribuido",
) -> None:
    """One entry a project, with all of its people. Call it last: the chain is locked until the unit of work ends."""
    people: dict[tuple[UUID, str], list[str]] = {}
    for one in pares:
        people.setdefault((one.projeto, one.codigo), []).append(str(one.avaliador))
    entries: list[tuple[UUID, str, Mapping[str, Any]]] = [
        (new_id(), str(projeto), {"ato": str(ato.id), "projeto": codigo, "avaliadores": those})
        for (projeto, codigo), those in people.items()
    ]
    await registros.note_all(uow, em, acao, ato.edital_id, "projeto", entries)
