"""`/admin/auditoria`: what was done in this tenant, by whom, and whether the chain holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.auditoria.palavras import SEM_ANCORA
from crivo.bootstrap import Container
from crivo.kernel.access import Chave, Usuario, list_chaves, list_usuarios
from crivo.kernel.audit.listing import Recorte, list_latest
from crivo.kernel.clock import BRASILIA
from crivo.kernel.storage.patience import PATIENT
from crivo.kernel.tenancy import Scope
from crivo.web.pages.administracao.auditoria_palavras import ASSUNTOS, Nomes, RegistroVisto, broken_in, counted
from crivo.web.pages.atores import PROGRAMAS, ator_em_palavras, nomes_de_atores
from crivo.web.pages.rendering import page
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/auditoria"
_PER_PAGE: Final = 50


@dataclass(frozen=True, slots=True)
class Escolhas:
    """What the address asks for, as it was written there."""

    quem: str
    acao: str
    de: str
    ate: str

    @property
    def escritas(self) -> list[tuple[str, str]]:
        """What was chosen at all, for addresses."""
        named = (("quem", self.quem), ("acao", self.acao), ("de", self.de), ("ate", self.ate))
        return [(nome, valor) for nome, valor in named if valor]

    @property
    def ilegivel(self) -> bool:
        """Whether one of the days is none."""
        return any(text and _day(text) is None for text in (self.de, self.ate))

    def recorte(self) -> Recorte:
        """What it comes to; days are those of Brasília, both of them whole."""
        first, last = _day(self.de), _day(self.ate)
        acoes = tuple(ASSUNTOS[self.acao].acoes) if self.acao in ASSUNTOS else ()
        return Recorte(self.quem, acoes, _midnight(first) if first else None, _midnight(last) + timedelta(days=1) if last else None)


@router.get(_PAGE, response_class=Response)
async def auditoria(
    request: Request,
    antes: Annotated[int | None, Query(ge=1, lt=2**63)] = None,
    conferir: Annotated[str, Query(max_length=1)] = "",
    quem: Annotated[str, Query(max_length=100)] = "",
    acao: Annotated[str, Query(max_length=40)] = "",
    de: Annotated[str, Query(max_length=10)] = "",
    ate: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """The entries from the newest back, by who, what and when; with `conferir`, the whole chain and what it vouches for is read."""
    container, scope = state_of(request).container, scope_of(request)
    escolhas = Escolhas(quem.replace("\0", ""), acao, de, ate)
    database = container.database.within(PATIENT) if conferir else container.database
    async with database.unit_of_work(scope) as uow:
        found = await list_latest(uow, _PER_PAGE + 1, antes, escolhas.recorte())
        people, chaves = await list_usuarios(uow), await list_chaves(uow)
    conferencia = await container.auditoria.conferir(scope) if conferir else None
    shown, kept = found[:_PER_PAGE], escolhas.escritas
    nomes = await _names(container, scope, nomes_de_atores(people, chaves), {entry.acao.partition(".")[0] for entry in shown})
    return page(
        request,
        "administracao/auditoria.html",
        linhas=[RegistroVisto.of(entry, nomes) for entry in shown],
        escolhas=escolhas,
        recorte=kept,
        data_ilegivel=escolhas.ilegivel,
        pessoas=_actors(people, chaves, nomes),
        assuntos=[(codigo, assunto.nome) for codigo, assunto in ASSUNTOS.items()],
        seguinte=_address([*kept, ("antes", str(shown[-1].seq))]) if len(found) > _PER_PAGE else "",
        recentes=_address(kept) if antes is not None else "",
        conferencia=conferencia,
        conferidos=counted(conferencia) if conferencia else "",
        cabeca_da_cadeia=conferencia.cadeia.cabeca.digest.hex() if conferencia and conferencia.cadeia.cabeca else "",
        sem_ancora=SEM_ANCORA if conferencia and conferencia.sem_ancora else "",
        quebras=broken_in(conferencia) if conferencia else [],
    )


async def _names(container: Container, scope: Scope, atores: Mapping[str, str], subjects: Collection[str]) -> Nomes:
    """What the entries of these subjects speak of, by its name."""
    politicas = await container.politicas.listar(scope) if "politica" in subjects else ()
    execucoes = await container.triagem.execucoes(scope) if "triagem" in subjects else ()
    return Nomes(
        atores,
        {str(one.id): f"{one.documento}, versão {one.versao}" for one in politicas},
        {str(one.id): one.edital_id for one in execucoes},
    )


def _actors(people: Sequence[Usuario], chaves: Sequence[Chave], nomes: Nomes) -> list[tuple[str, str]]:
    """Who may be chosen: people, the command line and other parts of the program, then keys."""
    return [
        *((one.ator, one.nome) for one in people),
        *PROGRAMAS.items(),
        *((ator, ator_em_palavras(ator, nomes.atores)) for ator in [f"chave:{one.id}" for one in chaves]),
    ]


def _address(fields: Sequence[tuple[str, str]]) -> str:
    return f"{_PAGE}?{urlencode(fields)}" if fields else _PAGE


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), BRASILIA)
