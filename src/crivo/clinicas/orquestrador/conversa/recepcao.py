"""Whose an operator's message is, where it names somebody: of the patient served, of one served before, or of one who was not served.

Source: design, "Who the appointment is for". Nothing is booked, moved or cancelled for one patient on a message that names another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, Paciente, Value, Vitrine
from crivo.clinicas.orquestrador.entende.frase import Frase, Palavra, read_sentence
from crivo.clinicas.orquestrador.entende.lexico import accord, intention, people_words, vocabulary
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.entende.pessoas.identidade import read_cpf
from crivo.clinicas.orquestrador.entende.pessoas.outra_pessoa import free_names, full_names
from crivo.clinicas.orquestrador.preferencias import Preferencias
from crivo.kernel.linguagem.fala import fold

_AGORA_DE: Final = "Agora é o atendimento de {nome}."
_SERVED_BEFORE: Final = 'Agora o atendimento é de {atual}, e nada foi feito. Para cuidar de {nome}, diga "voltando para {nome}" e o pedido.'
_NOT_SERVED: Final = (
    'Agora o atendimento é de {atual}, e nada foi feito. Se é de outra pessoa, diga "próximo paciente", o nome completo e o CPF; '
    "se é de {primeiro}, repita o pedido só com esse nome."
)
_ONE_BY_ONE: Final = (
    "Cuido de um paciente por vez, e nada foi feito. De quem é o pedido? Diga o nome completo e o CPF, e só o que é dessa pessoa."
)
_TOKEN: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


class DeQuem(Value, frozen=True):
    """The patient to turn to and what is asked of that one; where there is none, what is said back instead of a turn."""

    paciente: Paciente | None = None
    texto: str = ""
    recusa: str = ""


def forgotten(dialogue: Dialogue) -> Dialogue:
    """A dialogue in which nothing that was shown, asked or said is taken by the next message."""
    return msgspec.structs.replace(dialogue, pending={}, offers=(), preferencias=Preferencias(), vitrine=Vitrine(), ultima_fala="")


def lead_of(named: DeQuem, dialogue: Dialogue) -> str:
    """What is said first where a message turns to another patient than the one served."""
    turns = named.paciente is not None and named.paciente != dialogue.paciente and named.texto
    return f"{_AGORA_DE.format(nome=named.paciente.nome)}\n" if named.paciente is not None and turns else ""


def of_several(rest: str, paciente: Paciente) -> str:
    """What is said back where a message identifies two people at once; empty where it identifies one."""
    other = read_cpf(rest)
    return _ONE_BY_ONE if other is not None and other != paciente.cpf else ""


def meant(said: str, dialogue: Dialogue, served: Iterable[Paciente]) -> DeQuem | None:
    """Whom a message names that is not the patient served, and what follows; None where it names nobody else."""
    before, current = [one for one in served if one != dialogue.paciente], dialogue.paciente
    sentence = read_sentence(said)
    named = [one for one in before if _is_named(one, sentence, current)]
    cpf = read_cpf(said)
    if cpf is not None and current is not None and cpf != current.cpf:
        return _refused(next((one for one in before if one.cpf == cpf), None), current)
    stranger = _not_served(sentence, dialogue, named)
    if not named and not stranger:
        return _turned(said, current, dialogue) if current is not None and _only_reported(sentence, current) else None
    if current is None:
        return _turned(said, named[0], dialogue) if len(named) == 1 and not stranger else None
    if stranger or len(named) > 1:
        return _refused(None, current)
    own = fold(current.nome).split()[0]
    if fold(named[0].nome).split()[0] != own and any(word.text == own for word in sentence.words):
        return DeQuem(recusa=_ONE_BY_ONE)
    return _turned(said, named[0], dialogue) or _refused(named[0], current)


def _only_reported(sentence: Frase, current: Paciente) -> bool:
    """Whether it is told, by name, what the patient served asked for: at the reception that is the order itself."""
    return accord("relatado").search(sentence.text) is not None and _is_named(current, sentence, None)


def _refused(paciente: Paciente | None, current: Paciente) -> DeQuem:
    if paciente is not None:
        return DeQuem(recusa=_SERVED_BEFORE.format(atual=current.nome, nome=paciente.nome.split()[0]))
    return DeQuem(recusa=_NOT_SERVED.format(atual=current.nome, primeiro=current.nome.split()[0]))


def _turned(said: str, paciente: Paciente, dialogue: Dialogue) -> DeQuem | None:
    """What is asked of what a patient has already: to cancel it, to move it, which it is; nothing where only named; else None."""
    if accord("so_o_nome").fullmatch(read_sentence(_without_name(said, paciente, "paciente")).text.strip(" ,.!?")):
        return DeQuem(paciente)
    for word in ("paciente", "consulta", "horario"):  # `passa a Rita pras 10h` moves what is hers
        text = _without_name(said, paciente, word)
        sentence = read_sentence(text)
        if intention("dele").search(sentence.text):
            return DeQuem(paciente, text)
        acts = read(sentence, dialogue).atos
        if any(act.tipo in {"cancelar", "mudar"} for act in acts) and not any(act.tipo == "marcar" for act in acts):
            return DeQuem(paciente, text)
    return None


def _without_name(said: str, paciente: Paciente, instead: str) -> str:
    """A message with another word in the place of a patient's name and of what it is led by: `a dona Ivone`."""
    own, kept, at, before = set(fold(paciente.nome).split()), [], 0, None
    for token in _TOKEN.finditer(said):
        word = fold(token.group())
        if word not in own:
            before = token if accord("trato").fullmatch(word) else None
            continue
        start = before.start() if before is not None else token.start()
        kept.append(said[at:start])
        at, before = token.end(), None
        kept.append("" if len(kept) > 1 and not kept[-1].strip() else instead)
    return " ".join("".join((*kept, said[at:])).split())


def _is_named(paciente: Paciente, sentence: Frase, current: Paciente | None) -> bool:
    """Whether a message names a patient; one who is called as the one served, by a surname."""
    first, *last = fold(paciente.nome).split()
    own = set(fold(current.nome).split()) if current is not None else set()
    for index, word in enumerate(sentence.words):
        following = sentence.words[index + 1].text if index + 1 < len(sentence.words) else ""
        if word.text == first and not _is_a_doctors(index, sentence.words) and (first not in own or following in set(last) - own):
            return True
    return False


def _is_a_doctors(index: int, words: tuple[Palavra, ...]) -> bool:
    led = [word.text for word in words[max(index - 2, 0) : index]]
    return bool(led) and (led[-1] in people_words("titulos") or any(accord("com_quem").fullmatch(one) for one in led))


def _not_served(sentence: Frase, dialogue: Dialogue, named: list[Paciente]) -> str:
    """The name of somebody who was not served here; empty where there is none. Whoever says their own name is not meant."""
    words = sentence.words
    free, names = free_names(sentence, dialogue)
    known = {word for one in named for word in fold(one.nome).split()}
    own = fold(dialogue.paciente.nome).split()[:1] if dialogue.paciente is not None else []
    presents = accord("sou_da_recepcao").search(sentence.text)
    for index in free:
        word, before = words[index], words[index - 1].text if index else ""
        if word.text in known or _is_a_doctors(index, words) or accord("lugar_com_nome").fullmatch(before):
            continue
        if presents is not None and presents.start() <= word.start < presents.end():
            continue
        led = accord("leva_a_paciente").fullmatch(before) is not None and word.text not in vocabulary()
        if word.text in people_words("prenomes") or led or [before] == own:
            return full_names([index], sentence, names)[0]
    return _titled(words, known | set(fold(dialogue.paciente.nome).split() if dialogue.paciente else ()))


def _titled(words: tuple[Palavra, ...], known: set[str]) -> str:
    """A name in small letters after `dona`, `sra`."""
    pairs = pairwise(words)
    return next(
        (
            word.original
            for title, word in pairs
            if accord("dona").fullmatch(title.text) and word.original.isalpha() and word.text not in known | vocabulary()
        ),
        "",
    )
