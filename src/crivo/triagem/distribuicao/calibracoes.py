"""Use cases of a round of calibration: everybody judges the same projects first, and the rest opens when all have sent them.

Whoever manages sees meanwhile how far the notas agree, and may open the rest before that, with a reason. Source: decision 0060.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from crivo.kernel.access import asks, names_of_usuarios
from crivo.kernel.access.usuarios import Usuario
from crivo.kernel.clock import Clock
from crivo.kernel.errors import Problem
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.distribuicao import situacao
from crivo.triagem.distribuicao.acordo import AcordoDaCalibracao, measure_acordo
from crivo.triagem.distribuicao.entrega import entries_of
from crivo.triagem.distribuicao.guardados import AtoDeDistribuicao, Calibracao, Par
from crivo.triagem.distribuicao.interesses import ties_of
from crivo.triagem.distribuicao.pessoas import acting_manager
from crivo.triagem.distribuicao.situacao import Situacao
from crivo.triagem.distribuicao.sorteio import shuffled
from crivo.triagem.distribuicao.sorteios import LONGEST_SEMENTE
from crivo.triagem.edital import Value
from crivo.triagem.erros import CalibracaoInvalida, CalibracaoMudou, ProjetoNotFound
from crivo.triagem.marcas import foreseen, state_of
from crivo.triagem.storage import atribuicoes, calibracoes, decisoes, editais, julgadores, registros
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.ranking import notas_of
from crivo.triagem.storage.triados import Alvo

COMUNS: Final = 3
SHORTEST_REASON: Final = 5
LONGEST_REASON: Final = 2_000
_PEOPLE: Final = 2


class NaCalibracao(Value, frozen=True):
    """Somebody in a round: how many of the common projects they have, and how many of those they sent."""

    id: UUID
    nome: str
    tem: int
    enviou: int


class FicaSem(Value, frozen=True):
    """Somebody who would not get one of the common projects: they are impeded, or may have an interest (`em_comum`)."""

    nome: str
    projeto_id: str
    em_comum: tuple[str, ...] = ()


class PreviaDeCalibracao(Value, frozen=True):
    """What beginning a round would do. `recebem` is by name, with how many of the common projects come to each."""

    edital_id: str
    projetos: tuple[str, ...]
    sorteados: bool
    semente: str
    recebem: tuple[tuple[str, int], ...]
    ficam_sem: tuple[FicaSem, ...]
    prevista: str


@dataclass(frozen=True, slots=True)
class CalibracaoVista:
    """The last round of an edital, how far each person has come, and how far they agree; `nomes` by id. None: there was no round."""

    semente: str
    calibracao: Calibracao | None = None
    pessoas: tuple[NaCalibracao, ...] = ()
    acordo: AcordoDaCalibracao | None = None
    nomes: Mapping[UUID, str] | None = None

    @property
    def em_curso(self) -> bool:
        """Whether nobody opened the rest, nor the last nota did."""
        return self.calibracao is not None and self.calibracao.aberta_em is None


class Calibracoes:
    """Rounds of calibration."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.acompanhar")
    async def ver(self, scope: Scope, edital_id: str) -> CalibracaoVista:
        """How the last round of an edital stands. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            regras = guardado.edital.classificacao
            semente = (regras.semente if regras else "") or guardado.edital.id
            found = await calibracoes.last_of(uow, guardado.id)
            if found is None:
                return CalibracaoVista(semente)
            criterios = tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)])
            notas, _ = await notas_of(uow, Alvo(guardado.id, None, criterios))
            pares = await atribuicoes.of_projects(uow, guardado.id, found.codigos)
            people = {one.avaliador for one in pares} | {UUID(one.avaliador) for one in notas if one.projeto in found.codigos}
            nomes = await names_of_usuarios(uow, people | {found.por} | ({found.aberta_por} if found.aberta_por else set()))
            return CalibracaoVista(semente, found, _progress(pares, nomes), measure_acordo(criterios, found.codigos, notas), nomes)

    @asks("triagem.distribuir")
    async def prever(self, scope: Scope, edital_id: str, codigos: Sequence[str], semente: str = "") -> PreviaDeCalibracao:
        """What a round over these projects would do; without any, over three that are drawn.

        Raises EditalNotFound, ProjetoNotFound, CalibracaoInvalida.
        """
        async with self._database.unit_of_work(scope) as uow:
            found = await situacao.load(uow, await editais.get_by_codigo(uow, edital_id))
            previa, _ = await self._foresee(uow, found, codigos, semente)
            return previa

    @asks("triagem.distribuir")
    async def comecar(self, scope: Scope, edital_id: str, codigos: Sequence[str], semente: str, prevista: str) -> Calibracao:
        """Give the common projects to everybody, and close the rest until all have sent them.

        Raises as `prever`; SemPermissao unless a person is acting; CalibracaoMudou where it is not what was foreseen.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            seen = await situacao.load(uow, guardado)
            await decisoes.lock(uow, guardado.id, list(seen.projetos))  # before the round, as whoever sends the last notas of one
            await julgadores.hold(uow, guardado.id, list(seen.pessoas))
            await calibracoes.lock(uow, guardado.id)
            found = await situacao.load(uow, guardado)
            previa, give = await self._foresee(uow, found, codigos, semente)
            if previa.prevista != prevista:
                raise CalibracaoMudou(previa)
            return await self._begin(uow, found, previa, give, person)

    @asks("triagem.distribuir")
    async def abrir(self, scope: Scope, edital_id: str, motivo: str) -> Calibracao:
        """Open the rest before everybody sent the common projects. Raises SemPermissao unless a person acts; CalibracaoInvalida."""
        given = motivo.strip()
        if len(given) < SHORTEST_REASON or len(given) > LONGEST_REASON or "\0" in given:
            told = f"Escreva por que os demais projetos abrem antes, em até {LONGEST_REASON} caracteres."
            raise CalibracaoInvalida(told, [Problem(told, "motivo")])
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado, found = await self._under_way(uow, edital_id)
            now = self._clock.now()
            if not await calibracoes.open_rest(uow, found.id, person.id, now, given):
                raise CalibracaoInvalida("Os demais projetos já estão abertos.")
            at, of = self._clock.now(), str(guardado.id)
            await registros.note(uow, self._new_id(), at, "calibracao.aberta", edital_id, "edital", of, _told(found))
            return found

    @asks("triagem.distribuir")
    async def fechar(self, scope: Scope, edital_id: str) -> Calibracao:
        """Close again what somebody opened before everybody had sent. Raises SemPermissao unless a person acts; CalibracaoInvalida."""
        async with self._database.unit_of_work(scope) as uow:
            await acting_manager(uow)
            guardado, found = await self._under_way(uow, edital_id)
            if not await calibracoes.close_rest(uow, found.id):
                raise CalibracaoInvalida("Ninguém abriu os demais projetos antes da hora: não há o que fechar.")
            await calibracoes.open_where_all_sent(uow, guardado.id, self._clock.now())
            at, of = self._clock.now(), str(guardado.id)
            await registros.note(uow, self._new_id(), at, "calibracao.fechada", edital_id, "edital", of, _told(found))
            return found

    @asks("triagem.distribuir")
    async def desfazer(self, scope: Scope, edital_id: str) -> Calibracao:
        """End the round as if it had not been begun; what it gave comes back where nothing was written, and stays where something was.

        Raises SemPermissao unless a person is acting; EditalNotFound, CalibracaoInvalida.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado, found = await self._under_way(uow, edital_id, hold=True)
            ato = None if found.ato_id is None else await atribuicoes.find_act(uow, guardado.id, found.ato_id)
            given = () if ato is None else await atribuicoes.of_act(uow, guardado.id, ato.id)
            back = [one for one in given if not one.comecada]
            await atribuicoes.take(uow, [(one.avaliador, one.projeto) for one in back])
            await calibracoes.undo(uow, found.id, person.id, self._clock.now())
            at, of = self._clock.now(), str(guardado.id)
            await registros.note(uow, self._new_id(), at, "calibracao.desfeita", edital_id, "edital", of, _told(found))
            if ato is not None:
                entries = entries_of(self._new_id, ato.id, back)
                await registros.note_all(uow, at, "distribuicao.desfeita", edital_id, "projeto", entries)
            return found

    async def _under_way(self, uow: UnitOfWork, edital_id: str, *, hold: bool = False) -> tuple[EditalGuardado, Calibracao]:
        """The last round, which the unit of work has to itself; with `hold` its projects too, which are held before it."""
        guardado = await editais.get_by_codigo(uow, edital_id)
        seen = await calibracoes.last_of(uow, guardado.id) if hold else None
        if seen is not None:
            await decisoes.lock(uow, guardado.id, seen.codigos)
        await calibracoes.lock(uow, guardado.id)
        found = await calibracoes.last_of(uow, guardado.id)
        if found is None:
            raise CalibracaoInvalida("Este edital não tem calibração em curso.")
        return guardado, found

    async def _foresee(
        self, uow: UnitOfWork, found: Situacao, codigos: Sequence[str], semente: str
    ) -> tuple[PreviaDeCalibracao, list[tuple[UUID, str]]]:
        last = await calibracoes.last_of(uow, found.guardado.id)
        if last is not None and last.aberta_em is None:
            raise CalibracaoInvalida("Já há uma calibração em curso. Abra os demais projetos, ou desfaça-a, antes de começar outra.")
        if len(found.pessoas) < _PEOPLE:
            raise CalibracaoInvalida("São precisas ao menos duas pessoas que avaliam: ponha-as no edital primeiro.")
        if not found.julgados.concorrencia.criterios:
            raise CalibracaoInvalida("Este edital não tem critérios de avaliação: não há notas a comparar.")
        ties = await ties_of(uow, found.guardado, [of for of, _ in found.projetos.values()], found.pessoas, self._new_id, self._clock.now())
        kept = {codigo: set(found.fora.get(codigo, ())) | set(ties.get(codigo, {})) for codigo in found.projetos}
        seed = semente.strip() or found.semente
        if len(seed) > LONGEST_SEMENTE or not seed.isprintable():
            told = f"A semente é um texto de uma linha, com até {LONGEST_SEMENTE} caracteres."
            raise CalibracaoInvalida(told, [Problem(told, "semente")])
        chosen = _named(found, codigos) if codigos else _drawn(found, kept, seed)
        give = [
            (who, codigo)
            for codigo in chosen
            for who in sorted(found.pessoas)
            if who not in kept[codigo] and who not in found.having(codigo)
        ]
        without = [
            FicaSem(one.nome, codigo, ties.get(codigo, {}).get(who, ()))
            for codigo in chosen
            for who, one in sorted(found.pessoas.items())
            if who in kept[codigo] and who not in found.having(codigo)
        ]
        recebem = sorted([(one.nome, sum(who == other for other, _ in give)) for who, one in found.pessoas.items()])
        states = [state_of(codigo, sorted([who.hex for who, of in give if of == codigo])) for codigo in chosen]
        edital = found.guardado.edital.id
        return PreviaDeCalibracao(edital, chosen, not codigos, seed, tuple(recebem), tuple(without), foreseen(states)), give

    async def _begin(
        self, uow: UnitOfWork, found: Situacao, previa: PreviaDeCalibracao, give: Sequence[tuple[UUID, str]], person: Usuario
    ) -> Calibracao:
        guardado, now = found.guardado, self._clock.now()
        pares = [Par(who, found.projetos[codigo][0], codigo, False, 0, False) for who, codigo in give]
        ato = None
        if pares:
            ato = AtoDeDistribuicao(self._new_id(), guardado.edital.id, len({one.codigo for one in pares}), len(pares), person.id, now, 0)
            await atribuicoes.give(uow, guardado.id, ato, [(one.avaliador, one.projeto) for one in pares])
        ids = tuple([found.projetos[codigo][0] for codigo in previa.projetos])
        nova = Calibracao(self._new_id(), ato.id if ato else None, previa.projetos, ids, person.id, now)
        await calibracoes.add(uow, nova, guardado.id, ids)
        told = _told(nova) | ({"semente": previa.semente} if previa.sorteados else {})
        edital, of = guardado.edital.id, str(guardado.id)
        await registros.note(uow, self._new_id(), now, "calibracao.comecada", edital, "edital", of, told)
        if ato is not None:
            entries = entries_of(self._new_id, ato.id, pares)
            await registros.note_all(uow, now, "projeto.distribuido", edital, "projeto", entries)
        return nova


def _told(of: Calibracao) -> dict[str, object]:
    """What the audit is told of a round."""
    return {"calibracao": str(of.id), "projetos": list(of.codigos)}


def _named(found: Situacao, codigos: Sequence[str]) -> tuple[str, ...]:
    asked = tuple(dict.fromkeys(codigos))
    lacking = [one for one in asked if one not in found.projetos]
    if lacking:
        told = f"Não há neste edital, em vigor e não inabilitado, projeto com o código {', '.join(lacking[:5])}."
        raise ProjetoNotFound(told, [Problem(told, "codigos")])
    if len(asked) != COMUNS:
        told = f"A calibração é de {COMUNS} projetos, cada um dito uma vez."
        raise CalibracaoInvalida(told, [Problem(told, "codigos")])
    return asked


def _drawn(found: Situacao, kept: Mapping[str, set[UUID]], semente: str) -> tuple[str, ...]:
    """Three projects: those that the fewest people are kept from, in the order of the draw."""
    if len(found.projetos) < COMUNS:
        raise CalibracaoInvalida(f"A calibração é de {COMUNS} projetos, e este edital não tem tantos em vigor.")
    order = shuffled(semente, found.projetos)
    return tuple(sorted(order, key=lambda codigo: len(kept[codigo] & found.pessoas.keys()))[:COMUNS])


def _progress(pares: Sequence[Par], nomes: Mapping[UUID, str]) -> tuple[NaCalibracao, ...]:
    people: dict[UUID, list[Par]] = {}
    for one in pares:
        people.setdefault(one.avaliador, []).append(one)
    found = [NaCalibracao(who, nomes[who], len(theirs), sum(one.enviada for one in theirs)) for who, theirs in people.items()]
    return tuple(sorted(found, key=lambda one: (one.nome, one.id)))
