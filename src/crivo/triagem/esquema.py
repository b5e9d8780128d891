"""The JSON Schema of an import, made from the very shape that validates it."""

from __future__ import annotations

from typing import Any

from crivo.kernel.formas.esquema import publish
from crivo.triagem.importacao.campos import FormaImportacao


def esquema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of an import, with titles and descriptions in pt-BR.

    What a schema cannot say (unique ids, bounds that cross, files that are there) is checked by the import itself. Source: design, Shapes.
    """
    descricao = "Um edital com seus requisitos, critérios, projetos e avaliadores; os documentos são arquivos ao lado deste."
    return publish(FormaImportacao, "urn:crivo:triagem:importacao", "Importação de um edital", descricao)
