"""The acts of a message: it is cut where a new intention begins, and each piece is read for what it asks."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import Final, Literal

import msgspec

from crivo.clinicas.orquestrador.entende.cortes import Head, Pedaco, cut, find_heads, with_removals, without_echoes
from crivo.clinicas.orquestrador.entende.criterios import Dia
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.historias import PLACES, without_stories
from crivo.clinicas.orquestrador.entende.leitura import Leitura, read_stretch
from crivo.clinicas.orquestrador.entende.lexico import accord, intention
from crivo.clinicas.orquestrador.entende.mencoes import Contexto, Mencao, find_mentions

Tipo = Literal["cancelar", "mudar", "marcar", "listar", "escolher", "minhas"]

_TAKEN_BACK: Final = re.compile(r"\s*[,.;!-]|\s+(?:nao|pera|perai|espera|wait|melhor|dia|prefiro|e\b|era|mejor)\b")
_WEAK: Final = re.compile(
    r"^(?:horarios?|vagas?|vaguinha|slot|opening|any|disponivel|disponiveis|livre|livres|aberta|aberto|agenda|e com|e o|"
    r"e a|saber|(?:n?a|da|nas|das|sua) agendas?|achar|ache|acha|find|ver|see|que dia|quando)\b"
)
_WAS_NOT: Final = re.compile(
    r"^\W*(?:nao era|nao e|era para ser|that s not|it s not|no era)\s+(?:ess[ea]|iss[oa]|est[ea]|ele|ela|com|o|a|the|that)\b"
)
_FOR: Final = re.compile(r"\b(?:(?<!marcad[oa] )(?<!agendad[oa] )para(?: as| o| a| os)?|to|for|por(?= o| a)|al|melhor|mejor|pel[ao]s?)\b")
_CHANGING: Final = re.compile(r"\b(?:troc|mud|alter|cambi|chang|switch|mov|pass|jog|remarc|reagend|transf|antecip|adi|posterg|resched)")
_LEADS_TO: Final = re.compile(r"\b(?:para|to)$")
_INSTEAD: Final = re.compile(r"(?:em vez|no lugar|instead)\b")
_FOR_ME: Final = re.compile(r"\s+(?:mim|me|gente|nos)\b")
_OF: Final = re.compile(
    r"\bd(?:o|a|as|e|os)\s+(?:dia\s+|dr\s+|dra\s+)?$|\b(?:consulta|horario|com|with|con|on|at|from)\s+(?:(?:o|a|das|"
    r"as|de|the|el|la)\s+)?$"
)


class Ato(msgspec.Struct, frozen=True):
    """One thing that is asked. `leitura` is all that was said of it; of a change, `origem` is what it was and `alvo` what it becomes.

    `soma` tells that several doctors are joined by an "e", each of them wanted; `cada` that one of each specialty is. `indaga` tells that
    it asks what there is, `pergunta` that it is put as a question ("pode ser dia 18?" is only that). `destino` tells that a "para" leads
    to `alvo`. `aponta` tells that its words take or point at one (`fico com`, `a da tarde`), `duvida` that they are not sure of it,
    `logo` that it shall be soon (`o quanto antes`), `se_houver` that the earliest or the latest is meant if there is one (`que tiver`).
    `quantos` is how many are told to be meant (`os dois`), 0 where no number is.
    """

    tipo: Tipo
    leitura: Leitura
    origem: Leitura = Leitura()
    alvo: Leitura = Leitura()
    destino: bool = False
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
    cada: bool = False
    aponta: bool = False
    duvida: bool = False
    logo: bool = False
    se_houver: bool = False
    quantos: int = 0


def find_acts(sentence: Frase, context: Contexto) -> list[Ato]:
    """What a message asks, in the order said; empty when it names nothing that can be done."""
    found = find_mentions(sentence, context)
    heads = with_removals(sentence, without_echoes(sentence.text, find_heads(sentence), found), found, context.marcados)
    mentions = without_stories(sentence, found, heads)
    acts = []
    for piece in cut(sentence, heads, mentions):
        act = _act(sentence, piece, heads, mentions)
        if act is not None:
            acts.append(act)
    return acts


def _act(sentence: Frase, piece: Pedaco, heads: list[tuple[Head, int, int]], mentions: list[Mencao]) -> Ato | None:
    text = sentence.text[piece.start : piece.end]
    inside = [one for one in mentions if piece.start <= one.start and one.end <= piece.end]
    asks = _asks(text, piece, heads, chooses=any(one.field in PLACES for one in inside))
    tipo = _type(text, piece, asks=asks)
    reading = read_stretch(sentence, mentions, piece.start, piece.end, negation=tipo != "cancelar" or "menos" in text)
    points = reading.referencias or any(intention(name).search(text) for name in ("qualquer", "tudo")) or _OF_EACH.search(text)
    if tipo is None and not (inside or points):
        return None
    origem, alvo, destino = _two_sides(sentence, piece, heads, mentions) if tipo == "mudar" else (Leitura(), Leitura(), False)
    return Ato(
        tipo=tipo or "escolher",
        leitura=reading,
        origem=origem,
        alvo=alvo,
        destino=destino,
        start=piece.start,
        end=piece.end,
        has_verb=tipo is not None,
        indaga=asks,
        pergunta=asks
        or text.rstrip().endswith("?")
        or bool(intention("polidez").match(text.lstrip()))
        or sentence.text[piece.end : piece.end + 2].strip().startswith("?"),
        tudo=bool(intention("tudo").search(text)),
        tambem=bool(intention("acrescentar").search(text)) and not _WAS_NOT.search(text),
        correcao=_is_correction(text) or bool(_WAS_NOT.match(text)),
        qualquer=bool(intention("qualquer").search(text)),
        nenhum=bool(intention("nenhum").search(text)),
        cada=bool(_OF_EACH.search(text)),
        aponta=bool(intention("apontar").search(text)),
        duvida=bool(intention("duvidar").search(text)),
        logo=bool(intention("logo_que_der").search(text)),
        se_houver=bool(intention("se_houver").search(text)),
        quantos=next((many for group, many in COUNTS if accord(group).search(text)), 0),
        soma=_adds_up(sentence.text, [one for one in inside if one.field == "medicos"]),
    )


def sharing_the_day(acts: Iterable[Ato]) -> list[Ato]:
    """The acts of a message with the day of an earlier one where it says that it is the same: `e cardiologista nesse mesmo dia`."""
    shared: list[Ato] = []
    days: tuple[Dia, ...] = ()
    for act in acts:
        said = act.leitura.criterios
        if len(days) == 1 and not said.dias and "mesmo_dia" in act.leitura.referencias and act.tipo in {"listar", "escolher", "marcar"}:
            told = msgspec.structs.replace(act.leitura, criterios=msgspec.structs.replace(said, dias=days))
            act = msgspec.structs.replace(act, leitura=told)
        days = (act.alvo if act.tipo == "mudar" else act.leitura).criterios.dias or days
        shared.append(act)
    return shared


COUNTS: Final = (("sao_dois", 2), ("sao_tres", 3), ("sao_quatro", 4))
_OF_EACH: Final = re.compile(r"\b(?:de|para|em|of|for|con|com) (?:cada|each)\b|\bum(?:a)? de cada\b")
_AND_ALSO: Final = re.compile(r"\b(?:e|and|y)\b(?!.*\b(?:ou|or|nao|nem)\b)")


def _adds_up(text: str, doctors: list[Mencao]) -> bool:
    return any(_AND_ALSO.search(text[one.end : other.start]) for one, other in itertools.pairwise(doctors))


def _is_correction(text: str) -> bool:
    """Whether it begins by taking something back."""
    found = intention("corrigir").search(text)
    if not found or len(text[: found.start()].split()) >= 4:
        return False
    return found.group() != "nao" or bool(_TAKEN_BACK.match(text[found.end() :]))


def _asks(text: str, piece: Pedaco, heads: list[tuple[Head, int, int]], *, chooses: bool) -> bool:
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


def _two_sides(sentence: Frase, piece: Pedaco, heads: list[tuple[Head, int, int]], mentions: list[Mencao]) -> tuple[Leitura, Leitura, bool]:
    """Of a change, what is changed and what it shall become, and whether that is told as such: `a das 10h para as 14h`."""
    head = next(
        ((start, end) for name, start, end in heads if name == "mudar" and piece.start <= start < piece.end), (piece.start, piece.start)
    )
    if _INSTEAD.match(sentence.text[head[0] : head[1]]):
        return read_stretch(sentence, mentions, head[1], piece.end), read_stretch(sentence, mentions, piece.start, head[0]), True
    leads = _LEADS_TO.search(sentence.text[head[0] : head[1]])
    if leads and not _FOR_ME.match(sentence.text[head[1] :]):
        return read_stretch(sentence, mentions, piece.start, head[0]), read_stretch(sentence, mentions, head[1], piece.end), True
    inside = [one for one in mentions if piece.start <= one.start and one.end <= piece.end]
    verb = _CHANGING.search(sentence.text, *head)
    turn = _turning_point(sentence.text, verb.start() if verb else head[0], piece.end, inside)
    at = _end_of_source(sentence.text, head[0], inside, piece) if turn is None else turn
    return read_stretch(sentence, mentions, piece.start, at), read_stretch(sentence, mentions, at, piece.end), turn is not None


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
        if one.start < head or not (_OF.search(text[piece.start : one.start]) or text.startswith("de ", one.start)):
            break
        end = one.end
    return end
