"""What an answer does to the list is pure: what is not granted moves nobody, and what is granted is what the rules make of the change."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.triagem.classificacao.classificar import classify
from crivo.triagem.classificacao.concorrencia import Avaliada, Concorrencia, Decidida, Inscrito
from crivo.triagem.classificacao.definicao import Bonus, Classificacao, Corte, Cota, Vagas
from crivo.triagem.condicao import Condicao
from crivo.triagem.edital import Criterio, HabilitacaoSugerida
from crivo.triagem.recursos.contratos import CampoCorrigido, Mudanca, NotaRevista, Proposta, Redecidida
from crivo.triagem.recursos.efeito import changed, effect, moved

RITA = UUID(int=1)
SITUACOES: tuple[HabilitacaoSugerida, ...] = ("habilitado", "inabilitado", "pendencia")
notas = st.integers(0, 20).map(lambda half: Decimal(half) / 2)
campos = st.sampled_from(["interior", "capital", ""])


@st.composite
def concorrencias(draw: st.DrawFn) -> Concorrencia:
    quantos = draw(st.integers(1, 6))
    ids = [f"P{at}" for at in range(quantos)]
    regras = Classificacao(
        vagas=(Vagas("*", draw(st.integers(1, 4)), None, (Cota("LOCAL", Condicao("regiao", "igual", "interior"), 1),)),),
        suplentes=draw(st.integers(0, 2)),
        bonus=(Bonus("INTERIOR", Condicao("regiao", "igual", "interior"), Decimal(5)),),
        corte=Corte(nota_final_minima=Decimal(draw(st.sampled_from([0, 40])))),
    )
    return Concorrencia(
        "ED-1",
        regras,
        (Criterio("C1", "Mérito"),),
        [Inscrito(one, "", None, {"regiao": draw(campos)}) for one in ids],
        [Avaliada(one, str(RITA), {"C1": draw(notas)}) for one in ids if draw(st.booleans()) or one == "P0"],
        [Decidida(one, draw(st.sampled_from(SITUACOES))) for one in ids if draw(st.booleans())],
    )


mudancas: st.SearchStrategy[Mudanca] = st.one_of(
    st.sampled_from(SITUACOES).map(lambda situacao: Redecidida(situacao)),
    notas.map(lambda nota: NotaRevista("C1", RITA, nota, "Por isto.")),
    campos.map(lambda valor: CampoCorrigido("regiao", valor, "Por isto.")),
)


@settings(max_examples=150, deadline=None)
@given(concorrencias(), st.sampled_from(["nao_provido", "nao_conhecido"]), st.lists(mudancas, max_size=3))
def test_what_is_not_granted_never_changes_a_place(concorrencia: Concorrencia, desfecho: str, asked: list[Mudanca]) -> None:
    proposta = Proposta(desfecho, "Nada muda.", tuple(asked))  # type: ignore[arg-type]
    assert changed(concorrencia, "P0", proposta) is concorrencia
    assert effect(concorrencia, "P0", proposta).movimentos == ()


@settings(max_examples=150, deadline=None)
@given(concorrencias(), st.lists(mudancas, min_size=1, max_size=3))
def test_what_is_told_is_all_that_moves_and_nothing_else(concorrencia: Concorrencia, asked: list[Mudanca]) -> None:
    proposta = Proposta("provido", "Muda.", tuple(asked))
    after = classify(changed(concorrencia, "P0", proposta))
    told = {one.projeto_id: one for one in effect(concorrencia, "P0", proposta).movimentos}
    before = classify(concorrencia)
    for lugar in after.lugares:
        was = before.por_id[lugar.inscrito.id]
        final = (before.final(was) if was.grupo is not None else None, after.final(lugar) if lugar.grupo is not None else None)
        same = (was.situacao, was.posicao, was.vaga) == (lugar.situacao, lugar.posicao, lugar.vaga) and final[0] == final[1]
        assert (lugar.inscrito.id in told) != same
    entering = sum(one.sentido == "entra" for one in told.values())
    leaving = sum(one.sentido == "sai" for one in told.values())
    places = [sum(one.situacao == "selecionado" for one in of.lugares) for of in (before, after)]
    assert entering - leaving == places[1] - places[0]


@settings(max_examples=100, deadline=None)
@given(concorrencias(), st.lists(mudancas, min_size=1, max_size=3))
def test_an_answer_changes_its_own_project_alone(concorrencia: Concorrencia, asked: list[Mudanca]) -> None:
    after = changed(concorrencia, "P0", Proposta("provido", "Muda.", tuple(asked)))
    for name in ("avaliacoes", "habilitacoes"):
        others = [[one for one in getattr(of, name) if one.projeto != "P0"] for of in (concorrencia, after)]
        assert others[0] == others[1]
    assert [one for one in after.inscritos if one.id != "P0"] == [one for one in concorrencia.inscritos if one.id != "P0"]
    assert moved(classify(after), classify(after)) == ()
