"""The embedded responder: the clinics' answers put into words from templates. Source: blueprint 2.3.3, rules 1 to 9.

It says only what the answers hold; slots come in the order in which the dialogue counts them, so that `o segundo` is the second line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib.resources import files
from typing import Any, Final

import msgspec

from crivo.clinicas.ferramentas import LER_FICHA, VER_HORARIOS
from crivo.clinicas.orquestrador.contracts import ClinicReply, Dialogue, Idioma, Offer, Plan
from crivo.clinicas.orquestrador.decide.responder.respostas import place_of
from crivo.clinicas.orquestrador.entende.desejos import told_together
from crivo.clinicas.orquestrador.entende.selecao import Grupo, Selecao, sees_children_alone, select
from crivo.clinicas.orquestrador.linguagem.formatos import clinic_name, enumerated, with_doctor, written_day, written_slot
from crivo.clinicas.orquestrador.mensagens import Mensagens, text_for
from crivo.clinicas.orquestrador.pessoa import whom_to_call
from crivo.clinicas.protocol import CODIGOS, UNREACHABLE
from crivo.kernel.linguagem.identificadores import digits_of

_TEXTS: Final = msgspec.json.decode(
    files("crivo.clinicas.orquestrador.escreve").joinpath("textos.json").read_bytes(), type=dict[Idioma, dict[str, str]]
)


_OF: Final[dict[Idioma, str]] = {"pt": "de", "en": "of", "es": "de"}
_FOR: Final[dict[Idioma, str]] = {"pt": "para", "en": "for", "es": "para"}


class EmbeddedResponder:
    """The responder behind `contracts.Responder` that runs on code alone."""

    async def write(self, utterance: str, plan: Plan, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> str:
        """The text for the person."""
        return write(utterance, plan, replies, dialogue)


def write(utterance: str, plan: Plan, replies: tuple[ClinicReply, ...], dialogue: Dialogue) -> str:
    """The text for the person: what was done, what there is, what is missing, what is refused, and last what is asked."""
    words = _Words(plan.idioma, dialogue)
    parts = [
        *words.done(replies),
        *words.slots(plan, replies, alternatives=told_together(utterance, dialogue) == "um"),
        *words.patients(replies),
        *words.refused(replies),
        *words.missing(replies),
    ]
    if plan.fala:
        parts.append(plan.fala)
    if plan.pergunta:
        parts.append(plan.pergunta)
    return "\n".join(parts)


def _asking(selecao: Selecao, *, alternatives: bool) -> str:
    """How it is asked which slot: of several specialties, each with one slot as asked, whether all of them shall be booked."""
    alone = all(grupo.assim and grupo.quantos == 1 == len(grupo.ofertas) for grupo in selecao.grupos)
    all_of_them = alone and len(selecao.grupos) > 1 and not alternatives
    return "qual_um" if len(selecao.ofertas) == 1 else "qual_cada" if all_of_them else "qual"


class _Words:
    """The texts of one turn."""

    def __init__(self, idioma: Idioma, dialogue: Dialogue) -> None:
        self._idioma: Idioma = idioma
        self._dialogue = dialogue
        self._registro = dialogue.registro

    def _say(self, key: str, **values: str) -> str:
        return text_for(self._dialogue.papel, _TEXTS[self._idioma], key).format(**values)

    def _name(self) -> str:
        """The first name of who was served, as it stands in the sentence: said to a patient, told of to an operator."""
        paciente = self._dialogue.paciente
        lead = f" {_OF[self._idioma]}" if self._dialogue.papel == "operador" else ","
        return f"{lead} {paciente.nome.split()[0]}" if paciente and paciente.nome.strip() else ""

    def _appointment(self, clinic: str, held: dict[str, Any]) -> str:
        return written_slot(clinic, held["doctor"], held["date"], held["time"], self._registro, self._idioma)

    def done(self, replies: Iterable[ClinicReply]) -> Iterable[str]:
        """What was booked, moved or cancelled, and of whom."""
        for reply in replies:
            freed, booked = reply.freed, reply.booked
            if freed and not booked:
                yield self._told("cancelada", freed, horario=self._appointment(reply.clinic, freed))
            elif booked:
                before = {"antes": self._appointment(reply.clinic, freed)} if freed else {}
                moved = self._appointment(reply.clinic, booked)
                yield self._told("remarcada" if freed else "marcada", booked, **before, horario=moved)
                yield from self._where(reply.clinic)

    def _where(self, clinic: str) -> Iterable[str]:
        """Where to go and whom to call, where the registry knows."""
        told = place_of(self._registro.find(clinic), self._idioma)
        return (told,) if told else ()

    def _told(self, key: str, held: dict[str, Any], **values: str) -> str:
        """What was done, said to whom it is of; of one whom the speaker books for it is told, with the name."""
        other = next((one for one in self._dialogue.pessoas if digits_of(one.cpf) == digits_of(str(held.get("cpf", "")))), None)
        if other is None:
            return self._say(key, nome=self._name(), **values)
        return text_for("operador", _TEXTS[self._idioma], key).format(nome=f" {_OF[self._idioma]} {other.nome.split()[0]}", **values)

    def slots(self, plan: Plan, replies: tuple[ClinicReply, ...], *, alternatives: bool = False) -> Iterable[str]:
        """The slots that are shown of every clinic, grouped by day, and how many more there are. Source: blueprint rule 9."""
        listed = [reply for reply in replies if reply.ferramenta is VER_HORARIOS and reply.result is not None]
        for clinic in dict.fromkeys(reply.clinic for reply in listed if not (reply.result or {}).get("available_slots")):
            yield self._nothing_free(clinic, plan)
        selecao = select(plan, listed, self._dialogue)
        if not selecao.todas:
            return
        first = 1
        for grupo in selecao.grupos:
            yield self._heading(grupo, selecao)
            yield from self._lines(grupo.ofertas, first, self._earliest(selecao))
            yield from self._only_children(grupo)
            yield from self._more(grupo)
            first += len(grupo.ofertas)
        if selecao.ofertas:
            yield self._asked(_asking(selecao, alternatives=alternatives))

    def _asked(self, key: str) -> str:
        """The question after a list, which tells an operator for whom it is."""
        paciente = self._dialogue.paciente
        known = paciente is not None and paciente.nome.strip() and self._dialogue.papel == "operador"
        return self._say(key, nome=f" {_FOR[self._idioma]} {paciente.nome.split()[0]}") if paciente and known else _TEXTS[self._idioma][key]

    def _heading(self, grupo: Grupo, selecao: Selecao) -> str:
        subject = self._subject(grupo.ofertas or selecao.todas)
        if not grupo.ofertas:
            return self._say("nada_assim", assunto=subject)
        if selecao.continua:
            return self._say("continua" if grupo.assim else "continua_fora", assunto=subject)
        if grupo.sem_nada:
            return self._say("em_outros_dias", assunto=subject, dia=written_day(grupo.sem_nada, self._idioma))
        if not grupo.assim:
            return self._say("mais_perto", assunto=subject)
        count = self._say("um_horario") if grupo.quantos == 1 else self._say("horarios", quantos=str(grupo.quantos))
        return self._say(
            "ha_horarios" if grupo.busca.is_free or grupo.busca.em_duvida else "ha_como_pediu", horarios=count, assunto=subject
        )

    def _only_children(self, grupo: Grupo) -> Iterable[str]:
        """That all there is is of doctors who see children alone, where that was not asked for."""
        quer = grupo.busca.quer
        if grupo.ofertas and not (quer.ramos or quer.medicos) and all(sees_children_alone(one, self._registro) for one in grupo.ofertas):
            yield self._say("so_de_criancas")

    def _more(self, grupo: Grupo) -> Iterable[str]:
        """How many were not shown, and the word that shows them."""
        counts = {"mais": str(grupo.mais), "fora": str(grupo.fora)}
        key = {(True, True): "ha_mais_e_fora", (True, False): "ha_mais", (False, True): "ha_fora"}.get((grupo.mais > 0, grupo.fora > 0))
        if key is not None:
            for_children = bool(grupo.fora) and grupo.busca.is_free  # nothing was said that they could be outside of
            yield self._say(f"{key}_criancas" if for_children else key, **counts)

    def _earliest(self, selecao: Selecao) -> tuple[str, str] | None:
        """The moment that is marked as the earliest: of a list's beginning, where there is a choice."""
        moments = [(offer.slot.date, offer.slot.time) for offer in selecao.ofertas]
        return min(moments) if len(moments) > 1 and not selecao.continua else None

    def _nothing_free(self, clinic: str, plan: Plan) -> str:
        """That a clinic has no slot; of those doctors, where it was asked for theirs alone."""
        asked = [step.parameters.get("doctor", "") for step in plan.steps if step.clinic == clinic and step.ferramenta is VER_HORARIOS]
        name = clinic_name(clinic, self._registro)
        if len(asked) == 1 and asked[0]:
            return self._say("sem_horarios_medico", medico=asked[0], clinica=name)
        return self._say("sem_horarios", clinica=name)

    def _subject(self, offers: tuple[Offer, ...]) -> str:
        known = (self._registro.find(offer.clinic) for offer in offers)
        names = dict.fromkeys(clinica.especialidade for clinica in known if clinica)
        texts = Mensagens(self._idioma, self._registro)
        return enumerated((texts.specialty(name) for name in names), self._idioma)

    def _lines(self, offers: tuple[Offer, ...], first: int, earliest: tuple[str, str] | None) -> Iterable[str]:
        """The slots under their days, one to a line and numbered."""
        day = ""
        for number, offer in enumerate(offers, first):
            if offer.slot.date != day:
                day = offer.slot.date
                yield _begun(written_day(day, self._idioma))
            slot, clinic = offer.slot, clinic_name(offer.clinic, self._registro)
            known = self._registro.find(offer.clinic)
            branch = f", {slot.specialty}" if known and slot.specialty and slot.specialty != known.especialidade else ""
            mark = self._say("mais_cedo") if (slot.date, slot.time) == earliest else ""
            yield f"{number}) {slot.time}, {with_doctor(slot.doctor, self._idioma)} ({clinic}){branch}{mark}"

    def patients(self, replies: Iterable[ClinicReply]) -> Iterable[str]:
        """Ids and conditions, or the record that was asked for."""
        for reply in replies:
            if reply.result is None:
                continue
            clinic = clinic_name(reply.clinic, self._registro)
            if reply.ferramenta is LER_FICHA:
                record = reply.result.get("patient") or {}
                yield self._say("ficha", clinica=clinic, lista="; ".join(f"{field}: {_written(value)}" for field, value in record.items()))
            elif reply.ferramenta.reads_patients:
                found = reply.result.get("patients", reply.result.get("matches", []))
                listed = ", ".join(f"{one['patient_id']} ({one['condition']})" for one in found)
                yield self._say("pacientes", clinica=clinic, lista=listed) if listed else self._say("sem_pacientes", clinica=clinic)

    def refused(self, replies: Iterable[ClinicReply]) -> Iterable[str]:
        """What a clinic did not do, as its receptionist would say it."""
        errors = [reply.error for reply in replies if reply.error]
        yield from dict.fromkeys(self._say(error.codigo if error.codigo in CODIGOS else "outro_erro") for error in errors if error.codigo)
        if any(error.lacks_proof for error in errors):
            yield from filter(None, (whom_to_call(self._idioma, self._registro),))
        failed = [reply.clinic for reply in replies if reply.error and not reply.error.codigo and not _is_away(reply)]
        for clinic in dict.fromkeys(failed):
            yield self._say("erro_da_clinica", clinica=clinic_name(clinic, self._registro))

    def missing(self, replies: Iterable[ClinicReply]) -> Iterable[str]:
        """Which clinics gave no answer."""
        kept = [reply for reply in replies if _is_away(reply)]
        groups: tuple[tuple[str, Callable[[ClinicReply], bool]], ...] = (
            ("fora_do_ar", lambda reply: not reply.ferramenta.names_patient),
            ("fora_do_ar_acao", lambda reply: reply.ferramenta.names_patient),
        )
        for key, belongs in groups:
            clinics = dict.fromkeys(clinic_name(reply.clinic, self._registro) for reply in kept if belongs(reply))
            if clinics:
                yield self._say(key, clinicas=enumerated((_with_article(name, self._idioma) for name in clinics), self._idioma))


def _with_article(name: str, idioma: Idioma) -> str:
    return f"a {name}" if idioma == "pt" and name.startswith("Clínica") else name


def _is_away(reply: ClinicReply) -> bool:
    """Whether the clinic could not be reached."""
    return reply.error is not None and reply.error.code == UNREACHABLE


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _written(value: object) -> str:
    return ", ".join(str(one) for one in value) if isinstance(value, list) else str(value)
