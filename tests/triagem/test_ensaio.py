"""Rules tried over a real database: nothing is kept, and the work has an end."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from itertools import count

import pytest
from msgspec.structs import replace

from chamadas import Importacao, importacao
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.definicao import Classificacao, PorCampo, Vagas
from crivo.triagem.edital import AvaliacaoDada, Avaliador, EditalNotFound
from crivo.triagem.ensaio import Ensaio
from crivo.triagem.lugares import Lugares
from crivo.triagem.service import Triagem

RITA = Avaliador("Rita Melo", "rita@avalia.exemplo")
UMA = Classificacao(vagas=(Vagas("*", 1),))


def com_notas(notas: Mapping[str, int], projetos: int, regras: Classificacao | None, codigo: str = "ED-1") -> Importacao:
    given = importacao(projetos, codigo, avaliadores=(RITA,))
    dadas = tuple(AvaliacaoDada(projeto, RITA.email, {"C1": Decimal(nota), "C2": Decimal(nota)}) for projeto, nota in notas.items())
    edital = replace(given.chamada.edital, classificacao=regras)
    return Importacao(replace(given.chamada, edital=edital, avaliacoes=dadas), given.arquivos)


async def test_the_places_that_are_foreseen_are_those_that_come_once_the_rules_are_kept(
    triagem: Triagem, database: Database, scope: Scope
) -> None:
    notas = {"P0001": 5, "P0002": 9, "P0003": 7}
    await triagem.importar(scope, com_notas(notas, 4, UMA))
    two = Classificacao(vagas=(Vagas("*", 2),), suplentes=1, desempate=(PorCampo("municipio"),))
    tried = await Ensaio(database).prever(scope, "ED-1", two)
    assert tried.prevista is not None
    assert [one.projeto for one in tried.prevista.entram] == ["P0003"]
    assert (tried.vistos, tried.total, dict(tried.prevista.fora)) == (4, 4, {"pendente": 1})
    assert ("municipio", 4) in {(one.nome, one.quantos) for one in tried.campos}
    stays = await Lugares(database).resultado(scope, "ED-1")
    assert {one.inscrito.id for one in stays.lugares if one.situacao == "selecionado"} == {"P0002"}
    await triagem.importar(scope, com_notas(notas, 4, two))
    kept = await Lugares(database).resultado(scope, "ED-1")
    foreseen = {one.id: one.ocupadas for one in tried.prevista.categorias[0].por_tipo}
    assert foreseen == {"AMPLA": 2}
    assert {one.inscrito.id for one in kept.lugares if one.situacao == "selecionado"} == {"P0002", "P0003"}


async def test_the_work_ends_after_its_time_and_says_how_far_it_came(triagem: Triagem, database: Database, scope: Scope) -> None:
    await triagem.importar(scope, com_notas({"P0001": 5}, 510, None))
    seconds = count()
    tried = await Ensaio(database).prever(scope, "ED-1", UMA, tick=lambda: float(next(seconds)), seconds=1.0)
    assert (tried.vistos, tried.total) == (500, 510)
    assert tried.prevista is not None
    assert tried.prevista.projetos == 500


async def test_without_rules_only_what_projects_declare_is_told(triagem: Triagem, database: Database, scope: Scope) -> None:
    await triagem.importar(scope, com_notas({}, 2, None))
    tried = await Ensaio(database).prever(scope, "ED-1", None)
    assert tried.prevista is None
    assert tried.campos


async def test_rules_are_copied_only_from_editais_of_the_same_organisation_that_have_some(
    triagem: Triagem, database: Database, scope: Scope
) -> None:
    await triagem.importar(scope, com_notas({}, 1, UMA, "ED-1"))
    await triagem.importar(scope, com_notas({}, 1, None, "ED-2"))
    ensaio = Ensaio(database)
    assert [one.edital_id for one in await ensaio.copiaveis(scope, "ED-2")] == ["ED-1"]
    assert await ensaio.copiaveis(scope, "ED-1") == ()
    assert await ensaio.regras_de(scope, "ED-1") == UMA
    with pytest.raises(EditalNotFound):
        await ensaio.prever(scope, "NAO-HA", UMA)
