"""Who is served: the full name and the CPF that a patient is asked for before anything else, and an operator for each patient.

Source: blueprint 1.6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal

from crivo.clinicas.orquestrador.contracts import Paciente, Value
from crivo.clinicas.orquestrador.entende.lexico import accord, professionals
from crivo.kernel.linguagem.fala import fold
from crivo.kernel.linguagem.identificadores import CPF_WRITTEN, digits_of, format_cpf, is_cpf
from crivo.kernel.linguagem.nomes import PARTICLES

PEDE_NOME: Final = "Olá! Para começar, qual é o seu nome completo?"
_PEDE_CPF: Final = "Obrigado, {nome}. Agora, por favor, o seu CPF."
_NOME_RUIM: Final = "Preciso do nome e do sobrenome, só com letras. Pode escrever de novo?"
CPF_RUIM: Final = "Esse CPF não confere. Pode verificar os onze números e escrever de novo?"
_CPF_DE: Final = "Obrigado. E qual é o CPF de {nome}?"
_PARA_QUEM: Final = "De quem é a consulta? Qual é o nome completo da pessoa?"
_PRONTO_PARA: Final = "Certo, agora cuidamos das consultas de {nome}. O que precisa?"
_PRONTO: Final = "Tudo certo, {nome}. Posso listar horários, marcar, remarcar ou cancelar consultas. O que você precisa?"

_LONGEST_NAME: Final = 120
_NAME: Final = re.compile(r"[^\W\d_]+(?:[ '.’-]+[^\W\d_]+)+\.?")
_LEAD: Final = re.compile(
    r"^(?:(?:oi|olá|ola|bom dia|boa tarde|boa noite)[,!. ]+)?(?:(?:eu )?(?:sou|me chamo)|meu nome (?:completo )?é)?\s*(?:[oa] )?",
    re.IGNORECASE,
)
# A wish told in the place of a name.
_NO_NAMES: Final = frozenset(
    {"quero", "queria", "preciso", "gostaria", "marcar", "agendar", "remarcar", "cancelar", "consulta", "horario", "medico", "oi", "ola"}
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MOST_NAME_WORDS: Final = 7
_LEADS_TO_A_NAME: Final = _NO_NAMES | {
    *("para", "pra", "pro", "a", "o", "paciente", "nome", "senhor", "senhora", "sr", "sra", "dona", "seu", "agora", "marca", "marque"),
    *("dr", "dra", "doutor", "doutora", "doctor"),
    *("agenda", "agende", "cancela", "remarca", "com", "for", "the", "patient", "name"),
    *("meu", "minha", "meus", "minhas", "my", "mi", "mis"),
    *professionals(),
}
_CPF_LABEL: Final = re.compile(
    r"[\s,;:(-]{0,6}(?:\b(?:(?:e|and|y)\s+)?(?:com\s+)?(?:(?:o|el|her|his|su|the)\s+)?cpf\b(?:\s+(?:dela|dele))?"
    r"(?:\s+(?:é|e|is|es|n[ºo.]))?)?[\s,;:(-]{0,6}$",
    re.IGNORECASE,
)
_DANGLING: Final = re.compile(
    r"(?:(?:^|\s)\W{0,3}(?:agora|pr[oó]xim[oa]|outr[oa]|para|pra|pro|for|paciente|patient|nome|name|nombre|a|o|da|do|de|dela|dele|ela|ele|she|he|"
    r"her|his|su|se|chama|llama|called|é|e|is|es|the)\b\W{0,3}){1,8}$",
    re.IGNORECASE,
)
_TITLED: Final = re.compile(r"\b(?:dra?|doutora?)\W*$", re.IGNORECASE)
_COURTESY: Final = re.compile(r"\b(?:por favor|pfv|please|obrigad[oa]|ok)\b", re.IGNORECASE)
_ANOTHER: Final = re.compile(
    r"^\W*(?:(?:agora|vamos|ok|certo|pronto|bom|então|entao|é|e|para|pra|ao|o|a|um|uma|atender|chama|chamar|the)\b[\s,]*)*"
    r"(?:pr[oó]xim[oa]|outr[oa]|nov[oa]|troc\w+\s+d[eo]|mud\w+\s+d[eo]|next|another|new)\s+(?:paciente|pessoa|cliente|patient|person)\b",
    re.IGNORECASE,
)
_BACK: Final = re.compile(
    r"^\W*(?:agora\s+)?(?:volt\w+|retom\w+|back)\s+(?:(?:para|pra|pro|ao|à|a|o|to|com|atender)\s+)*(?:(?:o|a|paciente|dona|seu)\s+)*",
    re.IGNORECASE,
)
AS_A_CPF: Final = re.compile(r"\d[\d.\s/-]{7,18}\d")  # right or wrong


class Identificacao(Value, frozen=True):
    """How far an identification has come; `de_outra` tells that an operator identifies somebody else."""

    nome: str = ""
    falta: Literal["nome", "cpf", "nada"] = "nome"
    paciente: Paciente | None = None
    de_outra: bool = False


def identify(now: Identificacao, text: str) -> tuple[Identificacao, str]:
    """What is known after an answer, and what to say next."""
    if now.falta == "nome":
        both = find_person(text)
        if both is not None:
            return _identified(now, both.paciente)
        nome = read_name(text)
        if nome is None:
            return now, _NOME_RUIM
        asked = _CPF_DE if now.de_outra else _PEDE_CPF
        return Identificacao(nome, "cpf", de_outra=now.de_outra), asked.format(nome=nome.split()[0])
    cpf = read_cpf(text)
    if cpf is None:
        return now, CPF_RUIM
    return _identified(now, Paciente(now.nome, cpf))


def _identified(now: Identificacao, paciente: Paciente) -> tuple[Identificacao, str]:
    said = _PRONTO_PARA if now.de_outra else _PRONTO
    return Identificacao(paciente.nome, "nada", paciente, now.de_outra), said.format(nome=paciente.nome.split()[0])


def whose(nome: str) -> tuple[Identificacao, str]:
    """The identification of whoever something that an operator asked is of, and the question: for the CPF alone where the name is known."""
    return (
        (Identificacao(nome, "cpf", de_outra=True), _CPF_DE.format(nome=nome.split()[0]))
        if nome
        else (
            Identificacao(de_outra=True),
            _PARA_QUEM,
        )
    )


class Pessoa(Value, frozen=True):
    """Somebody named with a CPF in a message, and what else the message says."""

    paciente: Paciente
    resto: str


class Contada(Value, frozen=True):
    """A full name that stands right before the figures of a CPF, right or wrong, and what else the message says."""

    nome: str
    cpf: str
    resto: str


def find_person(text: str) -> Pessoa | None:
    """The person whose full name stands right before a valid CPF in a message; None where there is none."""
    told = find_named(text)
    return Pessoa(Paciente(told.nome, told.cpf), told.resto) if told is not None and told.cpf else None


def find_named(text: str) -> Contada | None:
    """The same where the CPF may be mistyped, which is empty then."""
    found = CPF_WRITTEN.search(text)
    if found is None:
        return None
    before = _CPF_LABEL.sub("", text[: found.start()])
    nome, at = _name_at_the_end(before)
    if nome is None:
        return None
    return Contada(nome, read_cpf(text) or "", _joined(before[:at], text[found.end() :]))


def _name_at_the_end(text: str) -> tuple[str | None, int]:
    """The full name that a text ends in, and where it begins; written in capitals, or else after a word that leads to it."""
    words = list(_WORD.finditer(text))
    begin = len(words)
    for index in range(len(words) - 1, max(len(words) - 1 - _MOST_NAME_WORDS, -1), -1):
        word, following = words[index].group(), words[index + 1].start() if index + 1 < len(words) else None
        parted = following is not None and text[words[index].end() : following].strip(" '’-.")
        if parted or (fold(word) in _LEADS_TO_A_NAME and fold(word) not in PARTICLES):
            break
        begin = index
    kept = words[begin:]
    if any(word.group()[0].isupper() for word in kept):
        first = next((index for index in range(len(kept)) if _is_written_as_name(kept[index:])), len(kept))
        kept = kept[first:]
    while kept and (fold(kept[0].group()) in PARTICLES or _is_relation(kept[0].group())):
        kept = kept[1:]
    nome = read_name(" ".join(word.group() for word in kept))
    if not nome or _TITLED.search(text[: kept[0].start()]):
        return None, 0
    return nome, kept[0].start()


def _is_relation(word: str) -> bool:
    """Whether a word tells whose somebody is (`mãe`), and is no part of the name: `João Souza Filho`."""
    return word.islower() and accord("dependentes").fullmatch(fold(word)) is not None


def _is_written_as_name(words: list[re.Match[str]]) -> bool:
    return all(word.group()[0].isupper() or fold(word.group()) in PARTICLES for word in words)


def _joined(before: str, after: str) -> str:
    """What is left of a message when the person is taken out of it."""
    head = _DANGLING.sub("", before).strip(" ,;:-(")
    tail = after.strip(" ,;:-)")
    return re.sub(r"\s+", " ", f"{head} {tail}").strip(" ,;:.!")


def asks_for_another(text: str) -> str | None:
    """What else an operator says who turns to another patient (`próximo paciente`); None where that is not said."""
    found = _ANOTHER.match(text)
    return _COURTESY.sub("", text[found.end() :]).strip(" ,;:.!-") if found else None


def goes_back_to(text: str, known: Iterable[Paciente]) -> tuple[Paciente, str] | None:
    """Which patient of those served before an operator goes back to (`voltando para a Maria`), and what else is said."""
    found = _BACK.match(text)
    if found is None:
        return None
    said = fold(text[found.end() :]).split()
    meant = [one for one in known if said and fold(one.nome).split()[0] == said[0].strip(",.:;")]
    if len(meant) != 1:
        return None
    names = set(fold(meant[0].nome).split())
    rest = text[found.end() :].split()
    while rest and fold(rest[0].strip(",.:;")) in names:
        rest = rest[1:]
    return meant[0], " ".join(rest).strip(" ,;:.!-")


def read_name(text: str) -> str | None:
    """A full name in what was answered: two words of letters or more."""
    nome = " ".join(_LEAD.sub("", text.strip(), count=1).strip(" .,!").split())
    if len(nome) > _LONGEST_NAME or not _NAME.fullmatch(nome) or _NO_NAMES & set(fold(nome).split()):
        return None
    return nome


def is_full_name(text: str) -> bool:
    """Whether a message is a full name written in capitals, and nothing else."""
    return read_name(text) is not None and _is_written_as_name(list(_WORD.finditer(text)))


def read_cpf(text: str) -> str | None:
    """A CPF of right digits in what was answered, as 000.000.000-00; one digit repeated is none."""
    found = CPF_WRITTEN.search(text)
    digits = digits_of(found[0]) if found else ""
    return format_cpf(digits) if is_cpf(digits) else None


def found_by_cpf(text: str, served: Iterable[Paciente], said: Iterable[str]) -> Pessoa | None:
    """Whom a CPF in a message is of that was told with the full name before; None where it has none, or it is of nobody known."""
    cpf, found = read_cpf(text), CPF_WRITTEN.search(text)
    told = [one.paciente for one in map(find_person, said) if one is not None]
    known = {one for one in (*served, *told) if one.cpf == cpf}
    if cpf is None or found is None or len(known) != 1:
        return None
    person = known.pop()
    names = set(fold(person.nome).split())
    before = " ".join(word for word in text[: found.start()].split() if fold(word).strip(" ,.:;") not in names)
    return Pessoa(person, _joined(_CPF_LABEL.sub("", before), text[found.end() :]))


def is_of_another(text: str, served: Paciente | None) -> bool:
    """Whether a CPF in a message is not that of the patient who is served."""
    cpf = read_cpf(text)
    return cpf is not None and served is not None and (read_cpf(served.cpf) or served.cpf) != cpf
