"""`/api/ia/triagem/{edital_id}/casos`: the cases of an edital, and what a person says of them. Source: design, The mesa."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Final, Literal
from uuid import UUID

import msgspec
from fastapi import APIRouter, Path, Query
from starlette.requests import Request
from starlette.responses import Response

from crivo.kernel.linguagem.identificadores import mask_cpfs
from crivo.triagem.achados import Irregularidade
from crivo.triagem.casos.achado import Gravidade
from crivo.triagem.casos.guardados import Caso, SituacaoCaso
from crivo.triagem.tratamento import LONGEST_TEXT
from crivo.web.api.documenting import REF, answer, body, failures
from crivo.web.api.triagem_schemas import encode
from crivo.web.body import read_json
from crivo.web.state import scope_of, state_of
from crivo.web.triagem.acesso import EditalId

router = APIRouter(tags=["Triagem"])
_JSON: Final = "application/json"
_LARGEST_BYTES: Final = 20_000
_CASOS: Final = "/api/ia/triagem/{edital_id}/casos"
_CASO: Final = f"{_CASOS}/{{numero}}"
_MOST: Final = 2_000_000_000
Numero = Annotated[int, Path(ge=1, le=_MOST, description="Número do caso no edital, de 1 em diante.", examples=[1])]
_Visto = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
_Texto = Annotated[str, msgspec.Meta(max_length=LONGEST_TEXT)]
_WHO: Final = "A chave deve agir por uma pessoa da gestão: crie-a com `crivo chaves criar --usuario EMAIL`."


class AnotacaoDoCaso(msgspec.Struct, frozen=True):
    """A note: null where it was erased with a project."""

    texto: str | None
    por: UUID
    em: datetime


class CasoDoEdital(msgspec.Struct, frozen=True):
    """A case. `versao` is sent back as `visto` by whoever decides; `mudou` is what came to it after the decision that stands.

    Where the last screening did not find it any more it is not `presente`. `pendente`: somebody still has to decide it.
    """

    numero: int
    titulo: str
    gravidade: Gravidade
    situacao: SituacaoCaso
    presente: bool
    pendente: bool
    tipos: tuple[str, ...]
    projetos: tuple[str, ...]
    sinais: tuple[Irregularidade, ...]
    motivo: str | None
    decidido_por: UUID | None
    decidido_em: datetime | None
    dono: UUID | None
    anotacoes: tuple[AnotacaoDoCaso, ...]
    mudou: tuple[str, ...]
    versao: int

    @classmethod
    def of(cls, caso: Caso) -> CasoDoEdital:
        """The case as it is answered; CPFs in quotes are masked."""
        return cls(
            caso.numero,
            caso.titulo,
            caso.gravidade,
            caso.situacao,
            caso.presente,
            caso.pendente,
            caso.tipos,
            caso.projetos,
            tuple([_masked(one) for one in caso.sinais]),
            caso.motivo,
            caso.decidido_por,
            caso.decidido_em,
            caso.dono,
            tuple([AnotacaoDoCaso(one.texto, one.por, one.em) for one in caso.anotacoes]),
            caso.mudou,
            caso.versao,
        )


class ListaDeCasos(msgspec.Struct, frozen=True):
    """The cases of an edital, the gravest first."""

    itens: tuple[CasoDoEdital, ...]


class DecisaoDoCaso(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a person decides of a case, and the version of it that was before them; without a reason it can only be opened again."""

    situacao: SituacaoCaso
    visto: _Visto
    motivo: _Texto = ""


class DonoDoCaso(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to treat a case: somebody who manages, or nobody."""

    dono: UUID | None


class NovaAnotacao(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A note on a case."""

    texto: _Texto


CONTRACTS: Final = (ListaDeCasos, CasoDoEdital, DecisaoDoCaso, DonoDoCaso, NovaAnotacao)
_decode_decisao: Final = msgspec.json.Decoder(DecisaoDoCaso)
_decode_dono: Final = msgspec.json.Decoder(DonoDoCaso)
_decode_anotacao: Final = msgspec.json.Decoder(NovaAnotacao)


@router.get(
    _CASOS,
    summary="Os casos de um edital",
    response_class=Response,
    responses={**answer(ListaDeCasos, "Do mais grave ao mais leve; os que não aparecem mais vêm no fim."), **failures(404, 422)},
)
async def listar(
    request: Request,
    edital_id: EditalId,
    situacao: Annotated[
        Literal["aberto", "confirmado", "descartado", "sumido"] | None,
        Query(description="Só os casos nesta situação; `sumido` são os que a última triagem não achou mais."),
    ] = None,
) -> Response:
    """Cada caso reúne os sinais de uma causa só. Um avaliador recebe os dos projetos dados a ele, sem o que é de outros projetos."""
    found = await state_of(request).container.casos.listar(scope_of(request), edital_id, situacao)
    return Response(encode(ListaDeCasos(tuple([CasoDoEdital.of(one) for one in found]))), media_type=_JSON)


@router.post(
    f"{_CASO}/decisao",
    summary="Confirma, descarta ou reabre um caso",
    response_class=Response,
    responses={**answer(CasoDoEdital, "O caso como ficou."), **failures(400, 404, 409, 410, 413, 415, 422)},
    openapi_extra=body(
        "A decisão, o motivo e a `versao` que se tinha visto.",
        {"$ref": REF.format(name="DecisaoDoCaso")},
        [_JSON],
        {"situacao": "descartado", "motivo": "São duas etapas do mesmo projeto.", "visto": 0},
    ),
    description=f"{_WHO} Se outra pessoa decidiu depois da versão vista, 409: leia o caso de novo.",
)
async def decidir(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """A person's decision."""
    right = 'Envie {"situacao": "confirmado", "motivo": "...", "visto": 0}; visto é a versão do caso que você leu.'
    dita = await read_json(request, _decode_decisao, _LARGEST_BYTES, right)
    casos = state_of(request).container.casos
    return _answer(await casos.decidir(scope_of(request), edital_id, numero, dita.situacao, dita.motivo, dita.visto))


@router.delete(
    f"{_CASO}/decisao",
    summary="Desfaz a última decisão de um caso",
    response_class=Response,
    responses={**answer(CasoDoEdital, "O caso como ficou: vale a decisão de antes."), **failures(404, 409, 410, 422)},
    description=f"{_WHO} O que foi desfeito continua na história.",
)
async def desfazer(
    request: Request,
    edital_id: EditalId,
    numero: Numero,
    visto: Annotated[int, Query(ge=0, le=_MOST, description="A versão do caso que se leu.")],
) -> Response:
    """Take back the decision that stands."""
    return _answer(await state_of(request).container.casos.desfazer(scope_of(request), edital_id, numero, visto))


@router.post(
    f"{_CASO}/dono",
    summary="Diz quem cuida de um caso",
    response_class=Response,
    responses={**answer(CasoDoEdital, "O caso como ficou."), **failures(400, 404, 409, 410, 413, 415, 422)},
    openapi_extra=body("Uma pessoa da gestão, ou null para ninguém.", {"$ref": REF.format(name="DonoDoCaso")}, [_JSON], {"dono": None}),
    description=_WHO,
)
async def assumir(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """Whose a case is."""
    dito = await read_json(request, _decode_dono, _LARGEST_BYTES, 'Envie {"dono": "id da pessoa"}, ou {"dono": null}.')
    return _answer(await state_of(request).container.casos.assumir(scope_of(request), edital_id, numero, dito.dono))


@router.post(
    f"{_CASO}/anotacoes",
    summary="Anota num caso",
    response_class=Response,
    responses={**answer(CasoDoEdital, "O caso com a anotação."), **failures(400, 404, 409, 410, 413, 415, 422)},
    openapi_extra=body("O texto.", {"$ref": REF.format(name="NovaAnotacao")}, [_JSON], {"texto": "Pedi a ata ao grupo."}),
    description=_WHO,
)
async def anotar(request: Request, edital_id: EditalId, numero: Numero) -> Response:
    """A note."""
    dita = await read_json(request, _decode_anotacao, _LARGEST_BYTES, 'Envie {"texto": "..."}, sem outros campos.')
    return _answer(await state_of(request).container.casos.anotar(scope_of(request), edital_id, numero, dita.texto))


def _answer(caso: Caso) -> Response:
    return Response(encode(CasoDoEdital.of(caso)), media_type=_JSON)


def _masked(sinal: Irregularidade) -> Irregularidade:
    quotes = tuple([msgspec.structs.replace(one, trecho=mask_cpfs(one.trecho)) for one in sinal.evidencia])
    return msgspec.structs.replace(sinal, evidencia=quotes, achado=mask_cpfs(sinal.achado))
