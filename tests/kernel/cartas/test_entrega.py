"""A letter is there when its act is, goes to a real server once, and where it does not go somebody is told why."""

from __future__ import annotations

import asyncio
import email
import stat
from collections.abc import Callable
from datetime import UTC, datetime
from email.headerregistry import Address
from email.policy import default
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest

from crivo.kernel.cartas import Carta, CartaGuardada, Correio, storage
from crivo.kernel.cartas.acervo import AcervoDeCartas
from crivo.kernel.cartas.correio import ENTREGAR
from crivo.kernel.cartas.entrega import PAUSES_SECONDS, Entrega
from crivo.kernel.cartas.montagem import task_of
from crivo.kernel.cartas.saida import Envelope, Pasta, Saida
from crivo.kernel.cartas.servico import Cartas
from crivo.kernel.cartas.smtp import Servidor, Smtp, read_servidor
from crivo.kernel.clock import FixedClock
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.jobs.worker import Rhythm, Worker, working
from crivo.kernel.sigilo.pessoas import Pessoas
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from espera import takes, until

from .conftest import ServidorDeCartas

_NOW = datetime(2026, 11, 27, 12, 30, tzinfo=UTC)
_CLOCK = FixedClock(_NOW)
_DE = Address("Secretaria de Cultura", "edital", "cultura.exemplo.org")
_CARTA = Carta("maria@exemplo.org", "Falta uma certidão", "Olá, Maria.\nFalta a certidão negativa.")
_RHYTHM = Rhythm(heartbeat=0.5, stalled=4.0, rescue=0.2, poll=0.2, grace=1.0, pause=0.1)


@pytest.fixture
def fila(urls: tuple[str, str]) -> Fila:
    with psycopg.connect(libpq_url(urls[0]), autocommit=True) as connection:
        connection.execute("truncate procrastinate_jobs, procrastinate_workers cascade")
    return Fila()


def _entrega(database: Database, fila: Fila, saida: Saida) -> Entrega:
    return Entrega(database, fila, _CLOCK, saida, _DE)


def _smtp(servidor: ServidorDeCartas, step_seconds: float = 5.0) -> Smtp:
    return Smtp(Servidor("127.0.0.1", servidor.porta, "nenhuma"), step_seconds)


async def _post(database: Database, fila: Fila, scope: Scope, carta: Carta = _CARTA, chave: str = "teste:1") -> UUID:
    async with database.unit_of_work(scope) as uow:
        return await Correio(fila, uuid4).post(uow, carta, _NOW, chave=chave)


async def _found(database: Database, scope: Scope, carta_id: UUID) -> CartaGuardada:
    async with database.unit_of_work(scope) as uow:
        found = await storage.find(uow, carta_id)
    assert found is not None
    return found


def _waiting(urls: tuple[str, str]) -> list[tuple[str, float]]:
    """The jobs that wait, each with the seconds until it may be begun."""
    with psycopg.connect(libpq_url(urls[0])) as connection:
        rows = connection.execute(
            "select task_name, coalesce(extract(epoch from scheduled_at - now()), 0)::float from procrastinate_jobs where status = 'todo' order by id"
        ).fetchall()
    return [(name, seconds) for name, seconds in rows]


async def test_a_letter_goes_to_the_server_in_the_words_it_was_posted_in(
    database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas
) -> None:
    carta_id = await _post(database, fila, scope)
    assert await _entrega(database, fila, _smtp(servidor)).deliver(scope, carta_id) == "enviada"
    (made,) = servidor.recebidas
    assert (made["To"], made["Subject"], made["From"]) == (
        _CARTA.para,
        _CARTA.assunto,
        "Secretaria de Cultura <edital@cultura.exemplo.org>",
    )
    assert made.get_content().replace("\r\n", "\n").strip() == _CARTA.texto
    assert servidor.destinatarios == [[_CARTA.para]]
    found = await _found(database, scope, carta_id)
    assert (found.situacao, found.via, found.enviada_em, found.tentativas, found.carta) == ("enviada", "smtp", _NOW, 1, _CARTA)


async def test_a_letter_whose_act_came_to_nothing_was_never_posted(
    database: Database, fila: Fila, scope: Scope, urls: tuple[str, str]
) -> None:
    async def act() -> None:
        async with database.unit_of_work(scope) as uow:
            await Correio(fila, uuid4).post(uow, _CARTA, _NOW, chave="teste:1")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await act()
    async with database.unit_of_work(scope) as uow:
        assert await storage.count(uow) == {}
    assert _waiting(urls) == []


async def test_the_same_letter_posted_twice_goes_once(
    database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas, urls: tuple[str, str]
) -> None:
    assert await _post(database, fila, scope) == await _post(database, fila, scope)
    assert [name for name, _ in _waiting(urls)] == [ENTREGAR]
    carta_id = await _post(database, fila, scope)
    entrega = _entrega(database, fila, _smtp(servidor))
    assert [await entrega.deliver(scope, carta_id) for _ in range(3)] == ["enviada", "nada", "nada"]
    assert len(servidor.recebidas) == 1


async def test_neither_address_nor_words_stand_in_the_table_or_the_queue(
    database: Database, fila: Fila, scope: Scope, urls: tuple[str, str]
) -> None:
    await _post(database, fila, scope)
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        rows = connection.execute("select c::text from cartas c union all select j::text from procrastinate_jobs j").fetchall()
    stored = "\n".join(row[0] for row in rows)
    raw = b"".join(bytes.fromhex(part) for part in stored.split("\\\\x")[1:2] if part.isalnum())
    for said in ("maria", "exemplo.org", "certid", "Falta"):
        assert said not in stored
        assert said.encode() not in raw


async def test_another_tenant_sees_no_letter(
    database: Database, fila: Fila, scope: Scope, new_tenant: Callable[[], Scope], servidor: ServidorDeCartas
) -> None:
    carta_id, other = await _post(database, fila, scope), new_tenant()
    entrega = _entrega(database, fila, _smtp(servidor))
    cartas = Cartas(database, fila, _CLOCK, entrega)
    assert await entrega.deliver(other, carta_id) == "nada"
    assert (await cartas.listar(other)).linhas == ()
    assert servidor.recebidas == []
    assert (await _found(database, scope, carta_id)).situacao == "na_fila"


async def test_an_addressee_that_the_server_does_not_know_is_given_up_at_once_with_the_reason(
    database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas, urls: tuple[str, str]
) -> None:
    async def unknown() -> str:
        return "550 5.1.1 maria@exemplo.org: no such user here"

    servidor.ao_destinatario = unknown
    carta_id = await _post(database, fila, scope)
    assert await _entrega(database, fila, _smtp(servidor)).deliver(scope, carta_id) == "falhou"
    found = await _found(database, scope, carta_id)
    assert (found.situacao, found.falha, found.resposta) == ("falhou", "destinatario_recusado", 550)
    assert len(_waiting(urls)) == 1  # the job it was posted with, and no other


async def test_a_letter_that_the_server_will_not_have_is_given_up(
    database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas
) -> None:
    async def refused() -> str:
        return "554 5.7.1 no"

    servidor.a_mensagem = refused
    carta_id = await _post(database, fila, scope)
    assert await _entrega(database, fila, _smtp(servidor)).deliver(scope, carta_id) == "falhou"
    assert (await _found(database, scope, carta_id)).falha == "mensagem_recusada"


async def test_a_busy_server_is_tried_again_after_longer_and_longer_pauses_and_then_given_up(
    database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas, urls: tuple[str, str]
) -> None:
    async def busy() -> str:
        return "451 4.3.0 later"

    servidor.a_mensagem = busy
    carta_id = await _post(database, fila, scope)
    entrega = _entrega(database, fila, _smtp(servidor))
    done = [await entrega.deliver(scope, carta_id) for _ in range(len(PAUSES_SECONDS) + 2)]
    assert done == ["adiada"] * len(PAUSES_SECONDS) + ["falhou", "nada"]
    assert [seconds for _, seconds in _waiting(urls)[1:]] == pytest.approx(PAUSES_SECONDS, abs=30)
    found = await _found(database, scope, carta_id)
    assert (found.falha, found.resposta, found.tentativas) == ("servidor_ocupado", 451, len(PAUSES_SECONDS) + 1)


async def test_a_server_that_is_down_is_waited_for(database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas) -> None:
    carta_id = await _post(database, fila, scope)
    down = Smtp(Servidor("127.0.0.1", 1, "nenhuma"))
    assert await _entrega(database, fila, down).deliver(scope, carta_id) == "adiada"
    assert (await _found(database, scope, carta_id)).falha == "sem_conexao"
    assert await _entrega(database, fila, _smtp(servidor)).deliver(scope, carta_id) == "enviada"
    found = await _found(database, scope, carta_id)
    assert (found.falha, len(servidor.recebidas)) == (None, 1)


async def test_a_server_that_does_not_answer_is_hung_up_on(
    database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas
) -> None:
    async def never() -> str:
        await servidor.sem_resposta.wait()
        return "250 OK"

    servidor.ao_destinatario = never
    carta_id = await _post(database, fila, scope)
    assert await _entrega(database, fila, _smtp(servidor, step_seconds=0.2)).deliver(scope, carta_id) == "adiada"
    assert (await _found(database, scope, carta_id)).falha == "demorou"


async def test_no_letter_goes_in_the_clear_to_a_server_that_was_to_encrypt(
    database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas
) -> None:
    carta_id = await _post(database, fila, scope)
    plain = Smtp(Servidor("127.0.0.1", servidor.porta, "starttls"))
    assert await _entrega(database, fila, plain).deliver(scope, carta_id) == "adiada"
    assert ((await _found(database, scope, carta_id)).falha, servidor.recebidas) == ("sem_cifra", [])


class _Killed(BaseException):
    """What a process that is killed does not survive."""


async def test_killed_before_the_server_took_it_a_letter_goes_once_its_lease_has_passed(
    database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas, urls: tuple[str, str]
) -> None:
    class Dying:
        via = "smtp"

        async def send(self, envelope: Envelope) -> None:
            raise _Killed

    carta_id = await _post(database, fila, scope)
    with pytest.raises(_Killed):
        await _entrega(database, fila, Dying()).deliver(scope, carta_id)  # type: ignore[arg-type]
    entrega = _entrega(database, fila, _smtp(servidor))
    assert await entrega.deliver(scope, carta_id) == "nada"  # it may be on its way still
    assert _waiting(urls)[-1][1] == pytest.approx(storage.LEASE_SECONDS, abs=30)
    _let_the_lease_pass(urls, scope)
    assert await entrega.deliver(scope, carta_id) == "enviada"
    assert len(servidor.recebidas) == 1


async def test_killed_after_the_server_took_it_a_letter_goes_again_and_can_be_told_for_the_same(
    database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas, urls: tuple[str, str]
) -> None:
    class DyingLate(Smtp):
        async def send(self, envelope: Envelope) -> None:
            await super().send(envelope)
            raise _Killed

    carta_id = await _post(database, fila, scope)
    with pytest.raises(_Killed):
        await _entrega(database, fila, DyingLate(Servidor("127.0.0.1", servidor.porta, "nenhuma"))).deliver(scope, carta_id)
    _let_the_lease_pass(urls, scope)
    assert await _entrega(database, fila, _smtp(servidor)).deliver(scope, carta_id) == "enviada"
    assert len(servidor.recebidas) == 2
    assert len({made["Message-ID"] for made in servidor.recebidas}) == 1


async def test_two_workers_at_one_letter_send_it_once(database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas) -> None:
    async def slowly() -> str:
        await takes(0.2)
        return "250 OK"

    servidor.a_mensagem = slowly
    carta_id = await _post(database, fila, scope)
    entrega = _entrega(database, fila, _smtp(servidor))
    assert sorted(await asyncio.gather(*(entrega.deliver(scope, carta_id) for _ in range(4)))) == ["enviada", "nada", "nada", "nada"]
    assert len(servidor.recebidas) == 1


async def test_a_worker_delivers_what_was_posted(database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas) -> None:
    carta_id = await _post(database, fila, scope)
    entrega = _entrega(database, fila, _smtp(servidor))
    async with working(Worker(database, [task_of(entrega)], concurrency=1, rhythm=_RHYTHM)):
        await until(lambda: bool(servidor.recebidas))
    assert (await _found(database, scope, carta_id)).situacao == "enviada"
    assert len(servidor.recebidas) == 1


async def test_a_job_that_never_ends_leaves_a_letter_that_is_shown_as_failed(
    database: Database, fila: Fila, scope: Scope, tmp_path: Path
) -> None:
    carta_id = await _post(database, fila, scope)
    await _entrega(database, fila, Pasta(tmp_path)).give_up(scope, {"carta": str(carta_id)}, None)
    assert (await _found(database, scope, carta_id)).falha == "interrompida"


async def test_without_a_server_a_letter_is_a_file_that_its_owner_alone_reads(
    database: Database, fila: Fila, scope: Scope, tmp_path: Path
) -> None:
    carta_id, pasta = await _post(database, fila, scope), Pasta(tmp_path)
    assert await _entrega(database, fila, pasta).deliver(scope, carta_id) == "enviada"
    path = pasta.path_of(scope.tenant_id, carta_id)
    assert path == tmp_path / "cartas" / scope.tenant_id / f"{carta_id}.eml"
    made = email.message_from_bytes(path.read_bytes(), policy=default)
    assert (made["To"], made["Subject"]) == (_CARTA.para, _CARTA.assunto)
    assert [stat.S_IMODE(one.stat().st_mode) for one in (path, path.parent, path.parent.parent)] == [0o600, 0o700, 0o700]
    assert (await _found(database, scope, carta_id)).via == "arquivo"
    assert sorted(one.name for one in path.parent.iterdir()) == [path.name]


async def test_a_folder_that_takes_nothing_is_waited_for(database: Database, fila: Fila, scope: Scope, tmp_path: Path) -> None:
    (tmp_path / "cartas").write_text("no folder")
    carta_id = await _post(database, fila, scope)
    assert await _entrega(database, fila, Pasta(tmp_path)).deliver(scope, carta_id) == "adiada"
    assert (await _found(database, scope, carta_id)).falha == "pasta_fechada"


async def test_erasing_a_person_erases_their_letters_and_files_and_stops_those_that_wait(
    database: Database, fila: Fila, scope: Scope, tmp_path: Path
) -> None:
    pasta = Pasta(tmp_path)
    entrega = _entrega(database, fila, pasta)
    went, waits = await _post(database, fila, scope), await _post(database, fila, scope, chave="teste:2")
    hers = await _post(database, fila, scope, Carta("outra@exemplo.org", "Olá", "Olá."), chave="teste:3")
    await entrega.deliver(scope, went)
    pessoas = Pessoas(database, _CLOCK, (AcervoDeCartas(pasta),))
    told = await pessoas.exportar(scope, "maria@exemplo.org")
    assert [one["assunto"] for one in told["dados"]["cartas"]] == [_CARTA.assunto, _CARTA.assunto]
    done = await pessoas.apagar(scope, "maria@exemplo.org", "Pedido 7")
    assert done.apagados == {"cartas": 2}
    assert not pasta.path_of(scope.tenant_id, went).exists()
    assert [await entrega.deliver(scope, one) for one in (went, waits, hers)] == ["nada", "nada", "enviada"]
    assert [(await _found(database, scope, one)).situacao for one in (went, waits)] == ["enviada", "cancelada"]
    assert (await _found(database, scope, went)).carta is None


async def test_a_letter_that_is_retired_does_not_go(database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas) -> None:
    carta_id = await _post(database, fila, scope)
    async with database.unit_of_work(scope) as uow:
        assert await Correio(fila, uuid4).retire(uow, "teste:1") == 1
    assert await _entrega(database, fila, _smtp(servidor)).deliver(scope, carta_id) == "nada"
    assert servidor.recebidas == []


async def test_whoever_runs_the_machine_has_everything_tried_now(
    database: Database, fila: Fila, scope: Scope, servidor: ServidorDeCartas
) -> None:
    for number in range(3):
        await _post(database, fila, scope, chave=f"teste:{number}")
    cartas = Cartas(database, fila, _CLOCK, _entrega(database, fila, _smtp(servidor)))
    assert await cartas.entregar_agora(scope) == {"enviada": 3}
    assert await cartas.entregar_agora(scope) == {}


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("smtp://correio.interno", Servidor("correio.interno", 25, "nenhuma")),
        ("smtp+starttls://u%40x:se%2Fnha@correio.exemplo.org:2587", Servidor("correio.exemplo.org", 2587, "starttls", "u@x", "se/nha")),
        ("smtps://u:s@correio.exemplo.org", Servidor("correio.exemplo.org", 465, "tls", "u", "s")),
        ("smtp://u:s@127.0.0.1:1025", Servidor("127.0.0.1", 1025, "nenhuma", "u", "s")),
    ],
)
def test_a_server_is_named_by_an_address(url: str, read: Servidor) -> None:
    assert read_servidor(url) == read


@pytest.mark.parametrize(
    "url",
    [
        "correio.exemplo.org", "http://correio.exemplo.org", "smtp://", "smtp://u:segredo@correio.exemplo.org", "smtps://u@correio.exemplo.org",
        "smtp://correio.exemplo.org/caixa", "smtp://correio.exemplo.org:99999", "smtp://correio.exemplo.org?x=1",
    ],
)  # fmt: skip
def test_what_names_no_server_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as told:
        read_servidor(url)
    assert "segredo" not in str(told.value)


def test_a_server_shows_its_password_to_nobody() -> None:
    assert "segredo" not in repr(read_servidor("smtps://u:segredo@correio.exemplo.org"))


def _let_the_lease_pass(urls: tuple[str, str], scope: Scope) -> None:
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        connection.execute("update cartas set tomada_em = tomada_em - interval '1 hour'")
