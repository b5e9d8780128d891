"""An edital put into its form, as people type it."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from crivo.triagem.edital import (
    Chamada,
    Condicao,
    Criterio,
    DocumentoProprio,
    Edital,
    EmitidoNoMaximoDiasAntes,
    FaseDatada,
    Requisito,
    RequisitoDocumento,
)
from crivo.web.pages.formatos import numero
from crivo.web.pages.triagem.chamada.escrito import ERA, YES, Escrito, Linha
from crivo.web.pages.triagem.chamada.valores import show_levels, show_valor


def blank() -> Escrito:
    """The form of an edital that nobody wrote yet."""
    return show(Chamada(Edital("", "")))


def show(chamada: Chamada) -> Escrito:
    """The form of an edital as it stands."""
    edital = chamada.edital
    return Escrito(
        _edital(edital),
        {
            "fases": [_fase(one) for one in edital.fases],
            "proprios": [_proprio(one) for one in edital.documentos_proprios],
            "requisitos": [_requisito(one) for one in chamada.requisitos],
            "criterios": [_criterio(one) for one in chamada.criterios],
        },
    )


def _edital(edital: Edital) -> Linha:
    period = edital.inscricoes
    return typed(
        {
            "id": edital.id,
            "nome": edital.nome,
            "orgao": edital.orgao,
            "objetivo": edital.objetivo,
            "texto": edital.texto,
            "inscricoes.inicio": period.inicio if period else None,
            "inscricoes.fim": period.fim if period else None,
            "data_referencia": edital.data_referencia,
            "ordem_fases": ",".join(edital.ordem_fases),
            "orcamento_detalhado": edital.orcamento_detalhado,
            "nota_antes_da_dica": edital.nota_antes_da_dica,
            "amostras": edital.amostras,
            "categorias": "\n".join(edital.categorias),
        }
    )


def _fase(fase: FaseDatada) -> Linha:
    return typed({"fase": fase.fase, "inicio": fase.inicio, "fim": fase.fim})


def _proprio(tipo: DocumentoProprio) -> Linha:
    words = {"palavras": "\n".join(tipo.palavras), "palavras_de_outro": "\n".join(tipo.palavras_de_outro)}
    return typed({"id": tipo.id, ERA: tipo.id, "nome": tipo.nome, **words})


def _requisito(requisito: Requisito) -> Linha:
    common = {
        "id": requisito.id,
        "clausula": requisito.clausula,
        "descricao": requisito.descricao,
        "obrigatorio": requisito.obrigatorio,
        "eliminatorio": requisito.eliminatorio,
        **_condicao(requisito.quando, "quando."),
    }
    if not isinstance(requisito, RequisitoDocumento):
        return typed({"tipo": "condicao", **common, **_condicao(requisito.condicao, "")})
    validade = requisito.validade
    said: dict[str, Any] = {}
    if isinstance(validade, EmitidoNoMaximoDiasAntes):
        said = {"validade.regra": "emitido_no_maximo_dias_antes", "validade.dias": validade.dias, "validade.data": validade.data}
    elif validade is not None:
        said = {"validade.regra": "valido_em", "validade.data": validade.data}
    shown = {"documento": requisito.documento, "em_nome_do_proponente": requisito.em_nome_do_proponente, **said}
    linha = typed({"tipo": "documento", **common, **shown})
    return linha | ({"formatos": list(requisito.formatos)} if requisito.formatos else {})


def _condicao(condicao: Condicao | None, dentro: str) -> dict[str, Any]:
    if condicao is None:
        return {}
    said = {"campo": condicao.campo, "operador": condicao.operador, "valor": show_valor(condicao.valor)}
    return {f"{dentro}{nome}": valor for nome, valor in said.items()}


def _criterio(criterio: Criterio) -> Linha:
    numbers = {"peso": criterio.peso, "nota_min": criterio.nota_min, "nota_max": criterio.nota_max}
    words = {"id": criterio.id, "nome": criterio.nome, "descricao": criterio.descricao, "niveis": show_levels(criterio.niveis)}
    return typed({**words, **numbers})


def typed(values: dict[str, Any]) -> Linha:
    """Each value as it is typed; what says nothing, or no, is not there."""
    typed: Linha = {}
    for nome, value in values.items():
        match value:
            case None | False | "":
                continue
            case True:
                typed[nome] = [YES]
            case date():
                typed[nome] = [value.isoformat()]
            case Decimal() | int():
                typed[nome] = [numero(value)]
            case _:
                typed[nome] = [str(value)]
    return typed
