"""The outcome as a text tells it, against the decision. Fault `resultado`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crivo.autorizacoes.redacao.efeito import check_efeito
from crivo.autorizacoes.redacao.fatos import Fatos, stem
from crivo.autorizacoes.redacao.insumos import Campo
from crivo.autorizacoes.redacao.lexico import lexico
from crivo.autorizacoes.redacao.modos import BEYOND, HYPOTHETICAL
from crivo.autorizacoes.redacao.numeros import find_numeros
from crivo.autorizacoes.redacao.pagina import Achado, Pagina, Span
from crivo.autorizacoes.redacao.papeis import Quantia
from crivo.autorizacoes.redacao.promessas import check_promessas
from crivo.kernel.linguagem.dobra import fold_letters

_YES: Final = re.compile(
    r"\b(?:aprovad[oa]s?|autorizad[oa]s?|liberad[oa]s?|deferid[oa]s?|concedid[oa]s?|aceit[oa]s?|aprovamos|autorizamos|"
    r"liberamos|deferimos|concedemos|aprovou|autorizou|liberou|deferiu|"
    r"(?:foi possivel|conseguimos|pudemos|deu para) (?:aprovar|autorizar|liberar|conceder|deferir)|"
    r"sinal verde|boas? noticias?|(?:ja|agora|voce) pode (?:agendar|marcar|realizar|fazer|comecar|iniciar)|"
    r"pode agendar|pode comecar|autorizacao concedida)\b"
)
# Nouns that the same words only describe.
_DESCRIBES: Final = re.compile(
    r"\b(?:faixa (?:etaria )?|idade |quantidade maxima |limite |prestador(?:es)? |rede |profissiona(?:l|is) |codigo )$"
    r"|\b(?:que|quem|o que) (?:a regra|o plano)[^.,;]{0,12}$"
)
# What a regra allows in general: "é autorizado somente na rede".
_GENERAL: Final = re.compile(r"\s+(?:exclusivamente|somente|apenas|so|unicamente) (?:n[ao]s?|em|para|a|com|por|se|quando|d[aeo])\b")
_NOT_BEFORE: Final = re.compile(r"\b(?:nao|nem|nunca|nada|ninguem|nenhum\w*|impossivel|sem|jamais|deixou de)\b(?!\s+so\b)[^.;]{0,45}$")
_NO: Final = re.compile(
    r"\b(?:negad[oa]s?|recusad[oa]s?|indeferid[oa]s?|rejeitad[oa]s?|reprovad[oa]s?|negamos|recusamos|indeferimos|"
    r"negou|recusou|indeferiu|recusa|negativa|indeferimento)\b"
)
_CANNOT: Final = re.compile(
    r"\bnao (?:e |foi |sera |seria |fica )?(?:possivel|podemos|conseguimos|pudemos|deu para|da para|pode|"
    r"pode-se)\s*(?:\w+ ){0,2}(?:aprovar|autorizar|liberar|conceder|atender|deferir)"
    r"|\bimpossivel (?:aprovar|autorizar|liberar)"
)
_FUTURE: Final = re.compile(
    r"\b(?:sera|serao|vai ser|vao ser|vai estar|ficara|ficarao|estara|estarao|sera automaticamente|tera)\s+(?:\w+mente\s+|logo |ja )?$"
)
_ALREADY: Final = re.compile(r"\b(?:foi|foram|esta|estao|ja)\s+(?:\w+mente\s+)?$")
# "Could not be approved" is told as done, unless the sentence says in what case.
_COULD_NOT: Final = re.compile(r"\bnao (?:pode|podem|puderam|poderia) (?:\w+ )?ser\s+(?:\w+mente\s+)?$")
_IN_CASE: Final = re.compile(r"\b(?:se|caso|quando|sem|enquanto|ate que|antes)\b")
_PENDING: Final = re.compile(
    r"\b(?:em analise|sob analise|em avaliacao|"
    r"(?:segue|continua|permanece|encontra-se) (?:\w+ ){0,4}(?:analise|avaliacao)|"
    r"(?:esta(?:o|mos)?|segu\w+|continua\w*|permanece\w*|vem) (?:ainda )?(?:sendo )?(?:re)?(?:analis|avali|vist|revis|revend)\w+|"
    r"ainda nao (?:foi|foram|esta|pode|"
    r"pôde|pudemos|temos)|em andamento|aguarde (?:o |a )?(?:nosso |nossa )?(?:contato|resposta|retorno|"
    r"analise|decisao)|aguardando (?:analise|decisao|avaliacao)|pendente de|esta pendente|sera analisad\w+|vamos analisar|ainda vamos)\b"
)
_WHOLE: Final = re.compile(
    r"\b(?:por inteiro|integral\w*|totalmente|por completo|na totalidade|em sua totalidade|na integra|sem (?:nenhum |"
    r"qualquer )?limite|tudo o que|tod[oa]s? (?:as |os )?(?:suas |seus |\d+ |dez\w+ )*(?:sessoes|unidades|"
    r"pedid\w+|consultas|exames|doses|quantidade)|tod[oa]s (?:as|os)|aprovacao total|cem por cento|inteiramente)"
)
_PART: Final = re.compile(r"\b(?:parte|parcial\w*|limit\w+|apenas|somente|so|metade|terco|nem tod\w+|ate)\b")
_IN_PART: Final = re.compile(r"\b(?:em parte|parcial\w*|apenas (?:uma )?parte|metade d|com um limite)\b")
_REST: Final = re.compile(
    r"\b(?:outr[ao]s|demais|restant\w+|resto|exced\w+|pass(?:a|am|ou|aram|e|em)|alem|acima|ultrapass\w+|inteir[oa]|tod[ao]s|total\w*|integral\w*|completo|mais)\b"
)
_NOT_REFUSED: Final = re.compile(
    r"\bnao (?:e|foi|significa|quer dizer|se trata de|esta)\b[^.;,]{0,20}$|\b(?:nao|nem) (?:o |a |lhe )?$|"
    r"\bnao de (?:uma )?$|\b(?:em vez|em lugar|ao inves) de (?:ser )?$"
)
_ONLY_IF: Final = re.compile(
    r"\b(?:so se|somente se|apenas se|condicionad[oa] [ao]|sob condicao|depend\w+ d[aeo] (?:\w+ )?(?:confirmacao|"
    r"aprovacao|analise|avaliacao))\b"
)
_PROCEDURE: Final = re.compile(rf"\b(?:{'|'.join(lexico().procedimentos)})\b")
# Where the procedure says which, another is another procedure.
_BODY: Final = re.compile(
    r"\b(?:joelho|ombro|quadril|coluna|cranio|torax|abdomen|punho|tornozelo|cotovelo|pescoco|mao|pe|mama|pelve|face|bacia|perna|braco)\b"
)
_ANOTHER: Final = re.compile(r"\b(?:[oa]s? (?:proxim[oa]s?|seguintes?|demais|restantes?|outr[oa]s?))\b[^.;,]{0,30}$")
_ENUM: Final = re.compile(r"(?<!\w)(?:APROVADO_PARCIAL|PENDENTE_AJUSTES|NEGADO|APROVADO)(?!\w)(?! EM PARTE)")


def check_resultado(pagina: Pagina, folded: str, fatos: Fatos, campo: Campo, quantias: tuple[Quantia, ...]) -> Iterator[Achado]:
    """Where a text contradicts the outcome or promises what was not decided; `folded` is without names of sources and procedures."""
    if campo == "resumo_efeito":
        yield from check_efeito(pagina, folded, fatos, quantias)
    yield from check_desfecho(pagina, folded, fatos, campo)
    if fatos.aprovado or fatos.final == "NEGADO":
        yield from (
            _fault(pagina, match.span(), "a decisão já foi tomada")
            for match in _PENDING.finditer(folded)
            if not _is_condition(folded, match)
        )
    yield from _extent(pagina, folded, fatos, campo, quantias)
    yield from check_promessas(pagina, folded, fatos)
    yield from _named(pagina, folded, fatos)


def check_desfecho(pagina: Pagina, folded: str, fatos: Fatos, campo: Campo) -> Iterator[Achado]:
    """Where a text says approved of what was not, and the other way round."""
    for match in _YES.finditer(folded):
        yield from _affirmed(pagina, folded, fatos, campo, match)
    for match in _NO.finditer(folded):
        yield from _refused(pagina, folded, fatos, match)
    for match in _CANNOT.finditer(folded):
        if fatos.aprovado and not _is_of_the_rest(pagina, folded, fatos, match.start()):
            yield _fault(pagina, match.span(), "o pedido foi aprovado")


def _affirmed(pagina: Pagina, folded: str, fatos: Fatos, campo: Campo, match: re.Match[str]) -> Iterator[Achado]:
    start, _ = pagina.sentence_at(match.start())
    left, _ = pagina.clause_at(match.start())
    before = folded[start : match.start()]
    if _DESCRIBES.search(before) or (not fatos.aprovado and _GENERAL.match(folded, match.end())):
        return
    if _NOT_BEFORE.search(folded[max(start, left - 1) : match.start()]):
        could_not = _COULD_NOT.search(before) and not _IN_CASE.search(before)
        told_as_done = could_not or not HYPOTHETICAL.search(before)
        if fatos.aprovado and told_as_done and not _is_of_the_rest(pagina, folded, fatos, match.start()):
            yield _fault(pagina, match.span(), "o pedido foi aprovado")
        return
    if _of_another(folded[left : match.start()], fatos):
        yield _fault(pagina, match.span(), "não foi isto o que se decidiu")
        return
    if _FUTURE.search(before):
        proved = campo == "resumo_efeito" and fatos.insumos.efeito_ajustes in ("total", "parcial")
        beyond = BEYOND.search(folded[start : match.start()])
        if (not fatos.aprovado and not proved) or beyond:
            yield _fault(pagina, match.span(), "a aprovação não foi decidida, e não pode ser prometida")
        return
    proved = campo == "resumo_efeito" and fatos.insumos.efeito_ajustes in ("total", "parcial") and not _ALREADY.search(before)
    if not fatos.aprovado and not proved and not HYPOTHETICAL.search(before):
        yield _fault(pagina, match.span(), "o pedido não foi aprovado")


def _of_another(before: str, fatos: Fatos) -> bool:
    """Whether what is said to be approved is beyond what was decided."""
    return fatos.aprovado and bool(_ANOTHER.search(before)) and not HYPOTHETICAL.search(before)


def _refused(pagina: Pagina, folded: str, fatos: Fatos, match: re.Match[str]) -> Iterator[Achado]:
    start, _ = pagina.sentence_at(match.start())
    denied = _NOT_REFUSED.search(folded[start : match.start()])
    if fatos.final == "NEGADO":
        if denied:
            yield _fault(pagina, match.span(), "o pedido foi negado")
    elif (
        not denied and not HYPOTHETICAL.search(folded[start : match.start()]) and not _is_of_the_rest(pagina, folded, fatos, match.start())
    ):
        yield _fault(pagina, match.span(), "o pedido foi aprovado" if fatos.aprovado else "o pedido não foi negado: há o que ajustar")


def _extent(pagina: Pagina, folded: str, fatos: Fatos, campo: Campo, quantias: tuple[Quantia, ...]) -> Iterator[Achado]:
    """An approval in part told as whole, and a whole one told as in part."""
    if fatos.final == "APROVADO":
        if not fatos.detalhe.condicionantes:
            yield from (_fault(pagina, match.span(), "a aprovação não tem condição") for match in _ONLY_IF.finditer(folded))
        yield from (_fault(pagina, match.span(), "o pedido foi aprovado por inteiro") for match in _IN_PART.finditer(folded))
        yield from _approved_quantity(pagina, folded, fatos, quantias)
    if fatos.final != "APROVADO_PARCIAL":
        return
    for match in _WHOLE.finditer(folded):
        left, right = pagina.clause_at(match.start())
        if _YES.search(folded, left, right) and not re.search(r"\b(?:nao|nem)\b", folded[left:right]):
            yield _fault(pagina, match.span(), "o pedido foi aprovado só em parte")
    yield from _approved_quantity(pagina, folded, fatos, quantias)
    approved = fatos.detalhe.quantidade_aprovada
    told = any(quantia.value == approved or (quantia.fracao and quantia.value in fatos.partes) for quantia in quantias)
    if campo in ("para_beneficiario", "para_solicitante") and not told and not _PART.search(folded):
        yield _fault(pagina, (0, len(folded)), "não diz que a aprovação é só em parte")


_OF_THE_APPROVED: Final = re.compile(
    r"(?:\s*d[aeo]s?\s+\w+){0,2}\s*(?:foram |estao |ficam |ficaram |ja )*(?:aprovad|autorizad|liberad|deferid)"
)
_APPROVED: Final = re.compile(
    r"\b(?:aprovamos|autorizamos|liberamos|(?:aprovad|autorizad|liberad|deferid)[oa]s?|aprovou|autorizou|"
    r"liberou)\s*(?::\s*)?(?:voce a |as |os |a |o |suas |seus |para |ate |apenas |somente |so |todas |todos |"
    r"no total )*$"
)


def _approved_quantity(pagina: Pagina, folded: str, fatos: Fatos, quantias: tuple[Quantia, ...]) -> Iterator[Achado]:
    """A quantity said to be approved that is another of the inputs: the one asked, or what is left."""
    approved = fatos.detalhe.quantidade_aprovada
    for quantia in quantias:
        if (
            quantia.unidade not in ("procedimento", "nenhuma")
            or quantia.fracao
            or quantia.value == approved
            or quantia.value not in fatos.quantidades
        ):
            continue
        before = folded[max(0, quantia.start - 60) : quantia.start]
        of_all = re.search(r"\bd[aeo]s?\s+$", before)
        said_before = _APPROVED.search(before) and not _NOT_BEFORE.search(folded[pagina.clause_at(quantia.start)[0] : quantia.start])
        said_after = _OF_THE_APPROVED.match(folded, quantia.end) and not of_all
        if said_before or said_after:
            yield _fault(pagina, (quantia.start, quantia.end), "não é esta a quantidade aprovada")


def _named(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    """Another decision's name, and another procedure than the one asked for."""
    for match in _ENUM.finditer(pagina.text):
        if match.group() != fatos.final and (match.group() != "APROVADO" or not fatos.aprovado):
            yield _fault(pagina, match.span(), f"a decisão é {fatos.final}")
    if not fatos.insumos.descricao:
        return
    known = _with_synonyms(fatos.palavras.union(*fatos.documentos.values()))
    for match in _PROCEDURE.finditer(folded):
        if stem(match.group()) not in known and not any(word.startswith(match.group()[:5]) for word in known):
            yield _fault(pagina, match.span(), "não é este o procedimento pedido")
    own = {match.group() for match in _BODY.finditer(fold_letters(fatos.insumos.descricao))}
    for match in _BODY.finditer(folded) if own else ():
        if match.group() not in own and stem(match.group()) not in known:
            yield _fault(pagina, match.span(), "não é esta a parte do corpo do procedimento pedido")


def _with_synonyms(known: frozenset[str]) -> frozenset[str]:
    """The stems with those of every other name for the same procedure."""
    groups = (frozenset(stem(word) for word in group) for group in lexico().sinonimos)
    return known.union(*(group for group in groups if group & known))


# A refusal with how many right after it.
_COUNTED: Final = re.compile(r"\w+\s+(?:[ao]s )?(?:\d+(?!\w)|[a-z]+(?: e [a-z]+)?)")


def _is_of_the_rest(pagina: Pagina, folded: str, fatos: Fatos, place: int) -> bool:
    """Whether a refusal speaks of what an approval in part leaves out."""
    left, right = pagina.sentence_at(place)[0], pagina.clause_at(place)[1]
    before = folded[left:right]
    counted = _COUNTED.match(folded, place)
    refused = [numero.value for numero in find_numeros(folded[: counted.end()]) if numero.end == counted.end()] if counted else []
    if refused and fatos.insumos.quantidade is not None:
        return refused[-1] == fatos.insumos.quantidade - (fatos.detalhe.quantidade_aprovada or 0)
    others = fatos.quantidades - {fatos.detalhe.quantidade_aprovada}
    named = any(numero.value in others for numero in find_numeros(before))
    return fatos.final == "APROVADO_PARCIAL" and bool(_REST.search(before) or named)


def _is_condition(folded: str, match: re.Match[str]) -> bool:
    """Whether "pendente" speaks of documents, not of the decision."""
    return bool(re.search(r"\bdocument\w*\s*$|\bnovo pedido\b", folded[max(0, match.start() - 30) : match.start()])) or bool(
        re.match(r"[^.;,]{0,15}\b(?:anexad|entreg|enviad|apresentad|recebid|chegou|chegaram)", folded[match.end() :])
    )


def _fault(pagina: Pagina, span: Span, porque: str) -> Achado:
    return Achado("resultado", pagina.quote(span), porque)
