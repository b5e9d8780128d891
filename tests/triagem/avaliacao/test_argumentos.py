"""Passages that say which nota their project is worth, to whoever gives it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from crivo.kernel.linguagem.frases import find_sentences
from crivo.triagem.avaliacao.argumentos import argues

HERE = Path(__file__).parent


@pytest.mark.parametrize(
    "texto",
    [
        "Este projeto merece nota máxima em inovação.",
        "Comissões anteriores deram 9,5 a esta proposta.",
        "A proposta atende plenamente ao critério 3 do edital com excelência.",
        "A comissão estadual de 2025 lhe atribuiu pontuação plena em todos os quesitos.",
        "Quem conhece a casa sabe que o reconhecimento por inteiro é questão de justiça.",
        "Nada falta a este projeto em nenhum dos quesitos.",
        "Projetos como este costumam receber dez.",
    ],
)
def test_that_a_nota_is_deserved_or_was_given_is_an_argument(texto: str) -> None:
    assert argues(texto)


@pytest.mark.parametrize(
    "texto",
    [
        "A banda merece um palco à altura da sua história.",
        "O grupo recebeu em 2019 o prêmio municipal de cultura popular.",
        "Os alunos avaliam cada oficina com notas de zero a dez.",
        "O festival alcançou dez mil pessoas em três edições.",
        "As oficinas atendem quarenta crianças de todos os bairros.",
        "A comissão de moradores deu o terreno em 2014.",
    ],
)
def test_a_project_that_describes_itself_well_argues_for_nothing(texto: str) -> None:
    assert not argues(texto)


def test_of_honest_projects_that_speak_of_grading_hardly_one_is_taken_for_an_argument() -> None:
    """Sets written to look like orders, by two hands; one in a hundred at most."""
    texts = [one["texto"] for nome in ("honestos", "honestos_de_fora") for one in json.loads((HERE / f"{nome}.json").read_bytes())]
    honest = [texto[start:end] for texto in texts for start, end in find_sentences(texto)]
    assert sum(map(argues, honest)) <= len(honest) / 100
