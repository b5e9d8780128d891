"""Use cases of whoever decides the habilitação: the suggestion is beside it, and changes nothing by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, get_args
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access import SemPermissao, asks
from crivo.kernel.access.usuarios import Usuario, acting_usuario
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import HabilitacaoSugerida
from crivo.triagem.erros import DecisaoInvalida, ProjetoNotFound
from crivo.triagem.guardados import DecisaoHabilitacao
from crivo.triagem.seladas import HABILITACOES, HABILITACOES_ANTERIORES
from crivo.triagem.storage import decisoes, editais, execucoes, projetos, registros, resultados

SHORTEST_REASON: Final = 5
LONGEST_REASON: Final = 2_000
_VALUES: Final[tuple[HabilitacaoSugerida, ...]] = get_args(HabilitacaoSugerida)


class Habilitacoes:
    """Decisions of people on the habilitação of projects. Source: triagem seed, "Painel de habilitação"."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

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

    @asks("triagem.decidir")
    async def decidir(self, scope: Scope, edital_id: str, projeto_id: str, decisao: str, motivo: str) -> None:
        """Decide on a project, or decide again; what was suggested at that moment is kept beside it, and earlier decisions stay readable.

        Where the decision is the suggested one a reason may be left out. Raises SemPermissao unless a person who manages is acting;
        EditalNotFound, ProjetoNotFound; DecisaoInvalida.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await _manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            of = (await projetos.ids_of(uow, guardado.id)).get(projeto_id)
            if of is None:
                raise ProjetoNotFound("Não há projeto com este código neste edital. Volte à lista e escolha outro.")
            last = await execucoes.find_last_finished(uow, guardado.id)
            triados = () if last is None else await resultados.load(uow, last.id, [of])
            sugestao = triados[0].habilitacao_sugerida if triados else None
            value = _read(decisao, motivo, sugestao)
            now = self._clock.now()
            await decisoes.keep(uow, anterior := self._new_id(), of, value, sugestao, motivo.strip(), person.id, now)
            selos = await _seals(uow, of, anterior)
            dados = {"edital": edital_id, "projeto": projeto_id, "decisao": value, "sugestao": sugestao, audit.DIGESTS: selos}
            await registros.note(uow, self._new_id(), now, "habilitacao.decidida", "projeto", str(of), dados)


def _read(decisao: str, motivo: str, sugestao: HabilitacaoSugerida | None) -> HabilitacaoSugerida:
    value = next((one for one in _VALUES if one == decisao), None)
    if value is None:
        raise DecisaoInvalida("Escolha habilitado, inabilitado ou pendência.")
    given = motivo.strip()
    if len(given) > LONGEST_REASON or "\0" in given:
        raise DecisaoInvalida(f"O motivo deve ter até {LONGEST_REASON} caracteres.")
    if value != sugestao and len(given) < SHORTEST_REASON:
        raise DecisaoInvalida("Escreva o motivo: a sua decisão é diferente da sugestão, e quem se inscreveu vai querer saber por quê.")
    return value


async def _seals(uow: UnitOfWork, projeto: UUID, anterior: UUID) -> dict[str, str]:
    """Of the decision, and of the one that it took the place of."""
    decided = await audit.read_seals(uow, HABILITACOES, {"projeto_id": projeto})
    return {**decided, **await audit.read_seals(uow, HABILITACOES_ANTERIORES, {"id": anterior})}


async def _manager(uow: UnitOfWork) -> Usuario:
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada decide a habilitação. Entre com o seu usuário.")
    return person
