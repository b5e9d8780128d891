"""What a text says of each requirement (met, unmet, waived) beside what the decision rests on. Fault `resultado`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crivo.autorizacoes.motivos import CARENCIA, DOCUMENTOS, IDADE, QUANTIDADE, REDE
from crivo.autorizacoes.redacao.documentos import Mencao
from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.numeros import find_numeros
from crivo.autorizacoes.redacao.pagina import Achado, Pagina, Span
from crivo.autorizacoes.redacao.temas import tells

_SUBJECTS: Final = {
    CARENCIA: r"(?:carencia|tempo (?:minimo )?(?:de|no) plano|(?:tempo|periodo|prazo) de espera)",
    IDADE: r"(?:idade|faixa etaria)",
    REDE: r"(?:rede|credenciament\w+|prestador(?:a|es)?|clinica|hospital|local|lugar|laboratorio)",
    QUANTIDADE: r"(?:quantidade|limite|teto)",
    DOCUMENTOS: r"(?:documentac\w+|documentos|papeis|papelada)",
}
_MET: Final = (
    r"(?:atendid[oa]s?|cumprid[oa]s?|satisfeit[oa]s?|respeitad[oa]s?|observad[oa]s?|regularizad[oa]s?|regular(?:es)?|complet[oa]s?|"
    r"em ordem|em dia|adequad[oa]s?|(?:devidamente |integralmente )?(?:recebid|entregue|anexad|juntad|apresentad|conferid)[oa]?s?)"
)
_IS: Final = r"(?:ja )?(?:esta|estao|foi|foram|ficou|encontra-se|encontram-se|consta|constam|e|sao)(?: \w+mente| ja| tod[oa]s?)?"
_SAID_MET: Final = {
    motivo: re.compile(rf"\b{subject}\b(?: (?!nao\b)[\w-]+){{0,3}} {_IS} {_MET}\b") for motivo, subject in _SUBJECTS.items()
}
_OPEN: Final = re.compile(
    r"\b(?:nao|nem|sem|ainda|quando|assim que|se|caso|apos|depois|com|exceto|salvo|menos|falta\w*|outr[oa]s?|demais|restante\w*|so|apenas|"
    r"precis\w+|dev\w+|tem (?:de|que)|for(?:em)?|estiver\w*|tanto)\b"
)
_WAIVED: Final = {
    motivo: re.compile(
        rf"\bindependente(?:mente)? d\w+ (?:\w+ ){{0,2}}{subject}|\b(?:sem importar|nao importa|pouco importa)\b[^.;,]{{0,20}}{subject}"
    )
    for motivo, subject in _SUBJECTS.items()
}
_OUTSIDE: Final = re.compile(r"\b(?:mesmo (?:que )?(?:esteja |sendo |estando )?fora da rede|(?:conveniad|credenciad)[oa] ou nao)\b")
_OLDER: Final = re.compile(r"\b(?:ultrapass\w+|exced\w+|superior|acima|passou|passa|mais velh[oa]|maior)\b")
_YOUNGER: Final = re.compile(r"\b(?:abaixo|inferior|nao (?:atingiu|alcancou|completou|chegou)|mais nov[oa]|menor)\b")
_OF_AGE: Final = re.compile(r"\b(?:idade|anos|etari\w+)\b")
_FROM: Final = re.compile(r"\b(?:depois d[aeo]s?|a partir d[aeo]s?|apos)\s+(?:os |completar )?$")
_NEAR: Final = 8  # letters from a side to how many years, which may be of either bound
_NONE_OTHER: Final = re.compile(
    r"\b(?:nao (?:ha|existe|tem|temos|prev\w+|indic\w+|oferece\w*)|nem (?:ha|existe|tem|prev\w+|indic\w+|oferece\w*)|"
    r"sem|nenhum\w*)\b[^.;,]{0,25}"
    r"\b(?:alternativ\w+|substitut\w+|equivalente\w*|outr[oa]s? (?:exame|procedimento|tratamento|opc\w+|codigo|caminho)\w*)"
)
_ONE_OF: Final = re.compile(
    r"\b(?:basta\w*|suficiente|envi\w+|mand\w+) (?:apenas |so |somente )?(?:um|uma|qualquer um|qualquer uma) (?:del[ea]s|dos|das|ou)\b"
    r"|\b(?:um|uma) (?:del[ea]s|dos dois|das duas) (?:ja )?(?:basta|serve|resolve)"
    r"|\bqualquer uma? d(?:eles|elas|os dois|as duas)\b"
)
_ABSENT_AFTER: Final = re.compile(
    r"[\s,]*(?:(?:que|o qual|a qual|tambem|ainda|ate agora) )*(?:nao|nem)(?: \w+){0,3}? (?:acompanh|apresentad|anexad|juntad|recebid|"
    r"localizad|encontrad|enviad|entreg|constou|consta|chegou|veio|veio|vieram)"
    r"|[\s,]*(?:(?:que|tambem|ainda) )*(?:esta|estao|segue|continua|permanece|ficou)(?: \w+)? (?:faltando|pendente|ausente|em falta)"
)
_ABSENT_BEFORE: Final = re.compile(
    r"\b(?:nao (?:recebemos|localizamos|encontramos|veio|vieram|consta\w*|foi (?:anexado|apresentado|juntado))|"
    r"falta d[aeo]|ausencia d[aeo]|sem)"
    r"\s+(?:o |a |os |as |seu |sua )*$"
)
_ONLY_THIS: Final = re.compile(
    r"\b(?:falta\w* (?:so|apenas|somente)|(?:so|apenas|somente) falta\w*|basta\w*|e suficiente|"
    r"unic[oa] (?:pendencia|exigencia|ajuste|obstaculo))\b"
)
_TOGETHER: Final = re.compile(
    r"\b(?:os dois|as duas|ambos|ambas|isso|est[ea]s|ess[ea]s|ajustes|pontos|itens|tudo|apos|alem d|depois|com)\b"
)
_REFUSED: Final = re.compile(r"\b(?:negad[oa]|recusad[oa]|indeferid[oa]|rejeitad[oa]|negativa|indeferimento)\b")
_ANY_APPROVAL: Final = re.compile(r"\b(?:aprov|autoriz|liber|conced|defer|acolh|parcial|em parte|cobert|contempl|atendid)")


def check_exigencias(pagina: Pagina, folded: str, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> Iterator[Achado]:
    """Requirements told otherwise than they are; `folded` is without names of sources."""
    yield from _said_met(pagina, folded, fatos)
    if IDADE in fatos.motivos:
        yield from _wrong_bound(pagina, folded, fatos)
    if fatos.alternativa is not None and not fatos.aprovado:
        yield from (_fault(pagina, match.span(), "há um procedimento que fica no lugar") for match in _NONE_OTHER.finditer(folded))
    if not fatos.aprovado and len({*fatos.motivos, *fatos.pendentes} - {DOCUMENTOS}) > 1:
        yield from (_fault(pagina, match.span(), "é preciso atender a tudo o que falta") for match in _ONE_OF.finditer(folded))
    yield from _said_absent(pagina, folded, fatos, mencoes)
    if fatos.final == "PENDENTE_AJUSTES":
        yield from _only_one(pagina, folded, fatos, mencoes)
    refused = _REFUSED.search(folded) if fatos.final == "APROVADO_PARCIAL" and not _ANY_APPROVAL.search(folded) else None
    if refused:
        yield _fault(pagina, refused.span(), "o pedido foi aprovado em parte")


def _said_met(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    unmet = {*fatos.motivos, *((DOCUMENTOS,) if fatos.pendentes else ())}
    for motivo in unmet & _SUBJECTS.keys():
        for match in _SAID_MET[motivo].finditer(folded):
            left, right = pagina.clause_at(match.start())
            if not _OPEN.search(folded[left:right]):
                yield _fault(pagina, match.span(), "é justamente o que falta cumprir")
        if fatos.aprovado:
            continue
        for pattern in (_WAIVED[motivo], *((_OUTSIDE,) if motivo == REDE else ())):
            yield from (_fault(pagina, match.span(), "esta exigência continua a valer") for match in pattern.finditer(folded))


def _wrong_bound(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    """A person said to be too old who is too young, and a least age told as the greatest."""
    limites = fatos.limites
    if limites.idade is None or (limites.idade_min is None) == (limites.idade_max is None):
        return
    too_young = limites.idade_min is not None
    for left, right in pagina.sentences:
        sentence = folded[left:right]
        if not _OF_AGE.search(sentence):
            continue
        bound = re.search(r"\bmaxim[oa]\b" if too_young else r"\bminim[oa]\b", sentence)
        side = (_OLDER if too_young else _YOUNGER).search(sentence)
        told = (_YOUNGER if too_young else _OLDER).search(sentence)
        counted = side and any(0 <= numero.start - side.end() <= _NEAR for numero in find_numeros(sentence))
        found = bound or (None if told or counted else side)
        if found:
            yield _fault(pagina, (left + found.start(), left + found.end()), "a idade está do outro lado do limite")
        for numero in () if too_young else find_numeros(sentence):
            before = sentence[: numero.start]
            if numero.value == limites.idade_max and _FROM.search(before) and not re.search(r"\bnao\b", before):
                yield _fault(pagina, (left + numero.start, left + numero.end), "esta é a idade máxima")


def _said_absent(pagina: Pagina, folded: str, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> Iterator[Achado]:
    """A document that came said not to have come."""
    came = frozenset(fatos.insumos.documentos.anexos) - frozenset(fatos.pendentes)
    for mencao in mencoes:
        if not mencao.tipos or not mencao.tipos <= came:
            continue
        left, right = pagina.sentence_at(mencao.start)
        after, before = _ABSENT_AFTER.match(folded, mencao.end, right), _ABSENT_BEFORE.search(folded[left : mencao.start])
        if after or before:
            yield _fault(pagina, (mencao.start, mencao.end), "este documento veio com o pedido")


def _only_one(pagina: Pagina, folded: str, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> Iterator[Achado]:
    """One adjustment told as all that is missing, where there are others."""
    for match in _ONLY_THIS.finditer(folded):
        left, right = pagina.sentence_at(match.start())
        sentence = folded[left:right]
        if _TOGETHER.search(sentence) or re.search(r"\b(?:nao|nem)\b[^.;]{0,12}$", folded[left : match.start()]):
            continue
        named = {tipo for mencao in mencoes if left <= mencao.start < right for tipo in mencao.tipos}
        owed = frozenset(fatos.pendentes)
        others = [motivo for motivo in fatos.motivos if motivo != DOCUMENTOS]
        if named & owed and (owed - named or not all(tells(motivo, sentence, fatos) for motivo in others)):
            yield _fault(pagina, match.span(), "não é só isto que falta")


def _fault(pagina: Pagina, span: Span, porque: str) -> Achado:
    return Achado("resultado", pagina.quote(span), porque)
