"""Whom a message speaks of as the one to be seen: by name (`pra Laura`), by relation (`minha mãe precisa`, `pra irmã dele`), by a pronoun.

Source: design, "Who the appointment is for". The words are `acordo.json`'s; a name is whatever stands there and is no doctor's.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Dialogue, ParaQuem
from crivo.clinicas.orquestrador.entende.frase import Frase, Palavra, read_sentence
from crivo.clinicas.orquestrador.entende.lexico import accord, intention, people_words, vocabulary
from crivo.clinicas.orquestrador.entende.mencoes import context_of, find_mentions
from crivo.clinicas.orquestrador.entende.pessoas.identidade import read_name
from crivo.kernel.linguagem.fala import fold

OWNERS: Final = {"meu": "seu", "minha": "sua", "meus": "seus", "minhas": "suas", "my": "your", "mi": "su", "mis": "sus"}
_PRONOUNS: Final = frozenset({"ela", "ele", "elas", "eles", "her", "him", "el", "ella"})
_ARTICLES: Final = {"pra": "a", "pro": "o", "a": "a", "o": "o", "the": "the", "la": "la", "el": "el"}
_SHORTEST: Final = 3


def spoken_for(utterance: str, dialogue: Dialogue) -> ParaQuem | None:
    """For whom the next booking is after a message: somebody it names, the speaker, or whoever it was before."""
    sentence, before = read_sentence(utterance), dialogue.para
    if dialogue.papel == "operador":
        return None
    named = told_for(sentence, dialogue)
    if named is None:
        return _speaker(utterance, dialogue) if for_me(sentence) else before
    if before is not None and (before.quem == named or accord("para_ela").fullmatch(f"para {fold(named)}")):
        beside = "" if before.nome else name_beside(sentence, dialogue)
        return msgspec.structs.replace(before, nome=beside) if beside else before
    return _as_known(named, sentence, dialogue)


def _speaker(utterance: str, dialogue: Dialogue) -> ParaQuem | None:
    """Whoever says `pra mim`: nobody else than whom the conversation is of, but where another name was given as the speaker's."""
    own, before = speaker_named(utterance, dialogue), dialogue.para
    if not own or (before is not None and before.quem == own):
        return before if own else None
    known = [one for one in dialogue.pessoas if fold(one.nome).split()[0] == fold(own).split()[0]]
    return ParaQuem(own, known[0].nome, known[0].cpf) if len(known) == 1 else ParaQuem(own, own if " " in own else "")


def speaker_named(utterance: str, dialogue: Dialogue) -> str:
    """The name that whoever speaks gave as theirs, where it is not the conversation's: `aqui é o Bruno`; empty where none was given."""
    own = set(fold(dialogue.paciente.nome).split()) if dialogue.paciente is not None else set()
    for said in (utterance, *reversed(dialogue.utterances)):
        told = _said_to_speak(read_sentence(said)) if dialogue.papel == "paciente" else ""
        if told:
            return "" if fold(told).split()[0] in own else told
    return ""


def _said_to_speak(sentence: Frase) -> str:
    """The name in `aqui é o Bruno`, `sou seu Antônio`; empty where a message gives none, or denies it."""
    words, text = sentence.words, sentence.text
    for group in ("sou_eu_nome", "sou_eu"):
        for found in accord(group).finditer(text):
            index = next((at for at, word in enumerate(words) if word.start >= found.end()), None)
            if index is None or _is_denied(text, found.start()) or text[found.end() : words[index].start].strip():
                continue
            known = words[index].text in people_words("prenomes")
            if known or (group == "sou_eu_nome" and _may_be_a_name(index, sentence) and words[index].text not in people_words("parentes")):
                return _full(index, words, {at for at in range(len(words)) if _may_be_a_name(at, sentence)})
    return ""


def for_me(sentence: Frase) -> bool:
    """Whether a message says that it is for the speaker: `pra mim`, `eu também quero`; not what only suits the speaker."""
    text = accord("comodo_para_mim").sub(" ", sentence.text)
    told = next((one for one in (accord(name).search(text) for name in ("para_mim", "eu_tambem", "o_meu")) if one), None)
    return told is not None and accord("nao_para_mim").search(text) is None


def _as_known(named: str, sentence: Frase, dialogue: Dialogue) -> ParaQuem:
    """Somebody as named: one whose name and CPF were given before, where the first name is theirs; else unknown as yet."""
    people = names_told(sentence, dialogue)
    told = named if named in people else people[0] if len(people) == 1 else ""
    known = [one for one in dialogue.pessoas if told and fold(one.nome).split()[0] == fold(told).split()[0]]
    before = dialogue.para
    if named in _PRONOUNS and len(dialogue.pessoas) == 1:
        one = dialogue.pessoas[0]
        return ParaQuem(one.nome, one.nome, one.cpf)
    if len(known) == 1 and set(fold(told).split()) <= set(fold(known[0].nome).split()):
        return ParaQuem(told, known[0].nome, known[0].cpf)
    if before is not None and told and before.nome and fold(before.nome).split()[0] == fold(told).split()[0]:
        return before
    return ParaQuem(named, told if " " in told else name_beside(sentence, dialogue))


def told_for(sentence: Frase, dialogue: Dialogue) -> str | None:
    """Whom a message asks a booking for, as said back (`seu filho`, `Laura`); None where nobody is named or it is only told of them."""
    names = names_told(sentence, dialogue)
    several = _relation(sentence) if len(names) > 1 else None
    if several is not None and several.endswith("s"):
        return several  # `meus dois filhos, o Pedro e a Júlia`: not of the first alone
    named = next(iter(names), None)
    if named is not None and not intention("mudar").search(sentence.text):
        return named
    return _relation(sentence) or _of_another(sentence) or _pronoun(sentence)


def _found(name: str, sentence: Frase) -> re.Match[str] | None:
    """The first words of a group that are not denied: `não é pra ele, é pra minha sogra`; in `não é pra mim não é pro meu pai` none is."""
    found = list(accord(name).finditer(sentence.text))
    told = [one for one in found if not _is_denied(sentence.text, one.start()) and not _is_denied_after(sentence, one.end())]
    return next(iter(told or ([] if for_me(sentence) else found[-1:])), None)


def _is_denied(text: str, start: int) -> bool:
    return any(one.end() == len(text[:start].rstrip()) for one in accord("nao_e").finditer(text, 0, start))


def _is_denied_after(sentence: Frase, end: int) -> bool:
    """Whether it is denied right after, and told to be for the speaker: `é pra minha filha não, é pra mim`."""
    return accord("nao_depois").match(sentence.text, end + 1) is not None and for_me(sentence)


def _relation(sentence: Frase) -> str | None:
    """A relation of the speaker's: `pro meu filho`, `minha mãe precisa`, or one of whom it is said that the speaker books for them."""
    found = _found("para_outro", sentence)
    if found is not None:
        start, end = found.span()
    elif (theirs := accord("o_do_parente").search(sentence.text)) is not None and not _of_what_is_held(sentence):
        start, end = theirs.span()
    elif accord("por_ela").search(sentence.text):
        start, end = 0, len(sentence.text)
    else:
        return None
    return related(sentence, start, end)


def related(sentence: Frase, start: int, end: int) -> str | None:
    """The first relation told within a span, as the speaker's: `seu pai`."""
    relation = next(iter(accord("dependentes").finditer(sentence.text, start, end)), None)
    if relation is None:
        return None
    owner = next((word for word in reversed(sentence.words) if word.end <= relation.start() and word.text in OWNERS), None)
    between = sentence.words_in(owner.end, relation.start()) if owner is not None else ()
    another = " ".join(word.original.lower() for word in between if accord("outro").fullmatch(word.text))
    told = _written(sentence.words_in(relation.start(), relation.end()))
    return " ".join(one for one in (OWNERS[owner.text if owner is not None else "meu"], another, told) if one)


def _of_another(sentence: Frase) -> str | None:
    """A relation that is not told to be the speaker's: `pra irmã dele`, `pra vó`."""
    found = _found("para_parente", sentence)
    if found is None:
        return None
    relation = next(iter(accord("dependentes").finditer(sentence.text, *found.span())), None)
    if relation is None:
        return None
    before = sentence.words_in(found.start(), relation.start())
    article = _ARTICLES.get(before[-1].original.lower(), "") if before else ""
    return " ".join(one for one in (article, _written(sentence.words_in(relation.start(), found.end()))) if one)


_TO_THE_DOCTOR: Final = re.compile(r"\bdra?\b.*\b(?:troc|mud)\w+\s+(?:\w+\s+)?para el[ea]\b")  # `prefiro o Dr. Heitor, troca pra ele`


def _pronoun(sentence: Frase) -> str | None:
    """`ela`, `him`: whoever a message says that it is for, where it says no more."""
    found = _found("para_ela", sentence)
    if found is not None:
        return next((word.original.lower() for word in sentence.words_in(*found.span()) if word.text in _PRONOUNS), None)
    if _TO_THE_DOCTOR.search(sentence.text):
        return None
    theirs = accord("o_dele").search(sentence.text) if not _of_what_is_held(sentence) else None
    return next((one for one in ("ele", "ela") if theirs is not None and one in theirs.group()), None)


def _of_what_is_held(sentence: Frase) -> bool:
    return any(intention(name).search(sentence.text) for name in ("cancelar", "mudar", "minhas"))


def names_told(sentence: Frase, dialogue: Dialogue) -> tuple[str, ...]:
    """The people named as those to be seen, as written: `pra Laura`, `o Tiago precisa`, `o Tiago segunda e a Laura quarta`."""
    words = sentence.words
    free, names = free_names(sentence, dialogue)
    led = [index for index in free if _is_led_to(index, words, sentence.text) or _is_in_need(index, sentence)]
    listed = [index for index in free if index and accord("artigo_de_gente").fullmatch(words[index - 1].text)]
    chosen = led or (listed if len(listed) > 1 else [])
    return tuple(_full(index, words, names) for index in chosen)


def name_beside(sentence: Frase, dialogue: Dialogue) -> str:
    """The full name right beside a relation of the speaker's: `minha mãe, Maria Souza`; empty where there is none."""
    words = sentence.words
    free, names = free_names(sentence, dialogue)
    for index in free:
        beside = index > 1 and words[index - 2].text in OWNERS and accord("dependentes").fullmatch(words[index - 1].text)
        told = _full(index, words, names) if beside else ""
        if " " in told and sentence.text[words[index - 1].end : words[index].start].strip() in {"", ",", ":"}:
            return told
    return ""


def free_names(sentence: Frase, dialogue: Dialogue) -> tuple[list[int], set[int]]:
    """The places of the words that may begin somebody's name, not the speaker's, and of those that may go on with one."""
    words = sentence.words
    people = [index for index in range(len(words)) if _may_be_a_name(index, sentence)]
    if not people:
        return [], set()
    mentions = find_mentions(sentence, context_of(dialogue))
    own = set(fold(dialogue.paciente.nome).split()) if dialogue.paciente is not None else set()
    names = [index for index in people if not any(one.start < words[index].end and words[index].start < one.end for one in mentions)]
    return [index for index in names if words[index].text not in own], set(names)


def names_listed(sentence: Frase, dialogue: Dialogue) -> tuple[tuple[int, int, str], ...]:
    """The first names of a message that are known as such, not the speaker's, with their spans."""
    words = sentence.words
    free, _ = free_names(sentence, dialogue)
    known = [words[index] for index in free if words[index].text in people_words("prenomes")]
    return tuple((word.start, word.end, word.text) for word in known)


def full_names(free: list[int], sentence: Frase, names: set[int]) -> tuple[str, ...]:
    """The names that begin at those places, each with its surnames."""
    return tuple(_full(index, sentence.words, names) for index in free)


def _may_be_a_name(index: int, sentence: Frase) -> bool:
    word, words = sentence.words[index], sentence.words
    before = words[index - 1].text if index else ""
    if not word.original.isalpha() or len(word.text) < _SHORTEST or before in people_words("titulos"):
        return False
    if word.text in people_words("prenomes"):
        return True
    shouted = len(words) > 1 and all(one.is_capital for one in words)
    known = word.text in vocabulary() or word.text in people_words("titulos") or accord("nao_e_gente").fullmatch(word.text)
    return word.is_capital and not shouted and not known and not accord("dependentes").fullmatch(word.text)


def _is_led_to(index: int, words: tuple[Palavra, ...], text: str) -> bool:
    """Whether a name comes right after `para`, or after it and an article, and that is not denied."""
    at = index - 1
    while at >= 0 and accord("artigo_de_gente").fullmatch(words[at].text):
        at -= 1
    return at >= 0 and accord("leva_a_gente").fullmatch(words[at].text) is not None and not _is_denied(text, words[at].start)


def _is_in_need(index: int, sentence: Frase) -> bool:
    """Whether a name is of who needs something: `a Laura precisa`."""
    word = sentence.words[index]
    return word.text in people_words("prenomes") and accord("precisa").match(sentence.text, word.end + 1) is not None


def _full(index: int, words: tuple[Palavra, ...], people: set[int]) -> str:
    end = index + 1
    while end < len(words) and (end in people or (fold(words[end].original) in {"da", "de", "do", "dos", "das"} and end + 1 in people)):
        end += 1
    return " ".join(
        word.original if word.is_capital or word.text not in people_words("prenomes") else word.original.title()
        for word in words[index:end]
    )


def _written(words: tuple[Palavra, ...]) -> str:
    return " ".join(word.original.lower() for word in words)


_STOP: Final = re.compile(r"[,.;!?\d]|\b(?:e|and|y|mas|but|cpf)\b", re.IGNORECASE)


def name_said(sentence: Frase) -> str:
    """The full name that a message says in so many words: `o nome dela é Sofia Prado`; empty where it says none."""
    found = accord("nome_e").search(sentence.text)
    if found is None:
        return ""
    stop = _STOP.search(sentence.text, found.end())
    words = sentence.words_in(found.end(), stop.start() if stop else len(sentence.text))
    return read_name(" ".join(word.original for word in words)) or ""
