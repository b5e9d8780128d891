"""What a person may ask of the installation: all that is held of them, and that it be erased. Source: LGPD, art. 18, II, V and VI."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from hashlib import sha256
from typing import Any, ClassVar, Final
from uuid import UUID

from crivo.kernel.access import asks
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.clock import BRASILIA, Clock
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.sigilo.acervo import Acervo, Silo
from crivo.kernel.sigilo.cofre import Aplicacao, Guardada
from crivo.kernel.sigilo.identidade import Identidade, identidade_of
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

LONGEST_REASON: Final = 500
_ORGANISATIONS: Final = "select id from organizacoes_da_instalacao()"


class PessoaNaoEncontrada(CrivoError):
    """Nothing here is known to be about that person."""

    codigo: ClassVar[str] = "pessoa_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Nada guardado sobre essa pessoa"


class PessoaJaApagada(CrivoError):
    """All that was held of that person was erased before."""

    codigo: ClassVar[str] = "pessoa_ja_apagada"
    kind: ClassVar[Kind] = Kind.GONE
    titulo: ClassVar[str] = "Os dados dessa pessoa já foram apagados"


class VariasPessoas(CrivoError):
    """What was given names more than one person."""

    codigo: ClassVar[str] = "varias_pessoas"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Mais de uma pessoa"


class MotivoAusente(CrivoError):
    """An erasure without its reason."""

    codigo: ClassVar[str] = "motivo_ausente"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Falta o motivo"


class ObrigadoAGuardar(CrivoError):
    """Nothing of what is held may be erased."""

    codigo: ClassVar[str] = "guarda_obrigatoria"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Tem de ficar"


@dataclass(frozen=True, slots=True)
class Impedimento:
    """A record that stays, and why."""

    aplicacao: str
    registro: str
    motivo: str


@dataclass(frozen=True, slots=True)
class Apagamento:
    """How many records of each holder were erased, and those that had to stay."""

    apagados: dict[str, int]
    mantidos: tuple[Impedimento, ...]

    @property
    def total(self) -> int:
        """How many records were erased."""
        return sum(self.apagados.values())


Proven = Callable[[UnitOfWork, Identidade], Awaitable[Identidade]]


class Pessoas:
    """Requests of people about their data, through every application and every silo."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        acervos: Sequence[Acervo],
        silos: Callable[[], Sequence[Silo]] = tuple,
        proven: Proven | None = None,
    ) -> None:
        """`proven` adds what was proven of whoever is spoken of, such as the CPF of the account that has that e-mail."""
        self._database = database
        self._proven = proven
        self._clock = clock
        self._acervos = tuple(acervos)
        self._look_for_silos = silos

    @cached_property
    def _silos(self) -> tuple[Silo, ...]:
        return tuple(self._look_for_silos())

    @asks("pessoas.atender_titular")
    async def exportar(self, scope: Scope, said: str) -> dict[str, Any]:
        """All that is held of a person, by application, ready for JSON. Raises PessoaNaoEncontrada, PessoaJaApagada, VariasPessoas."""
        asked = identidade_of(said)
        await self.selar(scope)
        async with self._database.unit_of_work(scope) as uow:
            identidade = await self._known(uow, asked)
            keys = _of_one(await uow.cofre.of_person(uow, identidade))
            living = [key for key in keys if key.destruida_em is None]
            held: dict[str, Any] = {one.aplicacao: await one.held(uow, await _all(uow, one, living, identidade)) for one in self._acervos}
            held |= {silo.nome: await silo.held(identidade) for silo in self._silos}
            if not any(held.values()):
                raise await self._nothing(identidade, keys)
            dados = {nome: len(found) for nome, found in held.items() if found}
            await append(uow, self._clock.now(), [NewEntry(acao="pessoa.exportada", alvo=_digest(uow, identidade), dados=dados)])
        return {"gerado_em": self._clock.now(), "dados": {nome: found for nome, found in held.items() if found}}

    @asks("pessoas.atender_titular")
    async def apagar(self, scope: Scope, said: str, motivo: str) -> Apagamento:
        """Erase what is held of a person, but for what the law keeps; the audit is told by digests alone, of the reason too.

        Raises MotivoAusente, PessoaNaoEncontrada, PessoaJaApagada, VariasPessoas, ObrigadoAGuardar.
        """
        asked, reason = identidade_of(said), motivo.strip()
        if not 0 < len(reason) <= LONGEST_REASON:
            raise MotivoAusente(f"Diga em --motivo por que se apaga, como o número do pedido da pessoa, em até {LONGEST_REASON} letras.")
        await self.selar(scope)
        em = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            identidade = await self._known(uow, asked)
            keys = _of_one(await uow.cofre.of_person(uow, identidade))
            living = [key for key in keys if key.destruida_em is None]
            records = {one.aplicacao: await _all(uow, one, living, identidade) for one in self._acervos}
            mantidos = [impedimento for one in self._acervos for impedimento in await _kept(uow, one, records[one.aplicacao])]
            stay = {one.registro for one in mantidos}
            going = {aplicacao: [one for one in found if str(one) not in stay] for aplicacao, found in records.items()}
            apagados: dict[str, int] = {aplicacao: len(found) for aplicacao, found in going.items()}
            for silo in self._silos:
                kept = await silo.kept_by_law(identidade)
                mantidos += [Impedimento(silo.nome, registro, motivo) for registro, motivo in kept.items()]
            # The silos first: where one fails, nothing is told of as erased that is not, and the command is given again.
            apagados |= {silo.nome: await silo.erase(identidade, em) for silo in self._silos}
            if not any(apagados.values()):
                raise _all_kept(mantidos) if mantidos else await self._nothing(identidade, keys)
            keyed = {key.id for key in living}
            for acervo in self._acervos:
                theirs = going[acervo.aplicacao]
                await acervo.erase(uow, theirs)
                await uow.cofre.note_erased(uow, acervo.aplicacao, [one for one in theirs if one not in keyed], identidade, em)
                await uow.cofre.destroy(uow, [one for one in theirs if one in keyed], em)
            dados = {"registros": {nome: many for nome, many in apagados.items() if many}, "mantidos": len(mantidos)}
            dados["motivo_digest"] = sha256(reason.encode()).hexdigest()
            await append(uow, em, [NewEntry(acao="pessoa.apagada", alvo=_digest(uow, identidade), dados=dados)])
        return Apagamento({nome: many for nome, many in apagados.items() if many}, tuple(mantidos))

    @asks("pessoas.atender_titular")
    async def selar(self, scope: Scope) -> int:
        """Seal what was stored before there were keys; how many records. Doing it again finds nothing to do."""
        total = 0
        for acervo in self._acervos:
            while True:
                async with self._database.unit_of_work(scope) as uow:
                    done = await acervo.seal_older(uow, self._clock.now())
                total += done
                if not done:
                    break
        return total

    async def reaplicar(self, ator: str) -> int:
        """Erase again what a restored backup brought back where no key keeps it, in every organisation; how many records."""
        total = 0
        for tenant_id, ids in self._database.erased().items():
            async with self._database.unit_of_work(Scope(tenant_id, ator)) as uow:
                total += sum([await acervo.erase(uow, ids) for acervo in self._acervos])
        return total

    @asks("pessoas.atender_titular")
    async def reter(self, scope: Scope, dias: dict[Aplicacao, int]) -> dict[str, int]:
        """Destroys the keys of what each application stored longer ago than its retention in days; returns the count by application."""
        em, done = self._clock.now(), {}
        async with self._database.unit_of_work(scope) as uow:
            for acervo in self._acervos:
                if acervo.aplicacao in dias:
                    over = await acervo.expired(uow, em - timedelta(days=dias[acervo.aplicacao]))
                    await acervo.erase(uow, over)
                    await uow.cofre.expire(uow, over, em)
                    if over:
                        done[str(acervo.aplicacao)] = len(over)
            if done:
                await append(uow, em, [NewEntry(acao="pessoas.retencao", alvo=scope.tenant_id, dados=done)])
        return done

    async def reter_silos(self, dias: int) -> dict[str, int]:
        """`reter`, in the silos, by silo."""
        em = self._clock.now()
        done = {silo.nome: await silo.expire(em - timedelta(days=dias), em) for silo in self._silos}
        return {nome: many for nome, many in done.items() if many}

    @asks("pessoas.atender_titular")
    async def apagou_desde(self, scope: Scope, desde: datetime) -> bool:
        """Whether a key of the organisation was destroyed from a moment on, by request or by age."""
        async with self._database.unit_of_work(scope) as uow:
            return await uow.cofre.destroyed_since(uow, desde)

    @asks("pessoas.atender_titular")
    async def organizacoes(self, scope: Scope) -> list[str]:
        """Every organisation of the installation, by its id."""
        async with self._database.unit_of_work(scope) as uow:
            return [row.id for row in await uow.connection.exec_driver_sql(_ORGANISATIONS)]

    async def _known(self, uow: UnitOfWork, asked: Identidade) -> Identidade:
        return asked if self._proven is None else await self._proven(uow, asked)

    async def _nothing(self, identidade: Identidade, keys: Sequence[Guardada]) -> CrivoError:
        before: datetime | None = max((key.destruida_em for key in keys if key.destruida_em is not None), default=None)
        if before is not None or any([await silo.was_erased(identidade) for silo in self._silos]):
            when = f" em {before.astimezone(BRASILIA):%d/%m/%Y}" if before else ""
            return PessoaJaApagada(f"O que havia sobre essa pessoa já foi apagado{when}. Não há mais nada a fazer.")
        return PessoaNaoEncontrada(
            "Nada do que está guardado aqui é sabidamente dessa pessoa. Confira o CPF ou o e-mail; com o outro dos dois também se procura."
        )


def _of_one(keys: tuple[Guardada, ...]) -> tuple[Guardada, ...]:
    if len({key.cpf for key in keys if key.cpf is not None}) > 1:
        raise VariasPessoas("Este e-mail está em registros de mais de uma pessoa. Procure pelo CPF de quem pediu.")
    return keys


async def _all(uow: UnitOfWork, acervo: Acervo, keys: Sequence[Guardada], identidade: Identidade) -> list[UUID]:
    """The records of a person in one application: those that have keys, and those that are found by what stands in them."""
    keyed = [key.id for key in keys if key.aplicacao == acervo.aplicacao]
    return [*keyed, *(one for one in await acervo.found(uow, identidade) if one not in keyed)]


async def _kept(uow: UnitOfWork, acervo: Acervo, registros: Sequence[UUID]) -> list[Impedimento]:
    kept = await acervo.kept_by_law(uow, registros)
    return [Impedimento(acervo.aplicacao, str(registro), motivo) for registro, motivo in kept.items()]


def _all_kept(mantidos: Sequence[Impedimento]) -> ObrigadoAGuardar:
    problems = [Problem(one.motivo, caminho=f"{one.aplicacao}/{one.registro}", codigo="guarda_obrigatoria") for one in mantidos]
    return ObrigadoAGuardar("Nada foi apagado: o que há sobre essa pessoa tem de ficar, e é dito por quê.", problems)


def _digest(uow: UnitOfWork, identidade: Identidade) -> str:
    """Who was spoken of, for the audit: the keyed digest that their records are found by."""
    kind, value = ("cpf", identidade.cpf) if identidade.cpf else ("email", identidade.email)
    return (uow.cofre.index(uow.scope.tenant_id, kind, value) or b"").hex()
