"""What people read of cases, in pt-BR."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.casos.achado import Gravidade
from crivo.triagem.casos.guardados import SUMIDO, Caso, SituacaoCaso
from crivo.triagem.irregularidades.sinais import SINAL_DE

GRAVIDADE: Final[Mapping[Gravidade, str]] = {"grave": "grave", "media": "média", "leve": "leve"}
SITUACAO_CASO: Final[Mapping[SituacaoCaso, Rotulo]] = {
    "aberto": Rotulo("Em aberto", "○", "pendente"),
    "confirmado": Rotulo("Confirmado", "!", "negado"),
    "descartado": Rotulo("Descartado", "–", "neutro"),
}
CASOS_DE: Final[Mapping[str, str]] = {
    "aberto": "Em aberto",
    "confirmado": "Confirmados",
    "descartado": "Descartados",
    SUMIDO: "Não aparecem mais",
}
"""Of a filter: the cases of a situação."""
NAO_APARECE: Final = "Não aparece mais na última triagem"


def mudou_said(caso: Caso) -> str:
    """What came to a case since it was decided: `Depois da decisão apareceu mais: Texto oculto, P014.`; empty where nothing did."""
    said = [SINAL_DE[one].palavra if one in SINAL_DE else one for one in caso.mudou]
    return f"Depois da decisão apareceu mais: {_listed(said)}. Confira se ela ainda vale." if said else ""


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} e {words[-1]}"
