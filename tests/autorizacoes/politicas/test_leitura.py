"""Files as people write them: what is read, what is refused, and at which line."""

from __future__ import annotations

import json
from textwrap import dedent
from typing import Literal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crivo.autorizacoes.politicas import arvore
from crivo.autorizacoes.politicas.documento import Importada
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.nos import PROBLEMAS_MAXIMO, PoliticaInvalida
from crivo.kernel.errors import Kind

Formato = Literal["json", "yaml"] | None

YAML = """\
    # Manual da administradora
    administradora_id: 0123
    documento: não
    versao: 3.10
    vigencia_inicio: 2026-01-01
    vigencia_fim: ~
    regras:
      - regra_id: 1_000
        plano_id: on
        codigo: 00123456
        cobertura: CONDICIONAL
        documentos_obrigatorios: [Laudo médico, pedido-medico, LAUDO_MEDICO]
        carencia_min_dias: 180
        limite_quantidade: 2.0
        autorizacao_previa: True
        restricoes_idade: {min: 18, max: null}
      - regra_id: 12:30:45
        plano_id: 0o17
        codigo: "4030*"
        cobertura: COBERTA
        observacoes: |
          Primeira linha.
          Segunda linha.
    """
JSON = {
    "administradora_id": "0123",
    "documento": "não",
    "versao": "3.10",
    "vigencia_inicio": "2026-01-01",
    "vigencia_fim": None,
    "regras": [
        {
            "regra_id": "1_000",
            "plano_id": "on",
            "codigo": "00123456",
            "cobertura": "CONDICIONAL",
            "documentos_obrigatorios": ["LAUDO_MEDICO", "PEDIDO_MEDICO"],
            "carencia_min_dias": 180,
            "limite_quantidade": 2,
            "autorizacao_previa": True,
            "restricoes_idade": {"min": 18},
        },
        {
            "regra_id": "12:30:45",
            "plano_id": "0o17",
            "codigo": "4030*",
            "cobertura": "COBERTA",
            "observacoes": "Primeira linha.\nSegunda linha.",
        },
    ],
}


def yaml_bytes(texto: str = YAML) -> bytes:
    return dedent(texto).encode()


def refusals(raw: bytes, formato: Formato = None) -> list[tuple[str, str, int | None]]:
    with pytest.raises(PoliticaInvalida) as caught:
        read_politica(raw, formato)
    return [(problem.codigo, problem.caminho, problem.linha) for problem in caught.value.problemas]


def messages(raw: bytes, formato: Formato = None) -> str:
    with pytest.raises(PoliticaInvalida) as caught:
        read_politica(raw, formato)
    return "\n".join(problem.mensagem for problem in caught.value.problemas)


def test_yaml_scalars_of_text_fields_come_out_as_written() -> None:
    politica = read_politica(yaml_bytes()).politica
    assert politica.administradora_id == "0123"
    assert politica.documento == "não"
    assert politica.versao == "3.10"
    assert politica.vigencia_inicio == "2026-01-01"
    assert politica.vigencia_fim is None
    assert [regra.regra_id for regra in politica.regras] == ["1_000", "12:30:45"]
    assert [regra.plano_id for regra in politica.regras] == ["on", "0o17"]
    assert politica.regras[0].codigo == "00123456"


def test_the_same_politica_in_yaml_and_in_json_is_the_same_value() -> None:
    assert read_politica(yaml_bytes()).politica == read_politica(json.dumps(JSON).encode()).politica


@pytest.mark.parametrize("formato", [None, "yaml"])
def test_json_indented_with_tabs_is_read_also_as_yaml(formato: Formato) -> None:
    raw = json.dumps(JSON, indent="\t", ensure_ascii=False).encode()
    assert read_politica(raw, formato).politica == read_politica(yaml_bytes()).politica


def test_flow_yaml_that_is_no_json_is_read_when_yaml_is_asked_for() -> None:
    regra = "{regra_id: r, codigo: 1, cobertura: COBERTA}"
    raw = f"{{administradora_id: 007, documento: d, versao: 1, vigencia_inicio: 2026-01-01, regras: [{regra}]}}".encode()
    politica = read_politica(raw, "yaml").politica
    assert (politica.administradora_id, politica.regras[0].codigo) == ("007", "1")
    assert refusals(raw)[0][0] == "json_invalido"


def test_a_byte_order_mark_and_windows_line_ends_are_no_obstacle() -> None:
    raw = b"\xef\xbb\xbf" + yaml_bytes().replace(b"\n", b"\r\n")
    assert read_politica(raw).politica.regras[1].observacoes == "Primeira linha.\nSegunda linha."


def test_repeated_keys_are_refused_in_json_with_the_line_of_the_second() -> None:
    raw = json.dumps(JSON, indent=1).replace('"documento": ', '"documento": "outro",\n "documento": ').encode()
    assert refusals(raw) == [("chave_repetida", "documento", 4)]


def test_repeated_keys_are_refused_in_yaml_and_in_json_read_as_yaml() -> None:
    assert refusals(yaml_bytes() + b"versao: 4\n") == [("chave_repetida", "versao", 24)]
    raw = json.dumps(JSON, indent=1).replace('"versao": ', '"versao": "1",\n "versao": ').encode()
    assert refusals(raw, "yaml") == [("chave_repetida", "versao", 5)]


@pytest.mark.parametrize(
    ("antes", "depois", "esperado"),
    [
        ("carencia_min_dias: 180", "carencia_min_dias: 0180", ("tipo_errado", "regras[0].carencia_min_dias", 13)),
        ("carencia_min_dias: 180", "carencia_min_dias: 1_80", ("tipo_errado", "regras[0].carencia_min_dias", 13)),
        ("carencia_min_dias: 180", "carencia_min_dias: 3:00", ("tipo_errado", "regras[0].carencia_min_dias", 13)),
        ("carencia_min_dias: 180", "carencia_min_dias: '180'", ("tipo_errado", "regras[0].carencia_min_dias", 13)),
        ("carencia_min_dias: 180", "carencia_min_dias: .nan", ("tipo_errado", "regras[0].carencia_min_dias", 13)),
        ("carencia_min_dias: 180", "carencia_min_dias: 1e999", ("valor_fora_da_faixa", "regras[0].carencia_min_dias", 13)),
        ("carencia_min_dias: 180", "carencia_min_dias:\n\n          true", ("tipo_errado", "regras[0].carencia_min_dias", 13)),
        ("limite_quantidade: 2.0", "limite_quantidade: -.inf", ("tipo_errado", "regras[0].limite_quantidade", 14)),
        ("autorizacao_previa: True", "autorizacao_previa: sim", ("tipo_errado", "regras[0].autorizacao_previa", 15)),
        ("autorizacao_previa: True", "autorizacao_previa: on", ("tipo_errado", "regras[0].autorizacao_previa", 15)),
        ("autorizacao_previa: True", "autorizacao_previa: 'true'", ("tipo_errado", "regras[0].autorizacao_previa", 15)),
        ("plano_id: on", "plano_id:", ("tipo_errado", "regras[0].plano_id", 9)),
        ("versao: 3.10", "versao: null", ("tipo_errado", "versao", 4)),
        ("versao: 3.10", "versao: [3]", ("tipo_errado", "versao", 4)),
        ("2026-01-01", "2026-02-30", ("data_inexistente", "vigencia_inicio", 5)),
        ("2026-01-01", "01/01/2026", ("data_invalida", "vigencia_inicio", 5)),
        ("2026-01-01", "2026-1-1", ("data_invalida", "vigencia_inicio", 5)),
    ],
)
def test_yaml_oddities_are_told_apart_by_field_and_line(antes: str, depois: str, esperado: tuple[str, str, int]) -> None:
    assert refusals(yaml_bytes(YAML.replace(antes, depois))) == [esperado]


@pytest.mark.parametrize(
    ("texto", "codigo", "linha", "palavra"),
    [
        ("a: 1\nplano_id: *\n", "yaml_invalido", 2, 'escreva "*"'),
        ("a: &x 1\nb: *x\n", "yaml_com_referencia", 1, "por extenso"),
        ("a: 1\nb: *x\n", "yaml_com_referencia", 2, "por extenso"),
        ("a: 1\nb: !!python/name:os.system x\n", "yaml_com_referencia", 2, "por extenso"),
        ("a: 1\nb: !!str 1\n", "yaml_com_referencia", 2, "por extenso"),
        ("a: 1\n<<: *x\n", "yaml_com_referencia", 2, "por extenso"),
        ("a: 1\n? [1, 2]\n: 3\n", "yaml_invalido", 2, "texto simples"),
        ("a: 1\n---\nb: 2\n", "varios_documentos", 2, "uma política por arquivo"),
        ("a:\n\t- b\n", "yaml_invalido", 2, "tabulações"),
        ("a: 1\nb: c: d\n", "yaml_invalido", 2, "dois-pontos"),
        ("a: 1\nb: [1, 2\n", "yaml_invalido", 3, ""),
        ('a: "sem fim\n', "yaml_invalido", 2, "aspas"),
        ("# só comentário\n", "arquivo_vazio", 1, "conteúdo"),
        (" \n\n", "arquivo_vazio", 1, "vazio"),
        ("a: 1\nb: \x07\n", "caractere_invisivel", 2, "invisível"),
        ("a: 1\nb: \ufeff\ufffe\n", "yaml_invalido", None, "invisíveis"),
    ],
)
def test_yaml_that_cannot_be_read_says_where_and_what_to_do(texto: str, codigo: str, linha: int | None, palavra: str) -> None:
    assert refusals(texto.encode()) == [(codigo, refusals(texto.encode())[0][1], linha)]
    assert palavra in messages(texto.encode())


@pytest.mark.parametrize(
    ("texto", "linha", "palavra"),
    [
        ('{\n"a": 0123}', 2, "zeros à esquerda"),
        ('{\n"a": NaN}', 2, "`NaN`"),
        ('{\n"a":\n-Infinity}', 3, "`-Infinity`"),
        ('{\n"a": 1,\n}', 3, "vírgula depois do último"),
        ('{"a": 1\n"b": 2}', 2, "`,` ou `}`"),
        ('{"a"\n 1}', 2, "dois-pontos"),
        ("{'a': 1}", 1, "aspas duplas"),
        ('{\n"a": "um\ndois"}', 2, "quebra de linha"),
        ('{\n"a": "\\x"}', 2, "mal formado"),
        ('{"a": 1}\n{"b": 2}', 2, "depois do fim"),
        ('{"a": [1, 2\n', 2, "`]`"),
        ('{"a":\n', 2, "fim do arquivo"),
        ('{"a":\n]}', 2, "`]`"),
        ('{\n"a": "\\ud800"}', 2, "não forma caractere"),
        ('{"a": "' + "b" * 3, 1, "aspas fecham"),
    ],
)
def test_json_that_cannot_be_read_says_where_and_what_to_do(texto: str, linha: int, palavra: str) -> None:
    assert [(codigo, onde) for codigo, _, onde in refusals(texto.encode(), "json")] == [("json_invalido", linha)]
    assert palavra in messages(texto.encode(), "json")


def test_every_problem_of_a_json_file_stands_at_its_own_line() -> None:
    raw = b"""{
 "administradora_id": "A",
 "documento": " ",
 "versao": 3.1,
 "vigencia_inicio": "2026-12-31",
 "vigencia_fim": "2026-01-01",
 "regras": [
  {"regra_id": "R", "codigo": "1", "cobertura": "COBERTO"},
  {
   "regra_id": "R",
   "codigo": "4*3*",
   "cobertura": "COBERTA",
   "limite_quatidade": 1,
   "limite_quantidade":
     -1,
   "restricoes_idade": {
    "min": 60,
    "max": 18
   },
   "documentos_obrigatorios": [
    "LAUDO",
    "--",
    7
   ]
  },
  "regra",
  {
   "regra_id": "S"
  }
 ]
}"""
    assert refusals(raw) == [
        ("texto_vazio", "documento", 3),
        ("tipo_errado", "versao", 4),
        ("vigencia_invertida", "vigencia_fim", 6),
        ("valor_fora_da_lista", "regras[0].cobertura", 8),
        ("regra_id_repetida", "regras[1].regra_id", 10),
        ("codigo_invalido", "regras[1].codigo", 11),
        ("campo_desconhecido", "regras[1].limite_quatidade", 13),
        ("valor_fora_da_faixa", "regras[1].limite_quantidade", 14),
        ("idade_invertida", "regras[1].restricoes_idade", 16),
        ("texto_sem_letras", "regras[1].documentos_obrigatorios[1]", 22),
        ("tipo_errado", "regras[1].documentos_obrigatorios[2]", 23),
        ("tipo_errado", "regras[2]", 26),
        ("campo_ausente", "regras[3].codigo", 27),
        ("campo_ausente", "regras[3].cobertura", 27),
    ]


def test_nesting_has_a_limit_in_both_formats() -> None:
    assert "aninhamento" in messages(b'{"a":' * 50_000)
    assert "aninhamento" in messages(b"- " * 50_000, "yaml")
    assert "aninhamento" in messages(b"[" * 50_000, "yaml")


def test_a_file_over_fifty_megabytes_is_refused_unread() -> None:
    assert refusals(b" " * (arvore.TAMANHO_MAXIMO + 1)) == [("arquivo_grande", "", None)]


def test_a_file_in_another_encoding_is_told_its_line() -> None:
    assert refusals("a: 1\nb: não\n".encode("latin-1")) == [("codificacao_invalida", "", 2)]
    assert refusals("a: 1".encode("utf-16")) == [("codificacao_invalida", "", 1)]


def test_problems_beyond_ten_thousand_are_counted() -> None:
    raw = json.dumps({f"campo_{n}": n for n in range(PROBLEMAS_MAXIMO + 500)}).encode()
    with pytest.raises(PoliticaInvalida) as caught:
        read_politica(raw)
    assert len(caught.value.problemas) == PROBLEMAS_MAXIMO + 1
    # The five required fields are missing too.
    assert caught.value.problemas[-1].mensagem.startswith("Há mais 505 problemas")


def test_the_error_counts_its_problems_and_is_of_the_invalid_kind() -> None:
    with pytest.raises(PoliticaInvalida, match=r"^A política tem 5 problemas\. Corrija-os e importe de novo\.$") as caught:
        read_politica(b"{}")
    assert caught.value.kind is Kind.INVALID
    with pytest.raises(PoliticaInvalida, match=r"1 problema\. Corrija-o e"):
        read_politica(b"[]")


FRAGMENTS = [
    b'{"',
    b"regras",
    b": ",
    b"[",
    b"]",
    b"}",
    b",",
    b"\n",
    b"- ",
    b"  ",
    b"&a ",
    b"*a",
    b"!t ",
    b"|",
    b">",
    b"'",
    b'"',
    b"\t",
    b"? ",
    b"---",
    b"\\u",
]
VALID = json.dumps(JSON).encode()


@settings(max_examples=600, deadline=None)
@given(
    st.binary(max_size=60)
    | st.lists(st.sampled_from(FRAGMENTS) | st.binary(max_size=2), max_size=30).map(b"".join)
    | st.tuples(st.integers(0, len(VALID)), st.integers(0, 9), st.binary(max_size=4)).map(
        lambda cut: VALID[: cut[0]] + cut[2] + VALID[cut[0] + cut[1] :]
    ),
    st.sampled_from(["json", "yaml", None]),
)
@example(b'a: "\\UFFFFFFFF"', "yaml")
@example(b'{"a": ' + b"9" * 6_000 + b"}", "json")
@example(b"\xef\xbb\xbf", None)
@example(b"%YAML 9.9\n---\na: b", "yaml")
def test_any_bytes_are_a_politica_or_politica_invalida(raw: bytes, formato: Formato) -> None:
    try:
        outcome: Importada | PoliticaInvalida = read_politica(raw, formato)
    except PoliticaInvalida as invalida:
        outcome = invalida
    if isinstance(outcome, Importada):
        assert outcome.relatorio.regras_total == len(outcome.politica.regras)
    else:
        assert outcome.problemas
        assert all(problem.mensagem and problem.codigo for problem in outcome.problemas)
