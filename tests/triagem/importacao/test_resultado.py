"""How notas become places, and what people already gave and decided, as an import says them."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from crivo.triagem.classificacao.definicao import PorCampo, PorCriterio, PorInscricao, PorSorteio, Vagas
from crivo.triagem.edital import AvaliacaoDada, HabilitacaoDada
from importacoes import Documento, accepted, at, certa, completa, refused, told
from importacoes import com as com_um

REGRAS = "edital.classificacao"
COTA = f"{REGRAS}.vagas.0.cotas.0"


def com(caminho: str, valor: Any) -> Documento:
    return com_um(caminho, valor, completa)


def test_an_import_keeps_how_notas_become_places(tmp_path: Path) -> None:
    regras = accepted(tmp_path, completa()).chamada.edital.classificacao
    assert regras is not None
    assert (regras.minimo_avaliadores, regras.corte.por_criterio, regras.bonus[0].pontos) == (2, {"C1": Decimal("5.5")}, Decimal("2.5"))
    assert regras.desempate == (PorCriterio("C1"), PorCampo("integrantes", maior=False), PorInscricao(), PorSorteio())
    assert (regras.vagas[0].ampla, regras.vagas[1]) == (7, Vagas("*", 2))


def test_all_of_it_may_be_left_out(tmp_path: Path) -> None:
    assert accepted(tmp_path, certa()).chamada.edital.classificacao is None
    regras = accepted(tmp_path, com(REGRAS, {})).chamada.edital.classificacao
    assert regras is not None
    assert (regras.minimo_avaliadores, regras.escala, regras.casas, regras.suplentes) == (1, Decimal(100), 2, 0)


@pytest.mark.parametrize(
    ("caminho", "valor", "onde", "codigo"),
    [
        (f"{REGRAS}.nota_final", "soma", "nota_final", "valor_fora_da_lista"),
        (f"{REGRAS}.minimo_avaliadores", 0, "minimo_avaliadores", "valor_fora_da_faixa"),
        (f"{REGRAS}.divergencia_maxima", 101, "divergencia_maxima", "valor_fora_da_faixa"),
        (f"{REGRAS}.escala", 0, "escala", "valor_fora_da_faixa"),
        (f"{REGRAS}.corte.nota_final_minima", 101, "corte.nota_final_minima", "corte_fora_da_escala"),
        (f"{REGRAS}.corte.por_criterio", {"C9": 5}, "corte.por_criterio.C9", "criterio_desconhecido"),
        (f"{REGRAS}.corte.por_criterio", {"C1": 11}, "corte.por_criterio.C1", "nota_fora_da_escala"),
        (f"{REGRAS}.corte.zero_elimina", ["C1", "C1"], "corte.zero_elimina[1]", "repetido"),
        (f"{REGRAS}.bonus.0.pontos", 2.555, "bonus[0].pontos", "pontos_alem_das_casas"),
        (f"{REGRAS}.bonus.0.quando.operador", "minimo", "bonus[0].quando.valor", "valor_incompativel"),
        (f"{REGRAS}.bonus_maximo", 0.125, "bonus_maximo", "pontos_alem_das_casas"),
        (f"{REGRAS}.desempate.0.criterio", "C2", "desempate[0].criterio", "criterio_desconhecido"),
        (f"{REGRAS}.desempate.0.por", "idade", "desempate[0].por", "valor_fora_da_lista"),
        (f"{REGRAS}.vagas.0.total", 2, "vagas[0].cotas", "cotas_demais"),
        (f"{REGRAS}.vagas.0.total", 0, "vagas[0].total", "valor_fora_da_faixa"),
        (f"{REGRAS}.vagas.0.categoria", "Circo", "vagas[0].categoria", "categoria_desconhecida"),
        (f"{REGRAS}.vagas.1.categoria", "CULTURAS populares", "vagas[1].categoria", "categoria_repetida"),
        (f"{COTA}.id", "ampla", "vagas[0].cotas[0].id", "cota_reservada"),
        (f"{COTA}.vagas", -1, "vagas[0].cotas[0].vagas", "valor_fora_da_faixa"),
        (f"{REGRAS}.remanejamento", ["cotas", "cotas"], "remanejamento[1]", "repetido"),
    ],
)
def test_what_is_wrong_in_the_rules_is_told_by_its_field(tmp_path: Path, caminho: str, valor: Any, onde: str, codigo: str) -> None:
    found = told(refused(tmp_path, com(caminho, valor)))
    assert found == {(f"{REGRAS}.{onde}", codigo)}


def test_cotas_that_keep_more_than_there_is_say_how_many_and_what_to_do(tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, com(f"{REGRAS}.vagas.0.total", 2))
    assert problem.mensagem == (
        "As cotas reservam 3 vagas, e a categoria tem 2. Aumente o total, ou reserve menos: o que sobra do total é a ampla concorrência."
    )


@pytest.mark.parametrize(
    ("caminho", "valor", "onde", "codigo"),
    [
        (f"{REGRAS}.desempate.1.campo", "integrante", "desempate[1].campo", "campo_nao_declarado"),
        (f"{COTA}.quando.campo", "cota", "vagas[0].cotas[0].quando.campo", "campo_nao_declarado"),
        (f"{REGRAS}.bonus.0.quando.campo", "regiao", "bonus[0].quando.campo", "campo_nao_declarado"),
        (f"{REGRAS}.desempate", [{"por": "sorteio"}, {"por": "inscricao"}], "desempate[1]", "desempate_depois_do_sorteio"),
    ],
)
def test_a_rule_that_would_do_nothing_is_accepted_and_told(tmp_path: Path, caminho: str, valor: Any, onde: str, codigo: str) -> None:
    avisos = accepted(tmp_path, com(caminho, valor)).avisos
    assert (f"{REGRAS}.{onde}", codigo) in told(avisos)


def test_rules_without_a_criterio_to_grade_by_are_told(tmp_path: Path) -> None:
    documento = {**certa(), "criterios": []}
    documento["edital"]["classificacao"] = {"suplentes": 1}
    assert (REGRAS, "classificacao_sem_criterios") in told(accepted(tmp_path, documento).avisos)


def test_what_people_gave_and_decided_comes_in_as_theirs(tmp_path: Path) -> None:
    chamada = accepted(tmp_path, completa()).chamada
    assert chamada.avaliacoes == (AvaliacaoDada("P001", "rui@jurado.example", {"C1": Decimal("8.5")}, "Um grupo vivo."),)
    assert chamada.habilitacoes == (HabilitacaoDada("P001", "habilitado", "Documentos conferidos."),)


@pytest.mark.parametrize("quem", ["Rui Leal", "rui  leal", "RUI@jurado.example"])
def test_who_judged_is_named_by_e_mail_or_by_a_name_that_is_theirs_alone(tmp_path: Path, quem: str) -> None:
    (dada,) = accepted(tmp_path, com("avaliacoes.0.avaliador", quem)).chamada.avaliacoes
    assert dada.avaliador == "rui@jurado.example"


@pytest.mark.parametrize(
    ("caminho", "valor", "onde", "codigo"),
    [
        ("avaliacoes.0.projeto", "P01", "avaliacoes[0].projeto", "projeto_desconhecido"),
        ("avaliacoes.0.avaliador", "Rui", "avaliacoes[0].avaliador", "avaliador_desconhecido"),
        ("avaliacoes.0.notas", {"C1": 10.5}, "avaliacoes[0].notas.C1", "nota_fora_da_escala"),
        ("avaliacoes.0.notas", {"C1": 8.255}, "avaliacoes[0].notas.C1", "casas_demais"),
        ("avaliacoes.0.notas", {"C1": 8, "C7": 8}, "avaliacoes[0].notas.C7", "criterio_desconhecido"),
        ("habilitacoes.0.projeto", "P01", "habilitacoes[0].projeto", "projeto_desconhecido"),
        ("habilitacoes.0.situacao", "talvez", "habilitacoes[0].situacao", "valor_fora_da_lista"),
    ],
)
def test_what_is_wrong_in_what_people_did_is_told_by_its_field(tmp_path: Path, caminho: str, valor: Any, onde: str, codigo: str) -> None:
    assert told(refused(tmp_path, com(caminho, valor))) == {(onde, codigo)}


@pytest.mark.parametrize(("lista", "codigo"), [("avaliacoes", "avaliacao_repetida"), ("habilitacoes", "habilitacao_repetida")])
def test_nobody_says_twice_of_one_project(tmp_path: Path, lista: str, codigo: str) -> None:
    documento = completa()
    pai, ultimo = at(documento, lista)
    pai[ultimo].append(dict(pai[ultimo][0]))
    assert {codigo for _, codigo in told(refused(tmp_path, documento))} == {codigo}


def test_an_avaliacao_that_lacks_a_nota_comes_in_and_is_told(tmp_path: Path) -> None:
    avisos = accepted(tmp_path, com("avaliacoes.0.notas", {})).avisos
    assert ("avaliacoes[0].notas", "avaliacao_incompleta") in told(avisos)
