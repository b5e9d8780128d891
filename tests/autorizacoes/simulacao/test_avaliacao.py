"""The rules by columns decide as the stages do. Source: design, "The workbench"; quality, `politicas simular`."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from casos import HOJE
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.simulacao import avaliacao
from crivo.autorizacoes.simulacao.avaliacao import DESFECHOS, SEM_REGRA, Prazo, evaluate, moved
from crivo.autorizacoes.simulacao.colunas import columns_of
from crivo.autorizacoes.simulacao.linha import Linha, decode_linha, encode_linha
from por_colunas import catalogue_of, disagreements, said_by_columns, said_by_stages

REGRA = {"regra_id": "R-1", "codigo": "*", "cobertura": "COBERTA"}
PEDIDO = {
    "pedido_id": "P-1",
    "administradora_id": "ADM-001",
    "plano_id": "OURO",
    "data_pedido": "2026-10-05",
    "beneficiario": {"id": "B-1", "idade": 40, "carencia_cumprida_dias": 400},
    "procedimento": {"codigo": "40304361", "tabela": "TUSS", "quantidade": 1},
    "prestador": {"tipo": "CREDENCIADO"},
}


def politica(*regras: dict[str, Any], **outros: Any) -> dict[str, Any]:
    base = {"administradora_id": "ADM-001", "documento": "Manual", "versao": "1", "vigencia_inicio": "2026-01-01"}
    return {**base, **outros, "regras": [{**REGRA, **regra} for regra in regras]}


def pedido(**outros: Any) -> bytes:
    return json.dumps({**PEDIDO, **outros}).encode()


def both(bruto: bytes, *politicas: dict[str, Any]) -> tuple[Any, Any]:
    """What columns and stages say of one pedido."""
    catalogo = catalogue_of(politicas)
    trilha = Fluxo(catalogo).decide(bruto, HOJE)
    linha = decode_linha(encode_linha(Linha.of(trilha.etapas.normalizacao)))
    return said_by_columns(evaluate(columns_of([linha]), catalogo), 0), said_by_stages(trilha)


@given(st.integers(0, 2**32))
@settings(deadline=None)
def test_columns_decide_as_the_stages_do(semente: int) -> None:
    """Outcome, motivos, regra and quantity, under what is published and under a draft, of pedidos kept as they were read."""
    ((_, found),) = disagreements(6, semente)
    assert found == []


@pytest.mark.parametrize(
    "quantidade",
    [2**53 + 1, 2**64 + 1, 10**30, "9" * 400, 2.5, 2**53 - 1],
    ids=["past exact", "past 64 bits", "huge", "endless", "half", "exact"],
)
def test_a_number_that_no_column_holds_goes_through_the_stages(quantidade: Any) -> None:
    bruto = pedido(procedimento={"codigo": "1", "quantidade": quantidade})
    ditas, etapas = both(bruto, politica({"limite_quantidade": 2}))
    assert ditas == etapas
    ditas, etapas = both(bruto, politica({}))
    assert ditas[:3] == etapas[:3]  # of what is approved, as near as a float comes to it


def test_a_hundred_kinds_of_documents_are_told_apart() -> None:
    exigidos = [f"DOC_{numero}" for numero in range(100)]
    catalogo = catalogue_of([politica({"documentos_obrigatorios": exigidos})])
    base = Linha("ADM-001", "OURO", "1", None, "2026-10-05", 1, None, None, False, True)
    linhas = [replace(base, documentos=tuple(outros)) for outros in (exigidos, exigidos[:-1], exigidos[1:], [*exigidos, "MAIS"], [])]
    assert [DESFECHOS[one] for one in evaluate(columns_of(linhas), catalogo).desfecho] == [
        "APROVADO",
        "PENDENTE_AJUSTES",
        "PENDENTE_AJUSTES",
        "APROVADO",
        "PENDENTE_AJUSTES",
    ]


def test_nothing_to_decide_is_decided() -> None:
    avaliadas = evaluate(columns_of([]), Catalogo.of([]))
    assert (len(avaliadas.desfecho), avaliadas.pelas_etapas) == (0, 0)


def test_a_pedido_of_an_administradora_without_politica_finds_no_regra() -> None:
    ditas, etapas = both(pedido(), politica({}, administradora_id="OUTRA"))
    assert ditas == etapas
    assert ditas[1] == ("regra_nao_encontrada",)


def test_columns_decide_alike_in_parts_and_where_the_places_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads share out the rows, and a catalogue of many keys keeps only the places that there are."""
    catalogo = catalogue_of([politica({"codigo": f"{numero}*", "limite_quantidade": numero}) for numero in range(1, 9)])
    linhas = [
        Linha("ADM-001", "OURO", str(numero % 90), None, f"202{numero % 5 + 4}-01-31", numero % 7 + 1, None, None, False, True)
        for numero in range(3000)
    ]
    colunas = columns_of(linhas)
    whole = evaluate(colunas, catalogo, threads=1)
    monkeypatch.setattr(avaliacao, "_ROWS_AT_ONCE", 128)
    monkeypatch.setattr(avaliacao, "_MOST_PLACES", 10)
    parts = evaluate(colunas, catalogo)
    assert [whole.regra_de(at) for at in range(3000)] == [parts.regra_de(at) for at in range(3000)]
    assert whole.desfecho.tolist() == parts.desfecho.tolist()
    assert whole.motivos.tolist() == parts.motivos.tolist()


def test_a_draft_that_is_still_to_begin_decides_pedidos_of_before_for_its_own_administradora_alone() -> None:
    """What a draft that starts next month would have decided last month; what came before the version that it succeeds stays as it was."""
    catalogo = catalogue_of(
        [politica({}, vigencia_inicio="2026-12-01"), politica({}, administradora_id="OUTRA", vigencia_inicio="2026-12-01")]
    )
    linhas = [
        Linha(adm, "OURO", "1", None, data, 1, None, None, False, True)
        for adm, data in (("ADM-001", "2026-10-05"), ("OUTRA", "2026-10-05"), ("ADM-001", "2025-12-31"), ("ADM-001", "2026-01-01"))
    ]
    prazo = Prazo(lambda administradora_id: administradora_id == "ADM-001", "2026-01-01", "2026-12-01")
    found = [one != SEM_REGRA for one in evaluate(columns_of(linhas), catalogo, prazo).regra.tolist()]
    assert (found, moved(columns_of(linhas), prazo)) == ([True, False, False, True], 2)
