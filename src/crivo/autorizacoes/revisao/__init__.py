"""A person's decision over that of the code: claimed first, with a reason, beside what was decided and never in its place."""

from crivo.autorizacoes.fichas import Dizeres
from crivo.autorizacoes.revisao.calendarios import CalendarioGuardado, CalendarioInvalido, CalendariosDePrazo, Dito
from crivo.autorizacoes.revisao.contracts import NaFila, Reserva, Revisao, RevisaoProposta
from crivo.autorizacoes.revisao.erros import ReservaAusente, ReservaDeOutro, ReservasDemais, RevisaoInvalida
from crivo.autorizacoes.revisao.fila import Panorama, Recorte
from crivo.autorizacoes.revisao.prazos import Faixa, Prazo
from crivo.autorizacoes.revisao.responsaveis import LoteGrandeDemais, Partilha, Responsaveis, SemDestinatario
from crivo.autorizacoes.revisao.service import Revisoes

__all__ = [
    "CalendarioGuardado",
    "CalendarioInvalido",
    "CalendariosDePrazo",
    "Dito",
    "Dizeres",
    "Faixa",
    "LoteGrandeDemais",
    "NaFila",
    "Panorama",
    "Partilha",
    "Prazo",
    "Recorte",
    "Reserva",
    "ReservaAusente",
    "ReservaDeOutro",
    "ReservasDemais",
    "Responsaveis",
    "Revisao",
    "RevisaoInvalida",
    "RevisaoProposta",
    "Revisoes",
    "SemDestinatario",
]
