"""Test cases beside a política: read, run, counted, proposed, and kept without whoever they were about."""

from __future__ import annotations

from typing import Any

import pytest

from casos import HOJE, pedido, politica, regra
from crivo.autorizacoes.politicas.casos.anonimo import without_person
from crivo.autorizacoes.politicas.casos.caso import Caso, CasoInvalido, read_casos, to_yaml
from crivo.autorizacoes.politicas.casos.execucao import coverage, run
from crivo.autorizacoes.politicas.casos.propostas import propose
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.politicas.sucessao import Publicada

_CASO = """
caso: com laudo
pedido:
  pedido_id: P-1
  administradora_id: ADM-1
  plano_id: PRATA
  data_pedido: 2026-10-05
  beneficiario: {id: B-1}
  procedimento: {codigo: 041101014, quantidade: 3}
esperado:
  decisao_final: APROVADO_PARCIAL
  quantidade_aprovada: 2
  motivos: [acima_do_limite_quantitativo]
"""


def _bancada(*regras: dict[str, Any]) -> Bancada:
    return Bancada(politica(*regras), [], HOJE)


def test_a_case_is_read_as_it_is_written_and_written_as_it_is_read() -> None:
    (caso,) = read_casos(_CASO.encode(), "x")
    assert caso.pedido["procedimento"] == {"codigo": "041101014", "quantidade": 3}
    assert read_casos(to_yaml(caso), "x") == (caso,)


def test_a_file_may_hold_several_cases_and_an_outcome_alone() -> None:
    casos = read_casos(b'[{"pedido": {}, "esperado": "NEGADO"}, {"pedido": {}, "esperado": "APROVADO"}]', "lote")
    assert [(um.nome, um.esperado) for um in casos] == [
        ("lote 1", {"decisao_final": "NEGADO"}),
        ("lote 2", {"decisao_final": "APROVADO"}),
    ]


@pytest.mark.parametrize(
    ("texto", "codigo", "linha"),
    [
        ("pedido: {}\nesperado: {decisao_final: TALVEZ}", "decisao_invalida", 2),
        ("pedido: {}\nesperado:\n  decisao_final: NEGADO\n  humor: bom", "campo_desconhecido", 4),
        ("esperado: NEGADO", "pedido_ausente", 1),
        ("pedido: {}", "esperado_ausente", 1),
        ("pedido: {}\nesperado: NEGADO\nquando: ontem", "campo_desconhecido", 3),
        ("pedido: {}\nesperado: NEGADO\nrecebido_em: 31/01/2026", "data_invalida", 3),
        ("pedido: {}\nesperado: NEGADO\ncom_publicadas: talvez", "valor_invalido", 3),
        ("- so um texto", "caso_invalido", 1),
        ("{", "yaml_invalido", 1),
        ("", "arquivo_vazio", 1),
    ],
)
def test_what_cannot_be_used_is_told_with_its_line(texto: str, codigo: str, linha: int) -> None:
    with pytest.raises(CasoInvalido) as refused:
        read_casos(texto.encode(), "x")
    first = refused.value.problemas[0]
    assert (first.linha, codigo in {first.codigo, "yaml_invalido"}) == (linha, True)


def test_a_case_passes_where_all_that_it_states_comes_out_and_else_says_what_did_not() -> None:
    bancada = _bancada(regra(limite_quantidade=2))
    certo = read_casos(_CASO.replace("041101014", "41101014").encode(), "x")[0]
    errado = Caso(nome="errado", pedido=certo.pedido, esperado={"decisao_final": "APROVADO", "regra_id": "R-1"})
    testada = run(bancada, [certo, errado])
    assert [um.passou for um in testada.rodados] == [True, False]
    assert [(d.campo, d.obtido) for d in testada.rodados[1].diferencas] == [("decisao_final", "APROVADO_PARCIAL")]
    assert (testada.verdes, testada.falhos) == (1, (testada.rodados[1],))


def test_a_pedido_that_cannot_be_read_is_a_case_that_fails_and_says_why() -> None:
    caso = Caso(nome="torto", pedido=pedido(pedido_id=["a"]), esperado={"decisao_final": "NEGADO"})
    (rodado,) = run(_bancada(regra()), [caso]).rodados
    assert not rodado.passou
    assert rodado.erro


def test_a_case_is_decided_by_the_document_alone_unless_it_says_otherwise() -> None:
    outro = politica(regra(regra_id="G", codigo="777"), documento="Geral", versao="1")
    bancada = Bancada(politica(regra()), [Publicada(outro, encerra=True)], HOJE)
    de_la = pedido(procedimento__codigo="777")
    sozinha = Caso(nome="a", pedido=de_la, esperado={"decisao_final": "PENDENTE_AJUSTES", "motivos": ["regra_nao_encontrada"]})
    entre = Caso(nome="b", pedido=de_la, esperado={"decisao_final": "APROVADO", "documento": "Geral"}, com_publicadas=True)
    assert run(bancada, [sozinha, entre]).verdes == 2


def test_cover_counts_regras_that_decided_and_checks_that_were_passed_and_failed() -> None:
    bancada = _bancada(regra(limite_quantidade=2, restricoes_rede="APENAS_CREDENCIADA"), regra(regra_id="R-2", codigo="2"))
    caso = Caso(nome="a", pedido=pedido(procedimento__quantidade=5), esperado={"decisao_final": "APROVADO_PARCIAL"})
    cobertura = run(bancada, [caso]).cobertura
    assert (cobertura.regras_com_caso, cobertura.sem_caso) == (1, ("R-2",))
    assert {(um.nome, um.passou, um.falhou) for um in cobertura.verificacoes} == {("rede", True, False), ("quantidade", False, True)}


def test_what_is_proposed_covers_every_regra_and_check_and_is_green_today() -> None:
    regras = (
        regra(carencia_min_dias=180, carencia_urgencia_dias=1, documentos_obrigatorios=["LAUDO_MEDICO"], limite_quantidade=2),
        regra(regra_id="R-2", codigo="2*", cobertura="NAO_COBERTA"),
        regra(regra_id="R-3", codigo="3", restricoes_idade={"min": 18, "max": 60}, restricoes_rede="APENAS_CREDENCIADA"),
        regra(regra_id="R-4", codigo="4", sexo="F", cpt_meses=24, valor_maximo=100, limites=[{"quantidade": 4, "periodo_dias": 365}]),
    )
    bancada = _bancada(*regras)
    propostos = propose(bancada, coverage(bancada, []))
    testada = run(bancada, propostos)
    assert testada.falhos == ()
    assert testada.cobertura.sem_caso == ()
    assert testada.cobertura.verificacoes_completas == len(testada.cobertura.verificacoes) == 10
    assert propose(bancada, testada.cobertura) == ()


_LIMITES = [{"quantidade": 4, "periodo_dias": 365}]
_RICAS = (
    regra(limites=_LIMITES),
    regra(
        regra_id="R-2", codigo="2", limites=_LIMITES, limite_quantidade=2, carencia_min_dias=30, documentos_obrigatorios=["LAUDO_MEDICO"]
    ),
    regra(regra_id="R-3", codigo="3", limites=_LIMITES, sexo="F", cpt_meses=24, valor_maximo=100),
    regra(regra_id="R-4", codigo="4*", limites=[{"quantidade": 0.5, "periodo_dias": 30}], restricoes_idade={"min": 0, "max": 12}),
    regra(regra_id="R-5", codigo="5", limites=_LIMITES, cobertura="NAO_COBERTA"),
)


def test_every_proposed_case_can_be_kept_with_what_it_expects() -> None:
    bancada = _bancada(*_RICAS)
    propostos = propose(bancada, coverage(bancada, []))
    kept = [without_person(bancada, caso) for caso in propostos]
    assert [caso.nome for caso, um in zip(propostos, kept, strict=True) if um is None] == []
    testada = run(bancada, [um for um in kept if um is not None])
    assert testada.falhos == ()
    assert propose(bancada, testada.cobertura) == ()


def test_a_proposed_case_shows_what_its_name_says() -> None:
    bancada = _bancada(*_RICAS, regra(regra_id="R-6", codigo="6", sexo="M", limites=[{"quantidade": 0, "periodo_dias": 30}]))
    motivos = {caso.nome: caso.esperado["motivos"] for caso in propose(bancada, coverage(bancada, []))}
    assert motivos["R-1: acima do limite por período"] == ["acima_do_limite_por_periodo"]
    assert motivos["R-2: acima do limite por período"] == ["limite_por_periodo_esgotado"]
    assert motivos["R-3: outro sexo"] == ["restricao_sexo"]
    assert motivos["R-3: acima do valor"] == ["acima_do_valor_maximo"]
    assert motivos["R-6: acima do limite por período"] == ["limite_por_periodo_esgotado"]


def test_a_history_without_uses_and_a_beneficiario_without_conditions_are_kept_as_told() -> None:
    bancada = _bancada(regra(limites=_LIMITES, cpt_meses=24))
    com_nada = pedido(historico=[], beneficiario={"id": "B-7", "carencia_cumprida_dias": 9, "preexistencias": "nenhuma"})
    kept = without_person(bancada, Caso(nome="a", pedido=com_nada, esperado={"decisao_final": "APROVADO"}))
    assert kept is not None
    assert (kept.pedido["historico"], kept.pedido["beneficiario"]["preexistencias"]) == ([], [])


def test_a_kept_case_holds_no_person_and_comes_out_the_same() -> None:
    bancada = _bancada(regra(limite_quantidade=2))
    com_gente = pedido(
        pedido_id="GUIA-7788",
        beneficiario={"id": "111.444.777-35", "data_nascimento": "1976-01-02", "carencia_cumprida_dias": 9},
        nome="Maria das Dores",
        procedimento__descricao="Ressonância da dona Maria",
    )
    kept = without_person(bancada, Caso(nome="a", pedido=com_gente, esperado={"decisao_final": "APROVADO"}))
    assert kept is not None
    written = to_yaml(kept).decode()
    assert [um for um in ("111.444", "Maria", "GUIA-7788", "1976") if um in written] == []
    assert run(bancada, [kept]).verdes == 1


def test_a_case_that_lies_in_how_its_pedido_is_written_is_not_kept() -> None:
    caso = Caso(nome="a", pedido=pedido(urgencia="talvez"), esperado={"decisao_final": "PENDENTE_AJUSTES"})
    assert without_person(_bancada(regra()), caso) is None
