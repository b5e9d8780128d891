"""How the judging of an edital stands, as draws need it: who may be given projects, who has what, and who must not have which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from uuid import UUID

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.classificacao.concorrencia import Avaliada, Concorrencia
from crivo.triagem.classificacao.definicao import Classificacao
from crivo.triagem.distribuicao.sorteio_previa import NaoSorteada
from crivo.triagem.distribuicao.terceira import Julgados, PedeOutra, asking
from crivo.triagem.edital import Avaliador
from crivo.triagem.storage import atribuicoes, editais, impedimentos, julgadores, sorteios
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.ranking import notas_of
from crivo.triagem.storage.triados import Alvo


@dataclass(frozen=True, slots=True)
class Situacao:
    """An edital with its projects that may be drawn (id and categoria by code), the people who may receive, and those who may not.

    `dadas`: who has which project; `julgaram`: who sent notas of it; `fora`: from whom it was taken, and who is impeded.
    """

    guardado: EditalGuardado
    regras: Classificacao
    projetos: Mapping[str, tuple[UUID, str]]
    pessoas: Mapping[UUID, Avaliador]
    nao_sorteadas: tuple[NaoSorteada, ...]
    dadas: Mapping[str, Set[UUID]]
    julgaram: Mapping[str, Set[UUID]]
    fora: Mapping[str, Set[UUID]]
    cargas: Mapping[UUID, int]
    julgados: Julgados

    @property
    def semente(self) -> str:
        """With what the call draws where nobody says another."""
        return self.regras.semente or self.guardado.edital.id

    def pedem(self) -> tuple[PedeOutra, ...]:
        """The projects that ask for another person, in the order of the call."""
        return asking(self.julgados, list(self.projetos))

    def having(self, codigo: str) -> frozenset[UUID]:
        """Who has a project, or judged it and has it no more while it counts still."""
        return frozenset(self.dadas.get(codigo, frozenset()) | self.julgaram.get(codigo, frozenset()))

    def barred(self, codigo: str) -> frozenset[UUID]:
        """Who is not to be drawn for a project, whatever interests they have."""
        return self.having(codigo) | self.fora.get(codigo, frozenset())


async def load(uow: UnitOfWork, guardado: EditalGuardado) -> Situacao:
    """How it stands now."""
    projetos = await sorteios.drawable_of(uow, guardado.id)
    regras = guardado.edital.classificacao or Classificacao()
    judges = await julgadores.judges_of_edital(uow, guardado.id)
    fora = _by_project(await sorteios.taken_of(uow, guardado.id))
    impeded = await impedimentos.in_force(uow, guardado.id)
    for codigo, who in impeded:
        fora.setdefault(codigo, set()).add(who)
    dadas: dict[str, set[UUID]] = {}
    cargas: dict[UUID, int] = {}
    for par in await atribuicoes.of_projects(uow, guardado.id, list(projetos)):
        dadas.setdefault(par.codigo, set()).add(par.avaliador)
        cargas[par.avaliador] = cargas.get(par.avaliador, 0) + 1
    concorrencia = await _judged(uow, guardado, regras)
    wanted = max(regras.minimo_avaliadores, await sorteios.wanted_of(uow, guardado.id) or 0)
    return Situacao(
        guardado,
        regras,
        projetos,
        {one.id: one.avaliador for one in judges if one.causa in (None, "sem_entrada") and not one.apagada},
        tuple([NaoSorteada(one.avaliador.nome, one.causa) for one in judges if one.causa not in (None, "sem_entrada") and not one.apagada]),
        dadas,
        _by_project([(one.projeto, UUID(one.avaliador)) for one in concorrencia.avaliacoes]),
        fora,
        cargas,
        Julgados(concorrencia, dadas, frozenset(codigo for codigo, _ in impeded), wanted),
    )


async def _judged(uow: UnitOfWork, guardado: EditalGuardado, regras: Classificacao) -> Concorrencia:
    criterios = tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)])
    notas, _ = await notas_of(uow, Alvo(guardado.id, None, criterios))
    given: dict[tuple[str, str], dict[str, Decimal]] = {}
    for nota in notas:
        given.setdefault((nota.projeto, nota.avaliador), {})[nota.criterio] = nota.nota
    avaliadas = [Avaliada(projeto, avaliador, dadas) for (projeto, avaliador), dadas in given.items()]
    return Concorrencia(guardado.edital.id, regras, criterios, (), avaliadas)


def _by_project(those: Sequence[tuple[str, UUID]]) -> dict[str, set[UUID]]:
    found: dict[str, set[UUID]] = {}
    for codigo, who in those:
        found.setdefault(codigo, set()).add(who)
    return found
