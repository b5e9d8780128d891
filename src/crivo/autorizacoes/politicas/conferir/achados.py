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
# Avisos as they are told: first what lets a pedido be decided otherwise than the document means, the silent ones before those that hold
# it up; last what only leaves a person more to do, or a suggestion away.
MUDAM_DECISAO: Final = (
    "observacao_nao_lida",
    "regra_inalcancavel",
    "sobreposicao_de_vigencia",
    "lacuna_de_vigencia",
    "limite_invalido",
    "documento_desconhecido",
)


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
    """Errors first, by line; then avisos by what they may change, and by line; what is alike in that in the order of the catalogue."""
    return tuple(sorted(achados, key=lambda achado: (_weight(achado), achado.linha or 0)))


def may_change_a_decision(achado: Achado) -> bool:
    """Whether an aviso is of something that lets a pedido be decided otherwise than the document means."""
    return achado.gravidade == "aviso" and achado.codigo in MUDAM_DECISAO


def grouped(achados: Iterable[Achado]) -> tuple[tuple[Achado, ...], ...]:
    """Findings that say the same of several regras together, each group where its first one stood."""
    groups: dict[tuple[str, str, str], list[Achado]] = {}
    for achado in achados:
        said = achado.explicacao.removeprefix(f"{achado.regra} ") if achado.regra else achado.explicacao
        groups.setdefault((achado.gravidade, achado.codigo, said), []).append(achado)
    return tuple([tuple(group) for group in groups.values()])


def _weight(achado: Achado) -> int:
    if achado.gravidade == "erro":
        return 0
    return 1 + (MUDAM_DECISAO.index(achado.codigo) if achado.codigo in MUDAM_DECISAO else len(MUDAM_DECISAO))
