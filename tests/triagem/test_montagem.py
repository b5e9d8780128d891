"""The real finders put together, in the worker that the server has beside its requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from chamadas import importacao
from crivo.bootstrap import Container, assemble
from crivo.kernel.clock import SystemClock
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem import montagem
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
