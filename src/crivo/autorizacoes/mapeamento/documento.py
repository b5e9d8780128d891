"""The document of a mapping as a value: where in what an administradora sends each field of a pedido stands, and what its words mean."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from crivo.autorizacoes.campos import DESTINOS
from crivo.autorizacoes.contracts import Value
from crivo.kernel.linguagem.dobra import without_accents

Simples = str | int | float | bool
Calculo = Literal["idade", "dias", "total"]
DOCUMENTOS: Final = "documentos_anexos"
PARTES: Final = ("tipo", "status", "validade")
"""What may be said of each document that came, beside being there."""
DO_USO: Final = ("codigo", "data", "quantidade")
"""What is said of each use in `historico`."""
DATAS: Final = ("data_pedido", "data_prevista", "beneficiario.data_nascimento")
INSTANTES: Final = ("data_pedido", "data_prevista")
"""Dates that may come with an hour of another time zone; a birth and the start of a plano are days wherever one is."""
URGENCIA: Final = "urgencia"
CODIGO: Final = "procedimento.codigo"
VALOR: Final = "procedimento.valor"
QUANTIDADE: Final = "procedimento.quantidade"
DE_DATA: Final[Mapping[str, Calculo]] = {"beneficiario.idade": "idade", "beneficiario.carencia_cumprida_dias": "dias"}
"""What is counted from a date until the date of the pedido."""
CALCULADOS: Final[Mapping[str, Calculo]] = {**DE_DATA, VALOR: "total"}
HISTORICO: Final = "historico"
PEDIDOS_PELA_REGRA: Final = ("beneficiario.sexo", VALOR, HISTORICO)
"""Fields that only some regras ask for; RF1 finds them where they stand in the pedido."""
MAPEAVEIS: Final = tuple(
    dict.fromkeys([*[destino for destino in DESTINOS if destino != "administradora_id"], *PEDIDOS_PELA_REGRA]),
)
COM_VALORES: Final = (*MAPEAVEIS, f"{DOCUMENTOS}.status")
SEPARAVEIS: Final = (DOCUMENTOS, "beneficiario.preexistencias")
"""Lists that may come in one text."""
QUALQUER: Final = "*"
"""Of `reconhecer`: whatever stands there, as long as something does."""


class Campo(Value, frozen=True, gc=False, omit_defaults=True):
    """Where one field stands and how it is written; `valor` where it stands nowhere and is always the same.

    `de` is a path; `tipo`, `status` and `validade` are paths from each document that `de` finds, `codigo`, `data` and `quantidade` from
    each use of `historico`, `limpar` texts that are taken out of the
    value, `senao` what holds where nothing came. `nomes`: the documents are the names in the object that `de` finds, or those said here,
    each with the path of what tells whether it came. `separador` parts the several values that one text holds (`PED|LAU`).
    """

    de: str | None = None
    formato: str | None = None
    limpar: tuple[str, ...] = ()
    calcular: Calculo | None = None
    senao: Simples | None = None
    valor: Simples | None = None
    tipo: str | None = None
    status: str | None = None
    validade: str | None = None
    codigo: str | None = None
    data: str | None = None
    quantidade: str | None = None
    nomes: bool | dict[str, str] = False
    separador: str | None = None


def places_of(campo: Campo) -> tuple[str, ...]:
    """The paths from the document or the item that a field is read by, as they were written; none of one that is always the same."""
    return (*(campo.nomes.values() if isinstance(campo.nomes, dict) else ()), *([] if campo.de is None else [campo.de]))


class Mapeamento(Value, frozen=True, gc=False, omit_defaults=True):
    """A mapping. `reconhecer` holds paths and the value that each must have, `campos` by destination, `valores` words by destination.

    `ignorar` holds such paths too: a row of a table where all of them hold is no pedido.
    """

    mapeamento: str
    administradora: str
    reconhecer: dict[str, Simples]
    campos: dict[str, Campo]
    itens: str | None = None
    valores: dict[str, dict[str, Simples]] = msgspec.field(default_factory=dict)
    ignorar: dict[str, Simples] = msgspec.field(default_factory=dict)


def to_document(mapeamento: Mapeamento) -> bytes:
    """The canonical JSON of a mapping: keys sorted, whatever is at its default left out; UTF-8."""
    return msgspec.json.encode(mapeamento, order="sorted")


def from_document(conteudo: bytes) -> Mapeamento:
    """The mapping of its canonical JSON."""
    return msgspec.json.decode(conteudo, type=Mapeamento)


def digest(mapeamento: Mapeamento) -> bytes:
    """The SHA-256 of the canonical document, 32 bytes."""
    return hashlib.sha256(to_document(mapeamento)).digest()


def fold_word(value: object) -> str:
    """A value as dictionaries compare it: without case, accents and doubled blanks, `true` and `false`, whole numbers without a point."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return " ".join(without_accents(str(value)).casefold().split())
