"""From a Claim to pedidos: one for each item. Source: design, "Standards"; decision 0081."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

import msgspec

from crivo.autorizacoes.etapas.valores import MAX_IDADE, read_boolean
from crivo.autorizacoes.fhir.leitura import Solicitacao, read_as
from crivo.autorizacoes.fhir.recursos import (
    MOST_ITEMS,
    Cabecalho,
    CodeableConcept,
    Coding,
    Coverage,
    DeUmClaim,
    DocumentReference,
    Identifier,
    Item,
    Linha,
    Organization,
    Reference,
)
from crivo.autorizacoes.itens import Item as Pedido
from crivo.autorizacoes.itens import juntos, numero_do_item, numeros_possiveis
from crivo.autorizacoes.motivos import BENEFICIARIO_INATIVO, NASCIMENTO_ILEGIVEL, SEM_COBERTURA_EM_VIGOR
from crivo.autorizacoes.politicas.codigos import normalize_codigo

TUSS: Final = "http://www.ans.gov.br/tuss"
"""The system of TUSS codes that answers name; any system with `tuss` in its name is read as TUSS."""
CREDENCIADO: Final = "urn:crivo:credenciado"
"""The extension of a Claim that says whether who would carry it out is of the network, as no element of the standard does."""
_URGENCIA: Final = {"stat": True, "normal": False, "deferred": False}
_SEXO: Final = {"female": "F", "male": "M"}
_DAY: Final = 10
_LONGEST_SYSTEM: Final = 80
_POR_ENGANO: Final = "entered-in-error"
_EXTENSION: Final = re.compile(r"\.[A-Za-z]{2,4}[0-9]?$")
_encode = msgspec.json.Encoder().encode


def digest_of(raw: bytes) -> str:
    """What tells a message from every other: SHA-256 in hexadecimal."""
    return hashlib.sha256(raw).hexdigest()


def chaves_of(mensagem: str, itens: int) -> list[str]:
    """The idempotency key of each item of a message."""
    return [f"fhir:{mensagem}:{n}" for n in range(1, itens + 1)]


def administradora_of(solicitacao: Solicitacao) -> str | None:
    """The number of the operadora; of several, the one that the ANS gave."""
    insurer = solicitacao.insurer
    named = insurer.identifier if isinstance(insurer, Organization) else ()
    reference = solicitacao.claim.insurer or (
        solicitacao.coverage.payor[0] if solicitacao.coverage and solicitacao.coverage.payor else None
    )
    if not named and reference is not None and reference.identifier is not None:
        named = (reference.identifier,)
    return _value(named, "ans") or (insurer.id if insurer is not None else None)


def plano_of(solicitacao: Solicitacao) -> str | None:
    """The plano that the Coverage names: its class of type `plan`, else the first one."""
    classes = solicitacao.coverage.classes if solicitacao.coverage is not None else ()
    plans = [one for one in classes if one.type is not None and any(coding.code == "plan" for coding in one.type.coding)]
    return next((one.value for one in (*plans, *classes)), None)


def numeros_of(solicitacao: Solicitacao) -> list[str]:
    """The numbers that pedidos of a Claim may have, in any message of it; nothing where it has none."""
    numero = _numero(solicitacao)
    sequencias = dict.fromkeys([*range(1, MOST_ITEMS + 1), *[item.sequence for item in solicitacao.claim.item]])
    return [] if numero is None else numeros_possiveis(numero, sequencias)


def grupos_of(solicitacao: Solicitacao) -> list[list[int]]:
    """Which items ask for the same thing, by their places from 0: they are one pedido."""
    return juntos([_asked(_procedimento(item)) for item in solicitacao.claim.item])


def _asked(procedimento: dict[str, Any]) -> tuple[str, str] | None:
    """What an item asks for; None where no code says it, or its quantity is none that others could be added to."""
    codigo = procedimento.get("codigo")
    return (procedimento["tabela"], normalize_codigo(codigo)) if codigo and procedimento["quantidade"] > 0 else None


def pedidos_of(solicitacao: Solicitacao, mensagem: str, plano: str | None, substitui: str | None = None) -> list[Pedido]:
    """One pedido for each thing that is asked, in order; `plano` is that of the pedidos, None where nobody knows it.

    `substitui` is the number that an earlier message of the Claim was given.
    """
    grupos = grupos_of(solicitacao)
    some_together = len(grupos) < len(solicitacao.claim.item)
    comum = _comum(solicitacao, plano)
    numero = comum.pop("pedido_id", None)
    pedidos = []
    for n, (chave, grupo) in enumerate(zip(chaves_of(mensagem, len(grupos)), grupos, strict=True), 1):
        itens = [solicitacao.claim.item[at] for at in grupo]
        first = itens[0]
        de = DeUmClaim(
            mensagem,
            n,
            len(grupos),
            first.sequence,
            _cabecalho(solicitacao),
            solicitacao.cru["item"][grupo[0]],
            (*dict.fromkeys(aviso for item in itens for aviso in _avisos(item)), *_avisos_do_claim(solicitacao, itens)),
            ressalvas=tuple(_ressalvas(solicitacao)),
            linhas=tuple([Linha(item.sequence, _quantidade(item)) for item in itens]) if some_together else (),
            remetente=_remetente(solicitacao),
            substitui=substitui,
        )
        if n == 1:
            de = msgspec.structs.replace(de, mensagem_inteira=solicitacao.tudo)
        own = {
            "pedido_id": None if numero is None else numero_do_item(numero, first.sequence),
            **comum,
            "data_prevista": min(filter(None, map(_prevista, itens)), default=None),
            "procedimento": _procedimentos(itens),
            "fhir": de,
        }
        pedidos.append(Pedido(chave, _encode(_said(own))))
    return pedidos


class Identidade(NamedTuple):
    """A Claim whatever message of it: by who sent it, its number there, and whom it is for."""

    remetente: str | None
    numero: Identifier | str | None
    beneficiario: str | None


def identidade_of(solicitacao: Solicitacao) -> Identidade:
    """Which Claim a message is of."""
    cabecalho = _cabecalho(solicitacao)
    return Identidade(_remetente(solicitacao), cabecalho.identifier or cabecalho.id, _beneficiario(solicitacao).get("id"))


def _numero(solicitacao: Solicitacao) -> str | None:
    return next((one.value for one in solicitacao.claim.identifier if one.value), solicitacao.claim.id)


def _remetente(solicitacao: Solicitacao) -> str | None:
    """Who sent it, by a number, else by a place that is the same in every message; None where neither is told."""
    provider = solicitacao.claim.provider
    if provider is None:
        return None
    found = solicitacao.referidos.find(provider)
    identifiers = found.get("identifier") if found is not None else None
    named = [one.get("value") for one in identifiers if isinstance(one, dict)] if isinstance(identifiers, list) else []
    number = next((one for one in named if isinstance(one, str) and one), None) or (provider.identifier and provider.identifier.value)
    place = provider.reference or ""
    return number or (None if not place or place.startswith(("#", "urn:uuid:")) else place)


def _prevista(item: Item) -> str | None:
    return _day(item.servicedDate or (item.servicedPeriod.start if item.servicedPeriod else None))


def _procedimentos(itens: Sequence[Item]) -> dict[str, Any]:
    """What several items ask for together: their quantities and, where each says its own, their values are added up."""
    each = [_procedimento(item) for item in itens]
    if len(each) == 1:
        return each[0]
    valor = sum(one["valor"] for one in each) if all("valor" in one for one in each) else None
    return _said(each[0] | {"quantidade": sum(one["quantidade"] for one in each), "valor": valor})


def _comum(solicitacao: Solicitacao, plano: str | None) -> dict[str, Any]:
    claim = solicitacao.claim
    said = next((one.valueBoolean for one in claim.extension if one.url == CREDENCIADO), None)
    priority = _priority(solicitacao)
    return _said(
        {
            "pedido_id": _numero(solicitacao),
            "administradora_id": administradora_of(solicitacao),
            "plano_id": plano,
            "data_pedido": _day(claim.created),
            "urgencia": _URGENCIA.get(priority, priority) if priority else None,
            "beneficiario": _beneficiario(solicitacao),
            "prestador": None if said is None else {"tipo": "CREDENCIADO" if said else "NÃO_CREDENCIADO"},
            "solicitante": {"tipo": "MEDICO"} if solicitacao.provider_tipo in ("Practitioner", "PractitionerRole") else None,
            "documentos_anexos": list(_documentos(solicitacao)),
        }
    )


def _priority(solicitacao: Solicitacao) -> str | None:
    priority = solicitacao.claim.priority
    return next((one.code for one in (priority.coding if priority else ()) if one.code), None)


def _beneficiario(solicitacao: Solicitacao) -> dict[str, Any]:
    patient, coverage, claim = solicitacao.patient, solicitacao.coverage, solicitacao.claim
    numbers: tuple[Identifier, ...] = patient.identifier if patient is not None else ()
    if not numbers and claim.patient.identifier is not None:
        numbers = (claim.patient.identifier,)
    card = None if coverage is None else _card(coverage)
    telecom = patient.telecom if patient is not None else ()
    since = coverage.period.start if coverage is not None and coverage.period is not None else None
    return _said(
        {
            "id": card or _not_cpf(numbers),
            "data_nascimento": patient.birthDate if patient is not None else None,
            "sexo": _SEXO.get(patient.gender or "") if patient is not None else None,
            "carencia_cumprida_dias": _days_between(since, claim.created),
            "cpf": next((one.value for one in numbers if "cpf" in (one.system or "").lower()), None),
            "email": next((one.value for one in telecom if one.system == "email"), None),
        }
    )


def _card(coverage: Coverage) -> str | None:
    """The number of whom a Coverage is for; of a dependent, that of the holder and which of the dependents it is."""
    if coverage.subscriberId:
        dependent = (coverage.dependent or "").strip()
        return f"{coverage.subscriberId}-{dependent}" if dependent else coverage.subscriberId
    return next((one.value for one in coverage.identifier if one.value), None)


def _procedimento(item: Item) -> dict[str, Any]:
    coding = _chosen(item.productOrService)
    net = item.net if item.net is not None and item.net.currency == "BRL" else None
    return _said(
        {
            "codigo": coding.code,
            "tabela": _tabela(coding.system),
            "descricao": coding.display or item.productOrService.text,
            "quantidade": _quantidade(item),
            "valor": None if net is None else net.value,
        }
    )


def _tabela(system: str | None) -> str:
    named = (system or "").lower()
    return "TUSS" if "tuss" in named else "CBHPM" if "cbhpm" in named else "OUTRA"


def _quantidade(item: Item) -> int | float:
    return 1 if item.quantity is None or item.quantity.value is None else item.quantity.value


def _chosen(concept: CodeableConcept) -> Coding:
    """Of several codes of one thing that of TUSS, else the first."""
    return next((one for one in concept.coding if "tuss" in (one.system or "").lower()), next(iter(concept.coding), Coding()))


def _documentos(solicitacao: Solicitacao) -> Iterator[str]:
    """The documents that go with a Claim: attachments by title or code, documents of the Bundle by type."""
    for info in solicitacao.claim.supportingInfo:
        found = solicitacao.referidos.find(info.valueReference)
        if found is not None and found.get("resourceType") == "DocumentReference":
            document = read_as(DocumentReference, found, "DocumentReference")
            if document.status == _POR_ENGANO:
                continue
            name = _words(document.type) or document.description
        elif info.valueAttachment is not None:
            name = _words(info.code) or _without_extension(info.valueAttachment.title)
        else:
            name = None
        if name and name.strip():
            yield name.strip()


def _avisos(item: Item) -> Iterator[str]:
    if item.quantity is None or item.quantity.value is None:
        yield "A quantidade não veio, e foi lida como 1."
    system = _chosen(item.productOrService).system
    if _tabela(system) == "OUTRA":
        named = f"{system[:_LONGEST_SYSTEM]} não foi reconhecido" if system else "não veio"
        known = f"é {TUSS} para a TUSS; outro com tuss ou cbhpm no nome também é lido"
        yield f"O sistema do código (productOrService.coding.system) {named}: {known}."
    if item.detail:
        yield "O item traz detalhes (detail): foi decidido o código do item, e não o de cada detalhe."


def _avisos_do_claim(solicitacao: Solicitacao, itens: Sequence[Item]) -> Iterator[str]:
    """What is worth knowing of the Claim as a whole, and of its plano on the days of these items."""
    if NASCIMENTO_ILEGIVEL in _ressalvas(solicitacao):
        yield "A data de nascimento (Patient.birthDate) está incompleta ou não existe, e não foi lida: a idade não é conhecida."
    if BENEFICIARIO_INATIVO in _ressalvas(solicitacao):
        yield "O cadastro (Patient) diz que a pessoa faleceu (deceased) ou não está ativa (active): o pedido espera."
    if SEM_COBERTURA_EM_VIGOR in _ressalvas(solicitacao):
        yield "A cobertura (Coverage) não está ativa, ou a data do Claim está fora do período dela: o pedido espera."
    else:
        late = [day for day in map(_prevista, itens) if day and _is_over(solicitacao.coverage, day)]
        if late:
            yield f"A cobertura (Coverage) termina antes de {late[0][8:]}/{late[0][5:7]}/{late[0][:4]}, quando isto seria feito."
    priority = _priority(solicitacao)
    if priority is not None and priority not in _URGENCIA:
        read = read_boolean(priority)
        how = "sem que se entendesse" if read is None else "como urgente" if read else "como não urgente"
        yield f"A prioridade (priority) {priority[:_LONGEST_SYSTEM]} não é stat, normal nem deferred: foi lida {how}."
    for unknown in solicitacao.desconhecidos:
        yield f"O elemento {unknown} não existe no Claim do FHIR R4, e não foi lido."


def _ressalvas(solicitacao: Solicitacao) -> tuple[str, ...]:
    """For what the pedidos of a Claim must wait."""
    coverage, patient, created = solicitacao.coverage, solicitacao.patient, solicitacao.claim.created
    found = []
    if coverage is not None and (coverage.status not in (None, "active") or _is_over(coverage, created) or _is_to_come(coverage, created)):
        found.append(SEM_COBERTURA_EM_VIGOR)
    if patient is not None and (patient.active is False or patient.deceasedBoolean or patient.deceasedDateTime):
        found.append(BENEFICIARIO_INATIVO)
    if patient is not None and patient.birthDate and not _is_birth(patient.birthDate, created):
        found.append(NASCIMENTO_ILEGIVEL)
    return tuple(found)


def _is_over(coverage: Coverage | None, day: str) -> bool:
    """Whether the plano ended before a day; an end that names no day holds to the end of its month or year."""
    end = coverage.period.end[:_DAY] if coverage is not None and coverage.period is not None and coverage.period.end else ""
    return bool(end) and end < day[: len(end)]


def _is_to_come(coverage: Coverage, day: str) -> bool:
    start = coverage.period.start[:_DAY] if coverage.period is not None and coverage.period.start else ""
    return bool(start) and start > day[: len(start)]


def _is_birth(value: str, created: str) -> bool:
    try:
        born, asked = date.fromisoformat(value), date.fromisoformat(created[:_DAY])
    except ValueError:
        return False
    return born <= asked and asked.year - born.year <= MAX_IDADE


def _without_extension(title: str | None) -> str | None:
    """The name of a document that was given as the name of its file."""
    return None if title is None else _EXTENSION.sub("", title.strip()) or title


def _cabecalho(solicitacao: Solicitacao) -> Cabecalho:
    claim = solicitacao.claim
    insurer = claim.insurer or (solicitacao.coverage.payor[0] if solicitacao.coverage and solicitacao.coverage.payor else Reference())
    return Cabecalho(
        _outside(claim.patient, "Patient", _beneficiario(solicitacao).get("id")),
        _outside(insurer, "Organization", administradora_of(solicitacao)),
        claim.type,
        None if claim.provider is None or (claim.provider.reference or "").startswith("#") else claim.provider,
        next((one for one in claim.identifier if one.value), None),
        claim.id,
    )


def _outside(reference: Reference, kind: str, number: str | None) -> Reference:
    """A reference that holds outside of its Claim too: what the Claim contains is named by its number."""
    if not (reference.reference or "").startswith("#"):
        return reference
    return Reference(type=kind, identifier=Identifier(value=number)) if number else Reference(type=kind, display="contido no Claim")


def _value(numbers: tuple[Identifier, ...], system: str) -> str | None:
    theirs = [one for one in numbers if system in (one.system or "").lower()]
    return next((one.value for one in (*theirs, *numbers) if one.value), None)


def _not_cpf(numbers: tuple[Identifier, ...]) -> str | None:
    others = [one for one in numbers if "cpf" not in (one.system or "").lower()]
    return next((one.value for one in (*others, *numbers) if one.value), None)


def _words(concept: CodeableConcept | None) -> str | None:
    if concept is None:
        return None
    return concept.text or next((one.display or one.code for one in concept.coding if one.display or one.code), None)


def _day(value: str | None) -> str | None:
    return value[:_DAY] if value and len(value) >= _DAY else None


def _days_between(since: str | None, until: str) -> int | None:
    """Days of a plano that have passed on the day of the request; None where they cannot be told, or it begins later."""
    try:
        days = (date.fromisoformat(until[:_DAY]) - date.fromisoformat((since or "")[:_DAY])).days
    except ValueError:
        return None
    return days if days >= 0 else None


def _said(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
