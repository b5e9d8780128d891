"""Notas carried through an execução: suggested by a model, checked, kept, copied, failed and asked for again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from typing import Any

import msgspec
import pytest

from chamadas import VERSOES, Falsos, Importacao, importacao
from crivo.kernel.llm.port import Falha, Question
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Habilitacao, NotaSugerida
from crivo.triagem.com_modelo import ComModelo
from crivo.triagem.custeio import Custeio
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.erros import NadaARetomar
from crivo.triagem.leitora import Revista
from crivo.triagem.quadro import Quadro, Versoes
from crivo.triagem.service import Triagem
from modelo_falso import ModeloFalso
from seguimento import Trabalhando, Triagens, wait_for_end, wait_until

RESUMO = "Oficinas de teatro de rua para oitenta jovens da zona rural, com doze encontros abertos ao público."
COM_MODELO = Versoes(VERSOES.leitura, VERSOES.regras, "falso:um")
Answer = dict[str, Any] | Falha


def resposta(nota: float = 7.5, **mudado: Any) -> dict[str, Any]:
    said = "O projeto descreve oficinas de teatro para jovens da zona rural e encontros abertos ao público."
    return {"citacoes": [RESUMO], "trechos_suspeitos": [], "justificativa": said, "nota": nota} | mudado


def about(question: Question[Any]) -> str:
    """The name of the critério that is asked about."""
    dado = next(parte for parte in question.partes if not isinstance(parte, str) and parte.rotulo == "critério")
    return dado.texto.splitlines()[0].removeprefix("Critério: ")


def com_resumo(projetos: int) -> Importacao:
    return importacao(projetos, mudados={f"P{numero:04}": f"{RESUMO} Turma {numero}." for numero in range(1, projetos + 1)})


def falsos(modelo: ModeloFalso, concorrencia: int = 25) -> Falsos:
    return Falsos(leitora=ComModelo(modelo, concorrencia))


@pytest.fixture
def triagem_com_modelo(triagens: Triagens) -> Triagem:
    return triagens(COM_MODELO)


async def test_each_criterio_has_a_nota_with_its_evidence_beside_the_assisted_reading(
    triagem_com_modelo: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    """Triagem 2/3, Triagem 3.1/4, Triagem 4/2, Triagem 6/2: the job, on the server, asks the model."""
    triagem, modelo = triagem_com_modelo, ModeloFalso(lambda question: resposta(7 if about(question) == "Alcance" else 6))
    await triagem.importar(scope, com_resumo(3))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(falsos(modelo), COM_MODELO):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.projetos_com_erro, execucao.notas_sem_resposta) == ("concluida", 0, 0)
    assert len(modelo.perguntas) == 6
    for projeto in (await triagem.resultado(scope, "ED-1")).projetos:
        assert [(nota.criterio, nota.nota_sugerida, nota.situacao, nota.modelo) for nota in projeto.notas] == [
            ("C1", Decimal(6), "sugerida", "falso:um"),
            ("C2", Decimal(7), "sugerida", "falso:um"),
        ]
        assert projeto.notas[0].evidencias[0].trecho.startswith("Oficinas de teatro")
        assert projeto.notas[0].amostras == (Decimal(6),)
        assert [one.criterio for one in projeto.leitura] == ["C1", "C2"]
        assert projeto.habilitacao_sugerida == "habilitado"


async def test_a_simulated_model_is_told_as_such_in_every_nota(triagem_com_modelo: Triagem, trabalhando: Trabalhando, scope: Scope) -> None:
    """Source: issue, "every nota, page and export of it says 'modelo simulado'"."""
    await triagem_com_modelo.importar(scope, com_resumo(1))
    await triagem_com_modelo.executar(scope, "ED-1")
    async with trabalhando(falsos(ModeloFalso(lambda _: resposta(), simulado=True)), COM_MODELO):
        await wait_for_end(triagem_com_modelo, scope, "ED-1")
    (projeto,) = (await triagem_com_modelo.resultado(scope, "ED-1")).projetos
    assert [nota.simulado for nota in projeto.notas] == [True, True]


async def test_a_model_that_fails_leaves_the_project_concluded_and_is_asked_again_when_gone_on_with(
    triagem_com_modelo: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    triagem = triagem_com_modelo
    away = ModeloFalso(lambda question: "fora_do_ar" if about(question) == "Alcance" else resposta())
    await triagem.importar(scope, com_resumo(2))
    first = await triagem.executar(scope, "ED-1")
    async with trabalhando(falsos(away), COM_MODELO):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.projetos_com_erro, execucao.notas_sem_resposta) == ("concluida", 0, 2)
    before = (await triagem.resultado(scope, "ED-1")).projetos
    assert [(nota.criterio, nota.nota_sugerida, nota.situacao) for nota in before[0].notas][1] == ("C2", None, "falhou")
    assert before[0].notas[1].observacao
    resumed = await triagem.retomar(scope, "ED-1")
    assert (resumed.id, resumed.status, resumed.projetos_analisados) == (first.id, "em_andamento", 0)
    async with trabalhando(falsos(ModeloFalso(lambda _: resposta(6.5))), COM_MODELO):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.notas_sem_resposta, execucao.irregularidades_reaproveitadas) == ("concluida", 0, False)
    after = (await triagem.resultado(scope, "ED-1")).projetos
    assert [[nota.situacao for nota in projeto.notas] for projeto in after] == [["sugerida", "sugerida"]] * 2


class Uma(ModeloFalso):
    """Fails every second question: whoever is told a fault of an answer cannot be asked again, while `cai`."""

    def __init__(self, responde: Callable[[Question[Any]], Answer]) -> None:
        super().__init__(responde)
        self.cai = True

    async def ask(self, scope: Scope, question: Question[Any], origem: str) -> Any:
        responde, said = self._responde, 0

        def once(asked: Question[Any]) -> Any:
            nonlocal said
            said += 1
            return "demorou" if said > 1 and self.cai else responde(asked)

        self._responde = once
        try:
            return await super().ask(scope, question, origem)
        finally:
            self._responde = responde


async def test_what_stands_only_because_nobody_could_ask_again_is_counted_told_and_asked_again(
    triagem_com_modelo: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    """A provider that fails only second questions leaves nothing that looks whole: not in the run, and not in the next."""
    triagem = triagem_com_modelo
    modelo = Uma(lambda question: resposta(justificativa="Recomendo aprovar.") if about(question) == "Alcance" else resposta())
    await triagem.importar(scope, com_resumo(2))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(falsos(modelo), COM_MODELO):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.notas_sem_resposta, execucao.pode_retomar) == ("concluida", 2, True)
    (um, outro) = (await triagem.resultado(scope, "ED-1")).projetos[0].notas
    assert (um.provisoria, outro.provisoria, outro.situacao) == (False, True, "sugerida")
    assert outro.observacao.startswith("Nota provisória")
    asked = len(modelo.perguntas)
    await triagem.executar(scope, "ED-1")  # nothing of it is found again by its content
    async with trabalhando(falsos(modelo), COM_MODELO):
        assert (await wait_for_end(triagem, scope, "ED-1")).notas_sem_resposta == 2
    assert len(modelo.perguntas) > asked
    modelo.cai = False
    await triagem.retomar(scope, "ED-1")
    async with trabalhando(falsos(modelo), COM_MODELO):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.notas_sem_resposta, execucao.pode_retomar) == (0, False)
    with pytest.raises(NadaARetomar):
        await triagem.retomar(scope, "ED-1")


async def test_a_nota_that_the_ledger_keeps_as_no_good_is_asked_for_anew(
    triagem_com_modelo: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    """An answer that is out of range twice is kept under its question for ever: the same question would bring it again."""
    triagem, modelo = triagem_com_modelo, Lembrado(lambda question: resposta(99 if question.amostra < 1_000 else 6))
    await triagem.importar(scope, com_resumo(1))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(falsos(modelo), COM_MODELO):
        assert (await wait_for_end(triagem, scope, "ED-1")).notas_sem_resposta == 2
    assert max(question.amostra for question in modelo.perguntas) == 0
    await triagem.retomar(scope, "ED-1")
    async with trabalhando(falsos(modelo), COM_MODELO):
        assert (await wait_for_end(triagem, scope, "ED-1")).notas_sem_resposta == 0


class Lembrado(ModeloFalso):
    """Keeps answers by critério and sample, as the ledger does."""

    def __init__(self, responde: Callable[[Question[Any]], Answer]) -> None:
        super().__init__(responde)
        self._kept: dict[tuple[str, int], Any] = {}

    async def ask(self, scope: Scope, question: Question[Any], origem: str) -> Any:
        key = (about(question), question.amostra)
        known = self._kept.get(key)
        self._kept[key] = reply = known or await super().ask(scope, question, origem)
        return replace(reply, repetida=known is not None)


async def test_a_document_of_which_the_model_could_not_tell_is_counted_and_asked_about_again(
    triagem_com_modelo: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    triagem, leitora = triagem_com_modelo, Calada()
    await triagem.importar(scope, com_resumo(2))
    await triagem.executar(scope, "ED-1", "habilitacao")
    async with trabalhando(Falsos(leitora=leitora), COM_MODELO):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.notas_sem_resposta, execucao.habilitacoes_incompletas, execucao.pode_retomar) == (0, 2, True)
    leitora.calada = False
    await triagem.retomar(scope, "ED-1")
    async with trabalhando(Falsos(leitora=leitora), COM_MODELO):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.habilitacoes_incompletas, execucao.pode_retomar) == (0, False)


class Calada:
    """A reader that cannot tell of any document while it is `calada`."""

    calada = True

    async def revisar(self, scope: Scope, quadro: Quadro, lido: ProjetoLido, habilitacao: Habilitacao, origem: str) -> Revista:
        return Revista(habilitacao, inteira=not self.calada)

    async def avaliar(self, scope: Scope, quadro: Quadro, lido: ProjetoLido, origem: str) -> tuple[NotaSugerida, ...]:
        return ()


async def test_an_unchanged_project_keeps_its_notas_and_nothing_is_asked(
    triagem_com_modelo: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    """Source: design, An execução ("a second run pays only for what changed (project, criterion, prompt or model)")."""
    triagem, modelo = triagem_com_modelo, ModeloFalso(lambda _: resposta())
    await triagem.importar(scope, com_resumo(2))
    results = []
    for _ in range(2):
        await triagem.executar(scope, "ED-1")
        async with trabalhando(falsos(modelo), COM_MODELO):
            await wait_for_end(triagem, scope, "ED-1")
        results.append((await triagem.resultado(scope, "ED-1")).projetos)
    assert len(modelo.perguntas) == 4
    assert results[0] == results[1]
    assert len(results[1][0].notas) == 2


async def test_another_model_or_other_samples_are_asked_anew(triagens: Triagens, trabalhando: Trabalhando, scope: Scope) -> None:
    asked = []
    for versoes, amostras in ((COM_MODELO, 1), (Versoes(VERSOES.leitura, VERSOES.regras, "outro:dois"), 1), (COM_MODELO, 3)):
        triagem, modelo, feita = triagens(versoes), ModeloFalso(lambda _: resposta()), com_resumo(1)
        edital = msgspec.structs.replace(feita.chamada.edital, amostras=amostras)
        await triagem.importar(scope, Importacao(msgspec.structs.replace(feita.chamada, edital=edital), feita.arquivos))
        await triagem.executar(scope, "ED-1")
        async with trabalhando(falsos(modelo), versoes):
            await wait_for_end(triagem, scope, "ED-1")
        asked.append(len(modelo.perguntas))
    assert asked == [2, 2, 6]


async def test_a_kind_that_grades_nothing_asks_nothing(triagem_com_modelo: Triagem, trabalhando: Trabalhando, scope: Scope) -> None:
    modelo = ModeloFalso(lambda _: resposta())
    await triagem_com_modelo.importar(scope, com_resumo(2))
    for tipo in ("habilitacao", "irregularidades"):
        await triagem_com_modelo.executar(scope, "ED-1", tipo)
        async with trabalhando(falsos(modelo), COM_MODELO):
            await wait_for_end(triagem_com_modelo, scope, "ED-1")
    assert modelo.perguntas == []


class Lento(ModeloFalso):
    """Waits to be let go before each answer, and counts how many wait at once."""

    def __init__(self, responde: Callable[[Question[Any]], Answer]) -> None:
        super().__init__(responde)
        self.solto = asyncio.Event()
        self.esperando = self.mais = 0
        self._mudou = asyncio.Condition()

    async def ask(self, scope: Scope, question: Question[Any], origem: str) -> Any:
        await self._count(1)
        try:
            await self.solto.wait()
            return await super().ask(scope, question, origem)
        finally:
            await asyncio.shield(self._count(-1))

    async def wait_for(self, esperando: int) -> None:
        """Return once so many wait."""
        async with asyncio.timeout(60), self._mudou:
            await self._mudou.wait_for(lambda: self.esperando == esperando)

    async def _count(self, more: int) -> None:
        async with self._mudou:
            self.esperando += more
            self.mais = max(self.mais, self.esperando)
            self._mudou.notify_all()


async def test_many_projects_wait_for_the_model_at_once_and_hold_no_connection(
    triagem_com_modelo: Triagem, trabalhando: Trabalhando, database: Database, scope: Scope
) -> None:
    """More projects wait than the pool has connections; whoever looks is answered all the same, and the phases tell how far it is."""
    triagem, modelo = triagem_com_modelo, Lento(lambda _: resposta())
    await triagem.importar(scope, com_resumo(16))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(falsos(modelo, 30), COM_MODELO, 16):
        await modelo.wait_for(30)
        execucao = await wait_until(triagem, scope, "ED-1", lambda one: one.fases[1].feitos == 16)
        assert [(fase.fase, fase.feitos) for fase in execucao.fases] == [
            ("leitura", 16),
            ("habilitacao", 16),
            ("avaliacao", 0),
            ("irregularidades", 0),
        ]
        assert execucao.fase == "avaliacao"
        assert modelo.mais == 30
        modelo.solto.set()
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, len(modelo.perguntas)) == ("concluida", 32)


async def test_a_cancel_stops_the_asking(triagem_com_modelo: Triagem, trabalhando: Trabalhando, scope: Scope) -> None:
    triagem, modelo = triagem_com_modelo, Lento(lambda _: resposta())
    await triagem.importar(scope, com_resumo(4))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(falsos(modelo, 3), COM_MODELO, 4):
        await modelo.wait_for(3)
        await triagem.cancelar(scope, "ED-1")
        await modelo.wait_for(0)
    modelo.solto.set()
    assert modelo.perguntas == []
    assert (await triagem.status(scope, "ED-1")).projetos_analisados == 0
    await triagem.retomar(scope, "ED-1")
    async with trabalhando(falsos(modelo), COM_MODELO):
        assert (await wait_for_end(triagem, scope, "ED-1")).status == "concluida"
    assert len(modelo.perguntas) == 8


def _priced(triagens: Triagens) -> Triagem:
    return triagens(COM_MODELO, Custeio("falso:um"))


async def test_a_worker_without_the_model_parks_the_projects_and_says_so_and_one_with_it_takes_them(
    triagens: Triagens, trabalhando: Trabalhando, scope: Scope
) -> None:
    triagem, modelo = _priced(triagens), ModeloFalso(lambda _: resposta())
    await triagem.importar(scope, com_resumo(3))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        waiting = await wait_until(triagem, scope, "ED-1", lambda one: one.erro_mensagem is not None)
        assert "não tem o modelo falso:um" in str(waiting.erro_mensagem)
        assert (waiting.status, waiting.projetos_analisados) == ("em_andamento", 0)
        async with trabalhando(falsos(modelo), COM_MODELO):
            execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.erro_mensagem, execucao.projetos_com_erro) == ("concluida", None, 0)
    for projeto in (await triagem.resultado(scope, "ED-1")).projetos:
        assert [nota.modelo for nota in projeto.notas] == ["falso:um", "falso:um"]


async def test_what_waits_for_a_model_can_be_cancelled_and_gone_on_with(triagens: Triagens, trabalhando: Trabalhando, scope: Scope) -> None:
    triagem = _priced(triagens)
    await triagem.importar(scope, com_resumo(2))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        await wait_until(triagem, scope, "ED-1", lambda one: one.erro_mensagem is not None)
    assert (await triagem.cancelar(scope, "ED-1")).status == "cancelada"
    await triagem.retomar(scope, "ED-1")
    async with trabalhando(falsos(ModeloFalso(lambda _: resposta())), COM_MODELO):
        assert (await wait_for_end(triagem, scope, "ED-1")).status == "concluida"


async def test_what_asks_for_no_notas_is_done_by_any_worker(triagens: Triagens, trabalhando: Trabalhando, scope: Scope) -> None:
    triagem = _priced(triagens)
    await triagem.importar(scope, com_resumo(2))
    await triagem.executar(scope, "ED-1", "irregularidades")
    async with trabalhando(Falsos()):
        assert (await wait_for_end(triagem, scope, "ED-1")).status == "concluida"
