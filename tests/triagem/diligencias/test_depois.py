"""What an answer settles stands settled, and what it does not stays as it was found."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

from crivo.triagem.achados import ItemHabilitacao, Motivo, Situacao
from crivo.triagem.diligencias.depois import DoProjeto, stand_after
from crivo.triagem.diligencias.guardadas import Diligencia, Papel
from crivo.triagem.edital import RequisitoDocumento

EM = datetime(2026, 11, 27, 12, tzinfo=UTC)
REQUISITOS = tuple([RequisitoDocumento(id=f"REQ-{n}", documento="PORTFOLIO") for n in (1, 2)])


def item(requisito: str, situacao: Situacao, motivo: Motivo | None = None) -> ItemHabilitacao:
    return ItemHabilitacao(requisito=requisito, situacao=situacao, motivo=motivo, eliminatorio=False, evidencia=None)


def answered(numero: int, *depois: ItemHabilitacao) -> DoProjeto:
    nobody, day = UUID(int=numero), EM + timedelta(days=numero)
    papel = Papel(1, "certidão.pdf", "REQ-1", "00", 10)
    of = Diligencia(
        nobody,
        nobody,
        nobody,
        "P0001",
        numero,
        nobody,
        None,
        5,
        day,
        nobody,
        EM,
        None,
        None,
        "",
        day,
        depois or None,
        day if depois else None,
    )
    return DoProjeto(of, "respondida", (papel,))


LACKING = (item("REQ-1", "nao_atende", "documento_ausente"), item("REQ-2", "atende"))


def test_what_an_answer_settles_is_lacking_no_more_and_its_papers_are_named() -> None:
    after = stand_after(LACKING, "pendencia", REQUISITOS, [answered(1, item("REQ-1", "atende"))])
    assert ([one.situacao for one in after.itens], after.sugestao) == (["atende", "atende"], "habilitado")
    assert [(of, one.numero, [papel.nome for papel in one.papeis]) for of, one in after.respondidos.items()] == [
        ("REQ-1", 1, ["certidão.pdf"])
    ]


def test_the_newest_answer_stands() -> None:
    bad = item("REQ-1", "nao_atende", "documento_vencido")
    after = stand_after(LACKING, "pendencia", REQUISITOS, [answered(2, bad), answered(1, item("REQ-1", "atende"))])
    assert (after.itens[0], after.sugestao) == (bad, "pendencia")


def test_what_is_met_and_what_was_not_judged_stay() -> None:
    for found in ([], [answered(1)], [answered(1, item("REQ-2", "nao_atende", "documento_vencido"))]):
        after = stand_after(LACKING, "pendencia", REQUISITOS, found)
        assert (after.itens, after.sugestao, dict(after.respondidos)) == (LACKING, "pendencia", {})
