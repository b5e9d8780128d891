"""`crivo autorizacoes lote`: a result for every line, and a file that is whole or not there."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Terminal

Sample = Callable[[str], Path]


@pytest.fixture
def entrada(ruled: Terminal, sample: Sample) -> Path:
    """Four lines: two pedidos, one that is no JSON, one that is empty."""
    good = [json.dumps(json.loads(sample(beginning).read_bytes())) for beginning in ("01", "04")]
    return ruled.file("entrada.ndjson", f"{good[0]}\nlixo\n\n{good[1]}\n")


def _outcomes(text: str) -> list[str]:
    results = [json.loads(line) for line in text.splitlines()]
    return [result["erro"]["codigo"] if "erro" in result else result["decisao_final"] for result in results]


@pytest.mark.parametrize("processos", ["1", "2"])
def test_a_bad_line_is_a_result_too_and_the_order_is_kept(ruled: Terminal, entrada: Path, processos: str) -> None:
    """Interfaces: a result per line in order; a bad line is a result too."""
    saida = ruled.folder / "saida.ndjson"
    done = ruled.spawn("autorizacoes", "lote", entrada, "--saida", saida, "--processos", processos)
    assert done.returncode == 0
    assert _outcomes(saida.read_text(encoding="utf-8")) == ["APROVADO", "json_invalido", "linha_vazia", "APROVADO_PARCIAL"]
    assert done.stderr.decode().splitlines() == [
        "4 linhas lidas.",
        "  Aprovado: 1",
        "  Aprovado em parte: 1",
        "  Com erro: 2 (o resultado da linha diz qual)",
    ]


def test_lote_stores_nothing(ruled: Terminal, entrada: Path) -> None:
    ruled.run("autorizacoes", "lote", entrada, "--saida", ruled.folder / "saida.ndjson")
    assert json.loads(ruled.run("autorizacoes", "listar", "--json").stdout)["itens"] == []


def test_lote_goes_from_stdin_to_stdout(ruled: Terminal, entrada: Path) -> None:
    result = ruled.run("autorizacoes", "lote", "-", "--saida", "-", "--json", given=entrada.read_bytes())
    assert result.exit_code == 0
    assert len(_outcomes(result.stdout)) == 4
    assert result.stderr.startswith("4 linhas lidas.")


def test_the_totals_are_json_where_stdout_is_free(ruled: Terminal, entrada: Path) -> None:
    result = ruled.run("autorizacoes", "lote", entrada, "--saida", ruled.folder / "saida.ndjson", "--json")
    assert json.loads(result.stdout) == {"linhas": 4, "por_resultado": {"APROVADO": 1, "erro": 2, "APROVADO_PARCIAL": 1}}


def test_reading_and_writing_the_same_file_is_wrong_use(ruled: Terminal, entrada: Path) -> None:
    before = entrada.read_bytes()
    link = ruled.folder / "outro-nome.ndjson"
    link.symlink_to(entrada)
    for saida in (entrada, link):
        result = ruled.run("autorizacoes", "lote", entrada, "--saida", saida)
        assert result.exit_code == 2
        assert "A entrada e a saída são o mesmo arquivo" in result.stderr
    with entrada.open("rb") as given:
        done = subprocess.run(
            [sys.executable, "-m", "crivo", "autorizacoes", "lote", "-", "--saida", entrada],
            env=os.environ | ruled.environment,
            stdin=given,
            capture_output=True,
            check=False,
        )
    assert done.returncode == 2
    assert entrada.read_bytes() == before


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_told(ruled: Terminal, entrada: Path) -> None:
    result = ruled.run("autorizacoes", "lote", entrada, "--saida", "/dev/full")
    assert result.exit_code == 1
    assert "O arquivo /dev/full não coube: o disco está cheio" in result.stderr
    with Path("/dev/full").open("wb") as full:
        done = ruled.spawn("autorizacoes", "lote", entrada, "--saida", "-", stdout=full.fileno())
    assert done.returncode == 1
    assert "A saída padrão não coube: o disco está cheio" in done.stderr.decode()


def test_a_reader_that_had_enough_is_no_error(ruled: Terminal, entrada: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    done = ruled.spawn("autorizacoes", "lote", entrada, "--saida", "-", stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, b"")


def test_an_output_that_cannot_be_leaves_nothing_behind(ruled: Terminal, entrada: Path) -> None:
    result = ruled.run("autorizacoes", "lote", entrada, "--saida", ruled.folder / "sem" / "pasta.ndjson")
    assert result.exit_code == 1
    assert "não existe; crie-a antes" in result.stderr
    assert ruled.run("autorizacoes", "lote", "sumiu", "--saida", ruled.folder / "s").stderr.endswith("O arquivo sumiu não existe.\n")
    assert not list(ruled.folder.glob(".*parcial"))


def test_an_interrupted_lote_leaves_the_earlier_output_as_it_was(ruled: Terminal, entrada: Path) -> None:
    saida = ruled.file("saida.ndjson", "de antes")
    first = entrada.read_bytes().splitlines(keepends=True)[0]
    lote = subprocess.Popen(
        [sys.executable, "-m", "crivo", "autorizacoes", "lote", "-", "--saida", saida, "--processos", "2"],
        env=os.environ | ruled.environment,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert lote.stdin is not None
    lote.stdin.write(first * 5000)
    lote.stdin.flush()
    deadline = time.monotonic() + 60
    while not list(ruled.folder.glob(".saida*parcial")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(lote.pid, signal.SIGINT)
    _, told = lote.communicate(timeout=60)
    assert lote.returncode == 130
    assert told.decode().split() == ["Interrompido."]
    assert saida.read_text(encoding="utf-8") == "de antes"
    assert not list(ruled.folder.glob(".*parcial"))


def test_a_new_output_takes_the_place_of_the_earlier_one(ruled: Terminal, entrada: Path) -> None:
    saida = ruled.file("saida.ndjson", "de antes")
    assert ruled.run("autorizacoes", "lote", entrada, "--saida", saida).exit_code == 0
    assert len(_outcomes(saida.read_text(encoding="utf-8"))) == 4
