"""`/admin/editais/novo` and `…/{id}/editar`: an edital is written, changed, and tried over its projects. Source: design, Pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.triagem.categorias import foreign
from crivo.triagem.chamadas.efeito import LISTADOS_MAXIMO
from crivo.triagem.chamadas.moldes import moldes
from crivo.triagem.chamadas.mudancas import changes_between
from crivo.triagem.chamadas.servico import Aberta
from crivo.triagem.edital import Chamada, Formato
from crivo.triagem.erros import EditalJaExiste, MudancaRecusada
from crivo.triagem.palavras import count
from crivo.web.body import limited
from crivo.web.pages import csrf
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.chamada.escrito import EDITAL, Escrito, add_category, apply_act, one, read_fields, settle_codes
from crivo.web.pages.triagem.chamada.leitura import Erro, Lida, read_escrito, tell
from crivo.web.pages.triagem.chamada.mostra import blank, show
from crivo.web.pages.triagem.chamada.palavras import MOMENTO, OPERADOR, ORCAMENTO, ORDEM, VALIDADE
from crivo.web.pages.triagem.chamada.valores import read_lines
from crivo.web.pages.triagem.chamada.vista import EfeitoVista, Formulario, MudancaVista, places_of
from crivo.web.problems import headers_of, status_of
from crivo.web.state import hold, scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(include_in_schema=False)
_LIST: Final = "/admin/editais"
_NOVO: Final = "/admin/editais/novo"
_EDITAR: Final = "/admin/editais/{edital_id}/editar"
_FORM_BYTES: Final = 8_000_000  # the text of an edital may have a million letters, and each may take six bytes of a form
_MOST_FIELDS: Final = 20_000
_ACT: Final = "acao"
_CHECKED: Final = "conferido"
_ANSWERED_HERE: Final = (Kind.CONFLICT, Kind.INVALID)
_FORMATOS: Final[tuple[Formato, ...]] = ("pdf", "docx", "odt", "xlsx", "csv", "txt", "jpg", "png", "tiff")


@router.get(_NOVO, response_class=Response)
async def novo(request: Request, molde: Annotated[str, Query(max_length=40)] = "") -> Response:
    """The form of an edital that is begun: blank, or as a call of a kind usually is."""
    known = moldes().get(molde)
    if known is None:
        return _page(request, blank(), molde="")
    escrito = show(known.as_chamada())
    for nome in ("id", "data_referencia"):  # what only this edital has is for somebody to say
        escrito.edital.pop(nome, None)
    return _page(request, escrito, molde=molde)


@router.post(_NOVO, response_class=Response)
async def criar(request: Request) -> Response:
    """Begin the edital, or show the form again with what was typed: a row more or less, or what is wrong."""
    escrito, fields = await _read(request)
    molde = fields.get("molde", "")
    if apply_act(escrito, fields.get(_ACT, "")) is not None:
        return _page(request, escrito, molde=molde)
    lida = read_escrito(escrito)
    if lida.chamada is None:
        return _page(request, escrito, lida, molde=molde)
    try:
        await state_of(request).container.chamadas.criar(scope_of(request), lida.chamada)
    except EditalJaExiste as error:
        erro = Erro(f"{EDITAL}.id", f"{error.titulo}. {error.mensagem}", "Dados do edital")
        return _page(request, escrito, Lida(None, (erro,)), molde=molde)
    return RedirectResponse(f"{_LIST}/{lida.chamada.edital.id}/projetos?ok=edital", status_code=303)


@router.get(_EDITAR, response_class=Response)
async def editar(request: Request, edital_id: EditalId) -> Response:
    """The form of an edital as it stands."""
    aberta = await state_of(request).container.chamadas.abrir(scope_of(request), edital_id)
    return _page(request, show(aberta.chamada), aberta=aberta, visto=aberta.visto)


@router.post(_EDITAR, response_class=Response)
async def mudar(request: Request, edital_id: EditalId) -> Response:
    """Show what a change would come to, show what changes, or keep it; with projects it is kept only as it was last shown."""
    escrito, fields = await _read(request)
    container, scope = state_of(request).container, scope_of(request)
    aberta = await container.chamadas.abrir(scope, edital_id)
    visto, acao = _number(fields.get("visto", "")), fields.get(_ACT, "")
    if apply_act(escrito, acao) is not None or add_category(escrito, acao):
        return _page(request, escrito, aberta=aberta, visto=visto)
    escrito.edital["id"] = [edital_id]  # by its code it is found: no form says another
    lida = read_escrito(escrito, aberta.chamada)
    chamada = lida.chamada
    if chamada is None:
        return _page(request, escrito, lida, aberta=aberta, visto=visto)
    if acao == "efeito":
        hold(request, state_of(request).importacoes)
        efeito = await container.chamadas.efeito(scope, edital_id, chamada)
        seen = _warned(lida, efeito.avisos, escrito)
        return _page(request, escrito, seen, aberta=aberta, visto=visto, efeito=EfeitoVista.of(efeito, chamada.edital))
    if aberta.projetos and not _is_checked(fields, aberta.chamada, chamada):
        seen = _warned(lida, await container.chamadas.conferir(scope, edital_id, chamada), escrito)
        return _page(request, escrito, seen, aberta=aberta, visto=visto, confere=chamada)
    try:
        await container.chamadas.salvar(scope, edital_id, chamada, visto)
    except MudancaRecusada as error:
        erros = tell(error.problemas, escrito)
        return _page(request, escrito, Lida(None, erros), error, aberta=aberta, visto=visto)
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE:
            raise
        return _page(request, escrito, lida, error, aberta=aberta, visto=visto)
    return RedirectResponse(f"{_EDITAR.format(edital_id=edital_id)}?ok=alterado", status_code=303)


async def _read(request: Request) -> tuple[Escrito, dict[str, str]]:
    """The form, and its fields beside the edital's own. Raises FormularioDeFora, CorpoGrandeDemais."""
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=_MOST_FIELDS) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        fields = [(name, value) for name, value in form.multi_items() if isinstance(value, str)]
    escrito = read_fields(fields)
    settle_codes(escrito)
    return escrito, {name: value for name, value in fields if "." not in name}


def _warned(lida: Lida, avisos: Iterable[Problem], escrito: Escrito) -> Lida:
    """The same with what deserves a look in the projects."""
    return replace(lida, avisos=(*lida.avisos, *tell(avisos, escrito)))


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


def _is_checked(fields: dict[str, str], antes: Chamada, depois: Chamada) -> bool:
    """Whether what is to be kept is what was shown to change."""
    return fields.get(_ACT) == "confirmar" and fields.get(_CHECKED) == _fingerprint(antes, depois)


def _fingerprint(antes: Chamada, depois: Chamada) -> str:
    from crivo.triagem.quadro import digest_of  # here, as hardly any page needs it

    return digest_of((antes.edital, antes.requisitos, antes.criterios, depois.edital, depois.requisitos, depois.criterios)).hex()[:32]


def _page(
    request: Request,
    escrito: Escrito,
    lida: Lida | None = None,
    recusa: CrivoError | None = None,
    *,
    molde: str = "",
    aberta: Aberta | None = None,
    visto: int = 0,
    efeito: EfeitoVista | None = None,
    confere: Chamada | None = None,
) -> Response:
    edital_id = aberta.chamada.edital.id if aberta else ""
    erros = lida.erros if lida else ()
    status = status_of(recusa) if recusa else 422 if erros else 200
    known = moldes().get(molde)
    return page(
        request,
        "triagem/chamada.html",
        status,
        headers_of(recusa) if recusa else {},
        endereco=_EDITAR.format(edital_id=edital_id) if aberta else _NOVO,
        edital_id=edital_id,
        nome=aberta.chamada.edital.nome if aberta else "",
        formulario=Formulario.of(escrito, erros),
        recusa=recusa,
        avisos=places_of(lida.avisos) if lida else (),
        fora=_foreign(aberta, escrito) if aberta else (),
        aberta=aberta,
        feito_por_pessoas=_done(aberta) if aberta else "",
        visto=visto,
        por_gravar=request.method == "POST",
        molde=molde if known else "",
        moldes=moldes(),
        confira=known.confira if known else (),
        efeito=efeito,
        mais=LISTADOS_MAXIMO,
        **_changes(aberta, confere),
        operadores=list(OPERADOR.items()),
        momentos=list(MOMENTO.items()),
        ordens=list(ORDEM.items()),
        orcamentos=list(ORCAMENTO.items()),
        validades=list(VALIDADE.items()),
        formatos=_FORMATOS,
    )


def _foreign(aberta: Aberta, escrito: Escrito) -> list[tuple[str, str, str]]:
    """The categorias that projects say and the form does not: name, how many projects, and where these are found."""
    mesa = f"{_LIST}/{aberta.chamada.edital.id}/mesa"
    lacking = sorted(foreign(aberta.categorias, read_lines(one(escrito.edital, "categorias"))))
    return [
        (nome, count(aberta.categorias[nome], "projeto", "projetos"), f"{mesa}?{urlencode({'visao': 'todos', 'categoria': nome})}")
        for nome in lacking
    ]


def _changes(aberta: Aberta | None, confere: Chamada | None) -> dict[str, Any]:
    """What is to be confirmed: each change in words, and the mark of what was shown."""
    if aberta is None or confere is None:
        return {"mudancas": None, "conferido": ""}
    found = changes_between(aberta.chamada, confere)
    mudancas = [MudancaVista.of(one, aberta.chamada.edital, confere.edital) for one in found]
    return {"mudancas": mudancas, "conferido": _fingerprint(aberta.chamada, confere)}


def _done(aberta: Aberta) -> str:
    """What people did in an edital already, which a change leaves as it is."""
    notas = sum(aberta.notas.values())
    parts = []
    if aberta.decididos:
        parts.append(count(aberta.decididos, "decisão de habilitação", "decisões de habilitação"))
    if notas:
        parts.append(count(notas, "nota", "notas"))
    return " e ".join(parts)
