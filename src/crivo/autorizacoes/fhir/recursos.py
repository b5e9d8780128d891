"""What is read of each resource of FHIR R4, in the names of the standard; everything else is kept as it came. Source: FHIR R4, 4.0.1."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from crivo.autorizacoes.contracts import Value

MOST_ITEMS: Final = 50


class Coding(Value, frozen=True, gc=False, omit_defaults=True):
    """A code of a system."""

    system: str | None = None
    code: str | None = None
    display: str | None = None


class CodeableConcept(Value, frozen=True, gc=False, omit_defaults=True):
    """A concept by its codes, or in words."""

    coding: tuple[Coding, ...] = ()
    text: str | None = None


class Identifier(Value, frozen=True, gc=False, omit_defaults=True):
    """A number that somebody gave."""

    system: str | None = None
    value: str | None = None
    type: CodeableConcept | None = None


class Reference(Value, frozen=True, gc=False, omit_defaults=True):
    """Another resource: by its place, or by a number of it."""

    reference: str | None = None
    type: str | None = None
    identifier: Identifier | None = None
    display: str | None = None


class Quantity(Value, frozen=True, gc=False, omit_defaults=True):
    """An amount and its unit."""

    value: int | float | None = None
    unit: str | None = None
    system: str | None = None
    code: str | None = None


class Money(Value, frozen=True, gc=False, omit_defaults=True):
    """An amount of a currency, as ISO 4217 names it."""

    value: int | float | None = None
    currency: str | None = None


class Period(Value, frozen=True, gc=False, omit_defaults=True):
    """From a date to another."""

    start: str | None = None
    end: str | None = None


class Extension(Value, frozen=True, gc=False, omit_defaults=True):
    """What the standard has no element for; only a yes or no is read."""

    url: str
    valueBoolean: bool | None = None  # noqa: N815 - the standard's name


class Telecom(Value, frozen=True, gc=False, omit_defaults=True):
    """A way to reach somebody."""

    system: str | None = None
    value: str | None = None


class Organization(Value, frozen=True, gc=False):
    """An organisation, by the numbers that it has."""

    id: str | None = None
    identifier: tuple[Identifier, ...] = ()


class Patient(Value, frozen=True, gc=False):
    """Whom it is for."""

    identifier: tuple[Identifier, ...] = ()
    active: bool | None = None
    deceasedBoolean: bool | None = None  # noqa: N815
    deceasedDateTime: str | None = None  # noqa: N815
    birthDate: str | None = None  # noqa: N815
    gender: str | None = None
    telecom: tuple[Telecom, ...] = ()


class CoverageClass(Value, frozen=True, gc=False):
    """A classification of the plano."""

    value: str
    type: CodeableConcept | None = None


class Coverage(Value, frozen=True, gc=False, rename={"classes": "class"}):
    """The plano of a person, and from when to when it holds."""

    identifier: tuple[Identifier, ...] = ()
    status: str | None = None
    subscriberId: str | None = None  # noqa: N815
    dependent: str | None = None
    beneficiary: Reference | None = None
    payor: tuple[Reference, ...] = ()
    period: Period | None = None
    classes: tuple[CoverageClass, ...] = ()


class Attachment(Value, frozen=True, gc=False):
    """A file, by its title."""

    title: str | None = None


class SupportingInfo(Value, frozen=True, gc=False):
    """Something that goes with a request."""

    category: CodeableConcept | None = None
    code: CodeableConcept | None = None
    valueAttachment: Attachment | None = None  # noqa: N815
    valueReference: Reference | None = None  # noqa: N815


class DocumentReference(Value, frozen=True, gc=False):
    """A document that is kept somewhere, by its type; `status` tells one that was entered by mistake."""

    status: str | None = None
    type: CodeableConcept | None = None
    description: str | None = None


class Item(Value, frozen=True, gc=False):
    """One thing that is asked for."""

    sequence: int
    productOrService: CodeableConcept  # noqa: N815
    quantity: Quantity | None = None
    net: Money | None = None
    unitPrice: Money | None = None  # noqa: N815
    servicedDate: str | None = None  # noqa: N815
    servicedPeriod: Period | None = None  # noqa: N815
    detail: tuple[dict[str, Any], ...] = ()


class Insurance(Value, frozen=True, gc=False):
    """A plano that is asked; `focal` is the one that this request is to."""

    coverage: Reference
    focal: bool = False


class Claim(Value, frozen=True, gc=False):
    """A request, by what is read of it."""

    status: str
    use: str
    patient: Reference
    created: str
    insurer: Reference | None = None
    provider: Reference | None = None
    id: str | None = None
    type: CodeableConcept | None = None
    identifier: tuple[Identifier, ...] = ()
    priority: CodeableConcept | None = None
    insurance: tuple[Insurance, ...] = ()
    supportingInfo: tuple[SupportingInfo, ...] = ()  # noqa: N815
    item: tuple[Item, ...] = ()
    extension: tuple[Extension, ...] = ()


class Linha(Value, frozen=True, gc=False):
    """One item of a Claim, by its sequence, and how many it asks for."""

    sequencia: int
    quantidade: int | float


class DeUmClaim(Value, frozen=True, gc=False, omit_defaults=True):
    """What a pedido keeps of the Claim that it came in: the digest of the message, which pedido it is of how many, what its answer repeats.

    `aviso` tells what was presumed; `recurso` is the item as it came, and with the first one `mensagem_inteira` all that came.
    `ressalvas` are the motivos for which it must wait, where they apply;
    `linhas` are the items that ask for this, where some were asked together; `remetente` is who sent it, by a number that stays, and
    `substitui` what an earlier message of the same Claim was given as its number.
    """

    mensagem: str
    item: int
    itens: int
    sequencia: int
    claim: Cabecalho
    recurso: dict[str, Any]
    aviso: tuple[str, ...] = ()
    mensagem_inteira: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    linhas: tuple[Linha, ...] = ()
    ressalvas: tuple[str, ...] = ()
    remetente: str | None = None
    substitui: str | None = None


class Cabecalho(Value, frozen=True, gc=False, omit_defaults=True):
    """What an answer repeats of its Claim."""

    patient: Reference
    insurer: Reference
    type: CodeableConcept | None = None
    provider: Reference | None = None
    identifier: Identifier | None = None
    id: str | None = None
