"""All that a model's text for the person is held to, in words that it can follow: one check, before it is told and after.

First what a reply has to be (its language, each slot under its number, the earliest marked, how many more), then the four rules and the
matters that need a fact. Source: blueprint 2.3.2 and 2.3.3.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Final

import msgspec

from crivo.clinicas.ferramentas import VER_HORARIOS
from crivo.clinicas.orquestrador.confere.alegacoes import ASSUNTOS, SPEAKS_OF
from crivo.clinicas.orquestrador.confere.veredito import Achado, find_achados, verdict_of
from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Idioma, Offer, Value, Verdict
from crivo.clinicas.orquestrador.entende.clausulas import Page
from crivo.clinicas.orquestrador.entende.idioma import language_of
from crivo.clinicas.orquestrador.entende.selecao import Selecao
from crivo.clinicas.orquestrador.escreve.conhecido import known
from crivo.clinicas.orquestrador.fatos import Known

MAIS_CEDO: Final[dict[Idioma, str]] = {"pt": "o mais cedo", "en": "the earliest", "es": "el más temprano"}
"""How the earliest slot is marked, as the prompt says it."""
_EARLIEST: Final = re.compile(
    r"mais cedo|mais próxim|primeir|earliest|soonest|first|más temprano|más próxim|primer|más pronto", re.IGNORECASE
)
_NUMBERED: Final = re.compile(r"^\s*(\d{1,3})\)\s+(.*)$", re.MULTILINE)
_OUTSIDE: Final = re.compile(
    r"\b(?:fora|não|nao|fogem|foge|além|demais|outr[oa]s (?:dias|datas|horas|m[eé]dic\w+|cl[ií]nicas|dat\w+|per[ií]odos)|"
    r"sem (?:ser|atender)|"
    r"outside|beyond|not|don't|doesn't|aren't|other (?:days|dates|times|doctors)|fuera|otr[oa]s (?:d[ií]as|fechas|horas)|"
    r"(?:que no|no (?:caben|son|cumplen|entran|coinciden|encajan|se ajustan|corresponden|responden|cuadran)))\b",
    re.IGNORECASE,
)
_BESIDE: Final = 40  # letters around a number in which it is told of what it is
_LANGUAGES: Final[dict[Idioma, str]] = {"pt": "português", "en": "inglês", "es": "espanhol"}
# A text that tells too little of its language is taken to be in the right one.
_PLAINLY: Final[dict[Idioma, str]] = {
    "pt": "você quer marcar a sua consulta",
    "en": "would you like the appointment",
    "es": "¿usted quiere la cita?",
}
CONSELHOS: Final[Mapping[str, str]] = msgspec.json.decode(
    files("crivo.clinicas.orquestrador.confere").joinpath("lexico/conselhos.json").read_bytes(), type=dict[str, str]
)
"""What may be said in place of what a text may not say, by the reason why it may not."""
_LEAVE_OUT: Final = "deixe isso de fora"
_MATTERS: Final = {f"{SPEAKS_OF}{assunto.nome}": assunto.pode for assunto in ASSUNTOS}


class Encomenda(Value, frozen=True):
    """What a responder is to word: what was said, in which language it answers, what clinics said, and which slots are shown."""

    utterance: str
    idioma: Idioma
    replies: tuple[ClinicReply, ...]
    selecao: Selecao
    dialogue: Dialogue


class Laudo(Value, frozen=True):
    """What is wrong with a text: of its form, each in words for whoever wrote it, and what it may not say."""

    forma: tuple[str, ...] = ()
    achados: tuple[Achado, ...] = ()

    @property
    def passa(self) -> bool:
        """Whether nothing is."""
        return not (self.forma or self.achados)

    @property
    def verdict(self) -> Verdict:
        """The rules alone."""
        return verdict_of(self.achados)

    @property
    def reclamacao(self) -> str | None:
        """Every fault in pt-BR, for whoever wrote it; None where there is none."""
        if self.passa:
            return None
        told = (*self.forma, *(_told(achado) for achado in self.achados))
        return "\n".join(("Corrija isto e escreva o texto de novo, sem acrescentar mais nada:", *(f"- {one}" for one in told)))


def examine(texto: str, encomenda: Encomenda) -> Laudo:
    """All that is wrong with a model's text for the person."""
    if not texto.strip():
        return Laudo(("O texto veio vazio.",))
    achados = _judged(texto, encomenda)
    return Laudo(tuple(_form(texto, encomenda)), tuple(_placed(achado, texto, encomenda) for achado in achados))


def _told(achado: Achado) -> str:
    quoted = f"«{achado.trecho}»: " if achado.trecho else "O texto "
    return f"{quoted}{achado.motivo} ({achado.regra}); {_MATTERS.get(achado.motivo) or CONSELHOS.get(achado.motivo, _LEAVE_OUT)}."


def _judged(texto: str, encomenda: Encomenda) -> tuple[Achado, ...]:
    own = encomenda.dialogue
    held = known(own, encomenda.utterance, encomenda.selecao)
    return find_achados(
        texto, encomenda.replies, own.paciente, own.conferida_como, registro=own.registro, now=own.now, extra_safe=held, de_modelo=True
    )


def _placed(achado: Achado, texto: str, encomenda: Encomenda) -> Achado:
    """The same with the sentence that is at fault by itself, where one is."""
    if achado.trecho or achado.motivo.startswith(("deixa de fora", "não diz", "o texto")):
        return achado
    page = Page(texto)
    for start, end in page.sentences:
        left, right = page.folded.span(start, end)
        sentence = page.original[left:right].strip()
        if any(one.motivo == achado.motivo for one in _judged(sentence, encomenda)):
            return msgspec.structs.replace(achado, trecho=sentence)
    return achado


def _form(texto: str, encomenda: Encomenda) -> Iterator[str]:
    """What is wrong with the language, the list, the earliest and the counts."""
    if language_of(texto, (_PLAINLY[encomenda.idioma],)) != encomenda.idioma:
        yield f"O texto precisa estar em {_LANGUAGES[encomenda.idioma]}."
    offers = encomenda.selecao.ofertas
    lines = [(int(number), line) for number, line in _NUMBERED.findall(texto)]
    if [number for number, _ in lines] != list(range(1, len(offers) + 1)):
        yield "Cada horário precisa de uma linha própria, numerada a partir de 1 na ordem dada, e nada mais é numerado assim."
    else:
        yield from _lines(tuple(line for _, line in lines), offers, encomenda)
    yield from _counts(texto, encomenda.selecao)


def _lines(lines: tuple[str, ...], offers: tuple[Offer, ...], encomenda: Encomenda) -> Iterator[str]:
    """What is wrong with the lines of the slots, of which there is one for each."""
    for number, (line, offer) in enumerate(zip(lines, offers, strict=True), 1):
        if not _is_of(line, offer, encomenda.dialogue):
            yield f"A linha {number} precisa do dia, da hora, do médico e da clínica do horário {number}, e de nenhum outro."
    if len({offer.clinic for offer in offers}) > 1 and not encomenda.selecao.continua:
        first = min((offer.slot.date, offer.slot.time) for offer in offers)
        places = [place for place, offer in enumerate(offers) if (offer.slot.date, offer.slot.time) == first]
        if not any(_EARLIEST.search(lines[place]) for place in places):
            yield f'A linha {places[0] + 1} precisa dizer que é "{MAIS_CEDO[encomenda.idioma]}".'


def _counts(texto: str, selecao: Selecao) -> Iterator[str]:
    """What is wrong with how many more there are: each told, and which of them are not as asked."""
    for count in dict.fromkeys((selecao.mais, selecao.fora)):
        if count and not _found_counts(texto, count):
            yield f"O texto precisa dizer que há mais {count} horários."
    told = _found_counts(texto, selecao.fora)
    if selecao.fora and selecao.mais != selecao.fora and told:
        around = (texto[max(0, match.start() - _BESIDE) : match.end() + _BESIDE] for match in told)
        if not any(_OUTSIDE.search(one) for one in around):
            yield f"O texto precisa dizer que os outros {selecao.fora} horários ficam fora do que foi pedido."


def _found_counts(texto: str, count: int) -> list[re.Match[str]]:
    return list(re.finditer(rf"(?<![\d:/]){count}(?![\d:/])", texto))


def _is_of(line: str, offer: Offer, dialogue: Dialogue) -> bool:
    """Whether a line tells that slot and no other."""
    own = dialogue
    slots = {"specialty": offer.slot.specialty, "available_slots": [msgspec.to_builtins(offer.slot)], "note": ""}
    alone = (ClinicReply(offer.clinic, VER_HORARIOS.name, slots),)
    achados = find_achados(line, alone, own.paciente, own.papel, registro=own.registro, now=own.now, extra_safe=Known())
    return not achados and offer.slot.time in line
