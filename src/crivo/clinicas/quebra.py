"""Where a JSON document of an installation's own is broken, for whoever wrote it by hand."""

from __future__ import annotations

import re
from typing import Final

_BYTE: Final = re.compile(r"\(byte (\d+)\)")


def where_broken(raw: bytes, error: Exception) -> str:
    """What `msgspec` found wrong with bytes that are no JSON, in pt-BR: that they end too early, or the line and the column.

    Empty where the decoder knows no place.
    """
    if not raw.strip():
        return "está vazio"
    if "truncated" in str(error):
        lines = raw.decode(errors="replace").rstrip().splitlines()
        return f"termina antes do fim, na linha {len(lines)}, coluna {len(lines[-1])}: falta fechar uma aspa, chave ou colchete"
    found = _BYTE.search(str(error))
    if found is None:
        return ""
    at = int(found[1]) - ("trailing characters" in str(error))  # of these alone it tells the byte after
    before = raw[:at].decode(errors="replace").split("\n")
    return f"quebra na linha {len(before)}, coluna {len(before[-1]) + 1}"
