"""A document as one HTML file: no script, nothing fetched, tables with headings and captions, ready to be printed."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from crivo.triagem.publicacao.documentos.folha import Fatos, Folha, Tabela


def render(folha: Folha) -> bytes:
    """The file, in UTF-8. Everything that is put into it is escaped."""
    return _template().render(folha=folha).encode("utf-8", "replace")


@cache
def _template() -> Template:
    loader = PackageLoader("crivo.triagem.publicacao", "documentos")
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.tests.update(tabela=lambda one: isinstance(one, Tabela), fatos=lambda one: isinstance(one, Fatos))
    return environment.get_template("folha.html")
