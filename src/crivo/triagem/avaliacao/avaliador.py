"""Grades a project by each critério with a model, and lets out only what code has checked. Source: design, Avaliação.

A model's failure ends in a critério without a nota, never in an error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from msgspec.structs import replace

from crivo.kernel.llm.port import Modelo, ModeloIndisponivel, Question, Reply
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import NotaSugerida
from crivo.triagem.avaliacao.leitura import Leituras, complaint, read_replies, valid_nota
from crivo.triagem.avaliacao.material import Material, only_passages, read_material
from crivo.triagem.avaliacao.parecer import Julgado, Lidas, Retirados, conclude_all, is_lopsided, is_near_end, lead_both, sustains
from crivo.triagem.avaliacao.pergunta import AGENTE, alien_texts, common_parts, criterio_parts, criterio_prompt
from crivo.triagem.avaliacao.resposta import RespostaCriterio
from crivo.triagem.avaliacao.suspeita import Suspeito, confirm_named, could_weigh, evidence_of, find_suspeitos, splits, without
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Criterio, Edital

_ASKED_ANEW: Final = 3  # times, an answer whose nota was no good twice
_APART: Final = 1_000  # more than the samples of any edital
TEMPERATURA: Final = 0.2  # of every sample


@dataclass(frozen=True, slots=True)
class _Pedido:
    """Whose project is graded by which critério, under which edital and marks, and what it is paid for; `lidas` is all that was read."""

    scope: Scope
    edital: Edital
    criterio: Criterio
    origem: str
    nonce: str
    lidas: list[Leituras] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Preparado:
    """A project as it is read for every critério: whole, and without its suspect passages."""

    whole: Material
    clean: Material
    suspeitos: Sequence[Suspeito]


class AvaliadorModelo:
    """Suggests notas with a model. `temperatura` is of every sample."""

    def __init__(self, modelo: Modelo, temperatura: float = TEMPERATURA) -> None:
        self._modelo = modelo
        self._temperatura = temperatura

    async def avaliar(
        self, scope: Scope, edital: Edital, criterios: Sequence[Criterio], lido: ProjetoLido, origem: str, nonce: str
    ) -> tuple[NotaSugerida, ...]:
        """A suggestion for each critério, in order, all asked at once; `edital.amostras` readings each, twice where text is suspect.

        Never raises for a model's failure: the critério comes back as `falhou`, with the reason in `observacao`.
        """
        preparado = await asyncio.to_thread(_prepare, lido)
        asked = (_Pedido(scope, edital, criterio, origem, nonce) for criterio in criterios)
        julgados = await asyncio.gather(*(self._grade(pedido, preparado) for pedido in asked))
        modelo = self._modelo
        return await asyncio.to_thread(conclude_all, edital, julgados, modelo=modelo.nome, simulado=modelo.simulado)

    async def _grade(self, pedido: _Pedido, preparado: _Preparado) -> Julgado:
        whole, clean, suspeitos = preparado.whole, preparado.clean, preparado.suspeitos
        if suspeitos:
            read, compared = await asyncio.gather(self._read(pedido, clean), self._read(pedido, whole))
        else:
            read, compared = await self._read(pedido, clean), None
        named = confirm_named(read.suspeitos, clean)
        if named:
            read, compared = await self._read(pedido, without(_perhaps_less(clean), named)), compared or read
        metades = await self._halves(pedido, read, suspect=bool(suspeitos or named))
        told = evidence_of(clean, named)
        retirados = Retirados(
            (*evidence_of(whole, [one for one in suspeitos if one.certo]), *told), (*evidence_of(whole, suspeitos), *told)
        )
        inteiras = all(one.inteira for one in pedido.lidas)
        return Julgado(pedido.criterio, Lidas(read, compared, metades, inteiras), retirados)

    async def _halves(self, pedido: _Pedido, read: Leituras, *, suspect: bool) -> tuple[Leituras, Leituras] | None:
        """Two halves of a project of which one alone leads to its nota; None where the nota is not near an end, or is sustained.

        Near an end is what an order is after, whatever its words. A passage with words of grading or ordering may be the order itself,
        and does not count; none does in a project with suspect text, of which a part may have stayed.
        """
        criterio = pedido.criterio
        if read.nota is None or not is_near_end(read.nota, criterio):
            return None
        passages = [] if suspect else [evidencia for evidencia in read.evidencias if not could_weigh(evidencia.trecho)]
        if passages and sustains(await self._read(pedido, only_passages(read.material, passages), amostras=1), read.nota, criterio):
            return None
        for first, second in splits(read.material):
            metades = await asyncio.gather(self._read(pedido, first, amostras=1), self._read(pedido, second, amostras=1))
            if is_lopsided(metades, read.nota, criterio):
                return metades
            if not lead_both(metades, read.nota, criterio):
                return None
        return None

    async def _read(self, pedido: _Pedido, material: Material, amostras: int | None = None) -> Leituras:
        """All samples of one reading; none are asked for where there is nothing to read."""
        if not material.secoes:
            return Leituras(material, 0)
        asked = max(1, pedido.edital.amostras) if amostras is None else amostras
        replies = await asyncio.gather(*(self._answer(pedido, material, amostra) for amostra in range(asked)))
        read = read_replies(pedido.criterio, pedido.edital, material, replies)
        pedido.lidas.append(read)
        return read

    async def _answer(self, pedido: _Pedido, material: Material, amostra: int) -> Reply[RespostaCriterio] | ModeloIndisponivel:
        """An answer that has a nota, if asking gets one: one without, out of an earlier execução, is kept for ever and is asked anew."""
        for turn in range(_ASKED_ANEW + 1):
            reply = await self._ask(pedido, material, amostra + turn * _APART)
            if isinstance(reply, ModeloIndisponivel) or not reply.repetida or valid_nota(reply.valor.nota, pedido.criterio) is not None:
                break
        return reply

    async def _ask(self, pedido: _Pedido, material: Material, amostra: int) -> Reply[RespostaCriterio] | ModeloIndisponivel:
        question = _question(pedido.edital, pedido.criterio, material, amostra, pedido.nonce, self._temperatura)
        try:
            return await self._modelo.ask(pedido.scope, question, pedido.origem)
        except ModeloIndisponivel as falha:
            return falha


def first_questions(
    edital: Edital, criterios: Sequence[Criterio], lido: ProjetoLido, nonce: str, temperatura: float = TEMPERATURA
) -> list[Question[RespostaCriterio]]:
    """What is sure to be asked of a project: the first reading by each critério, twice where text is suspect.

    What else is asked depends on the answers.
    """
    preparado = _prepare(lido)
    readings = [preparado.clean, preparado.whole] if preparado.suspeitos else [preparado.clean]
    return [
        _question(edital, criterio, material, amostra, nonce, temperatura)
        for material in readings
        if material.secoes
        for criterio in criterios
        for amostra in range(max(1, edital.amostras))
    ]


def _question(
    edital: Edital, criterio: Criterio, material: Material, amostra: int, nonce: str, temperatura: float
) -> Question[RespostaCriterio]:
    return Question(
        agente=AGENTE,
        prompt=criterio_prompt(),
        partes=(*common_parts(edital, material), *criterio_parts(criterio)),
        resposta=RespostaCriterio,
        nonce=nonce,
        temperatura=temperatura,
        amostra=amostra,
        conferir=partial(complaint, criterio, alien_texts(edital, criterio), material),
    )


def _prepare(lido: ProjetoLido) -> _Preparado:
    whole = read_material(lido)
    suspeitos = find_suspeitos(whole)
    if suspeitos:
        whole = _perhaps_less(whole)  # both readings are told so: they differ in what is suspect and in nothing else
    clean = without(whole, suspeitos)
    for secao in clean.secoes:
        _ = secao.dobrado  # here, where nobody waits for it
    return _Preparado(whole, clean, suspeitos)


def _perhaps_less(material: Material) -> Material:
    """A project of which sentences may be lacking."""
    return replace(material, parcial="frases")
