"""Cases in a line beside their project, wherever it is listed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from crivo.triagem.casos.guardados import CasoResumido
from crivo.triagem.casos.palavras import GRAVIDADE, SITUACAO_CASO
from crivo.triagem.palavras import count


@dataclass(frozen=True, slots=True)
class CasoMarca:
    """A case in a line beside its project."""

    numero: int
    endereco: str
    titulo: str
    grau: str
    gravidade: str
    situacao: str


@dataclass(frozen=True, slots=True)
class CasosMarca:
    """The cases of a project: in words (`2 casos, 1 em aberto`), how grave the gravest is that waits to be decided, what a line of a list
    says beside that, where it has room for a word, and each of them. `explica` says what they mean to whoever only judges.
    """

    dito: str
    curto: str
    grau: str
    gravidade: str
    casos: tuple[CasoMarca, ...]
    explica: str

    @classmethod
    def of(cls, edital_id: str, casos: Sequence[CasoResumido]) -> CasosMarca | None:
        """Those of a project; None where it has none."""
        if not casos:
            return None
        waiting = [one for one in casos if one.pendente]
        worst = (waiting or casos)[0]  # they come the gravest first
        many = count(len(casos), "caso", "casos")
        curto = many if not waiting else f"×{len(casos)}" if len(casos) > 1 else ""
        dito = many + (f", {len(waiting)} em aberto" if waiting else "")
        if len(casos) == 1:
            dito = f"1 caso, {_stands(casos[0])}"
        lines = [
            CasoMarca(one.numero, caso_address(edital_id, one.numero), one.titulo, one.gravidade, GRAVIDADE[one.gravidade], _stands(one))
            for one in casos
        ]
        grave = GRAVIDADE[worst.gravidade] if waiting else ""
        return cls(dito, curto, worst.gravidade if waiting else "", grave, tuple(lines), _explained(casos))


def caso_address(edital_id: str, numero: int) -> str:
    """Where a case is read and decided."""
    return f"/admin/editais/{quote(edital_id, safe='')}/casos/{numero}"


def _explained(casos: Sequence[CasoResumido]) -> str:
    if any(one.pendente for one in casos):
        return "A triagem pede um olhar aqui; sinal não é prova."
    if any(one.situacao == "confirmado" for one in casos):
        return "A gestão do edital olhou o que a triagem apontou, e confirmou."
    return "A gestão do edital olhou o que a triagem apontou, e descartou."


def _stands(caso: CasoResumido) -> str:
    said = SITUACAO_CASO[caso.situacao].palavra.lower()
    return f"{said}, com algo novo" if caso.pendente and caso.situacao != "aberto" else said
