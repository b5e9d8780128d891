"""Which of the things mentioned are refused: by what stands before or after them, or by what they are joined to."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from typing import Final

from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import excepting, reference
from crivo.clinicas.orquestrador.entende.mencoes import Mencao

_UNTIL_THE_NAME: Final = re.compile(
    r"(?:-se)?(?:\s+(?!(?:nao|mas|quero|queria|prefiro|melhor|pode|sim|but|i|marca|marque|fico|mejor|poe|bota|coloca|passa|muda|troca|joga|agenda|remarca|tem|"
    r"pera|perai|espera|wait|so)\b)[\w'-]+){0,5}\s*"
)
_NOT_AFTER: Final = re.compile(
    r"^(?:\s+(?:eu|tambem))?\s+nao\s+(?:posso|consigo|rola|vai dar|da)\b(?!\s+para\b)|"
    r"^(?:\s+(?:eu|tambem))?\s+(?:tambem\s+)?nao(?:\s+(?:posso|da|consigo|quero|rola|vai dar|serve|pode|dá|vai|me serve))?"
    r"\s*(?:$|[,.;!]|mas\b|e\b|porque\b|pois\b|que\b|so\b|quero\b)"
)
SLIP: Final = re.compile(
    r"[,.;!-]+\s*(?:(?:ah|ai|opa|ih|eita|oh|hum|pera|perai)\s*,?\s*)?nao\s*[,.!-]+\s+"
    r"(?!(?:posso|quero|consigo|vou|tem|da|sei|precis|gost)\b)|\b(?:quer dizer|digo|alias|"
    r"ou melhor|na verdade|perdao|desculpa|minto|corrigindo|ops|i mean|sorry|actually|en realidad|perdon|no no|"
    r"nao nao)\b"
)


_NOT_SURE: Final = re.compile(r"nao sei\b")  # `não sei se sexta ou segunda` refuses neither
_MOMENT: Final = frozenset({"dias", "horas"})
REFUSED_FOR_GOOD: Final = frozenset({"dias", "horas", "medicos", "clinicas"})  # said again beside it, it tells why


def refused_in(sentence: Frase, mentions: Iterable[Mencao]) -> list[Mencao]:
    """The mentions of a sentence that are refused."""
    told = list(mentions)
    refused = refused_ids(told, sentence.text, 0, len(sentence.text))
    return [one for one in told if id(one) in refused]


def refused_ids(mentions: list[Mencao], text: str, start: int, end: int) -> set[int]:
    """The identities of those of the mentions within a span that are refused."""
    refused = {id(one) for one in mentions if is_refused(one, text[start:end], start, mentions)}
    return refused | _refused_alike(mentions, refused, text)


def is_refused(mention: Mencao, text: str, start: int, others: Iterable[Mencao] = ()) -> bool:
    """Whether a mention is refused in a text that begins at `start`, `others` being all that it mentions."""
    before = text[: mention.start - start]
    begin = len(before) - len(SLIP.split(re.split(r"[,.;!?]", before)[-1])[-1])  # `às onze não perdão às quinze` refuses the first alone
    told = [one.end - start for one in others if one.field in _MOMENT and one.end <= mention.start]
    of_before = [
        (end, end + found.end()) for end in told if (found := _NOT_AFTER.match(before[end:])) and not _goes_on(text, mention, start, end)
    ]
    denied = any(
        _UNTIL_THE_NAME.fullmatch(before, found.end())
        for found in excepting().finditer(before, begin)
        if not any(end <= found.start() < until for end, until in of_before)
        and not (mention.field in _MOMENT and _NOT_SURE.match(before, found.start()))
    )
    denied = denied or any(found.end() == mention.end - start for found in reference("nenhum_destes").finditer(text, begin))
    after = text[mention.end - start :]
    of_the_body = mention.field in {"especialidades", "ramos"}  # `meu joelho está ruim` is a complaint
    return denied or (_NOT_AFTER.match(after) is not None if of_the_body else _is_unfit(after))


def _goes_on(text: str, mention: Mencao, start: int, end: int) -> bool:
    """Whether a `não` between two mentions is of the second, as nothing parts it from that: `sexta dia 18 não quinta`."""
    alone = text[end : mention.start - start].strip() == "nao"
    return alone and not _AFFIRMED.match(text, mention.end - start)


_AFFIRMED: Final = re.compile(r"\s+(?:sim|pode|posso|serve|da|consigo|ok|esta|eu)\b")
_ALIKE: Final = re.compile(r"\s*,?\s*(?:e|ou|nem|and|or|nor|y|o|ni)\s+(?:(?:n[ao]s?|[ao]s?|d[ae]|com|on|the|el|los?|las?|dias?)\s+)*")
_LISTED: Final = re.compile(r"\s*,\s*(?:(?:n[ao]s?|[ao]s?|d[ae]|com|on|the|el|los?|las?|dias?)\s+)*")


def _refused_alike(mentions: list[Mencao], refused: set[int], text: str) -> set[int]:
    """Those joined to one that is refused after it: `terças e quintas são impossíveis`, `com o Abel e o Wilson não`."""
    more: set[int] = set()
    for one, following in itertools.pairwise(mentions):
        if one.field == "dias" and _is_part_of_that_day(one, following, refused, text):
            more.add(id(one))
        alike = one.field == following.field and one.field in REFUSED_FOR_GOOD and (id(one) in refused or id(one) in more)
        if alike and _ALIKE.fullmatch(text, one.end, following.start) and not _AFFIRMED.match(text, following.end):
            more.add(id(following))
    for one, following in reversed(list(itertools.pairwise(mentions))):
        if one.field != following.field or one.field not in REFUSED_FOR_GOOD or id(one) in refused:
            continue
        between = text[one.end : following.start]
        told = id(following) in refused and _is_unfit(text[following.end :])
        if ((told or id(following) in more) and _ALIKE.fullmatch(between)) or (id(following) in more and _LISTED.fullmatch(between)):
            more.add(id(one))
    return more


_BEGINS_A_CLAUSE: Final = re.compile(r"(?:^|[,.;!?])\s*(?:(?:e|mas|so|que|porque|pois|na|no|but|and|on|y|pero|el|los?)\s+)*$")


def _is_part_of_that_day(one: Mencao, following: Mencao, refused: set[int], text: str) -> bool:
    """Whether a day begins what is refused of its hours: `sexta de manhã não dá`."""
    told = following.field == "horas" and id(following) in refused and _is_unfit(text[following.end :])
    return told and not text[one.end : following.start].strip() and _BEGINS_A_CLAUSE.search(text[: one.start]) is not None


def _is_unfit(after: str) -> bool:
    """Whether the words after a mention tell that it cannot be."""
    unfit = after[:1] == " " and reference("nao_serve").match(after.lstrip()) is not None
    return unfit or _NOT_AFTER.match(after) is not None
