"""`/avaliacao`: the projects given to a person, and where they give their own notas. Source: triagem seed, Na tela do avaliador."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from crivo.kernel.access import GESTAO, SemPermissao
from crivo.triagem.achados import NotaSugerida
from crivo.triagem.edital import Criterio, Projeto
from crivo.triagem.erros import NotaInvalida, ProjetoNotFound
from crivo.triagem.julgamento import LONGEST_TEXT, ParaAvaliar
from crivo.triagem.palavras import DECISAO_HUMANA, day, number, percent
from crivo.triagem.storage.avaliacoes import Avaliacao
from crivo.web.api.triagem_acesso import ProjetoId
from crivo.web.body import limited
from crivo.web.pages import csrf
from crivo.web.pages.palavras import date_time
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem_lista import link
from crivo.web.pages.triagem_palavras import campo_name, shown
from crivo.web.pages.triagem_vista import Trecho
from crivo.web.problems import status_of
from crivo.web.state import papel_of, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/avaliacao/{projeto_id}"
_FORM_BYTES: Final = 4 * LONGEST_TEXT + 10_000
Edital = Annotated[str, Query(pattern=r"^([0-9A-Za-z][0-9A-Za-z._-]{0,63})?$")]


@dataclass(frozen=True, slots=True)
class Escrito:
    """What was sent and not kept: the form comes back with it."""

    criterio: str
    nota: str
    texto: str
    recusa: NotaInvalida


@dataclass(frozen=True, slots=True)
class CriterioForm:
    """A critério with its own form; `dica` is open once the edital lets it be, and `fechada` says that it waits for the nota."""

    id: str
    nome: str
    descricao: str
    faixa: str
    niveis: tuple[tuple[str, str], ...]
    nota: str
    texto: str
    gravada: str
    recusa: NotaInvalida | None
    fechada: bool
    sugerida: tuple[tuple[str, str], ...]
    justificativa: str
    trechos: tuple[Trecho, ...]


@dataclass(frozen=True, slots=True)
class ProjetoVista:
    """A project as whoever judges it reads it."""

    codigo: str
    titulo: str
    categoria: str
    proponente: str
    resumo: str
    descricao: str
    campos: tuple[tuple[str, str], ...]
    itens: tuple[tuple[str, str, str, str], ...]
    total: str
    etapas: tuple[tuple[str, str], ...]
    documentos: tuple[str, ...]

    @classmethod
    def of(cls, projeto: Projeto) -> ProjetoVista:
        """The project in words."""
        itens = projeto.orcamento_itens
        return cls(
            projeto.id,
            shown(projeto.titulo),
            shown(projeto.categoria),
            shown(projeto.proponente.nome),
            shown(projeto.resumo),
            shown(projeto.descricao_tecnica),
            tuple([(campo_name(nome), _declared(valor)) for nome, valor in projeto.campos.items()]),
            tuple([(shown(one.descricao), number(one.quantidade), _reais(one.valor_unitario), _reais(one.total)) for one in itens]),
            _reais(sum((one.total for one in itens), Decimal(0))),
            tuple(
                [(shown(one.nome), " a ".join(day(when) for when in (one.inicio, one.fim) if when)) for one in projeto.cronograma_etapas]
            ),
            tuple([shown(one.arquivo.rpartition("/")[2]) for one in projeto.documentos]),
        )


@router.get("/avaliacao", response_class=Response)
async def listar(request: Request) -> Response:
    """The projects given to whoever is here."""
    _require_avaliador(request)
    given = await state_of(request).container.julgamento.meus_projetos(scope_of(request))
    linhas = [(one, shown(one.titulo), _address(one.projeto_id, one.edital_id)) for one in given]
    return page(request, "avaliacoes.html", linhas=linhas, feitas=sum(one.avaliado for one in given))


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, projeto_id: ProjetoId, edital: Edital = "") -> Response:
    """The project, and a form for each critério."""
    _require_avaliador(request)
    return await _page(request, await _edital_of(request, projeto_id, edital), projeto_id)


@router.post(_PAGE, response_class=Response)
async def dar_nota(request: Request, projeto_id: ProjetoId, edital: Edital = "") -> Response:
    """Keep a nota, and show what it opened; one that will not do comes back with the reason and what was written."""
    _require_avaliador(request)
    csrf.check_origin(request)
    async with limited(request, _FORM_BYTES).form(max_files=0, max_fields=10, max_part_size=_FORM_BYTES) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        # A form may name a charset whose text UTF-8 cannot hold.
        fields = {name: value.encode("utf-8", "replace").decode() for name, value in form.items() if isinstance(value, str)}
    criterio, escrita, texto = (fields.get(name, "") for name in ("criterio", "nota", "texto"))
    codigo = await _edital_of(request, projeto_id, edital)
    try:
        nota = _read_nota(escrita)
        await state_of(request).container.julgamento.registrar_nota(scope_of(request), codigo, projeto_id, criterio, nota, texto.strip())
    except NotaInvalida as error:
        return await _page(request, codigo, projeto_id, Escrito(criterio, escrita, texto, error))
    return RedirectResponse(f"{_address(projeto_id, codigo)}#criterio-{criterio}", status_code=303)


async def _page(request: Request, edital_id: str, projeto_id: str, escrito: Escrito | None = None) -> Response:
    para = await state_of(request).container.julgamento.projeto(scope_of(request), edital_id, projeto_id)
    return page(
        request,
        "avaliacao.html",
        status=200 if escrito is None else status_of(escrito.recusa),
        endereco=_address(projeto_id, edital_id),
        edital=shown(para.edital.nome),
        projeto=ProjetoVista.of(para.projeto),
        criterios=[_form_of(one, para, escrito) for one in para.criterios],
        recusa=escrito.recusa if escrito else None,
        texto_maximo=LONGEST_TEXT,
        humana=DECISAO_HUMANA,
    )


def _form_of(criterio: Criterio, para: ParaAvaliar, escrito: Escrito | None) -> CriterioForm:
    given = next((one for one in para.minhas if one.criterio == criterio.id), None)
    written = escrito if escrito and escrito.criterio == criterio.id else None
    triado = para.triado
    sugerida = next((one for one in triado.notas if one.criterio == criterio.id), None) if triado else None
    lida = next((one.passagens for one in triado.leitura if one.criterio == criterio.id), ()) if triado else ()
    return CriterioForm(
        criterio.id,
        shown(criterio.nome),
        shown(criterio.descricao),
        f"de {number(criterio.nota_min)} a {number(criterio.nota_max)}, peso {number(criterio.peso)}",
        tuple([(number(nivel.nota), shown(nivel.descricao)) for nivel in criterio.niveis]),
        written.nota if written else number(given.nota) if given else "",
        written.texto if written else given.texto if given else "",
        f"Gravada em {date_time(given.atualizada_em)}" if given else "",
        written.recusa if written else None,
        _is_waiting(para, given),
        _suggested(sugerida),
        shown(sugerida.justificativa) if sugerida else "",
        tuple([Trecho.of(one) for one in (sugerida.evidencias if sugerida else lida)]),
    )


def _is_waiting(para: ParaAvaliar, given: Avaliacao | None) -> bool:
    return para.triado is not None and para.edital.nota_antes_da_dica and given is None


def _suggested(nota: NotaSugerida | None) -> tuple[tuple[str, str], ...]:
    if nota is None:
        return ()
    return (("Nota sugerida", number(nota.nota_sugerida, 2)), ("Confiança", percent(float(nota.confianca))))


async def _edital_of(request: Request, projeto_id: str, edital: str) -> str:
    """The edital that the address names; where it names none, the one in which a project of that code was given. Raises ProjetoNotFound."""
    if edital:
        return edital
    given = await state_of(request).container.julgamento.meus_projetos(scope_of(request))
    found: Sequence[str] = [one.edital_id for one in given if one.projeto_id == projeto_id]
    if not found:
        raise ProjetoNotFound("Não há projeto com este código entre os que foram dados a você. Confira o código, ou veja a sua lista.")
    return found[0]


def _read_nota(text: str) -> Decimal:
    try:
        return Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        raise NotaInvalida("Escreva a nota com algarismos, como 7 ou 7,5.") from None


def _declared(valor: object) -> str:
    if isinstance(valor, bool):
        return "Sim" if valor else "Não"
    if isinstance(valor, int | float | Decimal):
        return number(valor)
    if isinstance(valor, list):
        return ", ".join(_declared(one) for one in valor)
    return shown(str(valor)) if valor is not None else "não informado"


def _reais(valor: Decimal) -> str:
    return f"R$ {number(valor, 2)}"


def _address(projeto_id: str, edital_id: str) -> str:
    return f"{_PAGE.format(projeto_id=projeto_id)}{link({}, edital=edital_id)}"


def _require_avaliador(request: Request) -> None:
    """Raises SemPermissao for whoever neither judges nor manages."""
    papel = papel_of(request)
    if papel != "avaliador" and papel not in GESTAO:
        raise SemPermissao("Só avaliadores e gestão avaliam projetos. Peça a quem administra o crivo um desses papéis.")
