"""The closing job compares texts by the configured service, once; where it fails the result says so, and is looked for again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from chamadas import Falsos, importacao
from crivo.kernel.clock import SystemClock
from crivo.kernel.settings import load_settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.achadores import Passado
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada
from crivo.triagem.montagem import Irregularidades
from crivo.triagem.service import Triagem
from provedor import Provedor, always, provedor_no_ar
from seguimento import Trabalhando, wait_for_end


@pytest.fixture
def provedor() -> Iterator[Provedor]:
    with provedor_no_ar() as running:
        yield running


class PorServico(Falsos):
    """Finders of which those over the whole edital are the real ones, with vectors by a service."""

    def __init__(self, database: Database, provedor: Provedor) -> None:
        super().__init__()
        chosen: dict[str, Any] = {"OPENAI_API_KEY": "chave", "OPENAI_BASE_URL": provedor.url}
        settings = load_settings(None, embeddings="openai:text-embedding-3-small", **chosen)
        self._found = Irregularidades(database, settings, SystemClock())

    async def irregularidades(
        self, scope: Scope, chamada: Chamada, lidos: Sequence[ProjetoLido], passados: Sequence[Passado], origem: str
    ) -> Any:
        return await self._found.find(scope, chamada, lidos, passados, origem)


async def test_texts_are_compared_by_the_service_and_paid_for_under_the_execucao(
    triagem: Triagem, trabalhando: Trabalhando, database: Database, scope: Scope, provedor: Provedor
) -> None:
    """Triagem 4/3: embeddings of a service, paid for under the execução."""
    await triagem.importar(scope, importacao(4))
    async with trabalhando(PorServico(database, provedor)):
        await triagem.executar(scope, "ED-1", "irregularidades")
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.erro_mensagem, provedor.pagos) == ("concluida", None, 1)
    assert execucao.custo > 0


async def test_where_the_service_is_away_the_result_says_so_and_the_next_run_looks_again(
    triagem: Triagem, trabalhando: Trabalhando, database: Database, scope: Scope, provedor: Provedor
) -> None:
    provedor.sempre = always("erro_401")
    await triagem.importar(scope, importacao(4))
    async with trabalhando(PorServico(database, provedor)):
        await triagem.executar(scope, "ED-1", "irregularidades")
        first = await wait_for_end(triagem, scope, "ED-1")
        provedor.sempre = None
        await triagem.executar(scope, "ED-1", "irregularidades")
        second = await wait_for_end(triagem, scope, "ED-1")
    assert (first.status, second.status) == ("concluida", "concluida")
    assert "método local" in (first.erro_mensagem or "")
    assert (second.erro_mensagem, provedor.pagos) == (None, 1)
