"""The door of TISS: a guia in, its decisions through the same use cases as every pedido, the answer out."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from crivo.autorizacoes.itens import Itens
from crivo.autorizacoes.service import Autorizacoes, Decidida
from crivo.autorizacoes.tiss.leitura import read_mensagem
from crivo.autorizacoes.tiss.pedidos import Complemento, chaves_of, digest_of, pedidos_of
from crivo.autorizacoes.tiss.resposta import guia_of, resultado_of, write
from crivo.autorizacoes.tiss.xml import Esquema
from crivo.kernel.access import asks
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

SEM_COMPLEMENTO: Final = Complemento()


@dataclass(frozen=True, slots=True)
class Respondida:
    """The answer to a guia: its bytes, the decisions in it, and whether the guia was held to the schemas."""

    xml: bytes
    decididas: tuple[Decidida, ...]
    conferida: bool


class Tiss:
    """Guias of TISS, decided. One guia is one answer; each of its procedimentos is a pedido and a decision of its own."""

    def __init__(self, database: Database, autorizacoes: Autorizacoes, esquema: Esquema) -> None:
        self._autorizacoes = autorizacoes
        self._itens = Itens(database, autorizacoes)
        self._esquema = esquema

    @asks("autorizacoes.decidir")
    async def decidir(self, scope: Scope, raw: bytes, complemento: Complemento = SEM_COMPLEMENTO) -> Respondida:
        """Decide what a guia asks for; the same bytes, with the same `complemento`, are answered the same however often they come.

        Raises `MensagemIlegivel`, `MensagemRecusada`; what `Autorizacoes.decidir` raises. Source: design, "Standards".
        """
        mensagem = await asyncio.to_thread(read_mensagem, raw, self._esquema)  # schemas take a while, and others are not to wait
        digest = digest_of(raw, complemento)
        decididas = await self._itens.decididos(scope, chaves_of(digest, len(mensagem.procedimentos)))
        if decididas is None:
            plano = complemento.plano
            if plano is None:
                fluxo = await self._autorizacoes.vigente(scope)
                plano = fluxo.plano_de_todos(mensagem.guia.registro_ans, mensagem.guia.data_solicitacao[:10])
            pedidos = pedidos_of(mensagem.guia, mensagem.procedimentos, digest, complemento, plano)
            decididas = await self._itens.decidir(scope, pedidos)
        return Respondida(write([resultado_of(one.autorizacao) for one in decididas]), tuple(decididas), mensagem.conferida)

    @asks("autorizacoes.ler")
    async def responder(self, scope: Scope, autorizacao_id: UUID) -> bytes:
        """The answer to the guia that a stored decision is of, with what people decided since.

        Raises `AutorizacaoNotFound`, `DadosApagados`, `SemGuia`.
        """
        lida = await self._autorizacoes.ler(scope, autorizacao_id, "decisao")
        de = guia_of(lida)
        decisoes = await self._itens.irmaos(scope, lida, chaves_of(de.mensagem, de.itens))
        revisoes = await self._itens.revistas(scope, decisoes)
        return write([resultado_of(one, revisao) for one, revisao in zip(decisoes, revisoes, strict=True)])
