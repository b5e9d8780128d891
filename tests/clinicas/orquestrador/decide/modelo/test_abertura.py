"""Who plans is chosen when a conversation begins: by the installation, or by whoever begins it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from atendimento_por_modelo import planning, step
from cenario import MORNING
from crivo.clinicas.conversas import open_conversas
from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.decide.modelo.planejador import ModelPlanner
from crivo.clinicas.orquestrador.linha import Linha, waits
from crivo.clinicas.service import Clinicas, PlanejadorSemModelo
from crivo.kernel.llm.port import ModeloIndisponivel, Question, Reply, T
from crivo.kernel.settings import Planejador
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.tenancy import Scope
from federacao import ANA, registry_on_free_ports
from modelo_falso import ModeloFalso
from sujeitos import as_program

KEY = as_program("prefeitura", "chave:a")
LISTS = planning(step("clinic_a", "list_available_slots"), step("clinic_c", "list_available_slots"))


class Notes(ModeloFalso):
    """Answers with a listing, and notes for whom and what it was asked."""

    def __init__(self) -> None:
        super().__init__(lambda question: {**LISTS, "raciocinio": ["Listar."]})
        self.paid: list[tuple[Scope, str, str]] = []

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        self.paid.append((scope, origem, question.agente))
        return await super().ask(scope, question, origem)


@pytest.fixture
def modelo() -> Notes:
    return Notes()


def clinics(folder: Path, **fields: Any) -> Clinicas:
    """Clinics of which none is up: what is planned is all that matters."""
    return Clinicas(folder, MORNING, cadastro=registry_on_free_ports(), **fields)


async def test_calls_are_paid_by_whoever_speaks_and_named_after_the_conversation(tmp_path: Path, modelo: Notes) -> None:
    async with open_conversas(clinics(tmp_path, modelo=modelo, planejador="modelo")) as conversas:
        conversa = await conversas.open(KEY, "paciente", ANA)
        turno = await conversa.ask("quero um cardiologista")
        assert modelo.paid == [(KEY, f"conversa:{conversa.id.hex}", "clinicas.planner")]
        assert turno.passos is not None
        assert (turno.passos.planejador, turno.passos.falhas) == ("modelo", ())


@pytest.mark.parametrize(
    ("installed", "asked", "agentes"),
    [
        ("modelo", "embutido", []),
        ("embutido", None, []),
        ("embutido", "modelo", ["clinicas.planner"]),
        ("modelo", "modelo_raciocinio", ["clinicas.planner_raciocinio"]),
    ],
)
async def test_whoever_begins_a_conversation_may_choose_who_plans(
    tmp_path: Path, modelo: Notes, installed: Planejador, asked: Planejador | None, agentes: list[str]
) -> None:
    """Issue: switched at run time."""
    async with open_conversas(clinics(tmp_path, modelo=modelo, planejador=installed)) as conversas:
        await (await conversas.open(KEY, "paciente", ANA, asked)).ask("quero um cardiologista")
    assert [agente for _, _, agente in modelo.paid] == agentes


async def test_a_model_that_is_not_there_cannot_be_chosen(tmp_path: Path) -> None:
    async with open_conversas(clinics(tmp_path)) as conversas:
        with pytest.raises(PlanejadorSemModelo, match="CRIVO_MODELO"):
            await conversas.open(KEY, "paciente", ANA, "modelo")


async def test_the_log_says_who_planned_and_what_failed_and_nothing_of_what_was_said(tmp_path: Path) -> None:
    falso = ModeloFalso(lambda _: "limite_de_uso")
    async with open_conversas(clinics(tmp_path, modelo=falso, planejador="modelo")) as conversas:
        await (await conversas.open(KEY, "paciente", ANA)).ask("quero um cardiologista")
    (path,) = (tmp_path / "logs").iterdir()
    line = json.loads(path.read_text("utf-8"))
    assert line["planner"]["autor"] == "embutido"
    assert line["falhas_do_modelo"] == [{"agente": "planner", "falha": "limite_de_uso"}]
    assert "cardiologista" not in path.read_text("utf-8")


async def test_where_answers_cannot_be_kept_no_model_is_used() -> None:
    class NoLedger(ModeloFalso):
        async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
            raise BancoIndisponivel("O banco não respondeu.")

    planner = ModelPlanner(Linha(NoLedger(lambda _: {}), KEY, "conversa:x"))
    with pytest.raises(ModeloIndisponivel) as raised:
        await planner.plan("quero um cardiologista", Dialogue(MORNING, registry_on_free_ports()))
    assert raised.value.falha == "fora_do_ar"


def test_a_conversation_waits_for_a_model_as_long_as_the_installation_says(tmp_path: Path, modelo: Notes) -> None:
    agents = clinics(tmp_path, modelo=modelo, prazos=waits("alto")).agents("modelo", KEY, "x")
    assert agents is not None
    assert isinstance(agents.planner, ModelPlanner)
    assert agents.planner.linha.prazos.planner == 45.0
