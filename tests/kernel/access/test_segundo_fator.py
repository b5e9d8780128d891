"""A code of the app works once, in its time; a recovery code once; and nobody guesses either. Source: design/sujeito.md, second factor."""

from __future__ import annotations

import asyncio
import inspect
import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import text

from crivo.kernel.access import (
    CodigoErrado,
    SegundosFatores,
    SessaoEncerrada,
    Sessoes,
    Tentativas,
    TentativasDemais,
    Usuario,
    count_recovery_codes,
    create_usuario,
    falta_of,
    has_segundo_fator,
    list_avisos,
    remove_segundo_fator,
    set_senha,
)
from crivo.kernel.access.codigos import code_at, digest_of_recovery, find_step, new_recovery_codes, new_secret, step_of
from crivo.kernel.clock import FixedClock
from crivo.kernel.sigilo import DadosViolados
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope

_NOW = datetime(2026, 3, 10, 12, 0, tzinfo=UTC)
_RFC = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"  # RFC 6238's own secret, "12345678901234567890", in base32


@pytest.fixture
async def ana(database: Database, scope: Scope) -> Usuario:
    async with database.unit_of_work(scope) as uow:
        return await create_usuario(uow, _NOW, uuid4(), "Ana Tereza", "ana.tereza@exemplo.org", "admin")


class _Ana:
    """A person with an app, at moments of the test's choosing."""

    def __init__(self, database: Database, scope: Scope, usuario: Usuario) -> None:
        self.database, self.usuario = database, usuario
        self.scope = Scope(scope.tenant_id, usuario.ator)
        self.segredo = ""

    async def session(self) -> str:
        return (await Sessoes(self.database, FixedClock(_NOW)).open(self.scope)).id

    def at(self, elapsed: timedelta = timedelta(0)) -> SegundosFatores:
        return SegundosFatores(self.database, FixedClock(_NOW + elapsed))

    def code(self, elapsed: timedelta = timedelta(0)) -> str:
        return code_at(self.segredo, step_of(_NOW + elapsed))

    async def turn_on(self) -> Sequence[str]:
        session = await self.session()
        self.segredo = (await self.at().begin(self.scope, self.usuario, session)).segredo
        return await self.at().turn_on(self.scope, self.usuario, session, self.code())

    async def takes(self, said: str, elapsed: timedelta = timedelta(0)) -> bool:
        try:
            await self.at(elapsed).check(self.scope, self.usuario, said)
        except CodigoErrado:
            return False
        return True


@pytest.fixture
def dela(database: Database, scope: Scope, ana: Usuario) -> _Ana:
    return _Ana(database, scope, ana)


@pytest.mark.parametrize(("seconds", "code"), [(59, "287082"), (1111111109, "081804"), (1234567890, "005924"), (20000000000, "353130")])
def test_codes_are_those_of_the_standard(seconds: int, code: str) -> None:
    """Source: RFC 6238, appendix B, last six digits."""
    moment = datetime.fromtimestamp(seconds, UTC)
    assert find_step(_RFC, code, moment, -1) == seconds // 30


@pytest.mark.parametrize("said", ["", "12345", "1234567", "१२३४५६", "abcdef", "287 082 1"])
def test_what_is_no_code_is_none(said: str) -> None:
    assert find_step(_RFC, said, datetime.fromtimestamp(59, UTC), -1) is None


def test_a_code_is_good_for_its_step_and_one_on_either_side_and_never_after_a_later_one() -> None:
    step = step_of(_NOW)
    found = [find_step(_RFC, code_at(_RFC, step + at), _NOW, -1) is not None for at in (-2, -1, 0, 1, 2)]
    assert found == [False, True, True, True, False]
    assert find_step(_RFC, code_at(_RFC, step), _NOW, step) is None
    assert find_step(_RFC, code_at(_RFC, step), _NOW, step + 1) is None


def test_recovery_codes_are_read_however_they_are_spaced() -> None:
    one = new_recovery_codes(lambda n: bytes(range(n)))[0]
    assert digest_of_recovery(one) == digest_of_recovery(f" {one.lower().replace('-', ' ')} ")
    assert digest_of_recovery(one[:-1]) is digest_of_recovery("") is None
    assert len(new_secret(bytes)) == 32


def test_a_recovery_code_has_bits_enough_to_be_kept_as_a_plain_digest() -> None:
    """Source: ASVS 5.0.0, 6.5.2: 112 bits; one letter of base32 is 5."""
    asked: list[int] = []

    def chance(count: int) -> bytes:
        asked.append(count)
        return bytes([len(asked)] * count)

    codes = new_recovery_codes(chance)
    assert min(asked) * 8 >= 112
    assert len(set(codes)) == len(asked) == 10
    assert all(len(re.findall("[A-Z2-7]", code)) * 5 >= 112 for code in codes)
    assert digest_of_recovery(codes[0][:19]) is None, "a code of 80 bits, as they once were"


def test_secrets_and_codes_come_of_the_system_s_own_chance() -> None:
    """Source: ASVS 5.0.0, 6.5.3."""
    assert inspect.signature(SegundosFatores).parameters["random_bytes"].default is secrets.token_bytes


@pytest.mark.parametrize(
    ("exigencia", "papel", "ligado", "falta"),
    [
        ("administra", "admin", False, "inscricao"),
        ("administra", "super_admin", True, "codigo"),
        ("administra", "revisor", False, None),
        ("administra", "revisor", True, "codigo"),
        ("todos", "paciente", False, "inscricao"),
        ("ninguem", "super_admin", False, None),
        ("ninguem", "super_admin", True, "codigo"),
    ],
)
def test_who_has_one_is_asked_and_who_must_makes_one(exigencia: str, papel: str, *, ligado: bool, falta: str | None) -> None:
    assert falta_of(exigencia, papel, ligado=ligado) == falta  # type: ignore[arg-type]


async def test_a_code_works_once_and_a_clock_set_back_gives_it_no_second_life(dela: _Ana) -> None:
    await dela.turn_on()
    assert not await dela.takes(dela.code()), "the code that turned it on"
    later = timedelta(minutes=10)
    assert await dela.takes(dela.code(later), later)
    assert not await dela.takes(dela.code(later), later)
    for back in (timedelta(0), timedelta(minutes=9, seconds=30), -timedelta(days=1)):
        assert not await dela.takes(dela.code(back), back)
    assert await dela.takes(dela.code(timedelta(minutes=11)), timedelta(minutes=11))


async def test_of_many_who_give_one_code_at_once_one_gets_in(dela: _Ana) -> None:
    await dela.turn_on()
    later = timedelta(minutes=1)
    assert sum(await asyncio.gather(*(dela.takes(dela.code(later), later) for _ in range(6)))) == 1


async def test_a_recovery_code_works_once_and_new_ones_end_the_old(dela: _Ana, database: Database) -> None:
    first = await dela.turn_on()
    assert (len(set(first)), await dela.takes(first[3].lower()), await dela.takes(first[3])) == (10, True, False)
    async with database.unit_of_work(dela.scope) as uow:
        assert await count_recovery_codes(uow, dela.usuario.id) == 9
    fresh = await dela.at().renew_codes(dela.scope, dela.usuario, first[0])
    assert [await dela.takes(first[1]), await dela.takes(fresh[1])] == [False, True]


async def test_the_database_holds_neither_the_secret_nor_a_code_and_each_step_is_in_the_audit(dela: _Ana, database: Database) -> None:
    codes = await dela.turn_on()
    await dela.takes("000000")
    await dela.takes(codes[0])
    async with database.unit_of_work(dela.scope) as uow:
        kept = "".join((await uow.connection.execute(text("select s::text from segundos_fatores s"))).scalars())
        kept += "".join((await uow.connection.execute(text("select s::text from sessoes s"))).scalars())
        kept += "".join((await uow.connection.execute(text("select c::text from codigos_de_recuperacao c"))).scalars())
        steps = (await uow.connection.execute(text("select acao from auditoria order by seq"))).scalars().all()
        trail = "".join((await uow.connection.execute(text("select a::text from auditoria a"))).scalars())
    for secret in (dela.segredo, dela.segredo.encode().hex(), *codes, *(one.replace("-", "") for one in codes)):
        assert secret not in kept + trail
    assert steps[-3:] == ["segundo_fator_ligado", "segundo_fator_recusado", "codigo_de_recuperacao_usado"]


async def test_a_secret_that_was_moved_to_somebody_else_opens_nothing(
    dela: _Ana, database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    await dela.turn_on()
    async with database.unit_of_work(scope) as uow:
        bia = await create_usuario(uow, _NOW, uuid4(), "Bia", "bia@exemplo.org", "admin")
    with psycopg.connect(libpq_url(urls[0])) as owner:
        owner.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        owner.execute("update segundos_fatores set usuario_id = %s where usuario_id = %s", (bia.id, dela.usuario.id))
    with pytest.raises(DadosViolados):
        await dela.at().check(Scope(scope.tenant_id, bia.ator), bia, dela.code())


async def test_whoever_lost_the_app_makes_another_and_is_told_who_took_the_first_off(dela: _Ana, database: Database, scope: Scope) -> None:
    codes = await dela.turn_on()
    async with database.unit_of_work(scope) as uow:
        assert await remove_segundo_fator(uow, _NOW, dela.usuario)
        assert not await remove_segundo_fator(uow, _NOW, dela.usuario)
        assert not await has_segundo_fator(uow, dela.usuario.id)
        assert [one.acao for one in await list_avisos(uow, dela.usuario.id)] == ["segundo_fator_tirado", "segundo_fator_ligado"]
    assert not await dela.takes(codes[0])
    before = dela.segredo
    await dela.turn_on()
    assert dela.segredo != before


async def test_each_session_that_enrols_has_a_secret_of_its_own_and_only_its_own_turns_it_on(dela: _Ana) -> None:
    first, second = await dela.session(), await dela.session()
    seen = (await dela.at().begin(dela.scope, dela.usuario, first)).segredo
    dela.segredo = (await dela.at().begin(dela.scope, dela.usuario, second)).segredo
    assert (dela.segredo != seen, (await dela.at().begin(dela.scope, dela.usuario, second)).segredo) == (True, dela.segredo)
    with pytest.raises(CodigoErrado):
        await dela.at().turn_on(dela.scope, dela.usuario, first, dela.code())
    await dela.at().turn_on(dela.scope, dela.usuario, second, dela.code())
    later = timedelta(minutes=2)
    assert not await dela.takes(code_at(seen, step_of(_NOW + later)), later)
    with pytest.raises(CodigoErrado):
        await dela.at().turn_on(dela.scope, dela.usuario, first, code_at(seen, step_of(_NOW)))


@pytest.mark.parametrize("by", ["senha", "link", "sair"])
async def test_a_secret_that_was_seen_before_a_new_password_a_new_link_or_the_session_s_end_turns_nothing_on(
    dela: _Ana, database: Database, scope: Scope, by: str
) -> None:
    sessoes, session = Sessoes(database, FixedClock(_NOW)), await dela.session()
    dela.segredo = (await dela.at().begin(dela.scope, dela.usuario, session)).segredo
    match by:
        case "senha":
            await set_senha(database, dela.scope, _NOW, dela.usuario, "azul de metileno 7")
        case "link":
            await sessoes.create_link(scope, dela.usuario.ator, "convite")
        case _:
            await sessoes.end(session)
    with pytest.raises((CodigoErrado, SessaoEncerrada)):
        await dela.at().turn_on(dela.scope, dela.usuario, session, dela.code())
    again = await dela.session()
    assert (await dela.at().begin(dela.scope, dela.usuario, again)).segredo != dela.segredo


async def test_to_begin_an_enrolment_is_in_the_audit_and_to_finish_one_is_told_to_the_person(dela: _Ana, database: Database) -> None:
    await dela.turn_on()
    async with database.unit_of_work(dela.scope) as uow:
        steps = (await uow.connection.execute(text("select acao from auditoria order by seq"))).scalars().all()
        assert steps[-2:] == ["inscricao_comecada", "segundo_fator_ligado"]
        assert [(one.acao, one.lido) for one in await list_avisos(uow, dela.usuario.id)] == [("segundo_fator_ligado", False)]


async def test_however_often_a_code_is_guessed_ten_guesses_are_tried(dela: _Ana, database: Database, scope: Scope) -> None:
    """Source: issue 11, bad input: in five minutes, of 1,000 from any number of addresses, and five from any one of them."""
    tentativas, admitted = Tentativas(database), []
    for at in range(1_000):
        try:
            await tentativas.code(scope.tenant_id, dela.usuario.ator, f"203.0.{at // 20}.9")
        except TentativasDemais:
            continue
        admitted.append(at)
    assert admitted == [0, 1, 2, 3, 4, 20, 21, 22, 23, 24]
