"""The real finders put together, in the worker that the server has beside its requests."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from chamadas import importacao
from crivo.bootstrap import Container, assemble
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem import montagem
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada, Edital, Projeto, Proponente
from crivo.triagem.embeddings.ngramas import unit
from crivo.triagem.embeddings.port import Matriz
from crivo.triagem.embeddings.transformadores import EmbeddingsUnavailable
from crivo.triagem.montagem import versoes
from crivo.web import server
from seguimento import wait_for_end


@pytest.fixture
def container(database: Database, fila_vazia: None, scope: Scope, tmp_path: Path) -> Container:
    return assemble(Settings(_env_file=None, data_dir=tmp_path, tenant=scope.tenant_id), SystemClock(), database)


async def test_a_server_screens_beside_its_requests_and_finds_its_own_work_again(container: Container, scope: Scope) -> None:
    triagem = container.triagem
    await triagem.importar(scope, importacao(4))
    async with server._working(container, 2):
        await triagem.executar(scope, "ED-1")
        first = await wait_for_end(triagem, scope, "ED-1")
        await triagem.executar(scope, "ED-1")
        second = await wait_for_end(triagem, scope, "ED-1")
    assert [(one.status, one.projetos_com_erro) for one in (first, second)] == [("concluida", 0), ("concluida", 0)]
    assert (second.reaproveitados, second.irregularidades_reaproveitadas) == (4, True)
    resultado = await triagem.resultado(scope, "ED-1")
    assert {one.itens[0].requisito for one in resultado.projetos} == {"REQ-1"}


async def test_a_server_told_so_leaves_all_work_to_others(container: Container, scope: Scope) -> None:
    """Source: interfaces, Settings (`CRIVO_TRABALHADORES=0`)."""
    await container.triagem.importar(scope, importacao(1))
    async with server._working(container, 0):
        await container.triagem.executar(scope, "ED-1")
        async with container.database.unit_of_work(scope) as uow:
            workers = await uow.connection.exec_driver_sql("select count(*) from procrastinate_workers")
            assert workers.scalar_one() == 0
    assert (await container.triagem.status(scope, "ED-1")).projetos_analisados == 0


def test_other_embeddings_are_other_rules_and_the_same_are_the_same() -> None:
    assert versoes("local") == versoes("local")
    assert versoes("local").regras != versoes("sentence-transformers:/m").regras
    assert versoes("local").leitura == versoes("sentence-transformers:/m").leitura


def test_a_machine_that_reads_scanned_pages_is_another_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    readers = []
    for found in (None, object()):
        monkeypatch.setattr(montagem, "find_tesseract", lambda found=found: found)
        readers.append(versoes("local").leitura)
    assert len(set(readers)) == 2


class Anota:
    """An embedder to whom every text means something else; remembers what it was asked."""

    nome = "anota"
    dimensoes = 8
    limiar = 0.93
    lote = 5

    def __init__(self) -> None:
        self.lidos: list[str] = []

    def embed(self, textos: Sequence[str]) -> Matriz:
        self.lidos += textos
        rows = [np.random.default_rng(int.from_bytes(sha256(one.encode()).digest()[:4])).normal(size=8) for one in textos]
        return unit(np.array(rows, np.float32))


@pytest.mark.parametrize(("embeddings", "sentences"), [("semantico", True), ("local", False)])
async def test_sentences_are_read_where_vectors_tell_what_they_mean(
    database: Database, scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embeddings: str, sentences: bool
) -> None:
    anota = Anota()
    monkeypatch.setattr("crivo.triagem.comparacao.open_embedder", lambda setting: anota)
    monkeypatch.setattr("crivo.triagem.irregularidades.alinhamento._MIDDLE", (0,) * 8)
    settings = Settings(_env_file=None, data_dir=tmp_path, tenant=scope.tenant_id, embeddings=embeddings)
    nomes = ("Ana", "Bia", "Caio", "Davi", "Eva", "Fábio", "Gil", "Hugo", "Ivo", "Júlia", "Kika", "Luís", "Mara")
    projetos = [
        Projeto(
            nome,
            "",
            Proponente(nome),
            resumo=f"{nome} canta na praça. {nome} dança na feira toda. {nome} pinta o muro da rua. {' '.join(f'{nome}{of}' for of in range(20))}.",
        )
        for nome in nomes
    ]
    chamada = Chamada(Edital("ED-1", "Edital"), projetos=projetos)
    found = montagem.Irregularidades(database, settings, SystemClock())
    achadas = await found.find(scope, chamada, [ProjetoLido(one) for one in projetos], [], "execucao:1")
    assert len(achadas.mais_parecido) == len(nomes)
    assert ("Ana dança na feira toda." in anota.lidos) is sentences
    assert len(anota.lidos) == len(set(anota.lidos)) == len(nomes) * (5 if sentences else 1)


async def test_a_worker_that_lacks_what_it_was_told_to_compare_by_does_not_start(
    database: Database, scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crivo.triagem.embeddings.semantico.find_spec", lambda name: None)
    settings = Settings(_env_file=None, data_dir=tmp_path, tenant=scope.tenant_id, embeddings="semantico")
    with pytest.raises(EmbeddingsUnavailable, match="CRIVO_EMBEDDINGS=local"):
        async with montagem.open_tasks(database, SystemClock(), Uuid7(SystemClock()).new, settings):
            pass
