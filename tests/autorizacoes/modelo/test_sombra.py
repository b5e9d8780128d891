"""`sombra`: the code answers at once and stands; what the model would have answered is compared afterwards, and counted."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from casa_de_autorizacoes import NOW, Casa
from casos import decide, pedido, regra
from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.modelo.comparacao import compare_answer
from crivo.autorizacoes.modelo.concordancia import Concordancia, measure
from crivo.autorizacoes.modelo.mapeamento import Proposta
from crivo.autorizacoes.modelo.textos import decidido_of
from crivo.autorizacoes.modelo.trabalhos import SOMBRA
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.jobs.worker import Rhythm, Worker, working
from crivo.kernel.llm.port import Question
from crivo.kernel.tenancy import Scope
from modelo_de_autorizacoes import as_the_code, dados
from modelo_falso import ModeloFalso

FILE = Path(__file__).parents[4] / "shared/data/autorizacoes/exemplos.json"
Casas = Callable[..., Casa]
RAPIDO = Rhythm(heartbeat=0.5, stalled=4.0, rescue=0.2, poll=0.2, grace=5.0, pause=0.1)


class Ator:
    """A model that answers as the code for the decision at hand, but for what a test puts in its place."""

    def __init__(self, **changes: Any) -> None:
        self.trilha: Trilha | None = None
        self.changes = {path.replace("__", "."): novo for path, novo in changes.items()}
        self.modelo = ModeloFalso(self._responde)

    def _responde(self, question: Question[Any]) -> Any:
        if question.resposta is Proposta:
            return Proposta(())
        assert self.trilha is not None
        return as_the_code(self.trilha, self.changes)(question)


async def compare(casa: Casa, scope: Scope, ator: Ator, um_pedido: dict[str, Any]) -> None:
    """Decide, and do the job that is left."""
    decidida = (await casa.autorizacoes.decidir(scope, json.dumps(um_pedido).encode())).autorizacao
    ator.trilha = (await casa.autorizacoes.vigente(scope)).decide(decidida.pedido, decidida.data_recebimento)
    await casa.work(scope, SOMBRA, decidida.id)


def rates(found: Concordancia, kind: str) -> dict[str, tuple[int, int]]:
    return {one.agente: (getattr(one, kind)["acertos"], getattr(one, kind)["total"]) for one in found.agentes}


async def test_the_code_answers_at_once_and_leaves_a_job_in_the_same_transaction(casa: Casas, scope: Scope) -> None:
    def never(_: Question[Any]) -> Any:
        raise AssertionError("nothing is asked before the answer")

    sombra, sozinha = casa(ModeloFalso(never), "sombra"), casa()
    await sozinha.publish(scope, regra())
    one = (await sombra.autorizacoes.decidir(scope, json.dumps(pedido()).encode())).autorizacao
    other = (await sozinha.autorizacoes.decidir(scope, json.dumps(pedido()).encode())).autorizacao
    assert one.decisao == other.decisao
    assert (await sombra.queued(scope, one.id), await sozinha.queued(scope, other.id)) == (1, 0)


@pytest.mark.skipif(not FILE.exists(), reason="the worked cases are not beside this checkout")
async def test_a_model_that_answers_as_the_code_agrees_in_every_field_of_the_worked_cases(casa: Casas, scope: Scope) -> None:
    exemplos = json.loads(FILE.read_bytes())
    ator = Ator()
    sombra = casa(ator.modelo, "sombra")
    for one in exemplos["politicas"]:
        await sombra.politicas.importar(scope, json.dumps(one).encode(), publicar=True)
    for caso in exemplos["casos"]:
        await compare(sombra, scope, ator, caso["pedido"])
    found = await measure(sombra.database, scope)
    total = len(exemplos["casos"])
    assert (found.pedidos, found.falhas) == (total, {})
    assert all(done == asked > 0 for kind in ("respondidas", "inteiros", "valores") for done, asked in rates(found, kind).values())
    assert all(done == asked for done, asked in rates(found, "textos").values())
    assert rates(found, "inteiros")["sintese"] == (total, total)
    ajustes = next(one for one in found.agentes if one.agente == "ajustes")
    assert 0 < ajustes.inteiros["total"] < total
    assert ajustes.inteiros["intervalo"][0] > 0.5


async def test_a_field_that_differs_is_counted_where_it_differs(casa: Casas, scope: Scope) -> None:
    ator = Ator(avaliacao__motivos=["restricao_idade"], sintese__mensagens__para_beneficiario="Foram aprovadas 9 unidades.")
    sombra = casa(ator.modelo, "sombra")
    await sombra.publish(scope, regra(limite_quantidade=2))
    await compare(sombra, scope, ator, pedido(procedimento__quantidade=3))
    found = await measure(sombra.database, scope)
    assert rates(found, "inteiros") == {
        "normalizacao": (1, 1),
        "parametros": (1, 1),
        "consulta": (1, 1),
        "avaliacao": (0, 1),
        "ajustes": (0, 0),
        "sintese": (1, 1),
    }
    fields = {(agente.agente, campo.campo): campo for agente in found.agentes for campo in agente.campos}
    assert fields["avaliacao", "motivos"].taxa["acertos"] == 0
    assert fields["avaliacao", "conforme"].taxa["acertos"] == 1
    beneficiario = fields["sintese", "mensagens.para_beneficiario"]
    assert (beneficiario.tipo, beneficiario.taxa["acertos"], beneficiario.falhas) == ("texto", 0, {"numero": 1})
    assert fields["sintese", "mensagens.para_solicitante"].taxa["acertos"] == 1


async def test_a_text_in_other_words_that_stands_agrees(casa: Casas, scope: Scope) -> None:
    ator = Ator(sintese__mensagens__para_beneficiario="Seu pedido foi aprovado, e você já pode agendar.")
    sombra = casa(ator.modelo, "sombra")
    await sombra.publish(scope, regra())
    await compare(sombra, scope, ator, pedido())
    found = await measure(sombra.database, scope)
    assert rates(found, "textos")["sintese"] == (2, 2)


async def test_a_failure_is_counted_as_one_and_not_as_a_disagreement(casa: Casas, scope: Scope) -> None:
    ator = Ator()

    def responde(question: Question[Any]) -> Any:
        return (
            "recusou" if question.agente == "autorizacoes.avaliacao" else as_the_code(ator.trilha)(question) if ator.trilha else "demorou"
        )

    sombra = casa(ModeloFalso(responde), "sombra")
    await sombra.publish(scope, regra())
    for number in range(3):
        await compare(sombra, scope, ator, pedido(pedido_id=f"P-{number}"))
    found = await measure(sombra.database, scope)
    assert (found.pedidos, found.falhas) == (3, {"recusou": 3})
    assert rates(found, "respondidas")["avaliacao"] == (0, 3)
    assert rates(found, "inteiros")["avaliacao"] == (0, 0)
    assert rates(found, "inteiros")["sintese"] == (3, 3)


async def test_each_agent_is_judged_on_the_codes_inputs_so_that_slips_do_not_pile_up(casa: Casas, scope: Scope) -> None:
    ator = Ator(normalizacao__pedido_normalizado__plano_id="OUTRO")
    sombra = casa(ator.modelo, "sombra")
    await sombra.publish(scope, regra())
    await compare(sombra, scope, ator, pedido())
    assert len(ator.modelo.perguntas) == 5
    for question in ator.modelo.perguntas[1:]:
        assert "OUTRO" not in "".join(dados(question).values())
    found = await measure(sombra.database, scope)
    assert {agente for agente, (right, total) in rates(found, "inteiros").items() if right < total} == {"normalizacao"}


async def test_each_agent_is_shown_what_its_contract_says_and_its_own_prompt(casa: Casas, scope: Scope) -> None:
    """PRD 1.2, PRD 1.3.3, PRD 1.3.5: o prompt e a temperatura de cada agente; visibilidade das instruções e da resposta."""
    ator = Ator()
    sombra = casa(ator.modelo, "sombra")
    await sombra.publish(scope, regra(documentos_obrigatorios=["LAUDO_MEDICO"]))
    await compare(sombra, scope, ator, pedido())
    assert [question.agente for question in ator.modelo.perguntas] == [agente.name for agente in AGENTES]
    of_catalogue = {"consulta": {"politicas"}, "ajustes": {"alternativas_cobertas"}}
    tools = {"normalizacao": {"campos_equivalentes", "data_recebimento", "ditos_do_catalogo"}, **of_catalogue}
    for question, agente in zip(ator.modelo.perguntas, AGENTES, strict=True):
        assert set(dados(question)) - {"documentos"} == set(agente.sees) | tools.get(agente.stage, set())
        assert (question.prompt, question.temperatura, question.resposta) == (agente.prompt, 0.6, agente.output)


async def test_comparing_again_changes_nothing_and_asks_nothing(casa: Casas, scope: Scope) -> None:
    ator = Ator()
    sombra = casa(ator.modelo, "sombra")
    await sombra.publish(scope, regra())
    await compare(sombra, scope, ator, pedido())
    asked = len(ator.modelo.perguntas)
    (only,) = (await sombra.autorizacoes.listar(scope)).itens
    await sombra.work(scope, SOMBRA, only.id)
    await sombra.tasks[SOMBRA].give_up(scope, {"autorizacao": str(only.id)}, None)
    found = await measure(sombra.database, scope)
    assert (len(ator.modelo.perguntas), found.pedidos, found.falhas) == (asked, 1, {})


async def test_a_comparison_that_was_given_up_is_a_failure_of_every_agent(casa: Casas, scope: Scope) -> None:
    sombra = casa(ModeloFalso(lambda _: "demorou"), "sombra")
    await sombra.publish(scope, regra())
    decidida = (await sombra.autorizacoes.decidir(scope, json.dumps(pedido()).encode())).autorizacao
    await sombra.tasks[SOMBRA].give_up(scope, {"autorizacao": str(decidida.id)}, None)
    found = await measure(sombra.database, scope)
    assert found.falhas == {"trabalho_interrompido": 6}


async def test_an_input_or_rules_too_long_to_be_shown_are_counted_and_not_cut(casa: Casas, scope: Scope) -> None:
    ator = Ator()
    sombra = casa(ator.modelo, "sombra")
    await sombra.publish(scope, *(regra(regra_id=f"R-{n}", codigo=f"{41100000 + n}") for n in range(1_500)))
    await compare(sombra, scope, ator, pedido(procedimento__codigo="99999999", observacao="x" * 11_000))
    found = await measure(sombra.database, scope)
    assert found.falhas["entrada_longa_demais"] >= 2
    assert rates(found, "respondidas")["normalizacao"] == (0, 1)
    assert rates(found, "respondidas")["consulta"] == (0, 1)


async def test_what_is_kept_of_a_comparison_is_nobodys_data(casa: Casas, scope: Scope) -> None:
    ator = Ator(avaliacao__motivos=["Ana Braga"])
    sombra = casa(ator.modelo, "sombra")
    await sombra.publish(scope, regra())
    await compare(sombra, scope, ator, pedido(beneficiario__id="CART-9"))
    async with sombra.database.unit_of_work(scope) as uow:
        rows = (await uow.connection.exec_driver_sql("select to_jsonb(c)::text from autorizacao_concordancias c")).scalars().all()
    assert len(rows) > 50
    assert not any(private in row for row in rows for private in ("Ana", "CART-9", "P-1"))


async def test_another_tenant_sees_none_of_it_and_a_later_start_leaves_it_out(
    casa: Casas, scope: Scope, new_tenant: Callable[[], Scope]
) -> None:
    ator = Ator()
    sombra = casa(ator.modelo, "sombra")
    await sombra.publish(scope, regra())
    await compare(sombra, scope, ator, pedido())
    assert (await measure(sombra.database, new_tenant())).pedidos == 0
    assert (await measure(sombra.database, scope, NOW.now())).pedidos == 1
    assert (await measure(sombra.database, scope, NOW.now().replace(year=2027))).pedidos == 0


def test_a_list_of_adjustments_with_one_missing_differs_and_lacks_its_words() -> None:
    trilha = decide(pedido(), regra(documentos_obrigatorios=["LAUDO_MEDICO", "PEDIDO_MEDICO"]))
    ours = trilha.etapas.ajustes
    assert ours is not None
    contract = AGENTES[4]
    theirs = type(ours)(ours.pedido_id, ours.ajustes_sugeridos[:1], ours.resumo_efeito)
    found = {one.campo: (one.igual, one.falha) for one in compare_answer(contract, "m", ours, theirs, decidido_of(trilha.etapas))}
    assert found["ajustes_sugeridos.acao_tipo"] == (False, None)
    assert found["ajustes_sugeridos.justificativa"] == (False, "ausente")
    assert found["resumo_efeito"] == (True, None)


async def test_a_worker_finds_the_jobs_and_does_them(casa: Casas, fila_vazia: None, scope: Scope) -> None:
    ator = Ator()
    sombra = casa(ator.modelo, "sombra")
    await sombra.publish(scope, regra())
    ator.trilha = decide(pedido(), regra())
    decidida = (await sombra.autorizacoes.decidir(scope, json.dumps(pedido(nroLote="7")).encode())).autorizacao
    assert await sombra.queued(scope, decidida.id) == 2
    async with working(Worker(sombra.database, tuple(sombra.tasks.values()), concurrency=2, rhythm=RAPIDO)), asyncio.timeout(60):
        while True:
            if not await sombra.queued(scope, decidida.id):
                break
            await asyncio.sleep(0.05)
    found = await measure(sombra.database, scope)
    assert (found.pedidos, found.falhas) == (1, {})
    asked = {question.agente for question in ator.modelo.perguntas}
    assert asked == {agente.name for agente in AGENTES if agente.stage != "ajustes"} | {"autorizacoes.mapeamento"}
