"""Failures as FHIR tells them: an OperationOutcome, with the issue type of each kind of failure. Source: FHIR R4, OperationOutcome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from crivo.kernel.errors import CrivoError, Kind

FHIR_JSON: Final = "application/fhir+json"
FHIR: Final = "/fhir/"
_ISSUES: Final[Mapping[Kind, str]] = {
    Kind.MALFORMED: "structure",
    Kind.INVALID: "invalid",
    Kind.TOO_LARGE: "too-long",
    Kind.UNAUTHENTICATED: "login",
    Kind.FORBIDDEN: "forbidden",
    Kind.ABSENT: "not-found",
    Kind.GONE: "deleted",
    Kind.CONFLICT: "conflict",
    Kind.LIMITED: "throttled",
    Kind.UNAVAILABLE: "transient",
    Kind.MISUSE: "processing",
}
_TYPES: Final = frozenset(
    ("invalid", "structure", "required", "value", "not-supported", "business-rule", "duplicate", "not-found", "too-costly", "extension")
)


def outcome_of(error: CrivoError, request_id: str) -> dict[str, Any]:
    """An error as an OperationOutcome, an issue for each problem of it."""
    told = [(p.codigo if p.codigo in _TYPES else _ISSUES[error.kind], p.mensagem, p.caminho) for p in error.problemas]
    return {
        "resourceType": "OperationOutcome",
        "issue": [_issue(error, *one, request_id) for one in told or [(_ISSUES[error.kind], error.mensagem, "")]],
    }


def _issue(error: CrivoError, issue: str, text: str, place: str, request_id: str) -> dict[str, Any]:
    coding = {"system": "urn:crivo:problema", "code": error.codigo, "display": error.titulo}
    found: dict[str, Any] = {
        "severity": "error",
        "code": issue,
        "details": {"coding": [coding], "text": text},
        "diagnostics": f"request_id={request_id}",
    }
    return found | ({"expression": [place]} if place else {})
