"""What cannot be right in a request, asked back: unknown names, days that are not, names and places that do not go together."""

from __future__ import annotations

from typing import Final

import msgspec

from crivo.clinicas.orquestrador.decide.situacao import Pendente, Proposito, Saida, Situacao
from crivo.clinicas.orquestrador.entende.criterios import Criterios, Dia, Hora, Value
from crivo.clinicas.orquestrador.entende.leitura import Leitura
from crivo.clinicas.orquestrador.entende.momentos.tempo import Falha

_FAULTS: Final[dict[Falha, str]] = {
    "passada": "data_passada",
    "inexistente": "data_inexistente",
    "contraditoria": "data_contraditoria",
    "hora_inexistente": "hora_inexistente",
    "duas_leituras": "data_duas_leituras",
}

_TITLES: Final = (("mulher", "Dra."), ("outra_medica", "Dra."), ("homem", "Dr."))


class Conferido(Value, frozen=True):
    """A reading with its references resolved, or the question that it raises."""

    criterios: Criterios = Criterios()
    saida: Saida | None = None


def check(leitura: Leitura, situacao: Situacao, proposito: Proposito = "marcar") -> Conferido:
    """The criteria of a reading, references resolved and doctors narrowed; or what must be asked first."""
    criterios = resolve_references(leitura, situacao)
    asked = _question(leitura, criterios, situacao)
    if asked is not None:
        return Conferido(criterios, Saida(pergunta=asked, pendente=_remembering(criterios, situacao, proposito)))
    return _doctors_in_place(criterios, situacao)


def _remembering(criterios: Criterios, situacao: Situacao, proposito: Proposito) -> Pendente:
    old = situacao.pendente
    return Pendente("escolher" if situacao.offers else "especialidade", criterios, proposito, consulta=old.consulta)


def _question(leitura: Leitura, criterios: Criterios, situacao: Situacao) -> str | None:
    say = situacao.mensagens.say
    if leitura.falhas:
        return say(_FAULTS[leitura.falhas[0]])
    if _is_past(criterios, situacao):
        return say("data_passada")
    if leitura.medicos_desconhecidos:
        return say("medico_desconhecido", medico=leitura.medicos_desconhecidos[0])
    if leitura.clinicas_desconhecidas and not criterios.clinicas:
        return say("clinica_desconhecida")
    return None


def _is_past(criterios: Criterios, situacao: Situacao) -> bool:
    """Whether a time of today that was said is over in every reading."""
    now = situacao.dialogue.now
    today, clock = now.date().isoformat(), now.strftime("%H:%M")
    if criterios.day != today or not criterios.horas:
        return False
    return all(_latest(hora) <= clock for hora in criterios.horas)


def _latest(hora: Hora) -> str:
    return max(hora.readings) if hora.readings else hora.last


def _doctors_in_place(criterios: Criterios, situacao: Situacao) -> Conferido:
    """Doctors kept to the clinics and specialties that were named with them; a question where none is left."""
    if not criterios.medicos:
        return _clinics_of_specialty(criterios, situacao)
    groups = []
    for names in criterios.medicos:
        kept = tuple(name for name in names if _works_there(name, criterios, situacao))
        if not kept:
            return Conferido(criterios, _not_there(names[0], criterios, situacao))
        groups.append(kept)
    return Conferido(msgspec.structs.replace(criterios, medicos=tuple(groups)))


def _works_there(doctor: str, criterios: Criterios, situacao: Situacao) -> bool:
    places = situacao.works_at(doctor)
    by_clinic = not criterios.clinicas or any(place in criterios.clinicas for place in places)
    by_specialty = not criterios.especialidades or any(situacao.specialty_of(place) in criterios.especialidades for place in places)
    return by_clinic and by_specialty


def _not_there(doctor: str, criterios: Criterios, situacao: Situacao) -> Saida:
    texts = situacao.mensagens
    place = texts.clinic(criterios.clinicas[0]) if criterios.clinicas else texts.specialty(criterios.especialidades[0])
    asked = texts.say("medico_fora_da_clinica", medico=doctor, lugar=place, clinicas=texts.clinics(situacao.works_at(doctor)))
    return Saida(pergunta=asked)


def _clinics_of_specialty(criterios: Criterios, situacao: Situacao) -> Conferido:
    """Clinics that are named beside a specialty and do not practise it raise a question."""
    if not (criterios.clinicas and criterios.especialidades):
        return Conferido(criterios)
    agreeing = tuple(clinic for clinic in criterios.clinicas if situacao.specialty_of(clinic) in criterios.especialidades)
    if agreeing:
        return Conferido(msgspec.structs.replace(criterios, clinicas=agreeing))
    texts, clinic = situacao.mensagens, criterios.clinicas[0]
    asked = texts.say(
        "clinica_de_outra_especialidade",
        clinica=texts.clinic(clinic),
        especialidade=texts.specialty(situacao.specialty_of(clinic)),
        pedida=texts.specialty(criterios.especialidades[0]),
    )
    return Conferido(criterios, Saida(pergunta=asked))


def resolve_references(leitura: Leitura, situacao: Situacao) -> Criterios:
    """The criteria with `o mesmo médico`, `lá`, `no mesmo dia` and the like filled in from the booking or the slot spoken of last."""
    criterios = _by_title(leitura)
    last = _in_focus(situacao)
    if last is None:
        return criterios
    doctor, clinic, date, time = last
    listed = situacao.pendente.criterios.doctors
    if situacao.pendente.assunto == "listado" and situacao.pendente.proposito != "mudar" and len(listed) == 1:
        doctor = listed[0]
    elsewhere = not (criterios.clinicas or criterios.medicos)
    given: dict[str, tuple[object, ...]] = {}
    place = _beside(leitura, last, situacao)
    if place and not criterios.has_moment:
        given["ordinais"] = (place,)
    if "mesmo_medico" in leitura.referencias and doctor and not criterios.has_scope:
        given["medicos"] = ((doctor,),)
    elif "mesma_clinica" in leitura.referencias and not criterios.has_scope:
        given["clinicas"] = (clinic,)
    elif "outra_clinica" in leitura.referencias and elsewhere:
        given["clinicas"] = tuple(other for other in situacao.clinics_of(situacao.specialty_of(clinic)) if other != clinic)
    if "mesmo_dia" in leitura.referencias and date and not criterios.dias:
        given["dias"] = (Dia(date, date),)
    if "mesma_hora" in leitura.referencias and time and not criterios.horas:
        given["horas"] = (Hora((time,)),)
    if leitura.depois and time and not criterios.horas:
        given["horas"] = (Hora((_later(time, leitura.depois),)),)
    return msgspec.structs.replace(criterios, **given) if given else criterios


def _by_title(leitura: Leitura) -> Criterios:
    """The criteria with whether a woman or a man is wanted."""
    titles = tuple(dict.fromkeys(title for name, title in _TITLES if name in leitura.referencias))
    return msgspec.structs.replace(leitura.criterios, titulos=titles) if len(titles) == 1 else leitura.criterios


def _later(time: str, minutes: int) -> str:
    total = (int(time[:2]) * 60 + int(time[3:]) + minutes) % (24 * 60)
    return f"{total // 60:02d}:{total % 60:02d}"


def _beside(leitura: Leitura, focus: tuple[str, str, str, str], situacao: Situacao) -> int:
    """1-based index of the neighbour of the slot spoken of last; 0 if none."""
    step = bool(situacao.bookings) * (("o_de_baixo" in leitura.referencias) - ("o_de_cima" in leitura.referencias))
    lines = [(offer.slot.doctor, offer.clinic, offer.slot.date, offer.slot.time) for offer in situacao.offers]
    place = lines.index(focus) + 1 + step if step and focus in lines else 0
    return place if 0 < place <= len(lines) else 0


def _in_focus(situacao: Situacao) -> tuple[str, str, str, str] | None:
    """Doctor, clinic, date and time spoken of last: the booking being changed, the last booking, or the only slot shown."""
    booking = situacao.pendente.consulta or (situacao.bookings[-1] if situacao.bookings else None)
    if booking:
        return booking.doctor, booking.clinic, booking.date, booking.time
    proposed = situacao.pendente.proposta
    if proposed is None:
        shown = {(offer.slot.doctor, offer.clinic) for offer in situacao.offers}
        if len(shown) != 1:
            return _focus_of_pending(situacao) or _only_clinic(shown)
        proposed = situacao.offers[0]
    return proposed.slot.doctor, proposed.clinic, proposed.slot.date, proposed.slot.time


def _only_clinic(shown: set[tuple[str, str]]) -> tuple[str, str, str, str] | None:
    """The clinic that all slots shown are of."""
    clinics = {clinic for _, clinic in shown}
    return ("", clinics.pop(), "", "") if len(clinics) == 1 else None


def _focus_of_pending(situacao: Situacao) -> tuple[str, str, str, str] | None:
    doctors = situacao.pendente.criterios.doctors
    if len(doctors) != 1 or not situacao.works_at(doctors[0]):
        return None
    return doctors[0], situacao.works_at(doctors[0])[0], "", ""
