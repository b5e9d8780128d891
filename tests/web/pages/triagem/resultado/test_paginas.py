"""The result of an edital on pages that need no script: read, explained, published once it was seen, compared, left by who withdraws."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from decimal import Decimal
from html import unescape
from typing import Any

import httpx
import pytest

from chamadas import Importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.clock import SystemClock, today
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.definicao import Bonus, Classificacao, Corte, Cota, Vagas
from crivo.triagem.condicao import Condicao
from notas_dadas import chamada_com_notas

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
RESULTADO = "/admin/editais/ED-1/resultado"
HOJE = today(SystemClock())
REGRAS = Classificacao(
    corte=Corte(Decimal(50)),
    bonus=(Bonus("INTERIOR", Condicao("regiao", "igual", "interior"), Decimal(5), "7.3"),),
    vagas=(
        Vagas(
            "*",
            3,
            Decimal(50_000),
            (
                Cota("NEGRAS", Condicao("cota", "em", ["negra"]), 1, "5.1"),
                Cota("PCD", Condicao("cota", "em", ["pcd"]), 1, "5.3"),
            ),
        ),
    ),
    remanejamento=("cotas",),
    suplentes=1,
)
CAMPOS = {"P0002": {"regiao": "interior"}, "P0004": {"cota": "negra"}, "P0005": {"cota": "negra"}}
NOTAS = (9, 8, 7, 7, 6, 3)


def chamada(notas: tuple[int, ...] = NOTAS, regras: Classificacao | None = REGRAS) -> Importacao:
    return chamada_com_notas(notas, regras, CAMPOS)


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture
async def importada(container: Container, scope: Scope) -> None:
    await container.triagem.importar(scope, chamada())


def form_of(page: str, action: str) -> dict[str, str]:
    form = re.search(rf'<form[^>]*method="post"[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', page, re.DOTALL)
    assert form, action
    return {name: unescape(value) for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[1])}


async def publish(gestora: httpx.AsyncClient, fase: str = "preliminar", **written: str) -> httpx.Response:
    seen = await gestora.get(f"{RESULTADO}/publicar?fase={fase}")
    return await gestora.post(f"{RESULTADO}/publicar", data=form_of(seen.text, f"{RESULTADO}/publicar") | written)


async def withdraw(gestora: httpx.AsyncClient, projeto: str, **written: str) -> httpx.Response:
    address = f"{RESULTADO}/desistencias/{projeto}"
    seen = await gestora.get(address)
    given = {"desistiu_em": HOJE.isoformat(), "motivo": "Carta entregue na secretaria."} | written
    return await gestora.post(address, data=form_of(seen.text, address) | given)


def words_of(page: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


@pytest.mark.usefixtures("importada")
async def test_the_draft_says_who_has_which_place_how_and_why(gestora: httpx.AsyncClient) -> None:
    seen = await gestora.get(RESULTADO)
    assert seen.status_code == 200
    said = words_of(seen.text)
    assert "versão 1, rascunho" in said
    assert "6 projetos, 3 vagas, R$ 150.000,00" in said
    assert "Cota NEGRAS 1 de 1 e mais 1 recebida" in said
    assert "Cota PCD 0 de 1" in said
    assert "1 vaga sem optantes: passou adiante" in said
    assert "Fim da ampla concorrência, em 90,00" in said
    assert "Fora da disputa" in said
    assert "Bônus INTERIOR: vale, +5,00" in said
    assert "Uma vaga da cota PCD ficou sem optantes e passou à primeira cota que ainda os tem: NEGRAS" in said
    assert re.search(r"P0002 .{0,200}?80,00 \+5,00 85,00 1º suplente", said)
    rows = re.findall(r'<tr id="projeto-(P\d+)"', seen.text)
    assert rows == ["P0001", "P0002", "P0004", "P0003", "P0005", "P0006"]  # of equal ones, as the draw has it


@pytest.mark.usefixtures("importada")
async def test_rows_are_found_by_situation_and_by_words(gestora: httpx.AsyncClient) -> None:
    def rows(page: httpx.Response) -> list[str]:
        return re.findall(r'<tr id="projeto-(P\d+)"', page.text)

    assert rows(await gestora.get(f"{RESULTADO}?mostrar=fora")) == ["P0006"]
    assert rows(await gestora.get(f"{RESULTADO}?mostrar=suplentes")) == ["P0002"]
    assert rows(await gestora.get(f"{RESULTADO}?q=p0004")) == ["P0004"]
    nothing = await gestora.get(f"{RESULTADO}?q=nada-disso")
    assert rows(nothing) == []
    assert "Nenhum projeto responde a esta busca." in nothing.text
    assert rows(await gestora.get(f"{RESULTADO}?mostrar=qualquer&categoria=99&pagina=40"))


async def test_without_rules_it_says_what_to_do(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    await container.triagem.importar(scope, chamada(regras=None))
    for address in (RESULTADO, f"{RESULTADO}/publicar"):
        seen = await gestora.get(address)
        assert seen.status_code == 200
        assert "Falta dizer como as notas viram lugares" in seen.text
        assert 'href="/admin/editais/ED-1/classificacao"' in seen.text
    assert (await gestora.get(f"{RESULTADO}/comparacao")).status_code == 200
    assert (await gestora.get(f"{RESULTADO}/publicacoes")).status_code == 200


@pytest.mark.usefixtures("importada")
async def test_what_was_seen_is_published_and_is_read_as_it_went_out(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    preview = words_of((await gestora.get(f"{RESULTADO}/publicar")).text)
    assert "É isto que sai, como versão 1, com 6 projetos" in preview
    assert "6 projetos estão sem decisão de habilitação" in preview
    assert "É a primeira publicação" in preview
    sent = await publish(gestora, recursos_ate=(today(SystemClock()) + timedelta(days=5)).isoformat())
    assert (sent.status_code, sent.headers["location"]) == (303, f"{RESULTADO}?versao=1&ok=resultado")
    await container.triagem.importar(scope, chamada((1, 1, 1, 1, 1, 10)))
    version = words_of((await gestora.get(f"{RESULTADO}?versao=1")).text)
    assert "versão 1, preliminar" in version
    assert "Está aqui como saiu" in version
    assert re.search(r"P0001 .{0,200}?90,00 – 90,00 Selecionado Ampla concorrência", version)
    assert "Médias publicadas: " in version
    listed = words_of((await gestora.get(f"{RESULTADO}/publicacoes")).text)
    (made,) = await container.resultados.versoes(scope, "ED-1")
    assert made.codigo in listed
    assert made.sha256 in listed
    assert "primeira da fase" in listed


@pytest.mark.usefixtures("importada")
async def test_the_tabs_keep_to_the_fase_that_is_looked_at(gestora: httpx.AsyncClient) -> None:
    for part in ("", "/publicacoes", "/comparacao", "/desistencias"):
        final = (await gestora.get(f"{RESULTADO}{part}?fase=final")).text
        assert f'href="{RESULTADO}?fase=final"' in final, part
        assert f'href="{RESULTADO}/publicacoes?fase=final"' in final, part
        assert f'href="{RESULTADO}/publicacoes?fase=final"' not in (await gestora.get(f"{RESULTADO}{part}")).text, part


@pytest.mark.usefixtures("importada")
async def test_what_goes_out_is_counted_and_told_as_people_say_it(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    assert "3 selecionados, 1 suplente, 1 não classificado, 1 fora" in words_of((await gestora.get(f"{RESULTADO}/publicar")).text)
    await publish(gestora)
    await container.triagem.importar(scope, chamada((*NOTAS, 2)))
    draft = words_of((await gestora.get(RESULTADO)).text)
    assert "Não estava, e agora está como desclassificado, 20,00." in draft
    assert "não estava →" not in draft


@pytest.mark.usefixtures("importada")
async def test_the_second_of_two_who_publish_is_told_who_did_and_what_and_nothing_goes_out(
    gestora: httpx.AsyncClient, scope: Scope, new_person: NewPerson, signed_in: SignedIn, container: Container
) -> None:
    other = await signed_in(scope, (await new_person(scope, "gestor")).ator)
    seen = form_of((await gestora.get(f"{RESULTADO}/publicar")).text, f"{RESULTADO}/publicar")
    assert (await publish(other)).status_code == 303
    refused = await gestora.post(f"{RESULTADO}/publicar", data=seen | {"motivo": "O meu motivo."})
    assert refused.status_code == 409
    said = words_of(refused.text)
    assert "Pessoa gestor publicou a versão 1, preliminar" in said
    assert "O meu motivo." in said
    assert "Ninguém muda de lugar, nota ou situação" in said
    assert len(await container.resultados.versoes(scope, "ED-1")) == 1
    again = form_of(refused.text, f"{RESULTADO}/publicar")
    assert (await gestora.post(f"{RESULTADO}/publicar", data=again | {"motivo": "O meu motivo."})).status_code == 303


@pytest.mark.usefixtures("importada")
async def test_another_version_says_why_and_a_final_one_waits(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    blocked = await gestora.get(f"{RESULTADO}/publicar?fase=final")
    assert "O resultado final vem depois de um preliminar" in blocked.text
    assert "Publicar a versão" not in blocked.text
    await publish(gestora, recursos_ate=(today(SystemClock()) + timedelta(days=5)).isoformat())
    refused = await publish(gestora, motivo="  ")
    assert refused.status_code == 422
    assert "Diga o motivo" in refused.text
    wrong = await publish(gestora, motivo="Correção.", recursos_ate="amanhã")
    assert wrong.status_code == 422
    assert "A data do prazo de recurso não está certa" in wrong.text
    assert "Correção." in wrong.text
    waiting = await gestora.get(f"{RESULTADO}/publicar?fase=final")
    assert "O prazo de recurso ainda corre: 6 dias" in waiting.text
    assert len(await container.resultados.versoes(scope, "ED-1")) == 1


@pytest.mark.usefixtures("importada")
async def test_two_results_are_compared_with_what_changed_in_the_rules(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    await publish(gestora)
    regras = Classificacao(corte=Corte(Decimal(40)), vagas=REGRAS.vagas, suplentes=2)
    await container.triagem.importar(scope, chamada((7, 9, 8, 7, 6, 3), regras), motivo="Retificação do edital, publicada.")
    said = words_of((await gestora.get(f"{RESULTADO}/comparacao?antes=1&depois=rascunho")).text)
    assert "Versão 1, preliminar" in said
    assert re.search(r"P0002 .{0,80}?Entrou", said)
    assert re.search(r"P0001 .{0,80}?Saiu", said)
    assert "Cortes nota base mínima de 50,00 nota base mínima de 40,00" in said
    assert "Bônus INTERIOR 5 pontos para quem declara regiao igual a interior (7.3) nada" in said
    assert "Suplentes por categoria 1 2" in said
    only = await gestora.get(f"{RESULTADO}/comparacao?antes=1&depois=rascunho&tipo=entrou")
    assert "P0001" not in only.text
    beside = words_of((await gestora.get(RESULTADO)).text)
    assert "O que mudou desde a versão 1, preliminar" in beside
    same = words_of((await gestora.get(f"{RESULTADO}/comparacao?antes=1&depois=1")).text)
    assert "Nada mudou" in same


@pytest.mark.usefixtures("importada")
async def test_who_withdraws_is_shown_with_who_enters_and_comes_back(gestora: httpx.AsyncClient) -> None:
    preview = words_of((await gestora.get(f"{RESULTADO}/desistencias/P0001")).text)
    assert re.search(r"P0001 .{0,200}?Selecionado 1º, 90,00, Ampla concorrência Desclassificado", preview)
    assert re.search(r"P0002 .{0,200}?Suplente 2º, 85,00 Selecionado 1º, 85,00, Ampla concorrência", preview)
    sent = await withdraw(gestora, "P0001")
    assert (sent.status_code, sent.headers["location"]) == (303, f"{RESULTADO}/desistencias?ok=desistencia")
    draft = words_of((await gestora.get(RESULTADO)).text)
    assert f"Desistiu em {HOJE:%d/%m/%Y} e saiu da disputa." in draft
    assert "Carta entregue na secretaria." not in draft
    assert "Carta entregue na secretaria." in (await gestora.get(f"{RESULTADO}/desistencias")).text
    undone = await withdraw(gestora, "P0001")
    assert undone.headers["location"] == f"{RESULTADO}/desistencias?ok=desistencia_desfeita"
    assert re.search(r"P0001 .{0,200}?Selecionado", words_of((await gestora.get(RESULTADO)).text))


@pytest.mark.usefixtures("importada")
@pytest.mark.parametrize(
    ("written", "said"),
    [
        ({"desistiu_em": ""}, "Diga em que dia a desistência chegou."),
        ({"desistiu_em": (HOJE + timedelta(days=2)).isoformat()}, "ainda não veio"),
        ({"motivo": " "}, "Escreva como a desistência chegou"),
    ],
)
async def test_a_withdrawal_that_will_not_do_keeps_what_was_written(gestora: httpx.AsyncClient, written: dict[str, str], said: str) -> None:
    refused = await withdraw(gestora, "P0001", **written)
    assert refused.status_code == 422
    assert said in refused.text
    assert ("Carta entregue na secretaria." in refused.text) == ("motivo" not in written)


@pytest.mark.usefixtures("importada")
async def test_a_preview_that_is_no_longer_so_is_shown_anew(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    address = f"{RESULTADO}/desistencias/P0001"
    seen = form_of((await gestora.get(address)).text, address)
    await container.triagem.importar(scope, chamada((9, 2, 8, 7, 6, 3)))
    refused = await gestora.post(address, data=seen | {"desistiu_em": HOJE.isoformat(), "motivo": "Carta entregue."})
    assert refused.status_code == 409
    assert "Nada foi feito" in refused.text
    assert "Carta entregue." in refused.text
    assert re.search(r"P0003 .{0,200}?Suplente .{0,40}? Selecionado", words_of(refused.text))


@pytest.mark.usefixtures("importada")
@pytest.mark.parametrize("address", ["", "/publicar", "/publicacoes", "/comparacao", "/desistencias", "/desistencias/P0001"])
async def test_only_who_manages_sees_any_of_it(scope: Scope, new_person: NewPerson, signed_in: SignedIn, address: str) -> None:
    avaliadora = await signed_in(scope, (await new_person(scope, "avaliador")).ator)
    assert (await avaliadora.get(f"{RESULTADO}{address}")).status_code == 403


@pytest.mark.usefixtures("importada")
async def test_what_there_is_not_is_told_so(gestora: httpx.AsyncClient) -> None:
    assert (await gestora.get(f"{RESULTADO}?versao=7")).status_code == 404
    assert (await gestora.get(f"{RESULTADO}/desistencias/P0099")).status_code == 404
    assert (await gestora.get("/admin/editais/ED-9/resultado")).status_code == 404
    assert (await gestora.get(f"{RESULTADO}/comparacao?antes=99&depois=banana")).status_code == 200


@pytest.mark.usefixtures("importada")
async def test_hostile_titles_are_only_text(container: Container, scope: Scope, gestora: httpx.AsyncClient) -> None:
    given: Any = chamada()
    projetos = list(given.chamada.projetos)
    from msgspec.structs import replace

    projetos[0] = replace(projetos[0], titulo='<script>alert(1)</script>"\u202e =cmd', categoria="")
    await container.triagem.importar(scope, Importacao(replace(given.chamada, projetos=tuple(projetos)), given.arquivos))
    for address in ("", "/publicar", "/desistencias/P0001"):
        seen = await gestora.get(f"{RESULTADO}{address}")
        assert seen.status_code == 200
        assert "<script>alert" not in seen.text
