"""One installation on many hosts: its database, servers, workers and clinics, each where it would be, and nothing shared but the database.

What they do share is written here as it would be by whoever installs it: `CRIVO_DATABASE_URL`, `CRIVO_CHAVE_MESTRA`, the registry of the
clinics, and a clinic's `chaves.json`.
"""

from __future__ import annotations

import base64
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import httpx
import msgspec

from bench.instalacao import ESCOPO, RAIZ, python
from bench.servidor import free_port
from bench.torture.porta_tls import write_certificate
from bench.torture.postgres import Postgres, both
from bench.torture.rede import Maquina, Rede, network
from crivo.bootstrap import open_container
from crivo.clinicas.registro import REGISTRO_PADRAO, Clinica
from crivo.kernel.access import Sessoes
from crivo.kernel.access.usuarios import create_usuario
from crivo.kernel.identity import Uuid7
from crivo.kernel.settings import PREFIX, Settings, load_settings
from crivo.kernel.tenancy import LOCAL_TENANT

PORTA: Final = 8000
PORTA_MODELO: Final = 9099
_READY_SECONDS: Final = 240.0
_TLS_PORT: Final = 8443


class CasaFailed(Exception):
    """Something of the installation did not start."""


@dataclass(slots=True)
class Processo:
    """One server or worker on one host; `versao` says which code runs it."""

    maquina: Maquina
    comando: tuple[str, ...]
    env: Mapping[str, str]
    versao: str = "nova"
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Set it going."""
        self.process = self.maquina.start(*self.comando, env=self.env)

    def kill(self) -> None:
        """End it on the spot."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self) -> int | None:
        """Ask it to end, and wait until it has; its exit code."""
        if self.process is None:
            return None
        self.process.terminate()
        try:
            code = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        self.process = None
        return code


@dataclass(slots=True)
class Servidor(Processo):
    """One server, and where it answers."""

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://{self.maquina.endereco}:{PORTA}"

    def is_ready(self) -> bool:
        """Whether it says that it is ready."""
        try:
            return httpx.get(f"{self.url}/readyz", timeout=3).status_code == 200
        except httpx.TransportError:
            return False

    def wait_ready(self) -> float:
        """The seconds until it is ready. Raises CasaFailed."""
        began = time.perf_counter()
        while not self.is_ready():
            if (self.process is not None and self.process.poll() is not None) or time.perf_counter() - began > _READY_SECONDS:
                raise CasaFailed(f"o servidor não atendeu; veja {self.maquina.pasta / 'saida.log'}")
            time.sleep(0.02)
        return time.perf_counter() - began


@dataclass(slots=True)
class Casa:
    """The installation, with what opens it."""

    rede: Rede
    bancos: Sequence[Postgres]
    chave_mestra: str = field(repr=False)
    ajustes: Mapping[str, str]
    chave: str = field(default="", repr=False)
    servidores: dict[str, Servidor] = field(default_factory=dict)
    trabalhadores: dict[str, Processo] = field(default_factory=dict)

    @property
    def database_url(self) -> str:
        """Where the database is: both hosts of it, where there are two."""
        return both(self.bancos[0], self.bancos[1]) if len(self.bancos) > 1 else self.bancos[0].url()

    @property
    def banco(self) -> Postgres:
        """The server that takes writes, as the harness last left it."""
        return self.bancos[0]

    def settings(self, pasta: Path) -> Settings:
        """Settings by which this process opens it too."""
        return load_settings(
            None, data_dir=pasta, database_url=self.database_url, chave_mestra=self.chave_mestra, tenant=LOCAL_TENANT, agora=None
        )

    def environment(self, maquina: Maquina, codigo: Path = RAIZ) -> dict[str, str]:
        """The variables of a process on a host: its own folder, and what all share; `codigo` is the checkout that it runs."""
        kept = {name: value for name, value in os.environ.items() if not name.upper().startswith(PREFIX)}
        kept.pop("PYTHONDONTWRITEBYTECODE", None)  # each process would compile all it imports again
        told = {
            "DATABASE_URL": self.database_url,
            "CHAVE_MESTRA": self.chave_mestra,
            "DATA_DIR": str(maquina.pasta / "dados"),
            "HOST": maquina.endereco,
            "PORTA": str(PORTA),
            "HOSTS": ",".join(one.endereco for one in self.rede.maquinas.values()),
            "LIMITE_POR_MINUTO": "0",
            "PORTA_METRICAS": "0",
            "TRABALHADORES": "0",
            "LOG_NIVEL": "WARNING",
            **self.ajustes,
        }
        paths = os.pathsep.join([str(codigo / "src"), str(codigo / "tests" / "support"), str(RAIZ)])
        return {**kept, "PYTHONPATH": paths, **{PREFIX + name: value for name, value in told.items()}}

    def prepare(self, *said: str, codigo: Path = RAIZ) -> str:
        """Run `preparo` with this code on the database's own host, and what it answers. Raises CasaFailed."""
        env = self.environment(self.banco.maquina, codigo)
        done = subprocess.run(python("-m", "bench.torture.preparo", *said), env=env, capture_output=True, text=True, check=False)
        if done.returncode:
            raise CasaFailed(done.stderr[-2000:])
        return done.stdout.strip()

    def server(self, nome: str, codigo: Path = RAIZ, versao: str = "nova") -> Servidor:
        """A server on a host, which is started and waited for by whoever asks for it."""
        maquina = self.rede[nome]
        made = Servidor(maquina, tuple(python("-m", "crivo", "servir")), self.environment(maquina, codigo), versao)
        self.servidores[nome] = made
        return made

    def worker(self, nome: str, codigo: Path = RAIZ, versao: str = "nova") -> Processo:
        """A worker on a host, likewise."""
        maquina = self.rede[nome]
        made = Processo(maquina, tuple(python("-m", "crivo", "trabalhador")), self.environment(maquina, codigo), versao)
        self.trabalhadores[nome] = made
        return made


@contextmanager
def house(
    pasta: Path,
    nomes: Sequence[str],
    *,
    bancos: int = 1,
    modelo: bool = False,
    ajustes: Mapping[str, str] | None = None,
    codigo: Path = RAIZ,
) -> Iterator[Casa]:
    """An installation on hosts of these names, its database up and its políticas published; nothing else runs yet.

    `ajustes` are further settings of all its processes, without their prefix; `modelo` names a host `modelo` in them. `codigo` is the
    checkout whose schema it begins with.
    """
    named = [f"banco{at}" for at in range(1, bancos + 1)]
    with network(pasta, [*named, *nomes]) as rede:
        servers = [Postgres(rede[nome], rede.faixa) for nome in named]
        servers[0].create()
        if bancos > 1:
            servers[1].follow(servers[0])
        key = base64.b64encode(os.urandom(32)).decode()
        told = dict(ajustes or {})
        if modelo:
            told |= {"MODELO": "openai-compatible:bancada", "MODELO_URL": f"http://{rede['modelo'].endereco}:{PORTA_MODELO}/v1"}
        casa = Casa(rede, servers, key, told)
        casa.chave = casa.prepare("instalar", codigo=codigo)
        yield casa


async def invite(casa: Casa, pasta: Path, email: str, papel: str) -> str:
    """A person of the installation, and the token of a link by which they enter once."""
    async with open_container(casa.settings(pasta)) as container:
        async with container.database.unit_of_work(ESCOPO) as uow:
            now, new_id = container.clock.now(), Uuid7(container.clock).new()
            usuario = await create_usuario(uow, now, new_id, "Pessoa da Bancada", email, papel)
        return await Sessoes(container.database, container.clock).create_link(ESCOPO, usuario.ator)


def start_model(casa: Casa, segundos: float) -> None:
    """The simulated provider on the host `modelo`, whose every answer takes so long."""
    maquina = casa.rede["modelo"]
    command = python("-m", "bench.torture.provedor_na_rede", maquina.endereco, str(PORTA_MODELO), str(segundos))
    maquina.start(*command, env=casa.environment(maquina))
    _until(lambda: _answers(f"http://{maquina.endereco}:{PORTA_MODELO}/contagem"), "o modelo simulado não atendeu")


def start_clinics(casa: Casa, quem_conversa: Sequence[str], ids: Sequence[str] = ("clinic_a", "clinic_b")) -> None:
    """Clinics on the host `clinicas`, reached by TLS; those who talk with them are given the registry and the clinics' keys."""
    maquina = casa.rede["clinicas"]
    own = maquina.pasta / "dados" / "clinicas"
    own.mkdir(parents=True, mode=0o700)
    (maquina.pasta / "dados").chmod(0o700)
    here = [_moved(one) for one in REGISTRO_PADRAO if one.id in ids]
    (own / "registro.json").write_bytes(msgspec.json.encode({"clinics": here}))
    maquina.start(*python("-m", "crivo", "clinicas", "subir"), env=casa.environment(maquina), log="clinicas.log")
    pem = maquina.pasta / "clinica.pem"
    shown = write_certificate(pem)
    there = []
    for at, clinica in enumerate(here):
        porta = str(_TLS_PORT + at)
        maquina.start(
            *python("-m", "bench.torture.porta_tls", maquina.endereco, porta, str(pem), str(clinica.porta)),
            env=casa.environment(maquina),
            log="porta.log",
        )
        there.append(msgspec.structs.replace(clinica, url=f"https://{maquina.endereco}:{porta}/mcp", impressao=shown))
    for clinica in here:
        _until((own / clinica.id / "chaves.json").exists, "as clínicas não subiram")
    for nome in quem_conversa:
        folder = casa.rede[nome].pasta / "dados" / "clinicas"
        folder.mkdir(parents=True, mode=0o700, exist_ok=True)
        (casa.rede[nome].pasta / "dados").chmod(0o700)
        (folder / "registro.json").write_bytes(msgspec.json.encode({"clinics": there}))
        for clinica in here:
            (folder / clinica.id).mkdir(mode=0o700)
            shutil.copy2(own / clinica.id / "chaves.json", folder / clinica.id / "chaves.json")


def _moved(clinica: Clinica) -> Clinica:
    porta = free_port()
    return msgspec.structs.replace(clinica, porta=porta, url=f"http://127.0.0.1:{porta}/mcp")


def _until(happened: Callable[[], bool], told: str) -> None:
    deadline = time.monotonic() + _READY_SECONDS
    while not happened():
        if time.monotonic() > deadline:
            raise CasaFailed(told)
        time.sleep(0.05)


def _answers(url: str) -> bool:
    try:
        return httpx.get(url, timeout=2).status_code == 200
    except httpx.TransportError:
        return False
