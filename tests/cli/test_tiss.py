"""`crivo autorizacoes tiss`: a guia decided and stored, its answer printed or written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from guias_tiss import mensagem, procedimento, sadt

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal


def test_a_guia_is_decided_stored_and_answered_in_a_file(terminal: Terminal) -> None:
    guia = terminal.folder / "guia.xml"
    guia.write_bytes(mensagem(sadt(procedimento("10000001"), procedimento("10000002"))))
    answer = terminal.folder / "resposta.xml"
    result = terminal.run("autorizacoes", "tiss", guia, "--saida", answer, "--plano", "OURO", "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, [one["pedido_id"] for one in told["decisoes"]]) == (0, ["G1", "G1-2"])
    assert answer.read_bytes().decode("iso-8859-1") == told["xml"]
    said = terminal.run("autorizacoes", "tiss", guia, "--plano", "OURO", "--sexo", "F", "--valor", "1", "--valor", "2", "--json")
    assert [one["repetida"] for one in json.loads(said.stdout)["decisoes"]] == [False, False]
    printed = terminal.run("autorizacoes", "tiss", guia, "--plano", "OURO")
    assert "autorizacaoServicos" in printed.stdout
    assert "CRIVO_TISS_XSD" in printed.stderr
    assert "G1: pendente de ajustes, já guardada como" in printed.stderr
    listed = json.loads(terminal.run("autorizacoes", "listar", "--json").stdout)
    assert len(listed["itens"]) == 4


def test_what_is_no_guia_leaves_no_answer_behind(terminal: Terminal) -> None:
    answer = terminal.folder / "resposta.xml"
    result = terminal.run("autorizacoes", "tiss", terminal.file("ruim.xml", "<a/>"), "--saida", answer)
    assert result.exit_code == 1
    assert "mensagemTISS" in result.stderr
    assert not answer.exists()


def test_a_guia_that_was_replaced_says_so_to_who_runs_it_again(terminal: Terminal) -> None:
    politica = {
        "administradora_id": "123456",
        "documento": "Manual",
        "versao": "1",
        "vigencia_inicio": "2026-01-01",
        "regras": [{"regra_id": "R1", "codigo": "10000001", "cobertura": "COBERTA"}],
    }
    terminal.run("politicas", "importar", terminal.file("politica.json", json.dumps(politica)), "--publicar")
    first, second = terminal.folder / "um.xml", terminal.folder / "dois.xml"
    first.write_bytes(mensagem(sadt(procedimento("10000001", "2"))))
    second.write_bytes(mensagem(sadt(procedimento("10000001"))))
    terminal.run("autorizacoes", "tiss", first)
    nova = json.loads(terminal.run("autorizacoes", "tiss", second, "--json").stdout)
    again = terminal.run("autorizacoes", "tiss", first)
    senha = nova["decisoes"][0]["id"].replace("-", "")[:20].upper()
    assert (nova["substituta"], f"o que vale é a senha {senha}" in again.stderr) == (None, True)
