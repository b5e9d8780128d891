"""From bytes to a Claim and what it refers to: alone, in a Bundle, or as the parameter of an operation.

Nothing is fetched: what a reference leads to comes in the Bundle or is contained. Source: FHIR R4, Claim/$submit; design, "Standards".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from crivo.autorizacoes.fhir.erros import ClaimIlegivel, ClaimRecusado, refused
from crivo.autorizacoes.fhir.recursos import MOST_ITEMS, Claim, Coverage, Item, Organization, Patient, Period, Reference
from crivo.autorizacoes.leitura import JsonInvalido, PedidoIlegivel, read_pedido
from crivo.autorizacoes.politicas.codigos import normalize_codigo
from crivo.kernel.errors import Problem

_MOST_RESOURCES: Final = 200
_FIRST_YEAR: Final = 1900
_LAST_YEAR: Final = 2200
# How often something is done, in the words and codes that clients have for it.
_WORDS: Final = (
    "1 {count} {unit} {session} {sessions} {procedure} {visit} {exam} {diaria} un und unidade unidades unit units each ea "
    "sessao sessão sessoes sessões session sessions vez vezes exame exames procedimento procedimentos diaria diária diarias diárias "
    "visit visits procedure procedures"
)
_COUNTED: Final = frozenset(_WORDS.split())
_PARTIAL: Final = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?", re.ASCII)
# Every element of a Claim of R4: those that repeat, those that have elements of their own, and plain texts.
_LISTS: Final = "contained extension modifierExtension identifier related careTeam supportingInfo diagnosis procedure insurance item"
_OBJECTS: Final = (
    "meta text type subType patient billablePeriod enterer insurer provider priority fundsReserve prescription originalPrescription "
    "payee referral facility accident total"
)
_TEXTS: Final = "resourceType id implicitRules language status use created"
_ELEMENTS: Final = dict.fromkeys(_LISTS.split(), list) | dict.fromkeys(_OBJECTS.split(), dict) | dict.fromkeys(_TEXTS.split(), str)
_OTHERS: Final = frozenset({"contained", "entry", "parameter", "modifierExtension"})
_OITO: Final = re.compile(r"[0-9]{8}", re.ASCII)
_MOST_TOLD: Final = 10
_LONGEST_NAME: Final = 40
Resource = dict[str, Any]
Read = TypeVar("Read")


class Solicitacao(NamedTuple):
    """A Claim, whom it is for and by which plano, who decides it; `cru` is its resource and `tudo` all that came.

    `desconhecidos` are elements that R4 does not have, by their names, as far as these may be told.
    """

    claim: Claim
    patient: Patient | None
    coverage: Coverage | None
    insurer: Organization | None
    provider_tipo: str
    referidos: Referidos
    cru: Resource
    tudo: Resource
    desconhecidos: tuple[str, ...]


def read_claim(raw: bytes) -> Solicitacao:
    """The request in `raw`, UTF-8 JSON. Raises `ClaimIlegivel`, `ClaimRecusado` with each fault and its place."""
    tudo = _json(raw)
    cru, outros = _unpacked(tudo)
    claim = read_as(Claim, cru, "Claim")
    _check(claim)
    _check_kinds(cru)
    referidos = Referidos(cru, outros)
    patient = referidos.get(claim.patient, "Patient", Patient, "Claim.patient")
    focal = next((one for one in claim.insurance if one.focal), next(iter(claim.insurance), None))
    coverage = None if focal is None else referidos.get(focal.coverage, "Coverage", Coverage, "Claim.insurance.coverage")
    if coverage is not None:
        _check_whose(coverage, claim.patient, referidos)
        if coverage.period is not None:
            _check_period(coverage.period)
    payer, at = claim.insurer, "Claim.insurer"
    if payer is None and coverage is not None and coverage.payor:
        payer, at = coverage.payor[0], "Coverage.payor"
    if payer is None:
        raise refused("O Claim não diz a quem é pedido. Preencha insurer, com o número da operadora.", "required", "Claim.insurer")
    insurer = referidos.get(payer, "Organization", Organization, at)
    _check_understood(tudo, cru, referidos, [claim.patient, *([focal.coverage] if focal else []), payer, claim.provider, *_papers(claim)])
    return Solicitacao(claim, patient, coverage, insurer, referidos.tipo(claim.provider), referidos, cru, tudo, tuple(_unknown(cru)))


def _json(raw: bytes) -> Resource:
    try:
        return read_pedido(raw)
    except JsonInvalido:
        raise ClaimIlegivel(
            "O que chegou não é um JSON em UTF-8. Envie o recurso como application/fhir+json.",
            [Problem("JSON malformado", codigo="structure")],
        ) from None
    except PedidoIlegivel as error:
        told = "O recurso não pôde ser lido: ele deve ser um objeto JSON, sem chaves repetidas, sem caracteres nulos e sem números enormes."
        problems = [Problem(one.mensagem, caminho=one.caminho, codigo="structure") for one in error.problemas]
        raise ClaimRecusado(told, problems or [Problem(told, codigo="structure")]) from None


def _unpacked(tudo: Resource) -> tuple[Resource, list[tuple[str, Resource]]]:
    """The Claim, and the other resources of its Bundle with their full URLs."""
    kind = tudo.get("resourceType")
    if kind == "Parameters":
        inner = [one.get("resource") for one in _objects(tudo.get("parameter")) if one.get("name") == "resource"]
        if len(inner) != 1 or not isinstance(inner[0], dict):
            raise refused("Parameters deve trazer um parâmetro resource, com o Claim ou o Bundle.", "required", "Parameters.parameter")
        tudo, kind = inner[0], inner[0].get("resourceType")
    if kind == "Claim":
        return tudo, []
    if kind != "Bundle":
        named = f"É {kind[:40]}; envie" if isinstance(kind, str) else "Falta resourceType; envie"
        raise refused(f"{named} um Claim, um Bundle com um Claim, ou Parameters com um deles.", "invalid", "resourceType")
    entries = _objects(tudo.get("entry"))
    if len(entries) > _MOST_RESOURCES:
        raise refused(f"O Bundle traz {len(entries)} recursos; o máximo é {_MOST_RESOURCES}.", "too-costly", "Bundle.entry")
    found = [(str(one.get("fullUrl") or ""), one["resource"]) for one in entries if isinstance(one.get("resource"), dict)]
    claims = [resource for _, resource in found if resource.get("resourceType") == "Claim"]
    if len(claims) != 1:
        raise refused(f"O Bundle traz {len(claims)} Claims; envie um por vez.", "invalid", "Bundle.entry")
    return claims[0], [(url, resource) for url, resource in found if resource is not claims[0]]


def _objects(value: object) -> list[dict[str, Any]]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _check(claim: Claim) -> None:
    """Raises ClaimRecusado with every fault of the Claim itself."""
    problems = list(_faults(claim))
    if problems:
        raise ClaimRecusado(problems[0].mensagem, problems)


def _faults(claim: Claim) -> Iterator[Problem]:
    if claim.use != "preauthorization":
        told = "Aqui se decide o que se pede antes: use deve ser preauthorization."
        yield Problem(told, caminho="Claim.use", codigo="not-supported")
    if claim.status != "active":
        yield Problem("Só um Claim ativo é decidido: status deve ser active.", caminho="Claim.status", codigo="business-rule")
    if not _is_day(claim.created):
        yield Problem("created deve ser uma data, como 2026-11-20.", caminho="Claim.created", codigo="value")
    if not claim.id and not any(one.value for one in claim.identifier):
        told = "O Claim não traz o seu número: preencha identifier. É por ele que se reconhece o mesmo pedido, corrigido."
        yield Problem(told, caminho="Claim.identifier", codigo="required")
    if not claim.item:
        yield Problem("O Claim não traz nenhum item: nada foi pedido.", caminho="Claim.item", codigo="required")
    if len(claim.item) > MOST_ITEMS:
        yield Problem(f"O Claim traz {len(claim.item)} itens; o máximo é {MOST_ITEMS}.", caminho="Claim.item", codigo="too-costly")
        return
    if len({item.sequence for item in claim.item}) < len(claim.item):
        yield Problem("Cada item precisa de um sequence só seu.", caminho="Claim.item.sequence", codigo="duplicate")
    for at, item in enumerate(claim.item):
        yield from _item_faults(item, f"Claim.item[{at}]")


def _item_faults(item: Item, at: str) -> Iterator[Problem]:
    if not 0 < item.sequence < 2**31:
        yield Problem("sequence deve ser um número inteiro a partir de 1.", caminho=f"{at}.sequence", codigo="value")
    for coding in item.productOrService.coding:
        if coding.code and "tuss" in (coding.system or "").lower() and not _OITO.fullmatch(normalize_codigo(coding.code)):
            yield Problem("Um código da TUSS tem oito algarismos.", caminho=f"{at}.productOrService", codigo="value")
    quantity = item.quantity
    if quantity is not None:
        said = {(one or "").strip().lower() for one in (quantity.code, quantity.unit)} - {""}
        if said and not said & _COUNTED:
            told = "A quantidade deve contar vezes: deixe a unidade em branco, ou use {unit}, {session} ou 1."
            yield Problem(told, caminho=f"{at}.quantity", codigo="value")
    for name, day in (("servicedDate", item.servicedDate), ("servicedPeriod", item.servicedPeriod and item.servicedPeriod.start)):
        if day and not _is_day(day):
            yield Problem("Deve ser uma data, como 2026-11-20.", caminho=f"{at}.{name}", codigo="value")


def _check_kinds(cru: Resource) -> None:
    """Raises ClaimRecusado where an element is of another kind than R4 has there, also where nothing of it is read."""
    told = "O valor não é do tipo que o FHIR R4 pede aqui."
    wrong = [name for name, kind in _ELEMENTS.items() if cru.get(name) is not None and not isinstance(cru[name], kind)]
    if wrong:
        raise ClaimRecusado(told, [Problem(told, caminho=f"Claim.{name}", codigo="structure") for name in wrong])


def _unknown(cru: Resource) -> Iterator[str]:
    """The names of what R4 does not have; `_status` says of `status` what is no value."""
    for name in [name for name in cru if name.removeprefix("_") not in _ELEMENTS][:_MOST_TOLD]:
        yield name[:_LONGEST_NAME] if name.isidentifier() else "(sem nome que se leia)"


def _papers(claim: Claim) -> Iterator[Reference | None]:
    for info in claim.supportingInfo:
        yield info.valueReference


def _check_understood(tudo: Resource, cru: Resource, referidos: Referidos, lidos: Sequence[Reference | None]) -> None:
    """Raises ClaimRecusado where what is read says that it means something else than it seems to.

    Nothing of that kind is known here, and what is not known there must not be read over. Source: FHIR R4, 2.1.0.3, modifierExtension;
    2.26.3, implicitRules.
    """
    inner = [one["resource"] for one in _objects(tudo.get("parameter")) if isinstance(one.get("resource"), dict)]
    resources = [tudo, *inner, cru, *filter(None, map(referidos.find, lidos))]
    problems = [problem for one in {id(one): one for one in resources}.values() for problem in _not_understood(one)]
    if problems:
        raise ClaimRecusado(problems[0].mensagem, problems)


def _not_understood(resource: Resource) -> Iterator[Problem]:
    kind = str(resource.get("resourceType"))
    if resource.get("implicitRules") is not None:
        told = "implicitRules diz que o recurso segue regras que aqui não são conhecidas, e poderia ser lido errado. Envie-o sem elas."
        yield Problem(told, caminho=f"{kind}.implicitRules", codigo="not-supported")
    pending: list[tuple[Any, str]] = [(resource, kind)]
    while pending:
        node, at = pending.pop()
        if isinstance(node, list):
            pending += [(one, f"{at}[{n}]") for n, one in enumerate(node)]
        elif isinstance(node, dict):
            if node.get("modifierExtension"):
                told = "modifierExtension muda o sentido do que está ali, e nenhuma é conhecida aqui. Envie sem ela, ou peça de outro modo."
                yield Problem(told, caminho=f"{at}.modifierExtension", codigo="extension")
            # Each resource that came with this one is looked at where it is read.
            pending += [(one, f"{at}.{name}") for name, one in node.items() if name not in _OTHERS]


def _check_whose(coverage: Coverage, patient: Reference, referidos: Referidos) -> None:
    """Raises ClaimRecusado where a Coverage is somebody else's than who the Claim is for, or nothing says whose it is."""
    whose, at = coverage.beneficiary, "Coverage.beneficiary"
    if whose is None or (not whose.reference and whose.identifier is None):
        return
    theirs, own = referidos.find(whose), referidos.find(patient)
    if theirs is None and whose.identifier is None:
        if whose.reference != patient.reference:
            told = "A cobertura é de um beneficiário que não veio: traga-o no Bundle ou em contained, ou o identifier dele."
            raise refused(told, "not-found", at)
        return
    if (theirs is None or theirs is not own) and not _numbers(whose, theirs) & _numbers(patient, own):
        told = "A cobertura é de outra pessoa: Coverage.beneficiary deve ser quem está em Claim.patient."
        raise refused(told, "business-rule", at)


def _numbers(reference: Reference, found: Resource | None) -> set[str]:
    """The numbers of whoever is referred to, as the reference and the resource give them."""
    theirs = [one.get("value") for one in _objects((found or {}).get("identifier"))]
    return {one for one in (reference.identifier and reference.identifier.value, *theirs) if isinstance(one, str) and one}


def _check_period(period: Period) -> None:
    """Raises ClaimRecusado where a limit of a Coverage is no date; one of a month or a year is."""
    for name, limit in (("start", period.start), ("end", period.end)):
        if limit and not (_PARTIAL.fullmatch(limit[:10]) and _is_day((limit[:10] + "-01-01")[:10])):
            raise refused("Deve ser uma data, como 2026-11-20.", "value", f"Coverage.period.{name}")


def _is_day(value: str) -> bool:
    try:
        return _FIRST_YEAR <= date.fromisoformat(value[:10]).year <= _LAST_YEAR
    except ValueError:
        return False


class Referidos:
    """What a Claim may refer to: what it contains, and what came in its Bundle. One step is followed at a time, so nothing goes round."""

    def __init__(self, claim: Resource, outros: list[tuple[str, Resource]]) -> None:
        self._contidos = {str(one.get("id")): one for one in _objects(claim.get("contained"))}
        self._de_fora: dict[str, Resource] = {}
        for url, one in outros:
            for name in (url, f"{one.get('resourceType')}/{one.get('id')}"):
                if name:
                    self._de_fora.setdefault(name, one)

    def find(self, reference: Reference | None) -> Resource | None:
        """The resource at a reference; None where it did not come."""
        where = "" if reference is None else reference.reference or ""
        if where.startswith("#"):
            return self._contidos.get(where[1:])
        plain = where.partition("/_history/")[0]
        return self._de_fora.get(plain) or self._de_fora.get("/".join(plain.split("/")[-2:])) if plain else None

    def get(self, reference: Reference, kind: str, as_type: type[Read], at: str) -> Read | None:
        """What is read of a resource; None where only a number or a name of it came. Raises ClaimRecusado where it is not there."""
        found = self.find(reference)
        if found is None:
            if reference.reference and reference.identifier is None:
                told = (
                    "Esta referência não leva a nada do que foi enviado. Traga o recurso no Bundle ou em contained, ou o identifier dele."
                )
                raise refused(told, "not-found", at)
            return None
        if found.get("resourceType") != kind:
            raise refused(f"Esta referência deve levar a {kind}.", "invalid", at)
        return read_as(as_type, found, kind)

    def tipo(self, reference: Reference | None) -> str:
        """The type of resource at a reference, as far as it says; empty where nothing does."""
        if reference is None:
            return ""
        found = self.find(reference)
        named = None if found is None else found.get("resourceType")
        first = (reference.reference or "").partition("/")[0]
        return str(named or reference.type or (first if first.isalpha() else ""))


def read_as(as_type: type[Read], resource: Mapping[str, Any], kind: str) -> Read:
    """What is read of a resource. Raises `ClaimRecusado` with the place that is missing or of another type than R4 has there."""
    try:
        return msgspec.convert(resource, as_type)
    except msgspec.ValidationError as error:
        where = str(error).rpartition("`$")[2].rstrip("`") if "`$" in str(error) else ""
        lacks = "required field" in str(error)
        named = str(error).partition("required field `")[2].partition("`")[0]
        told = f"Falta {named}, que o FHIR R4 exige." if lacks else "O valor não é do tipo que o FHIR R4 pede aqui."
        raise refused(told, "required" if lacks else "structure", kind + where + (f".{named}" if lacks else "")) from None
