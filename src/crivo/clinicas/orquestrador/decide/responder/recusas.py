"""What is not done, whoever asks: medicine, other people's data, diagnosis, anything out of scope; and attempts to talk the rules away.

Source: blueprint 2.3.2 (R1 to R3); design, "What a plan holds".
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, MotivoDeRecusa
from crivo.clinicas.orquestrador.decide.pessoas.de_quem import names_of
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.lexico import intention, people_words, refusal
from crivo.clinicas.orquestrador.entende.medicos import find_doctors
from crivo.clinicas.orquestrador.entende.mencoes import context_of
from crivo.clinicas.orquestrador.entende.pessoas.fichas import find_records
from crivo.clinicas.orquestrador.entende.vocabulario import find_specialties
from crivo.clinicas.registro import Registro
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.identificadores import CPF_WRITTEN, digits_of

_OF_SOMEBODY: Final = re.compile(
    r"\b(?:consultas?|horarios?|agendamentos?|marcacao|e-mail|email|endereco|idade|remedios?|exame|condicao|doencas?|contato|diagnostico|prontuario|ficha|dados|cpf|telefone|exames?|historico|nome|"
    r"appointment|cita|reserva|vaga|consulta que e)\s+"
    r"(?:d[aeo]s?|of|del|de la)\s+(?:(?:sr|sra|seu|dona|senhor|senhora|paciente|o|a)\s+)?([a-z]{3,})(?:\s+([a-z]{3,}))?"
)
_THE_PATIENT: Final = re.compile(
    r"\b(?:[oa]|d[oa]|the|el|la)\s+(?:paciente|patient|dona|seu|senhora?|sra?)\s+([a-z]{3,})(?:\s+([a-z]{3,}))?"
)
_SOMEBODY_HAS: Final = re.compile(
    r"\b([a-z]{3,})(?:\s+([a-z]{3,}))?\s+(?:ja\s+)?(?:tem|marcou|agendou|vai|esta|foi|cancelou|veio|esteve|has|is|tiene)\b"
    r"(?=[^?.!]{0,40}\b(?:consultas?|horario|marcad\w*|agendad\w*|atendid\w*|ai|appointment|cita)\b)"
)
_IN_THE_NAME: Final = re.compile(
    r"\b(?:no|em|under|pelo|usando o|com o|en|a)\s+(?:the\s+)?(?:nome|name|cpf|nombre|cadastro)\s+(?:(?:d[aeo]s?|of|"
    r"de)\s+)?(?:(?:sr|sra|seu|dona|o|a|minha|meu)\s+)?([a-z]{3,})"
)
_CONTRA_OWN: Final = frozenset(
    {"meu", "minha", "mim", "completo", "que", "dele", "dela", "cpf", "nome", "mesmo", "proprio", "my", "mine", "own"}
    | {"jesus", "deus", "cristo"}  # `em nome de Jesus` is a way of speaking
)
_WIDE: Final = re.compile(
    r"\b(?:todos|todas|all|every|everyone|paciente|pacientes|patients?|banco|base|usuarios|outros|database|registros|cpfs|telefones|enderecos|prontuarios|fichas|nomes)\b"
)


_PRONOUNS: Final = frozenset({"dela", "dele", "hers", "his"})


class Recusa(msgspec.Struct, frozen=True):
    """Why something is refused, and the stretch of the sentence that asks for it; the whole sentence, where nothing else may be done."""

    motivo: MotivoDeRecusa
    start: int
    end: int
    whole: bool = False


def find_refusal(sentence: Frase, dialogue: Dialogue) -> Recusa | None:
    """The refusal that a sentence calls for, if any; other people's affairs and injections come before the rest."""
    whole = (0, len(sentence.text))
    if dialogue.papel == "paciente" and not _is_of_known(sentence, dialogue) and _touches_others(sentence, dialogue):
        return Recusa("R2", *whole, whole=True)
    if refusal("injecao").search(sentence.text):
        return Recusa(_asked_by_injection(sentence), *whole, whole=True)
    if dialogue.papel == "operador" and _bulk(sentence):
        return Recusa("R2", *whole, whole=True)
    rules: tuple[tuple[str, MotivoDeRecusa], ...] = (("parar", "R3"), ("R1", "R1"), ("R3", "R3"), ("escopo", "escopo"))
    for group, motivo in rules:
        for match in refusal(group).finditer(sentence.text):
            if motivo == "escopo" or not _is_told(sentence.text, match):
                return Recusa(motivo, *match.span())
    return None


_CLAUSE_END: Final = re.compile(r"[,.;!?]|\b(?:e|mas|entao|and|but|y|pero)\b")
_SENTENCE_END: Final = re.compile(r"[.;!?]|$")


def _is_of_known(sentence: Frase, dialogue: Dialogue) -> bool:
    """Whether it speaks of somebody whom the speaker books for, and gave name and CPF of: only what was booked here can be meant."""
    words = {word.text for word in sentence.words}
    names = {fold(one.nome).split()[0] for one in dialogue.pessoas}
    relation = {fold(dialogue.para.quem).split()[-1]} if dialogue.para is not None and dialogue.para.pessoa is not None else set()
    relation |= {word for one in dialogue.bookings for word in names_of(one)}
    if any(one.para for one in dialogue.bookings) and not refusal("dado").search(sentence.text):
        relation |= _PRONOUNS
    return bool(words & (names | relation)) and not CPF_WRITTEN.search(sentence.text) and not _WIDE.search(sentence.text)


def _is_told(text: str, match: re.Match[str]) -> bool:
    """Whether the clause tells of a medicine or an illness and asks nothing: `tomo anticoagulante e preciso de cardiologista`."""
    start = max((one.end() for one in _CLAUSE_END.finditer(text, 0, match.start())), default=0)
    stop = _CLAUSE_END.search(text, match.end())
    clause = text[start : stop.start() if stop else len(text)]
    if not refusal("conta").search(clause) or refusal("interroga").search(clause):
        return False
    ending = _SENTENCE_END.search(text, match.start())
    asks = ending is not None and ending.group() == "?"
    rest = text[match.end() : max(match.end(), ending.start() if ending else len(text))]
    return not asks or bool(intention("perguntar").search(rest) or intention("marcar").search(rest))


def _asked_by_injection(sentence: Frase) -> MotivoDeRecusa:
    """The rule of what an injection asks for. Source: design, "an injection is refused by the rule of what it asks for"."""
    text = sentence.text
    if refusal("R2").search(text) or (refusal("dado").search(text) and _WIDE.search(text)) or CPF_WRITTEN.search(text):
        return "R2"
    if refusal("R1").search(text) or refusal("remedio").search(text) or refusal("farmaco").search(text):
        return "R1"
    return "R3" if refusal("R3").search(text) or "medico" in text else "escopo"


def _bulk(sentence: Frase) -> bool:
    """Whether everybody's personal data are asked for at once, which no role may have."""
    text = sentence.text
    return bool(
        _WIDE.search(text)
        and re.search(r"\b(?:cpfs?|telefones?|enderecos?|nomes e|names and|todos os (?:cpfs|telefones|nomes|dados))\b", text)
    )


def _touches_others(sentence: Frase, dialogue: Dialogue) -> bool:
    if CPF_WRITTEN.search(sentence.text) and _is_foreign_cpf(sentence, dialogue):
        return True
    if any(True for _ in find_records(sentence.text, dialogue.registro)):
        return True
    named = (found for found in find_doctors(sentence, context_of(dialogue).directory) if found.names)
    doctors = {word for found in named for word in range(found.start, found.end)}
    own = set(fold(dialogue.paciente.nome).split()) if dialogue.paciente else set()
    for match in _OF_SOMEBODY.finditer(sentence.text):
        if match.start(1) not in doctors and _is_person(sentence, match, own):
            return True
        if match.start(1) in doctors and match.start(2) not in doctors and _is_surname(sentence, match):
            return True
    for match in _IN_THE_NAME.finditer(sentence.text):
        if match.group(1) not in own | _CONTRA_OWN and match.start(1) not in doctors:
            return True
    for match in (*_SOMEBODY_HAS.finditer(sentence.text), *_THE_PATIENT.finditer(sentence.text)):
        if match.start(1) not in doctors and _is_person(sentence, match, own):
            return True
    found = [
        match for match in refusal("R2").finditer(sentence.text) if not _is_own(match.group(), own) and not _is_of_doctor(match, doctors)
    ]
    relative = all(refusal("parente_de").fullmatch(match.group()) for match in found)
    return bool(found) and not (relative and _only_seeks_care(sentence, dialogue.registro))


def _only_seeks_care(sentence: Frase, registro: Registro) -> bool:
    """Whether it asks for a new appointment, and speaks of none that is held and of no data: `sou pai da Lia, queria um dermato`."""
    text = sentence.text
    if refusal("do_que_ja_ha").search(text) or refusal("dado").search(text) or CPF_WRITTEN.search(text) or _WIDE.search(text):
        return False
    return bool(find_specialties(text, registro)) and bool(intention("marcar").search(text) or intention("querer").search(text))


def _is_of_doctor(match: re.Match[str], doctors: set[int]) -> bool:
    """Whether the words found speak of a doctor, whose name and hours are public."""
    return match.end() - 1 in doctors and "pacient" not in match.group()


def _is_own(found: str, own: set[str]) -> bool:
    """Whether what was found is in the speaker's own name."""
    return found.split()[-1] in own | {"completo"} or bool(re.search(r"\b(?:no|em|com o|pelo) (?:meu|proprio)\b", found))


def _is_foreign_cpf(sentence: Frase, dialogue: Dialogue) -> bool:
    if dialogue.paciente is None:
        return False
    own = digits_of(dialogue.paciente.cpf)
    return any(digits_of(match.group()) != own for match in CPF_WRITTEN.finditer(sentence.text))


def _is_surname(sentence: Frase, match: re.Match[str]) -> bool:
    """Whether a doctor's given name goes on with a surname that is not the doctor's: somebody else of that name."""
    following = next((word for word in sentence.words if word.start == match.start(2)), None)
    return following is not None and following.is_capital and following.text not in people_words("titulos")


def _is_person(sentence: Frase, match: re.Match[str], own: set[str]) -> bool:
    """Whether an appointment `of` a word is a person's: a given name, or a name with its surname in capitals."""
    first = match.group(1)
    if first in own:
        return False
    if first in people_words("prenomes"):
        return True
    words = {word.start: word for word in sentence.words}
    written, following = words.get(match.start(1)), words.get(match.start(2))
    return bool(written and following and written.is_capital and following.is_capital and first not in people_words("titulos"))
