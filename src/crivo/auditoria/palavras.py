"""What people call what the audit vouches for, and what it is held against."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NOME_DA_LINHA: Final[Mapping[str, str]] = {
    "autorizacoes": "Decisão",
    "autorizacao_revisoes": "Revisão",
    "politicas": "Política",
    "formatos": "Mapeamento de formato",
    "avaliacoes": "Nota",
    "habilitacao_decisoes": "Habilitação",
    "habilitacao_decisoes_anteriores": "Habilitação anterior",
    "triagem_caso_ditos": "Caso",
    "atribuicoes_tiradas": "Projeto tirado de quem avalia",
    "recursos": "Recurso",
    "recurso_respostas": "Resposta a um recurso",
    "nota_revisoes": "Nota revista",
    "resultados_publicados": "Resultado publicado",
    "desistencias": "Desistência",
    "diligencias": "Diligência",
    "diligencia_envios": "Resposta a uma diligência",
}
"""By table, with a capital."""

ANCORAS: Final[Mapping[str, str]] = {
    "ancora_ausente": "o registro {seq}, que ela anotou, não está mais na cadeia",
    "ancora_diverge": "o registro {seq} não é o que ela anotou",
    "assinatura_invalida": "a assinatura não é a desta chave",
    "ancora_ilegivel": "não é uma âncora",
}
"""How the chain does not bear out a line that was noted."""
SEM_ANCORA: Final = "Sem âncora ainda: um fim cortado não seria notado"
"""What holds where nothing was noted of a chain that has entries."""
