"""An execução in words: a run that is done, and not whole, says so and what its button does."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from uuid import UUID

import msgspec
import pytest

from crivo.triagem.achados import Status
from crivo.triagem.andamento import Execucao, NoLote
from crivo.web.pages.triagem.andamento import AndamentoVista

QUANDO = datetime(2026, 11, 28, tzinfo=UTC)


def execucao(status: Status, notas: int = 0, habilitacoes: int = 0) -> Execucao:
    return Execucao(
        id=UUID(int=1),
        edital_id="ED-1",
        tipo="completa",
        status=status,
        fase=None,
        fases=(),
        total_projetos=40,
        projetos_analisados=40,
        projetos_com_erro=0,
        reaproveitados=0,
        irregularidades_reaproveitadas=False,
        custo=Decimal(0),
        chamadas_sem_preco=0,
        notas_sem_resposta=notas,
        habilitacoes_incompletas=habilitacoes,
        segundos_restantes=None,
        erro_mensagem=None,
        iniciada_por="cli",
        executado_por=None,
        created_at=QUANDO,
        concluida_em=QUANDO,
    )


def test_a_run_with_no_good_answer_for_some_says_how_many_and_that_the_button_asks_those_again() -> None:
    vista = AndamentoVista.of(execucao("concluida", notas=3, habilitacoes=1))
    assert vista.pode_retomar
    assert vista.retomar == "Perguntar de novo ao modelo o que ficou sem resposta (4)"
    assert "3 notas ficaram sem uma boa resposta" in vista.avisos[0]
    assert "Dá para perguntar só isso de novo" in vista.avisos[0]


@pytest.mark.parametrize(("status", "pode"), [("concluida", False), ("cancelada", True), ("erro", True), ("em_andamento", False)])
def test_what_is_whole_has_nothing_to_ask_and_what_stopped_goes_on(status: Status, pode: bool) -> None:
    vista = AndamentoVista.of(execucao(status))
    assert (vista.pode_retomar, vista.avisos) == (pode, ())
    if status in ("cancelada", "erro"):
        assert vista.retomar == "Retomar de onde parou"


def test_while_it_runs_it_says_that_there_will_be_something_to_ask_again() -> None:
    vista = AndamentoVista.of(execucao("em_andamento", notas=1))
    assert not vista.pode_retomar
    assert "Quando ela terminar" in vista.avisos[0]


def test_what_is_in_a_lote_waits_for_the_provider_and_says_since_when_and_until_when() -> None:
    lote = NoLote(1, 1, 120, 40, 0, QUANDO)
    under_way = msgspec.structs.replace(execucao("em_andamento"), fase="leitura", lote=lote)
    assert AndamentoVista.of(under_way).agora == (
        "Em lote: enviado em 27/11/2026 21:00, aguardando o provedor (40 de 120 perguntas respondidas). "
        "A resposta vem até 28/11/2026 21:00."
    )
    preparing = msgspec.structs.replace(under_way, lote=msgspec.structs.replace(lote, perguntas=0, respondidas=0, enviado_em=None))
    assert AndamentoVista.of(preparing).agora == "Em lote: preparando o que será enviado ao provedor."
    back = msgspec.structs.replace(under_way, lote=msgspec.structs.replace(lote, abertos=0))
    assert AndamentoVista.of(back).agora == "Agora: leitura dos documentos"
