"""Use cases of the form: what may be asked for, what the regra asks, and the decision, by the same service as every pedido's."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar, Final
from uuid import UUID

import msgspec

from crivo.autorizacoes import storage
from crivo.autorizacoes.contracts import FonteRegras, Regra
from crivo.autorizacoes.formulario.preenchido import Preenchido, encode_pedido, not_recognised, of_what_is_typed, read_preenchido
from crivo.autorizacoes.formulario.procura import Indice, Procedimento
from crivo.autorizacoes.formulario.rascunho import FINALIDADE, Rascunho, open_rascunho, seal_rascunho
from crivo.autorizacoes.formulario.reaberto import CorrecaoDeOutraPorta, Reaberto, is_correctable, reabrir
from crivo.autorizacoes.leitura import read_pedido
from crivo.autorizacoes.palavras import documento_com_artigo, listing
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.codigos import normalize_codigo
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.autorizacoes.service import Autorizacoes, Decidida
from crivo.autorizacoes.trilha import Trilha
from crivo.kernel.access import asks
from crivo.kernel.clock import Clock, today
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

_KEPT: Final = 8
_KEY: Final = 32  # characters of what tells one form from another
_DIAS_ABERTO: Final = 2  # for which a form may lie open and still be of the day that it says


class FormularioIncompleto(CrivoError):
    """A form with fields at fault; `faltas` says what to do about each."""

    codigo: ClassVar[str] = "formulario_incompleto"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O pedido não foi enviado"

    def __init__(self, faltas: Mapping[str, str]) -> None:
        super().__init__("Há um campo a corrigir." if len(faltas) == 1 else f"Há {len(faltas)} campos a corrigir.")
        self.faltas = dict(faltas)


class NumeroJaUsado(CrivoError):
    """A form with the number of a pedido that was decided already, which nobody said that it corrects."""

    codigo: ClassVar[str] = "numero_ja_usado"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Já há um pedido com este número"

    def __init__(self) -> None:
        super().__init__(
            "Nada foi enviado. Se este é o mesmo pedido, corrigido, envie de novo. Se é outro, mude o número, ou deixe-o vazio."
        )


class DocumentoNaoReconhecido(CrivoError):
    """A form where a document is missing, with a name beside it that no document goes by."""

    codigo: ClassVar[str] = "documento_nao_reconhecido"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "Há um documento que não reconheci"

    @classmethod
    def of(cls, outros: Sequence[str], faltam: Sequence[str]) -> DocumentoNaoReconhecido:
        """By the names that nobody knows, and the documents that are missing."""
        nomes, missing = listing([f"“{one}”" for one in outros]), listing([documento_com_artigo(tipo) for tipo in faltam])
        return cls(
            f"Não reconheci {nomes}, e a regra ainda pede {missing}. Nada foi enviado. Se for este, marque-o na lista. "
            "Se não for, envie de novo: o pedido vai sem ele."
        )


@dataclass(frozen=True, slots=True)
class Pedido:
    """What the regra that would decide asks, and where it stands; both None where no regra is for this pedido."""

    regra: Regra | None
    fonte: FonteRegras | None

    @property
    def marca(self) -> str:
        """What tells this regra from another, to know which of them was shown."""
        fonte = self.fonte
        said = "nenhuma" if fonte is None else f"{fonte.documento}|{fonte.versao}|{fonte.vigencia_inicio}|{fonte.regra_id}"
        return hashlib.sha256(said.encode()).hexdigest()[:_KEY]


@dataclass(frozen=True, slots=True)
class Mesa:
    """What a form is filled in with: what may be asked for, what was found for the words, and what the regra asks.

    `familias` are regras of many codes that the words name, `parecidos` procedures with some of the words where none has all; `faltas` is
    what is wrong with the fields that are filled in already.
    """

    indice: Indice
    achados: tuple[Procedimento, ...]
    pede: Pedido | None
    familias: tuple[Procedimento, ...]
    parecidos: tuple[Procedimento, ...]
    faltas: Mapping[str, str]


class PedidosAMao:
    """Pedidos of a tenant that people make on a form."""

    def __init__(
        self, database: Database, vigentes: Vigentes, autorizacoes: Autorizacoes, clock: Clock, new_id: Callable[[], UUID]
    ) -> None:
        self._database = database
        self._vigentes = vigentes
        self._autorizacoes = autorizacoes
        self._clock = clock
        self._new_id = new_id
        self._indices: OrderedDict[tuple[str, int, str], Indice] = OrderedDict()

    def nova_chave(self) -> str:
        """What tells one form from every other, however often it is sent."""
        return self._new_id().hex

    def dia(self, escrito: str) -> date:
        """The day of a pedido: that which the form says it was opened on, while it is lately; else today."""
        hoje = today(self._clock)
        try:
            said = date.fromisoformat(escrito)
        except ValueError:
            return hoje
        return said if 0 <= (hoje - said).days < _DIAS_ABERTO else hoje

    @asks("autorizacoes.decidir")
    async def abrir(self, scope: Scope, preenchido: Preenchido, dia: date) -> Mesa:
        """What the form shows for what is typed so far."""
        indice, catalogo = await self._rules(scope, dia)
        administradora, procura = preenchido.of("administradora"), preenchido.of("procura")
        pede = _asked(catalogo, indice, preenchido, dia)
        faltas = read_preenchido(preenchido, indice, pede.regra if pede else None, dia, "").faltas
        achados, familias = indice.procurar(administradora, procura), indice.familias(administradora, procura)
        return Mesa(
            indice,
            achados,
            pede,
            familias,
            () if achados or familias else indice.parecidos(administradora, procura),
            of_what_is_typed(preenchido, faltas),
        )

    @asks("autorizacoes.decidir")
    async def enviar(self, scope: Scope, preenchido: Preenchido, dia: date, chave: str, visto: str = "") -> Decidida:
        """Decide what the form says; the same form with the same fields decides once, however often it is sent.

        `visto` is the number of which it was told that there is a pedido already.
        Raises `FormularioIncompleto` with what to do about each field, `DocumentoNaoReconhecido` until it was told, `NumeroJaUsado`; and as
        `Autorizacoes.decidir`.
        """
        indice, catalogo = await self._rules(scope, dia)
        pede = _asked(catalogo, indice, preenchido, dia)
        numero = f"F{dia:%Y%m%d}-{hashlib.sha256(chave.encode()).hexdigest()[:8].upper()}"
        lido = read_preenchido(preenchido, indice, pede.regra if pede else None, dia, numero)
        if lido.faltas:
            raise FormularioIncompleto(lido.faltas)
        outros, faltam = not_recognised(preenchido, pede.regra if pede else None)
        if outros and preenchido.of("outros_vistos") != preenchido.of("outros_documentos"):
            raise DocumentoNaoReconhecido.of(outros, faltam)
        raw = encode_pedido(lido.pedido)
        unico = "formulario-" + hashlib.sha256(chave.encode() + b"\0" + raw).hexdigest()
        escrito = preenchido.of("pedido_id")
        if escrito and escrito != visto and await self._is_taken(scope, escrito, unico):
            raise NumeroJaUsado
        return await self._autorizacoes.decidir(scope, raw, unico)

    @asks("autorizacoes.decidir")
    async def reabrir(self, scope: Scope, autorizacao_id: UUID) -> Reaberto:
        """The form filled in from a stored pedido, to correct it: under the same number, which takes the earlier one's place.

        The audit tells that it was read. Raises `AutorizacaoNotFound`, `DadosApagados`, `CorrecaoDeOutraPorta`.
        """
        lida = await self._autorizacoes.ler(scope, autorizacao_id, "pagina")
        trilha = msgspec.json.decode(lida.trilha, type=Trilha)
        pedido = trilha.etapas.normalizacao.pedido_normalizado
        if not is_correctable(pedido, mapeado=trilha.formato is not None):
            raise CorrecaoDeOutraPorta("Ele veio de outro sistema, em uma mensagem com número próprio. Corrija lá, e envie de novo de lá.")
        return reabrir(pedido, read_pedido(lida.pedido))

    @asks("autorizacoes.decidir")
    async def guardar(self, scope: Scope, sessao: str, rascunho: Rascunho) -> str | None:
        """A form on its way as its browser keeps it, for this session alone; None where it is too long to be kept so."""
        async with self._database.unit_of_work(scope) as uow:
            return seal_rascunho(uow.cofre.of_purpose(scope.tenant_id, FINALIDADE), sessao, rascunho)

    @asks("autorizacoes.decidir")
    async def lembrar(self, scope: Scope, sessao: str, guardado: str) -> Rascunho | None:
        """The form that a browser kept; None where it is no form of this session."""
        async with self._database.unit_of_work(scope) as uow:
            return open_rascunho(uow.cofre.of_purpose(scope.tenant_id, FINALIDADE), sessao, guardado)

    async def _is_taken(self, scope: Scope, numero: str, unico: str) -> bool:
        """Whether a pedido of that number was decided, and not by this very form."""
        async with self._database.unit_of_work(scope) as uow:
            return not await storage.find_by_keys(uow, [unico]) and await storage.count_of_number(uow, numero) > 0

    async def _rules(self, scope: Scope, dia: date) -> tuple[Indice, Catalogo]:
        async with self._database.unit_of_work(scope) as uow:
            versao, catalogo = await self._vigentes.catalogo(uow)
        key = (scope.tenant_id, versao, dia.isoformat())
        indice = self._indices.get(key)
        if indice is None:
            # Over a large catalogue it takes a while; the loop that serves everybody else must not wait for it.
            indice = await asyncio.to_thread(Indice.of, catalogo.politicas, dia.isoformat())
            self._indices[key] = indice
            if len(self._indices) > _KEPT:
                self._indices.popitem(last=False)
        return indice, catalogo


def _asked(catalogo: Catalogo, indice: Indice, preenchido: Preenchido, dia: date) -> Pedido | None:
    """What the regra asks; None where the form does not say yet for what."""
    administradora = indice.find(preenchido.of("administradora"))
    plano, codigo = preenchido.of("plano"), normalize_codigo(preenchido.of("codigo"))
    if administradora is None or not plano or not codigo:
        return None
    achada = catalogo.find_regra(administradora.id, plano, codigo, preenchido.of("tabela") or None, dia.isoformat())
    return Pedido(*(achada or (None, None)))
