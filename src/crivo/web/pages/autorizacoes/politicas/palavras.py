"""A regra of a política as people read it: each field with its title, and what it says in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

import msgspec

from crivo.autorizacoes.contracts import Cobertura, Regra
from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.autorizacoes.palavras import listing
from crivo.autorizacoes.politicas.ditos import TITULOS, say, says
from crivo.autorizacoes.politicas.planos import planos_da
from crivo.kernel.rotulo import Rotulo
from crivo.web.pages.formatos import dia

COBERTURAS: Final[Mapping[Cobertura, Rotulo]] = {
    "COBERTA": Rotulo("Coberto", "✓", "aprovado"),
    "CONDICIONAL": Rotulo("Coberto com condições", "◐", "parcial"),
    "NAO_COBERTA": Rotulo("Sem cobertura", "✕", "negado"),
}
# What a line of the table tells in columns of their own.
_IN_COLUMNS: Final = frozenset({"regra_id", "codigo", "plano_id", "planos", "tabela", "cobertura"})


def condicoes(regra: Regra) -> tuple[tuple[str, str], ...]:
    """What a regra demands, limits and offers: (title, words), in the document's order; what it does not say is left out."""
    stated: Mapping[str, Any] = msgspec.to_builtins(regra)
    return tuple([(TITULOS[nome], say(nome, valor)) for nome, valor in stated.items() if nome not in _IN_COLUMNS and says(valor)])


def vale_para(regra: Regra) -> str:
    """The plano and the table that a regra is for: 'plano PRATA, tabela TUSS'."""
    planos = planos_da(regra)
    plano = "todos os planos" if "*" in planos else f"plano {planos[0]}" if len(planos) == 1 else f"planos {listing(planos)}"
    tabela = {"*": "", "OUTRA": ", outra tabela"}.get(regra.tabela, f", tabela {regra.tabela}")
    return plano + tabela


def vigencia(inicio: date, fim: date | None) -> str:
    """'desde 01/01/2026, sem data de fim' or 'de 01/01/2026 a 31/12/2026'."""
    return f"de {dia(inicio)} a {dia(fim)}" if fim else f"desde {dia(inicio)}, sem data de fim"


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
