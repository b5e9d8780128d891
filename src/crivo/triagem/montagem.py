"""The finders of a screening put together: what a worker needs to do its jobs."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from decimal import Decimal
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Final
from uuid import UUID

from msgspec.structs import replace

from crivo.kernel.clock import Clock
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.llm.lotes import sells_lotes
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.custeio import Custeio, Previsao
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.documentos.tesseract import find_tesseract
from crivo.triagem.edital import Chamada
from crivo.triagem.quadro import COM_OCR, SEM_OCR, Quadro, Versoes, fila_of

if TYPE_CHECKING:
    from crivo.kernel.jobs.tasks import Task
    from crivo.kernel.llm.port import Modelo
    from crivo.kernel.settings import Settings
    from crivo.triagem.achadores import Achadores, Ler, Passado, Procurar
    from crivo.triagem.achados import Achadas
    from crivo.triagem.comparacao import Comparacao
    from crivo.triagem.embeddings.port import Embedder
    from crivo.triagem.irregularidades.segunda_leitura import Significados
    from crivo.triagem.pelo_sentido import PeloSentido

_MOST_WAITING: Final = 64  # projects held in memory while a model is waited for
_AHEAD: Final = 5
_READERS: Final = ("pypdfium2", "pypdf", "python-docx", "lxml", "pillow")
_READING: Final = "crivo.triagem.documentos"
_JUDGING: Final = ("crivo.triagem.habilitacao", "crivo.triagem.irregularidades", "crivo.triagem.embeddings", "crivo.kernel.linguagem")
_GRADING: Final = "crivo.triagem.avaliacao"
_JUDGES: Final = (
    *("achados.py", "condicao.py", "edital.py", "leitura_assistida.py", "leitura_pelo_sentido.py", "palavras.py"),
    "palavras_vazias.json",
)


def versoes(embeddings: str, modelo: Modelo | None = None) -> Versoes:
    """What reads and judges in this installation, by the very text of it: whatever changes there is never mistaken for what it was.

    A machine with tesseract reads scanned pages, and so is another reader than one without; so are a model, its prompts and what checks it.
    """
    ocr = COM_OCR if find_tesseract() is not None else SEM_OCR
    asked = f"{modelo.nome}-{_prompts_digest()}" if modelo is not None else ""
    return Versoes(f"{_reader_digest()}{ocr}", f"{_rules_digest()}-{embeddings}", asked)


def ao_mesmo_tempo(trabalhos: int, modelo: Modelo | None, concorrencia: int) -> int:
    """How many jobs a worker does at a time: where there is a model, most of them only wait for it, and never for each other.

    One project asks at least once for each of its critérios, so that so many jobs always keep `concorrencia` calls under way.
    """
    return trabalhos if modelo is None else trabalhos + min(concorrencia, _MOST_WAITING)


def filas(modelo: Modelo | None) -> tuple[str, ...]:
    """The queues to which a worker with this model listens besides that of all."""
    return () if modelo is None else (fila_of(modelo.nome),)


def ahead_of(concorrencia: int) -> int:
    """How many questions more than the model answers at once are looked up in the ledger and written meanwhile: one in five."""
    return -(-concorrencia // _AHEAD)


def custeio(modelo: Modelo | None, limite: Decimal | None, familia: str = "") -> Custeio:
    """What grading would cost with this model, whose family may stand behind a deployment's name; without one, nothing."""
    if modelo is None:
        return Custeio(limite=limite)
    nome = modelo.nome

    def estimate(quadro: Quadro, lidos: Sequence[ProjetoLido]) -> Previsao:
        from crivo.kernel.llm.precos import estimate_cost
        from crivo.triagem.avaliacao.estimativa import Estimativa, estimate_projeto

        whole = sum((estimate_projeto(quadro.edital, quadro.criterios, lido) for lido in lidos), Estimativa())
        price = estimate_cost(nome, whole.tokens_entrada, whole.tokens_saida, familia=familia)
        return Previsao(whole.chamadas, whole.tokens_entrada, whole.tokens_saida, price)

    return Custeio(nome, limite, estimate, modelo.simulado, sells_lotes(nome))


@asynccontextmanager
async def open_tasks(
    database: Database,
    clock: Clock,
    new_id: Callable[[], UUID],
    settings: Settings,
    modelo: Modelo | None = None,
    concorrencia: int = 1,
) -> AsyncIterator[tuple[Task, ...]]:
    """What a worker has to know to screen, for as long as the block lasts. The model answers `concorrencia` questions at a time.

    Raises EmbeddingsUnavailable.
    """
    from crivo.kernel.llm.lotes_do_modelo import open_lotes
    from crivo.triagem.diligencias.tarefas import Rejulgamento  # here, as below, for the sake of what starts and does not screen
    from crivo.triagem.documentos.leitor import Leitor
    from crivo.triagem.em_lote import EmLote
    from crivo.triagem.embeddings.semantico import SEMANTICO, open_semantico
    from crivo.triagem.execucao import Triador

    sentido = None
    if settings.embeddings == SEMANTICO:  # what is asked for and not there is told now, not at the end of a run
        sentido = by_meaning(database, await asyncio.to_thread(open_semantico))
    async with Leitor() as leitor:
        achadores = finders(leitor.read, Irregularidades(database, settings, clock).find, modelo, concorrencia, sentido)
        triador = Triador(database, Fila(), clock, new_id, achadores, versoes(settings.embeddings, modelo))
        lotes = open_lotes(settings, database, clock, modelo)
        em_lote = () if lotes is None else EmLote(database, Fila(), clock, lotes, triador.ler).tasks()
        yield (*triador.tasks(), *em_lote, Rejulgamento(database, clock, new_id, leitor.read).task())


def finders(
    ler: Ler, irregularidades: Procurar, modelo: Modelo | None = None, concorrencia: int = 1, sentido: PeloSentido | None = None
) -> Achadores:
    """What judges a project, with what reads its documents, what looks over the whole edital, and what tells meanings, where one does."""
    from crivo.triagem.achadores import Achadores
    from crivo.triagem.habilitacao import habilitar
    from crivo.triagem.irregularidades.proprias import find_no_projeto
    from crivo.triagem.leitura_assistida import read_assisted

    if modelo is None:
        return Achadores(ler, habilitar, read_assisted, find_no_projeto, irregularidades, sentido=sentido)
    from crivo.triagem.com_modelo import ComModelo

    leitora = ComModelo(modelo, concorrencia + ahead_of(concorrencia))
    return Achadores(ler, habilitar, read_assisted, find_no_projeto, irregularidades, leitora, sentido)


def by_meaning(database: Database, embedder: Embedder) -> PeloSentido:
    """What tells meanings by this embedder; each text is read once in all, and its vector kept."""
    from crivo.triagem.embeddings.cache import read_vetores
    from crivo.triagem.pelo_sentido import PeloSentido
    from crivo.triagem.storage.arquivos import TenantVectors

    async def significar(scope: Scope, textos: Sequence[str]) -> Significados:
        if not textos:
            return {}
        vetores = await read_vetores(textos, embedder, TenantVectors(database, scope))
        return dict(zip(textos, vetores.matriz, strict=True))

    return PeloSentido(significar)


class Irregularidades:
    """The finders that compare the projects of an edital, with the vectors that they need."""

    def __init__(self, database: Database, settings: Settings, clock: Clock) -> None:
        self._database = database
        self._settings = settings
        self._clock = clock
        self._comparacao: Comparacao | None = None

    async def find(self, scope: Scope, chamada: Chamada, lidos: Sequence[ProjetoLido], passados: Sequence[Passado], origem: str) -> Achadas:
        """The signs that come out of comparing, found in a thread."""
        from crivo.triagem.comparacao import Comparacao
        from crivo.triagem.irregularidades.sentido import Lidas, asked_of
        from crivo.triagem.irregularidades.texto import past_of
        from crivo.triagem.irregularidades.todas import compare_projects

        if self._comparacao is None:
            self._comparacao = Comparacao(self._settings, self._database, self._clock)
        comparados = await self._comparacao.read(scope, [lido.projeto.texto for lido in lidos], origem)

        lidas = None
        if self._comparacao.pelo_sentido:
            asked = await asyncio.to_thread(asked_of, [lido.projeto for lido in lidos], comparados.vetores.matriz)
            textos = list(dict.fromkeys(texto for frases in asked.values() for texto in frases.textos))
            read = await self._comparacao.read(scope, textos, origem)
            lidas = Lidas(asked, dict(zip(textos, read.vetores.matriz, strict=True)))

        def search() -> Achadas:
            found = compare_projects(chamada, lidos, comparados.vetores, [past_of(one.edital_id, one.lido) for one in passados], lidas)
            return replace(found, observacao=comparados.observacao)

        return await asyncio.to_thread(search)


@cache
def _reader_digest() -> str:
    libraries = "".join(f"{name} {version(name)}\n" for name in _READERS)
    return _digest([libraries.encode(), *_texts(files(_READING))])


@cache
def _prompts_digest() -> str:
    from crivo.triagem.avaliacao.pergunta import criterio_prompt
    from crivo.triagem.habilitacao.reconhecimento import habilitacao_prompt

    prompts = [prompt.digest.encode() for prompt in (criterio_prompt(), habilitacao_prompt())]
    return _digest([*prompts, *_texts(files(_GRADING))])


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
