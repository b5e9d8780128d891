"""The door of FHIR: a Claim in, its decisions through the same use cases as every pedido, a ClaimResponse out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from crivo.autorizacoes.fhir.erros import SemClaim, refused
from crivo.autorizacoes.fhir.leitura import Solicitacao, read_claim
from crivo.autorizacoes.fhir.pedidos import (
    Identidade,
    administradora_of,
    chaves_of,
    digest_of,
    grupos_of,
    identidade_of,
    numeros_of,
    pedidos_of,
    plano_of,
)
from crivo.autorizacoes.fhir.resposta import Resultado, claim_of, pre_auth_ref, resultado_of, write
from crivo.autorizacoes.guardadas import Autorizacao
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


def identidade_guardada(resultado: Resultado) -> Identidade:
    """Which Claim a stored decision is of."""
    claim = resultado.de.claim
    return Identidade(resultado.de.remetente, claim.identifier or claim.id, resultado.beneficiario)


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
        quantos = len(grupos_of(solicitacao))
        decididas = await self._itens.da_mensagem(scope, partial(chaves_of, digest), quantos, lambda one: claim_of(one).itens)
        if decididas is None:
            if self._autorizacoes.is_to_come(solicitacao.claim.created[:10]):  # limits by period would be counted as of then
                raise refused("A data do Claim ainda não chegou: corrija created, ou envie quando ela chegar.", "value", "Claim.created")
            plano = plano_of(solicitacao)
            administradora = administradora_of(solicitacao)
            if plano is None and administradora is not None:
                plano = (await self._autorizacoes.vigente(scope)).plano_de_todos(administradora, solicitacao.claim.created[:10])
            substitui = await self._numero_anterior(scope, solicitacao, digest)
            decididas = await self._itens.decidir(scope, pedidos_of(solicitacao, digest, plano, substitui))
        numero = None
        if any(one.repetida for one in decididas):  # what was decided just now is the last of its Claim
            numero = await self._numero_posterior(scope, [one.autorizacao for one in decididas])
        return Respondida(write([resultado_of(one.autorizacao) for one in decididas], numero), tuple(decididas))

    @asks("autorizacoes.ler")
    async def responder(self, scope: Scope, autorizacao_id: UUID) -> bytes:
        """The ClaimResponse that a stored decision is of, with what people decided since.

        Raises `AutorizacaoNotFound`, `DadosApagados`, `SemClaim`.
        """
        lida = await self._autorizacoes.ler(scope, autorizacao_id, "decisao")
        decisoes = await self._itens.irmaos(scope, lida, _chaves_de(lida))
        revisoes = await self._itens.revistas(scope, decisoes)
        resultados = [resultado_of(one, revisao) for one, revisao in zip(decisoes, revisoes, strict=True)]
        return write(resultados, await self._numero_posterior(scope, decisoes))

    async def _numero_posterior(self, scope: Scope, decisoes: Sequence[Autorizacao]) -> str | None:
        """The number that stands in the place of what a Claim was given, by these decisions of it; None where none does."""
        try:
            found = await self._itens.substituta(scope, decisoes, _chaves_de)
            resultados = [resultado_of(one, revisao) for one, revisao in found]
        except SemClaim:  # a pedido in JSON that says it is of this Claim
            return None
        return pre_auth_ref(sorted(resultados, key=lambda resultado: resultado.de.item))

    async def _numero_anterior(self, scope: Scope, solicitacao: Solicitacao, digest: str) -> str | None:
        """The number that the last approved message of the same Claim was given; None where none was."""
        own = identidade_of(solicitacao)
        mensagens: dict[str, list[Resultado]] = {}
        for autorizacao, revisao in await self._itens.com_numero(scope, numeros_of(solicitacao)):
            with suppress(SemClaim):
                resultado = resultado_of(autorizacao, revisao)
                if resultado.de.mensagem != digest and identidade_guardada(resultado) == own:
                    mensagens.setdefault(resultado.de.mensagem, []).append(resultado)
        numeros = [pre_auth_ref(sorted(one, key=lambda resultado: resultado.de.item)) for one in mensagens.values()]
        return next((numero for numero in reversed(numeros) if numero is not None), None)


def _chaves_de(autorizacao: Autorizacao) -> list[str]:
    """The keys of all items of the message that a decision is of. Raises `SemClaim`."""
    de = claim_of(autorizacao)
    return chaves_of(de.mensagem, de.itens)
