"""What a conversation knows of the appointments that somebody holds: by the account or the reception all of them, by a code the one."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

import msgspec

from crivo.clinicas.codigos import is_of_clinic, may_be_of, written
from crivo.clinicas.orquestrador.chama.router import Router
from crivo.clinicas.orquestrador.chama.transport import Caller
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Idioma, Paciente, Vaga, Value
from crivo.clinicas.orquestrador.feito import booking_of
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name, written_slot
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.passos import find_held as step_of
from crivo.clinicas.orquestrador.provas import Chaveiro
from crivo.clinicas.orquestrador.quem_pede import QuemPede
from crivo.clinicas.orquestrador.trace import Tell, nobody
from crivo.kernel.linguagem.fala import fold

FRESH: Final = timedelta(seconds=30)
"""For how long what was found is taken to stand."""
_ASKED: Final[Mapping[Idioma, str]] = {
    "pt": "quais são as minhas consultas?",
    "en": "what are my appointments?",
    "es": "¿cuáles son mis citas?",
}
_THEIRS: Final = re.compile(
    r"(?:(?:ver|veja|mostr\w+|list\w+|quais|qual|busc\w+|consult\w+|me diga|quero(?: ver)?|preciso(?: ver)?)\s+)?(?:sao\s+|e\s+)?"
    r"(?:(?:todas\s+)?(?:as|a)\s+)?consultas?(?:\s+(?:marcadas?|dela|dele|d[aoe]|do paciente|da paciente|(?:que )?(?:ela|ele) tem|tem))*"
    r"|o que (?:ela|ele)? ?(?:tem|ha) (?:de )?marcad[ao]s?"
)
_MISSING: Final[Mapping[Idioma, str]] = {
    "pt": "Não consegui falar agora com: {clinicas}. O que está marcado lá não aparece aqui.",
    "en": "I could not reach: {clinicas}. What is booked there is not shown here.",
    "es": "No pude hablar ahora con: {clinicas}. Lo que está reservado allí no aparece aquí.",
}


class Achadas(Value, frozen=True):
    """The appointments that were found, the clinics that told, those that did not answer, and those that look at no code any more."""

    consultas: tuple[Booking, ...] = ()
    faltam: tuple[str, ...] = ()
    contaram: tuple[str, ...] = ()
    descansam: tuple[str, ...] = ()


async def find_held(router: Router, quem: QuemPede, paciente: Paciente, tell: Tell = nobody) -> Achadas:
    """All that somebody holds, where who asks may see it."""
    return await _asked(router, Caller(quem, paciente), paciente, [clinica.id for clinica in router.registro], tell)


async def find_by_code(router: Router, dialogue: Dialogue, code: str, chaveiro: Chaveiro, tell: Tell) -> Achadas:
    """The appointment of that code, where it is of the CPF that was told.

    Asked at the clinic whose letters the code begins with; where it is none of that one's, at those that may have given it before.
    """
    if dialogue.paciente is None:
        return Achadas()
    caller = Caller(dialogue.quem, dialogue.paciente, chaveiro, codigo=code)
    own = [one.id for one in dialogue.registro if is_of_clinic(code, one.id, one.letras)]
    before = [one.id for one in dialogue.registro if one.id not in own and may_be_of(code, one.id, one.letras)]
    found = await _asked(router, caller, dialogue.paciente, own, tell)
    if found.consultas or not before:
        return found
    others = await _asked(router, caller, dialogue.paciente, before, tell)
    return Achadas(
        others.consultas, (*found.faltam, *others.faltam), (*found.contaram, *others.contaram), (*found.descansam, *others.descansam)
    )


async def find_at(router: Router, caller: Caller, own: Paciente | None, clinic: str, tell: Tell) -> Achadas:
    """What a caller finds at one clinic; in the names of others where they are not `own`'s."""
    return await _asked(router, caller, own or Paciente("", ""), [clinic], tell)


def with_all_held(dialogue: Dialogue, found: Achadas) -> Dialogue:
    """The dialogue with what was found: what it held stays in its order where it still stands, and what is new comes after it."""
    still = frozenset(one.vaga for one in found.consultas)
    kept = [one for one in dialogue.bookings if one.vaga in still or one.clinic in found.faltam or one.para]
    return with_held(msgspec.structs.replace(dialogue, bookings=tuple(kept)), found.consultas)


def with_held(dialogue: Dialogue, consultas: Sequence[Booking]) -> Dialogue:
    """The dialogue with appointments that it may not have known."""
    known = frozenset(one.vaga for one in dialogue.bookings)
    new = sorted((one for one in consultas if one.vaga not in known), key=lambda one: (one.date, one.time, one.clinic))
    return msgspec.structs.replace(dialogue, bookings=(*dialogue.bookings, *new))


def asked_for_held(idioma: Idioma) -> str:
    """What somebody would say who asks for their appointments."""
    return _ASKED[idioma]


def asks_for_theirs(text: str) -> bool:
    """Whether what is said beside a name asks for that person's appointments and nothing else: `as consultas da`."""
    return _THEIRS.fullmatch(fold(text).strip(" ,.:;!?")) is not None


def missing(found: Achadas, dialogue: Dialogue, idioma: Idioma) -> str:
    """That some clinics could not be asked; empty where all were."""
    names = ", ".join(clinic_name(clinic, dialogue.registro) for clinic in found.faltam)
    return _MISSING[idioma].format(clinicas=names) if names else ""


def code_lines(codes: Mapping[Vaga, str], texts: Mensagens, *, renewed: bool = False) -> str:
    """The codes of appointments just booked, in the words that ask to keep them; `renewed`: the one before is good no more."""
    before = f" {texts.say('codigo_trocado')}" if renewed else ""
    if len(codes) == 1:
        return texts.say("guarde_o_codigo", codigo=written(next(iter(codes.values())))) + before
    lines = (f"- {written_slot(*vaga, texts.registro, texts.idioma)}: {written(code)}" for vaga, code in codes.items())
    return texts.say("guarde_os_codigos", lista="\n".join(lines)) + before


async def _asked(router: Router, caller: Caller, paciente: Paciente, clinics: Sequence[str], tell: Tell) -> Achadas:
    steps = [step_of(clinic, index) for index, clinic in enumerate(clinics, 1)]
    replies = await router.run(steps, caller, tell, "consultas")
    found = [
        booking_of(reply.clinic, one, paciente)
        for reply in replies
        if reply.result is not None
        for one in reply.result.get("appointments", ())
    ]
    absent = tuple(reply.clinic for reply in replies if reply.error is not None and reply.error.code is not None)
    told = tuple(reply.clinic for reply in replies if reply.result is not None)
    rests = tuple(reply.clinic for reply in replies if reply.error is not None and reply.error.codigo == "codigo_em_descanso")
    return Achadas(tuple(sorted(found, key=lambda one: (one.date, one.time, one.clinic))), absent, told, rests)
