"""`/api/ia/triagem/{edital_id}/resultado`: the places that people's notas and decisions come to, and those that were published.

Source: interfaces, HTTP.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Final

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.atos import NewEntry
from crivo.triagem.classificacao.publicado import FaseDoResultado, ResultadoPublicado, publish
from crivo.triagem.exportacao import lugares_to_json
from crivo.triagem.publicacao.comparacao import compare
from crivo.triagem.publicacao.conteudo import Conteudo
from crivo.triagem.publicacao.diferencas import differences
from crivo.triagem.publicacao.movimentos import moved
from crivo.web.api.documenting import answer, failures
from crivo.web.api.triagem_schemas import MudancaDeLugar, ResultadosComparados, VersoesPublicadas, encode
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(tags=["Triagem"])
_JSON: Final = "application/json"
_RESULTADO: Final = "/api/ia/triagem/{edital_id}/resultado"
_MOST: Final = 1_000_000
Fase = Annotated[FaseDoResultado, Query(description="O que vai escrito no rascunho; as contas são as mesmas.")]


@router.get(
    _RESULTADO,
    summary="Os lugares: quem é selecionado, em que vaga e por quê",
    response_class=Response,
    responses={**answer(ResultadoPublicado, "Cada projeto com lugar, situação, vaga e motivo."), **failures(404, 409, 422)},
)
async def resultado(
    request: Request,
    edital_id: EditalId,
    fase: Fase = "preliminar",
    versao: Annotated[
        int | None, Query(ge=1, le=_MOST, description="Uma versão publicada, como saiu; sem ela, o rascunho de agora.")
    ] = None,
) -> Response:
    """Só gestão e administração. Contam só notas enviadas e decisões de pessoas, nunca as de um modelo.

    Com `versao`, a lista como foi publicada, e `fase` não muda nada. Sem `classificacao` no edital, 409 com o que falta.
    """
    container, scope = state_of(request).container, scope_of(request)
    if versao is not None:
        conteudo = (await container.resultados.versao(scope, edital_id, versao)).conteudo
        publicado = ResultadoPublicado(conteudo.edital_id, conteudo.fase, tuple([one.lugar for one in conteudo.linhas]))
    else:
        found = await container.lugares.resultado(scope, edital_id)
        publicado = await asyncio.to_thread(publish, found, fase)
    told = {"edital": edital_id, "fase": publicado.fase, "formato": "json", "projetos": len(publicado.projetos)}
    told |= {} if versao is None else {"versao": versao}
    await container.auditoria.anotar(scope, NewEntry(acao="resultado.exportado", alvo=f"edital:{edital_id}", dados=told))
    return Response(await asyncio.to_thread(lugares_to_json, publicado), media_type=_JSON)


@router.get(
    f"{_RESULTADO}/versoes",
    summary="O que já foi publicado do resultado",
    response_class=Response,
    responses={**answer(VersoesPublicadas, "Cada versão com fase, quando, por quem, motivo, resumo e código."), **failures(404, 422)},
)
async def versoes(request: Request, edital_id: EditalId) -> Response:
    """Só gestão e administração. A mais nova vem antes; uma versão não muda nem se apaga."""
    found = await state_of(request).container.resultados.versoes(scope_of(request), edital_id)
    return Response(encode(VersoesPublicadas(edital_id, found)), media_type=_JSON)


@router.get(
    f"{_RESULTADO}/comparacao",
    summary="Dois resultados lado a lado: quem entrou, saiu, subiu ou desceu",
    response_class=Response,
    responses={
        **answer(ResultadosComparados, "Cada projeto que mudou, antes e depois, e as partes das regras que mudaram."),
        **failures(404, 409, 422),
    },
)
async def comparacao(
    request: Request,
    edital_id: EditalId,
    antes: Annotated[int, Query(ge=1, le=_MOST, description="Uma versão publicada.")],
    depois: Annotated[int | None, Query(ge=1, le=_MOST, description="Outra; sem ela, o rascunho de agora.")] = None,
    fase: Fase = "preliminar",
) -> Response:
    """Só gestão e administração. Quem mudou só na frase do motivo, que diz quantos concorrem, não está entre as mudanças."""
    container, scope = state_of(request).container, scope_of(request)
    before = (await container.resultados.versao(scope, edital_id, antes)).conteudo
    after = (
        (await container.resultados.rascunho(scope, edital_id, fase)).conteudo
        if depois is None
        else (await container.resultados.versao(scope, edital_id, depois)).conteudo
    )
    compared = await asyncio.to_thread(_compared, edital_id, before, after, antes, depois)
    return Response(compared, media_type=_JSON)


def _compared(edital_id: str, before: Conteudo, after: Conteudo, antes: int, depois: int | None) -> bytes:
    changes = [
        MudancaDeLugar(one.mudanca.projeto_id, one.mudanca.titulo, one.movimentos, one.mudanca.antes, one.mudanca.depois)
        for one in moved(compare(before, after))
    ]
    return encode(ResultadosComparados(edital_id, antes, depois, tuple(changes), differences(before, after)))
