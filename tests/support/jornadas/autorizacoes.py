"""Journeys of authorizations: the texts of three outcomes, the comparison in the shade, and the names of unknown fields."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec

from casa_de_autorizacoes import Casa
from casos import decide, pedido, regra
from crivo.autorizacoes.modelo.trabalhos import MAPEAMENTO, SOMBRA
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.llm.port import ModeloIndisponivel
from jornadas.jornada import Chegada, Jornada, Mundo, marked
from provedor import Pedido

_NUMBER = re.compile(r"\d+")


def assistida(nome: str, um_pedido: dict[str, Any], uma_regra: dict[str, Any]) -> Jornada:
    """A pedido decided with texts by the model: only texts may differ from what code decides, and no number in them."""
    by_code = decide(um_pedido, uma_regra)

    async def go(mundo: Mundo) -> Chegada:
        casa = Casa(mundo.database, mundo.modelo, "assistido")
        await casa.publish(mundo.scope, uma_regra)
        stored = (await casa.autorizacoes.decidir(mundo.scope, json.dumps(um_pedido).encode())).autorizacao
        ours, theirs = _answers(by_code.encode()), _answers(stored.trilha)
        before, after = _take_texts(ours), _take_texts(theirs)
        erros = marked(*after)
        if theirs != ours:
            erros.append("the decision is not the code's own")
        if len(before) != len(after):
            erros.append("there are other texts than the code's")
        known = set(_NUMBER.findall(json.dumps(um_pedido) + json.dumps(uma_regra) + " ".join(before)))
        erros += [f"{number} is in a text and nowhere else" for number in set(_NUMBER.findall(" ".join(after))) - known]
        authors = msgspec.json.decode(msgspec.json.decode(stored.trilha, type=Trilha).autoria)
        return Chegada(any("modelo" in fields.values() for fields in authors.values()), tuple(erros))

    return Jornada(nome, lambda asked: _as_the_code(by_code, asked), go)


def _sombra() -> Jornada:
    um_pedido, uma_regra = pedido(procedimento__quantidade=3), regra(limite_quantidade=2)
    by_code = decide(um_pedido, uma_regra)

    async def go(mundo: Mundo) -> Chegada:
        casa = Casa(mundo.database, mundo.modelo, "sombra")
        await casa.publish(mundo.scope, uma_regra)
        stored = (await casa.autorizacoes.decidir(mundo.scope, json.dumps(um_pedido).encode())).autorizacao
        await casa.work(mundo.scope, SOMBRA, stored.id)
        again = await casa.autorizacoes.obter(mundo.scope, stored.id)
        erros = [] if again.decisao == by_code.decisao() else ["the decision is not the code's own"]
        async with mundo.database.unit_of_work(mundo.scope) as uow:
            rows = (await uow.connection.exec_driver_sql("select falha from autorizacao_concordancias")).scalars().all()
        if not rows:
            erros.append("nothing was noted of the comparison")
        return Chegada(any(falha is None for falha in rows), tuple(erros))

    return Jornada("autorizacoes.sombra", lambda asked: _as_the_code(by_code, asked), go)


def _mapeamento() -> Jornada:
    um_pedido = {**pedido(procedimento__codigo=None), "codigoServicoMedico": "41101014"}

    async def go(mundo: Mundo) -> Chegada:
        casa = Casa(mundo.database, mundo.modelo, "assistido")
        await casa.publish(mundo.scope, regra())
        stored = (await casa.autorizacoes.decidir(mundo.scope, json.dumps(um_pedido).encode())).autorizacao
        with suppress(ModeloIndisponivel):  # the job is then tried again, and given up in the end
            await casa.work(mundo.scope, MAPEAMENTO, stored.id)
        proposed = await casa.mapeamentos.listar(mundo.scope)
        erros = [f"proposed out of nothing: {one}" for one in proposed if "codigo" not in one.origem or one.situacao != "proposto"]
        return Chegada(bool(proposed), tuple(erros))

    return Jornada("autorizacoes.mapeamento", _mapped, go)


def _mapped(asked: Pedido) -> Mapping[str, Any]:
    origem = "codigoservicomedico" if "codigoservicomedico" in asked.texto else "codigo_servico_medico"
    return {"correspondencias": [{"origem": origem, "destino": "procedimento.codigo"}]}


def _as_the_code(by_code: Trilha, asked: Pedido) -> Mapping[str, Any]:
    """The code's own answer of the agent whose fields are asked for."""
    wanted = set((asked.esquema or {}).get("properties", {}))
    if wanted == {"alarmes"}:
        return {"alarmes": []}
    answers = [answer for answer in _answers(by_code.encode()).values() if answer and wanted <= answer.keys()]
    return answers[0] if answers else {"correspondencias": []}


def _answers(trilha: bytes) -> dict[str, Any]:
    etapas: dict[str, Any] = json.loads(trilha)["etapas"]
    return etapas


def _take_texts(etapas: dict[str, Any]) -> list[str]:
    """Take out of the answers all that a model may write."""
    ajustes = etapas["ajustes"] or {"ajustes_sugeridos": []}
    items = [*etapas["avaliacao"]["ajustes_minimos_requeridos"], *ajustes["ajustes_sugeridos"]]
    texts = [str(item.pop("justificativa")) for item in items]
    return [*texts, *etapas["sintese"].pop("mensagens").values(), *([ajustes.pop("resumo_efeito")] if "resumo_efeito" in ajustes else [])]


DE_AUTORIZACOES = (
    assistida("autorizacoes.parcial", pedido(procedimento__quantidade=3), regra(limite_quantidade=2, prazo_validade_autorizacao_dias=30)),
    assistida(
        "autorizacoes.pendente",
        pedido(procedimento__quantidade=3, prestador__tipo="NÃO_CREDENCIADO"),
        regra(limite_quantidade=2, documentos_obrigatorios=["LAUDO_MEDICO"], restricoes_rede="APENAS_CREDENCIADA"),
    ),
    assistida("autorizacoes.negada", pedido(), regra(cobertura="NAO_COBERTA")),
    _sombra(),
    _mapeamento(),
)
