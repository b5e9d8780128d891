"""People decide the habilitação; the suggestion stands beside it and changes nothing."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4

import pytest

from chamadas import Falsos, importacao
from crivo.kernel.access import SemPermissao, create_usuario
from crivo.kernel.clock import SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.atos import at_hour
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.edital import EditalNotFound
from crivo.triagem.erros import DecisaoDeOutraAba, DecisaoDeOutraPessoa, DecisaoInvalida, ProjetoNotFound
from crivo.triagem.guardados import Ato
from crivo.triagem.service import Triagem
from seguimento import Trabalhando, wait_for_end
from sujeitos import as_person
from triagem_pronta import put_screened

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
    await habilitacoes.decidir(lia, "ED-1", "P0001", "inabilitado", _MOTIVO, None)
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
    await habilitacoes.decidir(lia, "ED-1", "P0001", suggested, "", None)
    decided = (await habilitacoes.decisoes(lia, "ED-1"))["P0001"]
    assert decided.sugestao == suggested
    other = "inabilitado" if suggested != "inabilitado" else "habilitado"
    with pytest.raises(DecisaoInvalida):
        await habilitacoes.decidir(lia, "ED-1", "P0001", other, "", decided.versao)
    await habilitacoes.decidir(lia, "ED-1", "P0001", other, _MOTIVO, decided.versao)
    assert (await habilitacoes.decisoes(lia, "ED-1"))["P0001"].decisao == other
    assert await triagem.resultado(scope, "ED-1") == before


async def test_a_decision_taken_again_keeps_the_earlier_ones_with_their_reasons(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(2))
    lia, davi = await _person(database, scope), await _person(database, scope)
    first = await habilitacoes.decidir(lia, "ED-1", "P0001", "inabilitado", "Falta a certidão.", None)
    second = await habilitacoes.decidir(davi, "ED-1", "P0001", "pendencia", "Pediu prazo até sexta.", first.id.hex)
    await habilitacoes.decidir(lia, "ED-1", "P0001", "habilitado", _MOTIVO, second.id.hex)
    await habilitacoes.decidir(lia, "ED-1", "P0002", "habilitado", "Está tudo aqui.", None)
    decided = await habilitacoes.decisoes(lia, "ED-1")
    assert (decided["P0001"].decisao, decided["P0001"].motivo) == ("habilitado", _MOTIVO)
    assert [(one.decisao, one.motivo, f"usuario:{one.decidido_por}") for one in decided["P0001"].anteriores] == [
        ("pendencia", "Pediu prazo até sexta.", davi.ator),
        ("inabilitado", "Falta a certidão.", lia.ator),
    ]
    assert decided["P0002"].anteriores == ()


async def test_of_those_who_decide_at_once_one_is_kept_and_the_others_are_told_who_decided_what_and_when(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(1))
    people = [await _person(database, scope) for _ in range(6)]
    decide = [habilitacoes.decidir(who, "ED-1", "P0001", "inabilitado", f"Motivo {at}.", None) for at, who in enumerate(people)]
    ended = await asyncio.gather(*decide, return_exceptions=True)
    refused = [one for one in ended if isinstance(one, DecisaoDeOutraPessoa)]
    assert (len(refused), sum(isinstance(one, Ato) for one in ended)) == (5, 1)
    (stands,) = (await habilitacoes.decisoes(people[0], "ED-1")).values()
    assert stands.anteriores == ()
    for error in refused:
        assert re.match(r"Lia decidiu “Inabilitado” em \d\d/\d\d/\d{4} às \d\dh\d\d\. Nada foi gravado", error.mensagem)
        assert error.agora is not None
        assert (error.agora.motivo, error.agora.versao) == (stands.motivo, stands.versao)


async def test_whoever_was_refused_can_decide_again_having_seen_what_stands(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(1))
    lia, davi = await _person(database, scope), await _person(database, scope)
    await habilitacoes.decidir(lia, "ED-1", "P0001", "inabilitado", "Falta a certidão.", None)
    with pytest.raises(DecisaoDeOutraPessoa) as refused:
        await habilitacoes.decidir(davi, "ED-1", "P0001", "habilitado", _MOTIVO, None)
    assert refused.value.agora is not None
    await habilitacoes.decidir(davi, "ED-1", "P0001", "habilitado", _MOTIVO, refused.value.agora.versao)
    (stands,) = (await habilitacoes.decisoes(lia, "ED-1")).values()
    assert (stands.decisao, [one.motivo for one in stands.anteriores]) == ("habilitado", ["Falta a certidão."])


async def test_who_decided_on_another_page_is_told_that_it_was_they(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(2))
    lia, davi = await _person(database, scope), await _person(database, scope)
    ato = await habilitacoes.decidir(lia, "ED-1", "P0001", "inabilitado", "Falta a certidão.", None)
    for visto in (None, "de antes"):
        with pytest.raises(DecisaoDeOutraAba, match=r"^Você decidiu “Inabilitado” às \d\dh\d\d, em outra aba\. Nada foi gravado agora"):
            await habilitacoes.decidir(lia, "ED-1", "P0001", "habilitado", _MOTIVO, visto)
    (seen,) = (await habilitacoes.decisoes(lia, "ED-1")).values()
    await habilitacoes.desfazer(lia, "ED-1", ato.id)
    with pytest.raises(DecisaoDeOutraAba, match=r"^Você desfez em outra aba, às \d\dh\d\d, a decisão"):
        await habilitacoes.decidir(lia, "ED-1", "P0001", "habilitado", _MOTIVO, seen.versao)
    with pytest.raises(DecisaoDeOutraPessoa) as refused:
        await habilitacoes.decidir(davi, "ED-1", "P0001", "habilitado", _MOTIVO, seen.versao)
    assert not isinstance(refused.value, DecisaoDeOutraAba)


def test_an_hour_of_another_day_is_told_with_its_day() -> None:
    then = datetime(2026, 11, 20, 17, 2, tzinfo=UTC)
    assert at_hour(then, datetime(2026, 11, 21, 2, 0, tzinfo=UTC)) == "às 14h02"
    assert at_hour(then, datetime(2026, 11, 21, 4, 0, tzinfo=UTC)) == "em 20/11/2026 às 14h02"


async def test_a_project_withdrawn_while_it_was_open_is_told_so_and_nothing_is_decided(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(2))
    lia = await _person(database, scope)
    await triagem.importar(scope, importacao(1))
    with pytest.raises(ProjetoNotFound, match="foi retirado do edital depois que você o abriu"):
        await habilitacoes.decidir(lia, "ED-1", "P0002", "habilitado", _MOTIVO, None)


@pytest.mark.parametrize(("decisao", "motivo"), [("talvez", _MOTIVO), ("habilitado", "não"), ("habilitado", "x" * 2001)])
async def test_a_decision_that_says_too_little_or_too_much_is_refused(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope, decisao: str, motivo: str
) -> None:
    await triagem.importar(scope, importacao(1))
    lia = await _person(database, scope)
    with pytest.raises(DecisaoInvalida):
        await habilitacoes.decidir(lia, "ED-1", "P0001", decisao, motivo, None)
    assert await habilitacoes.decisoes(lia, "ED-1") == {}


async def test_only_a_person_who_manages_decides(
    triagem: Triagem, habilitacoes: Habilitacoes, database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    await triagem.importar(scope, importacao(1))
    for who in (scope, await _person(database, scope, "avaliador")):
        with pytest.raises(SemPermissao):
            await habilitacoes.decidir(who, "ED-1", "P0001", "habilitado", _MOTIVO, None)
    lia = await _person(database, scope)
    with pytest.raises(ProjetoNotFound):
        await habilitacoes.decidir(lia, "ED-1", "P0009", "habilitado", _MOTIVO, None)
    with pytest.raises(EditalNotFound):
        await habilitacoes.decidir(await _person(database, new_tenant()), "ED-1", "P0001", "habilitado", _MOTIVO, None)


async def test_a_call_screened_before_there_were_cases_has_them_when_many_are_decided_though_nobody_opened_it(
    habilitacoes: Habilitacoes, triagem: Triagem, database: Database, scope: Scope
) -> None:
    async with database.unit_of_work(scope) as uow:
        await put_screened(uow, 20, sinais=12)
    lia = await _person(database, scope)
    signed = {codigo for sinal in (await triagem.resultado(scope, "ED-1")).irregularidades for codigo in sinal.projetos}
    foreseen = await habilitacoes.prever(lia, "ED-1", [f"P{number:05}" for number in range(20)], "pendencia")
    kept_out = {one.projeto_id for one in foreseen.ficam if one.razao == "caso_aberto"}
    assert kept_out
    assert signed.isdisjoint(one.projeto_id for one in foreseen.entram)
