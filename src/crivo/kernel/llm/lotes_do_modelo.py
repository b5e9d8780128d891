"""Lotes of the configured model: what has no answer yet is sent once, counts as spent meanwhile, and is in the ledger once it is back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from decimal import Decimal
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from crivo.kernel.clock import Clock
from crivo.kernel.llm import lotes_guardados
from crivo.kernel.llm.ledger import Call
from crivo.kernel.llm.lotes import DE_LOTE, Colheita, Envio, LoteRecusado, Lotes, Situacao, sells_lotes
from crivo.kernel.llm.lotes_guardados import Lote
from crivo.kernel.llm.port import Modelo, ModeloIndisponivel, Question
from crivo.kernel.logs import logger
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    from crivo.kernel.llm.consulta import Consulta
    from crivo.kernel.llm.encomendas import Encomendas
    from crivo.kernel.llm.envio import Escrita

# Longer than it takes to send a lote: whoever said that it was sending, and has said nothing since, is not there any more.
SENDING: Final = timedelta(minutes=10)
_SENDING_SECONDS: Final = 300.0


def open_lotes(settings: Settings, database: Database, clock: Clock, modelo: Modelo | None) -> Lotes | None:
    """Lotes of a model that is open; None where its service takes none."""
    if modelo is None or not sells_lotes(modelo.nome):
        return None
    from crivo.kernel.llm.consulta import Consulta  # here, for the sake of every command that asks no model

    return LotesDoModelo(settings, database, clock, modelo) if isinstance(modelo, Consulta) else None


class LotesDoModelo:
    """The `Lotes` of an installation."""

    def __init__(self, settings: Settings, database: Database, clock: Clock, consulta: Consulta) -> None:
        self._settings = settings
        self._database = database
        self._clock = clock
        self._consulta = consulta

    async def enviar(self, scope: Scope, lote_id: UUID, perguntas: Sequence[Question[Any]]) -> Envio:
        """As the port says."""
        lote = await self._get(scope, lote_id)
        if lote.provedor_id is not None:
            return "enviado"
        before = lote.enviando_desde
        if _is_fresh(before, self._clock.now()):
            return "espere"
        if before is not None and await self._found(scope, lote_id):
            return "enviado"
        asked = await self._unanswered(scope, perguntas)
        if not asked:
            return "nada_a_perguntar"
        escritas: dict[str, Escrita] = {}
        for nome, question in asked.items():
            escritas[nome] = await self._consulta.write(question)
            await asyncio.sleep(0)  # nothing of this waits: others go on
        custo = sum((self._consulta.estimate(question) for question in asked.values()), Decimal(0)) * DE_LOTE
        if not await self._claim(scope, lote_id, before, len(asked), custo):
            return "espere"
        provedor_id = await self._send(scope, lote_id, escritas)
        async with self._database.unit_of_work(scope) as uow:
            await lotes_guardados.mark_sent(uow, lote_id, provedor_id, self._clock.now())
        logger.info("lote_enviado", extra={"tenant": scope.tenant_id, "perguntas": len(asked)})
        return "enviado"

    async def olhar(self, scope: Scope, lote_id: UUID) -> Situacao:
        """As the port says."""
        lote = await self._get(scope, lote_id)
        async with self._encomendas() as encomendas:
            situacao = await encomendas.look(_sent(lote))
        async with self._database.unit_of_work(scope) as uow:
            await lotes_guardados.note_answered(uow, lote_id, situacao.respondidas)
        return situacao

    async def colher(self, scope: Scope, lote_id: UUID, perguntas: Sequence[Question[Any]]) -> Colheita:
        """As the port says."""
        lote = await self._get(scope, lote_id)
        async with self._encomendas() as encomendas:
            saida = await encomendas.fetch(_sent(lote))
        by_name = {_name_of(self._consulta.call_of(question)): question for question in perguntas}
        places = asyncio.Semaphore(self._settings.modelo_concorrencia)

        async def keep(nome: str, corpo: bytes) -> bool:
            async with places:
                return await self._consulta.finish(scope, by_name[nome], lote.origem, corpo, _once(lote, nome))

        known = {nome: corpo for nome, corpo in saida.corpos.items() if nome in by_name}
        kept = await asyncio.gather(*(keep(nome, corpo) for nome, corpo in known.items()))
        from crivo.kernel.llm.encomendas import spent_on

        strange = {nome: corpo for nome, corpo in saida.corpos.items() if nome not in by_name}
        for nome, corpo in strange.items():
            await self._consulta.note_lost(scope, lote.origem, spent_on(corpo), _once(lote, nome))
        colheita = Colheita(sum(kept), saida.com_erro, len(strange), saida.repetidas)
        logger.info(
            "lote_recolhido",
            extra={
                "tenant": scope.tenant_id,
                "perguntas": lote.perguntas,
                "recolhidas": colheita.recolhidas,
                "com_erro": colheita.com_erro,
                "estranhas": colheita.estranhas,
                "repetidas": colheita.repetidas,
            },
        )
        return colheita

    async def cancelar(self, scope: Scope, lote_id: UUID) -> bool:
        """As the port says."""
        lote = await self._get(scope, lote_id)
        if lote.provedor_id is None:
            if lote.enviando_desde is None:
                return False
            if _is_fresh(lote.enviando_desde, self._clock.now()):
                raise ModeloIndisponivel("fora_do_ar")
            if not await self._found(scope, lote_id):
                return False
            lote = await self._get(scope, lote_id)
        async with self._encomendas() as encomendas:
            await encomendas.cancel(_sent(lote))
        return True

    async def esquecer(self, scope: Scope, lote_id: UUID) -> None:
        """As the port says."""
        lote = await self._get(scope, lote_id)
        if lote.provedor_id is not None:
            async with self._encomendas() as encomendas:
                await encomendas.erase(lote.provedor_id)

    async def _send(self, scope: Scope, lote_id: UUID, escritas: Mapping[str, Escrita]) -> str:
        """The service's name for what it was sent. Only where it may have begun to answer is it left as being sent."""
        try:
            async with self._encomendas() as encomendas, asyncio.timeout(_SENDING_SECONDS):
                try:
                    arquivo = await encomendas.upload(lote_id, escritas)
                except ModeloIndisponivel:
                    async with self._database.unit_of_work(scope) as uow:
                        await lotes_guardados.unclaim(uow, lote_id)
                    raise
                return await encomendas.begin(lote_id, arquivo, next(iter(escritas.values())).caminho)
        except TimeoutError:
            raise ModeloIndisponivel("fora_do_ar") from None

    async def _found(self, scope: Scope, lote_id: UUID) -> bool:
        """Whether the service has a lote that somebody began to send; then that is noted."""
        async with self._encomendas() as encomendas:
            provedor_id = await encomendas.find(lote_id)
        if provedor_id is None:
            return False
        async with self._database.unit_of_work(scope) as uow:
            await lotes_guardados.mark_sent(uow, lote_id, provedor_id, self._clock.now())
        return True

    async def _unanswered(self, scope: Scope, perguntas: Sequence[Question[Any]]) -> dict[str, Question[Any]]:
        """What the ledger has no answer to, each once, by the name that it has in a lote."""
        asked: dict[str, Question[Any]] = {}
        for question in perguntas:
            call = self._consulta.call_of(question)
            if not await self._consulta.is_kept(scope, call):
                asked[_name_of(call)] = question
        return asked

    async def _claim(self, scope: Scope, lote_id: UUID, before: datetime | None, perguntas: int, custo: Decimal) -> bool:
        """Note that a lote is being sent; False where somebody else did since it was looked at."""
        async with self._database.unit_of_work(scope) as uow:
            lote = await lotes_guardados.find(uow, lote_id, lock=True)
            if lote is None or lote.encerrado_em is not None or lote.enviando_desde != before:
                return False
            await self._consulta.reserve(uow, custo)
            await lotes_guardados.claim(uow, lote_id, perguntas, custo, self._clock.now())
        return True

    async def _get(self, scope: Scope, lote_id: UUID) -> Lote:
        async with self._database.unit_of_work(scope) as uow:
            lote = await lotes_guardados.find(uow, lote_id)
        if lote is None:
            raise LoteRecusado("desconhecido")
        return lote

    @asynccontextmanager
    async def _encomendas(self) -> AsyncIterator[Encomendas]:
        from crivo.kernel.llm.encomendas import LARGEST_FILE_BYTES, Encomendas
        from crivo.kernel.llm.provedores import client_of, open_http

        async with open_http(self._settings, LARGEST_FILE_BYTES) as http:
            client = client_of(self._settings, self._settings.modelo, http)
            if client is None:
                raise ModeloIndisponivel("nao_aceito")
            yield Encomendas(client)


def _is_fresh(since: datetime | None, now: datetime) -> bool:
    return since is not None and now - since < SENDING


def _sent(lote: Lote) -> str:
    if lote.provedor_id is None:
        raise LoteRecusado("nao_enviado")
    return lote.provedor_id


def _name_of(call: Call) -> str:
    """What a question is called in a lote: the same question, the same name."""
    asked = call.modelo.encode(), call.prompt_digest, call.conteudo_digest, str(call.amostra).encode()
    return f"p-{sha256(b'|'.join(asked)).hexdigest()[:48]}"


def _once(lote: Lote, nome: str) -> bytes:
    return f"{lote.id}:{nome}".encode()
