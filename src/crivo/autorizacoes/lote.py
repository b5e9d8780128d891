"""Many pedidos, one a line, decided without being stored: a result for every line, in order, whatever the line holds."""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from multiprocessing import get_context
from typing import BinaryIO, ClassVar, Final

import msgspec

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal, Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import PedidoIlegivel, read_pedido
from crivo.autorizacoes.mapeamento.entrada import MapeamentoPublicado
from crivo.autorizacoes.mapeamento.midia import LinhasIgnoradas, midia_of, read_xml
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.kernel.errors import CrivoError, Kind

MAX_LINE_BYTES = 1_000_000
_CHUNK_LINES = 1_000
_CHUNK_BYTES = 4_000_000
_CHUNKS_AHEAD = 3
_TOGETHER = 100  # lines decided stage by stage: enough to keep a stage's code at hand, few enough to keep what they become there too
_MOLDES = 10_000  # a process of a lote serves one organisation alone

OVERLONG = None
Line = bytes | None  # OVERLONG stands for a line that was skipped unread
_Decided = tuple[bytes, Sequence[DecisaoFinal | str]]
_encode = msgspec.json.Encoder().encode


class XmlEmLinhas(PedidoIlegivel):
    """An XML where one pedido a line is read."""

    codigo: ClassVar[str] = "xml_em_linhas"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Um XML não se lê por linhas"


class DocumentoEmLinhas(PedidoIlegivel):
    """One JSON document spread over many lines, where one pedido a line is read."""

    codigo: ClassVar[str] = "documento_em_linhas"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "Um documento não se lê por linhas"


class LineFault(msgspec.Struct, frozen=True):
    """Why a line could not be decided; it carries no data of the line."""

    codigo: str
    mensagem: str
    problemas: tuple[Mapping[str, str], ...] = ()


class LineDecisoes(msgspec.Struct, frozen=True):
    """The decisions of a line in which a mapping finds several pedidos, in their order."""

    linha: int
    decisoes: tuple[Decisao, ...]


class LineResult(msgspec.Struct, frozen=True):
    """The result of a line that is no pedido; `linha` counts from 1."""

    linha: int
    erro: LineFault


@dataclass(frozen=True, slots=True)
class Rules:
    """What a worker process needs to decide: the políticas as published, the field tables, and the date of receipt."""

    politicas: tuple[Politica, ...]
    campos: Mapping[str, Mapping[str, str]]
    received_on: date
    formatos: tuple[MapeamentoPublicado, ...] = ()

    @property
    def count_over_history(self) -> bool:
        """Whether some regra limits by period, over what a lote cannot know: what was approved here before. Record 0076."""
        return any(regra.limites for politica in self.politicas for regra in politica.regras)

    def fluxo(self) -> Fluxo:
        """The six stages over these rules."""
        return Fluxo(Catalogo.of(self.politicas), self.campos, self.formatos, _MOLDES)


@dataclass(slots=True)
class Totais:
    """How many lines were read, and how their pedidos ended, by decisao_final or `erro`."""

    linhas: int = 0
    por_resultado: Counter[str] = field(default_factory=Counter)


def decide_line(fluxo: Fluxo, line: Line, number: int, received_on: date) -> bytes:
    """The RF6 document of a line, or a `LineResult` when it holds no pedido; JSON without a line break."""
    return _decide(fluxo, line, number, received_on)[0]


def failed_line(number: int, error: CrivoError) -> bytes:
    """The `LineResult` that tells an error; JSON without a line break."""
    return _encode(LineResult(number, _fault_of(error)))


def _fault_of(error: CrivoError) -> LineFault:
    problemas = tuple({"caminho": p.caminho, "mensagem": p.mensagem, "codigo": p.codigo} for p in error.problemas)
    return LineFault(error.codigo, error.mensagem, problemas)


def _decide(fluxo: Fluxo, line: Line, number: int, received_on: date) -> _Decided:
    if line is OVERLONG:
        fault = LineFault("linha_grande_demais", f"A linha passa de {MAX_LINE_BYTES:,} bytes.".replace(",", "."))
    elif not line.strip():
        fault = LineFault("linha_vazia", "A linha está vazia; cada linha deve trazer um pedido em JSON.")
    else:
        try:
            if not fluxo.formatos:
                trilha = fluxo.decide(line, received_on)
                return trilha.decisao(), (trilha.etapas.sintese.decisao_final,)
            decisoes = [fluxo.decide_parte(one, received_on).etapas.sintese for one in fluxo.partes(line, received_on)]
        except LinhasIgnoradas:
            return _encode(LineDecisoes(number, ())), ()
        except CrivoError as error:
            fault = _fault_of(error)
        else:
            result = decisoes[0] if len(decisoes) == 1 else LineDecisoes(number, tuple(decisoes))
            return _encode(result), [one.decisao_final for one in decisoes]
    return _encode(LineResult(number, fault)), ("erro",)


class Rows:
    """Lines as what they bring: of a table (CSV), each under its header, which is the first line and brings nothing itself."""

    def __init__(self, fluxo: Fluxo | None) -> None:
        """Only a mapping reads tables: without any every line is as it came."""
        self._looking = fluxo is None or bool(fluxo.formatos)
        self._header = b""

    def is_header(self, line: Line) -> bool:
        """Whether this is the header of a table; asked of each line, in order."""
        if not self._looking or line is OVERLONG or not line.strip():
            return False
        self._looking = False
        if midia_of(line + b"\n") != "csv":
            return False
        self._header = line + b"\n"
        return True

    def body(self, line: Line) -> Line:
        """The line with the header that it needs to be understood."""
        return self._header + line if self._header and line is not OVERLONG and line.strip() else line


class LineReader:
    """Cuts a stream of bytes into lines, holding at most one; a line over the limit is skipped and told as `OVERLONG`."""

    def __init__(self) -> None:
        self._pending = b""
        self._skipping = False

    def feed(self, chunk: bytes) -> Iterator[Line]:
        """The lines that a chunk completes, without their line breaks."""
        *complete, rest = chunk.split(b"\n")
        for part in complete:
            line: Line = self._pending + part
            if self._skipping or len(self._pending) + len(part) > MAX_LINE_BYTES:
                line = OVERLONG
            self._pending, self._skipping = b"", False
            yield line
        if not self._skipping:
            self._pending += rest
            if len(self._pending) > MAX_LINE_BYTES:
                self._pending, self._skipping = b"", True

    def finish(self) -> Iterator[Line]:
        """The last line, where the stream did not end in a line break."""
        if self._skipping:
            yield OVERLONG
        elif self._pending:
            yield self._pending


def run_lote(
    entrada: BinaryIO, saida: BinaryIO, rules: Rules, *, processos: int = 1, on_progress: Callable[[int, int], None] = lambda *_: None
) -> Totais:
    """Decide a stream of lines into a stream of results, in constant memory.

    `on_progress(bytes, lines)` hears of each chunk that is done. With more than one process, chunks are decided side by
    side and written in order, at most three ahead of the slowest for each process.
    """
    totais = Totais()
    chunks = _by_lines(_chunks(entrada, is_mapped=bool(rules.formatos)))
    for written, consumed, lines, outcomes in _decided(chunks, rules, processos):
        saida.write(written)
        totais.linhas += lines
        totais.por_resultado.update(outcomes)
        on_progress(consumed, lines)
    return totais


def _by_lines(chunks: Iterator[_Chunk]) -> Iterator[_Chunk]:
    """The same; raises `XmlEmLinhas`, `DocumentoEmLinhas` where the first lines begin what is nothing line by line."""
    for chunk in chunks:
        if chunk.first_number == 1 and (first := chunk.lines[0]) is not OVERLONG:
            if midia_of(first) == "xml" and not _ends_as_xml(first):
                raise XmlEmLinhas(
                    "Um XML é um documento inteiro, e aqui se lê um pedido por linha. Envie-o com `crivo autorizacoes decidir`."
                )
            if first.strip() in _OPENS and len(chunk.lines) > 1 and (chunk.lines[1] or b"")[:1] in (b" ", b"\t"):
                raise DocumentoEmLinhas(
                    "Isto é um documento JSON só, escrito em várias linhas, e aqui se lê um pedido por linha. "
                    "Envie-o com `crivo autorizacoes decidir`, ou escreva cada pedido em uma linha só (`jq -c .`)."
                )
        yield chunk


_OPENS: Final = (b"{", b"[", b"[{")


def _ends_as_xml(line: bytes) -> bool:
    """Whether a line that begins as an XML is a whole one, which a mapping may read."""
    try:
        read_xml(line)
    except PedidoIlegivel:
        return False
    return True


@dataclass(frozen=True, slots=True)
class _Chunk:
    first_number: int
    lines: Sequence[Line]
    consumed_bytes: int


_Outcome = tuple[bytes, int, int, dict[str, int]]


def _decided(chunks: Iterator[_Chunk], rules: Rules, processos: int) -> Iterator[_Outcome]:
    if processos <= 1:
        fluxo = rules.fluxo()
        yield from (_decide_chunk(fluxo, rules.received_on, chunk) for chunk in chunks)
        return
    # Spawned rather than forked: a fork would copy the threads' locks of whoever calls.
    with ProcessPoolExecutor(processos, mp_context=get_context("spawn"), initializer=_Worker.start, initargs=(rules,)) as pool:
        ahead: deque[Future[_Outcome]] = deque()
        for chunk in chunks:
            with _interrupts_held():
                ahead.append(pool.submit(_Worker.decide, chunk))
            if len(ahead) >= processos * _CHUNKS_AHEAD:
                yield ahead.popleft().result()
        while ahead:
            yield ahead.popleft().result()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until the block is left, and never reaches a process begun in it: who called decides what ends."""
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


class _Worker:
    """The state of one worker process: its rules, compiled once."""

    fluxo: Fluxo
    received_on: date

    @classmethod
    def start(cls, rules: Rules) -> None:
        cls.fluxo, cls.received_on = rules.fluxo(), rules.received_on

    @classmethod
    def decide(cls, chunk: _Chunk) -> _Outcome:
        return _decide_chunk(cls.fluxo, cls.received_on, chunk)


def _decide_chunk(fluxo: Fluxo, received_on: date, chunk: _Chunk) -> _Outcome:
    together = 1 if fluxo.formatos else _TOGETHER
    decided: list[_Decided] = []
    for start in range(0, len(chunk.lines), together):
        decided += _decide_together(fluxo, chunk.lines[start : start + together], chunk.first_number + start, received_on)
    outcomes = Counter([outcome for _, ended in decided for outcome in ended])
    return b"\n".join([result for result, _ in decided]) + b"\n", chunk.consumed_bytes, len(chunk.lines), outcomes


def _decide_together(fluxo: Fluxo, lines: Sequence[Line], number: int, received_on: date) -> Sequence[_Decided]:
    """What `_decide` says of each line; where one of them holds no pedido, of each half, so that few are read in vain."""
    if len(lines) == 1:
        return [_decide(fluxo, lines[0], number, received_on)]
    try:
        documentos = fluxo.decide_each([read_pedido(line or b"") for line in lines], received_on)
    except CrivoError:
        half = len(lines) // 2
        return [
            *_decide_together(fluxo, lines[:half], number, received_on),
            *_decide_together(fluxo, lines[half:], number + half, received_on),
        ]
    return [(documento, (final,)) for documento, final in documentos]


def _chunks(entrada: BinaryIO, *, is_mapped: bool) -> Iterator[_Chunk]:
    rows = Rows(None) if is_mapped else None
    number, size, lines = 1, 0, list[Line]()
    while raw := entrada.readline(MAX_LINE_BYTES + 2):
        size += len(raw)
        ended = raw.endswith(b"\n")
        line: Line = raw.rstrip(b"\r\n")
        if not ended and len(raw) > MAX_LINE_BYTES:
            while rest := entrada.readline(MAX_LINE_BYTES):
                size += len(rest)
                if rest.endswith(b"\n"):
                    break
            line = OVERLONG
        if rows is not None:
            if rows.is_header(line):
                number += 1
                continue
            line = rows.body(line)
        lines.append(line)
        if len(lines) >= _CHUNK_LINES or size >= _CHUNK_BYTES:
            yield _Chunk(number, lines, size)
            number, size, lines = number + len(lines), 0, []
    if lines:
        yield _Chunk(number, lines, size)
