"""Conditions and reasons as a text tells them: dropped, invented or wrong ones. Faults `resultado` and `sem_fonte`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crivo.autorizacoes.motivos import CARENCIA, DOCUMENTOS, PEDIDO_INVALIDO, QUANTIDADE, REDE, SEM_COBERTURA
from crivo.autorizacoes.redacao.documentos import Mencao
from crivo.autorizacoes.redacao.fatos import Fatos
from crivo.autorizacoes.redacao.insumos import Campo
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.autorizacoes.redacao.temas import CLAIMED, UNDENIED, tells, untold_documentos

_NOTHING_OWED: Final = re.compile(
    r"\bnao (?:e |sera )?(?:precisa|preciso|necessario|falta|ha|exige|depende)\b[^.;]{0,30}\b(?:document\w*|nada|"
    r"nenhum\w*|papel|papeis|laudo|relatorio|condic\w+|pendenc\w+)|\bdocumentac(?:ao|oes) (?:esta )?(?:completa|"
    r"em ordem|em dia|ok)"
    r"|\bsem (?:(?:nenhum\w*|qualquer|precisar|necessidade de|ter de|ter que|outr\w+|mais) )*(?:envi\w+|entreg\w+|"
    r"apresent\w+|pendencias?|condic\w+|document\w+|exigencia\w*)|\bnenhum(?:a)? (?:document\w*|pendencia|"
    r"outra exigencia)|\bsem mais nada\b"
    r"|\bincondicional\w*"
)
_DEMANDED: Final = re.compile(
    r"\b(?:falta(?:m|ndo)?|entreg(?:ue|uem|ar)|envi(?:e|em|ar)|apresent(?:e|em|ar|acao)|anex(?:e|em|ar)|mand(?:e|em|"
    r"ar)|providenci\w+|encaminh(?:e|em)|pendente\w*|condicionad\w+ a|entrega de|nao veio|nao recebemos)\b"
)
_RECEIVED: Final = re.compile(
    r"\b(?:recebemos|recebid[oa]s?|ja (?:veio|vieram|esta|estao|temos|chegou|chegaram)|conosco|chegou|chegaram|"
    r"foi entregue|foram entregues|anexad[oa]s? corretamente)\b"
)
_NOTHING_TO_DO: Final = re.compile(
    r"\bnao (?:e |sera )?(?:precisa|preciso|necessario) (?:de )?(?:fazer |enviar |mudar |ajustar )?(?:mais )?nada\b"
)
_TO_BE_CHANGED: Final = frozenset({REDE, QUANTIDADE, DOCUMENTOS, PEDIDO_INVALIDO})
_NEAR: Final = 40  # letters within which a word denies another
_REST: Final = re.compile(r"\b(?:outr[ao]s|demais|restant\w+|resto|exced\w+|diferenca|alem)\b")
_OPTIONAL: Final = re.compile(
    r"\bnao (?:e|sao|sera|serao) (?:\w+ )?obrigatori\w+|\b(?:opcion\w+|facultativ\w+|dispensavel|dispensaveis)\b|"
    r"\bse (?:puder|quiser|desejar|preferir)\b[^.;]{0,15}\b(?:envi|mand|entreg|anex|apresent)\w+"
)
_NOT: Final = re.compile(r"\b(?:nao|nem|sem|ainda|quando|assim que|se|caso|apos|depois)\b")


def check_condicoes(pagina: Pagina, folded: str, fatos: Fatos, campo: Campo, mencoes: tuple[Mencao, ...]) -> Iterator[Achado]:
    """Conditions that a message drops or makes up, and motivos that are not the decision's; `folded` is without names of sources."""
    if fatos.pendentes:
        for pattern in (_NOTHING_OWED, _OPTIONAL):
            for match in pattern.finditer(folded):
                yield Achado("resultado", pagina.quote(match.span()), "ainda há documentos a entregar")
    if frozenset(fatos.motivos) & _TO_BE_CHANGED and not fatos.aprovado and fatos.final != "NEGADO":
        for match in _NOTHING_TO_DO.finditer(folded):
            yield Achado("resultado", pagina.quote(match.span()), "há o que ajustar no pedido")
    yield from _misplaced(pagina, folded, fatos, mencoes)
    yield from _wrong_motivos(pagina, folded, fatos)
    if campo in ("para_beneficiario", "para_solicitante") and folded.strip():
        yield from _dropped(pagina, folded, fatos, mencoes)
        yield from _unfounded(pagina, folded, fatos)


def _dropped(pagina: Pagina, folded: str, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> Iterator[Achado]:
    """What the reader has to do, and is not told."""
    owing = fatos.aprovado or DOCUMENTOS in fatos.motivos
    if owing and untold_documentos(pagina, fatos, mencoes):
        yield Achado("resultado", pagina.quote((0, len(pagina.text))), "deixa de fora um documento a entregar")
    if fatos.final == "PENDENTE_AJUSTES" and not all(tells(motivo, folded, fatos) for motivo in fatos.motivos if motivo != DOCUMENTOS):
        yield Achado("resultado", pagina.quote((0, len(pagina.text))), "deixa de fora um dos ajustes de que o pedido precisa")


def _unfounded(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    """A denial needs its reason and its source in both messages. Source: design, RF6 `sintese`."""
    if fatos.final != "NEGADO":
        return
    if fatos.motivos and not all(tells(motivo, folded, fatos) for motivo in fatos.motivos):
        yield Achado("sem_fonte", pagina.quote((0, len(pagina.text))), "nega sem dizer o motivo")
    if fatos.fonte is not None and not pagina.has(fatos.fonte.documento):
        yield Achado("sem_fonte", pagina.quote((0, len(pagina.text))), "nega sem dizer de que documento vem a regra")


def _misplaced(pagina: Pagina, folded: str, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> Iterator[Achado]:
    """Documents asked for that came, and documents said to have come that are owed."""
    for mencao in mencoes:
        left, right = pagina.sentence_at(mencao.start)
        before = folded[left : mencao.start]
        sentence = folded[left:right]
        if not mencao.tipos:
            continue
        owed = mencao.tipos & frozenset(fatos.pendentes)
        if (
            not owed
            and mencao.tipos <= frozenset(fatos.insumos.documentos.anexos)
            and _DEMANDED.search(before)
            and not _RECEIVED.search(sentence)
        ):
            if not re.search(r"\b(?:nao|nem)\b", before):
                yield Achado("resultado", pagina.quote((mencao.start, mencao.end)), "este documento já veio com o pedido")
        elif owed == mencao.tipos and _RECEIVED.search(sentence) and not _NOT.search(sentence) and not _DEMANDED.search(sentence):
            yield Achado("resultado", pagina.quote((mencao.start, mencao.end)), "este documento ainda não veio")


def _wrong_motivos(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    """Reasons claimed that are none of the decision's."""
    for motivo, pattern in CLAIMED.items():
        if motivo in fatos.motivos or (motivo == DOCUMENTOS and fatos.pendentes) or any(pattern.search(text) for text in fatos.textos):
            continue
        for match in pattern.finditer(folded):
            left, right = pagina.sentence_at(match.start())
            served = motivo == CARENCIA and fatos.limites.carencia_min_dias is not None
            own = match.group() if motivo in (CARENCIA, DOCUMENTOS) else " "
            around = folded[max(left, match.start() - _NEAR) : match.start()] + own + folded[match.end() : min(right, match.end() + _NEAR)]
            of_the_rest = motivo == SEM_COBERTURA and fatos.final == "APROVADO_PARCIAL" and _REST.search(folded[left:right])
            if not served and not of_the_rest and not UNDENIED.search(around):
                yield Achado("resultado", pagina.quote(match.span()), "este não é um motivo da decisão")
