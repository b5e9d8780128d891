"""The planner's words, read from the JSON files beside it and compiled once.

A pattern is a regular expression over folded text with three signs of its own: a space is any run of white space, `*` after a letter or a
class is the rest of the word, and a lone `~` is up to four words of anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Final

import msgspec

from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.lexico import PALAVRAS, read_lexico

_REST_OF_WORD: Final = re.compile(r"(?<=[\w\]])\*")
_WORD: Final = re.compile(r"[a-z]{4,}")


class Especialidade(msgspec.Struct, frozen=True):
    """What people say for a specialty, and for the branches that a clinic may file a doctor under.

    `profissional` is who practises it; `en` and `es` its name in the other languages; `outros_nomes` what a registry may call it.
    """

    termos: tuple[str, ...] = ()
    ramos: dict[str, tuple[str, ...]] = {}
    profissional: str = ""
    en: str = ""
    es: str = ""
    outros_nomes: tuple[str, ...] = ()


class Grafia(msgspec.Struct, frozen=True):
    """Short forms, weekdays cut short, words that are right though they resemble others, and words whose misspellings are mended."""

    abreviaturas: dict[str, str]
    dias_curtos: dict[str, str]
    guardadas: frozenset[str]
    corrigiveis: tuple[str, ...]


def expression(pattern: str) -> str:
    """The regular expression that a pattern of the lexicon stands for."""
    spaced = _REST_OF_WORD.sub(r"\\w*", pattern).replace(" ~ ", r"\s+(?:[\w'-]+\s+){0,4}")
    return re.sub(r" (?!\?)", r"\\s+", spaced)


def compiled(patterns: Iterable[str]) -> re.Pattern[str]:
    """One expression that finds any of the patterns as whole words, the longer alternatives first."""
    ordered = sorted(patterns, key=len, reverse=True)
    return re.compile(rf"(?<![\w])(?:{'|'.join(expression(pattern) for pattern in ordered)})(?![\w])")


def _table(name: str) -> dict[str, tuple[str, ...]]:
    return read_lexico("crivo.clinicas.orquestrador.entende", f"lexico/{name}", dict[str, tuple[str, ...]])


class Referencias(msgspec.Struct, frozen=True):
    """Words that point at something: an ordinal, an extreme, the same doctor, that one."""

    este: tuple[str, ...]
    mesmo_medico: tuple[str, ...]
    mesma_clinica: tuple[str, ...]
    outra_clinica: tuple[str, ...]
    outro_medico: tuple[str, ...]
    outra_medica: tuple[str, ...]
    outro_horario: tuple[str, ...]
    o_outro: tuple[str, ...]
    destes: tuple[str, ...]
    o_de_baixo: tuple[str, ...]
    o_de_cima: tuple[str, ...]
    mesmo_dia: tuple[str, ...]
    mesma_hora: tuple[str, ...]
    motivo: tuple[str, ...]
    exceto: tuple[str, ...]
    nao_serve: tuple[str, ...]
    nenhum_destes: tuple[str, ...]
    mulher: tuple[str, ...]
    homem: tuple[str, ...]
    depois_desse_dia: tuple[str, ...]
    antes_desse_dia: tuple[str, ...]
    depois_dessa_hora: tuple[str, ...]
    antes_dessa_hora: tuple[str, ...]
    ocupado: tuple[str, ...]
    sai: tuple[str, ...]
    entra: tuple[str, ...]
    sem_hora: tuple[str, ...]
    nao_mais_cedo_que: tuple[str, ...]
    nao_mais_tarde_que: tuple[str, ...]
    dias_uteis: tuple[str, ...]
    semana_de: tuple[str, ...]
    semana_do_mes: dict[str, tuple[str, ...]]
    chegada: tuple[str, ...]
    partida: tuple[str, ...]
    depois: dict[str, tuple[str, ...]]
    desloca: dict[str, tuple[str, ...]]
    outra_semana_depois: tuple[str, ...]
    semana_antes: tuple[str, ...]
    dia_que_vem: tuple[str, ...]
    qualquer_hora: tuple[str, ...]
    qualquer_dia: tuple[str, ...]
    qualquer_medico: tuple[str, ...]
    qualquer_clinica: tuple[str, ...]
    mais_cedo: tuple[str, ...]
    mais_tarde: tuple[str, ...]
    ultimo: tuple[str, ...]
    penultimo: tuple[str, ...]
    ordinais: dict[str, tuple[str, ...]]


ESPECIALIDADES: Final = read_lexico("crivo.clinicas.orquestrador.entende", "lexico/especialidades", dict[str, Especialidade])
GRAFIA: Final = read_lexico("crivo.clinicas.orquestrador.entende", "lexico/grafia", Grafia)
REFERENCIAS: Final = read_lexico("crivo.clinicas.orquestrador.entende", "lexico/referencias", Referencias)
_INTENCOES: Final = _table("intencoes")
_RECUSAS: Final = _table("recusas")
_ATALHOS: Final = _table("pessoas")
_SINTOMAS: Final = _table("sintomas")
_ACORDO: Final = _table("acordo")


@cache
def intention(name: str) -> re.Pattern[str]:
    """The expression of an intention, by its name in `intencoes.json`."""
    return compiled(_INTENCOES[name])


@cache
def symptom(name: str) -> re.Pattern[str]:
    """The expression of a group of `sintomas.json`: words of complaints, and words of wishes that part them from what is asked."""
    return compiled(_SINTOMAS[name])


@cache
def refusal(name: str) -> re.Pattern[str]:
    """The expression of a group of `recusas.json`, in which `<other>` names other groups' words."""
    return compiled(_expanded(pattern) for pattern in _RECUSAS[name])


@cache
def accord(name: str) -> re.Pattern[str]:
    """The expression of a group of `acordo.json`: how a person agrees, declines, takes back, or only asks."""
    return compiled(_expanded(pattern) for pattern in _ACORDO[name])


@cache
def people(name: str) -> re.Pattern[str]:
    """The expression of a group of `pessoas.json`."""
    return compiled(_ATALHOS[name])


@cache
def people_words(name: str) -> frozenset[str]:
    """The words of a group of `pessoas.json`."""
    found = frozenset(_ATALHOS[name])
    return found | professionals() if name == "titulos" else found


@cache
def reference(name: str) -> re.Pattern[str]:
    """The expression of a reference, by its field of `Referencias`."""
    return compiled(getattr(REFERENCIAS, name))


@cache
def excepting() -> re.Pattern[str]:
    """What refuses whatever follows it within five words: `menos segunda`, `sem ser na sexta`; the span of a `not` before a name too."""
    words = "|".join(expression(pattern) for pattern in sorted(REFERENCIAS.exceto, key=len, reverse=True))
    return re.compile(rf"{_NOT}|\b(?:{words})(?!\w)")


_NOT: Final = (
    r"\bnao\b(?!\s+(?:tem|ha|teria|existe|haveria|seria|da para))"
    r"(?:\s+(?:quero|queria|pode|prefiro|marca|marque|gostaria|posso|consigo))?"
)


@cache
def later() -> tuple[tuple[int, re.Pattern[str]], ...]:
    """How many minutes after another appointment, each with the expression that tells it: `uma hora depois`."""
    return tuple((int(minutes), compiled(patterns)) for minutes, patterns in REFERENCIAS.depois.items())


@cache
def shifts() -> tuple[tuple[int, re.Pattern[str]], ...]:
    """How many days after what is held a change shall be, each with the expression that tells it: `adiar uma semana`."""
    return tuple((int(days), compiled(patterns)) for days, patterns in REFERENCIAS.desloca.items())


@cache
def weeks_of_a_month() -> tuple[tuple[int, re.Pattern[str]], ...]:
    """Each place of a week in its month with the expression that names it; -1 is the last."""
    return tuple((int(place), compiled(patterns)) for place, patterns in REFERENCIAS.semana_do_mes.items())


@cache
def ordinals() -> tuple[tuple[int, re.Pattern[str]], ...]:
    """Each place in a list with the expression that names it; -1 is the last, -2 the one before it."""
    counted = tuple((int(place), compiled(patterns)) for place, patterns in REFERENCIAS.ordinais.items())
    return (*counted, (-1, reference("ultimo")), (-2, reference("penultimo")))


def _expanded(pattern: str) -> str:
    return re.sub(r"<(\w+)>", lambda match: f"(?:{'|'.join({**_RECUSAS, **_ATALHOS, **_ACORDO}[match.group(1)])})", pattern)


@cache
def vocabulary() -> frozenset[str]:
    """Every plain word of the lexicons: what is right as it is written, and never taken for a misspelt name."""
    patterns = [pattern for table in (_INTENCOES, _RECUSAS, _ACORDO) for group in table.values() for pattern in group]
    patterns += [pattern for entry in ESPECIALIDADES.values() for pattern in entry.termos]
    patterns += [pattern for entry in ESPECIALIDADES.values() for branch in entry.ramos.values() for pattern in branch]
    words = {word for pattern in patterns for word in _WORD.findall(pattern)}
    words |= {word for table in (PALAVRAS.dias_da_semana, PALAVRAS.meses, PALAVRAS.relativos, PALAVRAS.unidades) for word in table}
    languages = read_lexico("crivo.clinicas.orquestrador.entende", "lexico/idiomas", dict[str, dict[str, list[str]]])
    words |= {word for kinds in languages.values() for listed in kinds.values() for word in listed}
    return frozenset(words | GRAFIA.guardadas | set(mendable()) | set(GRAFIA.abreviaturas.values()))


@cache
def professionals() -> frozenset[str]:
    """The folded words for those who practise a specialty, and for what they practise: nobody's names, and mended when misspelt."""
    said = [fold(text) for name, entry in ESPECIALIDADES.items() for text in (name, entry.profissional)]
    return frozenset(text for text in said if text.isalpha())


def professional_of(especialidade: str) -> str:
    """Who practises a specialty (`cardiologista`); empty where the lexicon does not say."""
    known = ESPECIALIDADES.get(especialidade)
    return known.profissional if known else ""


@cache
def mendable() -> tuple[str, ...]:
    """The words whose misspellings are put right."""
    return tuple(dict.fromkeys((*GRAFIA.corrigiveis, *sorted(professionals()))))
