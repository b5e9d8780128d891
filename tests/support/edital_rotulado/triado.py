"""A call screened as a worker does it, in this process and with no database: read, judged, looked over."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import msgspec

from crivo.triagem.achados import Habilitacao, ProjetoTriado, Resultado
from crivo.triagem.conferencia import Gabarito, ProjetoEsperado
from crivo.triagem.documentos.leitor import Leitor
from crivo.triagem.documentos.lido import DocumentoLido, ProjetoLido
from crivo.triagem.documentos.tesseract import find_tesseract
from crivo.triagem.edital import Chamada, Projeto
from crivo.triagem.embeddings.local import LocalEmbedder
from crivo.triagem.embeddings.port import Vetores
from crivo.triagem.habilitacao import habilitar
from crivo.triagem.irregularidades.todas import find_irregularidades


async def read_projects(chamada: Chamada, arquivos: Mapping[str, bytes]) -> tuple[ProjetoLido, ...]:
    """Every project with its documents read, in processes of their own."""
    async with Leitor() as leitor:

        async def read(arquivo: str, requisito: str | None) -> DocumentoLido:
            return msgspec.structs.replace(await leitor.read(arquivo, arquivos[arquivo]), requisito=requisito)

        async def of(projeto: Projeto) -> ProjetoLido:
            return ProjetoLido(projeto, tuple(await asyncio.gather(*(read(d.arquivo, d.requisito) for d in projeto.documentos))))

        return tuple(await asyncio.gather(*(of(projeto) for projeto in chamada.projetos)))


def judge(chamada: Chamada, lidos: tuple[ProjetoLido, ...]) -> Resultado:
    """What habilitação and the finders say of read projects, with the embedder that needs no model."""
    embedder = LocalEmbedder()
    vetores = Vetores(embedder.nome, embedder.limiar, embedder.embed([lido.projeto.texto for lido in lidos]))
    irregularidades = find_irregularidades(chamada, lidos, vetores).irregularidades
    triados = tuple(_triado(habilitar(chamada.edital, chamada.requisitos, lido)) for lido in lidos)
    return Resultado(chamada.edital.id, "", triados, irregularidades)


def readable_here(gabarito: Gabarito, fotografados: frozenset[tuple[str, str]]) -> Gabarito:
    """The key for this machine: with tesseract, what was photographed has no set answer, and neither has its project's suggestion."""
    if find_tesseract() is None:
        return gabarito
    return msgspec.structs.replace(gabarito, projetos=tuple(_left_open(esperado, fotografados) for esperado in gabarito.projetos))


def _left_open(esperado: ProjetoEsperado, fotografados: frozenset[tuple[str, str]]) -> ProjetoEsperado:
    itens = tuple(item for item in esperado.itens if (esperado.projeto_id, item.requisito) not in fotografados)
    if len(itens) == len(esperado.itens):
        return esperado
    return ProjetoEsperado(esperado.projeto_id, itens)


def _triado(habilitacao: Habilitacao) -> ProjetoTriado:
    return ProjetoTriado(
        habilitacao.projeto_id,
        habilitacao.habilitacao_sugerida,
        habilitacao.habilitacao_motivo,
        habilitacao.docs_completos,
        habilitacao.itens,
        (),
    )
