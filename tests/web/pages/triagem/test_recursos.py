"""A recurso on pages: by code without an account, on paper, answered by another person, and what is refused there."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from datetime import timedelta
from html import unescape

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Tentativas, Usuario
from crivo.kernel.clock import SystemClock, today
from crivo.kernel.tenancy import Scope
from recorrida import chamada
from sujeitos import as_person
from triagem_web import EDITAL

SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
NewPerson = Callable[..., Awaitable[Usuario]]
BASE = f"/admin/editais/{EDITAL}/recursos"
PEDIDO = "Peço que revejam a nota do mérito: o portfólio mostra dez anos de trabalho."
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
HTML = {"accept": "text/html"}


@pytest.fixture
async def lia(container: Container, scope: Scope, new_person: NewPerson) -> Scope:
    """Who decides, and publishes."""
    await container.triagem.importar(scope, chamada())
    lia = as_person(scope, await new_person(scope, "gestor"))
    await container.decisoes.decidir(lia, EDITAL, "P0005", "inabilitado", "Não comprovou a sede no município.", None)
    seen = await container.resultados.rascunho(lia, EDITAL, "preliminar")
    await container.resultados.publicar(lia, EDITAL, "preliminar", seen.sha256, "", today(SystemClock()) + timedelta(days=3))
    return lia


@pytest.fixture
async def gestora(scope: Scope, lia: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    """Who answers."""
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture
async def porta(container: Container, scope: Scope, lia: Scope) -> str:
    """The address of P0002."""
    return f"/recursos/{scope.tenant_id}/{(await container.peticoes.codigos(lia, EDITAL))['P0002']}"


def token(page: str) -> dict[str, str]:
    found = re.search(r'name="csrf" value="([^"]+)"', page)
    assert found
    return {"csrf": found[1]}


def hidden(page: str) -> dict[str, str]:
    form = re.search(r'<form class="cartao lote".*?</form>', page, re.DOTALL)
    assert form
    return {unescape(name): unescape(value) for name, value in re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form[0])}


async def sent(quem: httpx.AsyncClient, porta: str, texto: str = PEDIDO, **files: tuple[str, bytes]) -> httpx.Response:
    given = [("papeis", one) for one in files.values()] or [("papeis", ("", b""))]
    return await quem.post(porta, data={"contra": "resultado", "texto": texto}, files=given, headers=HTML)


async def test_by_the_code_the_result_is_read_a_recurso_is_made_and_the_receipt_stands_there(
    anonymous: httpx.AsyncClient, porta: str
) -> None:
    opened = await anonymous.get(porta, headers=HTML)
    assert opened.status_code == 200
    assert all(one in opened.text for one in ("Suplente", "Nota final", "60,00", "Recorrer"))
    assert "Rita" not in opened.text
    answer = await sent(anonymous, porta, um=("portfólio.png", PNG))
    assert (answer.status_code, answer.headers["location"]) == (303, f"{porta}?enviado=1#recibo")
    receipt = (await anonymous.get(f"{porta}?enviado=1", headers=HTML)).text
    assert "Recebemos o seu recurso" in receipt
    assert re.search(r"[0-9a-f]{64}", receipt)
    assert "portfólio.png" in receipt
    assert "Espera resposta" in receipt


async def test_a_code_is_typed_in_however_it_is_written(anonymous: httpx.AsyncClient, porta: str, scope: Scope) -> None:
    code = porta.rpartition("/")[2]
    spaced = " ".join([code[at : at + 4].lower() for at in range(0, 16, 4)])
    answer = await anonymous.post(f"/recursos/{scope.tenant_id}", data={"codigo": spaced}, headers=HTML)
    assert (answer.status_code, answer.headers["location"]) == (303, porta)
    wrong = await anonymous.post(f"/recursos/{scope.tenant_id}", data={"codigo": "0000-0000-0000-0000"}, headers=HTML)
    assert (wrong.status_code, "0000-0000-0000-0000" in wrong.text) == (404, True)


@pytest.mark.parametrize("address", ["/recursos/nao-existe/0000000000000000", "/recursos/NÃO PODE/x", "/recursos/local/%00"])
async def test_what_opens_nothing_is_told_alike(anonymous: httpx.AsyncClient, porta: str, address: str) -> None:
    answer = await anonymous.get(address, headers=HTML)
    assert (answer.status_code, "Este código não abre nenhum projeto" in answer.text) == (404, True)


async def test_a_code_of_another_organisation_opens_nothing_here(
    anonymous: httpx.AsyncClient, porta: str, new_tenant: Callable[[], Scope]
) -> None:
    code = porta.rpartition("/")[2]
    assert (await anonymous.get(f"/recursos/{new_tenant().tenant_id}/{code}", headers=HTML)).status_code == 404
    assert (await anonymous.get(porta, headers=HTML)).status_code == 200


async def test_wrong_codes_are_slowed_down_and_a_right_one_costs_nothing(
    container: Container, anonymous: httpx.AsyncClient, porta: str
) -> None:
    from crivo.kernel.access import TentativasDemais
    from crivo.triagem.recursos.erros import CodigoRecusado  # the error that counts

    doors = Tentativas(container.database, per_address=3)
    for _ in range(5):
        async with doors.secret("203.0.113.77"):
            pass
    for _ in range(3):
        with pytest.raises(CodigoRecusado):
            async with doors.secret("203.0.113.77"):
                raise CodigoRecusado("não")
    with pytest.raises(TentativasDemais, match="códigos que não existem"):
        async with doors.secret("203.0.113.77"):
            pass
    async with doors.secret("203.0.113.78"):
        pass


async def test_what_is_refused_comes_back_as_it_was_written(anonymous: httpx.AsyncClient, porta: str) -> None:
    short = await sent(anonymous, porta, "<b>curto</b>")
    assert (short.status_code, "&lt;b&gt;curto&lt;/b&gt;" in short.text, "<b>curto" in short.text) == (422, True, False)
    assert "Escolha o papel de novo" not in short.text
    lost = await sent(anonymous, porta, "curto", um=("a.png", PNG))
    assert (lost.status_code, "Escolha o papel de novo" in lost.text) == (422, True)
    bad = await sent(anonymous, porta, um=("virus.pdf", b"MZ\x90\x00\x03"))
    assert (bad.status_code, "não é de um formato aceito" in bad.text, PEDIDO in bad.text) == (422, True, True)
    many = await anonymous.post(
        porta, data={"contra": "resultado", "texto": PEDIDO}, files=[("papeis", (f"{n}.png", PNG)) for n in range(9)], headers=HTML
    )
    assert (many.status_code, "até 5 arquivos" in many.text) == (422, True)
    foreign = await anonymous.post(porta, data={"contra": "resultado", "texto": PEDIDO}, headers={"origin": "https://outro.exemplo"})
    assert foreign.status_code == 403
    none = await anonymous.get(porta, headers=HTML)
    assert "Seus recursos" not in none.text


async def test_one_on_paper_is_registered_and_a_late_one_asks_why(gestora: httpx.AsyncClient) -> None:
    form = await gestora.get(f"{BASE}/novo", headers=HTML)
    assert len(re.findall(r'type="radio" name="contra" value="\w+" required', form.text)) == 2
    typed = token(form.text) | {"projeto": "P0001", "contra": "resultado", "texto": PEDIDO, "apresentado_em": "2020-01-02", "tardio": ""}
    late = await gestora.post(f"{BASE}/novo", data=typed, files=[("papeis", ("", b""))], headers=HTML)
    assert (late.status_code, "escreva por quê" in late.text, PEDIDO in late.text) == (409, True, True)
    lost = await gestora.post(f"{BASE}/novo", data=typed, files=[("papeis", ("a.png", PNG))], headers=HTML)
    assert (lost.status_code, "Escolha o papel de novo" in lost.text) == (409, True)
    kept = await gestora.post(f"{BASE}/novo", data=typed | {"tardio": "O protocolo esteve fechado."}, files=[("papeis", ("a.png", PNG))])
    assert (kept.status_code, kept.headers["location"]) == (303, f"{BASE}/1?ok=recurso_registrado")
    page = (await gestora.get(f"{BASE}/1", headers=HTML)).text
    assert "Veio fora do prazo e foi recebido: O protocolo esteve fechado." in page
    assert "02/01/2020" in page
    for wrong in ({"projeto": "NADA"}, {"apresentado_em": "ontem"}, {"contra": "tudo"}):
        refused = await gestora.post(
            f"{BASE}/novo", data=typed | {"tardio": "O protocolo."} | wrong, files=[("papeis", ("", b""))], headers=HTML
        )
        assert refused.status_code in (404, 422)


async def test_an_answer_is_foreseen_then_kept_and_whoever_applied_reads_it(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, porta: str, container: Container, scope: Scope
) -> None:
    await sent(anonymous, porta, um=("a.png", PNG))
    page = (await gestora.get(f"{BASE}/1", headers=HTML)).text
    alvos = re.findall(r'name="(nota:[^"]+)"', page)
    assert len(alvos) == 2
    said = token(page) | {"desfecho": "provido", "motivo": "O portfólio comprova dez anos, que a nota não considerou."}
    said |= dict.fromkeys(alvos, "10") | {one.replace("nota:", "porque:"): "Dez anos comprovados." for one in alvos}
    seen = await gestora.post(f"{BASE}/1/resposta", data=said, headers=HTML)
    assert (seen.status_code, "Antes e depois" in seen.text, "Nada mudou ainda" in seen.text) == (200, True, True)
    assert re.search(r"Entram</dt><dd>1\b", seen.text)
    done = await gestora.post(f"{BASE}/1/resposta", data=hidden(seen.text), headers=HTML)
    assert (done.status_code, done.headers["location"]) == (303, f"{BASE}/1?ok=recurso_respondido")
    after = (await anonymous.get(porta, headers=HTML)).text
    assert "O portfólio comprova dez anos" in after
    assert "Uma das notas de Mérito, que era 6,00, passa a 10,00: Dez anos comprovados." in after
    assert f"Como está no resultado preliminar publicado em {today(SystemClock()):%d/%m/%Y} (versão 1)." in after
    assert "mudou ainda não está nestes números" in after
    told = re.sub(r"<[^>]+>|\s+", " ", (await gestora.get(f"{BASE}/1", headers=HTML)).text)
    assert "Versão 1 do resultado publicado" in told
    assert not re.search(r"(em \d\d/\d\d[^,<]*?),? +\1", told)
    assert "Rita" not in after
    none = await gestora.post(f"{BASE}/1/desfazer", data=token(page) | {"desfazer": "errei"}, headers=HTML)
    assert (none.status_code, "Diga por que a resposta é retirada" in none.text, bool(re.search(r">\s*errei</textarea>", none.text))) == (
        422,
        True,
        True,
    )
    why = "Foi respondido com o motivo de outro projeto."
    back = await gestora.post(f"{BASE}/1/desfazer", data=token(page) | {"desfazer": why}, headers=HTML)
    assert back.headers["location"] == f"{BASE}/1?ok=recurso_desfeito"
    undone = unescape((await anonymous.get(porta, headers=HTML)).text)
    assert "Espera resposta" in undone
    assert f"A resposta de {today(SystemClock()):%d/%m/%Y} foi retirada por este motivo: {why}" in undone
    assert "voltou a esperar resposta" in undone
    inside = unescape((await gestora.get(f"{BASE}/1", headers=HTML)).text)
    assert all(one in inside for one in ("Respostas desfeitas (1)", "O portfólio comprova dez anos", f"Motivo: {why}"))


async def test_a_recurso_waits_on_the_first_page_until_it_is_answered(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, porta: str
) -> None:
    assert "recurso espera resposta" not in (await gestora.get("/", headers=HTML)).text
    await sent(anonymous, porta)
    first = (await gestora.get("/", headers=HTML)).text
    assert "1 recurso espera resposta" in first
    assert f'href="{BASE}"' in first
    page = (await gestora.get(f"{BASE}/1", headers=HTML)).text
    said = token(page) | {"desfecho": "nao_provido", "motivo": "A nota considerou o portfólio inteiro."}
    seen = await gestora.post(f"{BASE}/1/resposta", data=said, headers=HTML)
    await gestora.post(f"{BASE}/1/resposta", data=hidden(seen.text), headers=HTML)
    assert "recurso espera resposta" not in (await gestora.get("/", headers=HTML)).text


async def test_whoever_decided_is_told_beforehand_and_refused(
    anonymous: httpx.AsyncClient, container: Container, scope: Scope, lia: Scope, signed_in: SignedIn, gestora: httpx.AsyncClient
) -> None:
    code = (await container.peticoes.codigos(lia, EDITAL))["P0005"]
    made = await anonymous.post(f"/recursos/{scope.tenant_id}/{code}", data={"contra": "habilitacao", "texto": PEDIDO})
    assert made.status_code == 303, made.text
    decides = await signed_in(scope, lia.ator)
    page = (await decides.get(f"{BASE}/1", headers=HTML)).text
    assert "Você decidiu a habilitação deste projeto." in page
    assert "Quem pode responder" in page
    assert "Ver o antes e o depois" not in page
    said = token(page) | {"desfecho": "provido", "motivo": "O comprovante mostra a sede no município.", "situacao": "habilitado"}
    refused = await decides.post(f"{BASE}/1/resposta", data=said, headers=HTML)
    assert refused.status_code == 403


async def test_papers_are_drawn_and_kept_never_shown_as_they_are(
    gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, porta: str
) -> None:
    await sent(anonymous, porta, um=("foto.png", PNG))
    page = await gestora.get(f"{BASE}/1/papeis/1", headers=HTML)
    assert page.status_code == 200
    drawn = await gestora.get(f"{BASE}/1/papeis/1/paginas/1.png")
    assert (drawn.status_code, drawn.headers["content-type"], drawn.content[:4]) == (200, "image/png", b"\x89PNG")
    file = await gestora.get(f"{BASE}/1/papeis/1/arquivo")
    assert (file.content, file.headers["content-type"]) == (PNG, "application/octet-stream")
    assert file.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in file.headers["content-security-policy"]
    for gone in ("papeis/2", "papeis/2/arquivo", "papeis/9/paginas/1.png"):
        assert (await gestora.get(f"{BASE}/1/{gone}")).status_code == 404
    assert (await gestora.get(f"{BASE}/7", headers=HTML)).status_code == 404


async def test_codes_are_listed_for_printing_and_changed(gestora: httpx.AsyncClient, anonymous: httpx.AsyncClient, porta: str) -> None:
    listed = (await gestora.get(f"{BASE}/codigos", headers=HTML)).text
    assert porta in listed
    changed = await gestora.post(f"{BASE}/codigos", data=token(listed) | {"projeto": "P0002"})
    assert changed.headers["location"] == f"{BASE}/codigos?projeto=P0002&ok=codigo_trocado"
    assert (await anonymous.get(porta, headers=HTML)).status_code == 404
    one = (await gestora.get(f"{BASE}/codigos?projeto=P0002", headers=HTML)).text
    assert one.count("<code>") == 1


async def test_nobody_else_sees_them(scope: Scope, lia: Scope, new_person: NewPerson, signed_in: SignedIn) -> None:
    judge = await signed_in(scope, (await new_person(scope, "avaliador")).ator)
    for address in (BASE, f"{BASE}/novo", f"{BASE}/codigos", f"{BASE}/1"):
        assert (await judge.get(address, headers=HTML)).status_code == 403
