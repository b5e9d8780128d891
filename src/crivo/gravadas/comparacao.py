"""Two scores side by side, and what became of each answer when the check, or the prompt, is another."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from typing import Final, Literal

import msgspec

from crivo.gravadas.medidas import AREAS, Area, Medida, Parte
from crivo.gravadas.modelo import Contas, Feita
from crivo.gravadas.placar import Placar, PorAgente, total_cost
from crivo.gravadas.registro import Chave
from crivo.kernel.taxas import Taxa

Lado = Literal["primeira", "segunda"]
Sentido = Literal["melhorou", "piorou"]


class Par(msgspec.Struct, frozen=True):
    """One figure of two recordings, None where one has it not; `melhor` is the side whose whole interval is better, if one is."""

    area: Area | Literal["agentes"]
    nome: str
    primeira: Parte | None
    segunda: Parte | None
    melhor: Lado | None


class Tempo(msgspec.Struct, frozen=True):
    """What an agent's answers took of two models, in milliseconds, tokens and dollars."""

    agente: str
    perguntas: tuple[int, int]
    ms_mediana: tuple[int | None, int | None]
    ms_p95: tuple[int | None, int | None]
    tokens: tuple[int, int]
    custo: tuple[Decimal, Decimal]


class Comparacao(msgspec.Struct, frozen=True):
    """Two recordings: quality, time, cost. `sem_preco` are the answers whose price nobody knows."""

    modelos: tuple[str, str]
    medidas: tuple[Par, ...]
    tempos: tuple[Tempo, ...]
    custo: tuple[Decimal, Decimal]
    sem_preco: tuple[int, int]


class Mudou(msgspec.Struct, frozen=True):
    """An answer of which today's check says otherwise than the one that it was recorded under."""

    agente: str
    pergunta: str
    amostra: int
    resposta: int
    antes: str | None
    agora: str | None

    @property
    def sentido(self) -> Sentido:
        """Whether it is let through now."""
        return "melhorou" if self.agora is None else "piorou"


class Outra(msgspec.Struct, frozen=True):
    """A question whose answer fares otherwise under another prompt, with both answers."""

    pergunta: str
    amostra: int
    sentido: Sentido
    antes: str
    depois: str
    resposta_antes: object
    resposta_depois: object
    problema: str | None


_ORDER: Final = ("falhou", "com_falha", "avisada", "aceita")  # from worst to best
NOMES: Final[Mapping[str, str]] = {
    "falhou": "sem resposta",
    "com_falha": "com falha até o fim",
    "avisada": "aceita depois de avisada",
    "aceita": "aceita à primeira",
}


def compare(primeira: Placar, segunda: Placar) -> Comparacao:
    """All figures that either has, area by area."""
    return Comparacao(
        (primeira.modelo, segunda.modelo),
        (*_figures(primeira, segunda), *_agents(primeira, segunda)),
        tuple(_times(primeira, segunda)),
        (total_cost(primeira)[0], total_cost(segunda)[0]),
        (total_cost(primeira)[1], total_cost(segunda)[1]),
    )


def _figures(primeira: Placar, segunda: Placar) -> Iterator[Par]:
    ours = {(medida.area, medida.nome): medida for medida in primeira.medidas}
    theirs = {(medida.area, medida.nome): medida for medida in segunda.medidas}
    for key in sorted(dict.fromkeys([*ours, *theirs]), key=lambda key: AREAS.index(key[0])):
        yield _pair(key[0], key[1], ours.get(key), theirs.get(key))


def _pair(area: Area, nome: str, one: Medida | None, other: Medida | None) -> Par:
    fewer = any(medida is not None and medida.melhor == "menos" for medida in (one, other))
    return _sides(area, nome, one.parte if one else None, other.parte if other else None, fewer=fewer)


def _sides(area: Area | Literal["agentes"], nome: str, one: Parte | None, other: Parte | None, *, fewer: bool = False) -> Par:
    better: Lado | None = None
    if one is not None and other is not None:
        if _is_above(other.taxa, one.taxa):
            better = "primeira" if fewer else "segunda"
        elif _is_above(one.taxa, other.taxa):
            better = "segunda" if fewer else "primeira"
    return Par(area, nome, one, other, better)


def _is_above(one: Taxa, other: Taxa) -> bool:
    return one.de is not None and other.ate is not None and one.de > other.ate


def _agents(primeira: Placar, segunda: Placar) -> Iterator[Par]:
    for agente, one, other in _paired(primeira, segunda):
        if agente.conferida:
            first = (one.a_primeira if one else None, other.a_primeira if other else None)
            last = (one.no_fim if one else None, other.no_fim if other else None)
            yield _sides("agentes", f"{agente.agente}: aceitas à primeira", *first)
            yield _sides("agentes", f"{agente.agente}: aceitas no fim", *last)


def _times(primeira: Placar, segunda: Placar) -> Iterator[Tempo]:
    for agente, one, other in _paired(primeira, segunda):
        yield Tempo(
            agente=agente.nome,
            perguntas=(one.perguntas if one else 0, other.perguntas if other else 0),
            ms_mediana=(one.ms_mediana if one else None, other.ms_mediana if other else None),
            ms_p95=(one.ms_p95 if one else None, other.ms_p95 if other else None),
            tokens=(_tokens(one), _tokens(other)),
            custo=(one.custo if one else Decimal(0), other.custo if other else Decimal(0)),
        )


def _tokens(agente: PorAgente | None) -> int:
    return 0 if agente is None else agente.tokens_entrada + agente.tokens_saida


def _paired(primeira: Placar, segunda: Placar) -> Iterator[tuple[PorAgente, PorAgente | None, PorAgente | None]]:
    ours = {(agente.agente, agente.conferida): agente for agente in primeira.agentes}
    theirs = {(agente.agente, agente.conferida): agente for agente in segunda.agentes}
    for key in dict.fromkeys([*ours, *theirs]):
        one, other = ours.get(key), theirs.get(key)
        known = one or other
        if known is not None:
            yield known, one, other


def changed(contas: Contas) -> list[Mudou]:
    """The answers of which today's check says otherwise than when they were recorded: let through now, or held now."""
    found = []
    for chave, feita in contas.feitas.items():
        pairs = zip(feita.gravada.respostas, feita.problemas, strict=False)
        for at, (resposta, agora) in enumerate(pairs, 1):
            if (resposta.problema is None) != (agora is None):
                found.append(Mudou(chave.agente, chave.pergunta, chave.amostra, at, resposta.problema, agora))
    return sorted(found, key=lambda one: (one.sentido, one.agente, one.pergunta, one.amostra))


def other_prompt(asked: Collection[Chave], antes: Contas, depois: Contas) -> list[Outra]:
    """The questions, of those asked under both prompts, that fare better or worse under the second; the worse first."""
    found = []
    for chave, then in antes.feitas.items():
        now = depois.feitas.get(chave)
        if chave in asked and now is not None and _rank(then) != _rank(now):
            found.append(_other(chave, then, now))
    return sorted(found, key=lambda one: (one.sentido != "piorou", one.pergunta, one.amostra))


def _other(chave: Chave, then: Feita, now: Feita) -> Outra:
    return Outra(
        chave.pergunta,
        chave.amostra,
        "melhorou" if _rank(now) > _rank(then) else "piorou",
        _ORDER[_rank(then)],
        _ORDER[_rank(now)],
        _said(then),
        _said(now),
        next((problema for problema in now.problemas if problema is not None), now.falha),
    )


def _rank(feita: Feita) -> int:
    if feita.fim in {"falhou", "com_falha"}:
        return _ORDER.index(feita.fim)
    return _ORDER.index("avisada" if feita.primeira == "avisada" else "aceita")


def _said(feita: Feita) -> object:
    return feita.gravada.respostas[0].valor if feita.gravada.respostas else None
