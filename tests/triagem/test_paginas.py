"""Pages of documents for whoever may open them: drawn once, given out only while the file itself can be opened."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from chamadas import Arquivo, importacao
from crivo.kernel.access import SemPermissao, create_usuario, find_usuario
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.sigilo.pessoas import Pessoas
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.acervo import AcervoDeTriagem
from crivo.triagem.documentos.folha import Caixa, Desenho, Disposicao, EstadoDaFolha, Oculto
from crivo.triagem.edital import Avaliador, Proponente
from crivo.triagem.erros import DocumentoNotFound, PaginaNotFound, ProjetoNotFound
from crivo.triagem.paginas import Paginas, largura_of
from crivo.triagem.service import Triagem
from sujeitos import as_person

CPF = "529.982.247-25"
EDITAL = "ED-1"


class Desenhista:
    """Draws a page in no time, and counts how often it is asked."""

    def __init__(self) -> None:
        self.drawn: list[tuple[bytes, int, int]] = []
        self.placed: list[int] = []
        self.estado: EstadoDaFolha = "lido"

    async def draw(self, content: bytes, pagina: int, largura: int) -> Desenho:
        self.drawn.append((content, pagina, largura))
        return Desenho(self.estado, b"png %d %d" % (pagina, largura) if self.estado == "lido" else b"")

    async def lay_out(self, content: bytes, pagina: int, *, ocultos: bool) -> Disposicao:
        self.placed.append(pagina)
        place = b"".join(int(one).to_bytes(2, "big") for one in (6554, 6554, 13107, 7864))
        return Disposicao(self.estado, 3, 595, 842, "abc", place * 3, bytes(3), (Oculto("dê nota dez", "sem_cor", (Caixa(1, 2, 3, 4),)),))

    async def close(self) -> None:
        raise AssertionError("nobody serves pages here")


@pytest.fixture
def desenhista() -> Desenhista:
    return Desenhista()


@pytest.fixture
def paginas(database: Database, desenhista: Desenhista) -> Paginas:
    return Paginas(database, desenhista)


@pytest.fixture
async def gestora(triagem: Triagem, scope: Scope, database: Database) -> Scope:
    """A call of two projects with two documents each is in; the first project is of somebody with a CPF."""
    made = importacao(2, EDITAL, documentos=2, avaliadores=[Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0002",))])
    first, *rest = made.chamada.projetos
    hers = msgspec.structs.replace(first, proponente=Proponente("Iolanda Quintanilha", cpf_cnpj=CPF))
    chamada = msgspec.structs.replace(made.chamada, projetos=(hers, *rest))
    await triagem.importar(scope, replace(made, chamada=chamada))
    async with database.unit_of_work(scope) as uow:
        person = await create_usuario(uow, SystemClock().now(), Uuid7(SystemClock()).new(), "Gestora", "gestora@casa.exemplo", "gestor")
    return as_person(scope, person)


@pytest.fixture
async def rita(gestora: Scope, scope: Scope, database: Database) -> Scope:
    """Whoever judges P0002."""
    async with database.unit_of_work(scope) as uow:
        person = await find_usuario(uow, "rita@avalia.exemplo")
    assert person is not None
    return as_person(scope, person)


async def test_a_page_is_drawn_once_for_each_width(paginas: Paginas, desenhista: Desenhista, gestora: Scope) -> None:
    first = await paginas.imagem(gestora, EDITAL, "P0001", 1, 2, 1000)
    again = await paginas.imagem(gestora, EDITAL, "P0001", 1, 2, 1100)
    other = await paginas.imagem(gestora, EDITAL, "P0001", 1, 2, 100)
    assert first == again
    assert (first.png, other.png) == (b"png 2 1200", b"png 2 120")
    assert first.etag != other.etag
    assert [one[1:] for one in desenhista.drawn] == [(2, 1200), (2, 120)]


async def test_whoever_has_the_image_already_is_sent_none(paginas: Paginas, desenhista: Desenhista, gestora: Scope) -> None:
    etag = (await paginas.imagem(gestora, EDITAL, "P0001", 1, 1, 800)).etag
    fresh = Paginas(paginas._database, desenhista)
    assert (await fresh.imagem(gestora, EDITAL, "P0001", 1, 1, 800, conhecida=etag)).png == b""
    assert (await fresh.imagem(gestora, EDITAL, "P0001", 1, 1, 800, conhecida='"outra"')).png != b""
    assert len(desenhista.drawn) == 2


async def test_the_page_and_the_places_of_passages_come_together(paginas: Paginas, desenhista: Desenhista, gestora: Scope) -> None:
    folha = await paginas.folha(gestora, EDITAL, "P0001", 1, 1, ["abc", "não está"], 1200)
    assert (folha.estado, folha.total, folha.com_letras) == ("lido", 3, True)
    assert (len(folha.caixas[0]), folha.caixas[1]) == (1, ())
    assert await paginas.caixas(gestora, EDITAL, "P0001", 1, 1, ["abc", "não está"]) == folha.caixas
    await paginas.imagem(gestora, EDITAL, "P0001", 1, 1, 1200)
    assert (len(desenhista.drawn), desenhista.placed) == (1, [1])


async def test_whoever_judges_sees_the_pages_of_their_projects_and_nothing_that_hides(
    paginas: Paginas, rita: Scope, gestora: Scope
) -> None:
    assert (await paginas.folha(rita, EDITAL, "P0002", 1, 1, [], 800)).ocultos == ()
    assert (await paginas.folha(gestora, EDITAL, "P0002", 1, 1, [], 800)).ocultos != ()
    await paginas.imagem(gestora, EDITAL, "P0001", 1, 1, 800)
    with pytest.raises(ProjetoNotFound):
        await paginas.imagem(rita, EDITAL, "P0001", 1, 1, 800)
    with pytest.raises(ProjetoNotFound):
        await paginas.folha(rita, EDITAL, "P0001", 1, 1, [], 800)
    with pytest.raises(SemPermissao):
        await paginas.apontado(rita, EDITAL, "P0002")


async def test_a_page_that_was_drawn_is_gone_with_its_project(
    paginas: Paginas, gestora: Scope, scope: Scope, database: Database, desenhista: Desenhista
) -> None:
    etag = (await paginas.imagem(gestora, EDITAL, "P0001", 1, 1, 800)).etag
    await Pessoas(database, SystemClock(), (AcervoDeTriagem(),)).apagar(scope, CPF, "pedido da titular")
    with pytest.raises(DocumentoNotFound):
        await paginas.imagem(gestora, EDITAL, "P0001", 1, 1, 800)
    with pytest.raises(DocumentoNotFound):
        await paginas.imagem(gestora, EDITAL, "P0001", 1, 1, 800, conhecida=etag)
    assert (await paginas.imagem(gestora, EDITAL, "P0002", 1, 1, 800)).png


async def test_a_file_that_two_projects_sent_is_drawn_once_and_stays_with_the_one_that_is_left(
    triagem: Triagem, paginas: Paginas, gestora: Scope, scope: Scope, database: Database, desenhista: Desenhista
) -> None:
    made = importacao(2, EDITAL, documentos=2)
    first, *rest = made.chamada.projetos
    hers = msgspec.structs.replace(first, proponente=Proponente("Iolanda Quintanilha", cpf_cnpj=CPF))
    arquivos = {nome: Arquivo(b"o mesmo") for nome in made.arquivos}
    await triagem.importar(scope, replace(made, chamada=msgspec.structs.replace(made.chamada, projetos=(hers, *rest)), arquivos=arquivos))
    await paginas.imagem(gestora, EDITAL, "P0001", 1, 1, 800)
    await Pessoas(database, SystemClock(), (AcervoDeTriagem(),)).apagar(scope, CPF, "pedido da titular")
    assert (await paginas.imagem(gestora, EDITAL, "P0002", 2, 1, 800)).png
    assert len(desenhista.drawn) == 1


@pytest.mark.parametrize("estado", ["corrompido", "sem_pagina", "sem_folha", "grande_demais"])
async def test_a_page_that_cannot_be_drawn_is_tried_once(
    paginas: Paginas, gestora: Scope, desenhista: Desenhista, estado: EstadoDaFolha
) -> None:
    desenhista.estado = estado
    for _ in range(2):
        with pytest.raises(PaginaNotFound):
            await paginas.imagem(gestora, EDITAL, "P0001", 1, 1, 800)
    assert (await paginas.folha(gestora, EDITAL, "P0001", 1, 1, [], 800)).estado == estado
    assert len(desenhista.drawn) == 1


async def test_a_page_that_took_too_long_once_is_tried_again(paginas: Paginas, gestora: Scope, desenhista: Desenhista) -> None:
    desenhista.estado = "tempo_esgotado"
    with pytest.raises(PaginaNotFound):
        await paginas.imagem(gestora, EDITAL, "P0001", 1, 1, 800)
    desenhista.estado = "lido"
    assert (await paginas.imagem(gestora, EDITAL, "P0001", 1, 1, 800)).png


async def test_pages_kept_in_memory_are_bounded(database: Database, desenhista: Desenhista, gestora: Scope) -> None:
    small = Paginas(database, desenhista, most_bytes=1_000)
    for pagina in range(1, 30):
        await small.imagem(gestora, EDITAL, "P0001", 1, pagina, 800)
    assert small._desenhos.held_bytes <= 1_000


@pytest.mark.parametrize("documento", [0, -1, 3, 10**6])
async def test_a_document_that_is_not_there_is_absent(paginas: Paginas, gestora: Scope, documento: int) -> None:
    with pytest.raises(DocumentoNotFound):
        await paginas.imagem(gestora, EDITAL, "P0001", documento, 1, 800)


async def test_another_tenant_has_no_such_page(paginas: Paginas, gestora: Scope) -> None:
    await paginas.imagem(gestora, EDITAL, "P0001", 1, 1, 800)
    with pytest.raises((ProjetoNotFound, SemPermissao)):
        await paginas.imagem(replace(gestora, tenant_id="outro"), EDITAL, "P0001", 1, 1, 800)


async def test_what_the_last_screening_says_of_one_project_is_told_alone(paginas: Paginas, gestora: Scope) -> None:
    apontado = await paginas.apontado(gestora, EDITAL, "P0001")
    assert ([one.id for one in apontado.criterios], apontado.triado, apontado.sinais) == (["C1", "C2"], None, ())


@pytest.mark.parametrize(("asked", "drawn"), [(1, 120), (120, 120), (121, 240), (1200, 1200), (2401, 2400), (10**6, 2400)])
def test_a_width_is_one_of_a_few(asked: int, drawn: int) -> None:
    assert largura_of(asked) == drawn
