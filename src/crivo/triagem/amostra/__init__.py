"""A made-up public call: 40 projects with their documents, with irregularities of every kind and honest look-alikes among them."""

from crivo.triagem.amostra.montagem import gabarito, write_sample

__all__ = ["gabarito", "write_sample"]
