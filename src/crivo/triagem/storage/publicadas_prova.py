"""What the audit holds of a published result: the entry that tells of it, and whether it still stands where it was written."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from crivo.kernel.audit import DIGESTS, Entry, next_digest, read_seals
from crivo.kernel.audit.ledger import entry_of
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.publicacao.conteudo import digest_of
from crivo.triagem.publicacao.guardados import Prova, Versao
from crivo.triagem.seladas import RESULTADOS_PUBLICADOS
from crivo.triagem.storage.editais import get_by_codigo

_FIELDS: Final = "tenant_id, seq, em, ator, acao, alvo, dados, digest_anterior, digest"
_FIND: Final = f"""
    select {_FIELDS} from auditoria where tenant_id = %(tenant)s and acao = 'resultado.publicado' and alvo = %(alvo)s
      and strpos(dados, %(codigo)s) > 0 and (%(seq)s::bigint is null or seq = %(seq)s::bigint) order by seq limit 1"""
_BESIDE: Final = "select seq, digest, digest_anterior from auditoria where tenant_id = %(tenant)s and seq in (%(before)s, %(after)s)"
_HEAD: Final = "select seq, digest from auditoria_cabecas where tenant_id = %s"
_ORGANIZATION: Final = "select nome from tenants where id = %s"


async def proof_of(uow: UnitOfWork, versao: Versao, seq: int | None = None) -> Prova | None:
    """The entry that tells of a version, at once where its place `seq` in the chain is known; None where there is none.

    It is `firme` where it is sealed over the entry before it and under the one after it (or the end of the chain), and vouches for the row
    with its bytes as they are stored.
    """
    tenant, edital_id = uow.scope.tenant_id, (await get_by_codigo(uow, versao.publicada.edital_id)).id
    wanted = {"tenant": tenant, "alvo": f"edital:{edital_id}", "codigo": f'"codigo":"{versao.publicada.codigo}"', "seq": seq}
    row = (await uow.connection.exec_driver_sql(_FIND, wanted)).one_or_none()
    if row is None:
        return None
    entry = entry_of(row)
    told: dict[str, Any] = msgspec.json.decode(entry.dados)
    seals = await read_seals(uow, RESULTADOS_PUBLICADOS, {"edital_id": edital_id, "versao": versao.publicada.versao})
    stored = told.get("sha256") == versao.publicada.sha256 == digest_of(versao.escrito)
    return Prova(entry.seq, entry.em, entry.digest.hex(), stored and told.get(DIGESTS) == seals and await _is_linked(uow, entry))


async def _is_linked(uow: UnitOfWork, entry: Entry) -> bool:
    beside = {"tenant": uow.scope.tenant_id, "before": entry.seq - 1, "after": entry.seq + 1}
    around = {row.seq: row for row in await uow.connection.exec_driver_sql(_BESIDE, beside)}
    fields = (entry.tenant_id, entry.seq, entry.em, entry.ator, entry.acao, entry.alvo, entry.dados)
    if next_digest(entry.digest_anterior, *fields) != entry.digest:
        return False
    if entry.seq > 1 and (entry.seq - 1 not in around or bytes(around[entry.seq - 1].digest) != entry.digest_anterior):
        return False
    if entry.seq + 1 in around:
        return bytes(around[entry.seq + 1].digest_anterior) == entry.digest
    head = (await uow.connection.exec_driver_sql(_HEAD, (uow.scope.tenant_id,))).one_or_none()
    return head is not None and head.seq == entry.seq and bytes(head.digest) == entry.digest


async def organization_name(uow: UnitOfWork) -> str | None:
    """What people call the organisation; None where there is none."""
    name: str | None = (await uow.connection.exec_driver_sql(_ORGANIZATION, (uow.scope.tenant_id,))).scalar_one_or_none()
    return name
