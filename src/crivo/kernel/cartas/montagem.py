"""Which way letters go out, as the settings have it: to a server, or where none is set into files."""

from __future__ import annotations

from email.headerregistry import Address
from typing import TYPE_CHECKING, Final

from crivo.kernel.cartas.correio import ENTREGAR
from crivo.kernel.cartas.entrega import Entrega
from crivo.kernel.cartas.mensagem import read_remetente
from crivo.kernel.cartas.saida import Pasta, Saida
from crivo.kernel.enderecos import host_of
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.storage.session import Database

if TYPE_CHECKING:
    from crivo.kernel.jobs.tasks import Task
    from crivo.kernel.settings import Settings

_ATTEMPTS: Final = 8  # of a job that the database fails; a letter that does not go is another matter
_NOBODY: Final = "nao-responda"


def open_entrega(settings: Settings, database: Database, fila: Fila) -> Entrega:
    """What delivers the letters of an installation."""
    return Entrega(database, fila, settings.clock, _saida(settings), remetente(settings))


def remetente(settings: Settings) -> Address:
    """Who letters come from; where nobody is named, an address of the site that nobody reads."""
    if settings.smtp_de:
        return read_remetente(settings.smtp_de)
    host = host_of(settings.endereco)
    return Address(username=_NOBODY, domain=host if "." in host and ":" not in host else "localhost")


def task_of(entrega: Entrega) -> Task:
    """The delivery of a letter, as work for workers."""
    from crivo.kernel.jobs.tasks import Task  # here, for the sake of commands that do not work

    return Task(ENTREGAR, entrega.run, entrega.give_up, attempts=_ATTEMPTS, waits=False)


def _saida(settings: Settings) -> Saida:
    if settings.smtp_url is None:
        return Pasta(settings.data_dir)
    from crivo.kernel.cartas.smtp import Smtp, read_servidor  # here, as most commands send nothing

    return Smtp(read_servidor(settings.smtp_url.get_secret_value()))
