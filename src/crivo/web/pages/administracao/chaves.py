"""`/admin/chaves`: the keys of programs; a secret is shown once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access import Chave, ChaveInexistente, ChaveInvalida, NovaChave, create_chave, list_chaves, revoke_chave
from crivo.kernel.errors import CrivoError
from crivo.kernel.linguagem.dobra import fold
from crivo.web.pages.atores import ESCOPOS_PALAVRAS
from crivo.web.pages.formulario import read_choices, read_form
from crivo.web.pages.listas import Coluna, Titulo, cut, heads, matches, order
from crivo.web.pages.rendering import page
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
DURACOES: Final = {"30": "30 dias", "90": "90 dias", "365": "1 ano"}
_NAME_CHARS: Final = 100
_ALL: Final = ("Tudo o que uma chave pode",)
_IN_USE: Final = ("Em uso", "aprovado", "")


@dataclass(frozen=True, slots=True)
class ChaveVista:
    """A key as a line of the page, the `ordem`th of it; `situacao` is a word, its style and its icon."""

    ordem: int
    id: str
    nome: str
    escopos: tuple[str, ...]
    criada_em: datetime
    expira_em: datetime
    situacao: tuple[str, str, str]
    em_uso: bool


_PER_PAGE: Final = 50
_COLUMNS: Final[tuple[Coluna[ChaveVista], ...]] = (
    Coluna("nome", "Nome", lambda one: fold(one.nome)),
    Coluna("pode", "Pode", lambda one: one.escopos),
    Coluna("vale", "Vale até", lambda one: one.expira_em, desce=True),
    Coluna("situacao", "Situação", lambda one: one.situacao[0]),
)


@router.get("/admin/chaves", response_class=Response)
async def chaves(
    request: Request,
    q: Annotated[str, Query(max_length=200)] = "",
    ordem: Annotated[str, Query(max_length=20)] = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    """Every key, and the form of a new one."""
    return await _shown(request, pedida={"q": q.strip(), "ordem": ordem}, pagina=pagina)


@router.post("/admin/chaves", response_class=Response)
async def criar(request: Request) -> Response:
    """Make a key and show its secret, once. Keys in use have names of their own, so that a form sent twice makes one."""
    form, escopos = await read_choices(request, "escopos")
    state = state_of(request)
    now = state.container.clock.now()
    try:
        nome, lasts = _name(form), _duration(form.get("dias", ""))
        _check_choice(escopos)
        async with state.container.database.unit_of_work(scope_of(request)) as uow:
            _check_free(nome, await list_chaves(uow), now)
            nova = await create_chave(uow, now, nome, escopos, now + lasts)
    except ChaveInvalida as error:
        return await _shown(request, recusa=error, escrito=form, escolhidos=escopos, status=422)
    return await _shown(request, nova=nova)


@router.post("/admin/chaves/{chave_id}/revogar", response_class=Response)
async def revogar(request: Request, chave_id: Annotated[str, Path(max_length=40)]) -> Response:
    """Revoke a key for good; revoked before, it stays so. Raises ChaveInexistente."""
    await read_form(request)
    state = state_of(request)
    async with state.container.database.unit_of_work(scope_of(request)) as uow:
        found = next((one for one in await list_chaves(uow) if one.id == chave_id), None)
        if found is None:
            raise ChaveInexistente("Esta chave não está na lista. Volte a ela e escolha outra.")
        if found.revogada_em is None:
            await revoke_chave(uow, state.container.clock.now(), chave_id)
    return RedirectResponse("/admin/chaves?ok=revogada", status_code=303)


def _name(form: Mapping[str, str]) -> str:
    name = form.get("nome", "").strip()
    if not name or len(name) > _NAME_CHARS:
        raise ChaveInvalida(f"Dê um nome à chave, como o do sistema que vai usá-la, com até {_NAME_CHARS} letras.", campo="nome")
    return name


def _check_choice(escopos: Sequence[str]) -> None:
    if not escopos or not set(escopos) <= set(ESCOPOS_PALAVRAS):
        raise ChaveInvalida("Marque ao menos uma das coisas que a chave pode fazer.", campo="escopos")


def _check_free(name: str, chaves: Sequence[Chave], now: datetime) -> None:
    if any(one.nome == name and one.revogada_em is None and one.expira_em > now for one in chaves):
        raise ChaveInvalida(
            "Já há uma chave em uso com este nome. Dê outro nome; ou, se o segredo dela não foi guardado, revogue-a e crie outra.",
            campo="nome",
        )


def _duration(days: str) -> timedelta:
    if days not in DURACOES:
        raise ChaveInvalida("Escolha por quanto tempo a chave vale.", campo="dias")
    return timedelta(days=int(days))


async def _shown(
    request: Request,
    *,
    recusa: CrivoError | None = None,
    escrito: dict[str, str] | None = None,
    escolhidos: tuple[str, ...] = (),
    nova: NovaChave | None = None,
    status: int = 200,
    pedida: Mapping[str, str] | None = None,
    pagina: int = 1,
) -> Response:
    state = state_of(request)
    now = state.container.clock.now()
    async with state.container.database.unit_of_work(scope_of(request)) as uow:
        found = await list_chaves(uow)
    asked = pedida or {"q": "", "ordem": ""}
    linhas = [_line(at, one, now) for at, one in enumerate(found, 1)]
    wanted = order([one for one in linhas if matches(asked["q"], one.nome, *one.escopos)], _COLUMNS, asked["ordem"])
    return page(
        request,
        "administracao/chaves.html",
        status,
        fatia=cut(wanted, lambda one: one, pagina, _PER_PAGE, asked),
        titulos=(*heads(_COLUMNS, asked["ordem"], asked), Titulo("Ações")),
        pedida=asked,
        total=len(linhas),
        escopos=list(ESCOPOS_PALAVRAS.items()),
        duracoes=list(DURACOES.items()),
        recusa=recusa,
        escrito=escrito or {},
        escolhidos=escolhidos,
        nova=nova,
    )


def _line(ordem: int, chave: Chave, now: datetime) -> ChaveVista:
    expired = chave.expira_em <= now
    situacao = ("Revogada", "neutro", "recusado") if chave.revogada_em else ("Vencida", "neutro", "relogio") if expired else _IN_USE
    return ChaveVista(
        ordem=ordem,
        id=chave.id,
        nome=chave.nome,
        escopos=_ALL if chave.escopos == ESCOPOS_PALAVRAS.keys() else tuple([ESCOPOS_PALAVRAS[escopo] for escopo in sorted(chave.escopos)]),
        criada_em=chave.criada_em,
        expira_em=chave.expira_em,
        situacao=situacao,
        em_uso=situacao is _IN_USE,
    )
