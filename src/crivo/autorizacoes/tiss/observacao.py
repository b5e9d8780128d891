"""The `observacao` of an answer: in words, and within its thousand letters, what the codes of TISS cannot say.

Source: Padrão TISS 4.03.00, `autorizacaoServicos`; decision 0081.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from crivo.autorizacoes.motivos import DOCUMENTOS, PEDIDO_INVALIDO, REGRA_NAO_ENCONTRADA, frase
from crivo.autorizacoes.palavras import documento_com_artigo, listing
from crivo.autorizacoes.tiss import xml
from crivo.autorizacoes.tiss.resultado import Respondida, Resultado, linhas_of, senha_of

_LONGEST: Final = 1000  # `st_texto1000`
_SHORTEST: Final = 120
_CORTADA: Final = "(Cortada aqui: o resto está na decisão de cada item.)"
# What is all told by its reason; of what is wholly approved there is none.
_JA_DITOS: Final = frozenset({DOCUMENTOS, REGRA_NAO_ENCONTRADA})
_EM_PARTE, _NADA = "em_parte", "nada"
# In the order in which they are told: first what still waits, which nobody is to take for denied. Of one item, of several.
_SITUACOES: Final = {
    "PENDENTE_AJUSTES": ("pendente (não negado)", "pendentes (não negados)"),
    "NEGADO": ("negado", "negados"),
    _EM_PARTE: ("autorizado em parte", "autorizados em parte"),
    _NADA: ("sem nada autorizado", "sem nada autorizado"),
}


def observacao(resultados: Sequence[Resultado]) -> str:
    """Why, first what waits; what the guia could not carry; then each decision in the words for who asked, as far as there is room.

    Of several, the words of what is wholly told by its reason are left out, and what had no room is told to be somewhere else.
    """
    linhas = sorted((linha for one in resultados for linha in linhas_of(one)), key=lambda linha: linha.sequencia)
    said = [xml.latin(text) for text in (*_substituida(resultados), *_por_motivo(linhas), *_a_saber(resultados))]
    texts: dict[str, list[Resultado]] = {}
    for one in sorted(resultados, key=lambda one: one.decisao == "APROVADO"):
        if not one.cancelado and (len(resultados) == 1 or one.a_dizer or not _JA_DITOS.issuperset(one.motivos)):
            texts.setdefault(one.palavras, []).append(one)
    for text, those in texts.items():
        said.append(" ".join(xml.latin(f"{_itens(those)}: {text}" if len(linhas) > 1 else text).split()))
    return _within(said or [f"Autorizado como foi pedido: {_itens(resultados).lower()}."])


def _within(said: Sequence[str]) -> str:
    """As many of these texts as there is room for, the first that has none cut where much of it would fit, and that others were left."""
    whole = " ".join(said)
    if len(whole) <= _LONGEST:
        return whole
    room, kept = _LONGEST - len(_CORTADA), []
    for text in said:
        if len(text) < room:
            kept.append(text)
            room -= len(text) + 1
            continue
        if room > _SHORTEST:
            kept.append(text[: room - 4].rstrip() + "...")
        break
    return " ".join([*kept, _CORTADA])


def _substituida(resultados: Sequence[Resultado]) -> Iterator[str]:
    """That the guia was sent again since, and which senha holds."""
    nova, antes = resultados[0].substituta, senha_of(resultados)
    if nova is not None and antes is not None:
        yield (
            f"CANCELADA: a senha {antes} não vale mais. Vale a senha {nova}, de uma mensagem posterior desta mesma guia. "
            "Para pedir de novo, envie a guia em outra mensagem."
        )
    elif nova is not None:
        yield f"Vale a senha {nova}, de uma mensagem posterior desta mesma guia."


def _situacao(linha: Respondida) -> str:
    one = linha.resultado
    if one.decisao == "APROVADO_PARCIAL":
        return _NADA if linha.autorizada == 0 else _EM_PARTE
    return one.decisao


def _por_motivo(linhas: Sequence[Respondida]) -> Iterator[str]:
    """Why what is not approved as it was asked is not: each reason once, with the lines that have it."""
    for situacao, (one_is, many_are) in _SITUACOES.items():
        having: dict[_Razao, list[int]] = {}
        for linha in linhas:
            if _situacao(linha) == situacao and linha.autorizada < linha.pedida and not linha.resultado.cancelado:
                for reason in _razoes(linha.resultado):
                    having.setdefault(reason, []).append(linha.sequencia)
        groups: dict[tuple[int, ...], list[_Razao]] = {}
        for reason, theirs in having.items():
            groups.setdefault(tuple(theirs), []).append(reason)
        for numbers, reasons in groups.items():
            is_one = len(numbers) == 1
            said = f"{_numbered(numbers)}, {one_is if is_one else many_are}" if len(linhas) > 1 else one_is.capitalize()
            yield f"{said}: {_listed(reasons)}."


class _Razao(NamedTuple):
    """A reason in words, or a document that is missing."""

    texto: str
    documento: bool = False


def _razoes(one: Resultado) -> Iterator[_Razao]:
    for motivo in one.motivos:
        if motivo == DOCUMENTOS and one.faltam:
            for tipo in one.faltam:
                yield _Razao(documento_com_artigo(tipo), documento=True)
        elif motivo != PEDIDO_INVALIDO:
            yield _Razao(frase(motivo))


def _listed(reasons: Sequence[_Razao]) -> str:
    documentos = [one.texto for one in reasons if one.documento]
    missing = [f"{'Falta' if len(documentos) == 1 else 'Faltam'} {listing(documentos)}"] if documentos else []
    return "; ".join([*[one.texto for one in reasons if not one.documento], *missing])


def _a_saber(resultados: Sequence[Resultado]) -> Iterator[str]:
    """What is worth knowing of a guia as a whole."""
    nao_veio = dict.fromkeys(nome for one in resultados for nome in one.nao_veio)
    if nao_veio:
        yield f"A guia TISS não diz, e a operadora não informou: {', '.join(nao_veio)} do beneficiário."
    senha = senha_of(resultados)
    for antes in dict.fromkeys(one.de.substitui for one in resultados if one.de.substitui):
        if resultados[0].substituta is None:
            yield f"Substitui a senha {antes}, desta mesma guia." if senha else f"A senha {antes}, desta mesma guia, continua valendo."
    for one in resultados:
        if len(one.de.linhas) > 1:
            yield f"{_itens([one])}: são o mesmo procedimento, e foram decididos juntos."
            if one.vale and one.decisao == "APROVADO_PARCIAL":
                yield f"Autorizados em cada um, nesta ordem: {listing([str(linha.autorizada) for linha in linhas_of(one)])}."
    if resultados[0].de.guia.data_solicitacao[:10] > resultados[0].recebida.isoformat():
        yield "A data da solicitação é posterior ao dia em que a guia chegou."
    yield from dict.fromkeys(aviso for one in resultados for aviso in one.de.avisos)
    anexos = resultados[0].de.guia.anexos
    if anexos and any(DOCUMENTOS in one.motivos for one in resultados):
        yield f"Documentos que chegaram: {'; '.join(dict.fromkeys(anexos))}."


def _itens(resultados: Sequence[Resultado]) -> str:
    """Which lines of the guia these are, in words."""
    return _numbered(sorted(linha.sequencia for one in resultados for linha in linhas_of(one)))


def _numbered(numbers: Sequence[int]) -> str:
    *others, last = _runs(numbers)
    if len(numbers) == 1:
        return f"Item {last}"
    return f"Itens {', '.join(others)} e {last}" if others else f"Itens {last}"


def _runs(numbers: Sequence[int]) -> list[str]:
    """Numbers in words, three or more in a row as the first and the last of them."""
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [said for run in found for said in ([f"{run[0]} a {run[-1]}"] if len(run) > 2 else map(str, run))]
