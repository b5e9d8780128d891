"""What a question about clinics comes to: words and no step, beside what else the message asks for."""

from __future__ import annotations

import msgspec

from crivo.clinicas.orquestrador.decide.conversa import own_bookings
from crivo.clinicas.orquestrador.decide.listar import absent
from crivo.clinicas.orquestrador.decide.responder.informacoes import CONSULTA, LEXICO, Pedido, clinics_asked
from crivo.clinicas.orquestrador.decide.responder.respostas import MOST_CLINICS, Respostas
from crivo.clinicas.orquestrador.decide.situacao import Pendente, Saida, Situacao


def inform(pedido: Pedido, situacao: Situacao, beside: list[Saida]) -> Saida:
    """The answer to a question about clinics; `beside` is what else the message came to."""
    kept = Pendente() if beside else situacao.pendente
    said = pedido.leitura
    if said.clinicas_desconhecidas and not said.criterios.clinicas:
        return Saida(pergunta=situacao.mensagens.say("clinica_desconhecida"), pendente=kept)
    if said.ausentes and not said.criterios.has_scope:
        return absent(said.ausentes[0], situacao)
    subjects = tuple(name for name in pedido.assuntos if name != CONSULTA)
    if not subjects:
        return own_bookings(situacao)
    steps = [step for saida in beside for step in saida.steps]
    ids = clinics_asked(pedido, steps, situacao)
    if len(ids) > MOST_CLINICS:
        texts = LEXICO.textos[situacao.mensagens.idioma]
        names = situacao.mensagens.clinics(ids[:MOST_CLINICS])
        return Saida(pergunta=texts.qual_clinica.format(clinicas=names), pendente=kept)
    registro = situacao.dialogue.registro
    clinicas = tuple(clinica for id_ in ids if (clinica := registro.find(id_)))
    answers = Respostas(situacao.mensagens.idioma, clinicas, _plain(pedido.texto), said.criterios.ramos)
    lines = [line for name in subjects for line in answers.about(name)]
    if CONSULTA in pedido.assuntos:
        lines.insert(0, own_bookings(situacao).fala or "")
    again = Saida(pendente=kept) if beside else still_offered(situacao)
    told = "\n".join(dict.fromkeys(lines))
    return msgspec.structs.replace(again, fala=told, recusa=None if answers.complete else "escopo")


def still_offered(situacao: Situacao) -> Saida:
    """The question about the one slot that was proposed, put once more after an answer, so that a yes is to it."""
    pending, shown = situacao.pendente, situacao.offers
    slot = pending.proposta or (shown[0] if len(shown) == 1 and pending.assunto == "listado" else None)
    if slot is None or not situacao.is_open(slot) or pending.largado or pending.consulta is not None:
        return Saida(pendente=pending)
    asked = situacao.mensagens.say("confirma_horario", horario=situacao.mensagens.offer(slot))
    return Saida(pergunta=asked, pendente=Pendente("confirmar", proposta=slot))


def _plain(text: str) -> str:
    return " ".join("".join(char if char.isalnum() else " " for char in text).split())
