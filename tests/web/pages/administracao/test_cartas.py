"""Whoever manages sees which letters did not go and why, has them tried again, or says how they were delivered."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Callable
from uuid import UUID, uuid4

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.cartas import Carta, storage
from crivo.kernel.tenancy import Scope

_CARTA = Carta("maria.clara@exemplo.org", "Falta uma certidão", "Olá, Maria. Falta a certidão negativa.")


async def _post(container: Container, scope: Scope, *, falha: str = "", chave: str = "") -> UUID:
    async with container.database.unit_of_work(scope) as uow:
        carta_id = await container.correio.post(uow, _CARTA, container.clock.now(), chave=chave or f"teste:{uuid4()}")
        if falha:
            assert await storage.failed(uow, carta_id, "destinatario_recusado", 550, for_good=True)
    return carta_id


async def test_what_did_not_go_is_shown_first_with_the_reason_and_the_address_in_part(
    browser: httpx.AsyncClient, container: Container, scope: Scope
) -> None:
    await _post(container, scope)
    await _post(container, scope, falha="destinatario_recusado")
    shown = (await browser.get("/admin/cartas")).text
    assert "ma***@exemplo.org" in shown
    assert "não recebe e-mail" in shown
    assert "(resposta 550)" in shown
    assert "Falta uma certidão" in shown
    for secret in ("maria.clara", "Olá, Maria"):
        assert secret not in shown


async def test_a_letter_that_failed_is_put_into_the_queue_again(
    browser: httpx.AsyncClient, container: Container, scope: Scope, csrf_of: Callable[[str], str]
) -> None:
    carta_id = await _post(container, scope, falha="destinatario_recusado")
    token = csrf_of((await browser.get("/admin/cartas")).text)
    done = await browser.post(f"/admin/cartas/{carta_id}/de-novo", data={"csrf": token})
    assert done.headers["location"] == "/admin/cartas?aba=fila&ok=carta_de_novo"
    assert "Espera para sair" in (await browser.get("/admin/cartas?aba=fila")).text
    again = await browser.post(f"/admin/cartas/{carta_id}/de-novo", data={"csrf": token})
    assert again.status_code == 409


async def test_one_that_was_delivered_otherwise_needs_how_and_keeps_it(
    browser: httpx.AsyncClient, container: Container, scope: Scope, csrf_of: Callable[[str], str]
) -> None:
    carta_id = await _post(container, scope)
    token = csrf_of((await browser.get("/admin/cartas")).text)
    refused = await browser.post(f"/admin/cartas/{carta_id}/entregue", data={"csrf": token, "motivo": "sim", "aba": "fila"})
    assert refused.status_code == 422
    assert "Diga como a carta foi entregue" in refused.text
    assert re.search(r"<textarea[^>]*>\s*sim</textarea>", refused.text)
    done = await browser.post(f"/admin/cartas/{carta_id}/entregue", data={"csrf": token, "motivo": "Entregue em mãos na secretaria"})
    assert done.status_code == 303
    shown = (await browser.get("/admin/cartas?aba=enviadas")).text
    assert "Entregue por outro meio" in shown
    assert "Pessoa super_admin: Entregue em mãos na secretaria" in shown


async def test_a_letter_of_another_tenant_is_absent(
    browser: httpx.AsyncClient, container: Container, new_tenant: Callable[[], Scope], csrf_of: Callable[[str], str]
) -> None:
    carta_id = await _post(container, new_tenant(), falha="destinatario_recusado")
    shown = (await browser.get("/admin/cartas")).text
    assert "ma***@exemplo.org" not in shown
    token = csrf_of((await browser.get("/conta")).text)
    for own in ("", "/carta.eml"):
        assert (await browser.get(f"/admin/cartas/{carta_id}{own}")).status_code == 404
    for act in ("de-novo", "entregue"):
        done = await browser.post(f"/admin/cartas/{carta_id}/{act}", data={"csrf": token, "motivo": "Entregue em mãos"})
        assert done.status_code == 404


async def test_a_form_of_another_site_changes_nothing(browser: httpx.AsyncClient, container: Container, scope: Scope) -> None:
    carta_id = await _post(container, scope)
    assert (await browser.post(f"/admin/cartas/{carta_id}/entregue", data={"motivo": "Entregue em mãos"})).status_code == 403
    assert "Espera para sair" in (await browser.get("/admin/cartas")).text


async def test_a_letter_that_was_only_written_is_not_told_as_sent_and_can_be_opened_and_sent(
    browser: httpx.AsyncClient, container: Container, scope: Scope, csrf_of: Callable[[str], str]
) -> None:
    carta_id = await _post(container, scope)
    assert await container.cartas.entregar_agora(scope) == {"enviada": 1}
    tabs = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", (await browser.get("/admin/cartas")).text))
    assert "Gravadas, para enviar 1 Enviadas 0" in tabs
    assert "Falta uma certidão" not in (await browser.get("/admin/cartas?aba=enviadas")).text
    listed = (await browser.get("/admin/cartas?aba=gravadas")).text
    assert f'href="/admin/cartas/{carta_id}"' in listed
    assert "maria.clara" not in listed
    whole = (await browser.get(f"/admin/cartas/{carta_id}")).text
    assert all(one in whole for one in ("maria.clara@exemplo.org", "Olá, Maria. Falta a certidão negativa."))
    file = await browser.get(f"/admin/cartas/{carta_id}/carta.eml")
    message = email.message_from_bytes(file.content, policy=email.policy.default)
    assert (message["To"], message["Subject"]) == ("maria.clara@exemplo.org", "Falta uma certidão")
    assert file.headers["content-disposition"].startswith("attachment")
    async with container.database.unit_of_work(scope) as uow:
        told = "select acao from auditoria where tenant_id = %s and alvo = %s order by seq"
        acts = list((await uow.connection.exec_driver_sql(told, (scope.tenant_id, f"carta:{carta_id}"))).scalars())
    assert acts[-2:] == ["carta.aberta", "carta.baixada"]
    form = {"csrf": csrf_of(whole), "motivo": "Enviada pelo e-mail da secretaria", "aba": "gravadas"}
    assert (await browser.post(f"/admin/cartas/{carta_id}/entregue", data=form)).status_code == 303
    assert "Falta uma certidão" in (await browser.get("/admin/cartas?aba=enviadas")).text
    assert (await browser.get(f"/admin/cartas/{uuid4()}")).status_code == 404


@pytest.mark.parametrize("papel", ["avaliador", "operador", "paciente", "revisor"])
async def test_letters_are_for_whoever_manages(anonymous: httpx.AsyncClient, link_of: Callable[..., object], papel: str) -> None:
    link = await link_of(papel)  # type: ignore[misc]
    await anonymous.post("/entrar", data={"token": link})
    for address in ("/admin/cartas", f"/admin/cartas/{uuid4()}", f"/admin/cartas/{uuid4()}/carta.eml"):
        assert (await anonymous.get(address, headers={"accept": "text/html"})).status_code == 403
