"""`/admin/organizacoes`: every organisation of the installation in figures, and what is done to one, by the installation's own people.

None of it tells of anybody in an organisation, nor of what it keeps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated, ClassVar, Final

from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access import EmailEmUso, UsuarioInvalido, names_of_usuarios
from crivo.kernel.access.organizacoes import (
    MOTIVO_MAXIMO,
    NOME_MAXIMO,
    Ato,
    Ficha,
    Mudadas,
    Numeros,
    Organizacao,
    OrganizacaoDaInstalacao,
    OrganizacaoInvalida,
    OrganizacaoJaExiste,
    OrganizacaoNaoConfirmada,
)
from crivo.kernel.access.usuarios import read_endereco, read_nome, usuario_id_of
from crivo.kernel.cotas import COTAS, POR_NOME, CotaAtingida, CotaInvalida, Nome, read_cotas, refusal, said
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.storage.errors import InquilinoDesconhecido
from crivo.kernel.tenancy import InvalidTenant
from crivo.web.pages.administracao.cotas_vista import UsoVisto
from crivo.web.pages.atores import ator_em_palavras
from crivo.web.pages.formulario import read_form
from crivo.web.pages.listas import Coluna, cut, heads, matches, order
from crivo.web.pages.rendering import page
from crivo.web.problems import status_of
from crivo.web.state import scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/organizacoes"
_PER_PAGE: Final = 50
_EPOCH: Final = ""
Escrito = Annotated[str, Query(max_length=200)]
Id = Annotated[str, Path(max_length=60)]
_WRONG: Final = (
    OrganizacaoInvalida,
    OrganizacaoNaoConfirmada,
    OrganizacaoDaInstalacao,
    CotaInvalida,
    UsuarioInvalido,
    EmailEmUso,
)
ATOS_PALAVRAS: Final[Mapping[Ato, str]] = {
    "criada": "Criada",
    "renomeada": "Nome mudado",
    "suspensa": "Suspensa",
    "reativada": "Reativada",
    "cotas": "Cotas mudadas",
    "convidada": "Convite a quem a administra",
}


class CotaDelaAtingida(CotaAtingida):
    """An organisation would hold more than its quota, as whoever may change it is told."""

    titulo: ClassVar[str] = "Não cabe na cota desta organização"
    campo = "pessoas"


class OrganizacaoAusente(CrivoError):
    """No organisation of this installation has that id."""

    codigo: ClassVar[str] = "organizacao_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Organização não encontrada"

    def __init__(self) -> None:
        super().__init__("Não há organização com este código nesta instalação. Volte à lista e escolha outra.")


@dataclass(frozen=True, slots=True)
class OrganizacaoVista:
    """An organisation as a line of the list; what is counted is said in words, and kept to be put in order by."""

    id: str
    nome: str
    suspensa: bool
    da_instalacao: bool
    pessoas: Decimal
    decisoes: int
    bytes: Decimal
    bytes_ditos: str
    custo: Decimal
    custo_dito: str
    ultima: datetime | None
    cheias: int

    @classmethod
    def of(cls, one: Organizacao, numeros: Numeros, casa: str) -> OrganizacaoVista:
        """The line of an organisation."""
        used = {uso.cota.codigo: uso.usado or Decimal(0) for uso in numeros.usos}
        return cls(
            id=one.id,
            nome=one.nome,
            suspensa=one.suspensa_em is not None,
            da_instalacao=one.id == casa,
            pessoas=used["pessoas"],
            decisoes=numeros.decisoes_no_mes,
            bytes=used["bytes_documentos"],
            bytes_ditos=said(POR_NOME["bytes_documentos"], used["bytes_documentos"]),
            custo=used["custo_mes"],
            custo_dito=said(POR_NOME["custo_mes"], used["custo_mes"]),
            ultima=numeros.ultima_atividade,
            cheias=sum(uso.quase for uso in numeros.usos),
        )


_COLUMNS: Final[tuple[Coluna[OrganizacaoVista], ...]] = (
    Coluna("nome", "Organização", lambda one: fold(one.nome)),
    Coluna("estado", "Estado", lambda one: one.suspensa, desce=True),
    Coluna("pessoas", "Pessoas", lambda one: one.pessoas, numero=True, desce=True),
    Coluna("decisoes", "Decisões", lambda one: one.decisoes, numero=True, desce=True),
    Coluna("documentos", "Documentos", lambda one: one.bytes, numero=True, desce=True),
    Coluna("custo", "Modelos", lambda one: one.custo, numero=True, desce=True),
    Coluna("ultima", "Última atividade", lambda one: one.ultima.isoformat() if one.ultima else _EPOCH, desce=True),
)
_BY_NAME: Final[tuple[Coluna[Organizacao], ...]] = (
    Coluna("nome", "Organização", lambda one: fold(one.nome)),
    Coluna("estado", "Estado", lambda one: one.suspensa_em is not None, desce=True),
)
_COUNTED: Final = frozenset(one.codigo for one in _COLUMNS) - frozenset(one.codigo for one in _BY_NAME)


@router.get(_PAGE, response_class=Response)
async def organizacoes(
    request: Request,
    q: Escrito = "",
    estado: Escrito = "",
    ordem: Escrito = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    """Every organisation, and the form of a new one."""
    return await _listed(request, pedida={"q": q.strip(), "estado": estado, "ordem": ordem}, pagina=pagina)


@router.post(_PAGE, response_class=Response)
async def criar(request: Request) -> Response:
    """Make an organisation with who is to administer it, and show the invitation, once. Sent twice, it is told that it is there."""
    form = await read_form(request)
    state, scope = state_of(request), scope_of(request)
    casas = state.container.organizacoes
    try:
        quem = _who(form)
        made = await casas.criar(scope, form.get("id", "").strip(), form.get("nome", ""), form.get("motivo", ""))
    except InvalidTenant as error:
        wrong = OrganizacaoInvalida("Use de 1 a 40 letras minúsculas, algarismos ou hífens, como prefeitura-azul.", campo="id")
        return await _listed(request, recusa=wrong, escrito=form, status=status_of(error))
    except (OrganizacaoInvalida, OrganizacaoJaExiste) as error:
        return await _listed(request, recusa=error, escrito=form, status=status_of(error))
    if quem is None:
        return RedirectResponse(f"{_PAGE}/{made.id}?ok=organizacao", status_code=303)
    usuario, token = await casas.convidar(scope, made.id, *quem, form.get("motivo", ""))
    return await _shown(request, made.id, convite=(usuario.nome, token))


@router.get(f"{_PAGE}/{{organizacao}}", response_class=Response)
async def uma(request: Request, organizacao: Id) -> Response:
    """One organisation: its figures, its quotas, and what was done to it."""
    return await _shown(request, organizacao)


@router.post(f"{_PAGE}/{{organizacao}}/nome", response_class=Response)
async def renomear(request: Request, organizacao: Id) -> Response:
    """Change what people call an organisation."""
    form = await read_form(request)
    casas = state_of(request).container.organizacoes
    try:
        _confirmed(form, organizacao)
        with _known():
            done = await casas.renomear(scope_of(request), organizacao, form.get("nome", ""), _said(form))
    except _WRONG as error:
        return await _shown(request, organizacao, recusa=error, de="nome", escrito=form)
    return RedirectResponse(f"{_PAGE}/{organizacao}?ok={'organizacao_nome' if done else 'organizacao_nome_igual'}", status_code=303)


@router.post(f"{_PAGE}/{{organizacao}}/cotas", response_class=Response)
async def mudar_cotas(request: Request, organizacao: Id) -> Response:
    """Give an organisation quotas of its own; an empty one is as the installation has it."""
    form = await read_form(request)
    casas = state_of(request).container.organizacoes
    try:
        read = read_cotas({cota.codigo: form.get(cota.codigo, "") for cota in COTAS})
        asked: dict[Nome, Decimal] = {name: value for name, value in read.items() if value is not None}
        _confirmed(form, organizacao)
        with _known():
            _, mudadas = await casas.definir_cotas(scope_of(request), organizacao, asked, _said(form))
    except _WRONG as error:
        return await _shown(request, organizacao, recusa=error, de="cotas", escrito=form)
    return RedirectResponse(f"{_PAGE}/{organizacao}?ok={'cotas' if mudadas else 'cotas_iguais'}", status_code=303)


@router.post(f"{_PAGE}/{{organizacao}}/suspender", response_class=Response)
async def suspender(request: Request, organizacao: Id) -> Response:
    """Suspend an organisation; sent twice, it is done once."""
    form = await read_form(request)
    casas = state_of(request).container.organizacoes
    try:
        _confirmed(form, organizacao)
        with _known():
            _, done = await casas.suspender(scope_of(request), organizacao, form.get("motivo", ""))
    except _WRONG as error:
        return await _shown(request, organizacao, recusa=error, de="estado", escrito=form)
    return RedirectResponse(f"{_PAGE}/{organizacao}?ok={'suspensa' if done else 'suspensa_antes'}", status_code=303)


@router.post(f"{_PAGE}/{{organizacao}}/reativar", response_class=Response)
async def reativar(request: Request, organizacao: Id) -> Response:
    """Undo a suspension; sent twice, it is done once."""
    form = await read_form(request)
    casas = state_of(request).container.organizacoes
    try:
        _confirmed(form, organizacao)
        with _known():
            woken = await casas.reativar(scope_of(request), organizacao, form.get("motivo", ""))
    except _WRONG as error:
        return await _shown(request, organizacao, recusa=error, de="estado", escrito=form)
    return RedirectResponse(f"{_PAGE}/{organizacao}?ok={'reativada_antes' if woken is None else 'reativada'}", status_code=303)


@router.post(f"{_PAGE}/{{organizacao}}/convite", response_class=Response)
async def convidar(request: Request, organizacao: Id) -> Response:
    """Add who is to administer an organisation, and show the invitation, once; again for who has not come in yet, it is made anew."""
    form = await read_form(request)
    casas, scope = state_of(request).container.organizacoes, scope_of(request)
    try:
        _confirmed(form, organizacao)
        why, (nome, email) = _said(form), _who(form) or ("", "")
        with _known():
            usuario, token = await casas.convidar(scope, organizacao, nome, email, why)
    except CotaAtingida:
        ficha = await casas.obter(scope, organizacao)
        uso = ficha.numeros.uso("pessoas")
        told = refusal(uso.cota, uso.usado or Decimal(0), uso.limite or Decimal(0), de=ficha.organizacao.nome)
        return await _shown(request, organizacao, recusa=CotaDelaAtingida(told), de="convite", escrito=form)
    except _WRONG as error:
        return await _shown(request, organizacao, recusa=error, de="convite", escrito=form)
    return await _shown(request, organizacao, convite=(usuario.nome, token))


@contextmanager
def _known() -> Iterator[None]:
    """Raises OrganizacaoAusente in the place of what commands are told of an organisation that is not there, which names all there are."""
    try:
        yield
    except (InvalidTenant, InquilinoDesconhecido):
        raise OrganizacaoAusente from None


async def _listed(
    request: Request,
    *,
    recusa: CrivoError | None = None,
    escrito: Mapping[str, str] | None = None,
    status: int = 200,
    pedida: Mapping[str, str] | None = None,
    pagina: int = 1,
) -> Response:
    casas, scope = state_of(request).container.organizacoes, scope_of(request)
    asked = pedida or dict.fromkeys(("q", "estado", "ordem"), "")
    found = await casas.listar(scope)
    wanted = [
        one
        for one in found
        if matches(asked["q"], one.nome, one.id) and asked["estado"] in ("", "suspensa" if one.suspensa_em else "em_uso")
    ]
    counted = asked["ordem"].removeprefix("-") in _COUNTED  # else only those of the page are counted
    if not counted:
        wanted = order(wanted, _BY_NAME, asked["ordem"])
    shown = wanted if counted else cut(wanted, lambda one: one, pagina, _PER_PAGE, asked).linhas
    numeros = await casas.numeros(scope, [one.id for one in shown])

    def line(one: Organizacao) -> OrganizacaoVista:
        return OrganizacaoVista.of(one, numeros[one.id], casas.casa)

    if counted:
        fatia = cut(order([line(one) for one in wanted], _COLUMNS, asked["ordem"]), lambda one: one, pagina, _PER_PAGE, asked)
    else:
        fatia = cut(wanted, line, pagina, _PER_PAGE, asked)
    return page(
        request,
        "administracao/organizacoes.html",
        status,
        fatia=fatia,
        titulos=heads(_COLUMNS, asked["ordem"], asked),
        pedida=asked,
        filtrada=bool(asked["q"] or asked["estado"]),
        total=len(found),
        recusa=recusa,
        escrito=escrito or {},
        motivo_maximo=MOTIVO_MAXIMO,
        nome_maximo=NOME_MAXIMO,
    )


async def _shown(
    request: Request,
    organizacao: str,
    *,
    recusa: CrivoError | None = None,
    de: str = "",
    escrito: Mapping[str, str] | None = None,
    convite: tuple[str, str] | None = None,
) -> Response:
    state, scope = state_of(request), scope_of(request)
    with _known():
        ficha = await state.container.organizacoes.obter(scope, organizacao)
    usos = [UsoVisto.of(one) for one in ficha.numeros.usos]
    proprias = {one.cota.codigo: said_in_form(one.limite) for one in ficha.numeros.usos if one.propria and one.limite is not None}
    return page(
        request,
        "administracao/organizacao.html",
        200 if recusa is None else status_of(recusa),
        casa=ficha.organizacao,
        da_instalacao=ficha.da_instalacao,
        numeros=ficha.numeros,
        usos=usos,
        acima=[one.nome for one in usos if one.acima],
        faltas=dict(recusa.faltas) if isinstance(recusa, CotaInvalida) else {},
        onde_faltam=[(nome, POR_NOME[nome].nome) for nome, _ in recusa.faltas] if isinstance(recusa, CotaInvalida) else [],
        cotas=[(one, (escrito or {}).get(one.codigo, "") if de == "cotas" else proprias.get(one.codigo, "")) for one in COTAS],
        atos=await _acts(request, ficha),
        recusa=recusa,
        de=de,
        escrito=escrito or {},
        convidado=convite[0] if convite else "",
        link=f"{state.container.settings.endereco}/entrar?token={convite[1]}&volta=/conta" if convite else "",
        motivo_maximo=MOTIVO_MAXIMO,
        nome_maximo=NOME_MAXIMO,
    )


async def _acts(request: Request, ficha: Ficha) -> list[tuple[str, list[str], datetime, str, str]]:
    """What was done to an organisation, as lines; who did it by name where they are of the installation's own."""
    container, scope = state_of(request).container, scope_of(request)
    ids = {usuario_id_of(one.por) for one in ficha.atos} - {None}
    async with container.database.unit_of_work(scope) as uow:
        names = {f"usuario:{one}": nome for one, nome in (await names_of_usuarios(uow, [one for one in ids if one])).items()}
    return [(ATOS_PALAVRAS[one.acao], changed(one.mudadas), one.em, ator_em_palavras(one.por, names), one.motivo) for one in ficha.atos]


def changed(mudadas: Mudadas) -> list[str]:
    """Which quotas an act changed, each from what to what."""

    def told(nome: Nome, valor: Decimal | None) -> str:
        return "sem cota própria" if valor is None else said(POR_NOME[nome], valor)

    return [f"{POR_NOME[nome].nome}: de {told(nome, was)} para {told(nome, now)}" for nome, (was, now) in mudadas.items()]


def _who(form: Mapping[str, str]) -> tuple[str, str] | None:
    """Name and e-mail of who is to administer an organisation, None where neither is written. Raises OrganizacaoInvalida at its field."""
    nome, email = form.get("pessoa", "").strip(), form.get("email", "").strip()
    if not nome and not email:
        return None
    try:
        return read_nome(nome), read_endereco(email)
    except UsuarioInvalido as error:
        raise OrganizacaoInvalida(error.mensagem, campo="email" if error.campo == "email" else "pessoa") from None


def said_in_form(valor: Decimal) -> str:
    """A quota as its field has it."""
    return f"{valor:f}".replace(".", ",")


def _said(form: Mapping[str, str]) -> str:
    """The reason that every act by the page has. Raises OrganizacaoInvalida."""
    if not form.get("motivo", "").strip():
        raise OrganizacaoInvalida(f"Diga por quê, com até {MOTIVO_MAXIMO} letras. Isto fica guardado com o ato.", campo="motivo")
    return form["motivo"]


def _confirmed(form: Mapping[str, str], organizacao: str) -> None:
    """Raises OrganizacaoNaoConfirmada unless the id was typed."""
    if form.get("confirma", "").strip() != organizacao:
        raise OrganizacaoNaoConfirmada(f"Para confirmar, escreva o código da organização: {organizacao}.")
