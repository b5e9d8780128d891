"""Reminders go on the last business day before a deadline, once; an answer that cannot be judged is said to be so; papers are judged alone."""

from __future__ import annotations

from datetime import UTC, date, datetime
from uuid import UUID, uuid4

import pytest

from crivo.kernel.access import create_usuario
from crivo.kernel.cartas import Correio
from crivo.kernel.cartas import storage as cartas
from crivo.kernel.clock import BRASILIA, FixedClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.prazos import Calendario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.diligencias.guardadas import Arquivo, Papel
from crivo.triagem.diligencias.publico import Respostas
from crivo.triagem.diligencias.servico import Diligencias, NovaDiligencia, resumo_of, spelled
from crivo.triagem.diligencias.tarefas import LembretesDePrazo, Rejulgamento
from crivo.triagem.documentos.lido import DocumentoLido
from crivo.triagem.erros import DiligenciaEncerrada
from crivo.triagem.service import Triagem
from crivo.triagem.storage import diligencias as guardadas
from diligencias import CERTIDAO, EDITAL, com_pendencia, read
from documentos import text_pdf
from sujeitos import as_person

_FRIDAY = datetime(2026, 11, 27, 15, 0, tzinfo=BRASILIA)
_NOVA = NovaDiligencia(("REQ-2",), "Envie a certidão negativa municipal.", 5, "maria@exemplo.org")
_SITE = "https://crivo.exemplo.org"


class Casa:
    """The use cases at a moment that a test moves."""

    def __init__(self, database: Database, scope: Scope) -> None:
        self.database, self.scope = database, scope

    def at(self, em: datetime) -> tuple[Diligencias, Respostas, LembretesDePrazo, Rejulgamento]:
        clock, fila = FixedClock(em), Fila()
        new_id, correio, calendario = Uuid7(clock).new, Correio(Fila(), uuid4), Calendario()

        async def here() -> list[str]:
            return [self.scope.tenant_id]

        return (
            Diligencias(self.database, clock, new_id, fila, correio, calendario, _SITE),
            Respostas(self.database, clock, new_id, fila),
            LembretesDePrazo(self.database, clock, correio, calendario, _SITE, here, self.scope),
            Rejulgamento(self.database, clock, new_id, read),
        )

    async def subjects(self) -> list[str]:
        """What letters are about, the first one first."""
        async with self.database.unit_of_work(self.scope) as uow:
            found = await cartas.list_page(uow, ("na_fila", "cancelada"), None, 50)
        return [one.carta.assunto for one in reversed(found) if one.carta]


@pytest.fixture
async def casa(database: Database, scope: Scope, triagem: Triagem) -> Casa:
    await triagem.importar(scope, com_pendencia())
    return Casa(database, scope)


@pytest.fixture
async def gestora(database: Database, scope: Scope) -> Scope:
    async with database.unit_of_work(scope) as uow:
        person = await create_usuario(uow, _FRIDAY, uuid4(), "Gestora", f"{uuid4()}@teste.exemplo", "gestor")
    return as_person(scope, person)


async def _code(casa: Casa, gestora: Scope, numero: int = 1) -> str:
    pedida = (await casa.at(_FRIDAY)[0].abrir(gestora, EDITAL, numero)).diligencia.pedida
    assert pedida is not None
    return pedida.codigo


async def test_the_deadline_is_five_business_days_away_to_its_last_second(casa: Casa, gestora: Scope) -> None:
    diligencias, respostas, *_ = casa.at(_FRIDAY)
    assert await diligencias.pedir(gestora, EDITAL, "P0001", _NOVA) == 1
    found = (await diligencias.abrir(gestora, EDITAL, 1)).diligencia
    assert found.prazo == datetime(2026, 12, 4, 23, 59, 59, tzinfo=BRASILIA)
    codigo = await _code(casa, gestora)
    last = casa.at(datetime(2026, 12, 5, 2, 59, 59, tzinfo=UTC))[1]
    assert len(await last.responder(casa.scope.tenant_id, codigo, "No último segundo.", ())) == 64
    late = casa.at(datetime(2026, 12, 5, 3, 0, 0, tzinfo=UTC))[1]
    with pytest.raises(DiligenciaEncerrada, match=r"04/12/2026, 23h59"):
        await late.responder(casa.scope.tenant_id, codigo, "Um segundo depois.", ())
    assert (await respostas.ver(casa.scope.tenant_id, codigo)).situacao == "respondida"


@pytest.mark.parametrize(
    ("dia", "lembra"),
    [
        (date(2026, 11, 27), False),
        (date(2026, 12, 2), False),
        (date(2026, 12, 3), True),  # Thursday, the last business day before Friday the 4th
        (date(2026, 12, 4), True),  # where no worker was there the day before
        (date(2026, 12, 5), False),
    ],
)
async def test_a_reminder_goes_on_the_last_business_day_before_the_deadline_once(
    casa: Casa, gestora: Scope, dia: date, lembra: bool
) -> None:
    await casa.at(_FRIDAY)[0].pedir(gestora, EDITAL, "P0001", _NOVA)
    reminding = casa.at(datetime(dia.year, dia.month, dia.day, 8, 11, tzinfo=BRASILIA))[2]
    await reminding.lembrar()
    await reminding.lembrar()
    subjects = await casa.subjects()
    assert [one for one in subjects if "termina em" in one] == ["Edital ED-1: o prazo da diligência termina em 04/12"] * lembra


async def test_nobody_is_reminded_of_what_was_answered_or_taken_back(casa: Casa, gestora: Scope) -> None:
    diligencias, respostas, *_ = casa.at(_FRIDAY)
    await diligencias.pedir(gestora, EDITAL, "P0001", _NOVA)
    await diligencias.pedir(gestora, EDITAL, "P0002", _NOVA)
    await respostas.responder(casa.scope.tenant_id, await _code(casa, gestora), "Aqui está.", ())
    await diligencias.cancelar(gestora, EDITAL, 2, "Pedida por engano")
    assert await casa.at(datetime(2026, 12, 3, 8, 11, tzinfo=BRASILIA))[2].lembrar_em(casa.scope) == 0


async def test_an_answer_is_judged_by_all_that_came_and_by_that_alone(casa: Casa, gestora: Scope) -> None:
    diligencias, respostas, _, rejulgamento = casa.at(_FRIDAY)
    await diligencias.pedir(gestora, EDITAL, "P0001", _NOVA)
    codigo, tenant = await _code(casa, gestora), casa.scope.tenant_id
    found = (await diligencias.abrir(gestora, EDITAL, 1)).diligencia
    about = {"diligencia": str(found.id)}
    await respostas.responder(tenant, codigo, "", [Arquivo("REQ-2", "errada.pdf", text_pdf(["Lista de compras da feira."]))])
    await rejulgamento.julgar(casa.scope, about)
    first = (await diligencias.abrir(gestora, EDITAL, 1)).diligencia.depois
    assert first is not None
    assert [(one.requisito, one.situacao, one.motivo) for one in first] == [("REQ-2", "nao_atende", "documento_tipo_errado")]
    await respostas.responder(tenant, codigo, "", [Arquivo("REQ-2", "certidão.pdf", CERTIDAO)])
    assert (await diligencias.abrir(gestora, EDITAL, 1)).diligencia.julgada_em is None
    await rejulgamento.julgar(casa.scope, about)
    await rejulgamento.julgar(casa.scope, about)  # a job that is begun again finds it done
    again = (await diligencias.abrir(gestora, EDITAL, 1)).diligencia.depois
    assert again is not None
    assert [(one.requisito, one.situacao) for one in again] == [("REQ-2", "atende")]


async def test_each_file_is_read_once_however_often_the_job_is_begun(casa: Casa, gestora: Scope) -> None:
    diligencias, respostas, *_ = casa.at(_FRIDAY)
    await diligencias.pedir(gestora, EDITAL, "P0001", _NOVA)
    await respostas.responder(casa.scope.tenant_id, await _code(casa, gestora), "", [Arquivo("REQ-2", "certidão.pdf", CERTIDAO)])
    asked: list[str] = []

    async def once_and_die(arquivo: str, content: bytes) -> DocumentoLido:
        asked.append(arquivo)
        return await read(arquivo, content)

    found = (await diligencias.abrir(gestora, EDITAL, 1)).diligencia
    rejulgamento = Rejulgamento(casa.database, FixedClock(_FRIDAY), uuid4, once_and_die)
    await rejulgamento._read(casa.scope, found, (await _papeis(casa, found.id))[0])  # as far as a worker came that died
    await rejulgamento.julgar(casa.scope, {"diligencia": str(found.id)})
    assert asked == ["certidão.pdf"]


async def test_an_answer_that_cannot_be_judged_is_left_to_people(casa: Casa, gestora: Scope) -> None:
    diligencias, respostas, _, rejulgamento = casa.at(_FRIDAY)
    await diligencias.pedir(gestora, EDITAL, "P0001", _NOVA)
    await respostas.responder(casa.scope.tenant_id, await _code(casa, gestora), "", [Arquivo("REQ-2", "certidão.pdf", CERTIDAO)])
    found = (await diligencias.abrir(gestora, EDITAL, 1)).diligencia
    await rejulgamento.desistir(casa.scope, {"diligencia": str(found.id)}, None)
    left = (await diligencias.abrir(gestora, EDITAL, 1)).diligencia
    assert (left.depois, left.julgada_em) == (None, _FRIDAY)


def test_a_code_is_one_however_it_is_spelled() -> None:
    codigo = "abcdefghijklmnopqrstuvwx"
    assert spelled(codigo) == "ABCD-EFGH-IJKL-MNOP-QRST-UVWX"
    assert resumo_of(codigo) == resumo_of(spelled(codigo)) == resumo_of(f" {codigo[:12]} {codigo[12:]}\n")


async def _papeis(casa: Casa, diligencia_id: UUID) -> tuple[Papel, ...]:
    async with casa.database.unit_of_work(casa.scope) as uow:
        found = await guardadas.find(uow, diligencia_id)
        assert found is not None
        return await guardadas.papeis_of(uow, found)
