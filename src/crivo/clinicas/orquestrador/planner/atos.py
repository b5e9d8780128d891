"""The acts of a message: it is cut where a new intention begins, and each piece is read for what it asks."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.planner.frase import Frase
from crivo.clinicas.orquestrador.planner.leitura import Contexto, Leitura, Mencao, find_mentions, read_stretch
from crivo.clinicas.orquestrador.planner.lexico import intention

Tipo = Literal["cancelar", "mudar", "marcar", "listar", "escolher", "minhas"]
_Head = Literal["cancelar", "mudar", "marcar", "querer", "perguntar"]
_HEADS: Final[tuple[_Head, ...]] = ("cancelar", "mudar", "marcar", "querer", "perguntar")

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
_TAKEN_BACK: Final = re.compile(r"\s*[,.;!-]|\s+(?:nao|pera|perai|espera|wait|melhor|dia|prefiro|e\b|era|mejor)\b")
_WEAK: Final = re.compile(
    r"^(?:horarios?|vagas?|vaguinha|slot|opening|any|disponivel|disponiveis|livre|livres|aberta|aberto|agenda|e com|e o|"
    r"e a|saber|(?:n?a|da|nas|das|sua) agendas?|achar|ache|acha|find|ver|see|que dia|quando)\b"
)
_WAS_NOT: Final = re.compile(
    r"^\W*(?:nao era|nao e|era para ser|that s not|it s not|no era)\s+(?:ess[ea]|iss[oa]|est[ea]|ele|ela|com|o|a|the|that)\b"
)
_MUST: Final = re.compile(r"\btem (?:que|de)\b|\btenho (?:que|de)\b")
_FOR: Final = re.compile(r"\b(?:para(?: as| o| a| os)?|to|for|por(?= o| a)|al|melhor|mejor|pel[ao]s?)\b")
_LEADS_TO: Final = re.compile(r"\b(?:para|to)$")
_INSTEAD: Final = re.compile(r"(?:em vez|no lugar|instead)\b")
_FOR_ME: Final = re.compile(r"\s+(?:mim|me|gente|nos)\b")
_OF: Final = re.compile(
    r"\bd(?:o|a|as|e|os)\s+(?:dia\s+|dr\s+|dra\s+)?$|\b(?:consulta|horario|com|with|con|on|at|from)\s+(?:(?:o|a|das|"
    r"as|de|the|el|la)\s+)?$"
)


class Pedaco(msgspec.Struct, frozen=True):
    """A stretch of the sentence with the intentions that were found in it."""

    start: int
    end: int
    heads: frozenset[_Head]


class Ato(msgspec.Struct, frozen=True):
    """One thing that is asked. `leitura` is all that was said of it; of a change, `origem` is what it was and `alvo` what it becomes.

    `soma` tells that several doctors are joined by an "e", each of them wanted; `indaga` tells that it asks what there is, `pergunta` that it is put as a question ("pode ser dia 18?" is only that).
    """

    tipo: Tipo
    leitura: Leitura
    origem: Leitura = Leitura()
    alvo: Leitura = Leitura()
    start: int = 0
    end: int = 0
    has_verb: bool = False
    indaga: bool = False
    pergunta: bool = False
    tudo: bool = False
    tambem: bool = False
    correcao: bool = False
    qualquer: bool = False
    nenhum: bool = False
    soma: bool = False


def find_heads(sentence: Frase) -> list[tuple[_Head, int, int]]:
    """The intentions of a sentence with their spans; denied ones and mere courtesy are left out."""
    text = sentence.text
    polite = [match.span() for match in intention("polidez").finditer(text)] + [match.span() for match in _MUST.finditer(text)]
    heads: list[tuple[_Head, int, int]] = []
    for name in _HEADS:
        for match in intention(name).finditer(text):
            if name == "perguntar" and (any(start <= match.start() < end for start, end in polite) or _tells_which(text, match)):
                continue
            if name in {"cancelar", "mudar", "marcar"} and not match.group().startswith("nao") and _NEGATED.search(text[: match.start()]):
                continue
            heads.append((name, *match.span()))
    return sorted(heads, key=lambda head: head[1])


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
    r"\s+(?:para mim\s+|aqui\s+)?(?:[oa]|el|la|the)\s+(?:d[aeo]s?\b|del?\b|(?:prim|terc)eir|segund|quart|quint|ultim|one\b|first|second|third|last)"
)


def _tells_which(text: str, match: re.Match[str]) -> bool:
    """Whether a word of asking only tells which one is chosen: `o segundo horário`, `o último que tem`."""
    before = text[: match.start()]
    if _OF_THE_LIST.search(before) and match.group() in {"lista", "list"}:
        return True
    if _SIGHT.match(match.group()) and _THIS_ONE.match(text[match.end() :]):
        return True
    return bool((_NOUN.match(match.group()) and _DETERMINED.search(before)) or (_RELATIVE.search(before) and len(before.split()) > 1))


def cut(sentence: Frase, heads: Iterable[tuple[_Head, int, int]], mentions: list[Mencao]) -> list[Pedaco]:
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
    return _gathered(sentence, [piece for piece in pieces if piece.start < piece.end], mentions)


_RHETORICAL: Final = re.compile(r"\b(?:tem|ha|hay)\b(?! (?:algum|outr|mais|como)\w*)")
_SENTENCE: Final = re.compile(r"[^.;!?\n]+[.;!?\n]*")
_CONCLUDES: Final = re.compile(r"\W*(?:ah\W+|ok\W+|bom\W+)?(?:pois )?(?:entao|pronto|then|entonces)\b")


def _without_echoes(text: str, heads: list[tuple[_Head, int, int]], mentions: list[Mencao]) -> list[tuple[_Head, int, int]]:
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


def _piece(start: int, end: int, heads: list[tuple[_Head, int, int]]) -> Pedaco:
    return Pedaco(start, end, frozenset(name for name, at, until in heads if start <= at and until <= end))


def _begins_anew(text: str, at: int, heads: list[tuple[_Head, int, int]]) -> bool:
    lead = _LEAD.match(text[at:])
    latest = at + (lead.end() if lead else 0)
    return any(at <= start <= latest for _, start, _ in heads)


def _gathered(sentence: Frase, pieces: list[Pedaco], mentions: list[Mencao]) -> list[Pedaco]:
    """Stretches without an intention joined to the one before, or at the beginning to the one after."""
    gathered: list[Pedaco] = []
    for piece in pieces:
        if gathered and not piece.heads and _stands_alone(gathered[-1], mentions) and _stands_alone(piece, mentions):
            gathered.append(piece)
        elif gathered and (not piece.heads or not gathered[-1].heads or _continues(sentence, gathered[-1], piece, mentions)):
            last = gathered[-1]
            gathered[-1] = Pedaco(last.start, piece.end, last.heads | piece.heads)
        else:
            gathered.append(piece)
    return gathered


def _stands_alone(piece: Pedaco, mentions: list[Mencao]) -> bool:
    """Whether a stretch tells by itself who and when: `dermato: Noemi amanhã. orto: Bruno sábado`."""
    fields = {one.field for one in mentions if piece.start <= one.start < piece.end}
    return "medicos" in fields and bool(fields & {"dias", "horas"})


_SHOW: Final = re.compile(r"\W*(?:(?:ja|me|also|tambem)\s+)*(?:mostr|list|ve\b|ver\b|veja|diz|diga|fala|quais|show|muestr|dime|tell)")
_SCOPE: Final = frozenset({"especialidades", "medicos", "clinicas", "ausente"})


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
        return not (theirs & _SCOPE & ours) and "marcar" not in piece.heads and not asks_elsewhere
    return not (theirs & ours) and not (theirs & _SCOPE and ours & _SCOPE)


def find_acts(sentence: Frase, context: Contexto) -> list[Ato]:
    """What a message asks, in the order said; empty when it names nothing that can be done."""
    found = find_mentions(sentence, context)
    heads = _without_echoes(sentence.text, find_heads(sentence), found)
    mentions = _told(sentence, found, heads)
    acts = []
    for piece in cut(sentence, heads, mentions):
        act = _act(sentence, piece, heads, mentions)
        if act is not None:
            acts.append(act)
    return acts


_CLAUSE: Final = re.compile(r"(?<!\d)[,.;!?]|\b(?:e|mas|entao|and|but|so|y|pero|por isso)\b")
_STORY: Final = re.compile(
    r"\b(?:desde|tinha|falei|falado|liguei|disse|disseram|vim|estive|doer|estou|estava|tive|tenho|cai|ca[ií]|bati|torci|machuquei|quebrei|senti|sinto|fiquei|comecou|apareceu|"
    r"acordei|doi|doendo|dor|dores|desde|faz|fui|ando|passei|i fell|hurt\w*|since|me duele|desde hace)\b"
)
_MOMENTS: Final = frozenset({"dias", "horas", "numeros", "falha"})


_PLACES: Final = _MOMENTS | {"ordinais", "extremo"}


def _told(sentence: Frase, mentions: list[Mencao], heads: list[tuple[_Head, int, int]]) -> list[Mencao]:
    """The mentions without the days and hours of a story told beside a request: `torci o pé ontem e preciso de um médico`."""
    bounds = [0, *(match.end() for match in _CLAUSE.finditer(sentence.text)), len(sentence.text)]
    stories = [] if not heads else [(one.start, one.end) for one in mentions if _is_memory(sentence.text, one)]
    for start, end in itertools.pairwise(bounds):
        is_request = any(start <= at < end for _, at, _ in heads)
        is_all = all(start <= one.start < end for one in mentions if one.field in _PLACES)
        if not is_request and (heads or not is_all) and _STORY.search(sentence.text, start, end):
            stories.append((start, end))
    told = _MOMENTS | {"ausente"} if any(one.field in _PLACES | _SCOPE and not _within(one, stories) for one in mentions) else _MOMENTS
    return [one for one in mentions if one.field not in told or not _within(one, stories)]


_AGO: Final = re.compile(r"(?:ante)?ontem|yesterday|ayer|semana passada|last week")


def _is_memory(text: str, mention: Mencao) -> bool:
    """Whether a day gone by is told of what happened, even where no comma parts it from what is asked."""
    if mention.field != "falha" or not _AGO.match(text[mention.start : mention.end]):
        return False
    before = [match.end() for match in _CLAUSE.finditer(text, 0, mention.start)]
    return bool(_STORY.search(text, before[-1] if before else 0, mention.start))


def _within(mention: Mencao, stretches: list[tuple[int, int]]) -> bool:
    return any(start <= mention.start < end for start, end in stretches)


def _act(sentence: Frase, piece: Pedaco, heads: list[tuple[_Head, int, int]], mentions: list[Mencao]) -> Ato | None:
    text = sentence.text[piece.start : piece.end]
    inside = [one for one in mentions if piece.start <= one.start and one.end <= piece.end]
    asks = _asks(text, piece, heads, chooses=any(one.field in _PLACES for one in inside))
    tipo = _type(text, piece, asks=asks)
    reading = read_stretch(sentence, mentions, piece.start, piece.end, negation=tipo != "cancelar" or "menos" in text)
    if tipo is None and not (inside or reading.referencias or intention("qualquer").search(text)):
        return None
    origem, alvo = _two_sides(sentence, piece, heads, mentions) if tipo == "mudar" else (Leitura(), Leitura())
    return Ato(
        tipo or "escolher",
        reading,
        origem,
        alvo,
        piece.start,
        piece.end,
        has_verb=tipo is not None,
        indaga=asks,
        pergunta=asks or text.rstrip().endswith("?") or bool(intention("polidez").match(text.lstrip())) or sentence.text[piece.end : piece.end + 2].strip().startswith("?"),
        tudo=bool(intention("tudo").search(text)),
        tambem=bool(intention("acrescentar").search(text)) and not _WAS_NOT.search(text),
        correcao=_is_correction(text) or bool(_WAS_NOT.match(text)),
        qualquer=bool(intention("qualquer").search(text)),
        nenhum=bool(intention("nenhum").search(text)),
        soma=_adds_up(sentence.text, [one for one in inside if one.field == "medicos"]),
    )


_AND_ALSO: Final = re.compile(r"\b(?:e|and|y)\b(?!.*\b(?:ou|or|nao|nem)\b)")


def _adds_up(text: str, doctors: list[Mencao]) -> bool:
    return any(_AND_ALSO.search(text[one.end : other.start]) for one, other in itertools.pairwise(doctors))


def _is_correction(text: str) -> bool:
    """Whether it begins by taking something back."""
    found = intention("corrigir").search(text)
    if not found or len(text[: found.start()].split()) >= 4:
        return False
    return found.group() != "nao" or bool(_TAKEN_BACK.match(text[found.end() :]))


def _asks(text: str, piece: Pedaco, heads: list[tuple[_Head, int, int]], *, chooses: bool) -> bool:
    """Whether it asks what there is, rather than for something to be done; `chooses` tells that it names a moment or a place in a list."""
    questions = [
        text[at - piece.start : until - piece.start] for name, at, until in heads if name == "perguntar" and piece.start <= at < piece.end
    ]
    if chooses and not text.rstrip().endswith("?"):
        questions = [question for question in questions if not question.startswith("e ")]
    strong = [question for question in questions if not _WEAK.match(question)]
    if strong:
        return True
    doing = piece.heads & {"marcar", "querer"}
    if not questions:
        return False
    if any(re.match(r"(?:ver|saber|see)\b", question) for question in questions):
        return True
    return not doing


def _type(text: str, piece: Pedaco, *, asks: bool) -> Tipo | None:
    if "mudar" in piece.heads and not ("cancelar" in piece.heads and "marcar" in piece.heads):
        return "mudar"
    if "cancelar" in piece.heads:
        return "cancelar"
    if intention("minhas").search(text):
        return "minhas"
    if "perguntar" in piece.heads and asks:
        return "listar"
    if "marcar" in piece.heads:
        return "marcar"
    if "querer" in piece.heads:
        return "escolher"
    return None


def _two_sides(sentence: Frase, piece: Pedaco, heads: list[tuple[_Head, int, int]], mentions: list[Mencao]) -> tuple[Leitura, Leitura]:
    """Of a change, what is changed and what it shall become: `a das 10h para as 14h`, `from Friday to Monday`."""
    head = next(
        ((start, end) for name, start, end in heads if name == "mudar" and piece.start <= start < piece.end), (piece.start, piece.start)
    )
    if _INSTEAD.match(sentence.text[head[0] : head[1]]):
        return read_stretch(sentence, mentions, head[1], piece.end), read_stretch(sentence, mentions, piece.start, head[0])
    leads = _LEADS_TO.search(sentence.text[head[0] : head[1]])
    if leads and not _FOR_ME.match(sentence.text[head[1] :]):
        return read_stretch(sentence, mentions, piece.start, head[0]), read_stretch(sentence, mentions, head[1], piece.end)
    inside = [one for one in mentions if piece.start <= one.start and one.end <= piece.end]
    turn = _turning_point(sentence.text, head[0], piece.end, inside)
    if turn is None:
        turn = _end_of_source(sentence.text, head[0], inside, piece)
    return read_stretch(sentence, mentions, piece.start, turn), read_stretch(sentence, mentions, turn, piece.end)


def _turning_point(text: str, start: int, end: int, mentions: list[Mencao]) -> int | None:
    """Where `para` leads from what was to what shall be."""
    for word in _FOR.finditer(text, start, end):
        following = next((one for one in mentions if one.start >= word.start()), None)
        if following and len(text[word.end() : following.start].split()) <= 4:
            return word.start()
    return None


def _end_of_source(text: str, head: int, mentions: list[Mencao], piece: Pedaco) -> int:
    """Without `para`: what is said with `do` or `da` right after the verb tells which one is meant, the rest what it becomes."""
    end = piece.start
    for one in mentions:
        if one.start < head or not _OF.search(text[piece.start : one.start]):
            break
        end = one.end
    return end
