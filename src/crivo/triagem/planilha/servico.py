"""Use cases of notas and habilitações in a spreadsheet: the model to fill in, what would come of it, and bringing it in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from crivo.kernel.access import asks, find_usuario
from crivo.kernel.clock import Clock
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.storage.patience import PATIENT
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.edital import Avaliador, HabilitacaoDada, HabilitacaoSugerida
from crivo.triagem.importador import not_erased
from crivo.triagem.ja_feito import keep_habilitacoes, write_notas
from crivo.triagem.planilha.achados import Achados
from crivo.triagem.planilha.anotada import annotate
from crivo.triagem.planilha.conferencia import Lida
from crivo.triagem.planilha.erros import PlanilhaMudou, PlanilhaRecusada
from crivo.triagem.planilha.leitura import read_planilha
from crivo.triagem.planilha.modelo import LinhaDoModelo, write_modelo
from crivo.triagem.planilha.previa import Escrita, PreviaDeNotas, Trazidas, decisions, foresee, writings
from crivo.triagem.planilha.quadro import Pessoa, QuadroDeNotas
from crivo.triagem.storage import (
    atribuicoes,
    avaliacoes,
    chaves,
    decisoes,
    editais,
    impedimentos,
    importadas,
    julgadores,
    projetos,
    registros,
)
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.importadas import NotaImportada

_AT_ONCE: Final = 500  # projects of which titles are opened together


@dataclass(frozen=True, slots=True)
class _Prevista:
    """A preview, and what makes it up."""

    previa: PreviaDeNotas
    escritas: Sequence[Escrita]
    decididas: Sequence[tuple[HabilitacaoDada, HabilitacaoSugerida | None]]


class NotasTrazidas:
    """Notas and habilitações that people gave on paper or in spreadsheets, brought into an edital that is here."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.executar")
    async def modelo(self, scope: Scope, edital_id: str) -> bytes:
        """The workbook to be filled in: a row for each project and who judges it, each scale held. Raises EditalNotFound."""
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            quadro = await _load_quadro(uow, guardado)
            linhas = await _rows(uow, guardado, quadro)
            dados = {"formato": "xlsx", "projetos": len(quadro.projetos)}
            await registros.note(uow, self._new_id(), self._clock.now(), "notas.modelo", edital_id, "edital", str(guardado.id), dados)
        return await asyncio.to_thread(write_modelo, quadro, linhas)

    @asks("triagem.executar")
    async def conferir(self, scope: Scope, edital_id: str, content: bytes) -> PreviaDeNotas:
        """What bringing a spreadsheet in would do; nothing is kept.

        Raises EditalNotFound, PlanilhaIlegivel, PlanilhaGrandeDemais; PlanilhaRecusada with every fault by its cell.
        """
        lida = await self._read(scope, edital_id, content)
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            return (await _foresee(uow, guardado, lida)).previa

    @asks("triagem.executar")
    async def trazer(self, scope: Scope, edital_id: str, content: bytes, prevista: str) -> Trazidas:
        """Bring in what a preview said, in one transaction: all of it, or nothing. What people gave stays theirs, and the audit tells of
        each project as imported.

        Raises as `conferir`; PlanilhaMudou, with the preview of now, where it is not what `prevista` was.
        """
        lida = await self._read(scope, edital_id, content)
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id, lock=True)
            codigos = {one.projeto for one in lida.avaliacoes} | {one.projeto for one in lida.habilitacoes}
            await decisoes.lock(uow, guardado.id, sorted(codigos))  # nobody writes or decides of them meanwhile
            found = await _foresee(uow, guardado, lida)
            if found.previa.prevista != prevista:
                raise PlanilhaMudou(found.previa)
            return await self._keep(uow, guardado, found)

    @asks("triagem.executar")
    async def anotar(self, scope: Scope, edital_id: str, content: bytes) -> bytes:
        """The same spreadsheet as a new workbook, each fault beside its row and its cell marked.

        Raises EditalNotFound, PlanilhaIlegivel, PlanilhaGrandeDemais.
        """
        async with self._database.unit_of_work(scope) as uow:
            quadro = await _load_quadro(uow, await editais.get_by_codigo(uow, edital_id))
        lida = await asyncio.to_thread(read_planilha, content, quadro)
        await self._tell_left_out(scope, edital_id, lida)
        return await asyncio.to_thread(annotate, content, lida)

    async def _read(self, scope: Scope, edital_id: str, content: bytes) -> Lida:
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            quadro = await _load_quadro(uow, await editais.get_by_codigo(uow, edital_id))
        lida = await asyncio.to_thread(read_planilha, content, quadro)
        await self._tell_left_out(scope, edital_id, lida)
        if lida.problemas.total:
            raise PlanilhaRecusada(lida.problemas.as_problems(), lida.problemas.total)
        return lida

    async def _tell_left_out(self, scope: Scope, edital_id: str, lida: Lida) -> None:
        """A fault where who judged was erased at their request, and where they are impeded in the project."""
        people = [Avaliador(email, email) for email in lida.quem]
        async with self._database.unit_of_work(scope) as uow:
            left = {one.email for one in await not_erased(uow, people)}
            impeded = await impedimentos.in_force(uow, (await editais.get_by_codigo(uow, edital_id)).id)
            accounts = await _accounts(uow, lida) if impeded else {}
        for email, (folha, linha, coluna) in lida.quem.items():
            if email not in left:
                told = Achados(folha, lida.problemas, lida.avisos)
                told.fail("avaliador_apagado", linha, coluna, "os dados desta pessoa foram apagados a pedido dela. Apague as linhas dela.")
        for (projeto, email), (folha, linha, coluna) in lida.onde.items():
            if (projeto, accounts.get(email)) in impeded:
                told = Achados(folha, lida.problemas, lida.avisos)
                mensagem = f"esta pessoa está impedida em {projeto}, e a nota dela não conta. Apague a linha, ou desfaça o impedimento."
                told.fail("avaliador_impedido", linha, coluna, mensagem)

    async def _keep(self, uow: UnitOfWork, guardado: EditalGuardado, found: _Prevista) -> Trazidas:
        now, edital_id, previa = self._clock.now(), guardado.edital.id, found.previa
        ids = await projetos.ids_of(uow, guardado.id)
        people = await self._people(uow, guardado, found)
        donas = await chaves.hold_all(uow, guardado.id)
        criterios = {one.criterio.id: one.id for one in await editais.criterios_of(uow, guardado.id)}
        news = [
            NotaImportada(ids[one.projeto], criterios[one.criterio], people[one.avaliador], one.nota, one.texto, donas[one.projeto].dona)
            for one in found.escritas
        ]
        await atribuicoes.put(uow, sorted({(people[one.avaliador], ids[one.projeto]) for one in found.escritas}))
        told = await write_notas(uow, edital_id, news, ids, self._new_id, now)
        decided = await keep_habilitacoes(uow, guardado, [one for one, _ in found.decididas], self._new_id, now)
        trazidas = Trazidas(edital_id, told, previa.notas_novas, previa.notas_mudadas, decided, len(previa.pessoas_novas))
        dados = {name: getattr(trazidas, name) for name in trazidas.__struct_fields__ if name != "edital_id"}
        await registros.note(uow, self._new_id(), now, "notas.trazidas", edital_id, "edital", str(guardado.id), dados)
        return trazidas

    async def _people(self, uow: UnitOfWork, guardado: EditalGuardado, found: _Prevista) -> Mapping[str, UUID]:
        """The account of each who judged, by e-mail; who does not judge the edital yet does from now on."""
        people: dict[str, UUID] = {}
        for email in sorted({one.avaliador for one in found.escritas}):
            was = await find_usuario(uow, email)
            nome = was.nome if was is not None and was.nome else email
            people[email] = await avaliacoes.ensure_usuario(uow, self._new_id(), Avaliador(nome, email), self._clock.now())
        there = await julgadores.hold(uow, guardado.id, list(people.values()))
        for email, of in people.items():
            if of not in there:
                was = await find_usuario(uow, email)
                await julgadores.add(uow, guardado.id, of, Avaliador(was.nome if was is not None else email, email))
        return people


async def _load_quadro(uow: UnitOfWork, guardado: EditalGuardado) -> QuadroDeNotas:
    known = await projetos.known_of(uow, guardado.id)
    judges = await julgadores.people_of(uow, guardado.id)
    return QuadroDeNotas(
        guardado.edital.id,
        guardado.edital.nome,
        guardado.importacao,
        tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)]),
        tuple(await projetos.ids_of(uow, guardado.id)),
        frozenset(codigo for codigo, one in known.items() if one.apagado),
        tuple([Pessoa(one.nome, one.email.strip().casefold()) for one in judges.values()]),
    )


async def _foresee(uow: UnitOfWork, guardado: EditalGuardado, lida: Lida) -> _Prevista:
    ids = await projetos.ids_of(uow, guardado.id)
    named = sorted({one.projeto for one in lida.avaliacoes} & ids.keys())
    emails = {of: email for email, of in (await _accounts(uow, lida)).items()}
    there = await importadas.standing(uow, guardado.id, [ids[one] for one in named], emails)
    criterios = [one.criterio for one in await editais.criterios_of(uow, guardado.id)]
    escritas = writings([one for one in lida.avaliacoes if one.projeto in ids], there, criterios)
    stand = await decisoes.standing(uow, guardado.id, None, sorted({one.projeto for one in lida.habilitacoes}))
    decided = {codigo: (one.decisao.decisao, one.decisao.motivo) for codigo, one in stand.items() if one.decisao is not None}
    decididas = decisions([one for one in lida.habilitacoes if one.projeto in ids], decided)
    judges = {one.email.strip().casefold(): one.nome for one in (await julgadores.people_of(uow, guardado.id)).values()}
    news = sorted({one.avaliador for one in escritas} - judges.keys())
    counted = (lida.linhas, lida.em_branco)
    given = (lida.avaliacoes, escritas, lida.habilitacoes, decididas)
    return _Prevista(foresee(guardado.edital.id, guardado.importacao, *given, news, judges, counted, lida.avisos), escritas, decididas)


async def _accounts(uow: UnitOfWork, lida: Lida) -> dict[str, UUID]:
    found = {email: await find_usuario(uow, email) for email in lida.quem}
    return {email: one.id for email, one in found.items() if one is not None}


async def _rows(uow: UnitOfWork, guardado: EditalGuardado, quadro: QuadroDeNotas) -> list[LinhaDoModelo]:
    """A row for each project and each who was given it, in the order of the projects; a project of nobody has one all the same."""
    named = await julgadores.people_of(uow, guardado.id)
    given: dict[str, list[str]] = {}
    for one in await avaliacoes.incumbencias_of(uow, guardado.id):
        quem = named.get(one.avaliador)
        if quem is not None:
            alone = quadro.by_nome.get(fold(quem.nome)) is not None
            given.setdefault(one.projeto_id, []).append(quem.nome if alone and "@" not in quem.nome else quem.email)
    rows: list[LinhaDoModelo] = []
    for start in range(0, len(quadro.projetos), _AT_ONCE):
        some = [codigo for codigo in quadro.projetos[start : start + _AT_ONCE] if codigo not in quadro.apagados]
        heads = await projetos.cabecalhos_of(uow, guardado.id, some)
        rows += [LinhaDoModelo(codigo, heads[codigo].titulo, tuple(given.get(codigo, ()))) for codigo in some if codigo in heads]
    return rows
