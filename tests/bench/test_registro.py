"""What is recorded before and after a change is the same each time, and two records tell where they differ."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from evals.mensagens import draw_messages
from evals.registro import compare, emergencias

_DOCTORS = ("Dra. Olívia Tanaka", "Dr. Bruno Vasques")


def test_the_same_seed_draws_the_same_messages() -> None:
    assert list(draw_messages(200, 3, _DOCTORS)) == list(draw_messages(200, 3, _DOCTORS))
    assert list(draw_messages(200, 3, _DOCTORS)) != list(draw_messages(200, 4, _DOCTORS))


def test_no_slot_of_a_message_is_left_open() -> None:
    assert not [texto for texto in draw_messages(2_000, 1, _DOCTORS) if "{" in texto or "}" in texto]


def test_a_record_is_the_same_each_time_and_leaves_out_what_judges_unseen() -> None:
    assert list(islice(emergencias(), 50)) == list(islice(emergencias(), 50))
    assert not [nome for nome, _ in islice(emergencias(), 50) if "fora" in nome.partition(":")[0]]


def test_two_records_tell_what_differs_and_where(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for nome, plano in (("antes", '["oi",{"dia":"2028-09-12"}]\n["sim",{}]'), ("depois", '["oi",{"dia":"2028-09-13"}]\n["sim",{}]')):
        (tmp_path / nome).mkdir()
        (tmp_path / nome / "mensagens_0.jsonl").write_text(plano, encoding="utf-8")
    assert compare(tmp_path / "antes", tmp_path / "antes") == 0
    assert compare(tmp_path / "antes", tmp_path / "depois") == 1
    assert '.dia: "2028-09-12" → "2028-09-13"' in capsys.readouterr().out
