"""The words of the pages of a result."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Final

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.classificacao.definicao import AMPLA, TODAS
from crivo.triagem.classificacao.numeros import nota_said
from crivo.triagem.classificacao.publicado import FaseDoResultado, LugarPublicado
from crivo.triagem.classificacao.resultado import Situacao
from crivo.triagem.palavras import number, shown
from crivo.triagem.publicacao.guardados import Publicada
from crivo.triagem.publicacao.movimentos import Movimento

FASE: Final[Mapping[FaseDoResultado, str]] = {"preliminar": "preliminar", "final": "final"}
ROTULO: Final[Mapping[Situacao, Rotulo]] = {
    "selecionado": Rotulo("Selecionado", "✓", "aprovado"),
    "suplente": Rotulo("Suplente", "○", "parcial"),
    "nao_classificado": Rotulo("Não classificado", "–", "neutro"),
    "desclassificado": Rotulo("Desclassificado", "!", "pendente"),
    "inabilitado": Rotulo("Inabilitado", "✕", "negado"),
    "pendente": Rotulo("Pendente", "◐", "pendente"),
}
MOVIMENTO: Final[Mapping[Movimento, tuple[str, str]]] = {
    "entrou": ("Entrou", "sobe"),
    "saiu": ("Saiu", "desce"),
    "situacao": ("Outra situação", "comparar"),
    "vaga": ("Outra vaga", "comparar"),
    "nota": ("Outra nota", "balanca"),
    "subiu": ("Subiu", "sobe"),
    "desceu": ("Desceu", "desce"),
    "novo": ("Não estava", "mais"),
    "sumiu": ("Não está mais", "nada"),
}
PLURAL: Final[Mapping[Movimento, str]] = {
    "entrou": "Entraram",
    "saiu": "Saíram",
    "situacao": "Outra situação",
    "vaga": "Outra vaga",
    "nota": "Outra nota",
    "subiu": "Subiram",
    "desceu": "Desceram",
    "novo": "Não estavam",
    "sumiu": "Não estão mais",
}


def categoria_said(categoria: str) -> str:
    """A category as a tab names it."""
    return "Todas as categorias" if categoria == TODAS else shown(categoria) or "Sem categoria"


def vaga_said(vaga: str | None) -> str:
    """A kind of vaga; empty where there is none."""
    return "" if vaga is None else "Ampla concorrência" if vaga == AMPLA else f"Cota {shown(vaga)}"


def points_of(value: Decimal | int | None) -> str:
    """A nota as it is shown, empty where a rule before took it away."""
    return "" if value is None else nota_said(Decimal(value))


def place_of(lugar: LugarPublicado | None) -> str:
    """`5º`, or a dash."""
    return f"{number(lugar.posicao)}º" if lugar is not None and lugar.posicao is not None else "–"


def version_said(publicada: Publicada) -> str:
    """`versão 2, preliminar`."""
    return f"versão {number(publicada.versao)}, {FASE[publicada.fase]}"
