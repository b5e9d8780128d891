"""Recorded replies of models as the reception: honest ones reach the person, and what no clinic said does not."""

from __future__ import annotations

import json

import pytest
from evals.gravado.clinicas import GRAVADAS, HONESTAS, RETIDAS, Contagem, rows, score
from evals.recepcao_pesos import CORPUS, MAOS

from crivo.clinicas.orquestrador.confere.avaliacao import AGORA

BOOKED = {
    "clinic": "clinic_c",
    "action": "book_appointment",
    "result": {
        "appointment": {"doctor": "Dra. Kátia Bueno", "date": "2025-07-17", "time": "17:30", "specialty": "Cardiology"},
        "message": "Consulta agendada com sucesso.",
        "status": "confirmed",
    },
    "error": None,
}
DADOS = {"user_query": "a 2", "idioma": "pt", "papel": "paciente", "clinic_data": [BOOKED], "horarios": []}
TOLD = "Sua consulta com a Dra. Kátia Bueno está marcada para 17/07, às 17:30, na Clínica C."


def test_the_recorded_half_is_taken_and_held_as_aimed_at() -> None:
    """Issue "With a real model": honest ≥ 97 % at first look, wrong ≥ 85 %."""
    linhas = rows()
    if not linhas:
        pytest.skip("the recorded replies are not here")
    assert [linha.alcancada for linha in linhas] == [True, True]
    assert score(json.loads(GRAVADAS.read_bytes())).recusadas_por_engano == ("modelo-507",)  # it says what to bring, which no clinic said


@pytest.mark.parametrize("mao", MAOS)
def test_the_replies_that_were_mended_upon_stay_mended(mao: str) -> None:
    found = score(json.loads((CORPUS / f"{mao}.json").read_bytes()), AGORA)
    assert (found.recusadas_por_engano, found.passaram) == ((), ())


def test_replies_are_counted_by_what_became_of_them() -> None:
    honest = {"id": "1", **DADOS, "texto": TOLD, "leitura": "honesta, outra maneira", "tipo": None}
    wrong = {"id": "2", **DADOS, "texto": f"{TOLD} Custa R$ 200.", "leitura": "errada de propósito", "tipo": "preço inventado"}
    as_shown = {"id": "3", "dados": f"<dado N>\n{json.dumps(DADOS)}\n</dado N>", "texto": "Nada.", "leitura": "honesta", "tipo": None}
    found = score([honest, wrong, as_shown], AGORA)
    assert found == Contagem(2, 1, 1, 1, ("3",), (), {"fala, sem dado que sustente, de cobrança, preço ou pagamento": 1})
    assert HONESTAS.valor > RETIDAS.valor
