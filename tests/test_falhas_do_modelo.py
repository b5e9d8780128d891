"""Whatever a model does, every journey ends: with the decision that code alone takes, and with no text that was not checked.

A matrix: every fault that the provider knows × every part that a model has, over the real gateway, the ledger and a database; and where
only second questions fail, or answers come in pieces, on some of the journeys: `python -m jornadas` goes them all.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope
from jornadas import (
    BY_NAME,
    JORNADAS,
    NENHUMA,
    Chegada,
    Jornada,
    Modo,
    Tenants,
    a_provider,
    done,
    is_second,
    travel,
    travel_all,
    wrong,
)
from provedor import FALTAS, FALTAS_DE_CAMPOS, FALTAS_DE_FLUXO, FALTAS_DE_VETORES, Provedor, QualquerFalta, provedor_no_ar

LEAST_FAULTED_CALLS = 500
_NO_FAULT = {*FALTAS_DE_CAMPOS, "silencio"}  # nothing to alter in fields that are all codes; a silence may be left before it is heard
_OF_EACH = ("autorizacoes.parcial", "clinicas.modelo", "triagem.criterio")


@pytest.fixture
def provedor() -> Iterator[Provedor]:
    with provedor_no_ar(a_provider()) as running:
        yield running


def counted(faults: Sequence[tuple[QualquerFalta, str]], ways: int, what: str) -> Counter[QualquerFalta]:
    """How often each fault came to be, told to whoever reads along."""
    calls = Counter(falta for falta, _ in faults)
    sys.stdout.writelines(f"\n{falta:20} {count:5}" for falta, count in calls.most_common())
    sys.stdout.write(f"\n{calls.total()} faulted {what} on {ways} journeys\n")
    return calls


@pytest.mark.parametrize("jornada", JORNADAS, ids=lambda jornada: jornada.nome)
async def test_with_a_model_that_does_its_part_the_journey_ends_in_its_words(
    jornada: Jornada, provedor: Provedor, database: Database, scope: Scope
) -> None:
    assert await travel(jornada, NENHUMA, provedor, database, scope) == Chegada(do_modelo=True, erros=())
    assert provedor.pagos == len(provedor.recebidos) > 0


async def test_whatever_a_model_does_every_journey_ends_as_code_alone_would_end_it(
    provedor: Provedor, database: Database, new_tenant: Tenants
) -> None:
    ended = await travel_all(JORNADAS, provedor, database, new_tenant)
    assert wrong(ended) == {}
    calls = counted(done(provedor), len(ended), "calls")
    assert {way for way in ended if way[0] not in _NO_FAULT} <= set(done(provedor))
    assert set(calls) == {*FALTAS, *FALTAS_DE_VETORES}
    assert calls.total() >= LEAST_FAULTED_CALLS


@pytest.mark.parametrize("modo", ["segunda_dita", "segunda_da_forma"])
async def test_the_same_holds_where_only_the_question_that_tells_of_a_fault_fails(
    modo: Modo, provedor: Provedor, database: Database, new_tenant: Tenants
) -> None:
    nomes = ("autorizacoes.parcial", "clinicas.modelo") if modo == "segunda_dita" else ("triagem.criterio",)
    ended = await travel_all([BY_NAME[nome] for nome in nomes], provedor, database, new_tenant, modo=modo)
    assert wrong(ended) == {}
    faults = done(provedor, second=True)
    counted(faults, len(ended), "second questions")
    assert {way for way in ended if way[0] not in _NO_FAULT} <= set(faults)
    assert {falta for falta, _ in done(provedor, second=False)} == {"numeros_errados" if modo == "segunda_dita" else "esquema_errado"}


async def test_the_same_holds_where_answers_come_in_pieces(provedor: Provedor, database: Database, new_tenant: Tenants) -> None:
    ended = await travel_all([BY_NAME["clinicas.modelo"]], provedor, database, new_tenant, modo="fluxo")
    assert wrong(ended) == {}
    assert set(counted(done(provedor), len(ended), "calls")) >= {*FALTAS, *FALTAS_DE_FLUXO} - _NO_FAULT
    assert all(
        anotado.pedido.em_fluxo for anotado in provedor.anotados if anotado.falta not in {"parametro_recusado", "filtro_de_conteudo"}
    )


@pytest.mark.parametrize("nome", _OF_EACH)
async def test_what_was_not_mended_is_asked_for_again_and_what_is_kept_is_paid_for_once(
    nome: str, provedor: Provedor, database: Database, scope: Scope
) -> None:
    async def again() -> tuple[Chegada, int]:
        before = provedor.pagos
        return await travel(BY_NAME[nome], "erro_503", provedor, database, scope, modo="segunda_dita"), provedor.pagos - before

    first, _ = await again()
    assert (first.erros, any(map(is_second, provedor.recebidos))) == ((), True)
    provedor.sempre = None
    mended, paid = await again()
    assert (mended.erros, paid > 0) == ((), True)
    asked = len(provedor.recebidos)
    assert await again() == (mended, 0)
    assert len(provedor.recebidos) == asked


async def test_the_same_holds_where_a_service_speaks_chat_completions(provedor: Provedor, database: Database, new_tenant: Tenants) -> None:
    jornadas = [BY_NAME[nome] for nome in ("autorizacoes.parcial", "triagem.criterio")]
    assert wrong(await travel_all(jornadas, provedor, database, new_tenant, "openai-chat")) == {}
    assert {pedido.protocolo for pedido in provedor.recebidos} == {"chat/completions"}
    assert {anotado.falta for anotado in provedor.anotados} >= set(FALTAS)
