"""Which patient whoever asks was proven to be. Source: design/sujeito.md, "Who a patient is"."""

from __future__ import annotations

from starlette.requests import Request

from crivo.clinicas.conta import find_conta_de, paciente_of
from crivo.clinicas.orquestrador.contracts import Paciente, Papel
from crivo.kernel.access import Conta, SemPermissao
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.sujeitos import Paciente as PacienteProvado
from crivo.kernel.tenancy import Scope
from crivo.web.state import scope_of, state_of

_SO_COM_CONTA = (
    "Para ver as suas consultas, a sua conta precisa estar ligada ao seu CPF. Mostre um documento com foto na recepção; "
    "sem isso, use o código de cada consulta na conversa."
)
_DE_OUTRA_CASA = (
    "A sua conta é de outra organização, e estas clínicas não são dela: aqui ela não prova quem você é, e entrar de novo não muda isso. "
    "Use o código de cada consulta na conversa, ou peça na recepção destas clínicas uma conta daqui."
)


async def find_proven(request: Request, fala: Papel = "paciente") -> Paciente | None:
    """The patient that whoever asks was proven to be; None for accounts that are bound to no CPF, and for who speaks for another."""
    conta = await _conta(request) if fala != "operador" else None
    return None if conta is None else paciente_of(conta)


async def get_proven(request: Request) -> Paciente:
    """The same. Raises SemPermissao where nobody was proven."""
    paciente = await find_proven(request)
    if paciente is None:
        raise SemPermissao(_DE_OUTRA_CASA if is_of_another_house(request) else _SO_COM_CONTA)
    return paciente


def is_of_another_house(request: Request) -> bool:
    """Whether whoever asks signed in at another tenant than the one whose the clinics are."""
    return scope_of(request).tenant_id != state_of(request).container.settings.tenant


def as_patient(request: Request, paciente: Paciente) -> Scope:
    """The scope in which that patient acts for themselves: by what was proven of the account, and not by its role."""
    scope = scope_of(request)
    return Scope(scope.tenant_id, scope.ator, PacienteProvado(scope.tenant_id, digits_of(paciente.cpf)))


async def _conta(request: Request) -> Conta | None:
    container = state_of(request).container
    return await find_conta_de(container.database, container.settings.tenant, scope_of(request))
