"""The six clinics of the fixture, running; every test finds them as they were at first."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from federacao import DADOS, NO_DATA, Federation, federation_in


@pytest.fixture(scope="session")
def six_clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Federation]:
    if not DADOS.exists():
        pytest.skip(NO_DATA)
    with federation_in(tmp_path_factory.mktemp("federacao")) as federation:
        yield federation


@pytest.fixture
def federation(six_clinics: Federation) -> Federation:
    six_clinics.reset()
    return six_clinics
