"""The tortures of clinics, over real processes, in numbers small enough for a test."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from bench.clinicas import agenda, order_of, silo_of
from bench.torture.disputa import CLIENTES, HORARIOS, Disputa, dispute, score
from bench.torture.relato import show
from bench.torture.remarcacoes import PESSOAS, Pessoa, Remarcacoes, interrupt
from rich.console import Console

OTHERS = CLIENTES // HORARIOS
WON = {"isError": False, "status": "confirmed"}
TOLD = {"isError": True, "codigo": "horario_ocupado"}


def test_sixty_four_clients_for_eight_slots_over_two_processes_book_each_once(tmp_path: Path) -> None:
    told: list[int] = []
    contas = dispute(tmp_path, rodadas=5, on_round=lambda so_far: told.append(so_far.rodadas))
    assert contas.whole
    assert (contas.rodadas, contas.marcadas, contas.avisados) == (5, 5 * HORARIOS, 5 * (CLIENTES - HORARIOS))
    assert told == []  # it tells of every hundredth


@pytest.mark.slow
def test_a_kill_in_the_middle_of_reschedules_leaves_both_slots_or_none(tmp_path: Path) -> None:
    contas = interrupt(tmp_path, quedas=4, semente=3)
    assert contas.whole
    assert contas.quedas == 4
    silo = silo_of(order_of(tmp_path, ()))
    assert sum(not slot.available for slot in silo.all_slots()) == PESSOAS
    silo.close()


def test_a_round_that_went_as_it_should_is_whole() -> None:
    contas = Disputa()
    score(contas, ([WON] + [TOLD] * (OTHERS - 1)) * HORARIOS)
    assert contas.whole


@pytest.mark.parametrize(
    ("first_eight", "fault"),
    [
        ([WON, WON] + [TOLD] * (OTHERS - 2), "em_dobro"),
        ([TOLD] * OTHERS, "sem_dono"),
        ([WON, {"isError": True, "codigo": "data_invalida"}] + [TOLD] * (OTHERS - 2), "mal_avisados"),
    ],
)
def test_a_slot_that_two_have_or_nobody_and_a_loser_told_wrongly_are_found_out(first_eight: list[dict[str, object]], fault: str) -> None:
    contas = Disputa()
    score(contas, first_eight + ([WON] + [TOLD] * (OTHERS - 1)) * (HORARIOS - 1))
    assert getattr(contas, fault) == 1
    assert not contas.whole


def test_slots_that_stay_taken_break_the_whole() -> None:
    assert Disputa(rodadas=1, pedidos=64, marcadas=8, avisados=56).whole
    assert not Disputa(rodadas=1, pedidos=64, marcadas=8, avisados=56, presos=1).whole
    assert not Disputa().whole


@pytest.mark.parametrize(
    ("held", "fault"),
    [((), "sem_horario"), ((0, 1), "com_dois"), ((1,), "desfeitas")],
)
def test_somebody_without_a_slot_or_with_two_or_moved_back_is_found_out(held: tuple[int, ...], fault: str) -> None:
    slots = agenda(2)
    pessoa, contas = Pessoa(1, (slots[0], slots[1]), at=0), Remarcacoes(remarcadas=9, sem_resposta=1)
    pessoa.reckon(frozenset((slots[which].date, slots[which].time) for which in held), contas)
    assert getattr(contas, fault) == 1
    assert not contas.whole


def test_a_move_that_was_never_answered_may_be_done_or_not() -> None:
    slots = agenda(2)
    for done in (0, 1):
        pessoa, contas = Pessoa(1, (slots[0], slots[1]), at=0, bound=1), Remarcacoes(remarcadas=9, sem_resposta=1)
        pessoa.reckon(frozenset({(slots[done].date, slots[done].time)}), contas)
        assert contas.whole
        assert contas.sem_resposta_feitas == done
        assert (pessoa.at, pessoa.bound) == (done, None)


def test_kills_between_moves_prove_nothing() -> None:
    assert not Remarcacoes(quedas=3, remarcadas=9).whole
    assert Remarcacoes(quedas=3, remarcadas=9, sem_resposta=2).whole


@pytest.mark.parametrize(("contas", "said"), [(Disputa(em_dobro=3), "mais de um"), (Remarcacoes(com_dois=3), "com os dois")])
def test_the_counts_are_told_with_their_faults(contas: Disputa | Remarcacoes, said: str) -> None:
    output = io.StringIO()
    show(Console(file=output, width=120), contas)
    (line,) = [line for line in output.getvalue().splitlines() if said in line]
    assert line.split()[-1] == "3"
