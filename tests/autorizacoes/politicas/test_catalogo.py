from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crivo.autorizacoes.contracts import FonteRegras, Politica, Regra
from crivo.autorizacoes.politicas.catalogo import Catalogo, versao_ordem

HOJE = "2026-10-05"


def make_regra(regra_id: str, codigo: str = "40304361", plano_id: str = "*", tabela: str = "*") -> Regra:
    return Regra(regra_id=regra_id, codigo=codigo, cobertura="COBERTA", plano_id=plano_id, tabela=tabela)


def make_politica(
    *regras: Regra, inicio: str = "2026-01-01", fim: str | None = None, versao: str = "1.0", administradora_id: str = "ADM-001"
) -> Politica:
    return Politica(
        administradora_id=administradora_id, documento="Manual", versao=versao, vigencia_inicio=inicio, vigencia_fim=fim, regras=regras
    )


def find(
    politicas: Sequence[Politica],
    *,
    codigo: str = "40304361",
    plano_id: str = "OURO",
    tabela: str | None = "TUSS",
    data: str = HOJE,
    administradora_id: str = "ADM-001",
) -> str | None:
    achada = Catalogo.of(politicas).find_regra(administradora_id, plano_id, codigo, tabela, data)
    return achada[0].regra_id if achada else None


def test_an_empty_catalogue_finds_nothing() -> None:
    assert find([]) is None


def test_another_administradora_has_other_rules() -> None:
    assert find([make_politica(make_regra("R"))], administradora_id="ADM-002") is None


def test_the_regra_comes_with_the_source_it_stands_in() -> None:
    """PRD RF3: regras_recuperadas e fonte_regras."""
    politica = make_politica(make_regra("R-1"), inicio="2026-01-01", fim="2026-12-31", versao="3.1")
    achada = Catalogo.of([politica]).find_regra("ADM-001", "OURO", "40304361", "TUSS", HOJE)
    assert achada == (politica.regras[0], FonteRegras("Manual", "3.1", "2026-01-01", "2026-12-31", "R-1"))


@pytest.mark.parametrize(
    ("padroes", "vencedora"),
    [
        (("*", "4030*", "40304361"), "40304361"),
        (("*", "4030*", "403043*"), "403043*"),
        (("*", "4*"), "4*"),
        (("*", "5010*"), "*"),
        (("5010*", "40304361*"), "40304361*"),
        (("403043610*",), None),
    ],
)
def test_codigo_exact_beats_the_longer_prefix_which_beats_the_star(padroes: tuple[str, ...], vencedora: str | None) -> None:
    regras = [make_regra(padrao, padrao) for padrao in padroes]
    assert find([make_politica(*regras)]) == vencedora
    assert find([make_politica(*reversed(regras))]) == vencedora


def test_regra_of_a_plano_beats_the_general_one() -> None:
    politica = make_politica(make_regra("geral"), make_regra("ouro", plano_id="OURO"))
    assert find([politica]) == "ouro"
    assert find([politica], plano_id="PRATA") == "geral"


def test_regra_of_a_tabela_beats_that_of_any_tabela() -> None:
    politica = make_politica(make_regra("qualquer"), make_regra("tuss", tabela="TUSS"))
    assert find([politica]) == "tuss"
    assert find([politica], tabela="CBHPM") == "qualquer"


def test_codigo_counts_before_plano_and_plano_before_tabela() -> None:
    politica = make_politica(
        make_regra("prefixo do plano e da tabela", "4030*", "OURO", "TUSS"),
        make_regra("codigo da tabela", tabela="TUSS"),
        make_regra("codigo do plano", plano_id="OURO"),
    )
    assert find([politica]) == "codigo do plano"
    assert find([politica], plano_id="PRATA") == "codigo da tabela"
    assert find([politica], codigo="40300000") == "prefixo do plano e da tabela"


def test_a_pedido_without_tabela_meets_only_the_regras_of_any_tabela() -> None:
    assert find([make_politica(make_regra("tuss", tabela="TUSS"))], tabela=None) is None
    assert find([make_politica(make_regra("tuss", tabela="TUSS"), make_regra("qualquer", "4*"))], tabela=None) == "qualquer"


@pytest.mark.parametrize(
    ("data", "encontrada"),
    [("2025-12-31", None), ("2026-01-01", "R"), ("2026-06-15", "R"), ("2026-06-30", "R"), ("2026-07-01", None)],
)
def test_vigencia_is_inclusive_at_both_ends(data: str, encontrada: str | None) -> None:
    assert find([make_politica(make_regra("R"), inicio="2026-01-01", fim="2026-06-30")], data=data) == encontrada


def test_a_vigencia_of_one_day_holds_on_that_day() -> None:
    politica = make_politica(make_regra("R"), inicio=HOJE, fim=HOJE)
    assert [find([politica], data=data) for data in ("2026-10-04", HOJE, "2026-10-06")] == [None, "R", None]


def test_a_vigencia_that_ends_before_it_begins_never_holds() -> None:
    politica = make_politica(make_regra("R"), inicio="2026-07-01", fim="2026-06-30")
    assert [find([politica], data=data) for data in ("2026-06-30", "2026-07-01")] == [None, None]


@pytest.mark.parametrize(
    "especifica",
    [make_regra("fora", "40304361", "OURO", "TUSS"), make_regra("fora", "40304361"), make_regra("fora", "403043*", "OURO")],
)
def test_a_more_specific_regra_out_of_force_does_not_hide_one_in_force(especifica: Regra) -> None:
    velha = make_politica(especifica, inicio="2025-01-01", fim="2025-12-31")
    assert find([velha, make_politica(make_regra("geral", "4030*"))]) == "geral"


def test_the_later_start_wins_and_gives_way_when_it_ends() -> None:
    longa = make_politica(make_regra("longa"), inicio="2026-01-01", versao="9")
    curta = make_politica(make_regra("curta"), inicio="2026-03-01", fim="2026-03-31", versao="1")
    datas = ("2025-12-31", "2026-02-28", "2026-03-01", "2026-03-31", "2026-04-01")
    assert [find([longa, curta], data=data) for data in datas] == [None, "longa", "curta", "curta", "longa"]


def test_of_the_same_start_the_higher_version_wins_as_people_count() -> None:
    politicas = [make_politica(make_regra(versao), versao=versao) for versao in ("3.9", "3.10", "3.2")]
    assert find(politicas) == "3.10"
    assert find(politicas[::-1]) == "3.10"


def test_of_a_full_tie_the_first_in_the_document_wins() -> None:
    assert find([make_politica(make_regra("primeira"), make_regra("segunda"))]) == "primeira"


def test_versions_sort_by_numeric_parts_above_textual_ones() -> None:
    crescente = ["", "beta", "1", "1.beta", "1.0", "1.2", "01.3", "1.10", "2", "2.0", "2026-01", "1" + "0" * 5_000]
    decrescente = crescente[::-1]
    assert sorted(decrescente, key=versao_ordem) == crescente


def test_a_codigo_is_indexed_in_the_spelling_of_pedidos() -> None:
    politica = make_politica(make_regra("pontuado", "4.03.04.36-1"), make_regra("prefixo", "4.03.*"))
    assert find([politica]) == "pontuado"
    assert find([politica], codigo="40399999") == "prefixo"


def test_a_pedido_that_asks_for_a_pattern_is_not_taken_for_it() -> None:
    assert find([make_politica(make_regra("prefixo", "4030*"))], codigo="*") is None


def test_the_catalogue_tells_its_politicas_and_the_number_of_regras() -> None:
    politicas = [make_politica(make_regra("A"), make_regra("B")), make_politica(make_regra("C"), administradora_id="ADM-002")]
    catalogo = Catalogo.of(iter(politicas))
    assert catalogo.politicas == tuple(politicas)
    assert catalogo.regras_total == 3


def test_the_planos_of_an_administradora_are_those_declared_or_named_each_once_as_it_spells_them() -> None:
    declara = msgspec.structs.replace(make_politica(make_regra("A", plano_id="ouro")), planos=("Ouro", "Prata"))
    outra = make_politica(make_regra("B", plano_id="BRONZE"), administradora_id="ADM-002")
    catalogo = Catalogo.of([declara, make_politica(make_regra("C", plano_id="*"), versao="2.0"), outra])
    assert catalogo.planos("adm-001") == ("Ouro", "Prata")
    assert catalogo.planos("ADM-002") == ("BRONZE",)
    assert catalogo.planos("ADM-003") == ()


# --- against a linear search that states the rule


def search_linearly(politicas: Sequence[Politica], plano_id: str, codigo: str, tabela: str | None, data: str) -> Regra | None:
    melhor: tuple[tuple[object, ...], Regra] | None = None
    for politica in politicas:
        if not politica.vigencia_inicio <= data <= (politica.vigencia_fim or "9999-12-31"):
            continue
        for regra in politica.regras:
            is_prefix = regra.codigo.endswith("*")
            if not (codigo.startswith(regra.codigo[:-1]) if is_prefix else codigo == regra.codigo):
                continue
            if regra.plano_id not in ("*", plano_id) or regra.tabela not in ("*", tabela):
                continue
            ordem = (
                (not is_prefix, len(regra.codigo)),
                regra.plano_id != "*",
                regra.tabela != "*",
                politica.vigencia_inicio,
                [int(parte) for parte in politica.versao.split(".")],
            )
            if melhor is None or ordem > melhor[0]:
                melhor = (ordem, regra)
    return melhor[1] if melhor else None


dias = st.sampled_from([f"2026-{mes:02d}-{dia:02d}" for mes in (1, 2, 3) for dia in (1, 2, 15)])
codigos = st.sampled_from(["4", "40", "401", "402", "5", "501"])
padroes_st = st.one_of(codigos, codigos.map(lambda codigo: codigo + "*"), st.just("*"))
regras_st = st.builds(
    make_regra,
    st.uuids().map(str),
    padroes_st,
    st.sampled_from(["*", "OURO", "PRATA"]),
    st.sampled_from(["*", "TUSS", "CBHPM"]),
)


@st.composite
def politicas_st(draw: st.DrawFn) -> Politica:
    fim = draw(st.none() | dias)
    regras = draw(st.lists(regras_st, min_size=1, max_size=8))
    return make_politica(*regras, inicio=draw(dias), fim=fim, versao=draw(st.sampled_from(["1.0", "1.9", "1.10", "2.0"])))


@settings(max_examples=400, deadline=None)
@given(
    st.lists(politicas_st(), max_size=6),
    st.sampled_from(["OURO", "PRATA", "BRONZE"]),
    codigos,
    st.sampled_from(["TUSS", "OUTRA", None]),
    dias,
)
def test_the_index_finds_what_a_linear_search_finds(
    politicas: list[Politica], plano_id: str, codigo: str, tabela: str | None, data: str
) -> None:
    """PRD RF3: consulta ao repositório de normas, sem aplicar regras de LLM."""
    achada = Catalogo.of(politicas).find_regra("ADM-001", plano_id, codigo, tabela, data)
    assert (achada[0] if achada else None) == search_linearly(politicas, plano_id, codigo, tabela, data)


# --- cost, counted and not timed


class Counted(str):
    """A text that counts how often it is looked up (hashed) or compared."""

    __slots__ = ()
    uses: ClassVar[Counter[str]] = Counter()

    def __hash__(self) -> int:
        self.uses["hash"] += 1
        return super().__hash__()

    def __eq__(self, other: object) -> bool:
        self.uses["eq"] += 1
        return super().__eq__(other)

    def __lt__(self, other: str) -> bool:
        self.uses["lt"] += 1
        return super().__lt__(other)

    def __getitem__(self, key: object) -> Counted:
        return Counted(str(self)[key]) if isinstance(key, slice) else self


def count_uses(catalogo: Catalogo, codigo: str, plano_id: str) -> tuple[int, bool]:
    Counted.uses.clear()
    achada = catalogo.find_regra(Counted("ADM-001"), Counted(plano_id), Counted(codigo), Counted("TUSS"), Counted(HOJE))
    return sum(Counted.uses.values()), achada is not None


FORMAS: dict[str, tuple[Callable[[int], Regra], str, str]] = {
    "one regra a codigo": (lambda n: make_regra(str(n), f"{n:08d}", tabela="TUSS"), "00000050", "OURO"),
    "one codigo in many planos": (lambda n: make_regra(str(n), plano_id=f"P{n}"), "40304361", "P50"),
    "many prefixes of one length": (lambda n: make_regra(str(n), f"{n:07d}*"), "00000501", "OURO"),
    "the same regra many times": (lambda n: make_regra(str(n)), "40304361", "OURO"),
    "nothing that applies": (lambda n: make_regra(str(n), f"{n:08d}"), "99999999", "OURO"),
}


@pytest.mark.parametrize("forma", FORMAS)
def test_a_look_up_takes_as_many_probes_in_twenty_thousand_regras_as_in_a_hundred(forma: str) -> None:
    make, codigo, plano_id = FORMAS[forma]
    small = Catalogo.of([make_politica(*map(make, range(100)))])
    large = Catalogo.of([make_politica(*map(make, range(20_000)))])
    assert count_uses(large, codigo, plano_id) == count_uses(small, codigo, plano_id)
    assert count_uses(large, codigo, plano_id)[0] <= 18


def test_a_thousand_versions_of_one_regra_cost_a_binary_search() -> None:
    politicas = [make_politica(make_regra(str(n)), inicio=f"{1000 + n}-01-01", versao=str(n)) for n in range(1_026)]
    uses, found = count_uses(Catalogo.of(politicas), "40304361", "OURO")
    assert found
    assert uses <= 14 + len(politicas).bit_length()
    assert find(politicas, data="1500-06-01") == str(bisect_left([1000 + n for n in range(1_026)], 1501) - 1)


def test_a_regra_of_several_planos_is_as_specific_as_one_of_a_single_plano() -> None:
    def found(plano_id: str, *regras: Regra) -> str | None:
        politica = Politica(administradora_id="A", documento="D", versao="1", vigencia_inicio="2026-01-01", regras=regras)
        achada = Catalogo.of([politica]).find_regra("A", plano_id, "40304361", "TUSS", "2026-05-01")
        return achada[0].regra_id if achada else None

    varios = Regra(regra_id="R-1", codigo="40304361", cobertura="COBERTA", planos=("Ouro", "PRATA"))
    geral = Regra(regra_id="R-2", codigo="40304361", cobertura="COBERTA")
    um = Regra(regra_id="R-3", codigo="40304361", cobertura="COBERTA", plano_id="PRATA")
    assert [found(plano, geral, varios) for plano in ("OURO", "prata", "BRONZE")] == ["R-1", "R-1", "R-2"]
    assert found("BRONZE", varios) is None
    assert [found("PRATA", *regras) for regras in ((varios, um), (um, varios))] == ["R-1", "R-3"]  # a tie goes to the first


def test_what_the_regras_ask_of_a_pedido_is_known_by_administradora() -> None:
    def catalogo(**campos: Any) -> Catalogo:
        regra = msgspec.convert({"regra_id": "R", "codigo": "1", "cobertura": "COBERTA", **campos}, Regra)
        return Catalogo.of([Politica(administradora_id="ADM 1", documento="D", versao="1", vigencia_inicio="2026-01-01", regras=(regra,))])

    assert catalogo().pede("ADM1") == frozenset()
    asked = {"sexo": "F", "valor_maximo": 0, "limites": [{"quantidade": 1, "periodo_dias": 1}]}
    assert catalogo(**asked).pede("adm 1") == {"sexo", "valor", "historico"}
    assert catalogo(**asked).pede("outra") == frozenset()
