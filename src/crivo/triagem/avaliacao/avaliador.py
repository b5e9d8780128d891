"""Grades a project by each critério with a model, and lets out only what code has checked. Source: design, Avaliação.

A model's failure ends in a critério without a nota, never in an error.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from crivo.kernel.llm.port import Modelo, ModeloIndisponivel, Question, Reply
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import NotaSugerida
from crivo.triagem.avaliacao.leitura import Leituras, complaint, read_replies
from crivo.triagem.avaliacao.material import Material, only_passages, read_material
from crivo.triagem.avaliacao.parecer import Julgado, Lidas, Retirados, conclude_all, is_lopsided, is_near_end, lead_both, sustains
from crivo.triagem.avaliacao.pergunta import AGENTE, alien_texts, common_parts, criterio_parts, criterio_prompt
from crivo.triagem.avaliacao.resposta import RespostaCriterio
from crivo.triagem.avaliacao.suspeita import Suspeito, confirm_named, could_weigh, evidence_of, find_suspeitos, splits, without
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Criterio, Edital


@dataclass(frozen=True, slots=True)
class _Pedido:
    """Whose project is graded, under which edital and marks, and what it is paid for."""

    scope: Scope
    edital: Edital
    origem: str
    nonce: str


@dataclass(frozen=True, slots=True)
class _Preparado:
    """A project as it is read for every critério: whole, and without its suspect passages."""

    whole: Material
    clean: Material
    suspeitos: Sequence[Suspeito]


class AvaliadorModelo:
    """Suggests notas with a model. `temperatura` is of every sample."""

    def __init__(self, modelo: Modelo, temperatura: float = 0.2) -> None:
        self._modelo = modelo
        self._temperatura = temperatura

    async def avaliar(
        self, scope: Scope, edital: Edital, criterios: Sequence[Criterio], lido: ProjetoLido, origem: str, nonce: str
    ) -> tuple[NotaSugerida, ...]:
        """A suggestion for each critério, in order, all asked at once; `edital.amostras` readings each, twice where text is suspect.

        Never raises for a model's failure: the critério comes back as `falhou`, with the reason in `observacao`.
        """
        preparado = await asyncio.to_thread(_prepare, lido)
        pedido = _Pedido(scope, edital, origem, nonce)
        julgados = await asyncio.gather(*(self._grade(pedido, criterio, preparado) for criterio in criterios))
        modelo = self._modelo
        return await asyncio.to_thread(conclude_all, edital, julgados, modelo=modelo.nome, simulado=modelo.simulado)

    async def _grade(self, pedido: _Pedido, criterio: Criterio, preparado: _Preparado) -> Julgado:
        whole, clean, suspeitos = preparado.whole, preparado.clean, preparado.suspeitos
        if suspeitos:
            read, compared = await asyncio.gather(self._read(pedido, criterio, clean), self._read(pedido, criterio, whole))
        else:
            read, compared = await self._read(pedido, criterio, clean), None
        named = confirm_named(read.suspeitos, clean)
        if named:
            read, compared = await self._read(pedido, criterio, without(_perhaps_less(clean), named)), compared or read
        metades = await self._halves(pedido, criterio, read, suspect=bool(suspeitos or named))
        told = evidence_of(clean, named)
        retirados = Retirados(
            (*evidence_of(whole, [one for one in suspeitos if one.certo]), *told), (*evidence_of(whole, suspeitos), *told)
        )
        return Julgado(criterio, Lidas(read, compared, metades), retirados)

    async def _halves(self, pedido: _Pedido, criterio: Criterio, read: Leituras, *, suspect: bool) -> tuple[Leituras, Leituras] | None:
        """Two halves of a project of which one alone leads to its nota; None where the nota is not near an end, or is sustained.

        Near an end is what an order is after, whatever its words. A passage with words of grading or ordering may be the order itself,
        and does not count; none does in a project with suspect text, of which a part may have stayed.
        """
        if read.nota is None or not is_near_end(read.nota, criterio):
            return None
        passages = [] if suspect else [evidencia for evidencia in read.evidencias if not could_weigh(evidencia.trecho)]
        if passages and sustains(
            await self._read(pedido, criterio, only_passages(read.material, passages), amostras=1), read.nota, criterio
        ):
            return None
        for first, second in splits(read.material):
            metades = await asyncio.gather(
                self._read(pedido, criterio, first, amostras=1), self._read(pedido, criterio, second, amostras=1)
            )
            if is_lopsided(metades, read.nota, criterio):
                return metades
            if not lead_both(metades, read.nota, criterio):
                return None
        return None

    async def _read(self, pedido: _Pedido, criterio: Criterio, material: Material, amostras: int | None = None) -> Leituras:
        """All samples of one reading; none are asked for where there is nothing to read."""
        if not material.secoes:
            return Leituras(material, 0)
        asked = max(1, pedido.edital.amostras) if amostras is None else amostras
        replies = await asyncio.gather(*(self._ask(pedido, criterio, material, amostra) for amostra in range(asked)))
        return read_replies(criterio, pedido.edital, material, replies)

    async def _ask(
        self, pedido: _Pedido, criterio: Criterio, material: Material, amostra: int
    ) -> Reply[RespostaCriterio] | ModeloIndisponivel:
        question = Question(
            agente=AGENTE,
            prompt=criterio_prompt(),
            partes=(*common_parts(pedido.edital, material), *criterio_parts(criterio)),
            resposta=RespostaCriterio,
            nonce=pedido.nonce,
            temperatura=self._temperatura,
            amostra=amostra,
            conferir=partial(complaint, criterio, alien_texts(pedido.edital, criterio), material),
        )
        try:
            return await self._modelo.ask(pedido.scope, question, pedido.origem)
        except ModeloIndisponivel as falha:
            return falha


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
