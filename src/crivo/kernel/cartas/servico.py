"""Use cases of whoever looks after letters: which wait, went and failed, and what is done about one that does not go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import ClassVar, Final
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access import SemPermissao, acting_usuario, asks, names_of_usuarios
from crivo.kernel.cartas import storage
from crivo.kernel.cartas.carta import Carta, masked
from crivo.kernel.cartas.correio import ENTREGAR
from crivo.kernel.cartas.entrega import Entrega, Fim
from crivo.kernel.cartas.guardada import SITUACOES, CartaGuardada, Falha, Situacao, Via
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.jobs.fila import Fila, Job
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

PAGE: Final = 50
SHORTEST_REASON: Final = 10
LONGEST_REASON: Final = 500


class CartaNotFound(CrivoError):
    """No letter of the tenant has that id."""

    codigo: ClassVar[str] = "carta_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Carta não encontrada"


class CartaNoutraSituacao(CrivoError):
    """What was asked cannot be done to a letter as it is now."""

    codigo: ClassVar[str] = "carta_noutra_situacao"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A carta já não está assim"


class MotivoInvalido(CrivoError):
    """No reason was given, or not one that can be kept."""

    codigo: ClassVar[str] = "motivo_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Falta o motivo"
    campo: str = "motivo"


@dataclass(frozen=True, slots=True)
class Linha:
    """A letter as lists show it: to whom, masked, and about what; both are empty where it was erased. `por` is a person's name."""

    id: UUID
    para: str
    assunto: str
    situacao: Situacao
    via: Via | None
    tentativas: int
    criada_em: datetime
    enviada_em: datetime | None
    falha: Falha | None
    resposta: int | None
    motivo: str = field(repr=False)
    por: str


@dataclass(frozen=True, slots=True)
class Caixa:
    """A page of letters, how many there are of each situation, and the id before which the next page begins.

    `gravadas` are those of the sent ones that were only written to a file: somebody has to send them.
    """

    linhas: tuple[Linha, ...]
    quantas: Mapping[Situacao, int]
    gravadas: int
    seguinte: UUID | None


@dataclass(frozen=True, slots=True)
class CartaAberta:
    """A letter whole, for whoever sends it otherwise."""

    linha: Linha
    carta: Carta = field(repr=False)


class Cartas:
    """The outbox of a tenant."""

    def __init__(self, database: Database, fila: Fila, clock: Clock, entrega: Entrega) -> None:
        self._database = database
        self._fila = fila
        self._clock = clock
        self._entrega = entrega

    @asks("cartas.ver")
    async def listar(
        self, scope: Scope, situacoes: Sequence[Situacao] = SITUACOES, antes: UUID | None = None, *, gravada: bool | None = None
    ) -> Caixa:
        """Letters in these situations, the newest first; only those that were written to a file (`gravada`), or only the others."""
        async with self._database.unit_of_work(scope) as uow:
            found = await storage.list_page(uow, situacoes, antes, PAGE + 1, gravada=gravada)
            shown = found[:PAGE]
            nomes = await names_of_usuarios(uow, {UUID(one.marcada_por) for one in shown if one.marcada_por})
            linhas = tuple([_linha(one, nomes) for one in shown])
            return Caixa(linhas, await storage.count(uow), await storage.count_written(uow), shown[-1].id if len(found) > PAGE else None)

    @asks("cartas.tratar")
    async def abrir(self, scope: Scope, carta_id: UUID) -> CartaAberta:
        """A letter with its whole address and words, which the audit tells of.

        Raises SemPermissao unless a person is acting; CartaNotFound, also of one that was erased.
        """
        async with self._database.unit_of_work(scope) as uow:
            await _acting(uow)
            found, carta = await _whole(uow, carta_id)
            nomes = await names_of_usuarios(uow, {UUID(found.marcada_por)} if found.marcada_por else set())
            await audit.append(uow, self._clock.now(), [audit.NewEntry(acao="carta.aberta", alvo=f"carta:{carta_id}", dados={})])
            return CartaAberta(_linha(found, nomes), carta)

    @asks("cartas.tratar")
    async def baixar(self, scope: Scope, carta_id: UUID) -> bytes:
        """A letter as a file that a mail program opens and sends, which the audit tells of. Raises as `abrir`."""
        async with self._database.unit_of_work(scope) as uow:
            await _acting(uow)
            _, carta = await _whole(uow, carta_id)
            await audit.append(uow, self._clock.now(), [audit.NewEntry(acao="carta.baixada", alvo=f"carta:{carta_id}", dados={})])
        return self._entrega.message(carta, carta_id)

    @asks("cartas.tratar")
    async def tentar_de_novo(self, scope: Scope, carta_id: UUID) -> None:
        """Put a letter that was given up into the queue again.

        Raises SemPermissao unless a person is acting; CartaNotFound, CartaNoutraSituacao.
        """
        async with self._database.unit_of_work(scope) as uow:
            await _acting(uow)
            if not await storage.again(uow, carta_id):
                raise await _elsewhere(uow, carta_id)
            await self._fila.defer(uow, [Job(ENTREGAR, {"carta": str(carta_id)})])
            await audit.append(uow, self._clock.now(), [audit.NewEntry(acao="carta.de_novo", alvo=f"carta:{carta_id}", dados={})])

    @asks("cartas.tratar")
    async def marcar_entregue(self, scope: Scope, carta_id: UUID, motivo: str) -> None:
        """Say that a letter was delivered otherwise, and how; it does not go out any more.

        Raises SemPermissao unless a person is acting; MotivoInvalido, CartaNotFound, CartaNoutraSituacao.
        """
        said = motivo.strip()
        if not SHORTEST_REASON <= len(said) <= LONGEST_REASON or "\0" in said:
            told = f"Diga como a carta foi entregue, em {SHORTEST_REASON} a {LONGEST_REASON} letras: em mãos, por telefone, a quem."
            raise MotivoInvalido(told, [Problem(told, "motivo")])
        async with self._database.unit_of_work(scope) as uow:
            quem = await _acting(uow)
            found = await storage.find(uow, carta_id)
            now = self._clock.now()
            if found is None or not await storage.by_hand(uow, found, said, str(quem), now):
                raise await _elsewhere(uow, carta_id)
            await audit.append(uow, now, [audit.NewEntry(acao="carta.por_outro_meio", alvo=f"carta:{carta_id}", dados={})])

    @asks("cartas.entregar")
    async def entregar_agora(self, scope: Scope) -> Mapping[Fim, int]:
        """Try each letter that waits once, in this process, whatever its next attempt was to be; how many ended how."""
        async with self._database.unit_of_work(scope) as uow:
            waiting = await storage.waiting(uow)
        done: dict[Fim, int] = {}
        for one in waiting:
            fim = await self._entrega.deliver(scope, one)
            done[fim] = done.get(fim, 0) + 1
        return done


async def _acting(uow: UnitOfWork) -> UUID:
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada cuida das cartas. Entre com o seu usuário.")
    return person.id


async def _whole(uow: UnitOfWork, carta_id: UUID) -> tuple[CartaGuardada, Carta]:
    found = await storage.find(uow, carta_id)
    if found is None or found.carta is None:
        raise CartaNotFound("Esta carta não existe nesta organização, ou foi apagada a pedido da pessoa. Volte à lista de cartas.")
    return found, found.carta


async def _elsewhere(uow: UnitOfWork, carta_id: UUID) -> CrivoError:
    if await storage.find(uow, carta_id) is None:
        return CartaNotFound("Esta carta não existe nesta organização. Volte à lista de cartas.")
    return CartaNoutraSituacao("Enquanto isso a carta foi enviada, ou está a caminho. Abra a lista de novo e veja como ela está.")


def _linha(one: CartaGuardada, nomes: Mapping[UUID, str]) -> Linha:
    para, assunto = ("", "") if one.carta is None else (masked(one.carta.para), one.carta.assunto)
    return Linha(
        one.id,
        para,
        assunto,
        one.situacao,
        one.via,
        one.tentativas,
        one.criada_em,
        one.enviada_em,
        one.falha,
        one.resposta,
        one.motivo,
        nomes.get(UUID(one.marcada_por), "") if one.marcada_por else "",
    )
