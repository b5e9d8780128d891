"""Use cases of whoever looks at the papers of a recurso: a page, drawn in the limited process, or the file, which the audit tells of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from crivo.kernel.access import asks
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.leitor import Desenhista
from crivo.triagem.erros import DocumentoNotFound, PaginaNotFound
from crivo.triagem.paginas import largura_of
from crivo.triagem.recursos.contratos import Papel
from crivo.triagem.recursos.servico import get_recurso
from crivo.triagem.storage import editais, recursos, registros

_ABSENT: Final = "Não há este papel no recurso, ou os dados foram apagados a pedido. Volte ao recurso."


@dataclass(frozen=True, slots=True)
class PapelAberto:
    """A paper, how many pages it has, and whether this page of it can be drawn."""

    edital_nome: str
    papel: Papel
    total: int
    desenhavel: bool


class PapeisDeRecurso:
    """The papers of recursos."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID], desenhista: Desenhista) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._desenhista = desenhista

    @asks("triagem.acompanhar")
    async def abrir(self, scope: Scope, edital_id: str, numero: int, ordem: int, pagina: int) -> PapelAberto:
        """The `ordem`-th paper of a recurso, from 1. Raises EditalNotFound, RecursoNotFound, DocumentoNotFound."""
        nome, papel, conteudo = await self._paper(scope, edital_id, numero, ordem)
        laid = await self._desenhista.lay_out(conteudo, pagina, ocultos=False)
        return PapelAberto(nome, papel, laid.total, laid.estado == "lido")

    @asks("triagem.acompanhar")
    async def imagem(self, scope: Scope, edital_id: str, numero: int, ordem: int, pagina: int, largura: int) -> bytes:
        """A page as a PNG. Raises as `abrir`; PaginaNotFound where it cannot be drawn."""
        _, _, conteudo = await self._paper(scope, edital_id, numero, ordem)
        drawn = await self._desenhista.draw(conteudo, pagina, largura_of(largura))
        if drawn.estado != "lido":
            raise PaginaNotFound("Esta página não pôde ser desenhada. Baixe o arquivo.")
        return drawn.png

    @asks("triagem.acompanhar")
    async def baixar(self, scope: Scope, edital_id: str, numero: int, ordem: int) -> tuple[str, bytes]:
        """The name and content of a paper as it was sent, which the audit tells of. Raises as `abrir`."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            recurso = await get_recurso(uow, guardado, numero)
            conteudo = await recursos.paper(uow, recurso.id, ordem)
            if conteudo is None or ordem > len(recurso.papeis):
                raise DocumentoNotFound(_ABSENT)
            now, told = self._clock.now(), {"projeto": recurso.projeto_id, "numero": numero, "papel": ordem}
            await registros.note(uow, self._new_id(), now, "recurso.papel_baixado", edital_id, "recurso", str(recurso.id), told)
            return recurso.papeis[ordem - 1].nome, conteudo

    async def _paper(self, scope: Scope, edital_id: str, numero: int, ordem: int) -> tuple[str, Papel, bytes]:
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            recurso = await get_recurso(uow, guardado, numero)
            conteudo = await recursos.paper(uow, recurso.id, ordem)
            if conteudo is None or ordem > len(recurso.papeis):
                raise DocumentoNotFound(_ABSENT)
            return guardado.edital.nome, recurso.papeis[ordem - 1], conteudo
