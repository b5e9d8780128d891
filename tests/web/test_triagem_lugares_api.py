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
from notas_dadas import chamada_com_notas
from sujeitos import as_person

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


async def test_versions_are_listed_read_as_they_went_out_and_compared(
    container: Container, scope: Scope, new_key: NewKey, new_person: NewPerson, client_of: ClientOf
) -> None:
    person = await new_person(scope, "gestor")
    lia = client_of(await new_key(scope, usuario=person))
    await container.triagem.importar(scope, chamada_com_notas([9, 5]))
    assert (await lia.get(f"{BASE}/versoes")).json() == {"edital_id": "ED-1", "versoes": []}
    seen = await container.resultados.rascunho(scope, "ED-1", "preliminar")
    await container.resultados.publicar(as_person(scope, person), "ED-1", "preliminar", seen.sha256)
    await container.triagem.importar(scope, chamada_com_notas([4, 5]))
    (version,) = (await lia.get(f"{BASE}/versoes")).json()["versoes"]
    assert (version["versao"], version["fase"], version["sha256"], version["motivo"]) == (1, "preliminar", seen.sha256, "")
    published = (await lia.get(BASE, params={"versao": 1, "fase": "final"})).json()
    assert (published["fase"], [one["projeto_id"] for one in published["projetos"]]) == ("preliminar", ["P0001", "P0002"])
    compared = (await lia.get(f"{BASE}/comparacao", params={"antes": 1})).json()
    assert compared["depois"] is None
    assert {one["projeto_id"]: one["movimentos"] for one in compared["mudancas"]} == {
        "P0002": ["entrou", "situacao", "subiu"],
        "P0001": ["saiu", "situacao", "nota", "desceu"],
    }
    assert compared["mudancas"][0]["antes"]["posicao"] == 2
    assert compared["regras"] == []
    assert (await lia.get(f"{BASE}/comparacao", params={"antes": 1, "depois": 1})).json()["mudancas"] == []
    assert (await lia.get(BASE, params={"versao": 7})).json()["codigo"] == (await lia.get(f"{BASE}/comparacao?antes=7")).json()["codigo"]
    assert (await lia.get(f"{BASE}/comparacao")).status_code == 422
    davi = client_of(await new_key(scope, usuario=await new_person(scope, "avaliador")))
    assert [(await davi.get(f"{BASE}/{path}")).status_code for path in ("versoes", "comparacao?antes=1")] == [403, 403]
