"""What a conversation does after an alarm, until it is said to have been none. Source: design, "Nobody is harmed"."""

from __future__ import annotations

import msgspec

from crivo.clinicas.orquestrador.contracts import Idioma, TipoDeEmergencia, Value
from crivo.clinicas.orquestrador.emergencia.alarme import Alarme, find_alarme
from crivo.clinicas.orquestrador.emergencia.resposta import (
    after_alarm,
    answer,
    desmentido,
    is_calm_request,
    is_desmentido,
    is_distressed,
    is_unanswered,
)


class Sobreaviso(Value, frozen=True):
    """That an alarm was raised, and of which kind; `calmo` once something was asked calmly since: only distress is heard then."""

    tipo: TipoDeEmergencia
    calmo: bool = False

    def calmed(self) -> Sobreaviso:
        """The same after a calm request."""
        return msgspec.structs.replace(self, calmo=True)

    def reminder(self, idioma: Idioma) -> str:
        """The line that stands beside what is answered to a calm request."""
        return after_alarm(self.tipo, "lembrete", idioma)


class Socorro(Value, frozen=True):
    """What is said to a message because of an emergency; `tipo` is None where it was said to be none."""

    fala: str
    tipo: TipoDeEmergencia | None


def hear(text: str, before: Sobreaviso | None, idioma: Idioma, *, follows: bool = True) -> Socorro | None:
    """What is said to a message that sounds like an emergency or comes after one; None where it goes on as usual.

    `follows` is False where a message that raises no alarm itself is meant for somebody else.
    """
    alarme = find_alarme(text)
    if before is None:
        return Socorro(answer(alarme.tipo, idioma), alarme.tipo) if alarme else None
    if alarme is not None and not (follows and _is_still_the_same(text, alarme)):
        return Socorro(answer(alarme.tipo, idioma), alarme.tipo)
    if is_desmentido(text):
        return Socorro(desmentido(idioma), None)
    if not follows or not (is_distressed(text) if before.calmo else not is_calm_request(text)):
        return None
    tipo = alarme.tipo if alarme is not None and alarme.origem == "lexico" else before.tipo
    return Socorro(after_alarm(tipo, "nao_atende" if is_unanswered(text) else "ainda", idioma), tipo)


def _is_still_the_same(text: str, alarme: Alarme) -> bool:
    """Whether a message that sounds like an alarm only asks for help with the one before: `e agora?`, `o samu não atende`."""
    return is_unanswered(text) or (alarme.origem == "aprendido" and is_distressed(text))
