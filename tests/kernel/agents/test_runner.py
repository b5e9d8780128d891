"""Agents run in order, and each sees only what its contract names."""

from __future__ import annotations

from itertools import count

import msgspec
import pytest

from crivo.kernel.agents.contract import AgentContract, Author, Budget, ModelSettings, field_paths
from crivo.kernel.agents.runner import Pipeline, Stage


class Parte(msgspec.Struct, frozen=True):
    texto: str = ""
    nota: int = 0


class Resposta(msgspec.Struct, frozen=True):
    valor: int
    partes: tuple[Parte, ...] = ()
    parte: Parte | None = None


def contract(stage: str, *sees: str, model_writes: tuple[str, ...] = ()) -> AgentContract:
    return AgentContract(
        name=f"teste.{stage}",
        stage=stage,
        tarefa="",
        source="",
        package="crivo.autorizacoes",
        sees=sees,
        output=Resposta,
        model=ModelSettings("m", 0.5),
        budget=Budget(1, 1),
        model_writes=model_writes,
    )


def test_each_stage_gets_the_answers_it_may_see_and_nothing_else() -> None:
    """PRD 1.3.5: visibilidade da resposta."""
    seen: list[tuple[object, ...]] = []

    def note(*answers: object) -> Resposta:
        seen.append(answers)
        return Resposta(len(seen))

    Pipeline(
        "pedido", (Stage(contract("a", "pedido"), note), Stage(contract("b", "a"), note), Stage(contract("c", "pedido", "b"), note))
    ).run("P")
    assert seen == [("P",), (Resposta(1),), ("P", Resposta(2))]


def test_a_stage_cannot_see_what_no_earlier_one_answers() -> None:
    """PRD 1.3.6: regras de transição."""
    with pytest.raises(ValueError, match=r"teste\.a would see"):
        Pipeline("pedido", (Stage(contract("a", "b"), Resposta), Stage(contract("b", "pedido"), Resposta)))


def test_a_stage_whose_condition_does_not_hold_is_recorded_as_not_run() -> None:
    """PRD 5.3.1: mecanismo de acionamento."""
    stages = (
        Stage(contract("a", "pedido"), lambda pedido: Resposta(pedido)),
        Stage(contract("b", "a"), lambda a: Resposta(9), when=lambda a: a.valor > 5),
    )
    assert Pipeline("pedido", stages).run(1).answers["b"] is None
    assert Pipeline("pedido", stages).run(6).answers["b"] == Resposta(9)


def test_many_are_answered_stage_by_stage_as_each_is_alone() -> None:
    stages = (
        Stage(contract("a", "pedido"), lambda pedido: Resposta(pedido)),
        Stage(contract("b", "a"), lambda a: Resposta(9), when=lambda a: a.valor > 5),
        Stage(contract("c", "a", "b"), lambda a, b: Resposta(a.valor + (b.valor if b else 0))),
    )
    pipeline = Pipeline("pedido", stages)
    many = pipeline.run_each([1, 6, 7])
    assert [{stage: many[stage][at] for stage in many} for at in range(3)] == [pipeline.run(given).answers for given in (1, 6, 7)]
    assert pipeline.run_each([])["c"] == []


def test_time_is_kept_for_each_stage_in_microseconds() -> None:
    ticks = count(0, 5_000)
    stages = tuple(Stage(contract(name, "pedido"), lambda pedido: Resposta(0)) for name in "ab")
    assert Pipeline("pedido", stages, ticks=lambda: next(ticks)).run(0).tempos_us == {"a": 5, "b": 5}


def test_an_agent_cannot_be_given_a_field_it_does_not_answer() -> None:
    with pytest.raises(ValueError, match=r"no such field to write: partes\.cor"):
        contract("a", "pedido", model_writes=("partes.cor",))


def test_fields_inside_lists_and_optional_objects_have_paths() -> None:
    assert list(field_paths(Resposta)) == ["valor", "partes.texto", "partes.nota", "parte.texto", "parte.nota"]


def test_authors_are_told_field_by_field_where_a_model_may_write() -> None:
    assert contract("a", "pedido", model_writes=("partes.texto",)).authors() == {
        "valor": (Author.CODE,),
        "partes.texto": (Author.CODE, Author.MODEL),
        "partes.nota": (Author.CODE,),
        "parte": (Author.CODE,),
    }
