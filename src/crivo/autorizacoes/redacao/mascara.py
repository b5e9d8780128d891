"""A text with every name, number and date replaced by what it is to the decision, so that sentences about any two can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from crivo.autorizacoes.redacao.datas import Data
from crivo.autorizacoes.redacao.documentos import Mencao
from crivo.autorizacoes.redacao.fatos import Fatos, as_date, stem, stems
from crivo.autorizacoes.redacao.quantias import Quantia
from crivo.kernel.linguagem.frases import Span

Marca = tuple[int, int, str]  # a place, and what stands there
_NAMES: Final = (
    "FONTE",
    "FONTEALHEIA",
    "PROC",
    "CONDICAO",
    "CODIGO",
    "VALOR",
    "DPEDIDO",
    "DPREVISTA",
    "DCARENCIA",
    "DVIGENCIA",
    "DALHEIA",
    "DOCFALTA",
    "DOCVEIO",
    "DOCOUTRO",
    "PARTE",
    "PERCENTUAL",
    "VALIDADE",
    "FALTADIAS",
    "CUMPRIDOS",
    "EXIGIDOS",
    "TEMPO",
    "IDADE",
    "FAIXA",
    "ANOS",
    "APROVADAS",
    "PEDIDAS",
    "LIMITE",
    "RESTO",
    "QUANTO",
    "UTEIS",
    "HORAS",
    "DINHEIRO",
    "DOCUMENTOS",
    "CONTAGEM",
    "PASSOS",
)
_LETTER: Final = {name: chr(0xE000 + number) for number, name in enumerate(_NAMES)}  # one letter each, so that places stay as they are
_NAME: Final = {letter: name for name, letter in _LETTER.items()}
_WORD: Final = re.compile(r"[a-z]{4,}")
_TOKEN: Final = re.compile(rf"[{_LETTER[_NAMES[0]]}-{_LETTER[_NAMES[-1]]}]|[A-Z]{{4,}}|[a-z]+")
_OF: Final = frozenset({"de", "do", "da", "dos", "das", "em", "com", "para"})


def mask(folded: str, marcas: Iterable[Marca], fatos: Fatos) -> str:
    """The folded text, as long as it was, with a letter for each mark; of marks that overlap the first given stands."""
    taken: list[Marca] = []
    for start, end, name in marcas:
        if all(end <= other or after <= start for other, after, _ in taken):
            taken.append((start, end, name))
    for start, end, name in taken:
        folded = folded[:start] + _filled(name, end - start) + folded[end:]
    own = fatos.nome_do_procedimento
    return _WORD.sub(lambda match: _filled("PROC", len(match.group())) if stem(match.group()) in own else match.group(), folded)


def words_of(masked: str) -> list[str]:
    """The words, and the names of the marks in capitals; a procedure that is named in several words is one."""
    found: list[str] = []
    for token in _TOKEN.findall(masked):
        word = _NAME.get(token, token)
        if word == "PROC" and found and (found[-1] == "PROC" or (found[-1] in _OF and found[-2:-1] == ["PROC"])):
            del found[len(found) - 1 - found[::-1].index("PROC") + 1 :]
            continue
        found.append(word)
    return found


def marks_of_spans(spans: Iterable[Span], name: str) -> Iterator[Marca]:
    """The same mark at every place."""
    return ((start, end, name) for start, end in spans)


def marks_of_datas(datas: Iterable[Data], fatos: Fatos) -> Iterator[Marca]:
    """Dates: of the pedido, of the plan to do it, of the vigência, of the end of the carência."""
    pedido = fatos.insumos.datas
    told = {"DPEDIDO": as_date(pedido.data_pedido), "DPREVISTA": as_date(pedido.data_prevista), "DCARENCIA": fatos.fim_da_carencia}
    for data in datas:
        name = next((name for name, day in told.items() if day and data.fits(day)), None)
        yield data.start, data.end, name or ("DVIGENCIA" if any(map(data.fits, fatos.datas)) else "DALHEIA")


def marks_of_documentos(folded: str, mencoes: Iterable[Mencao], fatos: Fatos) -> Iterator[Marca]:
    """Documents: owed, came, or of neither; an exam that is the procedure itself is none."""
    for mencao in mencoes:
        owed, came = mencao.tipos & frozenset(fatos.pendentes), mencao.tipos & frozenset(fatos.insumos.documentos.anexos)
        procedure = all(word in fatos.nome_do_procedimento for word in stems(folded[mencao.start : mencao.end]))
        if mencao.tipos or not procedure:
            yield mencao.start, mencao.end, "DOCFALTA" if owed else "DOCVEIO" if came else "DOCOUTRO"


def marks_of_quantias(quantias: Iterable[Quantia], fatos: Fatos) -> Iterator[Marca]:
    """Numbers with their unit, each as what it is to the decision."""
    for quantia in quantias:
        if not (quantia.artigo and quantia.unidade in ("nenhuma", "contagem", "passos")):
            yield quantia.start, quantia.end, _of_quantia(quantia, fatos)


def _filled(name: str, length: int) -> str:
    return f"{_LETTER[name]:<{length}}"


def _of_quantia(quantia: Quantia, fatos: Fatos) -> str:
    detalhe, limites = fatos.detalhe, fatos.limites
    value = quantia.value
    match quantia.unidade:
        case "percentual":
            return "PARTE" if value == detalhe.coparticipacao_percentual else "PERCENTUAL"
        case "dias" | "semanas" | "meses":
            days = value * {"dias": 1, "semanas": 7, "meses": 30}[quantia.unidade]
            told = {
                "VALIDADE": detalhe.prazo_validade_autorizacao_dias,
                "FALTADIAS": fatos.insumos.dias_carencia_restantes,
                "CUMPRIDOS": limites.carencia_cumprida_dias,
                "EXIGIDOS": limites.carencia_min_dias,
            }
            return next((name for name, known in told.items() if known == days), "TEMPO")
        case "anos":
            return _of_years(value, fatos) or "ANOS"
        case "procedimento" | "nenhuma":
            return _of_units(quantia, fatos)
        case _:
            return quantia.unidade.upper()


def _of_units(quantia: Quantia, fatos: Fatos) -> str:
    asked, approved, limit = fatos.insumos.quantidade, fatos.detalhe.quantidade_aprovada, fatos.limites.quantidade
    value, top = quantia.value, approved if approved is not None else limit
    if quantia.unidade == "nenhuma" and approved is None and value in fatos.contagens - {asked} and value > 1:
        return "CONTAGEM"
    told = {"APROVADAS": approved, "PEDIDAS": asked, "LIMITE": limit, "RESTO": None if asked is None or top is None else asked - top}
    units = next((name for name, known in told.items() if known == value), None)
    if units or quantia.unidade == "procedimento":
        return units or "QUANTO"
    share = "PARTE" if value == fatos.detalhe.coparticipacao_percentual else "QUANTO"
    return _of_years(value, fatos) or ("TEMPO" if value in fatos.prazos else share)


def _of_years(value: float, fatos: Fatos) -> str | None:
    limites = fatos.limites
    return "IDADE" if value == limites.idade else "FAIXA" if value in (limites.idade_min, limites.idade_max) else None
