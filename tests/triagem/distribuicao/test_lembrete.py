"""A reminder reaches whoever has not sent, once a day, and stands until they have."""

from __future__ import annotations

from datetime import UTC, date, datetime
from uuid import UUID

from crivo.triagem.distribuicao.guardados import Lembrete, lembretes_of, reminded_on
from crivo.triagem.distribuicao.lembrete import ALembrar, Esperado, Lembravel, NaoLembrada, SemLembrete, changed_since, foresee
from crivo.triagem.guardados import Atribuicao

RITA, DAVI, BIA, LIA = (UUID(int=number) for number in range(1, 5))
CEDO = datetime(2026, 11, 27, 1, 30, tzinfo=UTC)  # still the 26th in Brasília
TARDE = datetime(2026, 11, 27, 15, 0, tzinfo=UTC)


def test_a_reminder_reaches_whoever_has_not_sent_and_tells_of_everybody_else_why_not() -> None:
    projetos = {
        "P1": Esperado("P1", False, True, (RITA, DAVI)),
        "P2": Esperado("P2", False, True, (RITA, BIA)),
        "P3": Esperado("P3", False, True),
        "P4": Esperado("P4", False, False),
        "P5": Esperado("P5", True, False),
    }
    people = {
        RITA: Lembravel("Rita Melo"),
        DAVI: Lembravel("Davi Sena", lembrada_por="Lia Prado", lembrada_em=TARDE),
        BIA: Lembravel("Bia Nery", entra=False),
    }
    previa = foresee("ED-1", ["P6", *projetos], projetos, people)
    assert previa.lembrar == (ALembrar(RITA, "Rita Melo", ("P1", "P2")),)
    assert previa.ficam == (
        NaoLembrada(BIA, "Bia Nery", "sem_acesso", ("P2",)),
        NaoLembrada(DAVI, "Davi Sena", "lembrada_hoje", ("P1",), "Lia Prado", TARDE),
    )
    assert previa.projetos == (
        SemLembrete("P3", "tudo_enviado"),
        SemLembrete("P4", "com_ninguem"),
        SemLembrete("P5", "retirado"),
        SemLembrete("P6", "desconhecido"),
    )
    sent = foresee("ED-1", ["P6", *projetos], {**projetos, "P1": Esperado("P1", False, True, (DAVI,))}, people)
    assert changed_since(previa.prevista, ["P6", *projetos], sent) == ("P1",)


def test_today_is_the_day_in_brasilia() -> None:
    told = {RITA: (LIA, CEDO), DAVI: (LIA, TARDE)}
    assert reminded_on(date(2026, 11, 27), told).keys() == {DAVI}
    assert reminded_on(date(2026, 11, 26), told).keys() == {RITA}


def test_what_stands_of_reminders_is_told_by_who_asked_and_when_and_goes_once_it_was_sent() -> None:
    dadas = [
        _dada("P1", False, False, LIA, CEDO),
        _dada("P2", False, True, LIA, TARDE),
        _dada("P3", True, True, LIA, TARDE),
        _dada("P4", False, False),
        _dada("P5", False, False, LIA, TARDE),
    ]
    assert lembretes_of(dadas) == (Lembrete("ED-1", LIA, TARDE, ("P2", "P5")), Lembrete("ED-1", LIA, CEDO, ("P1",)))
    assert lembretes_of([one for one in dadas if one.avaliado]) == ()


def _dada(codigo: str, avaliado: bool, comecado: bool, por: UUID | None = None, em: datetime | None = None) -> Atribuicao:
    return Atribuicao("ED-1", "Edital ED-1", codigo, f"Projeto {codigo}", "", avaliado, comecado, 3, 3 if avaliado else 0, por, em)
