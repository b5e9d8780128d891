"""A format on its pages without a script: paste, point, keep; what cannot be taken comes back with a reason and nothing lost."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from html import unescape
from typing import Any

import httpx
import pytest

from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.tenancy import Scope

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
CsrfOf = Callable[[str], str]
_HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
DELES: dict[str, Any] = {
    "de": "ACME-77",
    "n": "G-1",
    "plano": {"nome.longo 'x'": "PRATA"},
    "quem": "B-1",
    "itens": [{"cod": "4.11.01.01-4", "qtd": 1}, {"cod": "4.03.04.36-1", "qtd": 2}],
    "obs": "<script>alert(1)</script>",
}


class Pagina:
    """The page as somebody without a script uses it: what it carries is sent back with the button that is pressed."""

    def __init__(self, client: httpx.AsyncClient, text: str) -> None:
        self.client, self.text = client, text
        self.status = 200

    async def press(self, acao: str, **fields: str) -> None:
        carried = {name: unescape(value) for name, value in _HIDDEN.findall(self.text)}
        answered = await self.client.post("/formatos/novo", files={k: (None, v) for k, v in {**carried, "acao": acao, **fields}.items()})
        self.status, self.text = answered.status_code, answered.text

    async def point(self, valor: str) -> None:
        found = re.search(rf'value="(valor:\d+)"[^>]*><span dir="auto">{re.escape(valor)}</span>', unescape(self.text))
        assert found, valor
        await self.press(found[1])


@pytest.fixture
async def gestora(scope: Scope, new_person: NewPerson, signed_in: SignedIn) -> httpx.AsyncClient:
    return await signed_in(scope, (await new_person(scope, "gestor")).ator)


@pytest.fixture
async def pagina(gestora: httpx.AsyncClient) -> Pagina:
    return Pagina(gestora, (await gestora.get("/formatos/novo")).text)


async def test_a_format_is_clicked_together_kept_published_replaced_and_closed(
    pagina: Pagina, gestora: httpx.AsyncClient, container: Container, scope: Scope, politica: dict[str, Any], csrf_of: CsrfOf
) -> None:
    await container.politicas.importar(scope, json.dumps(politica).encode(), publicar=True)
    await pagina.press("colar", texto=json.dumps(DELES))
    assert "<script>alert(1)" not in pagina.text
    for valor in ("“G-1”", "“PRATA”", "“B-1”", "“4.11.01.01-4”", "1", "“ACME-77”"):
        await pagina.point(valor)
    assert "$item.cod" in pagina.text
    assert "2 pedidos" in pagina.text
    await pagina.press("publicar", nome="acme", administradora="")
    assert (pagina.status, "código da administradora" in pagina.text) == (422, True)
    assert "$item.cod" in pagina.text  # nothing is lost
    await pagina.press("guardar", nome="acme", administradora="ADM-TESTE")
    assert "Rascunho guardado: acme, versão 1" in pagina.text
    (guardado,) = await container.formatos.listar(scope)
    where = f"/formatos/{guardado.id}"
    asked = (await gestora.get(f"{where}/publicar")).text
    confirmacao = re.search(r'name="confirmacao" value="(\w+)"', asked)
    assert confirmacao
    form = {"csrf": csrf_of(asked), "confirmacao": confirmacao[1]}
    assert (await gestora.post(f"{where}/publicar", data=form)).status_code == 303
    assert "Publicado" in (await gestora.get("/formatos")).text
    assert "do jeito deles" not in (await gestora.get(where)).text
    again = Pagina(gestora, (await gestora.get(f"/formatos/novo?de={guardado.id}")).text)
    await again.press("colar", texto=json.dumps({**DELES, "de": "acme-77"}))
    assert "Outro formato já lê" not in again.text  # it is the same one
    await again.press("nao_vem:urgencia", nome="outro")
    assert "Outro formato já lê este pedido" in again.text
    short = await gestora.post(f"{where}/encerrar", data={"csrf": form["csrf"], "motivo": "x"})
    assert short.status_code == 422
    assert (await gestora.post(f"{where}/encerrar", data={"csrf": form["csrf"], "motivo": "Mudaram de sistema."})).status_code == 303
    assert "Encerrado" in (await gestora.get(where)).text


async def test_a_step_back_many_at_once_and_a_word_said(pagina: Pagina) -> None:
    await pagina.press("colar", texto=json.dumps({**DELES, "docs": ["XRAY IMG"]}))
    await pagina.press("campo:documentos_anexos")
    await pagina.point("“XRAY IMG”")
    assert 'for="traducao_0"' in pagina.text
    await pagina.press("traduzir:0", traducao_0="0")
    assert 'for="traducao_0"' not in pagina.text
    await pagina.press("desfazer")
    assert 'for="traducao_0"' in pagina.text
    lines = "\n".join([json.dumps({**DELES, "docs": [um]}) for um in ("XRAY IMG", "XRAY IMG", "LAUDO MEDICO")])
    await pagina.press("muitos", muitos="")
    assert pagina.status == 422
    carried = {name: unescape(value) for name, value in _HIDDEN.findall(pagina.text)}
    files = {k: (None, v) for k, v in {**carried, "acao": "muitos"}.items()} | {"muitos": ("a.ndjson", lines.encode())}
    proved = unescape((await pagina.client.post("/formatos/novo", files=files)).text)
    assert "0 de 3 lidos" in proved
    assert re.search(r"XRAY IMG</bdi></b>, 2 vezes", proved)
    await pagina.press("propor")
    assert "O código propôs" in pagina.text


@pytest.mark.parametrize(
    ("texto", "dito"),
    [
        ("isto não é nada", "Não deu para ler o pedido"),
        ("<a><b></a>", "Não deu para ler o XML"),
        ("{}", "não tem campos"),
        ("[" * 100 + "]" * 100, "níveis"),
        ('{"a": 1, "a": 2}', "a"),
        ("", "Cole o pedido"),
        (json.dumps({"a": "x" * 1_100_000}), "grande"),
    ],
)
async def test_what_is_no_pedido_is_told_and_the_page_goes_on(pagina: Pagina, texto: str, dito: str) -> None:
    await pagina.press("colar", texto=texto)
    assert 400 <= pagina.status < 500
    assert dito in unescape(pagina.text)
    assert "data-recusa" in pagina.text
    await pagina.press("colar", texto=json.dumps(DELES))
    assert pagina.status == 200


async def test_ten_thousand_values_are_bounded_and_told(pagina: Pagina) -> None:
    await pagina.press("colar", texto=json.dumps({f"c{at}": at for at in range(10_000)}))
    assert pagina.status == 200
    assert "E mais 9600 valores" in pagina.text
    assert len(pagina.text) < 400_000


async def test_a_form_that_was_tampered_with_is_refused(pagina: Pagina) -> None:
    await pagina.press("colar", texto=json.dumps(DELES))
    await pagina.press("ver", montagem='{"documento": 3}')
    assert pagina.status == 422
    await pagina.press("ver", amostra="não é base64")
    assert pagina.status == 422
    outsider = await pagina.client.post("/formatos/novo", files={"acao": (None, "ver")})
    assert outsider.status_code == 403


async def test_several_pedidos_sent_on_the_page_are_all_decided_and_listed(
    gestora: httpx.AsyncClient, container: Container, scope: Scope, csrf_of: CsrfOf
) -> None:
    mapa = {
        "mapeamento": "acme",
        "administradora": "ADM-1",
        "reconhecer": {"$.de": "ACME-77"},
        "itens": "$.itens[*]",
        "campos": {
            "pedido_id": "$.n",
            "plano_id": "$.plano",
            "beneficiario.id": "$.quem",
            "procedimento.codigo": "$item.cod",
            "procedimento.quantidade": "$item.qtd",
        },
    }
    formato = (await container.formatos.importar(scope, json.dumps(mapa).encode())).formato
    await container.formatos.publicar(scope, formato.id)
    token = csrf_of((await gestora.get("/autorizacoes")).text)
    body = {"csrf": (None, token), "texto": (None, json.dumps({**DELES, "plano": "PRATA"}))}
    sent = await gestora.post("/autorizacoes", files=body)
    assert sent.headers["location"].startswith("/autorizacoes/recebidas?id=")
    shown = (await gestora.get(sent.headers["location"])).text
    assert "2 pedidos decididos" in shown
    assert shown.index("G-1-1") < shown.index("G-1-2")
    followed = await gestora.post("/autorizacoes", files=body, headers={"accept": "text/event-stream"})
    assert "event: fim" in followed.text
    assert "/autorizacoes/recebidas?id=" in followed.text
    one = re.search(r'href="(/autorizacoes/[0-9a-f-]{36})"', shown)
    assert one
    page = unescape((await gestora.get(one[1])).text)
    assert "acme, versão 1" in page
    assert "pedido 1 de 2 que vieram juntos" in page
    assert "$.itens[0].cod" in page
