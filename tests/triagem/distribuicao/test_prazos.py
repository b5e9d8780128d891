"""Notas are taken until the end of the last day in Brasília; after it, of those alone to whom a later day was given, with a reason."""

from __future__ import annotations

from datetime import date, datetime
from uuid import uuid4

import pytest

from casa_avaliada import AMBAS, Casa, chamada
from crivo.kernel.access import Usuario
from crivo.kernel.clock import FixedClock
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.acervo import AcervoDeTriagem
from crivo.triagem.distribuicao.prazo import Prazo, prazo_of
from crivo.triagem.edital import Edital, FaseDatada
from crivo.triagem.erros import AvaliadorNotFound, NadaADesfazer, PrazoEncerrado, PrazoInvalido
from crivo.triagem.service import Triagem

FASES = (FaseDatada("avaliacao", date(2026, 11, 1), date(2026, 11, 20)), FaseDatada("recursos", date(2026, 12, 1), date(2026, 12, 5)))
A_TEMPO = FixedClock(datetime.fromisoformat("2026-11-21T02:59:59+00:00"))  # one second to midnight in Brasília
TARDE = FixedClock(datetime.fromisoformat("2026-11-21T03:00:00+00:00"))


@pytest.fixture
async def casa(database: Database, scope: Scope, triagem: Triagem) -> Casa:
    await triagem.importar(scope, chamada(2, fases=FASES))
    return Casa(database, scope, TARDE)


@pytest.fixture
async def lia(casa: Casa) -> Scope:
    return casa.as_(await casa.person("Lia Prado", "gestor"))


@pytest.fixture
async def rita(casa: Casa, lia: Scope) -> Usuario:
    rita = await casa.person("Rita Melo")
    await casa.quem.incluir(lia, "ED-1", rita.id)
    await casa.give(lia, ["P0001", "P0002"], rita)
    return rita


async def test_on_the_last_second_of_the_last_day_notas_are_taken_and_a_second_later_they_are_refused(
    casa: Casa, lia: Scope, rita: Usuario, database: Database
) -> None:
    before = Casa(database, casa.scope, A_TEMPO)
    await before.judge(rita, "P0001", 7, 7)
    with pytest.raises(PrazoEncerrado, match=r"terminou em 20/11/2026, às 23h59 de Brasília\. .* reabra o prazo"):
        await casa.judge(rita, "P0002", 7, 7)
    await casa.julgamento.salvar(casa.as_(rita), "ED-1", "P0002", AMBAS)  # what is written is never lost
    with pytest.raises(PrazoEncerrado):
        await casa.julgamento.enviar(casa.as_(rita), "ED-1", "P0002")
    await casa.julgamento.enviar(casa.as_(rita), "ED-1", "P0001")  # sent already: nothing changes
    para = await casa.julgamento.projeto(casa.as_(rita), "ED-1", "P0002")
    assert (para.prazo, para.prazo_acabou, para.enviada) == (Prazo(date(2026, 11, 20)), True, False)


async def test_a_later_day_is_given_to_one_person_alone_with_a_trace_and_taken_back(
    casa: Casa, lia: Scope, rita: Usuario, database: Database
) -> None:
    davi = await casa.person("Davi Sena")
    await casa.quem.incluir(lia, "ED-1", davi.id)
    await casa.give(lia, ["P0001"], davi)
    dado = await casa.prazos.reabrir(lia, "ED-1", rita.id, date(2026, 11, 25), "Ficou doente na última semana.")
    await casa.judge(rita, "P0001", 7, 7)
    with pytest.raises(PrazoEncerrado):
        await casa.judge(davi, "P0001", 7, 7)
    found = await casa.prazos.do_edital(lia, "ED-1")
    assert (found.ultimo_dia, found.encerrado) == (date(2026, 11, 20), True)
    assert [(one.ate, one.motivo) for one in found.reabertos] == [(date(2026, 11, 25), "Ficou doente na última semana.")]
    (told,) = await casa.audited("prazo.reaberto")
    assert (told["ate"], "doente" in str(told)) == ("2026-11-25", False)
    async with database.unit_of_work(casa.scope) as uow:
        rows = await uow.connection.exec_driver_sql("select motivo from avaliacao_prazos where tenant_id = %s", (casa.scope.tenant_id,))
        assert "doente" not in rows.scalar_one()
        held = await AcervoDeTriagem().held(uow, [rita.id])
        assert [one["prazo"]["motivo"] for one in held if "prazo" in one] == ["Ficou doente na última semana."]
    assert await casa.prazos.desfazer(lia, "ED-1", dado.id) == rita.id
    with pytest.raises(PrazoEncerrado):
        await casa.judge(rita, "P0002", 7, 7)
    with pytest.raises(NadaADesfazer):
        await casa.prazos.desfazer(lia, "ED-1", dado.id)


@pytest.mark.parametrize(
    ("ate", "motivo", "campos"),
    [
        (None, "Ficou doente.", ["ate"]),
        (date(2026, 11, 20), "Ficou doente.", ["ate"]),
        (date(2026, 11, 25), "oi", ["motivo"]),
        (date(2026, 11, 1), "x" * 2_001, ["ate", "motivo"]),
    ],
)
async def test_a_day_that_will_not_do_is_refused_at_its_field(
    casa: Casa, lia: Scope, rita: Usuario, ate: date | None, motivo: str, campos: list[str]
) -> None:
    with pytest.raises(PrazoInvalido) as refused:
        await casa.prazos.reabrir(lia, "ED-1", rita.id, ate, motivo)
    assert [one.caminho for one in refused.value.problemas] == campos


async def test_a_day_for_nobody_here_is_refused(casa: Casa, lia: Scope) -> None:
    with pytest.raises(AvaliadorNotFound):
        await casa.prazos.reabrir(lia, "ED-1", uuid4(), date(2026, 11, 25), "Ficou doente.")


async def test_an_edital_without_such_a_phase_takes_notas_for_ever(casa: Casa, lia: Scope, rita: Usuario, triagem: Triagem) -> None:
    assert prazo_of(Edital("ED-2", "Outro", fases=FASES[1:]), date(2026, 11, 25)) is None
    assert prazo_of(Edital("ED-2", "Outro", fases=(FaseDatada("avaliacao", date(2026, 11, 3)),)), None) == Prazo(date(2026, 11, 3))
    assert prazo_of(Edital("ED-2", "Outro", fases=FASES), date(2026, 11, 19)) == Prazo(date(2026, 11, 20))
