"""A question on its way: looked for in the ledger, held to the budget, asked of the gateway, and kept as soon as it is answered."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from decimal import Decimal
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import msgspec

from crivo.kernel import medidas
from crivo.kernel.clock import Clock
from crivo.kernel.llm.esforco import patience
from crivo.kernel.llm.forma import answer_schema
from crivo.kernel.llm.ledger import Answer, Call, Kept, Ledger, of_nobody
from crivo.kernel.llm.limites import Limites, LimitesDaInstalacao
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

    from crivo.kernel.llm.gateway import Consumo, Gateway

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
        chosen = self._settings.modelo_temperatura
        temperatura = question.temperatura if chosen is None else chosen
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

    async def close(self) -> None:
        """Wait a moment for answers on their way, and close every connection."""
        await self._ledger.settle(_LAST_MOMENT_SECONDS)
        await self._limites.close()
        if self._opened is not None:
            await self._opened[1].aclose()

    async def _kept(self, scope: Scope, question: Question[T], temperatura: float | None, origem: str) -> Kept | Falha:
        call = Call(
            self.nome,
            _prompt_digest(question, temperatura, self._settings.modelo_esforco),
            content_digest(question.partes),
            question.amostra,
            content_secret(question.partes),
        )
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
        from crivo.kernel.llm.precos import estimate_cost, estimate_tokens

        entrada = estimate_tokens(question.prompt.texto) + estimate_tokens(render(question.partes, question.nonce))
        estimate = estimate_cost(self.nome, entrada, _EXPECTED_OUTPUT_TOKENS, familia=self._settings.modelo_familia)
        await self._orcamento.hold(uow, until, estimate or Decimal(0))

    async def _paid(self, scope: Scope, call: Call, question: Question[T], temperatura: float | None, origem: str) -> Answer:
        gateway = await self._gateway()
        from crivo.kernel.llm.gateway import Falhou

        with medidas.modelo_segundos.labels(self.nome).time():
            found = await gateway.ask(question, temperatura)
        if isinstance(found, Falhou):
            if found.consumos:
                await self._ledger.note(scope, of_nobody(call), origem, self._counted(_answer(b"", found.consumos)), question.agente)
            raise ModeloIndisponivel(found.falha)
        envelope = _Envelope(found.modelo, msgspec.Raw(msgspec.json.encode(found.valor)))
        return self._counted(_answer(msgspec.json.encode(envelope), found.consumos, provisoria=found.provisoria))

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

    custos = [
        cost(one.provedor.nome, one.modelo, one.entrada, one.saida, familia=one.provedor.familia, lidos=one.lidos) if one.contado else None
        for one in consumos
    ]
    known = [custo for custo in custos if custo is not None]
    total = sum(known, Decimal(0)) if len(known) == len(custos) else None
    return Answer(resposta, sum(one.entrada for one in consumos), sum(one.saida for one in consumos), total, provisoria)


def _prompt_digest(question: Question[T], temperatura: float | None, esforco: Esforco | None) -> bytes:
    """What is asked but for its content: the prompt, the form of the answer, how freely it is written, how hard the model is to think."""
    asked = (question.prompt.digest, answer_schema(question.resposta), temperatura, *(() if esforco is None else (esforco,)))
    return sha256(msgspec.json.encode(asked, order="sorted")).digest()
