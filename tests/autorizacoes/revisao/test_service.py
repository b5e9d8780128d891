"""A person claims a decision, decides over it with a reason, and what the code decided stays as it was."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest

from casos import pedido, regra
from crivo.autorizacoes.contracts import Mensagens
from crivo.autorizacoes.erros import AutorizacaoNotFound
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.revisao import ReservaAusente, ReservaDeOutro, ReservasDemais, RevisaoInvalida, RevisaoProposta, Revisoes
from crivo.autorizacoes.service import Autorizacoes
from crivo.kernel.access import SemPermissao
from crivo.kernel.audit import verify_tenant
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.clock import FixedClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.sujeitos import CONSOLE, Pessoa
from crivo.kernel.tenancy import Scope

_NOW = datetime.fromisoformat("2026-11-20T10:00:00-03:00")
_MOTIVO = "O laudo chegou por outro canal e foi conferido."


class Product:
    """Decisions and their reviews over one database, some time after ten in the morning."""

    def __init__(self, database: Database, elapsed: timedelta = timedelta(0)) -> None:
        clock = FixedClock(_NOW + elapsed)
        new_id = Uuid7(clock).new
        self.database = database
        self.politicas = Politicas(database, clock, new_id)
        self.autorizacoes = Autorizacoes(database, Vigentes(), clock, new_id)
        self.revisoes = Revisoes(database, clock, new_id)

    async def deny(self, scope: Scope, **changes: Any) -> UUID:
        """A decision that the code did not approve."""
        raw = json.dumps(pedido(**{"documentos_anexos": [], **changes})).encode()
        return (await self.autorizacoes.decidir(scope, raw)).autorizacao.id


@pytest.fixture
async def product(database: Database, scope: Scope) -> Product:
    made = Product(database)
    head = {"administradora_id": "ADM-1", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
    document = {**head, "regras": [regra(documentos_obrigatorios=["LAUDO_MEDICO"])]}
    await made.politicas.importar(scope, json.dumps(document).encode(), publicar=True)
    return made


def _by(scope: Scope, name: str) -> Scope:
    return Scope(scope.tenant_id, f"usuario:{name}", CONSOLE)


def _approve(**changes: Any) -> RevisaoProposta:
    return RevisaoProposta(**{"decisao_final": "APROVADO", "motivo": _MOTIVO, **changes})


async def test_a_claimed_decision_is_decided_over_and_leaves_the_queue(product: Product, scope: Scope) -> None:
    denied = await product.deny(scope)
    before = await product.autorizacoes.obter(scope, denied)
    rita = _by(scope, "rita")
    assert [one.id for one in await product.revisoes.fila(rita)] == [denied]
    await product.revisoes.reservar(rita, denied)
    made = await product.revisoes.decidir(rita, denied, _approve())
    assert (made.decisao_anterior, made.decisao_final, made.revisor) == ("PENDENTE_AJUSTES", "APROVADO", "usuario:rita")
    assert await product.revisoes.historico(scope, denied) == (made,)
    assert await product.revisoes.fila(rita) == ()
    assert (await product.revisoes.panorama(rita)).total == 0
    assert await product.autorizacoes.obter(scope, denied) == before
    assert (await product.autorizacoes.conferir(scope, str(denied))).confere


async def test_both_messages_say_the_reason_and_the_source(product: Product, scope: Scope) -> None:
    denied, rita = await product.deny(scope), _by(scope, "rita")
    await product.revisoes.reservar(rita, denied)
    mensagens = (await product.revisoes.decidir(rita, denied, _approve(decisao_final="NEGADO"))).mensagens
    for texto in (mensagens.para_solicitante, mensagens.para_beneficiario):
        assert _MOTIVO in texto
        assert "Manual" in texto
    assert "40304361" not in mensagens.para_beneficiario


async def test_a_persons_own_messages_are_kept_as_they_wrote_them(product: Product, scope: Scope) -> None:
    denied, rita = await product.deny(scope), _by(scope, "rita")
    await product.revisoes.reservar(rita, denied)
    own = Mensagens(para_solicitante="Aprovado após contato.", para_beneficiario="Deu certo, pode agendar.")
    assert (await product.revisoes.decidir(rita, denied, _approve(mensagens=own))).mensagens == own


async def test_what_one_has_in_hand_no_other_takes_until_half_an_hour_has_passed(
    product: Product, database: Database, scope: Scope
) -> None:
    denied = await product.deny(scope)
    rita, caio = _by(scope, "rita"), _by(scope, "caio")
    await product.revisoes.reservar(rita, denied)
    with pytest.raises(ReservaDeOutro):
        await product.revisoes.reservar(caio, denied)
    with pytest.raises(ReservaDeOutro):
        await product.revisoes.decidir(caio, denied, _approve())
    later = Product(database, timedelta(minutes=30))
    assert (await later.revisoes.reservar(caio, denied)).revisor == caio.ator
    with pytest.raises(ReservaDeOutro):
        await later.revisoes.decidir(rita, denied, _approve())


async def test_taking_again_what_one_has_in_hand_makes_it_no_longer(product: Product, database: Database, scope: Scope) -> None:
    denied = await product.deny(scope)
    rita, caio = _by(scope, "rita"), _by(scope, "caio")
    first = await product.revisoes.reservar(rita, denied)
    assert await Product(database, timedelta(minutes=20)).revisoes.reservar(rita, denied) == first
    assert (await Product(database, timedelta(minutes=30)).revisoes.reservar(caio, denied)).revisor == caio.ator


async def test_one_person_has_five_decisions_in_hand_and_a_sixth_once_one_is_done(
    product: Product, database: Database, scope: Scope
) -> None:
    rita, caio = _by(scope, "rita"), _by(scope, "caio")
    *five, sixth = [await product.deny(scope, pedido_id=f"P-{n}") for n in range(6)]
    outcomes = await asyncio.gather(*(product.revisoes.reservar(rita, one) for one in (*five, sixth)), return_exceptions=True)
    (refused,) = [one for one in outcomes if isinstance(one, BaseException)]
    assert isinstance(refused, ReservasDemais)
    assert "até 5 decisões" in refused.mensagem
    (left,) = [one.id for one in await product.revisoes.fila(caio) if one.reserva is None]
    held = next(one for one in (*five, sixth) if one != left)
    assert (await product.revisoes.reservar(rita, held)).autorizacao_id == held
    assert (await product.revisoes.reservar(caio, left)).revisor == caio.ator
    with pytest.raises(ReservaDeOutro):  # what it is that stands in the way, and not how many they have
        await product.revisoes.reservar(rita, left)
    await product.revisoes.liberar(caio, left)
    await product.revisoes.decidir(rita, held, _approve())
    assert (await product.revisoes.reservar(rita, left)).revisor == rita.ator
    again = await product.deny(scope, pedido_id="P-9")
    assert (await Product(database, timedelta(minutes=30)).revisoes.reservar(rita, again)).revisor == rita.ator


async def test_whoever_manages_gives_back_what_another_holds_and_a_reviewer_does_not(product: Product, scope: Scope) -> None:
    denied = await product.deny(scope)
    rita, caio = _by(scope, "rita"), _by(scope, "caio")
    await product.revisoes.reservar(rita, denied)
    with pytest.raises(SemPermissao):
        await product.revisoes.liberar_de_outro(Scope(scope.tenant_id, caio.ator, Pessoa(scope.tenant_id, uuid4(), "revisor")), denied)
    assert (await product.revisoes.reserva(caio, denied)) is not None
    gestora = Scope(scope.tenant_id, "usuario:gil", Pessoa(scope.tenant_id, uuid4(), "gestor"))
    for _ in range(2):  # given back already, it is nobody's, and no fault
        await product.revisoes.liberar_de_outro(gestora, denied)
    with pytest.raises(ReservaAusente, match="quem cuida da fila a devolveu"):
        await product.revisoes.decidir(rita, denied, _approve())
    assert (await product.revisoes.reservar(caio, denied)).revisor == caio.ator
    await product.revisoes.liberar(caio, denied)
    async with product.database.unit_of_work(scope) as uow:
        told = [(one.acao, one.ator, json.loads(one.dados)) for one in await list_latest(uow, 4)][::-1]
    assert told == [
        ("autorizacao.reservada", rita.ator, {}),
        ("autorizacao.liberada", gestora.ator, {"de": rita.ator}),
        ("autorizacao.reservada", caio.ator, {}),
        ("autorizacao.devolvida", caio.ator, {}),
    ]


async def test_what_nobody_has_in_hand_is_decided_at_once_where_that_is_asked_and_a_fault_holds_nothing(
    product: Product, scope: Scope
) -> None:
    denied, rita = await product.deny(scope), _by(scope, "rita")
    with pytest.raises(RevisaoInvalida):
        await product.revisoes.decidir(rita, denied, _approve(motivo="curto"), livre=True)
    assert await product.revisoes.reserva(rita, denied) is None
    await product.revisoes.decidir(rita, denied, _approve(), livre=True)
    assert await product.revisoes.reserva(rita, denied) is None
    await product.revisoes.reservar(rita, denied)
    with pytest.raises(ReservaDeOutro):
        await product.revisoes.decidir(_by(scope, "caio"), denied, _approve(), livre=True)


async def test_of_many_who_claim_at_once_one_gets_it(product: Product, scope: Scope) -> None:
    denied = await product.deny(scope)
    outcomes = await asyncio.gather(*(product.revisoes.reservar(_by(scope, f"p{n}"), denied) for n in range(8)), return_exceptions=True)
    assert sum(isinstance(outcome, ReservaDeOutro) for outcome in outcomes) == 7


async def test_nobody_decides_over_what_they_did_not_claim(product: Product, database: Database, scope: Scope) -> None:
    denied, rita = await product.deny(scope), _by(scope, "rita")
    with pytest.raises(ReservaAusente):
        await product.revisoes.decidir(rita, denied, _approve())
    await product.revisoes.reservar(rita, denied)
    await product.revisoes.liberar(rita, denied)
    with pytest.raises(ReservaAusente):
        await product.revisoes.decidir(rita, denied, _approve())
    await product.revisoes.reservar(rita, denied)
    with pytest.raises(ReservaAusente):
        await Product(database, timedelta(minutes=31)).revisoes.decidir(rita, denied, _approve())


@pytest.mark.parametrize(
    ("changes", "campo"),
    [
        ({"motivo": "curto"}, "motivo"),
        ({"motivo": " " * 40}, "motivo"),
        ({"decisao_final": "APROVADO_PARCIAL"}, "quantidade_aprovada"),
        ({"decisao_final": "APROVADO_PARCIAL", "quantidade_aprovada": 0}, "quantidade_aprovada"),
        ({"decisao_final": "APROVADO_PARCIAL", "quantidade_aprovada": 99}, "quantidade_aprovada"),
        ({"quantidade_aprovada": 1}, "quantidade_aprovada"),
        ({"mensagens": Mensagens(para_solicitante=" ", para_beneficiario="x")}, "mensagens.para_solicitante"),
    ],
)
async def test_a_decision_that_says_too_little_is_refused_and_stays_in_hand(
    product: Product, scope: Scope, changes: dict[str, Any], campo: str
) -> None:
    denied, rita = await product.deny(scope), _by(scope, "rita")
    await product.revisoes.reservar(rita, denied)
    with pytest.raises(RevisaoInvalida) as refused:
        await product.revisoes.decidir(rita, denied, _approve(**changes))
    assert campo in {problem.caminho for problem in refused.value.problemas}
    assert (await product.revisoes.reserva(rita, denied)) is not None
    assert await product.revisoes.historico(scope, denied) == ()


async def test_a_second_review_stands_over_the_first(product: Product, scope: Scope) -> None:
    denied, rita = await product.deny(scope), _by(scope, "rita")
    for decisao in ("APROVADO", "NEGADO"):
        await product.revisoes.reservar(rita, denied)
        await product.revisoes.decidir(rita, denied, _approve(decisao_final=decisao))
    assert [(one.decisao_anterior, one.decisao_final) for one in await product.revisoes.historico(scope, denied)] == [
        ("APROVADO", "NEGADO"),
        ("PENDENTE_AJUSTES", "APROVADO"),
    ]


async def test_what_is_urgent_comes_first_and_then_the_oldest(product: Product, scope: Scope) -> None:
    first = await product.deny(scope, pedido_id="P-1")
    second = await product.deny(scope, pedido_id="P-2")
    urgent = await product.deny(scope, pedido_id="P-3", urgencia=True)
    fila = await product.revisoes.fila(scope)
    assert [one.id for one in fila] == [urgent, first, second]
    assert [one.urgente for one in fila] == [True, False, False]
    assert fila[0].vez < fila[1].vez


async def test_what_belongs_to_another_tenant_is_absent(product: Product, scope: Scope, new_tenant: Callable[[], Scope]) -> None:
    denied, theirs = await product.deny(scope), new_tenant()
    assert await product.revisoes.fila(theirs) == ()
    assert await product.revisoes.historico(theirs, denied) == ()
    for autorizacao_id in (denied, uuid4()):
        with pytest.raises(AutorizacaoNotFound):
            await product.revisoes.reservar(theirs, autorizacao_id)
        with pytest.raises(AutorizacaoNotFound):
            await product.revisoes.decidir(theirs, autorizacao_id, _approve())


async def test_the_audit_names_the_change_and_never_the_reason(product: Product, scope: Scope) -> None:
    denied, rita = await product.deny(scope), _by(scope, "rita")
    await product.revisoes.reservar(rita, denied)
    await product.revisoes.decidir(rita, denied, _approve())
    async with product.database.unit_of_work(scope) as uow:
        entry = (await list_latest(uow, 1))[0]
        assert not (await verify_tenant(uow)).quebras
    assert (entry.acao, entry.ator) == ("autorizacao.revista", rita.ator)
    assert json.loads(entry.dados)["para"] == "APROVADO"
    assert "laudo" not in entry.dados
