"""Every address of the API as every kind of subject, and from one answer on to the next by the document's links. Source: design/sujeito.md.

`CRIVO_TEST_PERCURSOS` goes so many times as far: 12 takes some ten minutes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final
from zlib import crc32

import httpx
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.errors import FlakyStrategyDefinition
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance, status_code_conformance

from crivo.kernel.access import Algum, may
from crivo.kernel.sujeitos import Anonimo
from crivo.web.access import ACCESS, PUBLIC
from crivo.web.api.links import LINKS
from papeis_percorridos import CERTOS, NOMES, TENANT, Visitante, certain, make_tenant, visitantes

FACTOR: Final = int(os.environ.get("CRIVO_TEST_PERCURSOS", "1"))
CHECKS: Final = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
schemathesis.serializer.alias("application/x-ndjson", "application/json")  # a generated pedido has no line breaks: it is one line
DESCRIBED: Final = [
    row for row, admission in ACCESS.items() if (row[1].startswith("/api/") and admission != PUBLIC) or row[1] in ("/healthz", "/readyz")
]
HEALTH: Final = {"GET /healthz", "GET /readyz"}
# What these may do takes a person, or something of theirs that is not there.
LET_IN_NOWHERE: Final = {
    "anonimo",
    "chave desconhecida",
    "sessao de paciente",
    "chave autorizacoes:revisar",
    "chave entregas:administrar",
    "chave triagem:avaliar",
    "chave triagem:decidir",
}
# What is there for them alone, or for them too, and is found at the first try.
DONE: Final = {
    "chave de paciente": {"GET /api/clinicas/consultas"},
    "chave de avaliador": {"GET /api/avaliacoes/{edital_id}/{projeto_id}"},
    "chave de gestor": {"GET /api/ia/triagem/{edital_id}"},
}
# Whoever manages finds something of nearly every kind: 17 addresses at the least when this was written.
FOUND: Final = dict.fromkeys(("chave de tudo", "chave de gestor", "chave de admin", "chave de super_admin"), 12)
Case = schemathesis.Case[Any]


@dataclass
class Walk:
    """A server, who comes to it, and what was answered to whom."""

    address: str
    visitantes: Mapping[str, Visitante]
    schema: Any
    session: requests.Session = field(default_factory=requests.Session)
    answered: Counter[tuple[str, str, int]] = field(default_factory=Counter)

    def send(self, case: Case, who: Visitante) -> Any:
        self.session.cookies.clear()
        return case.call(base_url=self.address, session=self.session, headers=dict(who.headers))

    def check(self, case: Case, who: Visitante, response: Any) -> None:
        """What was answered is described, is no failure, and is what the table of acts says of that subject."""
        # A stream of events is one string in OpenAPI 3.1; the check would have each event be one.
        is_stream = response.headers.get("content-type", [""])[0].startswith("text/event-stream")
        case.validate_response(response, checks=CHECKS[:-1] if is_stream else CHECKS)
        row = (case.method.upper(), case.operation.path)
        self.answered[who.nome, " ".join(row), response.status_code] += 1
        assert response.status_code in self.lawful(row, who, response.status_code), (who.nome, row, response.status_code)

    def lawful(self, row: tuple[str, str], who: Visitante, said: int) -> set[int]:
        admission = ACCESS[row]
        if admission == PUBLIC:
            return {said} - {401, 403}
        if isinstance(who.sujeito, Anonimo):
            return {401}
        return {said} - {401} if may(who.sujeito, admission, Algum(TENANT)) else {403}


@pytest.fixture(scope="module")
def walk(run_server: Any, embedded_urls: tuple[str, str]) -> Iterator[Walk]:
    make_tenant(embedded_urls)
    with run_server(CRIVO_TRABALHADORES="0", CRIVO_TENANT=TENANT) as server:
        who = visitantes(embedded_urls, server.address)
        schema = schemathesis.openapi.from_dict(httpx.get(f"{server.address}/api/openapi.json").json())
        schema.config.generation.update(with_security_parameters=False)  # keys are those of who comes
        walked = Walk(server.address, who, schema)
        _leave_something(walked)
        yield walked
        walked.session.close()
        told = server.stop()
    assert [line for line in told if line["nivel"] == "ERROR"] == []


def _leave_something(walk: Walk) -> None:
    """A conversation that waits for a person at the reception, which links lead to."""
    key = walk.visitantes["chave de operador"].headers
    begun = httpx.post(f"{walk.address}/api/clinicas/conversas", json={"papel": "paciente"}, headers=key).json()
    for said in ("quero falar com uma pessoa", "sim, uma pessoa"):
        httpx.post(f"{walk.address}/api/clinicas/conversas/{begun['id']}/mensagens", json={"texto": said}, headers=key)
    assert httpx.get(f"{walk.address}/api/clinicas/atendimento", headers=key).json()["fila"]


@pytest.fixture(scope="module")
def cases(walk: Walk) -> dict[tuple[str, str], list[Case]]:
    """Requests that the document describes and forbids, the same each time and for everybody."""
    return {row: [*_made(walk, row, GenerationMode.POSITIVE), *_made(walk, row, GenerationMode.NEGATIVE)] for row in DESCRIBED}


def _made(walk: Walk, row: tuple[str, str], mode: GenerationMode) -> list[Case]:
    method, path = row
    found: list[Case] = []
    operation = walk.schema[path][method]
    if mode is GenerationMode.NEGATIVE and not (operation.body or operation.query or operation.path_parameters):
        return found

    @seed(crc32(path.encode()))
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=FACTOR, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    def draw(case: Case) -> None:
        found.append(case)

    draw()
    return found


def _put_right(case: Case, body: Any) -> None:
    """Ask for what there is."""
    if body is not None:
        case.body, case.media_type = body, "application/json"
    for name in CERTOS.keys() & case.path_parameters.keys():
        case.path_parameters[name] = CERTOS[name]


@pytest.mark.parametrize("nome", NOMES)
def test_an_address_does_for_each_subject_what_the_table_says_and_never_fails(
    walk: Walk, cases: dict[tuple[str, str], list[Case]], nome: str, politica: dict[str, Any], pedido: dict[str, Any]
) -> None:
    who, asked = walk.visitantes[nome], 0
    for (method, path), drawn in cases.items():
        for number, case in enumerate(drawn):
            if number == 0:
                _put_right(case, certain(method, path, len(nome), politica, pedido))
            walk.check(case, who, walk.send(case, who))
            asked += 1
    assert asked >= 2 * len(DESCRIBED) - 12  # so many addresses take no input, and are asked once
    done = {address for one, address, status in walk.answered if one == nome and status < 300} - HEALTH
    assert bool(done) == (nome not in LET_IN_NOWHERE), nome  # were everything refused, the walk would show nothing
    assert DONE.get(nome, set()) <= done
    assert len(done) >= FOUND.get(nome, 0)


@pytest.mark.parametrize("nome", NOMES)
def test_from_each_answer_a_subject_goes_on_by_the_links_and_never_to_what_is_not_theirs(
    walk: Walk, nome: str, politica: dict[str, Any], pedido: dict[str, Any]
) -> None:
    who, asked = walk.visitantes[nome], 0
    wrong: list[BaseException] = []

    class Journey(walk.schema.as_state_machine()):  # type: ignore[misc]
        def before_call(self, case: Case) -> None:
            chance = crc32(repr(case.body).encode())
            if chance % 3:
                _put_right(case, certain(case.method.upper(), case.operation.path, chance, politica, pedido))

        def call(self, case: Case, **_: Any) -> Any:
            return walk.send(case, who)

        def validate_response(self, response: Any, case: Case, **_: Any) -> None:
            nonlocal asked
            asked += 1
            try:
                walk.check(case, who, response)
            except BaseException as error:
                wrong.append(error)
                raise

    # What is drawn hangs on ids that the server makes anew, so a journey may not be drawn twice: what was asked until then counts.
    with suppress(FlakyStrategyDefinition):
        Journey.run(settings=_journeys())
    assert wrong == []
    assert asked >= 3


def _journeys() -> settings:
    return settings(
        max_examples=3 * FACTOR,
        stateful_step_count=12,
        derandomize=True,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )


def test_every_link_leads_from_what_is_answered_to_an_address_that_takes_it() -> None:
    assert all(link.de in ACCESS and link.para in ACCESS for link in LINKS)
    assert {link.para for link in LINKS} >= {row for row in DESCRIBED if "{" in row[1]}
