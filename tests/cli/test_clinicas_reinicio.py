from __future__ import annotations

import pytest

from crivo.cli.clinicas import show_restart
from crivo.clinicas.clinica.supervisor import Reason, Restart
from crivo.clinicas.registro import REGISTRO_PADRAO


@pytest.mark.parametrize(("reason", "why"), [("sem_resposta", "deixou de responder"), ("terminou", "caiu")])
def test_a_clinic_that_comes_back_is_said_on_screen_with_the_reason(capsys: pytest.CaptureFixture[str], reason: Reason, why: str) -> None:
    show_restart(Restart(REGISTRO_PADRAO.clinics[2], reason, 0.2))
    shown = capsys.readouterr()
    assert " ".join(shown.err.split()) == f"A Clínica C {why} e está voltando; o resto continua no ar."
    assert shown.out == ""
