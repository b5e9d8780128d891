"""A draft among what is published and was asked for; its cases beside it; and why it was published all the same."""

from __future__ import annotations

import json
from typing import Any

import pytest
from msgspec.structs import replace

from casa_de_autorizacoes import NOW, Casa
from casos import pedido, regra
from crivo.autorizacoes.politicas.casos.caso import Caso
from crivo.autorizacoes.politicas.casos.servico import CasosDePolitica
from crivo.autorizacoes.politicas.conferir.servico import Conferencias
from crivo.autorizacoes.politicas.service import MotivoDaRessalva, PublicacaoImpedida
from crivo.kernel.audit import verify_tenant
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope


def _document(*regras: dict[str, Any], versao: str = "3.0") -> bytes:
    head = {"administradora_id": "adm-1", "documento": "Manual de Coberturas", "versao": versao, "vigencia_inicio": "2026-12-01"}
    return json.dumps({**head, "regras": list(regras)}).encode()


async def test_codes_that_a_draft_no_longer_has_are_told_by_how_often_they_were_asked_for(database: Database, scope: Scope) -> None:
    casa = Casa(database)
    await casa.publish(scope, regra(), regra(regra_id="R-2", codigo="777"))
    for number in range(2):
        await casa.autorizacoes.decidir(scope, json.dumps(pedido(pedido_id=f"P-{number}", procedimento__codigo="777")).encode())
    await casa.autorizacoes.decidir(scope, json.dumps(pedido(administradora_id="OUTRA", procedimento__codigo="555")).encode())
    conferencias = Conferencias(database, NOW)
    (achado,) = (await conferencias.documento(scope, _document(regra()))).achados
    assert (achado.codigo, achado.linha) == ("procedimento_sem_regra", None)
    assert achado.explicacao.startswith("777 já foi pedido 2 vezes")
    rascunho = (await casa.politicas.importar(scope, _document(regra()))).politica.id
    assert [um.codigo for um in (await conferencias.guardada(scope, rascunho)).achados] == ["procedimento_sem_regra"]
    assert (await conferencias.guardada(scope, rascunho, historico=False)).achados == ()


async def test_a_version_is_published_in_spite_of_errors_and_red_cases_only_with_a_reason_that_is_kept(
    database: Database, scope: Scope
) -> None:
    casa, casos = Casa(database), CasosDePolitica(database, NOW)
    made = (await casa.politicas.importar(scope, _document(regra(limite_quantidade=0)))).politica.id
    espera = Caso(
        nome="aprova uma", pedido=pedido(administradora_id="ADM-1", data_pedido="2026-12-05"), esperado={"decisao_final": "APROVADO"}
    )
    assert (await casos.gravar(scope, made, [espera])).nomes == ("aprova uma",)
    with pytest.raises(PublicacaoImpedida) as refused:
        await casa.politicas.publicar(scope, made)
    assert [um.codigo for um in refused.value.problemas] == ["limite_invalido", "caso_falhou"]
    with pytest.raises(MotivoDaRessalva):
        await casa.politicas.publicar(scope, made, motivo="x")
    assert (await casa.politicas.publicar(scope, made, motivo=" Vale só até a versão 3.1. ")).status == "publicada"
    ressalva = await casos.ressalva(scope, made)
    assert ressalva is not None
    assert (ressalva.motivo, ressalva.erros, ressalva.casos_falhos) == ("Vale só até a versão 3.1.", 1, 1)
    assert await casa.politicas.publicar(scope, made) is not None  # twice is once
    async with database.unit_of_work(scope) as uow:
        assert (await verify_tenant(uow)).quebras == ()


async def test_cases_stay_with_a_draft_whose_text_changes_and_are_run_against_the_new_text(database: Database, scope: Scope) -> None:
    casa, casos = Casa(database), CasosDePolitica(database, NOW)
    made = (await casa.politicas.importar(scope, _document(regra(limite_quantidade=2)))).politica.id
    aceitos = await casos.aceitar(scope, made)
    assert set(aceitos.nomes) == {"R-1: passa", "R-1: acima do limite"}
    again = (await casa.politicas.importar(scope, _document(regra(limite_quantidade=5)))).politica.id
    assert again == made
    provada = await casos.guardada(scope, made)
    assert [um.caso.nome for um in provada.testada.falhos] == ["R-1: acima do limite"]
    assert (await casa.politicas.impedimentos(scope, made)).casos == 2


async def test_a_draft_has_the_cases_of_the_version_it_succeeds_and_keeps_them_once_it_is_published(
    database: Database, scope: Scope
) -> None:
    casa, casos = Casa(database), CasosDePolitica(database, NOW)
    limites = [{"quantidade": 4, "periodo_dias": 365}]
    antes = (await casa.politicas.importar(scope, _document(regra(limite_quantidade=2, limites=limites)))).politica.id
    names = set((await casos.aceitar(scope, antes)).nomes)
    assert len(names) == 3
    await casa.politicas.publicar(scope, antes)
    head = {"versao": "3.1", "vigencia_inicio": "2027-02-01"}
    nova = json.loads(_document(regra(limite_quantidade=2, limites=limites))) | head
    draft = (await casa.politicas.importar(scope, json.dumps(nova).encode())).politica.id
    provada = await casos.guardada(scope, draft)
    assert (set(provada.herdados), provada.testada.falhos, provada.propostos) == (names, (), ())
    assert (provada.de.versao if provada.de else None) == "3.0"
    await casa.politicas.publicar(scope, draft)
    kept = await casos.guardada(scope, draft)
    assert ({um.caso.nome for um in kept.testada.rodados}, kept.herdados, kept.testada.falhos) == (names, frozenset(), ())
    async with database.unit_of_work(scope) as uow:
        assert (await verify_tenant(uow)).quebras == ()


async def test_an_inherited_case_that_comes_out_otherwise_stands_in_the_way_until_somebody_accepts_what_comes_out(
    database: Database, scope: Scope
) -> None:
    casa, casos = Casa(database), CasosDePolitica(database, NOW)
    antes = (await casa.politicas.importar(scope, _document(regra(limite_quantidade=2)))).politica.id
    await casos.aceitar(scope, antes)
    await casa.politicas.publicar(scope, antes)
    draft = (await casa.politicas.importar(scope, _document(regra(limite_quantidade=5), versao="3.1"))).politica.id
    (falho,) = (await casos.guardada(scope, draft)).testada.falhos
    assert falho.caso.nome == "R-1: acima do limite"
    assert (await casos.aceitar(scope, draft)).nomes == ("R-1: acima do limite (2)",)  # takes the place of none
    assert [um.caso for um in (await casos.guardada(scope, draft)).testada.falhos] == [falho.caso]
    with pytest.raises(PublicacaoImpedida):
        await casa.politicas.publicar(scope, draft)
    aceito = replace(falho.caso, esperado={**falho.caso.esperado, **{d.campo: d.obtido for d in falho.diferencas}})
    await casos.gravar(scope, draft, [aceito])
    assert (await casa.politicas.publicar(scope, draft)).status == "publicada"
    assert [um.caso.nome for um in (await casos.guardada(scope, antes)).testada.falhos] == []  # the version before expects what it did


async def test_a_name_that_is_not_proposed_by_now_is_told(database: Database, scope: Scope) -> None:
    casa, casos = Casa(database), CasosDePolitica(database, NOW)
    made = (await casa.politicas.importar(scope, _document(regra(limite_quantidade=2)))).politica.id
    gravados = await casos.aceitar(scope, made, ["R-1: passa", "R-9: passa"])
    assert (gravados.nomes, [um.codigo for um in gravados.recusados]) == (("R-1: passa",), ["caso_nao_proposto"])
