"""The mesa of whoever judges over HTTP: their queue, the form with its draft, and sending."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from html import unescape

import httpx
import pytest

from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario, find_usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.triagem.edital import Avaliador
from seguimento import wait_for_end
from triagem_web import AVALIADORA, EDITAL, OUTRO, empty_queue, screening

CsrfOf = Callable[[str], str]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NOTA = "/avaliacao/P0001?edital=ED-1"
ENVIAR = "/avaliacao/P0001/enviar?edital=ED-1"
HOSTILE = "</textarea><script>alert(1)</script>"
NOTAS = f"{NOTA}&vista=analise"
BOTH = {"nota-C1": "7,5", "texto-C1": "Bom.", "nota-C2": "9", "texto-C2": ""}


@pytest.fixture(autouse=True)
def _queue(urls: tuple[str, str]) -> None:
    empty_queue(urls[0])


@pytest.fixture
async def rita(scope: Scope, container: Container, database: Database, signed_in: SignedIn) -> httpx.AsyncClient:
    """Whoever judges the first two of four projects."""
    await container.triagem.importar(scope, importacao(4, EDITAL, avaliadores=[AVALIADORA, OUTRO]))
    async with database.unit_of_work(scope) as uow:
        usuario = await find_usuario(uow, AVALIADORA.email)
    assert usuario is not None
    return await signed_in(scope, usuario.ator)


@pytest.fixture
async def token(rita: httpx.AsyncClient, csrf_of: CsrfOf) -> str:
    return csrf_of((await rita.get(NOTA)).text)


def lines(html: str) -> list[str]:
    """The codes in the queue, in order."""
    return re.findall(r'<small title=[^>]*><span class="codigo">(P\d+)</span>', html)


def tabs(html: str) -> dict[str, int]:
    """How many each tab of the queue holds."""
    return {name: int(many) for name, many in re.findall(r'<span dir="auto">([^<]+)</span> <span class="conta">(\d+)</span></a>', html)}


def seen_in(html: str) -> dict[str, str]:
    """Over what a form was filled in."""
    return dict(re.findall(r'name="(visto-\w+)" value="(\w+)"', html))


async def test_the_hint_by_each_criterio_is_a_small_icon_that_waits_for_ones_own_nota(
    rita: httpx.AsyncClient, token: str, container: Container, scope: Scope, database: Database
) -> None:
    """Triagem 5.2/1: Seed, Na tela do avaliador: ícone discreto "dica IA" ao lado de cada critério."""
    await container.triagem.executar(scope, EDITAL)
    async with screening(database):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"
    before = (await rita.get(NOTA)).text
    assert (before.count("grave para ver a dica"), before.count('class="dica-ia"')) == (2, 0)
    kept = await rita.post(NOTA, data={"csrf": token, "nota-C1": "7,5", "texto-C1": "Bom.", "nota-C2": "", "texto-C2": ""})
    assert (kept.status_code, kept.headers["location"]) == (303, f"{NOTAS}&ok=gravado")
    after = (await rita.get(NOTA)).text
    assert (after.count("grave para ver a dica"), after.count('class="dica-ia"')) == (1, 1)
    assert 'value="7,5"' in after
    assert "\nBom.</textarea>" in after
    assert (await rita.get("/avaliacao/P0001")).status_code == 200  # without the edital it is the one in which it was given


async def test_a_draft_counts_for_nothing_until_it_is_sent(rita: httpx.AsyncClient, token: str, container: Container, scope: Scope) -> None:
    assert "0 de 2 enviados" in (await rita.get("/avaliacao")).text
    await rita.post(NOTA, data={"csrf": token, **BOTH})
    listed = (await rita.get("/avaliacao")).text
    assert "0 de 2 enviados" in listed
    assert tabs(listed) == {"Por começar": 1, "Rascunho": 1, "Enviadas": 0}
    assert ">2 de 2 notas<" in listed
    assert await container.julgamento.notas(scope, EDITAL) == ()
    sent = await rita.post(ENVIAR, data={"csrf": token})
    assert sent.headers["location"] == "/avaliacao/P0002?edital=ED-1&ok=enviado"  # on to the next
    assert "1 de 2 enviados" in (await rita.get("/avaliacao")).text
    assert [one.criterio for one in await container.julgamento.notas(scope, EDITAL)] == ["C1", "C2"]


async def test_what_is_sent_is_looked_over_first_and_final_after(rita: httpx.AsyncClient, token: str) -> None:
    asked = await rita.post(NOTA, data={"csrf": token, "acao": "conferir", **BOTH})
    assert asked.headers["location"] == f"{NOTAS}&conferir=sim"
    looked = (await rita.get(f"{NOTA}&conferir=sim")).text
    assert "Confira antes de enviar" in looked
    assert "8,50" in looked  # (1 × 7,5 + 2 × 9) ÷ 3
    for _ in range(2):  # pressed twice
        assert (await rita.post(ENVIAR, data={"csrf": token})).status_code == 303
    after = (await rita.get(NOTA)).text
    assert "Salvar rascunho" not in after
    refused = await rita.post(NOTA, data={"csrf": token, "nota-C1": "1"})
    assert (refused.status_code, "Esta avaliação já foi enviada" in refused.text) == (409, True)
    assert "7,5" in refused.text


async def test_an_avaliacao_without_every_nota_is_not_sent(rita: httpx.AsyncClient, token: str) -> None:
    asked = await rita.post(NOTA, data={"csrf": token, "acao": "conferir", "nota-C1": "7", "texto-C1": "", "nota-C2": "", "texto-C2": ""})
    assert (asked.status_code, "Falta a nota deste critério." in asked.text) == (422, True)
    assert 'value="7"' in asked.text
    refused = await rita.post(ENVIAR, data={"csrf": token})
    assert (refused.status_code, "Faltam: Alcance." in refused.text) == (422, True)


@pytest.mark.parametrize(
    ("nota", "said"),
    [
        ("11", "vai de 0 a 10"),
        ("sete", "com algarismos"),
        ("7,123", "duas casas"),
        ("1e999", "vai de 0 a 10"),
    ],
)
async def test_a_nota_that_will_not_do_comes_back_with_what_was_written(rita: httpx.AsyncClient, token: str, nota: str, said: str) -> None:
    sent = {"csrf": token, "nota-C1": nota, "texto-C1": f"Porque sim {HOSTILE}", "nota-C2": "8", "texto-C2": "Alcança."}
    refused = await rita.post(NOTA, data=sent)
    assert (refused.status_code, said in unescape(refused.text)) == (422, True)
    assert "Porque sim" in refused.text
    assert "<script>alert" not in refused.text
    assert 'value="8"' in (await rita.get(NOTA)).text  # the other critério is kept all the same


async def test_a_text_without_a_nota_is_kept_by_the_server_and_sending_asks_for_the_nota(rita: httpx.AsyncClient, token: str) -> None:
    text_alone = {"csrf": token, "nota-C1": "", "texto-C1": f"Porque sim {HOSTILE}", "nota-C2": "8", "texto-C2": ""}
    kept = await rita.post(NOTA, data=text_alone)
    assert (kept.status_code, kept.headers["location"]) == (303, f"{NOTAS}&ok=gravado")
    page = unescape((await rita.get(NOTA)).text)
    assert f"Porque sim {HOSTILE}</textarea>" in page
    assert re.search(r"Texto gravado em [^<]+\. Falta a nota\.", page)
    assert "1 de 2 critérios com nota" in page
    assert tabs((await rita.get("/avaliacao")).text)["Rascunho"] == 1
    asked = await rita.post(NOTA, data=text_alone | {"acao": "conferir"})
    assert (asked.status_code, "Falta a nota deste critério. O que você escreveu está gravado no rascunho." in asked.text) == (422, True)
    assert "Faltam: " in (await rita.post(ENVIAR, data={"csrf": token})).text
    await rita.post(NOTA, data=text_alone | {"nota-C1": "6"})
    assert (await rita.post(ENVIAR, data={"csrf": token})).status_code == 303


async def test_a_nota_taken_back_is_asked_for_again_before_sending(rita: httpx.AsyncClient, token: str) -> None:
    await rita.post(NOTA, data={"csrf": token, **BOTH})
    asked = await rita.post(NOTA, data={"csrf": token, **BOTH, "nota-C1": "", "acao": "conferir"})
    assert (asked.status_code, asked.text.count("Falta a nota deste critério.")) == (422, 1)
    assert 'value="7,5"' not in (await rita.get(NOTA)).text


async def test_the_list_is_filtered_by_how_far_each_has_come(rita: httpx.AsyncClient, token: str) -> None:
    await rita.post(NOTA, data={"csrf": token, **BOTH})

    async def listed(situacao: str) -> list[str]:
        return lines((await rita.get("/avaliacao", params={"situacao": situacao})).text)

    assert await listed("") == ["P0001", "P0002"]
    assert await listed("rascunho") == ["P0001"]
    assert await listed("a-fazer") == ["P0002"]
    assert await listed("enviada") == []
    found = (await rita.get("/avaliacao?q=P0002&ordem=-titulo")).text
    assert lines(found) == ["P0002"]
    assert "Nenhum dos seus projetos responde" in (await rita.get("/avaliacao?q=nada-assim")).text


async def test_what_an_old_address_names_and_is_no_more_is_told_and_the_rest_holds(rita: httpx.AsyncClient) -> None:
    page = unescape((await rita.get("/avaliacao?situacao=perdida&cor=azul&ordem=codigo&do_edital=ED-0&q=P0001")).text)
    assert lines(page) == ["P0001"]
    for told in (
        "O filtro “Andamento: perdida” não existe mais",
        "O filtro “Edital: ED-0” não existe mais",
        "O filtro “cor” não existe mais",
        "Esta ordem não existe mais",
    ):
        assert told in page


async def test_a_project_keeps_the_queue_that_it_was_opened_from(rita: httpx.AsyncClient, token: str) -> None:
    queue = (await rita.get("/avaliacao?situacao=a-fazer&ordem=-titulo")).text
    assert lines(queue) == ["P0002", "P0001"]
    (first, _) = re.findall(r'<th scope="row"><a href="([^"]+)"', queue)
    opened = (await rita.get(unescape(first))).text
    assert lines(opened) == ["P0002", "P0001"]
    assert ("1 de 2" in opened, 'id="anterior"' in opened) == (True, False)
    (action,) = re.findall(r'id="notas" method="post" action="([^"]+)"', opened)
    await rita.post(unescape(action), data={"csrf": token, **BOTH, "acao": "conferir"})
    (send,) = re.findall(r'id="conferir" method="post" action="([^"]+)"', (await rita.get(unescape(action) + "&conferir=sim")).text)
    sent = await rita.post(unescape(send), data={"csrf": token})
    assert sent.headers["location"] == "/avaliacao/P0001?edital=ED-1&situacao=a-fazer&ordem=-titulo&ok=enviado"
    assert lines((await rita.get(sent.headers["location"])).text) == ["P0001"]


async def test_another_tab_of_the_same_person_undoes_nothing_without_being_told(rita: httpx.AsyncClient, token: str) -> None:
    stale = {"csrf": token, **seen_in((await rita.get(NOTA)).text)}
    await rita.post(NOTA, data={"csrf": token, **BOTH})
    kept = await rita.post(NOTA, data={**stale, "nota-C1": "", "texto-C1": "", "nota-C2": "4", "texto-C2": "Pouco."})
    told = unescape(kept.text)
    assert (kept.status_code, "lá ficou gravado nota 9" in told, 'value="4"' in told, "Pouco." in told) == (409, True, True, True)
    assert told.count("Isto mudou em outra aba") == 1  # nothing was written for the first one here: it stays as the other tab left it
    page = (await rita.get(NOTA)).text
    assert ('value="7,5"' in page, 'value="9"' in page) == (True, True)
    again = {"csrf": token, **seen_in(kept.text), "nota-C1": "7,5", "texto-C1": "Bom.", "nota-C2": "4", "texto-C2": "Pouco."}
    assert (await rita.post(NOTA, data=again)).status_code == 303
    assert 'value="4"' in (await rita.get(NOTA)).text


async def test_what_changed_after_it_was_looked_over_is_not_sent(
    rita: httpx.AsyncClient, token: str, container: Container, scope: Scope
) -> None:
    await rita.post(NOTA, data={"csrf": token, **BOTH})
    (visto,) = re.findall(r'name="visto" value="(\w+)"', (await rita.get(f"{NOTA}&conferir=sim")).text)
    await rita.post(NOTA, data={"csrf": token, **BOTH, "nota-C1": "2"})
    refused = await rita.post(ENVIAR, data={"csrf": token, "visto": visto})
    assert (refused.status_code, "As suas notas mudaram em outra aba" in refused.text) == (409, True)
    assert await container.julgamento.notas(scope, EDITAL) == ()
    (now,) = re.findall(r'name="visto" value="(\w+)"', refused.text)
    assert (await rita.post(ENVIAR, data={"csrf": token, "visto": now})).status_code == 303
    late = await rita.post(NOTA, data={"csrf": token, "nota-C1": "1", "texto-C1": "Escrito tarde demais."})
    assert "Escrito tarde demais." in late.text


async def test_a_project_taken_away_while_it_was_open_is_told_beside_the_queue(
    rita: httpx.AsyncClient, token: str, container: Container, scope: Scope
) -> None:
    one = Avaliador(AVALIADORA.nome, AVALIADORA.email, ("P0002",))
    await container.triagem.importar(scope, importacao(4, EDITAL, avaliadores=[one, OUTRO]))
    for answer in (
        await rita.get(NOTA),
        await rita.post(NOTA, data={"csrf": token, **BOTH}),
        await rita.post(ENVIAR, data={"csrf": token}),
    ):
        assert answer.status_code == 404
        assert "Não há projeto com este código entre os que foram dados a você" in answer.text
        assert lines(answer.text) == ["P0002"]
    assert 'data-vista="fila"' in (await rita.get(NOTAS)).text  # a telephone shows what there is
    assert "Bom.</dd>" in (await rita.post(NOTA, data={"csrf": token, **BOTH})).text  # what was written is not lost


async def test_what_is_read_is_the_text_first_and_a_document_where_it_is_asked_for(rita: httpx.AsyncClient) -> None:
    page = (await rita.get(NOTA)).text
    assert 'aria-label="O que o formulário diz"' in page
    opened = await rita.get(f"{NOTA}&doc=1")
    assert 'aria-label="Documento ' in opened.text
    assert "/documentos/1/arquivo" in opened.text
    assert (await rita.get(f"{NOTA}&doc=99&pag=7&crit=C9")).status_code == 200


async def test_notas_without_a_reason_are_told_before_they_are_sent(rita: httpx.AsyncClient, token: str) -> None:
    await rita.post(NOTA, data={"csrf": token, **BOTH, "texto-C2": ""})
    checked = (await rita.get(f"{NOTA}&conferir=sim")).text
    told = checked[checked.index("Sem por quê:") :].partition("</p>")[0]
    assert ("#texto-C2" in told, "#texto-C1" in told) == (True, False)
    wrong = await rita.post(NOTA, data={"csrf": token, **BOTH, "nota-C1": "onze"})
    assert 'data-recusa tabindex="-1" autofocus' in wrong.text
    assert 'href="#nota-C1"' in wrong.text


@pytest.mark.parametrize("path", [NOTA, ENVIAR])
async def test_a_form_from_elsewhere_changes_nothing(rita: httpx.AsyncClient, container: Container, scope: Scope, path: str) -> None:
    assert (await rita.post(path, data={"csrf": "0" * 64, **BOTH})).status_code == 403
    assert await container.julgamento.notas(scope, EDITAL) == ()


async def test_somebody_with_nothing_to_judge_is_told_so(
    scope: Scope, new_person: Callable[..., Awaitable[Usuario]], signed_in: SignedIn
) -> None:
    vera = await signed_in(scope, (await new_person(scope, "avaliador")).ator)
    assert "Nenhum projeto ainda" in (await vera.get("/avaliacao")).text
