"""The schemas of TISS, as the doctor finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from crivo.cli.exames.padroes import look
from crivo.kernel.settings import Settings
from guias_tiss import XSD


def found(folder: Path | None) -> tuple[str, str, str]:
    (exame,) = look(Settings(_env_file=None, tiss_xsd=folder))
    return exame.codigo, exame.estado, exame.ato


def test_without_the_schemas_messages_are_read_all_the_same(tmp_path: Path) -> None:
    assert found(None) == ("esquema_tiss", "opcional", "CRIVO_TISS_XSD")
    assert found(tmp_path) == ("esquema_tiss", "mal", "CRIVO_TISS_XSD")
    assert found(tmp_path / "nada") == ("esquema_tiss", "mal", "CRIVO_TISS_XSD")


@pytest.mark.skipif(not XSD.is_dir(), reason="the official schemas are not on this machine")
def test_the_schemas_are_found_where_they_are_whole() -> None:
    assert found(XSD) == ("esquema_tiss", "bem", "")
