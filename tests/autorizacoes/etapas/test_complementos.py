"""Sex, value and history are read where a regra asks for them; elsewhere a pedido is what it always was."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from casos import HOJE, decide, pedido, politica, regra
from crivo.autorizacoes.contracts import PedidoNormalizado, Uso
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo

TUDO = regra(sexo="F", valor_maximo=1500, limites=[{"quantidade": 2, "periodo_dias": 365}])


def read(*regras: dict[str, Any], **changes: Any) -> tuple[PedidoNormalizado, tuple[str, ...]]:
    normalizacao = decide(pedido(**changes), *regras).etapas.normalizacao
    return normalizacao.pedido_normalizado, normalizacao.alertas


def test_fields_that_no_regra_asks_for_stay_where_they_came_and_change_nothing() -> None:
    changes = {"beneficiario__sexo": "F", "procedimento__valor": "R$ 10", "historico": [{"codigo": "1"}], "valor_total": 3}
    lido, alertas = read(regra(), **changes)
    assert lido.extras == {
        "beneficiario": {"sexo": "F"},
        "procedimento": {"valor": "R$ 10"},
        "historico": [{"codigo": "1"}],
        "valor_total": 3,
    }
    assert alertas == read(regra())[1]
    etapas = decide(pedido(**changes), regra()).etapas
    assert not {"sexo", "valor", "historico"} & set(msgspec.to_builtins(etapas.parametros.params_consulta_regras))
    assert msgspec.json.encode(etapas.avaliacao) == msgspec.json.encode(decide(pedido(), regra()).etapas.avaliacao)


def test_each_is_read_by_its_own_name_and_leaves_the_extras() -> None:
    lido, _ = read(TUDO, beneficiario__sexo="feminino", procedimento__valor="R$ 1.234,56", historico=[], canal="app")
    assert (lido.beneficiario.sexo, lido.procedimento.valor, lido.historico) == ("F", 1234.56, ())
    assert lido.extras == {"canal": "app"}


def test_each_is_read_by_other_names_which_is_told() -> None:
    usos = [{"codigo_tuss": "4.11.01.01-4", "data_realizacao": "05/03/2026", "qtde": "2"}]
    lido, alertas = read(TUDO, paciente={"sexo": "M"}, valor_total="900,50", utilizacoes=usos)
    assert (lido.beneficiario.sexo, lido.procedimento.valor) == ("M", 900.5)
    assert lido.historico == (Uso("41101014", "2026-03-05", 2),)
    mapeados = {"beneficiario.sexo<-paciente.sexo", "procedimento.valor<-valor_total", "historico<-utilizacoes"}
    assert {f"campo_mapeado:{um}" for um in mapeados} <= set(alertas)


def test_an_administradora_names_them_in_its_own_table() -> None:
    trilha = decide(pedido(gen="F"), TUDO, campos={"ADM-1": {"gen": "beneficiario.sexo"}})
    assert trilha.etapas.normalizacao.pedido_normalizado.beneficiario.sexo == "F"


@pytest.mark.parametrize(
    ("campo", "valor"),
    [
        *(("beneficiario__sexo", valor) for valor in ("X", 1, "ignorado", True, ["F"], "F/M")),
        *(("procedimento__valor", valor) for valor in ("caro", "1.234", -1, True, "US$ 10", {"valor": 3})),
        *(("historico", valor) for valor in ("nenhum", {"codigo": "1"}, 3)),
    ],
)
def test_what_cannot_be_read_is_told_kept_and_taken_for_nothing(campo: str, valor: Any) -> None:
    lido, alertas = read(TUDO, **{campo: valor})
    path = campo.replace("__", ".")
    assert f"valor_fora_do_dominio:{path}" in alertas
    dentro: Any = lido.extras
    for name in path.split("."):
        dentro = dentro[name]
    assert dentro == valor
    decisao = decide(pedido(**{campo: valor}), TUDO).etapas.sintese
    assert decisao.decisao_final == "PENDENTE_AJUSTES"


def test_two_values_that_differ_are_told_and_the_field_itself_wins() -> None:
    lido, alertas = read(TUDO, beneficiario__sexo="F", sexo_beneficiario="M")
    assert lido.beneficiario.sexo == "F"
    assert "campo_divergente:beneficiario.sexo<-sexo_beneficiario" in alertas
    assert lido.extras == {"sexo_beneficiario": "M"}


@pytest.mark.parametrize(
    ("item", "uso"),
    [
        ({"codigo": "1", "data": "2026-01-01", "quantidade": 1}, Uso("1", "2026-01-01", 1)),
        ({"codigo": "1", "data": "ontem", "quantidade": 1}, Uso("1", None, 1)),
        ({"codigo": "1", "data": "2026-01-01"}, Uso("1", "2026-01-01", None)),
        ({"codigo": "1", "data": "2026-01-01", "quantidade": -1}, Uso("1", "2026-01-01", None)),
        ({"data": "2026-01-01", "quantidade": 1}, Uso(None, "2026-01-01", 1)),
        ("ressonância em março", Uso(None, None, None)),
    ],
)
def test_what_is_missing_of_a_use_is_null_and_told(item: Any, uso: Uso) -> None:
    lido, alertas = read(TUDO, historico=[item])
    assert lido.historico == (uso,)
    assert ("valor_fora_do_dominio:historico" in alertas) is (None in (uso.codigo, uso.data, uso.quantidade))


def test_a_use_told_twice_and_one_still_to_come_are_told() -> None:
    uso = {"codigo": "1", "data": "2027-01-01", "quantidade": 1}
    assert {"historico_repetido", "historico_no_futuro"} <= set(read(TUDO, historico=[uso, uso])[1])


def test_silence_about_history_is_decided_over_what_the_house_approved_and_told_so() -> None:
    """Record 0076: to whom the house is asked, what was used elsewhere nobody but the sender can know."""
    fluxo = Fluxo(Catalogo.of([politica(regra(limites=[{"quantidade": 2, "periodo_dias": 365}]))]))
    etapas = fluxo.decide(json.dumps(pedido()).encode(), HOJE, ()).etapas
    assert (etapas.sintese.decisao_final, etapas.normalizacao.alertas) == ("APROVADO", ("historico_so_da_casa",))
    assert "só contou o desta casa" in etapas.sintese.mensagens.para_solicitante
    said = fluxo.decide(json.dumps(pedido(historico=[])).encode(), HOJE, ()).etapas
    assert said.normalizacao.alertas == ()
    assert "só contou" not in said.sintese.mensagens.para_solicitante


def test_where_the_house_is_not_asked_a_pedido_without_history_waits_and_says_what_was_not_looked_at() -> None:
    solo = regra(limites=[{"quantidade": 2, "periodo_dias": 365}])
    etapas = decide(pedido(), solo).etapas
    assert etapas.sintese.decisao_final == "PENDENTE_AJUSTES"
    assert "o histórico desta casa não foi consultado" in etapas.sintese.mensagens.para_solicitante
    ilegivel = decide(pedido(historico="nenhum"), solo).etapas.sintese.mensagens.para_solicitante
    assert "não traz o histórico de uso de um jeito que se leia" in ilegivel
    assert "não informa o histórico" not in ilegivel
