"""What projects are searched and ordered by: sealed with them, opened here, held against what is asked for, and let go.

The database is told which projects were found, or in what order they stand, and cuts its lists by that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import msgspec
from sqlalchemy import Row

from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.edital import Projeto
from crivo.triagem.palavras import shown
from crivo.triagem.procura import searched
from crivo.triagem.storage.chaves import NOMES, WITH_KEY, posse_of

_APAGADO: Final = "apagado"
_ALL: Final = f"""
    select p.id::text, p.codigo, p.categoria, p.procura, p.titulo_dobrado, p.chave::text, k.embrulhada, p.nomes
    from projetos p {WITH_KEY} where p.tenant_id = %s and p.edital_id = %s and p.retirado_em is null"""
_WITHDRAWN: Final = "select id::text, codigo from projetos where tenant_id = %s and edital_id = %s and retirado_em is not null"


class Guardados(msgspec.Struct, frozen=True, array_like=True):
    """A project's title as it is, and as it is ordered and searched by."""

    titulo: str
    dobrado: str
    procura: str


class Nome(msgspec.Struct, frozen=True, gc=False):
    """A project by what it is searched and ordered by; of one that was withdrawn nothing but its code is told."""

    id: str
    codigo: str
    procura: str
    titulo: str

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
    asked = (uow.scope.tenant_id, edital_id)
    found = [Nome(row.id, row.codigo, row.codigo.lower(), "") for row in await uow.connection.exec_driver_sql(_WITHDRAWN, asked)]
    sealed: list[tuple[str, str]] = []
    kept: list[tuple[str, bytes, bytes]] = []
    rows: Sequence[Any] = (await uow.connection.exec_driver_sql(_ALL, asked)).all()
    for projeto_id, codigo, categoria, procura, dobrado, chave, embrulhada, nomes in rows:
        if chave is None:
            found.append(Nome(projeto_id, codigo, procura, dobrado))
        elif embrulhada is None:
            found.append(Nome(projeto_id, codigo, searched(codigo, _APAGADO, "", categoria), _APAGADO))
        else:
            sealed.append((projeto_id, codigo))
            kept.append((chave, embrulhada, nomes))
    opened = map(_DECODER.decode, uow.cofre.open_each(uow.scope.tenant_id, NOMES, kept))
    found += [Nome(projeto_id, codigo, one.procura, one.dobrado) for (projeto_id, codigo), one in zip(sealed, opened, strict=True)]
    return found


def places_by_title(nomes: Sequence[Nome]) -> list[int]:
    """The place of each project by its folded title, sign by sign; equals have the same."""
    places = {titulo: at for at, titulo in enumerate(sorted({one.titulo for one in nomes}))}
    return [places[one.titulo] for one in nomes]
