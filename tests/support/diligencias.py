"""A call in which a project lacks a certidão, really read, and what is answered to a diligência about it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

import msgspec

from chamadas import Arquivo, Importacao, importacao
from crivo.kernel.clock import Clock, SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.jobs.worker import Worker, working
from crivo.kernel.storage.session import Database
from crivo.triagem.achados import Achadas
from crivo.triagem.diligencias.tarefas import Rejulgamento
from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.lido import DocumentoLido
from crivo.triagem.edital import Edital, Proponente, RequisitoCondicao, RequisitoDocumento
from crivo.triagem.execucao import Triador
from crivo.triagem.montagem import finders, versoes
from documentos import text_pdf
from trabalhador_falso import RAPIDO

EDITAL: Final = "ED-1"
EMAIL: Final = "maria.clara@proponente.exemplo.org"
CERTIDAO: Final = text_pdf(
    [
        "PREFEITURA MUNICIPAL DE CAUCAIA",
        "CERTIDÃO NEGATIVA DE DÉBITOS MUNICIPAIS",
        "Contribuinte: Maria Clara Souza, CPF 529.982.247-25",
        "Certifica-se que não constam débitos de tributos municipais.",
        "Emitida em 10/09/2026. Válida até 10/12/2026.",
    ]
)
_IN_TURN: Final = threading.Lock()  # pdfium is of one thread at a time; in the program each file has a process


def com_pendencia(codigo: str = EDITAL, email: str = EMAIL) -> Importacao:
    """Two projects that lack a certidão and a declared município; each has its portfólio."""
    made = importacao(2, codigo)
    requisitos = (
        RequisitoDocumento(id="REQ-1", documento="PORTFOLIO", descricao="Portfólio", clausula="4.1"),
        RequisitoDocumento(
            id="REQ-2", documento="CERTIDAO_MUNICIPAL", descricao="Certidão negativa municipal", clausula="4.2", formatos=("pdf",)
        ),
        RequisitoCondicao(id="REQ-3", campo="municipio", operador="igual", valor="Crateús", descricao="Ser de Crateús", clausula="3.1"),
    )
    proponente = Proponente("Maria Clara Souza", "529.982.247-25", email=email)
    projetos = tuple([msgspec.structs.replace(one, proponente=proponente) for one in made.chamada.projetos])
    chamada = msgspec.structs.replace(
        made.chamada, edital=Edital(codigo, f"Edital {codigo}", orgao="Secretaria de Cultura"), requisitos=requisitos, projetos=projetos
    )
    papeis = {nome: Arquivo(text_pdf(["Portfólio de trabalhos", "Reisado, 2019 a 2025", nome])) for nome in made.arquivos}
    return replace(made, chamada=chamada, arquivos=papeis)


def read_in_turn(arquivo: str, content: bytes) -> DocumentoLido:
    with _IN_TURN:
        return read_document(arquivo, content)


async def read(arquivo: str, content: bytes) -> DocumentoLido:
    return await asyncio.to_thread(read_in_turn, arquivo, content)


async def compare_nothing(*_: object) -> Achadas:
    return Achadas((), {})


@asynccontextmanager
async def working_on(database: Database, clock: Clock | None = None) -> AsyncIterator[None]:
    """A worker that screens by the real rules and judges answers, for as long as the block lasts."""
    clock = clock or SystemClock()
    new_id = Uuid7(clock).new
    triador = Triador(database, Fila(), clock, new_id, finders(read, compare_nothing), versoes("local"))
    tasks = (*triador.tasks(), Rejulgamento(database, clock, new_id, read).task())
    async with working(Worker(database, tasks, concurrency=2, rhythm=RAPIDO)):
        yield
