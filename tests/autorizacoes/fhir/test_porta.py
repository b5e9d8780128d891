"""A Claim is decided by the same use cases as every pedido, and its ClaimResponse has what R4 asks for."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

import pytest

from casa_de_autorizacoes import NOW, Casa
from casos import regra
from claims import COVERAGE, INSURER, PATIENT, bundle, claim, contained, item
from crivo.autorizacoes.fhir.capacidades import capability_statement
from crivo.autorizacoes.fhir.erros import ClaimRecusado, SemClaim
from crivo.autorizacoes.fhir.porta import Fhir
from crivo.autorizacoes.revisao import RevisaoProposta, Revisoes
from crivo.kernel.identity import Uuid7
from crivo.kernel.sigilo import Identidade
from crivo.kernel.storage.session import Database
from crivo.kernel.tenancy import Scope

REQUIRED = {"status", "type", "use", "patient", "created", "insurer", "outcome"}  # FHIR R4, ClaimResponse: what must be there
MIXED = bundle(claim(item("10000001"), item("10000002", 2), item("10000003", 3), item("10000004", 4, quantity={"value": 5})))


@pytest.fixture
async def casa(database: Database, scope: Scope) -> Casa:
    made = Casa(database)
    await made.publish(
        scope,
        regra(codigo="10000001", prazo_validade_autorizacao_dias=30, coparticipacao_percentual=20),
        regra(regra_id="R2", codigo="10000002", cobertura="NAO_COBERTA"),
        regra(regra_id="R3", codigo="10000003", documentos_obrigatorios=["LAUDO_MEDICO"]),
        regra(regra_id="R4", codigo="10000004", limite_quantidade=2),
        administradora_id="123456",
    )
    return made


@pytest.fixture
def fhir(casa: Casa) -> Fhir:
    return Fhir(casa.database, casa.autorizacoes)


def said(response: dict[str, Any], sequence: int, category: str) -> list[Any]:
    (found,) = [one for one in response["item"] if one["itemSequence"] == sequence]
    told = [one for one in found["adjudication"] if one["category"]["coding"][0]["code"] == category]
    return [one["value"] if "value" in one else one["reason"]["coding"][0]["code"] for one in told]


async def test_a_claim_is_answered_item_by_item_with_reasons_and_both_messages(fhir: Fhir, scope: Scope) -> None:
    response = json.loads((await fhir.submeter(scope, MIXED)).json)
    assert response.keys() >= REQUIRED
    assert (response["resourceType"], response["use"], response["outcome"]) == ("ClaimResponse", "preauthorization", "partial")
    assert [said(response, n, "decisao") for n in (1, 2, 3, 4)] == [["APROVADO"], ["NEGADO"], ["PENDENTE_AJUSTES"], ["APROVADO_PARCIAL"]]
    assert [said(response, n, "motivo") for n in (1, 2, 3, 4)] == [
        [],
        ["procedimento_sem_cobertura"],
        ["documentacao_pendente"],
        ["acima_do_limite_quantitativo"],
    ]
    assert [said(response, n, "quantidade-aprovada") for n in (1, 2, 3, 4)] == [[1], [0], [0], [2]]
    assert said(response, 1, "coparticipacao-percentual") == [20]
    assert response["disposition"] == "1 de 4 itens autorizados, 1 em parte, 1 pendente, 1 negado."
    assert len(response["preAuthRef"]) == 20
    assert response["preAuthPeriod"] == {"start": "2026-11-20", "end": "2026-12-20"}
    notes = {note["number"]: note for note in response["processNote"]}
    assert [notes[n]["type"] for n in response["item"][0]["noteNumber"]] == ["display", "print"]
    assert response["request"] == {"type": "Claim", "identifier": {"system": "urn:exemplo", "value": "C-77"}}


@pytest.mark.parametrize(
    ("items", "outcome"),
    [
        (["10000001"], "complete"),
        (["10000002"], "complete"),
        (["10000003"], "queued"),
        (["99999999"], "queued"),
        (["10000001", "10000003"], "partial"),
    ],
)
async def test_the_outcome_says_how_far_a_request_has_come(fhir: Fhir, scope: Scope, items: list[str], outcome: str) -> None:
    raw = bundle(claim(*[item(codigo, n) for n, codigo in enumerate(items, 1)]))
    assert json.loads((await fhir.submeter(scope, raw)).json)["outcome"] == outcome


async def test_what_could_not_be_read_of_an_item_is_an_error_with_what_to_do(fhir: Fhir, scope: Scope) -> None:
    raw = bundle(claim(item(quantity={"value": -1})))
    response = json.loads((await fhir.submeter(scope, raw)).json)
    assert response["outcome"] == "queued"  # it waits for who asked: nothing was lost, and nothing broke
    (error,) = response["error"]
    assert (error["itemSequence"], error["code"]["coding"][0]["code"]) == (1, "quantidade_invalida")
    assert error["code"]["text"]


async def test_the_same_bytes_have_the_same_answer_which_each_decision_gives_too(fhir: Fhir, scope: Scope) -> None:
    first = await fhir.submeter(scope, MIXED)
    again = await fhir.submeter(scope, MIXED)
    assert (again.json, [one.repetida for one in again.decididas]) == (first.json, [True] * 4)
    for one in first.decididas:
        assert await fhir.responder(scope, one.autorizacao.id) == first.json


async def test_what_a_person_decided_since_is_in_the_answer(fhir: Fhir, casa: Casa, scope: Scope) -> None:
    decidida = (await fhir.submeter(scope, bundle(claim(item("10000002"))))).decididas[0].autorizacao
    proposta = RevisaoProposta(decisao_final="APROVADO", motivo="Aprovado pela junta médica.")
    await Revisoes(casa.database, NOW, Uuid7(NOW).new).decidir(scope, decidida.id, proposta, livre=True)
    response = json.loads(await fhir.responder(scope, decidida.id))
    assert (said(response, 1, "decisao"), said(response, 1, "quantidade-aprovada")) == (["APROVADO"], [1])


async def test_what_a_claim_contains_is_named_by_its_number_outside_of_it(fhir: Fhir, scope: Scope) -> None:
    response = json.loads((await fhir.submeter(scope, contained())).json)
    assert response["patient"] == {"type": "Patient", "identifier": {"value": "000123456789"}}
    assert response["insurer"] == {"type": "Organization", "identifier": {"value": "123456"}}


async def test_what_only_the_bundle_named_is_named_by_its_number_too(fhir: Fhir, scope: Scope) -> None:
    """An `urn:uuid:` leads nowhere outside of the Bundle that it came in."""
    resources = {"patient": PATIENT, "insurer": INSURER, "provider": {"resourceType": "Practitioner", "identifier": [{"value": "CRM-1"}]}}
    own = claim(**{name: {"reference": f"urn:uuid:{name}"} for name in resources})
    coverage = COVERAGE | {"beneficiary": {"reference": "urn:uuid:patient"}}
    entries = [{"fullUrl": f"urn:uuid:{name}", "resource": one} for name, one in resources.items()]
    entries += [{"fullUrl": "http://exemplo.org/fhir/Coverage/c1", "resource": coverage}, {"resource": own}]
    respondida = await fhir.submeter(scope, json.dumps({"resourceType": "Bundle", "type": "collection", "entry": entries}).encode())
    for answer in (respondida.json, await fhir.responder(scope, respondida.decididas[0].autorizacao.id)):
        response = json.loads(answer)
        assert response["patient"] == {"type": "Patient", "identifier": {"value": "000123456789"}}
        assert response["insurer"] == {"type": "Organization", "identifier": {"value": "123456"}}
        assert response["requestor"] == {"identifier": {"value": "CRM-1"}}


async def test_a_decision_is_found_by_the_cpf_of_whom_it_is_about(fhir: Fhir, casa: Casa, scope: Scope) -> None:
    """Whoever asks to be told or erased is found in what came as FHIR too."""
    decidida = (await fhir.submeter(scope, bundle())).decididas[0].autorizacao
    async with casa.database.unit_of_work(scope) as uow:
        assert decidida.id in [one.id for one in await uow.cofre.of_person(uow, Identidade("52998224725"))]


async def test_a_pedido_of_another_door_has_no_claim_to_answer(fhir: Fhir, casa: Casa, scope: Scope) -> None:
    stored = (await casa.autorizacoes.decidir(scope, b'{"pedido_id": "1"}')).autorizacao
    with pytest.raises(SemClaim):
        await fhir.responder(scope, stored.id)


def test_the_server_says_what_it_does() -> None:
    """FHIR R4, CapabilityStatement: status, date, kind, fhirVersion and format must be there."""
    said = capability_statement("https://crivo.exemplo.org", "0.1.0")
    assert said.keys() >= {"status", "date", "kind", "fhirVersion", "format"}
    assert said["rest"][0]["resource"][0]["operation"][0]["name"] == "submit"


@pytest.fixture
async def limitada(database: Database, scope: Scope) -> Fhir:
    """The door of a house where two of a procedimento are given a year."""
    made = Casa(database)
    await made.publish(
        scope,
        regra(codigo="10000001", limites=[{"quantidade": 2, "periodo_dias": 365}]),
        regra(regra_id="R2", codigo="10000002"),
        administradora_id="123456",
    )
    return Fhir(made.database, made.autorizacoes)


def told(response: dict[str, Any]) -> str:
    return " ".join(note["text"] for note in response["processNote"])


async def test_a_claim_that_is_corrected_replaces_what_it_was_given_and_says_so(limitada: Fhir, scope: Scope) -> None:
    """Neither refused because of its own earlier approval, nor given twice."""
    two = item(quantity={"value": 2})
    first = json.loads((await limitada.submeter(scope, bundle(claim(two)))).json)
    corrected = json.loads((await limitada.submeter(scope, bundle(claim(item("10000002"), two | {"sequence": 2})))).json)
    assert [said(corrected, n, "decisao") for n in (1, 2)] == [["APROVADO"], ["APROVADO"]]
    assert f"Substitui a autorização {first['preAuthRef']}" in told(corrected)
    other = claim(two, identifier=[{"system": "urn:exemplo", "value": "C-78"}])
    another = json.loads((await limitada.submeter(scope, bundle(other))).json)
    assert (said(another, 1, "decisao"), "Substitui" in told(another)) == (["PENDENTE_AJUSTES"], False)


async def test_a_claim_of_a_day_that_is_far_from_here_is_refused(limitada: Fhir, scope: Scope) -> None:
    with pytest.raises(ClaimRecusado) as refused:
        await limitada.submeter(scope, bundle(claim(created="2026-11-22")))
    assert refused.value.problemas[0].caminho == "Claim.created"


async def test_a_claim_that_was_replaced_is_cancelled_wherever_it_is_told_again(limitada: Fhir, scope: Scope) -> None:
    raw = bundle(claim(item(quantity={"value": 2})))
    first = await limitada.submeter(scope, raw)
    corrected = json.loads((await limitada.submeter(scope, bundle(claim(item())))).json)
    again = await limitada.submeter(scope, raw)
    for answer in (again.json, await limitada.responder(scope, first.decididas[0].autorizacao.id)):
        response = json.loads(answer)
        assert response["status"] == "cancelled"
        assert response["item"][0]["adjudication"][0]["reason"]["coding"][0]["code"] == "SUBSTITUIDA"
        assert response["disposition"] == f"Cancelado: vale a autorização {corrected['preAuthRef']}."
        assert response.keys().isdisjoint({"preAuthRef", "preAuthPeriod"})
        assert (said(response, 1, "quantidade-aprovada"), said(response, 1, "autorizacao")) == ([0], [])
        assert told(response).startswith(f"A autorização {json.loads(first.json)['preAuthRef']} foi cancelada.")
    assert json.loads(await limitada.responder(scope, UUID(corrected["id"])))["status"] == "active"


async def test_what_is_asked_in_several_items_is_held_to_its_limit_as_one(limitada: Fhir, scope: Scope) -> None:
    asked = [item(sequence=1), item("10000002", 2), item(sequence=5), item(sequence=9, servicedDate="2026-12-01")]
    respondida = await limitada.submeter(scope, bundle(claim(*asked)))
    response = json.loads(respondida.json)
    assert [one.autorizacao.pedido_id for one in respondida.decididas] == ["C-77", "C-77-2"]
    assert [one["itemSequence"] for one in response["item"]] == [1, 2, 5, 9]
    assert [said(response, n, "quantidade-aprovada") for n in (1, 2, 5, 9)] == [[1], [1], [1], [0]]
    assert "Os itens 1, 5 e 9 pedem o mesmo" in told(response)
    assert response["disposition"] == "3 de 4 itens autorizados, 1 sem nada autorizado."


async def test_a_quantity_that_is_none_does_not_hide_among_others(limitada: Fhir, scope: Scope) -> None:
    raw = bundle(claim(item(quantity={"value": 3}), item(sequence=2, quantity={"value": -1})))
    response = json.loads((await limitada.submeter(scope, raw)).json)
    assert [said(response, n, "decisao") for n in (1, 2)] == [["APROVADO_PARCIAL"], ["PENDENTE_AJUSTES"]]


async def test_the_number_of_an_authorization_stays_when_a_person_approves_another_item(fhir: Fhir, casa: Casa, scope: Scope) -> None:
    respondida = await fhir.submeter(scope, bundle(claim(item("10000002"), item("10000001", 2))))
    denied = respondida.decididas[0].autorizacao.id
    proposta = RevisaoProposta(decisao_final="APROVADO", motivo="Aprovado pela junta médica.")
    await Revisoes(casa.database, NOW, Uuid7(NOW).new).decidir(scope, denied, proposta, livre=True)
    before, after = json.loads(respondida.json), json.loads(await fhir.responder(scope, denied))
    assert after["preAuthRef"] == before["preAuthRef"] == said(before, 2, "autorizacao")[0]
    assert said(after, 1, "autorizacao") != said(after, 2, "autorizacao")


@pytest.fixture
async def adulta(database: Database, scope: Scope) -> Fhir:
    """The door of a house with a procedimento for adults, and one for everybody."""
    made = Casa(database)
    await made.publish(
        scope,
        regra(codigo="10000001", restricoes_idade={"min": 18, "max": None}),
        regra(regra_id="R2", codigo="10000002"),
        administradora_id="123456",
    )
    return Fhir(made.database, made.autorizacoes)


@pytest.mark.parametrize(
    "change",
    [
        {"status": "cancelled"},
        {"status": "draft"},
        {"period": {"start": "2026-01-01", "end": "2026-11-19"}},
        {"period": {"start": "2025", "end": "2026-10"}},
        {"period": {"start": "2026-12-01"}},
    ],
)
async def test_a_coverage_that_is_not_in_force_is_told_and_the_claim_waits(adulta: Fhir, scope: Scope, change: dict[str, Any]) -> None:
    raw = bundle(outros=(PATIENT, COVERAGE | change, INSURER))
    response = json.loads((await adulta.submeter(scope, raw)).json)
    assert (said(response, 1, "decisao"), response["outcome"]) == (["PENDENTE_AJUSTES"], "queued")
    assert "cobertura_fora_de_vigencia" in said(response, 1, "motivo")
    assert "A cobertura (Coverage) não está ativa" in told(response)


@pytest.mark.parametrize("change", [{"active": False}, {"deceasedBoolean": True}, {"deceasedDateTime": "2026-10-01"}])
async def test_for_who_died_or_is_not_active_nothing_is_approved_by_itself(adulta: Fhir, scope: Scope, change: dict[str, Any]) -> None:
    response = json.loads((await adulta.submeter(scope, bundle(outros=(PATIENT | change, COVERAGE, INSURER)))).json)
    assert (said(response, 1, "decisao"), response["outcome"]) == (["PENDENTE_AJUSTES"], "queued")
    assert "beneficiario_inativo" in said(response, 1, "motivo")
    assert "O cadastro (Patient) diz" in told(response)


async def test_a_coverage_holds_to_its_last_day_and_one_that_ends_before_the_day_of_the_service_is_told(adulta: Fhir, scope: Scope) -> None:
    coverage = COVERAGE | {"period": {"start": "2026-01-01", "end": "2026-11"}}
    raw = bundle(claim(item(), item("10000002", 2, servicedDate="2026-12-02")), outros=(PATIENT, coverage, INSURER))
    response = json.loads((await adulta.submeter(scope, raw)).json)
    assert [said(response, n, "decisao") for n in (1, 2)] == [["APROVADO"], ["APROVADO"]]
    assert "termina antes de 02/12/2026" in told(response)


@pytest.mark.parametrize("birth", ["1980", "1980-05", "1980-13-45", "2999-01-01", "1780-01-01"])
async def test_a_date_of_birth_that_cannot_be_read_is_told_and_a_rule_of_age_waits(adulta: Fhir, scope: Scope, birth: str) -> None:
    raw = bundle(claim(item(), item("10000002", 2)), outros=(PATIENT | {"birthDate": birth}, COVERAGE, INSURER))
    respondida = await adulta.submeter(scope, raw)
    response = json.loads(respondida.json)
    assert [said(response, n, "decisao") for n in (1, 2)] == [["PENDENTE_AJUSTES"], ["APROVADO"]]
    assert "data_nascimento_ilegivel" in said(response, 1, "motivo")
    assert "Patient.birthDate" in told(response)
    alertas = json.loads(respondida.decididas[1].autorizacao.trilha)["etapas"]["normalizacao"]["alertas"]
    assert "data_nascimento_invalida" in alertas


async def test_what_came_beside_the_items_is_told(adulta: Fhir, scope: Scope) -> None:
    wrong = {"resourceType": "DocumentReference", "id": "d1", "status": "entered-in-error", "type": {"text": "Laudo médico"}}
    infos = [
        {"sequence": 1, "valueAttachment": {"title": "Pedido médico.pdf"}},
        {"sequence": 2, "valueReference": {"reference": "DocumentReference/d1"}},
    ]
    raw = bundle(claim(supportingInfo=infos, created="2026-11-21", diagnostico=[]), outros=(PATIENT, COVERAGE, INSURER, wrong))
    response = json.loads((await adulta.submeter(scope, raw)).json)
    assert "Documentos que chegaram com o Claim: Pedido médico." in told(response)
    assert "O elemento diagnostico não existe no Claim" in told(response)
    assert "posterior ao dia em que ele chegou" in told(response)
