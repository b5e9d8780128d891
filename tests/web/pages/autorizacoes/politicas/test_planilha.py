"""A spreadsheet of regras on a page that needs no script. Source: design, RF3."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from html import unescape

import httpx
import pytest

from crivo.autorizacoes.politicas.planilha.leitura import Cabeca
from crivo.autorizacoes.politicas.planilha.mapa import MapaDeColunas
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope
from planilhas_de_politicas import aurora, estrela, livro

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
PLANILHA = "/politicas/planilha"


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


def fields_of(page: str) -> dict[str, str]:
    """The form of the columns, as a browser would send it."""
    form = page.split("<form")[1] if 'name="guardada"' in page.split("<form")[1] else page.split("<form")[2]
    fields = {name: unescape(value) for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)}
    fields |= {name: unescape(value) for name, value in re.findall(r'<input id="[^"]+" name="([^"]+)" type="text" value="([^"]*)"', form)}
    for name, inner in re.findall(r'<select[^>]* name="([^"]+)"[^>]*>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', inner)
        fields[name] = chosen[1] if chosen else ""
    return fields


async def sent(gestora: httpx.AsyncClient, content: bytes) -> str:
    csrf = re.search(r'name="csrf" value="([^"]+)"', (await gestora.get(PLANILHA)).text)
    assert csrf
    return (await gestora.post(PLANILHA, data={"csrf": csrf[1]}, files={"planilha": ("rol.xlsx", content)})).text


async def test_columns_are_shown_changed_and_kept_as_a_draft(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    shown = await sent(gestora, aurora())
    fields = fields_of(shown)
    assert (fields["administradora_id"], fields["vigencia_fim"], fields["documento"]) == ("AUR-9", "31/12/2026", "")
    assert fields["campo-8"] == "observacoes"
    fields |= {"documento": "Rol", "campo-8": "ignorar"}
    again = (await gestora.post(PLANILHA, data={**fields, "acao": "ler"})).text
    assert "Importar 3 regras como rascunho" in again
    done = await gestora.post(PLANILHA, data={**fields_of(again), "acao": "importar"})
    assert "Guardada como rascunho" in done.text
    (kept,) = await container.politicas.listar(scope)
    assert (kept.administradora_id, kept.status, kept.regras_total) == ("AUR-9", "rascunho", 3)
    assert "do último arquivo desta administradora" in await sent(gestora, aurora())


CABECA = {"administradora_id": "LUA-1", "documento": "Rol", "versao": "1", "vigencia_inicio": "01/01/2026"}
MENSAL = livro(("P", [["Cod", "Cobre?", "Sexo", "Faixa X", "Idade"], ["40304361", "sim", "F", "a", "18 a 65"]]))


async def test_next_month_the_map_comes_with_what_holds_of_all_rows_once_the_administradora_is_said(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    fields = fields_of(await sent(gestora, MENSAL)) | {"campo-2": ""}  # nobody says what Sexo is
    shown = await gestora.post(PLANILHA, data={**fields, **CABECA, "fixo-plano": "Ouro", "fixo-tabela": "TUSS", "acao": "ler"})
    assert "Há 2 colunas que não são lidas" in shown.text
    assert "em “Sexo”, “Faixa X”." in shown.text
    assert "A planilha serve" not in shown.text
    done = await gestora.post(PLANILHA, data={**fields_of(shown.text), "acao": "importar"})
    assert "Guardada como rascunho" in done.text

    fields = fields_of(await sent(gestora, MENSAL))
    assert fields["fixo-plano"] == ""  # of whom the file is, nobody said yet
    again = (await gestora.post(PLANILHA, data={**fields, **CABECA, "versao": "2", "acao": "importar"})).text
    fields = fields_of(again)
    assert (fields["fixo-plano"], fields["fixo-tabela"], fields["campo-2"]) == ("Ouro", "TUSS", "sexo")
    await gestora.post(PLANILHA, data={**fields, "acao": "importar"})
    versoes = {one.versao: one.id for one in await container.politicas.listar(scope)}
    _, documento = await container.politicas.obter(scope, versoes["2"])
    (regra,) = json.loads(documento)["regras"]
    assert (regra["plano_id"], regra["tabela"], regra["sexo"]) == ("Ouro", "TUSS", "F")

    menos = livro(("P", [["Cod", "Cobre?", "Faixa X"], ["40304361", "sim", "a"]]))
    cabeca = Cabeca("lua-1", "Rol", "3", "2026-01-01")
    lida = (await container.planilhas.ler(scope, menos, cabeca)).lida
    assert (lida.importada, [one.codigo for one in lida.problemas]) == (None, ["coluna_ausente", "coluna_ausente"])
    assert "“Idade” (faixa de idade)" in lida.problemas[1].mensagem
    assert (await container.planilhas.ler(scope, menos, cabeca, lida.mapa)).lida.problemas == ()  # somebody says that it has them not


async def test_a_file_that_went_out_from_here_is_read_whole_whatever_map_is_kept(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    mapa = MapaDeColunas({"Cod": "codigo", "Cobre?": "cobertura", "Sexo": "ignorar", "Descrição": "observacoes", "Idade": "idade"})
    content = livro(("P", [["Cod", "Cobre?", "Sexo", "Descrição", "Idade"], ["40304361", "sim", "F", "Hemograma", "18 a 65"]]))
    cabeca = Cabeca("LUA-1", "Rol", "1", "2026-01-01")
    feita = await container.planilhas.importar(scope, content, cabeca, mapa, guardar_mapa=True)
    _, inteira = await container.politicas.obter(scope, feita.importacao.politica.id)
    _, saiu = await container.planilhas.exportar(scope, feita.importacao.politica.id, "xlsx")
    voltou = await container.planilhas.importar(scope, saiu, guardar_mapa=True)
    assert not voltou.importacao.mudou
    assert (await container.planilhas.ler(scope, content, cabeca)).origem == "guardado"
    assert json.loads(inteira)["regras"][0]["observacoes"] == "Hemograma"


async def test_a_column_that_the_last_file_had_not_is_marked_as_new(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    cabeca = Cabeca("LUA-1", "Rol", "1", "2026-01-01")
    content = livro(("P", [["Cod", "Cobre?"], ["40304361", "sim"]]))
    lida = (await container.planilhas.ler(scope, content, cabeca)).lida
    await container.planilhas.importar(scope, content, cabeca, lida.mapa, guardar_mapa=True)
    nova = livro(("P", [["Administradora: LUA-1"], ["Cod", "Cobre?", "Carência"], ["40304361", "sim", 30]]))
    assert (await container.planilhas.ler(scope, nova, cabeca)).novas == ("Carência",)
    shown = await sent(gestora, nova)
    assert "As colunas são as do último arquivo desta administradora. As marcadas como novas" in shown
    assert "O crivo sugeriu" not in shown
    assert shown.count(">nova</span>") == 1


async def test_what_will_hinder_publishing_and_planos_of_another_name_are_told_at_the_first_look(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    antes = livro(("P", [["Cod", "Cobre?", "Plano"], ["40304361", "sim", "OURO"]]))
    feita = await container.planilhas.importar(scope, antes, Cabeca("LUA-1", "Rol", "1", "2026-01-01"))
    await container.politicas.publicar(scope, feita.importacao.politica.id)
    linhas = [["Cod", "Cobre?", "Plano", "Docs"], ["40304361", "sim", "Plano Ouro", None], ["40304361", "não", "Plano Ouro", None]]
    leitura = await container.planilhas.ler(scope, livro(("P", linhas)), Cabeca("LUA-1", "Rol", "2", "2026-02-01"))
    assert [(one.codigo, one.caminho) for one in leitura.impedem] == [("regras_conflitantes", "P!A3")]
    assert "dizem “OURO”" in next(one.mensagem for one in leitura.lida.avisos if one.codigo == "plano_parecido")
    shown = await sent(gestora, livro(("P", linhas)))
    assert "O que vai impedir de publicar" in shown
    assert "Planos das regras lidas: <bdi>Plano Ouro</bdi> (2 regras)." in shown


async def test_faults_stand_by_their_cell_beside_the_row(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    shown = await sent(gestora, estrela())
    assert "Plan1!C2" in shown
    assert "40304361 · Hemograma · talvez" in shown
    refused = await gestora.post(PLANILHA, data={**fields_of(shown), "acao": "importar"})
    assert "O que corrigir" in refused.text
    assert await container.politicas.listar(scope) == []


async def test_a_document_of_their_own_name_is_said_once_for_all_rows_and_next_month(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    content = livro(("P", [["Cod", "Cobre?", "Docs"], ["40304361", "sim", "Laudo"], ["40304370", "sim", "Laudo"]]))
    fields = fields_of(await sent(gestora, content)) | CABECA
    assert fields["nosso-0"] == "LAUDO"
    shown = await gestora.post(PLANILHA, data={**fields, "documento-0": "LAUDO_MEDICO", "acao": "ler"})
    await gestora.post(PLANILHA, data={**fields_of(shown.text), "acao": "importar"})
    (kept,) = await container.politicas.listar(scope)
    _, documento = await container.politicas.obter(scope, kept.id)
    assert [regra["documentos_obrigatorios"] for regra in json.loads(documento)["regras"]] == [["LAUDO_MEDICO"]] * 2
    leitura = await container.planilhas.ler(scope, content, Cabeca("LUA-1", "Rol", "2", "2026-01-01"))
    assert (leitura.origem, leitura.lida.mapa.documentos) == ("guardado", {"LAUDO": "LAUDO_MEDICO"})


async def test_what_a_cell_holds_is_shown_as_text(gestora: httpx.AsyncClient) -> None:
    shown = await sent(gestora, livro(("P", [["Código", "Cobertura", '"><b>x'], ["1", "<script>", "<i>"]])))
    assert "<script>alert" not in shown
    assert "&lt;script&gt;" in shown
    assert "<b>x" not in shown


@pytest.mark.parametrize(
    ("content", "palavras"), [(b"%PDF-1.7", "Este é um PDF"), (b"", "Escolha uma planilha"), (b"PK\x03\x04", "danificada")]
)
async def test_what_is_no_spreadsheet_says_what_to_do(gestora: httpx.AsyncClient, content: bytes, palavras: str) -> None:
    assert palavras in await sent(gestora, content)


async def test_a_version_is_downloaded_in_every_format(gestora: httpx.AsyncClient, published: str) -> None:
    page = (await gestora.get(f"/politicas/{published}")).text
    for formato in ("xlsx", "csv", "json", "yaml"):
        assert f"/politicas/{published}/baixar?formato={formato}" in page
        file = await gestora.get(f"/politicas/{published}/baixar?formato={formato}")
        assert file.status_code == 200
        assert file.headers["content-disposition"].endswith(f'.{formato}"')
    assert (await gestora.get(f"/politicas/{published}/baixar?formato=pdf")).status_code == 303  # back, with a word
