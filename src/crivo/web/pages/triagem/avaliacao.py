"""`/avaliacao`: the projects given to a person, and where they give their own notas. Source: triagem seed, Na tela do avaliador."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.errors import CrivoError
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.rotulo import Rotulo
from crivo.triagem.erros import AvaliacaoIncompleta, AvaliacaoJaEnviada, NotaInvalida, ProjetoNotFound
from crivo.triagem.guardados import Atribuicao
from crivo.triagem.julgamento import LONGEST_TEXT, NotaDada, ParaAvaliar
from crivo.triagem.palavras import DECISAO_HUMANA, count, number, shown
from crivo.web.body import limited
from crivo.web.pages import csrf
from crivo.web.pages.listas import Coluna, Fatia, cut, heads, link, matches, order
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.caso_marca import CasosMarca
from crivo.web.pages.triagem.distribuicao_vista import reminder_said
from crivo.web.pages.triagem.ficha import Escrita, ProjetoVista, criterio_form, media_said
from crivo.web.problems import status_of
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import ProjetoId

router = APIRouter(include_in_schema=False)
_LIST: Final = "/avaliacao"
_PAGE: Final = "/avaliacao/{projeto_id}"
_FORM_BYTES: Final = 5_000_000
_MOST_FIELDS: Final = 1_000
_PER_PAGE: Final = 50
Edital = Annotated[str, Query(pattern=r"^([0-9A-Za-z][0-9A-Za-z._-]{0,63})?$")]
Situacao = Literal["", "a-fazer", "rascunho", "enviada"]
_SITUACOES: Final[Mapping[Situacao, Rotulo]] = {
    "a-fazer": Rotulo("Falta", "○", "neutro"),
    "rascunho": Rotulo("Com rascunho", "◐", "parcial"),
    "enviada": Rotulo("Enviada", "✓", "aprovado"),
}


@dataclass(frozen=True, slots=True)
class LinhaVista:
    """A project of the list."""

    codigo: str
    edital: str
    titulo: str
    endereco: str
    situacao: Situacao
    rotulo: Rotulo

    @classmethod
    def of(cls, one: Atribuicao) -> LinhaVista:
        """The line of a project."""
        situacao = _situacao(one)
        return cls(
            one.projeto_id,
            one.edital_id,
            shown(one.titulo) or one.projeto_id,
            _address(one.projeto_id, one.edital_id),
            situacao,
            _SITUACOES[situacao],
        )


_COLUMNS: Final[tuple[Coluna[Atribuicao], ...]] = (
    Coluna("titulo", "Projeto", lambda one: fold(one.titulo or one.projeto_id)),
    Coluna("codigo", "Código", lambda one: one.projeto_id),
    Coluna("edital", "Edital", lambda one: one.edital_id),
    Coluna("situacao", "Situação", lambda one: list(_SITUACOES).index(_situacao(one))),
)


@router.get(_LIST, response_class=Response)
async def listar(
    request: Request,
    situacao: Situacao = "",
    q: Annotated[str, Query(max_length=200)] = "",
    ordem: Annotated[str, Query(max_length=20)] = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
) -> Response:
    """The projects given to whoever is here, and how far they have come."""
    given = await state_of(request).container.julgamento.meus_projetos(scope_of(request))
    found = [one for one in given if matches(q, one.titulo, one.projeto_id, one.edital_id)]
    wanted = order([one for one in found if situacao in ("", _situacao(one))], _COLUMNS, ordem)
    query = {"q": q.strip(), "situacao": situacao, "ordem": ordem}
    fatia: Fatia[LinhaVista] = cut(wanted, LinhaVista.of, pagina, _PER_PAGE, query)
    left = [LinhaVista.of(one) for one in given if not one.avaliado][:1]
    fichas = [
        (f"{rotulo.palavra} ({sum(_situacao(one) == codigo for one in found)})", _LIST + link(query, situacao=codigo), situacao == codigo)
        for codigo, rotulo in _SITUACOES.items()
    ]
    return page(
        request,
        "triagem/avaliacoes.html",
        fatia=fatia,
        titulos=heads(_COLUMNS, ordem, query),
        q=q,
        situacao=situacao,
        ordem=ordem,
        total=len(given),
        lembretes=[
            (shown(quem), count(len(one.projetos), "projeto", "projetos"), reminder_said(one))
            for one, quem in await state_of(request).container.lembretes.meus(scope_of(request))
        ],
        feitas=sum(one.avaliado for one in given),
        fichas=[(f"Todos ({len(found)})", _LIST + link(query, situacao=""), not situacao), *fichas],
        seguinte=left[0] if left else None,
    )


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, projeto_id: ProjetoId, edital: Edital = "", conferir: Literal["", "sim"] = "") -> Response:
    """The project, and a form for its critérios; with `conferir`, what is about to be sent."""
    return await _page(request, await _edital_of(request, projeto_id, edital), projeto_id, conferir=bool(conferir))


@router.post(_PAGE, response_class=Response)
async def salvar(request: Request, projeto_id: ProjetoId, edital: Edital = "") -> Response:
    """Keep a draft; what will not do comes back with the reason and what was written, the rest is kept all the same."""
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=_MOST_FIELDS, max_part_size=_FORM_BYTES) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        # A form may name a charset whose text UTF-8 cannot hold.
        fields = {name: value.encode("utf-8", "replace").decode() for name, value in form.items() if isinstance(value, str)}
    codigo = await _edital_of(request, projeto_id, edital)
    para = await state_of(request).container.julgamento.projeto(scope_of(request), codigo, projeto_id)
    try:
        escritas = await _keep(request, codigo, projeto_id, para, fields)
    except AvaliacaoJaEnviada as error:
        return await _page(request, codigo, projeto_id, recusa=error)
    if fields.get("acao") == "conferir":
        escritas |= _missing(para, fields, escritas)
    if escritas:
        fault = NotaInvalida("Confira os critérios marcados abaixo. O resto está gravado como rascunho.")
        return await _page(request, codigo, projeto_id, escritas=escritas, recusa=fault)
    if fields.get("acao") == "conferir":
        return RedirectResponse(f"{_address(projeto_id, codigo)}&conferir=sim", status_code=303)
    return RedirectResponse(f"{_address(projeto_id, codigo)}&ok=gravado", status_code=303)


@router.post(f"{_PAGE}/enviar", response_class=Response)
async def enviar(request: Request, projeto_id: ProjetoId, edital: Edital = "") -> Response:
    """Send the notas of a project, and go on to the next one that waits."""
    csrf.check_origin(request)
    async with limited(request, 10_000).form(max_files=0, max_fields=10) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
    codigo = await _edital_of(request, projeto_id, edital)
    julgamento = state_of(request).container.julgamento
    try:
        await julgamento.enviar(scope_of(request), codigo, projeto_id)
    except AvaliacaoIncompleta as error:
        return await _page(request, codigo, projeto_id, recusa=error)
    left = next(
        (one for one in _from_here(await julgamento.meus_projetos(scope_of(request)), codigo, projeto_id) if not one.avaliado), None
    )
    where = f"{_LIST}?ok=enviado" if left is None else f"{_address(left.projeto_id, left.edital_id)}&ok=enviado"
    return RedirectResponse(where, status_code=303)


async def _keep(request: Request, edital_id: str, projeto_id: str, para: ParaAvaliar, fields: Mapping[str, str]) -> dict[str, Escrita]:
    """Keep all that will do; what is left is answered by critério. Raises AvaliacaoJaEnviada."""
    julgamento, scope = state_of(request).container.julgamento, scope_of(request)
    dadas, escritas = _read(para, fields)
    try:
        await julgamento.salvar(scope, edital_id, projeto_id, dadas)
    except NotaInvalida as error:
        faults = {problem.caminho: problem.mensagem for problem in error.problemas}
        for at, one in enumerate(dadas):
            if (fault := faults.get(f"notas[{at}]")) is not None:
                escritas[one.criterio] = Escrita(fields[f"nota-{one.criterio}"], one.texto, fault)
        await julgamento.salvar(scope, edital_id, projeto_id, [one for one in dadas if one.criterio not in escritas])
    return escritas


def _read(para: ParaAvaliar, fields: Mapping[str, str]) -> tuple[list[NotaDada], dict[str, Escrita]]:
    """What a form gives, a nota or a text or both, and what of it is no nota: a critério with nothing in it is left as it was."""
    begun = {one.criterio for one in para.minhas} | {one.criterio for one in para.sem_nota}
    dadas, escritas = [], {}
    for criterio in para.criterios:
        if f"nota-{criterio.id}" not in fields:
            continue
        nota, texto = fields[f"nota-{criterio.id}"].strip(), fields.get(f"texto-{criterio.id}", "").strip()
        try:
            if nota or texto or criterio.id in begun:
                dadas.append(NotaDada(criterio.id, Decimal(nota.replace(",", ".")) if nota else None, texto))
        except InvalidOperation:
            escritas[criterio.id] = Escrita(nota, texto, "Escreva a nota com algarismos, como 7 ou 7,5.")
    return dadas, escritas


def _missing(para: ParaAvaliar, fields: Mapping[str, str], escritas: Mapping[str, Escrita]) -> dict[str, Escrita]:
    """The critérios that keep a project from being sent, beyond those already told."""
    given = {one.criterio for one in para.minhas}
    found = {}
    for criterio in para.criterios:
        nota, texto = fields.get(f"nota-{criterio.id}"), fields.get(f"texto-{criterio.id}", "")
        has_nota = criterio.id in given if nota is None else bool(nota.strip())
        if not has_nota and criterio.id not in escritas:
            kept = " O que você escreveu está gravado no rascunho." if texto.strip() else ""
            found[criterio.id] = Escrita("", texto, f"Falta a nota deste critério.{kept}")
    return found


async def _page(
    request: Request,
    edital_id: str,
    projeto_id: str,
    *,
    escritas: Mapping[str, Escrita] | None = None,
    recusa: CrivoError | None = None,
    conferir: bool = False,
) -> Response:
    julgamento, scope = state_of(request).container.julgamento, scope_of(request)
    para = await julgamento.projeto(scope, edital_id, projeto_id)
    given = [one for one in await julgamento.meus_projetos(scope) if one.edital_id == edital_id]
    after = next((one for one in _from_here(given, edital_id, projeto_id) if not one.avaliado), None)
    notas = {one.criterio: one.nota for one in para.minhas}
    explained = {one.criterio for one in para.minhas if one.texto.strip()}
    complete = bool(para.criterios) and all(one.id in notas for one in para.criterios)
    sent = [one.enviada_em for one in para.minhas if one.enviada_em is not None]
    return page(
        request,
        "triagem/avaliacao.html",
        status=200 if recusa is None else status_of(recusa),
        endereco=_address(projeto_id, edital_id),
        enviar=f"{_PAGE.format(projeto_id=projeto_id)}/enviar{link({}, edital=edital_id)}",
        edital=shown(para.edital.nome),
        projeto=ProjetoVista.of(para.projeto, edital_id),
        casos=CasosMarca.of(edital_id, para.casos),
        criterios=[criterio_form(one, para, (escritas or {}).get(one.id)) for one in para.criterios],
        recusa=recusa,
        texto_maximo=LONGEST_TEXT,
        humana=DECISAO_HUMANA,
        enviada=max(sent) if para.enviada else None,
        conferencia=[(shown(one.nome), number(one.peso), number(notas[one.id])) for one in para.criterios] if conferir and complete else [],
        sem_texto=[(one.id, shown(one.nome)) for one in para.criterios if one.id not in explained],
        campos_errados=[(f"nota-{one.id}", shown(one.nome)) for one in para.criterios if one.id in (escritas or {})],
        media=media_said(para.criterios, notas),
        feitas=sum(one.avaliado for one in given),
        total=len(given),
        numero=1 + next((at for at, one in enumerate(given) if one.projeto_id == projeto_id), 0),
        dadas=f"{number(len(notas))} de {count(len(para.criterios), 'critério', 'critérios')} com nota",
        seguinte=LinhaVista.of(after) if after else None,
    )


def _from_here(given: Sequence[Atribuicao], edital_id: str, projeto_id: str) -> list[Atribuicao]:
    """The other projects in the order in which one comes to them from this one, its own edital's first."""
    at = next((i for i, one in enumerate(given) if (one.edital_id, one.projeto_id) == (edital_id, projeto_id)), 0)
    others = [*given[at + 1 :], *given[:at]]
    return sorted(others, key=lambda one: one.edital_id != edital_id)


async def _edital_of(request: Request, projeto_id: str, edital: str) -> str:
    """The edital that the address names; where it names none, the one in which a project of that code was given. Raises ProjetoNotFound."""
    if edital:
        return edital
    given = await state_of(request).container.julgamento.meus_projetos(scope_of(request))
    found = [one.edital_id for one in given if one.projeto_id == projeto_id]
    if not found:
        raise ProjetoNotFound("Não há projeto com este código entre os que foram dados a você. Confira o código, ou veja a sua lista.")
    return found[0]


def _situacao(one: Atribuicao) -> Situacao:
    return "enviada" if one.avaliado else "rascunho" if one.comecado else "a-fazer"


def _address(projeto_id: str, edital_id: str) -> str:
    return f"{_PAGE.format(projeto_id=projeto_id)}{link({}, edital=edital_id)}"
