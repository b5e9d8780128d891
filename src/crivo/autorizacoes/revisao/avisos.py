"""Somebody is told of a deadline that is near, and of one that is past: by a letter, once of each, with numbers and no word of anybody.

Near: whoever has it, else those who review. Past: those who run the queue too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final, Literal
from uuid import UUID

from crivo.autorizacoes.palavras import count
from crivo.autorizacoes.revisao.calendarios import calendarios_of
from crivo.autorizacoes.revisao.contracts import NaFila
from crivo.autorizacoes.revisao.responsaveis import who_may
from crivo.autorizacoes.revisao.service import complete
from crivo.autorizacoes.revisao.storage.fila import read_fila
from crivo.kernel.access import list_usuarios
from crivo.kernel.cartas import Carta, Correio, EnderecoInvalido, read_endereco
from crivo.kernel.clock import Clock
from crivo.kernel.identity import Uuid7
from crivo.kernel.prazos import Calendario
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

Aviso = Literal["perto", "vencido"]
_FILLED_AT_ONCE: Final = 500
_NOTE: Final = """
    insert into autorizacao_avisos (tenant_id, autorizacao_id, aviso, em) select %s, id, %s, %s from unnest(%s::uuid[]) as t (id)
    on conflict do nothing returning autorizacao_id"""


class AvisosDePrazo:
    """Tells of deadlines; `parte` is how much of one has passed, from 0 to 1, when it is near. Done again, it tells nothing twice."""

    def __init__(self, database: Database, clock: Clock, correio: Correio, parte: float, calendario: Calendario, endereco: str) -> None:
        self._database = database
        self._clock = clock
        self._correio = correio
        self._parte = parte
        self._calendario = calendario
        self._endereco = endereco

    async def avisar(self, scope: Scope) -> int:
        """Tell what is due in one organisation; how many letters were posted. Letters and what they tell of are one transaction."""
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            await complete(uow, _FILLED_AT_ONCE)
            fila = await read_fila(uow, now, await calendarios_of(uow, self._calendario))
            posted = 0
            for aviso in ("vencido", "perto"):
                asked: Aviso = "vencido" if aviso == "vencido" else "perto"
                posted += await self._tell(uow, asked, due(fila, asked, now, self._parte), now)
        return posted

    async def _tell(self, uow: UnitOfWork, aviso: Aviso, fila: Sequence[NaFila], now: datetime) -> int:
        if not fila:
            return 0
        values = (uow.scope.tenant_id, aviso, now, [one.id for one in fila])
        novos: set[UUID] = set((await uow.connection.exec_driver_sql(_NOTE, values)).scalars())
        if not novos:
            return 0
        revisam, gerem = await who_may(uow, "autorizacoes.revisar"), await who_may(uow, "autorizacoes.distribuir")
        told, urgentes = (
            addressed([one for one in fila if one.id in novos and (one.urgente or not only)], aviso, revisam.keys(), gerem.keys())
            for only in (False, True)
        )
        emails = {one.ator: one.email for one in await list_usuarios(uow)}
        posted = 0
        for ator, quantas in told.items():
            para = _reachable(emails.get(ator, ""))
            if para:
                carta = written(para, aviso, quantas, self._endereco, urgentes=urgentes[ator], cuida=ator in gerem)
                chave = f"autorizacoes-prazo:{aviso}:{Uuid7(self._clock).new()}"
                await self._correio.post(uow, carta, now, chave=chave)
                posted += 1
        return posted


def due(fila: Sequence[NaFila], aviso: Aviso, now: datetime, parte: float) -> list[NaFila]:
    """Those of the queue that somebody is to be told of."""
    dated = [(one, one.prazo) for one in fila if one.prazo is not None]
    if aviso == "vencido":
        return [one for one, prazo in dated if prazo.faixa(now) == "vencido"]
    return [one for one, prazo in dated if prazo.faixa(now) != "vencido" and prazo.gasto(now) >= parte]


def addressed(fila: Sequence[NaFila], aviso: Aviso, revisam: Collection[str], gerem: Collection[str]) -> Counter[str]:
    """Of how many each person is told: its owner, or where it is nobody's those who review; of what is past those who run the queue too."""
    told: Counter[str] = Counter()
    reviewers = set(revisam) - set(gerem) or set(revisam)
    for one in fila:
        owners = {one.responsavel} if one.responsavel in revisam else reviewers
        told.update(owners | (set(gerem) if aviso == "vencido" else set()))
    return told


def written(para: str, aviso: Aviso, quantas: int, endereco: str, *, urgentes: int = 0, cuida: bool = False) -> Carta:
    """The letter: how many, of which so many urgent, and where they are; `cuida` is whether it goes to somebody who runs the queue."""
    if aviso == "vencido":
        head = f"{count(quantas, 'autorização passou', 'autorizações passaram')} do prazo de resposta"
        also = "Você recebe este aviso porque cuida da fila." if cuida else "Quem cuida da fila também recebe este aviso."
        told, faixa = f"O prazo da RN 623/2024 acabou, e ninguém respondeu ainda. {also}", "vencido"
    else:
        head = f"{count(quantas, 'autorização está', 'autorizações estão')} perto do prazo de resposta"
        told, faixa = _near(quantas, urgentes), ""
    where = f"{endereco}/autorizacoes/fila" + (f"?prazo={faixa}" if faixa else "?ordem=prazo")
    return Carta(
        para,
        head,
        f"""Olá.

{head}. {told}

Abra a fila, as mais urgentes primeiro, neste endereço:
{where}

Você recebe este aviso uma vez por pedido: a fila pode mostrar outros, de que já houve aviso. Não responda a este e-mail.
""",
    )


def _near(quantas: int, urgentes: int) -> str:
    """Why they are near: what is urgent is so from its first minute, of the others most of the time is gone."""
    passed = "maior parte do prazo da RN 623/2024 já passou, e ninguém respondeu ainda."
    if not urgentes:
        return f"A {passed}"
    if urgentes == quantas:
        return f"{'É urgente, e se responde' if quantas == 1 else 'São urgentes, e se respondem'} na hora: ninguém respondeu ainda."
    are = f"{count(urgentes, 'é urgente, e se responde', 'são urgentes, e se respondem')} na hora"
    return f"{are}; {'da outra' if quantas - urgentes == 1 else 'das outras'}, a {passed}"


def _reachable(email: str) -> str:
    try:
        return read_endereco(email)
    except EnderecoInvalido:
        return ""
