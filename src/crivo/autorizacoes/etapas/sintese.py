"""RF6: the final decision, its terms, and the two messages. Source: PRD RF6."""

from __future__ import annotations

from crivo.autorizacoes.contracts import (
    Ajuste,
    Ajustes,
    ArtefatoRegistro,
    Avaliacao,
    Condicao,
    Consulta,
    Decisao,
    DecisaoFinal,
    DetalheDecisao,
    Entrega,
    Mensagens,
    Normalizacao,
)
from crivo.autorizacoes.etapas.mensagens import beneficiario, solicitante
from crivo.autorizacoes.palavras import OU, count, day, number, reais


def sintetizar(normalizacao: Normalizacao, consulta: Consulta, avaliacao: Avaliacao, ajustes: Ajustes | None) -> Decisao:
    """The document that leaves crivo, with both messages written by code. Source: PRD RF6 6.2, 6.3.2."""
    final = decisao_final(avaliacao, ajustes.ajustes_sugeridos if ajustes else ())
    detalhe = DetalheDecisao(
        avaliacao.quantidade_aprovavel if avaliacao.conforme else None,
        avaliacao.coparticipacao_percentual,
        avaliacao.prazo_validade_autorizacao_dias,
        tuple([describe(condicao) for condicao in condicoes(final, avaliacao, ajustes)]),
    )
    assunto = (normalizacao, consulta.regras_recuperadas, avaliacao, ajustes)
    return Decisao(
        avaliacao.pedido_id,
        final,
        detalhe,
        Mensagens(solicitante.escrever(final, detalhe, *assunto), beneficiario.escrever(final, detalhe, *assunto)),
        ArtefatoRegistro(final, avaliacao.motivos, avaliacao.fonte_regras),
    )


def decisao_final(avaliacao: Avaliacao, sugeridos: tuple[Ajuste, ...]) -> DecisaoFinal:
    """The outcome: pending only where some adjustment may help. Source: PRD RF6 6.2."""
    if avaliacao.conforme:
        return "APROVADO_PARCIAL" if avaliacao.decisao_preliminar == "APROVAR_PARCIAL" else "APROVADO"
    for ajuste in sugeridos:
        if ajuste.impacto_conformidade != "NAO_RESOLVE":
            return "PENDENTE_AJUSTES"
    return "NEGADO"


def condicoes(final: DecisaoFinal, avaliacao: Avaliacao, ajustes: Ajustes | None) -> tuple[Condicao, ...]:
    """What still has to happen: the viable adjustments of a pending pedido, the documents owed by an approved one."""
    if final == "PENDENTE_AJUSTES":
        sugeridos = ajustes.ajustes_sugeridos if ajustes else ()
        return tuple([ajuste for ajuste in sugeridos if ajuste.impacto_conformidade != "NAO_RESOLVE"])
    if avaliacao.conforme:
        return tuple([Entrega(tipo) for tipo in avaliacao.pendencias_documentais])
    return ()


def describe(condicao: Condicao) -> str:
    """A condition as one imperative line."""
    if isinstance(condicao, Entrega):
        return f"Apresentar {_documentos(condicao.tipo)}"
    return _describe_ajuste(condicao)


def _documentos(tipo: str) -> str:
    """A document type, or all of a group of which one is enough."""
    return f"um destes documentos: {tipo.replace(OU, ' ou ')}" if OU in tipo else f"o documento {tipo}"


def _describe_ajuste(ajuste: Ajuste) -> str:
    valor = ajuste.valor_sugerido
    match ajuste.acao_tipo:
        case "ANEXAR_DOCUMENTO":
            return f"Anexar {_documentos(str(valor))}"
        case "ALTERAR_PRESTADOR":
            return f"Alterar o prestador para {valor}"
        case "REDUZIR_QUANTIDADE" if isinstance(valor, (int, float)):
            return f"Reduzir a quantidade para {number(valor)}"
        case "AJUSTAR_CODIGO":
            return f"Trocar o código do procedimento para {valor}"
        case "AGUARDAR_CARENCIA" if isinstance(valor, (int, float)):
            return f"Aguardar mais {count(valor, 'dia', 'dias')} de carência"
        case "OUTRO" if isinstance(valor, (int, float)):
            return f"Rever o valor do pedido, que pode ser de até {reais(valor)}"
        case "OUTRO" if isinstance(valor, str):
            return f"Pedir de novo a partir de {day(valor)}"
        case _ if ajuste.impacto_conformidade == "RESOLVE_TOTAL":
            return f"Informar {ajuste.campo_alvo} corretamente"
        case _:
            return ajuste.justificativa
