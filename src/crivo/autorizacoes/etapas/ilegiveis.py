"""What could not be read of a pedido: how each is called, what it was, and the refusal of values of a type that no field holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from crivo.autorizacoes.leitura import PedidoIlegivel
from crivo.autorizacoes.motivos import VALOR_DESCONHECIDO
from crivo.kernel.errors import Problem

IDADE_ILEGIVEL: Final = f"{VALOR_DESCONHECIDO}:beneficiario.idade"
NASCIMENTO_ILEGIVEL: Final = "data_nascimento_invalida"
CARENCIA_ILEGIVEL: Final = "carencia_invalida"
URGENCIA_ILEGIVEL: Final = f"{VALOR_DESCONHECIDO}:urgencia"
PRESTADOR_ILEGIVEL: Final = f"{VALOR_DESCONHECIDO}:prestador.tipo"
QUANTIDADE_FRACIONADA: Final = "quantidade_fracionada"
_LONGEST_SHOWN: Final = 40


def as_sent(extras: Mapping[str, Any], campo: str) -> str:
    """What an unread field held, in one short line; empty where it is no text or number, or too long to be shown."""
    value: Any = extras
    for name in campo.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    if type(value) not in (str, int, float):
        return ""
    text = " ".join(str(value).replace(".", ",").split()) if type(value) is float else " ".join(str(value).split())
    return text if len(text) <= _LONGEST_SHOWN and text.isprintable() else ""


def unreadable(campos: Sequence[str], misshapen: Sequence[str], theirs: Mapping[str, str]) -> PedidoIlegivel:
    """The refusal that names every field at fault, at most fifty; `misshapen` are those that should have been objects.

    `theirs` is what whoever sent it calls a field, where that is not its own name.
    """
    return PedidoIlegivel(
        "O pedido traz campos de um tipo que não se consegue ler. Corrija-os e envie de novo.",
        [_fault(campo, misshapen, theirs) for campo in campos[:50]],
    )


def _fault(campo: str, misshapen: Sequence[str], theirs: Mapping[str, str]) -> Problem:
    expected = _expected(campo, misshapen)
    name, _, position = campo.partition("[")
    if name not in theirs:
        return Problem(expected, campo[:120], codigo="tipo_ilegivel")
    sent = f"{theirs[name]}[{position}" if position else theirs[name]
    return Problem(f"{expected}; é lido como `{campo}`", sent[:120], codigo="tipo_ilegivel")


def _expected(campo: str, misshapen: Sequence[str]) -> str:
    if campo in misshapen:
        return "deve ser um objeto"
    return "deve ser uma lista de textos ou de objetos com `tipo`" if campo.startswith("documentos_anexos") else "deve ser um texto"
