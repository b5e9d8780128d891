"""Who may do what with screening, beyond the scope of a key: by the role of the person, and by what was given to them.

Source: triagem seed, Segurança.
"""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Path
from starlette.requests import Request

from crivo.kernel.access import GESTAO, Papel, SemPermissao, require_gestao
from crivo.triagem.achados import Resultado
from crivo.triagem.storage.editais import EditalNotFound
from crivo.web.state import papel_of, scope_of, state_of

_CODE: Final = r"^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$"
EditalId = Annotated[str, Path(pattern=_CODE, description="Código do edital, como ED-2026-04.", examples=["ED-2026-04"])]
ProjetoId = Annotated[str, Path(pattern=_CODE, description="Código do projeto, como P001.", examples=["P001"])]


def require_gestor(request: Request) -> None:
    """Raises SemPermissao for a person who neither manages nor administers."""
    require_gestao(papel_of(request))


def require_leitor(papel: Papel | None) -> None:
    """Raises SemPermissao for a person who neither manages nor judges; a program (None) is held by its scopes alone."""
    if papel is not None and papel != "avaliador" and papel not in GESTAO:
        raise SemPermissao("Só gestão e avaliadores veem a triagem. Peça a quem administra o crivo um desses papéis.")


async def check_sight(request: Request, edital_id: str) -> None:
    """Raises SemPermissao; EditalNotFound for a judge to whom nothing of the edital was given."""
    papel = papel_of(request)
    require_leitor(papel)
    if papel == "avaliador" and edital_id not in await editais_given(request):
        raise EditalNotFound("Não há edital com este código entre os que têm projetos dados a você. Confira o código.")


async def editais_given(request: Request) -> frozenset[str]:
    """The editais of which something was given to the acting person."""
    given = await state_of(request).container.julgamento.meus_projetos(scope_of(request))
    return frozenset(one.edital_id for one in given)


async def resultado_seen(request: Request, edital_id: str) -> Resultado:
    """What the last finished screening found, as far as whoever asks may see it. Raises SemPermissao, EditalNotFound, TriagemNotFound."""
    papel, container = papel_of(request), state_of(request).container
    require_leitor(papel)
    if papel == "avaliador":
        return await container.julgamento.resultado(scope_of(request), edital_id)
    return await container.triagem.resultado(scope_of(request), edital_id)
