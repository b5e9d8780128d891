"""Whether a document was in force on the day that the edital judges by, never today's. Source: design, Shapes (`validade.regra`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple, assert_never

from crivo.triagem.documentos.datas import DataLida
from crivo.triagem.edital import EmitidoNoMaximoDiasAntes, Validade, ValidoEm


class Prazo(NamedTuple):
    """Whether a document is in force (None: it does not say), the words that show it, and the finding in pt-BR."""

    em_vigor: bool | None
    trecho: str
    achado: str


def check_prazo(datas: Sequence[DataLida], validade: Validade, referencia: date | None) -> Prazo:
    """Hold the dates of a document to a rule of the edital; `referencia` stands in where the rule names no day."""
    dia = validade.data or referencia
    if dia is None:
        return Prazo(None, "", "O edital não diz em que data o documento deve valer.")
    match validade:
        case ValidoEm():
            return _valid_on(datas, dia)
        case EmitidoNoMaximoDiasAntes():
            return _issued_lately(datas, dia, validade.dias)
        case _:
            assert_never(validade)


def _valid_on(datas: Sequence[DataLida], dia: date) -> Prazo:
    ends = [data for data in datas if data.papel == "validade"]
    if not ends:
        return Prazo(None, "", f"Não foi possível achar até quando o documento vale; confira se valia em {_br(dia)}.")
    last = max(ends, key=lambda data: data.data)
    if last.data < dia:
        return Prazo(False, last.trecho, f"Venceu em {_br(last.data)}; o edital pede validade em {_br(dia)}.")
    issued = [data for data in datas if data.papel == "emissao"]
    if issued and min(data.data for data in issued) > dia:
        first = min(issued, key=lambda data: data.data)
        return Prazo(
            False, first.trecho, f"Foi emitido em {_br(first.data)}, depois de {_br(dia)}, dia em que o edital pede que já valesse."
        )
    return Prazo(True, last.trecho, f"Vale até {_br(last.data)}.")


def _issued_lately(datas: Sequence[DataLida], dia: date, dias: int) -> Prazo:
    issued = [data for data in datas if data.papel == "emissao"]
    # A paper with one date and no word beside it was issued on that date.
    if not issued:
        issued = [data for data in datas if data.papel is None and data.data <= dia]
        issued = issued if len({data.data for data in issued}) == 1 else []
    if not issued:
        return Prazo(None, "", "Não foi possível achar a data de emissão do documento; confira.")
    last = max(issued, key=lambda data: data.data)
    oldest = dia - timedelta(days=dias)
    if last.data < oldest:
        return Prazo(
            False,
            last.trecho,
            f"Foi emitido em {_br(last.data)}, {(dia - last.data).days} dias antes de {_br(dia)}; o edital aceita até {dias}.",
        )
    return Prazo(True, last.trecho, f"Foi emitido em {_br(last.data)}.")


def _br(day: date) -> str:
    return day.strftime("%d/%m/%Y")
