"""Agreement is told case by case, and anything short of all of it is a failure."""

from __future__ import annotations

import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
import pytest
from bench.linhas import Meta, measured
from evals.__main__ import TITULOS, generated_row, main, report, row_of
from evals.enunciado import Contagem, compare_generated
from evals.ouro import Caso, Discordancia, Resultado, compare, sample, worked_cases
from evals.triagem import instructing
from rich.console import Console

from avaliacao_atacada import plantados
from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.politicas.catalogo import Catalogo

POLITICA: dict[str, Any] = {
    "administradora_id": "ADM-1",
    "documento": "Manual",
    "versao": "1",
    "vigencia_inicio": "2026-01-01",
    "regras": [{"regra_id": "R-1", "codigo": "41101014", "cobertura": "COBERTA", "documentos_obrigatorios": ["LAUDO_MEDICO"]}],
}
PEDIDO: dict[str, Any] = {
    "pedido_id": "P-1",
    "administradora_id": "ADM-1",
    "plano_id": "PRATA",
    "data_pedido": date(2026, 10, 5).isoformat(),
    "beneficiario": {"id": "B-1", "idade": 50, "carencia_cumprida_dias": 400},
    "procedimento": {"codigo": "41101014", "quantidade": 1},
}
# What is known to miss its aim, by texts that were read once; any other row that misses it is a failure.
MISSED = {
    "avaliação atacada, textos de outra mão: desvio mediano das notas mostradas",
    "avaliação atacada, textos de outra mão, a ordem citada como evidência: desvio mediano das notas mostradas",
    "avaliação de textos honestos de outra mão: sinalizados",
    "ordens nunca vistas: encontradas",
    "frases honestas parecidas, quinta mão: sinalizadas",
    "domínio nunca visto, moradia: texto que instrui",
    "domínio nunca visto, moradia: suspeita na avaliação",
    "domínio nunca visto, odontologia: alegações retidas",
    "falas, fora_mao, que não ensinou: modos",
    "falas, fora_norte, que não ensinou: modos",
}
AGREED = Contagem(casos=10, divergentes=0, decisoes={"APROVADO": 10}, exemplos=[])


def disagreements(**esperado: Any) -> list[Discordancia]:
    fluxo = Fluxo(Catalogo.of([msgspec.convert(POLITICA, Politica)]))
    return list(compare(fluxo, [Caso("um caso", json.dumps(PEDIDO).encode(), esperado)]))


def test_an_outcome_that_was_worked_out_right_is_agreed_with() -> None:
    ajustes = [{"acao_tipo": "ANEXAR_DOCUMENTO", "valor_sugerido": "LAUDO_MEDICO"}]
    assert disagreements(decisao_final="PENDENTE_AJUSTES", motivos=["documentacao_pendente"], ajustes=ajustes, efeito="total") == []


def test_each_field_that_came_out_otherwise_is_named() -> None:
    found = disagreements(decisao_final="APROVADO", conforme=False, pendencias_documentais=[])
    named = [(each.caso, each.campo, each.esperado) for each in found]
    assert named == [("um caso", "decisao_final", "APROVADO"), ("um caso", "pendencias_documentais", [])]


def test_the_sample_is_met_whole() -> None:
    resultado = sample()
    assert resultado.discordancias == ()
    assert row_of(resultado).alcancada is True
    assert resultado.casos >= 30


def test_worked_cases_that_are_not_there_are_no_claim(tmp_path: Path) -> None:
    assert worked_cases(tmp_path / "exemplos.json") is None


def test_worked_cases_are_read_from_their_file(tmp_path: Path) -> None:
    arquivo = tmp_path / "exemplos.json"
    casos = [
        {"caso": "certo", "pedido": PEDIDO, "esperado": {"conforme": False}},
        {"caso": "errado", "pedido": PEDIDO, "esperado": {"conforme": True}},
    ]
    arquivo.write_text(json.dumps({"politicas": [POLITICA], "casos": casos}))
    resultado = worked_cases(arquivo)
    assert resultado is not None
    assert (resultado.casos, resultado.concordes, resultado.discordancias[0].caso) == (2, 1, "errado")


def test_a_set_without_cases_is_not_agreed_with() -> None:
    assert row_of(Resultado("vazio", 0, ())).alcancada is False
    assert generated_row(Contagem(0, 0, {}, [])).alcancada is False


def test_generated_cases_are_drawn_compared_and_counted() -> None:
    contagem = compare_generated(60, semente=5, processos=1)
    assert (contagem.casos, contagem.divergentes) == (60, 0)
    assert sum(contagem.decisoes.values()) == 60


def test_a_single_disagreement_fails_the_whole(tmp_path: Path) -> None:
    output, arquivo = io.StringIO(), tmp_path / "evals.json"
    console = Console(file=output, width=200)
    whole, broken = Resultado("inteiro", 2, ()), Resultado("partido", 2, (Discordancia("um caso", "conforme", True, False),))
    assert report(console, [whole], AGREED, arquivo) == 0
    assert report(console, [whole, broken], AGREED, arquivo) == 1
    assert report(console, [whole], Contagem(10, 1, {"APROVADO": 10}, [{"pedido": {}}]), arquivo) == 1
    assert "um caso: conforme devia ser True e é False" in output.getvalue()
    assert [linha["alcancada"] for linha in json.loads(arquivo.read_bytes())] == [True, False]


@pytest.mark.slow
def test_the_command_writes_its_rows_in_the_data_folder(tmp_path: Path, monkeypatch: Any, capsys: Any) -> None:
    monkeypatch.setenv("CRIVO_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("CRIVO_MODELO", "")  # whatever this machine has: a test pays for nothing
    monkeypatch.setattr("evals.avaliacao.plantados", lambda nome: plantados(nome)[:4] + plantados(nome)[-4:])  # all are in test_ataques
    long = {"conversas", "triagem", "ineditas", "lugares"}  # held to more in tests of their own
    code = main(["--casos", "20", "--so", *(TITULOS.keys() - long)])
    rows = {row["linha"]: row for row in json.loads((tmp_path / "evals.json").read_bytes())}
    missed = {name for name, row in rows.items() if row["alcancada"] is False}
    assert missed <= MISSED
    assert code == (1 if missed else 0)
    assert rows["pedidos sorteados × enunciado independente das regras"]["execucoes"] == 20
    for metrica in ("tsr", "tca", "hr", "pvr", "mcra", "plan_accuracy", "estado"):
        row = rows[f"clínicas, padrão, seis processos: {metrica}"]
        assert row["execucoes"] > 50
        assert "intervalo de " in row["nota"]
    assert {"verificador, novo: pegos", "verificador, novo: pegos por R1", "verificador, novo: alarmes falsos"} <= rows.keys()
    assert {"redação, segundo: retidos", "avaliação atacada: sinalizados"} <= rows.keys()
    assert rows["com um modelo de verdade"]["nota"].startswith("Não foi medido: nenhum modelo está configurado")
    assert "pedidos sorteados" in capsys.readouterr().out


def test_the_rows_of_sentences_to_whoever_grades_are_those_known_to_miss_their_aim() -> None:
    rows = {row.linha: row for row in instructing()}
    assert "frases a quem avalia, inéditas: encontradas" in rows
    assert {name for name, row in rows.items() if row.alcancada is False} <= MISSED


def test_a_figure_for_information_alone_fails_nothing_and_a_target_missed_does(tmp_path: Path) -> None:
    console = Console(file=io.StringIO())
    told = measured("só para saber", "textos", 1, 2, meta=None, execucoes=2)
    missed = measured("devia ser mais", "textos", 1, 2, meta=Meta(">=", 0.95), execucoes=2)
    assert report(console, [], AGREED, tmp_path / "a.json", {"Tabela": [told]}) == 0
    assert report(console, [], AGREED, tmp_path / "b.json", {"Tabela": [told, missed]}) == 1
