"""Promises, permissions and favours that no decision gives. Fault `resultado`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from crivo.autorizacoes.redacao.fatos import Fatos, stem
from crivo.autorizacoes.redacao.modos import BEYOND, HYPOTHETICAL, NEGATED
from crivo.autorizacoes.redacao.pagina import Achado, Pagina

_AT_ONCE: Final = re.compile(
    r"\bja pod(?:e|em) ser (?:feit|realizad|marcad|agendad|usad)\w*|"
    r"\bpod(?:e|em) ser (?:feit|realizad|marcad|agendad|usad)\w* (?:ja|agora|hoje|imediatamente|desde ja)\b"
)
_WAIVED: Final = re.compile(
    r"\b(?:espera|carencia|limite|exigencia|restricao|regra|faixa etaria)\b[^.;:,]{0,30}\bnao (?:vale|se aplica|conta|sera exigid)\w*"
    r"|(?<!nao )\b(?:dispensa\w*|abre mao d\w) (?:d?[aoe] )?(?:idade|espera|carencia|limite|exigencia|restricao|rede|document\w+|laudo)"
)
_PROMISES: Final = re.compile(
    r"\b(?:garantimos|garanto|garantid[oa]s?|garantiremos|asseguramos|prometemos|promessa|com (?:toda )?certeza|"
    r"certamente|sem duvida\w*|pode (?:ter certeza|contar com|ficar tranquil\w+)|"
    r"reembols\w+|ressarc\w+|indeniz\w+|gratuit\w+|de graca|isent[oa]s?|isencao|brinde|desconto\w*|"
    r"renovad[oa] automaticamente|renovacao automatica|prorrog\w+|retroativ\w+|"
    r"aprovacao (?:e |esta |sera |ja e )?(?:automatica|garantida|imediata|certa)|(?:aprovad|liberad|autorizad)[oa]s? (?:automaticamente|"
    r"na hora|imediatamente|sem analise)|vitalici\w+|abriremos uma excecao|abrimos uma excecao|excepcionalmente)\b"
)
_FREE: Final = re.compile(
    r"\bsem (?:nenhum |qualquer |pagar )?(?:custo|cobranca|pagar|gasto)\b|(?<!plano )\bnao (?:paga|pagara|vai pagar|tera custo|"
    r"ha custo|precisa pagar)\b|\bcusto zero\b|\bsem coparticipacao\b|\bnao ha coparticipacao\b"
)
# What would be done outside the decision, whatever it is.
_FAVOURS: Final = re.compile(
    r"\b(?:(?:faremos|fizemos|fazemos|faco|vamos fazer|abrimos|abriremos|vamos abrir|conseguimos) (?:uma |alguma )?excec(?:ao|oes)|"
    r"(?:dar|daremos|damos) um jeito|encaix(?:e|ar|amos|aremos|ad[oa]s?)\b|reservad[oa]s?|renov(?:amos|aremos|ad[oa]s?)|"
    r"estorn\w+|(?:receb\w+|tera|tem|ter) (?:\w+ )?de volta|(?:valor|dinheiro|quantia) de volta|bonus|cortesia|"
    r"devol\w+ (?:\w+ )?(?:valor|dinheiro|quantia|pagamento)|"
    r"(?:valor|dinheiro|quantia|pagamento)\b[^.;,]{0,20}\bdevolvid[oa]|"
    r"(?:vamos|iremos|podemos|vai dar para) (?:\w+ )?(?:adiantar|antecipar|encurtar|flexibilizar|relevar|desconsiderar)|"
    r"adiant(?:amos|aremos)|antecip(?:amos|aremos)|(?:passara|vai passar) a cobrir|(?:sem|dispensa) nova analise|passa direto)\b"
)
# What costs or carries more than was decided.
_EXTRAS: Final = re.compile(
    r"\b(?:mediante pagamento|pagando (?:a |uma )?(?:diferenca|taxa|parte|por fora)|pag(?:ue|ar) (?:a|uma) (?:diferenca|taxa)|multas?|"
    r"juros|"
    r"com direito a|em domicilio|(?:agendamos|marcamos|reservamos) (?:o|a|seu|sua|para)|"
    r"cancelamento do (?:seu )?plano|suspensao do (?:seu )?plano)\b"
)
_NO_NEW_PEDIDO: Final = re.compile(
    r"\b(?:nao (?:e|sera|seria|precisa\w*|preciso|necessario)|sem)\b(?: \w+){0,3}"
    r" (?:nov[oa]|outr[oa]) (?:pedido|autorizacao|solicitacao|guia)\b"
)
# Done already, by us: but the change is for whoever asked to make.
_DONE: Final = re.compile(
    r"\b(?:(?:ja )?(?:trocamos|corrigimos|alteramos|ajustamos|anexamos|reduzimos|refizemos|substituimos)|"
    r"(?:antecipa|adianta)(?:r|do|da|dos|das|ra|mos)?)\b"
)
# An approval told as a thing of the future that nothing can stop.
_WILL: Final = re.compile(
    r"\b(?:aprovaremos|autorizaremos|liberaremos|concederemos|deferiremos|cobriremos|cobrira|"
    r"(?:vamos|iremos|vai|vao|ira|irao) (?:\w+ )?(?:aprovar|autorizar|liberar|conceder|deferir|cobrir)|"
    r"analisar e (?:aprovar|autorizar|liberar)|(?:costuma\w*|tende\w*) (?:a )?(?:ser )?(?:aprov|autoriz|liber)\w+|"
    r"segue para (?:a )?(?:aprovacao|liberacao|autorizacao)|"
    r"voce (?:fara|realizara|podera fazer|vai (?:fazer|realizar)) (?:o|a|os|as|seu|sua|suas|seus) (?!pedid|nov|solicit|corre|troca))"
)
_HAPPENS: Final = re.compile(
    r"\b(?P<subject>[a-z]+)\s+(?:(?:ja|logo|com certeza|tambem|entao|sim|so|\w+mente) )?"
    r"(?:saira|sai|sairao|vai sair|vao sair|acontecera|vai acontecer|vai dar certo|dara certo|comecara|comeca|vai comecar|"
    r"(?:sera|serao|vai ser|vao ser) (?:realizad|feit|marcad|agendad|iniciad|cobert)[oa]s?|"
    r"(?:esta|estao|ficou|ficaram|fica|ficam) (?:ok|confirmad[oa]s?|resolvid[oa]s?|marcad[oa]s?|agendad[oa]s?|garantid[oa]s?))\b"
)
_SUBJECTS: Final = frozenset(
    stem(word)
    for word in [
        "exame",
        "exames",
        "cirurgia",
        "procedimento",
        "tratamento",
        "sessao",
        "sessoes",
        "consulta",
        "consultas",
        "autorizacao",
        "liberacao",
        "aprovacao",
        "parto",
        "terapia",
        "operacao",
        "ela",
        "ele",
    ]
)
# What a document would say is not what the text says.
_REPORTED: Final = re.compile(
    r"\b(?:diz|dizendo|diga|declar\w+|inform\w+|confirm\w+|atest\w+|"
    r"mostr\w+|prov\w+|explic\w+) (?:que|se|por que)\b[^.;,]{0,40}$"
)
_BEYOND_AFTER: Final = re.compile(r"\s+(?:[oa]s? )?(?:outr[oa]s?|demais|restante\w*|resto|proxim[oa]s?)\b")
_BEGIN: Final = re.compile(
    r"\bpod(?:e|em) (?:ja |entao |se )?(?:iniciar|operar|internar|comecar|dar inicio|comparecer|ir ao|ir ate|"
    r"(?:marcar|agendar|fazer|realizar|usar) (?:o|a|os|as|seu|sua|suas|seus) (?!\w*pedid|nov|solicit|analis|revis|troca|corre|inform))"
)


def check_promessas(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    """What is promised or allowed beyond the decision; `folded` is without names of sources."""
    yield from _promised(pagina, folded, fatos)
    yield from _free(pagina, folded, fatos)
    if fatos.aprovado:
        for match in _WILL.finditer(folded):
            if _BEYOND_AFTER.match(folded, match.end()) and not _is_open(pagina, folded, match):
                yield _fault(pagina, match, "não foi isto o que se decidiu")
        yield from (_fault(pagina, match, "promete o que não foi decidido") for match in _NO_NEW_PEDIDO.finditer(folded))
        return
    for pattern in (_AT_ONCE, _WAIVED):
        yield from (_fault(pagina, match, "o pedido não foi aprovado") for match in pattern.finditer(folded))
    for pattern in (_WILL, _HAPPENS, _BEGIN, _DONE):
        yield from (
            _fault(pagina, match, "a aprovação não foi decidida, e não pode ser prometida")
            for match in pattern.finditer(folded)
            if _speaks_of_the_procedure(match, fatos) and not _is_open(pagina, folded, match)
        )


def _promised(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    for pattern in (_PROMISES, _FAVOURS, _EXTRAS):
        for match in pattern.finditer(folded):
            start, _ = pagina.sentence_at(match.start())
            told_of_approved = fatos.aprovado and match.group().startswith("garantid") and not BEYOND.search(folded[start:])
            if not told_of_approved and not NEGATED.search(folded[start : match.start()]):
                yield _fault(pagina, match, "promete o que não foi decidido")


def _free(pagina: Pagina, folded: str, fatos: Fatos) -> Iterator[Achado]:
    share = fatos.detalhe.coparticipacao_percentual
    for match in _FREE.finditer(folded):
        harmless = share == 0 or (share is None and "coparticipacao" in match.group())
        if not harmless:
            yield _fault(pagina, match, "não foi decidido que não há custo")


def _speaks_of_the_procedure(match: re.Match[str], fatos: Fatos) -> bool:
    """Whether what would happen is the procedure, and not its analysis; true where no subject is named."""
    subject = match.groupdict().get("subject")
    return subject is None or stem(subject) in _SUBJECTS or stem(subject) in fatos.palavras


def _is_open(pagina: Pagina, folded: str, match: re.Match[str]) -> bool:
    """Whether the sentence denies it, or says only that it may be."""
    start, _ = pagina.sentence_at(match.start())
    before = folded[start : match.start()]
    return bool(NEGATED.search(before) or HYPOTHETICAL.search(before) or _REPORTED.search(before))


def _fault(pagina: Pagina, match: re.Match[str], porque: str) -> Achado:
    return Achado("resultado", pagina.quote(match.span()), porque)
