"""What people did in the sample call shows each case that a list may have, and what comes after it would change the list."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from crivo.triagem.amostra import diligencia, done, recursos, write_sample
from crivo.triagem.classificacao.classificar import classify
from crivo.triagem.classificacao.concorrencia import Avaliada, Concorrencia, Decidida, campos_of, inscrito_of
from crivo.triagem.classificacao.resultado import (
    AbaixoDaMinima,
    AbaixoNoCriterio,
    Ampla,
    Classificada,
    DaCota,
    DeCategoria,
    Divergem,
    Recebida,
    SobraDeCota,
    ZeroElimina,
)
from crivo.triagem.documentos.leitura import read_document
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Chamada
from crivo.triagem.habilitacao import habilitar
from crivo.triagem.importacao import Importacao, read_chamada


@pytest.fixture(scope="module")
def lida(tmp_path_factory: pytest.TempPathFactory) -> Importacao:
    return read_chamada(write_sample(tmp_path_factory.mktemp("amostra"), feito=done()))


@pytest.fixture(scope="module")
def chamada(lida: Importacao) -> Chamada:
    return lida.chamada


def concorrencia(chamada: Chamada) -> Concorrencia:
    regras = chamada.edital.classificacao
    assert regras is not None
    return Concorrencia(
        chamada.edital.id,
        regras,
        chamada.criterios,
        [inscrito_of(one, campos_of(regras)) for one in chamada.projetos],
        [Avaliada(one.projeto, one.avaliador, one.notas) for one in chamada.avaliacoes],
        [Decidida(one.projeto, one.situacao, one.motivo) for one in chamada.habilitacoes],
    )


@pytest.fixture(scope="module")
def lista(chamada: Chamada) -> Classificada:
    return classify(concorrencia(chamada))


def selected(lista: Classificada) -> set[str]:
    return {one.inscrito.id for one in lista.lugares if one.situacao == "selecionado"}


def tie(lista: Classificada, projeto: str) -> str:
    found = lista.por_id[projeto].desempate
    return "" if found is None else type(found.por).__name__


def test_the_sample_with_what_people_did_is_imported_without_a_word(lida: Importacao) -> None:
    assert [(one.caminho, one.mensagem) for one in lida.avisos if one.codigo != "orcamento_difere"] == []


def test_two_or_three_people_graded_every_project_and_nobody_one_of_their_own_address(chamada: Chamada) -> None:
    given: dict[str, list[str]] = {}
    for one in chamada.avaliacoes:
        given.setdefault(one.projeto, []).append(one.avaliador)
        assert len(one.notas) == 4
    assert {len(those) for those in given.values()} == {2, 3}
    assert len(given) == len(chamada.projetos) == 40
    assigned = {one.email: set(one.projetos) for one in chamada.avaliadores}
    assert all(projeto in assigned[quem] for projeto, those in given.items() for quem in those)
    assert "dalva@oficinadaterra.exemplo" not in given["P015"]  # whose proponente has her domain
    to_do = {email: sorted(theirs - {p for p, those in given.items() if email in those}) for email, theirs in assigned.items()}
    assert "P012" in to_do["heloisa.tavares@avalia.exemplo"]  # the third who is waited for


def test_places_are_taken_in_every_way_there_is(lista: Classificada) -> None:
    via = {one.inscrito.id: one.via for one in lista.lugares if one.via is not None}
    assert via["P017"] == Ampla()  # an optant of NEGRAS whose nota needs no cota
    assert (via["P038"], via["P030"], via["P032"]) == (DaCota("NEGRAS"), DaCota("NEGRAS"), DaCota("PCD"))  # cotas that fill
    assert via["P007"] == SobraDeCota("INDIGENAS")  # a cota that nobody in the category opted for
    assert via["P013"] == Recebida("PCD", "NEGRAS")  # one that passes to another cota
    assert via["P011"] == DeCategoria("Cena e imagem")  # one that a category could not fill
    assert [len(grupo.ordem) for grupo in lista.grupos] == [11, 7, 14]
    assert [sum(one.situacao == "suplente" for one in grupo.ordem) for grupo in lista.grupos] == [2, 0, 2]
    assert {one.inscrito.id for one in lista.lugares if one.situacao == "nao_classificado"} == {"P036", "P019", "P023", "P004", "P009"}


def test_ties_are_broken_by_each_rule_and_the_last_suplente_by_the_draw(lista: Classificada) -> None:
    assert (tie(lista, "P001"), tie(lista, "P027"), tie(lista, "P003"), tie(lista, "P034")) == (
        "PorCriterio",
        "PorCampo",
        "PorInscricao",
        "PorSorteio",
    )
    drawn = sorted(("P019", "P034"), key=lambda one: hashlib.sha256(f"ED-2026-04:{one}".encode()).hexdigest())
    assert [lista.por_id[one].situacao for one in drawn] == ["suplente", "nao_classificado"]


def test_cuts_bonus_and_those_without_a_place_are_all_there(lista: Classificada) -> None:
    fora = {one.inscrito.id: {type(reason) for reason in one.fora} for one in lista.lugares if one.fora}
    assert ZeroElimina in fora["P016"]
    assert fora["P031"] == {AbaixoNoCriterio}
    assert fora["P035"] == {AbaixoDaMinima}  # an estreante: the bônus saves nobody
    assert fora["P012"] == {Divergem}
    assert {one.inscrito.id for one in lista.lugares if one.situacao == "inabilitado"} == {"P020", "P024", "P026"}
    mestra = lista.por_id["P014"].contas
    assert mestra is not None
    assert lista.regua.pontos(mestra.bonus) == 5  # 3 and 4, and no more than 5


def test_each_recurso_would_change_the_list_if_it_were_granted(chamada: Chamada, lista: Classificada) -> None:
    by_projeto = {one.projeto: one for one in recursos()}
    assert by_projeto.keys() == {"P006", "P020"}
    before, asked = selected(lista), concorrencia(chamada)
    notas = by_projeto["P006"].deferimento
    assert notas.notas is not None
    mended = [
        replace(one, notas={**one.notas, **notas.notas}) if (one.projeto, one.avaliador) == ("P006", notas.avaliador) else one
        for one in asked.avaliacoes
    ]
    assert selected(classify(replace(asked, avaliacoes=mended))) ^ before == {"P006", "P011"}
    assert by_projeto["P020"].deferimento.situacao == "habilitado"
    decided = [replace(one, situacao="habilitado") if one.projeto == "P020" else one for one in asked.habilitacoes]
    assert selected(classify(replace(asked, habilitacoes=decided))) ^ before == {"P020", "P005"}


def judged(chamada: Chamada, projeto: str, requisito: str, arquivo: str, papel: bytes) -> str:
    """What a requisito comes to with one paper alone."""
    of = next(one for one in chamada.projetos if one.id == projeto)
    asked = [one for one in chamada.requisitos if one.id == requisito]
    lido = replace(read_document(arquivo, papel), requisito=requisito)
    (item,) = habilitar(chamada.edital, asked, ProjetoLido(of, (lido,))).itens
    return item.situacao


def test_the_papers_of_the_diligencia_and_of_the_recurso_mend_what_they_are_for(chamada: Chamada) -> None:
    asked = diligencia()
    assert (asked.projeto, asked.requisito) == ("P002", "REQ-2")
    assert judged(chamada, asked.projeto, asked.requisito, asked.arquivo, asked.papel) == "atende"
    residencia = next(one for one in recursos() if one.projeto == "P020")
    assert residencia.requisito is not None
    assert judged(chamada, "P020", residencia.requisito, residencia.arquivo, residencia.papel) == "atende"
    assert {one.papel[:5] for one in recursos()} == {b"%PDF-"}


def test_what_people_did_is_the_same_at_every_run(tmp_path: Path) -> None:
    first, second = (write_sample(tmp_path / name, feito=done()).read_bytes() for name in ("a", "b"))
    assert first == second
    assert [one.papel for one in recursos()] == [one.papel for one in recursos()]
