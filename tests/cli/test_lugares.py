"""`crivo triagem resultado`: an edital with what people did outside, imported, and its places read in each format."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from crivo.bootstrap import open_container
from crivo.kernel.access import create_usuario
from crivo.kernel.settings import load_settings
from crivo.kernel.sujeitos import Console
from crivo.kernel.tenancy import Scope
from sujeitos import as_person

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

EDITAL: dict[str, Any] = {
    "edital": {
        "id": "ED-L",
        "nome": "Edital de lugares",
        "classificacao": {
            "corte": {"nota_final_minima": 60},
            "bonus": [{"id": "B", "quando": {"campo": "regiao", "operador": "igual", "valor": "interior"}, "pontos": 2.5}],
            "vagas": [{"categoria": "Música", "total": 1}],
            "suplentes": 1,
        },
    },
    "criterios": [{"id": "C1", "nome": "Mérito"}],
    "projetos": [
        {"id": f"P{at}", "titulo": f"Projeto {at}", "categoria": "Música", "proponente": {"nome": "Alguém"}, "campos": {"regiao": regiao}}
        for at, regiao in enumerate(("capital", "interior", "capital"), 1)
    ],
    "avaliadores": [{"nome": "Ana Lima", "email": "ana@jurado.example"}],
    "avaliacoes": [{"projeto": f"P{at}", "avaliador": "Ana Lima", "notas": {"C1": nota}} for at, nota in ((1, 8.25), (2, 8), (3, 5.5))],
}


def test_an_import_with_notas_comes_out_as_places_in_each_format(terminal: Terminal, tmp_path: Path) -> None:
    place = tmp_path / "edital.json"
    place.write_text(json.dumps(EDITAL), encoding="utf-8")
    imported = terminal.run("triagem", "importar", place)
    assert "3 projetos com notas novas de pessoas" in imported.stdout
    found = json.loads(terminal.run("triagem", "resultado", "ED-L", "--fase", "final", "--formato", "json").stdout)
    assert (found["edital_id"], found["fase"]) == ("ED-L", "final")
    assert found["projetos"][0] == {
        "projeto_id": "P2",
        "posicao": 1,
        "situacao": "selecionado",
        "vaga": "AMPLA",
        "categoria": "Música",
        "notas": {"C1": 8},
        "nota_base": 80,
        "bonus": 2.5,
        "nota_final": 82.5,
        "desempate": "sorteio",
        "motivo": found["projetos"][0]["motivo"],
    }
    assert [(one["projeto_id"], one["situacao"], one["posicao"]) for one in found["projetos"][1:]] == [
        ("P1", "suplente", 2),
        ("P3", "desclassificado", None),
    ]
    saida = tmp_path / "lugares.csv"
    assert terminal.run("triagem", "resultado", "ED-L", "--formato", "csv", "--saida", saida).exit_code == 0
    head, first, *_ = saida.read_text(encoding="utf-8-sig").splitlines()
    assert head.startswith("Projeto;Categoria;Lugar;Situação;Vaga;Média C1;Nota base;Bônus;Nota final;Desempate;Motivo")
    assert first.startswith("P2;Música;1;Selecionado;Ampla concorrência;8;80;2,5;82,5;sorteio;")
    shown = terminal.run("triagem", "resultado", "ED-L").stdout
    assert "Música, 1 vaga" in shown
    assert "Nota base 55,00; a mínima é 60,00." in shown


def test_an_edital_without_rules_says_what_to_do(terminal: Terminal, tmp_path: Path) -> None:
    place = tmp_path / "edital.json"
    place.write_text(json.dumps({"edital": {"id": "ED-S", "nome": "Sem regras"}, "projetos": []}), encoding="utf-8")
    terminal.run("triagem", "importar", place)
    refused = terminal.run("triagem", "resultado", "ED-S")
    assert refused.exit_code == 1
    assert "acrescente" in refused.stderr


def test_a_published_version_is_read_as_it_went_out(terminal: Terminal, tmp_path: Path) -> None:
    place = tmp_path / "edital.json"
    place.write_text(json.dumps(EDITAL), encoding="utf-8")
    terminal.run("triagem", "importar", place)
    refused = terminal.run("triagem", "resultado", "ED-L", "--versao", "1")
    assert (refused.exit_code, "Este edital não tem versão 1 publicada" in refused.stderr) == (1, True)
    asyncio.run(_published(terminal))
    place.write_text(
        json.dumps(EDITAL | {"avaliacoes": [{**one, "notas": {"C1": 9.75}} for one in EDITAL["avaliacoes"]]}), encoding="utf-8"
    )
    terminal.run("triagem", "importar", place)
    found = json.loads(terminal.run("triagem", "resultado", "ED-L", "--versao", "1", "--formato", "json").stdout)
    assert [(one["projeto_id"], one["nota_base"]) for one in found["projetos"]] == [("P2", 80), ("P1", 82.5), ("P3", 55)]
    shown = terminal.run("triagem", "resultado", "ED-L", "--versao", "1").stdout
    assert "Nota base 55,00; a mínima é 60,00." in shown
    saida = tmp_path / "versao.csv"
    assert terminal.run("triagem", "resultado", "ED-L", "--versao", "1", "--formato", "csv", "--saida", saida).exit_code == 0
    heads, first = [line.split(";") for line in saida.read_text(encoding="utf-8-sig").splitlines()[:2]]
    row = dict(zip(heads, first, strict=False))
    assert [
        row[name] for name in ("projeto_id", "categoria", "posicao", "situacao", "vaga", "nota_C1", "nota_base", "bonus", "nota_final")
    ] == (["P2", "Música", "1", "selecionado", "AMPLA", "8", "80", "2,5", "82,5"])


async def _published(terminal: Terminal) -> None:
    """What a person does on the page."""
    settings = load_settings(None, **{name.removeprefix("CRIVO_").lower(): value for name, value in terminal.environment.items()})
    scope = Scope(terminal.tenant_id, "teste", Console())
    async with open_container(settings) as container:
        async with container.database.unit_of_work(scope) as uow:
            person = await create_usuario(uow, container.clock.now(), uuid4(), "Helena Prado", "helena@orgao.exemplo", "gestor")
        helena = as_person(scope, person)
        seen = await container.resultados.rascunho(helena, "ED-L", "preliminar")
        await container.resultados.publicar(helena, "ED-L", "preliminar", seen.sha256)


def test_a_draft_is_written_as_a_document_and_a_version_that_is_not_there_writes_nothing(terminal: Terminal, tmp_path: Path) -> None:
    place = tmp_path / "edital.json"
    place.write_text(json.dumps(EDITAL), encoding="utf-8")
    terminal.run("triagem", "importar", place)
    starts = {"pdf": b"%PDF-", "html": b"<!doctype html>", "docx": b"PK", "xlsx": b"PK"}
    for formato, start in starts.items():
        saida = tmp_path / f"resultado.{formato}"
        done = terminal.run("triagem", "resultado", "ED-L", "--formato", formato, "--saida", saida)
        assert (done.exit_code, saida.read_bytes()[: len(start)]) == (0, start)
    assert "RASCUNHO: ainda não publicado" in (tmp_path / "resultado.html").read_text(encoding="utf-8")
    nowhere = tmp_path / "versao.pdf"
    refused = terminal.run("triagem", "resultado", "ED-L", "--versao", "3", "--formato", "pdf", "--saida", nowhere)
    assert refused.exit_code == 1
    assert "não tem versão 3 publicada" in refused.stderr
    assert not nowhere.exists()
