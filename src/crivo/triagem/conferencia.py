"""A result held against an answer key: what screening found right, what it missed, and what it flagged for nothing.

The key has the shape of the JSON export, with only what its author knows: fields that are left out are not compared.
Source: interfaces, `crivo triagem avaliar`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec

from crivo.kernel.taxas import Taxa, taxa
from crivo.triagem.achados import HabilitacaoSugerida, Irregularidade, Motivo, ProjetoTriado, Resultado, Situacao, TipoIrregularidade
from crivo.triagem.edital import Value
from crivo.triagem.irregularidades.sinais import SINAIS, SINAL_DE


class ItemEsperado(Value, frozen=True):
    """What a requisito should come to; `motivo` is compared only where it is not met."""

    requisito: str
    situacao: Situacao
    motivo: Motivo | None = None


class ProjetoEsperado(Value, frozen=True):
    """What a project should come to."""

    projeto_id: str
    itens: tuple[ItemEsperado, ...] = ()
    habilitacao_sugerida: HabilitacaoSugerida | None = None
    docs_completos: bool | None = None


class IrregularidadeEsperada(Value, frozen=True):
    """What should be flagged; `arquivo` and `campo` are compared where they are given."""

    tipo: TipoIrregularidade
    projetos: tuple[str, ...]
    arquivo: str | None = None
    campo: str | None = None

    def __post_init__(self) -> None:
        if self.tipo not in SINAL_DE:
            raise ValueError(f"no sign of this kind: {self.tipo}")


class Gabarito(Value, frozen=True):
    """An answer key. A kind of irregularity that it does not name at all is not judged."""

    projetos: tuple[ProjetoEsperado, ...] = ()
    irregularidades: tuple[IrregularidadeEsperada, ...] = ()


class Caso(Value, frozen=True):
    """One comparison: of an item (`P001 REQ-2`), of a suggestion (`P001`), or of a flag (`texto_oculto P007 arquivo`)."""

    id: str
    esperado: Any
    obtido: Any
    certo: bool


class Acerto(Value, frozen=True):
    """How a kind of irregularity was found: the share of those labelled, and the share of flags that were labelled."""

    cobertura: Taxa
    precisao: Taxa


class Metricas(Value, frozen=True):
    """The figures of a comparison."""

    itens: Taxa
    habilitacao: Taxa
    docs_completos: Taxa
    irregularidades: Mapping[str, Acerto]


class Conferencia(Value, frozen=True):
    """Figures and cases. Source: interfaces (an evaluation prints `metricas` and `casos`)."""

    metricas: Metricas
    casos: tuple[Caso, ...]


def compare(resultado: Resultado, gabarito: Gabarito) -> Conferencia:
    """Hold a result against a key."""
    screened = {projeto.projeto_id: projeto for projeto in resultado.projetos}
    itens = [caso for esperado in gabarito.projetos for caso in _itens(esperado, screened.get(esperado.projeto_id))]
    sugestoes = [_sugestao(p, screened.get(p.projeto_id)) for p in gabarito.projetos if p.habilitacao_sugerida is not None]
    completos = [_completos(p, screened.get(p.projeto_id)) for p in gabarito.projetos if p.docs_completos is not None]
    acertos: dict[str, Acerto] = {}
    flags: list[Caso] = []
    named = {esperada.tipo for esperada in gabarito.irregularidades}
    for tipo in [sinal.codigo for sinal in SINAIS if sinal.codigo in named]:
        acertos[tipo], casos = _flags(tipo, resultado.irregularidades, gabarito.irregularidades)
        flags += casos
    metricas = Metricas(_share(itens), _share(sugestoes), _share(completos), acertos)
    return Conferencia(metricas, (*itens, *sugestoes, *completos, *flags))


def read_gabarito(raw: bytes) -> Gabarito:
    """An answer key from its JSON. Raises msgspec.MsgspecError."""
    return msgspec.json.decode(raw, type=Gabarito)


def _share(casos: Sequence[Caso]) -> Taxa:
    return taxa(sum(caso.certo for caso in casos), len(casos))


def _itens(esperado: ProjetoEsperado, obtido: ProjetoTriado | None) -> Iterable[Caso]:
    found = {item.requisito: item for item in obtido.itens} if obtido else {}
    for item in esperado.itens:
        got = found.get(item.requisito)
        wanted = {"situacao": item.situacao, "motivo": item.motivo}
        said = {"situacao": got.situacao, "motivo": got.motivo} if got else None
        right = said is not None and said["situacao"] == item.situacao and (item.motivo is None or said["motivo"] == item.motivo)
        yield Caso(f"{esperado.projeto_id} {item.requisito}", wanted, said, right)


def _sugestao(esperado: ProjetoEsperado, obtido: ProjetoTriado | None) -> Caso:
    said = obtido.habilitacao_sugerida if obtido else None
    return Caso(esperado.projeto_id, esperado.habilitacao_sugerida, said, said == esperado.habilitacao_sugerida)


def _completos(esperado: ProjetoEsperado, obtido: ProjetoTriado | None) -> Caso:
    said = obtido.docs_completos if obtido else None
    return Caso(f"{esperado.projeto_id} docs_completos", esperado.docs_completos, said, said is esperado.docs_completos)


_Mark = tuple[tuple[str, ...], str | None, str | None]


def _flags(
    tipo: TipoIrregularidade, found: Sequence[Irregularidade], wanted: Sequence[IrregularidadeEsperada]
) -> tuple[Acerto, tuple[Caso, ...]]:
    flagged = _marks(tipo, [(one.projetos, one.arquivo, one.campo) for one in found if one.tipo == tipo])
    labelled = _marks(tipo, [(one.projetos, one.arquivo, one.campo) for one in wanted if one.tipo == tipo])
    caught = [any(_agree(label, flag) for flag in flagged) for label in labelled]
    rightly = [any(_agree(label, flag) for label in labelled) for flag in flagged]
    casos = [Caso(_named(tipo, label), True, is_caught, is_caught) for label, is_caught in zip(labelled, caught, strict=True)]
    casos += [Caso(_named(tipo, flag), False, True, False) for flag, is_right in zip(flagged, rightly, strict=True) if not is_right]
    return Acerto(taxa(sum(caught), len(caught)), taxa(sum(rightly), len(rightly))), tuple(casos)


def _marks(tipo: TipoIrregularidade, flags: Iterable[_Mark]) -> tuple[_Mark, ...]:
    """What can be compared one by one: a group of three projects is three pairs; kinds of one project stand alone."""
    marks: dict[_Mark, None] = {}
    for projetos, arquivo, campo in flags:
        if SINAL_DE[tipo].sozinho:
            marks |= {((projeto,), arquivo, campo): None for projeto in projetos}
        else:
            marks |= {(pair, None, None): None for pair in combinations(sorted(set(projetos)), 2)}
    return tuple(marks)


def _agree(label: _Mark, flag: _Mark) -> bool:
    same_place = all(wanted is None or wanted == got for wanted, got in zip(label[1:], flag[1:], strict=True))
    return label[0] == flag[0] and same_place


def _named(tipo: str, mark: _Mark) -> str:
    return " ".join((tipo, *mark[0], *(part for part in mark[1:] if part)))
