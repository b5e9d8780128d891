"""The life of a política: draft, published, revoked, and what may not happen to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest

from casos import regra
from crivo.autorizacoes.politicas.nos import PoliticaInvalida
from crivo.autorizacoes.politicas.service import (
    CampoDesconhecido,
    PoliticaNotFound,
    Politicas,
    PublicacaoMudou,
    TransicaoRecusada,
    VersaoPublicada,
)
from crivo.autorizacoes.politicas.storage import catalogo_versao, published_at
from crivo.autorizacoes.politicas.vigentes import politicas_at
from crivo.kernel.audit import verify_tenant
from crivo.kernel.clock import FixedClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

NOW = FixedClock(datetime.fromisoformat("2026-11-20T10:00:00-03:00"))


@pytest.fixture
def politicas(database: Database) -> Politicas:
    return Politicas(database, NOW, Uuid7(NOW).new)


def document(*regras: dict[str, Any], **fields: Any) -> bytes:
    head = {"administradora_id": "ADM-1", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
    return json.dumps({**head, **fields, "regras": list(regras) or [regra()]}).encode()


async def versao(database: Database, scope: Scope) -> int:
    async with database.unit_of_work(scope) as uow:
        return await catalogo_versao(uow)


async def test_a_draft_decides_nothing_until_it_is_published(database: Database, politicas: Politicas, scope: Scope) -> None:
    rascunho = (await politicas.importar(scope, document())).politica
    assert (rascunho.status, rascunho.regras_total, await versao(database, scope)) == ("rascunho", 1, 0)
    publicada = await politicas.publicar(scope, rascunho.id)
    assert (publicada.status, publicada.publicada_na, await versao(database, scope)) == ("publicada", 1, 1)


async def test_the_same_document_again_changes_nothing(database: Database, politicas: Politicas, scope: Scope) -> None:
    first = await politicas.importar(scope, document(), publicar=True)
    again = await politicas.importar(scope, document(), publicar=True)
    assert (first.mudou, again.mudou) == (True, False)
    assert again.politica.id == first.politica.id
    assert await versao(database, scope) == 1


async def test_a_draft_may_be_replaced_and_a_published_version_may_not(politicas: Politicas, scope: Scope) -> None:
    first = await politicas.importar(scope, document())
    second = await politicas.importar(scope, document(regra(), regra(regra_id="R-2", codigo="1")))
    assert (second.politica.id, second.politica.regras_total) == (first.politica.id, 2)
    await politicas.publicar(scope, second.politica.id)
    with pytest.raises(VersaoPublicada):
        await politicas.importar(scope, document())
    assert json.loads((await politicas.obter(scope, second.politica.id))[1])["regras"][1]["codigo"] == "1"


async def test_a_document_with_faults_is_refused_whole(politicas: Politicas, scope: Scope) -> None:
    with pytest.raises(PoliticaInvalida) as refused:
        await politicas.importar(scope, document(regra(cobertura="TALVEZ", limite_quantidade=-1)))
    assert [problem.caminho for problem in refused.value.problemas] == ["regras[0].cobertura", "regras[0].limite_quantidade"]
    assert await politicas.listar(scope) == []


async def test_two_publications_at_once_make_one(database: Database, politicas: Politicas, scope: Scope) -> None:
    rascunho = (await politicas.importar(scope, document())).politica
    published = await asyncio.gather(*(politicas.publicar(scope, rascunho.id) for _ in range(6)))
    assert {one.publicada_na for one in published} == {1}
    assert await versao(database, scope) == 1


async def test_different_publications_at_once_each_get_a_version(database: Database, politicas: Politicas, scope: Scope) -> None:
    published = await asyncio.gather(*(politicas.importar(scope, document(versao=str(n)), publicar=True) for n in range(6)))
    assert sorted(one.politica.publicada_na or 0 for one in published) == [1, 2, 3, 4, 5, 6]
    async with database.unit_of_work(scope) as uow:
        assert [len(await published_at(uow, version)) for version in range(7)] == [0, 1, 2, 3, 4, 5, 6]


async def test_a_revoked_policy_does_not_come_back(database: Database, politicas: Politicas, scope: Scope) -> None:
    publicada = (await politicas.importar(scope, document(), publicar=True)).politica
    revogada = await politicas.revogar(scope, publicada.id, "substituída")
    assert (revogada.status, revogada.revogada_na) == ("revogada", 2)
    assert await politicas.revogar(scope, publicada.id, "de novo") == revogada
    with pytest.raises(TransicaoRecusada):
        await politicas.publicar(scope, publicada.id)
    async with database.unit_of_work(scope) as uow:
        assert (len(await published_at(uow, 1)), await published_at(uow, 2)) == (1, [])


async def test_a_draft_cannot_be_revoked(politicas: Politicas, scope: Scope) -> None:
    rascunho = (await politicas.importar(scope, document())).politica
    with pytest.raises(TransicaoRecusada):
        await politicas.revogar(scope, rascunho.id, "x")


async def test_a_policy_of_another_tenant_is_not_there(politicas: Politicas, scope: Scope, new_tenant: Callable[[], Scope]) -> None:
    theirs = (await politicas.importar(scope, document())).politica
    mine = new_tenant()
    for use in (politicas.publicar(mine, theirs.id), politicas.revogar(mine, theirs.id, "x"), politicas.obter(mine, uuid4())):
        with pytest.raises(PoliticaNotFound):
            await use


async def test_every_step_leaves_its_entry(database: Database, politicas: Politicas, scope: Scope) -> None:
    publicada = (await politicas.importar(scope, document(), publicar=True)).politica
    await politicas.definir_campos(scope, "ADM-1", {"nroSol": "pedido_id"})
    await politicas.revogar(scope, publicada.id, "x")
    async with database.unit_of_work(scope) as uow:
        verification = await verify_tenant(uow)
    assert (verification.entradas, verification.quebras) == (4, ())


async def test_a_field_table_points_to_fields_that_exist(politicas: Politicas, scope: Scope) -> None:
    with pytest.raises(CampoDesconhecido) as refused:
        await politicas.definir_campos(scope, "ADM-1", {"a": "pedido_id", "b": "beneficiario.cor"})
    assert [problem.caminho for problem in refused.value.problemas] == ["beneficiario.cor"]


async def test_the_same_field_table_again_changes_nothing(database: Database, politicas: Politicas, scope: Scope) -> None:
    assert await politicas.definir_campos(scope, "ADM-1", {"nroSol": "pedido_id"}) == 1
    assert await politicas.definir_campos(scope, "ADM-1", {"nro_sol": "pedido_id"}) == 1
    assert await versao(database, scope) == 1


async def ends_at(database: Database, scope: Scope, versao: int) -> dict[str, str | None]:
    async with database.unit_of_work(scope) as uow:
        return {politica.versao: politica.vigencia_fim for politica in await politicas_at(uow, versao)}


async def test_a_newer_version_closes_the_earlier_one_and_the_past_stays_as_it_was(
    database: Database, politicas: Politicas, scope: Scope
) -> None:
    """Design: what was decided under a catalogue is decided alike again."""
    await politicas.importar(scope, document(), publicar=True)
    nova = (await politicas.importar(scope, document(versao="2", vigencia_inicio="2026-12-01"))).politica
    previa = await politicas.previa(scope, nova.id)
    assert [(um.politica.versao, um.antes, um.depois) for um in previa.encerra] == [("1", None, "2026-11-30")]
    await politicas.publicar(scope, nova.id, confirmacao=previa.confirmacao)
    assert await ends_at(database, scope, 1) == {"1": None}
    assert await ends_at(database, scope, 2) == {"1": "2026-11-30", "2": None}
    assert [str(uma.vigencia_fim) for uma in await politicas.listar(scope)] == ["2026-11-30", "None"]
    await politicas.revogar(scope, nova.id, "engano")
    assert await ends_at(database, scope, 3) == {"1": None}


async def test_the_earlier_version_is_kept_where_both_are_meant(database: Database, politicas: Politicas, scope: Scope) -> None:
    await politicas.importar(scope, document(), publicar=True)
    nova = (await politicas.importar(scope, document(versao="2", vigencia_inicio="2026-12-01"))).politica
    await politicas.publicar(scope, nova.id, manter_anterior=True)
    assert await ends_at(database, scope, 2) == {"1": None, "2": None}


async def test_a_preview_tells_which_regras_come_go_and_change(politicas: Politicas, scope: Scope) -> None:
    await politicas.importar(scope, document(regra(), regra(regra_id="R-2", codigo="1")), publicar=True)
    novas = (regra(limite_quantidade=2), regra(regra_id="R-3", codigo="3"))
    nova = (await politicas.importar(scope, document(*novas, versao="2", vigencia_inicio="2026-12-01"))).politica
    comparacao = (await politicas.previa(scope, nova.id)).comparacao
    assert comparacao is not None
    assert {uma.regra_id: uma.mudanca for uma in comparacao.regras} == {"R-1": "mudada", "R-3": "acrescentada", "R-2": "retirada"}


async def test_a_publication_that_would_do_something_else_than_was_seen_is_refused(politicas: Politicas, scope: Scope) -> None:
    nova = (await politicas.importar(scope, document(versao="2", vigencia_inicio="2026-12-01"))).politica
    seen = (await politicas.previa(scope, nova.id)).confirmacao
    await politicas.importar(scope, document(), publicar=True)
    with pytest.raises(PublicacaoMudou):
        await politicas.publicar(scope, nova.id, confirmacao=seen)
