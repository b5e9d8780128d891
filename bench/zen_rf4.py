"""RF4's rules as a decision of GoRules ZEN, the peer that crivo is timed against.

ZEN is spared everything but the rules: the pedido comes to it normalised, the regra found, in one flat object of JSON bytes, which is
the form it reads fastest. It is asked for RF4's whole answer and, for information, for the motivos alone. Its graphs are parsed once and
kept in its own static loader; each is one expression node, faster than the decision table that says the same, and without an output
node, which would only copy. It is asked by `engine.evaluate`: `ZenDecision.evaluate` builds a runtime for each call and would make ZEN
look slow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import msgspec
import zen

from crivo.autorizacoes.trilha import Trilha

if TYPE_CHECKING:
    from zen import DecisionEvaluateOptions  # its stubs alone name it

KEY: Final = "rf4"
MOTIVOS_KEY: Final = "motivos"
TRACED: Final[DecisionEvaluateOptions] = {"trace": True}

# In RF4's own order. An absent bound becomes one that nothing can break.
_EXPRESSIONS: Final = {
    "pendencias_documentais": """
        consulta_pronta and regra != null and regra.cobertura != 'NAO_COBERTA'
            ? filter(regra.documentos_obrigatorios, not (# in $root.anexos)) : []""",
    "motivos": """
        not consulta_pronta ? flatten([['pedido_invalido'], erros])
        : regra == null ? ['regra_nao_encontrada']
        : regra.cobertura == 'NAO_COBERTA' ? ['procedimento_sem_cobertura']
        : filter([
            (urgencia and regra.carencia_urgencia_dias != null ? regra.carencia_urgencia_dias : regra.carencia_min_dias ?? 0)
                > (carencia_cumprida_dias ?? 0) ? 'carencia_nao_cumprida' : null,
            idade != null and (idade < (regra.restricoes_idade.min ?? 0) or idade > (regra.restricoes_idade.max ?? 999))
                ? 'restricao_idade' : null,
            regra.restricoes_rede == 'APENAS_CREDENCIADA' and not prestador_credenciado ? 'rede_nao_credenciada' : null,
            quantidade > (regra.limite_quantidade ?? quantidade) ? 'acima_do_limite_quantitativo' : null,
            len($.pendencias_documentais) > 0 and regra.permite_autorizacao_condicionada != true ? 'documentacao_pendente' : null
        ], # != null)""",
    "decisao_preliminar": """
        len($.motivos) == 0 ? 'APROVAR_TOTAL'
        : len($.motivos) == 1 and $.motivos[0] == 'acima_do_limite_quantitativo' ? 'APROVAR_PARCIAL' : 'NEGAR'""",
}
# The rest of what RF4 answers. Source: PRD RF4 4.3.2.
_REST_OF_THE_ANSWER: Final = {
    "conforme": "$.decisao_preliminar != 'NEGAR'",
    "gatilho_pedido_nao_conforme": "not $.conforme",
    "quantidade_aprovavel": """
        some($.motivos, # == 'acima_do_limite_quantitativo') ? regra.limite_quantidade : $.conforme ? quantidade : null""",
    "coparticipacao_percentual": "regra == null ? null : regra.coparticipacao_percentual",
    "prazo_validade_autorizacao_dias": "regra == null ? null : regra.prazo_validade_autorizacao_dias",
    "restricoes_aplicadas": """
        not consulta_pronta or regra == null or regra.cobertura == 'NAO_COBERTA' ? [] : filter([
            urgencia and regra.carencia_urgencia_dias != null
                ? (regra.carencia_urgencia_dias > 0 ? 'carencia_urgencia_dias=' + string(regra.carencia_urgencia_dias) : null)
                : (regra.carencia_min_dias ?? 0) > 0 ? 'carencia_min_dias=' + string(regra.carencia_min_dias) : null,
            idade != null and regra.restricoes_idade != null and regra.restricoes_idade.min != null
                ? 'restricoes_idade.min=' + string(regra.restricoes_idade.min) : null,
            idade != null and regra.restricoes_idade != null and regra.restricoes_idade.max != null
                ? 'restricoes_idade.max=' + string(regra.restricoes_idade.max) : null,
            idade == null and regra.restricoes_idade != null and (regra.restricoes_idade.min ?? regra.restricoes_idade.max) != null
                ? 'idade_desconhecida_restricao_nao_conferida' : null,
            regra.restricoes_rede == 'APENAS_CREDENCIADA' ? 'restricoes_rede=APENAS_CREDENCIADA' : null,
            regra.limite_quantidade != null ? 'limite_quantidade=' + string(regra.limite_quantidade) : null,
            len(regra.documentos_obrigatorios) > 0 ? 'documentos_obrigatorios=' + regra.documentos_obrigatorios[0] : null,
            urgencia and regra.autorizacao_previa == true ? 'urgencia_exige_prioridade_sem_flexibilizar_regra' : null
        ], # != null)""",
}


class Disagreement(Exception):
    """ZEN and crivo do not say the same of a pedido: there is nothing to compare the speed of."""


@dataclass(frozen=True, slots=True)
class Zen:
    """The engine with the decision loaded."""

    engine: zen.ZenEngine

    @classmethod
    def load(cls) -> Zen:
        """An engine that holds RF4's rules."""
        content = {KEY: _graph(_EXPRESSIONS | _REST_OF_THE_ANSWER), MOTIVOS_KEY: _graph(_EXPRESSIONS)}
        return cls(zen.ZenEngine({"loader": {"type": "static", "content": content}}))

    def result(self, context: bytes) -> dict[str, Any]:
        """What ZEN decides."""
        decided: dict[str, Any] = self.engine.evaluate(KEY, context, TRACED)["result"]
        return decided


def context_of(trilha: Trilha) -> bytes:
    """What ZEN is given of a pedido: RF4's inputs as crivo prepared them, and no more than its rules read."""
    etapas = trilha.etapas
    params = etapas.parametros.params_consulta_regras
    return msgspec.json.encode(
        {
            "consulta_pronta": etapas.parametros.consulta_pronta,
            "erros": etapas.normalizacao.erros_bloqueantes,
            "quantidade": params.quantidade,
            "urgencia": params.urgencia,
            "idade": params.idade,
            "prestador_credenciado": params.prestador_credenciado,
            "carencia_cumprida_dias": params.carencia_cumprida_dias,
            "anexos": [documento.tipo for documento in etapas.normalizacao.pedido_normalizado.documentos_anexos],
            "regra": etapas.consulta.regras_recuperadas,
        }
    )


def check_agreement(engine: Zen, trilhas: Sequence[Trilha]) -> None:
    """Raises Disagreement unless ZEN decides every pedido as crivo did, in every field of RF4's answer that it computes."""
    for trilha in trilhas:
        theirs = engine.result(context_of(trilha))
        avaliacao = msgspec.to_builtins(trilha.etapas.avaliacao, builtin_types=())
        ours = {name: list(value) if isinstance(value := avaliacao[name], tuple) else value for name in theirs}
        # ZEN has no function that joins a list: it names the first document of the list and no other.
        ours["restricoes_aplicadas"] = [restricao.partition(",")[0] for restricao in avaliacao["restricoes_aplicadas"]]
        if theirs != ours:
            raise Disagreement(f"ZEN e crivo divergem no pedido {trilha.pedido_id}: {theirs} e {ours}")


def _graph(stated: Mapping[str, str]) -> dict[str, Any]:
    expressions = [{"id": key, "key": key, "value": " ".join(value.split())} for key, value in stated.items()]
    anywhere = {"x": 0, "y": 0}
    content = {"expressions": expressions, "passThrough": False, "inputField": None, "outputPath": None, "executionMode": "single"}
    return {
        "contentType": "application/vnd.gorules.decision",
        "nodes": [
            {"id": "pedido", "type": "inputNode", "name": "pedido", "position": anywhere},
            {"id": "avaliacao", "type": "expressionNode", "name": "avaliacao", "position": anywhere, "content": content},
        ],
        "edges": [{"id": "a", "type": "edge", "sourceId": "pedido", "targetId": "avaliacao"}],
    }
