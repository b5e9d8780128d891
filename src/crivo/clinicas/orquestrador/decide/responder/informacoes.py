"""Questions about a clinic itself: where it is, when it opens, what it costs. Answered from the registry, or by who knows; never by slots.

Source: design, "Questions about the clinic".
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Idioma, Step
from crivo.clinicas.orquestrador.decide.situacao import Situacao
from crivo.clinicas.orquestrador.entende.cortes import Head, find_heads
from crivo.clinicas.orquestrador.entende.criterios import Criterios
from crivo.clinicas.orquestrador.entende.frase import Frase, blanked, read_sentence
from crivo.clinicas.orquestrador.entende.leitura import Leitura
from crivo.clinicas.orquestrador.entende.lexico import compiled, vocabulary
from crivo.clinicas.orquestrador.entende.mencoes import Mencao
from crivo.clinicas.orquestrador.entende.mensagem import Mensagem, read
from crivo.clinicas.orquestrador.entende.sintomas import circumstances
from crivo.kernel.linguagem.lexico import read_lexico


class Textos(msgspec.Struct, frozen=True):
    """What is said of the clinics in one language; `o_que` and `fato` by subject."""

    o_que: dict[str, str]
    fato: dict[str, str]
    convenio_sim: str
    nao_sei: str
    nao_sei_de: str
    recepcao_sabe: str
    contato: str
    confirme: str
    confirme_da_clinica: str
    sem_telefone: str
    fica_em: str
    qual_clinica: str
    onde: str
    no_telefone: str


class Lexico(msgspec.Struct, frozen=True):
    """The words of questions by subject, those that ask for the appointment held, and the answers."""

    assuntos: dict[str, tuple[str, ...]]
    consulta: tuple[str, ...]
    prefixos: dict[str, str]
    textos: dict[Idioma, Textos]


LEXICO: Final = read_lexico("crivo.clinicas.orquestrador.entende", "lexico/informacoes", Lexico)
CONSULTA: Final = "consulta"


@cache
def subject(name: str) -> re.Pattern[str]:
    """The expression that finds a question of that subject; of `consulta`, one for the appointment held."""
    return compiled(LEXICO.consulta if name == CONSULTA else LEXICO.assuntos[name])


class Pedido(msgspec.Struct, frozen=True):
    """What a message asks of clinics: the subjects in the order said, all that it says of whom, and the message without the question."""

    assuntos: tuple[str, ...]
    leitura: Leitura
    texto: str
    resto: Frase


def find_question(message: Mensagem, *, holds: bool) -> Pedido | None:
    """What a message asks of the clinics, None where it asks nothing of them; `holds` tells that there is an appointment to ask about."""
    names = (*LEXICO.assuntos, CONSULTA) if holds else tuple(LEXICO.assuntos)
    sentence, mentions = message.frase, message.mencoes
    told = list(circumstances(sentence.text))
    hits = [
        (match.start(), match.end(), name)
        for name in names
        for match in subject(name).finditer(sentence.text)
        if not any(start <= match.start() < end for start, end in told)
    ]
    hits += [(start, end, "convenios") for start, end in _plans_named(message)]
    if not hits:
        return None
    heads = find_heads(sentence)
    rest, asked = sentence, []
    for start, end in _asked(sentence.text, hits, heads, mentions):
        rest = blanked(rest, start, end)
        asked.append(sentence.text[start:end])
    subjects = tuple(dict.fromkeys(name for _, _, name in sorted(hits)))
    return Pedido(subjects, message.leitura, " ".join(asked), rest)


def _plans_named(message: Mensagem) -> list[tuple[int, int]]:
    """Where a plan that a clinic takes is named, in whatever words it is asked about; never within a doctor's or a clinic's name."""
    plans = _plans(tuple(dict.fromkeys(plan for clinica in message.contexto.registro for plan in clinica.convenios)))
    found = [match.span() for match in plans.finditer(message.text)] if plans is not None else []
    named = [(one.start, one.end) for one in message.mencoes if one.field in _SCOPE]
    return [(start, end) for start, end in found if not any(at < end and start < until for at, until in named)]


@cache
def _plans(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """The expression of those plans, as messages are read; an everyday word alone (`Vida`) names none."""
    texts = dict.fromkeys(read_sentence(name).text.strip() for name in names)
    told = sorted((name for name in texts if name and name not in vocabulary()), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, told))})(?!\w)") if told else None


_JOINT: Final = re.compile(r"(?<!\d)[.;!?]+(?!\d)|[,.;!?]+(?=\s|$)|\b(?:e|mas|and|but|y|pero|depois|antes)\b")
_WRITES: Final = frozenset({"cancelar", "mudar", "marcar"})
_MOMENTS: Final = frozenset({"dias", "horas", "numeros", "ordinais", "extremo", "falha"})
_SCOPE: Final = frozenset({"especialidades", "medicos", "clinicas"})


def _asked(
    text: str, hits: list[tuple[int, int, str]], heads: list[tuple[Head, int, int]], mentions: Sequence[Mencao]
) -> list[tuple[int, int]]:
    """The stretches that are the question, and what belongs to it: `na clínica C, quanto custa`.

    Where something is to be done in the same breath (`marca na que tem estacionamento`), the words of the question alone.
    """
    bounds = [0, *(end for joint in _JOINT.finditer(text) for end in joint.span() if not _inside(joint, hits, mentions)), len(text)]
    clauses = [(start, end) for start, end in itertools.pairwise(bounds) if text[start:end].strip()]
    asked: list[tuple[int, int]] = []
    for start, end in clauses:
        own = [(at, until) for at, until, _ in hits if start <= at < end]
        fields = {one.field for one in mentions if start <= one.start < end}
        verbs = {name for name, at, _ in heads if start <= at < end and not any(first <= at < last for first, last in own)}
        if own and verbs & _WRITES and fields & (_MOMENTS | _SCOPE):
            asked += own
        elif own or (fields & _SCOPE and not verbs and not fields & _MOMENTS):
            asked.append((start, end))
    return asked


def _inside(joint: re.Match[str], hits: list[tuple[int, int, str]], mentions: Sequence[Mencao]) -> bool:
    """Whether what looks like the end of a clause belongs to the words of a question or of a name."""
    within_hit = any(start <= joint.start() and joint.end() < end for start, end, _ in hits)
    return within_hit or any(one.start < joint.end() - 1 and joint.start() < one.end - 1 for one in mentions)


def clinics_asked(pedido: Pedido, steps: Iterable[Step], situacao: Situacao) -> tuple[str, ...]:
    """The clinics that a question is about: those named, those booked at in the same message, those spoken of, else every one."""
    said = pedido.leitura.criterios
    named = said.clinicas or tuple(place for doctor in said.doctors for place in situacao.works_at(doctor))
    booked = tuple(step.clinic for step in steps if step.books is not None)
    pending = situacao.pendente
    held = (pending.consulta.clinic,) if pending.consulta else ()
    proposed = (pending.proposta.clinic,) if pending.proposta else ()
    last = tuple(booking.clinic for booking in situacao.bookings[-1:])
    shown = tuple(offer.clinic for offer in situacao.offers)
    every = tuple(clinica.id for clinica in situacao.dialogue.registro)
    before = () if "minha" in pedido.texto.split() or CONSULTA in pedido.assuntos else _asked_before(situacao)
    known = (
        named,
        booked,
        _of_specialties(said, situacao),
        before,
        held,
        proposed,
        _in_scope(pending.criterios, situacao),
        last,
        shown,
        every,
    )
    return tuple(dict.fromkeys(next(found for found in known if found)))


_GOES_BACK: Final = 4  # messages


def _asked_before(situacao: Situacao) -> tuple[str, ...]:
    """The clinics that the questions right before this one were about: `quanto custa o dr Samir?`, `onde fica?`."""
    for said in reversed(situacao.dialogue.utterances[-_GOES_BACK:]):
        asked = find_question(read(said, situacao.dialogue), holds=False)
        if asked is None:
            break
        criterios = asked.leitura.criterios
        named = criterios.clinicas or tuple(place for doctor in criterios.doctors for place in situacao.works_at(doctor))
        if named:
            return named
    return ()


def _of_specialties(criterios: Criterios, situacao: Situacao) -> tuple[str, ...]:
    return tuple(clinic for name in criterios.especialidades for clinic in situacao.clinics_of(name))


def _in_scope(criterios: Criterios, situacao: Situacao) -> tuple[str, ...]:
    """The clinics of what was spoken of last."""
    places = tuple(place for doctor in criterios.doctors for place in situacao.works_at(doctor))
    return criterios.clinicas or places or _of_specialties(criterios, situacao)
