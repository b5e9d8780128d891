"""The finders of a screening put together: what a worker needs to do its jobs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Final
from uuid import UUID

from crivo.kernel.clock import Clock
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.documentos.tesseract import find_tesseract
from crivo.triagem.edital import Chamada
from crivo.triagem.quadro import Versoes
from crivo.triagem.storage.arquivos import TenantVectors

if TYPE_CHECKING:
    from crivo.kernel.jobs.tasks import Task
    from crivo.triagem.embeddings.port import Embedder
    from crivo.triagem.execucao import Achadas, Achadores, Ler, Passado, Procurar

_READERS: Final = ("pypdfium2", "pypdf", "python-docx", "lxml")
_READING: Final = "crivo.triagem.documentos"
_JUDGING: Final = ("crivo.triagem.habilitacao", "crivo.triagem.irregularidades", "crivo.triagem.embeddings", "crivo.kernel.text")
_JUDGES: Final = ("achados.py", "edital.py", "leitura_assistida.py", "palavras.py", "palavras_vazias.json")


def versoes(embeddings: str) -> Versoes:
    """What reads and judges in this installation, by the very text of it: whatever changes there is never mistaken for what it was.

    A machine with tesseract reads scanned pages, and so is another reader than one without.
    """
    ocr = "com-ocr" if find_tesseract() is not None else "sem-ocr"
    return Versoes(f"{_reader_digest()}-{ocr}", f"{_rules_digest()}-{embeddings}")


@asynccontextmanager
async def open_tasks(database: Database, clock: Clock, new_id: Callable[[], UUID], embeddings: str) -> AsyncIterator[tuple[Task, ...]]:
    """What a worker has to know to screen, for as long as the block lasts. Raises EmbeddingsUnavailable."""
    from crivo.triagem.documentos.leitor import Leitor  # here, as below, for the sake of what starts and does not screen
    from crivo.triagem.execucao import Triador

    async with Leitor() as leitor:
        achadores = finders(leitor.read, Irregularidades(database, embeddings).find)
        yield Triador(database, Fila(), clock, new_id, achadores, versoes(embeddings)).tasks()


def finders(ler: Ler, irregularidades: Procurar) -> Achadores:
    """What judges a project, with what reads its documents and what looks over the whole edital."""
    from crivo.triagem.execucao import Achadores
    from crivo.triagem.habilitacao import habilitar
    from crivo.triagem.leitura_assistida import read_assisted

    return Achadores(ler, habilitar, read_assisted, irregularidades)


class Irregularidades:
    """The finders over a whole edital, with the vectors that they need."""

    def __init__(self, database: Database, embeddings: str) -> None:
        self._database = database
        self._embeddings = embeddings
        self._embedder: Embedder | None = None

    async def find(self, scope: Scope, chamada: Chamada, lidos: Sequence[ProjetoLido], passados: Sequence[Passado]) -> Achadas:
        """All the signs of an edital, found in a thread."""
        from crivo.triagem.embeddings.cache import read_vetores
        from crivo.triagem.embeddings.escolha import open_embedder
        from crivo.triagem.irregularidades.texto import past_of
        from crivo.triagem.irregularidades.todas import find_irregularidades

        if self._embedder is None:
            self._embedder = await asyncio.to_thread(open_embedder, self._embeddings)
        textos = [lido.projeto.texto for lido in lidos]
        vetores = await read_vetores(textos, self._embedder, TenantVectors(self._database, scope))

        def search() -> Achadas:
            return find_irregularidades(chamada, lidos, vetores, [past_of(one.edital_id, one.lido) for one in passados])

        return await asyncio.to_thread(search)


@cache
def _reader_digest() -> str:
    libraries = "".join(f"{name} {version(name)}\n" for name in _READERS)
    return _digest([libraries.encode(), *_texts(files(_READING))])


@cache
def _rules_digest() -> str:
    own = files("crivo.triagem")
    texts = [own.joinpath(name).read_bytes() for name in _JUDGES]
    return _digest([*texts, *(text for package in _JUDGING for text in _texts(files(package)))])


def _texts(folder: Traversable) -> Iterable[bytes]:
    """The code and the data of a package, in the order of their names."""
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_file() and entry.name.endswith((".py", ".json")):
            yield entry.name.encode()
            yield entry.read_bytes()


def _digest(parts: Iterable[bytes]) -> str:
    hashed = sha256()
    for part in parts:
        hashed.update(len(part).to_bytes(8, "big"))
        hashed.update(part)
    return hashed.hexdigest()[:16]
