"""What a test case expects and what came out, in words: one telling for the terminal and the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from crivo.autorizacoes.motivos import rotulo
from crivo.autorizacoes.palavras import DECISOES, count, listing, nome_documento, number

_CAMPOS: Final[Mapping[str, str]] = {
    "decisao_final": "Decisão",
    "quantidade_aprovada": "Quantidade aprovada",
    "condicionantes": "Condições",
    "motivos": "Motivos",
    "pendencias_documentais": "Documentos que faltam",
    "conforme": "De acordo com a regra",
    "decisao_preliminar": "Decisão preliminar",
    "quantidade_aprovavel": "Quantidade que pode ser aprovada",
    "coparticipacao_percentual": "Coparticipação",
    "prazo_validade_autorizacao_dias": "Validade da autorização",
    "alertas": "Alertas",
    "erros_bloqueantes": "O que impede de decidir",
    "ajustes": "Ajustes",
    "regra_id": "Regra que decidiu",
    "documento": "Documento",
    "versao": "Versão",
}


def campo_dito(campo: str) -> str:
    """A field that a case expects."""
    return _CAMPOS.get(campo, campo)


def valor_dito(campo: str, valor: Any) -> str:
    """Its value; what has no words of its own as JSON."""
    if valor is None or valor == []:
        return "nada"
    if isinstance(valor, bool):
        return "sim" if valor else "não"
    match campo:
        case "decisao_final" if valor in DECISOES:
            return DECISOES[valor].palavra
        case "motivos" | "erros_bloqueantes" if isinstance(valor, list):
            return listing([rotulo(str(one)) for one in valor])
        case "pendencias_documentais" if isinstance(valor, list):
            return listing([" ou ".join(map(nome_documento, str(one).split("|"))) for one in valor])
        case "coparticipacao_percentual" if isinstance(valor, int | float):
            return f"{number(valor)}%"
        case "prazo_validade_autorizacao_dias" if isinstance(valor, int):
            return count(valor, "dia", "dias")
    if isinstance(valor, int | float):
        return number(valor)
    return valor if isinstance(valor, str) else msgspec.json.encode(valor).decode()
