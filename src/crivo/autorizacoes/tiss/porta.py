"""The door of TISS: a guia in, its decisions through the same use cases as every pedido, the answer out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final
from uuid import UUID

from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.itens import Itens
from crivo.autorizacoes.service import Autorizacoes, Decidida
from crivo.autorizacoes.tiss.erros import MensagemRecusada, SemGuia
from crivo.autorizacoes.tiss.guia import Guia, is_same_guia
from crivo.autorizacoes.tiss.leitura import read_mensagem
from crivo.autorizacoes.tiss.pedidos import Complemento, chaves_of, check_valores, digest_of, grupos_of, numeros_of, pedidos_of
from crivo.autorizacoes.tiss.resposta import write
from crivo.autorizacoes.tiss.resultado import Resultado, guia_of, resultado_of, senha_of
from crivo.autorizacoes.tiss.xml import Esquema
from crivo.kernel.access import asks
from crivo.kernel.errors import Problem
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

SEM_COMPLEMENTO: Final = Complemento()


@dataclass(frozen=True, slots=True)
class Respondida:
    """The answer to a guia: its bytes, the decisions in it, and whether the guia was held to the schemas.

    `substituta` is the senha of a later message that stands in its place.
    """

    xml: bytes
    decididas: tuple[Decidida, ...]
    conferida: bool
    substituta: str | None = None


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
        check_valores(complemento, len(mensagem.procedimentos))
        digest = digest_of(raw, complemento)
        quantos = len(grupos_of(mensagem.procedimentos))
        decididas = await self._itens.da_mensagem(scope, partial(chaves_of, digest), quantos, lambda one: guia_of(one).itens)
        if decididas is None:
            self._check_data(mensagem.guia)
            plano = complemento.plano
            if plano is None:
                fluxo = await self._autorizacoes.vigente(scope)
                plano = fluxo.plano_de_todos(mensagem.guia.registro_ans, mensagem.guia.data_solicitacao[:10])
            substitui, antes = await self._anterior(scope, mensagem.guia, digest)
            pedidos = pedidos_of(mensagem.guia, mensagem.procedimentos, digest, complemento, plano, substitui, antes)
            decididas = await self._itens.decidir(scope, pedidos)
        resultados = [resultado_of(one.autorizacao) for one in decididas]
        senha = None
        if any(one.repetida for one in decididas):  # what was decided just now is the last of its guia
            senha = await self._senha_posterior(scope, [one.autorizacao for one in decididas])
        return Respondida(write(resultados, senha), tuple(decididas), mensagem.conferida, senha)

    @asks("autorizacoes.ler")
    async def responder(self, scope: Scope, autorizacao_id: UUID) -> bytes:
        """The answer to the guia that a stored decision is of, with what people decided since.

        Raises `AutorizacaoNotFound`, `DadosApagados`, `SemGuia`.
        """
        lida = await self._autorizacoes.ler(scope, autorizacao_id, "decisao")
        decisoes = await self._itens.irmaos(scope, lida, _chaves_de(lida))
        revisoes = await self._itens.revistas(scope, decisoes)
        resultados = [resultado_of(one, revisao) for one, revisao in zip(decisoes, revisoes, strict=True)]
        return write(resultados, await self._senha_posterior(scope, decisoes))

    def _check_data(self, guia: Guia) -> None:
        """Raises MensagemRecusada for a guia of a day that is far from here: limits by period would be counted as of then."""
        if self._autorizacoes.is_to_come(guia.data_solicitacao[:10]):
            told = "A data da solicitação (dataSolicitacao) ainda não chegou: corrija-a, ou envie a guia quando ela chegar."
            raise MensagemRecusada(told, [Problem(told, caminho="dataSolicitacao", codigo="valor_invalido")])

    async def _senha_posterior(self, scope: Scope, decisoes: Sequence[Autorizacao]) -> str | None:
        """The senha that stands in the place of what a message was given, by these decisions of it; None where none does."""
        try:
            found = await self._itens.substituta(scope, decisoes, _chaves_de)
            resultados = [resultado_of(one, revisao) for one, revisao in found]
        except SemGuia:  # a pedido in JSON that says it is of this guia
            return None
        return senha_of(sorted(resultados, key=lambda resultado: resultado.de.item))

    async def _anterior(self, scope: Scope, guia: Guia, digest: str) -> tuple[str | None, tuple[str, ...]]:
        """The senha of the last approved message of the same guia, None where none was; and what the last one said of the beneficiário."""
        mensagens: dict[str, list[Resultado]] = {}
        for autorizacao, revisao in await self._itens.com_numero(scope, numeros_of(guia)):
            with suppress(SemGuia):
                resultado = resultado_of(autorizacao, revisao)
                if resultado.de.mensagem != digest and is_same_guia(resultado.de.guia, guia):
                    mensagens.setdefault(resultado.de.mensagem, []).append(resultado)
        senhas = [senha_of(sorted(one, key=lambda resultado: resultado.de.item)) for one in mensagens.values()]
        antes = [one[0].ditos for one in mensagens.values()][-1:]
        return next((senha for senha in reversed(senhas) if senha is not None), None), antes[0] if antes else ()


def _chaves_de(autorizacao: Autorizacao) -> list[str]:
    """The keys of all procedimentos of the message that a decision is of. Raises `SemGuia`."""
    de = guia_of(autorizacao)
    return chaves_of(de.mensagem, de.itens)
