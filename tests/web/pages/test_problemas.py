"""Where a fault of a file stands, in words: programs read the path, people read the place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.nos import PoliticaInvalida
from crivo.kernel.errors import Problem
from crivo.triagem.importacao import ImportacaoRecusada, read_chamada
from crivo.web.pages.problemas import ProblemaVisto, place_of


@pytest.mark.parametrize(
    ("caminho", "words"),
    [
        ("projetos[3].orcamento_itens[0].valor_unitario", "Projeto 4, item 1 do orçamento, valor unitário"),
        ("criterios[0].niveis[2].nota", "Critério 1, nível 3, nota"),
        ("avaliadores[0].projetos[1]", "Avaliador 1, projeto 2"),
        ("edital.inscricoes.fim", "Edital, inscrições, fim"),
        ("projetos[0].proponente.cpf_cnpj", "Projeto 1, proponente, CPF ou CNPJ"),
        ("regras[9].alternativas[0].codigo", "Regra 10, alternativa 1, código"),
        ("vigencia_inicio", "Início da vigência"),
        ("beneficiario.data_nascimento", "Data de nascimento"),
        ("documentos_anexos[1]", "Documento anexado 2"),
        ("propostas[1].nome_curto", "“propostas”, item 2, “nome_curto”"),
        ("", ""),
    ],
)
def test_a_path_is_told_as_a_place_counted_from_one(caminho: str, words: str) -> None:
    assert place_of(caminho) == words


def test_a_sentence_that_began_with_the_field_goes_on_after_the_place() -> None:
    seen = ProblemaVisto.of(Problem("`valor_unitario` deve ser um número.", "projetos[3].orcamento_itens[0].valor_unitario", 12))
    assert (seen.onde, seen.linha, seen.mensagem) == ("Projeto 4, item 1 do orçamento, valor unitário", "12", "deve ser um número.")


def test_what_is_missing_is_named_as_it_has_to_be_written() -> None:
    seen = ProblemaVisto.of(Problem("Falta `titulo` em `projetos[0]`. Título do projeto.", "projetos[0].titulo"))
    assert (seen.onde, seen.mensagem) == ("Projeto 1", "falta “titulo”. Título do projeto.")


def test_a_place_that_a_message_cites_is_told_in_words_too() -> None:
    seen = ProblemaVisto.of(Problem("`P1` já é o identificador de `projetos[0]`; dê a este um próprio.", "projetos[1].id"))
    assert seen == ProblemaVisto("", "Projeto 2, identificador", "“P1” já é o identificador de projeto 1; dê a este um próprio.")


def _wrong_edital(folder: Path) -> tuple[Problem, ...]:
    edital: dict[str, Any] = {
        "edital": {"id": "ED 1", "nome": ""},
        "requisitos": [{"tipo": "documento", "id": "R", "documento": "X", "validade": {"regra": "valido_em", "data": "já"}}],
        "criterios": [{"id": "C", "nome": "n", "peso": 0, "niveis": [{"nota": 1}]}],
        "projetos": [{"id": "P"}, {"id": "P", "titulo": 3, "titlo": "x", "proponente": {"nome": "n", "banco": {"codigo": []}}}],
        "avaliadores": [{"nome": "A", "email": "x", "projetos": ["P9"]}],
    }
    place = folder / "edital.json"
    place.write_text(json.dumps(edital), encoding="utf-8")
    with pytest.raises(ImportacaoRecusada) as refused:
        read_chamada(place)
    return refused.value.problemas


def _wrong_politica() -> tuple[Problem, ...]:
    regra = {"regra_id": "A", "codigo": "40*3", "cobertura": "SIM", "alternativas": [{"descricao": "x"}], "carencia_min_dias": -1}
    politica = {"administradora_id": "A", "documento": "D", "versao": "1", "vigencia_inicio": "hoje", "regras": [regra, {"codigo": "1"}]}
    with pytest.raises(PoliticaInvalida) as refused:
        read_politica(json.dumps(politica, indent=1).encode(), "json")
    return refused.value.problemas


def test_no_fault_of_an_edital_or_a_politica_is_told_by_a_path(tmp_path: Path) -> None:
    faults = [*_wrong_edital(tmp_path), *_wrong_politica()]
    assert len(faults) > 15
    for fault in faults:
        seen = ProblemaVisto.of(fault)
        assert seen.onde[:1].isupper(), fault
        assert not set("[]_`") & set(seen.onde), fault
        assert not set("[]`") & set(seen.mensagem), fault
