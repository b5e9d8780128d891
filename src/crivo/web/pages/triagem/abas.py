"""The three tabs of a result: what an address asks for, and the page of projects or signs that answers it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final, assert_never

from fastapi import Query

from crivo.triagem.achados import ProjetoTriado
from crivo.triagem.casos.guardados import ListaCasos
from crivo.triagem.casos.palavras import CASOS_DE
from crivo.triagem.guardados import COM_DECISAO, SEM_DECISAO, Cabecalho, DecisaoHabilitacao
from crivo.triagem.irregularidades.sinais import SINAL_DE
from crivo.triagem.painel import Aba, Achada, CasosDosProjetos, ListaAvaliacao, ListaHabilitacao, Pedida
from crivo.triagem.palavras import number
from crivo.web.pages.listas import Fatia, Titulo, head, link, slice_of
from crivo.web.pages.triagem.caso_marca import CasosMarca
from crivo.web.pages.triagem.caso_vista import CasoVista
from crivo.web.pages.triagem.enderecos import Enderecos
from crivo.web.pages.triagem.sinais import kinds
from crivo.web.pages.triagem.vista import AvaliacaoVista, DecisaoVista, HabilitacaoVista, Quem, groups

Mine = Callable[[DecisaoHabilitacao], bool]
_LONGEST_SEARCH: Final = 200
_PER_PAGE: Final = 25
_CARDS: Final = 10
_NOMES: Final[tuple[tuple[Aba, str], ...]] = (
    ("habilitacao", "Habilitação"),
    ("avaliacao", "Avaliação"),
    ("irregularidades", "Irregularidades"),
)
# What each list may be in order of, with the words of the column's head; an empty code is of a column that orders nothing.
_COLUNAS: Final[Mapping[Aba, tuple[tuple[str, str], ...]]] = {
    "habilitacao": (("projeto", "Projeto"), ("situacao", "Sugestão IA"), ("", "Decisão"), ("", "Motivo"), ("confianca", "Confiança")),
    "avaliacao": (("inscricao", "Ordem"), ("projeto", "Projeto"), ("nota", "Sugestão IA"), ("", "Notas das pessoas")),
    "irregularidades": (),
}
_FILTRO: Final[Mapping[Aba, tuple[str, str]]] = {
    "habilitacao": ("Sugestão", "Todas"),
    "avaliacao": ("", ""),
    "irregularidades": ("Situação", "Todas"),
}


_DECISOES: Final = (SEM_DECISAO, COM_DECISAO)
_FILTROS: Final[Mapping[Aba, Collection[str]]] = {
    "habilitacao": ("habilitado", "pendencia", "inabilitado", "erro"),
    "avaliacao": (),
    "irregularidades": CASOS_DE,
}


@dataclass(frozen=True, slots=True)
class Busca:
    """What the address asks for; `projeto` is the one whose line is open, `tipo` a kind of sign."""

    aba: Aba = "habilitacao"
    q: str = ""
    filtro: str = ""
    decisao: str = ""
    ordem: str = ""
    pagina: int = 1
    projeto: str = ""
    tipo: str = ""

    @property
    def query(self) -> dict[str, str]:
        """All but the page, as an address says it."""
        return {"aba": self.aba, "q": self.q, "filtro": self.filtro, "decisao": self.decisao, "tipo": self.tipo, "ordem": self.ordem}

    @property
    def algum(self) -> bool:
        """Whether any lines are left out."""
        return bool(self.q or self.filtro or self.decisao or self.tipo)

    @property
    def tamanho(self) -> int:
        """How many lines a page has."""
        return _CARDS if self.aba == "irregularidades" else _PER_PAGE

    @property
    def pedida(self) -> Pedida:
        """What is asked of the screening."""
        return Pedida(self.aba, self.q, self.filtro, self.ordem, self.pagina, self.tamanho, self.decisao, self.tipo)

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
    decisao: Annotated[str, Query(max_length=20)] = "",
    ordem: Annotated[str, Query(max_length=20)] = "",
    pagina: Annotated[int, Query(ge=1, le=1_000_000)] = 1,
    projeto: Annotated[str, Query(max_length=64)] = "",
    tipo: Annotated[str, Query(max_length=40)] = "",
) -> Busca:
    """What an address asks for; a filter that there is not, as in an old address, leaves nothing out."""
    if filtro == SEM_DECISAO:  # stood among the suggestions once
        filtro, decisao = "", SEM_DECISAO
    if aba == "irregularidades" and filtro in SINAL_DE:  # an address of when each sign was listed by itself
        filtro, tipo = "", filtro
    return Busca(
        aba,
        q.strip(),
        filtro if filtro in _FILTROS[aba] else "",
        decisao if decisao in _DECISOES else "",
        ordem,
        pagina,
        projeto,
        tipo if tipo in SINAL_DE else "",
    )


@dataclass(frozen=True, slots=True)
class Aberto:
    """The chosen tab. `abas`: code, name, how many, query; `filtros`, `decisoes` and `tipos` (kinds of signs): code and words.

    `tratada`: whether the last finished screening dealt with it at all. `sem_modelo`: no nota was suggested.
    """

    abas: tuple[tuple[Aba, str, int, str], ...]
    filtros: tuple[tuple[str, str], ...]
    filtro: tuple[str, str]
    decisoes: tuple[tuple[str, str], ...]
    titulos: tuple[Titulo, ...]
    fatia: Fatia[HabilitacaoVista | AvaliacaoVista | CasoVista]
    tratada: bool
    sem_modelo: bool
    tipos: tuple[tuple[str, str], ...] = ()

    def abas_de(self, endereco: str) -> list[tuple[Aba, str, int, str]]:
        """The tabs with whole addresses."""
        return [(aba, nome, many, endereco + query) for aba, nome, many, query in self.abas]


def open_tab(edital_id: str, achada: Achada, busca: Busca, mine: Mine, eu: str = "") -> Aberto:
    """The tab that was asked for, with its page of lines; `mine` says whether whoever looks may undo a decision, `eu` is their id."""
    panorama = achada.panorama
    totals = {"habilitacao": panorama.julgados, "avaliacao": panorama.lidos, "irregularidades": sum(achada.situacoes.values())}
    quem = quem_by_code(achada.cabecalhos)
    enderecos = Enderecos.of(edital_id, {codigo: one.arquivos for codigo, one in achada.cabecalhos.items()})
    filtros: Sequence[tuple[str, str]] = ()
    decisoes: Sequence[tuple[str, str]] = ()
    tipos: tuple[tuple[str, str], ...] = ()
    linhas: Sequence[HabilitacaoVista | AvaliacaoVista | CasoVista]
    match achada.lista:
        case ListaHabilitacao() as lista:
            filtros = groups(panorama.grupos)
            undecided = panorama.sem_decisao
            decisoes = (
                (SEM_DECISAO, f"{number(undecided)} sem decisão"),
                (COM_DECISAO, f"{number(panorama.julgados - undecided)} decididos"),
            )
            linhas = _habilitacao(lista, quem, enderecos, achada.casos, mine)
        case ListaAvaliacao() as lista:
            linhas = _avaliacao(lista, quem, achada, enderecos)
        case ListaCasos() as lista:
            filtros = [(one, f"{words} ({lista.situacoes[one]})") for one, words in CASOS_DE.items() if one in lista.situacoes]
            tipos = kinds(lista.tipos)
            linhas = [CasoVista.of(one, quem, enderecos, eu) for one in lista.casos]
        case _:
            assert_never(achada.lista)
    abas = tuple([(aba, nome, totals[aba], link({}, aba=aba)) for aba, nome in _NOMES])
    sem_modelo = not panorama.com_notas
    return Aberto(
        abas,
        tuple(filtros),
        _FILTRO[busca.aba],
        tuple(decisoes),
        _heads(busca, sem_modelo=sem_modelo),
        slice_of(linhas, lista.total, lista.pagina, busca.tamanho, busca.query),
        totals[busca.aba] > 0,
        sem_modelo,
        tipos,
    )


def quem_by_code(cabecalhos: Mapping[str, Cabecalho]) -> Mapping[str, Quem]:
    """Whoever is named, by code; of one that is not in the edital nothing but the code is known."""
    return _Quem(cabecalhos)


class _Quem(dict[str, Quem]):
    def __init__(self, cabecalhos: Mapping[str, Cabecalho]) -> None:
        super().__init__({codigo: Quem.of(codigo, one) for codigo, one in cabecalhos.items()})

    def __missing__(self, codigo: str) -> Quem:
        return Quem.of(codigo, None)


def _habilitacao(
    lista: ListaHabilitacao, quem: Mapping[str, Quem], enderecos: Enderecos, casos: CasosDosProjetos, mine: Mine
) -> list[HabilitacaoVista]:
    def show(one: ProjetoTriado) -> HabilitacaoVista:
        decided = lista.decisoes.get(one.projeto_id)
        vista = DecisaoVista.of(decided, lista.nomes, mine=mine(decided)) if decided else None
        gone = tuple([DecisaoVista.of(of, lista.nomes) for of in lista.desfeitas.get(one.projeto_id, ())])
        its = CasosMarca.of(enderecos.edital_id, casos.get(one.projeto_id, ()))
        return HabilitacaoVista.of(one, quem[one.projeto_id], enderecos, vista, its, gone)

    return [show(one) for one in lista.triados]


def _avaliacao(lista: ListaAvaliacao, quem: Mapping[str, Quem], achada: Achada, enderecos: Enderecos) -> list[AvaliacaoVista]:
    def show(one: ProjetoTriado) -> AvaliacaoVista:
        codigo = one.projeto_id
        posicao = f"{lista.posicoes[codigo]}º" if codigo in lista.posicoes else ""
        humanas = [nota for nota in lista.notas if nota.projeto_id == codigo]
        judges = [of for of in lista.incumbencias if of.projeto_id == codigo]
        its = CasosMarca.of(enderecos.edital_id, achada.casos.get(codigo, ()))
        return AvaliacaoVista.of(one, quem[codigo], posicao, achada.criterios, enderecos, humanas, judges, its)

    return [show(one) for one in lista.triados]


def _heads(busca: Busca, *, sem_modelo: bool) -> tuple[Titulo, ...]:
    """The heads of the list; where nothing else is asked for, notas are in order from the highest."""
    asked = busca.ordem or ("-nota" if busca.aba == "avaliacao" and not sem_modelo else "")
    return tuple(
        [head(codigo, nome, asked, busca.query, desce=codigo == "nota") if codigo else Titulo(nome) for codigo, nome in _COLUNAS[busca.aba]]
    )
