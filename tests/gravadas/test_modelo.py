"""A recording answers as the gateway would have: today's check over what a model really said, and nothing is asked twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crivo.gravadas.comparacao import changed, other_prompt
from crivo.gravadas.modelo import Gravacao, Trocado, may_pass
from crivo.gravadas.placar import by_agent, not_known
from crivo.gravadas.registro import GravacaoDeOutroModelo, GravacaoIlegivel, Manifesto, Pasta, Tamanho, begin, open_pasta
from crivo.kernel.agents.prompts import Prompt
from crivo.kernel.llm.port import Dado, Falha, ModeloIndisponivel, Question, Reply, T
from crivo.kernel.tenancy import Scope
from modelo_falso import ModeloFalso

DONO = Scope("local", "teste")
MANIFESTO = Manifesto("falso:um", False, 400, Tamanho(1, 0, 0, 0), datetime(2026, 11, 28, tzinfo=UTC))


class Texto(msgspec.Struct, frozen=True):
    """An answer."""

    texto: str


class Numerado(msgspec.Struct, frozen=True):
    """An answer of another form."""

    numero: int


def polite(valor: Texto) -> str | None:
    return None if valor.texto.startswith("Olá") else "Cumprimente primeiro."


def pergunta(sobre: str = "o exame", conferir: Callable[[Any], str | None] | None = polite, resposta: type[Any] = Texto) -> Question[Any]:
    prompt = Prompt("1", "Escreva.", "a" * 64)
    return Question(agente="um.escritor", prompt=prompt, partes=(Dado("assunto", sobre),), resposta=resposta, nonce="n", conferir=conferir)


def said(*textos: str) -> ModeloFalso:
    """A model that says these, one after another."""
    left = iter(textos)
    return ModeloFalso(lambda _: {"texto": next(left)})


def sobre_of(question: Question[Any]) -> str:
    return next(parte.texto for parte in question.partes if isinstance(parte, Dado))


def nova(tmp_path: Path) -> Pasta:
    return begin(tmp_path / "g", MANIFESTO)


async def replayed(tmp_path: Path, question: Question[Any]) -> tuple[Any, Gravacao]:
    gravacao = Gravacao(open_pasta(tmp_path / "g"))
    try:
        return (await gravacao.ask(DONO, question, "x")).valor, gravacao
    except ModeloIndisponivel as error:
        return error.falha, gravacao


async def test_both_answers_are_recorded_and_the_second_stands_as_it_did(tmp_path: Path) -> None:
    modelo = said("Seu exame saiu.", "Olá! Seu exame saiu.")
    reply = await Gravacao(nova(tmp_path), modelo).ask(DONO, pergunta(), "x")
    assert reply.valor == Texto("Olá! Seu exame saiu.")
    valor, gravacao = await replayed(tmp_path, pergunta())
    assert valor == reply.valor
    (feita,) = gravacao.contas.feitas.values()
    assert [resposta.problema for resposta in feita.gravada.respostas] == ["Cumprimente primeiro.", None]
    (agente,) = by_agent(gravacao.contas)
    assert (agente.a_primeira.certos, agente.no_fim.certos, agente.perguntas) == (0, 1, 1)


async def test_a_check_that_changed_is_judged_on_what_was_said(tmp_path: Path) -> None:
    """A looser one lets the first answer through; a stricter one holds what was never told a fault, and says that it cannot be known."""
    await Gravacao(nova(tmp_path), said("Seu exame saiu.", "Olá! Seu exame saiu.")).ask(DONO, pergunta(), "x")
    valor, loose = await replayed(tmp_path, pergunta(conferir=lambda _: None))
    assert valor == Texto("Seu exame saiu.")
    assert [one.sentido for one in changed(loose.contas)] == ["melhorou"]
    await Gravacao(open_pasta(tmp_path / "g"), said("Olá! Saiu.")).ask(DONO, pergunta("outro"), "x")
    valor, strict = await replayed(tmp_path, pergunta("outro", conferir=lambda _: "Não fale de exames."))
    assert valor == Texto("Olá! Saiu.")
    assert len(strict.contas.sem_segunda) == 1
    assert [(one.sentido, one.agora) for one in changed(strict.contas)] == [("piorou", "Não fale de exames.")]


async def test_what_has_no_reply_or_another_form_or_another_prompt_is_counted_and_not_hidden(tmp_path: Path) -> None:
    pasta = nova(tmp_path)
    await Gravacao(pasta, said("Olá!", "Olá, de novo!")).ask(DONO, pergunta(), "x")
    valor, gravacao = await replayed(tmp_path, pergunta("nunca perguntado"))
    found = not_known(gravacao.contas, pasta)
    assert (valor, found.sem_resposta, found.nao_perguntadas) == ("orcamento", {"um.escritor": 1}, {"um.escritor": 1})
    valor, gravacao = await replayed(tmp_path, pergunta(resposta=Numerado, conferir=None))
    assert (valor, not_known(gravacao.contas, pasta).fora_da_forma) == ("fora_do_formato", {"um.escritor": 1})
    valor, gravacao = await replayed(tmp_path, replace(pergunta(), prompt=Prompt("2", "Escreva bem.", "b" * 64)))
    assert (valor, not_known(gravacao.contas, pasta).outro_prompt) == (Texto("Olá!"), {"um.escritor": 1})


async def test_a_recording_that_was_stopped_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    """Also what a model answered in no form that can be used was paid for; what may pass is asked again."""
    failed: dict[str, Falha] = {"formato": "fora_do_formato", "longe": "fora_do_ar"}

    def some(question: Question[Any]) -> dict[str, Any] | Falha:
        return failed.get(sobre_of(question)) or {"texto": "Olá!"}

    first = ModeloFalso(some)
    for sobre in ("um", "formato", "longe"):
        try:
            await Gravacao(open_pasta(tmp_path / "g") if first.perguntas else nova(tmp_path), first).ask(DONO, pergunta(sobre), "x")
        except ModeloIndisponivel:
            continue
    again = said("Olá, agora!", "Olá, por fim!")
    gravacao = Gravacao(begin(tmp_path / "g", MANIFESTO), again)
    with pytest.raises(ModeloIndisponivel, match="forma pedida"):
        await gravacao.ask(DONO, pergunta("formato"), "x")
    replies = [await gravacao.ask(DONO, pergunta(sobre), "x") for sobre in ("um", "longe", "novo")]
    assert [reply.valor.texto for reply in replies] == ["Olá!", "Olá, agora!", "Olá, por fim!"]
    assert len(again.perguntas) == 2


async def test_no_more_is_asked_than_the_bound_and_what_is_known_is_answered_all_the_same(tmp_path: Path) -> None:
    gravacao = Gravacao(nova(tmp_path), said("Olá, um!", "Olá, dois!"), most=2)
    for sobre in ("um", "dois"):
        await gravacao.ask(DONO, pergunta(sobre), "x")
    with pytest.raises(ModeloIndisponivel):
        await gravacao.ask(DONO, pergunta("três"), "x")
    assert (await gravacao.ask(DONO, pergunta("um"), "x")).valor == Texto("Olá, um!")
    assert len(gravacao.contas.sem_resposta) == 1


async def test_what_failed_and_cannot_be_asked_again_now_is_what_a_replay_will_find(tmp_path: Path) -> None:
    with pytest.raises(ModeloIndisponivel):
        await Gravacao(nova(tmp_path), ModeloFalso(lambda _: "demorou")).ask(DONO, pergunta("um"), "x")
    again = Gravacao(open_pasta(tmp_path / "g"), said("Olá!"), most=1)
    await again.ask(DONO, pergunta("dois"), "x")
    with pytest.raises(ModeloIndisponivel, match="demorou"):
        await again.ask(DONO, pergunta("um"), "x")
    assert not again.contas.sem_resposta


async def test_an_answer_that_the_ledger_had_has_a_first_look_that_nobody_knows(tmp_path: Path) -> None:
    class Lembrado(ModeloFalso):
        async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
            return await super().ask(scope, replace(question, conferir=None), origem)

    await Gravacao(nova(tmp_path), Lembrado(lambda _: {"texto": "Olá!"})).ask(DONO, pergunta(), "x")
    _, gravacao = await replayed(tmp_path, pergunta())
    (agente,) = by_agent(gravacao.contas)
    assert (agente.a_primeira.total, agente.no_fim.certos, agente.ms_mediana) == (0, 1, None)


async def test_who_waits_no_longer_leaves_a_question_that_took_too_long(tmp_path: Path) -> None:
    class Lento(ModeloFalso):
        async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
            await asyncio.Event().wait()
            raise AssertionError

    gravacao = Gravacao(nova(tmp_path), Lento(lambda _: {}))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.01):
            await gravacao.ask(DONO, pergunta(), "x")
    valor, again = await replayed(tmp_path, pergunta())
    assert valor == "demorou"
    assert by_agent(again.contas) == by_agent(gravacao.contas)


async def test_a_reply_that_was_changed_is_told_and_not_used_and_asked_again_where_it_can(tmp_path: Path) -> None:
    await Gravacao(nova(tmp_path), said("Olá!")).ask(DONO, pergunta(), "x")
    (file,) = (tmp_path / "g" / "perguntas").glob("*/*.json")
    file.write_text(file.read_text("utf-8").replace("Olá!", "Olá, minha filha!"), encoding="utf-8")
    valor, gravacao = await replayed(tmp_path, pergunta())
    pasta = open_pasta(tmp_path / "g")
    assert (valor, not_known(gravacao.contas, pasta).alteradas) == ("orcamento", (f"perguntas/um.escritor/{file.name}",))
    await Gravacao(pasta, said("Olá outra vez!")).ask(DONO, pergunta(), "x")
    assert (pasta.alteradas, open_pasta(tmp_path / "g").alteradas) == ([], [])
    file.write_text("{", encoding="utf-8")
    assert open_pasta(tmp_path / "g").ilegiveis == [f"perguntas/um.escritor/{file.name}"]


async def test_another_prompt_is_asked_anew_and_what_it_brings_and_takes_is_told_by_question(tmp_path: Path) -> None:
    gravador = Gravacao(nova(tmp_path), said("Saiu.", "Olá! Saiu.", "Olá! Está pronto."))
    for sobre in ("um", "dois"):
        await gravador.ask(DONO, pergunta(sobre), "x")
    pasta = open_pasta(tmp_path / "g")
    antes, depois = (
        Gravacao(pasta),
        Gravacao(pasta, said("Olá! Já saiu.", "Pronto.", "Pronto!"), trocado=Trocado("a" * 64, Prompt("2", "", "b"))),
    )
    for gravacao in (antes, depois):
        for sobre in ("um", "dois"):
            await gravacao.ask(DONO, pergunta(sobre), "x")
    worse, better = other_prompt(depois.do_prompt, antes.contas, depois.contas)
    assert (worse.sentido, worse.antes, worse.depois, worse.problema) == ("piorou", "aceita", "com_falha", "Cumprimente primeiro.")
    assert (better.sentido, better.antes, better.depois) == ("melhorou", "avisada", "aceita")
    assert open_pasta(tmp_path / "g").gravadas == pasta.gravadas


def test_a_folder_is_of_one_model_and_of_nothing_else(tmp_path: Path) -> None:
    nova(tmp_path)
    with pytest.raises(GravacaoDeOutroModelo, match="falso:um"):
        begin(tmp_path / "g", msgspec.structs.replace(MANIFESTO, modelo="falso:dois"))
    (tmp_path / "cheia").mkdir()
    (tmp_path / "cheia" / "nota.txt").write_text("minha", encoding="utf-8")
    with pytest.raises(GravacaoIlegivel, match="não é uma gravação"):
        begin(tmp_path / "cheia", MANIFESTO)
    with pytest.raises(GravacaoIlegivel, match="--gravar"):
        open_pasta(tmp_path / "cheia")


async def test_a_budget_that_ended_leaves_no_answer_and_what_may_pass_is_told_apart_from_what_was_paid(tmp_path: Path) -> None:
    failed: dict[str, Falha] = {"caro": "orcamento", "longe": "fora_do_ar", "torto": "recusou"}
    gravacao = Gravacao(nova(tmp_path), ModeloFalso(lambda question: failed[sobre_of(question)]))
    for sobre in failed:
        with pytest.raises(ModeloIndisponivel):
            await gravacao.ask(DONO, pergunta(sobre), "x")
    assert gravacao.sem_orcamento
    assert may_pass(gravacao.contas) == {"fora_do_ar": 1}
    assert len(open_pasta(tmp_path / "g").gravadas) == 2


async def test_what_is_paid_is_paid_for_the_evaluation_whoever_asks(tmp_path: Path) -> None:
    origens = []

    class Atento(ModeloFalso):
        async def ask(self, scope: Scope, question: Question[T], origem: str) -> Reply[T]:
            origens.append(origem)
            return await super().ask(scope, question, origem)

    await Gravacao(nova(tmp_path), Atento(lambda _: {"texto": "Olá!"})).ask(DONO, pergunta(), "conversa:1")
    assert origens == ["avaliar-modelo"]
