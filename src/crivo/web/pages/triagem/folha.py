"""The middle of the mesa: a page of a document, or what the project declares, with the passage that is asked about marked, and no other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from starlette.requests import Request

from crivo.triagem.achados import Evidencia, ProjetoTriado
from crivo.triagem.documentos.lido import DocumentoLido
from crivo.triagem.erros import DocumentoNotFound
from crivo.triagem.mesa import NaMesa
from crivo.triagem.palavras import count, shown
from crivo.web.pages.triagem.documento import LEITURAS
from crivo.web.pages.triagem.enderecos import documento_address
from crivo.web.pages.triagem.ficha import ProjetoVista
from crivo.web.pages.triagem.mesa_endereco import Endereco
from crivo.web.pages.triagem.realce import Marca, Pedaco, mark
from crivo.web.state import scope_of, state_of

FORMULARIO = "formulario"


@dataclass(frozen=True, slots=True)
class Papel:
    """A document of the project as a tab: name, address, whether it is open, and what is said of it (er, al, or nothing)."""

    nome: str
    endereco: str
    atual: bool
    tom: str
    palavra: str


@dataclass(frozen=True, slots=True)
class Folha:
    """What is read: `papeis` to choose from; the form where `projeto` is there, else a page of a document in pieces.

    `situacao` says why there is no text. `paginas`: number, address, whether it is the one.
    """

    papeis: tuple[Papel, ...]
    nome: str
    projeto: ProjetoVista | None
    declarado: tuple[tuple[str, tuple[Pedaco, ...]], ...]
    pedacos: tuple[Pedaco, ...]
    por_ocr: bool
    situacao: str
    pagina: int
    paginas: tuple[tuple[int, str, bool], ...]
    onde: str
    texto: str
    arquivo: str
    sobre: str


async def folha_of(request: Request, na_mesa: NaMesa, endereco: Endereco) -> Folha:
    """What the address asks to be read, or else what is worth reading first."""
    projeto, triado = na_mesa.projeto, na_mesa.triado
    doc, pag = _which(endereco, na_mesa)
    papeis = tuple(_tabs(na_mesa, endereco, doc))
    evidence = _evidence(triado, endereco.req)
    if doc == FORMULARIO:
        marcas = [Marca(shown(one.trecho), sobre) for sobre, one in evidence if not one.arquivo and one.trecho.strip()]
        vista = ProjetoVista.of(projeto, na_mesa.edital.id)
        texts = (("Resumo", vista.resumo), ("Descrição técnica", vista.descricao))
        said = tuple([(title, mark(text, marcas)) for title, text in texts if text])
        return Folha(papeis, "Formulário", vista, said, (), False, "", 1, (), "", "", "", _about(marcas))
    numero = int(doc)
    name = projeto.documentos[numero - 1].arquivo
    address = documento_address(na_mesa.edital.id, projeto.id, numero)
    try:
        aberto = await state_of(request).container.documentacao.abrir(scope_of(request), na_mesa.edital.id, projeto.id, numero)
        lido = aberto.lido
    except DocumentoNotFound:  # withdrawn at this very moment
        lido = None
    marcas = [Marca(shown(one.trecho), sobre) for sobre, one in evidence if one.arquivo == name and one.trecho.strip()]
    numbers = [one.numero for one in lido.paginas] if lido else []
    shown_page = next((one for one in lido.paginas if one.numero == pag), lido.paginas[0]) if lido and lido.paginas else None
    return Folha(
        papeis,
        shown(name.rpartition("/")[2]),
        None,
        (),
        mark(shown(shown_page.texto), marcas) if shown_page else (),
        bool(shown_page and shown_page.por_ocr),
        "" if shown_page else _reading(lido),
        shown_page.numero if shown_page else 1,
        tuple([(one, _at(endereco, na_mesa, doc, one), shown_page is not None and one == shown_page.numero) for one in numbers]),
        f"Página {shown_page.numero} de {count(lido.total_paginas, 'página', 'páginas')}" if shown_page and lido else "",
        address + (f"#pagina-{shown_page.numero}" if shown_page else ""),
        f"{address}/arquivo",
        _about(marcas),
    )


def _which(endereco: Endereco, na_mesa: NaMesa) -> tuple[str, int]:
    """The document and page that are asked for; where none is, those of the first thing that fails, or else the first document."""
    many = len(na_mesa.projeto.documentos)
    if endereco.doc == FORMULARIO or not many:
        return FORMULARIO, 1
    if endereco.doc.isascii() and endereco.doc.isdigit() and len(endereco.doc) < 6 and 1 <= int(endereco.doc) <= many:
        return endereco.doc, endereco.pag
    names = [one.arquivo for one in na_mesa.projeto.documentos]
    for item in na_mesa.triado.itens if na_mesa.triado else ():
        found = item.evidencia
        if item.situacao != "atende" and found is not None and found.arquivo in names:
            return str(names.index(found.arquivo) + 1), found.pagina or 1
    return "1", 1


def _tabs(na_mesa: NaMesa, endereco: Endereco, doc: str) -> Iterator[Papel]:
    codigo = na_mesa.projeto.id
    yield Papel("Formulário", endereco.projeto(codigo, doc=FORMULARIO, vista="pagina"), doc == FORMULARIO, "", "")
    for at, one in enumerate(na_mesa.projeto.documentos, 1):
        tom, palavra = _worst(na_mesa.triado, one.arquivo, one.requisito)
        address = endereco.projeto(codigo, doc=str(at), vista="pagina")
        yield Papel(shown(one.arquivo.rpartition("/")[2]), address, doc == str(at), tom, palavra)


def _worst(triado: ProjetoTriado | None, arquivo: str, requisito: str | None) -> tuple[str, str]:
    about = [
        one.situacao
        for one in (triado.itens if triado else ())
        if one.requisito == requisito or (one.evidencia is not None and one.evidencia.arquivo == arquivo)
    ]
    if "nao_atende" in about:
        return "er", "não atende"
    return ("al", "a conferir") if "nao_lido" in about else ("", "")


def _evidence(triado: ProjetoTriado | None, requisito: str) -> list[tuple[str, Evidencia]]:
    """The passage of the requisito that is asked about; where none is asked about, those of what fails."""
    found = []
    for item in triado.itens if triado else ():
        wanted = item.requisito == requisito if requisito else item.situacao != "atende"
        if wanted and item.evidencia is not None:
            found.append((shown(item.clausula or item.descricao or item.requisito), item.evidencia))
    return found


def _about(marcas: Sequence[Marca]) -> str:
    return ", ".join(dict.fromkeys(one.sobre for one in marcas))


def _at(endereco: Endereco, na_mesa: NaMesa, doc: str, pag: int) -> str:
    return endereco.projeto(na_mesa.projeto.id, doc=doc, pag=str(pag), req=endereco.req, vista="pagina")


def _reading(lido: DocumentoLido | None) -> str:
    if lido is None:
        return "Ninguém leu este documento ainda. Execute a triagem para lê-lo."
    return LEITURAS["vazio"] if lido.leitura == "lido" else LEITURAS[lido.leitura]
