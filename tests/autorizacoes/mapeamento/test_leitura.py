"""A mapping's document says exactly what is wrong with it, where, and what looks odd."""

from __future__ import annotations

import json
from textwrap import dedent
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crivo.autorizacoes.mapeamento.documento import MAPEAVEIS, from_document, to_document
from crivo.autorizacoes.mapeamento.esquema import esquema
from crivo.autorizacoes.mapeamento.leitura import MapeamentoInvalido, read_mapeamento

HEAD: dict[str, Any] = {"mapeamento": "acme", "administradora": "090417", "reconhecer": {"$.de": "ACME"}, "campos": {"pedido_id": "$.n"}}


def refusals(**changes: Any) -> list[tuple[str, str]]:
    with pytest.raises(MapeamentoInvalido) as refused:
        read_mapeamento(json.dumps({**HEAD, **changes}).encode())
    return [(problem.codigo, problem.caminho) for problem in refused.value.problemas]


def message(**changes: Any) -> str:
    with pytest.raises(MapeamentoInvalido) as refused:
        read_mapeamento(json.dumps({**HEAD, **changes}).encode())
    return refused.value.problemas[0].mensagem


@pytest.mark.parametrize(
    ("campo", "codigo", "caminho"),
    [
        ({"planoid": "$.p"}, "destino_desconhecido", "campos.planoid"),
        ({"procedimento": {"codigo": "$.c"}}, "destino_desconhecido", "campos.procedimento"),
        ({"administradora_id": "$.a"}, "campo_repetido", "campos.administradora_id"),
        ({"plano_id": "plano.nome"}, "caminho_invalido", "campos.plano_id"),
        ({"plano_id": "$.a["}, "caminho_invalido", "campos.plano_id"),
        ({"plano_id": "$item.a"}, "item_sem_itens", "campos.plano_id"),
        ({"plano_id": "$..a..b"}, "caminho_invalido", "campos.plano_id"),
        ({"plano_id": "$.a[?search(@.b, '(a|a)*$')]"}, "caminho_invalido", "campos.plano_id"),
        ({"plano_id": "$.a[?count(@..b) > 2]"}, "caminho_invalido", "campos.plano_id"),
        ({"plano_id": "$[0, -1]"}, "caminho_invalido", "campos.plano_id"),
        ({"plano_id": ["$.a"]}, "tipo_errado", "campos.plano_id"),
        ({"plano_id": {}}, "campo_ausente", "campos.plano_id"),
        ({"plano_id": {"de": "$.a", "valor": "OURO"}}, "campo_contraditorio", "campos.plano_id"),
        ({"plano_id": {"valor": "OURO", "limpar": ["."]}}, "campo_contraditorio", "campos.plano_id.limpar"),
        ({"plano_id": {"de": "$.a", "seno": "OURO"}}, "campo_desconhecido", "campos.plano_id.seno"),
        ({"plano_id": {"de": "$.a", "formato": "dd/MM/yyyy"}}, "formato_indevido", "campos.plano_id.formato"),
        ({"plano_id": {"de": "$.a", "calcular": "idade"}}, "calculo_indevido", "campos.plano_id.calcular"),
        ({"data_pedido": {"de": "$.a", "formato": "DD/MM/AAAA"}}, "formato_invalido", "campos.data_pedido.formato"),
        ({"data_pedido": {"de": "$.a", "formato": "dd/MM"}}, "formato_invalido", "campos.data_pedido.formato"),
        ({"data_pedido": {"de": "$.a", "formato": "MM/dd/yyyy", "senao": "hoje"}}, "senao_invalido", "campos.data_pedido.senao"),
        ({"urgencia": {"de": "$.a", "senao": "talvez"}}, "senao_invalido", "campos.urgencia.senao"),
        ({"procedimento.quantidade": {"de": "$.a", "senao": 0}}, "senao_invalido", "campos.procedimento.quantidade.senao"),
        ({"prestador.tipo": {"valor": "IN"}}, "valor_invalido", "campos.prestador.tipo.valor"),
        ({"plano_id": {"de": "$.a", "tipo": "@.x"}}, "campo_desconhecido", "campos.plano_id.tipo"),
        ({"documentos_anexos": {"de": "$.a", "tipo": "$.x"}}, "caminho_invalido", "campos.documentos_anexos.tipo"),
        ({"documentos_anexos": {"de": "$.a", "tipo": "@.x", "nomes": True}}, "campo_contraditorio", "campos.documentos_anexos.nomes"),
    ],
)
def test_a_field_that_cannot_hold_is_told_by_its_place(campo: dict[str, Any], codigo: str, caminho: str) -> None:
    assert (codigo, caminho) in refusals(campos=campo)


@pytest.mark.parametrize(
    ("valores", "codigo", "caminho"),
    [
        ({"urgencia": {"X": "talvez"}}, "valor_sem_efeito", "valores.urgencia.X"),
        ({"urgencia": {"SIM": True, "sim": False}}, "valor_contraditorio", "valores.urgencia.sim"),
        ({"prestador.tipo": {"IN": "DENTRO"}}, "valor_sem_efeito", "valores.prestador.tipo.IN"),
        ({"urgente": {"X": True}}, "destino_desconhecido", "valores.urgente"),
        ({"urgencia": ["X"]}, "tipo_errado", "valores.urgencia"),
        ({"urgencia": {"X": None}}, "tipo_errado", "valores.urgencia.X"),
    ],
)
def test_a_dictionary_that_no_field_could_use_is_told_by_its_word(valores: dict[str, Any], codigo: str, caminho: str) -> None:
    assert refusals(valores=valores) == [(codigo, caminho)]


def test_what_the_document_itself_lacks_is_all_told_at_once() -> None:
    with pytest.raises(MapeamentoInvalido) as refused:
        read_mapeamento(b'{"mapamento": "x", "reconhecer": {}}')
    found = {(problem.codigo, problem.caminho) for problem in refused.value.problemas}
    assert found == {
        ("campo_desconhecido", "mapamento"),
        ("campo_ausente", "mapeamento"),
        ("campo_ausente", "administradora"),
        ("tipo_errado", "reconhecer"),
        ("campo_ausente", "campos"),
    }


def test_a_fault_in_a_path_is_told_by_line_and_character() -> None:
    written = dedent("""\
        mapeamento: acme
        administradora: 090417
        reconhecer: {"$.de": ACME}
        campos:
          pedido_id: "$.n"
          plano_id: "$.plano nome"
        """)
    with pytest.raises(MapeamentoInvalido) as refused:
        read_mapeamento(written.encode())
    (problem,) = refused.value.problemas
    assert (problem.linha, problem.codigo) == (6, "caminho_invalido")
    assert problem.mensagem == "No caractere 9 de `$.plano nome`: não entendo o caminho a partir de `nome`."


def test_a_field_said_twice_is_refused_and_a_code_keeps_its_noughts() -> None:
    twice = b'mapeamento: acme\nadministradora: 090417\nreconhecer: {"$.de": 007}\ncampos:\n  plano_id: "$.a"\n  plano_id: "$.b"\n'
    with pytest.raises(MapeamentoInvalido) as refused:
        read_mapeamento(twice)
    assert [(one.codigo, one.caminho, one.linha) for one in refused.value.problemas] == [("chave_repetida", "campos.plano_id", 6)]
    once = read_mapeamento(twice.replace(b'  plano_id: "$.b"\n', b"")).mapeamento
    assert (once.administradora, once.reconhecer) == ("090417", {"$.de": "007"})


def test_the_nearest_field_is_offered_and_a_nested_one_is_written_whole() -> None:
    assert message(campos={"procedimento.quantidad": "$.q"}).endswith("quis dizer `procedimento.quantidade`?")
    assert "`procedimento.codigo`" in message(campos={"procedimento": "$.q"})


def test_a_document_is_the_same_after_it_was_stored() -> None:
    campos = {
        "data_pedido": {"de": "$.d", "formato": "dd/MM/yy", "senao": "2026-01-01"},
        "documentos_anexos": {"de": "$.x[*]", "tipo": "@.t"},
    }
    read = read_mapeamento(json.dumps({**HEAD, "campos": campos, "valores": {"urgencia": {"1": True}}, "itens": "$.i[*]"}).encode())
    assert from_document(to_document(read.mapeamento)) == read.mapeamento
    assert read_mapeamento(to_document(read.mapeamento)).mapeamento == read.mapeamento


def test_the_schema_names_every_field_and_no_other() -> None:
    schema = esquema()
    assert tuple(schema["properties"]["campos"]["properties"]) == MAPEAVEIS
    assert set(schema["required"]) <= set(schema["properties"])


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [*HEAD, "itens", "valores", "de", "formato", "senao", "valor", "plano_id", "urgencia", "documentos_anexos", "$.a"]
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=25,
)


@given(document=_JSON)
def test_any_document_is_a_mapping_or_a_clear_refusal(document: Any) -> None:
    try:
        read = read_mapeamento(json.dumps(document).encode(), "json").mapeamento
    except MapeamentoInvalido:
        return
    assert from_document(to_document(read)) == read


@pytest.mark.parametrize("caminho", ["$.guias[0].docs[*]", "$.guias[?@.titular == 'S'].docs[*]"])
def test_a_path_that_may_bring_another_persons_item_is_refused(caminho: str) -> None:
    campos = {"beneficiario.id": "$.guias[*].pessoa", "documentos_anexos": caminho}
    documento = {
        "mapeamento": "a",
        "administradora": "b",
        "reconhecer": {"$.x": "*"},
        "itens": "$.guias[*].itens[*]",
        "campos": campos,
    }
    with pytest.raises(MapeamentoInvalido) as refused:
        read_mapeamento(json.dumps(documento).encode())
    assert [(one.codigo, one.caminho) for one in refused.value.problemas] == [("caminho_de_outro_item", "campos.documentos_anexos")]
    del campos["beneficiario.id"]
    avisos = read_mapeamento(json.dumps(documento).encode()).avisos
    assert "caminho_de_outro_item" in [one.codigo for one in avisos]


@pytest.mark.parametrize("nome", ["unit", "vlUnit", "valor_unitario", "unitPrice", "valorUnitario", "preco unitário", "@vu", "vl_un"])
def test_a_value_that_its_name_says_is_of_one_unit_is_an_aviso_until_the_mapping_multiplies_it(nome: str) -> None:
    campos: dict[str, Any] = {"procedimento.valor": f"$['{nome}']", "procedimento.quantidade": "$.q"}
    documento = {"mapeamento": "a", "administradora": "b", "reconhecer": {"$.x": "*"}, "campos": campos}
    avisos = read_mapeamento(json.dumps(documento).encode()).avisos
    assert "valor_unitario" in [one.codigo for one in avisos]
    campos["procedimento.valor"] = {"de": f"$['{nome}']", "calcular": "total"}
    avisos = read_mapeamento(json.dumps(documento).encode()).avisos
    assert "valor_unitario" not in [one.codigo for one in avisos]
    del campos["procedimento.quantidade"]
    with pytest.raises(MapeamentoInvalido) as refused:
        read_mapeamento(json.dumps(documento).encode())
    assert [one.codigo for one in refused.value.problemas] == ["calculo_indevido"]


def test_a_value_of_one_unit_is_told_by_any_name_on_its_way() -> None:
    campos: dict[str, Any] = {"procedimento.valor": "$.unitPrice.amount", "procedimento.quantidade": "$.q"}
    documento = {"mapeamento": "a", "administradora": "b", "reconhecer": {"$.x": "*"}, "campos": campos}
    assert "valor_unitario" in [one.codigo for one in read_mapeamento(json.dumps(documento).encode()).avisos]
    campos["procedimento.valor"] = "$.unidade.valor"
    assert "valor_unitario" not in [one.codigo for one in read_mapeamento(json.dumps(documento).encode()).avisos]


@pytest.mark.parametrize(("nome", "dito"), [("@carater", True), ("tipoAtendimento", True), ("priority", True), ("urgente", False)])
def test_an_urgency_that_comes_as_a_code_asks_for_a_dictionary(nome: str, dito: bool) -> None:
    documento: dict[str, Any] = {
        "mapeamento": "a",
        "administradora": "b",
        "reconhecer": {"$.x": "*"},
        "campos": {"urgencia": f"$['{nome}']"},
    }
    assert ("urgencia_sem_dicionario" in [one.codigo for one in read_mapeamento(json.dumps(documento).encode()).avisos]) is dito
    documento["valores"] = {"urgencia": {"1": False}}
    assert "urgencia_sem_dicionario" not in [one.codigo for one in read_mapeamento(json.dumps(documento).encode()).avisos]
