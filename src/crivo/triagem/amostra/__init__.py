"""A made-up public call: 40 projects with their documents, with irregularities of every kind and honest look-alikes among them."""

from typing import Final

from crivo.triagem.amostra.feito import Deferimento, Diligencia, Recurso, diligencia, done, recursos
from crivo.triagem.amostra.montagem import gabarito, write_sample

EDITAL: Final = "ED-2026-04"

__all__ = ["EDITAL", "Deferimento", "Diligencia", "Recurso", "diligencia", "done", "gabarito", "recursos", "write_sample"]
