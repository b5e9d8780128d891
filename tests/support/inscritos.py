"""Projects as the finders take them, with as little said as a test needs; everybody in them is made up."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from crivo.triagem.documentos.lido import DocumentoLido, Pagina, ProjetoLido
from crivo.triagem.edital import Chamada, Edital, OrcamentoItem, Projeto, Proponente
from crivo.triagem.embeddings.local import LocalEmbedder
from crivo.triagem.embeddings.port import Vetores

EDITAL = Edital("ED-1", "Edital de cultura")


def projeto(
    numero: str,
    texto: str = "",
    proponente: Proponente | None = None,
    itens: Sequence[tuple[str, str | Decimal, str | Decimal]] = (),
) -> Projeto:
    """A project whose proponente is nobody else's, unless one is given."""
    return Projeto(
        numero,
        f"Projeto {numero}",
        proponente or Proponente(f"Proponente {numero}"),
        descricao_tecnica=texto,
        orcamento_itens=tuple(OrcamentoItem(nome, Decimal(quantidade), Decimal(valor)) for nome, quantidade, valor in itens),
    )


def lidos(*projetos: Projeto) -> list[ProjetoLido]:
    """The projects, read; none has a document."""
    return [ProjetoLido(one) for one in projetos]


def com_anexo(one: Projeto, arquivo: str, texto: str, *, requisito: str | None = None, sha256: str = "") -> ProjetoLido:
    """A project with one document, a PDF of one page."""
    documento = DocumentoLido(
        arquivo, sha256 or arquivo, len(texto), "pdf", "lido", (Pagina(1, texto),), total_paginas=1, requisito=requisito
    )
    return ProjetoLido(one, (documento,))


def chamada(*projetos: Projeto, edital: Edital = EDITAL) -> Chamada:
    """A call with these projects."""
    return Chamada(edital, projetos=projetos)


def vetores(projetos: Sequence[Projeto]) -> Vetores:
    """Their vectors by the local embedder."""
    embedder = LocalEmbedder()
    return Vetores(embedder.nome, embedder.limiar, embedder.embed([one.texto for one in projetos]))
