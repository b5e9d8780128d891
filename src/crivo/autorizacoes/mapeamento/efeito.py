"""What another version of a mapping would make of the pedidos that the one in force read: read, decided, or not read any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

import msgspec

from crivo.autorizacoes.conferencia import compare
from crivo.autorizacoes.contracts import DecisaoFinal, Uso
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import Bruto, PedidoIlegivel
from crivo.autorizacoes.mapeamento.aplicacao import ITEM_VAZIO, Leitor, Lido
from crivo.autorizacoes.mapeamento.caminhos import any_position
from crivo.autorizacoes.mapeamento.documento import DOCUMENTOS, Mapeamento
from crivo.autorizacoes.mapeamento.entrada import Chegado
from crivo.autorizacoes.mapeamento.midia import read_documentos
from crivo.autorizacoes.palavras import count, number, verb

REPLAYED: Final = 200
Mudanca = tuple[DecisaoFinal, DecisaoFinal]


@dataclass(frozen=True, slots=True)
class Lembrado:
    """A stored pedido as it came: its bytes, which item of them it is, the day on which it came, and the uses that the house knew then."""

    raw: bytes
    item: int
    recebido_em: date
    da_casa: tuple[Uso, ...] = ()


@dataclass(frozen=True, slots=True)
class Efeito:
    """What becomes of `pedidos` read by the version in force, the latest first, at most two hundred, both ways by the rules of now.

    `leem` are read otherwise, by `campos` (field, how many); `perdem` would not be read at all. `decisoes` are outcomes that change,
    (before, after) and how many; `passam_a_esperar` of them become PENDENTE_AJUSTES, `deixam_de_esperar` were.
    """

    pedidos: int
    leem: int
    perdem: int
    campos: tuple[tuple[str, int], ...]
    decisoes: tuple[tuple[Mudanca, int], ...]

    @property
    def decidem(self) -> int:
        """How many would be decided otherwise."""
        return sum(quantos for _, quantos in self.decisoes)

    @property
    def passam_a_esperar(self) -> int:
        """How many would come to wait for adjustments that did not."""
        return sum(quantos for (_, depois), quantos in self.decisoes if depois == _WAITS)

    @property
    def deixam_de_esperar(self) -> int:
        """How many would not wait any more."""
        return sum(quantos for (antes, _), quantos in self.decisoes if antes == _WAITS)


_WAITS: Final = "PENDENTE_AJUSTES"
_QUEM: Final = "beneficiario.id"


def replay(antes: Mapeamento, depois: Mapeamento, pedidos: Sequence[Lembrado], fluxo: Fluxo) -> Efeito:
    """Each pedido read by both versions and decided by the same rules; one that the version before does not read by now is left out."""
    velho, novo = _Releitura(antes, fluxo), _Releitura(depois, fluxo)
    campos: Counter[str] = Counter()
    decisoes: Counter[Mudanca] = Counter()
    total = leem = perdem = 0
    for pedido in pedidos:
        was = velho.read(pedido)
        if was is None:
            continue
        total += 1
        now = novo.read(pedido)
        if now is None:
            perdem += 1
            continue
        others = {_campo(um.campo) for um in compare(was.normalizado, now.normalizado)}
        campos.update(others)
        leem += bool(others)
        if was.decisao != now.decisao:
            decisoes[was.decisao, now.decisao] += 1
    return Efeito(total, leem, perdem, tuple(campos.most_common()), tuple(decisoes.most_common()))


@dataclass(frozen=True, slots=True)
class _Lido:
    normalizado: Mapping[str, Any]
    decisao: DecisaoFinal


class _Releitura:
    """A version reading stored pedidos; the body of several is read once, while they come one after the other."""

    def __init__(self, mapeamento: Mapeamento, fluxo: Fluxo) -> None:
        self._leitor = Leitor(mapeamento)
        self._fluxo = fluxo
        self._raw, self._recebido_em = b"", ""
        self._lido: Lido | None = None

    def read(self, pedido: Lembrado) -> _Lido | None:
        """The pedido as RF1 has it and what would be decided; None where this version would not take it."""
        recebido_em = pedido.recebido_em.isoformat()
        if (pedido.raw, recebido_em) != (self._raw, self._recebido_em):
            self._raw, self._recebido_em = pedido.raw, recebido_em
            self._lido = self._whole(pedido.raw, recebido_em)
        bruto = None if self._lido is None else _of_item(self._lido, pedido.item)
        if bruto is None:
            return None
        try:
            etapas = self._fluxo.decide_parte(Chegado(bruto, pedido.raw), pedido.recebido_em, pedido.da_casa).etapas
        except PedidoIlegivel:
            return None
        normalizado = msgspec.to_builtins(etapas.normalizacao.pedido_normalizado)
        normalizado.pop("extras", None)
        return _Lido(normalizado, etapas.sintese.decisao_final)

    def _whole(self, raw: bytes, recebido_em: str) -> Lido | None:
        try:
            documento = read_documentos(raw)[0]
        except PedidoIlegivel:
            return None
        valor = self._leitor.with_lists(documento.looked_into) if documento.midia == "xml" else documento.looked_into
        if not self._leitor.recognises(valor):
            return None
        lido = self._leitor.read(valor, recebido_em)
        # What came was taken whole, so an empty item is one of somebody else's, whose place was kept and nothing more.
        return None if any(um.codigo != ITEM_VAZIO for um in lido.graves) else lido


def _of_item(lido: Lido, item: int) -> Bruto | None:
    """The pedido of an item, by its number; the only one there, where it was left alone in its body."""
    if len(lido.pedidos) == 1:
        return lido.pedidos[0].bruto
    return next((um.bruto for um in lido.pedidos if um.numero == item), None)


def _campo(caminho: str) -> str:
    """The field of a leaf, as a mapping names it: `documentos_anexos[0].tipo` is of `documentos_anexos`."""
    campo = any_position(caminho).partition("[")[0]
    return DOCUMENTOS if campo.startswith(DOCUMENTOS) else campo


def effect_in_words(efeito: Efeito, versao: int) -> str:
    """The effect in a sentence or two, with the version that read the pedidos."""
    if not efeito.pedidos:
        return f"Nenhum dos últimos pedidos foi lido pela versão {versao}: não há com que comparar."
    quantos = "Do último pedido" if efeito.pedidos == 1 else f"Dos {number(efeito.pedidos)} últimos pedidos"
    says = [
        f"{number(efeito.leem)} {verb(efeito.leem, 'seria lido', 'seriam lidos')} de outro jeito",
        f"{number(efeito.perdem)} não {verb(efeito.perdem, 'seria mais lido', 'seriam mais lidos')}",
        f"{number(efeito.decidem)} {verb(efeito.decidem, 'teria', 'teriam')} outra decisão",
    ]
    if efeito.passam_a_esperar or efeito.deixam_de_esperar:
        says.append(
            f"{number(efeito.passam_a_esperar)} {verb(efeito.passam_a_esperar, 'passaria', 'passariam')} a esperar ajustes e "
            f"{number(efeito.deixam_de_esperar)} {verb(efeito.deixam_de_esperar, 'deixaria', 'deixariam')} de esperar"
        )
    told = f"{quantos} que a versão {versao} leu, {'; '.join(says)}."
    others = dict(efeito.campos).get(_QUEM, 0)
    if not others:
        return told
    return (
        f"{told} Em {count(others, 'pedido', 'pedidos')} muda o número do beneficiário: nos limites por período, o que já foi aprovado "
        "aqui sob o número antigo deixa de contar para o novo."
    )
