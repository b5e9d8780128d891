"""The mesa: the queue of a call's projects and one of them at a time, for whoever manages. Source: design, "The mesa"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from crivo.kernel.access import SemPermissao, asks, list_usuarios
from crivo.kernel.access.usuarios import Usuario, acting_usuario
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import ProjetoTriado, Tipo
from crivo.triagem.casos import Gravidade
from crivo.triagem.categorias import foreign
from crivo.triagem.edital import Criterio, Edital, Projeto, Requisito
from crivo.triagem.erros import ProjetoNotFound, VisaoInvalida, VisaoNotFound
from crivo.triagem.fila import (
    TODOS_ATENDIDOS,
    Contexto,
    Ficha,
    Filtro,
    Medias,
    Recorte,
    chosen,
    facetas_of,
    ordered,
    settled,
)
from crivo.triagem.guardados import Avaliacao, Cabecalho, DecisaoHabilitacao, Incumbencia
from crivo.triagem.procura import words_of
from crivo.triagem.recorte import Faceta, Vizinhos, beside, page_of
from crivo.triagem.storage import avaliacoes, caso_renovacao, decisoes, editais, execucoes, mesa, projetos, registros, resultados
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.nomes import nomes_of, places_by_title
from crivo.triagem.storage.procura import ensure_folded
from crivo.triagem.storage.triados import Alvo

LONGEST_NAME: Final = 60
LONGEST_VIEW: Final = 2_000
MOST_VIEWS: Final = 30
_JUDGES_HABILITACAO: Final[frozenset[Tipo]] = frozenset({"completa", "habilitacao"})


@dataclass(frozen=True, slots=True)
class Embutida:
    """A view that everybody has: its code, name and what it is for, and the filters that it stands for."""

    codigo: str
    nome: str
    ajuda: str
    recorte: Recorte


A_DECIDIR: Final = Embutida("a-decidir", "A decidir", "Sem decisão de pessoa", Recorte({"decisao": frozenset({"sem"})}))
EMBUTIDAS: Final = (
    A_DECIDIR,
    Embutida(
        "com-caso",
        "Com caso",
        "Com um caso aberto ou confirmado, o mais grave primeiro",
        Recorte({"caso": frozenset({"com"})}, "", "caso", True),
    ),
    Embutida(
        "prontos",
        "Prontos",
        "Todos os requisitos atendidos, nenhum caso aberto ou confirmado, sem decisão",
        Recorte(
            {
                "situacao": frozenset({"habilitado"}),
                "requisito": frozenset({TODOS_ATENDIDOS}),
                "caso": frozenset({"sem"}),
                "decisao": frozenset({"sem"}),
            }
        ),
    ),
    Embutida("minhas", "Comigo", "Dados a você para avaliar, ou com um caso de que você cuida", Recorte({"minha": frozenset({"sim"})})),
    Embutida("todos", "Todos", "Todos os projetos do edital", Recorte()),
)


@dataclass(frozen=True, slots=True)
class Visao:
    """A view that a person saved; `consulta` is what its address asks for."""

    id: UUID
    nome: str
    consulta: str


@dataclass(frozen=True, slots=True)
class Pedida:
    """What is asked of the queue; without a page, the one on which the open project stands, or else the first."""

    recorte: Recorte = A_DECIDIR.recorte
    pagina: int | None = None
    tamanho: int = 50
    aberto: str = ""


@dataclass(frozen=True, slots=True)
class LinhaFila:
    """A project of the queue, with its open cases, the gravest first; a project erased meanwhile has no header."""

    ficha: Ficha
    cabecalho: Cabecalho | None
    medias: Medias
    casos: tuple[Gravidade, ...]


@dataclass(frozen=True, slots=True)
class Fila:
    """A page of the queue. `total` answers to what is asked, `projetos` are in the call; `visoes` counts the built-in views.

    `recorte` is what was asked for, without the values that this call does not have, which are in `desconhecidos`. `triada`: a screening
    has said something of habilitação; `desatualizada`: the call came in or was changed since. `categorias` are those of its projects,
    `fora` those of them that the edital lacks. `a_decidir` is the first of what answers on which nobody has decided, empty where there
    is none. `com_notas`: people sent any; `com_sugestoes`: a model suggested any.
    """

    edital: Edital
    requisitos: tuple[Requisito, ...]
    triada: bool
    desatualizada: bool
    projetos: int
    decididos: int
    recorte: Recorte
    desconhecidos: tuple[tuple[Filtro, str], ...]
    total: int
    pagina: int
    linhas: tuple[LinhaFila, ...]
    vizinhos: Vizinhos[str]
    a_decidir: str
    visoes: Mapping[str, int]
    salvas: tuple[Visao, ...]
    facetas: Mapping[Filtro, Faceta]
    categorias: tuple[str, ...]
    fora: frozenset[str]
    com_notas: bool
    com_sugestoes: bool


@dataclass(frozen=True, slots=True)
class NaMesa:
    """A project as it is decided upon: what it says, what the last screening found, what people decided and gave.

    `avaliacoes` are notas that were sent; `nomes` of people by id; `desfeitas` are the decisions of a project that has none now.
    """

    edital: Edital
    criterios: tuple[Criterio, ...]
    requisitos: tuple[Requisito, ...]
    projeto: Projeto
    triado: ProjetoTriado | None
    decisao: DecisaoHabilitacao | None
    avaliacoes: tuple[Avaliacao, ...]
    incumbencias: tuple[Incumbencia, ...]
    nomes: Mapping[UUID, str]
    desfeitas: tuple[DecisaoHabilitacao, ...] = ()


class Mesa:
    """The queue and the projects of a tenant's calls, for those who manage."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.acompanhar")
    async def fila(self, scope: Scope, edital_id: str, pedida: Pedida) -> Fila:
        """The queue as it is asked for. Raises EditalNotFound, SemPermissao unless a person acts."""
        async with self._database.unit_of_work(scope) as uow:
            person = await _person(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            await caso_renovacao.ensure(uow, guardado.id, self._new_id, self._clock.now())
            chamada = await _read(uow, guardado)
            recorte, unknown = settled(pedida.recorte, {one.id for one in chamada.requisitos}, set(chamada.categorias))
            contexto = await _contexto(uow, chamada, recorte, person.id)
            wanted = ordered(chosen(chamada.fichas, recorte, contexto), recorte, contexto)
            vizinhos = _beside(wanted, pedida.aberto)
            pagina = page_of(len(wanted), pedida.tamanho, pedida.pagina, vizinhos.posicao)
            fichas = wanted[(pagina - 1) * pedida.tamanho : pagina * pedida.tamanho]
            com_notas, com_sugestoes = await mesa.graded_at_all(uow, chamada.alvo)
            wordless = replace(contexto, achados=None)
            return Fila(
                edital=guardado.edital,
                requisitos=chamada.requisitos,
                triada=chamada.triada,
                desatualizada=chamada.desatualizada,
                projetos=len(chamada.fichas),
                decididos=sum(one.decisao is not None for one in chamada.fichas),
                recorte=recorte,
                desconhecidos=unknown,
                total=len(wanted),
                pagina=pagina,
                linhas=await _lines(uow, chamada, fichas, contexto),
                vizinhos=vizinhos,
                a_decidir=next((one.codigo for one in wanted if one.decisao is None), ""),
                visoes={one.codigo: len(chosen(chamada.fichas, one.recorte, wordless)) for one in EMBUTIDAS},
                salvas=tuple([Visao(*one) for one in await mesa.views_of(uow, guardado.id, person.id)]),
                facetas=facetas_of(chamada.fichas, recorte, contexto),
                categorias=chamada.categorias,
                fora=chamada.fora,
                com_notas=com_notas,
                com_sugestoes=com_sugestoes,
            )

    @asks("triagem.acompanhar")
    async def vizinhos(self, scope: Scope, edital_id: str, recorte: Recorte, projeto_id: str) -> Vizinhos[str]:
        """Where a project stands in the queue that is asked for. Raises as `fila`."""
        return _beside(await self._wanted(scope, edital_id, recorte), projeto_id)

    @asks("triagem.acompanhar")
    async def codigos(self, scope: Scope, edital_id: str, recorte: Recorte) -> tuple[str, ...]:
        """The codes of the whole queue that is asked for, in its order. Raises as `fila`."""
        return tuple([one.codigo for one in await self._wanted(scope, edital_id, recorte)])

    @asks("triagem.acompanhar")
    async def projeto(self, scope: Scope, edital_id: str, projeto_id: str) -> NaMesa:
        """A project as it is decided upon. Raises EditalNotFound; ProjetoNotFound, also where it was withdrawn."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            of = (await projetos.ids_of(uow, guardado.id)).get(projeto_id)
            if of is None:
                raise ProjetoNotFound("Este projeto não está mais no edital: foi retirado, ou o código é outro. Volte à fila.")
            last = await execucoes.find_last_finished(uow, guardado.id)
            triados = () if last is None else await resultados.load(uow, last.id, [of])
            decided = (await decisoes.decisions_of(uow, guardado.id, [of])).get(projeto_id)
            undone = () if decided else (await decisoes.earlier_of(uow, guardado.id, [of])).get(projeto_id, ())
            sent = [one for one in await avaliacoes.list_of(uow, guardado.id, [of]) if one.enviada_em is not None]
            return NaMesa(
                guardado.edital,
                tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)]),
                await editais.requisitos_of(uow, guardado.id),
                (await projetos.load_one(uow, of)).projeto,
                triados[0] if triados else None,
                decided,
                tuple(sent),
                await avaliacoes.incumbencias_of(uow, guardado.id, [of]),
                {one.id: one.nome for one in await list_usuarios(uow)} if decided or undone or sent else {},
                tuple(undone),
            )

    @asks("triagem.acompanhar")
    async def visoes(self, scope: Scope, edital_id: str) -> tuple[Visao, ...]:
        """The views that whoever acts saved for an edital. Raises EditalNotFound, SemPermissao unless a person acts."""
        async with self._database.unit_of_work(scope) as uow:
            person, guardado = await _person(uow), await editais.get_by_codigo(uow, edital_id)
            return tuple([Visao(*one) for one in await mesa.views_of(uow, guardado.id, person.id)])

    @asks("triagem.acompanhar")
    async def salvar_visao(self, scope: Scope, edital_id: str, nome: str, consulta: str) -> UUID:
        """Save what an address asks for under a name, in the place of a view of that name; its id. Raises EditalNotFound, VisaoInvalida."""
        given = " ".join(nome.split())
        if not given or len(given) > LONGEST_NAME or len(consulta) > LONGEST_VIEW or "\0" in given + consulta:
            raise VisaoInvalida(f"Dê um nome à visão, com até {LONGEST_NAME} letras.")
        async with self._database.unit_of_work(scope) as uow:
            person, guardado = await _person(uow), await editais.get_by_codigo(uow, edital_id)
            saved = await mesa.views_of(uow, guardado.id, person.id)
            if len(saved) >= MOST_VIEWS and given not in {name for _, name, _ in saved}:
                raise VisaoInvalida(f"Você já tem {MOST_VIEWS} visões neste edital. Apague uma antes de salvar outra.")
            now = self._clock.now()
            kept = await mesa.save_view(uow, self._new_id(), guardado.id, person.id, given, consulta, now)
            await registros.note(uow, self._new_id(), now, "visao.salva", edital_id, "edital", edital_id, {"visao": str(kept)})
            return kept

    @asks("triagem.acompanhar")
    async def apagar_visao(self, scope: Scope, edital_id: str, visao_id: UUID) -> None:
        """Forget a view of whoever acts. Raises EditalNotFound, VisaoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            person, guardado = await _person(uow), await editais.get_by_codigo(uow, edital_id)
            if await mesa.forget_view(uow, guardado.id, person.id, visao_id) is None:
                raise VisaoNotFound("Esta visão já não existe. Abra a mesa de novo para ver as que há.")
            await registros.note(
                uow, self._new_id(), self._clock.now(), "visao.apagada", edital_id, "edital", edital_id, {"visao": str(visao_id)}
            )

    async def _wanted(self, scope: Scope, edital_id: str, recorte: Recorte) -> list[Ficha]:
        async with self._database.unit_of_work(scope) as uow:
            person = await _person(uow)
            chamada = await _read(uow, await editais.get_by_codigo(uow, edital_id))
            recorte, _ = settled(recorte, {one.id for one in chamada.requisitos}, set(chamada.categorias))
            contexto = await _contexto(uow, chamada, recorte, person.id)
            return ordered(chosen(chamada.fichas, recorte, contexto), recorte, contexto)


@dataclass(frozen=True, slots=True)
class _Chamada:
    """What of a call its queue is made of."""

    edital: Edital
    alvo: Alvo
    requisitos: tuple[Requisito, ...]
    triada: bool
    desatualizada: bool
    fichas: list[Ficha]

    @property
    def categorias(self) -> tuple[str, ...]:
        return tuple(sorted({one.categoria for one in self.fichas}))

    @property
    def fora(self) -> frozenset[str]:
        return foreign(self.categorias, self.edital.categorias)


async def _read(uow: UnitOfWork, guardado: EditalGuardado) -> _Chamada:
    last = await execucoes.find_last_finished(uow, guardado.id)
    criterios = tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)])
    alvo = Alvo(guardado.id, None if last is None else last.id, criterios)
    await ensure_folded(uow, guardado)
    triada = last is not None and last.tipo in _JUDGES_HABILITACAO
    stale = last is not None and last.importacao != guardado.importacao
    return _Chamada(guardado.edital, alvo, await editais.requisitos_of(uow, guardado.id), triada, stale, await mesa.fichas_of(uow, alvo))


async def _contexto(uow: UnitOfWork, chamada: _Chamada, recorte: Recorte, person: UUID) -> Contexto:
    """What the fichas are held against: names are opened, and notas counted over the whole call, only where that is asked for."""
    palavras, by_title = words_of(recorte.q), recorte.ordem == "projeto"
    nomes = await nomes_of(uow, chamada.alvo.edital_id) if palavras or by_title else []
    casos, of_mine = await mesa.open_cases(uow, chamada.alvo.edital_id, person)
    counted = recorte.ordem in {"nota", "sugestao"} or "avaliacao" in recorte.filtros
    return Contexto(
        casos=casos,
        medias=await mesa.medias_of(uow, chamada.alvo) if counted else {},
        achados=frozenset([one.id for one in nomes if one.says(palavras)]) if palavras else None,
        lugares=dict(zip([one.id for one in nomes], places_by_title(nomes), strict=True)) if by_title else {},
        fora=chamada.fora,
        meus=of_mine | await mesa.given_to(uow, chamada.alvo.edital_id, person),
    )


async def _lines(uow: UnitOfWork, chamada: _Chamada, fichas: Sequence[Ficha], contexto: Contexto) -> tuple[LinhaFila, ...]:
    ids = [one.id for one in fichas]
    cabecalhos = await projetos.cabecalhos_of(uow, chamada.alvo.edital_id, [one.codigo for one in fichas])
    medias = await mesa.medias_of(uow, chamada.alvo, ids) if ids else {}
    return tuple(
        [
            LinhaFila(one, cabecalhos.get(one.codigo), medias.get(one.id, Medias()), tuple(contexto.casos.get(one.codigo, ())))
            for one in fichas
        ]
    )


def _beside(wanted: Sequence[Ficha], aberto: str) -> Vizinhos[str]:
    return beside([one.codigo for one in wanted], aberto)


async def _person(uow: UnitOfWork) -> Usuario:
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada trabalha na mesa. Entre com o seu usuário.")
    return person
