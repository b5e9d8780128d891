"""`crivo politicas conferir` and `testar`: what is found and with what code they end; a folder with its cases, imported and proposed for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

_POLITICA = """administradora_id: ADM-77
documento: Manual
versao: "1"
vigencia_inicio: 2026-01-01
regras:
  - regra_id: A
    codigo: "20103093"
    cobertura: COBERTA
    limite_quantidade: 12
"""
_CONFLITO = """  - regra_id: B
    codigo: "2.01.03.09-3"
    cobertura: COBERTA
    limite_quantidade: 20
"""
_VAZIA = """  - regra_id: C
    codigo: "777"
    cobertura: COBERTA
    restricoes_idade: {min: 60, max: 18}
"""
_CASO = """pedido:
  {pedido_id: P, administradora_id: ADM-77, plano_id: OURO, beneficiario: {id: B}, procedimento: {codigo: "20103093", quantidade: 13}}
esperado: {decisao_final: APROVADO_PARCIAL, quantidade_aprovada: %s}
"""


def test_conferir_prints_each_finding_with_its_line_and_a_pedido_and_ends_with_one(terminal: Terminal) -> None:
    ruim = terminal.file("ruim.yaml", _POLITICA + _CONFLITO + _VAZIA)
    result = terminal.run("politicas", "conferir", ruim, "--json")
    assert result.exit_code == 1
    achados: list[dict[str, Any]] = json.loads(result.stdout)
    assert [(um["codigo"], um["gravidade"], um["regra"], um["linha"]) for um in achados] == [
        ("regras_conflitantes", "erro", "B", 10),
        ("faixa_etaria_vazia", "erro", "C", 17),
    ]
    exemplo = terminal.file("exemplo.json", json.dumps(achados[0]["exemplo"]))
    assert achados[0]["exemplo"]["procedimento"] == {"codigo": "20103093", "quantidade": 13}
    told = terminal.run("politicas", "conferir", ruim).stdout
    assert "menor pedido que mostra" in told
    assert "resultado, só com A: Aprovado em parte, 12" in told
    assert "2 erros, 0 avisos." in told
    boa = terminal.file("boa.yaml", _POLITICA)
    assert terminal.run("politicas", "conferir", boa).stdout == "Nada a corrigir.\n"
    terminal.run("politicas", "importar", boa, "--publicar")
    decided = json.loads(terminal.run("autorizacoes", "decidir", exemplo).stdout)
    assert (decided["decisao_final"], decided["detalhe_decisao"]["quantidade_aprovada"]) == ("APROVADO_PARCIAL", 12)


def test_a_document_that_cannot_be_read_comes_back_with_its_faults_as_errors(terminal: Terminal) -> None:
    torta = terminal.file("torta.yaml", _POLITICA.replace("limite_quantidade: 12", "limite_quantidade: -1"))
    result = terminal.run("politicas", "conferir", torta, "--json")
    (achado,) = json.loads(result.stdout)
    assert (result.exit_code, achado["codigo"], achado["gravidade"], achado["linha"]) == (1, "limite_invalido", "erro", 9)
    assert terminal.run("politicas", "conferir", "0199a4f2").exit_code == 1


def test_a_folder_is_tested_proposed_for_and_imported_with_its_cases(terminal: Terminal) -> None:
    pasta = terminal.folder / "manual"
    (pasta / "casos").mkdir(parents=True)
    (pasta / "politica.yaml").write_text(_POLITICA, encoding="utf-8")
    (pasta / "casos" / "acima.yaml").write_text(_CASO % "12", encoding="utf-8")
    tested = terminal.run("politicas", "testar", pasta, "--propor", "--json")
    told = json.loads(tested.stdout)
    assert (tested.exit_code, told["verdes"], told["total"], told["cobertura"]["sem_caso"]) == (0, 1, 1, [])
    assert told["escritos"] == ["a-passa.yaml"]
    (pasta / "casos" / "propostos" / "a-passa.yaml").rename(pasta / "casos" / "a-passa.yaml")
    (pasta / "casos" / "errado.yaml").write_text(_CASO % "13", encoding="utf-8")
    failed = terminal.run("politicas", "testar", pasta)
    assert failed.exit_code == 1
    assert "Quantidade aprovada: esperado 13, saiu 12" in failed.stdout
    assert "2 de 3 casos passam." in failed.stdout
    refused = terminal.run("politicas", "importar", pasta, "--publicar")
    assert refused.exit_code == 1
    assert "O caso de teste “errado” falha." in refused.output
    motivo = "O caso é da versão que vem."
    done = terminal.run("politicas", "importar", pasta, "--publicar", "--motivo", motivo)
    assert (done.exit_code, "3 casos de teste gravados" in done.stdout) == (0, True)
    entries = json.loads(terminal.run("auditoria", "listar", "--json").stdout)
    assert [um["dados"]["motivo"] for um in entries if um["acao"] == "politica.publicada"] == [motivo]


def test_what_is_wrong_in_a_folder_is_told_file_by_file(terminal: Terminal, tmp_path: Path) -> None:
    assert "deve haver um só arquivo" in terminal.run("politicas", "testar", tmp_path).output
    (tmp_path / "p.yaml").write_text(_POLITICA, encoding="utf-8")
    (tmp_path / "casos").mkdir()
    (tmp_path / "casos" / "a.yaml").write_text("pedido: {}\nesperado: {decisao_final: TALVEZ}", encoding="utf-8")
    result = terminal.run("politicas", "testar", tmp_path)
    assert result.exit_code == 1
    assert "a.yaml: esperado.decisao_final" in result.output
