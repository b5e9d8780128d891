"""By when a pedido has to be answered, counted by hand on real calendars, each number by its norm."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from crivo.autorizacoes.revisao.prazos import LIMITES, TIPOS, faixa_de, prazo_de, prazo_ou_nenhum
from crivo.kernel.clock import BRASILIA
from crivo.kernel.prazos import NACIONAL, Calendario, ForaDoCalendario, read_folgas

SEG = datetime(2026, 3, 2, 10, tzinfo=BRASILIA)


def ultimo(recebida: datetime, tipo: str | None = None, calendario: Calendario = NACIONAL) -> date:
    return prazo_de(recebida, urgente=False, tipo=tipo, calendario=calendario).ate.date()


@pytest.mark.parametrize(
    ("recebido", "prazo"),
    [
        (date(2026, 3, 2), date(2026, 3, 9)),  # Monday to Monday
        (date(2026, 3, 6), date(2026, 3, 13)),  # Friday to Friday
        (date(2026, 3, 7), date(2026, 3, 13)),  # Saturday begins to count on Monday
        (date(2026, 4, 21), date(2026, 4, 28)),  # received on a holiday: Wed 22, Thu 23, Fri 24, Mon 27, Tue 28
        (date(2026, 4, 15), date(2026, 4, 23)),  # Tiradentes in between
        (date(2026, 12, 22), date(2026, 12, 30)),  # Christmas in between
        (date(2026, 12, 29), date(2027, 1, 6)),  # the first day of the next year in between
    ],
)
def test_five_business_days_leave_weekends_and_national_holidays_out(recebido: date, prazo: date) -> None:
    assert ultimo(datetime(recebido.year, recebido.month, recebido.day, 15, tzinfo=BRASILIA)) == prazo


@pytest.mark.parametrize(
    ("tipo", "dias", "norma"),
    [
        (None, 5, "RN 623/2024, art. 12"),
        ("CONSULTA_BASICA", 5, "RN 623/2024, art. 12"),
        ("CONSULTA", 5, "RN 623/2024, art. 12"),
        ("EXAME_LABORATORIAL", 3, "RN 566/2022, art. 3º"),
        ("EXAME", 5, "RN 623/2024, art. 12"),
        ("TERAPIA", 5, "RN 623/2024, art. 12"),
        ("HOSPITAL_DIA", 5, "RN 623/2024, art. 12"),
        ("ALTA_COMPLEXIDADE", 10, "RN 623/2024, art. 12, II, b"),
        ("INTERNACAO_ELETIVA", 10, "RN 623/2024, art. 12, II, b"),
        ("NUNCA_OUVI", 5, "RN 623/2024, art. 12"),
    ],
)
def test_each_kind_has_the_shorter_of_its_two_norms_and_says_which(tipo: str | None, dias: int, norma: str) -> None:
    found = prazo_de(SEG, urgente=False, tipo=tipo)
    assert (found.dias_uteis, found.fundamento.startswith(norma)) == (dias, True)
    assert found.presumido is (tipo not in LIMITES)


def test_every_kind_that_has_a_limit_has_its_words() -> None:
    assert LIMITES.keys() == TIPOS.keys()


def test_what_is_urgent_is_due_at_once_and_is_late_when_its_day_is_over() -> None:
    found = prazo_de(datetime(2026, 11, 21, 9, tzinfo=BRASILIA), urgente=True, tipo="ALTA_COMPLEXIDADE")  # a Saturday
    assert (found.imediato, found.gasto(found.desde)) == (True, 1.0)
    assert found.faixa(found.desde) == "hoje"
    assert found.faixa(datetime(2026, 11, 22, tzinfo=BRASILIA)) == "vencido"


@pytest.mark.parametrize(
    ("recebida", "prazo"),
    [
        (datetime(2026, 3, 3, 2, 59, tzinfo=UTC), date(2026, 3, 9)),  # 23h59 of Monday in Brasília
        (datetime(2026, 3, 3, 3, 0, tzinfo=UTC), date(2026, 3, 10)),  # midnight: Tuesday's
    ],
)
def test_the_day_of_receipt_is_that_of_brasilia(recebida: datetime, prazo: date) -> None:
    assert ultimo(recebida) == prazo


def test_the_day_of_receipt_is_that_of_the_place_where_it_is_counted() -> None:
    recebida = datetime(2026, 3, 3, 4, 30, tzinfo=UTC)  # half past one on Tuesday in Brasília, half past eleven on Monday in Acre
    assert (ultimo(recebida), ultimo(recebida, calendario=Calendario("AC"))) == (date(2026, 3, 10), date(2026, 3, 9))


def test_a_state_s_a_city_s_and_one_s_own_days_off_are_left_out() -> None:
    antes = datetime(2027, 1, 20, 10, tzinfo=BRASILIA)  # a Wednesday; 25/1 is the city of São Paulo's
    assert ultimo(antes) == ultimo(antes, calendario=Calendario("SP")) == date(2027, 1, 27)
    assert ultimo(antes, calendario=Calendario("SP", cidade="São Paulo")) == date(2027, 1, 28)
    recife = read_folgas("01-22, 2027-01-25")
    assert ultimo(antes, calendario=recife) == date(2027, 1, 29)
    julho = datetime(2026, 7, 6, 10, tzinfo=BRASILIA)  # 9/7 is the state of São Paulo's
    assert (ultimo(julho), ultimo(julho, calendario=Calendario("SP", cidade="São Paulo"))) == (date(2026, 7, 13), date(2026, 7, 14))


def test_a_year_whose_holidays_nobody_knows_has_no_deadline_and_is_told() -> None:
    far = datetime(2100, 12, 29, 10, tzinfo=BRASILIA)
    with pytest.raises(ForaDoCalendario, match="1890 a 2100; 2101 fica fora"):
        prazo_de(far, urgente=False)
    nenhum = prazo_ou_nenhum(far, urgente=False, tipo=None, calendario=Calendario())
    assert (nenhum, faixa_de(nenhum, far)) == (None, "sem_prazo")


@pytest.mark.parametrize(
    ("agora", "faixa"),
    [
        (SEG, "depois"),
        (datetime(2026, 3, 4, 0, 0, tzinfo=BRASILIA), "ate_5_dias"),
        (datetime(2026, 3, 8, 23, 59, tzinfo=BRASILIA), "amanha"),
        (datetime(2026, 3, 9, 23, 59, 59, tzinfo=BRASILIA), "hoje"),
        (datetime(2026, 3, 10, 0, 0, tzinfo=BRASILIA), "vencido"),
        (SEG - timedelta(days=2), "depois"),  # the clock was set back
    ],
)
def test_how_near_it_is_goes_by_days_and_the_last_second_is_in_time(agora: datetime, faixa: str) -> None:
    assert prazo_de(SEG, urgente=False).faixa(agora) == faixa


def test_what_is_spent_grows_from_nothing_to_all_and_never_beyond() -> None:
    found = prazo_de(SEG, urgente=False)
    spent = [found.gasto(SEG + timedelta(days=one)) for one in (-3, 0, 3, 7, 30)]
    assert spent[:2] == [0.0, 0.0]
    assert 0.3 < spent[2] < spent[3] < spent[4] == 1.0
    assert (found.horas(found.ate - timedelta(hours=5)), found.horas(found.ate + timedelta(hours=5))) == (5, -5)
