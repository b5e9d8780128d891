"""A call with notas, decisions and a published result, and the people who contest and answer it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Final
from uuid import uuid4

from msgspec.structs import replace

from chamadas import VERSOES, Importacao, importacao
from crivo.kernel.access import create_usuario, find_usuario
from crivo.kernel.cartas import Correio
from crivo.kernel.clock import BRASILIA, SystemClock
from crivo.kernel.identity import Uuid7
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.definicao import Bonus, Classificacao, Vagas
from crivo.triagem.condicao import Condicao
from crivo.triagem.decisao import Habilitacoes
from crivo.triagem.edital import AvaliacaoDada, Avaliador, FaseDatada
from crivo.triagem.lugares import Lugares
from crivo.triagem.publicacao.servico import Resultados
from crivo.triagem.recursos.peticoes import Peticoes
from crivo.triagem.recursos.servico import Recursos
from crivo.triagem.service import Triagem
from sujeitos import as_person

ULTIMO: Final = date(2026, 11, 25)
AGORA: Final = datetime(2026, 11, 20, 14, 5, tzinfo=BRASILIA)
RITA: Final = Avaliador("Rita Melo", "rita@avalia.exemplo", ("P0001",))
REGRAS: Final = Classificacao(
    vagas=(Vagas("*", 2),), suplentes=1, bonus=(Bonus("INTERIOR", Condicao("regiao", "igual", "interior"), Decimal(10)),)
)
FASES: Final = (FaseDatada("recursos", date(2026, 11, 18), ULTIMO),)


@dataclass(frozen=True)
class Relogio:
    """A clock that a test sets."""

    hora: list[datetime]

    def now(self) -> datetime:
        return self.hora[0]

    def at(self, instant: datetime) -> None:
        self.hora[0] = instant


@dataclass(frozen=True)
class Recorrida:
    """P0001 has 50, P0002 60, P0003 80 and P0004 90, all from Rita; P0005 has 95 and Lia took it out. There are two places.

    Lia decides, Nina answers, Otto administers.
    """

    database: Database
    relogio: Relogio
    console: Scope
    lia: Scope
    nina: Scope
    otto: Scope
    rita: Scope

    @property
    def tenant_id(self) -> str:
        return self.console.tenant_id

    @property
    def correio(self) -> Correio:
        return Correio(Fila(), Uuid7(SystemClock()).new)

    @property
    def peticoes(self) -> Peticoes:
        return Peticoes(self.database, self.relogio, Uuid7(SystemClock()).new, self.correio, "https://crivo.exemplo")

    @property
    def recursos(self) -> Recursos:
        return Recursos(self.database, self.relogio, Uuid7(SystemClock()).new, self.correio, "https://crivo.exemplo")

    @property
    def resultados(self) -> Resultados:
        return Resultados(self.database, self.relogio, Uuid7(SystemClock()).new)

    @property
    def habilitacoes(self) -> Habilitacoes:
        return Habilitacoes(self.database, self.relogio, Uuid7(SystemClock()).new)

    async def selected(self) -> list[str]:
        """Who has a place, the best first."""
        found = await Lugares(self.database).resultado(self.console, "ED-1")
        return [one.inscrito.id for one in found.lugares if one.situacao == "selecionado"]

    async def code(self, projeto: str) -> str:
        return (await self.peticoes.codigos(self.nina, "ED-1"))[projeto]

    async def publish(self, fase: str = "preliminar", ate: date | None = None, motivo: str = "") -> int:
        seen = await self.resultados.rascunho(self.nina, "ED-1", "final" if fase == "final" else "preliminar")
        made = await self.resultados.publicar(self.nina, "ED-1", seen.conteudo.fase, seen.sha256, motivo, ate)
        return made.versao


def chamada(notas: Sequence[int] = (5, 6, 8, 9), fases: tuple[FaseDatada, ...] = FASES) -> Importacao:
    """The call; `fases` are its days for recursos."""
    given = importacao(len(notas) + 1, avaliadores=(RITA,))
    edital = replace(given.chamada.edital, classificacao=REGRAS, fases=fases)
    values = [*map(Decimal, notas), Decimal("9.5")]
    dadas = [AvaliacaoDada(f"P{at:04}", RITA.email, {"C1": nota, "C2": nota}, "Um parecer.") for at, nota in enumerate(values, 1)]
    return Importacao(replace(given.chamada, edital=edital, avaliacoes=tuple(dadas)), given.arquivos)


async def open_recorrida(database: Database, scope: Scope) -> Recorrida:
    """The call, at its beginning: nothing is published yet."""
    clock = Relogio([AGORA])
    new_id = Uuid7(SystemClock()).new
    await Triagem(database, Fila(), clock, new_id, lambda: VERSOES).importar(scope, chamada())
    people = {}
    async with database.unit_of_work(scope) as uow:
        for nome, papel in (("Lia Prado", "gestor"), ("Nina Sá", "gestor"), ("Otto Reis", "admin")):
            mail = f"{nome.split()[0].lower()}@orgao.exemplo"
            people[nome[:3]] = as_person(scope, await create_usuario(uow, AGORA, uuid4(), nome, mail, papel))
        rita = await find_usuario(uow, RITA.email)
        assert rita is not None
    opened = Recorrida(database, clock, scope, people["Lia"], people["Nin"], people["Ott"], as_person(scope, rita))
    await opened.habilitacoes.decidir(opened.lia, "ED-1", "P0005", "inabilitado", "Não comprovou a sede no município.", None)
    return opened
