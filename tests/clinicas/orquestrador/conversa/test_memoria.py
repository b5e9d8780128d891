"""What a session remembers is all that its next turn is made of: put back out of its bytes, it goes on word for word."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cenario import MORNING
from crivo.clinicas.avaliacao.conjunto import read_case_file
from crivo.clinicas.avaliacao.execucao import Execucao, execute
from crivo.clinicas.orquestrador.contracts import Dialogue, Paciente, Papel
from crivo.clinicas.orquestrador.conversa.apresentacao import Apresentada
from crivo.clinicas.orquestrador.conversa.comprovacao import Comprovada
from crivo.clinicas.orquestrador.conversa.memoria import Dialogado, Memoria
from crivo.clinicas.orquestrador.conversa.resposta import Reply
from crivo.clinicas.orquestrador.conversa.sessao import Session
from crivo.clinicas.orquestrador.provas import Chaves
from crivo.clinicas.service import Conversations
from crivo.kernel.settings import Planejador
from crivo.kernel.tenancy import Scope
from federacao import ANA, DADOS, NO_DATA

SETS = Path(__file__).parents[2]
_open = Conversations.open


@dataclass
class Restored:
    """A session that is put back out of its bytes before every message."""

    conversations: Conversations
    session: Session
    papel: Papel
    dono: Scope
    told: list[str] = field(default_factory=list)

    @property
    def dialogue(self) -> Dialogue:
        return self.session.dialogue

    async def say(self, text: str) -> Reply:
        kept = msgspec.json.decode(msgspec.json.encode(self.session.memoria), type=Memoria)
        self.session = self.conversations.resume(self.session.id, self.papel, self.dono, kept)
        return await self.session.say(text)


def restored(
    conversations: Conversations,
    papel: Papel = "paciente",
    paciente: Paciente | None = None,
    *,
    provado: bool = False,
    planejador: Planejador | None = None,
    dono: Scope | None = None,
) -> Any:
    session = _open(conversations, papel, paciente, provado=provado, planejador=planejador, dono=dono)
    return Restored(conversations, session, papel, dono or conversations.clinicas.dono)


def said(execucao: Execucao) -> list[list[tuple[object, ...]]]:
    return [[(one.texto, one.plan, one.replies, one.verdict) for one in traces] for traces in execucao.traces]


@pytest.mark.slow
@pytest.mark.skipif(not DADOS.exists(), reason=NO_DATA)
@pytest.mark.parametrize("nome", ["reportado.json", "test_queries.json"])
async def test_every_case_put_back_at_every_turn_goes_as_it_does_whole(nome: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    casos = read_case_file(SETS / nome)
    whole = await execute(casos, data_dir=tmp_path / "inteira", dados=DADOS, agora=None)
    monkeypatch.setattr(Conversations, "open", restored)
    put_back = await execute(casos, data_dir=tmp_path / "de_volta", dados=DADOS, agora=None)
    assert said(put_back) == said(whole)
    assert put_back.casos == whole.casos


def test_nothing_of_a_dialogue_is_left_behind_but_what_every_server_has() -> None:
    assert set(Dialogue.__struct_fields__) - set(Dialogado.__struct_fields__) == {"registro", "papel", "doctors", "quem"}


def test_nothing_of_who_is_remembered_is_in_how_it_is_written_down_for_people(memoria: Memoria) -> None:
    assert "529" not in repr(memoria)


@pytest.fixture
def memoria() -> Memoria:
    return Memoria(Dialogado(MORNING, paciente=ANA), Apresentada(), Comprovada(Chaves("segredo")), provado="52998224725")


def test_everybody_who_is_told_of_is_found_by_their_cpf(memoria: Memoria) -> None:
    assert memoria.cpfs == {ANA.cpf, "52998224725"}
