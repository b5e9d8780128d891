"""What open conversations hold of people, told and erased at their request. Source: LGPD, art. 18.

They are found in the tenant whose the clinics are, by the CPF of everybody who is told of in them, and end with their row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.sigilo import Aplicacao, Identidade
from crivo.kernel.storage.session import UnitOfWork

if TYPE_CHECKING:
    from crivo.clinicas.guarda import Guardada

_TELLING_OF: Final = "select id from conversas where tenant_id = %s and pessoas @> array[%s]::bytea[] order by id"
_END: Final = "delete from conversas where tenant_id = %s and id = any(%s::uuid[])"


class AcervoDeConversas:
    """Conversations, each under a key that stands beside it, found by the keyed digests of CPFs."""

    aplicacao: Final[Aplicacao] = "clinicas"

    async def found(self, uow: UnitOfWork, identidade: Identidade) -> Sequence[UUID]:
        """Those in which the person is told of by their CPF."""
        digest = uow.cofre.index(uow.scope.tenant_id, "cpf", identidade.cpf)
        if digest is None:
            return []
        return list((await uow.connection.exec_driver_sql(_TELLING_OF, (uow.scope.tenant_id, digest))).scalars())

    async def held(self, uow: UnitOfWork, registros: Sequence[UUID]) -> list[dict[str, Any]]:
        """Each as it was said so far; of one that tells of others too, only that there is one."""
        from crivo.clinicas.storage import some  # here, as every start that asks for nobody's data looks for what there is to erase

        return [_told(one) for one in await some(uow, registros)]

    async def kept_by_law(self, uow: UnitOfWork, registros: Sequence[UUID]) -> Mapping[UUID, str]:
        """None: what was booked stands in the agenda of the clinic."""
        return {}

    async def erase(self, uow: UnitOfWork, registros: Sequence[UUID]) -> int:
        """End them, with their keys."""
        return (await uow.connection.exec_driver_sql(_END, (uow.scope.tenant_id, list(registros)))).rowcount

    async def expired(self, uow: UnitOfWork, limite: datetime) -> Sequence[UUID]:
        """None: each ends by itself after half an hour of silence."""
        return []

    async def seal_older(self, uow: UnitOfWork, em: datetime) -> int:
        """Nothing: no conversation was ever kept in the clear."""
        return 0


def _told(one: Guardada) -> dict[str, Any]:
    told: dict[str, Any] = {"conversa": one.id, "papel": one.estado.papel, "ultima_fala": datetime.fromtimestamp(one.falada_em, UTC)}
    if len({digits_of(cpf) for cpf in one.estado.memoria.cpfs}) == 1:
        told["turnos"] = [{"mensagem": turno.mensagem, "resposta": turno.texto} for turno in one.estado.turnos]
    return told
