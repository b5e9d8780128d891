"""`/autorizacoes/{id}/revisao`: what came, what the code decided and why, and where a person decides over it. Source: interfaces, Pages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.contracts import Mensagens
from crivo.autorizacoes.motivos import QUANTIDADE_INVALIDA
from crivo.autorizacoes.palavras import DECISOES
from crivo.autorizacoes.revisao import ReservaAusente, ReservaDeOutro, ReservasDemais, Revisao, RevisaoInvalida, RevisaoProposta
from crivo.kernel.errors import CrivoError, Problem
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.web.pages.autorizacoes.decisoes import address_of_regra
from crivo.web.pages.autorizacoes.fila import take_next
from crivo.web.pages.autorizacoes.fila_vista import QUEUE
from crivo.web.pages.autorizacoes.pessoas import keys_of, name_of, names_of
from crivo.web.pages.autorizacoes.prazo_vista import prazo_vista_of
from crivo.web.pages.autorizacoes.vista import DecisaoVista, RevisaoVista
from crivo.web.pages.formatos import hora
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/autorizacoes/{autorizacao_id}/revisao"
# Digits, with points between thousands or none, and at most three places after the comma.
_QUANTIDADE: Final = re.compile(r"(\d{1,9}|\d{1,3}(?:\.\d{3}){1,2})(?:,(\d{1,3}))?")
_FIELDS: Final = ("decisao", "quantidade", "motivo", "para_solicitante", "para_beneficiario")
_NAMES: Final[Mapping[str, str]] = {
    "decisao": "Decisão",
    "quantidade": "Quantidade aprovada",
    "motivo": "Motivo",
    "para_solicitante": "Mensagem para o solicitante",
    "para_beneficiario": "Mensagem para o beneficiário",
}
_FIELD_OF: Final[Mapping[str, str]] = {
    "decisao_final": "decisao",
    "quantidade_aprovada": "quantidade",
    "motivo": "motivo",
    "mensagens.para_solicitante": "para_solicitante",
    "mensagens.para_beneficiario": "para_beneficiario",
}
_SECOND_TRY: Final = "retomar"
_GO_ON: Final = "proxima"


@dataclass(frozen=True, slots=True)
class Escrito:
    """What a person has typed, and what is wrong with it, by field."""

    valores: Mapping[str, str]
    erros: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PosseVista:
    """Who has the decision in hand: `minha`, `de_outra` or `livre`, with their name and until when; `com_dono` where nobody has and it is
    somebody else's, with their name.
    """

    de: str
    quem: str
    ate: str


_NOTHING: Final = Escrito({}, {})


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, autorizacao_id: UUID) -> Response:
    """The decision beside the form, which is there for whoever has it in hand."""
    return await _page(request, autorizacao_id, _NOTHING)


@router.post(_PAGE, response_class=Response)
async def decidir(request: Request, autorizacao_id: UUID) -> Response:
    """Keep a person's decision and go on; whatever is refused comes back with the reason and all that was typed."""
    form = await read_form(request)
    # A form may name a charset whose text UTF-8 cannot hold.
    valores = {name: form.get(name, "").encode("utf-8", "replace").decode().replace("\r\n", "\n") for name in _FIELDS}
    revisoes, scope = state_of(request).container.revisoes, scope_of(request)
    try:
        if form.get("acao") == _SECOND_TRY:
            await revisoes.reservar(scope, autorizacao_id)
            return await _page(request, autorizacao_id, Escrito(valores, {}), retomada=True)
        await revisoes.decidir(scope, autorizacao_id, _proposta(valores))
    except RevisaoInvalida as error:
        return await _page(request, autorizacao_id, Escrito(valores, _by_field(error)), error)
    except (ReservaAusente, ReservaDeOutro, ReservasDemais) as error:
        if not _is_kept(await revisoes.historico(scope, autorizacao_id), scope.ator, valores):
            return await _page(request, autorizacao_id, Escrito(valores, {}), error)
    return await _gone_on(request, autorizacao_id, form.get("acao", ""))


async def _gone_on(request: Request, autorizacao_id: UUID, acao: str) -> Response:
    if acao != _GO_ON:
        return RedirectResponse(f"/autorizacoes/{autorizacao_id}?ok=gravado", status_code=303)
    try:
        following = await take_next(request)
    except ReservasDemais:  # the queue shows which are in hand
        following = None
    return RedirectResponse(f"/autorizacoes/{following}/revisao?ok=gravado" if following else f"{QUEUE}?ok=gravado", status_code=303)


async def _page(
    request: Request, autorizacao_id: UUID, escrito: Escrito, recusa: CrivoError | None = None, *, retomada: bool = False
) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    autorizacao = await container.autorizacoes.ler(scope, autorizacao_id, "pagina")
    names, keys = await names_of(request), await keys_of(request, autorizacao.id)
    reserva = await container.revisoes.reserva(scope, autorizacao_id)
    vista = DecisaoVista.of(autorizacao)
    dono = await container.revisoes.dono(scope, autorizacao_id)
    if reserva is None:
        posse = PosseVista("com_dono", name_of(dono, names), "") if dono not in ("", scope.ator) else PosseVista("livre", "", "")
    else:
        mine = reserva.revisor == scope.ator
        posse = PosseVista("minha" if mine else "de_outra", name_of(reserva.revisor, names), hora(reserva.ate))
    return page(
        request,
        "autorizacoes/revisao.html",
        200 if recusa is None else status_of(recusa),
        vista=vista,
        regra=await address_of_regra(request, autorizacao, vista),
        revisoes=[RevisaoVista.of(one, names, keys) for one in await container.revisoes.historico(scope, autorizacao_id)],
        substituta=await container.autorizacoes.substituida_por(scope, autorizacao),
        posse=posse,
        prazo=await prazo_vista_of(request, autorizacao),
        pode_rever=pode(request, "autorizacoes.revisar"),
        pode_liberar=pode(request, "autorizacoes.liberar_de_outro"),
        pode_distribuir=pode(request, "autorizacoes.distribuir"),
        opcoes=[("", "Escolha"), *((codigo, rotulo.palavra) for codigo, rotulo in DECISOES.items())],
        valores={name: escrito.valores.get(name, "") for name in _FIELDS},
        erros={name: escrito.erros.get(name, "") for name in _FIELDS},
        campos_errados=[(name, _NAMES[name]) for name in _FIELDS if escrito.erros.get(name)],
        nomes={caminho: _NAMES[field] for caminho, field in _FIELD_OF.items()},
        escreveu=any(escrito.valores.values()),
        recusa=recusa,
        retomada=retomada,
    )


def _proposta(valores: Mapping[str, str]) -> RevisaoProposta:
    """What was typed, as the product takes it. Raises RevisaoInvalida."""
    told = (valores["para_solicitante"], valores["para_beneficiario"])
    fields = {
        "decisao_final": valores["decisao"],
        "motivo": valores["motivo"],
        "quantidade_aprovada": _quantity(valores["quantidade"]),
        "mensagens": Mensagens(*told) if any(one.strip() for one in told) else None,
    }
    try:
        return msgspec.convert(fields, RevisaoProposta)
    except msgspec.ValidationError:  # a decision is all that can be none of ours: the rest is text
        problem = Problem("Escolha a decisão.", "decisao_final", codigo="decisao_ausente")
        raise RevisaoInvalida(problem.mensagem, [problem]) from None


def _quantity(text: str) -> int | float | None:
    """A number as Brazilians write it; None where nothing is written. Raises RevisaoInvalida."""
    if not text.strip():
        return None
    found = _QUANTIDADE.fullmatch(text.strip())
    if found is None:
        problem = Problem("Escreva a quantidade com algarismos, como 2 ou 1,5.", "quantidade_aprovada", codigo=QUANTIDADE_INVALIDA)
        raise RevisaoInvalida(problem.mensagem, [problem])
    whole = int(found[1].replace(".", ""))
    return float(f"{whole}.{found[2]}") if found[2] else whole


def _by_field(error: CrivoError) -> dict[str, str]:
    return {_FIELD_OF.get(problem.caminho, "motivo"): problem.mensagem for problem in error.problemas}


def _is_kept(revisoes: tuple[Revisao, ...], ator: str, valores: Mapping[str, str]) -> bool:
    """Whether the very decision that is sent was kept a moment ago: a button was pressed twice."""
    if not revisoes:
        return False
    latest = revisoes[0]
    return (latest.revisor, latest.decisao_final, latest.motivo) == (ator, valores["decisao"], mask_cpfs(valores["motivo"].strip()))
