"""The dossier as whoever manages takes it: noted with its digest, and for nobody else."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable

import httpx

from chamada_publicada import com_notas, publish
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.audit.listing import Recorte, list_latest
from crivo.kernel.tenancy import Scope
from sujeitos import as_person

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
BASE = "/admin/editais/ED-1/projetos/P0001/dossie"


async def test_a_dossier_is_taken_in_both_formats_and_noted(
    container: Container, scope: Scope, new_person: NewPerson, signed_in: SignedIn
) -> None:
    await container.triagem.importar(scope, com_notas([5, 9]))
    lia = await new_person(scope, "gestor")
    await publish(container, as_person(scope, lia))
    browser = await signed_in(scope, lia.ator)
    html = await browser.get(f"{BASE}.html")
    assert "Parecer de Rita." in html.text
    assert "Rita Melo" in html.text
    outside = await browser.get(f"{BASE}.html", params={"para": "proponente"})
    assert "Rita Melo" not in outside.text
    assert "Avaliador 1" in outside.text
    pdf = await browser.get(f"{BASE}.pdf", params={"para": "proponente"})
    assert pdf.content.startswith(b"%PDF-")
    async with container.database.unit_of_work(scope) as uow:
        noted = await list_latest(uow, 5, Recorte(acoes=("dossie.exportado",)))
    assert len(noted) == 3
    assert f'"sha256":"{hashlib.sha256(pdf.content).hexdigest()}"' in noted[0].dados
    assert (await browser.get(f"{BASE.replace('P0001', 'P9999')}.pdf")).status_code == 404
    davi = await signed_in(scope, (await new_person(scope, "avaliador")).ator)
    assert (await davi.get(f"{BASE}.pdf")).status_code == 403
