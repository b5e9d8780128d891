"""Words for what a person reads: outcomes, motivos, agents, authors, times. A code never stands alone on a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Final, NamedTuple

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.palavras import CAMPOS, nome_documento
from crivo.kernel.clock import BRASILIA


class Rotulo(NamedTuple):
    """An outcome as it is shown: a word, a mark, and the name of its style; no meaning rests on the colour alone."""

    palavra: str
    marca: str
    estilo: str


DECISOES: Final[Mapping[DecisaoFinal, Rotulo]] = {
    "APROVADO": Rotulo("Aprovado", "✓", "aprovado"),
    "APROVADO_PARCIAL": Rotulo("Aprovado em parte", "◐", "parcial"),
    "PENDENTE_AJUSTES": Rotulo("Pendente de ajustes", "!", "pendente"),
    "NEGADO": Rotulo("Negado", "✕", "negado"),
}

_MOTIVOS: Final[Mapping[str, str]] = {
    "pedido_invalido": "O pedido não pôde ser avaliado",
    "regra_nao_encontrada": "Nenhuma regra publicada trata deste procedimento, neste plano e nesta data",
    "procedimento_sem_cobertura": "O plano não cobre este procedimento",
    "carencia_nao_cumprida": "A carência ainda não foi cumprida",
    "restricao_idade": "A idade está fora da faixa da regra",
    "rede_nao_credenciada": "O prestador não é da rede credenciada",
    "acima_do_limite_quantitativo": "A quantidade pedida passa do limite da regra",
    "documentacao_pendente": "Faltam documentos",
    "data_pedido_invalida": "A data do pedido não existe ou não pôde ser lida",
    "data_prevista_invalida": "A data prevista não existe ou não pôde ser lida",
    "plano_desconhecido": "O plano não é um dos que a administradora declara",
    "valor_fora_do_dominio": "O valor não é um dos conhecidos",
    "quantidade_invalida": "A quantidade não é um número maior que zero",
}
_CAMPOS: Final[Mapping[str, str]] = {
    **CAMPOS,
    "beneficiario.idade": "a idade do beneficiário",
    "beneficiario.data_nascimento": "a data de nascimento",
    "beneficiario.carencia_cumprida_dias": "a carência cumprida",
    "beneficiario.preexistencias": "as doenças preexistentes",
    "procedimento.tabela": "a tabela do procedimento",
    "procedimento.descricao": "a descrição do procedimento",
    "solicitante.tipo": "o tipo de solicitante",
    "prestador.tipo": "o tipo de prestador",
    "documentos_anexos": "os documentos anexados",
    "documentos_anexos.status": "a situação de um documento",
    "documentos_anexos.validade": "a validade de um documento",
}
_DOCUMENTO: Final = re.compile(r"(Anexar|Apresentar) o documento (\S+)")
_CORRECAO: Final = re.compile(r"Informar ([a-z_.]+) corretamente")
_CREDENCIADO: Final = "Alterar o prestador para CREDENCIADO"

ETAPAS: Final[Mapping[str, str]] = {
    "pedido": "Pedido recebido",
    "normalizacao": "Normalização",
    "parametros": "Parâmetros",
    "consulta": "Consulta às regras",
    "avaliacao": "Avaliação",
    "ajustes": "Ajustes",
    "sintese": "Síntese",
}
AUTORES: Final[Mapping[str, str]] = {"codigo": "Código", "modelo": "Modelo", "pessoa": "Pessoa"}


def motivo(codigo: str) -> str:
    """A motivo in words."""
    nome, _, alvo = codigo.partition(":")
    if nome == "campo_obrigatorio_ausente":
        return f"Falta informar {campo(alvo)}"
    if nome == "valor_fora_do_dominio" and alvo:
        return f"Não se entende {campo(alvo)}"
    return _MOTIVOS.get(nome, nome.replace("_", " ").capitalize())


def campo(path: str) -> str:
    """A field of the pedido with its article: 'a data do pedido'."""
    return _CAMPOS.get(path, f"“{path}”")


def campo_do_pedido(path: str) -> str:
    """A field of the pedido without its article, "data do pedido"; empty where a pedido has none of that name."""
    return _CAMPOS[path].partition(" ")[2] if path in _CAMPOS else ""


def condicao(texto: str) -> str:
    """A condition with the names of documents and fields in words."""
    if documento := _DOCUMENTO.fullmatch(texto):
        return f"{documento[1]}: {nome_documento(documento[2])}"
    if correcao := _CORRECAO.fullmatch(texto):
        return f"Informar corretamente {campo(correcao[1])}"
    return "Escolher um prestador da rede credenciada" if texto == _CREDENCIADO else texto


def date_time(instant: datetime) -> str:
    """An instant as it is told in Brasília: 20/11/2026 14:05."""
    return instant.astimezone(BRASILIA).strftime("%d/%m/%Y %H:%M")


def microseconds(value: int) -> str:
    """A duration: 1.234 µs."""
    return f"{value:,} µs".replace(",", ".")
