"""A draw gives nobody what they must not judge, leaves nobody short that could be served, and is the same for whoever repeats it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from crivo.triagem.distribuicao.sorteio import Entrada, Falta, ParaSortear, PessoaNoSorteio, Sorteado, draw, resumo_of, shuffled

CATEGORIAS = ("Música", "Dança", "")


@st.composite
def entradas(draw_one: st.DrawFn, most_projects: int = 12, most_people: int = 6) -> Entrada:
    pessoas = draw_one(
        st.lists(
            st.tuples(
                st.integers(0, 4), st.one_of(st.none(), st.integers(0, 6)), st.lists(st.sampled_from(("MUSICA", "dança")), max_size=2)
            ),
            max_size=most_people,
        )
    )
    people = [PessoaNoSorteio(f"a{at}", carga, maximo, tuple(names)) for at, (carga, maximo, names) in enumerate(pessoas)]
    ids = [one.id for one in people]
    projetos = draw_one(
        st.lists(
            st.tuples(
                st.integers(1, 3), st.sampled_from(CATEGORIAS), st.lists(st.sampled_from(ids), max_size=3) if ids else st.just(list[str]())
            ),
            max_size=most_projects,
        )
    )
    these = [ParaSortear(f"P{at:03}", quantos, categoria, tuple(fora)) for at, (quantos, categoria, fora) in enumerate(projetos)]
    return Entrada(draw_one(st.sampled_from(("ED-1", "outra", "ç"))), tuple(these), tuple(people))


def may(projeto: ParaSortear, pessoa: PessoaNoSorteio) -> bool:
    """Said again, of the values alone."""
    names = {one.casefold().replace("ú", "u").replace("ç", "c") for one in pessoa.categorias}
    return pessoa.id not in projeto.fora and (not names or projeto.categoria.casefold().replace("ú", "u").replace("ç", "c") in names)


def loads(entrada: Entrada, drawn: Sorteado) -> dict[str, int]:
    new = Counter(who for _, people in drawn.pares for who in people)
    return {one.id: one.carga + new[one.id] for one in entrada.pessoas}


@given(entradas())
def test_nobody_is_given_what_they_must_not_judge_nor_more_than_their_most(entrada: Entrada) -> None:
    drawn, projetos, pessoas = draw(entrada), {one.codigo: one for one in entrada.projetos}, {one.id: one for one in entrada.pessoas}
    for codigo, people in drawn.pares:
        assert len(set(people)) == len(people) <= projetos[codigo].quantos
        assert all(may(projetos[codigo], pessoas[who]) for who in people)
    given_to = Counter(who for _, people in drawn.pares for who in people)
    for one in entrada.pessoas:
        assert one.maximo is None or not given_to[one.id] or one.carga + given_to[one.id] <= one.maximo


@given(entradas())
def test_as_many_are_given_as_any_draw_could_give_and_every_lack_is_told(entrada: Entrada) -> None:
    """Against the greatest flow that another library finds."""
    drawn, n, m = draw(entrada), len(entrada.projetos), len(entrada.pessoas)
    capacity = np.zeros((n + m + 2, n + m + 2), dtype=np.int32)
    for at, projeto in enumerate(entrada.projetos):
        capacity[0, 1 + at] = projeto.quantos
        for who, pessoa in enumerate(entrada.pessoas):
            capacity[1 + at, 1 + n + who] = may(projeto, pessoa)
    for who, pessoa in enumerate(entrada.pessoas):
        capacity[1 + n + who, n + m + 1] = 100 if pessoa.maximo is None else max(0, pessoa.maximo - pessoa.carga)
    given_out = sum(len(people) for _, people in drawn.pares)
    assert given_out == maximum_flow(csr_array(capacity), 0, n + m + 1).flow_value
    assert given_out + sum(one.faltam for one in drawn.faltas) == sum(one.quantos for one in entrada.projetos)
    got = {codigo: len(people) for codigo, people in drawn.pares}
    for falta in drawn.faltas:
        assert sum(falta.razoes.values()) == len(entrada.pessoas) - got.get(falta.codigo, 0)


def every_draw(entrada: Entrada) -> Iterator[list[tuple[str, ...]]]:
    free = [[one.id for one in entrada.pessoas if may(projeto, one)] for projeto in entrada.projetos]
    each = [
        [those for many in range(one.quantos + 1) for those in combinations(can, many)]
        for one, can in zip(entrada.projetos, free, strict=True)
    ]
    yield from map(list, product(*each))


@given(entradas(most_projects=4, most_people=4))
def test_no_other_draw_of_as_many_has_loads_more_even(entrada: Entrada) -> None:
    """Every draw that there could be, of small calls."""
    drawn = draw(entrada)
    mine, many = sorted(loads(entrada, drawn).values()), sum(len(people) for _, people in drawn.pares)
    for other in every_draw(entrada):
        new = Counter(who for people in other for who in people)
        if new.total() != many or any(
            one.maximo is not None and new[one.id] and one.carga + new[one.id] > one.maximo for one in entrada.pessoas
        ):
            continue
        theirs = [one.carga + new[one.id] for one in entrada.pessoas]
        assert sum(load * load for load in mine) <= sum(load * load for load in theirs)


@given(st.integers(0, 40), st.integers(1, 7), st.integers(1, 3))
def test_where_everybody_may_judge_everything_loads_are_equal_within_one(projetos: int, pessoas: int, quantos: int) -> None:
    people = tuple([PessoaNoSorteio(f"a{at}") for at in range(pessoas)])
    entrada = Entrada("ED-1", tuple([ParaSortear(f"P{at}", min(quantos, pessoas)) for at in range(projetos)]), people)
    drawn = draw(entrada)
    found = loads(entrada, drawn).values()
    assert max(found) - min(found) <= 1
    assert not drawn.faltas


@given(entradas(), st.randoms(use_true_random=False))
def test_the_same_semente_gives_the_same_pairs_in_whatever_order_everything_comes(entrada: Entrada, sorte: object) -> None:
    def mixed(those: tuple[object, ...]) -> tuple[object, ...]:
        found = list(those)
        sorte.shuffle(found)  # type: ignore[attr-defined]
        return tuple(found)

    other = Entrada(entrada.semente, mixed(entrada.projetos), mixed(entrada.pessoas))  # type: ignore[arg-type]
    other = replace(other, projetos=tuple([replace(one, fora=tuple(reversed(one.fora))) for one in other.projetos]))
    assert draw(other) == draw(entrada)
    assert draw(other).resumo == draw(entrada).resumo
    assert resumo_of(other) == resumo_of(entrada)


def test_another_semente_gives_other_pairs() -> None:
    people = tuple([PessoaNoSorteio(f"a{at}") for at in range(5)])
    projetos = tuple([ParaSortear(f"P{at}", 2) for at in range(20)])
    assert draw(Entrada("ED-1", projetos, people)).pares != draw(Entrada("ED-2", projetos, people)).pares


def test_a_draw_that_is_made_by_hand_with_sha256_comes_out_the_same() -> None:
    """One project, three people of whom one is busier: who comes first of the other two by `<semente>:<código>:<pessoa>`."""
    people = (PessoaNoSorteio("ana", carga=1), PessoaNoSorteio("bia"), PessoaNoSorteio("caio"))
    first = min(("bia", "caio"), key=lambda who: sha256(f"ED-1:P1:{who}".encode()).hexdigest())
    assert draw(Entrada("ED-1", (ParaSortear("P1", 1),), people)).pares == (("P1", (first,)),)
    assert shuffled("ED-1", ["P1", "P2", "P3"]) == ("P2", "P1", "P3")  # as docs/classificacao.md shows with sha256sum


def test_somebody_full_passes_a_project_on_so_that_one_that_only_they_may_judge_is_not_left() -> None:
    people = (PessoaNoSorteio("ana", maximo=1, categorias=("Música", "Dança")), PessoaNoSorteio("bia", maximo=1, categorias=("Música",)))
    for semente in ("1", "2", "3", "4", "5", "6"):
        drawn = draw(Entrada(semente, (ParaSortear("P1", 1, "Música"), ParaSortear("P2", 1, "Dança")), people))
        assert drawn.pares == (("P1", ("bia",)), ("P2", ("ana",)))


def test_what_cannot_be_given_is_told_with_what_keeps_each_person_from_it() -> None:
    people = (
        PessoaNoSorteio("ana"),
        PessoaNoSorteio("bia", categorias=("Dança",)),
        PessoaNoSorteio("caio", carga=3, maximo=3),
    )
    drawn = draw(Entrada("ED-1", (ParaSortear("P1", 2, "Música", fora=("ana",)),), people))
    assert drawn.pares == ()
    assert drawn.faltas == (Falta("P1", 2, {"impedidas": 1, "outra_categoria": 1, "no_limite": 1}),)


@pytest.mark.parametrize("maximo", [None, 400])
def test_thousands_are_drawn_in_seconds(maximo: int | None) -> None:
    people = tuple(
        [PessoaNoSorteio(f"a{at}", maximo=maximo, categorias=(("Música",) if at % 3 else ("Dança", "Música"))) for at in range(40)]
    )
    projetos = tuple(
        [ParaSortear(f"P{at}", 3, "Dança" if at % 4 == 0 else "Música", fora=(f"a{at % 40}", f"a{at % 7}")) for at in range(5_000)]
    )
    drawn = draw(Entrada("ED-1", projetos, people))
    assert sum(len(those) for _, those in drawn.pares) + sum(one.faltam for one in drawn.faltas) == 15_000
