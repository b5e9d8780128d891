"""Use cases of whoever says who judges an edital: see how far each has come, bring somebody in, take projects from them.

What somebody wrote is never lost. Drafts count for nothing, as ever; notas that were sent count on unless whoever takes the project says
that they no longer do, and then they are drafts again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, get_args
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access import SemPermissao, Usuario, acting_usuario, asks, find_usuario, get_pessoa, list_usuarios, names_of_usuarios
from crivo.kernel.clock import Clock
from crivo.kernel.errors import Problem
from crivo.kernel.linguagem.dobra import fold
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.distribuicao.guardados import AtoDeDistribuicao, ComoFicam, DestinoDasNotas, Par, QuemJulga, Tiradas
from crivo.triagem.edital import Avaliador, Criterio, Edital
from crivo.triagem.erros import AvaliadorNotFound, DistribuicaoInvalida, ProjetoNotFound
from crivo.triagem.impedidos import causa_of
from crivo.triagem.ja_feito import COMISSAO
from crivo.triagem.palavras import count
from crivo.triagem.seladas import AVALIACOES
from crivo.triagem.storage import atribuicoes, avaliacoes, calibracoes, decisoes, editais, julgadores, projetos, registros, sorteios
from crivo.triagem.storage.editais import EditalGuardado

SHORTEST_REASON: Final = 5
LONGEST_REASON: Final = 2_000
MOST_ACTS: Final = 50
_DESTINOS: Final[tuple[DestinoDasNotas, ...]] = get_args(DestinoDasNotas)


@dataclass(frozen=True, slots=True)
class Equipe:
    """Who judges an edital, its categorias, who else could judge, and the last acts by which projects were given, with names by id.

    `sementes` are those of the acts that were draws. `sem_ninguem` projects in force were given to nobody.
    """

    edital: Edital
    pessoas: tuple[QuemJulga, ...]
    categorias: tuple[str, ...]
    disponiveis: tuple[Usuario, ...]
    atos: tuple[AtoDeDistribuicao, ...]
    nomes: dict[UUID, str]
    projetos: int
    sem_ninguem: int
    sementes: Mapping[UUID, str]
    criterios: tuple[Criterio, ...]


class QuemAvalia:
    """The people who judge a tenant's editais."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.acompanhar")
    async def equipe(self, scope: Scope, edital_id: str) -> Equipe:
        """Who judges an edital. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            judges, counts = await julgadores.judges_of_edital(uow, guardado.id), await atribuicoes.counts_of(uow, guardado.id)
            acts = await atribuicoes.acts_of(uow, guardado.id, MOST_ACTS)
            there = {one.id for one in judges}
            by = {one.lembrado_por for one in counts.values() if one.lembrado_por} | {one.feito_por for one in acts}
            nomes = dict(await names_of_usuarios(uow, by))
            total, alone = await atribuicoes.count_alone(uow, guardado.id)
            return Equipe(
                guardado.edital,
                tuple([_quem(one, counts.get(one.id, ComoFicam()), nomes) for one in judges]),
                await _categorias(uow, guardado),
                tuple(
                    [one for one in await list_usuarios(uow) if _judges(uow, one) and one.id not in there and one.email != COMISSAO.email]
                ),
                acts,
                nomes,
                total,
                alone,
                await sorteios.sementes_of(uow, [one.id for one in acts]),
                tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)]),
            )

    @asks("triagem.acompanhar")
    async def projetos(self, scope: Scope, edital_id: str, avaliador: UUID) -> tuple[Par, ...]:
        """What of an edital was given to one who judges it. Raises EditalNotFound, AvaliadorNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            await _require_judge(uow, guardado, avaliador)
            return await atribuicoes.of_person(uow, guardado.id, avaliador)

    @asks("triagem.distribuir")
    async def incluir(self, scope: Scope, edital_id: str, avaliador: UUID | str) -> UUID:
        """Have a person of the organisation, by their id or e-mail, judge an edital: their id. No project is given by that.

        Raises SemPermissao unless a person is acting; EditalNotFound; AvaliadorNotFound for nobody of this organisation;
        DistribuicaoInvalida where they are there already, or may not judge.
        """
        async with self._database.unit_of_work(scope) as uow:
            await acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id, lock=True)
            quem = await _find(uow, avaliador)
            if not _judges(uow, quem):
                raise DistribuicaoInvalida(
                    f"{quem.nome} não pode avaliar: o acesso foi retirado, ou o papel não é o de quem avalia. "
                    "Quem administra muda isso em Pessoas e papéis."
                )
            if quem.id in await julgadores.hold(uow, guardado.id, [quem.id]):
                raise DistribuicaoInvalida(f"{quem.nome} já avalia este edital.")
            await julgadores.add(uow, guardado.id, quem.id, Avaliador(quem.nome, quem.email))
            dados = {"avaliador": str(quem.id)}
            await registros.note(uow, self._new_id(), self._clock.now(), "avaliador.incluido", edital_id, "edital", str(guardado.id), dados)
            return quem.id

    @asks("triagem.distribuir")
    async def mudar_categorias(self, scope: Scope, edital_id: str, avaliador: UUID, categorias: Sequence[str]) -> tuple[str, ...]:
        """Have one who judges keep to these categorias in draws, as the edital and its projects spell them; none: all.

        Raises SemPermissao unless a person is acting; EditalNotFound, AvaliadorNotFound; DistribuicaoInvalida for one that no project and
        not the edital has.
        """
        async with self._database.unit_of_work(scope) as uow:
            await acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id, lock=True)
            await _require_judge(uow, guardado, avaliador)
            known = {fold(one): one for one in await _categorias(uow, guardado)}
            unknown = [one for one in categorias if fold(one) not in known]
            if unknown:
                said = f"Nenhum projeto deste edital é da categoria {unknown[0][:100]}. Escolha entre as que há."
                raise DistribuicaoInvalida(said, [Problem(said, "categorias")])
            chosen = tuple(dict.fromkeys([known[fold(one)] for one in categorias]))
            await julgadores.keep_to(uow, guardado.id, avaliador, chosen)
            dados = {"categorias": list(chosen)}
            await registros.note(
                uow, self._new_id(), self._clock.now(), "avaliador.categorias", edital_id, "usuario", str(avaliador), dados
            )
            return chosen

    @asks("triagem.distribuir")
    async def tirar(
        self, scope: Scope, edital_id: str, avaliador: UUID, codigos: Sequence[str] | None, motivo: str = "", notas: str = "contam"
    ) -> Tiradas:
        """Take projects from one who judges; without `codigos` all of them, and the person out of the edital.

        Where notas of some were sent a reason is needed, and `notas` says whether they count on (`contam`) or are drafts again
        (`nao_contam`). Raises SemPermissao unless a person is acting; EditalNotFound, AvaliadorNotFound; ProjetoNotFound for one that they
        do not have; DistribuicaoInvalida.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            theirs = await atribuicoes.of_person(uow, guardado.id, avaliador)
            await decisoes.lock(uow, guardado.id, [one.codigo for one in theirs])  # before people, as whoever gives; nobody writes of them
            await _require_judge(uow, guardado, avaliador)
            chosen = _chosen(await atribuicoes.of_person(uow, guardado.id, avaliador), codigos)
            sent = [one for one in chosen if one.notas]
            given, destino = _read_motivo(motivo, needed=bool(sent)), _read_destino(notas)
            await self._take(uow, guardado, person, chosen, given, destino)
            if codigos is None:
                await julgadores.remove(uow, guardado.id, avaliador)
                dados = {"avaliador": str(avaliador)}
                await registros.note(uow, self._new_id(), self._clock.now(), "avaliador.saiu", edital_id, "edital", str(guardado.id), dados)
            return Tiradas(len(chosen), len(sent), codigos is None)

    async def _take(
        self, uow: UnitOfWork, guardado: EditalGuardado, person: Usuario, chosen: Sequence[Par], motivo: str, destino: DestinoDasNotas
    ) -> None:
        if not chosen:
            return
        now, reopened = self._clock.now(), dict[UUID, dict[str, str]]()
        if destino == "nao_contam":
            for one in chosen:
                if one.notas:
                    before = await audit.read_seals(uow, AVALIACOES, {"projeto_id": one.projeto, "avaliador_id": one.avaliador})
                    await avaliacoes.reopen(uow, one.projeto, one.avaliador)
                    reopened[one.projeto] = audit.changed(before, {})
        tiradas = [(self._new_id(), one.projeto, destino if one.notas else "nenhuma") for one in chosen]
        seals = await atribuicoes.note_taken(uow, chosen[0].avaliador, tiradas, motivo, person.id, now)
        await atribuicoes.take(uow, [(one.avaliador, one.projeto) for one in chosen])
        await calibracoes.open_where_all_sent(uow, guardado.id, now)  # who owed the last notas of a round may be gone
        notes = []
        for one, (_, _, kept) in zip(chosen, tiradas, strict=True):
            told = {"projeto": one.codigo, "avaliador": str(one.avaliador), "notas": kept}
            selos = {**seals[one.projeto], **reopened.get(one.projeto, {})}
            notes.append((self._new_id(), str(one.projeto), {**told, audit.DIGESTS: selos}))
        await registros.note_all(uow, now, "projeto.tirado", guardado.edital.id, "projeto", notes)


async def acting_manager(uow: UnitOfWork) -> Usuario:
    """Who gives projects, takes them or reminds of them. Raises SemPermissao unless a person is acting."""
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada diz quem avalia o quê. Entre com o seu usuário.")
    return person


async def _categorias(uow: UnitOfWork, guardado: EditalGuardado) -> tuple[str, ...]:
    """Those of the edital, and those that projects say beside, each spelt once."""
    said = [*guardado.edital.categorias, *sorted(await projetos.categorias_of(uow, guardado.id))]
    found: dict[str, str] = {}
    for one in said:
        if one.strip():
            found.setdefault(fold(one), one)
    return tuple(found.values())


def _judges(uow: UnitOfWork, usuario: Usuario) -> bool:
    """Whether a person's role is one that judges, and they are let in; whether they came in once already is another matter."""
    return (
        usuario.email != COMISSAO.email
        and causa_of(uow.scope.tenant_id, usuario.id, usuario.papel, retirado=usuario.desativado_em is not None, entra=True) is None
    )


async def _find(uow: UnitOfWork, avaliador: UUID | str) -> Usuario:
    if isinstance(avaliador, UUID):
        return await get_pessoa(uow, avaliador)
    found = await find_usuario(uow, avaliador)
    if found is None:
        raise AvaliadorNotFound("Ninguém da organização tem este e-mail. Confira-o, ou peça a quem administra que convide a pessoa.")
    return found


async def _require_judge(uow: UnitOfWork, guardado: EditalGuardado, avaliador: UUID) -> None:
    if avaliador not in await julgadores.hold(uow, guardado.id, [avaliador]):
        raise AvaliadorNotFound("Esta pessoa não avalia este edital. Volte à lista de quem avalia e confira.")


def _chosen(theirs: Sequence[Par], codigos: Sequence[str] | None) -> list[Par]:
    if codigos is None:
        return list(theirs)
    if not codigos:
        raise DistribuicaoInvalida("Marque ao menos um projeto para tirar.")
    asked = set(codigos)
    lacking = sorted(asked - {one.codigo for one in theirs})
    if lacking:
        said = count(len(lacking), "projeto não está", "projetos não estão")
        raise ProjetoNotFound(f"{said} com esta pessoa: {', '.join(lacking[:5])}. Nada foi tirado; abra a lista de novo.")
    return [one for one in theirs if one.codigo in asked]


def _read_motivo(motivo: str, *, needed: bool) -> str:
    given = motivo.strip()
    if len(given) > LONGEST_REASON or "\0" in given:
        said = f"O motivo deve ter até {LONGEST_REASON} caracteres."
    elif needed and len(given) < SHORTEST_REASON:
        said = "Escreva o motivo: há notas enviadas nestes projetos, e quem depois conferir vai querer saber por quê."
    else:
        return given
    raise DistribuicaoInvalida(said, [Problem(said, "motivo")])


def _read_destino(notas: str) -> DestinoDasNotas:
    found = next((one for one in _DESTINOS if one == notas), None)
    if found is None:
        said = "Escolha se as notas enviadas continuam contando ou não."
        raise DistribuicaoInvalida(said, [Problem(said, "notas")])
    return found


def _quem(one: julgadores.Julgador, como: ComoFicam, nomes: dict[UUID, str]) -> QuemJulga:
    return QuemJulga(
        one.id,
        one.avaliador.nome,
        one.avaliador.email,
        como.projetos,
        como.projetos - como.rascunhos - como.enviadas,
        como.rascunhos,
        como.enviadas,
        como.lembrado_em,
        nomes.get(como.lembrado_por) if como.lembrado_por else None,
        None if one.apagada else one.causa,
        one.avaliador.categorias,
    )
