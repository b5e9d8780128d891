"""What passes in the clear is told. Source: design/sujeito.md, table, 9."""

from __future__ import annotations

import pytest

from crivo.cli.exposicao import exposure_of
from crivo.kernel.settings import Settings


@pytest.mark.parametrize(
    ("host", "public"),
    [
        ("127.0.0.1", ""),
        ("::1", ""),
        ("localhost", ""),
        ("127.0.0.1", "http://localhost:8000"),
        ("0.0.0.0", "https://crivo.exemplo.org"),  # noqa: S104 - a proxy in front of it
    ],
)
def test_what_stays_on_this_machine_or_goes_by_https_is_told_by_nothing(host: str, public: str) -> None:
    assert exposure_of(Settings(_env_file=None, host=host, endereco_publico=public)) is None


@pytest.mark.parametrize(
    ("host", "public", "told"),
    [
        ("127.0.0.1", "http://crivo.exemplo.org", "http://crivo.exemplo.org é sem https"),
        ("0.0.0.0", "", "CRIVO_HOST=0.0.0.0 atende a rede sem https"),  # noqa: S104 - what is asked about
        ("0.0.0.0", "http://localhost:8000", "CRIVO_HOST=0.0.0.0 atende a rede sem https"),  # noqa: S104
    ],
)
def test_what_passes_in_the_clear_is_told_with_what_mends_it(host: str, public: str, told: str) -> None:
    found = exposure_of(Settings(_env_file=None, host=host, endereco_publico=public))
    assert found is not None
    assert found.startswith(told)
    assert "CRIVO_ENDERECO_PUBLICO" in found
