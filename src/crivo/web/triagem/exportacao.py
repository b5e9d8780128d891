"""What a screening found, as a file that somebody takes home."""

from __future__ import annotations

import asyncio
from typing import Final, Literal, assert_never

from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.atos import NewEntry
from crivo.triagem.exportacao import NomeTabela, to_csv, to_json, to_xlsx
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import resultado_seen

Formato = Literal["csv", "xlsx", "json"]
XLSX: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
_JSON: Final = "application/json"
_CSV: Final = "text/csv; charset=utf-8"


async def export(request: Request, edital_id: str, formato: Formato, tabela: NomeTabela) -> Response:
    """The last finished result as a file, as far as whoever asks may see it."""
    found = await resultado_seen(request, edital_id)
    container = state_of(request).container
    match formato:
        case "json":
            content, media_type, name = await asyncio.to_thread(to_json, found), _JSON, f"triagem-{edital_id}.json"
        case "csv":
            chamada = await container.triagem.edital(scope_of(request), edital_id)
            content, media_type = await asyncio.to_thread(to_csv, found, chamada, tabela), _CSV
            name = f"triagem-{edital_id}-{tabela}.csv"
        case "xlsx":
            chamada = await container.triagem.edital(scope_of(request), edital_id)
            content, media_type = await asyncio.to_thread(to_xlsx, found, chamada, container.clock.now()), XLSX
            name = f"triagem-{edital_id}.xlsx"
        case _:
            assert_never(formato)
    told = {"edital": edital_id, "formato": formato, "projetos": len(found.projetos)}
    await container.auditoria.anotar(scope_of(request), NewEntry(acao="triagem.exportada", alvo=f"edital:{edital_id}", dados=told))
    return Response(content, media_type=media_type, headers={"content-disposition": f'attachment; filename="{name}"'})
