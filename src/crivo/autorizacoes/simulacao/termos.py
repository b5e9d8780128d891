"""What a person feels of a decision whose outcome stays: its motivos, quantity and terms, and what it asks of them; by columns.

Which two regras decided a row is a place among few: what they say is compared once for each such pair, and the rows look it up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import msgspec
import numpy as np
from msgspec import UNSET
from numpy.typing import NDArray

from crivo.autorizacoes import motivos as razoes
from crivo.autorizacoes.contracts import Alternativa, DecisaoFinal, Regra
from crivo.autorizacoes.palavras import OU
from crivo.autorizacoes.politicas.comparacao import CampoMudado
from crivo.autorizacoes.simulacao.avaliacao import DESFECHOS, MOST_ALTERNATIVES, SEM_REGRA, Avaliadas, bit_of
from crivo.autorizacoes.simulacao.colunas import DECLARADAS, SEM_IDADE, Colunas, Inteiros, Logicos

Aspecto = Literal["motivos", "quantidade", "coparticipacao", "validade", "autorizacao_previa", "exigencias"]
ASPECTOS: Final[tuple[Aspecto, ...]] = ("motivos", "quantidade", "coparticipacao", "validade", "autorizacao_previa", "exigencias")
"""What may change while the outcome stays. `exigencias`: for the same motivos, other documents, days, bounds or another code are told."""
_BIT: Final = {aspecto: np.uint8(1 << place) for place, aspecto in enumerate(ASPECTOS)}
_TERMS: Final[tuple[tuple[Aspecto, str], ...]] = (
    ("coparticipacao", "coparticipacao_percentual"),
    ("validade", "prazo_validade_autorizacao_dias"),
    ("autorizacao_previa", "autorizacao_previa"),
)
_NEGADO: Final = DESFECHOS.index("NEGADO")
_LAST_APPROVED: Final = DESFECHOS.index("APROVADO_PARCIAL")
_PENDENTE: Final = DESFECHOS.index("PENDENTE_AJUSTES")
_PLACES: Final = MOST_ALTERNATIVES + 1
Longos: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Sentidas:
    """Of each row the aspects that change, as bits; none where the outcome itself does."""

    bits: NDArray[np.uint8]

    def of(self, aspecto: Aspecto | None) -> Logicos:
        """The rows of which an aspect changes; with None, any."""
        return np.asarray(self.bits != 0 if aspecto is None else (self.bits & _BIT[aspecto]) != 0, np.bool_)


def felt(colunas: Colunas, antes: Avaliadas, depois: Avaliadas) -> Sentidas:
    """What changes of the rows whose outcome stays. Terms are not felt of a denial, which has none."""
    same = antes.desfecho == depois.desfecho
    bits = np.zeros(len(colunas), np.uint8)
    alike = (antes.aprovavel == depois.aprovavel) | (np.isnan(antes.aprovavel) & np.isnan(depois.aprovavel))
    _mark(bits, "motivos", same & (antes.motivos != depois.motivos))
    _mark(bits, "quantidade", same & (antes.desfecho <= _LAST_APPROVED) & ~alike)
    of_before, of_after = _contents(antes, depois)
    other = of_before[antes.regra] != of_after[depois.regra]
    rows = np.flatnonzero(same & other)
    pares, par = _distinct(antes.regra[rows], depois.regra[rows], len(depois.achadas))
    said = _Pares.of([(_regra(antes, before), _regra(depois, after)) for before, after in pares])
    bits[rows] |= np.where(antes.desfecho[rows] == _NEGADO, np.uint8(0), said.termos[par])
    asks = said.asks(colunas, rows, par, antes.motivos[rows], bits[rows]) | _owed(colunas, rows, par, said)
    bits[rows[asks & (antes.motivos[rows] == depois.motivos[rows])]] |= _BIT["exigencias"]
    bits[_other_code(antes, depois, same & (other | (antes.alternativa != depois.alternativa)))] |= _BIT["exigencias"]
    return Sentidas(bits)


def _mark(bits: NDArray[np.uint8], aspecto: Aspecto, where: Logicos) -> None:
    np.bitwise_or(bits, _BIT[aspecto], out=bits, where=where)


def _contents(antes: Avaliadas, depois: Avaliadas) -> tuple[Inteiros, Inteiros]:
    """Of each place of a regra, before and after, a number that is the same only where the whole regra is; the last is of none."""
    known: dict[Regra, int] = {}
    before, after = ([known.setdefault(regra, len(known)) for regra, _ in one.achadas] for one in (antes, depois))
    return np.array([*before, -1], np.int32), np.array([*after, -1], np.int32)


def _distinct(first: NDArray[Any], second: NDArray[Any], many: int) -> tuple[list[tuple[int, int]], Longos]:
    """The pairs that there are, and of each row its place among them; the second of a pair is less than `many`, and -1 at least."""
    size = many + 1
    joined = (first.astype(np.int64) + 1) * size + second + 1
    found, at = np.unique(joined, return_inverse=True)
    return [(one // size - 1, one % size - 1) for one in found.tolist()], at


def _regra(avaliadas: Avaliadas, place: int) -> Regra | None:
    return None if place == SEM_REGRA else avaliadas.achadas[place][0]


# --- what two regras say otherwise


def _required(urgente: bool) -> Callable[[Regra], Any]:
    """The days of carência that RF4 asks for."""

    def required(regra: Regra) -> int:
        urgencia = regra.carencia_urgencia_dias if urgente else None
        return (regra.carencia_min_dias if urgencia is None else urgencia) or 0

    return required


def _way_out(motivo: str) -> Callable[[Regra], str | None]:
    return lambda regra: next((one.instrucao for one in regra.excecoes if one.motivo == motivo), None)


def _ages(regra: Regra) -> tuple[int | None, int | None] | None:
    """The bounds of age, both included; None where there are none."""
    faixa = regra.restricoes_idade
    return None if faixa is None or (faixa.min is None and faixa.max is None) else (faixa.min, faixa.max)


def _used(regra: Regra) -> Any:
    # What counts against a limit may be any code that the regra is for.
    return regra.limites, regra.codigo if regra.limites and any(um.por == "REGRA" for um in regra.limites) else None


_TOLD: Final[tuple[tuple[str, Callable[[Regra], Any]], ...]] = (
    (razoes.CPT, lambda regra: regra.cpt_meses),
    (razoes.IDADE, lambda regra: (_ages(regra), _way_out(razoes.IDADE)(regra))),
    (razoes.SEM_SEXO, lambda regra: regra.sexo),
    (razoes.SEXO, lambda regra: (regra.sexo, _way_out(razoes.SEXO)(regra))),
    (razoes.SEM_VALOR, lambda regra: regra.valor_maximo),
    (razoes.VALOR, lambda regra: regra.valor_maximo),
    (razoes.QUANTIDADE, lambda regra: regra.limite_quantidade),
    (razoes.PERIODO, _used),
    (razoes.ESGOTADO, _used),
)
"""Of each motivo what the regra says of it to whoever reads the decision. Source: RF5, RF6."""
_LIMITS: Final = np.uint32(bit_of(razoes.QUANTIDADE) | bit_of(razoes.PERIODO))
_CARENCIA: Final = bit_of(razoes.CARENCIA)


@dataclass(frozen=True, slots=True)
class _Pares:
    """Of each pair of regras: the terms that differ, the motivos of which they say otherwise (by urgency), and what is told unchecked."""

    regras: Sequence[tuple[Regra | None, Regra | None]]
    termos: NDArray[np.uint8]
    ditos: tuple[NDArray[np.uint32], NDArray[np.uint32]]
    faixa: Logicos
    cpt: Logicos
    documentos: Logicos

    @classmethod
    def of(cls, regras: Sequence[tuple[Regra | None, Regra | None]]) -> _Pares:
        checked = [before is not None and after is not None and _is_checked(before, after) for before, after in regras]
        return cls(
            regras,
            np.array([sum(int(_BIT[one]) for one in _terms(*par)) for par in regras], np.uint8),
            (
                np.array([_said_otherwise(*par, urgente=False) for par in regras], np.uint32),
                np.array([_said_otherwise(*par, urgente=True) for par in regras], np.uint32),
            ),
            _each(regras, checked, _ages),
            _each(regras, checked, lambda regra: regra.cpt_meses is UNSET),
            _each(regras, checked, lambda regra: (regra.documentos_obrigatorios, regra.documentos_alternativos)),
        )

    def asks(self, colunas: Colunas, rows: Longos, par: Longos, motivos: NDArray[np.uint32], felt_bits: NDArray[np.uint8]) -> Logicos:
        """The rows of whose motivos, or of what was not checked, something else is told."""
        said = np.where(colunas.urgencia[rows], self.ditos[1][par], self.ditos[0][par]) & motivos
        # What a limit leaves of an approval is its quantity already.
        said = np.where((felt_bits & _BIT["quantidade"]) != 0, said & ~_LIMITS, said)
        unchecked = (colunas.idade[rows] == SEM_IDADE) & self.faixa[par]
        unchecked |= (colunas.declaradas[rows] == DECLARADAS.index(None)) & self.cpt[par]
        return np.asarray((said != 0) | unchecked, np.bool_)


def _is_checked(before: Regra, after: Regra) -> bool:
    return before.cobertura != "NAO_COBERTA" and after.cobertura != "NAO_COBERTA"


def _each(regras: Sequence[tuple[Regra | None, Regra | None]], checked: Sequence[bool], says: Callable[[Regra], Any]) -> Logicos:
    return np.array(
        [
            is_one and before is not None and after is not None and says(before) != says(after)
            for (before, after), is_one in zip(regras, checked, strict=True)
        ],
        np.bool_,
    )


def _terms(before: Regra | None, after: Regra | None) -> Iterator[Aspecto]:
    for aspecto, campo in _TERMS:
        if _term(before, campo) != _term(after, campo):
            yield aspecto


def _term(regra: Regra | None, campo: str) -> Any:
    said = getattr(regra, campo) if regra is not None else None
    # Not said is no prior authorisation; a percentage or a validity of nothing is another thing than none.
    return bool(said) if campo == "autorizacao_previa" else said


def _said_otherwise(before: Regra | None, after: Regra | None, *, urgente: bool) -> int:
    if before is None or after is None:
        return 0
    found = sum(bit_of(motivo) for motivo, says in _TOLD if says(before) != says(after))
    required = _required(urgente)
    return found | (_CARENCIA if required(before) != required(after) else 0)


# --- the documents that are still owed, and the code that is offered instead


def owed(regra: Regra, anexos: Sequence[str]) -> tuple[str, ...]:
    """The document types that a regra asks for and that did not come; a group of which one is enough is one, joined. Source: RF4."""
    came = frozenset(anexos)
    grupos = [OU.join(grupo) for grupo in regra.documentos_alternativos or () if came.isdisjoint(grupo)]
    return (*[tipo for tipo in regra.documentos_obrigatorios if tipo not in came], *grupos)


def _owed(colunas: Colunas, rows: Longos, par: Longos, said: _Pares) -> Logicos:
    """The rows of which other documents are owed, asked once of each pair of regras and set of documents."""
    asked = np.zeros(len(rows), np.bool_)
    places = np.flatnonzero(said.documentos[par])
    found, at = _distinct(par[places], colunas.conjunto[rows[places]], len(colunas.conjuntos))
    differ = []
    for um, conjunto in found:
        before, after = said.regras[um]
        anexos = colunas.conjuntos[conjunto]
        differ.append(before is not None and after is not None and set(owed(before, anexos)) != set(owed(after, anexos)))
    asked[places] = np.array(differ, np.bool_)[at]
    return asked


def _other_code(antes: Avaliadas, depois: Avaliadas, may: Logicos) -> Longos:
    """The rows that are offered another code than before, in the place of one that is not covered."""
    uncovered = np.uint32(bit_of(razoes.SEM_COBERTURA))
    both = (antes.motivos & depois.motivos & uncovered) != 0
    rows = np.flatnonzero(may & both & (antes.desfecho == _PENDENTE) & (antes.motivos == depois.motivos))
    before, after = (one.regra[rows].astype(np.int64) * _PLACES + one.alternativa[rows] for one in (antes, depois))
    found, at = _distinct(before, after, (len(depois.achadas) + 1) * _PLACES)
    differ = [_offered(antes, one) != _offered(depois, other) for one, other in found]
    return rows[np.array(differ, np.bool_)[at]]


def _offered(avaliadas: Avaliadas, place: int) -> str | None:
    alternativa = _alternativa(avaliadas, *divmod(place, _PLACES))
    return alternativa.codigo if alternativa is not None else None


def _alternativa(avaliadas: Avaliadas, regra: int, chosen: int) -> Alternativa | None:
    return avaliadas.achadas[regra][0].alternativas[chosen - 1] if chosen else None


# --- one row, in full


def changes(colunas: Colunas, antes: Avaliadas, depois: Avaliadas, at: int) -> tuple[CampoMudado, ...]:
    """What a row is told otherwise, field by field: terms where both outcomes have them, and what is asked for the same motivos."""
    return tuple(_changes(colunas, antes, depois, at))


def _changes(colunas: Colunas, antes: Avaliadas, depois: Avaliadas, at: int) -> Iterator[CampoMudado]:
    before, after = (achada and achada[0] for achada in (antes.regra_de(at), depois.regra_de(at)))
    outcomes: tuple[DecisaoFinal, DecisaoFinal] = DESFECHOS[antes.desfecho[at]], DESFECHOS[depois.desfecho[at]]
    quantities = float(antes.aprovavel[at]), float(depois.aprovavel[at])
    if max(int(antes.desfecho[at]), int(depois.desfecho[at])) <= _LAST_APPROVED and quantities[0] != quantities[1]:
        yield CampoMudado("quantidade_aprovada", *[int(one) if one.is_integer() else one for one in quantities])
    if "NEGADO" not in outcomes:
        for _, campo in _TERMS:
            if _term(before, campo) != _term(after, campo):
                yield CampoMudado(campo, _term(before, campo), _term(after, campo))
    if before is None or after is None:
        return
    yield from _asked(colunas, antes, depois, at, before, after)


_FIELDS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("cpt_meses", (razoes.CPT,)),
    ("restricoes_idade", (razoes.IDADE,)),
    ("sexo", (razoes.SEM_SEXO, razoes.SEXO)),
    ("valor_maximo", (razoes.SEM_VALOR, razoes.VALOR)),
    ("limite_quantidade", (razoes.QUANTIDADE,)),
    ("limites", (razoes.PERIODO, razoes.ESGOTADO)),
    ("excecoes", (razoes.IDADE, razoes.SEXO)),
)


def _asked(colunas: Colunas, antes: Avaliadas, depois: Avaliadas, at: int, before: Regra, after: Regra) -> Iterator[CampoMudado]:
    both = int(antes.motivos[at]) & int(depois.motivos[at])
    required = _required(bool(colunas.urgencia[at]))
    if both & _CARENCIA and required(before) != required(after):
        yield CampoMudado("carencia_min_dias", required(before), required(after))
    unchecked = {"restricoes_idade"} if int(colunas.idade[at]) == SEM_IDADE else set()
    if int(colunas.declaradas[at]) == DECLARADAS.index(None):
        unchecked.add("cpt_meses")
    for campo, told in _FIELDS:
        old, new = getattr(before, campo), getattr(after, campo)
        if old != new and (any(both & bit_of(one) for one in told) or (campo in unchecked and _is_checked(before, after))):
            yield CampoMudado(campo, _plain(old), _plain(new))
    if _is_checked(before, after):
        anexos = colunas.conjuntos[colunas.conjunto[at]]
        old, new = owed(before, anexos), owed(after, anexos)
        if set(old) != set(new):
            yield CampoMudado("documentos", old, new)
    offered = [_alternativa(one, int(one.regra[at]), int(one.alternativa[at])) for one in (antes, depois)]
    if both & bit_of(razoes.SEM_COBERTURA) and offered[0] != offered[1]:
        yield CampoMudado("alternativas", *[[msgspec.to_builtins(one)] if one else [] for one in offered])


def _plain(value: Any) -> Any:
    return None if value is UNSET else msgspec.to_builtins(value)
