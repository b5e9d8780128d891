"""Which version of a document holds when: a newer one closes the earlier ones at its start. Source: design, RF3.

Nothing is rewritten: the end of a version follows from what else is published, so a catalogue of the past has the ends of then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from msgspec import structs

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.politicas.catalogo import VersaoOrdem, versao_ordem
from crivo.autorizacoes.politicas.codigos import fold_id


@dataclass(frozen=True, slots=True)
class Publicada:
    """A published política, and whether it closes the earlier versions of its document."""

    politica: Politica
    encerra: bool


@dataclass(frozen=True, slots=True)
class Encerramento:
    """A version that another closes: its last day was `antes` (None is open) and is `depois`; None where it never comes to hold."""

    politica: Politica
    antes: str | None
    depois: str | None


def succeed(publicadas: Iterable[Publicada]) -> tuple[Politica, ...]:
    """The políticas in their order, each ending where a later version closes it; one that never comes to hold is left out."""
    todas = list(publicadas)
    por_documento: dict[tuple[str, str], list[Publicada]] = {}
    for publicada in todas:
        por_documento.setdefault(_document(publicada.politica), []).append(publicada)
    ended = (_ended(publicada.politica, por_documento[_document(publicada.politica)]) for publicada in todas)
    return tuple([politica for politica in ended if politica is not None])


def closed_by(nova: Politica, publicadas: Sequence[Publicada]) -> tuple[Encerramento, ...]:
    """What the publication of a version would close, itself included where a later one is published already."""
    others = [publicada for publicada in publicadas if publicada.politica != nova]
    before = _by_version(succeed(others))
    after = _by_version(succeed([*others, Publicada(nova, encerra=True)]))
    before[nova.administradora_id, nova.documento, nova.versao] = nova
    return tuple(
        [
            Encerramento(politica, politica.vigencia_fim, after[key].vigencia_fim if key in after else None)
            for key, politica in before.items()
            if key not in after or after[key].vigencia_fim != politica.vigencia_fim
        ]
    )


def _by_version(politicas: Iterable[Politica]) -> dict[tuple[str, str, str], Politica]:
    return {(politica.administradora_id, politica.documento, politica.versao): politica for politica in politicas}


def _document(politica: Politica) -> tuple[str, str]:
    return fold_id(politica.administradora_id), fold_id(politica.documento)


def _order(politica: Politica) -> tuple[str, VersaoOrdem]:
    return politica.vigencia_inicio, versao_ordem(politica.versao)


def _ended(politica: Politica, suas: Sequence[Publicada]) -> Politica | None:
    starts = [outra.politica.vigencia_inicio for outra in suas if outra.encerra and _order(outra.politica) > _order(politica)]
    last = last_day(politica.vigencia_fim, starts)
    if last == politica.vigencia_fim:
        return politica
    return None if last is not None and last < politica.vigencia_inicio else structs.replace(politica, vigencia_fim=last)


def last_day(fim: str | None, starts: Sequence[str]) -> str | None:
    """The last day of a version that ends on `fim` (None is open), closed by later ones that start on these ISO dates."""
    if not starts:
        return fim
    eve = (date.fromisoformat(min(starts)) - timedelta(days=1)).isoformat()
    return min(eve, fim or eve)
