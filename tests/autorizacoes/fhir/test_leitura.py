"""A Claim is read with all that it refers to, or refused by the place at fault."""

from __future__ import annotations

import json
from typing import Any

import pytest

from claims import COVERAGE, INSURER, PATIENT, TUSS, bundle, claim, contained, item
from crivo.autorizacoes.fhir.erros import ClaimIlegivel, ClaimRecusado
from crivo.autorizacoes.fhir.leitura import read_claim
from crivo.autorizacoes.fhir.pedidos import digest_of, pedidos_of, plano_of
from crivo.kernel.errors import CrivoError


def pedidos(raw: bytes) -> list[dict[str, Any]]:
    read = read_claim(raw)
    return [json.loads(one.pedido) for one in pedidos_of(read, digest_of(raw), plano_of(read))]


def faults(raw: bytes) -> list[tuple[str, str]]:
    with pytest.raises(ClaimRecusado) as refused:
        read_claim(raw)
    assert all(problem.mensagem for problem in refused.value.problemas)
    return [(problem.codigo, problem.caminho) for problem in refused.value.problemas]


def without(pedido: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in pedido.items() if name != "fhir"}


ASKED = {
    "pedido_id": "C-77",
    "administradora_id": "123456",
    "plano_id": "OURO",
    "data_pedido": "2026-11-20",
    "urgencia": False,
    "beneficiario": {
        "id": "000123456789",
        "data_nascimento": "1976-10-06",
        "sexo": "F",
        "carencia_cumprida_dias": 323,
        "cpf": "52998224725",
    },
    "solicitante": {"tipo": "MEDICO"},
    "documentos_anexos": [],
    "procedimento": {"codigo": "10000001", "tabela": "TUSS", "descricao": "Exame", "quantidade": 1},
}


@pytest.mark.parametrize(
    "raw",
    [
        bundle(),
        contained(),
        json.dumps({"resourceType": "Parameters", "parameter": [{"name": "resource", "resource": json.loads(bundle())}]}).encode(),
    ],
    ids=["bundle", "contained", "parameters"],
)
def test_a_claim_is_read_alone_in_a_bundle_or_as_a_parameter(raw: bytes) -> None:
    (pedido,) = pedidos(raw)
    assert without(pedido) == ASKED
    assert pedido["fhir"]["mensagem_inteira"] == json.loads(raw)


def test_each_item_is_a_pedido_and_all_that_came_is_kept_once() -> None:
    first, second = pedidos(
        bundle(claim(item(), item("10000002", 7, quantity={"value": 3, "unit": "sessões"}, bodySite={"text": "joelho"})))
    )
    assert (first["pedido_id"], second["pedido_id"]) == ("C-77", "C-77-7")
    assert second["procedimento"] == {"codigo": "10000002", "tabela": "TUSS", "descricao": "Exame", "quantidade": 3}
    assert second["fhir"]["recurso"]["bodySite"] == {"text": "joelho"}
    assert "mensagem_inteira" not in second["fhir"]


@pytest.mark.parametrize(
    ("system", "tabela"),
    [
        (TUSS, "TUSS"),
        ("https://www.saude.gov.br/fhir/r4/CodeSystem/BRCBHPMTUSS", "TUSS"),
        ("urn:cbhpm", "CBHPM"),
        ("urn:cpt", "OUTRA"),
        (None, "OUTRA"),
    ],
)
def test_the_table_of_a_code_is_its_system(system: str | None, tabela: str) -> None:
    concept = {"coding": [{"system": system, "code": "10000001"}] if system else [{"code": "10000001"}]}
    assert pedidos(bundle(claim(item(productOrService=concept))))[0]["procedimento"]["tabela"] == tabela


def test_of_several_codes_of_one_thing_that_of_tuss_is_decided() -> None:
    concept = {"coding": [{"system": "urn:cpt", "code": "71045"}, {"system": TUSS, "code": "40805018"}]}
    assert pedidos(bundle(claim(item(productOrService=concept))))[0]["procedimento"]["codigo"] == "40805018"


def test_documents_are_attachments_and_documents_of_the_bundle() -> None:
    paper = {"resourceType": "DocumentReference", "id": "d1", "type": {"text": "Pedido médico"}}
    infos = [
        {"sequence": 1, "category": {"text": "attachment"}, "valueAttachment": {"title": "Laudo médico"}},
        {"sequence": 2, "category": {"text": "attachment"}, "valueReference": {"reference": "DocumentReference/d1"}},
        {"sequence": 3, "category": {"text": "info"}, "valueString": "nada"},
    ]
    assert pedidos(bundle(claim(supportingInfo=infos), outros=(PATIENT, COVERAGE, INSURER, paper)))[0]["documentos_anexos"] == [
        "Laudo médico",
        "Pedido médico",
    ]


def test_what_is_urgent_and_of_the_network_is_said_and_never_guessed() -> None:
    (plain,) = pedidos(bundle(claim(priority=None)))
    assert "urgencia" not in plain
    assert "prestador" not in plain
    said = claim(priority={"coding": [{"code": "stat"}]}, extension=[{"url": "urn:crivo:credenciado", "valueBoolean": True}])
    (urgent,) = pedidos(bundle(said))
    assert (urgent["urgencia"], urgent["prestador"]) == (True, {"tipo": "CREDENCIADO"})
    (odd,) = pedidos(bundle(claim(priority={"coding": [{"code": "asap"}]})))
    assert odd["urgencia"] == "asap"  # read, or told as unread, by the rules of every pedido


def test_a_quantity_that_did_not_come_is_one_and_told() -> None:
    (pedido,) = pedidos(bundle(claim(item(quantity=None))))
    assert pedido["procedimento"]["quantidade"] == 1
    assert pedido["fhir"]["aviso"] == ["A quantidade não veio, e foi lida como 1."]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"system": "urn:oid:2.16.840.1.113883.6.12", "code": "70551"}, "urn:oid:2.16.840.1.113883.6.12 não foi reconhecido"),
        ({"code": "40304361"}, "não veio"),
    ],
)
def test_a_system_of_codes_that_is_not_known_is_told_with_those_that_are(changes: dict[str, str], told: str) -> None:
    (pedido,) = pedidos(bundle(claim(item(productOrService={"coding": [changes]}))))
    (aviso,) = pedido["fhir"]["aviso"]
    assert told in aviso
    assert f"é {TUSS} para a TUSS" in aviso


@pytest.mark.parametrize(("code", "how"), [("urgent", "como urgente"), ("routine", "como não urgente"), ("asap", "sem que se entendesse")])
def test_a_priority_that_the_standard_does_not_have_is_told(code: str, how: str) -> None:
    (pedido,) = pedidos(bundle(claim(priority={"coding": [{"code": code}]})))
    assert pedido["fhir"]["aviso"] == [f"A prioridade (priority) {code} não é stat, normal nem deferred: foi lida {how}."]


def test_a_number_is_enough_of_whoever_did_not_come() -> None:
    own = claim(patient={"identifier": {"value": "P-9"}}, insurer={"identifier": {"value": "123456"}}, insurance=None)
    (pedido,) = pedidos(json.dumps(own).encode())
    assert (pedido["administradora_id"], pedido["beneficiario"]) == ("123456", {"id": "P-9"})


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"[]", [("structure", "")]),
        (b'{"a": 1, "a": 2}', [("structure", "a")]),
        (b'{"a":' * 100 + b"1" + b"}" * 100, [("structure", "")]),
        (b'{"resourceType": "Patient"}', [("invalid", "resourceType")]),
        (b"{}", [("invalid", "resourceType")]),
        (b'{"resourceType": "Parameters"}', [("required", "Parameters.parameter")]),
        (b'{"resourceType": "Bundle"}', [("invalid", "Bundle.entry")]),
        (bundle(claim(), claim()), [("invalid", "Bundle.entry")]),
        (bundle(outros=(PATIENT,) * 201), [("too-costly", "Bundle.entry")]),
        (bundle(claim(use="claim")), [("not-supported", "Claim.use")]),
        (bundle(claim(status="cancelled")), [("business-rule", "Claim.status")]),
        (bundle(claim(item=[])), [("required", "Claim.item")]),
        (bundle(claim(*[item(sequence=n) for n in range(1, 52)])), [("too-costly", "Claim.item")]),
        (bundle(claim(item(), item("10000002"))), [("duplicate", "Claim.item.sequence")]),
        (bundle(claim(id=None, identifier=None)), [("required", "Claim.identifier")]),
        (bundle(claim(id=None, identifier=[{"system": "urn:exemplo"}])), [("required", "Claim.identifier")]),
        (bundle(claim(item("4030231"))), [("value", "Claim.item[0].productOrService")]),
        (bundle(claim(item(sequence=0))), [("value", "Claim.item[0].sequence")]),
        (bundle(claim(item(quantity={"value": 5, "unit": "mg"}))), [("value", "Claim.item[0].quantity")]),
        (bundle(claim(item(quantity={"value": 5, "code": "h", "unit": "horas"}))), [("value", "Claim.item[0].quantity")]),
        (bundle(claim(item(quantity={"value": "5"}))), [("structure", "Claim.item[0].quantity.value")]),
        (bundle(claim(item(productOrService=None))), [("structure", "Claim.item[0].productOrService")]),
        (bundle(claim(diagnosis=5, careTeam={})), [("structure", "Claim.careTeam"), ("structure", "Claim.diagnosis")]),
        (bundle(outros=(PATIENT, COVERAGE | {"period": {"end": "31/12/2026"}}, INSURER)), [("value", "Coverage.period.end")]),
        (bundle(claim(created="2026-02-30")), [("value", "Claim.created")]),
        (bundle(claim(created="0001-01-01")), [("value", "Claim.created")]),
        (bundle(claim(item(servicedDate="9999-99-99"))), [("value", "Claim.item[0].servicedDate")]),
        (bundle(claim(patient=None)), [("required", "Claim.patient")]),
        (bundle(claim(insurer=None, insurance=None)), [("required", "Claim.insurer")]),
        (bundle(claim(insurer={"reference": "Organization/outra"})), [("not-found", "Claim.insurer")]),
        (bundle(outros=(PATIENT, INSURER)), [("not-found", "Claim.insurance.coverage")]),
        (contained(contained=[]), [("not-found", "Claim.patient")]),
        (bundle(claim(insurer={"reference": "Patient/p1"})), [("invalid", "Claim.insurer")]),
    ],
)
def test_what_is_no_request_is_refused_by_its_place(raw: bytes, expected: list[tuple[str, str]]) -> None:
    assert faults(raw) == expected


CONTIDA = COVERAGE | {"payor": [{"reference": "#c1"}], "beneficiary": {"reference": "#p1"}}
MODIFIES = {"modifierExtension": [{"url": "urn:exemplo:negado", "valueBoolean": True}]}
RULED = json.loads(bundle()) | {"implicitRules": "urn:x"}
OUTRO = PATIENT | {"id": "p2", "identifier": [{"system": "urn:cpf", "value": "11144477735"}]}


def test_children_of_one_holder_are_each_their_own() -> None:
    """FHIR R4, Coverage.dependent: the number of a dependent under the Coverage of the subscriber."""
    children = [bundle(outros=(PATIENT, COVERAGE | {"dependent": one}, INSURER)) for one in ("01", "02")]
    assert [pedidos(raw)[0]["beneficiario"]["id"] for raw in children] == ["000123456789-01", "000123456789-02"]


@pytest.mark.parametrize(
    ("whose", "expected"),
    [
        ({"reference": "Patient/p2"}, [("business-rule", "Coverage.beneficiary")]),
        ({"identifier": {"value": "11144477735"}}, [("business-rule", "Coverage.beneficiary")]),
        ({"reference": "Patient/ninguem"}, [("not-found", "Coverage.beneficiary")]),
    ],
)
def test_the_coverage_of_somebody_else_is_refused(whose: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    raw = bundle(outros=(PATIENT, OUTRO, COVERAGE | {"beneficiary": whose}, INSURER))
    assert faults(raw) == expected


@pytest.mark.parametrize("whose", [{"identifier": {"value": "52998224725"}}, {"reference": "http://exemplo.org/fhir/Patient/p1"}])
def test_whose_coverage_it_is_may_be_said_by_a_number_or_another_address(whose: dict[str, Any]) -> None:
    assert without(pedidos(bundle(outros=(PATIENT, COVERAGE | {"beneficiary": whose}, INSURER)))[0]) == ASKED


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (bundle(claim(**MODIFIES)), [("extension", "Claim.modifierExtension")]),
        (bundle(claim(item(), item("10000002", 2, **MODIFIES))), [("extension", "Claim.item[1].modifierExtension")]),
        (bundle(claim(item(detail=[{"sequence": 1, **MODIFIES}]))), [("extension", "Claim.item[0].detail[0].modifierExtension")]),
        (bundle(outros=(PATIENT | MODIFIES, COVERAGE, INSURER)), [("extension", "Patient.modifierExtension")]),
        (bundle(outros=(PATIENT, COVERAGE | MODIFIES, INSURER)), [("extension", "Coverage.modifierExtension")]),
        (bundle(claim(implicitRules="urn:x")), [("not-supported", "Claim.implicitRules")]),
        (bundle(outros=(PATIENT, COVERAGE, INSURER | {"implicitRules": "urn:x"})), [("not-supported", "Organization.implicitRules")]),
        (json.dumps(RULED).encode(), [("not-supported", "Bundle.implicitRules")]),
        (
            json.dumps({"resourceType": "Parameters", "parameter": [{"name": "resource", "resource": RULED}]}).encode(),
            [("not-supported", "Bundle.implicitRules")],
        ),
    ],
)
def test_what_may_mean_something_else_than_it_seems_to_is_refused(raw: bytes, expected: list[tuple[str, str]]) -> None:
    """FHIR R4: what is not known of modifierExtension and implicitRules must not be read over."""
    assert faults(raw) == expected


def test_what_is_not_read_may_carry_any_extension() -> None:
    stray = {"resourceType": "Observation", "id": "x", **MODIFIES}
    raw = bundle(claim(extension=[{"url": "urn:y", "valueString": "z"}]), outros=(PATIENT, COVERAGE, INSURER, stray))
    assert without(pedidos(raw)[0]) == ASKED


def test_what_contains_itself_is_read_without_going_round() -> None:
    ring = [PATIENT | {"contained": [{"resourceType": "Patient", "id": "p1"}]}, CONTIDA, INSURER]
    assert without(pedidos(contained(contained=ring))[0]) == ASKED
    assert faults(contained(contained=ring, insurer=None)) == [("invalid", "Coverage.payor")]


@pytest.mark.parametrize("raw", [b"", b"<Claim/>", b"\xff\xfe{}", b"{"])
def test_bytes_that_are_no_json_are_refused(raw: bytes) -> None:
    with pytest.raises(ClaimIlegivel):
        read_claim(raw)


def is_read_or_refused(raw: bytes) -> bool:
    try:
        pedidos(raw)
    except CrivoError as error:
        return bool(error.mensagem)
    return True


@pytest.mark.parametrize("wrong", [None, 1, "x", True, [], {}, [1], [{}], {"a": []}], ids=repr)
def test_no_element_of_the_wrong_kind_makes_reading_fail(wrong: Any) -> None:
    for name in claim():
        assert is_read_or_refused(bundle(claim() | {name: wrong})), name


@pytest.mark.parametrize(
    ("provider", "outros"),
    [
        ({"reference": "urn:uuid:5b7e", "identifier": {"value": "CRM-1"}}, ()),
        ({"reference": "Practitioner/m1"}, ({"resourceType": "Practitioner", "id": "m1", "identifier": [{"value": "CRM-1"}]},)),
    ],
)
def test_who_sent_a_claim_is_known_by_a_number_that_stays(provider: dict[str, Any], outros: tuple[dict[str, Any], ...]) -> None:
    raw = bundle(claim(provider=provider), outros=(PATIENT, COVERAGE, INSURER, *outros))
    assert pedidos(raw)[0]["fhir"]["remetente"] == "CRM-1"
    passing = bundle(claim(provider={"reference": "urn:uuid:5b7e"}))
    assert "remetente" not in pedidos(passing)[0]["fhir"]
    odd = {"resourceType": "Practitioner", "id": "m1", "identifier": 5}
    assert pedidos(bundle(outros=(PATIENT, COVERAGE, INSURER, odd)))[0]["fhir"]["remetente"] == "Practitioner/m1"
