"""A guia is decided by the same use cases as every pedido: stored, once, under the acts of who sends it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from casa_de_autorizacoes import NOW, Casa
from casos import regra
from crivo.autorizacoes.guardadas import Resumo
from crivo.autorizacoes.revisao import RevisaoProposta, Revisoes
from crivo.autorizacoes.tiss.erros import MensagemRecusada, SemGuia
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


async def test_a_guia_that_was_replaced_is_cancelled_wherever_it_is_told_again(database: Database, scope: Scope) -> None:
    """Two of a limit of two are never four: the first message, sent again or read, says that it holds no more, and by what."""
    casa = Casa(database)
    await casa.publish(scope, regra(codigo="10000001", limites=[{"quantidade": 2, "periodo_dias": 365}]), administradora_id="123456")
    tiss = Tiss(casa.database, casa.autorizacoes, Esquema(None))
    two, one = mensagem(sadt(procedimento("10000001", "2"))), mensagem(sadt(procedimento("10000001", "1")))
    first, corrected = await tiss.decidir(scope, two), await tiss.decidir(scope, one)
    stored = first.decididas[0].autorizacao
    (nova,), (antes,) = texts(corrected.xml, "senha"), texts(first.xml, "senha")
    again = await tiss.decidir(scope, two)
    for told in (again.xml, await tiss.responder(scope, stored.id)):
        assert (status(told), texts(told, "senha"), texts(told, "quantidadeAutorizada")) == ("6", [], ["0"])
        assert texts(told, "codigoGlosa") == ["1308"]
        assert texts(told, "observacao")[0].startswith(f"CANCELADA: a senha {antes} não vale mais. Vale a senha {nova},")
        assert "APROVADO" not in texts(told, "observacao")[0]
    assert (again.decididas[0].repetida, again.decididas[0].autorizacao) == (True, stored)
    assert status((await tiss.decidir(scope, one)).xml) == "1"
    assert await casa.autorizacoes.substituida_por(scope, stored) == corrected.decididas[0].autorizacao
    assert await casa.autorizacoes.substituida_por(scope, corrected.decididas[0].autorizacao) is None
    # What a person takes back of the later message, the earlier one has again: limits count so too.
    proposta = RevisaoProposta(decisao_final="NEGADO", motivo="Enviada por engano, segundo a clínica.")
    await Revisoes(casa.database, NOW, Uuid7(NOW).new).decidir(scope, corrected.decididas[0].autorizacao.id, proposta, livre=True)
    assert (await tiss.decidir(scope, two)).xml == first.xml


async def test_a_correction_that_a_person_approves_later_cancels_the_guia_before_it(database: Database, scope: Scope) -> None:
    casa = Casa(database)
    limit = [{"quantidade": 2, "periodo_dias": 365}]
    await casa.publish(
        scope, regra(codigo="10000001", limites=limit, restricoes_idade={"min": 18, "max": None}), administradora_id="123456"
    )
    tiss = Tiss(casa.database, casa.autorizacoes, Esquema(None))
    two = mensagem(sadt(procedimento("10000001", "2")))
    first = await tiss.decidir(scope, two, Complemento(idade=40))
    denied = await tiss.decidir(scope, two, Complemento(idade=10))
    assert (status(first.xml), status(denied.xml)) == ("1", "3")
    proposta = RevisaoProposta(decisao_final="APROVADO", motivo="A idade foi conferida no cadastro.")
    await Revisoes(casa.database, NOW, Uuid7(NOW).new).decidir(scope, denied.decididas[0].autorizacao.id, proposta, livre=True)
    assert status(await tiss.responder(scope, denied.decididas[0].autorizacao.id)) == "1"
    assert status(await tiss.responder(scope, first.decididas[0].autorizacao.id)) == "6"


async def test_guias_of_two_who_number_alike_are_two(limitada: Tiss, scope: Scope) -> None:
    """Each who sends guias numbers them: what one was given counts for the other."""
    two = sadt(procedimento("10000001", "2"))
    first = (await limitada.decidir(scope, mensagem(two))).xml
    outra = mensagem(two, origem={"identificacaoPrestador": {"codigoPrestadorNaOperadora": "0002"}})
    assert (status(first), status((await limitada.decidir(scope, outra)).xml)) == ("1", "4")


async def test_what_a_correction_leaves_out_of_what_was_said_is_told(tiss: Tiss, scope: Scope) -> None:
    """The age that denies is not to be forgotten without a word. PRD RF4: an age that is not known is not checked."""
    await tiss.decidir(scope, TWO, Complemento(idade=70, carencia_cumprida_dias=400))
    later = mensagem(sadt(procedimento("10000001")))
    note = texts((await tiss.decidir(scope, later, Complemento(carencia_cumprida_dias=400))).xml, "observacao")[0]
    assert "A mensagem anterior desta guia dizia a idade do beneficiário, e esta não diz: foi decidida sem isso." in note
    assert note.count("A mensagem anterior desta guia") == 1
    again = mensagem(sadt(procedimento("10000001", "2")))
    assert (
        "A mensagem anterior" not in texts((await tiss.decidir(scope, again, Complemento(carencia_cumprida_dias=1))).xml, "observacao")[0]
    )


async def test_a_guia_of_a_day_that_is_far_from_here_is_refused(tiss: Tiss, scope: Scope) -> None:
    """It would be counted in another period, and its senha would end before it began."""
    await tiss.decidir(scope, mensagem(sadt(procedimento("10000001"), dataSolicitacao="2026-11-21")))
    with pytest.raises(MensagemRecusada) as refused:
        await tiss.decidir(scope, mensagem(sadt(procedimento("10000001"), dataSolicitacao="2026-11-22")))
    assert refused.value.problemas[0].caminho == "dataSolicitacao"


async def test_values_are_one_for_each_line(tiss: Tiss, scope: Scope) -> None:
    with pytest.raises(MensagemRecusada):
        await tiss.decidir(scope, TWO, Complemento(valores=(1.0,)))


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
