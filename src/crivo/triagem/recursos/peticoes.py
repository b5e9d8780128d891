"""Use cases of whoever makes a recurso: by the code of a project, without an account; or on paper, typed in by a person of the agency."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Final
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access import SemPermissao, asks
from crivo.kernel.access.usuarios import Usuario, acting_usuario
from crivo.kernel.cartas import Correio
from crivo.kernel.clock import BRASILIA, Clock
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import InvalidTenant, Scope
from crivo.triagem.classificacao.publicado import LugarPublicado
from crivo.triagem.edital import Criterio, HabilitacaoSugerida
from crivo.triagem.erros import ProjetoNotFound
from crivo.triagem.palavras import day, shown
from crivo.triagem.publicacao.guardados import Publicada, Versao
from crivo.triagem.recursos.cartas import code_key, handing, reachable, receipt_key, receiving
from crivo.triagem.recursos.codigos import read_code
from crivo.triagem.recursos.contratos import Anexo, Contra, Entrada, Papel, Recurso, resumo_of
from crivo.triagem.recursos.erros import CodigoRecusado, ForaDoPrazo, RecursoInvalido
from crivo.triagem.recursos.prazo import Prazo, prazo_of
from crivo.triagem.recursos.recebimento import read_papers, read_text
from crivo.triagem.seladas import RECURSOS
from crivo.triagem.storage import chaves, decisoes, editais, projetos, publicadas, recurso_codigos, recursos, registros
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.storage.recurso_codigos import DoCodigo
from crivo.triagem.storage.recursos import NovoRecurso
from crivo.triagem.titular import titular_of

INSCRITO: Final = "inscrito"
"""The actor of whoever comes in with a project's code."""
MOST_OF_PROJECT: Final = 5  # recursos that one code brings in
SHORTEST_REASON: Final = 10
LONGEST_REASON: Final = 2_000
_WRONG: Final = "Este código não abre nenhum projeto. Confira letra por letra o que você recebeu, ou peça outro a quem cuida do edital."
_CONTRAS: Final[tuple[Contra, ...]] = ("resultado", "habilitacao")


@dataclass(frozen=True, slots=True)
class Porta:
    """What a code opens: the project, what was published and decided of it, the days for recursos, and those that were made.

    `lugar` is as the last published result has it, `publicada`; what answers changed since is not in it. `pode` are what may be contested
    now; empty outside of the days.
    """

    edital_id: str
    edital_nome: str
    orgao: str
    projeto_id: str
    titulo: str
    prazo: Prazo
    agora: datetime
    criterios: tuple[Criterio, ...]
    lugar: LugarPublicado | None
    publicada: Publicada | None
    habilitacao: tuple[HabilitacaoSugerida, str] | None
    pode: tuple[Contra, ...]
    recursos: tuple[Recurso, ...]

    @property
    def versao(self) -> int | None:
        """The number of the last published result."""
        return self.publicada.versao if self.publicada else None


@dataclass(frozen=True, slots=True)
class Digitado:
    """A recurso on paper as a person types it in; `tardio` is why one from outside of the days is taken in."""

    projeto_id: str
    contra: str
    texto: str
    apresentado_em: date
    tardio: str = ""
    papeis: tuple[Anexo, ...] = ()


class Peticoes:
    """Recursos as they come in, and the codes that they come in with."""

    def __init__(self, database: Database, clock: Clock, new_id: Callable[[], UUID], correio: Correio, endereco: str) -> None:
        """`endereco` is where the pages are reached, without a slash at its end."""
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._correio = correio
        self._endereco = endereco

    async def porta(self, tenant_id: str, codigo: str) -> Porta:
        """What a code opens, for whoever has it. Raises CodigoRecusado."""
        async with self._database.unit_of_work(_inscrito(tenant_id)) as uow:
            return await self._door(uow, await _of_code(uow, codigo))

    async def apresentar(self, tenant_id: str, codigo: str, contra: str, texto: str, papeis: Sequence[Anexo] = ()) -> Recurso:
        """Make a recurso of the project of a code; the same sent twice is one, while nobody answered it.

        Raises CodigoRecusado, ForaDoPrazo; RecursoInvalido, with its field.
        """
        async with self._database.unit_of_work(_inscrito(tenant_id)) as uow:
            of = await _of_code(uow, codigo)
            porta = await self._door(uow, of)
            _require_open(porta)
            if contra not in porta.pode:
                raise RecursoInvalido("Escolha contra o que é o recurso.", campo="contra")
            which = next(one for one in _CONTRAS if one == contra)
            given, read = read_text(texto), await asyncio.to_thread(read_papers, papeis)
            await recursos.lock(uow, of.edital_id)
            there = await recursos.list_of(uow, of.edital_id, projeto=of.projeto_id)
            resumo = resumo_of(porta.edital_id, of.codigo, which, given, read)
            same = next((one for one in there if one.aberto and one.resumo == resumo), None)
            if same is not None:
                return same
            if sum(one.entrada == "link" for one in there) >= MOST_OF_PROJECT:
                raise RecursoInvalido(
                    f"Este projeto já apresentou {MOST_OF_PROJECT} recursos por aqui. Para outro, fale com quem cuida do edital."
                )
            now = self._clock.now()
            return await self._keep(uow, of, which, given, papeis, read, ("link", now, None, ""), porta)

    @asks("triagem.registrar_recursos")
    async def registrar(self, scope: Scope, edital_id: str, digitado: Digitado) -> Recurso:
        """Type in a recurso that came on paper; one from outside of the days needs a reason to be taken in, which stays with it.

        Raises SemPermissao unless a person is acting; EditalNotFound, ProjetoNotFound; ForaDoPrazo where no reason is given;
        RecursoInvalido, with its field.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await acting_person(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            of = DoCodigo(await project_id(uow, guardado, digitado.projeto_id), digitado.projeto_id, guardado.id)
            porta = await self._door(uow, of)
            which = next((one for one in _CONTRAS if one == digitado.contra), None)
            if which is None:
                raise RecursoInvalido("Escolha contra o que é o recurso: o resultado ou a habilitação.", campo="contra")
            if which == "habilitacao" and porta.habilitacao is None:
                raise RecursoInvalido("Ninguém decidiu a habilitação deste projeto ainda: não há o que contestar.", campo="contra")
            em, tardio = _typed_at(digitado, porta, self._clock.now())
            given, read = read_text(digitado.texto), await asyncio.to_thread(read_papers, digitado.papeis)
            await recursos.lock(uow, of.edital_id)
            return await self._keep(uow, of, which, given, digitado.papeis, read, ("papel", em, person, tardio), porta)

    @asks("triagem.registrar_recursos")
    async def codigos(self, scope: Scope, edital_id: str) -> Mapping[str, str]:
        """The code of each project in force, in their order; those that had none have one from now on. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            await acting_person(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            now = self._clock.now()
            made = await recurso_codigos.ensure(uow, guardado.id, now)
            told = await recurso_codigos.codes_of(uow, guardado.id)
            dados = {"feitos": made, "projetos": len(told)}
            await registros.note(uow, self._new_id(), now, "recurso.codigos_vistos", edital_id, "edital", str(guardado.id), dados)
            return told

    @asks("triagem.registrar_recursos")
    async def enviar_codigos(self, scope: Scope, edital_id: str) -> int:
        """Leave a letter with its code for each project that has an address; how many. Sent again, of one published result, it is the same.

        Raises EditalNotFound.
        """
        async with self._database.unit_of_work(scope) as uow:
            await acting_person(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            now = self._clock.now()
            await recurso_codigos.ensure(uow, guardado.id, now)
            prazo, versions = await deadline(uow, guardado, now), await publicadas.versions_of(uow, guardado.id)
            codes, posted = await recurso_codigos.codes_of(uow, guardado.id), 0
            ids = await projetos.ids_of(uow, guardado.id)
            for one in await projetos.load_some(uow, [ids[codigo] for codigo in codes if codigo in ids]):
                para, code = reachable(one.projeto.proponente.email), codes[one.projeto.id]
                if para:
                    onde = address_of(self._endereco, scope.tenant_id)
                    carta = handing(para, guardado.edital.nome, shown(one.projeto.titulo), code, onde, prazo)
                    key = code_key(one.id, code, versions[0].versao if versions else 0)
                    await self._correio.post(uow, carta, now, chave=key, cpf=titular_of(one.projeto.proponente).cpf)
                    posted += 1
            dados = {"cartas": posted}
            await registros.note(uow, self._new_id(), now, "recurso.codigos_enviados", edital_id, "edital", str(guardado.id), dados)
            return posted

    @asks("triagem.registrar_recursos")
    async def trocar_codigo(self, scope: Scope, edital_id: str, projeto_id: str) -> str:
        """Another code for a project; the old one opens nothing any more. Raises EditalNotFound, ProjetoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            await acting_person(uow)
            guardado = await editais.get_by_codigo(uow, edital_id)
            of = await project_id(uow, guardado, projeto_id)
            await recursos.lock(uow, guardado.id)
            now = self._clock.now()
            fresh = await recurso_codigos.renew(uow, guardado.id, of, now)
            await registros.note(uow, self._new_id(), now, "recurso.codigo_trocado", edital_id, "projeto", str(of), {"projeto": projeto_id})
            return fresh

    async def _door(self, uow: UnitOfWork, of: DoCodigo) -> Porta:
        guardado, now = await editais.get(uow, of.edital_id), self._clock.now()
        prazo = await deadline(uow, guardado, now)
        versions = await publicadas.versions_of(uow, guardado.id)
        last = await publicadas.find(uow, guardado.id, versions[0].versao) if versions else None
        lugar = await asyncio.to_thread(_place_in, last, of.codigo) if last else None
        decided = (await decisoes.decisions_of(uow, guardado.id, [of.projeto_id])).get(of.codigo)
        projeto = await projetos.load_one(uow, of.projeto_id)
        may_contest = () if projeto.apagado else _contestable(prazo, now, lugar, decided.decisao if decided else None)
        return Porta(
            guardado.edital.id,
            guardado.edital.nome,
            guardado.edital.orgao,
            of.codigo,
            projeto.projeto.titulo,
            prazo,
            now,
            tuple([one.criterio for one in await editais.criterios_of(uow, guardado.id)]),
            lugar,
            last.publicada if last else None,
            (decided.decisao, decided.motivo) if decided else None,
            may_contest,
            await recursos.list_of(uow, guardado.id, projeto=of.projeto_id),
        )

    async def _keep(
        self,
        uow: UnitOfWork,
        of: DoCodigo,
        contra: Contra,
        texto: str,
        anexos: Sequence[Anexo],
        papeis: tuple[Papel, ...],
        how: tuple[Entrada, datetime, Usuario | None, str],
        porta: Porta,
    ) -> Recurso:
        entrada, apresentado_em, person, tardio = how
        posse = await chaves.hold(uow, of.projeto_id)
        if posse.dona is None:
            raise RecursoInvalido("Os dados deste projeto foram apagados a pedido. Não há mais o que contestar.")
        novo = NovoRecurso(
            id=self._new_id(),
            edital_id=of.edital_id,
            projeto_id=of.projeto_id,
            contra=contra,
            entrada=entrada,
            versao=porta.versao,
            apresentado_em=apresentado_em,
            recebido_em=self._clock.now(),
            registrado_por=person.id if person else None,
            texto=texto,
            tardio=tardio,
            papeis=papeis,
            conteudos=tuple([one.conteudo for one in anexos]),
            resumo=resumo_of(porta.edital_id, of.codigo, contra, texto, papeis),
        )
        numero = await recursos.keep(uow, novo, posse.dona)
        selos = await audit.read_seals(uow, RECURSOS, {"id": novo.id})
        dados = {"projeto": of.codigo, "numero": numero, "contra": contra, "tardio": bool(tardio), audit.DIGESTS: selos}
        em, note_id = novo.recebido_em, self._new_id()
        if entrada == "link":
            await registros.note(uow, note_id, em, "recurso.apresentado", porta.edital_id, "recurso", str(novo.id), dados)
        else:
            await registros.note(uow, note_id, em, "recurso.registrado", porta.edital_id, "recurso", str(novo.id), dados)
        (kept,) = await recursos.list_of(uow, of.edital_id, numero=numero)
        projeto = (await projetos.load_one(uow, of.projeto_id)).projeto
        para = reachable(projeto.proponente.email)
        if para:
            onde = await door_address(uow, self._endereco, of.edital_id, of.projeto_id, novo.recebido_em)
            carta = receiving(para, porta.edital_nome, shown(projeto.titulo), kept, onde)
            cpf = titular_of(projeto.proponente).cpf
            await self._correio.post(uow, carta, novo.recebido_em, chave=receipt_key(novo.id), cpf=cpf)
        return kept


async def deadline(uow: UnitOfWork, guardado: EditalGuardado, now: datetime) -> Prazo:
    """The days in which recursos of an edital are taken, as they count now."""
    given = next(((one.publicada_em, one.recursos_ate) for one in await publicadas.versions_of(uow, guardado.id) if one.recursos_ate), None)
    return prazo_of(guardado.edital.fases, now, given)


def address_of(endereco: str, tenant_id: str) -> str:
    """Where codes of an organisation are typed in."""
    return f"{endereco}/recursos/{tenant_id}"


async def door_address(uow: UnitOfWork, endereco: str, edital_id: UUID, of: UUID, em: datetime) -> str:
    """Where the recursos of a project are read, by its code."""
    await recurso_codigos.ensure(uow, edital_id, em, of)
    (code,) = (await recurso_codigos.codes_of(uow, edital_id, of)).values()
    return f"{address_of(endereco, uow.scope.tenant_id)}/{code}"


async def acting_person(uow: UnitOfWork) -> Usuario:
    """Who works on recursos. Raises SemPermissao unless a person is acting."""
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada cuida de recursos. Entre com o seu usuário.")
    return person


async def project_id(uow: UnitOfWork, guardado: EditalGuardado, codigo: str) -> UUID:
    """The id of a project in force. Raises ProjetoNotFound."""
    of = await projetos.find_id(uow, guardado.id, codigo)
    if of is None:
        raise ProjetoNotFound("Não há projeto com este código neste edital. Confira o código.")
    return of


def _place_in(versao: Versao, codigo: str) -> LugarPublicado | None:
    return next((one.lugar for one in versao.conteudo.linhas if one.lugar.projeto_id == codigo), None)


def _inscrito(tenant_id: str) -> Scope:
    try:
        return Scope(tenant_id, INSCRITO)
    except InvalidTenant:
        raise CodigoRecusado(_WRONG) from None


async def _of_code(uow: UnitOfWork, codigo: str) -> DoCodigo:
    plain = read_code(codigo)
    found = None if plain is None else await recurso_codigos.find(uow, plain)
    if found is None:
        raise CodigoRecusado(_WRONG)
    return found


def _contestable(prazo: Prazo, now: datetime, lugar: LugarPublicado | None, decisao: HabilitacaoSugerida | None) -> tuple[Contra, ...]:
    if prazo.situacao(now) != "aberto":
        return ()
    against: list[Contra] = ["resultado"] if lugar is not None else []
    return (*against, "habilitacao") if decisao not in (None, "habilitado") else tuple(against)


def _require_open(porta: Porta) -> None:
    late = "Se há motivo para receber o seu recurso mesmo assim, procure quem cuida do edital."
    match porta.prazo.situacao(porta.agora):
        case "encerrado":
            raise ForaDoPrazo(f"O prazo de recurso terminou em {day(porta.prazo.fim)}. {late}" if porta.prazo.fim else late)
        case "por_abrir":
            raise ForaDoPrazo(f"O prazo de recurso começa em {day(porta.prazo.inicio)}. Volte nesse dia." if porta.prazo.inicio else late)
        case "sem_datas":
            raise ForaDoPrazo(f"O prazo de recurso deste edital ainda não foi aberto. {late}")
        case "aberto":
            if not porta.pode:
                raise ForaDoPrazo("Ainda não há resultado publicado nem decisão que este projeto possa contestar.")


def _typed_at(digitado: Digitado, porta: Porta, now: datetime) -> tuple[datetime, str]:
    """When a recurso on paper was made, and why it is taken in where that was outside of the days. Raises ForaDoPrazo, RecursoInvalido."""
    if digitado.apresentado_em > now.astimezone(BRASILIA).date():
        raise RecursoInvalido("A data em que o recurso foi entregue ainda não chegou. Confira-a.", campo="apresentado_em")
    em, tardio = datetime.combine(digitado.apresentado_em, time(), BRASILIA), digitado.tardio.strip()
    if len(tardio) > LONGEST_REASON:
        raise RecursoInvalido(f"O motivo deve ter até {LONGEST_REASON} letras.", campo="tardio")
    if porta.prazo.situacao(em) == "aberto":
        return em, ""
    if len(tardio) < SHORTEST_REASON:
        fim = f", que vai de {day(porta.prazo.inicio)} a {day(porta.prazo.fim)}" if porta.prazo.inicio and porta.prazo.fim else ""
        raise ForaDoPrazo(
            f"A data de entrega está fora do prazo de recurso{fim}. Para receber mesmo assim, escreva por quê: fica com o recurso.",
            campo="tardio",
        )
    return em, tardio
