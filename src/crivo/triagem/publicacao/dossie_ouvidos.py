"""Of a dossier: what the proponente was asked in diligências and answered, and what they contested in recursos and became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from crivo.triagem.achados import ItemHabilitacao
from crivo.triagem.atos import when
from crivo.triagem.diligencias.guardadas import Aberta, Situacao
from crivo.triagem.palavras import MOTIVO, shown, situation_of
from crivo.triagem.publicacao.documentos.folha import Bloco, Coluna, Fatos, Paragrafo, Tabela
from crivo.triagem.recursos.contratos import Mudanca, NotaRevista, Recurso, Resposta
from crivo.triagem.recursos.palavras import CONTRA_CURTO, DESFECHO, change_said

_SITUACAO: Final[Mapping[Situacao, str]] = {
    "aberta": "aberta",
    "respondida": "respondida",
    "vencida": "vencida sem resposta",
    "cancelada": "cancelada",
}
_APAGADO: Final = "O texto foi apagado, a pedido da pessoa."


@dataclass(frozen=True, slots=True)
class Ditos:
    """How people are told: `texto` with the names taken out that are not told, `quem` decided or asked, `avaliador` judged."""

    texto: Callable[[str], str]
    quem: Callable[[UUID], str]
    avaliador: Callable[[UUID], str]


def judged_after(diligencias: Sequence[Aberta]) -> Iterator[tuple[int, ItemHabilitacao]]:
    """What the papers of each answer say of the requisitos that they came for, with the diligência's number, the first one first."""
    for one in _in_order(diligencias):
        yield from ((one.diligencia.numero, item) for item in one.diligencia.depois or ())


def asked_again(diligencias: Sequence[Aberta], ditos: Ditos) -> Iterator[Bloco]:
    """Each diligência: what it asked, by when, what came and what that says."""
    if not diligencias:
        yield Paragrafo("Nada mais foi pedido ao proponente depois da inscrição.")
    for one in _in_order(diligencias):
        asked = one.diligencia
        yield Paragrafo(f"Diligência {asked.numero}, {_SITUACAO[one.situacao]}.")
        yield Fatos(tuple(_facts(one, ditos)))
        papers = [(shown(papel.nome), papel.requisito or "anexo", when(envio.em)) for envio in one.envios for papel in envio.papeis]
        columns = (Coluna("Arquivo", 50), Coluna("Para", 18), Coluna("Chegou em", 24))
        if one.envios:
            yield Tabela(f"Arquivos da resposta à diligência {asked.numero}", columns, tuple(papers), "A resposta veio sem arquivos.")
        if asked.depois:
            before = {item.requisito: item for item in asked.pedida.antes} if asked.pedida else {}
            rows = [(item.requisito, _found(before.get(item.requisito)), _found(item)) for item in asked.depois]
            heads = (Coluna("Requisito", 12), Coluna("Antes", 40), Coluna("Depois da diligência", 40))
            yield Tabela(f"O que mudou com a diligência {asked.numero}", heads, tuple(rows))
        elif one.envios and asked.pedida:
            yield Paragrafo("Os arquivos desta resposta não foram conferidos pelo código: uma pessoa os lê.")


def _in_order(diligencias: Sequence[Aberta]) -> list[Aberta]:
    return sorted(diligencias, key=lambda one: one.diligencia.numero)


def _facts(one: Aberta, ditos: Ditos) -> Iterator[tuple[str, str]]:
    asked = one.diligencia
    yield "Pedida", f"{when(asked.pedida_em)}, por {ditos.quem(asked.pedida_por)}"
    yield "O que se pediu", ditos.texto(asked.pedida.texto) if asked.pedida else _APAGADO
    yield "Prazo", when(asked.prazo)
    for envio in one.envios:
        by = "pelo proponente" if envio.autor == "proponente" else "em papel, registrada pela organização"
        yield "Respondida", f"{when(envio.em)}, {by}{f': {ditos.texto(envio.texto)}' if envio.texto.strip() else ''}"
    if asked.julgada_em is not None:
        yield "Conferida de novo", when(asked.julgada_em)
    if asked.cancelada_em is not None:
        yield "Cancelada", f"{when(asked.cancelada_em)}: {ditos.texto(asked.motivo)}"


def _found(item: ItemHabilitacao | None) -> str:
    if item is None:
        return "Não constava"
    said = shown(item.achado or (MOTIVO[item.motivo] if item.motivo else ""))
    return f"{situation_of(item).palavra}{f'. {said}' if said else ''}"


def contested(recursos: Sequence[Recurso], criterios: Mapping[str, str], ditos: Ditos) -> Iterator[Bloco]:
    """Each recurso: what it says, what was answered, and what that changed; an answer taken back is told as that."""
    if not recursos:
        yield Paragrafo("Nenhum recurso foi apresentado sobre este projeto.")
    for one in sorted(recursos, key=lambda each: each.numero):
        yield Paragrafo(f"Recurso {one.numero}, contra: {CONTRA_CURTO[one.contra].lower()}.")
        yield Fatos(tuple(_of_recurso(one, criterios, ditos)))


def _of_recurso(one: Recurso, criterios: Mapping[str, str], ditos: Ditos) -> Iterator[tuple[str, str]]:
    paper = ", em papel" if one.entrada == "papel" else ""
    yield "Apresentado", f"{when(one.apresentado_em)}{paper}{f' (fora do prazo: {ditos.texto(one.tardio)})' if one.tardio else ''}"
    yield "O que diz", _APAGADO if one.texto is None else ditos.texto(one.texto)
    if one.papeis:
        yield "Arquivos", ", ".join([shown(papel.nome) for papel in one.papeis])
    for answer in sorted(one.desfeitas, key=lambda each: each.respondido_em):
        yield "Resposta retirada", _answer(answer, ditos)
    if one.resposta is None:
        yield "Resposta", "Espera resposta."
        return
    yield "Resposta", _answer(one.resposta, ditos)
    changed = [_change(part, criterios, ditos) for part in one.resposta.mudancas]
    yield "O que mudou", "\n".join(changed) or "Nada mudou."


def _answer(answer: Resposta, ditos: Ditos) -> str:
    why = _APAGADO if answer.motivo is None else ditos.texto(answer.motivo)
    gone = f" Retirada em {when(answer.desfeita_em)}." if answer.desfeita_em is not None else ""
    return f"{DESFECHO[answer.desfecho].palavra}, {when(answer.respondido_em)}, por {ditos.quem(answer.respondido_por)}. {why}{gone}"


def _change(mudanca: Mudanca, criterios: Mapping[str, str], ditos: Ditos) -> str:
    of = ditos.avaliador(mudanca.avaliador) if isinstance(mudanca, NotaRevista) else ""
    return ditos.texto(change_said(mudanca, criterios, of))
