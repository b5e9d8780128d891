"""`GET /api/ia/triagem/{edital_id}/resultado`: the places, for whoever manages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from decimal import Decimal

import httpx
from msgspec.structs import replace

from chamadas import Importacao, importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope
from crivo.triagem.classificacao.definicao import Classificacao, Vagas
from crivo.triagem.edital import AvaliacaoDada

NewKey = Callable[..., Awaitable[str]]
NewPerson = Callable[..., Awaitable[Usuario]]
ClientOf = Callable[[str], httpx.AsyncClient]
BASE = "/api/ia/triagem/ED-1/resultado"


async def test_places_are_read_by_who_manages_and_a_call_without_rules_says_so(
    container: Container, scope: Scope, new_key: NewKey, new_person: NewPerson, client_of: ClientOf
) -> None:
    lia = client_of(await new_key(scope, usuario=await new_person(scope, "gestor")))
    assert (await lia.get(BASE)).status_code == 404
    given = importacao(2)
    await container.triagem.importar(scope, given)
    lacking = await lia.get(BASE)
    assert (lacking.status_code, lacking.json()["codigo"]) == (409, "sem_classificacao")
    edital = replace(given.chamada.edital, classificacao=Classificacao(vagas=(Vagas("*", 1),)))
    dada = AvaliacaoDada("P0002", "ana@jurado.example", {"C1": Decimal(8), "C2": Decimal("7.5")})
    await container.triagem.importar(scope, Importacao(replace(given.chamada, edital=edital, avaliacoes=(dada,)), given.arquivos))
    found = (await lia.get(BASE, params={"fase": "final"})).json()
    assert (found["fase"], [(one["projeto_id"], one["situacao"]) for one in found["projetos"]]) == (
        "final",
        [("P0002", "selecionado"), ("P0001", "pendente")],
    )
    assert (await lia.get(BASE, params={"fase": "ultima"})).status_code == 422
    davi = client_of(await new_key(scope, usuario=await new_person(scope, "avaliador")))
    assert (await davi.get(BASE)).status_code == 403
