"""What can go wrong between this program and its database, told by its SQLSTATE."""

from __future__ import annotations

from typing import ClassVar, Final

from crivo.kernel.errors import CrivoError, Kind


class BancoIndisponivel(CrivoError):
    """The database does not answer, or hung up; the same request may be sent again later."""

    codigo: ClassVar[str] = "banco_indisponivel"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "O banco de dados não respondeu"


class DiscoCheio(CrivoError):
    """The database has no room left to write."""

    codigo: ClassVar[str] = "disco_cheio"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "O disco do banco de dados está cheio"


class ConflitoDeEscrita(CrivoError):
    """Two writers met on the same rows, and this one lost; nothing of it was kept."""

    codigo: ClassVar[str] = "conflito_de_escrita"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Outra gravação chegou antes"


class InquilinoDesconhecido(CrivoError):
    """A write was tried in a tenant that this database does not have."""

    codigo: ClassVar[str] = "inquilino_desconhecido"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Organização desconhecida"


class PapelInseguro(CrivoError):
    """The database role could see past row-level security, so nothing is read or written as it."""

    codigo: ClassVar[str] = "papel_inseguro"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Papel do banco inseguro"


class MigracaoImpossivel(CrivoError):
    """The schema could not be brought to the version that this program works with."""

    codigo: ClassVar[str] = "migracao_impossivel"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Não foi possível preparar o banco de dados"


class EsquemaMudou(BancoIndisponivel):
    """The schema is not the one that this program works with any more: another version of crivo brought it there while this one ran.

    This process does nothing more in it; what it had stored stays. It is to be started again, as the version that the schema is of.
    """

    codigo: ClassVar[str] = "esquema_mudou"
    kind: ClassVar[Kind] = Kind.UNAVAILABLE
    titulo: ClassVar[str] = "O crivo foi atualizado"


# SQLSTATEs: https://www.postgresql.org/docs/current/errcodes-appendix.html
_DISK_FULL: Final = "53100"
_CONFLICTS: Final = frozenset({"40001", "40P01", "55P03", "23505"})  # serialization, deadlock, lock timeout, the same key twice
_FOREIGN_KEY: Final = "23503"
_AWAY_CLASSES: Final = ("08", "28", "53", "58")  # connection, authentication, resources, the server's own input and output
_AWAY: Final = frozenset(
    {"57P01", "57P02", "57P03", "57P05", "57014", "25P03", "3D000"}
)  # shut down, starting, cancelled, timed out, no database


def unavailable(*, examining: bool = False) -> BancoIndisponivel:
    """The error for a database that does not answer. `examining`: whoever hears of it is the one who examines the installation."""
    told = (
        "O banco de dados não respondeu ou recusou a conexão. O que já estava gravado continua a salvo: tente de novo em instantes; "
        "se continuar, confira CRIVO_DATABASE_URL"
    )
    return BancoIndisponivel(f"{told}." if examining else f"{told} e rode 'crivo doutor'.")


def disk_full() -> DiscoCheio:
    """The error for a database that has no room left."""
    return DiscoCheio("O disco do banco de dados está cheio. Libere espaço e tente de novo; o que já estava gravado continua a salvo.")


def schema_moved(found: str | None, own: str) -> EsquemaMudou:
    """The error for a schema at version `found`, under a program that works with `own`."""
    if found is not None and found > own:
        return EsquemaMudou(
            f"O banco de dados passou à versão {found}, de um crivo mais novo; este processo conhece até a {own} e não mexe mais nele. "
            "O que foi gravado continua a salvo: tente de novo em instantes, quando a versão nova atender."
        )
    return EsquemaMudou(
        f"O banco de dados está na versão {found or 'nenhuma'}, anterior à {own} deste processo, como depois de restaurar um backup. "
        "Inicie o crivo de novo: ao iniciar ele traz o banco à sua versão."
    )


def crivo_error_of(sqlstate: str | None, disconnected: bool, constraint: str | None = None) -> CrivoError | None:
    """The error of the tree that a failure of PostgreSQL stands for, or None where the failure is a fault of this program."""
    if sqlstate == _DISK_FULL:
        return disk_full()
    if sqlstate in _CONFLICTS:
        return ConflitoDeEscrita("Outra gravação mexeu nos mesmos dados ao mesmo tempo. Nada desta foi gravado: tente de novo.")
    if sqlstate == _FOREIGN_KEY and (constraint or "").endswith("_do_inquilino"):
        return InquilinoDesconhecido("Esta organização não existe neste banco de dados. Confira CRIVO_TENANT ou a opção --tenant.")
    if disconnected or sqlstate in _AWAY or (sqlstate or "").startswith(_AWAY_CLASSES):
        return unavailable()
    return None
