"""How each motivo is spoken of: words by which a text tells it, and words by which it claims it."""

from __future__ import annotations

import re
from typing import Final

from crivo.autorizacoes.motivos import CARENCIA, DOCUMENTOS, IDADE, PEDIDO_INVALIDO, QUANTIDADE, REDE, REGRA_NAO_ENCONTRADA, SEM_COBERTURA
from crivo.autorizacoes.palavras import documentos_conhecidos, nome_documento
from crivo.autorizacoes.redacao.documentos import Mencao
from crivo.autorizacoes.redacao.fatos import Fatos, stems
from crivo.autorizacoes.redacao.pagina import Pagina
from crivo.kernel.linguagem.dobra import fold_letters

# What a reader needs to recognise the motivo by.
TOLD: Final[dict[str, re.Pattern[str]]] = {
    SEM_COBERTURA: re.compile(
        r"cobr(?:e|em|ir|imos|ia)\b|cobert\w+|"
        r"\b(?:nao|fora|nem)\s+(?:\w+ ){0,3}(?:preve\w*|previst\w+|inclu\w+|contempl\w+|custei\w+|faz(?:em)? parte|oferec\w+|"
        r"entra\w*|integra\w*|abrang\w+|alcanc\w+|lista\w*|consta\w*|figura\w*|abarc\w+)\b|"
        r"exclu(?:i|em|id[oa]s?|sao)\b|\bfora d(?:el[ae]|ess[ae] lista|est[ae] lista|a lista|o que)\b|procedimento_sem_cobertura"
    ),
    CARENCIA: re.compile(
        r"carencia|espera|aguard|tempo de (?:plano|contrato)|\b(?:dias|meses|semanas) (?:de|no) (?:plano|contrato)|"
        r"\bfaltam?\b.{0,30}\b(?:dias?|mes(?:es)?|semanas?)\b|ha quanto tempo"
        r"|\bmais\b.{0,20}\b(?:dias?|mes(?:es)?|semanas?) no plano"
    ),
    IDADE: re.compile(r"\bidade|restricao_idade|\banos\b|etari"),
    REDE: re.compile(
        r"\brede\b|credenciad|conveniad|prestador|\blocal\b|\blugar\b|\bclinica\b|\bhospital\b|"
        r"\blaboratorio\b|atend\w+ pel[oa] (?:seu )?plano|profissional"
    ),
    QUANTIDADE: re.compile(r"limite|quantidade|ate |reduz|sess(?:ao|oes)|unidades?|em parte|parcial|maximo|metade|\bdas?\b.*\bpedid"),
    DOCUMENTOS: re.compile(r"document|laudo|relatorio|exame|pedido medico|papel|anex"),
    REGRA_NAO_ENCONTRADA: re.compile(r"regra|analis|norma"),
    PEDIDO_INVALIDO: re.compile(r"falt|inform|corri|incomplet|incorret|enviar de novo|sem o|sem a|preench|obrigator|complet"),
}
# What would be untrue were the motivo not the decision's.
CLAIMED: Final[dict[str, re.Pattern[str]]] = {
    CARENCIA: re.compile(
        r"\b(?:carencia|tempo de espera|periodo de espera|tempo de plano|(?:dias|meses) de espera)\b|carencia_nao_cumprida"
    ),
    IDADE: re.compile(
        r"\b(?:por causa d|por conta d|devido a|em razao d|restricao (?:de |por )|fora da|limite de|nao atende a|"
        r"pel)\w*\s*(?:a |sua |faixa |de )*(?:idade|faixa etaria|faixa autorizada)"
        r"|\bidade (?:minima|maxima|nao permitida|insuficiente|inferior|superior|fora)|restricao_idade"
    ),
    REDE: re.compile(
        r"\bnao (?:e |sao |faz parte |fazem parte |pertence |esta |estao )+(?:d|n)?[ao]?[^.;,]{0,15}\brede\b|"
        r"\bfora da rede\b|nao[ _-]credenciad|\bnao (?:e |esta )(?:conveniad|credenciad)|rede_nao_credenciada"
    ),
    SEM_COBERTURA: re.compile(
        r"\bnao (?:o |a |os |as |lhe )?(?:cobre|cobrem|cobrimos)\b|\bnao (?:e |sao |sera |serao |foi |esta |estao |tem |ha |possui |"
        r"possuem )(?:\w+ )?cobert|\bsem (?:\w+ )?cobertura|\bfora d[ae] cobertura|"
        r"\bnao (?:e |esta )?previst\w+ n[oa] (?:plano|cobertura|contrato)|\bexcluid[oa]s? d|procedimento_sem_cobertura"
    ),
    QUANTIDADE: re.compile(r"\bacima do limite|\b(?:ultrapass|exced|pass)\w* (?:d?o|do) limite|acima_do_limite_quantitativo"),
    DOCUMENTOS: re.compile(
        r"\bfalta(?:m|ndo)?\s+(?:\w+ ){0,3}document|\bfalta de document|\bdocumentac(?:ao|oes) (?:incompleta|pendente)|"
        r"documentacao_pendente"
    ),
    REGRA_NAO_ENCONTRADA: re.compile(
        r"\bnao (?:encontramos|localizamos|ha|existe)(?: nenhum)?a? (?:\w+ )?regra|"
        r"\bnenhuma regra (?:publicada )?(?:trata|preve|se aplica)|regra_nao_encontrada"
    ),
}
UNDENIED: Final = re.compile(
    r"\b(?:sem|nao ha|nao existe|nao falta|nao faltam|nenhum\w*|(?<!nao )cumprid[ao]|isent\w+|nao (?:tem|precisa)|"
    r"dispensa\w*|livre de|respeita\w*|dentro d\w)\b"
)
_IN_GENERAL: Final = re.compile(
    r"\bdocumentos? (?:pendentes?|que (?:falta\w*|ainda)|solicitad\w+|exigid\w+|indicad\w+|abaixo|acima|pedid\w+|"
    r"necessari\w+|obrigatori\w+|listad\w+)|\bdocumentacao (?:pendente|exigida|solicitada|indicada|que falta)"
    r"|\b(?:os|as) (?:dois|duas|tres|quatro) documentos"
)


def untold_documentos(pagina: Pagina, fatos: Fatos, mencoes: tuple[Mencao, ...]) -> tuple[str, ...]:
    """The documents owed that a text passes over; none where it speaks of all of them together."""
    if _IN_GENERAL.search(pagina.folded):
        return ()
    told = frozenset(stems(pagina.folded)) - _COMMON - frozenset(stems(fold_letters(fatos.insumos.descricao or "")))
    explained = {tipo for tipo in fatos.pendentes if _is_explained(tipo, told)}
    named = explained | {tipo for mencao in mencoes for tipo in mencao.tipos}
    return tuple(tipo for tipo in fatos.pendentes if tipo not in named and not told & frozenset(stems(fold_letters(nome_documento(tipo)))))


def _is_explained(tipo: str, told: frozenset[str]) -> bool:
    """Whether a text says what the document is, in most of the words of its explanation."""
    known = documentos_conhecidos().get(tipo)
    words = frozenset(stems(fold_letters(known.explicacao))) - _COMMON - _SMALL if known else frozenset()
    return len(words & told) >= max(_ENOUGH, len(words) / 2)


_ENOUGH: Final = 2  # words of an explanation, and half of them, by which it is known again
_SMALL: Final = frozenset(stems("que por para voce seu sua com dos das uma como pode quantas ainda sao ser dizendo feito foi"))
_COMMON: Final = frozenset(
    stems(
        "pedido medico medica laudo relatorio exame exames documento documentos resultado lista plano saude termo "
        "registro avaliacao paciente cirurgia cirurgico"
    )
)


def tells(motivo: str, folded: str, fatos: Fatos) -> bool:
    """Whether a folded text without its source's name tells a motivo so that its reader would know; an unknown motivo is always told."""
    pattern = TOLD.get(motivo)
    if pattern is None or pattern.search(folded):
        return True
    if motivo == IDADE:
        return fatos.final != "NEGADO" and bool(_WAY_OUT.search(folded))
    return motivo == SEM_COBERTURA and fatos.alternativa is not None and bool(_OTHER.search(folded))


_WAY_OUT: Final = re.compile(r"encaminh|analise|caminho especial")
_OTHER: Final = re.compile(r"parecid|alternativ|substitu|similar|\btro[cq]|equivalent|\boutro (?:exame|procedimento|tratamento)")
