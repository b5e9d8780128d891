"""What a page shows where a message sounds like an emergency: where help is, with numbers that a press calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from crivo.clinicas.orquestrador.contracts import TipoDeEmergencia
from crivo.clinicas.turnos import Turno

NAO_E_EMERGENCIA: Final = "Não é emergência, continuar"
TIPOS: Final[Mapping[TipoDeEmergencia, str]] = {
    "coracao": "coração",
    "avc": "derrame",
    "respiracao": "falta de ar",
    "alergia": "alergia grave",
    "sangramento": "sangramento",
    "intoxicacao": "intoxicação",
    "inconsciencia": "desmaio ou convulsão",
    "trauma": "ferimento grave",
    "bebe": "bebê em risco",
    "suicidio": "crise emocional",
    "violencia": "violência",
}


@dataclass(frozen=True, slots=True)
class Ligacao:
    """A number as a link that calls it, and whose it is."""

    numero: str
    nome: str
    endereco: str

    @classmethod
    def of(cls, numero: str, nome: str) -> Ligacao:
        """The link of a number as people write it."""
        return cls(numero, nome, f"tel:{''.join(sign for sign in numero if sign.isdigit() or sign == '+')}")


@dataclass(frozen=True, slots=True)
class Socorro:
    """An emergency as it is shown: the first number is the one to call first; `avisada`: somebody at the reception was told."""

    titulo: str
    texto: str
    ligacoes: tuple[Ligacao, ...]
    avisada: bool

    @classmethod
    def of(cls, turno: Turno) -> Socorro | None:
        """What is shown of a turn; None where it was no emergency."""
        if turno.emergencia is None or not turno.telefones:
            return None
        first = turno.telefones[0]
        now = "Ligue agora para o" if first.numero != "188" else "Fale agora com alguém:"
        ligacoes = tuple(Ligacao.of(one.numero, one.nome) for one in turno.telefones)
        return cls(f"{now} {first.numero}", turno.texto, ligacoes, turno.recepcao == "avisada")
