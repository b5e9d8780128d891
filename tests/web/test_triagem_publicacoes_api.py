"""A published version as a file, for whoever manages: by the API and on the pages, a draft marked as one, and the audit of who took it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import httpx
from pypdf import PdfReader

from chamada_publicada import com_notas, publish
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.audit.listing import Recorte, list_latest
from crivo.kernel.tenancy import Scope
from sujeitos import as_person

NewKey = Callable[..., Awaitable[str]]
NewPerson = Callable[..., Awaitable[Usuario]]
ClientOf = Callable[[str], httpx.AsyncClient]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
API = "/api/ia/triagem/ED-1/resultado/versoes/1/documento"


async def test_a_version_is_taken_by_a_program_and_by_a_person_and_both_are_noted(
    container: Container, scope: Scope, new_key: NewKey, new_person: NewPerson, client_of: ClientOf, signed_in: SignedIn
) -> None:
    await container.triagem.importar(scope, com_notas([5, 9]))
    lia = await new_person(scope, "gestor")
    publicada = await publish(container, as_person(scope, lia))
    program, browser = client_of(await new_key(scope, usuario=lia)), await signed_in(scope, lia.ator)
    by_program = await program.get(API)
    assert (by_program.status_code, by_program.headers["x-conteudo-sha256"]) == (200, publicada.sha256)
    for formato in ("pdf", "html", "docx", "xlsx", "csv", "json"):
        by_person = await browser.get(f"/admin/editais/ED-1/resultado/1.{formato}")
        asked = await program.get(API, params={"formato": formato})
        assert by_person.content == asked.content
        assert by_person.headers["content-disposition"] == f'attachment; filename="resultado-ED-1-preliminar-v1.{formato}"'
    async with container.database.unit_of_work(scope) as uow:
        noted = await list_latest(uow, 50, Recorte(acoes=("resultado.exportado",)))
    assert len(noted) == 13
    assert f'"sha256":"{publicada.sha256}"' in noted[-1].dados


async def test_a_draft_is_marked_on_each_page_and_leaves_no_version(
    container: Container, scope: Scope, new_person: NewPerson, signed_in: SignedIn
) -> None:
    await container.triagem.importar(scope, com_notas([5, 9]))
    lia = await new_person(scope, "gestor")
    browser = await signed_in(scope, lia.ator)
    found = await browser.get("/admin/editais/ED-1/resultado/rascunho.pdf", params={"fase": "final"})
    assert found.status_code == 200
    import io

    assert all("RASCUNHO" in page.extract_text() for page in PdfReader(io.BytesIO(found.content)).pages)
    assert await container.resultados.versoes(as_person(scope, lia), "ED-1") == ()


async def test_what_is_not_there_or_not_for_them_is_refused(
    container: Container, scope: Scope, new_key: NewKey, new_person: NewPerson, client_of: ClientOf, signed_in: SignedIn
) -> None:
    await container.triagem.importar(scope, com_notas([5, 9]))
    lia, davi = await new_person(scope, "gestor"), await new_person(scope, "avaliador")
    program = client_of(await new_key(scope, usuario=lia))
    assert (await program.get(API)).json()["codigo"] == "publicacao_nao_encontrada"
    assert (await program.get(API, params={"formato": "exe"})).status_code == 422
    assert (await program.get(API.replace("/1/", "/0/"))).status_code == 404
    browser = await signed_in(scope, davi.ator)
    for rest in ("1.pdf", "rascunho.pdf"):
        assert (await browser.get(f"/admin/editais/ED-1/resultado/{rest}")).status_code == 403
