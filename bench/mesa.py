"""The mesa at work over HTTP: the next project with its page, a decision, a list of 10,000 rows, and 16 people at once."""

from __future__ import annotations

import asyncio
import http.client
import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from functools import partial
from html import unescape
from pathlib import Path
from statistics import quantiles
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from bench.disparo import look
from bench.instalacao import ESCOPO, Instalacao
from bench.linhas import Linha, Meta, measured
from bench.servidor import Servidor
from bench.triagem import screen, workers
from crivo.bootstrap import Container, open_container
from crivo.kernel.access import Sessoes, create_usuario
from crivo.triagem.amostra.montagem import write_sample
from crivo.triagem.importacao.leitura import Importacao, read_chamada

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/support"))  # where a large call is made up, outside the product

from triagem_pronta import put_screened

PESSOAS: Final = 16
LINHAS: Final = 10_000
SEGUNDOS: Final = 8.0
_GRANDE: Final = "GRANDE-1"
_SEGUINTE: Final = Meta("<=", 150.0, "nosso")
_DECIDIR: Final = Meta("<=", 200.0, "nosso")
_FILTRADA: Final = Meta("<=", 150.0, "nosso")
_RITMO: Final = Meta(">=", 120.0, "nosso")
_CAUDA: Final = Meta("<=", 4.0)
_FILTROS: Final = (
    "",
    "?situacao=pendencia",
    "?decisao=sem&ordem=-nota&f=1",
    "?q=acao+cortejo",
    "?ordem=projeto&pagina=300",
    "?caso=aberto&pagina=3",
)


class PaginaRecusada(Exception):
    """A page that did not open: its time would be that of a refusal."""


class Navegador:
    """One person's browser, without scripts: it keeps its connection and its session."""

    def __init__(self, porta: int) -> None:
        self.sessao = ""
        self._conexao = http.client.HTTPConnection("127.0.0.1", porta, timeout=60)

    def close(self) -> None:
        """Let go of the connection."""
        self._conexao.close()

    def enter(self, token: str) -> None:
        """Use a sign-in link. Raises PaginaRecusada."""
        cookie = self._ask("POST", "/entrar", urlencode({"token": token}))[1].getheader("set-cookie") or ""
        found = re.match(r"crivo_sessao=([^;]+)", cookie)
        if found is None:
            raise PaginaRecusada("/entrar")
        self.sessao = found[1]

    def open(self, caminho: str) -> str:
        """The text of a page or the bytes of an image, as text. Raises PaginaRecusada."""
        body, answer = self._ask("GET", caminho)
        if answer.status != 200:
            raise PaginaRecusada(f"{caminho}: {answer.status}")
        return body.decode("utf-8", "replace")

    def send(self, caminho: str, campos: Mapping[str, str]) -> str:
        """Send a form, and the page that it leads to. Raises PaginaRecusada."""
        _, answer = self._ask("POST", caminho, urlencode(campos))
        if answer.status != 303:
            raise PaginaRecusada(f"{caminho}: {answer.status}")
        return self.open(answer.getheader("location") or "")

    def _ask(self, metodo: str, caminho: str, body: str | None = None) -> tuple[bytes, http.client.HTTPResponse]:
        headers = {"Accept": "text/html", "Cookie": f"crivo_sessao={self.sessao}"}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        try:
            self._conexao.request(metodo, caminho, body, headers)
            answer = self._conexao.getresponse()
        except http.client.RemoteDisconnected:  # it was kept open longer than the server keeps it
            self._conexao.close()
            self._conexao.request(metodo, caminho, body, headers)
            answer = self._conexao.getresponse()
        return answer.read(), answer


def run(instalacao: Instalacao, pasta: Path, linhas: int = LINHAS, segundos: float = SEGUNDOS) -> list[Linha]:
    """Milliseconds of one person at work, and pages a second of many."""
    with workers(instalacao):
        codigo, link = asyncio.run(_prepare(instalacao, read_chamada(write_sample(pasta)), linhas))
    with Servidor(instalacao) as servidor, closing(Navegador(servidor.porta)) as pessoa:
        pessoa.enter(link)
        mesa = f"/admin/editais/{codigo}/mesa"
        seguintes = [_time(partial(_look_at, pessoa, project)) for project in _projects(pessoa, mesa)[1:]]
        grande = f"/admin/editais/{_GRANDE}/mesa"
        pessoa.open(grande)
        filtradas = [_time(partial(pessoa.open, grande + asked)) for asked in _FILTROS for _ in range(3)]
        rows = [*_at_once(instalacao, servidor, pessoa, codigo, segundos)]
        decisoes = list(_decide_all(pessoa, mesa))
    each = f"{len(seguintes)} projetos da amostra, um por vez, por HTTP: a página da mesa e a imagem com os trechos."
    return [
        *_row("mesa: projeto seguinte", seguintes, _SEGUINTE, each),
        *_row("mesa: decidir e ir ao seguinte", decisoes, _DECIDIR, f"{len(decisoes)} decisões guardadas, por HTTP."),
        *_row(f"mesa: fila de {linhas} filtrada", filtradas, _FILTRADA, f"{len(_FILTROS)} filtros, três vezes cada um, por HTTP."),
        *rows,
    ]


def _row(linha: str, took: list[float], meta: Meta, nota: str) -> Iterator[Linha]:
    cuts = quantiles(took, n=20)
    yield measured(f"{linha}: mediana", "ms", cuts[9], None, meta=meta, execucoes=len(took), nota=nota)
    yield measured(f"{linha}: 95 em 100", "ms", cuts[18], None, meta=meta, execucoes=len(took))


async def _prepare(instalacao: Instalacao, importacao: Importacao, linhas: int) -> tuple[str, str]:
    async with open_container(instalacao.settings()) as container:
        codigo = (await container.triagem.importar(ESCOPO, importacao)).edital_id
        await screen(container, codigo, "completa", 0)
        async with container.database.unit_of_work(ESCOPO) as uow:
            await put_screened(uow, linhas, _GRANDE, julgados=300, sinais=linhas // 5)
        return codigo, await _gestora(container)


async def _gestora(container: Container) -> str:
    async with container.database.unit_of_work(ESCOPO) as uow:
        person = await create_usuario(uow, container.clock.now(), UUID(int=47), "Gestora", "mesa@bancada.exemplo", "gestor")
    return await Sessoes(container.database, container.clock).create_link(ESCOPO, person.ator)


def _projects(pessoa: Navegador, mesa: str) -> list[str]:
    """The addresses of the projects on the first page of the queue, in its order."""
    found = re.findall(rf'href="({re.escape(mesa)}/P\d+[^"#]*)"', pessoa.open(mesa))
    return [unescape(one) for one in dict.fromkeys(found)]


def _look_at(pessoa: Navegador, projeto: str) -> None:
    images = re.findall(r'<img[^>]+src="([^"]+/pagina[^"]*)"', pessoa.open(projeto))
    if images:
        pessoa.open(unescape(images[0]))


def _decide_all(pessoa: Navegador, mesa: str) -> Iterator[float]:
    """The milliseconds of each decision until the page of the next project is there."""
    for projeto in _projects(pessoa, mesa):
        form = re.search(r'<form class="decisao"[^>]+action="([^"]+)"(.*?)</form>', pessoa.open(projeto), re.DOTALL)
        if form is None:
            continue
        hidden = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[2]))
        onde, campos = unescape(form[1]), {**hidden, "decisao": "pendencia", "motivo": "Falta um documento."}
        yield _time(partial(pessoa.send, onde, campos))


def _at_once(instalacao: Instalacao, servidor: Servidor, pessoa: Navegador, codigo: str, segundos: float) -> Iterator[Linha]:
    base = f"/admin/editais/{codigo}"
    addresses = [
        *(f"{base}/triagem-ia?aba={aba}" for aba in ("habilitacao", "avaliacao", "irregularidades")),
        f"{base}/mesa",
        *_projects(pessoa, f"{base}/mesa")[:8],
        f"{base}/ranking",
    ]
    lines = instalacao.pasta / "paginas.txt"
    lines.write_text("\n".join(addresses) + "\n", encoding="utf-8")
    look(instalacao, servidor.porta, lines, PESSOAS, pessoa.sessao, 1.0)  # what is kept has been made
    burst = look(instalacao, servidor.porta, lines, PESSOAS, pessoa.sessao, segundos)
    nota = f"{burst.aceitas} páginas abertas por {PESSOAS} pessoas: as três abas, a fila, oito projetos e as notas."
    yield measured(f"páginas da triagem, {PESSOAS} pessoas", "páginas/s", burst.por_segundo, None, meta=_RITMO, execucoes=1, nota=nota)
    yield measured(f"páginas da triagem, {PESSOAS} pessoas: p99 × p50", "ms", burst.p99_ms, burst.p50_ms, meta=_CAUDA, execucoes=1)


def _time(asked: Callable[[], object]) -> float:
    began = time.perf_counter()
    asked()
    return 1000 * (time.perf_counter() - began)
