"""A mapping proved on many pedidos: how many it reads, what is left over, which words have no translation, each counted.

Source: design, "Their own format in".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import PedidoIlegivel, read_json_value
from crivo.autorizacoes.mapeamento.aplicacao import Leitor
from crivo.autorizacoes.mapeamento.caminhos import any_position
from crivo.autorizacoes.mapeamento.documento import Mapeamento
from crivo.autorizacoes.mapeamento.midia import midia_of, read_documentos
from crivo.autorizacoes.mapeamento.montagem import Palavra, untranslated
from crivo.autorizacoes.mapeamento.prova import prove_pedido
from crivo.autorizacoes.motivos import PEDIDO_INVALIDO

MOST: Final = 200
_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class ProvaDeMuitos:
    """What a mapping makes of many samples: `lidos` of `amostras` gave pedidos to be evaluated, `fora` were more than are tried at once.

    `nao_reconhecidos` are the samples that this mapping would not take for its own once published.
    `problemas` are (código, path with any position, how many), the most frequent first; so are the places left over and the words.
    """

    amostras: int
    lidos: int
    pedidos: int
    fora: int
    decisoes: tuple[tuple[DecisaoFinal, int], ...]
    problemas: tuple[tuple[str, str, int], ...]
    sobras: tuple[tuple[str, int], ...]
    palavras: tuple[tuple[Palavra, int], ...]
    nao_reconhecidos: int = 0


def split_samples(raw: bytes) -> tuple[bytes, ...]:
    """What of a file is tried one by one: a line of NDJSON each; an XML, a table or a JSON of several lines is one that may bring many."""
    if midia_of(raw) != "json":
        return (raw,)
    lines = [line for line in raw.splitlines() if line.strip()]
    if len(lines) < 2:
        return (raw,)
    try:
        read_json_value(raw)
    except PedidoIlegivel:
        return tuple(lines)
    return (raw,)


def prove_many(
    mapeamento: Mapeamento, amostras: Sequence[bytes], fluxo: Fluxo, recebido_em: date, planos: Sequence[str] = ()
) -> ProvaDeMuitos:
    """The trial on up to 200 samples; what cannot be read is a problem too. `planos` are the administradora's. Raises nothing."""
    leitor = Leitor(mapeamento)
    problemas: Counter[tuple[str, str]] = Counter()
    sobras: Counter[str] = Counter()
    palavras: Counter[Palavra] = Counter()
    decisoes: Counter[DecisaoFinal] = Counter()
    total = lidos = pedidos = fora = estranhos = 0
    for raw in amostras:
        for valor in _values(leitor, raw, problemas):
            if total >= MOST:
                fora += 1
                continue
            total += 1
            if valor is _UNREADABLE:
                continue
            lido = leitor.read(valor, recebido_em.isoformat())
            unmet = leitor.unmet(valor)
            problemas.update({("nao_reconhecido", um) for um in unmet})
            estranhos += bool(unmet)
            found = {(um.codigo, any_position(um.caminho)) for um in lido.problemas}
            graves = bool(unmet or lido.graves)
            for pedido in lido.pedidos:
                provado, achados = prove_pedido(pedido, fluxo, recebido_em)
                found |= {(um.codigo, any_position(um.caminho)) for um in achados}
                graves = graves or any(um.grave for um in achados)
                pedidos += 1
                if provado.decisao is not None:
                    decisoes[provado.decisao.decisao_final] += 1
                    graves = graves or PEDIDO_INVALIDO in provado.decisao.artefato_registro.motivos
            problemas.update(found)
            sobras.update({any_position(um.caminho) for um in lido.nao_usados})
            palavras.update(untranslated([um.bruto for um in lido.pedidos], planos, [um.origem for um in lido.pedidos]))
            lidos += not graves
    return ProvaDeMuitos(
        total,
        lidos,
        pedidos,
        fora,
        tuple(decisoes.most_common()),
        tuple([(codigo, caminho, quantos) for (codigo, caminho), quantos in problemas.most_common(_SHOWN)]),
        tuple(sobras.most_common(_SHOWN)),
        tuple(palavras.most_common(_SHOWN)),
        estranhos,
    )


_UNREADABLE: Final = object()


def _values(leitor: Leitor, raw: bytes, problemas: Counter[tuple[str, str]]) -> Iterator[Any]:
    """The documents in one sample, as paths look into them."""
    try:
        documentos = read_documentos(raw)
    except PedidoIlegivel as error:
        problemas[error.codigo, ""] += 1
        yield _UNREADABLE
        return
    for documento in documentos:
        if documento.midia == "csv" and leitor.ignores(documento.looked_into):
            continue
        yield leitor.with_lists(documento.looked_into) if documento.midia == "xml" else documento.looked_into
