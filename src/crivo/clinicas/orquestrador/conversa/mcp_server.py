"""The orchestrator over the Model Context Protocol, by the official SDK: one tool, to talk to. Source: design, "Real MCP"."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from importlib.metadata import version
from typing import Annotated, Any, Final, Literal

import msgspec
from mcp import MCPError
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.types import CallToolRequestParams, CallToolResult, ListToolsResult, PaginatedRequestParams, TextContent, Tool, ToolAnnotations

from crivo.clinicas.argumentos import ArgumentosInvalidos, Arguments, input_schema, output_schema, read_arguments, text
from crivo.clinicas.ferramentas import Action
from crivo.clinicas.orquestrador.contracts import MotivoDeRecusa, Regra
from crivo.clinicas.orquestrador.conversa.resposta import Reply
from crivo.clinicas.orquestrador.conversa.sessao import LONGEST_UTTERANCE, Session
from crivo.clinicas.orquestrador.trace import Outcome, Purpose, Trace
from crivo.clinicas.protocol import INVALID_PARAMS, UNKNOWN_METHOD, UNREACHABLE

_MOST_CONVERSATIONS: Final = 100  # kept at once; the one that was silent longest is forgotten first
_INSTRUCTIONS: Final = (
    "Converse com a ferramenta conversar, em português, inglês ou espanhol, para listar, marcar, remarcar e cancelar consultas. "
    "A primeira resposta traz o id da conversa: repita-o em cada mensagem seguinte. O nome completo e o CPF do paciente são pedidos antes "
    "de tudo; pergunte-os à pessoa, sem inventá-los."
)

Context = ServerRequestContext[Any, Any]
OpenSession = Callable[[], Session]


class Conversar(Arguments, frozen=True):
    """What to say, and in which conversation."""

    has_lines = True

    mensagem: Annotated[str, text("O que a pessoa diz, com as palavras dela.", longest=LONGEST_UTTERANCE, pattern=r"\S")]
    conversa: Annotated[str, text("O id que a primeira resposta trouxe. Sem ele, começa outra conversa.", least=1)] | None = None


class Passo(msgspec.Struct, frozen=True):
    """A step of the plan, without its parameters."""

    clinic: str
    action: Action | Literal["raw_response"]


class Chamada(msgspec.Struct, frozen=True):
    """A call to a clinic, and how it went; `ms` is its length in milliseconds."""

    clinic: str
    action: Action
    finalidade: Purpose
    situacao: Outcome
    ms: float


class Turno(msgspec.Struct, frozen=True):
    """What a turn did, without personal data; `sem_resposta` are the clinics that the answer lacks, `safe` and `regras` the verdict."""

    plano: tuple[Passo, ...]
    pergunta: bool
    recusa: MotivoDeRecusa | None
    chamadas: tuple[Chamada, ...]
    sem_resposta: tuple[str, ...]
    safe: bool
    regras: tuple[Regra, ...]
    ms: float


class Resposta(msgspec.Struct, frozen=True):
    """What is said back, and in which conversation; `turno` is null where nothing but who is speaking was asked."""

    texto: str
    conversa: str
    turno: Turno | None


class ConversaDesconhecida(msgspec.Struct, frozen=True):
    """Why nothing was said back: no conversation of that id is held."""

    message: str = "Não encontrei essa conversa. Envie a mensagem sem o id para começar outra."
    codigo: Literal["conversa_desconhecida"] = "conversa_desconhecida"


TOOL: Final = Tool(
    name="conversar",
    title="Conversar com as clínicas",
    description=(
        "Conversa com as clínicas: lista horários, marca, remarca e cancela consultas. Responde na língua da pessoa, e diz quais "
        "clínicas não responderam."
    ),
    input_schema=input_schema(Conversar),
    output_schema=output_schema(Resposta, ConversaDesconhecida),
    annotations=ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=False, open_world_hint=False),
)


def create_server(open_session: OpenSession) -> Server[Any]:
    """The orchestrator as an MCP server, on no transport yet; its conversations are in memory alone."""
    conversations = _Conversations(open_session)

    async def on_list_tools(_: Context, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[TOOL])

    async def on_call_tool(_: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name != TOOL.name:
            raise MCPError(INVALID_PARAMS, f"Ferramenta desconhecida. A deste servidor é {TOOL.name}.")
        try:
            said = read_arguments(Conversar, params.arguments)
        except ArgumentosInvalidos as error:
            raise MCPError(INVALID_PARAMS, error.mensagem) from None
        return _result(await conversations.say(said))

    server: Server[Any] = Server(
        "crivo-clinicas",
        version=version("crivo"),
        title="crivo: clínicas",
        instructions=_INSTRUCTIONS,
        on_list_tools=on_list_tools,
        on_call_tool=on_call_tool,
    )
    server.middleware.append(_quote_nothing)
    return server


class _Conversations:
    def __init__(self, open_session: OpenSession) -> None:
        self._open = open_session
        self._held: OrderedDict[str, Session] = OrderedDict()

    async def say(self, said: Conversar) -> Resposta | ConversaDesconhecida:
        message = " ".join(said.mensagem.split())
        if said.conversa is None:
            return await self._begin(message)
        session = self._held.get(said.conversa)
        if session is None:
            return ConversaDesconhecida()
        self._held.move_to_end(said.conversa)
        return _answer(session, await session.say(message))

    async def _begin(self, message: str) -> Resposta:
        session = self._open()
        self._held[session.id] = session
        if len(self._held) > _MOST_CONVERSATIONS:
            self._held.popitem(last=False)
        return _answer(session, await session.say(message))


def _answer(session: Session, reply: Reply) -> Resposta:
    return Resposta(reply.inteiro, session.id, None if reply.trace is None else _turn(reply.trace))


def _turn(trace: Trace) -> Turno:
    plan, verdict = trace.plan, trace.verdict
    return Turno(
        plano=tuple(Passo(step.clinic, step.action) for step in plan.steps),
        pergunta=plan.pergunta is not None,
        recusa=plan.recusa,
        chamadas=tuple(Chamada(call.clinic, call.action, call.finalidade, call.situacao, call.ms) for call in trace.calls),
        sem_resposta=tuple(reply.clinic for reply in trace.replies if reply.error is not None and reply.error.code == UNREACHABLE),
        safe=verdict.safe,
        regras=verdict.regras,
        ms=trace.ms,
    )


def _result(answer: Resposta | ConversaDesconhecida) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(text=msgspec.json.encode(answer).decode())],
        structured_content=msgspec.to_builtins(answer),
        is_error=isinstance(answer, ConversaDesconhecida),
    )


async def _quote_nothing(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Answer a method that is not there without its name, which the SDK would quote."""
    try:
        return await call_next(ctx)
    except MCPError as error:
        if error.error.code != UNKNOWN_METHOD:
            raise
        raise MCPError(UNKNOWN_METHOD, "Método desconhecido. Este servidor atende tools/list e tools/call.") from None
