"""The use case of a simulation: a draft against what is published, over the pedidos of a time or of a file."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from datetime import time as hour
from itertools import islice
from typing import ClassVar, Final, overload
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import Politica
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.guardadas import PoliticaGuardada
from crivo.autorizacoes.lote import Line, Rows
from crivo.autorizacoes.mapeamento.entrada import MapeamentoPublicado
from crivo.autorizacoes.mapeamento.midia import LinhasIgnoradas, midia_of
from crivo.autorizacoes.mapeamento.storage import published_at as formatos_at
from crivo.autorizacoes.politicas import storage as politicas_guardadas
from crivo.autorizacoes.politicas.catalogo import Catalogo, versao_ordem
from crivo.autorizacoes.politicas.codigos import fold_id
from crivo.autorizacoes.politicas.comparacao import Comparacao, compare_politicas
from crivo.autorizacoes.politicas.service import PoliticaNotFound, TransicaoRecusada
from crivo.autorizacoes.politicas.sucessao import Publicada, closed_by, succeed
from crivo.autorizacoes.politicas.vigentes import publicadas_at
from crivo.autorizacoes.simulacao import storage
from crivo.autorizacoes.simulacao.avaliacao import Prazo, evaluate, moved
from crivo.autorizacoes.simulacao.colunas import Coletor, Colunas
from crivo.autorizacoes.simulacao.linha import Linha
from crivo.autorizacoes.simulacao.resultado import Caso, Contagem, Recorte, Referencia, Simulacao, compare
from crivo.kernel.access import asks
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.clock import BRASILIA, Clock, today
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

DIAS: Final = 30
"""How many days back a simulation looks, today's included, where no other time is asked for."""
_LINES_AT_ONCE: Final = 500
_FAULTS_NAMED: Final = 20
_EMPTY: Final = "A linha está vazia ou passa do tamanho que se lê."
_TABLE: Final = "É uma tabela (CSV), e nenhum formato publicado lê tabelas: publique um em Formatos, ou envie um pedido em JSON por linha."
SEM_A_CASA: Final = (
    "Um arquivo é decidido sem o que já foi aprovado aqui: onde a regra tem limite por período, um pedido sem histórico fica pendente "
    "dos dois lados."
)
"""What is to be known of a simulation where `Simulada.sem_a_casa` holds."""
Progresso = Callable[[int, int], None]
"""Hears how many pedidos were read, of how many; of a file the second is 0, for nobody has counted its lines."""


class PeriodoInvalido(CrivoError):
    """A time that ends before it begins."""

    codigo: ClassVar[str] = "periodo_invalido"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O período não serve"


@dataclass(frozen=True, slots=True)
class Periodo:
    """Days of Brasília on which pedidos came, both included."""

    desde: date
    ate: date

    @classmethod
    def of(cls, desde: date | None, ate: date | None, hoje: date) -> Periodo:
        """The time asked for; thirty days where its start is not told, up to today where its end is not. Raises PeriodoInvalido."""
        fim = ate or hoje
        inicio = desde or fim - timedelta(days=DIAS - 1)
        if inicio > fim:
            raise PeriodoInvalido(f"O período termina ({fim:%d/%m/%Y}) antes de começar ({inicio:%d/%m/%Y}). Troque as datas.")
        return cls(inicio, fim)

    def moments(self) -> tuple[datetime, datetime]:
        """From the first until before the second."""
        first, after = (datetime.combine(one, hour(), BRASILIA) for one in (self.desde, self.ate + timedelta(days=1)))
        return first, after


@dataclass(frozen=True, slots=True)
class Simulada:
    """A simulation with what it was of: the draft, the time (None for a file), and what is to be known to read it.

    `sem_publicada`: the administradora has nothing published. `trazidos` pedidos came before the draft
    begins, and were decided as though it had. `nunca_vale`: a later version that is published already leaves the draft no day.
    """

    rascunho: Politica
    guardada: PoliticaGuardada | None
    periodo: Periodo | None
    simulacao: Simulacao
    sem_publicada: bool
    trazidos: int
    nunca_vale: bool

    @property
    def sem_a_casa(self) -> bool:
        """Whether pedidos of a file met a limit by period without what was approved here: each that brings no history waits."""
        return self.periodo is None and any(regra.limites for regra in self.rascunho.regras)


@dataclass(frozen=True, slots=True)
class _Regras:
    """What is published now, and what would be once the draft is."""

    antes: Catalogo
    depois: Catalogo
    rascunho: Politica
    comparacao: Comparacao
    prazo: Prazo | None
    sem_publicada: bool
    nunca_vale: bool
    leitura: Fluxo  # what is published, as it reads pedidos


class _Referencias(Sequence[Referencia]):
    """Where each row came from, in little room."""

    def __init__(self, *, do_arquivo: bool) -> None:
        self._do_arquivo = do_arquivo
        self._ids = bytearray()
        self._lines: list[int] = []
        self._numbers: list[str | None] = []

    def add_stored(self, autorizacao_id: UUID, pedido_id: str | None) -> None:
        self._ids += autorizacao_id.bytes
        self._numbers.append(pedido_id)

    def add_line(self, number: int, pedido_id: str | None) -> None:
        self._lines.append(number)
        self._numbers.append(pedido_id)

    def __len__(self) -> int:
        return len(self._numbers)

    def repeated(self, colunas: Colunas) -> int:
        """How many rows are of a pedido that is among them already: the same number at the same administradora."""
        told = len(self._numbers) - self._numbers.count(None)
        if len(set(self._numbers) - {None}) == told:
            return 0
        whose = [chave.administradora_id for chave in colunas.chaves]
        named = zip(colunas.chave.tolist(), self._numbers, strict=True)
        return told - len({(whose[chave], number) for chave, number in named if number is not None})

    @overload
    def __getitem__(self, at: int) -> Referencia: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Referencia]: ...
    def __getitem__(self, at: int | slice) -> Referencia | Sequence[Referencia]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        if self._do_arquivo:
            return Referencia(self._numbers[at], linha=self._lines[at])
        return Referencia(self._numbers[at], UUID(bytes=bytes(self._ids[at * 16 : at * 16 + 16])))


@dataclass(frozen=True, slots=True)
class _Lidas:
    colunas: Colunas
    referencias: _Referencias
    contagem: Contagem


class Simulacoes:
    """What drafts of a tenant would decide."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    @asks("politicas.simular")
    async def simular(
        self,
        scope: Scope,
        rascunho: UUID | Politica,
        desde: date | None = None,
        ate: date | None = None,
        *,
        entrada: Iterable[Line] | None = None,
        recorte: Recorte | None = None,
        on_progress: Progresso = lambda *_: None,
    ) -> Simulada:
        """Decide the pedidos of a time again, under what is published now and under the draft; nothing is changed.

        Each is decided as it was read when it came, whatever a person made of it later. A draft that is still to begin decides as though
        it had begun when what it succeeds did. With `entrada`, those of lines instead of the stored ones: of JSON, or of a
        table that a published mapping reads, under its header.
        Raises `PoliticaNotFound`, `TransicaoRecusada` for one that was revoked, `PeriodoInvalido`. Source: design, "The workbench".
        """
        begun = time.perf_counter()
        guardada, regras = await self._rules(scope, rascunho)
        periodo = None if entrada is not None else Periodo.of(desde, ate, today(self._clock))
        if periodo is not None:
            lidas = await self._stored(scope, periodo, regras, on_progress)
        else:
            lidas = await self._of_lines(entrada or (), regras, on_progress)
        simulacao, trazidos = await asyncio.to_thread(_compared, lidas, regras, recorte or Recorte())
        simulacao = await self._received(scope, simulacao)
        simulada = Simulada(
            regras.rascunho,
            guardada,
            periodo,
            replace(simulacao, segundos=time.perf_counter() - begun),
            regras.sem_publicada,
            trazidos,
            regras.nunca_vale,
        )
        if recorte is None or recorte.quantos:  # a count alone names nobody's pedido
            await self._note(scope, simulada)
        return simulada

    async def _rules(self, scope: Scope, rascunho: UUID | Politica) -> tuple[PoliticaGuardada | None, _Regras]:
        async with self._database.unit_of_work(scope) as uow:
            versao = await politicas_guardadas.catalogo_versao(uow)
            guardada = None
            if isinstance(rascunho, UUID):
                guardada = await politicas_guardadas.find(uow, rascunho)
                if guardada is None:
                    raise PoliticaNotFound("Não há política com este identificador. Veja as que existem com 'crivo politicas listar'.")
                if guardada.status == "revogada":
                    raise TransicaoRecusada("Uma política revogada não volta a valer, e não se simula; importe-a de novo com outra versão.")
                content = await politicas_guardadas.content(uow, rascunho)
            publicadas = await publicadas_at(uow, versao)
            campos, formatos = await politicas_guardadas.campos_at(uow, versao), await formatos_at(uow, versao)
        nova = rascunho if isinstance(rascunho, Politica) else await asyncio.to_thread(msgspec.json.decode, content, type=Politica)
        return guardada, await asyncio.to_thread(_rules_of, nova, publicadas, campos, formatos)

    async def _stored(self, scope: Scope, periodo: Periodo, regras: _Regras, on_progress: Progresso) -> _Lidas:
        desde, ate = periodo.moments()
        complementada = regras.leitura.complementada
        coletor, referencias = Coletor(), _Referencias(do_arquivo=False)
        apagados = ilegiveis = relidos = 0
        async with self._database.unit_of_work(scope) as uow:
            total = await storage.count_period(uow, desde, ate)
        depois_de: UUID | None = None
        while True:
            # A unit of work of its own for each part: none is open for as long as a million rows take.
            async with self._database.unit_of_work(scope) as uow:
                parte = await storage.read_period(uow, desde, ate, complementada, depois_de)
            for autorizacao_id, pedido_id, linha in parte.linhas:
                coletor.add(linha)
                referencias.add_stored(autorizacao_id, pedido_id)
            apagados, ilegiveis, relidos = apagados + parte.apagadas, ilegiveis + parte.ilegiveis, relidos + parte.relidas
            on_progress(len(coletor) + apagados + ilegiveis, total)
            depois_de = parte.ultima
            if depois_de is None:
                return _Lidas(coletor.done(), referencias, Contagem(apagados, ilegiveis, relidos))

    async def _received(self, scope: Scope, simulacao: Simulacao) -> Simulacao:
        """The same, the stored cases with when they came: one pedido may have come several times."""
        casos, iguais = simulacao.casos, simulacao.mesma.casos
        ids = [one.referencia.autorizacao_id for one in (*casos, *iguais) if one.referencia.autorizacao_id is not None]
        if not ids:
            return simulacao
        async with self._database.unit_of_work(scope) as uow:
            received = await storage.received(uow, ids)

        def dated(many: Sequence[Caso]) -> tuple[Caso, ...]:
            return tuple(
                [replace(one, referencia=replace(one.referencia, recebida_em=received.get(one.referencia.autorizacao_id))) for one in many]
            )

        return replace(simulacao, casos=dated(casos), mesma=replace(simulacao.mesma, casos=dated(iguais)))

    async def _of_lines(self, entrada: Iterable[Line], regras: _Regras, on_progress: Progresso) -> _Lidas:
        coletor, referencias, hoje = Coletor(), _Referencias(do_arquivo=True), today(self._clock)
        fluxo = regras.leitura
        faults: dict[int, str] = {}

        def read(part: Sequence[tuple[int, Line]]) -> None:
            for number, line in part:
                try:
                    lidas = [fluxo.normalizar(parte.bruto, hoje) for parte in fluxo.partes(line or b"", hoje)]
                except LinhasIgnoradas:
                    continue  # a mapping says that such a row is none
                except CrivoError as error:
                    faults[number] = _why(line, error, mapped=bool(fluxo.formatos))
                else:
                    for normalizacao in lidas:
                        coletor.add(Linha.of(fluxo.complementada(normalizacao)))
                        referencias.add_line(number, normalizacao.pedido_normalizado.pedido_id)

        part: list[tuple[int, Line]] = []
        rows = Rows(fluxo)
        for number, line in enumerate(entrada, 1):
            if rows.is_header(line):
                continue
            part.append((number, rows.body(line)))
            if len(part) == _LINES_AT_ONCE:
                await asyncio.to_thread(read, part)
                on_progress(number, 0)
                part = []
        await asyncio.to_thread(read, part)
        contagem = Contagem(
            ilegiveis=len(faults), linhas_com_erro=tuple(islice(faults, _FAULTS_NAMED)), erro=next(iter(faults.values()), "")
        )
        return _Lidas(coletor.done(), referencias, contagem)

    async def _note(self, scope: Scope, simulada: Simulada) -> None:
        """Who saw what a draft would do, of how many pedidos: the cases name some."""
        rascunho, simulacao = simulada.rascunho, simulada.simulacao
        alvo = str(simulada.guardada.id) if simulada.guardada else f"{rascunho.administradora_id}|{rascunho.documento}|{rascunho.versao}"
        dados = {"pedidos": simulacao.total, "mudam": simulacao.mudam, "origem": "arquivo" if simulada.periodo is None else "guardados"}
        if simulada.periodo is not None:
            dados |= {"desde": simulada.periodo.desde.isoformat(), "ate": simulada.periodo.ate.isoformat()}
        async with self._database.unit_of_work(scope) as uow:
            await append(uow, self._clock.now(), [NewEntry(acao="politica.simulada", alvo=alvo, dados=dados)])


def _why(line: Line, error: CrivoError, *, mapped: bool) -> str:
    """Why a line holds no pedido; of a table that nothing published reads, what would read it."""
    if not line or not line.strip():
        return _EMPTY
    return error.mensagem if mapped or midia_of(line + b"\n") != "csv" else _TABLE


def _rules_of(
    nova: Politica, publicadas: Sequence[Publicada], campos: Mapping[str, Mapping[str, str]], formatos: Sequence[MapeamentoPublicado]
) -> _Regras:
    antes = succeed(publicadas)
    de_hoje = Catalogo.of(antes)
    key = (nova.administradora_id, nova.documento, nova.versao)
    # A draft of a version that is published already stands in its place.
    others = [one for one in publicadas if (one.politica.administradora_id, one.politica.documento, one.politica.versao) != key]
    itself = next((one for one in publicadas if one.politica == nova), None)
    depois = antes if itself else succeed([*others, Publicada(nova, encerra=True)])
    published = next((one.politica for one in publicadas if one not in others), None)
    closed = [um.politica for um in closed_by(nova, others) if um.politica is not nova]
    latest = published or max(closed, key=lambda outra: (outra.vigencia_inicio, versao_ordem(outra.versao)), default=None)
    sua = fold_id(nova.administradora_id)
    held = None if itself else next((one for one in depois if (one.administradora_id, one.documento, one.versao) == key), None)
    catalogo = Catalogo.of(depois)
    return _Regras(
        de_hoje,
        catalogo,
        itself.politica if itself else nova,
        # What succeeds nothing is new as a whole.
        compare_politicas(latest or msgspec.structs.replace(nova, regras=()), nova),
        _prazo(catalogo, latest, held) if held else None,
        not any(fold_id(one.administradora_id) == sua for one in antes),
        held is None and itself is None,
        Fluxo(de_hoje, campos, formatos),
    )


def _prazo(catalogo: Catalogo, latest: Politica | None, held: Politica) -> Prazo:
    """The draft decides as though it had begun when what it succeeds did; where it succeeds nothing, as though it had always held."""
    sua = fold_id(held.administradora_id)
    return Prazo(lambda dita: catalogo.administradora(dita) == sua, latest.vigencia_inicio if latest else None, held.vigencia_inicio)


def _compared(lidas: _Lidas, regras: _Regras, recorte: Recorte) -> tuple[Simulacao, int]:
    """What differs, and how many pedidos were decided on another day than theirs."""
    colunas, prazo = lidas.colunas, regras.prazo
    antes, depois = evaluate(colunas, regras.antes), evaluate(colunas, regras.depois, prazo)
    simulacao = compare(colunas, lidas.referencias, antes, depois, regras.rascunho, regras.comparacao, recorte)
    repetidos = lidas.referencias.repeated(colunas)
    contagem = replace(lidas.contagem, pelas_etapas=max(antes.pelas_etapas, depois.pelas_etapas), repetidos=repetidos)
    return replace(simulacao, contagem=contagem), moved(colunas, prazo) if prazo else 0
