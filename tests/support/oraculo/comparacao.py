"""The product's trail beside the independent statement, field by field, without the text that people read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import msgspec

from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.trilha import Trilha
from oraculo.geradores import Caso
from oraculo.normalizacao import Recusado
from oraculo.regras import decidir

Json = dict[str, Any]
INICIOS_DO_RESUMO = {"Aprovação total": "total", "Aprovação parcial": "parcial", "Sem aprovação": "nenhum"}


@dataclass(frozen=True)
class Divergencia:
    """A field on which the two disagree; `campo` is its path in the trail."""

    campo: str
    produto: Any
    oraculo: Any


def publish(politicas: Sequence[Json]) -> Fluxo:
    """The product over these políticas, each imported as the document that an administradora sends."""
    return Fluxo(Catalogo.of([read_politica(json.dumps(politica).encode(), "json").politica for politica in politicas]))


def decide_by_product(fluxo: Fluxo, bruto: bytes, recebido_em: date) -> Trilha | None:
    """The product's trail; None where it refuses to read the pedido."""
    try:
        return fluxo.decide(bruto, recebido_em)
    except PedidoIlegivel:
        return None


def decide_by_oraculo(caso: Caso) -> Json | None:
    """The statement's answer; None where the pedido cannot be read."""
    try:
        return decidir(caso.pedido, caso.politicas, caso.recebido_em)
    except Recusado:
        return None


def bare(trilha: Trilha) -> Json:
    """The product's six stages as the statement writes them: free text out, `condicionantes` counted."""
    etapas: Json = msgspec.to_builtins(trilha.etapas)
    for ajuste in etapas["avaliacao"]["ajustes_minimos_requeridos"]:
        del ajuste["justificativa"]
    if etapas["ajustes"] is not None:
        del etapas["ajustes"]["resumo_efeito"]
        for ajuste in etapas["ajustes"]["ajustes_sugeridos"]:
            del ajuste["justificativa"]
    del etapas["sintese"]["mensagens"]
    detalhe = etapas["sintese"]["detalhe_decisao"]
    detalhe["condicionantes"] = len(detalhe["condicionantes"])
    return etapas


def prune(valor: Any) -> Any:
    """Extras without nulls and without objects left empty: whether these are kept says nothing."""
    if not isinstance(valor, dict):
        return valor
    podado = {chave: prune(filho) for chave, filho in valor.items() if filho is not None}
    return {chave: filho for chave, filho in podado.items() if filho != {}}


def comparable(etapas: Json) -> Json:
    normalizacao = etapas["normalizacao"]
    pedido = normalizacao["pedido_normalizado"]
    extras = {chave: valor for chave, valor in pedido["extras"].items() if chave != "documentos_anexos"}  # what came beside each tipo
    return {
        **etapas,
        "normalizacao": {
            **normalizacao,
            "alertas": sorted(normalizacao["alertas"]),
            "pedido_normalizado": {**pedido, "extras": prune(extras)},
        },
    }


def differences(campo: str, produto: Any, oraculo: Any) -> list[Divergencia]:
    """Every leaf on which two JSON values differ; 1 and 1.0 differ, and so do true and 1."""
    if isinstance(produto, dict) and isinstance(oraculo, dict):
        chaves = dict.fromkeys((*oraculo, *produto))
        ausente = "(ausente)"
        return [d for chave in chaves for d in differences(f"{campo}.{chave}", produto.get(chave, ausente), oraculo.get(chave, ausente))]
    if json.dumps(produto, sort_keys=True) == json.dumps(oraculo, sort_keys=True):
        return []
    return [Divergencia(campo, produto, oraculo)]


def claimed_efeito(trilha: Trilha) -> str | None:
    """What `resumo_efeito` says that the adjustments would bring; None where RF5 did not run."""
    if trilha.etapas.ajustes is None:
        return None
    resumo = trilha.etapas.ajustes.resumo_efeito
    return next((efeito for inicio, efeito in INICIOS_DO_RESUMO.items() if resumo.startswith(inicio)), resumo)


def compare(trilha: Trilha | None, dito: Json | None) -> list[Divergencia]:
    """Where product and statement disagree; empty when they say the same, refusals included."""
    if trilha is None or dito is None:
        return [] if trilha is None and dito is None else [Divergencia("leitura", trilha and "decidido", dito and "decidido")]
    oraculo = comparable({etapa: valor for etapa, valor in dito.items() if etapa != "efeito"})
    produto = comparable(bare(trilha))
    divergencias = [d for etapa in oraculo for d in differences(etapa, produto[etapa], oraculo[etapa])]
    return divergencias + differences("efeito", claimed_efeito(trilha), dito["efeito"])
