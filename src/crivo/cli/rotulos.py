"""How outcomes and motivos are said on a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

from crivo.autorizacoes.contracts import DecisaoFinal

if TYPE_CHECKING:
    from rich.text import Text


class Rotulo(NamedTuple):
    """A mark, a word and a colour: no meaning rests on the colour alone."""

    marca: str
    palavra: str
    estilo: str


DECISOES: Final[Mapping[DecisaoFinal, Rotulo]] = {
    "APROVADO": Rotulo("✓", "Aprovado", "green"),
    "APROVADO_PARCIAL": Rotulo("◐", "Aprovado em parte", "cyan"),
    "PENDENTE_AJUSTES": Rotulo("!", "Pendente de ajustes", "yellow"),
    "NEGADO": Rotulo("✕", "Negado", "red"),
}

_MOTIVOS: Final[Mapping[str, str]] = {
    "pedido_invalido": "pedido incompleto ou com erro",
    "regra_nao_encontrada": "nenhuma regra para este caso",
    "procedimento_sem_cobertura": "sem cobertura",
    "carencia_nao_cumprida": "carência por cumprir",
    "restricao_idade": "fora da faixa etária",
    "rede_nao_credenciada": "fora da rede credenciada",
    "acima_do_limite_quantitativo": "acima do limite de quantidade",
    "documentacao_pendente": "falta documento",
    "data_pedido_invalida": "data do pedido inválida",
    "data_prevista_invalida": "data prevista inválida",
    "plano_desconhecido": "plano desconhecido",
    "valor_fora_do_dominio": "valor desconhecido",
    "quantidade_invalida": "quantidade inválida",
}


def decisao(final: DecisaoFinal) -> Text:
    """An outcome with its mark, in its colour."""
    from rich.text import Text

    rotulo = DECISOES[final]
    return Text(f"{rotulo.marca} {rotulo.palavra}", style=rotulo.estilo)


def motivos(codigos: Iterable[str]) -> str:
    """Motivos in words, separated by semicolons."""
    return "; ".join(_motivo(codigo) for codigo in codigos)


def _motivo(codigo: str) -> str:
    nome, _, campo = codigo.partition(":")
    if nome == "valor_fora_do_dominio":
        return f"{campo} sem valor conhecido"
    return f"falta {campo}" if nome == "campo_obrigatorio_ausente" else _MOTIVOS.get(nome, codigo)
