"""A pedido as it may be sent, and the JSON Schema published of it. Source: PRD RF1 1.3; design, RF1.

The schema says by which names and in which kinds of value a pedido is taken to be decided; whether it then conforms is what deciding
tells. No field is required by it: each may come under another name of the table of equivalent fields.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

# What is read with care, or told as unread: an amount, a date, a yes or no. Never refused.
Valor = int | float | str | bool | None
Texto = str | int | float | None
_OBRIGATORIO: Final = "Obrigatório, por este nome ou por outro dos conhecidos."


class BeneficiarioEnviado(msgspec.Struct):
    """A pessoa para quem é o benefício."""

    id: Annotated[Texto, Meta(title="Carteirinha", description=f"{_OBRIGATORIO} Zeros e pontuação ficam.", examples=["0001.22"])] = None
    idade: Annotated[
        Valor, Meta(title="Idade", description="Anos completos, de 0 a 130; também “45 anos” ou “8 meses”.", examples=[45, "45 anos"])
    ] = None
    data_nascimento: Annotated[
        Valor, Meta(title="Data de nascimento", description="Dá a idade onde ela não veio.", examples=["1976-10-06", "06/10/1976"])
    ] = None
    carencia_cumprida_dias: Annotated[
        Valor, Meta(title="Carência cumprida", description="Em dias; meses e anos não são lidos.", examples=[400, "120 dias"])
    ] = None
    preexistencias: Annotated[Any, Meta(title="Doenças preexistentes", description="Segue com o pedido como veio.")] = None


class ProcedimentoEnviado(msgspec.Struct):
    """O que se pede."""

    codigo: Annotated[Texto, Meta(title="Código", description=_OBRIGATORIO, examples=["40304361", "4.03.04.36-1"])] = None
    tabela: Annotated[Texto, Meta(title="Tabela", description="TUSS, CBHPM ou OUTRA.", examples=["TUSS"])] = None
    descricao: Annotated[Texto, Meta(title="Descrição", description="O nome do procedimento, para as mensagens.")] = None
    quantidade: Annotated[
        Valor, Meta(title="Quantidade", description=f"{_OBRIGATORIO} Um número maior que zero, também em texto.", examples=[1, "2", "2,5"])
    ] = None


class SolicitanteEnviado(msgspec.Struct):
    """Quem pede."""

    tipo: Annotated[Texto, Meta(title="Tipo", description="MEDICO, CLINICA ou HOSPITAL.", examples=["MEDICO"])] = None


class PrestadorEnviado(msgspec.Struct):
    """Quem realizaria."""

    tipo: Annotated[
        Texto,
        Meta(title="Tipo", description="CREDENCIADO ou NÃO_CREDENCIADO; também “rede própria”, “fora da rede”.", examples=["CREDENCIADO"]),
    ] = None


class DocumentoEnviado(msgspec.Struct):
    """Um documento anexado; o que diz de si que foi recusado, venceu ou está pendente não é contado."""

    tipo: Annotated[str, Meta(title="Tipo", examples=["LAUDO_MEDICO", "Laudo médico"])]
    status: Annotated[Valor, Meta(title="Situação", examples=["ENVIADO", "REJEITADO", "PENDENTE"])] = None
    validade: Annotated[Valor, Meta(title="Validade", description="O último dia em que vale.", examples=["2026-12-31"])] = None


class Pedido(msgspec.Struct):
    """O pedido como a administradora o manda. Os campos também são lidos por outros nomes; o que ninguém conhece segue com o pedido."""

    pedido_id: Annotated[Texto, Meta(title="Número do pedido", description=_OBRIGATORIO, examples=["EX-01"])] = None
    administradora_id: Annotated[Texto, Meta(title="Administradora", description=_OBRIGATORIO, examples=["ADM-001"])] = None
    plano_id: Annotated[Texto, Meta(title="Plano", description=_OBRIGATORIO, examples=["PRATA"])] = None
    data_pedido: Annotated[
        Valor, Meta(title="Data do pedido", description="Sem ela, vale o dia do recebimento.", examples=["2026-10-05", "05/10/2026"])
    ] = None
    data_prevista: Annotated[Valor, Meta(title="Data prevista", examples=["2026-10-20"])] = None
    urgencia: Annotated[Valor, Meta(title="Urgência", description="Sim ou não.", examples=[False, "sim", "eletivo"])] = None
    beneficiario: BeneficiarioEnviado | None = None
    procedimento: ProcedimentoEnviado | None = None
    solicitante: SolicitanteEnviado | None = None
    prestador: PrestadorEnviado | None = None
    documentos_anexos: Annotated[
        list[DocumentoEnviado | str] | None, Meta(title="Documentos anexados", description="Textos, ou objetos com `tipo`.")
    ] = None


def esquema_do_pedido() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a pedido, with titles and descriptions in pt-BR."""
    (reference,), components = msgspec.json.schema_components([Pedido], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "urn:crivo:pedido",
        **reference,
        "$defs": components,
    }
