"""Use cases of reviewers: what waits, claim, decide, let go. Source: interfaces, `POST /api/autorizacoes/{id}/revisao`; PRD, person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, timedelta
from typing import Final
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal
from crivo.autorizacoes.entregas.aviso import Avisos
from crivo.autorizacoes.erros import AutorizacaoNotFound
from crivo.autorizacoes.fichas import Dizeres, add_many, ficha_de
from crivo.autorizacoes.guardadas import Apagada, Autorizacao, Resumo
from crivo.autorizacoes.leitura import read_pedido
from crivo.autorizacoes.revisao import storage
from crivo.autorizacoes.revisao.calendarios import calendarios_of
from crivo.autorizacoes.revisao.conferencia import check_proposta, mensagens_of
from crivo.autorizacoes.revisao.contracts import NaFila, Reserva, Revisao, RevisaoProposta
from crivo.autorizacoes.revisao.erros import ReservaAusente, ReservaDeOutro, ReservasDemais
from crivo.autorizacoes.revisao.fila import Panorama, Recorte, panorama_of, sieve
from crivo.autorizacoes.revisao.prazos import Prazo, prazo_ou_nenhum
from crivo.autorizacoes.revisao.responsaveis import NINGUEM
from crivo.autorizacoes.revisao.storage import fila as em_fila
from crivo.autorizacoes.revisao.storage.responsaveis import forget_owner, owner_of
from crivo.autorizacoes.seladas import REVISOES
from crivo.autorizacoes.storage import find as find_autorizacao
from crivo.autorizacoes.storage import find_many
from crivo.autorizacoes.titular import titular_of
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.access import asks
from crivo.kernel.audit import DIGESTS, NewEntry, append, read_seals
from crivo.kernel.clock import Clock
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.prazos import NACIONAL, Calendario
from crivo.kernel.sigilo import DadosApagados
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

CLAIM_LASTS: Final = timedelta(minutes=30)
MOST_CLAIMED: Final = 5  # at once by one person, so that nobody keeps the queue from the others
_FILLED_AT_ONCE: Final = 200
_decode_decisao = msgspec.json.Decoder(Decisao).decode


class _Normalizacao(msgspec.Struct):
    pedido_normalizado: _PedidoLido


class _PedidoLido(msgspec.Struct):
    procedimento: _ProcedimentoLido


class _ProcedimentoLido(msgspec.Struct):
    quantidade: int | float | None = None


class _EtapasLidas(msgspec.Struct):
    normalizacao: _Normalizacao


class _TrilhaLida(msgspec.Struct):
    etapas: _EtapasLidas


class Revisoes:
    """Decisions of people over those of the code. What the code decided is never rewritten."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        new_id: Callable[[], UUID],
        calendario: Calendario = NACIONAL,
        fila: Fila | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._calendario = calendario
        self._avisos = Avisos(fila or Fila())

    @asks("autorizacoes.revisar")
    async def fila(self, scope: Scope, limite: int | None = None) -> tuple[NaFila, ...]:
        """What waits for a person, the urgent first, then the shortest deadline."""
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            await complete(uow, _FILLED_AT_ONCE)
            found = await em_fila.read_fila(uow, now, await calendarios_of(uow, self._calendario))
        return tuple(found[:limite])

    @asks("autorizacoes.revisar")
    async def panorama(self, scope: Scope) -> Panorama:
        """How many wait by how near their deadline is, and which is the nearest."""
        async with self._database.unit_of_work(scope) as uow:
            grupos, calendarios = await em_fila.by_hour(uow), await calendarios_of(uow, self._calendario)
        return panorama_of(grupos, calendarios, self._clock.now(), scope.ator)

    @asks("autorizacoes.revisar")
    async def dizeres(self, scope: Scope, autorizacao_ids: Sequence[UUID]) -> Mapping[UUID, Dizeres]:
        """What these decisions are about: the beneficiário's number and the procedure; erased ones are left out."""
        async with self._database.unit_of_work(scope) as uow:
            return await em_fila.dizeres_of(uow, autorizacao_ids)

    @asks("autorizacoes.revisar")
    async def dizeres_da_fila(self, scope: Scope) -> Mapping[UUID, Dizeres]:
        """What all are about that wait for a person."""
        async with self._database.unit_of_work(scope) as uow:
            return await em_fila.dizeres_of_fila(uow)

    @asks("autorizacoes.ler")
    async def que_esperam(self, scope: Scope, recorte: Recorte) -> tuple[Resumo, ...]:
        """Those that wait for a person and are asked for by anything but words, the newest first."""
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            fila = await em_fila.read_fila(uow, now, await calendarios_of(uow, self._calendario))
        found = sorted(sieve(fila, recorte, now, scope.ator, {}), key=lambda one: one.id, reverse=True)
        return tuple([Resumo(one.id, one.pedido_id, one.administradora_id, one.decisao_final, one.recebida_em) for one in found])

    @asks("autorizacoes.ler")
    async def prazos(self, scope: Scope, resumos: Sequence[Resumo]) -> Mapping[UUID, Prazo | None]:
        """By when each of these decisions has to be answered by a person, of those that wait for one; None where it cannot be counted."""
        async with self._database.unit_of_work(scope) as uow:
            grupos = await em_fila.waiting_among(uow, [one.id for one in resumos])
            calendarios = await calendarios_of(uow, self._calendario)
        return {
            one.id: prazo_ou_nenhum(
                one.recebida_em, urgente=grupos[one.id][0], tipo=grupos[one.id][1], calendario=calendarios.de(one.administradora_id)
            )
            for one in resumos
            if one.id in grupos
        }

    @asks("autorizacoes.revisar")
    async def reservar(self, scope: Scope, autorizacao_id: UUID) -> Reserva:
        """Take a decision in hand for half an hour; one that is in hand already stays so until then, and no longer.

        Raises AutorizacaoNotFound, ReservaDeOutro, ReservasDemais where five others are in hand.
        """
        now = self._clock.now()
        reserva = Reserva(autorizacao_id, scope.ator, now + CLAIM_LASTS)
        async with self._database.unit_of_work(scope) as uow:
            await _get(uow, autorizacao_id)
            held = await storage.count_held(uow, now)
            before = await storage.holder(uow, autorizacao_id, now)
            if before is not None and before.revisor == scope.ator:
                return before
            await _require_own(uow, autorizacao_id)
            if before is None and held >= MOST_CLAIMED:
                raise ReservasDemais(
                    f"Cada pessoa fica com até {MOST_CLAIMED} decisões de cada vez, para que as outras também trabalhem. "
                    "Decida uma das que estão com você, ou devolva-a à fila, e pegue esta depois."
                )
            if before is not None or not await storage.claim(uow, autorizacao_id, reserva.ate, now):
                raise ReservaDeOutro("Outra pessoa está com esta decisão. Pegue a próxima da fila, ou espere: ela volta em até 30 minutos.")
            await append(uow, now, [NewEntry(acao="autorizacao.reservada", alvo=str(autorizacao_id))])
        return reserva

    @asks("autorizacoes.revisar")
    async def reserva(self, scope: Scope, autorizacao_id: UUID) -> Reserva | None:
        """Who has a decision in hand, or None."""
        async with self._database.unit_of_work(scope) as uow:
            return await storage.holder(uow, autorizacao_id, self._clock.now())

    @asks("autorizacoes.revisar")
    async def dono(self, scope: Scope, autorizacao_id: UUID) -> str:
        """Whose a decision is, which nobody else decides; empty where it is nobody's."""
        async with self._database.unit_of_work(scope) as uow:
            return await owner_of(uow, autorizacao_id)

    @asks("autorizacoes.revisar")
    async def liberar(self, scope: Scope, autorizacao_id: UUID) -> None:
        """Let go of a decision; letting go of what one does not have is no fault."""
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            if await storage.release(uow, autorizacao_id, scope.ator, now):
                await append(uow, now, [NewEntry(acao="autorizacao.devolvida", alvo=str(autorizacao_id))])

    @asks("autorizacoes.liberar_de_outro")
    async def liberar_de_outro(self, scope: Scope, autorizacao_id: UUID) -> None:
        """Give back to the queue what somebody has in hand, whoever that is; what nobody has is no fault. Raises AutorizacaoNotFound."""
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            await _get(uow, autorizacao_id)
            reserva = await storage.holder(uow, autorizacao_id, now)
            if reserva is not None and await storage.release(uow, autorizacao_id, reserva.revisor, now):
                dados = {"de": reserva.revisor}
                await append(uow, now, [NewEntry(acao="autorizacao.liberada", alvo=str(autorizacao_id), dados=dados)])

    @asks("autorizacoes.ler")
    async def historico(self, scope: Scope, autorizacao_id: UUID) -> tuple[Revisao, ...]:
        """The reviews of a decision, the newest first; the first one is what stands."""
        async with self._database.unit_of_work(scope) as uow:
            return await storage.reviews_of(uow, autorizacao_id)

    @asks("autorizacoes.ler")
    async def revistas(self, scope: Scope, autorizacao_ids: Sequence[UUID]) -> Mapping[UUID, DecisaoFinal]:
        """What stands for each of these decisions that a person reviewed; the others are left out."""
        async with self._database.unit_of_work(scope) as uow:
            return await storage.standing(uow, autorizacao_ids)

    @asks("autorizacoes.revisar")
    async def decidir(self, scope: Scope, autorizacao_id: UUID, proposta: RevisaoProposta, *, livre: bool = False) -> Revisao:
        """Decide over a decision that one has in hand; it is let go of. With `livre`, over one that nobody has too.

        Raises AutorizacaoNotFound, ReservaAusente, ReservaDeOutro, RevisaoInvalida with every fault.
        """
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            autorizacao = await _get(uow, autorizacao_id)
            reserva = await storage.holder(uow, autorizacao_id, now)
            if reserva is None and not livre:
                raise ReservaAusente(
                    "Esta decisão não está com você: os 30 minutos passaram, ou quem cuida da fila a devolveu. "
                    "Pegue-a de novo; o que você escreveu fica."
                )
            await _require_own(uow, autorizacao_id)
            if reserva is None:  # held while it is decided, so that two who decide at once do so one after another
                taken = await storage.claim(uow, autorizacao_id, now + CLAIM_LASTS, now)
            else:
                taken = reserva.revisor == scope.ator
            if not taken:
                raise ReservaDeOutro("Outra pessoa está com esta decisão. Espere ela terminar, ou fale com ela.")
            check_proposta(proposta, _asked(autorizacao))
            before = await storage.reviews_of(uow, autorizacao_id)
            revisao = self._made(scope, autorizacao, before[0].decisao_final if before else autorizacao.decisao_final, proposta)
            await storage.add(uow, revisao)
            await storage.release(uow, autorizacao_id, scope.ator, now)
            await forget_owner(uow, autorizacao_id)
            selos = await read_seals(uow, REVISOES, {"id": revisao.id})
            dados = {"de": revisao.decisao_anterior, "para": revisao.decisao_final, "revisao": str(revisao.id), DIGESTS: selos}
            await append(uow, now, [NewEntry(acao="autorizacao.revista", alvo=str(autorizacao_id), dados=dados)])
            await self._avisos.revista(uow, autorizacao, revisao.id, revisao.decidida_em)
        return revisao.encoberta

    def _made(self, scope: Scope, autorizacao: Autorizacao, before: DecisaoFinal, proposta: RevisaoProposta) -> Revisao:
        return Revisao(
            id=self._new_id(),
            autorizacao_id=autorizacao.id,
            decisao_anterior=before,
            decisao_final=proposta.decisao_final,
            quantidade_aprovada=proposta.quantidade_aprovada,
            motivo=proposta.motivo.strip(),
            mensagens=mensagens_of(proposta, _decode_decisao(autorizacao.decisao)),
            revisor=scope.ator,
            decidida_em=self._clock.now().astimezone(UTC),
        )


async def complete(uow: UnitOfWork, limite: int) -> int:
    """Write the fichas of up to so many decisions that wait and were stored before there were any; how many."""
    found = [one for one in await find_many(uow, await em_fila.without_ficha(uow, limite)) if isinstance(one, Autorizacao)]
    if not found:
        return 0
    keys = await uow.cofre.keys(uow, [one.id for one in found])
    made = []
    for one in found:
        chave, trilha = keys.get(one.id), msgspec.json.decode(one.trilha, type=Trilha)
        ficha = ficha_de(trilha, titular_of(read_pedido(one.pedido), trilha.etapas.normalizacao.pedido_normalizado))
        if chave is not None and ficha is not None:
            made.append((one.id, ficha, chave))
    await add_many(uow, made)
    return len(made)


async def _require_own(uow: UnitOfWork, autorizacao_id: UUID) -> None:
    """Raises ReservaDeOutro where a decision is somebody else's."""
    if await owner_of(uow, autorizacao_id) not in (NINGUEM, uow.scope.ator):
        raise ReservaDeOutro(
            "Esta decisão tem outra pessoa responsável. Escolha outra da fila, ou peça a quem a tem que a solte, ou a quem cuida da fila "
            "que a passe a você."
        )


async def _get(uow: UnitOfWork, autorizacao_id: UUID) -> Autorizacao:
    found = await find_autorizacao(uow, autorizacao_id)
    if found is None:
        raise AutorizacaoNotFound("Não há decisão guardada com este identificador. Volte à fila e escolha outra.")
    if isinstance(found, Apagada):
        raise DadosApagados
    return found


def _asked(autorizacao: Autorizacao) -> int | float | None:
    return _procedimento(autorizacao.trilha).quantidade


def _procedimento(trilha: bytes) -> _ProcedimentoLido:
    return msgspec.json.decode(trilha, type=_TrilhaLida).etapas.normalizacao.pedido_normalizado.procedimento
