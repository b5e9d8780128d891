"""The people of the demo: one of each role, with a link to sign in by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.kernel.access import Papel


@dataclass(frozen=True, slots=True)
class Pessoa:
    """Somebody made up, and where they begin."""

    nome: str
    email: str
    papel: Papel
    apresentada: str
    comeca_em: str


GESTORA: Final = Pessoa("Helena Prado", "gestao@demonstracao.exemplo", "gestor", "Gestora do edital", "/admin/editais")
ADMINISTRADORA: Final = Pessoa("Marta Lima", "administracao@demonstracao.exemplo", "admin", "Administradora", "/admin/pessoas")
PESSOAS: Final[Sequence[Pessoa]] = (
    GESTORA,
    Pessoa("Rita Camargo", "revisao@demonstracao.exemplo", "revisor", "Revisora de autorizações", "/autorizacoes/fila"),
    Pessoa("Caio Duarte", "recepcao@demonstracao.exemplo", "operador", "Recepcionista das clínicas", "/clinicas/conversa"),
    Pessoa("Ana Tavares", "paciente@demonstracao.exemplo", "paciente", "Paciente", "/clinicas/conversa"),
    ADMINISTRADORA,
)


@dataclass(frozen=True, slots=True)
class Entrada:
    """How somebody of the demo gets in: a token that serves once, within seven days."""

    apresentada: str
    token: str
    comeca_em: str


async def acting(container: Container, scope: Scope, one: Pessoa) -> Scope:
    """One of the people of the demo at work, who is made where they are not there yet."""
    from crivo.kernel.access import create_usuario, find_usuario
    from crivo.kernel.identity import Uuid7
    from crivo.kernel.sujeitos import Pessoa as Sujeito

    now, new_id = container.clock.now(), Uuid7(container.clock).new
    async with container.database.unit_of_work(scope) as uow:
        found = await find_usuario(uow, one.email) or await create_usuario(uow, now, new_id(), one.nome, one.email, one.papel)
    return Scope(scope.tenant_id, found.ator, Sujeito(scope.tenant_id, found.id, found.papel))


async def invite(container: Container, scope: Scope, edital_id: str) -> tuple[Entrada, ...]:
    """A way in for each of the people, who are made where they are not there yet, and for the first avaliador of the sample call."""
    from crivo.kernel.access import Sessoes, create_usuario, find_usuario
    from crivo.kernel.identity import Uuid7

    judges = (await container.triagem.edital(scope, edital_id)).avaliadores
    wanted = [*PESSOAS, *(Pessoa(one.nome, one.email, "avaliador", "Avaliadora de projetos", "/avaliacao") for one in judges[:1])]
    now, new_id = container.clock.now(), Uuid7(container.clock).new
    people = []
    async with container.database.unit_of_work(scope) as uow:
        for one in wanted:
            found = await find_usuario(uow, one.email)
            people.append((one, found or await create_usuario(uow, now, new_id(), one.nome, one.email, one.papel)))
    sessoes = Sessoes(container.database, container.clock)
    return tuple(
        [Entrada(one.apresentada, await sessoes.create_link(scope, usuario.ator, "convite"), one.comeca_em) for one, usuario in people]
    )
