"""Journeys of triagem: a project graded, a document recognised, and texts compared by a service."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from crivo.kernel.clock import SystemClock
from crivo.triagem.avaliacao.avaliador import AvaliadorModelo
from crivo.triagem.comparacao import Comparacao
from crivo.triagem.edital import Criterio, Nivel, RequisitoDocumento
from crivo.triagem.habilitacao import habilitar
from crivo.triagem.habilitacao.reconhecimento import Reconhecedora
from inscritos import EDITAL, com_anexo, lidos, projeto
from jornadas.jornada import Chegada, Jornada, Mundo, marked
from provedor import FALTAS_DE_TROCA, FALTAS_DE_VETORES, Pedido

_QUOTE = "Todas as sessões terão intérprete de Libras e audiodescrição, e o palco terá rampa para cadeirantes."
TEXTO = (
    "O festival reúne cantadores e repentistas do sertão em três noites de apresentações na praça central. "
    f"{_QUOTE} O público esperado é grande ao longo do fim de semana, com entrada gratuita."
)
CRITERIO = Criterio(
    "C1",
    "Acessibilidade",
    "Medidas para que pessoas com deficiência participem.",
    nota_min=Decimal(0),
    nota_max=Decimal(10),
    niveis=(Nivel(Decimal(10), "Há medidas de acessibilidade em todas as etapas."),),
)
CARTA = "Eu, presidente da associação do bairro, digo que o festival é bem-vindo na nossa praça e que vamos ajudar no que for preciso."


async def _grade(mundo: Mundo) -> Chegada:
    (lido,) = lidos(projeto("P1", TEXTO))
    (nota,) = await AvaliadorModelo(mundo.modelo).avaliar(mundo.scope, EDITAL, (CRITERIO,), lido, "execucao:1", "0" * 16)
    erros = marked(nota.justificativa, nota.observacao)
    if nota.nota_sugerida is None:
        if nota.situacao not in {"falhou", "abstencao"} or not nota.observacao or nota.confianca:
            erros.append(f"no nota, and {nota.situacao} with “{nota.observacao}”")
    else:
        if not CRITERIO.nota_min <= nota.nota_sugerida <= CRITERIO.nota_max:
            erros.append(f"the nota is {nota.nota_sugerida}")
        if not nota.evidencias and (nota.confianca or nota.situacao != "sem_evidencia"):
            erros.append(f"without evidence, {nota.situacao} with confiança {nota.confianca}")
    erros += [f"quoted and not there: {evidencia.trecho}" for evidencia in nota.evidencias if evidencia.trecho not in TEXTO]
    return Chegada(nota.situacao == "sugerida", tuple(erros))


def _graded(asked: Pedido) -> Mapping[str, Any]:
    words = "O projeto prevê intérprete de Libras, audiodescrição e rampa para cadeirantes em todas as sessões."
    return {"citacoes": [_QUOTE], "trechos_suspeitos": [], "justificativa": words, "nota": 7.5}


async def _recognise(mundo: Mundo) -> Chegada:
    requisito = RequisitoDocumento("R1", "CARTA_ANUENCIA")
    lido = com_anexo(projeto("P1", TEXTO), "carta.pdf", CARTA, requisito="R1")
    by_code = habilitar(EDITAL, (requisito,), lido)
    found, _ = await Reconhecedora(mundo.modelo).revisar(mundo.scope, EDITAL, (requisito,), lido, by_code, "execucao:1", "0" * 16)
    (item,), (before,) = found.itens, by_code.itens
    erros = marked(item.achado, found.habilitacao_motivo)
    if item.autor == "codigo" and (item.situacao, item.motivo, found.habilitacao_sugerida) != (
        before.situacao,
        before.motivo,
        by_code.habilitacao_sugerida,
    ):
        erros.append(f"the code's own finding became {item}")
    if item.autor == "modelo" and (item.evidencia is None or item.evidencia.trecho not in CARTA):
        erros.append(f"recognised by a quote that is not there: {item.evidencia}")
    return Chegada(item.autor == "modelo", tuple(erros))


def _recognised(asked: Pedido) -> Mapping[str, Any]:
    return {"trecho": "o festival é bem-vindo na nossa praça e que vamos ajudar", "atende": True}


async def _compare(mundo: Mundo) -> Chegada:
    textos = [TEXTO, TEXTO.replace("festival", "encontro"), "Oficina de cerâmica para crianças."]
    found = await Comparacao(mundo.settings, mundo.database, SystemClock()).read(mundo.scope, textos, "execucao:1")
    matriz, is_local = found.vetores.matriz, found.vetores.embedder == "local-1"
    erros = [] if is_local == bool(found.observacao) else ["whose vectors these are is not told"]
    if matriz.shape[0] != len(textos) or not matriz[0] @ matriz[1] > matriz[0] @ matriz[2]:
        erros.append("the nearer texts are not nearer")
    return Chegada(not is_local, tuple(erros))


DE_TRIAGEM = (
    Jornada("triagem.criterio", _graded, _grade),
    Jornada("triagem.habilitacao", _recognised, _recognise),
    Jornada("triagem.embeddings", lambda asked: {}, _compare, (*FALTAS_DE_TROCA, *FALTAS_DE_VETORES)),
)
