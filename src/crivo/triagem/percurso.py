"""How far a public call has come, from its text to its final list: each step, what of it is done, and the one that is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Literal

from crivo.kernel.access import asks
from crivo.kernel.clock import Clock, today
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.publicado import FaseDoResultado
from crivo.triagem.edital import Fase
from crivo.triagem.publicacao.guardados import Publicada
from crivo.triagem.storage import atribuicoes, decisoes, diligencias, editais, execucoes, projetos, publicadas, recursos

Passo = Literal["edital", "projetos", "triagem", "habilitacao", "distribuicao", "avaliacao", "regras", "preliminar", "recursos", "final"]
Estado = Literal["feito", "andando", "por_fazer"]
_BEFORE: Final[tuple[Passo, ...]] = ("edital", "projetos", "triagem")
_AFTER: Final[tuple[Passo, ...]] = ("regras", "preliminar", "recursos", "final")
_OF_PHASE: Final[dict[Fase, tuple[Passo, ...]]] = {"habilitacao": ("habilitacao",), "avaliacao": ("distribuicao", "avaliacao")}


@dataclass(frozen=True, slots=True)
class Fatos:
    """What is counted of a call. `sozinhos` projects are with nobody; of `dadas` pairs of project and person, `enviadas` are whole.

    On the projects of `diligencias_respondidas` nobody decided since the answer came.
    """

    hoje: date
    ordem_fases: tuple[Fase, ...]
    requisitos: int
    criterios: int
    projetos: int
    triada: bool
    triando: bool
    decididos: int
    sozinhos: int
    dadas: int
    enviadas: int
    com_regras: bool
    versoes: tuple[Publicada, ...]
    recursos_abertos: int = 0
    diligencias_respondidas: int = 0

    def last(self, fase: FaseDoResultado) -> Publicada | None:
        """The version in force of a phase."""
        return next((one for one in self.versoes if one.fase == fase), None)


@dataclass(frozen=True, slots=True)
class Etapa:
    """A step: of `total`, `feitos` are done. `agora`: everything before it is done, and it is not."""

    passo: Passo
    estado: Estado
    feitos: int = 0
    total: int = 0
    agora: bool = False


@dataclass(frozen=True, slots=True)
class Caminho:
    """An edital with its steps, in the order in which it takes them."""

    edital_id: str
    nome: str
    orgao: str
    fatos: Fatos
    etapas: tuple[Etapa, ...]


@dataclass(frozen=True, slots=True)
class Esperando:
    """What somebody from outside sent that waits for whoever manages: by edital, diligências that were answered, and recursos."""

    diligencias: Mapping[str, int]
    recursos: Mapping[str, int]


class Percurso:
    """Where a call stands."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @asks("triagem.acompanhar")
    async def ver(self, scope: Scope, edital_id: str) -> Caminho:
        """The steps of an edital as they stand. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            _, sozinhos = await atribuicoes.count_alone(uow, guardado.id)
            counted = await atribuicoes.counts_of(uow, guardado.id)
            fatos = Fatos(
                today(self._clock),
                guardado.edital.ordem_fases,
                len(await editais.requisitos_of(uow, guardado.id)),
                len(await editais.criterios_of(uow, guardado.id)),
                await projetos.count_of(uow, guardado.id),
                await execucoes.find_last_finished(uow, guardado.id) is not None,
                await execucoes.find_under_way(uow, guardado.id) is not None,
                await decisoes.count_decisions(uow, guardado.id),
                sozinhos,
                sum(one.projetos for one in counted.values()),
                sum(one.enviadas for one in counted.values()),
                guardado.edital.classificacao is not None,
                await publicadas.versions_of(uow, guardado.id),
                await recursos.count_open(uow, guardado.id),
                (await diligencias.to_look_at(uow)).get(edital_id, 0),
            )
        edital = guardado.edital
        return Caminho(edital.id, edital.nome, edital.orgao, fatos, steps_of(fatos))

    @asks("triagem.acompanhar")
    async def esperando(self, scope: Scope) -> Esperando:
        """What waits in all editais."""
        async with self._database.unit_of_work(scope) as uow:
            return Esperando(await diligencias.to_look_at(uow), await recursos.waiting(uow))


def steps_of(fatos: Fatos) -> tuple[Etapa, ...]:
    """The steps in the order of the edital's phases; at most one of them is what is to be done now."""
    between = [passo for fase in fatos.ordem_fases for passo in _OF_PHASE[fase]]
    etapas = [_step(passo, fatos) for passo in (*_BEFORE, *between, *_AFTER)]
    first = next((at for at, one in enumerate(etapas) if one.estado != "feito"), None)
    return tuple([replace(one, agora=at == first) for at, one in enumerate(etapas)])


def _step(passo: Passo, fatos: Fatos) -> Etapa:
    match passo:
        case "edital":
            return _whole(passo, done=fatos.requisitos > 0 and fatos.criterios > 0, begun=fatos.requisitos + fatos.criterios > 0)
        case "projetos":
            return Etapa(passo, "feito" if fatos.projetos else "por_fazer", fatos.projetos, fatos.projetos)
        case "triagem":
            return _whole(passo, done=fatos.triada and not fatos.triando, begun=fatos.triando)
        case "habilitacao":
            found = _counted(passo, fatos.decididos, fatos.projetos)
            return replace(found, estado="andando") if fatos.diligencias_respondidas else found
        case "distribuicao":
            return _counted(passo, fatos.projetos - fatos.sozinhos, fatos.projetos)
        case "avaliacao":
            return _counted(passo, fatos.enviadas, fatos.dadas)
        case "regras":
            return _whole(passo, done=fatos.com_regras)
        case "recursos":
            return _recursos(fatos)
        case "preliminar" | "final":
            return _whole(passo, done=fatos.last(passo) is not None)


def _recursos(fatos: Fatos) -> Etapa:
    """Done once their days are over, or where a preliminary result opened none, and each was answered."""
    preliminar = fatos.last("preliminar")
    days_left = preliminar is not None and preliminar.recursos_ate is not None and fatos.hoje <= preliminar.recursos_ate
    waiting = days_left or fatos.recursos_abertos > 0
    return _whole("recursos", done=preliminar is not None and not waiting, begun=waiting)


def _whole(passo: Passo, *, done: bool, begun: bool = False) -> Etapa:
    return Etapa(passo, "feito" if done else "andando" if begun else "por_fazer")


def _counted(passo: Passo, feitos: int, total: int) -> Etapa:
    return Etapa(passo, "feito" if total and feitos >= total else "andando" if feitos else "por_fazer", feitos, total)


def next_of(etapas: Sequence[Etapa]) -> Etapa | None:
    """What is to be done now; None once everything is."""
    return next((one for one in etapas if one.agora), None)
