"""A question on its way: looked for in the ledger, held to the budget, asked of the gateway, and kept as soon as it is answered."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Mapping
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import replace
from decimal import Decimal
from functools import cache
from hashlib import sha256
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from crivo.kernel import medidas
from crivo.kernel.clock import Clock
from crivo.kernel.llm.esforco import patience
from crivo.kernel.llm.forma import answer_schema
from crivo.kernel.llm.ledger import Answer, Call, Kept, Ledger, of_nobody
from crivo.kernel.llm.limites import Limites, LimitesDaInstalacao
from crivo.kernel.llm.lotes import DE_LOTE
from crivo.kernel.llm.marcacao import content_digest, content_secret, render
from crivo.kernel.llm.orcamento import Orcamento
from crivo.kernel.llm.port import Falha, ModeloIndisponivel, Question, Reply, Roteiro, T
from crivo.kernel.llm.telemetria import call_span
from crivo.kernel.settings import SIMULADO, Esforco, Settings
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

if TYPE_CHECKING:
    import httpx2

    from crivo.kernel.llm.envio import Escrita
    from crivo.kernel.llm.gateway import Consumo, Falhou, Gateway, Obtida
    from crivo.kernel.llm.lotes import Gasta

_LAST_MOMENT_SECONDS: Final = 10.0
_EXPECTED_OUTPUT_TOKENS: Final = 1_000  # of an answer that is not there yet, when the budget is held


class _Envelope(msgspec.Struct, frozen=True):
    """An answer as the ledger keeps it, with the model that gave it."""

    modelo: str
    valor: msgspec.Raw


class Consulta:
    """The `Modelo` of an installation. What is heavy is loaded with the first question that no ledger answers."""

    def __init__(self, settings: Settings, database: Database, clock: Clock, roteiros: Mapping[str, Roteiro]) -> None:
        self._settings = settings
        self._clock = clock
        self._roteiros = roteiros
        self._ledger = Ledger(database, clock)
        self._orcamento = Orcamento(clock, settings.limite_custo)
        self._limites = LimitesDaInstalacao(database, concorrencia=settings.modelo_concorrencia, por_minuto=settings.modelo_por_minuto)
        self._opening = asyncio.Lock()
        self._opened: tuple[Gateway, httpx2.AsyncClient] | None = None

    @property
    def nome(self) -> str:
        """As CRIVO_MODELO has it."""
        return self._settings.modelo

    @property
    def simulado(self) -> bool:
        """Whether code plays the model's part."""
        return self._settings.modelo == SIMULADO

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        """As the port says."""
        temperatura = self._temperature_of(question)
        with call_span(self.nome, question.agente, temperatura) as span:
            kept = await self._kept(scope, question, temperatura, origem)
            reply = kept if isinstance(kept, str) else _reply(kept, question)
            if isinstance(reply, str):
                span.failed(reply)
                medidas.modelo_chamadas.labels(self.nome, reply).inc()
                raise ModeloIndisponivel(reply)
            medidas.modelo_chamadas.labels(self.nome, _outcome(reply)).inc()
            span.answered(reply.modelo, reply.tokens_entrada, reply.tokens_saida, repetida=reply.repetida)
            return reply

    def call_of(self, question: Question[Any]) -> Call:
        """What a question is in the ledger: by whatever way its answer comes, it is found by this."""
        return Call(
            self.nome,
            _prompt_digest(question, self._temperature_of(question), self._settings.modelo_esforco),
            content_digest(question.partes),
            question.amostra,
            content_secret(question.partes),
            question.prompt.versao,
        )

    async def is_kept(self, scope: Scope, call: Call) -> bool:
        """Whether there is an answer to a call already."""
        return await self._ledger.find(scope, call) is not None

    async def write(self, question: Question[Any]) -> Escrita:
        """What a question would be sent as. Raises ModeloIndisponivel (`nao_aceito`)."""
        return await (await self._gateway()).write(question, self._temperature_of(question))

    def estimate(self, question: Question[Any]) -> Decimal:
        """What a question may cost in dollars; nothing where its price is not known."""
        from crivo.kernel.llm.precos import estimate_cost, estimate_tokens

        entrada = estimate_tokens(question.prompt.texto) + estimate_tokens(render(question.partes, question.nonce))
        return estimate_cost(self.nome, entrada, _EXPECTED_OUTPUT_TOKENS, familia=self._settings.modelo_familia) or Decimal(0)

    async def reserve(self, uow: UnitOfWork, custo: Decimal) -> None:
        """Raises ModeloIndisponivel (`orcamento`) where so many dollars more would be beyond the month's limit."""
        with ExitStack() as until:
            await self._orcamento.hold(uow, until, custo)

    async def finish(self, scope: Scope, question: Question[Any], origem: str, corpo: bytes, once: bytes) -> bool:
        """Keep what a question was answered in a lote, told its fault once where it has one; whether an answer is kept now.

        What cannot be used is noted as paid, `once`.
        """
        call = self.call_of(question)

        async def finished() -> Answer:
            found = await (await self._gateway()).finish(question, self._temperature_of(question), corpo)
            return await self._accounted(scope, of_nobody(call, once), question, origem, found)

        try:
            kept = await self._ledger.answer(scope, call, origem, finished, question.agente)
        except ModeloIndisponivel:
            return False
        return not kept.answer.provisoria

    async def note_lost(self, scope: Scope, origem: str, gasto: Gasta, once: bytes) -> None:
        """Note as paid an answer to nothing that is asked any more."""
        from crivo.kernel.llm.precos import cost

        custo = cost(self.nome, gasto.modelo, gasto.entrada, gasto.saida, familia=self._settings.modelo_familia)
        answer = Answer(b"", gasto.entrada, gasto.saida, None if custo is None else custo * DE_LOTE)
        unknown = sha256().digest()
        await self._ledger.note(scope, of_nobody(Call(self.nome, unknown, unknown), once), origem, self._counted(answer))

    def _temperature_of(self, question: Question[Any]) -> float | None:
        chosen = self._settings.modelo_temperatura
        return question.temperatura if chosen is None else chosen

    async def close(self) -> None:
        """Wait a moment for answers on their way, and close every connection."""
        await self._ledger.settle(_LAST_MOMENT_SECONDS)
        await self._limites.close()
        if self._opened is not None:
            await self._opened[1].aclose()

    async def _kept(self, scope: Scope, question: Question[T], temperatura: float | None, origem: str) -> Kept | Falha:
        call = self.call_of(question)
        try:
            if self._opened is None and (kept := await self._ledger.find(scope, call)) is not None:
                return kept
            await self._gateway()
            return await self._ledger.answer(
                scope,
                call,
                origem,
                lambda: self._paid(scope, call, question, temperatura, origem),
                question.agente,
                lambda uow, until: self._hold(uow, question, until),
            )
        except ModeloIndisponivel as error:
            return error.falha
        except BancoIndisponivel:
            return "fora_do_ar"

    async def _hold(self, uow: UnitOfWork, question: Question[T], until: ExitStack) -> None:
        """Count what the question may cost as spent while it is on its way."""
        await self._orcamento.hold(uow, until, self.estimate(question))

    async def _paid(self, scope: Scope, call: Call, question: Question[T], temperatura: float | None, origem: str) -> Answer:
        gateway = await self._gateway()
        began = perf_counter()
        with medidas.modelo_segundos.labels(self.nome).time():
            found = await gateway.ask(question, temperatura)
        took = round((perf_counter() - began) * 1000)
        return await self._accounted(scope, of_nobody(call), question, origem, found, took)

    async def _accounted(
        self, scope: Scope, nobodys: Call, question: Question[T], origem: str, found: Obtida[T] | Falhou, took: int | None = None
    ) -> Answer:
        """The answer that was had, as the ledger keeps it, in so many milliseconds; where none was, that is noted under a call of nobody's.

        Raises ModeloIndisponivel then.
        """
        from crivo.kernel.llm.gateway import Falhou

        if isinstance(found, Falhou):
            failed = replace(
                self._counted(_answer(b"", found.consumos)), duracao_ms=took, falha=found.falha, respondeu=_asked_last(found.consumos)
            )
            # One that cost nothing is only a trace: where it cannot be kept, whoever asked is told of the failure itself.
            with nullcontext() if found.consumos else suppress(BancoIndisponivel):
                await self._ledger.note(scope, nobodys, origem, failed, question.agente)
            raise ModeloIndisponivel(found.falha)
        envelope = _Envelope(found.modelo, msgspec.Raw(msgspec.json.encode(found.valor)))
        answer = _answer(msgspec.json.encode(envelope), found.consumos, provisoria=found.provisoria)
        return replace(self._counted(answer), duracao_ms=took, respondeu=found.modelo)

    def _counted(self, answer: Answer) -> Answer:
        """The same, once it is told what was paid for it."""
        medidas.modelo_tokens.labels(self.nome, "entrada").inc(answer.tokens_entrada)
        medidas.modelo_tokens.labels(self.nome, "saida").inc(answer.tokens_saida)
        medidas.modelo_custo.labels(self.nome).inc(float(answer.custo or 0))
        return answer

    async def _gateway(self) -> Gateway:
        async with self._opening:
            if self._opened is None:
                self._opened = await asyncio.to_thread(_open_gateway, self._settings, self._clock, self._limites, self._roteiros)
            return self._opened[0]


def _open_gateway(
    settings: Settings, clock: Clock, limites: Limites, roteiros: Mapping[str, Roteiro]
) -> tuple[Gateway, httpx2.AsyncClient]:
    import crivo.kernel.llm.precos  # noqa: F401 - loaded here, out of the way of whoever waits for the event loop
    from crivo.kernel.llm.gateway import PACIENCIA_SECONDS, Gateway
    from crivo.kernel.llm.provedores import effort_meant, open_http, provedores_of

    http, effort = open_http(settings), effort_meant(settings)
    gateway = Gateway(
        provedores_of(settings, http, roteiros),
        clock,
        limites=limites,
        segundos=patience(settings.modelo_segundos, effort),
        paciencia=patience(PACIENCIA_SECONDS, effort),
    )
    return gateway, http


@cache
def _keep_out_of_collections() -> None:
    """What was just loaded is most of the program, and never garbage: no full collection need walk it again."""
    gc.collect()
    gc.freeze()


def _asked_last(consumos: tuple[Consumo, ...]) -> str:
    return consumos[-1].provedor.nome if consumos else ""


def _outcome(reply: Reply[T]) -> str:
    if reply.provisoria:
        return "provisoria"
    return "repetida" if reply.repetida else "respondida"


def _reply(kept: Kept, question: Question[T]) -> Reply[T] | Falha:
    answer = kept.answer
    try:
        envelope = msgspec.json.decode(answer.resposta, type=_Envelope)
        valor = msgspec.json.decode(envelope.valor, type=question.resposta)
    except msgspec.DecodeError:
        return "fora_do_formato"
    taken = answer.tokens_entrada, answer.tokens_saida, answer.custo
    return Reply(valor, envelope.modelo, *taken, repetida=kept.repetida, provisoria=answer.provisoria)


def _answer(resposta: bytes, consumos: tuple[Consumo, ...], *, provisoria: bool = False) -> Answer:
    from crivo.kernel.llm.precos import cost

    def paid(one: Consumo) -> Decimal | None:
        if not one.contado:
            return None
        custo = cost(one.provedor.nome, one.modelo, one.entrada, one.saida, familia=one.provedor.familia, lidos=one.lidos)
        return custo * DE_LOTE if custo is not None and one.de_lote else custo

    custos = [paid(one) for one in consumos]
    known = [custo for custo in custos if custo is not None]
    total = sum(known, Decimal(0)) if len(known) == len(custos) else None
    return Answer(resposta, sum(one.entrada for one in consumos), sum(one.saida for one in consumos), total, provisoria)


def _prompt_digest(question: Question[T], temperatura: float | None, esforco: Esforco | None) -> bytes:
    """What is asked but for its content: the prompt, the form of the answer, how freely it is written, how hard the model is to think."""
    asked = (question.prompt.digest, answer_schema(question.resposta), temperatura, *(() if esforco is None else (esforco,)))
    return sha256(msgspec.json.encode(asked, order="sorted")).digest()
