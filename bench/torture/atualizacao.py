"""An installation brought to another version while it is used: servers and workers are replaced one after the other, under load.

The old version is the last one before the newest schema, from the repository's own history; where that is not at hand, the same code runs
in its place, and only the replacing is tried.
"""

from __future__ import annotations

import subprocess
import tarfile
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Final

import httpx
import msgspec

from bench.inscricoes import write_call
from bench.instalacao import RAIZ
from bench.pedidos import Sorte, draw_carga
from bench.torture.casa import Casa, house
from bench.torture.clientela import Clientela
from bench.torture.contas_da_rede import clients_of, reckon
from crivo.kernel.storage import migrating

PROJETOS: Final = 30
_PEDIDOS: Final = 500
_CALM_SECONDS: Final = (1.0, 3.0)  # between one replacement and the next
_LONGEST_SECONDS: Final = 300.0
_SERVERS: Final = ("servidor1", "servidor2")
_WORKERS: Final = ("trabalhador1", "trabalhador2", "trabalhador3")
_MIGRATING: Final = "src/crivo/kernel/storage/migrating.py"

Tell = Callable[[str], None]


class Atualizacao(msgspec.Struct, kw_only=True):
    """What came of the replacements: what happened first, then what must never happen."""

    rodadas: int = 0
    trocas: int = 0
    de_esquema: str = ""
    para_esquema: str = ""
    confirmados: int = 0
    achados: int = 0
    reenvios: int = 0
    reenvios_ja_guardados: int = 0
    maior_espera_s: float = 0.0
    triagens: int = 0
    perdidos: int = 0
    alterados: int = 0
    em_dobro: int = 0
    sem_resposta: int = 0
    sem_registro: int = 0
    quebras_na_cadeia: int = 0
    triagens_sem_fim: int = 0
    projetos_com_erro: int = 0

    @property
    def whole(self) -> bool:
        """Whether something was promised meanwhile, all of it was kept, once, and what was screened meanwhile came to its end."""
        faults = (self.perdidos, self.alterados, self.em_dobro, self.sem_resposta, self.sem_registro, self.quebras_na_cadeia)
        more = (self.triagens_sem_fim, self.projetos_com_erro)
        return self.trocas > 0 and self.confirmados > 0 and self.achados == self.confirmados and not any((*faults, *more))


def upgrade(pasta: Path, rodadas: int = 1, semente: int = 1, projetos: int = PROJETOS, tell: Tell = lambda _: None) -> Atualizacao:
    """In each round the whole installation is replaced under load, the first time from the version before; the counts of all rounds."""
    pasta.mkdir(parents=True, exist_ok=True)
    contas, sorte = Atualizacao(rodadas=rodadas), Sorte(semente)
    before = previous_code(pasta / "anterior")
    with house(pasta / "rede", [*_SERVERS, *_WORKERS], codigo=before or RAIZ) as casa:
        contas.de_esquema, contas.para_esquema = _schema(casa), migrating.HEAD
        _start_all(casa, before or RAIZ)
        tell(f"no ar com o esquema {contas.de_esquema}, {'da versão anterior' if before else 'da mesma versão'}")
        with Clientela(len(_SERVERS), clients_of(casa), draw_carga(_PEDIDOS, semente=semente).pedidos, "troca") as clientela:
            for rodada in range(rodadas):
                edital = f"TROCA-{rodada}"
                path = write_call(pasta / edital, projetos, edital, rodada + 1)
                casa.prepare("importar", str(path), codigo=(before or RAIZ) if rodada == 0 else RAIZ)
                asked = _ask(casa, edital)
                _replace_all(casa, contas, sorte)
                contas.triagens += 1
                _see_through(casa, edital, contas, asked=asked)
                tell(
                    f"{contas.trocas} trocas: {len(clientela.atendimento.promessas)} confirmados, {clientela.atendimento.reenvios} reenvios"
                )
        contas.para_esquema = _schema(casa)
        told = clientela.atendimento
        kept = reckon(casa, pasta / "conta", told.promessas)
        contas.confirmados, contas.achados, contas.reenvios = len(told.promessas), kept.achados, told.reenvios
        contas.reenvios_ja_guardados, contas.maior_espera_s, contas.sem_resposta = told.repetidas, told.maior_espera_s, told.desistencias
        contas.perdidos, contas.alterados, contas.em_dobro = kept.perdidos, kept.alterados, kept.em_dobro
        contas.sem_registro, contas.quebras_na_cadeia = kept.sem_registro, kept.quebras_na_cadeia
    return contas


def previous_code(pasta: Path) -> Path | None:
    """The source of the last commit whose schema is older than this one's, laid out in a folder; None where history does not reach it."""
    made = f'HEAD: Final = "{migrating.HEAD}"'
    found = _git("log", "--format=%H", "--reverse", f"-S{made}", "--", _MIGRATING)
    if not found:
        return None
    archive = _git("archive", f"{found.split()[0].decode()}^", "src", "tests/support")
    if not archive:
        return None
    pasta.mkdir(parents=True)
    with tarfile.open(fileobj=BytesIO(archive)) as packed:
        packed.extractall(pasta, filter="data")
    return pasta if (pasta / "src" / "crivo").is_dir() else None


def _git(*words: str) -> bytes:
    try:
        done = subprocess.run(["git", "-C", str(RAIZ), *words], capture_output=True, check=False)
    except FileNotFoundError:
        return b""
    return done.stdout if done.returncode == 0 else b""


def _schema(casa: Casa) -> str:
    return str(casa.banco.ask("select version_num from alembic_version", "crivo"))


def _start_all(casa: Casa, codigo: Path) -> None:
    for nome in _SERVERS:
        casa.server(nome, codigo, "antiga").start()
    for nome in _WORKERS:
        casa.worker(nome, codigo, "antiga").start()
    for servidor in casa.servidores.values():
        servidor.wait_ready()


def _replace_all(casa: Casa, contas: Atualizacao, sorte: Sorte) -> None:
    """One after the other, asked to end or, every third, ended on the spot; whoever starts first with the new code brings the schema."""
    for at, nome in enumerate([name for pair in zip(_SERVERS, _WORKERS, strict=False) for name in pair] + [_WORKERS[-1]]):
        time.sleep(sorte.uniform(*_CALM_SECONDS))
        old = casa.servidores.get(nome) or casa.trabalhadores[nome]
        if at % 3 == 2:
            old.kill()
        else:
            old.stop()
        if nome in casa.servidores:
            servidor = casa.server(nome)
            servidor.start()
            servidor.wait_ready()
        else:
            casa.worker(nome).start()
        contas.trocas += 1


def _ask(casa: Casa, edital: str) -> bool:
    """Have it screened, by whichever server answers."""
    headers = {"Authorization": f"Bearer {casa.chave}"}
    deadline = time.monotonic() + _LONGEST_SECONDS
    while time.monotonic() < deadline:
        for servidor in casa.servidores.values():
            try:
                said = httpx.post(
                    f"{servidor.url}/api/ia/triagem", json={"edital_id": edital, "tipo": "habilitacao"}, headers=headers, timeout=30
                )
            except httpx.TransportError:
                continue
            if said.status_code in (200, 202, 409):
                return True
        time.sleep(0.2)
    return False


def _see_through(casa: Casa, edital: str, contas: Atualizacao, *, asked: bool) -> None:
    headers = {"Authorization": f"Bearer {casa.chave}"}
    deadline = time.monotonic() + _LONGEST_SECONDS
    while asked and time.monotonic() < deadline:
        for servidor in casa.servidores.values():
            try:
                said = httpx.get(f"{servidor.url}/api/ia/triagem/{edital}/status", headers=headers, timeout=30)
            except httpx.TransportError:
                continue
            if said.status_code == 200 and (found := said.json())["status"] != "em_andamento":
                contas.triagens_sem_fim += found["status"] != "concluida"
                contas.projetos_com_erro += found["projetos_com_erro"]
                return
        time.sleep(0.2)
    contas.triagens_sem_fim += 1
