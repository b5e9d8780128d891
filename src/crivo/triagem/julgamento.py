"""Use cases of the people who judge: the projects that were given to them, and the notas that they give.

A person sees what was given to them and nothing else; for the rest it is as if it did not exist. What they write is a
draft, which nobody else sees and nothing counts, until its person sends the notas of the whole project.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel import audit
from crivo.kernel.access import Este, SemPermissao, asks, may
from crivo.kernel.access.usuarios import Usuario, acting_usuario
from crivo.kernel.clock import Clock
from crivo.kernel.errors import Problem
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Irregularidade, ProjetoTriado, Resultado
from crivo.triagem.casos.guardados import Caso, CasoResumido, by_project
from crivo.triagem.dadas import Dada, FilaDadas, PedidaDadas, cut
from crivo.triagem.distribuicao.prazo import Prazo, prazo_of
from crivo.triagem.edital import Criterio, Edital, EditalNotFound, Projeto
from crivo.triagem.erros import (
    AvaliacaoIncompleta,
    AvaliacaoJaEnviada,
    NotaInvalida,
    PrazoEncerrado,
    ProjetoEmEspera,
    ProjetoNotFound,
    TriagemNotFound,
)
from crivo.triagem.guardados import Atribuicao, Avaliacao, Incumbencia, TextoSemNota
from crivo.triagem.palavras import number
from crivo.triagem.seladas import AVALIACOES
from crivo.triagem.storage import (
    avaliacoes,
    calibracoes,
    caso_renovacao,
    casos,
    chaves,
    editais,
    execucoes,
    prazos,
    projetos,
    registros,
    resultados,
    sinais,
)
from crivo.triagem.storage.editais import CriterioGuardado, EditalGuardado

LONGEST_TEXT: Final = 20_000


@dataclass(frozen=True, slots=True)
class ParaAvaliar:
    """A project before whoever judges it, with what they gave and wrote so far and what may be shown to them of the last screening.

    `casos` are those that concern it, but for those about people who judge; nothing of the other projects.
    Where the edital asks for one's own nota first, `triado` has no hint for a critério before its nota is given. `prazo` is until when
    their notas are taken; None: for ever.
    """

    edital: Edital
    projeto: Projeto
    criterios: tuple[Criterio, ...]
    minhas: tuple[Avaliacao, ...]
    triado: ProjetoTriado | None
    sem_nota: tuple[TextoSemNota, ...] = ()
    casos: tuple[CasoResumido, ...] = ()
    prazo: Prazo | None = None
    prazo_acabou: bool = False

    @property
    def enviada(self) -> bool:
        """Whether every critério has a nota that was sent: nothing is left to be changed then."""
        return _is_sent(self.criterios, self.minhas)


@dataclass(frozen=True, slots=True)
class EmEspera:
    """An edital in which everybody judges the same projects first: so many of whoever acts wait; of the `comuns`, they sent so many."""

    edital_id: str
    esperam: int
    comuns: int
    enviados: int


@dataclass(frozen=True, slots=True)
class NotaDada:
    """A nota to be kept, with what its person writes of it; only a draft may be without one (None)."""

    criterio: str
    nota: Decimal | None
    texto: str = ""


class Julgamento:
    """The projects and notas of whoever acts in the scope."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.ver_atribuidos")
    async def meus_projetos(self, scope: Scope) -> tuple[Atribuicao, ...]:
        """What was given to the acting person. Raises SemPermissao where no person acts."""
        async with self._database.unit_of_work(scope) as uow:
            return await avaliacoes.atribuicoes_of(uow, (await _person(uow)).id)

    @asks("triagem.ver_atribuidos")
    async def fila(self, scope: Scope, pedida: PedidaDadas) -> FilaDadas:
        """The queue of the acting person, as it is asked for. Raises SemPermissao where no person acts."""
        async with self._database.unit_of_work(scope) as uow:
            given = await avaliacoes.atribuicoes_of(uow, (await _person(uow)).id)
            dadas = [one for edital in dict.fromkeys(one.edital_id for one in given) for one in await self._with_cases(uow, edital, given)]
        return cut(dadas, pedida)

    @asks("triagem.avaliar")
    async def projeto(self, scope: Scope, edital_id: str, projeto_id: str) -> ParaAvaliar:
        """A project that was given to the acting person. Raises SemPermissao, ProjetoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            person = await _person(uow)
            guardado, of = await _given(uow, person, edital_id, projeto_id)
            minhas = await _written(uow, guardado, person, of)
            sem_nota = await avaliacoes.textos_sem_nota(uow, of, person.id)
            criterios = tuple(one.criterio for one in await editais.criterios_of(uow, guardado.id))
            projeto = (await projetos.load_one(uow, of)).projeto
            last = await execucoes.find_last_finished(uow, guardado.id)
            triados = () if last is None else await resultados.load(uow, last.id, [of])
            await caso_renovacao.ensure(uow, guardado.id, self._new_id, self._clock.now())
            found = await casos.of_projects(uow, guardado.id, [projeto_id])
            prazo = await _prazo(uow, guardado, person)
        about = by_project(_to_be_seen(found)).get(projeto_id, ())
        given = {one.criterio for one in minhas} if guardado.edital.nota_antes_da_dica else {one.id for one in criterios}
        hints = _hints(triados[0], given) if triados else None
        over = prazo is not None and prazo.is_over(self._clock.now())
        return ParaAvaliar(guardado.edital, projeto, criterios, minhas, hints, sem_nota, about, prazo, over)

    @asks("triagem.ver_atribuidos")
    async def em_espera(self, scope: Scope) -> tuple[EmEspera, ...]:
        """The editais of which some projects of the acting person wait for a round of calibration, and how far that has come."""
        async with self._database.unit_of_work(scope) as uow:
            person = await _person(uow)
            found = await calibracoes.waiting_of(uow, person.id)
            given = await avaliacoes.atribuicoes_of(uow, person.id) if found else ()
        rounds = []
        for edital, many in sorted(found.items()):
            theirs = [one for one in given if one.edital_id == edital]
            rounds.append(EmEspera(edital, many, len(theirs), sum(one.avaliado for one in theirs)))
        return tuple(rounds)

    @asks("triagem.ver_atribuidos")
    async def resultado(self, scope: Scope, edital_id: str) -> Resultado:
        """What the screening that was finished last says of the projects given to the acting person, and of no other.

        Signs that concern another project too are left out, and so are hints that are not open yet and quotes out of other projects.
        Raises SemPermissao; EditalNotFound, the same where nothing of the edital was given to them; TriagemNotFound.
        Source: triagem seed, Segurança.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await _person(uow)
            given = {one.projeto_id for one in await avaliacoes.atribuicoes_of(uow, person.id) if one.edital_id == edital_id}
            guardado = await editais.find(uow, edital_id)
            if guardado is None or not given:
                raise EditalNotFound("Não há edital com este código entre os que têm projetos dados a você. Confira o código.")
            last = await execucoes.find_last_finished(uow, guardado.id)
            if last is None:
                raise TriagemNotFound("Nenhuma triagem deste edital terminou ainda.")
            triados = [one for one in await resultados.load(uow, last.id) if one.projeto_id in given]
            signs = await sinais.load(uow, last.id)
            minhas = [one for one in await avaliacoes.list_of(uow, guardado.id) if one.avaliador == person.id]
            criterios = {one.criterio.id for one in await editais.criterios_of(uow, guardado.id)}
        seen = []
        for triado in triados:
            judged = {one.criterio for one in minhas if one.projeto_id == triado.projeto_id}
            seen.append(_apart(_hints(triado, judged if guardado.edital.nota_antes_da_dica else criterios), given))
        return Resultado(edital_id, str(last.id), tuple(seen), _within(signs, given))

    @asks("triagem.avaliar")
    async def registrar_nota(self, scope: Scope, edital_id: str, projeto_id: str, criterio_id: str, nota: Decimal, texto: str) -> None:
        """Give a nota that counts at once, or another in its place. Raises as `registrar_notas`."""
        await self.registrar_notas(scope, edital_id, projeto_id, [NotaDada(criterio_id, nota, texto)])

    @asks("triagem.avaliar")
    async def registrar_notas(self, scope: Scope, edital_id: str, projeto_id: str, dadas: Sequence[NotaDada]) -> None:
        """Give notas that count at once, all or none; of two for one critério the last counts.

        Raises SemPermissao, ProjetoNotFound, ProjetoEmEspera, AvaliacaoJaEnviada, PrazoEncerrado; NotaInvalida with a problem for each
        that is wrong.
        """
        await self._keep(scope, edital_id, projeto_id, dadas, enviada=True)

    @asks("triagem.avaliar")
    async def salvar(self, scope: Scope, edital_id: str, projeto_id: str, dadas: Sequence[NotaDada]) -> None:
        """Keep drafts, all or none: a nota, a text, or both. Raises as `registrar_notas`."""
        await self._keep(scope, edital_id, projeto_id, dadas, enviada=False)

    @asks("triagem.avaliar")
    async def enviar(self, scope: Scope, edital_id: str, projeto_id: str) -> None:
        """Send the notas of a project, which are final from then on; sent twice, nothing changes.

        Raises SemPermissao, ProjetoNotFound, ProjetoEmEspera; AvaliacaoIncompleta where a critério has none; PrazoEncerrado.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await _person(uow)
            guardado, of = await _given(uow, person, edital_id, projeto_id, hold=True)
            criterios = [one.criterio for one in await editais.criterios_of(uow, guardado.id)]
            minhas = await _written(uow, guardado, person, of)
            given = {one.criterio for one in minhas}
            lacking = [one.nome for one in criterios if one.id not in given]
            if lacking or not criterios:
                raise AvaliacaoIncompleta(f"Dê nota a cada critério antes de enviar. Faltam: {', '.join(lacking)}.")
            if _is_sent(criterios, minhas):
                return
            now = self._clock.now()
            _in_time(await _prazo(uow, guardado, person), now)
            before = await _seals(uow, of, person.id)
            await avaliacoes.send(uow, of, person.id, now)
            selos = audit.changed(before, await _seals(uow, of, person.id))
            await calibracoes.open_where_all_sent(uow, guardado.id, now)
            dados = {"projeto": projeto_id, audit.DIGESTS: selos}
            await registros.note(uow, self._new_id(), now, "avaliacao.enviada", edital_id, "projeto", str(of), dados)

    @asks("triagem.decidir")
    async def reabrir(self, scope: Scope, edital_id: str, projeto_id: str, avaliador: UUID) -> None:
        """Give back to a person what they sent for a project, as drafts; where nothing was sent, nothing changes.

        Raises SemPermissao unless a person who manages is acting; EditalNotFound, ProjetoNotFound.
        """
        async with self._database.unit_of_work(scope) as uow:
            await _person(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            of = await projetos.find_id(uow, guardado.id, projeto_id)
            if of is None:
                raise ProjetoNotFound("Não há projeto com este código neste edital. Volte à lista e escolha outro.")
            before = await _seals(uow, of, avaliador)
            if await avaliacoes.reopen(uow, of, avaliador):
                selos = audit.changed(before, {})
                dados = {"projeto": projeto_id, "avaliador": str(avaliador), audit.DIGESTS: selos}
                await registros.note(uow, self._new_id(), self._clock.now(), "avaliacao.reaberta", edital_id, "projeto", str(of), dados)

    @asks("triagem.acompanhar")
    async def notas(self, scope: Scope, edital_id: str) -> tuple[Avaliacao, ...]:
        """Every nota that people sent in an edital, to hold suggestions against. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            written = await avaliacoes.list_of(uow, (await editais.get_by_codigo(uow, edital_id)).id)
        return tuple(one for one in written if one.enviada_em is not None)

    @asks("triagem.acompanhar")
    async def incumbencias(self, scope: Scope, edital_id: str) -> tuple[Incumbencia, ...]:
        """Who judges what in an edital, and what was sent of it. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            return await avaliacoes.incumbencias_of(uow, (await editais.get_by_codigo(uow, edital_id)).id)

    async def _with_cases(self, uow: UnitOfWork, edital_id: str, given: Sequence[Atribuicao]) -> list[Dada]:
        guardado = await editais.get_by_codigo(uow, edital_id)
        await caso_renovacao.ensure(uow, guardado.id, self._new_id, self._clock.now())
        here = [one for one in given if one.edital_id == edital_id]
        found = by_project(_to_be_seen(await casos.of_projects(uow, guardado.id, [one.projeto_id for one in here])))
        return [Dada(one, found.get(one.projeto_id, ())) for one in here]

    async def _keep(self, scope: Scope, edital_id: str, projeto_id: str, dadas: Sequence[NotaDada], *, enviada: bool) -> None:
        async with self._database.unit_of_work(scope) as uow:
            person = await _person(uow)
            guardado, of = await _given(uow, person, edital_id, projeto_id, hold=True)
            known = {one.criterio.id: one for one in await editais.criterios_of(uow, guardado.id)}
            wrong = [
                Problem(fault, caminho=f"notas[{at}]", codigo="nota_invalida")
                for at, one in enumerate(dadas)
                if (fault := _fault_of(known.get(one.criterio), one, enviada=enviada)) is not None
            ]
            if wrong:
                raise NotaInvalida(wrong[0].mensagem, wrong)
            if _is_sent([one.criterio for one in known.values()], await _written(uow, guardado, person, of)):
                raise AvaliacaoJaEnviada(
                    "As notas enviadas não mudam mais. Se precisar corrigir, peça à gestão do edital que reabra a avaliação."
                )
            now, before = self._clock.now(), await _seals(uow, of, person.id)
            if enviada:
                _in_time(await _prazo(uow, guardado, person), now)
            for one in dadas:
                await avaliacoes.save(uow, of, known[one.criterio].id, person.id, one.nota, one.texto, now, enviada=enviada)
            selos = audit.changed(before, await _seals(uow, of, person.id))
            if enviada:
                await calibracoes.open_where_all_sent(uow, guardado.id, now)
            if selos:  # a draft that stays one is its author's alone
                dados = {"projeto": projeto_id, audit.DIGESTS: selos}
                await registros.note(uow, self._new_id(), now, "avaliacao.registrada", edital_id, "projeto", str(of), dados)


async def _prazo(uow: UnitOfWork, guardado: EditalGuardado, person: Usuario) -> Prazo | None:
    return prazo_of(guardado.edital, (await prazos.in_force(uow, guardado.id)).get(person.id))


def _in_time(prazo: Prazo | None, now: datetime) -> None:
    """Raises PrazoEncerrado."""
    if prazo is not None and prazo.is_over(now):
        raise PrazoEncerrado(
            f"O prazo para enviar notas terminou em {prazo.ate:%d/%m/%Y}, às 23h59 de Brasília. O rascunho que você gravou continua aqui. "
            "Se ainda precisar enviar, peça à gestão do edital que reabra o prazo para você."
        )


def _to_be_seen(found: Sequence[Caso]) -> list[Caso]:
    """Those that whoever judges may know of: none about people who judge."""
    return [one for one in found if not one.velado]


def _is_sent(criterios: Sequence[Criterio], minhas: Sequence[Avaliacao]) -> bool:
    sent = {one.criterio for one in minhas if one.enviada_em is not None}
    return bool(criterios) and all(one.id in sent for one in criterios)


async def _written(uow: UnitOfWork, guardado: EditalGuardado, person: Usuario, projeto: UUID) -> tuple[Avaliacao, ...]:
    return tuple(one for one in await avaliacoes.list_of(uow, guardado.id, [projeto]) if one.avaliador == person.id)


def _hints(triado: ProjetoTriado, given: Set[str]) -> ProjetoTriado:
    return msgspec.structs.replace(
        triado,
        notas=tuple(one for one in triado.notas if one.criterio in given),
        leitura=tuple(one for one in triado.leitura if one.criterio in given),
    )


def _apart(triado: ProjetoTriado, given: Set[str]) -> ProjetoTriado:
    """The same, naming no project beyond those given."""
    if triado.projeto_similar is None or triado.projeto_similar in given:
        return triado
    return msgspec.structs.replace(triado, projeto_similar=None, similaridade_max=None)


def _within(sinais: Sequence[Irregularidade], given: Set[str]) -> tuple[Irregularidade, ...]:
    """The signs that concern these projects alone, without what they quote from others."""
    return tuple(
        msgspec.structs.replace(sinal, evidencia=tuple(one for one in sinal.evidencia if one.projeto is None or one.projeto in given))
        for sinal in sinais
        if given >= set(sinal.projetos)
    )


def _fault_of(found: CriterioGuardado | None, dada: NotaDada, *, enviada: bool) -> str | None:
    if found is None:
        return "Este edital não tem esse critério. Abra o projeto de novo para ver os que valem."
    criterio, nota = found.criterio, dada.nota
    if nota is None:
        if enviada:
            return f"Falta a nota de '{criterio.nome}': sem ela nada pode ser enviado."
    elif not nota.is_finite() or not criterio.nota_min <= nota <= criterio.nota_max or nota != round(nota, 2):
        faixa = f"de {number(criterio.nota_min)} a {number(criterio.nota_max)}"
        return f"A nota de '{criterio.nome}' vai {faixa}, com até duas casas depois da vírgula."
    if len(dada.texto) > LONGEST_TEXT or "\0" in dada.texto:
        return f"O texto da avaliação deve ter até {number(LONGEST_TEXT)} caracteres."
    return None


async def _person(uow: UnitOfWork) -> Usuario:
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada avalia projetos. Entre com o seu usuário.")
    return person


async def _seals(uow: UnitOfWork, projeto: UUID, avaliador: UUID) -> dict[str, str]:
    return await audit.read_seals(uow, AVALIACOES, {"projeto_id": projeto, "avaliador_id": avaliador})


async def _given(uow: UnitOfWork, person: Usuario, edital_id: str, projeto_id: str, *, hold: bool = False) -> tuple[EditalGuardado, UUID]:
    guardado = await editais.find(uow, edital_id)
    of = None if guardado is None else await projetos.find_id(uow, guardado.id, projeto_id)
    if hold and of is not None:
        await chaves.hold(uow, of)  # whoever takes it from them waits, and sees what they wrote
    este = Este(uow.scope.tenant_id, foi_dado=of is not None and await avaliacoes.is_given(uow, person.id, of))
    if of is not None and await calibracoes.is_waiting(uow, person.id, of):
        raise ProjetoEmEspera(
            "Antes, todas as pessoas deste edital avaliam os mesmos projetos, para acertar a régua. Este abre quando todas tiverem enviado "
            "os projetos em comum, ou quando a gestão do edital abrir os demais."
        )
    if guardado is None or of is None or not may(uow.scope.sujeito, "triagem.avaliar", este):
        raise ProjetoNotFound(
            "Não há projeto com este código entre os que foram dados a você. Confira o código, ou fale com a gestão do edital."
        )
    return guardado, of
