"""`/admin/editais/{id}/casos/{numero}`: a case by itself, and where what people say of it is sent to, from whatever page shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote, urlsplit
from uuid import UUID

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access.usuarios import usuario_id_of
from crivo.kernel.errors import CrivoError
from crivo.triagem.casos.guardados import Caso, SituacaoCaso, named_in
from crivo.triagem.erros import CasoInvalido, CasoMudou
from crivo.triagem.palavras import DECISAO_HUMANA, SINAL, shown
from crivo.triagem.tratamento import LONGEST_TEXT, Casos
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.abas import quem_by_code
from crivo.web.pages.triagem.caso_marca import caso_address
from crivo.web.pages.triagem.caso_vista import CasoVista
from crivo.web.pages.triagem.enderecos import Enderecos
from crivo.web.problems import status_of
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/casos/{numero}"
Numero = Annotated[int, Path(ge=1, le=1_000_000_000)]
_DECISOES: Final[Mapping[str, SituacaoCaso]] = {"confirmar": "confirmado", "descartar": "descartado", "reabrir": "aberto"}


@dataclass(frozen=True, slots=True)
class Recusado:
    """What was sent and not kept: what was to be done, what was written, and why it was not."""

    acao: str
    texto: str
    titulo: str
    mensagem: str


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """The case with all that was said of it."""
    return await _page(request, edital_id, numero, f"/admin/editais/{edital_id}/triagem-ia?aba=irregularidades")


@router.post(_PAGE, response_class=Response)
async def agir(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """Decide, undo, take, let go or note, and go back to where it was done; what is not kept comes back on the page of the case."""
    fields = await read_form(request)
    acao, texto, volta = fields.get("acao", ""), fields.get("texto", ""), _within(edital_id, fields.get("volta", ""))
    try:
        ok = await _do(request, edital_id, numero, acao, texto, fields.get("visto", ""))
    except (CasoInvalido, CasoMudou) as error:
        return await _page(request, edital_id, numero, volta, error, Recusado(acao, texto, error.titulo, error.mensagem))
    where, _, _ = (volta or caso_address(edital_id, numero)).partition("#")
    return RedirectResponse(f"{where}{'&' if '?' in where else '?'}ok={ok}#caso-{numero}", status_code=303)


async def _do(request: Request, edital_id: str, numero: int, acao: str, texto: str, visto: str) -> str:
    """Do what a button asks for; the code of what the page says then. Raises CasoInvalido, CasoMudou."""
    casos: Casos = state_of(request).container.casos
    scope = scope_of(request)
    if acao in _DECISOES:
        await casos.decidir(scope, edital_id, numero, _DECISOES[acao], texto, _read_version(visto))
        return "caso_decidido"
    match acao:
        case "desfazer":
            await casos.desfazer(scope, edital_id, numero, _read_version(visto))
            return "caso_desfeito"
        case "assumir":
            await casos.assumir(scope, edital_id, numero, usuario_id_of(scope.ator))
            return "caso_assumido"
        case "soltar":
            await casos.assumir(scope, edital_id, numero, None)
            return "caso_solto"
        case "anotar":
            await casos.anotar(scope, edital_id, numero, texto)
            return "caso_anotado"
        case _:
            raise CasoInvalido("Escolha o que fazer com o caso: confirmar, descartar, reabrir, desfazer, assumir ou anotar.")


async def _page(
    request: Request,
    edital_id: str,
    numero: int,
    volta: str,
    recusa: CrivoError | None = None,
    recusado: Recusado | None = None,
) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    caso: Caso = await container.casos.abrir(scope, edital_id, numero)
    edital, cabecalhos = await container.painel.cabecalhos(scope, edital_id, sorted(named_in((caso,))))
    quem = quem_by_code(cabecalhos)
    enderecos = Enderecos.of(edital_id, {codigo: one.arquivos for codigo, one in cabecalhos.items()})
    return page(
        request,
        "triagem/caso_pagina.html",
        status=200 if recusa is None else status_of(recusa),
        edital=shown(edital.nome),
        triagem=f"/admin/editais/{edital_id}/triagem-ia",
        volta=volta,
        caso=CasoVista.of(caso, quem, enderecos, eu_of(request)),
        recusado=recusado,
        texto_maximo=LONGEST_TEXT,
        humana=DECISAO_HUMANA,
        sinal=SINAL,
    )


def eu_of(request: Request) -> str:
    """The id of the person who looks, as a case tells of whose it is; empty where it is no person."""
    usuario: UUID | None = usuario_id_of(scope_of(request).ator)
    return "" if usuario is None else str(usuario)


def _within(edital_id: str, volta: str) -> str:
    """An address of the same edital; empty for any other, as a form may name whatever it likes."""
    parts = urlsplit(volta) if volta.isprintable() and "\\" not in volta else urlsplit("")
    here = f"/admin/editais/{quote(edital_id, safe='')}/"
    return volta if not parts.scheme and not parts.netloc and parts.path.startswith(here) and ".." not in parts.path else ""


def _read_version(visto: str) -> int:
    return int(visto) if visto.isascii() and visto.isdigit() and len(visto) < 10 else -1
