"""`/api/ia/triagem`: run a screening, follow it, and read what it found. Source: triagem seed, API Routes; interfaces, HTTP."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated, Any, Final

import msgspec
from fastapi import APIRouter, Header, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.tenancy import Scope
from crivo.triagem.achados import Resultado, Tipo
from crivo.triagem.andamento import Execucao
from crivo.triagem.comparar import LONGEST_QUESTION, LadoALado
from crivo.triagem.concordancia import Concordancia, NotaHumana, measure_concordancia, sugeridas_of
from crivo.triagem.custeio import Estimativa
from crivo.triagem.exportacao import NomeTabela, to_json
from crivo.triagem.service import Triagem
from crivo.web.api.documenting import REF, Responses, answer, body, failures
from crivo.web.api.triagem_schemas import Achados, PedidoTriagem, encode
from crivo.web.body import read_json
from crivo.web.escuta import EVENT_STREAM, still
from crivo.web.state import hold, scope_of, state_of
from crivo.web.triagem.acesso import XLSX, EditalId, Formato, check_sight, export, resultado_seen
from crivo.web.triagem.eventos import Acompanhamento

router = APIRouter(tags=["Triagem"])
_JSON: Final = "application/json"
_LARGEST_BYTES: Final = 10_000
_LONGEST_WAIT_SECONDS: Final = 60
_WAIT: Final = re.compile(r'(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=[,;]|$)', re.IGNORECASE)
_RUN: Final = "/api/ia/triagem/{edital_id}"
_decode_pedido: Final = msgspec.json.Decoder(PedidoTriagem)
_EVENTS_SAID: Final = (
    "Como está a execução; com `Accept: text/event-stream`, eventos com a mesma forma: `andamento` a cada passo e `fim` no último. "
    "Quem reconecta recebe logo o estado atual."
)


def _executar_responses() -> Responses:
    applied = {"Preference-Applied": "A espera que valeu, como wait=30."}
    return {
        **answer(Execucao, "Terminou durante a espera pedida em `Prefer: wait=N`.", headers=applied),
        **answer(Execucao, "Começou; quem faz são os trabalhadores.", status=202, headers={"Location": "Onde acompanhar.", **applied}),
        **failures(400, 404, 409, 413, 415, 422),
    }


@router.post(
    "/api/ia/triagem",
    summary="Executa a triagem de um edital",
    status_code=202,
    response_class=Response,
    responses=_executar_responses(),
    openapi_extra=body(
        "O edital e o que fazer com ele.",
        {"$ref": REF.format(name="PedidoTriagem")},
        [_JSON],
        {"edital_id": "ED-2026-04", "tipo": "completa"},
    ),
)
async def executar(
    request: Request,
    prefer: Annotated[
        str, Header(max_length=200, description="`wait=N` espera até N segundos (no máximo 60) pelo fim.", examples=["wait=30"])
    ] = "",
) -> Response:
    """Só gestão e administração. Uma de cada vez: com outra em andamento, 409 com ela em `execucao`. Acima do limite de custo, 403.

    Com `em_lote`, as primeiras perguntas ao modelo vão num lote: metade do preço, em até 24 horas, onde o provedor os recebe (`em_lote` na
    estimativa); senão, 409. O que não mudou desde a última triagem não é feito de novo.

    Nada aqui decide por ninguém: são sugestões para quem analisa.
    """
    right = 'Envie {"edital_id": "ED-2026-04", "tipo": "completa"}; os tipos são completa, habilitacao, avaliacao e irregularidades.'
    pedido = await read_json(request, _decode_pedido, _LARGEST_BYTES, right)
    triagem, scope = _triagem(request), scope_of(request)
    execucao = await triagem.executar(scope, pedido.edital_id, pedido.tipo, em_lote=pedido.em_lote)
    headers = {"location": f"/api/ia/triagem/{execucao.edital_id}/status"}
    found = _WAIT.search(prefer)
    if found is not None:
        seconds = min(int(found[1]), _LONGEST_WAIT_SECONDS)
        execucao = await _wait(triagem, scope, execucao, seconds)
        headers["preference-applied"] = f"wait={seconds}"
    return Response(encode(execucao), 202 if execucao.status == "em_andamento" else 200, headers, _JSON)


@router.get(
    _RUN,
    summary="O que a última triagem achou",
    response_class=Response,
    responses={**answer(Resultado, "O resultado da última execução que terminou, como na exportação."), **failures(404)},
)
async def resultado(request: Request, edital_id: EditalId) -> Response:
    """Um avaliador recebe só os projetos dados a ele, e os sinais que só dizem respeito a eles."""
    found = await resultado_seen(request, edital_id)
    return Response(await asyncio.to_thread(to_json, found), media_type=_JSON)


def _status_responses() -> Responses:
    described = answer(Execucao, _EVENTS_SAID)
    described[200]["content"][EVENT_STREAM] = {"schema": {"type": "string"}}
    return {**described, **failures(404)}


@router.get(
    f"{_RUN}/status",
    summary="A execução em andamento, ou a última",
    response_class=Response,
    responses=_status_responses(),
)
async def status(request: Request, edital_id: EditalId) -> Response:
    """Fases, contagens, custo até aqui e o tempo que falta. Quem se desconecta não interrompe nada."""
    await check_sight(request, edital_id)
    state, scope = state_of(request), scope_of(request)
    execucao = await state.container.triagem.status(scope, edital_id)
    if not _wants_events(request.headers.get("accept", "")):
        return Response(encode(execucao), media_type=_JSON)

    async def look() -> Execucao:
        await check_sight(request, edital_id)
        return await state.container.triagem.status(scope, edital_id)

    hold(request, state.acompanhamentos)
    return Acompanhamento(execucao, look, lambda now: encode(now).decode(), still(request))


@router.post(
    f"{_RUN}/cancelar",
    summary="Cancela a execução em andamento",
    response_class=Response,
    responses={**answer(Execucao, "Cancelada; o que já foi feito fica."), **failures(404, 409)},
)
async def cancelar(request: Request, edital_id: EditalId) -> Response:
    """Só gestão e administração. Dá para retomar depois."""
    return Response(encode(await _triagem(request).cancelar(scope_of(request), edital_id)), media_type=_JSON)


@router.post(
    f"{_RUN}/retomar",
    summary="Retoma a última execução",
    response_class=Response,
    responses={**answer(Execucao, "Em andamento de novo."), **failures(404, 409)},
)
async def retomar(request: Request, edital_id: EditalId) -> Response:
    """Só gestão e administração. Continua de onde parou, e pergunta de novo só o que deu erro ou ficou sem uma boa resposta do modelo."""
    return Response(encode(await _triagem(request).retomar(scope_of(request), edital_id)), media_type=_JSON)


@router.get(
    f"{_RUN}/estimativa",
    summary="Quanto custaria uma triagem",
    response_class=Response,
    responses={**answer(Estimativa, "A estimativa; sem modelo configurado o custo é zero, e ela o diz."), **failures(404, 422)},
)
async def estimativa(request: Request, edital_id: EditalId, tipo: Tipo = "completa") -> Response:
    """Só gestão e administração. Diz também o que as triagens anteriores já poupam."""
    return Response(encode(await _triagem(request).estimar(scope_of(request), edital_id, tipo)), media_type=_JSON)


def _exportacao_responses() -> Responses:
    described = answer(Resultado, "O arquivo, no formato pedido.")
    binary: dict[str, Any] = {"schema": {"type": "string", "format": "binary"}}
    described[200]["content"] |= {"text/csv": {"schema": {"type": "string"}}, XLSX: binary}
    return {**described, **failures(404, 422)}


@router.get(
    f"{_RUN}/exportacao", summary="Exporta o que a última triagem achou", response_class=Response, responses=_exportacao_responses()
)
async def exportacao(
    request: Request,
    edital_id: EditalId,
    formato: Annotated[Formato, Query(description="csv e xlsx para pessoas, json para máquinas.")] = "json",
    tabela: Annotated[
        NomeTabela | None, Query(description="Qual tabela; sem ela, o CSV é o da habilitação, e a planilha tem todas.")
    ] = None,
) -> Response:
    """CPFs saem mascarados. Um avaliador recebe só o que foi dado a ele."""
    return await export(request, edital_id, formato, tabela)


@router.get(
    f"{_RUN}/concordancia",
    summary="Quanto as notas das pessoas e as sugeridas concordam",
    response_class=Response,
    responses={**answer(Concordancia, "Por critério, por avaliador e entre avaliadores, com intervalos de 95%."), **failures(404)},
)
async def concordancia(request: Request, edital_id: EditalId) -> Response:
    """Só gestão e administração. Onde há poucas notas em comum, o relatório diz isso em vez de um número."""
    container, scope = state_of(request).container, scope_of(request)
    found = await container.triagem.resultado(scope, edital_id)
    chamada = await container.triagem.edital(scope, edital_id)
    notas = await container.julgamento.notas(scope, edital_id)
    humanas = [NotaHumana(one.projeto_id, one.criterio, str(one.avaliador), one.nota) for one in notas]
    return Response(encode(measure_concordancia(chamada.criterios, humanas, sugeridas_of(found))), media_type=_JSON)


@router.get(
    f"{_RUN}/comparar",
    summary="Dois projetos lado a lado, frase por frase",
    response_class=Response,
    responses={**answer(LadoALado, "As frases alinhadas, o que mais têm em comum, e quão perto estão."), **failures(404, 422)},
)
async def comparar(
    request: Request,
    edital_id: EditalId,
    a: Annotated[str, Query(max_length=64, description="Um projeto, como P001.")],
    b: Annotated[str, Query(max_length=64, description="O outro.")],
) -> Response:
    """Só gestão e administração, antes ou depois da triagem. CPF, conta e telefone saem mascarados."""
    found = await state_of(request).container.comparar.comparar(scope_of(request), edital_id, a, b)
    return Response(encode(found.lado), media_type=_JSON)


@router.get(
    f"{_RUN}/procurar",
    summary="Projetos que falam de um assunto, com quaisquer palavras",
    response_class=Response,
    responses={
        **answer(Achados, "Os projetos, do mais próximo ao mais distante, com a frase que mais fala do assunto."),
        **failures(404, 409, 422),
    },
)
async def procurar(
    request: Request,
    edital_id: EditalId,
    q: Annotated[str, Query(max_length=LONGEST_QUESTION, description="O assunto.", examples=["samba de roda"])],
) -> Response:
    """Só gestão e administração, e só com CRIVO_EMBEDDINGS=semantico: letras não dizem de que um texto fala."""
    found = await state_of(request).container.comparar.procurar(scope_of(request), edital_id, q)
    return Response(encode(Achados(edital_id, q, found)), media_type=_JSON)


async def _wait(triagem: Triagem, scope: Scope, execucao: Execucao, seconds: int) -> Execucao:
    """The execução once it has ended, or as it is when the timeout has passed."""
    try:
        async with asyncio.timeout(seconds):
            async for now in triagem.acompanhar(scope, execucao.edital_id):
                if now.id != execucao.id:  # it ended, and another has begun since
                    break
                execucao = now
    except TimeoutError:
        pass
    return execucao


def _triagem(request: Request) -> Triagem:
    return state_of(request).container.triagem


def _wants_events(accept: str) -> bool:
    """Whether events are asked for before a document; the document is what is answered where nothing is said."""
    named = (kind.partition(";")[0].strip().lower() for kind in accept.split(","))
    return next((kind for kind in named if kind in (_JSON, EVENT_STREAM)), _JSON) == EVENT_STREAM
