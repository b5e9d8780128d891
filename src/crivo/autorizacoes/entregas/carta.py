"""The letter that tells of a decision: that there is one and where it is read, and nothing of what it says. Pure."""

from __future__ import annotations

from crivo.autorizacoes.entregas.contracts import Entrega
from crivo.kernel.cartas import Carta


def letter_of(para: str, entrega: Entrega, endereco: str) -> Carta:
    """The letter about a delivery; `endereco` is where the pages are, without a slash at its end."""
    if entrega.autorizacao_id is None:
        texto = "Este é um exemplo, enviado para conferir este endereço. Nada foi decidido, e você não precisa responder."
        return Carta(para, "Exemplo de aviso do crivo", texto)
    what = "Uma pessoa reviu uma decisão" if entrega.evento == "autorizacao.revista" else "Um pedido de autorização foi decidido"
    texto = (
        f"{what}.\n\nVeja a decisão, o motivo e o que fazer agora, com a sua conta:\n{endereco}/autorizacoes/{entrega.autorizacao_id}\n\n"
        "Por segurança, este aviso não leva dados do pedido nem de quem ele é.\n"
        "Para não receber mais, fale com quem administra o crivo na sua organização."
    )
    return Carta(para, "Há uma decisão nova no crivo", texto)
