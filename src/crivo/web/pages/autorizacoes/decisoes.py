"""`/autorizacoes`: send a pedido, find a decision, read it with its six agents. Source: interfaces, Pages."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Annotated, ClassVar, Final
from urllib.parse import quote
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.guardadas import ORDENS, Autorizacao
from crivo.autorizacoes.mapeamento.aplicacao import MOST_ITEMS
from crivo.autorizacoes.mapeamento.entrada import VariosPedidos
from crivo.autorizacoes.palavras import DECISOES
from crivo.kernel.clock import BRASILIA
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.sigilo import DadosApagados
from crivo.web.body import limited, too_large
from crivo.web.pages import csrf
from crivo.web.pages.administracao.custos_vista import CHAMADAS_DE
from crivo.web.pages.autorizacoes import ao_vivo
from crivo.web.pages.autorizacoes.links import LinkVista
from crivo.web.pages.autorizacoes.pessoas import keys_of, names_of
from crivo.web.pages.autorizacoes.prazo_vista import PrazoVista, prazo_vista_of
from crivo.web.pages.autorizacoes.vista import DecisaoVista, LinhaVista, RevisaoVista, aprovacao_de
from crivo.web.pages.cpf import mask_document
from crivo.web.pages.listas import head, slice_of
from crivo.web.pages.rendering import page
from crivo.web.problems import ParametroInvalido, headers_of, status_of
from crivo.web.state import pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PER_PAGE: Final = 20
_FORM_OVERHEAD_BYTES: Final = 64_000
_ANSWERED_IN_THE_FORM: Final = (Kind.MALFORMED, Kind.INVALID, Kind.TOO_LARGE, Kind.UNAVAILABLE, Kind.CONFLICT)
Texto = Annotated[str, Query(max_length=200)]


@dataclass(frozen=True, slots=True)
class Pedida:
    """Which decisions the address asks for, in what order, and which page of them."""

    status: DecisaoFinal | None = None
    desde: str = ""
    q: str = ""
    ordem: str = ""
    pagina: int = 1

    @property
    def query(self) -> dict[str, str]:
        """All but the page, as an address says it."""
        return {"status": self.status or "", "desde": self.desde, "q": self.q, "ordem": self.ordem}

    @property
    def filtrada(self) -> bool:
        """Whether any are left out."""
        return bool(self.status or self.desde or self.q)


class NadaEnviado(CrivoError):
    """The form came with neither a file nor a text, or with both."""

    codigo: ClassVar[str] = "nada_enviado"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Não há o que decidir"


@router.get("/autorizacoes", response_class=Response)
async def listar(
    request: Request,
    status: Texto = "",
    desde: Annotated[str, Query(max_length=10)] = "",
    q: Texto = "",
    ordem: Texto = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    """The latest decisions, and a form for the next."""
    known = next((one for one in DECISOES if one == status), None)  # of an old address, or of another hand
    return await _list_page(request, Pedida(known, desde, q.replace("\0", "").strip(), ordem, pagina))


@router.post("/autorizacoes", response_class=Response)
async def enviar(request: Request) -> Response:
    """Decide what was sent, and go on to its decision; what cannot be read comes back with the reason and the text that was pasted.

    To our own script, which asks for events, it is told how it goes; what is refused, in the place of the events.
    """
    csrf.check_origin(request)
    limit = state_of(request).container.settings.limite_corpo_bytes
    # Room for a pasted text over the limit, so that it can be told so and not lost.
    form_limit = 3 * limit + _FORM_OVERHEAD_BYTES
    async with limited(request, form_limit).form(max_files=1, max_fields=10, max_part_size=form_limit) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        texto = _pasted(form)
        try:
            raw = await _chosen(form, texto, limit)
            if ao_vivo.wants_events(request):
                return await _followed(request, raw)
            where = await ao_vivo.receive(request, raw)
        except CrivoError as error:
            if error.kind not in _ANSWERED_IN_THE_FORM:
                raise
            return await _refused(request, error, texto)
    return RedirectResponse(where, status_code=303)


async def _followed(request: Request, raw: bytes) -> Response:
    """The events of one pedido; several are decided together, and only then told."""
    try:
        return await ao_vivo.follow(request, raw)
    except VariosPedidos:
        return ao_vivo.ended_at(await ao_vivo.receive(request, raw))


@router.get(ao_vivo.RECEBIDAS, response_class=Response)
async def recebidas(request: Request, ids: Annotated[list[UUID] | None, Query(alias="id", max_length=MOST_ITEMS)] = None) -> Response:
    """The decisions of what came in one sending, in its order."""
    autorizacoes, scope = state_of(request).container.autorizacoes, scope_of(request)
    vieram = list(dict.fromkeys(ids or ()))
    assuntos = await autorizacoes.procedimentos(scope, vieram)
    linhas = [LinhaVista.of(await autorizacoes.resumo(scope, um), procedimento=assuntos.get(um, ("", ""))) for um in vieram]
    contagem = Counter([linha.rotulo.palavra for linha in linhas])
    return page(request, "autorizacoes/recebidas.html", linhas=linhas, contagem=list(contagem.items()))


@router.get("/autorizacoes/{autorizacao_id}", response_class=Response)
async def ver(request: Request, autorizacao_id: UUID) -> Response:
    """The decision that stands, both messages, what people decided over it, and the journey agent by agent."""
    container, scope = state_of(request).container, scope_of(request)
    try:
        autorizacao = await container.autorizacoes.ler(scope, autorizacao_id, "pagina")
    except DadosApagados as error:
        resumo = await container.autorizacoes.resumo(scope, autorizacao_id)
        return page(request, "autorizacoes/apagada.html", status=status_of(error), linha=LinhaVista.of(resumo), recusa=error)
    names, keys = await names_of(request), await keys_of(request, autorizacao_id)
    historico = await container.revisoes.historico(scope, autorizacao_id)
    revisoes = tuple([RevisaoVista.of(one, names, keys) for one in historico])
    vista = DecisaoVista.of(autorizacao)
    return page(
        request,
        "autorizacoes/decisao.html",
        vista=vista,
        revisoes=revisoes,
        vale=revisoes[0] if revisoes else None,
        substituta=await container.autorizacoes.substituida_por(scope, autorizacao),
        aprovacao=aprovacao_de(autorizacao, historico[0] if historico else None),
        prazo=await prazo_vista_of(request, autorizacao),
        regra=await address_of_regra(request, autorizacao, vista),
        pode_corrigir=vista.corrigivel and pode(request, "autorizacoes.decidir"),
        pode_rever=pode(request, "autorizacoes.revisar"),
        pode_dar_link=pode(request, "autorizacoes.dar_link"),
        link=LinkVista.of(await container.links.situacao(scope, autorizacao_id)),
        ve_formatos=pode(request, "politicas.ler"),
        chamadas=CHAMADAS_DE.format(autorizacao_id) if pode(request, "custos.ver") else "",
    )


@router.get("/autorizacoes/{autorizacao_id}/decisao.json", response_class=Response)
async def baixar_decisao(request: Request, autorizacao_id: UUID) -> Response:
    """The RF6 document, to keep and hand on: a CPF in it is masked, as on the page."""
    autorizacao = await state_of(request).container.autorizacoes.ler(scope_of(request), autorizacao_id, "decisao")
    return _download(mask_document(autorizacao.decisao), f"decisao-{autorizacao.id}.json")


@router.get("/autorizacoes/{autorizacao_id}/trilha.json", response_class=Response)
async def baixar_trilha(request: Request, autorizacao_id: UUID) -> Response:
    """The trail, to keep and hand on: a CPF in it is masked, as on the page."""
    autorizacao = await state_of(request).container.autorizacoes.ler(scope_of(request), autorizacao_id, "trilha")
    return _download(mask_document(autorizacao.trilha), f"trilha-{autorizacao.id}.json")


async def address_of_regra(request: Request, autorizacao: Autorizacao, vista: DecisaoVista) -> str:
    """Where the regra that decided is shown in its document; empty where none did."""
    fonte = vista.fonte
    if fonte is None:
        return ""
    for politica in await state_of(request).container.politicas.listar(scope_of(request)):
        same = (politica.documento, politica.versao) == (fonte.documento, fonte.versao)
        if same and politica.administradora_id == autorizacao.administradora_id:
            return f"/politicas/{politica.id}?regra={quote(fonte.regra_id, safe='')}#regra"
    return ""


async def _list_page(request: Request, pedida: Pedida | None = None, *, recusa: CrivoError | None = None, texto: str = "") -> Response:
    container, scope = state_of(request).container, scope_of(request)
    asked = pedida or Pedida()
    folha = await container.autorizacoes.folhear(
        scope,
        status=asked.status,
        desde=_since(asked.desde),
        busca=asked.q,
        ordem=next((one for one in ORDENS if one == asked.ordem), "-recebida"),
        pagina=asked.pagina,
        tamanho=_PER_PAGE,
    )
    revistas = await container.revisoes.revistas(scope, [resumo.id for resumo in folha.itens])
    assuntos = await container.autorizacoes.procedimentos(scope, [resumo.id for resumo in folha.itens])
    linhas = [LinhaVista.of(resumo, revistas.get(resumo.id), assuntos.get(resumo.id, ("", ""))) for resumo in folha.itens]
    prazos, agora = await container.revisoes.prazos(scope, folha.itens), container.clock.now()
    ordem = asked.ordem or "-recebida"
    return page(
        request,
        "autorizacoes/decisoes.html",
        status=200 if recusa is None else status_of(recusa),
        headers={} if recusa is None else headers_of(recusa),
        fatia=slice_of(linhas, folha.total, folha.numero, _PER_PAGE, asked.query),
        titulos=[
            head("pedido", "Pedido", ordem, asked.query),
            head("decisao", "Decisão", ordem, asked.query),
            head("recebida", "Recebido em", ordem, asked.query, desce=True),
        ],
        opcoes=[(codigo, rotulo.palavra) for codigo, rotulo in DECISOES.items()],
        prazos={str(one): PrazoVista.of(prazo, agora) for one, prazo in prazos.items()},
        pedida=asked,
        recusa=recusa,
        texto=texto,
        pode_decidir=pode(request, "autorizacoes.decidir"),
        acompanha=container.autorizacoes.um_modelo_escreve,
    )


def _since(text: str) -> datetime | None:
    """The first instant of a day in Brasília; None where none is named. Raises ParametroInvalido."""
    try:
        return datetime.combine(date.fromisoformat(text), time(), BRASILIA) if text else None
    except ValueError:
        raise ParametroInvalido("A data do filtro não existe. Volte à lista e escolha outra.") from None


async def _refused(request: Request, error: CrivoError, texto: str) -> Response:
    if ao_vivo.wants_events(request):
        return page(request, ao_vivo.REFUSAL, status=status_of(error), headers=headers_of(error), recusa=error)
    if error.kind is Kind.UNAVAILABLE:  # then the list cannot be read either
        return page(
            request, "autorizacoes/envio_recusado.html", status=status_of(error), headers=headers_of(error), recusa=error, texto=texto
        )
    return await _list_page(request, recusa=error, texto=texto)


def _pasted(form: FormData) -> str:
    texto = form.get("texto")
    # A form may name a charset whose text UTF-8 cannot hold.
    return texto.encode("utf-8", "replace").decode() if isinstance(texto, str) else ""


async def _chosen(form: FormData, texto: str, limit: int) -> bytes:
    """The pedido that the form holds: a file or a pasted text, one of them."""
    arquivo = form.get("arquivo")
    enviado = await arquivo.read() if isinstance(arquivo, UploadFile) else b""
    if bool(enviado) == bool(texto.strip()):
        faltou = "Escolha um arquivo .json ou cole o texto do pedido."
        raise NadaEnviado("Envie o arquivo ou o texto colado, um dos dois." if enviado else faltou)
    raw = enviado or texto.encode()
    if len(raw) > limit:
        raise too_large(limit)
    return raw


def _download(content: bytes, name: str) -> Response:
    return Response(content, media_type="application/json", headers={"content-disposition": f'attachment; filename="{name}"'})
