"""A document of a project: its text as it was read, by page, with the evidence of the last screening marked. Source: design, Pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Final
from urllib.parse import quote

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from crivo.triagem.achados import Evidencia, Resultado
from crivo.triagem.documentacao import DocumentoAberto
from crivo.triagem.documentos.duvida import doubtful_spans
from crivo.triagem.documentos.lido import DocumentoLido, Leitura, Pagina
from crivo.triagem.edital import Criterio, EditalNotFound
from crivo.triagem.erros import DocumentoNotFound, TriagemNotFound
from crivo.triagem.irregularidades.sinais import SINAL_DE
from crivo.triagem.palavras import count, shown
from crivo.web.pages.rendering import page
from crivo.web.pages.triagem.enderecos import documento_address
from crivo.web.pages.triagem.palavras import unveiled
from crivo.web.pages.triagem.realce import Marca, Pedaco, mark
from crivo.web.state import pode, scope_of, state_of
from crivo.web.triagem.acesso import EditalId, ProjetoId, resultado_seen

router = APIRouter(include_in_schema=False)
_PAGE: Final = "/admin/editais/{edital_id}/projetos/{projeto_id}/documentos/{documento_id}"
_MOST_PAGES: Final = 200
_SAFE_TYPE: Final = "application/octet-stream"
_SANDBOX: Final = "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox"
Numero = Annotated[str, Path(max_length=64, description="Qual documento do projeto, contado de 1.")]
_LEITURAS: Final[dict[Leitura, str]] = {
    "lido": "Lido",
    "vazio": "O arquivo abre, e não há texto nele.",
    "corrompido": "O arquivo está danificado e não pôde ser lido.",
    "protegido": "O arquivo pede uma senha e não pôde ser lido.",
    "desconhecido": "O conteúdo não é de um tipo que se lê aqui.",
    "grande_demais": "O arquivo é grande demais para ser lido.",
    "tempo_esgotado": "A leitura demorou demais e foi interrompida.",
    "sem_ocr": "É a imagem de uma página, e esta instalação não lê imagens. Baixe o arquivo para conferir.",
    "ilegivel": "É uma imagem em que não se lê texto com segurança: uma foto, letra de mão ou cópia ruim. Baixe o arquivo para conferir.",
}


@dataclass(frozen=True, slots=True)
class PaginaVista:
    """A page of a document in pieces; `por_ocr` says that it was read from an image, `incertas` how many of its words with doubt."""

    numero: int
    pedacos: tuple[Pedaco, ...]
    por_ocr: bool
    nao_lida: bool
    incertas: str


@router.get(_PAGE, response_class=Response)
async def ver(request: Request, edital_id: EditalId, projeto_id: ProjetoId, documento_id: Numero) -> Response:
    """The text that was read, never the file itself."""
    aberto = await state_of(request).container.documentacao.abrir(scope_of(request), edital_id, projeto_id, _number(documento_id))
    marcas = await _marks(request, aberto)
    lido = aberto.lido
    gestao = pode(request, "triagem.acompanhar")
    here = documento_address(edital_id, projeto_id, aberto.numero)
    total = len(aberto.projeto.documentos)
    return page(
        request,
        "triagem/documento.html",
        edital_id=edital_id,
        gestao=gestao,
        voltar=f"/admin/editais/{quote(edital_id, safe='')}/triagem-ia" if gestao else f"/avaliacao/{projeto_id}?edital={quote(edital_id)}",
        nome=shown(aberto.arquivo.rpartition("/")[2]),
        projeto=shown(aberto.projeto.titulo) or projeto_id,
        arquivo=f"{here}/arquivo",
        tamanho=_size(aberto.tamanho_bytes),
        situacao="" if lido is not None and lido.texto.strip() else _reading(lido),
        paginas=[_pagina(one, marcas) for one in lido.paginas[:_MOST_PAGES]] if lido and lido.texto.strip() else [],
        quantas=count(lido.total_paginas, "página", "páginas") if lido and lido.total_paginas else "",
        evidencias=[(one.sobre, shown(one.trecho)) for one in dict.fromkeys(marcas)],
        ocultos=_hidden(lido, metadados=False) if lido and gestao else [],
        metadados=_hidden(lido, metadados=True) if lido and gestao else [],
        anterior=documento_address(edital_id, projeto_id, aberto.numero - 1) if aberto.numero > 1 else "",
        seguinte=documento_address(edital_id, projeto_id, aberto.numero + 1) if aberto.numero < total else "",
        onde=f"Documento {aberto.numero} de {total}",
    )


@router.get(f"{_PAGE}/arquivo", response_class=Response)
async def baixar(request: Request, edital_id: EditalId, projeto_id: ProjetoId, documento_id: Numero) -> Response:
    """The file as it was sent: always to be kept, never to be run or shown here."""
    nome, conteudo = await state_of(request).container.documentacao.baixar(scope_of(request), edital_id, projeto_id, _number(documento_id))
    headers = {
        "content-disposition": f"attachment; filename*=UTF-8''{quote(nome, safe='')}",
        "content-security-policy": _SANDBOX,
        "x-content-type-options": "nosniff",
    }
    return Response(conteudo, media_type=_SAFE_TYPE, headers=headers)


async def _marks(request: Request, aberto: DocumentoAberto) -> list[Marca]:
    """The evidence in this document that whoever asks may see."""
    container, scope = state_of(request).container, scope_of(request)
    try:
        resultado = await resultado_seen(request, aberto.edital.id)
    except (TriagemNotFound, EditalNotFound):
        return []
    criterios = (await container.triagem.edital(scope, aberto.edital.id)).criterios
    return [
        Marca(shown(one.trecho), sobre)
        for sobre, one in _evidence(resultado, aberto.projeto.id, criterios)
        if one.arquivo == aberto.arquivo and one.trecho.strip()
    ]


def _evidence(resultado: Resultado, projeto_id: str, criterios: Sequence[Criterio]) -> Iterator[tuple[str, Evidencia]]:
    nomes = {one.id: one.nome for one in criterios}
    for triado in resultado.projetos:
        if triado.projeto_id != projeto_id:
            continue
        for item in triado.itens:
            if item.evidencia is not None:
                yield shown(item.descricao or item.requisito), item.evidencia
        for nota in triado.notas:
            yield from ((shown(nomes.get(nota.criterio, nota.criterio)), one) for one in nota.evidencias)
        for leitura in triado.leitura:
            yield from ((shown(nomes.get(leitura.criterio, leitura.criterio)), one) for one in leitura.passagens)
    for sinal in resultado.irregularidades:
        yield from ((SINAL_DE[sinal.tipo].palavra, one) for one in sinal.evidencia if one.projeto == projeto_id)


def _pagina(pagina: Pagina, marcas: Sequence[Marca]) -> PaginaVista:
    doubtful = doubtful_spans(pagina, shown)
    told = count(len(doubtful), "palavra de leitura incerta", "palavras de leitura incerta") if doubtful else ""
    return PaginaVista(pagina.numero, mark(shown(pagina.texto), marcas, doubtful), pagina.por_ocr, pagina.nao_lida, told)


def _hidden(lido: DocumentoLido, *, metadados: bool) -> list[tuple[int | None, str]]:
    """What nobody sees in the file, or what it says of itself: page and text."""
    return [(one.pagina, unveiled(one.texto)) for one in lido.ocultos if (one.truque == "metadado") == metadados]


def _reading(lido: DocumentoLido | None) -> str:
    if lido is None:
        return "Ninguém leu este documento ainda. Execute a triagem para lê-lo."
    return _LEITURAS["vazio"] if lido.leitura == "lido" else _LEITURAS[lido.leitura]


def _number(text: str) -> int:
    """Raises DocumentoNotFound."""
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise DocumentoNotFound("Não há este documento entre os que você pode ver. Volte ao projeto e escolha outro.")
    return int(text)


def _size(tamanho_bytes: int) -> str:
    kilo = max(1, round(tamanho_bytes / 1000))
    return f"{kilo} kB" if kilo < 1000 else f"{tamanho_bytes / 1_000_000:.1f} MB".replace(".", ",")
