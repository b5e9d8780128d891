"""A regra of a política as people read it: each field with its title, and what it says in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, Final

import msgspec

from crivo.autorizacoes.contracts import Cobertura, Regra
from crivo.autorizacoes.palavras import count, day, faixa_etaria, listing, nome_documento, number
from crivo.autorizacoes.politicas.esquema import POLITICA, REGRA
from crivo.autorizacoes.politicas.storage import PoliticaGuardada
from crivo.web.pages.palavras import Rotulo, motivo

COBERTURAS: Final[Mapping[Cobertura, Rotulo]] = {
    "COBERTA": Rotulo("Coberto", "✓", "aprovado"),
    "CONDICIONAL": Rotulo("Coberto com condições", "◐", "parcial"),
    "NAO_COBERTA": Rotulo("Sem cobertura", "✕", "negado"),
}
TITULOS: Final[Mapping[str, str]] = {campo.nome: campo.titulo for campo in (*POLITICA.campos, *REGRA.campos)}
_NOTHING: Final = "não diz"
_NETWORK: Final[Mapping[str, str]] = {"APENAS_CREDENCIADA": "só na rede credenciada", "LIVRE": "qualquer prestador"}
# What a line of the table tells in columns of their own.
_IN_COLUMNS: Final = frozenset({"regra_id", "codigo", "plano_id", "tabela", "cobertura"})


def condicoes(regra: Regra) -> tuple[tuple[str, str], ...]:
    """What a regra demands, limits and offers: (title, words), in the document's order; what it does not say is left out."""
    stated: Mapping[str, Any] = msgspec.to_builtins(regra)
    return tuple([(TITULOS[nome], say(nome, valor)) for nome, valor in stated.items() if nome not in _IN_COLUMNS and says(valor)])


def says(valor: Any) -> bool:
    """Whether a field states anything."""
    return valor is not None and valor not in ((), [])


def say(nome: str, valor: Any) -> str:
    """What a field of a regra or of the document's head says, in words."""
    if not says(valor):
        return _NOTHING
    known = _WORDS.get(nome)
    return known(valor) if known else str(valor)


def vale_para(regra: Regra) -> str:
    """The plano and the table that a regra is for: 'plano PRATA, tabela TUSS'."""
    plano = "todos os planos" if regra.plano_id == "*" else f"plano {regra.plano_id}"
    return plano if regra.tabela == "*" else f"{plano}, tabela {regra.tabela}"


def codigo(padrao: str) -> str:
    """A code, a prefix or `*` in words."""
    if padrao == "*":
        return "Todos os procedimentos"
    return f"Códigos que começam por {padrao[:-1]}" if padrao.endswith("*") else padrao


def vigencia(inicio: date, fim: date | None) -> str:
    """'desde 01/01/2026, sem data de fim' or 'de 01/01/2026 a 31/12/2026'."""
    return f"de {inicio:%d/%m/%Y} a {fim:%d/%m/%Y}" if fim else f"desde {inicio:%d/%m/%Y}, sem data de fim"


def situacao(politica: PoliticaGuardada, hoje: date) -> Rotulo:
    """How a version stands today."""
    if politica.status == "rascunho":
        return Rotulo("Rascunho", "–", "neutro")
    if politica.status == "revogada":
        return Rotulo("Revogada", "✕", "negado")
    if politica.vigencia_inicio > hoje:
        return Rotulo("Publicada, ainda não vale", "◐", "parcial")
    if politica.vigencia_fim is not None and politica.vigencia_fim < hoje:
        return Rotulo("Vigência encerrada", "–", "neutro")
    return Rotulo("Em vigor", "✓", "aprovado")


def _days(valor: int) -> str:
    return count(valor, "dia", "dias") if valor else "nenhuma"


def _yes_no(valor: bool) -> str:
    return "sim" if valor else "não"


def _ages(valor: Mapping[str, int | None]) -> str:
    return faixa_etaria(valor.get("min"), valor.get("max"))


def _documents(valor: list[str]) -> str:
    return listing([nome_documento(tipo) for tipo in valor])


def _alternatives(valor: list[Mapping[str, str | None]]) -> str:
    return "; ".join([f"{one['codigo']} ({one['descricao']})" if one.get("descricao") else str(one["codigo"]) for one in valor])


def _ways_out(valor: list[Mapping[str, str]]) -> str:
    return " ".join([f"{motivo(one['motivo'])}: {one['instrucao']}" for one in valor])


_WORDS: Final[Mapping[str, Callable[[Any], str]]] = {
    "vigencia_inicio": day,
    "vigencia_fim": day,
    "planos": listing,
    "codigo": codigo,
    "plano_id": lambda valor: "todos" if valor == "*" else str(valor),
    "tabela": lambda valor: "todas" if valor == "*" else str(valor),
    "cobertura": lambda valor: COBERTURAS[valor].palavra.lower(),
    "documentos_obrigatorios": _documents,
    "carencia_min_dias": _days,
    "carencia_urgencia_dias": _days,
    "restricoes_idade": _ages,
    "restricoes_rede": lambda valor: _NETWORK[valor],
    "limite_quantidade": lambda valor: f"até {number(valor)}",
    "autorizacao_previa": _yes_no,
    "coparticipacao_percentual": lambda valor: f"{number(valor)}%",
    "prazo_validade_autorizacao_dias": lambda valor: count(valor, "dia", "dias"),
    "permite_autorizacao_condicionada": _yes_no,
    "alternativas": _alternatives,
    "excecoes": _ways_out,
}
