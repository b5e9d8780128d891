"""What every command begins with: the options that all share, the settings, and the use cases over an open database."""

from __future__ import annotations

import asyncio
import os
import pwd
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from crivo.cli.saida import note
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.bootstrap import Container
    from crivo.kernel.settings import Settings

Result = TypeVar("Result")

Tenant = Annotated[
    str | None,
    typer.Option("--tenant", metavar="CÓDIGO", help="Organização em que o comando age; sem esta opção, a de CRIVO_TENANT."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Imprime JSON, para máquinas.")]


@dataclass(frozen=True, slots=True)
class Ambiente:
    """What was chosen on the command line for every command."""

    tenant: str | None
    json: bool

    @classmethod
    def of(cls, ctx: typer.Context, tenant: str | None, as_json: bool) -> Ambiente:
        """What was chosen at the command, over what was chosen before it."""
        before = ctx.obj if isinstance(ctx.obj, Ambiente) else Ambiente(None, json=False)
        return cls(tenant or before.tenant, as_json or before.json)

    def settings(self, **chosen: Any) -> Settings:
        """The settings of this process, under what was chosen on the command line (None: not chosen). Raises WrongSetting."""
        from crivo.kernel.settings import load_settings

        return load_settings(**{name: value for name, value in {"tenant": self.tenant, **chosen}.items() if value is not None})

    def use(
        self,
        work: Callable[[Container, Scope], Awaitable[Result]],
        chosen: Settings | None = None,
        *,
        any_organisation: bool = False,
        restoring: bool = False,
    ) -> Result:
        """Do some work with the use cases, over a database that is open for as long; under other settings where they are given.
        `restoring`: as the last part of bringing a copy back to this folder.

        An organisation that is not there is told of before the work begins, unless it is work for any. Raises InquilinoDesconhecido.
        """
        settings = chosen or self.settings()
        tell_if_new(settings)

        async def opened() -> Result:
            from crivo.bootstrap import open_container

            async with open_container(
                settings, any_organisation=any_organisation, restoring=restoring, on_suspended=_warn_of_the_suspension
            ) as container:
                scope = scope_of(settings)
                if settings.agora is None:
                    await _warn_of_the_clock(container, scope)
                return await work(container, scope)

        return asyncio.run(opened())


def has_installation(settings: Settings) -> bool:
    """Whether there is a database to be used, and none would be made."""
    from crivo.kernel.storage.embedded import is_new

    return bool(settings.database_url) or not is_new(settings.data_dir)


def tell_if_new(settings: Settings) -> None:
    """Say where a database is about to be made: whoever runs a command in another folder than they meant makes another installation."""
    from crivo.kernel.storage.embedded import is_new

    if not settings.database_url and is_new(settings.data_dir):
        place = settings.data_dir.expanduser().absolute()
        note(f"Instalação nova em {place}: ainda não há nenhuma ali. Se a sua é outra, rode o comando na pasta em que está o .env dela.")


def _warn_of_the_suspension(organizacao: str) -> None:
    note(f"Atenção: a organização '{organizacao}' está suspensa. Ninguém dela entra, mas os comandos desta máquina continuam.")


async def _warn_of_the_clock(container: Container, scope: Scope) -> None:
    from crivo.kernel.relogio import behind

    async with container.database.unit_of_work(scope) as uow:
        told = await behind(uow, container.clock)
    if told is not None:
        note(f"Atenção: {told}.")


def scope_of(settings: Settings) -> Scope:
    """The tenant of the settings, worked in by whoever runs the program."""
    return Scope(settings.tenant, f"cli:{_login()}", CONSOLE)


def _login() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:  # a container may run under a number that has no name
        return str(os.getuid())
