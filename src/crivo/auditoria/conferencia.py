"""The chain, every stored decision and every sealed row, held against each other in one go."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Final, Protocol

from crivo.autorizacoes import seladas as de_autorizacoes
from crivo.autorizacoes.verificacao import Verificacao, verify_decisoes
from crivo.kernel.access import asks
from crivo.kernel.audit import (
    DIGESTS,
    NewEntry,
    RowsVerification,
    SealedTable,
    Verification,
    append,
    is_complete,
    read_unsealed,
    verify_rows,
    verify_tenant,
)
from crivo.kernel.audit.anchors import AnchorsVerification, read_heads, verify_anchors
from crivo.kernel.clock import Clock
from crivo.kernel.sigilo.assinatura import Publica
from crivo.kernel.storage.patience import PATIENT
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import LOCAL_TENANT, Scope
from crivo.triagem import seladas as de_triagem

SELADAS: Final[tuple[SealedTable, ...]] = (*de_autorizacoes.SELADAS, *de_triagem.SELADAS)
_SEALED_AT_ONCE: Final = 500  # rows of one entry
_CLOSER: Final = Scope(LOCAL_TENANT, "auditoria")  # it looks at the ends of all chains, and then at each tenant as itself


class Anotadas(Protocol):
    """Where this installation notes the ends of its chains."""

    def abertas(self) -> AbstractContextManager[tuple[Iterable[bytes], Publica] | None]:
        """The lines that were noted and the key that verifies them; None where nothing was noted yet."""


@dataclass(frozen=True, slots=True)
class Conferencia:
    """What was held against what: the chain against itself, decisions and rows against the chain, the chain against what was noted.

    `ancoras` is None where the installation notes nothing.
    """

    cadeia: Verification
    decisoes: Verificacao
    linhas: RowsVerification
    ancoras: AnchorsVerification | None = None

    @property
    def integra(self) -> bool:
        """Whether nothing was touched."""
        anchored = self.ancoras.quebras if self.ancoras else ()
        return not (self.cadeia.quebras or self.decisoes.quebras or self.linhas.quebras or anchored)

    @property
    def sem_ancora(self) -> bool:
        """Whether nothing was noted of a chain that has entries, so that its end could be cut unseen."""
        return self.ancoras is not None and not self.ancoras.ancoras and self.cadeia.entradas > 0


class Auditoria:
    """The audit of a tenant, as those who look after it read it."""

    def __init__(
        self, database: Database, clock: Clock, seladas: tuple[SealedTable, ...] = SELADAS, anotadas: Anotadas | None = None
    ) -> None:
        self._database = database.within(PATIENT)  # a whole chain is long to read
        self._clock = clock
        self._seladas = seladas
        self._anotadas = anotadas

    @asks("auditoria.ler")
    async def conferir(self, scope: Scope, ancoras: Iterable[bytes] | None = None, chave: Publica | None = None) -> Conferencia:
        """Read it all and say what does not stand; in constant memory, while others go on writing.

        The chain is held against the lines that the installation itself noted, or against `ancoras` that were noted elsewhere where they
        are given with the `chave` that verifies them. Raises AncoraImpossivel.
        """
        async with self._database.unit_of_work(scope) as uow:
            cadeia, decisoes, complete = await verify_tenant(uow), await verify_decisoes(uow), await is_complete(uow)
            if ancoras is not None and chave is not None:
                noted: AnchorsVerification | None = await verify_anchors(uow, ancoras, chave)
            else:
                noted = await self._against_own(uow)
            rows = [await verify_rows(uow, table, complete=complete) for table in self._seladas]
        breaks = tuple([broken for one in rows for broken in one.quebras])
        held, bare = sum(one.linhas for one in rows), sum(one.sem_selo for one in rows)
        return Conferencia(cadeia, decisoes, RowsVerification(held, bare, breaks), noted)

    @asks("triagem.ler")
    async def anotar(self, scope: Scope, entry: NewEntry) -> None:
        """Note what somebody is about to be given of a public call; it is not given where it cannot be noted."""
        async with self._database.unit_of_work(scope) as uow:
            await append(uow, self._clock.now(), [entry])

    @asks("auditoria.guardar")
    async def selar(self, scope: Scope) -> int:
        """Seal, as they are now, the rows from before there were seals; how many. From then on a row without a seal is a break.

        Raises SemPermissao.
        """
        sealed = 0
        for table in self._seladas:
            while many := await self._seal_some(scope, table):
                sealed += many
        async with self._database.unit_of_work(scope) as uow:
            if not await is_complete(uow):
                await append(uow, self._clock.now(), [_closed(sealed)])
        return sealed

    async def _against_own(self, uow: UnitOfWork) -> AnchorsVerification | None:
        if self._anotadas is None:
            return None
        with self._anotadas.abertas() as noted:
            return await verify_anchors(uow, *noted) if noted else AnchorsVerification(0, ())

    async def fechar(self) -> tuple[str, ...]:
        """Close the door of every tenant of whose rows none lacks its seal: from then on one that does is a break; the tenants."""
        async with self._database.unit_of_work(_CLOSER) as uow:
            heads = await read_heads(uow)
        return tuple([one for one in heads if await self._close(Scope(one, _CLOSER.ator))])

    async def _close(self, scope: Scope) -> bool:
        async with self._database.unit_of_work(scope) as uow:
            if await is_complete(uow) or any([await read_unsealed(uow, table, 1) for table in self._seladas]):
                return False
            await append(uow, self._clock.now(), [_closed(0)])
            return True

    async def _seal_some(self, scope: Scope, table: SealedTable) -> int:
        async with self._database.unit_of_work(scope) as uow:
            if await is_complete(uow):  # what is bare by now was put there by nobody who writes entries
                return 0
            selos = await read_unsealed(uow, table, _SEALED_AT_ONCE)
            if selos:
                await append(uow, self._clock.now(), [NewEntry(acao="linhas.seladas", alvo=table.name, dados={DIGESTS: selos})])
        return len(selos)


def _closed(sealed: int) -> NewEntry:
    return NewEntry(acao="auditoria.selada", alvo="auditoria", dados={"linhas": sealed})
