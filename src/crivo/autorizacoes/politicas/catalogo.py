"""The published políticas, indexed: which regra governs a procedure, for a plano, on a date."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush
from typing import Final, NamedTuple, TypeAlias

from msgspec import UNSET

from crivo.autorizacoes.contracts import FonteRegras, Politica, Regra
from crivo.autorizacoes.politicas.codigos import CURINGA, Grafias, fold_id, normalize_padrao
from crivo.autorizacoes.politicas.planos import QUALQUER, Planos, SituacaoDoPlano, planos_da

Achada: TypeAlias = tuple[Regra, FonteRegras]
VersaoOrdem: TypeAlias = tuple[tuple[bool, int, str], ...]

_SEPARATOR: Final = re.compile(r"[\W_]+")
# What of a pedido is read only where a regra asks for it, by the field of the regra that does.
_PEDE: Final = (("sexo", "sexo"), ("valor", "valor_maximo"), ("historico", "limites"))
_NADA: Final = frozenset[str]()
# Sorts after a date and before the next one, as text: where a vigência that includes its last day stops.
_DAY_END: Final = "~"


class _Candidata(NamedTuple):
    inicio: str
    fim: str | None
    versao: VersaoOrdem
    achada: Achada


class _Linha(NamedTuple):
    """For a tabela, the winner of each stretch of time: `vencedoras[i]` holds from `marcos[i - 1]` until `marcos[i]`."""

    tabela: str
    marcos: tuple[str, ...]
    vencedoras: tuple[Achada | None, ...]


class _Unica(NamedTuple):
    """The one regra of a code, in force from the first of `marcos` until the second."""

    plano_id: str
    tabela: str
    marcos: tuple[str, ...]
    achada: Achada


# Of a code: plano_id → its few tabelas, `*` the last. A look-up over a large catalogue waits for memory, place by place: a code with one
# regra, as most have, keeps it in one place.
_Planos: TypeAlias = _Unica | dict[str, tuple[_Linha, ...]]


@dataclass(frozen=True, slots=True)
class _Acervo:
    """The regras of one administradora, by folded ids; `prefixos` is by text without the `*`, which alone is the empty prefix."""

    grafias: Grafias  # of its planos
    grafias_codigos: Grafias
    planos: Planos
    observa: bool  # whether any regra has observações
    pede: frozenset[str]  # what regras ask of a pedido beyond the PRD
    codigos: dict[str, _Planos]
    prefixos: dict[str, _Planos]
    comprimentos: tuple[int, ...]  # of the prefixes there are, the longest first


def versao_ordem(versao: str) -> VersaoOrdem:
    """The key that sorts versions as people count: `3.10` after `3.9`, and a numeric part after a textual one."""
    return tuple(_part_ordem(part) for part in _SEPARATOR.split(versao) if part)


def _part_ordem(part: str) -> tuple[bool, int, str]:
    if not (part.isascii() and part.isdigit()):
        return (False, 0, part)
    # Compared by length and then as text, which orders numbers of any size without converting them.
    number = part.lstrip("0")
    return (True, len(number), number)


@dataclass(frozen=True, slots=True)
class Catalogo:
    """An immutable index of published políticas; a look-up costs the same with a hundred regras or a hundred thousand."""

    politicas: tuple[Politica, ...]
    regras_total: int
    _acervos: dict[str, _Acervo] = field(repr=False, compare=False)
    _grafias: Grafias = field(repr=False, compare=False)

    @classmethod
    def of(cls, politicas: Iterable[Politica]) -> Catalogo:
        """The catalogue of these políticas, all of them taken as published; a full tie goes to the one given first."""
        todas = tuple(politicas)
        por_administradora: dict[str, list[Politica]] = {}
        for politica in todas:
            por_administradora.setdefault(fold_id(politica.administradora_id), []).append(politica)
        acervos = {administradora_id: _acervo(suas) for administradora_id, suas in por_administradora.items()}
        return cls(todas, sum(len(politica.regras) for politica in todas), acervos, Grafias(acervos))

    def administradora(self, administradora_id: str) -> str:
        """The folded id of an administradora, as the catalogue writes it."""
        return self._grafias.known(administradora_id)

    def knows(self, administradora_id: str) -> bool:
        """Whether any published política is of that administradora."""
        return self._grafias.known(administradora_id) in self._acervos

    def situacao_do_plano(self, administradora_id: str, plano_id: str, data_referencia: str) -> SituacaoDoPlano:
        """Whether the administradora knows a plano of that name on `data_referencia` (ISO date)."""
        acervo = self._acervos.get(self._grafias.known(administradora_id))
        return "conhecido" if acervo is None else acervo.planos.situacao(acervo.grafias.known(plano_id), data_referencia)

    def planos(self, administradora_id: str) -> tuple[str, ...]:
        """The planos that the políticas of an administradora declare or name, as they spell them, each once, in order."""
        suas = [um for um in self.politicas if fold_id(um.administradora_id) == self._grafias.known(administradora_id)]
        ditos = [plano for um in suas for plano in (*um.planos, *[plano for regra in um.regras for plano in planos_da(regra)])]
        return tuple(sorted({fold_id(plano): plano for plano in reversed(ditos) if plano != CURINGA}.values()))

    def plano_de_todos(self, administradora_id: str, data_referencia: str) -> str | None:
        """The plano of a pedido that does not say it, where it can be no other or does not matter; None where it must be asked."""
        acervo = self._acervos.get(self._grafias.known(administradora_id))
        return QUALQUER if acervo is None else acervo.planos.de_todos(data_referencia)

    def nothing_to_say(self, administradora_id: str, plano_id: str) -> bool:
        """True where ids spelled as here leave nothing to be told of them; the short way for most pedidos, False settles nothing."""
        acervo = self._acervos.get(administradora_id)
        return acervo is not None and not acervo.observa and acervo.planos.plainly_knows(plano_id)

    def observa(self, administradora_id: str) -> bool:
        """Whether any regra of the administradora has observações."""
        acervo = self._acervos.get(self._grafias.known(administradora_id))
        return acervo is not None and acervo.observa

    def pede(self, administradora_id: str) -> frozenset[str]:
        """Which of `sexo`, `valor` and `historico` some regra of the administradora asks of a pedido."""
        acervo = self._acervos.get(administradora_id) or self._acervos.get(self._grafias.known(administradora_id))
        return _NADA if acervo is None else acervo.pede

    def find_regra(self, administradora_id: str, plano_id: str, codigo: str, tabela: str | None, data_referencia: str) -> Achada | None:
        """The most specific regra in force on `data_referencia` (ISO date), with its source; None where none applies.

        `codigo` comes normalised; ids and codes are compared folded, and by the zeros that the catalogue has.
        Specificity: codigo (exact, then the longer prefix, then `*`), then plano, then tabela; then the later
        vigencia_inicio, the higher version, the first in the document. A null tabela meets only `*`. Source: PRD RF3.
        """
        acervo = self._acervos.get(self._grafias.known(administradora_id))
        if acervo is None:
            return None
        plano_id = acervo.grafias.known(plano_id)
        planos = acervo.codigos.get(codigo)
        if planos is None:
            codigo = acervo.grafias_codigos.known(codigo)
            planos = acervo.codigos.get(codigo)
        if planos is not None:
            achada = _find_in_planos(planos, plano_id, tabela, data_referencia)
            if achada is not None:
                return achada
        for comprimento in acervo.comprimentos:
            if comprimento > len(codigo):
                continue
            planos = acervo.prefixos.get(codigo[:comprimento])
            if planos is not None:
                achada = _find_in_planos(planos, plano_id, tabela, data_referencia)
                if achada is not None:
                    return achada
        return None


def _find_in_planos(planos: _Planos, plano_id: str, tabela: str | None, data_referencia: str) -> Achada | None:
    if isinstance(planos, _Unica):
        unico, nome, marcos, achada = planos
        applies = unico in (plano_id, CURINGA) and nome in (tabela, CURINGA) and bisect_right(marcos, data_referencia) == 1
        return achada if applies else None
    for plano in (plano_id, CURINGA):
        for nome, marcos, vencedoras in planos.get(plano, ()):
            if nome in (tabela, CURINGA):
                vencedora = vencedoras[bisect_right(marcos, data_referencia)]
                if vencedora is not None:
                    return vencedora
    return None


def _acervo(politicas: Sequence[Politica]) -> _Acervo:
    candidatas: dict[tuple[str, str, str], list[_Candidata]] = {}
    for politica in politicas:
        inicio, fim, versao = politica.vigencia_inicio, politica.vigencia_fim, versao_ordem(politica.versao)
        for regra in politica.regras:
            fonte = FonteRegras(politica.documento, politica.versao, inicio, fim, regra.regra_id)
            padrao, candidata = fold_id(normalize_padrao(regra.codigo)), _Candidata(inicio, fim, versao, (regra, fonte))
            for plano_id in dict.fromkeys(map(fold_id, planos_da(regra))):
                candidatas.setdefault((padrao, plano_id, regra.tabela), []).append(candidata)
    disputas: dict[str, list[tuple[str, str, list[_Candidata]]]] = {}
    for padrao, plano_id, tabela in sorted(candidatas, key=lambda chave: chave[2] == CURINGA):
        disputas.setdefault(padrao, []).append((plano_id, tabela, candidatas[padrao, plano_id, tabela]))
    codigos: dict[str, _Planos] = {}
    prefixos: dict[str, _Planos] = {}
    for padrao, do_padrao in disputas.items():
        destino, texto = (prefixos, padrao[:-1]) if padrao.endswith(CURINGA) else (codigos, padrao)
        destino[texto] = _planos(do_padrao)
    comprimentos = tuple(sorted({len(prefixo) for prefixo in prefixos}, reverse=True))
    planos = Planos.of(politicas)
    observa = any(regra.observacoes is not None for politica in politicas for regra in politica.regras)
    pede = frozenset(nome for nome, campo in _PEDE if any(getattr(regra, campo) is not UNSET for um in politicas for regra in um.regras))
    return _Acervo(Grafias(planos.todos), Grafias(codigos), planos, observa, pede, codigos, prefixos, comprimentos)


def _planos(disputas: Sequence[tuple[str, str, Sequence[_Candidata]]]) -> _Planos:
    """What a look-up asks of one code, by plano, tabela and the regras that vie for it."""
    if len(disputas) == 1 and len(disputas[0][2]) == 1:
        ((plano_id, tabela, ((inicio, fim, _, achada),)),) = disputas
        return _Unica(plano_id, tabela, _stretch(inicio, fim), achada)
    planos: dict[str, tuple[_Linha, ...]] = {}
    for plano_id, tabela, disputa in disputas:
        planos[plano_id] = (*planos.get(plano_id, ()), _linha(tabela, disputa))
    return planos


def _linha(tabela: str, disputa: Sequence[_Candidata]) -> _Linha:
    if len(disputa) == 1:
        inicio, fim, _, achada = disputa[0]
        marcos = _stretch(inicio, fim)
        return _Linha(tabela, marcos, (None, achada, None)[: len(marcos) + 1])
    return _sweep(tabela, disputa)


@lru_cache(maxsize=64)
def _stretch(inicio: str, fim: str | None) -> tuple[str, ...]:
    """When one vigência begins and stops: one value for all regras of a política, so that a look-up seldom waits for memory."""
    if fim is None:
        return (inicio,)
    return (inicio, fim + _DAY_END) if fim >= inicio else ()


def _sweep(tabela: str, disputa: Sequence[_Candidata]) -> _Linha:
    """Walks time forward with the candidates in force in a heap, the winner on top."""
    # The sort is stable, and reversed sorts keep it so: a full tie stays in document order.
    ranked = sorted(disputa, key=lambda candidata: (candidata.inicio, candidata.versao), reverse=True)
    entering = sorted(range(len(ranked)), key=lambda rank: ranked[rank].inicio)
    marcos = sorted({c.inicio for c in ranked} | {c.fim + _DAY_END for c in ranked if c.fim is not None})
    vencedoras: list[Achada | None] = [None]
    in_force: list[int] = []
    entered = 0
    for marco in marcos:
        while entered < len(entering) and ranked[entering[entered]].inicio <= marco:
            heappush(in_force, entering[entered])
            entered += 1
        while in_force and _ended(ranked[in_force[0]], marco):
            heappop(in_force)
        vencedoras.append(ranked[in_force[0]].achada if in_force else None)
    return _Linha(tabela, tuple(marcos), tuple(vencedoras))


def _ended(candidata: _Candidata, marco: str) -> bool:
    return candidata.fim is not None and candidata.fim + _DAY_END <= marco
