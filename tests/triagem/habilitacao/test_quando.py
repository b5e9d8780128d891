"""Requisitos that are asked of some projects only."""

from __future__ import annotations

from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from crivo.triagem.achados import Habilitacao
from crivo.triagem.documentos.lido import DocumentoLido, Pagina, ProjetoLido
from crivo.triagem.edital import Condicao, Edital, Projeto, Proponente, Requisito, RequisitoCondicao, RequisitoDocumento
from crivo.triagem.habilitacao import habilitar
from crivo.triagem.habilitacao.condicoes import declared, meets

PJ = Condicao("tipo", "igual", "PJ")
ESTATUTO = RequisitoDocumento("R1", "ESTATUTO", "4.2", eliminatorio=True, quando=PJ)
SEDE = RequisitoCondicao("R2", "municipio", "em", ["Caucaia"], eliminatorio=True, quando=PJ)
VALORES = st.one_of(st.none(), st.booleans(), st.integers(0, 3), st.sampled_from(["PJ", "pj", "PF", "", "2"]))
CONDICOES = st.builds(
    Condicao,
    st.sampled_from(["tipo", "categoria", "outro"]),
    st.sampled_from(["igual", "diferente", "em", "minimo", "maximo", "existe"]),
    st.one_of(VALORES, st.lists(VALORES, min_size=1, max_size=2)),
)


def project(campos: dict[str, Any], documentos: tuple[DocumentoLido, ...] = ()) -> ProjetoLido:
    return ProjetoLido(Projeto("P1", "T", Proponente("Ana"), categoria="PF", campos=campos), documentos)


def judged(campos: dict[str, Any], *requisitos: Requisito) -> Habilitacao:
    return habilitar(Edital("E", "N"), requisitos, project(campos))


def test_it_is_asked_of_those_of_whom_the_condition_holds() -> None:
    found = judged({"tipo": "pj", "municipio": "Sobral"}, ESTATUTO, SEDE)
    assert [item.motivo for item in found.itens] == ["documento_ausente", "condicao_nao_atendida"]
    assert found.habilitacao_sugerida == "inabilitado"


def test_it_is_not_asked_of_others_and_says_so() -> None:
    found = judged({"tipo": "PF"}, ESTATUTO, SEDE)
    assert found.habilitacao_sugerida == "habilitado"
    assert found.docs_completos
    assert [item.pedido for item in found.itens] == [False, False]
    assert {item.achado for item in found.itens} == {"Não se pede a este projeto: só se pede em outro caso."}
    assert [(item.evidencia.campo, item.evidencia.trecho) for item in found.itens if item.evidencia] == [("tipo", "PF")] * 2


def test_a_project_that_does_not_declare_the_field_is_told_of() -> None:
    (item,) = judged({}, ESTATUTO).itens
    assert item.achado == "Não se pede a este projeto: o projeto não declara o dado de que este requisito depende."


def test_a_file_sent_for_what_is_not_asked_counts_for_what_is() -> None:
    texto = "ESTATUTO SOCIAL\nCapítulo I, da denominação, sede e fins da associação"
    files = tuple(DocumentoLido(f"{one}.pdf", "a" * 64, 9, "pdf", "lido", (Pagina(1, texto),), requisito=one) for one in ("R1", "R3"))
    outro = RequisitoDocumento("R3", "OUTRO")
    found = habilitar(Edital("E", "N"), (ESTATUTO, outro), project({"tipo": "PF"}, files))
    assert [item.situacao for item in found.itens] == ["atende", "atende"]


@given(CONDICOES, st.dictionaries(st.sampled_from(["tipo", "municipio"]), VALORES), st.booleans(), st.booleans())
def test_a_condition_that_does_not_hold_never_fails_a_project(
    quando: Condicao, campos: dict[str, Any], eliminatorio: bool, obrigatorio: bool
) -> None:
    asked = [msgspec.structs.replace(one, quando=quando, eliminatorio=eliminatorio, obrigatorio=obrigatorio) for one in (ESTATUTO, SEDE)]
    found = judged(campos, *asked)
    if meets(quando, declared(project(campos).projeto, quando.campo)):
        bare = judged(campos, *(msgspec.structs.replace(one, quando=None) for one in asked))
        assert found == bare
    else:
        assert (found.habilitacao_sugerida, found.docs_completos) == ("habilitado", True)
        assert not any(item.pedido for item in found.itens)
