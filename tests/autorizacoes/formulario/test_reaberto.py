"""A pedido that was sent fills in the form again, and sent so it is the same pedido. Source: design, The workbench."""

from __future__ import annotations

import json
from typing import Any

import pytest

from casos import HOJE, decide, politica, regra
from casos import pedido as um_pedido
from crivo.autorizacoes.formulario.preenchido import Preenchido, read_preenchido
from crivo.autorizacoes.formulario.procura import Indice
from crivo.autorizacoes.formulario.reaberto import SEM_CPF, Reaberto, is_correctable, reabrir

LIMITADA = regra(limites=[{"quantidade": 2, "periodo_dias": 365}], sexo="F", valor_maximo=2000)
INDICE = Indice.of([politica(LIMITADA)], HOJE.isoformat())
CHEIO: dict[str, Any] = {
    "administradora": "ADM-1",
    "plano": "PRATA",
    "codigo": "41101014",
    "quantidade": "1",
    "tabela": "TUSS",
    "valor": "1234,5",
    "beneficiario": "B-7",
    "nascimento": "05/03/1980",
    "sexo": "F",
    "carencia": "200",
    "preexistencias": "asma; diabetes",
    "usos": "05/03/2026 1",
    "urgencia": "sim",
    "prestador": "NAO_SEI",
    "solicitante": "CLINICA",
    "data_prevista": "25/11/2026",
    "pedido_id": "G-7",
}


def reaberto(raw: dict[str, Any], uma_regra: dict[str, Any] = LIMITADA) -> Reaberto:
    return reabrir(decide(raw, uma_regra).etapas.normalizacao.pedido_normalizado, raw)


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"usos": "", "sem_usos": "sim", "preexistencias": "", "sem_preexistencias": "sim", "sexo": "M"},
        {"nascimento": "", "idade": "46", "urgencia": "", "prestador": "NÃO_CREDENCIADO", "solicitante": "", "data_prevista": ""},
        {"nascimento": "", "carencia": "", "usos": "", "tabela": "CBHPM"},
    ],
)
@pytest.mark.parametrize("decidida_por", [LIMITADA, regra()], ids=["the regra asks", "no regra asks"])
def test_what_was_sent_by_the_form_comes_back_whole(changes: dict[str, Any], decidida_por: dict[str, Any]) -> None:
    limitada = politica(LIMITADA).regras[0]
    before = read_preenchido(Preenchido({**CHEIO, **changes}, ("LAUDO_MEDICO", "FOTO_3X4")), INDICE, limitada, HOJE, "F-1")
    assert before.faltas == {}
    again = reaberto(before.pedido, decidida_por)
    assert (again.faltas, again.de_fora) == ({}, ())
    assert read_preenchido(again.preenchido, INDICE, limitada, HOJE, "F-2").pedido == before.pedido
    assert again.preenchido.of("procura") == again.preenchido.of("procurado") == "41101014"


def test_what_holds_a_cpf_is_to_be_written_again() -> None:
    again = reaberto(um_pedido(beneficiario__id="529.982.247-25"))
    assert again.faltas == {"beneficiario": SEM_CPF}
    assert again.preenchido.of("beneficiario") == ""
    assert "529" not in json.dumps([*again.preenchido.campos.values()])


def test_what_the_form_cannot_say_is_named() -> None:
    raw = um_pedido(cid="F41.1", dados_do_medico={"crm": "1"}, beneficiario__nome="Ana", procedimento__valor=10, data_pedido="31/02/2026")
    raw["historico"] = [{"codigo": "10101012", "data": "2026-01-02", "quantidade": 1}]
    again = reaberto(raw)
    assert again.de_fora == ("beneficiario nome", "cid", "dados do medico crm", "usos de outros procedimentos")
    assert again.preenchido.of("usos") == ""


def test_what_came_in_a_message_of_another_system_is_corrected_there() -> None:
    alone = decide(um_pedido(), regra()).etapas.normalizacao.pedido_normalizado
    guia = decide(um_pedido(tiss={"item": 1, "itens": 1, "mensagem": "d"}), regra()).etapas.normalizacao.pedido_normalizado
    assert is_correctable(alone, mapeado=False)
    assert not is_correctable(alone, mapeado=True)
    assert not is_correctable(guia, mapeado=False)
