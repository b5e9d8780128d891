"""Use cases of whoever lays two projects side by side, or looks for those that speak of something, whatever their words."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple
from uuid import UUID

import numpy as np

from crivo.kernel.access import asks
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Irregularidade
from crivo.triagem.edital import Edital, Projeto, Value
from crivo.triagem.embeddings.cache import read_vetores
from crivo.triagem.embeddings.escolha import LOCAL
from crivo.triagem.embeddings.local import LocalEmbedder
from crivo.triagem.embeddings.port import Embedder, Matriz
from crivo.triagem.embeddings.semantico import NAO_VE, SEMANTICO, SemanticoEmbedder, open_semantico, semantico_lacking
from crivo.triagem.erros import MesmoProjeto, ProjetoNotFound, SemSentido
from crivo.triagem.guardados import Cabecalho
from crivo.triagem.irregularidades.alinhamento import centred
from crivo.triagem.irregularidades.lado_a_lado import Alinhada, Dita, EmComum, Perto, frases_of, in_common, lay, nearness
from crivo.triagem.irregularidades.similaridade import MENOR_TEXTO, comparable, is_short, same_text
from crivo.triagem.palavras import shown
from crivo.triagem.storage import editais, execucoes, projetos, sinais
from crivo.triagem.storage.arquivos import TenantVectors
from crivo.triagem.storage.projetos import Documento, ProjetoGuardado

LONGEST_QUESTION: Final = 200
_MOST_PROJECTS: Final = 600  # among which a pair's nearness is told, evenly spaced
_MOST_MEANT: Final = 120  # sentences of one project that are read for their meaning when a page is opened
_MOST_READ_AT_ONCE: Final = 60_000  # bytes of text, ten seconds of a core: what a page that is waited for may still have to read
_MOST_FOUND: Final = 20
_MEND: Final = "Quem cuida da instalação pode ligar a comparação pelo sentido; crivo doutor diz como."
_FEWEST_READ: Final = 12  # projects whose sentences are read though no screening did


class LadoALado(Value, frozen=True):
    """Two projects side by side. `pelo_sentido`: meaning was told too; else `observacao` says in pt-BR what was not seen.

    `perto` is None where there is no likeness to tell; `sem_perto` then says why, where it is for want of text. `outra_medida`: it is
    not the measure that a screening here uses.
    """

    edital_id: str
    a: str
    b: str
    pelo_sentido: bool
    observacao: str
    frases: tuple[Alinhada, ...]
    em_comum: tuple[EmComum, ...]
    perto: Perto | None
    sinais: tuple[str, ...]
    sem_perto: str = ""
    outra_medida: bool = False


class Achado(Value, frozen=True):
    """A project that speaks of what was looked for, and its sentence that does so most; `semelhanca` ranks, and says nothing alone."""

    projeto: str
    titulo: str
    trecho: str
    campo: str
    semelhanca: float


@dataclass(frozen=True, slots=True)
class Comparados:
    """The two side by side, who proposes them, when they were sent, and of which edital they are."""

    edital: Edital
    cabecalhos: Mapping[str, Cabecalho]
    enviados: Mapping[str, datetime]
    lado: LadoALado


class _Lidos(NamedTuple):
    edital: Edital
    a: ProjetoGuardado
    b: ProjetoGuardado
    amostra: tuple[ProjetoGuardado, ...]
    sinais: tuple[Irregularidade, ...]


class Comparar:
    """Projects of an edital compared for those who manage, before a screening or after it."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self._setting = settings.embeddings
        self._database = database

    @property
    def pelo_sentido(self) -> bool:
        """Whether meaning can be told here."""
        return self._setting == SEMANTICO and not semantico_lacking()

    @property
    def nao_ve(self) -> str:
        """What a screening does not see here, in pt-BR; empty where it is not by letters alone."""
        return f"Aqui os textos são comparados por letras, que {NAO_VE}." if self._setting == LOCAL else ""

    @asks("triagem.acompanhar")
    async def codigos(self, scope: Scope, edital_id: str) -> tuple[Edital, Mapping[str, str]]:
        """The projects of an edital that can be chosen, by code their titles as they may be shown. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            ids = await projetos.ids_of(uow, guardado.id)
            found = await projetos.cabecalhos_of(uow, guardado.id, list(ids)[:_MOST_PROJECTS])
        return guardado.edital, {codigo: shown(found[codigo].titulo) if codigo in found else "" for codigo in ids}

    @asks("triagem.acompanhar")
    async def comparar(self, scope: Scope, edital_id: str, a: str, b: str) -> Comparados:
        """Two projects side by side. Raises EditalNotFound, ProjetoNotFound, MesmoProjeto."""
        if a == b:
            raise MesmoProjeto("Os dois códigos são do mesmo projeto. Escolha outro para pôr ao lado dele.")
        lidos = await self._load(scope, edital_id, a, b)
        first, second = frases_of(lidos.a.projeto), frases_of(lidos.b.projeto)
        embedder = await self._meaning()
        sentido = None if embedder is None else await self._meant(scope, embedder, first, second)
        frases = await asyncio.to_thread(lay, first, second, sentido)
        perto, setting = await self._near(scope, embedder, lidos)
        lado = LadoALado(
            edital_id,
            a,
            b,
            sentido is not None,
            "" if sentido is not None else f"A comparação foi feita por letras, que {NAO_VE}.",
            frases,
            in_common(lidos.a.projeto, lidos.b.projeto, _same_files(lidos.a.documentos, lidos.b.documentos)),
            perto,
            tuple(dict.fromkeys(one.tipo for one in lidos.sinais if {a, b} <= set(one.projetos))),
            _too_short(lidos.a.projeto, lidos.b.projeto),
            setting != (self._setting or LOCAL),
        )
        both = (lidos.a.projeto, lidos.b.projeto)
        enviados = {one.id: one.enviado_em for one in both if one.enviado_em is not None}
        return Comparados(lidos.edital, {one.id: _cabecalho(one) for one in both}, enviados, lado)

    @asks("triagem.acompanhar")
    async def procurar(self, scope: Scope, edital_id: str, q: str) -> tuple[Achado, ...]:
        """The projects that speak of something, whatever their words, the nearest first; none where nothing is asked.

        Raises EditalNotFound, and SemSentido where meaning cannot be told, or a screening has to read the call first.
        """
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            everybody = [one.projeto for one in await projetos.load_all(uow, guardado.id)]
        embedder = await self._meaning()
        if embedder is None:
            raise SemSentido(f"Aqui os textos são comparados por letras, e a busca {NAO_VE}. {_MEND}")
        asked = await asyncio.to_thread(embedder.embed_pergunta, q[:LONGEST_QUESTION])
        if not asked.any() or not everybody:
            return ()
        whole = await self._kept(scope, embedder, [one.texto for one in everybody])
        if whole is None:
            raise SemSentido("Os textos deste edital ainda não foram lidos pelo sentido. Execute a triagem e procure de novo.")
        return await self._ranked(scope, embedder, asked, everybody, whole)

    async def _ranked(
        self, scope: Scope, embedder: SemanticoEmbedder, asked: Matriz, everybody: Sequence[Projeto], whole: Matriz
    ) -> tuple[Achado, ...]:
        by_whole = whole @ asked
        frases = [frases_of(one)[:_MOST_MEANT] for one in everybody]
        nearest = set(np.argsort(-by_whole, kind="stable")[:_FEWEST_READ].tolist())
        cache = TenantVectors(self._database, scope)
        digests = {dita.texto: _digest(dita.texto) for some in frases for dita in some}
        kept = await cache.find(embedder.nome, list(digests.values()))
        read = [(at, dita) for at, some in enumerate(frases) for dita in some if at in nearest or digests[dita.texto] in kept]
        rows = (await read_vetores([dita.texto for _, dita in read], embedder, cache)).matriz
        best: dict[int, tuple[float, Dita]] = {}
        for (at, dita), cosine in zip(read, (rows @ asked).tolist(), strict=True):
            if at not in best or cosine > best[at][0]:
                best[at] = (cosine, dita)
        found = [((cosine + float(by_whole[at])) / 2, at, dita) for at, (cosine, dita) in best.items()]
        found.sort(key=lambda one: (-one[0], one[1]))
        return tuple(
            Achado(everybody[at].id, shown(everybody[at].titulo), dita.texto, dita.campo, round(min(score, 1.0), 4))
            for score, at, dita in found[:_MOST_FOUND]
        )

    async def _load(self, scope: Scope, edital_id: str, a: str, b: str) -> _Lidos:
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            ids = await projetos.ids_of(uow, guardado.id)
            for codigo in (a, b):
                if codigo not in ids:
                    raise ProjetoNotFound(f"Não há projeto {codigo} neste edital. Confira o código e escolha outro.")
            every = list(ids.values())
            chosen = [every[at] for at in np.unique(np.linspace(0, len(every) - 1, min(len(every), _MOST_PROJECTS)).astype(int)).tolist()]
            amostra = await projetos.load_some(uow, list(dict.fromkeys([ids[a], ids[b], *chosen])))
            by_id = {one.id: one for one in amostra}
            found = await _signs(uow, guardado.id)
        return _Lidos(guardado.edital, by_id[ids[a]], by_id[ids[b]], amostra, found)

    async def _meaning(self) -> SemanticoEmbedder | None:
        return await asyncio.to_thread(open_semantico) if self.pelo_sentido else None

    async def _meant(
        self, scope: Scope, embedder: SemanticoEmbedder, first: Sequence[Dita], second: Sequence[Dita]
    ) -> tuple[Matriz, Matriz]:
        cut = len(first[:_MOST_MEANT])
        textos = [one.texto for one in (*first[:_MOST_MEANT], *second[:_MOST_MEANT])]
        matriz = centred((await read_vetores(textos, embedder, TenantVectors(self._database, scope))).matriz)
        return matriz[:cut], matriz[cut:]

    async def _near(self, scope: Scope, embedder: SemanticoEmbedder | None, lidos: _Lidos) -> tuple[Perto | None, str]:
        """By meaning where the call was read by it, and else by letters, with the setting that tells likeness so: as a screening does."""
        amostra = [one.projeto for one in lidos.amostra]
        textos = [one.texto for one in amostra]
        matriz = None if embedder is None else await self._kept(scope, embedder, textos)
        setting = LOCAL if matriz is None else SEMANTICO
        if matriz is None:
            matriz = await asyncio.to_thread(LocalEmbedder().embed, textos)
        told, codigos = comparable(amostra, matriz), [one.id for one in amostra]
        at = [codigos.index(one.projeto.id) for one in (lidos.a, lidos.b)]
        return await asyncio.to_thread(nearness, told, codigos, *at), setting

    async def _kept(self, scope: Scope, embedder: Embedder, textos: Sequence[str]) -> Matriz | None:
        """The vectors of whole texts; None where too many would have to be made while somebody waits."""
        cache = TenantVectors(self._database, scope)
        sizes = {_digest(texto): len(texto.encode("utf-8", "replace")) for texto in textos}
        kept = await cache.find(embedder.nome, list(sizes))
        if sum(size for digest, size in sizes.items() if digest not in kept) > _MOST_READ_AT_ONCE:
            return None
        return (await read_vetores(textos, embedder, cache)).matriz


async def _signs(uow: UnitOfWork, edital_id: UUID) -> tuple[Irregularidade, ...]:
    """What the last finished screening found."""
    last = await execucoes.find_last_finished(uow, edital_id)
    return () if last is None else await sinais.load(uow, last.id)


def _too_short(a: Projeto, b: Projeto) -> str:
    """Why the likeness of two texts is not told, in pt-BR; empty where both have enough to say."""
    short = [one.id for one in (a, b) if is_short(one)]
    if not short:
        return ""
    if same_text(a, b):
        return "Os dois textos são iguais, palavra por palavra."
    which = "Os dois textos são curtos demais" if len(short) > 1 else f"O texto de {short[0]} é curto demais"
    return f"{which} para comparar: com menos de {MENOR_TEXTO} palavras, qualquer um se parece com outro."


def _same_files(first: Sequence[Documento], second: Sequence[Documento]) -> list[tuple[str, str]]:
    theirs = {one.sha256: one.arquivo for one in second if one.tamanho_bytes}
    return [(one.arquivo, theirs[one.sha256]) for one in first if one.sha256 in theirs]


def _cabecalho(projeto: Projeto) -> Cabecalho:
    return Cabecalho(projeto.id, projeto.titulo, projeto.proponente, projeto.categoria, tuple(one.arquivo for one in projeto.documentos))


def _digest(texto: str) -> bytes:
    return sha256(texto.encode("utf-8", "surrogatepass")).digest()
