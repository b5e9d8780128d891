"""A network of oculists and paediatricians: real clinics, a registry and agendas of its own, and no line of code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from cenario import free_port, running
from crivo.clinicas.orquestrador.contracts import Paciente
from crivo.clinicas.service import Clinicas
from crivo.kernel.clock import BRASILIA

ANA = Paciente("Ana Braga", "529.982.247-25")
NOW = datetime(2025, 7, 16, 8, 0, tzinfo=BRASILIA)
CLINICS = (
    ("farol", "Clínica Farol", "Oftalmologia", "Dr. Otoniel Vargas", "Retina"),
    ("lume", "Instituto Lume", "Oftalmologia", "Dra. Selma Prates", "Oftalmologia"),
    ("ninho", "Clínica Ninho", "Pediatria", "Dra. Iracema Couto", "Pediatria"),
)


def _written(folder: Path) -> Path:
    """The data folder of such a network, which is all that it needs."""
    folder.mkdir()
    clinics = []
    for id_, nome, especialidade, doctor, ramo in CLINICS:
        port = free_port()
        clinics.append({"id": id_, "nome": nome, "especialidade": especialidade, "porta": port, "url": f"http://127.0.0.1:{port}/mcp"})
        slots = [
            {"doctor": doctor, "specialty": ramo, "date": "2025-07-18", "time": time, "available": True, "patient_name": None, "cpf": None}
            for time in ("09:00", "15:00")
        ]
        (folder / f"{id_}.db.json").write_text(json.dumps({"slots": slots}), encoding="utf-8")
        (folder / f"{id_}.pacientes.json").write_text(json.dumps({"patients": []}), encoding="utf-8")
    clinics[0] |= {"endereco": "Rua do Farol, 10", "telefone": "(85) 3000-0010", "convenios": ["Plano Aurora"]}
    registry = {"clinics": clinics, "vocabulario": {"zoio": "Oftalmologia"}}
    (folder / "registro.json").write_text(json.dumps(registry), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clinicas]:
    folder = tmp_path_factory.mktemp("outras")
    clinicas = Clinicas(folder / "dados", NOW, _written(folder / "rede"))
    with running(*(msgspec.structs.replace(order, supervised=True) for order in clinicas.orders())):
        yield clinicas


async def _said(clinicas: Clinicas, *utterances: str) -> str:
    async with clinicas.conversations() as conversations:
        session = conversations.open(paciente=ANA)
        return [(await session.say(utterance)).texto for utterance in utterances][-1]


@pytest.mark.parametrize("wish", ["tem médico das vista?", "oftalmolojista", "quero mostrar meu zoio", "quero marcar um oculista"])
async def test_eyes_are_asked_for_at_both_clinics_in_whatever_words(network: Clinicas, wish: str) -> None:
    text = await _said(network, wish)
    assert "Dr. Otoniel Vargas (Clínica Farol)" in text
    assert "Dra. Selma Prates (Instituto Lume)" in text
    assert "Iracema" not in text


async def test_a_slot_of_a_childrens_doctor_is_listed_and_booked(network: Clinicas) -> None:
    listed = await _said(network, "tem pediatra?")
    assert "Dra. Iracema Couto (Clínica Ninho)" in listed
    assert "Otoniel" not in listed
    booked = await _said(network, "tem pediatra?", "o primeiro")
    assert "está marcada: sexta-feira, 18/07, às 09:00, com a Dra. Iracema Couto (Clínica Ninho)" in booked


async def test_what_it_does_not_have_is_said_with_what_it_has(network: Clinicas) -> None:
    text = await _said(network, "quero um cardiologista")
    assert "Não temos Cardiologia" in text
    assert "Oftalmologia e Pediatria" in text


async def test_questions_are_answered_by_what_its_registry_knows(network: Clinicas) -> None:
    assert "Rua do Farol, 10" in await _said(network, "onde fica a Clínica Farol?")
    unknown = await _said(network, "onde fica o Instituto Lume?")
    assert "não sei dizer" in unknown
    assert "recepção do Instituto Lume" in unknown
