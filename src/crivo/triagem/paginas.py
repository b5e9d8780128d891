"""Use cases of whoever looks at a page of a document as it is: its drawing, the places of passages on it, and what it hides there."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence, Set
from dataclasses import dataclass
from hashlib import sha256 as hash_of
from typing import Final, Literal

from crivo.kernel.access import Algum, asks, may
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Irregularidade, ProjetoTriado
from crivo.triagem.documentacao import AUSENTE, nth, project_of
from crivo.triagem.documentos.folha import Caixa, Desenho, Disposicao, EstadoDaFolha, Oculto
from crivo.triagem.documentos.leitor import Desenhista
from crivo.triagem.documentos.limites import Limites
from crivo.triagem.documentos.trechos import find_trechos
from crivo.triagem.edital import Criterio
from crivo.triagem.erros import DocumentoNotFound, PaginaNotFound
from crivo.triagem.lembradas import Lembradas
from crivo.triagem.storage import arquivos, editais, execucoes, projetos, resultados, sinais

LARGURAS: Final = (120, 240, 800, 1200, 1800, 2400)
"""How many pixels wide a page is drawn: the next of these that is not narrower than what is asked for."""
DE_UMA_PAGINA: Final = Limites(segundos=20.0, segundos_cpu=12)  # somebody waits for it
_VERSAO: Final = b"1"  # of how pages are drawn: what browsers kept of another one is not shown
_MOST_BYTES: Final = 96_000_000
_LIGHT: Final = 200  # bytes of an entry beside what it holds
_NOT_DRAWN: Final = "Esta página não pôde ser desenhada. Leia o texto lido, ou baixe o arquivo."
Key = tuple[str, bytes, int, int]


@dataclass(frozen=True, slots=True)
class Imagem:
    """A page as a PNG, and the tag by which a browser asks whether it has changed."""

    png: bytes
    etag: str


@dataclass(frozen=True, slots=True)
class Folha:
    """A page and what is on it. `estado` is `lido` where it can be drawn; sizes as those of a `Disposicao`, `total` pages in the document.

    `caixas`: of each passage that was asked for, a rectangle for each of its lines. `com_letras`: False where the page is an image, on
    which nothing can be boxed. `ocultos` only for whoever follows the whole screening.
    """

    estado: EstadoDaFolha
    total: int = 0
    largura: float = 0.0
    altura: float = 0.0
    com_letras: bool = False
    caixas: tuple[tuple[Caixa, ...], ...] = ()
    ocultos: tuple[Oculto, ...] = ()


@dataclass(frozen=True, slots=True)
class Apontado:
    """What the screening that was finished last says of a project; `triado` is None where it says nothing."""

    criterios: tuple[Criterio, ...]
    triado: ProjetoTriado | None
    sinais: tuple[Irregularidade, ...]


@dataclass(frozen=True, slots=True)
class _Pagina:
    """A page that whoever acts may see, and what is kept of it; `conteudo` is empty where all that was wanted is."""

    key: Key
    desenho: Desenho | None
    disposicao: Disposicao | None
    conteudo: bytes = b""
    esconde: bool = True  # whether something is hidden on it, or may be


class Paginas:
    """Pages for whoever may open their document; for others it is as if they did not exist.

    What was drawn is kept for the next time, and given out only while the file itself could still be opened.
    """

    def __init__(self, database: Database, desenhista: Desenhista, most_bytes: int = _MOST_BYTES) -> None:
        self._database = database
        self._desenhista = desenhista
        self._desenhos: Lembradas[Key, Desenho] = Lembradas(most_bytes * 3 // 4)
        self._disposicoes: Lembradas[Key, Disposicao] = Lembradas(most_bytes // 4)

    async def close(self) -> None:
        """End what was started to draw; for whoever served pages."""
        await self._desenhista.close()

    @asks("triagem.abrir_documento")
    async def imagem(
        self, scope: Scope, edital_id: str, projeto_id: str, documento: int, pagina: int, largura: int, *, conhecida: str = ""
    ) -> Imagem:
        """Page `pagina` of the `documento`-th document, both from 1, about `largura` pixels wide; empty where its tag is `conhecida`.

        Raises SemPermissao, ProjetoNotFound, DocumentoNotFound; PaginaNotFound where there is no such page, or it cannot be drawn.
        """
        found = await self._page(scope, edital_id, projeto_id, documento, (pagina, largura_of(largura)), {"desenho"}, conhecida)
        etag = _tag_of(found.key)
        if conhecida == etag:
            return Imagem(b"", etag)
        desenho = await self._drawn(found)
        if desenho.estado != "lido":
            raise PaginaNotFound(_NOT_DRAWN)
        return Imagem(desenho.png, etag)

    @asks("triagem.abrir_documento")
    async def folha(
        self, scope: Scope, edital_id: str, projeto_id: str, documento: int, pagina: int, trechos: Sequence[str], largura: int
    ) -> Folha:
        """Whether a page can be drawn, which is then ready, and where passages and what it hides stand.

        Raises SemPermissao, ProjetoNotFound, DocumentoNotFound.
        """
        found = await self._page(scope, edital_id, projeto_id, documento, (pagina, largura_of(largura)), {"desenho", "disposicao"})
        desenho, disposicao = await asyncio.gather(self._drawn(found), self._placed(found))
        seen = may(scope.sujeito, "triagem.acompanhar", Algum(scope.tenant_id))
        return Folha(
            desenho.estado,
            disposicao.total,
            disposicao.largura,
            disposicao.altura,
            bool(disposicao.texto.strip()),
            find_trechos(disposicao, trechos),
            disposicao.ocultos if seen else (),
        )

    @asks("triagem.abrir_documento")
    async def caixas(
        self, scope: Scope, edital_id: str, projeto_id: str, documento: int, pagina: int, trechos: Sequence[str]
    ) -> tuple[tuple[Caixa, ...], ...]:
        """Where passages stand on a page, a rectangle for each line; none where one is not there. Raises as `folha`."""
        found = await self._page(scope, edital_id, projeto_id, documento, (pagina, 0), {"disposicao"})
        return find_trechos(await self._placed(found), trechos)

    @asks("triagem.acompanhar")
    async def apontado(self, scope: Scope, edital_id: str, projeto_id: str) -> Apontado:
        """What the last finished screening says of one project, of which nothing else is read. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            criterios = tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)])
            of = await projetos.find_id(uow, guardado.id, projeto_id)
            last = await execucoes.find_last_finished(uow, guardado.id)
            if of is None or last is None:
                return Apontado(criterios, None, ())
            triados = await resultados.load(uow, last.id, [of])
            return Apontado(criterios, triados[0] if triados else None, await sinais.load_of(uow, last.id, projeto_id))

    async def _page(
        self,
        scope: Scope,
        edital_id: str,
        projeto_id: str,
        documento: int,
        which: tuple[int, int],
        wanted: Set[Literal["desenho", "disposicao"]],
        conhecida: str = "",
    ) -> _Pagina:
        """The page of that number and width, with the content of its file only where something of what is wanted is not kept."""
        async with self._database.unit_of_work(scope) as uow:
            _, guardado = await project_of(uow, edital_id, projeto_id)
            sha256 = nth(guardado, documento).sha256
            key = (scope.tenant_id, sha256, *which)
            desenho, disposicao = self._desenhos.find(key), self._disposicoes.find(_placed_key(key))
            ready = ("desenho" not in wanted or desenho is not None) and ("disposicao" not in wanted or disposicao is not None)
            if (ready or conhecida == _tag_of(key)) and await arquivos.can_open(uow, sha256):
                return _Pagina(key, desenho, disposicao)
            content = await arquivos.content(uow, sha256)
            if content is None:
                for kept in (self._desenhos, self._disposicoes):
                    kept.forget_where(lambda other: other[:2] == key[:2])
                raise DocumentoNotFound(AUSENTE)
            return _Pagina(key, desenho, disposicao, content, await _may_hide(uow, sha256, which[0]))

    async def _drawn(self, page: _Pagina) -> Desenho:
        if page.desenho is not None:
            return page.desenho
        _, _, pagina, largura = page.key
        desenho = await self._desenhista.draw(page.conteudo, pagina, largura)
        if desenho.estado != "tempo_esgotado":  # a busy moment is no fault of the page's
            self._desenhos.keep(page.key, desenho, len(desenho.png) + _LIGHT)
        return desenho

    async def _placed(self, page: _Pagina) -> Disposicao:
        if page.disposicao is not None:
            return page.disposicao
        disposicao = await self._desenhista.lay_out(page.conteudo, page.key[2], ocultos=page.esconde)
        if disposicao.estado != "tempo_esgotado":
            self._disposicoes.keep(_placed_key(page.key), disposicao, 4 * len(disposicao.texto) + len(disposicao.lugares) + _LIGHT)
        return disposicao


def _placed_key(key: Key) -> Key:
    """Where letters stand does not depend on how wide a page is drawn."""
    return *key[:3], 0


def _tag_of(key: Key) -> str:
    _, sha256, pagina, largura = key
    return f'"{hash_of(_VERSAO + sha256 + b"%d %d" % (pagina, largura)).hexdigest()[:32]}"'


def largura_of(asked: int) -> int:
    """The width that is drawn for one that is asked for."""
    return next((one for one in LARGURAS if one >= asked), LARGURAS[-1])


async def _may_hide(uow: UnitOfWork, sha256: bytes, pagina: int) -> bool:
    """Whether the last reading found something hidden on a page, or nobody has read it: to look for it takes most of the time."""
    lido = (await arquivos.find_lidos(uow, "", [sha256], any_version=True)).get(sha256)
    if lido is None or all(one.numero != pagina for one in lido.paginas):
        return True
    return any(one.pagina == pagina and one.truque != "metadado" for one in lido.ocultos)
