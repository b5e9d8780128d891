"""R3: no diagnosis, severity, stopping of a medicine, doing without a doctor, nor advice out of scope. Source: blueprint 2.3.2, R3."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.confere.r1_tratamentos import DRUG, FORM, REMEDIOS
from crivo.clinicas.orquestrador.entende.clausulas import REMEMBERED, Page, Segment
from crivo.clinicas.orquestrador.fatos import Fatos
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.lexico import read_lexico


class Orientacao(msgspec.Struct, frozen=True):
    """Conditions, the endings of their names, and the turns of phrase that diagnose, grade, stop a medicine or advise."""

    condicoes: tuple[str, ...]
    condicoes_ambiguas: tuple[str, ...]
    terminacoes: tuple[str, ...]
    terminacoes_excecoes: tuple[str, ...]
    sujeitos: str
    ligacoes: str
    diagnostico: tuple[str, ...]
    gravidade: tuple[str, ...]
    parar_remedio: tuple[str, ...]
    sem_medico: tuple[str, ...]
    conselhos: tuple[str, ...]
    fora_agenda: str
    sintomas: tuple[str, ...]
    corpo: str


_LEXICO: Final = read_lexico(__package__, "lexico/orientacao", Orientacao)
_EXCEPTIONS: Final = frozenset(_LEXICO.terminacoes_excecoes)
_KNOWN: Final = "|".join(sorted((*_LEXICO.condicoes, *_LEXICO.condicoes_ambiguas), key=len, reverse=True))
CONDITION: Final = re.compile(rf"(?<!\w)(?:(?P<known>{_KNOWN})s?|(?P<ending>[a-z]{{3,}}(?:{'|'.join(_LEXICO.terminacoes)})))(?!\w)")
_OF_THE_BODY: Final = re.compile(
    r"^[\W]*(?:[a-z]+,\s+)?(?:entao|bom|olha|claro|na verdade|com certeza|fique tranquil[oa],|calma,)*\s*(?:a |o |as |os |the )?(?:sua|"
    r"seu|suas|seus|essa|esse|essas|esses|esta|este|your|that|this|su|sus|esa|ese)\s+(?:\w+\s+)?"
    rf"(?:{_LEXICO.corpo}|{'|'.join(_LEXICO.sintomas)}|{_KNOWN})(?!\w)(?=\s+(?:\w+\s+){{0,6}}\w)"
)
_PLAIN_CONDITION: Final = re.compile(rf"(?<!\w)(?:{'|'.join(sorted(_LEXICO.condicoes, key=len, reverse=True))})s?(?!\w)")
# What a reception speaks of: near these words a condition is what the appointment is about, not a finding.
_DESK: Final = re.compile(
    r"\b(?:especialist\w*|ortoped\w*|cardiolog\w*|dermatolog\w*|consult\w*|clinic\w*|agend\w*|marc\w*|atend\w*|busc\w*|registr\w*|"
    r"pacient\w*|horari\w*|vagas?|resultado|"
    r"medic[oa]s?|doctor\w*|dra?|appointments?|search\w*|patients?|records?|schedul\w*|citas?|specialist\w*|encontr\w*|procur\w*|"
    r"pesquis\w*|[a-z]{3,5}-[a-z]?\d+)\b"
)
_ROUTING: Final = re.compile(r"\b(?:para|contra|for|com|sobre|about|se|caso|if|quando|when|si)\s+(?:\w+\s+){0,2}$")
_TOPIC: Final = re.compile(r"\W*(?:de|of|for)\s+")  # `de pressão alta é isso aí`: the matter that the person named
_ADMINISTRATIVE: Final = re.compile(
    r"\b(?:cadastr\w*|anexad\w*|enviad\w*|entreg\w*|retir\w*|disponiv\w*|importa\w*|incomod\w*|avaliad\w*|examinad\w*|vist[oa]s?|"
    r"analisad\w*|mostrad\w*|levad\w*|trazid\w*|precisa ser|deve ser|pode ser (?:avaliad|vist|examinad|tratad)\w*|looked at|assessed|"
    r"examined|evaluad\w*|depende\w*)\b"
)
_EMPATHY: Final = re.compile(
    r"\b(?:entendo|sei que|imagino|lamento|sinto muito|sinto por|compreendo|sorry|understand|comprendo|entiendo|que pena|melhoras|voce "
    r"(?:disse|contou|mencionou|falou|relatou)|como voce|you (?:said|mentioned))\b"
)
_UNKNOWN: Final = re.compile(
    r"\b(?:nao (?:tenho|temos) (?:\w+ )?(?:informac|dado)\w*|"
    r"no tengo (?:\w+ )?(?:informacion|datos?)|(?:don't|do not) have (?:\w+ )?information)"
)
_SUBJECT: Final = re.compile(rf"(?<!\w){_LEXICO.sujeitos}(?!\w)")
_LINK: Final = re.compile(rf"(?<!\w){_LEXICO.ligacoes}(?!\w)")
_RECORD: Final = re.compile(
    r"\b(?:consta|constam|registr\w*|cadastr\w*|prontuario|ficha|historico|[a-z]{3,5}-[a-z]?\d{2,4}|pacientes?|on file|record\w*|chart|"
    r"patients?|expediente|figura)\b"
)
_SUFFERER: Final = re.compile(r"\b(?:voce|vc|seu|sua|you|your|usted|tu|su)\b")
_REMEDY: Final = rf"(?:{FORM}|{'|'.join(REMEDIOS.classes)}|{DRUG.pattern}|tratamento|medication|treatment|tratamiento|dose|a dose)"
_OF_THE_DESK: Final = rf"(?:{_LEXICO.fora_agenda}|\s*(?:[a-z]+\s+){{0,2}}(?:{_REMEDY}|{'|'.join(REMEDIOS.terapias)}))"
_ALTERNATIVES: Final = {
    "faz diagnóstico": _LEXICO.diagnostico,
    "avalia gravidade": _LEXICO.gravidade,
    "manda parar um remédio": _LEXICO.parar_remedio,
    "dispensa o médico": _LEXICO.sem_medico,
    "dá conselho fora do atendimento": _LEXICO.conselhos,
}
_SLOTS: Final = {
    "{condicao}": f"(?:{_KNOWN})",
    "{corpo}": _LEXICO.corpo,
    "{remedio}": _REMEDY,
    "{fora_agenda}": _OF_THE_DESK,
    "{sintoma}": f"(?:{'|'.join(_LEXICO.sintomas)})",
}


def _filled(pattern: str) -> str:
    for name, words in _SLOTS.items():
        pattern = pattern.replace(name, words)
    return rf"(?<!\w)(?:{pattern})"


_PATTERNS: Final = {reason: re.compile("|".join(_filled(part) for part in parts)) for reason, parts in _ALTERNATIVES.items()}
_CONDITIONAL: Final = re.compile(
    r"(?<!-)\b(?:se(?!\s+trat)|(?<!\bo )(?<!\bseu )(?<!\bum )(?<!\besse )(?<!\beste )caso|em caso de|quando|if|in case|should you|si|en "
    r"caso de)\s[^.!?;]{0,60}$"
)
_NEGATED: Final = re.compile(
    r"\b(?:nao|nunca|jamais|nem|evite|never|not|don'?t|sin|no|sem)\s+(?:(?:deve|pode|se|va|posso|precisa|do|should)\s+)*$"
)
_ABOUT: Final = re.compile(
    r"\b(?:sobre|quanto a|a respeito de|acerca de|antes de|about|before|regarding|sobre si|se (?:voce )?(?:deve|pode|"
    r"precisa))\s+(?:\w+\s+)?$"
)
_INFINITIVE: Final = re.compile(r"(?:parar|suspender|interromper|largar|abandonar|descontinuar|deixar|cortar|pular|dejar|tomar|usar)\b")
_WHETHER: Final = re.compile(r"\b(?:se|whether|if|si|o que|que tipo|qual)\s+(?:[a-z]+\s+){0,5}$")

_TELLING: Final = (CONDITION, _OF_THE_BODY, _PLAIN_CONDITION, *_PATTERNS.values())


def breaches(page: Page, fatos: Fatos) -> Iterator[str]:
    """What of R3 a text breaks, each as a short pt-BR reason without the words themselves."""
    for segment in page.segments:
        if _speaks_of_health(segment.text):
            yield from _segment(segment, fatos)


@lru_cache(maxsize=REMEMBERED)
def _speaks_of_health(text: str) -> bool:
    """Whether there is anything in a stretch of text that this rule may be broken by."""
    return any(pattern.search(text) for pattern in _TELLING)


def _segment(segment: Segment, fatos: Fatos) -> Iterator[str]:
    text = segment.text
    if _diagnoses(segment, fatos):
        yield "faz diagnóstico"
    for reason, pattern in _PATTERNS.items():
        for match in pattern.finditer(text):
            if not _spared(segment, match, reason):
                yield reason
                break


def _spared(segment: Segment, match: re.Match[str], reason: str) -> bool:
    position = match.start()
    before = segment.text[:position]
    if segment.deferred and (_ABOUT.search(before) or _INFINITIVE.match(match.group())):
        return True
    if segment.refused is not None and segment.refused <= position:
        return True
    if reason in {"avalia gravidade", "faz diagnóstico"} and _EMPATHY.search(before):
        return True
    if reason in {"avalia gravidade", "faz diagnóstico"} and (segment.question or _CONDITIONAL.search(before)):
        return True
    if reason in {"dá conselho fora do atendimento", "manda parar um remédio"}:
        return bool(_NEGATED.search(before))
    return reason == "avalia gravidade" and segment.deferred and bool(_WHETHER.search(before))


def _diagnoses(segment: Segment, fatos: Fatos) -> bool:
    """Whether the segment says of the person, or of what the person feels, that it is some condition."""
    if segment.question or segment.refused is not None:
        return _diagnoses_before_refusing(segment, fatos)
    return _names_a_condition(segment.text, segment, fatos) or _tells_a_condition(segment, fatos)


def _tells_a_condition(segment: Segment, fatos: Fatos) -> bool:
    """Whether the segment speaks of a condition at all, though nothing in it is a reception's matter."""
    text = segment.text
    if _UNKNOWN.search(text):
        return False
    if segment.deferred or _DESK.search(text) or _EMPATHY.search(text):
        return False
    if _OF_THE_BODY.search(text) and not _ADMINISTRATIVE.search(text):
        return True
    found = _PLAIN_CONDITION.search(text)
    if found is None or _grounded(found.group(), fatos) or _ROUTING.search(text[: found.start()]):
        return False
    return not (_TOPIC.fullmatch(text[: found.start()]) and any(found.group() in fold(said) for said in fatos.known.said))


def _diagnoses_before_refusing(segment: Segment, fatos: Fatos) -> bool:
    if segment.refused is None or segment.refused < 12:
        return False
    return _names_a_condition(segment.text[: segment.refused], segment, fatos)


def _names_a_condition(text: str, segment: Segment, fatos: Fatos) -> bool:
    for match in CONDITION.finditer(text):
        if match["ending"] and (match["ending"] in _EXCEPTIONS or len(match["ending"]) < 6):
            continue
        before = text[: match.start()]
        if _RECORD.search(text) and _grounded(match.group(), fatos) and not _told_as_new(text):
            continue
        links = list(_LINK.finditer(before))
        if not links or len(before) - links[-1].end() > 45 or _CONDITIONAL.search(before[: links[-1].end()]):
            continue
        if _is_of_a_doctor(match, before[links[-1].end() :], before, fatos):
            continue
        if _SUBJECT.search(before[: links[-1].end()]) or links[-1].start() < 6:
            return not (segment.deferred and _WHETHER.search(before[: links[-1].start() + 1]))
    return False


_DOCTOR: Final = re.compile(r"\b(?:dra?|doutora?|doctora?|doctor)\b")


def _is_of_a_doctor(match: re.Match[str], since: str, before: str, fatos: Fatos) -> bool:
    """Whether what reads like an illness is the specialty of the doctor named just before it, and nobody's ailment."""
    return match.group() in fatos.areas and _DOCTOR.search(since) is not None and not _SUFFERER.search(before)


def _told_as_new(text: str) -> bool:
    return bool(re.search(r"\b(?:parece|provavelmente|deve ser|pode ser|sintomas|looks like|probably)\b", text))


def _grounded(condition: str, fatos: Fatos) -> bool:
    return any(condition[:7] in fold(text) for key, text in fatos.strings if key in {"condition", "conditions"})
