"""Whom a pedido is for, as far as that person can be looked for again: the beneficiary's CPF, e-mail and number at the administradora."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from crivo.autorizacoes.campos import LONGEST_FIELD_NAME, fold_field
from crivo.autorizacoes.contracts import PedidoNormalizado
from crivo.autorizacoes.leitura import Bruto
from crivo.kernel.linguagem.identificadores import CPF_DIGITS, read_cpf
from crivo.kernel.sigilo.identidade import Identidade, read_email

# Names, folded, that say of an object or of a field that it is the beneficiary's.
_THEIRS: Final = ("beneficiari", "paciente", "segurad", "usuario", "titular", "associad", "dependente")
_OWN: Final = frozenset({"cpf", "email", "e_mail"})
_LONGEST: Final = LONGEST_FIELD_NAME + 1  # a longer name says nothing, and is not kept whole


class _Nome(NamedTuple):
    """What the name of a field says: that what it holds is the beneficiary's, that it may be in the pedido itself, CPF, e-mail."""

    deles: bool
    proprio: bool
    cpf: bool
    email: bool


def titular_of(bruto: Bruto, pedido: PedidoNormalizado) -> Identidade:
    """The beneficiary of a pedido. What belongs to whoever asks or carries out is passed over."""
    numero = pedido.beneficiario.id or ""
    cpf, email = read_cpf(numero), ""
    for nome, valor in _theirs(bruto):
        if nome.cpf and not cpf:
            cpf = _cpf_of(valor)
        if nome.email and not email and isinstance(valor, str):
            email = read_email(valor)
    return Identidade(cpf, email, f"{pedido.administradora_id or ''}|{numero}" if numero else "")


def _theirs(bruto: Bruto) -> Iterator[tuple[_Nome, Any]]:
    """The beneficiary's fields: of their own object, of the pedido itself, and of fields named after them."""
    for chave, valor in bruto.items():
        nome = _read_nome(chave[:_LONGEST])
        if isinstance(valor, dict):
            if nome.deles:
                yield from _deep(valor)
        elif nome.deles or nome.proprio:
            yield nome, valor


def _deep(inner: dict[str, Any]) -> Iterator[tuple[_Nome, Any]]:
    for chave, valor in inner.items():
        if isinstance(valor, dict):
            yield from _deep(valor)
        else:
            yield _read_nome(chave[:_LONGEST]), valor


@lru_cache(maxsize=4096)
def _read_nome(chave: str) -> _Nome:
    nome = fold_field(chave)
    return _Nome(any(one in nome for one in _THEIRS), nome in _OWN, "cpf" in nome, "mail" in nome)


def _cpf_of(valor: Any) -> str:
    if isinstance(valor, str):
        return read_cpf(valor)
    if isinstance(valor, int) and not isinstance(valor, bool):
        return read_cpf(str(valor).zfill(CPF_DIGITS))
    return ""
