"""`crivo clinicas conversar`: a conversation on the terminal, or from a script, a line to a message."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from io import UnsupportedOperation
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final

import typer

from crivo.cli.ambiente import Ambiente, AsJson, Tenant
from crivo.cli.clinicas import Dados, open_clinicas
from crivo.cli.clinicas_agendas import check_new, tell_empty
from crivo.cli.clinicas_modelo import QuemPlaneja, chosen, with_modelo
from crivo.cli.saida import emit_value, note, say
from crivo.kernel.errors import CrivoError, Kind

if TYPE_CHECKING:
    from crivo.clinicas.orquestrador.contracts import Paciente, Papel
    from crivo.clinicas.orquestrador.conversa.resposta import Reply
    from crivo.clinicas.orquestrador.conversa.sessao import Session
    from crivo.clinicas.orquestrador.trace import Event
    from crivo.clinicas.service import Clinicas

_FAREWELLS: Final = frozenset({"sair", "fim", "exit", "quit"})
_PROMPT: Final = "você> "
_CHUNK: Final = 65_536


class IdentificacaoInvalida(CrivoError):
    """A name or a CPF on the command line that cannot be one."""

    codigo: ClassVar[str] = "identificacao_invalida"
    kind: ClassVar[Kind] = Kind.MISUSE
    titulo: ClassVar[str] = "Identificação inválida"


def conversar(
    ctx: typer.Context,
    operador: Annotated[bool, typer.Option("--operador", help="Conversa como operador da clínica, e não como paciente.")] = False,
    nome: Annotated[str | None, typer.Option("--nome", metavar="NOME", help="Nome completo do paciente; sem ele, pergunta.")] = None,
    cpf: Annotated[str | None, typer.Option("--cpf", metavar="CPF", help="CPF do paciente; sem ele, pergunta.")] = None,
    rastro: Annotated[bool, typer.Option("--rastro", help="Mostra o plano, as chamadas e o veredito de cada turno.")] = False,
    sem_subir: Annotated[bool, typer.Option("--sem-subir", help="Fala só com as clínicas que já estão no ar.")] = False,
    planejador: QuemPlaneja = None,
    dados: Dados = None,
    tenant: Tenant = None,
    as_json: AsJson = False,
) -> None:
    """Conversa para listar, marcar, remarcar e cancelar consultas.

    Sobe as clínicas que não estiverem no ar e as encerra no fim. Cada linha da entrada é uma mensagem; "sair" termina.
    """
    from crivo.kernel.logs import configure_logs

    ambiente = Ambiente.of(ctx, tenant, as_json)
    clinicas = open_clinicas(ambiente, dados, log_nivel="ERROR")
    configure_logs("ERROR")
    paciente = _paciente(nome, cpf)
    if not sem_subir:
        check_new(clinicas)
    settings = ambiente.settings()
    planeja = chosen(settings, planejador)

    async def with_the_planner() -> None:
        async with with_modelo(clinicas, settings, planeja) as asked:
            await _converse(asked, "operador" if operador else "paciente", paciente, Screen(ambiente.json, rastro), starts=not sem_subir)

    asyncio.run(with_the_planner())


class Screen:
    """Where a conversation is shown: as text, or as a JSON document a line."""

    def __init__(self, as_json: bool, rastro: bool) -> None:
        self._as_json = as_json
        self._rastro = rastro

    def greet(self, texto: str) -> None:
        """Show what is said first."""
        if not self._as_json:
            say(texto)
            self._prompt()

    def show(self, reply: Reply) -> None:
        """Show what is said back."""
        if self._as_json:
            emit_value(_value(reply))
        else:
            say(f"\n{reply.inteiro}\n" if sys.stdout.isatty() else reply.inteiro)
            self._prompt()
        sys.stdout.flush()

    def tell(self, event: Event) -> None:
        """Show discreetly what happens in a turn."""
        if self._rastro and not self._as_json:
            for line in _told(event):
                note(f"  · {line}")

    def _prompt(self) -> None:
        if sys.stdin.isatty() and sys.stdout.isatty():
            sys.stdout.write(_PROMPT)
        sys.stdout.flush()


async def _converse(clinicas: Clinicas, papel: Papel, paciente: Paciente | None, screen: Screen, *, starts: bool) -> None:
    async with AsyncExitStack() as stack:
        if starts:
            await stack.enter_async_context(clinicas.running())
        tell_empty(clinicas)
        conversations = await stack.enter_async_context(clinicas.conversations())
        session = conversations.open(papel, paciente)
        screen.greet(session.greeting)
        await _exchange(session, screen)


async def _exchange(session: Session, screen: Screen) -> None:
    lines = _lines()
    while (line := await lines.get()) is not None:
        if line.strip().casefold() in _FAREWELLS:
            return
        if line.strip():
            screen.show(await session.say(line, screen.tell))


def _lines() -> asyncio.Queue[str | None]:
    """The lines of standard input as they come, and None at its end; read on a thread that no Ctrl-C has to wait for."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[str | None]()

    def read() -> None:
        with suppress(RuntimeError):  # the conversation is over, and its loop is closed
            for line in _read_lines():
                loop.call_soon_threadsafe(lines.put_nowait, line)
            loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def _read_lines() -> Iterator[str]:
    """Lines straight from the file: a thread that waits inside `sys.stdin` would hold a lock which the end of the program needs."""
    try:
        descriptor = sys.stdin.fileno()
    except UnsupportedOperation:  # not a file of the system
        yield from sys.stdin
        return
    waiting = b""
    while chunk := os.read(descriptor, _CHUNK):
        *whole, waiting = (waiting + chunk).split(b"\n")
        yield from (line.decode(errors="replace") for line in whole)
    yield waiting.decode(errors="replace")


def _paciente(nome: str | None, cpf: str | None) -> Paciente | None:
    from crivo.clinicas.orquestrador.contracts import Paciente
    from crivo.clinicas.orquestrador.entende.pessoas.identidade import read_cpf, read_name

    if nome is None and cpf is None:
        return None
    read = read_name(nome or ""), read_cpf(cpf or "")
    if read[0] is None:
        raise IdentificacaoInvalida("Use --nome com o nome e o sobrenome do paciente, e --cpf junto.")
    if read[1] is None:
        raise IdentificacaoInvalida("Use --cpf com um CPF válido, como 529.982.247-25, e --nome junto.")
    return Paciente(read[0], read[1])


def _told(event: Event) -> list[str]:
    from crivo.clinicas.orquestrador.trace import CallFinished, Judged, ModelFailed, Planned

    match event:
        case ModelFailed():
            return [f"o modelo falhou ({event.agente}): {event.falha}; o código fez a parte dele"]
        case Planned():
            steps = [f"plano: {step.clinic} {step.action} {' '.join(step.parameters.values())}".rstrip() for step in event.plan.steps]
            refused = [f"plano: recusa por {event.plan.recusa}"] if event.plan.recusa else []
            thought = [f"raciocínio: {sentence}" for sentence in event.plan.raciocinio]
            by_model = [f"planejador: {event.autor}"] if event.autor != "embutido" else []
            return [*by_model, *thought, *(([*steps, *refused]) or ["plano: nenhum passo"])]
        case CallFinished() if event.finalidade != "diretorio":
            return [f"{event.clinic} {event.action} ({event.finalidade}): {event.situacao}, {event.ms:.0f} ms"]
        case Judged() if not event.verdict.safe:
            return [f"verificador ({event.momento}): {event.verdict.note}"]
        case _:
            return []


def _value(reply: Reply) -> dict[str, Any]:
    trace = reply.trace
    if trace is None:
        return {"texto": reply.inteiro, "plano": None}
    return {
        "texto": reply.inteiro,
        "autor": trace.autor,
        "plano": trace.plan.steps,
        "pergunta": trace.plan.pergunta is not None,
        "recusa": trace.plan.recusa,
        "chamadas": trace.calls,
        "veredito": trace.verdict,
        "planejador": trace.planejador,
        "falhas": trace.falhas,
        "ms": trace.ms,
    }
