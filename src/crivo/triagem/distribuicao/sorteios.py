"""Use cases of whoever has a draw say who judges what: foresee, give, and make it again to hold it against what was given.

Undoing is that of every act of giving. Source: decision 0060.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from crivo.kernel.access import asks
from crivo.kernel.access.usuarios import Usuario
from crivo.kernel.clock import Clock
from crivo.kernel.errors import Problem
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.distribuicao import situacao
from crivo.triagem.distribuicao.entrega import entries_of
from crivo.triagem.distribuicao.guardados import AtoDeDistribuicao, Par, SorteioGuardado
from crivo.triagem.distribuicao.interesses import ties_of
from crivo.triagem.distribuicao.pessoas import acting_manager
from crivo.triagem.distribuicao.situacao import Situacao
from crivo.triagem.distribuicao.sorteio import Entrada, ParaSortear, PessoaNoSorteio, Sorteado, draw, in_order, resumo_of
from crivo.triagem.distribuicao.sorteio_previa import PedidoDeSorteio, PreviaDeSorteio, changed_since, previa_of
from crivo.triagem.distribuicao.terceira import PedeOutra
from crivo.triagem.erros import DistribuicaoInvalida, DistribuicaoMudou, DistribuicaoNotFound
from crivo.triagem.storage import atribuicoes, decisoes, editais, julgadores, registros, sorteios

MOST_PER_PROJECT: Final = 50
MOST_PER_PERSON: Final = 50_000
LONGEST_SEMENTE: Final = 200


@dataclass(frozen=True, slots=True)
class ComoSortear:
    """What a draw of an edital is asked with where nobody says otherwise, and the projects that ask for another person."""

    por_projeto: int
    semente: str
    pedem: tuple[PedeOutra, ...]
    divergencia: bool


@dataclass(frozen=True, slots=True)
class SorteioConferido:
    """A draw made again: what came of it now, and whether that, and what it was made from, is what was written down then."""

    sorteio: SorteioGuardado
    refeito: Sorteado
    confere: bool


class Sorteios:
    """Draws of who judges."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.acompanhar")
    async def como(self, scope: Scope, edital_id: str) -> ComoSortear:
        """How an edital draws, and which projects ask for another person. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            found = await situacao.load(uow, await editais.get_by_codigo(uow, edital_id))
            return ComoSortear(found.regras.minimo_avaliadores, found.semente, found.pedem(), found.regras.divergencia_maxima is not None)

    @asks("triagem.distribuir")
    async def prever(self, scope: Scope, edital_id: str, pedido: PedidoDeSorteio) -> PreviaDeSorteio:
        """What a draw would give. Raises EditalNotFound, DistribuicaoInvalida."""
        async with self._database.unit_of_work(scope) as uow:
            found = await situacao.load(uow, await editais.get_by_codigo(uow, edital_id))
            _, previa = await self._foresee(uow, found, pedido)
            return previa

    @asks("triagem.distribuir")
    async def dar(self, scope: Scope, edital_id: str, pedido: PedidoDeSorteio, prevista: str) -> AtoDeDistribuicao:
        """Give all that a preview said would be drawn, in one transaction: all of it, or none.

        Raises SemPermissao unless a person is acting; EditalNotFound; DistribuicaoMudou, with the preview of now and which projects
        changed, where it is not what `prevista` was; DistribuicaoInvalida, also where nothing would be given.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            seen = await situacao.load(uow, guardado)
            await decisoes.lock(uow, guardado.id, list(seen.projetos))
            await julgadores.hold(uow, guardado.id, list(seen.pessoas))
            found = await situacao.load(uow, guardado)
            entrada, nova = await self._foresee(uow, found, pedido)
            mudaram = changed_since(prevista, nova)
            if mudaram is not None:
                raise DistribuicaoMudou(nova, mudaram)
            if not nova.entram:
                raise DistribuicaoInvalida("O sorteio não daria nenhum projeto a ninguém: não há o que confirmar.")
            return await self._give(uow, found, entrada, nova, person)

    @asks("triagem.acompanhar")
    async def conferir(self, scope: Scope, edital_id: str, ato_id: UUID | None = None) -> SorteioConferido:
        """Make a draw again from what it was made from, and hold it against what was written down then; without an act, the last one.

        Raises EditalNotFound, DistribuicaoNotFound.
        """
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            sorteio = await sorteios.find(uow, guardado.id, ato_id)
        if sorteio is None:
            raise DistribuicaoNotFound("Não há sorteio com este número neste edital, ou nenhum foi feito ainda.")
        refeito = await asyncio.to_thread(draw, sorteio.entrada)
        confere = (resumo_of(sorteio.entrada), refeito.resumo) == (sorteio.entrada_resumo, sorteio.pares_resumo)
        return SorteioConferido(sorteio, refeito, confere)

    async def _foresee(self, uow: UnitOfWork, found: Situacao, pedido: PedidoDeSorteio) -> tuple[Entrada, PreviaDeSorteio]:
        asked = _settled(pedido, found)
        if not found.pessoas:
            raise DistribuicaoInvalida("Ninguém que possa avaliar está neste edital ainda. Diga primeiro quem avalia, e volte ao sorteio.")
        lacking = _lacking(found, asked)
        now = self._clock.now()
        ties = await ties_of(uow, found.guardado, [found.projetos[codigo][0] for codigo in lacking], found.pessoas, self._new_id, now)
        entrada = in_order(
            Entrada(
                asked.semente,
                tuple(
                    [
                        ParaSortear(
                            codigo,
                            quantos,
                            found.projetos[codigo][1],
                            tuple([str(one) for one in found.barred(codigo) | ties.get(codigo, {}).keys()]),
                        )
                        for codigo, quantos in lacking.items()
                    ]
                ),
                tuple(
                    [
                        PessoaNoSorteio(str(who), found.cargas.get(who, 0), asked.maximo, one.categorias)
                        for who, one in found.pessoas.items()
                    ]
                ),
            )
        )
        drawn = await asyncio.to_thread(draw, entrada)
        nomes = {str(who): one.nome for who, one in found.pessoas.items()}
        completos = len(found.projetos) - len(lacking)
        edital = found.guardado.edital.id
        return entrada, previa_of(edital, asked, entrada, resumo_of(entrada), drawn, nomes, found.nao_sorteadas, completos)

    async def _give(self, uow: UnitOfWork, found: Situacao, entrada: Entrada, nova: PreviaDeSorteio, person: Usuario) -> AtoDeDistribuicao:
        guardado, now = found.guardado, self._clock.now()
        ato = AtoDeDistribuicao(self._new_id(), guardado.edital.id, len(nova.entram), nova.dadas, person.id, now, nova.dadas)
        pares = [
            Par(who, found.projetos[one.projeto_id][0], one.projeto_id, False, 0, False) for one in nova.entram for who in one.avaliadores
        ]
        await atribuicoes.give(uow, guardado.id, ato, [(one.avaliador, one.projeto) for one in pares])
        sorteio = SorteioGuardado(ato.id, nova.alvo, nova.por_projeto, entrada, nova.entrada_resumo, nova.pares_resumo)
        await sorteios.keep(uow, sorteio)
        told = {
            "ato": str(ato.id),
            "alvo": nova.alvo,
            "semente": nova.semente,
            "por_projeto": nova.por_projeto,
            "maximo": nova.maximo,
            "dadas": nova.dadas,
            "sem_gente": len(nova.faltas),
            "entrada_sha256": nova.entrada_resumo,
            "pares_sha256": nova.pares_resumo,
        }
        await registros.note(uow, self._new_id(), now, "avaliadores.sorteados", guardado.edital.id, "edital", str(guardado.id), told)
        entries = entries_of(self._new_id, ato.id, pares)
        await registros.note_all(uow, now, "projeto.distribuido", guardado.edital.id, "projeto", entries)
        return ato


def _settled(pedido: PedidoDeSorteio, found: Situacao) -> PedidoDeSorteio:
    """What is asked, with the call's own where nothing is said. Raises DistribuicaoInvalida, with the field."""
    por_projeto = 1 if pedido.alvo == "outra" else found.regras.minimo_avaliadores if pedido.por_projeto is None else pedido.por_projeto
    semente = pedido.semente.strip() or found.semente
    wrong = list[Problem]()
    if not 1 <= por_projeto <= MOST_PER_PROJECT:
        wrong.append(Problem(f"Cada projeto tem de 1 a {MOST_PER_PROJECT} pessoas.", "por_projeto"))
    if pedido.maximo is not None and not 1 <= pedido.maximo <= MOST_PER_PERSON:
        wrong.append(Problem("O limite por pessoa é de ao menos um projeto; deixe em branco para não haver limite.", "maximo"))
    if len(semente) > LONGEST_SEMENTE or not semente.isprintable():
        wrong.append(Problem(f"A semente é um texto de uma linha, com até {LONGEST_SEMENTE} caracteres.", "semente"))
    if wrong:
        raise DistribuicaoInvalida(wrong[0].mensagem, wrong)
    return PedidoDeSorteio(pedido.alvo, por_projeto, pedido.maximo, semente)


def _lacking(found: Situacao, asked: PedidoDeSorteio) -> dict[str, int]:
    """How many people each project lacks; of one that lacks nobody, nothing."""
    if asked.alvo == "outra":
        return {one.projeto_id: one.quantos for one in found.pedem() if one.quantos}
    wanted = asked.por_projeto or 1
    lacking = {codigo: wanted - len(found.having(codigo)) for codigo in found.projetos}
    return {codigo: many for codigo, many in lacking.items() if many > 0}
