"""The sample's data, read once: `edital`, `projetos`, what they declare, what is planted, and what people did."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Literal

Nome = Literal["edital", "projetos", "declarado", "plantados", "feito"]


@cache
def data(nome: Nome) -> Any:
    """One of the files, as JSON holds it."""
    return json.loads(files("crivo.triagem.amostra").joinpath(f"{nome}.json").read_text(encoding="utf-8"))
