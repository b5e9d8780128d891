"""The words of a diligência by code: what is asked, out of what was found, and the letters that tell of it. All of it can be changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from crivo.kernel.cartas import Carta
from crivo.kernel.clock import BRASILIA
from crivo.triagem.achados import ItemHabilitacao, Motivo
from crivo.triagem.diligencias.guardadas import Pedido
from crivo.triagem.edital import Requisito, RequisitoDocumento
from crivo.triagem.habilitacao.tipos import Tipos

_MEND: Final[Mapping[Motivo, str]] = {
    "documento_ausente": "Envie este documento.",
    "documento_vencido": "Envie outro, que esteja na validade.",
    "documento_tipo_errado": "Envie o documento que o edital pede.",
    "documento_vazio": "O arquivo veio sem conteúdo. Envie-o de novo.",
    "documento_corrompido": "O arquivo não abriu. Gere-o de novo e envie.",
    "documento_protegido": "O arquivo pede senha. Envie-o sem senha.",
    "documento_repetido": "É o mesmo arquivo de outro item. Envie o que é deste.",
    "documento_de_terceiro": "Envie um que esteja em nome de quem propõe o projeto.",
    "formato_nao_aceito": "Envie em um dos formatos que o edital aceita.",
    "condicao_nao_atendida": "Explique ou comprove que o projeto atende a esta condição.",
}
_UNREAD: Final = "Não foi possível conferir. Envie uma cópia mais legível ou explique."


def pedido_of(requisito: Requisito, tipos: Tipos) -> Pedido:
    """A requisito as it is asked about."""
    if isinstance(requisito, RequisitoDocumento):
        named = requisito.descricao or tipos.nome(requisito.documento)
        return Pedido(requisito.id, named, requisito.clausula, requisito.formatos)
    return Pedido(requisito.id, requisito.descricao or requisito.campo, requisito.clausula, e_documento=False)


def draft(edital: str, titulo: str, pedidos: Sequence[Pedido], itens: Mapping[str, ItemHabilitacao]) -> str:
    """What a diligência would say: each item with what was found of it and what to do."""
    where = edital if edital.casefold().startswith("edital") else f"edital {edital}"
    head = f"Na conferência do projeto “{titulo}”, no {where[:1].lower()}{where[1:]}, faltou resolver o que segue."
    told = [f"{at}. {named(one)}. {_found(itens.get(one.requisito))}" for at, one in enumerate(pedidos, 1)]
    tail = "Se algum item não se aplica ao seu projeto, explique no campo de texto da resposta."
    return "\n\n".join([head, *told, tail])


def named(pedido: Pedido) -> str:
    """An item as people call it, with its clause."""
    return f"{pedido.descricao} (item {pedido.clausula} do edital)" if pedido.clausula else pedido.descricao


def asking(para: str, edital: str, titulo: str, texto: str, prazo: datetime, endereco: str, codigo: str) -> Carta:
    """The letter that asks."""
    return Carta(
        para,
        f"{edital}: pedido de documentos ou esclarecimento",
        f"""Olá.

{texto}

Responda até {at_hour(prazo)}, horário de Brasília, neste endereço:
{endereco}

O código desta diligência é {codigo}. Não é preciso ter cadastro: quem tem o endereço pode responder, então não o passe adiante.
Você pode completar a resposta quantas vezes quiser, até o fim do prazo, e recebe um comprovante a cada envio.

Esta mensagem foi enviada pelo sistema que confere o projeto “{titulo}”. Não responda a este e-mail.
""",
    )


def reminding(para: str, edital: str, titulo: str, prazo: datetime, endereco: str) -> Carta:
    """The letter that says that the deadline is near."""
    return Carta(
        para,
        f"{edital}: o prazo da diligência termina em {prazo.astimezone(BRASILIA):%d/%m}",
        f"""Olá.

Ainda não recebemos a resposta à diligência do projeto “{titulo}”. O prazo termina em {at_hour(prazo)}, horário de Brasília.

Responda neste endereço:
{endereco}

Se você já respondeu por outro meio, desconsidere esta mensagem. Não responda a este e-mail.
""",
    )


def prolonging(para: str, edital: str, titulo: str, prazo: datetime, endereco: str) -> Carta:
    """The letter that says that there is more time."""
    return Carta(
        para,
        f"{edital}: o prazo da diligência mudou",
        f"""Olá.

O prazo para responder à diligência do projeto “{titulo}” agora vai até {at_hour(prazo)}, horário de Brasília.

Responda neste endereço:
{endereco}

Não responda a este e-mail.
""",
    )


def at_hour(em: datetime) -> str:
    """A deadline as people read it."""
    return f"{em.astimezone(BRASILIA):%d/%m/%Y, %Hh%M}"


def _found(item: ItemHabilitacao | None) -> str:
    if item is None:
        return "Envie ou explique."
    mend = _MEND.get(item.motivo, "") if item.motivo else _UNREAD if item.situacao == "nao_lido" else ""
    return " ".join(filter(None, (item.achado, mend)))
