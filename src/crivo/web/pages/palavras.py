"""Words for what a person reads: outcomes, motivos, agents, authors, times. A code never stands alone on a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.contracts import Ajuste, Condicao, Entrega
from crivo.autorizacoes.palavras import campo_com_artigo, nome_documento

ETAPAS: Final[Mapping[str, str]] = {"pedido": "Pedido recebido", **{contract.stage: contract.titulo for contract in AGENTES}}
AUTORES: Final[Mapping[str, str]] = {"codigo": "Código", "modelo": "Modelo", "pessoa": "Pessoa"}


def condicao(condicao: Condicao, dita: str) -> str:
    """A condition with the names of documents and fields in words; `dita` is how the decision says it where there is no better way."""
    match condicao:
        case Entrega(tipo):
            return f"Apresentar: {nome_documento(tipo)}"
        case Ajuste(acao_tipo="ANEXAR_DOCUMENTO", valor_sugerido=str(tipo)):
            return f"Anexar: {nome_documento(tipo)}"
        case Ajuste(acao_tipo="ALTERAR_PRESTADOR"):
            return "Escolher um prestador da rede credenciada"
        case Ajuste(acao_tipo="OUTRO", impacto_conformidade="RESOLVE_TOTAL", campo_alvo=alvo, valor_sugerido=None):
            return f"Informar corretamente {campo_com_artigo(alvo)}"
        case _:
            return dita
