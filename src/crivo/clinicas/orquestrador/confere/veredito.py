"""The verifier: the clinics' data before it is worded, and the words before they are read. Source: blueprint 2.3.2."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from crivo.clinicas.orquestrador.confere import cobertura, r1_tratamentos, r2_pessoais, r3_orientacao, r4_concordancia
from crivo.clinicas.orquestrador.confere.alegacoes import find_alegacoes
from crivo.clinicas.orquestrador.confere.cadastro import without_registry
from crivo.clinicas.orquestrador.contracts import ClinicReply, Paciente, Papel, Regra, Value, Verdict
from crivo.clinicas.orquestrador.entende.clausulas import Page
from crivo.clinicas.orquestrador.fatos import Fatos, Known
from crivo.clinicas.registro import Registro
from crivo.kernel.linguagem.fala import calm
from crivo.kernel.linguagem.folego import CPU_SECONDS, SemFolego, breath
from crivo.kernel.linguagem.identificadores import digits_of

# No answer of a reception is this long; one that is would cost more to read than it is worth.
LONGEST: Final = 8_000


class Achado(Value, frozen=True):
    """Something that a text may not say: the rule, why in pt-BR, and the words at fault; none where the whole text is at fault."""

    regra: Regra
    motivo: str
    trecho: str = ""


OK: Final = Verdict(safe=True, note="OK")
NOTHING_KNOWN: Final = Known()
REGRAS: Final[tuple[Regra, ...]] = ("R1", "R2", "R3", "R4")


def verify_text(
    texto: str,
    replies: tuple[ClinicReply, ...],
    paciente: Paciente | None,
    papel: Papel,
    *,
    registro: Registro,
    now: datetime,
    extra_safe: Known = NOTHING_KNOWN,
    cpu_seconds: float = CPU_SECONDS,
    de_modelo: bool = False,
) -> Verdict:
    """Whether a text may reach the person, held against what the clinics answered.

    `extra_safe` is what may be said though no clinic answered it in this turn. The note names each rule and never repeats the text.
    A text that is too long, or takes more than `cpu_seconds` of the processor to read, may not. One `de_modelo` is also held to the
    matters and the kinds of sentence of a reception's reply: what has no fact in the answers may not be spoken of.
    """
    return verdict_of(
        find_achados(
            texto, replies, paciente, papel, registro=registro, now=now, extra_safe=extra_safe, cpu_seconds=cpu_seconds, de_modelo=de_modelo
        )
    )


def find_achados(
    texto: str,
    replies: tuple[ClinicReply, ...],
    paciente: Paciente | None,
    papel: Papel,
    *,
    registro: Registro,
    now: datetime,
    extra_safe: Known = NOTHING_KNOWN,
    cpu_seconds: float = CPU_SECONDS,
    de_modelo: bool = False,
) -> tuple[Achado, ...]:
    """The same, fault by fault, each with the words that are at fault where they are known."""
    if len(texto) > LONGEST:
        return (Achado("R4", "o texto é longo demais para ser conferido"),)
    try:
        with breath(cpu_seconds):
            return tuple(
                dict.fromkeys(_found(calm(texto), Fatos(replies, paciente, papel, extra_safe), registro, now, de_modelo=de_modelo))
            )
    except SemFolego:
        return (Achado("R4", "o texto é difícil demais para ser conferido"),)


def _found(texto: str, fatos: Fatos, registro: Registro, now: datetime, *, de_modelo: bool) -> Iterator[Achado]:
    page = Page(without_registry(texto, registro))
    leitura = r4_concordancia.read(page, fatos, registro, now)
    found = [
        *(Achado("R1", motivo) for motivo in r1_tratamentos.breaches(page, fatos)),
        *(Achado("R2", motivo) for motivo in r2_pessoais.breaches(page, fatos)),
        *(Achado("R3", motivo) for motivo in r3_orientacao.breaches(page, fatos)),
        *(Achado("R4", motivo) for motivo in r4_concordancia.breaches(page, fatos, leitura)),
    ]
    yield from found
    if not found and cobertura.silent(page, fatos, leitura.mentions):
        yield Achado("R4", "deixa de fora horários que há")
    if de_modelo:
        for alegacao in find_alegacoes(page, fatos, leitura.mentions):
            left, right = page.folded.span(alegacao.start, alegacao.end)
            yield Achado("R4", alegacao.motivo, page.original[left:right].strip())


def verify_data(replies: tuple[ClinicReply, ...], paciente: Paciente | None, papel: Papel) -> Verdict:
    """Whether what the clinics answered may be worded at all: no one else's data for a patient, no orders in the free text."""
    fatos = Fatos(replies, paciente, papel, NOTHING_KNOWN)
    found: dict[Regra, list[str]] = {"R1": [], "R2": [], "R3": [], "R4": []}
    for spoken in dict.fromkeys(fatos.spoken):
        page = Page(spoken)
        bare = Fatos((), paciente, papel, Known(doctors=fatos.doctors))
        found["R1"] += r1_tratamentos.breaches(page, bare)
        found["R3"] += r3_orientacao.breaches(page, bare)
        if papel == "paciente":
            found["R2"] += r2_pessoais.breaches(page, bare)
    if papel == "paciente" and any(_of_another(value, fatos) for reply in replies for value in _objects(reply.result or {})):
        found["R2"].append("traz dados de outra pessoa")
    return verdict_of(Achado(regra, motivo) for regra, motivos in found.items() for motivo in motivos)


_PERSONAL: Final = frozenset(
    {"name", "patient_name", "cpf", "phone", "email", "address", "birth_date", "rg", "cns", "telefone", "endereco"}
)


def _of_another(record: dict[str, Any], fatos: Fatos) -> bool:
    """Whether a record of an answer holds personal data and is not the person's own."""
    personal = {key: str(value) for key, value in record.items() if key in _PERSONAL and value}
    if not personal:
        return False
    own = fatos.paciente
    if own is None:
        return True
    cpf = personal.get("cpf")
    if cpf is not None:
        return digits_of(cpf) != digits_of(own.cpf)
    name = personal.get("name") or personal.get("patient_name")
    return name is None or name.casefold() != own.nome.casefold()


def _objects(value: object) -> list[dict[str, Any]]:
    if isinstance(value, dict):
        return [value, *(inner for part in value.values() for inner in _objects(part))]
    if isinstance(value, list | tuple):
        return [inner for part in value for inner in _objects(part)]
    return []


def verdict_of(achados: Iterable[Achado]) -> Verdict:
    """What was found as a verdict; the note names each rule with why, once."""
    told = tuple(achados)
    broken = {regra: list(dict.fromkeys(one.motivo for one in told if one.regra == regra)) for regra in REGRAS}
    reasons = {regra: motivos for regra, motivos in broken.items() if motivos}
    if not reasons:
        return OK
    note = " ".join(f"{regra}: {'; '.join(motivos)}." for regra, motivos in reasons.items())
    return Verdict(safe=False, note=note, regras=tuple(reasons))
