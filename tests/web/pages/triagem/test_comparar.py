"""Two projects of a call side by side, screened or not: by their words everywhere, by what they mean where that can be told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import httpx
import pytest

from com_semantico import precisa_do_semantico
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.settings import Settings
from crivo.kernel.tenancy import Scope
from crivo.triagem.embeddings.local import LocalEmbedder
from dois_projetos import ACORDO, EDITAL, FESTAS, P017, P030, SO_EM_A, SO_EM_B, TERMO, chamada, projeto

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
PAGE = f"/admin/editais/{EDITAL}/comparar"
BOTH = f"{PAGE}?a=P017&b=P030"
API = f"/api/ia/triagem/{EDITAL}/comparar"


@pytest.fixture
def settings(request: pytest.FixtureRequest, settings_of_all: Settings, scope: Scope, tmp_path: Path) -> Settings:
    """Those of every test, with what the texts are compared by where a test says so."""
    embeddings = getattr(request, "param", "local")
    return settings_of_all.model_copy(update={"data_dir": tmp_path, "tenant": scope.tenant_id, "embeddings": embeddings})


pelo_sentido = pytest.mark.parametrize("settings", ["semantico"], indirect=True)


@pytest.fixture
async def gestora(container: Container, scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    mais = (
        projeto("P200", "Só figuras", "Figura", "😀😀😀 🎭🎭 🎶"),
        projeto("P201", "Sem texto", "Ninguém", ""),
        projeto("P203", "Dança", "Dora", "Oficina de dança para jovens."),
        projeto("P204", "Dança de novo", "Dario", "Oficina de dança para jovens."),
        projeto("P205", "Música", "Célia", "Oficina de música para jovens."),
    )
    await container.triagem.importar(scope, chamada(*mais))
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


async def test_sentences_with_the_same_words_stand_side_by_side_with_what_differs_marked(gestora: httpx.AsyncClient) -> None:
    shown = (await gestora.get(BOTH)).text
    assert shown.count(FESTAS) == 2
    assert "o encarte traz a letra em <del>letra</del> grande" in shown.casefold()
    assert "em <ins>tamanho</ins> grande" in shown
    assert "só em P017" in shown
    assert "só em P030" in shown
    assert SO_EM_A in shown
    assert SO_EM_B in shown


async def test_a_code_is_found_however_it_is_typed(gestora: httpx.AsyncClient) -> None:
    assert "só em P017" in (await gestora.get(BOTH.replace("P017", "p017"))).text


async def test_by_letters_alone_the_page_says_what_was_not_seen(gestora: httpx.AsyncClient) -> None:
    shown = (await gestora.get(BOTH)).text
    assert "a mesma ideia contada com outras palavras passa despercebida" in shown
    assert "mesma ideia, outras palavras" not in shown


@precisa_do_semantico
@pelo_sentido
async def test_by_meaning_a_sentence_finds_the_one_that_says_it_otherwise(gestora: httpx.AsyncClient, api: httpx.AsyncClient) -> None:
    lado = (await api.get(API, params={"a": "P017", "b": "P030"})).json()
    ligadas = {(one["a"]["texto"], one["b"]["texto"]): one for one in lado["frases"] if one["a"] and one["b"]}
    assert ligadas[ACORDO, TERMO]["liga"] == "mesma_ideia"
    assert ligadas[FESTAS, FESTAS]["liga"] == "mesmas_palavras"
    assert lado["pelo_sentido"]
    assert lado["perto"]["mais_perto"] == 0
    shown = (await gestora.get(f"{BOTH}&mostrar=ideia")).text
    assert "mesma ideia, outras palavras" in shown
    assert FESTAS not in shown
    assert "passa despercebida" not in shown


async def test_what_else_they_have_in_common_is_told_and_nobody_is_named_by_number(gestora: httpx.AsyncClient) -> None:
    shown = (await gestora.get(BOTH)).text
    for said in (
        "o mesmo e-mail",
        "o mesmo telefone",
        "final 4410",
        "contas diferentes",
        "conta final 71",
        "o mesmo arquivo",
        "valores × 1,04",
    ):
        assert said in shown
    for secret in ("529.982.247-25", "52998224725", "99123", "123471", "contato@aboio"):
        assert secret not in shown
    assert "***.982.247-**" in shown


async def test_the_figure_says_in_words_how_near_the_pair_is(gestora: httpx.AsyncClient) -> None:
    shown = (await gestora.get(BOTH)).text
    assert "É o par mais próximo entre os 66 deste edital." in shown  # twelve projects have words to tell by
    assert "O mais próximo dos outros" in shown


@pytest.mark.parametrize(
    ("a", "b", "said"),
    [
        ("P203", "P205", "Os dois textos são curtos demais para comparar"),
        ("P017", "P203", "O texto de P203 é curto demais para comparar"),
        ("P203", "P204", "Os dois textos são iguais, palavra por palavra."),
    ],
)
async def test_of_a_text_of_a_line_no_figure_is_given(gestora: httpx.AsyncClient, a: str, b: str, said: str) -> None:
    shown = (await gestora.get(f"{PAGE}?a={a}&b={b}")).text
    assert said in shown
    assert "grafico-pares" not in shown


async def test_the_figure_is_the_one_that_a_sign_gives(gestora: httpx.AsyncClient, api: httpx.AsyncClient) -> None:
    lado = (await api.get(API, params={"a": "P017", "b": "P030"})).json()
    a, b = LocalEmbedder().embed([P017.texto, P030.texto])
    assert lado["perto"]["este"] == pytest.approx(float(a @ b), abs=1e-4)
    assert not lado["outra_medida"]
    assert "a mesma semelhança que os sinais" in (await gestora.get(BOTH)).text


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("", 200, "Escolha dois projetos"),
        ("?a=P017", 200, "Escolha dois projetos"),
        ("?a=P017&b=P017", 422, "Os dois códigos são do mesmo projeto"),
        ("?a=P017&b=P999", 404, "Não há projeto P999 neste edital"),
        ("?a=P017&b=%3Cb%3E", 404, "Não há projeto &lt;b&gt; neste edital"),
        ("?a=P201&b=P017", 200, "só em P017"),
        ("?a=P200&b=P201", 200, "Não há frases para comparar"),
    ],
)
async def test_what_cannot_be_compared_is_told_beside_the_form(gestora: httpx.AsyncClient, query: str, status: int, said: str) -> None:
    answer = await gestora.get(PAGE + query)
    assert answer.status_code == status
    assert said in answer.text
    assert 'name="a"' in answer.text


async def test_a_very_long_project_is_laid_beside_a_short_one(gestora: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    longo = " ".join(f"A frase de número {at} deste projeto fala de outra coisa." for at in range(1500))
    await container.triagem.importar(scope, chamada(projeto("P202", "Muito longo", "Prolixo", longo)))
    answer = await gestora.get(f"{PAGE}?a=P202&b=P017")
    assert answer.status_code == 200
    assert "A frase de número 3 deste projeto" in answer.text


async def test_another_organisations_call_is_not_there(
    gestora: httpx.AsyncClient, new_tenant: Callable[[], Scope], new_person: NewPerson, signed_in: SignedIn
) -> None:
    other = new_tenant()
    stranger = await signed_in(other, (await new_person(other, "gestor")).ator)
    assert (await stranger.get(BOTH)).status_code == 404
    avaliadora = await signed_in(other, (await new_person(other, "avaliador")).ator)
    assert (await avaliadora.get(BOTH)).status_code == 403


async def test_where_letters_are_all_there_is_a_search_by_meaning_says_what_would_mend_it(
    gestora: httpx.AsyncClient, api: httpx.AsyncClient
) -> None:
    shown = (await gestora.get(f"/admin/editais/{EDITAL}/procurar?q=samba")).text
    assert "comparados por letras" in shown
    answer = await api.get(f"/api/ia/triagem/{EDITAL}/procurar", params={"q": "samba"})
    assert (answer.status_code, answer.json()["codigo"]) == (409, "sem_sentido")


@precisa_do_semantico
@pelo_sentido
async def test_a_project_is_found_by_what_it_speaks_of(gestora: httpx.AsyncClient, api: httpx.AsyncClient) -> None:
    found = (await api.get(f"/api/ia/triagem/{EDITAL}/procurar", params={"q": "projetos sobre samba de roda"})).json()["achados"]
    assert found[0]["projeto"] == "P105"
    assert found[0]["trecho"] == "O samba de roda das mestras do Recôncavo ganha oficinas de pandeiro e prato."
    found = (await api.get(f"/api/ia/triagem/{EDITAL}/procurar", params={"q": "cinema na rua para a vizinhança"})).json()["achados"]
    assert found[0]["projeto"] == "P102"
    shown = (await gestora.get(f"/admin/editais/{EDITAL}/procurar?q=projetos+sobre+samba+de+roda")).text
    assert shown.index("P105") < shown.index("P017")
    assert (await api.get(f"/api/ia/triagem/{EDITAL}/procurar", params={"q": "  "})).json()["achados"] == []
