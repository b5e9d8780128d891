"""What people concluded of a screened call: decisions, notas, cases, and the order that comes of them. What exports hold beside what was
suggested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final
from uuid import UUID

from crivo.kernel.access import SemPermissao, asks, names_of_usuarios
from crivo.kernel.access.usuarios import acting_usuario
from crivo.kernel.storage.patience import PATIENT
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.atos import people_of
from crivo.triagem.casos.guardados import Caso
from crivo.triagem.guardados import Avaliacao, DecisaoHabilitacao, Posto
from crivo.triagem.painel import MOST_PROJECTS
from crivo.triagem.recursos.contratos import Recurso, people_in
from crivo.triagem.storage import avaliacoes, casos, decisoes, editais, execucoes, recursos
from crivo.triagem.storage.ranking import ranking_of
from crivo.triagem.storage.triados import Alvo


@dataclass(frozen=True, slots=True)
class Concluido:
    """What people concluded: decisions in force, those in force no more of projects that have none now, notas that were sent, cases,
    recursos with their answers, the ranking whole, and who these people are by id.
    """

    decisoes: Mapping[str, DecisaoHabilitacao] = field(default_factory=dict)
    desfeitas: Mapping[str, tuple[DecisaoHabilitacao, ...]] = field(default_factory=dict)
    avaliacoes: Sequence[Avaliacao] = ()
    casos: Sequence[Caso] = ()
    recursos: Sequence[Recurso] = ()
    ranking: Sequence[Posto] = ()
    nomes: Mapping[UUID, str] = field(default_factory=dict)


NADA: Final = Concluido()


class Conclusoes:
    """What people concluded, for whoever takes it home."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asks("triagem.acompanhar")
    async def todas(self, scope: Scope, edital_id: str) -> Concluido:
        """All of an edital; drafts of people who judge are nobody's but theirs. Raises EditalNotFound."""
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            decided = await decisoes.decisions_of(uow, guardado.id)
            earlier = await decisoes.earlier_of(uow, guardado.id)
            gone = {codigo: those for codigo, those in earlier.items() if codigo not in decided}
            given = await avaliacoes.list_of(uow, guardado.id)
            last = await execucoes.find_last_finished(uow, guardado.id)
            criterios = tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)])
            ranking = await ranking_of(uow, Alvo(guardado.id, last.id if last else None, criterios), None, 1, MOST_PROJECTS)
            asked = await recursos.list_of(uow, guardado.id)
            told = [*decided.values(), *[one for those in gone.values() for one in those]]
            nomes = await names_of_usuarios(uow, people_of(told) | {one.avaliador for one in given} | people_in(asked))
            return Concluido(decided, gone, _sent(given), await casos.load(uow, guardado.id), asked, ranking.postos, nomes)

    @asks("triagem.ver_atribuidos")
    async def minhas(self, scope: Scope, edital_id: str) -> Concluido:
        """The notas that the acting person sent, and nothing of anybody else. Raises SemPermissao, EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_usuario(uow)
            if person is None:
                raise SemPermissao("Só uma pessoa cadastrada avalia projetos. Entre com o seu usuário.")
            given = await avaliacoes.list_of(uow, (await editais.get_by_codigo(uow, edital_id)).id)
            mine = [one for one in given if one.avaliador == person.id]
            return Concluido(avaliacoes=_sent(mine), nomes={person.id: person.nome})


def _sent(given: Sequence[Avaliacao]) -> tuple[Avaliacao, ...]:
    return tuple([one for one in given if one.enviada_em is not None])
