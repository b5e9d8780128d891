"""`/admin/execucoes`: every screening of this tenant, how far it is, what it cost, and what can be done about it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from urllib.parse import quote

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.access import list_chaves, list_usuarios
from crivo.triagem.andamento import Execucao
from crivo.triagem.palavras import count, number
from crivo.web.pages.atores import ator_em_palavras, nomes_de_atores
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.andamento import AndamentoVista
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)


_FOLLOWED: Final = 3  # each open stream takes one of the few connections that a browser makes to a host


@dataclass(frozen=True, slots=True)
class ExecucaoVista:
    """A screening as a line: by whom, how far it came, and what it cost; `ao_vivo` where the page follows it."""

    edital: str
    endereco: str
    andamento: AndamentoVista
    quanto: str
    custo: Decimal
    por: str
    pode_retomar: bool
    ao_vivo: bool

    @classmethod
    def of(cls, execucao: Execucao, por: str, *, ultima: bool, ao_vivo: bool = False) -> ExecucaoVista:
        """The line of an execução; only the last of its edital can be gone on with."""
        vista = AndamentoVista.of(execucao)
        return cls(
            edital=execucao.edital_id,
            endereco=f"/admin/editais/{quote(execucao.edital_id, safe='')}/triagem-ia",
            andamento=vista,
            quanto=f"{number(execucao.projetos_analisados)} de {count(execucao.total_projetos, 'projeto', 'projetos')}",
            custo=execucao.custo,
            por=por,
            pode_retomar=ultima and vista.pode_retomar,
            ao_vivo=ao_vivo,
        )


@router.get("/admin/execucoes", response_class=Response)
async def execucoes(request: Request) -> Response:
    """The screenings of every edital, the newest first; those under way are followed on the page."""
    found = await state_of(request).container.triagem.execucoes(scope_of(request))
    nomes = await _names(request)
    seen: set[str] = set()
    linhas: list[ExecucaoVista] = []
    em_curso: list[ExecucaoVista] = []
    for one in found:
        por, under_way = ator_em_palavras(one.iniciada_por, nomes), one.status == "em_andamento"
        vista = ExecucaoVista.of(one, por, ultima=one.edital_id not in seen, ao_vivo=under_way and len(em_curso) < _FOLLOWED)
        seen.add(one.edital_id)
        linhas.append(vista)
        em_curso += [vista] if under_way else []
    gasto = sum((one.custo for one in found), Decimal(0))
    return page(request, "triagem/execucoes.html", linhas=linhas, em_curso=em_curso, gasto=gasto)


async def _names(request: Request) -> dict[str, str]:
    async with state_of(request).container.database.unit_of_work(scope_of(request)) as uow:
        return nomes_de_atores(await list_usuarios(uow), await list_chaves(uow))
