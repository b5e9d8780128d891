"""The database's primary is lost under load, by kill -9 or by its cable, and its standby promoted: whoever asks finds it.

The standby follows in step (`synchronous_standby_names`), so that what was answered with 200 is on both; `CRIVO_DATABASE_URL` names both.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

import httpx
import msgspec

from bench.inscricoes import write_call
from bench.pedidos import Sorte, draw_carga
from bench.torture.casa import Casa, house
from bench.torture.clientela import Clientela
from bench.torture.contas_da_rede import clients_of, reckon

PROJETOS: Final = 20
_PEDIDOS: Final = 500
_CALM_SECONDS: Final = (2.0, 5.0)  # of load before the primary is lost
_NOTICED_SECONDS: Final = 1.0  # until whoever watches over the database has made sure that it is lost
_AFTER_SECONDS: Final = 6.0  # of load on the new one
_LONGEST_SECONDS: Final = 300.0
_SERVERS: Final = ("servidor1", "servidor2")
_WORKERS: Final = ("trabalhador1", "trabalhador2")

Tell = Callable[[str], None]


class Primario(msgspec.Struct, kw_only=True):
    """What came of the failures: what happened first, then what must never happen."""

    quedas: int = 0
    cabos_puxados: int = 0
    confirmados: int = 0
    achados: int = 0
    reenvios: int = 0
    reenvios_ja_guardados: int = 0
    promocao_mais_lenta_s: float = 0.0
    volta_mais_lenta_s: float = 0.0
    triagens: int = 0
    perdidos: int = 0
    alterados: int = 0
    em_dobro: int = 0
    sem_resposta: int = 0
    sem_registro: int = 0
    quebras_na_cadeia: int = 0
    servidores_caidos: int = 0
    triagens_sem_fim: int = 0

    @property
    def whole(self) -> bool:
        """Whether primaries were lost, nothing that was promised was, and servers and workers went on without being started again."""
        faults = (self.perdidos, self.alterados, self.em_dobro, self.sem_resposta, self.sem_registro, self.quebras_na_cadeia)
        more = (self.servidores_caidos, self.triagens_sem_fim)
        return self.quedas > 0 and self.confirmados > 0 and self.achados == self.confirmados and not any((*faults, *more))


def fail_over(pasta: Path, quedas: int = 2, semente: int = 1, projetos: int = PROJETOS, tell: Tell = lambda _: None) -> Primario:
    """So many losses of the primary, every second one by its cable; after each, the one that was lost becomes the standby."""
    pasta.mkdir(parents=True, exist_ok=True)
    contas, sorte = Primario(), Sorte(semente)
    with house(pasta / "rede", [*_SERVERS, *_WORKERS], bancos=2) as casa:
        for nome in _SERVERS:
            casa.server(nome).start()
        for nome in _WORKERS:
            casa.worker(nome).start()
        for servidor in casa.servidores.values():
            servidor.wait_ready()
        tell("no ar, com um primário e uma reserva em passo com ele")
        with Clientela(len(_SERVERS), clients_of(casa), draw_carga(_PEDIDOS, semente=semente).pedidos, "primario") as clientela:
            for queda in range(1, quedas + 1):
                edital = f"PRIMARIO-{queda}"
                casa.prepare("importar", str(write_call(pasta / edital, projetos, edital, queda)))
                _ask(casa, edital)
                time.sleep(sorte.uniform(*_CALM_SECONDS))
                _lose(casa, contas, clientela, by_cable=queda % 2 == 0)
                _see_through(casa, edital, contas)
                _rejoin(casa)
                so_far = clientela.atendimento
                tell(f"{queda}ª queda do primário: {len(so_far.promessas)} confirmados; de volta em até {contas.volta_mais_lenta_s} s")
        running = [*casa.servidores.values(), *casa.trabalhadores.values()]
        contas.servidores_caidos = sum(one.process is None or one.process.poll() is not None for one in running)
        told = clientela.atendimento
        kept = reckon(casa, pasta / "conta", told.promessas)
        contas.confirmados, contas.achados, contas.reenvios = len(told.promessas), kept.achados, told.reenvios
        contas.reenvios_ja_guardados, contas.sem_resposta = told.repetidas, told.desistencias
        contas.perdidos, contas.alterados, contas.em_dobro = kept.perdidos, kept.alterados, kept.em_dobro
        contas.sem_registro, contas.quebras_na_cadeia = kept.sem_registro, kept.quebras_na_cadeia
    return contas


def _lose(casa: Casa, contas: Primario, clientela: Clientela, *, by_cable: bool) -> None:
    """Lose the primary and promote the standby; the seconds are those from the promotion to the first promise after it."""
    lost, standby = casa.bancos[0], casa.bancos[1]
    if by_cable and casa.rede.separadas:
        lost.maquina.unplug()
        contas.cabos_puxados += 1
    else:
        lost.kill()
    contas.quedas += 1
    time.sleep(_NOTICED_SECONDS)
    began = time.monotonic()
    standby.promote()
    contas.promocao_mais_lenta_s = max(contas.promocao_mais_lenta_s, round(time.monotonic() - began, 2))
    before = len(clientela.atendimento.promessas)
    while len(clientela.atendimento.promessas) == before and time.monotonic() - began < _LONGEST_SECONDS:
        time.sleep(0.02)
    contas.volta_mais_lenta_s = max(contas.volta_mais_lenta_s, round(time.monotonic() - began, 2))
    lost.kill()  # what was cut off is never let near the others again as it is
    lost.maquina.plug()
    casa.bancos = (standby, lost)
    time.sleep(_AFTER_SECONDS)


def _rejoin(casa: Casa) -> None:
    """What was the primary copies the new one, and follows it."""
    casa.bancos[1].follow(casa.bancos[0])


def _ask(casa: Casa, edital: str) -> None:
    servidor = next(iter(casa.servidores.values()))
    said = httpx.post(
        f"{servidor.url}/api/ia/triagem",
        json={"edital_id": edital, "tipo": "habilitacao"},
        headers={"Authorization": f"Bearer {casa.chave}"},
        timeout=60,
    )
    said.raise_for_status()


def _see_through(casa: Casa, edital: str, contas: Primario) -> None:
    """Wait for the end of what was being screened as the primary was lost."""
    contas.triagens += 1
    servidor = next(iter(casa.servidores.values()))
    deadline = time.monotonic() + _LONGEST_SECONDS
    while time.monotonic() < deadline:
        try:
            said = httpx.get(
                f"{servidor.url}/api/ia/triagem/{edital}/status", headers={"Authorization": f"Bearer {casa.chave}"}, timeout=60
            )
        except httpx.TransportError:
            continue
        if said.status_code == 200 and (found := said.json())["status"] != "em_andamento":
            contas.triagens_sem_fim += found["status"] != "concluida" or bool(found["projetos_com_erro"])
            return
        time.sleep(0.3)
    contas.triagens_sem_fim += 1
