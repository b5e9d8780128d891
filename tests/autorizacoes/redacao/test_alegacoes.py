"""What a sentence claims beside what was decided: the same words are borne out by one decision and not by another."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from evals.redacao_pesos import PESOS, labelled, write

from casos import decide, pedido, regra
from crivo.autorizacoes.redacao import Campo, Decidido, conferir
from crivo.autorizacoes.redacao.alegacoes import Contexto, Pesos, weigh
from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.leitura import read
from crivo.autorizacoes.redacao.mascara import words_of
from crivo.autorizacoes.redacao.pagina import Pagina

WEIGHT_APART = 0.1
AT_THE_THRESHOLD = 0.1


def decided(changes: dict[str, Any], **fields: Any) -> Decidido:
    etapas = decide(pedido(**changes), regra(**fields)).etapas
    return Decidido.of(etapas.normalizacao, etapas.consulta, etapas.avaliacao, etapas.ajustes, etapas.sintese)


PARCIAL = decided({"procedimento__descricao": "Sessão de fisioterapia", "procedimento__quantidade": 16}, limite_quantidade=10)
APROVADO = decided({"procedimento__descricao": "Sessão de fisioterapia", "procedimento__quantidade": 10}, limite_quantidade=10)


def falha(texto: str, decidido: Decidido, campo: Campo = "para_beneficiario") -> str | None:
    return conferir(texto, campo, decidido).falha


def test_numbers_and_names_are_read_as_what_they_are_to_the_decision() -> None:
    lida = read(Pagina("Liberamos 10 das 16 sessões de fisioterapia; seis ficaram de fora."), Fatos(PARCIAL))
    assert words_of(lida.mascarado) == ["liberamos", "APROVADAS", "das", "PEDIDAS", "de", "PROC", "RESTO", "ficaram", "de", "fora"]


def test_a_mask_leaves_every_letter_in_its_place() -> None:
    texto = "Liberamos 10 das 16 sessões. As outras 6 não cabem no limite."
    assert len(read(Pagina(texto), Fatos(PARCIAL)).mascarado) == len(texto)


@pytest.mark.parametrize(
    "promessa",
    [
        "As outras seis chegam para você depois que estas forem usadas.",
        "Quando acabarem, o plano manda as seis que sobraram.",
    ],
)
def test_what_was_left_out_may_be_told_and_not_promised(promessa: str) -> None:
    """Design: the outcome must not be contradicted."""
    assert falha("Liberamos 10 das 16 sessões. As outras seis passaram do limite do plano.", PARCIAL) is None
    assert falha(f"Liberamos 10 das 16 sessões. {promessa}", PARCIAL) == "resultado"


def test_a_claim_that_one_decision_bears_out_is_held_back_beside_another() -> None:
    texto = "As 10 sessões foram aprovadas. Agora é só marcar."
    assert falha(texto, APROVADO) is None
    assert falha(texto, decided({}, cobertura="NAO_COBERTA")) is not None


def test_a_held_back_sentence_is_quoted_whole() -> None:
    achados = conferir("Liberamos 10 das 16 sessões. O plano libera as outras assim que você pedir.", "para_beneficiario", PARCIAL).achados
    assert "O plano libera as outras assim que você pedir." in {achado.trecho for achado in achados}


def heaviest(pesos: Pesos) -> dict[str, float]:
    """The weight of the heaviest sentence of each labelled text, by its id."""
    found = {}
    for caso in labelled():
        fatos = Fatos(caso.decisao)
        contexto = Contexto.of(fatos, caso.campo)
        masked = read(Pagina(caso.texto), fatos).mascarado
        found[caso.id] = max((alegacao.peso for alegacao in weigh(masked, contexto, pesos)), default=pesos.intercepto)
    return found


@pytest.mark.slow
def test_the_weights_are_those_that_the_texts_give(tmp_path: Path) -> None:
    """To the tenth and in every verdict; the last digits are the processor's, as sums are ordered otherwise on another one."""
    write(again := tmp_path / "pesos.json")
    shipped, learned = (msgspec.json.decode(arquivo.read_bytes(), type=Pesos) for arquivo in (PESOS, again))
    features = shipped.pesos.keys() | learned.pesos.keys()
    apart = {name for name in features if abs(shipped.pesos.get(name, 0.0) - learned.pesos.get(name, 0.0)) > WEIGHT_APART}
    assert apart == set()
    assert shipped.limiar == learned.limiar
    assert abs(shipped.intercepto - learned.intercepto) <= WEIGHT_APART
    before, after = heaviest(shipped), heaviest(learned)
    told = [name for name in before if abs(before[name] - shipped.limiar) > AT_THE_THRESHOLD]
    assert len(told) > 0.95 * len(before)
    assert [name for name in told if (before[name] >= shipped.limiar) != (after[name] >= learned.limiar)] == []
