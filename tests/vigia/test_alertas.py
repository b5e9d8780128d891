"""Each alert that calls somebody is raised by what it is about, and by nothing where all is well."""

from __future__ import annotations

import shutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import yaml
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import Metric
from prometheus_client.registry import Collector

from casa_avaliada import chamada
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.orquestrador.chama.breaker import Breaker
from crivo.clinicas.recepcao import Espera
from crivo.clinicas.registro import REGISTRO_PADRAO
from crivo.clinicas.situacao import look
from crivo.kernel.clock import SystemClock, today
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.medidas import Valor
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.montagem import versoes
from crivo.triagem.service import Triagem
from crivo.vigia.coleta import Coleta, Grupo, families
from crivo.vigia.leituras import Banco, clinicas, disco, recepcao
from esperando import Guardado
from promql import holds, samples

NOW = SystemClock().now()
EXPR: Mapping[str, Any] = {
    rule["alert"]: rule["expr"]
    for group in yaml.safe_load((Path(__file__).parents[2] / "deploy/prometheus/alertas.yaml").read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
}


class _Told(Collector):
    def __init__(self, valores: Sequence[Valor]) -> None:
        self._valores = valores

    def collect(self) -> list[Metric]:
        return list(families(self._valores))


def raised(alerta: str, valores: Sequence[Valor]) -> list[dict[str, str]]:
    """What an alert would be raised for, over a scrape of these values, each by its labels."""
    registry = CollectorRegistry()
    registry.register(_Told(valores))
    return [dict(labels) for labels in holds(EXPR[alerta], samples(generate_latest(registry).decode()))]


@pytest.fixture
async def edital(database: Database, scope: Scope) -> None:
    """A call, of which recursos and diligências may be."""
    await Triagem(database, Fila(), SystemClock(), Uuid7(SystemClock()).new, lambda: versoes("local")).importar(scope, chamada(1, None))


async def test_a_queue_that_does_not_move_and_has_nobody_to_move_it(
    banco: Banco, fila: Fila, scope: Scope, database: Database, run_as_owner: Callable[[str], None]
) -> None:
    async with database.unit_of_work(scope) as uow:
        await fila.defer(uow, [Job("t", {"n": "1"}), Job("t", {"n": "2"})])
    assert raised("CrivoFilaParada", await banco.fila()) == []
    run_as_owner("update procrastinate_events set at = at - interval '6 minutes'")
    run_as_owner("update procrastinate_jobs set status = 'doing' where args ->> 'n' = '2'")
    valores = await banco.fila()
    assert raised("CrivoFilaParada", valores) == [{"fila": "crivo"}]
    assert raised("CrivoTrabalhosSemDono", valores) == [{}]
    assert raised("CrivoSemTrabalhador", valores) == [{}]
    run_as_owner("insert into procrastinate_workers default values")
    assert raised("CrivoSemTrabalhador", await banco.fila()) == []


async def test_a_clinic_that_does_not_answer(tmp_path: Path) -> None:
    clinica = next(iter(REGISTRO_PADRAO))
    breakers = {clinica.id: Breaker(lambda: 0.0)}
    valores = await clinicas(lambda: look([(clinica, ClinicFolder(tmp_path / "nada"))], breakers), lambda _: True)
    assert raised("CrivoClinicaForaDoAr", valores) == [{"clinica": clinica.id}]
    assert (
        raised("CrivoClinicaForaDoAr", await clinicas(lambda: look([(clinica, ClinicFolder(tmp_path))], breakers), lambda _: False)) == []
    )


@pytest.mark.parametrize(("livre", "quantos"), [(40, 0), (9, 1)])
async def test_a_disk_that_runs_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, livre: int, quantos: int) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(total=100, free=livre)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert len(raised("CrivoDiscoAcabando", disco(tmp_path / "por" / "fazer"))) == quantos


def _copied(em: datetime | None) -> Callable[[UnitOfWork], Awaitable[datetime | None]]:
    async def copiado_em(_: UnitOfWork) -> datetime | None:
        return em

    return copiado_em


async def test_a_backup_that_is_old_or_was_never_made(banco: Banco) -> None:
    never, old, fresh = [
        await replace(banco, copiado_em=_copied(em)).servidor() for em in (None, NOW - timedelta(hours=27), NOW - timedelta(hours=3))
    ]
    assert (raised("CrivoSemBackup", never), raised("CrivoBackupVelho", never)) == ([{}], [])
    assert (raised("CrivoSemBackup", old), raised("CrivoBackupVelho", old)) == ([], [{}])
    assert (raised("CrivoSemBackup", fresh), raised("CrivoBackupVelho", fresh)) == ([], [])
    assert raised("CrivoEsquemaDiferente", fresh) == []
    assert raised("CrivoConexoesNoFim", fresh) == []


async def test_a_deadline_that_passed(guardado: Guardado) -> None:
    hoje = today(SystemClock())
    await guardado.autorizacao(hoje, urgente=False)
    assert raised("CrivoPrazoVencido", (await guardado.pendencias()).valores(NOW, None)) == []
    await guardado.autorizacao(hoje - timedelta(days=30))
    assert raised("CrivoPrazoVencido", (await guardado.pendencias()).valores(NOW, None)) == [{"tipo": "autorizacoes"}]


async def test_a_pedido_that_is_due_today_and_one_beyond_every_calendar(guardado: Guardado) -> None:
    await guardado.autorizacao(today(SystemClock()), urgente=True)
    valores = (await guardado.pendencias()).valores(NOW, None)
    assert (raised("CrivoAutorizacoesVencemHoje", valores), raised("CrivoAutorizacoesSemPrazo", valores)) == ([{}], [])
    await guardado.autorizacao(date(2100, 12, 30))
    assert raised("CrivoAutorizacoesSemPrazo", (await guardado.pendencias()).valores(NOW, None)) == [{}]


async def test_a_letter_that_does_not_go_out_and_one_that_could_not_be_delivered(guardado: Guardado) -> None:
    await guardado.carta("falhou", NOW - timedelta(days=1))
    valores = (await guardado.pendencias()).valores(NOW, None)
    assert (raised("CrivoCartasNaoEntregues", valores), raised("CrivoCartasPresas", valores)) == ([{}], [])
    await guardado.carta("na_fila", NOW - timedelta(hours=2))
    assert raised("CrivoCartasPresas", (await guardado.pendencias()).valores(NOW, None)) == [{}]


async def test_a_decision_that_nobody_is_told_of_and_a_destination_that_was_turned_off(guardado: Guardado) -> None:
    await guardado.entrega(NOW - timedelta(hours=9), "pausado")
    valores = (await guardado.pendencias()).valores(NOW, None)
    assert (raised("CrivoEntregasPresas", valores), raised("CrivoEntregasDesligadas", valores)) == ([], [])
    await guardado.entrega(NOW - timedelta(hours=3), "desligado")
    valores = (await guardado.pendencias()).valores(NOW, None)
    assert (raised("CrivoEntregasPresas", valores), raised("CrivoEntregasDesligadas", valores)) == ([{}], [{}])


@pytest.mark.usefixtures("edital")
async def test_a_recurso_that_nobody_answers(guardado: Guardado) -> None:
    await guardado.recurso(*await guardado.projeto("P0001"), NOW - timedelta(days=6))
    assert raised("CrivoRecursosParados", (await guardado.pendencias()).valores(NOW, None)) == [{}]


def test_an_emergency_that_nobody_has_taken() -> None:
    valores = recepcao([(Espera(uuid4(), "local", "emergencia", 0.0), 61.0)])
    assert raised("CrivoEmergenciaSemAtendimento", valores) == [{}]
    assert raised("CrivoRecepcaoEsperando", valores) == []


async def test_a_database_that_is_away() -> None:
    async def gone() -> Sequence[Valor]:
        raise BancoIndisponivel("Fora.")

    coleta = Coleta([Grupo("banco", gone)])
    assert raised("CrivoBancoForaDoAr", await coleta.ler()) == [{}]
    assert raised("CrivoColetaFalhando", await coleta.ler()) == [{"grupo": "banco"}]


async def test_a_chain_whose_end_is_not_noted(banco: Banco, database: Database, scope: Scope, tmp_path: Path) -> None:
    async with database.unit_of_work(scope) as uow:
        await uow.connection.exec_driver_sql(
            "insert into auditoria_cabecas (tenant_id, seq, digest) values (%s, 3, '') on conflict (tenant_id) do update set seq = 3",
            (scope.tenant_id,),
        )
    (tmp_path / "espera").write_bytes(b"{}")
    valores = await banco.auditoria(lambda: {scope.tenant_id: NOW - timedelta(days=2)}, tmp_path / "espera")
    assert raised("CrivoAncoraVelha", valores) == [{}]
    assert raised("CrivoAtosForaDaCadeia", valores) == [{}]
