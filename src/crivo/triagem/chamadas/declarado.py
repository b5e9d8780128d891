"""What the projects of an edital say, held against what its text speaks of: fields that none has, categorias that it lacks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Final
from uuid import UUID

from crivo.kernel.errors import Problem
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.categorias import foreign
from crivo.triagem.chamadas.definicao import documento_of
from crivo.triagem.edital import Chamada
from crivo.triagem.importacao.declarados import fields_asked, warn_undeclared
from crivo.triagem.importacao.problemas import cite
from crivo.triagem.importacao.relato import Relato
from crivo.triagem.palavras import count
from crivo.triagem.storage import projetos

LONGEST_ASK_SECONDS: Final = 5.0
"""For how long projects are asked for a field that none of those before them has."""
_AT_ONCE: Final = 25


def avisos_of(
    chamada: Chamada, campos: Collection[str], ditas: Mapping[str, int], *, vistos: int | None = None, total: int
) -> tuple[Problem, ...]:
    """What deserves a look, by the path of an import. `campos` are those of the `vistos` projects (None: of as many as it took)."""
    relato = Relato()
    documento = documento_of(chamada)
    if vistos:
        quem = "Nenhum projeto" if vistos >= total else f"Dos {count(vistos, 'projeto', 'projetos')} que houve tempo de olhar, nenhum"
        warn_undeclared(documento, campos, relato, quem)
    for categoria in sorted(foreign(ditas, chamada.edital.categorias)):
        said = count(ditas[categoria], "projeto diz", "projetos dizem")
        mensagem = f"{said} a categoria `{cite(categoria)}`, que o edital não tem.{relato.suggest(categoria, chamada.edital.categorias)}"
        relato.avisos.add("categoria_fora_da_lista", ("edital", "categorias"), mensagem)
    return relato.avisos.as_tuple()


async def look(uow: UnitOfWork, edital_id: UUID, chamada: Chamada, tick: Callable[[], float], seconds: float) -> tuple[Problem, ...]:
    """The same over the projects of an edital as they are stored; they are opened only as far as it takes to find every field."""
    began = tick()
    ids = list((await projetos.ids_of(uow, edital_id)).values())
    lacking, found, vistos = fields_asked(documento_of(chamada)), set[str](), 0
    while vistos < len(ids) and not lacking <= found and tick() - began <= seconds:
        some = await projetos.load_some(uow, ids[vistos : vistos + _AT_ONCE])
        found.update(*[one.projeto.campos for one in some])
        vistos += _AT_ONCE
    seen = None if lacking <= found else min(vistos, len(ids))
    return avisos_of(chamada, found, await projetos.categorias_of(uow, edital_id), vistos=seen, total=len(ids))
