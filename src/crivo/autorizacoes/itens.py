"""Messages of other formats that ask for several things: each item is a pedido, decided and stored once however often it comes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from crivo.autorizacoes import historico, storage
from crivo.autorizacoes.contracts import DecisaoFinal
from crivo.autorizacoes.guardadas import Apagada, Autorizacao
from crivo.autorizacoes.revisao import storage as revisoes
from crivo.autorizacoes.revisao.contracts import Revisao
from crivo.autorizacoes.service import Autorizacoes, Decidida
from crivo.kernel.errors import CrivoError
from crivo.kernel.sigilo import DadosApagados
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

APROVADAS: Final[frozenset[DecisaoFinal]] = frozenset({"APROVADO", "APROVADO_PARCIAL"})
_LONGEST_NUMBER: Final = 20
Numero = int | float


@dataclass(frozen=True, slots=True)
class Item:
    """A pedido of a message, and the idempotency key that is its place in it."""

    chave: str
    pedido: bytes


class Respondido:
    """How an item of a message is told: as it was decided, and by which number of a later message it was replaced."""

    __slots__ = ()
    decisao: DecisaoFinal
    substituta: str | None

    @property
    def vale(self) -> bool:
        """Whether anything of it is approved, and still holds."""
        return self.decisao in APROVADAS and self.substituta is None

    @property
    def cancelado(self) -> bool:
        """Whether what was approved of it holds no more."""
        return self.decisao in APROVADAS and self.substituta is not None


def numero_do_item(numero: str, sequencia: int) -> str:
    """The number of an item's pedido, the same however many items a message has: of the first it is the message's own number."""
    return numero if sequencia == 1 else f"{numero}-{sequencia}"


def numeros_possiveis(numero: str, sequencias: Iterable[int]) -> list[str]:
    """The numbers that the pedidos of a message may have; that of the first once was `NUMBER-1` where there were several."""
    return [numero, *[f"{numero}-{sequencia}" for sequencia in sequencias]]


def juntos(coisas: Sequence[Hashable | None]) -> list[list[int]]:
    """The places of those that ask for the same thing, in the order of the first of each; None is the same as nothing else.

    A limit is of what was asked in all, however many lines it was written in.
    """
    groups: dict[Hashable, list[int]] = {}
    for at, coisa in enumerate(coisas):
        groups.setdefault(("só", at) if coisa is None else coisa, []).append(at)
    return list(groups.values())


def repartir(aprovada: Numero, pedidas: Sequence[Numero]) -> list[Numero]:
    """What was approved of things asked together, line by line: each has what it asked as long as there is any left."""
    found: list[Numero] = []
    for pedida in pedidas:
        found.append(max(0, min(pedida, aprovada)))
        aprovada -= found[-1]
    return found


def numero_of(autorizacao_id: UUID) -> str:
    """The number by which a decision is called where ids may have twenty letters at most."""
    return autorizacao_id.hex[:_LONGEST_NUMBER].upper()


class Itens:
    """The decisions of the items of a message, under the acts of `Autorizacoes`, in one order."""

    def __init__(self, database: Database, autorizacoes: Autorizacoes) -> None:
        self._database = database
        self._autorizacoes = autorizacoes

    async def decididos(self, scope: Scope, chaves: Sequence[str]) -> list[Decidida] | None:
        """What was decided under all of these keys; None where one is not there yet. Raises `DadosApagados`."""
        found = await self._found(scope, chaves)
        return [Decidida(found[chave], repetida=True) for chave in chaves] if len(found) == len(chaves) else None

    async def decidir(self, scope: Scope, itens: Sequence[Item]) -> list[Decidida]:
        """Decide those that were not decided yet. What one is refused for is raised once all are done; the others are stored, and what is
        sent again goes on from there.
        """
        found = await self._found(scope, [item.chave for item in itens])
        answers = await asyncio.gather(*[self._decidir(scope, item, found) for item in itens], return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException) and not isinstance(answer, CrivoError):
                raise answer
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer
        return [answer for answer in answers if isinstance(answer, Decidida)]

    async def da_mensagem(
        self, scope: Scope, chaves_de: Callable[[int], Sequence[str]], pedidos: int, itens_de: Callable[[Autorizacao], int]
    ) -> list[Decidida] | None:
        """What was decided of a message of so many pedidos; one that was once decided line by line still is as many as it was.

        `chaves_de` are the keys of so many, `itens_de` how many its decision says that it was of.
        """
        decididas = await self.decididos(scope, chaves_de(pedidos))
        eram = pedidos if decididas is None else itens_de(decididas[0].autorizacao)
        return decididas if eram == pedidos else await self.decididos(scope, chaves_de(eram))

    async def irmaos(self, scope: Scope, lida: Autorizacao, chaves: Sequence[str]) -> list[Autorizacao]:
        """The decisions of all items of a message, of which one was read; the reading of each of the others is told too."""
        found = await self._found(scope, chaves)
        outros = [one for chave, one in found.items() if one.id != lida.id]
        lidas = {one.id: await self._autorizacoes.ler(scope, one.id, "decisao") for one in outros}
        return [lidas.get(found[chave].id, lida) for chave in chaves if chave in found] or [lida]

    async def com_numero(self, scope: Scope, numeros: Sequence[str]) -> list[tuple[Autorizacao, Revisao | None]]:
        """The decisions of pedidos with these numbers, the oldest first, each with what a person decided last over it."""
        async with self._database.unit_of_work(scope) as uow:
            found = await storage.find_by_numbers(uow, numeros)
        return list(zip(found, await self.revistas(scope, found), strict=True))

    async def revistas(self, scope: Scope, decisoes: Sequence[Autorizacao]) -> list[Revisao | None]:
        """What a person decided last over each of these, None where nobody did."""
        async with self._database.unit_of_work(scope) as uow:
            return [next(iter(await revisoes.reviews_of(uow, one.id)), None) for one in decisoes]

    async def substituta(
        self, scope: Scope, decisoes: Sequence[Autorizacao], chaves_de: Callable[[Autorizacao], Sequence[str]]
    ) -> list[tuple[Autorizacao, Revisao | None]]:
        """The decisions of the message that stands in the place of the one that these are of, in its order; nothing where none does.

        `chaves_de` is under which keys the items of a decision's message are.
        """
        async with self._database.unit_of_work(scope) as uow:
            one = await historico.replaced_by(uow, max(decisoes, key=lambda decisao: decisao.id))
        if one is None:
            return []
        found = list((await self._found(scope, chaves_de(one))).values()) or [one]
        return list(zip(found, await self.revistas(scope, found), strict=True))

    async def _decidir(self, scope: Scope, item: Item, found: Mapping[str, Autorizacao]) -> Decidida:
        if item.chave in found:
            return Decidida(found[item.chave], repetida=True)
        return await self._autorizacoes.decidir(scope, item.pedido, item.chave)

    async def _found(self, scope: Scope, chaves: Sequence[str]) -> dict[str, Autorizacao]:
        async with self._database.unit_of_work(scope) as uow:
            rows = await storage.find_by_keys(uow, chaves)
        if any(isinstance(one, Apagada) for _, one in rows.values()):
            raise DadosApagados
        return {chave: one for chave, (_, one) in rows.items() if isinstance(one, Autorizacao)}
