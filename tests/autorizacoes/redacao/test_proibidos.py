"""What may not be said is one list: what the prompts tell a writer, and what the check complains of, cannot drift apart."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from evals.redacao_pesos import CONJUNTOS, DE_FORA

from crivo.autorizacoes.agentes import AJUSTES, SINTESE
from crivo.autorizacoes.modelo.segunda_leitura import Tipo
from crivo.autorizacoes.redacao import conferir
from crivo.autorizacoes.redacao.conferencia import FALHAS
from crivo.autorizacoes.redacao.conjunto import read_casos
from crivo.autorizacoes.redacao.proibidos import PROIBIDOS, find_proibido, secao
from crivo.autorizacoes.redacao.regras import REGRAS
from crivo.kernel.agents.prompts import load_prompt

ROTULADOS = Path(__file__).parent


def test_the_prompts_of_all_who_write_hold_the_list_word_by_word() -> None:
    prompts = [SINTESE.prompt, AJUSTES.prompt, SINTESE.prompt_textos, AJUSTES.prompt_textos]
    assert [prompt is not None and secao() in prompt.texto for prompt in prompts] == [True] * 4


def test_who_reads_once_more_is_told_the_same_list_and_names_its_alarms_by_it() -> None:
    assert secao() in load_prompt("crivo.autorizacoes", "segunda_leitura.md").texto
    assert get_args(Tipo) == (*(proibido.nome for proibido in PROIBIDOS), "contradiz", "omite")


def test_every_claim_of_the_table_is_of_a_kind_that_the_list_names() -> None:
    assert [regra.porque for regra in REGRAS if find_proibido(regra.falha, regra.porque) is None] == []


def test_whatever_the_check_complains_of_is_of_a_kind_that_the_list_names() -> None:
    casos = [caso for nome in (*CONJUNTOS, DE_FORA) for caso in read_casos((ROTULADOS / f"{nome}.json").read_bytes())]
    achados = {(achado.falha, achado.porque) for caso in casos for achado in conferir(caso.texto, caso.campo, caso.decisao).achados}
    assert len(achados) >= 30
    assert [found for found in achados if find_proibido(*found) is None] == []


def test_the_list_is_in_the_order_of_the_kinds_of_fault() -> None:
    assert [FALHAS.index(proibido.falha) for proibido in PROIBIDOS] == sorted(FALHAS.index(proibido.falha) for proibido in PROIBIDOS)
    assert {proibido.falha for proibido in PROIBIDOS} == set(FALHAS)
