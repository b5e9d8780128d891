"""The phrases and lists of words that the check knows, kept as data."""

from __future__ import annotations

from typing import Final

from crivo.kernel.linguagem.fraseado import Lexico

LEXICO: Final = Lexico.of_package("crivo.autorizacoes.redacao")
