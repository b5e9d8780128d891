"""What an organisation may take is counted in the transaction that takes it, and who has no room is told how much fits."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contado import held
from crivo.kernel.access import Usuario, create_chave, create_usuario, deactivate_usuario, reactivate_usuario, set_papel
from crivo.kernel.access.organizacoes import Organizacoes
from crivo.kernel.clock import FixedClock, SystemClock
from crivo.kernel.cotas import (
    COTAS,
    POR_NOME,
    CotaAtingida,
    CotaInvalida,
    Nome,
    Uso,
    limite_em_palavras,
    own_cotas,
    read_cota,
    refusal,
    said,
    seconds_to_renew,
    set_cotas,
    usos_of,
)
from crivo.kernel.identity import Uuid7
from crivo.kernel.llm.orcamento import Orcamento
from crivo.kernel.llm.port import ModeloIndisponivel
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

_NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


async def give(database: Database, scope: Scope, **cotas: int) -> None:
    async with database.unit_of_work(scope) as uow:
        await set_cotas(uow, {name: Decimal(value) for name, value in cotas.items() if name in POR_NOME})  # type: ignore[misc]


async def person(database: Database, scope: Scope, papel: str = "gestor") -> Usuario:
    async with database.unit_of_work(scope) as uow:
        return await create_usuario(uow, _NOW, uuid4(), "Ana", f"{uuid4().hex}@exemplo.org", papel)


async def test_of_many_who_would_be_the_last_person_one_is(database: Database, scope: Scope) -> None:
    await give(database, scope, pessoas=3)
    await person(database, scope)
    outcomes = await asyncio.gather(*(person(database, scope) for _ in range(6)), return_exceptions=True)
    assert sum(isinstance(one, Usuario) for one in outcomes) == 2
    refused = [one for one in outcomes if isinstance(one, CotaAtingida)]
    assert len(refused) == 4
    assert "3 das 3 pessoas: nada mais cabe" in refused[0].mensagem
    assert "Tire o acesso de quem não trabalha mais aqui" in refused[0].mensagem


async def test_of_many_who_would_make_the_last_key_one_does(database: Database, scope: Scope) -> None:
    await give(database, scope, chaves=2)

    async def make() -> None:
        async with database.unit_of_work(scope) as uow:
            await create_chave(uow, _NOW, "teste", ["politicas:ler"], _NOW + timedelta(days=1))

    outcomes = await asyncio.gather(*(make() for _ in range(5)), return_exceptions=True)
    assert [type(one) for one in outcomes if one is not None] == [CotaAtingida] * 3


async def test_patients_are_no_seats_and_whoever_comes_back_or_changes_to_a_seat_needs_one(database: Database, scope: Scope) -> None:
    await give(database, scope, pessoas=1)
    ana, paciente = await person(database, scope), await person(database, scope, "paciente")
    async with database.unit_of_work(scope) as uow:
        await deactivate_usuario(uow, _NOW, ana)
    await person(database, scope)
    with pytest.raises(CotaAtingida):
        async with database.unit_of_work(scope) as uow:
            await reactivate_usuario(uow, _NOW, Usuario(ana.id, ana.papel, _NOW, _NOW, ana.nome, ana.email))
    with pytest.raises(CotaAtingida):
        async with database.unit_of_work(scope) as uow:
            await set_papel(uow, _NOW, paciente, "gestor")


async def test_without_a_quota_or_with_another_organisation_s_nothing_is_refused(
    database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    await give(database, new_tenant(), pessoas=0)
    await give(database, scope, chaves=0)
    ana = await person(database, scope)
    async with database.unit_of_work(scope) as uow:
        kept = await uow.connection.exec_driver_sql("select id from usuarios where tenant_id = %s", (scope.tenant_id,))
        assert [row.id for row in kept] == [ana.id]


async def test_quotas_below_what_is_used_are_taken_told_and_take_nothing_away(
    database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    casa = new_tenant()
    casas = Organizacoes(database, FixedClock(_NOW), Uuid7(SystemClock()).new, casa.tenant_id)
    for _ in range(3):
        await person(database, scope)
    uso = (await casas.definir_cotas(casa, scope.tenant_id, {"pessoas": Decimal(2)}, "Plano menor"))[0].uso("pessoas")
    assert (uso.usado, uso.limite, uso.cheia, uso.propria) == (Decimal(3), Decimal(2), True, True)
    with pytest.raises(CotaAtingida, match="3 das 2 pessoas: nada mais cabe"):
        await person(database, scope)
    await casas.definir_cotas(casa, scope.tenant_id, {}, "Sem plano")
    await person(database, scope)
    async with database.unit_of_work(scope) as uow:
        assert await own_cotas(uow) == {}


async def test_a_month_of_models_is_held_to_the_organisation_s_own_quota_before_that_of_all(
    database: Database, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    orcamento, other = Orcamento(FixedClock(_NOW), Decimal(5)), new_tenant()
    await give(database, scope, custo_mes=1)
    async with held(orcamento, database, other, Decimal(4)):
        pass
    with pytest.raises(ModeloIndisponivel):
        async with held(orcamento, database, scope, Decimal(4)):
            pass
    await give(database, other, custo_mes=50)
    async with held(orcamento, database, other, Decimal(40)):
        pass
    with pytest.raises(ModeloIndisponivel):
        async with held(Orcamento(FixedClock(_NOW), None), database, scope, Decimal(4)):
            pass


@pytest.mark.parametrize(
    ("nome", "text", "value"),
    [
        ("projetos", "1000", 1000),
        ("projetos", " 1.000 ", 1000),
        ("projetos", "0", 0),
        ("projetos", "", None),
        ("custo_mes", "12,50", Decimal("12.50")),
        ("custo_mes", "12.5", Decimal("12.50")),
        ("custo_mes", "1.234,50", Decimal("1234.50")),
        ("custo_mes", "0", 0),
    ],
)
def test_a_quota_is_read_as_people_write_it(nome: Nome, text: str, value: Decimal | None) -> None:
    assert read_cota(POR_NOME[nome], text) == value


@pytest.mark.parametrize("text", ["-1", "1,5", "1.5", "mil", "1e9", "NaN", "∞", "9" * 17, "1.00", "+3", "٣"])
@pytest.mark.parametrize("nome", ["projetos", "bytes_documentos"])
def test_what_is_no_quota_is_refused_with_what_would_be_right(nome: Nome, text: str) -> None:
    with pytest.raises(CotaInvalida, match="número inteiro, a partir de 0") as refused:
        read_cota(POR_NOME[nome], text)
    assert refused.value.campo == nome


@given(st.text(max_size=12))
def test_whatever_is_written_is_a_quota_or_refused(text: str) -> None:
    for cota in COTAS:
        try:
            value = read_cota(cota, text)
        except CotaInvalida:
            continue
        assert value is None or (value >= 0 and value.is_finite())


def test_when_a_quota_is_whole_again_is_told_by_the_clock_of_brasilia() -> None:
    """Midnight in Brasília is 3 o'clock in UTC."""
    assert seconds_to_renew("dia", datetime(2026, 11, 21, 2, 59, 59, tzinfo=UTC)) == 1
    assert seconds_to_renew("dia", datetime(2026, 11, 21, 3, 0, tzinfo=UTC)) == 86_400
    assert seconds_to_renew("mes", datetime(2026, 12, 31, 12, 0, tzinfo=UTC)) == 15 * 3600
    assert seconds_to_renew("minuto", _NOW) == 60


def test_a_refusal_says_what_is_used_how_much_fits_and_whom_to_ask() -> None:
    told = refusal(POR_NOME["projetos"], Decimal(90), Decimal(100), 30)
    assert told.startswith("Sua organização usa 90 dos 100 projetos: só cabem mais 10, e aqui vêm 30.")
    assert told.endswith("fale com quem cuida desta instalação.")


@pytest.mark.parametrize(
    ("usado", "quase", "cheia"), [(79, False, False), (80, True, False), (99, True, False), (100, True, True), (130, True, True)]
)
def test_four_fifths_and_the_end_are_told(usado: int, quase: bool, cheia: bool) -> None:
    uso = Uso(POR_NOME["projetos"], Decimal(usado), Decimal(100), propria=True)
    assert (uso.quase, uso.cheia) == (quase, cheia)


def test_a_quota_of_nothing_is_full_and_one_without_a_limit_never() -> None:
    assert Uso(POR_NOME["projetos"], Decimal(0), Decimal(0), propria=True).cheia
    assert not Uso(POR_NOME["projetos"], Decimal(10**9), None, propria=False).quase


def test_an_organisation_s_own_quota_goes_before_the_installation_s() -> None:
    usos = {one.cota.codigo: one for one in usos_of({}, {"custo_mes": Decimal(9)}, {"custo_mes": Decimal(5), "conversas": Decimal(7)})}
    assert (usos["custo_mes"].limite, usos["custo_mes"].propria) == (Decimal(9), True)
    assert (usos["conversas"].limite, usos["conversas"].propria) == (Decimal(7), False)


def test_values_are_said_as_people_read_them() -> None:
    assert said(POR_NOME["bytes_documentos"], Decimal(1_500_000)) == "1,5 MB"
    assert said(POR_NOME["bytes_documentos"], Decimal(999)) == "999 B"
    assert said(POR_NOME["custo_mes"], Decimal("1234.5")) == "US$ 1.234,50"
    assert said(POR_NOME["projetos"], Decimal(1_000_000)) == "1.000.000"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("10 MB", 10**7),
        ("10MB", 10**7),
        ("1,5 GB", 1_500_000_000),
        ("1.5 gb", 1_500_000_000),
        ("1.000 kB", 10**6),
        ("2 TB", 2 * 10**12),
        ("0 B", 0),
        ("7", 7),
        ("1.000", 1000),
        (" 3  MB ", 3_000_000),
    ],
)
def test_a_size_is_read_as_people_write_it(written: str, value: int) -> None:
    assert read_cota(POR_NOME["bytes_documentos"], written) == value


@pytest.mark.parametrize("wrong", ["MB", "-1 MB", "10 XB", "1,5 B", "1,0005 kB", "10 MB 5", "mil MB", "999999999999 TB", "10 MiB", "1,5"])
def test_what_is_no_size_is_refused_with_what_would_be_one(wrong: str) -> None:
    with pytest.raises(CotaInvalida, match="um tamanho, como 10 MB"):
        read_cota(POR_NOME["bytes_documentos"], wrong)


@pytest.mark.parametrize("nome", [one.codigo for one in COTAS if one.unidade != "bytes"])
def test_a_size_is_no_other_quota(nome: Nome) -> None:
    with pytest.raises(CotaInvalida):
        read_cota(POR_NOME[nome], "10 MB")


@pytest.mark.parametrize(
    ("nome", "own", "told"),
    [
        ("conversas", {}, "750 em todos os servidores (de todas)"),
        ("conversas", {"conversas": Decimal(10)}, "10 em todos os servidores"),
        ("conversas", {"conversas": Decimal(2000)}, "750 em todos os servidores (de todas)"),
        ("pedidos_por_minuto", {}, "sem limite juntas; 6.000 para cada chave (de todas)"),
        ("pedidos_por_minuto", {"pedidos_por_minuto": Decimal(90)}, "90 juntas; 6.000 para cada chave (de todas)"),
        ("editais", {}, "sem limite"),
        ("editais", {"editais": Decimal(1)}, "1"),
        ("custo_mes", {}, "US$ 5,00 (de todas)"),
    ],
)
def test_a_limit_is_told_as_it_holds(nome: Nome, own: dict[Nome, Decimal], told: str) -> None:
    usos = usos_of({}, own, {"conversas": Decimal(750), "custo_mes": Decimal(5)}, Decimal(6000))
    assert limite_em_palavras(next(one for one in usos if one.cota.codigo == nome), " (de todas)") == told


def test_where_keys_have_no_limit_either_there_is_none() -> None:
    uso = next(one for one in usos_of({}, {}) if one.cota.codigo == "pedidos_por_minuto")
    assert limite_em_palavras(uso, "") == "sem limite"


def test_of_one_it_is_said_in_the_singular() -> None:
    told = [refusal(POR_NOME[nome], Decimal(1), Decimal(1)) for nome in ("editais", "projetos", "pessoas", "chaves", "decisoes_por_dia")]
    assert [one.removeprefix("Sua organização usa ").split(":")[0] for one in told] == [
        "1 de 1 edital",
        "1 de 1 projeto",
        "1 de 1 pessoa",
        "1 de 1 chave",
        "1 de 1 decisão de hoje",
    ]
    assert "só cabe mais 1, e aqui vêm 2" in refusal(POR_NOME["editais"], Decimal(2), Decimal(3), 2)
