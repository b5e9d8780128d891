"""What of one project is judged by what its texts mean, where that can be told: both parts first say what has to be read for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Irregularidade, LeituraAssistida
from crivo.triagem.documentos.lido import ProjetoLido
from crivo.triagem.edital import Criterio
from crivo.triagem.irregularidades.proprias import find_no_projeto
from crivo.triagem.irregularidades.segunda_leitura import SegundaLeitura, Significados
from crivo.triagem.leitura_pelo_sentido import LeituraPeloSentido

Significar = Callable[[Scope, Sequence[str]], Awaitable[Significados]]
"""The vectors of some texts, by text: those that were read before are kept."""


class PeloSentido(NamedTuple):
    """The passages by critério, and the signs that are in a project alone. What takes long runs in a thread."""

    significar: Significar

    async def ler_assistido(self, scope: Scope, criterios: Sequence[Criterio], lido: ProjetoLido) -> tuple[LeituraAssistida, ...]:
        """For each critério the passages that come nearest to it."""
        leitura = await asyncio.to_thread(LeituraPeloSentido, criterios, lido)
        significados = await self.significar(scope, leitura.textos)
        return await asyncio.to_thread(leitura.ler, significados)

    async def sinais(self, scope: Scope, lido: ProjetoLido) -> tuple[Irregularidade, ...]:
        """What is hidden, and what words and meaning both say speaks to whoever grades."""
        segunda = await asyncio.to_thread(SegundaLeitura, lido)
        significados = await self.significar(scope, segunda.trechos)
        return await asyncio.to_thread(find_no_projeto, lido, lambda texto: segunda.ler(texto, significados))
