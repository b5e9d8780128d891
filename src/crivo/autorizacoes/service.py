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

from crivo.autorizacoes import cota, historico, storage
from crivo.autorizacoes.acompanhamento import DecididoPeloCodigo, Observador, quiet
from crivo.autorizacoes.conferencia import Conferencia, hold_again
from crivo.autorizacoes.contracts import DecisaoFinal, Uso
from crivo.autorizacoes.entregas.aviso import Avisos
from crivo.autorizacoes.erros import AutorizacaoNotFound, ChaveInvalida, ChaveReutilizada
from crivo.autorizacoes.etapas.documentos import not_known
from crivo.autorizacoes.fichas import add_many, assunto_de, ficha_de
from crivo.autorizacoes.fluxo import Fluxo, last_day
from crivo.autorizacoes.guardadas import Apagada, Autorizacao, Ordem, Resumo
from crivo.autorizacoes.leitura import Bruto, PedidoIlegivel, read_pedido
from crivo.autorizacoes.lote import Rules
from crivo.autorizacoes.mapeamento.aplicacao import MOST_ITEMS
from crivo.autorizacoes.mapeamento.entrada import Chegado, VariosPedidos
from crivo.autorizacoes.mapeamento.storage import published_at as formatos_at
from crivo.autorizacoes.modelo.redator import PRAZO_SECONDS, Redator
from crivo.autorizacoes.modelo.trabalhos import jobs_after
from crivo.autorizacoes.politicas.sobras import NAO_LIDA
from crivo.autorizacoes.politicas.storage import campos_at, catalogo_versao
from crivo.autorizacoes.politicas.vigentes import Vigentes, politicas_at
from crivo.autorizacoes.seladas import AUTORIZACOES
from crivo.autorizacoes.simulacao.linha import Linha, encode_linha
from crivo.autorizacoes.sobras_do_formato import told_of_leftovers
from crivo.autorizacoes.titular import titular_of
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.access import asks
from crivo.kernel.audit import DIGESTS, NewEntry, append
from crivo.kernel.clock import Clock, today
from crivo.kernel.concorrencia import aside
from crivo.kernel.cotas import exhausted
from crivo.kernel.errors import CrivoError
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.llm.port import Modelo
from crivo.kernel.sigilo import DadosApagados, DadosViolados, Identidade
from crivo.kernel.storage.group_commit import GroupCommit
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.kernel.settings import ModoAutorizacoes

LARGEST_PAGE = 200
LONGEST_KEY = 200
_LONGEST_INDEXED_ID = 500
ADMINISTRADORA_DESCONHECIDA = "administradora_desconhecida"
DOCUMENTO_NAO_RECONHECIDO = "documento_nao_reconhecido"

Parte = Literal["pagina", "decisao", "trilha"]
"""What of a stored decision somebody reads: its page, its document or its trail."""


@dataclass(frozen=True, slots=True)
class Decidida:
    """A decision in the store; `repetida` where an idempotency key brought an earlier one back.

    `avisos` are codes of what is worth knowing beside it, and no part of it: `administradora_desconhecida`; `observacao_nao_lida`,
    where the regra has a phrase that nobody read and that could have changed the decision; `documento_nao_reconhecido`.
    """

    autorizacao: Autorizacao
    repetida: bool
    avisos: tuple[str, ...] = ()


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
    parte: Chegado
    parametros: bytes  # what it rests on, packed as simulations read it
    avisos: tuple[str, ...] = ()
    id: UUID | None = None  # known before it is stored where a model is asked for it


@dataclass(frozen=True, slots=True)
class _Entrada:
    """A pedido on its way to be stored; `pronta` where it was decided before, so that its texts could be written meanwhile.

    `bruto` is None where only a mapping can tell what came, and `parte` the one of several pedidos that this is.
    """

    ator: str
    raw: bytes
    bruto: Bruto | None
    chave: storage.Chave | None
    observador: Observador | None = None
    pronta: _Pronta | None = None
    parte: Chegado | None = None


@dataclass(frozen=True, slots=True)
class _Nova:
    """A decision about to be stored."""

    entrada: _Entrada
    pronta: _Pronta
    autorizacao: Autorizacao


_Vistos = dict[tuple[str, str], list[historico.Feito]]
"""What the house approved for each beneficiário of a batch, those of the batch itself as they come."""


class _SemLugar(Exception):
    """Some of a batch have no room in the quota of the day. It ends a transaction and reaches nobody: the batch is begun again."""

    def __init__(self, fora: Mapping[int, CrivoError]) -> None:
        super().__init__()
        self.fora = fora


class Autorizacoes:
    """Decisions of a tenant. Decision, trail and audit entry are one transaction: what was answered is stored.

    `modo` says what a model does, where there is one: nothing, the texts, or a comparison after the answer. Its texts are waited for
    `prazo_textos_seconds`.
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
        prazo_textos_seconds: float = PRAZO_SECONDS,
    ) -> None:
        self._database = database
        self._vigentes = vigentes
        self._clock = clock
        self._new_id = new_id
        self._modo: ModoAutorizacoes = "codigo" if modelo is None else modo
        escreve = modelo is not None and modo == "assistido"
        self._redator = Redator(modelo, prazo_seconds=prazo_textos_seconds) if modelo is not None and escreve else None
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
        return await self._decide_one_alone(scope, await self._entrada(scope, raw, chave, observador))

    @asks("autorizacoes.decidir")
    async def receber(self, scope: Scope, raw: bytes, chave: str | None = None) -> tuple[Decidida, ...]:
        """`decidir`, of what may bring several pedidos by a mapping: all of them are stored in one transaction, or none.

        The idempotency key is of all that came. Raises what `decidir` does, for any of them.
        """
        entrada = await self._entrada(scope, raw, chave, None)
        try:
            decidida = await self._decide_one_alone(scope, entrada)
        except VariosPedidos:
            return await self._decide_together(scope, entrada)
        if not decidida.repetida or entrada.chave is None:
            return (decidida,)
        async with self._database.unit_of_work(scope) as uow:
            return await _repeated(uow, entrada.chave) or (decidida,)

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
    async def substituida_por(self, scope: Scope, autorizacao: Autorizacao) -> Autorizacao | None:
        """The decision that stands in the place of one whose pedido was sent again; None where none does."""
        async with self._database.unit_of_work(scope) as uow:
            return await historico.replaced_by(uow, autorizacao)

    @asks("autorizacoes.ler")
    async def listar(
        self,
        scope: Scope,
        *,
        status: DecisaoFinal | None = None,
        desde: datetime | None = None,
        numero: str | None = None,
        pedido_id: str | None = None,
        cursor: UUID | None = None,
        limite: int = 50,
    ) -> Pagina:
        """Decisions from the newest back, at most 200 a page; `numero` is any part of the pedido's number, `pedido_id` all of it."""
        limite = max(1, min(limite, LARGEST_PAGE))
        async with self._database.unit_of_work(scope) as uow:
            itens = await storage.list_page(
                uow, status=status, desde=desde, numero=numero, pedido_id=pedido_id, antes_de=cursor, limite=limite + 1
            )
        more = len(itens) > limite
        return Pagina(tuple(itens[:limite]), str(itens[limite - 1].id) if more else None)

    @asks("autorizacoes.ler")
    async def numeros(self, scope: Scope, autorizacao_ids: Sequence[UUID]) -> Mapping[UUID, str]:
        """The pedido's number of each of these decisions, of those that have one."""
        async with self._database.unit_of_work(scope) as uow:
            return await storage.numbers_of(uow, autorizacao_ids)

    @asks("autorizacoes.ler")
    async def procedimentos(self, scope: Scope, autorizacao_ids: Sequence[UUID]) -> Mapping[UUID, tuple[str, str]]:
        """The code and the name of what each of these decisions is about, each empty where it was not said.

        Those that were erased, or that nobody can read any more, are left out: a list is not to fall for one of its lines.
        """
        async with self._database.unit_of_work(scope) as uow:
            try:
                found = await storage.find_many(uow, autorizacao_ids)
            except DadosViolados:
                return {}
        return {one.id: said for one in found if isinstance(one, Autorizacao) and (said := assunto_de(one.trilha)) is not None}

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
            by_number = guardada.pedido_id == referencia and str(guardada.id) != referencia
            outras = await storage.count_of_number(uow, referencia) - 1 if by_number else 0
        return replace(hold_again(guardada, fluxo), outras=outras)

    @asks("autorizacoes.decidir")
    async def vigente(self, scope: Scope) -> Fluxo:
        """The rules in force now, compiled, to decide in this process without storing."""
        async with self._database.unit_of_work(scope) as uow:
            return (await self._vigentes.current(uow))[1]

    def is_to_come(self, dia: str) -> bool:
        """Whether an ISO date is later than tomorrow, so that no clock of a sender and no time zone explains it."""
        return dia > last_day(today(self._clock))

    @asks("autorizacoes.decidir")
    async def regras_em_vigor(self, scope: Scope) -> Rules:
        """The rules as published now and today's date, to hand to other processes that decide a lote."""
        async with self._database.unit_of_work(scope) as uow:
            versao = await catalogo_versao(uow)
            formatos = await formatos_at(uow, versao)
            return Rules(await politicas_at(uow, versao), await campos_at(uow, versao), today(self._clock), formatos)

    async def _entrada(self, scope: Scope, raw: bytes, chave: str | None, observador: Observador | None) -> _Entrada:
        """What came, as far as it is known by itself; what is no object of JSON is for a published mapping, where there is any."""
        if chave is not None and not 0 < len(chave) <= LONGEST_KEY:
            raise ChaveInvalida(f"A chave de idempotência deve ter de 1 a {LONGEST_KEY} caracteres.")
        bruto: Bruto | None = None
        try:
            bruto = await aside(len(raw), read_pedido, raw)
        except PedidoIlegivel:
            async with self._database.unit_of_work(scope) as uow:
                if not (await self._vigentes.current(uow))[1].formatos:
                    raise
        key = None if chave is None else storage.Chave(chave, hashlib.sha256(raw).digest())
        return _Entrada(scope.ator, raw, bruto, key, observador)

    async def _decide_one_alone(self, scope: Scope, entrada: _Entrada) -> Decidida:
        if self._redator is None:
            return await self._group.submit(scope.tenant_id, entrada)
        return await self._decide_assisted(scope, entrada, self._redator)

    async def _decide_together(self, scope: Scope, entrada: _Entrada) -> tuple[Decidida, ...]:
        """The several pedidos that came at once, decided under one version of the rules and stored in one transaction."""
        async with self._database.unit_of_work(scope) as uow:
            if entrada.chave is not None and (before := await _repeated(uow, entrada.chave)):
                return before
            versao, fluxo = await self._vigentes.current(uow)
            entradas: list[_Entrada] = []
            # Each of two hundred items may look through all that they share, so that little can be long.
            partes = await asyncio.to_thread(fluxo.partes, entrada.raw, today(self._clock))
            for numero, parte in enumerate(partes, 1):
                chave = None if entrada.chave is None else replace(entrada.chave, chave=_key_of(entrada.chave.chave, numero))
                entradas.append(replace(entrada, parte=parte, chave=chave))
            if self._redator is not None:
                vistos = _Vistos()
                decididas = [await aside(len(entrada.raw), self._decided, one, fluxo, versao) for one in entradas]
                entradas = [
                    replace(one, pronta=await self._with_history(uow, vistos, one, decidida, fluxo))
                    for one, decidida in zip(entradas, decididas, strict=True)
                ]
        if self._redator is not None:
            entradas = [await self._written(scope, one, self._redator) for one in entradas]
        try:
            resultados = await self._decide_those(scope.tenant_id, entradas, {}, all_or_none=True)
        except _SemLugar as full:
            raise next(iter(full.fora.values())) from None
        return tuple([one for one in resultados if isinstance(one, Decidida)])

    async def _written(self, scope: Scope, entrada: _Entrada, redator: Redator) -> _Entrada:
        """The same, its texts written."""
        if entrada.pronta is None:
            return entrada
        return replace(entrada, pronta=await self._with_texts(scope, entrada.pronta, redator, None))

    async def _with_texts(self, scope: Scope, pronta: _Pronta, redator: Redator, observador: Observador | None) -> _Pronta:
        """The decision with the model's texts, under the id by which the ledger knows what was paid for it."""
        autorizacao_id = self._new_id()
        return replace(pronta, id=autorizacao_id, trilha=await redator.escrever(scope, pronta.trilha, observador, autorizacao_id))

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
            decidida = await aside(len(entrada.raw), self._decided, entrada, fluxo, versao)
            pronta = await self._with_history(uow, _Vistos(), entrada, decidida, fluxo)
        _tell(entrada, pronta)
        pronta = await self._with_texts(scope, pronta, redator, entrada.observador)
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
        self, tenant_id: str, entradas: Sequence[_Entrada], fora: Mapping[int, CrivoError], *, all_or_none: bool = False
    ) -> list[Decidida | CrivoError]:
        """The same, without those that are known to have no room. Raises _SemLugar where there are more of them.

        `all_or_none`: what is wrong with one is raised, and none is stored.
        """
        async with self._database.unit_of_work(Scope(tenant_id, entradas[0].ator)) as uow:
            versao, is_counted = await cota.begin(uow)
            fluxo = await self._vigentes.at(uow, versao)
            prontas = await aside(_size_of(entradas), self._decide_each, entradas, fora, fluxo, versao)
            prontas = await self._with_histories(uow, entradas, prontas, fluxo)
            for entrada, pronta in zip(entradas, prontas, strict=True):
                if isinstance(pronta, _Pronta) and entrada.pronta is None:
                    _tell(entrada, pronta)
            resultados = await aside(_size_of(entradas), self._decididas, entradas, prontas)
            await self._settle_keys(uow, entradas, resultados)
            if all_or_none:
                for resultado in resultados:
                    if isinstance(resultado, CrivoError):
                        raise resultado
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
        entradas = [(nova.autorizacao, nova.pronta.titular, nova.pronta.parametros) for nova in novas]
        guardadas, chaves = await storage.insert_many(uow, entradas)
        feitas = [(nova.autorizacao.id, ficha_de(nova.pronta.trilha, nova.pronta.titular)) for nova in novas]
        await add_many(uow, [(one, ficha, chaves[one]) for one, ficha in feitas if ficha is not None])
        for ator, suas in groupby(zip(novas, guardadas, strict=True), key=lambda one: one[0].entrada.ator):
            em_nome_de = replace(uow, scope=Scope(uow.scope.tenant_id, ator))
            await append(em_nome_de, self._clock.now(), [_entry(guardada) for _, guardada in suas])
        await self._avisos.decididas(uow, guardadas)
        if self._modo != "codigo":
            sombra = self._modo == "sombra"
            jobs = [job for nova in novas for job in jobs_after(nova.autorizacao.id, nova.pronta.trilha.etapas, sombra=sombra)]
            await self._fila.defer(uow, jobs)
        return guardadas

    def _decide_each(
        self, entradas: Sequence[_Entrada], fora: Mapping[int, CrivoError], fluxo: Fluxo, versao: int
    ) -> list[_Pronta | CrivoError]:
        return [fora.get(at) or self._decide_one(entrada, fluxo, versao) for at, entrada in enumerate(entradas)]

    def _decididas(self, entradas: Sequence[_Entrada], prontas: Sequence[_Pronta | CrivoError]) -> list[Decidida | CrivoError]:
        return [
            pronta if isinstance(pronta, CrivoError) else self._decidida(entrada, pronta)
            for entrada, pronta in zip(entradas, prontas, strict=True)
        ]

    def _decide_one(self, entrada: _Entrada, fluxo: Fluxo, versao: int) -> _Pronta | CrivoError:
        try:
            return entrada.pronta or self._decided(entrada, fluxo, versao)
        except CrivoError as error:
            return error

    async def _with_histories(
        self, uow: UnitOfWork, entradas: Sequence[_Entrada], prontas: list[_Pronta | CrivoError], fluxo: Fluxo
    ) -> list[_Pronta | CrivoError]:
        """The same, over what the house approved for each beneficiário where a regra counts it; those of one batch in their order."""
        asked = [one.titular for one in prontas if isinstance(one, _Pronta) and fluxo.asks_for_history(one.trilha)]
        if not asked:
            return prontas
        await historico.single_file(uow, asked)
        vistos = _Vistos()
        decididas: list[_Pronta | CrivoError] = []
        for entrada, pronta in zip(entradas, prontas, strict=True):
            decididas.append(pronta if isinstance(pronta, CrivoError) else await self._with_history(uow, vistos, entrada, pronta, fluxo))
            await asyncio.sleep(0)  # two hundred pedidos of one body are not one turn
        return decididas

    async def _with_history(self, uow: UnitOfWork, vistos: _Vistos, entrada: _Entrada, pronta: _Pronta, fluxo: Fluxo) -> _Pronta:
        """A decision over what the house approved; one whose texts were written meanwhile stands as it was."""
        if not fluxo.asks_for_history(pronta.trilha):
            return pronta
        quem = historico.quem_of(pronta.titular)
        feitos = vistos.get(quem)
        if feitos is None:
            feitos = vistos[quem] = [*await historico.approved_for(uow, pronta.titular)]
        if entrada.pronta is None:
            usos = historico.usos_of(feitos, pronta.trilha.etapas.normalizacao.pedido_normalizado)
            pronta = await aside(len(entrada.raw), _decided_over, pronta, usos, fluxo)
        feito = historico.feito_of(pronta.trilha)
        if feito is not None:
            feitos.append(feito)
        return pronta

    def _decided(self, entrada: _Entrada, fluxo: Fluxo, versao: int) -> _Pronta:
        recebida_em, data_recebimento = self._clock.now(), today(self._clock)
        parte = entrada.parte or self._parte(entrada, fluxo, data_recebimento)
        trilha = fluxo.decide_parte(parte, data_recebimento)
        pedido = trilha.etapas.normalizacao.pedido_normalizado
        titular = titular_of(parte.bruto if parte.pessoa is None else parte.pessoa, pedido)
        avisos = _avisos(trilha, strange=fluxo.is_strange(pedido.administradora_id))
        if parte.formato is not None:
            avisos += told_of_leftovers(trilha.etapas.normalizacao.alertas)
        return _Pronta(trilha, versao, recebida_em, data_recebimento, titular, parte, _rests_on(fluxo, trilha), avisos)

    def _parte(self, entrada: _Entrada, fluxo: Fluxo, data_recebimento: date) -> Chegado:
        """The one pedido in what came. Raises `PedidoIlegivel`, `VariosPedidos` where there are more."""
        if not fluxo.formatos:
            return Chegado(read_pedido(entrada.raw) if entrada.bruto is None else entrada.bruto, entrada.raw)
        partes = fluxo.formatos.read(entrada.raw, entrada.bruto, data_recebimento.isoformat())
        if len(partes) > 1:
            raise VariosPedidos(len(partes))
        return partes[0]

    def _decidida(self, entrada: _Entrada, pronta: _Pronta) -> Decidida:
        return Decidida(self._autorizacao(entrada, pronta), repetida=False, avisos=pronta.avisos)

    def _autorizacao(self, entrada: _Entrada, pronta: _Pronta) -> Autorizacao:
        trilha = pronta.trilha
        return Autorizacao(
            pronta.id or self._new_id(),
            _indexable(trilha.pedido_id, pronta.titular),
            _indexable(trilha.etapas.normalizacao.pedido_normalizado.administradora_id, pronta.titular),
            trilha.etapas.sintese.decisao_final,
            pronta.recebida_em,
            pronta.data_recebimento,
            pronta.versao,
            pronta.parte.raw,
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


def _tell(entrada: _Entrada, pronta: _Pronta) -> None:
    """Tell whoever watches what the code decided."""
    if entrada.observador is not None:
        quiet(entrada.observador)(DecididoPeloCodigo(pronta.trilha))


def _avisos(trilha: Trilha, *, strange: bool) -> tuple[str, ...]:
    """What is worth knowing beside a decision; `strange` is whether no published política is of its administradora."""
    etapas = trilha.etapas
    anexos = [one.tipo for one in etapas.normalizacao.pedido_normalizado.documentos_anexos]
    unknown = not_known(anexos, etapas.avaliacao.pendencias_documentais)
    told = {
        ADMINISTRADORA_DESCONHECIDA: strange,
        NAO_LIDA: NAO_LIDA in etapas.normalizacao.alertas,
        DOCUMENTO_NAO_RECONHECIDO: bool(unknown),
    }
    return tuple([aviso for aviso, holds in told.items() if holds])


def _size_of(entradas: Sequence[_Entrada]) -> int:
    return sum(len(one.raw) for one in entradas)


def _decided_over(pronta: _Pronta, usos: tuple[Uso, ...], fluxo: Fluxo) -> _Pronta:
    """The decision taken anew over what the house approved before."""
    trilha = fluxo.decide_parte(pronta.parte, pronta.data_recebimento, usos)
    return replace(pronta, trilha=trilha, parametros=_rests_on(fluxo, trilha))


def _rests_on(fluxo: Fluxo, trilha: Trilha) -> bytes:
    """What a decision rests on, packed as simulations read it."""
    return encode_linha(Linha.of(fluxo.complementada(trilha.etapas.normalizacao)))


def _key_of(chave: str, numero: int) -> str:
    """The idempotency key of one of several pedidos that came under one: of the first, the key itself."""
    return chave if numero == 1 else f"{chave}\n{numero}"


async def _repeated(uow: UnitOfWork, chave: storage.Chave) -> tuple[Decidida, ...]:
    """What was decided under a key, all of it in its order; nothing where it is new. Raises `ChaveReutilizada`, `DadosApagados`."""
    keys = [_key_of(chave.chave, numero) for numero in range(1, MOST_ITEMS + 1)]
    found = await storage.find_by_keys(uow, keys)
    if any(digest != chave.corpo_digest for digest, _ in found.values()):
        raise _reused()
    return tuple([Decidida(_whole(found[key][1]), repetida=True) for key in keys if key in found])


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
