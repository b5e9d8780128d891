"""A decision is told to whoever asked to be told: at least once, in order for each pedido, for days, and never in a decision's way."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Any
from uuid import UUID

import pytest

from casos import pedido, regra
from crivo.autorizacoes.contracts import Mensagens
from crivo.autorizacoes.entregas import entregador as modulo
from crivo.autorizacoes.entregas import storage
from crivo.autorizacoes.entregas.aviso import Avisos
from crivo.autorizacoes.entregas.contracts import Destino, Falha
from crivo.autorizacoes.entregas.endereco import Alvo
from crivo.autorizacoes.entregas.entregador import Entregador
from crivo.autorizacoes.entregas.erros import DestinoInvalido, DestinoNotFound, DestinoNoutraSituacao
from crivo.autorizacoes.entregas.http import SaidaHttp
from crivo.autorizacoes.entregas.saida import Mensagem, Respondida, Resposta, SemResposta
from crivo.autorizacoes.entregas.service import Entregas, Proposto
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.revisao import RevisaoProposta, Revisoes
from crivo.autorizacoes.service import Autorizacoes
from crivo.kernel.cartas import Correio
from crivo.kernel.cartas import storage as cartas
from crivo.kernel.enderecos import Rede
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from quem_recebe import QuemRecebe, Recebida, is_signed, receiving
from relogio_que_anda import RelogioQueAnda

HERE = (ip_network("127.0.0.0/8"),)
PAGINAS = "https://crivo.exemplo.org"


class Falsa:
    """A way out that answers as it is told, and keeps what went."""

    def __init__(self) -> None:
        self.responde: Callable[[Mensagem], Resposta] = lambda _: Respondida(200)
        self.foram: list[Mensagem] = []

    async def send(self, mensagem: Mensagem) -> Resposta:
        self.foram.append(mensagem)
        await asyncio.sleep(0)
        return self.responde(mensagem)

    def ids(self) -> list[str]:
        return [one.cabecalhos["webhook-id"] for one in self.foram]


class Casa:
    """Decisions and their deliveries over one database, at a moment that a test moves."""

    def __init__(self, database: Database, saida: Any) -> None:
        self.relogio = RelogioQueAnda(datetime.fromisoformat("2026-11-20T10:00:00-03:00"))
        self.new_id, self.fila, self.database = Uuid7(self.relogio).new, Fila(), database
        self.politicas = Politicas(database, self.relogio, self.new_id)
        self.autorizacoes = Autorizacoes(database, Vigentes(), self.relogio, self.new_id)
        self.revisoes = Revisoes(database, self.relogio, self.new_id)
        self.entregador = self.novo_entregador(saida)
        self.entregas = Entregas(database, self.fila, self.relogio, self.new_id, lambda many: b"s" * many, self.entregador, self.leva, HERE)

    async def leva(self, alvo: Alvo, _: Sequence[Rede]) -> Falha | None:
        found: dict[str, Falha] = {"nada.exemplo.org": "sem_nome", "intranet.exemplo.org": "endereco_proibido"}
        return found.get(alvo.host)

    def novo_entregador(self, saida: Any) -> Entregador:
        correio = Correio(self.fila, self.new_id)
        return Entregador(self.database, self.fila, self.relogio, saida, correio, PAGINAS, acaso=lambda: 0.5)

    async def publish(self, scope: Scope) -> None:
        head = {"administradora_id": "ADM-1", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
        await self.politicas.importar(scope, json.dumps({**head, "regras": [regra(limite_quantidade=2)]}).encode(), publicar=True)

    async def decide(self, scope: Scope, **changes: Any) -> Autorizacao:
        return (await self.autorizacoes.decidir(scope, json.dumps(pedido(**changes)).encode())).autorizacao

    async def destino(self, scope: Scope, **changes: Any) -> Destino:
        proposto = {"nome": "Sistema", "canal": "webhook", "endereco": "http://127.0.0.1:8099/crivo", **changes}
        return (await self.entregas.registrar(scope, Proposto(**proposto))).destino

    async def jobs(self, scope: Scope, destino_id: UUID) -> int:
        async with self.database.unit_of_work(scope) as uow:
            return await self.fila.count(uow, {"destino": str(destino_id)})


@pytest.fixture
def saida() -> Falsa:
    return Falsa()


@pytest.fixture
async def casa(database: Database, scope: Scope, saida: Falsa) -> Casa:
    made = Casa(database, saida)
    await made.publish(scope)
    return made


@pytest.fixture
async def quem() -> AsyncIterator[QuemRecebe]:
    async with receiving() as made:
        yield made


async def test_a_decision_is_received_signed_and_whole_but_for_what_is_said_to_the_beneficiary(
    database: Database, scope: Scope, quem: QuemRecebe
) -> None:
    casa = Casa(database, SaidaHttp(HERE))
    await casa.publish(scope)
    registrado = await casa.entregas.registrar(scope, Proposto("Sistema", "webhook", quem.url()))
    decidida = await casa.decide(scope, procedimento__quantidade=3)
    assert await casa.jobs(scope, registrado.destino.id) == 1
    assert await casa.entregador.deliver(scope, registrado.destino.id) == 1
    (came,) = quem.recebidas
    assert is_signed(came, registrado.segredo)
    assert not is_signed(Recebida(came.alvo, came.cabecalhos, came.corpo + b" "), registrado.segredo)
    document = json.loads(decidida.decisao)
    del document["mensagens"]["para_beneficiario"]
    said = json.loads(came.corpo)
    assert said["type"] == "autorizacao.decidida"
    assert said["data"]["decisao"] == document
    assert said["data"]["decisao_final"] == "APROVADO_PARCIAL"
    assert said["data"]["links"]["decisao"] == f"{PAGINAS}/api/autorizacoes/{decidida.id}"
    (found,) = await casa.entregas.entregas(scope, registrado.destino.id)
    assert (found.situacao, found.tentativas, found.ultimo_status) == ("entregue", 1, 204)
    assert await casa.entregador.deliver(scope, registrado.destino.id) == 0


async def test_a_persons_decision_is_told_as_it_stands_and_after_the_codes(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope)
    decidida = await casa.decide(scope, procedimento__quantidade=3)
    mensagens = Mensagens(para_solicitante="Técnica.", para_beneficiario="Simples.")
    proposta = RevisaoProposta(decisao_final="APROVADO", motivo="O laudo chegou por outro canal.", mensagens=mensagens)
    await casa.revisoes.decidir(scope, decidida.id, proposta, livre=True)
    await casa.entregador.deliver(scope, destino.id)
    first, second = [json.loads(one.corpo) for one in saida.foram]
    assert (first["type"], second["type"]) == ("autorizacao.decidida", "autorizacao.revista")
    assert second["data"]["revisao"]["decisao_anterior"] == "APROVADO_PARCIAL"
    document = second["data"]["decisao"]
    assert (document["decisao_final"], document["detalhe_decisao"]["quantidade_aprovada"]) == ("APROVADO", 3)
    assert document["mensagens"] == {"para_solicitante": "Técnica."}


async def test_a_short_message_says_how_it_was_decided_and_nothing_of_what(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope, conteudo="resumido", eventos=("autorizacao.decidida",))
    await casa.decide(scope)
    await casa.entregador.deliver(scope, destino.id)
    (said,) = [json.loads(one.corpo)["data"] for one in saida.foram]
    assert set(said) == {"autorizacao_id", "pedido_id", "decisao_final", "recebida_em", "links"}


async def test_who_is_down_for_a_day_is_told_everything_afterwards_in_order_under_the_same_ids(
    casa: Casa, saida: Falsa, scope: Scope
) -> None:
    destino = await casa.destino(scope)
    saida.responde = lambda _: SemResposta("sem_conexao")
    decididas = [await casa.decide(scope, pedido_id=f"P-{at % 3}") for at in range(9)]
    for _ in range(24 * 4):
        await casa.entregador.deliver(scope, destino.id)
        casa.relogio.passa(minutes=15)
    tried = len(saida.foram)
    assert tried < 200  # one message tries for all while it is down
    before = set(saida.ids())
    saida.foram.clear()
    saida.responde = lambda _: Respondida(200)
    for _ in range(20):
        casa.relogio.passa(hours=1)
        await casa.entregador.deliver(scope, destino.id)
    told = [json.loads(one.corpo)["data"] for one in saida.foram]
    assert sorted(one["autorizacao_id"] for one in told) == sorted(str(one.id) for one in decididas)
    for numero in ("P-0", "P-1", "P-2"):
        mine = [one["autorizacao_id"] for one in told if one["pedido_id"] == numero]
        assert mine == [str(one.id) for one in decididas if one.pedido_id == numero]
    assert before <= set(saida.ids())
    assert (await casa.entregas.obter(scope, destino.id)).fila.quantas == 0


async def test_what_nobody_takes_for_three_days_is_given_up_and_can_be_sent_again(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope)
    saida.responde = lambda _: Respondida(503)
    await casa.decide(scope)
    for _ in range(20):
        await casa.entregador.deliver(scope, destino.id)
        casa.relogio.passa(hours=4)
    (found,) = await casa.entregas.entregas(scope, destino.id)
    assert (found.situacao, found.ultimo_status, found.ultima_falha) == ("desistiu", 503, "resposta")
    saida.responde = lambda _: Respondida(201)
    await casa.entregas.reenviar(scope, destino.id, found.id)
    await casa.entregador.deliver(scope, destino.id)
    seen = await casa.entregas.entrega(scope, destino.id, found.id)
    assert seen.entrega.situacao == "entregue"
    assert seen.tentativas[0].status == 201
    assert len({*saida.ids()}) == 1


async def test_two_workers_at_once_tell_each_thing_once_and_in_order(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope)
    decididas = [await casa.decide(scope, pedido_id="P-1") for _ in range(6)]
    other = casa.novo_entregador(saida)
    await asyncio.gather(*[one.deliver(scope, destino.id) for one in (casa.entregador, other) * 3])
    assert [json.loads(one.corpo)["data"]["autorizacao_id"] for one in saida.foram] == [str(one.id) for one in decididas]


async def test_what_comes_while_a_destination_is_in_hand_wakes_it_once_more(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope)
    async with casa.database.unit_of_work(scope) as uow:
        assert await storage.take(uow, destino.id)
    await casa.decide(scope)
    before = await casa.jobs(scope, destino.id)
    assert await casa.entregador.deliver(scope, destino.id) == 0
    assert await casa.entregador.deliver(scope, destino.id) == 0
    assert await casa.jobs(scope, destino.id) == before + 1  # one that waits for the lease, and not one each time
    assert saida.foram == []


async def test_a_worker_that_lost_its_lease_sends_nothing_more_and_frees_nothing(casa: Casa, scope: Scope) -> None:
    destino = await casa.destino(scope)
    async with casa.database.unit_of_work(scope) as uow:
        theirs = await storage.take(uow, destino.id)
        assert theirs is not None
        assert await storage.renew(uow, destino.id, theirs - timedelta(seconds=1)) is None
        await storage.let_go(uow, destino.id, theirs - timedelta(seconds=1))
        assert await storage.take(uow, destino.id) is None
        await storage.let_go(uow, destino.id, theirs)
        assert await storage.take(uow, destino.id) is not None


async def test_a_secret_that_is_rotated_signs_beside_the_one_before_for_a_day(
    casa: Casa, saida: Falsa, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    destino = await casa.destino(scope)
    monkeypatch.setattr(casa.entregas, "_random", lambda many: b"n" * many)
    novo = await casa.entregas.girar_segredo(scope, destino.id)
    assert novo.startswith("whsec_")
    for hours, signatures in ((0, 2), (25, 1)):
        casa.relogio.passa(hours=hours)
        await casa.decide(scope)
        await casa.entregador.deliver(scope, destino.id)
        went = saida.foram[-1]
        assert len(went.cabecalhos["webhook-signature"].split(" ")) == signatures
        assert is_signed(Recebida("/", dict(went.cabecalhos), went.corpo), novo)


async def test_410_turns_a_destination_off_keeps_what_waits_and_a_person_turns_it_on_again(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope)
    saida.responde = lambda _: Respondida(410)
    await casa.decide(scope)
    await casa.entregador.deliver(scope, destino.id)
    visto = await casa.entregas.obter(scope, destino.id)
    assert (visto.destino.situacao, visto.destino.motivo, visto.fila.quantas) == ("desligado", "gone", 1)
    with pytest.raises(DestinoNoutraSituacao):
        await casa.entregas.enviar_exemplo(scope, destino.id)
    await casa.entregas.retomar(scope, destino.id)
    saida.responde = lambda _: Respondida(200)
    casa.relogio.passa(minutes=1)
    await casa.entregador.deliver(scope, destino.id)
    assert (await casa.entregas.obter(scope, destino.id)).fila.quantas == 0


async def test_a_paused_destination_keeps_what_comes_and_goes_on_with_it(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope)
    await casa.entregas.pausar(scope, destino.id)
    await casa.decide(scope)
    await casa.entregador.deliver(scope, destino.id)
    assert saida.foram == []
    await casa.entregas.retomar(scope, destino.id)
    await casa.entregador.deliver(scope, destino.id)
    assert len(saida.foram) == 1


async def test_an_outbox_that_nobody_takes_from_does_not_grow_for_ever(
    casa: Casa, saida: Falsa, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(modulo, "MOST_QUEUED", 2)
    saida.responde = lambda _: Respondida(500)
    destino = await casa.destino(scope)
    for at in range(3):
        await casa.decide(scope, pedido_id=f"P-{at}")
    await casa.entregador.deliver(scope, destino.id)
    visto = await casa.entregas.obter(scope, destino.id)
    assert (visto.destino.motivo, visto.fila.quantas) == ("fila_cheia", 3)
    await casa.decide(scope, pedido_id="P-9")  # decided all the same, and told to nobody there
    assert (await casa.entregas.obter(scope, destino.id)).fila.quantas == 3


async def test_one_pedido_that_is_refused_does_not_hold_up_the_others(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope)
    saida.responde = lambda one: Respondida(500 if b'"P-1"' in one.corpo else 200)
    for numero in ("P-1", "P-2", "P-1", "P-3"):
        await casa.decide(scope, pedido_id=numero)
    await casa.entregador.deliver(scope, destino.id)
    assert (await casa.entregas.obter(scope, destino.id)).fila.quantas == 2


async def test_what_was_erased_before_it_went_does_not_go(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope)
    decidida = await casa.decide(scope)
    async with casa.database.unit_of_work(scope) as uow:
        await uow.cofre.destroy(uow, [decidida.id], casa.relogio.now())
    await casa.entregador.deliver(scope, destino.id)
    assert saida.foram == []
    (found,) = await casa.entregas.entregas(scope, destino.id)
    assert found.situacao == "cancelada"


async def test_a_decision_that_is_undone_is_told_to_nobody(casa: Casa, scope: Scope) -> None:
    decidida = await casa.decide(scope)
    destino = await casa.destino(scope)

    async def undone() -> None:
        async with casa.database.unit_of_work(scope) as uow:
            await Avisos(casa.fila).decididas(uow, [decidida])
            assert (await storage.queued(uow, destino.id)).quantas == 1
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await undone()
    assert (await casa.entregas.obter(scope, destino.id)).fila.quantas == 0
    assert await casa.jobs(scope, destino.id) == 0


async def test_a_letter_says_that_there_is_a_decision_and_nothing_of_it(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope, canal="email", endereco="pedidos@clinica.exemplo.org")
    decidida = await casa.decide(scope)
    await casa.entregador.deliver(scope, destino.id)
    async with casa.database.unit_of_work(scope) as uow:
        (posted,) = await cartas.list_page(uow, ("na_fila",), None, 10)
    assert posted.carta is not None
    assert posted.carta.para == "pedidos@clinica.exemplo.org"
    assert f"{PAGINAS}/autorizacoes/{decidida.id}" in posted.carta.texto
    procedimento = pedido()["procedimento"]["codigo"]
    assert not [said for said in (procedimento, str(decidida.pedido_id), "APROVADO", "aprovado") if said in posted.carta.texto]
    assert saida.foram == []


async def test_no_log_line_holds_an_address_or_what_was_decided(
    casa: Casa, saida: Falsa, scope: Scope, caplog: pytest.LogCaptureFixture
) -> None:
    logging.getLogger("crivo").propagate = True
    caplog.set_level(logging.DEBUG, logger="crivo")
    destino = await casa.destino(scope, endereco="http://127.0.0.1:8099/token-secreto")
    saida.responde = lambda _: Respondida(500)
    await casa.decide(scope)
    await casa.entregador.deliver(scope, destino.id)
    lines = " ".join(str(vars(one)) for one in caplog.records)
    assert "entrega_nao_feita" in lines
    assert "token-secreto" not in lines
    assert "P-1" not in lines


async def test_an_example_goes_to_one_destination_alone(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope)
    await casa.destino(scope, nome="Outro", endereco="http://127.0.0.1:8098/")
    await casa.entregas.enviar_exemplo(scope, destino.id)
    await casa.entregador.deliver(scope, destino.id)
    assert [json.loads(one.corpo)["type"] for one in saida.foram] == ["exemplo"]


async def test_a_removed_destination_gets_nothing_more_and_is_nobodys(
    casa: Casa, saida: Falsa, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    destino = await casa.destino(scope)
    with pytest.raises(DestinoNotFound):
        await casa.entregas.obter(new_tenant(), destino.id)
    await casa.decide(scope)
    assert await casa.entregas.remover(scope, destino.id) == 1
    await casa.entregador.deliver(scope, destino.id)
    assert saida.foram == []
    with pytest.raises(DestinoNotFound):
        await casa.entregas.obter(scope, destino.id)


@pytest.mark.parametrize(
    ("changes", "campo"),
    [
        ({"nome": " "}, "nome"),
        ({"nome": "a\u202eb"}, "nome"),
        ({"canal": "fax"}, "canal"),
        ({"eventos": ()}, "eventos"),
        ({"eventos": ("tudo",)}, "eventos"),
        ({"conteudo": "metade"}, "conteudo"),
        ({"endereco": "https://10.0.0.1/"}, "endereco"),
        ({"canal": "email", "endereco": "ninguem"}, "endereco"),
    ],
)
async def test_a_destination_that_will_not_do_is_refused_with_its_field(
    casa: Casa, scope: Scope, changes: dict[str, Any], campo: str
) -> None:
    with pytest.raises(DestinoInvalido) as refused:
        await casa.destino(scope, **changes)
    assert refused.value.campo == campo


async def test_what_ended_long_ago_is_forgotten_and_what_waits_is_not(casa: Casa, saida: Falsa, scope: Scope) -> None:
    destino = await casa.destino(scope)
    await casa.decide(scope, pedido_id="P-1")
    await casa.entregador.deliver(scope, destino.id)
    casa.relogio.passa(days=31)
    await casa.decide(scope, pedido_id="P-2")
    assert await casa.entregas.limpar(scope) == 1
    assert len(await casa.entregas.entregas(scope, destino.id)) == 1


async def test_a_name_that_leads_nowhere_or_inside_is_told_as_it_is_registered(casa: Casa, scope: Scope) -> None:
    told = {}
    for host in ("nada.exemplo.org", "intranet.exemplo.org", "sistema.exemplo.org"):
        registrado = await casa.entregas.registrar(scope, Proposto(host, "webhook", f"https://{host}/crivo"))
        told[host] = registrado.aviso
    assert "não foi encontrado agora" in told["nada.exemplo.org"]
    assert "CRIVO_ENTREGA_REDES" in told["intranet.exemplo.org"]
    assert told["sistema.exemplo.org"] == ""


async def test_a_delivery_says_of_which_pedido_it_is_and_writes_moments_as_the_api_does(casa: Casa, scope: Scope, saida: Falsa) -> None:
    destino = await casa.destino(scope)
    await casa.decide(scope, pedido_id="P-77")
    await casa.entregador.deliver(scope, destino.id)
    (entrega,) = await casa.entregas.entregas(scope, destino.id)
    said = json.loads(saida.foram[0].corpo)
    assert (entrega.pedido_id, said["timestamp"], said["data"]["recebida_em"]) == ("P-77", "2026-11-20T13:00:00Z", "2026-11-20T13:00:00Z")
