"""R1: no dose, drug or treatment that the data does not hold. Source: blueprint 2.3.2, R1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.entende.clausulas import REMEMBERED, Page, Segment
from crivo.clinicas.orquestrador.fatos import Fatos
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.lexico import read_lexico
from crivo.kernel.linguagem.numeros import find_numbers


class Remedios(msgspec.Struct, frozen=True):
    """Active ingredients by their stems, name endings of drug families, classes, forms, therapies, units of dose and turns of phrase."""

    principios: tuple[str, ...]
    terminacoes: tuple[str, ...]
    nao_sao: tuple[str, ...]
    classes: tuple[str, ...]
    formas: tuple[str, ...]
    terapias: tuple[str, ...]
    unidades: dict[str, str]
    frequencias: tuple[str, ...]
    tomar: tuple[str, ...]
    convem: tuple[str, ...]
    tomar_sem_remedio: tuple[str, ...]
    mudar_dose: str
    topico: str


REMEDIOS: Final = read_lexico(__package__, "lexico/remedios", Remedios)
_N: Final = (
    r"(?:\d{1,2}|uma?|dois|duas|tres|quatro|cinco|seis|oito|doze|vinte e quatro|one|two|three|four|six|eight|twelve|dos|cuatro|ocho|doce)"
)
_NUMBER: Final = (
    r"(?:\d+(?:[.,]\d+)?(?:\s?/\s?\d+)?|½|¼|(?:mei[oa]|half(?: an?)?|medi[oa]|cento|cem|duzent[oa]s|trezent[oa]s|quatrocent[oa]s|"
    r"quinhent[oa]s|seiscent[oa]s|setecent[oa]s|"
    r"oitocent[oa]s|novecent[oa]s|mil|thousand|hundred|cien|ciento|doscient[oa]s|quinient[oa]s|vinte|trinta|quarenta|cinquenta|sessenta|"
    r"setenta|oitenta|noventa|twenty|thirty|"
    r"forty|fifty|sixty|seventy|eighty|ninety|veinte|treinta|cuarenta|cincuenta|sesenta|ochenta|noventa|uma?|un|one|dois|duas|dos|two|"
    r"tres|three|quatro|cuatro|four|cinco|five|"
    r"seis|six|sete|siete|seven|oito|ocho|eight|nove|nueve|nine|dez|diez|ten|quinze|quince|fifteen|doze|doce|twelve)\b)"
)
_UNIT: Final = "|".join(REMEDIOS.unidades)
_FIGURE_OF_SPEECH: Final = re.compile(
    r"\s+de\s+(?:paciencia|calma|atencao|animo|coragem|humor|bom humor|sorte|otimismo|gentileza|tempo|boa vontade|carinho|realidade|"
    r"confianca|esperanca|cafe|cuidado)\b"
)
_COUNTED: Final = frozenset({"comprimido", "capsula", "gota", "ampola", "sache", "jato", "colher", "injecao", "dose"})
DOSE: Final = re.compile(
    rf"(?<![\w/.,])(?P<value>{_NUMBER}(?:\s+(?:e\s+|y\s+|and\s+)?{_NUMBER}){{0,4}})\s*-?\s*(?P<unit>{_UNIT})(?![a-z0-9])"
)
_FREQUENCY: Final = re.compile(rf"(?<!\w)(?:{'|'.join(part.replace('{n}', _N) for part in REMEDIOS.frequencias)})(?!\w)")
DRUG: Final = re.compile(
    rf"(?<!\w)(?:(?:{'|'.join(REMEDIOS.principios)})[a-z]{{0,4}}|[a-z]{{3,}}(?:{'|'.join(REMEDIOS.terminacoes)}))(?!\w)"
)
_NOT_DRUGS: Final = frozenset(REMEDIOS.nao_sao)
_CLASS: Final = re.compile(rf"(?<!\w)(?:{'|'.join(REMEDIOS.classes)})(?!\w)")
_THERAPY: Final = re.compile(rf"(?<!\w)(?:{'|'.join(REMEDIOS.terapias)})(?!\w)")
FORM: Final = rf"(?:{'|'.join(REMEDIOS.formas)})"
_FORM: Final = re.compile(rf"(?<!\w){FORM}(?!\w)")
_TAKE: Final = re.compile(rf"(?<!\w)(?<!nao )(?:{'|'.join(REMEDIOS.tomar)})(?!\w)")
_INGEST: Final = re.compile(
    r"(?<!\w)(?<!nao )(?<!que )(?<!voce )(?P<verb>tome(?! (?:el|la|los|las|esa|ese) (?:primer|segund|tercer|ultim|numero|"
    r"opcion|cita|turno|hor))|ingira|engula|injete|inale|pingue|(?:pode|deve|precisa|melhor|bom|ideal e|basta|"
    r"tente|recomendo|sugiro)\s+(?:de\s+)?tomar|you (?:can|should|could|may) take|(?<!to )(?<!please )take|puede tomar|debe tomar)"
    rf"\s+(?!(?:(?:a|o|um|uma|uns|umas|as|os|muito|bastante|note|your|a|the|un|"
    rf"una)\s+){{0,4}}(?:{'|'.join(REMEDIOS.tomar_sem_remedio)})(?!\w))(?P<what>[a-z0-9½][^.!?;\n]{{1,60}})"
)
_ADVISED: Final = re.compile(rf"(?<!\w)(?<!nao )(?:{'|'.join(REMEDIOS.convem)})(?!\w)")
_HELPS: Final = re.compile(
    r"\b(?:ajud(?:a|am|aria|ara)|alivi(?:a|am|aria|ara)|resolve(?:m|ria|ra)?|bast(?:a|am|aria)|funcion(?:a|am|aria)|melhor(?:a|am|aria)|"
    r"cur(?:a|am|aria)|trat(?:a|am|aria)|helps?|works?|relieves?|ayudan?|alivian?)\b(?!-)"
)
# Stopping a medicine is R3's matter; the name of the medicine adds nothing to it.
_STOPPED: Final = re.compile(
    r"\b(?:pare|parar|suspend[ae]r?|interromp[ae]r?|larg(?:ue|ar)|cort(?:e|ar)|deix(?:e|ar)|abandon(?:e|ar)|stop|quit|discontinue|"
    r"dej(?:e|ar)|nao\s+(?:tome|use|precisa))\b[^.;,]{0,30}$"
)
_STOPS: Final = re.compile(
    r"\b(?:pare|parar|suspend[ae]r?|interromp[ae]r?|larg(?:ue|ar)|abandon(?:e|ar)|deix(?:e|ar)\s+de|stop|quit|discontinue|dej(?:e|"
    r"ar)\s+de)\b"
)
_CHANGE: Final = re.compile(rf"(?<!nao )(?<!nem )(?<!\w){REMEDIOS.mudar_dose}")
_TOPICAL: Final = re.compile(rf"(?<!\w)(?<!nao ){REMEDIOS.topico}(?!\w)")
_AWAY: Final = re.compile(
    r"\b(?:traga|trazer|leve (?=(?:os?|as?|seus?|suas?|um|uma|exames?|documentos?|receit|lista|consigo|todos|todas)\b)|levar|lista|"
    r"receita[s]?|nome[s]?|anote|bring|list|traiga|lleve|que (?:voce |o senhor |a senhora )?(?:toma|"
    r"usa|tomar|usar|estiver|esteja)|em uso|you (?:take|use)|que (?:toma|usa))\b"
)

_TELLING: Final = (DOSE, _FREQUENCY, DRUG, _TOPICAL, _CHANGE, _CLASS, _TAKE, _ADVISED, _HELPS, _INGEST)


def breaches(page: Page, fatos: Fatos) -> Iterator[str]:
    """What of R1 a text breaks, each as a short pt-BR reason without the words themselves."""
    for segment in page.segments:
        if _speaks_of_remedies(segment.text):
            yield from _segment(segment, fatos)
    for word in DRUG.findall(page.undisguised):
        if not _held(word, fatos):
            yield "cita um medicamento que não está nos dados"


@lru_cache(maxsize=REMEMBERED)
def _speaks_of_remedies(text: str) -> bool:
    """Whether there is anything in a stretch of text that this rule may be broken by."""
    return any(pattern.search(text) for pattern in _TELLING)


def _segment(segment: Segment, fatos: Fatos) -> Iterator[str]:
    text = segment.text
    spared = _spared(segment)
    if not spared:
        yield from _doses(text, fatos)
        if any(not _held(match.group(), fatos) for match in _FREQUENCY.finditer(text)):
            yield "indica de quanto em quanto tempo usar um remédio"
    if not (spared or (segment.deferred and not _orders(text))):
        for match in DRUG.finditer(text):
            if _STOPPED.search(text[: match.start()]):
                continue
            if match.group() not in _NOT_DRUGS and not _held(match.group(), fatos):
                yield "cita um medicamento que não está nos dados"
    if spared:
        return
    yield from _treatments(segment, fatos)


def _treatments(segment: Segment, fatos: Fatos) -> Iterator[str]:
    text = segment.text
    if _TOPICAL.search(text):
        yield "manda aplicar algo que não está nos dados"
    if _CHANGE.search(text):
        yield "manda mudar uma dose"
    ordered = _TAKE.search(text) or _ADVISED.search(text) or _HELPS.search(text)
    if segment.deferred and not _orders(text):
        return
    named = _CLASS.search(text)
    if named and not segment.question and not _STOPS.search(text) and not _AWAY.search(text) and not _held(named.group(), fatos):
        yield "cita um tipo de remédio que não está nos dados"
        return
    if ordered and not _AWAY.search(text) and not _STOPS.search(text):
        after = text if _HELPS.search(text) else text[ordered.start() :]
        for pattern in (_CLASS, _THERAPY, _FORM):
            match = pattern.search(after)
            if match and not _held(match.group(), fatos):
                yield "indica um tratamento que não está nos dados"
                return
    taken = _INGEST.search(text)
    if taken and not any(_held(word, fatos) for word in taken["what"].split() if len(word) > 5) and not segment.question:
        yield "manda tomar algo que não está nos dados"


def _orders(text: str) -> bool:
    return bool(_TAKE.search(text) or _INGEST.search(text))


def _spared(segment: Segment) -> bool:
    """Whether the segment refuses to speak of remedies, and no order stands before the refusal."""
    if segment.refused is None:
        return False
    return not _orders(segment.text[: segment.refused])


def _doses(text: str, fatos: Fatos) -> Iterator[str]:
    for match in DOSE.finditer(text):
        dose = dose_of(match)
        if dose is None or (dose[1] == "%" and not DRUG.search(text)) or _FIGURE_OF_SPEECH.match(text, match.end()):
            continue
        holding = [fold(string) for _, string in fatos.strings if dose in doses_in(fold(string))]
        drug = _nearest_drug(text, match.start())
        if not holding or (drug and not any(drug[:6] in string for string in holding)):
            yield "traz uma dose que não está nos dados"
            return


def _nearest_drug(text: str, position: int) -> str | None:
    found = [match for match in DRUG.finditer(text) if match.end() <= position and position - match.end() < 40]
    return found[-1].group() if found else None


def dose_of(match: re.Match[str]) -> tuple[float, str] | None:
    """The value and the unit of a dose, or None where the words are no dose ("uma g")."""
    unit = next(name for pattern, name in REMEDIOS.unidades.items() if re.fullmatch(pattern, match["unit"]))
    fraction = re.fullmatch(r"(\d+)\s?/\s?(\d+)", match["value"])
    if fraction:
        return int(fraction[1]) / (int(fraction[2]) or 1), unit
    numbers = find_numbers(match["value"])
    if not numbers:
        return None
    if unit == "g" and match["unit"] == "g" and numbers[0].escrito:
        return None
    return sum(number.value for number in numbers), unit


def doses_in(plain: str) -> tuple[tuple[float, str], ...]:
    """Every dose of a folded text."""
    return tuple(dose for match in DOSE.finditer(plain) if (dose := dose_of(match)))


def _held(words: str, fatos: Fatos) -> bool:
    """Whether the data holds the words, the ending apart (`losartana`, `losartan`)."""
    stem = words if len(words) < 8 else words[:-1].rstrip("aeo")
    return re.search(rf"(?<![a-z0-9]){re.escape(stem)}", _medical(fatos)) is not None


def _medical(fatos: Fatos) -> str:
    """What the data says, without the names of doctors and places, and without what the person asked."""
    return "\n".join(fold(text) for key, text in fatos.strings if key not in {"doctor", "patient_name", "name"})
