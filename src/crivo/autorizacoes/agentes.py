"""The six agents as data. Source: PRD section 4 and RF1 to RF6."""

from __future__ import annotations

from crivo.autorizacoes.contracts import Ajustes, Avaliacao, Consulta, Decisao, Normalizacao, Parametros
from crivo.kernel.agents.contract import AgentContract, Budget, ModelSettings

_PACKAGE = "crivo.autorizacoes"
_GPT5 = ModelSettings("GPT-5", 0.6)

NORMALIZACAO = AgentContract(
    name="autorizacoes.normalizacao",
    stage="normalizacao",
    titulo="Normalização",
    tarefa="Validar campos obrigatórios e normalizar o pedido para um formato único.",
    source="PRD RF1",
    package=_PACKAGE,
    sees=("pedido",),
    output=Normalizacao,
    model=_GPT5,
    budget=Budget(10_000, 3_000),
)
PARAMETROS = AgentContract(
    name="autorizacoes.parametros",
    stage="parametros",
    titulo="Parâmetros",
    tarefa="Construir os parâmetros da consulta de regras.",
    source="PRD RF2",
    package=_PACKAGE,
    sees=("normalizacao",),
    output=Parametros,
    model=_GPT5,
    budget=Budget(5_000, 2_000),
)
CONSULTA = AgentContract(
    name="autorizacoes.consulta",
    stage="consulta",
    titulo="Consulta às regras",
    tarefa="Consultar o repositório de políticas e devolver a regra aplicável.",
    source="PRD RF3",
    package=_PACKAGE,
    sees=("parametros",),
    output=Consulta,
    model=_GPT5,
    budget=Budget(3_000, 2_500),
)
AVALIACAO = AgentContract(
    name="autorizacoes.avaliacao",
    stage="avaliacao",
    titulo="Avaliação",
    tarefa="Avaliar o pedido frente à regra: conformidade, motivos e pendências.",
    source="PRD RF4",
    package=_PACKAGE,
    sees=("normalizacao", "parametros", "consulta"),
    output=Avaliacao,
    model=_GPT5,
    budget=Budget(6_000, 3_000),
    model_writes=("ajustes_minimos_requeridos.justificativa",),  # in a whole answer alone: nobody is asked for the one sentence it is
)
AJUSTES = AgentContract(
    name="autorizacoes.ajustes",
    stage="ajustes",
    titulo="Ajustes",
    tarefa="Sugerir ajustes que tornem o pedido conforme, e provar o efeito deles.",
    source="PRD RF5",
    package=_PACKAGE,
    sees=("normalizacao", "consulta", "avaliacao"),
    output=Ajustes,
    model=_GPT5,
    budget=Budget(4_000, 2_500),
    model_writes=("ajustes_sugeridos.justificativa", "resumo_efeito"),
    textos="ajustes_textos.md",
)
SINTESE = AgentContract(
    name="autorizacoes.sintese",
    stage="sintese",
    titulo="Síntese",
    tarefa="Gerar a decisão final e as duas mensagens.",
    source="PRD RF6",
    package=_PACKAGE,
    sees=("normalizacao", "consulta", "avaliacao", "ajustes"),
    output=Decisao,
    model=_GPT5,
    budget=Budget(5_000, 3_000),
    model_writes=("mensagens.para_solicitante", "mensagens.para_beneficiario"),
    textos="sintese_textos.md",
    person_writes=("decisao_final", "mensagens.para_solicitante", "mensagens.para_beneficiario"),
)

AGENTES = (NORMALIZACAO, PARAMETROS, CONSULTA, AVALIACAO, AJUSTES, SINTESE)
