"""How a Claim is refused. The `codigo` of each problem is the issue type of its OperationOutcome. Source: FHIR R4, IssueType."""

from __future__ import annotations

from typing import ClassVar

from crivo.kernel.errors import CrivoError, Kind, Problem


class ClaimIlegivel(CrivoError):
    """Bytes that hold no FHIR resource that may be read."""

    codigo: ClassVar[str] = "fhir_ilegivel"
    kind: ClassVar[Kind] = Kind.MALFORMED
    titulo: ClassVar[str] = "O recurso FHIR não pôde ser lido"


class ClaimRecusado(CrivoError):
    """A resource that is no request for a preauthorization that is decided here."""

    codigo: ClassVar[str] = "fhir_recusado"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "O Claim não foi aceito"


class SemClaim(CrivoError):
    """A decision whose pedido did not come as a Claim: there is none to answer."""

    codigo: ClassVar[str] = "sem_claim"
    kind: ClassVar[Kind] = Kind.INVALID
    titulo: ClassVar[str] = "Esta decisão não veio de um Claim"

    def __init__(self) -> None:
        super().__init__("O ClaimResponse responde a um Claim, e este pedido chegou por outro caminho. Leia a decisão em JSON, na API.")


def refused(mensagem: str, issue: str, caminho: str = "") -> ClaimRecusado:
    """A refusal by one fault, of an issue type, at a place."""
    return ClaimRecusado(mensagem, [Problem(mensagem, caminho=caminho, codigo=issue)])
