"""A page of a project's documents as people look at it: the drawing, each quoted passage boxed, and what is hidden shown in its place.

`vista_da_pagina` answers all that `triagem/pagina.html` shows; whoever has another address for it says so by `Rotas`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol

from starlette.requests import Request

from crivo.triagem.documentacao import DocumentoAberto
from crivo.triagem.documentos.aspecto import Caixa, EstadoDaFolha, Oculto
from crivo.triagem.documentos.duvida import doubtful_spans
from crivo.triagem.documentos.lido import TRUQUES_COMUNS, DocumentoLido, Leitura, TruqueOculto
from crivo.triagem.edital import Criterio, EditalNotFound
from crivo.triagem.erros import DocumentoNotFound, TriagemNotFound
from crivo.triagem.paginas import Apontado, Folha, largura_of
from crivo.triagem.palavras import count, number, shown
from crivo.web.pages.triagem.apontados import Apontamento, Origem, apontamentos_of, by_file
from crivo.web.pages.triagem.da_imagem import DaImagem, da_imagem
from crivo.web.pages.triagem.enderecos import documento_address
from crivo.web.pages.triagem.palavras import TRUQUES, unveiled
from crivo.web.pages.triagem.realce import Marca, Pedaco, mark
from crivo.web.state import pode, scope_of, state_of
from crivo.web.triagem.acesso import resultado_seen

Ver = Literal["pagina", "texto"]
ZOOMS: Final = (100, 150, 200)
MINIATURA: Final = 120  # pixels
_WIDE: Final = 1200  # pixels of a page at 100%: twice what most columns have, for screens that show two for one
_MOST_THUMBNAILS: Final = 40
_AROUND: Final = 6  # pages before and after the one that is shown
_MOST_PAGES: Final = 200
_MOST_BOXED: Final = 60  # findings of one page
_SHORT_LABEL: Final = 5  # letters
_MARGINS: Final = (8.0, 20.0)  # percent of the page at the left of a passage that hold a short label, and any
_FEW_LINES: Final = 4  # of a passage that was only searched for: a longer one has a line beside it and no boxes
_BESIDE: Final = 1.4  # percent, at the left of such a passage
_LINE: Final = 0.4  # percent: how thick that line is
_CLOSE: Final = 2.5  # percent: labels nearer than that would lie on each other
_CARD: Final = 52.0  # percent: as narrow as the words of a hidden text are shown
LEITURAS: Final[Mapping[Leitura, str]] = {
    "lido": "Lido",
    "vazio": "O arquivo abre, e não há texto nele.",
    "corrompido": "O arquivo está danificado e não pôde ser lido.",
    "protegido": "O arquivo pede uma senha e não pôde ser lido.",
    "desconhecido": "O conteúdo não é de um tipo que se lê aqui.",
    "grande_demais": "O arquivo é grande demais para ser lido.",
    "tempo_esgotado": "A leitura demorou demais e foi interrompida.",
    "sem_ocr": "É a imagem de uma página, e esta instalação não lê imagens. Confira na página.",
    "ilegivel": "É uma imagem em que não se lê texto com segurança: uma foto, letra de mão ou cópia ruim. Confira na página.",
}
_NOT_DRAWN: Final[Mapping[EstadoDaFolha, str]] = {
    "vazio": "Este arquivo está em branco.",
    "corrompido": "Esta página está danificada e não pôde ser desenhada.",
    "protegido": "O arquivo pede uma senha, e por isso a página não pôde ser desenhada.",
    "desconhecido": "Este arquivo não é de um tipo que se mostra aqui.",
    "grande_demais": "Esta página é grande demais para ser desenhada.",
    "tempo_esgotado": "Esta página demorou demais e não pôde ser desenhada.",
}
_FAILED: Final[frozenset[Leitura]] = frozenset({"corrompido", "protegido", "desconhecido", "grande_demais", "tempo_esgotado"})


class Rotas(Protocol):
    """Where things are on the page that shows a document."""

    def folha(self, documento: int, pagina: int = 0, ver: Ver = "pagina", zoom: int = 100) -> str:
        """The address of a page, from 1, of the `documento`-th document; without one, of the first that is worth a look."""

    def alvo(self, origem: Origem) -> str:
        """Where what a finding belongs to is decided: a requisito, a critério, a sign; empty where it is nowhere."""


@dataclass(frozen=True, slots=True)
class AbaDeDocumento:
    """A document of the project. `marcas`: what is to be said of it, each with the name of its dot (`falha`, `duvida`, `oculto`)."""

    nome: str
    endereco: str
    atual: bool
    marcas: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Miniatura:
    """A page of the document in small; `dito` is what it holds, in words. `depois_de_um_salto`: pages are left out before it."""

    numero: int
    endereco: str
    imagem: str
    atual: bool
    dito: str
    citada: bool
    esconde: bool
    depois_de_um_salto: bool


@dataclass(frozen=True, slots=True)
class CaixaVista:
    """A passage on the page: its rectangles in percent, and the `topo` of its label, which stands at the left, or at its end where `fim`.

    `linha`: it is long, and marked by a line beside it.
    """

    numero: int
    retangulos: tuple[Caixa, ...]
    topo: float
    linha: bool
    endereco: str
    etiqueta: str
    dito: str
    estilo: str
    fim: bool


@dataclass(frozen=True, slots=True)
class OcultoVisto:
    """A hidden text; with no rectangle where it has no place on the paper. `cartao`: where its words are shown, in percent."""

    texto: str
    truque: str
    retangulos: tuple[Caixa, ...]
    cartao: Caixa | None
    endereco: str


@dataclass(frozen=True, slots=True)
class AchadoVisto:
    """A finding beside the page, or several critérios that one passage speaks to. `caixa` is where its passage is on the page shown,
    `endereco` the address of the other page that it is on, `alvo` of what it belongs to; `nota` says why it has no box.
    """

    apontamento: Apontamento
    titulo: str
    dito: str
    aqui: bool
    so_passagem: bool
    onde: str
    caixa: str
    endereco: str
    alvo: str
    nota: str


@dataclass(frozen=True, slots=True)
class TextoDaPagina:
    """The text of a page as it was read, in pieces; `por_ocr` says that it was read from an image, `incertas` how many words with doubt."""

    numero: int
    pedacos: tuple[Pedaco, ...]
    por_ocr: bool
    nao_lida: bool
    incertas: str


@dataclass(frozen=True, slots=True)
class PaginaVista:
    """All that is shown of one page of one document. `imagem` is empty where there is none to show, and `estado` says why.

    `situacao` says why there is no text; `sem_folha`: it is a text, which has no pages of its own.
    """

    projeto_id: str
    projeto: str
    documento: int
    documentos: int
    nome: str
    tamanho: str
    arquivo: str
    abas: tuple[AbaDeDocumento, ...]
    pagina: int
    paginas: int
    anterior: str
    seguinte: str
    miniaturas: tuple[Miniatura, ...]
    ver: Ver
    endereco_pagina: str
    endereco_texto: str
    sem_folha: bool
    imagem: str
    largura: int
    altura: int
    zoom: int
    menos: str
    mais: str
    estado: str
    sem_caixas: str
    da_imagem: DaImagem
    caixas: tuple[CaixaVista, ...]
    ocultos: tuple[OcultoVisto, ...]
    achados: tuple[AchadoVisto, ...]
    textos: tuple[TextoDaPagina, ...]
    situacao: str
    metadados: tuple[str, ...]

    @property
    def onde(self) -> str:
        """Which page of how many."""
        return f"Página {number(self.pagina)} de {number(self.paginas)}" if self.paginas > 1 else ""


async def apontado_seen(request: Request, edital_id: str, projeto_id: str) -> Apontado:
    """What the last screening says of a project, as far as whoever asks may see it."""
    container, scope = state_of(request).container, scope_of(request)
    if pode(request, "triagem.acompanhar"):
        return await container.paginas.apontado(scope, edital_id, projeto_id)
    try:
        resultado = await resultado_seen(request, edital_id)
    except (TriagemNotFound, EditalNotFound):
        return Apontado((), None, ())
    criterios = (await container.triagem.edital(scope, edital_id)).criterios
    triado = next((one for one in resultado.projetos if one.projeto_id == projeto_id), None)
    return Apontado(tuple(criterios), triado, tuple([one for one in resultado.irregularidades if projeto_id in one.projetos]))


async def vista_da_pagina(
    request: Request,
    edital_id: str,
    projeto_id: str,
    documento: int,
    pagina: int,
    rotas: Rotas,
    *,
    ver: Ver = "pagina",
    zoom: int = 100,
    apontado: Apontado | None = None,
) -> PaginaVista:
    """A page of the `documento`-th document, from 1; 0 stands for the document, or the page, that is worth the first look.

    `apontado`: what is known of the project already. Raises SemPermissao, ProjetoNotFound, DocumentoNotFound.
    """
    container, scope = state_of(request).container, scope_of(request)
    gestao = pode(request, "triagem.acompanhar")
    abertos = await container.documentacao.abrir_todos(scope, edital_id, projeto_id)
    apontado = apontado or await apontado_seen(request, edital_id, projeto_id)
    por_arquivo = by_file(apontamentos_of(apontado, projeto_id, gestao=gestao))
    aberto = _chosen(abertos, documento, por_arquivo)
    achados = por_arquivo.get(aberto.arquivo, ())
    at = pagina or _first_page(achados)
    here = [one for one in achados if one.trecho.strip() and one.pagina in (at, None)][:_MOST_BOXED]
    wide = largura_of(_WIDE * zoom // 100)
    folha = await container.paginas.folha(scope, edital_id, projeto_id, aberto.numero, at, [one.trecho for one in here], wide)
    return _vista(_Olhar(edital_id, projeto_id, abertos, aberto, at, rotas, ver, zoom, gestao), por_arquivo, here, folha)


@dataclass(frozen=True, slots=True)
class _Olhar:
    """What is looked at, and how."""

    edital_id: str
    projeto_id: str
    abertos: Sequence[DocumentoAberto]
    aberto: DocumentoAberto
    pagina: int
    rotas: Rotas
    ver: Ver
    zoom: int
    gestao: bool

    @property
    def base(self) -> str:
        return documento_address(self.edital_id, self.projeto_id, self.aberto.numero)

    def folha(self, pagina: int, ver: Ver = "pagina") -> str:
        return self.rotas.folha(self.aberto.numero, pagina, ver, self.zoom)


def _vista(olhar: _Olhar, por_arquivo: Mapping[str, Sequence[Apontamento]], here: Sequence[Apontamento], folha: Folha) -> PaginaVista:
    aberto, lido = olhar.aberto, olhar.aberto.lido
    achados = por_arquivo.get(aberto.arquivo, ())
    total = max(folha.total, lido.total_paginas if lido else 0, 1)
    sem_folha = folha.estado == "sem_folha"
    drawn = folha.estado == "lido"
    boxed = _boxed(here, folha)
    caixas = _boxes(olhar, here, boxed)
    ocultos = _hidden(olhar, lido, folha, achados)
    return PaginaVista(
        projeto_id=olhar.projeto_id,
        projeto=shown(aberto.projeto.titulo) or olhar.projeto_id,
        documento=aberto.numero,
        documentos=len(olhar.abertos),
        nome=_name(aberto.arquivo),
        tamanho=_size(aberto.tamanho_bytes),
        arquivo=f"{olhar.base}/arquivo",
        abas=tuple([_aba(one, olhar, por_arquivo.get(one.arquivo, ())) for one in olhar.abertos]),
        pagina=olhar.pagina,
        paginas=total,
        anterior=olhar.folha(olhar.pagina - 1) if 1 < olhar.pagina <= total else "",
        seguinte=olhar.folha(olhar.pagina + 1) if olhar.pagina < total else "",
        miniaturas=_miniaturas(olhar, total, achados) if total > 1 and not sem_folha else (),
        ver="texto" if sem_folha else olhar.ver,
        endereco_pagina=olhar.folha(olhar.pagina),
        endereco_texto=f"{olhar.folha(olhar.pagina, 'texto')}#pagina-{olhar.pagina}",
        sem_folha=sem_folha,
        imagem=f"{olhar.base}/paginas/{olhar.pagina}.png?largura={largura_of(_WIDE * olhar.zoom // 100)}" if drawn else "",
        largura=max(1, round(folha.largura)) if folha.largura else 595,
        altura=max(1, round(folha.altura)) if folha.altura else 842,
        zoom=olhar.zoom,
        menos=_zoomed(olhar, -1),
        mais=_zoomed(olhar, 1),
        estado=_state(folha, total, lido),
        sem_caixas=_unboxed(folha, here),
        da_imagem=da_imagem(lido, olhar.pagina) if drawn else DaImagem(),
        caixas=tuple(caixas.values()),
        ocultos=ocultos,
        achados=tuple([_achado(many, olhar, folha, boxed, caixas, ocultos) for many in _together(achados)]),
        textos=tuple(_texts(lido, achados)) if lido and lido.texto.strip() else (),
        situacao="" if lido is not None and lido.texto.strip() else reading_said(lido),
        metadados=tuple([unveiled(one.texto) for one in lido.ocultos if one.truque == "metadado"]) if lido and olhar.gestao else (),
    )


def _chosen(abertos: Sequence[DocumentoAberto], numero: int, achados: Mapping[str, Sequence[Apontamento]]) -> DocumentoAberto:
    """Raises DocumentoNotFound."""
    if numero:
        found = next((one for one in abertos if one.numero == numero), None)
    else:
        worst = next(iter(achados), "")  # the findings are told the worst first
        found = next((one for one in abertos if one.arquivo == worst), abertos[0] if abertos else None)
    if found is None:
        raise DocumentoNotFound("Não há este documento entre os que você pode ver. Volte ao projeto e escolha outro.")
    return found


def _first_page(achados: Sequence[Apontamento]) -> int:
    """The page of the worst finding that is on one."""
    return next((one.pagina for one in achados if one.pagina), 1)


def _aba(aberto: DocumentoAberto, olhar: _Olhar, achados: Sequence[Apontamento]) -> AbaDeDocumento:
    estilos = {one.rotulo.estilo for one in achados if one.rotulo is not None}
    marcas = []
    if "negado" in estilos or (aberto.lido is not None and aberto.lido.leitura in _FAILED):
        marcas.append(("falha", "não atende" if "negado" in estilos else "não abre"))
    elif "parcial" in estilos:
        marcas.append(("duvida", "a conferir"))
    if olhar.gestao and aberto.lido is not None and any(one.truque not in TRUQUES_COMUNS for one in aberto.lido.ocultos):
        marcas.append(("oculto", "tem texto escondido"))
    return AbaDeDocumento(_name(aberto.arquivo), olhar.rotas.folha(aberto.numero), aberto.numero == olhar.aberto.numero, tuple(marcas))


def _miniaturas(olhar: _Olhar, total: int, achados: Sequence[Apontamento]) -> tuple[Miniatura, ...]:
    lido = olhar.aberto.lido
    quoted = [one.pagina for one in achados if one.pagina]
    hiding = {one.pagina for one in lido.ocultos if one.pagina and one.truque != "metadado"} if lido and olhar.gestao else set()
    if total <= _MOST_THUMBNAILS:
        wanted = set(range(1, total + 1))
    else:
        near = range(max(1, olhar.pagina - _AROUND), min(total, olhar.pagina + _AROUND) + 1)
        wanted = {1, total, *near, *sorted({*quoted, *(one for one in hiding if one)})[:_MOST_THUMBNAILS]}
    before, found = 0, []
    for numero in sorted(one for one in wanted if 1 <= one <= total):
        many = quoted.count(numero)
        said = [count(many, "trecho citado", "trechos citados") if many else "", "texto escondido" if numero in hiding else ""]
        found.append(
            Miniatura(
                numero,
                olhar.folha(numero),
                f"{olhar.base}/paginas/{numero}.png?largura={MINIATURA}",
                numero == olhar.pagina,
                ", ".join(filter(None, said)),
                many > 0,
                numero in hiding,
                numero > before + 1,
            )
        )
        before = numero
    return tuple(found)


def _zoomed(olhar: _Olhar, step: int) -> str:
    at = ZOOMS.index(olhar.zoom) + step if olhar.zoom in ZOOMS else 0
    return olhar.rotas.folha(olhar.aberto.numero, olhar.pagina, "pagina", ZOOMS[at]) if 0 <= at < len(ZOOMS) else ""


def _state(folha: Folha, total: int, lido: DocumentoLido | None) -> str:
    """Why there is no drawing; empty where there is one."""
    match folha.estado:
        case "lido" | "sem_folha":
            return ""
        case "sem_pagina":
            return f"Este documento tem {count(total, 'página', 'páginas')}, e esta não é uma delas."
        case _:
            left = "Leia o texto lido, ou baixe o arquivo." if lido is not None and lido.texto else "Baixe o arquivo para conferir."
            return f"{_NOT_DRAWN.get(folha.estado, 'Esta página não pôde ser desenhada.')} {left}"


def _unboxed(folha: Folha, here: Sequence[Apontamento]) -> str:
    """Why nothing of the page is boxed, where something should be."""
    if folha.estado != "lido" or folha.com_letras or not here:
        return ""
    return "Esta página é uma imagem: o que foi lido nela está em “Texto lido”, sem caixas sobre o papel."


def _boxed(here: Sequence[Apontamento], folha: Folha) -> Mapping[int, tuple[Caixa, ...]]:
    """The rectangles of each finding of the page, by its identity; those of a long passage that was only searched for are one line."""
    found = {}
    for one, rects in zip(here, folha.caixas, strict=True):
        if isinstance(one.origem, Criterio) and one.autor == "codigo" and len(rects) > _FEW_LINES:
            left, top = min(rect.esquerda for rect in rects), min(rect.topo for rect in rects)
            rects = (Caixa(round(max(0.0, left - _BESIDE), 2), top, _LINE, round(max(rect.topo + rect.altura for rect in rects) - top, 2)),)
        found[id(one)] = rects
    return found


def _boxes(olhar: _Olhar, here: Sequence[Apontamento], boxed: Mapping[int, tuple[Caixa, ...]]) -> Mapping[tuple[Caixa, ...], CaixaVista]:
    """One for each place on the page, with all that is said of it; what is hidden is shown by itself."""
    groups: dict[tuple[Caixa, ...], list[Apontamento]] = {}
    for one in here:
        if not one.oculto and boxed[id(one)]:
            groups.setdefault(boxed[id(one)], []).append(one)
    taken: list[float] = []
    found = {}
    for numero, (rects, many) in enumerate(groups.items(), 1):
        first, top = many[0], rects[0].topo
        names = list(dict.fromkeys(one.etiqueta for one in many))
        label = names[0] if len(names) == 1 else f"{names[0]} +{len(names) - 1}"
        linha = rects[0].largura == _LINE
        if linha:
            while _is_taken(top, taken):
                top = round(top + _CLOSE, 2)
        margin = _MARGINS[len(label) > _SHORT_LABEL]
        fim = not linha and (rects[0].esquerda < margin or _is_taken(top, taken))
        if not fim:
            taken.append(top)
        said = "; ".join(dict.fromkeys(_said(one) for one in many))
        estilo = first.rotulo.estilo if first.rotulo else "neutro"
        dito = f"{said}. Trecho: {first.citado[:200]}"
        found[rects] = CaixaVista(numero, rects, top, linha, olhar.rotas.alvo(first.origem), label, dito, estilo, fim)
    return found


def _is_taken(top: float, taken: Sequence[float]) -> bool:
    return any(abs(top - other) < _CLOSE for other in taken)


def _said(one: Apontamento) -> str:
    verdict = f", {one.rotulo.palavra.lower()}" if one.rotulo else ""
    return f"{'Cláusula ' + one.clausula + ', ' if one.clausula else ''}{one.titulo}{verdict}"


def _hidden(olhar: _Olhar, lido: DocumentoLido | None, folha: Folha, achados: Sequence[Apontamento]) -> tuple[OcultoVisto, ...]:
    """What the page hides: as the reading found it, where the drawing places it."""
    if not olhar.gestao:
        return ()
    told = [(one.texto, one.truque) for one in lido.ocultos if one.pagina == olhar.pagina and one.truque != "metadado"] if lido else []
    read = lido is not None and any(one.numero == olhar.pagina for one in lido.paginas)
    placed = [one for one in folha.ocultos if not read or any(_within(one.texto, texto) for texto, _ in told)]
    lost = [Oculto(texto, truque) for texto, truque in told if not any(_within(one.texto, texto) for one in placed)]
    alvos = {one.citado: olhar.rotas.alvo(one.origem) for one in achados if one.oculto}
    anywhere = next(iter(alvos.values()), "")
    return tuple([_oculto(one.texto, one.truque, one.caixas, alvos.get(unveiled(one.texto), anywhere)) for one in (*placed, *lost)])


def _oculto(texto: str, truque: TruqueOculto, caixas: tuple[Caixa, ...], endereco: str) -> OcultoVisto:
    card = None
    if caixas:
        first = caixas[0]
        wide = min(96.0, max(first.largura, _CARD))
        card = Caixa(max(1.0, min(first.esquerda, 98.0 - wide)), first.topo, wide, first.altura)
    return OcultoVisto(unveiled(texto), TRUQUES[truque], caixas, card, endereco)


def _within(one: str, other: str) -> bool:
    a, b = "".join(one.split()), "".join(other.split())
    return bool(a) and (a in b or b in a)


def _together(achados: Sequence[Apontamento]) -> Iterator[list[Apontamento]]:
    """The findings one by one, but for the critérios that one passage speaks to, which are told at once."""
    passages: dict[tuple[str, int | None], list[Apontamento]] = {}
    for one in achados:
        if not isinstance(one.origem, Criterio) or one.autor != "codigo":
            yield [one]
        else:
            passages.setdefault((one.trecho, one.pagina), []).append(one)
    yield from passages.values()


def _achado(
    many: Sequence[Apontamento],
    olhar: _Olhar,
    folha: Folha,
    boxed: Mapping[int, tuple[Caixa, ...]],
    caixas: Mapping[tuple[Caixa, ...], CaixaVista],
    ocultos: Sequence[OcultoVisto],
) -> AchadoVisto:
    one = many[0]
    here, rects = id(one) in boxed, boxed.get(id(one), ())
    shown_hidden = next((at for at, um in enumerate(ocultos, 1) if here and one.oculto and _within(um.texto, one.citado)), 0)
    caixa = f"#escondido-{shown_hidden}" if shown_hidden else f"#trecho-{caixas[rects].numero}" if rects in caixas else ""
    page = one.pagina or (olhar.pagina if caixa else 0)
    lost = here and not caixa and folha.estado == "lido" and folha.com_letras
    return AchadoVisto(
        one,
        ", ".join(dict.fromkeys(each.titulo for each in many)),
        one.achado if len(many) == 1 else "Passagem que fala destes critérios",
        page in (0, olhar.pagina),
        isinstance(one.origem, Criterio) and one.autor == "codigo",
        f"página {number(page)}" if page else "",
        caixa,
        olhar.folha(page) if page and page != olhar.pagina else "",
        olhar.rotas.alvo(one.origem),
        "não achado no desenho da página; procure no texto lido" if lost else "",
    )


def _texts(lido: DocumentoLido | None, achados: Sequence[Apontamento]) -> Iterator[TextoDaPagina]:
    for pagina in lido.paginas[:_MOST_PAGES] if lido else ():
        marcas = [Marca(shown(one.trecho), one.titulo) for one in achados if one.pagina in (pagina.numero, None) and one.trecho.strip()]
        doubtful = doubtful_spans(pagina, shown)
        told = count(len(doubtful), "palavra de leitura incerta", "palavras de leitura incerta") if doubtful else ""
        yield TextoDaPagina(pagina.numero, mark(shown(pagina.texto), marcas, doubtful), pagina.por_ocr, pagina.nao_lida, told)


def reading_said(lido: DocumentoLido | None) -> str:
    """Why there is no text of a document."""
    if lido is None:
        return "Ninguém leu este documento ainda. Execute a triagem para lê-lo."
    return LEITURAS["vazio"] if lido.leitura == "lido" else LEITURAS[lido.leitura]


def _name(arquivo: str) -> str:
    return shown(arquivo.rpartition("/")[2])


def _size(tamanho_bytes: int) -> str:
    kilo = max(1, round(tamanho_bytes / 1000))
    return f"{number(kilo)} kB" if kilo < 1000 else f"{number(tamanho_bytes / 1_000_000, 1)} MB"
