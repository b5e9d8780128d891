"""`/admin/auditoria`: what was done in this tenant, by whom, and whether the chain holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.auditoria.palavras import SEM_ANCORA
from crivo.bootstrap import Container
from crivo.kernel.access import Chave, Usuario, list_chaves, list_usuarios
from crivo.kernel.audit import Entry
from crivo.kernel.audit.listing import Recorte, list_sheet
from crivo.kernel.clock import BRASILIA
from crivo.kernel.storage.patience import PATIENT
from crivo.kernel.tenancy import Scope
from crivo.web.pages.administracao.auditoria_palavras import (
    ACOES,
    ASSUNTOS,
    Nomes,
    RegistroVisto,
    broken_in,
    counted,
    decision_of,
)
from crivo.web.pages.atores import PROGRAMAS, ator_em_palavras, nomes_de_atores
from crivo.web.pages.listas import Titulo, head, matches, slice_of
from crivo.web.pages.rendering import page
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/auditoria"
_PER_PAGE: Final = 50
_MOST_FOUND: Final = 200


@dataclass(frozen=True, slots=True)
class Escolhas:
    """What the address asks for, as it was written there."""

    q: str
    quem: str
    acao: str
    de: str
    ate: str
    ordem: str

    @property
    def query(self) -> dict[str, str]:
        """All of it, as an address says it."""
        return {"q": self.q, "quem": self.quem, "acao": self.acao, "de": self.de, "ate": self.ate, "ordem": self.ordem}

    @property
    def algum(self) -> bool:
        """Whether any entries are left out."""
        return any(valor for nome, valor in self.query.items() if nome != "ordem")

    @property
    def ilegivel(self) -> bool:
        """Whether one of the days is none."""
        return any(text and _day(text) is None for text in (self.de, self.ate))

    def recorte(self, atores: Mapping[str, str], alvos: Collection[str]) -> Recorte:
        """What it comes to, with actors by name and what the words are a number of; days are those of Brasília, both of them whole."""
        first, last = _day(self.de), _day(self.ate)
        acoes = tuple(ASSUNTOS[self.acao].acoes) if self.acao in ASSUNTOS else ()
        desde, until = _midnight(first) if first else None, _midnight(last) + timedelta(days=1) if last else None
        ditas = tuple([acao for acao, palavras in ACOES.items() if self.q and matches(self.q, palavras)])
        named = tuple([ator for ator, nome in atores.items() if self.q and matches(self.q, nome)])
        return Recorte(self.quem, acoes, desde, until, self.q, ditas, named, tuple(alvos))


@router.get(_PAGE, response_class=Response)
async def auditoria(
    request: Request,
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    conferir: Annotated[str, Query(max_length=1)] = "",
    quem: Annotated[str, Query(max_length=100)] = "",
    acao: Annotated[str, Query(max_length=40)] = "",
    de: Annotated[str, Query(max_length=10)] = "",
    ate: Annotated[str, Query(max_length=10)] = "",
    q: Annotated[str, Query(max_length=200)] = "",
    ordem: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """The entries from the newest back, by who, what and when; with `conferir`, the whole chain and what it vouches for is read."""
    container, scope = state_of(request).container, scope_of(request)
    escolhas = Escolhas(q.replace("\0", "").strip(), quem.replace("\0", ""), acao, de, ate, ordem)
    database = container.database.within(PATIENT) if conferir else container.database
    about = await _spoken_of(container, scope, escolhas.q)
    async with database.unit_of_work(scope) as uow:
        people, chaves = await list_usuarios(uow), await list_chaves(uow)
        atores = nomes_de_atores(people, chaves)
        shown, total, at = await list_sheet(uow, escolhas.recorte(atores, about), pagina, _PER_PAGE, crescente=ordem == "quando")
    conferencia = await container.auditoria.conferir(scope) if conferir else None
    nomes = await _names(container, scope, atores, shown)
    return page(
        request,
        "administracao/auditoria.html",
        fatia=slice_of([RegistroVisto.of(entry, nomes) for entry in shown], total, at, _PER_PAGE, escolhas.query),
        titulos=(
            *map(Titulo, ("O que fez", "Sobre", "Quem")),
            head("quando", "Quando", escolhas.ordem or "-quando", escolhas.query, desce=True),
            Titulo("Nº", numero=True),
        ),
        escolhas=escolhas,
        data_ilegivel=escolhas.ilegivel,
        pessoas=_actors(people, chaves, nomes),
        assuntos=[(codigo, assunto.nome) for codigo, assunto in ASSUNTOS.items()],
        conferencia=conferencia,
        conferidos=counted(conferencia) if conferencia else "",
        cabeca_da_cadeia=conferencia.cadeia.cabeca.digest.hex() if conferencia and conferencia.cadeia.cabeca else "",
        sem_ancora=SEM_ANCORA if conferencia and conferencia.sem_ancora else "",
        quebras=broken_in(conferencia) if conferencia else [],
    )


async def _spoken_of(container: Container, scope: Scope, busca: str) -> list[str]:
    """The decisions whose pedido has these words in its number, the políticas of that name, and the execuções of an edital of that code,
    as entries call them: those of before each said its edital.
    """
    if not busca:
        return []
    folha = await container.autorizacoes.folhear(scope, busca=busca, tamanho=_MOST_FOUND)
    politicas = [str(one.id) for one in await container.politicas.listar(scope) if matches(busca, one.documento, one.versao)]
    codigos = await container.triagem.codigos_das_execucoes(scope)
    triagens = [f"triagem_ia_execucao:{one}" for one, codigo in codigos.items() if matches(busca, codigo)]
    return [*triagens, *(called for one in folha.itens for called in (str(one.id), f"autorizacao:{one.id}")), *politicas]


async def _names(container: Container, scope: Scope, atores: Mapping[str, str], entries: Sequence[Entry]) -> Nomes:
    """What the entries speak of, by its name."""
    subjects = {entry.acao.partition(".")[0] for entry in entries}
    decisions = [found for entry in entries if (found := decision_of(entry)) is not None]
    politicas = await container.politicas.listar(scope) if "politica" in subjects else ()
    codigos = await container.triagem.codigos_das_execucoes(scope) if "triagem" in subjects else {}
    return Nomes(
        atores,
        {str(one.id): f"{one.documento}, versão {one.versao}" for one in politicas},
        {str(one): codigo for one, codigo in codigos.items()},
        await container.autorizacoes.numeros(scope, decisions) if decisions else {},
    )


def _actors(people: Sequence[Usuario], chaves: Sequence[Chave], nomes: Nomes) -> list[tuple[str, str]]:
    """Who may be chosen: people, the command line and other parts of the program, then keys."""
    return [
        *((one.ator, one.nome) for one in people),
        *PROGRAMAS.items(),
        *((ator, ator_em_palavras(ator, nomes.atores)) for ator in [f"chave:{one.id}" for one in chaves]),
    ]


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), BRASILIA)
