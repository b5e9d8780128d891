"""Use cases of authorizations: decide and store, read, list, and re-run a stored decision."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, ClassVar
from uuid import UUID

import msgspec

from crivo.autorizacoes import storage
from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import Bruto, read_pedido
from crivo.autorizacoes.lote import Rules
from crivo.autorizacoes.politicas.storage import campos_at, catalogo_versao
from crivo.autorizacoes.politicas.vigentes import Vigentes, politicas_at
from crivo.autorizacoes.storage import Autorizacao, Resumo, digest_of
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.clock import Clock, today
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.group_commit import GroupCommit
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

LARGEST_PAGE = 200
LONGEST_KEY = 200
_LONGEST_INDEXED_ID = 500


class AutorizacaoNotFound(CrivoError):
    """No decision of that id in this tenant."""

    codigo: ClassVar[str] = "autorizacao_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Autorização não encontrada"


class ChaveReutilizada(CrivoError):
    """An idempotency key came back with another body."""

    codigo: ClassVar[str] = "chave_de_idempotencia_reutilizada"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A chave de idempotência já foi usada com outro pedido"


class ChaveInvalida(CrivoError):
    """An idempotency key that cannot be kept."""

    codigo: ClassVar[str] = "chave_de_idempotencia_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A chave de idempotência não serve"


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
class Diferenca:
    """A field whose stored value is not what re-running gives."""

    campo: str
    guardado: Any
    refeito: Any


@dataclass(frozen=True, slots=True)
class Conferencia:
    """A stored decision held against the same pedido decided again under the políticas of then."""

    autorizacao: Autorizacao
    integra: bool
    diferencas: tuple[Diferenca, ...]

    @property
    def confere(self) -> bool:
        """Whether the bytes are those that were stored and every field came out the same."""
        return self.integra and not self.diferencas


@dataclass(frozen=True, slots=True)
class _Entrada:
    """A pedido on its way to be decided."""

    ator: str
    raw: bytes
    bruto: Bruto
    chave: storage.Chave | None


class Autorizacoes:
    """Decisions of a tenant. Decision, trail and audit entry are one transaction: what was answered is stored."""

    def __init__(self, database: Database, vigentes: Vigentes, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._vigentes = vigentes
        self._clock = clock
        self._new_id = new_id
        self._group = GroupCommit[_Entrada, Decidida](self._decide_batch)

    async def decidir(self, scope: Scope, raw: bytes, chave: str | None = None) -> Decidida:
        """Decide a pedido and store the decision; with an idempotency key, once however often it is sent.

        Raises `PedidoIlegivel`, `ChaveReutilizada`, `ChaveInvalida`. Source: PRD section 4; interfaces, `POST /api/autorizacoes`.
        """
        if chave is not None and not 0 < len(chave) <= LONGEST_KEY:
            raise ChaveInvalida(f"A chave de idempotência deve ter de 1 a {LONGEST_KEY} caracteres.")
        bruto = read_pedido(raw)
        key = None if chave is None else storage.Chave(chave, hashlib.sha256(raw).digest())
        return await self._group.submit(scope.tenant_id, _Entrada(scope.ator, raw, bruto, key))

    async def obter(self, scope: Scope, autorizacao_id: UUID) -> Autorizacao:
        """A stored decision. Raises `AutorizacaoNotFound`, for another tenant's too."""
        async with self._database.unit_of_work(scope) as uow:
            return _found(await storage.find(uow, autorizacao_id))

    async def listar(
        self,
        scope: Scope,
        *,
        status: DecisaoFinal | None = None,
        desde: datetime | None = None,
        cursor: UUID | None = None,
        limite: int = 50,
    ) -> Pagina:
        """Decisions from the newest back, at most 200 a page."""
        limite = max(1, min(limite, LARGEST_PAGE))
        async with self._database.unit_of_work(scope) as uow:
            itens = await storage.list_page(uow, status=status, desde=desde, antes_de=cursor, limite=limite + 1)
        more = len(itens) > limite
        return Pagina(tuple(itens[:limite]), str(itens[limite - 1].id) if more else None)

    async def conferir(self, scope: Scope, referencia: str) -> Conferencia:
        """Re-run a stored decision, by its id or by the pedido's number (the latest), and compare field by field."""
        async with self._database.unit_of_work(scope) as uow:
            guardada = _found(await _find_any(uow, referencia))
            fluxo = await self._vigentes.at(uow, guardada.catalogo_versao)
        refeita = fluxo.decide(guardada.pedido, guardada.data_recebimento)
        integra = guardada.digest == digest_of(guardada.pedido, guardada.decisao, guardada.trilha) and guardada.decisao == refeita.decisao()
        return Conferencia(guardada, integra, tuple(compare(_etapas(guardada.trilha), _etapas(refeita.encode()))))

    async def vigente(self, scope: Scope) -> Fluxo:
        """The rules in force now, compiled, to decide in this process without storing."""
        async with self._database.unit_of_work(scope) as uow:
            return (await self._vigentes.current(uow))[1]

    async def regras_em_vigor(self, scope: Scope) -> Rules:
        """The rules as published now and today's date, to hand to other processes that decide a lote."""
        async with self._database.unit_of_work(scope) as uow:
            versao = await catalogo_versao(uow)
            return Rules(await politicas_at(uow, versao), await campos_at(uow, versao), today(self._clock))

    async def _decide_batch(self, tenant_id: str, entradas: Sequence[_Entrada]) -> list[Decidida | CrivoError]:
        """Decide what came together and store it in one transaction; a pedido's own fault is an answer to it alone."""
        async with self._database.unit_of_work(Scope(tenant_id, entradas[0].ator)) as uow:
            versao, fluxo = await self._vigentes.current(uow)
            resultados = [self._decide_one(entrada, fluxo, versao) for entrada in entradas]
            await self._settle_keys(uow, entradas, resultados)
            novas = [
                (entrada, resultado.autorizacao)
                for entrada, resultado in zip(entradas, resultados, strict=True)
                if isinstance(resultado, Decidida) and not resultado.repetida
            ]
            if novas:
                await storage.insert_many(uow, [autorizacao for _, autorizacao in novas])
                for ator, suas in groupby(novas, key=lambda nova: nova[0].ator):
                    em_nome_de = UnitOfWork(uow.connection, Scope(tenant_id, ator))
                    await append(em_nome_de, self._clock.now(), [_entry(autorizacao) for _, autorizacao in suas])
        return resultados

    def _decide_one(self, entrada: _Entrada, fluxo: Fluxo, versao: int) -> Decidida | CrivoError:
        recebida_em = self._clock.now()
        data_recebimento = today(self._clock)
        try:
            trilha = fluxo.decide_bruto(entrada.bruto, data_recebimento)
        except CrivoError as error:
            return error
        decisao, encoded = trilha.decisao(), trilha.encode()
        autorizacao = Autorizacao(
            self._new_id(),
            _indexable(trilha.pedido_id),
            _indexable(trilha.etapas.normalizacao.pedido_normalizado.administradora_id),
            trilha.etapas.sintese.decisao_final,
            recebida_em,
            data_recebimento,
            versao,
            entrada.raw,
            decisao,
            encoded,
            digest_of(entrada.raw, decisao, encoded),
        )
        return Decidida(autorizacao, repetida=False)

    async def _settle_keys(self, uow: UnitOfWork, entradas: Sequence[_Entrada], resultados: list[Decidida | CrivoError]) -> None:
        """Replace, in place, what an idempotency key had already decided: in the store, or earlier in this batch."""
        keyed = [
            (position, entrada.chave, resultado.autorizacao)
            for position, (entrada, resultado) in enumerate(zip(entradas, resultados, strict=True))
            if entrada.chave is not None and isinstance(resultado, Decidida)
        ]
        if not keyed:
            return
        firsts: dict[str, tuple[bytes, Autorizacao]] = {}
        for _, chave, autorizacao in keyed:
            firsts.setdefault(chave.chave, (chave.corpo_digest, autorizacao))
        claims = {nome: (corpo, autorizacao.id) for nome, (corpo, autorizacao) in firsts.items()}
        claimed = await storage.claim_keys(uow, claims, self._clock.now())
        taken = [nome for nome in firsts if nome not in claimed]
        if taken:
            firsts.update(await storage.find_by_keys(uow, taken))
        for position, chave, autorizacao in keyed:
            corpo, original = firsts[chave.chave]
            if corpo != chave.corpo_digest:
                resultados[position] = ChaveReutilizada(
                    "Esta chave de idempotência já veio com outro pedido. Use uma chave nova para cada pedido."
                )
            elif original.id != autorizacao.id:
                resultados[position] = Decidida(original, repetida=True)


def compare(antes: Any, depois: Any, campo: str = "") -> Iterator[Diferenca]:
    """Every leaf where two JSON values differ, by dotted path."""
    if isinstance(antes, dict) and isinstance(depois, dict):
        for nome in dict.fromkeys([*antes, *depois]):
            yield from compare(antes.get(nome), depois.get(nome), f"{campo}.{nome}" if campo else nome)
    elif isinstance(antes, list) and isinstance(depois, list) and len(antes) == len(depois):
        for position, (one, other) in enumerate(zip(antes, depois, strict=True)):
            yield from compare(one, other, f"{campo}[{position}]")
    elif antes != depois:
        yield Diferenca(campo, antes, depois)


def _etapas(trilha: bytes) -> Any:
    """The answers in a stored trail; None where it is no longer readable, which every field then differs from."""
    try:
        return msgspec.json.decode(trilha)["etapas"]
    except (msgspec.DecodeError, KeyError, TypeError):
        return None


async def _find_any(uow: UnitOfWork, referencia: str) -> Autorizacao | None:
    try:
        found = await storage.find(uow, UUID(referencia))
    except ValueError:
        found = None
    return found or await storage.find_latest(uow, referencia)


def _found(autorizacao: Autorizacao | None) -> Autorizacao:
    if autorizacao is None:
        raise AutorizacaoNotFound("Não há decisão guardada com este identificador. Confira o número ou liste as decisões guardadas.")
    return autorizacao


def _entry(autorizacao: Autorizacao) -> NewEntry:
    dados = {
        "decisao_final": autorizacao.decisao_final,
        "digest": autorizacao.digest.hex(),
        "catalogo_versao": autorizacao.catalogo_versao,
    }
    return NewEntry(acao="autorizacao.decidida", alvo=str(autorizacao.id), dados=dados)


def _indexable(texto: str | None) -> str | None:
    """An id short enough for an index; a longer one is still whole in the pedido and the trail."""
    return None if texto is None else texto[:_LONGEST_INDEXED_ID]
