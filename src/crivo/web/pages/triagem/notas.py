"""`/admin/editais/{id}/notas`: notas and habilitações that people gave outside come in, in a spreadsheet.

The file is held against the edital and what it would change is shown; it comes back with the confirmation, as nothing of it is kept before.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final
from urllib.parse import quote

from fastapi import APIRouter
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.planilha.arquivo import PLANILHA_MAXIMO
from crivo.triagem.palavras import HABILITACAO, count, number, shown
from crivo.triagem.planilha.erros import PlanilhaMudou, PlanilhaRecusada
from crivo.triagem.planilha.palavras import antes_said, said
from crivo.triagem.planilha.previa import PreviaDeNotas
from crivo.web.body import limited
from crivo.web.pages import csrf
from crivo.web.pages.rendering import page
from crivo.web.problems import headers_of, status_of
from crivo.web.state import hold, scope_of, state_of
from crivo.web.triagem.acesso import XLSX, EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/notas"
_MODEL: Final = f"{_PAGE}/modelo"
_BRING: Final = f"{_PAGE}/trazer"
_FORM_OVERHEAD_BYTES: Final = 100_000
_AS_TEXT: Final = 4 * ((PLANILHA_MAXIMO + 2) // 3)  # bytes of the file as a field of a form
_SHOWN: Final = 200
_ANSWERED_HERE: Final = (Kind.MALFORMED, Kind.INVALID, Kind.TOO_LARGE, Kind.CONFLICT)


class SemPlanilha(CrivoError):
    """A form without its file."""

    codigo: ClassVar[str] = "sem_planilha"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Falta a planilha"
    campo = "planilha"


@dataclass(frozen=True, slots=True)
class PreviaVista:
    """A preview in words: figures, what changes line by line, whom it brings, what deserves a look, and the words of the button."""

    numeros: tuple[tuple[str, str, str], ...]
    mudadas: tuple[tuple[str, str, str, str, str], ...]
    mais_mudadas: int
    decisoes: tuple[tuple[str, str, str], ...]
    mais_decisoes: int
    pessoas_novas: tuple[str, ...]
    avisos: tuple[tuple[str, str], ...]
    mais_avisos: int
    em_branco: str
    muda: bool
    acao: str

    @classmethod
    def of(cls, previa: PreviaDeNotas) -> PreviaVista:
        """The preview as the page shows it."""
        notas, decisoes = previa.notas_novas + previa.notas_mudadas, previa.decisoes_novas + previa.decisoes_mudadas
        told = [count(notas, "nota", "notas")] if notas else []
        told += [count(decisoes, "habilitação", "habilitações")] if decisoes else []
        equal = previa.notas_iguais + previa.decisoes_iguais
        return cls(
            (
                ("Notas novas", number(previa.notas_novas), ""),
                ("Notas que mudam", number(previa.notas_mudadas), ""),
                ("Habilitações novas", number(previa.decisoes_novas), ""),
                ("Habilitações que mudam", number(previa.decisoes_mudadas), ""),
                ("Já estavam aqui", number(equal), "e ficam como estão"),
            ),
            tuple([(one.projeto, one.criterio, shown(one.nome), antes_said(one), said(one.agora)) for one in previa.mudadas[:_SHOWN]]),
            max(0, previa.notas_mudadas - _SHOWN),
            tuple([(one.projeto, HABILITACAO[one.antes].palavra, HABILITACAO[one.agora].palavra) for one in previa.decisoes[:_SHOWN]]),
            max(0, previa.decisoes_mudadas - _SHOWN),
            tuple([shown(one) for one in previa.pessoas_novas]),
            tuple([(onde, _sentence(mensagem)) for onde, mensagem in previa.avisos]),
            max(0, previa.avisos_no_total - len(previa.avisos)),
            _left_aside(previa.em_branco),
            previa.muda,
            f"Importar {' e '.join(told)}",
        )


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, edital_id: EditalId) -> Response:
    """How notas come in, and the model to fill in."""
    return await _page(request, edital_id)


@router.get(_MODEL, response_class=Response)
async def modelo(request: Request, edital_id: EditalId) -> Response:
    """The workbook to fill in."""
    return _workbook(await state_of(request).container.notas_trazidas.modelo(scope_of(request), edital_id), f"notas-{edital_id}.xlsx")


@router.post(_PAGE, response_class=Response)
async def conferir(request: Request, edital_id: EditalId) -> Response:
    """What the spreadsheet would change, or every fault of it by its cell; or the same spreadsheet with its faults noted in it."""
    hold(request, state_of(request).importacoes)
    content, fields = await _read(request)
    if content is None:
        return await _page(request, edital_id, recusa=SemPlanilha("Escolha uma planilha .xlsx ou .csv, como o modelo do edital."))
    trazidas, scope = state_of(request).container.notas_trazidas, scope_of(request)
    try:
        if fields.get("acao") == "anotar":
            return _workbook(await trazidas.anotar(scope, edital_id, content), f"notas-{edital_id}-problemas.xlsx")
        return await _page(request, edital_id, content, previa=await trazidas.conferir(scope, edital_id, content))
    except CrivoError as error:
        return await _refused(request, edital_id, content, error)


@router.get(_BRING, response_class=Response)
async def voltar(edital_id: EditalId) -> Response:
    """Where a spreadsheet is sent again: the page itself."""
    return RedirectResponse(_address(edital_id), status_code=303)


@router.post(_BRING, response_class=Response)
async def trazer(request: Request, edital_id: EditalId) -> Response:
    """Bring in what the preview said; where something changed since, nothing is, and the preview of now is shown."""
    hold(request, state_of(request).importacoes)
    content, fields = await _read(request)
    if content is None:
        return await _page(request, edital_id, recusa=SemPlanilha("A planilha não veio com a confirmação. Envie-a de novo."))
    try:
        await state_of(request).container.notas_trazidas.trazer(scope_of(request), edital_id, content, fields.get("prevista", ""))
    except PlanilhaMudou as error:
        return await _page(request, edital_id, content, previa=error.nova, recusa=error)
    except CrivoError as error:
        return await _refused(request, edital_id, content, error)
    return RedirectResponse(f"{_address(edital_id)}?ok=notas", status_code=303)


def _sentence(mensagem: str) -> str:
    return shown(mensagem[:1].upper() + mensagem[1:])


def _left_aside(linhas: int) -> str:
    return count(linhas, "linha em branco foi deixada de lado", "linhas em branco foram deixadas de lado") if linhas else ""


async def _read(request: Request) -> tuple[bytes | None, dict[str, str]]:
    """The file, as it was chosen or as it came back, and the other fields. Raises FormularioDeFora, CorpoGrandeDemais."""
    csrf.check_origin(request)
    async with limited(request, _AS_TEXT + _FORM_OVERHEAD_BYTES).form(max_files=1, max_fields=10, max_part_size=_AS_TEXT) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        content = await _content(form)
        return content, {name: value for name, value in form.items() if isinstance(value, str) and name != "guardada"}


async def _content(form: FormData) -> bytes | None:
    sent, kept = form.get("planilha"), form.get("guardada")
    if isinstance(sent, UploadFile) and sent.size:
        return await sent.read()
    if isinstance(kept, str) and kept:
        try:
            return base64.b64decode(kept, validate=True)
        except (binascii.Error, ValueError):
            return None
    return None


async def _refused(request: Request, edital_id: str, content: bytes, error: CrivoError) -> Response:
    if error.kind not in _ANSWERED_HERE:
        raise error
    if isinstance(error, PlanilhaRecusada):
        faults = [(one.caminho, _sentence(one.mensagem)) for one in error.problemas if one.caminho]
        return await _page(request, edital_id, content, recusa=error, faults=faults, total=error.total)
    return await _page(request, edital_id, recusa=error)


async def _page(
    request: Request,
    edital_id: str,
    content: bytes | None = None,
    *,
    previa: PreviaDeNotas | None = None,
    recusa: CrivoError | None = None,
    faults: Sequence[tuple[str, str]] = (),
    total: int = 0,
) -> Response:
    aberta = await state_of(request).container.chamadas.abrir(scope_of(request), edital_id)
    return page(
        request,
        "triagem/notas.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        endereco=_address(edital_id),
        base=f"/admin/editais/{quote(edital_id, safe='')}",
        edital=aberta.chamada.edital,
        criterios=aberta.chamada.criterios,
        projetos=aberta.projetos,
        maximo=PLANILHA_MAXIMO // 1_000_000,
        previa=None if previa is None else PreviaVista.of(previa),
        prevista="" if previa is None else previa.prevista,
        guardada="" if content is None else base64.b64encode(content).decode(),
        recusa=recusa,
        faltas=faults[:_SHOWN],
        mais_faltas=max(0, total - _SHOWN),
    )


def _address(edital_id: str) -> str:
    return _PAGE.format(edital_id=quote(edital_id, safe=""))


def _workbook(content: bytes, name: str) -> Response:
    return Response(content, media_type=XLSX, headers={"content-disposition": f'attachment; filename="{name}"'})
