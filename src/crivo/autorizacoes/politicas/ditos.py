"""What a field of a política says, in words: one telling for the terminal and the pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from crivo.autorizacoes.contracts import Limite
from crivo.autorizacoes.motivos import rotulo
from crivo.autorizacoes.palavras import SEXOS, count, day, faixa_etaria, limite_em_palavras, listing, nome_documento, number, reais
from crivo.autorizacoes.politicas.esquema import FormaPolitica, FormaRegra

TITULOS: Final[Mapping[str, str]] = {
    nome: str(campo.title) for forma in (FormaPolitica, FormaRegra) for nome, campo in forma.model_fields.items()
}
_NOTHING: Final = "não diz"
_COUNTED: Final[Mapping[str, str]] = {"CODIGO": "do mesmo código", "REGRA": "de qualquer código desta regra"}
_CARE: Final[Mapping[str, str]] = {
    "CONSULTA_BASICA": "consulta básica",
    "CONSULTA": "consulta",
    "EXAME_LABORATORIAL": "exame de laboratório",
    "EXAME": "exame",
    "TERAPIA": "terapia",
    "HOSPITAL_DIA": "hospital-dia",
    "ALTA_COMPLEXIDADE": "alta complexidade",
    "INTERNACAO_ELETIVA": "internação eletiva",
}
_NETWORK: Final[Mapping[str, str]] = {"APENAS_CREDENCIADA": "só na rede credenciada", "LIVRE": "qualquer prestador"}
_COVER: Final[Mapping[str, str]] = {"COBERTA": "coberto", "CONDICIONAL": "coberto com condições", "NAO_COBERTA": "sem cobertura"}


def says(valor: Any) -> bool:
    """Whether a field states anything."""
    return valor is not None and valor not in ((), [])


def say(nome: str, valor: Any) -> str:
    """What a field of a regra or of the document's head says, in words."""
    if not says(valor):
        return "sem data de fim" if nome == "vigencia_fim" else _NOTHING
    known = _WORDS.get(nome)
    return known(valor) if known else str(valor)


def codigo(padrao: str) -> str:
    """A code, a prefix or `*` in words."""
    if padrao == "*":
        return "Todos os procedimentos"
    return f"Códigos que começam por {padrao[:-1]}" if padrao.endswith("*") else padrao


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
    return " ".join([f"{rotulo(one['motivo']).replace('_', ' ').capitalize()}: {one['instrucao']}" for one in valor])


def _limits(valor: list[Mapping[str, Any]]) -> str:
    return "; ".join([f"até {limite_em_palavras(Limite(**um))}, {_COUNTED[um['por']]}" for um in valor])


def _groups(valor: list[list[str]]) -> str:
    return "; ".join([" ou ".join(map(nome_documento, grupo)) for grupo in valor])


_WORDS: Final[Mapping[str, Callable[[Any], str]]] = {
    "vigencia_inicio": day,
    "vigencia_fim": day,
    "planos": listing,
    "codigo": codigo,
    "plano_id": lambda valor: "todos" if valor == "*" else str(valor),
    "tabela": lambda valor: "todas" if valor == "*" else str(valor),
    "cobertura": lambda valor: _COVER[valor],
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
    "tipo_atendimento": lambda valor: _CARE[valor],
    "sexo": lambda valor: f"só {SEXOS[valor]}",
    "cpt_meses": lambda valor: f"{count(valor, 'mês', 'meses')} com doença preexistente declarada",
    "valor_maximo": lambda valor: f"até {reais(valor)}",
    "limites": _limits,
    "documentos_alternativos": _groups,
}
