"""What commands ask of whoever is at the terminal."""

from __future__ import annotations

import io

import pytest

from crivo.cli.saida import asked


@pytest.mark.parametrize(
    ("typed", "yes"),
    [
        ("s\n", True),
        ("SIM\n", True),
        ("y\n", True),
        ("n\n", False),
        ("Não\n", False),
        ("\n", False),
        ("", False),
        ("s", True),
        ("talvez\ns\n", True),
    ],
)
def test_a_question_is_answered_in_portuguese_and_by_nothing_else_than_yes_with_yes(
    typed: str, yes: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert asked("Publicar e encerrar?") is yes
    told = capsys.readouterr().err
    assert told.startswith("Publicar e encerrar? [s/N] ")
    assert ("Responda s" in told) is typed.startswith("talvez")


def test_ctrl_c_at_a_question_is_no(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: int = -1) -> str:
        raise KeyboardInterrupt

    typed = io.StringIO()
    monkeypatch.setattr(typed, "readline", interrupted)
    monkeypatch.setattr("sys.stdin", typed)
    assert asked("Publicar e encerrar?") is False
