"""What people read for the values of screening: words in pt-BR, numbers and dates in Brazilian form, masked identifiers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Final

from crivo.kernel.linguagem.identificadores import CPF_DIGITS, digits_of, format_cnpj, is_cnpj, mask_cpfs, masked_cpf
from crivo.kernel.rotulo import Rotulo
from crivo.triagem.achados import (
    Autor,
    HabilitacaoSugerida,
    ItemHabilitacao,
    Motivo,
    NotaSugerida,
    Situacao,
    SituacaoNota,
    Status,
    Tipo,
)
from crivo.triagem.edital import Fase
from crivo.triagem.media import Media

DECISAO_HUMANA: Final = "Sugestão para quem analisa: a decisão final é humana."
MODELO_SIMULADO: Final = "modelo simulado"
SEM_MODELO: Final = "Sem modelo: leitura assistida."
SINAL: Final = "Um sinal para verificar, nunca um veredito."

HABILITACAO: Final[Mapping[HabilitacaoSugerida, Rotulo]] = {
    "habilitado": Rotulo("Habilitado", "✓", "aprovado"),
    "inabilitado": Rotulo("Inabilitado", "✕", "negado"),
    "pendencia": Rotulo("Pendência", "!", "pendente"),
}
SITUACAO: Final[Mapping[Situacao, Rotulo]] = {
    "atende": Rotulo("Atende", "✓", "aprovado"),
    "nao_atende": Rotulo("Não atende", "✕", "negado"),
    "nao_lido": Rotulo("Não foi possível ler", "?", "parcial"),
}
_NAO_PEDIDO: Final = Rotulo("Não se pede", "–", "neutro")
MOTIVO: Final[Mapping[Motivo, str]] = {
    "documento_ausente": "Documento ausente",
    "documento_vencido": "Documento vencido",
    "documento_tipo_errado": "Documento de outro tipo",
    "documento_vazio": "Documento em branco",
    "documento_corrompido": "Arquivo danificado",
    "documento_protegido": "Arquivo protegido por senha",
    "documento_repetido": "Mesmo arquivo em dois requisitos",
    "documento_de_terceiro": "Documento em nome de outra pessoa",
    "formato_nao_aceito": "Formato não aceito",
    "condicao_nao_atendida": "Condição não atendida",
}
TIPO: Final[Mapping[Tipo, str]] = {
    "habilitacao": "Habilitação",
    "avaliacao": "Avaliação",
    "irregularidades": "Irregularidades",
    "completa": "Triagem completa",
}
STATUS: Final[Mapping[Status, Rotulo]] = {
    "em_andamento": Rotulo("Em andamento", "◐", "parcial"),
    "concluida": Rotulo("Concluída", "✓", "aprovado"),
    "erro": Rotulo("Interrompida por um erro", "✕", "negado"),
    "cancelada": Rotulo("Cancelada", "–", "pendente"),
}
AUTOR: Final[Mapping[Autor, str]] = {"codigo": "Código", "modelo": "Modelo de linguagem", "pessoa": "Pessoa"}
FASE: Final[Mapping[Fase, str]] = {"habilitacao": "Habilitação", "avaliacao": "Avaliação"}

CAMPOS: Final[Mapping[str, str]] = {
    "titulo": "título",
    "resumo": "resumo",
    "descricao_tecnica": "descrição técnica",
    "orcamento_itens": "orçamento",
    "cronograma_etapas": "cronograma",
    "banco": "dados bancários",
    "cpf": "CPF",
    "cnpj": "CNPJ",
    "endereco": "endereço",
    "email": "e-mail",
    "dominio_email": "domínio do e-mail",
    "arquivo": "arquivo",
}
SITUACAO_NOTA: Final[Mapping[SituacaoNota, str]] = {
    "sugerida": "Sugerida",
    "sem_evidencia": "Sem evidência",
    "abstencao": "Absteve-se",
    "falhou": "Sem resposta",
}
# A share is easy to take for more than it is: a word beside it says what to make of it.
_CONFIANCAS: Final[tuple[tuple[Decimal, str], ...]] = ((Decimal("0.8"), "alta"), (Decimal("0.5"), "média"), (Decimal("0.01"), "baixa"))

_SWAP: Final = str.maketrans(",.", ".,")

# What would turn the direction of the page's own words, or drive whatever shows them.
_UNSAFE: Final = dict.fromkeys(
    [*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), *range(0x202A, 0x202F), *range(0x2066, 0x206A)], "\N{REPLACEMENT CHARACTER}"
)


def yes_no(value: bool) -> str:
    """Sim or Não."""
    return "Sim" if value else "Não"


def number(value: Decimal | float, places: int | None = None) -> str:
    """A number in Brazilian form: `1.250` and `7,5`; with `places`, that many after the comma."""
    if places is not None:
        return f"{value:,.{places}f}".translate(_SWAP)
    text = f"{value:,.10f}".rstrip("0").rstrip(".")
    return text.translate(_SWAP)


def situation_of(item: ItemHabilitacao) -> Rotulo:
    """How a requisito stands with a project, where one that is not asked of it is told apart."""
    return SITUACAO[item.situacao] if item.pedido else _NAO_PEDIDO


def count(value: int, one: str, many: str) -> str:
    """A number with its noun in agreement: `1 projeto`, `1.200 projetos`, `0 projetos`."""
    return f"{number(value)} {one if value == 1 else many}"


def lacking_said(notas: int, habilitacoes: int) -> str:
    """How many critérios and habilitações have no good answer of a model; empty where all have one."""
    said = []
    if notas:
        said.append(count(notas, "nota ficou sem uma boa resposta do modelo", "notas ficaram sem uma boa resposta do modelo"))
    if habilitacoes:
        said.append(f"a habilitação de {count(habilitacoes, 'projeto', 'projetos')} ficou sem a leitura de um documento pelo modelo")
    return " e ".join(said)[:1].upper() + " e ".join(said)[1:]


def percent(share: float, places: int = 0) -> str:
    """A share of 0 to 1 as a percentage: `41%`."""
    return f"{number(share * 100, places)}%"


def confianca(value: Decimal) -> str:
    """A confiança as a word and its number, 0 to 1: `alta (0,92)`; `nenhuma (0,00)`."""
    word = next((word for least, word in _CONFIANCAS if value >= least), "nenhuma")
    return f"{word} ({number(value, 2)})"


def modelo_name(nota: NotaSugerida) -> str:
    """Who wrote a suggestion: the model's name, or that code played its part."""
    return MODELO_SIMULADO if nota.simulado else nota.modelo


def nota_reason(nota: NotaSugerida) -> str:
    """Why there is no nota, or why it is not to be leaned on: `Absteve-se: …`; what was noted of one that stands, or nothing."""
    if nota.situacao == "sugerida":
        return nota.observacao
    word = SITUACAO_NOTA[nota.situacao]
    return f"{word}: {nota.observacao}" if nota.observacao else word


def nota_said(nota: NotaSugerida) -> str:
    """A suggested nota in a few words: `7,50`, `7,50 (sem evidência)`, `Absteve-se: …`."""
    if nota.nota_sugerida is None:
        return nota_reason(nota)
    said = number(nota.nota_sugerida, 2)
    return said if nota.situacao == "sugerida" else f"{said} ({SITUACAO_NOTA[nota.situacao].lower()})"


def spent_said(custo: Decimal, sem_preco: int) -> str:
    """What a run has cost so far, and how many of its calls have a price that is not known."""
    unknown = count(sem_preco, "chamada tem preço desconhecido", "chamadas têm preço desconhecido")
    if not custo and sem_preco:
        return f"Custo desconhecido: {unknown}"
    return f"Custo: US$ {number(custo, 2 if custo >= 1 else 4)}" + (f", e {unknown}" if sem_preco else "")


def price_said(modelo: str, simulado: bool, chamadas: int, custo: Decimal | None) -> str:
    """What some calls to a model would cost, in a sentence."""
    if not modelo:
        return "Custo zero: nenhum modelo está configurado, e tudo é feito por código."
    if not chamadas:
        return "Custo zero: não há nada novo a perguntar ao modelo."
    asked = count(chamadas, "chamada", "chamadas")
    if simulado:
        return f"Custo zero: as notas são de um modelo simulado, em {asked}: nenhum modelo de verdade é consultado."
    if custo is None:
        return f"Custo desconhecido: até {asked} a {modelo}, cujo preço não se conhece aqui."
    return f"Custo estimado: até US$ {number(custo, 2 if custo >= 1 else 4)}, em {asked} a {modelo}."


def waiting_said(perguntas: int, respondidas: int, enviado: str, ate: str) -> str:
    """What lotes that are not back wait for; `enviado` and `ate` are instants in words, empty where nothing has left yet."""
    if not enviado:
        return "Em lote: preparando o que será enviado ao provedor."
    answered = f"{number(respondidas)} de {count(perguntas, 'pergunta respondida', 'perguntas respondidas')}"
    return f"Em lote: enviado em {enviado}, aguardando o provedor ({answered}). A resposta vem até {ate}."


def lote_price_said(custo: Decimal | None) -> str:
    """What the same costs in lotes, in a sentence."""
    price = f": até US$ {number(custo, 2 if custo >= 1 else 4)}" if custo is not None else ""
    return f"Em lote, mais barato e sem pressa{price}, em até 24 horas."


def media_said(media: Media) -> str:
    """The mean of a project, and whether it is of all its critérios."""
    if media.valor is None:
        return "Sem nota sugerida"
    said = number(media.valor, 2)
    if media.parcial:
        return f"Média parcial: {said}, de {number(media.com_nota)} dos {count(media.criterios, 'critério', 'critérios')}"
    return f"Média sugerida: {said}"


def day(value: date) -> str:
    """A date as Brazilians write it: `20/11/2026`."""
    return f"{value:%d/%m/%Y}"


def moment(value: datetime) -> str:
    """A moment to the minute: `20/11/2026 às 14h05`."""
    return f"{value:%d/%m/%Y às %Hh%M}"


def identifier(cpf_cnpj: str) -> str:
    """A CNPJ in full, as it is public; a CPF with its middle alone: `***.456.789-**`; anything else unreadable by people."""
    if not cpf_cnpj.strip():
        return ""
    if is_cnpj(cpf_cnpj):
        return format_cnpj(cpf_cnpj)
    return masked_cpf(cpf_cnpj) if len(digits_of(cpf_cnpj)) == CPF_DIGITS else "***"


def shown(text: str) -> str:
    """What an applicant wrote, as pages show it: CPFs masked, and nothing in it that turns or hides what stands around it."""
    return mask_cpfs(text).translate(_UNSAFE)
