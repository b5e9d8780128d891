"""Categorias as projects say them, held against those of their edital, as people tell words apart: without case or accents."""

from __future__ import annotations

from collections.abc import Iterable

from crivo.kernel.linguagem.dobra import fold


def foreign(ditas: Iterable[str], do_edital: Iterable[str]) -> frozenset[str]:
    """Those that are none of the edital's; none where it has none, as a project may then say any. What says nothing is not one."""
    known = {fold(one) for one in do_edital}
    return frozenset(one for one in ditas if known and one.strip() and fold(one) not in known)
