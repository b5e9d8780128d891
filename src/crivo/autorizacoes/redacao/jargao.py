"""Words that the reader cannot be expected to know: codes, enum names, trade words, another language. Fault `jargao`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.insumos import Campo
from crivo.autorizacoes.redacao.lexico import lexico
from crivo.autorizacoes.redacao.pagina import Achado, Pagina, Span

_MACHINE: Final = re.compile(
    r"(?<![\w@/.])(?:[A-Za-zÀ-ÿ]+_[A-Za-z0-9_]+|[a-z]+\.[a-z]+_?[a-z]+(?=[\s,;:.)]|$)|null|None|JSON|[{}<>])(?!\w)"
)
_TRADE: Final = re.compile(
    r"\b(?:tuss|cbhpm|cid(?:-?1[01])?|tiss|opme|dut|cpt|rpc|sadt|glosa\w*|elegibilidade|elegive(?:l|is)|inelegive\w*|"
    r"sinistr\w+|auditor(?:es)?|nao conformidade\w*|conformidade|nao conforme\b|"
    r"limite quantitativo|quantitativ\w+|condicionantes?|prestador(?:a|es|as)?(?: de servicos?)?|nao credenciad[oa]s?|"
    r"indefer\w+|deferid[oa]s?|deferimento|parametriz\w+|regulacao|coberturas? contratu\w+|"
    r"carencia contratual|reanalise|pre-?autorizacao|workflow|payload|status code|input|output|enquadr\w+ na dut|"
    r"normativ\w+|operacionaliz\w+|tempestiv\w+|supracitad\w+|outrossim|in casu|pleito|"
    r"sla|webservice|back-?office|front-?office|backend|api|procedimentos? eletiv[oa]s?|carater eletivo|autorizador(?:a|es)?|compliance|"
    r"vigencia contratual|exclusao contratual|medic[oa]s? regulador(?:a|es)?|regulador(?:a|es)?|perici\w+|anuencia|mandatori\w+|"
    r"diligencias?|juntada|vidas seguradas|rede referenciada|teto quantitativo|deliberad\w+|"
    r"faturamento|pacote tuss|procedimento seriado|evento coberto|rol de procedimentos|junta medica|contratualmente|inconformidade\w*)\b"
)
_EXPLAINABLE: Final = (
    (
        re.compile(r"\bcoparticipac\w+"),
        re.compile(r"\b(?:voce|sua parte|sua conta|seu bolso|ou seja|isto e|quer dizer|significa|parte que|(?:cham|nome|conhec)\w*)\b"),
    ),
    (
        re.compile(r"\bauditorias?\b"),
        re.compile(r"\b(?:cham|nome|ou seja|isto e|quer dizer|que e|equipe|profissiona|(?:feita|formada) por)\w*"),
    ),
    (re.compile(r"\bcarencias?\b"), re.compile(r"\b(?:espera\w*|aguard\w+|ou seja|isto e|quer dizer|significa|tempo (?:de|minimo))\b")),
)
_EXPLAINED_AFTER: Final = re.compile(r"(?:\s+\w+)?\s*[,(]\s*(?:que e|que sao|ou seja|isto e|quer dizer|que significa|uma equipe)\b")
_NONE_OF_IT: Final = re.compile(r"\b(?:sem|nao ha|nao tem|nenhuma)\s+$")
_LEXICO: Final = lexico()
_ONLY_PORTUGUESE: Final = _LEXICO.portugues - _LEXICO.espanhol
_FOREIGN_AT_LEAST: Final = 3
_DISTINCTIVE: Final = 4


def check_jargao(pagina: Pagina, folded: str, fatos: Fatos, campo: Campo, codigos: tuple[Span, ...]) -> Iterator[Achado]:
    """What is not in the reader's language; trade words and codes are faults to the beneficiário alone.

    `folded` is without the procedure's name.
    """
    if _is_foreign(folded):
        yield Achado("jargao", pagina.quote((0, len(pagina.text))), "não está em português")
    if campo != "para_beneficiario":
        return
    for span in codigos:
        yield Achado("jargao", pagina.quote(span), "o beneficiário não precisa de códigos")
    for match in _MACHINE.finditer(pagina.text):
        yield Achado("jargao", pagina.quote(match.span()), "é um nome interno do sistema")
    trade = (match.span() for match in _TRADE.finditer(folded) if not _EXPLAINED_AFTER.match(folded, match.end()))
    yield from (Achado("jargao", pagina.quote(span), "é uma palavra do ofício") for span in trade)
    for pattern, explained in _EXPLAINABLE:
        for match in pattern.finditer(folded):
            left, right = pagina.sentence_at(match.start())
            if not explained.search(folded[left:right]) and not _NONE_OF_IT.search(folded[left : match.start()]):
                yield Achado("jargao", pagina.quote(match.span()), "é uma palavra do ofício, e não está explicada")
    for code in _own_codes(fatos):
        yield from (Achado("jargao", pagina.quote(span), "o beneficiário não precisa de códigos") for span in pagina.places(code))


def _own_codes(fatos: Fatos) -> Iterator[str]:
    """Codes of the decision that are told apart from a plain number; the number of the pedido is the reader's own."""
    alternativa = fatos.alternativa
    told = (fatos.insumos.codigo, alternativa.codigo if alternativa else None, fatos.fonte.regra_id if fatos.fonte else None)
    return (code for code in told if code and len(code) >= _DISTINCTIVE)


def _is_foreign(folded: str) -> bool:
    words = re.findall(r"[a-z]+", folded)
    english = sum(word in _LEXICO.ingles for word in words)
    spanish = sum(word in _LEXICO.espanhol for word in words)
    portuguese = sum(word in _LEXICO.portugues for word in words)
    only = sum(word in _ONLY_PORTUGUESE for word in words)
    if english >= _FOREIGN_AT_LEAST and english > portuguese:
        return True
    return spanish >= _FOREIGN_AT_LEAST and spanish > 2 * only
