"""The reviewer's queue and the page of a review, without any script."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from html import unescape
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

import httpx
import pytest

from crivo.autorizacoes.revisao import NaFila, Prazo
from crivo.bootstrap import Container
from crivo.kernel.access import Usuario
from crivo.kernel.sujeitos import CONSOLE
from crivo.kernel.tenancy import Scope
from crivo.web.pages.autorizacoes.fila_vista import NaFilaVista
from crivo.web.pages.autorizacoes.prazo_vista import deadline

NewPerson = Callable[..., Awaitable[Usuario]]
SignedIn = Callable[[Scope, str], Awaitable[httpx.AsyncClient]]
CsrfOf = Callable[[str], str]
MOTIVO = "O laudo chegou por outro canal e foi conferido."
HOSTILE = "<script>alert(1)</script> 🙂 שלום"


@dataclass(frozen=True)
class Pessoa:
    """Somebody at a browser, who sends the forms of pages."""

    ator: str
    client: httpx.AsyncClient
    csrf_of: CsrfOf

    async def get(self, path: str) -> httpx.Response:
        return await self.client.get(path)

    async def send(self, path: str, **fields: str) -> httpx.Response:
        token = self.csrf_of((await self.client.get("/")).text)
        return await self.client.post(path, data={"csrf": token, **fields})


@pytest.fixture
async def new_reviewer(scope: Scope, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf) -> Callable[[], Awaitable[Pessoa]]:
    async def make() -> Pessoa:
        person = await new_person(scope, "revisor")
        return Pessoa(person.ator, await signed_in(scope, person.ator), csrf_of)

    return make


@pytest.fixture
async def rita(new_reviewer: Callable[[], Awaitable[Pessoa]]) -> Pessoa:
    return await new_reviewer()


@pytest.fixture
async def denied(container: Container, scope: Scope, published: str, pedido: dict[str, Any]) -> UUID:
    """A decision that the code did not approve."""
    raw = json.dumps({**pedido, "pedido_id": "SEM-LAUDO", "documentos_anexos": []}).encode()
    return (await container.autorizacoes.decidir(scope, raw)).autorizacao.id


def typed(page: str, name: str) -> str:
    """What a text field of a form holds."""
    found = re.search(rf'<textarea id="{name}"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert found is not None
    return unescape(found[1])


@pytest.mark.parametrize(
    ("days", "told"),
    [
        (0, "vence hoje"),
        (1, "vence amanhã, 21/11"),
        (5, "vence em 5 dias, 25/11"),
        (-1, "passou do prazo há 1 dia"),
        (-3, "passou do prazo há 3 dias"),
    ],
)
def test_a_deadline_is_told_as_people_say_it(days: int, told: str) -> None:
    hoje = date(2026, 11, 20)
    assert deadline(hoje + timedelta(days), hoje) == told


async def test_an_empty_queue_says_so(rita: Pessoa) -> None:
    shown = await rita.get("/autorizacoes/fila")
    assert (shown.status_code, "A fila está vazia" in shown.text) == (200, True)


@pytest.mark.usefixtures("published")
async def test_the_queue_shows_the_urgent_first_with_its_deadline(
    rita: Pessoa, container: Container, scope: Scope, pedido: dict[str, Any]
) -> None:
    for name, urgent in (("DEPOIS", False), ("ANTES", True)):
        raw = json.dumps({**pedido, "pedido_id": name, "documentos_anexos": [], "urgencia": urgent}).encode()
        await container.autorizacoes.decidir(scope, raw)
    shown = (await rita.get("/autorizacoes/fila")).text
    assert shown.index(">ANTES<") < shown.index(">DEPOIS<")
    assert "responder já" in shown
    assert "Urgente" in shown


@pytest.mark.usefixtures("published")
async def test_the_queue_says_what_each_decision_is_about_and_why(
    rita: Pessoa, container: Container, scope: Scope, pedido: dict[str, Any]
) -> None:
    asked = {**pedido["procedimento"], "descricao": "Hemograma <b>completo</b>"}
    raw = json.dumps({**pedido, "pedido_id": "P-1", "procedimento": asked, "documentos_anexos": []}).encode()
    await container.autorizacoes.decidir(scope, raw)
    shown = (await rita.get("/autorizacoes/fila")).text
    assert "Hemograma &lt;b&gt;completo&lt;/b&gt;" in shown
    assert "Faltam documentos" in shown


async def test_what_a_decision_is_about_stays_in_its_tenant(container: Container, denied: UUID) -> None:
    assert await container.revisoes.dizeres(Scope("outro", "usuario:x", CONSOLE), [denied]) == {}


async def test_a_decision_is_claimed_decided_and_the_next_one_follows(
    rita: Pessoa, container: Container, scope: Scope, denied: UUID, pedido: dict[str, Any]
) -> None:
    """PRD: a person reviews and decides over the code, with a reason."""
    raw = json.dumps({**pedido, "pedido_id": "OUTRO", "documentos_anexos": []}).encode()
    other = (await container.autorizacoes.decidir(scope, raw)).autorizacao.id
    taken = await rita.send("/autorizacoes/fila/proxima")
    assert taken.headers["location"] == f"/autorizacoes/{denied}/revisao"
    form = (await rita.get(taken.headers["location"])).text
    assert "laudo médico" in form
    assert "Está com você até" in form
    decided = await rita.send(taken.headers["location"], decisao="APROVADO", motivo=MOTIVO, acao="proxima")
    assert decided.headers["location"] == f"/autorizacoes/{other}/revisao?ok=gravado"
    page = (await rita.get(f"/autorizacoes/{denied}")).text
    assert re.search(r'class="selo aprovado grande".*?Aprovado', page, re.DOTALL)
    assert MOTIVO in page
    assert "O código tinha decidido: pendente de ajustes" in page
    assert "por uma pessoa" in (await rita.get("/autorizacoes")).text


async def test_after_the_last_one_the_queue_is_shown(rita: Pessoa, denied: UUID) -> None:
    await rita.send(f"/autorizacoes/{denied}/reservar")
    decided = await rita.send(f"/autorizacoes/{denied}/revisao", decisao="NEGADO", motivo=MOTIVO, acao="proxima")
    assert decided.headers["location"] == "/autorizacoes/fila?ok=gravado"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"decisao": "", "motivo": MOTIVO}, "Escolha a decisão."),
        ({"decisao": "TALVEZ", "motivo": MOTIVO}, "Escolha a decisão."),
        ({"decisao": "APROVADO", "motivo": "curto"}, "Escreva o motivo, com 10 a 2000 caracteres"),
        ({"decisao": "APROVADO_PARCIAL", "motivo": MOTIVO}, "Diga quanto foi aprovado."),
        ({"decisao": "APROVADO_PARCIAL", "motivo": MOTIVO, "quantidade": "0"}, "maior que zero; para não aprovar nada, escolha negado"),
        ({"decisao": "APROVADO_PARCIAL", "motivo": MOTIVO, "quantidade": "0,5"}, "Foram pedidas unidades inteiras (1)"),
        ({"decisao": "APROVADO_PARCIAL", "motivo": MOTIVO, "quantidade": "dois"}, "Escreva a quantidade com algarismos"),
        ({"decisao": "APROVADO_PARCIAL", "motivo": MOTIVO, "quantidade": "1.5"}, "Escreva a quantidade com algarismos"),
        ({"decisao": "APROVADO_PARCIAL", "motivo": MOTIVO, "quantidade": "1.000"}, "é menos do que foi pedido"),
        ({"decisao": "APROVADO", "motivo": MOTIVO, "quantidade": "2"}, "Só uma aprovação em parte tem quantidade."),
        ({"decisao": "APROVADO", "motivo": MOTIVO, "para_beneficiario": "Aprovado!"}, "Cada mensagem deve ter"),
    ],
)
async def test_what_will_not_do_comes_back_with_the_reason_and_all_that_was_typed(
    rita: Pessoa, denied: UUID, fields: dict[str, str], said: str
) -> None:
    await rita.send(f"/autorizacoes/{denied}/reservar")
    refused = await rita.send(f"/autorizacoes/{denied}/revisao", **fields)
    assert refused.status_code == 422
    assert said in refused.text
    assert typed(refused.text, "motivo") == fields["motivo"]
    assert "data-recusa" in refused.text
    assert "Decidir e ver" in refused.text
    assert "quantidade_aprovada" not in refused.text[refused.text.index("data-recusa") : refused.text.index('class="duas-colunas')]
    assert refused.text.count(said) <= 2  # once above, once beside the field


async def test_a_part_of_what_was_asked_for_in_parts_is_approved_with_a_decimal_comma(
    rita: Pessoa, container: Container, scope: Scope, published: str, pedido: dict[str, Any]
) -> None:
    asked = {**pedido, "procedimento": {**pedido["procedimento"], "quantidade": 1.5}, "documentos_anexos": []}
    denied = (await container.autorizacoes.decidir(scope, json.dumps(asked).encode())).autorizacao.id
    await rita.send(f"/autorizacoes/{denied}/reservar")
    done = await rita.send(f"/autorizacoes/{denied}/revisao", decisao="APROVADO_PARCIAL", quantidade="0,5", motivo=MOTIVO)
    assert done.headers["location"] == f"/autorizacoes/{denied}?ok=gravado"
    assert (await container.revisoes.historico(scope, denied))[0].quantidade_aprovada == 0.5


async def test_the_same_form_sent_twice_is_one_decision(rita: Pessoa, container: Container, scope: Scope, denied: UUID) -> None:
    await rita.send(f"/autorizacoes/{denied}/reservar")
    answers = [await rita.send(f"/autorizacoes/{denied}/revisao", decisao="APROVADO", motivo=MOTIVO) for _ in range(2)]
    assert [one.status_code for one in answers] == [303, 303]
    assert len(await container.revisoes.historico(scope, denied)) == 1


async def test_another_tab_that_decides_otherwise_is_told_what_stands(rita: Pessoa, denied: UUID) -> None:
    await rita.send(f"/autorizacoes/{denied}/reservar")
    await rita.send(f"/autorizacoes/{denied}/revisao", decisao="APROVADO", motivo=MOTIVO)
    late = await rita.send(f"/autorizacoes/{denied}/revisao", decisao="NEGADO", motivo="Outra coisa foi escrita aqui.")
    assert late.status_code == 409
    assert "Uma pessoa já decidiu este pedido: aprovado" in late.text
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:", re.sub(r"<[^>]*>", "", late.text)) is None
    assert typed(late.text, "motivo") == "Outra coisa foi escrita aqui."


async def test_a_claim_that_ran_out_loses_nothing_and_one_press_takes_it_again(
    rita: Pessoa, container: Container, scope: Scope, denied: UUID
) -> None:
    written = {"decisao": "NEGADO", "motivo": f"{MOTIVO}\n{HOSTILE}"}
    late = await rita.send(f"/autorizacoes/{denied}/revisao", **written)  # it never was theirs, as after the half hour
    assert late.status_code == 409
    assert "Pegar de novo" in late.text
    assert typed(late.text, "motivo") == written["motivo"]
    assert "<script>alert" not in late.text
    again = await rita.send(f"/autorizacoes/{denied}/revisao", **written, acao="retomar")
    assert again.status_code == 200
    assert typed(again.text, "motivo") == written["motivo"]
    assert '<option value="NEGADO" selected>' in again.text
    assert (await rita.send(f"/autorizacoes/{denied}/revisao", **written)).status_code == 303
    assert (await container.revisoes.historico(scope, denied))[0].motivo == written["motivo"]


async def test_who_comes_second_is_told_who_has_it_and_keeps_what_was_typed(
    rita: Pessoa, new_reviewer: Callable[[], Awaitable[Pessoa]], denied: UUID
) -> None:
    bia = await new_reviewer()
    await rita.send(f"/autorizacoes/{denied}/reservar")
    told = await bia.send(f"/autorizacoes/{denied}/reservar")
    assert (told.status_code, "Outra pessoa está revendo" in told.text) == (409, True)
    assert "Pessoa revisor" in told.text
    page = (await bia.get(f"/autorizacoes/{denied}/revisao")).text
    assert "está com esta decisão até" in page
    assert "Decidir e ver" not in page
    refused = await bia.send(f"/autorizacoes/{denied}/revisao", decisao="APROVADO", motivo=MOTIVO)
    assert (refused.status_code, typed(refused.text, "motivo")) == (409, MOTIVO)


async def test_what_is_let_go_of_is_anybody_s(rita: Pessoa, new_reviewer: Callable[[], Awaitable[Pessoa]], denied: UUID) -> None:
    await rita.send(f"/autorizacoes/{denied}/reservar")
    assert (await rita.send(f"/autorizacoes/{denied}/liberar")).headers["location"] == "/autorizacoes/fila?ok=devolvida"
    bia = await new_reviewer()
    assert (await bia.send("/autorizacoes/fila/proxima")).headers["location"] == f"/autorizacoes/{denied}/revisao"


async def test_who_holds_five_is_told_what_to_do_before_a_sixth(
    rita: Pessoa, container: Container, scope: Scope, denied: UUID, pedido: dict[str, Any]
) -> None:
    found = [denied]
    for number in range(5):
        raw = json.dumps({**pedido, "pedido_id": f"P-{number}", "documentos_anexos": []}).encode()
        found.append((await container.autorizacoes.decidir(scope, raw)).autorizacao.id)
    for one in found[1:]:
        assert (await rita.send(f"/autorizacoes/{one}/reservar")).status_code == 303
    for path in (f"/autorizacoes/{denied}/reservar", "/autorizacoes/fila/proxima"):
        told = await rita.send(path)
        assert told.status_code == 409
        assert "Decida uma das que estão com você, ou devolva-a à fila" in told.text
    late = await rita.send(f"/autorizacoes/{denied}/revisao", decisao="APROVADO", motivo=MOTIVO, acao="retomar")
    assert (late.status_code, typed(late.text, "motivo")) == (409, MOTIVO)


async def test_who_manages_gives_back_from_the_queue_what_another_holds(
    rita: Pessoa, scope: Scope, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf, denied: UUID
) -> None:
    gil = await new_person(scope, "gestor")
    gestor = Pessoa(gil.ator, await signed_in(scope, gil.ator), csrf_of)
    button = f'action="/autorizacoes/{denied}/liberar-de-outro"'
    await rita.send(f"/autorizacoes/{denied}/reservar")
    for path in ("/autorizacoes/fila", f"/autorizacoes/{denied}/revisao"):
        assert button in (await gestor.get(path)).text
        assert button not in (await rita.get(path)).text
    assert (await rita.send(f"/autorizacoes/{denied}/liberar-de-outro")).status_code == 403
    freed = await gestor.send(f"/autorizacoes/{denied}/liberar-de-outro")
    assert freed.headers["location"] == "/autorizacoes/fila?ok=devolvida"
    assert button not in (await gestor.get("/autorizacoes/fila")).text
    told = (await gestor.get("/admin/auditoria")).text
    assert "Devolveu à fila uma decisão que estava com outra pessoa" in told
    assert "Pedido SEM-LAUDO, que estava com Pessoa revisor" in told


async def test_the_person_s_own_messages_are_what_both_people_get(rita: Pessoa, denied: UUID) -> None:
    await rita.send(f"/autorizacoes/{denied}/reservar")
    own = {"para_beneficiario": f"Tudo certo. {HOSTILE}", "para_solicitante": "Aprovado após conferência."}
    await rita.send(f"/autorizacoes/{denied}/revisao", decisao="APROVADO", motivo=MOTIVO, **own)
    page = (await rita.get(f"/autorizacoes/{denied}")).text
    assert (
        unescape(re.findall(r'class="mensagem" id="para-beneficiario" dir="auto">(.*?)</p>', page, re.DOTALL)[0])
        == own["para_beneficiario"]
    )
    assert "<script>alert" not in page


async def test_a_decision_of_another_tenant_is_not_there(
    new_tenant: Callable[[], Scope], new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf, denied: UUID
) -> None:
    elsewhere = new_tenant()
    person = await new_person(elsewhere, "revisor")
    bia = Pessoa(person.ator, await signed_in(elsewhere, person.ator), csrf_of)
    assert (await bia.get(f"/autorizacoes/{denied}/revisao")).status_code == 404
    for action in ("reservar", "revisao"):
        assert (await bia.send(f"/autorizacoes/{denied}/{action}", decisao="APROVADO", motivo=MOTIVO)).status_code in (404, 409)
    assert "A fila está vazia" in (await bia.get("/autorizacoes/fila")).text


async def test_the_list_is_searched_by_number_and_day(rita: Pessoa, denied: UUID) -> None:
    hoje = datetime.now().astimezone().date()
    for query, found in (
        ("q=laudo", True),
        ("q=sem%00", True),
        ("q=%25", False),
        (f"desde={hoje - timedelta(1)}", True),
        (f"desde={hoje + timedelta(2)}", False),
        ("desde=0001-01-01", True),
        ("status=NEGADO", False),
    ):
        assert (">SEM-LAUDO<" in (await rita.get(f"/autorizacoes?{query}")).text) == found, query
    assert (await rita.get("/autorizacoes?desde=2026-02-30")).status_code == 422


async def test_the_queue_is_searched_filtered_and_ordered_and_the_filters_combine(
    rita: Pessoa, container: Container, scope: Scope, denied: UUID, pedido: dict[str, Any]
) -> None:
    others: tuple[dict[str, Any], ...] = ({"urgencia": True}, {"administradora_id": "OUTRA-ADM"}, {"plano_id": None})
    for number, changed in enumerate(others):
        raw = json.dumps({**pedido, "pedido_id": f"P-{number}", "documentos_anexos": [], **changed}).encode()
        await container.autorizacoes.decidir(scope, raw)

    async def shown(query: str) -> list[str]:
        return re.findall(r'/revisao" dir="auto">([\w-]+)</a>', (await rita.get(f"/autorizacoes/fila{query}")).text)

    everything = await shown("")
    assert {"SEM-LAUDO", "P-0", "P-1", "P-2"} == set(everything)
    assert await shown("?q=p-1") == ["P-1"]
    assert await shown("?q=outra-adm&urgencia=nao") == ["P-1"]
    assert await shown("?q=p-1&administradora=ADM-TESTE") == []
    assert "SEM-LAUDO" in await shown("?motivo=documentacao_pendente")
    assert await shown("?ordem=pedido") == sorted(everything)
    assert await shown("?ordem=-pedido") == sorted(everything, reverse=True)
    await rita.send(f"/autorizacoes/{denied}/reservar")
    assert await shown("?quem=minhas") == ["SEM-LAUDO"]
    assert set(await shown("?quem=livres")) == {"P-0", "P-1", "P-2"}
    assert await shown("?quem=usuario:ninguem") == []
    page = (await rita.get("/autorizacoes/fila?ordem=prazo&q=p")).text
    assert 'aria-sort="ascending"><a class="ordenar" href="/autorizacoes/fila?q=p&amp;ordem=-prazo"' in page


def lines(page: str) -> list[str]:
    """The pedidos that a page of the queue shows."""
    return re.findall(r'/revisao" dir="auto">([\w-]+)</a>', page)


async def test_the_queue_is_searched_by_what_a_decision_is_about_which_is_sealed(
    rita: Pessoa, container: Container, scope: Scope, denied: UUID, pedido: dict[str, Any]
) -> None:
    asked = {**pedido["procedimento"], "descricao": "Ressonância do crânio"}
    raw = json.dumps({**pedido, "pedido_id": "P-9", "procedimento": asked, "beneficiario": {**pedido["beneficiario"], "id": "CART-77"}})
    await container.autorizacoes.decidir(scope, raw.replace('"LAUDO_MEDICO"', '"OUTRO"').encode())
    for q in ("ressonancia", "cart-77", "p-9"):
        assert lines((await rita.get(f"/autorizacoes/fila?q={q}")).text) == ["P-9"], q
    async with container.database.unit_of_work(scope) as uow:
        rows = await uow.connection.exec_driver_sql("select f::text from autorizacao_fichas f where tenant_id = %s", (scope.tenant_id,))
        assert all("CART-77" not in row and "crânio" not in row for row in rows.scalars())


def test_days_of_waiting_are_the_days_that_the_deadline_is_late_by() -> None:
    acre = ZoneInfo("America/Rio_Branco")
    prazo = Prazo(datetime(2026, 10, 9, 23, tzinfo=acre), datetime(2026, 10, 9, 23, 59, 59, tzinfo=acre), 0, "", presumido=False)
    agora = datetime(2026, 11, 28, 0, 5, tzinfo=acre)
    one = NaFila(
        id=UUID(int=1),
        pedido_id="P-1",
        administradora_id=None,
        decisao_final="NEGADO",
        recebida_em=prazo.desde.astimezone(UTC),
        urgente=True,
        tipo=None,
        plano_id=None,
        regra_id=None,
        motivos=(),
        prazo=prazo,
        reserva=None,
        responsavel="",
        desde=None,
    )
    shown = NaFilaVista.of(one, None, agora, "usuario:eu", {})
    assert (shown.desde, shown.idade, shown.prazo.palavras) == (date(2026, 10, 9), "50 dias", "passou do prazo há 50 dias")


async def test_what_undoing_left_as_it_is_is_counted_and_who_decides_right_now_is_named_before_sharing_out(
    rita: Pessoa, new_reviewer: Callable[[], Awaitable[Pessoa]], container: Container, scope: Scope, published: str, pedido: dict[str, Any]
) -> None:
    ids = []
    for number in range(2):
        raw = json.dumps({**pedido, "pedido_id": f"DESFAZ-{number}", "documentos_anexos": []}).encode()
        ids.append((await container.autorizacoes.decidir(scope, raw)).autorizacao.id)
    done = await container.responsaveis.assumir(replace(scope, ator=rita.ator), dict.fromkeys(ids, ""))
    await rita.send(f"/autorizacoes/{ids[0]}/reservar")
    before = (await rita.send("/autorizacoes/fila/lote", acao="assumir", todas="sim")).text
    assert "Em revisão agora" not in before  # it is one's own
    other = await new_reviewer()
    seen = (await other.send("/autorizacoes/fila/lote", acao="assumir", todas="sim")).text
    assert re.search(r"Em revisão agora.*pedido <bdi>DESFAZ-0</bdi>: <bdi>[^<]+</bdi>, até \d\d:\d\d", seen, re.DOTALL)
    await rita.send(f"/autorizacoes/{ids[0]}/revisao", decisao="NEGADO", motivo=MOTIVO)
    undone = await rita.send("/autorizacoes/fila/desfazer", lote=str(done.lote), feitas="2")
    shown = (await rita.get(undone.headers["location"])).text
    assert "Desfeito: 1 decisão voltou ao que valia antes. 1 ficou como está" in shown


async def test_one_that_is_claimed_is_nobody_else_s_to_review_and_is_let_go_of_where_it_was_seen(
    rita: Pessoa, new_reviewer: Callable[[], Awaitable[Pessoa]], denied: UUID
) -> None:
    bia = await new_reviewer()
    done = await rita.send(f"/autorizacoes/{denied}/assumir", volta="urgencia=nao&ordem=-prazo&fora=<x>")
    assert done.headers["location"].startswith("/autorizacoes/fila?urgencia=nao&ordem=-prazo&lote=")
    page = (await rita.get(done.headers["location"])).text
    assert "1 decisão mudou de mãos" in page
    assert f'action="/autorizacoes/{denied}/soltar"' in page
    refused = await bia.send(f"/autorizacoes/{denied}/reservar")
    assert (refused.status_code, "outra pessoa responsável" in refused.text) == (409, True)
    late = await bia.get((await bia.send(f"/autorizacoes/{denied}/assumir")).headers["location"])
    assert "0 decisões mudaram de mãos. 1 ficou como estava" in late.text
    assert (await bia.send("/autorizacoes/fila/proxima")).headers["location"] == "/autorizacoes/fila"
    lote = re.search(r'name="lote" value="([\w-]+)"', page)
    assert lote is not None
    assert (await rita.send("/autorizacoes/fila/desfazer", lote=lote[1])).headers["location"] == "/autorizacoes/fila?ok=desfeito"
    assert (await rita.send("/autorizacoes/fila/desfazer", lote="nada")).headers["location"] == "/autorizacoes/fila"
    assert (await bia.send(f"/autorizacoes/{denied}/reservar")).status_code == 303


async def test_many_are_looked_at_before_they_are_given_and_what_changed_meanwhile_stays(
    rita: Pessoa, container: Container, scope: Scope, denied: UUID, pedido: dict[str, Any], new_person: NewPerson, signed_in: SignedIn,
    csrf_of: CsrfOf,
) -> None:  # fmt: skip
    gil = await new_person(scope, "gestor")
    gestor = Pessoa(gil.ator, await signed_in(scope, gil.ator), csrf_of)
    for number in range(2):
        raw = json.dumps({**pedido, "pedido_id": f"P-{number}", "documentos_anexos": []}).encode()
        await container.autorizacoes.decidir(scope, raw)
    assert (await gestor.send("/autorizacoes/fila/lote", acao="assumir")).status_code == 422  # none was marked
    assert (await gestor.send("/autorizacoes/fila/lote", acao="dar", todas="sim")).status_code == 422  # to nobody
    assert "Dar a" not in (await rita.get("/autorizacoes/fila")).text
    look = await gestor.send("/autorizacoes/fila/lote", acao="dar", quem=rita.ator, todas="sim", volta="q=p-")
    assert "Dar a Pessoa revisor: 2 decisões" in look.text
    seen = re.findall(r'name="um" value="([^"]+)"', look.text)
    await rita.send(f"/autorizacoes/{seen[0].partition('|')[0]}/assumir")
    token = gestor.csrf_of((await gestor.get("/")).text)
    sent = {"csrf": token, "acao": "dar", "quem": rita.ator, "um": [*seen, "nada|"], "volta": "q=p-"}
    done = await gestor.client.post("/autorizacoes/fila/partilhar", data=sent)
    assert "feitas=1&mudaram=1&fora=0" in done.headers["location"]
    assert set(lines((await rita.get("/autorizacoes/fila?quem=minhas")).text)) == {"P-0", "P-1"}
    assert "Deu decisões da fila a uma pessoa" in (await gestor.get("/admin/auditoria")).text
    stolen = await rita.send("/autorizacoes/fila/partilhar", acao="dar", quem=rita.ator, um=f"{denied}|")
    assert stolen.status_code == 403


async def test_days_that_count_are_said_corrected_and_taken_back(
    rita: Pessoa, scope: Scope, denied: UUID, new_person: NewPerson, signed_in: SignedIn, csrf_of: CsrfOf
) -> None:
    gil = await new_person(scope, "gestor")
    gestor = Pessoa(gil.ator, await signed_in(scope, gil.ator), csrf_of)
    assert (await rita.get("/autorizacoes/calendarios")).status_code == 403
    refused = await gestor.send("/autorizacoes/calendarios", cidade="Sao Paolo", uf="SP")
    assert (refused.status_code, "Quis dizer São Paulo?" in refused.text, 'value="Sao Paolo"' in refused.text) == (422, True, True)
    days = ", ".join([f"{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29)])
    for name, nova in (("ADM-TSTE", ""), ("NENHUMA", "sim")):
        asked = await gestor.send("/autorizacoes/calendarios", administradora=name, nova=nova, uf="SP")
        assert asked.status_code == (303 if nova else 422)
    assert "Quis dizer ADM-TESTE?" in (await gestor.send("/autorizacoes/calendarios", administradora="ADM-TSTE", uf="SP")).text
    for folgas in (days, "carnaval"):
        done = await gestor.send("/autorizacoes/calendarios", administradora="ADM-TESTE", uf="SP", cidade="São Paulo", folgas=folgas)
        assert done.status_code in {303, 422}
    page = (await gestor.get("/autorizacoes/calendarios?administradora=ADM-TESTE")).text
    assert "São Paulo, SP" in page
    assert 'value="carnaval"' in page
    assert "5 dias úteis depois do recebimento" in (await rita.get(f"/autorizacoes/{denied}/revisao")).text
    assert (await gestor.send("/autorizacoes/calendarios/retirar", administradora="ADM-TESTE")).status_code == 303
    assert "São Paulo, SP" not in (await gestor.get("/autorizacoes/calendarios")).text


async def test_what_is_somebody_elses_says_whose_it_is_and_is_not_offered(
    rita: Pessoa, new_reviewer: Callable[[], Awaitable[Pessoa]], denied: UUID
) -> None:
    other = await new_reviewer()
    await other.send(f"/autorizacoes/{denied}/assumir")
    shown = (await rita.get(f"/autorizacoes/{denied}/revisao")).text
    assert "e só essa pessoa a revê até soltar" in shown
    assert "Pegar para rever" not in shown
    assert "Pegar para rever" in (await other.get(f"/autorizacoes/{denied}/revisao")).text


@pytest.mark.usefixtures("denied")
async def test_a_filter_that_nothing_has_is_told_and_shown(rita: Pessoa) -> None:
    shown = (await rita.get("/autorizacoes/fila?plano=NAO-HA&prazo=ontem")).text
    assert "Nada na fila tem o que o endereço pede em Prazo: ontem; Plano: NAO-HA." in shown
    assert '<option value="NAO-HA" selected>' in shown
    assert "o que o endereço pede" not in (await rita.get("/autorizacoes/fila?prazo=vencido")).text
    strange = (await rita.get("/autorizacoes/fila?busca=ana&pagina=1")).text
    assert "A fila não tem o que o endereço pede em busca, e isso não foi contado." in strange
