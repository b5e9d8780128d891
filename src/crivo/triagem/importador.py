"""An import put into the database, all of it or nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, Protocol
from uuid import UUID

from crivo.kernel.access import find_usuario
from crivo.kernel.cotas import require_room
from crivo.kernel.sigilo import Partilhada
from crivo.kernel.sigilo.identidade import read_email
from crivo.kernel.storage.session import UnitOfWork
from crivo.triagem import cota
from crivo.triagem.edital import Avaliador, Chamada, Projeto
from crivo.triagem.impedidos import Impedido
from crivo.triagem.importacao.itens import Alguns
from crivo.triagem.ja_feito import judges_of, keep_avaliacoes, keep_habilitacoes
from crivo.triagem.storage import arquivos, avaliacoes, chaves, editais, julgadores, projetos
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.projetos import Conhecido, Documento, digests_of

_AT_ONCE: Final = 20  # projects whose files are noted together
_HELD_BYTES: Final = 4_000_000  # of files that are stored together; a larger one is stored alone


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

    @property
    def so_definicao(self) -> bool: ...  # noqa: D102 - it speaks of the edital alone, and not of its projects


@dataclass(frozen=True, slots=True)
class Guardada:
    """What an import came to: files are counted by content, and `arquivos_novos` were not there before.

    `apagados` are the projects whose people were erased, by code, and when: left out, unless they were accepted.
    `avaliadores_fora` are as many of the people who judge; `impedidos` are those of the others who cannot judge yet. `imagens` of the
    files look like images and were not read yet, or could not be. `avaliados` and `decididos` are the projects of which notas and decisions
    of people came that were not there.
    """

    edital: EditalGuardado
    projetos: int
    arquivos: int
    arquivos_novos: int
    apagados: Mapping[str, datetime | None]
    avaliadores_fora: int
    impedidos: tuple[Impedido, ...]
    imagens: int
    avaliados: int = 0
    decididos: int = 0


async def store_definicao(uow: UnitOfWork, chamada: Chamada, new_id: Callable[[], UUID], em: datetime) -> EditalGuardado:
    """Put what an edital asks for in the place of what it asked for, in this unit of work; its projects stay as they are.

    Raises CotaAtingida where it is new and the organisation may have no more.
    """
    if await editais.find(uow, chamada.edital.id) is None:
        await require_room(uow, "editais", cota.count_editais)
    edital = await editais.save(uow, chamada.edital, new_id(), em)
    await editais.replace_requisitos(uow, edital.id, chamada.requisitos)
    await editais.replace_criterios(uow, edital.id, chamada.criterios, [new_id() for _ in chamada.criterios], em)
    return edital


async def keep_projetos(uow: UnitOfWork, chamada: Chamada, new_id: Callable[[], UUID], em: datetime) -> Guardada:
    """The same, told as an import is."""
    edital = await store_definicao(uow, chamada, new_id, em)
    files = await arquivos.openers_of(uow, edital.id)
    return Guardada(
        edital=edital,
        projetos=await projetos.count_of(uow, edital.id),
        arquivos=len(files),
        arquivos_novos=0,
        apagados={},
        avaliadores_fora=0,
        impedidos=await julgadores.impedidos_of(uow, edital.id),
        imagens=await arquivos.count_unread_images(uow, edital.id, by_look=True),
    )


async def store(
    uow: UnitOfWork, importacao: Importavel, new_id: Callable[[], UUID], em: datetime, *, aceitar_apagados: bool = False
) -> Guardada:
    """Put a call in the place of the one of its code, in this unit of work; what was there before keeps its id.

    Projects of people who were erased at their request are left out, and stay erased where they were in the edital already. Raises
    CotaAtingida where the organisation has no room for what would be more than there is, before any project is written.
    """
    chamada = importacao.chamada
    edital = await store_definicao(uow, chamada, new_id, em)
    known = await projetos.known_of(uow, edital.id)
    files = _Files(uow, importacao.arquivos, await arquivos.openers_of(uow, edital.id))
    apagados = await find_erased(uow, chamada.projetos, known)
    taken, places = chamada.projetos, None
    if apagados and not aceitar_apagados:
        places = [at for at, one in enumerate(taken) if one.id not in apagados]
        taken = Alguns(taken, places)
    left = {codigo for codigo in apagados if codigo in known and known[codigo].apagado and not aceitar_apagados}
    more = len(taken) + len(left) - await projetos.count_of(uow, edital.id)
    await require_room(uow, "projetos", cota.count_projetos, more)
    room = await cota.begin_bytes(uow)
    ids = await projetos.replace(uow, edital.id, taken, [new_id() for _ in range(len(taken))], em, places, left)
    judges = judges_of(chamada)
    judging = judges if aceitar_apagados else await not_erased(uow, judges)
    people = [(await avaliacoes.ensure_usuario(uow, new_id(), one, em), one) for one in judging]
    says = any(one.projetos for one in chamada.avaliadores)
    await avaliacoes.replace_avaliadores(uow, edital.id, people, ids, says_projetos=says)
    donas = await chaves.hold_all(uow, edital.id)
    for start in range(0, len(taken), _AT_ONCE):
        kept = await files.keep(taken[start : start + _AT_ONCE])
        await projetos.add_documentos(uow, {ids[codigo]: documentos for codigo, documentos in kept.items()})
        shared = [(donas[codigo].dona, {one.sha256: files.seen[one.sha256] for one in documentos}) for codigo, documentos in kept.items()]
        await arquivos.share(uow, [(dona, theirs) for dona, theirs in shared if dona is not None])
    await arquivos.drop_orphans(uow)
    await cota.require_bytes(uow, room)
    by_email = {one.email.strip().casefold(): of for of, one in people}
    avaliados = await keep_avaliacoes(uow, edital, chamada.avaliacoes, ids, by_email, donas, new_id, em)
    decididos = await keep_habilitacoes(uow, edital, chamada.habilitacoes, new_id, em)
    impedidos = await julgadores.impedidos_of(uow, edital.id)
    return Guardada(
        edital=edital,
        projetos=len(taken),
        arquivos=len(files.seen),
        arquivos_novos=files.new,
        apagados=apagados,
        avaliadores_fora=len(judges) - len(judging),
        impedidos=impedidos,
        imagens=await arquivos.count_unread_images(uow, edital.id, by_look=True),
        avaliados=avaliados,
        decididos=decididos,
    )


async def not_erased(uow: UnitOfWork, avaliadores: Sequence[Avaliador]) -> list[Avaliador]:
    """Those of the people who judge that were not erased at their request; who has an account again consented anew."""
    tenant_id = uow.scope.tenant_id
    gone = (await uow.cofre.erased(uow, "triagem")).emails.keys() | (await uow.cofre.erased(uow, "pessoas")).emails.keys()
    erased = {one.email for one in avaliadores if uow.cofre.index(tenant_id, "email", read_email(one.email)) in gone}
    back = {email for email in erased if await find_usuario(uow, email) is not None}
    return [one for one in avaliadores if one.email not in erased or one.email in back]


async def find_erased(uow: UnitOfWork, enviados: Iterable[Projeto], known: Mapping[str, Conhecido]) -> dict[str, datetime | None]:
    """The projects whose proponente, or who answers for them, was erased at their request, by code, and when; None where nobody knows when.

    Where a CPF is told, the person is known by it alone: families share an e-mail. What is held lawfully of the same person in the same
    place stays.
    """
    erased = await uow.cofre.erased(uow, "triagem")
    unknown = {codigo for codigo, one in known.items() if one.apagado and not one.sabida}
    found: dict[str, datetime | None] = {}
    if not (erased.cpfs or erased.emails or unknown):
        return found
    for projeto in enviados:
        was, digests = known.get(projeto.id), digests_of(uow, projeto.proponente)
        if was is not None and was.dona is not None and was.digests == digests:
            continue
        cpf, email, responsavel = digests
        cpfs = [one for one in (cpf, responsavel) if one is not None]
        when = [erased.cpfs[one] for one in cpfs if one in erased.cpfs]
        when += [erased.emails[email]] if email is not None and not cpfs and email in erased.emails else []
        if when or projeto.id in unknown:
            found[projeto.id] = max(when, default=None)
    return found


class _Files:
    """The files of an import, stored once each; those that the edital had already are there. So many bytes of them are held at once."""

    def __init__(self, uow: UnitOfWork, by_name: Mapping[str, Legivel], there: Mapping[bytes, Partilhada]) -> None:
        self._uow = uow
        self._by_name = by_name
        self._there = there
        self._known: dict[str, tuple[bytes, int]] = {}
        self.seen: dict[bytes, Partilhada] = {}
        self.new = 0

    async def keep(self, projetos: Sequence[Projeto]) -> dict[str, list[Documento]]:
        """The documents of projects by their codes, their contents stored."""
        names = iter(dict.fromkeys(one.arquivo for projeto in projetos for one in projeto.documentos if one.arquivo not in self._known))
        while some := await asyncio.to_thread(self._read_some, names):
            await self._store(some)
        return {
            projeto.id: [Documento(one.arquivo, one.requisito, *self._known[one.arquivo]) for one in projeto.documentos]
            for projeto in projetos
        }

    def _read_some(self, names: Iterator[str]) -> list[tuple[str, bytes, bytes]]:
        """The next files with their digests, until they come to `_HELD_BYTES` together."""
        found, held = [], 0
        for name in names:
            content = self._by_name[name].read()
            found.append((name, sha256(content).digest(), content))
            held += len(content)
            if held >= _HELD_BYTES:
                break
        return found

    async def _store(self, some: Sequence[tuple[str, bytes, bytes]]) -> None:
        self._known |= {name: (digest, len(content)) for name, digest, content in some}
        unseen = {digest: content for _, digest, content in some if digest not in self.seen}
        self.seen |= {digest: self._there[digest] for digest in unseen if digest in self._there}
        lacking = {digest: content for digest, content in unseen.items() if digest not in self.seen}
        if lacking:
            kept, new = await arquivos.keep(self._uow, lacking)
            self.seen |= kept
            self.new += new
