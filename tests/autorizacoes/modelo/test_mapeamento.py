"""A name that no table knows: proposed by the model, once; applied by a person, with a reason; never by itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import msgspec
import pytest

from casa_de_autorizacoes import Casa
from casos import decide, pedido, regra
from crivo.autorizacoes.modelo.desconhecidos import missing_destinos, shape, unknown_fields
from crivo.autorizacoes.modelo.mapeamento import MapeamentoDecidido, MapeamentoNotFound, MotivoAusente, Proposta
from crivo.autorizacoes.modelo.trabalhos import MAPEAMENTO
from crivo.kernel.audit import verify_tenant
from crivo.kernel.llm.port import ModeloIndisponivel
from crivo.kernel.tenancy import Scope
from modelo_de_autorizacoes import dados
from modelo_falso import ModeloFalso

Casas = Callable[..., Casa]


def raw(**changes: Any) -> bytes:
    return json.dumps(pedido(**changes)).encode()


SEM_NUMERO = raw(pedido_id=None, nroSolicitado="SOL-77", observacaoInterna="Ana pediu pressa")


def proposing(**destinos: str | None) -> ModeloFalso:
    """A model that fails at texts and proposes these."""

    def responde(question: Any) -> Any:
        if question.resposta is not Proposta:
            return "fora_do_ar"
        return {"correspondencias": [{"origem": origem, "destino": destino} for origem, destino in destinos.items()]}

    return ModeloFalso(responde)


async def proposed(casa: Casa, scope: Scope, body: bytes = SEM_NUMERO) -> Any:
    decidida = (await casa.autorizacoes.decidir(scope, body)).autorizacao
    await casa.work(scope, MAPEAMENTO, decidida.id)
    return decidida


@pytest.mark.parametrize("modo", ["assistido", "sombra"])
async def test_a_confirmed_name_is_known_from_then_on(casa: Casas, scope: Scope, modo: str) -> None:
    """PRD 1.2/6: múltiplos campos equivalentes, para cada administradora."""
    one = casa(proposing(nro_solicitado="pedido_id", observacao_interna=None), modo)
    await one.publish(scope, regra())
    antes = await proposed(one, scope)
    (proposta,) = await one.mapeamentos.listar(scope)
    assert (proposta.administradora_id, proposta.origem, proposta.destino) == ("ADM-1", "nro_solicitado", "pedido_id")
    assert (proposta.situacao, proposta.modelo, proposta.autorizacao_id) == ("proposto", "falso:um", antes.id)
    assert (await one.autorizacoes.decidir(scope, SEM_NUMERO)).autorizacao.pedido_id is None

    confirmada = await one.mapeamentos.confirmar(scope, proposta.id, "conferi com a ADM-1")
    assert (confirmada.situacao, confirmada.decidido_por, confirmada.motivo) == ("confirmado", "teste", "conferi com a ADM-1")
    depois = (await one.autorizacoes.decidir(scope, SEM_NUMERO)).autorizacao
    assert (depois.pedido_id, depois.catalogo_versao) == ("SOL-77", antes.catalogo_versao + 1)
    assert (await one.autorizacoes.conferir(scope, str(antes.id))).confere
    assert (await one.autorizacoes.regras_em_vigor(scope)).campos["ADM-1"] == {"nro_solicitado": "pedido_id"}


async def test_a_name_grows_the_table_that_a_person_wrote(casa: Casas, scope: Scope) -> None:
    one = casa(proposing(nro_solicitado="pedido_id"), "assistido")
    await one.publish(scope, regra())
    await one.politicas.definir_campos(scope, "ADM-1", {"lote": "plano_id"})
    await proposed(one, scope)
    (proposta,) = await one.mapeamentos.listar(scope, "proposto")
    await one.mapeamentos.confirmar(scope, proposta.id, "certo")
    assert (await one.autorizacoes.regras_em_vigor(scope)).campos["ADM-1"] == {"lote": "plano_id", "nro_solicitado": "pedido_id"}


async def test_the_decision_is_in_the_audit_with_who_and_why(casa: Casas, scope: Scope) -> None:
    one = casa(proposing(nro_solicitado="pedido_id"), "assistido")
    await one.publish(scope, regra())
    await proposed(one, scope)
    (proposta,) = await one.mapeamentos.listar(scope)
    await one.mapeamentos.confirmar(scope, proposta.id, "certo")
    async with one.database.unit_of_work(scope) as uow:
        found = await uow.connection.exec_driver_sql("select ator, dados from auditoria where acao = 'mapeamento.confirmado'")
        row = found.one()
        assert (await verify_tenant(uow)).quebras == ()
    assert (row.ator, json.loads(row.dados)["motivo"]) == ("teste", "certo")


async def test_a_refused_name_is_never_applied_nor_proposed_again(casa: Casas, scope: Scope) -> None:
    modelo = proposing(nro_solicitado="pedido_id")
    one = casa(modelo, "sombra")
    await one.publish(scope, regra())
    await proposed(one, scope, raw(pedido_id=None, nroSolicitado="SOL-77"))
    (proposta,) = await one.mapeamentos.listar(scope)
    await one.mapeamentos.recusar(scope, proposta.id, "é o número do lote")
    asked = len(modelo.perguntas)
    again = await proposed(one, scope, raw(pedido_id=None, nroSolicitado="SOL-78"))
    assert (again.pedido_id, len(modelo.perguntas)) == (None, asked)
    assert [found.situacao for found in await one.mapeamentos.listar(scope)] == ["recusado"]


async def test_a_decision_about_a_proposal_stands(casa: Casas, scope: Scope) -> None:
    one = casa(proposing(nro_solicitado="pedido_id"), "assistido")
    await one.publish(scope, regra())
    await proposed(one, scope)
    (proposta,) = await one.mapeamentos.listar(scope)
    with pytest.raises(MotivoAusente):
        await one.mapeamentos.confirmar(scope, proposta.id, "  ")
    first = await one.mapeamentos.confirmar(scope, proposta.id, "certo")
    assert await one.mapeamentos.confirmar(scope, proposta.id, "de novo") == first
    with pytest.raises(MapeamentoDecidido, match="confirmada"):
        await one.mapeamentos.recusar(scope, proposta.id, "mudei de ideia")
    with pytest.raises(MapeamentoNotFound):
        await one.mapeamentos.recusar(scope, uuid4(), "não há")


async def test_the_model_sees_names_and_shapes_and_no_value(casa: Casas, scope: Scope) -> None:
    modelo = proposing()
    one = casa(modelo, "sombra")
    await one.publish(scope, regra())
    await proposed(one, scope)
    (question,) = [found for found in modelo.perguntas if found.resposta is Proposta]
    shown = dados(question)
    assert json.loads(shown["campos_desconhecidos"]) == [
        {"origem": "nro_solicitado", "forma": "texto de uma palavra"},
        {"origem": "observacao_interna", "forma": "texto de várias palavras"},
    ]
    assert "pedido_id" in json.loads(shown["destinos_vazios"])
    everything = "".join([*shown.values(), *(parte for parte in question.partes if isinstance(parte, str))])
    assert not any(value in everything for value in ("SOL-77", "Ana", "ADM-1", "B-1"))


@pytest.mark.parametrize(
    ("origem", "destino"), [("nro_solicitado", "procedimento.codigo"), ("inventado", "pedido_id"), ("nro_solicitado", None)]
)
async def test_what_was_not_asked_or_is_not_missing_is_not_proposed(casa: Casas, scope: Scope, origem: str, destino: str | None) -> None:
    one = casa(proposing(**{origem: destino}), "assistido")
    await one.publish(scope, regra())
    await proposed(one, scope)
    assert await one.mapeamentos.listar(scope) == []


async def test_two_names_are_not_proposed_for_one_field(casa: Casas, scope: Scope) -> None:
    one = casa(proposing(nro_solicitado="pedido_id", observacao_interna="pedido_id"), "assistido")
    await one.publish(scope, regra())
    await proposed(one, scope)
    assert [found.origem for found in await one.mapeamentos.listar(scope)] == ["nro_solicitado"]


async def test_a_pedido_with_nothing_missing_or_nothing_unknown_leaves_no_job(casa: Casas, scope: Scope) -> None:
    one = casa(proposing(), "assistido")
    await one.publish(scope, regra())
    whole = raw(beneficiario__data_nascimento="1976-03-02", documentos_anexos=["LAUDO"], xyz="a")
    for body, jobs in ((whole, 0), (raw(pedido_id=None), 0), (SEM_NUMERO, 1)):
        decidida = (await one.autorizacoes.decidir(scope, body)).autorizacao
        assert await one.queued(scope, decidida.id) == jobs


async def test_a_pedido_of_nobody_knows_whom_grows_no_table(casa: Casas, scope: Scope) -> None:
    modelo = proposing(adm="administradora_id")
    one = casa(modelo, "sombra")
    await proposed(one, scope, raw(administradora_id=None, adm="ADM-1"))
    assert [question for question in modelo.perguntas if question.resposta is Proposta] == []


async def test_a_model_that_is_away_leaves_the_job_to_be_tried_again(casa: Casas, scope: Scope) -> None:
    one = casa(ModeloFalso(lambda _: "fora_do_ar"), "assistido")
    await one.publish(scope, regra())
    with pytest.raises(ModeloIndisponivel):
        await proposed(one, scope)
    assert await one.mapeamentos.listar(scope) == []


async def test_jobs_left_by_a_model_that_was_taken_away_are_let_go(casa: Casas, scope: Scope) -> None:
    com, sem = casa(proposing(), "sombra"), casa()
    await com.publish(scope, regra())
    decidida = (await com.autorizacoes.decidir(scope, SEM_NUMERO)).autorizacao
    for name in sem.tasks:
        await sem.work(scope, name, decidida.id)
    assert await sem.mapeamentos.listar(scope) == []


async def test_another_tenants_proposals_are_not_there(casa: Casas, scope: Scope, new_tenant: Callable[[], Scope]) -> None:
    one = casa(proposing(nro_solicitado="pedido_id"), "assistido")
    await one.publish(scope, regra())
    await proposed(one, scope)
    (proposta,) = await one.mapeamentos.listar(scope)
    other = new_tenant()
    assert await one.mapeamentos.listar(other) == []
    with pytest.raises(MapeamentoNotFound):
        await one.mapeamentos.confirmar(other, proposta.id, "não é meu")


def test_fields_are_known_by_path_one_object_deep_and_never_by_a_name_that_may_be_somebodys() -> None:
    sent = pedido(paciente={"matricula": "1", "Nome Completo": "Ana"}, cpf12345678900="x", beneficiario__apelido="A", dt_solic="2026-10-05")
    found = unknown_fields(decide(sent, regra()).etapas.normalizacao, {"dt_solic": "data_pedido"})
    assert [one.origem for one in found] == ["beneficiario.apelido", "paciente.matricula", "paciente.nome_completo"]


def test_a_date_that_was_presumed_is_missing() -> None:
    assert "data_pedido" in missing_destinos(decide(pedido(data_pedido=None), regra()).etapas.normalizacao)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "sim ou não"),
        (3, "número"),
        (2.5, "número"),
        ("05/10/2026", "texto com uma data"),
        ("2026-10-05T10:00", "texto com uma data"),
        ("00123", "texto só de algarismos"),
        ("ABC", "texto de uma palavra"),
        ("Ana Braga", "texto de várias palavras"),
        (["a b"], "lista de texto de várias palavras"),
        ([], "lista vazia"),
        ({"a": 1}, "objeto"),
    ],
)
def test_the_shape_of_a_value_tells_nothing_of_it(value: object, expected: str) -> None:
    assert shape(value) == expected
    assert msgspec.json.encode(value).decode().strip('"') not in expected
