"""Use cases of whoever looks after deliveries: where decisions go, what waits and why, and what is done about it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from crivo.autorizacoes.entregas import storage
from crivo.autorizacoes.entregas.assinatura import SECRET_BYTES, written
from crivo.autorizacoes.entregas.aviso import job_of
from crivo.autorizacoes.entregas.contracts import (
    CANAIS,
    CONTEUDOS,
    EVENTOS,
    Canal,
    Conteudo,
    Destino,
    Entrega,
    EstadoDoDestino,
    Evento,
    Falha,
    Fila,
    SituacaoDaEntrega,
    Tentativa,
)
from crivo.autorizacoes.entregas.endereco import Alvo, read_alvo
from crivo.autorizacoes.entregas.entregador import KEPT, Entregador, insists_until
from crivo.autorizacoes.entregas.erros import DestinoInvalido, DestinoNotFound, DestinoNoutraSituacao, DestinosDemais, EntregaNotFound
from crivo.kernel.access import asks
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.cartas import EnderecoInvalido, read_endereco
from crivo.kernel.clock import Clock
from crivo.kernel.enderecos import Rede
from crivo.kernel.jobs.fila import Fila as FilaDeTrabalhos
from crivo.kernel.storage.session import Database, UnitOfWork
from crivo.kernel.tenancy import Scope

MOST_DESTINATIONS: Final = 10
PAGE: Final = 50
BOTH_VALID: Final = timedelta(hours=24)
"""How long the secret before a rotation signs too."""
LONGEST_NAME: Final = 100
_AVISOS: Final[Mapping[Falha | None, str]] = {
    "sem_nome": "O nome do servidor não foi encontrado agora. O destino ficou registrado, e nada chega lá enquanto o nome não existir: "
    "confira o endereço.",
    "endereco_proibido": "O nome do servidor leva a uma rede interna, e nada será enviado para lá. Registre o endereço pelo qual o sistema "
    "é visto de fora; ou, se a rede é sua, quem cuida da instalação a nomeia em CRIVO_ENTREGA_REDES.",
}
_SEM_EMAIL: Final = (
    "Esta instalação não envia e-mail: cada aviso fica gravado em Cartas (/admin/cartas), para alguém enviar. "
    "Para que saiam, quem cuida da instalação define CRIVO_SMTP_URL."
)
OndeLeva = Callable[[Alvo, Sequence[Rede]], Awaitable[Falha | None]]
_NOT_HERE: Final = "Este destino não existe nesta organização, ou foi removido. Volte à lista de entregas."


@dataclass(frozen=True, slots=True)
class Proposto:
    """A destination as it is asked for."""

    nome: str
    canal: Canal
    endereco: str = field(repr=False)
    eventos: tuple[Evento, ...] = EVENTOS
    conteudo: Conteudo = "inteiro"


@dataclass(frozen=True, slots=True)
class Registrado:
    """A destination that was just registered; `segredo` is shown this once, and empty where nothing is signed. `aviso` is why nothing
    would reach it as things are, empty where it may.
    """

    destino: Destino
    segredo: str = field(repr=False)
    aviso: str = ""


@dataclass(frozen=True, slots=True)
class DestinoVisto:
    """A destination, what waits for it, and whether what goes to it by e-mail is written to files alone."""

    destino: Destino
    fila: Fila
    so_grava: bool = False

    @property
    def estado(self) -> EstadoDoDestino:
        """How it fares: one reading for pages and commands."""
        if self.destino.situacao != "ativo":
            return self.destino.situacao
        if self.so_grava:
            return "so_grava"
        return "nao_recebe" if self.destino.falhas_seguidas else "recebendo"

    def descansa(self, agora: datetime) -> bool:
        """Whether nothing is tried for now, as what was tried failed."""
        until = self.destino.descansa_ate
        return self.destino.situacao == "ativo" and until is not None and until > agora


@dataclass(frozen=True, slots=True)
class EntregaVista:
    """A delivery with every try of it."""

    entrega: Entrega
    tentativas: tuple[Tentativa, ...]


class Entregas:
    """Where the decisions of an organisation go, and how that fares."""

    def __init__(
        self,
        database: Database,
        fila: FilaDeTrabalhos,
        clock: Clock,
        new_id: Callable[[], UUID],
        random_bytes: Callable[[int], bytes],
        entregador: Entregador,
        leva: OndeLeva,
        redes: Sequence[Rede] = (),
        *,
        envia_cartas: bool = True,
    ) -> None:
        """`leva` tells where the name of an address leads; `redes` are one's own networks that may be written to; `envia_cartas` is whether
        letters leave by a server, or are written to files.
        """
        self._database = database
        self._fila = fila
        self._clock = clock
        self._new_id = new_id
        self._random = random_bytes
        self._entregador = entregador
        self._leva = leva
        self._redes = tuple(redes)
        self._envia_cartas = envia_cartas

    @asks("entregas.ver")
    async def listar(self, scope: Scope) -> tuple[DestinoVisto, ...]:
        """Every destination, with what waits for it."""
        async with self._database.unit_of_work(scope) as uow:
            waiting = await storage.waiting(uow)
            return tuple([self._visto(one, waiting.get(one.id, Fila(0, None))) for one in await storage.destinos(uow)])

    @asks("entregas.ver")
    async def obter(self, scope: Scope, destino_id: UUID) -> DestinoVisto:
        """A destination, with what waits for it. Raises DestinoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            return self._visto(await _get(uow, destino_id), await storage.queued(uow, destino_id))

    @asks("entregas.administrar")
    async def registrar(self, scope: Scope, proposto: Proposto) -> Registrado:
        """Have decisions go somewhere from now on. Raises DestinoInvalido, DestinosDemais."""
        novo = self._read(proposto)
        if novo.canal == "email":
            aviso = "" if self._envia_cartas else _SEM_EMAIL
        else:
            aviso = _AVISOS.get(await self._leva(read_alvo(novo.endereco, self._redes), self._redes), "")
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            if await storage.count(uow) >= MOST_DESTINATIONS:
                raise DestinosDemais(f"Cada organização tem até {MOST_DESTINATIONS} destinos. Remova um que não se usa mais.")
            if any((one.endereco, one.nome) == (novo.endereco, novo.nome) for one in await storage.destinos(uow)):
                raise DestinoInvalido("Já há um destino com este nome e este endereço.", campo="endereco")
            await storage.add(uow, novo, now)
            dados = {"canal": novo.canal, "eventos": list(novo.eventos), "conteudo": novo.conteudo}
            await append(uow, now, [NewEntry(acao="entregas.registrado", alvo=f"destino:{novo.id}", dados=dados)])
            destino = await _get(uow, novo.id)
        return Registrado(destino, "" if novo.segredo is None else written(novo.segredo), aviso)

    @asks("entregas.administrar")
    async def girar_segredo(self, scope: Scope, destino_id: UUID) -> str:
        """A new secret, shown this once; the one before it signs too for a day. Raises DestinoNotFound, DestinoNoutraSituacao."""
        now = self._clock.now()
        segredo = self._random(SECRET_BYTES)
        async with self._database.unit_of_work(scope) as uow:
            await _get(uow, destino_id)
            if not await storage.rotate(uow, destino_id, segredo, now + BOTH_VALID):
                raise DestinoNoutraSituacao("Um aviso por e-mail não é assinado: não há segredo a trocar.")
            await append(uow, now, [NewEntry(acao="entregas.segredo_trocado", alvo=f"destino:{destino_id}")])
        return written(segredo)

    @asks("entregas.administrar")
    async def pausar(self, scope: Scope, destino_id: UUID) -> None:
        """Send nothing to a destination until it goes on; what comes meanwhile waits. Raises DestinoNotFound, DestinoNoutraSituacao."""
        async with self._database.unit_of_work(scope) as uow:
            await _get(uow, destino_id)
            if not await storage.set_situacao(uow, destino_id, ("ativo",), "pausado"):
                raise DestinoNoutraSituacao("Este destino já não estava recebendo. Abra a página dele e veja como está.")
            await append(uow, self._clock.now(), [NewEntry(acao="entregas.pausado", alvo=f"destino:{destino_id}")])

    @asks("entregas.administrar")
    async def retomar(self, scope: Scope, destino_id: UUID) -> None:
        """Go on with a destination that was paused or turned off; what waits goes now. Raises DestinoNotFound, DestinoNoutraSituacao."""
        async with self._database.unit_of_work(scope) as uow:
            await _get(uow, destino_id)
            if not await storage.set_situacao(uow, destino_id, ("pausado", "desligado"), "ativo"):
                raise DestinoNoutraSituacao("Este destino já está recebendo.")
            await append(uow, self._clock.now(), [NewEntry(acao="entregas.retomado", alvo=f"destino:{destino_id}")])
            await self._fila.defer(uow, [job_of(destino_id)])

    @asks("entregas.administrar")
    async def remover(self, scope: Scope, destino_id: UUID) -> int:
        """Have nothing more go to a destination, what waits neither; how many waited. Raises DestinoNotFound."""
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            await _get(uow, destino_id)
            await storage.set_situacao(uow, destino_id, ("ativo", "pausado", "desligado"), "removido")
            cancelled = await storage.cancel_all(uow, destino_id, now)
            await append(uow, now, [NewEntry(acao="entregas.removido", alvo=f"destino:{destino_id}", dados={"canceladas": cancelled})])
        return cancelled

    @asks("entregas.administrar")
    async def enviar_exemplo(self, scope: Scope, destino_id: UUID) -> UUID:
        """Send a message that tells of nothing, to see that messages come through: its id. Raises as `pausar`."""
        now, entrega_id = self._clock.now(), self._new_id()
        async with self._database.unit_of_work(scope) as uow:
            destino = await _get(uow, destino_id)
            _require_active(destino)
            await storage.post_example(uow, entrega_id, destino_id, now, insists_until(now))
            await self._go_now(uow, destino)
            await append(uow, now, [NewEntry(acao="entregas.exemplo", alvo=f"destino:{destino_id}")])
        return entrega_id

    @asks("entregas.ver")
    async def entregas(self, scope: Scope, destino_id: UUID, situacao: SituacaoDaEntrega | None = None) -> tuple[Entrega, ...]:
        """The last fifty deliveries to a destination, the newest first. Raises DestinoNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            destino = await _get(uow, destino_id)
            return await self._told(uow, destino, await storage.page(uow, destino_id, situacao, PAGE))

    @asks("entregas.ver")
    async def entrega(self, scope: Scope, destino_id: UUID, entrega_id: UUID) -> EntregaVista:
        """A delivery with its tries. Raises DestinoNotFound, EntregaNotFound."""
        async with self._database.unit_of_work(scope) as uow:
            destino = await _get(uow, destino_id)
            (entrega,) = await self._told(uow, destino, [await _delivery(uow, destino_id, entrega_id)])
            return EntregaVista(entrega, await storage.tries_of(uow, entrega_id))

    @asks("entregas.administrar")
    async def reenviar(self, scope: Scope, destino_id: UUID, entrega_id: UUID) -> None:
        """Send a delivery now, again where it had come through; under its own id. Raises EntregaNotFound, and as `pausar`."""
        now = self._clock.now()
        async with self._database.unit_of_work(scope) as uow:
            destino = await _get(uow, destino_id)
            _require_active(destino)
            await _delivery(uow, destino_id, entrega_id)
            await storage.again(uow, entrega_id, now, insists_until(now))
            await self._go_now(uow, destino)
            await append(uow, now, [NewEntry(acao="entrega.reenviada", alvo=f"entrega:{entrega_id}")])

    @asks("entregas.entregar")
    async def entregar_agora(self, scope: Scope) -> Mapping[UUID, int]:
        """Deliver in this process what may go now; how many were tried, by destination."""
        async with self._database.unit_of_work(scope) as uow:
            found = await storage.destinos(uow)
        return {one.id: await self._entregador.deliver(scope, one.id) for one in found}

    @asks("entregas.entregar")
    async def limpar(self, scope: Scope) -> int:
        """Forget what came to its end more than thirty days ago, with its tries; how many."""
        async with self._database.unit_of_work(scope) as uow:
            return await storage.clear_ended(uow, self._clock.now() - KEPT)

    def _visto(self, destino: Destino, fila: Fila) -> DestinoVisto:
        return DestinoVisto(destino, fila, destino.canal == "email" and not self._envia_cartas)

    async def _told(self, uow: UnitOfWork, destino: Destino, entregas: Sequence[Entrega]) -> tuple[Entrega, ...]:
        """Deliveries with what became of their letters, where they are letters."""
        return await self._entregador.with_letters(uow, entregas) if destino.canal == "email" else tuple(entregas)

    async def _go_now(self, uow: UnitOfWork, destino: Destino) -> None:
        """What a person asks for does not wait for a destination to have rested."""
        if destino.descansa_ate is not None:
            await storage.rest(uow, destino.id, self._clock.now())
        await self._fila.defer(uow, [job_of(destino.id)])

    def _read(self, proposto: Proposto) -> storage.Novo:
        """Raises DestinoInvalido with the field at fault."""
        nome = " ".join(proposto.nome.split())
        if not 1 <= len(nome) <= LONGEST_NAME or not nome.isprintable():
            raise DestinoInvalido(f"Dê um nome ao destino, como o do sistema que recebe, com até {LONGEST_NAME} letras.", campo="nome")
        if proposto.canal not in CANAIS:
            raise DestinoInvalido("Escolha como a decisão chega: a um endereço de sistema ou por e-mail.", campo="canal")
        if not proposto.eventos or not set(proposto.eventos) <= set(EVENTOS):
            raise DestinoInvalido("Marque ao menos uma das coisas que se avisam.", campo="eventos")
        if proposto.conteudo not in CONTEUDOS:
            raise DestinoInvalido("Escolha o que vai em cada mensagem.", campo="conteudo")
        eventos = tuple([one for one in EVENTOS if one in proposto.eventos])
        if proposto.canal == "email":
            try:
                endereco = read_endereco(proposto.endereco)
            except EnderecoInvalido as error:
                raise DestinoInvalido(error.mensagem, campo="endereco") from None
            return storage.Novo(self._new_id(), nome, "email", endereco, eventos, "resumido", None)
        endereco = read_alvo(proposto.endereco, self._redes).escrito
        return storage.Novo(self._new_id(), nome, "webhook", endereco, eventos, proposto.conteudo, self._random(SECRET_BYTES))


def _require_active(destino: Destino) -> None:
    if destino.situacao != "ativo":
        raise DestinoNoutraSituacao("Este destino não está recebendo. Retome-o antes.")


async def _get(uow: UnitOfWork, destino_id: UUID) -> Destino:
    found = await storage.destino(uow, destino_id)
    if found is None:
        raise DestinoNotFound(_NOT_HERE)
    return found


async def _delivery(uow: UnitOfWork, destino_id: UUID, entrega_id: UUID) -> Entrega:
    found = await storage.find(uow, entrega_id)
    if found is None or found.destino_id != destino_id:
        raise EntregaNotFound("Esta entrega não está na lista deste destino. Ela é esquecida 30 dias depois de terminar.")
    return found
