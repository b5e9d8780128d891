"""The rows of authorizations that the audit vouches for, each with every column that a list or a page shows."""

from __future__ import annotations

from typing import Final

from crivo.kernel.audit import SealedTable

# The three texts are in `digest`, which is held against them by `verificacao`: a decision is sealed by little, thousands of times a second.
AUTORIZACOES: Final = SealedTable(
    "autorizacoes",
    ("id",),
    (
        "id",
        "pedido_id",
        "administradora_id",
        "decisao_final",
        "recebida_em",
        "data_recebimento",
        "catalogo_versao",
        "digest",
        "urgente",
    ),
)
REVISOES: Final = SealedTable(
    "autorizacao_revisoes",
    ("id",),
    (
        "id",
        "autorizacao_id",
        "decisao_anterior",
        "decisao_final",
        "quantidade_aprovada",
        "motivo",
        "mensagens",
        "revisor",
        "decidida_em",
    ),
    json=frozenset({"mensagens"}),
)
POLITICAS: Final = SealedTable(
    "politicas",
    ("id",),
    (
        "id",
        "administradora_id",
        "documento",
        "versao",
        "vigencia_inicio",
        "vigencia_fim",
        "status",
        "regras_total",
        "conteudo",
        "digest",
        "criada_em",
        "criada_por",
        "publicada_em",
        "publicada_na",
        "revogada_em",
        "revogada_na",
        "encerra_anteriores",
    ),
)
FORMATOS: Final = SealedTable(
    "formatos",
    ("id",),
    (
        "id",
        "nome",
        "administradora_id",
        "versao",
        "status",
        "conteudo",
        "digest",
        "criado_em",
        "criado_por",
        "publicado_em",
        "publicado_na",
        "encerrado_em",
        "encerrado_na",
    ),
)
SELADAS: Final = (AUTORIZACOES, REVISOES, POLITICAS, FORMATOS)
