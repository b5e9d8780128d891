"""What a screening would take, as figures of a page."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from crivo.triagem.custeio import Estimativa
from crivo.web.pages.triagem.numeros import estimate_figures

TOKENS = "Pedaços de palavra (tokens)"


def estimated(**other: Any) -> dict[str, tuple[str, str]]:
    values: dict[str, Any] = {
        "edital_id": "ED-1",
        "tipo": "completa",
        "projetos": 3,
        "projetos_inalterados": 0,
        "documentos": 3,
        "documentos_por_ler": 0,
        "paginas_lidas": 3,
        "modelo": "openai:um",
        "simulado": False,
        "chamadas": 6,
        "tokens_entrada": 12_000,
        "tokens_saida": 300,
        "custo": Decimal("0.02"),
        "sem_modelo": False,
        "gasto_no_mes": Decimal(0),
        "limite_custo": None,
    }
    return {name: (value, detail) for name, value, detail in estimate_figures(Estimativa(**(values | other)))}


def test_what_a_model_reads_and_writes_is_said_in_plain_words() -> None:
    assert estimated()[TOKENS] == ("12.000", "lidos pelo modelo, e 300 escritos; é por eles que se paga")


def test_where_nothing_is_paid_for_nothing_is_said_of_it() -> None:
    assert TOKENS not in estimated(simulado=True)
    assert TOKENS not in estimated(modelo="", sem_modelo=True, chamadas=0, tokens_entrada=0, tokens_saida=0)


def test_where_the_provider_takes_lotes_both_prices_are_told() -> None:
    told = estimated(em_lote=True, custo_em_lote=Decimal("0.01"))
    assert (told["Custo estimado"][0], told["Custo em lote"]) == ("US$ 0,0200", ("US$ 0,0100", "no máximo, em até 24 horas"))
    assert "Custo em lote" not in estimated()
