"""Files of labelled texts: what can be read, and what is told where it cannot."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crivo.autorizacoes.redacao.conjunto import ConjuntoInvalido, avaliar, read_casos

ROTULADOS = json.loads((Path(__file__).parent / "desenvolvimento.json").read_bytes())


def caso(**changes: Any) -> dict[str, Any]:
    return {**ROTULADOS[0], **changes}


def raw(*casos: object) -> bytes:
    return json.dumps(casos).encode()


def test_a_set_may_be_a_list_or_stand_under_its_name() -> None:
    assert len(read_casos(raw(caso()))) == 1
    assert len(read_casos(json.dumps({"redacao": [caso()]}).encode())) == 1


def test_a_field_may_be_named_by_its_whole_path() -> None:
    assert read_casos(raw(caso(campo="mensagens.para_beneficiario")))[0].campo == "para_beneficiario"


def test_a_decision_that_is_no_document_is_told_with_its_case() -> None:
    with pytest.raises(ConjuntoInvalido) as caught:
        read_casos(raw(caso(), caso(id="ex-2", decisao="a mesma de ex-1")))
    assert [(problem.caminho, problem.codigo) for problem in caught.value.problemas] == [("ex-2", "decisao_nao_e_objeto")]
    assert "documento inteiro" in caught.value.mensagem


@pytest.mark.parametrize("given", [b"{", b'{"redacao": 1}', raw(1), raw(caso(texto=None)), raw(caso(campo="assunto"))])
def test_what_is_no_set_of_cases_is_refused(given: bytes) -> None:
    with pytest.raises(ConjuntoInvalido):
        read_casos(given)


def test_each_case_comes_out_with_what_was_found_beside_what_was_expected() -> None:
    document = avaliar(read_casos(raw(caso(texto="Liberamos só 11 sessões.", esperado={"ok": True, "falha": None}))))
    assert document["metricas"]["alarmes_falsos"]["acertos"] == 1
    assert document["metricas"]["recall"]["valor"] is None
    [line] = document["casos"]
    assert line["obtido"] == {"ok": False, "falha": "numero", "falhas": ["numero"]}
    assert line["certo"] is False
    assert line["achados"][0]["trecho"] == "11 sessões"
