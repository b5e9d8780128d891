"""The list of destroyed keys is read whatever a crash left of its last line."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

from crivo.kernel.sigilo.destruidas import FILE, Destruidas

ONE = UUID(int=1)


def test_a_line_that_was_cut_short_is_passed_over_and_names_no_organisation(tmp_path: Path) -> None:
    """An empty line, or half of a name, once stopped the next start: it is no tenant's."""
    (tmp_path / FILE).write_text(f"local {ONE}\n\nloc\nlocal {str(ONE)[:20]}\n")
    assert Destruidas(tmp_path).by_tenant() == {"local": [ONE]}
