"""Names of fields that no table knows: the model proposes what each is, a person confirms or refuses it, and only then a table grows.

Source: design, "What the model may write, and what not"; PRD RF1, "múltiplos campos equivalentes".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Final
from uuid import UUID

import msgspec

from crivo.autorizacoes import storage as autorizacoes
from crivo.autorizacoes.campos import Destino, base_table
from crivo.autorizacoes.guardadas import Autorizacao, Mapeamento, Situacao
from crivo.autorizacoes.modelo import storage
from crivo.autorizacoes.modelo.desconhecidos import CampoDesconhecido, missing_destinos, unknown_fields
from crivo.autorizacoes.modelo.perguntas import dado
from crivo.autorizacoes.politicas.storage import advance_catalogo, campos_at, catalogo_versao, insert_campos
from crivo.autorizacoes.politicas.vigentes import Vigentes
from crivo.kernel.agents.prompts import load_prompt
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.clock import Clock
from crivo.kernel.errors import CrivoError, Kind
from crivo.kernel.llm.marcacao import new_nonce
from crivo.kernel.llm.port import Modelo, Question, Reply
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

ORIGEM: Final = "autorizacoes:mapeamento"
AGENTE: Final = "autorizacoes.mapeamento"
_ESPERA_SECONDS: Final = 60.0
_TEMPERATURA: Final = 0.0


class Correspondencia(msgspec.Struct, frozen=True):
    """What the model takes a field for; None where it is none of the pedido's."""

    origem: str
    destino: Destino | None


class Proposta(msgspec.Struct, frozen=True):
    """The model's answer: a destination for each field that it was shown."""

    correspondencias: tuple[Correspondencia, ...]


class MapeamentoNotFound(CrivoError):
    """No proposal of that id in this tenant."""

    codigo: ClassVar[str] = "mapeamento_nao_encontrado"
    kind: ClassVar[Kind] = Kind.ABSENT
    titulo: ClassVar[str] = "Proposta não encontrada"


class MapeamentoDecidido(CrivoError):
    """A proposal that a person has decided the other way."""

    codigo: ClassVar[str] = "mapeamento_ja_decidido"
    kind: ClassVar[Kind] = Kind.CONFLICT
    titulo: ClassVar[str] = "A proposta já foi decidida"


class MotivoAusente(CrivoError):
    """A decision about a proposal without its reason."""

    codigo: ClassVar[str] = "motivo_ausente"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Falta o motivo"


class Mapeador:
    """Asks the model what unknown fields are. What was proposed once for an administradora is not proposed again."""

    def __init__(self, database: Database, vigentes: Vigentes, clock: Clock, new_id: Callable[[], UUID], modelo: Modelo) -> None:
        self._database = database
        self._vigentes = vigentes
        self._clock = clock
        self._new_id = new_id
        self._modelo = modelo

    async def propor(self, scope: Scope, about: Mapping[str, str]) -> None:
        """Propose names from a stored pedido; nothing where all are known by now. Raises ModeloIndisponivel."""
        async with self._database.unit_of_work(scope) as uow:
            guardada = await autorizacoes.find(uow, UUID(about["autorizacao"]))
            if not isinstance(guardada, Autorizacao):  # gone, or erased meanwhile
                return
            fluxo = await self._vigentes.at(uow, guardada.catalogo_versao)
            trilha = fluxo.decide_again(guardada.pedido, guardada.trilha, guardada.data_recebimento)
            if trilha.formato is not None:  # the administradora has a mapping, which a person wrote and tried
                return
            normalizacao = trilha.etapas.normalizacao
            administradora = normalizacao.pedido_normalizado.administradora_id
            if administradora is None:  # without it nobody knows whose table would grow
                return
            tabela = (await campos_at(uow, await catalogo_versao(uow))).get(administradora, {})
            before = await storage.known_origens(uow, administradora)
        campos = [one for one in unknown_fields(normalizacao, {**base_table(), **tabela}) if one.origem not in before]
        vazios = missing_destinos(normalizacao)
        if not campos or not vazios:
            return
        reply = await self._modelo.ask(scope, question(campos, vazios), ORIGEM)
        propostos = self._propostos(administradora, guardada.id, reply, campos, vazios)
        if propostos:
            async with self._database.unit_of_work(scope) as uow:
                await storage.insert_mapeamentos(uow, propostos)

    async def desistir(self, scope: Scope, about: Mapping[str, str], error: Exception | None) -> None:
        """Nothing is lost where nothing could be proposed: the next pedido with the same names gives the occasion again."""

    def _propostos(
        self,
        administradora_id: str,
        autorizacao_id: UUID,
        reply: Reply[Proposta],
        campos: Sequence[CampoDesconhecido],
        vazios: Sequence[str],
    ) -> list[Mapeamento]:
        """What of the answer may be proposed: fields that were shown, and destinations that the pedido lacks, each once."""
        shown, em = {one.origem for one in campos}, self._clock.now()
        destinos: dict[str, str] = {}
        for one in reply.valor.correspondencias:
            if one.destino is not None and one.origem in shown and one.destino in vazios and one.destino not in destinos.values():
                destinos.setdefault(one.origem, one.destino)
        return [
            Mapeamento(self._new_id(), administradora_id, origem, destino, reply.modelo, "proposto", autorizacao_id, em, None, None, None)
            for origem, destino in destinos.items()
        ]


def question(campos: Sequence[CampoDesconhecido], vazios: Sequence[str]) -> Question[Proposta]:
    """What the model is asked: names and shapes of fields, and the closed set of where they may belong. No value of any pedido is in it."""
    partes = (dado("destinos_vazios", vazios), dado("campos_desconhecidos", campos))
    return Question(
        agente=AGENTE,
        prompt=load_prompt("crivo.autorizacoes", "mapeamento.md"),
        partes=partes,
        resposta=Proposta,
        nonce=new_nonce(),
        temperatura=_TEMPERATURA,
        espera_seconds=_ESPERA_SECONDS,
    )


class Mapeamentos:
    """Proposals as a person sees them: nothing is applied before one is confirmed, and each decision has its reason."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def listar(self, scope: Scope, situacao: Situacao | None = None) -> list[Mapeamento]:
        """Proposals, those that wait for a person first."""
        async with self._database.unit_of_work(scope) as uow:
            return await storage.list_mapeamentos(uow, situacao)

    async def confirmar(self, scope: Scope, mapeamento_id: UUID, motivo: str) -> Mapeamento:
        """Let the administradora's table grow by a proposal, for decisions from now on; confirming it again changes nothing.

        Raises MapeamentoNotFound, MapeamentoDecidido, MotivoAusente.
        """
        return await self._decide(scope, mapeamento_id, "confirmado", motivo)

    async def recusar(self, scope: Scope, mapeamento_id: UUID, motivo: str) -> Mapeamento:
        """Refuse a proposal: it is kept, so that it is not made again. Raises as `confirmar`."""
        return await self._decide(scope, mapeamento_id, "recusado", motivo)

    async def _decide(self, scope: Scope, mapeamento_id: UUID, situacao: Situacao, motivo: str) -> Mapeamento:
        if not motivo.strip():
            raise MotivoAusente("Diga por que a proposta é confirmada ou recusada; o motivo fica na auditoria.")
        async with self._database.unit_of_work(scope) as uow:
            found = await storage.lock_mapeamento(uow, mapeamento_id)
            if found is None:
                raise MapeamentoNotFound(
                    "Não há proposta com este identificador. Veja as que existem com 'crivo autorizacoes mapeamentos listar'."
                )
            if found.situacao == situacao:
                return found
            if found.situacao != "proposto":
                raise MapeamentoDecidido(
                    f"Esta proposta já foi {found.situacao[:-1]}a. Para mudar a tabela da administradora, use 'crivo autorizacoes campos'."
                )
            em = self._clock.now()
            dados: dict[str, Any] = {"origem": found.origem, "destino": found.destino, "motivo": motivo.strip()}
            if situacao == "confirmado":
                versao = await advance_catalogo(uow)
                tabela = (await campos_at(uow, versao)).get(found.administradora_id, {})
                await insert_campos(uow, found.administradora_id, {**tabela, found.origem: found.destino}, versao, em)
                dados["catalogo_versao"] = versao
            decided = replace(found, situacao=situacao, decidido_em=em, decidido_por=scope.ator, motivo=motivo.strip())
            await storage.conclude_mapeamento(uow, decided)
            await append(uow, em, [NewEntry(acao=f"mapeamento.{situacao}", alvo=str(found.id), dados=dados)])
        return decided
