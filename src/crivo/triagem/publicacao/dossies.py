"""The use case of a dossier: gathered by what whoever manages may see anyway, and noted before it is given."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Final, Literal

from crivo.kernel.access import asks
from crivo.kernel.atos import NewEntry
from crivo.kernel.audit import append
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.resultado import Classificada
from crivo.triagem.diligencias.servico import Diligencias
from crivo.triagem.erros import SemClassificacao
from crivo.triagem.lugares import Lugares
from crivo.triagem.mesa import Mesa
from crivo.triagem.publicacao.conteudo import Linha
from crivo.triagem.publicacao.documentos import em_html
from crivo.triagem.publicacao.documentos.formatos import FORMATOS
from crivo.triagem.publicacao.documentos.impressora import Impressora
from crivo.triagem.publicacao.dossie import Para, Reunido, lay_out
from crivo.triagem.publicacao.guardados import Publicada
from crivo.triagem.publicacao.publicacoes import Arquivo
from crivo.triagem.publicacao.servico import Resultados
from crivo.triagem.recursos.servico import Recursos
from crivo.triagem.tratamento import Casos

_VERSIONS: Final = 10  # looked into for the project's row, the newest first


class Dossies:
    """Dossiers of projects, for those who manage."""

    def __init__(
        self,
        mesa: Mesa,
        casos: Casos,
        lugares: Lugares,
        resultados: Resultados,
        diligencias: Diligencias,
        recursos: Recursos,
        database: Database,
        clock: Clock,
        impressora: Impressora,
    ) -> None:
        self._mesa = mesa
        self._casos = casos
        self._lugares = lugares
        self._resultados = resultados
        self._diligencias = diligencias
        self._recursos = recursos
        self._database = database
        self._clock = clock
        self._impressora = impressora

    @asks("triagem.acompanhar")
    async def dossie(self, scope: Scope, edital_id: str, projeto_id: str, formato: Literal["html", "pdf"], para: Para) -> Arquivo:
        """The dossier as a file. Raises EditalNotFound, ProjetoNotFound, DocumentoNaoFeito."""
        na_mesa = await self._mesa.projeto(scope, edital_id, projeto_id)
        cases = [one for one in await self._casos.listar(scope, edital_id) if projeto_id in one.projetos]
        asked = [
            await self._diligencias.abrir(scope, edital_id, one.diligencia.numero)
            for one in await self._diligencias.do_projeto(scope, edital_id, projeto_id)
        ]
        listed = await self._recursos.listar(scope, edital_id)
        reunido = Reunido(
            na_mesa,
            cases,
            await self._classified(scope, edital_id),
            await self._published(scope, edital_id, projeto_id),
            asked,
            [one for one in listed.recursos if one.projeto_id == projeto_id],
            {who: name for nomes in (listed.nomes, *(one.nomes for one in asked)) for who, name in nomes.items()},
        )
        em = self._clock.now()
        folha = await asyncio.to_thread(lay_out, reunido, para, em)
        content = await self._impressora.imprimir(folha) if formato == "pdf" else await asyncio.to_thread(em_html.render, folha)
        sha256 = hashlib.sha256(content).hexdigest()
        told = {"edital": edital_id, "projeto": projeto_id, "formato": formato, "para": para, "sha256": sha256}
        async with self._database.unit_of_work(scope) as uow:
            await append(uow, em, [NewEntry(acao="dossie.exportado", alvo=f"projeto:{edital_id}/{projeto_id}", dados=told)])
        return Arquivo(f"dossie-{edital_id}-{projeto_id}-{para}.{formato}", FORMATOS[formato].media_type, content, sha256)

    async def _classified(self, scope: Scope, edital_id: str) -> Classificada | None:
        try:
            return await self._lugares.resultado(scope, edital_id)
        except SemClassificacao:
            return None

    async def _published(self, scope: Scope, edital_id: str, projeto_id: str) -> list[tuple[Publicada, Linha]]:
        found = []
        for one in (await self._resultados.versoes(scope, edital_id))[:_VERSIONS]:
            conteudo = (await self._resultados.versao(scope, edital_id, one.versao)).conteudo
            found += [(one, linha) for linha in conteudo.linhas if linha.lugar.projeto_id == projeto_id]
        return found
