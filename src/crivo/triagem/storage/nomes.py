"""What projects are searched and ordered by: sealed with them, opened here, held against what is asked for, and let go.

The database is told which projects were found, or in what order they stand, and cuts its lists by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.storage.session import UnitOfWork
from crivo.kernel.text.folding import fold
from crivo.triagem.edital import Projeto
from crivo.triagem.palavras import shown
from crivo.triagem.procura import searched
from crivo.triagem.storage.chaves import KEY, NOMES, WITH_KEY, posse_of

_APAGADO: Final = "apagado"
_ALL: Final = f"""
    select p.id, p.codigo, p.categoria, p.retirado_em is not null as retirado, p.procura, p.titulo_dobrado, p.nomes, {KEY}
    from projetos p {WITH_KEY} where p.tenant_id = %s and p.edital_id = %s"""


class Guardados(msgspec.Struct, frozen=True, array_like=True):
    """A project's title as it is, and as it is ordered and searched by."""

    titulo: str
    dobrado: str
    procura: str


@dataclass(frozen=True, slots=True)
class Nome:
    """A project by what it is searched and ordered by; of one that was withdrawn nothing but its code is told."""

    id: UUID
    codigo: str
    procura: str
    titulo: str
    retirado: bool

    def says(self, palavras: Sequence[str]) -> bool:
        """Whether all of the folded words are in it."""
        return all(palavra in self.procura for palavra in palavras)


_DECODER: Final = msgspec.msgpack.Decoder(Guardados)


def sealed_names(projeto: Projeto) -> bytes:
    """What is to be sealed of a project's names."""
    procura = searched(projeto.id, projeto.titulo, projeto.proponente.nome, projeto.categoria)
    return msgspec.msgpack.encode(Guardados(projeto.titulo, fold(shown(projeto.titulo)), procura))


def titulo_of(uow: UnitOfWork, row: Row[Any], apagado: str) -> str:
    """The title of a project, of a row with `KEY`, `nomes` and `titulo`."""
    posse = posse_of(uow, row)
    if posse.apagado:
        return apagado
    return row.titulo if posse.dona is None else _DECODER.decode(posse.dona.chave.open(NOMES, bytes(row.nomes))).titulo


async def nomes_of(uow: UnitOfWork, edital_id: UUID) -> list[Nome]:
    """All projects of an edital, withdrawn ones too."""
    rows = await uow.connection.exec_driver_sql(_ALL, (uow.scope.tenant_id, edital_id))
    return [_nome(uow, row) for row in rows]


def places_by_title(nomes: Sequence[Nome]) -> dict[UUID, int]:
    """The place of each project by its folded title, sign by sign; equals have the same."""
    places = {titulo: at for at, titulo in enumerate(sorted({one.titulo for one in nomes}))}
    return {one.id: places[one.titulo] for one in nomes}


def _nome(uow: UnitOfWork, row: Row[Any]) -> Nome:
    if row.retirado:
        return Nome(row.id, row.codigo, row.codigo.lower(), "", retirado=True)
    posse = posse_of(uow, row)
    if posse.apagado:
        return Nome(row.id, row.codigo, searched(row.codigo, _APAGADO, "", row.categoria), _APAGADO, retirado=False)
    if posse.dona is None:
        return Nome(row.id, row.codigo, row.procura, row.titulo_dobrado, retirado=False)
    found = _DECODER.decode(posse.dona.chave.open(NOMES, bytes(row.nomes)))
    return Nome(row.id, row.codigo, found.procura, found.dobrado, retirado=False)
