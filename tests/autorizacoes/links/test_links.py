"""Whoever has the link and its code reads what was decided about theirs, as it stands; nobody else does, and what was erased is gone."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from datetime import date, datetime
from itertools import count
from typing import Any
from uuid import uuid4

import pytest

from casos import pedido, regra
from crivo.autorizacoes.contracts import Mensagens
from crivo.autorizacoes.entregas.carga import body_of
from crivo.autorizacoes.erros import AutorizacaoNotFound
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.links.contracts import LinkNovo, PedidoDito
from crivo.autorizacoes.links.erros import CodigoErrado, CodigoIncompleto, LinkFechado, LinkJaFeito, LinkNotFound
from crivo.autorizacoes.links.service import Links
from crivo.autorizacoes.politicas.service import Politicas
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.revisao import RevisaoProposta, Revisoes
from crivo.autorizacoes.service import Autorizacoes
from crivo.autorizacoes.tiss.porta import Tiss
from crivo.autorizacoes.tiss.xml import Esquema
from crivo.kernel.identity import Uuid7
from crivo.kernel.sigilo import DadosApagados
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.web.pages.autorizacoes.links import LeituraVista
from guias_tiss import mensagem, procedimento, sadt
from relogio_que_anda import RelogioQueAnda


class Casa:
    def __init__(self, database: Database) -> None:
        self.relogio = RelogioQueAnda(datetime.fromisoformat("2026-11-20T10:00:00-03:00"))
        new_id, calls = Uuid7(self.relogio).new, count(1)
        self.database = database
        self.politicas = Politicas(database, self.relogio, new_id)
        self.autorizacoes = Autorizacoes(database, Vigentes(), self.relogio, new_id)
        self.revisoes = Revisoes(database, self.relogio, new_id)
        self.links = Links(database, self.relogio, new_id, lambda many: next(calls).to_bytes(many, "big"), "https://crivo.exemplo.org")

    async def decide(self, scope: Scope, **changes: Any) -> Autorizacao:
        return (await self.autorizacoes.decidir(scope, json.dumps(pedido(**changes)).encode())).autorizacao


@pytest.fixture
async def casa(database: Database, scope: Scope) -> Casa:
    made = Casa(database)
    head = {"administradora_id": "ADM-1", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
    regras = [regra(limite_quantidade=2, prazo_validade_autorizacao_dias=30)]
    await made.politicas.importar(scope, json.dumps({**head, "regras": regras}).encode(), publicar=True)
    return made


def secret_of(novo: LinkNovo) -> str:
    return novo.endereco.removeprefix("https://crivo.exemplo.org/d/")


async def test_link_and_code_open_the_plain_message_and_nothing_technical(casa: Casa, scope: Scope) -> None:
    decidida = await casa.decide(scope, procedimento__descricao="Ressonância do crânio")
    novo = await casa.links.criar(scope, decidida.id)
    assert await casa.links.conferir(secret_of(novo)) == "De teste"
    lida = await casa.links.ler(secret_of(novo), f" {novo.codigo[:3]}-{novo.codigo[3:]} ")
    assert lida.mensagem == json.loads(decidida.decisao)["mensagens"]["para_beneficiario"]
    assert (lida.decisao_final, lida.vale_ate, lida.revista) == ("APROVADO", date(2026, 12, 20), False)
    assert lida.pedido == PedidoDito("P-1", "Ressonância do crânio", "PRATA", "2026-10-05", 1)
    visto = await casa.links.situacao(scope, decidida.id)
    assert visto is not None
    assert (visto.situacao, visto.aberturas) == ("em_uso", 1)


async def test_after_a_persons_decision_it_is_that_which_is_read(casa: Casa, scope: Scope) -> None:
    decidida = await casa.decide(scope)
    novo = await casa.links.criar(scope, decidida.id)
    mensagens = Mensagens(para_solicitante="Técnica.", para_beneficiario="Uma pessoa reviu: não foi aprovado. Procure o seu plano.")
    proposta = RevisaoProposta(decisao_final="NEGADO", motivo="O laudo era de outra pessoa.", mensagens=mensagens)
    await casa.revisoes.decidir(scope, decidida.id, proposta, livre=True)
    lida = await casa.links.ler(secret_of(novo), novo.codigo)
    assert (lida.decisao_final, lida.mensagem, lida.vale_ate, lida.revista) == ("NEGADO", mensagens.para_beneficiario, None, True)


async def test_what_a_later_guia_replaced_is_not_read_as_holding(casa: Casa, scope: Scope) -> None:
    """Nobody is to book by an approval that was cancelled."""
    head = {"administradora_id": "123456", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
    regras = [regra(codigo="10000001", prazo_validade_autorizacao_dias=30)]
    await casa.politicas.importar(scope, json.dumps({**head, "regras": regras}).encode(), publicar=True)
    tiss = Tiss(casa.database, casa.autorizacoes, Esquema(None))
    decided = [(await tiss.decidir(scope, mensagem(sadt(procedimento("10000001", n))))).decididas[0].autorizacao for n in ("2", "1")]
    told = []
    for one in decided:
        novo = await casa.links.criar(scope, one.id)
        lida = await casa.links.ler(secret_of(novo), novo.codigo)
        told.append((lida.decisao_final, lida.substituida, lida.vale_ate))
    assert told == [("APROVADO", True, None), ("APROVADO", False, date(2026, 12, 20))]


async def test_what_was_asked_for_stands_beside_what_was_approved(casa: Casa, scope: Scope) -> None:
    decidida = await casa.decide(scope, procedimento__quantidade=5)
    novo = await casa.links.criar(scope, decidida.id)
    lida = await casa.links.ler(secret_of(novo), novo.codigo)
    assert (lida.decisao_final, lida.pedido.quantidade, lida.quantidade_aprovada) == ("APROVADO_PARCIAL", 5, 2)
    assert LeituraVista.of(lida).aprovado == "2 de 5"


async def test_where_no_regra_is_found_nothing_is_asked_of_the_beneficiario_until_a_person_does(casa: Casa, scope: Scope) -> None:
    decidida = await casa.decide(scope, procedimento__codigo="99999999")
    novo = await casa.links.criar(scope, decidida.id)
    lida = LeituraVista.of(await casa.links.ler(secret_of(novo), novo.codigo))
    assert lida.resultado[0] == "Em análise por uma pessoa"
    assert "este mesmo link" in " ".join(lida.agora)
    assert "falta" not in " ".join((lida.um.mensagem, *lida.agora))
    proposta = RevisaoProposta(decisao_final="PENDENTE_AJUSTES", motivo="Falta o laudo do exame anterior.")
    await casa.revisoes.decidir(scope, decidida.id, proposta, livre=True)
    revista = LeituraVista.of(await casa.links.ler(secret_of(novo), novo.codigo))
    assert (revista.resultado[0], revista.um.falta) == ("Falta algo para decidir", "envio")


async def test_a_cpf_in_a_persons_reason_leaves_in_clear_by_no_door(casa: Casa, scope: Scope) -> None:
    decidida = await casa.decide(scope)
    novo = await casa.links.criar(scope, decidida.id)
    proposta = RevisaoProposta(decisao_final="NEGADO", motivo="O laudo era do titular de CPF 529.982.247-25, não dela.")
    made = await casa.revisoes.decidir(scope, decidida.id, proposta, livre=True)
    (kept,) = await casa.revisoes.historico(scope, decidida.id)
    message = body_of(decidida, kept, "inteiro", "https://crivo.exemplo.org").decode()
    lida = await casa.links.ler(secret_of(novo), novo.codigo)
    for told in (lida.mensagem, message, made.motivo, made.mensagens.para_solicitante):
        assert "***.982.247-**" in told
        assert "529.982" not in told


async def test_five_wrong_codes_close_the_link_to_the_right_one_too(casa: Casa, scope: Scope) -> None:
    novo = await casa.links.criar(scope, (await casa.decide(scope)).id)
    wrong = "000000" if novo.codigo != "000000" else "111111"
    for left in (4, 3, 2, 1):
        with pytest.raises(CodigoErrado) as refused:
            await casa.links.ler(secret_of(novo), wrong)
        assert refused.value.restam == left
    for codigo in (wrong, novo.codigo):
        with pytest.raises(LinkFechado, match="cinco vezes"):
            await casa.links.ler(secret_of(novo), codigo)


async def test_who_guesses_at_once_has_no_more_tries(casa: Casa, scope: Scope) -> None:
    novo = await casa.links.criar(scope, (await casa.decide(scope)).id)
    wrong = [f"{int(novo.codigo) + at:06d}"[-6:] for at in range(1, 13)]
    ended = await asyncio.gather(*[casa.links.ler(secret_of(novo), one) for one in wrong], return_exceptions=True)
    assert sum(isinstance(one, CodigoErrado) for one in ended) == 4
    assert sum(isinstance(one, LinkFechado) for one in ended) == 8


async def test_another_link_a_revocation_and_a_month_end_it(casa: Casa, scope: Scope) -> None:
    decidida = await casa.decide(scope)
    first = await casa.links.criar(scope, decidida.id)
    second = await casa.links.criar(scope, decidida.id)
    with pytest.raises(LinkFechado, match="fez outro depois"):
        await casa.links.ler(secret_of(first), first.codigo)
    await casa.links.ler(secret_of(second), second.codigo)
    casa.relogio.passa(days=30)
    with pytest.raises(LinkFechado, match="prazo"):
        await casa.links.conferir(secret_of(second))
    third = await casa.links.criar(scope, decidida.id)
    await casa.links.revogar(scope, decidida.id)
    with pytest.raises(LinkFechado, match="cancelou"):
        await casa.links.conferir(secret_of(third))


async def test_the_same_form_sent_again_closes_no_link(casa: Casa, scope: Scope) -> None:
    decidida = await casa.decide(scope)
    first = await casa.links.criar(scope, decidida.id, "")
    with pytest.raises(LinkJaFeito, match="continua abrindo"):
        await casa.links.criar(scope, decidida.id, "")
    await casa.links.ler(secret_of(first), first.codigo)
    visto = await casa.links.situacao(scope, decidida.id)
    assert visto is not None
    second = await casa.links.criar(scope, decidida.id, str(visto.id))
    assert (first.fechou, second.fechou) == (False, True)
    await casa.links.ler(secret_of(second), second.codigo)


@pytest.mark.parametrize("wrong", ["", "local", "local.abc", "LOCAL.abc", "../x", "outra." + "a" * 32, "-.b" + "a" * 31, "x" * 500])
async def test_what_is_no_link_opens_nothing(casa: Casa, wrong: str) -> None:
    with pytest.raises(LinkNotFound):
        await casa.links.conferir(wrong)
    with pytest.raises(LinkNotFound):
        await casa.links.ler(wrong, "123456")


@pytest.mark.parametrize("codigo", ["", "12345", "1234567", "abcdef", "١٢٣٤٥٦", "12345\0", "9" * 5_000])
async def test_what_is_no_code_opens_nothing_and_costs_no_try(casa: Casa, scope: Scope, codigo: str) -> None:
    novo = await casa.links.criar(scope, (await casa.decide(scope)).id)
    with pytest.raises(CodigoIncompleto, match="seis algarismos"):
        await casa.links.ler(secret_of(novo), codigo)
    with pytest.raises(CodigoErrado) as refused:
        await casa.links.ler(secret_of(novo), "000000" if novo.codigo != "000000" else "111111")
    assert refused.value.restam == 4


async def test_what_was_erased_is_gone_and_says_so(casa: Casa, scope: Scope) -> None:
    decidida = await casa.decide(scope)
    novo = await casa.links.criar(scope, decidida.id)
    async with casa.database.unit_of_work(scope) as uow:
        await uow.cofre.destroy(uow, [decidida.id], casa.relogio.now())
    for opening in (casa.links.conferir(secret_of(novo)), casa.links.ler(secret_of(novo), novo.codigo)):
        with pytest.raises(DadosApagados):
            await opening
    with pytest.raises(DadosApagados):
        await casa.links.criar(scope, decidida.id)


async def test_a_link_is_made_of_ones_own_decisions_alone(casa: Casa, scope: Scope, new_tenant: Callable[[], Scope]) -> None:
    decidida = await casa.decide(scope)
    for elsewhere, which in ((new_tenant(), decidida.id), (scope, uuid4())):
        with pytest.raises(AutorizacaoNotFound):
            await casa.links.criar(elsewhere, which)
