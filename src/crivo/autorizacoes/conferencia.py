"""A stored decision made again: code's fields anew, a model's texts as they were stored and checked once more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from msgspec.structs import replace

from crivo.autorizacoes.agentes import AGENTES
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.historico import historico_guardado
from crivo.autorizacoes.modelo.conferidos import faults
from crivo.autorizacoes.modelo.textos import Lugar, decidido_of, put_in_place, texts_of
from crivo.autorizacoes.trilha import Escrita, Etapas, Trilha
from crivo.kernel.agents.contract import Author


@dataclass(frozen=True, slots=True)
class Diferenca:
    """A field whose stored value is not what re-running gives."""

    campo: str
    guardado: Any
    refeito: Any


@dataclass(frozen=True, slots=True)
class Conferencia:
    """A stored decision held against the same pedido decided again under the políticas of then."""

    autorizacao: Autorizacao
    integra: bool
    diferencas: tuple[Diferenca, ...]
    outras: int = 0
    """How many other decisions have the number by which this one, the latest of them, was asked for."""

    @property
    def confere(self) -> bool:
        """Whether the bytes are those that were stored and every field came out the same."""
        return self.integra and not self.diferencas


class _Guardada(msgspec.Struct, frozen=True):
    """Of a stored trail, what a model's texts are found by."""

    etapas: Etapas
    escritas: tuple[Escrita, ...] = ()


def hold_again(guardada: Autorizacao, fluxo: Fluxo) -> Conferencia:
    """A stored decision against the rules of then.

    No model is asked again: a text of its own that still stands is taken as it was stored, and one that no longer does differs from
    the code's.
    """
    historico = historico_guardado(guardada.trilha)
    refeita = _with_stored_texts(guardada, fluxo.decide_again(guardada.pedido, guardada.trilha, guardada.data_recebimento, historico))
    integra = guardada.integra and guardada.decisao == refeita.decisao()
    return Conferencia(guardada, integra, tuple(compare(_etapas(guardada.trilha), _etapas(refeita.encode()))))


def _with_stored_texts(guardada: Autorizacao, refeita: Trilha) -> Trilha:
    try:
        stored = msgspec.json.decode(guardada.trilha, type=_Guardada)
    except msgspec.DecodeError:
        return refeita
    decidido = decidido_of(refeita.etapas)
    textos: dict[Lugar, str] = {}
    for escrita in stored.escritas:
        contract = next((contract for contract in AGENTES if contract.stage == escrita.etapa), None)
        if contract is None:
            continue
        said = texts_of(contract, getattr(stored.etapas, contract.stage))
        by_model = [path for path, campo in escrita.campos.items() if campo.autor is Author.MODEL and path in said]
        standing = [path for path, found in faults(contract, by_model, said, decidido).items() if not found]
        textos |= {(contract.stage, path): said[path] for path in standing}
    return replace(refeita, etapas=put_in_place(refeita.etapas, textos))


def compare(antes: Any, depois: Any, campo: str = "") -> Iterator[Diferenca]:
    """Every leaf where two JSON values differ, by dotted path."""
    if isinstance(antes, dict) and isinstance(depois, dict):
        for nome in dict.fromkeys([*antes, *depois]):
            yield from compare(antes.get(nome), depois.get(nome), f"{campo}.{nome}" if campo else nome)
    elif isinstance(antes, list) and isinstance(depois, list) and len(antes) == len(depois):
        for position, (one, other) in enumerate(zip(antes, depois, strict=True)):
            yield from compare(one, other, f"{campo}[{position}]")
    elif antes != depois:
        yield Diferenca(campo, antes, depois)


def _etapas(trilha: bytes) -> Any:
    """The answers in a stored trail; None where it is no longer readable, which every field then differs from."""
    try:
        return msgspec.json.decode(trilha)["etapas"]
    except (msgspec.DecodeError, KeyError, TypeError):
        return None
