"""Emergencies before anything else: what sounds like one, and where help is. Source: design, "Nobody is harmed".

A lexicon and learned weights are each enough to raise the alarm; a model may add one and can silence none.
"""

from crivo.clinicas.orquestrador.emergencia.alarme import Alarme, find_alarme
from crivo.clinicas.orquestrador.emergencia.resposta import Telefone, answer, desmentido, is_desmentido, phones_of

__all__ = ("Alarme", "Telefone", "answer", "desmentido", "find_alarme", "is_desmentido", "phones_of")
