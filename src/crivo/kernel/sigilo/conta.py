"""How an account is kept: name and e-mail sealed under a key of that account, and found by a keyed digest of the e-mail."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import msgspec

from crivo.kernel.sigilo.cifra import Chave

APAGADA: Final = "Conta apagada"
"""What stands for the name of an account whose key was destroyed."""
_NOME: Final = "usuarios.selado"
_CPF: Final = "contas_de_pacientes.cpf"


@dataclass(frozen=True, slots=True)
class Conta:
    """Whose an account is; an erased one is nobody's."""

    nome: str = field(default=APAGADA, repr=False)
    email: str = field(default="", repr=False)


def seal_conta(chave: Chave, conta: Conta) -> bytes:
    """A name and an e-mail as they are stored."""
    return chave.seal(_NOME, msgspec.json.encode((conta.nome, conta.email)))


def open_conta(chave: Chave | None, stored: bytes | None) -> Conta:
    """What `seal_conta` sealed; nobody's where the key or the text is no more. Raises DadosViolados."""
    if chave is None or stored is None:
        return Conta()
    return Conta(*msgspec.json.decode(chave.open(_NOME, bytes(stored)), type=tuple[str, str]))


def seal_cpf(chave: Chave, cpf: str) -> bytes:
    """The CPF that an account is bound to, as it is stored."""
    return chave.seal(_CPF, cpf.encode())


def open_cpf(chave: Chave, stored: bytes) -> str:
    """What `seal_cpf` sealed. Raises DadosViolados."""
    return chave.open(_CPF, stored).decode()


def plain_email(email: str) -> str:
    """An e-mail as it is compared and looked for."""
    return email.strip().lower()
