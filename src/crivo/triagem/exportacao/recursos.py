"""Recursos and their answers as a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from crivo.triagem.atos import name_of, when
from crivo.triagem.conclusoes import Concluido
from crivo.triagem.edital import Criterio
from crivo.triagem.exportacao.celulas import Coluna, Linha
from crivo.triagem.palavras import yes_no
from crivo.triagem.recursos.contratos import NotaRevista, Recurso
from crivo.triagem.recursos.palavras import ABERTO, CONTRA_CURTO, DESFECHO, change_said

RECURSOS: Final = (
    Coluna("Recurso", 9),
    Coluna("Contra", 14),
    Coluna("Entregue", 20),
    Coluna("Fora do prazo, recebido porque", 40, "longo"),
    Coluna("O que pede", 60, "longo"),
    Coluna("Papéis", 30, "longo"),
    Coluna("Resposta", 18),
    Coluna("Motivo da resposta", 60, "longo"),
    Coluna("O que mudou", 50, "longo"),
    Coluna("Respondido por", 26),
    Coluna("Respondido em", 20),
    Coluna("Respostas desfeitas", 12),
)


def recursos(criterios: Sequence[Criterio], concluido: Concluido, named: Callable[[str], Linha]) -> Iterator[Linha]:
    """A line for each recurso, after whom it is of."""
    names = {one.id: one.nome for one in criterios}
    for one in concluido.recursos:
        came = (one.numero, CONTRA_CURTO[one.contra], when(one.apresentado_em), one.tardio or None, one.texto)
        papers = "\n".join([papel.nome for papel in one.papeis]) or None
        yield (*named(one.projeto_id), *came, papers, *_answer(one, names, concluido), yes_no(bool(one.desfeitas)))


def _answer(one: Recurso, criterios: Mapping[str, str], concluido: Concluido) -> Linha:
    resposta = one.resposta
    if resposta is None:
        return (ABERTO.palavra, None, None, None, None)
    told = [
        change_said(each, criterios, name_of(each.avaliador, concluido.nomes) if isinstance(each, NotaRevista) else "")
        for each in resposta.mudancas
    ]
    who = (name_of(resposta.respondido_por, concluido.nomes), when(resposta.respondido_em))
    return (DESFECHO[resposta.desfecho].palavra, resposta.motivo, "\n".join(told) or None, *who)
