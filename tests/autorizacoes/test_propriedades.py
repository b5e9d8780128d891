"""The product against the independent statement of the rules, and what must hold of every decision whatever the pedido."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from casos import as_bruto
from crivo.autorizacoes.etapas.ajustes import FALTA_INFORMAR, apply_ajustes
from crivo.autorizacoes.etapas.avaliacao import SO_LIMITAM
from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.trilha import Trilha
from oraculo.amostras import Sorte
from oraculo.comparacao import claimed_efeito, compare, decide_by_oraculo, decide_by_product, publish
from oraculo.geradores import Caso, casos, draw_politicas
from oraculo.normalizacao import CANONICOS
from oraculo.regras import NAO_CONFORMIDADES, adjust, decidir
from oraculo.rodar import run

EXEMPLOS = int(os.environ.get("ORACULO_EXEMPLOS", "600"))
EXEMPLOS_TRABALHADOS = Path(__file__).resolve().parents[3] / "shared/data/autorizacoes/exemplos.json"
HOJE = date(2026, 11, 1)
REGRA_ABERTA = {"regra_id": "R-1", "codigo": "*", "cobertura": "COBERTA"}
POLITICA_ABERTA = {
    "administradora_id": "ADM-001",
    "documento": "Manual",
    "versao": "1",
    "vigencia_inicio": "2020-01-01",
    "regras": [REGRA_ABERTA],
}
PEDIDO_COMPLETO = {
    "pedido_id": "P-1",
    "administradora_id": "ADM-001",
    "plano_id": "OURO",
    "data_pedido": "2026-10-05",
    "beneficiario": {"id": "B-1", "idade": 40, "carencia_cumprida_dias": 400},
    "procedimento": {"codigo": "40304361", "tabela": "TUSS", "quantidade": 1},
    "solicitante": {"tipo": "MEDICO"},
    "prestador": {"tipo": "CREDENCIADO"},
    "documentos_anexos": [],
}
ITENS_SEM_TIPO: tuple[Any, ...] = (None, 7, True, [], {}, {"tipo": None}, {"tipo": 3}, {"nome": "laudo"})
UPPER_SNAKE = re.compile(r"\b[^\W\d_a-z][^\Wa-z_]*_[^\Wa-z]+\b")


def tried(quantos: int, *strategies: Any) -> Callable[[Callable[..., None]], Callable[[int], None]]:
    """A property of drawn values: with the fast tests it is tried on a quarter of `quantos` of them, with the slow ones on all."""
    # Whole pedidos with their políticas are large; nothing about them is slow.
    silent = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]

    def of(holds: Callable[..., None]) -> Callable[[int], None]:
        @pytest.mark.parametrize("quantos", [max(quantos // 4, 1), pytest.param(max(quantos, 1), marks=pytest.mark.slow)])
        def test(quantos: int) -> None:
            examples = settings(max_examples=quantos, deadline=None, suppress_health_check=silent, derandomize=True, database=None)
            drawn: Callable[[Callable[..., None]], Callable[[], None]] = given(*strategies)
            examples(drawn(holds))()

        test.__name__, test.__doc__ = holds.__name__, holds.__doc__
        return test

    return of


def decide(caso: Caso, bruto: bytes) -> Trilha | None:
    return decide_by_product(publish(caso.politicas), bruto, caso.recebido_em)


def encode(trilha: Trilha | None) -> bytes:
    return msgspec.json.encode(trilha and trilha.etapas)


def altered(caminho: str, valor: Any) -> bytes:
    """The complete pedido with one value changed."""
    pedido = json.loads(json.dumps(PEDIDO_COMPLETO))
    *ate, chave = caminho.split(".")
    (pedido[ate[0]] if ate else pedido)[chave] = valor
    return json.dumps(pedido).encode()


# --- the statement is right where people have worked the answer out


def worked_cases() -> list[Any]:
    if not EXEMPLOS_TRABALHADOS.exists():
        return [pytest.param(None, None, marks=pytest.mark.skip(reason=f"sem {EXEMPLOS_TRABALHADOS.name}"))]
    exemplos = json.loads(EXEMPLOS_TRABALHADOS.read_text(encoding="utf-8"))
    return [pytest.param(caso, exemplos["politicas"], id=caso["caso"]) for caso in exemplos["casos"]]


@pytest.mark.parametrize(("caso", "politicas"), worked_cases())
def test_statement_gives_what_was_worked_out_by_hand(caso: dict[str, Any], politicas: list[dict[str, Any]]) -> None:
    dito, esperado = decidir(caso["pedido"], politicas, HOJE), caso["esperado"]
    fonte = dito["avaliacao"]["fonte_regras"] or {"regra_id": None, "versao": None}
    ajustes = dito["ajustes"]["ajustes_sugeridos"] if dito["ajustes"] else []
    obtido = {**dito["avaliacao"], **dito["sintese"], **dito["sintese"]["detalhe_decisao"], **fonte}
    obtido["ajustes"] = [{campo: ajuste[campo] for campo in ("acao_tipo", "valor_sugerido", "impacto_conformidade")} for ajuste in ajustes]
    assert {campo: obtido[campo] for campo in esperado} == esperado


# --- product and statement


@tried(EXEMPLOS, casos())
def test_product_decides_as_the_independent_statement_does(sorteado: tuple[Caso, bytes]) -> None:
    """PRD RF1 to RF6: every field of every stage but the free text."""
    caso, bruto = sorteado
    assert compare(decide(caso, bruto), decide_by_oraculo(caso)) == [], f"{bruto.decode()}\n{json.dumps(caso.politicas)}"


def test_generated_pedidos_reach_every_outcome() -> None:
    decisoes: Counter[str] = Counter()
    achados: Counter[str] = Counter()
    for _, dito, _ in run(3000, semente=7):
        decisoes[dito["sintese"]["decisao_final"] if dito else "(recusado)"] += 1
        if dito:
            achados.update(motivo for motivo in dito["avaliacao"]["motivos"])
            achados.update(ajuste["acao_tipo"] for ajuste in (dito["ajustes"] or {"ajustes_sugeridos": []})["ajustes_sugeridos"])
            achados.update(alerta.partition(":")[0] for alerta in dito["normalizacao"]["alertas"])
    assert min(decisoes[nome] for nome in ("APROVADO", "APROVADO_PARCIAL", "NEGADO", "PENDENTE_AJUSTES", "(recusado)")) >= 50
    acoes = {"ANEXAR_DOCUMENTO", "ALTERAR_PRESTADOR", "REDUZIR_QUANTIDADE", "AJUSTAR_CODIGO", "AGUARDAR_CARENCIA"}
    acoes |= {"ADEQUAR_FAIXA_ETARIA", "OUTRO"}
    alertas = {"campo_mapeado", "campo_divergente", "data_pedido_presumida", "data_nascimento_invalida", "valor_fora_do_dominio"}
    alertas |= {"idade_divergente", "idade_nao_informada", "carencia_nao_informada", "carencia_invalida", "urgencia_presumida_falsa"}
    alertas |= {"plano_desconhecido", "observacao_nao_lida", "quantidade_fracionada"}
    alertas |= {"observacao_do_pedido_nao_lida", "campo_nao_lido", "documento_recusado", "documento_vencido", "documento_pendente"}
    erros = {
        "valor_fora_do_dominio:urgencia",
        "quantidade_invalida",
        "data_pedido_invalida",
        "data_prevista_invalida",
        "campo_obrigatorio_ausente:plano_id",
    }
    assert {nome for nome in NAO_CONFORMIDADES | acoes | alertas | erros if achados[nome] < 5} == set()


# --- what holds of every decision


@tried(EXEMPLOS // 5, casos())
def test_same_pedido_politicas_and_date_give_the_same_bytes(sorteado: tuple[Caso, bytes]) -> None:
    caso, bruto = sorteado
    assert encode(decide(caso, bruto)) == encode(decide(caso, bruto))


@tried(EXEMPLOS // 5, casos())
def test_order_of_the_fields_of_a_pedido_that_names_each_once_changes_no_decision(sorteado: tuple[Caso, bytes]) -> None:
    caso, bruto = sorteado
    trilha = decide(caso, bruto)
    virado = json.dumps(dict(reversed(caso.pedido.items()))).encode()
    if trilha is None or any(alerta.startswith("campo_divergente") for alerta in trilha.etapas.normalizacao.alertas):
        return
    outra = decide(caso, virado)
    assert outra is not None
    assert outra.etapas.avaliacao == trilha.etapas.avaliacao


@tried(EXEMPLOS // 5, casos())
def test_nothing_is_approved_with_a_non_conformity_nor_beyond_its_limit(sorteado: tuple[Caso, bytes]) -> None:
    """PRD RF6: conforme decides between approval and adjustment."""
    trilha = decide(*sorteado)
    if trilha is None:
        return
    sintese, regra = trilha.etapas.sintese, trilha.etapas.consulta.regras_recuperadas
    aprovada = sintese.detalhe_decisao.quantidade_aprovada
    if sintese.decisao_final in ("APROVADO", "APROVADO_PARCIAL"):
        assert not NAO_CONFORMIDADES & set(sintese.artefato_registro.motivos)
        assert regra is not None
        assert aprovada is not None
        assert regra.limite_quantidade is None or aprovada <= regra.limite_quantidade
    else:
        assert NAO_CONFORMIDADES & set(sintese.artefato_registro.motivos)
        assert aprovada is None


@tried(EXEMPLOS // 5, casos())
def test_nothing_is_denied_for_want_of_a_regra_or_of_what_a_regra_asks_to_know(sorteado: tuple[Caso, bytes]) -> None:
    """Design, "The workbench": a denial is never automatic for want of a rule; record 0076 for what the pedido does not tell."""
    trilha = decide(*sorteado)
    if trilha is None:
        return
    motivos = set(trilha.etapas.avaliacao.motivos) - SO_LIMITAM
    if motivos and motivos <= {"regra_nao_encontrada", *FALTA_INFORMAR}:
        assert trilha.etapas.sintese.decisao_final == "PENDENTE_AJUSTES"


@tried(EXEMPLOS // 3, casos())
def test_making_every_suggested_adjustment_gives_what_the_summary_says(sorteado: tuple[Caso, bytes]) -> None:
    """PRD RF5: resumo_efeito says whether the adjustments allow total or partial approval."""
    caso, bruto = sorteado
    trilha = decide(caso, bruto)
    if trilha is None or trilha.etapas.ajustes is None:
        return
    etapas = msgspec.to_builtins(trilha.etapas, builtin_types=(tuple,))
    efeito = claimed_efeito(trilha)
    if not etapas["normalizacao"]["pedido_valido"]:
        assert efeito == "nenhum"
        return
    pedido = {**etapas["normalizacao"]["pedido_normalizado"], "extras": None}
    pedido["documentos_anexos"] = list(pedido["documentos_anexos"])
    ajustado = json.dumps(adjust(pedido, list(etapas["ajustes"]["ajustes_sugeridos"]))).encode()
    de_novo = decide(caso, ajustado)
    assert de_novo is not None
    aprovada = de_novo.etapas.sintese.detalhe_decisao.quantidade_aprovada
    dito = "nenhum" if aprovada is None else "total" if aprovada == pedido["procedimento"]["quantidade"] else "parcial"
    assert efeito == dito


@tried(EXEMPLOS // 3, casos())
def test_a_pedido_that_is_not_approved_is_told_the_source_in_both_messages(sorteado: tuple[Caso, bytes]) -> None:
    """Design RF6: never a denial without its reason and its source in both messages."""
    trilha = decide(*sorteado)
    if trilha is None or trilha.etapas.avaliacao.conforme or (fonte := trilha.etapas.consulta.fonte_regras) is None:
        return
    mensagens = trilha.etapas.sintese.mensagens
    for mensagem in (mensagens.para_solicitante, mensagens.para_beneficiario):
        assert fonte.documento in mensagem
        assert fonte.versao in mensagem


@tried(EXEMPLOS // 3, casos())
def test_beneficiario_is_told_in_plain_words(sorteado: tuple[Caso, bytes]) -> None:
    """PRD RF6: para_beneficiario em linguagem acessível sem jargão."""
    trilha = decide(*sorteado)
    if trilha is None:
        return
    mensagens = trilha.etapas.sintese.mensagens
    codigo = trilha.etapas.normalizacao.pedido_normalizado.procedimento.codigo
    assert mensagens.para_beneficiario.strip()
    assert mensagens.para_beneficiario != mensagens.para_solicitante
    assert UPPER_SNAKE.findall(mensagens.para_beneficiario) == []
    assert not re.search(r"\b[0-9]{8}\b", mensagens.para_beneficiario)
    assert codigo is None or len(codigo) < 4 or codigo not in mensagens.para_beneficiario  # "3" is a number before it is a code


# --- what cannot be read


@pytest.mark.parametrize("caminho", ["beneficiario", "procedimento", "solicitante", "prestador", "paciente", "servico"])
@pytest.mark.parametrize("valor", [[], ["x"], "texto", "", 0, 7, True, False])
def test_a_group_of_fields_that_is_no_object_is_refused(caminho: str, valor: Any) -> None:
    with pytest.raises(PedidoIlegivel):
        publish([POLITICA_ABERTA]).decide(altered(caminho, valor), HOJE)


@pytest.mark.parametrize(
    "caminho",
    [
        *("pedido_id", "administradora_id", "plano_id", "beneficiario.id", "procedimento.codigo", "procedimento.descricao"),
        *("procedimento.tabela", "solicitante.tipo", "prestador.tipo"),
    ],
)
@pytest.mark.parametrize("valor", [[], ["x"], {}, {"a": 1}, True, False])
def test_a_text_field_that_holds_no_text_is_refused(caminho: str, valor: Any) -> None:
    with pytest.raises(PedidoIlegivel):
        publish([POLITICA_ABERTA]).decide(altered(caminho, valor), HOJE)


@pytest.mark.parametrize("valor", [{}, {"tipo": "x"}, "LAUDO", 0, 7, True, False, *([item] for item in ITENS_SEM_TIPO)])
def test_documents_that_are_no_list_of_types_are_refused(valor: Any) -> None:
    with pytest.raises(PedidoIlegivel):
        publish([POLITICA_ABERTA]).decide(altered("documentos_anexos", valor), HOJE)


@pytest.mark.parametrize("raiz", [b"", b"null", b"[]", b'"texto"', b"3", b"true", b"{", b"{}{}", b"[{}]", b"\xff\xfe{}", b"nao e json"])
def test_bytes_that_are_no_json_object_are_refused(raiz: bytes) -> None:
    with pytest.raises(PedidoIlegivel):
        publish([POLITICA_ABERTA]).decide(raiz, HOJE)


@pytest.mark.parametrize(
    "bruto",
    [
        b'{"pedido_id": "1", "pedido_id": "1"}',
        b'{"beneficiario": {"id": "1", "id": "2"}}',
        b'{"outro": [{"a": 1, "a": 1}]}',
        b'{"pedido_id": "a\\u0000b"}',
        b'{"outro": {"x": ["\\u0000"]}}',
        b'{"\\u0000": 1}',
        b'{"pedido_id": "\\ud800"}',
        b'{"outro": "\\udfff\\ud800"}',
        b'{"pedido_id": "\xed\xa0\x80"}',
    ],
)
def test_repeated_keys_nul_and_lone_surrogates_are_refused(bruto: bytes) -> None:
    with pytest.raises(PedidoIlegivel):
        publish([POLITICA_ABERTA]).decide(bruto, HOJE)


@tried(EXEMPLOS // 5, st.binary(max_size=200))
def test_any_bytes_are_decided_or_refused(bruto: bytes) -> None:
    trilha = decide_by_product(publish([POLITICA_ABERTA]), bruto, HOJE)
    assert trilha is None or trilha.etapas.sintese.decisao_final in ("APROVADO", "APROVADO_PARCIAL", "NEGADO", "PENDENTE_AJUSTES")


QUALQUER_TEXTO = st.text(st.characters(codec=None), max_size=12)
ESCALARES = st.none() | st.booleans() | st.integers() | st.floats() | QUALQUER_TEXTO
NOMES = st.sampled_from(sorted({parte for campo in CANONICOS for parte in (campo, *campo.split("."))})) | QUALQUER_TEXTO
QUALQUER_JSON = st.recursive(
    ESCALARES, lambda filho: st.lists(filho, max_size=4) | st.dictionaries(NOMES, filho, max_size=6), max_leaves=25
)


@tried(EXEMPLOS // 3, st.dictionaries(NOMES, QUALQUER_JSON, max_size=8), st.booleans())
def test_any_json_object_is_decided_or_refused(pedido: dict[str, Any], escapado: bool) -> None:
    bruto = json.dumps(pedido, ensure_ascii=escapado).encode("utf-8", "surrogatepass")
    trilha = decide_by_product(publish([POLITICA_ABERTA]), bruto, HOJE)
    assert trilha is None or json.loads(trilha.encode())["etapas"]["sintese"]["decisao_final"]


@tried(EXEMPLOS // 5, st.sampled_from(CANONICOS), ESCALARES)
def test_any_value_at_any_field_is_decided_or_refused(campo: str, valor: Any) -> None:
    trilha = decide_by_product(publish([POLITICA_ABERTA]), altered(campo, valor), HOJE)
    assert trilha is None or json.loads(trilha.decisao())["artefato_registro"]["status"] == trilha.etapas.sintese.decisao_final


def test_politicas_are_drawn_alike_from_the_same_seed() -> None:
    assert draw_politicas(Sorte(3)) == draw_politicas(Sorte(3))
    assert draw_politicas(Sorte(3)) != draw_politicas(Sorte(4))


@tried(EXEMPLOS // 5, casos())
def test_what_normalisation_made_it_would_make_again(sorteado: tuple[Caso, bytes]) -> None:
    """PRD 5.2/7: the proof of the adjustments may enter after RF1, because RF1 is a fixed point there."""
    caso, bruto = sorteado
    trilha = decide(caso, bruto)
    if trilha is None or trilha.etapas.ajustes is None or not trilha.etapas.normalizacao.pedido_valido:
        return
    pedido = trilha.etapas.normalizacao.pedido_normalizado
    ajustado = apply_ajustes(pedido, trilha.etapas.ajustes.ajustes_sugeridos)
    again = publish(caso.politicas).decide_bruto(as_bruto(ajustado), caso.recebido_em).etapas.normalizacao
    assert again.pedido_valido is (ajustado.procedimento.quantidade != 0)
    if not again.pedido_valido:
        return
    assert replace(again.pedido_normalizado, extras={}) == replace(ajustado, extras={})
