"""`crivo usuarios`: people are created, listed, given another role, and let in no more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

_ANA = ("usuarios", "criar", "ana@cultura.exemplo", "--nome", "Ana Braga", "--papel")


def test_a_person_is_created_with_a_link_to_sign_in_and_listed(terminal: Terminal) -> None:
    made = terminal.run(*_ANA, "gestor", "--json")
    assert made.exit_code == 0
    assert json.loads(made.stdout)["link"].startswith("http://127.0.0.1:8000/entrar?token=crl_")
    listed = terminal.run("usuarios", "listar")
    assert "Ana Braga" in listed.stdout
    assert "✓ ativa" in listed.stdout


def test_a_role_is_changed_and_a_person_deactivated(terminal: Terminal) -> None:
    assert terminal.run(*_ANA, "gestor").exit_code == 0
    assert "agora é avaliador" in terminal.run("usuarios", "papel", "ana@cultura.exemplo", "avaliador").stdout
    assert terminal.run("usuarios", "desativar", "ana@cultura.exemplo").exit_code == 0
    (told,) = json.loads(terminal.run("usuarios", "listar", "--json").stdout)
    assert (told["papel"], told["desativado_em"] is None) == ("avaliador", False)


def test_what_cannot_be_is_told_with_what_would_be_right(terminal: Terminal) -> None:
    refused = terminal.run(*_ANA, "chefe")
    assert refused.exit_code == 1
    assert "gestor, admin, super_admin, avaliador, revisor, operador" in refused.stderr
    assert terminal.run(*_ANA, "gestor").exit_code == 0
    assert "Já há uma pessoa com este e-mail" in terminal.run(*_ANA, "gestor").stderr
    assert "Ninguém tem este e-mail" in terminal.run("usuarios", "papel", "rui@cultura.exemplo", "gestor").stderr


def test_a_key_may_act_for_a_person(terminal: Terminal) -> None:
    assert terminal.run(*_ANA, "avaliador").exit_code == 0
    assert terminal.run("chaves", "criar", "Tablet", "--usuario", "ana@cultura.exemplo").exit_code == 0
    assert terminal.run("chaves", "criar", "Tablet", "--usuario", "rui@cultura.exemplo").exit_code == 1


def test_somebody_who_is_there_already_gets_a_link_to_sign_in(terminal: Terminal) -> None:
    assert terminal.run(*_ANA, "avaliador").exit_code == 0
    assert terminal.run("usuarios", "entrar", "ANA@cultura.exemplo").stdout.startswith("http://127.0.0.1:8000/entrar?token=crl_")
    assert terminal.run("usuarios", "entrar", "rui@cultura.exemplo").exit_code == 1
    invited = terminal.run("usuarios", "entrar", "ana@cultura.exemplo", "--convite")
    assert invited.stdout.startswith("http://127.0.0.1:8000/entrar?token=crl_")
    with terminal.as_owner() as owner:
        left = owner.execute("select tipo from sessoes where tenant_id = %s", (terminal.tenant_id,)).fetchall()
    assert left == [("convite",)], "the link before it is over"


def test_a_link_is_the_whole_address_at_which_others_reach_the_site(terminal: Terminal) -> None:
    terminal.environment["CRIVO_ENDERECO_PUBLICO"] = "https://rede.exemplo"
    whole = "https://rede.exemplo/entrar?token=crl_"
    assert f"Para entrar, em até 15 minutos: {whole}" in terminal.run(*_ANA, "operador").stderr
    assert terminal.run("usuarios", "entrar", "ana@cultura.exemplo").stdout.startswith(whole)
    assert json.loads(terminal.run("usuarios", "entrar", "ana@cultura.exemplo", "--json").stdout)["link"].startswith(whole)


def test_nobody_yet_is_told_how_to_begin(terminal: Terminal) -> None:
    assert "crivo usuarios criar" in terminal.run("usuarios", "listar").stdout


def test_a_name_and_an_e_mail_are_changed_and_one_that_is_taken_is_refused(terminal: Terminal) -> None:
    assert terminal.run(*_ANA, "gestor").exit_code == 0
    assert "Agora é Ana Lima" in terminal.run("usuarios", "renomear", "ana@cultura.exemplo", "Ana Lima").stdout
    assert "entra agora com lima@cultura.exemplo" in terminal.run("usuarios", "email", "ana@cultura.exemplo", "lima@cultura.exemplo").stdout
    assert terminal.run(*_ANA, "gestor").exit_code == 0, "the e-mail of before is free"
    taken = terminal.run("usuarios", "email", "ana@cultura.exemplo", "LIMA@cultura.exemplo")
    assert (taken.exit_code, "Já há uma pessoa com este e-mail" in taken.stderr) == (1, True)
