"""Deliveries on the command line: a destination is registered, tried, paused, and removed, and its secret is told once."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal


def test_a_destination_lives_its_life_on_the_command_line(terminal: Terminal) -> None:
    assert "Nenhum destino registrado." in terminal.run("entregas", "listar").stdout
    refused = terminal.run("entregas", "registrar", "http://127.0.0.1/x", "--nome", "Sistema")
    assert refused.exit_code != 0
    assert "https://" in refused.stderr
    made = json.loads(terminal.run("entregas", "registrar", "https://sistema.exemplo.org/token-x", "--nome", "Sistema", "--json").stdout)
    assert made["segredo"].startswith("whsec_")
    assert terminal.run("entregas", "exemplo", made["id"]).exit_code == 0
    (shown,) = json.loads(terminal.run("entregas", "listar", "--json").stdout)
    assert (shown["situacao"], shown["a_espera"]) == ("ativo", 1)
    assert "token-x" not in json.dumps(shown)
    assert "Pausado" in terminal.run("entregas", "pausar", made["id"]).stdout
    assert json.loads(terminal.run("entregas", "entregar", "--json").stdout) == {made["id"]: 0}
    (waits,) = json.loads(terminal.run("entregas", "tentativas", made["id"], "--json").stdout)
    assert (waits["evento"], waits["situacao"]) == ("exemplo", "espera")
    assert json.loads(terminal.run("entregas", "trocar-segredo", made["id"], "--json").stdout)["segredo"] != made["segredo"]
    assert json.loads(terminal.run("entregas", "remover", made["id"], "--json").stdout)["canceladas"] == 1
    assert json.loads(terminal.run("entregas", "listar", "--json").stdout) == []


def test_a_destination_is_meant_by_its_name_too_and_what_is_none_is_told_which_there_are(terminal: Terminal) -> None:
    made = json.loads(terminal.run("entregas", "registrar", "https://nada.exemplo.org/x", "--nome", "Produção", "--json").stdout)
    assert "Nenhuma entrega" in terminal.run("entregas", "tentativas", "producao").stdout
    refused = terminal.run("entregas", "trocar-segredo", "999")
    assert refused.exit_code != 0
    assert made["id"] in refused.stderr.replace("\n", "")


def test_where_no_email_leaves_a_letter_is_told_as_written_and_not_sent(terminal: Terminal) -> None:
    done = terminal.run("entregas", "registrar", "pedidos@clinica.exemplo.org", "--nome", "Clínica")
    assert "CRIVO_SMTP_URL" in done.stderr
    (shown,) = json.loads(terminal.run("entregas", "listar", "--json").stdout)
    assert shown["estado"] == "so_grava"
    terminal.run("entregas", "exemplo", "Clínica")
    terminal.run("entregas", "entregar")
    assert "na fila do e-mail" in terminal.run("entregas", "tentativas", "Clínica").stdout
    terminal.run("cartas", "entregar")
    assert json.loads(terminal.run("entregas", "tentativas", "Clínica", "--json").stdout)[0]["carta"] == "gravada"
    assert "gravada" in terminal.run("cartas", "listar").stdout
