"""Use cases of whoever decides the habilitação, one project or many at once: the suggestion is beside it, and changes nothing by itself.

A decision belongs to an act, which can be undone for as long as nothing came after it on the project; no time takes that away.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from datetime import datetime
from typing import Final, get_args
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access import Este, SemPermissao, asks, may, names_of_usuarios
from crivo.kernel.access.usuarios import Usuario, acting_usuario
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.atos import AtoAberto, Decididas, Desfeito, NoAto, at_hour, no_ato, people_of, who_decided, why_not, you_decided
from crivo.triagem.erros import (
    AtoNotFound,
    DecisaoDeOutraAba,
    DecisaoDeOutraPessoa,
    DecisaoInvalida,
    NadaADesfazer,
    PreviaMudou,
    ProjetoNotFound,
)
from crivo.triagem.guardados import Ato, DecisaoHabilitacao
from crivo.triagem.palavras import number
from crivo.triagem.previa import Candidato, Previa, changed_since, foresee
from crivo.triagem.storage import caso_renovacao, casos, decisoes, editais, execucoes, registros
from crivo.triagem.storage.decisoes import Nova, Posicao, Tomada
from crivo.triagem.storage.editais import EditalGuardado

SHORTEST_REASON: Final = 5
LONGEST_REASON: Final = 2_000
MOST_AT_ONCE: Final = 50_000  # as many as an edital may have
MOST_ACTS: Final = 100
_VALUES: Final[tuple[HabilitacaoSugerida, ...]] = get_args(HabilitacaoSugerida)

CasosAbertos = Callable[[UnitOfWork, UUID, Sequence[str]], Awaitable[Mapping[str, tuple[str, ...]]]]
"""The names of the open cases that each of some projects of an edital is in; projects that are in none may be left out."""


class Habilitacoes:
    """Decisions of people on the habilitação of projects. Source: triagem seed, "Painel de habilitação"; design, "Many at once"."""

    def __init__(
        self, database: Database, clock: Clock, new_id: Callable[[], UUID], casos_abertos: CasosAbertos = casos.pending_of
    ) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._casos_abertos = casos_abertos

    @asks("triagem.acompanhar")
    async def decisoes(self, scope: Scope, edital_id: str) -> Mapping[str, DecisaoHabilitacao]:
        """What was decided in an edital, by project. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            return await decisoes.decisions_of(uow, (await editais.get_by_codigo(uow, edital_id)).id)

    @asks("triagem.acompanhar")
    async def decididos(self, scope: Scope, edital_id: str) -> int:
        """How many projects of an edital a person decided on. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            return await decisoes.count_decisions(uow, (await editais.get_by_codigo(uow, edital_id)).id)

    @asks("triagem.acompanhar")
    async def listar(self, scope: Scope, edital_id: str) -> Decididas:
        """All that was decided in an edital, with its last 100 acts. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            em_vigor = await decisoes.decisions_of(uow, guardado.id)
            earlier = await decisoes.earlier_of(uow, guardado.id)
            atos = await decisoes.acts_of(uow, guardado.id, MOST_ACTS)
            told = [*em_vigor.values(), *[one for those in earlier.values() for one in those]]
            return Decididas(em_vigor, earlier, atos, await names_of_usuarios(uow, people_of(told, atos)))

    @asks("triagem.acompanhar")
    async def nomes(self, scope: Scope, pessoas: Collection[UUID]) -> Mapping[UUID, str]:
        """What these people are called, as far as they are known."""
        async with self._database.unit_of_work(scope) as uow:
            return await names_of_usuarios(uow, pessoas)

    @asks("triagem.decidir")
    async def decidir(self, scope: Scope, edital_id: str, projeto_id: str, decisao: str, motivo: str, visto: str | None) -> Ato:
        """Decide on a project, or decide again; what was suggested at that moment is kept beside it, and earlier decisions stay readable.

        `visto` is the `versao` of the decision that whoever decides saw, None where they saw none. Where the decision is the suggested
        one a reason may be left out. Raises SemPermissao unless a person who manages is acting; EditalNotFound, ProjetoNotFound;
        DecisaoDeOutraPessoa where what stands is not what they saw; DecisaoInvalida.
        """
        value = _read_value(decisao)
        async with self._database.unit_of_work(scope) as uow:
            person = await _manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            await decisoes.lock(uow, guardado.id, [projeto_id])
            of = _in_force(await self._standing(uow, guardado, [projeto_id]), projeto_id)
            if (of.decisao.versao if of.decisao else None) != (visto or None):
                raise await _overtaken(uow, guardado, of, person, self._clock.now())
            given = _read_motivo(motivo, needed=value != of.sugestao)
            return await self._keep(uow, guardado, value, given, [of], person)

    @asks("triagem.decidir")
    async def prever(self, scope: Scope, edital_id: str, codigos: Sequence[str], decisao: str) -> Previa:
        """What a decision on many would do: who enters, who stays out, and why. Raises SemPermissao, EditalNotFound, DecisaoInvalida."""
        value = _read_value(decisao)
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            return await self._foresee(uow, guardado, codigos, value, await self._standing(uow, guardado, codigos))

    @asks("triagem.decidir")
    async def decidir_muitos(self, scope: Scope, edital_id: str, codigos: Sequence[str], decisao: str, motivo: str, prevista: str) -> Ato:
        """Decide on all that a preview said would enter, in one transaction: all of them, or none; one entry each in the audit.

        Raises SemPermissao unless a person who manages is acting; EditalNotFound; PreviaMudou, with the preview of now and which projects
        changed, where it is not what `prevista` was; DecisaoInvalida, also where nobody enters.
        """
        value = _read_value(decisao)
        async with self._database.unit_of_work(scope) as uow:
            person = await _manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            await decisoes.lock(uow, guardado.id, codigos)
            posicoes = await self._standing(uow, guardado, codigos)
            nova = await self._foresee(uow, guardado, codigos, value, posicoes)
            mudaram = changed_since(prevista, nova)
            if mudaram is not None:
                changed = [posicoes[one] for one in mudaram if one in posicoes]
                raise PreviaMudou(nova, mudaram, await _told(uow, changed, person, self._clock.now()))
            if not nova.entram:
                raise DecisaoInvalida("Nenhum destes projetos entra nesta decisão. Volte à lista e marque outros.")
            given = _read_motivo(motivo, needed=nova.pede_motivo)
            return await self._keep(uow, guardado, value, given, [posicoes[one.projeto_id] for one in nova.entram], person)

    @asks("triagem.acompanhar")
    async def ato(self, scope: Scope, edital_id: str, ato_id: UUID) -> AtoAberto:
        """An act, and how each of its projects stands now. Raises EditalNotFound, AtoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            ato = await _get_act(uow, guardado, ato_id)
            within, _ = await self._in_act(uow, guardado, ato)
            person = await acting_usuario(uow)
            nomes = await names_of_usuarios(uow, _people_in(within, ato))
            return AtoAberto(ato, within, nomes, person is not None and _may_undo(uow, ato, person))

    @asks("triagem.decidir")
    async def desfazer(self, scope: Scope, edital_id: str, ato_id: UUID, projetos: Sequence[str] | None = None) -> Desfeito:
        """Put each project of an act, or those named, back to what stood before, also to no decision, where the act's is in force still.

        What was undone stays readable. Raises SemPermissao unless whoever did it is acting, or somebody who administers; EditalNotFound,
        AtoNotFound; ProjetoNotFound for one that is not of the act; NadaADesfazer where none is in force, and why.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await _manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            ato = await _get_act(uow, guardado, ato_id)
            if not _may_undo(uow, ato, person):
                raise SemPermissao("Só quem decidiu, ou quem administra, desfaz esta decisão. Você pode decidir de novo.")
            codigos = _chosen(await decisoes.projects_in(uow, guardado.id, ato.id), projetos)
            await decisoes.lock(uow, guardado.id, codigos)
            within, posicoes = await self._in_act(uow, guardado, ato, codigos)
            back = [one for one in within if one.sorte == "em_vigor"]
            if not back:
                raise NadaADesfazer(why_not(within, await names_of_usuarios(uow, _people_in(within, ato))))
            await self._undo(uow, guardado, ato, [posicoes[one.projeto_id] for one in back], person)
            after, _ = await self._in_act(uow, guardado, ato, [one.projeto_id for one in back])
            return Desfeito(ato.id, after, tuple([one for one in within if one.sorte != "em_vigor"]))

    async def _standing(self, uow: UnitOfWork, guardado: EditalGuardado, codigos: Sequence[str]) -> dict[str, Posicao]:
        last = await execucoes.find_last_finished(uow, guardado.id)
        return await decisoes.standing(uow, guardado.id, last.id if last else None, codigos)

    async def _foresee(
        self,
        uow: UnitOfWork,
        guardado: EditalGuardado,
        codigos: Sequence[str],
        decisao: HabilitacaoSugerida,
        posicoes: Mapping[str, Posicao],
    ) -> Previa:
        if not codigos or len(codigos) > MOST_AT_ONCE:
            raise DecisaoInvalida(f"Marque ao menos um projeto, e até {number(MOST_AT_ONCE)} de uma vez.")
        await caso_renovacao.ensure(uow, guardado.id, self._new_id, self._clock.now())  # a call that was screened before cases has them too
        abertos = await self._casos_abertos(uow, guardado.id, codigos)
        candidatos = {
            codigo: Candidato(codigo, one.retirado, one.sugestao, one.decisao, tuple(abertos.get(codigo, ())))
            for codigo, one in posicoes.items()
        }
        return foresee(guardado.edital.id, codigos, candidatos, decisao)

    async def _keep(
        self,
        uow: UnitOfWork,
        guardado: EditalGuardado,
        decisao: HabilitacaoSugerida,
        motivo: str,
        posicoes: Sequence[Posicao],
        person: Usuario,
    ) -> Ato:
        now, ato_id = self._clock.now(), self._new_id()
        novas = [Nova(one.id, one.sugestao, self._new_id() if one.decisao else None) for one in posicoes]
        seals = await decisoes.keep(uow, guardado.id, Tomada(ato_id, decisao, motivo, person.id, now), novas)
        told = {"decisao": decisao, "ato": str(ato_id)}
        notes = [
            (self._new_id(), str(one.id), {**told, "projeto": one.codigo, "sugestao": one.sugestao, audit.DIGESTS: seals[one.id]})
            for one in posicoes
        ]
        await registros.note_all(uow, now, "habilitacao.decidida", guardado.edital.id, "projeto", notes)
        return Ato(ato_id, guardado.edital.id, decisao, len(novas), person.id, now, len(novas), 0)

    async def _undo(self, uow: UnitOfWork, guardado: EditalGuardado, ato: Ato, posicoes: Sequence[Posicao], person: Usuario) -> None:
        now = self._clock.now()
        written, gone = await decisoes.undo(uow, {one.id: self._new_id() for one in posicoes}, person.id, now)
        told = {"ato": str(ato.id), "decisao": ato.decisao}
        notes = []
        for one in posicoes:
            seals = {**written[one.id], **audit.changed(gone.get(one.id, {}), {})}
            notes.append((self._new_id(), str(one.id), {**told, "projeto": one.codigo, audit.DIGESTS: seals}))
        await registros.note_all(uow, now, "habilitacao.desfeita", guardado.edital.id, "projeto", notes)

    async def _in_act(
        self, uow: UnitOfWork, guardado: EditalGuardado, ato: Ato, codigos: Sequence[str] | None = None
    ) -> tuple[tuple[NoAto, ...], dict[str, Posicao]]:
        """How the projects of an act stand, all or those named, in order of their codes."""
        named = await decisoes.projects_in(uow, guardado.id, ato.id) if codigos is None else codigos
        posicoes = await self._standing(uow, guardado, named)
        undone = await decisoes.undone_in(uow, guardado.id, ato.id)
        stand = [(posicoes[codigo], undone.get(codigo)) for codigo in named]
        return tuple([no_ato(of.codigo, of.decisao, gone, ato.id, retirado=of.retirado) for of, gone in stand]), posicoes


def _in_force(posicoes: Mapping[str, Posicao], projeto_id: str) -> Posicao:
    of = posicoes.get(projeto_id)
    if of is None:
        raise ProjetoNotFound("Não há projeto com este código neste edital. Volte à lista e escolha outro.")
    if of.retirado:
        raise ProjetoNotFound("Este projeto foi retirado do edital depois que você o abriu. Nada foi gravado; volte à lista.")
    return of


def _chosen(of_act: Sequence[str], projetos: Sequence[str] | None) -> Sequence[str]:
    if projetos is None:
        return of_act
    if not projetos or not set(projetos) <= set(of_act):
        raise ProjetoNotFound("Este projeto não faz parte desta decisão. Volte a ela e escolha outro.")
    return sorted(set(projetos))


def _read_value(decisao: str) -> HabilitacaoSugerida:
    value = next((one for one in _VALUES if one == decisao), None)
    if value is None:
        raise DecisaoInvalida("Escolha habilitado, inabilitado ou pendência.")
    return value


def _read_motivo(motivo: str, *, needed: bool) -> str:
    given = motivo.strip()
    if len(given) > LONGEST_REASON or "\0" in given:
        raise DecisaoInvalida(f"O motivo deve ter até {LONGEST_REASON} caracteres.")
    if needed and len(given) < SHORTEST_REASON:
        raise DecisaoInvalida("Escreva o motivo: a sua decisão é diferente da sugestão, e quem se inscreveu vai querer saber por quê.")
    return given


async def _overtaken(uow: UnitOfWork, guardado: EditalGuardado, of: Posicao, person: Usuario, now: datetime) -> DecisaoDeOutraPessoa:
    """What became of the decision that was seen: another stands, or it was undone; and by whom, who may be the same person."""
    again = "Nada foi gravado agora; se ainda for o caso, decida de novo."
    agora = of.decisao
    if agora is not None and agora.decidido_por == person.id:
        said = you_decided(agora, now)
        return DecisaoDeOutraAba(f"{said[:1].upper()}{said[1:]}, em outra aba. {again}", agora)
    if agora is not None:
        said = who_decided(agora, await names_of_usuarios(uow, [agora.decidido_por]))
        return DecisaoDeOutraPessoa(f"{said}. Nada foi gravado; se ainda for o caso, decida de novo.", agora)
    undone = next(iter((await decisoes.earlier_of(uow, guardado.id, [of.id])).get(of.codigo, ())), None)
    if undone is not None and undone.desfeita_por == person.id and undone.desfeita_em is not None:
        return DecisaoDeOutraAba(
            f"Você desfez em outra aba, {at_hour(undone.desfeita_em, now)}, a decisão que esta mostrava. {again}", None
        )
    return DecisaoDeOutraPessoa(f"A decisão que você viu foi desfeita. {again}", None)


async def _told(uow: UnitOfWork, of: Sequence[Posicao], person: Usuario, now: datetime) -> dict[str, str]:
    """By code what stands decided of projects, and by whom."""
    standing = {one.codigo: one.decisao for one in of if one.decisao is not None}
    nomes = await names_of_usuarios(uow, {one.decidido_por for one in standing.values()})
    return {codigo: you_decided(one, now) if one.decidido_por == person.id else who_decided(one, nomes) for codigo, one in standing.items()}


def _people_in(within: Sequence[NoAto], ato: Ato) -> set[UUID]:
    return people_of([one for of in within for one in (of.agora, of.desfeita)], [ato])


async def _get_act(uow: UnitOfWork, guardado: EditalGuardado, ato_id: UUID) -> Ato:
    ato = await decisoes.find_act(uow, guardado.id, ato_id)
    if ato is None:
        raise AtoNotFound("Não há decisão com este número neste edital. Volte à lista e confira o endereço.")
    return ato


def _may_undo(uow: UnitOfWork, ato: Ato, person: Usuario) -> bool:
    return ato.feito_por == person.id or may(uow.scope.sujeito, "triagem.desfazer_de_outro", Este(uow.scope.tenant_id))


async def _manager(uow: UnitOfWork) -> Usuario:
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada decide a habilitação. Entre com o seu usuário.")
    return person
