"""What in a sentence of a regra's observações decides something, matter by matter, and by which fields the regra may state the same.

A sentence may speak of several matters, and one that the regra states leaves the others unread. The words are in `observacoes.json`; here
are the shapes that no list of words tells: amounts, comparisons, frequencies, codes of disease, conditions. All read folded text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from crivo.autorizacoes.politicas.lexico import Lexico, lexico
from crivo.kernel.linguagem.lexico import says, words

_MONEY: Final = r"r\$\s*\d|\b\d[\d.,]*\s*(?:mil\s+)?reais\b"
_HOW_MANY: Final = r"(?:\d+|uma?|dois|duas|tres|quatro|cinco|seis|sete|oito|nove|dez|doze|vinte|trinta)"
_THING: Final = r"(?:x|vez(?:es)?|sessao|sessoes|unidades?|consultas?|exames?|procedimentos?|ciclos?|pedidos?)"
_SIGNED: Final = r"[+-]?\d+(?:[.,]\d+)?"
_SPAN: Final = (
    r"(?:anos?|mes|meses|semanas?|dias?|semestres?|trimestres?|bimestres?|vida|beneficiari[oa]|paciente|pessoa|contrato|internacao)"
)
# A size is a description: `lesão maior que 2 cm`.
_SIZE: Final = r"(?!\s*(?:cm|mm|ml|mg|mcg|tesla|canais|graus)\b)"
_OVER: Final = r"(?:acima|abaixo|alem|superior(?:es)?|inferior(?:es)?|mais|menos|maior(?:es)?|menor(?:es)?|a partir|exced\w+|ultrapass\w+)"
_ANSWER: Final = r"(?:respostas?|responder|respondid[oa]s?|retorno|prazo|liberacao|autorizacao|analise|agendamento)"
_SHAPES: Final = tuple(
    [
        re.compile(shape)
        for shape in (
            _MONEY,
            rf"\b{_OVER}\s+(?:(?:de|do|da|dos|das|a|ao|que|os|as)\s+)*(?:r\$\s*)?\d[\d.,]*\b{_SIZE}",
            rf"(?:[<>≤≥]=?|\bimc\b)\s*\d|\b\d+\s*(?:\+|(?:anos\s+)?ou (?:mais|menos)\b)|\bentre {_SIGNED} e {_SIGNED}\b{_SIZE}",
            rf"\bgraus?\s+(?:de\s+|entre\s+|ate\s+)?{_SIGNED}\b",
            rf"\b{_HOW_MANY}\s*(?:{_THING}\s*)?(?:/|\bpor|\bao|\ba cada|\bcada|\bna|\bno)\s*{_SPAN}\b",
            r"\b(?:por|na|ao|a cada)\s+(?:ano|vida|mes|semestre|trimestre|semana)\b",
            r"\b(?:anual|mensal|semestral|trimestral|semanal)mente\b",
            rf"\b{_ANSWER}\b[^.;]{{0,40}}?\b\d+\s*(?:h|hs|hrs|horas?|dias?|minutos?|min)\b|\b\d+\s*h(?:oras)? uteis\b",
            r"\bcids?\b|\bcid-?10\b|\b[a-z]\d{2}\.\d\b",
            r"(?:^|[,;:(]\s*|\bou\s+)(?:se|caso)\s+\w",
            r"\b(?:vai|vao|segue|seguem|sobe|sobem|passa|passam|cabe|compete)\s+(?:para|pra|a|ao|aos|por|pela|pelo)\b",
            r"\b(?:encaminh|submet|remet|direcion)(?:ar|er|ir|e|a|ad[oa]s?|id[oa]s?|em)\b|\benviar\b|\benvie\b",
            r"\b(?:urgencias?|emergencias?)\s*(?::|,|-|–|—|\b(?:libera|autoriza|sem|dispensa|nao|independe|diret[oa]|imediat[oa])\b)",
        )
    ]
)
_AMOUNT: Final = re.compile(_MONEY)
_SEX_ALONE: Final = re.compile(
    r"(?:^|[,;:(/])\s*(?:para\s+|so\s+)?(?:o\s+|a\s+)?(?:fem(?:inin[oa]s?)?|masc(?:ulin[oa]s?)?|mulher|homem)\s*(?:$|[,;:)/.])"
)


_DISEASE: Final = re.compile(r"\bcids?\b|\bcid-?10\b|\b[a-z]\d{2}\.\d\b")


def has_unread_matter(sentence: str, stated: Collection[str], *, is_covered: bool) -> bool:
    """Whether a folded sentence speaks of a matter that the regra does not state, or that only a person can weigh.

    `stated` are the fields that the regra states, `field.value` where the value matters.
    Source: design, "Right, on what customers really send".
    """
    known = lexico()
    if is_covered and says(sentence, known.nao_cobre):
        return True
    # `Sem carência` of a regra that states one.
    if any(campo in stated and says(sentence, frases) for campo, frases in known.sem_restricao.items()):
        return True
    return any(
        not any(says(sentence, known.assunto_de[campo]) for campo in campos if campo in stated) for campos in _matters(sentence, known)
    )


def decides(sentence: str) -> bool:
    """Whether a folded sentence has a shape or a word that decides."""
    return says(sentence, lexico().decide_sem_numero) or any(shape.search(sentence) for shape in _SHAPES)


def leaves_open(sentence: str, stated: Collection[str]) -> bool:
    """Whether the sentence says no more than that something is not restricted, which the regra does not restrict: `Sem carência.`"""
    told = " ".join(words(sentence))
    return any(told in frases and campo not in stated for campo, frases in lexico().sem_restricao.items())


def _matters(sentence: str, known: Lexico) -> Iterator[tuple[str, ...]]:
    """For each matter of the sentence the fields that may state it, none where no field can."""
    if says(sentence, known.quem_decide) or says(sentence, known.outra_rede):
        yield ()
    if says(sentence, known.excetua):
        yield ("carencia_urgencia_dias",)
    if says(sentence, known.sexo) or _SEX_ALONE.search(sentence):
        yield ("sexo.F", "sexo.M")
    if _AMOUNT.search(sentence):
        yield ("valor_maximo",)
    if _DISEASE.search(sentence):
        yield ()
