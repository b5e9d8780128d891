"""`/admin/entregas`: where decisions go, what waits and why, and what a person does about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, cast, get_args
from urllib.parse import urlsplit
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.entregas.contracts import (
    Canal,
    Conteudo,
    Destino,
    Entrega,
    EstadoDoDestino,
    Evento,
    Falha,
    MotivoDeDesligar,
    SituacaoDaCarta,
    SituacaoDaEntrega,
    Tentativa,
    Tipo,
)
from crivo.autorizacoes.entregas.erros import DestinoInvalido, DestinosDemais
from crivo.autorizacoes.entregas.service import LONGEST_NAME, DestinoVisto, Proposto
from crivo.kernel.cartas import masked
from crivo.kernel.errors import CrivoError
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.web.pages.formulario import read_choices, read_form
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/entregas"
_ONE: Final = f"{_PAGE}/{{destino_id}}"
_NO_NUMBER: Final = "sem número"

EVENTOS_PALAVRAS: Final[Mapping[Evento, str]] = {
    "autorizacao.decidida": "Um pedido foi decidido",
    "autorizacao.revista": "Uma pessoa reviu uma decisão",
}
CONTEUDOS_PALAVRAS: Final[Mapping[Conteudo, str]] = {
    "inteiro": "A decisão inteira, sem a mensagem ao beneficiário",
    "resumido": "Só o resultado e onde ler a decisão",
}
CANAIS_PALAVRAS: Final[Mapping[Canal, str]] = {
    "webhook": "A um sistema, por um endereço https (webhook)",
    "email": "A uma pessoa, por e-mail: só o aviso e o endereço da página",
}
_TIPOS: Final[Mapping[Tipo, str]] = {
    "autorizacao.decidida": "Pedido decidido",
    "autorizacao.revista": "Decisão revista por uma pessoa",
    "exemplo": "Exemplo",
}
_MOTIVOS: Final[Mapping[MotivoDeDesligar, str]] = {
    "gone": "O sistema respondeu que este endereço não existe mais (410). Confira com quem cuida dele e retome, ou remova o destino.",
    "fila_cheia": "Havia avisos demais à espera, e nada novo entra na fila. Veja por que o sistema não recebe; depois, retome.",
}
FALHAS_PALAVRAS: Final[Mapping[Falha, str]] = {
    "resposta": "O sistema respondeu com erro",
    "redireciona": "O sistema mandou procurar em outro endereço, o que não é seguido: registre o endereço certo",
    "desligado_la": "O sistema disse que este endereço não existe mais",
    "demorou": "O sistema demorou mais de 15 segundos",
    "sem_nome": "O nome do servidor não foi encontrado",
    "endereco_proibido": "O nome leva a uma rede interna, para onde nada é enviado; as próprias se nomeiam em CRIVO_ENTREGA_REDES",
    "sem_conexao": "O servidor não atendeu",
    "certificado": "O certificado do servidor não vale",
    "resposta_ilegivel": "A resposta não pôde ser lida",
    "interrompida": "A tentativa foi interrompida",
}
ABAS: Final[Mapping[str, tuple[str, SituacaoDaEntrega | None]]] = {
    "todas": ("Todas", None),
    "espera": ("À espera", "espera"),
    "entregue": ("Entregues", "entregue"),
    "desistiu": ("Sem sucesso", "desistiu"),
    "cancelada": ("Canceladas", "cancelada"),
}


@dataclass(frozen=True, slots=True)
class DestinoVista:
    """A destination as the pages show it; `situacao` is a word, its style and its icon."""

    id: str
    nome: str
    endereco: str
    assina: bool
    canal: str
    eventos: tuple[str, ...]
    conteudo: str
    situacao: tuple[str, str, str]
    motivo: str
    quantas: int
    desde: datetime | None
    descansa_ate: datetime | None
    anterior_ate: datetime | None
    ativo: bool
    parado: bool
    so_grava: bool

    @classmethod
    def of(cls, visto: DestinoVisto, agora: datetime, *, inteiro: bool) -> DestinoVista:
        """`inteiro`, with the whole address: it may hold a token, which lists do not show."""
        one = visto.destino
        return cls(
            id=str(one.id),
            nome=one.nome,
            endereco=one.endereco if inteiro else _short(one),
            assina=one.canal == "webhook",
            canal="Sistema (webhook)" if one.canal == "webhook" else "E-mail",
            eventos=tuple([EVENTOS_PALAVRAS[evento] for evento in one.eventos]),
            conteudo=CONTEUDOS_PALAVRAS[one.conteudo],
            situacao=_ESTADOS[visto.estado],
            motivo=_MOTIVOS[one.motivo] if one.motivo else "",
            quantas=visto.fila.quantas,
            desde=visto.fila.desde,
            descansa_ate=one.descansa_ate if one.descansa_ate is not None and one.descansa_ate > agora else None,
            anterior_ate=one.anterior_ate if one.anterior_ate is not None and one.anterior_ate > agora else None,
            ativo=one.situacao == "ativo",
            parado=one.situacao in ("pausado", "desligado"),
            so_grava=visto.so_grava,
        )


@dataclass(frozen=True, slots=True)
class EntregaVista:
    """A delivery as a line; `situacao` is a word, its style and its icon."""

    id: str
    tipo: str
    numero: str
    autorizacao_id: str
    situacao: tuple[str, str, str]
    detalhe: str
    criada_em: datetime
    proxima_em: datetime | None
    tentativas: int

    @classmethod
    def of(cls, one: Entrega) -> EntregaVista:
        """The line of a delivery."""
        return cls(
            id=str(one.id),
            tipo=_TIPOS[one.evento],
            numero=mask_cpfs(one.pedido_id or _NO_NUMBER) if one.autorizacao_id else "",
            autorizacao_id=str(one.autorizacao_id or ""),
            situacao=_CARTAS[one.carta] if one.situacao == "entregue" and one.carta is not None else _SITUACOES[one.situacao],
            detalhe="" if one.carta is not None or not one.tentativas else _answer(one.ultimo_status, one.ultima_falha),
            criada_em=one.criada_em,
            proxima_em=one.proxima_em if one.situacao == "espera" and one.tentativas else None,
            tentativas=one.tentativas,
        )


@dataclass(frozen=True, slots=True)
class TentativaVista:
    """A try as a line."""

    numero: int
    em: datetime
    resposta: str
    milissegundos: int
    bem: bool

    @classmethod
    def of(cls, one: Tentativa, *, e_carta: bool) -> TentativaVista:
        """The line of a try; of a letter (`e_carta`) it is that it was posted, and no answer."""
        answer = "Posta em Cartas" if e_carta and one.falha is None else _answer(one.status, one.falha)
        return cls(one.numero, one.em, answer, one.milissegundos, one.falha is None)


_SITUACOES: Final[Mapping[SituacaoDaEntrega, tuple[str, str, str]]] = {
    "espera": ("À espera", "neutro", "relogio"),
    "entregue": ("Entregue", "aprovado", "feito"),
    "desistiu": ("Sem sucesso em 3 dias", "negado", "recusado"),
    "cancelada": ("Cancelada", "neutro", "recusado"),
}
_CARTAS: Final[Mapping[SituacaoDaCarta, tuple[str, str, str]]] = {
    "na_fila": ("Na fila do e-mail", "neutro", "relogio"),
    "gravada": ("Gravada, não enviada", "pendente", "atencao"),
    "enviada": ("Entregue ao servidor de e-mail", "aprovado", "feito"),
    "falhou": ("O e-mail não saiu", "negado", "recusado"),
    "cancelada": ("Cancelada", "neutro", "recusado"),
}
_ESTADOS: Final[Mapping[EstadoDoDestino, tuple[str, str, str]]] = {
    "recebendo": ("Recebendo", "aprovado", "feito"),
    "nao_recebe": ("Não está recebendo", "pendente", "atencao"),
    "so_grava": ("Só gravado, nada sai por e-mail", "pendente", "atencao"),
    "pausado": ("Pausado", "neutro", "parar"),
    "desligado": ("Desligado", "negado", "recusado"),
    "removido": ("Removido", "neutro", "recusado"),
}


@router.get(_PAGE, response_class=Response)
async def listar(request: Request) -> Response:
    """Every destination of the organisation, with what waits for it."""
    container = state_of(request).container
    found = await container.entregas.listar(scope_of(request))
    now = container.clock.now()
    linhas = [DestinoVista.of(one, now, inteiro=False) for one in found]
    return page(request, "administracao/entregas.html", linhas=linhas, pode_mudar=pode(request, "entregas.administrar"))


@router.get(f"{_PAGE}/novo", response_class=Response)
async def novo(request: Request) -> Response:
    """The form of a new destination."""
    return _form(request)


@router.post(f"{_PAGE}/novo", response_class=Response)
async def registrar(request: Request) -> Response:
    """Register a destination; the secret that signs is shown once."""
    form, eventos = await read_choices(request, "eventos")
    container, scope = state_of(request).container, scope_of(request)
    proposto = Proposto(
        form.get("nome", ""),
        cast("Canal", form.get("canal", "")),
        form.get("endereco", ""),
        cast("tuple[Evento, ...]", eventos),
        cast("Conteudo", form.get("conteudo", "inteiro")),
    )
    try:
        registrado = await container.entregas.registrar(scope, proposto)
    except (DestinoInvalido, DestinosDemais) as error:
        return _form(request, error, form, eventos)
    if not registrado.segredo:
        code = "destino_sem_email" if registrado.aviso else "destino"
        return RedirectResponse(f"{_PAGE}/{registrado.destino.id}?ok={code}", status_code=303)
    return _secret(request, registrado.destino, registrado.segredo, is_new=True, warning=registrado.aviso)


@router.get(_ONE, response_class=Response)
async def ver(request: Request, destino_id: UUID, aba: Annotated[str, Query(max_length=20)] = "todas") -> Response:
    """A destination: how it fares, and its last fifty deliveries."""
    container, scope = state_of(request).container, scope_of(request)
    atual = aba if aba in ABAS else "todas"
    visto = await container.entregas.obter(scope, destino_id)
    found = await container.entregas.entregas(scope, destino_id, ABAS[atual][1])
    changes = pode(request, "entregas.administrar")
    return page(
        request,
        "administracao/entregas_destino.html",
        um=DestinoVista.of(visto, container.clock.now(), inteiro=changes),
        linhas=[EntregaVista.of(one) for one in found],
        abas=[(codigo, nome, None, f"{_PAGE}/{destino_id}?aba={codigo}") for codigo, (nome, _) in ABAS.items()],
        atual=atual,
        pode_mudar=changes,
    )


@router.get(f"{_ONE}/entregas/{{entrega_id}}", response_class=Response)
async def ver_entrega(request: Request, destino_id: UUID, entrega_id: UUID) -> Response:
    """A delivery with every try of it."""
    container, scope = state_of(request).container, scope_of(request)
    visto = await container.entregas.obter(scope, destino_id)
    vista = await container.entregas.entrega(scope, destino_id, entrega_id)
    return page(
        request,
        "administracao/entrega.html",
        um=DestinoVista.of(visto, container.clock.now(), inteiro=False),
        entrega=EntregaVista.of(vista.entrega),
        tentativas=[TentativaVista.of(one, e_carta=visto.destino.canal == "email") for one in vista.tentativas],
        pode_mudar=pode(request, "entregas.administrar"),
    )


@router.post(f"{_ONE}/exemplo", response_class=Response)
async def exemplo(request: Request, destino_id: UUID) -> Response:
    """Send an example."""
    await read_form(request)
    await state_of(request).container.entregas.enviar_exemplo(scope_of(request), destino_id)
    return RedirectResponse(f"{_PAGE}/{destino_id}?ok=destino_exemplo", status_code=303)


@router.post(f"{_ONE}/pausar", response_class=Response)
async def pausar(request: Request, destino_id: UUID) -> Response:
    """Send nothing until it goes on."""
    await read_form(request)
    await state_of(request).container.entregas.pausar(scope_of(request), destino_id)
    return RedirectResponse(f"{_PAGE}/{destino_id}?ok=destino_pausado", status_code=303)


@router.post(f"{_ONE}/retomar", response_class=Response)
async def retomar(request: Request, destino_id: UUID) -> Response:
    """Go on with what waits."""
    await read_form(request)
    await state_of(request).container.entregas.retomar(scope_of(request), destino_id)
    return RedirectResponse(f"{_PAGE}/{destino_id}?ok=destino_retomado", status_code=303)


@router.post(f"{_ONE}/segredo", response_class=Response)
async def girar(request: Request, destino_id: UUID) -> Response:
    """Another secret, shown once."""
    await read_form(request)
    container, scope = state_of(request).container, scope_of(request)
    segredo = await container.entregas.girar_segredo(scope, destino_id)
    visto = await container.entregas.obter(scope, destino_id)
    return _secret(request, visto.destino, segredo, is_new=False)


@router.post(f"{_ONE}/remover", response_class=Response)
async def remover(request: Request, destino_id: UUID) -> Response:
    """Have nothing more go there."""
    await read_form(request)
    await state_of(request).container.entregas.remover(scope_of(request), destino_id)
    return RedirectResponse(f"{_PAGE}?ok=destino_removido", status_code=303)


@router.post(f"{_ONE}/entregas/{{entrega_id}}/reenviar", response_class=Response)
async def reenviar(request: Request, destino_id: UUID, entrega_id: UUID) -> Response:
    """Send a delivery now."""
    await read_form(request)
    await state_of(request).container.entregas.reenviar(scope_of(request), destino_id, entrega_id)
    return RedirectResponse(f"{_PAGE}/{destino_id}?ok=destino_reenvio", status_code=303)


def _form(
    request: Request, recusa: CrivoError | None = None, escrito: Mapping[str, str] | None = None, eventos: Sequence[str] | None = None
) -> Response:
    written = escrito or {}
    return page(
        request,
        "administracao/entregas_novo.html",
        200 if recusa is None else status_of(recusa),
        recusa=recusa,
        escrito=written,
        canais=list(CANAIS_PALAVRAS.items()),
        canal=written.get("canal", get_args(Canal)[0]),
        eventos=list(EVENTOS_PALAVRAS.items()),
        marcados=tuple(EVENTOS_PALAVRAS) if eventos is None else tuple(eventos),
        conteudos=list(CONTEUDOS_PALAVRAS.items()),
        conteudo=written.get("conteudo", get_args(Conteudo)[0]),
        nome_maximo=LONGEST_NAME,
    )


def _secret(request: Request, destino: Destino, segredo: str, *, is_new: bool, warning: str = "") -> Response:
    return page(
        request,
        "administracao/entregas_segredo.html",
        nome=destino.nome,
        id=str(destino.id),
        segredo=segredo,
        novo=is_new,
        aviso_do_nome=warning,
    )


def _short(destino: Destino) -> str:
    """Enough of an address for who knows it."""
    return masked(destino.endereco) if destino.canal == "email" else urlsplit(destino.endereco).netloc


def _answer(status: int | None, falha: Falha | None) -> str:
    told = "Recebido" if falha is None else FALHAS_PALAVRAS[falha]
    return f"{told} ({status})" if status is not None else told
