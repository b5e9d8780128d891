"""Whom a project tells of, as far as that person can be looked for again: its proponente, and whoever answers for them."""

from __future__ import annotations

from crivo.kernel.linguagem.identificadores import read_cpf
from crivo.kernel.sigilo.identidade import Identidade, read_email
from crivo.triagem.edital import Proponente


def titular_of(proponente: Proponente) -> Identidade:
    """By CPF and e-mail; a CNPJ is nobody's. Numbers that cannot exist name nobody."""
    cpf = read_cpf(proponente.cpf_cnpj)
    responsavel = read_cpf(proponente.responsavel.cpf) if proponente.responsavel else ""
    return Identidade(cpf, read_email(proponente.email), responsavel="" if responsavel == cpf else responsavel)
