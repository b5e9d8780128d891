"""Where a message is cut: the intentions in it, and the stretches that each rule over."""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import intention
from crivo.clinicas.orquestrador.entende.mencoes import Mencao
from crivo.clinicas.orquestrador.entende.sintomas import circumstances
from crivo.kernel.linguagem.folego import check

Head = Literal["cancelar", "mudar", "marcar", "querer", "perguntar"]
_HEADS: Final[tuple[Head, ...]] = ("cancelar", "mudar", "marcar", "querer", "perguntar")

_JOINT: Final = re.compile(
    r"(?P<hard>(?<!\d)[.;!?\n]+(?!\d)|[.;!?\n]+(?=\s|$))|(?P<soft>,\s*(?:e|mas|and|but|y|pero|depois|ai|entao)?\b|"
    r"\b(?:e|mas|depois|entao|ai|and|but|then|y|pero|porem|so que)\b)\s*"
)
_LEAD: Final = re.compile(
    r"^(?:\s|,|(?:e|mas|and|y|ai|depois|entao|agora|tambem|ja|me|eu|por favor|se|i|you|to|also|please|nao|so|"
    r"aproveita(?:ndo)?|voce|que|bom|ah|then|"
    r"pode|poderia|quero|queria|preciso|gostaria(?: de)?|vou|can|could|want|quiero|necesito|d|ll|m|da|para|tem como|consegue)\b)*\s*"
)
_NEGATED: Final = re.compile(
    r"(?:\bnao\s+(?:(?:quero|vou|precisa|preciso|e para|era para|pode|posso|quis)\s+)?(?:mais\s+)?|\b(?:don t|not|"
    r"no quiero)\s+(?:want to\s+)?)$"
)
_CAN_NOT_BE: Final = re.compile(r"\b(?:nao (?:pode|poderia)|no puede) ser$")  # tells of what was asked what it is not
_MUST: Final = re.compile(r"\btem (?:que|de)\b|\btenho (?:que|de)\b")


class Pedaco(msgspec.Struct, frozen=True):
    """A stretch of the sentence with the intentions that were found in it."""

    start: int
    end: int
    heads: frozenset[Head]


def find_heads(sentence: Frase) -> list[tuple[Head, int, int]]:
    """The intentions of a sentence with their spans; denied ones and mere courtesy are left out."""
    text = sentence.text
    polite = [match.span() for match in intention("polidez").finditer(text)] + [match.span() for match in _MUST.finditer(text)]
    polite += circumstances(text)
    heads: list[tuple[Head, int, int]] = []
    for name in _HEADS:
        check()
        for match in intention(name).finditer(text):
            if name == "perguntar" and (any(start <= match.start() < end for start, end in polite) or _tells_which(text, match)):
                continue
            if name in {"cancelar", "mudar", "marcar"} and not match.group().startswith("nao") and _NEGATED.search(text[: match.start()]):
                continue
            if name == "querer" and _CAN_NOT_BE.search(text, 0, match.end()):
                continue
            heads.append((name, *match.span()))
    return sorted(heads, key=lambda head: head[1])


_TOUCHES: Final = 1
_PARTS_WORDS: Final = re.compile(r"[,.;!?]|(?:\S+\s+){3}")


def with_removals(
    sentence: Frase, heads: list[tuple[Head, int, int]], mentions: list[Mencao], held: Collection[str]
) -> list[tuple[Head, int, int]]:
    """The intentions with the cancelling that `tira o Samir` is, where an appointment with him is held; of a list it only refuses him."""
    theirs = [one.start for one in mentions if one.field == "medicos" and set(one.value) & set(held)]
    taken = [match.span() for match in intention("tirar").finditer(sentence.text) if match.end() + _TOUCHES in theirs]
    for match in intention("largar").finditer(sentence.text):
        before = [sentence.text[one.end : match.start()] for one in mentions if one.start in theirs and one.end <= match.start()]
        if before and not _PARTS_WORDS.search(before[-1]):
            taken.append(match.span())
    found: list[tuple[Head, int, int]] = [*heads, *(("cancelar", start, end) for start, end in taken)]
    return sorted(found, key=lambda head: head[1])


_NOUN: Final = re.compile(r"^(?:horario|vaga|slot|time|agenda)$")
_DETERMINED: Final = re.compile(
    r"\b(?:o|a|esse|este|aquele|essa|esta|aquela|d[oa]|n[oa]|(?:prim|terc)eir[oa]|segund[oa]|quart[oa]|quint[oa]|"
    r"ultim[oa]|mesm[oa]|meu|minha|pelo|ao|the|that|el|ese)\s+$"
)


_OF_THE_LIST: Final = re.compile(r"\b(?:d[ae]|dessa|desta|of the|of that|on the|de la)\s+$")
_RELATIVE: Final = re.compile(
    r"\b(?:[oa]s?|aquel[ea]s?|ess[ea]s?|horario|vaga|opcao|dia|(?:prim|terc)eir[oa]|segund[oa]|ultim[oa]|the one|one|el|la)"
    r"\s+(?:que|that)\s+(?:(?:voce|you|el[ea]s?|he|she|they)\s+)?$"
)


_SIGHT: Final = re.compile(r"^(?:ver|ve|veja|see)$")
_THIS_ONE: Final = re.compile(
    r"\s+(?:para mim\s+|aqui\s+)?(?:[oa]|el|la|the)\s+(?:d[aeo]s?\b|del?\b|(?:prim|terc)eir|segund|quart|quint|ultim|"
    r"one\b|first|second|third|last)"
)


def _tells_which(text: str, match: re.Match[str]) -> bool:
    """Whether a word of asking only tells which one is chosen: `o segundo horário`, `o último que tem`."""
    before = text[: match.start()]
    if _OF_THE_LIST.search(before) and match.group() in {"lista", "list"}:
        return True
    if _SIGHT.match(match.group()) and _THIS_ONE.match(text[match.end() :]):
        return True
    return bool((_NOUN.match(match.group()) and _DETERMINED.search(before)) or (_RELATIVE.search(before) and len(before.split()) > 1))


def cut(sentence: Frase, heads: Iterable[tuple[Head, int, int]], mentions: list[Mencao]) -> list[Pedaco]:
    """The stretches of a sentence, each with its own intention; a stretch without one belongs to its neighbour."""
    found = list(heads)
    text = sentence.text
    pieces: list[Pedaco] = []
    start = 0
    for joint in _JOINT.finditer(text):
        if any(one.start < joint.end() - 1 and joint.start() < one.end - 1 for one in mentions) or joint.start() < start:
            continue
        if joint["hard"] or _begins_anew(text, joint.end(), found):
            pieces.append(_piece(start, joint.start(), found))
            start = joint.end()
    pieces.append(_piece(start, len(text), found))
    return _gathered(sentence, _led_forward(text, [piece for piece in pieces if piece.start < piece.end], mentions), mentions)


_FULL_STOPS: Final = re.compile(r"[.;!?\n]")


def _led_forward(text: str, pieces: list[Pedaco], mentions: list[Mencao]) -> list[Pedaco]:
    """Stretches that begin a sentence by naming whom it is of, joined to what it asks of them: `E o Dr. Zeferino, que dias ele atende?`."""
    joined: list[Pedaco] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        before = joined[-2] if len(joined) > 1 else None
        begins = last and before and not last.heads and _FULL_STOPS.search(text, before.end, last.start)
        if (
            last
            and before
            and begins
            and piece.heads
            and not _FULL_STOPS.search(text, last.end, piece.start)
            and _of_others(before, last, mentions)
        ):
            joined[-1] = Pedaco(last.start, piece.end, piece.heads)
        else:
            joined.append(piece)
    return joined


def _of_others(one: Pedaco, other: Pedaco, mentions: list[Mencao]) -> bool:
    """Whether both name whom or what they are of, and not the same."""
    each = [
        {(found.field, str(found.value)) for found in mentions if found.field in SCOPE and part.start <= found.start < part.end}
        for part in (one, other)
    ]
    return bool(each[0] and each[1]) and not each[0] & each[1]


_RHETORICAL: Final = re.compile(r"\b(?:tem|ha|hay)\b(?! (?:algum|outr|mais|como)\w*)")
_SENTENCE: Final = re.compile(r"[^.;!?\n]+[.;!?\n]*")
_CONCLUDES: Final = re.compile(r"\W*(?:ah\W+|ok\W+|bom\W+)?(?:pois )?(?:entao|pronto|then|entonces)\b")


def without_echoes(text: str, heads: list[tuple[Head, int, int]], mentions: list[Mencao]) -> list[tuple[Head, int, int]]:
    """The intentions without a `tem sim?` that names nothing and is followed by what is concluded from it: `Tem sim? Então marque`."""
    sentences = [match.span() for match in _SENTENCE.finditer(text)]
    echoes = [
        (start, end)
        for (start, end), (following, _) in itertools.pairwise(sentences)
        if _CONCLUDES.match(text, following)
        and not any(start <= one.start < end for one in mentions)
        and all(name == "perguntar" and _RHETORICAL.match(text, at) for name, at, _ in heads if start <= at < end)
    ]
    return [head for head in heads if not any(start <= head[1] < end for start, end in echoes)]


def _piece(start: int, end: int, heads: list[tuple[Head, int, int]]) -> Pedaco:
    return Pedaco(start, end, frozenset(name for name, at, until in heads if start <= at and until <= end))


def _begins_anew(text: str, at: int, heads: list[tuple[Head, int, int]]) -> bool:
    lead = _LEAD.match(text[at:])
    latest = at + (lead.end() if lead else 0)
    return any(at <= start <= latest for _, start, _ in heads)


def _gathered(sentence: Frase, pieces: list[Pedaco], mentions: list[Mencao]) -> list[Pedaco]:
    """Stretches without an intention joined to the one before, or at the beginning to the one after."""
    gathered: list[Pedaco] = []
    for piece in pieces:
        if gathered and _is_apart(gathered[-1], piece, mentions):
            gathered.append(piece)
        elif gathered and (not piece.heads or not gathered[-1].heads or _continues(sentence, gathered[-1], piece, mentions)):
            last = gathered[-1]
            gathered[-1] = Pedaco(last.start, piece.end, last.heads | piece.heads)
        else:
            gathered.append(piece)
    return gathered


def _is_apart(last: Pedaco, piece: Pedaco, mentions: list[Mencao]) -> bool:
    """Whether a stretch goes with no other, though it, or the one before it, has no intention."""
    alone = not piece.heads and _stands_alone(last, mentions) and _stands_alone(piece, mentions)
    return alone or _is_of_another(last, piece, mentions)


def _is_of_another(last: Pedaco, piece: Pedaco, mentions: list[Mencao]) -> bool:
    """Whether a cancelling names whom it is of, and the stretch before it, that asks for nothing, names somebody else."""
    ours, theirs = (
        {one.value for one in mentions if one.field == "medicos" and each.start <= one.start < each.end} for each in (last, piece)
    )
    return not last.heads and "cancelar" in piece.heads and bool(ours and theirs) and not ours & theirs


def _stands_alone(piece: Pedaco, mentions: list[Mencao]) -> bool:
    """Whether a stretch tells by itself who and when: `dermato: Noemi amanhã. orto: Bruno sábado`."""
    fields = {one.field for one in mentions if piece.start <= one.start < piece.end}
    return "medicos" in fields and bool(fields & {"dias", "horas"})


_SHOW: Final = re.compile(r"\W*(?:(?:ja|me|also|tambem)\s+)*(?:mostr|list|ve\b|ver\b|veja|diz|diga|fala|quais|show|muestr|dime|tell)")
SCOPE: Final = frozenset({"especialidades", "medicos", "clinicas", "ausente"})


def _continues(sentence: Frase, last: Pedaco, piece: Pedaco, mentions: list[Mencao]) -> bool:
    """Whether a stretch goes on with the same thing: `preciso remarcar, pode ser dia 19?`."""
    changing = {"cancelar", "mudar"}
    if last.heads - {"perguntar"} and intention("minhas").search(sentence.text, piece.start, piece.end):
        return False
    if piece.heads & changing or ("cancelar" in last.heads and "mudar" not in last.heads):
        return False
    ours = {one.field for one in mentions if last.start <= one.start < last.end}
    theirs = {one.field for one in mentions if piece.start <= one.start < piece.end}
    if "mudar" in last.heads:
        asks_elsewhere = bool(theirs & {"especialidades", "clinicas"}) and bool(_SHOW.match(sentence.text, piece.start))
        return not (theirs & SCOPE & ours) and "marcar" not in piece.heads and not asks_elsewhere
    return not (theirs & ours) and not (theirs & SCOPE and ours & SCOPE)
