"""Which of the appointments given up is meant to come back, where one is named: that one alone, or the question which.

Source: design, "Nothing irreversible on a guess".
"""

from __future__ import annotations

import msgspec

from crivo.clinicas.ferramentas import MARCAR
from crivo.clinicas.orquestrador.contracts import Booking, Dialogue, Feito, Plan, Step, Volta
from crivo.clinicas.orquestrador.decide.cancelar import bookings_meant, each_named
from crivo.clinicas.orquestrador.decide.confirmar.confirmacao import acts_of, question, told_of
from crivo.clinicas.orquestrador.decide.confirmar.proposta import KEY, Planned, Proposto, proposed
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Situacao, read_pending, situation_of, write_pending
from crivo.clinicas.orquestrador.entende.acordo import consists_of, holds_only
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, Criterios
from crivo.clinicas.orquestrador.entende.frase import Frase, blanked
from crivo.clinicas.orquestrador.entende.leitura import Leitura, read_stretch
from crivo.clinicas.orquestrador.entende.lexico import accord, intention
from crivo.clinicas.orquestrador.entende.mensagem import read
from crivo.clinicas.orquestrador.feito import all_steps, given_back
from crivo.clinicas.orquestrador.mensagens import Mensagens
from crivo.clinicas.orquestrador.passos import list_free
from crivo.kernel.linguagem.fala import fold


def listings(ways: tuple[Volta, ...]) -> tuple[Step, ...]:
    """The listings of what else the doctors have of what cannot come back."""
    wanted = dict.fromkeys((one.consulta.clinic, one.consulta.doctor) for one in ways)
    return tuple(list_free(clinic, index, doctor) for index, (clinic, doctor) in enumerate(wanted, 1))


def asks_which(dialogue: Dialogue) -> bool:
    """Whether the last reply asked what shall come back."""
    waiting = proposed(dialogue.pending)
    offered = waiting is not None and bool(given_back(waiting.steps, dialogue.feito))
    return offered or read_pending(dialogue.pending).assunto == "devolver"


def is_plain(sentence: Frase, done: Feito, dialogue: Dialogue) -> bool:
    """Whether words that take back are plainly of what was done last: said right after it, or an order to undo."""
    return done.turno == len(dialogue.utterances) or accord("ordena_desfazer").search(sentence.text) is not None


def propose(ways: tuple[Volta, ...], utterance: str, texts: Mensagens) -> Planned:
    """The question whether what was given up shall come back, which a yes does."""
    steps = all_steps(ways)
    waiting = msgspec.json.encode(Proposto(steps, fold(utterance), texts.idioma)).decode()
    known = tuple(one.consulta for one in ways)
    only_booked = all(kind == "marcar" for kind, *_ in acts_of(steps))
    asked = told_of("volta", steps, texts, known) if only_booked else question(steps, texts, known)
    return Plan(pergunta=asked, idioma=texts.idioma), {KEY: waiting}


def named_back(utterance: str, sentence: Frase, dialogue: Dialogue, texts: Mensagens) -> Planned | None:
    """The plan of a message that names what shall come back, or that asks for one of several without telling which; else None."""
    done = dialogue.feito
    if done is None or "?" in sentence.text or accord("hesita").search(sentence.text):
        return None
    asked = asks_which(dialogue) or _goes_on(sentence, done, dialogue)
    if not asked and not any(accord(name).search(sentence.text) for name in ("desfazer", "devolve")):
        return None
    said, bare = _read(sentence, dialogue)
    if said.falhas or said.medicos_desconhecidos or said.clinicas_desconhecidas or said.ausentes or (asked and not bare):
        return None
    last, before = _ways(done, dialogue)
    situacao = situation_of(dialogue, texts)
    if said.criterios == VAZIO and said.excluidos.is_empty:
        return _unnamed(sentence, last or before, situacao, asked=asked)
    for pool in (last, before):
        meant = _meant(said, pool, situacao)
        if not meant:
            continue
        if len(meant) > 1 and not _all_told(sentence, said, meant, situacao):
            return _which(meant, situacao)
        plainly = pool is last and (asked or is_plain(sentence, done, dialogue))
        return _brought_back(meant, dialogue, texts) if plainly else _older(meant, utterance, said, situacao)
    holds = bool(_kept(said, situacao))
    right_after = done.turno == len(dialogue.utterances)
    return _which(last, situacao) if bare and last and not holds and (right_after or asked) else None


def which_of_several(sentence: Frase, done: Feito, dialogue: Dialogue, texts: Mensagens) -> Planned | None:
    """The question which of several shall come back, where something is said besides that may tell it: `volta a da minha mãe`."""
    ways = given_back(done.volta, done)
    return _which(ways, situation_of(dialogue, texts)) if len(ways) > 1 and not _read(sentence, dialogue)[1] else None


def _goes_on(sentence: Frase, done: Feito, dialogue: Dialogue) -> bool:
    """Whether right after a part came back another is asked for: `e a da Dra. Fulana também`."""
    right_after = done.ato == "desfez" and done.turno == len(dialogue.utterances)
    return right_after and bool(intention("acrescentar").search(sentence.text))


def _read(sentence: Frase, dialogue: Dialogue) -> tuple[Leitura, bool]:
    """What is said beside the words that take back, and whether nothing but that and fillers is said."""
    mentions = read(sentence, dialogue).mencoes
    rest = sentence
    for name in ("desfazer", "devolve"):
        for match in accord(name).finditer(rest.text):
            rest = blanked(rest, *match.span())
    said = read_stretch(rest, mentions, 0, len(rest.text))
    orders = any(act.has_verb and act.tipo in {"marcar", "mudar", "minhas"} for act in read(rest, dialogue).atos)
    for one in mentions:
        rest = blanked(rest, one.start, one.end)
    return said, not orders and holds_only(rest.text, "resto", "entre_consultas", "apenas", "nao")


def _ways(done: Feito, dialogue: Dialogue) -> tuple[tuple[Volta, ...], tuple[Volta, ...]]:
    """What the last act gave up, and what was given up before it; of that only what can still come back."""
    last = given_back(done.volta, done) if done.volta else ()
    before = tuple(one for one in done.restam if one not in last and dialogue.now <= one.ate and can_come((one,), dialogue))
    return (last, before) if last or done.ato != "desfez" else (before, ())


def can_come(ways: tuple[Volta, ...], dialogue: Dialogue) -> bool:
    """Whether what took the place of each appointment is still held, where anything did."""
    held = {one.vaga for one in dialogue.bookings}
    leaves = [step for way in ways for step in way.steps if step.ferramenta is not MARCAR]
    moments = (
        (step.clinic, told["doctor"], told.get("original_date", told.get("date", "")), told.get("original_time", told.get("time", "")))
        for step in leaves
        for told in (step.parameters,)
    )
    return all(moment in held for moment in moments)


def _meant(said: Leitura, pool: tuple[Volta, ...], situacao: Situacao) -> tuple[Volta, ...]:
    given_up = _among(tuple(one.consulta for one in pool), situacao)
    found = bookings_meant(said, given_up) if pool else ()
    return tuple(one for one in pool if one.consulta in found)


def _among(bookings: tuple[Booking, ...], situacao: Situacao) -> Situacao:
    dialogue = msgspec.structs.replace(situacao.dialogue, bookings=bookings)
    return msgspec.structs.replace(situacao, dialogue=dialogue, pendente=Pendente())


def _kept(said: Leitura, situacao: Situacao) -> tuple[Booking, ...]:
    """What the person holds that the words may be about as well."""
    return bookings_meant(said, situacao) if situacao.dialogue.bookings else ()


def _all_told(sentence: Frase, said: Leitura, meant: tuple[Volta, ...], situacao: Situacao) -> bool:
    """Whether every one of several is meant: named each by itself, counted, or left by what was excepted."""
    excepted = said.criterios == VAZIO and not said.excluidos.is_empty
    bookings = tuple(one.consulta for one in meant)
    return excepted or bool(intention("tudo").search(sentence.text)) or each_named(said.criterios, bookings, _among(bookings, situacao))


def _unnamed(sentence: Frase, ways: tuple[Volta, ...], situacao: Situacao, *, asked: bool) -> Planned | None:
    """What a message that names none comes to: which, where one of several is asked for; all, where that answers which."""
    if len(ways) > 1 and accord("uma_so").search(sentence.text):
        return _which(ways, situacao)
    if not asked or proposed(situacao.dialogue.pending) is not None or not ways:
        return None
    if intention("tudo").search(sentence.text):
        return _brought_back(ways, situacao.dialogue, situacao.mensagens)
    return _which(ways, situacao) if consists_of(sentence.text, "sim", "resto") else None


def _which(ways: tuple[Volta, ...], situacao: Situacao) -> Planned:
    texts = situacao.mensagens
    asked = texts.say("qual_devolver", lista=texts.bookings(one.consulta for one in ways))
    return Plan(pergunta=asked, idioma=texts.idioma), write_pending(Pendente("devolver"))


def _older(meant: tuple[Volta, ...], utterance: str, said: Leitura, situacao: Situacao) -> Planned | None:
    """Of what was given up a while ago, the question first; nothing where the words are of what is held."""
    in_time = all(situacao.dialogue.now <= one.ate for one in meant)
    if not in_time:
        return too_late(meant, situacao.mensagens)
    return None if _kept(said, situacao) else propose(meant, utterance, situacao.mensagens)


def _brought_back(ways: tuple[Volta, ...], dialogue: Dialogue, texts: Mensagens) -> Planned:
    if all(dialogue.now <= one.ate for one in ways):
        return Plan(all_steps(ways), idioma=texts.idioma), {}
    return too_late(ways, texts)


def too_late(ways: tuple[Volta, ...], texts: Mensagens) -> Planned:
    """That the time for it is over, and what else those doctors have."""
    told = texts.say("tarde_para_desfazer", lista=texts.bookings(one.consulta for one in ways))
    memory = write_pending(Pendente("listado", Criterios(medicos=tuple((one.consulta.doctor,) for one in ways))))
    return Plan(listings(ways), fala=told, idioma=texts.idioma), memory
