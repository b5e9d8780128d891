"""The queue of somebody who judges: what filters leave, in what order, and which project waits next."""

from __future__ import annotations

from typing import Any

import pytest

from crivo.triagem.casos.guardados import CasoResumido
from crivo.triagem.dadas import Chave, Dada, FilaDadas, Ordem, PedidaDadas, Recorte, cut
from crivo.triagem.guardados import Atribuicao


def caso(gravidade: Any, **other: Any) -> CasoResumido:
    values: dict[str, Any] = {"situacao": "aberto", "tipos": (), "presente": True, "pendente": True, "velado": False}
    return CasoResumido(numero=1, titulo="Parecidos", gravidade=gravidade, **(values | other))


def dada(codigo: str, edital: str = "ED-1", **other: Any) -> Dada:
    values: dict[str, Any] = {"titulo": f"Projeto {codigo}", "categoria": "Música", "avaliado": False, "comecado": False, "com_nota": 0}
    casos = other.pop("casos", ())
    return Dada(Atribuicao(edital_id=edital, edital_nome=f"Nome de {edital}", projeto_id=codigo, criterios=2, **(values | other)), casos)


CONFIRMADO = caso("media", situacao="confirmado", pendente=False)
DESCARTADO = caso("grave", situacao="descartado", pendente=False)
DADAS = (
    dada("P1", avaliado=True, com_nota=2, casos=(caso("leve"),)),
    dada("P2", comecado=True, com_nota=1, titulo="Água viva", categoria="Teatro"),
    dada("P3", casos=(CONFIRMADO,)),
    dada("P1", "ED-2", categoria="", casos=(DESCARTADO,)),
    dada("P9", "ED-2", comecado=True),
)


def asked(q: str = "", ordem: Ordem = "dada", desce: bool = False, aberto: Chave | None = None, **filtros: str) -> FilaDadas:
    recorte = Recorte({name: frozenset(values.split()) for name, values in filtros.items()}, q, ordem, desce)  # type: ignore[misc]
    return cut(DADAS, PedidaDadas(recorte, aberto=aberto))


def codes(fila: FilaDadas) -> str:
    return " ".join(f"{one.de.edital_id[-1]}.{one.de.projeto_id}" for one in fila.linhas)


@pytest.mark.parametrize(
    ("fila", "left"),
    [
        (asked(), "1.P1 1.P2 1.P3 2.P1 2.P9"),
        (asked(situacao="a-fazer rascunho"), "1.P2 1.P3 2.P1 2.P9"),
        (asked(situacao="rascunho", do_edital="ED-2"), "2.P9"),
        (asked(situacao="enviada"), "1.P1"),
        (asked(categoria="-"), "2.P1"),
        (asked(categoria="Teatro -"), "1.P2 2.P1"),
        (asked(caso="com"), "1.P1 1.P3"),  # a confirmed case weighs, a dismissed one does not
        (asked(caso="sem", do_edital="ED-1"), "1.P2"),
        (asked(q="agua"), "1.P2"),
        (asked(q="p1 ed-2"), "2.P1"),
        (asked(q="nome de ed-2", situacao="a-fazer"), "2.P1"),
        (asked(ordem="titulo"), "1.P2 1.P1 2.P1 1.P3 2.P9"),
        (asked(ordem="dada", desce=True), "2.P9 2.P1 1.P3 1.P2 1.P1"),
        (asked(ordem="situacao"), "1.P3 2.P1 2.P9 1.P2 1.P1"),  # drafts with fewer notas first
        (asked(ordem="caso", desce=True), "1.P3 1.P1 1.P2 2.P1 2.P9"),  # without a case last, whichever way
        (asked(ordem="caso"), "1.P1 1.P3 1.P2 2.P1 2.P9"),
        (asked(ordem="categoria"), "1.P1 1.P3 2.P9 1.P2 2.P1"),
    ],
)
def test_filters_words_and_orders_combine(fila: FilaDadas, left: str) -> None:
    assert codes(fila) == left


def test_each_value_says_how_many_it_would_leave_with_all_others_in_force() -> None:
    fila = asked(situacao="rascunho", do_edital="ED-1")
    assert fila.facetas["situacao"] == {"enviada": 1, "rascunho": 1, "a-fazer": 1}
    assert fila.facetas["do_edital"] == {"ED-1": 1, "ED-2": 1}
    assert (fila.total, fila.dadas, fila.enviadas) == (1, 5, 1)


def test_what_is_asked_for_and_is_no_more_is_told_and_left_out() -> None:
    fila = asked(situacao="perdida rascunho", do_edital="ED-0", categoria="Circo")
    assert fila.desconhecidos == (("situacao", "perdida"), ("do_edital", "ED-0"), ("categoria", "Circo"))
    assert codes(fila) == "1.P2 2.P9"


def test_projects_of_one_code_in_two_editais_are_two() -> None:
    assert asked(aberto=("ED-2", "P1")).vizinhos.posicao == 4
    assert asked(aberto=("ED-1", "P1")).vizinhos.posicao == 1
    assert asked(aberto=("ED-3", "P1")).vizinhos.posicao is None


@pytest.mark.parametrize(
    ("fila", "following"),
    [
        (asked(), ("ED-1", "P2")),
        (asked(aberto=("ED-1", "P2")), ("ED-1", "P3")),
        (asked(aberto=("ED-1", "P3")), ("ED-1", "P2")),  # back to what was passed over, before another edital
        (asked(aberto=("ED-2", "P9")), ("ED-2", "P1")),
        (asked(aberto=("ED-2", "P9"), situacao="rascunho"), ("ED-1", "P2")),  # of this queue before all others
        (asked(aberto=("ED-1", "P3"), caso="com"), ("ED-1", "P2")),  # nothing of this queue waits: of all
        (asked(aberto=("ED-1", "P2"), situacao="a-fazer"), ("ED-1", "P3")),  # a draft took it out of the queue, and it has its place still
    ],
)
def test_the_next_to_judge_is_the_one_that_one_comes_to_next(fila: FilaDadas, following: Chave) -> None:
    assert fila.seguinte is not None
    assert fila.seguinte.chave == following


def test_what_a_filter_no_longer_holds_has_those_around_its_place_beside_it() -> None:
    beside = asked(aberto=("ED-1", "P2"), situacao="enviada a-fazer").vizinhos
    assert (beside.posicao, beside.anterior, beside.seguinte) == (None, ("ED-1", "P1"), ("ED-1", "P3"))
    assert asked(aberto=("ED-9", "P2"), situacao="a-fazer").vizinhos.seguinte == ("ED-1", "P3")  # of one that is not hers no place is known


def test_where_every_one_was_sent_none_is_next() -> None:
    sent = [dada("P1", avaliado=True), dada("P2", avaliado=True)]
    assert cut(sent, PedidaDadas(aberto=("ED-1", "P1"))).seguinte is None
    assert cut([], PedidaDadas()).total == 0


def test_a_page_is_the_one_of_the_open_project_unless_another_is_asked_for() -> None:
    def page(**other: Any) -> int:
        return cut(DADAS, PedidaDadas(tamanho=2, **other)).pagina

    assert (page(), page(aberto=("ED-2", "P9")), page(aberto=("ED-2", "P9"), pagina=1), page(pagina=99)) == (1, 3, 1, 3)
