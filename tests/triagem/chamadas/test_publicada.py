"""Rules after a publication, by each way in which an edital is saved: another draw is refused, other rules have a reason and a trace."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

import pytest
from msgspec.structs import replace

from chamadas import VERSOES, Importacao, importacao
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.chamadas.servico import Chamadas
from crivo.triagem.classificacao.definicao import Bonus, Classificacao, Corte, Vagas
from crivo.triagem.condicao import Condicao
from crivo.triagem.erros import MudancaSemMotivo, SementePublicada
from crivo.triagem.service import Triagem

REGRAS = Classificacao(vagas=(Vagas("*", 1),), semente="ED-2026-04")
OUTRAS = replace(REGRAS, corte=Corte(Decimal("60.5")), bonus=(Bonus("B", Condicao("x", "igual", True), Decimal("2.5")),))
MOTIVO = "Retificação nº 2, publicada no Diário Oficial."


async def _published(uow: UnitOfWork, edital_id: UUID) -> str | None:
    return "ED-2026-04"


async def _unpublished(uow: UnitOfWork, edital_id: UUID) -> str | None:
    return None


def chamadas(database: Database, *, publicado: bool = True) -> Chamadas:
    clock = SystemClock()
    return Chamadas(database, clock, Uuid7(clock).new, lambda: VERSOES, _published if publicado else _unpublished)


def triagem_of(database: Database, *, publicado: bool = True) -> Triagem:
    clock = SystemClock()
    return Triagem(database, Fila(), clock, Uuid7(clock).new, lambda: VERSOES, None, _published if publicado else _unpublished)


def edital(regras: Classificacao | None) -> Importacao:
    given = importacao(1)
    return Importacao(replace(given.chamada, edital=replace(given.chamada.edital, classificacao=regras)), given.arquivos)


async def save(casa: Chamadas, scope: Scope, regras: Classificacao | None, motivo: str = "") -> None:
    aberta = await casa.abrir(scope, "ED-1")
    changed = replace(aberta.chamada, edital=replace(aberta.chamada.edital, classificacao=regras))
    await casa.salvar(scope, "ED-1", changed, aberta.visto, motivo)


async def noted(database: Database, scope: Scope) -> list[dict[str, object]]:
    async with database.unit_of_work(scope) as uow:
        rows = await uow.connection.exec_driver_sql(
            "select dados from logs_auditoria where tenant_id = %s and acao = 'edital.regras_mudadas' order by created_at",
            (scope.tenant_id,),
        )
        return [row.dados for row in rows]


async def test_another_draw_is_refused_after_publication_and_nothing_of_the_change_is_kept(database: Database, scope: Scope) -> None:
    await triagem_of(database).importar(scope, edital(REGRAS))
    casa = chamadas(database)
    assert (await casa.abrir(scope, "ED-1")).semente_publicada == "ED-2026-04"
    for other in (replace(OUTRAS, semente="outra"), replace(OUTRAS, semente=""), None):
        with pytest.raises(SementePublicada, match="ED-2026-04"):
            await save(casa, scope, other, MOTIVO)
        with pytest.raises(SementePublicada):
            await triagem_of(database).importar(scope, edital(other), motivo=MOTIVO)
    assert (await casa.abrir(scope, "ED-1")).chamada.edital.classificacao == REGRAS
    assert await noted(database, scope) == []


async def test_other_rules_after_publication_ask_for_a_reason_and_leave_what_they_were(database: Database, scope: Scope) -> None:
    await triagem_of(database).importar(scope, edital(REGRAS))
    casa = chamadas(database)
    for lacking in ("", "   ", "curto", "a" * 2_001):
        with pytest.raises(MudancaSemMotivo, match="Diga por que"):
            await save(casa, scope, OUTRAS, lacking)
    with pytest.raises(MudancaSemMotivo):
        await triagem_of(database).importar(scope, edital(OUTRAS))
    await save(casa, scope, OUTRAS, f"  {MOTIVO} ")
    (dados,) = await noted(database, scope)
    assert (dados["motivo"], dados["edital"]) == (MOTIVO, "ED-1")
    assert dados["antes"] == {"corte": {"nota_final_minima": None, "por_criterio": {}, "zero_elimina": []}, "bonus": []}
    depois = dados["depois"]
    assert isinstance(depois, dict)
    assert depois["corte"]["nota_final_minima"] == "60.5"
    assert depois["bonus"][0]["pontos"] == "2.5"
    await triagem_of(database).importar(scope, edital(REGRAS), motivo=MOTIVO)
    assert len(await noted(database, scope)) == 2


async def test_what_is_no_rule_changes_without_a_reason_after_publication(database: Database, scope: Scope) -> None:
    await triagem_of(database).importar(scope, edital(REGRAS))
    casa = chamadas(database)
    aberta = await casa.abrir(scope, "ED-1")
    await casa.salvar(scope, "ED-1", replace(aberta.chamada, edital=replace(aberta.chamada.edital, nome="Outro")), aberta.visto)
    await triagem_of(database).importar(scope, edital(REGRAS))
    assert await noted(database, scope) == []


async def test_before_publication_the_draw_changes_too_and_is_noted_by_each_way_in(database: Database, scope: Scope) -> None:
    await triagem_of(database, publicado=False).importar(scope, edital(None))
    casa = chamadas(database, publicado=False)
    await save(casa, scope, replace(REGRAS, semente="uma"))
    await triagem_of(database, publicado=False).importar(scope, edital(replace(REGRAS, semente="outra")))
    first, second = await noted(database, scope)
    assert first["antes"] == {}
    assert (second["antes"], second["depois"]) == ({"semente": "uma"}, {"semente": "outra"})


async def test_an_edital_without_a_semente_draws_with_its_code_and_may_say_so_afterwards(database: Database, scope: Scope) -> None:
    async def by_code(uow: UnitOfWork, edital_id: UUID) -> str | None:
        return "ED-1"

    clock = SystemClock()
    await triagem_of(database, publicado=False).importar(scope, edital(replace(REGRAS, semente="")))
    casa = Chamadas(database, clock, Uuid7(clock).new, lambda: VERSOES, by_code)
    await save(casa, scope, replace(REGRAS, semente="ED-1"), MOTIVO)
    with pytest.raises(SementePublicada):
        await save(casa, scope, replace(REGRAS, semente="ED-2"), MOTIVO)
