"""The rules for places on pages, without any script: begun, tried over projects with notas, put right, kept, changed and refused."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from decimal import Decimal
from typing import Any

import httpx
import pytest
from lxml import html
from msgspec.structs import replace

from chamadas import Importacao, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.definicao import Classificacao, Cota, PorCriterio, PorSorteio, Vagas
from crivo.triagem.condicao import Condicao
from crivo.triagem.edital import AvaliacaoDada, Avaliador
from triagem_web import EDITAL

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
Campos = dict[str, Any]
PAGINA = f"/admin/editais/{EDITAL}/classificacao"
RITA = Avaliador("Rita Melo", "rita@avalia.exemplo")
SUGERIDO = {
    "regras.minimo_avaliadores": "duas avaliações",
    "regras.divergencia_maxima": "30% de divergência",
    "regras.escala": "nota de 0 a 100",
    "regras.casas": "duas casas",
    "regras.nota_final_minima": "nota mínima 60",
    "regras.remanejamento": "vaga que sobra de uma cota passa a outra cota, e a que sobra de uma categoria, a outra categoria",
    "regras.suplentes": "5 suplentes por categoria",
}
HOSTILE = "\"'><script>alert(1)</script>{{ 7*7 }}"


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


def com_notas(*notas: int, regras: Classificacao | None = None, codigo: str = EDITAL) -> Importacao:
    """As many projects, each with one person's nota in every critério; one without has 0."""
    given = importacao(len(notas), codigo, avaliadores=(RITA,))
    dadas = tuple(
        AvaliacaoDada(f"P{at:04}", RITA.email, {"C1": Decimal(nota), "C2": Decimal(nota)}) for at, nota in enumerate(notas, 1) if nota
    )
    edital = replace(given.chamada.edital, classificacao=regras)
    return Importacao(replace(given.chamada, edital=edital, avaliacoes=dadas), given.arquivos)


def form_of(page: str) -> Campos:
    """What a browser would send of the page's form, but for the button."""
    form = html.fromstring(page).xpath("//form[contains(@class, 'regras')]")[0]
    sent: Campos = {}
    for name, value in form.form_values():
        sent.setdefault(name, []).append(value)
    return sent


async def press(client: httpx.AsyncClient, campos: Campos, acao: str, status: int = 200, **typed: str) -> str:
    changed = {name.replace("__", "."): value for name, value in typed.items()}
    answered = await client.post(PAGINA, data=campos | changed | {"acao": acao})
    assert answered.status_code == status, answered.text[:3000]
    return answered.headers["location"] if status == 303 else answered.text


def preview_of(page: str) -> str:
    return " ".join(" ".join(html.fromstring(page).get_element_by_id("previa").itertext()).split())


async def rules_of(container: Container, scope: Scope) -> Classificacao | None:
    return (await container.chamadas.abrir(scope, EDITAL)).chamada.edital.classificacao


async def test_who_never_saw_a_file_states_the_rules_and_sees_what_they_give_before_keeping_them(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    await container.triagem.importar(scope, com_notas(9, 8, 5))
    begun = (await gestora.get(PAGINA)).text
    assert "Comece por aqui" in begun
    suggested = await press(gestora, form_of(begun), "sugerir")
    campos = form_of(suggested)
    (offered,) = re.findall(r'value="sugerir"[^>]*>[^<]*</button> <span class="ajuda">([^<]*)<', begun)
    blank = form_of(begun)
    for campo, told in SUGERIDO.items():
        assert told in offered, campo
    written = {campo for campo, values in campos.items() if campo.startswith("regras.") and values != blank.get(campo)}
    assert written <= set(SUGERIDO)  # nothing is set that the button does not tell
    assert campos["regras.remanejamento"] == ["cotas", "categorias"]
    assert (campos["regras.minimo_avaliadores"], campos["regras.divergencia_maxima"], campos["regras.nota_final_minima"]) == (
        ["2"],
        ["30"],
        ["60"],
    )
    assert campos["desempate.0.por"] == ["criterio"]
    with_vagas = await press(gestora, campos, "adicionar:vagas:todas", regras__minimo_avaliadores="1")
    tried = await press(gestora, form_of(with_vagas), "previa", vagas__0__total="1")
    said = preview_of(tried)
    assert "Selecionados 1" in said
    assert "Suplentes 1" in said
    assert "Desclassificados 1" in said
    assert "até 90,00 (P0001)" in said
    assert "ainda não tem regras salvas" in said
    assert await rules_of(container, scope) is None
    review = await press(gestora, form_of(tried), "salvar")
    assert "Todas as outras categorias: 1 vaga, de ampla concorrência." in review
    to = await press(gestora, form_of(review), "confirmar", 303)
    assert to == f"{PAGINA}?ok=alterado"
    kept = await rules_of(container, scope)
    assert kept is not None
    assert (kept.vagas, kept.desempate, kept.corte.nota_final_minima) == (
        (Vagas("*", 1),),
        (PorCriterio("C2"), PorSorteio()),
        Decimal(60),
    )


async def test_who_comes_in_and_who_goes_out_is_told_beside_the_rules_that_are_kept(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    regras = Classificacao(vagas=(Vagas("*", 1),))
    await container.triagem.importar(scope, com_notas(9, 8, regras=regras))
    page = (await gestora.get(PAGINA)).text
    assert "Ninguém muda de situação em relação às regras salvas." in preview_of(page)
    campos = form_of(await press(gestora, form_of(page), "adicionar:bonus:bonus"))
    typed = {"bonus__0__quando__campo": "municipio", "bonus__0__quando__valor": "Fortaleza", "bonus__0__pontos": "30"}
    fragment = await gestora.post(f"{PAGINA}/previa", data=campos | {nome.replace("__", "."): valor for nome, valor in typed.items()})
    assert fragment.status_code == 200
    assert "<html" not in fragment.text
    more = await press(gestora, campos | {nome.replace("__", "."): valor for nome, valor in typed.items()}, "previa", vagas__0__total="2")
    assert "1 projeto entra" in preview_of(more)
    assert "P0002" in preview_of(more)


async def test_everything_that_is_wrong_is_told_at_its_field_and_nothing_typed_is_lost(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    await container.triagem.importar(scope, com_notas(9))
    campos = form_of((await gestora.get(PAGINA)).text)
    for acao in ("adicionar:bonus:bonus", "adicionar:vagas:uma", "adicionar:vagas.0.cotas:cota", "adicionar:desempate:criterio"):
        campos = form_of(await press(gestora, campos, acao))
    refused = await press(
        gestora,
        campos,
        "salvar",
        422,
        regras__escala="muito",
        bonus__0__pontos="dez",
        bonus__0__clausula=HOSTILE,
        vagas__0__categoria="Dança",
        vagas__0__total="1",
        vagas__0__cotas__0__id="AMPLA",
        vagas__0__cotas__0__vagas="3",
        vagas__0__cotas__0__quando__campo="cota",
        vagas__0__cotas__0__quando__valor="negra",
    )
    tree = html.fromstring(refused)
    places = tree.xpath("//div[@id='erros']//a/@href")
    assert {"#regras-escala", "#bonus-0-pontos", "#bonus-0-quando-campo", "#desempate-0-criterio"} <= set(places)
    assert {"#vagas-0-total", "#vagas-0-cotas-0-id"} <= set(places)
    assert all(tree.xpath(f"//*[@id='{place[1:]}']") for place in places)
    assert "As cotas guardam mais vagas do que a categoria tem." in refused
    assert "Cota AMPLA, em Dança" in refused
    again = form_of(refused)
    assert (again["regras.escala"], again["bonus.0.clausula"], again["vagas.0.cotas.0.vagas"]) == (["muito"], [HOSTILE], ["3"])
    assert "<script>alert" not in refused
    assert await rules_of(container, scope) is None


async def test_rows_are_taken_out_put_back_and_moved_without_a_script(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    cota = Cota("NEGRAS", Condicao("cota", "igual", "negra"), 1, "5.1")
    regras = Classificacao(vagas=(Vagas("Dança", 2, None, (cota,)), Vagas("Música", 1)), desempate=(PorCriterio("C1"), PorSorteio()))
    await container.triagem.importar(scope, com_notas(9, regras=regras))
    campos = form_of((await gestora.get(PAGINA)).text)
    moved = form_of(await press(gestora, campos, "descer:vagas:0"))
    assert (moved["vagas.0.categoria"], moved["vagas.1.cotas.0.id"]) == (["Música"], ["NEGRAS"])
    out = await press(gestora, moved, "retirar:vagas:1")
    assert "sai quando você salvar" in out
    assert form_of(out)["vagas.1.cotas.0.id"] == ["NEGRAS"]
    back = form_of(await press(gestora, form_of(out), "repor:vagas:1"))
    without = form_of(await press(gestora, back, "retirar:vagas.1.cotas:0"))
    review = await press(gestora, form_of(await press(gestora, without, "subir:desempate:1")), "salvar")
    assert "Cota NEGRAS" in review
    await press(gestora, form_of(review), "confirmar", 303)
    kept = await rules_of(container, scope)
    assert kept is not None
    assert (kept.vagas, kept.desempate) == ((Vagas("Música", 1), Vagas("Dança", 2)), (PorSorteio(), PorCriterio("C1")))


async def test_rules_are_copied_from_another_edital_but_for_its_draw(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    regras = Classificacao(suplentes=3, vagas=(Vagas("*", 7),), semente="deles")
    await container.triagem.importar(scope, com_notas(9, regras=regras, codigo="ED-OUTRO"))
    await container.triagem.importar(scope, com_notas(9))
    page = (await gestora.get(PAGINA)).text
    copied = form_of(await press(gestora, form_of(page), "copiar", copiar_de="ED-OUTRO", regras__semente="nossa"))
    assert (copied["vagas.0.total"], copied["regras.suplentes"], copied["regras.semente"]) == (["7"], ["3"], ["nossa"])
    same = form_of(await press(gestora, form_of(page), "copiar", copiar_de="NAO-HA", regras__suplentes="4"))
    assert same["regras.suplentes"] == ["4"]


async def test_without_projects_or_notas_it_is_said_what_is_missing_and_the_shape_is_shown(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    regras = Classificacao(vagas=(Vagas("Música", 4),))
    await container.triagem.importar(scope, com_notas(0, 0, regras=regras))
    said = preview_of((await gestora.get(PAGINA)).text)
    assert "Ninguém enviou notas ainda" in said
    assert "Ampla concorrência 0 de 4" in said
    assert "Pendentes 2" in said
    empty = importacao(0)
    edital = replace(empty.chamada.edital, classificacao=regras)
    await container.triagem.importar(scope, Importacao(replace(empty.chamada, edital=edital), {}))
    said = preview_of((await gestora.get(PAGINA)).text)
    assert "Ainda não há projetos" in said
    assert "0 de 4" in said


async def test_of_two_who_write_rules_the_second_is_told_and_loses_nothing(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    await container.triagem.importar(scope, com_notas(9))
    review = form_of(await press(gestora, form_of((await gestora.get(PAGINA)).text), "salvar", regras__suplentes="2"))
    aberta = await container.chamadas.abrir(scope, EDITAL)
    renamed = replace(aberta.chamada, edital=replace(aberta.chamada.edital, nome="Outro nome"))
    await container.chamadas.salvar(scope, EDITAL, renamed, aberta.visto)
    refused = await press(gestora, review, "confirmar", 409)
    assert "O edital mudou enquanto você escrevia" in refused
    assert form_of(refused)["regras.suplentes"] == ["2"]


async def test_another_organisations_edital_is_absent_and_who_judges_does_not_write_rules(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, new_person: NewPerson, signed_in: SignedIn
) -> None:
    assert (await gestora.get("/admin/editais/NAO-HA/classificacao")).status_code == 404
    await container.triagem.importar(scope, com_notas(9))
    avaliadora = await signed_in(scope, (await new_person(scope, "avaliador")).ator)
    assert (await avaliadora.get(PAGINA)).status_code == 403
    assert (await avaliadora.post(f"{PAGINA}/previa", data={})).status_code == 403
