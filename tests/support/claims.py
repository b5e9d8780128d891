"""Claims of FHIR R4 as systems send them."""

from __future__ import annotations

import copy
import json
from typing import Any, Final

TUSS: Final = "http://www.ans.gov.br/tuss"


def item(codigo: str = "10000001", sequence: int = 1, **changes: Any) -> dict[str, Any]:
    concept = {"coding": [{"system": TUSS, "code": codigo, "display": "Exame"}]}
    return {"sequence": sequence, "productOrService": concept, "quantity": {"value": 1}, **changes}


PATIENT: Final = {
    "resourceType": "Patient",
    "id": "p1",
    "identifier": [{"system": "urn:cpf", "value": "52998224725"}],
    "birthDate": "1976-10-06",
    "gender": "female",
    "name": [{"family": "Silva", "given": ["Ana"]}],
}
COVERAGE: Final = {
    "resourceType": "Coverage",
    "id": "c1",
    "status": "active",
    "subscriberId": "000123456789",
    "beneficiary": {"reference": "Patient/p1"},
    "payor": [{"reference": "Organization/o1"}],
    "period": {"start": "2026-01-01"},
    "class": [
        {"type": {"coding": [{"code": "group"}]}, "value": "EMPRESA"},
        {"type": {"coding": [{"code": "plan"}]}, "value": "OURO"},
    ],
}
INSURER: Final = {
    "resourceType": "Organization",
    "id": "o1",
    "identifier": [{"system": "http://www.ans.gov.br/registro", "value": "123456"}],
}


def claim(*items: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A Claim that refers to what stands in the Bundle of `bundle`; a change of None leaves an element out."""
    made: dict[str, Any] = {
        "resourceType": "Claim",
        "id": "cl1",
        "identifier": [{"system": "urn:exemplo", "value": "C-77"}],
        "status": "active",
        "type": {"coding": [{"system": "http://terminology.hl7.org/CodeSystem/claim-type", "code": "professional"}]},
        "use": "preauthorization",
        "patient": {"reference": "Patient/p1"},
        "created": "2026-11-20",
        "insurer": {"reference": "Organization/o1"},
        "provider": {"reference": "Practitioner/m1"},
        "priority": {"coding": [{"code": "normal"}]},
        "insurance": [{"sequence": 1, "focal": True, "coverage": {"reference": "Coverage/c1"}}],
        "item": list(items or (item(),)),
    }
    return {name: value for name, value in copy.deepcopy(made | changes).items() if value is not None}


def bundle(*claims: dict[str, Any], outros: tuple[dict[str, Any], ...] = (PATIENT, COVERAGE, INSURER)) -> bytes:
    resources = [*(claims or (claim(),)), *outros]
    entries = [{"fullUrl": f"http://exemplo.org/fhir/{one['resourceType']}/{one.get('id')}", "resource": one} for one in resources]
    return json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}).encode()


def contained(**changes: Any) -> bytes:
    """The same request in a Claim alone, which contains the rest."""
    own = claim(
        contained=[PATIENT, COVERAGE | {"payor": [{"reference": "#o1"}], "beneficiary": {"reference": "#p1"}}, INSURER],
        patient={"reference": "#p1"},
        insurer={"reference": "#o1"},
        insurance=[{"sequence": 1, "focal": True, "coverage": {"reference": "#c1"}}],
    )
    return json.dumps({name: value for name, value in (own | changes).items() if value is not None}).encode()
