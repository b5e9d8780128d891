"""What the audit is told of projects that were given to people, or came back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from uuid import UUID

from crivo.triagem.distribuicao.guardados import Par


def entries_of(new_id: Callable[[], UUID], ato_id: UUID, pares: Sequence[Par]) -> list[tuple[UUID, str, Mapping[str, Any]]]:
    """One entry a project, with all of its people, as `registros.note_all` takes them."""
    people: dict[tuple[UUID, str], list[str]] = {}
    for one in pares:
        people.setdefault((one.projeto, one.codigo), []).append(str(one.avaliador))
    return [
        (new_id(), str(projeto), {"ato": str(ato_id), "projeto": codigo, "avaliadores": those})
        for (projeto, codigo), those in people.items()
    ]
