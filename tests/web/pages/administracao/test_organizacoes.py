"""`/admin/organizacoes` and `/admin/cotas`: who may, what is done at them, and what is told of what cannot be."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace
from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI
from starlette.requests import Request

from crivo.bootstrap import Container
from crivo.kernel.access import Sessoes, Usuario, set_senha
from crivo.kernel.access.organizacoes import Organizacao
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from crivo.web.access import is_still_admitted
from segundos_fatores import enrol
from sujeitos import as_person

NewPerson = Callable[..., Awaitable[Usuario]]
NewKey = Callable[..., Awaitable[str]]
ClientOf = Callable[[str], httpx.AsyncClient]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
CsrfOf = Callable[[str], str]
PAGE = "/admin/organizacoes"


@pytest.fixture
async def chefe(container: Container, scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    """Who looks after the installation: the highest role of its own organisation, with a second factor."""
    usuario = await new_person(scope, "super_admin")
    await enrol(container, scope, usuario)
    return await signed_in(scope, usuario.ator)


@pytest.fixture
async def outra(container: Container, scope: Scope) -> Organizacao:
    return await container.organizacoes.criar(scope, f"o-{uuid4().hex[:10]}", "Prefeitura Azul")


async def send(who: httpx.AsyncClient, csrf_of: CsrfOf, address: str, **fields: str) -> httpx.Response:
    token = csrf_of((await who.get("/conta")).text)
    return await who.post(address, data={"csrf": token, **fields})


async def test_the_list_tells_figures_of_every_organisation_and_nothing_of_anybody(
    chefe: httpx.AsyncClient, outra: Organizacao, new_person: NewPerson
) -> None:
    await new_person(Scope(outra.id, "teste", CONSOLE), "gestor", "segredo-da-gestora@exemplo.org")
    shown = await chefe.get(f"{PAGE}?q={outra.id}")
    assert (shown.status_code, "Prefeitura Azul" in shown.text, "segredo-da-gestora" in shown.text) == (200, True, False)
    for address in (f"{PAGE}?q=ninguem-assim", f"{PAGE}?estado=suspensa&q={outra.id}"):
        assert "Nenhuma com este filtro" in (await chefe.get(address)).text
    for ordem in ("nome", "-estado", "pessoas", "-decisoes", "documentos", "-custo", "ultima", "-ultima", "nada"):
        assert (await chefe.get(f"{PAGE}?ordem={ordem}&pagina=999")).status_code == 200


@pytest.mark.parametrize("papel", ["super_admin", "admin", "gestor", "paciente"])
async def test_nobody_of_another_organisation_gets_any_further_than_the_door(
    container: Container, outra: Organizacao, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf, papel: str
) -> None:
    theirs = Scope(outra.id, "teste", CONSOLE)
    usuario = await new_person(theirs, papel)
    await enrol(container, theirs, usuario)
    who = await signed_in(theirs, usuario.ator)
    assert PAGE not in (await who.get("/")).text, "they are shown no way that is closed to them"
    for address in (PAGE, f"{PAGE}/{outra.id}", f"{PAGE}/{container.organizacoes.casa}"):
        refused = await who.get(address)
        assert (refused.status_code, "não faz parte do seu trabalho" in refused.text) == (403, True)
    for address in (PAGE, *(f"{PAGE}/{outra.id}/{act}" for act in ("nome", "cotas", "suspender", "reativar", "convite"))):
        refused = await send(who, csrf_of, address, motivo="porque sim", confirma=outra.id, nome="X", id="nova-casa")
        assert (refused.status_code, "não faz parte do seu trabalho" in refused.text) == (403, True)
    found = await container.organizacoes.obter(Scope(container.organizacoes.casa, "teste", CONSOLE), outra.id)
    assert (found.organizacao.suspensa_em, found.organizacao.nome) == (None, "Prefeitura Azul")


async def test_without_a_second_factor_nothing_is_shown_or_done_and_it_is_said_how(
    scope: Scope, outra: Organizacao, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    who = await signed_in(scope, (await new_person(scope, "super_admin")).ator)
    for answered in (await who.get(PAGE), await send(who, csrf_of, f"{PAGE}/{outra.id}/suspender", motivo="x", confirma=outra.id)):
        assert (answered.status_code, "Ligue o seu segundo fator" in answered.text) == (403, True)
        assert 'class="botao" href="/conta"' in answered.text


async def test_one_is_made_with_whoever_administers_it_who_chooses_a_password_first(
    chefe: httpx.AsyncClient, anonymous: httpx.AsyncClient, csrf_of: CsrfOf
) -> None:
    new = f"o-{uuid4().hex[:10]}"
    form = {"id": new, "nome": "Prefeitura Verde", "pessoa": "Eva", "email": "eva@verde.exemplo", "motivo": "Convênio 12"}
    made = await send(chefe, csrf_of, PAGE, **form)
    assert made.status_code == 200
    link = re.search(r"/entrar\?token=([^&<]+)", made.text)
    assert link is not None
    entered = await anonymous.post("/entrar", data={"token": link[1]}, headers={"accept": "text/html"})
    assert (entered.status_code, entered.headers["location"]) == (303, "/entrar/nova-senha")
    again = await send(chefe, csrf_of, PAGE, **form)
    assert (again.status_code, "já existe" in again.text) == (409, True)
    assert "Convênio 12" in (await chefe.get(f"{PAGE}/{new}")).text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"id": "Com Espaço", "nome": "X"}, "letras minúsculas"),
        ({"id": "", "nome": "X"}, "letras minúsculas"),
        ({"id": "boa-casa", "nome": " "}, "Informe o nome"),
        ({"id": "boa-casa", "nome": "X", "motivo": "x" * 501}, "Diga por quê"),
    ],
)
async def test_what_cannot_be_made_comes_back_with_what_was_written(
    chefe: httpx.AsyncClient, csrf_of: CsrfOf, fields: dict[str, str], said: str
) -> None:
    refused = await send(chefe, csrf_of, PAGE, **fields)
    assert (refused.status_code in (400, 422), said in refused.text) == (True, True)
    assert f'value="{fields["id"]}"' in refused.text


@pytest.mark.parametrize(
    ("pessoa", "email", "field", "said"),
    [
        ("Eva", "não é e-mail", "email", "e-mail completo"),
        ("Eva", "eva@", "email", "e-mail completo"),
        ("Eva", "", "email", "e-mail completo"),
        ("", "eva@verde.exemplo", "pessoa", "Informe o nome da pessoa"),
        ("x" * 201, "eva@verde.exemplo", "pessoa", "Informe o nome da pessoa"),
        ("E\u200bva\x07", "eva@verde.exemplo", "pessoa", "não se escreve"),
    ],
)
async def test_nothing_is_made_where_who_would_administer_it_cannot_be_invited_and_it_is_told_at_its_field(
    chefe: httpx.AsyncClient, csrf_of: CsrfOf, pessoa: str, email: str, field: str, said: str
) -> None:
    new = f"o-{uuid4().hex[:10]}"
    refused = await send(chefe, csrf_of, PAGE, id=new, nome="Casa", pessoa=pessoa, email=email)
    assert (refused.status_code, said in refused.text, f'id="{field}-erro"' in refused.text) == (422, True, True)
    assert "Usuário inválido" not in refused.text
    assert (await chefe.get(f"{PAGE}/{new}")).status_code == 404


async def test_an_invitation_asks_a_reason_and_stands_in_what_was_done_and_in_the_installation_s_audit_by_name(
    chefe: httpx.AsyncClient, outra: Organizacao, csrf_of: CsrfOf
) -> None:
    where, who = f"{PAGE}/{outra.id}/convite", {"pessoa": "Eva", "email": "eva@azul.exemplo"}
    for wrong, said in (({"confirma": outra.id}, "Diga por quê"), ({"motivo": "Convênio 12"}, "escreva o código")):
        refused = await send(chefe, csrf_of, where, **who, **wrong)
        assert (refused.status_code, said in refused.text, "/entrar?token=" in refused.text) == (422, True, False)
    made = await send(chefe, csrf_of, where, **who, motivo="Convênio 12", confirma=outra.id)
    assert (made.status_code, "/entrar?token=" in made.text) == (200, True)
    done = made.text.partition("O que foi feito</h2>")[2]
    assert ("Convite a quem a administra" in done, "Convênio 12" in done, "Quem cuida da instalação" in done) == (True, True, False)
    audit = (await chefe.get("/admin/auditoria")).text
    assert "Convidou quem administra outra organização" in audit
    assert f"A organização {outra.id}" in audit


async def test_a_lost_invitation_is_made_again_and_the_one_before_lets_nobody_in(
    chefe: httpx.AsyncClient, anonymous: httpx.AsyncClient, outra: Organizacao, csrf_of: CsrfOf
) -> None:
    form = {"pessoa": "Eva", "email": "eva@azul.exemplo", "motivo": "Convênio 12", "confirma": outra.id}
    first, second = [
        re.findall(r"/entrar\?token=([^&<]+)", (await send(chefe, csrf_of, f"{PAGE}/{outra.id}/convite", **form)).text)[0] for _ in range(2)
    ]
    html = {"accept": "text/html"}
    assert (await anonymous.post("/entrar", data={"token": first}, headers=html)).status_code == 401
    assert (await anonymous.post("/entrar", data={"token": second}, headers=html)).status_code == 303
    refused = await send(chefe, csrf_of, f"{PAGE}/{outra.id}/convite", **form)
    assert (refused.status_code, "já entrou" in refused.text, "Pessoas e papéis, e faz" in refused.text) == (409, True, False)


async def test_whoever_is_invited_into_a_suspended_organisation_is_told_to_wait(
    chefe: httpx.AsyncClient, container: Container, scope: Scope, outra: Organizacao, csrf_of: CsrfOf
) -> None:
    form = {"pessoa": "Eva", "email": "eva@azul.exemplo", "motivo": "Convênio 12", "confirma": outra.id}
    assert "só entra depois de reativada" not in (await chefe.get(f"{PAGE}/{outra.id}")).text
    await container.organizacoes.suspender(scope, outra.id, "Contrato encerrado")
    assert "só entra depois de reativada" in (await chefe.get(f"{PAGE}/{outra.id}")).text
    assert "esta pessoa só entra depois de reativada" in (await send(chefe, csrf_of, f"{PAGE}/{outra.id}/convite", **form)).text


async def test_what_limits_all_of_the_installation_is_said_as_it_holds(chefe: httpx.AsyncClient, outra: Organizacao) -> None:
    shown = (await chefe.get(f"{PAGE}/{outra.id}")).text
    assert "750 em todos os servidores (de toda a instalação)" in shown
    assert 'data-label="Limite">sem limite<' in shown, "no key has a limit at this server"


async def test_an_act_on_quotas_says_which_from_and_to_and_one_without_a_reason_says_none(
    chefe: httpx.AsyncClient, container: Container, scope: Scope, outra: Organizacao
) -> None:
    await container.organizacoes.definir_cotas(scope, outra.id, {"bytes_documentos": Decimal(10**7), "projetos": Decimal(5)})
    await container.organizacoes.definir_cotas(scope, outra.id, {"bytes_documentos": Decimal(10**7), "projetos": Decimal(1000)})
    done = (await chefe.get(f"{PAGE}/{outra.id}")).text.partition("O que foi feito</h2>")[2]
    assert "Projetos em editais: de 5 para 1.000" in done
    assert "Espaço de documentos: de sem cota própria para 10 MB" in done
    assert ("Cotas mudadas." in done, "Criada." in done) == (False, False)


@pytest.mark.parametrize(
    ("act", "fields", "first", "again"),
    [
        ("suspender", {}, "suspensa", "suspensa_antes"),
        ("nome", {"nome": "Prefeitura Anil"}, "organizacao_nome", "organizacao_nome_igual"),
        ("cotas", {"projetos": "5", "bytes_documentos": "10 MB"}, "cotas", "cotas_iguais"),
    ],
)
async def test_an_act_that_changes_nothing_is_told_as_such(
    chefe: httpx.AsyncClient, outra: Organizacao, csrf_of: CsrfOf, act: str, fields: dict[str, str], first: str, again: str
) -> None:
    for told in (first, again):
        done = await send(chefe, csrf_of, f"{PAGE}/{outra.id}/{act}", **fields, motivo="Porque sim", confirma=outra.id)
        assert done.headers["location"].endswith(f"?ok={told}")
    shown = (await chefe.get(f"{PAGE}/{outra.id}?ok={again}")).text
    assert ("nada mudou" in shown, shown.count("Porque sim")) == (True, 1)


async def test_one_in_use_is_not_reactivated(chefe: httpx.AsyncClient, outra: Organizacao, csrf_of: CsrfOf) -> None:
    done = await send(chefe, csrf_of, f"{PAGE}/{outra.id}/reativar", motivo="Porque sim", confirma=outra.id)
    assert done.headers["location"].endswith("?ok=reativada_antes")


async def test_all_wrong_quotas_are_told_at_once_and_the_typed_code_is_kept(
    chefe: httpx.AsyncClient, outra: Organizacao, csrf_of: CsrfOf
) -> None:
    wrong = {"projetos": "muitos", "custo_mes": "1,234", "bytes_documentos": "10 XB", "editais": "7"}
    refused = await send(chefe, csrf_of, f"{PAGE}/{outra.id}/cotas", **wrong, motivo="Plano", confirma=outra.id)
    assert refused.status_code == 422
    assert all(f'id="{one}-erro"' in refused.text for one in ("projetos", "custo_mes", "bytes_documentos"))
    assert 'id="editais-erro"' not in refused.text
    assert re.search(rf'id="confirma-cotas"[^>]*value="{outra.id}"', refused.text)


async def test_a_full_organisation_is_named_to_whoever_invites_into_it(
    chefe: httpx.AsyncClient, container: Container, scope: Scope, outra: Organizacao, csrf_of: CsrfOf
) -> None:
    await container.organizacoes.definir_cotas(scope, outra.id, {"pessoas": Decimal(0)})
    form = {"pessoa": "Eva", "email": "eva@azul.exemplo", "motivo": "Convênio 12", "confirma": outra.id}
    refused = await send(chefe, csrf_of, f"{PAGE}/{outra.id}/convite", **form)
    assert (refused.status_code, "Prefeitura Azul usa 0 das 0 pessoas" in refused.text, 'href="#pessoas"' in refused.text) == (
        409,
        True,
        True,
    )
    assert ("ua organização" in refused.text, "fale com quem cuida" in refused.text) == (False, False)


async def test_a_quota_of_the_installation_s_own_names_it_and_leads_to_where_it_is_changed(
    chefe: httpx.AsyncClient, container: Container, scope: Scope, new_person: NewPerson, signed_in: SignedIn
) -> None:
    await container.organizacoes.renomear(scope, scope.tenant_id, "Consórcio dos Três")
    admin = await signed_in(scope, (await new_person(scope, "admin")).ator)
    await container.organizacoes.definir_cotas(scope, scope.tenant_id, {"pessoas": Decimal(2)})
    for address in ("/", "/admin/cotas"):
        shown = (await chefe.get(address)).text
        assert ("A cota de Consórcio dos Três acabou" in shown, "fale com quem cuida desta instalação" in shown) == (True, False)
        assert f'href="{PAGE}/{scope.tenant_id}#titulo-cotas"' in shown
    shown = (await admin.get("/admin/cotas")).text
    assert ("fale com quem cuida desta instalação" in shown, f'href="{PAGE}/' in shown) == (True, False)


async def test_it_is_suspended_by_a_reason_and_its_code_and_its_people_are_told_at_their_next_page(
    chefe: httpx.AsyncClient,
    outra: Organizacao,
    new_person: NewPerson,
    new_key: NewKey,
    client_of: ClientOf,
    signed_in: SignedIn,
    csrf_of: CsrfOf,
) -> None:
    theirs = Scope(outra.id, "teste", CONSOLE)
    who = await signed_in(theirs, (await new_person(theirs, "gestor")).ator)
    program = client_of(await new_key(theirs, usuario=await new_person(theirs, "gestor")))
    assert (await program.get("/api/autorizacoes")).status_code == 200
    where = f"{PAGE}/{outra.id}/suspender"
    for wrong, said in (
        ({"motivo": "Contrato encerrado", "confirma": "outra-coisa"}, "escreva o código"),
        ({"motivo": " ", "confirma": outra.id}, "Diga por quê"),
    ):
        refused = await send(chefe, csrf_of, where, **wrong)
        assert (refused.status_code, said in refused.text) == (422, True)
    assert (await who.get("/")).status_code == 200
    assert (await send(chefe, csrf_of, where, motivo="Contrato encerrado", confirma=outra.id)).status_code == 303
    for answered in (await who.get("/"), await who.get("/autorizacoes")):
        assert (answered.status_code, "está suspensa" in answered.text) == (403, True)
        assert "fale com quem administra" in answered.text
        assert ("Prefeitura Azul está suspensa" in answered.text, 'action="/sair"' in answered.text) == (True, True)
    refused = await program.get("/api/autorizacoes")
    assert (refused.status_code, refused.json()["codigo"]) == (403, "organizacao_suspensa")
    assert "Suspensa" in (await chefe.get(f"{PAGE}/{outra.id}")).text
    done = await send(chefe, csrf_of, f"{PAGE}/{outra.id}/reativar", motivo="Contrato novo", confirma=outra.id)
    assert done.status_code == 303
    assert (await who.get("/")).status_code == 200
    assert (await program.get("/api/autorizacoes")).status_code == 200


async def test_whoever_left_a_suspended_organisation_in_the_browser_enters_another(
    container: Container, scope: Scope, outra: Organizacao, new_person: NewPerson, signed_in: SignedIn
) -> None:
    theirs = Scope(outra.id, "teste", CONSOLE)
    who = await signed_in(theirs, (await new_person(theirs, "gestor")).ator)
    await container.organizacoes.suspender(scope, outra.id, "Contrato encerrado")
    link = await Sessoes(container.database, container.clock).create_link(scope, (await new_person(scope, "gestor")).ator)
    assert (await who.post("/entrar", data={"token": link})).status_code == 303
    assert (await who.get("/")).status_code == 200


async def test_whoever_is_in_a_suspended_organisation_can_leave(
    container: Container, scope: Scope, outra: Organizacao, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    theirs = Scope(outra.id, "teste", CONSOLE)
    who = await signed_in(theirs, (await new_person(theirs, "gestor")).ator)
    await container.organizacoes.suspender(scope, outra.id, "Contrato encerrado")
    assert (await who.post("/sair")).status_code == 403, "a form of another site's"
    left = await who.post("/sair", data={"csrf": csrf_of((await who.get("/")).text)})
    assert (left.status_code, left.headers["location"]) == (303, "/entrar")
    assert (await who.get("/")).status_code == 401


async def test_what_third_persons_have_a_right_to_stays_open(
    container: Container, scope: Scope, outra: Organizacao, anonymous: httpx.AsyncClient
) -> None:
    """Published results, and the ways in of recursos and answers."""
    await container.organizacoes.suspender(scope, outra.id, "Contrato encerrado")
    assert (await anonymous.get(f"/recursos/{outra.id}")).status_code == 200
    before = await anonymous.get(f"/publicacoes/{scope.tenant_id}")
    assert (await anonymous.get(f"/publicacoes/{outra.id}")).status_code == before.status_code


async def test_the_installation_s_own_is_not_suspended_at_the_page_either(chefe: httpx.AsyncClient, scope: Scope, csrf_of: CsrfOf) -> None:
    refused = await send(chefe, csrf_of, f"{PAGE}/{scope.tenant_id}/suspender", motivo="Por engano", confirma=scope.tenant_id)
    assert (refused.status_code, "organização da própria instalação" in refused.text) == (409, True)
    assert (await chefe.get("/")).status_code == 200


@pytest.mark.parametrize("who", ["ninguem-aqui", "N%C3%A3o%20%C3%89", "x" * 60])
async def test_one_that_is_not_there_is_absent(chefe: httpx.AsyncClient, csrf_of: CsrfOf, who: str) -> None:
    assert (await chefe.get(f"{PAGE}/{who}")).status_code == 404
    for act in ("nome", "cotas", "suspender", "reativar", "convite"):
        fields = {"motivo": "Porque sim", "confirma": who, "nome": "X", "pessoa": "Eva", "email": "eva@exemplo.org"}
        assert (await send(chefe, csrf_of, f"{PAGE}/{who}/{act}", **fields)).status_code in (404, 422)


async def test_quotas_are_given_and_what_is_over_is_told_to_both_sides(
    chefe: httpx.AsyncClient, outra: Organizacao, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    theirs = Scope(outra.id, "teste", CONSOLE)
    admin = await signed_in(theirs, (await new_person(theirs, "admin")).ator)
    await new_person(theirs, "gestor")
    given = {"pessoas": "1", "projetos": "1.000", "custo_mes": "12,50", "motivo": "Plano pequeno", "confirma": outra.id}
    assert (await send(chefe, csrf_of, f"{PAGE}/{outra.id}/cotas", **given)).status_code == 303
    shown = (await chefe.get(f"{PAGE}/{outra.id}")).text
    assert all(text in shown for text in ('value="1000"', 'value="12,50"', "Abaixo do que já se usa", "Plano pequeno"))
    theirs_shown = await admin.get("/admin/cotas")
    assert (theirs_shown.status_code, "2 de 1 pessoa" in theirs_shown.text, "Acabou" in theirs_shown.text) == (200, True, True)
    assert "Plano pequeno" not in theirs_shown.text
    refused = await send(admin, csrf_of, "/admin/pessoas", nome="Nova", email="nova@exemplo.org", papel="gestor")
    assert (refused.status_code, "nada mais cabe" in refused.text) == (409, True)


@pytest.mark.parametrize("wrong", ["-1", "muitos", "1,5", "9" * 18])
async def test_a_quota_that_is_none_comes_back_with_all_that_was_written(
    chefe: httpx.AsyncClient, outra: Organizacao, csrf_of: CsrfOf, wrong: str
) -> None:
    fields = {"projetos": wrong, "editais": "7", "motivo": "Plano", "confirma": outra.id}
    refused = await send(chefe, csrf_of, f"{PAGE}/{outra.id}/cotas", **fields)
    assert (refused.status_code, "número inteiro, a partir de 0" in refused.text, 'value="7"' in refused.text) == (422, True, True)


async def test_requests_a_minute_of_all_keys_together_are_held_to_the_organisation_s_quota(
    container: Container, scope: Scope, outra: Organizacao, new_key: NewKey, client_of: ClientOf, api: httpx.AsyncClient
) -> None:
    theirs = Scope(outra.id, "teste", CONSOLE)
    await container.organizacoes.definir_cotas(scope, outra.id, {"pedidos_por_minuto": Decimal(3)})
    one, two = client_of(await new_key(theirs)), client_of(await new_key(theirs))
    told = [(await who.get("/api/politicas")) for who in (one, two, one, two)]
    assert [answer.status_code for answer in told] == [200, 200, 200, 429]
    assert (told[3].json()["codigo"], 1 <= int(told[3].headers["retry-after"]) <= 60) == ("cota_esgotada", True)
    assert (await api.get("/api/politicas")).status_code == 200, "another organisation goes on"


async def test_a_day_that_is_full_is_told_to_a_program_with_when_it_renews(
    container: Container, scope: Scope, api: httpx.AsyncClient, published: str, pedido: dict[str, object]
) -> None:
    await container.organizacoes.definir_cotas(scope, scope.tenant_id, {"decisoes_por_dia": Decimal(1)})
    assert (await api.post("/api/autorizacoes", json=pedido)).status_code == 200
    refused = await api.post("/api/autorizacoes", json=pedido)
    assert (refused.status_code, refused.json()["codigo"]) == (429, "cota_esgotada")
    assert 1 <= int(refused.headers["retry-after"]) <= timedelta(days=1).total_seconds()
    assert "meia-noite" in refused.json()["detail"]


async def test_the_acts_are_told_in_words_in_the_audit_of_both_sides(
    chefe: httpx.AsyncClient, outra: Organizacao, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    await send(chefe, csrf_of, f"{PAGE}/{outra.id}/cotas", projetos="5", motivo="Plano", confirma=outra.id)
    await send(chefe, csrf_of, f"{PAGE}/{outra.id}/nome", nome="Prefeitura Anil", motivo="Lei 5", confirma=outra.id)
    here = (await chefe.get("/admin/auditoria")).text
    assert "Mudou as cotas de outra organização" in here
    assert "Mudou o nome de outra organização" in here
    assert f"A organização {outra.id}" in here
    theirs = Scope(outra.id, "teste", CONSOLE)
    there = (await (await signed_in(theirs, (await new_person(theirs, "admin")).ator)).get("/admin/auditoria")).text
    assert "Mudou as cotas desta organização" in there
    assert "Quem cuida da instalação" in there


async def test_the_right_password_of_a_suspended_organisation_is_told_so_and_a_wrong_one_is_wrong(
    container: Container, scope: Scope, outra: Organizacao, new_person: NewPerson, anonymous: httpx.AsyncClient
) -> None:
    theirs, senha = Scope(outra.id, "teste", CONSOLE), "azul de metileno 7"
    usuario = await new_person(theirs, "gestor")
    await set_senha(container.database, theirs, container.clock.now(), usuario, senha)
    await container.organizacoes.suspender(scope, outra.id, "Contrato encerrado")
    said = {"email": usuario.email, "organizacao": outra.id}
    told = await anonymous.post("/entrar/senha", data={**said, "senha": senha}, headers={"accept": "text/html"})
    assert (told.status_code, "está suspensa" in told.text) == (403, True)
    wrong = await anonymous.post("/entrar/senha", data={**said, "senha": "outra frase longa"}, headers={"accept": "text/html"})
    assert (wrong.status_code, "suspensa" in wrong.text) == (401, False)


async def test_whoever_listens_to_a_stream_hears_no_more_of_it(
    app: FastAPI, container: Container, scope: Scope, outra: Organizacao, new_person: NewPerson, signed_in: SignedIn
) -> None:
    """A stream asks again and again whether whoever listens would be let in now."""
    theirs = Scope(outra.id, "teste", CONSOLE)
    usuario = await new_person(theirs, "gestor")
    who, page = await signed_in(theirs, usuario.ator), "/admin/execucoes"
    cookie = "; ".join(f"{name}={value}" for name, value in who.cookies.items())
    asked = {"type": "http", "method": "GET", "path": page, "scheme": "http", "headers": [(b"cookie", cookie.encode())], "app": app}
    listening = Request(asked | {"route": SimpleNamespace(path=page), "crivo.scope": as_person(theirs, usuario)})
    assert await is_still_admitted(listening)
    await container.organizacoes.suspender(scope, outra.id, "Contrato encerrado")
    assert not await is_still_admitted(listening)
