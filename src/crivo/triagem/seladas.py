"""The rows of screening that the audit vouches for: what people decided and the notas that they sent, with every column of theirs."""

from __future__ import annotations

from typing import Final

from crivo.kernel.audit import SealedTable

# A draft is its author's alone and counts for nothing: it is sealed once it is sent.
AVALIACOES: Final = SealedTable(
    "avaliacoes",
    ("projeto_id", "criterio_id", "avaliador_id"),
    ("projeto_id", "criterio_id", "avaliador_id", "nota", "texto", "created_at", "atualizada_em", "enviada_em", "revisao_id"),
    when="r.enviada_em is not null",
)
HABILITACOES: Final = SealedTable(
    "habilitacao_decisoes",
    ("projeto_id",),
    ("projeto_id", "decisao", "sugestao", "motivo", "decidido_por", "decidido_em", "ato_id", "anterior_id"),
)
HABILITACOES_ANTERIORES: Final = SealedTable(
    "habilitacao_decisoes_anteriores",
    ("id",),
    (
        "id",
        "projeto_id",
        "decisao",
        "sugestao",
        "motivo",
        "decidido_por",
        "decidido_em",
        "ato_id",
        "anterior_id",
        "desfeita_por",
        "desfeita_em",
    ),
)
CASO_DITOS: Final = SealedTable(
    "triagem_caso_ditos",
    ("id",),
    ("id", "caso_id", "tipo", "versao", "situacao", "dono", "tipos", "projetos", "chaves", "selado", "por", "em"),
)
ATRIBUICOES_TIRADAS: Final = SealedTable(
    "atribuicoes_tiradas",
    ("id",),
    ("id", "projeto_id", "avaliador_id", "motivo", "notas", "tirada_por", "tirada_em"),
)
DESISTENCIAS: Final = SealedTable(
    "desistencias",
    ("id",),
    ("id", "projeto_id", "desistiu_em", "chave", "selado", "registrada_por", "registrada_em", "desfeita_por", "desfeita_em"),
)
RECURSOS: Final = SealedTable(
    "recursos",
    ("id",),
    (
        "id",
        "edital_id",
        "numero",
        "projeto_id",
        "contra",
        "entrada",
        "versao",
        "apresentado_em",
        "recebido_em",
        "registrado_por",
        "tardio",
        "chave",
        "selado",
        "resumo",
    ),
)
RESPOSTAS_DE_RECURSOS: Final = SealedTable(
    "recurso_respostas",
    ("id",),
    (
        "id",
        "recurso_id",
        "desfecho",
        "ato_id",
        "corrige_campo",
        "versao",
        "chave",
        "selado",
        "respondido_por",
        "respondido_em",
        "desfeita_por",
        "desfeita_em",
        "desfeita_selado",
    ),
)
NOTA_REVISOES: Final = SealedTable(
    "nota_revisoes",
    ("id",),
    ("id", "resposta_id", "projeto_id", "criterio_id", "avaliador_id", "de", "para", "anterior_id", "revista_por", "revista_em"),
)
RESULTADOS_PUBLICADOS: Final = SealedTable(
    "resultados_publicados",
    ("edital_id", "versao"),
    (
        "edital_id",
        "versao",
        "fase",
        "codigo",
        "sha256",
        "escrito",
        "semente",
        "motivo",
        "recursos_ate",
        "publicado_por",
        "publicado_em",
    ),
)
# What was asked, and how it stands: whatever changes of it is sealed again in the entry that tells of the change.
DILIGENCIAS: Final = SealedTable(
    "diligencias",
    ("id",),
    (
        "id",
        "edital_id",
        "projeto_id",
        "numero",
        "chave",
        "selada",
        "codigo_resumo",
        "dias",
        "prazo",
        "pedida_por",
        "pedida_em",
        "cancelada_por",
        "cancelada_em",
        "cancelada_motivo",
        "respondida_em",
        "depois",
        "julgada_em",
    ),
)
DILIGENCIA_ENVIOS: Final = SealedTable(
    "diligencia_envios",
    ("id",),
    ("id", "diligencia_id", "autor", "por", "em", "selado", "recibo"),
)
SELADAS: Final = (
    AVALIACOES,
    HABILITACOES,
    HABILITACOES_ANTERIORES,
    CASO_DITOS,
    ATRIBUICOES_TIRADAS,
    RESULTADOS_PUBLICADOS,
    DESISTENCIAS,
    RECURSOS,
    RESPOSTAS_DE_RECURSOS,
    NOTA_REVISOES,
    DILIGENCIAS,
    DILIGENCIA_ENVIOS,
)
