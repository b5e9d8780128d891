"""The forms in which a time of day is written, as regular expressions over folded text."""

from __future__ import annotations

import re
from typing import Final, Literal

from crivo.kernel.linguagem.lexico import PALAVRAS, any_of

HALF: Final = 30
OPENING: Final = 7
PARTS_OF_AN_HOUR: Final = {
    "meia": 30,
    "media": 30,
    "half": 30,
    "quarter": 15,
    "um quarto": 15,
    "cuarto": 15,
    "a quarter": 15,
    "half an hour": 30,
}

_HOUR_WORDS: Final = {
    **{word: value for word, value in PALAVRAS.unidades.items() if value <= 23},
    **PALAVRAS.unidades_so_em_espanhol,
    **{
        f"{tens}{join}{one}": 20 + value
        for tens in ("vinte", "twenty")
        for join in (" e ", " ", "-")
        for one, value in PALAVRAS.unidades.items()
        if 0 < value < 4
    },
    "vinte": 20,
    "twenty": 20,
    "veinte": 20,
}
_HOUR: Final = rf"(?:\d{{1,2}}|(?:{any_of(_HOUR_WORDS)})\b)"
_MINUTE_WORDS: Final = [word for word in (*PALAVRAS.unidades, *PALAVRAS.dezenas) if len(word) > 2] + [
    f"{tens}{join}{one}" for tens in PALAVRAS.dezenas for join in (" e ", " y ", "-", " ") for one in ("cinco", "five")
]
_MINUTES: Final = rf"(?:\d{{2}}|{any_of((*PARTS_OF_AN_HOUR, *_MINUTE_WORDS))})\b"
_MORE: Final = rf"{_MINUTES}(?!\s*(?:[/:,]\d|h\b|d[eo]\s+(?!la\b|manh|tarde|noite|hoje|amanha|(?:{any_of(PALAVRAS.dias_da_semana)})\b)))"
_PART: Final = (
    r"(?:\s*(?:,\s*)?(?P<part>a\.?\s?m\b\.?|p\.?\s?m\b\.?|(?:da|de|pela|na|a|de la|por la|en la|in the|at)\s+(?:manha|manana|madrugada|"
    r"tarde|tard(?:ez)?inha|noite|noche|morning|"
    r"afternoon|evening|night)))"
)
_AT: Final = (
    r"(?:(?:ate|desde|entre|apos|depois|antes)\s+)?(?:d?as|d?a\s+las?|pelas|para\s+as|para\s+las|las|at|by|until|from|around|"
    r"about|a|ate|e|entre)\s+"
)

CLOCK: Final = re.compile(
    rf"(?<![\w/.,:-])(?P<hour>\d{{1,2}})(?:\s?(?::|h|hs|horas\s+e)\s?(?P<minutes>[0-5]\d)(?!\d|\s?(?:mg|ml|mcg)\b)(?:\s?(?:min(?:utos)?|"
    rf"m|h(?:s|rs?|oras?)?)\b(?!\.))?)(?::\d\d)?{_PART}?"
)
HOURS: Final = re.compile(
    rf"(?<![\w/.,:-])(?P<prep>{_AT})?(?P<hour>{_HOUR})(?:\s?(?:h|hs|hrs|horas?|o'clock|oclock)\b\.?|(?=\s?(?:a\.?m\b|p\.?m\b|a\.\s?m|"
    rf"p\.\s?m))|(?=\s+(?:em ponto|en punto|sharp)\b))(?!\s?\d)"
    rf"(?:\s+(?:e|y|and)\s+(?P<more>{_MORE})(?:\s+minut[eo]s)?)?(?P<sharp>\s+(?:em ponto|en punto|sharp))?{_PART}?"
)
HALVES: Final = re.compile(
    rf"(?<![\w/.,:-])(?P<prep>(?:d?as|d?a\s+las?|a|at|las|pelas)\s+)?(?P<hour>{_HOUR})(?:\s+(?:e|y|and)\s+|\s+(?=thirty\b|fifteen\b|"
    rf"forty))(?P<more>{_MORE})(?:\s+minut[eo]s)?(?:\s+horas)?{_PART}?"
)
AFTER_A_WEEKDAY: Final = re.compile(rf"\b(?:{any_of(PALAVRAS.dias_da_semana)})(?:-feira)?,?\s+$")
OF_THAT_DAY: Final = re.compile(r"\s+(?:d[oea]|n[oa]|del)\s+(?:dia\s+\d|(?:segunda|terca|quarta|quinta|sexta|sabado|domingo)\b)")
OF_DAYS: Final = re.compile(r"\b(?:dias?|days?)\s+$|\b(?:dias|days)\s+(?:\w+\s*,\s*)*$")  # `dias vinte e um e vinte e dois` are no time
HOUR_AND_PART: Final = re.compile(rf"(?<![\w/.,:-])(?P<hour>{_HOUR})(?=\s+(?:da|de|de la|in the|at)\s){_PART}(?!\w)")
AT: Final = re.compile(
    rf"(?<!\w)(?P<prep>(?:ate\s+)?(?:d?as|a\s+las?|desde las|pelas|at|las))\s+(?P<hour>{_HOUR})(?![\w/:%]|[.,]\d|\s*(?:h\b|hs\b|"
    rf"horas?\b|mg|ml|e\s+meia\b|y\s+media\b|st\b|/))"
    rf"(?:\s+(?:em ponto|en punto|sharp))?{_PART}?"
)
ARTICLE_TOO: Final = frozenset({"as", "das", "las", "ate as"})
NOUN: Final = re.compile(
    r"\s+(?!(?:com|no|na|do|da|de|em|e|ou|y|o|or|con|with|para|pra|por|dia|as|ate|que|hoje|amanha|sexta|segunda|terca|quarta|"
    r"quinta|eu|yo|nao|nem|ni|porque|pq|pois|mas|pero|but|because|durante|se|so|ja|jamais|nunca)\b)[a-z]"
)
TO_THE_HOUR: Final = re.compile(
    rf"(?<!\w)(?:as\s+|at\s+|a\s+las\s+)?(?P<less>{_MINUTES}|ten|five|twenty)\s+(?:minutos\s+)?(?:para\s+(?:as?|o)|pras?|"
    rf"to)\s+(?P<hour>{_HOUR})(?!\w|\s*(?:,\d|"
    rf"mg)){_PART}?"
)
PAST_THE_HOUR: Final = re.compile(rf"(?<!\w)(?P<more>half|a quarter|quarter|ten|twenty|five)\s+past\s+(?P<hour>{_HOUR})(?!\w){_PART}?")
NAMED: Final = re.compile(
    rf"(?<!\w)(?:(?P<noon>meio[\s-]dia|mediodia|noon|midday)|(?:meia[\s-]noite|medianoche|midnight))(?!\w)(?:\s+(?:e|"
    rf"y)\s+(?P<more>{_MORE}))?"
)
PERIOD: Final = re.compile(
    r"(?<!\w)(?P<prep>(?:(?:de|da|pela|na|a|no|do|em|por la|de la|en la|in the|at|this|every)\s+)?(?:(?:parte|periodo|inicio|comeco|"
    r"final|fim|meio|turno)\s+d[aeo]\s+)?)"
    r"(?:(?P<manha>manhas?|manana|mornings?|matutino|cedinho)|(?P<tarde>tardes?|tard(?:ez)?inha|afternoons?|vespertino)|(?P<noite>noites?|"
    r"noches?|evenings?|nights?|noturno))(?!\w)"
)
PERIODS: Final[dict[str, Literal["manha", "tarde", "noite"]]] = {"manha": "manha", "tarde": "tarde", "noite": "noite"}
_COUNT: Final = (
    r"(?:\d{1,3}|vinte e quatro|quarenta e oito|setenta e duas|doze|oito|seis|duas|uma|quatro|eight|six|twelve|twenty-four|"
    r"ocho|cuatro|cada)"
)
_HOURS: Final = r"(?:h|hs|hrs|horas?|hours?)"
DURATION: Final = re.compile(
    rf"(?<!\w)(?:a\s+cada|cada|every|por|durante|ha|for|within|dentro\s+de|em\s+ate|em|en|in|jejum\s+de|ayuno\s+de|menos\s+de|mais\s+de|"
    rf"ate\s+cerca\s+de|cerca\s+de|apos|de\s+ate|ultimas|proximas|next|last"
    rf"|antecedencia\s+(?:minima\s+)?de|prazo\s+de|dura(?:cao\s+de)?)\s+{_COUNT}\s?{_HOURS}\b(?!\s?\d)"
    rf"|(?<!\w)(?:de\s+)?{_COUNT}\s?{_HOURS}?\s+(?:em|en|in)\s+{_COUNT}\s?{_HOURS}\b"
    rf"|(?<![\w/]){_COUNT}\s?/\s?{_COUNT}\s?{_HOURS}?\b(?=\s*(?:h|horas))\s?{_HOURS}"
    rf"|(?<![\w/])\d{{1,2}}\s?/\s?\d{{1,2}}\s?{_HOURS}\b"
    rf"|(?<![\w:])(?<!as )(?<!at ){_COUNT}\s?{_HOURS}\s+(?:antes|depois|de\s+(?:antecedencia|jejum|duracao|repouso|sono)|por\s+dia|before|"
    rf"later|antes|despues|al\s+dia|a\s+day|of\s+fasting|por\s+noite)\b"
    rf"|(?<![\w:])(?:24|vinte\s+e\s+quatro)\s?{_HOURS}\b(?!\s?\d)"
)
HOUR_SIGN: Final = re.compile(r"(?<![a-z])h(?:s|rs?|oras?|ours?)?\b|o'?clock|\b[ap]\.?\s?m\b|(?<=\d)[ap]\.?\s?m\b|ponto|punto|sharp")
"""What a text must hold for `HOURS` or `DURATION` to be found in it; looked for first, since those look long."""
PART_SIGN: Final = re.compile(
    r"manha|manana|madrugada|tard|noite|noche|morning|afternoon|evening|night|matutino|cedinho|vespertino|noturno|[ap]\.?\s?m\b"
)
"""The same for `HOUR_AND_PART` and `PERIOD`."""
MORE_SIGN: Final = re.compile(rf"\b(?:e|y|and)\s+{_MINUTES}|\b(?:thirty|fifteen|forty)")
"""The same for `HALVES`."""
TO_SIGN: Final = re.compile(r"[a-z\d]\s+(?:para\s+(?:as?|o)|pras?|to)\s")
"""The same for `TO_THE_HOUR`."""
_RELATIONS: Final = (
    (
        re.compile(
            r"\b(?:depois|apos|a\s+partir|after|despues|passad[ao]|mais\s+tarde|later\s+than|since|desde)\s*(?:d[ae]s?|de|than)?\s*$"
        ),
        "after",
    ),
    (re.compile(r"\b(?:antes|ate|before|until|no\s+mais\s+tardar|hasta|by)\s*(?:d[ae]s?|de)?\s*$"), "before"),
)


def is_written(hour: str) -> bool:
    """Whether an hour is in words."""
    return not hour[:1].isdigit()


def period_in(part: str | None) -> Literal["manha", "tarde", "noite"] | None:
    """The part of the day that follows a time: `da tarde`, `pm`, `in the morning`."""
    if not part:
        return None
    compact = re.sub(r"[.\s]", "", part)
    if compact == "am" or part.endswith(("manha", "manana", "madrugada", "morning")):
        return "manha"
    return "noite" if part.endswith(("noite", "noche", "evening", "night")) else "tarde"


def relation_before(plain: str, start: int) -> Literal["at", "after", "before"]:
    """Whether a time is a bound, by the words before it or at its own beginning."""
    before = plain[max(0, start - 24) : start]
    own = plain[start : start + 12]
    if own.startswith(("ate ", "antes ", "until ", "by ")):
        return "before"
    if own.startswith(("apos ", "depois ", "desde ")):
        return "after"
    for pattern, relation in _RELATIONS:
        if pattern.search(before):
            return "after" if relation == "after" else "before"
    return "at"
