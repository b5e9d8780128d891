"""What people read before a result is published, in pt-BR."""

from __future__ import annotations

from typing import assert_never

from crivo.triagem.palavras import count
from crivo.triagem.publicacao.guardados import Pendencia


def pendencia_said(pendencia: Pendencia) -> str:
    """What is not settled, as a sentence."""
    quantos = pendencia.quantos
    match pendencia.tipo:
        case "sem_preliminar":
            return "O resultado final vem depois de um preliminar, e nenhum foi publicado ainda."
        case "prazo_de_recurso":
            return f"O prazo de recurso ainda corre: {count(quantos, 'dia', 'dias')}, contando o de hoje."
        case "recursos_abertos":
            return f"{count(quantos, 'recurso espera', 'recursos esperam')} resposta."
        case "pendentes":
            return f"{count(quantos, 'projeto está pendente', 'projetos estão pendentes')}: faltam avaliações, ou elas divergem demais."
        case "sem_decisao":
            return (
                f"{count(quantos, 'projeto está', 'projetos estão')} sem decisão de habilitação, e {'entra' if quantos == 1 else 'entram'}."
            )
        case _:
            assert_never(pendencia.tipo)
