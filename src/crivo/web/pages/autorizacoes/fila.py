"""`/autorizacoes/fila`: decisions that wait for a person, the shortest deadline first; claim, let go. Source: interfaces, Pages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter, Depends, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.autorizacoes.motivos import frase, rotulo
from crivo.autorizacoes.palavras import DECISOES, count
from crivo.autorizacoes.revisao import Assunto, NaFila, ReservaDeOutro, ReservasDemais
from crivo.kernel.clock import today
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.autorizacoes.pessoas import name_of, names_of
from crivo.web.pages.formulario import read_form
from crivo.web.pages.listas import Coluna, cut, heads, matches, order
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import pode, scope_of, state_of

router = APIRouter(include_in_schema=False)
QUEUE: Final = "/autorizacoes/fila"
_PER_PAGE: Final = 25
_SHOWN: Final = 200
_UNSAID: Final = "-"  # the administradora of those that name none
_COLUMNS: Final[tuple[Coluna[NaFila], ...]] = (
    Coluna("pedido", "Pedido", lambda one: one.pedido_id or ""),
    Coluna("prazo", "Prazo", lambda one: (one.prazo, one.recebida_em)),
    Coluna("decisao", "Decisão do código", lambda one: one.decisao_final),
    Coluna("quem", "Com quem está", lambda one: one.reserva.revisor if one.reserva else ""),
)


@dataclass(frozen=True, slots=True)
class NaFilaVista:
    """A decision that waits, as a line; `quem` has it in hand (empty: nobody), `minha` where it is whoever is looking."""

    id: str
    numero: str
    procedimento: str
    administradora: str
    rotulo: Rotulo
    motivo: str
    recebida_em: datetime
    prazo: str
    prazo_iso: str
    tom: str
    urgente: bool
    quem: str
    ate: datetime | None
    minha: bool

    @classmethod
    def of(cls, one: NaFila, assunto: Assunto | None, hoje: date, ator: str, names: Mapping[str, str]) -> NaFilaVista:
        """The line of a decision, seen by `ator`."""
        reserva = one.reserva
        motivos = assunto.motivos if assunto else ()
        others = f", e mais {count(len(motivos) - 1, 'motivo', 'motivos')}" if len(motivos) > 1 else ""
        return cls(
            str(one.id),
            mask_cpfs(one.pedido_id or "sem número"),
            mask_cpfs(assunto.procedimento) if assunto else "",
            mask_cpfs(one.administradora_id or "não informada"),
            DECISOES[one.decisao_final],
            f"{frase(motivos[0])}{others}" if motivos else "",
            one.recebida_em,
            deadline(one.prazo, hoje),
            one.prazo.isoformat(),
            "negado" if one.prazo < hoje else "pendente" if one.prazo == hoje else "neutro",
            one.urgente,
            "" if reserva is None else name_of(reserva.revisor, names),
            None if reserva is None else reserva.ate,
            reserva is not None and reserva.revisor == ator,
        )


def deadline(prazo: date, hoje: date) -> str:
    """How a deadline is told: 'vence hoje', 'vence em 3 dias, 25/11', 'passou do prazo há 2 dias'."""
    left = (prazo - hoje).days
    if left < 0:
        return f"passou do prazo há {count(-left, 'dia', 'dias')}"
    if left == 0:
        return "vence hoje"
    return f"vence amanhã, {prazo:%d/%m}" if left == 1 else f"vence em {left} dias, {prazo:%d/%m}"


@dataclass(frozen=True, slots=True)
class Peneira:
    """Which of those that wait are asked for, and in what order: each of them empty asks for all. `quem`: livres, minhas, or a person."""

    q: str = ""
    urgencia: str = ""
    administradora: str = ""
    motivo: str = ""
    quem: str = ""
    ordem: str = ""
    pagina: int = 1

    @property
    def query(self) -> dict[str, str]:
        """All but the page, as an address says it."""
        return {
            "q": self.q,
            "urgencia": self.urgencia,
            "administradora": self.administradora,
            "motivo": self.motivo,
            "quem": self.quem,
            "ordem": self.ordem,
        }

    @property
    def algum(self) -> bool:
        """Whether anything is left out."""
        return any(value for name, value in self.query.items() if name != "ordem")

    def takes(self, one: NaFila, assunto: Assunto | None, ator: str) -> bool:
        """Whether a decision is among those asked for."""
        has = one.reserva.revisor if one.reserva else ""
        return (
            matches(self.q, one.pedido_id or "", one.administradora_id or "", assunto.procedimento if assunto else "")
            and (not self.urgencia or one.urgente == (self.urgencia == "sim"))
            and self.administradora in ("", one.administradora_id or _UNSAID)
            and (not self.motivo or (assunto is not None and self.motivo in {reason_of(um) for um in assunto.motivos}))
            and has in {"": (has,), "livres": ("",), "minhas": (ator,)}.get(self.quem, (self.quem,))
        )


def reason_of(motivo: str) -> str:
    """The code of a motivo without the field that it names."""
    return motivo.partition(":")[0]


Escrito = Annotated[str, Query(max_length=200)]


def peneira_of(
    q: Escrito = "",
    urgencia: Escrito = "",
    administradora: Escrito = "",
    motivo: Escrito = "",
    quem: Escrito = "",
    ordem: Escrito = "",
    pagina: Annotated[int, Query(ge=1, le=1_000)] = 1,
) -> Peneira:
    """What an address asks for."""
    return Peneira(q.replace("\0", "").strip(), urgencia, administradora, motivo, quem, ordem, pagina)


@router.get(QUEUE, response_class=Response)
async def fila(request: Request, peneira: Annotated[Peneira, Depends(peneira_of)]) -> Response:
    """What waits for a person."""
    return await _queue_page(request, peneira)


@router.post("/autorizacoes/fila/proxima", response_class=Response)
async def proxima(request: Request) -> Response:
    """Claim the first one that nobody has in hand, and go to it; where five are in hand already, the queue says so."""
    await read_form(request)
    try:
        found = await take_next(request)
    except ReservasDemais as error:
        return await _queue_page(request, recusa=error)
    return RedirectResponse(f"/autorizacoes/{found}/revisao" if found else QUEUE, status_code=303)


@router.post("/autorizacoes/{autorizacao_id}/reservar", response_class=Response)
async def reservar(request: Request, autorizacao_id: UUID) -> Response:
    """Claim a decision and go to it; where somebody else was quicker, the queue says who, and where it is one too many, what to do."""
    await read_form(request)
    try:
        await state_of(request).container.revisoes.reservar(scope_of(request), autorizacao_id)
    except (ReservaDeOutro, ReservasDemais) as error:
        return await _queue_page(request, recusa=error)
    return RedirectResponse(f"/autorizacoes/{autorizacao_id}/revisao", status_code=303)


@router.post("/autorizacoes/{autorizacao_id}/liberar", response_class=Response)
async def liberar(request: Request, autorizacao_id: UUID) -> Response:
    """Let go of a decision."""
    await read_form(request)
    await state_of(request).container.revisoes.liberar(scope_of(request), autorizacao_id)
    return RedirectResponse(f"{QUEUE}?ok=devolvida", status_code=303)


@router.post("/autorizacoes/{autorizacao_id}/liberar-de-outro", response_class=Response)
async def liberar_de_outro(request: Request, autorizacao_id: UUID) -> Response:
    """Give back what somebody else has in hand."""
    await read_form(request)
    await state_of(request).container.revisoes.liberar_de_outro(scope_of(request), autorizacao_id)
    return RedirectResponse(f"{QUEUE}?ok=devolvida", status_code=303)


async def take_next(request: Request) -> UUID | None:
    """Claim the first decision of the queue that is free or one's own already; None where there is none. Raises ReservasDemais."""
    revisoes, scope = state_of(request).container.revisoes, scope_of(request)
    for one in await revisoes.fila(scope, _SHOWN):
        if one.reserva is not None and one.reserva.revisor != scope.ator:
            continue
        try:
            await revisoes.reservar(scope, one.id)
        except ReservaDeOutro:  # somebody was quicker
            continue
        return one.id
    return None


async def _queue_page(request: Request, peneira: Peneira | None = None, recusa: ReservaDeOutro | ReservasDemais | None = None) -> Response:
    container, scope = state_of(request).container, scope_of(request)
    asked = peneira or Peneira()
    waiting = await container.revisoes.fila(scope, _SHOWN)
    names, hoje = await names_of(request), today(container.clock)
    assuntos = await container.revisoes.assuntos(scope, [one.id for one in waiting])
    wanted = order([one for one in waiting if asked.takes(one, assuntos.get(one.id), scope.ator)], _COLUMNS, asked.ordem)

    def show(one: NaFila) -> NaFilaVista:
        return NaFilaVista.of(one, assuntos.get(one.id), hoje, scope.ator, names)

    return page(
        request,
        "autorizacoes/fila.html",
        200 if recusa is None else status_of(recusa),
        fatia=cut(wanted, show, asked.pagina, _PER_PAGE, asked.query),
        titulos=heads(_COLUMNS, asked.ordem, asked.query),
        peneira=asked,
        na_fila=len(waiting),
        esperando=await container.revisoes.esperando(scope),
        atrasadas=sum(one.prazo < hoje for one in waiting),
        hoje=sum(one.prazo == hoje for one in waiting),
        minhas=sum(one.reserva is not None and one.reserva.revisor == scope.ator for one in waiting),
        administradoras=_administradoras(waiting),
        motivos=_reasons(assuntos.values()),
        pessoas=_holders(waiting, scope.ator, names),
        pode_rever=pode(request, "autorizacoes.revisar"),
        pode_liberar=pode(request, "autorizacoes.liberar_de_outro"),
        recusa=recusa,
    )


def _administradoras(waiting: Sequence[NaFila]) -> list[tuple[str, str]]:
    codes = sorted({one.administradora_id or _UNSAID for one in waiting})
    return [(code, "não informada" if code == _UNSAID else mask_cpfs(code)) for code in codes]


def _reasons(assuntos: Iterable[Assunto]) -> list[tuple[str, str]]:
    """The kinds of motivo that there are, each in words."""
    codes = {reason_of(motivo) for assunto in assuntos for motivo in assunto.motivos}
    return sorted([(code, rotulo(f"{code}:um campo").replace("_", " ")) for code in codes], key=lambda one: one[1])


def _holders(waiting: Sequence[NaFila], ator: str, names: Mapping[str, str]) -> list[tuple[str, str]]:
    others = {one.reserva.revisor for one in waiting if one.reserva is not None} - {ator}
    return [("livres", "ninguém"), ("minhas", "você"), *sorted([(one, name_of(one, names)) for one in others], key=lambda one: one[1])]
