"""What a session remembers is all that its next turn is made of: put back out of its bytes, it goes on word for word."""

from __future__ import annotations

import pytest

from cenario import MORNING
from crivo.clinicas.orquestrador.contracts import Dialogue
from crivo.clinicas.orquestrador.conversa.apresentacao import Apresentada
from crivo.clinicas.orquestrador.conversa.comprovacao import Comprovada
from crivo.clinicas.orquestrador.conversa.memoria import Dialogado, Memoria
from crivo.clinicas.orquestrador.provas import Chaves
from federacao import ANA


def test_nothing_of_a_dialogue_is_left_behind_but_what_every_server_has() -> None:
    assert set(Dialogue.__struct_fields__) - set(Dialogado.__struct_fields__) == {"registro", "papel", "doctors", "ramos", "quem"}


def test_nothing_of_who_is_remembered_is_in_how_it_is_written_down_for_people(memoria: Memoria) -> None:
    assert "529" not in repr(memoria)


@pytest.fixture
def memoria() -> Memoria:
    return Memoria(Dialogado(MORNING, paciente=ANA), Apresentada(), Comprovada(Chaves("segredo")), provado="52998224725")


def test_everybody_who_is_told_of_is_found_by_their_cpf(memoria: Memoria) -> None:
    assert memoria.cpfs == {ANA.cpf, "52998224725"}
