"""Papers that are images, where nothing reads them: they are counted, what mends it is told, and only they are read anew."""

from __future__ import annotations

from hashlib import sha256

import pytest

from chamadas import Arquivo, Falsos, Importacao, importacao
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.instalacao import install_command
from crivo.triagem.documentos.lido import DocumentoLido, Pagina
from crivo.triagem.documentos.tipo import looks_like_image
from crivo.triagem.imagens import ImagensNaoLidas, unread_images
from crivo.triagem.painel import Painel
from crivo.triagem.quadro import Versoes
from documentos import image_bytes, scan_pdf, text_pdf
from seguimento import Trabalhando, Triagens, wait_for_end
from tesseract_falso import Lendo

SEM = Versoes("leitor-1-sem-ocr", "regras-1")
COM = Versoes("leitor-1-com-ocr", "regras-1")


class Leitor(Falsos):
    """Reads texts, and images where `le_imagens`."""

    le_imagens = False

    async def ler(self, arquivo: str, content: bytes) -> DocumentoLido:
        if not content.startswith(b"\x89PNG"):
            return await super().ler(arquivo, content)
        self._note(f"ler {arquivo}")
        digest, read = sha256(content).hexdigest(), self.le_imagens
        pagina = Pagina(1, "Certidão" if read else "", por_ocr=read, nao_lida=not read)
        return DocumentoLido(arquivo, digest, len(content), "png", "lido" if read else "sem_ocr", (pagina,), (), 1, quer_ocr=not read)


def with_images(projetos: int, imagem: int) -> Importacao:
    """A call of two documents a project; the first of the first `imagem` projects is a photograph."""
    made = importacao(projetos, documentos=2)
    photographs = {f"documentos/{numero}/0.txt": Arquivo(image_bytes("PNG") + bytes([numero])) for numero in range(1, imagem + 1)}
    return Importacao(made.chamada, {**made.arquivos, **photographs})


@pytest.fixture(autouse=True)
def sem_leitor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("crivo.triagem.imagens.find_tesseract", lambda: None)
    monkeypatch.setattr("crivo.triagem.painel.find_tesseract", lambda: None)


async def test_an_import_says_at_once_how_many_documents_nothing_here_reads(
    triagens: Triagens, database: Database, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    importada = await triagens(SEM).importar(scope, with_images(3, 2))
    assert importada.imagens is not None
    assert importada.imagens.quantas == 2
    assert "2 documentos são imagens" in importada.imagens.dito
    told = await Painel(database, SystemClock(), Uuid7(SystemClock()).new).imagens(scope, "ED-1")
    assert told == importada.imagens
    monkeypatch.setattr("crivo.triagem.imagens.find_tesseract", Lendo)
    assert (await triagens(COM).importar(scope, with_images(3, 2))).imagens is None  # they will be read


async def test_once_a_reader_is_there_only_what_wanted_it_is_read_anew(
    triagens: Triagens, trabalhando: Trabalhando, database: Database, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    await triagens(SEM).importar(scope, with_images(3, 2))
    await triagens(SEM).executar(scope, "ED-1", "habilitacao")
    without = Leitor()
    async with trabalhando(without, SEM):
        await wait_for_end(triagens(SEM), scope, "ED-1")
    assert len([line for line in without.chamadas if line.startswith("ler")]) == 6
    told = await Painel(database, SystemClock(), Uuid7(SystemClock()).new).imagens(scope, "ED-1")
    assert told is not None
    assert (told.quantas, told.ha_leitor) == (2, False)

    monkeypatch.setattr("crivo.triagem.imagens.find_tesseract", Lendo)
    monkeypatch.setattr("crivo.triagem.painel.find_tesseract", Lendo)
    told = await Painel(database, SystemClock(), Uuid7(SystemClock()).new).imagens(scope, "ED-1")
    assert told is not None
    assert told.dito == "2 documentos são imagens e ainda não foram lidos. Execute a triagem: só esses são lidos outra vez."
    assert (await triagens(COM).estimar(scope, "ED-1", "habilitacao")).documentos_por_ler == 2
    await triagens(COM).executar(scope, "ED-1", "habilitacao")
    reading = Leitor()
    reading.le_imagens = True
    async with trabalhando(reading, COM):
        await wait_for_end(triagens(COM), scope, "ED-1")
    assert sorted(line for line in reading.chamadas if line.startswith("ler")) == ["ler documentos/1/0.txt", "ler documentos/2/0.txt"]
    assert len([line for line in reading.chamadas if line.startswith("habilitar")]) == 3
    assert await Painel(database, SystemClock(), Uuid7(SystemClock()).new).imagens(scope, "ED-1") is None


async def test_a_call_without_images_says_nothing(triagens: Triagens, database: Database, scope: Scope) -> None:
    assert (await triagens(SEM).importar(scope, with_images(2, 0))).imagens is None
    assert await Painel(database, SystemClock(), Uuid7(SystemClock()).new).imagens(scope, "ED-1") is None


def test_what_mends_it_is_one_command_for_the_system_or_plain_words() -> None:
    for here, command in (
        ("apt-get", "sudo apt-get install -y tesseract-ocr tesseract-ocr-por"),
        ("dnf", "sudo dnf install -y tesseract tesseract-langpack-por"),
        ("brew", "brew install tesseract tesseract-lang"),
        ("nada", None),
    ):
        assert install_command({here: here}.get, user=1000) == command
    assert install_command({"apk": "apk"}.get, user=0) == "apk add tesseract-ocr tesseract-ocr-data-por"
    assert "instale o tesseract 5 com o idioma português" in ImagensNaoLidas(1).dito
    one = ImagensNaoLidas(1, "apk add x").dito
    assert one.startswith("1 documento é imagem, e esta instalação não lê imagens")
    assert one.endswith("rode no servidor: apk add x; depois reinicie o crivo e execute a triagem de novo: só esse é lido outra vez.")
    assert unread_images(0) is None


def test_a_scan_is_told_by_its_look_and_a_written_page_is_not() -> None:
    assert looks_like_image(image_bytes("JPEG"))
    assert looks_like_image(image_bytes("TIFF"))
    assert not looks_like_image(text_pdf(["Texto"]))
    assert not looks_like_image(scan_pdf(layer=["Texto"]))  # somebody else's reader was there
    assert not looks_like_image(b"texto")
