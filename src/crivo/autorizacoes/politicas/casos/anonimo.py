"""A case without whoever its pedido was about: kept cases hold no person. Source: Lei 13.709/2018 art. 12."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from crivo.autorizacoes.etapas.valores import preexistencias_declaradas
from crivo.autorizacoes.leitura import Bruto, PedidoIlegivel
from crivo.autorizacoes.politicas.casos.caso import Caso
from crivo.autorizacoes.politicas.casos.execucao import decide, observed
from crivo.autorizacoes.politicas.conferir.bancada import Bancada
from crivo.autorizacoes.politicas.conferir.exemplos import BENEFICIARIO, PEDIDO, PREEXISTENCIA

_WRITTEN: Final = ("extras",)
_SAYS_WHEN_EMPTY: Final = ("historico", "preexistencias")  # none used and none declared; without the field nobody knows


def without_person(bancada: Bancada, caso: Caso) -> Caso | None:
    """The case with what RF1 reads of its pedido and no more, under a made-up number and beneficiário.

    None where that is decided otherwise: what the case expects then lies in how the pedido is written, which only its file can keep.
    """
    try:
        antes = decide(bancada, caso)
        depois = replace(caso, pedido=_bare(antes.etapas.normalizacao.pedido_normalizado))
        same = _expected(caso, observed(antes)) == _expected(caso, observed(decide(bancada, depois)))
    except PedidoIlegivel:
        return None
    return depois if same else None


def _expected(caso: Caso, obtidos: Mapping[str, Any]) -> dict[str, Any]:
    return {campo: obtidos[campo] for campo in {*caso.esperado, "decisao_final", "motivos", "regra_id"}}


def _bare(pedido: msgspec.Struct) -> Bruto:
    found: Bruto = msgspec.json.decode(msgspec.json.encode(pedido))
    for campo in _WRITTEN:
        found.pop(campo, None)
    found = _stated(found)
    beneficiario, procedimento = found.get("beneficiario", {}), found.get("procedimento", {})
    if "pedido_id" in found:
        found["pedido_id"] = PEDIDO
    if "id" in beneficiario:
        beneficiario["id"] = BENEFICIARIO
    beneficiario.pop("data_nascimento", None)
    match preexistencias_declaradas(beneficiario.pop("preexistencias", None)):
        case True:
            beneficiario["preexistencias"] = PREEXISTENCIA
        case False:
            beneficiario["preexistencias"] = []
    procedimento.pop("descricao", None)
    return found


def _stated(value: Bruto) -> Bruto:
    """Without what says nothing; `urgencia: false` is what a pedido without it says too."""
    found = {nome: _stated(um) if isinstance(um, dict) else um for nome, um in value.items()}
    return {
        nome: um for nome, um in found.items() if um is not None and (nome in _SAYS_WHEN_EMPTY or (um is not False and um not in ({}, [])))
    }
