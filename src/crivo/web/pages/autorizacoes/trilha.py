"""Words for what a trail says in codes: its fields, its alerts, and why a model's text was not kept."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from crivo.autorizacoes.etapas.complementos import NO_FUTURO, NO_LUGAR, REPETIDO, SO_DA_CASA
from crivo.autorizacoes.etapas.documentos import PENDENTE, RECUSADO, VENCIDO
from crivo.autorizacoes.etapas.ilegiveis import CARENCIA_ILEGIVEL, QUANTIDADE_FRACIONADA, as_sent
from crivo.autorizacoes.motivos import PLANO_DESCONHECIDO, VALOR_DESCONHECIDO
from crivo.autorizacoes.palavras import campo_com_artigo, documento_com_artigo
from crivo.autorizacoes.politicas.sobras import NAO_LIDA

_CAMPOS: Final[Mapping[str, str]] = {
    "pedido_id": "Número do pedido",
    "pedido_normalizado": "Pedido em formato único",
    "erros_bloqueantes": "O que impede a avaliação",
    "alertas": "Avisos",
    "pedido_valido": "Se o pedido pode ser avaliado",
    "params_consulta_regras": "Com o que procurar a regra",
    "consulta_pronta": "Se há o bastante para procurar",
    "motivos_nao_pronto": "Por que não há",
    "regras_recuperadas": "A regra encontrada",
    "fonte_regras": "Onde a regra está escrita",
    "conforme": "Se está de acordo com a regra",
    "decisao_preliminar": "Decisão preliminar",
    "motivos": "Motivos",
    "pendencias_documentais": "Documentos que faltam",
    "ajustes_minimos_requeridos.campo": "Campo do menor ajuste",
    "ajustes_minimos_requeridos.valor_sugerido": "Valor do menor ajuste",
    "ajustes_minimos_requeridos.justificativa": "Justificativa do menor ajuste",
    "quantidade_aprovavel": "Quantidade que pode ser aprovada",
    "coparticipacao_percentual": "Coparticipação",
    "prazo_validade_autorizacao_dias": "Validade da autorização",
    "restricoes_aplicadas": "Restrições conferidas",
    "gatilho_pedido_nao_conforme": "Se é preciso sugerir ajustes",
    "ajustes_sugeridos.acao_tipo": "O que fazer em cada ajuste",
    "ajustes_sugeridos.campo_alvo": "Campo de cada ajuste",
    "ajustes_sugeridos.valor_sugerido": "Valor de cada ajuste",
    "ajustes_sugeridos.justificativa": "Justificativa de cada ajuste",
    "ajustes_sugeridos.impacto_conformidade": "Efeito de cada ajuste",
    "resumo_efeito": "Efeito de todos os ajustes",
    "decisao_final": "Decisão final",
    "detalhe_decisao": "Condições da decisão",
    "mensagens.para_solicitante": "Mensagem para o solicitante",
    "mensagens.para_beneficiario": "Mensagem para o beneficiário",
    "artefato_registro": "O que fica no registro",
}
_ALERTAS: Final[Mapping[str, str]] = {
    "data_pedido_presumida": "O pedido não diz a data; vale a do recebimento.",
    "data_nascimento_invalida": "A data de nascimento não existe ou não pôde ser lida.",
    "idade_nao_informada": "Não se sabe a idade.",
    "idade_divergente": "A idade informada não confere com o nascimento; vale a informada.",
    "carencia_nao_informada": "O pedido não diz quanto da carência foi cumprido.",
    CARENCIA_ILEGIVEL: "A carência cumprida não pôde ser lida como número de dias.",
    "urgencia_presumida_falsa": "O pedido não diz se é urgente; foi tratado como não urgente.",
    PLANO_DESCONHECIDO: "Nenhuma regra publicada da administradora fala deste plano.",
    SO_DA_CASA: "O pedido não diz o histórico de uso; contou só o que já foi aprovado aqui.",
    NO_LUGAR: "Este pedido fica no lugar do que já foi aprovado aqui para ele mesmo (mesmo número, procedimento e data), que não contou.",
    REPETIDO: "O histórico de uso traz o mesmo uso mais de uma vez; contou todas.",
    NO_FUTURO: "O histórico de uso traz um uso que ainda vai acontecer; contou onde um mesmo período o junta ao pedido.",
    NAO_LIDA: "A regra traz uma observação que não pôde ser lida e que poderia mudar a decisão.",
    QUANTIDADE_FRACIONADA: "A quantidade pedida não é um número inteiro; confira se é isso mesmo.",
}
_DOCUMENTOS: Final[Mapping[str, str]] = {
    RECUSADO: "consta como recusado e não foi contado.",
    VENCIDO: "está vencido na data do pedido e não foi contado.",
    PENDENTE: "consta como pendente e não foi contado.",
}
_ILEGIVEIS: Final[Mapping[str, str]] = {
    CARENCIA_ILEGIVEL: "beneficiario.carencia_cumprida_dias",
    "data_nascimento_invalida": "beneficiario.data_nascimento",
}
_FALHAS_DO_TEXTO: Final[Mapping[str, str]] = {
    "numero": "trazia um número que não está no pedido nem na regra",
    "codigo": "trazia um código que não está no pedido nem na regra",
    "data": "trazia uma data que não está no pedido nem na regra",
    "documento": "citava um documento ou uma fonte que não está no pedido nem na regra",
    "resultado": "contrariava a decisão",
    "jargao": "usava palavras difíceis ou códigos",
    "sem_fonte": "não dizia o motivo ou a fonte",
    "segunda_leitura": "dizia o que os dados não dizem, ou calava o que era preciso, na segunda leitura",
}
_FALHAS_DO_MODELO: Final[Mapping[str, str]] = {
    "fora_do_ar": "o serviço do modelo não respondeu",
    "limite_de_uso": "o serviço do modelo recusou por excesso de uso",
    "demorou": "o modelo demorou demais",
    "ilegivel": "a resposta chegou cortada ou ilegível",
    "fora_do_formato": "a resposta não veio na forma pedida",
    "recusou": "o modelo se recusou a responder",
    "orcamento": "o limite de gasto com modelo do mês tinha sido atingido",
    "nao_aceito": "o serviço do modelo não aceitou a chave ou o nome do modelo",
    "entrada_longa_demais": "o que havia para ler passava do tamanho combinado",
}
_NOTHING: Final[Mapping[str, Any]] = {}
_ITEM: Final = re.compile(r"(\w+)\[(\d+)\]\.(\w+)")


def campo_da_trilha(path: str) -> str:
    """A field of an answer in words; one of a list is told by its place, from 1."""
    item = _ITEM.fullmatch(path)
    if item:
        return f"{campo_da_trilha(f'{item[1]}.{item[3]}')} ({int(item[2]) + 1}º)"
    return _CAMPOS.get(path, path.replace("_", " ").replace(".", ": ").capitalize())


def alerta(codigo: str, extras: Mapping[str, Any] = _NOTHING) -> str:
    """An alert of the normalisation in words, with what an unread field held where the pedido's extras have it."""
    told = _alerta(codigo)
    nome, _, detalhe = codigo.partition(":")
    sent = as_sent(extras, _ILEGIVEIS.get(nome, detalhe))
    return f"{told.removesuffix('.')} (veio “{sent}”)." if sent and (nome in _ILEGIVEIS or nome == VALOR_DESCONHECIDO) else told


def _alerta(codigo: str) -> str:
    nome, _, detalhe = codigo.partition(":")
    if nome == "observacao_do_pedido_nao_lida":
        return f"“{detalhe}” traz um texto que nenhuma regra lê: leia-o antes de seguir."
    if nome == "campo_nao_lido":
        return f"“{detalhe}” veio com o pedido e não foi lido; confira se muda alguma coisa."
    if nome in _DOCUMENTOS:
        return f"{documento_com_artigo(detalhe).capitalize()} {_DOCUMENTOS[nome]}"
    destino, _, origem = detalhe.partition("<-")
    if nome == "campo_mapeado":
        return f"“{origem}” foi lido como {campo_com_artigo(destino)}."
    if nome == "campo_divergente":
        return f"“{origem}” diz outra coisa que o que foi usado para {campo_com_artigo(destino)}, e ficou de lado."
    if nome == VALOR_DESCONHECIDO:
        return f"Não é um valor conhecido: {campo_com_artigo(detalhe)}."
    return _ALERTAS.get(nome, f"{nome.replace('_', ' ').capitalize()}.")


def falha_do_texto(kind: str) -> str:
    """Why a model's text was dropped."""
    return _FALHAS_DO_TEXTO.get(kind, "não passou na conferência")


def falha_do_modelo(falha: str) -> str:
    """Why there was no answer of a model."""
    return _FALHAS_DO_MODELO.get(falha, "o modelo não pôde ser usado")
