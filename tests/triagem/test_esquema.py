from __future__ import annotations

import copy
import json
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from crivo.kernel.formas.esquema import fields_of
from crivo.triagem.edital import Projeto
from crivo.triagem.esquema import esquema
from crivo.triagem.importacao.coerencia import check_coerencia
from crivo.triagem.importacao.fluxo_json import read_json
from crivo.triagem.importacao.leitura import chamada_of
from crivo.triagem.importacao.relato import Relato
from crivo.triagem.importacao.validacao import read
from importacoes import Documento, at, completa

VALIDATOR: Final = Draft202012Validator(esquema(), format_checker=Draft202012Validator.FORMAT_CHECKER)
# What a schema has no words for: values held against other values, and hours of the day.
BEYOND: Final = frozenset(
    {
        "avaliacao_repetida",
        "avaliador_desconhecido",
        "categoria_desconhecida",
        "categoria_repetida",
        "corte_fora_da_escala",
        "cota_reservada",
        "cotas_demais",
        "criterio_desconhecido",
        "datas_invertidas",
        "documento_desconhecido",
        "documento_do_catalogo",
        "email_repetido",
        "habilitacao_repetida",
        "id_repetido",
        "momento_inexistente",
        "nivel_fora_da_escala",
        "nivel_repetido",
        "nota_fora_da_escala",
        "notas_invertidas",
        "palavra_vazia",
        "pontos_alem_das_casas",
        "projeto_desconhecido",
        "requisito_desconhecido",
        "requisito_sem_documento",
        "validade_sem_data",
    }
)
DOCS: Final = Path(__file__).parents[2] / "docs" / "triagem.md"


def faults(documento: Any) -> list[tuple[str, str]]:
    """What the reader refuses and a schema could say, without looking for files; what it takes must be a Chamada."""
    relato = Relato()
    with TemporaryFile() as file:
        file.write(json.dumps(documento).encode())
        file.seek(0)
        lido = read(read_json(file, "edital.json"), relato)
    if lido is not None:
        check_coerencia(lido, relato)
    if lido is not None and not relato.problemas.total:
        assert all(isinstance(one, Projeto) for one in chamada_of(lido).projetos)
    return [(problem.caminho, problem.codigo) for problem in relato.problemas.as_tuple() if problem.codigo not in BEYOND]


def paths_of(valor: Any, caminho: str = "") -> list[str]:
    steps = valor.items() if isinstance(valor, dict) else enumerate(valor) if isinstance(valor, list) else ()
    return [path for step, item in steps for path in (f"{caminho}{step}", *paths_of(item, f"{caminho}{step}."))]


PATHS: Final = paths_of(completa())
VALUES: Final = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.sampled_from([10**9, 10**9 + 1, 10**15, 10**16, 10**40, 999, 1000, 0.5, 2.0, -0.5, 1e300]),
    st.text(max_size=12),
    st.sampled_from(["", " ", "\n", "a\n", "P001", "p.1", "-a", "é", "a b", "a@b", "a@b\n", "@", "a@b@c", "x" * 65, "x" * 301]),
    st.sampled_from(["2026-09-15", "2026-02-30", "1899-12-31", "2199-12-31", "2026-09-15\n", "15/09/2026"]),
    st.sampled_from(
        [
            "2026-09-10T14:00:00-03:00",
            "2026-09-10T14:00:00Z\n",
            "2026-09-10T14:00:00",
            "2026-09-10t14:00:00z",
            "2026-09-10T23:59:59.123456+23:59",
        ]
    ),
    st.sampled_from(["habilitacao", "avaliacao", "pdf", "em", "igual", "minimo", "existe", "documento", "condicao", "valido_em", "OUTRO"]),
    st.lists(st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.sampled_from(["P001", "pdf", "habilitacao", ""])), max_size=3),
    st.just([[1]]),
    st.just({}),
    st.just({"id": "X1", "nome": "Outro"}),
    st.just({"regra": "valido_em"}),
)


@st.composite
def spoilt(draw: st.DrawFn) -> Documento:
    """A right import with a few things changed, taken away or added."""
    documento = completa()
    for _ in range(draw(st.integers(1, 3))):
        caminho = draw(st.sampled_from(PATHS))
        try:
            pai, ultimo = at(documento, caminho)
            change = draw(st.sampled_from(["put", "put", "put", "drop", "add", "twice"]))
            if change == "put":
                pai[ultimo] = copy.deepcopy(draw(VALUES))
            elif change == "drop":
                del pai[ultimo]
            elif change == "add" and isinstance(pai, dict):
                pai[draw(st.sampled_from(["nota_max", "novo", "data", "campo", "id"]))] = copy.deepcopy(draw(VALUES))
            elif isinstance(pai, list):
                pai.append(copy.deepcopy(pai[int(ultimo)]))
        except (KeyError, IndexError, TypeError, ValueError):  # an earlier change took that place away
            continue
    return documento


@settings(max_examples=400, deadline=None)
@given(spoilt())
def test_schema_and_reader_agree_on_what_the_schema_can_say(documento: Documento) -> None:
    """Design, Shapes: the JSON Schema is published by `crivo triagem esquema`."""
    said = [error.message for error in VALIDATOR.iter_errors(documento)]
    found = faults(documento)
    assert bool(said) == bool(found), (said, found)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(esquema())
    assert json.loads(json.dumps(esquema())) == esquema()


def test_a_right_import_is_right_by_both() -> None:
    assert faults(completa()) == []
    assert [error.message for error in VALIDATOR.iter_errors(completa())] == []


def test_a_file_with_its_schema_named_is_right_by_both() -> None:
    named = {"$schema": esquema()["$id"], **completa()}
    assert faults(named) == []
    assert VALIDATOR.is_valid(named)


def test_every_field_has_a_title_and_says_what_it_is() -> None:
    """Nobody should have to guess a field from its name."""
    silent = [nome for nome, campo in fields_of(esquema()) if not campo.get("title") or len(campo.get("description", "")) < 8]
    assert silent == []


def test_the_example_of_the_documentation_is_right_by_both() -> None:
    example = json.loads(DOCS.read_text().split("```json\n", 1)[1].split("```", 1)[0])
    assert faults(example) == []
    assert [error.message for error in VALIDATOR.iter_errors(example)] == []


def test_the_documentation_names_every_field() -> None:
    text = DOCS.read_text()
    nomes = {nome for nome, _ in fields_of(esquema())}
    assert len(nomes) > 50
    missing = sorted(nome for nome in nomes if f"`{nome}`" not in text and f"`{nome}[]`" not in text)
    assert missing == []
