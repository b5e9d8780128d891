"""The page of the evaluations: charts and tables of the last run of each planner, or how to make one."""

from __future__ import annotations

import re

import httpx

from avaliacao_guardada import leave_evaluation
from crivo.kernel.settings import Settings
from crivo.kernel.taxas import taxa

AVALIACAO = "/clinicas/avaliacao"


async def test_without_an_evaluation_the_page_says_how_to_make_one(browser: httpx.AsyncClient) -> None:
    page = (await browser.get(AVALIACAO)).text
    assert "Ainda não há avaliação guardada" in page
    assert "Peça uma a quem cuida do servidor" in page
    assert "crivo clinicas" not in page


async def test_each_metric_has_a_chart_with_its_interval_and_a_table_beside(browser: httpx.AsyncClient, settings: Settings) -> None:
    """Interfaces: /clinicas/avaliacao, the metrics with charts."""
    leave_evaluation(settings.data_dir, "20261101-101500", "embutido", 45)
    page = (await browser.get(AVALIACAO)).text
    expected = taxa(45, 50)
    assert expected.de is not None
    assert page.count('<svg class="faixa"') == 7 * 2
    assert f'<path class="intervalo codigo" d="M{round(1000 * expected.de)} 10H' in page
    assert '<path class="ponto codigo" d="M900 10h0.01"/>' in page
    assert page.count("90,0 % (78,6 a 95,7; 45/50)") == 7 + 11
    assert "Feita em 01/11/2026 10:15" in page
    assert "1 errada" in page
    assert "style=" not in page


async def test_planners_that_were_both_run_are_compared(browser: httpx.AsyncClient, settings: Settings) -> None:
    leave_evaluation(settings.data_dir, "20261101-101500", "embutido", 30)
    leave_evaluation(settings.data_dir, "20261102-101500", "embutido", 45)
    leave_evaluation(settings.data_dir, "20261101-111500", "modelo", 40, falhas_do_modelo={"planner: demorou": 2})
    page = (await browser.get(AVALIACAO)).text
    assert "Só código, em números" in page
    assert "Com modelo, em números" in page
    first = page.split('<ul class="faixas">')[1].split("</li>")[0]
    assert re.findall(r'class="ponto (\w+)" d="M(\d+) (\d+)h', first) == [("codigo", "900", "10"), ("modelo", "800", "30")]
    assert "O código planejou no lugar do modelo: o modelo demorou mais do que se pode esperar (2 vezes)." in page


async def test_a_file_that_cannot_be_read_is_passed_over(browser: httpx.AsyncClient, settings: Settings) -> None:
    leave_evaluation(settings.data_dir, "20261101-101500", "embutido", 45)
    (settings.data_dir / "avaliacoes" / "clinicas-20261103-101500.json").write_text('{"metricas": {}}')
    (settings.data_dir / "avaliacoes" / "clinicas-20269999-101500.json").write_text("{")
    page = await browser.get(AVALIACAO)
    assert page.status_code == 200
    assert "Feita em 01/11/2026 10:15" in page.text
