"""R2: no personal data of others; the person's own name and CPF, doctors and opaque ids are safe. Source: blueprint 2.3.2, R2."""

from __future__ import annotations

from collections.abc import Iterator

from crivo.clinicas.orquestrador.entende.clausulas import Page
from crivo.clinicas.orquestrador.entende.pessoas import identificadores, nomes
from crivo.clinicas.orquestrador.fatos import Fatos


def breaches(page: Page, fatos: Fatos) -> Iterator[str]:
    """What of R2 a text breaks, each as a short pt-BR reason without the data itself."""
    own = fatos.paciente.cpf if fatos.paciente else ""
    allowed = identificadores.allowed_digits(fatos)
    for kind in identificadores.find(page, own, allowed, fatos.spoken):
        yield f"mostra {kind}"
    if nomes.someone_else(page, fatos):
        yield "cita o nome de outra pessoa"
