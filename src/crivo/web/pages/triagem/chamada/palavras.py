"""The words in which an edital is written and read on pages."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Final

import msgspec

from crivo.triagem.chamadas.mudancas import Parte
from crivo.triagem.edital import (
    Condicao,
    EmitidoNoMaximoDiasAntes,
    FaseDatada,
    Inscricoes,
    Momento,
    Nivel,
    Operador,
    OrcamentoDetalhado,
    ValidoEm,
)
from crivo.web.pages.formatos import dia, numero
from crivo.web.pages.triagem.chamada.valores import show_levels, show_valor

OPERADOR: Final[Mapping[Operador, str]] = {
    "igual": "é igual a",
    "diferente": "é diferente de",
    "em": "é um destes",
    "minimo": "é no mínimo",
    "maximo": "é no máximo",
    "existe": "está preenchido",
}
MOMENTO: Final[Mapping[Momento, str]] = {
    "habilitacao": "Habilitação",
    "diligencia": "Diligência",
    "avaliacao": "Avaliação",
    "resultado_preliminar": "Resultado preliminar",
    "recursos": "Recursos",
    "resultado_final": "Resultado final",
}
ORDEM: Final[Mapping[str, str]] = {
    "habilitacao,avaliacao": "Habilitação, depois avaliação",
    "avaliacao,habilitacao": "Avaliação, depois habilitação",
    "habilitacao": "Só habilitação",
    "avaliacao": "Só avaliação",
}
ORCAMENTO: Final[Mapping[OrcamentoDetalhado, str]] = {
    "exigir": "Pede itens, que são comparados",
    "avisar": "Pede itens, e só se avisa",
    "nao": "Não pede itens",
}
VALIDADE: Final[Mapping[str, str]] = {
    "": "Não importa",
    "valido_em": "Deve estar válido na data",
    "emitido_no_maximo_dias_antes": "Deve ter sido emitido há poucos dias",
}
PARTE: Final[Mapping[Parte, str]] = {
    "edital": "Dados do edital",
    "categorias": "Categorias",
    "fases": "Fases",
    "classificacao": "Classificação",
    "documentos_proprios": "Tipo de documento",
    "requisitos": "Requisito",
    "criterios": "Critério",
}
CAMPO: Final[Mapping[str, str]] = {
    "nome": "Nome",
    "objetivo": "Objetivo",
    "texto": "Texto do edital",
    "orgao": "Órgão",
    "inscricoes": "Inscrições",
    "ordem_fases": "Ordem das fases",
    "orcamento_detalhado": "Orçamento",
    "data_referencia": "Data de referência",
    "nota_antes_da_dica": "Nota antes da sugestão",
    "amostras": "Leituras de um modelo",
    "fases": "Fases",
    "categorias": "Categorias",
    "palavras": "Palavras que o mostram",
    "palavras_de_outro": "Palavras de outro documento",
    "clausula": "Cláusula",
    "descricao": "Descrição",
    "documento": "Documento",
    "formatos": "Formatos",
    "obrigatorio": "Obrigatório",
    "eliminatorio": "Eliminatório",
    "em_nome_do_proponente": "Em nome do proponente",
    "validade": "Validade",
    "quando": "Só se pede quando",
    "campo": "Campo",
    "operador": "Comparação",
    "valor": "Valor",
    "peso": "Peso",
    "nota_min": "Menor nota",
    "nota_max": "Maior nota",
    "niveis": "Níveis",
    "ordem": "Ordem",
}
# What is kept as a word of the file and read as words of people.
_NOMES: Final[Mapping[str, str]] = {"habilitacao": "habilitação", "avaliacao": "avaliação"} | {
    nome: words for known in (OPERADOR, ORCAMENTO) for nome, words in known.items()
}
_LONGEST: Final = 200


def condition_in_words(condicao: Condicao) -> str:
    """A condition as it is read: `municipio é um destes: Caucaia; Sobral`."""
    said = f"{condicao.campo} {OPERADOR[condicao.operador]}"
    return said if condicao.operador == "existe" else f"{said}{':' if condicao.operador == 'em' else ''} {show_valor(condicao.valor)}"


def in_words(value: Any, nomes: Mapping[str, str]) -> str:
    """A value of an edital as people read it; `nomes` are those of the types of document."""
    if value is None or value in ("", ()):
        return "nada"
    if isinstance(value, tuple | list):
        return "; ".join(in_words(one, nomes) for one in value)
    if isinstance(value, msgspec.Struct):
        return _part_in_words(value)
    if isinstance(value, bool):
        return "sim" if value else "não"
    if isinstance(value, date):
        return dia(value)
    if isinstance(value, Decimal | int | float):
        return numero(value)
    text = str(value)
    return nomes.get(text) or _NOMES.get(text) or (text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…")


def _part_in_words(value: msgspec.Struct) -> str:
    match value:
        case Condicao():
            return condition_in_words(value)
        case Inscricoes(inicio=inicio, fim=fim):
            return f"de {dia(inicio)} a {dia(fim)}"
        case FaseDatada(fase=fase, inicio=inicio, fim=fim):
            return f"{MOMENTO[fase]} {dia(inicio)}" + (f" a {dia(fim)}" if fim else "")
        case ValidoEm(data=data):
            return "válido " + (f"em {dia(data)}" if data else "na data de referência")
        case EmitidoNoMaximoDiasAntes(dias=dias, data=data):
            return f"emitido até {dias} dias antes " + (f"de {dia(data)}" if data else "da data de referência")
        case Nivel():
            return show_levels((value,))
        case _:
            return ""
