"""The check of a text about a decision: whether it may stand, and which fault it has. Source: design, "What the model may write"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, get_args

import msgspec

from crivo.autorizacoes.redacao.alegacoes import check_alegacoes
from crivo.autorizacoes.redacao.codigos import check_codigos
from crivo.autorizacoes.redacao.completude import check_completude
from crivo.autorizacoes.redacao.datas import check_datas
from crivo.autorizacoes.redacao.desfecho import check_desfecho, check_nomes, check_quantas
from crivo.autorizacoes.redacao.documentos import check_documentos, check_fontes
from crivo.autorizacoes.redacao.exigencias import check_exigencias
from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.insumos import Campo, Decidido, Falha
from crivo.autorizacoes.redacao.jargao import check_jargao
from crivo.autorizacoes.redacao.leitura import Leitura, read
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.autorizacoes.redacao.papeis import check_quantias, check_valores
from crivo.autorizacoes.redacao.regras import check_regras

FALHAS: Final[tuple[Falha, ...]] = get_args(Falha)


class Veredito(msgspec.Struct, frozen=True):
    """Whether a text may stand: `falha` is the first kind of fault in the order of the contract, None when there is none."""

    ok: bool
    falha: Falha | None
    achados: tuple[Achado, ...]

    @property
    def falhas(self) -> tuple[Falha, ...]:
        """Every kind of fault found, in the order of the contract."""
        return tuple(falha for falha in FALHAS if any(achado.falha == falha for achado in self.achados))


def conferir(texto: str, campo: Campo, decidido: Decidido) -> Veredito:
    """Hold a text for a field of the decision against the decision and its inputs; pure, the same for the same arguments."""
    fatos = Fatos(decidido)
    found = _silent(fatos, campo) if not texto.strip() else _achados(Pagina(texto), campo, fatos)
    achados = tuple(sorted(found, key=lambda achado: FALHAS.index(achado.falha)))
    return Veredito(not achados, achados[0].falha if achados else None, achados)


def _silent(fatos: Fatos, campo: Campo) -> Iterator[Achado]:
    denial = fatos.final == "NEGADO" and campo in ("para_beneficiario", "para_solicitante")
    yield Achado("sem_fonte" if denial else "resultado", "", "o texto está vazio")


def _achados(pagina: Pagina, campo: Campo, fatos: Fatos) -> Iterator[Achado]:
    """What each judge finds in what was read, and the claims of the sentences in which no word told it already.

    What code finds never hangs on a weight.
    """
    lida = read(pagina, fatos)
    found = tuple(_signs(pagina, campo, fatos, lida))
    yield from found or check_completude(pagina, fatos, campo)
    for achado in check_alegacoes(pagina, lida.mascarado, fatos, campo):
        if not any(sign.falha in ("resultado", "jargao") and sign.trecho in achado.trecho for sign in found):
            yield achado


def _signs(pagina: Pagina, campo: Campo, fatos: Fatos, lida: Leitura) -> Iterator[Achado]:
    yield from check_datas(pagina, lida.said, fatos, lida.datas)
    yield from check_documentos(pagina, lida.said, fatos, lida.mencoes)
    yield from check_fontes(pagina, lida.fontes)
    yield from check_codigos(pagina, fatos, lida.codigos)
    yield from check_valores(pagina, fatos, lida.valores)
    yield from check_quantias(pagina, lida.left, fatos, lida.quantias)
    yield from check_desfecho(pagina, lida.unsourced, fatos, campo)
    yield from check_quantas(pagina, lida.unsourced, fatos, campo, lida.quantias)
    yield from check_nomes(pagina, lida.unsourced, fatos)
    yield from check_exigencias(pagina, lida.unsourced, fatos, campo, lida.mencoes)
    yield from check_regras(pagina, lida.unsourced, lida.unnamed, fatos, campo)
    yield from check_jargao(pagina, lida.unnamed, fatos, campo, lida.codigos)
