"""Every worked example of docs/classificacao.md, row by row, by the product and by the independent statement."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from oraculo_lugares.comparacao import rows_of
from oraculo_lugares.enunciado import resultado

DOC = Path(__file__).parents[3] / "docs/classificacao.md"
SAIDAS = {
    "Nota base": "nota_base",
    "Bônus": "bonus",
    "Nota final": "nota_final",
    "Lugar": "posicao",
    "Situação": "situacao",
    "Vaga": "vaga",
    "Desempate": "desempate",
}
ENTRADAS = {"Projeto", "Categoria", "Enviado em", "Habilitação"}
Linha = dict[str, str]


def examples() -> list[tuple[str, dict[str, Any], list[Linha]]]:
    found = []
    for section in DOC.read_text(encoding="utf-8").split("\n## ")[1:]:
        rules = re.search(r"```json\n(.*?)\n```", section, re.DOTALL)
        assert rules is not None
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
        found.append((section.splitlines()[0], json.loads(rules[1]), [dict(zip(rows[0], row, strict=True)) for row in rows[2:]]))
    return found


def chamada_of(rules: dict[str, Any], linhas: list[Linha]) -> dict[str, Any]:
    criterios = [nome for nome in linhas[0] if re.fullmatch(r"C\d", nome)]
    campos = [nome for nome in linhas[0] if nome not in {*SAIDAS, *ENTRADAS, *criterios}]
    return {
        "edital": {"id": "ED-1", "nome": "Exemplo", "classificacao": rules},
        "criterios": [{"id": nome, "nome": nome, "peso": 1, "nota_min": 0, "nota_max": 10} for nome in criterios],
        "projetos": [
            {
                "id": linha["Projeto"],
                "titulo": "",
                "proponente": {"nome": ""},
                "categoria": linha.get("Categoria", "Música"),
                "campos": {nome: read_campo(linha[nome]) for nome in campos if linha[nome]},
                **({"enviado_em": linha["Enviado em"]} if "Enviado em" in linha else {}),
            }
            for linha in linhas
        ],
        "avaliacoes": [
            {"projeto": linha["Projeto"], "avaliador": f"a{at}", "notas": dict(zip(criterios, notas, strict=True))}
            for linha in linhas
            for at, notas in enumerate(zip(*(read_notas(linha[nome]) for nome in criterios), strict=True))
        ],
        "habilitacoes": [
            {"projeto": linha["Projeto"], "situacao": linha["Habilitação"], "motivo": ""} for linha in linhas if "Habilitação" in linha
        ],
    }


def read_notas(escritas: str) -> list[float]:
    return [float(nota.replace(",", ".")) for nota in escritas.split(" e ")]


def read_campo(escrito: str) -> Any:
    if ";" in escrito:
        return [parte.strip() for parte in escrito.split(";")]
    return int(escrito) if escrito.isdigit() else escrito


def written(linhas: list[Linha]) -> dict[str, dict[str, Any]]:
    return {linha["Projeto"]: {SAIDAS[nome]: read_saida(nome, cell) for nome, cell in linha.items() if nome in SAIDAS} for linha in linhas}


def read_saida(nome: str, cell: str) -> Any:
    if not cell:
        return None
    return cell if nome in {"Situação", "Vaga", "Desempate"} else Fraction(Decimal(cell.replace(",", ".")))


def test_the_page_has_its_examples() -> None:
    assert len(examples()) >= 12


@pytest.mark.parametrize(("rules", "linhas"), [pytest.param(*one, id=nome) for nome, *one in examples()])
def test_an_example_of_the_page_comes_out_as_it_is_written(rules: dict[str, Any], linhas: list[Linha]) -> None:
    expected = written(linhas)
    chamada = chamada_of(rules, linhas)
    nosso = rows_of(chamada)
    dito = resultado(chamada)
    assert {codigo: {campo: nosso[codigo][campo] for campo in campos} for codigo, campos in expected.items()} == expected
    assert {codigo: {campo: dito[codigo][campo] for campo in campos} for codigo, campos in expected.items()} == expected
