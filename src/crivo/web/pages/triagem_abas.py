"""The three tabs of a result: which projects or signs are searched for, in what order, and the page of them to show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, Final, Literal, TypeVar, assert_never
from uuid import UUID

from fastapi import Query

from crivo.kernel.text.folding import fold
from crivo.triagem.achados import Irregularidade, ProjetoTriado, Resultado
from crivo.triagem.edital import Chamada
from crivo.triagem.media import media_of
from crivo.triagem.storage.avaliacoes import Avaliacao, Incumbencia
from crivo.triagem.storage.decisoes import DecisaoHabilitacao
from crivo.web.pages.triagem_enderecos import Enderecos
from crivo.web.pages.triagem_lista import Fatia, cut, link, matches
from crivo.web.pages.triagem_sinais import SinalVista, kinds
from crivo.web.pages.triagem_vista import AvaliacaoVista, DecisaoVista, HabilitacaoVista, Quem, group_of, groups, people_of, read_share

Item = TypeVar("Item")
Aba = Literal["habilitacao", "avaliacao", "irregularidades"]
UNDECIDED: Final = "sem-decisao"
_LONGEST_SEARCH: Final = 200
_PER_PAGE: Final = 25
_CARDS: Final = 10
_GRAVITY: Final = ("inabilitado", "pendencia", "erro", "", "habilitado")
_NOMES: Final[tuple[tuple[Aba, str], ...]] = (
    ("habilitacao", "Habilitação"),
    ("avaliacao", "Avaliação"),
    ("irregularidades", "Irregularidades"),
)
_ORDENS: Final[Mapping[Aba, tuple[tuple[str, str], ...]]] = {
    "habilitacao": (("projeto", "Projeto"), ("situacao", "Sugestão, o mais grave primeiro"), ("confianca", "Confiança, a menor primeiro")),
    "avaliacao": (("projeto", "Projeto"), ("inscricao", "Ordem de inscrição")),
    "irregularidades": (("medida", "Medida, a maior primeiro"), ("projeto", "Projeto")),
}
_PADRAO: Final[Mapping[Aba, str]] = {
    "habilitacao": "Ordem de inscrição",
    "avaliacao": "Nota sugerida, a maior primeiro",
    "irregularidades": "Tipo de sinal",
}


@dataclass(frozen=True, slots=True)
class Busca:
    """What the address asks for; `projeto` is the one whose line is open."""

    aba: Aba = "habilitacao"
    q: str = ""
    filtro: str = ""
    ordem: str = ""
    pagina: int = 1
    projeto: str = ""

    @property
    def query(self) -> dict[str, str]:
        """All but the page, as an address says it."""
        return {"aba": self.aba, "q": self.q, "filtro": self.filtro, "ordem": self.ordem}

    @property
    def here(self) -> str:
        """The query of this very page."""
        return link(self.query, pagina=str(self.pagina) if self.pagina > 1 else "")

    def opened(self, projeto_id: str) -> str:
        """The query of this page with the line of a project open, and its place on it."""
        return f"{link(self.query, pagina=str(self.pagina) if self.pagina > 1 else '', projeto=projeto_id)}#projeto-{projeto_id}"


def busca_of(
    aba: Aba = "habilitacao",
    q: Annotated[str, Query(max_length=_LONGEST_SEARCH)] = "",
    filtro: Annotated[str, Query(max_length=40)] = "",
    ordem: Annotated[str, Query(max_length=20)] = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    projeto: Annotated[str, Query(max_length=64)] = "",
) -> Busca:
    """What an address asks for."""
    return Busca(aba, q.strip(), filtro, ordem, pagina, projeto)


@dataclass(frozen=True)
class Achados:
    """A result with all that its page says beside it."""

    chamada: Chamada
    resultado: Resultado
    decisoes: Mapping[str, DecisaoHabilitacao]
    nomes: Mapping[UUID, str]
    notas: Sequence[Avaliacao]
    incumbencias: Sequence[Incumbencia]

    @cached_property
    def quem(self) -> Mapping[str, Quem]:
        """Every project by code."""
        return people_of(self.chamada, self.resultado)

    @cached_property
    def enderecos(self) -> Enderecos:
        """Where the documents are read."""
        return Enderecos.of(self.chamada.edital.id, self.chamada.projetos)

    @cached_property
    def medias(self) -> Mapping[str, Decimal]:
        """The suggested mean of each project that has one for every critério."""
        found = {one.projeto_id: media_of(self.chamada.criterios, one.notas) for one in self.resultado.projetos}
        return {codigo: media.valor for codigo, media in found.items() if media.valor is not None and not media.parcial}

    @cached_property
    def posicoes(self) -> Mapping[str, int]:
        """The place of each mean, the highest first; equal ones share it."""
        ordered = sorted(self.medias.values(), reverse=True)
        places: dict[Decimal, int] = {}
        for at, value in enumerate(ordered, 1):
            places.setdefault(value, at)
        return {codigo: places[value] for codigo, value in self.medias.items()}


@dataclass(frozen=True, slots=True)
class Aberto:
    """The chosen tab. `abas`: code, name, how many, query; `fichas`: words, query, whether it is in force; `ordens`: code and name.

    `tratada`: whether the last finished screening dealt with it at all. `sem_modelo`: no nota was suggested.
    """

    abas: tuple[tuple[Aba, str, int, str], ...]
    fichas: tuple[tuple[str, str, bool], ...]
    ordens: tuple[tuple[str, str], ...]
    padrao: str
    fatia: Fatia[HabilitacaoVista | AvaliacaoVista | SinalVista]
    tratada: bool
    sem_modelo: bool

    def abas_de(self, endereco: str) -> list[tuple[Aba, str, int, str]]:
        """The tabs with whole addresses."""
        return [(aba, nome, many, endereco + query) for aba, nome, many, query in self.abas]

    def fichas_de(self, endereco: str) -> list[tuple[str, str, bool]]:
        """The filters of one press with whole addresses."""
        return [(words, endereco + query, chosen) for words, query, chosen in self.fichas]


def open_tab(achados: Achados, busca: Busca) -> Aberto:
    """The tab that is asked for, with one page of its lines."""
    projetos, sinais = achados.resultado.projetos, achados.resultado.irregularidades
    judged = [one for one in projetos if one.habilitacao_sugerida is not None or one.erro is not None]
    read = [one for one in projetos if one.notas or one.leitura]
    totals = {"habilitacao": len(judged), "avaliacao": len(read), "irregularidades": len(sinais)}
    filtros: Sequence[tuple[str, str]] = ()
    fatia: Fatia[HabilitacaoVista | AvaliacaoVista | SinalVista]
    match busca.aba:
        case "habilitacao":
            undecided = sum(one.projeto_id not in achados.decisoes for one in judged)
            filtros = (*groups(judged), *([(UNDECIDED, f"{undecided} sem decisão")] if undecided else []))
            fatia = _habilitacao(achados, judged, busca)
        case "avaliacao":
            fatia = _avaliacao(achados, read, busca)
        case "irregularidades":
            filtros = kinds(sinais)
            fatia = _sinais(achados, sinais, busca)
        case _:
            assert_never(busca.aba)
    abas = tuple([(aba, nome, totals[aba], link({}, aba=aba)) for aba, nome in _NOMES])
    sem_modelo = not any(one.notas for one in projetos)
    return Aberto(
        abas,
        _chips(filtros, busca, totals[busca.aba]),
        _ORDENS[busca.aba],
        "Ordem de inscrição" if busca.aba == "avaliacao" and sem_modelo else _PADRAO[busca.aba],
        fatia,
        totals[busca.aba] > 0,
        sem_modelo,
    )


def _habilitacao(achados: Achados, judged: Sequence[ProjetoTriado], busca: Busca) -> Fatia[HabilitacaoVista]:
    quem = achados.quem
    wanted = [
        one
        for one in judged
        if (not busca.filtro or busca.filtro == group_of(one) or (busca.filtro == UNDECIDED and one.projeto_id not in achados.decisoes))
        and _is_about(quem[one.projeto_id], busca.q)
    ]
    by: Mapping[str, Callable[[ProjetoTriado], object]] = {
        "projeto": lambda one: fold(quem[one.projeto_id].titulo),
        "situacao": lambda one: _GRAVITY.index(group_of(one)),
        "confianca": read_share,
    }

    def show(one: ProjetoTriado) -> HabilitacaoVista:
        decided = achados.decisoes.get(one.projeto_id)
        decisao = DecisaoVista.of(decided, achados.nomes) if decided else None
        return HabilitacaoVista.of(one, quem[one.projeto_id], achados.enderecos, decisao)

    return cut(_ordered(wanted, by.get(busca.ordem)), show, busca.pagina, _PER_PAGE, busca.query)


def _avaliacao(achados: Achados, read: Sequence[ProjetoTriado], busca: Busca) -> Fatia[AvaliacaoVista]:
    quem = achados.quem
    given: dict[str, list[Avaliacao]] = {}
    for nota in achados.notas:
        given.setdefault(nota.projeto_id, []).append(nota)
    people: dict[str, list[Incumbencia]] = {}
    for one in achados.incumbencias:
        people.setdefault(one.projeto_id, []).append(one)
    last = len(read) + 1
    by: Mapping[str, Callable[[ProjetoTriado], object]] = {
        "": lambda one: achados.posicoes.get(one.projeto_id, last),
        "projeto": lambda one: fold(quem[one.projeto_id].titulo),
    }
    wanted = [one for one in read if _is_about(quem[one.projeto_id], busca.q)]

    def show(one: ProjetoTriado) -> AvaliacaoVista:
        codigo = one.projeto_id
        posicao = f"{achados.posicoes[codigo]}º" if codigo in achados.posicoes else ""
        humanas, judges = given.get(codigo, ()), people.get(codigo, ())
        return AvaliacaoVista.of(one, quem[codigo], posicao, achados.chamada, achados.enderecos, humanas, judges)

    return cut(_ordered(wanted, by.get(busca.ordem)), show, busca.pagina, _PER_PAGE, busca.query)


def _sinais(achados: Achados, sinais: Sequence[Irregularidade], busca: Busca) -> Fatia[SinalVista]:
    quem = achados.quem
    signs = [
        one
        for one in sinais
        if busca.filtro in ("", one.tipo)
        and (matches(busca.q, one.achado) or any(_is_about(quem[codigo], busca.q) for codigo in one.projetos))
    ]
    by: Mapping[str, Callable[[Irregularidade], object]] = {
        "medida": lambda one: -(one.valor or 0.0),
        "projeto": lambda one: one.projetos,
    }
    return cut(
        _ordered(signs, by.get(busca.ordem)), lambda one: SinalVista.of(one, quem, achados.enderecos), busca.pagina, _CARDS, busca.query
    )


def _ordered(itens: Sequence[Item], by: Callable[[Item], Any] | None) -> Sequence[Item]:
    return itens if by is None else sorted(itens, key=by)


def _chips(filtros: Sequence[tuple[str, str]], busca: Busca, total: int) -> tuple[tuple[str, str, bool], ...]:
    if not filtros:
        return ()
    chosen = [("", f"Todos ({total})"), *filtros]
    return tuple([(words, link(busca.query, filtro=codigo), busca.filtro == codigo) for codigo, words in chosen])


def _is_about(quem: Quem, words: str) -> bool:
    return matches(words, quem.codigo, quem.titulo, quem.proponente, quem.categoria)
