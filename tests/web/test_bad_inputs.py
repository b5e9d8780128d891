"""Whatever is sent, the answer is a problem that says what to do, and never a fault of this program."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest

NOT_JSON = [
    b"",
    b"{",
    b"nada",
    b"\xff\xfe{}",
    b"{'a': 1}",
    b'{"a": NaN}',
    b'{"a": Infinity}',
    b'{"a": 1,}',
    b'{"a": "\x01"}',
    b'{"a": "\\ud800"}',
]
NO_PEDIDO = [
    b"[]",
    b"null",
    b"1",
    b'"texto"',
    b"true",
    b'{"a": 1, "a": 2}',
    b'{"a": "\\u0000"}',
    b'{"\\u0000": 1}',
    b"[" * 10_000 + b"]" * 10_000,
]
ODD_FIELDS = [
    {"pedido_id": {"a": [1]}},
    {"pedido_id": 10**400},
    {"pedido_id": 2**63},
    {"pedido_id": -(2**70), "beneficiario": {"id": 1e308, "idade": -1}},
    {"beneficiario": "texto", "procedimento": [1, 2], "documentos_anexos": {"tipo": 1}},
    {"beneficiario": {"id": [], "idade": {}, "carencia_cumprida_dias": []}},
    {"documentos_anexos": [None, 1, [], {"tipo": {}}, "laudo"]},
    {"procedimento": {"codigo": True, "quantidade": {"valor": 1}}},
    {"data_pedido": 20261005, "data_prevista": {"ano": 2026}, "urgencia": "talvez"},
    {"campo_que_ninguem_conhece": {"x": ["y"]}, "outro": None},
    {"": "", " ": " ", "é": "ü", "💥": "\u202e"},
    {"pedido_id": "a" * 999_000},
]


def check_problem(answer: httpx.Response, *statuses: int) -> dict[str, Any]:
    problem: dict[str, Any] = answer.json()
    assert answer.status_code in statuses
    assert answer.headers["content-type"] == "application/problem+json"
    assert list(problem) == ["type", "title", "status", "detail", "codigo", "problemas", "request_id"]
    assert problem["status"] == answer.status_code
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert problem["title"]
    assert problem["detail"]
    for fault in problem["problemas"]:
        assert list(fault) == ["caminho", "linha", "mensagem", "codigo"]
    return problem


@pytest.mark.parametrize("raw", NOT_JSON)
async def test_what_is_no_json_is_malformed(api: httpx.AsyncClient, raw: bytes) -> None:
    problem = check_problem(await api.post("/api/autorizacoes", content=raw), 400)
    assert problem["codigo"] == "json_invalido"


@pytest.mark.parametrize("raw", NO_PEDIDO, ids=range(len(NO_PEDIDO)))
async def test_json_that_is_no_pedido_is_invalid(api: httpx.AsyncClient, raw: bytes) -> None:
    problem = check_problem(await api.post("/api/autorizacoes", content=raw), 422)
    assert problem["codigo"] == "pedido_ilegivel"


@pytest.mark.parametrize("fields", ODD_FIELDS, ids=range(len(ODD_FIELDS)))
async def test_odd_fields_are_decided_or_refused_and_stored_as_they_came(
    api: httpx.AsyncClient, published: str, pedido: dict[str, Any], fields: dict[str, Any]
) -> None:
    answer = await api.post("/api/autorizacoes", content=json.dumps({**pedido, **fields}))
    if answer.status_code == 200:
        assert (await api.get(f"{answer.headers['location']}/trilha")).status_code == 200
    else:
        check_problem(answer, 422)


async def test_a_repeated_key_is_named(api: httpx.AsyncClient) -> None:
    problem = check_problem(await api.post("/api/autorizacoes", content=b'{"plano_id": "A", "plano_id": "B"}'), 422)
    assert [(fault["caminho"], fault["codigo"]) for fault in problem["problemas"]] == [("plano_id", "chave_duplicada")]


async def chunks(total: int) -> AsyncIterator[bytes]:
    for _ in range(total // 1000):
        yield b" " * 1000


@pytest.mark.parametrize("headers", [{}, {"content-length": "10"}, {"content-length": "-1"}, {"content-length": "x"}])
async def test_a_body_over_the_limit_is_stopped_whatever_its_length_claims(api: httpx.AsyncClient, headers: dict[str, str]) -> None:
    taken = 0

    async def counted() -> AsyncIterator[bytes]:
        nonlocal taken
        async for chunk in chunks(50_000_000):
            taken += len(chunk)
            yield chunk

    problem = check_problem(await api.post("/api/autorizacoes", content=counted(), headers=headers), 413)
    assert problem["codigo"] == "corpo_grande_demais"
    assert taken <= 1_001_000


@pytest.mark.parametrize("declared", ["1000001", "9" * 19, "9" * 5000])
async def test_a_body_that_declares_too_much_is_not_even_read(api: httpx.AsyncClient, declared: str) -> None:
    async def untouched() -> AsyncIterator[bytes]:
        pytest.fail("the body was read")
        yield b""

    check_problem(await api.post("/api/autorizacoes", content=untouched(), headers={"content-length": declared}), 413)


async def test_a_pedido_of_exactly_the_limit_is_read(api: httpx.AsyncClient) -> None:
    raw = b'{"a":"' + b"x" * (1_000_000 - 8) + b'"}'
    assert len(raw) == 1_000_000
    assert (await api.post("/api/autorizacoes", content=raw)).status_code == 200


@pytest.mark.parametrize("path", ["/nada", "/api/nada", "/api/autorizacoes/", "/api/autorizacoes/1/2/3", "/api/%2e%2e/"])
async def test_an_address_that_is_not_served_is_absent(api: httpx.AsyncClient, path: str) -> None:
    assert check_problem(await api.get(path), 404)["codigo"] == "rota_inexistente"


async def test_a_method_that_is_not_taken_is_told_which_are(api: httpx.AsyncClient) -> None:
    refused = await api.delete("/api/autorizacoes")
    assert check_problem(refused, 405)["codigo"] == "metodo_nao_aceito"
    assert set(refused.headers["allow"].split(", ")) == {"GET", "POST"}
