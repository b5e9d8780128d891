"""The provider that tests talk to is what the official client takes it for, and each of its faults is seen as that client sees it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import msgspec
import numpy as np
import openai
import pytest
from openai import AsyncAzureOpenAI, AsyncOpenAI

from provedor import FALTAS, FALTAS_DE_TROCA, FALTAS_DE_VETORES, Falta, Provedor, QualquerFalta, always, provedor_no_ar, sometimes
from provedor.esquema import fill

SUPPORT = Path(__file__).parent / "support"
CAMPOS = {"resumo": "A guia pede 2 sessões.", "nota": 7.5, "codigo": "RF4"}
ESQUEMA = {"type": "object", "properties": {"resumo": {"type": "string"}, "nota": {"type": "number"}, "codigo": {"enum": ["RF4"]}}}
MENSAGENS: Any = [{"role": "system", "content": "Seja breve."}, {"role": "user", "content": "Quantas sessões?"}]
FERRAMENTA: Any = {"type": "function", "function": {"name": "final_result", "parameters": ESQUEMA}}
FERRAMENTA_R: Any = {"type": "function", "name": "final_result", "parameters": ESQUEMA, "strict": False}
FORMATO: Any = {"type": "json_schema", "json_schema": {"name": "resposta", "schema": ESQUEMA}}
FORMATO_R: Any = {"format": {"type": "json_schema", "name": "resposta", "schema": ESQUEMA}}
REFUSED = {
    "limite_segundos": openai.RateLimitError,
    "limite_data": openai.RateLimitError,
    "erro_401": openai.AuthenticationError,
    "erro_500": openai.InternalServerError,
    "erro_502": openai.InternalServerError,
    "erro_503": openai.InternalServerError,
    "filtro_de_conteudo": openai.BadRequestError,
    "parametro_recusado": openai.BadRequestError,
}


@pytest.fixture
def provedor() -> Iterator[Provedor]:
    with provedor_no_ar(Provedor(campos=lambda pedido: CAMPOS)) as running:
        yield running


@pytest.fixture
async def client(provedor: Provedor) -> AsyncIterator[AsyncOpenAI]:
    async with AsyncOpenAI(base_url=provedor.url, api_key="chave", max_retries=0, timeout=5) as opened:
        yield opened


async def chat(client: AsyncOpenAI, **more: Any) -> Any:
    return await client.chat.completions.create(model="gpt-5", messages=MENSAGENS, **more)


async def respond(client: AsyncOpenAI, **more: Any) -> Any:
    return await client.responses.create(model="gpt-5", instructions="Seja breve.", input="Quantas sessões?", **more)


async def read_all(stream: Any) -> list[Any]:
    return [event async for event in stream]


def said(answer: Any) -> str:
    """The text of an answer of either protocol, however it was asked for."""
    if answer.object == "chat.completion":
        message = answer.choices[0].message
        return str(message.tool_calls[0].function.arguments if message.tool_calls else message.content)
    return str(answer.output[0].arguments if answer.output[0].type == "function_call" else answer.output_text)


async def test_chat_answers_by_tool_and_by_schema(client: AsyncOpenAI, provedor: Provedor) -> None:
    by_tool = await chat(client, tools=[FERRAMENTA], temperature=0.6)
    by_schema = await chat(client, response_format=FORMATO)
    assert [msgspec.json.decode(said(answer)) for answer in (by_tool, by_schema)] == [CAMPOS, CAMPOS]
    assert (by_tool.choices[0].finish_reason, by_schema.choices[0].finish_reason) == ("tool_calls", "stop")
    assert by_tool.usage.completion_tokens > 0
    first, second = provedor.recebidos
    assert (first.caminho, first.modelo, first.temperatura, first.chaves) == ("/v1/chat/completions", "gpt-5", 0.6, ("authorization",))
    assert first.texto == "Seja breve.\nQuantas sessões?"
    assert first.esquema == second.esquema == ESQUEMA
    assert first.resumo != second.resumo


async def test_responses_answers_by_tool_and_by_schema(client: AsyncOpenAI, provedor: Provedor) -> None:
    by_tool = await respond(client, tools=[FERRAMENTA_R])
    by_schema = await respond(client, text=FORMATO_R)
    assert [msgspec.json.decode(said(answer)) for answer in (by_tool, by_schema)] == [CAMPOS, CAMPOS]
    assert by_schema.usage.output_tokens > 0
    assert [pedido.esquema for pedido in provedor.recebidos] == [ESQUEMA, ESQUEMA]
    assert provedor.recebidos[0].texto == "Seja breve.\nQuantas sessões?"


@pytest.mark.parametrize("asked", [{"tools": [FERRAMENTA]}, {"response_format": FORMATO}], ids=["tool", "schema"])
async def test_chat_streams_the_same_answer_in_pieces(client: AsyncOpenAI, asked: dict[str, Any]) -> None:
    chunks = [chunk async for chunk in await chat(client, stream=True, stream_options={"include_usage": True}, **asked)]
    deltas = [choice.delta for chunk in chunks for choice in chunk.choices]
    written = "".join((delta.tool_calls[0].function.arguments or "") if delta.tool_calls else (delta.content or "") for delta in deltas)
    assert msgspec.json.decode(written) == CAMPOS
    assert chunks[-1].usage.total_tokens > 0


@pytest.mark.parametrize("asked", [{"tools": [FERRAMENTA_R]}, {"text": FORMATO_R}], ids=["tool", "schema"])
async def test_responses_streams_the_same_answer_in_pieces(client: AsyncOpenAI, asked: dict[str, Any]) -> None:
    events = [event async for event in await respond(client, stream=True, **asked)]
    written = "".join(event.delta for event in events if event.type.endswith(".delta"))
    assert msgspec.json.decode(written) == msgspec.json.decode(said(events[-1].response)) == CAMPOS
    assert [event.sequence_number for event in events] == list(range(len(events)))


async def test_a_deployment_of_azure_answers_at_its_dated_and_at_its_v1_address(provedor: Provedor) -> None:
    async with AsyncAzureOpenAI(
        azure_endpoint=provedor.endereco, api_key="chave", api_version="2025-04-01-preview", max_retries=0
    ) as dated:
        answer = await dated.chat.completions.create(model="minha-implantacao", messages=MENSAGENS, response_format=FORMATO)
    async with AsyncOpenAI(base_url=f"{provedor.endereco}/openai/v1", api_key="chave", max_retries=0) as v1:
        await respond(v1, text=FORMATO_R)
    assert msgspec.json.decode(said(answer)) == CAMPOS
    caminhos = [pedido.caminho for pedido in provedor.recebidos]
    assert caminhos == ["/openai/deployments/minha-implantacao/chat/completions", "/openai/v1/responses"]
    assert [(pedido.modelo, pedido.chaves) for pedido in provedor.recebidos] == [
        ("minha-implantacao", ("api-key",)),
        ("gpt-5", ("authorization",)),
    ]


@pytest.mark.parametrize("falta", REFUSED)
async def test_a_refused_call_is_told_by_its_status_and_not_paid(client: AsyncOpenAI, provedor: Provedor, falta: Falta) -> None:
    provedor.faltas.append(falta)
    provedor.retry_after_seconds = 7
    with pytest.raises(REFUSED[falta]) as raised:
        await chat(client)
    later = raised.value.response.headers.get("retry-after", "")
    assert {"limite_segundos": later == "7", "limite_data": later.endswith(" GMT")}.get(falta, later == "")
    assert (provedor.pagos, provedor.anotados[0].falta) == (0, falta)
    await chat(client)
    assert (provedor.pagos, provedor.distintos) == (1, 1)


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize("ask", [chat, respond])
async def test_a_connection_that_closes_in_the_middle_is_no_answer(
    client: AsyncOpenAI, provedor: Provedor, ask: Any, is_streamed: bool
) -> None:
    provedor.faltas.append("cortada")
    with pytest.raises((openai.APIConnectionError, httpx2.RemoteProtocolError)):
        await read_all(await ask(client, stream=True)) if is_streamed else await ask(client)
    assert provedor.pagos == 0


async def test_silence_lasts_until_the_asker_leaves(client: AsyncOpenAI, provedor: Provedor) -> None:
    provedor.faltas.append("silencio")
    with pytest.raises(openai.APITimeoutError):
        await chat(client, timeout=0.2)
    async with asyncio.timeout(10):
        while provedor.em_curso:  # noqa: ASYNC110 - the server lives in another thread, which sets no event of this loop
            await asyncio.sleep(0.01)
    assert [anotado.pago for anotado in provedor.anotados] == [False]


async def test_silence_ends_by_itself_too(client: AsyncOpenAI, provedor: Provedor) -> None:
    provedor.silencio_seconds = 0.1
    provedor.faltas.append("silencio")
    with pytest.raises(openai.InternalServerError) as raised:
        await chat(client)
    assert raised.value.status_code == 504


async def test_a_page_in_place_of_the_body_is_paid_and_no_json(client: AsyncOpenAI, provedor: Provedor) -> None:
    provedor.faltas.append("corpo_nao_json")
    answer = await chat(client)
    assert isinstance(answer, str)
    assert answer.startswith("<!doctype html>")
    assert provedor.pagos == 1


async def test_a_refusal_is_said_in_each_protocols_own_way(client: AsyncOpenAI, provedor: Provedor) -> None:
    provedor.sempre = always("recusa")
    by_chat = await chat(client, tools=[FERRAMENTA])
    by_responses = await respond(client, tools=[FERRAMENTA_R])
    assert (by_chat.choices[0].message.content, by_chat.choices[0].message.refusal) == (None, by_responses.output[0].content[0].refusal)
    assert by_responses.output[0].content[0].type == "refusal"
    streamed = [event.type async for event in await respond(client, stream=True)]
    assert "response.refusal.done" in streamed


@pytest.mark.parametrize("ask", [chat, respond])
@pytest.mark.parametrize("falta", ["vazia", "texto_nao_json", "truncada", "sem_espaco"])
async def test_what_is_said_is_no_json(client: AsyncOpenAI, provedor: Provedor, falta: Falta, ask: Any) -> None:
    provedor.faltas.append(falta)
    answer = await ask(client)
    with pytest.raises(msgspec.DecodeError):
        msgspec.json.decode(said(answer))
    if falta in {"truncada", "sem_espaco"}:
        assert "length" in answer.model_dump_json() or answer.incomplete_details.reason == "max_output_tokens"


@pytest.mark.parametrize("ask", [chat, respond])
async def test_an_answer_need_not_tell_what_it_took(client: AsyncOpenAI, provedor: Provedor, ask: Any) -> None:
    provedor.faltas.append("sem_contagem")
    answer = await ask(client)
    assert (answer.usage, bool(said(answer))) == (None, True)


async def test_a_stream_that_stops_is_silent_from_its_middle_on(client: AsyncOpenAI, provedor: Provedor) -> None:
    provedor.faltas += ["fluxo_parado", "fluxo_parado"]
    assert said(await chat(client))  # nothing else stops
    with pytest.raises((openai.APITimeoutError, httpx2.ReadTimeout)):
        await read_all(await chat(client, stream=True, timeout=0.2))


@pytest.mark.parametrize(
    ("falta", "there"),
    [
        ("esquema_errado", "qualquer_coisa"),
        ("outra_lingua", "The request was reviewed"),
        ("horarios_inventados", "31/12/2031 às 03:17"),
        ("numeros_errados", "A guia pede 9 sessões."),
        ("obedece_injecao", "nota máxima"),
    ],
)
async def test_a_bad_answer_is_in_order_but_for_what_it_says(client: AsyncOpenAI, provedor: Provedor, falta: Falta, there: str) -> None:
    provedor.sempre = always(falta)
    for answer in (await chat(client, tools=[FERRAMENTA]), await respond(client, text=FORMATO_R)):
        fields = msgspec.json.decode(said(answer))
        assert there in said(answer)
        assert fields.get("resumo") != "A guia pede 2 sessões."
        assert fields.get("codigo", "RF4") == "RF4"


async def test_a_huge_answer_keeps_its_shape(client: AsyncOpenAI, provedor: Provedor) -> None:
    provedor.faltas.append("dez_megabytes")
    text = said(await respond(client, text=FORMATO_R))
    assert len(text.encode()) >= 10 * 1024 * 1024
    assert msgspec.json.decode(text)["nota"] == 7.5


def test_every_fault_of_the_catalogue_has_a_test() -> None:
    seen = {*REFUSED, "cortada", "silencio", "corpo_nao_json", "recusa", "vazia", "texto_nao_json", "truncada", "esquema_errado"}
    seen |= {"sem_espaco", "sem_contagem", "outra_lingua", "horarios_inventados", "numeros_errados", "obedece_injecao", "dez_megabytes"}
    assert set(FALTAS) == seen
    assert set(FALTAS_DE_TROCA) <= seen


async def test_faults_by_chance_are_the_same_with_the_same_seed(client: AsyncOpenAI, provedor: Provedor) -> None:
    async def faults(seed: int) -> dict[str, Any]:
        provedor.esquecer()
        provedor.sempre = sometimes(0.5, ("erro_500", "erro_503"), seed)
        asked = [client.responses.create(model="gpt-5", input=f"Pergunta {number}") for number in range(40)]
        await asyncio.gather(*asked, return_exceptions=True)
        return {anotado.pedido.resumo: anotado.falta for anotado in provedor.anotados}

    first = await faults(1)
    assert set(first.values()) == {None, "erro_500", "erro_503"}
    assert await faults(1) == first
    assert await faults(2) != first


async def test_the_models_are_listed(client: AsyncOpenAI, provedor: Provedor) -> None:
    provedor.modelos = ("um", "outro")
    assert [model.id async for model in client.models.list()] == ["um", "outro"]


async def test_without_a_script_the_answer_keeps_the_schema_that_was_sent(provedor: Provedor) -> None:
    esquema = {
        "type": "object",
        "properties": {
            "itens": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
            "talvez": {"anyOf": [{"type": "null"}, {"type": "number"}]},
        },
        "$defs": {"Item": {"type": "object", "properties": {"tipo": {"enum": ["a", "b"]}, "certo": {"type": "boolean"}}}},
    }
    answer = fill(esquema)
    jsonschema.validate(answer, esquema)
    assert answer == {"itens": [{"tipo": "a", "certo": False}], "talvez": 1}


async def vectors(client: AsyncOpenAI, *texts: str, **more: Any) -> Any:
    return await client.embeddings.create(model="text-embedding-3-small", input=list(texts), **more)


async def test_texts_that_share_words_have_near_vectors(client: AsyncOpenAI) -> None:
    answer = await vectors(client, "oficina de teatro", "oficina de teatro popular", "laudo do exame")
    near, other, far = (np.array(item.embedding) for item in answer.data)
    assert near @ other > 0.7 > 0.3 > near @ far
    assert (len(near), answer.usage.prompt_tokens > 0) == (1536, True)
    again = await vectors(client, "oficina de teatro", encoding_format="float")
    assert np.allclose(again.data[0].embedding, near, atol=1e-6)


@pytest.mark.parametrize("entradas", [["x" * 8193], [""], ["x"] * 2049, ["x" * 8000] * 38], ids=["long", "empty", "many", "heavy"])
async def test_what_the_service_would_not_embed_is_refused(client: AsyncOpenAI, provedor: Provedor, entradas: list[str]) -> None:
    with pytest.raises(openai.BadRequestError):
        await vectors(client, *entradas)
    assert provedor.pagos == 0


@pytest.mark.parametrize(
    ("falta", "indexes", "dimensoes"), [("dimensao_errada", [0, 1], 1535), ("vetores_a_menos", [0], 1536), ("ordem_trocada", [1, 0], 1536)]
)
async def test_vectors_come_wrong(
    client: AsyncOpenAI, provedor: Provedor, falta: QualquerFalta, indexes: list[int], dimensoes: int
) -> None:
    assert falta in FALTAS_DE_VETORES
    provedor.faltas.append(falta)
    answer = await vectors(client, "um", "dois")
    assert [item.index for item in answer.data] == indexes
    assert {len(item.embedding) for item in answer.data} == {dimensoes}


async def test_each_answer_takes_its_time_and_all_at_once_take_as_much(client: AsyncOpenAI, provedor: Provedor) -> None:
    provedor.espera_seconds = 0.2
    await asyncio.gather(*(chat(client) for _ in range(5)))
    assert (provedor.pagos, provedor.distintos, provedor.mais_em_curso) == (5, 1, 5)


async def test_the_record_can_be_asked_for_from_another_process(provedor: Provedor, client: AsyncOpenAI) -> None:
    provedor.faltas.append("erro_500")
    for number in range(3):
        with contextlib.suppress(openai.InternalServerError):
            await client.responses.create(model="gpt-5", input=f"Pergunta {number % 2}")
    async with httpx2.AsyncClient() as plain:
        told = (await plain.get(f"{provedor.endereco}/contagem")).json()
        absent = (await plain.post(f"{provedor.endereco}/v1/files", content=b"{}")).status_code
    assert told == {"recebidos": 3, "pagos": 2, "distintos": 2, "por_falta": {"erro_500": 1}}
    assert absent == 404


async def test_as_a_process_of_its_own_it_tells_its_address_and_its_record() -> None:
    options = ["--falta", "erro_503", "--parte", "0.5", "--semente", "3", "--campos", "provedor.exemplo:campos"]
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "provedor", *options, stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(SUPPORT)}
    )
    try:
        assert process.stdout is not None
        endereco = (await process.stdout.readline()).decode().strip()
        async with (
            AsyncOpenAI(base_url=f"{endereco}/v1", api_key="chave", max_retries=0, timeout=5) as client,
            httpx2.AsyncClient() as plain,
        ):
            asked = [client.responses.create(model="gpt-5", input=f"Pergunta {number}") for number in range(20)]
            answers = await asyncio.gather(*asked, return_exceptions=True)
            told = (await plain.get(f"{endereco}/contagem")).json()
    finally:
        process.terminate()
        await process.wait()
    paid = [answer for answer in answers if not isinstance(answer, openai.InternalServerError)]
    assert {said(answer) for answer in paid} == {'{"eco":"gpt-5"}'}
    assert told == {"recebidos": 20, "pagos": len(paid), "distintos": len(paid), "por_falta": {"erro_503": 20 - len(paid)}}
    assert 0 < len(paid) < 20
