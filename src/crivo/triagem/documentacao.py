"""Use cases of whoever opens a document of a project: its text as it was read, and the file as it was sent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from crivo.kernel.access import Este, SemPermissao, asks, may
from crivo.kernel.access.usuarios import acting_usuario
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.documentos.lido import DocumentoLido
from crivo.triagem.edital import Edital, Projeto
from crivo.triagem.erros import DocumentoNotFound, ProjetoNotFound
from crivo.triagem.storage import arquivos, avaliacoes, editais, projetos
from crivo.triagem.storage.projetos import Documento, ProjetoGuardado

AUSENTE: Final = "Não há este documento entre os que você pode ver. Volte ao projeto e escolha outro."


@dataclass(frozen=True, slots=True)
class DocumentoAberto:
    """A document of a project, the `numero`-th from 1; `lido` is None where nobody has read it yet."""

    edital: Edital
    projeto: Projeto
    numero: int
    arquivo: str
    tamanho_bytes: int
    lido: DocumentoLido | None


class Documentacao:
    """Documents for whoever manages, and for whoever judges the project; for others it is as if they did not exist."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @asks("triagem.abrir_documento")
    async def abrir(self, scope: Scope, edital_id: str, projeto_id: str, numero: int) -> DocumentoAberto:
        """The text of a document as the last reading found it. Raises SemPermissao, ProjetoNotFound, DocumentoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            edital, guardado = await project_of(uow, edital_id, projeto_id)
            documento = nth(guardado, numero)
            found = await arquivos.find_lidos(uow, "", [documento.sha256], any_version=True)
        lido = found.get(documento.sha256)
        return DocumentoAberto(edital, guardado.projeto, numero, documento.arquivo, documento.tamanho_bytes, lido)

    @asks("triagem.abrir_documento")
    async def abrir_todos(self, scope: Scope, edital_id: str, projeto_id: str) -> tuple[DocumentoAberto, ...]:
        """All documents of a project in their order, as `abrir` gives each. Raises SemPermissao, ProjetoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            edital, guardado = await project_of(uow, edital_id, projeto_id)
            found = await arquivos.find_lidos(uow, "", [one.sha256 for one in guardado.documentos], any_version=True)
        return tuple(
            [
                DocumentoAberto(edital, guardado.projeto, numero, one.arquivo, one.tamanho_bytes, found.get(one.sha256))
                for numero, one in enumerate(guardado.documentos, 1)
            ]
        )

    @asks("triagem.abrir_documento")
    async def baixar(self, scope: Scope, edital_id: str, projeto_id: str, numero: int) -> tuple[str, bytes]:
        """The name and the content of the file as it was sent, which the audit tells of. Raises as `abrir`."""
        async with self._database.unit_of_work(scope) as uow:
            _, guardado = await project_of(uow, edital_id, projeto_id)
            documento = nth(guardado, numero)
            content = await arquivos.content(uow, documento.sha256)
            if content is None:
                raise DocumentoNotFound(AUSENTE)
            told = {"edital": edital_id, "projeto": projeto_id, "documento": numero}
            await append(uow, self._clock.now(), [NewEntry(acao="documento.baixado", alvo=f"projeto:{projeto_id}", dados=told)])
            return documento.arquivo.rpartition("/")[2], content


async def project_of(uow: UnitOfWork, edital_id: str, projeto_id: str) -> tuple[Edital, ProjetoGuardado]:
    """The project whose documents whoever acts may open. Raises SemPermissao, ProjetoNotFound."""
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada abre documentos. Entre com o seu usuário.")
    guardado = await editais.find(uow, edital_id)
    of = None if guardado is None else await projetos.find_id(uow, guardado.id, projeto_id)
    if guardado is None or of is None:
        raise ProjetoNotFound(AUSENTE)
    este = Este(uow.scope.tenant_id, foi_dado=await avaliacoes.is_given(uow, person.id, of))
    if not may(uow.scope.sujeito, "triagem.abrir_documento", este):
        raise ProjetoNotFound(AUSENTE)
    return guardado.edital, await projetos.load_one(uow, of)


def nth(guardado: ProjetoGuardado, numero: int) -> Documento:
    """The `numero`-th document of a project, from 1. Raises DocumentoNotFound."""
    if not 1 <= numero <= len(guardado.documentos):
        raise DocumentoNotFound(AUSENTE)
    return guardado.documentos[numero - 1]
