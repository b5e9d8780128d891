"""Use cases of whoever has a diligência's code, and is nobody known otherwise: see what is asked, and answer in time."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final
from uuid import UUID

from crivo.kernel.clock import Clock
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.prazos import is_in_time
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import InvalidTenant, Scope
from crivo.triagem.diligencias.escrita import at_hour
from crivo.triagem.diligencias.guardadas import Arquivo, Diligencia, Publica
from crivo.triagem.diligencias.recebimento import receive
from crivo.triagem.diligencias.servico import resumo_of
from crivo.triagem.erros import DiligenciaEncerrada, DiligenciaNotFound
from crivo.triagem.storage import diligencias, editais, projetos

PROPONENTE: Final = "proponente"
_CODE: Final = re.compile(r"[a-z2-7]{24}")
_NONE: Final = "Não há diligência com este código. Confira o endereço que você recebeu, letra por letra, ou fale com quem cuida do edital."


class Respostas:
    """Answers to diligências, by their codes alone."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID], fila: Fila) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._fila = fila

    async def ver(self, tenant_id: str, codigo: str) -> Publica:
        """What a diligência asks, and what was answered. Raises DiligenciaNotFound, for a code of another organisation too."""
        async with self._database.unit_of_work(_scope(tenant_id)) as uow:
            found = await _get(uow, codigo)
            edital = (await editais.get(uow, found.edital_id)).edital
            heads = await projetos.cabecalhos_of(uow, found.edital_id, [found.projeto])
            now = self._clock.now()
            situacao = found.situacao(now)
            return Publica(
                edital.orgao,
                edital.nome,
                found.projeto,
                heads[found.projeto].titulo if found.projeto in heads else found.projeto,
                found,
                situacao,
                situacao != "cancelada" and is_in_time(now, found.prazo),
                await diligencias.envios_of(uow, found),
            )

    async def responder(self, tenant_id: str, codigo: str, texto: str, arquivos: Sequence[Arquivo]) -> str:
        """Answer, or add to an answer: the receipt, hexadecimal. What came before stays.

        Raises DiligenciaNotFound; DiligenciaEncerrada after the deadline and where it was cancelled; RespostaInvalida.
        """
        async with self._database.unit_of_work(_scope(tenant_id)) as uow:
            found = await _get(uow, codigo)
            await diligencias.lock(uow, found.id)
            found = await _get(uow, codigo)
            now = self._clock.now()
            if found.cancelada_em is not None:
                raise DiligenciaEncerrada("Esta diligência foi cancelada por quem cuida do edital: você não precisa responder.")
            if not is_in_time(now, found.prazo):
                ended = f"O prazo terminou em {at_hour(found.prazo)}."
                raise DiligenciaEncerrada(f"{ended} Fale com quem cuida do edital: se houver razão, o prazo pode ser prorrogado.")
            chave = await diligencias.key_of(uow, found)
            if chave is None:
                raise DiligenciaNotFound(_NONE)
            guardado = await editais.get(uow, found.edital_id)
            return await receive(uow, self._fila, self._new_id, guardado, found, chave, texto, arquivos, None, now)


def _scope(tenant_id: str) -> Scope:
    try:
        return Scope(tenant_id, PROPONENTE)
    except InvalidTenant:
        raise DiligenciaNotFound(_NONE) from None


async def _get(uow: UnitOfWork, codigo: str) -> Diligencia:
    plain = "".join(codigo.split()).replace("-", "").lower()
    found = await diligencias.find_by_resumo(uow, resumo_of(plain)) if _CODE.fullmatch(plain) else None
    if found is None or found.pedida is None:
        raise DiligenciaNotFound(_NONE)
    return found
