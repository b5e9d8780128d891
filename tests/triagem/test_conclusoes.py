"""Who takes home what people concluded of a call, and how much of it."""

from __future__ import annotations

from decimal import Decimal
from uuid import uuid4

import pytest

from chamadas import importacao
from crivo.kernel.access import SemPermissao, create_usuario, find_usuario
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.conclusoes import Conclusoes
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.edital import Avaliador
from crivo.triagem.julgamento import Julgamento, NotaDada
from crivo.triagem.service import Triagem
from sujeitos import as_person

RITA = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001", "P0002"))
DAVI = Avaliador("Davi Sena", "davi@avalia.exemplo", ("P0001",))


async def acting(database: Database, scope: Scope, email: str) -> Scope:
    async with database.unit_of_work(scope) as uow:
        found = await find_usuario(uow, email)
    assert found is not None
    return as_person(scope, found)


async def test_whoever_manages_takes_all_that_was_sent_and_a_judge_their_own_notas_and_nobodys_drafts(
    triagem: Triagem, julgamento: Julgamento, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(2, avaliadores=(RITA, DAVI)))
    rita, davi = await acting(database, scope, RITA.email), await acting(database, scope, DAVI.email)
    async with database.unit_of_work(scope) as uow:
        made = await create_usuario(uow, SystemClock().now(), uuid4(), "Lia", "lia@exemplo.org", "gestor")
    lia = as_person(scope, made)
    await julgamento.registrar_notas(rita, "ED-1", "P0001", [NotaDada("C1", Decimal(8)), NotaDada("C2", Decimal(8))])
    await julgamento.registrar_notas(davi, "ED-1", "P0001", [NotaDada("C1", Decimal(2)), NotaDada("C2", Decimal(2))])
    await julgamento.salvar(rita, "ED-1", "P0002", [NotaDada("C1", Decimal(9), "Um rascunho.")])
    await Habilitacoes(database, SystemClock(), Uuid7(SystemClock()).new).decidir(
        lia, "ED-1", "P0002", "inabilitado", "Fora do prazo.", None
    )
    conclusoes = Conclusoes(database)
    whole = await conclusoes.todas(lia, "ED-1")
    assert {(one.projeto_id, one.criterio, one.nota, whole.nomes[one.avaliador]) for one in whole.avaliacoes} == {
        ("P0001", criterio, Decimal(nota), nome) for criterio in ("C1", "C2") for nota, nome in ((8, "Rita Melo"), (2, "Davi Sena"))
    }
    assert [(one.codigo, one.posicao, one.pessoas, one.fora) for one in whole.ranking] == [
        ("P0001", 1, Decimal(5), False),
        ("P0002", None, None, True),
    ]
    assert whole.decisoes["P0002"].motivo == "Fora do prazo."
    hers = await conclusoes.minhas(rita, "ED-1")
    assert {(one.projeto_id, one.nota) for one in hers.avaliacoes} == {("P0001", Decimal(8))}
    assert (hers.decisoes, hers.ranking, list(hers.nomes.values())) == ({}, (), ["Rita Melo"])
    with pytest.raises(SemPermissao):
        await conclusoes.todas(rita, "ED-1")
