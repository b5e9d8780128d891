"""Every tool of a clinic × everybody who may come to it × what is theirs and what is not, over MCP and a real silo.

Source: design/sujeito.md, table, 1. Who may do what stands here a second time, in words of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
import pytest

from cenario import ANA, BIA, FERNANDO, MARCIA, MARCIO, bearer, request_of, token_of
from crivo.clinicas.clinica.folder import ClinicFolder
from crivo.clinicas.clinica.keys import ensure_keys, read_keys
from crivo.clinicas.clinica.prova import Order
from crivo.clinicas.clinica.serving import Place
from crivo.clinicas.clinica.store import Silo
from crivo.clinicas.clinica.tokens import LONGEST_SECONDS, sign
from crivo.clinicas.clinica.tools import TOOLS
from crivo.clinicas.clinica.values import Answered
from crivo.clinicas.codigos import META_CODIGO, META_ORIGEM, code_from
from crivo.clinicas.ferramentas import FERRAMENTAS, BookAppointment
from crivo.clinicas.protocol import Role
from crivo.kernel.clock import SystemClock
from crivo.kernel.linguagem.identificadores import read_cpf

FREE: Final = ("2025-07-19", "14:00")


@dataclass(frozen=True)
class Marcada:
    """Somebody's appointment."""

    doctor: str
    date: str
    time: str
    nome: str
    cpf: str


DE_ANA = Marcada(FERNANDO, "2025-07-18", "10:00", "Ana Braga", ANA)
OUTRA_DE_ANA = Marcada(MARCIO, "2025-07-17", "09:00", "Ana Braga", ANA)
DE_BIA = Marcada(MARCIA, "2025-07-17", "09:00", "Bia Castro", BIA)
MARCADAS: Final = (DE_ANA, OUTRA_DE_ANA, DE_BIA)


@dataclass(frozen=True)
class Vem:
    """Who comes: with which token, whose code, and what of the clinic is theirs."""

    nome: str
    token: str = "atendimento"
    em_nome_de: str = ""
    codigo_de: Marcada | None = None
    codigo: str = ""

    def sees(self, one: Marcada) -> bool:
        """Whether an appointment is theirs to see, to move and to cancel."""
        return self.token == "operador" or self.em_nome_de == one.cpf or self.codigo_de == one


ALL: Final = (
    Vem("anonymous", token=""),
    Vem("with a made-up token", token="made up"),
    Vem("the operator of another clinic", token="of another clinic"),
    Vem("a token of this clinic's key for another", token="for another clinic"),
    Vem("atendimento"),
    Vem("operador", token="operador"),
    Vem("operador with a wrong code", token="operador", codigo=code_from(b"wrong", "clinic_c")),
    Vem("on behalf of Ana", em_nome_de=ANA),
    Vem("on behalf of Bia", em_nome_de=BIA),
    Vem("on behalf of Bia with the code of Ana's", em_nome_de=BIA, codigo_de=DE_ANA),
    Vem("the code of Ana's first", codigo_de=DE_ANA),
    Vem("the code of Ana's second", codigo_de=OUTRA_DE_ANA),
    Vem("the code of Bia's", codigo_de=DE_BIA),
    Vem("a wrong code", codigo=code_from(b"wrong", "clinic_c")),
    Vem("the code of another clinic", codigo=code_from(b"wrong", "clinic_a")),
    Vem("what is no code", codigo="ABC"),
)
ENTERS: Final = {"atendimento", "operador"}
OF_OPERATORS: Final = {"list_patients", "get_patient", "query"}
OF_WHOM_IT_IS: Final = {"find_appointments", "reschedule_appointment", "cancel_appointment"}


def may(vem: Vem, tool: str, one: Marcada) -> bool:
    """What the design says, in words of its own."""
    if tool in OF_OPERATORS:
        return vem.token == "operador"
    return vem.sees(one) if tool in OF_WHOM_IT_IS else True


@pytest.fixture
def silo(place: Place, client: httpx.AsyncClient) -> Iterator[Silo]:
    with closing(place.open_silo()) as opened:
        yield opened


def begun_anew(silo: Silo, fresh: tuple[Any, ...]) -> dict[Marcada, str]:
    """The appointments booked again, and their codes."""
    silo.replace_slots(fresh)
    orders = [Order(BookAppointment(one.doctor, one.date, one.time, one.nome, one.cpf)) for one in MARCADAS]
    answered: list[Answered] = silo.write(orders)
    return {one: done.codigo for one, done in zip(MARCADAS, answered, strict=True)}


def tokens(place: Place, tmp_path: Path) -> dict[str, str]:
    other = ClinicFolder(tmp_path / "clinic_a")
    other.create()
    ensure_keys(other, lambda size: b"\7" * size)
    crossed = sign(read_keys(place.folder).atual, "clinic_a", "operador", SystemClock().now(), LONGEST_SECONDS)
    return {"": "", "made up": "eyJ.made.up", "of another clinic": token_of("clinic_a", other, "operador"), "for another clinic": crossed}


def shown(vem: Vem, place: Place) -> str:
    """The token of somebody who enters."""
    papel: Role = "operador" if vem.token == "operador" else "atendimento"
    return token_of(place.clinica.id, place.folder, papel, read_cpf(vem.em_nome_de))


def arguments(tool: str, one: Marcada) -> dict[str, str]:
    who = {"patient_name": one.nome, "cpf": one.cpf}
    slot = {"doctor": one.doctor, "date": one.date, "time": one.time}
    match tool:
        case "list_patients":
            return {}
        case "get_patient":
            return {"patient_id": "CARD-C001"}
        case "query":
            return {"query": "hipertensão"}
        case "list_available_slots":
            return {}
        case "find_appointments":
            return who
        case "reschedule_appointment":
            moved = dict(zip(("new_date", "new_time"), FREE if one is DE_ANA else (one.date, one.time), strict=True))
            return {"doctor": one.doctor, "original_date": one.date, "original_time": one.time, **moved, **who}
        case "book_appointment":
            return {"doctor": FERNANDO, "date": FREE[0], "time": FREE[1], **who}
        case _:
            return {**slot, **who}


def was_done(tool: str, one: Marcada, result: dict[str, Any]) -> bool:
    """Whether it was done, or told, about that appointment."""
    if tool == "find_appointments":
        return any((found["doctor"], found["date"], found["time"]) == (one.doctor, one.date, one.time) for found in result["appointments"])
    return not result["isError"]


async def test_everybody_gets_just_what_is_theirs_from_every_tool(
    place: Place, silo: Silo, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    assert tuple(tool.ferramenta for tool in TOOLS.values()) == FERRAMENTAS
    fresh, made = silo.all_slots(), tokens(place, tmp_path)
    asked = done = refused = kept_out = 0
    told: set[str] = set()
    for tool in (one.name for one in FERRAMENTAS):
        for vem in ALL:
            for one in MARCADAS:
                codes = begun_anew(silo, fresh)
                before, code = silo.all_slots(), codes.get(vem.codigo_de, "") if vem.codigo_de else vem.codigo
                known = vem.token in ENTERS
                token = shown(vem, place) if known else made[vem.token]
                message = request_of(tool, arguments(tool, one))
                if code:
                    # Each from a conversation of its own, so that the wrong codes of one do not close those of the next.
                    message["params"]["_meta"] = {META_CODIGO: code, META_ORIGEM: f"{asked:064x}"}
                answered = await client.post("/mcp", json=message, headers=bearer(token))
                asked += 1
                if not known:
                    assert answered.status_code == 401, (vem.nome, tool)
                    kept_out += 1
                    assert silo.all_slots() == before
                    continue
                result = answered.json()["result"]
                if may(vem, tool, one):
                    # Where an appointment moves to its own time, the clinic says so, which is no matter of who asks.
                    is_same = tool == "reschedule_appointment" and one is not DE_ANA and result.get("codigo") == "horario_ocupado"
                    assert is_same or was_done(tool, one, result), (vem.nome, tool, one, result)
                    done += 1
                    continue
                refused += 1
                if result["isError"]:
                    assert result["codigo"] == ("acesso_restrito" if tool in OF_OPERATORS else "prova_necessaria"), (vem.nome, tool, one)
                    told.add(result["codigo"] + result["message"])
                else:  # another appointment, whose code it is
                    assert tool == "find_appointments", (vem.nome, tool, one)
                    (found,) = result["appointments"]
                    assert found["cpf"] in {"", one.cpf}, "nothing of its holder is told"
                    assert not was_done(tool, one, result)
                assert silo.all_slots() == before, (vem.nome, tool, one)
    assert asked == len(FERRAMENTAS) * len(ALL) * len(MARCADAS) == 384
    assert kept_out == 4 * len(FERRAMENTAS) * len(MARCADAS)
    assert done + refused + kept_out == asked
    assert len(told) == 3, "the list, the record, and the one sentence for want of a proof"


@pytest.mark.parametrize("tool", sorted(OF_WHOM_IT_IS))
async def test_nothing_is_told_before_the_proof_whatever_else_is_wrong(client: httpx.AsyncClient, tool: str) -> None:
    """A CPF that is none, a doctor who is not here, a day that is over: without a proof the answer is the same."""
    told = set()
    wrong = ((ANA, FERNANDO, "2025-07-18"), ("1", FERNANDO, "2025-07-18"), (ANA, "Dr. Ninguém", "2025-07-18"), (ANA, FERNANDO, "x"))
    for cpf, doctor, date in (*wrong, (ANA, FERNANDO, "2001-01-01")):
        given = arguments(tool, Marcada(doctor, date, "10:00", "Ana Braga", cpf))
        result = (await client.post("/mcp", json=request_of(tool, given))).json()["result"]
        told.add((result["codigo"], result["message"]))
    assert {codigo for codigo, _ in told} == {"prova_necessaria"}
    assert len(told) == 1
