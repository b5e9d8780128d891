"""Everything is killed at once under load, as when the power fails; how long until a request is answered again, and what was kept.

Once with the database on a host of its own, and once embedded; both have what they had written since the last checkpoint to replay.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from bench.instalacao import install
from bench.pedidos import Carga, draw_carga
from bench.servidor import Servidor
from bench.torture.casa import Casa, house
from bench.torture.clientela import Clientela
from bench.torture.clientes import Cliente, Promessa, read_back
from bench.torture.contas_da_rede import clients_of, reckon
from crivo.kernel.storage.embedded import EmbeddedPostgres, embedded_status

META_S: Final = 5.0
_PEDIDOS: Final = 500
_SERVERS: Final = ("servidor1", "servidor2")

Tell = Callable[[str], None]


class Frio(msgspec.Struct, kw_only=True):
    """What came of it: what happened first, then what must never happen."""

    quedas: int = 0
    confirmados: int = 0
    achados: int = 0
    banco_externo_s: float = 0.0
    externo_s: float = 0.0
    embutido_s: float = 0.0
    perdidos: int = 0
    alterados: int = 0
    em_dobro: int = 0
    quebras_na_cadeia: int = 0

    @property
    def whole(self) -> bool:
        """Whether nothing that was promised was lost; how long it took is told, and no fault."""
        return self.quedas > 0 and self.confirmados > 0 and not any((self.perdidos, self.alterados, self.em_dobro, self.quebras_na_cadeia))


def start_cold(pasta: Path, vezes: int = 2, segundos: float = 5.0, tell: Tell = lambda _: None) -> Frio:
    """So many losses of everything, each after so many seconds of load, of either kind; the slowest start of each is told."""
    pasta.mkdir(parents=True, exist_ok=True)
    contas, carga = Frio(), draw_carga(_PEDIDOS)
    with house(pasta / "rede", [*_SERVERS, "trabalhador1"]) as casa:
        _start(casa)
        _start_others(casa)
        promessas: list[Promessa] = []
        for vez in range(vezes):
            with Clientela(len(_SERVERS), clients_of(casa), carga.pedidos, f"frio-{vez}") as clientela:
                time.sleep(segundos)
                promessas_then = clientela.stop_caring()
                for one in (*casa.servidores.values(), *casa.trabalhadores.values()):
                    one.kill()
                casa.banco.kill()
            promessas += promessas_then()
            contas.quedas += 1
            began = time.perf_counter()
            contas.banco_externo_s = max(contas.banco_externo_s, round(casa.banco.start(), 2))
            _start(casa)
            contas.externo_s = max(contas.externo_s, round(time.perf_counter() - began, 2))
            _start_others(casa)
        kept = reckon(casa, pasta / "conta", promessas)
        contas.confirmados, contas.achados = len(promessas), kept.achados
        contas.perdidos, contas.alterados, contas.quebras_na_cadeia = kept.perdidos, kept.alterados, kept.quebras_na_cadeia
    tell(f"banco em outra máquina: de volta em {contas.externo_s} s, dos quais {contas.banco_externo_s} s do PostgreSQL")
    _embedded(pasta / "embutido", carga, vezes, segundos, contas)
    tell(f"banco embutido: de volta em {contas.embutido_s} s")
    return contas


def _start(casa: Casa) -> None:
    """The server whose start is timed: alone, as on a machine of its own; the others share this one's processors."""
    servidor = casa.server(_SERVERS[0])
    servidor.start()
    servidor.wait_ready()


def _start_others(casa: Casa) -> None:
    for nome in _SERVERS[1:]:
        casa.server(nome).start()
    casa.worker("trabalhador1").start()
    for nome in _SERVERS[1:]:
        casa.servidores[nome].wait_ready()


def _embedded(pasta: Path, carga: Carga, vezes: int, segundos: float, contas: Frio) -> None:
    instalacao = install(pasta, carga.politicas)
    servidor = Servidor(instalacao)
    servidor.start()
    try:
        for vez in range(vezes):
            with Clientela(1, lambda _: Cliente(servidor.porta, instalacao.chave), carga.pedidos, f"embutido-{vez}") as clientela:
                time.sleep(segundos)
                promessas_then = clientela.stop_caring()
                pid = embedded_status(pasta).pid
                if pid is not None:
                    os.kill(pid, signal.SIGKILL)
                servidor.kill()
            promessas = promessas_then()
            contas.quedas += 1
            contas.embutido_s = max(contas.embutido_s, round(servidor.start(), 2))
            found = read_back(lambda: Cliente(servidor.porta, instalacao.chave), promessas)
            contas.confirmados += len(promessas)
            contas.achados += found.achadas
            contas.perdidos += len(found.perdidas)
            contas.alterados += len(found.alteradas)
    finally:
        servidor.stop()
        embedded = EmbeddedPostgres(pasta)
        embedded.start()
        embedded.release()
