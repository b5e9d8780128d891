"""Procedures as people look for them: by code or by words, out of what the published políticas name. Source: design, The workbench."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.politicas.codigos import CURINGA, fold_id, normalize_codigo
from crivo.autorizacoes.politicas.planos import planos_da
from crivo.kernel.linguagem.dobra import fold

MOSTRADOS: Final = 20
_LONGEST_QUERY: Final = 200
_HINT: Final = 80  # a first sentence that is longer is no name
_NOT_TOLD: Final = frozenset({
    "de", "do", "da", "dos", "das", "e", "o", "a", "os", "as", "com", "para", "em", "no", "na", "nos", "nas", "por", "pelo", "pela",
    "ao", "um", "uma",
})  # fmt: skip
_SHORTEST_ALIKE: Final = 3  # a shorter word is within too many others to be what two names have in common


@dataclass(frozen=True, slots=True)
class Procedimento:
    """A procedure that somebody may ask for; `descricao` is empty where no política names it.

    `dica` is what the observações of its regra begin with, by which people may know it.
    """

    codigo: str
    descricao: str
    dica: str = ""


@dataclass(frozen=True, slots=True)
class Administradora:
    """An administradora with published políticas in force, and the planos that they declare, or name where they declare none."""

    id: str
    planos: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Indice:
    """What may be asked for on a day, by administradora."""

    administradoras: tuple[Administradora, ...]
    _procedimentos: dict[str, tuple[tuple[Procedimento, str], ...]]
    _familias: dict[str, tuple[tuple[Procedimento, str], ...]]
    """Of each administradora the regras of many codes, by their beginning: `403*`."""

    @classmethod
    def of(cls, politicas: Iterable[Politica], dia: str) -> Indice:
        """Of published políticas, those in force on an ISO date."""
        spelled: dict[str, str] = {}
        names: dict[str, dict[str, Procedimento]] = {}
        planos: dict[str, dict[str, str]] = {}
        familias: dict[str, dict[str, Procedimento]] = {}
        for politica in politicas:
            if not (politica.vigencia_inicio <= dia and (politica.vigencia_fim is None or dia <= politica.vigencia_fim)):
                continue
            adm = fold_id(politica.administradora_id)
            spelled.setdefault(adm, politica.administradora_id)
            found = names.setdefault(adm, {})
            for one in _named(politica):
                before = found.get(one.codigo, one)
                found[one.codigo] = Procedimento(one.codigo, before.descricao or one.descricao, before.dica or one.dica)
            for one in _families(politica):
                familias.setdefault(adm, {}).setdefault(one.codigo, one)
            for plano in politica.planos or _named_planos(politica):
                planos.setdefault(adm, {}).setdefault(fold_id(plano), plano)
        administradoras = [Administradora(spelled[adm], tuple(planos.get(adm, {}).values())) for adm in spelled]
        by_name = tuple(sorted(administradoras, key=lambda one: fold(one.id)))
        return cls(by_name, {adm: _searchable(found) for adm, found in names.items()}, {adm: _searchable(o) for adm, o in familias.items()})

    def find(self, administradora_id: str) -> Administradora | None:
        """The administradora of that id, however it is spelled."""
        wanted = fold_id(administradora_id)
        return next((one for one in self.administradoras if fold_id(one.id) == wanted), None)

    def procurar(self, administradora_id: str, texto: str) -> tuple[Procedimento, ...]:
        """The procedures whose code begins so, or whose code and name have every word, the plainest first; at most twenty and one more."""
        asked = texto[:_LONGEST_QUERY].strip()
        known = self._procedimentos.get(fold_id(administradora_id), ())
        codigo = normalize_codigo(asked).casefold()
        words = _words(asked)
        if not codigo:
            return ()
        begin = [one for one, said in known if said.startswith(codigo)]
        taken = {one.codigo for one in begin}
        told = [
            (not f" {said}".find(f" {words[0]}") >= 0, len(one.descricao), one)
            for one, said in known
            if words and one.codigo not in taken and all(word in said for word in words)
        ]
        return tuple([*begin, *[one for *_, one in sorted(told, key=lambda one: one[:2])]][: MOSTRADOS + 1])

    def parecidos(self, administradora_id: str, texto: str) -> tuple[Procedimento, ...]:
        """The procedures with most of the words, where none has all of them: to choose from, and none of them chosen. At most twenty."""
        words = [word for word in _words(texto[:_LONGEST_QUERY]) if len(word) >= _SHORTEST_ALIKE and not word.isdigit()]
        known = self._procedimentos.get(fold_id(administradora_id), ())
        told = [(sum(word in said for word in words), one) for one, said in known]
        most = max((shared for shared, _ in told), default=0)
        return tuple([one for shared, one in told if shared == most > 0][:MOSTRADOS])

    def familias(self, administradora_id: str, texto: str) -> tuple[Procedimento, ...]:
        """The regras of many codes whose name has every word: whoever asks for one of them writes its whole code. At most twenty."""
        words = _words(texto[:_LONGEST_QUERY])
        known = self._familias.get(fold_id(administradora_id), ())
        return tuple([one for one, said in known if words and all(word in said for word in words)][:MOSTRADOS])

    def exemplo(self, administradora_id: str) -> Procedimento | None:
        """A procedure that a search finds, by its code and by a word of its name; None where no política names one."""
        known = self._procedimentos.get(fold_id(administradora_id), ())
        return next((one for one, _ in known if one.descricao), None)

    def dito(self, administradora_id: str, codigo: str) -> str:
        """A code with what it is known by: its own name, else what the regra of many codes that it falls under is about."""
        adm = fold_id(administradora_id)
        own = next((one for one, _ in self._procedimentos.get(adm, ()) if one.codigo == codigo), None)
        if own is not None and (own.descricao or own.dica):
            return f"{codigo} – {own.descricao or own.dica}"
        under = [one for one, _ in self._familias.get(adm, ()) if codigo.startswith(one.codigo.rstrip(CURINGA))]
        if under:
            nearest = max(under, key=lambda one: len(one.codigo))
            return f"{codigo}, da regra {nearest.codigo} – {nearest.descricao}"
        return f"{codigo}, sem nome nas regras"

    def descricao(self, administradora_id: str, codigo: str) -> str:
        """What a code is called; empty where no política names it."""
        known = self._procedimentos.get(fold_id(administradora_id), ())
        return next((one.descricao for one, _ in known if one.codigo == codigo), "")


def _searchable(found: Mapping[str, Procedimento]) -> tuple[tuple[Procedimento, str], ...]:
    return tuple([(one, f"{codigo.casefold()} {fold(one.descricao)} {fold(one.dica)}") for codigo, one in sorted(found.items())])


def _words(texto: str) -> list[str]:
    return [word for word in fold(texto).split() if word not in _NOT_TOLD]


def _families(politica: Politica) -> Iterator[Procedimento]:
    """Each regra of many codes that says what they are."""
    for regra in politica.regras:
        if regra.codigo.endswith(CURINGA) and regra.codigo != CURINGA and regra.descricao:
            yield Procedimento(regra.codigo, regra.descricao)


def _named(politica: Politica) -> Iterator[Procedimento]:
    """Each whole code that a política names, with what it calls it."""
    for regra in politica.regras:
        if not regra.codigo.endswith(CURINGA):
            dica, point, _ = (regra.observacoes or "")[:_HINT].partition(".")
            yield Procedimento(normalize_codigo(regra.codigo), regra.descricao or "", dica.strip() if point else "")
        for alternativa in regra.alternativas:
            yield Procedimento(normalize_codigo(alternativa.codigo), alternativa.descricao or "")


def _named_planos(politica: Politica) -> Iterator[str]:
    return (plano for regra in politica.regras for plano in planos_da(regra) if plano != CURINGA)
