"""The demo on clínicas: the blueprint's three flows in one conversation with the six clinics, and what their stores hold after each turn.

Source: blueprint 2.5. What it books it cancels, so that it may run again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple

from crivo.cli.clinicas import tell_moved
from crivo.cli.saida import say, table
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.clinicas.conversa import Conversa
    from crivo.clinicas.service import Clinicas
    from crivo.clinicas.turnos import Oferta, Turno
    from crivo.kernel.settings import Settings

PESSOA: Final = "Helena Prado Nunes"
_CPF: Final = "111.444.777-35"
_LIST: Final = "Quero marcar uma consulta com um cardiologista"
_LIST_MORE: Final = "E com dermatologista, quais horários tem?"
CANCEL: Final = "Preciso cancelar minha consulta"
_YES: Final = "Sim"
_PROOF: Final = {"passo": "", "prova": " (conferir)", "desfazer": " (desfazer)", "diretorio": " (quem atende)"}
_OUTCOMES: Final = {"respondeu": "✓ respondeu", "recusou": "! não aceitou", "fora_do_ar": "✕ não respondeu", "erro": "✕ respondeu com erro"}

Chamada = tuple[str, str]  # clinic and action


class SemHorarios(CrivoError):
    """No doctor of the sample has two free slots, so that nothing can be booked and then moved."""

    codigo: ClassVar[str] = "sem_horarios"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Faltam horários livres para a demonstração"


class Consulta(NamedTuple):
    """An appointment as a store holds it."""

    clinic: str
    doctor: str
    date: str
    time: str


@dataclass(frozen=True, slots=True)
class Passo:
    """A turn, with what it should have called and left in the stores, and what these hold of this conversation."""

    turno: Turno
    chamadas: frozenset[Chamada]
    consultas: frozenset[Consulta]
    guardadas: frozenset[Consulta]

    @property
    def holds(self) -> bool:
        """Whether the plan and the stores are as they should be."""
        passos = self.turno.passos
        planned = {(step.clinic, step.action) for step in passos.plano} if passos else set()
        return planned == self.chamadas and self.guardadas == self.consultas


@dataclass(frozen=True, slots=True)
class Conversado:
    """The whole conversation."""

    passos: tuple[Passo, ...]

    @property
    def holds(self) -> bool:
        """Whether every turn did what it should, and nothing is left booked."""
        return all(passo.holds for passo in self.passos) and not self.passos[-1].guardadas


@contextmanager
def running(settings: Settings) -> Iterator[Clinicas]:
    """All clinics answering for as long as the block lasts, beside any event loop in it; those that answered already are used as they are.

    Raises PortaDaClinicaOcupada where another program has a clinic's port, and ClinicaNaoSubiu.
    """
    from anyio.from_thread import start_blocking_portal

    from crivo.clinicas.service import Clinicas

    clinicas = Clinicas(settings.data_dir, settings.agora, log_nivel="ERROR", portas=settings.portas_das_clinicas)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(clinicas.running()):
        tell_moved(clinicas)
        yield clinicas


async def demonstrate(clinicas: Clinicas) -> Conversado:
    """List, book, move, list elsewhere, cancel; the stores are read after each turn. Raises SemHorarios."""
    from crivo.clinicas.conversas import open_conversas
    from crivo.clinicas.ferramentas import CANCELAR, MARCAR, REMARCAR
    from crivo.clinicas.orquestrador.contracts import Paciente
    from crivo.clinicas.orquestrador.linguagem.formatos import with_doctor

    before = _held(clinicas)
    async with open_conversas(clinicas) as conversas:
        conversa = await conversas.open(Scope("local", "demonstracao", CONSOLE), paciente=Paciente(PESSOA, _CPF))
        told = _Told(clinicas, conversa, before)
        listed = await told.turn(_LIST, _listing(clinicas, "Cardiologia"))
        first, second = _two_of_one_doctor(listed.ofertas)
        await told.turn(f"Pode ser {with_doctor(first.doctor, 'pt')}, {_when(first)}", {(first.clinic, MARCAR.name)}, first)
        await told.turn(f"Preciso remarcar para o {_when(second)}", (), first)  # said back first
        await told.turn(_YES, {(first.clinic, REMARCAR.name)}, second)
        await told.turn(_LIST_MORE, _listing(clinicas, "Dermatologia"), second)
        await told.turn(CANCEL, (), second)
        await told.turn(_YES, {(first.clinic, CANCELAR.name)})
    return Conversado(tuple(told.passos))


def show(conversado: Conversado, clinicas: Clinicas) -> None:
    """Print the conversation: what was said, what was called, what was answered, and what the stores then held."""
    say(f"\nUma conversa com as clínicas, de {PESSOA}, que é inventada")
    for position, passo in enumerate(conversado.passos, 1):
        say(f"\n{position}. Você: {passo.turno.mensagem}")
        table(("Clínica", "Chamada", "Resposta", "Tempo"), _calls(passo.turno, clinicas), empty="Nenhuma clínica foi chamada.")
        say("\n".join(f"   {line}" for line in passo.turno.texto.splitlines()))
        held = "; ".join(_written(consulta, clinicas) for consulta in sorted(passo.guardadas)) or "nenhuma consulta"
        say(f"   {'✓' if passo.holds else '✗'} Guardado nas clínicas: {held}.")
    if conversado.holds:
        say("\n✓ A conversa marcou, remarcou e cancelou como devia, e as agendas terminaram como começaram.")
    else:
        say("\n✗ A conversa ou as agendas das clínicas não terminaram como deviam; veja os turnos com ✗.")


def value(conversado: Conversado) -> dict[str, Any]:
    """The conversation as machines read it."""
    return {"como_esperado": conversado.holds, "turnos": [_turn_value(passo) for passo in conversado.passos]}


class _Told:
    """The turns so far, each held against the stores."""

    def __init__(self, clinicas: Clinicas, conversa: Conversa, before: frozenset[Consulta]) -> None:
        self._clinicas = clinicas
        self._conversa = conversa
        self._before = before
        self.passos: list[Passo] = []

    async def turn(self, said: str, chamadas: Iterable[Chamada], holding: Oferta | None = None) -> Turno:
        """Say something that should make these calls and leave this slot booked, or none."""
        turno = await self._conversa.ask(said)
        expected = frozenset({Consulta(holding.clinic, holding.doctor, holding.date, holding.time)} if holding else ())
        self.passos.append(Passo(turno, frozenset(chamadas), expected, _held(self._clinicas) - self._before))
        return turno


def _held(clinicas: Clinicas) -> frozenset[Consulta]:
    """What the stores hold of the demo's person, an interrupted run's left-overs included."""
    held = set()
    for clinica in clinicas.registro:
        with closing(clinicas.place(clinica.id).open_silo()) as silo:
            held |= {Consulta(clinica.id, slot.doctor, slot.date, slot.time) for slot in silo.all_slots() if slot.cpf == _CPF}
    return frozenset(held)


def _listing(clinicas: Clinicas, especialidade: str) -> set[Chamada]:
    from crivo.clinicas.ferramentas import VER_HORARIOS

    return {(clinica.id, VER_HORARIOS.name) for clinica in clinicas.registro.of_specialty(especialidade)}


def _two_of_one_doctor(ofertas: tuple[Oferta, ...]) -> tuple[Oferta, Oferta]:
    for position, first in enumerate(ofertas):
        for second in ofertas[position + 1 :]:
            if (first.clinic, first.doctor) == (second.clinic, second.doctor):
                return first, second
    raise SemHorarios("Nenhum cardiologista tem dois horários livres. Cancele algumas consultas, ou use outra pasta com CRIVO_DATA_DIR.")


def _when(oferta: Oferta) -> str:
    return f"dia {_day(oferta.date)} às {oferta.time}"


def _day(date: str) -> str:
    return f"{date[8:10]}/{date[5:7]}"


def _written(consulta: Consulta, clinicas: Clinicas) -> str:
    return f"{consulta.doctor}, {_day(consulta.date)} {consulta.time}, {clinicas.find(consulta.clinic).nome}"


def _calls(turno: Turno, clinicas: Clinicas) -> Iterator[tuple[str, ...]]:
    from crivo.clinicas.orquestrador.ferramentas import words_of

    for call in turno.passos.chamadas if turno.passos else ():
        what = f"{words_of(call.action).lower()}{_PROOF[call.finalidade]}"
        yield clinicas.find(call.clinic).nome, what, _OUTCOMES[call.situacao], f"{call.ms:.0f} ms"


def _turn_value(passo: Passo) -> dict[str, Any]:
    passos = passo.turno.passos
    return {
        "mensagem": passo.turno.mensagem,
        "texto": passo.turno.texto,
        "plano": passos.plano if passos else (),
        "chamadas": passos.chamadas if passos else (),
        "consultas": [consulta._asdict() for consulta in sorted(passo.guardadas)],
        "como_esperado": passo.holds,
    }
