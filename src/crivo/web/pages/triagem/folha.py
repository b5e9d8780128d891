"""The middle of the mesa: a page of a document as it is, or what the project declares, with what is asked about marked, and no other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import msgspec
from starlette.requests import Request

from crivo.triagem.achados import Evidencia, Irregularidade, ItemHabilitacao
from crivo.triagem.edital import Criterio
from crivo.triagem.julgamento import ParaAvaliar
from crivo.triagem.mesa import NaMesa
from crivo.triagem.paginas import Apontado
from crivo.triagem.palavras import shown
from crivo.web.pages.triagem.apontados import Origem
from crivo.web.pages.triagem.ficha import ProjetoVista
from crivo.web.pages.triagem.mesa_endereco import Endereco
from crivo.web.pages.triagem.mesa_pedido import FORMULARIO
from crivo.web.pages.triagem.meu_endereco import MeuEndereco
from crivo.web.pages.triagem.pagina import AbaDeDocumento, PaginaVista, Ver, vista_da_pagina
from crivo.web.pages.triagem.realce import Marca, Pedaco, mark
from crivo.web.state import hold, state_of

Lido = NaMesa | ParaAvaliar
"""A project as it lies on a mesa."""
DeProjeto = Endereco | MeuEndereco
_MARCAS: Final = {"nao_atende": ("falha", "não atende"), "nao_lido": ("duvida", "a conferir")}


@dataclass(frozen=True, slots=True)
class Folha:
    """What is read: a page of a document, or the form with its texts in pieces, each under its title. `abas` lead from one to another."""

    nome: str
    abas: tuple[AbaDeDocumento, ...]
    pagina: PaginaVista | None
    projeto: ProjetoVista | None
    declarado: tuple[tuple[str, tuple[Pedaco, ...]], ...] = ()


@dataclass(frozen=True, slots=True)
class _RotasDaMesa:
    """Where documents and findings are on the mesa."""

    endereco: DeProjeto
    codigo: str

    def folha(self, documento: int, pagina: int = 0, ver: Ver = "pagina", zoom: int = 100) -> str:
        same = str(documento) == self.endereco.doc
        return self.endereco.projeto(
            self.codigo,
            doc=str(documento),
            pag=str(pagina) if pagina else "",
            req=self.endereco.req if same else "",
            crit=self.endereco.crit if same else "",
            ver="texto" if ver == "texto" else "",
            zoom=str(zoom) if zoom != 100 else "",
            vista="pagina",
        )

    def alvo(self, origem: Origem) -> str:
        match origem:
            case ItemHabilitacao():
                return f"#requisito-{origem.requisito}"
            case Criterio():
                return f"#criterio-{origem.id}"
            case Irregularidade():
                return "#casos"


async def folha_of(request: Request, na_mesa: Lido, endereco: DeProjeto, apontado_of: Callable[[], Awaitable[Apontado]]) -> Folha:
    """What the address asks to be read, or else what is worth reading first. `apontado_of`: what may be boxed on a page of a document."""
    projeto, rotas = na_mesa.projeto, _RotasDaMesa(endereco, na_mesa.projeto.id)
    documento = _number(endereco.doc, len(projeto.documentos))
    if endereco.doc == FORMULARIO or not projeto.documentos:
        return _form(na_mesa, endereco, rotas)
    hold(request, state_of(request).desenhos)
    apontado = _asked(await apontado_of(), endereco)
    ver: Ver = "texto" if request.query_params.get("ver") == "texto" else "pagina"
    zoom = next((one for one in (150, 200) if str(one) == request.query_params.get("zoom")), 100)
    vista = await vista_da_pagina(
        request, na_mesa.edital.id, projeto.id, documento, endereco.pag or 0, rotas, ver=ver, zoom=zoom, apontado=apontado
    )
    abas = _tabs(na_mesa, endereco, rotas, vista.documento, vista.abas)
    return Folha(vista.nome, abas, replace(vista, abas=abas), None)


def first_place(criterio: Criterio, na_mesa: Lido) -> tuple[str, str]:
    """Where the first passage that speaks to a critério is read; empty where none does."""
    triado = na_mesa.triado
    quoted = [of for one in (triado.notas if triado else ()) if one.criterio == criterio.id for of in one.evidencias]
    quoted += [of for one in (triado.leitura if triado else ()) if one.criterio == criterio.id for of in one.passagens]
    return place_of(quoted[0], na_mesa) if quoted else ("", "")


def place_of(found: Evidencia | None, na_mesa: Lido) -> tuple[str, str]:
    """The document and page where what was found is read, as an address says them; the form where it is in no document."""
    names = [one.arquivo for one in na_mesa.projeto.documentos]
    if found is None or found.arquivo not in names:
        return FORMULARIO, ""
    return str(names.index(found.arquivo) + 1), str(found.pagina) if found.pagina and found.pagina > 1 else ""


def _form(na_mesa: Lido, endereco: DeProjeto, rotas: _RotasDaMesa) -> Folha:
    vista = ProjetoVista.of(na_mesa.projeto)
    marcas = [Marca(shown(one.trecho), sobre) for sobre, one in _quoted(na_mesa, endereco) if one.trecho.strip()]
    texts = (("Resumo", vista.resumo), ("Descrição técnica", vista.descricao))
    declared = tuple([(title, mark(text, marcas)) for title, text in texts if text])
    return Folha("Formulário", _tabs(na_mesa, endereco, rotas, 0), None, vista, declared)


def _asked(apontado: Apontado, endereco: DeProjeto) -> Apontado:
    """What is to be marked: the requisito or critério that is asked about, or else all requisitos; signs always."""
    triado = apontado.triado
    if triado is None:
        return apontado
    itens = () if endereco.crit else tuple([one for one in triado.itens if endereco.req in ("", one.requisito)])
    notas = tuple([one for one in triado.notas if one.criterio == endereco.crit])
    leitura = tuple([one for one in triado.leitura if one.criterio == endereco.crit])
    return replace(apontado, triado=msgspec.structs.replace(triado, itens=itens, notas=notas, leitura=leitura))


def _quoted(na_mesa: Lido, endereco: DeProjeto) -> list[tuple[str, Evidencia]]:
    """The passages of the form that are asked about; where nothing is, those of what fails."""
    triado = na_mesa.triado
    if triado is None:
        return []
    wanted = [one for one in triado.itens if (one.requisito == endereco.req if endereco.req else one.situacao != "atende")]
    found = [(shown(one.clausula or one.descricao or one.requisito), one.evidencia) for one in wanted if one.evidencia]
    if endereco.crit:
        nomes = {one.id: shown(one.nome) for one in na_mesa.criterios}
        given = [of for one in (*triado.notas,) if one.criterio == endereco.crit for of in one.evidencias]
        given += [of for one in triado.leitura if one.criterio == endereco.crit for of in one.passagens]
        found = [(nomes.get(endereco.crit, ""), of) for of in given]
    return [(sobre, one) for sobre, one in found if not one.arquivo]


def _tabs(
    na_mesa: Lido, endereco: DeProjeto, rotas: _RotasDaMesa, atual: int, known: Sequence[AbaDeDocumento] = ()
) -> tuple[AbaDeDocumento, ...]:
    """The form, and each document with what is to be said of it, whatever is asked about."""
    form = AbaDeDocumento("Formulário", endereco.projeto(na_mesa.projeto.id, doc=FORMULARIO, vista="pagina"), atual == 0, ())
    found = [form]
    for at, one in enumerate(na_mesa.projeto.documentos, 1):
        hides = [marca for marca in known[at - 1].marcas if marca[0] == "oculto"] if known else []
        marcas = (*_worst(na_mesa, one.arquivo, one.requisito), *hides)
        found.append(AbaDeDocumento(shown(one.arquivo.rpartition("/")[2]), rotas.folha(at), at == atual, marcas))
    return tuple(found)


def _worst(na_mesa: Lido, arquivo: str, requisito: str | None) -> tuple[tuple[str, str], ...]:
    itens = na_mesa.triado.itens if na_mesa.triado else ()
    about = {
        one.situacao
        for one in itens
        if (one.evidencia.arquivo == arquivo if one.evidencia and one.evidencia.arquivo else one.requisito == requisito)
    }
    return tuple([marca for situacao, marca in _MARCAS.items() if situacao in about][:1])


def _number(doc: str, many: int) -> int:
    """The document that is asked for, 0 for the one that is worth the first look."""
    found = int(doc) if doc.isascii() and doc.isdigit() and len(doc) < 6 else 0
    return found if found <= many else 0
