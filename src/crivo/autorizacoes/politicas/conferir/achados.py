"""What a conferência finds, and how it counts. Source: design, "The workbench"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

from crivo.autorizacoes.contracts import DecisaoFinal, Value

Gravidade = Literal["erro", "aviso"]
Codigo = Literal[
    "regras_conflitantes",
    "regra_inalcancavel",
    "lacuna_de_vigencia",
    "sobreposicao_de_vigencia",
    "teto_legal_carencia",
    "cpt_acima_da_lei",
    "limite_invalido",
    "faixa_etaria_vazia",
    "condicional_sem_condicao",
    "alternativa_nao_coberta",
    "documento_desconhecido",
    "observacao_nao_lida",
    "procedimento_sem_regra",
]
TITULOS: Final[Mapping[str, str]] = {
    "regras_conflitantes": "Duas regras dizem coisas diferentes",
    "regra_inalcancavel": "Regra que nunca é usada",
    "lacuna_de_vigencia": "Dias sem regra entre duas versões",
    "sobreposicao_de_vigencia": "Dois documentos valem ao mesmo tempo",
    "teto_legal_carencia": "Carência acima do que a lei permite",
    "cpt_acima_da_lei": "Espera por doença preexistente acima da lei",
    "limite_invalido": "Limite que não serve",
    "faixa_etaria_vazia": "Faixa de idade em que ninguém cabe",
    "condicional_sem_condicao": "Cobertura condicional sem condição",
    "alternativa_nao_coberta": "Alternativa sem cobertura",
    "documento_desconhecido": "Documento que ninguém conhece",
    "observacao_nao_lida": "Frase das observações que não foi lida",
    "procedimento_sem_regra": "Códigos pedidos e sem regra",
}


class Resultado(Value, frozen=True, gc=False):
    """What the example gets: under the documents as they stand, or (`sob` names it) as if only that regra were there."""

    sob: str
    decisao_final: DecisaoFinal
    quantidade_aprovada: int | float | None
    motivos: tuple[str, ...]


class Achado(Value, frozen=True, gc=False, kw_only=True):
    """One finding. `linha` counts from 1, None where there is no file; `exemplo` is a pedido that can be sent as it is.

    Without any field of `exemplo` it would not show what `explicacao` says; None where no pedido can show it.
    """

    codigo: str
    gravidade: Gravidade
    regra: str | None
    linha: int | None
    explicacao: str
    exemplo: dict[str, Any] | None
    resultados: tuple[Resultado, ...] = ()

    @property
    def titulo(self) -> str:
        """The finding in a few words; one of the document's own reading is told by its explanation."""
        return TITULOS.get(self.codigo, "O documento não pôde ser lido por inteiro")


def erros(achados: Iterable[Achado]) -> list[Achado]:
    """Those that stand in the way of a publication."""
    return [achado for achado in achados if achado.gravidade == "erro"]


def ordered(achados: Sequence[Achado]) -> tuple[Achado, ...]:
    """Errors first, then by line; what is of one line stays in the order of the catalogue."""
    return tuple(sorted(achados, key=lambda achado: (achado.gravidade != "erro", achado.linha or 0)))
