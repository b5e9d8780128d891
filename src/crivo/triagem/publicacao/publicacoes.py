"""Results as files: for those who manage, also of a draft; for anybody, of what was published, with a way to check what they hold."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from crivo.kernel.access import asks
from crivo.kernel.atos import NewEntry
from crivo.kernel.audit import append
from crivo.kernel.clock import Clock
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import InvalidTenant, Scope
from crivo.triagem.classificacao.publicado import FaseDoResultado
from crivo.triagem.erros import DocumentoExtenso, DocumentoNaoFeito, PublicacaoNotFound
from crivo.triagem.lembradas import Lembradas
from crivo.triagem.publicacao.conferencia import Conferida, Veredito
from crivo.triagem.publicacao.documentos.escrita import write
from crivo.triagem.publicacao.documentos.formatos import FORMATOS, FormatoDeSaida, recognise
from crivo.triagem.publicacao.documentos.impressora import Impressora
from crivo.triagem.publicacao.documentos.resultado import lay_out
from crivo.triagem.publicacao.documentos.selo import Selo, address_of
from crivo.triagem.publicacao.guardados import Prova, Publicada, Versao, standing
from crivo.triagem.publicacao.servico import PUBLICO, Resultados
from crivo.triagem.storage import publicadas_prova

_KEPT_BYTES: Final = 96_000_000
_TRIED: Final = 3  # versions of which a file is made again to be held against one that came in; the JSON is held against all of them
_ENTRIES: Final = 10_000  # of the audit, whose place is remembered
_WAITING_MOST: Final = 12  # who wait for a file to be made
_UNKNOWN: Final = "Não há organização com este endereço. Confira o que você recebeu, letra por letra."
Key = tuple[str, str, FormatoDeSaida]


@dataclass(frozen=True, slots=True)
class Arquivo:
    """A file as it goes out; `sha256` is of its bytes."""

    nome: str
    media_type: str
    content: bytes
    sha256: str


@dataclass(frozen=True, slots=True)
class Publica:
    """A version as anybody sees it; `versoes` are all of its edital, the newest first. `prova` is None where the audit tells nothing."""

    organizacao: str
    versao: Versao
    versoes: tuple[Publicada, ...]
    prova: Prova | None
    selo: Selo

    @property
    def vigente(self) -> Publicada:
        """The version of its fase that is in force."""
        return standing(self.versao.publicada, self.versoes)

    @property
    def final(self) -> Publicada | None:
        """The final result in force, where this one is preliminary and there is one."""
        finals = [one for one in self.versoes if one.fase == "final"]
        return finals[0] if finals and self.versao.publicada.fase == "preliminar" else None


class Publicacoes:
    """Makes the files of results, and remembers those of versions, which never change."""

    def __init__(
        self, resultados: Resultados, database: Database, clock: Clock, endereco: str, impressora: Impressora, kept_bytes: int = _KEPT_BYTES
    ) -> None:
        """`endereco` is the public address of the installation."""
        self._resultados = resultados
        self._database = database
        self._clock = clock
        self._endereco = endereco
        self._impressora = impressora
        self._kept: Lembradas[Key, Arquivo] = Lembradas(kept_bytes)
        self._entries: Lembradas[tuple[str, str], int] = Lembradas(_ENTRIES)
        self._making = asyncio.Lock()  # one file of a version at a time: who waits for the same one finds it made
        self._waiting = 0

    @asks("triagem.acompanhar")
    async def arquivo(self, scope: Scope, edital_id: str, numero: int, formato: FormatoDeSaida) -> Arquivo:
        """A version as a file; who took it is noted. Raises EditalNotFound, PublicacaoNotFound, DocumentoExtenso, DocumentoNaoFeito."""
        versao = await self._resultados.versao(scope, edital_id, numero)
        made = await self._made(scope.tenant_id, versao, formato)
        await self._note(scope, edital_id, {"versao": numero, "fase": versao.publicada.fase, "formato": formato, "sha256": made.sha256})
        return made

    @asks("triagem.acompanhar")
    async def rascunho(self, scope: Scope, edital_id: str, fase: FaseDoResultado, formato: FormatoDeSaida) -> Arquivo:
        """What would be published now, marked as a draft; who took it is noted. Raises SemClassificacao, and as `arquivo`."""
        found = await self._resultados.rascunho(scope, edital_id, fase)
        em, conteudo = self._clock.now(), found.conteudo
        if formato == "pdf":
            content = await self._impressora.imprimir(await asyncio.to_thread(lay_out, conteudo, None, em))
        else:
            content = await asyncio.to_thread(write, conteudo, None, em, formato)
        await self._note(scope, edital_id, {"fase": fase, "formato": formato, "rascunho": True})
        return _file(f"rascunho-{edital_id}-{fase}.{formato}", formato, content)

    async def publica(self, tenant_id: str, codigo: str) -> Publica:
        """A version by its code, for anybody. Raises PublicacaoNotFound."""
        scope = _anybody(tenant_id)
        versao, versoes = await self._resultados.por_codigo(tenant_id, codigo)
        async with self._database.unit_of_work(scope) as uow:
            name = await publicadas_prova.organization_name(uow)
            key = (tenant_id, versao.publicada.codigo)
            prova = await publicadas_prova.proof_of(uow, versao, self._entries.find(key))
            if prova is not None:
                self._entries.keep(key, prova.registro, 1)
        return Publica(name or tenant_id, versao, versoes, prova, self._selo(tenant_id, versao))

    async def lista(self, tenant_id: str) -> tuple[str, tuple[tuple[Publicada, str], ...]]:
        """What people call an organisation, and what it published, for anybody. Raises PublicacaoNotFound where there is no such one."""
        async with self._database.unit_of_work(_anybody(tenant_id)) as uow:
            name = await publicadas_prova.organization_name(uow)
        if name is None:
            raise PublicacaoNotFound(_UNKNOWN)
        return name, await self._resultados.publicadas(tenant_id)

    async def arquivo_publico(self, tenant_id: str, codigo: str, formato: FormatoDeSaida) -> Arquivo:
        """A version as a file, for anybody. Raises PublicacaoNotFound, DocumentoExtenso, DocumentoNaoFeito."""
        _anybody(tenant_id)
        versao, _ = await self._resultados.por_codigo(tenant_id, codigo)
        return await self._made(tenant_id, versao, formato)

    async def conferir(self, tenant_id: str, codigo: str, arquivo: bytes | None, resumo: str | None) -> Conferida:
        """Whether a file, or a digest, is of that version, or of another one of its edital. Raises PublicacaoNotFound.

        The content itself (the JSON) is held against what is stored; every other format is made again and compared byte by byte.
        """
        publica = await self.publica(tenant_id, codigo)
        sha256 = hashlib.sha256(arquivo).hexdigest() if arquivo is not None else resumo or ""
        formato = recognise(arquivo) if arquivo is not None else None
        found = await self._find(tenant_id, publica, sha256, formato, by_digest=arquivo is None)
        if found is None:
            return Conferida("nao_conhecido" if formato is None else "diferente", sha256, formato, None, publica.vigente, publica.prova)
        which, as_formato = found
        veredito: Veredito = "igual" if which == publica.versao.publicada else "de_outra_versao"
        return Conferida(veredito, sha256, as_formato, which, standing(which, publica.versoes), publica.prova)

    async def _find(
        self, tenant_id: str, publica: Publica, sha256: str, formato: FormatoDeSaida | None, *, by_digest: bool
    ) -> tuple[Publicada, FormatoDeSaida] | None:
        for one in publica.versoes:
            if one.sha256 == sha256:
                return one, "json"
        asked = publica.versao.publicada
        others = [one for one in publica.versoes if one != asked][: _TRIED - 1]
        wanted: Sequence[FormatoDeSaida] = [one for one in FORMATOS if one != "json"] if by_digest else [formato] if formato else []
        for one in (asked,) if by_digest else (asked, *others):
            versao = publica.versao if one == asked else (await self._resultados.por_codigo(tenant_id, one.codigo))[0]
            for each in wanted:
                try:
                    made = await self._made(tenant_id, versao, each)
                except (DocumentoExtenso, DocumentoNaoFeito):
                    continue
                if made.sha256 == sha256:
                    return one, each
        return None

    async def _made(self, tenant_id: str, versao: Versao, formato: FormatoDeSaida) -> Arquivo:
        key = (tenant_id, versao.publicada.codigo, formato)
        kept = self._kept.find(key)
        if kept is not None:
            return kept
        if formato == "json":
            return _named(versao.publicada, formato, versao.escrito)
        if self._waiting >= _WAITING_MOST:
            raise DocumentoNaoFeito("Muita gente pede arquivos agora. Tente de novo daqui a pouco.")
        self._waiting += 1
        try:
            async with self._making:
                return self._kept.find(key) or await self._make(key, versao, formato)
        finally:
            self._waiting -= 1

    async def _make(self, key: Key, versao: Versao, formato: FormatoDeSaida) -> Arquivo:
        selo, em = self._selo(key[0], versao), versao.publicada.publicada_em
        if formato == "pdf":
            content = await self._impressora.imprimir(await asyncio.to_thread(lambda: lay_out(versao.conteudo, selo, em)))
        else:
            content = await asyncio.to_thread(lambda: write(versao.conteudo, selo, em, formato))
        made = _named(versao.publicada, formato, content)
        self._kept.keep(key, made, len(content))
        return made

    def _selo(self, tenant_id: str, versao: Versao) -> Selo:
        return Selo(versao.publicada, address_of(self._endereco, tenant_id, versao.publicada.codigo))

    async def _note(self, scope: Scope, edital_id: str, told: dict[str, object]) -> None:
        async with self._database.unit_of_work(scope) as uow:
            entry = NewEntry(acao="resultado.exportado", alvo=f"edital:{edital_id}", dados={"edital": edital_id, **told})
            await append(uow, self._clock.now(), [entry])


def _named(publicada: Publicada, formato: FormatoDeSaida, content: bytes) -> Arquivo:
    return _file(f"resultado-{publicada.edital_id}-{publicada.fase}-v{publicada.versao}.{formato}", formato, content)


def _file(nome: str, formato: FormatoDeSaida, content: bytes) -> Arquivo:
    return Arquivo(nome, FORMATOS[formato].media_type, content, hashlib.sha256(content).hexdigest())


def _anybody(tenant_id: str) -> Scope:
    """Raises PublicacaoNotFound of what is no organisation's name at all."""
    try:
        return Scope(tenant_id, PUBLICO)
    except InvalidTenant:
        raise PublicacaoNotFound(_UNKNOWN) from None
