"""Opening the keys of an installation at its start: the master key is the database's own, and what was destroyed stays destroyed."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

import psycopg

from crivo.kernel.sigilo.cofre import Cofre
from crivo.kernel.sigilo.contas_antigas import seal_older_accounts
from crivo.kernel.sigilo.destruidas import Destruidas
from crivo.kernel.sigilo.erros import ChaveMestraErrada
from crivo.kernel.sigilo.mestra import fingerprint, master_key, same
from crivo.kernel.storage.rewriting import rewrite
from crivo.kernel.storage.urls import libpq_url

if TYPE_CHECKING:
    from crivo.kernel.settings import Settings

_CONNECT_SECONDS: Final = 5
CHAVE_MESTRA: Final = "chave_mestra"
_KNOWN: Final = "select valor from segredos where nome = %s"
_KNOW: Final = "insert into segredos (nome, valor) values (%s, %s) on conflict do nothing"
_AGAIN: Final = """
    update chaves_de_pessoas set embrulhada = null, destruida_em = now()
    where tenant_id = %s and id = any(%s) and destruida_em is null"""


def open_cofre(admin_url: str, settings: Settings) -> Cofre:
    """The keeper of keys of a database that was migrated. Raises ChaveMestraErrada, before anything is written."""
    destruidas = Destruidas(settings.data_dir.expanduser())
    with psycopg.connect(libpq_url(admin_url), autocommit=True, connect_timeout=_CONNECT_SECONDS) as connection:
        known = _known(connection)
        mestra = master_key(settings, may_create=known is None)
        if known is None:
            connection.execute(_KNOW, (CHAVE_MESTRA, fingerprint(mestra)))
            known = _known(connection)
        if known is None or not same(known, fingerprint(mestra)):
            raise ChaveMestraErrada(
                "A chave mestra não é a deste banco: o que está guardado não abriria. Use a que estava em CRIVO_CHAVE_MESTRA, ou devolva "
                "o arquivo chave-mestra da pasta de dados. Nada foi mudado."
            )
        again = 0
        for tenant_id, ids in destruidas.by_tenant().items():
            with connection.transaction():
                connection.execute("select set_config('app.tenant_id', %s, true)", (tenant_id,))
                again += connection.execute(_AGAIN, (tenant_id, ids)).rowcount
        cofre = Cofre(mestra, destruidas)
        seal_older_accounts(connection, cofre)
    if again:
        with suppress(psycopg.Error):
            rewrite(admin_url, own_server=not settings.database_url)
    return cofre


def _known(connection: psycopg.Connection) -> bytes | None:
    row = connection.execute(_KNOWN, (CHAVE_MESTRA,)).fetchone()
    return None if row is None else bytes(row[0])
