"""What comes of putting another agenda in the place of a clinic's, told before it is done; and what a new one is filled from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from crivo.clinicas.clinica.dbjson import read_db_json
from crivo.clinicas.clinica.errors import SiloIndisponivel
from crivo.clinicas.clinica.serving import Place
from crivo.clinicas.clinica.transfer import held_slots, import_slots, write_aside
from crivo.clinicas.clinica.values import SlotRecord
from crivo.clinicas.orquestrador.entende.vocabulario import belongs
from crivo.clinicas.registro import Clinica, Registro, practises
from crivo.kernel.clock import BRASILIA
from crivo.kernel.linguagem.identificadores import digits_of


class DeFora(msgspec.Struct, frozen=True):
    """A specialty of an agenda that is neither its clinic's nor a known branch of it; `de` are the clinics that practise it."""

    especialidade: str
    horarios: int
    de: tuple[Clinica, ...]


class Previa(msgspec.Struct, frozen=True):
    """What an import would come to, in counts; `perdidas` are appointments that the file does not have, `por_vir` those still to come."""

    place: Place
    arquivo: Path
    novos: tuple[SlotRecord, ...]
    atuais: tuple[SlotRecord, ...]
    entram: int
    saem: int
    ficam: int
    perdidas: int
    por_vir: int
    mantidas: int
    de_fora: tuple[DeFora, ...]

    @property
    def asks(self) -> bool:
        """Whether somebody has to confirm it: something is there already, or what comes does not look like this clinic's."""
        return bool(self.atuais or self.de_fora)


def preview(place: Place, registro: Registro, arquivo: Path) -> Previa:
    """What it would come to if a db.json took the place of a clinic's agenda. Raises DbJsonInvalido, SiloIndisponivel."""
    novos, atuais = read_db_json(arquivo), held_slots(place)
    coming, going = {_moment(slot) for slot in novos}, {_moment(slot) for slot in atuais}
    brought = {_booking(slot) for slot in novos if slot.cpf}
    booked = [slot for slot in atuais if slot.cpf]
    lost = [slot for slot in booked if _booking(slot) not in brought]
    now = place.clock.now().astimezone(BRASILIA).strftime("%Y-%m-%d %H:%M")
    return Previa(
        place,
        arquivo,
        novos,
        atuais,
        entram=len(coming - going),
        saem=len(going - coming),
        ficam=len(coming & going),
        perdidas=len(lost),
        por_vir=sum(f"{slot.date} {slot.time}" > now for slot in lost),
        mantidas=len(booked) - len(lost),
        de_fora=strangers(registro, place.clinica, novos),
    )


def carry_out(previa: Previa) -> Path | None:
    """Put the new agenda in place; where the one before was written to, which is None where there was none.

    The copy stands beside the file that was imported. Raises AgendaMudou and SiloIndisponivel, the clinic being as it was.
    """
    aside = None
    if previa.atuais:
        try:
            aside = write_aside(previa.place, previa.arquivo.absolute().parent, previa.atuais)
        except SiloIndisponivel as error:
            told = f"A agenda de antes não pôde ser guardada ao lado de {previa.arquivo}, e nada foi importado. {error.mensagem}"
            raise SiloIndisponivel(told) from None
    try:
        import_slots(previa.place, previa.novos, previa.atuais)
    except BaseException:
        if aside is not None:
            aside.unlink(missing_ok=True)
        raise
    return aside


def strangers(registro: Registro, clinica: Clinica, slots: Iterable[SlotRecord]) -> tuple[DeFora, ...]:
    """The specialties of an agenda that do not look like its clinic's, in the order in which they come."""
    return tuple(
        DeFora(filed, many, _elsewhere(registro, clinica, filed))
        for filed, many in Counter(slot.specialty for slot in slots).items()
        if not belongs(registro, clinica.especialidade, filed)
    )


def _elsewhere(registro: Registro, clinica: Clinica, filed: str) -> tuple[Clinica, ...]:
    others: Sequence[Clinica] = [one for one in registro if one.id != clinica.id]
    return tuple(one for one in others if practises(one.especialidade, filed))


def _moment(slot: SlotRecord) -> tuple[str, str, str]:
    return slot.doctor, slot.date, slot.time


def _booking(slot: SlotRecord) -> tuple[str, str, str, str]:
    return *_moment(slot), digits_of(slot.cpf or "")
