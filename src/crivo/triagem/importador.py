"""An import put into the database, all of it or nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Protocol
from uuid import UUID

from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem.edital import Chamada, Projeto
from crivo.triagem.storage import arquivos, avaliacoes, editais, projetos
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.projetos import Documento


class Legivel(Protocol):
    """A file that is read when it is asked for."""

    def read(self) -> bytes:
        """The whole content."""
        ...


class Importavel(Protocol):
    """A call, validated whole, and its files by the names that projects give them."""

    @property
    def chamada(self) -> Chamada: ...  # noqa: D102 - the class says it

    @property
    def arquivos(self) -> Mapping[str, Legivel]: ...  # noqa: D102 - the class says it


@dataclass(frozen=True, slots=True)
class Guardada:
    """What an import came to: files are counted by content, and `arquivos_novos` were not there before."""

    edital: EditalGuardado
    arquivos: int
    arquivos_novos: int


async def store(uow: UnitOfWork, importacao: Importavel, new_id: Callable[[], UUID], em: datetime) -> Guardada:
    """Put a call in the place of the one of its code, in this unit of work; what was there before keeps its id."""
    chamada = importacao.chamada
    edital = await editais.save(uow, chamada.edital, new_id(), em)
    await editais.replace_requisitos(uow, edital.id, chamada.requisitos)
    await editais.replace_criterios(uow, edital.id, chamada.criterios, [new_id() for _ in chamada.criterios], em)
    ids = await projetos.replace(uow, edital.id, chamada.projetos, [new_id() for _ in range(len(chamada.projetos))], em)
    people = [(await avaliacoes.ensure_usuario(uow, new_id(), one, em), one) for one in chamada.avaliadores]
    await avaliacoes.replace_avaliadores(uow, edital.id, people, ids)
    files = _Files(uow, importacao.arquivos)
    for projeto in chamada.projetos:
        await projetos.add_documentos(uow, ids[projeto.id], await files.keep(projeto))
    await arquivos.drop_orphans(uow)
    return Guardada(edital, len(files.seen), files.new)


class _Files:
    """The files of an import, read one at a time and stored once each."""

    def __init__(self, uow: UnitOfWork, by_name: Mapping[str, Legivel]) -> None:
        self._uow = uow
        self._by_name = by_name
        self._known: dict[str, tuple[bytes, int]] = {}
        self.seen: set[bytes] = set()
        self.new = 0

    async def keep(self, projeto: Projeto) -> list[Documento]:
        """The documents of a project, their contents stored."""
        return [Documento(one.arquivo, one.requisito, *await self._keep(one.arquivo)) for one in projeto.documentos]

    async def _keep(self, arquivo: str) -> tuple[bytes, int]:
        if arquivo not in self._known:
            content = await asyncio.to_thread(self._by_name[arquivo].read)
            digest = sha256(content).digest()
            if digest not in self.seen:
                self.new += await arquivos.keep(self._uow, digest, content)
                self.seen.add(digest)
            self._known[arquivo] = digest, len(content)
        return self._known[arquivo]
