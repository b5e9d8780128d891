"""Use cases of beneficiaries' links: whoever handles a decision makes one, and whoever has it and its code reads what was decided."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec

from crivo.autorizacoes.contracts import Decisao, DecisaoFinal
from crivo.autorizacoes.entregas.carga import quantity_asked, standing
from crivo.autorizacoes.erros import AutorizacaoNotFound
from crivo.autorizacoes.etapas.mensagens.beneficiario import Falta, falta_de
from crivo.autorizacoes.fichas import descricao_de
from crivo.autorizacoes.guardadas import Apagada, Autorizacao
from crivo.autorizacoes.historico import replaced_by
from crivo.autorizacoes.links import storage
from crivo.autorizacoes.links.contracts import Leitura, Link, LinkNovo, LinkVisto, PedidoDito, SituacaoDoLink
from crivo.autorizacoes.links.erros import CodigoErrado, CodigoIncompleto, LinkFechado, LinkJaFeito, LinkNotFound
from crivo.autorizacoes.revisao.storage import reviews_of
from crivo.autorizacoes.storage import find as find_autorizacao
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.access import asks
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.clock import BRASILIA, Clock
from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.kernel.sigilo import DadosApagados
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import InvalidTenant, Scope

GOOD_FOR: Final = timedelta(days=30)
MOST_WRONG: Final = 5
BENEFICIARIO: Final = "beneficiario"
CODE_DIGITS: Final = 6
_SECRET_BYTES: Final = 20  # 160 random bits: nobody finds one by trying
_SECRET: Final = re.compile(r"([a-z0-9-]{1,40})\.([a-z2-7]{32})")
_CODE: Final = re.compile(rf"\d{{{CODE_DIGITS}}}", re.ASCII)
_NO_DECISION: Final = "Não há decisão guardada com este identificador. Volte à lista e escolha outra."
_MADE_SINCE: Final = (
    "Um link foi feito depois de você abrir esta página, e continua abrindo. Se você não o copiou, faça outro: o anterior deixa de abrir."
)
_decode: Final = msgspec.json.Decoder(Decisao).decode


class Links:
    """Links to decisions, one at a time of each. The link goes to the beneficiary, the code by another way."""

    def __init__(
        self, database: Database, clock: Clock, new_id: Callable[[], UUID], random_bytes: Callable[[int], bytes], endereco: str
    ) -> None:
        """`endereco` is where the pages are, without a slash at its end."""
        self._database = database
        self._clock = clock
        self._new_id = new_id
        self._random = random_bytes
        self._endereco = endereco

    @asks("autorizacoes.dar_link")
    async def criar(self, scope: Scope, autorizacao_id: UUID, no_lugar_de: str | None = None) -> LinkNovo:
        """A link of a decision, with its code, good for thirty days; one that was made before opens no more.

        `no_lugar_de` is the id of the link that was the last as it was asked for, empty where none was: a form that is sent again closes no
        link that it made itself. Raises AutorizacaoNotFound, DadosApagados, LinkJaFeito.
        """
        now = self._clock.now()
        secret = f"{scope.tenant_id}.{base64.b32encode(self._random(_SECRET_BYTES)).decode().lower()}"
        codigo = f"{int.from_bytes(self._random(8), 'big') % 10**CODE_DIGITS:0{CODE_DIGITS}d}"
        async with self._database.unit_of_work(scope) as uow:
            await _whole(uow, autorizacao_id)
            await storage.hold_turn(uow, autorizacao_id)
            last = await storage.last_of(uow, autorizacao_id)
            if no_lugar_de is not None and no_lugar_de != ("" if last is None else str(last.id)):
                raise LinkJaFeito(_MADE_SINCE)
            closed = last is not None and self._fares(last) == "em_uso"
            replaced = await storage.revoke(uow, autorizacao_id, now)
            link_id, expira_em = self._new_id(), now + GOOD_FOR
            await storage.add(uow, link_id, autorizacao_id, _digest(secret), _code_digest(uow, link_id, codigo), now, expira_em)
            entry = NewEntry(acao="autorizacao.link_feito", alvo=f"autorizacao:{autorizacao_id}", dados={"no_lugar_de_outro": replaced})
            await append(uow, now, [entry])
        return LinkNovo(f"{self._endereco}/d/{secret}", codigo, expira_em, closed)

    @asks("autorizacoes.dar_link")
    async def revogar(self, scope: Scope, autorizacao_id: UUID) -> None:
        """Have a decision's link open no more; where it has none, nothing is at fault. Raises AutorizacaoNotFound."""
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            if await find_autorizacao(uow, autorizacao_id) is None:
                raise AutorizacaoNotFound(_NO_DECISION)
            if await storage.revoke(uow, autorizacao_id, now):
                await append(uow, now, [NewEntry(acao="autorizacao.link_revogado", alvo=f"autorizacao:{autorizacao_id}")])

    @asks("autorizacoes.ler")
    async def situacao(self, scope: Scope, autorizacao_id: UUID) -> LinkVisto | None:
        """How the link that was made last of a decision fares; None where none was made."""
        async with self._database.unit_of_work(scope) as uow:
            link = await storage.last_of(uow, autorizacao_id)
        return None if link is None else LinkVisto(link.id, self._fares(link), link.criado_em, link.expira_em, link.aberturas)

    async def conferir(self, segredo: str) -> str:
        """The name of the organisation whose link this is. Raises LinkNotFound, LinkFechado, DadosApagados where it was erased."""
        async with self._database.unit_of_work(_scope(segredo)) as uow:
            await self._open(uow, await storage.find(uow, _digest(segredo)))
            return await storage.name_of_tenant(uow)

    async def ler(self, segredo: str, codigo: str) -> Leitura:
        """What was decided, to whoever has the code too; each reading is in the audit.

        Raises LinkNotFound; LinkFechado, also at the fifth wrong code; CodigoErrado; CodigoIncompleto; DadosApagados.
        """
        said = "".join(codigo.split()).replace("-", "")
        now = self._clock.now()
        async with self._database.unit_of_work(_scope(segredo)) as uow:
            link = await storage.find(uow, _digest(segredo), held=True)
            link, autorizacao = await self._open(uow, link)
            if _CODE.fullmatch(said) is None:
                raise CodigoIncompleto
            is_right = hmac.compare_digest(_code_digest(uow, link.id, said), link.codigo_resumo)
            alvo = f"autorizacao:{link.autorizacao_id}"
            if not is_right:
                await storage.note_error(uow, link.id)
                left = MOST_WRONG - link.erros - 1
                if not left:
                    await append(uow, now, [NewEntry(acao="autorizacao.link_bloqueado", alvo=alvo)])
            else:
                await storage.note_opened(uow, link.id)
                await append(uow, now, [NewEntry(acao="autorizacao.link_aberto", alvo=alvo)])
                return await _told(uow, autorizacao)
        raise CodigoErrado(left) if left else LinkFechado("bloqueado")

    async def _open(self, uow: UnitOfWork, link: Link | None) -> tuple[Link, Autorizacao]:
        if link is None:
            raise LinkNotFound
        situacao = self._fares(link)
        if situacao != "em_uso":
            raise LinkFechado(situacao)
        return link, await _whole(uow, link.autorizacao_id)

    def _fares(self, link: Link) -> SituacaoDoLink:
        if link.revogado_em is not None:
            return "revogado"
        if link.erros >= MOST_WRONG:
            return "bloqueado"
        return "vencido" if link.expira_em <= self._clock.now() else "em_uso"


async def _told(uow: UnitOfWork, autorizacao: Autorizacao) -> Leitura:
    reviews = await reviews_of(uow, autorizacao.id)
    revisao = reviews[0] if reviews else None
    decisao = standing(_decode(autorizacao.decisao), revisao, quantity_asked(autorizacao))
    decidida_em = autorizacao.recebida_em if revisao is None else revisao.decidida_em
    dias = decisao.detalhe_decisao.prazo_validade_autorizacao_dias
    is_approved = decisao.decisao_final in ("APROVADO", "APROVADO_PARCIAL")
    substituida = await replaced_by(uow, autorizacao) is not None
    is_approved = is_approved and not substituida
    vale_ate = decidida_em.astimezone(BRASILIA).date() + timedelta(days=dias) if is_approved and dias is not None else None
    trilha = msgspec.json.decode(autorizacao.trilha, type=Trilha)
    return Leitura(
        await storage.name_of_tenant(uow),
        _asked_for(trilha),
        decisao.decisao_final,
        mask_cpfs(decisao.mensagens.para_beneficiario),
        falta_de(decisao.decisao_final, trilha.etapas.avaliacao) if revisao is None else _left_by_person(revisao.decisao_final),
        decisao.detalhe_decisao.quantidade_aprovada,
        decidida_em,
        vale_ate,
        revisao is not None,
        substituida,
    )


def _left_by_person(decisao_final: DecisaoFinal) -> Falta:
    """Whoever leaves a pedido pending says what is to be sent; all else they say in their message."""
    return "envio" if decisao_final == "PENDENTE_AJUSTES" else "nada"


def _asked_for(trilha: Trilha) -> PedidoDito:
    """What was asked for, with CPFs masked; a procedure that nobody describes goes by its code."""
    pedido = trilha.etapas.normalizacao.pedido_normalizado
    codigo = f"código {pedido.procedimento.codigo}" if pedido.procedimento.codigo else ""
    return PedidoDito(
        mask_cpfs(pedido.pedido_id or ""),
        mask_cpfs(descricao_de(trilha) or codigo),
        mask_cpfs(pedido.plano_id or ""),
        pedido.data_pedido or "",
        pedido.procedimento.quantidade,
    )


async def _whole(uow: UnitOfWork, autorizacao_id: UUID) -> Autorizacao:
    found = await find_autorizacao(uow, autorizacao_id)
    if found is None:
        raise AutorizacaoNotFound(_NO_DECISION)
    if isinstance(found, Apagada):
        raise DadosApagados
    return found


def _scope(segredo: str) -> Scope:
    """Raises LinkNotFound for what is no link of anybody's."""
    found = _SECRET.fullmatch(segredo)
    if found is None:
        raise LinkNotFound
    try:
        return Scope(found[1], BENEFICIARIO)
    except InvalidTenant:
        raise LinkNotFound from None


def _digest(segredo: str) -> bytes:
    return hashlib.sha256(segredo.encode()).digest()


def _code_digest(uow: UnitOfWork, link_id: UUID, codigo: str) -> bytes:
    found = uow.cofre.index(uow.scope.tenant_id, "codigo_de_beneficiario", f"{link_id}|{codigo}")
    if found is None:
        raise TypeError("a code was kept without its digest")
    return found
