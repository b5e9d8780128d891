"""Use cases of authorizations: decide and store, read, list, and re-run a stored decision.

A model may write the texts of a decision (`assistido`) or be compared with it afterwards (`sombra`); the decision is the code's own.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from itertools import groupby
from typing import TYPE_CHECKING, Literal
from uuid import UUID

from crivo.autorizacoes import cota, storage
from crivo.autorizacoes.acompanhamento import DecididoPeloCodigo, Observador, quiet
from crivo.autorizacoes.conferencia import Conferencia, hold_again
from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.entregas.aviso import Avisos
from crivo.autorizacoes.erros import AutorizacaoNotFound, ChaveInvalida, ChaveReutilizada
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.guardadas import Apagada, Autorizacao, Ordem, Resumo
from crivo.autorizacoes.leitura import Bruto, read_pedido
from crivo.autorizacoes.lote import Rules
from crivo.autorizacoes.modelo.redator import Redator
from crivo.autorizacoes.modelo.trabalhos import jobs_after
from crivo.autorizacoes.politicas.storage import campos_at, catalogo_versao
from crivo.autorizacoes.politicas.vigentes import Vigentes, politicas_at
from crivo.autorizacoes.seladas import AUTORIZACOES
from crivo.autorizacoes.titular import titular_of
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.access import asks
from crivo.kernel.audit import DIGESTS, NewEntry, append
from crivo.kernel.clock import Clock, today
from crivo.kernel.cotas import exhausted
from crivo.kernel.errors import CrivoError
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.llm.port import Modelo
from crivo.kernel.sigilo import DadosApagados, Identidade
from crivo.kernel.storage.group_commit import GroupCommit
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.kernel.settings import ModoAutorizacoes

LARGEST_PAGE = 200
LONGEST_KEY = 200
_LONGEST_INDEXED_ID = 500

Parte = Literal["pagina", "decisao", "trilha"]
"""What of a stored decision somebody reads: its page, its document or its trail."""


@dataclass(frozen=True, slots=True)
class Decidida:
    """A decision in the store; `repetida` where an idempotency key brought an earlier one back."""

    autorizacao: Autorizacao
    repetida: bool


@dataclass(frozen=True, slots=True)
class Pagina:
    """A page of decisions, newest first; `cursor` continues it, None at the end."""

    itens: tuple[Resumo, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True)
class Folha:
    """Page `numero`, from 1, of `total` decisions."""

    itens: tuple[Resumo, ...]
    total: int
    numero: int


@dataclass(frozen=True, slots=True)
class _Pronta:
    """A decision taken under a catalogue version, before it is stored."""

    trilha: Trilha
    versao: int
    recebida_em: datetime
    data_recebimento: date
    titular: Identidade


@dataclass(frozen=True, slots=True)
class _Entrada:
    """A pedido on its way to be stored; `pronta` where it was decided before, so that its texts could be written meanwhile."""

    ator: str
    raw: bytes
    bruto: Bruto
    chave: storage.Chave | None
    observador: Observador | None = None
    pronta: _Pronta | None = None


@dataclass(frozen=True, slots=True)
class _Nova:
    """A decision about to be stored."""

    entrada: _Entrada
    pronta: _Pronta
    autorizacao: Autorizacao


class _SemLugar(Exception):
    """Some of a batch have no room in the quota of the day. It ends a transaction and reaches nobody: the batch is begun again."""

    def __init__(self, fora: Mapping[int, CrivoError]) -> None:
        super().__init__()
        self.fora = fora


class Autorizacoes:
    """Decisions of a tenant. Decision, trail and audit entry are one transaction: what was answered is stored.

    `modo` says what a model does, where there is one: nothing, the texts, or a comparison after the answer.
    """

    def __init__(
        self,
        database: Database,
        vigentes: Vigentes,
        clock: Clock,
        new_id: Callable[[], UUID],
        *,
        modelo: Modelo | None = None,
        modo: ModoAutorizacoes = "codigo",
        fila: Fila | None = None,
    ) -> None:
        self._database = database
        self._vigentes = vigentes
        self._clock = clock
        self._new_id = new_id
        self._modo: ModoAutorizacoes = "codigo" if modelo is None else modo
        self._redator = Redator(modelo) if modelo is not None and modo == "assistido" else None
        self._fila = fila or Fila()
        self._avisos = Avisos(self._fila)
        self._writing: dict[tuple[str, str], asyncio.Future[None]] = {}
        self._group = GroupCommit[_Entrada, Decidida](self._decide_batch)

    @property
    def um_modelo_escreve(self) -> bool:
        """Whether a decision waits for a model's words, so that there is something to watch."""
        return self._redator is not None

    @asks("autorizacoes.decidir")
    async def decidir(self, scope: Scope, raw: bytes, chave: str | None = None, *, observador: Observador | None = None) -> Decidida:
        """Decide a pedido and store the decision; with an idempotency key, once however often it is sent.

        `observador` is told how it goes until the decision is stored, and is not to block; what fails in it undoes nothing. Of a
        decision that was there already it is told nothing.
        Raises `PedidoIlegivel`, `ChaveReutilizada`, `ChaveInvalida`; `CotaEsgotada` where the organisation's day is full.
        Source: PRD section 4; interfaces, `POST /api/autorizacoes`.
        """
        if chave is not None and not 0 < len(chave) <= LONGEST_KEY:
            raise ChaveInvalida(f"A chave de idempotência deve ter de 1 a {LONGEST_KEY} caracteres.")
        bruto = read_pedido(raw)
        key = None if chave is None else storage.Chave(chave, hashlib.sha256(raw).digest())
        entrada = _Entrada(scope.ator, raw, bruto, key, observador)
        if self._redator is None:
            return await self._group.submit(scope.tenant_id, entrada)
        return await self._decide_assisted(scope, entrada, self._redator)

    @asks("autorizacoes.ler")
    async def obter(self, scope: Scope, autorizacao_id: UUID) -> Autorizacao:
        """A stored decision. Raises `AutorizacaoNotFound`, for another tenant's too, `DadosApagados`."""
        async with self._database.unit_of_work(scope) as uow:
            return _found(await storage.find(uow, autorizacao_id))

    @asks("autorizacoes.ler")
    async def ler(self, scope: Scope, autorizacao_id: UUID, parte: Parte) -> Autorizacao:
        """`obter`, for whoever is then shown it or takes it away: the audit tells who, and of what. Source: design/sujeito.md, table, 7."""
        async with self._database.unit_of_work(scope) as uow:
            found = _found(await storage.find(uow, autorizacao_id))
            await append(
                uow, self._clock.now(), [NewEntry(acao="autorizacao.lida", alvo=f"autorizacao:{autorizacao_id}", dados={"parte": parte})]
            )
            return found

    @asks("autorizacoes.ler")
    async def resumo(self, scope: Scope, autorizacao_id: UUID) -> Resumo:
        """What lists tell of a stored decision, erased ones too. Raises `AutorizacaoNotFound`."""
        async with self._database.unit_of_work(scope) as uow:
            found = _known(await storage.find(uow, autorizacao_id))
        if isinstance(found, Apagada):
            return found.resumo
        return Resumo(found.id, found.pedido_id, found.administradora_id, found.decisao_final, found.recebida_em)

    @asks("autorizacoes.ler")
    async def listar(
        self,
        scope: Scope,
        *,
        status: DecisaoFinal | None = None,
        desde: datetime | None = None,
        numero: str | None = None,
        cursor: UUID | None = None,
        limite: int = 50,
    ) -> Pagina:
        """Decisions from the newest back, at most 200 a page; `numero` is any part of the pedido's number."""
        limite = max(1, min(limite, LARGEST_PAGE))
        async with self._database.unit_of_work(scope) as uow:
            itens = await storage.list_page(uow, status=status, desde=desde, numero=numero, antes_de=cursor, limite=limite + 1)
        more = len(itens) > limite
        return Pagina(tuple(itens[:limite]), str(itens[limite - 1].id) if more else None)

    @asks("autorizacoes.ler")
    async def numeros(self, scope: Scope, autorizacao_ids: Sequence[UUID]) -> Mapping[UUID, str]:
        """The pedido's number of each of these decisions, of those that have one."""
        async with self._database.unit_of_work(scope) as uow:
            return await storage.numbers_of(uow, autorizacao_ids)

    @asks("autorizacoes.ler")
    async def folhear(
        self,
        scope: Scope,
        *,
        status: DecisaoFinal | None = None,
        desde: datetime | None = None,
        busca: str = "",
        ordem: Ordem = "-recebida",
        pagina: int = 1,
        tamanho: int = 20,
    ) -> Folha:
        """Decisions by pages that have numbers; `busca` is any part of the pedido's number or of the administradora's code."""
        async with self._database.unit_of_work(scope) as uow:
            itens, total, numero = await storage.list_sheet(
                uow, status=status, desde=desde, busca=busca, ordem=ordem, pagina=max(1, pagina), tamanho=min(tamanho, LARGEST_PAGE)
            )
        return Folha(tuple(itens), total, numero)

    @asks("autorizacoes.ler")
    async def conferir(self, scope: Scope, referencia: str) -> Conferencia:
        """Re-run a stored decision, by its id or by the pedido's number (the latest), and compare field by field.

        Raises `AutorizacaoNotFound`, `DadosApagados`.
        """
        async with self._database.unit_of_work(scope) as uow:
            guardada = _found(await _find_any(uow, referencia))
            fluxo = await self._vigentes.at(uow, guardada.catalogo_versao)
        return hold_again(guardada, fluxo)

    @asks("autorizacoes.decidir")
    async def vigente(self, scope: Scope) -> Fluxo:
        """The rules in force now, compiled, to decide in this process without storing."""
        async with self._database.unit_of_work(scope) as uow:
            return (await self._vigentes.current(uow))[1]

    @asks("autorizacoes.decidir")
    async def regras_em_vigor(self, scope: Scope) -> Rules:
        """The rules as published now and today's date, to hand to other processes that decide a lote."""
        async with self._database.unit_of_work(scope) as uow:
            versao = await catalogo_versao(uow)
            return Rules(await politicas_at(uow, versao), await campos_at(uow, versao), today(self._clock))

    async def _decide_assisted(self, scope: Scope, entrada: _Entrada, redator: Redator) -> Decidida:
        """Decide, have the texts written outside of any transaction, and only then queue up to be stored: nobody else waits for a model.

        A key that is being written for already is waited for, and one that was decided is answered from the store: neither pays again.
        """
        if entrada.chave is None:
            return await self._write_and_store(scope, entrada, redator)
        key = (scope.tenant_id, entrada.chave.chave)
        while (other := self._writing.get(key)) is not None:
            await asyncio.wait([other])
        self._writing[key] = done = asyncio.get_running_loop().create_future()
        try:
            return await self._write_and_store(scope, entrada, redator)
        finally:
            del self._writing[key]
            done.set_result(None)

    async def _write_and_store(self, scope: Scope, entrada: _Entrada, redator: Redator) -> Decidida:
        async with self._database.unit_of_work(scope) as uow:
            if entrada.chave is not None:
                before = (await storage.find_by_keys(uow, [entrada.chave.chave])).get(entrada.chave.chave)
                if before is not None and before[0] != entrada.chave.corpo_digest:
                    raise _reused()
                if before is not None:
                    return Decidida(_whole(before[1]), repetida=True)
            full = await cota.is_full(uow, today(self._clock))
            if full is not None:
                raise exhausted("decisoes_por_dia", Decimal(full.no_dia), Decimal(full.limite), self._clock.now())
            versao, fluxo = await self._vigentes.current(uow)
        pronta = self._decided(entrada, fluxo, versao)
        pronta = replace(pronta, trilha=await redator.escrever(scope, pronta.trilha, entrada.observador))
        return await self._group.submit(scope.tenant_id, replace(entrada, pronta=pronta))

    async def _decide_batch(self, tenant_id: str, entradas: Sequence[_Entrada]) -> list[Decidida | CrivoError]:
        """Decide what came together and store it in one transaction; a pedido's own fault, or no room for it, is an answer to it alone."""
        fora: dict[int, CrivoError] = {}
        while True:
            try:
                return await self._decide_those(tenant_id, entradas, fora)
            except _SemLugar as full:
                fora.update(full.fora)

    async def _decide_those(
        self, tenant_id: str, entradas: Sequence[_Entrada], fora: Mapping[int, CrivoError]
    ) -> list[Decidida | CrivoError]:
        """The same, without those that are known to have no room. Raises _SemLugar where there are more of them."""
        async with self._database.unit_of_work(Scope(tenant_id, entradas[0].ator)) as uow:
            versao, is_counted = await cota.begin(uow)
            fluxo = await self._vigentes.at(uow, versao)
            prontas = [fora.get(at) or self._decide_one(entrada, fluxo, versao) for at, entrada in enumerate(entradas)]
            resultados: list[Decidida | CrivoError] = [
                pronta if isinstance(pronta, CrivoError) else Decidida(self._autorizacao(entrada, pronta), repetida=False)
                for entrada, pronta in zip(entradas, prontas, strict=True)
            ]
            await self._settle_keys(uow, entradas, resultados)
            novas = [
                _Nova(entrada, pronta, resultado.autorizacao)
                for entrada, pronta, resultado in zip(entradas, prontas, resultados, strict=True)
                if isinstance(pronta, _Pronta) and isinstance(resultado, Decidida) and not resultado.repetida
            ]
            if novas and is_counted:
                await self._take_room(
                    uow, novas, {one.autorizacao.id: at for at, one in enumerate(resultados) if isinstance(one, Decidida)}
                )
            guardadas = {one.id: one for one in await self._store(uow, novas)} if novas else {}
        return [
            replace(one, autorizacao=guardadas.get(one.autorizacao.id, one.autorizacao)) if isinstance(one, Decidida) else one
            for one in resultados
        ]

    async def _take_room(self, uow: UnitOfWork, novas: Sequence[_Nova], places: Mapping[UUID, int]) -> None:
        """Count decisions into the day, the first that came first. Raises _SemLugar, with the errors of those that it has no room for."""
        now = self._clock.now()
        taken = await cota.take(uow, today(self._clock), len(novas))
        if taken is not None and taken.aceitas < len(novas):
            error = exhausted("decisoes_por_dia", Decimal(taken.no_dia), Decimal(taken.limite), now)
            raise _SemLugar({places[nova.autorizacao.id]: error for nova in novas[taken.aceitas :]})

    async def _store(self, uow: UnitOfWork, novas: Sequence[_Nova]) -> list[Autorizacao]:
        """Decisions with their audit entries, and the jobs that a model is to do after the answer; as they are stored."""
        guardadas = await storage.insert_many(uow, [(nova.autorizacao, nova.pronta.titular) for nova in novas])
        for ator, suas in groupby(zip(novas, guardadas, strict=True), key=lambda one: one[0].entrada.ator):
            em_nome_de = replace(uow, scope=Scope(uow.scope.tenant_id, ator))
            await append(em_nome_de, self._clock.now(), [_entry(guardada) for _, guardada in suas])
        await self._avisos.decididas(uow, guardadas)
        if self._modo != "codigo":
            sombra = self._modo == "sombra"
            jobs = [job for nova in novas for job in jobs_after(nova.autorizacao.id, nova.pronta.trilha.etapas, sombra=sombra)]
            await self._fila.defer(uow, jobs)
        return guardadas

    def _decide_one(self, entrada: _Entrada, fluxo: Fluxo, versao: int) -> _Pronta | CrivoError:
        try:
            return entrada.pronta or self._decided(entrada, fluxo, versao)
        except CrivoError as error:
            return error

    def _decided(self, entrada: _Entrada, fluxo: Fluxo, versao: int) -> _Pronta:
        recebida_em, data_recebimento = self._clock.now(), today(self._clock)
        trilha = fluxo.decide_bruto(entrada.bruto, data_recebimento)
        if entrada.observador is not None:
            quiet(entrada.observador)(DecididoPeloCodigo(trilha))
        titular = titular_of(entrada.bruto, trilha.etapas.normalizacao.pedido_normalizado)
        return _Pronta(trilha, versao, recebida_em, data_recebimento, titular)

    def _autorizacao(self, entrada: _Entrada, pronta: _Pronta) -> Autorizacao:
        trilha = pronta.trilha
        return Autorizacao(
            self._new_id(),
            _indexable(trilha.pedido_id, pronta.titular),
            _indexable(trilha.etapas.normalizacao.pedido_normalizado.administradora_id, pronta.titular),
            trilha.etapas.sintese.decisao_final,
            pronta.recebida_em,
            pronta.data_recebimento,
            pronta.versao,
            entrada.raw,
            trilha.decisao(),
            trilha.encode(),
            urgente=trilha.etapas.normalizacao.pedido_normalizado.urgencia,
        )

    async def _settle_keys(self, uow: UnitOfWork, entradas: Sequence[_Entrada], resultados: list[Decidida | CrivoError]) -> None:
        """Replace, in place, what an idempotency key had already decided: in the store, or earlier in this batch."""
        keyed = [
            (position, entrada.chave, resultado.autorizacao)
            for position, (entrada, resultado) in enumerate(zip(entradas, resultados, strict=True))
            if entrada.chave is not None and isinstance(resultado, Decidida)
        ]
        if not keyed:
            return
        firsts: dict[str, tuple[bytes, Autorizacao | Apagada]] = {}
        claims: dict[str, tuple[bytes, UUID]] = {}
        for _, chave, autorizacao in keyed:
            firsts.setdefault(chave.chave, (chave.corpo_digest, autorizacao))
            claims.setdefault(chave.chave, (chave.corpo_digest, autorizacao.id))
        claimed = await storage.claim_keys(uow, claims, self._clock.now())
        taken = [nome for nome in firsts if nome not in claimed]
        if taken:
            firsts.update(await storage.find_by_keys(uow, taken))
        for position, chave, autorizacao in keyed:
            corpo, original = firsts[chave.chave]
            if corpo != chave.corpo_digest:
                resultados[position] = _reused()
            elif isinstance(original, Apagada):
                resultados[position] = DadosApagados()
            elif original.id != autorizacao.id:
                resultados[position] = Decidida(original, repetida=True)


def _reused() -> ChaveReutilizada:
    return ChaveReutilizada("Esta chave de idempotência já veio com outro pedido. Use uma chave nova para cada pedido.")


async def _find_any(uow: UnitOfWork, referencia: str) -> Autorizacao | Apagada | None:
    try:
        found = await storage.find(uow, UUID(referencia))
    except ValueError:
        found = None
    return found or await storage.find_latest(uow, referencia)


def _known(autorizacao: Autorizacao | Apagada | None) -> Autorizacao | Apagada:
    if autorizacao is None:
        raise AutorizacaoNotFound("Não há decisão guardada com este identificador. Confira o número ou liste as decisões guardadas.")
    return autorizacao


def _whole(autorizacao: Autorizacao | Apagada) -> Autorizacao:
    if isinstance(autorizacao, Apagada):
        raise DadosApagados
    return autorizacao


def _found(autorizacao: Autorizacao | Apagada | None) -> Autorizacao:
    return _whole(_known(autorizacao))


def _entry(autorizacao: Autorizacao) -> NewEntry:
    linha, selo = AUTORIZACOES.seal_of(autorizacao)
    dados = {
        "decisao_final": autorizacao.decisao_final,
        "digest": autorizacao.digest.hex(),
        "catalogo_versao": autorizacao.catalogo_versao,
        DIGESTS: {linha: selo},
    }
    return NewEntry(acao="autorizacao.decidida", alvo=str(autorizacao.id), dados=dados)


def _indexable(texto: str | None, titular: Identidade) -> str | None:
    """An id short enough for an index; a longer one, or one that names the person, is still whole in the pedido and the trail."""
    return None if texto is None or titular.named_in(texto) else texto[:_LONGEST_INDEXED_ID]
