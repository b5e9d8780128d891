"""What people read for the values of a recurso, in pt-BR."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.classificacao.resultado import Situacao
from crivo.triagem.palavras import HABILITACAO, number
from crivo.triagem.recursos.contratos import CampoCorrigido, Contra, Desfecho, Mudanca, NotaRevista, Redecidida
from crivo.triagem.recursos.efeito import Onde, Sentido

CONTRA: Final[Mapping[Contra, str]] = {"resultado": "O resultado: notas, cortes, bônus ou cota", "habilitacao": "A decisão de habilitação"}
CONTRA_CURTO: Final[Mapping[Contra, str]] = {"resultado": "Resultado", "habilitacao": "Habilitação"}
DESFECHO: Final[Mapping[Desfecho, Rotulo]] = {
    "provido": Rotulo("Provido", "✓", "aprovado"),
    "parcialmente_provido": Rotulo("Provido em parte", "◐", "parcial"),
    "nao_provido": Rotulo("Não provido", "✕", "negado"),
    "nao_conhecido": Rotulo("Não conhecido", "–", "neutro"),
}
DESFECHO_EXPLICADO: Final[Mapping[Desfecho, str]] = {
    "provido": "Provido: quem recorreu tem razão, e algo muda",
    "parcialmente_provido": "Provido em parte: tem razão em parte, e algo muda",
    "nao_provido": "Não provido: nada muda",
    "nao_conhecido": "Não conhecido: veio fora do prazo, ou não há o que decidir",
}
ABERTO: Final = Rotulo("Espera resposta", "!", "pendente")
SENTIDO: Final[Mapping[Sentido, Rotulo]] = {
    "entra": Rotulo("Entra", "✓", "aprovado"),
    "sai": Rotulo("Sai", "✕", "negado"),
    "move": Rotulo("Muda", "–", "neutro"),
}
SITUACAO: Final[Mapping[Situacao, str]] = {
    "selecionado": "Selecionado",
    "suplente": "Suplente",
    "nao_classificado": "Não classificado",
    "desclassificado": "Desclassificado",
    "inabilitado": "Inabilitado",
    "pendente": "Pendente",
}


def where_said(onde: Onde) -> str:
    """Where a project stands, in a line: `2º lugar, selecionado (AMPLA), nota 82,50`."""
    place = f"{onde.posicao}º lugar, " if onde.posicao is not None else ""
    vaga = f" ({'ampla concorrência' if onde.vaga == 'AMPLA' else onde.vaga})" if onde.vaga else ""
    nota = f", nota {number(onde.nota_final, 2)}" if onde.nota_final is not None else ""
    said = f"{place}{SITUACAO[onde.situacao].lower()}{vaga}{nota}"
    return said[:1].upper() + said[1:]


def change_said(mudanca: Mudanca, criterios: Mapping[str, str], de: str = "") -> str:
    """What an answer changes, in a sentence; `de` is who gave the nota, where that is told: without it, one of several is spoken of."""
    match mudanca:
        case Redecidida(situacao):
            return f"A habilitação passa a ser: {HABILITACAO[situacao].palavra.lower()}."
        case NotaRevista(criterio, _, nota, motivo, era):
            nome, was = criterios.get(criterio, criterio), f", que era {number(era, 2)}," if era is not None else ""
            whose = f"A nota de {nome} dada por {de}" if de else f"Uma das notas de {nome}"
            return f"{whose}{was} passa a {number(nota, 2)}: {motivo}"
        case CampoCorrigido(campo, valor, motivo):
            return f"O campo “{campo}” passa a contar como “{valor}”: {motivo}"
        case _:
            assert_never(mudanca)
