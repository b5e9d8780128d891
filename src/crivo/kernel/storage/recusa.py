"""Why a database was not reached: the server is away, refuses who asks, does not have that database, or its address is written wrong.

libpq keeps the SQLSTATE of a refused connection to itself. What is left are its own kinds, and the names that the server says back in
quotes, in whatever language it speaks; neither its text nor the password is ever shown.
"""

from __future__ import annotations

import re
from typing import Final

import psycopg
from psycopg.conninfo import conninfo_to_dict

from crivo.kernel.errors import CrivoError
from crivo.kernel.storage.errors import BancoIndisponivel, crivo_error_of
from crivo.kernel.storage.urls import hosts_of, is_badly_escaped, libpq_url

_UNRESOLVED: Final = "failed to resolve host"  # psycopg's own words, which nobody translates
_NAMED: Final = re.compile(r'"([^"]*)"')
_ESCAPE: Final = (
    "O endereço em CRIVO_DATABASE_URL não é lido como se quis: na senha ou no papel há um caractere que ali se escreve com %. "
    "Escreva @ como %40, / como %2F, : como %3A, ? como %3F, # como %23 e % como %25."
)


def crivo_error_from(error: psycopg.Error, url: str) -> CrivoError | None:
    """The error of the tree for a failure of the database at an address, told apart where no connection came to be; None where the failure
    is a fault of this program.
    """
    told = _refused(error, url)
    if told is not None:
        return BancoIndisponivel(told)
    return crivo_error_of(error.sqlstate, disconnected=error.sqlstate is None)


def _refused(error: psycopg.Error, url: str) -> str | None:
    """What is wrong with a connection that was never made (pt-BR); None for one that was, or that nothing more can be said of."""
    line, unresolved = error.pgconn, str(error).startswith(_UNRESOLVED)
    if not (line is not None or unresolved or isinstance(error, psycopg.ProgrammingError)) or error.sqlstate is not None:
        return None
    if is_badly_escaped(url):  # what stands for a server there may be a piece of the password
        return _ESCAPE
    where = " nem em ".join(hosts_of(url))
    if not where or (line is None and not unresolved):  # an embedded one, by its socket; or an address that no rule above knows
        return None
    if unresolved:
        return f"O nome do servidor de {where} não é conhecido nesta máquina. Confira o servidor em CRIVO_DATABASE_URL, e a rede."
    given = _given(url)
    if line is not None and line.needs_password:
        return f"O servidor em {where} pede a senha do papel '{given[0]}', e CRIVO_DATABASE_URL não a tem. Escreva-a nele, depois do papel."
    _, answered, said = str(error).rpartition("FATAL")
    if not answered:  # the word is the same in every language: nobody said anything
        return f"Não há PostgreSQL que atenda em {where}. Confira o servidor e a porta em CRIVO_DATABASE_URL, a rede, e se ele está no ar."
    return _unwelcome(where, given, set(_NAMED.findall(said)))


def _given(url: str) -> tuple[str, str]:
    """The role and the database that an address names."""
    given = conninfo_to_dict(libpq_url(url))
    papel = str(given.get("user") or "")
    return papel, str(given.get("dbname") or papel)


def _unwelcome(where: str, given: tuple[str, str], named: set[str]) -> str | None:
    """What a server meant that refused a role or a database, by which of them it named."""
    papel, banco = given
    match papel in named, banco in named:
        case True, True if papel != banco:
            told = f"não deixa o papel '{papel}' entrar no banco '{banco}' a partir desta máquina. Confira o pg_hba.conf dele."
        case True, True:
            told = f"recusou o papel '{papel}' ou a senha dele, ou não tem o banco '{banco}'. Confira-os em CRIVO_DATABASE_URL."
        case True, False:
            told = f"recusou o papel '{papel}' ou a senha dele. Confira os dois em CRIVO_DATABASE_URL."
        case False, True:
            told = f"não tem o banco '{banco}'. Confira o nome em CRIVO_DATABASE_URL, ou crie-o com: createdb -O {papel} {banco}"
        case _:  # starting, full, shutting down
            return None
    return f"O servidor em {where} {told}"
