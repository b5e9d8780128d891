"""The outcome as a text tells it: approved or refused, how many, of what. Fault `resultado`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crivo.autorizacoes.redacao.fatos import Fatos, stem, with_synonyms
from crivo.autorizacoes.redacao.insumos import Campo
from crivo.autorizacoes.redacao.lexico import LEXICO
from crivo.autorizacoes.redacao.lugar import Lugar
from crivo.autorizacoes.redacao.pagina import Achado, Pagina
from crivo.autorizacoes.redacao.quantias import Quantia
from crivo.kernel.linguagem.dobra import fold_letters

_ENUM: Final = re.compile(r"(?<!\w)(?:APROVADO_PARCIAL|PENDENTE_AJUSTES|NEGADO|APROVADO)(?!\w)(?! EM PARTE)")
_APROVADO: Final = "o pedido foi aprovado"
_NAO_APROVADO: Final = "o pedido não foi aprovado"


def check_desfecho(pagina: Pagina, folded: str, fatos: Fatos, campo: Campo) -> Iterator[Achado]:
    """Where a text says approved of what was not, and the other way round; `folded` is without names of sources."""
    for entry, judge in (("aprovado", _affirmed), ("negado", _refused), ("impossivel_aprovar", _impossible)):
        for match in LEXICO.find(entry, folded):
            lugar = Lugar(pagina, folded, fatos, campo, *match.span())
            porque = judge(lugar)
            if porque:
                yield lugar.fault(porque)


def _affirmed(lugar: Lugar) -> str | None:
    """Why "approved" may not stand here; None where it may."""
    fatos, before = lugar.fatos, lugar.before
    if LEXICO.ends("so_descreve", before) or (not fatos.aprovado and _of_the_regra(lugar)):
        return None
    if lugar.negado_na_oracao:
        could_not = LEXICO.ends("nao_pode_ser", before) and not LEXICO.has("em_que_caso", before)
        told_as_done = could_not or not lugar.suposto
        return _APROVADO if fatos.aprovado and told_as_done and not lugar.do_resto else None
    if fatos.aprovado and LEXICO.has("outro_que_nao_este", lugar.before_in_clause[1:][-40:]) and not lugar.suposto:
        return "não foi isto o que se decidiu"
    proved = lugar.campo == "resumo_efeito" and fatos.insumos.efeito_ajustes in ("total", "parcial")
    if LEXICO.ends("futuro", before):
        promised = not (fatos.aprovado or proved) or LEXICO.has("alem", before)
        return "a aprovação não foi decidida, e não pode ser prometida" if promised else None
    may_be = fatos.aprovado or (proved and not LEXICO.ends("ja_feito", before)) or lugar.suposto
    return None if may_be else _NAO_APROVADO


def _of_the_regra(lugar: Lugar) -> bool:
    """Whether it is said of what the regra lets pass in general, or of what may stand in for the procedure."""
    if lugar.said.startswith("aceit") and _accepts_in_general(lugar):
        return True
    in_general = LEXICO.begins("em_geral", lugar.folded, lugar.end) and not LEXICO.ends("ja_feito", lugar.before)
    of_another = lugar.fatos.alternativa and lugar.said.startswith("boa") and LEXICO.has("em_lugar_disso", lugar.sentence)
    return bool(in_general or of_another)


def _accepts_in_general(lugar: Lugar) -> bool:
    """Whether it is a document that is accepted, or what the regra accepts of any pedido."""
    if LEXICO.has("do_documento", lugar.before_in_clause):
        return True
    of_regra = lugar.said in ("aceita", "aceitam") and LEXICO.ends("aceita_em_geral", lugar.before)
    return of_regra and not LEXICO.begins("o_pedido_depois", lugar.folded, lugar.end)


def _refused(lugar: Lugar) -> str | None:
    denied = LEXICO.ends("nao_recusado", lugar.before) or LEXICO.has("nao_recusado_perto", lugar.near(36))
    if lugar.fatos.final == "NEGADO":
        return "o pedido foi negado" if denied else None
    of_a_document = lugar.fatos.pendentes and LEXICO.has("documento_recusado", lugar.sentence)
    of_a_document = of_a_document and not LEXICO.has("o_que_se_pede", lugar.sentence)
    if denied or lugar.suposto or lugar.do_resto or of_a_document:
        return None
    return _APROVADO if lugar.fatos.aprovado else "o pedido não foi negado: há o que ajustar"


def _impossible(lugar: Lugar) -> str | None:
    return _APROVADO if lugar.fatos.aprovado and not lugar.do_resto else None


def check_quantas(pagina: Pagina, folded: str, fatos: Fatos, campo: Campo, quantias: tuple[Quantia, ...]) -> Iterator[Achado]:
    """A quantity said to be approved that is another of the inputs, and an approval in part that is not told as one."""
    units = [quantia for quantia in quantias if quantia.unidade in ("procedimento", "nenhuma")]
    approved = fatos.detalhe.quantidade_aprovada
    if campo == "resumo_efeito":
        yield from _above_the_limit(pagina, folded, fatos, units)
    if not fatos.aprovado:
        return
    for quantia in units:
        if quantia.fracao or quantia.value == approved or quantia.value not in fatos.quantidades:
            continue
        lugar = Lugar(pagina, folded, fatos, campo, quantia.start, quantia.end)
        before = folded[max(0, quantia.start - 60) : quantia.start]
        said_before = LEXICO.ends("aprova_quantas", before) and not lugar.negado_na_oracao
        if said_before or (LEXICO.begins("quantas_aprovadas", folded, quantia.end) and not LEXICO.ends("de", before)):
            yield lugar.fault("não é esta a quantidade aprovada")
    told = any(quantia.value == approved or (quantia.fracao and quantia.value in fatos.partes) for quantia in quantias)
    if fatos.final == "APROVADO_PARCIAL" and campo.startswith("para_") and not told and not LEXICO.has("diz_em_parte", folded):
        yield Achado("resultado", pagina.quote((0, len(folded))), "não diz que a aprovação é só em parte")


def _above_the_limit(pagina: Pagina, folded: str, fatos: Fatos, units: list[Quantia]) -> Iterator[Achado]:
    """A summary that has the whole quantity approved where the limit is below it."""
    limit, asked = fatos.limites.quantidade, fatos.insumos.quantidade
    for quantia in units if limit is not None and asked is not None and asked > limit else ():
        if quantia.value == asked and not LEXICO.ends("de", folded[: quantia.start]):
            yield Achado("resultado", pagina.quote((quantia.start, quantia.end)), "o limite da regra é menor que esta quantidade")


def check_nomes(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    """Another decision's name, another procedure than the one asked for, another part of the body."""
    for match in _ENUM.finditer(pagina.text):
        if match.group() != fatos.final and (match.group() != "APROVADO" or not fatos.aprovado):
            yield Achado("resultado", match.group(), f"a decisão é {fatos.final}")
    if not fatos.insumos.descricao:
        return
    known = with_synonyms(fatos.palavras.union(*fatos.documentos.values()))
    for match in LEXICO.find("procedimentos", folded):
        if stem(match.group()) not in known and not any(word.startswith(match.group()[:5]) for word in known):
            yield Achado("resultado", pagina.quote(match.span()), "não é este o procedimento pedido")
    own = {match.group() for match in LEXICO.find("partes_do_corpo", fold_letters(fatos.insumos.descricao))}
    for match in LEXICO.find("partes_do_corpo", folded) if own else ():
        if match.group() not in own and stem(match.group()) not in known:
            yield Achado("resultado", pagina.quote(match.span()), "não é esta a parte do corpo do procedimento pedido")
