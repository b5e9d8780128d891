"""Use cases of whoever manages a call: ask a proponente for what is lacking, give more time, take it back, and read what came.

Asking, answering and judging change no decision: what the papers say stands beside what was found before, and a person decides.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final
from uuid import UUID

from crivo.kernel import audit
from crivo.kernel.access import SemPermissao, asks, names_of_usuarios
from crivo.kernel.access.usuarios import Usuario, acting_usuario
from crivo.kernel.cartas import Correio, EnderecoInvalido, read_endereco
from crivo.kernel.clock import Clock
from crivo.kernel.errors import Problem
from crivo.kernel.jobs.fila import Fila
from crivo.kernel.prazos import Calendario, prazo_em_dias_uteis
from crivo.kernel.sigilo import Chave
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import ItemHabilitacao
from crivo.triagem.diligencias.depois import DoProjeto
from crivo.triagem.diligencias.escrita import asking, draft, pedido_of, prolonging
from crivo.triagem.diligencias.guardadas import Aberta, Arquivo, Diligencia, Linha, Pedida, Pedido, Rascunho
from crivo.triagem.diligencias.recebimento import receive
from crivo.triagem.edital import Proponente
from crivo.triagem.erros import DiligenciaEncerrada, DiligenciaInvalida, DiligenciaNotFound, DocumentoNotFound, ProjetoNotFound
from crivo.triagem.habilitacao.tipos import tipos_of
from crivo.triagem.storage import diligencias, editais, execucoes, projetos, registros, resultados
from crivo.triagem.storage.chaves import hold
from crivo.triagem.storage.editais import EditalGuardado
from crivo.triagem.titular import titular_of

DIAS_DE_COSTUME: Final = 5
MOST_DAYS: Final = 60
SHORTEST_TEXT: Final = 20
LONGEST_TEXT: Final = 5_000
SHORTEST_REASON: Final = 5
LONGEST_REASON: Final = 1_000
_CODE_BYTES: Final = 15
_PATH: Final = "/diligencias"

RandomBytes = Callable[[int], bytes]


@dataclass(frozen=True, slots=True)
class NovaDiligencia:
    """What whoever manages wants asked: of which requisitos, in which words, within how many business days, at which e-mail, if any."""

    requisitos: tuple[str, ...]
    texto: str
    dias: int
    email: str = ""


class Diligencias:
    """The diligências of a tenant's editais."""

    def __init__(
        self,
        database: Database,
        clock: Clock,
        new_id: Callable[[], UUID],
        fila: Fila,
        correio: Correio,
        calendario: Calendario,
        endereco: str,
        random_bytes: RandomBytes = os.urandom,
    ) -> None:
        """`endereco` is where the pages are reached, without a slash at its end."""
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._fila = fila
        self._correio = correio
        self._calendario = calendario
        self._endereco = endereco
        self._random = random_bytes

    @asks("triagem.diligenciar")
    async def rascunho(self, scope: Scope, edital_id: str, projeto_id: str, dias: int = DIAS_DE_COSTUME) -> Rascunho:
        """What would be asked of a project, by what was found of it. Raises EditalNotFound, ProjetoNotFound, DiligenciaInvalida."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            of, titulo, proponente = await _project(uow, guardado, projeto_id)
            pedidos, itens = await _asked_about(uow, guardado, of)
            propostos = tuple([one.requisito for one in pedidos if _is_lacking(itens.get(one.requisito))])
            chosen = [one for one in pedidos if one.requisito in propostos]
            achados = {codigo: item.achado for codigo, item in itens.items()}
            return Rascunho(
                guardado.edital,
                projeto_id,
                titulo,
                proponente,
                tuple([(one, achados.get(one.requisito, "")) for one in pedidos]),
                propostos,
                draft(guardado.edital.nome, titulo, chosen, itens),
                dias,
                self._deadline(dias),
            )

    @asks("triagem.diligenciar")
    async def pedir(self, scope: Scope, edital_id: str, projeto_id: str, nova: NovaDiligencia) -> int:
        """Ask, and post the letter where there is an address: the number of the diligência. Nothing is decided by it.

        Raises SemPermissao unless a person is acting; EditalNotFound, ProjetoNotFound; DiligenciaInvalida, also where one of these
        requisitos is being asked about already.
        """
        texto, email = _read_text(nova.texto), _read_email(nova.email)
        _check_days(nova.dias)
        async with self._database.unit_of_work(scope) as uow:
            person = await _manager(uow)
            guardado = await editais.get_by_codigo(uow, edital_id, lock=True)
            of, titulo, proponente = await _project(uow, guardado, projeto_id)
            pedidos, itens = await _asked_about(uow, guardado, of)
            chosen = _chosen(pedidos, nova.requisitos)
            now = self._clock.now()
            _check_free(await diligencias.of_project(uow, of), chosen, now)
            posse = await hold(uow, of)
            if posse.dona is None:
                raise _unsealed(apagado=posse.apagado)
            codigo, prazo, new_id = base64.b32encode(self._random(_CODE_BYTES)).decode().lower(), self._deadline(nova.dias), self._new_id()
            antes = tuple([itens[one.requisito] for one in chosen if one.requisito in itens])
            pedida = Pedida(codigo, texto, chosen, antes, email)
            numero, selos = await diligencias.add(
                uow, new_id, guardado.id, of, posse.dona, pedida, resumo_of(codigo), nova.dias, prazo, person.id, now
            )
            if email:
                carta = asking(email, guardado.edital.nome, titulo, texto, prazo, self._address(scope, codigo), spelled(codigo))
                await self._correio.post(uow, carta, now, chave=letter_of(new_id), cpf=titular_of(proponente).cpf)
            told = {"projeto": projeto_id, "diligencia": numero, "requisitos": len(chosen), "dias": nova.dias, "carta": bool(email)}
            await registros.note(
                uow, self._new_id(), now, "diligencia.pedida", edital_id, "diligencia", str(new_id), {**told, audit.DIGESTS: selos}
            )
            return numero

    @asks("triagem.acompanhar")
    async def listar(self, scope: Scope, edital_id: str) -> tuple[str, tuple[Linha, ...]]:
        """The diligências of an edital, the newest first, with its name. Raises EditalNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            found = await diligencias.of_edital(uow, guardado.id)
            heads = await projetos.cabecalhos_of(uow, guardado.id, {one.projeto for one in found}) if found else {}
            now = self._clock.now()
            return guardado.edital.nome, tuple(
                [_line(one, heads[one.projeto].titulo if one.projeto in heads else "", now) for one in found]
            )

    @asks("triagem.acompanhar")
    async def do_projeto(self, scope: Scope, edital_id: str, projeto_id: str) -> tuple[DoProjeto, ...]:
        """The diligências of a project with how they stand and their papers, the newest first. Raises EditalNotFound, ProjetoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado = await editais.get_by_codigo(uow, edital_id)
            of = await projetos.find_id(uow, guardado.id, projeto_id)
            if of is None:
                raise ProjetoNotFound("Este projeto não está mais no edital. Volte à fila.")
            now = self._clock.now()
            return tuple(
                [DoProjeto(one, one.situacao(now), await diligencias.papeis_of(uow, one)) for one in await diligencias.of_project(uow, of)]
            )

    @asks("triagem.acompanhar")
    async def abrir(self, scope: Scope, edital_id: str, numero: int) -> Aberta:
        """A diligência with all that came of it. Raises EditalNotFound, DiligenciaNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            guardado, found = await _get(uow, edital_id, numero)
            heads = await projetos.cabecalhos_of(uow, guardado.id, [found.projeto])
            envios, prazos = await diligencias.envios_of(uow, found), await diligencias.prazos_of(uow, found)
            people = {found.pedida_por, found.cancelada_por, *(one.por for one in envios), *(one.por for one in prazos)} - {None}
            nomes = await names_of_usuarios(uow, {one for one in people if one is not None})
            letter = letter_of(found.id)
            return Aberta(
                guardado.edital,
                heads[found.projeto].titulo if found.projeto in heads else "",
                found,
                found.situacao(self._clock.now()),
                self._address(scope, found.pedida.codigo) if found.pedida else "",
                (await self._correio.fate_of(uow, letter)).get(letter),
                envios,
                prazos,
                dict(nomes),
            )

    @asks("triagem.diligenciar")
    async def prorrogar(self, scope: Scope, edital_id: str, numero: int, dias: int, motivo: str) -> datetime:
        """Give so many business days from now, at least up to a later day than before, with a reason; the proponente is told by a letter.

        Raises SemPermissao unless a person is acting; EditalNotFound, DiligenciaNotFound, DiligenciaEncerrada where it was cancelled,
        DiligenciaInvalida.
        """
        given = _read_reason(motivo)
        _check_days(dias)
        async with self._database.unit_of_work(scope) as uow:
            person = await _manager(uow)
            guardado, found, chave = await self._held(uow, edital_id, numero)
            now, prazo = self._clock.now(), self._deadline(dias)
            if prazo <= found.prazo:
                raise _invalid("O novo prazo tem de terminar depois do que já vale. Dê mais dias.", "dias")
            await diligencias.prolong(uow, found, chave, prazo, given, person.id, now)
            if found.pedida and found.pedida.email:
                titulo = await _title(uow, guardado, found.projeto)
                address = self._address(scope, found.pedida.codigo)
                carta = prolonging(found.pedida.email, guardado.edital.nome, titulo, prazo, address)
                await self._correio.post(uow, carta, now, chave=f"{letter_of(found.id)}:prazo:{prazo:%Y-%m-%d}")
            selos = await diligencias.seals_of(uow, found.id)
            told = {"projeto": found.projeto, "diligencia": numero, "dias": dias, audit.DIGESTS: selos}
            await registros.note(uow, self._new_id(), now, "diligencia.prorrogada", edital_id, "diligencia", str(found.id), told)
            return prazo

    @asks("triagem.diligenciar")
    async def cancelar(self, scope: Scope, edital_id: str, numero: int, motivo: str) -> None:
        """Take a diligência back, with a reason: its link answers that it is no more, and a letter that has not gone does not.

        Raises SemPermissao unless a person is acting; EditalNotFound, DiligenciaNotFound, DiligenciaEncerrada where it was cancelled,
        DiligenciaInvalida where an answer came, which stays.
        """
        given = _read_reason(motivo)
        async with self._database.unit_of_work(scope) as uow:
            person = await _manager(uow)
            _, found, chave = await self._held(uow, edital_id, numero)
            if found.respondida_em is not None:
                raise _invalid("Já veio uma resposta, e ela fica. Decida sobre o projeto na mesa.", "motivo")
            now = self._clock.now()
            await diligencias.cancel(uow, found, chave, given, person.id, now)
            await self._correio.retire(uow, letter_of(found.id))
            selos = await diligencias.seals_of(uow, found.id)
            told = {"projeto": found.projeto, "diligencia": numero, audit.DIGESTS: selos}
            await registros.note(uow, self._new_id(), now, "diligencia.cancelada", edital_id, "diligencia", str(found.id), told)

    @asks("triagem.diligenciar")
    async def receber(self, scope: Scope, edital_id: str, numero: int, texto: str, arquivos: Sequence[Arquivo]) -> str:
        """Put in an answer that came on paper, whatever the hour; its receipt. It is kept as of who put it in.

        Raises SemPermissao unless a person is acting; EditalNotFound, DiligenciaNotFound, DiligenciaEncerrada where it was cancelled,
        RespostaInvalida.
        """
        async with self._database.unit_of_work(scope) as uow:
            person = await _manager(uow)
            guardado, found, chave = await self._held(uow, edital_id, numero)
            return await receive(uow, self._fila, self._new_id, guardado, found, chave, texto, arquivos, person.id, self._clock.now())

    @asks("triagem.acompanhar")
    async def papel(self, scope: Scope, edital_id: str, numero: int, ordem: int) -> tuple[str, bytes]:
        """The name and the content of a file of an answer. Raises EditalNotFound, DiligenciaNotFound, DocumentoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            _, found = await _get(uow, edital_id, numero)
            file = await diligencias.papel(uow, found, ordem)
            if file is None:
                raise DocumentoNotFound("Não há este arquivo nesta diligência, ou ele foi apagado. Volte a ela e escolha outro.")
            told = {"projeto": found.projeto, "diligencia": numero, "arquivo": ordem}
            await registros.note(uow, self._new_id(), self._clock.now(), "diligencia.baixada", edital_id, "diligencia", str(found.id), told)
            return file

    async def _held(self, uow: UnitOfWork, edital_id: str, numero: int) -> tuple[EditalGuardado, Diligencia, Chave]:
        """A diligência that is in force, locked, and its key."""
        guardado, found = await _get(uow, edital_id, numero)
        await diligencias.lock(uow, found.id)
        found = await diligencias.find(uow, found.id) or found
        if found.cancelada_em is not None:
            raise DiligenciaEncerrada("Esta diligência foi cancelada. Se ainda falta algo, peça de novo na mesa.")
        chave = await diligencias.key_of(uow, found)
        if chave is None:
            raise _unsealed(apagado=True)
        return guardado, found, chave

    def _deadline(self, dias: int) -> datetime:
        return prazo_em_dias_uteis(self._clock.now(), dias, self._calendario)

    def _address(self, scope: Scope, codigo: str) -> str:
        return address_of(self._endereco, scope.tenant_id, codigo)


def address_of(endereco: str, tenant_id: str, codigo: str) -> str:
    """Where a diligência is answered."""
    return f"{endereco}{_PATH}/{tenant_id}/{codigo}"


def spelled(codigo: str) -> str:
    """A code as it is written on paper: in groups, each of four letters."""
    return "-".join([codigo[at : at + 4] for at in range(0, len(codigo), 4)]).upper()


def resumo_of(said: str) -> bytes:
    """What is kept of a code, however it is spelled."""
    return sha256("".join(said.split()).replace("-", "").lower().encode()).digest()


def letter_of(diligencia_id: UUID) -> str:
    """Under which key the letter of a diligência is posted; those that come after it begin so."""
    return f"diligencia:{diligencia_id}"


async def _get(uow: UnitOfWork, edital_id: str, numero: int) -> tuple[EditalGuardado, Diligencia]:
    guardado = await editais.get_by_codigo(uow, edital_id)
    found = await diligencias.find_by_numero(uow, guardado.id, numero)
    if found is None:
        raise DiligenciaNotFound("Este edital não tem diligência com este número. Volte à lista e confira.")
    return guardado, found


async def _project(uow: UnitOfWork, guardado: EditalGuardado, projeto_id: str) -> tuple[UUID, str, Proponente]:
    of = await projetos.find_id(uow, guardado.id, projeto_id)
    if of is None:
        raise ProjetoNotFound("Este projeto não está mais no edital: foi retirado, ou o código é outro. Volte à fila.")
    found = await projetos.load_one(uow, of)
    if found.apagado:
        raise _unsealed(apagado=True)
    return of, found.projeto.titulo or projeto_id, found.projeto.proponente


async def _title(uow: UnitOfWork, guardado: EditalGuardado, projeto: str) -> str:
    heads = await projetos.cabecalhos_of(uow, guardado.id, [projeto])
    return heads[projeto].titulo if projeto in heads else projeto


async def _asked_about(uow: UnitOfWork, guardado: EditalGuardado, of: UUID) -> tuple[tuple[Pedido, ...], dict[str, ItemHabilitacao]]:
    """What may be asked about, and what the last screening found of it: of a requisito that is not asked of this project, nothing."""
    tipos = tipos_of(guardado.edital.documentos_proprios)
    last = await execucoes.find_last_finished(uow, guardado.id)
    triados = () if last is None else await resultados.load(uow, last.id, [of])
    itens = {one.requisito: one for one in (triados[0].itens if triados else ())}
    pedidos = [pedido_of(one, tipos) for one in await editais.requisitos_of(uow, guardado.id)]
    return tuple([one for one in pedidos if one.requisito not in itens or itens[one.requisito].pedido]), itens


def _is_lacking(item: ItemHabilitacao | None) -> bool:
    return item is not None and item.situacao != "atende"


def _chosen(pedidos: Sequence[Pedido], requisitos: Sequence[str]) -> tuple[Pedido, ...]:
    wanted = set(requisitos)
    chosen = tuple([one for one in pedidos if one.requisito in wanted])
    if not chosen or len(chosen) < len(wanted):
        raise _invalid("Marque ao menos um dos requisitos do edital que se pedem a este projeto.", "requisitos")
    return chosen


def _check_free(there: Sequence[Diligencia], chosen: Sequence[Pedido], now: datetime) -> None:
    asked = {of.requisito: one.numero for one in there if one.situacao(now) == "aberta" and one.pedida for of in one.pedida.pedidos}
    again = [one for one in chosen if one.requisito in asked]
    if again:
        first = f"A diligência {asked[again[0].requisito]} já pede “{again[0].descricao}”, e o prazo dela corre."
        told = f"{first} Prorrogue-a, ou cancele-a antes."
        raise _invalid(told, "requisitos")


def _check_days(dias: int) -> None:
    if not 1 <= dias <= MOST_DAYS:
        raise _invalid(f"O prazo é de 1 a {MOST_DAYS} dias úteis.", "dias")


def _read_text(texto: str) -> str:
    given = texto.replace("\r\n", "\n").strip()
    if not SHORTEST_TEXT <= len(given) <= LONGEST_TEXT or "\0" in given:
        raise _invalid(f"Escreva o que se pede, em {SHORTEST_TEXT} a {LONGEST_TEXT} letras.", "texto")
    return given


def _read_email(email: str) -> str:
    if not email.strip():
        return ""
    try:
        return read_endereco(email)
    except EnderecoInvalido as error:
        raise _invalid(f"{error.mensagem} Sem e-mail, deixe vazio e entregue o link por outro meio.", "email") from None


def _read_reason(motivo: str) -> str:
    given = motivo.strip()
    if not SHORTEST_REASON <= len(given) <= LONGEST_REASON or "\0" in given:
        raise _invalid(f"Diga o motivo, em {SHORTEST_REASON} a {LONGEST_REASON} letras.", "motivo")
    return given


def _invalid(mensagem: str, campo: str) -> DiligenciaInvalida:
    return DiligenciaInvalida(mensagem, [Problem(mensagem, campo)], campo=campo)


def _unsealed(*, apagado: bool) -> DiligenciaInvalida:
    if apagado:
        return DiligenciaInvalida("Os dados deste projeto foram apagados a pedido da pessoa: não há a quem pedir.")
    return DiligenciaInvalida("Este projeto veio de antes de os dados serem fechados à chave. Peça a quem administra que rode a selagem.")


def _line(one: Diligencia, titulo: str, now: datetime) -> Linha:
    asked = tuple([of.descricao for of in one.pedida.pedidos]) if one.pedida else ()
    return Linha(one.numero, one.projeto, titulo, asked, one.situacao(now), one.prazo, one.pedida_em, one.respondida_em)


async def _manager(uow: UnitOfWork) -> Usuario:
    person = await acting_usuario(uow)
    if person is None:
        raise SemPermissao("Só uma pessoa cadastrada pede diligências. Entre com o seu usuário.")
    return person
