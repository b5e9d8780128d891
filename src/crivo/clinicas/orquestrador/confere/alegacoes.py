"""What a model's text claims beside what the clinics answered: matters that need a fact, and sentences of no kind that a reply is made of.

The world of a reception's reply is small. What may not be spoken of is one catalogue (`lexico/alegacoes.json`), by the names that the
responder's prompt uses; a sentence of no such matter is weighed by what was learned of sentences that receptions write and of others. A
sentence may repeat what a clinic said, and may say that something is not known. Held against texts of a model alone: code's own texts
speak of prices and addresses where the registry has them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.confere.mencoes import Kind, Mention
from crivo.clinicas.orquestrador.entende.clausulas import Page
from crivo.clinicas.orquestrador.fatos import Fatos
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.kernel.linguagem.pesos import Grupos, Pesos, char_ngrams

SPEAKS_OF: Final = "fala, sem dado que sustente, de "
STRANGE: Final = "diz algo que os dados não trazem e que não é de nenhum tipo de frase da recepção"
_TOKENS: Final[dict[Kind, str]] = {"clinic": "CLINICA", "doctor": "DOUTOR", "date": "DIA", "time": "HORA"}
_SPECIALTY: Final = "AREA"
_PIECE: Final = re.compile(r"[A-Z]+\b|[a-z]+|[?!:\"]|\d+")
_WORD: Final = re.compile(r"[a-z]{3,}")
_LONG: Final = re.compile(r"(?<![a-z])[a-z]{4,}")
_MANY: Final = 3  # new words from which more of them tell nothing more
_NOTED: Final = 0.75  # of the words of a sentence, how many stand in what a clinic said for the sentence to be the clinic's own


class Assunto(msgspec.Struct, frozen=True):
    """A matter that needs a fact: its name, what may be said in its place, and the forms in which it is spoken of, folded."""

    nome: str
    pode: str
    formas: tuple[str, ...]


class _Lexico(msgspec.Struct, frozen=True):
    assuntos: tuple[Assunto, ...]
    ressalvas: tuple[str, ...]
    fronteiras: str
    socorro: str
    sujeitos: str
    adverbios: str
    predicados: tuple[str, ...]
    razoes: str
    de_quem_pede: str


class Aprendido(Pesos, frozen=True):
    """What each feature of a sentence weighs, and `limiar`, the weight from which it is none that a reception writes.

    `conhecidas` are the stems of the words of honest replies.
    """

    limiar: float = 0.0
    conhecidas: frozenset[str] = frozenset()


class Frase(msgspec.Struct, frozen=True):
    """A stretch of a text that says one thing: where it stands in the folded page, and its words, names and moments told by their kind.

    `ditas` are the stems of what the person said, whose words may be said back.
    """

    start: int
    end: int
    texto: str
    tipos: frozenset[Kind]
    ditas: frozenset[str] = frozenset()


class Alegacao(msgspec.Struct, frozen=True):
    """What is claimed without a fact, and where; `assunto` is None for a sentence of no kind that a reply is made of."""

    assunto: Assunto | None
    start: int
    end: int

    @property
    def motivo(self) -> str:
        """Why it may not be said, for a note."""
        return f"{SPEAKS_OF}{self.assunto.nome}" if self.assunto is not None else STRANGE


_LEXICO: Final = read_lexico(__package__, "lexico/alegacoes", _Lexico)
ASSUNTOS: Final = _LEXICO.assuntos
"""What a reply may speak of only where a clinic's answer does."""
_FORMS: Final = tuple((one, re.compile("|".join(rf"(?<!\w)(?:{forma})" for forma in one.formas))) for one in ASSUNTOS)
_UNKNOWN: Final = re.compile("|".join(rf"(?<!\w)(?:{ressalva})" for ressalva in _LEXICO.ressalvas))
_BOUNDARY: Final = re.compile(_LEXICO.fronteiras)
_RESCUE: Final = re.compile(_LEXICO.socorro)
_OF_OTHERS: Final = "quem atende, além do nome e da especialidade"
_WHY: Final = "motivo que não está nos dados"
_PREDICATE: Final = re.compile(
    rf"(?<!\w)(?:{_LEXICO.sujeitos})\s+(?:{_SPECIALTY}\s+)?(?:(?:{_LEXICO.adverbios})\s+)*(?!(?:{_LEXICO.adverbios})\b)(?P<verbo>[a-z']+)\b"
)
_SAID_OF_OTHERS: Final = frozenset(_LEXICO.predicados)
_REASON: Final = re.compile(rf"(?<!\w)(?:{_LEXICO.razoes})(?P<porque>[^.!?\n]*)")
_OF_WHOEVER_ASKS: Final = re.compile(rf"(?<!\w)(?:{_LEXICO.de_quem_pede})")
_ONLY: Final = re.compile(
    r"\W*(?:(?:ess[ae]|est[ae]|isso|esto|that|this|it)\s+)?(?:foi|e|fue|es|was|is)\s+(?:[oa]|the|el|la)\s+(?:unic[oa]|only)\s+"
    r"(?:alteracao|mudanca|marcacao|consulta|coisa|acao|change|booking|cancellation|appointment|thing|cambio|cita|cosa|accion)"
    r"(?:\s+(?:que\s+(?:eu\s+)?)?(?:feit[oa]|fiz|mexi|hech[oa]|hice|made|done|i made|i did))?"
    r"(?:\s+(?:agora|ate agora|por enquanto|hoje|now|so far|just now|today|ahora|hasta ahora|por ahora|hoy))?\W*"
)
_SYMPATHY: Final = re.compile(
    r"\W*(?:entendo|compreendo|imagino|sei (?:como|que)|sinto (?:muito|por)|lamento|que (?:pena|chato)|poxa|puxa|i understand|i'm sorry|"
    r"i am sorry|sorry|i can imagine|i know|entiendo|comprendo|lo siento|siento|que pena)\b"
)
_STEM: Final = 6  # letters by which a word is known whatever its ending
_FORETOLD: Final = "promessa ou palpite sobre o que vai acontecer"  # "vai atender você às 14:00" only tells of the appointment


def find_alegacoes(page: Page, fatos: Fatos, mentions: Sequence[Mention]) -> tuple[Alegacao, ...]:
    """What a text claims without a fact, in its order; one for each matter of a sentence."""
    return tuple(alegacao for frase in phrases(page, fatos, mentions) for alegacao in _claims(frase))


def _claims(frase: Frase) -> Iterator[Alegacao]:
    if _UNKNOWN.search(frase.texto) or _RESCUE.search(frase.texto):
        return
    found = matters(frase)
    yield from (Alegacao(one, frase.start, frase.end) for one in found)
    if not found and not _feels_with(frase) and weights().soma(features(frase, weights().conhecidas)) >= weights().limiar:
        yield Alegacao(None, frase.start, frase.end)


def _feels_with(frase: Frase) -> bool:
    """Whether a sentence only feels for the person in their own words: it names nothing, and one of its words at most is new."""
    told = _SYMPATHY.match(frase.texto)
    if told is None or frase.tipos:
        return False
    own = stems(frase.texto[told.end() :])
    return bool(own & frase.ditas) and len(own - frase.ditas - weights().conhecidas) <= 1


def matters(frase: Frase) -> tuple[Assunto, ...]:
    """The matters that need a fact and that a sentence speaks of."""
    own = {_OF_OTHERS: _says_more_of_others, _WHY: _gives_a_reason}
    return tuple(
        one
        for one, form in _FORMS
        if (form.search(frase.texto) and not (one.nome == _FORETOLD and "time" in frase.tipos))
        or (one.nome in own and own[one.nome](frase.texto))
    )


def _says_more_of_others(texto: str) -> bool:
    """Whether a doctor, a clinic or whoever works there is told to do or be what no answer ever says of them."""
    return any(match["verbo"] not in _SAID_OF_OTHERS for match in _PREDICATE.finditer(texto))


def _gives_a_reason(texto: str) -> bool:
    """Whether a sentence says why something is so, and the reason is neither what the person said nor that a clinic is silent."""
    return any(not _OF_WHOEVER_ASKS.search(match["porque"]) for match in _REASON.finditer(texto))


@cache
def weights() -> Aprendido:
    """The weights as they come with the product, made again by `python -m evals.recepcao_pesos`."""
    return read_lexico(__package__, "lexico/pesos", Aprendido)


def stems(texto: str) -> frozenset[str]:
    """The stems of the longer words of a folded text."""
    return frozenset(word[:_STEM] for word in _LONG.findall(texto))


def features(frase: Frase, conhecidas: frozenset[str]) -> Grupos:
    """What bears a weight in a sentence: its words and their neighbours, the letters of its words, and the kinds of what it names.

    And how many of its words stand neither in the replies that are known nor in what the person said: up to three.
    """
    told = _PIECE.findall(frase.texto)
    edged = ["^", *told, "$"]
    words = frozenset(word for word in told if word.islower())
    return {
        "palavras": frozenset((*told, *(f"{one} {other}" for one, other in pairwise(edged)))),
        "letras": char_ngrams(words),
        "tipos": frozenset(f"@{kind}" for kind in frase.tipos) or frozenset({"@nada"}),
        "novas": frozenset({f"@novas{min(len(stems(frase.texto) - frase.ditas - conhecidas), _MANY)}"}),
    }


def _is_noted(frase: Frase, said: Sequence[frozenset[str]]) -> bool:
    """Whether a sentence only repeats what a clinic said."""
    own = frozenset(_WORD.findall(frase.texto))
    return bool(own) and any(len(own & words) >= _NOTED * len(own) for words in said)


def _is_the_only_act(frase: Frase, fatos: Fatos) -> bool:
    """Whether a sentence only says that nothing else was done, and the answers tell of one act."""
    return len([reply for reply in fatos.replies if (reply.result or {}).get("status")]) == 1 and _ONLY.fullmatch(frase.texto) is not None


def phrases(page: Page, fatos: Fatos, mentions: Sequence[Mention]) -> Iterator[Frase]:
    """The sentences and lines of a text but those that repeat what a clinic said, cut where one takes back what the other says."""
    said = tuple(frozenset(_WORD.findall(fold(text))) for text in fatos.spoken)
    return (frase for frase in _cut(page, fatos, mentions) if not (_is_noted(frase, said) or _is_the_only_act(frase, fatos)))


def _cut(page: Page, fatos: Fatos, mentions: Sequence[Mention]) -> Iterator[Frase]:
    ditas = frozenset(stem for said in fatos.known.said for stem in stems(fold(said)))
    for start, end in page.sentences:
        cuts = [match.start() for match in _BOUNDARY.finditer(page.text, start, end)]
        for left, right in zip((start, *cuts), (*cuts, end), strict=True):
            inside = [mention for mention in mentions if left <= mention.start < right]
            texto = _told_by_kind(page.text, left, right, inside)
            yield Frase(left, right, _areas(fatos).sub(f" {_SPECIALTY} ", texto), frozenset(mention.kind for mention in inside), ditas)


def _told_by_kind(text: str, start: int, end: int, inside: Sequence[Mention]) -> str:
    pieces, at = [], start
    for mention in sorted(inside, key=lambda one: (one.start, -one.end)):
        if mention.start >= at:
            pieces += [text[at : mention.start], f" {_TOKENS[mention.kind]} "]
        at = max(at, mention.end)
    return "".join([*pieces, text[min(at, end) : end]])


def _areas(fatos: Fatos) -> re.Pattern[str]:
    """The specialties that the answers name, however they are spelt."""
    return _any_of(tuple(sorted(fatos.areas, key=len, reverse=True)))


@cache
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names) or r"(?!)")
