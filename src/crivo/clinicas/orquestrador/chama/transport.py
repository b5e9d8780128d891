"""One tool call over HTTP: JSON-RPC on connections that all conversations share. Source: blueprint 2.2.

Nothing is said to whoever merely listens where a clinic should: a clinic of this machine is called by the socket in its own folder, one
of another by TLS. Whatever it answers, or fails to, becomes a `ClinicReply`; a result that is not of the tool's shape is no answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, Protocol

import aiohttp
import msgspec

from crivo.clinicas import medidas
from crivo.clinicas.caminho import Local, Tls, Way
from crivo.clinicas.codigos import META_CODIGO, META_ORIGEM, META_PEDIDO, read_code
from crivo.clinicas.ferramentas import BY_NAME, IDENTITY, Action
from crivo.clinicas.orquestrador.contracts import ClinicReply, Paciente, Step, Value
from crivo.clinicas.orquestrador.provas import Chaveiro, vaga_of
from crivo.clinicas.orquestrador.quem_pede import QuemPede, anybody
from crivo.clinicas.protocol import UNKNOWN_METHOD, UNREACHABLE, Codigo, Refusal, Role, ToolError, consulta_of
from crivo.clinicas.registro import Clinica, Registro
from crivo.kernel.linguagem.identificadores import digits_of
from crivo.kernel.rastros import TRACEPARENT, span, traceparent

LARGEST_ANSWER: Final = 1_000_000  # bytes
UNIDENTIFIED: Final[Codigo] = "sem_identificacao"  # the code of a call that was not made, for want of a name and a CPF
_UNPROVEN: Final = "Para isso é preciso o código da consulta, a conta do paciente ou a recepção."
_UNAUTHENTICATED: Final = 401
_CONNECTIONS: Final = 64
# Not packed, so that what is read is never longer than what was sent.
_HEADERS: Final = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
_KEPT_SECONDS: Final = 60.0  # shorter than a clinic keeps an idle connection
# Whoever these are told of has heard nothing.
_NOT_SENT: Final = (
    aiohttp.ClientConnectorError,
    aiohttp.ClientSSLError,
    aiohttp.ServerFingerprintMismatch,
    aiohttp.InvalidURL,
    aiohttp.NonHttpUrlClientError,
)


class Caller(Value, frozen=True):
    """Who asks for a call, for whom it is made, and the codes that prove one appointment: those that are held, or one that was just told.

    `pedido` is the id of a booking, the same when it is sent again; it is as secret as the code that comes of it.
    """

    quem: QuemPede = anybody()
    paciente: Paciente | None = None
    chaveiro: Chaveiro | None = None
    codigo: str = ""
    pedido: str = ""

    def code_for(self, step: Step) -> str:
        """The code of the appointment that a step is about; empty where none is known."""
        vaga = vaga_of(step)
        return self.codigo or (self.chaveiro.find(vaga) if self.chaveiro is not None and vaga is not None else "")

    def may(self, step: Step, action: Action) -> bool:
        """Whether the table lets who asks do a step: as who they are, or as whoever holds the code of the appointment that it is about."""
        tool = BY_NAME[action]
        acao, cpf = tool.acao, digits_of(self.paciente.cpf) if tool.names_patient and self.paciente is not None else ""
        if not (tool.names_patient or tool.reads_patients):  # what is free is nobody's yet
            return self.quem.may_some(acao)
        vaga = vaga_of(step)
        consulta = consulta_of(*vaga) if vaga is not None else self.codigo
        if self.quem.may(acao, cpf, consulta):
            return True
        return bool(self.code_for(step)) and self.quem.with_code(cpf, consulta).may(acao, cpf, consulta)

    @property
    def role(self) -> Role:
        """In which role a clinic is spoken to."""
        return "operador" if self.quem.may("clinicas.atender") else "atendimento"

    def __repr__(self) -> str:
        return f"Caller({self.quem!r})"


class Answer(Value, frozen=True):
    """A clinic's reply; `may_have_run` where an error leaves open whether the clinic did what was asked.

    `codigo` is the code that the clinic gave the appointment; it travels beside the reply, which is judged, worded and logged.
    """

    reply: ClinicReply
    may_have_run: bool = False
    codigo: str = ""

    def __repr__(self) -> str:
        return f"Answer({self.reply!r}, may_have_run={self.may_have_run})"

    @property
    def reached(self) -> bool:
        """Whether the clinic answered at all, a refusal included."""
        return self.reply.error is None or self.reply.error.code != UNREACHABLE


class Transport(Protocol):
    """Carries one call to a clinic."""

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        """The clinic's answer within the timeout in seconds, or an error reply; never raises for a clinic's fault."""
        ...


class Keys(Protocol):
    """A token of a clinic for a role and a single call, and on whose behalf, by eleven digits; None where there is none to be had."""

    def __call__(self, clinic_id: str, papel: Role, /, *, em_nome_de: str | None = None) -> str | None:
        """The token."""
        ...


Ways = Callable[[Clinica], Way]
"""How a clinic is reached."""
NewId = Callable[[], str]
Params = dict[str, Any]


class _Envelope(msgspec.Struct, frozen=True):
    """A JSON-RPC answer."""

    id: str | int | None = None
    result: dict[str, Any] | None = None
    error: _RpcError | None = None


class _RpcError(msgspec.Struct, frozen=True):
    code: int
    message: str = ""


_ENVELOPE_ONLY: Final = frozenset({"content", "structuredContent", "isError", "_meta", "resultType"})


class HttpTransport:
    """`Transport` over the registry's addresses; made by `http_transport`."""

    def __init__(self, pools: _Pools, registro: Registro, keys: Keys, new_id: NewId) -> None:
        self._pools = pools
        self._registro = registro
        self._keys = keys
        self._new_id = new_id

    async def call(self, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        """The clinic's answer within the timeout in seconds, or an error reply."""
        clinica = self._registro.find(step.clinic)
        if clinica is None:
            error = ToolError("Esta clínica não está no cadastro.", code=UNKNOWN_METHOD)
            return Answer(ClinicReply(step.clinic, action, None, error))
        with (
            span(f"clinica {action}", "cliente", crivo__clinica=clinica.id, rpc__system="jsonrpc", rpc__method=action) as trecho,
            medidas.chamada_segundos.labels(clinica.id).time(),
        ):
            answer = await self._tried(clinica, step, action, caller, seconds)
            if not answer.reached:
                trecho.fail("sem_resposta")
        medidas.chamadas.labels(clinica.id, action, _desfecho(answer)).inc()
        return answer

    async def _tried(self, clinica: Clinica, step: Step, action: Action, caller: Caller, seconds: float) -> Answer:
        try:
            async with asyncio.timeout(seconds):
                return await self._exchange(clinica, action, _params(step, action, caller), caller)
        except TimeoutError:
            return _no_answer(clinica, action, may_have_run=True)
        except _NOT_SENT:
            return _no_answer(clinica, action, may_have_run=False)
        except aiohttp.ClientError:
            return _no_answer(clinica, action, may_have_run=True)

    async def _exchange(self, clinica: Clinica, action: Action, params: Params, caller: Caller) -> Answer:
        behalf = caller.quem.em_nome_de if BY_NAME[action].names_patient else None
        pool = self._pools.to(clinica)
        token = self._keys(clinica.id, caller.role, em_nome_de=behalf) if pool is not None else None
        if pool is None or token is None:
            return _no_answer(clinica, action, may_have_run=False)
        status, request_id, body = await self._post(pool, clinica, params, token)
        if status == _UNAUTHENTICATED:
            return _no_answer(clinica, action, may_have_run=False)
        return _read(clinica, action, request_id, body)

    async def _post(self, pool: _Pool, clinica: Clinica, params: Params, token: str) -> tuple[int, str, bytes]:
        request_id = self._new_id()
        message = {"jsonrpc": "2.0", "id": request_id, "method": "tools/call", "params": params}
        headers, content = {"Authorization": f"Bearer {token}"}, msgspec.json.encode(message)
        if (parent := traceparent()) is not None:
            headers[TRACEPARENT] = parent
        async with pool.client.post(clinica.url, data=content, headers=headers, allow_redirects=False, ssl=pool.ssl) as response:
            body = bytearray()
            async for chunk in response.content.iter_any():
                body += chunk
                if len(body) > LARGEST_ANSWER:
                    return response.status, request_id, b""
        return response.status, request_id, bytes(body)


@dataclass(frozen=True, slots=True)
class _Pool:
    """Connections to a clinic alone; `ssl` is what is asked of its certificate."""

    client: aiohttp.ClientSession
    ssl: aiohttp.Fingerprint | bool = True


class _Pools:
    """A pool for every clinic that was called, made at the first call and kept until the stack is left."""

    def __init__(self, stack: AsyncExitStack, ways: Ways) -> None:
        self._stack = stack
        self._ways = ways
        self._made: dict[Way, _Pool] = {}

    def to(self, clinica: Clinica) -> _Pool | None:
        """The clinic's pool; None where another user of this machine could be what answers."""
        way = self._ways(clinica)
        if isinstance(way, Local) and not way.is_private():
            return None
        if way not in self._made:
            try:
                self._made[way] = self._make(way)
            except OSError:  # its folder is gone
                return None
        return self._made[way]

    def _make(self, way: Way) -> _Pool:
        match way:
            case Local():
                path = self._stack.enter_context(way.address())
                return _Pool(self._client(aiohttp.UnixConnector(path, limit=_CONNECTIONS, keepalive_timeout=_KEPT_SECONDS)))
            case Tls(impressao):
                client = self._client(aiohttp.TCPConnector(limit=_CONNECTIONS, keepalive_timeout=_KEPT_SECONDS))
                return _Pool(client, aiohttp.Fingerprint(impressao) if impressao is not None else True)

    def _client(self, connector: aiohttp.BaseConnector) -> aiohttp.ClientSession:
        client = aiohttp.ClientSession(
            connector=connector,
            headers=_HEADERS,
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=None),  # each call has its own limit
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
        )
        self._stack.push_async_callback(client.close)
        return client


@asynccontextmanager
async def http_transport(registro: Registro, ways: Ways, keys: Keys, new_id: NewId) -> AsyncIterator[HttpTransport]:
    """A transport with its pools of connections, for as long as the block lasts."""
    async with AsyncExitStack() as stack:
        yield HttpTransport(_Pools(stack, ways), registro, keys, new_id)


def refused_here(step: Step, action: Action, caller: Caller) -> Answer | None:
    """Why a call is not made at all: nobody is named, or who asks may not do it; None where it may be."""
    tool = BY_NAME[action]
    if tool.names_patient and caller.paciente is None:
        error = ToolError("Para isso é preciso o nome completo e o CPF de quem vai ser atendido.", codigo=UNIDENTIFIED)
        return Answer(ClinicReply(step.clinic, action, None, error))
    if caller.may(step, action):
        return None
    restricted, unproven = ToolError(tool.restricted, codigo="acesso_restrito"), ToolError(_UNPROVEN, codigo="prova_necessaria")
    return Answer(ClinicReply(step.clinic, action, None, restricted if tool.reads_patients else unproven))


def _desfecho(answer: Answer) -> str:
    if not answer.reached:
        return "sem_resposta"
    return "respondeu" if answer.reply.error is None else "recusou"


def _params(step: Step, action: Action, caller: Caller) -> Params:
    """The parameters of the call. What proves travels beside the arguments, which are the blueprint's."""
    meta, tool = {}, BY_NAME[action]
    if code := _code(step, action, caller):
        meta[META_CODIGO] = code
    if caller.chaveiro is not None and caller.chaveiro.origem and (code or tool.books is not None):
        meta[META_ORIGEM] = caller.chaveiro.origem
    if tool.effect == "adds" and caller.pedido:
        meta[META_PEDIDO] = caller.pedido
    called: Params = {"name": action, "arguments": _arguments(step, action, caller)}
    return {**called, "_meta": meta} if meta else called


def _code(step: Step, action: Action, caller: Caller) -> str:
    """The code that goes with a call: of the appointment that it is about, or of the one that it gives back."""
    tool = BY_NAME[action]
    if tool.needs_proof:
        return caller.code_for(step)
    vaga = vaga_of(step)
    if tool.books is None or vaga is None or caller.chaveiro is None or caller.paciente is None:
        return ""
    return caller.chaveiro.find_cancelled(vaga, caller.paciente.cpf)


def _arguments(step: Step, action: Action, caller: Caller) -> dict[str, str]:
    """A step's parameters, with the person's identity where the tool needs it and nowhere else. Source: blueprint 1.6."""
    given = {name: value for name, value in step.parameters.items() if name not in IDENTITY}
    if BY_NAME[action].names_patient and caller.paciente is not None:
        return {**given, **dict(zip(IDENTITY, (caller.paciente.nome, caller.paciente.cpf), strict=True))}
    return given


def unreachable(clinica: Clinica) -> ToolError:
    """The error of a clinic that gave no answer that can be used."""
    return ToolError(f"A {clinica.nome} não respondeu agora. Tente de novo daqui a pouco.", code=UNREACHABLE)


def _no_answer(clinica: Clinica, action: Action, *, may_have_run: bool) -> Answer:
    return Answer(ClinicReply(clinica.id, action, None, unreachable(clinica)), may_have_run)


def _read(clinica: Clinica, action: Action, request_id: str, body: bytes) -> Answer:
    try:
        envelope = msgspec.json.decode(body, type=_Envelope)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _no_answer(clinica, action, may_have_run=True)
    if envelope.id != request_id:
        return _no_answer(clinica, action, may_have_run=True)
    if envelope.error is not None:
        error = ToolError(f"A {clinica.nome} não pôde atender a este pedido.", code=envelope.error.code)
        return Answer(ClinicReply(clinica.id, action, None, error))
    if envelope.result is None:
        return _no_answer(clinica, action, may_have_run=True)
    return _read_result(clinica, action, envelope.result)


def _read_result(clinica: Clinica, action: Action, result: dict[str, Any]) -> Answer:
    structured = result.get("structuredContent")
    payload = structured if isinstance(structured, dict) else {key: value for key, value in result.items() if key not in _ENVELOPE_ONLY}
    try:
        if result.get("isError"):
            refusal = msgspec.convert(payload, Refusal)
            return Answer(ClinicReply(clinica.id, action, None, ToolError(refusal.message, codigo=refusal.codigo)))
        msgspec.convert(payload, BY_NAME[action].answers)
    except msgspec.ValidationError:
        return _no_answer(clinica, action, may_have_run=True)
    meta = result.get("_meta")
    code = meta.get(META_CODIGO) if isinstance(meta, dict) else None
    return Answer(ClinicReply(clinica.id, action, payload), codigo=(read_code(code) or "") if isinstance(code, str) else "")
