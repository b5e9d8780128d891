"""The tables of requirements and the tests say the same, both ways; one table for each source document."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SEEDS = ROOT.parent / "shared/seeds"
NO_SEED = "the source documents are not beside this checkout"


@dataclass(frozen=True)
class Fonte:
    """A source document: the word its clauses begin with, and its file."""

    nome: str
    arquivo: str

    @property
    def number(self) -> str:
        """The expression of a clause: `PRD 4.2/3`, `Blueprint 6/5.1`."""
        return rf"{self.nome} \d+(?:\.\d+)*(?:/\d+(?:\.\d+)*)?"

    def text(self) -> str:
        found = next(iter(SEEDS.glob(self.arquivo)), None)
        if found is None:
            pytest.skip(NO_SEED)
        return found.read_text(encoding="utf-8")


@dataclass(frozen=True)
class Conta:
    """Things that a source counts off, each of which must have a clause of its own: `clauses` finds those in the table."""

    fonte: Fonte
    what: str
    clauses: str
    count: Callable[[str], int]


PRD, BLUEPRINT, TRIAGEM = Fonte("PRD", "000_*.txt"), Fonte("Blueprint", "001_*.txt"), Fonte("Triagem", "002_*.txt")
FONTES = (PRD, BLUEPRINT, TRIAGEM)


def between(text: str, *marks: str) -> str:
    """What stands after each mark but the last in turn, and before the last."""
    for mark in marks[:-1]:
        text = text.split(mark, 1)[1]
    return text.split(marks[-1], 1)[0]


def rules_of_agent(agent: int) -> Conta:
    def count(text: str) -> int:
        rules = between(text, f"\n{agent}.2 Prompt", "# 3. Regras", f"{agent}.3 Configurações")
        # "Se … == CONDICIONAL, verifique …:" only introduces the rules that follow it.
        return len(re.findall(r"\s- (?!Se regras_recuperadas\.cobertura == CONDICIONAL)", rules))

    return Conta(PRD, f"rules of agent {agent}", rf"PRD {agent}\.2/\d+", count)


def items(*marks: str, item: str) -> Callable[[str], int]:
    return lambda text: len(re.findall(item, between(text, *marks), re.MULTILINE))


CONTAS = (
    *(rules_of_agent(agent) for agent in range(1, 7)),
    Conta(BLUEPRINT, "error codes", r"Blueprint 2\.2/\d", items("**Codigos de Erro Padronizados:**", "### 2.3", item=r"^\| `-\d+`")),
    Conta(
        BLUEPRINT,
        "rules of the planner",
        r"Blueprint 2\.3\.1/(?:[1-9]|10)",
        items("**Restricoes deterministicas", "**Variante Chain-of-Thought", item=r"^\d+\. "),
    ),
    Conta(BLUEPRINT, "rules of the verifier", r"Blueprint 2\.3\.2/[123]", items("#### 2.3.2", "**Excecoes de PII", item=r"^\| R\d \|")),
    Conta(BLUEPRINT, "parts of the responder's prompt", r"Blueprint 2\.3\.3/\d", items("#### 2.3.3", "**Payload", item=r"^\d\. \*\*")),
    Conta(BLUEPRINT, "tools", r"Blueprint 2\.4/\d", items("### 2.4", "### 2.5", item=r"^\| `\w+` \|")),
    Conta(BLUEPRINT, "flows", r"Blueprint 2\.5/\d", items("### 2.5", "## 3.", item=r"^#### Fluxo")),
    Conta(BLUEPRINT, "layers of privacy", r"Blueprint 4\.1/\d", items("### 4.1", "### 4.2", item=r"^Camada \d")),
    Conta(BLUEPRINT, "principles of minimisation", r"Blueprint 4\.3/\d", items("### 4.3", "### 4.4", item=r"^\| \*\*")),
    Conta(BLUEPRINT, "metrics", r"Blueprint 5\.[1-5]", items("## 5. Estrategia", "### 5.6", item=r"^### 5\.\d")),
    Conta(BLUEPRINT, "steps of the evaluation", r"Blueprint 5\.6/\d", items("### 5.6", "## 6.", item=r"^\d\. ")),
    Conta(TRIAGEM, "tables", r"Triagem 2/\d", items("## Modelo de Dados", "## API Routes", item=r"^### `")),
    Conta(TRIAGEM, "routes", r"Triagem 3/\d", items("## API Routes", "## Prompts", item=r"^### `(?:GET|POST) ")),
    Conta(TRIAGEM, "steps of a screening", r"Triagem 3\.1/\d", items("**Fluxo:**", "### `GET", item=r"^\d\. ")),
    Conta(TRIAGEM, "prompts", r"Triagem 4/\d", items("## Prompts", "## Interface", item=r"^\*\*\w+ ?\w* ?\w*:\*\*")),
    Conta(TRIAGEM, "parts of the main page", r"Triagem 5\.1/\d", items("### Página principal", "### Na tela", item=r"^- ")),
    Conta(TRIAGEM, "parts of the avaliador's page", r"Triagem 5\.2/\d", items("### Na tela", "### Painel", item=r"^- ")),
    Conta(TRIAGEM, "parts of the habilitação panel", r"Triagem 5\.3/\d", items("### Painel", "## Segurança", item=r"^- ")),
)


def in_the_table(fonte: Fonte) -> dict[str, set[str]]:
    text = (ROOT / "docs/requirements.md").read_text(encoding="utf-8")
    rows = re.findall(rf"^\| ({fonte.number}) \| (.+?) \| (.*) \|$", text, re.MULTILINE)
    assert len({clause for clause, _, _ in rows}) == len(rows), "a clause has two rows"
    return {clause: set(re.findall(r"`([^`]+::[^`]+)`", tests)) for clause, _, tests in rows}


def in_the_tests(fonte: Fonte) -> dict[str, set[str]]:
    clause = re.compile(fonte.number)
    named: dict[str, set[str]] = {}
    for file in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for found in clause.findall(ast.get_docstring(node) or ""):
                    named.setdefault(found, set()).add(f"{file.relative_to(ROOT / 'tests').as_posix()}::{node.name}")
    return named


@pytest.mark.parametrize("fonte", FONTES, ids=lambda fonte: fonte.nome)
def test_the_table_names_exactly_the_tests_that_name_each_clause(fonte: Fonte) -> None:
    assert in_the_table(fonte) == in_the_tests(fonte)


@pytest.mark.parametrize("fonte", FONTES, ids=lambda fonte: fonte.nome)
def test_every_clause_of_the_table_is_shown_by_a_test(fonte: Fonte) -> None:
    table = in_the_table(fonte)
    assert table
    assert [clause for clause, tests in table.items() if not tests] == []


@pytest.mark.parametrize("conta", CONTAS, ids=lambda conta: f"{conta.fonte.nome}: {conta.what}")
def test_everything_that_a_source_counts_off_has_a_clause(conta: Conta) -> None:
    count = conta.count(conta.fonte.text())
    assert count > 0
    assert len([clause for clause in in_the_table(conta.fonte) if re.fullmatch(conta.clauses, clause)]) == count
