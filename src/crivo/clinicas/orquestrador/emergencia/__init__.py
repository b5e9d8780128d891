"""Emergencies before anything else: what sounds like one, and where help is. Source: design, "Nobody is harmed".

A lexicon and learned weights are each enough to raise the alarm; a model may add one and can silence none.
"""

from crivo.clinicas.orquestrador.emergencia.alarme import Alarme, find_alarme
from crivo.clinicas.orquestrador.emergencia.resposta import Telefone, answer, desmentido, is_desmentido, phones_of
from crivo.clinicas.orquestrador.emergencia.sobreaviso import Sobreaviso, Socorro, alarmed_by, hear

__all__ = (
    "Alarme",
    "Sobreaviso",
    "Socorro",
    "Telefone",
    "alarmed_by",
    "answer",
    "desmentido",
    "find_alarme",
    "hear",
    "is_desmentido",
    "phones_of",
)
