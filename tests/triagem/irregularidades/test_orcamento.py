"""Budgets that repeat another's are found, scaled ones too; common values and odd numbers bring nobody together."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.triagem.achados import Irregularidade
from crivo.triagem.edital import Edital, OrcamentoDetalhado, OrcamentoItem, Projeto, Proponente
from crivo.triagem.irregularidades.orcamento import find_orcamento_duplicado
from crivo.triagem.irregularidades.precos import find_preco_discrepante
from inscritos import projeto

Linha = tuple[str, str, str]
PALCO: list[Linha] = [
    ("Aluguel de palco", "2", "1850.00"),
    ("Cachê do grupo musical", "4", "730.50"),
    ("Técnico de som", "6", "312.00"),
    ("Cartazes impressos", "250", "3.40"),
    ("Transporte dos instrumentos", "3", "480.00"),
]
OFICINA: list[Linha] = [
    ("Oficineira de bordado", "40", "92.00"),
    ("Tecidos e linhas", "1", "2310.00"),
    ("Lanche das participantes", "320", "8.75"),
    ("Filmagem e edição", "1", "1740.00"),
    ("Bolsas para monitoras", "10", "260.00"),
]


def edital(detalhe: OrcamentoDetalhado = "exigir") -> Edital:
    return Edital("ED-1", "Edital", orcamento_detalhado=detalhe)


def duplicated(*projetos: Projeto) -> tuple[Irregularidade, ...]:
    return find_orcamento_duplicado(edital(), projetos)


def scaled(linhas: list[Linha], razao: str) -> list[Linha]:
    return [(nome, quantidade, str(round(Decimal(valor) * Decimal(razao), 2))) for nome, quantidade, valor in linhas]


def test_the_same_budget_under_two_names_is_found_whatever_the_order_of_its_lines() -> None:
    """Triagem 3.1/4: duplicate budgets are checked."""
    (sign,) = duplicated(projeto("P1", itens=PALCO), projeto("P2", itens=OFICINA), projeto("P3", itens=PALCO[::-1]))
    assert (sign.tipo, sign.projetos, sign.valor, sign.campo) == ("orcamento_duplicado", ("P1", "P3"), 1.0, "orcamento_itens")
    assert next(passage.trecho for passage in sign.evidencia if passage.projeto == "P1") == "Aluguel de palco: 2 × R$ 1.850,00"


def test_lines_named_a_little_otherwise_are_the_same_lines() -> None:
    other = [("Palco (aluguel)", "2", "1850"), ("Caches do grupo musical", "4", "730.5"), ("Som: técnico", "6", "312"), *PALCO[3:]]
    (sign,) = duplicated(projeto("P1", itens=PALCO), projeto("P2", itens=other))
    assert sign.valor == 1.0
    assert len(sign.evidencia) == 10


HORTA: list[Linha] = [
    ("Combustível (litro)", "220", "6.41"),
    ("Composto orgânico (tonelada)", "3", "322.15"),
    ("Kit de irrigação por gotejamento", "2", "1013.20"),
    ("Impressão de cartilha", "250", "6.64"),
    ("Mudas de árvores nativas", "400", "5.02"),
]
HORTA_DITA_OUTRAMENTE: list[Linha] = [
    (nome, quantidade, valor)
    for nome, (_, quantidade, valor) in zip(
        ("gasolina comum - litro", "adubo: composto, t", "kit gotejo irrigação 1/2", "cartilha impressa (unid.)", "muda de espécie nativa"),
        HORTA,
        strict=True,
    )
]


@pytest.mark.parametrize("razao", ["1", "1.15"])
def test_a_copied_budget_whose_lines_were_renamed_is_found_by_its_numbers_and_says_so(razao: str) -> None:
    (sign,) = duplicated(projeto("P1", itens=HORTA), projeto("P2", itens=scaled(HORTA_DITA_OUTRAMENTE, razao)), projeto("P3", itens=PALCO))
    assert sign.projetos == ("P1", "P2")
    assert "com outras palavras no nome" in sign.achado
    assert len(sign.evidencia) == 10


def test_renamed_lines_of_round_amounts_are_chance() -> None:
    one: list[Linha] = [("Cachê do grupo", "1", "5000"), ("Locação de som e luz", "1", "2000"), ("Divulgação em rádio", "1", "1000")]
    other: list[Linha] = [("Cachê da oficineira", "1", "5000"), ("Locação de ônibus", "1", "2000"), ("Divulgação impressa", "1", "1000")]
    assert duplicated(projeto("P1", itens=one), projeto("P2", itens=other), *others(9)) == ()


def test_four_odd_lines_to_the_cent_are_a_sign_in_budgets_of_any_length_unless_many_have_them() -> None:
    longer = [(f"Outra despesa {at}", "1", str(3000 + 117 * at)) for at in range(12)]
    (sign,) = duplicated(projeto("P1", itens=[*HORTA[:4], *PALCO]), projeto("P2", itens=[*HORTA[:4], *longer]), *others(9))
    assert sign.projetos == ("P1", "P2")
    assert sign.valor == pytest.approx(4 / 9, abs=0.001)
    listed = [projeto(f"P{at}", itens=[*HORTA[:4], *scaled(longer, f"1.{at}7")[at : at + 6]]) for at in range(9)]
    assert duplicated(*listed) == ()


@pytest.mark.parametrize("razao", ["1.15", "0.8", "2", "3.7"])
def test_a_budget_scaled_from_another_is_found_with_its_ratio(razao: str) -> None:
    (sign,) = duplicated(projeto("P1", itens=PALCO), projeto("P2", itens=OFICINA), projeto("P3", itens=scaled(PALCO, razao)))
    assert sign.projetos == ("P1", "P3")
    assert sign.valor == pytest.approx(float(razao), rel=0.005)
    assert "na mesma proporção" in sign.achado


def test_a_scaled_budget_with_a_line_changed_is_still_found() -> None:
    changed = [*scaled(PALCO, "1.3")[:4], ("Contador", "1", "900.00")]
    assert [sign.projetos for sign in duplicated(projeto("P1", itens=PALCO), projeto("P2", itens=changed))] == [("P1", "P2")]


@pytest.mark.parametrize(
    "other",
    [
        OFICINA,
        [(nome, quantidade, str(Decimal(valor) + 37 * at)) for at, (nome, quantidade, valor) in enumerate(PALCO, 1)],  # own prices
        [(f"Outra coisa {at}", quantidade, valor) for at, (_, quantidade, valor) in enumerate(PALCO)],  # same numbers, other things
        [*PALCO[:2], *OFICINA],  # two lines of seven
    ],
)
def test_budgets_that_only_resemble_each_other_are_left_alone(other: list[Linha]) -> None:
    assert duplicated(projeto("P1", itens=PALCO), projeto("P2", itens=other)) == ()


def test_cheap_common_lines_make_no_pair() -> None:
    common = [("Designer gráfico", "1", "100"), ("Contador", "1", "100"), ("Divulgação", "1", "100")]
    assert duplicated(*(projeto(f"P{at}", itens=common) for at in range(2))) == ()
    usual = [("Designer gráfico", "1", "500"), ("Contador", "1", "800"), ("Divulgação em redes sociais", "1", "1000")]
    projetos = [
        projeto(f"P{at}", itens=[*usual, (f"Produção {at}", "1", str(4000 + 171 * at)), (f"Coisa própria {at}", str(at + 2), "77")])
        for at in range(30)
    ]
    assert duplicated(*projetos) == ()


def test_one_proponentes_own_budgets_are_no_sign() -> None:
    ana = Proponente("Ana", "11144477735")
    assert duplicated(projeto("P1", proponente=ana, itens=PALCO), projeto("P2", proponente=ana, itens=PALCO)) == ()


def test_many_equal_budgets_are_one_sign() -> None:
    (sign,) = duplicated(*(projeto(f"P{at}", itens=PALCO) for at in range(5000)))
    assert len(sign.projetos) == 5000
    assert len(sign.evidencia) == 10


CURTO: list[Linha] = [("Cachê do grupo", "1", "5000"), ("Locação de som", "1", "2000")]


def others(how_many: int) -> list[Projeto]:
    return [
        projeto(f"Q{at}", itens=[(f"Coisa {at}", "2", str(700 + 13 * at)), (f"Outra {at}", "1", str(90 + at))]) for at in range(how_many)
    ]


def test_five_equal_budgets_of_two_lines_are_one_sign_over_all_five() -> None:
    same = [projeto(f"P{at}", itens=CURTO if at % 2 else CURTO[::-1]) for at in range(5)]
    for rest in (0, 2, 30):
        (sign,) = duplicated(*same, *others(rest))
        assert (sign.projetos, sign.valor) == (("P0", "P1", "P2", "P3", "P4"), 1.0)
        assert "5 projetos são iguais" in sign.achado


def test_two_equal_short_budgets_are_a_sign_only_where_an_amount_is_odd() -> None:
    assert duplicated(projeto("P1", itens=CURTO), projeto("P2", itens=CURTO), *others(9)) == ()
    odd: list[Linha] = [("Cachê do grupo", "1", "4983.70"), ("Locação de som", "1", "2000")]
    assert [sign.projetos for sign in duplicated(projeto("P1", itens=odd), projeto("P2", itens=odd), *others(9))] == [("P1", "P2")]


def test_a_prize_that_most_of_a_call_itemises_alike_is_the_calls_own() -> None:
    prize: list[Linha] = [("Prêmio", "1", "10000"), ("Contrapartida", "1", "500")]
    assert duplicated(*(projeto(f"P{at}", itens=prize) for at in range(30)), *others(12)) == ()
    assert duplicated(*(projeto(f"P{at}", itens=[("Prêmio", "1", "10000")]) for at in range(5))) == ()


def test_a_proponentes_own_short_budgets_are_no_sign() -> None:
    ana = Proponente("Ana", "11144477735")
    assert duplicated(*(projeto(f"P{at}", proponente=ana, itens=CURTO) for at in range(5))) == ()


def test_an_edital_that_asks_for_no_itemised_budget_is_spared_and_one_that_warns_says_so() -> None:
    projetos = [projeto("P1", itens=PALCO), projeto("P2", itens=PALCO)]
    assert find_orcamento_duplicado(edital("nao"), projetos) == ()
    (sign,) = find_orcamento_duplicado(edital("avisar"), projetos)
    assert "vale como aviso" in sign.achado
    assert "aviso" not in find_orcamento_duplicado(edital(), projetos)[0].achado


def priced(*valores: str, quantidade: str = "10") -> list[Projeto]:
    return [projeto(f"P{at}", itens=[("Diária de hotel", quantidade, valor)]) for at, valor in enumerate(valores)]


def test_a_price_far_from_the_median_of_the_edital_is_found_beside_usual_ones() -> None:
    (sign,) = find_preco_discrepante(edital(), priced("180", "195", "210", "200", "190", "640"))
    assert (sign.tipo, sign.projetos, sign.campo) == ("preco_discrepante", ("P5",), "orcamento_itens")
    assert sign.valor == pytest.approx(640 / 197.5, abs=0.01)
    assert sign.evidencia[0].trecho == "Diária de hotel: 10 × R$ 640,00"
    assert {passage.projeto for passage in sign.evidencia[1:]} <= {"P1", "P2", "P3", "P4"}
    assert "3,2 vezes a mediana" in sign.achado


def test_a_price_far_below_is_found_too() -> None:
    (sign,) = find_preco_discrepante(edital(), priced("180", "195", "210", "200", "190", "20"))
    assert sign.valor is not None
    assert sign.valor < 0.2


@pytest.mark.parametrize(
    "valores",
    [
        ("180", "195", "210", "640"),  # too few to know
        ("180", "195", "210", "200", "190", "400"),  # dear, not strange
        ("50", "900", "210", "2000", "90", "640"),  # all over the place
    ],
)
def test_a_price_among_few_or_among_scattered_ones_is_left_alone(valores: tuple[str, ...]) -> None:
    assert find_preco_discrepante(edital(), priced(*valores)) == ()


def test_things_in_other_units_and_lump_sums_are_not_compared() -> None:
    usual = priced("180", "195", "210", "200", "190")
    lump = projeto("P8", itens=[("Diária de hotel", "1", "1900")])
    month = projeto("P9", itens=[("Hotel por mês", "1", "6000")])
    assert find_preco_discrepante(edital(), [*usual, lump, month]) == ()


def test_one_proponente_has_one_voice_in_the_median() -> None:
    ana = Proponente("Ana", "11144477735")
    flood = [projeto(f"A{at}", proponente=ana, itens=[("Diária de hotel", "10", "900")]) for at in range(20)]
    found = find_preco_discrepante(edital(), [*priced("180", "195", "210", "200", "190", "205"), *flood])
    assert {sign.projetos[0] for sign in found} == {f"A{at}" for at in range(20)}


def test_prices_are_spared_and_warned_of_as_budgets_are() -> None:
    projetos = priced("180", "195", "210", "200", "190", "640")
    assert find_preco_discrepante(edital("nao"), projetos) == ()
    assert "vale como aviso" in find_preco_discrepante(edital("avisar"), projetos)[0].achado


STRANGE = st.sampled_from(
    [Decimal(text) for text in ("0", "-1", "-1E+30", "1E+400", "1E-400", "NaN", "sNaN", "Infinity", "-Infinity", "1e12", "0.00001")]
)
NUMBERS = STRANGE | st.decimals(allow_nan=True, allow_infinity=True) | st.decimals(1, 10**6, places=2)


@settings(max_examples=60, deadline=None)
@given(
    budgets=st.lists(
        st.lists(st.tuples(st.sampled_from(["Palco", "Som", "Luz", "🎭", "", "Cachê de grupo"]), NUMBERS, NUMBERS), max_size=6), max_size=8
    )
)
def test_no_number_breaks_the_comparison(budgets: list[list[tuple[str, Decimal, Decimal]]]) -> None:
    projetos = [
        Projeto(f"P{at}", "", Proponente(f"Nome {at}"), orcamento_itens=tuple(OrcamentoItem(*linha) for linha in linhas))
        for at, linhas in enumerate(budgets)
    ]
    for sign in (*find_orcamento_duplicado(edital(), projetos), *find_preco_discrepante(edital(), projetos)):
        assert sign.valor is not None
        assert sign.valor > 0


def test_a_budget_of_a_hundred_thousand_lines_is_compared_by_its_dearest() -> None:
    lines = [(f"Coisa número {at}", "1", str(1 + at)) for at in range(100_000)]
    (sign,) = duplicated(projeto("P1", itens=lines), projeto("P2", itens=lines))
    assert sign.projetos == ("P1", "P2")
