"""Use cases of whoever answers recursos: the list, one with all that was decided, what an answer would do, giving it, and taking it back.

Source: design, After the notas (Recursos); decision 0066.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final
from uuid import UUID

import msgspec

from crivo.kernel import audit
from crivo.kernel.access import Este, SemPermissao, Usuario, asks, list_usuarios, may, names_of_usuarios
from crivo.kernel.cartas import Correio
from crivo.kernel.clock import Clock
from crivo.kernel.storage.patience import PATIENT
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.sujeitos import Pessoa
from crivo.kernel.tenancy import Scope
from crivo.triagem.atos import people_of
from crivo.triagem.classificacao.concorrencia import campos_of
from crivo.triagem.edital import Criterio, Projeto
from crivo.triagem.erros import NadaADesfazer
from crivo.triagem.guardados import Avaliacao, Cabecalho, DecisaoHabilitacao
from crivo.triagem.habilitacao.condicoes import declared
from crivo.triagem.lugares import Carregada, load_concorrencia
from crivo.triagem.palavras import shown
from crivo.triagem.recursos.cartas import answer_key, answering, reachable, undoing, undone_key
from crivo.triagem.recursos.contratos import PROVIDOS, NotaRevista, Proposta, Recurso, Redecidida, Resposta, people_in
from crivo.triagem.recursos.efeito import Efeito, effect
from crivo.triagem.recursos.erros import EfeitoMudou, RecursoJaRespondido, RecursoNotFound, RespostaDeQuemDecidiu, RespostaInvalida
from crivo.triagem.recursos.peticoes import acting_person, deadline, door_address
from crivo.triagem.recursos.prazo import Prazo
from crivo.triagem.recursos.proposta import checked, checked_undoing
from crivo.triagem.recursos.quem import Decidiram, Impedimento, impediment
from crivo.triagem.seladas import AVALIACOES, NOTA_REVISOES, RESPOSTAS_DE_RECURSOS
from crivo.triagem.storage import avaliacoes, chaves, decisoes, editais, execucoes, projetos, publicadas, recursos, registros, revisoes
from crivo.triagem.storage.decisoes import Nova, Posicao, Tomada
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.recursos import NovaResposta
from crivo.triagem.storage.revisoes import NotaEmVigor, Revisao
from crivo.triagem.titular import titular_of

_LONGEST_DECISION: Final = 2_000
_WHY_NOT: Final[Mapping[Impedimento, str]] = {
    "decidiu_habilitacao": "Você decidiu a habilitação deste projeto.",
    "deu_nota": "Você deu notas a este projeto.",
    "reviu_nota": "Você já reviu notas deste projeto ao responder outro recurso.",
}


@dataclass(frozen=True, slots=True)
class Listados:
    """The recursos of an edital, each project by its code, who these people are, and the days in which recursos are taken."""

    edital_nome: str
    prazo: Prazo
    agora: datetime
    recursos: tuple[Recurso, ...]
    cabecalhos: Mapping[str, Cabecalho]
    nomes: Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class RecursoAberto:
    """A recurso with what was decided of its project and by whom.

    `impedimento` says why whoever looks may not answer it, None where they may; `quem_pode` are the names of those who may. `corrigiveis`
    are the declared fields that the rules ask for, with what is declared. `pode_desfazer` only while it is answered.
    """

    edital_nome: str
    recurso: Recurso
    projeto: Projeto
    apagado: bool
    criterios: tuple[Criterio, ...]
    decisao: DecisaoHabilitacao | None
    notas: tuple[Avaliacao, ...]
    revisoes: tuple[Revisao, ...]
    impedimento: str
    redecide: bool
    quem_pode: tuple[str, ...]
    corrigiveis: Mapping[str, str]
    pode_desfazer: bool
    nomes: Mapping[UUID, str]


@dataclass(frozen=True, slots=True)
class PreviaDeResposta:
    """What an answer would do. `efeito` is None where the edital does not say how notas become places.

    `visto` says, when the answer is given, that this is what was seen.
    """

    recurso: Recurso
    proposta: Proposta
    efeito: Efeito | None
    cabecalhos: Mapping[str, Cabecalho]
    nomes: Mapping[UUID, str]
    visto: str


@dataclass(frozen=True, slots=True)
class _Pronta:
    """An answer that may be given, and all that it touches, as it stands."""

    guardado: EditalGuardado
    recurso: Recurso
    projeto_id: UUID
    posicao: Posicao
    notas: tuple[NotaEmVigor, ...]
    proposta: Proposta
    efeito: Efeito | None
    visto: str


class Recursos:
    """Recursos as they are answered: by a person other than the one who decided, who sees what the answer does before it counts."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID], correio: Correio, endereco: str) -> None:
        """`endereco` is where the pages are reached, without a slash at its end."""
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._correio = correio
        self._endereco = endereco

    @asks("triagem.acompanhar")
    async def listar(self, scope: Scope, edital_id: str) -> Listados:
        """The recursos of an edital, in the order in which they came. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            found = await recursos.list_of(uow, guardado.id)
            named = await projetos.cabecalhos_of(uow, guardado.id, {one.projeto_id for one in found})
            now = self._clock.now()
            prazo = await deadline(uow, guardado, now)
            nomes = await names_of_usuarios(uow, people_in(found))
            return Listados(guardado.edital.nome, prazo, now, found, named, nomes)

    @asks("triagem.acompanhar")
    async def abrir(self, scope: Scope, edital_id: str, numero: int) -> RecursoAberto:
        """A recurso. Raises EditalNotFound, RecursoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            recurso = await get_recurso(uow, guardado, numero)
            of = await _project_of(uow, guardado, recurso)
            kept = await projetos.load_one(uow, of)
            decisao = (await decisoes.decisions_of(uow, guardado.id, [of])).get(recurso.projeto_id)
            notas = tuple([one for one in await avaliacoes.list_of(uow, guardado.id, [of]) if one.enviada_em is not None])
            revistas = await revisoes.of_project(uow, of)
            decidiram = await revisoes.decidiram(uow, of)
            person = await _looking(uow)
            why = impediment(recurso.contra, person, decidiram) if person else None
            people = people_in([recurso]) | people_of([decisao]) | {one.avaliador for one in notas} | {one.revista_por for one in revistas}
            return RecursoAberto(
                guardado.edital.nome,
                recurso,
                kept.projeto,
                kept.apagado,
                tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)]),
                decisao,
                notas,
                revistas,
                _WHY_NOT[why] if why else "",
                person is not None and impediment(recurso.contra, person, decidiram, redecide=True) is None,
                await _who_may(uow, recurso, decidiram),
                _correctable(guardado, kept.projeto),
                await _may_take_back(uow, guardado, recurso),
                await names_of_usuarios(uow, people),
            )

    @asks("triagem.responder_recursos")
    async def prever(self, scope: Scope, edital_id: str, numero: int, proposta: Proposta) -> PreviaDeResposta:
        """What an answer would do, every rule counted again. Raises as `responder`, but for EfeitoMudou."""
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            person = await acting_person(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            return await self._foreseen(uow, await self._ready(uow, guardado, numero, proposta, person))

    @asks("triagem.responder_recursos")
    async def responder(self, scope: Scope, edital_id: str, numero: int, proposta: Proposta, visto: str) -> Recurso:
        """Give an answer as it was foreseen, in one transaction: all that it changes, or nothing.

        `visto` is that of the preview. Raises SemPermissao unless a person is acting; EditalNotFound, RecursoNotFound;
        RespostaDeQuemDecidiu of whoever decided what is contested; RecursoJaRespondido; RespostaInvalida, with its field; EfeitoMudou
        where anything is no longer what was seen.
        """
        async with self._database.within(PATIENT).unit_of_work(scope) as uow:
            person = await acting_person(uow)
            guardado = await editais.get_by_codigo(uow, edital_id, lock=True)  # no result is published meanwhile
            pronta = await self._ready(uow, guardado, numero, proposta, person, hold=True)
            if pronta.visto != visto:
                raise EfeitoMudou(
                    "Nada foi gravado: notas, decisões ou a própria lista mudaram desde a prévia. Veja o antes e o depois de agora "
                    "e confirme de novo."
                )
            return await self._give(uow, pronta, person)

    @asks("triagem.responder_recursos")
    async def desfazer(self, scope: Scope, edital_id: str, numero: int, motivo: str) -> Recurso:
        """Take an answer back, with all that it changed, while no result was published after it; whoever made the recurso is told why.

        Raises SemPermissao unless whoever answered is acting, or somebody who administers; EditalNotFound, RecursoNotFound;
        NadaADesfazer where something came after it, and what; RespostaInvalida where the reason says too little.
        """
        why = checked_undoing(motivo)
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_person(uow)
            guardado = await editais.get_by_codigo(uow, edital_id, lock=True)
            recurso = await get_recurso(uow, guardado, numero)
            resposta = recurso.resposta
            if resposta is None:
                raise NadaADesfazer("Este recurso não tem resposta em vigor: não há o que desfazer.")
            if not _theirs(uow, resposta, person):
                raise SemPermissao("Só quem respondeu, ou quem administra, desfaz esta resposta.")
            if await _published_since(uow, guardado, resposta):
                raise NadaADesfazer("Um resultado já foi publicado depois desta resposta: ela faz parte dele e não se desfaz mais.")
            await self._take_back(uow, guardado, recurso, resposta, why, person)
            return await get_recurso(uow, guardado, numero)

    async def _ready(
        self, uow: UnitOfWork, guardado: EditalGuardado, numero: int, proposta: Proposta, person: Usuario, *, hold: bool = False
    ) -> _Pronta:
        recurso = await get_recurso(uow, guardado, numero)
        if recurso.resposta is not None:
            nomes = await names_of_usuarios(uow, [recurso.resposta.respondido_por])
            quem = nomes.get(recurso.resposta.respondido_por) or "Alguém que não está mais aqui"
            raise RecursoJaRespondido(f"{quem} já respondeu a este recurso. Abra-o de novo para ver a resposta.")
        of = await _project_of(uow, guardado, recurso)
        if hold:
            await decisoes.lock(uow, guardado.id, [recurso.projeto_id])
        await _require_other(uow, recurso, of, person, proposta)
        last = await execucoes.find_last_finished(uow, guardado.id)
        stands = await decisoes.standing(uow, guardado.id, last.id if last else None, [recurso.projeto_id])
        posicao, notas = stands[recurso.projeto_id], await revisoes.standing(uow, of)
        kept = await projetos.load_one(uow, of)
        if kept.apagado:
            raise RespostaInvalida("Os dados deste projeto foram apagados a pedido: não há mais o que responder.")
        if posicao.retirado and proposta.desfecho in PROVIDOS:
            raise RespostaInvalida("Este projeto não está mais no edital: nada nele pode mudar.", campo="desfecho")
        criterios = {one.criterio.id: one.criterio for one in await editais.criterios_of(uow, guardado.id)}
        of_rules = _correctable(guardado, kept.projeto)
        read = checked(proposta, posicao.decisao.decisao if posicao.decisao else None, notas, criterios, of_rules)
        regras, efeito = guardado.edital.classificacao, None
        if regras is not None:
            carregada: Carregada = await load_concorrencia(uow, guardado, regras)
            efeito = await asyncio.to_thread(effect, carregada.concorrencia, recurso.projeto_id, read)
        return _Pronta(guardado, recurso, of, posicao, notas, read, efeito, _seen(read, posicao, notas, efeito))

    async def _foreseen(self, uow: UnitOfWork, pronta: _Pronta) -> PreviaDeResposta:
        movimentos = pronta.efeito.movimentos if pronta.efeito else ()
        codigos = [pronta.recurso.projeto_id, *(one.projeto_id for one in movimentos)]
        named = await projetos.cabecalhos_of(uow, pronta.guardado.id, codigos)
        nomes = await names_of_usuarios(uow, {one.avaliador for one in pronta.notas})
        return PreviaDeResposta(pronta.recurso, pronta.proposta, pronta.efeito, named, nomes, pronta.visto)

    async def _give(self, uow: UnitOfWork, pronta: _Pronta, person: Usuario) -> Recurso:
        now, resposta_id = self._clock.now(), self._new_id()
        proposta, recurso, edital_id = pronta.proposta, pronta.recurso, pronta.guardado.edital.id
        posse = await chaves.hold(uow, pronta.projeto_id)
        if posse.dona is None:
            raise RespostaInvalida("Os dados deste projeto foram apagados a pedido: não há mais o que responder.")
        ato = await self._decide_again(uow, pronta, person, now)
        nova = NovaResposta(
            id=resposta_id,
            recurso_id=recurso.id,
            desfecho=proposta.desfecho,
            motivo=proposta.motivo,
            mudancas=proposta.mudancas,
            ato=ato,
            versao=await _last_version(uow, pronta.guardado),
            por=person.id,
            em=now,
        )
        await recursos.answer(uow, nova, posse.dona)
        selos = await self._revise(uow, pronta, resposta_id, person, now)
        selos |= await audit.read_seals(uow, RESPOSTAS_DE_RECURSOS, {"id": resposta_id})
        dados = {"projeto": recurso.projeto_id, "numero": recurso.numero, "desfecho": proposta.desfecho, audit.DIGESTS: selos}
        await registros.note(uow, self._new_id(), now, "recurso.respondido", edital_id, "recurso", str(recurso.id), dados)
        return await self._tell(uow, pronta, now)

    async def _tell(self, uow: UnitOfWork, pronta: _Pronta, now: datetime) -> Recurso:
        """Leave the letter that says that there is an answer, where there is an address; the recurso as it stands."""
        recurso, guardado = await get_recurso(uow, pronta.guardado, pronta.recurso.numero), pronta.guardado
        projeto = (await projetos.load_one(uow, pronta.projeto_id)).projeto
        para = reachable(projeto.proponente.email)
        if para and recurso.resposta is not None and not pronta.posicao.retirado:
            onde = await door_address(uow, self._endereco, guardado.id, pronta.projeto_id, now)
            carta = answering(para, guardado.edital.nome, shown(projeto.titulo), recurso, recurso.resposta, onde)
            key = answer_key(recurso.resposta.id)
            await self._correio.post(uow, carta, now, chave=key, cpf=titular_of(projeto.proponente).cpf)
        return recurso

    async def _decide_again(self, uow: UnitOfWork, pronta: _Pronta, person: Usuario, now: datetime) -> UUID | None:
        """The act by which the habilitação is decided anew, as any other; None where it is not."""
        nova = next((one for one in pronta.proposta.mudancas if isinstance(one, Redecidida)), None)
        if nova is None:
            return None
        of, ato_id = pronta.posicao, self._new_id()
        motivo = f"Recurso nº {pronta.recurso.numero}: {pronta.proposta.motivo}"[:_LONGEST_DECISION]
        tomada = Tomada(ato_id, nova.situacao, motivo, person.id, now)
        replaced = Nova(of.id, of.sugestao, self._new_id() if of.decisao else None)
        seals = await decisoes.keep(uow, pronta.guardado.id, tomada, [replaced])
        told = {"decisao": nova.situacao, "ato": str(ato_id), "recurso": pronta.recurso.numero, "sugestao": of.sugestao}
        notes = [(self._new_id(), str(of.id), {**told, "projeto": of.codigo, audit.DIGESTS: seals[of.id]})]
        await registros.note_all(uow, now, "habilitacao.decidida", pronta.guardado.edital.id, "projeto", notes)
        return ato_id

    async def _revise(self, uow: UnitOfWork, pronta: _Pronta, resposta_id: UUID, person: Usuario, now: datetime) -> dict[str, str]:
        """The seals of notas that give way, and of the rows that keep them."""
        stands = {(one.criterio, one.avaliador): one for one in pronta.notas}
        asked = [one for one in pronta.proposta.mudancas if isinstance(one, NotaRevista)]
        if not asked:
            return {}
        before = await audit.read_seals(uow, AVALIACOES, {"projeto_id": pronta.projeto_id})
        novas = [(self._new_id(), stands[one.criterio, one.avaliador], one.nota) for one in asked]
        await revisoes.revise(uow, pronta.projeto_id, resposta_id, novas, person.id, now)
        selos = audit.changed(before, await audit.read_seals(uow, AVALIACOES, {"projeto_id": pronta.projeto_id}))
        return selos | await audit.read_seals(uow, NOTA_REVISOES, {"resposta_id": resposta_id})

    async def _take_back(
        self, uow: UnitOfWork, guardado: EditalGuardado, recurso: Recurso, resposta: Resposta, motivo: str, person: Usuario
    ) -> None:
        now, of = self._clock.now(), await _project_of(uow, guardado, recurso)
        await decisoes.lock(uow, guardado.id, [recurso.projeto_id])
        posse = await chaves.hold(uow, of)
        if posse.dona is None:
            raise NadaADesfazer("Os dados deste projeto foram apagados a pedido: a resposta fica como está.")
        if resposta.ato is not None:
            await self._undo_decision(uow, guardado, recurso, resposta.ato, person, now)
        revistas = [one for one in await revisoes.of_project(uow, of) if one.resposta == resposta.id]
        if any(not one.em_vigor for one in revistas):
            raise NadaADesfazer("Notas que esta resposta reviu mudaram de novo depois dela: desfazê-la apagaria o que veio depois.")
        stands = {one.revisao: one for one in await revisoes.standing(uow, of)}
        before = await audit.read_seals(uow, AVALIACOES, {"projeto_id": of})
        await revisoes.put_back(uow, of, [(one, stands[one.id]) for one in revistas])
        await recursos.take_back(uow, resposta.id, motivo, person.id, now, posse.dona)
        await self._correio.retire(uow, answer_key(resposta.id))
        selos = audit.changed(before, await audit.read_seals(uow, AVALIACOES, {"projeto_id": of}))
        selos |= await audit.read_seals(uow, RESPOSTAS_DE_RECURSOS, {"id": resposta.id})
        dados = {"projeto": recurso.projeto_id, "numero": recurso.numero, audit.DIGESTS: selos}
        edital_id = guardado.edital.id
        await registros.note(uow, self._new_id(), now, "recurso.resposta_desfeita", edital_id, "recurso", str(recurso.id), dados)
        await self._tell_undone(uow, guardado, recurso, resposta, of, now)

    async def _tell_undone(
        self, uow: UnitOfWork, guardado: EditalGuardado, recurso: Recurso, resposta: Resposta, of: UUID, now: datetime
    ) -> None:
        """Leave the letter that says that the answer is in force no more; also where its own letter had not gone: the page showed it."""
        projeto = (await projetos.load_one(uow, of)).projeto
        para = reachable(projeto.proponente.email)
        if para and await projetos.find_id(uow, guardado.id, recurso.projeto_id) is not None:
            onde = await door_address(uow, self._endereco, guardado.id, of, now)
            carta = undoing(para, guardado.edital.nome, shown(projeto.titulo), recurso, resposta, onde)
            await self._correio.post(uow, carta, now, chave=undone_key(resposta.id), cpf=titular_of(projeto.proponente).cpf)

    async def _undo_decision(
        self, uow: UnitOfWork, guardado: EditalGuardado, recurso: Recurso, ato: UUID, person: Usuario, now: datetime
    ) -> None:
        of = (await decisoes.standing(uow, guardado.id, None, [recurso.projeto_id]))[recurso.projeto_id]
        if of.decisao is None or of.decisao.ato != ato:
            raise NadaADesfazer("A habilitação foi decidida de novo depois desta resposta: desfazê-la apagaria a outra decisão.")
        written, gone = await decisoes.undo(uow, {of.id: self._new_id()}, person.id, now)
        seals = {**written[of.id], **audit.changed(gone.get(of.id, {}), {})}
        told = {"ato": str(ato), "decisao": of.decisao.decisao, "recurso": recurso.numero, "projeto": of.codigo, audit.DIGESTS: seals}
        notes = [(self._new_id(), str(of.id), told)]
        await registros.note_all(uow, now, "habilitacao.desfeita", guardado.edital.id, "projeto", notes)


async def get_recurso(uow: UnitOfWork, guardado: EditalGuardado, numero: int) -> Recurso:
    """The recurso of that number. Raises RecursoNotFound."""
    found = await recursos.list_of(uow, guardado.id, numero=numero)
    if not found:
        raise RecursoNotFound("Não há recurso com este número neste edital. Volte à lista e escolha outro.")
    return found[0]


async def _project_of(uow: UnitOfWork, guardado: EditalGuardado, recurso: Recurso) -> UUID:
    """The project's id, also of one that was withdrawn since."""
    return (await decisoes.standing(uow, guardado.id, None, [recurso.projeto_id]))[recurso.projeto_id].id


async def _looking(uow: UnitOfWork) -> UUID | None:
    sujeito = uow.scope.sujeito
    return sujeito.usuario_id if isinstance(sujeito, Pessoa) else None


async def _require_other(uow: UnitOfWork, recurso: Recurso, of: UUID, person: Usuario, proposta: Proposta) -> None:
    decidiram = await revisoes.decidiram(uow, of)
    redecide = any(isinstance(one, Redecidida) for one in proposta.mudancas)
    why = impediment(recurso.contra, person.id, decidiram, redecide=redecide)
    if why is not None:
        others = ", ".join(await _who_may(uow, recurso, decidiram))
        ask = (
            f"Quem pode responder: {others}."
            if others
            else "Ninguém mais cadastrado pode: peça a quem administra que cadastre outra pessoa."
        )
        raise RespostaDeQuemDecidiu(f"{_WHY_NOT[why]} A resposta é de outra pessoa. {ask}")


async def _who_may(uow: UnitOfWork, recurso: Recurso, decidiram: Decidiram) -> tuple[str, ...]:
    """The names of the people who may answer, whatever the answer is."""
    tenant = uow.scope.tenant_id
    return tuple(
        [
            one.nome
            for one in await list_usuarios(uow)
            if one.desativado_em is None
            and may(Pessoa(tenant, one.id, one.papel), "triagem.responder_recursos", Este(tenant))
            and impediment(recurso.contra, one.id, decidiram) is None
        ]
    )


def _correctable(guardado: EditalGuardado, projeto: Projeto) -> dict[str, str]:
    """The declared fields that bônus, cotas and tie-breaks ask for, with what the project says; its categoria is none of them."""
    regras = guardado.edital.classificacao
    asked = sorted(campos_of(regras) - {"categoria"}) if regras else []
    return {campo: _written(declared(projeto, campo)) for campo in asked}


def _written(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "sim" if value else "não"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _seen(proposta: Proposta, posicao: Posicao, notas: Sequence[NotaEmVigor], efeito: Efeito | None) -> str:
    told = [
        proposta,
        posicao.decisao.versao if posicao.decisao else None,
        [(one.criterio, one.avaliador, str(one.nota), one.revisao) for one in notas],
        efeito.visto if efeito else None,
    ]
    return sha256(msgspec.json.encode(told)).hexdigest()


def _theirs(uow: UnitOfWork, resposta: Resposta, person: Usuario) -> bool:
    return resposta.respondido_por == person.id or may(uow.scope.sujeito, "triagem.desfazer_de_outro", Este(uow.scope.tenant_id))


async def _published_since(uow: UnitOfWork, guardado: EditalGuardado, resposta: Resposta) -> bool:
    return await _last_version(uow, guardado) > resposta.versao


async def _last_version(uow: UnitOfWork, guardado: EditalGuardado) -> int:
    return next((one.versao for one in await publicadas.versions_of(uow, guardado.id)), 0)


async def _may_take_back(uow: UnitOfWork, guardado: EditalGuardado, recurso: Recurso) -> bool:
    resposta, person = recurso.resposta, await _looking(uow)
    if resposta is None or person is None or await _published_since(uow, guardado, resposta):
        return False
    return resposta.respondido_por == person or may(uow.scope.sujeito, "triagem.desfazer_de_outro", Este(uow.scope.tenant_id))
