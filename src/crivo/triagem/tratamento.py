"""Use cases of cases: who manages confirms or dismisses them with a reason, owns them, notes on them, and takes back what was decided.

Whoever judges is told of the cases of the projects given to them, but for those about people who judge, and of no other project.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel import audit
from crivo.kernel.access import Este, SemPermissao, asks, may
from crivo.kernel.access.usuarios import Usuario, UsuarioInexistente, acting_usuario, get_pessoa
from crivo.kernel.clock import BRASILIA, Clock
from crivo.kernel.sigilo import Chave
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope
from crivo.triagem.casos.guardados import SITUACOES, Caso, CasoResumido, SituacaoCaso, TipoDito, by_project
from crivo.triagem.edital import EditalNotFound
from crivo.triagem.erros import CasoInvalido, CasoMudou, CasoMudouEmOutraAba, CasoNotFound
from crivo.triagem.palavras import moment
from crivo.triagem.seladas import CASO_DITOS
from crivo.triagem.storage import avaliacoes, caso_ditos, caso_renovacao, casos, editais, registros
from crivo.triagem.storage.caso_ditos import NovoDito
from crivo.triagem.storage.editais import EditalGuardado

SHORTEST_REASON: Final = 5
LONGEST_TEXT: Final = 2_000


@dataclass(frozen=True, slots=True)
class _EmMaos:
    """A case while somebody acts on it, with the keys of its projects that are left."""

    person: Usuario
    guardado: EditalGuardado
    caso: Caso
    donas: Mapping[UUID, Chave]


class Casos:
    """The cases of a tenant's editais. Source: design, The mesa."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID]) -> None:
        self._database = database
        self._clock = clock
        self._new_id = new_id

    @asks("triagem.ver_casos")
    async def listar(self, scope: Scope, edital_id: str, situacao: str | None = None) -> tuple[Caso, ...]:
        """The cases of an edital, the gravest first, those that are gone last; of one situação, or `SUMIDO`. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado, given = await self._reached(uow, edital_id)
            await caso_renovacao.ensure(uow, guardado.id, self._new_id, self._clock.now())
            return _seen(await casos.load(uow, guardado.id, situacao), given)

    @asks("triagem.ver_casos")
    async def abrir(self, scope: Scope, edital_id: str, numero: int) -> Caso:
        """One case. Raises EditalNotFound, CasoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado, given = await self._reached(uow, edital_id)
            await caso_renovacao.ensure(uow, guardado.id, self._new_id, self._clock.now())
            found = await casos.find(uow, guardado.id, numero)
            seen = _seen((found,), given) if found is not None else ()
        if not seen:
            raise _absent()
        return seen[0]

    @asks("triagem.acompanhar")
    async def graves_abertos(self, scope: Scope, edital_id: str) -> int:
        """How many grave cases of an edital wait for somebody to decide them. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            await caso_renovacao.ensure(uow, guardado.id, self._new_id, self._clock.now())
            return await casos.count_grave(uow, guardado.id)

    @asks("triagem.ver_casos")
    async def dos_projetos(self, scope: Scope, edital_id: str, codigos: Sequence[str]) -> Mapping[str, tuple[CasoResumido, ...]]:
        """The cases of some projects in a line each, by the project's code; projects without any are left out. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado, given = await self._reached(uow, edital_id)
            await caso_renovacao.ensure(uow, guardado.id, self._new_id, self._clock.now())
            found = _seen(await casos.of_projects(uow, guardado.id, codigos), given)
        told = by_project(found)
        return {codigo: told[codigo] for codigo in codigos if codigo in told}

    @asks("triagem.tratar_casos")
    async def decidir(self, scope: Scope, edital_id: str, numero: int, situacao: SituacaoCaso, motivo: str, visto: int) -> Caso:
        """Confirm, dismiss or open a case again; `visto` is the `versao` that was before whoever decides. What was said before stays.

        To confirm or dismiss takes a reason. Raises SemPermissao unless a person who manages is acting; EditalNotFound, CasoNotFound;
        CasoInvalido; CasoMudou where somebody decided meanwhile; DadosApagados where none of its projects is left.
        """
        said = _reason(situacao, motivo)
        async with self._database.unit_of_work(scope) as uow:
            at = await self._held(uow, edital_id, numero)
            _require_seen(at.caso, visto, at.person.id)
            if situacao == at.caso.situacao == "aberto":
                raise CasoInvalido("Este caso já está aberto.")
            novo = self._new(at, "decisao", texto=said, versao=at.caso.versao + 1, situacao=situacao)
            return await self._say(uow, at, novo, "caso.decidido", {"situacao": situacao, "antes": at.caso.situacao})

    @asks("triagem.tratar_casos")
    async def desfazer(self, scope: Scope, edital_id: str, numero: int, visto: int) -> Caso:
        """Take back the decision that stands: the one before it stands again. Raises as `decidir`; CasoInvalido where there is none."""
        async with self._database.unit_of_work(scope) as uow:
            at = await self._held(uow, edital_id, numero)
            _require_seen(at.caso, visto, at.person.id)
            if not at.caso.decisoes:
                raise CasoInvalido("Não há decisão a desfazer neste caso.")
            before = at.caso.decisoes[-2:-1]
            situacao: SituacaoCaso = (before[0].situacao if before else None) or "aberto"
            novo = self._new(at, "desfeita", versao=at.caso.versao + 1, situacao=situacao)
            return await self._say(uow, at, novo, "caso.desfeito", {"situacao": situacao, "antes": at.caso.situacao})

    @asks("triagem.tratar_casos")
    async def assumir(self, scope: Scope, edital_id: str, numero: int, dono: UUID | None) -> Caso:
        """Give a case to somebody who manages, or to nobody. Raises as `decidir`; CasoInvalido for somebody who may not treat it."""
        async with self._database.unit_of_work(scope) as uow:
            if dono is not None:
                await _require_manager(uow, dono)
            at = await self._held(uow, edital_id, numero)
            if at.caso.dono == dono:
                return at.caso
            dados = {"dono": None if dono is None else str(dono)}
            return await self._say(uow, at, self._new(at, "dono", dono=dono), "caso.assumido", dados)

    @asks("triagem.tratar_casos")
    async def anotar(self, scope: Scope, edital_id: str, numero: int, texto: str) -> Caso:
        """Add a note to a case. Raises as `decidir`; CasoInvalido for an empty or too long one."""
        said = texto.strip()
        if not said:
            raise CasoInvalido("Escreva a anotação antes de guardar.")
        _require_short(said)
        async with self._database.unit_of_work(scope) as uow:
            at = await self._held(uow, edital_id, numero)
            return await self._say(uow, at, self._new(at, "anotacao", texto=said), "caso.anotado", {})

    async def _reached(self, uow: UnitOfWork, edital_id: str) -> tuple[EditalGuardado, Set[str] | None]:
        """The edital, and the projects whose cases may be told: None for all. Raises EditalNotFound, as where nothing of it was given."""
        if may(uow.scope.sujeito, "triagem.ver_casos", Este(uow.scope.tenant_id)):
            return await editais.get_by_codigo(uow, edital_id), None
        person = await acting_usuario(uow)
        guardado = await editais.find(uow, edital_id)
        given = () if person is None else await avaliacoes.atribuicoes_of(uow, person.id)
        theirs = {one.projeto_id for one in given if one.edital_id == edital_id}
        if guardado is None or not theirs:
            raise EditalNotFound("Não há edital com este código entre os que têm projetos dados a você. Confira o código.")
        return guardado, theirs

    async def _held(self, uow: UnitOfWork, edital_id: str, numero: int) -> _EmMaos:
        """Who acts, and a case that nobody else changes meanwhile."""
        person = await acting_usuario(uow)
        if person is None:
            raise SemPermissao("Só uma pessoa cadastrada decide um caso. Entre com o seu usuário.")
        guardado = await editais.get_by_codigo(uow, edital_id)
        await caso_renovacao.ensure(uow, guardado.id, self._new_id, self._clock.now())
        seen = await casos.find(uow, guardado.id, numero)
        if seen is None:
            raise _absent()
        donas = await caso_ditos.hold_keys(uow, guardado.id, seen.projetos)  # projects before cases, as a screening that ends
        await casos.hold(uow, guardado.id, numero)
        found = await casos.find(uow, guardado.id, numero)
        if found is None or found.projetos != seen.projetos:
            raise CasoMudou("Uma triagem terminou agora e mudou este caso. Abra-o de novo antes de decidir.", found or seen)
        return _EmMaos(person, guardado, found, donas)

    def _new(
        self,
        at: _EmMaos,
        tipo: TipoDito,
        *,
        texto: str = "",
        versao: int | None = None,
        situacao: SituacaoCaso | None = None,
        dono: UUID | None = None,
    ) -> NovoDito:
        new_id, now = self._new_id(), self._clock.now()
        return NovoDito(id=new_id, tipo=tipo, por=at.person.id, em=now, texto=texto, versao=versao, situacao=situacao, dono=dono)

    async def _say(self, uow: UnitOfWork, at: _EmMaos, novo: NovoDito, acao: str, dados: Mapping[str, object]) -> Caso:
        """Add it and note it; the case as it is then."""
        caso = at.caso
        await caso_ditos.add(uow, caso, novo, at.donas)
        selos = await audit.read_seals(uow, CASO_DITOS, {"id": novo.id})
        now = await casos.find(uow, at.guardado.id, caso.numero)
        told = {"caso": caso.numero, "projetos": list(caso.projetos), **dados, audit.DIGESTS: selos}
        await registros.note(uow, self._new_id(), novo.em, acao, at.guardado.edital.id, "caso", str(caso.id), told)
        return now or caso


def _seen(found: Sequence[Caso], given: Set[str] | None) -> tuple[Caso, ...]:
    """What may be told of cases where not all projects are given: neither another project, nor what people who manage wrote of it."""
    if given is None:
        return tuple(found)
    return tuple([_apart(one, given) for one in found if not one.velado and given & set(one.projetos)])


def _apart(caso: Caso, given: Set[str]) -> Caso:
    signs = [
        msgspec.structs.replace(sinal, evidencia=tuple([one for one in sinal.evidencia if one.projeto is None or one.projeto in given]))
        for sinal in caso.sinais
        if given >= set(sinal.projetos)
    ]
    theirs = tuple([codigo for codigo in caso.projetos if codigo in given])
    silent = [msgspec.structs.replace(one, texto="", projetos=theirs) for one in caso.historia if one.situacao is not None]
    return msgspec.structs.replace(caso, sinais=tuple(signs), projetos=theirs, historia=tuple(silent))


def _require_seen(caso: Caso, visto: int, person: UUID) -> None:
    last = next((one for one in reversed(caso.historia) if one.situacao is not None), None)
    if caso.versao != visto and last is not None and last.por == person:
        when = moment(last.em.astimezone(BRASILIA))
        raise CasoMudouEmOutraAba(f"Você mexeu neste caso em outra aba, em {when}. Veja como ele ficou antes de decidir de novo.", caso)
    if caso.versao != visto:
        raise CasoMudou("Outra pessoa decidiu este caso depois que você o abriu. Veja o que ela disse antes de decidir.", caso)


def _reason(situacao: str, motivo: str) -> str:
    said = motivo.strip()
    if situacao not in SITUACOES:
        raise CasoInvalido("Escolha confirmar, descartar ou reabrir.")
    _require_short(said)
    if situacao != "aberto" and len(said) < SHORTEST_REASON:
        raise CasoInvalido("Escreva o motivo: ele fica na auditoria, e quem vier depois vai querer saber por quê.")
    return said


def _require_short(said: str) -> None:
    if len(said) > LONGEST_TEXT or "\0" in said:
        raise CasoInvalido(f"O texto deve ter até {LONGEST_TEXT} caracteres.")


async def _require_manager(uow: UnitOfWork, dono: UUID) -> None:
    try:
        person = await get_pessoa(uow, dono)
    except UsuarioInexistente:
        person = None
    tenant = uow.scope.tenant_id
    if (
        person is None
        or person.desativado_em is not None
        or not may(Pessoa(tenant, dono, person.papel), "triagem.tratar_casos", Este(tenant))
    ):
        raise CasoInvalido("Essa pessoa não cuida de editais aqui. Escolha alguém da gestão.")


def _absent() -> CasoNotFound:
    return CasoNotFound("Não há caso com este número neste edital. Volte à lista e escolha outro.")
