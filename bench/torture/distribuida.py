"""Two servers and three workers on one database, each on a host of its own: what one began goes on at another, and work is shared."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec

from bench.clinicas import cpf_of
from bench.inscricoes import write_call
from bench.instalacao import python
from bench.pedidos import draw_carga
from bench.torture.casa import Casa, Processo, Servidor, house, invite, start_clinics, start_model

PROJETOS: Final = 60  # times four critérios: 240 calls
CONVERSAS: Final = 4
CONCORRENCIA: Final = 4  # questions that one worker asks at a time
ESCALA: Final = 1.8
_LIMITE: Final = 60  # of a key in a minute, at the servers of the part that counts them
_INSTALACAO: Final = 200  # questions at a time that the installation allows: never reached here
_ANSWER_SECONDS: Final = 60.0
_LONGEST_SECONDS: Final = 300.0
_HOSTS: Final = ("servidor1", "servidor2", "trabalhador1", "trabalhador2", "trabalhador3", "clinicas", "modelo")
_CSRF: Final = re.compile(r'name="csrf" value="([0-9a-f]{64})"')
_FALA: Final = "quero marcar uma consulta com cardiologista"

Tell = Callable[[str], None]


class Distribuida(msgspec.Struct, kw_only=True):
    """What was seen: what happened first, then what must never happen."""

    maquinas: int = 0
    separadas: bool = False
    repetidos: int = 0
    passos_ouvidos: int = 0
    conversas: int = 0
    chamadas: int = 0
    um_trabalhador_s: float = 0.0
    dois_trabalhadores_s: float = 0.0
    razao: float = 0.0
    limite: int = 0
    atendidos_do_limite: int = 0
    conversas_perdidas: int = 0
    consultas_em_dobro: int = 0
    guardados_em_dobro: int = 0
    sessoes_recusadas: int = 0
    formularios_recusados: int = 0
    saidas_que_nao_sairam: int = 0
    senhas_sem_freio: int = 0
    exportacoes_diferentes: int = 0
    triagens_sem_fim: int = 0
    sem_escala: int = 0

    @property
    def whole(self) -> bool:
        """Whether everything went on, whichever server answered, and two workers did what two should."""
        faults = (self.conversas_perdidas, self.consultas_em_dobro, self.guardados_em_dobro, self.sessoes_recusadas)
        more = (self.formularios_recusados, self.saidas_que_nao_sairam, self.senhas_sem_freio, self.exportacoes_diferentes)
        return self.maquinas > 0 and not any((*faults, *more, self.triagens_sem_fim, self.sem_escala))


def spread(
    pasta: Path, projetos: int = PROJETOS, conversas: int = CONVERSAS, segundos: float = 1.0, tell: Tell = lambda _: None
) -> Distribuida:
    """Make the installation, and try everything once."""
    contas = Distribuida()
    settings = {
        "modelo_concorrencia": str(_INSTALACAO),
        "segundo_fator": "ninguem",
        "planejador": "embutido",
        "modo_autorizacoes": "codigo",
    }
    with house(pasta, _HOSTS, modelo=True, ajustes=settings) as casa:
        contas.maquinas, contas.separadas = len(casa.rede.maquinas), casa.rede.separadas
        start_model(casa, segundos)
        start_clinics(casa, ("servidor1", "servidor2"))
        one, other = (_up(casa, nome) for nome in ("servidor1", "servidor2"))
        tell(f"{contas.maquinas} máquinas no ar, {'cada uma em sua rede' if contas.separadas else 'no endereço local'}")
        _repeat(casa, one, other, contas)
        _enter(casa, pasta, one, other, contas)
        tell("entradas, formulários, saída e repetições conferidos")
        _screen(casa, pasta, one, other, projetos, contas)
        tell(f"um trabalhador {contas.um_trabalhador_s} s, dois {contas.dois_trabalhadores_s} s")
        _talk(casa, one, other, conversas, contas)
        tell(f"{contas.conversas} conversas com a queda do servidor no meio, {contas.conversas_perdidas} perdidas")
        _limit(casa, contas)
    return contas


def _up(casa: Casa, nome: str) -> Servidor:
    servidor = casa.server(nome)
    servidor.start()
    servidor.wait_ready()
    return servidor


def _headers(casa: Casa, **more: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {casa.chave}", "Accept": "application/json", **more}


def _repeat(casa: Casa, one: Servidor, other: Servidor, contas: Distribuida) -> None:
    """The same pedido with the same key, at both servers at once and one after the other: it is decided once."""
    pedidos = draw_carga(64).pedidos

    def send(servidor: Servidor, at: int) -> tuple[int, str, bytes]:
        headers = _headers(casa, **{"Idempotency-Key": f"rede-{at}", "Content-Type": "application/json"})
        answered = httpx.post(f"{servidor.url}/api/autorizacoes", content=pedidos[at], headers=headers, timeout=_ANSWER_SECONDS)
        return answered.status_code, answered.headers.get("location", ""), answered.content

    with ThreadPoolExecutor(8) as pool:
        tries = [pool.submit(send, servidor, at) for at in range(len(pedidos)) for servidor in (one, other)]
        told = [future.result() for future in tries]
    for at in range(len(pedidos)):
        contas.repetidos += 1
        again = send(other if at % 2 else one, at)
        # Whoever comes while the first is being decided may be told to wait (409); never another decision.
        right = {(where, body) for status, where, body in (*told[2 * at : 2 * at + 2], again) if status == 200}
        contas.guardados_em_dobro += len(right) != 1


def _enter(casa: Casa, pasta: Path, one: Servidor, other: Servidor, contas: Distribuida) -> None:
    """In at one, a form of one sent to the other, out at the other: as if there were one server."""
    token = asyncio.run(invite(casa, pasta / "preparo", "gestao@bancada.exemplo", "gestor"))
    entered = httpx.post(f"{one.url}/entrar", data={"token": token}, timeout=_ANSWER_SECONDS)
    cookie = entered.headers.get("set-cookie", "").partition(";")[0]
    spent = httpx.post(f"{other.url}/entrar", data={"token": token}, timeout=_ANSWER_SECONDS)
    contas.sessoes_recusadas += spent.status_code == 303  # a link works once, wherever it is used
    for servidor in (one, other):
        contas.sessoes_recusadas += _page(servidor, cookie).status_code != 200
    form = _CSRF.search(_page(one, cookie).text)
    fields = {"csrf": form[1] if form else "", "nome": "Pessoa da Bancada Dois"}
    renamed = httpx.post(f"{other.url}/conta/nome", data=fields, headers={"Cookie": cookie}, timeout=_ANSWER_SECONDS)
    contas.formularios_recusados += renamed.status_code != 303
    contas.formularios_recusados += "Pessoa da Bancada Dois" not in _page(one, cookie).text
    foreign = httpx.post(f"{other.url}/conta/nome", data={**fields, "csrf": "0" * 64}, headers={"Cookie": cookie}, timeout=_ANSWER_SECONDS)
    contas.formularios_recusados += foreign.status_code != 403
    httpx.post(f"{other.url}/sair", data={"csrf": fields["csrf"]}, headers={"Cookie": cookie}, timeout=_ANSWER_SECONDS)
    for servidor in (one, other):
        contas.saidas_que_nao_sairam += _page(servidor, cookie).status_code == 200
    contas.senhas_sem_freio += not _is_slowed(one, other)


def _page(servidor: Servidor, cookie: str) -> httpx.Response:
    return httpx.get(f"{servidor.url}/conta", headers={"Cookie": cookie}, timeout=_ANSWER_SECONDS)


def _is_slowed(one: Servidor, other: Servidor) -> bool:
    """Whether wrong passwords tried by turns at both servers are counted together: the next is refused with 429 at either."""
    fields = {"email": "gestao@bancada.exemplo", "senha": "errada por completo", "organizacao": ""}
    for at in range(40):
        answered = httpx.post(f"{(one, other)[at % 2].url}/entrar/senha", data=fields, timeout=_ANSWER_SECONDS)
        if answered.status_code == 429:
            rest = httpx.post(f"{(other, one)[at % 2].url}/entrar/senha", data=fields, timeout=_ANSWER_SECONDS)
            return rest.status_code == 429
    return False


def _screen(casa: Casa, pasta: Path, one: Servidor, other: Servidor, projetos: int, contas: Distribuida) -> None:
    """One edital by one worker, another by two; followed at a server that neither began it nor does it."""
    sizes = [projetos if at % 2 else 2 * CONCORRENCIA for at in range(4)]
    paths = [write_call(pasta / f"chamada{at}", many, f"REDE-{at}", at + 1) for at, many in enumerate(sizes)]
    casa.prepare("importar", *map(str, paths))
    workers = [_worker(casa, f"trabalhador{at}") for at in (1, 2, 3)]
    try:
        workers[2].start()
        _timed(casa, one, other, "REDE-0", contas)  # what is loaded once is loaded
        contas.um_trabalhador_s = _timed(casa, one, other, "REDE-1", contas)
        workers[0].start()
        _timed(casa, one, other, "REDE-2", contas)  # and here too
        contas.dois_trabalhadores_s = _timed(casa, other, one, "REDE-3", contas)
    finally:
        for worker in workers:
            worker.stop()
    if contas.dois_trabalhadores_s:
        contas.razao = round(contas.um_trabalhador_s / contas.dois_trabalhadores_s, 2)
    contas.sem_escala = int(contas.razao < ESCALA)


def _worker(casa: Casa, nome: str) -> Processo:
    made = casa.worker(nome)
    made.comando = tuple(python("-m", "bench.torture.trabalhador_na_rede", str(CONCORRENCIA)))
    return made


def _timed(casa: Casa, asked: Servidor, followed: Servidor, edital: str, contas: Distribuida) -> float:
    """The seconds of a grading, by the installation's own account; asked for at one server and followed, event by event, at the other."""
    before = _calls(casa)
    httpx.post(
        f"{asked.url}/api/ia/triagem", json={"edital_id": edital, "tipo": "avaliacao"}, headers=_headers(casa), timeout=_ANSWER_SECONDS
    ).raise_for_status()
    last = _follow(casa, followed, edital, contas)
    if last.get("status") != "concluida":
        contas.triagens_sem_fim += 1
        return 0.0
    exported = {
        httpx.get(
            f"{servidor.url}/api/ia/triagem/{edital}/exportacao", params={"formato": "csv"}, headers=_headers(casa), timeout=_ANSWER_SECONDS
        ).content
        for servidor in (asked, followed)
    }
    contas.exportacoes_diferentes += len(exported) != 1
    contas.chamadas += _calls(casa) - before
    began, ended = (datetime.fromisoformat(last[name]) for name in ("created_at", "concluida_em"))
    return round((ended - began).total_seconds(), 2)


def _follow(casa: Casa, servidor: Servidor, edital: str, contas: Distribuida) -> Mapping[str, Any]:
    """The last event of a run, heard at this server; whoever is cut off listens again."""
    deadline, url = time.monotonic() + _LONGEST_SECONDS, f"{servidor.url}/api/ia/triagem/{edital}/status"
    while time.monotonic() < deadline:
        try:
            with httpx.stream("GET", url, headers=_headers(casa, Accept="text/event-stream"), timeout=_ANSWER_SECONDS) as heard:
                event = ""
                for line in heard.iter_lines():
                    if line.startswith("event: "):
                        event = line.removeprefix("event: ")
                        contas.passos_ouvidos += 1
                    elif line.startswith("data: ") and event == "fim":
                        found: Mapping[str, Any] = json.loads(line.removeprefix("data: "))
                        return found
        except httpx.TransportError:
            time.sleep(0.2)
    return {}


def _calls(casa: Casa) -> int:
    answered = httpx.get(f"http://{casa.rede['modelo'].endereco}:9099/contagem", timeout=10)
    return int(answered.json()["pagos"])


def _talk(casa: Casa, one: Servidor, other: Servidor, conversas: int, contas: Distribuida) -> None:
    """Conversations begun at one server, which then is killed: they go on at the other, to a booking each."""
    held = []
    for at in range(conversas):
        contas.conversas += 1
        paciente = {"nome": "Ana Braga", "cpf": cpf_of(at + 1)}
        begun = httpx.post(
            f"{one.url}/api/clinicas/conversas", json={"paciente": paciente}, headers=_headers(casa), timeout=_ANSWER_SECONDS
        ).json()
        _say(casa, one, begun["id"], _FALA)
        held.append(begun["id"])
    one.kill()
    booked: list[tuple[str, ...]] = []
    for conversa in held:
        found = _book(casa, other, conversa)
        if found is None:
            contas.conversas_perdidas += 1
        else:
            booked.append(found)
    contas.consultas_em_dobro += len(booked) - len(set(booked))
    one.start()
    one.wait_ready()


def _say(casa: Casa, servidor: Servidor, conversa: str, texto: str) -> httpx.Response:
    url = f"{servidor.url}/api/clinicas/conversas/{conversa}/mensagens"
    return httpx.post(url, json={"texto": texto}, headers=_headers(casa), timeout=_ANSWER_SECONDS)


def _book(casa: Casa, servidor: Servidor, conversa: str) -> tuple[str, ...] | None:
    """Go on where the other server was: take the first slot that was shown; what is booked then, None where the conversation is lost."""
    for texto in ("o primeiro", "sim", "o segundo", "sim", _FALA, "o primeiro", "sim"):  # others took what was shown: it is asked anew
        if _say(casa, servidor, conversa, texto).status_code != 200:
            return None
        url = f"{servidor.url}/api/clinicas/conversas/{conversa}"
        consultas = httpx.get(url, headers=_headers(casa), timeout=_ANSWER_SECONDS).json().get("consultas", [])
        if consultas:
            return tuple(str(consultas[0][name]) for name in ("clinic", "doctor", "date", "time"))
    return None


def _limit(casa: Casa, contas: Distribuida) -> None:
    """How much of a key's limit by the minute two servers let through together: each counts what it answers."""
    contas.limite = _LIMITE
    for servidor in casa.servidores.values():
        servidor.stop()
        servidor.env = {**servidor.env, "CRIVO_LIMITE_POR_MINUTO": str(_LIMITE)}
        servidor.start()
        servidor.wait_ready()
    for at in range(4 * _LIMITE):
        servidor = list(casa.servidores.values())[at % 2]
        answered = httpx.get(f"{servidor.url}/api/agentes", headers=_headers(casa), timeout=_ANSWER_SECONDS)
        contas.atendidos_do_limite += answered.status_code == 200
