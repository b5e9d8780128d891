"""The page, the dashboard and the alerts speak of metrics and labels that there are, and of commands and pages that one can use."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import promql_parser
import pytest
import yaml

from crivo.cli.main import app as cli
from crivo.kernel.logs import FIELDS
from crivo.kernel.medidas import PROCESSO, Medida
from crivo.vigia.catalogo import CATALOGO
from crivo.web.app import ROUTERS
from promql import grouped_by, selectors

RAIZ = Path(__file__).parents[2]
PAGINA = (RAIZ / "docs/vigiar.md").read_text(encoding="utf-8")
ALERTAS: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((RAIZ / "deploy/prometheus/alertas.yaml").read_text(encoding="utf-8"))["groups"]
    for rule in group["rules"]
]
PAINEL = json.loads((RAIZ / "deploy/grafana/crivo.json").read_text(encoding="utf-8"))
# What Prometheus and its client tell of any program.
DE_TODOS = {"job", "instance"}
SEM_SER_NOSSAS = {"up", "process_open_fds", "process_max_fds", "process_cpu_seconds_total", "process_resident_memory_bytes"}


def served() -> dict[str, set[str]]:
    """The name of each series, with its labels."""
    found: dict[str, set[str]] = {name: set() for name in SEM_SER_NOSSAS}
    for medida in CATALOGO:
        labels = set(medida.rotulos)
        if medida.tipo == "histograma":
            found |= {f"{medida.nome}_bucket": labels | {"le"}, f"{medida.nome}_sum": labels, f"{medida.nome}_count": labels}
        else:
            found[medida.nome] = labels
    return found


def expressions() -> Iterator[tuple[str, str]]:
    yield from ((rule["alert"], rule["expr"]) for rule in ALERTAS)
    for panel in PAINEL["panels"]:
        yield from ((f"{panel['title']} {target['refId']}", target["expr"]) for target in panel.get("targets", ()))


@pytest.mark.parametrize(("where", "expr"), list(expressions()))
def test_what_is_looked_at_is_served_under_these_labels(where: str, expr: str) -> None:
    known, tree = served(), promql_parser.parse(expr)
    found = [one for one in selectors(tree) if one.name]
    assert found
    labels: set[str] = set()
    for one in found:
        assert one.name in known, one.name
        used = {matcher.name for matcher in one.matchers.matchers}
        assert used <= known[one.name] | DE_TODOS, one.name
        labels |= known[one.name]
    assert grouped_by(tree) <= labels | DE_TODOS


@pytest.mark.parametrize("medida", CATALOGO, ids=lambda one: one.nome)
def test_names_are_by_the_conventions_and_labels_are_few(medida: Medida) -> None:
    assert re.fullmatch(r"crivo_[a-z][a-z_]*", medida.nome)
    assert medida.nome.endswith("_total") == (medida.tipo == "contador")
    assert medida.tipo != "histograma" or medida.nome.endswith("_seconds")
    assert not set(medida.rotulos) & {"tenant", "organizacao", "pessoa", "cpf", "nome", "usuario", "paciente", "projeto", "edital"}
    assert len(medida.rotulos) <= 3
    assert medida.significado.endswith(".")


def test_the_page_tells_every_metric_and_no_other() -> None:
    table = PAGINA.partition("## Todas as medidas")[2]
    rows = [line for line in table.splitlines() if line.startswith("| `crivo_")]
    assert rows == [
        f"| `{one.nome}` | {one.tipo} | {', '.join(f'`{name}`' for name in one.rotulos) or '—'} | {one.significado} |" for one in CATALOGO
    ]


def test_the_page_tells_every_alert_as_the_rules_have_it() -> None:
    rows = [line for line in PAGINA.splitlines() if line.startswith("| `Crivo")]
    assert rows == [
        f"| `{one['alert']}` | {one['labels']['severidade']} | {one.get('for', 'na hora')} | {one['annotations']['description']} |"
        for one in ALERTAS
    ]


def test_what_a_process_counts_is_in_the_catalogue() -> None:
    counted = {family.name for family in PROCESSO.collect()}
    assert counted <= {one.nome.removesuffix("_total") for one in CATALOGO}


@pytest.mark.parametrize("alerta", ALERTAS, ids=lambda one: str(one["alert"]))
def test_an_alert_says_what_happened_and_what_to_do(alerta: dict[str, Any]) -> None:
    assert alerta["alert"].startswith("Crivo")
    assert alerta["labels"]["severidade"] in {"urgente", "atencao"}
    assert set(alerta["annotations"]) == {"summary", "description"}
    said = " ".join(alerta["annotations"].values())
    commands = {group.name for group in cli.registered_groups} | {command.name for command in cli.registered_commands}
    assert set(re.findall(r"'crivo ([a-z]+)", said)) <= commands
    paths = {getattr(route, "path", "") for router in ROUTERS for route in router.routes}
    for path in re.findall(r"(?<![\w.])/[a-z][a-z/-]+", said):
        assert path in paths, path


def test_the_page_names_fields_that_the_log_has() -> None:
    section = PAGINA.partition("## Ler o registro")[2].partition("## O que cada alerta")[0]
    assert {"request_id", "trace_id", "span_id", "job_id", "tarefa"} <= FIELDS
    for name in ("request_id", "trace_id", "span_id", "job_id", "tarefa"):
        assert f"`{name}`" in section
