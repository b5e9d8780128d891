"""`crivo avaliar-modelo` and `crivo agentes conferir` as a new user meets them, with a service of models over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from crivo.kernel.agents.mudancas import line_of, parse_mudancas, read_mudancas
from crivo.kernel.agents.prompts import Prompt, load_prompt
from provedor import Provedor, provedor_no_ar

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

CHAVE = "chave-que-ninguem-ve"


@pytest.fixture
def servido(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Terminal, Provedor]]:
    """A terminal whose installation has a model, at a service of this machine."""
    with provedor_no_ar() as provedor:
        monkeypatch.setenv("OPENAI_API_KEY", CHAVE)
        chosen = {"CRIVO_MODELO": "openai-compatible:modelo-unico", "CRIVO_MODELO_URL": provedor.url}
        terminal.environment.update(chosen)
        yield terminal, provedor


def test_without_a_model_it_is_told_what_to_do(terminal: Terminal) -> None:
    result = terminal.run("avaliar-modelo", "--gravar", terminal.folder / "g")
    assert result.exit_code == 1
    assert "Preencha CRIVO_MODELO e a chave do serviço" in result.stderr
    assert not (terminal.folder / "g").exists()


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        ((), 2, "--gravar PASTA, --repetir PASTA ou --comparar PASTA OUTRA"),
        (("--gravar", "a", "--repetir", "b"), 2, "Escolha uma opção"),
        (("--repetir", "nenhuma"), 1, "Grave primeiro: crivo avaliar-modelo --gravar nenhuma"),
    ],
)
def test_what_cannot_be_done_is_told_with_what_can(terminal: Terminal, words: tuple[str, ...], code: int, told: str) -> None:
    result = terminal.run("avaliar-modelo", *words)
    assert (result.exit_code, told in result.stderr) == (code, True)


def test_a_model_is_recorded_once_replayed_without_a_key_and_compared(servido: tuple[Terminal, Provedor]) -> None:
    terminal, provedor = servido
    gravada = terminal.folder / "g"
    done = terminal.run("avaliar-modelo", "--gravar", gravada, "--perguntas", "13")
    assert done.exit_code == 0, done.stderr
    assert "textos que chegam à pessoa" in done.stdout
    assert "nenhuma chave e ninguém de verdade" in done.stdout
    files = list(gravada.rglob("*.json"))
    assert len(files) >= 3
    assert not any(CHAVE in path.read_text("utf-8") for path in files)

    paid, first = provedor.pagos, (gravada / "placar.json").read_bytes()
    again = terminal.run("avaliar-modelo", "--gravar", gravada, "--json")
    assert (provedor.pagos, (gravada / "placar.json").read_bytes()) == (paid, first)
    assert "já estão em" in again.stderr

    terminal.environment.update(CRIVO_MODELO="", CRIVO_DATABASE_URL="postgresql://ninguem@127.0.0.1:1/nada")
    repeated = json.loads(terminal.run("avaliar-modelo", "--repetir", gravada, "--json").stdout)
    assert repeated["agora"] == repeated["gravado"] == json.loads(first)
    assert repeated["mudaram"] == []
    figura = terminal.folder / "lado-a-lado.svg"
    compared = terminal.run("avaliar-modelo", "--comparar", gravada, gravada, "--figura", figura)
    assert compared.exit_code == 0, compared.stderr
    assert "Melhor com certeza" in compared.stdout
    assert "sem preço conhecido" in compared.stdout
    assert figura.read_text("utf-8").startswith("<svg")


def prompt_of(recorded: Path) -> tuple[str, Prompt]:
    """The prompt that a recorded question was asked with, and its file's name."""
    digest = json.loads(recorded.read_bytes())["prompt_digest"]
    every = ((name, load_prompt("crivo.autorizacoes", name)) for name in read_mudancas("crivo.autorizacoes"))
    return next((name, prompt) for name, prompt in every if prompt.digest == digest)


def test_a_changed_prompt_is_put_beside_its_log_and_beside_what_was_recorded(servido: tuple[Terminal, Provedor]) -> None:
    terminal, provedor = servido
    gravada = terminal.folder / "g"
    assert terminal.run("avaliar-modelo", "--gravar", gravada, "--perguntas", "13").exit_code == 0
    paid = provedor.pagos
    name, old = prompt_of(next((gravada / "perguntas" / "autorizacoes.sintese").glob("*.json")))
    changed = terminal.file(name, f"versão: {int(old.versao) + 1}\n\n{old.texto}\nSeja breve.\n")
    provedor.campos = lambda _: {"mensagens": {"para_solicitante": "", "para_beneficiario": ""}}
    shown = terminal.run("agentes", "conferir", changed, "--gravadas", gravada)
    assert shown.exit_code == 1  # the log does not have the version yet
    assert f"para na {old.versao}" in shown.stdout
    assert "respostas novas de openai-compatible:modelo-unico" in shown.stdout
    assert "Prompt novo" in shown.stdout
    assert provedor.pagos > paid

    terminal.environment.update(CRIVO_MODELO="")
    unknown = terminal.run("agentes", "conferir", changed, "--gravadas", gravada, "--json")
    assert "não se sabe" in unknown.stderr
    assert json.loads(unknown.stdout)["gravadas"]["perguntado"] is False


def test_a_prompt_as_it_is_agrees_with_its_log_and_a_file_of_nobody_is_refused(terminal: Terminal) -> None:
    prompt = load_prompt("crivo.triagem", "criterio.md")
    same = terminal.run("agentes", "conferir", terminal.file("criterio.md", f"versão: {prompt.versao}\n\n{prompt.texto}\n"))
    assert (same.exit_code, "de acordo" in same.stdout) == (0, True)
    silent = terminal.run("agentes", "conferir", terminal.file("criterio.md", f"versão: {prompt.versao}\n\nOutro texto.\n"))
    assert (silent.exit_code, "Aumente a primeira linha" in silent.stdout) == (1, True)
    nobody = terminal.run("agentes", "conferir", Path("outro.md"))
    assert (nobody.exit_code, "criterio.md" in nobody.stderr) == (1, True)


def test_a_new_version_is_noted_down_beside_its_file(terminal: Terminal) -> None:
    prompt = load_prompt("crivo.triagem", "criterio.md")
    log = terminal.file("mudancas.md", f"# Mudanças\n\n## criterio.md\n\n{line_of(prompt, date(2026, 11, 22), 'Antes.')}\n")
    arquivo = terminal.file("criterio.md", f"versão: {int(prompt.versao) + 1}\n\nOutro texto.\n")
    noted = terminal.run("agentes", "conferir", arquivo, "--anotar", "Mais curto.")
    assert (noted.exit_code, "de acordo" in noted.stdout) == (0, True)
    assert [mudanca.porque for mudanca in parse_mudancas(log.read_text("utf-8"))["criterio.md"]] == ["Mais curto.", "Antes."]
    terminal.file("criterio.md", f"versão: {int(prompt.versao) + 1}\n\nOutro texto ainda.\n")
    assert terminal.run("agentes", "conferir", arquivo, "--anotar", "Outra vez.").exit_code == 1  # a version is one text
