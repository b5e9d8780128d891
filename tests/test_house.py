"""The house rules that imports alone cannot hold."""

from __future__ import annotations

import ast
import re
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path

import grimp
import pytest

SRC = Path(__file__).parents[1] / "src/crivo"

# What is called, and the one file that may call it.
OWNERS = {
    "commit": "kernel/storage/session.py",
    "now": "kernel/clock.py",
    "today": "kernel/clock.py",
    "environ": "kernel/settings.py",
    "getenv": "kernel/settings.py",
}
TENANTS = re.compile(r"\binquilin[oa]s?\b", re.IGNORECASE)  # names with an underscore are for machines, and stay
# A `now` of these is an injected clock, not the machine's.
MACHINE_CLOCKS = {"datetime", "date"}


def uses(name: str) -> set[str]:
    found = set()
    for file in SRC.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Attribute) or node.attr != name:
                continue
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            if name not in {"now", "today"} or owner in MACHINE_CLOCKS:
                found.add(file.relative_to(SRC).as_posix())
    return found


@pytest.mark.parametrize("name", OWNERS)
def test_what_has_an_owner_is_used_by_its_owner_alone(name: str) -> None:
    assert uses(name) <= {OWNERS[name]}


def test_the_owners_do_use_what_they_own() -> None:
    assert uses("commit") == {OWNERS["commit"]}
    assert uses("now") == {OWNERS["now"]}


def test_no_file_is_a_drawer_for_everything() -> None:
    drawers = {"utils", "helpers", "common", "manager", "misc"}
    assert [file.name for file in SRC.rglob("*.py") if file.stem in drawers] == []


def test_no_module_reaches_itself_by_its_imports() -> None:
    """Else what imports which first decides whether anything can be imported at all."""
    graph = grimp.build_graph("crivo", exclude_type_checking_imports=True)
    assert len(graph.modules) > 500
    TopologicalSorter({name: graph.find_modules_directly_imported_by(name) for name in graph.modules}).prepare()  # raises CycleError


def sleeps(file: Path) -> list[int]:
    """The lines of a file that wait for some time outside of a loop that looks again; a sleep of 0 is a turn of the loop."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    looking = {id(node) for loop in ast.walk(tree) if isinstance(loop, ast.While | ast.For | ast.AsyncFor) for node in ast.walk(loop)}
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in {"time.sleep", "asyncio.sleep", "anyio.sleep", "sleep"}
        and ast.unparse(node.args[0]) != "0"
        and id(node) not in looking
    ]


def test_no_test_sleeps_save_to_look_again() -> None:
    """What is slow by nature is a stand-in's, and says so by a name of `tests/support/espera.py`."""
    tests = SRC.parents[1] / "tests"
    found = {file.relative_to(tests).as_posix(): lines for file in tests.rglob("*.py") if (lines := sleeps(file))}
    assert found.keys() == {"support/espera.py"}


# Every one of them costs CI more than a second of two cores; one that is added makes another faster, or goes by a smaller size.
MOST_SLOW = 36


def test_slow_tests_are_few() -> None:
    found = [
        file.name
        for file in (SRC.parents[1] / "tests").rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "pytest.mark.slow"
    ]
    assert len(found) <= MOST_SLOW, found


def test_nothing_third_party_is_shipped() -> None:
    assert [file.name for file in SRC.rglob("*") if file.suffix in {".woff", ".woff2", ".ttf"} or ".min." in file.name] == []


def test_every_library_is_locked_by_digest_from_one_place() -> None:
    """`uv.lock` is the inventory of what the product is made of besides itself."""
    packages = tomllib.loads((SRC.parents[1] / "uv.lock").read_text(encoding="utf-8"))["package"]
    others = [package for package in packages if package["name"] != "crivo"]
    assert len(others) > 50
    assert len({package["source"].get("registry", package["name"]) for package in others}) == 1
    files = [file for package in others for file in (*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else ()))]
    assert all(file["hash"].startswith("sha256:") for file in files)
    assert all(package.get("wheels") or package.get("sdist") for package in others)


def test_people_read_of_organizations_in_every_word_of_the_program() -> None:
    found = []
    for file in SRC.rglob("*"):
        if file.suffix == ".py" and "migrations" not in file.parts:
            texts = [node.value for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))) if isinstance(node, ast.Constant)]
        elif file.suffix in {".html", ".js", ".json"}:
            texts = [file.read_text(encoding="utf-8")]
        else:
            continue
        found += [(file.name, text) for text in texts if isinstance(text, str) and TENANTS.search(text)]
    assert found == []
