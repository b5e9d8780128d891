"""`/admin/editais/{id}/recursos`: the recursos of an edital, one that came on paper, and the codes that they come in with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.clock import today
from crivo.kernel.errors import CrivoError
from crivo.triagem.erros import ProjetoNotFound
from crivo.triagem.palavras import shown
from crivo.triagem.recursos.codigos import shown as code_shown
from crivo.triagem.recursos.contratos import Recurso
from crivo.triagem.recursos.erros import ForaDoPrazo, RecursoInvalido
from crivo.triagem.recursos.palavras import CONTRA
from crivo.triagem.recursos.peticoes import LONGEST_REASON, Digitado
from crivo.triagem.recursos.recebimento import LARGEST_PAPER, LONGEST_TEXT, MOST_PAPERS
from crivo.triagem.recursos.servico import Listados
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.recurso_papeis_enviados import read_with_papers
from crivo.web.pages.triagem.recurso_vista import RecursoVisto, base_of, prazo_dito
from crivo.web.problems import CorpoGrandeDemais, headers_of, status_of
from crivo.web.state import hold, pode, scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/recursos"
_FILTERS: Final = (("", "Todos"), ("abertos", "Esperam resposta"), ("respondidos", "Respondidos"), ("resultado", "Contra o resultado"))
_MORE: Final = (("habilitacao", "Contra a habilitação"),)


@dataclass(frozen=True, slots=True)
class _Digitado:
    """What was typed in and refused, all but the files."""

    projeto: str = ""
    contra: str = ""
    texto: str = ""
    apresentado_em: str = ""
    tardio: str = ""
    tinha_papeis: bool = False


@router.get(_PAGE, response_class=Response)
async def listar(request: Request, edital_id: EditalId, com: Annotated[str, Query(max_length=20)] = "") -> Response:
    """The recursos, those that wait first."""
    found: Listados = await state_of(request).container.recursos.listar(scope_of(request), edital_id)
    base = base_of(edital_id)
    chosen = [one for one in found.recursos if _answers(one, com)]
    rows = [RecursoVisto.of(one, found.cabecalhos.get(one.projeto_id), {}, found.nomes, base) for one in _in_order(chosen)]
    waiting = sum(one.aberto for one in found.recursos)
    return page(
        request,
        "triagem/recursos.html",
        edital=shown(found.edital_nome),
        base=base,
        triagem=_screening(edital_id),
        prazo=prazo_dito(found.prazo, found.agora),
        recursos=rows,
        todos=len(found.recursos),
        esperam=waiting,
        fichas=[(nome, f"{base}?com={valor}" if valor else base, valor == com) for valor, nome in (*_FILTERS, *_MORE)],
        pode_registrar=pode(request, "triagem.registrar_recursos"),
    )


@router.get(f"{_PAGE}/novo", response_class=Response)
async def escrever(request: Request, edital_id: EditalId, projeto: Annotated[str, Query(max_length=64)] = "") -> Response:
    """Where a recurso that came on paper is typed in."""
    return await _form(request, edital_id, _Digitado(projeto, apresentado_em=today(state_of(request).container.clock).isoformat()))


@router.post(f"{_PAGE}/novo", response_class=Response)
async def registrar(request: Request, edital_id: EditalId) -> Response:
    """Keep it; what is refused comes back with what was written."""
    hold(request, state_of(request).recursos)
    escrito = _Digitado()
    try:
        fields, papeis = await read_with_papers(request, com_sessao=True)
        written = {name: fields.get(name, "") for name in ("projeto", "contra", "texto", "apresentado_em", "tardio")}
        escrito = _Digitado(**written, tinha_papeis=bool(papeis))
        digitado = Digitado(
            escrito.projeto.strip(), escrito.contra, escrito.texto, _read_day(escrito.apresentado_em), escrito.tardio, papeis
        )
        made: Recurso = await state_of(request).container.peticoes.registrar(scope_of(request), edital_id, digitado)
    except (RecursoInvalido, ForaDoPrazo, ProjetoNotFound, CorpoGrandeDemais) as error:
        return await _form(request, edital_id, escrito, error)
    return RedirectResponse(f"{base_of(edital_id)}/{made.numero}?ok=recurso_registrado", status_code=303)


@router.get(f"{_PAGE}/codigos", response_class=Response)
async def codigos(request: Request, edital_id: EditalId, projeto: Annotated[str, Query(max_length=64)] = "") -> Response:
    """The code of each project, to be handed over or printed; of one project alone where it is named."""
    container, scope = state_of(request).container, scope_of(request)
    codes = await container.peticoes.codigos(scope, edital_id)
    chosen = {one: code for one, code in codes.items() if not projeto or one == projeto}
    edital, cabecalhos = await container.painel.cabecalhos(scope, edital_id, sorted(chosen))
    onde = f"{container.settings.endereco}/recursos/{scope.tenant_id}"
    rows = [
        (one, shown(quem.titulo) if (quem := cabecalhos.get(one)) else "", code_shown(code), f"{onde}/{code}")
        for one, code in chosen.items()
    ]
    return page(
        request,
        "triagem/recurso_codigos.html",
        edital=shown(edital.nome),
        base=base_of(edital_id),
        triagem=_screening(edital_id),
        onde=onde,
        linhas=rows,
        um=projeto,
    )


@router.post(f"{_PAGE}/codigos", response_class=Response)
async def trocar(request: Request, edital_id: EditalId) -> Response:
    """Another code for a project; or a letter with its code to each."""
    fields, peticoes = await read_form(request), state_of(request).container.peticoes
    if fields.get("acao") == "enviar":
        await peticoes.enviar_codigos(scope_of(request), edital_id)
        return RedirectResponse(f"{base_of(edital_id)}/codigos?ok=codigos_enviados", status_code=303)
    projeto = fields.get("projeto", "")
    await peticoes.trocar_codigo(scope_of(request), edital_id, projeto)
    return RedirectResponse(f"{base_of(edital_id)}/codigos?projeto={quote(projeto, safe='')}&ok=codigo_trocado", status_code=303)


async def _form(request: Request, edital_id: str, escrito: _Digitado, recusa: CrivoError | None = None) -> Response:
    found = await state_of(request).container.recursos.listar(scope_of(request), edital_id)
    return page(
        request,
        "triagem/recurso_novo.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        edital=shown(found.edital_nome),
        base=base_of(edital_id),
        triagem=_screening(edital_id),
        prazo=prazo_dito(found.prazo, found.agora),
        contras=list(CONTRA.items()),
        escrito=escrito,
        recusa=recusa,
        texto_maximo=LONGEST_TEXT,
        motivo_maximo=LONGEST_REASON,
        papeis_maximo=MOST_PAPERS,
        mega_maximo=LARGEST_PAPER // 1_000_000,
    )


def _answers(recurso: Recurso, com: str) -> bool:
    match com:
        case "abertos":
            return recurso.aberto
        case "respondidos":
            return not recurso.aberto
        case "resultado" | "habilitacao":
            return recurso.contra == com
        case _:
            return True


def _in_order(found: list[Recurso]) -> list[Recurso]:
    return sorted(found, key=lambda one: (not one.aberto, one.numero))


def _read_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise RecursoInvalido("Diga em que dia o recurso foi entregue.", campo="apresentado_em") from None


def _screening(edital_id: str) -> str:
    return f"/admin/editais/{quote(edital_id, safe='')}/triagem-ia"
