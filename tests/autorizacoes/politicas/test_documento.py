"""The published schema held to the validation, and the canonical document held to what it was read from."""

from __future__ import annotations

import copy
import hashlib
import json
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.autorizacoes.contracts import Alternativa, Politica, Regra, RestricoesIdade
from crivo.autorizacoes.politicas.documento import digest, to_document
from crivo.autorizacoes.politicas.esquema import esquema
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.nos import PoliticaInvalida

# What no JSON Schema can say; everything else, schema and validation must agree on.
BEYOND_THE_SCHEMA = {"data_inexistente", "vigencia_invertida", "regra_id_repetida", "idade_invertida", "texto_sem_letras"}

textos = st.text(alphabet="aBç9 .-*_\n\té", max_size=8)
ids = st.text(alphabet="abcXYZ0189", min_size=1, max_size=6)
dias = st.dates().map(lambda dia: dia.isoformat())
inteiros = st.integers(-2, 140) | st.sampled_from([0.0, 18.0, 1.5, 36_500, 36_501, 10**9, 10**30, 1e300])
qualquer: st.SearchStrategy[Any] = st.none() | st.booleans() | inteiros | textos | st.builds(dict) | st.lists(textos, max_size=2)
codigos = st.from_regex(r"[0-9]{4,8}\*?|[A-Z]{2}-[0-9]|\*", fullmatch=True)
opcionais: dict[str, st.SearchStrategy[Any]] = {
    "plano_id": ids | st.just("*"),
    "tabela": st.sampled_from(["TUSS", "CBHPM", "OUTRA", "*"]),
    "documentos_obrigatorios": st.none() | st.lists(st.sampled_from(["Laudo médico", "LAUDO_MEDICO", "RX"]), max_size=3),
    "carencia_min_dias": st.none() | st.integers(0, 400),
    "carencia_urgencia_dias": st.none() | st.sampled_from([0, 1, 1.0]),
    "restricoes_idade": st.none()
    | st.fixed_dictionaries({}, optional={"min": st.none() | st.integers(0, 60), "max": st.none() | st.integers(60, 130)}),
    "restricoes_rede": st.sampled_from([None, "LIVRE", "APENAS_CREDENCIADA"]),
    "limite_quantidade": st.none() | st.integers(0, 10) | st.sampled_from([0.5, 2.0]),
    "autorizacao_previa": st.none() | st.booleans(),
    "coparticipacao_percentual": st.none() | st.floats(0, 100) | st.integers(0, 100),
    "prazo_validade_autorizacao_dias": st.none() | st.integers(0, 365),
    "permite_autorizacao_condicionada": st.none() | st.booleans(),
    "alternativas": st.lists(st.fixed_dictionaries({"codigo": ids}, optional={"descricao": st.none() | textos}), max_size=2).map(
        lambda itens: [item for item in itens if not _has_control(item.get("descricao"))]
    ),
    "excecoes": st.lists(st.fixed_dictionaries({"motivo": ids, "instrucao": ids}), max_size=2),
    "observacoes": st.none()
    | textos
    | st.sampled_from(["Alternativa: 40304370 - Outro; 50304370", "Idade fora da faixa: encaminhar para auditoria clínica."]),
}


def _has_control(texto: str | None) -> bool:
    return texto is not None and any(char < " " and char not in "\n\t" for char in texto)


@st.composite
def documentos_st(draw: st.DrawFn) -> dict[str, Any]:
    """Documents that stand in the contract."""
    inicio, fim = draw(dias), draw(st.none() | dias)
    if fim is not None and fim < inicio:
        inicio, fim = fim, inicio
    obrigatorios = {"codigo": codigos, "cobertura": st.sampled_from(["COBERTA", "NAO_COBERTA", "CONDICIONAL"])}
    regras = draw(st.lists(st.fixed_dictionaries(obrigatorios, optional=opcionais), min_size=1, max_size=4))
    return {
        "administradora_id": draw(ids),
        "documento": "Manual é",
        "versao": draw(ids),
        "vigencia_inicio": inicio,
        "vigencia_fim": fim,
        "regras": [{"regra_id": f"R-{posicao}", **regra} for posicao, regra in enumerate(regras)],
    }


def containers(valor: Any) -> list[Any]:
    """Every object and list of a document, itself included."""
    filhos = list(valor.values()) if isinstance(valor, dict) else valor if isinstance(valor, list) else []
    return ([valor] if isinstance(valor, dict | list) else []) + [item for filho in filhos for item in containers(filho)]


@st.composite
def damaged_st(draw: st.DrawFn) -> dict[str, Any]:
    """Documents with a few places changed, dropped or added, which may or may not break the contract."""
    documento = copy.deepcopy(draw(documentos_st()))
    for _ in range(draw(st.integers(1, 3))):
        alvo = draw(st.sampled_from(containers(documento)))
        chaves = sorted(alvo) if isinstance(alvo, dict) else list(range(len(alvo)))
        if not chaves or draw(st.integers(0, 9)) == 0:
            if isinstance(alvo, dict):
                alvo[draw(ids)] = draw(qualquer)
            continue
        chave = draw(st.sampled_from(chaves))
        if draw(st.integers(0, 4)) == 0:
            del alvo[chave]
        else:
            alvo[chave] = draw(qualquer)
    return documento


def as_bytes(documento: Any) -> bytes:
    return json.dumps(documento, ensure_ascii=False).encode()


def fault_codes(documento: Any) -> set[str]:
    try:
        read_politica(as_bytes(documento))
    except PoliticaInvalida as invalida:
        return {problem.codigo for problem in invalida.problemas}
    return set()


# --- the schema


def test_the_schema_is_a_valid_one_of_its_draft() -> None:
    published = esquema()
    assert published["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(published)


def test_every_field_of_the_schema_has_a_title_and_a_description() -> None:
    campos = [campo for no in containers(esquema()) if isinstance(no, dict) and "properties" in no for campo in no["properties"].values()]
    assert len(campos) == 42
    assert all(campo["title"] and campo["description"].endswith(".") for campo in campos)


@pytest.mark.parametrize(("struct", "path"), [(Politica, ()), (Regra, ("regras",)), (Alternativa, ("regras", "alternativas"))])
def test_the_schema_has_the_fields_of_the_contract_in_their_order(struct: type[msgspec.Struct], path: tuple[str, ...]) -> None:
    no = esquema()
    for campo in path:
        no = no["properties"][campo]["items"]
    declared = {campo.name for campo in msgspec.structs.fields(struct)}
    assert set(no["properties"]) == declared


@settings(max_examples=150, deadline=None)
@given(documentos_st())
def test_what_stands_in_the_contract_passes_both_schema_and_validation(documento: dict[str, Any]) -> None:
    assert list(jsonschema.Draft202012Validator(esquema()).iter_errors(documento)) == []
    assert fault_codes(documento) == set()


@settings(max_examples=600, deadline=None)
@given(damaged_st() | qualquer)
def test_schema_and_validation_refuse_the_same_documents(documento: Any) -> None:
    is_valid = jsonschema.Draft202012Validator(esquema()).is_valid(documento)
    assert is_valid == (fault_codes(documento) <= BEYOND_THE_SCHEMA)


# --- the canonical document


@settings(max_examples=150, deadline=None)
@given(documentos_st())
def test_the_canonical_document_reads_back_as_the_same_value(documento: dict[str, Any]) -> None:
    politica = read_politica(as_bytes(documento)).politica
    canonical = to_document(politica)
    assert read_politica(canonical, "json").politica == politica
    assert read_politica(canonical, "yaml").politica == politica
    assert msgspec.json.decode(canonical, type=Politica) == politica
    assert to_document(read_politica(canonical).politica) == canonical


def test_the_canonical_document_sorts_its_keys_and_leaves_out_what_is_at_its_default() -> None:
    regra = Regra(regra_id="R", codigo="1", cobertura="COBERTA", carencia_min_dias=0, restricoes_idade=RestricoesIdade(min=18))
    politica = Politica(administradora_id="A", documento="Manual é", versao="1", vigencia_inicio="2026-01-01", regras=(regra,))
    assert to_document(politica).decode() == (
        '{"administradora_id":"A","documento":"Manual é","regras":['
        '{"carencia_min_dias":0,"cobertura":"COBERTA","codigo":"1","regra_id":"R","restricoes_idade":{"min":18}}'
        '],"versao":"1","vigencia_inicio":"2026-01-01"}'
    )


def test_the_digest_is_of_the_canonical_document_and_not_of_the_file() -> None:
    regra = '"regras": [{"codigo": "4.03.04.36-1", "regra_id": "R", "cobertura": "COBERTA", "observacoes": null}]'
    escrito = '{"versao": "1", "documento": "d", "administradora_id": "A", "vigencia_inicio": "2026-01-01", ' + regra + "}"
    politica = read_politica(escrito.encode()).politica
    assert digest(politica) == digest(read_politica(to_document(politica)).politica)
    assert digest(politica) == hashlib.sha256(to_document(politica)).digest()
    assert digest(politica) != digest(msgspec.structs.replace(politica, versao="2"))
