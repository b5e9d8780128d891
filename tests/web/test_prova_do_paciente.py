"""A stranger with somebody's CPF learns and changes nothing by API and page; a proven patient does. Source: design/sujeito.md, table, 1."""

from __future__ import annotations

import html
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from clinicas_aqui import ClinicasAqui, Linhas, clinicas_aqui
from crivo.bootstrap import Container
from crivo.clinicas.codigos import code_from, written
from crivo.clinicas.conta import still_proven
from crivo.clinicas.conversas import Conversas
from crivo.clinicas.orquestrador.conversa.registro_jsonl import PipelineLog
from crivo.clinicas.storage import GuardaNoBanco
from crivo.kernel.access import Usuario, bind_cpf, deactivate_usuario, get_paciente, list_avisos, list_usuarios, set_senha
from crivo.kernel.audit.listing import list_latest
from crivo.kernel.clock import SystemClock
from crivo.kernel.settings import Settings
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from crivo.web.app import create_app

API, PAGE, MINE = "/api/clinicas/conversas", "/clinicas/conversa", "/minhas-consultas"
CPF = "529.982.247-25"
ANA = {"nome": "Ana Braga", "cpf": CPF}
BOOK = "quero marcar com o Dr. Bruno dia 18 às 10h"
NOSY = ("quais são as minhas consultas?", "cancela a consulta com o Dr. Bruno dia 18 às 10h", "sim", BOOK)
WHOLE = {"accept": "application/json"}
WRONG = written(code_from(b"another", "clinic_a"))
CODE = re.compile(r"\b[BCDFGHJKMNPQRSTVWXZ2-9]{5}-[BCDFGHJKMNPQRSTVWXZ2-9]{5}\b")
CsrfOf = Callable[[str], str]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
NewKey = Callable[..., Awaitable[str]]


@pytest.fixture
async def clinicas(tmp_path: Path, settings: Settings) -> AsyncIterator[ClinicasAqui]:
    async with clinicas_aqui(tmp_path / "clinicas", casa=settings.tenant) as opened:
        yield opened


@pytest.fixture
async def app(settings: Settings, container: Container, clinicas: ClinicasAqui, tmp_path: Path) -> AsyncIterator[FastAPI]:
    """The application over clinics in this process."""

    @asynccontextmanager
    async def conversas() -> AsyncIterator[Conversas]:
        lines = Linhas(clinicas, PipelineLog(tmp_path / "logs", b"k" * 32))
        guarda = GuardaNoBanco(container.database, settings.tenant, time.time)
        yield Conversas(lines, guarda=guarda, prova=still_proven(container.database, settings.tenant))

    app = create_app(settings, lambda _: nullcontext(replace(container, clinicas=conversas)))
    async with app.router.lifespan_context(app):
        yield app


@pytest.fixture
async def ana(scope: Scope, database: Database, container: Container, new_person: NewPerson) -> Usuario:
    """A patient's account, bound to a CPF."""
    return await bound(scope, database, container, new_person, CPF)


async def bound(scope: Scope, database: Database, container: Container, new_person: NewPerson, cpf: str) -> Usuario:
    usuario = await new_person(scope, "paciente")
    async with database.unit_of_work(scope) as uow:
        await bind_cpf(uow, SystemClock().now(), usuario, cpf, "rg")
    return usuario


async def begin(api: httpx.AsyncClient, **wishes: Any) -> str:
    begun = await api.post(API, json=wishes or {"paciente": ANA})
    assert begun.status_code == 201, begun.text
    return str(begun.headers["location"])


async def say(api: httpx.AsyncClient, conversation: str, texto: str) -> str:
    answered = await api.post(f"{conversation}/mensagens", json={"texto": texto}, headers=WHOLE)
    return str(answered.json()["texto"])


async def booked(api: httpx.AsyncClient) -> str:
    """The code of Ana's appointment."""
    found = CODE.search(await say(api, await begin(api), BOOK))
    assert found is not None
    return found[0]


async def test_by_the_api_a_stranger_learns_and_changes_nothing(api: httpx.AsyncClient, clinicas: ClinicasAqui) -> None:
    await say(api, await begin(api, paciente={"nome": "Bia Castro", "cpf": "111.444.777-35"}), BOOK)
    held_by_another = [await say(api, one, text) for one in [await begin(api)] for text in NOSY]
    clinicas.places["clinic_a"].open_silo().replace_slots([])
    assert await booked_again(clinicas, api)
    before = clinicas.slots()
    conversation = await begin(api)
    assert [await say(api, conversation, text) for text in NOSY] == held_by_another
    assert (await api.get(conversation)).json()["consultas"] == []
    assert clinicas.slots() == before
    refused = await api.get("/api/clinicas/consultas")
    assert (refused.status_code, refused.json()["codigo"]) == (403, "sem_permissao")


async def booked_again(clinicas: ClinicasAqui, api: httpx.AsyncClient) -> str:
    from clinicas_aqui import SEEDS, _of

    clinicas.places["clinic_a"].open_silo().replace_slots(_of(SEEDS["clinic_a"], "Cardiologia").slots)
    return await booked(api)


async def test_by_the_api_the_code_proves_its_booking(api: httpx.AsyncClient, clinicas: ClinicasAqui, tmp_path: Path) -> None:
    code = await booked(api)
    for wrong in (WRONG, "não é", ""):
        refused = await api.post(API, json={"paciente": ANA, "prova": {"codigo": wrong}})
        assert (refused.status_code, refused.json()["codigo"]) == (403, "codigo_recusado")
        assert wrong not in refused.text or not wrong
    assert (await api.post(API, json={"prova": {"codigo": code}})).status_code == 403
    conversation = await begin(api, paciente=ANA, prova={"codigo": code.lower()})
    assert "18/07, às 10:00" in await say(api, conversation, "quais são as minhas consultas?")
    await say(api, conversation, "cancela")
    assert "Cancelei" in await say(api, conversation, "sim")
    assert clinicas.held() == []


async def test_a_code_is_told_once_and_is_in_no_turn_log_or_event_that_is_kept(api: httpx.AsyncClient, tmp_path: Path) -> None:
    conversation = await begin(api)
    found = CODE.search(await say(api, conversation, BOOK))
    assert found is not None
    assert "[código]" in str((await api.get(await told(api, found[0]))).json())
    kept = (await api.get(conversation)).text + "".join(path.read_text() for path in (tmp_path / "logs").glob("*"))
    assert found[0] not in kept
    assert found[0].replace("-", "") not in kept


async def told(api: httpx.AsyncClient, code: str) -> str:
    conversation = await begin(api)
    assert "18/07" in await say(api, conversation, f"meu código é {code}")
    return conversation


async def test_a_key_of_a_bound_patient_is_proven_from_the_start(
    api: httpx.AsyncClient, app: FastAPI, scope: Scope, ana: Usuario, new_key: NewKey, clinicas: ClinicasAqui
) -> None:
    await booked(api)
    headers = {"authorization": f"Bearer {await new_key(scope, 'clinicas:conversar', usuario=ana)}"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://crivo.teste", headers=headers) as own:
        listed = (await own.get("/api/clinicas/consultas")).json()
        assert [(one["clinic"], one["time"]) for one in listed["consultas"]] == [("clinic_a", "10:00")]
        assert "Dr. Bruno Teles" in await say(own, await begin(own, papel="paciente"), "quais são as minhas consultas?")
        of_another = await begin(own, paciente={"nome": "Bia Castro", "cpf": "111.444.777-35"})
        assert "código" in await say(own, of_another, "quais são as minhas consultas?")


async def test_on_the_page_a_stranger_learns_nothing_and_the_code_is_on_the_receipt_alone(
    signed_in: SignedIn, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf
) -> None:
    browser = await signed_in(scope, (await new_person(scope, "paciente")).ator)
    token = csrf_of((await browser.get(PAGE)).text)
    begun = await browser.post(PAGE, data={"csrf": token, "papel": "paciente", **ANA})
    where = begun.headers["location"]
    await browser.post(where, data={"csrf": token, "texto": BOOK})
    found = CODE.search((await browser.get(where)).text)
    assert found is not None
    assert found[0] in (await browser.get(f"{where}/comprovante")).text
    await browser.post(where, data={"csrf": token, "texto": "obrigada"})
    assert found[0] not in (await browser.get(where)).text
    assert found[0] in (await browser.get(f"{where}/comprovante")).text
    stranger = (await browser.post(PAGE, data={"csrf": token, "papel": "paciente", **ANA})).headers["location"]
    for texto in NOSY[:3]:
        await browser.post(stranger, data={"csrf": token, "texto": texto})
    shown = (await browser.get(stranger)).text
    assert "Dr. Bruno Teles</dd>" not in shown
    assert "O que for marcado nesta conversa aparece aqui." in shown
    assert "Falta ligar a sua conta ao seu CPF" in (await browser.get(MINE)).text
    assert (await browser.get(f"{MINE}/cancelar?clinic=clinic_a&doctor=Dr.+Bruno+Teles&date=2025-07-18&time=10:00")).status_code == 403


async def test_a_bound_patient_moves_and_cancels_on_the_page(
    signed_in: SignedIn, scope: Scope, ana: Usuario, api: httpx.AsyncClient, csrf_of: CsrfOf, clinicas: ClinicasAqui
) -> None:
    await booked(api)
    await say(api, await begin(api), "quero marcar com a Dra. Carla dia 21 às 14h")
    browser = await signed_in(scope, ana.ator)
    page = (await browser.get(MINE)).text
    assert page.index("Dr. Bruno Teles") < page.index("Dra. Carla Nunes")
    move, cancel = (html.unescape(found) for found in re.findall(r'href="(/minhas-consultas/(?:mudar|cancelar)\?[^"]*)"', page)[:2])
    choices = (await browser.get(move)).text
    assert 'value="2025-07-18 11:00"' in choices
    fields = dict(httpx.URL(f"http://x{move}").params) | {"csrf": csrf_of(choices)}
    assert "Escolha um dos horários livres" in (await browser.post(f"{MINE}/mudar", data=fields)).text
    moved = await browser.post(f"{MINE}/mudar", data=fields | {"novo": "2025-07-18 11:00"})
    new = CODE.search(moved.text)
    assert "A consulta mudou de horário" in moved.text
    assert new is not None, "whoever had its code before holds nothing any more"
    assert new[0] not in (await browser.get(MINE)).text
    assert "Não encontrei essa entre as suas consultas" in (await browser.get(cancel)).text, "it is at another hour by now"
    later = cancel.replace("10%3A00", "11%3A00")
    assert "Cancelar esta consulta?" in (await browser.get(later)).text
    done = await browser.post(f"{MINE}/cancelar", data=dict(httpx.URL(f"http://x{later}").params) | {"csrf": fields["csrf"]})
    assert done.status_code == 303
    assert [one[0] for one in clinicas.held()] == ["clinic_b"]


async def test_a_bound_patient_talks_as_who_they_are_until_the_account_is_closed(
    signed_in: SignedIn, scope: Scope, ana: Usuario, api: httpx.AsyncClient, csrf_of: CsrfOf, database: Database, clinicas: ClinicasAqui
) -> None:
    await booked(api)
    browser = await signed_in(scope, ana.ator)
    start = (await browser.get(PAGE)).text
    token = csrf_of(start)
    where = (await browser.post(PAGE, data={"csrf": token, "papel": "paciente", "proprio": "sim"})).headers["location"]
    await browser.post(where, data={"csrf": token, "texto": "cancela a minha consulta"})
    assert "10:00, com o Dr. Bruno Teles" in (await browser.get(where)).text
    async with database.unit_of_work(scope) as uow:
        await deactivate_usuario(uow, SystemClock().now(), ana)
    assert (await browser.post(where, data={"csrf": token, "texto": "sim"})).status_code in (303, 401)
    assert len(clinicas.held()) == 1


async def test_an_account_of_another_tenant_proves_nothing_here(
    signed_in: SignedIn,
    new_tenant: Callable[[], Scope],
    database: Database,
    container: Container,
    new_person: NewPerson,
    api: httpx.AsyncClient,
    clinicas: ClinicasAqui,
) -> None:
    """The clinics are the installation's own: what another tenant's reception says it saw proves nothing, not even for the same CPF."""
    await booked(api)
    elsewhere = new_tenant()
    impostor = await bound(elsewhere, database, container, new_person, CPF)
    browser = await signed_in(elsewhere, impostor.ator)
    shown = (await browser.get(MINE)).text
    assert "Dr. Bruno Teles" not in shown
    assert "A sua conta é de outra organização" in shown
    assert "Falta ligar a sua conta" not in shown, "nobody is sent in a circle"
    refused = await browser.get(f"{MINE}/cancelar?clinic=clinic_a&doctor=Dr.+Bruno+Teles&date=2025-07-18&time=10:00")
    assert refused.status_code == 403
    assert "outra organização" in refused.text


async def test_whoever_signed_in_at_another_tenant_is_told_so_where_a_proof_is_asked_for(
    signed_in: SignedIn, new_tenant: Callable[[], Scope], new_person: NewPerson, csrf_of: CsrfOf, api: httpx.AsyncClient
) -> None:
    code = await booked(api)
    elsewhere = new_tenant()
    browser = await signed_in(elsewhere, (await new_person(elsewhere, "paciente")).ator)
    token = csrf_of((await browser.get(PAGE)).text)
    where = (await browser.post(PAGE, data={"csrf": token, "papel": "paciente", **ANA})).headers["location"]
    await browser.post(where, data={"csrf": token, "texto": "cancela a minha consulta"})
    assert "A conta com que você entrou é de outra organização" in (await browser.get(where)).text
    await browser.post(where, data={"csrf": token, "texto": code})
    assert "18/07" in (await browser.get(where)).text, "and the code does it"


async def test_the_reception_binds_an_account_once_it_saw_a_document(
    signed_in: SignedIn, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf, database: Database
) -> None:
    operador = await new_person(scope, "operador")
    browser = await signed_in(scope, operador.ator)
    fields = {"nome": "Ana Braga", "cpf": CPF, "email": "ana@exemplo.org", "documento": "cnh"}
    token = csrf_of((await browser.get("/clinicas/contas")).text)
    not_seen = await browser.post("/clinicas/contas", data={"csrf": token, **fields})
    assert not_seen.status_code == 422
    invited = await browser.post("/clinicas/contas", data={"csrf": token, **fields, "visto": "sim"})
    assert "Convite de" in invited.text
    again = await browser.post("/clinicas/contas", data={"csrf": token, **fields, "visto": "sim", "email": "outra@exemplo.org"})
    assert (again.status_code, "Já há uma conta com este CPF" in again.text) == (409, True)
    wrong = await browser.post(
        "/clinicas/contas", data={"csrf": token, **fields, "visto": "sim", "cpf": "529.982.247-26", "email": "o@exemplo.org"}
    )
    assert wrong.status_code == 422
    async with database.unit_of_work(scope) as uow:
        assert [one.email for one in await list_usuarios(uow) if one.papel == "paciente"] == ["ana@exemplo.org"]
        rows = await uow.connection.exec_driver_sql("select * from contas_de_pacientes", ())
        (row,) = rows.all()
        assert row.provado_por == operador.ator
        assert row.documento == "cnh"
        assert "52998224725" not in str(row)


async def test_the_reception_invites_a_patient_again_until_they_have_come_in_and_the_link_before_is_over(
    signed_in: SignedIn, scope: Scope, new_person: NewPerson, csrf_of: CsrfOf, database: Database, anonymous: httpx.AsyncClient
) -> None:
    """Also somebody else of the reception, days after; nobody but patients, and never the choice of a password that was chosen."""
    first, second = await new_person(scope, "operador"), await new_person(scope, "operador")
    browser, colleague = await signed_in(scope, first.ator), await signed_in(scope, second.ator)
    fields = {"nome": "Ana Braga", "cpf": CPF, "email": "ana@exemplo.org", "documento": "cnh", "visto": "sim"}
    invited = await browser.post("/clinicas/contas", data={"csrf": csrf_of((await browser.get("/clinicas/contas")).text), **fields})
    token = csrf_of((await colleague.get("/clinicas/contas")).text)

    async def again(quem: str, visto: str = "sim") -> httpx.Response:
        return await colleague.post("/clinicas/contas/convite", data={"csrf": token, "quem": quem, "visto": visto})

    links = [_link_in(one.text) for one in (invited, await again(CPF), await again("ANA@exemplo.org"))]
    assert [(await anonymous.post("/entrar", data={"token": one})).status_code for one in links] == [401, 401, 303]
    for quem, status in ((first.email, 404), ("ninguem@exemplo.org", 404), ("111.444.777-35", 404), ("ana", 400), (CPF, 422)):
        assert (await again(quem, "" if quem == CPF else "sim")).status_code == status, quem
    async with database.unit_of_work(scope) as uow:
        ana = await get_paciente(uow, CPF)
        told = [(one.acao, one.ator, one.dados) for one in await list_latest(uow, 30) if one.acao == "convite_criado"]
        assert [one.feito_por for one in await list_avisos(uow, ana.id)] == [second.ator, second.ator, first.ator]
    assert [(ator, ana.ator in dados) for _, ator, dados in told] == [(second.ator, True), (second.ator, True), (first.ator, True)]
    await set_senha(database, scope, SystemClock().now(), ana, "azul de metileno 7")
    came_in = await again(CPF)
    assert (came_in.status_code, "já entrou e escolheu uma senha" in came_in.text) == (403, True)


async def test_another_tenants_reception_finds_no_patient_to_invite(
    signed_in: SignedIn, scope: Scope, new_tenant: Callable[[], Scope], new_person: NewPerson, csrf_of: CsrfOf, database: Database
) -> None:
    elsewhere = new_tenant()
    ana = await new_person(elsewhere, "paciente")
    browser = await signed_in(scope, (await new_person(scope, "operador")).ator)
    token = csrf_of((await browser.get("/clinicas/contas")).text)
    asked = await browser.post("/clinicas/contas/convite", data={"csrf": token, "quem": ana.email, "visto": "sim"})
    assert asked.status_code == 404


def _link_in(text: str) -> str:
    found = re.search(r"entrar\?token=(crl_[\w-]+)", text)
    assert found is not None
    return found[1]
