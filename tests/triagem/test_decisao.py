"""People decide the habilitação; the suggestion stands beside it and changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from uuid import uuid4

import pytest

from chamadas import Falsos, importacao
from crivo.kernel.access import SemPermissao, create_usuario
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.edital import EditalNotFound
from crivo.triagem.erros import DecisaoInvalida, ProjetoNotFound
from crivo.triagem.service import Triagem
from seguimento import Trabalhando, wait_for_end
from sujeitos import as_person

_MOTIVO = "A certidão foi entregue em mãos."


@pytest.fixture
def habilitacoes(database: Database) -> Habilitacoes:
    return Habilitacoes(database, SystemClock(), Uuid7(SystemClock()).new)


async def _person(database: Database, scope: Scope, papel: str = "gestor") -> Scope:
    async with database.unit_of_work(scope) as uow:
        made = await create_usuario(uow, SystemClock().now(), uuid4(), "Lia", f"{uuid4()}@exemplo.org", papel)
    return as_person(scope, made)


async def test_a_decision_before_any_screening_has_no_suggestion_beside_it(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(2))
    lia = await _person(database, scope)
    await habilitacoes.decidir(lia, "ED-1", "P0001", "inabilitado", _MOTIVO)
    (decided,) = (await habilitacoes.decisoes(lia, "ED-1")).values()
    assert (decided.projeto_id, decided.decisao, decided.sugestao, decided.motivo) == ("P0001", "inabilitado", None, _MOTIVO)


async def test_a_decision_keeps_what_was_suggested_and_the_screening_stays_as_it_was(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope, trabalhando: Trabalhando
) -> None:
    await triagem.importar(scope, importacao(2))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, "ED-1")
    before = await triagem.resultado(scope, "ED-1")
    suggested = before.projetos[0].habilitacao_sugerida
    assert suggested is not None
    lia = await _person(database, scope)
    await habilitacoes.decidir(lia, "ED-1", "P0001", suggested, "")
    assert (await habilitacoes.decisoes(lia, "ED-1"))["P0001"].sugestao == suggested
    other = "inabilitado" if suggested != "inabilitado" else "habilitado"
    with pytest.raises(DecisaoInvalida):
        await habilitacoes.decidir(lia, "ED-1", "P0001", other, "")
    await habilitacoes.decidir(lia, "ED-1", "P0001", other, _MOTIVO)
    assert (await habilitacoes.decisoes(lia, "ED-1"))["P0001"].decisao == other
    assert await triagem.resultado(scope, "ED-1") == before


async def test_a_decision_taken_again_keeps_the_earlier_ones_with_their_reasons(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(2))
    lia, davi = await _person(database, scope), await _person(database, scope)
    await habilitacoes.decidir(lia, "ED-1", "P0001", "inabilitado", "Falta a certidão.")
    await habilitacoes.decidir(davi, "ED-1", "P0001", "pendencia", "Pediu prazo até sexta.")
    await habilitacoes.decidir(lia, "ED-1", "P0001", "habilitado", _MOTIVO)
    await habilitacoes.decidir(lia, "ED-1", "P0002", "habilitado", "Está tudo aqui.")
    decided = await habilitacoes.decisoes(lia, "ED-1")
    assert (decided["P0001"].decisao, decided["P0001"].motivo) == ("habilitado", _MOTIVO)
    assert [(one.decisao, one.motivo, f"usuario:{one.decidido_por}") for one in decided["P0001"].anteriores] == [
        ("pendencia", "Pediu prazo até sexta.", davi.ator),
        ("inabilitado", "Falta a certidão.", lia.ator),
    ]
    assert decided["P0002"].anteriores == ()


async def test_of_two_who_decide_at_once_neither_reason_is_lost(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(1))
    people = [await _person(database, scope) for _ in range(6)]
    reasons = [f"Motivo da pessoa {at}." for at in range(6)]
    decide = [habilitacoes.decidir(who, "ED-1", "P0001", "inabilitado", motivo) for who, motivo in zip(people, reasons, strict=True)]
    await asyncio.gather(*decide)
    (decided,) = (await habilitacoes.decisoes(people[0], "ED-1")).values()
    assert sorted([decided.motivo, *(one.motivo for one in decided.anteriores)]) == reasons


@pytest.mark.parametrize(("decisao", "motivo"), [("talvez", _MOTIVO), ("habilitado", "não"), ("habilitado", "x" * 2001)])
async def test_a_decision_that_says_too_little_or_too_much_is_refused(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope, decisao: str, motivo: str
) -> None:
    await triagem.importar(scope, importacao(1))
    lia = await _person(database, scope)
    with pytest.raises(DecisaoInvalida):
        await habilitacoes.decidir(lia, "ED-1", "P0001", decisao, motivo)
    assert await habilitacoes.decisoes(lia, "ED-1") == {}


async def test_only_a_person_who_manages_decides(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    await triagem.importar(scope, importacao(1))
    for who in (scope, await _person(database, scope, "avaliador")):
        with pytest.raises(SemPermissao):
            await habilitacoes.decidir(who, "ED-1", "P0001", "habilitado", _MOTIVO)
    lia = await _person(database, scope)
    with pytest.raises(ProjetoNotFound):
        await habilitacoes.decidir(lia, "ED-1", "P0009", "habilitado", _MOTIVO)
    with pytest.raises(EditalNotFound):
        await habilitacoes.decidir(await _person(database, new_tenant()), "ED-1", "P0001", "habilitado", _MOTIVO)
