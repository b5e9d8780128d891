"""A model out of a recording, behind the port: what was asked before is answered from the folder, and the rest by a live model, if any.

Every answer passes today's check again, as it would have at the gateway: the first where it has no fault, else the second. That is how a
changed check is judged on answers that a model really gave.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any, Final, Literal

import msgspec

from crivo.gravadas.registro import Chave, Gravada, Pasta, Resposta, shown
from crivo.kernel.agents.prompts import Prompt
from crivo.kernel.llm.port import Falha, Modelo, ModeloIndisponivel, Question, Reply, T
from crivo.kernel.tenancy import Scope

Primeira = Literal["aceita", "avisada", "desconhecida", "sem_conferencia", "nenhuma"]
Fim = Literal["aceita", "com_falha", "sem_conferencia", "falhou"]
ORIGEM: Final = "avaliar-modelo"  # what calls are paid for, so that nobody takes them for use
_SETTLED: Final = {None, "fora_do_formato", "recusou", "ilegivel"}  # a model answered, and was paid; what else fails may pass
_NEVER_ASKED: Final[Falha] = "orcamento"  # as at the bound of a recording: what had no answer then has none now


@dataclass(frozen=True, slots=True)
class Feita:
    """What became of one question: of its first answer, and in the end. `problemas` is what today's check says of each answer."""

    gravada: Gravada
    conferida: bool
    primeira: Primeira
    fim: Fim
    falha: Falha | None
    problemas: tuple[str | None, ...] = ()


@dataclass(slots=True)
class Contas:
    """Every question of one run, and what a replay cannot know.

    `sem_resposta` were asked and are not in the folder; `fora_da_forma` have an answer that today's form does not take; `sem_segunda` have
    a fault today that the model was never told; `outro_prompt` were answered to another text of the prompt.
    """

    feitas: dict[Chave, Feita] = field(default_factory=dict)
    sem_resposta: set[Chave] = field(default_factory=set)
    fora_da_forma: set[Chave] = field(default_factory=set)
    sem_segunda: set[Chave] = field(default_factory=set)
    outro_prompt: set[Chave] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class _Lida:
    """The answers of a question in today's form, with what today's check says of each."""

    valores: tuple[Any, ...]
    problemas: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Trocado:
    """A prompt in the place of another, which is known by its digest: an agent may have more than one."""

    digest: str
    por: Prompt


class Gravacao:
    """The `Modelo` of a recording. `vivo` answers what is not in the folder, and that is written down; `most` bounds the questions.

    With `trocado`, whoever has the prompt that it takes the place of is asked anew, what is answered is kept in `novas` and not in the
    folder, and `most` bounds what is asked of `vivo` alone. `do_prompt` are the questions that it concerns.
    """

    def __init__(self, pasta: Pasta, vivo: Modelo | None = None, most: int | None = None, trocado: Trocado | None = None) -> None:
        self._pasta = pasta
        self._vivo = vivo
        self._most = most
        self._trocado = trocado
        self._asking: dict[Chave, asyncio.Lock] = {}
        self._counted: set[Chave] = set()
        self.novas: dict[Chave, Gravada] = {}
        self.do_prompt: set[Chave] = set()
        self.contas = Contas()
        self.sem_orcamento = False

    @property
    def nome(self) -> str:
        """As CRIVO_MODELO had it when it was recorded."""
        return self._pasta.manifesto.modelo

    @property
    def simulado(self) -> bool:
        """Whether code played the model's part."""
        return self._pasta.manifesto.simulado

    async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
        """As the port says; whatever it is asked for, what is paid is paid for the evaluation."""
        chave = Chave.of(question)
        asked = self._with_prompt(question, chave)
        async with self._asking.setdefault(chave, asyncio.Lock()):
            gravada = self._found(asked, chave)
            if gravada is None:
                gravada = await self._asked(scope, asked, chave)
        return self._served(asked, chave, gravada)

    def _with_prompt(self, question: Question[T], chave: Chave) -> Question[T]:
        if self._trocado is None or question.prompt.digest != self._trocado.digest:
            return question
        self.do_prompt.add(chave)
        return replace(question, prompt=self._trocado.por)

    def _found(self, question: Question[Any], chave: Chave) -> Gravada | None:
        """What is known of it; where a model can be asked, neither what may pass nor what an agent said to another prompt."""
        gravada = self.novas.get(chave) or self._pasta.gravadas.get(chave)
        if gravada is None or self._vivo is None or chave in self.novas:
            return gravada
        if self._trocado is not None and chave not in self.do_prompt:
            return gravada
        is_settled = gravada.falha in _SETTLED and not gravada.provisoria and gravada.prompt_digest == question.prompt.digest
        return gravada if is_settled else None

    async def _asked(self, scope: Scope, question: Question[Any], chave: Chave) -> Gravada:
        full = self._most is not None and len(self._counted) >= self._most
        if self._vivo is None or full:
            return self._as_before(chave)
        self._counted.add(chave)
        try:
            gravada = await _record(self._vivo, scope, question, chave)
        except asyncio.CancelledError:  # whoever asked waits no longer, and does the part of the model in code
            late = _unanswered(question, chave)
            self._keep(chave, late)
            self.contas.feitas[chave] = Feita(late, question.conferir is not None, "nenhuma", "falhou", late.falha)
            raise
        if gravada.falha == "orcamento":  # the budget of the month ended, and nothing was asked
            self.sem_orcamento = True
            return self._as_before(chave)
        await asyncio.to_thread(self._keep, chave, gravada)
        return gravada

    def _as_before(self, chave: Chave) -> Gravada:
        """What the folder has of a question that cannot be asked again now: a replay will find the same."""
        before = self._pasta.gravadas.get(chave)
        if before is None or chave in self.do_prompt:
            self.contas.sem_resposta.add(chave)
            raise ModeloIndisponivel(_NEVER_ASKED)
        return before

    def _keep(self, chave: Chave, gravada: Gravada) -> None:
        if self._trocado is None:
            self._pasta.keep(gravada)
        else:
            self.novas[chave] = gravada

    def _served(self, question: Question[T], chave: Chave, gravada: Gravada) -> Reply[T]:
        """The answer that the gateway would have let through, by today's check."""
        if self._trocado is None:
            self._counted.add(chave)
        contas, conferida = self.contas, question.conferir is not None
        if gravada.prompt_digest != question.prompt.digest:
            contas.outro_prompt.add(chave)
        try:
            lida = _read(question, gravada)
        except msgspec.ValidationError:
            contas.fora_da_forma.add(chave)
            contas.feitas[chave] = Feita(gravada, conferida, "nenhuma", "falhou", "fora_do_formato")
            raise ModeloIndisponivel("fora_do_formato") from None
        at = 0 if lida.problemas and lida.problemas[0] is None else len(lida.valores) - 1
        if not lida.valores or (gravada.falha is not None and lida.problemas[at] is not None):
            falha: Falha = gravada.falha or "ilegivel"
            contas.feitas[chave] = Feita(gravada, conferida, "avisada" if lida.valores else "nenhuma", "falhou", falha, lida.problemas)
            raise ModeloIndisponivel(falha)
        problema = lida.problemas[at]
        if problema is not None and len(lida.valores) == 1 and gravada.respostas[0].problema is None:
            contas.sem_segunda.add(chave)
        primeira, fim = _first(gravada, lida, conferida=conferida), _last(problema, conferida=conferida)
        contas.feitas[chave] = Feita(gravada, conferida, primeira, fim, None, lida.problemas)
        return Reply(
            lida.valores[at],
            gravada.modelo,
            gravada.tokens_entrada,
            gravada.tokens_saida,
            gravada.custo,
            repetida=True,
            provisoria=gravada.provisoria,
        )


def may_pass(contas: Contas) -> Counter[str]:
    """The failures of a run that asking again may mend, by kind."""
    return Counter(feita.falha for feita in contas.feitas.values() if feita.falha is not None and feita.gravada.falha not in _SETTLED)


def _first(gravada: Gravada, lida: _Lida, *, conferida: bool) -> Primeira:
    if not conferida:
        return "sem_conferencia"
    if not gravada.primeira_conhecida:
        return "desconhecida"
    return "avisada" if lida.problemas[0] is not None else "aceita"


def _last(problema: str | None, *, conferida: bool) -> Fim:
    if not conferida:
        return "sem_conferencia"
    return "aceita" if problema is None else "com_falha"


def _read(question: Question[Any], gravada: Gravada) -> _Lida:
    """The recorded answers in today's form. Raises ValidationError."""
    valores = tuple(msgspec.json.decode(msgspec.json.encode(resposta.valor), type=question.resposta) for resposta in gravada.respostas)
    return _Lida(valores, tuple(None if question.conferir is None else question.conferir(valor) for valor in valores))


def _unanswered(question: Question[Any], chave: Chave) -> Gravada:
    prompt, dados = question.prompt, tuple(shown(question).split("\n"))
    return Gravada(chave.agente, prompt.versao, prompt.digest, chave.pergunta, chave.amostra, dados, falha="demorou")


async def _record(vivo: Modelo, scope: Scope, question: Question[Any], chave: Chave) -> Gravada:
    """Ask the live model, listening to what its answers are told on the way."""
    heard: list[Resposta] = []
    gravada = _unanswered(question, chave)
    began = perf_counter()
    try:
        reply = await vivo.ask(scope, replace(question, conferir=_listening(question.conferir, heard)), ORIGEM)
    except ModeloIndisponivel as error:
        ms = round((perf_counter() - began) * 1000)
        return msgspec.structs.replace(gravada, respostas=tuple(heard[-2:]), falha=error.falha, ms=ms)
    asked = bool(heard)  # else the ledger had it: of what was said before the last answer nothing is known
    last = msgspec.to_builtins(reply.valor)
    if not asked or heard[-1].valor != last:
        heard.append(Resposta(last, None if question.conferir is None else question.conferir(reply.valor)))
    return msgspec.structs.replace(
        gravada,
        respostas=tuple(heard[-2:]),
        primeira_conhecida=asked,
        provisoria=reply.provisoria,
        falha=None,
        modelo=reply.modelo,
        tokens_entrada=reply.tokens_entrada,
        tokens_saida=reply.tokens_saida,
        custo=reply.custo,
        ms=round((perf_counter() - began) * 1000) if asked else None,
    )


def _listening(conferir: Callable[[Any], str | None] | None, heard: list[Resposta]) -> Callable[[Any], str | None]:
    def listen(valor: Any) -> str | None:
        problema = None if conferir is None else conferir(valor)
        heard.append(Resposta(msgspec.to_builtins(valor), problema))
        return problema

    return listen
