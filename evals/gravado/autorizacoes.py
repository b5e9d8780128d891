"""Recorded texts of authorisation decisions, held against the check of today: honest ones that pass, wrong ones that are held.

A recording is a list of items. `resposta` is a model's answer, with all its texts or one alone, and `dados` what it was shown: the blocks
of the question, or the pedido and the field. `volta` 2 is what was written once told what was wrong. A wrong answer is held where any of
its texts is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

import msgspec

from crivo.autorizacoes import amostra
from crivo.autorizacoes.contracts import Ajustes, Avaliacao, Consulta, Normalizacao
from crivo.autorizacoes.etapas.sintese import sintetizar
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.modelo.textos import campo_of, decidido_of
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.redacao import Campo, Decidido, Veredito, conferir

Item = Mapping[str, Any]

_HEADS: Final = {"total": "Aprovação total: ", "parcial": "Aprovação parcial: ", "nenhum": "Sem aprovação: "}  # as code writes the proof
_ERRADA: Final = "errada"
_SEM_TIPO: Final = "sem tipo"
_BLOCO: Final = re.compile(r"<dado \S+ (?P<rotulo>\w+)>\n(?P<texto>.*?)\n</dado \S+>", re.DOTALL)
_RECEIVED_ON: Final = date(2026, 11, 20)


@dataclass(frozen=True, slots=True)
class Gravado:
    """One recorded text: the decision that it is about, its field, and what was said of it by whoever wrote it."""

    item: int
    pedido: str
    lugar: str
    campo: Campo
    texto: str
    decidido: Decidido
    volta: int
    errado: bool
    tipo: str

    @property
    def veredito(self) -> Veredito:
        """What the check says of it today."""
        return conferir(self.texto, self.campo, self.decidido)


@dataclass(frozen=True, slots=True)
class Contagem:
    """How the check fares: honest texts that pass as first written, and once told; wrong answers that are held, by kind."""

    honestos: int
    de_primeira: int
    depois_de_ditos: int
    errados: int
    retidos: int
    sem_dados: int
    por_tipo: Mapping[str, tuple[int, int]] = field(default_factory=dict)


def pontuar(itens: Sequence[Item]) -> Contagem:
    """The counts of a recording; `sem_dados` are texts whose pedido is shown nowhere in it nor comes with the product."""
    textos = read_gravados(itens)
    primeiros = [texto for texto in textos if not texto.errado and texto.volta == 1]
    segundos = {(texto.pedido, texto.lugar): texto for texto in textos if not texto.errado and texto.volta > 1}
    held = [texto for texto in primeiros if not texto.veredito.ok]
    told = [texto for texto in held if (outro := segundos.get((texto.pedido, texto.lugar))) and outro.veredito.ok]
    errados = {texto.item: texto.tipo for texto in textos if texto.errado}
    retidos = {texto.item: texto.tipo for texto in textos if texto.errado and not texto.veredito.ok}
    known, found = Counter(errados.values()), Counter(retidos.values())
    return Contagem(
        honestos=len(primeiros),
        de_primeira=len(primeiros) - len(held),
        depois_de_ditos=len(primeiros) - len(held) + len(told),
        errados=len(errados),
        retidos=len(retidos),
        sem_dados=_how_many_texts(itens) - len(textos),
        por_tipo={tipo: (found[tipo], known[tipo]) for tipo in sorted(known)},
    )


def read_gravados(itens: Sequence[Item]) -> list[Gravado]:
    """The texts of a recording, each with its decision; those whose pedido nobody knows are passed over."""
    decididos = {**_of_the_sample(), **_shown(itens)}
    return [
        Gravado(
            item=number,
            pedido=pedido,
            lugar=lugar,
            campo=campo_of(lugar),
            texto=texto,
            decidido=decididos[pedido],
            volta=item.get("volta") or 1,
            errado=str(item["leitura"]).startswith(_ERRADA),
            tipo=item.get("tipo") or _SEM_TIPO,
        )
        for number, item in enumerate(itens)
        if (pedido := _pedido_of(item)) in decididos
        for lugar, texto in _textos_of(item)
    ]


def _pedido_of(item: Item) -> str:
    dados = item.get("dados")
    return str(item.get("pedido") or (dados["pedido"] if isinstance(dados, Mapping) else ""))


def _textos_of(item: Item) -> Iterator[tuple[str, str]]:
    resposta = item.get("resposta", item.get("texto"))
    if isinstance(resposta, str):
        yield item.get("campo") or item["dados"]["campo"], resposta
    else:
        yield from _leaves(resposta, "")


def _leaves(value: Any, lugar: str) -> Iterator[tuple[str, str]]:
    match value:
        case str():
            yield lugar, value
        case Mapping():
            for name, inner in value.items():
                yield from _leaves(inner, f"{lugar}.{name}" if lugar else name)
        case _:
            for at, inner in enumerate(value):
                yield from _leaves(inner, f"{lugar}[{at}]")


def _how_many_texts(itens: Iterable[Item]) -> int:
    return sum(1 for item in itens for _ in _textos_of(item))


def _shown(itens: Iterable[Item]) -> dict[str, Decidido]:
    """The decisions that the recording itself shows, by pedido."""
    shown = ((_pedido_of(item), decidido_shown(item["dados"])) for item in itens if isinstance(item.get("dados"), str))
    return {pedido: decidido for pedido, decidido in shown if decidido}


def decidido_shown(dados: str) -> Decidido | None:
    """The decision that a writer was shown, code's own answers where it was not shown all; None where too little is there."""
    escritos = {bloco["rotulo"]: bloco["texto"] for bloco in _BLOCO.finditer(dados)}
    blocos: dict[str, Any] = {rotulo: texto if rotulo == "efeito" else msgspec.json.decode(texto) for rotulo, texto in escritos.items()}
    if not blocos.keys() >= {"normalizacao", "consulta", "avaliacao"} or not blocos.keys() & {"ajustes", "efeito"}:
        return None
    pedido = blocos["normalizacao"]["pedido_normalizado"]
    pedido["beneficiario"] = {"id": None, "data_nascimento": None, "preexistencias": None, **pedido["beneficiario"]}
    pedido.setdefault("extras", {})
    normalizacao = msgspec.convert(blocos["normalizacao"], Normalizacao)
    consulta = msgspec.convert(blocos["consulta"], Consulta)
    avaliacao = msgspec.convert(blocos["avaliacao"], Avaliacao)
    ajustes = msgspec.convert(blocos["ajustes"] if "ajustes" in blocos else _as_drafted(blocos), Ajustes | None)
    return Decidido.of(normalizacao, consulta, avaliacao, ajustes, sintetizar(normalizacao, consulta, avaliacao, ajustes))


def _as_drafted(blocos: Mapping[str, Any]) -> Any:
    """The adjustments of a draft, whose texts are what was asked for."""
    rascunho = blocos["rascunho"]
    sugeridos = [{"justificativa": "", **ajuste} for ajuste in rascunho["ajustes_sugeridos"]]
    return {**rascunho, "ajustes_sugeridos": sugeridos, "resumo_efeito": _HEADS[blocos["efeito"]]}


def _of_the_sample() -> dict[str, Decidido]:
    """The decisions of the pedidos that come with the product."""
    fluxo = Fluxo(Catalogo.of([read_politica(arquivo.conteudo).politica for arquivo in amostra.politicas()]), amostra.campos())
    trilhas = [fluxo.decide(arquivo.conteudo, _RECEIVED_ON) for arquivo in amostra.pedidos()]
    return {trilha.pedido_id: decidido_of(trilha.etapas) for trilha in trilhas if trilha.pedido_id}
