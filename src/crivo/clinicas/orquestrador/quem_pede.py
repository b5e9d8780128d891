"""Who asks in a conversation, as far as it was proven: the one place where a conversation's subject is made. Source: design/sujeito.md.

Every step asks the table of acts about that subject; in which role somebody speaks is for the words alone.
"""

from __future__ import annotations

from typing import Final, Literal, assert_never

import msgspec

from crivo.kernel.autorizar import Acao, Algum, Este, may
from crivo.kernel.sujeitos import Escopo, Paciente, Programa, Sujeito
from crivo.kernel.tenancy import LOCAL_TENANT

Papel = Literal["paciente", "operador"]
_CONVERSA: Final[frozenset[Escopo]] = frozenset({"clinicas:conversar"})


class QuemPede(msgspec.Struct, frozen=True):
    """A subject, and the tenant whose the clinics are that it asks."""

    sujeito: Sujeito
    casa: str = LOCAL_TENANT

    def may(self, acao: Acao, cpf: str = "", consulta: str = "") -> bool:
        """Whether they may do an act to what a CPF holds, of eleven digits, or to the one appointment that is named."""
        return may(self.sujeito, acao, Este(self.casa, cpf=cpf, consulta=consulta))

    def may_some(self, acao: Acao) -> bool:
        """Whether there may be anything here to which they may do an act."""
        return may(self.sujeito, acao, Algum(self.casa))

    def is_of(self, cpf: str) -> bool:
        """Whether they were proven to be the patient of a CPF, for all that this one holds."""
        return isinstance(self.sujeito, Paciente) and self.sujeito.consulta is None and bool(cpf) and self.sujeito.cpf == cpf

    @property
    def is_proven(self) -> bool:
        """Whether they were proven to be a patient."""
        return isinstance(self.sujeito, Paciente)

    @property
    def em_nome_de(self) -> str | None:
        """The CPF of the patient they were proven to be; None where nobody was proven."""
        return self.sujeito.cpf if isinstance(self.sujeito, Paciente) and self.sujeito.consulta is None else None

    def with_code(self, cpf: str, consulta: str) -> QuemPede:
        """The same, holding the code of an appointment of a CPF; which one it is of, the clinic finds out again."""
        return QuemPede(Paciente(self.casa, cpf, consulta), self.casa)

    def for_another(self) -> QuemPede:
        """The same, asking for somebody else than the patient they were proven to be: of that one, nothing is proven."""
        return anybody(self.casa) if self.is_proven else self

    def __repr__(self) -> str:
        return f"QuemPede({type(self.sujeito).__name__})"


def anybody(casa: str = LOCAL_TENANT) -> QuemPede:
    """Whoever writes in a conversation in which nobody was proven: they see free slots, and book for an identity that is typed.

    The same whoever's session or key opened it: who writes there need not be them.
    """
    return QuemPede(Programa(casa, _CONVERSA), casa)


def who_asks(casa: str, fala: Papel, dono: Sujeito, cpf: str = "") -> QuemPede:
    """Who asks in a conversation: whoever opened one of the reception, the patient of a proven CPF, or anybody."""
    match fala:
        case "operador":
            return QuemPede(dono, casa)
        case "paciente":
            return QuemPede(Paciente(casa, cpf), casa) if cpf else anybody(casa)
        case _:
            assert_never(fala)
