"""What is asked when somebody looks: in bounded time, not too often, and whatever fails takes nothing else with it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from crivo.kernel.medidas import Valor
from crivo.kernel.storage.errors import BancoIndisponivel
from crivo.vigia import catalogo
from crivo.vigia.coleta import Coleta, Grupo, watch


class Relogio:
    """Seconds that pass when told to."""

    def __init__(self) -> None:
        self.agora = 100.0

    def __call__(self) -> float:
        return self.agora


class Pergunta:
    """A group that counts how often it is asked, and answers, fails or is never done."""

    def __init__(self, *answers: Sequence[Valor] | Exception | None) -> None:
        self.answers = list(answers)
        self.vezes = 0

    async def __call__(self) -> Sequence[Valor]:
        self.vezes += 1
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if answer is None:
            await asyncio.Event().wait()
        if isinstance(answer, Exception):
            raise answer
        return answer or ()


LIVRE = (Valor(catalogo.DISCO_LIVRE, 7),)


def _told(valores: Sequence[Valor]) -> dict[tuple[str, ...], float]:
    return {(one.medida.nome, *one.rotulos): one.valor for one in valores if one.medida is not catalogo.COLETA_SEGUNDOS}


async def test_a_group_is_asked_again_only_after_its_time() -> None:
    relogio, pergunta = Relogio(), Pergunta(LIVRE)
    coleta = Coleta([Grupo("disco", pergunta, cada=15)], relogio)
    await coleta.ler()
    relogio.agora += 14
    assert _told(await coleta.ler())["crivo_disco_livre_bytes",] == 7
    assert pergunta.vezes == 1
    relogio.agora += 1
    await coleta.ler()
    assert pergunta.vezes == 2


async def test_many_who_look_at_once_ask_once() -> None:
    pergunta = Pergunta(LIVRE)
    coleta = Coleta([Grupo("disco", pergunta)])
    await asyncio.gather(*(coleta.ler() for _ in range(20)))
    assert pergunta.vezes == 1


async def test_a_group_that_fails_has_no_values_and_the_others_do(caplog: pytest.LogCaptureFixture) -> None:
    relogio = Relogio()
    falha = BancoIndisponivel("Maria não está")
    coleta = Coleta([Grupo("banco", Pergunta(LIVRE, falha)), Grupo("disco", Pergunta(LIVRE))], relogio)
    assert _told(await coleta.ler())["crivo_banco_no_ar",] == 1
    with caplog.at_level(logging.WARNING, "crivo"):
        for _ in range(3):
            relogio.agora += 60
            valores = _told(await coleta.ler())
    assert valores["crivo_banco_no_ar",] == 0
    assert valores["crivo_coleta_no_ar", "banco"] == 0
    assert valores["crivo_coleta_no_ar", "disco"] == 1
    assert valores["crivo_disco_livre_bytes",] == 7  # of the disk alone
    assert [(one.msg, one.__dict__["grupo"], one.__dict__["codigo"]) for one in caplog.records] == [
        ("medidas_sem_resposta", "banco", "banco_indisponivel")
    ]


async def test_a_group_that_never_answers_is_left_behind_in_time() -> None:
    coleta = Coleta([Grupo("banco", Pergunta(None)), Grupo("disco", Pergunta(LIVRE))], segundos=0.05)
    async with asyncio.timeout(5):
        valores = _told(await coleta.ler())
    assert valores["crivo_banco_no_ar",] == 0
    assert valores["crivo_disco_livre_bytes",] == 7


async def test_a_group_that_may_take_longer_than_a_look_is_told_once_it_is_read_and_as_it_was_meanwhile() -> None:
    relogio, read, vezes = Relogio(), asyncio.Event(), 0

    async def many() -> Sequence[Valor]:
        nonlocal vezes
        vezes += 1
        await read.wait()
        return (Valor(catalogo.DISCO_LIVRE, vezes),)

    coleta = Coleta([Grupo("disco", many, cada=15, ate=60)], relogio, segundos=0.05)
    assert _told(await coleta.ler()) == {("crivo_coleta_no_ar", "disco"): 0}
    read.set()
    assert _told(await coleta.ler())["crivo_disco_livre_bytes",] == 1
    read.clear()
    relogio.agora += 15
    assert _told(await coleta.ler())["crivo_disco_livre_bytes",] == 1
    assert (vezes, _told(await coleta.ler())["crivo_coleta_no_ar", "disco"]) == (2, 1)
    await coleta.close()
    assert not coleta._underway or all(task.cancelled() for task in coleta._underway.values())


async def test_it_is_told_from_another_thread_as_prometheus_reads_it() -> None:
    registry = CollectorRegistry()
    watch(registry, Coleta([Grupo("disco", Pergunta(LIVRE))]), "trabalhador", asyncio.get_running_loop())
    shown = (await asyncio.to_thread(generate_latest, registry)).decode()
    assert "crivo_disco_livre_bytes 7.0" in shown
    assert 'papel="trabalhador"' in shown
    assert "process_open_fds" in shown
    assert "_created" not in shown


async def test_a_look_while_the_program_is_stuck_or_gone_is_answered_all_the_same() -> None:
    stuck = asyncio.new_event_loop()  # it is never run
    registry = CollectorRegistry()
    watch(registry, Coleta([Grupo("disco", Pergunta(LIVRE))]), "servidor", stuck)
    collector = next(one for one in registry._collector_to_names if type(one).__name__ == "Servida")
    collector._segundos = 0.05  # type: ignore[attr-defined]
    assert "crivo_banco_no_ar 0.0" in (await asyncio.to_thread(generate_latest, registry)).decode()
    await asyncio.to_thread(stuck.run_until_complete, asyncio.sleep(0))  # what it was asked is let go of
    stuck.close()
    assert 'crivo_coleta_no_ar{grupo="disco"} 0.0' in (await asyncio.to_thread(generate_latest, registry)).decode()
