"""Use cases of whoever gives projects to people who judge, many at once: foresee, give, and undo while nothing was written.

Source: decisions 0045 and 0055.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from crivo.kernel.access import Este, SemPermissao, asks, may
from crivo.kernel.access.usuarios import Usuario, acting_usuario
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.distribuicao.entrega import entries_of
from crivo.triagem.distribuicao.guardados import AtoDeDistribuicao, Devolvidas, Par, Quem
from crivo.triagem.distribuicao.interesses import ties_of
from crivo.triagem.distribuicao.pessoas import acting_manager
from crivo.triagem.distribuicao.previa import Candidato, PreviaDeDistribuicao, changed_since, foresee
from crivo.triagem.edital import Avaliador
from crivo.triagem.erros import AvaliadorNotFound, DistribuicaoInvalida, DistribuicaoMudou, DistribuicaoNotFound, NadaADesfazer
from crivo.triagem.palavras import number
from crivo.triagem.storage import atribuicoes, calibracoes, decisoes, editais, impedimentos, julgadores, registros
from crivo.triagem.storage.decisoes import Posicao
from crivo.triagem.storage.editais import EditalGuardado

MOST_AT_ONCE: Final = 50_000  # as many as an edital may have
MOST_PEOPLE: Final = 100


@dataclass(frozen=True, slots=True)
class DistribuicaoAberta:
    """An act with what it gave and is given still, and whether whoever looks may undo it."""

    ato: AtoDeDistribuicao
    dadas: tuple[Par, ...]
    pode_desfazer: bool


class Distribuicao:
    """Projects given to people who judge."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.distribuir")
    async def prever(self, scope: Scope, edital_id: str, codigos: Sequence[str], avaliadores: Sequence[UUID]) -> PreviaDeDistribuicao:
        """What giving these projects to these people would do. Raises EditalNotFound, AvaliadorNotFound, DistribuicaoInvalida."""
        async with self._database.unit_of_work(scope) as uow:
            return await self._foresee(uow, await editais.get_by_codigo(uow, edital_id), codigos, avaliadores)

    @asks("triagem.distribuir")
    async def dar(
        self, scope: Scope, edital_id: str, codigos: Sequence[str], avaliadores: Sequence[UUID], prevista: str
    ) -> AtoDeDistribuicao:
        """Give all that a preview said would be given, in one transaction: all of it, or none; one entry a project in the audit.

        Raises SemPermissao unless a person is acting; EditalNotFound; DistribuicaoMudou, with the preview of now and which projects
        changed, where it is not what `prevista` was; AvaliadorNotFound, DistribuicaoInvalida, also where nothing would be given.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            await decisoes.lock(uow, guardado.id, codigos)
            await julgadores.hold(uow, guardado.id, avaliadores)
            nova = await self._foresee(uow, guardado, codigos, avaliadores)
            mudaram = changed_since(prevista, codigos, nova)
            if mudaram is not None:
                raise DistribuicaoMudou(nova, mudaram)
            if not nova.entram:
                raise DistribuicaoInvalida("Nenhum destes projetos seria dado a ninguém. Volte à lista e marque outros.")
            return await self._give(uow, guardado, nova, person)

    @asks("triagem.acompanhar")
    async def ato(self, scope: Scope, edital_id: str, ato_id: UUID) -> DistribuicaoAberta:
        """An act, and what of it is given still. Raises EditalNotFound, DistribuicaoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            ato = await _get_act(uow, guardado, ato_id)
            person = await acting_usuario(uow)
            return DistribuicaoAberta(
                ato, await atribuicoes.of_act(uow, guardado.id, ato.id), person is not None and _mine(uow, ato, person)
            )

    @asks("triagem.distribuir")
    async def desfazer(self, scope: Scope, edital_id: str, ato_id: UUID) -> Devolvidas:
        """Take back all that an act gave, but for projects of which their person wrote something already.

        Raises SemPermissao unless whoever gave is acting, or somebody who administers; EditalNotFound, DistribuicaoNotFound;
        NadaADesfazer where nothing can be taken back, and why.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            ato = await _get_act(uow, guardado, ato_id)
            if not _mine(uow, ato, person):
                raise SemPermissao("Só quem deu estes projetos, ou quem administra, desfaz. Você pode tirar os projetos de cada pessoa.")
            if await calibracoes.is_of_act(uow, ato.id):
                raise NadaADesfazer("Estes projetos são os da calibração: desfaça-a na página da calibração.")
            given = await atribuicoes.of_act(uow, guardado.id, ato.id)
            await decisoes.lock(uow, guardado.id, sorted({one.codigo for one in given}))  # nobody writes of them meanwhile
            given = await atribuicoes.of_act(uow, guardado.id, ato.id)
            back = [one for one in given if not one.comecada]
            if not back:
                raise NadaADesfazer(
                    "Quem avalia já escreveu em todos estes projetos: o que foi escrito não se perde. Tire-os pela página de cada pessoa."
                    if given
                    else "Estes projetos já foram desfeitos ou tirados: não há o que desfazer."
                )
            await atribuicoes.take(uow, [(one.avaliador, one.projeto) for one in back])
            entries = entries_of(self._new_id, ato.id, back)
            await registros.note_all(uow, self._clock.now(), "distribuicao.desfeita", guardado.edital.id, "projeto", entries)
            return Devolvidas(ato.id, len(back), len(given) - len(back))

    async def _foresee(
        self, uow: UnitOfWork, guardado: EditalGuardado, codigos: Sequence[str], avaliadores: Sequence[UUID]
    ) -> PreviaDeDistribuicao:
        if not codigos or len(codigos) > MOST_AT_ONCE:
            raise DistribuicaoInvalida(f"Marque ao menos um projeto, e até {number(MOST_AT_ONCE)} de uma vez.")
        people = await _chosen(uow, guardado, avaliadores)
        posicoes = await decisoes.standing(uow, guardado.id, None, codigos)
        free = [one for one in posicoes.values() if not one.retirado and not _left_out(one)]
        ties = await ties_of(uow, guardado, [one.id for one in free], people, self._new_id, self._clock.now())
        given: dict[str, set[UUID]] = {}
        for par in await atribuicoes.of_projects(uow, guardado.id, codigos):
            given.setdefault(par.codigo, set()).add(par.avaliador)
        barred: dict[str, set[UUID]] = {}
        for codigo, who in await impedimentos.in_force(uow, guardado.id):
            barred.setdefault(codigo, set()).add(who)
        candidatos = {
            codigo: Candidato(
                codigo,
                one.retirado,
                _left_out(one),
                frozenset(given.get(codigo, ())),
                ties.get(codigo, {}),
                frozenset(barred.get(codigo, ())),
            )
            for codigo, one in posicoes.items()
        }
        return foresee(guardado.edital.id, codigos, [Quem(who, one.nome) for who, one in people.items()], candidatos)

    async def _give(self, uow: UnitOfWork, guardado: EditalGuardado, nova: PreviaDeDistribuicao, person: Usuario) -> AtoDeDistribuicao:
        ids = await decisoes.standing(uow, guardado.id, None, [one.projeto_id for one in nova.entram])
        ato = AtoDeDistribuicao(self._new_id(), guardado.edital.id, len(nova.entram), nova.dadas, person.id, self._clock.now(), nova.dadas)
        pares = [Par(who, ids[one.projeto_id].id, one.projeto_id, False, 0, False) for one in nova.entram for who in one.avaliadores]
        await atribuicoes.give(uow, guardado.id, ato, [(one.avaliador, one.projeto) for one in pares])
        entries = entries_of(self._new_id, ato.id, pares)
        await registros.note_all(uow, ato.feito_em, "projeto.distribuido", guardado.edital.id, "projeto", entries)
        return ato


async def _chosen(uow: UnitOfWork, guardado: EditalGuardado, avaliadores: Sequence[UUID]) -> dict[UUID, Avaliador]:
    """These people, once each. Raises AvaliadorNotFound, DistribuicaoInvalida."""
    asked = tuple(dict.fromkeys(avaliadores))
    if not asked or len(asked) > MOST_PEOPLE:
        raise DistribuicaoInvalida(f"Escolha ao menos uma pessoa que avalia, e até {MOST_PEOPLE} de uma vez.")
    there = {one.id: one for one in await julgadores.judges_of_edital(uow, guardado.id)}
    if not there.keys() >= set(asked):
        raise AvaliadorNotFound("Uma das pessoas escolhidas não avalia este edital, ou deixou de avaliar. Escolha de novo.")
    barred = [there[one].avaliador.nome for one in asked if there[one].causa in ("acesso_retirado", "papel_nao_avalia")]
    if barred:
        raise DistribuicaoInvalida(f"Não pode mais avaliar: {', '.join(barred)}. Nada foi dado a ninguém; escolha outra pessoa.")
    return {one: there[one].avaliador for one in asked}


def _left_out(posicao: Posicao) -> bool:
    return posicao.decisao is not None and posicao.decisao.decisao == "inabilitado"


async def _get_act(uow: UnitOfWork, guardado: EditalGuardado, ato_id: UUID) -> AtoDeDistribuicao:
    ato = await atribuicoes.find_act(uow, guardado.id, ato_id)
    if ato is None:
        raise DistribuicaoNotFound("Não há distribuição com este número neste edital. Volte à lista de quem avalia e confira.")
    return ato


def _mine(uow: UnitOfWork, ato: AtoDeDistribuicao, person: Usuario) -> bool:
    return ato.feito_por == person.id or may(uow.scope.sujeito, "triagem.desfazer_de_outro", Este(uow.scope.tenant_id))
