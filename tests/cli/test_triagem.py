"""`crivo triagem`: a call imported, screened, read and compared from the command line."""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest

from crivo.kernel.tenancy import Scope
from crivo.triagem.amostra import gabarito, write_sample

if TYPE_CHECKING:
    from tests.cli.conftest import NewTerminal, Terminal

EDITAL = "ED-2026-04"
KEPT = ("P002", "P004", "P013")  # a document that is absent, and a text that was reused


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three projects of the sample, as a folder to import: 2 s of drawing documents."""
    place = tmp_path_factory.mktemp("amostra")
    path = write_sample(place)
    chamada = json.loads(path.read_text(encoding="utf-8"))
    chamada["projetos"] = [projeto for projeto in chamada["projetos"] if projeto["id"] in KEPT]
    for avaliador in chamada["avaliadores"]:
        avaliador["projetos"] = [projeto for projeto in avaliador["projetos"] if projeto in KEPT]
    path.write_text(json.dumps(chamada, ensure_ascii=False), encoding="utf-8")
    return place


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    """The same, for one test to change."""
    return shutil.copytree(written, tmp_path / "edital")


@pytest.fixture(scope="module")
def screened_once(
    embedded_urls: tuple[str, str],
    make_tenant: Callable[[str], Scope],
    terminal_in: NewTerminal,
    written: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Terminal:
    """A terminal whose tenant has screened the three projects, for what only asks about them."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        terminal = terminal_in(tmp_path_factory.mktemp("triado"), embedded_urls[0], make_tenant(embedded_urls[0]), monkeypatch)
        assert terminal.run("triagem", "importar", written).exit_code == 0
        assert terminal.run("triagem", "executar", EDITAL).exit_code == 0
    return terminal


@pytest.fixture
def screened(screened_once: Terminal, terminal: Terminal) -> Terminal:
    """The same, with nothing of this machine's own settings."""
    return screened_once


def test_the_schema_of_the_import_is_printed() -> None:
    from typer.testing import CliRunner

    from crivo.cli.main import app

    schema = json.loads(CliRunner().invoke(app, ["triagem", "esquema"]).stdout)
    assert set(schema["properties"]) >= {"edital", "requisitos", "criterios", "projetos"}


def test_an_import_says_what_came_in_and_what_to_do_next(terminal: Terminal, folder: Path) -> None:
    first = terminal.run("triagem", "importar", folder)
    assert "✓ Edital ED-2026-04 importado: 3 projetos, 20 arquivos." in first.stdout
    assert f"crivo triagem executar {EDITAL}" in first.stderr
    assert json.loads(terminal.run("triagem", "importar", folder, "--json").stdout)["substituiu"] is True


def test_an_import_names_who_cannot_judge_yet_and_the_command_that_mends_it(terminal: Terminal, folder: Path) -> None:
    told = terminal.run("triagem", "importar", folder).stdout
    (email, *others) = [one["email"] for one in json.loads((folder / "edital.json").read_text(encoding="utf-8"))["avaliadores"]]
    assert f"! {len(others) + 1} pessoas que avaliam ainda não podem avaliar:" in told
    assert "ainda não tem senha nem convite em aberto" in told.replace("\n", " ")
    assert f"'crivo usuarios entrar {email}'" in told
    assert terminal.run("usuarios", "entrar", email).exit_code == 0
    told = json.loads(terminal.run("triagem", "importar", folder, "--json").stdout)
    assert [one["email"] for one in told["impedidos"]] == others


def test_who_was_erased_is_left_out_of_the_same_file_until_they_consent_anew(terminal: Terminal, folder: Path) -> None:
    chamada = json.loads((folder / "edital.json").read_text(encoding="utf-8"))
    cpf = next(one["proponente"]["cpf_cnpj"] for one in chamada["projetos"] if len(one["proponente"]["cpf_cnpj"]) < 15)
    assert terminal.run("triagem", "importar", folder).exit_code == 0
    assert terminal.run("pessoas", "apagar", cpf, "--motivo", "pedido 1", "--sim").exit_code == 0
    again = terminal.run("triagem", "importar", folder)
    assert "! 1 projeto ficou de fora (" in again.stdout
    assert "): os dados dessa pessoa foram apagados a pedido em " in again.stdout
    assert "--aceitar-apagados" in again.stderr
    taken = terminal.run("triagem", "importar", folder, "--aceitar-apagados")
    assert "importado: 3 projetos" in taken.stdout or "trocado: 3 projetos" in taken.stdout
    assert "ficou de fora" not in taken.stdout


def test_a_broken_import_changes_nothing_and_names_every_problem(terminal: Terminal, folder: Path) -> None:
    chamada: dict[str, Any] = json.loads((folder / "edital.json").read_text(encoding="utf-8"))
    chamada["projetos"][0]["orcamento_itens"][0]["valor_unitario"] = "muito"
    chamada["criterios"][0]["nota_min"] = 20
    (folder / "edital.json").write_text(json.dumps(chamada), encoding="utf-8")
    refused = terminal.run("triagem", "importar", folder)
    assert refused.exit_code == 1
    assert "projetos[0].orcamento_itens[0].valor_unitario" in refused.stderr
    assert "criterios[0]" in refused.stderr
    assert "Nenhum edital ainda" in terminal.run("triagem", "listar").stdout


def test_the_estimate_is_zero_without_a_model_and_says_so(terminal: Terminal, folder: Path) -> None:
    """Triagem 7: what a run would cost is told before it."""
    assert terminal.run("triagem", "importar", folder).exit_code == 0
    assert "Custo zero: nenhum modelo está configurado" in terminal.run("triagem", "estimar", EDITAL).stdout
    told = json.loads(terminal.run("triagem", "estimar", EDITAL, "--json").stdout)
    assert (told["projetos"], told["documentos_por_ler"], told["sem_modelo"]) == (3, 20, True)


def test_what_an_edital_asks_for_is_printed_and_comes_back_the_same(terminal: Terminal, folder: Path, tmp_path: Path) -> None:
    terminal.run("triagem", "importar", str(folder))
    printed = terminal.run("triagem", "edital", EDITAL).stdout
    assert "projetos" not in json.loads(printed)
    (tmp_path / "edital.json").write_text(printed)
    terminal.run("triagem", "importar", str(tmp_path / "edital.json"))
    assert terminal.run("triagem", "edital", EDITAL).stdout == printed
    (one,) = json.loads(terminal.run("triagem", "listar", "--json").stdout)
    assert one["projetos"] > 0


def test_projects_alone_come_into_an_edital_and_none_leaves_unsaid(terminal: Terminal, folder: Path, tmp_path: Path) -> None:
    terminal.run("triagem", "importar", str(folder))
    (before,) = json.loads(terminal.run("triagem", "listar", "--json").stdout)
    (tmp_path / "projetos.json").write_text(
        json.dumps({"projetos": [{"id": "N1", "titulo": "T", "resumo": "R", "proponente": {"nome": "A"}}]})
    )
    refused = terminal.run("triagem", "importar", str(tmp_path / "projetos.json"), "--no-edital", EDITAL)
    assert refused.exit_code != 0
    assert "Traga todos no mesmo arquivo" in refused.stderr
    terminal.run("triagem", "importar", str(tmp_path / "projetos.json"), "--no-edital", EDITAL, "--retirar")
    (after,) = json.loads(terminal.run("triagem", "listar", "--json").stdout)
    assert (after["projetos"], after["nome"]) == (1, before["nome"])


def test_a_run_shows_the_three_tables_and_whose_the_decision_is(screened: Terminal) -> None:
    again = screened.run("triagem", "executar", EDITAL)
    assert "3 projetos não mudaram desde a última triagem e vieram dela." in again.stdout
    assert "Certidão de débitos federais: Documento ausente" in again.stdout
    assert "sem modelo, leitura assistida" in again.stdout
    assert "Texto reutilizado" in again.stdout
    assert "a decisão final é humana" in again.stdout


def test_the_result_is_exported_for_machines_and_for_people(screened: Terminal, tmp_path: Path) -> None:
    as_json = json.loads(screened.run("triagem", "exportar", EDITAL, "--formato", "json").stdout)
    assert [projeto["projeto_id"] for projeto in as_json["projetos"]] == list(KEPT)
    table = screened.run("triagem", "exportar", EDITAL, "--formato", "csv", "--tabela", "irregularidades").stdout_bytes
    assert table.startswith("\ufeff".encode())
    assert b"P004" in table
    target = tmp_path / "resultado.xlsx"
    assert screened.run("triagem", "exportar", EDITAL, "--formato", "xlsx", "--saida", target).exit_code == 0
    assert "Habilitação" in openpyxl.load_workbook(io.BytesIO(target.read_bytes())).sheetnames


def test_what_people_decided_is_listed_and_the_ranking_is_exported(screened: Terminal, tmp_path: Path) -> None:
    assert "Ninguém decidiu nada ainda" in screened.run("triagem", "decisoes", EDITAL).stdout
    assert screened.run("usuarios", "criar", "lia@exemplo.org", "--nome", "Lia Prado", "--papel", "gestor").exit_code == 0
    with screened.as_owner() as connection:
        connection.execute(
            "insert into habilitacao_decisoes (tenant_id, projeto_id, decisao, sugestao, motivo, decidido_por, decidido_em) "
            "select p.tenant_id, p.id, 'inabilitado', 'pendencia', 'Fora do prazo, CPF 529.982.247-25.', u.id, now() from projetos p "
            "join usuarios u on u.tenant_id = p.tenant_id and u.papel = 'gestor' where p.tenant_id = %s and p.codigo = 'P004'",
            (screened.tenant_id,),
        )
    told = screened.run("triagem", "decisoes", EDITAL).stdout
    assert "Lia" in told
    assert ("P004" in told, "Inabilitado" in told, "difere" in told, "529.982" in told) == (True, True, True, False)
    as_json = json.loads(screened.run("triagem", "decisoes", EDITAL, "--json").stdout)
    (only,) = as_json["projetos"]
    assert (only["projeto_id"], only["decisao"]["decisao"], only["decisao"]["decidido_por"]) == ("P004", "inabilitado", "Lia Prado")
    assert (only["decisao"]["motivo"], as_json["atos"]) == ("Fora do prazo, CPF ***.982.247-**.", [])
    target = tmp_path / "ranking.xlsx"
    assert screened.run("triagem", "exportar", EDITAL, "--formato", "xlsx", "--tabela", "ranking", "--saida", target).exit_code == 0
    (sheet,) = openpyxl.load_workbook(io.BytesIO(target.read_bytes())).worksheets
    assert [row[1].value for row in sheet.iter_rows(min_row=2)] == ["P002", "P013", "P004"]


def test_a_result_is_compared_with_an_answer_key(screened: Terminal) -> None:
    key = gabarito()
    key["projetos"] = [projeto for projeto in key["projetos"] if projeto["projeto_id"] in KEPT]
    key["irregularidades"] = [sign for sign in key["irregularidades"] if set(sign["projetos"]) <= set(KEPT)]
    path = screened.file("gabarito.json", json.dumps(key))
    told = json.loads(screened.run("triagem", "avaliar", "--edital", EDITAL, "--gabarito", path, "--json").stdout)
    assert told["metricas"]["itens"]["valor"] == 1.0
    assert told["metricas"]["irregularidades"]["texto_reutilizado"]["cobertura"]["certos"] == 1
    assert "Errados: nenhum." in screened.run("triagem", "avaliar", "--edital", EDITAL, "--gabarito", path).stdout
    refused = screened.run("triagem", "avaliar", "--edital", EDITAL, "--gabarito", screened.file("outro.json", "[]"))
    assert (refused.exit_code, "não tem a forma de um gabarito" in refused.stderr) == (1, True)


def test_agreement_without_notas_says_what_is_missing(screened: Terminal) -> None:
    assert "Não há notas em comum." in screened.run("triagem", "concordancia", EDITAL).stdout


@pytest.mark.parametrize(
    "command",
    [
        ("edital",),
        ("estimar",),
        ("executar",),
        ("status",),
        ("cancelar",),
        ("retomar",),
        ("decisoes",),
        ("avaliadores",),
        ("exportar", "--formato", "json"),
    ],
)
def test_an_edital_that_is_not_there_is_told_so(terminal: Terminal, command: tuple[str, ...]) -> None:
    refused = terminal.run("triagem", command[0], "ED-0", *command[1:])
    assert refused.exit_code == 1
    assert "Erro: Edital não encontrado." in refused.stderr


def test_what_was_finished_cannot_be_cancelled_or_resumed(screened: Terminal) -> None:
    assert "Não há triagem em andamento" in screened.run("triagem", "cancelar", EDITAL).stderr
    assert "já terminou" in screened.run("triagem", "retomar", EDITAL).stderr
    assert json.loads(screened.run("triagem", "status", EDITAL, "--json").stdout)["status"] == "concluida"


def test_a_kind_that_does_not_exist_is_wrong_use(terminal: Terminal) -> None:
    refused = terminal.run("triagem", "executar", EDITAL, "--tipo", "tudo")
    assert refused.exit_code == 2
    assert "--tipo" in refused.stderr


def test_cases_are_listed_with_how_they_stand(screened_once: Terminal) -> None:
    told = screened_once.run("triagem", "casos", EDITAL)
    assert told.exit_code == 0
    assert "Dois projetos com textos parecidos e trechos iguais" in told.stdout
    (caso,) = json.loads(screened_once.run("triagem", "casos", EDITAL, "--situacao", "aberto", "--json").stdout)
    assert (caso["numero"], caso["gravidade"], caso["projetos"], caso["situacao"]) == (1, "grave", ["P004", "P013"], "aberto")
    assert json.loads(screened_once.run("triagem", "casos", EDITAL, "--situacao", "confirmado", "--json").stdout) == []
