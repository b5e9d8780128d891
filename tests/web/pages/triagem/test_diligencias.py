"""A diligência from the mesa to the answer of somebody without an account, and back to whoever decides; and all that is refused on the way."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from datetime import timedelta
from html import unescape
from typing import Any

import httpx
import psycopg
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.cartas import storage as cartas
from crivo.kernel.storage.session import Database
from crivo.kernel.storage.urls import libpq_url
from crivo.kernel.tenancy import Scope
from diligencias import CERTIDAO, EDITAL, EMAIL, com_pendencia, working_on
from seguimento import wait_for_end
from triagem_web import empty_queue

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
BASE = f"/admin/editais/{EDITAL}"
NOVA = f"{BASE}/projetos/P0001/diligencia"
UMA = f"{BASE}/diligencias/1"
PNG = b"\x89PNG\r\n\x1a\n" + bytes(50)
PDF = ("certidão.pdf", CERTIDAO, "application/pdf")


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture(autouse=True)
async def _screened(urls: tuple[str, str], container: Container, scope: Scope, database: Database) -> AsyncIterator[None]:
    """Two projects that lack a certidão, really read, and a worker that goes on."""
    empty_queue(urls[0])
    await container.triagem.importar(scope, com_pendencia())
    await container.triagem.executar(scope, EDITAL)
    async with working_on(database):
        assert (await wait_for_end(container.triagem, scope, EDITAL)).status == "concluida"
        yield


def csrf_in(page: str) -> str:
    found = re.search(r'name="csrf" value="([0-9a-f]{64})"', page)
    assert found, page
    return found[1]


async def asked(gestora: httpx.AsyncClient, **other: Any) -> str:
    """Ask for the certidão, and return where it is answered."""
    page = (await gestora.get(NOVA)).text
    written = re.search(r'<textarea id="texto"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert written
    fields = {"csrf": csrf_in(page), "requisito": ["REQ-2"], "texto": unescape(written[1]), "dias": "5", "email": EMAIL} | other
    sent = await gestora.post(NOVA, data=fields)
    assert (sent.status_code, sent.headers.get("location")) == (303, f"{UMA}?ok=diligencia"), sent.text
    return address_in((await gestora.get(UMA)).text)


def address_in(page: str) -> str:
    found = re.search(r'id="endereco-da-diligencia">http://crivo.teste(/diligencias/[^<]+)<', page)
    assert found, page
    return found[1]


async def answer(anybody: httpx.AsyncClient, address: str, texto: str = "", files: Mapping[str, Any] | None = None) -> httpx.Response:
    page = (await anybody.get(address)).text
    return await anybody.post(address, data={"csrf": csrf_in(page), "texto": texto}, files=files)


async def wait_until_judged(gestora: httpx.AsyncClient) -> str:
    pages: list[str] = []
    for _ in range(2_000):  # each is a request, which takes a while by itself
        pages.append((await gestora.get(UMA)).text)
        if "Conferido por código" in pages[-1] or "Veio um esclarecimento" in pages[-1]:
            return pages[-1]
    raise AssertionError(pages[-1])


async def test_what_is_lacking_is_drafted_by_code_out_of_what_was_found(gestora: httpx.AsyncClient) -> None:
    mesa = (await gestora.get(f"{BASE}/mesa/P0001")).text
    assert f'href="{NOVA}"' in mesa
    page = (await gestora.get(NOVA)).text
    marked = re.findall(r'name="requisito" value="([^"]+)" checked', page)
    assert marked == ["REQ-2", "REQ-3"]
    assert re.search(r"no edital ED-1, faltou resolver", page)
    assert "1. Certidão negativa municipal (item 4.2 do edital)." in page
    assert "Envie este documento." in page
    assert EMAIL in page


async def test_an_answer_by_nobody_known_is_read_and_its_item_alone_judged_again(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, container: Container, scope: Scope, database: Database
) -> None:
    address = await asked(gestora)
    shown = (await anonymous.get(address)).text
    assert "Certidão negativa municipal (item 4.2)" in shown
    assert "O edital aceita PDF." in shown
    sent = await answer(anonymous, address, "Segue a certidão.", files={"arquivo-0": PDF})
    assert (sent.status_code, sent.headers["location"]) == (303, f"{address}?enviado=1#enviado")
    receipt = (await anonymous.get(f"{address}?enviado=1")).text
    assert "Resposta recebida em" in receipt
    recibo = re.search(r'class="recibo">([0-9a-f]{64})<', receipt)
    assert recibo
    judged = await wait_until_judged(gestora)
    row = re.search(r"<tr>\s*<th scope=\"row\"><bdi>Certidão negativa municipal.*?</tr>", judged, re.DOTALL)
    assert row
    assert re.findall(r"Não atende|Atende", row[0]) == ["Não atende", "Atende"]
    assert recibo[1] in judged
    assert "Proponente" in judged
    mesa = (await gestora.get(f"{BASE}/mesa/P0001")).text
    assert "depois da diligência," in mesa
    assert "sem decisão" not in judged
    decided = await container.decisoes.decisoes(scope, EDITAL)
    assert decided == {}  # papers decide nothing
    kept = await gestora.get(f"{UMA}/documentos/1")
    assert (kept.content, kept.headers["content-disposition"]) == (CERTIDAO, "attachment; filename*=UTF-8''certid%C3%A3o.pdf")
    assert kept.headers["content-security-policy"] == "default-src 'none'; sandbox"


async def test_on_the_mesa_the_requisito_shows_what_stands_after_the_answer_and_is_asked_for_no_more(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    before = (await gestora.get(f"{BASE}/mesa/P0001")).text
    preset = r'name="decisao" value="(\w+)" required checked data-motivo="([^"]*)"'
    decided = re.search(preset, before)
    assert decided
    assert "Certidão negativa municipal" in decided[2]
    fields = {"csrf": csrf_in(before), "visto": "", "decisao": "pendencia", "motivo": "Falta a certidão negativa.", "depois": "ficar"}
    assert (await gestora.post(f"{BASE}/mesa/P0001/decidir", data=fields)).status_code == 303
    assert "Falta a certidão negativa.</textarea>" in (await gestora.get(f"{BASE}/mesa/P0001")).text
    await answer(anonymous, await asked(gestora), files={"arquivo-0": PDF})
    await wait_until_judged(gestora)
    mesa = (await gestora.get(f"{BASE}/mesa/P0001")).text
    line = re.search(r'<li class="ok"><a id="requisito-REQ-2".*?</li>', mesa, re.DOTALL)
    assert line
    assert re.search(r"depois da .*diligência nº 1.*<b>atende</b>", line[0])
    assert f'href="{UMA}/documentos/1"' in line[0]
    assert "Falta a certidão negativa.</textarea>" not in mesa
    assert "Depois desta decisão veio a resposta da diligência nº 1" in mesa
    after = re.search(preset, mesa)
    assert after
    assert "Certidão" not in after[2]
    assert "Ser de Crateús" in after[2]


async def test_the_letter_goes_with_the_act_and_has_the_address(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, database: Database
) -> None:
    address = await asked(gestora)
    async with database.unit_of_work(scope) as uow:
        (letter,) = await cartas.list_page(uow, ("na_fila",), None, 10)
    assert letter.carta is not None
    assert letter.carta.para == EMAIL
    assert f"http://crivo.teste{address}" in letter.carta.texto
    assert await container.cartas.entregar_agora(scope) == {"enviada": 1}
    written = list((container.settings.data_dir / "cartas" / scope.tenant_id).glob("*.eml"))
    assert len(written) == 1
    assert "A carta foi gravada em arquivo" in (await gestora.get(UMA)).text


async def test_without_an_email_nothing_is_posted_and_the_address_is_shown(
    gestora: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    await asked(gestora, email="")
    assert "Sem e-mail: entregue o endereço e o código" in (await gestora.get(UMA)).text
    assert (await container.cartas.listar(scope)).linhas == ()


@pytest.mark.parametrize(
    ("other", "told"),
    [
        ({"requisito": []}, "Marque ao menos um"),
        ({"requisito": ["REQ-9"]}, "Marque ao menos um"),
        ({"texto": "curto"}, "Escreva o que se pede"),
        ({"dias": "0"}, "de 1 a 60 dias"),
        ({"dias": "muitos"}, "de 1 a 60 dias"),
        ({"email": "maria@exemplo.org\r\nBcc: x@y.org"}, "nome@exemplo.org"),
    ],
)
async def test_what_will_not_do_comes_back_with_what_was_written(gestora: httpx.AsyncClient, other: dict[str, Any], told: str) -> None:
    fields = {
        "csrf": csrf_in((await gestora.get(NOVA)).text),
        "requisito": ["REQ-2"],
        "texto": "Envie a certidão, por favor.",
        "dias": "5",
        "email": "",
    }
    refused = await gestora.post(NOVA, data=fields | other)
    assert (refused.status_code, told in refused.text) == (422, True)
    if "texto" not in other:
        assert "Envie a certidão, por favor." in refused.text


async def test_what_is_being_asked_is_not_asked_twice(gestora: httpx.AsyncClient) -> None:
    await asked(gestora)
    fields = {
        "csrf": csrf_in((await gestora.get(NOVA)).text),
        "requisito": ["REQ-2"],
        "texto": "Envie a certidão, por favor.",
        "dias": "5",
        "email": "",
    }
    refused = await gestora.post(NOVA, data=fields)
    assert (refused.status_code, "A diligência 1 já pede" in refused.text) == (422, True)


async def test_an_answer_can_be_completed_until_the_deadline_and_nothing_of_it_is_lost(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient
) -> None:
    address = await asked(gestora)
    assert (await answer(anonymous, address, "Mando a certidão ainda hoje.")).status_code == 303
    assert (await answer(anonymous, address, files={"arquivo-0": PDF})).status_code == 303
    judged = await wait_until_judged(gestora)
    assert "2 respostas" in judged
    assert "Mando a certidão ainda hoje." in judged
    assert len(set(re.findall(r'class="recibo">([0-9a-f]{64})<', judged))) == 2


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, "Anexe ao menos um arquivo"),
        ({"arquivo-0": ("a.pdf", b"", "application/pdf")}, "o arquivo está vazio"),
        ({"arquivo-0": ("virus.pdf", b"MZ\x90\x00" + bytes(500), "application/pdf")}, "não é de um tipo aceito"),
        ({"arquivo-0": ("a.pdf", b"<html><script>alert(1)</script>", "text/html")}, "não é de um tipo aceito"),
        ({"arquivo-0": ("a.pdf", b"isto nao e um pdf\n", "application/pdf")}, "é texto simples (TXT), e este item aceita PDF."),
        ({"arquivo-0": ("a.png", PNG, "image/png")}, "O conteúdo do arquivo é PNG, e este item aceita PDF."),
        ({"arquivo-outros": ("a.pdf", b"isto nao e um pdf\n", "application/pdf")}, "aceita PDF, JPG, PNG, DOCX, ODT, TIFF ou XLSX."),
        ({"arquivo-0": ("a.docx", b"PK\x03\x04" + bytes(50), "application/zip")}, "está danificado"),
        ({"arquivo-0": ("a.pdf", b"%PDF-1.4\n" + bytes(21 * 1024 * 1024), "application/pdf")}, "20 MB"),
    ],
)
async def test_a_file_that_is_not_taken_is_told_and_nothing_is_kept(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, files: dict[str, Any], told: str
) -> None:
    address = await asked(gestora)
    refused = await answer(anonymous, address, files=files)
    assert (refused.status_code, told.casefold() in refused.text.casefold()) == (422, True), refused.text
    refusal = re.search(r'<div class="aviso erro".*?</div>', refused.text, re.DOTALL)
    assert refusal
    assert "arquivo-" not in refusal[0]
    assert "REQ-" not in refusal[0]
    assert "Nenhuma resposta ainda" in (await gestora.get(UMA)).text


async def test_a_body_beyond_the_bound_is_told_on_the_page(gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient) -> None:
    address = await asked(gestora)
    huge = await anonymous.post(
        address, content=b"x", headers={"content-length": str(200_000_000), "content-type": "multipart/form-data; boundary=x"}
    )
    assert (huge.status_code, "passa do limite de 52 MB" in huge.text) == (413, True)


async def test_a_names_path_and_marks_are_left_out(gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient) -> None:
    address = await asked(gestora)
    await answer(anonymous, address, files={"arquivo-0": ("../../etc/\u202epasswd<b>.pdf", CERTIDAO, "application/pdf")})
    shown = (await gestora.get(UMA)).text
    assert "_passwd&lt;b&gt;.pdf" in shown
    assert "etc/" not in shown


async def test_after_the_deadline_an_answer_is_refused_kindly_until_there_is_more_time(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, urls: tuple[str, str], scope: Scope
) -> None:
    address = await asked(gestora)
    token = csrf_in((await anonymous.get(address)).text)
    _move_deadline(urls, scope, -timedelta(days=30))
    shown = (await anonymous.get(address)).text
    assert "O prazo terminou em" in shown
    assert "Enviar a resposta" not in shown
    late = await anonymous.post(address, data={"csrf": token, "texto": "Cheguei tarde."})
    assert (late.status_code, "o prazo pode ser prorrogado" in late.text) == (409, True)
    page = (await gestora.get(UMA)).text
    assert "Vencida" in page
    refused = await gestora.post(f"{UMA}/prorrogar", data={"csrf": csrf_in(page), "dias": "3", "motivo": ""})
    assert (refused.status_code, "Diga o motivo" in refused.text) == (422, True)
    done = await gestora.post(f"{UMA}/prorrogar", data={"csrf": csrf_in(page), "dias": "3", "motivo": "Enchente na cidade"})
    assert done.status_code == 303
    assert "Enchente na cidade" in (await gestora.get(UMA)).text
    assert (await anonymous.post(address, data={"csrf": token, "texto": "Agora sim."})).status_code == 303


async def test_one_that_was_cancelled_takes_no_answer_and_its_letter_does_not_go(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    address = await asked(gestora)
    token = csrf_in((await anonymous.get(address)).text)
    page = (await gestora.get(UMA)).text
    done = await gestora.post(f"{UMA}/cancelar", data={"csrf": csrf_in(page), "motivo": "Pedida por engano"})
    assert done.status_code == 303
    assert "foi cancelada" in (await anonymous.get(address)).text
    assert (await anonymous.post(address, data={"csrf": token, "texto": "Resposta"})).status_code == 409
    assert await container.cartas.entregar_agora(scope) == {}
    assert (await gestora.post(f"{UMA}/cancelar", data={"csrf": csrf_in(page), "motivo": "De novo"})).status_code == 409
    await gestora.get(f"{BASE}/diligencias?situacao=cancelada")


async def test_what_came_stays_where_somebody_would_cancel(gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient) -> None:
    address = await asked(gestora)
    await answer(anonymous, address, "Resposta.")
    page = (await gestora.get(UMA)).text
    refused = await gestora.post(f"{UMA}/cancelar", data={"csrf": csrf_in(page), "motivo": "Engano"})
    assert (refused.status_code, "Já veio uma resposta" in refused.text) == (422, True)


async def test_an_answer_on_paper_is_put_in_by_the_agency_as_its_own(gestora: httpx.AsyncClient) -> None:
    await asked(gestora, email="")
    page = (await gestora.get(UMA)).text
    done = await gestora.post(
        f"{UMA}/resposta", data={"csrf": csrf_in(page), "texto": "Entregue no balcão em 27/11."}, files={"arquivo-0": PDF}
    )
    assert done.status_code == 303, done.text
    judged = await wait_until_judged(gestora)
    assert "Pessoa gestor" in judged
    assert "Entregue no balcão em 27/11." in judged


async def test_wrong_codes_are_absent_and_soon_slowed_down(gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, scope: Scope) -> None:
    address = await asked(gestora)
    wrong = [await anonymous.get(f"/diligencias/{scope.tenant_id}/{'a' * 23}{letter}") for letter in "abcdefghijklmnopqrstuvwxyz234567"]
    assert {one.status_code for one in wrong} == {404}
    more = [await anonymous.get(f"/diligencias/{scope.tenant_id}/{'b' * 23}{letter}") for letter in "abcdefghijklmnop"]
    assert [one.status_code for one in more][-1] == 429
    assert (await anonymous.get(address)).status_code == 429  # the right one too, from there
    assert "Foram muitas tentativas com códigos que não existem" in more[-1].text


@pytest.mark.parametrize("spelled", ["upper", "groups"])
async def test_a_code_is_read_however_it_is_spelled(gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, spelled: str) -> None:
    address = await asked(gestora)
    head, _, codigo = address.rpartition("/")
    said = codigo.upper() if spelled == "upper" else "-".join(codigo[at : at + 4] for at in range(0, 24, 4))
    assert (await anonymous.get(f"{head}/{said}")).status_code == 200


async def test_another_organisation_sees_nothing_of_it(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, new_tenant: Callable[[], Scope], new_person: NewPerson, signed_in: SignedIn
) -> None:
    address, other = await asked(gestora), new_tenant()
    codigo = address.rpartition("/")[2]
    for where in (other.tenant_id, "nao-ha", "NÃO"):
        assert (await anonymous.get(f"/diligencias/{where}/{codigo}")).status_code == 404
    foreign = await signed_in(other, (await new_person(other, "gestor")).ator)
    for path in (UMA, f"{BASE}/diligencias", f"{UMA}/documentos/1", NOVA):
        assert (await foreign.get(path)).status_code == 404


@pytest.mark.parametrize("papel", ["avaliador", "operador", "revisor"])
async def test_whoever_does_not_manage_neither_asks_nor_reads(
    gestora: httpx.AsyncClient, scope: Scope, new_person: NewPerson, signed_in: SignedIn, papel: str
) -> None:
    await asked(gestora)
    other = await signed_in(scope, (await new_person(scope, papel)).ator)
    for path in (UMA, f"{BASE}/diligencias", NOVA):
        assert (await other.get(path)).status_code == 403


async def test_nothing_of_an_answer_stands_in_the_clear(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, urls: tuple[str, str], scope: Scope
) -> None:
    address = await asked(gestora)
    await answer(
        anonymous, address, "Minha mãe adoeceu, por isso atrasei.", files={"arquivo-0": ("laudo de Maria.pdf", CERTIDAO, "application/pdf")}
    )
    await wait_until_judged(gestora)
    code = address.rpartition("/")[2]
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        for table in ("diligencias", "diligencia_envios", "diligencia_documentos", "cartas", "auditoria", "logs_auditoria"):
            rows = connection.execute(f"select t::text from {table} t".encode()).fetchall()  # noqa: S608 - names of this test
            stored = "\n".join(row[0] for row in rows)
            for said in ("Certidão", "adoeceu", "laudo", "Maria", code, EMAIL):
                assert said not in stored, (table, said)
                assert said.encode().hex() not in stored, (table, said)


async def test_the_list_and_the_panel_say_how_many_stand_how(gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient) -> None:
    assert "Nenhuma diligência ainda" in (await gestora.get(f"{BASE}/diligencias")).text
    address = await asked(gestora)
    listed = (await gestora.get(f"{BASE}/diligencias?situacao=aberta")).text
    assert f'href="{UMA}"' in listed
    await answer(anonymous, address, "Resposta.")
    assert f'href="{UMA}"' not in (await gestora.get(f"{BASE}/diligencias?situacao=aberta")).text
    assert f'href="{UMA}"' in (await gestora.get(f"{BASE}/diligencias?situacao=respondida")).text
    assert f'href="{BASE}/diligencias"' in (await gestora.get(f"{BASE}/triagem-ia")).text


async def test_an_answer_waits_on_the_first_page_and_in_its_step_until_somebody_decides(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    address, waits = await asked(gestora), "1 diligência respondida espera você"
    for where in ("/", BASE):
        assert waits not in (await gestora.get(where)).text
    await answer(anonymous, address, "Segue.", files={"arquivo-0": PDF})
    for where in ("/", BASE):
        page = (await gestora.get(where)).text
        assert waits in page
        assert f'href="{BASE}/diligencias?situacao=respondida"' in page
    await wait_until_judged(gestora)
    dossie = (await gestora.get(f"{BASE}/projetos/P0001/dossie.html")).text
    assert "Depois da diligência 1: atende" in dossie
    assert "Segue." in dossie
    mesa = (await gestora.get(f"{BASE}/mesa/P0001?visao=todos")).text
    (action,) = re.findall(r'id="decisao" method="post" action="([^"]+)"', mesa)
    sent = {"csrf": csrf_in(mesa), "decisao": "habilitado", "motivo": "A certidão chegou.", "visto": ""}
    assert (await gestora.post(action.replace("&amp;", "&"), data=sent)).status_code == 303
    for where in ("/", BASE):
        assert waits not in (await gestora.get(where)).text


async def test_the_audit_tells_of_each_act_and_holds(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    address = await asked(gestora)
    await answer(anonymous, address, "Segue.", files={"arquivo-0": PDF})
    page = await wait_until_judged(gestora)
    done = await gestora.post(f"{UMA}/prorrogar", data={"csrf": csrf_in(page), "dias": "20", "motivo": "Falta outra"})
    assert done.status_code == 303
    await gestora.get(f"{UMA}/documentos/1")
    shown = (await gestora.get("/admin/auditoria?acao=editais")).text
    for told in ("Pediu uma diligência", "Respondeu a uma diligência", "Conferiu os documentos de uma diligência", "Quem propõe o projeto"):
        assert told in shown
    assert "A cadeia está inteira" in (await gestora.get("/admin/auditoria?conferir=1")).text


def _move_deadline(urls: tuple[str, str], scope: Scope, by: timedelta) -> None:
    with psycopg.connect(libpq_url(urls[0])) as connection:
        connection.execute("select set_config('app.tenant_id', %s, true)", (scope.tenant_id,))
        connection.execute("update diligencias set prazo = prazo + %s", (by,))
