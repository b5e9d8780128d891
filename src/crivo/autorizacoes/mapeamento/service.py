"""Use cases of mappings: list, try on a sample, import as a draft, see what publishing changes, publish, close."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final, Literal
from uuid import UUID

import msgspec

from crivo.autorizacoes import storage as decisoes
from crivo.autorizacoes.fluxo import formato_of
from crivo.autorizacoes.guardadas import Autorizacao
from crivo.autorizacoes.historico import historico_guardado
from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.mapeamento import storage
from crivo.autorizacoes.mapeamento.aplicacao import Leitor
from crivo.autorizacoes.mapeamento.documento import QUALQUER, Mapeamento, digest, fold_word, from_document, to_document
from crivo.autorizacoes.mapeamento.efeito import REPLAYED, Efeito, Lembrado, replay
from crivo.autorizacoes.mapeamento.guardado import FormatoGuardado
from crivo.autorizacoes.mapeamento.leitura import read_mapeamento
from crivo.autorizacoes.mapeamento.midia import Documento, read_documentos
from crivo.autorizacoes.mapeamento.muitos import ProvaDeMuitos, prove_many
from crivo.autorizacoes.mapeamento.prova import Prova, provar
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.autorizacoes.politicas.storage import advance_catalogo, catalogo_versao, lock_catalogo
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.seladas import FORMATOS
from crivo.kernel.access import asks
from crivo.kernel.audit import DIGESTS, NewEntry, append, read_seals
from crivo.kernel.clock import Clock, today
from crivo.kernel.concorrencia import aside
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

Formato = Literal["json", "yaml"] | None
# The latest decisions among which those of a mapping are looked for.
_LOOKED_THROUGH: Final = 2_000


class FormatoNotFound(CrivoError):
    """No mapping of that id in this tenant."""

    codigo: ClassVar[str] = "mapeamento_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Mapeamento não encontrado"


class FormatoNaoPublicavel(CrivoError):
    """A change of status that the life of a mapping does not have."""

    codigo: ClassVar[str] = "transicao_recusada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O mapeamento não pode mudar assim"


class ReconhecimentoRepetido(CrivoError):
    """A mapping that would recognise what another published one recognises."""

    codigo: ClassVar[str] = "reconhecimento_repetido"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Outro mapeamento publicado já reconhece os mesmos pedidos"


class PublicacaoDeFormatoMudou(CrivoError):
    """A publication whose effect is no longer the one that was seen and confirmed."""

    codigo: ClassVar[str] = "publicacao_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O que a publicação muda já não é o mesmo"


@dataclass(frozen=True, slots=True)
class Importacao:
    """An imported mapping, with what looks odd; `mudou` is false where the very same document was there already."""

    formato: FormatoGuardado
    avisos: tuple[Problem, ...]
    mudou: bool


@dataclass(frozen=True, slots=True)
class Teste:
    """A mapping tried on a sample, with what looks odd in the mapping itself."""

    prova: Prova
    avisos: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Mudanca:
    """A place of the document that says another thing than in the version before; None where it says nothing."""

    lugar: str
    antes: Any
    depois: Any


@dataclass(frozen=True, slots=True)
class Previa:
    """What publishing a draft would do: the version that it closes, what it says otherwise, whom it runs into, and a mark of all.

    `efeito` is what would have become of the last pedidos that the version before read; None where there is none before.
    """

    formato: FormatoGuardado
    anterior: FormatoGuardado | None
    mudancas: tuple[Mudanca, ...]
    conflitos: tuple[str, ...]
    confirmacao: str
    efeito: Efeito | None = None


class Formatos:
    """The mappings of a tenant. A catalogue version pins those in force, as it pins políticas."""

    def __init__(self, database: Database, vigentes: Vigentes, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._vigentes = vigentes
        self._clock = clock
        self._new_id = new_id

    @asks("politicas.ler")
    async def listar(self, scope: Scope) -> list[FormatoGuardado]:
        """Every mapping, by name, the newest version first."""
        async with self._database.unit_of_work(scope) as uow:
            return await storage.list_all(uow)

    @asks("politicas.ler")
    async def obter(self, scope: Scope, formato_id: UUID) -> tuple[FormatoGuardado, Mapeamento]:
        """A mapping and its document. Raises `FormatoNotFound`."""
        async with self._database.unit_of_work(scope) as uow:
            return await _get(uow, formato_id), from_document(await storage.content(uow, formato_id))

    @asks("politicas.ler")
    async def testar(self, scope: Scope, documento: bytes | Mapeamento, amostra: bytes, formato: Formato = None) -> Teste:
        """A mapping tried on a sample under the rules as published; nothing is stored. Raises `MapeamentoInvalido`, `PedidoIlegivel`."""
        avisos: tuple[Problem, ...] = ()
        if isinstance(documento, bytes):
            importado = read_mapeamento(documento, formato)
            documento, avisos = importado.mapeamento, importado.avisos
        async with self._database.unit_of_work(scope) as uow:
            fluxo = (await self._vigentes.current(uow))[1]
        return Teste(await aside(len(amostra), provar, documento, amostra, fluxo, today(self._clock)), avisos)

    @asks("politicas.ler")
    async def quem_reconhece(self, scope: Scope, documento: Any) -> tuple[str, ...]:
        """The names of the published mappings that recognise a document already."""
        async with self._database.unit_of_work(scope) as uow:
            publicados = await storage.published_at(uow, await catalogo_versao(uow))
        return tuple([um.mapeamento.mapeamento for um in publicados if Leitor(um.mapeamento).recognises(documento)])

    @asks("politicas.ler")
    async def planos(self, scope: Scope, administradora_id: str) -> tuple[str, ...]:
        """The planos that the published políticas of an administradora name; none where it has none."""
        async with self._database.unit_of_work(scope) as uow:
            return (await self._vigentes.catalogo(uow))[1].planos(administradora_id)

    @asks("politicas.ler")
    async def provar_muitos(self, scope: Scope, documento: Mapeamento, amostras: Sequence[bytes]) -> ProvaDeMuitos:
        """A mapping tried on many samples under the rules as published; nothing is stored."""
        async with self._database.unit_of_work(scope) as uow:
            fluxo = (await self._vigentes.current(uow))[1]
            planos = (await self._vigentes.catalogo(uow))[1].planos(documento.administradora)
        # Two hundred pedidos take a second or so; the loop that serves everybody else must not wait for it.
        return await asyncio.to_thread(prove_many, documento, amostras, fluxo, today(self._clock), planos)

    @asks("politicas.escrever")
    async def importar(self, scope: Scope, raw: bytes, formato: Formato = None) -> Importacao:
        """Store a document as the draft of its name; the same document again changes nothing. Raises `MapeamentoInvalido`."""
        importado = read_mapeamento(raw, formato)
        mapeamento = importado.mapeamento
        async with self._database.unit_of_work(scope) as uow:
            await lock_catalogo(uow)
            versoes = await storage.versions_of(uow, mapeamento.mapeamento)
            newest = versoes[0] if versoes else None
            if newest is not None and newest.digest == digest(mapeamento) and newest.status != "encerrado":
                return Importacao(newest, importado.avisos, mudou=False)
            draft = newest if newest is not None and newest.status == "rascunho" else None
            em = self._clock.now()
            row = FormatoGuardado(
                draft.id if draft else self._new_id(),
                mapeamento.mapeamento,
                mapeamento.administradora,
                draft.versao if draft else (newest.versao + 1 if newest else 1),
                "rascunho",
                digest(mapeamento),
                em,
                scope.ator,
            )
            await (storage.replace_draft if draft else storage.insert)(uow, row, to_document(mapeamento))
            dados = {"nome": row.nome, "versao": row.versao, "digest": row.digest.hex(), DIGESTS: await _seal(uow, row.id)}
            await append(uow, em, [NewEntry(acao="formato.importado", alvo=str(row.id), dados=dados)])
        return Importacao(row, importado.avisos, mudou=True)

    @asks("politicas.ler")
    async def previa(self, scope: Scope, formato_id: UUID) -> Previa:
        """What publishing a draft would close and change; nothing of what is published already. Raises `FormatoNotFound`."""
        async with self._database.unit_of_work(scope) as uow:
            previa = await self._previa(uow, await _get(uow, formato_id))
            if previa.anterior is None:
                return previa
            antes = from_document(await storage.content(uow, previa.anterior.id))
            depois = from_document(await storage.content(uow, formato_id))
            lembrados = await _last_read(uow, previa.anterior)
            fluxo = (await self._vigentes.current(uow))[1]
        # Two hundred pedidos read twice take a second or so; the loop that serves everybody else must not wait for it.
        return replace(previa, efeito=await asyncio.to_thread(replay, antes, depois, lembrados, fluxo))

    @asks("politicas.escrever")
    async def publicar(self, scope: Scope, formato_id: UUID, confirmacao: str | None = None) -> FormatoGuardado:
        """Let a draft read what comes from now on, in the place of the version before; published already, nothing changes.

        `confirmacao` is the mark of the preview that was seen. Raises `FormatoNotFound`, `FormatoNaoPublicavel`, `ReconhecimentoRepetido`,
        `PublicacaoDeFormatoMudou`.
        """
        async with self._database.unit_of_work(scope) as uow:
            await lock_catalogo(uow)
            formato = await _get(uow, formato_id, lock=True)
            if formato.status == "publicado":
                return formato
            if formato.status == "encerrado":
                raise FormatoNaoPublicavel("O que foi encerrado não volta a valer; importe o documento de novo.")
            previa = await self._previa(uow, formato)
            if confirmacao is not None and previa.confirmacao != confirmacao:
                raise PublicacaoDeFormatoMudou("Outra versão foi publicada enquanto isso. Veja de novo o que muda e confirme.")
            if previa.conflitos:
                nomes = ", ".join([f"`{nome}`" for nome in previa.conflitos])
                raise ReconhecimentoRepetido(f"{nomes} reconhece os mesmos pedidos: encerre-o antes, ou diga mais em `reconhecer`.")
            em = self._clock.now()
            versao = await advance_catalogo(uow)
            if previa.anterior is not None:
                await self._close(uow, previa.anterior, versao, {"sucedido_por": str(formato_id)})
            await storage.mark_published(uow, formato_id, versao, em)
            dados = {
                "nome": formato.nome,
                "versao": formato.versao,
                "catalogo_versao": versao,
                "digest": formato.digest.hex(),
                DIGESTS: await _seal(uow, formato_id),
            }
            await append(uow, em, [NewEntry(acao="formato.publicado", alvo=str(formato_id), dados=dados)])
            return replace(formato, status="publicado", publicado_em=em, publicado_na=versao)

    @asks("politicas.escrever")
    async def encerrar(self, scope: Scope, formato_id: UUID, motivo: str) -> FormatoGuardado:
        """Let a published mapping read nothing more; what it read stands. Raises `FormatoNotFound`, `FormatoNaoPublicavel`."""
        async with self._database.unit_of_work(scope) as uow:
            await lock_catalogo(uow)
            formato = await _get(uow, formato_id, lock=True)
            if formato.status == "encerrado":
                return formato
            if formato.status == "rascunho":
                raise FormatoNaoPublicavel("Só se encerra o que foi publicado; este documento ainda é um rascunho.")
            return await self._close(uow, formato, await advance_catalogo(uow), {"motivo": motivo})

    async def _close(self, uow: UnitOfWork, formato: FormatoGuardado, versao: int, why: Mapping[str, str]) -> FormatoGuardado:
        em = self._clock.now()
        await storage.mark_closed(uow, formato.id, versao, em)
        selos = await _seal(uow, formato.id)
        dados = {"nome": formato.nome, "versao": formato.versao, "catalogo_versao": versao, **why, DIGESTS: selos}
        await append(uow, em, [NewEntry(acao="formato.encerrado", alvo=str(formato.id), dados=dados)])
        return replace(formato, status="encerrado", encerrado_em=em, encerrado_na=versao)

    async def _previa(self, uow: UnitOfWork, formato: FormatoGuardado) -> Previa:
        mark = hashlib.sha256(formato.digest)
        if formato.status != "rascunho":
            return Previa(formato, None, (), (), mark.hexdigest()[:32])
        novo = from_document(await storage.content(uow, formato.id))
        anterior = next((one for one in await storage.versions_of(uow, formato.nome) if one.status == "publicado"), None)
        mudancas: tuple[Mudanca, ...] = ()
        if anterior is not None:
            mark.update(anterior.digest)
            mudancas = tuple(compare(from_document(await storage.content(uow, anterior.id)), novo))
        publicados = await storage.published_at(uow, await catalogo_versao(uow))
        outros = [one.mapeamento for one in publicados if one.mapeamento.mapeamento != formato.nome]
        same = [one.mapeamento for one in outros if recognise_the_same(one, novo)]
        recent = await _last_bodies(uow, {one.mapeamento for one in outros}) if outros else []
        both = await asyncio.to_thread(recognised_by_both, novo, outros, recent) if recent else ()
        conflitos = tuple(dict.fromkeys([*same, *both]))
        return Previa(formato, anterior, mudancas, conflitos, mark.hexdigest()[:32])


def recognise_the_same(um: Mapeamento, outro: Mapeamento) -> bool:
    """Whether all that one of two recognises the other does too, as far as their conditions tell: the same paths, the same values."""
    a, b = _conditions(um), _conditions(outro)
    return _covers(a, b) or _covers(b, a)


def recognised_by_both(novo: Mapeamento, outros: Sequence[Mapeamento], corpos: Sequence[bytes]) -> tuple[str, ...]:
    """Which other mappings recognise a body that a new one does too: nobody could tell by which of them to read it."""
    um, found = Leitor(novo), dict[str, None]()
    leitores = [Leitor(outro) for outro in outros]
    for raw in corpos:
        try:
            documento = read_documentos(raw)[0]
        except PedidoIlegivel:
            continue
        if not _recognises(um, documento):
            continue
        found |= dict.fromkeys([leitor.mapeamento.mapeamento for leitor in leitores if _recognises(leitor, documento)])
    return tuple(found)


def _recognises(leitor: Leitor, documento: Documento) -> bool:
    return leitor.recognises(leitor.with_lists(documento.looked_into) if documento.midia == "xml" else documento.looked_into)


def compare(antes: Mapeamento, depois: Mapeamento) -> Iterator[Mudanca]:
    """Every place of the document, down to a field and a word, where two versions differ."""
    old, new = _flat(msgspec.to_builtins(antes)), _flat(msgspec.to_builtins(depois))
    for lugar in sorted({*old, *new}):
        if old.get(lugar) != new.get(lugar):
            yield Mudanca(lugar, old.get(lugar), new.get(lugar))


def _conditions(mapeamento: Mapeamento) -> dict[str, str]:
    return {caminho: fold_word(valor) for caminho, valor in mapeamento.reconhecer.items()}


def _covers(wide: Mapping[str, str], narrow: Mapping[str, str]) -> bool:
    """Whether whatever meets the narrow conditions meets the wide ones."""
    return all(caminho in narrow and valor in (narrow[caminho], QUALQUER) for caminho, valor in wide.items())


def _flat(value: Mapping[str, Any]) -> dict[str, Any]:
    """Places two steps deep, as `campos: plano_id` and `valores: urgencia`, with what they hold."""
    found: dict[str, Any] = {}
    for nome, inner in value.items():
        if isinstance(inner, dict) and nome in ("reconhecer", "ignorar", "campos", "valores"):
            found |= {f"{nome}: {um}": one for um, one in inner.items()}
        else:
            found[nome] = inner
    return found


async def _last_read(uow: UnitOfWork, formato: FormatoGuardado) -> list[Lembrado]:
    """The last pedidos that a version read, at most two hundred, among the latest of all."""
    latest = await decisoes.list_page(uow, status=None, desde=None, numero=None, antes_de=None, limite=_LOOKED_THROUGH)
    ids = [um.id for um in latest if um.administradora_id is None or fold_id(um.administradora_id) == fold_id(formato.administradora_id)]
    found: list[Lembrado] = []
    for start in range(0, len(ids), REPLAYED):
        opened = {um.id: um for um in await decisoes.find_many(uow, ids[start : start + REPLAYED]) if isinstance(um, Autorizacao)}
        for um in (opened[id_] for id_ in ids[start : start + REPLAYED] if id_ in opened):
            read_by = formato_of(um.trilha)
            if read_by is not None and read_by.id == str(formato.id):
                found.append(Lembrado(um.pedido, read_by.item, um.data_recebimento, historico_guardado(um.trilha) or ()))
        if len(found) >= REPLAYED:
            break
    return found[:REPLAYED]


async def _last_bodies(uow: UnitOfWork, nomes: Collection[str]) -> list[bytes]:
    """What the last pedidos that some mappings read came in, at most two hundred, among the latest of all."""
    latest = await decisoes.list_page(uow, status=None, desde=None, numero=None, antes_de=None, limite=_LOOKED_THROUGH)
    found: dict[bytes, None] = {}
    for start in range(0, len(latest), REPLAYED):
        for um in await decisoes.find_many(uow, [one.id for one in latest[start : start + REPLAYED]]):
            read_by = formato_of(um.trilha) if isinstance(um, Autorizacao) else None
            if isinstance(um, Autorizacao) and read_by is not None and read_by.mapeamento in nomes:
                found.setdefault(um.pedido)
        if len(found) >= REPLAYED:
            break
    return list(found)[:REPLAYED]


async def _seal(uow: UnitOfWork, formato_id: UUID) -> dict[str, str]:
    return await read_seals(uow, FORMATOS, {"id": formato_id})


async def _get(uow: UnitOfWork, formato_id: UUID, *, lock: bool = False) -> FormatoGuardado:
    formato = await storage.find(uow, formato_id, lock=lock)
    if formato is None:
        raise FormatoNotFound("Não há mapeamento com este identificador. Veja os que existem com 'crivo autorizacoes mapeamento listar'.")
    return formato
