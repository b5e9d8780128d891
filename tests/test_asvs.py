"""The table against OWASP ASVS 5.0.0 is whole, names tests that exist, and is counted rightly; SECURITY.md tells what its rows rest on."""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from crivo.kernel.access import Tentativas, senhas, sessoes
from crivo.triagem.documentos.limites import PADRAO
from crivo.triagem.importacao import arquivos, leitura_json
from crivo.web.access import ACCESS
from crivo.web.triagem import pacote

ROOT: Final = Path(__file__).parents[1]
SITUACOES: Final = ("met", "not_applicable", "open")
# Section, how many requirements it has, and which of them are of level 1 and of level 3; the rest are of level 2. Source: ASVS 5.0.0.
SECOES: Final = """
1.1 2 - -        1.2 10 1-5 10     1.3 12 1-2 12      1.4 3 - -        1.5 3 1 3
2.1 3 1 -        2.2 3 1-2 -       2.3 5 1 5          2.4 2 - 2
3.1 1 - 1        3.2 3 1-2 3       3.3 5 1 5          3.4 8 1-2 7-8    3.5 8 1-3 6-8     3.6 1 - 1    3.7 5 - 3-5
4.1 5 1 4-5      4.2 5 - 2-5       4.3 2 - -          4.4 4 1 -
5.1 1 - -        5.2 6 1-2 4-6     5.3 3 1-2 3        5.4 3 - -
6.1 3 1 -        6.2 12 1-8 -      6.3 8 1-2 5-8      6.4 6 1-2 5-6    6.5 8 - 6-8       6.6 4 - 4    6.7 2 - 1-2    6.8 4 - -
7.1 3 - -        7.2 4 1-4 -       7.3 2 - -          7.4 5 1-2 -      7.5 3 - 3         7.6 2 - -
8.1 4 1 3-4      8.2 4 1-2 4       8.3 3 1 2-3        8.4 2 - 2
9.1 3 1-3 -      9.2 4 1 -
10.1 2 - -       10.2 3 - 3        10.3 5 - 5         10.4 16 1-5 12-16                  10.5 5 - -   10.6 2 - -     10.7 3 - -
11.1 4 - 3-4     11.2 5 - 4-5      11.3 5 1-2 4-5     11.4 4 1 -       11.5 2 - 2        11.6 2 - 2   11.7 2 - 1-2
12.1 5 1 4-5     12.2 2 1-2 -      12.3 5 - 5
13.1 4 - 2-4     13.2 6 - 6        13.3 4 - 3-4       13.4 7 1 6-7
14.1 2 - -       14.2 8 1 5-8      14.3 3 1 -
15.1 5 1 4-5     15.2 5 1 4-5      15.3 7 1 -         15.4 4 - 1-4
16.1 1 - -       16.2 5 - -        16.3 4 - -         16.4 3 - -       16.5 4 - 4
17.1 2 - 2       17.2 8 - 5-8      17.3 2 - -
"""
# A row that asks for documentation, the section of SECURITY.md that answers it, and what has to stand there.
DOCUMENTED: Final = {
    "5.1.1": ("Files", "by their content", "pdf, docx, jpg, png, tiff, txt, xlsx, csv, odt", "told as a finding", "attachment in a"),
    "7.1.1": ("Ways in, sessions and guessing", "NIST SP 800-63B", "30 minutes of idleness"),
    "7.1.2": ("Ways in, sessions and guessing", "not limited for one account", "A new password ends them all"),
    "7.1.3": ("Ways in, sessions and guessing", "a session that began there lasts as any other", "not ended by leaving there"),
    "8.1.2": ("Who reads and writes which fields", "one author", "only after their own nota", "masked for every role"),
    "13.1.1": ("Whom it speaks to", "PostgreSQL", "clinics of the registry", "models", "embeddings", "sign-ins", "an address to call"),
    "14.1.1": ("What is protected", "| secret |", "| of a person's health |", "| personal |", "| the tenant's own |", "| public |"),
    "16.1.1": (
        "Logs",
        "| lines of each process |",
        "| audit |",
        "| log of the embedded PostgreSQL |",
        "| record of turns of conversations |",
    ),
}
SAYS: Final = "tests/test_asvs.py::test_security_md_says_what_the_rows_of_documentation_rest_on"


@cache
def rows() -> tuple[dict[str, Any], ...]:
    return tuple(tomllib.loads((ROOT / "docs/asvs.toml").read_text(encoding="utf-8"))["requisito"])


@cache
def security() -> str:
    return (ROOT / "SECURITY.md").read_text(encoding="utf-8")


@cache
def names_in(path: str) -> frozenset[str]:
    """The names of the tests of a file, whether or not they have parameters; none where there is no such file."""
    file = ROOT / path
    found = ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if file.is_file() else ()
    return frozenset(node.name for node in found if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def exists(test: str) -> bool:
    path, _, name = test.partition("::")
    return name.startswith("test_") and name in names_in(path)


def numbers(said: str) -> set[int]:
    """`-` is none, `3` that one, `1-5` five."""
    first, _, last = said.partition("-")
    return set(range(int(first), int(last or first) + 1)) if first else set()


def asked() -> dict[str, int]:
    """Every requirement of the standard with its level."""
    found = {}
    for section, count, ones, threes in re.findall(r"(\d+\.\d+) (\d+) (\S+) (\S+)", SECOES):
        for at in range(1, int(count) + 1):
            found[f"v5.0.0-{section}.{at}"] = 1 if at in numbers(ones) else 3 if at in numbers(threes) else 2
    return found


def section(title: str) -> str:
    """The text under a heading of SECURITY.md, its line ends as blanks."""
    return " ".join(security().split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0].split())


def test_every_requirement_of_levels_1_and_2_is_there_once() -> None:
    standard = asked()
    assert Counter(standard.values()) == {1: 70, 2: 183, 3: 92}
    assert [(row["id"], row["nivel"]) for row in rows()] == [(one, level) for one, level in standard.items() if level < 3]


@pytest.mark.parametrize("situacao", SITUACOES)
def test_a_row_that_is_met_names_tests_that_exist_and_another_says_why(situacao: str) -> None:
    for row in (row for row in rows() if row["situacao"] == situacao):
        assert set(row) == {"id", "nivel", "pede", "situacao", "testes" if situacao == "met" else "porque"}, row["id"]
        assert 2 <= len(row["pede"].split()) <= 15, row["id"]
        if situacao == "met":
            assert row["testes"], row["id"]
            assert [test for test in row["testes"] if not exists(test)] == [], row["id"]
        else:
            assert len(row["porque"]) >= 20, row["id"]
            assert row["porque"].endswith("."), row["id"]
    assert all(row["situacao"] in SITUACOES for row in rows())


def test_the_page_and_security_md_count_as_the_data_does() -> None:
    lines = ["| chapter | met | not applicable | open |", "|---|---|---|---|"]
    page = (ROOT / "docs/asvs.md").read_text(encoding="utf-8")
    titles = dict(re.findall(r"^\| (V\d+) ([^|]+) \|", page, re.MULTILINE))
    for chapter in range(1, 18):
        counts = Counter(row["situacao"] for row in rows() if row["id"].startswith(f"v5.0.0-{chapter}."))
        lines.append(f"| V{chapter} {titles[f'V{chapter}']} | {' | '.join(str(counts[one]) for one in SITUACOES)} |")
    counts = Counter(row["situacao"] for row in rows())
    lines.append(f"| all | {' | '.join(str(counts[one]) for one in SITUACOES)} |")
    assert "\n".join(lines) in page
    for level in (1, 2):
        counts = Counter(row["situacao"] for row in rows() if row["nivel"] == level)
        assert f"| {level} | {' | '.join(str(counts[one]) for one in SITUACOES)} |" in security()


def test_security_md_says_what_the_rows_of_documentation_rest_on() -> None:
    assert {row["id"] for row in rows() if SAYS in row.get("testes", ())} == {f"v5.0.0-{one}" for one in DOCUMENTED}
    for one, (title, *words) in DOCUMENTED.items():
        text = section(title)
        assert [word for word in words if word not in text] == [], one


def test_each_way_in_is_told_in_security_md() -> None:
    ways = section("Ways in, sessions and guessing")
    assert [path for _, path in ACCESS if path.startswith("/entrar") and f"`{path}`" not in ways] == []


def test_the_figures_of_security_md_are_those_of_the_code() -> None:
    tries = {name: parameter.default for name, parameter in inspect.signature(Tentativas).parameters.items()}
    hours, idle = (int(lasts.total_seconds() // 3600) for lasts in (sessoes.SESSION_LASTS, sessoes.IDLE_LASTS))
    ways, files = section("Ways in, sessions and guessing"), section("Files")
    said = [
        f"within {int(sessoes.LASTS['link'].total_seconds() // 60)} minutes (a link) or {sessoes.LASTS['convite'].days} days",
        f"have {senhas.SHORTEST} to {senhas.LONGEST} characters",
        f"these words: {', '.join(f'`{word}`' for word in senhas._OBVIOUS)}.",
        f"{tries['per_place']} tries of an account from one address and {tries['per_address']} from an address in any five minutes",
        f"Beyond {tries['per_account']} tries of one account from anywhere each address has {tries['when_crowded']}",
        f"last {hours} hours at most and {idle} hours without a request",
    ]
    assert [words for words in said if words not in ways] == []
    held = [
        f"{leitura_json.TAMANHO_MAXIMO // 1024**2} MB of JSON",
        f"a zip of {pacote.PACOTE_MAXIMO // 1024**2} MB, {pacote.ENTRADAS_MAXIMO:,} entries",
        f"{pacote.DESCOMPACTADO_MAXIMO // 1024**3} GB unpacked",
        f"{arquivos.DOCUMENTO_MAXIMO // 1024**2} MB; {PADRAO.max_paginas} pages; {PADRAO.max_descompactado // 1_000_000} MB unpacked",
    ]
    assert [words for words in held if words not in files] == []
