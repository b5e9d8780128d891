"""What holds for every command: help, wrong use, exit codes, streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer

from crivo.cli.ajuda import HELP_NAMES
from crivo.cli.main import app
from crivo.cli.saida import exit_code, plain
from crivo.kernel.errors import Kind

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

_HEAVY = ("sqlalchemy", "fastapi", "pydantic", "psycopg", "alembic", "rich", "uvicorn", "yaml", "crivo.kernel.settings", "crivo.bootstrap")
_COMMANDS = (
    *(
        f"autorizacoes {name}"
        for name in ("decidir", "lote", "conferir", "listar", "campos", "esquema", "concordancia", "avaliar-redacao", "tiss")
    ),
    *(f"autorizacoes mapeamento {name}" for name in ("esquema", "validar", "testar", "importar", "listar", "publicar", "encerrar")),
    *(f"autorizacoes mapeamentos {name}" for name in ("listar", "confirmar", "recusar")),
    *(
        f"politicas {name}"
        for name in (
            "esquema",
            "validar",
            "importar",
            "planilha",
            "exportar",
            "publicar",
            "simular",
            "revogar",
            "listar",
            "conferir",
            "testar",
        )
    ),
    *(f"chaves {name}" for name in ("criar", "listar", "revogar")),
    *(
        f"clinicas {name}"
        for name in (
            "servir",
            "subir",
            "conversar",
            "mcp",
            "exportar",
            "importar",
            "token",
            "avaliar",
            "avaliar-verificador",
            "girar-chaves",
        )
    ),
    *(
        f"triagem {name}"
        for name in (
            "esquema",
            "importar",
            "importar-notas",
            "modelo-de-notas",
            "listar",
            "estimar",
            "executar",
            "status",
            "cancelar",
            "retomar",
            "exportar",
            "concordancia",
            "casos",
            "decisoes",
            "avaliadores",
            "sortear-avaliadores",
            "edital",
            "avaliar",
            "resultado",
        )
    ),
    *(f"pessoas {name}" for name in ("exportar", "apagar", "reter")),
    *(f"cartas {name}" for name in ("listar", "entregar")),
    *(
        f"entregas {name}"
        for name in (
            *("listar", "registrar", "trocar-segredo", "exemplo", "pausar", "retomar", "remover", "tentativas", "reenviar", "entregar"),
        )
    ),
    *(f"organizacoes {name}" for name in ("criar", "listar", "renomear", "suspender", "reativar", "cotas")),
    *(f"usuarios {name}" for name in ("criar", "renomear", "email", "entrar", "listar", "papel", "desativar", "segundo-fator")),
    *(
        "auditoria verificar",
        "auditoria listar",
        "auditoria selar",
        "auditoria ancorar",
        "banco migrar",
        "banco backup",
        "banco restaurar",
        "banco estado",
        "agentes mostrar",
        "agentes conferir",
        "avaliar-modelo",
        "demo",
        "servir",
        "trabalhador",
        "doutor",
        "custos",
    ),
)


def test_help_loads_nothing_heavy() -> None:
    """Figures: `crivo --help` ≤ 0.3 s."""
    script = (
        "import sys\nfrom crivo.cli.main import main\nsys.argv = ['crivo', '--help']\n"
        f"try: main()\nexcept SystemExit as end: print([m for m in {_HEAVY!r} if m in sys.modules], end.code, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stderr.strip() == "[] 0"
    assert "Comandos:" in done.stdout


@pytest.mark.parametrize("command", ["", *_COMMANDS])
def test_every_command_explains_itself_in_portuguese(terminal: Terminal, command: str) -> None:
    result = terminal.run(*command.split(), "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Uso: {' '.join(['crivo', *command.split()])} [OPÇÕES]")
    for english in ("Usage", "Options", "Arguments", "Commands", "Show this", "default:", "required"):
        assert english not in result.stdout
    assert ", ".join(HELP_NAMES) in result.stdout


def test_every_command_that_prints_knows_json_and_tenant() -> None:
    root = typer.main.get_command(app)
    assert isinstance(root, typer.core.TyperGroup)
    for words in (command.split() for command in _COMMANDS if not command.endswith((" esquema", " edital"))):
        found: object = root
        for word in words:
            assert isinstance(found, typer.core.TyperGroup)
            found = found.commands[word]
        assert isinstance(found, typer.core.TyperCommand)
        assert {"--json", "--tenant"} <= {name for param in found.params for name in param.opts}, words


def test_the_contracted_commands_are_all_there() -> None:
    """Interfaces, Commands."""
    assert names_under(typer.main.get_command(app)) == set(_COMMANDS)


def names_under(command: object, *words: str) -> set[str]:
    """Every command under a group, by all of its words."""
    if not isinstance(command, typer.core.TyperGroup):
        return {" ".join(words)}
    return {name for word, inner in command.commands.items() for name in names_under(inner, *words, word)}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "Uso: crivo"),
        ("autorizacoe", "O comando 'autorizacoe' não existe; quis dizer 'autorizacoes'?"),
        ("xyz", "O comando 'xyz' não existe."),
        ("autorizacoes", "Uso: crivo autorizacoes"),
        ("autorizacoes decidir", "Falta o argumento ARQUIVO."),
        ("autorizacoes lote x", "Falta a opção --saida."),
        ("autorizacoes listar --limit 3", "A opção --limit não existe; quis dizer '--limite'?"),
        ("autorizacoes listar --limite", "A opção --limite precisa de um valor."),
        ("autorizacoes listar --limite muitos", "O valor de --limite não serve: use um número inteiro de 1 a 200."),
        ("autorizacoes listar --status TALVEZ", "use APROVADO, APROVADO_PARCIAL, NEGADO ou PENDENTE_AJUSTES"),
        ("autorizacoes listar --json=sim", "A opção --json não leva valor."),
        ("autorizacoes conferir a b", "Sobrou na linha de comando: b."),
        ("autorizacoes listar --desde ontem", "Escreva a data de --desde como 2026-11-20"),
    ],
)
def test_wrong_use_is_told_in_portuguese_and_exits_2(terminal: Terminal, words: str, told: str) -> None:
    result = terminal.run(*words.split())
    assert result.exit_code == 2
    assert told in result.stderr
    assert result.stdout == ""


def test_wrong_use_with_json_is_json_on_stderr(terminal: Terminal) -> None:
    result = terminal.run("autorizacoes", "listar", "--json", "--limite", "0")
    assert result.exit_code == 2
    assert json.loads(result.stderr)["erro"]["codigo"] == "uso_incorreto"


def test_a_wrong_setting_exits_2_and_is_told_once(terminal: Terminal) -> None:
    result = terminal.run("--tenant", "Dois Nomes", "banco", "migrar")
    assert result.exit_code == 2
    assert result.stderr.count("CRIVO_TENANT") == 1


def test_options_before_the_command_hold_for_it_too(ruled: Terminal) -> None:
    assert len(json.loads(ruled.run("--json", "politicas", "listar").stdout)) == 1
    assert json.loads(ruled.run("--json", "--tenant", "local", "politicas", "listar").stdout) == []
    assert json.loads(ruled.run("--tenant", "ninguem", "politicas", "listar", "--tenant", ruled.tenant_id, "--json").stdout) != []


def test_the_version_is_told(terminal: Terminal) -> None:
    assert terminal.run("--versao").stdout.startswith("crivo 0.")


@pytest.mark.parametrize("kind", Kind)
def test_only_misuse_is_wrong_use(kind: Kind) -> None:
    """Interfaces, Commands: exit 0 done, 1 refused or failed, 2 wrong use."""
    assert exit_code(kind) == (2 if kind is Kind.MISUSE else 1)


def test_accents_and_marks_are_written_where_the_locale_knows_none(ruled: Terminal) -> None:
    done = ruled.spawn("politicas", "listar", LANG="C", LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.returncode == 0
    assert "Vigência" in done.stdout.decode()
    assert "✓ publicada" in done.stdout.decode()


def test_a_closed_pipe_is_no_error(ruled: Terminal) -> None:
    """As in `crivo … | head`: the reader had enough."""
    read, write = os.pipe()
    os.close(read)
    done = ruled.spawn("politicas", "esquema", stdout=write)
    os.close(write)
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_an_output_that_does_not_fit_is_told(terminal: Terminal) -> None:
    with Path("/dev/full").open("wb") as full:
        done = terminal.spawn("politicas", "esquema", stdout=full.fileno())
    assert done.returncode == 1
    assert done.stderr.decode() == "Erro: a saída não coube: o disco está cheio.\n"


def test_without_a_terminal_there_is_no_colour(ruled: Terminal) -> None:
    assert b"\x1b" not in ruled.spawn("politicas", "listar", FORCE_COLOR="", TERM="xterm-256color").stdout


def test_a_fault_of_the_program_is_one_line_without_a_trace(terminal: Terminal) -> None:
    fault = "import sys\nfrom crivo.cli import main, banco\nbanco.Ambiente.use = lambda *_, **__: {}['nome de alguém']\n"
    script = f"{fault}sys.argv = ['crivo', 'banco', 'migrar']\nmain.main()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "nome de alguém" not in done.stderr
    assert "KeyError" in done.stderr


def test_what_was_sent_cannot_drive_the_terminal_it_is_shown_on(ruled: Terminal, sample: Callable[[str], Path]) -> None:
    pedido = json.loads(sample("01").read_bytes()) | {"pedido_id": "\x1b[2J\u202eX"}
    assert ruled.run("autorizacoes", "decidir", ruled.file("p.json", json.dumps(pedido))).exit_code == 0
    listed = ruled.run("autorizacoes", "listar").stdout
    assert "\x1b" not in listed
    assert "\u202e" not in listed
    assert plain("a\x1bb\nc") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"
