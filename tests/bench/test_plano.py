"""The plan on paper follows from its own constants, and the page says just what the arithmetic gives."""

from __future__ import annotations

from dataclasses import asdict, fields, replace

import pytest
from bench.capacidade import _TOLD
from bench.plano import PAGINA, Carga, Constantes, plan, read_page, rows, with_figures, written

DE = Constantes(
    decisoes_http_s=1000,
    cpu_servidor_ms=1,
    cpu_banco_ms=0.5,
    lote_nucleo_s=10_000,
    bytes_decisao=5000,
    wal_decisao=10_000,
    decisoes_por_commit=10,
    cadeia_em_grupos_s=2000,
    cadeia_um_a_um_s=100,
    cadeia_conferida_s=10_000,
    cpu_projeto_s=1,
    cpu_banco_projeto_s=0.1,
    bytes_projeto=1_000_000,
    chamadas_projeto=4,
    copia_mb_s=100,
)


def test_the_page_of_capacity_says_what_follows_from_its_constants() -> None:
    texto = PAGINA.read_text(encoding="utf-8")
    de, carga, said = read_page(texto)
    assert said == dict(rows(plan(de, carga)))
    assert with_figures(texto, {}) == texto


def test_every_constant_of_the_page_is_one_that_the_bench_measures() -> None:
    assert list(_TOLD) == [one.name for one in fields(Constantes)]


def test_a_plan_is_plain_arithmetic() -> None:
    found = plan(DE, Carga(decisoes_dia=8_640_000, pico=6, projetos=2_592_000, prazo_dias=30, maior_organizacao=0.5))
    assert (found.decisoes_s_media, found.decisoes_s_pico) == (100, 600)
    assert found.nucleos_servidores == pytest.approx(1.0)
    assert found.nucleos_banco == pytest.approx(0.5)
    assert found.commits_s_pico == 60
    assert (found.gb_dia, found.wal_gb_dia) == (43.2, 86.4)
    assert found.cadeia_pedida_s == 300
    assert found.cadeia_folga == pytest.approx(2000 / 300)
    assert found.nucleos_trabalhadores == pytest.approx(1 / 0.6)
    assert (found.trabalhadores, found.chamadas, found.chamadas_ao_mesmo_tempo) == (2, 10_368_000, 4)


def test_twice_the_load_takes_twice_the_disk_and_cores_and_never_fewer_than_two_processes() -> None:
    one = plan(DE, Carga())
    two = plan(DE, Carga(decisoes_dia=20_000_000))
    assert two.tb_ano == pytest.approx(2 * one.tb_ano)
    assert two.nucleos_servidores == pytest.approx(2 * one.nucleos_servidores)
    assert plan(replace(DE, cpu_servidor_ms=0.001), Carga()).servidores == 2


def test_new_constants_are_written_into_the_page_with_all_that_follows() -> None:
    texto = PAGINA.read_text(encoding="utf-8")
    changed = with_figures(texto, asdict(DE))
    de, carga, said = read_page(changed)
    assert de == DE
    assert said["servidores"] == written(plan(DE, carga).servidores)
    assert changed.count("\n") == texto.count("\n")


@pytest.mark.parametrize(("valor", "said"), [(0, "0"), (0.12345, "0.123"), (5, "5"), (1_234_567, "1,230,000"), (578.7, "579")])
def test_figures_have_three_digits(valor: float, said: str) -> None:
    assert written(valor) == said
