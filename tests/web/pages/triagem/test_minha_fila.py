"""The queue of whoever judges in words: what a line says, which filters are worth asking, and what is told."""

from __future__ import annotations

from typing import Any

from starlette.datastructures import QueryParams

from crivo.triagem.casos.guardados import CasoResumido
from crivo.triagem.dadas import Chave, Dada, PedidaDadas, cut
from crivo.triagem.guardados import Atribuicao
from crivo.web.pages.triagem.meu_endereco import read
from crivo.web.pages.triagem.minha_fila import MinhaFila

CASO = CasoResumido(1, "Parecidos", "grave", "aberto", (), True, True, False)


def dada(codigo: str, edital: str = "ED-1", casos: tuple[CasoResumido, ...] = (), **other: Any) -> Dada:
    values: dict[str, Any] = {"titulo": "", "categoria": "Música", "avaliado": False, "comecado": False, "criterios": 4, "com_nota": 0}
    return Dada(Atribuicao(edital_id=edital, edital_nome=f"Edital {edital}", projeto_id=codigo, **(values | other)), casos)


def queue(*dadas: Dada, query: str = "", aberto: Chave | None = None) -> MinhaFila:
    endereco = read(QueryParams(query), aberto[0] if aberto else "")
    return MinhaFila.of(cut(dadas, PedidaDadas(endereco.recorte, aberto=aberto)), endereco, aberto)


def test_a_line_says_how_far_its_project_has_come() -> None:
    fila = queue(
        dada("P1"),
        dada("P2", comecado=True, com_nota=3, titulo="Rabeca", casos=(CASO,)),
        dada("P3", avaliado=True, comecado=True, com_nota=4),
    )
    assert [(one.codigo, one.titulo, one.situacao.palavra, one.notas, one.grau) for one in fila.linhas] == [
        ("P1", "P1", "Por começar", "", None),
        ("P2", "Rabeca", "Rascunho", "3 de 4 notas", ("grave", "grave")),
        ("P3", "P3", "Enviada", "", None),
    ]
    assert fila.progresso == "1 de 3 enviados"
    assert [(aba.nome, aba.quantos) for aba in fila.abas] == [("Todos", None), ("Por começar", 1), ("Rascunho", 1), ("Enviadas", 1)]


def test_a_filter_with_nothing_to_choose_is_not_offered() -> None:
    assert [name for name, *_ in queue(dada("P1"), dada("P2")).filtros] == ["situacao", "caso"]
    both = queue(dada("P1"), dada("P1", "ED-2", categoria="Teatro"))
    assert [name for name, *_ in both.filtros] == ["situacao", "do_edital", "categoria", "caso"]
    assert both.linhas[1].miudo == "Teatro · ED-2"  # with more than one edital each line says its own


def test_columns_that_have_no_room_beside_a_project_are_left_out() -> None:
    both = (dada("P1"), dada("P2", "ED-2"))
    assert queue(*both).mostradas == ("andamento", "caso", "categoria", "edital")
    assert queue(*both, aberto=("ED-2", "P2")).mostradas == ("andamento", "caso")
    assert [one.atual for one in queue(*both, aberto=("ED-2", "P2")).linhas] == [False, True]


def test_filters_in_force_are_told_each_with_the_way_out_of_it() -> None:
    fila = queue(dada("P1"), dada("P2", "ED-2"), query="situacao=a-fazer&do_edital=ED-2&caso=com&q=rabeca")
    assert fila.fichas == (
        ("Edital", "Edital ED-2", "/avaliacao?situacao=a-fazer&caso=com&q=rabeca"),
        ("Caso", "Com caso aberto ou confirmado", "/avaliacao?situacao=a-fazer&do_edital=ED-2&q=rabeca"),
    )  # how far is told by the tab
    assert fila.limpar == "/avaliacao"
    assert fila.sem_procura == "/avaliacao?situacao=a-fazer&do_edital=ED-2&caso=com"
    assert queue(dada("P1"), query="situacao=a-fazer&situacao=rascunho").fichas[0][1] == "Por começar, Rascunho"
