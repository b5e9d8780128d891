"""The rules by columns beside the six stages: the same pedidos under the same políticas, and where the two disagree."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from msgspec.structs import replace

from crivo.autorizacoes.etapas.avaliacao import URGENCIA
from crivo.autorizacoes.etapas.mensagens import beneficiario, solicitante
from crivo.autorizacoes.fluxo import Fluxo
from crivo.autorizacoes.motivos import ESGOTADO, PERIODO
from crivo.autorizacoes.politicas.catalogo import Catalogo
from crivo.autorizacoes.politicas.importacao import read_politica
from crivo.autorizacoes.simulacao.avaliacao import DESFECHOS, Avaliadas, evaluate
from crivo.autorizacoes.simulacao.colunas import Colunas, columns_of
from crivo.autorizacoes.simulacao.linha import Linha, decode_linha, encode_linha
from crivo.autorizacoes.simulacao.termos import ASPECTOS, Aspecto, felt
from crivo.autorizacoes.trilha import Etapas, Trilha
from oraculo.amostras import Sorte, chance
from oraculo.comparacao import Json, decide_by_product
from oraculo.geradores import draw_caso, draw_politicas, write_json


@dataclass(frozen=True)
class Desacordo:
    """A pedido of which columns and stages do not say the same."""

    pedido: bytes
    politicas: list[Json]
    colunas: Any
    etapas: Any


def said_by_stages(trilha: Trilha) -> tuple[Any, ...]:
    """Of a decision what a simulation tells: outcome, motivos, regra and what may be approved."""
    etapas = trilha.etapas
    fonte = etapas.avaliacao.fonte_regras
    return etapas.sintese.decisao_final, etapas.avaliacao.motivos, fonte, etapas.avaliacao.quantidade_aprovavel


def said_by_columns(avaliadas: Avaliadas, at: int) -> tuple[Any, ...]:
    """The same of a row."""
    achada = avaliadas.regra_de(at)
    aprovavel = float(avaliadas.aprovavel[at])
    desfecho = DESFECHOS[avaliadas.desfecho[at]]
    return desfecho, avaliadas.motivos_de(at), achada and achada[1], None if aprovavel != aprovavel else aprovavel


def felt_by_stages(antes: Etapas, depois: Etapas) -> frozenset[Aspecto]:
    """What changes of a decision whose outcome stays, by the documents and texts of both."""
    if antes.sintese.decisao_final != depois.sintese.decisao_final:
        return frozenset()
    old, new = antes.sintese.detalhe_decisao, depois.sintese.detalhe_decisao
    other_quantity = old.quantidade_aprovada != new.quantidade_aprovada
    same_reasons = antes.avaliacao.motivos == depois.avaliacao.motivos
    # A text names the quantity, which is told by itself: there what is asked is compared without.
    asked = [
        (frozenset(one.sintese.detalhe_decisao.condicionantes), _unchecked(one)) if other_quantity else told_by_stages(one)
        for one in (antes, depois)
    ]
    is_felt = antes.sintese.decisao_final != "NEGADO"
    regras = [one.consulta.regras_recuperadas for one in (antes, depois)]
    found: dict[Aspecto, bool] = {
        "motivos": not same_reasons,
        "quantidade": other_quantity,
        "coparticipacao": is_felt and old.coparticipacao_percentual != new.coparticipacao_percentual,
        "validade": is_felt and old.prazo_validade_autorizacao_dias != new.prazo_validade_autorizacao_dias,
        "autorizacao_previa": is_felt and len({bool(regra and regra.autorizacao_previa) for regra in regras}) > 1,
        "exigencias": same_reasons and asked[0] != asked[1],
    }
    return frozenset([aspecto for aspecto, is_other in found.items() if is_other])


def _unchecked(etapas: Etapas) -> str:
    return "\n".join([linha for linha in etapas.sintese.mensagens.para_solicitante.split("\n") if "não conferida" in linha])


def told_by_stages(etapas: Etapas) -> tuple[str, str]:
    """Both texts without the procedure's name, the source, the terms and what would come of all adjustments together; which document comes
    first, and how often, is felt by nobody.
    """
    avaliacao = replace(
        etapas.avaliacao,
        fonte_regras=None,
        pendencias_documentais=tuple(sorted(set(etapas.avaliacao.pendencias_documentais))),
        restricoes_aplicadas=tuple([one for one in etapas.avaliacao.restricoes_aplicadas if one != URGENCIA]),
    )
    pedido = etapas.normalizacao.pedido_normalizado
    named = replace(etapas.normalizacao, pedido_normalizado=replace(pedido, procedimento=replace(pedido.procedimento, descricao="Exame")))
    detalhe = replace(etapas.sintese.detalhe_decisao, coparticipacao_percentual=None, prazo_validade_autorizacao_dias=None)
    ajustes = etapas.ajustes and replace(
        etapas.ajustes, resumo_efeito="", ajustes_sugeridos=tuple(sorted(set(etapas.ajustes.ajustes_sugeridos), key=repr))
    )
    said = (etapas.sintese.decisao_final, detalhe, named, etapas.consulta.regras_recuperadas, avaliacao, ajustes)
    return solicitante.escrever(*said), beneficiario.escrever(*said)


def felt_disagreements(casos: int, semente: int) -> Iterator[tuple[int, list[Desacordo]]]:
    """Draw pedidos, políticas and drafts of them in which some fields say otherwise: of how many pairs columns and stages tell other
    changes. What limits by period say is compared as it stands, though a text may name the tightest of them alone.
    """
    sorte = Sorte(semente)
    por_politica = 100
    for start in range(0, casos, por_politica):
        politicas = draw_politicas(sorte)
        rascunho = _changed(sorte, politicas)
        acervos = [catalogue_of(one) for one in (politicas, rascunho)]
        fluxos = [Fluxo(catalogo) for catalogo in acervos]
        drawn = [draw_caso(sorte, politicas) for _ in range(min(por_politica, casos - start))]
        read = [
            (bruto, caso.recebido_em) for caso in drawn if _is_read(fluxos[0], bruto := write_json(sorte, caso.pedido), caso.recebido_em)
        ]
        antes, depois = ([fluxo.decide(bruto, em) for bruto, em in read] for fluxo in fluxos)
        colunas = kept(fluxos[0], antes)
        sentidas = felt(colunas, *[evaluate(colunas, catalogo) for catalogo in acervos])
        found = []
        for at, (before, after) in enumerate(zip(antes, depois, strict=True)):
            columns = {one for one in ASPECTOS if sentidas.of(one)[at]}
            stages = set(felt_by_stages(before.etapas, after.etapas))
            if {PERIODO, ESGOTADO} & set(before.etapas.avaliacao.motivos) and "exigencias" in columns:
                stages.add("exigencias")
            if columns != stages:
                found.append(Desacordo(read[at][0], [*politicas, *rascunho], columns, stages))
        yield len(read), found


_DRAWN_ANEW = ("coparticipacao_percentual", "prazo_validade_autorizacao_dias", "autorizacao_previa", "documentos_obrigatorios")
_DRAWN_ANEW_TOO = (
    "carencia_min_dias",
    "restricoes_idade",
    "limite_quantidade",
    "alternativas",
    "excecoes",
    "sexo",
    "cpt_meses",
    "valor_maximo",
)


def _changed(sorte: Sorte, politicas: list[Json]) -> list[Json]:
    """The same políticas, of whose regras some fields say what another regra says."""
    others = [regra for politica in draw_politicas(sorte) for regra in politica["regras"]]
    return [{**politica, "regras": [_regra_changed(sorte, regra, others) for regra in politica["regras"]]} for politica in politicas]


def _regra_changed(sorte: Sorte, regra: Json, others: list[Json]) -> Json:
    outra = sorte.choice(others)
    fields = [campo for campo in (*_DRAWN_ANEW, *_DRAWN_ANEW_TOO) if campo in outra and chance(sorte, 25)]
    return {**regra, **{campo: outra[campo] for campo in fields}}


def catalogue_of(politicas: Sequence[Json]) -> Catalogo:
    """Políticas as they are published."""
    return Catalogo.of([read_politica(json.dumps(politica).encode(), "json").politica for politica in politicas])


def kept(fluxo: Fluxo, trilhas: Sequence[Trilha]) -> Colunas:
    """What is kept of these decisions, read back as columns."""
    return columns_of([decode_linha(encode_linha(Linha.of(fluxo.complementada(trilha.etapas.normalizacao)))) for trilha in trilhas])


def disagreements(casos: int, semente: int, *, por_politica: int = 200, rascunhos: int = 1) -> Iterator[tuple[int, list[Desacordo]]]:
    """Draw pedidos, and políticas as published and as drafted so often: how many pairs were decided, and those of which the two disagree.

    Each pedido is kept as it was read under what is published, and decided by columns under that and under every draft.
    """
    sorte = Sorte(semente)
    for start in range(0, casos, por_politica):
        politicas = draw_politicas(sorte)
        acervos = [politicas, *[_drafted(sorte, politicas) for _ in range(rascunhos)]]
        catalogos = [catalogue_of(acervo) for acervo in acervos]
        fluxos = [Fluxo(catalogo) for catalogo in catalogos]
        drawn = [draw_caso(sorte, politicas) for _ in range(min(por_politica, casos - start))]
        read = [
            (bruto, caso.recebido_em) for caso in drawn if _is_read(fluxos[0], bruto := write_json(sorte, caso.pedido), caso.recebido_em)
        ]
        colunas = kept(fluxos[0], [fluxos[0].decide(bruto, em) for bruto, em in read])
        found = []
        for acervo, catalogo, fluxo in zip(acervos, catalogos, fluxos, strict=True):
            avaliadas = evaluate(colunas, catalogo)
            for at, (bruto, em) in enumerate(read):
                ditas, etapas = said_by_columns(avaliadas, at), said_by_stages(fluxo.decide(bruto, em))
                if ditas != etapas:
                    found.append(Desacordo(bruto, acervo, ditas, etapas))
        yield len(read) * len(acervos), found


def _drafted(sorte: Sorte, politicas: list[Json]) -> list[Json]:
    """Other políticas of the same administradora, beside all of what is published but the first."""
    mesma = {"administradora_id": politicas[0]["administradora_id"]}
    return [*politicas[1:], *[{**outra, **mesma} for outra in draw_politicas(sorte)]]


def _is_read(fluxo: Fluxo, bruto: bytes, em: date) -> bool:
    return decide_by_product(fluxo, bruto, em) is not None
