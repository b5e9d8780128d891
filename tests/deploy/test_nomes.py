"""Every file of `deploy/` is held to the names it speaks of: settings, commands, addresses, ports, accounts, paths, images, volumes."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from comandos_ditos import fault
from crivo.clinicas.registro import REGISTRO_PADRAO, read_registro
from crivo.kernel.settings import Settings, load_settings, names
from crivo.web.api import sistema

RAIZ = Path(__file__).parents[2]
DEPLOY = RAIZ / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
FILES = [
    file for file in sorted(DEPLOY.rglob("*")) if file.is_file() and "segredos" not in file.parts and file.name not in {".env", "crivo.env"}
]
CLINICS = [clinica.id for clinica in REGISTRO_PADRAO]
PLAIN = {name: field.default for name, field in Settings.model_fields.items()}


def relative(file: Path) -> str:
    return file.relative_to(RAIZ).as_posix()


def documents(name: str) -> list[dict[str, Any]]:
    return [found for found in yaml.safe_load_all((DEPLOY / name).read_text(encoding="utf-8")) if found]


COMPOSE: dict[str, Any] = documents("compose.yaml")[0]
KUBERNETES = [found for file in sorted((DEPLOY / "kubernetes").glob("*.yaml")) for found in documents(f"kubernetes/{file.name}")]


def unit(name: str) -> dict[str, list[str]]:
    """What a unit of systemd sets, each by its name."""
    found: dict[str, list[str]] = {}
    for line in (DEPLOY / "systemd" / name).read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


UNITS = {file.name: unit(file.name) for file in sorted((DEPLOY / "systemd").glob("*.service"))}


def containers() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Every container of the cluster: of what it is, its pod's spec and its own."""
    for found in KUBERNETES:
        spec = found.get("spec", {})
        template = spec.get("jobTemplate", {}).get("spec", spec).get("template")
        if template:
            for one in (*template["spec"].get("initContainers", ()), *template["spec"]["containers"]):
                yield f"{found['metadata']['name']}/{one['name']}", template["spec"], one


def commands() -> Iterator[tuple[str, list[str]]]:
    """Every command line of crivo that `deploy/` and its pages have, without the name of the program."""
    for name, service in COMPOSE["services"].items():
        if "command" in service:
            yield f"compose.yaml, {name}", service["command"]
    for name, settings in UNITS.items():
        for line in settings["ExecStart"]:
            yield name, shlex.split(line.rpartition("bin/crivo ")[2].partition(' "')[0])
    for name, _, one in containers():
        if one["image"] == "crivo" and "command" not in one:
            yield name, one["args"]
    for line in re.findall(r"^ *(crivo [^\"\n]+)", (DEPLOY / "kubernetes/copia.yaml").read_text(encoding="utf-8"), re.MULTILINE):
        yield "copia.yaml", line.split()[1:]
    for line in re.findall(
        r"crivo ([a-z][a-z-]+ [^\n]*?)(?: <|\)$| \|| >)", (DEPLOY / "ensaio.sh").read_text(encoding="utf-8"), re.MULTILINE
    ):
        yield "ensaio.sh", line.split()


@pytest.mark.parametrize("file", FILES, ids=relative)
def test_each_setting_that_is_named_is_one(file: Path) -> None:
    known = {*names(), *(f"CRIVO_TEST_{rest}" for rest in ("REQUIRE_ALL",))}
    assert set(re.findall(r"\bCRIVO_[A-Z_]*[A-Z]", file.read_text(encoding="utf-8"))) <= known


@pytest.mark.parametrize(("where", "words"), list(commands()), ids=[f"{where}-{number}" for number, (where, _) in enumerate(commands())])
def test_each_command_and_option_is_there(where: str, words: list[str]) -> None:
    assert fault(shlex.join(["crivo", *words])) is None, where


def test_what_the_image_copies_is_there_and_is_let_in() -> None:
    ignored = (RAIZ / ".dockerignore").read_text(encoding="utf-8").splitlines()
    copied = [one for line in re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE) for one in line.split()[:-1]]
    assert copied == ["pyproject.toml", "uv.lock", "README.md", "LICENSE", "src"]
    for one in copied:
        assert (RAIZ / one).exists()
        assert f"!{one}" in ignored
    assert ignored[1] == "*"  # what is not named stays out


def test_what_the_image_leaves_out_and_puts_in_is_named_as_the_project_names_it() -> None:
    project = (RAIZ / "pyproject.toml").read_text(encoding="utf-8")
    for extra in re.findall(r"--extra ([a-z-]+)", DOCKERFILE):
        assert re.search(rf"^{extra} = \[", project, re.MULTILINE)
    for package in re.findall(r"--no-install-package ([a-z-]+)", DOCKERFILE):
        assert f'"{package}>=' in project
    assert re.search(r"tesseract-ocr-por", DOCKERFILE)


def test_the_ports_are_those_of_the_settings() -> None:
    porta, metricas = PLAIN["porta"], PLAIN["porta_metricas"]
    assert f"EXPOSE {porta} {metricas}\n" in DOCKERFILE
    servidor = COMPOSE["services"]["servidor"]
    assert servidor["ports"] == [f"${{ENDERECO_DAS_PAGINAS:-127.0.0.1:{porta}}}:{porta}"]
    assert servidor["expose"] == [str(metricas)]
    assert COMPOSE["services"]["trabalhador"]["expose"] == [str(metricas + 1)]  # where a worker begins to look
    ambiente = servidor["environment"]
    configurado = next(found["data"] for found in KUBERNETES if found["kind"] == "ConfigMap")
    for settings in (ambiente, configurado):
        assert (settings["CRIVO_PORTA"], settings["CRIVO_PORTA_METRICAS"]) == (str(porta), str(metricas))
    servico = next(found for found in KUBERNETES if found["kind"] == "Service" and found["metadata"]["name"] == "servidor")
    assert {one["name"]: one["port"] for one in servico["spec"]["ports"]} == {"paginas": porta, "metricas": metricas}
    shown = {
        name: one["containerPort"] for name, _, container in containers() for one in container.get("ports", ()) if one["name"] == "metricas"
    }
    assert shown == {"servidor/servidor": metricas, "trabalhador/trabalhador": metricas + 1}
    let_in = {
        found["metadata"]["name"]: {one["port"] for rule in found["spec"]["ingress"] for one in rule["ports"]}
        for found in KUBERNETES
        if found["kind"] == "NetworkPolicy" and found["metadata"]["name"] in {"servidor", "trabalhador"}
    }
    assert let_in == {"servidor": {porta, metricas}, "trabalhador": {metricas + 1}}


def test_what_asks_how_it_fares_asks_an_address_that_there_is() -> None:
    known = {route.path for route in sistema.router.routes if hasattr(route, "path")}
    asked = set(re.findall(r"/[a-z]+z\b", DOCKERFILE)) | {
        one[probe]["httpGet"]["path"]
        for _, _, one in containers()
        for probe in ("startupProbe", "readinessProbe", "livenessProbe")
        if "httpGet" in one.get(probe, {})
    }
    assert asked == {"/healthz", "/readyz"}
    assert asked <= known


def test_every_container_is_closed() -> None:
    """Its root is read-only, it has no capability, and it is nobody's root: the account of the image, whatever the orchestrator."""
    account = re.search(r"^USER (\d+):(\d+)$", DOCKERFILE, re.MULTILINE)
    assert account
    uid, gid = int(account[1]), int(account[2])
    assert f"--gid {gid} crivo" in DOCKERFILE
    assert f"--uid {uid} --gid crivo" in DOCKERFILE
    for name, service in COMPOSE["services"].items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert {"mem_limit", "pids_limit"} <= service.keys(), name
        assert "cap_add" not in service or name == "banco"
    for name, pod, one in containers():
        assert pod["securityContext"]["runAsNonRoot"] is True, name
        assert (pod["securityContext"]["runAsUser"], pod["securityContext"]["fsGroup"]) == (uid, gid), name
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}, name
        assert one["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }, name


def test_every_volume_that_is_mounted_is_declared_and_every_one_declared_is_mounted() -> None:
    mounted = {one.partition(":")[0] for service in COMPOSE["services"].values() for one in service.get("volumes", [])}
    files = {one for one in mounted if one.startswith("./")}
    assert all((DEPLOY / one).is_file() for one in files)
    assert mounted - files == set(COMPOSE["volumes"])
    used = {network for service in COMPOSE["services"].values() for network in service.get("networks", [])}
    assert used == set(COMPOSE["networks"])
    for name, pod, one in containers():
        declared = {volume["name"] for volume in pod["volumes"]} | ({"dados"} if name.startswith("clinicas/") else set())
        assert {mount["name"] for mount in one.get("volumeMounts", [])} <= declared, name
    claims = {found["metadata"]["name"] for found in KUBERNETES if found["kind"] == "PersistentVolumeClaim"}
    asked = {
        volume["persistentVolumeClaim"]["claimName"]
        for _, pod, _ in containers()
        for volume in pod["volumes"]
        if "persistentVolumeClaim" in volume
    }
    assert asked == claims


def test_each_clinic_has_its_own_container_folder_and_port() -> None:
    services = COMPOSE["services"]
    pastas = re.findall(r"/dados/clinicas/(clinic_[a-z])", DOCKERFILE)
    assert pastas == CLINICS
    for clinica in REGISTRO_PADRAO:
        service = services[clinica.id]
        assert service["command"] == ["clinicas", "servir", clinica.id]
        assert service["volumes"] == [f"{clinica.id}:/dados/clinicas/{clinica.id}"]
        assert service["network_mode"] == "none"
        assert f"'127.0.0.1', {clinica.porta}," in service["healthcheck"]["test"][-1]
        for other in ("servidor", "trabalhador"):
            assert f"{clinica.id}:/dados/clinicas/{clinica.id}" in services[other]["volumes"]


def test_what_shows_the_certificate_of_a_clinic_hands_on_to_that_clinic() -> None:
    nginx = (DEPLOY / "kubernetes/nginx.conf").read_text(encoding="utf-8")
    led = {f"clinic_{found[2]}": int(found[1]) for found in re.finditer(r"127\.0\.0\.1:(\d+); } } # clinic_([a-z])", nginx)}
    assert led == {clinica.id: clinica.porta for clinica in REGISTRO_PADRAO}
    outside = [int(found) for found in re.findall(r"listen (\d+) ssl", nginx)]
    servico = next(found for found in KUBERNETES if found["kind"] == "Service" and found["metadata"]["name"] == "clinicas")
    assert [one["port"] for one in servico["spec"]["ports"]] == outside
    porta = next(one for name, _, one in containers() if name == "clinicas/porta")
    assert [one["containerPort"] for one in porta["ports"]] == outside


def test_the_kustomization_names_every_file_but_the_examples() -> None:
    kustomization = next(found for found in KUBERNETES if found["kind"] == "Kustomization")
    there = {file.name for file in (DEPLOY / "kubernetes").glob("*.yaml")} - {"kustomization.yaml", "ingress.exemplo.yaml"}
    assert set(kustomization["resources"]) == there
    assert kustomization["images"][0]["newTag"] == _version()
    ingress = next(found for found in KUBERNETES if found["kind"] == "Ingress")
    backend = ingress["spec"]["rules"][0]["http"]["paths"][0]["backend"]["service"]
    assert backend == {"name": "servidor", "port": {"name": "paginas"}}


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the secrets")
def test_the_secrets_of_a_cluster_are_made_once_and_are_what_crivo_takes(tmp_path: Path) -> None:
    """The registry is one that crivo reads, the keys are its keys, the master key is none that could be guessed."""
    folder = tmp_path / "kubernetes"
    shutil.copytree(DEPLOY / "kubernetes", folder, ignore=shutil.ignore_patterns("segredos"))
    make = ["bash", str(folder / "segredos.sh"), "postgresql://crivo:segredo@banco:5432/crivo"]
    subprocess.run(make, check=True, capture_output=True)
    made = {file.name: file.read_bytes() for file in (folder / "segredos").iterdir()}
    subprocess.run(make, check=True, capture_output=True)
    assert {file.name: file.read_bytes() for file in (folder / "segredos").iterdir()} == made
    assert {(file.stat().st_mode & 0o777) for file in (folder / "segredos").iterdir()} == {0o600}
    registro = read_registro(made["registro.json"])
    assert [(one.id, one.nome, one.especialidade, one.porta) for one in registro] == [
        (one.id, one.nome, one.especialidade, one.porta) for one in REGISTRO_PADRAO
    ]
    assert all(one.url == f"https://clinicas:{8440 + number}/mcp" for number, one in enumerate(registro, 1))
    kustomization = next(found for found in KUBERNETES if found["kind"] == "Kustomization")
    named = {
        one.removeprefix("segredos/")
        for made_of in kustomization["secretGenerator"]
        for one in (*made_of.get("files", ()), *made_of.get("envs", ()))
    }
    assert named == set(made)
    segredo = dict(line.split("=", 1) for line in made["crivo.env"].decode().splitlines())
    given = {name.removeprefix("CRIVO_").lower(): value for name, value in segredo.items()}
    assert set(given) == {"database_url", "chave_mestra", "backup_chave"}
    load_settings(None, **given)  # raises where one is none


def test_every_unit_runs_as_the_one_account_in_its_own_folder_and_is_hardened_alike() -> None:
    assert set(UNITS) == {"crivo.service", "crivo-trabalhador@.service", "crivo-clinicas.service", "crivo-copia.service"}
    hardened = [
        key for key in UNITS["crivo.service"] if key.startswith(("Protect", "Private", "Restrict", "System", "NoNew", "Capab", "Lock"))
    ]
    for name, settings in UNITS.items():
        assert (settings["User"], settings["Group"], settings["StateDirectory"]) == (["crivo"], ["crivo"], ["crivo"]), name
        assert (settings["WorkingDirectory"], settings["UMask"]) == (["/var/lib/crivo"], ["0077"]), name
        assert settings["ConditionPathExists"] == ["/etc/crivo/crivo.env"], name
        assert {key: settings.get(key) for key in hardened} == {key: UNITS["crivo.service"][key] for key in hardened}, name
    tmpfiles = (DEPLOY / "systemd/crivo.tmpfiles").read_text(encoding="utf-8")
    assert "L /var/lib/crivo/.env - - - - /etc/crivo/crivo.env" in tmpfiles
    assert UNITS["crivo-copia.service"]["ReadWritePaths"] == ["/var/backups/crivo"]
    assert "d /var/backups/crivo 0700 crivo crivo" in tmpfiles
    assert "u crivo " in (DEPLOY / "systemd/crivo.sysusers").read_text(encoding="utf-8")


def _version() -> str:
    found = re.search(r'^version = "([^"]+)"$', (RAIZ / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert found
    return found[1]
