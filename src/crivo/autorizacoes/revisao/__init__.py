"""A person's decision over that of the code: claimed first, with a reason, beside what was decided and never in its place."""

from crivo.autorizacoes.revisao.contracts import Assunto, NaFila, Reserva, Revisao, RevisaoProposta
from crivo.autorizacoes.revisao.erros import ReservaAusente, ReservaDeOutro, ReservasDemais, RevisaoInvalida
from crivo.autorizacoes.revisao.service import Revisoes

__all__ = [
    "Assunto",
    "NaFila",
    "Reserva",
    "ReservaAusente",
    "ReservaDeOutro",
    "ReservasDemais",
    "Revisao",
    "RevisaoInvalida",
    "RevisaoProposta",
    "Revisoes",
]
