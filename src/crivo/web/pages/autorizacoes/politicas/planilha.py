"""`/politicas/planilha`: a spreadsheet of regras is shown column by column, with what is wrong by cell, and kept as a draft.

The file comes back with the form until it is kept, as nothing of it is stored before.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final
from uuid import UUID

from fastapi import APIRouter, Query
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import Response

from crivo.autorizacoes.palavras import day, documentos_conhecidos
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.autorizacoes.politicas.planilha.colunas import TITULOS
from crivo.autorizacoes.politicas.planilha.leitura import Cabeca, ColunaVista, PlanilhaLida
from crivo.autorizacoes.politicas.planilha.mapa import CAMPOS, FIXOS, MapaDeColunas
from crivo.autorizacoes.politicas.planilha.repetidos import Repetido, once_each
from crivo.autorizacoes.politicas.planilha.saida import FORMATOS, Formato, file_name
from crivo.autorizacoes.politicas.planilha.servico import LeituraDePlanilha, PlanilhaComProblemas
from crivo.autorizacoes.politicas.service import PoliticaNotFound
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.formas.palavras import cut
from crivo.kernel.linguagem.dobra import fold
from crivo.web.body import LARGEST_DOCUMENT_BYTES, limited
from crivo.web.pages import csrf
from crivo.web.pages.autorizacoes.politicas.mudancas import imported
from crivo.web.pages.problemas import quoted
from crivo.web.pages.rendering import page
from crivo.web.problems import headers_of, status_of
from crivo.web.state import hold, scope_of, state_of

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/politicas/planilha"
_FORM_OVERHEAD_BYTES: Final = 400_000
_AS_TEXT: Final = 4 * ((LARGEST_DOCUMENT_BYTES + 2) // 3)  # bytes of the file as a field of a form
_MOST_FIELDS: Final = 1_000
_MOST_COLUMNS: Final = 300
_MOST_DOCUMENTS: Final = 100
_MOST_SHEETS: Final = 50
_SHOWN: Final = 200
_ANSWERED_HERE: Final = (Kind.MALFORMED, Kind.INVALID, Kind.TOO_LARGE, Kind.CONFLICT)
_HEAD: Final = (
    ("administradora_id", "Administradora", "O identificador, como vem nos pedidos."),
    ("documento", "Documento", "O nome do manual ou da tabela."),
    ("versao", "Versão", "Como 2026.4; uma versão já publicada não muda mais."),
    ("vigencia_inicio", "Vale desde", "Como 01/01/2026."),
    ("vigencia_fim", "Vale até", "Deixe vazio se não tem data de fim."),
)
_ORIGENS: Final[Mapping[str, str]] = {
    "dado": "As colunas estão como você escolheu.",
    "guardado": "As colunas são as do último arquivo desta administradora. Confira e importe.",
    "adivinhado": "O crivo sugeriu o que é cada coluna pelo título e pelo que ela traz. Confira uma por uma.",
}
_ISO: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_LACKS: Final = "A planilha não diz. Escreva aqui."
_COBERTURAS: Final = (
    ("", "Cada linha diz"),
    ("sim", "Todas cobertas"),
    ("condicional", "Todas cobertas com condições"),
    ("não", "Nenhuma coberta"),
)
_TABELAS: Final = (("", "Qualquer uma"), ("TUSS", "TUSS"), ("CBHPM", "CBHPM"), ("OUTRA", "Outra"))


class SemPlanilha(CrivoError):
    """A form without its file."""

    codigo: ClassVar[str] = "sem_planilha"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Falta a planilha"
    campo = "planilha"


@dataclass(frozen=True, slots=True)
class ProblemaNaCelula:
    """What is wrong, where, and what stands in its row."""

    onde: str
    mensagem: str
    trecho: str
    tambem: str

    @classmethod
    def of(cls, repetido: Repetido, trechos: Mapping[str, str]) -> ProblemaNaCelula:
        """A fault as the page shows it."""
        problem = repetido.problem
        mensagem = quoted(problem.mensagem)
        return cls(problem.caminho, mensagem[:1].upper() + mensagem[1:], trechos.get(problem.caminho, ""), repetido.tambem)


@router.get(_PAGE, response_class=Response)
async def ver(request: Request) -> Response:
    """Where a spreadsheet is sent."""
    return _page(request)


@router.post(_PAGE, response_class=Response)
async def receber(request: Request) -> Response:
    """Show how the file is read, read it again by the columns that were chosen, or keep it as a draft."""
    csrf.check_origin(request)
    hold(request, state_of(request).politicas)
    limit = _AS_TEXT + _FORM_OVERHEAD_BYTES
    async with limited(request, limit).form(max_files=1, max_fields=_MOST_FIELDS, max_part_size=limit) as form:
        csrf.check_token(request, form.get(csrf.FIELD))
        content = await _content(form)
        fields = {name: _clean(value) for name, value in form.items() if isinstance(value, str) and name != "guardada"}
    if content is None:
        return _page(request, fields=fields, recusa=SemPlanilha("Escolha uma planilha .xlsx ou .csv que não esteja vazia."))
    planilhas, scope = state_of(request).container.planilhas, scope_of(request)
    cabeca, mapa = Cabeca(*[fields.get(campo) or None for campo, *_ in _HEAD]), _mapa(fields)
    try:
        if mapa is not None and fold_id(fields.get("administradora_id", "")) != fold_id(fields.get("lida-de", "")):
            # Of whom the file is was not known when its columns were shown: what is kept of that administradora is shown first.
            return _page(request, content, fields, await planilhas.ler(scope, content, cabeca, sugerido=mapa))
        if fields.get("acao") == "importar":
            with suppress(PlanilhaComProblemas):  # then they are shown below
                feita = await planilhas.importar(scope, content, cabeca, mapa, guardar_mapa=True)
                return await imported(request, feita.importacao)
        leitura = await planilhas.ler(scope, content, cabeca, mapa)
    except CrivoError as error:
        if error.kind not in _ANSWERED_HERE:
            raise
        return _page(request, fields=fields, recusa=error)
    return _page(request, content, fields, leitura)


@router.get("/politicas/{politica_id}/baixar", response_class=Response)
async def baixar(request: Request, politica_id: UUID, formato: Annotated[Formato, Query()] = "xlsx") -> Response:
    """A version as a file that comes in again as the same."""
    try:
        guardada, content = await state_of(request).container.planilhas.exportar(scope_of(request), politica_id, formato)
    except PoliticaNotFound:
        raise PoliticaNotFound("Esta política não existe, ou não é daqui. Volte à lista e escolha outra.") from None
    name = file_name(guardada.documento, guardada.versao, formato)
    return Response(content, media_type=FORMATOS[formato], headers={"content-disposition": f'attachment; filename="{name}"'})


def _clean(value: str) -> str:
    return value.replace("\0", "").encode("utf-8", "replace").decode().strip()


def _mapa(fields: Mapping[str, str]) -> MapaDeColunas | None:
    """The columns as they were chosen; None where nothing was shown yet."""
    shown = [(fields[f"titulo-{at}"], fields.get(f"campo-{at}", "")) for at in range(_MOST_COLUMNS) if f"titulo-{at}" in fields]
    if not shown:
        return None
    fixos = {campo: fields[f"fixo-{campo}"] for campo in FIXOS if fields.get(f"fixo-{campo}")}
    documentos = [(fields[f"nosso-{at}"], fields.get(f"documento-{at}", "")) for at in range(_MOST_DOCUMENTS) if f"nosso-{at}" in fields]
    known = {nosso: tipo for nosso, tipo in documentos if tipo}
    named = [(fields[f"folha-{at}"], fields.get(f"nao-ler-{at}")) for at in range(_MOST_SHEETS) if f"folha-{at}" in fields]
    ignoradas = [nome for nome, marked in named if marked == "sim"]
    return MapaDeColunas(dict(shown), fixos, fields.get("fracao") == "sim", fields.get("plano_da_folha") == "sim", known, ignoradas)


def _documents(lida: PlanilhaLida | None) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """(what the sheet calls it, the type chosen, the choices) of each document that nobody knows by that name, and of those told before."""
    if lida is None:
        return []
    told = lida.mapa.documentos
    kinds = sorted(((tipo, um.nome) for tipo, um in documentos_conhecidos().items()), key=lambda one: fold(one[1]))
    names = list(dict.fromkeys((*told, *lida.desconhecidos)))[:_MOST_DOCUMENTS]
    return [
        (nome, tipo, kinds if tipo in ("", *dict(kinds)) else [(tipo, tipo), *kinds]) for nome in names for tipo in (told.get(nome, ""),)
    ]


async def _content(form: FormData) -> bytes | None:
    sent, kept = form.get("planilha"), form.get("guardada")
    if isinstance(sent, UploadFile) and sent.size:
        return await sent.read()
    if isinstance(kept, str) and kept:
        try:
            return base64.b64decode(kept, validate=True)
        except (binascii.Error, ValueError):
            return None
    return None


def _page(
    request: Request,
    content: bytes | None = None,
    fields: Mapping[str, str] | None = None,
    leitura: LeituraDePlanilha | None = None,
    recusa: CrivoError | None = None,
) -> Response:
    given = fields or {}
    lida = leitura.lida if leitura else None
    cabeca = {campo: given.get(campo) or (lida.cabeca.get(campo, "") if lida else "") for campo, *_ in _HEAD}
    problemas = lida.problemas if lida else ()
    cabeca |= {campo: day(valor) for campo, valor in cabeca.items() if campo.startswith("vigencia") and _ISO.fullmatch(valor)}
    of_head = {one.caminho: _LACKS if one.codigo == "campo_ausente" else quoted(one.mensagem) for one in problemas if one.caminho in cabeca}
    of_cells = once_each([one for one in problemas if one.caminho not in of_head])
    by_cell = [ProblemaNaCelula.of(one, lida.trechos if lida else {}) for one in of_cells]
    nao_ditas = [ProblemaNaCelula.of(one, {}) for one in once_each(lida.nao_ditas if lida else ())]
    impedem = leitura.impedem if leitura else ()
    avisos = [ProblemaNaCelula.of(one, {}) for one in once_each([one for one in lida.avisos if one not in impedem] if lida else ())]
    return page(
        request,
        "autorizacoes/politicas/planilha.html",
        200 if recusa is None else status_of(recusa),
        {} if recusa is None else headers_of(recusa),
        recusa=recusa,
        guardada=base64.b64encode(content).decode() if content is not None else "",
        lida=lida,
        colunas=_once(lida.colunas) if lida else (),
        origem=_origem(leitura) if leitura else "",
        novas=(leitura.novas or ()) if leitura else (),
        folhas=[(nome, not lida.mapa.reads(nome)) for nome in lida.folhas[:_MOST_SHEETS]] if lida else (),
        planos=lida.planos if lida else (),
        campos=[(campo, rotulo, cabeca[campo], ajuda, of_head.get(campo, "")) for campo, rotulo, ajuda in _HEAD],
        escolhas=[("", "Ainda não sei")] + [(campo, TITULOS[campo]) for campo in CAMPOS],
        coberturas=_offered(_COBERTURAS, lida, "cobertura"),
        tabelas=_offered(_TABELAS, lida, "tabela"),
        documentos=_documents(lida),
        lida_de=cabeca["administradora_id"],
        problemas=by_cell[:_SHOWN],
        impedem=[ProblemaNaCelula.of(one, {}) for one in once_each(impedem)],
        mais_problemas=max(0, len(by_cell) - _SHOWN),
        nao_ditas=nao_ditas[:_SHOWN],
        mais_nao_ditas=max(0, len(nao_ditas) - _SHOWN),
        avisos=avisos[:_SHOWN],
        mais_avisos=max(0, len(avisos) - _SHOWN),
        total=len(lida.importada.politica.regras) if lida and lida.importada else 0,
        sem_resposta=[f"“{cut(titulo)}”" for titulo in (lida.sem_resposta if lida else ())],
        maximo=LARGEST_DOCUMENT_BYTES // 1_000_000,
    )


def _origem(leitura: LeituraDePlanilha) -> str:
    if leitura.origem != "adivinhado" or leitura.novas is None:
        return _ORIGENS[leitura.origem]
    if not leitura.novas:
        return "As colunas são as do último arquivo desta administradora; este não tem todas. Confira e leia de novo."
    return "As colunas são as do último arquivo desta administradora. As marcadas como novas não estavam nele: o crivo só sugere o que são."


def _once(colunas: tuple[ColunaVista, ...]) -> tuple[ColunaVista, ...]:
    """Each heading once, whatever the number of sheets that have it."""
    return tuple({one.titulo: one for one in reversed(colunas)}.values())[::-1]


def _offered(escolhas: tuple[tuple[str, str], ...], lida: PlanilhaLida | None, campo: str) -> tuple[tuple[str, str], ...]:
    """The choices, with what a map says in other words among them."""
    said = lida.mapa.fixos.get(campo, "") if lida else ""
    return escolhas if said in dict(escolhas) else (*escolhas, (said, said))
