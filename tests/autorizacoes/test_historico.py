"""Limits by period over what the house itself approved: an input of the decision, kept in its trail."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from casa_de_autorizacoes import Casa
from casos import pedido, regra
from crivo.autorizacoes.contracts import PedidoNormalizado, Procedimento, Uso
from crivo.autorizacoes.historico import Feito, historico_guardado, usos_of
from crivo.autorizacoes.origem import mensagem_of
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

DUAS_POR_ANO = regra(limites=[{"quantidade": 2, "periodo_dias": 365}])


def raw(pedido_id: str, **changes: Any) -> bytes:
    return json.dumps(pedido(pedido_id=pedido_id, **changes)).encode()


@pytest.fixture
async def casa(database: Database, scope: Scope) -> Casa:
    made = Casa(database)
    await made.publish(scope, DUAS_POR_ANO, vigencia_inicio="2025-01-01")
    return made


async def decided(casa: Casa, scope: Scope, corpo: bytes) -> tuple[str, Any]:
    decisao = json.loads((await casa.autorizacoes.decidir(scope, corpo)).autorizacao.decisao)
    return decisao["decisao_final"], decisao["detalhe_decisao"]["quantidade_aprovada"]


async def test_what_was_approved_before_counts_against_the_limit_and_another_person_has_their_own(casa: Casa, scope: Scope) -> None:
    assert await decided(casa, scope, raw("P-1")) == ("APROVADO", 1)
    assert await decided(casa, scope, raw("P-2", procedimento__quantidade=2)) == ("APROVADO_PARCIAL", 1)
    assert await decided(casa, scope, raw("P-3")) == ("PENDENTE_AJUSTES", None)
    assert await decided(casa, scope, raw("P-4", beneficiario__id="B-2")) == ("APROVADO", 1)
    assert await decided(casa, scope, raw("P-5", data_pedido="2025-10-05")) == ("APROVADO", 1)  # no one year holds both


async def test_a_number_is_the_same_person_in_capitals_and_in_small_letters(casa: Casa, scope: Scope) -> None:
    """What stands between tells people apart: `1-11` and `11-1` are two of them."""
    assert await decided(casa, scope, raw("P-1", beneficiario__id="z7")) == ("APROVADO", 1)
    assert await decided(casa, scope, raw("P-2", beneficiario__id="Z7", administradora_id="adm-1")) == ("APROVADO", 1)
    assert await decided(casa, scope, raw("P-3", beneficiario__id="z7")) == ("PENDENTE_AJUSTES", None)
    assert await decided(casa, scope, raw("P-4", beneficiario__id="z-7")) == ("APROVADO", 1)
    together = await asyncio.gather(
        *(decided(casa, scope, raw(f"Q-{at}", beneficiario__id=um)) for at, um in enumerate(("k9", "K9", "k9")))
    )
    assert sorted(final for final, _ in together) == ["APROVADO", "APROVADO", "PENDENTE_AJUSTES"]


async def test_a_pedido_sent_again_does_not_count_against_itself(casa: Casa, scope: Scope) -> None:
    for _ in range(3):
        assert await decided(casa, scope, raw("P-1", procedimento__quantidade=2)) == ("APROVADO", 2)


async def test_a_number_that_is_used_again_for_another_day_or_procedure_does_not_wipe_the_limit(casa: Casa, scope: Scope) -> None:
    """Senders number by month, or call all of them by one number; only what is plainly the same again takes the place of it."""
    outcomes = [await decided(casa, scope, raw("Z5", data_pedido=dia)) for dia in ("2026-09-01", "2026-10-01", "2026-11-01")]
    assert outcomes == [("APROVADO", 1), ("APROVADO", 1), ("PENDENTE_AJUSTES", None)]


async def test_a_pedido_dated_after_the_day_that_it_came_waits_and_blocks_nobody(casa: Casa, scope: Scope) -> None:
    """It came on 20/11/2026: a slip of the year approved, and held the beneficiário to it until then."""
    stored = (await casa.autorizacoes.decidir(scope, raw("P-1", data_pedido="18/11/2029", procedimento__quantidade=2))).autorizacao
    assert stored.decisao_final == "PENDENTE_AJUSTES"
    assert json.loads(stored.decisao)["artefato_registro"]["motivos"] == ["pedido_invalido", "data_pedido_no_futuro"]
    assert (await casa.autorizacoes.conferir(scope, "P-1")).confere
    assert await decided(casa, scope, raw("P-2", data_pedido="21/11/2026")) == ("APROVADO", 1)  # where it was written it was tomorrow
    assert await decided(casa, scope, raw("P-3", data_pedido="22/11/2026")) == ("PENDENTE_AJUSTES", None)


async def test_what_takes_the_place_of_an_earlier_approval_says_so_and_comes_out_the_same_again(casa: Casa, scope: Scope) -> None:
    await casa.autorizacoes.decidir(scope, raw("P-1", procedimento__quantidade=2))
    stored = (await casa.autorizacoes.decidir(scope, raw("P-1"))).autorizacao
    normalizacao = json.loads(stored.trilha)["etapas"]["normalizacao"]
    assert "no_lugar_do_aprovado_antes" in normalizacao["alertas"]
    antes = {"codigo": "41101014", "data": "2026-10-05", "quantidade": 2, "origem": "crivo", "substituido": True}
    assert normalizacao["pedido_normalizado"]["historico"] == [antes]
    assert "No lugar do que esta casa já aprovou" in json.loads(stored.decisao)["mensagens"]["para_solicitante"]
    assert (await casa.autorizacoes.conferir(scope, str(stored.id))).confere
    assert await decided(casa, scope, raw("P-2")) == ("APROVADO", 1)  # of P-1 only the last counts


async def test_what_was_sent_again_says_what_stands_in_its_place_as_the_limit_counts_it(casa: Casa, scope: Scope) -> None:
    first, again = [(await casa.autorizacoes.decidir(scope, raw("P-1", procedimento__quantidade=n))).autorizacao for n in (2, 1)]
    other = (await casa.autorizacoes.decidir(scope, raw("P-1", data_pedido="2025-10-05"))).autorizacao
    found = [await casa.autorizacoes.substituida_por(scope, one) for one in (first, again, other)]
    assert found == [again, None, None]


async def test_pedidos_that_come_together_count_against_each_other(casa: Casa, scope: Scope) -> None:
    outcomes = await asyncio.gather(*(decided(casa, scope, raw(f"P-{number}")) for number in range(5)))
    assert sorted(final for final, _ in outcomes) == ["APROVADO", "APROVADO", *["PENDENTE_AJUSTES"] * 3]


async def test_two_servers_do_not_both_give_what_is_left(database: Database, casa: Casa, scope: Scope) -> None:
    outra = Casa(database)
    outcomes = await asyncio.gather(*(decided(one, scope, raw(f"P-{at}")) for at, one in enumerate([casa, outra, casa, outra])))
    assert sum(final == "APROVADO" for final, _ in outcomes) == 2


async def test_a_decision_is_made_again_by_the_history_that_it_had(casa: Casa, scope: Scope) -> None:
    told = [{"codigo": "41101014", "data": "2026-10-05", "quantidade": 1}]
    await casa.autorizacoes.decidir(scope, raw("P-1"))
    await casa.autorizacoes.decidir(scope, raw("P-2", historico=told))
    await casa.autorizacoes.decidir(scope, raw("P-3"))
    for numero in ("P-1", "P-2", "P-3"):
        assert (await casa.autorizacoes.conferir(scope, numero)).confere, numero


async def test_what_the_pedido_tells_of_the_house_own_approval_counts_once(casa: Casa, scope: Scope) -> None:
    told = [{"codigo": "41101014", "data": "05/10/2026", "quantidade": 1}]
    await casa.autorizacoes.decidir(scope, raw("P-1"))
    assert await decided(casa, scope, raw("P-2", historico=told)) == ("APROVADO", 1)


async def test_history_is_not_asked_where_no_regra_counts_it(database: Database, scope: Scope) -> None:
    casa = Casa(database)
    await casa.publish(scope, regra())
    stored = (await casa.autorizacoes.decidir(scope, raw("P-1", historico=[]))).autorizacao
    assert historico_guardado(stored.trilha) is None
    assert json.loads(stored.trilha)["etapas"]["normalizacao"]["pedido_normalizado"]["extras"] == {"historico": []}


def test_of_a_pedido_sent_again_only_the_last_approval_counts() -> None:
    def feito(pedido_id: str | None, quantidade: int) -> Feito:
        return Feito(pedido_id, Uso("1", "2026-01-01", quantidade, "crivo"))

    asked = replace(PedidoNormalizado(*[None] * 12), extras={})  # type: ignore[arg-type]
    feitos = (feito("P-1", 1), feito("P-2", 2), feito("P-1", 3), feito(None, 4))
    assert [uso.quantidade for uso in usos_of(feitos, asked)] == [2, 3, 4]


@pytest.mark.parametrize("numero", ["-", "N/A", "0", "000", "s/n", "não informado"])
def test_a_number_that_is_none_takes_the_place_of_nothing(numero: str) -> None:
    procedimento = Procedimento("1", None, None, 1)
    asked = replace(
        PedidoNormalizado(*[None] * 12),  # type: ignore[arg-type]
        pedido_id=numero,
        data_pedido="2026-01-01",
        procedimento=procedimento,
        extras={},
    )
    feitos = [Feito(numero, Uso("1", "2026-01-01", quantidade, "crivo")) for quantidade in (1, 2)]
    assert [(uso.quantidade, uso.substituido) for uso in usos_of(feitos, asked)] == [(1, UNSET), (2, UNSET)]


def of_guia(mensagem: str, numero: str = "M-1", remetente: str = "0001", pedido_id: str = "M-1") -> PedidoNormalizado:
    guia = {"numero": numero, "origem": {"por": "codigoPrestadorNaOperadora", "valor": remetente}}
    extras = {"tiss": {"mensagem": mensagem, "item": 1, "itens": 1, "guia": guia}}
    return replace(PedidoNormalizado(*[None] * 12), pedido_id=pedido_id, extras=extras)  # type: ignore[arg-type]


def feito_de(pedido: PedidoNormalizado, quantidade: int) -> Feito:
    return Feito(pedido.pedido_id, Uso("1", "2026-01-01", quantidade, "crivo"), mensagem_of(pedido))


def test_a_guia_that_was_corrected_is_not_held_to_what_its_earlier_message_was_given() -> None:
    """Whatever the numbers of its items were then; what another sender calls by the same number is another guia."""
    feitos = (
        feito_de(of_guia("a", pedido_id="M-1-1"), 1),
        feito_de(of_guia("a", pedido_id="M-1-2"), 2),
        feito_de(of_guia("x", remetente="0002"), 4),
        Feito("J-1", Uso("1", "2026-01-01", 8, "crivo")),
    )
    assert sum(uso.quantidade or 0 for uso in usos_of(feitos, of_guia("b"))) == 12
    assert sum(uso.quantidade or 0 for uso in usos_of(feitos, of_guia("b", numero="M-2", pedido_id="M-2"))) == 15
    assert sum(uso.quantidade or 0 for uso in usos_of(feitos, of_guia("a", pedido_id="M-1-3"))) == 15  # items of one message count


def test_of_a_guia_sent_again_only_the_last_message_that_was_given_something_counts() -> None:
    feitos = (
        feito_de(of_guia("a", pedido_id="M-1-1"), 1),
        feito_de(of_guia("a", pedido_id="M-1-2"), 2),
        feito_de(of_guia("b"), 4),
        feito_de(of_guia("b", pedido_id="M-1-2"), 8),
    )
    assert [uso.quantidade for uso in usos_of(feitos, of_guia("c", numero="M-9", pedido_id="M-9"))] == [4, 8]
