"""No page shows a word of the machinery to whoever reads it: every page of a filled organisation, as each role."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any, Final

import httpx
import pytest
from lxml import html

from crivo.bootstrap import Container
from crivo.kernel.access import PAPEIS, Papel, Usuario
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from triagem_pronta import put_screened

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
MACHINE: Final = {
    "a name with underscores": re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b"),
    "a code in capitals": re.compile(r"\b[A-Z]+(?:_[A-Z0-9]+)+\b"),
    "a value of the language": re.compile(r"\b(?:None|True|False|null|undefined|nan)\b"),
    "a date as machines write it": re.compile(r"\b\d{4}-\d\d-\d\d(?:T\d\d|\b)"),
    "a decimal point": re.compile(r"(?<![\d.])\d+\.\d{2}(?![\d.])"),
    "a unit that nobody says": re.compile("µ|\\bms\\b"),
    "an address of programs, or a command": re.compile(r"/api/|</>|\bcrivo (?:usuarios|auditoria|triagem|clinicas|banco) \w+"),
    "the inside of a file": re.compile(r"\bbytes?\b|\bUTF-8\b"),
    "a message of a framework": re.compile(r"\b(?:Not Found|Bad Request|Method Not Allowed|Internal Server Error|Field required)\b"),
}
_NEVER_ASKED: Final = ("/api/", "/fhir/", "/static/", "/sair")
_FILES: Final = ("/arquivo", "/exportacao", ".json", "/eventos", "/andamento", "/exemplo")
_LEAST_PAGES: Final[dict[Papel, int]] = {
    "gestor": 15,
    "admin": 17,
    "super_admin": 17,
    "avaliador": 4,
    "revisor": 5,
    "operador": 4,
    "paciente": 3,
}
_ALIKE: Final = 2  # pages of one template that are read


def words_of(page: str) -> list[str]:
    """What is read or heard of a page; not what a document holds as it came, in its own frame or in the box where it is mended.

    Nor a letter: it goes to whoever sent the pedido, and names a field as their program does, so that they can fill it.
    """
    document = html.fromstring(page)
    shown_as_it_came = "//pre | //code | //textarea[@spellcheck='false'] | //*[contains(@class, 'mensagem')]"
    for element in document.xpath(f"//script | //style | //template | {shown_as_it_came}"):
        element.drop_tree()
    read = [text.strip() for text in document.xpath("//body//text()")]
    heard = document.xpath("//body//@title | //body//@placeholder | //body//@aria-label | //body//@alt | //body//@data-label")
    return [text for text in [*read, *heard] if text]


def machine_words(page: str) -> list[str]:
    """Each word that a person should not meet, with what it is and where it stands."""
    return [
        f"{found[0]!r} is {what}: {text[:120]}"
        for text in words_of(page)
        for what, pattern in MACHINE.items()
        for found in pattern.finditer(text)
    ]


def shape_of(address: str) -> str:
    path, _, query = address.partition("?")
    names = "&".join(sorted({part if part.startswith("aba=") else part.partition("=")[0] for part in query.split("&")}))
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|P\d{5}|/\d+\b", "x", path) + "?" + names


async def walk(browser: httpx.AsyncClient) -> dict[str, list[str]]:
    """Every page that links lead to from the first one, and two that there are not, with the machine words of each."""
    waiting, met, found = ["/", "/nada-aqui", "/autorizacoes/nada", "/avaliacao"], Counter[str](), dict[str, list[str]]()
    while waiting:
        address = waiting.pop(0)
        if address in found or met[shape_of(address)] >= _ALIKE:
            continue
        met[shape_of(address)] += 1
        answer = await browser.get(address)
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        assert answer.status_code < 500, address
        found[address] = machine_words(answer.text.replace("Pessoa super_admin", "Pessoa"))  # the name that the test gave them
        led = [one.partition("#")[0] for one in html.fromstring(answer.text).xpath("//a/@href") if one.startswith("/")]
        waiting += [one for one in led if not one.startswith(_NEVER_ASKED) and not one.partition("?")[0].endswith(_FILES)]
    return found


@pytest.fixture
async def filled(container: Container, database: Database, scope: Scope, published: str, pedido: dict[str, Any]) -> None:
    """Something of everything: a screened edital with its judges, decisions that wait and that do not, políticas, bad pedidos."""
    async with database.unit_of_work(scope) as uow:
        await put_screened(uow, 30, "ED-1", julgados=4, sinais=6)
    for changed in (
        {},
        {"pedido_id": "SEM-LAUDO", "documentos_anexos": []},
        {"pedido_id": "SEM-PLANO", "plano_id": None},
        {"pedido_id": "SEM-DATA", "data_pedido": "31/02/2026"},
    ):
        await container.autorizacoes.decidir(scope, json.dumps({**pedido, **changed}).encode())


# Those who administer see what whoever manages sees, and two pages more.
_WALKED_WHOLE: Final = ("admin", "super_admin")


@pytest.mark.parametrize("papel", [pytest.param(one, marks=pytest.mark.slow) if one in _WALKED_WHOLE else one for one in PAPEIS])
async def test_no_page_shows_a_word_of_the_machinery(
    filled: None, scope: Scope, new_person: NewPerson, signed_in: SignedIn, papel: Papel
) -> None:
    read = await walk(await signed_in(scope, (await new_person(scope, papel)).ator))
    assert {address: words for address, words in read.items() if words} == {}
    assert len(read) >= _LEAST_PAGES[papel], sorted(read)


def test_what_a_machine_says_is_known_where_it_stands() -> None:
    page = (
        "<html><body><p>LAUDO_MEDICO (documentacao_pendente), 33465.04, None, 2026-11-26</p><pre>a_b</pre><p>R$ 1.250,00</p></body></html>"
    )
    assert [one.partition(" is ")[0] for one in machine_words(page)] == [
        "'documentacao_pendente'",
        "'LAUDO_MEDICO'",
        "'None'",
        "'2026-11-26'",
        "'33465.04'",
    ]
