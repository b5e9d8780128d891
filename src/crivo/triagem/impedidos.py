"""People whom an edital names to judge and who cannot yet: who, why, and what mends it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Literal
from uuid import UUID

from crivo.kernel.access import Este, may
from crivo.kernel.sujeitos import Papel, Pessoa
from crivo.triagem.edital import Value

CODIGO: Final = "avaliador_impedido"
Causa = Literal["acesso_retirado", "papel_nao_avalia", "sem_entrada"]
_TOLD: Final[Mapping[Causa, str]] = {
    "acesso_retirado": (
        "o acesso da conta deste e-mail foi retirado. Quem administra o devolve em Pessoas e papéis; "
        "ou importe com o e-mail de outra pessoa."
    ),
    "papel_nao_avalia": ("a conta deste e-mail tem um papel que não avalia projetos. Quem administra o muda em Pessoas e papéis."),
    "sem_entrada": (
        "a conta deste e-mail ainda não tem senha nem convite em aberto. Quem administra a convida em Pessoas e papéis. "
        "Se essa pessoa entra pelo provedor da organização, não falta nada."
    ),
}

_ON_THE_COMMAND_LINE: Final[Mapping[Causa, str]] = {
    "acesso_retirado": "",
    "papel_nao_avalia": " Daqui: 'crivo usuarios papel {email} avaliador'.",
    "sem_entrada": " Daqui: 'crivo usuarios entrar {email}'.",
}


class Impedido(Value, frozen=True):
    """Somebody who is to judge an edital and cannot yet."""

    nome: str
    email: str
    causa: Causa

    @property
    def dito_no_terminal(self) -> str:
        """The same with the command that mends it, where there is one."""
        return self.dito + _ON_THE_COMMAND_LINE[self.causa].format(email=self.email)

    @property
    def dito(self) -> str:
        """Who, why, and what mends it, as a sentence (pt-BR)."""
        return f"{self.nome} ({self.email}): {_TOLD[self.causa]}"


def causa_of(tenant_id: str, usuario_id: UUID, papel: Papel, *, retirado: bool, entra: bool) -> Causa | None:
    """Why an account cannot judge a project given to it; None where it can. `entra`: it has a password or an invitation, or is in."""
    if retirado:
        return "acesso_retirado"
    if not may(Pessoa(tenant_id, usuario_id, papel), "triagem.avaliar", Este(tenant_id, foi_dado=True)):
        return "papel_nao_avalia"
    return None if entra else "sem_entrada"


def heading(impedidos: Sequence[Impedido]) -> str:
    """How many they are, as the first line of what is said of them."""
    many = len(impedidos)
    return "Uma pessoa que avalia ainda não pode avaliar" if many == 1 else f"{many} pessoas que avaliam ainda não podem avaliar"
