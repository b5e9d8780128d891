"""The golden sets: pedidos whose outcome a person worked out from the rules, decided by the product and held field by field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

import msgspec

from crivo.autorizacoes import amostra
from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.trilha import Trilha
from evals.enunciado import claimed_efeito

RECEBIDO_EM: Final = date(2026, 11, 20)
_IN_ANY_ORDER: Final = ("alertas",)


@dataclass(frozen=True, slots=True)
class Discordancia:
    """A field of a case that did not come out as expected."""

    caso: str
    campo: str
    esperado: Any
    obtido: Any


@dataclass(frozen=True, slots=True)
class Resultado:
    """A set of cases, and where it was not met."""

    conjunto: str
    casos: int
    discordancias: tuple[Discordancia, ...]

    @property
    def concordes(self) -> int:
        """Cases that came out whole."""
        return self.casos - len({discordancia.caso for discordancia in self.discordancias})


@dataclass(frozen=True, slots=True)
class Caso:
    """A pedido, and the fields that its outcome must have."""

    nome: str
    pedido: bytes
    esperado: Mapping[str, Any]


def sample() -> Resultado:
    """The sample that comes with the product; a pedido without an expected outcome is a disagreement, and so is the reverse."""
    politicas = [read_politica(arquivo.conteudo).politica for arquivo in amostra.politicas()]
    pedidos = {arquivo.nome: arquivo.conteudo for arquivo in amostra.pedidos()}
    esperado = amostra.esperado()
    unpaired = [Discordancia(nome, "(caso)", nome in esperado, nome in pedidos) for nome in sorted(pedidos.keys() ^ esperado.keys())]
    casos = [Caso(nome, pedidos[nome], esperado[nome]) for nome in sorted(pedidos.keys() & esperado.keys())]
    found = compare(Fluxo(Catalogo.of(politicas), amostra.campos()), casos)
    return Resultado("amostra, de ponta a ponta", len(casos) + len(unpaired), (*unpaired, *found))


def worked_cases(arquivo: Path) -> Resultado | None:
    """The worked cases of a file `{"politicas": [...], "casos": [{"caso", "pedido", "esperado"}]}`; None where it is not there."""
    if not arquivo.exists():
        return None
    conteudo = msgspec.json.decode(arquivo.read_bytes())
    fluxo = Fluxo(Catalogo.of([msgspec.convert(politica, Politica) for politica in conteudo["politicas"]]))
    casos = [Caso(caso["caso"], msgspec.json.encode(caso["pedido"]), caso["esperado"]) for caso in conteudo["casos"]]
    return Resultado("exemplos trabalhados à mão", len(casos), tuple(compare(fluxo, casos)))


def compare(fluxo: Fluxo, casos: Iterable[Caso]) -> Iterator[Discordancia]:
    """Decide each case, and every field that differs from what was expected."""
    for caso in casos:
        obtido = outcome(fluxo.decide(caso.pedido, RECEBIDO_EM))
        for campo, esperado in caso.esperado.items():
            if _comparable(campo, obtido.get(campo), esperado) != _comparable(campo, esperado, esperado):
                yield Discordancia(caso.nome, campo, esperado, obtido.get(campo))


def outcome(trilha: Trilha) -> dict[str, Any]:
    """The fields that a golden set may speak of, as JSON values."""
    etapas = trilha.etapas
    fonte = etapas.avaliacao.fonte_regras
    sugeridos = etapas.ajustes.ajustes_sugeridos if etapas.ajustes else ()
    found: dict[str, Any] = {
        **msgspec.to_builtins(etapas.avaliacao),
        "decisao_final": etapas.sintese.decisao_final,
        "quantidade_aprovada": etapas.sintese.detalhe_decisao.quantidade_aprovada,
        "alertas": etapas.normalizacao.alertas,
        "ajustes": msgspec.to_builtins(sugeridos),
        "regra_id": fonte.regra_id if fonte else None,
        "versao": fonte.versao if fonte else None,
        "efeito": claimed_efeito(trilha),
    }
    return found


def _comparable(campo: str, valor: Any, esperado: Any) -> Any:
    """Tuples as lists, sets in one order, and of each adjustment only the fields that the expected ones state."""
    if isinstance(valor, list | tuple):
        itens = sorted(valor) if campo in _IN_ANY_ORDER else list(valor)
        stated = esperado[0].keys() if isinstance(esperado, list) and esperado and isinstance(esperado[0], dict) else ()
        return [{nome: item.get(nome) for nome in stated} if stated and isinstance(item, dict) else item for item in itens]
    return valor
