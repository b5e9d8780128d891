"""A model writes and gives a second opinion: what of its words reaches the person, and what it may hold back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from atendimento_por_modelo import CARLA, Answers, Said, attending, in_turn, planning, reception, step
from crivo.clinicas.orquestrador.contracts import Papel
from crivo.clinicas.orquestrador.linha import Prazos
from crivo.clinicas.orquestrador.trace import Asked, Judged, ModelFailed
from crivo.kernel.llm.port import Falha, Question, Reply, T
from crivo.kernel.tenancy import Scope
from crivo.web.pages.clinicas.vista import happening

BOTH = planning(step("clinic_a", "list_available_slots"), step("clinic_c", "list_available_slots"))
BOOK = planning(step("clinic_c", "book_appointment", doctor="Dr. Heitor Guimarães", date="2028-09-15", time="16:00"))
WANTS, CHOOSES = "quero um cardiologista", "pode ser com o Dr. Heitor dia 15 às 16h"


def bent(change: Any) -> Answers:
    """What a good responder writes, changed."""
    return lambda question: {"texto": change(reception(question)["texto"])}


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda texto: f"{texto}\nAté lá, tome dipirona 500 mg.", "R1"),
        (lambda texto: f"{texto}\nQuem tem CPF 111.444.777-35 desistiu.", "R2"),
        (lambda texto: f"{texto}\nIsso deve ser um infarto.", "R3"),
        (lambda texto: f"{texto}\nHá também sábado, 16/09, às 11:00, com o Dr. Heitor Guimarães, na Clínica C.", "R4"),
        (lambda texto: texto.replace("16:00", "16:30"), "texto_recusado"),
        (lambda texto: texto.replace("1) ", "2) ", 1), "texto_recusado"),
        (lambda texto: "\n".join(texto.splitlines()[:-1]), "texto_recusado"),
        (lambda texto: texto.replace(" (o mais cedo)", ""), "texto_recusado"),
        (lambda texto: "We have these openings and you can choose which of them you would like to book with the doctor.", "texto_recusado"),
        (lambda texto: "Não encontrei horários.", "texto_recusado"),
        (lambda texto: " ", "texto_recusado"),
    ],
)
async def test_words_that_do_not_hold_are_replaced_by_the_embedded_responders(change: Any, why: str) -> None:
    """Blueprint 2.3.2/6, Blueprint 2.3.3/2, Blueprint 2.3.3/3: every slot, in order, in the person's language, nothing made up."""
    visit = attending(BOTH, bent(change))
    trace = await visit.say(WANTS)
    assert trace.autor == "embutido"
    assert "Sexta-feira, 22/09\n10) 15:30" in trace.texto
    told = [*trace.verdict.regras, *(failed.falha for failed in trace.falhas)]
    assert why in told


async def test_a_line_that_tells_another_slots_number_is_not_said() -> None:
    """The second line is the second slot, else `o segundo` would book another."""

    def swapped(texto: str) -> str:
        first, *lines = texto.splitlines()
        lines[1], lines[2] = lines[2].replace("3)", "2)"), lines[1].replace("2)", "3)")
        return "\n".join([first, *lines])

    visit = attending(BOTH, bent(swapped))
    trace = await visit.say(WANTS)
    assert ModelFailed("responder", "texto_recusado") in trace.falhas
    assert "\n2) 14:00" in trace.texto


async def test_a_text_that_was_faulty_may_be_written_once_more() -> None:
    visit = attending(BOTH)
    good: list[dict[str, Any]] = []

    def second_time(question: Question[Any]) -> Said:
        good.append(reception(question))
        return good[-1] if len(good) > 1 else {"texto": "Não encontrei horários."}

    visit = attending(BOTH, second_time)
    trace = await visit.say(WANTS)
    assert (len(good), trace.autor, trace.texto) == (2, "modelo", good[0]["texto"])


async def test_a_model_is_told_what_its_words_may_not_say_and_may_mend_them() -> None:
    """Issue "With a real model": faults are told once, R1 to R4 too; nothing unverified is shown."""
    said: list[str | None] = []

    def second_time(question: Question[Any]) -> Said:
        good = reception(question)["texto"]
        texto = good if said else f"{good}\nVou mandar um lembrete na véspera."
        assert question.conferir is not None
        said.append(question.conferir(question.resposta(texto)))
        return {"texto": texto}

    visit = attending(BOTH, second_time)
    trace = await visit.say(WANTS)
    assert (trace.autor, said[1]) == ("modelo", None)
    assert "lembrete, aviso ou contato depois" in str(said[0])
    assert "lembrete" not in trace.texto


@pytest.mark.parametrize("falha", ["fora_do_ar", "demorou", "ilegivel", "fora_do_formato"])
async def test_without_a_responder_the_embedded_one_writes_in_the_same_turn(falha: Falha) -> None:
    """Design, Responder."""
    visit = attending(in_turn(BOTH, BOOK), falha)
    for said, told in ((WANTS, "Sexta-feira, 22/09\n10)"), (CHOOSES, "está marcada")):
        trace = await visit.say(said)
        assert told in trace.texto
        assert trace.autor == "embutido"
        assert trace.falhas == (ModelFailed("responder", falha),)
    assert len(visit.held()) == 1


async def test_code_writes_what_is_asked_and_refused_and_the_records_of_patients() -> None:
    """Issue: each agent is given only what it may see."""
    visit = attending({"pergunta": "especialidade"})
    assert "especialidade" in (await visit.say("quero marcar uma consulta")).texto
    operator = attending(planning(step("clinic_a", "list_patients")), papel="operador")
    trace = await operator.say("lista os pacientes da clínica A")
    assert [one.action for one in trace.plan.steps] == ["list_patients"]
    for one in (visit, operator):
        assert one.asked("responder") == one.asked("verifier") == []


async def test_a_second_opinion_may_hold_back_what_passed_the_rules() -> None:
    """Blueprint 2.3.2/5: a model's opinion has `safe` and the rules; the note is the code's."""
    visit = attending(BOTH, verifier=in_turn({"safe": False, "regras": ["R3"]}, {"safe": True}))
    trace = await visit.say(WANTS)
    assert trace.autor == "embutido"
    assert Judged("texto", trace.verdict, "modelo", "modelo") in visit.events
    assert (trace.verdict.safe, trace.verdict.regras) == (False, ("R3",))
    assert trace.verdict.note == "R3: retido pela segunda opinião do modelo."


@pytest.mark.parametrize("papel", ["paciente", "operador"])
async def test_where_a_second_opinion_holds_back_everything_what_is_said_is_true_of_any_turn(papel: Papel) -> None:
    visit = attending(in_turn(BOTH, BOOK), verifier={"safe": False, "regras": ["R2"]}, papel=papel)
    assert (await visit.say(WANTS)).autor == "frase_segura"
    trace = await visit.say(CHOOSES)
    assert trace.texto.startswith("O pedido foi feito")
    assert "sua" not in trace.texto


async def test_a_second_opinion_lifts_no_block() -> None:
    """Design, Verifier: never overrule a block."""
    visit = attending(BOTH, bent(lambda texto: f"{texto}\nIsso deve ser um infarto."), {"safe": True})
    trace = await visit.say(WANTS)
    assert trace.autor == "embutido"
    assert "R3" in trace.verdict.regras
    assert len(visit.asked("verifier")) == 1  # of the embedded text alone: what code blocked is not even asked about


async def test_a_second_opinion_holds_back_the_free_text_of_a_clinic_and_its_slots_stay() -> None:
    def wary(question: Question[Any]) -> Said:
        return {"safe": "recado" not in str(question.partes), "regras": ["R1"]}

    visit = attending(BOTH, verifier=wary)
    visit.transport.note = "Traga o aparelho de pressão."
    trace = await visit.say(WANTS)
    assert "Traga" not in str(visit.asked("responder")[0].partes)
    assert trace.autor == "modelo"
    assert "10) 22/09 às 15:30" in trace.texto


@pytest.mark.parametrize("falha", ["fora_do_ar", "demorou", "fora_do_formato"])
async def test_a_second_opinion_that_fails_changes_nothing(falha: Falha) -> None:
    visit, plain = attending(BOTH, verifier=falha), attending(BOTH)
    trace, same = await visit.say(WANTS), await plain.say(WANTS)
    assert (trace.texto, trace.autor, trace.verdict) == (same.texto, "modelo", same.verdict)
    assert {failed.agente for failed in trace.falhas} == {"verifier"}


async def test_a_second_opinion_that_names_no_rule_changes_nothing() -> None:
    trace = await attending(BOTH, verifier={"safe": False, "regras": []}).say(WANTS)
    assert (trace.autor, trace.verdict.safe) == ("modelo", True)


async def test_a_conversation_may_do_without_a_second_opinion() -> None:
    visit = attending(BOTH)
    visit.segunda_opiniao = False
    await visit.say(WANTS)
    assert visit.asked("verifier") == []


class Hangs:
    """A model that never answers."""

    nome = "falso:mudo"
    simulado = False

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        await asyncio.Event().wait()
        raise AssertionError


async def test_a_model_that_hangs_is_given_up_and_the_turn_ends_as_it_should() -> None:
    """Design, Planner: the turn waits for each part of a model for so long, and no longer."""
    visit = attending(modelo=Hangs(), prazos=Prazos(0.01, 0.01, 0.01))
    await visit.say(WANTS)
    trace = await visit.say(CHOOSES)
    assert visit.held() == {("clinic_c", "Dr. Heitor Guimarães", "2028-09-15", "16:00")}
    assert {(failed.agente, failed.falha) for failed in trace.falhas} == {
        ("planner", "demorou"),
        ("responder", "demorou"),
        ("verifier", "demorou"),
    }
    assert trace.texto.startswith(f"Pronto, {CARLA.nome.split()[0]}")


async def test_a_second_opinion_that_contradicts_itself_is_told_once() -> None:
    visit = attending(BOTH, verifier=in_turn({"safe": True, "regras": ["R3"]}, {"safe": False, "regras": ["R3"]}, {"safe": True}))
    trace = await visit.say(WANTS)
    assert (trace.autor, trace.verdict.regras) == ("embutido", ("R3",))


async def test_whoever_waits_is_told_when_a_model_is_asked_for_a_part() -> None:
    visit = attending(BOTH)
    await visit.say(WANTS)
    told = [happening(event, visit.dialogue.registro) for event in visit.events]
    said = [one for one in told if one]
    assert said[0] == "Lendo o que você escreveu…"
    assert said[-4:] == [
        "Conferindo o que as clínicas responderam…",
        "Preparando a sua resposta…",
        "Escrevendo a sua resposta…",
        "Conferindo a resposta…",
    ]
    await visit.say("tem de tarde?", "embutido")
    assert not any(isinstance(event, Asked) for event in visit.events)
