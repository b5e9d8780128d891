"""What this process counts of conversations and of the clinics that it calls."""

from __future__ import annotations

from typing import Final, get_args

from crivo.clinicas.orquestrador.contracts import TipoDeEmergencia
from crivo.kernel.medidas import Medida, counter, histogram

_CALL_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0)  # a call is given two seconds

CHAMADAS: Final = Medida(
    "crivo_clinica_chamadas_total",
    "contador",
    "Chamadas a uma clínica, pelo desfecho: respondeu, recusou ou sem_resposta.",
    ("clinica", "ferramenta", "desfecho"),
)
CHAMADA_SEGUNDOS: Final = Medida("crivo_clinica_chamada_seconds", "histograma", "Quanto levou cada chamada a uma clínica.", ("clinica",))
EMERGENCIAS: Final = Medida(
    "crivo_emergencias_total", "contador", "Conversas em que se reconheceu uma emergência, pelo tipo; nunca as palavras.", ("tipo",)
)
CONTADAS: Final = (CHAMADAS, CHAMADA_SEGUNDOS, EMERGENCIAS)

chamadas, emergencias = counter(CHAMADAS), counter(EMERGENCIAS)
for _tipo in get_args(TipoDeEmergencia):
    emergencias.labels(_tipo)  # told as 0, so that the first one is an increase
chamada_segundos = histogram(CHAMADA_SEGUNDOS, _CALL_SECONDS)
