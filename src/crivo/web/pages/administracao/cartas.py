"""`/admin/cartas`: the letters that wait, went and failed; one that does not go is tried again, or said to be delivered otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, assert_never
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.cartas.guardada import Falha, Situacao, Via
from crivo.kernel.cartas.servico import LONGEST_REASON, Caixa, Linha, MotivoInvalido
from crivo.web.pages.formulario import read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/cartas"


@dataclass(frozen=True, slots=True)
class AbaDeCartas:
    """Letters that belong together: what they are called, in which situations they are, and whether they only went into a file."""

    nome: str
    situacoes: tuple[Situacao, ...]
    vazio: str
    gravada: bool | None = None


ABAS: Final[Mapping[str, AbaDeCartas]] = {
    "fila": AbaDeCartas("Na fila", ("na_fila", "enviando"), "Nenhuma carta espera para sair."),
    "gravadas": AbaDeCartas("Gravadas, para enviar", ("enviada",), "Nenhuma carta espera que alguém a envie.", gravada=True),
    "enviadas": AbaDeCartas("Enviadas", ("enviada",), "Nenhuma carta saiu ainda.", gravada=False),
    "falhas": AbaDeCartas("Falhas", ("falhou",), "Nenhuma carta deixou de chegar ao servidor."),
    "canceladas": AbaDeCartas("Canceladas", ("cancelada",), "Nenhuma carta foi cancelada."),
}
FALHAS_PALAVRAS: Final[Mapping[Falha, str]] = {
    "sem_conexao": "O servidor de e-mail não atendeu.",
    "demorou": "O servidor de e-mail demorou demais a responder.",
    "entrada_recusada": "O servidor de e-mail recusou o usuário e a senha desta instalação. Avise quem cuida dela.",
    "sem_cifra": "O servidor de e-mail não ofereceu conexão cifrada, ou o certificado dele não vale. Avise quem cuida da instalação.",
    "servidor_ocupado": "O servidor de e-mail pediu para tentar mais tarde.",
    "destinatario_recusado": "O servidor diz que este endereço não recebe e-mail. Confira o endereço com a pessoa.",
    "mensagem_recusada": "O servidor de e-mail não aceitou a carta.",
    "pasta_fechada": "A carta não pôde ser gravada na pasta de dados. Avise quem cuida da instalação.",
    "interrompida": "A entrega foi interrompida antes do fim.",
}


@dataclass(frozen=True, slots=True)
class CartaVista:
    """A letter as a line of the page; `situacao` is a word, its style and its icon."""

    ordem: int
    id: str
    para: str
    assunto: str
    situacao: tuple[str, str, str]
    quando: datetime
    detalhe: str
    pode_abrir: bool
    pode_de_novo: bool
    pode_marcar: bool

    @classmethod
    def of(cls, ordem: int, linha: Linha) -> CartaVista:
        """The line of a letter."""
        return cls(
            ordem=ordem,
            id=str(linha.id),
            para=linha.para or "apagado",
            assunto=linha.assunto or "(carta apagada, a pedido da pessoa)",
            situacao=_told(linha.situacao, linha.via),
            quando=linha.enviada_em or linha.criada_em,
            detalhe=_detail(linha),
            pode_abrir=bool(linha.para),
            pode_de_novo=linha.situacao == "falhou" and bool(linha.para),
            pode_marcar=(linha.situacao in ("na_fila", "falhou") or linha.via == "arquivo") and bool(linha.para),
        )


@router.get(_PAGE, response_class=Response)
async def cartas(
    request: Request, aba: Annotated[str, Query(max_length=20)] = "", antes: Annotated[UUID | None, Query()] = None
) -> Response:
    """The letters of a tab, the newest first."""
    return await _shown(request, aba, antes)


@router.get(f"{_PAGE}/{{carta_id}}", response_class=Response)
async def abrir(request: Request, carta_id: UUID) -> Response:
    """A letter whole, to be sent or delivered by a person; that it was opened is in the audit."""
    container = state_of(request).container
    aberta = await container.cartas.abrir(scope_of(request), carta_id)
    vista = CartaVista.of(1, aberta.linha)
    return page(
        request,
        "administracao/carta.html",
        linha=vista,
        para=aberta.carta.para,
        texto=aberta.carta.texto,
        anexos=[one.nome for one in aberta.carta.anexos],
        arquivo=f"{_PAGE}/{carta_id}/carta.eml",
        lista=f"{_PAGE}?aba={_tab_of(aberta.linha)}",
        aba=_tab_of(aberta.linha),
        motivo_maximo=LONGEST_REASON,
    )


@router.get(f"{_PAGE}/{{carta_id}}/carta.eml", response_class=Response)
async def baixar(request: Request, carta_id: UUID) -> Response:
    """A letter as a file for a mail program, always to be kept, never shown here."""
    content = await state_of(request).container.cartas.baixar(scope_of(request), carta_id)
    headers = {
        "content-disposition": f'attachment; filename="carta-{carta_id}.eml"',
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
    }
    return Response(content, media_type="message/rfc822", headers=headers)


@router.post(f"{_PAGE}/{{carta_id}}/de-novo", response_class=Response)
async def tentar_de_novo(request: Request, carta_id: UUID) -> Response:
    """Put a letter that was given up into the queue again."""
    await read_form(request)
    await state_of(request).container.cartas.tentar_de_novo(scope_of(request), carta_id)
    return RedirectResponse(f"{_PAGE}?aba=fila&ok=carta_de_novo", status_code=303)


@router.post(f"{_PAGE}/{{carta_id}}/entregue", response_class=Response)
async def marcar_entregue(request: Request, carta_id: UUID) -> Response:
    """Say that a letter was delivered otherwise, and how."""
    form = await read_form(request)
    try:
        await state_of(request).container.cartas.marcar_entregue(scope_of(request), carta_id, form.get("motivo", ""))
    except MotivoInvalido as error:
        return await _shown(request, form.get("aba", ""), None, recusa=error, de=str(carta_id), escrito=form.get("motivo", ""))
    return RedirectResponse(f"{_PAGE}?aba=enviadas&ok=carta_entregue", status_code=303)


async def _shown(
    request: Request, aba: str, antes: UUID | None, *, recusa: MotivoInvalido | None = None, de: str = "", escrito: str = ""
) -> Response:
    container = state_of(request).container
    first = await container.cartas.listar(scope_of(request), ())
    waits = "gravadas" if first.gravadas and not _sum(first, ABAS["fila"]) else "fila"
    atual = aba if aba in ABAS else "falhas" if first.quantas.get("falhou") else waits
    caixa = await container.cartas.listar(scope_of(request), ABAS[atual].situacoes, antes, gravada=ABAS[atual].gravada)
    linhas = [CartaVista.of(at, one) for at, one in enumerate(caixa.linhas, 1)]
    return page(
        request,
        "administracao/cartas.html",
        200 if recusa is None else status_of(recusa),
        abas=[(codigo, one.nome, _sum(caixa, one), f"{_PAGE}?aba={codigo}") for codigo, one in ABAS.items()],
        atual=atual,
        nada=ABAS[atual].vazio,
        linhas=linhas,
        seguinte=f"{_PAGE}?aba={atual}&antes={caixa.seguinte}" if caixa.seguinte else "",
        desde_o_comeco=f"{_PAGE}?aba={atual}" if antes else "",
        pode_tratar=pode(request, "cartas.tratar"),
        sem_servidor=container.settings.smtp_url is None,
        recusa=recusa,
        de=de,
        escrito=escrito,
        motivo_maximo=LONGEST_REASON,
    )


def _sum(caixa: Caixa, aba: AbaDeCartas) -> int:
    if aba.gravada:
        return caixa.gravadas
    return sum([caixa.quantas.get(one, 0) for one in aba.situacoes]) - (caixa.gravadas if aba.gravada is False else 0)


def _tab_of(linha: Linha) -> str:
    """The tab in which a letter is listed."""
    if linha.situacao == "enviada":
        return "gravadas" if linha.via == "arquivo" else "enviadas"
    return next(codigo for codigo, one in ABAS.items() if linha.situacao in one.situacoes)


def _told(situacao: Situacao, via: Via | None) -> tuple[str, str, str]:
    match situacao:
        case "na_fila":
            return "Espera para sair", "neutro", "relogio"
        case "enviando":
            return "Saindo agora", "neutro", "relogio"
        case "falhou":
            return "Não saiu", "negado", "recusado"
        case "cancelada":
            return "Cancelada", "neutro", "recusado"
        case "enviada":
            if via == "arquivo":
                return "Gravada, para enviar", "pendente", "documento"
            return ("Entregue por outro meio", "aprovado", "pessoa") if via == "outro_meio" else ("Enviada", "aprovado", "feito")
        case _:
            assert_never(situacao)


def _detail(linha: Linha) -> str:
    if linha.via == "outro_meio":
        return f"{linha.por or 'Alguém da organização'}: {linha.motivo}" if linha.motivo else linha.por
    if linha.via == "arquivo":
        return "Sem servidor de e-mail: abra a carta, envie-a, e marque como entregue."
    if linha.falha is None or linha.situacao == "enviada":
        return ""
    code = f" (resposta {linha.resposta})" if linha.resposta else ""
    tries = "" if linha.tentativas < 2 else f" Foram {linha.tentativas} tentativas."
    return f"{FALHAS_PALAVRAS[linha.falha]}{code}{tries}"
