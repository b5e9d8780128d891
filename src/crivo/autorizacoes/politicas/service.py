"""Use cases of the policy repository: import, publish, revoke, list, and the field tables of the administradoras."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import ClassVar, Final, Literal
from uuid import UUID

import msgspec

from crivo.autorizacoes.campos import INDEX, base_table, fold_path
from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.autorizacoes.politicas import storage
from crivo.autorizacoes.politicas.casos import guardados
from crivo.autorizacoes.politicas.casos.caso import Caso
from crivo.autorizacoes.politicas.casos.execucao import CasoRodado, run
from crivo.autorizacoes.politicas.casos.guardados import Ressalva
from crivo.autorizacoes.politicas.casos.herdados import list_herdados
from crivo.autorizacoes.politicas.catalogo import versao_ordem
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.autorizacoes.politicas.comparacao import Comparacao, compare_politicas
from crivo.autorizacoes.politicas.conferir.achados import Achado
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.politicas.conferir.conferencia import errors_of
from crivo.autorizacoes.politicas.documento import Relatorio, digest, to_document
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.politicas.sucessao import Encerramento, Publicada, closed_by, last_day
from crivo.autorizacoes.politicas.vigentes import publicadas_at
from crivo.autorizacoes.seladas import POLITICAS
from crivo.kernel.access import asks
from crivo.kernel.audit import DIGESTS, NewEntry, append, read_seals
from crivo.kernel.clock import Clock, today
from crivo.kernel.errors import CrivoError, Kind, Problem
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

_MOTIVO_MINIMO: Final = 3
_MOTIVO_MAXIMO: Final = 500


class PoliticaNotFound(CrivoError):
    """No política of that id in this tenant."""

    codigo: ClassVar[str] = "politica_nao_encontrada"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Política não encontrada"


class VersaoPublicada(CrivoError):
    """A version that was published can no longer be changed: decisions rest on it."""

    codigo: ClassVar[str] = "versao_ja_publicada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Esta versão já foi publicada"


class TransicaoRecusada(CrivoError):
    """A change of status that the life of a política does not have."""

    codigo: ClassVar[str] = "transicao_recusada"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A política não pode mudar assim"


class PublicacaoMudou(CrivoError):
    """A publication whose effect is no longer the one that was seen and confirmed."""

    codigo: ClassVar[str] = "publicacao_mudou"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "O que a publicação muda já não é o mesmo"


class PublicacaoImpedida(CrivoError):
    """A draft with errors, or with test cases that fail, that nobody gave a reason to publish in spite of."""

    codigo: ClassVar[str] = "publicacao_impedida"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Há o que resolver antes de publicar"


class MotivoDaRessalva(CrivoError):
    """A reason to publish in spite of errors that cannot be kept."""

    codigo: ClassVar[str] = "motivo_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Diga o motivo"
    campo = "motivo"


class CampoDesconhecido(CrivoError):
    """A field table that points to a field no pedido has."""

    codigo: ClassVar[str] = "campo_desconhecido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A tabela de campos tem destinos que não existem"


class TabelaDeCamposInvalida(CrivoError):
    """A field table with names that cannot be read by."""

    codigo: ClassVar[str] = "tabela_de_campos_invalida"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "A tabela de campos tem nomes que não servem"


@dataclass(frozen=True, slots=True)
class Importacao:
    """An imported política; `mudou` is false where the very same version was there already."""

    politica: PoliticaGuardada
    relatorio: Relatorio
    mudou: bool


@dataclass(frozen=True, slots=True)
class Impedimentos:
    """What stands in the way of publishing a draft: errors, and those of its `casos` test cases that fail, the inherited among them."""

    erros: tuple[Achado, ...]
    falhos: tuple[CasoRodado, ...]
    casos: int

    def __bool__(self) -> bool:
        """Whether a reason is asked for."""
        return bool(self.erros or self.falhos)

    def as_problems(self) -> list[Problem]:
        """Each of them as a problem of the document."""
        erros = [Problem(um.explicacao, um.regra or "", um.linha, um.codigo) for um in self.erros]
        return [*erros, *[Problem(f"O caso de teste “{um.caso.nome}” falha.", codigo="caso_falhou") for um in self.falhos]]


@dataclass(frozen=True, slots=True)
class Previa:
    """What publishing a draft would do: the versions it closes, what it says otherwise than the latest of them, and a mark of both."""

    politica: PoliticaGuardada
    encerra: tuple[Encerramento, ...]
    comparacao: Comparacao | None
    confirmacao: str

    @classmethod
    def of(cls, politica: PoliticaGuardada, encerra: tuple[Encerramento, ...], comparacao: Comparacao | None) -> Previa:
        """The preview with its mark, the same for the same effect."""
        hashed = hashlib.sha256(politica.digest)
        for um in encerra:
            hashed.update(digest(um.politica))
            hashed.update(f"{um.antes}>{um.depois};".encode())
        return cls(politica, encerra, comparacao, hashed.hexdigest()[:32])


class Politicas:
    """The policy repository of a tenant."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("politicas.escrever")
    async def importar(
        self,
        scope: Scope,
        raw: bytes,
        formato: Literal["json", "yaml"] | None = None,
        *,
        publicar: bool = False,
        manter_anterior: bool = False,
    ) -> Importacao:
        """Store a document as a draft, or as published at once; the same document again changes nothing.

        Raises `PoliticaInvalida` with every fault of the document, `VersaoPublicada` when another text of that version was published, and
        `PublicacaoImpedida` when something stands in the way of publishing; nothing is kept then.
        """
        # A large document takes seconds to read; the loop that serves everybody else must not wait for it.
        importada = await asyncio.to_thread(read_politica, raw, formato)
        async with self._database.unit_of_work(scope) as uow:
            politica, mudou = await self._store(uow, importada.politica)
            if publicar and politica.status == "rascunho":
                politica, mudou = await self._publish(uow, politica, manter_anterior, None), True
        return Importacao(politica, importada.relatorio, mudou)

    @asks("politicas.ler")
    async def previa(self, scope: Scope, politica_id: UUID) -> Previa:
        """What publishing a draft would close and change; nothing of what is published already. Raises `PoliticaNotFound`."""
        async with self._database.unit_of_work(scope) as uow:
            return await self._previa(uow, await _get(uow, politica_id))

    @asks("politicas.ler")
    async def impedimentos(self, scope: Scope, politica_id: UUID) -> Impedimentos:
        """What stands in the way of publishing a draft. Raises `PoliticaNotFound`."""
        async with self._database.unit_of_work(scope) as uow:
            return await self._impedimentos(uow, await _get(uow, politica_id))

    @asks("politicas.escrever")
    async def publicar(
        self,
        scope: Scope,
        politica_id: UUID,
        *,
        manter_anterior: bool = False,
        confirmacao: str | None = None,
        motivo: str | None = None,
    ) -> PoliticaGuardada:
        """Put a draft in force for the dates it states; publishing what is published already changes nothing.

        The earlier versions of its document end the day before it starts, unless `manter_anterior`; the test cases of the one that it
        succeeds are kept with it. `confirmacao` is the mark of the
        preview that was seen: raises `PublicacaoMudou` where the publication would by now do something else. Where the conferência finds
        errors or test cases fail, `motivo` says why it is published all the same, and is kept: raises `PublicacaoImpedida` without one.
        """
        async with self._database.unit_of_work(scope) as uow:
            politica = await _get(uow, politica_id, lock=True)
            match politica.status:
                case "publicada":
                    return politica
                case "revogada":
                    raise TransicaoRecusada("Uma política revogada não volta a valer; importe-a de novo com outra versão.")
                case "rascunho":
                    await storage.lock_catalogo(uow)
                    if confirmacao is not None and (await self._previa(uow, politica)).confirmacao != confirmacao:
                        raise PublicacaoMudou("Outra versão foi publicada enquanto isso. Veja de novo o que muda e confirme.")
                    return await self._publish(uow, politica, manter_anterior, motivo)

    @asks("politicas.escrever")
    async def revogar(self, scope: Scope, politica_id: UUID, motivo: str) -> PoliticaGuardada:
        """Take a published política out of use from now on; decisions already made stand."""
        async with self._database.unit_of_work(scope) as uow:
            politica = await _get(uow, politica_id, lock=True)
            match politica.status:
                case "revogada":
                    return politica
                case "rascunho":
                    raise TransicaoRecusada("Só se revoga o que foi publicado; este documento ainda é um rascunho.")
                case "publicada":
                    em = self._clock.now()
                    versao = await storage.advance_catalogo(uow)
                    await storage.mark_revoked(uow, politica_id, versao, em)
                    dados = {"catalogo_versao": versao, "motivo": motivo, DIGESTS: await _seal(uow, politica_id)}
                    await append(uow, em, [NewEntry(acao="politica.revogada", alvo=str(politica_id), dados=dados)])
                    return replace(politica, status="revogada", revogada_em=em, revogada_na=versao)

    @asks("politicas.ler")
    async def listar(self, scope: Scope) -> list[PoliticaGuardada]:
        """Every política of the tenant, by administradora, document and start of validity; each with the end that it has by now."""
        async with self._database.unit_of_work(scope) as uow:
            return ended(await storage.list_all(uow))

    @asks("politicas.ler")
    async def obter(self, scope: Scope, politica_id: UUID) -> tuple[PoliticaGuardada, bytes]:
        """A política and its canonical JSON document. Raises `PoliticaNotFound`."""
        async with self._database.unit_of_work(scope) as uow:
            found = await _get(uow, politica_id)
            now = next((uma for uma in ended(await storage.list_all(uow)) if uma.id == politica_id), found)
            return now, await storage.content(uow, politica_id)

    @asks("politicas.escrever")
    async def definir_campos(self, scope: Scope, administradora_id: str, tabela: Mapping[str, str]) -> int:
        """Set the field table of an administradora for decisions from now on; the catalogue version it holds from.

        Keys are origin paths in any spelling, values the pedido's own paths. Raises `CampoDesconhecido`, `TabelaDeCamposInvalida` for a
        name without letters or figures, and for one of the administradora itself: whose table it is, is known by that field alone.
        Source: PRD RF1.
        """
        _check_origens(administradora_id, tabela)
        unknown = [
            Problem("este campo não existe no pedido", destino, codigo="campo_desconhecido")
            for destino in tabela.values()
            if destino not in INDEX
        ]
        if unknown:
            raise CampoDesconhecido("Corrija os destinos indicados; eles devem ser campos do pedido, como 'procedimento.codigo'.", unknown)
        folded = {fold_path(origem): destino for origem, destino in tabela.items()}
        async with self._database.unit_of_work(scope) as uow:
            if (await storage.campos_at(uow, await storage.catalogo_versao(uow))).get(administradora_id) == folded:
                return await storage.catalogo_versao(uow)
            em = self._clock.now()
            versao = await storage.advance_catalogo(uow)
            await storage.insert_campos(uow, administradora_id, folded, versao, em)
            dados = {"catalogo_versao": versao, "campos": len(folded)}
            await append(uow, em, [NewEntry(acao="campos.definidos", alvo=administradora_id, dados=dados)])
        return versao

    async def _store(self, uow: UnitOfWork, politica: Politica) -> tuple[PoliticaGuardada, bool]:
        """The document as a row, and whether anything had to be written."""
        conteudo = to_document(politica)
        known = await storage.find_version(uow, politica.administradora_id, politica.documento, politica.versao)
        if known is not None and known.digest == digest(politica):
            return known, False
        if known is not None and known.status != "rascunho":
            raise VersaoPublicada(
                f"A versão {politica.versao} de “{politica.documento}” já foi publicada com outro texto. "
                "Importe a mudança com outra versão."
            )
        em = self._clock.now()
        row = PoliticaGuardada(
            known.id if known else self._new_id(),
            politica.administradora_id,
            politica.documento,
            politica.versao,
            date.fromisoformat(politica.vigencia_inicio),
            date.fromisoformat(politica.vigencia_fim) if politica.vigencia_fim else None,
            "rascunho",
            len(politica.regras),
            digest(politica),
            em,
            uow.scope.ator,
            None,
            None,
            None,
            None,
        )
        await (storage.replace_draft if known else storage.insert)(uow, row, conteudo)
        dados = {"digest": row.digest.hex(), "regras": row.regras_total, DIGESTS: await _seal(uow, row.id)}
        await append(uow, em, [NewEntry(acao="politica.importada", alvo=str(row.id), dados=dados)])
        return row, True

    async def _previa(self, uow: UnitOfWork, politica: PoliticaGuardada) -> Previa:
        if politica.status != "rascunho":
            return Previa.of(politica, (), None)
        nova = msgspec.json.decode(await storage.content(uow, politica.id), type=Politica)
        publicadas = await publicadas_at(uow, await storage.catalogo_versao(uow))
        encerra = closed_by(nova, publicadas)
        closed = [um.politica for um in encerra if um.politica != nova]
        latest = max(closed, key=lambda outra: (outra.vigencia_inicio, versao_ordem(outra.versao)), default=None)
        return Previa.of(politica, encerra, compare_politicas(latest, nova) if latest else None)

    async def _impedimentos(self, uow: UnitOfWork, politica: PoliticaGuardada) -> Impedimentos:
        if politica.status != "rascunho":
            return Impedimentos((), (), 0)
        nova = msgspec.json.decode(await storage.content(uow, politica.id), type=Politica)
        publicadas = await publicadas_at(uow, await storage.catalogo_versao(uow))
        own = await guardados.list_casos(uow, politica.id)
        casos = [*own, *(await list_herdados(uow, politica, own)).casos]
        return await asyncio.to_thread(_hindrances, nova, publicadas, casos, today(self._clock))

    async def _publish(self, uow: UnitOfWork, politica: PoliticaGuardada, manter_anterior: bool, motivo: str | None) -> PoliticaGuardada:
        em = self._clock.now()
        impedimentos = await self._impedimentos(uow, politica)
        ditos: dict[str, object] = {}
        if impedimentos:
            ressalva = _ressalva(impedimentos, motivo, em, uow.scope.ator)
            await guardados.insert_ressalva(uow, politica.id, ressalva)
            ditos = {"apesar_de": {"erros": ressalva.erros, "casos_falhos": ressalva.casos_falhos}, "motivo": ressalva.motivo}
        herdados = (await list_herdados(uow, politica, await guardados.list_casos(uow, politica.id))).casos
        await guardados.put_casos(uow, politica.id, herdados, em)
        if herdados:
            ditos["casos_herdados"] = len(herdados)
        versao = await storage.advance_catalogo(uow)
        await storage.mark_published(uow, politica.id, versao, em, encerra_anteriores=not manter_anterior)
        selos = await _seal(uow, politica.id)
        dados = {"catalogo_versao": versao, "digest": politica.digest.hex(), "manter_anterior": manter_anterior, **ditos, DIGESTS: selos}
        await append(uow, em, [NewEntry(acao="politica.publicada", alvo=str(politica.id), dados=dados)])
        return replace(politica, status="publicada", publicada_em=em, publicada_na=versao)


def _hindrances(nova: Politica, publicadas: Sequence[Publicada], casos: Sequence[Caso], hoje: date) -> Impedimentos:
    bancada = Bancada(nova, publicadas, hoje)
    return Impedimentos(errors_of(bancada), run(bancada, casos).falhos if casos else (), len(casos))


def _ressalva(impedimentos: Impedimentos, motivo: str | None, em: datetime, por: str) -> Ressalva:
    dito = (motivo or "").strip()
    if not dito:
        raise PublicacaoImpedida(
            "Resolva o que está indicado, ou escreva o motivo para publicar assim: ele fica na auditoria e com a versão.",
            impedimentos.as_problems(),
        )
    if not _MOTIVO_MINIMO <= len(dito) <= _MOTIVO_MAXIMO or "\0" in dito:
        raise MotivoDaRessalva(f"Escreva o motivo com {_MOTIVO_MINIMO} a {_MOTIVO_MAXIMO} caracteres: ele fica na auditoria.")
    return Ressalva(dito, len(impedimentos.erros), len(impedimentos.falhos), em, por)


def ended(politicas: Sequence[PoliticaGuardada]) -> list[PoliticaGuardada]:
    """Published versions each with the last day that later ones of its document leave it; drafts and revoked ones as they are."""
    closing: dict[tuple[str, str], list[PoliticaGuardada]] = {}
    for uma in politicas:
        if uma.status == "publicada" and uma.encerra_anteriores:
            closing.setdefault((fold_id(uma.administradora_id), fold_id(uma.documento)), []).append(uma)
    found = []
    for uma in politicas:
        later = [
            outra.vigencia_inicio.isoformat()
            for outra in closing.get((fold_id(uma.administradora_id), fold_id(uma.documento)), ())
            if uma.status == "publicada"
            and (outra.vigencia_inicio, versao_ordem(outra.versao)) > (uma.vigencia_inicio, versao_ordem(uma.versao))
        ]
        fim = last_day(uma.vigencia_fim.isoformat() if uma.vigencia_fim else None, later)
        found.append(replace(uma, vigencia_fim=date.fromisoformat(fim)) if later and fim else uma)
    return found


def _check_origens(administradora_id: str, tabela: Mapping[str, str]) -> None:
    problemas = [
        Problem("um nome não pode ficar em branco", destino, codigo="nome_vazio")
        for origem, destino in tabela.items()
        if not all(fold_path(origem).split("."))
    ]
    problemas += [
        Problem(
            "é por este campo que se acha a tabela, e ela não pode dizer onde ele está: escreva um mapeamento (docs/formatos.md)",
            origem,
            codigo="administradora_na_tabela",
        )
        for origem, destino in tabela.items()
        if destino == "administradora_id" and fold_path(origem) not in (*base_table(), "administradora_id")
    ]
    if not administradora_id.strip():
        problemas.append(Problem("diga de que administradora é a tabela", codigo="nome_vazio"))
    if problemas:
        raise TabelaDeCamposInvalida("Corrija os nomes indicados; nada foi gravado.", problemas)


async def _seal(uow: UnitOfWork, politica_id: UUID) -> dict[str, str]:
    return await read_seals(uow, POLITICAS, {"id": politica_id})


async def _get(uow: UnitOfWork, politica_id: UUID, *, lock: bool = False) -> PoliticaGuardada:
    politica = await storage.find(uow, politica_id, lock=lock)
    if politica is None:
        raise PoliticaNotFound("Não há política com este identificador. Veja as que existem com 'crivo politicas listar'.")
    return politica
