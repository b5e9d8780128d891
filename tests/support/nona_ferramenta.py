"""What a ninth tool takes: who works at a clinic, asked of it; each change as the file, what stands there, and what takes its place.

`say_doctors` is then run in a copy of the product that has them.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

TOOLS, DONE = "clinicas/ferramentas.py", "clinicas/clinica/tools.py"
USED, DECIDED, SAID = (f"clinicas/orquestrador/{one}" for one in ("ferramentas.py", "decide/responder/quadro.py", "escreve/embutido.py"))
_ARGUMENTS = """
class ListDoctors(Arguments, frozen=True):
    \"""None.\"""


class Doctors(Value, frozen=True):
    \"""Who works at a clinic.\"""

    doctors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Place:"""
_RECORD = """VER_MEDICOS: Final = Ferramenta(
    name="list_doctors",
    title="Médicos",
    description="Diz quem atende nesta clínica.",
    takes=ListDoctors,
    answers=Doctors,
    acao="clinicas.ver_horarios",
)
FERRAMENTAS: Final = ("""
_DOING = """async def _list_doctors(desk: Desk, quem: Quem, given: ferramentas.ListDoctors) -> Any:
    return ferramentas.Doctors(tuple(sorted({slot.doctor for slot in desk.silo.free_slots().available_slots})))


_DONE: Final = ("""
_STEPS = """    asked = enumerate(situacao.dialogue.registro, 1)
    return Saida(steps=tuple(Step(index, one.id, VER_MEDICOS.name) for index, one in asked), pendente=situacao.pendente)
    lines = [line for clinic"""
_WORDS = """*words.patients(replies),
        *(", ".join(reply.result["doctors"]) for reply in replies if reply.result and "doctors" in reply.result),"""
CHANGES = (
    (TOOLS, '"find_appointments",\n', '"find_appointments",\n    "list_doctors",\n'),
    (TOOLS, "\n@dataclass(frozen=True, slots=True)\nclass Place:", _ARGUMENTS),
    (TOOLS, "FERRAMENTAS: Final = (", _RECORD),
    (TOOLS, "CANCELAR, VER_CONSULTAS)", "CANCELAR, VER_CONSULTAS, VER_MEDICOS)"),
    (DONE, "_DONE: Final = (", _DOING),
    (DONE, "VER_CONSULTAS, _find_held),", "VER_CONSULTAS, _find_held),\n    ClinicTool(ferramentas.VER_MEDICOS, _list_doctors),"),
    (
        USED,
        "    VER_CONSULTAS: Uso(",
        '    VER_MEDICOS: Uso(palavras="Ver quem atende", faz="quem atende na clínica"),\n    VER_CONSULTAS: Uso(',
    ),
    (USED, "    VER_CONSULTAS,\n", "    VER_CONSULTAS,\n    VER_MEDICOS,\n"),
    (
        DECIDED,
        "\nfrom crivo",
        "\nfrom crivo.clinicas.ferramentas import VER_MEDICOS\nfrom crivo.clinicas.orquestrador.contracts import Step\nfrom crivo",
    ),
    (DECIDED, "    lines = [line for clinic", _STEPS),
    (SAID, "*words.patients(replies),", _WORDS),
)


def add_to(product: Path) -> frozenset[str]:
    """Make the ninth tool in a copy of `crivo`; the files that it touched."""
    for name, before, after in CHANGES:
        text = (product / name).read_text("utf-8")
        assert before in text, (name, before)
        (product / name).write_text(text.replace(before, after, 1), "utf-8")
    return frozenset(name for name, *_ in CHANGES)


async def say_doctors(folder: Path) -> dict[str, object]:
    """A patient asks who works there; and the reception of the clinic itself is asked over MCP."""
    from clinicas_aqui import clinicas_aqui
    from crivo.clinicas.clinica.server import _LISTING
    from crivo.clinicas.orquestrador.contracts import Paciente
    from crivo.clinicas.orquestrador.decide.modelo.pergunta import _catalogue
    from crivo.clinicas.orquestrador.ferramentas import words_of

    async with clinicas_aqui(folder) as clinicas:
        reply = await clinicas.open(Paciente("Ana Braga", "529.982.247-25")).say("quais médicos vocês têm?")
    assert reply.trace is not None
    return {
        "listed": _LISTING.tools[-1].name,
        "offered": [one["action"] for one in _catalogue()],
        "plan": [step.action for step in reply.trace.plan.steps],
        "calls": [[call.clinic, words_of(call.action), call.situacao] for call in reply.trace.calls if call.finalidade == "passo"],
        "safe": reply.trace.verdict.safe,
        "texto": reply.texto,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asyncio.run(say_doctors(Path(sys.argv[1])))))
