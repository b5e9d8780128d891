"""The queue of the mesa in words: its views, filters, columns, lines and pages, nothing left for a template to work out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from crivo.kernel.rotulo import Rotulo
from crivo.triagem.casos import Gravidade
from crivo.triagem.edital import Requisito
from crivo.triagem.fila import FORA_DO_EDITAL, TODOS_ATENDIDOS, Filtro, Ordem, Recorte
from crivo.triagem.mesa import EMBUTIDAS, Fila, LinhaFila
from crivo.triagem.palavras import HABILITACAO, count, number, shown
from crivo.triagem.recorte import SEM_CATEGORIA, Pedido
from crivo.web.pages.formatos import dia
from crivo.web.pages.triagem.mesa_endereco import COLUNAS, PADRAO, Coluna, Endereco
from crivo.web.pages.triagem.mesa_pedido import DeFila, pages_of
from crivo.web.pages.triagem.palavras import NAO_TRIADO, SEM_SUGESTAO
from crivo.web.pages.triagem.vista import Quem

Asked = TypeVar("Asked", bound=Pedido[Any, Any])

POR_PAGINA: Final = 50
_SITUACAO: Final[Mapping[str, Rotulo]] = {
    "habilitado": HABILITACAO["habilitado"],
    "pendencia": HABILITACAO["pendencia"],
    "inabilitado": HABILITACAO["inabilitado"],
    "erro": Rotulo("Não triado", NAO_TRIADO.marca, NAO_TRIADO.estilo),  # a line has room for two words
    "nao-triado": SEM_SUGESTAO,
}
GRAVIDADE: Final[Mapping[Gravidade, str]] = {"grave": "grave", "media": "média", "leve": "leve"}
_TITULOS: Final[Mapping[Filtro, str]] = {
    "situacao": "Situação sugerida",
    "decisao": "Decisão",
    "caso": "Caso",
    "requisito": "Requisito em falta",
    "categoria": "Categoria",
    "avaliacao": "Avaliação",
    "difere": "Decidido diferente da sugestão",
    "minha": "Comigo",
}
_VALORES: Final[Mapping[Filtro, Mapping[str, str]]] = {
    "situacao": {codigo: rotulo.palavra for codigo, rotulo in _SITUACAO.items()},
    "decisao": {"sem": "Sem decisão", **{codigo: rotulo.palavra for codigo, rotulo in HABILITACAO.items()}},
    "caso": {"com": "Com caso aberto ou confirmado", "sem": "Sem caso", "grave": "Grave", "media": "Média", "leve": "Leve"},
    "avaliacao": {"falta": "Falta avaliação", "completa": "Completa", "ninguem": "Sem quem avalie"},
    "difere": {"sim": "Diferente da sugestão"},
    "minha": {"sim": "Dados a você, ou com um caso de que você cuida"},
}
_COLUNAS: Final[Mapping[Coluna, tuple[str, Ordem | None]]] = {
    "situacao": ("Situação", "situacao"),
    "caso": ("Caso", "caso"),
    "nota": ("Nota", "nota"),
    "requisitos": ("Em falta", "duvidas"),
    "avaliacao": ("Avaliação", None),
    "categoria": ("Categoria", None),
    "enviado": ("Inscrito", "enviado"),
}
_CATEGORIAS: Final[Mapping[str, str]] = {SEM_CATEGORIA: "Sem categoria", FORA_DO_EDITAL: "Nenhuma das do edital"}
_HIGHEST_FIRST: Final[frozenset[Ordem]] = frozenset({"caso", "nota", "sugestao", "duvidas"})
_TOM: Final[Mapping[str, str]] = {"aprovado": "ok", "pendente": "al", "negado": "er", "parcial": "pa", "neutro": ""}
_ICONE: Final[Mapping[str, str]] = {
    "aprovado": "feito",
    "pendente": "atencao",
    "negado": "recusado",
    "parcial": "parcial",
    "neutro": "nada",
}


@dataclass(frozen=True, slots=True)
class Sinalizado:
    """A word with its drawing and tone: how a situation is said in a line."""

    palavra: str
    icone: str
    tom: str

    @classmethod
    def of(cls, rotulo: Rotulo) -> Sinalizado:
        """The badge as a line shows it."""
        return cls(rotulo.palavra, _ICONE[rotulo.estilo], _TOM[rotulo.estilo])


@dataclass(frozen=True, slots=True)
class LinhaVista:
    """A project of the queue."""

    quem: Quem
    endereco: str
    atual: bool
    situacao: Sinalizado
    decisao: Sinalizado | None
    grau: tuple[str, str] | None
    casos: int
    nota: str
    sugestao: str
    em_falta: str
    avaliacao: str
    enviado: str


@dataclass(frozen=True, slots=True)
class Opcao:
    """A value of a filter: how many it would leave, and whether it is asked for."""

    valor: str
    palavra: str
    quantos: int
    marcada: bool


@dataclass(frozen=True, slots=True)
class Aba:
    """A view: its name, what it is for, its address, how many projects it has (None where that is not counted); `id` of a saved one."""

    nome: str
    ajuda: str
    endereco: str
    quantos: int | None
    atual: bool
    id: str = ""


@dataclass(frozen=True, slots=True)
class FilaVista:
    """The queue. `larga`: it shows more columns than were chosen, as it has room. `fichas` are the filters in force: title,
    values, address without it. `cabecas`: column, name, address, direction."""

    abas: tuple[Aba, ...]
    fichas: tuple[tuple[str, str, str], ...]
    filtros: tuple[tuple[Filtro, str, tuple[Opcao, ...]], ...]
    colunas: tuple[tuple[Coluna, str, bool], ...]
    mostradas: tuple[Coluna, ...]
    larga: bool
    cabecas: tuple[tuple[str, str, str, str], ...]
    linhas: tuple[LinhaVista, ...]
    onde: str
    total: str
    todos: str
    paginas: tuple[tuple[int, str, bool], ...]
    avisos: tuple[str, ...]
    limpar: str
    sem_procura: str

    @classmethod
    def of(cls, fila: Fila, endereco: Endereco, aberto: str) -> FilaVista:
        """The queue in words."""
        recorte, requisitos = fila.recorte, {one.id: one for one in fila.requisitos}
        # With no project beside it the queue has the whole window, and room for every column.
        mostradas = endereco.colunas if aberto or endereco.colunas != PADRAO else COLUNAS
        gone = [
            f"O filtro “{_TITULOS[name]}: {shown(one)}” não existe mais neste edital, e ficou de fora." for name, one in fila.desconhecidos
        ]
        orders = [(one, _order_by(one, fila)) for one in mostradas]
        return cls(
            abas=tuple(_tabs(fila, endereco)),
            fichas=tuple(
                [
                    (_TITULOS[name], ", ".join(_said(name, one, requisitos) for one in sorted(values)), endereco.fila(recorte.com(name)))
                    for name, values in recorte.filtros.items()
                ]
            ),
            filtros=tuple([(name, _TITULOS[name], _options(name, fila, requisitos)) for name in _TITULOS]),
            colunas=tuple([(one, _COLUNAS[one][0], one in endereco.colunas) for one in COLUNAS]),
            mostradas=mostradas,
            larga=mostradas != endereco.colunas,
            cabecas=(
                head_of("projeto", "Projeto", "projeto", recorte, endereco, desce_antes=False),
                *[head_of(one, _COLUNAS[one][0], by, recorte, endereco, desce_antes=by in _HIGHEST_FIRST) for one, by in orders],
            ),
            linhas=tuple([_line(one, endereco, aberto) for one in fila.linhas]),
            onde=where_said(fila.pagina, len(fila.linhas), fila.total),
            total=count(fila.total, "projeto", "projetos"),
            todos=f"todos os {number(fila.total)} da fila" if fila.total > 1 else "o projeto da fila",
            paginas=tuple([(one, endereco.fila(pagina=one), one == fila.pagina) for one in pages_of(fila.pagina, fila.total, POR_PAGINA)]),
            avisos=(*endereco.avisos, *gone, *_no_order(fila)),
            limpar=endereco.fila(Recorte(q="", ordem=recorte.ordem, desce=recorte.desce)) if recorte.filtros or recorte.q else "",
            sem_procura=endereco.fila(replace(recorte, q="")) if recorte.q else "",
        )


def _tabs(fila: Fila, endereco: Endereco) -> Iterable[Aba]:
    blank = endereco.fila().partition("?")[0]
    for one in EMBUTIDAS:
        address = f"{blank}?visao={one.codigo}" if one.codigo != EMBUTIDAS[0].codigo else blank
        yield Aba(one.nome, one.ajuda, address, fila.visoes[one.codigo], endereco.visao == one.codigo)
    for saved in fila.salvas:
        here = endereco.visao == str(saved.id)
        yield Aba(shown(saved.nome), "Salva por você", f"{blank}?visao={saved.id}", fila.total if here else None, here, str(saved.id))


def _options(name: Filtro, fila: Fila, requisitos: Mapping[str, Requisito]) -> tuple[Opcao, ...]:
    counted, wanted = fila.facetas[name], fila.recorte.filtros.get(name, frozenset())
    values: Iterable[str] = _VALORES.get(name, {})
    if name == "requisito":
        values = (*requisitos, TODOS_ATENDIDOS)
    if name == "categoria":
        values = [*([FORA_DO_EDITAL] if fila.fora else []), *[one or SEM_CATEGORIA for one in fila.categorias]]
    found = [Opcao(one, _said(name, one, requisitos), counted.get(one, 0), one in wanted) for one in values]
    return tuple([one for one in found if one.quantos or one.marcada or name in {"situacao", "decisao"}])


def _said(name: Filtro, valor: str, requisitos: Mapping[str, Requisito]) -> str:
    if name == "requisito":
        if valor == TODOS_ATENDIDOS:
            return "Todos atendidos"
        return _words_of(requisitos[valor]) if valor in requisitos else shown(valor)
    if name == "categoria":
        return _CATEGORIAS.get(valor) or shown(valor)
    return _VALORES[name][valor]


def _words_of(requisito: Requisito) -> str:
    words = shown(requisito.descricao or requisito.id)
    return f"{shown(requisito.clausula)} {words}" if requisito.clausula else words


def _order_by(coluna: Coluna, fila: Fila) -> Ordem | None:
    """What the head of a column puts the queue in order of; notas are those of people, or suggested ones, or there are none yet."""
    if coluna != "nota" or fila.com_notas:
        return _COLUNAS[coluna][1]
    return "sugestao" if fila.com_sugestoes else None


def _no_order(fila: Fila) -> tuple[str, ...]:
    """Why an order that was asked for, as an address may, orders nothing."""
    if (fila.recorte.ordem == "nota" and not fila.com_notas) or (fila.recorte.ordem == "sugestao" and not fila.com_sugestoes):
        what = "ninguém enviou notas" if fila.recorte.ordem == "nota" else "nenhuma nota foi sugerida"
        return (f"Ainda não há o que ordenar por nota: {what}. A fila está na ordem de inscrição.",)
    return ()


def head_of(
    coluna: str, nome: str, ordem: str | None, recorte: Asked, endereco: DeFila[Asked], *, desce_antes: bool
) -> tuple[str, str, str, str]:
    """The head of a column: pressed first it puts the greatest on top where `desce_antes`, pressed again it turns round."""
    if ordem is None:
        return coluna, nome, "", ""
    here = recorte.ordem == ordem
    asked = replace(recorte, ordem=ordem, desce=not recorte.desce if here else desce_antes)
    return coluna, nome, endereco.fila(asked), ("descending" if recorte.desce else "ascending") if here else ""


def _line(one: LinhaFila, endereco: Endereco, aberto: str) -> LinhaVista:
    ficha, medias = one.ficha, one.medias
    notas = number(medias.pessoas, 2) if medias.pessoas is not None else ""
    left = medias.dadas - medias.enviadas
    return LinhaVista(
        Quem.of(ficha.codigo, one.cabecalho),
        endereco.projeto(ficha.codigo),
        ficha.codigo == aberto,
        Sinalizado.of(_SITUACAO[ficha.situacao]),
        Sinalizado.of(HABILITACAO[ficha.decisao]) if ficha.decisao else None,
        (one.casos[0], GRAVIDADE[one.casos[0]]) if one.casos else None,
        len(one.casos),
        notas if left <= 0 or not medias.dadas else f"falta {number(left)}",
        f"sug. {number(medias.sugestao, 2)}" if medias.sugestao is not None else "sem sug.",
        number(len(ficha.em_falta)) if ficha.em_falta else "",
        f"{medias.enviadas} de {medias.dadas}" if medias.dadas else "",
        dia(ficha.enviado_em) if ficha.enviado_em else "",
    )


def where_said(pagina: int, linhas: int, total: int) -> str:
    """Which of how many are shown."""
    first = (pagina - 1) * POR_PAGINA + 1
    return f"{number(first)} a {number(first + linhas - 1)} de {number(total)}" if linhas else ""
