"""The reception's queue and one of its conversations as they are shown: why each waits, how long, who it is, and who has it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from crivo.clinicas.conversa import Conversa
from crivo.clinicas.conversas import Conversas
from crivo.clinicas.recepcao import Espera, Motivo
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.tenancy import Scope
from crivo.triagem.palavras import count
from crivo.web.pages.clinicas.socorro import TIPOS
from crivo.web.pages.clinicas.vista import Consulta, ConversaVista, TurnoVisto

_MOTIVOS: Final[Mapping[Motivo, str]] = {
    "pessoa": "Pediu uma pessoa",
    "nao_entendido": "Não foi entendido duas vezes",
    "emergencia": "Emergência",
}
_SEM_NOME: Final = "Ainda sem nome"
_A_MOMENT: Final = 5
_MINUTE: Final = 60
_HOUR: Final = 3_600


@dataclass(frozen=True, slots=True)
class NaFila:
    """A line of the queue. `com` is who has it, in words; `aberta` is the one that is shown beside."""

    id: str
    titulo: str
    urgente: bool
    ha: str
    quem: str
    detalhe: str
    com: str
    aberta: bool


@dataclass(frozen=True, slots=True)
class Atendida:
    """The conversation beside the queue, and what whoever looks at it may do now."""

    id: str
    nome: str
    cpf: str
    titulo: str
    urgente: bool
    com: str
    com_voce: bool
    livre: bool
    turnos: tuple[TurnoVisto, ...]
    saudacao: str
    entendido: tuple[str, ...]
    consultas: tuple[Consulta, ...]


@dataclass(frozen=True, slots=True)
class AtendimentoVista:
    """The whole page: the queue, what it amounts to, and the conversation that is open, if one is."""

    fila: tuple[NaFila, ...]
    resumo: str
    emergencias: str
    atendida: Atendida | None

    @classmethod
    async def of(cls, conversas: Conversas, scope: Scope, conversa_id: UUID | None = None) -> AtendimentoVista:
        """The reception of a tenant as somebody of it sees it now."""
        found = await conversas.waiting(scope.tenant_id)
        lines = tuple(_line(conversas, one.espera, one, scope, conversa_id) for one in found if one.espera is not None)
        fila = [one.espera for one in found if one.espera is not None]
        free = sum(espera.atendente is None for espera in fila)
        urgent = sum(espera.urgente and espera.atendente is None for espera in fila)
        return cls(
            lines,
            count(free, "pessoa espera", "pessoas esperam") if free else "ninguém espera",
            count(urgent, "emergência", "emergências") if urgent else "",
            _atendida(next((one for one in found if one.id == conversa_id), None), scope),
        )


def since(seconds: float) -> str:
    """How long something has been: `agora`, `há 40 s`, `há 2 min`, `há 1 h 5 min`."""
    whole = int(seconds)
    if whole < _A_MOMENT:
        return "agora"
    if whole < _MINUTE:
        return f"há {whole} s"
    if whole < _HOUR:
        return f"há {whole // _MINUTE} min"
    minutes = whole % _HOUR // _MINUTE
    return f"há {whole // _HOUR} h {minutes} min" if minutes else f"há {whole // _HOUR} h"


def short_name(nome: str) -> str:
    """The first name and the initial of the last: enough to tell people apart in a list that others may see."""
    words = nome.split()
    return f"{words[0]} {words[-1][0]}." if len(words) > 1 else nome


def _line(conversas: Conversas, espera: Espera, conversa: Conversa, scope: Scope, aberta: UUID | None) -> NaFila:
    return NaFila(
        str(espera.conversa_id),
        _titulo(espera),
        espera.urgente,
        since(conversas.recepcao.waited(espera)),
        short_name(conversa.paciente.nome) if conversa.paciente else _SEM_NOME,
        _detalhe(espera, conversa),
        _com(espera, scope),
        espera.conversa_id == aberta,
    )


def _titulo(espera: Espera) -> str:
    if espera.motivo != "emergencia" or espera.tipo is None:
        return _MOTIVOS[espera.motivo]
    return f"{'Emergência' if espera.urgente else 'Alarme desmentido'}: {TIPOS[espera.tipo]}"


def _detalhe(espera: Espera, conversa: Conversa) -> str:
    if espera.motivo != "emergencia":
        return ""
    if espera.desmentida:
        return "Disse que não era emergência; vale conferir."
    last = next((turno for turno in reversed(conversa.turnos) if turno.telefones), None)
    shown = f"{last.telefones[0].numero} mostrado" if last else "Telefones de socorro mostrados"
    return f"{shown}; ninguém respondeu ainda." if espera.atendente is None else f"{shown}."


def _com(espera: Espera, scope: Scope) -> str:
    if espera.atendente is None:
        return ""
    return "com você" if espera.atendente.ator == scope.ator else f"com {espera.atendente.nome}"


def _atendida(conversa: Conversa | None, scope: Scope) -> Atendida | None:
    if conversa is None or (espera := conversa.espera) is None:
        return None
    vista = ConversaVista.of(conversa)
    com_voce = espera.atendente is not None and espera.atendente.ator == scope.ator
    understood = tuple(one.palavras for one in next((turno.entendido for turno in reversed(vista.turnos) if turno.entendido), ()))
    return Atendida(
        str(conversa.id),
        conversa.paciente.nome if conversa.paciente else _SEM_NOME,
        f"CPF {mask_cpfs(conversa.paciente.cpf)}" if conversa.paciente else "",
        _titulo(espera),
        espera.urgente,
        _com(espera, scope),
        com_voce,
        espera.atendente is None,
        vista.turnos,
        vista.saudacao,
        understood,
        vista.consultas,
    )
