"""What pages and the API do is in the audit, in words, and the page says which row is no longer what was sealed."""

from __future__ import annotations

import html
import re
from collections.abc import Awaitable, Callable, Sequence

import httpx
import pytest

from casa_auditada import CasaAuditada
from chamadas import importacao
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.audit import NewEntry, append
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from seguimento import wait_for_end
from sujeitos import as_person
from triagem_pronta import put_screened
from triagem_web import empty_queue, screening

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


async def _told(gestora: httpx.AsyncClient, assunto: str, q: str = "") -> list[Sequence[str]]:
    """What the lines of a subject say was done, and to what, the newest first."""
    shown = (await gestora.get("/admin/auditoria", params={"acao": assunto, "q": q})).text
    lines = re.findall(r'<th scope="row">(.*?)</th>\s*<td data-label="Sobre">(.*?)</td>', shown)
    return [tuple(html.unescape(re.sub("<[^>]+>", "", part)) for part in line) for line in lines]


async def test_exports_and_downloads_are_told(gestora: httpx.AsyncClient, container: Container, database: Database, scope: Scope) -> None:
    """Source: design/sujeito.md, table, 7."""
    async with database.unit_of_work(scope) as uow:
        await put_screened(uow, 10)
    await container.triagem.importar(scope, importacao(1, "ED-2"))
    assert (await gestora.get("/admin/editais/ED-1/triagem-ia/exportacao?formato=csv")).status_code == 200
    assert (await gestora.get("/admin/editais/ED-2/projetos/P0001/documentos/1/arquivo")).status_code == 200
    assert (await gestora.get("/admin/editais/ED-2/projetos/P0001/documentos/9/arquivo")).status_code == 404
    assert (await _told(gestora, "editais"))[:2] == [
        ("Baixou um documento", "Projeto P0001, ED-2"),
        ("Exportou o resultado de uma triagem", "ED-1"),
    ]


async def test_all_that_is_done_in_an_edital_is_found_by_its_code(
    gestora: httpx.AsyncClient, container: Container, database: Database, scope: Scope, new_person: NewPerson, urls: tuple[str, str]
) -> None:
    """Also a screening noted before entries said their edital."""
    empty_queue(urls[0])
    who = as_person(scope, await new_person(scope, "gestor"))
    await container.triagem.importar(scope, importacao(2, "ED-1"))
    for act in (container.triagem.executar, container.triagem.cancelar, container.triagem.retomar):
        await act(scope, "ED-1")
    async with screening(database):
        ended = await wait_for_end(container.triagem, scope, "ED-1")
    ato = await container.decisoes.decidir(who, "ED-1", "P0001", "inabilitado", "Falta a certidão.", None)
    await container.decisoes.desfazer(who, "ED-1", ato.id)
    await container.mesa.apagar_visao(who, "ED-1", await container.mesa.salvar_visao(who, "ED-1", "Minha", "f=1"))
    assert (await gestora.get("/admin/editais/ED-1/triagem-ia/exportacao?formato=csv")).status_code == 200
    assert (await gestora.get("/admin/editais/ED-1/projetos/P0001/documentos/1/arquivo")).status_code == 200
    async with database.unit_of_work(scope) as uow:
        old = NewEntry(acao="triagem.concluida", alvo=f"triagem_ia_execucao:{ended.id}", dados={})
        await append(uow, container.clock.now(), [old])
    await container.triagem.importar(scope, importacao(1, "OUTRO"))
    told = await _told(gestora, "editais")
    assert {what for what, _ in told} >= {
        "Importou um edital",
        "Começou uma triagem",
        "Cancelou uma triagem",
        "Retomou uma triagem",
        "Concluiu uma triagem",
        "Decidiu a habilitação de um projeto: inabilitado",
        "Desfez uma decisão de habilitação: inabilitado",
        "Salvou uma visão da mesa",
        "Apagou uma visão da mesa",
        "Exportou o resultado de uma triagem",
        "Baixou um documento",
    }
    assert await _told(gestora, "editais", "ED-1") == [line for line in told if line[1] != "OUTRO"]
    assert [what for what, _ in told].count("Concluiu uma triagem") == 2


async def test_who_was_refused_at_the_door_is_told_without_the_e_mail(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    """Source: design/sujeito.md, table, 7."""
    for _ in range(2):
        said = {"email": "ana@exemplo.org", "senha": "não é esta", "organizacao": scope.tenant_id}
        assert (await anonymous.post("/entrar/senha", data=said)).status_code == 401
    told = [line for line in await _told(gestora, "entradas") if line[0] == "Tentou entrar e foi recusado"]
    assert len(told) == 2
    assert all(re.fullmatch(r"Conta [0-9a-f]{8}, de [0-9a-f]{8}", which) for _, which in told)


async def test_a_key_that_ended_is_told_when_it_comes_back(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, scope: Scope, new_key: Callable[..., Awaitable[str]]
) -> None:
    """Source: design/sujeito.md, table, 7."""
    key = {"authorization": f"Bearer {await new_key(scope)}x"}
    for _ in range(3):
        assert (await anonymous.get("/api/autorizacoes", headers=key)).status_code == 401
    ended = {"authorization": f"Bearer {(await new_key(scope))[:-8]}00000000"}
    for _ in range(3):
        assert (await anonymous.get("/api/autorizacoes", headers=ended)).status_code == 401
    assert [what for what, _ in await _told(gestora, "entradas")].count("Usou uma chave de API que não vale") == 1


async def test_a_cut_end_is_found_on_the_page_and_over_the_api_by_what_was_noted(
    gestora: httpx.AsyncClient, api: httpx.AsyncClient, container: Container, database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    casa = CasaAuditada(database, scope, urls[0])
    await casa.publish()
    said = "Sem âncora ainda: um fim cortado não seria notado."
    assert said in (await gestora.get("/admin/auditoria?conferir=1")).text
    (noted,) = (await container.ancoragem.ancorar(scope)).ancoras
    shown = (await gestora.get("/admin/auditoria?conferir=1")).text
    assert (said in shown, "1 âncora." in shown) == (False, True)
    casa.tamper(
        "delete from auditoria a where MINE and seq = (select seq from auditoria_cabecas c where c.tenant_id = a.tenant_id)",
        "update auditoria_cabecas set (seq, digest) = (select seq, digest from auditoria where MINE order by seq desc limit 1) where MINE",
    )
    shown = (await gestora.get("/admin/auditoria?conferir=1")).text
    assert f"Linha 1 das âncoras: o registro {noted.seq}, que ela anotou, não está mais na cadeia." in shown
    found = (await api.get("/api/auditoria/verificacao")).json()
    assert (found["integra"], found["quebras"], found["ancoras"]) == (False, [], 1)
    assert found["ancoras_quebradas"] == [{"linha": 1, "motivo": "ancora_ausente", "seq": noted.seq}]


async def test_a_rewritten_review_is_named_on_the_page_and_over_the_api(
    gestora: httpx.AsyncClient, api: httpx.AsyncClient, database: Database, scope: Scope, urls: tuple[str, str]
) -> None:
    """Source: design/sujeito.md, table, 6."""
    casa = CasaAuditada(database, scope, urls[0])
    await casa.publish()
    await casa.review()
    assert "A cadeia está inteira" in (await gestora.get("/admin/auditoria?conferir=1")).text
    casa.tamper("update autorizacao_revisoes set motivo = 'Porque sim.'")
    shown = (await gestora.get("/admin/auditoria?conferir=1")).text
    assert "A auditoria não se sustenta" in shown
    assert re.search(r"Revisão [0-9a-f-]{36}: o que está guardado não é o que o registro \d+ lacrou\.", shown)
    found = (await api.get("/api/auditoria/verificacao")).json()
    assert (found["integra"], found["quebras"]) == (False, [])
    assert [one["motivo"] for one in found["linhas_quebradas"]] == ["registro_alterado"]
