"""Use cases of what keeps somebody from judging a project: they say so themselves, or whoever manages records it, before or after notas.

The project leaves their list, and notas that were sent count no more; both come back when the impediment is undone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access import Este, SemPermissao, asks, may, names_of_usuarios
from crivo.kernel.access.usuarios import Usuario, acting_usuario
from crivo.kernel.clock import Clock
from crivo.kernel.errors import Problem
from crivo.kernel.sigilo import DadosApagados
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.distribuicao.guardados import Impedimento, NotaQueHavia, Par
from crivo.triagem.distribuicao.pessoas import acting_manager
from crivo.triagem.erros import AvaliadorNotFound, DistribuicaoInvalida, ImpedimentoNotFound, NadaADesfazer, ProjetoNotFound
from crivo.triagem.palavras import count
from crivo.triagem.seladas import AVALIACOES
from crivo.triagem.storage import atribuicoes, avaliacoes, calibracoes, decisoes, editais, impedimentos, julgadores, projetos, registros
from crivo.triagem.storage.editais import EditalGuardado

SHORTEST_REASON: Final = 5
LONGEST_REASON: Final = 2_000
MOST_AT_ONCE: Final = 100
# What stands beside what was taken: why is told under the project's key, and this is not.
_TAKEN_AS: Final = "Impedimento registrado."


@dataclass(frozen=True, slots=True)
class Impedimentos:
    """The impediments of an edital, those undone too, the newest first, and the names of the people in them."""

    lista: tuple[Impedimento, ...]
    nomes: Mapping[UUID, str]


class QuemNaoPode:
    """Who must not judge which project."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.distribuir")
    async def lista(self, scope: Scope, edital_id: str) -> Impedimentos:
        """All of an edital. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            found = await impedimentos.of_edital(uow, (await editais.get_by_codigo(uow, edital_id)).id)
            people = {who for one in found for who in (one.avaliador, one.por, one.desfeito_por) if who is not None}
            return Impedimentos(found, await names_of_usuarios(uow, people))

    @asks("triagem.distribuir")
    async def registrar(self, scope: Scope, edital_id: str, avaliador: UUID, codigos: Sequence[str], motivo: str) -> int:
        """Record that somebody must not judge these projects, whether they have them or not; of how many projects notas count no more.

        Raises SemPermissao unless a person is acting; EditalNotFound, AvaliadorNotFound, ProjetoNotFound; DistribuicaoInvalida, also
        where one of them is recorded already.
        """
        given, asked = _read_motivo(motivo), tuple(dict.fromkeys(codigos))
        if not asked or len(asked) > MOST_AT_ONCE:
            told = f"Diga ao menos um projeto, e até {MOST_AT_ONCE} de uma vez."
            raise DistribuicaoInvalida(told, [Problem(told, "codigos")])
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            await decisoes.lock(uow, guardado.id, asked)
            if avaliador not in await julgadores.hold(uow, guardado.id, [avaliador]):
                raise AvaliadorNotFound("Esta pessoa não avalia este edital. Volte à lista de quem avalia e confira.")
            return await self._record(uow, guardado, avaliador, asked, given, person)

    @asks("triagem.avaliar")
    async def declarar(self, scope: Scope, edital_id: str, projeto_id: str, motivo: str) -> bool:
        """Say of oneself that one must not judge a project that one has; whether notas were sent, which count no more.

        Raises SemPermissao where no person acts; ProjetoNotFound for one that they do not have; DistribuicaoInvalida.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_usuario(uow)
            if person is None:
                raise SemPermissao("Só a própria pessoa declara que não pode avaliar. Entre com o seu usuário.")
            guardado = await editais.find(uow, edital_id)
            if guardado is not None:
                await decisoes.lock(uow, guardado.id, [projeto_id])
            theirs = () if guardado is None else await atribuicoes.of_person(uow, guardado.id, person.id)
            given = any(one.codigo == projeto_id for one in theirs)
            if guardado is None or not may(uow.scope.sujeito, "triagem.avaliar", Este(uow.scope.tenant_id, foi_dado=given)):
                raise ProjetoNotFound("Não há projeto com este código entre os que foram dados a você. Confira o código.")
            return bool(await self._record(uow, guardado, person.id, [projeto_id], _read_motivo(motivo), person))

    @asks("triagem.distribuir")
    async def desfazer(self, scope: Scope, edital_id: str, impedimento_id: UUID) -> Impedimento:
        """Put back what an impediment took: the project, and the notas that counted, where they stand as they were.

        Raises SemPermissao unless a person is acting; EditalNotFound, ImpedimentoNotFound; NadaADesfazer where it was undone;
        DistribuicaoInvalida where the person no longer judges the edital.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            found = await impedimentos.find(uow, guardado.id, impedimento_id)
            if found is None:
                raise ImpedimentoNotFound("Não há este impedimento neste edital. Volte à lista e confira.")
            await decisoes.lock(uow, guardado.id, [found.projeto_id])
            there = found.avaliador in await julgadores.hold(uow, guardado.id, [found.avaliador])
            if (found.tirada or found.notas) and not there:
                raise DistribuicaoInvalida(
                    "Esta pessoa não avalia mais este edital, e o projeto voltaria a ela. Ponha-a para avaliar de novo, e desfaça depois."
                )
            now = self._clock.now()
            if not await impedimentos.undo(uow, found.id, person.id, now):
                raise NadaADesfazer("Este impedimento já foi desfeito.")
            where = {"projeto_id": found.projeto, "avaliador_id": found.avaliador}
            before = await audit.read_seals(uow, AVALIACOES, where)
            if found.tirada:
                await atribuicoes.put(uow, [(found.avaliador, found.projeto)])
            if found.notas:
                criterios = {one.criterio.id: one.id for one in await editais.criterios_of(uow, guardado.id)}
                sent = [(criterios[one.criterio], one.nota, one.enviada_em) for one in found.notas if one.criterio in criterios]
                await avaliacoes.put_back(uow, found.projeto, found.avaliador, sent)
            selos = audit.changed(before, await audit.read_seals(uow, AVALIACOES, where))
            dados = {"projeto": found.projeto_id, "avaliador": str(found.avaliador), "impedimento": str(found.id), audit.DIGESTS: selos}
            await registros.note(uow, self._new_id(), now, "impedimento.desfeito", edital_id, "projeto", str(found.projeto), dados)
            return found

    async def _record(
        self, uow: UnitOfWork, guardado: EditalGuardado, avaliador: UUID, codigos: Sequence[str], motivo: str, person: Usuario
    ) -> int:
        ids = {codigo: await projetos.find_id(uow, guardado.id, codigo) for codigo in codigos}
        lacking = [codigo for codigo, of in ids.items() if of is None]
        if lacking:
            told = f"Não há {count(len(lacking), 'projeto com este código', 'projetos com estes códigos')}: {', '.join(lacking[:5])}."
            raise ProjetoNotFound(f"{told} Nada foi registrado.", [Problem(told, "codigos")])
        already = [codigo for codigo, who in await impedimentos.in_force(uow, guardado.id) if who == avaliador and codigo in ids]
        if already:
            told = f"O impedimento desta pessoa já está registrado em {', '.join(sorted(already)[:5])}. Nada mudou."
            raise DistribuicaoInvalida(told, [Problem(told, "codigos")])
        theirs = {one.codigo: one for one in await atribuicoes.of_person(uow, guardado.id, avaliador)}
        now, notes = self._clock.now(), list[tuple[UUID, str, dict[str, object]]]()
        counted = 0
        for codigo, of in ids.items():
            if of is not None:
                dados, had = await self._keep_from(uow, guardado, (codigo, of, avaliador), theirs.get(codigo), motivo, person, now)
                notes.append((self._new_id(), str(of), dados))
                counted += had
        await calibracoes.open_where_all_sent(uow, guardado.id, now)
        await registros.note_all(uow, now, "impedimento.registrado", guardado.edital.id, "projeto", notes)
        return counted

    async def _keep_from(
        self,
        uow: UnitOfWork,
        guardado: EditalGuardado,
        whose: tuple[str, UUID, UUID],
        par: Par | None,
        motivo: str,
        person: Usuario,
        now: datetime,
    ) -> tuple[dict[str, object], bool]:
        """One project and one person; what the audit is told, and whether notas counted until now."""
        codigo, of, avaliador = whose
        notas = tuple(
            [
                NotaQueHavia(one.criterio, one.nota, one.texto, one.enviada_em)
                for one in await avaliacoes.list_of(uow, guardado.id, [of])
                if one.avaliador == avaliador and one.enviada_em is not None
            ]
        )
        selos = dict[str, str]()
        if notas:
            before = await audit.read_seals(uow, AVALIACOES, {"projeto_id": of, "avaliador_id": avaliador})
            await avaliacoes.reopen(uow, of, avaliador)
            selos = audit.changed(before, {})
        kept, tirada_id = "nao_contam" if notas else "nenhuma", None
        if par is not None:
            tirada_id = self._new_id()
            seals = await atribuicoes.note_taken(uow, avaliador, [(tirada_id, of, kept)], _TAKEN_AS, person.id, now)
            await atribuicoes.take(uow, [(avaliador, of)])
            selos |= seals[of]
        novo = Impedimento(self._new_id(), codigo, of, avaliador, motivo, notas, par is not None, person.id, now)
        try:
            await impedimentos.add(uow, novo, tirada_id)
        except DadosApagados:
            raise ProjetoNotFound(f"O projeto {codigo} foi apagado a pedido de quem o enviou. Nada foi registrado.") from None
        told = {"projeto": codigo, "avaliador": str(avaliador), "notas": kept, "declarado": person.id == avaliador, audit.DIGESTS: selos}
        return told, bool(notas)


def _read_motivo(motivo: str) -> str:
    given = motivo.strip()
    if len(given) < SHORTEST_REASON:
        told = "Escreva por que esta pessoa não pode avaliar: quem depois conferir vai querer saber."
    elif len(given) > LONGEST_REASON or "\0" in given:
        told = f"O motivo deve ter até {LONGEST_REASON} caracteres."
    else:
        return given
    raise DistribuicaoInvalida(told, [Problem(told, "motivo")])
