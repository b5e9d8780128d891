"""What is said where a message asks for no call: yes, no, thanks, greetings, never mind, my bookings, what was not understood."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from crivo.clinicas.orquestrador.contracts import Offer
from crivo.clinicas.orquestrador.decide.de_cada import booked, each_as_asked
from crivo.clinicas.orquestrador.decide.escolha import choose
from crivo.clinicas.orquestrador.decide.listar import list_slots, scope_of_talk
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao
from crivo.clinicas.orquestrador.entende.acordo import consists_of
from crivo.clinicas.orquestrador.entende.atos import Ato
from crivo.clinicas.orquestrador.entende.criterios import VAZIO, without
from crivo.clinicas.orquestrador.entende.frase import Frase
from crivo.clinicas.orquestrador.entende.leitura import Leitura
from crivo.clinicas.orquestrador.entende.lexico import accord, intention, reference
from crivo.clinicas.orquestrador.passos import book, exchange

_FILLER: Final = re.compile(
    r"\b(?:por favor|entao|ai|muito|muita|mesmo|ja|eu|me|a|o|e|ta|esta|bem|so|voce|pela ajuda|pelo atendimento|"
    r"pelas? informac(?:ao|oes)|pela (?:atencao|resposta|paciencia)|pelo retorno|ajuda|"
    r"para mim|com voce|tudo|please|that|for your help|por la ayuda|"
    r"horario|consulta|dr|dra|viu|hein|ate|de novo|tambem|agora|obrigad[ao]|isso|mais nada|nada|hoje|you|very much|"
    r"so much|muchas|mil|moco|moca|amigo|querida|querido)\b|[^\w\s]"
)
_SPOKEN: Final = re.compile(r"[a-z]{2,}")
_NOTHING_PROPOSED: Final = frozenset({"", "cancelou"})  # what was chosen from already is proposed no more
_ACTS: Final = frozenset({"marcar", "cancelar", "mudar"})
_SIGNS: Final = re.compile(r"[\s,.;!]+")
_ANSWERED_BY_NO_YES: Final = frozenset({"cancelar", "mudar", "alarme"})


def own_bookings(situacao: Situacao) -> Saida:
    """What the person holds, told from the dialogue."""
    texts = situacao.mensagens
    held = situacao.dialogue.bookings
    if held:
        return Saida(fala=texts.say("suas_consultas", lista=texts.bookings(held)), pendente=situacao.pendente)
    return Saida(fala=texts.say("sem_consultas"), pendente=situacao.pendente)


_OF_APPOINTMENTS: Final = re.compile(
    r"\b(?:consult\w*|medic[oa]s?|horarios?|agend\w*|doctors?|appointments?|citas?|atendimento|especialista\w*|"
    r"clinicas?|vagas?)\b"
)


def says_nothing(act: Ato, sentence: Frase, situacao: Situacao) -> bool:
    """Whether it is a wish with nothing in it that concerns appointments: `quero falar com um atendente`."""
    to_choose = situacao.offers and (situacao.pendente.assunto or not situacao.bookings)
    if act.tipo not in {"escolher", "listar"} or to_choose or not act.leitura.criterios.is_empty or act.leitura != Leitura():
        return False
    return not _OF_APPOINTMENTS.search(sentence.text[act.start : act.end])


def small_talk(sentence: Frase, acts: Iterable[Ato], situacao: Situacao) -> Saida | None:
    """What is said where a message asks for nothing: yes, no, thanks, greetings, never mind, who are you."""
    say, text = situacao.mensagens.say, sentence.text
    if _ends_with_never_mind(text):
        return nothing_done("dispensa", situacao)
    if _puts_off(text, acts, situacao):
        return nothing_done("dispensa", situacao)
    asked = [act for act in acts if not act.leitura.criterios.is_empty or act.leitura.falhas or not act.leitura.excluidos.is_empty]
    named = [act for act in acts if act.leitura.medicos_desconhecidos or act.leitura.clinicas_desconhecidas or act.leitura.ausentes]
    if asked or named:
        return None
    settled = _goes_on(text, situacao) or _agreed(sentence, acts, situacao)
    if settled:
        return settled
    for name, key in (("agradecer", "agradecimento"), ("saudar", "saudacao")):
        if not any(act.tipo == "marcar" for act in acts) and _consists_of(text, name, "saudar", "aceitar"):
            return Saida(fala=say(key), pendente=situacao.pendente if name == "saudar" else Pendente())
    if _asks_what_this_is(text, situacao) and not any(act.tipo in {"marcar", "cancelar", "mudar", "minhas"} for act in acts):
        return Saida(fala=say("ajuda"), pendente=situacao.pendente)
    return None


def _asks_what_this_is(text: str, situacao: Situacao) -> bool:
    """Whether it is asked what there is here; `tem o que?` after a list is of that list."""
    whole = text.strip(" ,.;!?")
    return bool(intention("ajudar").search(text)) or (not situacao.offers and intention("o_que_tem").fullmatch(whole) is not None)


def _puts_off(text: str, acts: Iterable[Ato], situacao: Situacao) -> bool:
    """Whether a message only hesitates or puts off, about what was shown or is held: `ainda não sei`, `só curiosidade`."""
    begun = bool(situacao.offers or situacao.bookings) and not any(act.tipo in _ACTS for act in acts)
    return begun and consists_of(text, "recua", "hesita", "nao", "sim", "resto")


def _agreed(sentence: Frase, acts: Iterable[Ato], situacao: Situacao) -> Saida | None:
    """What a message comes to that only says yes; None for any other."""
    text, wishes = sentence.text, {act.tipo for act in acts} & _ACTS
    if wishes & {"cancelar", "mudar"} or not (
        _consists_of(text, "aceitar", also=("este",)) or accord("so_ta").fullmatch(_SIGNS.sub(" ", text).strip())
    ):
        return None
    if situacao.offers or situacao.pendente.assunto or _just_done(situacao):
        left = choose(VAZIO, VAZIO, situacao)
        if situacao.pendente.largado and "marcar" in wishes and len(left) == 1:
            return offered_again(left[0], situacao)
        made = nothing_waits(situacao) if _just_done(situacao) else accepted(situacao)
    elif situacao.dialogue.utterances and not wishes:
        made = nothing_waits(situacao)
    else:
        return None
    thanked = intention("agradecer").search(text) and made == nothing_waits(situacao)
    return Saida(fala=situacao.mensagens.say("agradecimento")) if thanked else made


def nothing_waits(situacao: Situacao) -> Saida:
    """The one answer to a yes where nothing waits for it: that nothing does, what is held, and how to go on."""
    texts, held = situacao.mensagens, situacao.dialogue.bookings
    lines = [texts.say("nada_espera")]
    if held:
        lines += [texts.say("continua_marcada", lista=texts.bookings(held)), texts.say("como_seguir")]
    else:
        lines.append(texts.say("como_escolher" if choose(VAZIO, VAZIO, situacao) else "como_comecar"))
    return Saida(fala="\n".join(lines), pendente=situacao.pendente)


def nothing_done(key: str, situacao: Situacao) -> Saida:
    """That nothing was done now; where something is held, that it still is, and how to give it up."""
    texts, held = situacao.mensagens, situacao.dialogue.bookings
    if not held:
        return Saida(fala=texts.say(key))
    return Saida(fala=f"{texts.say('nada_mudou_e_tem')}\n{texts.say('continua_marcada', lista=texts.bookings(held))}")


def _goes_on(text: str, situacao: Situacao) -> Saida | None:
    """What is said where all that a message tells is to go on after an alarm, that nobody is ill, or that nothing is wanted."""
    if situacao.pendente.assunto == "alarme" and _consists_of(text, "continuar"):
        return list_slots(scope_of_talk(situacao), VAZIO, situacao, "marcar")
    if _consists_of(text, "sem_queixa"):
        return _nothing_ill(situacao)
    if _consists_of(text, "dispensar"):
        return nothing_done("dispensa", situacao)
    return nothing_done("negacao", situacao) if _consists_of(text, "negar") else None


def _nothing_ill(situacao: Situacao) -> Saida:
    """What is said to `não tô sentindo nada, é só check-up`: what was shown is still there to choose from."""
    open_ = tuple(offer for offer in situacao.offers if situacao.is_open(offer)) if situacao.pendente.assunto else ()
    if len(open_) == 1:
        return offered_again(open_[0], situacao)
    return Saida(pergunta=situacao.mensagens.say("sem_queixa_lista" if open_ else "sem_queixa"), pendente=situacao.pendente)


def _just_done(situacao: Situacao) -> bool:
    """Whether nothing waits for an answer, and what was said last booked or changed something: a yes then only says that it is right."""
    done = situacao.dialogue.feito
    right_after = done is not None and done.ato in {"marcou", "mudou", "desfez"} and done.turno == len(situacao.dialogue.utterances)
    return right_after and not situacao.pendente.assunto and bool(situacao.bookings)


def _ends_with_never_mind(text: str) -> bool:
    """Whether what was begun is taken back in the last clause: `cancela... não, deixa pra lá`."""
    clauses = [clause for clause in re.split(r"[,.;!?]", text) if clause.strip()]
    return len(clauses) > 1 and _consists_of(clauses[-1], "dispensar") and not _consists_of(text, "dispensar")


def _consists_of(text: str, *names: str, also: tuple[str, ...] = ()) -> bool:
    """Whether a text has words of the first intention, and none but of these and fillers."""
    if not intention(names[0]).search(text):
        return False
    for pattern in (*(intention(name) for name in (*names, "vocativo")), *(reference(name) for name in also), _FILLER):
        text = pattern.sub(" ", text)
    for name in ("agradecer", "saudar", "vocativo"):
        text = intention(name).sub(" ", text)
    return not text.strip()


def accepted(situacao: Situacao) -> Saida:
    """A yes: to what was proposed, or to the one slot that is left of those shown and asked for."""
    pending, texts = situacao.pendente, situacao.mensagens
    if pending.assunto in _ANSWERED_BY_NO_YES:
        return _asked_again(situacao)
    if pending.largado or pending.assunto in _NOTHING_PROPOSED:
        return nothing_waits(situacao)
    if pending.proposta and situacao.is_open(pending.proposta):
        return _taken(pending.proposta, situacao)
    if pending.assunto in {"reabrir", "recusado"} and pending.criterios.has_scope:
        return list_slots(without(pending.criterios, "dias"), VAZIO, situacao, "marcar")
    if pending.assunto == "listado" and _are_several(situacao):
        return _all_taken(situacao)
    fitting = choose(pending.criterios, VAZIO, situacao) or choose(VAZIO, VAZIO, situacao)
    if len(fitting) == 1:
        return _taken(fitting[0], situacao)
    if not pending.perguntado:
        return nothing_waits(situacao)
    return Saida(pergunta=texts.say("o_que_confirmar"), pendente=msgspec.structs.replace(pending, perguntado=True))


def _all_taken(situacao: Situacao) -> Saida:
    """Every wish of a list with several booked, where each has one slot alone; else the question which."""
    pending, every = situacao.pendente, each_as_asked(situacao)
    if every and pending.perguntado:
        return booked(every, situacao)
    asked = situacao.mensagens.say("o_que_confirmar")
    return Saida(pergunta=asked, pendente=msgspec.structs.replace(pending, perguntado=True))


def _are_several(situacao: Situacao) -> bool:
    """Whether the slots shown are of several specialties."""
    return len({situacao.specialty_of(offer.clinic) for offer in situacao.offers}) > 1


def _taken(offer: Offer, situacao: Situacao) -> Saida:
    """The slot booked, or changed to; offered once more where the yes may be to something else."""
    pending = situacao.pendente
    if not pending.perguntado:
        return offered_again(offer, situacao)
    if pending.consulta in situacao.bookings and pending.consulta is not None:
        return Saida(steps=exchange(pending.consulta, offer))
    return Saida(steps=(book(offer),))


def _asked_again(situacao: Situacao) -> Saida:
    """The question that a yes does not answer: which appointment is meant, or whether to go on after an alarm broke the talk off."""
    pending, texts, held = situacao.pendente, situacao.mensagens, situacao.dialogue.bookings
    if pending.assunto == "alarme":
        return Saida(pergunta=texts.say("depois_do_alarme"), pendente=Pendente("reabrir", scope_of_talk(situacao)))
    if len(held) == 1:
        return Saida(pergunta=texts.say("cancelar_ou_mudar", horario=texts.booking(held[0])), pendente=pending)
    if held:
        return Saida(pergunta=texts.say(f"qual_{pending.assunto}", lista=texts.bookings(held)), pendente=pending)
    return Saida(pergunta=texts.say(f"nada_para_{pending.assunto}"), pendente=pending)


def offered_again(offer: Offer, situacao: Situacao) -> Saida:
    """The question whether a slot that was shown shall be booked."""
    asked = situacao.mensagens.say("fica_com", horario=situacao.mensagens.offer(offer))
    return Saida(pergunta=asked, pendente=Pendente("confirmar", VAZIO, proposta=offer, consulta=situacao.pendente.consulta))


def not_understood(sentence: Frase, situacao: Situacao) -> Saida:
    """A question back; where it is a sentence and not a slip of the hand, it is told to be out of scope as well."""
    say = situacao.mensagens.say
    words = _SPOKEN.findall(sentence.text)
    alone = not situacao.pendente.assunto and not situacao.offers
    strange = len(words) > 2 and (alone or sentence.text.rstrip().endswith("?"))
    kept = situacao.pendente
    dropped = msgspec.structs.replace(kept, largado=kept != Pendente())
    return Saida(pergunta=say("nao_entendi"), recusa="escopo" if strange else None, pendente=dropped)
