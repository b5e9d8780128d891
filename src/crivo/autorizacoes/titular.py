"""Whom a pedido is for, as far as that person can be looked for again: the beneficiary's CPF, e-mail and number at the administradora."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from crivo.autorizacoes.campos import fold_field
from crivo.autorizacoes.contracts import PedidoNormalizado
from crivo.autorizacoes.leitura import Bruto
from crivo.kernel.sigilo.identidade import Identidade, read_cpf, read_email

# Names, folded, that say of an object or of a field that it is the beneficiary's.
_THEIRS: Final = ("beneficiari", "paciente", "segurad", "usuario", "titular", "associad", "dependente")
_CPF_DIGITS: Final = 11


def titular_of(bruto: Bruto, pedido: PedidoNormalizado) -> Identidade:
    """The beneficiary of a pedido. What belongs to whoever asks or carries out is passed over."""
    numero = pedido.beneficiario.id or ""
    cpf, email = read_cpf(numero), ""
    for nome, valor in _theirs(bruto):
        if not cpf and "cpf" in nome:
            cpf = _cpf_of(valor)
        if not email and "mail" in nome and isinstance(valor, str):
            email = read_email(valor)
    return Identidade(cpf, email, f"{pedido.administradora_id or ''}|{numero}" if numero else "")


def _theirs(bruto: Bruto) -> Iterator[tuple[str, Any]]:
    """The beneficiary's fields by folded name: of their own object, of the pedido itself, and of fields named after them."""
    for chave, valor in bruto.items():
        nome = fold_field(chave)
        if isinstance(valor, dict):
            if any(one in nome for one in _THEIRS):
                yield from _deep(valor)
        elif any(one in nome for one in _THEIRS) or nome in {"cpf", "email", "e_mail"}:
            yield nome, valor


def _deep(inner: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for chave, valor in inner.items():
        if isinstance(valor, dict):
            yield from _deep(valor)
        else:
            yield fold_field(chave), valor


def _cpf_of(valor: Any) -> str:
    if isinstance(valor, str):
        return read_cpf(valor)
    if isinstance(valor, int) and not isinstance(valor, bool):
        return read_cpf(str(valor).zfill(_CPF_DIGITS))
    return ""
