"""`assistido`: the model writes the texts of a decision that code has taken; one that does not stand is dropped for the code's own.

Source: design, "What the model may write, and what not".
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Final
from uuid import UUID

from msgspec import UNSET
from msgspec.structs import replace

from crivo.autorizacoes.acompanhamento import Escrevendo, Escrito, Observador, quiet
from crivo.autorizacoes.modelo.conferidos import complaint, faults
from crivo.autorizacoes.modelo.perguntas import ENTRADA_LONGA, ask_texts, fits
from crivo.autorizacoes.modelo.segunda_leitura import SEGUNDA_LEITURA, read_again
from crivo.autorizacoes.modelo.textos import ESCRITORES, Lugar, Textos, decidido_of, put_in_place, texts_of
from crivo.autorizacoes.redacao import Decidido
from crivo.autorizacoes.trilha import CampoEscrito, Escrita, Etapas, Trilha, with_escritas
from crivo.kernel.agents.contract import AgentContract, Author
from crivo.kernel.errors import CrivoError
from crivo.kernel.llm.port import Modelo, ModeloIndisponivel, Question, Reply
from crivo.kernel.tenancy import Scope

PRAZO_SECONDS: Final = 20.0
DEMOROU: Final = "demorou"


@dataclass(frozen=True, slots=True)
class _Pedida:
    """The texts of one agent that a model is asked for, and the code's own, by path."""

    contract: AgentContract
    do_codigo: Mapping[str, str]
    question: Question[Textos]


@dataclass(frozen=True, slots=True)
class _Respondida:
    """What came of it: a reply, or why there is none."""

    reply: Reply[Textos] | None
    falha: str | None
    seconds: float


@dataclass(frozen=True, slots=True)
class _Escrita:
    """The model's texts that stand, by path, and the record of what was asked and became of each."""

    textos: Mapping[str, str]
    registro: Escrita


class Redator:
    """Asks a model for the texts of a decision, those of all its agents at once, and keeps what stands."""

    def __init__(self, modelo: Modelo, *, prazo_seconds: float = PRAZO_SECONDS, ticks: Callable[[], float] = perf_counter) -> None:
        self._modelo = modelo
        self._prazo_seconds = prazo_seconds
        self._ticks = ticks

    async def escrever(
        self, scope: Scope, trilha: Trilha, observador: Observador | None = None, autorizacao_id: UUID | None = None
    ) -> Trilha:
        """The trail with the model's texts where they stand; whatever the model does, the decision is the one that came in.

        Each agent is shown the code's answers, so that none waits for another; what is not there by the deadline is not waited for.
        What passed is read again by the model, beside the data, in the time that is left; what it points at is the code's too.
        `observador` is told of each text when it is asked for, and when it is settled who wrote it, again where that reading changes it.
        The calls are paid for `autorizacao_id`, where one is known.
        """
        began = self._ticks()
        tell = quiet(observador)
        etapas = trilha.etapas
        decidido = decidido_of(etapas)
        pedidas = [pedida for contract, shape in ESCRITORES if (pedida := self._to_ask(contract, shape, etapas, decidido))]
        for pedida in pedidas:
            for path in pedida.do_codigo:
                tell(Escrevendo(pedida.contract.stage, path))
        origem = origem_of(autorizacao_id)
        escritas = await self._write_all(scope, pedidas, decidido, tell, origem)
        leitura = None
        passed = {path: texto for escrita in escritas for path, texto in escrita.textos.items()}
        if passed and not self._modelo.simulado:
            seconds = self._prazo_seconds - (self._ticks() - began)
            leitura = await read_again(self._modelo, scope, etapas, decidido, passed, origem=origem, seconds=seconds, ticks=self._ticks)
            escritas = [_held_back(escrita, {alarme.campo for alarme in leitura.alarmes}, tell) for escrita in escritas]
        textos: dict[Lugar, str] = {
            (pedida.contract.stage, path): texto
            for pedida, escrita in zip(pedidas, escritas, strict=True)
            for path, texto in escrita.textos.items()
        }
        registros = tuple([escrita.registro for escrita in escritas])
        return replace(
            trilha,
            etapas=put_in_place(etapas, textos),
            autoria=with_escritas(trilha.autoria, registros),
            escritas=registros,
            leitura=leitura,
        )

    def _to_ask(self, contract: AgentContract, shape: type[Textos], etapas: Etapas, decidido: Decidido) -> _Pedida | None:
        do_codigo = texts_of(contract, getattr(etapas, contract.stage))
        if not do_codigo:
            return None

        def complain(valor: Textos) -> str | None:
            return complaint(contract, do_codigo, texts_of(contract, valor), decidido)

        question = ask_texts(contract, etapas, decidido, shape, conferir=complain, espera_seconds=self._prazo_seconds)
        return _Pedida(contract, do_codigo, question)

    async def _write_all(
        self, scope: Scope, pedidas: Sequence[_Pedida], decidido: Decidido, tell: Observador, origem: str
    ) -> list[_Escrita]:
        """What came of each question, in their order; each is told of as soon as it is known."""

        async def write(pedida: _Pedida) -> _Escrita:
            return self._settled(pedida, await self._ask(scope, pedida, origem), decidido, tell)

        tasks = [asyncio.create_task(write(pedida)) for pedida in pedidas]
        try:
            await asyncio.wait(tasks, timeout=self._prazo_seconds)
        finally:
            late = [task for task in tasks if not task.done()]
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        demorou = _Respondida(None, DEMOROU, self._prazo_seconds)
        return [
            self._settled(pedida, demorou, decidido, tell) if task in late else task.result()
            for pedida, task in zip(pedidas, tasks, strict=True)
        ]

    async def _ask(self, scope: Scope, pedida: _Pedida, origem: str) -> _Respondida:
        if not fits(pedida.contract, pedida.question):
            return _Respondida(None, ENTRADA_LONGA, 0.0)
        began = self._ticks()
        reply: Reply[Textos] | None = None
        falha: str | None = None
        try:
            reply = await self._modelo.ask(scope, pedida.question, origem)
        except ModeloIndisponivel as error:
            falha = error.falha
        except CrivoError as error:  # what keeps the answers may be away too, and the decision goes on all the same
            falha = error.codigo
        return _Respondida(reply, falha, self._ticks() - began)

    def _settled(self, pedida: _Pedida, respondida: _Respondida, decidido: Decidido, tell: Observador) -> _Escrita:
        """Each text of an answer held against the decision: the model's where it stands, else the code's."""
        said = {} if respondida.reply is None else texts_of(pedida.contract, respondida.reply.valor)
        found = {} if respondida.reply is None else faults(pedida.contract, pedida.do_codigo, said, decidido)
        registro = self._registro(pedida, respondida, found)
        for path, campo in registro.campos.items():
            tell(Escrito(registro.etapa, path, campo.autor, campo.falhas, registro.falha))
        return _Escrita({path: said[path] for path, its in found.items() if not its}, registro)

    def _registro(self, pedida: _Pedida, respondida: _Respondida, found: Mapping[str, tuple[str, ...]]) -> Escrita:
        reply, prompt = respondida.reply, pedida.question.prompt
        campos = {
            path: CampoEscrito(Author.MODEL if path in found and not found[path] else Author.CODE, found.get(path, ()))
            for path in pedida.do_codigo
        }
        return Escrita(
            etapa=pedida.contract.stage,
            modelo=self._modelo.nome if reply is None else reply.modelo,
            simulado=self._modelo.simulado,
            prompt_versao=prompt.versao,
            prompt_digest=prompt.digest,
            duracao_ms=round(respondida.seconds * 1000),
            tokens_entrada=0 if reply is None else reply.tokens_entrada,
            tokens_saida=0 if reply is None else reply.tokens_saida,
            custo=None if reply is None else reply.custo,
            repetida=reply is not None and reply.repetida,
            falha=respondida.falha,
            campos=campos,
            provisoria=True if reply is not None and reply.provisoria else UNSET,
        )


def _held_back(escrita: _Escrita, held: Collection[str], tell: Observador) -> _Escrita:
    """The same without the texts at the paths that are held back, which are the code's then."""
    paths = [path for path in escrita.textos if path in held]
    campos = {**escrita.registro.campos, **dict.fromkeys(paths, CampoEscrito(Author.CODE, (SEGUNDA_LEITURA,)))}
    for path in paths:
        tell(Escrito(escrita.registro.etapa, path, Author.CODE, (SEGUNDA_LEITURA,)))
    textos = {path: texto for path, texto in escrita.textos.items() if path not in held}
    return _Escrita(textos, replace(escrita.registro, campos=campos))


def origem_of(autorizacao_id: UUID | None) -> str:
    """What the calls for the texts of a decision are paid for, in the ledger."""
    return "autorizacoes:assistido" if autorizacao_id is None else f"autorizacao:{autorizacao_id}"
