"""The door of FHIR: a Claim in, its decisions through the same use cases as every pedido, a ClaimResponse out."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from crivo.autorizacoes.fhir.leitura import read_claim
from crivo.autorizacoes.fhir.pedidos import administradora_of, chaves_of, digest_of, pedidos_of, plano_of
from crivo.autorizacoes.fhir.resposta import claim_of, resultado_of, write
from crivo.autorizacoes.itens import Itens
from crivo.autorizacoes.service import Autorizacoes, Decidida
from crivo.kernel.access import asks
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope


@dataclass(frozen=True, slots=True)
class Respondida:
    """The answer to a Claim: its bytes, and the decisions in it."""

    json: bytes
    decididas: tuple[Decidida, ...]


class Fhir:
    """Claims decided. One Claim is one answer; each of its items is a pedido and a decision of its own."""

    def __init__(self, database: Database, autorizacoes: Autorizacoes) -> None:
        self._autorizacoes = autorizacoes
        self._itens = Itens(database, autorizacoes)

    @asks("autorizacoes.decidir")
    async def submeter(self, scope: Scope, raw: bytes) -> Respondida:
        """Decide what a Claim asks for; the same bytes are answered the same however often they come.

        Raises `ClaimIlegivel`, `ClaimRecusado`; what `Autorizacoes.decidir` raises. Source: FHIR R4, Claim/$submit.
        """
        solicitacao = read_claim(raw)
        digest = digest_of(raw)
        decididas = await self._itens.decididos(scope, chaves_of(digest, len(solicitacao.claim.item)))
        if decididas is None:
            plano = plano_of(solicitacao)
            administradora = administradora_of(solicitacao)
            if plano is None and administradora is not None:
                plano = (await self._autorizacoes.vigente(scope)).plano_de_todos(administradora, solicitacao.claim.created[:10])
            decididas = await self._itens.decidir(scope, pedidos_of(solicitacao, digest, plano))
        return Respondida(write([resultado_of(one.autorizacao) for one in decididas]), tuple(decididas))

    @asks("autorizacoes.ler")
    async def responder(self, scope: Scope, autorizacao_id: UUID) -> bytes:
        """The ClaimResponse that a stored decision is of, with what people decided since.

        Raises `AutorizacaoNotFound`, `DadosApagados`, `SemClaim`.
        """
        lida = await self._autorizacoes.ler(scope, autorizacao_id, "decisao")
        de = claim_of(lida)
        decisoes = await self._itens.irmaos(scope, lida, chaves_of(de.mensagem, de.itens))
        revisoes = await self._itens.revistas(scope, decisoes)
        return write([resultado_of(one, revisao) for one, revisao in zip(decisoes, revisoes, strict=True)])
