"""A guia is decided by the same use cases as every pedido: stored, once, under the acts of who sends it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from casa_de_autorizacoes import NOW, Casa
from casos import regra
from crivo.autorizacoes.guardadas import Resumo
from crivo.autorizacoes.revisao import RevisaoProposta, Revisoes
from crivo.autorizacoes.tiss.erros import SemGuia
from crivo.autorizacoes.tiss.pedidos import Complemento
from crivo.autorizacoes.tiss.porta import Tiss
from crivo.autorizacoes.tiss.xml import Esquema, child, parse, text_at
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.identity import Uuid7
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from guias_tiss import NS, mensagem, procedimento, sadt

TWO = mensagem(sadt(procedimento("10000001"), procedimento("10000002", "2")))


@pytest.fixture
async def casa(database: Database, scope: Scope) -> Casa:
    made = Casa(database)
    await made.publish(
        scope, regra(codigo="10000001"), regra(regra_id="R2", codigo="10000002", cobertura="NAO_COBERTA"), administradora_id="123456"
    )
    return made


@pytest.fixture
def tiss(casa: Casa) -> Tiss:
    return Tiss(casa.database, casa.autorizacoes, Esquema(None))


def status(answer: bytes) -> str:
    node = child(parse(answer), "operadoraParaPrestador/autorizacaoServicos/autorizacaoServico")
    return text_at(node, "statusSolicitacao")


async def test_each_procedimento_is_a_decision_of_its_own_with_the_guia_beside_it(tiss: Tiss, scope: Scope) -> None:
    respondida = await tiss.decidir(scope, TWO)
    assert [(one.autorizacao.pedido_id, one.autorizacao.decisao_final) for one in respondida.decididas] == [
        ("G1", "APROVADO"),
        ("G1-2", "NEGADO"),
    ]
    pedidos = [json.loads(one.autorizacao.pedido) for one in respondida.decididas]
    assert {pedido["tiss"]["mensagem"] for pedido in pedidos} == {pedidos[0]["tiss"]["mensagem"]}
    trail = json.loads(respondida.decididas[0].autorizacao.trilha)
    assert trail["etapas"]["normalizacao"]["pedido_normalizado"]["extras"]["tiss"]["item"] == 1
    assert trail["etapas"]["normalizacao"]["alertas"] == ["idade_nao_informada", "carencia_nao_informada"]


async def test_the_same_bytes_have_the_same_answer_and_others_are_decided_anew(tiss: Tiss, casa: Casa, scope: Scope) -> None:
    first = await tiss.decidir(scope, TWO)
    await casa.publish(scope, regra(codigo="10000001", cobertura="NAO_COBERTA", plano_id="OURO"), administradora_id="123456", versao="3.0")
    again = await tiss.decidir(scope, TWO)
    assert again.xml == first.xml
    assert all(one.repetida for one in again.decididas)
    told = await tiss.decidir(scope, TWO, Complemento(plano="OURO"))
    assert not any(one.repetida for one in told.decididas)


async def test_what_was_cut_short_goes_on_where_it_was(tiss: Tiss, casa: Casa, scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    decidir = casa.autorizacoes.decidir

    async def only_the_first(scope: Scope, raw: bytes, chave: str | None = None) -> Any:
        if chave is not None and chave.endswith(":2"):
            raise SemGuia
        return await decidir(scope, raw, chave)

    with monkeypatch.context() as patched:
        patched.setattr(casa.autorizacoes, "decidir", only_the_first)
        with pytest.raises(SemGuia):
            await tiss.decidir(scope, TWO)
    again = await tiss.decidir(scope, TWO)
    assert [one.repetida for one in again.decididas] == [True, False]


async def test_a_stored_decision_gives_the_answer_to_its_whole_guia(tiss: Tiss, scope: Scope, casa: Casa) -> None:
    respondida = await tiss.decidir(scope, TWO)
    for one in respondida.decididas:
        assert await tiss.responder(scope, one.autorizacao.id) == respondida.xml
    async with casa.database.unit_of_work(scope) as uow:
        read = [entry.alvo for entry in await list_latest(uow, 20) if entry.acao == "autorizacao.lida"]
    assert len(read) == 4  # each reading tells of both, as both are shown


async def test_what_a_person_decided_since_is_in_the_answer(tiss: Tiss, casa: Casa, scope: Scope) -> None:
    respondida = await tiss.decidir(scope, TWO)
    assert status(respondida.xml) == "7"
    denied = respondida.decididas[1].autorizacao.id
    proposta = RevisaoProposta(decisao_final="APROVADO", motivo="Aprovado pela junta médica.")
    revisoes = Revisoes(casa.database, NOW, Uuid7(NOW).new)
    await revisoes.decidir(scope, denied, proposta, livre=True)
    answer = await tiss.responder(scope, denied)
    assert status(answer) == "1"
    assert "junta médica" in answer.decode("iso-8859-1")
    assert (await tiss.decidir(scope, TWO)).xml == respondida.xml


async def test_a_pedido_of_another_door_has_no_guia_to_answer(tiss: Tiss, casa: Casa, scope: Scope) -> None:
    stored = (await casa.autorizacoes.decidir(scope, b'{"pedido_id": "1", "tiss": 3}')).autorizacao
    with pytest.raises(SemGuia):
        await tiss.responder(scope, stored.id)


@pytest.mark.parametrize(
    "change",
    [
        lambda de: de | {"itens": 10**9},
        lambda de: de | {"item": 0},
        lambda de: de | {"guia": de["guia"] | {"origem": {"por": "a b", "valor": "1"}}},
        lambda de: de | {"guia": {}},
    ],
)
async def test_what_only_looks_like_a_guia_is_none(tiss: Tiss, casa: Casa, scope: Scope, change: Any) -> None:
    real = json.loads((await tiss.decidir(scope, TWO)).decididas[0].autorizacao.pedido)
    forged = json.dumps(real | {"pedido_id": "F", "tiss": change(real["tiss"])}).encode()
    stored = (await casa.autorizacoes.decidir(scope, forged)).autorizacao
    with pytest.raises(SemGuia):
        await tiss.responder(scope, stored.id)


@pytest.fixture
async def limitada(database: Database, scope: Scope) -> Tiss:
    """The door of a house where two of a procedimento are given a year."""
    made = Casa(database)
    await made.publish(
        scope,
        regra(codigo="10000001", limites=[{"quantidade": 2, "periodo_dias": 365}], limite_quantidade=10),
        regra(regra_id="R2", codigo="10000002"),
        administradora_id="123456",
    )
    return Tiss(made.database, made.autorizacoes, Esquema(None))


def texts(answer: bytes, name: str) -> list[str]:
    return [node.text for node in parse(answer).iter(f"{{{NS}}}{name}")]


async def test_a_guia_that_is_corrected_replaces_what_it_was_given_and_says_so(limitada: Tiss, scope: Scope) -> None:
    """Neither refused because of its own earlier approval, nor given twice."""
    two = procedimento("10000001", "2")
    first = (await limitada.decidir(scope, mensagem(sadt(two)))).xml
    corrected = (await limitada.decidir(scope, mensagem(sadt(procedimento("10000002"), two)))).xml
    assert (status(first), status(corrected)) == ("1", "1")
    (before,) = texts(first, "senha")
    assert f"Substitui a senha {before}" in texts(corrected, "observacao")[0]
    other = sadt(two, cabecalhoSolicitacao={"registroANS": "123456", "numeroGuiaPrestador": "G2"})
    another = (await limitada.decidir(scope, mensagem(other))).xml
    assert (status(another), "Substitui" in texts(another, "observacao")[0]) == ("4", False)
    denied = (await limitada.decidir(scope, mensagem(sadt(procedimento("99999999"))))).xml
    assert f"A senha {texts(corrected, 'senha')[0]}, desta mesma guia, continua valendo." in texts(denied, "observacao")[0]
    assert (await limitada.decidir(scope, mensagem(sadt(two)))).xml == first


async def test_a_procedimento_in_several_lines_is_held_to_its_limit_as_one(limitada: Tiss, scope: Scope) -> None:
    lines = [procedimento("10000001", "1"), procedimento("10000002"), procedimento("1000000-1", "1"), procedimento("10000001", "9")]
    respondida = await limitada.decidir(scope, mensagem(sadt(*lines)))
    assert [one.autorizacao.pedido_id for one in respondida.decididas] == ["G1", "G1-2"]
    assert texts(respondida.xml, "sequencialItem") == ["1", "2", "3", "4"]
    assert texts(respondida.xml, "quantidadeSolicitada") == ["1", "1", "1", "9"]
    assert texts(respondida.xml, "quantidadeAutorizada") == ["1", "1", "1", "0"]
    assert "Itens 1, 3 e 4: são o mesmo procedimento, e foram decididos juntos." in texts(respondida.xml, "observacao")[0]
    for one in respondida.decididas:
        assert await limitada.responder(scope, one.autorizacao.id) == respondida.xml


async def test_a_senha_that_was_given_stays_when_a_person_approves_another_procedimento(tiss: Tiss, casa: Casa, scope: Scope) -> None:
    respondida = await tiss.decidir(scope, mensagem(sadt(procedimento("10000002"), procedimento("10000001"))))
    denied = respondida.decididas[0].autorizacao.id
    proposta = RevisaoProposta(decisao_final="APROVADO", motivo="Aprovado pela junta médica.")
    await Revisoes(casa.database, NOW, Uuid7(NOW).new).decidir(scope, denied, proposta, livre=True)
    after = await tiss.responder(scope, denied)
    assert (status(respondida.xml), status(after)) == ("7", "1")
    assert texts(after, "senha") == texts(respondida.xml, "senha")


async def test_what_a_later_message_of_the_guia_replaced_waits_for_nobody_any_more(tiss: Tiss, casa: Casa, scope: Scope) -> None:
    revisoes = Revisoes(casa.database, NOW, Uuid7(NOW).new)
    refused = [procedimento("10000002", quantas) for quantas in ("2", "3", "4")]
    twice = mensagem(sadt(procedimento("10000002", "2"), procedimento("10000003")))
    await tiss.decidir(scope, twice)
    await tiss.decidir(scope, mensagem(sadt(refused[0], cabecalhoSolicitacao={"registroANS": "123456", "numeroGuiaPrestador": "OUTRA"})))
    assert len(await revisoes.fila(scope)) == 3
    await tiss.decidir(scope, mensagem(sadt(refused[1])))
    last = await tiss.decidir(scope, mensagem(sadt(refused[2])))
    waiting = await revisoes.fila(scope)
    assert {one.pedido_id for one in waiting} == {"G1", "OUTRA"}
    assert last.decididas[0].autorizacao.id in {one.id for one in waiting}
    assert (await revisoes.panorama(scope)).total == 2
    first = (await tiss.decidir(scope, twice)).decididas[0].autorizacao
    assert await revisoes.prazos(scope, [Resumo(first.id, "G1", None, first.decisao_final, first.recebida_em)]) == {}


async def test_a_number_that_comes_again_otherwise_is_another_pedido(tiss: Tiss, casa: Casa, scope: Scope) -> None:
    revisoes = Revisoes(casa.database, NOW, Uuid7(NOW).new)
    refused = procedimento("10000002")
    await tiss.decidir(scope, mensagem(sadt(refused)))
    await tiss.decidir(scope, mensagem(sadt(refused, dadosBeneficiario={"numeroCarteira": "000999999999", "atendimentoRN": "N"})))
    for _ in range(2):
        await casa.autorizacoes.decidir(scope, b'{"pedido_id": "G1", "administradora_id": "123456", "procedimento": {"codigo": "1"}}')
    assert len(await revisoes.fila(scope)) == 4
