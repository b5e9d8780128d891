"""What an answer does to the list: the changes put into the concorrência, every rule counted again, and who moved. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from typing import Literal, assert_never

import msgspec
from msgspec.structs import replace

from crivo.triagem.classificacao.classificar import classify
from crivo.triagem.classificacao.concorrencia import Avaliada, Concorrencia, Decidida, Inscrito
from crivo.triagem.classificacao.resultado import Classificada, Lugar, Situacao
from crivo.triagem.condicao import Value
from crivo.triagem.recursos.contratos import PROVIDOS, CampoCorrigido, Mudanca, NotaRevista, Proposta, Redecidida

Sentido = Literal["entra", "sai", "move"]
"""A project comes to have a vaga, loses it, or stands elsewhere or with another nota."""


class Onde(Value, frozen=True):
    """Where a project stands in the list."""

    situacao: Situacao
    posicao: int | None
    vaga: str | None
    nota_final: Decimal | None


class Movimento(Value, frozen=True):
    """A project that an answer moves."""

    projeto_id: str
    sentido: Sentido
    antes: Onde
    depois: Onde


@dataclass(frozen=True, slots=True)
class Efeito:
    """What an answer does: who enters, who leaves, who moves, in that order; and the digest of all that was counted, in hex."""

    movimentos: tuple[Movimento, ...]
    visto: str

    def of(self, projeto_id: str) -> Movimento | None:
        """How one project moves; None where it stays."""
        return next((one for one in self.movimentos if one.projeto_id == projeto_id), None)


def changed(concorrencia: Concorrencia, projeto_id: str, proposta: Proposta) -> Concorrencia:
    """The concorrência as it would be with an answer; one that grants nothing changes nothing."""
    if proposta.desfecho not in PROVIDOS:
        return concorrencia
    for mudanca in proposta.mudancas:
        concorrencia = _with(concorrencia, projeto_id, proposta, mudanca)
    return concorrencia


def effect(concorrencia: Concorrencia, projeto_id: str, proposta: Proposta) -> Efeito:
    """Every rule, before and after an answer on one project."""
    antes = classify(concorrencia)
    depois = classify(changed(concorrencia, projeto_id, proposta))
    return Efeito(moved(antes, depois), _seen(antes, depois))


def moved(antes: Classificada, depois: Classificada) -> tuple[Movimento, ...]:
    """Who stands elsewhere in one list than in another of the same projects: who enters first, who leaves, then who moves."""
    found = list(_moved(antes, depois))
    order: Mapping[Sentido, int] = {"entra": 0, "sai": 1, "move": 2}
    return tuple(sorted(found, key=lambda one: order[one.sentido]))


def _moved(antes: Classificada, depois: Classificada) -> Iterator[Movimento]:
    for lugar in depois.lugares:
        was = antes.por_id.get(lugar.inscrito.id)
        if was is None:
            continue
        before, after = _where(antes, was), _where(depois, lugar)
        if before != after:
            yield Movimento(lugar.inscrito.id, _way(before, after), before, after)


def _way(antes: Onde, depois: Onde) -> Sentido:
    had, has = antes.situacao == "selecionado", depois.situacao == "selecionado"
    return "move" if had == has else "entra" if has else "sai"


def _where(classificada: Classificada, lugar: Lugar) -> Onde:
    final = classificada.final(lugar) if lugar.grupo is not None and lugar.contas else None
    return Onde(lugar.situacao, lugar.posicao, lugar.vaga, final)


def _seen(antes: Classificada, depois: Classificada) -> str:
    told = [[(lugar.inscrito.id, _where(of, lugar)) for lugar in of.lugares] for of in (antes, depois)]
    return sha256(msgspec.json.encode(told)).hexdigest()


def _with(concorrencia: Concorrencia, projeto_id: str, proposta: Proposta, mudanca: Mudanca) -> Concorrencia:
    match mudanca:
        case Redecidida(situacao):
            decided = _decided(concorrencia.habilitacoes, Decidida(projeto_id, situacao, proposta.motivo))
            return replace(concorrencia, habilitacoes=decided)
        case NotaRevista(criterio, avaliador, nota):
            revised = [_revised(one, projeto_id, str(avaliador), criterio, nota) for one in concorrencia.avaliacoes]
            return replace(concorrencia, avaliacoes=revised)
        case CampoCorrigido(campo, valor):
            fixed = [_corrected(one, campo, valor) if one.id == projeto_id else one for one in concorrencia.inscritos]
            return replace(concorrencia, inscritos=fixed)
        case _:
            assert_never(mudanca)


def _decided(habilitacoes: Sequence[Decidida], nova: Decidida) -> list[Decidida]:
    return [*(one for one in habilitacoes if one.projeto != nova.projeto), nova]


def _revised(avaliada: Avaliada, projeto_id: str, avaliador: str, criterio: str, nota: Decimal) -> Avaliada:
    if (avaliada.projeto, avaliada.avaliador) != (projeto_id, avaliador) or criterio not in avaliada.notas:
        return avaliada
    return replace(avaliada, notas={**avaliada.notas, criterio: nota})


def _corrected(inscrito: Inscrito, campo: str, valor: str) -> Inscrito:
    return replace(inscrito, campos={**inscrito.campos, campo: valor})
