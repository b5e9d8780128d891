"""The queue as people ask for it, without any database: filters that combine, how it stands, and ten thousand of it."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
import pytest

from crivo.autorizacoes.revisao import Dizeres, NaFila, Recorte, Reserva
from crivo.autorizacoes.revisao.avisos import Aviso, written
from crivo.autorizacoes.revisao.calendarios import COMO_SE_ESCREVE, CalendarioInvalido, Calendarios, Dito, check_dito, known_as, shown
from crivo.autorizacoes.revisao.contracts import PorHora
from crivo.autorizacoes.revisao.fila import panorama_de, panorama_of, sieve, values_of
from crivo.autorizacoes.revisao.prazos import prazo_de
from crivo.kernel.clock import BRASILIA
from crivo.kernel.prazos import Calendario

AGORA = datetime(2026, 11, 20, 10, tzinfo=BRASILIA)
EU = "usuario:eu"


def na_fila(numero: int, dias: float = 1, **changes: object) -> NaFila:
    recebida = AGORA - timedelta(days=dias)
    urgente = bool(changes.get("urgente"))
    base = NaFila(
        id=UUID(int=numero),
        pedido_id=f"P-{numero}",
        administradora_id="ADM-1",
        decisao_final="NEGADO",
        recebida_em=recebida,
        urgente=False,
        tipo=None,
        plano_id="OURO",
        regra_id="R-1",
        motivos=("documentacao_pendente",),
        prazo=prazo_de(recebida, urgente=urgente),
        reserva=None,
        responsavel="",
        desde=None,
    )
    return msgspec.structs.replace(base, **changes)


def kept(fila: list[NaFila], recorte: Recorte, **ditos: Dizeres) -> list[int]:
    said = {UUID(int=int(number[1:])): one for number, one in ditos.items()}
    return [one.id.int for one in sieve(fila, recorte, AGORA, EU, said)]


FILA = [
    na_fila(1, 20),
    na_fila(2, 0, urgente=True, tipo="EXAME_LABORATORIAL"),
    na_fila(3, 4, administradora_id=None, plano_id=None, regra_id=None, decisao_final="PENDENTE_AJUSTES"),
    na_fila(4, 0, responsavel=EU, motivos=("restricao_idade", "carencia_nao_cumprida")),
    na_fila(5, 8, responsavel="usuario:outra"),
    na_fila(6, 0, reserva=Reserva(UUID(int=6), EU, AGORA)),
]


@pytest.mark.parametrize(
    ("recorte", "numeros"),
    [
        (Recorte(), [1, 2, 3, 4, 5, 6]),
        (Recorte(prazo="vencido"), [1, 5]),
        (Recorte(prazo="hoje"), [2]),
        (Recorte(urgencia="sim"), [2]),
        (Recorte(urgencia="nao", idade="7"), [1, 5]),
        (Recorte(quem="livres"), [1, 2, 3]),
        (Recorte(quem="minhas"), [4, 6]),
        (Recorte(quem="usuario:outra"), [5]),
        (Recorte(administradora="-"), [3]),
        (Recorte(plano="OURO", decisao="NEGADO", idade="3"), [1, 5]),
        (Recorte(regra="-"), [3]),
        (Recorte(tipo="EXAME_LABORATORIAL"), [2]),
        (Recorte(motivo="carencia_nao_cumprida"), [4]),
        (Recorte(prazo="nunca-houve"), []),
        (Recorte(idade="nunca-houve"), [1, 2, 3, 4, 5, 6]),
        (Recorte(q="p-3"), [3]),
        (Recorte(q="OURO p-1"), [1]),
    ],
)
def test_filters_combine_and_each_asks_for_its_own(recorte: Recorte, numeros: list[int]) -> None:
    assert kept(FILA, recorte) == numeros


def test_words_are_searched_for_in_what_the_decision_is_about_whatever_their_accents() -> None:
    dito = Dizeres.of("B-77", "41101014", "Ressonância do crânio")
    for q in ("b-77", "41101014", "ressonancia cranio", "P-1 crânio"):
        assert kept(FILA, Recorte(q=q), p1=dito) == [1], q
    assert kept(FILA, Recorte(q="crânio p-2"), p1=dito) == []


def test_a_person_is_found_by_name_and_words_are_found_where_they_begin() -> None:
    """PRD: a person reviews; whoever answers the telephone has a name."""
    dito = Dizeres.of("B-77", "41101014", "Ressonância do crânio", "Ângela Portugal Simões")
    for q in ("angela", "ANGELA SIMOES", "port", "Ângela p-1"):
        assert kept(FILA, Recorte(q=q), p1=dito) == [1], q
    for q in ("gela", "imoes", "essonancia"):
        assert kept(FILA, Recorte(q=q), p1=dito) == [], q


def test_a_number_is_found_whole_or_by_its_ends_and_a_short_one_whole() -> None:
    fila = [na_fila(number, pedido_id=f"GUIA-{number:04}", administradora_id="1", plano_id="PLANO 1") for number in range(1, 250)]
    assert kept(fila, Recorte(q="guia 1")) == [1]
    assert kept(fila, Recorte(q="guia 0017")) == [17]
    assert kept(fila, Recorte(q="guia 023")) == [23, *range(230, 240)]
    dito = Dizeres.of("52998224725", "41101014", "")
    for q in ("529.982.247-25", "52998", "4725", "4110"):
        assert kept(FILA, Recorte(q=q), p1=dito) == [1], q
    assert kept(FILA, Recorte(q="9822"), p1=dito) == []


def test_how_the_queue_stands_is_the_same_read_whole_and_by_the_hour() -> None:
    grupos = [PorHora(one.recebida_em, one.urgente, one.tipo, one.administradora_id, one.responsavel, 1) for one in FILA]
    whole, summed = panorama_de(FILA, AGORA, EU), panorama_of(grupos, Calendarios(), AGORA, EU)
    assert dict(whole.faixas) == dict(summed.faixas)
    assert (whole.total, whole.faixas["vencido"], whole.faixas["hoje"], whole.urgentes) == (6, 2, 1, 1)
    assert (summed.minhas, summed.livres) == (1, 4)


def test_the_urgent_come_before_all_others_the_longest_overdue_of_them_first() -> None:
    """design: urgency at once; docs/prazos.md: before the others."""
    late, just_late, now = na_fila(7, 3, urgente=True), na_fila(8, 1, urgente=True), na_fila(9, 0, urgente=True)
    no_deadline, week_late = na_fila(10, 1, prazo=None), na_fila(11, 20)
    fila = sorted([week_late, now, no_deadline, just_late, late, na_fila(12, 0)], key=lambda one: one.vez)
    assert [one.id.int for one in fila] == [7, 8, 9, 10, 11, 12]
    grupos = [PorHora(one.recebida_em, one.urgente, one.tipo, one.administradora_id, one.responsavel, 1) for one in reversed(fila)]
    assert panorama_de(fila, AGORA, EU).mais_perto == panorama_of(grupos, Calendarios(), AGORA, EU).mais_perto == late.prazo


def test_the_values_of_a_filter_are_those_that_there_are() -> None:
    assert values_of(FILA, lambda one: one.plano_id) == ["-", "OURO"]


def test_ten_thousand_are_filtered_and_searched_in_a_moment() -> None:
    fila = [na_fila(number, number % 9) for number in range(1, 10_001)]
    ditos = {one.id: Dizeres.of(f"B-{one.id.int}", "41101014", "Ressonância do crânio") for one in fila}
    begun = time.process_time()
    found = sieve(fila, Recorte(q="b-777 cranio", urgencia="nao", plano="OURO"), AGORA, EU, ditos)
    assert time.process_time() - begun < 1.0  # about 60 ms where nothing else runs
    assert len(found) == 11


def test_a_calendar_is_of_the_administradora_else_of_all_else_of_the_installation() -> None:
    acre, pe, sp = Calendario("AC"), Calendario("PE"), Calendario("SP")
    found = Calendarios(sp, {"": pe, "adm-1": acre})
    assert (found.de("ADM-1"), found.de("ADM-2"), found.de(None)) == (acre, pe, pe)
    assert Calendarios(sp).de("ADM-1") == sp


@pytest.mark.parametrize(
    ("dito", "codigo", "said"),
    [
        (Dito(uf="XX"), "uf_desconhecida", "sigla de um estado"),
        (Dito(folgas="amanhã"), "folga_invalida", "14/06/2027"),
        (Dito(folgas="30/02/2027"), "folga_invalida", "separados por vírgula"),
        (
            Dito(folgas="13/06, 31/02, 30/02/2027, carnavau"),
            "folga_invalida",
            "31/02 não existe. 30/02/2027 não existe. “carnavau” não se lê.",
        ),
        (Dito(cidade="Sao Paolo"), "cidade_desconhecida", "Quis dizer São Paulo?"),
        (Dito(cidade="Recife"), "cidade_desconhecida", "Escreva-os nos dias sem expediente"),
        (Dito(uf="RJ", cidade="São Paulo"), "cidade_de_outro_estado", "São Paulo fica em SP, e o estado escolhido é RJ"),
        (Dito(uf="SC", cidade="palmas", folgas="19/03"), "cidade_de_outro_estado", "fica em TO ou PR"),
        (Dito(folgas="14/06/2027 (todo ano)"), "folga_invalida", "não se lê"),
    ],
)
def test_a_place_that_nobody_knows_is_refused_with_what_to_write(dito: Dito, codigo: str, said: str) -> None:
    with pytest.raises(CalendarioInvalido) as refused:
        check_dito(dito)
    assert refused.value.problemas[0].codigo == codigo
    assert said in refused.value.problemas[0].mensagem


def test_an_administradora_goes_by_the_id_that_is_known_and_an_unknown_one_is_asked_about() -> None:
    known = ("090417", "ADM-1")
    assert [known_as(one, known) for one in ("090417", "90417", "adm-1", "ADM - 1")] == ["090417", "090417", "adm-1", "ADM-1"]
    with pytest.raises(CalendarioInvalido, match=r"Quis dizer 090417\?.* marque que é nova") as refused:
        known_as("090471", known)
    assert refused.value.problemas[0].caminho == "administradora"


def test_a_place_is_kept_in_one_way_of_writing_it() -> None:
    assert check_dito(Dito(" ADM-1 ", "sp", "sao  paulo", "Carnaval,\n13/6, 14/06/2027, Corpus  Christi")) == Dito(
        "ADM-1", "SP", "São Paulo", "carnaval, 06-13, 2027-06-14, corpus-christi"
    )
    assert shown("carnaval, 06-13, 2027-06-14, corpus-christi") == "carnaval, 13/06, 14/06/2027, corpus christi"
    assert check_dito(Dito(folgas=COMO_SE_ESCREVE)).folgas == "2027-06-14, 06-13, carnaval, cinzas, corpus-christi"
    assert check_dito(Dito(cidade="São Paulo")).uf == "SP"
    assert check_dito(Dito(uf="PR", cidade="Palmas", folgas="19/03")).cidade == "Palmas"
    recife = check_dito(Dito(cidade="Recife", folgas="07-16"))
    assert (recife.cidade, recife.calendario.anuais) == ("Recife", frozenset({(7, 16)}))
    assert replace(recife, folgas="").calendario.cidade == "Recife"


@pytest.mark.parametrize("procura", ["davila", "d'avila", "D'Ávila", "avila", "DAVILA"])
def test_a_name_with_an_apostrophe_is_found_with_it_and_without(procura: str) -> None:
    assert kept(FILA, Recorte(q=procura), p4=Dizeres.of("B-9", "4", "Exame", "Lia D'Ávila")) == [4]


def test_a_letter_to_whoever_runs_the_queue_says_so_and_what_is_urgent_is_no_deadline_that_wears_out() -> None:
    def told(aviso: Aviso, quantas: int, **more: Any) -> str:
        return written("a@exemplo.org", aviso, quantas, "https://x", **more).texto

    assert "Você recebe este aviso porque cuida da fila." in told("vencido", 3, cuida=True)
    assert "Quem cuida da fila também recebe" in told("vencido", 3)
    assert "A maior parte do prazo" in told("perto", 3)
    assert "São urgentes, e se respondem na hora" in told("perto", 2, urgentes=2)
    assert "maior parte" not in told("perto", 1, urgentes=1)
    assert "1 é urgente, e se responde na hora; das outras, a maior parte" in told("perto", 3, urgentes=1)
