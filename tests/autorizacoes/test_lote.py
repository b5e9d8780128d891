"""A result for every line, in order, whatever the line holds."""

from __future__ import annotations

import io
import json
import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casos import HOJE, pedido, politica, regra
from crivo.autorizacoes.lote import MAX_LINE_BYTES, OVERLONG, DocumentoEmLinhas, LineReader, Rules, decide_line, run_lote

RULES = Rules((politica(regra()),), {}, HOJE)


def lote(raw: bytes, processos: int = 1) -> list[dict[str, Any]]:
    saida = io.BytesIO()
    run_lote(io.BytesIO(raw), saida, RULES, processos=processos)
    return [json.loads(line) for line in saida.getvalue().splitlines()]


def line(number: int) -> bytes:
    return json.dumps(pedido(pedido_id=f"P-{number}")).encode()


def test_each_line_is_decided_as_it_would_be_alone() -> None:
    found = lote(b"\n".join(line(number) for number in range(3)) + b"\n")
    assert [one["pedido_id"] for one in found] == ["P-0", "P-1", "P-2"]
    assert found[0] == json.loads(RULES.fluxo().decide(line(0), HOJE).decisao())


def test_a_malformed_line_is_a_result_with_its_number_and_the_rest_goes_on() -> None:
    found = lote(b"\n".join([line(1), b"{nada", b"", b"[]", b'{"beneficiario":[]}', line(6)]))
    assert [one.get("linha") for one in found] == [None, 2, 3, 4, 5, None]
    assert [one["erro"]["codigo"] for one in found[1:5]] == ["json_invalido", "linha_vazia", "pedido_ilegivel", "pedido_ilegivel"]
    assert found[4]["erro"]["problemas"][0]["caminho"] == "beneficiario"


def test_a_line_over_the_limit_is_told_and_skipped() -> None:
    long = b'{"pedido_id":"' + b"x" * (3 * MAX_LINE_BYTES) + b'"}'
    for raw in (line(1) + b"\n" + long + b"\n" + line(3), line(1) + b"\r\n" + long):
        found = lote(raw)
        assert found[1] == {
            "linha": 2,
            "erro": {"codigo": "linha_grande_demais", "mensagem": "A linha passa de 1.000.000 bytes.", "problemas": []},
        }
        assert [one.get("pedido_id") for one in (found[0], *found[2:])] == ["P-1", "P-3"][: len(found) - 1]


def test_lines_that_hold_no_pedido_leave_those_around_them_what_they_are_alone() -> None:
    wrong = {3: b"{", 64: b'{"beneficiario":[]}', 65: b"", 140: b'{"pedido_id":{}}', 249: b"[1]"}
    lines = [wrong.get(number, line(number)) for number in range(250)]
    alone = [decide_line(RULES.fluxo(), one, number, HOJE) for number, one in enumerate(lines, 1)]
    saida = io.BytesIO()
    totais = run_lote(io.BytesIO(b"\n".join(lines)), saida, RULES)
    assert saida.getvalue() == b"\n".join(alone) + b"\n"
    assert totais.por_resultado == {"APROVADO": 245, "erro": 5}


def test_processes_keep_the_order_and_change_nothing() -> None:
    raw = b"\n".join(line(number) if number % 7 else b"?" for number in range(2_500))
    assert lote(raw, processos=2) == lote(raw)


def test_an_empty_file_has_no_results() -> None:
    assert lote(b"") == []


def test_totals_count_lines_by_outcome() -> None:
    heard: list[tuple[int, int]] = []
    raw = b"\n".join([line(1), b"x", line(3), json.dumps(pedido(plano_id="")).encode()])
    totais = run_lote(io.BytesIO(raw), io.BytesIO(), RULES, on_progress=lambda size, lines: heard.append((size, lines)))
    assert (totais.linhas, dict(totais.por_resultado)) == (4, {"APROVADO": 2, "erro": 1, "PENDENTE_AJUSTES": 1})
    assert heard == [(len(raw), 4)]


class Repeated(io.RawIOBase):
    """One line again and again, without ever being held in memory."""

    def __init__(self, one: bytes, times: int) -> None:
        self.one, self.left = one + b"\n", times

    def readline(self, size: int | None = -1, /) -> bytes:
        self.left -= 1
        return self.one if self.left >= 0 else b""


class Nowhere(io.BytesIO):
    def write(self, data: Any, /) -> int:
        return len(data)


def peak(lines: int) -> int:
    tracemalloc.start()
    try:
        run_lote(Repeated(line(1), lines), Nowhere(), RULES)  # type: ignore[arg-type]
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_number_of_lines() -> None:
    peak(1_000)
    assert peak(12_000) < peak(3_000) * 1.2


@given(st.lists(st.binary(max_size=12).filter(lambda b: b"\n" not in b), max_size=8), st.integers(1, 9))
def test_a_stream_cut_anywhere_gives_the_same_lines(lines: list[bytes], size: int) -> None:
    raw = b"\n".join(lines)
    reader = LineReader()
    found = [one for at in range(0, len(raw), size) for one in reader.feed(raw[at : at + size])] + list(reader.finish())
    assert found == ([*lines[:-1], *([lines[-1]] if lines[-1] else [])] if lines else [])


def test_a_stream_with_an_endless_line_is_not_held() -> None:
    reader = LineReader()
    for _ in range(5):
        assert list(reader.feed(b"x" * MAX_LINE_BYTES)) == []
    assert list(reader.feed(b"x\nfim\n")) == [OVERLONG, b"fim"]


@pytest.mark.parametrize("raw", [b"{}", b"null", b"\xff", OVERLONG])
def test_a_result_is_one_line_of_json(raw: bytes | None) -> None:
    result = decide_line(RULES.fluxo(), raw, 9, HOJE)
    assert b"\n" not in result
    assert isinstance(json.loads(result), dict)


def test_rules_that_count_over_history_are_known_before_a_lote_begins() -> None:
    """Record 0076: a lote knows only the history that its pedidos tell, and whoever rehearses hears so."""
    assert not RULES.count_over_history
    assert Rules((politica(regra(limites=[{"quantidade": 2, "periodo_dias": 365}])),), {}, HOJE).count_over_history


@pytest.mark.parametrize("raw", [b'{\n  "pedido_id": "1"\n}\n', b'[\n  {"pedido_id": "1"}\n]\n'])
def test_one_document_over_many_lines_is_told_once_and_nothing_is_decided(raw: bytes) -> None:
    saida = io.BytesIO()
    with pytest.raises(DocumentoEmLinhas, match="um documento JSON só"):
        run_lote(io.BytesIO(raw), saida, Rules((), {}, HOJE))
    assert not saida.getvalue()
    assert run_lote(io.BytesIO(b'{\n{"pedido_id": "1"}\n'), saida, Rules((), {}, HOJE)).linhas == 2
