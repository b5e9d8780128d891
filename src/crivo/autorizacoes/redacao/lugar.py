"""A place in a text where something is said, and how it is said there: denied, supposed, reported, of the rest."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from crivo.autorizacoes.palavras import nome_documento
from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.insumos import Campo, Falha
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.kernel.linguagem.dobra import fold_letters
from crivo.kernel.linguagem.numeros import find_numeros

_NEGATED_WITHIN: Final = 25  # letters before a claim in which a denial denies it, its own among them
_DENIED_WITHIN: Final = 52
_SUPPOSED_WITHIN: Final = 72
_REPORTED_WITHIN: Final = 55
_STOPS: Final = re.compile(r"[.;]")
_STOPS_OF_CLAUSE: Final = re.compile(r"[.;,]")


class Lugar:
    """A claim at a place of a text about a decision; `folded` is the text as the claim is sought in it."""

    def __init__(self, pagina: Pagina, folded: str, fatos: Fatos, campo: Campo, start: int, end: int) -> None:
        self.pagina, self.folded, self.fatos, self.campo, self.start, self.end = pagina, folded, fatos, campo, start, end

    def fault(self, porque: str, falha: Falha = "resultado") -> Achado:
        """What is said here as a fault."""
        return Achado(falha, self.pagina.quote((self.start, self.end)), porque)

    @property
    def said(self) -> str:
        """The words of the claim."""
        return self.folded[self.start : self.end]

    @cached_property
    def before(self) -> str:
        """The sentence up to here."""
        return self.folded[self.pagina.sentence_at(self.start)[0] : self.start]

    @cached_property
    def before_in_clause(self) -> str:
        """The clause up to here, with the mark that opens it."""
        left = max(self.pagina.sentence_at(self.start)[0], self.pagina.clause_at(self.start)[0] - 1)
        return self.folded[left : self.start]

    @cached_property
    def sentence(self) -> str:
        """The whole sentence."""
        return self.folded[slice(*self.pagina.sentence_at(self.start))]

    @cached_property
    def clause(self) -> str:
        """The whole clause."""
        return self.folded[slice(*self.pagina.clause_at(self.start))]

    def near(self, letters: int) -> str:
        """The last letters before, of the same clause."""
        return _tail(self.before, letters, _STOPS_OF_CLAUSE)

    @cached_property
    def nomeia_o_que_falta(self) -> bool:
        """Every document owed is named before."""
        told = self.folded[: self.start]
        pendentes = self.fatos.pendentes
        return bool(pendentes) and all(tipo.lower() in told or fold_letters(nome_documento(tipo)) in told for tipo in pendentes)

    # --- modality

    @property
    def negado(self) -> bool:
        """A denial stands close before."""
        return LEXICO.has("negacao", self.near(_NEGATED_WITHIN))

    @property
    def negado_na_oracao(self) -> bool:
        """A denial of any kind stands before in the same clause."""
        return LEXICO.has("negacao_larga", _tail(self.before_in_clause, _DENIED_WITHIN, _STOPS))

    @property
    def suposto(self) -> bool:
        """It is said of some case only, or of what may be."""
        return LEXICO.has("hipotese", _tail(self.before, _SUPPOSED_WITHIN, _STOPS))

    @property
    def relatado(self) -> bool:
        """It is what a document would say."""
        return LEXICO.has("relato", self.near(_REPORTED_WITHIN))

    @property
    def em_aberto(self) -> bool:
        """It is not told as so: denied, supposed or reported."""
        return self.negado or self.suposto or self.relatado

    @property
    def do_resto(self) -> bool:
        """It speaks of what an approval in part leaves out."""
        fatos = self.fatos
        left, right = self.pagina.sentence_at(self.start)[0], self.pagina.clause_at(self.start)[1]
        until_here = self.folded[left:right]
        counted = LEXICO.begins("uma_recusa_e_quantas", self.folded, self.start)
        refused = [numero.value for numero in find_numeros(self.folded[: counted.end()]) if numero.end == counted.end()] if counted else []
        if refused and fatos.insumos.quantidade is not None:
            return refused[-1] == fatos.insumos.quantidade - (fatos.detalhe.quantidade_aprovada or 0)
        others = fatos.quantidades - {fatos.detalhe.quantidade_aprovada}
        named = any(numero.value in others for numero in find_numeros(until_here))
        return fatos.final == "APROVADO_PARCIAL" and (LEXICO.has("resto", until_here) or named)


def _tail(text: str, length: int, stops: re.Pattern[str]) -> str:
    """The last letters of a text, from the last mark on."""
    return stops.split(text)[-1][-length:]
