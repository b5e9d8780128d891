"""The work of an execução, by a worker of this process over a real database."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from chamadas import VERSOES, Falsos, importacao
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Tipo
from crivo.triagem.irregularidades.segunda_leitura import Significados
from crivo.triagem.pelo_sentido import PeloSentido
from crivo.triagem.quadro import Versoes
from crivo.triagem.service import Triagem
from espera import takes
from seguimento import Trabalhando, Triagens, analysed, wait_for_end, wait_until


async def test_every_project_is_read_and_judged_once_and_the_edital_is_looked_over_once(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    """Triagem 3.1/4: "Fluxo" 3 to 6."""
    await triagem.importar(scope, importacao(6, documentos=2))
    await triagem.executar(scope, "ED-1")
    falsos = Falsos()
    async with trabalhando(falsos):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.projetos_analisados, execucao.total_projetos, execucao.projetos_com_erro) == ("concluida", 6, 6, 0)
    assert Counter(linha.split()[0] for linha in falsos.chamadas) == {"ler": 12, "habilitar": 6, "assistir": 6, "irregularidades": 1}
    resultado = await triagem.resultado(scope, "ED-1")
    assert [one.projeto_id for one in resultado.projetos] == [f"P{numero:04}" for numero in range(1, 7)]
    assert {one.habilitacao_sugerida for one in resultado.projetos} == {"habilitado"}
    assert [one.projetos for one in resultado.irregularidades] == [("P0001", "P0004"), ("P0002", "P0005"), ("P0003", "P0006")]
    assert (resultado.projetos[0].similaridade_max, resultado.projetos[0].projeto_similar) == (1.0, "P0004")


async def test_the_seeds_columns_are_filled_for_whoever_reads_them(
    triagem: Triagem, trabalhando: Trabalhando, database: Database, scope: Scope
) -> None:
    """Triagem 2/2, Triagem 3.1/5."""
    await triagem.importar(scope, importacao(2, documentos=0))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, "ED-1")
    async with database.unit_of_work(scope) as uow:
        found = await uow.connection.exec_driver_sql(
            "select r.habilitacao_sugerida, r.habilitacao_motivo, r.docs_completos, r.docs_problemas, r.irregularidades_flags, "
            "r.similaridade_max, s.codigo from triagem_ia_resultados r join projetos p on p.id = r.projeto_id "
            "left join projetos s on s.id = r.projeto_similar_id order by p.ordem"
        )
        first = tuple(found.first() or ())
    assert first[:3] == ("pendencia", None, False)  # why is sealed
    assert first[3][0]["motivo"] == "documento_ausente"
    assert first[4] == [{"ordem": 0, "tipo": "similaridade"}]
    assert (float(first[5]), first[6]) == (1.0, "P0002")


@pytest.mark.parametrize(
    ("tipo", "fases", "feito"),
    [
        ("habilitacao", ["leitura", "habilitacao"], {"ler", "habilitar"}),
        ("avaliacao", ["leitura", "avaliacao"], {"ler", "assistir"}),
        ("irregularidades", ["leitura", "irregularidades"], {"ler", "irregularidades"}),
        ("completa", ["leitura", "habilitacao", "avaliacao", "irregularidades"], {"ler", "habilitar", "assistir", "irregularidades"}),
    ],
)
async def test_a_kind_of_execucao_has_its_phases_and_does_no_other_work(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope, tipo: Tipo, fases: list[str], feito: set[str]
) -> None:
    await triagem.importar(scope, importacao(3))
    await triagem.executar(scope, "ED-1", tipo)
    falsos = Falsos()
    async with trabalhando(falsos):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert [one.fase for one in execucao.fases] == fases
    assert {(one.feitos, one.total) for one in execucao.fases} == {(3, 3)}
    assert {linha.split()[0] for linha in falsos.chamadas} == feito


async def test_where_meaning_is_told_passages_and_signs_of_a_project_are_found_by_it(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    asked: list[str] = []

    async def significar(whose: Scope, textos: Sequence[str]) -> Significados:
        assert whose.tenant_id == scope.tenant_id
        asked.extend(textos)
        return {texto: np.ones(384, np.float32) for texto in textos}

    await triagem.importar(scope, importacao(2, mudados={"P0001": "Oficina de dança para jovens da vila, com rampa na entrada."}))
    await triagem.executar(scope, "ED-1")
    falsos = Falsos(sentido=PeloSentido(significar), marcados=frozenset({"P0002"}))
    async with trabalhando(falsos):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.projetos_com_erro) == ("concluida", 0)
    assert not {"assistir", "sinais"} & {linha.split()[0] for linha in falsos.chamadas}
    assert {"Mérito", "Alcance", "Oficina de dança para jovens da vila, com rampa na entrada."} <= set(asked)
    resultado = await triagem.resultado(scope, "ED-1")
    assert [one.criterio for one in resultado.projetos[0].leitura] == ["C1", "C2"]
    assert "texto_oculto" not in {one.tipo for one in resultado.irregularidades}


async def test_progress_is_exact_and_told_phase_by_phase(triagem: Triagem, trabalhando: Trabalhando, scope: Scope) -> None:
    """Triagem 3/3."""
    await triagem.importar(scope, importacao(4))
    await triagem.executar(scope, "ED-1")
    passe = asyncio.Semaphore(0)
    falsos = Falsos(pausa=lambda: _one_by_one(passe))
    async with trabalhando(falsos, concurrency=1):
        for feitos in range(4):
            execucao = await wait_until(triagem, scope, "ED-1", analysed(feitos))
            assert (execucao.status, execucao.fase) == ("em_andamento", "leitura")
            passe.release()
        execucao = await wait_until(triagem, scope, "ED-1", analysed(4))
        assert execucao.fase == "irregularidades"
        assert execucao.segundos_restantes == 0
        passe.release()
        assert (await wait_for_end(triagem, scope, "ED-1")).fase is None


async def test_following_tells_each_step_and_ends_with_the_execucao(triagem: Triagem, trabalhando: Trabalhando, scope: Scope) -> None:
    """Triagem 3.1/6."""
    await triagem.importar(scope, importacao(8))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos(pausa=lambda: takes(0.05)), concurrency=1), asyncio.timeout(60):
        told = [one async for one in triagem.acompanhar(scope, "ED-1")]
    counts = [one.projetos_analisados for one in told]
    assert counts == sorted(counts)
    assert (told[0].status, told[-1].status, told[-1].projetos_analisados) == ("em_andamento", "concluida", 8)


async def test_a_project_that_fails_is_told_as_such_and_does_not_stop_the_others(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(4))
    await triagem.executar(scope, "ED-1")
    falsos = Falsos(quebrados=frozenset({"P0002"}))
    async with trabalhando(falsos):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.projetos_analisados, execucao.projetos_com_erro) == ("concluida", 4, 1)
    assert falsos.chamadas.count("habilitar P0002") == 3  # attempts, and no more
    by_id = {one.projeto_id: one for one in (await triagem.resultado(scope, "ED-1")).projetos}
    assert "não pôde ser analisado" in (by_id["P0002"].erro or "")
    assert [by_id[codigo].erro for codigo in ("P0001", "P0003", "P0004")] == [None, None, None]


class _Away(CrivoError):
    kind = Kind.UNAVAILABLE


async def test_what_is_away_for_a_moment_is_waited_for_beyond_the_attempts(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(1))
    await triagem.executar(scope, "ED-1")
    away = iter([True, True, True, False])

    async def fail_at_first() -> None:
        if next(away, False):
            raise _Away("Volte já.")

    async with trabalhando(Falsos(pausa=fail_at_first)):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.projetos_com_erro) == ("concluida", 0)


async def test_a_second_run_of_an_unchanged_edital_does_no_work_and_says_so(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    """Source: issue, "content cache: a second run of an unchanged edital does no work again"."""
    await triagem.importar(scope, importacao(5))
    first, second = Falsos(), Falsos()
    await triagem.executar(scope, "ED-1")
    async with trabalhando(first):
        await wait_for_end(triagem, scope, "ED-1")
    before = await triagem.resultado(scope, "ED-1")
    estimativa = await triagem.estimar(scope, "ED-1")
    assert (estimativa.projetos_inalterados, estimativa.documentos_por_ler) == (5, 0)
    await triagem.executar(scope, "ED-1")
    async with trabalhando(second):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert second.chamadas == []
    assert (execucao.reaproveitados, execucao.irregularidades_reaproveitadas) == (5, True)
    after = await triagem.resultado(scope, "ED-1")
    assert (after.projetos, after.irregularidades) == (before.projetos, before.irregularidades)


async def test_projects_in_which_nothing_changed_are_concluded_as_the_run_begins(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    """Before any worker looks: those that changed wait for one, the others are counted already."""
    await triagem.importar(scope, importacao(4))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, "ED-1")
    await triagem.importar(scope, importacao(4, mudados={"P0003": "Outro resumo"}))
    begun = await triagem.executar(scope, "ED-1")
    assert (begun.status, begun.projetos_analisados, begun.reaproveitados, begun.segundos_restantes) == ("em_andamento", 3, 3, None)
    assert [(one.feitos, one.total) for one in begun.fases] == [(3, 4), (3, 4), (3, 4), (0, 4)]
    async with trabalhando(Falsos()):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.projetos_analisados, execucao.reaproveitados) == ("concluida", 4, 3)


async def test_signs_in_one_project_are_found_by_its_own_job_and_carried_with_what_did_not_change(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    """Source: design, Irregularidades (signs are told kind by kind, in the order of the edital)."""
    await triagem.importar(scope, importacao(4))
    marcados, told, looked = frozenset({"P0004", "P0002"}), [], []
    for mudados in ({}, {"P0003": "Outro resumo"}):
        await triagem.importar(scope, importacao(4, mudados=mudados))
        await triagem.executar(scope, "ED-1")
        falsos = Falsos(marcados=marcados)
        async with trabalhando(falsos):
            await wait_for_end(triagem, scope, "ED-1")
        own = [one for one in (await triagem.resultado(scope, "ED-1")).irregularidades if one.tipo.startswith("texto_")]
        told.append([(one.tipo, one.projetos) for one in own])
        looked.append(sorted(linha for linha in falsos.chamadas if linha.startswith("sinais")))
    assert told[0] == told[1] == [(tipo, (of,)) for tipo in ("texto_oculto", "texto_instrucional") for of in ("P0002", "P0004")]
    assert looked == [["sinais P0002", "sinais P0004"], []]


async def test_signs_of_a_project_that_failed_are_found_all_the_same(triagem: Triagem, trabalhando: Trabalhando, scope: Scope) -> None:
    await triagem.importar(scope, importacao(2))
    await triagem.executar(scope, "ED-1")
    falsos = Falsos(quebrados=frozenset({"P0002"}), marcados=frozenset({"P0002"}))
    async with trabalhando(falsos):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert execucao.projetos_com_erro == 1
    own = [one for one in (await triagem.resultado(scope, "ED-1")).irregularidades if one.tipo == "texto_oculto"]
    assert [one.projetos for one in own] == [("P0002",)]


async def test_a_run_after_one_project_changed_does_the_work_of_that_project_alone(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(4))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        await wait_for_end(triagem, scope, "ED-1")
    await triagem.importar(scope, importacao(4, mudados={"P0003": "Outro resumo"}))
    await triagem.executar(scope, "ED-1")
    falsos = Falsos()
    async with trabalhando(falsos):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert falsos.chamadas == ["habilitar P0003", "assistir P0003", "irregularidades 4"]  # its document was not read again
    assert (execucao.reaproveitados, execucao.irregularidades_reaproveitadas) == (3, False)


async def test_other_rules_judge_again_and_another_reader_reads_again(triagens: Triagens, trabalhando: Trabalhando, scope: Scope) -> None:
    versions = (VERSOES, Versoes(VERSOES.leitura, "regras-2"), Versoes("leitor-2", "regras-2"))
    done = []
    for versoes in versions:
        triagem, falsos = triagens(versoes), Falsos()
        if versoes is VERSOES:
            await triagem.importar(scope, importacao(2))
        await triagem.executar(scope, "ED-1")
        async with trabalhando(falsos, versoes):
            await wait_for_end(triagem, scope, "ED-1")
        done.append(Counter(linha.split()[0] for linha in falsos.chamadas))
    assert [one["ler"] for one in done] == [2, 0, 2]
    assert [one["habilitar"] for one in done] == [2, 2, 2]


async def test_past_editais_of_the_tenant_are_shown_to_whoever_looks_over_an_edital(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(2, "ED-ANTIGO"))
    await triagem.importar(scope, importacao(2, "ED-NOVO"))
    async with trabalhando(Falsos()):
        for codigo in ("ED-ANTIGO", "ED-NOVO"):
            await triagem.executar(scope, codigo)
            await wait_for_end(triagem, scope, codigo)
    tipos = [{one.tipo for one in (await triagem.resultado(scope, codigo)).irregularidades} for codigo in ("ED-ANTIGO", "ED-NOVO")]
    assert tipos == [{"similaridade"}, {"similaridade", "texto_reutilizado"}]


@pytest.mark.parametrize("projetos", [0, 1])
async def test_an_edital_with_no_project_or_one_is_screened_to_its_end(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope, projetos: int
) -> None:
    """Source: issue, Bad input ("an edital with one project, with none")."""
    await triagem.importar(scope, importacao(projetos))
    await triagem.executar(scope, "ED-1")
    async with trabalhando(Falsos()):
        execucao = await wait_for_end(triagem, scope, "ED-1")
    assert (execucao.status, execucao.total_projetos) == ("concluida", projetos)
    assert len((await triagem.resultado(scope, "ED-1")).projetos) == projetos


async def test_two_thousand_tiny_projects_are_screened_with_none_lost_and_none_twice(
    triagem: Triagem, trabalhando: Trabalhando, scope: Scope
) -> None:
    await triagem.importar(scope, importacao(2000, documentos=0))
    await triagem.executar(scope, "ED-1", "habilitacao")
    falsos = Falsos()
    async with trabalhando(falsos, concurrency=8):
        execucao = await wait_for_end(triagem, scope, "ED-1", 240)
    assert (execucao.status, execucao.projetos_analisados) == ("concluida", 2000)
    assert Counter(falsos.chamadas).most_common(1)[0][1] == 1
    assert len(falsos.chamadas) == 2000


async def _one_by_one(passe: asyncio.Semaphore) -> None:
    await passe.acquire()
