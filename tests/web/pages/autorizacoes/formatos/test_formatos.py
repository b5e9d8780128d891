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


async def test_a_table_is_known_by_its_columns_its_words_are_of_every_row_and_publishing_tells_what_was_not_read(
    pagina: Pagina, container: Container, scope: Scope, politica: dict[str, Any]
) -> None:
    await container.politicas.importar(scope, json.dumps({**politica, "planos": ["PRATA"]}).encode(), publicar=True)
    rows = ["NR_SOL;TP_PLANO;MATR;COD_PROC;QTD;VL_UNIT;PRIOR", "1;PRATA;B-1;41101014;1;10,00;E", "2;GLD;B-2;41101014;3;20,00;U"]
    await pagina.press("colar", texto="\n".join(rows))
    await pagina.press("propor", nome="csv", administradora="ADM-TESTE")
    await pagina.press("usar_todas")
    text = unescape(pagina.text)
    assert "algo em cada um destes 5 lugares" in text
    assert '"$.NR_SOL":"*"' in text
    assert "É do pedido inteiro" in text
    assert '"calcular":"total"' in text
    for word in ("GLD", "E", "U"):  # the plano is of the second row alone, and a letter is no yes
        assert re.search(rf'<label for="traducao_\d"><bdi>{word}</bdi> é', text), word
    assert ">PRATA</option>" in text  # what the administradora's políticas name
    found = re.search(r'<label for="traducao_(\d)"><bdi>GLD', text)
    assert found
    await pagina.press(f"traduzir:{found[1]}", **{f"traducao_{found[1]}": "0"})
    assert "<bdi>GLD</bdi> é" not in pagina.text
    carried = {name: unescape(value) for name, value in _HIDDEN.findall(pagina.text)}
    tried = "\n".join([rows[0], "3;SLV;B-3;41101014;1;10,00;Z", ";PRATA;B-4;41101014;1;10,00;Z"]).encode()
    files = {k: (None, v) for k, v in {**carried, "acao": "muitos"}.items()} | {"muitos": ("a.csv", tried)}
    pagina.text = (await pagina.client.post("/formatos/novo", files=files)).text
    text = unescape(pagina.text)
    assert "<bdi>SLV</bdi> é" in text  # what only the file had is answered here too
    assert "1 × falta informar: número do pedido" in text
    assert "1 × não seria reconhecido: <code>$.NR_SOL" in text
    carried = {name: unescape(value) for name, value in _HIDDEN.findall(pagina.text)}
    sent = {**carried, "acao": "publicar", "nome": "csv", "administradora": "ADM-TESTE"}
    asked = await pagina.client.post("/formatos/novo", files={k: (None, v) for k, v in sent.items()}, follow_redirects=False)
    assert asked.status_code == 303
    told = unescape((await pagina.client.get(asked.headers["location"])).text)
    assert "1 de 2 pedidos provados não seria reconhecido" in told
    assert "Nenhum de 2 pedidos provados foi lido por inteiro" in told
    assert "a decidir" in told
    assert "tem qualquer valor" in told
    plain = unescape((await pagina.client.get(asked.headers["location"].partition("?")[0] + "?amostras=x")).text)
    assert "Antes de publicar" not in plain


async def test_what_a_published_format_reads_already_becomes_its_next_version(
    pagina: Pagina, container: Container, scope: Scope, politica: dict[str, Any]
) -> None:
    await container.politicas.importar(scope, json.dumps(politica).encode(), publicar=True)
    campos = {"pedido_id": "$.n", "beneficiario.id": "$.quem"}
    mapa = {"mapeamento": "acme", "administradora": "ADM-TESTE", "reconhecer": {"$.de": "ACME-77"}, "campos": campos}
    formato = (await container.formatos.importar(scope, json.dumps(mapa).encode())).formato
    await container.formatos.publicar(scope, formato.id)
    await pagina.press("colar", texto=json.dumps(DELES))
    assert "Fazer nova versão de" in pagina.text
    await pagina.press("nova_versao:0")
    assert "Daqui sai a próxima versão de acme" in pagina.text
    assert "Outro formato já lê" not in pagina.text
    await pagina.press("guardar", nome="acme", administradora="ADM-TESTE")
    assert (await pagina.client.get("/formatos")).text.count(">acme<") >= 1
    await pagina.press("nova_versao:7")
    assert pagina.status == 200


async def test_a_place_in_a_list_is_asked_about_and_so_is_what_a_value_is_of(pagina: Pagina) -> None:
    deles = {
        "n": "G-1",
        "cods": [{"system": "LOCAL", "code": "GLU"}, {"system": "TUSS", "code": "40302040"}],
        "notas": [{"t": "a"}],
        "vl": 5.0,
        "q": 2,
    }
    await pagina.press("colar", texto=json.dumps(deles))
    await pagina.press("campo:procedimento.codigo")
    await pagina.point("“40302040”")
    assert "Procedimento é lido de $.cods[?@.system == 'TUSS'].code." in unescape(pagina.text)
    assert "o que tem system “TUSS”" in unescape(pagina.text)
    await pagina.press("posicao:procedimento.codigo")
    assert "$.cods[1].code" in pagina.text
    await pagina.press("campo:plano_id")
    await pagina.point("“a”")
    assert "o 1º da lista, seja qual for" in pagina.text
    await pagina.press("fica:plano_id")
    assert "seja qual for" not in pagina.text
    await pagina.press("campo:procedimento.valor")
    await pagina.point("5.0")
    assert "é de uma unidade, ou do pedido inteiro?" in pagina.text
    await pagina.press("unidade:")
    assert "Diga antes onde está a quantidade" in pagina.text
    await pagina.press("campo:procedimento.quantidade")
    await pagina.point("2")
    await pagina.press("unidade:")
    assert "vezes a quantidade" in pagina.text


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
    await pagina.press("ver", palavras='{"urgencia": 1}')
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
