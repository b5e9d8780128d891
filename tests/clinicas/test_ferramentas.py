"""One record a tool. Source: design/linguagem.md, "One fact, one place"."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import crivo
import nona_ferramenta
from crivo.clinicas.clinica.tools import TOOLS
from crivo.clinicas.ferramentas import BY_NAME, FERRAMENTAS, IDENTITY, Ferramenta
from crivo.clinicas.orquestrador.ferramentas import PLANNED, USOS, Parametros

PRODUCT: Final = Path(crivo.__file__).parent
# `query` is a word of other things as well, and names a tool where it stands as a text.
_NAMES: Final = (*(one.name for one in FERRAMENTAS if one.name != "query"), '"query"')
MOST_FILES: Final = 4
MOST_OF_A_NEW_ONE: Final = 5


def test_few_files_name_a_tool() -> None:
    """The records, what a model is told, what is read as an attack, and the set of the evaluation."""
    texts = (
        (path, path.read_text("utf-8"))
        for path in PRODUCT.rglob("*")
        if path.suffix in {".py", ".json", ".md", ".html", ".js", ".toml", ".txt"}
    )
    found = sorted(path.relative_to(PRODUCT).as_posix() for path, text in texts if any(name in text for name in _NAMES))
    assert len(found) <= MOST_FILES, found


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The product, to be changed at will."""
    return Path(shutil.copytree(PRODUCT, tmp_path / "src" / "crivo"))


def test_a_ninth_tool_touches_five_files_and_is_listed_planned_called_checked_and_told(copy: Path, tmp_path: Path) -> None:
    touched = nona_ferramenta.add_to(copy)
    assert len(touched) <= MOST_OF_A_NEW_ONE
    support = Path(nona_ferramenta.__file__).parent
    told = subprocess.run(
        (sys.executable, nona_ferramenta.__file__, tmp_path / "clinicas"),
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (copy.parent, support)))},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout) == {
        "listed": "list_doctors",
        "offered": [*(one.name for one in PLANNED), "list_doctors"],
        "plan": ["list_doctors"] * 2,
        "calls": [["clinic_a", "Ver quem atende", "respondeu"], ["clinic_b", "Ver quem atende", "respondeu"]],
        "safe": True,
        "texto": "Dr. Bruno Teles\nDra. Carla Nunes",
    }


@pytest.mark.parametrize("one", FERRAMENTAS, ids=lambda one: one.name)
def test_what_a_record_tells_of_an_appointment_is_of_its_own_call_and_answer(one: Ferramenta) -> None:
    places = [place for place in (one.frees, one.books) if place is not None]
    assert {field for place in places for field in (place.date, place.time)} <= set(one.parameters)
    assert {place.result for place in places} <= set(one.answers.__struct_fields__)
    assert (one.effect != "reads") == bool(places)
    assert (one.effect == "undoes") == (one.frees is not None)


def test_every_tool_is_done_by_a_clinic_and_known_to_a_conversation() -> None:
    assert tuple(BY_NAME) == tuple(TOOLS)
    assert set(USOS) == set(FERRAMENTAS)


def test_no_plan_names_a_patient() -> None:
    assert not {name for one in PLANNED for name in one.parameters} & set(IDENTITY)
    assert set(Parametros.__struct_fields__) == {name for one in PLANNED for name in one.parameters}
