"""Asking for a person: when a message does, and what is said of it. Words and texts are data. Source: design, "Nobody is harmed"."""

from crivo.clinicas.orquestrador.pessoa.pedido import asks_for_person
from crivo.clinicas.orquestrador.pessoa.textos import (
    after_not_understood,
    called,
    out_of_reach,
    whom_to_call,
    with_account_from_elsewhere,
    with_offer_of_a_person,
    written_phones,
)

__all__ = (
    "after_not_understood",
    "asks_for_person",
    "called",
    "out_of_reach",
    "whom_to_call",
    "with_account_from_elsewhere",
    "with_offer_of_a_person",
    "written_phones",
)
