"""What this server does in FHIR, as FHIR says it. Source: FHIR R4, CapabilityStatement."""

from __future__ import annotations

from typing import Any, Final

_SUBMIT: Final = "http://hl7.org/fhir/OperationDefinition/Claim-submit"
_DOCUMENTED: Final = "2026-11-28"


def capability_statement(endereco: str, versao: str) -> dict[str, Any]:
    """The CapabilityStatement of an installation, by its public address and the version of the program."""
    return {
        "resourceType": "CapabilityStatement",
        "status": "active",
        "date": _DOCUMENTED,
        "kind": "instance",
        "software": {"name": "crivo", "version": versao},
        "implementation": {"description": "Autorização prévia de benefícios de saúde", "url": f"{endereco}/fhir"},
        "fhirVersion": "4.0.1",
        "format": ["application/fhir+json"],
        "rest": [
            {
                "mode": "server",
                "documentation": "POST [base]/Claim/$submit decide um Claim de use=preauthorization e guarda uma decisão para cada item.",
                "security": {"description": "Chave de API no cabeçalho Authorization: Bearer."},
                "resource": [
                    {"type": "Claim", "operation": [{"name": "submit", "definition": _SUBMIT}]},
                    {"type": "ClaimResponse", "interaction": [{"code": "read"}]},
                ],
            }
        ],
    }
