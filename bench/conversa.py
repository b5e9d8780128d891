"""A turn of conversation that asks two clinics, beside a bare HTTP round trip; and six clinics asked at once, beside two."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import msgspec
import uvloop

from bench.clinicas import cpf_of, rpc
from bench.linhas import Linha, Meta, measured
from bench.rajada import request_bytes
from bench.servidor import free_port
from crivo.clinicas.clinica.tokens import LONGEST_SECONDS
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Answer, Caller, Transport, http_transport
from crivo.clinicas.orquestrador.contracts import Paciente, Step
from crivo.clinicas.orquestrador.trace import nobody
from crivo.clinicas.registro import REGISTRO_PADRAO, Clinica, Registro
from crivo.clinicas.service import Clinicas, Conversations

META_TURNO: Final = Meta("<=", 1)
META_SEIS: Final = Meta("<=", 1.3)
VEZES: Final = 40  # of each in a round
DISTANCIA: Final = 0.02  # seconds there and back, as to another town
_FOLGA_MS: Final = 5.0
_PESSOA: Final = Paciente("Ana Braga", cpf_of(1))
_LISTING: Final[Action] = "list_available_slots"

Work = Callable[[], Awaitable[object]]


class WrongTurn(Exception):
    """A turn did not ask the clinics that it should have, or they did not all answer: its time would be that of something else."""


class Distante:
    """A transport to clinics that are so many seconds away."""

    def __init__(self, transport: Transport, seconds: float) -> None:
        self._transport = transport
        self._seconds = seconds

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        """The answer, later."""
        await asyncio.sleep(self._seconds)
        return await self._transport.call(step, action, caller, seconds)


class LinhaDireta:
    """One connection that is kept open to a clinic, and sends it the same call over and over."""

    def __init__(self, clinica: Clinica, token: str) -> None:
        self._clinica = clinica
        self._request = request_bytes("/mcp", token, msgspec.json.encode(rpc(_LISTING, {})))

    async def open(self) -> None:
        """Connect."""
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._clinica.porta)

    async def close(self) -> None:
        """Hang up."""
        self._writer.close()
        await self._writer.wait_closed()

    async def ask(self) -> None:
        """A round trip."""
        self._writer.write(self._request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        await self._reader.readexactly(length)


def run(pasta: Path, rodadas: int, vezes: int = VEZES) -> list[Linha]:
    """The sample's six clinics as processes under their supervisor; the conversation in this one, on the server's own event loop."""
    registro = Registro(tuple(_moved(clinica) for clinica in REGISTRO_PADRAO))
    return uvloop.run(_run(Clinicas(pasta, cadastro=registro), rodadas, vezes))


async def _run(clinicas: Clinicas, rodadas: int, vezes: int) -> list[Linha]:
    async with clinicas.running(), clinicas.conversations() as conversations, AsyncExitStack() as stack:
        transport = await stack.enter_async_context(http_transport(clinicas.registro, clinicas.way, clinicas.token, lambda: "1"))
        lines = [LinhaDireta(clinica, clinicas.make_token(clinica.id, "atendimento", LONGEST_SECONDS)) for clinica in clinicas.registro]
        for line in lines:
            await line.open()
            stack.push_async_callback(line.close)
        near, far = Router(transport, clinicas.registro), Router(Distante(transport, DISTANCIA), clinicas.registro)
        asked = [index for index, clinica in enumerate(clinicas.registro) if clinica.especialidade == "Cardiologia"]
        gc.freeze()  # as the server does once it is up
        works: tuple[Work, ...] = (
            lambda: _turn(conversations),
            *(lines[index].ask for index in asked),
            lambda: _ask_all(near, 6),
            lambda: _ask_all(near, 2),
            lambda: _ask_all(far, 6),
            lambda: _ask_all(far, 2),
            lambda: asyncio.gather(*(line.ask() for line in lines)),
            lambda: asyncio.gather(*(line.ask() for line in lines[:2])),
        )
        turn, *bare, six, two, six_far, two_far, six_bare, two_bare = await _interleaved(rodadas, vezes, works)
        gc.unfreeze()
        return _rows(turn, max(bare), (six, two), (six_far, two_far), six_bare / two_bare, rodadas)


def _rows(turn: float, bare: float, near: tuple[float, float], far: tuple[float, float], sockets: float, rodadas: int) -> list[Linha]:
    turno = (
        f"O par é o limite: 1,5 × {bare:.2f} ms, uma ida e volta HTTP nua à mais lenta das duas clínicas, + {_FOLGA_MS:.0f} ms. "
        "Cada turno é uma conversa nova: entende, pergunta às duas, verifica, escreve, verifica de novo e registra. As frases da agenda se "
        "repetem de um para outro, como de um paciente para outro, e o verificador lembra o que achou em cada uma."
    )
    perto = (
        "Seis processos na mesma máquina: cada resposta gasta processador de verdade, e os núcleos não são seis. "
        f"Com conexões nuas, sem roteador, a mesma razão é {sockets:.2f}×."
    )
    longe = f"O mesmo, com cada clínica a {DISTANCIA * 1000:.0f} ms (ida e volta), onde o que conta é perguntar a todas de uma vez."
    allowed = 1.5 * bare + _FOLGA_MS
    return [
        measured("um turno que pergunta a 2 clínicas", "ms", turn, allowed, meta=META_TURNO, execucoes=rodadas, nota=turno),
        measured("6 clínicas de uma vez × 2, na mesma máquina", "ms", *near, meta=META_SEIS, execucoes=rodadas, nota=perto),
        measured("6 clínicas de uma vez × 2, a distância", "ms", *far, meta=META_SEIS, execucoes=rodadas, nota=longe),
    ]


async def _interleaved(rodadas: int, vezes: int, works: Sequence[Work]) -> list[float]:
    """The milliseconds of each work: the median over rounds of the median in a round, all done by turns after a round not counted."""
    rounds: list[list[float]] = [[] for _ in works]
    for rodada in range(rodadas + 1):
        gc.collect()
        taken: list[list[float]] = [[] for _ in works]
        for _ in range(vezes):
            for milliseconds, work in zip(taken, works, strict=True):
                start = perf_counter()
                await work()
                milliseconds.append((perf_counter() - start) * 1000)
        if rodada:
            for medians, milliseconds in zip(rounds, taken, strict=True):
                medians.append(median(milliseconds))
    return [median(medians) for medians in rounds]


async def _turn(conversations: Conversations) -> None:
    session = conversations.open("paciente", _PESSOA)
    reply = await session.say("Quais horários vocês têm de cardiologia?")
    if reply.trace is None or [call.situacao for call in reply.trace.calls] != ["respondeu"] * 2 or not reply.trace.verdict.safe:
        raise WrongTurn("O turno medido não perguntou a duas clínicas, ou elas não responderam.")


async def _ask_all(router: Router, clinics: int) -> None:
    steps = [Step(index, clinica.id, _LISTING) for index, clinica in enumerate(list(router.registro)[:clinics], 1)]
    replies = await router.run(steps, Caller(), nobody)
    if any(reply.result is None for reply in replies):
        raise WrongTurn("Uma clínica não respondeu.")


def _moved(clinica: Clinica) -> Clinica:
    porta = free_port()
    return msgspec.structs.replace(clinica, porta=porta, url=f"http://127.0.0.1:{porta}/mcp")
