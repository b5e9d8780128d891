"""One round after another: load, a death at a random moment, a restart, and the reckoning."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from threading import Event
from typing import Final

import msgspec

from bench.instalacao import ESCOPO, Instalacao
from bench.pedidos import Sorte
from bench.servidor import Servidor
from bench.torture.clientes import CLIENTES, Cliente, Envio, Leitura, Placar, Promessa, read_back, send_all, send_until
from crivo.bootstrap import open_container
from crivo.kernel.audit import verify_tenant
from crivo.kernel.storage.embedded import embedded_status

BANCO_A_CADA: Final = 4
_LOAD_SECONDS: Final = (0.2, 1.5)
_BETWEEN_DEATHS_SECONDS: Final = 0.05


class Contagem(msgspec.Struct, kw_only=True):
    """What a run of rounds came to: what happened first, then what must never happen."""

    rodadas: int = 0
    bancos_mortos: int = 0
    confirmados: int = 0
    achados: int = 0
    reenviados: int = 0
    reenviados_ja_guardados: int = 0
    reinicio_mais_lento_s: float = 0.0
    perdidos: int = 0
    alterados: int = 0
    em_dobro: int = 0
    sem_resposta: int = 0
    sem_registro: int = 0
    quebras_na_cadeia: int = 0

    @property
    def whole(self) -> bool:
        """Whether something was promised, all of it was kept, once, and the chain holds."""
        faults = (self.perdidos, self.alterados, self.em_dobro, self.sem_resposta, self.sem_registro, self.quebras_na_cadeia)
        return self.confirmados > 0 and self.achados == self.confirmados and not any(faults)


class Tortura:
    """A server, its clients, and what they have been promised so far."""

    def __init__(self, instalacao: Instalacao, pedidos: Sequence[bytes], semente: int) -> None:
        self._instalacao = instalacao
        self._servidor = Servidor(instalacao)
        self._sorte = Sorte(semente)
        # A map over a count may be drawn from by many threads at once; a generator may not.
        self._envios = map(partial(_envio, pedidos), count())
        self._promessas: list[Promessa] = []
        self._perdidas: set[str] = set()
        self._alteradas: set[str] = set()
        self._contagem = Contagem()

    def run(self, rodadas: int, on_round: Callable[[Contagem], None] = lambda _: None) -> Contagem:
        """So many deaths, each with its reckoning, and at the end a reading of every promise ever made."""
        try:
            self._restart()
            for rodada in range(1, rodadas + 1):
                self._round(kills_database=rodada % BANCO_A_CADA == 0)
                on_round(self._contagem)
            self._contagem.achados = self._read_back(self._promessas).achadas
        finally:
            self._servidor.stop()
        return self._contagem

    async def reckon(self) -> Contagem:
        """With the server at rest, count in the database what it cannot be asked: decisions made twice, and those untold in the chain."""
        async with open_container(self._instalacao.settings()) as container, container.database.unit_of_work(ESCOPO) as uow:
            stored = (await uow.connection.exec_driver_sql("select count(*) from autorizacoes")).scalar_one()
            told = (await uow.connection.exec_driver_sql("select count(*) from auditoria where acao = 'autorizacao.decidida'")).scalar_one()
            verification = await verify_tenant(uow)
        self._contagem.em_dobro = max(0, stored - len(self._promessas))
        self._contagem.sem_registro = abs(stored - told)
        self._contagem.quebras_na_cadeia += len(verification.quebras)
        return self._contagem

    def _round(self, *, kills_database: bool) -> None:
        placar = self._load_until_death(kills_database=kills_database)
        self._restart()
        self._read_back(placar.promessas)
        again = send_all(self._open_cliente, placar.sem_resposta)
        self._promessas += [*placar.promessas, *again.promessas]
        contagem = self._contagem
        contagem.rodadas += 1
        contagem.bancos_mortos += kills_database
        contagem.confirmados = len(self._promessas)
        contagem.reenviados += len(placar.sem_resposta)
        contagem.reenviados_ja_guardados += sum(promessa.repetida for promessa in again.promessas)
        contagem.sem_resposta += len(again.sem_resposta)
        contagem.quebras_na_cadeia += not self._chain_holds()

    def _load_until_death(self, *, kills_database: bool) -> Placar:
        ended = Event()
        with ThreadPoolExecutor(CLIENTES) as pool:
            clients = [pool.submit(send_until, ended, self._open_cliente, self._envios) for _ in range(CLIENTES)]
            time.sleep(self._sorte.uniform(*_LOAD_SECONDS))
            if kills_database:
                self._kill_database()
                time.sleep(self._sorte.uniform(0, _BETWEEN_DEATHS_SECONDS))
            self._servidor.kill()
            ended.set()
            told = [client.result() for client in clients]
        return Placar([p for placar in told for p in placar.promessas], [e for placar in told for e in placar.sem_resposta])

    def _kill_database(self) -> None:
        """End the server process of this installation's own cluster, known by the pid in its data folder; its children follow it."""
        pid = embedded_status(self._instalacao.pasta).pid
        if pid is not None:
            os.kill(pid, signal.SIGKILL)

    def _restart(self) -> None:
        self._contagem.reinicio_mais_lento_s = round(max(self._contagem.reinicio_mais_lento_s, self._servidor.start()), 2)

    def _read_back(self, promessas: list[Promessa]) -> Leitura:
        leitura = read_back(self._open_cliente, promessas)
        self._perdidas.update(leitura.perdidas)
        self._alteradas.update(leitura.alteradas)
        self._contagem.perdidos, self._contagem.alterados = len(self._perdidas), len(self._alteradas)
        return leitura

    def _chain_holds(self) -> bool:
        with self._open_cliente() as cliente:
            answered = cliente.get("/api/auditoria/verificacao")
        return answered is not None and json.loads(answered)["integra"] is True

    def _open_cliente(self) -> Cliente:
        return Cliente(self._servidor.porta, self._instalacao.chave)


def _envio(pedidos: Sequence[bytes], numero: int) -> Envio:
    return Envio(f"tortura-{numero}", pedidos[numero % len(pedidos)])
