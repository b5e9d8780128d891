"""The queue of whoever judges in words: tabs, filters, lines and pages, nothing left for a template to work out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal

from crivo.triagem.dadas import Andamento, Chave, Dada, FilaDadas, Filtro, Ordem, Recorte
from crivo.triagem.palavras import count, number, shown
from crivo.triagem.recorte import SEM_CATEGORIA
from crivo.web.pages.triagem.fila_vista import GRAVIDADE, POR_PAGINA, Aba, Opcao, Sinalizado, head_of, where_said
from crivo.web.pages.triagem.mesa_pedido import pages_of
from crivo.web.pages.triagem.meu_endereco import MeuEndereco

Coluna = Literal["andamento", "caso", "categoria", "edital"]
_ANDAMENTO: Final[Mapping[Andamento, Sinalizado]] = {
    "a-fazer": Sinalizado("Por começar", "nada", ""),
    "rascunho": Sinalizado("Rascunho", "parcial", "pa"),
    "enviada": Sinalizado("Enviada", "feito", "ok"),
}
_ABAS: Final[tuple[tuple[Andamento | None, str, str], ...]] = (
    (None, "Todos", "Todos os projetos dados a você"),
    ("a-fazer", "Por começar", "Sem nota e sem texto seus"),
    ("rascunho", "Rascunho", "Começados, e ainda não enviados"),
    ("enviada", "Enviadas", "Enviados: contam, e não mudam mais"),
)
_TITULOS: Final[Mapping[Filtro, str]] = {"situacao": "Andamento", "do_edital": "Edital", "categoria": "Categoria", "caso": "Caso"}
_CASO: Final[Mapping[str, str]] = {"com": "Com caso aberto ou confirmado", "sem": "Sem caso"}
_COLUNAS: Final[Mapping[Coluna, tuple[str, Ordem]]] = {
    "andamento": ("Andamento", "situacao"),
    "caso": ("Caso", "caso"),
    "categoria": ("Categoria", "categoria"),
    "edital": ("Edital", "edital"),
}
_HIGHEST_FIRST: Final[frozenset[Coluna]] = frozenset({"caso"})


@dataclass(frozen=True, slots=True)
class MinhaLinha:
    """A project of the queue. `miudo` is what stands under its title where it has no column."""

    codigo: str
    titulo: str
    miudo: str
    categoria: str
    edital: str
    endereco: str
    atual: bool
    situacao: Sinalizado
    notas: str
    grau: tuple[str, str] | None
    casos: int


@dataclass(frozen=True, slots=True)
class MinhaFila:
    """The queue, with the names that the queue of those who manage has for the same things. `progresso`: how many were sent."""

    abas: tuple[Aba, ...]
    fichas: tuple[tuple[str, str, str], ...]
    filtros: tuple[tuple[Filtro, str, tuple[Opcao, ...]], ...]
    mostradas: tuple[Coluna, ...]
    larga: bool
    cabecas: tuple[tuple[str, str, str, str], ...]
    linhas: tuple[MinhaLinha, ...]
    onde: str
    total: str
    paginas: tuple[tuple[int, str, bool], ...]
    avisos: tuple[str, ...]
    limpar: str
    sem_procura: str
    progresso: str

    @classmethod
    def of(cls, fila: FilaDadas, endereco: MeuEndereco, aberto: Chave | None) -> MinhaFila:
        """The queue in words."""
        recorte = fila.recorte
        # With no project beside it the queue has the whole window.
        wide: tuple[Coluna, ...] = ("categoria", *(("edital",) if len(fila.editais) > 1 else ()))
        mostradas: tuple[Coluna, ...] = ("andamento", "caso", *(() if aberto else wide))
        gone = [
            f"O filtro “{_TITULOS[name]}: {shown(one)}” não existe mais entre os seus projetos, e ficou de fora."
            for name, one in fila.desconhecidos
        ]
        shown_by_tab = recorte.filtros.get("situacao", frozenset())
        return cls(
            abas=tuple([_tab(*one, fila, endereco) for one in _ABAS]),
            fichas=tuple(
                [
                    (_TITULOS[name], ", ".join(_said(name, one, fila) for one in sorted(values)), endereco.fila(recorte.com(name)))
                    for name, values in recorte.filtros.items()
                    if name != "situacao" or len(shown_by_tab) > 1
                ]
            ),
            filtros=tuple([(name, _TITULOS[name], _options(name, fila)) for name in _TITULOS if _is_choice(name, fila)]),
            mostradas=mostradas,
            larga=not aberto,
            cabecas=(
                head_of("projeto", "Projeto", "titulo", recorte, endereco, desce_antes=False),
                *[head_of(one, *_COLUNAS[one], recorte, endereco, desce_antes=one in _HIGHEST_FIRST) for one in mostradas],
            ),
            linhas=tuple([_line(one, fila, endereco, aberto) for one in fila.linhas]),
            onde=where_said(fila.pagina, len(fila.linhas), fila.total),
            total=count(fila.total, "projeto", "projetos"),
            paginas=tuple([(one, endereco.fila(pagina=one), one == fila.pagina) for one in pages_of(fila.pagina, fila.total, POR_PAGINA)]),
            avisos=(*endereco.avisos, *gone),
            limpar=endereco.fila(Recorte(ordem=recorte.ordem, desce=recorte.desce)) if recorte.filtros or recorte.q else "",
            sem_procura=endereco.fila(replace(recorte, q="")) if recorte.q else "",
            progresso=f"{number(fila.enviadas)} de {number(fila.dadas)} {'enviado' if fila.dadas == 1 else 'enviados'}",
        )


def _tab(andamento: Andamento | None, nome: str, ajuda: str, fila: FilaDadas, endereco: MeuEndereco) -> Aba:
    counted, asked = fila.facetas["situacao"], fila.recorte.filtros.get("situacao", frozenset())
    values = (andamento,) if andamento else ()
    many = counted.get(andamento, 0) if andamento else None
    return Aba(nome, ajuda, endereco.fila(fila.recorte.com("situacao", *values)), many, asked == frozenset(values))


def _is_choice(name: Filtro, fila: FilaDadas) -> bool:
    """Whether there is anything to choose: those of one edital, or one category, need no filter for it."""
    many = {"do_edital": len(fila.editais), "categoria": len(fila.categorias)}
    return many.get(name, 2) > 1 or name in fila.recorte.filtros


def _options(name: Filtro, fila: FilaDadas) -> tuple[Opcao, ...]:
    counted, wanted = fila.facetas[name], fila.recorte.filtros.get(name, frozenset())
    values: Mapping[Filtro, tuple[str, ...]] = {
        "situacao": tuple(_ANDAMENTO),
        "do_edital": tuple(fila.editais),
        "categoria": tuple([one or SEM_CATEGORIA for one in fila.categorias]),
        "caso": tuple(_CASO),
    }
    return tuple([Opcao(one, _said(name, one, fila), counted.get(one, 0), one in wanted) for one in values[name]])


def _said(name: Filtro, valor: str, fila: FilaDadas) -> str:
    match name:
        case "situacao":
            return next(rotulo.palavra for codigo, rotulo in _ANDAMENTO.items() if codigo == valor)
        case "do_edital":
            return shown(fila.editais.get(valor, "")) or valor
        case "categoria":
            return "Sem categoria" if valor == SEM_CATEGORIA else shown(valor)
        case "caso":
            return _CASO[valor]


def _line(one: Dada, fila: FilaDadas, endereco: MeuEndereco, aberto: Chave | None) -> MinhaLinha:
    de, graus = one.de, one.graus
    categoria = shown(de.categoria)
    edital = de.edital_id if len(fila.editais) > 1 else ""
    return MinhaLinha(
        de.projeto_id,
        shown(de.titulo) or de.projeto_id,
        " · ".join(part for part in (categoria, edital) if part),
        categoria,
        de.edital_id,
        endereco.dada(one.chave),
        one.chave == aberto,
        _ANDAMENTO[one.andamento],
        f"{number(de.com_nota)} de {count(de.criterios, 'nota', 'notas')}" if one.andamento == "rascunho" and de.criterios else "",
        (graus[0], GRAVIDADE[graus[0]]) if graus else None,
        len(graus),
    )
