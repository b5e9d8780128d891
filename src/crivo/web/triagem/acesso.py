"""How much of a screening whoever asks may see, and take home as a file: all of it, or what was given to them.

Source: triagem seed, Segurança.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Annotated, Final, Literal, assert_never

from fastapi import Path
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.atos import NewEntry
from crivo.triagem.achados import Resultado
from crivo.triagem.edital import EditalNotFound
from crivo.triagem.erros import ProjetoNotFound, TriagemNotFound
from crivo.triagem.exportacao import NomeTabela, to_csv, to_json, to_xlsx
from crivo.triagem.exportacao.selecao import known_in, only
from crivo.web.state import pode, scope_of, state_of

Formato = Literal["csv", "xlsx", "json"]
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_JSON: Final = "application/json"
_CSV: Final = "text/csv; charset=utf-8"
_CODE: Final = r"^[0-9A-Za-z][0-9A-Za-z._-]{0,63}$"
EditalId = Annotated[str, Path(pattern=_CODE, description="Código do edital, como ED-2026-04.", examples=["ED-2026-04"])]
ProjetoId = Annotated[str, Path(pattern=_CODE, description="Código do projeto, como P001.", examples=["P001"])]


async def check_sight(request: Request, edital_id: str) -> None:
    """Raises EditalNotFound for a judge to whom nothing of the edital was given."""
    if not pode(request, "triagem.acompanhar") and edital_id not in await editais_given(request):
        raise EditalNotFound("Não há edital com este código entre os que têm projetos dados a você. Confira o código.")


async def editais_given(request: Request) -> frozenset[str]:
    """The editais of which something was given to the acting person."""
    given = await state_of(request).container.julgamento.meus_projetos(scope_of(request))
    return frozenset(one.edital_id for one in given)


async def resultado_seen(request: Request, edital_id: str) -> Resultado:
    """What the last finished screening found, as far as whoever asks may see it. Raises EditalNotFound, TriagemNotFound."""
    container = state_of(request).container
    whole = pode(request, "triagem.acompanhar")
    return await (container.triagem if whole else container.julgamento).resultado(scope_of(request), edital_id)


async def export(request: Request, edital_id: str, formato: Formato, tabela: NomeTabela | None) -> Response:
    """The last finished result as a file with what people concluded, as far as whoever asks may see it; the ranking also of what was never
    screened. Without `tabela` a CSV is of habilitação and a workbook has every table.
    """
    container, scope = state_of(request).container, scope_of(request)
    try:
        found = await resultado_seen(request, edital_id)
    except TriagemNotFound:
        if tabela != "ranking":
            raise
        found = Resultado(edital_id, "", (), ())
    whole = pode(request, "triagem.acompanhar")
    concluido = await (container.conclusoes.todas if whole else container.conclusoes.minhas)(scope, edital_id)
    name = f"triagem-{edital_id}" + (f"-{tabela}" if tabela else "-habilitacao" if formato == "csv" else "")
    match formato:
        case "json":
            content, media_type, name = await asyncio.to_thread(to_json, found, concluido), _JSON, f"triagem-{edital_id}"
        case "csv":
            chamada = await container.triagem.edital(scope, edital_id)
            content, media_type = await asyncio.to_thread(to_csv, found, chamada, tabela or "habilitacao", concluido), _CSV
        case "xlsx":
            chamada = await container.triagem.edital(scope, edital_id)
            content, media_type = await asyncio.to_thread(to_xlsx, found, chamada, container.clock.now(), concluido, tabela), XLSX
        case _:
            assert_never(formato)
    await _note_export(request, edital_id, formato, len(found.projetos))
    return _file(content, media_type, f"{name}.{formato}")


async def export_some(request: Request, edital_id: str, formato: Literal["csv", "xlsx"], codigos: Sequence[str]) -> Response:
    """Marked projects as a file with what people decided: a CSV of habilitação, or a workbook with every table; also of a call that was
    never screened. For those who manage. Raises ProjetoNotFound where none of them is in the edital.
    """
    container, scope = state_of(request).container, scope_of(request)
    chamada = await container.triagem.edital(scope, edital_id)
    known = known_in(chamada, codigos)
    if not known:
        raise ProjetoNotFound("Nenhum projeto marcado. Volte à lista e marque os que quer levar.")
    try:
        whole = await container.triagem.resultado(scope, edital_id)
    except TriagemNotFound:
        whole = Resultado(edital_id, "", (), ())
    found, concluido = only(whole, await container.conclusoes.todas(scope, edital_id), known)
    if formato == "csv":
        content, media_type = await asyncio.to_thread(to_csv, found, chamada, "habilitacao", concluido), _CSV
    else:
        content, media_type = await asyncio.to_thread(to_xlsx, found, chamada, container.clock.now(), concluido), XLSX
    await _note_export(request, edital_id, formato, len(known))
    return _file(content, media_type, f"selecao-{edital_id}.{formato}")


async def _note_export(request: Request, edital_id: str, formato: Formato, projetos: int) -> None:
    container, scope = state_of(request).container, scope_of(request)
    told = {"edital": edital_id, "formato": formato, "projetos": projetos}
    await container.auditoria.anotar(scope, NewEntry(acao="triagem.exportada", alvo=f"edital:{edital_id}", dados=told))


def _file(content: bytes, media_type: str, name: str) -> Response:
    return Response(content, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})
