"""A published result is read as people read it: groups, who has which places, where a cota's places went. Held against the classification."""

from __future__ import annotations

import random
from collections import Counter

from chamadas_classificadas import classificada, cota, inscrito, uma_categoria
from crivo.triagem.classificacao.definicao import AMPLA, Classificacao
from crivo.triagem.classificacao.resultado import DeCategoria, Recebida, SobraDeCota
from crivo.triagem.edital import Edital
from crivo.triagem.publicacao.conteudo import Conteudo, Identificado, contents_of
from crivo.triagem.publicacao.quadro import groups_of
from oraculo_lugares.comparacao import classified
from oraculo_lugares.sorteadas import draw


def test_what_is_published_alone_tells_whose_place_came_from_elsewhere() -> None:
    """Over drawn calls: the same projects as the classification says, which knows by what each got in."""
    sorte = random.Random(63)  # noqa: S311 - not for secrets
    received = 0
    for _ in range(400):
        found = classified(draw(sorte))
        pessoas = {one.inscrito.id: Identificado(one.inscrito.id, "") for one in found.lugares}
        conteudo = contents_of(Edital("ED-1", ""), found, pessoas, "preliminar", 1)
        theirs = {one.inscrito.id for one in found.lugares if isinstance(one.via, Recebida | SobraDeCota | DeCategoria)}
        assert frozenset().union(*(grupo.recebidas for grupo in groups_of(conteudo))) == theirs
        received += len(theirs)
    assert received >= 100


def test_each_row_is_in_one_group_with_those_that_it_competes_with() -> None:
    sorte = random.Random(64)  # noqa: S311 - not for secrets
    for _ in range(200):
        found = classified(draw(sorte))
        pessoas = {one.inscrito.id: Identificado(one.inscrito.id, "") for one in found.lugares}
        conteudo = contents_of(Edital("ED-1", ""), found, pessoas, "preliminar", 1)
        grupos = groups_of(conteudo)
        assert Counter(linha.lugar.projeto_id for one in grupos for linha in (*one.ordem, *one.fora)) == Counter(list(pessoas))
        competing = [[linha.lugar.projeto_id for linha in one.ordem] for one in grupos if one.ordem]
        assert competing == [[lugar.inscrito.id for lugar in grupo.ordem] for grupo in found.grupos if grupo.ordem]
        for one, grupo in zip([one for one in grupos if one.ordem], [one for one in found.grupos if one.ordem], strict=True):
            assert dict(one.suplencias) == {lugar.inscrito.id: lugar.suplencia for lugar in grupo.ordem if lugar.suplencia is not None}


def test_places_that_nobody_took_are_counted_of_their_kind() -> None:
    conteudo = _one_without_optants()
    (grupo,) = groups_of(conteudo)
    assert [(one.vaga, one.vagas, len(one.levaram), one.recebidas, one.faltaram) for one in grupo.ocupacoes] == [
        (AMPLA, 1, 2, 1, 0),
        ("PCD", 1, 0, 0, 1),
    ]
    assert grupo.corte == 70


def _one_without_optants() -> Conteudo:
    found = classificada(
        Classificacao(vagas=uma_categoria(2, cota("PCD", 1))), (inscrito("A"), ["9"]), (inscrito("B"), ["7"]), (inscrito("C"), ["6"])
    )
    return contents_of(Edital("ED-1", ""), found, {one: Identificado(one, "") for one in "ABC"}, "preliminar", 1)
