"""A newer version of a document closes the earlier ones, and a catalogue of the past has the ends of then."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from crivo.autorizacoes.contracts import Politica, Regra
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.sucessao import Encerramento, Publicada, closed_by, succeed


def versao(versao: str, inicio: str, *codigos: str, fim: str | None = None, documento: str = "Manual") -> Politica:
    regras = tuple(Regra(regra_id=f"{versao}/{codigo}", codigo=codigo, cobertura="COBERTA") for codigo in codigos or ("*",))
    return Politica(administradora_id="ADM-1", documento=documento, versao=versao, vigencia_inicio=inicio, vigencia_fim=fim, regras=regras)


def ends(publicadas: Sequence[Publicada]) -> dict[str, str | None]:
    return {politica.versao: politica.vigencia_fim for politica in succeed(publicadas)}


NOVEMBRO = versao("2026.11", "2026-11-01", "40304361")
DEZEMBRO = versao("2026.12", "2026-12-01", "*")


def test_an_exact_regra_of_an_earlier_version_no_longer_decides_against_the_new_one() -> None:
    catalogo = Catalogo.of(succeed([Publicada(NOVEMBRO, True), Publicada(DEZEMBRO, True)]))
    found = [catalogo.find_regra("ADM-1", "OURO", "40304361", "TUSS", data) for data in ("2026-11-30", "2026-12-01")]
    assert [achada and achada[1].versao for achada in found] == ["2026.11", "2026.12"]
    assert found[0] is not None
    assert found[0][1].vigencia_fim == "2026-11-30"


@pytest.mark.parametrize("order", [(NOVEMBRO, DEZEMBRO), (DEZEMBRO, NOVEMBRO)])
def test_the_order_of_publication_changes_no_end(order: tuple[Politica, Politica]) -> None:
    assert ends([Publicada(politica, True) for politica in order]) == {"2026.11": "2026-11-30", "2026.12": None}


def test_where_both_are_meant_both_stand() -> None:
    assert ends([Publicada(NOVEMBRO, True), Publicada(DEZEMBRO, False)]) == {"2026.11": None, "2026.12": None}


def test_what_was_published_before_versions_succeeded_each_other_stays_as_it_was() -> None:
    assert ends([Publicada(NOVEMBRO, False), Publicada(DEZEMBRO, False)]) == {"2026.11": None, "2026.12": None}


def test_another_document_is_left_alone_however_alike_its_dates() -> None:
    outro = versao("1", "2026-01-01", documento="Tabela de terapias")
    assert ends([Publicada(outro, True), Publicada(DEZEMBRO, True)]) == {"1": None, "2026.12": None}


def test_an_end_of_its_own_that_comes_first_is_kept() -> None:
    curta = versao("1", "2026-01-01", fim="2026-03-31")
    assert ends([Publicada(curta, True), Publicada(DEZEMBRO, True)]) == {"1": "2026-03-31", "2026.12": None}


def test_of_two_versions_that_start_together_the_higher_one_holds() -> None:
    assert ends([Publicada(versao("3.9", "2026-01-01"), True), Publicada(versao("3.10", "2026-01-01"), True)]) == {"3.10": None}


def test_a_document_spelled_otherwise_is_the_same_document() -> None:
    outra = versao("2026.12", "2026-12-01", documento="MANUAL ")
    assert ends([Publicada(NOVEMBRO, True), Publicada(outra, True)]) == {"2026.11": "2026-11-30", "2026.12": None}


def test_a_preview_tells_what_ends_and_when() -> None:
    assert closed_by(DEZEMBRO, [Publicada(NOVEMBRO, True)]) == (Encerramento(NOVEMBRO, None, "2026-11-30"),)
    assert closed_by(NOVEMBRO, [Publicada(DEZEMBRO, True)]) == (Encerramento(NOVEMBRO, None, "2026-11-30"),)
    assert closed_by(DEZEMBRO, [Publicada(versao("1", "2026-01-01", fim="2026-03-31"), True)]) == ()
